//! Searches for accepting cycles: states a second with one worker against `pan -a` on the same products, and
//! two workers against one on large ones.
//!
//! Only properties that hold are measured: the whole product must be seen then, by whatever search.

use super::own::{self, How, Own};
use super::pan::{Pan, Run, Target, in_turn};
use super::speed::MIN_STATES;
use super::table::{Table, geometric_mean, held, least, widest};
use super::{Options, Part};
use crate::claims::{ClaimCase, claims};
use allways_search::Strategy;
use allways_testkit::spin::Cycles;
use std::path::PathBuf;

/// Smaller products are over before a second worker has enough to do.
const MIN_SHARED: u64 = 1_000_000;
/// Merged statements make products smaller, by about this factor at most.
const MERGED: u64 = 5;
/// What `ndfs` should be of `pan`, on average, and what two workers should be of one.
const TARGET: f64 = 2.0;
const SHARED_TARGET: f64 = 1.5;
/// The searches by one worker, the one that the target is for first; and those by many.
const ALONE: [Strategy; 2] = [Strategy::Ndfs, Strategy::Scc];
const SHARED: [Strategy; 2] = [Strategy::Cndfs, Strategy::Map];

/// What was measured of one case.
struct Measured {
    states: u64,
    pan: f64,
    /// For each of [`ALONE`].
    alone: Vec<f64>,
    /// For each of [`SHARED`] with one worker and with two, if the product is large enough.
    shared: Vec<(f64, f64)>,
}

pub(crate) fn run(options: &Options) -> Part {
    let mut cases = claims();
    cases.retain(|case| {
        !case.violated && case.stored > MIN_STATES / MERGED && options.wants(&case.name, case.stored)
    });
    cases.sort_by_key(|case| (case.stored, case.counts));
    // Some models are in the corpus twice, and some formulas mean the same.
    cases.dedup_by_key(|case| (case.stored, case.counts));
    let first = widest(cases.iter().map(|case| case.name.as_str()));
    let columns = ["model", "states", "pan ks/s", "ndfs", "ratio", "scc", "ratio"];
    let shared = ["cndfs 1: s", "2: s", "ratio", "map 1: s", "2: s", "ratio"];
    let mut table = Table::new(first, &[&columns[..], &shared].concat());
    let (mut all, mut ok) = (Vec::new(), true);
    for case in &cases {
        match measure(case, options) {
            Ok(Some(measured)) => {
                table.row(&measured.cells(&case.name));
                all.push(measured);
            }
            Ok(None) => {}
            Err(why) => {
                ok = false;
                table.line(&format!("{:first$} {why}", case.name));
            }
        }
    }
    let how = format!(
        "Properties of the corpus that hold, with more than {MIN_STATES} states in the product; those with the same figures once; formulas as SPIN's own never claims, so that \
         both search the same product. `pan` from `spin -o1 -o2 -o3` with `gcc -O2 -DNOREDUCE -DNOFAIR` (`-DNP` for non-progress), a hash table and a \
         stack of the right size, run with `-a` or `-l`; Allways with the `{}` store. ks/s is thousands of distinct states a second; times are of the search \
         alone. Products of more than {MIN_SHARED} states are also searched by two workers. The best of {} runs each, in turn, each twice in a row.",
        options.store.as_deref().unwrap_or("exact"),
        options.runs
    );
    Part { title: "Liveness", how, table: table.into_text(), summary: summary(&all), ok }
}

