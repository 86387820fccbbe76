//! Properties of random programs: what can be seen of the fields that a property names, and what formulas say
//! about runs, is the same with and without reduction.

use crate::compile;
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::{Lesson, Lessons, Model};
use allways_product::Product;
use allways_search::{Config, End, Expanded, Limits, Observer, StateRef, Steps, StoreKind, Strategy, refine};
use allways_testkit::random_java::{Program as Litmus, generate, generate_wide};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Searches are given up beyond so many states.
const MAX_STATES: u64 = 12_000;

/// Fields are looked at for these values.
const VALUES: std::ops::RangeInclusive<i32> = -1..=5;

/// The states and steps of a search.
#[derive(Default)]
struct Graph {
    states: Mutex<HashMap<StateRef, Vec<u8>>>,
    edges: Mutex<Vec<(StateRef, StateRef)>>,
}

impl Observer for Graph {
    fn state(&self, state: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.states.lock().expect("no panic").insert(state, vector.to_vec());
        ControlFlow::Continue(())
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
        self.edges.lock().expect("no panic").extend(steps.iter().map(|step| (from, step.to)));
        ControlFlow::Continue(())
    }

    fn round(&self, _: &Lesson) {
        self.states.lock().expect("no panic").clear();
        self.edges.lock().expect("no panic").clear();
    }
}

fn config() -> Config<'static> {
    let limits = Limits { states: Some(MAX_STATES), ..Limits::NONE };
    Config { store: StoreKind::Exact, all_errors: true, limits, ..Config::new(1) }
}

/// Which propositions hold in a state, a bit each.
type Letter = u64;

/// The letters of all states, and which follow each other.
type Letters = (BTreeSet<Letter>, BTreeSet<(Letter, Letter)>);

/// What can be seen of a program's states; `None` if there are too many.
fn letters(program: &Program, n_propositions: u32) -> Option<Letters> {
    let (mut lessons, graph) = (Lessons::new(), Graph::default());
    let found = refine(&config(), Instant::now(), &mut lessons, &graph, |config| {
        allways_search::search(program, Strategy::Dfs, &graph, config)
    });
    match found.end {
        End::Exhausted | End::Violated => {}
        End::Bounded(_) | End::Cut(_) => return None,
        End::Faulted(fault, _) => panic!("{}", fault.message),
        End::Refine => unreachable!("there is nothing more to learn"),
    }
    let mut cursor = program.cursor(&lessons);
    let states = graph.states.into_inner().expect("no panic");
    let letters: HashMap<StateRef, Letter> = states
        .iter()
        .map(|(&state, vector)| {
            cursor.load(vector);
            let holds = |n| u64::from(cursor.holds(n).expect("it has a value"));
            (state, (0..n_propositions).map(holds).enumerate().fold(0, |letter, (n, bit)| letter | bit << n))
        })
        .collect();
    let edges = graph.edges.into_inner().expect("no panic");
    let changes = edges.iter().map(|(from, to)| (letters[from], letters[to])).filter(|(a, b)| a != b);
    Some((letters.values().copied().collect(), changes.collect()))
}

/// Whether every run satisfies the formula; `None` if there are too many states.
fn holds(program: &mut Program, formula: &str) -> Option<bool> {
    let (tree, propositions) = program.set_formula(formula).expect("it is a formula");
    let claim = Arc::new(allways_ltl::violations(&tree, formula, &propositions).expect("it is small"));
    let product = Product::new(program, claim);
    let config = Config { all_errors: false, ..config() };
    let strategy = match product.acceptance() {
        allways_model::Acceptance::Nowhere => Strategy::Dfs,
        _ => Strategy::Scc,
    };
    let found = refine(&config, Instant::now(), &mut Lessons::new(), &(), |config| {
        allways_search::search(&product, strategy, &(), config)
    });
    // A program's own errors end a search too, and are no matter here.
    let kinds = [allways_model::ViolationKind::Claim, allways_model::ViolationKind::AcceptanceCycle];
    match found.findings.first() {
        Some(finding) if kinds.contains(&finding.violation.kind()) => Some(false),
        Some(_) => None,
        None => matches!(found.end, End::Exhausted).then_some(true),
    }
}

