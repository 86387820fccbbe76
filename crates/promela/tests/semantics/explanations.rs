//! Explanations of a step: process, statement, output, message and changes.

use super::harness::program;
use allways_model::{Batch, Lessons, MessageDirection, Model, Move, Snapshot};
use allways_promela::{Program, Reductions};
use allways_search::{Config, Strategy, replay, search};

/// The moves of the first step from the initial state, then of the first from there, and so on.
fn first_moves(source: &str, n_steps: usize) -> Vec<Move> {
    let program = program(source);
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).expect("the model starts");
    let mut moves = Vec::new();
    let mut state = batch.vector(0).to_vec();
    for _ in 0..n_steps {
        batch.clear();
        cursor.load(&state);
        cursor.expand(&mut batch).expect("the model runs");
        let key = batch.entries()[0].key;
        moves.extend(cursor.explain(key).expect("a step can be explained"));
        state = batch.vector(0).to_vec();
    }
    moves
}

#[test]
fn an_assignment_names_what_it_changes() {
    let moves = first_moves("byte x = 3; active proctype P() { x = x + 2 }", 1);
    assert_eq!(moves.len(), 1);
    assert_eq!(&*moves[0].process_name, "P");
    assert_eq!(moves[0].text, "x = x + 2");
    let change = &moves[0].changes[0];
    assert_eq!(
        (change.name.as_str(), change.from.as_deref(), change.to.as_deref()),
        ("x", Some("3"), Some("5"))
    );
    assert_eq!(moves[0].location.as_ref().map(|l| l.line), Some(1));
}

