//! Two workers against one on large graphs.

use super::own::{self, Own};
use super::pan::IN_A_ROW;
use super::table::{Table, geometric_mean, held, least, widest};
use super::{Options, Part};
use crate::cases::{Case, corpus, examples};

/// Smaller graphs are over before a second worker has enough to do.
const MIN_STATES: u64 = 1_000_000;
/// What two workers should be of one.
const TARGET: f64 = 1.7;

pub(crate) fn run(options: &Options) -> Part {
    let mut cases = corpus();
    cases.extend(examples());
    cases.retain(|case| {
        case.stored > options.min.unwrap_or(MIN_STATES) && options.wants(&case.name, case.stored)
    });
    cases.sort_by_key(|case| (case.example, case.stored));
    let first = widest(cases.iter().map(|case| case.name.as_str()));
    let mut table = Table::new(first, &["model", "states", "1: s", "2: s", "ratio"]);
    let mut ratios = Vec::new();
    let mut ok = true;
    for case in &cases {
        match measure(case, options) {
            Ok((one, two)) => {
                let ratio = one / two;
                ratios.push(ratio);
                table.row(&[
                    case.name.clone(),
                    case.stored.to_string(),
                    format!("{one:.2}"),
                    format!("{two:.2}"),
                    format!("{ratio:.2}"),
                ]);
            }
            Err(why) => {
                ok = false;
                table.line(&format!("{:first$} {why}", case.name));
            }
        }
    }
    let mut summary = Vec::new();
    if !ratios.is_empty() {
        let (mean, least) = (geometric_mean(&ratios), least(&ratios));
        summary.push(format!(
            "{} models: two workers are {mean:.2} of one on average, {least:.2} at least (wanted {TARGET:.1}: {})",
            ratios.len(),
            held(least >= TARGET)
        ));
    }
    let how = format!(
        "Allways with {}, then with two workers, loading excluded; the best of {} runs each, in turn, each twice in a row.",
        options.describe(1),
        options.runs
    );
    Part { title: "Threads", how, table: table.into_text(), summary, ok }
}

fn measure(case: &Case, options: &Options) -> Result<(f64, f64), String> {
    let mut best = (f64::INFINITY, f64::INFINITY);
    for _ in 0..options.runs {
        let time = |workers| own::run(case, options.how(workers)).map(|own: Own| own.seconds);
        for _ in 0..IN_A_ROW {
            best.0 = best.0.min(time(1)?);
        }
        for _ in 0..IN_A_ROW {
            best.1 = best.1.min(time(2)?);
        }
    }
    Ok(best)
}
