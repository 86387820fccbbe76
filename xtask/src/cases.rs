//! Models with known counts: the corpus where it is present, and the product's own examples.

use allways_promela::PreprocessOptions;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What SPIN says of one model.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) file: PathBuf,
    pub(crate) name: String,
    pub(crate) defines: Vec<String>,
    pub(crate) stored: u64,
    pub(crate) matched: u64,
    pub(crate) transitions: u64,
    pub(crate) errors: u64,
}

impl Case {
    pub(crate) fn options(&self) -> PreprocessOptions {
        self.defines.iter().fold(PreprocessOptions::default(), |options, define| options.define(define))
    }
}

/// The corpus beside the project, or nothing where it is not.
pub(crate) fn corpus() -> Vec<Case> {
    let root = Path::new("../shared/corpus");
    ["spin", "micro", "open"].iter().flat_map(|dir| corpus_part(root, dir)).collect()
}

fn corpus_part(root: &Path, dir: &str) -> Vec<Case> {
    let path = root.join(dir).join("figures.json");
    let Some(entries) = read(&path) else { return Vec::new() };
    let mut cases = Vec::new();
    for entry in entries.as_array().into_iter().flatten() {
        let figures = match dir {
            "open" => Some(&entry["raw"]),
            _ => entry["runs"].as_array().into_iter().flatten().find(|run| run["run"] == "o2"),
        };
        let Some(figures) = figures.filter(|figures| figures["complete"] == true) else { continue };
        let model = entry["model"].as_str().unwrap_or_default();
        let flags = entry["spin_flags"].as_str().unwrap_or_default().split_whitespace();
        let defines = flags.filter_map(|flag| flag.strip_prefix("-D")).map(str::to_owned).collect();
        let number = |name: &str| figures[name].as_u64().unwrap_or(0);
        cases.push(Case {
            file: root.join(dir).join(model),
            name: format!("{dir}/{model}"),
            defines,
            stored: number("stored"),
            matched: number("matched"),
            transitions: number("transitions"),
            errors: number("errors"),
        });
    }
    cases
}

/// The product's own examples, those with figures.
pub(crate) fn examples() -> Vec<Case> {
    let root = Path::new("examples/promela");
    let Some(list) = read(&root.join("figures.json")) else { return Vec::new() };
    let mut cases = Vec::new();
    for entry in list["models"].as_array().into_iter().flatten() {
        let Some(stored) = entry["states"].as_u64() else { continue };
        let file = entry["file"].as_str().unwrap_or_default();
        let defines: Vec<String> = entry["defines"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|define| define.as_str().map(str::to_owned))
            .collect();
        let number = |name: &str| entry[name].as_u64().unwrap_or(0);
        cases.push(Case {
            file: root.join(file),
            name: format!("examples/{file} {}", defines.join(" ")),
            defines,
            stored,
            matched: number("matched"),
            transitions: number("transitions"),
            errors: number("errors"),
        });
    }
    cases
}

fn read(path: &Path) -> Option<Value> {
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("{} is not here: skipped", path.display());
        return None;
    };
    serde_json::from_str(&text).ok()
}
