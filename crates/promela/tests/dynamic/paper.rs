//! Sentences of section 2 of the paper that the other files have no test of.

use super::harness::{holds, refused, violates};

#[test]
fn a_pointer_may_hold_a_reference_to_a_defined_or_to_a_generated_object() {
    holds(
        "int x = 1; active proctype P() { int &p; p = &x; assert(p == 1); p = new int; p = 2; assert(p == 2 && x == 1) }",
    );
}

#[test]
fn null_is_a_literal_that_programs_can_use() {
    holds(
        "int &p; active proctype P() { assert(p == null && null == p); p = new int; assert(!(p == null)); p = null }",
    );
    holds(
        "typedef T { T &n }; function f(T &t) : T & { return null } active proctype P() { T &t; t = f(null); assert(t == null) }",
    );
}

#[test]
fn left_values_are_produced_by_the_operator_and_by_new() {
    holds(
        "typedef T { int &p }; int x; T t; active proctype P() { t.p = &x; t.p = 4; assert(x == 4); t.p = new int; t.p = 5; assert(x == 4) }",
    );
    refused("int &p; active proctype P() { p = &3 }", "");
}

#[test]
fn in_all_other_statements_a_pointer_gives_its_right_value() {
    holds(
        "int x = 3; byte a[5]; chan c = [1] of { int }; active proctype P() {
            int &p = &x; int y;
            c!p; c?y; assert(y == 3); a[p] = 7; assert(a[3] == 7); c!9; c?p; assert(x == 9); printf(\"%d\", p);
            if :: p > 8 -> skip fi; y = (p == 9 -> 1 : 0); assert(y == 1 && -p == -9)
        }",
    );
}

#[test]
fn the_bound_of_new_is_optional_and_one_by_default() {
    holds("int &p; active proctype P() { p = new int; p = 1; p[0] = 2; assert(p == 2) }");
    violates(
        "int &p; active proctype P() { p = new int; p[1] = 2 }",
        "array index 1 is out of range (0 to 0)",
    );
    holds(
        "int &p; byte n = 3; active proctype P() { p = new int[n]; p[2] = 2; assert(p[2] == 2 && p[0] == 0) }",
    );
}

#[test]
fn only_heap_variables_can_be_deleted() {
    violates("int x; active proctype P() { int &p = &x; delete(p) }", "which was not allocated by new");
    violates("active proctype P() { int x; int &p = &x; delete(p) }", "which was not allocated by new");
    violates("int a[3]; active proctype P() { int &p = &a; delete(p) }", "which was not allocated by new");
}

#[test]
fn a_process_never_blocks_at_a_delete() {
    holds(
        "int &p, &q; int n; active proctype P() { p = new int; q = new int; if :: delete(p) :: delete(q) fi; n = 1 }
        active proctype Q() { (n == 1); assert(true) }",
    );
}

#[test]
fn a_function_does_not_span_a_process() {
    holds(
        "byte n; function f() { n = _nr_pr; assert(_pid == 0) } active proctype P() { f(); assert(n == 1) }",
    );
}

#[test]
fn functions_can_be_referred_to() {
    holds(
        "ftype f; function one() : int { return 1 } active proctype P() { int x; f = one; x = f(); assert(x == 1 && f == one) }",
    );
}

#[test]
fn the_type_of_a_result_is_any_type_also_of_pointers() {
    holds(
        "mtype = { red, blue }; typedef T { int v }; int x = 2; byte a[2]; chan c = [1] of { byte };
        function f1() : bool { return true } function f2() : byte { return 200 } function f3() : short { return -2 }
        function f4() : mtype { return blue } function f5() : int & { return &x } function f6() : byte & { return &a }
        function f7() : ftype { return f1 } function f8() : chan { return c }
        active proctype P() {
            bool b; byte y; short s; mtype m; int &p; byte &q; ftype f; chan d;
            b = f1(); y = f2(); s = f3(); m = f4(); p = f5(); q = f6(); f = f7(); d = f8();
            assert(b && y == 200 && s == -2 && m == blue && p == &x && q[1] == 0 && f == f1);
            d!3; assert(len(c) == 1)
        }",
    );
}

#[test]
fn a_function_without_a_type_is_a_procedure() {
    holds("int g; function f(int x) { g = g + x } active proctype P() { f(2); f(3); assert(g == 5) }");
    refused("int g; function f(int x) { g = g + x } active proctype P() { g = f(2) }", "gives no result");
}

#[test]
fn a_body_has_declarations_and_statements() {
    holds(
        "function f() : int { int x = 1; byte y; x = x + 1; byte z = 4; y = z; return x + y } active proctype P() { int r; r = f(); assert(r == 6) }",
    );
    refused("function f() { int x } active proctype P() { f() }", "at least one statement");
}

#[test]
fn any_expression_can_be_returned() {
    holds(
        "int a[3]; function f(int i) : int { return (a[i] + 2) * i } active proctype P() { int r; a[2] = 3; r = f(2); assert(r == 10) }",
    );
}

#[test]
fn return_leaves_to_the_statement_below_the_call() {
    holds(
        "int g; function f() { do :: g == 3 -> return :: else -> g++ od; g = 100 } active proctype P() { f(); g = g + 1; assert(g == 4) }",
    );
}

#[test]
fn a_return_is_always_executable() {
    holds(
        "int g; function f() : int { if :: return 1 :: return 2 fi } active proctype P() { int x; x = f(); g = 1; assert(x == 1 || x == 2) }",
    );
}

#[test]
fn the_executability_of_a_call_is_that_of_the_statements_inside() {
    violates(
        "int g; function f() { (g == 1) } active proctype P() { if :: f() -> skip :: false fi }",
        "invalid end state",
    );
    holds(
        "int g; function f() { (g == 1) } active proctype P() { f(); assert(g == 1) } active proctype Q() { g = 1 }",
    );
}

#[test]
fn a_function_pointer_takes_any_declared_function() {
    holds(
        "ftype f; int n; function later() { n = n + 10 } function f0() { n++ } function f1(int x) { n = n + x }
        active proctype P() { f = f0; f(); f = f1; f(5); f = later; f(); assert(n == 16); f = null; assert(f == null) }",
    );
}

#[test]
fn variables_of_a_function_are_visible_only_inside() {
    refused("function f() { int x; x = 1 } active proctype P() { f(); x = 2 }", "'x' is not declared");
    refused("int &g; active proctype P() { { int y = 1; y = 2 }; y = 3 }", "'y' is not declared");
}

#[test]
fn scopes_stand_in_processes_functions_and_scopes() {
    holds(
        "int &g; function f() : int { int r; { int x = 2; { int x = 3; r = x }; r = r + x }; return r }
        active proctype P() { int r; r = f(); assert(r == 5); { int r = 7; { int r = 8; assert(r == 8) }; assert(r == 7) }; assert(r == 5) }",
    );
}
