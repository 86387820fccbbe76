//! How well an unfinished breadth-first search knows how much it has seen: bounds and estimates against the truth.
//!
//! The models of the list, ours, are searched to a part of their states; what the search says is compared with
//! the truth. A line is fitted through the logits of bounds and truths, and its residuals give an interval; leaving out
//! the model at hand, that says what to expect of a fit. `--calibrate` prints the constants. Models of the corpus,
//! which no fit has seen, are then measured with the constants of all listed ones.

use super::graphs::{Graph, Listed, Loader, Source, processor_time};
use super::table::{Table, held, widest};
use super::{Options, Part};
use crate::cases::{Case, corpus};
use allways_model::Lessons;
use allways_search::{Config, Coverage, Limits, Strategy, WalkPlan, search};

macro_rules! example {
    ($name:literal, $file:literal $(, $define:literal)*) => {
        Listed { name: $name, source: Source::Example($file, &[$($define),*]) }
    };
}

const MODELS: [Listed; 38] = [
    example!("bakery", "bakery.pml"),
    example!("bakery NO_CHOOSING", "bakery.pml", "NO_CHOOSING"),
    example!("filter_lock LEVELS=1", "filter_lock.pml", "LEVELS=1"),
    example!("philosophers N=6", "philosophers.pml", "N=6"),
    example!("philosophers_ordered", "philosophers_ordered.pml"),
    example!("leader_ring", "leader_ring.pml"),
    example!("leader_ring GREEDY", "leader_ring.pml", "GREEDY"),
    example!("alternating_bit IMPATIENT", "alternating_bit.pml", "IMPATIENT"),
    example!("go_back_n 3 4", "go_back_n.pml", "WINDOW=3", "MODULUS=4"),
    example!("go_back_n MODULUS=2", "go_back_n.pml", "MODULUS=2"),
    example!("bounded_buffer", "bounded_buffer.pml"),
    example!("bounded_buffer HASTY", "bounded_buffer.pml", "HASTY"),
    example!("readers_writers READERS=3", "readers_writers.pml", "READERS=3"),
    example!("msi_cache", "msi_cache.pml"),
    example!("two_phase_commit", "two_phase_commit.pml"),
    example!("two_phase_commit CRASH", "two_phase_commit.pml", "CRASH"),
    example!("paxos", "paxos.pml"),
    example!("client_server", "client_server.pml"),
    example!("print_queue", "print_queue.pml"),
    example!("print_queue PLAIN", "print_queue.pml", "PLAIN"),
    example!("elevator", "elevator.pml"),
    example!("elevator FORGETFUL", "elevator.pml", "FORGETFUL"),
    example!("token_ring", "token_ring.pml"),
    example!("event_trace NO_LOCK", "event_trace.pml", "NO_LOCK"),
    example!("sorting", "sorting.pml"),
    example!("sorting STEPS", "sorting.pml", "STEPS"),
    example!("needham_schroeder", "needham_schroeder.pml"),
    example!("needham_schroeder LOWE", "needham_schroeder.pml", "LOWE"),
    example!("concurrent_table", "concurrent_table.pml"),
    example!("concurrent_table LATE", "concurrent_table.pml", "LATE_ANNOUNCEMENT"),
    Listed { name: "Philosophers ok 6 1", source: Source::Java },
    Listed { name: "Pipeline ok 4 1", source: Source::Java },
    Listed { name: "SleepingBarber ok 1 2 2", source: Source::Java },
    Listed { name: "BoundedBuffer ok 1 2 2 2", source: Source::Java },
    Listed { name: "ReadersWriters ok 3 2 1", source: Source::Java },
    Listed { name: "NestedMonitor ok 2 2 2 3", source: Source::Java },
    Listed { name: "ListenerPipeline ok 3 1 1", source: Source::Java },
    Listed { name: "ReplicatedWorkers ok 3 2", source: Source::Java },
];
/// Parts of the states after which a search is ended, in per cent.
const PARTS: [u64; 6] = [3, 10, 25, 50, 75, 95];
const SEEDS: std::ops::Range<u64> = 0..3;
/// Models of the corpus of these sizes are searched with ten seeds.
const FRESH: std::ops::RangeInclusive<u64> = 5_000..=150_000;
const FRESH_SEEDS: std::ops::Range<u64> = 0..10;
const MOST_FRESH: usize = 10;
/// The residuals between which an interval that is called one of 90 % lies.
const TAILS: (f64, f64) = (0.025, 0.975);

/// What one search said, and the truth.
#[derive(Clone, Copy)]
struct Run {
    model: usize,
    part: u64,
    bound: f64,
    truth: f64,
    is_telling: bool,
}

