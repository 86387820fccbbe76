//! One test for each group of constructs, mostly by how the tree prints.

use crate::syntax::ast::{
    ActiveCount, ArrayBound, Decl, ExprKind, Initializer, LtlOp, Sequence, Step, Stmt, StmtKind, TypeName,
    Unit,
};
use crate::syntax::{Parsed, Severity, parse_text};

fn ok(text: &str) -> Parsed {
    let parsed = parse_text("t.pml", text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{}", parsed.render(false));
    parsed
}

/// The messages of the errors.
fn errors(text: &str) -> Vec<String> {
    let parsed = parse_text("t.pml", text);
    parsed.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect()
}

/// The steps of `init { body }` after `globals`.
fn steps_after(globals: &str, body: &str) -> Sequence {
    let parsed = ok(&format!("{globals}\ninit {{ {body} }}"));
    match parsed.ast.units.into_iter().last() {
        Some(Unit::Init(init)) => init.body.steps,
        other => panic!("no init: {other:?}"),
    }
}

fn steps(body: &str) -> Sequence {
    steps_after("mtype = { m1, m2 }; byte x, y, z, a[3]; chan c, d; proctype P(byte q) { l: skip }", body)
}

/// The steps as they print.
fn shown(body: &str) -> Vec<String> {
    steps(body).iter().map(ToString::to_string).collect()
}

fn stmt(step: &Step) -> &Stmt {
    match step {
        Step::Stmt(stmt) => stmt,
        other => panic!("no statement: {other:?}"),
    }
}

/// An expression with all its parentheses.
fn grouped(expr: &str) -> String {
    fn walk(kind: &ExprKind) -> String {
        match kind {
            ExprKind::Binary(op, a, b) => format!("({} {} {})", walk(&a.kind), op.symbol(), walk(&b.kind)),
            ExprKind::Unary(op, a) => format!("({}{})", op.symbol(), walk(&a.kind)),
            ExprKind::Ltl(op, a, Some(b)) => format!("({} {} {})", walk(&a.kind), op.symbol(), walk(&b.kind)),
            ExprKind::Ltl(op, a, None) => format!("({}{})", op.symbol(), walk(&a.kind)),
            other => other.to_string(),
        }
    }
    match &stmt(&steps(expr)[0]).kind {
        StmtKind::Expr(expr) => walk(&expr.kind),
        other => panic!("no expression: {other:?}"),
    }
}

fn formula(text: &str) -> (String, ExprKind) {
    let parsed = ok(&format!("bool p, q, r; ltl {{ {text} }}"));
    match parsed.ast.units.into_iter().last() {
        Some(Unit::Ltl(ltl)) => (ltl.formula.to_string(), ltl.formula.kind),
        other => panic!("no formula: {other:?}"),
    }
}

#[test]
fn operators_bind_as_in_spin() {
    assert_eq!(grouped("x + y * z - x"), "((x + (y * z)) - x)");
    assert_eq!(grouped("x == y && z < 1 || !x"), "(((x == y) && (z < 1)) || (!x))");
    assert_eq!(grouped("x & y == z"), "(x & (y == z))");
    assert_eq!(grouped("x | y ^ z & 1"), "(x | (y ^ (z & 1)))");
    assert_eq!(grouped("x << 1 + y >> z"), "((x << (1 + y)) >> z)");
    assert_eq!(grouped("-x % ~y"), "((-x) % (~y))");
    assert_eq!(grouped("! x == y"), "((!x) == y)");
    assert_eq!(grouped("x - -1"), "(x - (-1))");
    assert_eq!(grouped("(x -> y : z) + 1"), "((x -> y : z) + 1)");
    assert_eq!(grouped("x-->y"), "x", "SPIN reads `-->` as `->`");
}

#[test]
fn formulas_bind_as_in_spin() {
    assert_eq!(formula("[] p U q").0, "[] p U q");
    assert!(matches!(formula("[] p U q").1, ExprKind::Ltl(LtlOp::Until, ..)));
    assert!(matches!(formula("[] (p U q)").1, ExprKind::Ltl(LtlOp::Always, _, None)));
    assert_eq!(formula("p -> q -> r").0, "p -> q -> r");
    assert_eq!(formula("p -> (q -> r)").0, "p -> (q -> r)");
    assert_eq!(formula("p U q V r && p W q || p <-> q").0, "p U q V r && p W q || p <-> q");
    assert_eq!(formula("always eventually p").0, "[] <> p");
    assert_eq!(
        formula("p until q weakuntil r release p implies next q equivalent r").0,
        "p U q W r V p -> X q <-> r"
    );
    assert_eq!(formula("[]<>p && !<>[]q").0, "[] <> p && !<> [] q");
    assert_eq!(formula("p stronguntil q;").0, "p U q");
    assert_eq!(formula("p R q").0, "p V q");
    let parsed = ok("bool R; ltl { [] R R R } init { R = 1 }");
    assert!(matches!(&parsed.ast.units[1], Unit::Ltl(f) if f.formula.to_string() == "[] R V R"));
    assert_eq!(errors("int n; ltl { [] n == 1 }"), ["`[]` applies only to `n` here"]);
}

#[test]
fn formulas_see_names_declared_after_them() {
    let parsed = ok("ltl f { <> (P@l && P[0]:q == 1) } proctype P(byte q) { l: skip }");
    assert!(
        matches!(&parsed.ast.units[0], Unit::Ltl(f) if f.formula.to_string() == "<> (P@l && P[0]:q == 1)")
    );
    let parsed = parse_text("t.pml", "bool p; ltl { [] p");
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].severity, Severity::Warning);
}

