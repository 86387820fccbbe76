//! How well an unfinished search knows how much it has seen: bounds and estimates against the truth.
//!
//! The models of the list, ours and those of the corpus that are no test, are searched to a part of their
//! states; what the search says is compared with the truth. A sum of features of the walks is fitted to the
//! logits of the truths, each model with the same weight and the middle more than the ends. Leaving out the
//! model at hand says what to expect of a fit, and its residuals give an interval. `--calibrate` prints the
//! constants. Ten models of the corpus, which neither the choice of features nor the fit has seen, are then
//! measured with the constants of all listed ones.

use super::fit::Fit;
use super::graphs::{self, Graph, Listed, Loader, processor_time};
use super::table::{Table, held, widest};
use super::{Options, Part};
use crate::cases::{Case, corpus};
use allways_model::Lessons;
use allways_search::{Config, Coverage, Limits, Source, StoreKind, Strategy, WalkPlan, search};

macro_rules! example {
    ($name:literal, $file:literal $(, $define:literal)*) => {
        Listed { name: $name, source: graphs::Source::Example($file, &[$($define),*]) }
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
    Listed { name: "Philosophers ok 6 1", source: graphs::Source::Java },
    Listed { name: "Pipeline ok 4 1", source: graphs::Source::Java },
    Listed { name: "SleepingBarber ok 1 2 2", source: graphs::Source::Java },
    Listed { name: "BoundedBuffer ok 1 2 2 2", source: graphs::Source::Java },
    Listed { name: "ReadersWriters ok 3 2 1", source: graphs::Source::Java },
    Listed { name: "NestedMonitor ok 2 2 2 3", source: graphs::Source::Java },
    Listed { name: "ListenerPipeline ok 3 1 1", source: graphs::Source::Java },
    Listed { name: "ReplicatedWorkers ok 3 2", source: graphs::Source::Java },
];
/// Parts of the states after which a search is ended, in per cent.
const PARTS: [u64; 6] = [3, 10, 25, 50, 75, 95];
const SEEDS: std::ops::Range<u64> = 0..3;
/// Models of the corpus of these sizes are searched with ten seeds.
const FRESH: std::ops::RangeInclusive<u64> = 5_000..=150_000;
const FRESH_SEEDS: std::ops::Range<u64> = 0..10;
const MOST_FRESH: usize = 10;
/// Other models of the corpus, of these sizes, are in the list too, but for those that are in it twice.
const LISTED: std::ops::RangeInclusive<u64> = 2_000..=120_000;
const TWICE: [&str; 3] = ["p330", "leader_trace", "X.509"];

/// The searches: what each says comes from walks that begin somewhere else.
const SEARCHES: [(Source, Strategy, StoreKind); 4] = [
    (Source::Frontier, Strategy::Bfs, StoreKind::Exact),
    (Source::Stack, Strategy::Dfs, StoreKind::Exact),
    (Source::Phases, Strategy::Survey, StoreKind::Exact),
    (Source::Start, Strategy::Dfs, StoreKind::HashCompact),
];

/// What one search said, and the truth.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) model: usize,
    pub(super) part: u64,
    pub(super) coverage: Coverage,
    pub(super) truth: f64,
}

