//! Section 2.1 of the paper, sentence by sentence: pointers, the left-value operator, `new` and `delete`.

use super::harness::{holds, loaded, messages_of, program, refused, violates};

/// In a state that has not as many bytes as the object had, too.
#[test]
fn fields_of_what_is_gone_are_not_read() {
    let source = "typedef I { int v; int &p }; typedef O { I i[2]; I &r }; O &o;
        active proctype P() { o = new O; o.i[1].v = 3; o.r = &o.i[1]; delete(o); assert(o.r == null) }";
    violates(source, "dangling pointer `o` is used");
    violates(&source.replace("assert(o.r == null)", "o.i[1].v = o.i[0].v"), "dangling pointer `o` is used");
    violates(
        "typedef O { int v[9] }; O &o; active proctype P() { int x; x = o.v[8] + o.v[x] }",
        "null pointer `o` is used",
    );
}

#[test]
fn a_pointer_is_declared_by_an_ampersand_before_its_name() {
    holds("int &p; byte &a[3]; chan &c; typedef T { int v; T &next }; T &t; active proctype P() { skip }");
}

#[test]
fn an_object_is_a_variable_of_any_type_basic_array_or_structured() {
    holds(
        "typedef T { int v; byte a[3] }; int x; short s[4]; T t; bool b; mtype = { m }; mtype k; unsigned u : 5;
        active proctype P() {
            int &p = &x; short &q = &s; T &r = &t; bool &o = &b; mtype &l = &k; unsigned &w : 5 = &u;
            p = 7; q[3] = -2; r.v = 5; r.a[2] = 9; o = true; l = m; w = 33;
            assert(x == 7 && s[3] == -2 && t.v == 5 && t.a[2] == 9 && b && k == m && u == 1)
        }",
    );
}

#[test]
fn a_pointer_that_is_not_initialised_is_null() {
    holds(
        "int &g; active proctype P() { int &p; byte &a[2]; assert(g == null && p == null && a[1] == null) }",
    );
    holds("int x; int &g = &x; active proctype P() { int &p = g; assert(g != null && p == &x) }");
}

#[test]
fn a_pointer_is_dereferenced_by_its_context() {
    holds("int x = 4; active proctype P() { int &p = &x; int y; y = p * p + 1; assert(y == 17 && p > 3) }");
}

#[test]
fn assignment_of_a_pointer_changes_the_left_value() {
    holds(
        "int x = 1, y = 2; active proctype P() { int &p = &x; int &q = &y; p = q; p = 5; assert(x == 1 && y == 5) }",
    );
}

#[test]
fn assignment_of_a_left_value_expression_changes_the_left_value() {
    holds(
        "int x = 1, y = 2; active proctype P() { int &p = &x; p = &y; assert(p == 2 && x == 1 && p == &y) }",
    );
}

#[test]
fn assignment_of_a_new_object_changes_the_left_value() {
    holds("int x = 1; active proctype P() { int &p = &x; p = new int; p = 5; assert(x == 1 && p == 5) }");
}

#[test]
fn assignment_of_null_changes_the_left_value() {
    holds("int x = 1; active proctype P() { int &p = &x; p = null; assert(p == null && x == 1) }");
}

#[test]
fn any_other_assignment_to_a_pointer_changes_the_right_value() {
    holds("int x; active proctype P() { int &p = &x; p = 3; p++; p = p + 2; assert(x == 6 && p == &x) }");
}

#[test]
fn writing_through_null_is_an_error() {
    violates("active proctype P() { int &p; p = 1 }", "null pointer `p` is used");
    violates("active proctype P() { int &p; p++ }", "null pointer `p` is used");
}

#[test]
fn a_pointer_gives_its_left_value_to_a_pointer_and_its_right_value_to_others() {
    holds(
        "int x = 3; active proctype P() { int &p = &x; int &q; int y; q = p; y = p; assert(q == &x && y == 3) }",
    );
    holds("active proctype P() { int &p; int &q; q = p; assert(q == null) }");
}

