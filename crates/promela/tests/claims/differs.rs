//! Where SPIN 6.5.2 misses a violation, and everything here finds it.

use super::harness::{outcome, violated, ways};
use allways_promela::{Property, load_text};

/// Asks every search, store, number of workers and reduction whether the only claim of a model is violated.
#[track_caller]
fn assert_violated(text: &str, fair: bool) {
    for how in ways(fair) {
        let program = load_text("model.pml", text).program.expect("the model is right");
        assert_eq!(violated(&outcome(program, &Property::Claim(0), how)), Some(true), "{how:?}\n{text}");
    }
}

/// A run that comes to its end is fair: no process that could move stands still. SPIN finds these without
/// `-f`, and none with it.
#[test]
fn a_run_that_ends_is_fair() {
    let both = "byte n; active proctype a() { n = 1 } active proctype b() { n = 2 } ltl { <> [] (n == 1) }";
    let one = "byte n; active proctype a() { n = 1 } ltl { <> [] (n == 0) }";
    let blocked = "byte n; active proctype a() { n = 1; end: false } ltl { [] <> (n == 0) }";
    for text in [both, one, blocked] {
        assert_violated(text, false);
        assert_violated(text, true);
    }
}

/// The claim accepts in every second of its states, and the model has come to its end. SPIN reads the last
/// state twice before it stores anything, and looks only at the states of the claim between.
#[test]
fn a_claim_goes_on_after_the_end() {
    for accepting in ["accept", "other"] {
        let other = if accepting == "accept" { "other" } else { "accept" };
        let text = format!(
            "byte n; active proctype a() {{ n = 1 }}
             never {{ S: do :: n == 1 -> goto {accepting} :: true od;
             {accepting}: n == 1 -> goto {other}; {other}: n == 1 -> goto {accepting} }}"
        );
        assert_violated(&text, false);
        assert_violated(&text, true);
    }
}
