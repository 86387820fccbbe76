//! How much of a graph an unfinished breadth-first search says it has seen.

use crate::toys;
use allways_search::{Config, End, Limit, Limits, StoreKind, Strategy, search};
use allways_testkit::reference;

#[test]
fn bounds_are_true_for_every_store_and_number_of_workers() {
    for toy in [toys::grid(4, 9), toys::philosophers(9), toys::random_graph(5, 20_000, 1 << 40)] {
        let n_states = reference::explore(&toy).unwrap().states;
        for percent in [10, 40, 80] {
            for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
                for workers in [1, 3] {
                    let limits = Limits { states: Some(n_states * percent / 100), ..Limits::NONE };
                    let config = Config { all_errors: true, store, limits, ..Config::new(workers) };
                    let outcome = search(&toy, Strategy::Bfs, &(), &config);
                    let context = format!("{} {percent} % {store:?} {workers}", toy.name);
                    assert!(matches!(outcome.end, End::Bounded(Limit::States)), "{context}");
                    let coverage = outcome.coverage.unwrap_or_else(|| panic!("{context}"));
                    let truth = coverage.known as f64 / n_states as f64;
                    assert!(coverage.known >= outcome.stats.states && truth < 1.0, "{context}");
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
    let outcome = search(&toy, Strategy::Bfs, &(), &Config { limits, ..Config::new(1) });
    assert!(matches!(outcome.end, End::Bounded(Limit::Memory)), "{:?}", outcome.end);
    assert!(outcome.stats.total_bytes <= 8 << 20);
    assert!(outcome.coverage.is_some_and(|coverage| coverage.bound() < 1.0), "{:?}", outcome.coverage);
}

#[test]
fn a_search_that_ends_by_itself_needs_no_estimate() {
    let toy = toys::grid(3, 9);
    assert!(search(&toy, Strategy::Bfs, &(), &Config::new(1)).coverage.is_none());
    let limits = Limits { depth: Some(4), ..Limits::NONE };
    assert!(search(&toy, Strategy::Bfs, &(), &Config { limits, ..Config::new(1) }).coverage.is_none());
}
