//! House rules that no compiler checks: module headers, file sizes, who may depend on whom, no stray files.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// No source file is longer than this.
const MAX_LINES: usize = 1000;

/// What each crate may use of the others. `model` uses nothing; stores know only `model`, front ends `model` and `ltl`.
const MAY_USE: [(&str, &[&str]); 12] = [
    ("allways-model", &[]),
    ("allways-store", &["allways-model"]),
    ("allways-search", &["allways-model", "allways-store"]),
    ("allways-report", &["allways-model"]),
    ("allways-product", &["allways-model"]),
    ("allways-promela", &["allways-model", "allways-ltl"]),
    ("allways-java", &["allways-model", "allways-ltl"]),
    ("allways-testkit", &["allways-model"]),
    ("allways-ltl", &["allways-model"]),
    (
        "allways-session",
        &[
            "allways-model",
            "allways-search",
            "allways-report",
            "allways-promela",
            "allways-java",
            "allways-ltl",
            "allways-product",
        ],
    ),
    (
        "allways",
        &[
            "allways-model",
            "allways-search",
            "allways-report",
            "allways-promela",
            "allways-java",
            "allways-ltl",
            "allways-session",
        ],
    ),
    (
        "xtask",
        &[
            "allways-model",
            "allways-search",
            "allways-promela",
            "allways-java",
            "allways-testkit",
            "allways-ltl",
            "allways-product",
        ],
    ),
];

pub(crate) fn run() -> bool {
    let mut complaints = Vec::new();
    for file in sources(Path::new("crates")).into_iter().chain(sources(Path::new("xtask"))) {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        if !text.starts_with("//!") {
            complaints.push(format!("{} has no module header", file.display()));
        }
        let n_lines = text.lines().count();
        if n_lines > MAX_LINES {
            complaints.push(format!("{} has {n_lines} lines, more than {MAX_LINES}", file.display()));
        }
    }
    check_dependencies(&mut complaints);
    for complaint in &complaints {
        println!("{complaint}");
    }
    println!("tidy: {} complaints", complaints.len());
    complaints.is_empty()
}

fn sources(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Fails on an edge between crates that the architecture forbids. What only tests use is free.
fn check_dependencies(complaints: &mut Vec<String>) {
    let output =
        Command::new(env!("CARGO")).args(["metadata", "--format-version", "1", "--no-deps"]).output();
    let metadata: Value = match output.map(|output| serde_json::from_slice(&output.stdout)) {
        Ok(Ok(metadata)) => metadata,
        _ => {
            complaints.push("cargo metadata does not run".into());
            return;
        }
    };
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = MAY_USE.iter().find(|(crate_name, _)| *crate_name == name) else {
            complaints.push(format!("crate {name} is not in the architecture"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            let ours = used.starts_with("allways");
            let normal = dependency["kind"].is_null();
            if ours && normal && !allowed.contains(&used) {
                complaints.push(format!("{name} must not depend on {used}"));
            }
        }
    }
}