/// Some fields of a program, by the names that a property gives them.
fn fields(program: &Litmus, class: &str, seed: u64) -> Vec<String> {
    let mut names: Vec<String> =
        (0..program.places.len()).map(|place| format!("{class}.{}", program.place_name(place))).collect();
    names.extend((0..program.n_atomics).map(|idx| format!("{class}.atom{idx}.value")));
    names.extend((0..program.n_references).map(|idx| format!("{class}.ref{idx}.f0")));
    let n = names.len().max(1);
    names.rotate_left(seed as usize % n);
    names.truncate(1 + seed as usize % 3);
    names
}

fn compare(seeds: std::ops::Range<u64>, generate: fn(u64) -> Litmus, name: &str) {
    let directory = compile::directory(name);
    let programs: Vec<(u64, String, Litmus)> =
        seeds.map(|seed| (seed, format!("Seen{seed}"), generate(seed))).collect();
    let mut files =
        vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("api/src/allways/Choose.java")];
    for (_, class, program) in &programs {
        let file = directory.join(format!("{class}.java"));
        std::fs::write(&file, program.java(class)).expect("the build's directory is writable");
        files.push(file);
    }
    compile::javac(&files, &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let reduced = Options::default();
    let every = Options { every_access: true, until_conflict: false, ..reduced };
    let setup = Setup { jdk: None, main: &programs[0].1, args: &[], options: reduced, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let (mut n_letters, mut n_formulas, mut n_violated) = (0, 0, 0);
    for (seed, class, source) in &programs {
        let fields = fields(source, class, *seed);
        if fields.is_empty() {
            continue;
        }
        let conditions: Vec<String> =
            fields.iter().flat_map(|field| VALUES.map(move |value| format!("{field} == {value}"))).collect();
        let both = [reduced, every].map(|options| {
            let mut program = base.sibling(class, &[], options).expect("the program loads");
            let (_, names) = program.set_formula(&conditions.join(" && ")).expect("the fields are there");
            letters(&program, names.len() as u32)
        });
        if let [Some(few), Some(all)] = &both {
            n_letters += 1;
            assert!(
                few == all,
                "seed {seed}, {fields:?}: {few:?} instead of {all:?}\n{}",
                source.java(class)
            );
        }
        let (a, b) = (&fields[0], fields.last().expect("there is one"));
        let formulas = [
            format!("<> {a} == 1"),
            format!("[] ({a} == 1 -> <> {b} != 1)"),
            format!("{a} == 0 U ({b} == 1 || {b} == 2)"),
            format!("<> [] ({a} >= {b})"),
            format!("[] ({a} != 2 && {b} < 3)"),
        ];
        let formula = &formulas[*seed as usize % formulas.len()];
        let both = [reduced, every].map(|options| {
            let mut program = base.sibling(class, &[], options).expect("the program loads");
            holds(&mut program, formula)
        });
        if let [Some(one), Some(other)] = both {
            n_formulas += 1;
            n_violated += u32::from(!other);
            assert_eq!(one, other, "seed {seed}, {formula}\n{}", source.java(class));
        }
    }
    println!("{n_letters} programs, {n_formulas} formulas compared, {n_violated} of them violated");
    assert!(2 * n_letters > programs.len(), "only {n_letters} programs are small enough");
    assert!(n_violated > 0 && n_violated < n_formulas, "{n_violated} of {n_formulas} are violated");
}

#[test]
fn fields_take_the_values_that_they_take_without_reduction() {
    compare(0..25, generate, "seen");
}

#[test]
fn fields_of_wide_programs_take_the_values_that_they_take_without_reduction() {
    compare(0..25, generate_wide, "seen-wide");
}

/// `SEEDS=from-to cargo test --release -p allways-java --test java -- --ignored many_fields --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_fields_take_the_values_that_they_take_without_reduction() {
    compare(crate::litmus::seeds(), generate, "seen-many");
    compare(crate::litmus::seeds(), generate_wide, "seen-many-wide");
}
