//! What is shown of a run of the reduced program is what the program without reductions does in the same
//! moves.
//!
//! A step of the reduced program is many operations of one thread. From the same state the same thread takes
//! single operations in the unreduced program until it comes to the state after the step, byte for byte; so
//! both programs are in one state after every step, and a run never drifts. Compared are
//!
//! - the variables and threads of every state, as either program shows them;
//! - what the step is said to read and change, with what its operations read and change. The operations are
//!   taken in one machine ([`Program::operations`]), so objects are compared by what they are, and both are
//!   called by the names that the step gives them. The two sets must be equal: nothing is wrong, missing or
//!   invented. A change is the value before the first operation that changes it and the one after the last;
//!   a read is shown if the first read of a place in the step finds what was there when the step began;
//! - what the step is said to read and change, with the variables of the state before and after it, by name
//!   (unless the step makes the name mean another object);
//! - output, thread, place and text of the step;
//! - the violations at the end of a counterexample, by their identity.
//!
//! Runs are random ones and the counterexamples of a search for all errors. Where a thread can come to the
//! state after the step in several ways, because it goes round in a loop, one of them must fit.
//!
//! Not compared: the names themselves, which both sides find in the same way; who can reach what, by which
//! both sides leave out reads of what no other thread can change; data races and lock orders, which only the
//! reduction looks for; heap pictures; which of a step's reads are listed first; and programs whose search is
//! too large.

use crate::compile;
use crate::examples::{SMALL, files};
use crate::litmus::{Case, seeds};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::{Batch, Cursor, Halt, Lessons, Model, Move, StepKey, Violation, ViolationId};
use allways_search::{Config, End, Limits, SplitMix64, Strategy, refine};
use allways_testkit::random_java::{Program as Litmus, generate, generate_wide};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Random runs through each program.
const WALKS: usize = 3;
/// Steps of one random run at most.
const MAX_STEPS: usize = 60;
/// Counterexamples of each program at most.
const MAX_FINDINGS: usize = 4;
/// Operations that one step may consist of. Starting a thread takes the most.
const MAX_OPERATIONS: usize = 20_000;
/// Ways from one state to another at most.
const MAX_WAYS: usize = 3;
/// Programs whose search needs more states are passed over.
const MAX_STATES: u64 = 20_000;

/// The variables of a state, by name.
fn variables(program: &Program, state: &[u8]) -> BTreeMap<String, String> {
    program.variables(state).into_iter().map(|one| (one.name, one.value)).collect()
}

/// The thread that takes a step.
fn thread(key: StepKey) -> u64 {
    key.0 >> 32
}

/// A program, and what was learnt about it.
struct Known<'a> {
    program: &'a Program,
    lessons: Lessons,
    n_lessons: usize,
    cursor: Box<dyn Cursor + 'a>,
}

impl<'a> Known<'a> {
    fn new(program: &'a Program, lessons: Lessons) -> Self {
        Self { cursor: program.cursor(&lessons), program, lessons, n_lessons: 0 }
    }

    /// The successors of a state, with their keys, and what goes wrong on the way or in it.
    fn successors(&mut self, state: &[u8]) -> (Vec<(StepKey, Vec<u8>)>, Vec<Violation>) {
        let mut batch = Batch::new();
        self.cursor.load(state);
        match self.cursor.expand(&mut batch) {
            Ok(()) => {}
            // The unreduced program is not searched, so there may be something to learn.
            Err(Halt::Refine(lesson)) => {
                self.lessons.merge(&lesson);
                self.n_lessons += 1;
                self.cursor = self.program.cursor(&self.lessons);
                return self.successors(state);
            }
            Err(halt) => panic!("{:?}", halt.into_fault()),
        }
        let next = (0..batch.len()).map(|idx| (batch.entries()[idx].key, batch.vector(idx).to_vec()));
        (next.collect(), batch.violations().to_vec())
    }

    fn explain(&mut self, state: &[u8], key: StepKey) -> Move {
        self.cursor.load(state);
        let mut moves = self.cursor.explain(key).expect("a step is explained");
        assert_eq!(moves.len(), 1, "a step is one move");
        moves.remove(0)
    }
}

/// Single operations, and what goes wrong in them.
type Way = (Vec<StepKey>, BTreeSet<ViolationId>);

/// Up to `most` ways on which single operations of the thread `by` lead from one state to another: a thread
/// that goes round in a loop can come there more than once.
fn ways(every: &mut Known<'_>, from: &[u8], by: u64, to: &[u8], most: usize) -> Vec<Way> {
    // Where operations end depends on what is known: with a new lesson the ways are other ones.
    loop {
        let n_lessons = every.n_lessons;
        let found = ways_as_known(every, from, by, to, most);
        if every.n_lessons == n_lessons {
            return found;
        }
    }
}

