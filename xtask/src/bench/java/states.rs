//! What each of the things is worth that make states few and small, on programs made for the purpose
//! (`benches/java`).

use super::run::{Classes, Found, How};
use crate::bench::table::{Table, widest};
use crate::bench::{Options, Part};
use allways_java::{Collect, Form};
use allways_search::StoreKind;
use std::path::Path;

const SOURCES: &str = "benches/java";
/// For each run, in seconds.
const TIME: u64 = 120;

const PROGRAMS: [&str; 4] = ["TempObj", "NoGarbage", "DoubleLinked", "SymmetricBuffer"];

/// A way to keep states, by name.
type Way = (&'static str, fn(&mut How));

/// The first is the usual one.
const WAYS: [Way; 8] = [
    ("", |_| {}),
    ("no collapse", |how| how.store = StoreKind::Exact),
    ("no undo: copying", |how| how.form.undo = false),
    ("nobody sleeps", |how| how.form.sleep = false),
    ("no symmetry", |how| how.form.symmetry = false),
    ("dead locals kept", |how| how.form.dead_locals = false),
    ("references counted", |how| how.form.collect = Collect::Count),
    ("garbage kept", |how| how.form.collect = Collect::Nothing),
];

pub(crate) fn run(options: &Options) -> Part {
    let mut part = Part {
        title: "Java: what makes states few and small",
        how: format!(
            "Depth first, one worker; the best of {} runs, at most {TIME} s each. Each line turns one thing off: `--store exact`, `--without undo`, `--without sleep`, `--without \
             symmetry`, `--without dead-locals`, `--collect count`, `--collect none`. B/st: bytes of the store by state.",
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
    let first = widest(WAYS.iter().map(|(name, _)| *name)) + 20;
    let mut table = Table::new(first, &["program", "states", "of usual", "B/st", "states/s", "seconds"]);
    for program in PROGRAMS.iter().filter(|program| options.wants(program, 0)) {
        let mut usual = None;
        for (name, change) in WAYS {
            let mut how = How { form: Form::default(), ..How::usual(TIME) };
            change(&mut how);
            match best(&classes, program, how, options.runs) {
                Ok(found) => {
                    let usual = *usual.get_or_insert(found.stats.states);
                    part.ok &= matches!(found.verdict, "holds" | "bounded");
                    let bounded = if found.verdict == "bounded" { " (bounded)" } else { "" };
                    table.row(&[
                        format!("{program} {name}{bounded}"),
                        found.stats.states.to_string(),
                        format!("{:.2}", found.stats.states as f64 / usual as f64),
                        format!("{:.0}", found.bytes_a_state()),
                        format!("{:.0}", found.rate()),
                        format!("{:.2}", found.stats.elapsed.as_secs_f64()),
                    ]);
                }
                Err(why) => {
                    part.ok = false;
                    table.line(&format!("{program} {name}: {why}"));
                }
            }
        }
    }
    part.table = table.into_text();
    part
}

fn best(classes: &Classes, program: &str, how: How, runs: usize) -> Result<Found, String> {
    let mut best = classes.search(program, how)?;
    for _ in 1..runs {
        let again = classes.search(program, how)?;
        if again.stats.states != best.stats.states && best.verdict != "bounded" {
            return Err(format!("{} states, then {}", best.stats.states, again.stats.states));
        }
        if again.rate() > best.rate() {
            best = again;
        }
    }
    Ok(best)
}
