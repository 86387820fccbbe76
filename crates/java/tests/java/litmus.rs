//! Random concurrent programs: every outcome that brute force finds, and no other, with and without reduction, in every search and
//! store.

use crate::compile;
use allways_java::end::end_of;
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::{Batch, Lesson, Lessons, Model, Refined, ViolationKind};
use allways_search::{Config, End, Expanded, Limits, Observer, StateRef, Steps, StoreKind, Strategy, refine};
use allways_testkit::random_java::{Kind, Outcome, Program as Litmus, generate, generate_wide};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

/// The states from which nothing was seen to lead on.
#[derive(Default)]
struct Ends(Mutex<HashMap<StateRef, Vec<u8>>>);

impl Observer for Ends {
    fn state(&self, state: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.lock().expect("no panic").insert(state, vector.to_vec());
        ControlFlow::Continue(())
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
        if !steps.is_empty() {
            self.0.lock().expect("no panic").remove(&from);
        }
        ControlFlow::Continue(())
    }

    fn round(&self, _: &Lesson) {
        self.0.lock().expect("no panic").clear();
    }
}

/// Searches of these programs are given up beyond so many states.
const MAX_STATES: u64 = 60_000;

/// Searches with fewer states are made twice, the second time with threads asleep.
const MAX_STATES_TWICE: u64 = 10_000;

/// `QUICK=1` goes one way a program, with the simplest store, and gives up sooner: for many programs.
fn is_quick() -> bool {
    std::env::var_os("QUICK").is_some()
}

/// What a search came to.
pub(crate) enum Searched {
    /// All outcomes, and the number of states.
    All(BTreeSet<Outcome>, u64),
    /// It was given up.
    TooMany,
    /// Something is not supported.
    Unsupported(String),
}

/// All outcomes of a program.
pub(crate) fn outcomes(
    program: &Program,
    strategy: Strategy,
    store: StoreKind,
    workers: usize,
    most: u64,
) -> Searched {
    let limits = Limits { states: Some(most), ..Limits::NONE };
    let config = Config { store, all_errors: true, limits, ..Config::new(workers) };
    let (mut lessons, ends) = (Lessons::new(), Ends::default());
    let found = refine(&config, Instant::now(), &mut lessons, &ends, |config| {
        allways_search::search(program, strategy, &ends, config)
    });
    let config = Config { lessons: &lessons, ..config };
    match &found.end {
        End::Exhausted | End::Violated => {}
        End::Faulted(fault, _) => return Searched::Unsupported(fault.message.clone()),
        End::Bounded(_) => return Searched::TooMany,
        End::Refine => unreachable!("there is nothing more to learn"),
    }
    if found.stats.states <= MAX_STATES_TWICE
        && let Err(lost) = sleepers_lose_nothing(program, strategy, &config, &found)
    {
        return Searched::Unsupported(lost);
    }
    let mut cursor = program.cursor(&lessons);
    let mut batch = Batch::new();
    let ends = ends.0.into_inner().expect("no panic");
    let outcomes = ends.values().filter_map(|state| {
        batch.clear();
        cursor.load(state);
        cursor.expand(&mut batch).expect("it was expanded before");
        let stuck = batch.violations().iter().any(|violation| violation.kind() == ViolationKind::Deadlock);
        let end = end_of(state);
        let kind = match end.died {
            Some(ViolationKind::Assertion) => Kind::Assertion,
            Some(_) => Kind::Exception,
            None if stuck => Kind::Deadlock,
            None if end.ended.is_some() => Kind::Exit,
            None => return None,
        };
        Some(Outcome { kind, output: end.output })
    });
    Searched::All(outcomes.collect(), found.stats.states)
}

/// With threads asleep where they may be, the same states are visited, the same steps counted and the same errors met as in a search that follows every step.
fn sleepers_lose_nothing(
    program: &Program,
    strategy: Strategy,
    config: &Config<'_>,
    every: &allways_search::Outcome,
) -> Result<(), String> {
    let found = allways_search::search(program, strategy, &(), &Config { sleep: true, ..*config });
    let figures = |outcome: &allways_search::Outcome| {
        let stats = &outcome.stats;
        (stats.states, stats.transitions, stats.errors)
    };
    if figures(&found) != figures(every) {
        return Err(format!("with sleepers {:?} instead of {:?}", figures(&found), figures(every)));
    }
    // Breadth first, distances stay: so does what is nearer than a limit.
    let near = |sleep| {
        let limits = Limits { depth: Some(6), ..config.limits };
        let found = allways_search::search(program, Strategy::Bfs, &(), &Config { sleep, limits, ..*config });
        (figures(&found), format!("{:?}", found.end))
    };
    if near(true) != near(false) {
        return Err(format!(
            "near the beginning {:?} with sleepers instead of {:?}",
            near(true),
            near(false)
        ));
    }
    match allways_testkit::laws::check_sleepers(&Refined::new(program, config.lessons), 40) {
        Ok(_) => Ok(()),
        Err(broken) => Err(format!("{}: {}", broken.law, broken.detail)),
    }
}

/// Every way to search: all searches and stores, one worker and two.
fn ways() -> Vec<(Strategy, StoreKind, usize)> {
    let mut ways = Vec::new();
    for strategy in [Strategy::Dfs, Strategy::Bfs] {
        for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
            ways.extend([(strategy, store, 1), (strategy, store, 2)]);
        }
    }
    ways
}

