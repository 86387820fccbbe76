//! The normal form: states that differ only in how their objects are numbered are one; garbage, tombstones,
//! leaks.

use super::harness::{explore, figures_of, messages_of, program, states, states_with};
use allways_model::{Batch, Lessons, Model};
use allways_promela::options::{Collect, Dynamics};
use allways_search::{Config, End, Strategy, search};

#[test]
fn the_order_of_allocation_is_no_part_of_a_state() {
    // Each of the two processes makes its object and ends: 3 states each, all interleavings meet.
    let two = "int &p, &q; active proctype P() { p = new int } active proctype Q() { q = new int }";
    let plain = "int p, q; active proctype P() { p = 1 } active proctype Q() { q = 1 }";
    assert_eq!(states(two), states(plain));
}

#[test]
fn garbage_is_no_part_of_a_state() {
    let source = "int &p; byte n; active proctype P() { do :: n < 5 -> p = new int; n++ :: else -> break od; p = null; n = 0 }";
    let kept = Dynamics { collect: Collect::None, ..Dynamics::default() };
    let counted = Dynamics { collect: Collect::Count, ..Dynamics::default() };
    assert_eq!(states(source), states_with(source, counted));
    let loop_forever = "int &p; active proctype P() { do :: p = new int od }";
    assert_eq!(states(loop_forever), 2);
    let outcome = search(
        &program(loop_forever).with_dynamics(Dynamics { max_objects: 50, ..kept }),
        Strategy::Dfs,
        &(),
        &Config::new(1),
    );
    assert!(matches!(&outcome.end, End::Cut(fault) if fault.limit == Some("objects")), "{:?}", outcome.end);
}

#[test]
fn a_cycle_stays_under_reference_counting() {
    let source = "typedef T { T &n; byte k }; active proctype P() {
        T &a; T &b; byte i; do :: i < 3 -> a = new T; b = new T; a.n = b; b.n = a; a = null; b = null; i++ :: else -> break od }";
    let program = || program(source);
    let bytes = |collect| {
        let mut config = Config::new(1);
        config.all_errors = true;
        let model = program().with_dynamics(Dynamics { collect, ..Dynamics::default() });
        search(&model, Strategy::Dfs, &(), &config).stats.states
    };
    assert_eq!(bytes(Collect::Sweep), bytes(Collect::Count));
    assert_eq!(bytes(Collect::Count), bytes(Collect::None));
}

#[test]
fn tombstones_go_when_nothing_refers_to_them() {
    let source = "int &p; active proctype P() { do :: p = new int; delete(p); p = null od }";
    // null; live; tombstone.
    assert_eq!(states(source), 3);
}

#[test]
fn lost_objects_are_leaks() {
    let leaks = |source: &str| {
        messages_of(&program(source).with_dynamics(Dynamics { leaks: true, ..Dynamics::default() }))
    };
    let lost = leaks("typedef Node { int v }; Node &p; active proctype P() { p = new Node; p = null }");
    assert!(lost.len() == 1 && lost[0].contains("the Node is leaked"), "{lost:?}");
    let kept = leaks("int &p; active proctype P() { p = new int; delete(p); p = null }");
    assert!(kept.is_empty(), "{kept:?}");
    for collect in [Collect::None, Collect::Count] {
        let program = program("int &p; byte n; active proctype P() { p = new int; p = null; n = 1; n = 2 }")
            .with_dynamics(Dynamics { leaks: true, collect, ..Dynamics::default() });
        assert_eq!(explore(&program, Strategy::Dfs, 1).stats.errors, 1, "once, where it is lost");
    }
}

#[test]
fn addresses_used_again_make_stale_pointers_valid() {
    let source =
        "int &p, &q; active proctype P() { p = new int; q = p; delete(p); p = new int; assert(p != q) }";
    assert!(messages_of(&program(source)).is_empty());
    let reuse = Dynamics { reuse_addresses: true, ..Dynamics::default() };
    let messages = messages_of(&program(source).with_dynamics(reuse));
    figures_of(&program(source).with_dynamics(reuse));
    assert!(messages.len() == 1 && messages[0].contains("p != q"), "{messages:?}");
}

/// A d_step has one outcome, so a choice of addresses in it is refused; without a choice it goes on.
#[test]
fn addresses_used_again_in_a_d_step_are_refused() {
    let reuse = Dynamics { reuse_addresses: true, ..Dynamics::default() };
    let end =
        |source: &str| search(&program(source).with_dynamics(reuse), Strategy::Dfs, &(), &Config::new(1)).end;
    let stale = "int &p, &q; active proctype P() { p = new int; q = p; delete(p); d_step { p = new int; p = 1 }; assert(p != q) }";
    let End::Faulted(fault, _) = end(stale) else { panic!("{:?}", end(stale)) };
    assert!(fault.message.contains("address of a deleted int"), "{}", fault.message);
    let forgotten = stale.replace("delete(p);", "delete(p); p = null; q = null;");
    assert!(matches!(end(&forgotten), End::Exhausted), "{:?}", end(&forgotten));
}