/// Searches a model to each part of its states, in each way.
fn measure(model: usize, graph: &Graph, seeds: std::ops::Range<u64>) -> Result<Vec<Run>, String> {
    let mut runs = Vec::new();
    for (source, strategy, store) in SEARCHES {
        for (part, seed) in PARTS.iter().flat_map(|&part| seeds.clone().map(move |seed| (part, seed))) {
            let limits = Limits { states: Some((graph.states * part / 100).max(2)), ..Limits::NONE };
            let walks = WalkPlan { seed, ..WalkPlan::default() };
            // The thesis' own share.
            let share = if strategy.is_survey() { 60 } else { 10 };
            let config = Config { limits, walks, share, ..graph.config(store) };
            let outcome = search(&*graph.model, strategy, &(), &config);
            match outcome.coverage {
                Some(coverage) if coverage.source == source => {
                    let truth = coverage.known as f64 / graph.states as f64;
                    runs.push(Run { model, part, coverage, truth });
                }
                // Too small a part of a small graph: nothing was drawn.
                _ if strategy.is_survey() => {}
                _ => return Err(format!("{part} %: the search ended with {:?}", outcome.end)),
            }
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

/// A run, and what was made of it: the least, the middle and the most.
type Judged = (Run, [f64; 3]);

/// Mean and worst deviation of the estimate, how many intervals have the truth in them, how many bounds are
/// true, and how many runs have an estimate.
fn judge(runs: &[Judged]) -> [f64; 5] {
    let telling: Vec<_> = runs.iter().filter(|(run, _)| run.coverage.is_telling()).collect();
    let n = telling.len().max(1) as f64;
    let deviations: Vec<f64> =
        telling.iter().map(|(run, [_, middle, _])| 100.0 * (middle - run.truth).abs()).collect();
    let is_inside = |(run, [low, _, high]): &&&Judged| low - 0.005 <= run.truth && run.truth <= high + 0.005;
    let is_bound = |(run, _): &&Judged| run.coverage.bound() >= run.truth - 0.005;
    [
        deviations.iter().sum::<f64>() / n,
        deviations.iter().copied().fold(0.0, f64::max),
        100.0 * telling.iter().filter(is_inside).count() as f64 / n,
        100.0 * runs.iter().filter(is_bound).count() as f64 / runs.len().max(1) as f64,
        100.0 * telling.len() as f64 / runs.len().max(1) as f64,
    ]
}

/// A row of means by limit: bounds less truths, in percentage points.
fn row(table: &mut Table, name: &str, runs: &[Judged]) {
    let mut cells = vec![name.to_owned()];
    for part in PARTS {
        let some: Vec<f64> = runs
            .iter()
            .filter(|(run, _)| run.part == part)
            .map(|(run, _)| 100.0 * (run.coverage.bound() - run.truth))
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

/// What walks from one place say of all models: sentences, and the rows of the listed and of the fresh
/// models.
fn evaluate(source: Source, list: &[Run], fresh: &[Run]) -> (Vec<String>, Vec<Judged>, String) {
    let of = |runs: &[Run]| -> Vec<Run> {
        runs.iter().filter(|run| run.coverage.source == source).copied().collect()
    };
    let (list, fresh) = (of(list), of(fresh));
    let is_thesis = source == Source::Phases;
    let fit = if is_thesis { Fit::raw(&list) } else { Fit::of(&list) };
    let mut judged = if is_thesis { fit.judge(&list) } else { fit.judge_left_out(&list) };
    let mut sentences = vec![sentence("  the list, each model by a fit of the others", judge(&judged))];
    if !fresh.is_empty() {
        let unseen: Vec<Judged> = fresh.iter().map(|run| (*run, fit.estimate(&run.coverage))).collect();
        let bounds: Vec<Judged> = fresh.iter().map(|run| (*run, [0.0, run.coverage.bound(), 1.0])).collect();
        sentences.push(sentence("  ten models of the corpus, by the fit of the list", judge(&unseen)));
        let [mean, worst, ..] = judge(&bounds);
        sentences.push(format!(
            "  the same ten, if the bound were the estimate: deviation {mean:.1} points on average, at most {worst:.0}"
        ));
        judged.extend(unseen);
    }
    (sentences, judged, fit.constants())
}

pub(crate) fn run(options: &Options) -> Part {
    let begun = processor_time();
    let list: Vec<Listed> = MODELS.into_iter().filter(|one| options.wants(one.name, u64::MAX / 2)).collect();
    let loader = Loader::new(&list);
    let (mut tests, mut others) = (Vec::new(), Vec::new());
    for case in corpus() {
        let is_open = case.name.starts_with("open/");
        if is_open && FRESH.contains(&case.stored) && tests.len() < MOST_FRESH {
            tests.push(case);
        } else if LISTED.contains(&case.stored) && !TWICE.iter().any(|name| case.name.contains(name)) {
            others.push(case);
        }
    }
    others.retain(|case| options.wants(&case.name, u64::MAX / 2));
    tests.retain(|case| options.wants(&case.name, u64::MAX / 2));
    let names: Vec<String> = list.iter().map(|one| one.name.to_owned()).collect();
    let names: Vec<String> =
        names.into_iter().chain(others.iter().chain(&tests).map(|case| case.name.clone())).collect();
    let n_listed = list.len() + others.len();
    let first = widest(names.iter().map(String::as_str));
    let (mut failures, mut listed, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    for (idx, name) in names.iter().enumerate() {
        let seeds = if idx < n_listed { SEEDS } else { FRESH_SEEDS };
        let graph = match list.get(idx) {
            Some(one) => loader.load(*one),
            None => fresh(others.iter().chain(&tests).nth(idx - list.len()).expect("a name has its case")),
        };
        match graph.and_then(|graph| measure(idx, &graph, seeds)) {
            Ok(runs) if idx < n_listed => listed.extend(runs),
            Ok(runs) => unseen.extend(runs),
            Err(why) => failures.push(format!("{name:first$} {why}")),
        }
    }
    let mut table = Table::new(
        first,
        &["bound - truth", "3 %", "10 %", "25 %", "50 %", "75 %", "95 %", "mean dev", "worst dev"],
    );
    failures.iter().for_each(|failure| table.line(failure));
    let mut summary = Vec::new();
    for (source, strategy, store) in SEARCHES {
        let (sentences, judged, constants) = evaluate(source, &listed, &unseen);
        summary.push(format!("{} with {}, walks from the {}:", strategy.name(), store.name(), source.name()));
        summary.extend(sentences);
        if options.calibrate {
            summary.push(format!("  the fit: {constants}"));
        }
        table.line(&format!("{}, walks from the {}", strategy.name(), source.name()));
        for (idx, name) in names.iter().enumerate() {
            let own: Vec<Judged> = judged.iter().filter(|(run, _)| run.model == idx).copied().collect();
            if !own.is_empty() {
                row(&mut table, name, &own);
            }
        }
    }
    summary.push(format!("processor time: {:.0} s", processor_time() - begun));
    Part {
        title: "How much of an unfinished search was seen",
        how: format!(
            "Each search to a part of the states, of which a tenth is left for walks; three seeds a model, ten a model of \
             the last ten, which are tests. The first columns are the bound less the truth, in percentage points; the last \
             two how far the estimate is from the truth. {n_listed} models are in the list."
        ),
        table: table.into_text(),
        summary,
        ok: failures.is_empty(),
    }
}
