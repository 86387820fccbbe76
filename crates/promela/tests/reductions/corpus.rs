//! The corpus, where it is present: the same violations with and without reductions. `cargo xtask bench
//! reduction` counts states.

use super::verdicts::compare;
use allways_promela::{FileInput, PreprocessOptions, Program, Reductions, load};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Of models of unknown size, no more states than this are tried: some have vectors of more than a kilobyte.
const MOST_UNKNOWN: u64 = 2_000_000;

struct Case {
    name: String,
    file: PathBuf,
    options: PreprocessOptions,
    /// What SPIN stores without reductions, if its search was complete.
    raw: Option<u64>,
}

impl Case {
    fn program(&self) -> Option<Program> {
        load(&FileInput::Path(self.file.clone()), &self.options).program
    }
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut cases = Vec::new();
    for part in ["spin", "micro", "open"] {
        let Ok(text) = std::fs::read_to_string(root.join(part).join("figures.json")) else { continue };
        let list: Vec<Value> = serde_json::from_str(&text).expect("the figures are JSON");
        for entry in list {
            let model = entry["model"].as_str().unwrap_or_default();
            let run = |name: &str| entry["runs"].as_array()?.iter().find(|run| run["run"] == name).cloned();
            let figures = match part {
                "open" => Some(entry["raw"].clone()),
                _ => run("o2"),
            };
            let figures = figures.filter(|figures| figures["complete"] == true);
            let flags = entry["spin_flags"].as_str().unwrap_or_default().split_whitespace();
            let options = flags
                .filter_map(|flag| flag.strip_prefix("-D"))
                .fold(PreprocessOptions::default(), |options, define| options.define(define));
            cases.push(Case {
                name: format!("{part}/{model}"),
                file: root.join(part).join(model),
                options,
                raw: figures.and_then(|figures| figures["stored"].as_u64()),
            });
        }
    }
    cases
}

/// Reduced and unreduced searches of every model with fewer raw states than `max` find the same violations.
/// With `unknown`, models of which SPIN did not get through the raw states are tried too, as far as our own
/// search gets through them.
fn compare_models_below(max: u64, unknown: bool) {
    let wanted = |case: &&Case| case.raw.map_or(unknown, |raw| raw < max);
    for case in cases().iter().filter(wanted) {
        if case.program().is_none() {
            continue;
        }
        let load = || case.program().expect("it was loaded before");
        let limit = case.raw.is_none().then_some(max.min(MOST_UNKNOWN));
        let figures = compare(&case.name, load, &[Reductions::ALL], limit);
        if unknown {
            println!("{}: {figures:?}", case.name);
        }
    }
}

#[test]
fn small_models_of_the_corpus_have_the_same_violations() {
    compare_models_below(3_000, false);
}

/// `MAX=states cargo test --release -p allways-promela --test promela -- --ignored all_of_the_corpus
/// --nocapture`
#[test]
#[ignore = "takes minutes; the small models are compared always"]
fn all_of_the_corpus_has_the_same_violations() {
    let max = std::env::var("MAX").ok().and_then(|max| max.parse().ok()).unwrap_or(3_000_000);
    compare_models_below(max, true);
}
