//! Section 2.2 of the paper, sentence by sentence: functions and function pointers.

use super::harness::{holds, refused, states, violates};

#[test]
fn a_function_returns_control_to_after_the_call() {
    holds("int g; function f() { g = 1 } active proctype P() { f(); assert(g == 1); g = 2 }");
}

#[test]
fn statements_of_functions_interleave_with_other_processes() {
    violates(
        "int g; function f() { g = 1; g = 2 } active proctype P() { f() } active proctype Q() { assert(g != 1) }",
        "assertion violated: g != 1",
    );
}

#[test]
fn functions_are_recursive() {
    holds(
        "function fac(int n) : int { int r; if :: n <= 1 -> return 1 :: else -> r = fac(n - 1); return n * r fi }
        active proctype P() { int x; x = fac(6); assert(x == 720) }",
    );
    holds(
        "function odd(int n) : bool { if :: n == 0 -> return false :: else -> return even(n - 1) fi }
        function even(int n) : bool { if :: n == 0 -> return true :: else -> return odd(n - 1) fi }
        active proctype P() { bool b; b = odd(7); assert(b) }",
    );
}

#[test]
fn a_function_needs_a_statement() {
    refused("function f() { } active proctype P() { f() }", "expected a statement");
}

#[test]
fn the_result_goes_to_a_variable() {
    holds(
        "byte a[3]; typedef T { int v; T &n }; T &t;
        function f(int x) : int { return x + 1 } function g() : T & { return t }
        active proctype P() {
            int i = 2; int &p = &i; T &u;
            a[i] = f(4); assert(a[2] == 5); p = f(6); assert(i == 7 && p == &i);
            t = new T; u = g(); assert(u == t); t.v = f(0); assert(u.v == 1)
        }",
    );
    refused(
        "function f() : int { return 1 } int &p; typedef T { int v }; T &t; active proctype P() { t = f() }",
        "gives an int",
    );
    refused("function f() { skip } int x; active proctype P() { x = f() }", "gives no result");
}

#[test]
fn a_result_may_be_discarded() {
    holds("int g; function f() : int { g++; return 1 } active proctype P() { f(); assert(g == 1) }");
}

#[test]
fn return_needs_an_expression_only_in_functions_with_a_type() {
    refused("function f() : int { return } active proctype P() { f() }", "this return needs an expression");
    refused("function f() { return 1 } active proctype P() { f() }", "this return has an expression");
    holds(
        "int g; function f() { if :: g == 0 -> return :: else fi; g = 9 } active proctype P() { f(); assert(g == 0) }",
    );
    refused("active proctype P() { return 1 }", "`return` stands outside");
}

#[test]
fn the_tail_form_passes_the_result_on_and_reuses_the_frame() {
    // 3,000 calls one in another would be more than the limit of 1,000 frames.
    holds(
        "function count(int n; int s) : int { if :: n == 0 -> return s :: else -> return count(n - 1, s + 1) fi }
        active proctype P() { int x; x = count(3000, 0); assert(x == 3000) }",
    );
    refused(
        "function f() : int { return g() } function g() : byte & { return null } active proctype P() { f() }",
        "and 'f' returns an int",
    );
}

#[test]
fn a_call_never_blocks_but_its_statements_may() {
    violates("function f() { false } active proctype P() { f() }", "invalid end state");
    violates(
        "function f() { false } active proctype P() { if :: f() :: true -> skip fi }",
        "invalid end state",
    );
}

#[test]
fn a_call_cannot_stand_in_a_d_step() {
    refused(
        "function f() { skip } active proctype P() { d_step { f() } }",
        "a call cannot stand in a d_step",
    );
    refused(
        "function f() { d_step { return } } active proctype P() { f() }",
        "a return cannot stand in a d_step",
    );
    holds(
        "int &p; active proctype P() { d_step { p = new int; p = 3; assert(p == 3); delete(p); p = null } }",
    );
}

#[test]
fn a_call_cannot_stand_inside_an_expression() {
    refused(
        "int x; function f() : int { return 1 } active proctype P() { x = f() + 1 }",
        "inside an expression",
    );
    refused(
        "int x; function f() : int { return 1 } active proctype P() { assert(f()) }",
        "inside an expression",
    );
}

