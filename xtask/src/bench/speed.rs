//! Transitions a second with one worker against `pan` on the same graphs.

use super::own::{self, Own};
use super::pan::{Pan, in_turn};
use super::table::{Table, geometric_mean, held, least, widest};
use super::{Options, Part};
use crate::cases::{Case, corpus, examples};

/// Smaller graphs measure start-up, not speed.
pub(crate) const MIN_STATES: u64 = 100_000;
/// The ratio to `pan` that we want: on average, and on every model.
const TARGET: (f64, f64) = (3.0, 1.2);

pub(crate) fn run(options: &Options) -> Part {
    let mut cases = corpus();
    cases.extend(examples());
    cases.retain(|case| case.stored > MIN_STATES && options.wants(&case.name, case.stored));
    cases.sort_by_key(|case| (case.example, case.stored));
    let first = widest(cases.iter().map(|case| case.name.as_str()));
    let mut table = Table::new(
        first,
        &[
            "model",
            "states",
            "transitions",
            "pan Mt/s",
            "own Mt/s",
            "ratio",
            "pan B/st",
            "own B/st",
            "start ms",
        ],
    );
    let (mut corpus, mut own) = (Vec::new(), Vec::new());
    let mut ok = true;
    for (idx, case) in cases.iter().enumerate() {
        if case.example && (idx == 0 || !cases[idx - 1].example) {
            table.line("-- own examples, not part of the score");
        }
        match measure(case, options) {
            Ok((ratio, cells)) => {
                if case.example {
                    own.push(ratio)
                } else {
                    corpus.push(ratio)
                }
                table.row(&cells);
            }
            Err(why) => {
                ok = false;
                table.line(&format!("{:first$} {why}", case.name));
            }
        }
    }
    let score = |name: &str, ratios: &[f64]| {
        let (mean, least) = (geometric_mean(ratios), least(ratios));
        let n = ratios.len();
        (
            mean,
            least,
            format!("{n} {name}: geometric mean {mean:.2}, least {least:.2} of pan's transitions a second"),
        )
    };
    let mut summary = Vec::new();
    if !corpus.is_empty() {
        let (mean, least, text) = score("corpus models", &corpus);
        let met = mean >= TARGET.0 && least >= TARGET.1;
        summary.push(format!("{text} (wanted {:.1} and {:.1}: {})", TARGET.0, TARGET.1, held(met)));
    }
    if !own.is_empty() {
        summary.push(score("own examples", &own).2);
    }
    let how = format!(
        "`pan` from `spin -o1 -o2 -o3` with `gcc -O2 -DSAFETY -DNOREDUCE`, a hash table and a stack of the right size; \
         Allways with {}. Times are of the search alone: `spin` and `gcc` are not counted, and neither are our own loading and \
         compiling, which the last column has. Both explore the whole graph; the best of {} runs each, in \
         turn, each twice in a row, so that the second finds memory that was used just now. B/st is bytes a state (Allways: everything of its store; pan: its own figure for states and its hash \
         table).",
        options.describe(1),
        options.runs
    );
    Part { title: "Speed", how, table: table.into_text(), summary, ok }
}

fn measure(case: &Case, options: &Options) -> Result<(f64, Vec<String>), String> {
    let pan = Pan::build(case, &[])?;
    let how = options.how(1);
    let (theirs, ours) = in_turn(options, || pan.run(), || own::run(case, how), |own: &Own| own.seconds)?;
    let rate = |seconds: f64| format!("{:.2}", case.transitions as f64 / seconds / 1e6);
    let ratio = theirs.seconds / ours.seconds;
    let per_state = |bytes: f64| format!("{:.1}", bytes / case.stored as f64);
    let cells = vec![
        case.name.clone(),
        case.stored.to_string(),
        case.transitions.to_string(),
        rate(theirs.seconds),
        rate(ours.seconds),
        format!("{ratio:.2}"),
        per_state(theirs.states_bytes + theirs.table_bytes),
        per_state(ours.stats.store_bytes as f64),
        format!("{:.0}", 1000.0 * ours.start_up),
    ];
    Ok((ratio, cells))
}
