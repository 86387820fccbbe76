//! Models made so that a reduction which overlooks one way of sharing misses a violation: the process that
//! would be taken for independent moves first then, and what goes wrong needs the other order.

use super::dynamic::program;
use super::verdicts::{REDUCTIONS, compare};
use crate::claims::harness::{How, outcome, violated, ways};
use allways_promela::options::Dynamics;
use allways_promela::{Program, Property, Reductions};
use allways_search::{Config, StoreKind, Strategy, search};

/// All searches, stores and reductions find what goes wrong, with this text among it.
#[track_caller]
fn trap(source: &str, text: &str) {
    trap_with(source, Dynamics::default(), text);
}

#[track_caller]
fn trap_with(source: &str, options: Dynamics, text: &str) {
    let load = || program(source).with_dynamics(options);
    let found = messages(&load(), StoreKind::Exact);
    assert!(found.iter().any(|message| message.contains(text)), "{found:?} and not: {text}\n{source}");
    compare(source, load, &REDUCTIONS, None).expect("it is small");
    for store in [StoreKind::Tree, StoreKind::Collapse] {
        let reduced = load().with_reductions(Reductions::ALL);
        assert_eq!(messages(&reduced, store), found, "{store:?}\n{source}");
    }
}

/// What goes wrong, and where.
fn messages(program: &Program, store: StoreKind) -> Vec<String> {
    let reduce = program.reductions().order;
    let config = Config { store, all_errors: true, reduce, ..Config::new(1) };
    let outcome = search(program, Strategy::Dfs, &(), &config);
    let text = |finding: &allways_search::Finding| {
        format!("{} {:?}", finding.violation.message(), finding.violation.location)
    };
    let mut messages: Vec<String> = outcome.findings.iter().map(text).collect();
    messages.sort();
    messages.dedup();
    messages
}

#[test]
fn an_object_in_a_message_is_shared() {
    trap(
        "typedef N { byte v }; chan c = [1] of { N & };
         active proctype a() { N &p; p = new N; c!p; p.v = 1 }
         active proctype b() { N &q; c?q; assert(q.v == 1) }",
        "q.v == 1",
    );
}

/// While it is in the channel, only `a` has a variable that refers to it.
#[test]
fn an_object_on_its_way_is_shared() {
    trap(
        "typedef N { byte v }; chan c = [1] of { N & };
         active proctype b() { N &q; c?q; assert(q.v == 1) }
         active proctype a() { N &p; p = new N; c!p; p.v = 1 }",
        "q.v == 1",
    );
}

#[test]
fn a_part_of_an_object_in_a_message_is_shared() {
    trap(
        "typedef N { byte v; byte w }; chan d = [1] of { byte & };
         active proctype a() { N &p; byte &r; p = new N; r = &p.w; d!r; p.w = 1 }
         active proctype b() { byte &q; d?q; assert(q == 1) }",
        "q == 1",
    );
}

#[test]
fn a_parameter_by_reference_is_what_it_refers_to() {
    trap(
        "byte x; function put(byte &b) { b = 1 }
         active proctype a() { put(&x) }
         active proctype b() { assert(x == 1) }",
        "x == 1",
    );
}

#[test]
fn a_call_through_a_variable_may_be_any_that_fits() {
    trap(
        "byte x; function one(byte &b) { b = 1 } function none(byte &b) { skip }
         active proctype a() { ftype h; h = none; h = one; h(&x) }
         active proctype b() { assert(x == 1) }",
        "x == 1",
    );
}

#[test]
fn what_a_shared_object_refers_to_is_shared() {
    trap(
        "typedef N { byte v; N &next }; N &g;
         active proctype a() { N &p; N &q; atomic { p = new N; q = new N; p.next = q; g = p }; q.v = 1 }
         active proctype b() { N &r; g != null; r = g.next; assert(r.v == 1) }",
        "r.v == 1",
    );
}

#[test]
fn a_local_variable_that_another_process_points_to_is_shared() {
    trap(
        "byte &g;
         active proctype a() { byte z; g = &z; z = 1; g == null }
         active proctype b() { g != null; assert(g == 1); g = null }",
        "g == 1",
    );
}

#[test]
fn an_argument_of_run_is_shared() {
    trap(
        "typedef N { byte v };
         init { N &p; p = new N; run b(p); p.v = 1 }
         proctype b(N &q) { assert(q.v == 1) }",
        "q.v == 1",
    );
}

#[test]
fn a_deletion_meets_every_access() {
    trap(
        "typedef N { byte v }; N &g;
         active proctype a() { N &p; p = new N; g = p; delete(p) }
         active proctype b() { g != null; assert(g.v == 1) }",
        "g.v == 1",
    );
}

