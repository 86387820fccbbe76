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
    /// The longest path of SPIN's search, where it is recorded.
    pub(crate) depth: Option<u64>,
    /// One of the product's own examples, not of the corpus.
    pub(crate) example: bool,
}

/// What SPIN says of one model with its partial-order reduction, merged statements and dead variables reset.
#[derive(Debug)]
pub(crate) struct ReducedCase {
    pub(crate) file: PathBuf,
    pub(crate) name: String,
    pub(crate) defines: Vec<String>,
    /// States stored with reduction.
    pub(crate) stored: u64,
    /// Whether its reduced search finds an error.
    pub(crate) violated: bool,
    /// States, and whether there is an error, without any reduction, where SPIN got through.
    pub(crate) raw: Option<(u64, bool)>,
}

impl Case {
    pub(crate) fn options(&self) -> PreprocessOptions {
        options(&self.defines)
    }
}

/// How a model is read under these macros.
pub(crate) fn options(defines: &[String]) -> PreprocessOptions {
    defines.iter().fold(PreprocessOptions::default(), |options, define| options.define(define))
}

/// The folders of the corpus that have figures.
const PARTS: [&str; 3] = ["spin", "micro", "open"];
const ROOT: &str = "../shared/corpus";

/// The corpus beside the project, or nothing where it is not.
pub(crate) fn corpus() -> Vec<Case> {
    PARTS.iter().flat_map(|part| entries(part)).filter_map(|entry| entry.raw_case()).collect()
}

/// The models of the corpus that SPIN got through with its reductions.
pub(crate) fn reduced_corpus() -> Vec<ReducedCase> {
    PARTS.iter().flat_map(|part| entries(part)).filter_map(|entry| entry.reduced_case()).collect()
}

/// One model of the corpus.
struct Entry {
    part: &'static str,
    value: Value,
}

fn entries(part: &'static str) -> Vec<Entry> {
    let path = Path::new(ROOT).join(part).join("figures.json");
    match read(&path) {
        Some(Value::Array(values)) => values.into_iter().map(|value| Entry { part, value }).collect(),
        _ => Vec::new(),
    }
}

impl Entry {
    fn model(&self) -> &str {
        self.value["model"].as_str().unwrap_or_default()
    }

    fn file(&self) -> PathBuf {
        Path::new(ROOT).join(self.part).join(self.model())
    }

    fn name(&self) -> String {
        format!("{}/{}", self.part, self.model())
    }

    fn defines(&self) -> Vec<String> {
        let flags = self.value["spin_flags"].as_str().unwrap_or_default().split_whitespace();
        flags.filter_map(|flag| flag.strip_prefix("-D")).map(str::to_owned).collect()
    }

    /// The figures of one run, if it was complete: `run` in the list of runs, `field` in the form of `open`.
    fn figures(&self, run: &str, field: &str) -> Option<&Value> {
        let figures = match self.part {
            "open" => Some(&self.value[field]),
            _ => self.value["runs"].as_array().into_iter().flatten().find(|entry| entry["run"] == run),
        };
        figures.filter(|figures| figures["complete"] == true)
    }

    fn raw_case(&self) -> Option<Case> {
        let figures = self.figures("o2", "raw")?;
        let number = |name: &str| figures[name].as_u64();
        Some(Case {
            file: self.file(),
            name: self.name(),
            defines: self.defines(),
            stored: number("stored").unwrap_or(0),
            matched: number("matched").unwrap_or(0),
            transitions: number("transitions").unwrap_or(0),
            errors: number("errors").unwrap_or(0),
            depth: number("depth").or_else(|| number("max_depth")),
            example: false,
        })
    }

    fn reduced_case(&self) -> Option<ReducedCase> {
        let reduced = self.figures("b2", "por")?;
        let raw = self.figures("o2", "raw");
        let violated = |figures: &Value| figures["errors"].as_u64().is_some_and(|n| n > 0);
        Some(ReducedCase {
            file: self.file(),
            name: self.name(),
            defines: self.defines(),
            stored: reduced["stored"].as_u64()?,
            violated: violated(reduced),
            raw: raw.and_then(|raw| Some((raw["stored"].as_u64()?, violated(raw)))),
        })
    }
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
            depth: entry["depth"].as_u64(),
            example: true,
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
