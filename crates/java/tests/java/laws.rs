//! The laws of models (`allways_testkit::laws`) hold of Java programs: of the examples, of programs that use
//! much of the machine, and of random ones.

use crate::{compile, examples};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::{Lessons, Refined};
use allways_search::{Config, End, Limits, Strategy};
use allways_testkit::random_java::{generate, generate_wide};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// States of each program that are looked at.
const N_STATES: usize = 40;

/// Random programs of each kind.
const N_RANDOM: u64 = 8;

/// Programs of `tests/concurrent` that use clocks, interrupts, class initialisers, locks, pools, lambdas,
/// exits.
const CONCURRENT: &[&str] = &[
    "ClassInitDeadlock",
    "ClassInitFails",
    "ClockDifference",
    "CompletableChain",
    "ConditionSlot",
    "ExchangerPair",
    "ExecutorFails",
    "ExitRace",
    "FinalByReflection",
    "HooksInAnyOrder",
    "InterruptWait",
    "LoaderLazy",
    "LoaderSpaces",
    "MapComputeOnce",
    "NotifyChooses",
    "ParkPermit",
    "StampedOptimistic",
];

/// Searches until no conflict is left to be found, so that the cursors of the program do not end a round;
/// gives what was learnt, if it came to that.
fn refine(program: &Program) -> Option<Lessons> {
    let limits = Limits { states: Some(3_000), ..Limits::NONE };
    let config = Config { all_errors: true, limits, ..Config::new(2) };
    let mut lessons = Lessons::new();
    let found = allways_search::refine(&config, Instant::now(), &mut lessons, &(), |config| {
        allways_search::search(program, Strategy::Dfs, &(), config)
    });
    (!matches!(found.end, End::Bounded(_))).then_some(lessons)
}

#[test]
fn the_laws_of_models_hold_of_java_programs() {
    let directory = compile::directory("laws");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = examples::files();
    files.push(tests.join("api/src/allways/Choose.java"));
    files.extend(CONCURRENT.iter().map(|name| tests.join(format!("tests/concurrent/{name}.java"))));
    let mut runs: Vec<String> = examples::SMALL.iter().map(|(run, _)| (*run).to_owned()).collect();
    runs.extend(CONCURRENT.iter().map(|name| (*name).to_owned()));
    let random = (0..N_RANDOM).flat_map(|seed| {
        [(format!("Litmus{seed}"), generate(seed)), (format!("Wide{seed}"), generate_wide(seed))]
    });
    for (name, program) in random {
        let file: PathBuf = directory.join(format!("{name}.java"));
        std::fs::write(&file, program.java(&name)).expect("the build's directory is writable");
        files.push(file);
        runs.push(name);
    }
    compile::javac(&files, &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let options = Options { keep_output: true, ..Options::default() };
    let setup = Setup { jdk: None, main: "Deadlock", args: &[], options, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let (mut n_checked, mut broken) = (0, Vec::new());
    for run in &runs {
        let mut words = run.split(' ').map(str::to_owned);
        let main = words.next().expect("a run names its class");
        let program = base.sibling(&main, &words.collect::<Vec<_>>(), options).expect("the program loads");
        let Some(lessons) = refine(&program) else { continue };
        n_checked += 1;
        if let Err(found) = allways_testkit::laws::check(&Refined::new(&program, &lessons), N_STATES) {
            let detail: String = found.detail.chars().take(2_000).collect();
            broken.push(format!("{run}: {}: {detail}", found.law));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(n_checked > 40, "only {n_checked} programs are small enough");
}
