//! States with all reductions on against SPIN's own reduced run, from its recorded figures.

use super::own;
use super::table::{Table, held, widest};
use super::{Options, Part};
use crate::cases::{ReducedCase, reduced_corpus};

/// What we want: the total at most SPIN's, and no model worse than this.
const TARGET: (f64, f64) = (1.0, 1.10);
/// A search with so many times SPIN's states is given up; small models may have this many times 100,000.
const MOST_TIMES: u64 = 10;
/// Models for which SPIN's figures mean nothing, and why: they are shown, and not counted. `docs/spin.md` has
/// more on each.
const SPIN_IS_WRONG: [(&str, &str); 3] = [
    ("micro/arr_bound.pml", "pan goes on with memory that it has spoilt"),
    (
        "open/sddf_net_virt_tx.pml",
        "with priorities pan takes local variables for padding, and so different states for one: compiled with -DNOCOMP, it has \
         more than 68 million states",
    ),
    (
        "spin/spins/regression/20110318_wrong_pid.prom",
        "pan takes a death for a step that nobody can tell, and misses that a process gets another number before it: with \
         assert(_pid == 1) in b, its reduced search misses an error",
    ),
];

pub(crate) fn run(options: &Options) -> Part {
    let mut cases = reduced_corpus();
    cases.retain(|case| {
        let size = case.raw.map_or(case.stored, |(states, _)| states);
        options.wants(&case.name, size)
    });
    cases.sort_by_key(|case| case.stored);
    let first = widest(cases.iter().map(|case| case.name.as_str()));
    let mut table = Table::new(first, &["model", "raw", "spin por", "own", "ratio", "seconds"]);
    let (mut theirs, mut ours) = (0, 0);
    let mut above = Vec::new();
    let mut set_aside = Vec::new();
    let mut n_cases = 0;
    let mut ok = true;
    for case in &cases {
        match measure(case, options) {
            Ok((states, seconds)) => {
                let ratio = states as f64 / case.stored as f64;
                let wrong = SPIN_IS_WRONG.iter().find(|(name, _)| *name == case.name);
                if let Some((name, why)) = wrong {
                    set_aside.push((*name, states, case.stored, *why));
                } else {
                    theirs += case.stored;
                    ours += states;
                    n_cases += 1;
                    if ratio > 1.0 {
                        above.push((ratio, case.name.as_str(), states, case.stored));
                    }
                }
                table.row(&[
                    case.name.clone(),
                    case.raw.map_or("-".into(), |(states, _)| states.to_string()),
                    case.stored.to_string(),
                    states.to_string(),
                    if wrong.is_some() { "wrong".into() } else { format!("{ratio:.2}") },
                    format!("{seconds:.2}"),
                ]);
            }
            // What the tool says that it does not do is not a wrong count.
            Err(why) if why.contains("does not load") => table.line(&format!("{:first$} {why}", case.name)),
            Err(why) => {
                ok = false;
                table.line(&format!("{:first$} {why}", case.name));
            }
        }
    }
    above.sort_by(|a, b| b.0.total_cmp(&a.0));
    let worst = above.first().map_or(1.0, |worst| worst.0);
    let mut summary = Vec::new();
    if n_cases > 0 {
        let met = ours as f64 <= theirs as f64 * TARGET.0 && worst <= TARGET.1;
        summary.push(format!(
            "{n_cases} corpus models: {ours} states in all, {:.3} of SPIN's {theirs}; {} above SPIN's, the worst {worst:.2} \
             (wanted {:.2} and {:.2}: {})",
            ours as f64 / theirs as f64,
            above.len(),
            TARGET.0,
            TARGET.1,
            held(met)
        ));
    }
    for (ratio, name, states, stored) in above {
        summary.push(format!("above: {name} {ratio:.2} ({states} states, SPIN {stored})"));
    }
    for (name, states, stored, why) in set_aside {
        summary.push(format!("not counted: {name} ({states} states, SPIN {stored}): {why}"));
    }
    let how = format!(
        "All reductions on, whole graph, {}; SPIN's default run (statement merging, dead variables reset, partial-order \
         reduction) as recorded in the corpus.",
        options.describe(1)
    );
    Part { title: "Reduction", how, table: table.into_text(), summary, ok }
}

fn measure(case: &ReducedCase, options: &Options) -> Result<(u64, f64), String> {
    let most = MOST_TIMES * case.stored.max(100_000);
    let run = own::run_reduced(&case.file, &case.defines, options.how(1), most)?;
    let violated = run.stats.errors > 0;
    // With reduction xr and xs claims are held to, without they are not: either may find more.
    let known = [Some(case.violated), case.raw.map(|(_, violated)| violated)];
    if !known.contains(&Some(violated)) {
        let said = |violated: bool| if violated { "violated" } else { "no error" };
        return Err(format!("{}, but SPIN says {}", said(violated), said(case.violated)));
    }
    Ok((run.stats.states, run.seconds))
}