#[test]
fn parameters_are_passed_by_value_and_by_reference() {
    holds(
        "int x = 1; function f(int a; int &b) { a = 5; b = 6 }
        active proctype P() { int y = 2; f(y, &x); assert(y == 2 && x == 6); f(x, &y); assert(x == 6 && y == 6) }",
    );
    refused(
        "int x; function f(int &b) { b = 6 } active proctype P() { f(x) }",
        "argument 1 of 'f' is a value",
    );
    refused("function f(int a) { skip } active proctype P() { f() }", "'f(int)' gets 0 arguments");
}

#[test]
fn a_function_pointer_is_null_until_it_is_assigned() {
    holds(
        "ftype f; function g() { skip } active proctype P() { assert(f == null); f = g; assert(f != null && f == g) }",
    );
    holds("function g() { skip } ftype f = g; active proctype P() { assert(f == g) }");
    violates("ftype f; active proctype P() { f() }", "call through `f`, which is null");
}

#[test]
fn a_function_pointer_can_be_called_in_all_three_forms() {
    holds(
        "int n; ftype f; function inc(int x) : int { n++; return x + 1 } function via(int x) : int { return f(x) }
        active proctype P() { int x; f = inc; x = f(4); assert(x == 5); f(7); x = via(8); assert(x == 9 && n == 3) }",
    );
}

#[test]
fn calls_through_pointers_are_checked() {
    violates(
        "ftype f; function g(int x) { skip } active proctype P() { f = g; f() }",
        "`f` is g(int), and is called with other",
    );
    violates(
        "ftype f; function g(int &x) { skip } active proctype P() { f = g; f(3) }",
        "argument 1 is of another type",
    );
    violates(
        "ftype f; int x; function g() { skip } active proctype P() { f = g; x = f() }",
        "its result cannot go",
    );
}

#[test]
fn function_pointers_travel_in_objects_messages_and_results() {
    holds(
        "typedef Shape { ftype area; int w; int h };
        function square(Shape &s) : int { return s.w * s.w } function rect(Shape &s) : int { return s.w * s.h }
        function pick(bool b) : ftype { if :: b -> return square :: else -> return rect fi }
        chan c = [1] of { ftype };
        active proctype P() {
            Shape &s; int a; ftype f; s = new Shape; s.w = 3; s.h = 4; s.area = rect; a = s.area(s); assert(a == 12);
            s.area = pick(true); a = s.area(s); assert(a == 9); c!square; c?f; assert(f == square)
        }",
    );
}

#[test]
fn a_function_that_ends_without_a_value_is_an_error_if_the_value_is_used() {
    violates(
        "int x; function f() : int { skip } active proctype P() { x = f() }",
        "`f` ended without a value",
    );
    holds("function f() : int { skip } active proctype P() { f() }");
}

#[test]
fn a_result_whose_place_is_gone_is_an_error() {
    violates(
        "typedef T { int v }; T &t; function f() : int { delete(t); return 1 }
        active proctype P() { t = new T; t.v = f() }",
        "dangling result",
    );
}

#[test]
fn a_cycle_of_calls_without_a_statement_is_an_error() {
    violates("function f() { f() } active proctype P() { f() }", "`f` calls itself without a statement");
    violates(
        "function f() { return } active proctype P() { do :: f() od }",
        "calls itself without a statement",
    );
    violates(
        "function f() : int { return f() } active proctype P() { f() }",
        "calls itself without a statement",
    );
    violates(
        "function f() { g() } function g() { f() } active proctype P() { f() }",
        "calls itself without a statement",
    );
    holds(
        "int x; function g() : int { return 1 } function f() : int { x = g(); return x }
        active proctype P() { int y; y = f(); y = f(); y = f(); assert(y == 1) }",
    );
    assert!(states("int g; function f() { g = 1 - g } active proctype P() { do :: f() od }") >= 2);
}

#[test]
fn calls_and_labels_in_the_wrong_place_are_refused() {
    refused("function f() { l: skip } active proctype P() { (f@l) }", "");
    refused("function f() { skip } function f() { skip } active proctype P() { f() }", "declared twice");
    refused("active proctype P() { f() }", "neither a function nor an inline");
    refused("int x; active proctype P() { x() }", "is not a function");
}
