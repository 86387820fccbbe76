//! Run-time errors: each is found, by its name, and what is wrong at one place is not reported as a deadlock
//! too.

use super::harness::{error_messages, explore, figures, program};
use allways_search::Strategy;

/// The model has exactly one kind of error, and its message says `expected`.
#[track_caller]
fn check(source: &str, expected: &str) {
    let messages = error_messages(source);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains(expected), "{messages:?}");
}

#[test]
fn array_index() {
    check("byte a[3]; active proctype P() { byte i = 3; a[i] = 1 }", "array index 3 is out of range");
    check("byte a[3], b; active proctype P() { int i = -1; b = a[i] }", "array index -1");
    check("byte a[3]; active proctype P() { byte i = 7; (a[i] == 0) }", "array index 7");
    check("typedef T { byte x[2] }; T t[2]; active proctype P() { byte i = 2; t[1].x[i] = 1 }", "index 2");
}

#[test]
fn a_condition_that_goes_wrong_does_not_lead_to_else() {
    let source =
        "byte a[3], i = 5; active proctype P() { if :: a[i] == 0 -> skip :: else -> assert(false) fi }";
    check(source, "array index 5");
}

#[test]
fn division_by_zero() {
    check("byte z; int x; active proctype P() { x = 5 / z }", "division by zero");
    check("byte z; active proctype P() { (7 % z == 0) }", "division by zero");
}

#[test]
fn channels_that_are_not_there() {
    check("chan c; active proctype P() { c!1 }", "not initialised");
    check("chan c; active proctype P() { c?1 }", "not initialised");
    check("chan c; byte x; active proctype P() { x = len(c) }", "not initialised");
    let dead = "chan g; proctype Q() { chan own = [1] of { byte }; g = own }
        init { run Q(); (_nr_pr == 1 && g != 0) -> g!1 }";
    check(dead, "there is no channel 1");
}

#[test]
fn wrong_numbers_of_fields() {
    check("chan c = [2] of { byte, byte }; active proctype P() { c!1 }", "fewer fields (1)");
    check(
        "chan c = [2] of { byte }; chan d = [1] of { byte, byte }; active proctype P() { c!1,2 }",
        "more fields (2)",
    );
    check("chan c = [2] of { byte, byte }; active proctype P() { c!1,2; c?1 }", "a receive of 1 fields");
    check(
        "chan c = [2] of { byte }; byte x, y; active proctype P() { c!1; c?x,y }",
        "fewer fields than are received",
    );
}

#[test]
fn polling_a_rendezvous_channel() {
    let messages = error_messages("chan c = [0] of { byte }; active proctype P() { end: c?[1] -> skip }");
    assert!(messages.iter().any(|m| m.contains("cannot be polled")), "{messages:?}");
}

#[test]
fn too_many_processes_and_channels() {
    check("proctype P() { end: false } init { end: do :: run P() od }", "too many processes");
    let channels =
        "proctype P() { chan c[100] = [1] of { byte }; end: false } init { run P(); run P(); run P() }";
    check(channels, "too many channels");
}

#[test]
fn d_steps_that_block_or_never_end() {
    check("byte x; active proctype P() { d_step { x = 1; (x == 2) } }", "blocks after its first statement");
    check("byte x; active proctype P() { d_step { x = 1; if :: x == 2 -> skip fi } }", "blocks after");
    check("chan c = [0] of { byte }; active proctype P() { d_step { c!1 } }", "rendezvous cannot be offered");
    check("bit x; active proctype P() { d_step { do :: x = 1 - x od } }", "never ends");
    let counting = program("int x; active proctype P() { d_step { do :: x++ od } }");
    let outcome = allways_search::search(&counting, Strategy::Dfs, &(), &allways_search::Config::new(1));
    assert!(matches!(outcome.end, allways_search::End::Faulted(..)), "{:?}", outcome.end);
}

#[test]
fn priorities_out_of_range() {
    check("active proctype P() { set_priority(0, 300) }", "priority 300");
}

#[test]
fn a_d_proctype_must_not_have_a_choice() {
    check("byte x; active D_proctype P() { if :: x = 1 :: x = 2 fi }", "D_proctype has a choice");
    assert!(
        error_messages("byte x; active D_proctype P() { if :: x == 0 -> x = 1 :: x == 1 fi }").is_empty()
    );
}

#[test]
fn assertions_are_counted_each_time_and_the_run_goes_on() {
    let source = "byte x; active [2] proctype P() { assert(x == 9); x = 1 }";
    let outcome = explore(&program(source), Strategy::Dfs, 1);
    let (states, _, _, errors) = figures(&outcome);
    assert!(errors >= 4 && states > 5, "{errors} errors in {states} states");
    assert!(outcome.findings.iter().all(|f| f.violation.message().contains("assertion violated: x == 9")));
}

#[test]
fn invalid_end_states() {
    check("active proctype P() { false }", "invalid end state");
    assert!(error_messages("active proctype P() { end: false }").is_empty());
    assert!(error_messages("active proctype P() { endless: do :: false od }").is_empty());
}

#[test]
fn event_traces() {
    let wrong = "chan c = [2] of { byte }; trace { do :: c!1; c?1 od } active proctype P() { c!1; c!1 }";
    let messages = error_messages(wrong);
    assert!(messages.iter().any(|m| m.contains("does not allow this event")), "{messages:?}");
    let right = "chan c = [2] of { byte }; trace { do :: c!1; c?1 od } active proctype P() { c!1; c?1 }";
    assert!(error_messages(right).is_empty());
    let forbidden =
        "chan c = [2] of { byte }; notrace { c!1; c!2 } active proctype P() { c!1; c!2; c?_; c?_ }";
    let messages = error_messages(forbidden);
    assert!(messages.iter().any(|m| m.contains("all events of the notrace")), "{messages:?}");
}

#[test]
fn an_atomic_loop_that_never_ends_does_not_hang_the_search() {
    let source = "bit x, y; active proctype P() { atomic { do :: x = 1 - x :: y = 1 - y od } }";
    explore(&program(source), Strategy::Dfs, 1);
}

#[test]
fn claims_on_channels_are_checked() {
    let source = |claim: &str| {
        format!(
            "chan c = [2] of {{ byte }};
            active proctype A() {{ {claim} c; end: do :: c!1 :: c?_ od }}
            active proctype B() {{ c!2 }}"
        )
    };
    check(&source("xs"), "claimed by A (0) with xs");
    assert!(error_messages(&source("xr")).is_empty());
    let trusting = program(&source("xs")).without_exclusive_checks();
    assert_eq!(figures(&explore(&trusting, Strategy::Dfs, 1)).3, 0);
}
