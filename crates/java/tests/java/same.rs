//! The same program gives the same bytes: whatever was searched before on the same class library, with any
//! number of workers, and in another process.

use crate::{compile, examples};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::Lessons;
use allways_search::{Config, End, Limits, Observer, StateRef, Strategy};
use allways_testkit::states::StateSet;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Programs beyond this many states are not compared.
const MAX_STATES: u64 = 3_000;
const TOO_MANY: &str = "too many states";

#[derive(Default)]
struct States(StateSet);

impl Observer for States {
    fn state(&self, _: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.add(vector);
        ControlFlow::Continue(())
    }
}

/// How programs are searched.
#[derive(Clone, Copy)]
struct How<'a> {
    is_backwards: bool,
    strategy: Strategy,
    workers: usize,
    /// What is known of conflicts beforehand, program by program: then there must be no more to find. Which
    /// are found, and with that how steps are cut, may depend on how the workers get on.
    known: Option<&'a [Same]>,
}

/// All that must be the same of a search.
#[derive(Debug, PartialEq, Eq)]
struct Same {
    run: String,
    /// Counts, a digest of the states, the errors; or why there are none.
    found: String,
    conflicts: Vec<String>,
}

/// Searches a program through.
fn search(program: &Program, how: How<'_>, lessons: &mut Lessons) -> String {
    let limits = Limits { states: Some(MAX_STATES), ..Limits::NONE };
    let config = Config { all_errors: true, limits, max_findings: usize::MAX, ..Config::new(how.workers) };
    let mut states = States::default();
    let found = allways_search::refine(&config, Instant::now(), lessons, &(), |config| {
        states = States::default();
        allways_search::search(program, how.strategy, &states, config)
    });
    match &found.end {
        End::Bounded(_) | End::Cut(_) => return TOO_MANY.into(),
        End::Faulted(fault, _) => return format!("unsupported: {}", fault.message),
        End::Exhausted | End::Violated | End::Refine => {}
    }
    let errors: BTreeSet<_> =
        found.findings.iter().map(|finding| finding.violation.id().to_string()).collect();
    let (digest, stats) = (states.0.digest(), found.stats);
    format!("{} states, {} transitions, {digest:x}, {errors:?}", stats.states, stats.transitions)
}

/// Programs of `tests/concurrent` with class loaders of their own.
const LOADERS: [&str; 3] = ["LoaderLazy", "LoaderSpaces", "LoaderTwice"];

/// All small examples, and these.
fn runs() -> Vec<&'static str> {
    examples::SMALL.iter().map(|&(run, _)| run).chain(LOADERS).collect()
}

/// Searches all small examples on one class library; gives what was found in the order of the table.
fn search_all(directory: &Path, how: How<'_>) -> Vec<Same> {
    let mut path = ClassPath::default();
    path.push(directory).expect("the directory is there");
    let options = Options::default();
    let setup = Setup { jdk: None, main: "Deadlock", args: &[], options, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let one = |(idx, run): (usize, &str)| {
        let mut words = run.split(' ').map(str::to_owned);
        let main = words.next().expect("a run names its class");
        let program = base.sibling(&main, &words.collect::<Vec<_>>(), options).expect("the program loads");
        let mut lessons = how.known.map_or_else(Lessons::new, |known| {
            known[idx].conflicts.join("\n").parse().expect("another search gave them")
        });
        let found = search(&program, how, &mut lessons);
        let lessons = lessons.to_string();
        let conflicts = lessons.lines().filter(|_| found != TOO_MANY).map(str::to_owned).collect();
        Same { run: run.to_owned(), found, conflicts }
    };
    let runs = runs().into_iter().enumerate();
    if !how.is_backwards {
        return runs.map(one).collect();
    }
    let mut found: Vec<Same> = runs.rev().map(one).collect();
    found.reverse();
    found
}

/// Where another process finds the classes.
const DIRECTORY: &str = "ALLWAYS_SAME_DIRECTORY";
const MARK: &str = "what was found: ";

#[test]
#[ignore = "a part of the next test, which runs it in a process of its own"]
fn same_in_this_process() {
    let directory = std::env::var_os(DIRECTORY).expect("the other test says where the classes are");
    let how = How { is_backwards: true, strategy: Strategy::Dfs, workers: 1, known: None };
    for same in search_all(Path::new(&directory), how) {
        println!("{MARK}{same:?}");
    }
}

#[test]
fn the_same_bytes_in_any_order_with_any_workers_in_any_process() {
    let directory = compile::directory("same");
    let mut files = examples::files();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/concurrent");
    files.extend(LOADERS.iter().map(|name| tests.join(format!("{name}.java"))));
    compile::javac(&files, &directory);
    let first = How { is_backwards: false, strategy: Strategy::Dfs, workers: 1, known: None };
    let expected = search_all(&directory, first);
    for (strategy, workers) in [(Strategy::Dfs, 2), (Strategy::Bfs, 1)] {
        let other = How { is_backwards: true, strategy, workers, known: Some(&expected) };
        for (one, other) in expected.iter().zip(search_all(&directory, other)) {
            assert_eq!(*one, other, "{} with {workers} workers", strategy.name());
        }
    }
    let child = Command::new(std::env::current_exe().expect("the test has a name"))
        .args(["--exact", "same::same_in_this_process", "--ignored", "--nocapture"])
        .env(DIRECTORY, &directory)
        .output()
        .expect("the test can be run again");
    let output = String::from_utf8_lossy(&child.stdout);
    let found: Vec<&str> = output.lines().filter_map(|line| Some(line.split_once(MARK)?.1)).collect();
    assert_eq!(found.len(), expected.len(), "the other process comes to its end");
    for (one, other) in expected.iter().zip(found) {
        assert_eq!(format!("{one:?}"), other, "in another process");
    }
}
