//! Limits and interrupts: bounded, with exit code 4 and everything counted so far.

use crate::models::{DEADLOCK, ENDLESS, TALK};
use crate::{Run, Sandbox, finish};
use std::process::Command;
use std::time::{Duration, Instant};

fn bounded(args: &[&str], says: &str) {
    let sandbox = Sandbox::with(ENDLESS);
    let run = sandbox.run(&[&["check", "x.pml"], args].concat());
    assert_eq!(run.code, 4, "{run:?}");
    let last = run.out.lines().last().unwrap();
    assert!(
        last.starts_with("bounded: x.pml: safety, no violation found, but ") && last.contains(says),
        "{last}"
    );
    assert!(run.out.contains("  states       ") && !run.out.contains("unreached"), "{}", run.out);
    assert_eq!(run.err, "");
}

#[test]
fn time() {
    let start = Instant::now();
    bounded(&["--time", "0.3"], "the time limit of 300 ms ended the search");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn memory() {
    bounded(&["--memory", "20M"], "the memory limit of 20.0 MiB ended the search");
}

#[test]
fn states() {
    bounded(&["--states", "1000"], "the limit of 1,000 states ended the search");
}

#[test]
fn depth() {
    bounded(&["--depth", "100", "--search", "bfs"], "paths were cut at the depth limit of 100");
    bounded(&["--depth", "20", "--search", "dfs"], "paths were cut at the depth limit of 20");
}

#[test]
fn a_limit_that_is_not_reached_does_not_matter() {
    let sandbox = Sandbox::with(TALK);
    let args =
        ["check", "x.pml", "--time", "600", "--memory", "4G", "--states", "100000", "--depth", "100000"];
    assert_eq!(sandbox.run(&args).code, 0);
}

#[test]
fn an_error_within_a_limit_is_an_error() {
    let sandbox = Sandbox::with(DEADLOCK);
    let run = sandbox.run(&["check", "x.pml", "--depth", "1"]);
    assert_eq!(run.code, 1, "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_what_was_found() {
    for signal in ["-INT", "-TERM"] {
        // On a busy machine the process may take a while until it listens.
        let mut runs = [500, 2000, 8000].into_iter().map(|ms| interrupted(signal, Duration::from_millis(ms)));
        let run = runs.find(|run| run.code == 4).expect("a search that was interrupted");
        assert!(run.out.ends_with("no violation found, but the search was interrupted\n"), "{}", run.out);
    }
}

#[cfg(unix)]
fn interrupted(signal: &str, delay: Duration) -> Run {
    let sandbox = Sandbox::with(ENDLESS);
    let child = sandbox.command(&["check", "x.pml", "--memory", "2G"]).spawn().unwrap();
    std::thread::sleep(delay);
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    finish(child)
}