#[test]
fn line_ends_separate_statements() {
    let two = ["x = 1", "y = 2"];
    for body in [
        "x = 1; y = 2",
        "x = 1\ny = 2",
        "x = 1 -> y = 2",
        "x = 1;;\n;y = 2;",
        "x = 1 /* \n */ y = 2\n\n",
        "x = (1\n)\ny = 2",
        "x = 1\n\n\n-> y = 2",
    ] {
        assert_eq!(shown(body), two, "{body:?}");
    }
    assert_eq!(shown("x = y\n-z"), ["x = y", "-z"], "the line end wins over the operator");
    assert_eq!(shown("x = y -\nz"), ["x = y - z"]);
    assert_eq!(shown("{ skip } x = 1"), ["{ ... }", "x = 1"]);
    assert_eq!(shown("if :: x -> skip :: else x = 1 fi\ny = 2").len(), 2);
    assert_eq!(shown("x++\nx--\nbreak\ngoto l\nprintf(\"\")\ntimeout\na[1]\nskip").len(), 8);
    assert_eq!(errors("byte x; init { x = 1 x = 2 }").len(), 1);
    assert_eq!(errors("chan c; byte x, y; init { c?<x>\n x = 2 }").len(), 1, "`>` does not end a statement");
}

#[test]
fn labels() {
    let body = steps("here: there: x = 1; last:");
    assert_eq!(stmt(&body[0]).labels.iter().map(|l| &*l.name).collect::<Vec<_>>(), ["here", "there"]);
    assert_eq!(stmt(&body[0]).kind.to_string(), "x = 1");
    assert_eq!(stmt(&body[1]).labels[0].name.as_ref(), "last");
    assert_eq!(stmt(&body[1]).kind.to_string(), "skip");
    assert_eq!(shown("do :: end: :: a: skip od; b: ; c1: { skip } unless { skip }").len(), 3);
    assert_eq!(errors("init { l: byte x }"), ["a label cannot stand before a declaration"]);
}

