//! Where SPIN 6.5.2 is wrong or gives up, and what is right there. Each test says what SPIN does.

use super::harness::{agreed_figures, error_messages, explore, figures, program};
use allways_promela::Reductions;
use allways_search::{Config, End, Strategy, search};

/// SPIN's default (reduced) search finds no error here; the unreduced one does.
#[test]
fn the_identity_of_a_process_that_init_starts() {
    let messages = error_messages("init { run f() } active proctype f() { assert(_pid == 1) }");
    assert!(messages.iter().any(|m| m.contains("assertion violated: _pid == 1")), "{messages:?}");
}

/// SPIN's reduced search lets `a` die before `b` is started, always, and finds no error here; the unreduced
/// one does.
#[test]
fn the_identity_of_a_process_that_is_started_before_another_dies() {
    let source =
        "init { run a(); run b() } proctype a() { assert(_pid == 1) } proctype b() { assert(_pid == 1) }";
    for reductions in [Reductions::NONE, Reductions::ALL] {
        let program = program(source).with_reductions(reductions);
        let config = Config { reduce: program.reductions().order, ..Config::new(1) };
        assert!(matches!(search(&program, Strategy::Dfs, &(), &config).end, End::Violated), "{reductions:?}");
    }
}

/// SPIN takes the bit, which lies behind the priority in its record, for padding, and so finds no error here.
#[test]
fn the_last_bit_of_a_process_with_a_priority_counts() {
    let messages =
        error_messages("active proctype a() priority 5 { bit x; if :: x = 0 :: x = 1 fi; assert(!x) }");
    assert!(messages.iter().any(|m| m.contains("assertion violated: !x")), "{messages:?}");
}

/// SPIN's breadth-first search misses this deadlock; it only warns that it may.
#[test]
fn breadth_first_search_finds_a_deadlock_behind_a_rendezvous() {
    let source = "chan c = [0] of { byte };
        active proctype A() { c!1; c!2 }
        active proctype B() { byte x; c?x; (x == 5) }";
    let outcome = search(&program(source), Strategy::Bfs, &(), &Config::new(1));
    assert!(matches!(outcome.end, End::Violated));
    assert_eq!(outcome.findings[0].violation.kind().name(), "deadlock");
}

/// SPIN goes on with whatever lies behind the array: 15 states and 3 errors that mean nothing. Here the run
/// that goes wrong ends there.
#[test]
fn an_index_out_of_range_ends_the_run() {
    let source = "byte a[3]; byte i;
        active proctype P() { do :: i < 4 -> a[i] = i; i++ :: i == 4 -> break od }";
    assert_eq!(agreed_figures(&program(source)), (11, 0, 11, 1));
}

/// When SPIN backtracks over a receive it puts the variable's value back into the channel. A variable
/// narrower than the field has lost bits by then, so that a later path sees another message: 22 states and 31
/// transitions.
#[test]
fn receiving_into_a_narrower_variable_keeps_the_message() {
    let source = "bit g3 = 1, g4 = 0;
        chan c = [3] of { bit, pid };
        active proctype P0() { L6: skip }
        active proctype P1() { L8: do :: c!1,1; c!!!(g4),2; g3 = true + _nr_pr; c??_,g4 od }";
    assert_eq!(agreed_figures(&program(source)), (20, 9, 29, 1));
}

/// With priorities in the model, SPIN's mask for the padding of a process record also hides its last bits: it
/// takes the two states of this process for one.
#[test]
fn priorities_do_not_hide_a_bit() {
    let source = "active proctype P() priority 1 { do :: bit x = 1 od }";
    assert_eq!(agreed_figures(&program(source)), (2, 1, 3, 0));
}

/// SPIN compares a control state without looking at the type of the process: a label of `A` would hold in a
/// `B`.
#[test]
fn a_remote_label_belongs_to_its_process_type() {
    let source = "proctype A() { L: false }
        proctype B() { end: false }
        init { run B(); assert(!(A[1]@L)) }";
    assert!(error_messages(source).iter().all(|m| !m.contains("assertion")));
}

/// SPIN lets a d_step that begins with an assertion run between the two halves of a rendezvous.
#[test]
fn a_d_step_does_not_run_in_the_middle_of_a_rendezvous() {
    let source = "chan c = [0] of { byte }; byte x, seen;
        active proctype A() { x = 1; c!1; x = 0 }
        active proctype B() { c?_ }
        active proctype C() { d_step { assert(true); seen = 1 } }";
    let outcome = explore(&program(source), Strategy::Dfs, 1);
    assert_eq!(figures(&outcome).3, 0);
}

/// SPIN refuses a d_step right after a loop: "jump into d_step sequence".
#[test]
fn a_d_step_may_follow_a_loop() {
    let source = "byte x; active proctype P() { do :: x < 2 -> x++ :: else -> break od; d_step { x = 0; x = 7 } assert(x == 7) }";
    assert!(error_messages(source).is_empty());
}