#[test]
fn reading_through_null_is_an_error() {
    violates("active proctype P() { int &p; int y; y = p }", "null pointer `p` is used");
    violates(
        "typedef T { T &n; int v }; active proctype P() { T &p; (p.n.v == 0) }",
        "null pointer `p` is used",
    );
    violates(
        "typedef T { T &n; int v }; T t; active proctype P() { T &p = &t; (p.n.v == 0) }",
        "null pointer `p.n` is used",
    );
}

#[test]
fn two_pointers_are_equal_if_they_refer_to_the_same_object_or_are_null() {
    holds(
        "int x = 1, y = 1; active proctype P() {
            int &p = &x; int &q = &y; int &r;
            assert(p != q && r == null); q = &x; assert(p == q); p = null; assert(p == r)
        }",
    );
}

#[test]
fn in_all_other_expressions_a_pointer_gives_its_right_value() {
    holds(
        "int x = 4, y = 9; chan c = [1] of { int }; active proctype P() {
            int &p = &x; int &q = &y; int z;
            assert(p < q && -p == -4 && p == 4 && (p > 3 -> q : p) == 9 && 4 == p);
            c!p; c?z; assert(z == 4); c!1; c?q; assert(y == 1 && q == &y)
        }",
    );
    violates("active proctype P() { int &p; (p == 3) }", "null pointer `p` is used");
}

#[test]
fn the_left_value_operator_takes_any_variable() {
    holds(
        "typedef I { int w[2] }; typedef T { int v; I i[2] }; T t[2]; byte a[3];
        active proctype P() {
            int &p = &t[1].v; byte &q = &a[2]; I &r = &t[0].i[1]; int k = 1; int &m = &r.w[k];
            p = 3; q = 4; m = 5;
            assert(t[1].v == 3 && a[2] == 4 && t[0].i[1].w[1] == 5)
        }",
    );
}

#[test]
fn the_left_value_operator_cannot_be_applied_to_a_pointer() {
    refused("int &p, &q; active proctype P() { q = &p }", "cannot be applied to 'p', which is a pointer");
    refused("ftype f; int &q; active proctype P() { q = &f }", "which is an ftype");
}

#[test]
fn types_of_pointers_are_equal_by_name() {
    refused("int x; byte &p; active proctype P() { p = &x }", "is an int &, and a byte & is needed");
    refused(
        "typedef A { int v }; typedef B { int v }; A &a; B &b; active proctype P() { a = b }",
        "is a B &, and an A &",
    );
    refused(
        "int &p; byte &q; typedef A { int v }; A &a; active proctype P() { (p == a) }",
        "cannot be compared",
    );
    holds("bit b; bool &p; byte y; pid &q; active proctype P() { p = &b; q = &y; p = true; assert(b == 1) }");
}

#[test]
fn new_allocates_one_object_or_several() {
    holds(
        "typedef T { int v; T &next }; active proctype P() {
            T &t; byte &a; int n = 3;
            t = new T; assert(t.v == 0 && t.next == null); t.next = new T; t.next.v = 4; assert(t.next.v == 4);
            a = new byte[n + 1]; a[3] = 7; assert(a[0] == 0 && a[3] == 7)
        }",
    );
    violates(
        "byte &a; active proctype P() { a = new byte[3]; a[3] = 1 }",
        "array index 3 is out of range (0 to 2)",
    );
    violates("byte &a; int n; active proctype P() { a = new byte[n] }", "with n = 0");
    refused("int &p; active proctype P() { p = new byte }", "'p' is an int &, and the new object is a byte");
}

#[test]
fn the_reference_of_a_new_object_goes_to_a_pointer() {
    refused("int x; active proctype P() { x = new int }", "'x' is not a pointer");
    refused("active proctype P() { int &p = new int }", "`new` is a statement");
}

#[test]
fn delete_releases_an_object() {
    violates("int &p; active proctype P() { p = new int; delete(p); p = 1 }", "dangling pointer `p` is used");
    violates("int &p; int x; active proctype P() { p = new int; delete(p); x = p }", "was deleted");
    holds(
        "int &p, &q; active proctype P() { p = new int; q = p; delete(p); assert(p == q && p != null); p = null }",
    );
}

#[test]
fn deleting_a_static_variable_is_an_error() {
    violates("int x; active proctype P() { int &p = &x; delete(p) }", "which was not allocated by new");
    violates("active proctype P() { int x; int &p = &x; delete(p) }", "which was not allocated by new");
}

