//! Operations on many elements are taken apart where another thread can notice: programs whose outcomes
//! are known from the order in which elements are read and written.

use crate::compile;
use crate::contracts::{cases, differences};
use crate::litmus::{Searched, outcomes, seeds};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{StoreKind, Strategy};
use std::collections::BTreeSet;

fn wrong(name: &str, options: Options) -> Vec<String> {
    let (cases, files) = cases("apart");
    let classes = compile::directory(name);
    compile::javac(&files, &classes);
    differences(&cases, &classes, "", 40_000, options)
}

#[test]
fn operations_in_conflict_go_element_by_element() {
    let wrong = wrong("apart", Options::default());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_reduction_all_operations_go_element_by_element() {
    let wrong = wrong("apart-all", Options { until_conflict: false, ..Options::default() });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Random numbers: a linear congruential generator, of which the high bits are taken.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// How long the two shared arrays are.
const LEN: usize = 3;

/// A statement of a random program, on one or both of the two arrays.
enum Stmt {
    Write(usize, usize, u8),
    Read(usize, usize),
    Fill(usize, u8),
    Copy { source: usize, from: usize, target: usize, to: usize, len: usize },
    Clone(usize),
    CopyOf(usize),
}

/// Something that happens at once.
#[derive(Clone, Copy)]
enum Access {
    Set(usize, u8),
    Load(usize, usize),
    Store(usize, usize),
}

impl Stmt {
    fn random(dice: &mut Dice) -> Self {
        let (array, other, at, value) =
            (dice.below(2), dice.below(2), dice.below(LEN), dice.below(5) as u8 + 4);
        match dice.below(7) {
            0 => Self::Write(array, at, value),
            1 => Self::Read(array, at),
            2 => Self::Fill(array, value),
            3 => Self::Clone(array),
            4 => Self::CopyOf(array),
            _ => {
                let len = 1 + dice.below(LEN);
                let (from, to) = (dice.below(LEN - len + 1), dice.below(LEN - len + 1));
                Self::Copy { source: array, from, target: other, to, len }
            }
        }
    }

    /// How many values the statement keeps.
    fn n_kept(&self) -> usize {
        match self {
            Self::Read(..) => 1,
            Self::Clone(_) => LEN,
            Self::CopyOf(_) => 2,
            _ => 0,
        }
    }

    fn java(&self, kept: usize) -> String {
        let name = |array: usize| ["a", "b"][array];
        match *self {
            Self::Write(array, at, value) => format!("{}[{at}] = {value};", name(array)),
            Self::Read(array, at) => format!("k{kept} = {}[{at}];", name(array)),
            Self::Fill(array, value) => format!("java.util.Arrays.fill({}, {value});", name(array)),
            Self::Copy { source, from, target, to, len } => {
                format!("System.arraycopy({}, {from}, {}, {to}, {len});", name(source), name(target))
            }
            Self::Clone(array) => {
                let keep = |at: usize| format!("k{} = c{kept}[{at}];", kept + at);
                let keeps: String = (0..LEN).map(keep).collect();
                format!("int[] c{kept} = {}.clone(); {keeps}", name(array))
            }
            Self::CopyOf(array) => format!(
                "int[] c{kept} = java.util.Arrays.copyOf({}, 2); k{kept} = c{kept}[0]; k{} = c{kept}[1];",
                name(array),
                kept + 1
            ),
        }
    }

    /// Its accesses, in each order that they may have. Values are kept from number `kept` on; `scratch` is
    /// one more.
    fn accesses(&self, kept: usize, scratch: usize) -> Vec<Vec<Access>> {
        let cell = |array: usize, at: usize| LEN * array + at;
        let mut ways = match *self {
            Self::Write(array, at, value) => return vec![vec![Access::Set(cell(array, at), value)]],
            Self::Read(array, at) => return vec![vec![Access::Load(cell(array, at), kept)]],
            Self::Fill(array, value) => {
                return vec![(0..LEN).map(|at| Access::Set(cell(array, at), value)).collect()];
            }
            Self::Clone(array) | Self::CopyOf(array) => {
                let load = |at| vec![Access::Load(cell(array, at), kept + at)];
                (0..self.n_kept()).map(load).collect::<Vec<_>>()
            }
            Self::Copy { source, from, target, to, len } => {
                let copy = |at| {
                    let load = Access::Load(cell(source, from + at), scratch);
                    vec![load, Access::Store(scratch, cell(target, to + at))]
                };
                let ascending: Vec<Vec<Access>> = (0..len).map(copy).collect();
                if source == target && from < to && to < from + len {
                    return vec![ascending.into_iter().rev().flatten().collect()];
                }
                if source == target && to < from && from < to + len {
                    return vec![ascending.concat()];
                }
                ascending
            }
        };
        let ascending = ways.concat();
        ways.reverse();
        vec![ascending, ways.concat()]
    }
}

/// A random program: what two threads do.
struct Racing {
    threads: [Vec<Stmt>; 2],
}

impl Racing {
    fn random(seed: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut thread = || (0..1 + dice.below(2)).map(|_| Stmt::random(&mut dice)).collect();
        Self { threads: [thread(), thread()] }
    }

    fn n_kept(&self) -> usize {
        self.threads.iter().flatten().map(Stmt::n_kept).sum()
    }

    /// The statements of each thread with the number of the first value that each keeps.
    fn numbered(&self) -> [Vec<(usize, &Stmt)>; 2] {
        let mut next = 0;
        [0, 1].map(|thread: usize| {
            let number = |stmt| {
                let kept = next;
                next += Stmt::n_kept(stmt);
                (kept, stmt)
            };
            self.threads[thread].iter().map(number).collect()
        })
    }

    fn java(&self, class: &str) -> String {
        let [other, main] = self.numbered().map(|thread| {
            thread.iter().map(|(kept, stmt)| format!("        {}\n", stmt.java(*kept))).collect::<String>()
        });
        let kept: String = (0..self.n_kept()).map(|k| format!("    static int k{k};\n")).collect();
        let shown: String = (0..self.n_kept()).map(|k| format!(" + \" \" + k{k}")).collect();
        format!(
            "public class {class} {{\n    static final int[] a = {{1, 2, 3}}, b = {{0, 0, 0}};\n{kept}    \
             public static void main(String[] args) throws Exception {{\n        Thread t = new Thread(() -> {{\n{other}        \
             }});\n        t.start();\n{main}        t.join();\n        System.out.println(a[0] + \" \" + a[1] + \" \" + a[2] + \" \" + \
             b[0] + \" \" + b[1] + \" \" + b[2]{shown});\n    }}\n}}\n"
        )
    }

    /// All outcomes, by brute force over the accesses one by one.
    fn outcomes(&self) -> BTreeSet<String> {
        let n_kept = self.n_kept();
        let ways = [0, 1].map(|thread: usize| {
            let mut all = vec![Vec::new()];
            for (kept, stmt) in &self.numbered()[thread] {
                let orders = stmt.accesses(*kept, n_kept + thread);
                all = all
                    .iter()
                    .flat_map(|before: &Vec<Access>| {
                        orders.iter().map(move |order| [&before[..], order].concat())
                    })
                    .collect();
            }
            all
        });
        let mut outcomes = BTreeSet::new();
        for one in &ways[0] {
            for other in &ways[1] {
                let mut start = vec![1, 2, 3, 0, 0, 0];
                start.resize(2 * LEN + n_kept + 2, 0);
                interleave([one, other], start, &mut outcomes);
            }
        }
        let shown = |end: &Vec<u8>| {
            let texts: Vec<String> = end[..2 * LEN + n_kept].iter().map(u8::to_string).collect();
            texts.join(" ")
        };
        outcomes.iter().map(shown).collect()
    }
}

/// Adds the ends of all interleavings of two lists of accesses, from a state of the elements and of what is
/// kept.
fn interleave(threads: [&[Access]; 2], start: Vec<u8>, ends: &mut BTreeSet<Vec<u8>>) {
    let mut seen = BTreeSet::from([(0, 0, start)]);
    let mut open: Vec<_> = seen.iter().cloned().collect();
    while let Some((i, j, state)) = open.pop() {
        if i == threads[0].len() && j == threads[1].len() {
            ends.insert(state.clone());
        }
        let steps = [(threads[0].get(i), i + 1, j), (threads[1].get(j), i, j + 1)];
        for (access, i, j) in steps {
            let mut next = state.clone();
            match access {
                None => continue,
                Some(&Access::Set(cell, value)) => next[cell] = value,
                Some(&Access::Load(cell, kept)) => next[2 * LEN + kept] = next[cell],
                Some(&Access::Store(kept, cell)) => next[cell] = next[2 * LEN + kept],
            }
            if seen.insert((i, j, next.clone())) {
                open.push((i, j, next));
            }
        }
    }
}

/// Searches random programs, with and without reduction.
fn compare(seeds: std::ops::Range<u64>, name: &str) {
    let directory = compile::directory(name);
    let programs: Vec<(String, Racing)> =
        seeds.map(|seed| (format!("Racing{seed}"), Racing::random(seed))).collect();
    let files: Vec<_> = programs
        .iter()
        .map(|(class, program)| {
            let file = directory.join(format!("{class}.java"));
            std::fs::write(&file, program.java(class)).expect("the build's directory is writable");
            file
        })
        .collect();
    compile::javac(&files, &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let reduced = Options { keep_output: true, ..Options::default() };
    let setup = Setup { jdk: None, main: &programs[0].0, args: &[], options: reduced, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    for (class, program) in &programs {
        let expected = program.outcomes();
        for options in [reduced, Options { until_conflict: false, ..reduced }] {
            let sibling = base.sibling(class, &[], options).expect("the program loads");
            let found = match outcomes(&sibling, Strategy::Bfs, StoreKind::Exact, 1, 100_000) {
                Searched::All(found, _) => found,
                Searched::TooMany => panic!("{class} is too large"),
                Searched::Unsupported(what) => panic!("{class}: {what}"),
            };
            let found: BTreeSet<String> = found.iter().map(|one| one.output.trim_end().to_owned()).collect();
            assert!(
                found == expected,
                "reduction {}:\n{}missing: {:?}\nwrong: {:?}",
                options.until_conflict,
                program.java(class),
                expected.difference(&found).collect::<Vec<_>>(),
                found.difference(&expected).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn random_programs_have_the_outcomes_of_brute_force() {
    compare(0..60, "racing");
}

/// `SEEDS=from-to cargo test --release -p allways-java --test java -- --ignored many_racing --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_racing_programs_have_the_outcomes_of_brute_force() {
    compare(seeds(), "racing-many");
}