/// A line through logits, and the residuals at the ends of the interval.
#[derive(Clone, Copy)]
struct Fit {
    at: f64,
    slope: f64,
    low: f64,
    high: f64,
}

fn logit(p: f64) -> f64 {
    let p = p.clamp(1e-4, 1.0 - 1e-4);
    (p / (1.0 - p)).ln()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Fit {
    fn of(runs: &[Run]) -> Self {
        let points: Vec<(f64, f64)> = runs
            .iter()
            .filter(|run| run.is_telling)
            .map(|run| (logit(run.bound), logit(run.truth)))
            .collect();
        let n = points.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
        let variance: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
        let slope = covariance / variance.max(1e-9);
        let at = y - slope * x;
        let mut residuals: Vec<f64> = points.iter().map(|p| p.1 - at - slope * p.0).collect();
        residuals.sort_by(f64::total_cmp);
        let quantile = |q: f64| {
            let idx = (q * n) as usize;
            residuals.get(idx.min(residuals.len().saturating_sub(1))).copied().unwrap_or(0.0)
        };
        Self { at, slope, low: quantile(TAILS.0), high: quantile(TAILS.1) }
    }

    /// An estimate with its interval, none of it above the bound.
    fn estimate(&self, bound: f64) -> [f64; 3] {
        let middle = self.at + self.slope * logit(bound);
        [middle + self.low, middle, middle + self.high].map(logistic).map(|p| p.min(bound))
    }
}

/// Searches a model to each part of its states.
fn measure(model: usize, graph: &Graph, seeds: std::ops::Range<u64>) -> Result<Vec<Run>, String> {
    let mut runs = Vec::new();
    for part in PARTS {
        for seed in seeds.clone() {
            let limits = Limits { states: Some((graph.states * part / 100).max(2)), ..Limits::NONE };
            let walks = WalkPlan { seed, ..WalkPlan::default() };
            let config = Config { limits, walks, ..graph.config(allways_search::StoreKind::Exact) };
            let outcome = search(&*graph.model, Strategy::Bfs, &(), &config);
            let Some(coverage) = outcome.coverage else {
                return Err(format!("{part} %: the search ended with {:?}", outcome.end));
            };
            let Coverage { known, .. } = coverage;
            let truth = known as f64 / graph.states as f64;
            runs.push(Run { model, part, bound: coverage.bound(), truth, is_telling: coverage.is_telling() });
        }
    }
    Ok(runs)
}

/// A case of the corpus as a graph.
fn fresh(case: &Case) -> Result<Graph, String> {
    let program = super::own::program(&case.file, &case.defines)?.without_exclusive_checks();
    program.compile();
    let name = String::leak(case.name.clone());
    let (states, transitions) = (case.stored, case.transitions);
    Ok(Graph { name, model: Box::new(program), lessons: Lessons::new(), states, transitions, seconds: 0.0 })
}

/// Mean and worst deviation of the estimate, how many intervals have the truth in them, how many bounds are true, and
/// how many runs have an estimate.
fn judge(runs: &[(Run, Fit)]) -> [f64; 5] {
    let telling: Vec<_> = runs.iter().filter(|(run, _)| run.is_telling).collect();
    let n = telling.len().max(1) as f64;
    let deviations: Vec<f64> =
        telling.iter().map(|(run, fit)| 100.0 * (fit.estimate(run.bound)[1] - run.truth).abs()).collect();
    let is_inside = |(run, fit): &&&(Run, Fit)| {
        let [low, _, high] = fit.estimate(run.bound);
        low <= run.truth + 0.005 && run.truth - 0.005 <= high
    };
    let is_bound = |(run, _): &&(Run, Fit)| run.bound >= run.truth - 0.005;
    [
        deviations.iter().sum::<f64>() / n,
        deviations.iter().copied().fold(0.0, f64::max),
        100.0 * telling.iter().filter(is_inside).count() as f64 / n,
        100.0 * runs.iter().filter(is_bound).count() as f64 / runs.len().max(1) as f64,
        100.0 * telling.len() as f64 / runs.len().max(1) as f64,
    ]
}

/// A row of means by limit: bounds less truths, in percentage points.
fn row(table: &mut Table, name: &str, runs: &[(Run, Fit)]) {
    let mut cells = vec![name.to_owned()];
    for part in PARTS {
        let some: Vec<f64> = runs
            .iter()
            .filter(|(run, _)| run.part == part)
            .map(|(run, _)| 100.0 * (run.bound - run.truth))
            .collect();
        cells.push(format!("{:+.0}", some.iter().sum::<f64>() / some.len().max(1) as f64));
    }
    let [mean, worst, ..] = judge(runs);
    cells.extend([format!("{mean:.0}"), format!("{worst:.0}")]);
    table.row(&cells);
}

fn sentence(what: &str, [mean, worst, inside, bound, telling]: [f64; 5]) -> String {
    let is_held = held(mean <= 8.0 && worst <= 35.0 && inside >= 85.0 && bound >= 95.0);
    format!(
        "{what}: deviation {mean:.1} points on average, at most {worst:.0}; {inside:.0} % of the intervals have the truth \
         in them; {bound:.0} % of the bounds are true; {telling:.0} % of the runs have an estimate (target 8, 35, 85 %, \
         95 %: {is_held})"
    )
}

pub(crate) fn run(options: &Options) -> Part {
    let begun = processor_time();
    let list: Vec<Listed> = MODELS.into_iter().filter(|one| options.wants(one.name, u64::MAX / 2)).collect();
    let loader = Loader::new(&list);
    let cases: Vec<Case> = corpus()
        .into_iter()
        .filter(|case| case.name.starts_with("open/") && FRESH.contains(&case.stored))
        .take(MOST_FRESH)
        .collect();
    let names = list.iter().map(|one| one.name).chain(cases.iter().map(|case| case.name.as_str()));
    let first = widest(names);
    let (mut ok, mut failures, mut all) = (true, Vec::new(), Vec::new());
    for (idx, listed) in list.iter().enumerate() {
        match loader.load(*listed).and_then(|graph| measure(idx, &graph, SEEDS)) {
            Ok(runs) => all.extend(runs),
            Err(why) => failures.push(format!("{:first$} {why}", listed.name)),
        }
    }
    let mut table = Table::new(
        first,
        &["bound - truth", "3 %", "10 %", "25 %", "50 %", "75 %", "95 %", "mean dev", "worst dev"],
    );
    failures.iter().for_each(|failure| table.line(failure));
    ok &= failures.is_empty();
    let mut judged = Vec::new();
    for (idx, listed) in list.iter().enumerate() {
        let others: Vec<Run> = all.iter().copied().filter(|run| run.model != idx).collect();
        let fit = Fit::of(&others);
        let own: Vec<(Run, Fit)> = all.iter().filter(|run| run.model == idx).map(|run| (*run, fit)).collect();
        if !own.is_empty() {
            row(&mut table, listed.name, &own);
        }
        judged.extend(own);
    }
    let fit = Fit::of(&all);
    let mut unseen = Vec::new();
    for case in &cases {
        match fresh(case).and_then(|graph| measure(usize::MAX, &graph, FRESH_SEEDS)) {
            Ok(runs) => {
                let own: Vec<(Run, Fit)> = runs.into_iter().map(|run| (run, fit)).collect();
                row(&mut table, &case.name, &own);
                unseen.extend(own);
            }
            Err(why) => table.line(&format!("{:first$} {why}", case.name)),
        }
    }
    let mut summary = vec![sentence("the list, each model by a fit of the others", judge(&judged))];
    if !unseen.is_empty() {
        summary.push(sentence("models of the corpus, by the fit of the list", judge(&unseen)));
    }
    if options.calibrate {
        let Fit { at, slope, low, high } = fit;
        summary.push(format!("the fit: AT {at:.3}, SLOPE {slope:.3}, LOW {low:.3}, HIGH {high:.3}"));
    }
    summary.push(format!("processor time: {:.0} s", processor_time() - begun));
    Part {
        title: "How much of an unfinished search was seen",
        how: format!(
            "Breadth first to a part of the states, three seeds a model, ten a model of the corpus. The first columns are the \
             bound less the truth, in percentage points; the last two how far the estimate is from the truth. `{}` models are \
             in the list.",
            list.len()
        ),
        table: table.into_text(),
        summary,
        ok,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_again() {
        let run = |x: f64| Run {
            model: 0,
            part: 3,
            bound: logistic(x),
            truth: logistic(-1.0 + 1.5 * x),
            is_telling: true,
        };
        let runs: Vec<Run> = (-20..20).map(|n| run(f64::from(n) / 10.0)).collect();
        let fit = Fit::of(&runs);
        assert!((fit.at + 1.0).abs() < 1e-6 && (fit.slope - 1.5).abs() < 1e-6);
        assert!(fit.low.abs() < 1e-6 && fit.high.abs() < 1e-6);
        let [low, middle, high] = fit.estimate(0.5);
        assert!(low <= middle && middle <= high && (middle - logistic(-1.0)).abs() < 1e-6);
    }
}
