//! `dead` in models with pointers, objects, functions and scopes: what dies, and what must not.

use super::dynamic::program;
use super::verdicts::{compare, explore};
use allways_promela::Reductions;
use allways_promela::options::{Collect, Dynamics};
use allways_search::Strategy;

const DEAD: Reductions = Reductions { dead: true, ..Reductions::NONE };

/// Searches with and without `dead`: the same violations; gives the states without and with it.
#[track_caller]
fn states(source: &str) -> (u64, u64) {
    compare(source, || program(source), &[DEAD, Reductions::ALL], None).expect("it is small");
    compare(source, || program(source), &[DEAD], None).expect("it is small")
}

/// As [`states`], with options.
#[track_caller]
fn states_with(source: &str, options: Dynamics) -> (u64, u64) {
    compare(source, || program(source).with_dynamics(options), &[DEAD], None).expect("it is small")
}

/// Something dies in the model.
#[track_caller]
fn is_reduced(source: &str) {
    let (plain, reduced) = states(source);
    assert!(reduced < plain, "{reduced} states of {plain}\n{source}");
}

/// Nothing dies in the model.
#[track_caller]
fn is_not_reduced(source: &str) {
    let (plain, reduced) = states(source);
    assert_eq!(reduced, plain, "{source}");
}

/// A choice whose trace a variable keeps, though nothing reads it any more.
const CHOICE: &str = "if :: x = 1 :: x = 2 :: x = 3 fi; x > 0";

#[test]
fn variables_of_processes_and_functions_die() {
    is_reduced(&format!("int g; active proctype p() {{ int x; int &q; {CHOICE}; q = &g; q = 1; g = 2 }}"));
    is_reduced(&format!(
        "int g; function f() {{ int x; {CHOICE}; g = 1; g = 2 }} active proctype p() {{ f() }}"
    ));
    is_reduced(
        "int g; function f(int x) { x > 0; g = 1; g = 2 }
         active proctype p() { int y; if :: y = 1 :: y = 2 :: y = 3 fi; f(y); skip }",
    );
    // A parameter that nothing reads is dead from the start.
    is_reduced(
        "int g; function f(int x) { g = 5; g = 6 }
         active proctype p() { if :: g = 1 :: g = 2 fi; f(g) }",
    );
}

#[test]
fn variables_of_scopes_die_in_their_loop() {
    is_reduced(&format!(
        "int g; active proctype p() {{ int &q; q = &g; do :: g < 3 -> {{ int x; {CHOICE}; g++; skip }} :: g == 3 -> break od }}"
    ));
    // What the next round begins with comes from its own entry.
    states(
        "int g; active proctype p() { int &q; q = &g; do :: g < 3 -> { int x = 1; assert(x == 1); x = 2; g++; skip } :: else -> break od }",
    );
    // First values read variables outside.
    states(
        "int g; active proctype p() { int x; int &q; q = &g; if :: x = 1 :: x = 2 fi; g = 5; { int y = x; x = 7; assert(y < 3 && q == 5) } }",
    );
}

#[test]
fn addressed_variables_do_not_die() {
    is_not_reduced(
        "int g; active proctype p() { int x; int &q; q = &x; if :: x = 1 :: x = 2 fi; g = 1; g = 2; assert(q > 0) }",
    );
    states(
        "int &g; active proctype p() { int x; g = &x; x = 1; x = 2; g = null }
         active proctype q() { if :: g != null -> assert(g != 2) :: else fi }",
    );
    states(
        "function f(int &r) { r = r + 1 }
         active proctype p() { int x; if :: x = 1 :: x = 2 fi; skip; f(&x); assert(x == 2) }",
    );
    // In the middle of a scope too, and through a whole array.
    states(
        "int &g; active proctype p() { { int a[2]; g = &a; a[1] = 4; skip; skip }; skip }
         active proctype q() { if :: g != null -> assert(g[1] == 0) :: else fi }",
    );
}