fn ways_as_known(every: &mut Known<'_>, from: &[u8], by: u64, to: &[u8], most: usize) -> Vec<Way> {
    let mut stack = vec![(from.to_vec(), Way::default())];
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    for _ in 0..MAX_OPERATIONS {
        let Some((state, way)) = stack.pop() else { break };
        if !way.0.is_empty() && state == to {
            found.push(way.clone());
            if found.len() == most {
                break;
            }
            seen.clear();
        }
        let (next, violations) = every.successors(&state);
        for (key, next) in next {
            if thread(key) == by && (next == to || seen.insert(next.clone())) {
                let (mut keys, mut wrong) = way.clone();
                keys.push(key);
                wrong.extend(violations.iter().filter(|one| one.key == Some(key)).map(Violation::id));
                stack.push((next, (keys, wrong)));
            }
        }
    }
    found
}

/// What goes wrong in a state, or in one of its steps.
fn ids(violations: &[Violation], key: Option<StepKey>) -> BTreeSet<ViolationId> {
    violations.iter().filter(|one| one.key == key).map(Violation::id).collect()
}

/// The net changes and the reads of a step.
#[derive(PartialEq, Eq, Debug)]
struct Facts<'a> {
    reads: BTreeSet<(&'a str, &'a str)>,
    changes: BTreeMap<&'a str, (Option<&'a str>, Option<&'a str>)>,
}

impl<'a> Facts<'a> {
    /// Of a step as it is shown.
    fn shown(step: &'a Move) -> Self {
        let reads = step.reads.iter().map(|read| (&*read.name, &*read.value));
        let changes = step.changes.iter().map(|one| (&*one.name, (one.from.as_deref(), one.to.as_deref())));
        let facts = Self { reads: reads.collect(), changes: changes.collect() };
        assert_eq!(facts.reads.len(), step.reads.len(), "a read is shown once: {step:#?}");
        assert_eq!(facts.changes.len(), step.changes.len(), "a change is shown once: {step:#?}");
        facts
    }

    /// Of single operations taken together.
    fn joined(operations: &'a [Move]) -> Self {
        // What was there when the step began.
        let mut first: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        let mut facts = Self { reads: BTreeSet::new(), changes: BTreeMap::new() };
        let mut seen = HashSet::new();
        for one in operations {
            for read in &one.reads {
                let value = Some(&*read.value);
                if seen.insert(&read.name) && *first.entry(&read.name).or_insert(value) == value {
                    facts.reads.insert((&read.name, &read.value));
                }
            }
            for change in &one.changes {
                let (from, to) = (change.from.as_deref(), change.to.as_deref());
                first.entry(&change.name).or_insert(from);
                facts.changes.entry(&change.name).or_insert((from, None)).1 = to;
            }
        }
        facts.changes.retain(|_, (from, to)| from != to);
        facts
    }
}

/// What was compared.
#[derive(Default, Debug)]
struct Compared {
    programs: usize,
    /// Programs that were passed over: their searches were too large.
    passed: usize,
    runs: usize,
    findings: usize,
    steps: usize,
    operations: usize,
    variables: usize,
    reads: usize,
    changes: usize,
    /// Values of reads and changes that a state shows too.
    in_states: usize,
    /// Values whose name means another object after the step.
    renamed: usize,
}

/// A program, with and without reductions, while a run is followed.
struct Pair<'a> {
    sources: &'a Path,
    reduced: Known<'a>,
    every: Known<'a>,
    name: String,
}

