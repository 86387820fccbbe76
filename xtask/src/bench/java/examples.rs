//! The Java examples at sizes of a hundred thousand to a million states, with one worker and with two.

use super::run::{Classes, How};
use crate::bench::table::{Table, geometric_mean, held, least, widest};
use crate::bench::{Options, Part};
use std::path::Path;

const SOURCES: &str = "examples/java";
/// For each run, in seconds.
const TIME: u64 = 300;
/// What two workers should be of one.
const TARGET: f64 = 1.6;

/// The correct versions; the broken ones end as soon as they are found to be.
const RUNS: [&str; 9] = [
    "Philosophers ok 10 1",
    "BoundedBuffer ok 2 2 2 6",
    "Pipeline ok 7 2",
    "ListenerPipeline ok 7 2 2",
    "NestedMonitor ok 2 2 2 5",
    "ReadersWriters ok 7 2 1",
    "ReplicatedWorkers ok 5 5",
    "SleepingBarber ok 2 4 2",
    "Elevator ok 3 4 2",
];

pub(crate) fn run(options: &Options) -> Part {
    let mut part = Part {
        title: "Java: the examples at large sizes",
        how: format!(
            "Depth first, `collapse` store; the best of {} runs. Seconds are of the last search, which no conflict ended; total: of all.",
            options.runs
        ),
        table: String::new(),
        summary: Vec::new(),
        ok: true,
    };
    let classes = match Classes::compile(Path::new(SOURCES)) {
        Ok(classes) => classes,
        Err(why) => return part.not_measured(&why),
    };
    let runs: Vec<&str> = RUNS.into_iter().filter(|line| options.wants(line, 0)).collect();
    let first = widest(runs.iter().copied());
    let columns = ["run", "states", "steps", "B/st", "1: s", "states/s", "2: s", "ratio", "total s"];
    let mut table = Table::new(first, &columns);
    let mut ratios = Vec::new();
    for line in runs {
        match measure(&classes, line, options.runs) {
            Ok((row, ratio)) => {
                ratios.extend(ratio);
                table.row(&row);
            }
            Err(why) => {
                part.ok = false;
                table.line(&format!("{line:first$} {why}"));
            }
        }
    }
    if !ratios.is_empty() {
        let (mean, least) = (geometric_mean(&ratios), least(&ratios));
        part.summary.push(format!(
            "two workers are {mean:.2} of one on average, {least:.2} at least (wanted {TARGET:.1}: {})",
            held(mean >= TARGET)
        ));
    }
    part.table = table.into_text();
    part
}

fn measure(classes: &Classes, line: &str, runs: usize) -> Result<(Vec<String>, Option<f64>), String> {
    let how = How::usual(TIME);
    let (mut one, mut two) = (f64::INFINITY, f64::INFINITY);
    let mut last = None;
    for _ in 0..runs {
        let found = classes.search(line, how)?;
        one = one.min(found.stats.elapsed.as_secs_f64());
        let both = classes.search(line, How { workers: 2, ..how })?;
        two = two.min(both.stats.elapsed.as_secs_f64());
        if found.verdict == "holds" && both.stats.states != found.stats.states {
            return Err(format!(
                "{} states with two workers, {} with one",
                both.stats.states, found.stats.states
            ));
        }
        last = Some(found);
    }
    let Some(found) = last else { return Err("no runs were asked for".into()) };
    if !matches!(found.verdict, "holds" | "bounded") {
        return Err(format!("{} where nothing is wrong", found.verdict));
    }
    let is_whole = found.verdict == "holds";
    let row = vec![
        format!("{line}{}", if is_whole { "" } else { " (bounded)" }),
        found.stats.states.to_string(),
        found.stats.transitions.to_string(),
        format!("{:.0}", found.bytes_a_state()),
        format!("{one:.1}"),
        format!("{:.0}", found.stats.states as f64 / one),
        format!("{two:.1}"),
        if is_whole { format!("{:.2}", one / two) } else { String::new() },
        format!("{:.1}", found.seconds),
    ];
    Ok((row, is_whole.then_some(one / two)))
}
