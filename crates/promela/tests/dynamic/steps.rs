//! The structure of steps, on graphs that can be counted by hand. The initial state counts; a process's end
//! is a step.

use super::harness::{holds, states, violates};

#[test]
fn a_call_and_the_first_statement_are_one_step() {
    // start, after call and g = 1, after the (implicit) return with the end of the process.
    assert_eq!(states("int g; function f() { g = 1 } active proctype P() { f() }"), 3);
    // start; g = 1; return with g = 2; end.
    assert_eq!(states("int g; function f() { g = 1 } active proctype P() { f(); g = 2 }"), 4);
}

#[test]
fn a_return_and_the_next_statement_are_one_step() {
    holds(
        "int g; function f() : int { return g } active proctype P() { int x; x = f(); assert(x == g) }
        active proctype Q() { g = 1 }",
    );
    holds(
        "int g; function f(int v) { assert(v == g) } active proctype P() { f(g) } active proctype Q() { g = 1 }",
    );
    // start; call, return and g = 1; end.
    assert_eq!(states("int g; function f() { return } active proctype P() { f(); g = 1 }"), 3);
}

#[test]
fn what_ends_a_body_is_a_state_of_its_own() {
    violates(
        "int g; function f() : int { int r; r = g; return r } active proctype P() { int x; x = f(); assert(x == g) }
        active proctype Q() { g = 1 }",
        "assertion violated: x == g",
    );
}

#[test]
fn a_blocked_first_statement_leaves_a_state_inside() {
    // start; inside f, blocked; go = 1 before or after the call (2 more); then wait passed, end...
    let source = "bit go; function f() { (go) } active proctype P() { f() }";
    // start; blocked inside.
    assert_eq!(states(source), 2);
    violates(source, "invalid end state");
}

#[test]
fn a_return_into_a_blocked_statement_stops_there() {
    // start; blocked in front of (go), after call and return.
    assert_eq!(states("bit go; function f() { return } active proctype P() { f(); (go) }"), 2);
}

#[test]
fn chains_of_calls_and_returns_are_one_step() {
    let source = "int g; function a() { b() } function b() { c() } function c() { return }
        active proctype P() { a(); g = 1 }";
    // start; a, b, c called, c returns: b is at its end, whose return is in the chain, so is a's; g = 1; end.
    assert_eq!(states(source), 3);
}

/// The sequence ends with the return: what follows is no part of it.
#[test]
fn an_atomic_sequence_that_ends_with_a_call_ends_with_its_return() {
    for f in [
        "function f() { x = 1; x = 2 }",
        "function f() { x = 1; x = 2; return }",
        "function g() { x = 2 } function f() { x = 1; g() }",
    ] {
        let source = format!(
            "int x; {f} active proctype P() {{ atomic {{ f() }}; x = 0 }} active proctype Q() {{ assert(x == 0) }}"
        );
        violates(&source, "x == 0");
        holds(&source.replace("assert(x == 0)", "assert(x == 0 || x == 2)"));
        holds(&source.replace("f() }; x = 0 }", "f(); x = 0 } }"));
    }
    // The result belongs to it.
    holds(
        "int x, y; function f() : int { return 2 } active proctype P() { atomic { x = 1; y = f() }; x = 0; y = 0 }
         active proctype Q() { if :: x == 1 -> assert(y == 2 || x == 0) :: else fi }",
    );
}

#[test]
fn atomic_spans_calls() {
    holds(
        "int g; function f() { g = 1; g = 2; g = 0 } active proctype P() { atomic { f(); f() } }
        active proctype Q() { assert(g == 0) }",
    );
    violates(
        "int g; function f() { g = 1; g = 2; g = 0 } active proctype P() { atomic { g = 0 }; f() }
        active proctype Q() { assert(g == 0) }",
        "assertion violated",
    );
    // An atomic of a function ends with it.
    violates(
        "int g; function f() { atomic { g = 1; return } } active proctype P() { f(); skip; g = 0 }
        active proctype Q() { assert(g == 0) }",
        "assertion violated",
    );
}

#[test]
fn a_block_in_an_atomic_call_gives_control_away() {
    holds(
        "int g; bit go; function f() { (go); g = 1 } active proctype P() { atomic { f(); assert(g == 1) } }
        active proctype Q() { go = 1 }",
    );
}

#[test]
fn an_escape_leaves_the_functions_that_it_surrounds() {
    holds(
        "bit stop; int g; function h() { do :: g = 1 - g od } function f() { h() }
        active proctype P() { { f() } unless { stop }; assert(stop) }
        active proctype Q() { stop = 1 }",
    );
    // The escape of one option does not belong to the call in another.
    violates(
        "int g; function f() { g = 1; false } active proctype P() { if :: f() :: { false } unless { g == 1 } fi }",
        "invalid end state",
    );
}

#[test]
fn references_into_frames_that_an_escape_leaves_dangle() {
    violates(
        "int &p; bit stop; function f() { int x = 1; p = &x; stop = 1; false }
        active proctype P() { { f() } unless { stop }; p = 3 }",
        "dangling pointer `p` is used",
    );
}

#[test]
fn rendezvous_meet_a_process_only_where_its_chain_has_stopped() {
    holds(
        "chan c = [0] of { byte }; byte got; function f() { c?got } active proctype P() { f(); assert(got == 5) }
        active proctype Q() { c!5 }",
    );
}

#[test]
fn else_beside_a_call_is_never_taken() {
    holds("int g; function f() { g = 1 } active proctype P() { if :: f() :: else -> assert(false) fi }");
}

#[test]
fn scopes_and_calls_work_in_every_loop() {
    holds(
        "int s; function add(int n) { s = s + n }
        active proctype P() { int i; for (i : 1 .. 3) { int twice; twice = 2 * i; add(twice) }; assert(s == 12) }",
    );
}
