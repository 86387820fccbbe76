//! Small models for single rules: what may be left out, and what must not be.

use super::verdicts::{REDUCTIONS, compare};
use allways_promela::load_text;

/// Every reduction finds what the plain search finds; gives the states without and with all of them.
#[track_caller]
fn states(source: &str) -> (u64, u64) {
    let load = || load_text("model.pml", source).program.expect("the model loads");
    compare("model", load, &REDUCTIONS, None).expect("the model is small")
}

#[track_caller]
fn is_reduced(source: &str) {
    let (plain, reduced) = states(source);
    assert!(reduced < plain, "{reduced} of {plain} states");
}

#[test]
fn independent_processes_are_ordered() {
    is_reduced(
        "byte a, b; active proctype p() { a = 1; a = 2; a = 3 } active proctype q() { b = 1; b = 2; b = 3 }",
    );
    is_reduced("active [3] proctype p() { byte x; x = 1; x = 2; assert(x == 2) }");
    is_reduced("byte a[3]; active [3] proctype p() { a[_pid] = 1; a[_pid] = 2; assert(a[_pid] == 2) }");
    is_reduced(
        "chan c = [2] of { byte }; active proctype s() { c!1; c!2; c!3 }
         active proctype r() { byte x; c?x; c?x; c?x; assert(x == 3) }",
    );
}

#[test]
fn dependent_steps_are_tried_in_both_orders() {
    states(
        "byte n; active [2] proctype p() { byte t; t = n; n = t + 1; n != 1 || _pid == 0 -> assert(n == 2) }",
    );
    states(
        "byte a[2]; byte i; active proctype p() { i = 1; a[i] = 1 } active proctype q() { a[1] = 2; assert(a[1] == 2) }",
    );
    states(
        "byte z = 1; active proctype p() { z = 0; z = 2 } active proctype q() { byte x; x = 6 / z; assert(x == 6) }",
    );
    states(
        "chan c = [1] of { byte }; active proctype s() { c!1 } active proctype t() { c!2 }
         active proctype r() { byte x; c?x; assert(x == 1) }",
    );
    states(
        "chan c = [1] of { byte }; active proctype s() { c!1 }
         active proctype r() { if :: c?1 -> skip :: else -> assert(false) fi }",
    );
    states(
        "chan c = [1] of { byte }; byte g; active proctype s() { c!1; g = 1 }
         active proctype r() { { g == 2 } unless { c?1 -> assert(g == 1) } }",
    );
}

/// An assignment to a global that is never read is dropped, but what goes wrong in it is not.
#[test]
fn errors_of_dropped_assignments_remain() {
    for statement in
        ["a[i] = 1", "a[i] = run P()", "a[i]++", "a[i] = a[i] + a[i + 1]", "c?a[i]", "n = n + a[i]"]
    {
        states(&format!(
            "byte a[2], n; byte i = 5; chan c = [1] of {{ byte }};
             proctype P() {{ skip }} init {{ c!1; {statement}; n++ }}"
        ));
    }
}

/// A process that cycles without end must not hide a violation by another process.
#[test]
fn nothing_is_put_off_for_ever() {
    states("active proctype p() { byte x; do :: x = 1 - x od } active proctype q() { assert(false) }");
    states(
        "byte g; active proctype p() { do :: g = 1 - g od } active proctype q() { byte h; h = 1; assert(h == 2) }",
    );
    states(
        "active proctype p() { byte x; do :: x = 1 :: x = 0 od } active proctype q() { byte z; z = 1 / z }",
    );
    states(
        "active [2] proctype p() { byte x; do :: x < 3 -> x++ :: x > 1 -> x = 0 od } active proctype q() { false }",
    );
}

#[test]
fn a_test_of_a_rendezvous_sees_who_is_ready() {
    states(
        "chan c = [0] of { bit }; byte g; active proctype s() { if :: c!1 :: else -> assert(g == 1) fi }
         active proctype r() { byte x; x = 2; c?1; g = x }",
    );
    states(
        "chan c = [0] of { bit }; byte n; active proctype s() { atomic { n = 1; c!1; assert(n == 1) } }
         active proctype r() { byte x; x = 2; n = 2; x = 3; c?1 }",
    );
    states(
        "chan c = [0] of { bit }; byte g; proctype r() { c?1 }
         active proctype s() { if :: c!1 :: else -> g = 1 fi; assert(g == 0) } init { run r() }",
    );
}

#[test]
fn channels_in_messages_may_be_any() {
    states(
        "chan a = [1] of { byte }; chan m = [1] of { chan }; active proctype p() { chan c; m?c; c!1 }
         active proctype q() { m!a; a!2 } active proctype r() { byte x; a?x; assert(x == 2) }",
    );
}