fn compare(seeds: std::ops::Range<u64>, generate: fn(u64) -> Litmus, name: &str) {
    let directory = compile::directory(name);
    let mut programs = Vec::new();
    for seed in seeds {
        let program = generate(seed);
        if let Some(expected) = program.outcomes() {
            programs.push((seed, program, expected));
        }
    }
    let mut files: Vec<_> = programs
        .iter()
        .map(|(seed, program, _)| {
            let class = format!("Litmus{seed}");
            let file = directory.join(format!("{class}.java"));
            std::fs::write(&file, program.java(&class)).expect("the build's directory is writable");
            file
        })
        .collect();
    files.push(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("api/src/allways/Choose.java"));
    compile::javac(&files, &directory);
    let reduced = Options { keep_output: true, ..Options::default() };
    let every = Options { every_access: true, until_conflict: false, ..reduced };
    let simple = Options { simple_locks: true, ..reduced };
    let first = format!("Litmus{}", programs[0].0);
    let load = |options: Options| {
        let mut path = ClassPath::default();
        path.push(&directory).expect("the directory is there");
        let setup = Setup { jdk: None, main: &first, args: &[], options, sources: Vec::new() };
        Program::new(&setup, path).expect("the program loads")
    };
    let (base, simple_base) = (load(reduced), load(simple));
    let (mut n_reduced, mut n_every, mut n_compared, mut n_large, mut n_simple) = (0, 0, 0, 0, 0);
    let mut bad = Vec::new();
    for (seed, source, expected) in &programs {
        let class = format!("Litmus{seed}");
        if std::env::var_os("VERBOSE").is_some() {
            eprintln!(
                "{class}, {} states in brute force",
                source.outcomes().map_or(0, |outcomes| outcomes.len())
            );
        }
        let program = base.sibling(&class, &[], reduced).expect("the program loads");
        let mut all = ways();
        if is_quick() {
            all.retain(|way| way.1 == StoreKind::Exact && way.2 == 1);
        }
        // All ways take long: each program goes two of them, and each way is gone by many.
        for k in 0..if is_quick() { 1 } else { 2 } {
            let (strategy, store, workers) = all[(*seed as usize * 2 + k) % all.len()];
            let most = if is_quick() { 8_000 } else { MAX_STATES };
            let (found, states) = match outcomes(&program, strategy, store, workers, most) {
                Searched::All(found, states) => (found, states),
                Searched::TooMany => {
                    n_large += 1;
                    println!("seed {seed} is too large");
                    break;
                }
                Searched::Unsupported(what) => panic!("{class}: {what}"),
            };
            n_reduced += states;
            if found != *expected {
                bad.push((
                    *seed,
                    format!("{} {store:?} {workers}", strategy.name()),
                    found,
                    expected.clone(),
                    source.java(&class),
                ));
            }
        }
        if !source.locks.is_empty() {
            let program = simple_base.sibling(&class, &[], simple).expect("the program loads");
            let (strategy, store, workers) = all[(*seed as usize + 3) % all.len()];
            match outcomes(&program, strategy, store, workers, MAX_STATES) {
                Searched::All(found, _) if found == *expected => n_simple += 1,
                Searched::All(found, _) => {
                    bad.push((*seed, "simple locks".into(), found, expected.clone(), source.java(&class)));
                }
                Searched::TooMany => println!("seed {seed} is too large on simple locks"),
                Searched::Unsupported(what) => panic!("{class} on simple locks: {what}"),
            }
        }
        let program = base.sibling(&class, &[], every).expect("the program loads");
        let (strategy, store, workers) = all[(*seed as usize + 5) % all.len()];
        // Without any reduction the class library takes part, and some programs have too many states.
        let most = if is_quick() { 6_000 } else { MAX_STATES };
        let Searched::All(found, states) = outcomes(&program, strategy, store, workers, most) else {
            continue;
        };
        n_compared += 1;
        n_every += 2 * states;
        if found != *expected {
            bad.push((*seed, "every access".into(), found, expected.clone(), source.java(&class)));
        }
    }
    println!(
        "{} programs with {} states, {n_large} others too large; {n_compared} compared without reduction too, with {} states; {n_simple} on simple locks",
        programs.len() - n_large,
        n_reduced / 2,
        n_every / 2
    );
    assert!(10 * n_large <= programs.len(), "{n_large} programs are too large");
    for (seed, how, ..) in &bad {
        println!("seed {seed} differs: {how}");
    }
    if let Some((seed, how, found, expected, source)) = bad.first() {
        panic!(
            "{} of {} programs differ; seed {seed}, {how}:\n{source}\nmissing: {:?}\nwrong: {:?}",
            bad.len(),
            programs.len(),
            expected.difference(found).collect::<Vec<_>>(),
            found.difference(expected).collect::<Vec<_>>()
        );
    }
}

#[test]
fn outcomes_are_those_of_brute_force() {
    compare(0..30, generate, "litmus");
}

#[test]
fn outcomes_of_wide_programs_are_those_of_brute_force() {
    compare(0..30, generate_wide, "litmus-wide");
}

/// `SEEDS=from-to cargo test --release -p allways-java --test java -- --ignored many_outcomes --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_outcomes_are_those_of_brute_force() {
    compare(seeds(), generate, "litmus-many");
}

/// As [`many_outcomes_are_those_of_brute_force`], for `many_wide`.
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_wide_programs_have_the_outcomes_of_brute_force() {
    compare(seeds(), generate_wide, "litmus-many-wide");
}

pub(crate) fn seeds() -> std::ops::Range<u64> {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-1200".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS is FROM-TO");
    from.parse().expect("a number")..to.parse().expect("a number")
}
