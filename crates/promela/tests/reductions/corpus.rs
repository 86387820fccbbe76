//! The corpus, where it is present: the same violations, and no more states than SPIN stores with its reductions.

use crate::verdicts::{compare, explore};
use allways_promela::{FileInput, PreprocessOptions, Program, Reductions, load};
use allways_search::Strategy;
use serde_json::Value;
use std::path::{Path, PathBuf};

struct Case {
    name: String,
    file: PathBuf,
    options: PreprocessOptions,
    /// What SPIN stores with its reductions, if its search was complete.
    spin: Option<u64>,
    /// What it stores without any.
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
            let (reduced, raw) = match part {
                "open" => (Some(entry["por"].clone()), Some(entry["raw"].clone())),
                _ => (run("b2"), run("o2")),
            };
            let stored = |figures: Option<Value>| {
                figures.filter(|figures| figures["complete"] == true)?["stored"].as_u64()
            };
            let flags = entry["spin_flags"].as_str().unwrap_or_default().split_whitespace();
            let options = flags
                .filter_map(|flag| flag.strip_prefix("-D"))
                .fold(PreprocessOptions::default(), |options, define| options.define(define));
            cases.push(Case {
                name: format!("{part}/{model}"),
                file: root.join(part).join(model),
                options,
                spin: stored(reduced),
                raw: stored(raw),
            });
        }
    }
    cases
}

#[test]
fn small_models_of_the_corpus_have_the_same_violations() {
    for case in cases().iter().filter(|case| case.raw.is_some_and(|raw| raw < 3_000)) {
        if case.program().is_none() {
            continue;
        }
        compare(&case.name, || case.program().expect("it was loaded before"), &[Reductions::ALL], None);
    }
}

/// `MAX=states cargo test --release -p allways-promela --test reductions -- --ignored all_of_the_corpus --nocapture`
#[test]
#[ignore = "takes minutes"]
fn all_of_the_corpus_has_the_same_violations() {
    let max = std::env::var("MAX").ok().and_then(|max| max.parse().ok()).unwrap_or(3_000_000);
    for case in cases().iter().filter(|case| case.raw.is_some_and(|raw| raw < max)) {
        if case.program().is_none() {
            continue;
        }
        compare(&case.name, || case.program().expect("it was loaded before"), &[Reductions::ALL], None);
    }
}

/// Prints what each model has against SPIN; `ONLY=name` and `REDUCE=order,dead,merge` choose.
#[test]
#[ignore = "takes minutes"]
fn totals_against_spin() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let which = std::env::var("REDUCE").unwrap_or_else(|_| "order,dead,merge".into());
    let max = std::env::var("MAX").ok().and_then(|max| max.parse().ok()).unwrap_or(20_000_000);
    let has = |name: &str| which.split(',').any(|word| word == name);
    let reductions = Reductions { dead: has("dead"), merge: has("merge"), order: has("order") };
    let (mut ours_total, mut spin_total) = (0, 0);
    let mut lines = Vec::new();
    for case in cases().iter().filter(|case| case.name.contains(&only)) {
        let (Some(spin), Some(program)) = (case.spin, case.program()) else { continue };
        let start = std::time::Instant::now();
        let program = program.with_reductions(reductions);
        let Some((_, ours)) = explore(&program, Strategy::Dfs, 1, Some(max)) else {
            println!("{} is too large", case.name);
            continue;
        };
        ours_total += ours;
        spin_total += spin;
        let ratio = ours as f64 / spin as f64;
        let raw = case.raw.map_or(String::new(), |raw| raw.to_string());
        let line = format!(
            "{ratio:8.3} {ours:>9} spin {spin:>9} raw {raw:>9} {:6.2} s {}",
            start.elapsed().as_secs_f64(),
            case.name
        );
        lines.push((ratio, line));
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    lines.iter().for_each(|(_, line)| println!("{line}"));
    println!("total {ours_total}, SPIN {spin_total}");
}
