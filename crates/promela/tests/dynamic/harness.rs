//! Runs a model that may use the extension.

use allways_promela::options::Dynamics;
use allways_promela::{FileInput, Loaded, PreprocessOptions, Program, load};
use allways_search::{Config, End, Outcome, Strategy, search};

pub(crate) fn loaded(source: &str) -> Loaded {
    let input = FileInput::Text { name: "model.dpml".into(), text: source.into() };
    load(&input, &PreprocessOptions::default())
}

/// A model that must load.
#[track_caller]
pub(crate) fn program(source: &str) -> Program {
    let loaded = loaded(source);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    loaded.program.unwrap_or_else(|| panic!("the model does not load: {messages:?}\n{source}"))
}

#[track_caller]
pub(crate) fn explore(program: &Program, strategy: Strategy, workers: usize) -> Outcome {
    let mut config = Config::new(workers);
    config.all_errors = true;
    let outcome = search(program, strategy, &(), &config);
    assert!(matches!(outcome.end, End::Exhausted), "{:?}", outcome.end);
    outcome
}

/// States, transitions and errors, by every search with one and two workers.
#[track_caller]
pub(crate) fn figures_of(program: &Program) -> (u64, u64, u64) {
    let figures = |outcome: &Outcome| (outcome.stats.states, outcome.stats.transitions, outcome.stats.errors);
    let first = figures(&explore(program, Strategy::Dfs, 1));
    for (strategy, workers) in [(Strategy::Dfs, 2), (Strategy::Bfs, 1), (Strategy::Bfs, 2)] {
        assert_eq!(figures(&explore(program, strategy, workers)), first, "{strategy:?}, {workers} workers");
    }
    if let Err(broken) = allways_testkit::laws::check(program, 2_000) {
        panic!("{broken:?}");
    }
    first
}

#[track_caller]
pub(crate) fn states(source: &str) -> u64 {
    figures_of(&program(source)).0
}

/// The states with options.
#[track_caller]
pub(crate) fn states_with(source: &str, options: Dynamics) -> u64 {
    figures_of(&program(source).with_dynamics(options)).0
}

#[track_caller]
pub(crate) fn messages_of(program: &Program) -> Vec<String> {
    let outcome = explore(program, Strategy::Dfs, 1);
    let mut messages: Vec<String> =
        outcome.findings.iter().map(|finding| finding.violation.message().to_string()).collect();
    messages.sort();
    messages.dedup();
    messages
}

/// Nothing goes wrong in any run.
#[track_caller]
pub(crate) fn holds(source: &str) {
    let program = program(source);
    assert_eq!(messages_of(&program), Vec::<String>::new(), "{source}");
    figures_of(&program);
}

/// Something goes wrong, and only what the text says.
#[track_caller]
pub(crate) fn violates(source: &str, text: &str) {
    let messages = messages_of(&program(source));
    assert!(messages.len() == 1 && messages[0].contains(text), "{messages:?} and not: {text}\n{source}");
}

/// The model is refused, with a message that has the text.
#[track_caller]
pub(crate) fn refused(source: &str, text: &str) {
    let loaded = loaded(source);
    assert!(loaded.program.is_none(), "the model loads\n{source}");
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert!(messages.iter().any(|message| message.contains(text)), "{messages:?} and not: {text}\n{source}");
}
