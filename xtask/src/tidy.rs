//! House rules that no compiler checks: module headers, sizes of files and functions, the width of prose,
//! which crate may use which, and that pictures and figures of the pages are current.

use crate::{crates, width};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// No source file is longer than this.
const MAX_LINES: usize = 1000;

/// No function is longer than this, from the line of its `fn` to its closing brace.
const MAX_FUNCTION_LINES: usize = 100;

/// What each crate may use of the others. `model` and `heap` use nothing; stores know only `model`, front
/// ends `model`, `heap` and `ltl`.
const MAY_USE: [(&str, &[&str]); 14] = [
    ("allways-model", &[]),
    ("allways-heap", &[]),
    ("allways-store", &["allways-model"]),
    ("allways-search", &["allways-model", "allways-store"]),
    ("allways-report", &["allways-model"]),
    ("allways-product", &["allways-model"]),
    ("allways-promela", &["allways-model", "allways-heap", "allways-ltl"]),
    ("allways-java", &["allways-model", "allways-heap", "allways-ltl"]),
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
    // The certifier joins front ends and products too, and nothing that searches.
    (
        "allways-certify",
        &[
            "allways-model",
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
            "allways-certify",
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
        for line in width::wide_comments(&text) {
            complaints.push(format!("{}:{line}: a comment wider than 110 columns", file.display()));
        }
        for (name, n_lines) in function_lengths(&text) {
            if n_lines > MAX_FUNCTION_LINES {
                complaints.push(format!(
                    "{}: function {name} has {n_lines} lines, more than {MAX_FUNCTION_LINES}",
                    file.display()
                ));
            }
        }
    }
    for page in pages() {
        let Ok(text) = std::fs::read_to_string(&page) else { continue };
        for line in width::wide_markdown(&text) {
            complaints.push(format!("{page}:{line}: text wider than 110 columns"));
        }
    }
    check_figures(&mut complaints);
    complaints.extend(crates::complaint());
    check_dependencies(&mut complaints);
    check_walk(&mut complaints);
    for complaint in &complaints {
        println!("{complaint}");
    }
    println!("tidy: {} complaints", complaints.len());
    complaints.is_empty()
}

/// The functions with a body in a file that rustfmt has formatted, with the number of lines of each. An inner
/// function counts for itself and for the one around it.
fn function_lengths(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut lengths = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        // The signature ends where the body begins; a declaration without a body, or a body on the same line,
        // ends there.
        let Some(head) = lines[start..].iter().position(|line| line.ends_with(['{', '}', ';'])) else {
            continue;
        };
        let opening = lines[start + head];
        if opening.ends_with('}') {
            lengths.push((name, head + 1));
        } else if opening.ends_with('{') {
            let indent = &line[..line.len() - line.trim_start().len()];
            let is_end = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}'));
            if let Some(body) = lines[start + head + 1..].iter().position(is_end) {
                lengths.push((name, head + body + 2));
            }
        }
    }
    lengths
}

/// The name of the function whose signature begins on this line.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let is_modifier = |word: &str| {
        matches!(word, "pub" | "const" | "async" | "unsafe" | "extern" | "\"C\"") || word.starts_with("pub(")
    };
    if !before.split_whitespace().all(is_modifier) {
        return None;
    }
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (end > 0).then(|| &after[..end])
}

/// The Markdown pages of the repository, except those that tasks write.
fn pages() -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", "*.md"]).output();
    let names = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let is_written = |name: &&str| !name.starts_with("benches/runs/") && *name != "docs/java-natives.md";
    names.lines().filter(is_written).map(String::from).collect()
}

/// Complains about a figure of the README that is not in the run which its line names.
fn check_figures(complaints: &mut Vec<String>) {
    let text = std::fs::read_to_string("README.md").unwrap_or_default();
    let mut run: Option<(&str, String)> = None;
    let mut n_figures = 0;
    for line in text.lines() {
        let is_row = line.starts_with('|');
        if let Some((_, rest)) = line.split_once("(benches/runs/") {
            let name = rest.split(')').next().unwrap_or_default();
            run = Some((name, std::fs::read_to_string(format!("benches/runs/{name}")).unwrap_or_default()));
        } else if !is_row {
            run = None;
        }
        let Some((name, figures)) = &run else { continue };
        let is_figure = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
        for figure in line.split([' ', '(', ')', ',', '/']).filter(is_figure) {
            n_figures += 1;
            if !figures.contains(figure) {
                complaints.push(format!("README.md: {figure} is not in benches/runs/{name}"));
            }
        }
    }
    if n_figures < 6 {
        complaints.push(format!("README.md: {n_figures} figures name the run that they come from"));
    }
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

/// The walk of one state in ARCHITECTURE.md leads through at most this many files.
const MAX_WALK: usize = 30;

/// Complains about a walk of one state that is too long, or names a file that is not there.
fn check_walk(complaints: &mut Vec<String>) {
    let text = std::fs::read_to_string("ARCHITECTURE.md").unwrap_or_default();
    let walk = text.split_once("## One state").and_then(|(_, rest)| rest.split("\n## ").next());
    let names: BTreeSet<&str> = walk.map(files_of_walk).unwrap_or_default();
    if names.is_empty() || names.len() > MAX_WALK {
        complaints.push(format!("ARCHITECTURE.md: the walk of one state names {} files", names.len()));
    }
    for name in names {
        let (package, file) = name.split_once('/').expect("it was found by its slash");
        if !Path::new(&format!("crates/{package}/src/{file}.rs")).is_file() {
            complaints.push(format!("ARCHITECTURE.md: the walk of one state names {name}, which is no file"));
        }
    }
}

/// The files that a text names: words in backquotes with a slash and neither dots nor spaces.
fn files_of_walk(text: &str) -> BTreeSet<&str> {
    let is_file = |word: &&str| word.contains('/') && !word.contains(['.', ' ', '\n']);
    text.split('`').skip(1).step_by(2).filter(is_file).collect()
}

#[cfg(test)]
mod tests {
    use super::function_lengths;

    #[test]
    fn functions_are_counted_from_fn_to_brace() {
        let text = "\
/// fn in_a_comment() {
trait T {
    fn declared(&self);
    fn declared_over_lines(
        &self,
    ) -> u32;
    pub(super) const fn short() {}
    fn method<T>(
        a: T,
    ) -> u32
    where
        T: Copy,
    {
        if a {
            1
        }
    }
}

#[test]
pub unsafe extern \"C\" fn outer() {
    let define = |x| x;
    fn inner() {
        loop {}
    }
}
";
        let expected = [("short", 1), ("method", 10), ("outer", 6), ("inner", 3)];
        assert_eq!(function_lengths(text), expected);
    }
}