#[test]
fn an_atomic_step_has_its_moves_and_their_output() {
    let source = "mtype = { red, green }; mtype m;
        active proctype P() { atomic { m = green; printf(\"m is %e\\n\", m); d_step { m = red; m = 0 } } }";
    let moves = first_moves(source, 1);
    let texts: Vec<&str> = moves.iter().map(|m| m.text.as_str()).collect();
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert_eq!(moves[0].changes[0].to.as_deref(), Some("green"));
    assert_eq!(moves[1].output, "m is green\n");
    assert_eq!(moves[2].text, "m = red");
    assert_eq!(moves[3].changes[0].from.as_deref(), Some("red"));
}

#[test]
fn a_rendezvous_is_a_send_and_a_receive() {
    let source = "chan c = [0] of { byte, bool };
        active proctype A() { c!7,true } active proctype B() { byte x; c?x,_ }";
    let moves = first_moves(source, 1);
    let messages: Vec<_> = moves.iter().filter_map(|m| m.message.as_ref()).collect();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0].direction, MessageDirection::Send);
    assert_eq!(messages[1].direction, MessageDirection::Receive);
    assert!(messages.iter().all(|m| m.rendezvous && m.channel == "c" && m.fields == ["7", "true"]));
}

#[test]
fn a_new_process_is_named() {
    let moves = first_moves("proctype Q(byte n) { skip } init { run Q(5) }", 1);
    let (pid, name) = moves[0].started.clone().expect("a process starts");
    assert_eq!((pid, &*name), (1, "Q"));
    let change = moves[0].changes.iter().find(|c| c.name.contains(":n")).expect("its parameter");
    assert_eq!(change.to.as_deref(), Some("5"));
}

#[test]
fn unreached_statements_are_known() {
    let program = program("byte x; active proctype P() { if :: x == 0 -> x = 1 :: x == 5 -> x = 2 fi }");
    let outcome = super::harness::explore(&program, allways_search::Strategy::Dfs, 1);
    let unreached: Vec<&str> = program
        .points()
        .iter()
        .enumerate()
        .filter(|(idx, _)| outcome.reached[idx / 64] & (1 << (idx % 64)) == 0)
        .map(|(_, point)| point.text.as_str())
        .collect();
    assert_eq!(unreached, ["x = 2"]);
}

/// The moves of the step in which a model first goes wrong, and the state in which it does.
fn failure(program: &Program) -> (Vec<Move>, Snapshot) {
    let outcome = search(program, Strategy::Bfs, &(), &Config::new(1));
    let path = outcome.findings.first().expect("something goes wrong").path.clone();
    let states = replay(program, &path).expect("it is a run").states;
    let mut cursor = program.cursor(Lessons::none());
    cursor.load(states.last().expect("there is a first state"));
    let key = *path.steps.last().expect("a step goes wrong");
    let moves = cursor.explain(key).expect("it is explained");
    (moves, cursor.failing_state(key).expect("it goes wrong somewhere"))
}

/// A source, the statements of the failing step, where the failing process is, and variables with their
/// values there.
type Failure = (&'static str, &'static [&'static str], &'static str, &'static [(&'static str, &'static str)]);

const FAILURES: [Failure; 9] = [
    (
        "byte x, y; active proctype P() { atomic { x = 1; y = 2; assert(x == y); x = 9 } }",
        &["x = 1", "y = 2", "assert(x == y)"],
        "assert(x == y)",
        &[("x", "1"), ("y", "2")],
    ),
    (
        "byte x; active proctype P() { d_step { x = 1; assert(x == 2); x = 3; x = 4 } }",
        &["x = 1", "assert(x == 2)"],
        "assert(x == 2)",
        &[("x", "1")],
    ),
    (
        "byte x; active proctype P() { d_step { x = 1; if :: x == 1 -> assert(x == 2) :: else fi; x = 3 } }",
        &["x = 1", "x == 1", "assert(x == 2)"],
        "assert(x == 2)",
        &[("x", "1")],
    ),
    (
        "byte a[2]; byte i; active proctype P() { d_step { i = 7; a[i] = 1; i = 0 } }",
        &["i = 7", "a[i] = 1"],
        "a[i] = 1",
        &[("i", "7")],
    ),
    (
        "int x; active proctype P() { atomic { x = 4; x = 3 / (x - 4) } }",
        &["x = 4", "x = 3 / (x - 4)"],
        "x = 3 / (x - 4)",
        &[("x", "4")],
    ),
    // What is wrong with a `d_step` as a whole is wrong after what it did.
    ("byte x; active proctype P() { d_step { x = 4; x == 5 } }", &["x = 4"], "d_step", &[("x", "4")]),
    // Reset as soon as they are not read again, but for people they are there.
    (
        "byte n; active proctype P() { byte t, u = 6; n = 1; t = 3; t = t + 1; u = t; assert(u == 5) }",
        &["n = 1", "t = 3", "t = t + 1", "u = t", "assert(u == 5)"],
        "assert(u == 5)",
        &[("n", "1"), ("t", "4"), ("u", "4")],
    ),
    // Both halves of a rendezvous, before either of them.
    (
        "chan c = [0] of { byte, byte }; active proctype P() { c!1(2) } active proctype Q() { byte x; c?x }",
        &["c!1,2", "c?x"],
        "c!1,2",
        &[("x", "0")],
    ),
    // A condition that is no statement.
    (
        "byte a[2]; byte i = 9; active proctype P() provided (a[i] == 1) { skip }
         active proctype Q() { byte t; t = 1; t = 2; t = 3; t = 4; t = 5 }",
        &[],
        "skip",
        &[("i", "9")],
    ),
];

#[test]
fn a_failing_statement_is_shown_with_the_state_before_it() {
    for (source, statements, at, values) in FAILURES {
        let reduced = program(source).with_reductions(Reductions::ALL);
        let (moves, snapshot) = failure(&reduced.with_real_values().expect("values are reset"));
        let texts: Vec<&str> = moves.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, statements, "{source}");
        assert_eq!(snapshot.processes[0].at, at, "{source}");
        for (name, value) in values {
            let variable = snapshot.variables.iter().find(|variable| variable.name == *name);
            assert_eq!(variable.map(|variable| variable.value.as_str()), Some(*value), "{name} in {source}");
        }
    }
}

#[test]
fn the_partial_effects_of_a_d_step_are_changes() {
    let (moves, _) =
        failure(&program("byte x; active proctype P() { d_step { x = 1; assert(x == 2); x = 3 } }"));
    let changes: Vec<_> =
        moves.iter().flat_map(|one| &one.changes).map(|change| change.to.as_deref()).collect();
    assert_eq!(changes, [Some("1")]);
}

#[test]
fn a_channel_is_named_by_its_variable_and_its_declaration() {
    let source = "typedef Box { chan in = [1] of { byte } }
        chan toP[2] = [1] of { byte }; Box boxes[2];
        proctype W(chan out) { chan own = [1] of { byte }; out!1; own!2; run V(own) }
        proctype V(chan theirs) { theirs?_ }
        init { byte i = 1; toP[i]!5; boxes[i].in!6; run W(toP[0]) }";
    let moves = first_moves(source, 7);
    let names: Vec<&str> =
        moves.iter().filter_map(|one| Some(one.message.as_ref()?.channel.as_str())).collect();
    assert_eq!(names, ["toP[1]", "boxes[1].in", "out=toP[0]", "own", "theirs=W(1):own"]);
}
