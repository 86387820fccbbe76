//! Every search for cycles agrees with the reference, with any lossless store and any number of workers.

use super::graphs::{Graph, truth};
use allways_model::{Acceptance, ViolationKind};
use allways_search::{Config, End, Outcome, StoreKind, Strategy, replay_finding, search};
use std::ops::Range;

pub(crate) const SEARCHES: [Strategy; 4] = [Strategy::Ndfs, Strategy::Scc, Strategy::Cndfs, Strategy::Map];
pub(crate) const WORKERS: [usize; 3] = [1, 2, 3];
const STORES: [StoreKind; 3] = [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse];

/// Whether a search with this many workers is a different case from the one with one worker.
pub(crate) fn is_worth(strategy: Strategy, workers: usize) -> bool {
    workers == 1 || !matches!(strategy, Strategy::Ndfs | Strategy::Scc)
}

fn n_cycles(outcome: &Outcome) -> usize {
    let is_cycle = |kind| kind == ViolationKind::AcceptanceCycle;
    outcome.findings.iter().filter(|finding| is_cycle(finding.violation.kind())).count()
}

fn check(graph: &Graph, stores: &[StoreKind]) {
    let truth = truth(graph);
    for &store in stores {
        for strategy in SEARCHES {
            for workers in WORKERS.into_iter().filter(|&workers| is_worth(strategy, workers)) {
                let context = format!("{} by {strategy:?} with {workers} workers, {store:?}", graph.name);
                let config = Config { store, ..Config::new(workers) };
                let first = search(graph, strategy, &(), &config);
                if graph.wrong.is_empty() {
                    assert_eq!(matches!(first.end, End::Violated), truth.cycle, "{context}: {:?}", first.end);
                    assert_eq!(n_cycles(&first), usize::from(truth.cycle), "{context}");
                } else {
                    let violated = truth.cycle || truth.n_wrong > 0;
                    assert_eq!(matches!(first.end, End::Violated), violated, "{context}: {:?}", first.end);
                    assert_eq!(first.findings.len(), usize::from(violated), "{context}");
                }
                assert!(first.stats.states <= truth.n_nodes, "{context}");
                let all = search(graph, strategy, &(), &Config { all_errors: true, ..config });
                assert!(matches!(all.end, End::Exhausted), "{context}: {:?}", all.end);
                assert_eq!(n_cycles(&all), usize::from(truth.cycle), "{context}");
                let counts = (all.stats.states, all.stats.transitions, all.stats.errors);
                let n_errors = u64::from(truth.cycle) + truth.n_wrong;
                assert_eq!(counts, (truth.n_nodes, truth.n_edges + 1, n_errors), "{context}");
                if !truth.cycle && truth.n_wrong == 0 {
                    let counts = (first.stats.states, first.stats.matched);
                    assert_eq!(counts, (all.stats.states, all.stats.matched), "{context}");
                }
                for finding in first.findings.iter().chain(&all.findings) {
                    let replayed =
                        replay_finding(graph, finding).unwrap_or_else(|e| panic!("{context}: {e}"));
                    assert!(!replayed.violations.is_empty(), "{context}");
                }
            }
        }
    }
}

#[test]
fn small_graphs_of_all_kinds() {
    for seed in 0..1500 {
        let (n_nodes, max_degree) = (1 + seed % 60, 1 + seed % 7 % 4);
        check(&Graph::random(seed, n_nodes, max_degree, 1 + seed % 11), &STORES[..1]);
    }
}

#[test]
fn small_graphs_in_all_stores() {
    for seed in 0..150 {
        check(&Graph::random(seed, 1 + seed % 60, 3, 6), &STORES);
    }
}

#[test]
fn graphs_without_accepting_cycles() {
    for seed in 0..500 {
        check(&Graph::random(seed, 10 + seed % 50, 4, 2).harmless(), &STORES[..1]);
        check(&Graph::forward(seed, 10 + seed, 9).harmless(), &STORES[..1]);
    }
}

#[test]
fn weak_graphs() {
    for seed in 0..700 {
        check(&Graph::random(seed, 1 + seed % 60, 1 + seed % 4, 4).weak(), &STORES[..1]);
        check(&Graph::forward(seed, 1 + seed % 90, 12).weak(), &STORES[..1]);
    }
}

#[test]
fn graphs_with_other_violations() {
    for seed in 0..400 {
        let graph = Graph::random(seed, 1 + seed % 50, 3, 5).wrong(seed, 15);
        check(&graph, &STORES[..1]);
        check(&Graph { acceptance: Acceptance::Weak, ..graph.weak() }, &STORES[..1]);
    }
}

#[test]
fn graphs_without_accepting_states() {
    for seed in 0..40 {
        let mut graph = Graph::random(seed, 50, 3, 1).wrong(seed, 15);
        graph.accepting.fill(false);
        graph.acceptance = Acceptance::Nowhere;
        check(&graph, &STORES);
    }
}

fn compare_large_graphs(seeds: Range<u64>) {
    for seed in seeds {
        check(&Graph::random(seed, 30_000, 3, 50), &STORES[..2]);
        check(&Graph::random(seed, 30_000, 3, 3).harmless(), &STORES[..2]);
        check(&Graph::forward(seed, 100_000, 30).harmless(), &STORES[..2]);
        check(&Graph::forward(seed, 100_000, 5000), &STORES[..2]);
    }
}

#[test]
fn large_graphs() {
    compare_large_graphs(0..1);
}

#[test]
#[ignore = "takes minutes; one of each kind is compared always"]
fn more_large_graphs() {
    compare_large_graphs(1..6);
}

#[test]
fn a_long_way_to_a_long_cycle() {
    let mut graph = Graph::random(1, 100_000, 1, 1);
    graph.edges = (0..100_000_u32).map(|node| vec![if node == 99_999 { 50_000 } else { node + 1 }]).collect();
    graph.accepting.fill(false);
    check(&graph, &STORES[..1]);
    graph.accepting[49_999] = true;
    check(&graph, &STORES[..1]);
    graph.accepting[70_000] = true;
    check(&graph, &STORES[..1]);
}
