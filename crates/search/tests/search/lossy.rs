//! Lossy stores: they never count more states than exist, are never `exhausted`, and their findings are real.

use crate::matrix::WORKERS;
use crate::toys;
use allways_search::{Bits, Config, End, Limit, Limits, StoreKind, Strategy, replay, search};
use allways_testkit::reference;
use std::time::Duration;

const LARGE: Bits = Bits { n_bits: Some(1 << 26), n_hashes: 3 };
const SMALL: Bits = Bits { n_bits: Some(1 << 12), n_hashes: 2 };

fn config(workers: usize, store: StoreKind) -> Config<'static> {
    Config { all_errors: true, store, ..Config::new(workers) }
}

#[test]
fn with_room_enough_nothing_is_lost() {
    for toy in [toys::grid(3, 20), toys::philosophers(8), toys::stacks(12), toys::random_graph(3, 5000, 40)] {
        let expected = reference::explore(&toy).unwrap();
        for workers in WORKERS {
            for store in [StoreKind::Bitstate(LARGE), StoreKind::HashCompact] {
                let outcome = search(&toy, Strategy::Dfs, &(), &config(workers, store));
                let context = format!("{} {store:?} {workers}", toy.name);
                assert!(matches!(outcome.end, End::Bounded(Limit::Lossy)), "{context}: {:?}", outcome.end);
                let stats = outcome.stats;
                assert_eq!(
                    (stats.states, stats.matched, stats.errors),
                    (expected.states, expected.matched, expected.violations.len() as u64),
                    "{context}"
                );
                for finding in &outcome.findings {
                    let replayed = replay(&toy, &finding.path).unwrap();
                    let message = format!("{:?}", finding.violation);
                    assert!(replayed.violations.iter().any(|v| format!("{v:?}") == message), "{context}");
                }
            }
        }
    }
}

#[test]
fn too_few_bits_lose_states_and_invent_none() {
    let toy = toys::grid(3, 20);
    let expected = reference::explore(&toy).unwrap();
    for workers in WORKERS {
        for store in [StoreKind::Bitstate(SMALL), StoreKind::Swarm(SMALL, 1)] {
            let stats = search(&toy, Strategy::Dfs, &(), &config(workers, store)).stats;
            assert!(stats.states < expected.states && stats.states > 500, "{}", stats.states);
            assert_eq!(stats.transitions, stats.states + stats.matched);
        }
    }
}

#[test]
fn a_swarm_finds_what_there_is() {
    let toy = toys::philosophers(7);
    for workers in WORKERS {
        for seed in 0..5 {
            let config = Config { store: StoreKind::Swarm(LARGE, seed), ..Config::new(workers) };
            let outcome = search(&toy, Strategy::Dfs, &(), &config);
            assert!(matches!(outcome.end, End::Violated));
            let replayed = replay(&toy, &outcome.findings[0].path).unwrap();
            assert!(!replayed.violations.is_empty());
        }
    }
}

#[test]
fn a_swarm_goes_on_while_there_is_time() {
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::NONE };
    let config = Config { limits, ..config(2, StoreKind::Swarm(LARGE, 7)) };
    let toy = toys::grid(2, 9);
    let outcome = search(&toy, Strategy::Dfs, &(), &config);
    assert!(matches!(outcome.end, End::Bounded(Limit::Time)), "{:?}", outcome.end);
    assert_eq!(outcome.stats.states, reference::explore(&toy).unwrap().states);
}

#[test]
fn limits_of_memory_depth_and_states() {
    let toy = toys::grid(4, 30);
    for workers in WORKERS {
        let with =
            |limits, store| search(&toy, Strategy::Dfs, &(), &Config { limits, ..config(workers, store) });
        let memory = Limits { memory: Some(1 << 20), ..Limits::NONE };
        assert!(matches!(with(memory, StoreKind::HashCompact).end, End::Bounded(Limit::Memory)));
        // Half of the memory is for the bits.
        assert!(with(memory, StoreKind::Bitstate(Bits::default())).stats.total_bytes <= 1 << 20);
        assert!(matches!(with(memory, StoreKind::Bitstate(LARGE)).end, End::Bounded(Limit::Memory)));
        let depth = Limits { depth: Some(9), ..Limits::NONE };
        let cut = with(depth, StoreKind::HashCompact);
        assert!(matches!(cut.end, End::Bounded(Limit::Depth)) && cut.stats.depth == 9);
        let states = Limits { states: Some(1000), ..Limits::NONE };
        assert!(matches!(with(states, StoreKind::HashCompact).end, End::Bounded(Limit::States)));
    }
}
