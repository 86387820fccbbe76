//! The verdicts of SPIN on the corpus, where it is beside the project.

use super::harness::{How, outcome, violated, ways};
use allways_promela::{FileInput, PreprocessOptions, Program, Property};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What SPIN says of one property of one model.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) property: Property,
    pub(crate) fair: bool,
    pub(crate) violated: bool,
    pub(crate) stored: u64,
}

pub(crate) fn load(file: &Path) -> Program {
    let input = FileInput::Path(file.into());
    allways_promela::load(&input, &PreprocessOptions::default()).program.expect("the model is right")
}

/// The runs of the corpus that have a verdict, one for each property and fairness.
pub(crate) fn cases() -> Vec<Case> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/spin");
    let Ok(figures) = std::fs::read_to_string(dir.join("figures.json")) else { return Vec::new() };
    let figures: Value = serde_json::from_str(&figures).unwrap();
    let mut cases: Vec<Case> = Vec::new();
    for entry in figures.as_array().unwrap() {
        let model = entry["model"].as_str().unwrap();
        for run in entry["runs"].as_array().unwrap() {
            let kind = run["run"].as_str().unwrap();
            let args = run["pan_args"].as_str().unwrap_or_default();
            let error = run["first_error"].as_str().unwrap_or_default();
            let is_liveness = kind.starts_with("c_") || kind.starts_with("np_");
            // SPIN gives up where it finds that its own reduction is not sound.
            if !is_liveness || error.contains("partial order reduction invalid") {
                continue;
            }
            let violated = !error.is_empty();
            if run["complete"] != true && !violated {
                continue;
            }
            let file = dir.join(model);
            let property = if kind.starts_with("np_") {
                Property::NonProgress
            } else {
                let program = load(&file);
                match args.split_once("-N ") {
                    Some((_, name)) => {
                        Property::Claim(program.claims().position(|one| **one == *name.trim()).unwrap())
                    }
                    None if program.claims().count() > 0 => Property::Claim(0),
                    None => Property::Acceptance,
                }
            };
            let name = format!("{model} {kind} {args}");
            let stored = run["stored"].as_u64().unwrap_or(0);
            let fair = kind.contains("fair");
            let known =
                cases.iter().find(|case| case.file == file && case.property == property && case.fair == fair);
            match known {
                Some(case) => assert_eq!(case.violated, violated, "{name}: SPIN contradicts itself"),
                None => cases.push(Case { name, file, property, fair, violated, stored }),
            }
        }
    }
    cases
}

fn compare(cases: &[Case], ways: impl Fn(bool) -> Vec<How>) {
    let mut wrong = Vec::new();
    for case in cases {
        for how in ways(case.fair) {
            let found = violated(&outcome(load(&case.file), &case.property, how));
            if found != Some(case.violated) {
                wrong.push(format!("{}: {found:?} and not {}, {how:?}", case.name, case.violated));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn verdicts() {
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.stored < 3_000).collect();
    compare(&cases, ways);
}

#[test]
#[ignore = "takes minutes; the small cases are compared always"]
fn all_verdicts() {
    let max = std::env::var("MAX").ok().and_then(|max| max.parse().ok()).unwrap_or(u64::MAX);
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.stored <= max).collect();
    println!("{} cases", cases.len());
    compare(&cases, ways);
}
