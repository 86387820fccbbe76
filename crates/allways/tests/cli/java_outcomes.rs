//! `allways outcomes`: all the ways in which a Java program can end, by threads, choices, random numbers and
//! time.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled, refused, run};
use serde_json::Value;

#[test]
fn outcomes_for_people() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "outcomes", "Greeter", &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_has(
        &run.out,
        &[
            "exit 0, after",
            "  | left\n  | right\n",
            "  | right\n  | left\n",
            "schedule: main*",
            "2 outcomes; there are no others (",
        ],
    );
}

#[test]
fn outcomes_for_machines() {
    let sandbox = Sandbox::new();
    for reduce in [[].as_slice(), &["--no-reduce"]] {
        let run = run(&sandbox, "outcomes", "LostUpdate", &[["--json"].as_slice(), reduce].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let object: Value = serde_json::from_str(&run.out).unwrap();
        let fields: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
        for field in [
            "schema",
            "tool",
            "model",
            "outcomes",
            "states",
            "transitions",
            "elapsed_s",
            "verdict",
            "endless",
            "unsupported",
        ] {
            assert!(fields.contains(&field), "{field}: {fields:?}");
        }
        assert_eq!(fields.len(), 10, "{fields:?}");
        assert_eq!(object["verdict"], "violated");
        assert!(object["states"].as_u64().unwrap() > 10);
        let outcomes = object["outcomes"].as_array().unwrap();
        let kinds: Vec<&str> = outcomes.iter().map(|one| one["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["assertion", "exit"]);
        for one in outcomes {
            assert_eq!(one.as_object().unwrap().len(), 6, "{one}");
            assert_eq!(one["output"], "");
            assert!(one["schedule"].as_str().unwrap().contains("Thread-1*"), "{one}");
            assert!(one["n_steps"].as_u64().unwrap() > 3);
        }
        assert_eq!((&outcomes[0]["status"], &outcomes[1]["status"]), (&Value::from(1), &Value::from(0)));
    }
}

/// The arguments after `--` are the program's, also those that look like ours.
#[test]
fn arguments_and_the_exit_status() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "outcomes", "Leaver", &["--json", "--", "a", "--json", "-cp"]);
    let object: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(object["outcomes"][0]["output"], "3 a,--json,-cp\n");
    assert_eq!(object["outcomes"][0]["status"], 3);
    assert_eq!((run.code, &object["verdict"]), (0, &Value::from("violated")));
}

#[test]
fn random_numbers_are_one_value_or_all() {
    let sandbox = Sandbox::new();
    assert_has(&run(&sandbox, "outcomes", "Dice", &[]).out, &["1 outcome;"]);
    let all = run(&sandbox, "outcomes", "Dice", &["--random"]).out;
    assert_has(&all, &["  | 0\n", "  | 1\n", "  | 2\n", "3 outcomes; there are no others"]);
}

#[test]
fn choices_of_the_program() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "outcomes", "Chooser", &[]);
    assert_has(
        &run.out,
        &["  | 1 a\n", "  | 1 b\n", "  | 3 a\n", "  | 3 b\n", "4 outcomes; there are no others"],
    );
}

/// Waiting moves the clock, which is part of a state: there is no end to polling, and a limit ends the search
/// in good time.
#[test]
fn clocks() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "check", "Patient", &["-q"]).code, 0);
    let polled = run(&sandbox, "outcomes", "Poller", &["--states", "5000"]);
    assert_eq!(polled.code, 0, "{polled:?}");
    assert_has(&polled.out, &["exit 0", "1 outcome; there are no others"]);
    // Who reads the clock can tell one round from the next.
    let text = "public class Watcher { static boolean done; public static void main(String[] args) throws Exception {
        new Thread(() -> done = true).start();
        long begin = System.nanoTime();
        while (!done) Thread.sleep(1);
        assert System.nanoTime() >= begin; } }";
    let classes = compiled(&sandbox, "Watcher", text);
    let watched = sandbox.run(&["outcomes", "-cp", &classes, "Watcher", "--states", "5000"]);
    assert_eq!(watched.code, 4, "{watched:?}");
    assert_has(&watched.out, &["exit 0", "1 outcome; there may be others"]);
}

#[test]
fn outcomes_are_for_java() {
    let sandbox = Sandbox::with(crate::models::TALK);
    refused(&sandbox, &["outcomes", "x.pml"], "for Promela use check");
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 0);
}
