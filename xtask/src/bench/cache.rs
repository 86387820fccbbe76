//! What forgetting states costs: searches with caches of a part of the states, by policy, against the same
//! search that forgets nothing.
//!
//! Redundant work is exact and the same on every machine: transitions, over those of the graph. Times are
//! processor time of the thread, over that of a depth-first search with the exact store.

use super::graphs::{Graph, Listed, Loader, Source, processor_time};
use super::table::{Table, geometric_mean, held, widest};
use super::{Options, Part};
use allways_search::{CachePlan, End, Limits, Policy, StoreKind, Strategy, search};

const MODELS: [Listed; 11] = [
    Listed { name: "paxos", source: Source::Example("paxos.pml", &[]) },
    Listed { name: "msi_cache", source: Source::Example("msi_cache.pml", &[]) },
    Listed { name: "bakery", source: Source::Example("bakery.pml", &[]) },
    Listed { name: "leader_ring", source: Source::Example("leader_ring.pml", &[]) },
    Listed { name: "bounded_buffer", source: Source::Example("bounded_buffer.pml", &[]) },
    Listed { name: "go_back_n 3 4", source: Source::Example("go_back_n.pml", &["WINDOW=3", "MODULUS=4"]) },
    Listed { name: "Philosophers ok 6 1", source: Source::Java },
    Listed { name: "Pipeline ok 4 1", source: Source::Java },
    Listed { name: "SleepingBarber ok 1 2 2", source: Source::Java },
    Listed { name: "BoundedBuffer ok 1 2 2 2", source: Source::Java },
    Listed { name: "ReadersWriters ok 3 2 1", source: Source::Java },
];
/// Parts of the states that a cache holds, in per cent.
const PARTS: [u64; 5] = [15, 25, 50, 75, 95];
/// The same tables of the thesis, for cost and random: times of the full run.
const THESIS: [(u64, f64, f64); 4] = [(25, 12.6, 15.3), (50, 8.7, 10.8), (75, 4.7, 5.4), (95, 2.4, 2.7)];
/// A search that has visited this many times the states is given up.
const MOST: u64 = 25;
/// What the default policy may cost at these sizes.
const TARGETS: [(u64, f64); 2] = [(50, 2.5), (75, 1.2)];

/// The policies, each with the seeds that it is run with.
const POLICIES: [(Policy, &[u64]); 10] = [
    (Policy::Strata, &[0, 1, 2]),
    (Policy::Aged, &[0]),
    (Policy::Cost, &[0]),
    (Policy::Random, &[0, 1, 2]),
    (Policy::Age, &[0]),
    (Policy::Hits { most: false }, &[0]),
    (Policy::Hits { most: true }, &[0]),
    (Policy::Stratified { k: 1, m: 2 }, &[0]),
    (Policy::Stratified { k: 1, m: 3 }, &[0]),
    (Policy::Depth, &[0]),
];

/// A policy as people write it.
fn written(policy: Policy) -> String {
    match policy {
        Policy::Hits { most: true } => "hits:most".into(),
        Policy::Stratified { k, m } => format!("stratified:{k},{m}"),
        other => other.name().into(),
    }
}

/// Transitions and processor time over those of the full run; none if it was given up.
fn measure(graph: &Graph, policy: Policy, part: u64, seed: u64) -> Result<Option<(f64, f64)>, String> {
    let states = Some((graph.states * part / 100).max(1) as u32);
    let plan = CachePlan { policy, states, redundancy: u32::MAX, seed };
    let limits = Limits { states: Some(graph.states * MOST), ..Limits::NONE };
    let config = allways_search::Config { limits, ..graph.config(StoreKind::Cache(plan)) };
    let begun = processor_time();
    let outcome = search(&*graph.model, Strategy::Dfs, &(), &config);
    let seconds = processor_time() - begun;
    match outcome.end {
        End::Exhausted => {
            let distinct = outcome.cached.map_or(0, |cached| cached.distinct) as f64;
            if (distinct / graph.states as f64 - 1.0).abs() > 0.05 {
                return Err(format!("about {distinct} states, expected {}", graph.states));
            }
            let work = outcome.stats.transitions as f64 / graph.transitions as f64;
            Ok(Some((work, seconds / graph.seconds)))
        }
        End::Bounded(_) => Ok(None),
        end => Err(format!("the search ended with {end:?}")),
    }
}