#[test]
fn deleting_null_twice_or_a_part_is_an_error() {
    violates("int &p; active proctype P() { delete(p) }", "delete of null");
    violates("int &p; active proctype P() { p = new int; delete(p); delete(p) }", "`p` is deleted twice");
    violates("int &p; active proctype P() { p = new int[2]; p = &p[1]; delete(p) }", "interior part");
    violates(
        "typedef T { int v }; T &t; active proctype P() { int &p; t = new T; p = &t.v; delete(p) }",
        "interior part",
    );
}

#[test]
fn new_and_delete_are_always_executable() {
    holds("int &p; active proctype P() { do :: p = new int; delete(p) od }");
}

#[test]
fn objects_can_be_deleted_in_any_order() {
    holds(
        "int &p, &q, &r; active proctype P() {
            p = new int; q = new int; r = new int; r = 3; delete(q); delete(p); assert(r == 3); delete(r)
        }",
    );
}

#[test]
fn a_bit_behind_a_pointer_is_one_bit() {
    holds(
        "bit b, a[2]; active proctype P() { bit &p = &b; p = 3; p = &a[1]; p = 2; assert(b == 1 && a[1] == 0) }",
    );
}

#[test]
fn a_reference_to_an_array_and_to_its_first_element_differ() {
    holds(
        "byte a[2], b[1]; active proctype P() {
            byte &p = &a; byte &q = &a[0]; byte &r = &b; byte &s = &b[0];
            assert(p != q && r == s); p[1] = 3; assert(a[1] == 3)
        }",
    );
    violates(
        "byte a[2]; active proctype P() { byte &p = &a[0]; p[1] = 3 }",
        "array index 1 is out of range (0 to 0)",
    );
}

#[test]
fn arrays_of_pointers_go_on_through_an_element() {
    holds(
        "int x; int &a[2]; active proctype P() {
            int i = 1; a[i] = &x; a[i] = 4; assert(x == 4 && a[0] == null);
            a[0] = new int[3]; a[0][2] = 8; assert(a[0][2] == 8)
        }",
    );
}

#[test]
fn messages_run_arguments_and_parameters_carry_pointers() {
    holds(
        "typedef T { int v }; chan c = [2] of { byte, T & };
        proctype Q(T &t; int x) { T &r; c?1,r; assert(r == t && r.v == x); r.v = 9; c!2,r }
        init { T &t; T &u; t = new T; t.v = 6; run Q(t, 6); c!1,t; c?2,u; assert(u == t && t.v == 9); c!3,null; c?3,null }",
    );
    violates(
        "int x; chan c = [1] of { int & }; active proctype P() { c!x }",
        "what is sent is a value, and the channel has the pointer type int & there",
    );
    violates(
        "typedef N { int v }; chan c = [1] of { N & }; int &p; active proctype P() { c!p }",
        "what is sent is the pointer type int &, and the channel has the pointer type N & there",
    );
    violates(
        "typedef N { int v }; chan c = [1] of { N & }; int &p; active proctype P() { c!null; c?p }",
        "what is received is the pointer type N &, and it goes into the pointer type int &",
    );
    refused("proctype Q(int &p) { skip } init { int x; run Q(x) }", "argument 1 of 'Q'");
}

#[test]
fn eval_and_polls_match_identities() {
    holds(
        "int x = 1, y = 1; chan c = [2] of { int & }; active proctype P() {
            int &p = &x; int &q = &y; int &r;
            c!p; assert(c?[eval(p)] && !c?[eval(q)]); c?eval(p); c!q; c?r; assert(r == &y)
        }",
    );
}

#[test]
fn channels_of_objects_are_their_own() {
    holds(
        "typedef N { int v; chan lock = [1] of { bit } };
        active proctype P() {
            N &n; N &m; chan &l; chan c;
            n = new N; m = new N; n.lock!1; assert(len(n.lock) == 1 && len(m.lock) == 0);
            l = &n.lock; l?1; assert(empty(n.lock)); c = m.lock; c!1; assert(len(m.lock) == 1 && c == m.lock);
            l = new chan [2] of { byte }; l!5; l!6; assert(len(l) == 2)
        }",
    );
    violates(
        "typedef N { chan lock = [1] of { bit } }; active proctype P() { N &n; chan c; n = new N; c = n.lock; delete(n); c!1 }",
        "the object that it belongs to was deleted",
    );
}

