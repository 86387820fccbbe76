//! Search with a cache: it visits every state whatever it forgets, within the memory limit.

use crate::toys::{self, Toy};
use allways_search::{
    CachePlan, Config, End, Limit, Limits, Outcome, Policy, StoreKind, Strategy, replay, search,
};
use allways_testkit::reference;
use std::collections::HashSet;

const POLICIES: [Policy; 10] = [
    Policy::Strata,
    Policy::Aged,
    Policy::Cost,
    Policy::Random,
    Policy::Age,
    Policy::Hits { most: false },
    Policy::Hits { most: true },
    Policy::Stratified { k: 1, m: 3 },
    Policy::Stratified { k: 0, m: 2 },
    Policy::Depth,
];

fn run(toy: &Toy, plan: CachePlan, limits: Limits) -> Outcome {
    let store = StoreKind::Cache(plan);
    let config = Config { all_errors: true, store, limits, max_findings: 100, ..Config::new(3) };
    search(toy, Strategy::Dfs, &(), &config)
}

/// With room for `percent` of its states, either all states of a toy are visited, or its stack does not fit.
/// Returns the average number of visits of a state in the first case.
fn check(toy: Toy, policy: Policy, percent: u64) -> Option<f64> {
    let expected = reference::explore(&toy).unwrap();
    let states = (expected.states * percent / 100).max(1) as u32;
    let context = format!("{} {policy:?} {percent} %", toy.name);
    let (toy, expanded) = toy.recorded();
    let plan = CachePlan { policy, states: Some(states), redundancy: 50, ..CachePlan::DEFAULT };
    let outcome = run(&toy, plan, Limits::NONE);
    let cached = outcome.cached.unwrap();
    assert!(cached.counts.most_held <= u64::from(states), "{context}");
    for finding in &outcome.findings {
        let met = replay(&toy, &finding.path).unwrap().violations;
        assert!(met.iter().any(|violation| violation.is_same(&finding.violation)), "{context}");
    }
    match outcome.end {
        End::Exhausted => {}
        End::Bounded(Limit::Stack | Limit::Redundancy) => return None,
        end => panic!("{context}: {end:?}"),
    }
    let mut expanded = expanded.lock().unwrap();
    // Replays went through states of the same graph.
    let visited: HashSet<Vec<u8>> = expanded.drain(..).collect();
    assert_eq!(visited.len() as u64, expected.states, "{context}");
    let stats = outcome.stats;
    assert_eq!(cached.counts.opened, stats.states, "{context}");
    assert_eq!(stats.transitions, stats.states + stats.matched, "{context}");
    let kinds: HashSet<_> = expected.violations.iter().map(|(v, _)| format!("{:?}", v.id())).collect();
    assert_eq!(outcome.findings.len(), kinds.len(), "{context}");
    if cached.counts.evicted == 0 && cached.counts.forgotten == 0 {
        let counts = (stats.states, stats.matched, stats.errors);
        let reference = (expected.states, expected.matched, expected.violations.len() as u64);
        assert_eq!(counts, reference, "{context}");
        assert_eq!(cached.distinct, expected.states, "{context}");
    }
    Some(stats.states as f64 / expected.states as f64)
}

#[test]
fn a_cache_that_holds_everything_counts_as_any_store() {
    let toys =
        || [toys::grid(3, 12), toys::philosophers(7), toys::stacks(8), toys::random_graph(3, 5000, 40)];
    for policy in POLICIES {
        for toy in toys() {
            let factor = check(toy, policy, 100).unwrap();
            assert_eq!(factor, 1.0);
        }
    }
}

