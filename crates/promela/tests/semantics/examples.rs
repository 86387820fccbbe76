//! The product's own examples: expected verdicts and counts, the same by every search and number of workers.

use super::harness::agreed_figures;
use allways_promela::{FileInput, PreprocessOptions, load};
use allways_search::{Config, End, Strategy, replay, search};
use serde_json::Value;
use std::path::PathBuf;

pub(crate) struct Example {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    options: PreprocessOptions,
    entry: Value,
}

pub(crate) fn examples(size: &str) -> Vec<Example> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let text =
        std::fs::read_to_string(dir.join("figures.json")).expect("the figures are part of the examples");
    let list: Value = serde_json::from_str(&text).expect("the figures are JSON");
    let mut examples = Vec::new();
    for entry in list["models"].as_array().expect("a list of models") {
        if entry["size"] != size {
            continue;
        }
        let file = entry["file"].as_str().expect("a file name");
        let defines: Vec<&str> =
            entry["defines"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let options = defines.iter().fold(PreprocessOptions::default(), |options, d| options.define(*d));
        let name = format!("{file} {}", defines.join(" "));
        examples.push(Example { name, file: dir.join(file), options, entry: entry.clone() });
    }
    examples
}

impl Example {
    pub(crate) fn program(&self) -> allways_promela::Program {
        let loaded = load(&FileInput::Path(self.file.clone()), &self.options);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        loaded.program.unwrap_or_else(|| panic!("{}: {messages:?}", self.name))
    }

    fn figures(&self) -> Option<(u64, u64, u64, u64)> {
        let number = |name: &str| self.entry[name].as_u64();
        Some((number("states")?, number("matched")?, number("transitions")?, number("errors")?))
    }
}

#[test]
fn quick_examples_have_spins_figures_by_every_search() {
    let examples = examples("quick");
    assert!(examples.len() > 20);
    for example in examples {
        let figures = agreed_figures(&example.program());
        if let Some(expected) = example.figures() {
            assert_eq!(figures, expected, "{}", example.name);
        }
    }
}

#[test]
fn medium_examples_have_spins_figures_by_every_search() {
    for example in examples("medium") {
        assert_eq!(Some(agreed_figures(&example.program())), example.figures(), "{}", example.name);
    }
}

#[test]
fn verdicts_are_as_documented_and_counterexamples_replay() {
    for example in examples("quick") {
        let program = example.program();
        let violated = example.entry["verdict"] == "violated";
        for (strategy, workers) in
            [(Strategy::Dfs, 1), (Strategy::Dfs, 2), (Strategy::Bfs, 1), (Strategy::Bfs, 2)]
        {
            let outcome = search(&program, strategy, &(), &Config::new(workers));
            let found = matches!(outcome.end, End::Violated);
            assert_eq!(found, violated, "{} by {strategy:?} with {workers}", example.name);
            for finding in &outcome.findings {
                let kind = finding.violation.kind().name();
                let kinds = example.entry["kinds"].as_array().expect("kinds of errors");
                assert!(kinds.iter().any(|k| k == kind), "{}: {kind}", example.name);
                let replayed = replay(&program, &finding.path).expect("a counterexample replays");
                assert!(
                    replayed.violations.iter().any(|v| v.kind() == finding.violation.kind()),
                    "{}: the replay ends without the violation",
                    example.name
                );
            }
        }
    }
}

#[test]
fn examples_keep_the_laws() {
    for example in examples("quick") {
        if let Err(broken) = allways_testkit::laws::check(&example.program(), 300) {
            panic!("{}: {broken:?}", example.name);
        }
    }
}