#[test]
fn the_end_of_a_scope_meets_every_access() {
    trap(
        "byte &g;
         active proctype a() { bool done; { byte z; g = &z; done = 1 }; done = 0; g == null }
         active proctype b() { g != null; assert(g == 1); g = null }",
        "g == 1",
    );
}

#[test]
fn a_scope_that_ends_with_a_call_ends_when_the_function_returns() {
    trap(
        "byte &g; byte y; function f() { y == 1; y = 2 }
         active proctype a() { byte i; { byte z; g = &z; f() }; i = 1; y == 3 }
         active proctype b() { g != null; y = 1; y == 2; assert(g == 1) }",
        "g == 1",
    );
}

#[test]
fn the_end_of_a_function_ends_its_variables() {
    trap(
        "byte &g; function f() { byte z; g = &z; skip }
         active proctype a() { f(); g == null }
         active proctype b() { g != null; assert(g == 1); g = null }",
        "g == 1",
    );
}

/// When `a` is looked at, `b` has no pointer to the object yet.
#[test]
fn a_pointer_that_is_received_later_counts() {
    trap(
        "typedef N { byte v }; chan c = [1] of { N & }; chan d = [1] of { N & };
         active proctype a() { N &p; p = new N; c!p; p.v = 1 }
         active proctype r() { N &m; c?m; d!m }
         active proctype b() { N &q; d?q; assert(q.v == 1) }",
        "q.v == 1",
    );
}

/// `init` and `r` have the object, and `r` never touches it: but it gives it away.
#[test]
fn a_pointer_that_is_handed_on_counts() {
    trap(
        "typedef N { byte v }; N &g;
         init { N &n; n = new N; atomic { run r(n); run b() }; n.v = 1 }
         proctype r(N &m) { g = m }
         proctype b() { g != null; assert(g.v == 1) }",
        "g.v == 1",
    );
}

#[test]
fn a_result_is_written_where_the_call_says() {
    trap(
        "byte x; function one() : byte { return 1 }
         active proctype a() { byte i; x = one(); i = 1 }
         active proctype b() { assert(x == 1) }",
        "x == 1",
    );
}

#[test]
fn a_result_may_go_into_a_shared_object() {
    trap(
        "typedef N { byte v }; N &g; byte y; function one() : byte { y == 1; return 1 }
         active proctype a() { N &p; p = new N; g = p; p.v = one() }
         active proctype b() { g != null; y = 1; assert(g.v == 1) }",
        "g.v == 1",
    );
}

#[test]
fn what_follows_a_return_belongs_to_the_step() {
    trap(
        "byte x, y; function wait() { y == 1 }
         active proctype a() { wait(); x = 1 }
         active proctype b() { y = 1; assert(x == 1) }",
        "x == 1",
    );
}

#[test]
fn what_follows_two_returns_belongs_to_the_step() {
    trap(
        "byte x, y; function inner() { y == 1 } function outer() { inner() }
         active proctype a() { outer(); x = 1 }
         active proctype b() { y = 1; assert(x == 1) }",
        "x == 1",
    );
}

#[test]
fn a_process_may_return_into_each_of_its_frames() {
    trap(
        "byte x, y; function wait() { y == 1 }
         active proctype a() { wait(); assert(x == 1) }
         active proctype b() { y = 1; x = 1 }",
        "x == 1",
    );
}

#[test]
fn the_callee_of_the_callee_belongs_to_the_future() {
    trap(
        "byte x, y; function check() { assert(x == 1) } function outer() { y == 1; check() }
         active proctype a() { outer() }
         active proctype b() { y = 1; x = 1 }",
        "x == 1",
    );
}

#[test]
fn a_function_called_in_an_atomic_sequence_keeps_control() {
    trap(
        "byte x; function f(byte k) { skip; k = 2; x = k }
         active proctype a() { byte i; atomic { f(1); i = 1 } }
         active proctype b() { assert(x == 2) }",
        "x == 2",
    );
}

#[test]
fn what_comes_later_in_a_step_counts() {
    trap(
        "typedef N { byte v }; chan c = [1] of { N & };
         active proctype a() { N &p; byte i; p = new N; c!p; atomic { i = 1; p.v = i } }
         active proctype b() { N &q; c?q; assert(q.v == 1) }",
        "q.v == 1",
    );
}

#[test]
fn a_channel_of_an_object_is_shared_with_it() {
    trap(
        "typedef N { byte v; chan lock = [1] of { byte } }; N &g;
         active proctype b() { g != null; assert(len(g.lock) == 1) }
         active proctype a() { N &p; p = new N; g = p; p.lock!1 }",
        "len(g.lock) == 1",
    );
}