impl Pair<'_> {
    /// Takes a step in both programs; gives the state after it.
    fn step(&mut self, state: &[u8], key: StepKey, after: Vec<u8>, compared: &mut Compared) -> Vec<u8> {
        let (_, wrong) = self.reduced.successors(state);
        let step = &self.reduced.explain(state, key);
        let every = self.every.program;
        let wrong = ids(&wrong, Some(key));
        let mut differences = Vec::new();
        for most in [1, MAX_WAYS] {
            let ways = ways(&mut self.every, state, thread(key), &after, most);
            assert!(!ways.is_empty(), "{}: no operations do what {step:#?} does", self.name);
            differences.clear();
            for (keys, wrong_beside) in &ways {
                let lessons = &self.every.lessons;
                let operations = every.operations(lessons, state, keys).expect("they were taken before");
                let different = (wrong != *wrong_beside).then_some("violations");
                let different = different.or_else(|| self.difference(step, &operations));
                compared.operations += operations.len();
                differences.extend(different.map(|what| format!("{what} differ: {operations:#?}")));
            }
            if differences.len() < ways.len() {
                differences.clear();
                break;
            }
        }
        assert!(differences.is_empty(), "{}: {step:#?}\n{}", self.name, differences.join("\n"));
        let reduced = self.reduced.program;
        let (before, then) = (variables(reduced, state), variables(reduced, &after));
        assert_eq!(then, variables(every, &after), "{}", self.name);
        assert_eq!(reduced.processes(&after), every.processes(&after), "{}", self.name);
        let shown = Facts::shown(step);
        compare_with_states(&self.name, step, &shown, &before, &then, compared);
        compared.steps += 1;
        compared.variables += then.len();
        compared.reads += shown.reads.len();
        compared.changes += shown.changes.len();
        after
    }

    /// What of a step as it is shown differs from what its operations do.
    fn difference(&self, step: &Move, operations: &[Move]) -> Option<&'static str> {
        let (shown, real) = (Facts::shown(step), Facts::joined(operations));
        let output: String = operations.iter().map(|one| &*one.output).collect();
        let by = |one: &Move| (one.process, one.process_name.clone());
        let is_same = [
            ("reads", shown.reads == real.reads),
            ("changes", shown.changes == real.changes),
            ("outputs", output == step.output),
            (
                "started threads",
                operations.iter().filter_map(|one| one.started.as_ref()).eq(step.started.as_ref()),
            ),
            ("threads", operations.iter().all(|one| by(one) == by(step))),
            ("places", self.is_there(step, operations)),
        ];
        is_same.into_iter().find(|(_, is_same)| !is_same).map(|(what, _)| what)
    }

    /// Follows a run of given steps, or a random one.
    fn run(&mut self, given: Option<&[StepKey]>, draw: &mut SplitMix64, compared: &mut Compared) {
        let mut state = self.reduced.program.initial_vector().to_vec();
        assert_eq!(state, self.every.program.initial_vector(), "both programs begin in one state");
        compared.runs += 1;
        for idx in 0..given.map_or(MAX_STEPS, <[StepKey]>::len) {
            let (mut next, _) = self.reduced.successors(&state);
            if next.is_empty() {
                break;
            }
            let chosen = match given {
                Some(keys) => next.iter().position(|(key, _)| *key == keys[idx]).expect("the step is there"),
                None => draw.below(next.len()),
            };
            let (key, after) = next.swap_remove(chosen);
            state = self.step(&state, key, after, compared);
        }
        if given.is_some() {
            // The state at the end of a counterexample may be what is wrong.
            let (_, wrong) = self.reduced.successors(&state);
            let (_, beside) = self.every.successors(&state);
            assert_eq!(ids(&wrong, None), ids(&beside, None), "{}", self.name);
            compared.findings += 1;
        }
    }

    /// A step is shown at the place where it begins; one that begins in the class library, where it comes to
    /// the program's own code, or as the end of the thread.
    fn is_there(&self, step: &Move, operations: &[Move]) -> bool {
        let first = &operations[0];
        if first.location.as_ref().is_some_and(|at| self.sources.join(&*at.file).exists()) {
            return first.text == step.text && first.location == step.location;
        }
        let any = |is_same: &dyn Fn(&Move) -> bool| operations.iter().any(is_same);
        any(&|one| one.text == step.text) && any(&|one| one.location == step.location)
    }
}

/// What a step is said to read and change has the values that the states beside it show.
fn compare_with_states(
    name: &str,
    step: &Move,
    shown: &Facts<'_>,
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
    compared: &mut Compared,
) {
    let olds = shown.changes.iter().map(|(name, (from, _))| (*name, *from));
    let news = shown.changes.iter().map(|(name, (_, to))| (*name, *to));
    let reads = shown.reads.iter().map(|(name, value)| (*name, Some(*value)));
    // Objects are called by the way that leads to them: a change on the way gives them other names.
    let is_renamed = |name: &str| {
        let mut parts = shown.changes.keys().filter_map(|changed| name.strip_prefix(*changed));
        parts.any(|part| part.starts_with(['.', '[']))
    };
    let olds = olds.chain(reads).map(|fact| (fact, before));
    for ((variable, value), state) in olds.chain(news.map(|fact| (fact, after))) {
        let Some(real) = state.get(variable) else { continue };
        let is_new = value.is_some_and(|value| value.starts_with("new "));
        if is_renamed(variable) || is_new {
            compared.renamed += 1;
            continue;
        }
        assert_eq!(Some(&**real), value, "{name}: {variable} in {step:#?}");
        compared.in_states += 1;
    }
}