fn summary(all: &[Measured]) -> Vec<String> {
    let mut lines = Vec::new();
    for (idx, strategy) in ALONE.into_iter().enumerate() {
        let ratios: Vec<f64> = all.iter().map(|one| one.pan / one.alone[idx]).collect();
        if ratios.is_empty() {
            continue;
        }
        let (mean, least) = (geometric_mean(&ratios), least(&ratios));
        let text = format!(
            "{} properties: {} has {mean:.2} of pan's states a second on average, {least:.2} at least",
            ratios.len(),
            strategy.name()
        );
        let verdict = format!(" (wanted {TARGET:.1} on average: {})", held(mean >= TARGET));
        lines.push(if idx == 0 { text + &verdict } else { text });
    }
    for (idx, strategy) in SHARED.into_iter().enumerate() {
        let ratios: Vec<f64> =
            all.iter().filter_map(|one| one.shared.get(idx)).map(|(one, two)| one / two).collect();
        if ratios.is_empty() {
            continue;
        }
        let (mean, least) = (geometric_mean(&ratios), least(&ratios));
        lines.push(format!(
            "{} properties: {} with two workers is {mean:.2} of one on average, {least:.2} at least (wanted {SHARED_TARGET:.1}: {})",
            ratios.len(),
            strategy.name(),
            held(mean >= SHARED_TARGET)
        ));
    }
    lines
}

impl Measured {
    fn cells(&self, name: &str) -> Vec<String> {
        let rate = |seconds: f64| format!("{:.0}", self.states as f64 / seconds / 1e3);
        let mut cells = vec![name.to_owned(), self.states.to_string(), rate(self.pan)];
        for &seconds in &self.alone {
            cells.extend([rate(seconds), format!("{:.2}", self.pan / seconds)]);
        }
        for (one, two) in &self.shared {
            cells.extend([format!("{one:.2}"), format!("{two:.2}"), format!("{:.2}", one / two)]);
        }
        cells
    }
}

/// A file that goes away with this.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing depends on the file being gone.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Nothing if the product is too small.
fn measure(case: &ClaimCase, options: &Options) -> Result<Option<Measured>, String> {
    let text = case.text()?;
    let how = |strategy, workers| How { strategy, ..options.how(workers) };
    let first = own::run_claim(case, &text, how(ALONE[0], 1))?;
    let states = first.stats.states;
    if states <= MIN_STATES {
        return Ok(None);
    }
    let file = Scratch(std::env::temp_dir().join(format!("allways-liveness-{}.pml", std::process::id())));
    std::fs::write(&file.0, &text).map_err(|e| e.to_string())?;
    let (switches, args) = match case.cycles {
        Cycles::NonProgress => (vec!["-DNOFAIR", "-DNP", "-DNOCLAIM"], vec!["-l"]),
        _ => (vec!["-DNOFAIR"], vec!["-a"]),
    };
    let pan = Pan::build_for(Target {
        name: &case.name,
        file: &file.0,
        defines: &[],
        switches,
        args,
        stored: states,
        known: None,
        depth: None,
    })?;
    let theirs = || {
        let run: Run = pan.run()?;
        let same = run.errors == 0 && run.stored.abs_diff(states) <= states / 100_000;
        same.then_some(run).ok_or_else(|| format!("pan counts {} states, we {states}", run.stored))
    };
    let ours = |strategy, workers| {
        let own = own::run_claim(case, &text, how(strategy, workers))?;
        let found = own.stats.states;
        let right = found == states;
        right
            .then_some(own)
            .ok_or_else(|| format!("{} finds {found} states and not {states}", strategy.name()))
    };
    let (run, best) = in_turn(options, theirs, || ours(ALONE[0], 1), |own: &Own| own.seconds)?;
    let best_of = |strategy, workers| {
        let times = (0..options.runs).map(|_| ours(strategy, workers).map(|own| own.seconds));
        times.collect::<Result<Vec<f64>, String>>().map(|times| least(&times))
    };
    let mut alone = vec![best.seconds];
    for strategy in &ALONE[1..] {
        alone.push(best_of(*strategy, 1)?);
    }
    let mut shared = Vec::new();
    for strategy in SHARED.into_iter().filter(|_| states > MIN_SHARED) {
        let mut best = (f64::INFINITY, f64::INFINITY);
        for _ in 0..options.runs {
            best.0 = best.0.min(ours(strategy, 1)?.seconds);
            best.1 = best.1.min(ours(strategy, 2)?.seconds);
        }
        shared.push(best);
    }
    Ok(Some(Measured { states, pan: run.seconds, alone, shared }))
}