#[test]
fn channels() {
    for (body, expected) in [
        ("c!x,y", "c!x(y)"),
        ("c!m1(x, y + 1)", "c!m1(x,y + 1)"),
        ("c!1,x", "c!1,x"),
        ("c!!m1", "c!!m1"),
        ("c!x + 1(y)", "c!x + 1,y"),
        ("c!x -> skip", "c!x"),
        ("c?x,y", "c?x(y)"),
        ("c?m1(x, _)", "c?m1(x,_)"),
        ("c?(x, y)", "c?x(y)"),
        ("c?_,m1", "c?_,m1"),
        ("c??eval(x + 1), -2, 3", "c??eval(x + 1),-2,3"),
        ("c?<m1, x>;", "c?<m1(x)>"),
        ("c??<m1>;", "c??<m1>"),
        ("c?[m1, x] && y", "c?[m1(x)] && y"),
        ("!c??[eval(y)]", "!c??[eval(y)]"),
        ("len(c) + 1 > 2", "len(c) + 1 > 2"),
        ("nfull(c) && empty(d) || (nempty(c) && full(c))", "nfull(c) && empty(d) || nempty(c) && full(c)"),
    ] {
        assert_eq!(shown(body)[0], expected, "{body}");
    }
    assert_eq!(shown("xr c, d; xs c"), ["xr c,d", "xs c"]);
}

#[test]
fn statements() {
    let body = shown(
        "x++; a[x]--; assert x == 1; assert(y); printf(\"%d\\n\", x, y); printm(m1); printm(x); \
         set_priority(0, 1 + 2); atomic { skip }; d_step { skip } ; goto l; skip; true; false; timeout; \
         for (x : 1 .. y) { skip }; for (x in a) { skip }; x = run P(1) priority 3",
    );
    let expected = [
        "x = x + 1",
        "a[x] = a[x] - 1",
        "assert(x == 1)",
        "assert(y)",
        "printf(\"%d\\n\",x,y)",
        "printm(m1)",
        "printm(x)",
        "set_priority(0,1 + 2)",
        "atomic",
        "d_step",
        "goto l",
    ];
    assert_eq!(body[..expected.len()], expected);
    assert_eq!(body[body.len() - 3..], ["for (x : 1 .. y)", "for (x in a)", "x = run P(1) priority 3"]);
}

#[test]
fn unless_takes_two_statements() {
    let body = steps("{ x = 1 }\nunless { y = 2 }; x == 1 unless x = 3");
    assert!(matches!(&body[0], Step::Unless { main, escape, .. }
        if matches!(main.kind, StmtKind::Block(_)) && matches!(escape.kind, StmtKind::Block(_))));
    assert_eq!(body[1].to_string(), "x == 1 unless x = 3");
}

#[test]
fn select_over_constants_is_written_out() {
    assert!(
        matches!(&stmt(&steps("select (x : 1 .. 3)")[0]).kind, StmtKind::If(options) if options.len() == 3)
    );
    let wide = shown("select (x : 0 .. 40)");
    assert_eq!(wide, ["x = 0", "do"]);
    for kept in
        ["select (x : 1 .. y)", "select (x : -1 .. 3)", "select (x : (0) .. 3)", "select (a[1] : 0 .. 3)"]
    {
        assert_eq!(shown(kept), [kept.replace("(0)", "0")], "{kept}");
    }
    let inside = steps_after("byte x; inline f() { select (x : 1 .. 3) }", "f()");
    let StmtKind::Block(block) = &stmt(&inside[0]).kind else { panic!("no block") };
    assert_eq!(block.steps[0].to_string(), "select (x : 1 .. 3)");
}

#[test]
fn inlines_are_put_in_place() {
    let globals = "byte x, y; chan c; inline f(a, b) { a = b; g(a) }";
    let globals = format!("inline g(v) {{ v = v + 1 }} {globals} inline h(e) {{ return e + 1 }}");
    let body = steps_after(&globals, "f(x, y * 2) x = h(y); f(y,x)\nf(x, len(c))");
    assert_eq!(body.len(), 4);
    let inner = |step: &Step| match &stmt(step).kind {
        StmtKind::Block(block) => block.steps.clone(),
        other => panic!("no block: {other:?}"),
    };
    let first = inner(&body[0]);
    assert_eq!(first[0].to_string(), "x = y * 2");
    assert_eq!(inner(&first[1])[0].to_string(), "x = x + 1");
    assert_eq!(inner(&body[1])[0].to_string(), "x = y + 1");
    assert_eq!(inner(&body[2])[0].to_string(), "y = x");
    assert_eq!(inner(&body[3])[0].to_string(), "x = len(c)");
}

