//! Compares exact counts with SPIN's on the models of a corpus folder, where it is present.
//!
//! Raw figures: no reduction of any kind, the whole graph, errors counted and not stopped at.

use allways_promela::{FileInput, PreprocessOptions, load};
use allways_search::{Config, End, Strategy, search};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What SPIN says of one model.
#[derive(Debug)]
struct Case {
    file: PathBuf,
    name: String,
    options: PreprocessOptions,
    stored: u64,
    matched: u64,
    transitions: u64,
    errors: u64,
}

pub(crate) fn run(args: &[String]) -> bool {
    let mut max = u64::MAX;
    let mut filter = None;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--max" => max = rest.next().and_then(|n| n.parse().ok()).unwrap_or(max),
            other => filter = Some(other.to_owned()),
        }
    }
    let root = Path::new("../shared/corpus");
    let mut cases: Vec<Case> = ["spin", "micro", "open"].iter().flat_map(|dir| cases(root, dir)).collect();
    cases.retain(|case| case.stored <= max);
    if let Some(filter) = &filter {
        cases.retain(|case| case.name.contains(filter));
    }
    let (mut same, mut different, mut unsupported) = (0, 0, 0);
    for case in &cases {
        match check(case) {
            Ok(line) => {
                same += 1;
                println!("same       {line}");
            }
            Err(line) if line.contains("unsupported") => {
                unsupported += 1;
                println!("unsupported {line}");
            }
            Err(line) => {
                different += 1;
                println!("DIFFERENT  {line}");
            }
        }
    }
    println!("{same} same, {different} different, {unsupported} unsupported");
    different == 0 && same > 0
}

fn cases(root: &Path, dir: &str) -> Vec<Case> {
    let path = root.join(dir).join("figures.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("{} is not here: skipped", path.display());
        return Vec::new();
    };
    let entries: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let mut cases = Vec::new();
    for entry in entries.as_array().into_iter().flatten() {
        let figures = match dir {
            "open" => Some(&entry["raw"]),
            _ => entry["runs"].as_array().into_iter().flatten().find(|run| run["run"] == "o2"),
        };
        let Some(figures) = figures.filter(|figures| figures["complete"] == true) else { continue };
        let model = entry["model"].as_str().unwrap_or_default();
        let mut options = PreprocessOptions::default();
        for flag in entry["spin_flags"].as_str().unwrap_or_default().split_whitespace() {
            if let Some(define) = flag.strip_prefix("-D") {
                options = options.define(define);
            }
        }
        let file = root.join(dir).join(model);
        let number = |name: &str| figures[name].as_u64().unwrap_or(0);
        cases.push(Case {
            file,
            name: format!("{dir}/{model}"),
            options,
            stored: number("stored"),
            matched: number("matched"),
            transitions: number("transitions"),
            errors: number("errors"),
        });
    }
    cases.sort_by_key(|case| case.stored);
    cases
}

fn check(case: &Case) -> Result<String, String> {
    let loaded = load(&FileInput::Path(case.file.clone()), &case.options);
    let Some(program) = &loaded.program else {
        let text: Vec<String> = loaded
            .diagnostics
            .iter()
            .filter(|d| d.severity != allways_promela::Severity::Warning)
            .take(3)
            .map(|d| format!("{:?} {} at {}", d.severity, d.message, loaded.sources.place(d.span)))
            .collect();
        return Err(format!("{}: {}", case.name, text.join("; ").replace("Unsupported", "unsupported")));
    };
    let mut config = Config::new(1);
    config.all_errors = true;
    config.limits.time = Some(Duration::from_secs(600));
    let start = Instant::now();
    let outcome = search(program, Strategy::Dfs, &(), &config);
    let seconds = start.elapsed().as_secs_f64();
    let ours = (outcome.stats.states, outcome.stats.matched, outcome.stats.transitions, outcome.stats.errors);
    let theirs = (case.stored, case.matched, case.transitions, case.errors);
    let line = format!("{:50} {ours:?} in {seconds:.2} s", case.name);
    match outcome.end {
        End::Exhausted if ours == theirs => Ok(line),
        End::Exhausted => Err(format!("{line}, SPIN {theirs:?}")),
        end => Err(format!("{line}, SPIN {theirs:?}, {end:?}")),
    }
}
