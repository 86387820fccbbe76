//! Labels next to calls, results that do not fit, and what is refused so that nothing goes unseen.

use super::harness::{holds, refused, violates};

#[test]
fn a_label_after_a_call_is_seen_by_other_processes() {
    let model = |lock: &str| {
        format!(
            "byte n; function lock() {{ {lock} }} active [2] proctype P() {{ lock(); cs: n = 1; n = 0 }}
            active proctype M() {{ assert(!(P[0]@cs && P[1]@cs)) }}"
        )
    };
    for lock in ["skip", "return", "skip; return"] {
        violates(&model(lock), "assertion violated: !(P[0]@cs && P[1]@cs)");
    }
    violates(
        "byte n; function f() : byte { return 1 } active proctype P() { do :: n = f(); again: skip od }
        active proctype M() { assert(!P[0]@again) }",
        "assertion violated: !P[0]@again",
    );
}

/// Models in which `y` is 1 within an atomic sequence, and a process that sees whether it is.
fn seen(functions: &str, body: &str) -> String {
    format!(
        "byte y, i; {functions} active proctype P() {{ {body} }} active proctype M() {{ assert(y == 0) }}"
    )
}

const SKIP: &str = "function f() { skip }";

#[test]
fn a_label_does_not_interrupt_an_atomic_sequence() {
    holds(&seen(SKIP, "atomic { y = 1; f(); L: y = 0 }"));
    holds(&seen("function f() { L: skip }", "atomic { y = 1; f(); M: y = 0; f(); N: skip }"));
    holds(&seen("function g() { skip } function f() { atomic { y = 1; g(); L: y = 0 } }", "f()"));
    holds(&seen(
        "function g() : byte { return 0 } function f() { atomic { y = 1; y = g(); L: skip } }",
        "f()",
    ));
    holds(&seen(
        "byte r; function g() : byte { M: return 1 } function f() : byte { r = g(); L: skip; return g() }",
        "atomic { y = 1; r = f(); K: y = 0 }",
    ));
}

#[test]
fn a_return_out_of_its_own_atomic_sequence_ends_at_a_label() {
    let body = "f(); L: y = 0";
    violates(
        &seen("function f() { atomic { y = 1; if :: i == 0 -> return :: else fi; y = 2 } }", body),
        "assertion violated: y == 0",
    );
    holds(&seen("function f() { atomic { y = 1; if :: i == 0 -> return :: else fi; y = 2 } }", "f(); y = 0"));
}

#[test]
fn an_atomic_sequence_whose_last_statement_is_a_call_ends_with_the_return() {
    for body in [
        "atomic { y = 1; f() }; y = 0",
        "atomic { y = 1; if :: true -> f() fi }; y = 0",
        "atomic { y = 1; f(); if :: true -> f() fi }; y = 0",
        "atomic { y = 1; if :: i == 0 -> f() :: else -> skip fi }; y = 0",
        "atomic { y = 1; { byte z = 1; f() } }; y = 0",
        "do :: atomic { y = 1; f(); break } od; y = 0",
        "do :: atomic { y = 1; if :: true -> f(); break fi } od; y = 0",
        "atomic { y = 1; f(); goto end1 }; skip; end1: y = 0",
        "atomic { y = 1; atomic { f(); goto on } }; skip; on: y = 0",
    ] {
        violates(&seen(SKIP, body), "assertion violated: y == 0");
        let inner = format!("function g() {{ {body} }} {SKIP}");
        violates(&seen(&inner, "g()"), "assertion violated: y == 0");
        // A call in an atomic sequence holds all of it together.
        holds(&seen(&inner, "atomic { g(); i = 1 }"));
    }
}

#[test]
fn a_result_is_cut_to_the_type_of_its_function() {
    holds("function f() : byte { return 300 } active proctype P() { int x; x = f(); assert(x == 44) }");
    holds("function f() : bool { return 3 } active proctype P() { int x; x = f(); assert(x == 1) }");
    holds(
        "function f() : short { return 40000 } ftype g; active proctype P() { int x; g = f; x = g(); assert(x < 0) }",
    );
}

#[test]
fn no_pointer_refers_into_a_d_step() {
    let reason = "no pointer can refer to 'q', which is declared in a d_step";
    refused("int &z; active proctype p() { d_step { { int q; z = &q; z = 3 } }; z = 4 }", reason);
    refused("int &z; active proctype p() { d_step { int q; z = &q; z = 3 }; z = 2 }", reason);
    refused("int &z; function f() { d_step { int q; z = &q } } active proctype p() { f() }", reason);
    holds("int &z; active proctype p() { int q; d_step { z = &q; z = 3 }; assert(q == 3) }");
}

#[test]
fn records_that_contain_each_other_are_refused() {
    refused("typedef A { B b }; typedef B { A a }; init { A &p; p = new A }", "there is no type 'B'");
}

#[test]
fn references_of_very_many_parts_are_refused() {
    let long = format!("typedef N {{ N &n }}; N &p; init {{ p = p{} }}", ".n".repeat(20_000));
    refused(&long, "the model is nested too deep here");
}