#[test]
fn statements_of_an_inline_stand_in_its_body() {
    let text = "byte x;\ninline f(a) {\n  skip;\n  a = 1\n}\ninit {\n  f(x)\n}\n";
    let parsed = ok(text);
    let Some(Unit::Init(init)) = parsed.ast.units.last() else { panic!("no init") };
    let outer = stmt(&init.body.steps[0]);
    let StmtKind::Block(block) = &outer.kind else { panic!("no block") };
    assert_eq!(parsed.sources.line(outer.span), 2);
    let lines: Vec<_> = block.steps.iter().map(|s| parsed.sources.line(stmt(s).span)).collect();
    assert_eq!(lines, [3, 4]);
    assert_eq!(parsed.sources.line(init.span), 6);
}

#[test]
fn inline_mistakes() {
    assert_eq!(errors("inline f() { f() } init { f() }"), ["inline `f` calls itself"]);
    assert_eq!(errors("inline f(a) { skip } init { f() }"), ["inline `f` takes 1 argument, not 0"]);
    assert_eq!(errors("inline f() { skip } inline f() { skip }"), ["inline `f` is defined already"]);
    assert_eq!(errors("inline f() { return 1 } init { f() }"), ["this call of an inline takes no result"]);
    assert_eq!(errors("init { g(1) }"), ["`g` is not an inline"]);
}

#[test]
fn macros_stand_where_they_are_used() {
    let text = "#define INC(v) v = v + 1\nbyte x;\ninit {\n  skip;\n  INC(x)\n}\n";
    let parsed = ok(text);
    let Some(Unit::Init(init)) = parsed.ast.units.last() else { panic!("no init") };
    assert_eq!(parsed.sources.line(stmt(&init.body.steps[1]).span), 5);
    assert_eq!(parsed.sources.snippet(stmt(&init.body.steps[1]).span), "INC");
}

fn global_decls(text: &str) -> Vec<Decl> {
    let units = ok(text).ast.units.into_iter();
    units.filter_map(|unit| if let Unit::Decl(decl) = unit { Some(decl) } else { None }).collect()
}

#[test]
fn declarations() {
    let text = "hidden byte a = 1, b[2]; show bit c show bool d = true short e int f[3] = { 1, -2, 3 } pid g; \
                unsigned u : 5 = 3; local int v";
    let shown: Vec<_> = global_decls(text).iter().map(ToString::to_string).collect();
    let expected = [
        "hidden byte a = 1, b[2]",
        "show bit c",
        "show bool d = 1",
        "short e",
        "int f[3] = {1,-2,3}",
        "pid g",
        "unsigned u : 5 = 3",
        "local int v",
    ];
    assert_eq!(shown, expected);
    let decls =
        global_decls("mtype = { a b, c }; int x[a + 2 * (c - 4) % 3]; int n = 3; byte y[n]; int z[c]");
    assert!(matches!(decls[0].vars[0].array, Some(ArrayBound::Count(3))), "a is 3, c is 1");
    assert!(matches!(&decls[2].vars[0].array, Some(ArrayBound::Named(n)) if &*n.name == "n"));
    assert!(matches!(decls[3].vars[0].array, Some(ArrayBound::Count(1))));
    let decls = global_decls("typedef T { int a }; chan c[2] = [3 - 1] of { mtype:k, T, chan, bit }");
    let Some(Initializer::Channel(init)) = &decls[0].vars[0].init else { panic!("no channel") };
    assert_eq!(init.capacity, 2);
    assert!(matches!(
        &init.fields[..],
        [TypeName::Mtype(Some(_)), TypeName::Named(_), TypeName::Chan, TypeName::Bit]
    ));
}

