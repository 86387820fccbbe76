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
        run.out.contains("dangling pointer `top` is used: the Node that it refers to was deleted"),
        "{}",
        run.out
    );
    assert!(run.out.contains("top: null -> Node#"), "{}", run.out);
    let replayed = sandbox.run(&["replay", "x.pml.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(replayed.out.contains("delete(n)"), "{}", replayed.out);
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
    assert!(format!("{run:?}").contains("so the reduction `dead` is off"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--dynamic", "--leaks"]);
    assert!(format!("{run:?}").contains("all reductions are off: with --leaks"), "{run:?}");
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