/// The mean over seeds; none if one was given up.
fn mean(graph: &Graph, policy: Policy, seeds: &[u64], part: u64) -> Result<Option<(f64, f64)>, String> {
    let mut sum = (0.0, 0.0);
    for &seed in seeds {
        let Some((work, time)) = measure(graph, policy, part, seed)? else { return Ok(None) };
        sum = (sum.0 + work, sum.1 + time);
    }
    let n = seeds.len() as f64;
    Ok(Some((sum.0 / n, sum.1 / n)))
}

pub(crate) fn run(options: &Options) -> Part {
    let list: Vec<Listed> = MODELS.into_iter().filter(|one| options.wants(one.name, u64::MAX / 2)).collect();
    let loader = Loader::new(&list);
    let first = widest(list.iter().map(|one| one.name)) + 16;
    let mut table =
        Table::new(first, &["model, policy", "15 %", "25 %", "50 %", "75 %", "95 %", "time 50", "time 75"]);
    let (mut ok, mut worst, mut works) = (true, [0.0_f64; 2], vec![Vec::new(); PARTS.len()]);
    for listed in list {
        let graph = match loader.load(listed) {
            Ok(graph) => graph,
            Err(why) => {
                table.line(&format!("{:first$} {why}", listed.name));
                ok = false;
                continue;
            }
        };
        let (states, per_state) = (graph.states, graph.transitions as f64 / graph.states as f64);
        table.line(&format!("{} ({states} states, {per_state:.1} transitions a state)", graph.name));
        for (policy, seeds) in POLICIES {
            let results = PARTS.map(|part| mean(&graph, policy, seeds, part));
            for result in &results {
                if let Err(why) = result {
                    table.line(&format!("  {}: {why}", written(policy)));
                    ok = false;
                }
            }
            let results = results.map(|result| result.ok().flatten());
            let cell = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.2}"));
            let works_of = results.map(|result| result.map(|(work, _)| work));
            let mut cells = vec![format!("  {}", written(policy))];
            cells.extend(works_of.map(cell));
            // The system counts in ticks of some milliseconds.
            let is_long = graph.seconds > 0.05;
            cells.extend([2, 3].map(|idx| cell(results[idx].map(|(_, time)| time).filter(|_| is_long))));
            table.row(&cells);
            if policy == Policy::Strata {
                for (at, (part, _)) in TARGETS.iter().enumerate() {
                    let idx = PARTS.iter().position(|one| one == part).expect("it is one of the sizes");
                    worst[at] = worst[at].max(works_of[idx].unwrap_or(f64::INFINITY));
                }
                works_of.iter().enumerate().for_each(|(idx, work)| works[idx].extend(*work));
            }
        }
    }
    let mut summary: Vec<String> = TARGETS
        .iter()
        .zip(worst)
        .map(|((part, target), worst)| {
            let held = held(worst <= *target);
            format!("strata at {part} %: at most {worst:.2} times the transitions; target {target}: {held}")
        })
        .collect();
    let means = PARTS.iter().zip(&works).map(|(part, works)| {
        format!("{part} %: {:.2} ({} of the models)", geometric_mean(works), works.len())
    });
    summary.push(format!("strata, geometric means: {}", means.collect::<Vec<_>>().join(", ")));
    let thesis = THESIS.map(|(part, cost, random)| format!("{part} %: {cost} and {random}"));
    summary.push(format!(
        "the thesis, on its programs, cost and random, times the full run: {}",
        thesis.join(", ")
    ));
    Part {
        title: "What forgetting states costs",
        how: format!(
            "Transitions over those of the graph, with caches of a part of the states; `-` where a search was given up \
             at {MOST} times the states or its stack had no room. The last two columns are processor time over that \
             of the exact store, where that is more than 50 ms. States on the stack and states that wait are in the cache too. Graphs without \
             reductions (Java: with its conflicts); `strata` and `random` are means of three seeds."
        ),
        table: table.into_text(),
        summary,
        ok,
    }
}