#[test]
fn symbolic_constants_count_from_the_end() {
    let parsed = ok("mtype = { a, b }; mtype:k = { p, q }; mtype { c d }; byte x[a]; byte y[c]; byte z[q]");
    let bounds: Vec<_> = parsed
        .ast
        .units
        .iter()
        .filter_map(|unit| match unit {
            Unit::Decl(decl) => Some(decl.vars[0].array.clone()),
            _ => None,
        })
        .collect();
    assert!(matches!(
        bounds[..],
        [Some(ArrayBound::Count(2)), Some(ArrayBound::Count(4)), Some(ArrayBound::Count(1))]
    ));
}

#[test]
fn processes() {
    let parsed = ok(
        "#define K 3\nint n = 2; active [K] proctype A(byte x, y; chan c) priority 4 provided (n > 0) \
                     { skip } active [n] proctype B() { skip } active D_proctype C() { skip } proctype D() { skip }",
    );
    let procs: Vec<_> = parsed
        .ast
        .units
        .iter()
        .filter_map(|u| if let Unit::Proctype(p) = u { Some(p) } else { None })
        .collect();
    assert!(matches!(procs[0].active, Some(ActiveCount::Count(3))));
    assert_eq!((procs[0].params.len(), procs[0].priority), (2, Some(4)));
    assert_eq!(procs[0].provided.as_ref().map(ToString::to_string).as_deref(), Some("n > 0"));
    assert!(matches!(&procs[1].active, Some(ActiveCount::Named(n)) if &*n.name == "n"));
    assert!(procs[2].deterministic && procs[3].active.is_none());
}

#[test]
fn claims_and_traces() {
    let parsed =
        ok("chan c; never { do :: np_ od } never named { skip } trace { c!1; c?_ } notrace { do :: c?x od }");
    let kinds: Vec<_> =
        parsed.ast.units.iter().map(|u| matches!(u, Unit::Never(_) | Unit::Trace(_))).collect();
    assert_eq!(kinds, [false, true, true, true, true]);
    assert_eq!(errors("chan c; byte x; trace { x = 1 }"), ["only events can stand in a trace"]);
}

#[test]
fn remote_references() {
    let body = shown("P[1]@l && P@l; P[x + 1]:q == 2; P:a[3] > 1; (x -> x : y)");
    assert_eq!(body, ["P[1]@l && P@l", "P[x + 1]:q == 2", "P:a[3] > 1", "(x -> x : y)"]);
}

#[test]
fn embedded_c_is_read_past() {
    let parsed = parse_text(
        "t.pml",
        "c_decl { int f() { return '}'; } } c_state \"int z\" \"Global\" byte x;\n\
         init { c_code [x > 0] { s = \"}\"; }\n x = 1; c_expr { x == 1 } && x -> skip }",
    );
    assert!(!parsed.has_errors(), "{}", parsed.render(false));
    assert_eq!(parsed.diagnostics.iter().filter(|d| d.severity == Severity::Unsupported).count(), 4);
    let Some(Unit::Init(init)) = parsed.ast.units.last() else { panic!("no init") };
    assert_eq!(init.body.steps.len(), 4);
}

#[test]
fn several_errors_in_one_run() {
    let found = errors("byte x; init { x = ; if :: x -> fi; x = (1; skip } proctype P() { y y } byte [3]");
    assert!(found.len() >= 4, "{found:?}");
}

#[test]
fn misplaced_else_is_a_warning() {
    let parsed = parse_text("t.pml", "byte x; init { if :: x -> skip; else -> skip :: l: else fi }");
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(parsed.diagnostics[0].severity, Severity::Warning);
}

#[test]
fn printed_expressions_parse_back() {
    for text in [
        "-(-x)",
        "!(!x)",
        "-(-1) + x",
        "x - (y - z)",
        "(x - y) - z",
        "(x + y) * z",
        "x + (y * z)",
        "!(x && y)",
        "~(x | y)",
        "(x == y) == z",
        "x == (y == z)",
        "(x -> y : (z -> 1 : 2))",
        "a[x + 1] % 2",
    ] {
        let once = shown(text);
        assert_eq!(shown(&once[0]), once, "{text}");
        assert_eq!(grouped(&once[0]), grouped(text), "{text}");
    }
}
