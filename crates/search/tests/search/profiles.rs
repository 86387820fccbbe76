//! A profiled search has the same result as one without a profile, and counts its calls.

use crate::matrix::{SEARCHES, WORKERS};
use crate::toys;
use allways_search::{Config, Profile, StoreKind, Tally, search};

#[test]
fn a_profile_changes_nothing_and_adds_up() {
    for store in [StoreKind::Exact, StoreKind::Tree] {
        for strategy in SEARCHES {
            for workers in WORKERS {
                let toy = toys::stacks(9);
                let profile = Profile::new();
                let plain = Config { store, all_errors: true, ..Config::new(workers) };
                let expected = search(&toy, strategy, &(), &plain).stats;
                let profiled = Config { profile: Some(&profile), ..plain };
                let stats = search(&toy, strategy, &(), &profiled).stats;
                assert_eq!((stats.states, stats.matched), (expected.states, expected.matched));
                let tally = profile.tally();
                assert_eq!((tally.expand.n_calls, tally.fetch.n_calls), (stats.states, stats.states));
                assert_eq!(tally.n_entries, stats.transitions);
                assert_eq!((tally.shortest_vector, tally.longest_vector), (Some(0), 36));
                assert_eq!((tally.most_successors, tally.n_partial), (3, 0));
                assert!(tally.largest_batch >= 3);
                assert!(tally.expand.n_timed >= stats.states / 31 && tally.insert.n_timed > 0);
                assert!(tally.expand.total() >= tally.expand.timed);
                let held: u64 = tally.holdings.iter().map(|holding| holding.bytes).sum();
                assert_eq!(held, stats.store_bytes);
            }
        }
    }
}

#[test]
fn without_a_search_there_is_nothing() {
    assert_eq!(Profile::new().tally(), Tally::default());
}
