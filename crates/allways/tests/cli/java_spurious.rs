//! Spurious wake-ups of Java programs: `--spurious`, and the waits that are named without it.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled};

const SOURCE: &str = include_str!("programs/Spurious.java");

/// Waits that test their condition once.
const ONCE: [(&str, &str); 4] = [
    ("park", "LockSupport.park"),
    ("wait", "Object.wait"),
    ("rounds", "Object.wait"),
    ("await", "Condition.await"),
];

#[test]
fn a_wait_that_is_not_in_a_loop_is_named_and_its_error_is_found() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Spurious", SOURCE);
    for (mode, method) in ONCE {
        for locks in ["--jdk-locks", "--simple-locks"] {
            let args = |n| ["check", "-cp", &path, locks, "--spurious", n, "Spurious", "--", mode];
            let holds = sandbox.run(&args("0"));
            assert_eq!(holds.code, 0, "{mode} {locks}: {holds:?}");
            let line = SOURCE.lines().position(|line| line.contains(&format!("case \"{mode}\" ->"))).unwrap();
            assert_has(
                &holds.out,
                &[&format!("{method} at Spurious.java:"), "not in a loop", "--spurious 1"],
            );
            let named = holds.out.split(&format!("{method} at Spurious.java:")).nth(1).unwrap();
            let named: usize = named.split(' ').next().unwrap().parse().unwrap();
            assert!((line + 1..line + 7).contains(&named), "{mode}: line {named}");
            let found = sandbox.run(&args("1"));
            assert_eq!(found.code, 1, "{mode} {locks}: {found:?}");
            assert_has(&found.out, &["(wakes up spuriously", "too early", "up to 1 spurious wake-up"]);
            assert!(!found.out.contains("not in a loop"), "{mode}: {found:?}");
        }
    }
}

#[test]
fn a_timed_wait_may_end_early_without_a_reason() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Spurious", SOURCE);
    for mode in ["await-nanos", "await-time"] {
        let args = |n| ["check", "-cp", &path, "--spurious", n, "Spurious", "--", mode];
        let holds = sandbox.run(&args("0"));
        assert!(holds.code == 0 && !holds.out.contains("not in a loop"), "{mode}: {holds:?}");
        assert_eq!(sandbox.run(&args("1")).code, 1, "{mode}");
    }
    let args = ["check", "-cp", &path, "--jdk-locks", "--spurious", "1", "Spurious", "--", "await-nanos"];
    assert_eq!(sandbox.run(&args).code, 1);
}

#[test]
fn loops_hold_with_spurious_wake_ups_and_have_more_states() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Spurious", SOURCE);
    let states = |mode: &str, n: &str, more: &[&str]| {
        let args = ["check", "-cp", &path, "--json", "--spurious", n, "Spurious"];
        let run = sandbox.run(&[&args[..], more, &["--", mode]].concat());
        assert!(run.code == 0 && !run.out.contains("not in a loop"), "{mode} {n}: {run:?}");
        let states = run.out.split("\"states\": ").nth(1).unwrap();
        states.split(',').next().unwrap().parse::<u64>().unwrap()
    };
    for mode in ["park-loop", "wait-loop"] {
        assert!(states(mode, "0", &[]) < states(mode, "1", &[]), "{mode}");
        assert!(states(mode, "1", &[]) < states(mode, "2", &[]), "{mode}");
    }
    assert!(states("await-loop", "0", &["--jdk-locks"]) < states("await-loop", "1", &["--jdk-locks"]));
    assert!(states("await-loop", "0", &[]) < states("await-loop", "1", &[]));
}

#[test]
fn a_thread_that_only_a_spurious_wake_up_can_help_is_stuck() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Spurious", SOURCE);
    let args = ["--spurious", "1", "-cp", &path, "Spurious", "--", "never"];
    let check = sandbox.run(&[&["check"], &args[..]].concat());
    assert_eq!(check.code, 1);
    assert_has(&check.out, &["deadlock: waiter waits to be notified on Spurious.M"]);
    let replay = sandbox.run(&["replay", "Spurious.trace"]);
    assert!(replay.code == 0 && replay.out.contains("deadlock"), "{replay:?}");
    let outcomes = sandbox.run(&[&["outcomes"], &args[..]].concat());
    assert_eq!(outcomes.code, 0);
    assert_has(&outcomes.out, &["deadlock", "exit 0", "2 outcomes; there are no others"]);
}

#[test]
fn a_spurious_wake_up_is_replayed_and_certified() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Spurious", SOURCE);
    let check = ["check", "-cp", &path, "--spurious", "1", "Spurious", "--", "wait"];
    assert_eq!(sandbox.run(&check).code, 1);
    let replay = sandbox.run(&["replay", "Spurious.trace"]);
    assert_eq!(replay.code, 0, "{replay:?}");
    assert_has(&replay.out, &["wakes up spuriously", "too early"]);
    let args =
        ["check", "-cp", &path, "--spurious", "1", "--certificate", "c", "Spurious", "--", "wait-loop"];
    assert_eq!(sandbox.run(&args).code, 0);
    let args = ["certify", "c", "-cp", &path, "--spurious", "1", "Spurious", "--", "wait-loop"];
    let accepted = sandbox.run(&args);
    assert_eq!(accepted.code, 0, "{accepted:?}");
}

#[test]
fn a_formula_over_runs_with_spurious_wake_ups_is_refused() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Spurious", SOURCE);
    let args =
        ["check", "-cp", &path, "--spurious", "1", "--ltl", "<> Spurious.go", "Spurious", "--", "wait"];
    let refused = sandbox.run(&args);
    assert_eq!(refused.code, 3, "{refused:?}");
    assert!(format!("{refused:?}").contains("--spurious with ltl"), "{refused:?}");
}