#[test]
fn endless_recursion_meets_a_limit() {
    let source = "int g; function f(int n) { g = 1 - g; f(n + 1) } active proctype P() { f(0) }";
    let outcome = search(&program(source), Strategy::Dfs, &(), &Config::new(1));
    let End::Cut(fault) = &outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(fault.limit, Some("frames"));
    assert!(fault.message.contains("`f`"), "{}", fault.message);
    let atomic = "int g; function f() { g = 1 - g; f() } active proctype P() { atomic { f() } }";
    let outcome = search(&program(atomic), Strategy::Dfs, &(), &Config::new(1));
    assert!(matches!(&outcome.end, End::Cut(fault) if fault.limit == Some("frames")), "{:?}", outcome.end);
}

#[test]
fn endless_allocation_meets_a_limit_that_names_the_place() {
    let source = "typedef Node { Node &next }; Node &top;
        function grow() { Node &n; n = new Node; n.next = top; top = n }
        active proctype P() { do :: grow() od }";
    let outcome = search(&program(source), Strategy::Dfs, &(), &Config::new(1));
    let End::Cut(fault) = &outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(fault.limit, Some("objects"));
    assert!(fault.message.contains("after this new Node"), "{}", fault.message);
    assert_eq!(fault.location.as_ref().map(|at| at.line), Some(2), "where the object is allocated");
}

/// A depth-first search comes to the step that loses an object before it comes to what lies behind it.
#[test]
fn the_first_leak_of_a_run_is_reported_first() {
    let leaks = Dynamics { leaks: true, ..Dynamics::default() };
    let first_line = |source: &str| {
        let lines: Vec<u32> = [Strategy::Dfs, Strategy::Bfs]
            .map(|strategy| {
                let found =
                    search(&program(source).with_dynamics(leaks), strategy, &(), &Config::new(1)).findings;
                found[0].violation.location.as_ref().expect("it has a place").line
            })
            .to_vec();
        assert!(lines[0] == lines[1], "{lines:?}\n{source}");
        lines[0]
    };
    let types = "typedef N { int v; N &next }; int g; ";
    let two = format!(
        "{types}active proctype p() {{ N &a; N &b; a = new N; b = new N;\n a = null;\n g = 1;\n b = null }}"
    );
    assert_eq!(first_line(&two), 2);
    // In the middle of a step it is the statement that loses it, not the last one.
    let atomic = format!(
        "{types}active proctype p() {{ N &a; a = new N;\n atomic {{ g = 1;\n a = null;\n g = 2 }} }}"
    );
    assert_eq!(first_line(&atomic), 3);
    let call = format!(
        "{types}function f(N &n) {{\n g = 1;\n g = 2\n }} active proctype p() {{ N &a; a = new N; a.v = 1; f(a);\n a = null;\n g = 3 }}"
    );
    assert_eq!(first_line(&call), 5);
    // What only a frame refers to is lost where the function returns.
    let frame = format!(
        "{types}function f() {{ N &n;\n n = new N;\n return\n }} active proctype p() {{ f();\n g = 1 }}"
    );
    assert_eq!(first_line(&frame), 3);
    // A message that is taken and dropped.
    let meeting = format!(
        "{types}chan c = [0] of {{ N & }}; active proctype p() {{ {{ N &a; a = new N;\n c!a }}; g = 1 }}
         active proctype q() {{\n c?_;\n g = 2 }}"
    );
    assert_eq!(first_line(&meeting), 4);
    let kept = format!(
        "{types}chan c = [0] of {{ N & }}; active proctype p() {{ {{ N &a; a = new N; c!a }}; g = 1 }}
         active proctype q() {{ N &n; c?n; g = 2; delete(n) }}"
    );
    let outcome = explore(&program(&kept).with_dynamics(leaks), Strategy::Dfs, 1);
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
}

/// An object that only a pointer to a part of it leads to is not called as if it were that part.
#[test]
fn objects_around_parts_are_named_so() {
    let source = "typedef N { int v; int w }; int &q; int &r; active proctype p() {
        N &n; n = new N; n.w = 4; q = &n.v; n = null; r = new int[3]; r = &r[1] }";
    let program = program(source);
    let (mut state, mut batch) = (Vec::new(), Batch::new());
    let mut cursor = program.cursor(Lessons::none());
    cursor.initial(&mut batch).expect("it starts");
    while !batch.is_empty() {
        state = batch.vector(0).to_vec();
        batch.clear();
        cursor.load(&state);
        cursor.expand(&mut batch).expect("it goes on");
        let variables = program.variables(&state);
        if let Some(q) = variables.iter().find(|var| var.name == "q" && var.value.contains("around")) {
            assert_eq!(q.value, "&(N around q).v");
            assert!(
                variables.iter().any(|var| var.name == "(N around q).w" && var.value == "4"),
                "{variables:?}"
            );
            if let Some(r) = variables.iter().find(|var| var.name == "r" && var.value.contains("around")) {
                assert_eq!(r.value, "&(int[3] around r)[1]");
                return;
            }
        }
    }
    panic!("{:?}", program.variables(&state));
}
