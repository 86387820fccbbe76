//! Pools, futures and locks of `java.util.concurrent`: how many states programs have that everybody writes.
//!
//! Seconds are of the processor, so that other work on the machine does not count.

use super::run::{Classes, Found, How};
use crate::bench::table::{Table, held, widest};
use crate::bench::{Options, Part};
use std::path::Path;

const SOURCES: &str = "benches/java";
/// For each run, in seconds by the clock.
const TIME: u64 = 120;
/// The most states that threads on a lock should have, in times those of `synchronized`.
const TARGET: f64 = 3.0;

/// The programs, the most states that they should have, if that is wanted, and the most seconds.
const RUNS: [(&str, Option<u64>, f64); 18] = [
    ("Pools empty 1 1", Some(500), 5.0),
    ("Pools empty 2 2", Some(20_000), 5.0),
    ("Pools empty 2 3", None, 20.0),
    ("Pools fixed 2 2", None, 20.0),
    ("Pools fixed 2 3", None, 20.0),
    ("Pools cached 2", None, 20.0),
    ("Pools cached 3", None, 20.0),
    ("Pools invoke-all 2 2", None, 20.0),
    ("Pools invoke-all 2 3", None, 20.0),
    ("Pools chain 1", None, 20.0),
    ("Pools chain 2", None, 20.0),
    ("Pools combine", None, 20.0),
    ("Pools fork 1 2", None, 20.0),
    ("Pools fork 2 2", None, 20.0),
    ("Pools scheduled 1 2", None, 20.0),
    ("Pools scheduled 2 2", None, 20.0),
    ("Pools scheduled-get 1 2", None, 20.0),
    ("Pools scheduled-get 2 2", None, 20.0),
];

const LOCKS: [&str; 3] = ["lock", "semaphore", "write-lock"];
const N_THREADS: std::ops::RangeInclusive<u64> = 2..=6;

pub(crate) fn run(options: &Options) -> Part {
    let mut part = Part {
        title: "Java: pools and locks",
        how: format!(
            "Depth first, one worker, at most {TIME} s each. CPU: seconds of the processor for all searches of a program. Wanted: states and seconds."
        ),
        table: String::new(),
        summary: Vec::new(),
        ok: true,
    };
    let classes = match Classes::compile(Path::new(SOURCES)) {
        Ok(classes) => classes,
        Err(why) => return part.not_measured(&why),
    };
    let runs: Vec<_> = RUNS.into_iter().filter(|(line, ..)| options.wants(line, 0)).collect();
    let first = widest(runs.iter().map(|&(line, ..)| line).chain(["Pools synchronized 6"]));
    let mut table = Table::new(first, &["run", "verdict", "states", "CPU", "wanted"]);
    let mut n_reached = 0;
    for &(line, states, seconds) in &runs {
        match timed(&classes, line) {
            Ok((found, cpu)) => {
                part.ok &= matches!(found.verdict, "holds" | "bounded");
                let is_reached = found.verdict == "holds"
                    && cpu <= seconds
                    && states.is_none_or(|most| found.stats.states <= most);
                n_reached += u64::from(is_reached);
                let most = states.map_or(String::new(), |most| format!("{most}, "));
                let wanted = format!("{most}{seconds:.0} s: {}", held(is_reached));
                let count = found.stats.states.to_string();
                table.row(&[line.into(), found.verdict.into(), count, format!("{cpu:.1}"), wanted]);
            }
            Err(why) => {
                part.ok = false;
                table.line(&format!("{line:first$} {why}"));
            }
        }
    }
    part.summary.push(format!("{n_reached} of {} pools are decided as wanted", runs.len()));
    if options.wants("Pools synchronized", 0) {
        match compare_locks(&classes) {
            Ok(most) => part.summary.push(format!(
                "threads on a lock have {most:.1} times the states of `synchronized` at most (wanted {TARGET:.0}: {})",
                held(most <= TARGET)
            )),
            Err(why) => {
                part.ok = false;
                table.line(&why);
            }
        }
    }
    part.table = table.into_text();
    part
}

/// Searches a program, and measures how long the processor took for that.
fn timed(classes: &Classes, line: &str) -> Result<(Found, f64), String> {
    let before = cpu_seconds()?;
    let found = classes.search(line, How::usual(TIME))?;
    Ok((found, cpu_seconds()? - before))
}

/// The states of threads on a lock, in times those of threads that are synchronized: the most.
fn compare_locks(classes: &Classes) -> Result<f64, String> {
    let mut most = 0_f64;
    for n in N_THREADS {
        let states = |kind: &str| -> Result<f64, String> {
            let line = format!("Pools {kind} {n}");
            let found = classes.search(&line, How::usual(TIME))?;
            if found.verdict != "holds" {
                return Err(format!("{line}: {}", found.verdict));
            }
            Ok(found.stats.states as f64)
        };
        let synchronized = states("synchronized")?;
        for kind in LOCKS {
            most = most.max(states(kind)? / synchronized);
        }
    }
    Ok(most)
}

/// The processor time of this process so far, in seconds, of which the kernel counts hundredths.
fn cpu_seconds() -> Result<f64, String> {
    let text =
        std::fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    // The second field is the command in parentheses; user and system time are the 14th and 15th.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: Vec<f64> = fields.split_whitespace().skip(11).take(2).filter_map(|n| n.parse().ok()).collect();
    let [user, system] = ticks[..] else { return Err("/proc/self/stat has no times".into()) };
    Ok((user + system) / 100.0)
}