impl Compared {
    fn program(
        &mut self,
        reduced: &Program,
        every: &Program,
        sources: &Path,
        name: &str,
        draw: &mut SplitMix64,
        n_walks: usize,
    ) {
        let mut lessons = Lessons::new();
        let limits = Limits { states: Some(MAX_STATES), ..Limits::NONE };
        let config = Config { all_errors: true, limits, max_findings: MAX_FINDINGS, ..Config::new(1) };
        let found = refine(&config, Instant::now(), &mut lessons, &(), |config| {
            allways_search::search(reduced, Strategy::Dfs, &(), config)
        });
        if !matches!(found.end, End::Exhausted | End::Violated) {
            self.passed += 1;
            return;
        }
        let mut pair = Pair {
            sources,
            reduced: Known::new(reduced, lessons),
            every: Known::new(every, Lessons::new()),
            name: name.to_owned(),
        };
        for finding in &found.findings {
            pair.run(Some(&finding.path.steps), draw, self);
        }
        for _ in 0..n_walks {
            pair.run(None, draw, self);
        }
        self.programs += 1;
    }
}

/// Compares programs that were compiled to `directory`, each given as a main class with arguments and a seed.
fn compare(
    directory: &Path,
    sources: &Path,
    programs: impl Iterator<Item = (String, Vec<String>, u64)>,
    jdk_locks: bool,
    n_walks: usize,
) -> Compared {
    let options = Options { jdk_locks, ..Options::default() };
    let every = Options { every_access: true, until_conflict: false, ..options };
    let mut base: Option<Program> = None;
    let mut compared = Compared::default();
    for (main, args, seed) in programs {
        let base = base.get_or_insert_with(|| {
            let mut path = ClassPath::default();
            path.push(directory).expect("the directory is there");
            let sources = vec![sources.to_owned()];
            let setup = Setup { jdk: None, main: &main, args: &args, options, sources };
            Program::new(&setup, path).expect("the program loads")
        });
        // Both have the same class library, so that their states can be compared.
        let sibling = |options| base.sibling(&main, &args, options).expect("the program loads");
        let name = format!("{main} {}", args.join(" "));
        let mut draw = SplitMix64::new(seed);
        compared.program(&sibling(options), &sibling(every), sources, &name, &mut draw, n_walks);
    }
    println!("{}: {compared:?}", directory.file_name().expect("it has a name").display());
    compared
}

/// Compares the programs of these seeds.
fn compare_random(
    seeds: std::ops::Range<u64>,
    generate: fn(u64) -> Litmus,
    jdk_locks: bool,
    name: &str,
) -> Compared {
    let directory = compile::directory(name);
    let cases = Case::compile(seeds, generate, &directory);
    let programs = cases.iter().map(|case| (case.class(), Vec::new(), case.seed));
    compare(&directory, &directory, programs, jdk_locks, WALKS)
}

/// Random programs: how they are drawn, whether with the JDK's locks, and their directory.
type Kind = (fn(u64) -> Litmus, bool, &'static str);

#[test]
fn what_is_shown_is_what_single_operations_do() {
    let kinds: [Kind; 3] = [
        (generate, false, "shown"),
        (generate_wide, false, "shown-wide"),
        (generate_wide, true, "shown-jdk"),
    ];
    let mut n_findings = 0;
    for (generate, jdk_locks, name) in kinds {
        let compared = compare_random(0..8, generate, jdk_locks, name);
        n_findings += compared.findings;
        assert!(compared.programs >= 6, "{compared:?}");
        assert!(compared.operations > 5 * compared.steps && compared.reads > 50, "{compared:?}");
        assert!(compared.changes > 100 && compared.in_states > compared.renamed, "{compared:?}");
    }
    assert!(n_findings > 0, "some programs go wrong");
}

/// `SEEDS=from-to cargo test -p allways-java --test java -- --ignored many_programs_show --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_programs_show_what_single_operations_do() {
    compare_random(seeds(), generate, false, "shown-many");
    compare_random(seeds(), generate_wide, false, "shown-many-wide");
}

#[test]
fn examples_show_what_single_operations_do() {
    let directory = compile::directory("shown-examples");
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/java");
    compile::javac(&files(), &directory);
    let programs = SMALL.iter().zip(0..).map(|((run, _), seed)| {
        let mut words = run.split(' ').map(str::to_owned);
        (words.next().expect("it has a name"), words.collect(), seed)
    });
    let compared = compare(&directory, &sources, programs, false, 1);
    assert!(compared.programs > 20 && compared.findings > 8, "{compared:?}");
    assert!(compared.reads > 200 && compared.changes > 500, "{compared:?}");
}
