//! Java threads that die of a failed assertion or of another exception that nobody catches.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, run};
use serde_json::Value;

#[test]
fn a_lost_update_fails_an_assertion_with_and_without_reduction() {
    let sandbox = Sandbox::new();
    for reduce in [[].as_slice(), &["--no-reduce"], &["--reduce", "none"]] {
        let run = run(&sandbox, "check", "LostUpdate", &[["--full"].as_slice(), reduce].concat());
        assert_eq!(run.code, 1, "{run:?}");
        assert_has(
            &run.out,
            &[
                "java.lang.AssertionError: counter is 1",
                "LostUpdate.java:17",
                "LostUpdate.counter: 0 -> 1",
                // What both threads have read, and the assertion.
                "reads LostUpdate.counter = 0",
                "reads LostUpdate.counter = 1",
                "violated: LostUpdate: safety, uncaught in thread main",
                if reduce.is_empty() { "conflicts reduction" } else { "no reduction" },
            ],
        );
    }
}

#[test]
fn an_uncaught_exception_is_a_violation_of_its_own_kind() {
    let sandbox = Sandbox::new();
    let text = run(&sandbox, "check", "Thrower", &[]);
    assert_eq!(text.code, 1, "{text:?}");
    assert_has(
        &text.out,
        &[
            "uncaught in thread worker: java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0",
            "Thrower.java:5",
        ],
    );
    let json = run(&sandbox, "check", "Thrower", &["--json"]);
    let object: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(object["errors"][0]["kind"], "exception");
    assert_eq!(object["errors"][0]["location"]["file"], "Thrower.java");
    assert_eq!(object["errors"][0]["location"]["line"], 5);
    assert_eq!(object["reduction"], "conflicts");
    assert_eq!(object["verdict"], "violated");
}
