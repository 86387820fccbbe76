//! Models with pointers, objects and functions, as a user meets them.

use crate::Sandbox;
use serde_json::Value;

const LOST: &str = "typedef Node { int v; Node &next };
Node &top;
function push(Node &n) {
    n.next = top;
    top = n
}
active proctype p() {
    Node &n;
    n = new Node;
    push(n);
    delete(n);
    top.v = 3
}
";

#[test]
fn a_dangling_pointer_is_explained() {
    let sandbox = Sandbox::with(LOST);
    let run = sandbox.run(&["check", "x.pml", "--dynamic"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.out.contains(
            "dangling pointer `top` is used: the Node allocated at x.pml:9 (step 1) was deleted at x.pml:11 (step 4)"
        ),
        "{}",
        run.out
    );
    let lines = [
        "n: null -> Node",
        "push.n: new n",
        "top: null -> n",
        "object top: Node -> deleted",
        "top = dangling",
    ];
    assert!(run.out.contains("n = dangling, as top"), "{}", run.out);
    for line in lines {
        assert!(run.out.contains(line), "{line}\n{}", run.out);
    }
    let replayed = sandbox.run(&["replay", "x.pml.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(replayed.out.contains("delete(n)"), "{}", replayed.out);
    assert!(replayed.out.contains("allocated at x.pml:9"), "{}", replayed.out);
}

#[test]
fn every_process_shows_its_calls() {
    let model = "int &p;\nfunction inner(int k) {\n    (p != null);\n    skip\n}\nfunction outer(int k) {\n    inner(k + 1)\n}
active proctype P() {\n    outer(3)\n}";
    let sandbox = Sandbox::with(model);
    let run = sandbox.run(&["check", "x.pml", "--dynamic"]);
    assert_eq!(run.code, 1, "{run:?}");
    for line in
        ["waits at x.pml:3", "in inner, called at x.pml:7", "in outer, called at x.pml:10", "inner.k = 4"]
    {
        assert!(run.out.contains(line), "{line}\n{}", run.out);
    }
    let replayed = sandbox.run(&["replay", "x.pml.trace", "--json"]);
    let json: Value = serde_json::from_str(&replayed.out).expect("JSON");
    assert_eq!(json["processes"][0]["stack"][1]["function"], "outer", "{json}");
    assert_eq!(json["processes"][0]["stack"][1]["called_at"]["line"], 10, "{json}");
    let simulated = sandbox.run(&["simulate", "x.pml", "--dynamic"]);
    assert!(simulated.out.contains("in outer, called at x.pml:10"), "{}", simulated.out);
}

#[test]
fn messages_show_pointers_by_name() {
    let model = "typedef Job { int v }; chan c = [1] of { Job & }; active proctype P() { Job &j; j = new Job; c!j; j = null }
        active proctype Q() { Job &k; c?k; assert(k.v == 1) }";
    let run = Sandbox::with(model).run(&["check", "x.pml", "--dynamic"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("c: [] -> [j]"), "{}", run.out);
    assert!(run.out.contains("k: null -> "), "{}", run.out);
    assert!(!run.out.contains("13107"), "a number in the place of a name\n{}", run.out);
}

#[test]
fn the_heap_of_the_last_state_is_drawn() {
    let sandbox = Sandbox::with(LOST);
    assert_eq!(sandbox.run(&["check", "x.pml", "--dynamic"]).code, 1);
    let text = sandbox.run(&["replay", "x.pml.trace", "--heap"]);
    assert_eq!(text.code, 0, "{text:?}");
    for line in ["globals\n    top -> top\n", "p(0)  x.pml:12", "n -> top", "deleted at x.pml:11 (step 4)"] {
        assert!(text.out.contains(line), "{line}\n{}", text.out);
    }
    let drawn = sandbox.run(&["replay", "x.pml.trace", "--heap", "-o", "heap.svg"]);
    assert_eq!(drawn.code, 0, "{drawn:?}");
    let svg = sandbox.read("heap.svg");
    assert!(svg.starts_with("<svg") && svg.matches("marker-end").count() == 2, "{svg}");
    let dot = sandbox.run(&["replay", "x.pml.trace", "--heap=dot"]);
    assert!(dot.out.starts_with("digraph"), "{}", dot.out);
}

#[test]
fn a_simulation_at_a_limit_says_what_a_check_says() {
    let sandbox = Sandbox::with("int &p; function f(int n) { skip; f(n + 1) } active proctype P() { f(0) }");
    let run = sandbox.run(&["simulate", "x.pml", "--dynamic", "--max-frames", "20"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.err.contains("bounded: calls of `f` nest deeper than 20"), "{}", run.err);
    let endless =
        "typedef T { T &n }; T &p; active proctype P() { T &q; do :: q = new T; q.n = p; p = q od }";
    let run = Sandbox::with(endless).run(&["simulate", "x.pml", "--dynamic", "--max-objects", "20"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.err.contains("more than 20 objects after this new T"), "{}", run.err);
}

#[test]
fn a_null_pointer_in_an_initial_value_is_a_violation() {
    let sandbox = Sandbox::with("int &p; active proctype P() { int x = p; x = 1 }");
    for search in [&["check", "x.pml", "--dynamic"][..], &["check", "x.pml", "--dynamic", "--search", "bfs"]]
    {
        let run = sandbox.run(search);
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.out.contains("violated: x.pml:1: safety, null pointer `p` is used"), "{}", run.out);
    }
    assert_eq!(sandbox.run(&["replay", "x.pml.trace"]).code, 0);
    let run = sandbox.run(&["simulate", "x.pml", "--dynamic"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("null pointer `p` is used"), "{}", run.out);
}

#[test]
fn leaks_name_the_allocation() {
    let sandbox = Sandbox::with("int &p;\nactive proctype P() {\n    p = new int;\n    p = null\n}");
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--leaks"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("the int allocated at x.pml:3 (step 1) is leaked"), "{}", run.out);
    let twice =
        "int &p, &q;\nactive proctype P() {\n    p = new int;\n    q = p;\n    delete(p);\n    delete(q)\n}";
    let run = Sandbox::with(twice).run(&["check", "x.pml", "--dynamic"]);
    let text = "`q` is deleted twice: the int allocated at x.pml:3 (step 1) was deleted at x.pml:5 (step 3)";
    assert!(run.out.contains(text), "{}", run.out);
    let scope =
        "int &g;\nfunction f() {\n    int x;\n    g = &x\n}\nactive proctype P() {\n    f();\n    g = 2\n}";
    let run = Sandbox::with(scope).run(&["check", "x.pml", "--dynamic"]);
    assert!(run.out.contains("dangling pointer `g` is used: `x`, set up at x.pml:"), "{}", run.out);
}

#[test]
fn the_extension_must_be_asked_for() {
    let sandbox = Sandbox::with(LOST);
    assert_eq!(sandbox.run(&["check", "x.pml"]).code, 2);
    sandbox.write("y.dpml", LOST);
    assert_eq!(sandbox.run(&["check", "y.dpml"]).code, 1);
}

#[test]
fn limits_end_as_bounded_with_a_name() {
    let sandbox = Sandbox::with("int &p; function f(int n) { skip; f(n + 1) } active proctype P() { f(0) }");
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--json", "--max-frames", "20"]);
    assert_eq!(run.code, 4, "{run:?}");
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["limits"][0]["limit"], "frames", "{json}");
    let endless =
        "typedef T { T &n }; T &p; active proctype P() { T &q; do :: q = new T; q.n = p; p = q od }";
    let run = Sandbox::with(endless).run(&["check", "x.pml", "--dynamic", "--max-objects", "20"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.out.contains("more than 20 objects"), "{}", run.out);
}

/// A limit cuts paths off: an error elsewhere is found, and what is written as evidence is not taken for a
/// proof.
#[test]
fn a_limit_cuts_only_what_lies_beyond_it() {
    let endless = "int g; function f(int n) { g = n; f(n + 1) } active proctype P() { f(0) }";
    let sandbox = Sandbox::with(&format!("{endless} active proctype Q() {{ g == 3 -> assert(false) }}"));
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--max-frames", "20"]);
    assert!(run.code == 1 && run.out.contains("assertion violated"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--max-frames", "3"]);
    assert!(run.code == 4 && run.out.contains("calls of `f` nest deeper than 3"), "{run:?}");
    for store in ["bitstate", "hashcompact"] {
        let run = sandbox.run(&["check", "x.pml", "--dynamic", "--max-frames", "3", "--store", store]);
        assert!(run.code == 4 && run.out.contains("nest deeper than 3"), "{run:?}");
    }
    let written = sandbox.run(&[
        "check",
        "x.pml",
        "--dynamic",
        "--max-frames",
        "3",
        "--search",
        "bfs",
        "--certificate",
        "x.cert",
    ]);
    assert_eq!(written.code, 4, "{written:?}");
    let certified = sandbox.run(&["certify", "x.cert", "x.pml", "--dynamic", "--max-frames", "3"]);
    assert!(certified.code == 4 && certified.out.contains("partial"), "{certified:?}");
}

#[test]
fn leaks_and_used_addresses_are_options() {
    let lost = Sandbox::with("int &p; active proctype P() { p = new int; p = null }");
    assert_eq!(lost.run(&["check", "x.pml", "--dynamic"]).code, 0);
    let run = lost.run(&["check", "x.pml", "--dynamic", "--leaks", "--json"]);
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["errors"][0]["kind"], "leak", "{json}");
    let stale =
        "int &p, &q; active proctype P() { p = new int; q = p; delete(p); p = new int; assert(p != q) }";
    let stale = Sandbox::with(stale);
    assert_eq!(stale.run(&["check", "x.pml", "--dynamic"]).code, 0);
    assert_eq!(stale.run(&["check", "x.pml", "--dynamic", "--reuse-addresses"]).code, 1);
}

#[test]
fn what_is_not_ready_is_named() {
    let sandbox = Sandbox::with("int &p; active proctype P() { p = null }");
    let run = sandbox.run(&["check", "x.pml", "--dynamic"]);
    assert!(!format!("{run:?}").contains("reduction `dead`"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--leaks"]);
    assert!(
        format!("{run:?}").contains("the reductions `order` and `merge` are off: with --leaks"),
        "{run:?}"
    );
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--without", "symmetry"]);
    assert!(run.code == 0 && format!("{run:?}").contains("without symmetry, the order"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--without", "undo"]);
    assert!(run.code != 0 && run.err.contains("only symmetry can be switched off"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--symmetry"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("--symmetry cannot be used with pointers"), "{run:?}");
}

#[test]
fn formulas_follow_pointers() {
    let model = "typedef T { int v }; T &p; ltl good { [] (p != null -> p.v < 3) }
        active proctype P() { p = new T; p.v = 2; p = null }";
    let sandbox = Sandbox::with(model);
    assert_eq!(sandbox.run(&["check", "x.pml", "--dynamic", "--claim", "good"]).code, 0);
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--ltl", "[] (p.v < 3)"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("null pointer `p` is used"), "{}", run.out);
}

#[test]
fn simulations_show_objects() {
    let sandbox = Sandbox::with(LOST);
    let run = sandbox.run(&["simulate", "x.pml", "--dynamic"]);
    assert!(run.out.contains("n = new Node"), "{run:?}");
}