#[test]
fn every_state_is_visited_whatever_is_forgotten() {
    let (mut n_whole, mut n_repeated) = (0, 0);
    for seed in 0..40 {
        for percent in [5, 20, 50, 75, 90] {
            let policy = POLICIES[(seed as usize * 5 + percent as usize) % POLICIES.len()];
            for toy in [toys::random_graph(seed, 30 + seed * 40, 15), toys::grid(2, 4 + seed as u32 / 3)] {
                if let Some(factor) = check(toy, policy, percent) {
                    n_whole += 1;
                    n_repeated += u32::from(factor > 1.0);
                }
            }
        }
    }
    assert!(n_whole > 200 && n_repeated > 150, "{n_whole} {n_repeated}");
}

#[test]
fn three_quarters_are_enough() {
    for toy in [toys::grid(4, 9), toys::stacks(11), toys::random_graph(5, 20_000, 1 << 40)] {
        let name = toy.name.clone();
        let factor = check(toy, Policy::Strata, 75);
        assert!(factor.is_some_and(|factor| factor < 1.5), "{name}: {factor:?}");
    }
}

#[test]
fn the_memory_limit_holds_for_cache_and_stack() {
    let toy = toys::grid(4, 13);
    let all = run(&toy, CachePlan::DEFAULT, Limits::NONE).stats;
    for percent in [40, 60, 80, 100] {
        let memory = all.total_bytes * percent / 100;
        let outcome = run(&toy, CachePlan::DEFAULT, Limits { memory: Some(memory), ..Limits::NONE });
        assert!(outcome.stats.total_bytes <= memory, "{percent}");
        assert!(matches!(outcome.end, End::Exhausted), "{percent}: {:?}", outcome.end);
        let cached = outcome.cached.unwrap();
        let error = cached.distinct as f64 / all.states as f64 - 1.0;
        assert!(error.abs() < 0.04, "{percent}: {error}");
    }
}

#[test]
fn what_ends_a_search_is_said() {
    let memory = |bytes| Limits { memory: Some(bytes), ..Limits::NONE };
    let end = |toy: &Toy, plan, limits| run(toy, plan, limits).end;
    // A stack of a million states does not fit in a megabyte, and no search fits in a kilobyte.
    let chain = toys::chain(1_000_000);
    let plan = CachePlan::DEFAULT;
    assert!(matches!(end(&chain, plan, memory(1 << 20)), End::Bounded(Limit::Stack)));
    assert!(matches!(end(&chain, plan, memory(1 << 10)), End::Bounded(Limit::Memory)));
    let few = CachePlan { states: Some(100), ..plan };
    assert!(matches!(end(&chain, few, Limits::NONE), End::Bounded(Limit::Stack)));
    let grid = toys::grid(5, 9);
    let few = CachePlan { states: Some(2000), redundancy: 3, ..plan };
    let outcome = run(&grid, few, Limits::NONE);
    assert!(matches!(outcome.end, End::Bounded(Limit::Redundancy)), "{:?}", outcome.end);
    assert!(outcome.cached.unwrap().redundancy() > 2.5);
    let limits = Limits { states: Some(1000), ..Limits::NONE };
    assert!(matches!(end(&grid, plan, limits), End::Bounded(Limit::States)));
    let limits = Limits { depth: Some(5), ..Limits::NONE };
    assert!(matches!(end(&grid, plan, limits), End::Bounded(Limit::Depth)));
}

#[test]
fn the_first_violation_ends_a_search() {
    for seed in 0..20 {
        let toy = toys::random_graph(seed, 400, 30);
        let has_one = !reference::explore(&toy).unwrap().violations.is_empty();
        let store = StoreKind::Cache(CachePlan { states: Some(60), ..CachePlan::DEFAULT });
        let outcome = search(&toy, Strategy::Dfs, &(), &Config { store, ..Config::new(1) });
        match outcome.end {
            End::Violated => {
                let met = replay(&toy, &outcome.findings[0].path).unwrap().violations;
                assert!(met.iter().any(|violation| violation.is_same(&outcome.findings[0].violation)));
            }
            End::Exhausted => assert!(!has_one, "{}", toy.name),
            End::Bounded(Limit::Stack | Limit::Redundancy) => {}
            end => panic!("{}: {end:?}", toy.name),
        }
    }
}
