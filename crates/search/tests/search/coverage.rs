//! The estimate of how much of a graph an unfinished search has seen.

use crate::toys;
use allways_search::{
    CachePlan, Config, Coverage, End, Limit, Limits, Outcome, Sample, Source, StoreKind, Strategy, WalkPlan,
    search,
};
use allways_testkit::reference;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

#[test]
fn bounds_are_true_for_every_store_and_number_of_workers() {
    for toy in [toys::grid(4, 9), toys::philosophers(9), toys::random_graph(5, 20_000, 1 << 40)] {
        let n_states = reference::explore(&toy).unwrap().states;
        for percent in [10, 40, 80] {
            for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
                for workers in [1, 3] {
                    let limits = Limits { states: Some(n_states * percent / 100), ..Limits::NONE };
                    let config =
                        Config { all_errors: true, store, limits, share: 10, ..Config::new(workers) };
                    let outcome = search(&toy, Strategy::Bfs, &(), &config);
                    let context = format!("{} {percent} % {store:?} {workers}", toy.name);
                    assert!(matches!(outcome.end, End::Bounded(Limit::States)), "{context}");
                    let coverage = outcome.coverage.unwrap_or_else(|| panic!("{context}"));
                    let truth = coverage.known as f64 / n_states as f64;
                    assert!(coverage.known >= outcome.stats.states && truth < 1.0, "{context}");
                    assert_eq!(coverage.source, Source::Frontier);
                    // A tenth is reserved for the walks.
                    assert!(
                        outcome.stats.states <= n_states * percent * 9 / 1000 + 64 * workers as u64,
                        "{context}"
                    );
                    assert!(
                        coverage.distinct > 0 && coverage.distinct <= n_states - coverage.known,
                        "{context}"
                    );
                    assert!(
                        coverage.bound() > truth - 0.05 && coverage.bound() < 1.0,
                        "{context}: {coverage:?}"
                    );
                    if let Some([least, middle, most]) = coverage.estimate() {
                        assert!(least <= middle && middle <= most && most <= coverage.bound(), "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn memory_is_left_for_walks_and_the_limit_holds() {
    let toy = toys::grid(4, 30);
    let limits = Limits { memory: Some(8 << 20), ..Limits::NONE };
    let outcome = search(&toy, Strategy::Bfs, &(), &Config { limits, share: 10, ..Config::new(1) });
    assert!(matches!(outcome.end, End::Bounded(Limit::Memory)), "{:?}", outcome.end);
    assert!(outcome.stats.total_bytes <= 8 << 20);
    assert!(outcome.coverage.is_some_and(|coverage| coverage.bound() < 1.0), "{:?}", outcome.coverage);
}

#[test]
fn a_search_that_ends_by_itself_needs_no_estimate() {
    let toy = toys::grid(3, 9);
    let whole = Config { share: 10, ..Config::new(1) };
    assert!(search(&toy, Strategy::Bfs, &(), &whole).coverage.is_none());
    let limits = Limits { states: Some(400), ..Limits::NONE };
    for (share, trial) in [(0, false), (10, true)] {
        let outcome = search(&toy, Strategy::Bfs, &(), &Config { limits, share, trial, ..whole });
        assert!(outcome.stats.states >= 400 && outcome.coverage.is_none(), "{share} {trial}");
    }
}

/// A search of a grid of 4,096 states that ends at a limit.
fn limited(strategy: Strategy, store: StoreKind, workers: usize, limits: Limits) -> Outcome {
    let toy = toys::grid(3, 16);
    search(&toy, strategy, &(), &Config { store, limits, share: 10, ..Config::new(workers) })
}

#[test]
fn every_search_that_a_limit_ends_says_how_much_it_has_seen() {
    let (states, depth) =
        (Limits { states: Some(1000), ..Limits::NONE }, Limits { depth: Some(9), ..Limits::NONE });
    let plan = CachePlan { states: Some(600), ..CachePlan::DEFAULT };
    for (strategy, store, workers, limits, source) in [
        (Strategy::Bfs, StoreKind::Exact, 2, states, Source::Frontier),
        (Strategy::Bfs, StoreKind::Exact, 1, depth, Source::Start),
        (Strategy::Dfs, StoreKind::Exact, 1, states, Source::Stack),
        (Strategy::Dfs, StoreKind::Tree, 2, states, Source::Stack),
        (Strategy::Dfs, StoreKind::Collapse, 1, depth, Source::Start),
        (Strategy::Dfs, StoreKind::HashCompact, 1, states, Source::Start),
        (Strategy::Dfs, StoreKind::Cache(plan), 1, states, Source::Start),
        (Strategy::Scc, StoreKind::Exact, 1, states, Source::Start),
        (Strategy::Ndfs, StoreKind::Exact, 1, states, Source::Start),
        (Strategy::Cndfs, StoreKind::Exact, 2, states, Source::Stack),
        (Strategy::Switches, StoreKind::Exact, 1, states, Source::Start),
        (Strategy::Survey, StoreKind::Exact, 1, states, Source::Phases),
        (Strategy::SurveyDfs, StoreKind::Tree, 1, states, Source::Phases),
    ] {
        let context = format!("{strategy:?} {store:?} {workers} {limits:?}");
        let outcome = limited(strategy, store, workers, limits);
        assert!(
            matches!(outcome.end, End::Bounded(Limit::States | Limit::Depth)),
            "{context}: {:?}",
            outcome.end
        );
        let coverage = outcome.coverage.unwrap_or_else(|| panic!("{context}"));
        let truth = coverage.known as f64 / 4096.0;
        if let Some(phases) = coverage.phases {
            // A tenth of the limit is for the first phase, and all but a twentieth for the two.
            assert!((95..130).contains(&phases.states[0]) && phases.left > 0, "{context}: {phases:?}");
            assert!((940..=1000).contains(&phases.states.iter().sum::<u64>()), "{context}: {phases:?}");
        }
        assert!(
            coverage.phases.is_some()
                || limits.depth.is_some()
                || outcome.stats.states <= 900 + 64 * workers as u64,
            "{context}: {:?}",
            outcome.stats
        );
        assert!(coverage.bound() > truth - 0.05 && coverage.walks > 0, "{context}: {coverage:?}, {truth}");
        assert!(coverage.source == source || strategy == Strategy::Cndfs, "{context}: {coverage:?}");
    }
}

/// The estimate of an interrupted search was gathered before the interruption, and reported as progress.
#[test]
fn an_interrupted_search_says_what_was_gathered() {
    let toy = toys::grid(5, 30);
    let stop = AtomicBool::new(false);
    let shown: Cell<Option<Coverage>> = Cell::new(None);
    let progress = |sample: &Sample| {
        shown.set(sample.coverage);
        stop.store(true, Relaxed);
    };
    let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::NONE };
    let config = Config { limits, share: 10, stop: Some(&stop), progress: Some(&progress), ..Config::new(1) };
    let outcome = search(&toy, Strategy::Bfs, &(), &config);
    assert!(matches!(outcome.end, End::Bounded(Limit::Interrupted)), "{:?}", outcome.end);
    let (shown, gathered) = (shown.get().unwrap(), outcome.coverage.unwrap());
    assert_eq!(
        (shown.source, shown.steps, shown.distinct),
        (Source::Start, gathered.steps, gathered.distinct)
    );
    assert!(gathered.known >= shown.known && gathered.bound() <= 1.0 && gathered.walks > 0);
}

/// What is behind the states that the second phase draws is searched to its end, in whatever order.
#[test]
fn two_phases_visit_every_state_once() {
    for toy in [toys::grid(3, 9), toys::philosophers(7), toys::random_graph(5, 3_000, 1 << 40)] {
        let expected = reference::explore(&toy).unwrap();
        for (strategy, share, round_robin) in [
            (Strategy::Survey, 1, 1),
            (Strategy::Survey, 20, 7),
            (Strategy::SurveyDfs, 5, 1),
            (Strategy::SurveyDfs, 30, 100),
        ] {
            for seed in 0..3 {
                let limits = Limits { states: Some(2 * expected.states), ..Limits::NONE };
                let walks = WalkPlan { seed, round_robin, ..WalkPlan::default() };
                let config = Config { all_errors: true, limits, share, walks, ..Config::new(2) };
                let outcome = search(&toy, strategy, &(), &config);
                let context = format!("{} {strategy:?} {share} {round_robin} {seed}", toy.name);
                assert!(matches!(outcome.end, End::Exhausted), "{context}: {:?}", outcome.end);
                let counts = (outcome.stats.states, outcome.stats.matched, outcome.coverage);
                assert_eq!(counts, (expected.states, expected.matched, None), "{context}");
            }
        }
    }
}