#[test]
fn starts_and_deaths_that_can_be_told() {
    states("proctype p() { skip } init { run p(); run p(); assert(_nr_pr == 3) }");
    states("proctype p() { assert(_pid != 1) } init { run p(); run p() }");
    states(
        "proctype p() { skip } active proctype q() { byte x; x = run p(); assert(x == 2) } init { run p() }",
    );
    states(
        "chan m = [1] of { chan }; proctype p() { chan c = [1] of { byte }; m!c } init { chan c; run p(); m?c; c!1 }",
    );
}

#[test]
fn starts_and_deaths_that_nobody_can_tell() {
    is_reduced("byte n; proctype p() { n++ } init { run p(); run p(); run p() }");
    is_reduced(
        "byte n; proctype p(chan c) { c!1; n++ } init { chan d = [0] of { byte }; run p(d); d?1; run p(d); d?1 }",
    );
}

/// Deaths of processes that start each other in a circle are hidden only if their number is bounded by the
/// limit.
#[test]
fn circles_of_starts() {
    is_reduced(
        "chan f = [3] of { bit }; proctype p(chan c) { chan d = [0] of { bit }; if :: f?1 -> run p(d); d?1 :: f?0 fi; c!1 }
         init { chan d = [0] of { bit }; f!1; f!1; f!0; run p(d); d?1 }",
    );
    states("byte n; proctype p() { n++; run p() } init { run p() }");
    states(
        "chan f = [1] of { bit }; proctype p() { f?1; run p() } active proctype s() { do :: f!1 od } init { run p() }",
    );
    // Not every way to the start is paid for; and one is paid for with a message that stays.
    states("chan f = [1] of { bit }; proctype p() { if :: f?1 :: skip fi; run p() } init { f!1; run p() }");
    states("chan f = [1] of { bit }; proctype p() { f?<1>; run p() } init { f!1; run p() }");
    // Somebody has the channel by another name.
    states(
        "chan f = [1] of { bit }; proctype p() { f?1; run p() } proctype s(chan c) { do :: c!1 od } init { run s(f); run p() }",
    );
}

#[test]
fn what_others_look_at_is_not_hidden() {
    states(
        "active proctype p() { byte x; x = 1; L: x = 2; x = 3 } active proctype q() { p@L -> assert(p:x == 1) }",
    );
    states(
        "byte g; active proctype p() provided (g == 0) { byte x; x = 1; assert(x == 2) } active proctype q() { g = 1 }",
    );
    states(
        "active proctype p() { byte x; x = 1; x = 2 } active proctype q() { _last == 0 -> assert(false) }",
    );
    states(
        "active proctype p() priority 2 { byte x; x = 1; x = 2 } active proctype q() priority 1 { assert(false) }",
    );
}

#[test]
fn timeouts_come_when_nothing_else_does() {
    states(
        "byte g; active proctype p() { timeout -> assert(g == 1) } active proctype q() { byte x; x = 1; g = x }",
    );
    states(
        "byte g; active proctype p() { do :: timeout -> break :: g < 3 -> g++ od; assert(g < 3) } active proctype q() { g == 9 }",
    );
}

#[test]
fn dead_variables_are_forgotten() {
    is_reduced(
        "byte g; active proctype p() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; x > 0; g = 1; x = g; assert(x == 1) }",
    );
    states(
        "active proctype p() { byte a[3], i; a[0] = 1; i = 2; a[i] = 5; i = 0; assert(a[2] == 5 && a[i] == 1) }",
    );
    states(
        "byte g; active proctype p(byte x) { d_step { x = 2; g = x }; x = 3; { g = 4 } unless { g == 4 -> assert(x == 2) } }",
    );
}

/// Once all have the same priority, or only wait to die behind the others, priorities are of no account;
/// before, they are.
#[test]
fn processes_of_one_priority_are_ordered() {
    let two = "byte a, b; active proctype p() priority 3 { a = 1; a = 2; a = 3 } active proctype q() priority 3 { b = 1; b = 2; b = 3 }";
    is_reduced(two);
    is_reduced(&format!("byte g; init priority 5 {{ g = 1; g = 2 }} {two}"));
    let starter = "byte a, g; proctype p() { a = 1; a = 2; assert(g == 0) }";
    states(&format!("{starter} active proctype q() {{ run p(); g = 1; g = 2 }}"));
    states(&format!("{starter} active proctype q() priority 2 {{ run p() priority 3; g = 1; g = 2 }}"));
    states(&format!("{starter} active proctype q() priority 2 {{ run p() priority 2; g = 1; g = 2 }}"));
    states(
        "byte a, b; active proctype p() priority 1 { a = 1; b == 1 -> assert(a == 2) }
         active proctype q() priority 2 { a == 1 -> a = 2; b = 1 } active proctype r() priority 1 { b = 1 }",
    );
    states(
        "byte a; active proctype r() priority 1 { a = 1; a = 2 } active proctype p() priority 2 { a > 0 }
         active proctype q() priority 1 { assert(a < 2) }",
    );
}
