//! Small models, one feature of the language each, with SPIN's raw figures.

use super::harness::{agreed_figures, figures, program};
use allways_search::{Config, Strategy, search};
use serde_json::Value;
use std::path::Path;

fn models() -> Vec<(String, String, Value)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics/models");
    let text = std::fs::read_to_string(dir.join("figures.json")).expect("the figures are part of the tests");
    let list: Value = serde_json::from_str(&text).expect("the figures are JSON");
    list["models"]
        .as_array()
        .expect("a list of models")
        .iter()
        .map(|entry| {
            let file = entry["file"].as_str().expect("a file name").to_owned();
            let source = std::fs::read_to_string(dir.join(&file)).expect("the model is part of the tests");
            (file, source, entry.clone())
        })
        .collect()
}

#[test]
fn whole_graphs_have_spins_figures() {
    let models = models();
    assert!(models.len() > 20);
    for (file, source, entry) in models {
        let number = |name: &str| entry[name].as_u64().expect("a number");
        let expected = (number("states"), number("matched"), number("transitions"), number("errors"));
        assert_eq!(agreed_figures(&program(&source)), expected, "{file}");
    }
}

#[test]
fn a_search_that_stops_at_the_first_error_stops_where_spin_does() {
    let mut n = 0;
    for (file, source, entry) in models() {
        let first = &entry["first_error"];
        if first.is_null() {
            continue;
        }
        n += 1;
        let outcome = search(&program(&source), Strategy::Dfs, &(), &Config::new(1));
        let (states, matched, _, errors) = figures(&outcome);
        let expected = (first["states"].as_u64(), first["matched"].as_u64());
        assert_eq!((Some(states), Some(matched)), expected, "{file}");
        assert_eq!(errors, 1, "{file}");
    }
    assert!(n > 0);
}

#[test]
fn every_model_keeps_the_laws() {
    for (file, source, _) in models() {
        if let Err(broken) = allways_testkit::laws::check(&program(&source), 3_000) {
            panic!("{file}: {broken:?}");
        }
    }
}

/// SPIN 6.5.2 gives these figures.
#[test]
fn run_and_timeout_in_odd_places() {
    let asserted = "byte x; proctype P() { x++ } init { assert(run P()); x = 7 }";
    assert_eq!(agreed_figures(&program(asserted)), (11, 1, 12, 0));
    let printed = "byte x; proctype P() { x++ } init { printf(\"%d\", run P()); x = 7 }";
    assert_eq!(agreed_figures(&program(printed)), (11, 1, 12, 0));
    let provided =
        "byte x; active proctype A() provided (timeout) { end: assert(false) } active proctype B() { x = 1 }";
    assert_eq!(agreed_figures(&program(provided)), (5, 0, 5, 1));
}

#[test]
fn a_model_without_processes_is_refused() {
    let loaded = allways_promela::load_text("model.pml", "byte x; proctype P() { skip }");
    assert!(loaded.program.is_none());
    assert!(loaded.diagnostics[0].message.contains("nothing runs"));
}

/// SPIN 6.5.2: the only field of a message is a whole byte even if it is a bit; two fields are one bit each.
#[test]
fn a_single_bit_field_is_not_truncated() {
    let one = "chan c = [1] of { bit }; byte x; active proctype P() { c!6; c?x; assert(x == 6) }";
    assert_eq!(agreed_figures(&program(one)).3, 0);
    let two = "chan c = [1] of { bit, bit }; byte x; active proctype P() { c!6,1; c?x,_; assert(x == 0) }";
    assert_eq!(agreed_figures(&program(two)).3, 0);
}

/// A channel may hold more messages than a byte can count.
#[test]
fn a_channel_of_three_hundred_messages() {
    let source = "chan c = [300] of { short }; short i, x;
        active proctype P() {
            do :: i < 300 -> c!i; i++ :: else -> break od;
            assert(len(c) == 300 && full(c));
            do :: c?x -> i--; assert(x == 300 - i - 1) :: empty(c) -> break od;
            assert(i == 0)
        }";
    assert_eq!(agreed_figures(&program(source)).3, 0);
}

/// What C would not evaluate is not run, and a process may be started where an index is computed.
#[test]
fn run_follows_the_order_of_evaluation() {
    let not_run = "byte x; proctype P() { assert(false) }
        init { x = 0 && run P(); x = (false -> run P() : 3); x = 1 || run P() }";
    assert_eq!(agreed_figures(&program(not_run)), (5, 0, 5, 0));
    let indexed = "byte a[3]; proctype P() { assert(false) } init { a[run P()] = 1 }";
    assert_eq!(agreed_figures(&program(indexed)).3, 1);
    for refused in ["if :: run P() > 0 -> skip :: else fi", "c!run P()", "c?eval(run P())", "!run P()"] {
        let source = format!("chan c = [1] of {{ byte }}; proctype P() {{ skip }} init {{ {refused} }}");
        assert!(allways_promela::load_text("model.pml", &source).program.is_none(), "{refused}");
    }
}

/// SPIN 6.5.2 gives these figures: at a timeout, too, the higher priority goes first.
#[test]
fn timeouts_and_priorities() {
    let source = "byte x; active proctype A() priority 2 { timeout; x = 1 }
        active proctype B() { timeout; assert(x == 1) }";
    assert_eq!(agreed_figures(&program(source)), (7, 0, 7, 0));
    let source = "byte x; active proctype A() provided (!timeout) { x = 2; timeout; x = 4 }
        active proctype B() { x = 1; x == 4 }";
    assert_eq!(agreed_figures(&program(source)), (5, 0, 5, 2));
}

/// SPIN 6.5.2: a random poll gives the place of the message that matches, and any other poll 0 or 1.
#[test]
fn a_random_poll_gives_a_place() {
    let source = "byte x; chan c = [2] of { byte };
        active proctype P() {
            c!2; c!1; x = c??[1]; assert(x == 2); x = c??[2]; assert(x == 1); x = c??[7]; assert(x == 0);
            x = c?[2]; assert(x == 1); x = c?[1]; assert(x == 0); x = c??[_]; assert(x == 1)
        }";
    assert_eq!(agreed_figures(&program(source)), (16, 0, 16, 0));
}
