//! Compares exact counts with SPIN's on the corpus, where it is present, and on the product's own examples.
//!
//! Raw figures: no reduction of any kind, the whole graph, errors counted and not stopped at.

use crate::cases::{Case, corpus, examples};
use allways_promela::{FileInput, Program, load};
use allways_search::{Config, End, Strategy, search};
use std::time::{Duration, Instant};

/// Models for which SPIN's figures mean nothing; the right ones are tested in `crates/promela/tests`.
/// `arr_bound` writes behind the end of an array, and `pan` goes on with the memory it has spoilt.
const SPIN_IS_WRONG: [&str; 1] = ["micro/arr_bound.pml"];

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
    let mut cases = corpus();
    cases.extend(examples());
    cases.retain(|case| case.stored <= max);
    cases.sort_by_key(|case| case.stored);
    if let Some(filter) = &filter {
        cases.retain(|case| case.name.contains(filter));
    }
    let (mut same, mut different, mut unsupported) = (0, 0, 0);
    for case in cases.iter().filter(|case| !SPIN_IS_WRONG.contains(&case.name.as_str())) {
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

fn check(case: &Case) -> Result<String, String> {
    let loaded = load(&FileInput::Path(case.file.clone()), &case.options());
    let Some(program) = loaded.program.map(Program::without_exclusive_checks) else {
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
    let outcome = search(&program, Strategy::Dfs, &(), &config);
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