#[test]
fn callers_keep_what_they_read_behind_a_call() {
    states(
        "function f(int n) : int { int x; x = n; if :: n > 0 -> x = f(n - 1) :: else fi; return x + n }
         active proctype p() { int a, b; if :: a = 1 :: a = 2 fi; b = f(a); assert(b == a) }",
    );
    // The result goes to an element whose index changes meanwhile.
    states(
        "int g; function f() : int { g = 1; return 7 }
         active proctype p() { int a[3], i; int &q; q = &g; i = 2; a[i] = f(); i = 0; assert(a[2] == 7 && a[i] == 0) }",
    );
    // A call that is one of several options, and is left by an escape that reads.
    states(
        "int g; function f() { g = 1; g = 2; g == 9 }
         active proctype p() { int x; if :: x = 1 :: x = 2 fi; { if :: f() :: g == 0 -> skip fi; x = 5 } unless { g == 2 -> assert(x < 2) } }",
    );
    is_reduced(
        "int g; function f() { g = 1; g = 2 }
         active proctype p() { int x; if :: x = 1 :: x = 2 fi; if :: f() :: x > 0 -> f() fi; skip; skip }",
    );
}

#[test]
fn pointers_die_and_what_they_alone_refer_to_goes() {
    is_reduced(
        "typedef N { int v }; int g;
         active proctype p() { N &n; n = new N; if :: n.v = 1 :: n.v = 2 fi; g = 1; g = 2; g = 3 }",
    );
    // A dead pointer to a tombstone that another one still refers to.
    states(
        "typedef N { int v }; N &a; N &b;
         active proctype p() { N &n; n = new N; a = n; b = n; delete(n); n = new N; a = n; assert(a != b) }",
    );
    // The object is in a message, or in another object, when the pointer dies.
    states(
        "typedef N { int v; N &next }; chan c = [0] of { N & };
         active proctype p() { N &n; N &m; n = new N; n.v = 3; m = new N; m.next = n; n = null; c!m }
         active proctype q() { N &k; c?k; assert(k.next.v == 3); delete(k.next); assert(k.next != null) }",
    );
    states(
        "typedef N { chan c = [1] of { byte } };
         active proctype p() { N &n; chan d; byte x; n = new N; d = n.c; n = null; d!4; d?x; assert(x == 4) }",
    );
}

/// What looks at objects without a pointer that is read keeps all pointers alive.
#[test]
fn pointers_do_not_die_where_objects_are_looked_at() {
    let source = "typedef N { int v }; int g;
         active proctype p() { N &n; n = new N; g = 1; g = 2; g == 3 }
         active proctype q() { N &n; N &m; n = new N; delete(n); m = new N; g = 4; m.v = 1; delete(m) }";
    let options = [
        Dynamics { leaks: true, ..Dynamics::default() },
        Dynamics { reuse_addresses: true, ..Dynamics::default() },
        Dynamics { collect: Collect::None, ..Dynamics::default() },
        Dynamics { collect: Collect::Count, ..Dynamics::default() },
        Dynamics { symmetry: false, ..Dynamics::default() },
    ];
    for option in options {
        let (plain, reduced) = states_with(source, option);
        assert_eq!(plain, reduced, "{option:?}");
        // Numbers still die.
        let numbers = source.replace("N &n; n = new N; g", &format!("N &n; int x; {CHOICE}; n = new N; g"));
        let (plain, reduced) = states_with(&numbers, option);
        assert!(reduced < plain, "{option:?}: {reduced} of {plain}");
    }
    // While p waits indefinitely with its object, the object is not a leak.
    let leaks = Dynamics { leaks: true, ..Dynamics::default() };
    let program = program(source).with_dynamics(leaks).with_reductions(Reductions::ALL);
    let (found, _) = explore(&program, Strategy::Bfs, 1, None).expect("it is small");
    assert!(found.iter().all(|violation| !violation.contains("leaked")), "{found:?}");
}

#[test]
fn remote_and_observed_variables_do_not_die() {
    states(
        "int g; active proctype p() { int x; int &q; q = &g; x = 1; x = 2; q = 1; q = 2 }
         active proctype r() { assert(p:x != 2 || g > 0); assert(p:x < 2) }",
    );
}
