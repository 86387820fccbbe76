//! The example programs: the correct version of each holds, and in the broken one the error that its header
//! tells of is found.

use crate::compile;
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::Lessons;
use allways_search::{Config, End, Outcome, StoreKind, Strategy, refine};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Small runs of all examples, and what is true of them.
pub(crate) const SMALL: &[(&str, &str)] = &[
    ("Deadlock", "deadlock"),
    ("LostUpdate", "assertion"),
    ("Handoff", "assertion"),
    ("Philosophers ok 3", "holds"),
    ("Philosophers broken 3", "deadlock"),
    ("BoundedBuffer ok 1 2 1 2", "holds"),
    ("BoundedBuffer broken 1 2 1 2", "deadlock"),
    ("BoundedBuffer broken 1 1 1 2", "holds"),
    ("Pipeline ok 1 2", "holds"),
    ("Pipeline broken 1 2", "assertion"),
    ("ListenerPipeline ok 1 1 2", "holds"),
    ("ListenerPipeline broken 1 1 2", "assertion"),
    ("NestedMonitor ok 1 2 1 1", "holds"),
    ("NestedMonitor broken 1 2 1 1", "deadlock"),
    ("ReadersWriters ok 1 2 1", "holds"),
    ("ReadersWriters broken 1 2 1", "assertion"),
    ("ReplicatedWorkers ok 2 3", "holds"),
    ("ReplicatedWorkers broken 2 3", "assertion"),
    ("SleepingBarber ok 1 2 1", "holds"),
    ("SleepingBarber ok 1 1 2", "holds"),
    ("SleepingBarber broken 1 2 1", "deadlock"),
    ("Elevator ok 3 2 1", "holds"),
    ("Elevator ok 3 1 2", "holds"),
    ("Elevator broken 3 2 1", "deadlock"),
    ("AccountTransfer ok 2 2", "holds"),
    ("AccountTransfer broken 2 2", "deadlock"),
    ("WorkerPool ok 1", "holds"),
    ("WorkerPool broken 1", "deadlock"),
    ("Turnstile ok 1 1", "holds"),
    ("Turnstile broken 1 1", "holds"),
];

/// The runs of which the examples' README gives the number of states.
const LARGE: &[(&str, &str)] = &[
    ("Philosophers ok 6 1", "holds"),
    ("Philosophers broken 6 1", "deadlock"),
    ("BoundedBuffer ok 2 2 2 4", "holds"),
    ("BoundedBuffer broken 1 2 2 4", "deadlock"),
    ("Pipeline ok 4 2", "holds"),
    ("Pipeline broken 4 2", "assertion"),
    ("ListenerPipeline ok 4 1 2", "holds"),
    ("ListenerPipeline broken 4 1 2", "assertion"),
    ("NestedMonitor ok 2 2 2 2", "holds"),
    ("NestedMonitor broken 2 2 2 2", "deadlock"),
    ("ReadersWriters ok 4 2 1", "holds"),
    ("ReadersWriters broken 4 2 1", "assertion"),
    ("ReplicatedWorkers ok 4 4", "holds"),
    ("ReplicatedWorkers broken 4 4", "assertion"),
    ("SleepingBarber ok 2 3 2", "holds"),
    ("SleepingBarber broken 2 3 2", "deadlock"),
    ("Elevator ok 3 3 2", "holds"),
    ("Elevator broken 3 3 2", "deadlock"),
    ("AccountTransfer ok 3 3", "holds"),
    ("AccountTransfer broken 3 3", "deadlock"),
];

/// Examples of several processes, which the tests of the command line run.
const OF_SEVERAL_PROCESSES: [&str; 2] = ["Election", "TwoPhaseCommit"];

/// What the last of the searches of a program comes to.
pub(crate) fn refined(program: &Program, config: &Config<'_>) -> Outcome {
    refine(config, Instant::now(), &mut Lessons::new(), &(), |config| {
        allways_search::search(program, Strategy::Dfs, &(), config)
    })
}

/// What a search with the usual settings says of a program, in one word, and how many states it took.
pub(crate) fn verdict(program: &Program) -> (String, u64) {
    let config = Config { store: StoreKind::Collapse, ..Config::new(2) };
    let found = refined(program, &config);
    let verdict = match (&found.end, found.findings.first()) {
        (_, Some(finding)) => finding.violation.kind().name().to_owned(),
        (End::Exhausted, None) => "holds".to_owned(),
        (end, None) => format!("{end:?}"),
    };
    (verdict, found.stats.states)
}

/// The source files of the examples.
pub(crate) fn files() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java");
    std::fs::read_dir(examples)
        .expect("the examples are there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "java"))
        .collect()
}

fn check(runs: &[(&str, &str)], name: &str) {
    let files = files();
    let directory = compile::directory(name);
    compile::javac(&files, &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let options = Options::default();
    let setup = Setup { jdk: None, main: "Deadlock", args: &[], options, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let mut wrong = Vec::new();
    for (run, expected) in runs {
        let mut words = run.split(' ').map(str::to_owned);
        let main = words.next().expect("a run names its class");
        let args: Vec<String> = words.collect();
        let program = base.sibling(&main, &args, options).expect("the program loads");
        let (found, states) = verdict(&program);
        println!("{run}: {found}, {states} states");
        if found != *expected {
            wrong.push(format!("{run}: {found} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for file in &files {
        let class = file.file_stem().expect("a name").to_string_lossy();
        let is_run = SMALL.iter().any(|(run, _)| run.split(' ').next() == Some(&class));
        let known = is_run || OF_SEVERAL_PROCESSES.contains(&class.as_ref());
        assert!(known, "{class} is an example that no test runs");
    }
}

#[test]
fn small_examples_are_right_or_broken_as_they_say() {
    check(SMALL, "examples");
}

/// `cargo test --release -p allways-java --test java -- --ignored large_examples --nocapture`
#[test]
#[ignore = "millions of states, minutes; small sizes are searched always"]
fn large_examples_are_right_or_broken_as_they_say() {
    check(LARGE, "examples-large");
}
