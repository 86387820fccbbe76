//! What a search finds, as something to compare.

use allways_model::ViolationKind;
use allways_promela::{Program, Reductions};
use allways_search::{Config, End, Limits, Outcome, StoreKind, Strategy, replay, search};
use std::collections::BTreeSet;

/// The searches that must agree.
pub(crate) const SEARCHES: [(Strategy, usize); 7] = [
    (Strategy::Dfs, 1),
    (Strategy::Dfs, 2),
    (Strategy::Bfs, 1),
    (Strategy::Bfs, 2),
    (Strategy::Switches, 1),
    (Strategy::Preemptions, 1),
    (Strategy::SurveyDfs, 1),
];

/// One reduction at a time, then all of them.
pub(crate) const REDUCTIONS: [Reductions; 4] = [
    Reductions { dead: true, ..Reductions::NONE },
    Reductions { merge: true, ..Reductions::NONE },
    Reductions { order: true, ..Reductions::NONE },
    Reductions::ALL,
];

/// What a whole search found: kind, message and place of each violation.
pub(crate) type Violations = BTreeSet<String>;

/// Searches everything, errors and all; nothing if `max_states` are not enough.
pub(crate) fn explore(
    program: &Program,
    strategy: Strategy,
    workers: usize,
    max_states: Option<u64>,
) -> Option<(Violations, u64)> {
    explore_in(StoreKind::Exact, program, strategy, workers, max_states)
}

/// As [`explore`], with a store.
pub(crate) fn explore_in(
    store: StoreKind,
    program: &Program,
    strategy: Strategy,
    workers: usize,
    max_states: Option<u64>,
) -> Option<(Violations, u64)> {
    let config = Config {
        store,
        all_errors: true,
        reduce: program.reductions().order,
        max_findings: 1000,
        limits: Limits { states: max_states, ..Limits::NONE },
        ..Config::new(workers)
    };
    let outcome = search(program, strategy, &(), &config);
    match &outcome.end {
        End::Exhausted => {}
        End::Bounded(_) => return None,
        // A jump back may allocate without end where garbage stays.
        End::Cut(_) if max_states.is_some() => return None,
        end => panic!("{end:?}"),
    }
    check_paths(program, &outcome);
    Some((violations(&outcome), outcome.stats.states))
}

fn violations(outcome: &Outcome) -> Violations {
    let of = |finding: &allways_search::Finding| {
        let violation = &finding.violation;
        match violation.kind() {
            ViolationKind::Deadlock => stuck(&violation.message()),
            kind => format!("{} {} {:?}", kind.name(), violation.message(), violation.location),
        }
    };
    outcome.findings.iter().map(of).collect()
}

/// Describes a deadlock without the numbers and the order of the waiting processes.
///
/// Both depend on the order of starts and deaths, which the reductions treat as unobservable.
fn stuck(message: &str) -> String {
    if let Some(at) = message.find(" more ") {
        let n: usize = message[..at].rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        return format!("deadlock of {} processes", n + 2);
    }
    let mut names: Vec<&str> =
        message.split(['(', ')', ' ', ':']).filter(|word| word.parse::<u32>().is_err()).collect();
    names.sort_unstable();
    names.join(" ")
}

/// Every path must lead to its violation.
fn check_paths(program: &Program, outcome: &Outcome) {
    for finding in outcome.findings.iter().take(3) {
        let met = replay(program, &finding.path).unwrap_or_else(|error| panic!("{error}")).violations;
        assert!(met.iter().any(|violation| violation.message() == finding.violation.message()));
    }
}

/// Checks that every reduction and every search finds what the plain one finds; gives the states without and
/// with all reductions. Nothing if the model is larger than `max_states`.
pub(crate) fn compare(
    name: &str,
    load: impl Fn() -> Program,
    reductions: &[Reductions],
    max_states: Option<u64>,
) -> Option<(u64, u64)> {
    let (expected, plain) = explore(&load(), Strategy::Dfs, 1, max_states)?;
    let mut last = plain;
    for &reduction in reductions {
        let program = load().with_reductions(reduction);
        let mut by_levels = None;
        for (strategy, workers) in SEARCHES {
            let (found, states) = explore(&program, strategy, workers, None)?;
            assert_eq!(found, expected, "{name}: {strategy:?} with {workers} workers and {reduction:?}");
            assert!(states <= plain, "{name}: {states} states of {plain} with {reduction:?}");
            if strategy == Strategy::Bfs {
                let counted = *by_levels.get_or_insert(states);
                assert_eq!(states, counted, "{name}: bfs with {workers} workers and {reduction:?}");
            }
            if (strategy, workers) == (Strategy::Dfs, 1) {
                last = states;
            }
        }
    }
    Some((plain, last))
}
