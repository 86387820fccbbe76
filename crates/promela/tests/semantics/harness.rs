//! Runs a model and gives its figures.

use allways_promela::{Program, load_text};
use allways_search::{Config, End, Outcome, Strategy, search};

/// States, matched, transitions, errors.
pub(crate) type Figures = (u64, u64, u64, u64);

/// A model that must load.
#[track_caller]
pub(crate) fn program(source: &str) -> Program {
    let loaded = load_text("model.pml", source);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    loaded.program.unwrap_or_else(|| panic!("the model does not load: {messages:?}\n{source}"))
}

/// The whole graph, errors and all.
#[track_caller]
pub(crate) fn explore(program: &Program, strategy: Strategy, workers: usize) -> Outcome {
    let mut config = Config::new(workers);
    config.all_errors = true;
    let outcome = search(program, strategy, &(), &config);
    assert!(matches!(outcome.end, End::Exhausted), "{:?}", outcome.end);
    outcome
}

pub(crate) fn figures(outcome: &Outcome) -> Figures {
    let stats = &outcome.stats;
    (stats.states, stats.matched, stats.transitions, stats.errors)
}

/// Explores by every search with one and two workers, which must agree, and gives the figures.
#[track_caller]
pub(crate) fn agreed_figures(program: &Program) -> Figures {
    let first = figures(&explore(program, Strategy::Dfs, 1));
    for (strategy, workers) in [(Strategy::Dfs, 2), (Strategy::Bfs, 1), (Strategy::Bfs, 2)] {
        let other = figures(&explore(program, strategy, workers));
        assert_eq!(other, first, "{strategy:?} with {workers} workers against dfs with one");
    }
    first
}

/// The messages of all errors, without repetition.
#[track_caller]
pub(crate) fn error_messages(source: &str) -> Vec<String> {
    let outcome = explore(&program(source), Strategy::Dfs, 1);
    let mut messages: Vec<String> =
        outcome.findings.iter().map(|finding| finding.violation.message().to_string()).collect();
    messages.sort();
    messages.dedup();
    messages
}
