//! Random concurrent programs: every outcome that brute force finds, and no other, with and without
//! reduction, in every search and store.

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
        End::Bounded(_) | End::Cut(_) => return Searched::TooMany,
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

/// With threads asleep where they may be, the same states are visited, the same steps counted and the same
/// errors met as in a search that follows every step.
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

/// A way to search: strategy, store and number of workers.
type Way = (Strategy, StoreKind, usize);

/// Every way to search: all searches and stores, one worker and two.
fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    for strategy in [Strategy::Dfs, Strategy::Bfs] {
        for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
            ways.extend([(strategy, store, 1), (strategy, store, 2)]);
        }
    }
    ways
}

/// A program and its outcomes by brute force.
pub(crate) struct Case {
    pub(crate) seed: u64,
    source: Litmus,
    expected: BTreeSet<Outcome>,
}

impl Case {
    pub(crate) fn class(&self) -> String {
        format!("Litmus{}", self.seed)
    }

    /// The programs of these seeds that brute force can cope with, compiled into a directory.
    pub(crate) fn compile(
        seeds: std::ops::Range<u64>,
        generate: fn(u64) -> Litmus,
        directory: &std::path::Path,
    ) -> Vec<Self> {
        let cases: Vec<Self> = seeds
            .filter_map(|seed| {
                let source = generate(seed);
                source.outcomes().map(|expected| Self { seed, source, expected })
            })
            .collect();
        let mut files: Vec<_> = cases
            .iter()
            .map(|case| {
                let file = directory.join(format!("{}.java", case.class()));
                std::fs::write(&file, case.source.java(&case.class()))
                    .expect("the build's directory is writable");
                file
            })
            .collect();
        files.push(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("api/src/allways/Choose.java"));
        compile::javac(&files, directory);
        cases
    }
}

/// A search whose outcomes are not those of brute force.
struct Difference<'a> {
    case: &'a Case,
    how: String,
    found: BTreeSet<Outcome>,
}

/// What the comparison of many programs came to.
#[derive(Default)]
struct Comparison<'a> {
    /// States of the searches with reduction and without.
    n_reduced: u64,
    n_every: u64,
    /// Programs that were too large, that were compared without reduction too, and on the JDK's locks.
    n_large: usize,
    n_compared: usize,
    n_jdk: usize,
    bad: Vec<Difference<'a>>,
}

impl<'a> Comparison<'a> {
    fn check(&mut self, case: &'a Case, how: impl Into<String>, found: BTreeSet<Outcome>) -> bool {
        let is_same = found == case.expected;
        if !is_same {
            self.bad.push(Difference { case, how: how.into(), found });
        }
        is_same
    }

    /// With reduction. All ways take long: each program goes two of them, and each way is gone by many.
    fn with_reduction(&mut self, case: &'a Case, program: &Program, ways: &[Way]) {
        for k in 0..if is_quick() { 1 } else { 2 } {
            let (strategy, store, workers) = ways[(case.seed as usize * 2 + k) % ways.len()];
            let most = if is_quick() { 8_000 } else { MAX_STATES };
            match outcomes(program, strategy, store, workers, most) {
                Searched::All(found, states) => {
                    self.n_reduced += states;
                    self.check(case, format!("{} {store:?} {workers}", strategy.name()), found);
                }
                Searched::TooMany => {
                    self.n_large += 1;
                    println!("seed {} is too large", case.seed);
                    break;
                }
                Searched::Unsupported(what) => panic!("{}: {what}", case.class()),
            }
        }
    }

    fn on_jdk_locks(&mut self, case: &'a Case, program: &Program, ways: &[Way]) {
        let (strategy, store, workers) = ways[(case.seed as usize + 3) % ways.len()];
        match outcomes(program, strategy, store, workers, MAX_STATES) {
            Searched::All(found, _) => {
                self.n_jdk += usize::from(self.check(case, "the JDK's locks", found));
            }
            Searched::TooMany => println!("seed {} is too large on the JDK's locks", case.seed),
            Searched::Unsupported(what) => panic!("{} on the JDK's locks: {what}", case.class()),
        }
    }

    /// Without any reduction the class library takes part, and some programs have too many states.
    fn without_reduction(&mut self, case: &'a Case, program: &Program, ways: &[Way]) {
        let (strategy, store, workers) = ways[(case.seed as usize + 5) % ways.len()];
        let most = if is_quick() { 6_000 } else { MAX_STATES };
        if let Searched::All(found, states) = outcomes(program, strategy, store, workers, most) {
            self.n_compared += 1;
            self.n_every += 2 * states;
            self.check(case, "every access", found);
        }
    }

    /// Prints the figures and fails on the first difference.
    fn finish(&self, n_programs: usize) {
        let Self { n_reduced, n_every, n_large, n_compared, n_jdk, bad } = self;
        println!(
            "{} programs with {} states, {n_large} others too large; {n_compared} compared without reduction too, with {} states; {n_jdk} on the JDK's locks",
            n_programs - n_large,
            n_reduced / 2,
            n_every / 2
        );
        assert!(10 * n_large <= n_programs, "{n_large} programs are too large");
        for Difference { case, how, .. } in bad {
            println!("seed {} differs: {how}", case.seed);
        }
        if let Some(Difference { case, how, found }) = bad.first() {
            panic!(
                "{} of {n_programs} programs differ; seed {}, {how}:\n{}\nmissing: {:?}\nwrong: {:?}",
                bad.len(),
                case.seed,
                case.source.java(&case.class()),
                case.expected.difference(found).collect::<Vec<_>>(),
                found.difference(&case.expected).collect::<Vec<_>>()
            );
        }
    }
}

fn compare(seeds: std::ops::Range<u64>, generate: fn(u64) -> Litmus, name: &str) {
    let directory = compile::directory(name);
    let cases = Case::compile(seeds, generate, &directory);
    let reduced = Options { keep_output: true, ..Options::default() };
    let every = Options { every_access: true, until_conflict: false, ..reduced };
    let jdk = Options { jdk_locks: true, ..reduced };
    let first = cases[0].class();
    let load = |options: Options| {
        let mut path = ClassPath::default();
        path.push(&directory).expect("the directory is there");
        let setup = Setup { jdk: None, main: &first, args: &[], options, sources: Vec::new() };
        Program::new(&setup, path).expect("the program loads")
    };
    let (base, jdk_base) = (load(reduced), load(jdk));
    let mut ways = ways();
    if is_quick() {
        ways.retain(|way| way.1 == StoreKind::Exact && way.2 == 1);
    }
    let mut comparison = Comparison::default();
    for case in &cases {
        let class = case.class();
        if std::env::var_os("VERBOSE").is_some() {
            eprintln!("{class}, {} outcomes in brute force", case.expected.len());
        }
        let sibling =
            |base: &Program, options| base.sibling(&class, &[], options).expect("the program loads");
        comparison.with_reduction(case, &sibling(&base, reduced), &ways);
        if !case.source.locks.is_empty() {
            comparison.on_jdk_locks(case, &sibling(&jdk_base, jdk), &ways);
        }
        comparison.without_reduction(case, &sibling(&base, every), &ways);
    }
    comparison.finish(cases.len());
}

/// Seeds that are always compared; `cargo xtask soak` compares 1,200 of each kind.
const N_ALWAYS: u64 = 16;

#[test]
fn outcomes_are_those_of_brute_force() {
    compare(0..N_ALWAYS, generate, "litmus");
}

#[test]
fn outcomes_of_wide_programs_are_those_of_brute_force() {
    compare(0..N_ALWAYS, generate_wide, "litmus-wide");
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