#[test]
fn a_full_channel_of_an_object_waits_for_its_receiver() {
    trap(
        "typedef N { byte v; chan lock = [1] of { byte } }; N &g; byte x;
         active proctype a() { N &p; p = new N; p.lock!1; g = p; p.lock!2; x = 1 }
         active proctype b() { g != null; g.lock?_; assert(x == 1) }",
        "x == 1",
    );
}

#[test]
fn a_new_scope_is_entered_before_its_first_statement() {
    trap(
        "typedef N { byte v }; N &g;
         active proctype a() { N &p; p = new N; g = p; { N &q = p; q.v = 1 } }
         active proctype b() { g != null; assert(g.v == 1) }",
        "g.v == 1",
    );
}

#[test]
fn first_values_of_a_scope_are_read_when_it_is_entered() {
    trap(
        "byte x; byte &extension;
         active proctype a() { byte i; { byte z = x; i = z }; assert(i == 0) }
         active proctype b() { x = 1 }",
        "i == 0",
    );
}

#[test]
fn an_escape_may_leave_a_function_anywhere() {
    trap(
        "byte x, z; function f() { z = 1; z = 2 }
         active proctype a() { { f() } unless { x == 1; assert(z != 1) } }
         active proctype b() { x = 1 }",
        "z != 1",
    );
}

#[test]
fn addresses_that_are_used_again_depend_on_deletions() {
    trap_with(
        "typedef N { byte v }; N &g;
         active proctype a() { N &p; p = new N; g = p; delete(p) }
         active proctype b() { N &q; q = new N; assert(q != g) }",
        Dynamics { reuse_addresses: true, ..Dynamics::default() },
        "q != g",
    );
}

#[test]
fn which_step_loses_an_object_depends_on_the_order() {
    trap_with(
        "typedef N { byte v }; chan c = [1] of { N & };
         active proctype a() { N &p; p = new N; c!p; p = null; skip }
         active proctype b() { N &q; c?q; q = null; skip }",
        Dynamics { leaks: true, ..Dynamics::default() },
        "leaked",
    );
}

/// Checks a formula in every way; it must be violated or hold as it is said.
#[track_caller]
fn formula(source: &str, is_violated: bool) {
    let mut all = ways(false);
    all.extend(REDUCTIONS.map(|reductions| How { reductions, ..How::PLAIN }));
    for how in all {
        let outcome = outcome(program(source), &Property::Claim(0), how);
        assert_eq!(violated(&outcome), Some(is_violated), "{how:?}\n{source}");
    }
}

/// The two steps are independent, but what is seen between them is not.
#[test]
fn a_formula_sees_what_its_pointers_refer_to() {
    let steps = "typedef N { byte v }; N &g; N &h;
         active proctype a() { atomic { h != null; g = new N }; g.v = 1 }
         active proctype b() { h = new N; g != null; h.v = 1 }";
    formula(&format!("{steps} ltl f {{ [] !(g != null && h != null && g.v == 1 && h.v == 0) }}"), true);
    formula(&format!("{steps} ltl f {{ [] !(g != null && h != null && g.v == 0 && h.v == 1) }}"), true);
    formula(&format!("{steps} ltl f {{ [] (g == null || h == null || g.v < 2) }}"), false);
}

#[test]
fn a_formula_sees_where_pointers_lead() {
    let steps = "typedef N { byte v; N &rest }; N &g; byte y;
         active proctype a() { N &p; atomic { p = new N; p.rest = new N; g = p }; p = p.rest; p.v = 1 }
         active proctype b() { g != null; y = 1 }";
    formula(&format!("{steps} ltl f {{ [] !(g != null && g.rest.v == 1 && y == 0) }}"), true);
    formula(&format!("{steps} ltl f {{ [] !(g != null && g.rest.v == 0 && y == 1) }}"), true);
}

#[test]
fn a_formula_that_follows_a_dangling_pointer_is_violated() {
    let source = "typedef N { byte v }; N &g;
         active proctype a() { N &p; p = new N; g = p; delete(p); g = null }
         ltl f { [] (g == null || g.v == 0) }";
    formula(source, true);
}

#[test]
fn a_label_in_a_function_is_seen() {
    let steps = "byte y;
         function f() { skip; accept_here: y == 1; skip }
         active proctype a() { f() }
         active proctype b() { do :: y == 0 :: y == 0 -> y = 1; break od }";
    for how in ways(false) {
        let outcome = outcome(program(steps), &Property::Acceptance, how);
        assert_eq!(violated(&outcome), Some(true), "{how:?}");
    }
}