#[test]
fn a_channel_of_an_object_is_no_number() {
    refused(
        "typedef N { chan l = [1] of { bit } }; byte x; active proctype P() { N &n; n = new N; x = n.l }",
        "is a channel, and a number is needed",
    );
}

#[test]
fn records_have_no_value_as_a_whole() {
    refused(
        "typedef T { int v }; T t; T &p; int x; active proctype P() { p = &t; x = p }",
        "no value as a whole",
    );
    refused("hidden int x; int &p; active proctype P() { p = &x; p = x }", "hidden");
}

#[test]
fn null_and_dangling_uses_in_a_condition_are_errors() {
    violates(
        "int &p; active proctype P() { if :: p == 3 -> skip :: else -> assert(false) fi }",
        "null pointer `p`",
    );
}

#[test]
fn errors_about_pointers_name_both_types() {
    for (statement, text) in [
        ("p = n", "'n' is a N &, and an int & is needed here"),
        ("n = new int", "'n' is a N &, and the new object is an int"),
        ("assert(p == n)", "an int & cannot be compared with a N &"),
        ("p = f()", "'p' is an int &, and 'f' gives a N &"),
        ("g(p)", "argument 1 of 'g' is an int &, and a N & is needed here"),
        ("g(t)", "argument 1 of 'g' is a value, and a N & is needed here"),
        ("p = &b", "'&b' is a byte &, and an int & is needed here"),
        ("h = p", "'p' is an int &, and a ftype is needed here"),
        ("run Q(n)", "argument 1 of 'Q' is a N &, and an int & is needed here"),
    ] {
        let source = format!(
            "typedef N {{ int v }}; N t; byte b; int &p; N &n; ftype h; function f() : N & {{ return null }}
            function g(N &x) {{ skip }} proctype Q(int &x) {{ skip }} active proctype P() {{ {statement} }}"
        );
        refused(&source, text);
    }
}

#[test]
fn a_name_before_a_parenthesis_in_a_send_is_a_field() {
    holds(
        "mtype = { job }; chan c = [1] of { mtype, int & }; int x = 3;
        active proctype P() { int &p; c!job(&x); c?job(p); assert(p == &x) }",
    );
}

#[test]
fn printing_through_a_pointer_is_a_use() {
    violates(
        "typedef T { int v }; active proctype P() { T &t; t = new T; delete(t); printf(\"%d\\n\", t.v) }",
        "dangling",
    );
    violates("int &b; active proctype P() { printf(\"%p\\n\", b); printf(\"%d\\n\", b + 1) }", "null");
    violates(
        "typedef T { int v }; T &t; active proctype P() { t = new T; delete(t) }
        active proctype Q() { T &u; if :: t != null -> u = t; printf(\"%d\", u.v) :: else fi }",
        "dangling",
    );
    holds(
        "int x; active proctype P() { int &p = &x; printf(\"%d %p\\n\", p, p); p = null; printf(\"%p\", p) }",
    );
}

#[test]
fn native_code_sees_what_is_printed_through_pointers() {
    let text = "typedef T { int v }; T &t; active proctype P() { t = new T; t.v = 3; printf(\"%d\\n\", t.v); delete(t) }
        active proctype Q() { T &u; if :: t != null -> u = t; printf(\"%d\", u.v) :: else fi }";
    let program = program(text);
    program.compile();
    let messages = messages_of(&program);
    assert!(messages.len() == 1 && messages[0].contains("dangling"), "{messages:?}");
}

#[test]
fn fields_may_have_the_names_of_temporal_operators() {
    let text =
        "typedef N { N &next; byte until; byte X }; N &top; active proctype P() { N &n; n = new N; top = n }
        ltl a { [] (top == null || top.next == null && top.until == 0 && top . X == 0) }";
    assert!(loaded(text).program.is_some(), "{:?}", loaded(text).diagnostics);
}
