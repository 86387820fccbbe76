//! What people are told about a step: process, statement, output, message and changes.

use crate::harness::program;
use allways_model::{Batch, Lessons, MessageDirection, Model, Move};

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
    let outcome = crate::harness::explore(&program, allways_search::Strategy::Dfs, 1);
    let unreached: Vec<&str> = program
        .points()
        .iter()
        .enumerate()
        .filter(|(idx, _)| outcome.reached[idx / 64] & (1 << (idx % 64)) == 0)
        .map(|(_, point)| point.text.as_str())
        .collect();
    assert_eq!(unreached, ["x = 2"]);
}
