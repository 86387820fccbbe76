//! The same program gives the same bytes: whatever was searched before on the same class library, with any number of workers, and in another process.

use crate::{compile, examples};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{Config, End, Limits, Observer, StateRef, Strategy};
use allways_testkit::states::StateSet;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

/// Programs beyond this many states are not compared.
const MAX_STATES: u64 = 3_000;

#[derive(Default)]
struct States(StateSet);

impl Observer for States {
    fn open(&self, _: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.add(vector);
        ControlFlow::Continue(())
    }
}

/// All that must be the same of an exhausted search; `None` if there are too many states.
fn fingerprint(program: &Program, strategy: Strategy, workers: usize) -> Option<String> {
    let limits = Limits { states: Some(MAX_STATES), ..Limits::NONE };
    let config = Config { all_errors: true, limits, max_findings: usize::MAX, ..Config::new(workers) };
    loop {
        let states = States::default();
        let found = allways_search::search(program, strategy, &states, &config);
        if program.must_begin_again() {
            continue;
        }
        match &found.end {
            End::Bounded(_) => return None,
            End::Faulted(fault, _) => return Some(format!("unsupported: {}", fault.message)),
            End::Exhausted | End::Violated => {}
        }
        let errors: BTreeSet<String> =
            found.findings.iter().map(|finding| finding.violation.message.to_string()).collect();
        let (states, stats) = (states.0.digest(), found.stats);
        return Some(format!(
            "{} states, {} transitions, {states:x}, {errors:?}, {:?}",
            stats.states,
            stats.transitions,
            program.racy()
        ));
    }
}

/// The fingerprints of all small examples, in the order of the table.
fn fingerprints(directory: &Path, is_backwards: bool, strategy: Strategy, workers: usize) -> Vec<String> {
    let mut path = ClassPath::default();
    path.push(directory).expect("the directory is there");
    let options = Options::default();
    let setup = Setup { jdk: None, main: "Deadlock", args: &[], options, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let mut runs: Vec<&str> = examples::SMALL.iter().map(|(run, _)| *run).collect();
    if is_backwards {
        runs.reverse();
    }
    let mut found: Vec<String> = runs
        .iter()
        .map(|run| {
            let mut words = run.split(' ').map(str::to_owned);
            let main = words.next().expect("a run names its class");
            let program = base.sibling(&main, &words.collect::<Vec<_>>(), options).expect("the program loads");
            let found = fingerprint(&program, strategy, workers).unwrap_or_else(|| "too many".into());
            format!("{run}: {found}")
        })
        .collect();
    if is_backwards {
        found.reverse();
    }
    found
}

/// In another process: the examples are searched backwards and breadth first, so that everything is loaded in another order.
const DIRECTORY: &str = "ALLWAYS_SAME_DIRECTORY";
const MARK: &str = "fingerprint of ";

#[test]
#[ignore = "a part of the next test, which runs it in a process of its own"]
fn same_in_this_process() {
    let directory = std::env::var_os(DIRECTORY).expect("the other test says where the classes are");
    for line in fingerprints(Path::new(&directory), true, Strategy::Bfs, 1) {
        println!("{MARK}{line}");
    }
}

#[test]
fn the_same_bytes_in_any_order_with_any_workers_in_any_process() {
    let directory = compile::directory("same");
    compile::javac(&examples::files(), &directory);
    let expected = fingerprints(&directory, false, Strategy::Dfs, 1);
    for line in &expected {
        println!("{line}");
    }
    assert_eq!(expected, fingerprints(&directory, true, Strategy::Dfs, 2), "backwards, with two workers");
    let child = Command::new(std::env::current_exe().expect("the test has a name"))
        .args(["--exact", "same::same_in_this_process", "--ignored", "--nocapture"])
        .env(DIRECTORY, &directory)
        .output()
        .expect("the test can be run again");
    let output = String::from_utf8_lossy(&child.stdout);
    let found: Vec<&str> = output.lines().filter_map(|line| Some(line.split_once(MARK)?.1)).collect();
    assert_eq!(expected, found, "in another process");
}
