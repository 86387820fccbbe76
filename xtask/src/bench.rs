//! Throughput against `pan`, SPIN's own verifier, on the same graphs, both run in turn on the same machine.
//!
//! Every case has known counts: a run with other counts is an error, not a fast run. `pan` is built with
//! `gcc -O2 -DSAFETY -DNOREDUCE` from `spin -o1 -o2 -o3`; both explore the whole graph depth-first with one thread.

use crate::cases::{Case, corpus, examples};
use allways_promela::{FileInput, load};
use allways_search::{Config, Strategy, search};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Smaller graphs measure start-up, not speed.
const MIN_STATES: u64 = 100_000;

pub(crate) fn run(args: &[String]) -> bool {
    let filter = args.first();
    let mut cases = corpus();
    cases.extend(examples());
    cases.retain(|case| case.stored >= MIN_STATES && filter.is_none_or(|f| case.name.contains(f.as_str())));
    cases.sort_by_key(|case| case.stored);
    println!(
        "{:42} {:>10} {:>11} {:>9} {:>9} {:>6} {:>7} {:>7}",
        "model", "states", "transitions", "pan Mt/s", "own Mt/s", "ratio", "pan B/s", "own B/s"
    );
    let mut ratios = Vec::new();
    let mut ok = true;
    for case in &cases {
        match compare(case) {
            Ok(measured) => {
                let Measured { pan, own, pan_bytes, own_bytes } = measured;
                let rate = |seconds: f64| case.transitions as f64 / seconds / 1e6;
                let ratio = pan / own;
                ratios.push(ratio);
                println!(
                    "{:42} {:>10} {:>11} {:>9.2} {:>9.2} {:>6.2} {:>7.0} {:>7.0}",
                    case.name,
                    case.stored,
                    case.transitions,
                    rate(pan),
                    rate(own),
                    ratio,
                    pan_bytes,
                    own_bytes
                );
            }
            Err(why) => {
                ok = false;
                println!("{:42} {why}", case.name);
            }
        }
    }
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "{} models, transitions a second against pan: geometric mean {mean:.2}, least {least:.2}",
            ratios.len()
        );
    }
    ok
}

struct Measured {
    /// Seconds.
    pan: f64,
    own: f64,
    /// Bytes a state.
    pan_bytes: f64,
    own_bytes: f64,
}

fn compare(case: &Case) -> Result<Measured, String> {
    let pan = build_pan(case)?;
    // SPIN sets its stack up in advance: it is given just what this graph needs.
    let (_, _, depth) = run_pan(&pan, case, 30_000_000)?;
    let depth = depth + 100;
    let (mut best_pan, mut best_own) = (f64::INFINITY, f64::INFINITY);
    let (mut pan_bytes, mut own_bytes) = (0.0, 0.0);
    for _ in 0..2 {
        let (seconds, bytes, _) = run_pan(&pan, case, depth)?;
        best_pan = best_pan.min(seconds);
        pan_bytes = bytes;
        let (seconds, bytes) = run_own(case)?;
        best_own = best_own.min(seconds);
        own_bytes = bytes;
    }
    let _ = std::fs::remove_dir_all(pan.parent().unwrap_or(&pan));
    Ok(Measured { pan: best_pan, own: best_own, pan_bytes, own_bytes })
}

fn build_pan(case: &Case) -> Result<PathBuf, String> {
    let name: String = case.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let dir = std::env::temp_dir().join(format!("allways-bench-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
    let file = case.file.canonicalize().map_err(|e| format!("{}: {e}", case.file.display()))?;
    let mut spin = Command::new("spin");
    spin.args(["-o1", "-o2", "-o3"]).args(case.defines.iter().map(|d| format!("-D{d}")));
    run_quietly(spin.arg("-a").arg(&file).current_dir(&dir))?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DVECTORSZ=16384", "-o", "pan", "pan.c"]);
    run_quietly(gcc.current_dir(&dir))?;
    Ok(dir.join("pan"))
}

fn run_quietly(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{command:?} fails")) }
}

fn run_pan(pan: &Path, case: &Case, depth: u64) -> Result<(f64, f64, u64), String> {
    let bits = (case.stored as f64).log2().ceil().max(16.0) as u32;
    let mut command = Command::new(pan);
    command.args(["-n", "-c0", &format!("-m{depth}"), &format!("-w{bits}")]);
    command.current_dir(pan.parent().unwrap_or(Path::new(".")));
    let start = Instant::now();
    let output = command.output().map_err(|e| e.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |suffix: &str| {
        let line = text.lines().find(|line| line.contains(suffix))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let stored = number("states, stored").ok_or("pan prints no figures")?;
    if stored as u64 != case.stored {
        return Err(format!("pan stored {stored} states, expected {}", case.stored));
    }
    let memory = number("actual memory usage for states").unwrap_or(0.0) * 1_048_576.0;
    let reached = text.split("depth reached ").nth(1).and_then(|rest| rest.split(',').next());
    let reached = reached.and_then(|n| n.trim().parse().ok()).ok_or("pan prints no depth")?;
    Ok((seconds, memory / stored, reached))
}

fn run_own(case: &Case) -> Result<(f64, f64), String> {
    let start = Instant::now();
    let loaded = load(&FileInput::Path(case.file.clone()), &case.options());
    let program = loaded.program.ok_or("the model does not load")?.without_exclusive_checks();
    let mut config = Config::new(1);
    config.all_errors = true;
    let outcome = search(&program, Strategy::Dfs, &(), &config);
    let seconds = start.elapsed().as_secs_f64();
    let ours = (outcome.stats.states, outcome.stats.transitions);
    if ours != (case.stored, case.transitions) {
        return Err(format!("{ours:?}, expected {:?}", (case.stored, case.transitions)));
    }
    Ok((seconds, outcome.stats.store_bytes as f64 / outcome.stats.states as f64))
}
