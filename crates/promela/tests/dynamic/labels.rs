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