/// SPIN refuses priorities together with rendezvous channels.
#[test]
fn priorities_and_rendezvous_go_together() {
    let source = "chan c = [0] of { byte }; byte order;
        active proctype Low() priority 1 { order == 0 -> order = 1 }
        active proctype High() priority 5 { order == 0 -> order = 2; c!1 }
        active proctype Taker() priority 5 { c?1; assert(order == 2) }";
    assert!(error_messages(source).iter().all(|m| !m.contains("assertion")));
}

/// SPIN leaves hidden variables out of its states even if their values matter, and then may miss what
/// follows.
#[test]
fn a_hidden_variable_that_matters_is_kept() {
    let source = "hidden byte h; byte x;
        active proctype P() { if :: h = 1 :: h = 2 fi; x = 1; assert(h != 2) }";
    let messages = error_messages(source);
    assert!(messages.iter().any(|m| m.contains("assertion violated: h != 2")), "{messages:?}");
}

/// When SPIN backtracks over `c?eval(g),g` it puts the new `g` in the place of the old: the second option
/// then reads a message that was never sent, and the assertion fails.
#[test]
fn a_receive_that_changes_what_it_matches_keeps_the_message() {
    let source = "chan c = [1] of { byte, byte }; byte g = 1, h;
        active proctype P() { c!1,5; if :: c?eval(g),g :: c?h,_ -> assert(h == 1) fi }";
    assert!(error_messages(source).is_empty());
}

/// SPIN does not undo `set_priority` on another process when it backtracks: 9 states in one order, 18 in
/// another.
#[test]
fn priorities_set_for_others_are_part_of_the_state() {
    let source = "byte x; proctype A() { x = 2; x = 3 }
        init { run A() priority 1; x = 5; set_priority(1, 20); x = 1 }";
    assert_eq!(agreed_figures(&program(source)), (21, 8, 29, 0));
}

/// SPIN takes the `else` of the other process for blocked once an option of the asking one was executable: 9
/// matched.
#[test]
fn enabled_looks_at_the_other_process_only() {
    let source = "bit g[3]; chan c = [1] of { byte, byte };
        active proctype P0() { byte l = 2; if :: c!!(l > _nr_pr),1 :: (enabled(1)) fi }
        init { byte i; for (i : 1 .. 1) { g[_pid % 3] = 0 } }";
    assert_eq!(agreed_figures(&program(source)), (25, 10, 35, 0));
}

/// SPIN reports a deadlock here, though the receiver is ready.
#[test]
fn an_event_trace_may_watch_a_rendezvous_channel() {
    let source = "chan a = [0] of { byte }; byte x; trace { a!1; a!2 }
        active proctype P() { a!1; a!2 } active proctype Q() { a?x; a?x }";
    assert_eq!(agreed_figures(&program(source)), (5, 0, 5, 0));
    let offered = "chan c = [0] of { bit }; active proctype P() { end: c!1 } trace { endless: do :: c!0 od }";
    assert!(error_messages(offered).is_empty(), "nothing is sent, so nothing is wrong");
}

/// SPIN reads the memory where the channel was.
#[test]
fn a_channel_of_a_dead_process_is_an_error() {
    let source = "chan g; byte n; proctype Q() { chan own = [1] of { byte }; g = own }
        init { run Q(); (_nr_pr == 1 && g != 0) -> n = len(g) }";
    assert!(error_messages(source).iter().any(|m| m.contains("there is no channel")));
}

/// SPIN reads other bytes of the record.
#[test]
fn a_remote_variable_belongs_to_its_process_type() {
    let source = "proctype A() { byte x = 3; end: false } proctype B() { end: false }
        init { run B(); assert(A[1]:x == 3) }";
    assert!(error_messages(source).iter().any(|m| m.contains("process 1 is not a A")));
}

/// In SPIN's C code the literal is a `long`, to which no `int` is equal.
#[test]
fn the_least_integer() {
    let source = "int i = 2147483647; active proctype P() { i++; assert(i == -2147483648) }";
    assert!(error_messages(source).is_empty());
}

/// SPIN goes no further after a fatal error, even with `-c0`.
#[test]
fn a_fatal_error_ends_its_own_run_only() {
    let source =
        "byte x; active proctype P() { d_step { x = 1; x == 2; x = 3 } } active proctype Q() { x = 2 }";
    let outcome = explore(&program(source), Strategy::Dfs, 1);
    assert_eq!(figures(&outcome).3, 3);
}

/// A hidden variable that nothing reads has no value between two steps, so none is shown.
#[test]
fn a_hidden_variable_that_is_not_kept_is_not_shown() {
    let program = program("hidden byte h = 2; byte x; active proctype P() { h = 3; x = 1; assert(false) }");
    let mut initial = allways_model::Batch::new();
    let mut cursor = allways_model::Model::cursor(&program, allways_model::Lessons::none());
    cursor.initial(&mut initial).expect("the model starts");
    let variables = allways_model::Model::variables(&program, initial.vector(0));
    let names: Vec<&str> = variables.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["x"]);
}
