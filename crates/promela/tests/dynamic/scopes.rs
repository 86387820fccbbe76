//! Local scopes: nesting, hiding, initialisation at entry, and what is left when they have ended.

use super::harness::{holds, violates};

#[test]
fn scopes_nest_and_hide() {
    holds(
        "int &g; int x = 1; active proctype P() {
            int x = 2; { int x = 3; { int x = 4; assert(x == 4) }; assert(x == 3); x = 9 }; assert(x == 2)
        }",
    );
}

#[test]
fn variables_are_initialised_when_control_enters() {
    holds(
        "int &g; active proctype P() {
            int i, s;
            do :: i < 3 -> { int x = 5; x++; s = s + x }; i++ :: else -> break od;
            assert(s == 18)
        }",
    );
}

#[test]
fn an_inner_loop_does_not_enter_again() {
    holds(
        "int &g; active proctype P() { { int x = 3; do :: x < 6 -> x++ :: else -> break od; assert(x == 6) } }",
    );
}

#[test]
fn a_jump_before_the_brace_enters_again() {
    holds(
        "int &g; int n; active proctype P() {
            again: { int x = 3; assert(x == 3); x = 4; n++; if :: n < 3 -> goto again :: else fi }; assert(n == 3)
        }",
    );
}

#[test]
fn entry_belongs_to_the_first_statement() {
    // The guard of the option is that of the scope, and nothing happens while it is not executable.
    holds(
        "int &g; bool go; active proctype P() {
            if :: { int x = 2; go && x == 2 -> assert(x == 2) } fi
        }
        active proctype Q() { go = true }",
    );
}

#[test]
fn a_reference_into_a_scope_that_has_ended_is_found() {
    violates("int &g; active proctype P() { { int x = 3; g = &x }; g = 4 }", "has ended");
    violates("int &g; active proctype P() { { int x = 3; g = &x }; delete(g) }", "is deleted twice");
    violates(
        "int &g; function f() { int x = 1; g = &x } active proctype P() { f(); g = 2 }",
        "dangling pointer `g` is used",
    );
    violates(
        "int &g; proctype Q() { int x = 1; g = &x } init { run Q(); (_nr_pr == 1); g = 2 }",
        "dangling pointer `g` is used",
    );
}

#[test]
fn a_process_at_its_end_still_has_its_variables() {
    holds(
        "int &g; active proctype P() { int x = 1; g = &x } active proctype Q() { (g != null && _nr_pr == 2) -> assert(g == 1) }",
    );
}

#[test]
fn each_activation_has_its_own_variables() {
    holds(
        "function f(int n; int &up) : int {
            int x; int r; x = n; if :: n == 0 -> up = 7; return 0 :: else -> r = f(n - 1, &x); assert(n > 1 || x == 7); return x fi
        }
        active proctype P() { int y, z; z = f(3, &y); assert(z == 3 && y == 0) }",
    );
}

#[test]
fn return_leaves_all_scopes() {
    holds(
        "int g; function f() : int { { int x = 3; { int y = 4; return x + y } } }
        active proctype P() { int r; r = f(); assert(r == 7); r = f(); assert(r == 7) }",
    );
}
