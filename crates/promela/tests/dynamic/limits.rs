//! `--max-frames` and `--max-objects` cut off the paths that lead beyond them, and nothing else.

use super::harness::program;
use crate::claims::harness::{How, outcome, violated};
use allways_promela::options::Dynamics;
use allways_promela::{Program, Property, Reductions};
use allways_search::{Config, End, Outcome, StoreKind, Strategy, search};

const REDUCTIONS: [Reductions; 4] = [
    Reductions::NONE,
    Reductions::ALL,
    Reductions { order: true, ..Reductions::NONE },
    Reductions { dead: true, merge: true, ..Reductions::NONE },
];

fn limited(source: &str) -> Program {
    program(source).with_dynamics(Dynamics { max_frames: 10, max_objects: 12, ..Dynamics::default() })
}

/// Searches in every way.
fn outcomes(source: &str) -> Vec<(String, Outcome)> {
    let mut all = Vec::new();
    for reductions in REDUCTIONS {
        for (strategy, workers) in [
            (Strategy::Dfs, 1),
            (Strategy::Dfs, 2),
            (Strategy::Bfs, 1),
            (Strategy::Bfs, 2),
            (Strategy::Preemptions, 1),
        ] {
            for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
                let compiled = limited(source).with_reductions(reductions);
                compiled.compile();
                for program in [compiled, limited(source).with_reductions(reductions).interpreted()] {
                    let config = Config {
                        all_errors: true,
                        reduce: program.reductions().order,
                        store,
                        ..Config::new(workers)
                    };
                    let name = format!("{reductions:?} {strategy:?} {workers} {store:?}");
                    all.push((name, search(&program, strategy, &(), &config)));
                }
            }
        }
    }
    all
}

/// Every search comes to its end, finds these violations, and says what was cut off.
#[track_caller]
fn cuts(source: &str, limit: &str, what: &str, violations: &[&str]) {
    for (name, outcome) in outcomes(source) {
        let End::Cut(fault) = &outcome.end else { panic!("{name}: {:?}\n{source}", outcome.end) };
        assert_eq!(fault.limit, Some(limit), "{name}");
        assert!(fault.message.contains(what), "{name}: {}", fault.message);
        let mut found: Vec<String> =
            outcome.findings.iter().map(|finding| finding.violation.message().to_string()).collect();
        found.sort();
        assert_eq!(found, violations, "{name}\n{source}");
    }
}

#[test]
fn other_paths_of_the_same_process_are_searched() {
    cuts(
        "int g; function f(int n) { g = n; f(n + 1) } active proctype p() { if :: f(0) :: g = 3; assert(g == 4) fi }",
        "frames",
        "`f`",
        &["assertion violated: g == 4"],
    );
}

#[test]
fn other_processes_go_on() {
    let errors = "active proctype q() { byte i; do :: i < 20 -> i++ :: else -> break od; assert(i == 0) }";
    cuts(
        &format!("int g; function f(int n) {{ g = n; f(n + 1) }} active proctype p() {{ f(0) }} {errors}"),
        "frames",
        "`f`",
        &["assertion violated: i == 0"],
    );
    cuts(
        &format!(
            "typedef N {{ N &next }}; N &top; active proctype p() {{ N &n; do :: n = new N; n.next = top; top = n od }} {errors}"
        ),
        "objects",
        "after this new N",
        &["assertion violated: i == 0"],
    );
    // The other process is before p in every set of steps that is tried first.
    cuts(
        &format!(
            "{errors} int &g; function f(int n) {{ int x; g = &x; f(n + 1) }} active proctype p() {{ f(0) }}"
        ),
        "frames",
        "`f`",
        &["assertion violated: i == 0"],
    );
}

#[test]
fn what_is_cut_off_is_no_deadlock_and_no_timeout() {
    cuts(
        "int g; function f(int n) { g = n; f(n + 1) } active proctype p() { f(0) }
         active proctype q() { g == 100; g = 7 }",
        "frames",
        "`f`",
        &[],
    );
    cuts(
        "int g; function f(int n) { g = n; f(n + 1) } active proctype p() { f(0) }
         active proctype q() { timeout -> assert(false) }",
        "frames",
        "`f`",
        &[],
    );
    cuts(
        "int g; function f(int n) { g = n; f(n + 1) }
         active proctype p() { do :: g < 200 -> f(0) :: else -> assert(false) od }",
        "frames",
        "`f`",
        &[],
    );
}

#[test]
fn a_path_is_cut_inside_a_step() {
    // No other process may run in the middle of the atomic sequence.
    cuts(
        "int g, h; function f(int n) { g = n; f(n + 1) } active proctype p() { atomic { h = 1; f(0); h = 0 } }
         active proctype q() { assert(h == 0) }",
        "frames",
        "`f`",
        &[],
    );
    cuts(
        "typedef N { N &next }; N &top; int h; active proctype p() {
             N &n; d_step { h = 1; do :: h < 100 -> n = new N; n.next = top; top = n; h++ :: else -> break od; h = 0 } }
         active proctype q() { assert(h == 0) }",
        "objects",
        "after this new N",
        &[],
    );
    cuts(
        "typedef N { N &next }; N &top; chan c = [0] of { byte }; int h; active proctype p() { c!1; h = 2 }
         active proctype q() { N &n; atomic { c?_; do :: n = new N; n.next = top; top = n od } }
         active proctype r() { assert(h == 0) }",
        "objects",
        "after this new N",
        &[],
    );
}

/// Where a path is cut, the program does not rest indefinitely.
#[test]
fn formulas_are_not_judged_beyond_a_limit() {
    let source = "int g; bool done; function f(int n) { g = n; f(n + 1) }
        active proctype p() { f(0); done = true } ltl ends { <> done } ltl small { [] (g < 5) }";
    let ways = [
        How::PLAIN,
        How { reductions: Reductions::ALL, ..How::PLAIN },
        How { strategy: Strategy::Scc, ..How::PLAIN },
        How { strategy: Strategy::Map, workers: 2, ..How::PLAIN },
    ];
    for how in ways {
        let ends = outcome(limited(source), &Property::Claim(0), how);
        assert!(ends.findings.is_empty() && matches!(ends.end, End::Cut(_)), "{how:?} {:?}", ends.end);
        assert_eq!(violated(&outcome(limited(source), &Property::Claim(1), how)), Some(true), "{how:?}");
    }
}
