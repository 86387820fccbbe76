//! Every model of the corpus that SPIN accepts parses without errors. Skipped where the corpus is not at
//! hand.

use std::path::{Path, PathBuf};

use allways_promela::syntax::{FileInput, PreprocessOptions, Severity, parse};

/// The main files of a corpus folder with their preprocessor options.
fn models(folder: &Path) -> Vec<(PathBuf, PreprocessOptions)> {
    let Ok(text) = std::fs::read_to_string(folder.join("figures.json")) else { return Vec::new() };
    let figures: serde_json::Value = serde_json::from_str(&text).expect("figures.json is JSON");
    let entries = figures.as_array().expect("figures.json is a list");
    // SPIN itself did not get past these.
    let refused = |entry: &&serde_json::Value| {
        entry["runs"].as_array().is_some_and(|r| r.len() == 1 && r[0]["run"] == "parse")
    };
    entries
        .iter()
        .filter(|entry| !refused(entry))
        .map(|entry| {
            let path = folder.join(entry["model"].as_str().expect("a model has a path"));
            let mut options = PreprocessOptions::default();
            for flag in entry["spin_flags"].as_str().unwrap_or("").split_whitespace() {
                if let Some(definition) = flag.strip_prefix("-D") {
                    options = options.define(definition);
                }
            }
            (path, options)
        })
        .collect()
}

#[test]
fn the_corpus_parses() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut n_models = 0;
    let mut failures = String::new();
    for folder in ["micro", "spin", "open"] {
        for (path, options) in models(&corpus.join(folder)) {
            n_models += 1;
            let parsed = parse(&FileInput::Path(path.clone()), &options);
            if parsed.has_errors() || parsed.ast.units.is_empty() {
                failures.push_str(&format!("{}:\n{}\n", path.display(), parsed.render(false)));
            }
            let unsupported = parsed.diagnostics.iter().any(|d| d.severity == Severity::Unsupported);
            if unsupported {
                let has_c = parsed.sources.text(0).contains("c_") || parsed.sources.n_files() > 1;
                assert!(has_c, "{} has no embedded C", path.display());
            }
        }
    }
    if n_models == 0 {
        eprintln!("skipped: no corpus at {}", corpus.display());
    }
    assert!(failures.is_empty(), "{failures}");
}
