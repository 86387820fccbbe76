//! Omitting steps never changes whether there is an accepting cycle.

use super::matrix::{SEARCHES, WORKERS, is_worth};
use super::systems::{Forbidden, System};
use allways_search::{Config, End, Strategy, replay_finding, search};

/// The search without a reduction, which `matrix` compares with the reference.
const REFERENCE: Strategy = Strategy::Ndfs;

#[test]
fn verdicts_are_those_of_the_whole_graph() {
    check((0..1500).map(|seed| (seed, 0)), [1, 2, 3]);
}

#[test]
fn verdicts_of_larger_systems() {
    check((0..25).map(|seed| (seed, 4)), WORKERS);
}

fn check(systems: impl Iterator<Item = (u64, u64)>, all_workers: [usize; 3]) {
    let (mut n_cycles, mut n_systems) = (0, 0);
    let mut n_left_out = [0; SEARCHES.len()];
    for (seed, more) in systems {
        for forbidden in [Forbidden::Again, Forbidden::Always, Forbidden::Never] {
            let system = System::random(seed, more, forbidden);
            let whole = search(&system, REFERENCE, &(), &Config::new(1));
            let violated = matches!(whole.end, End::Violated);
            n_systems += 1;
            n_cycles += u32::from(violated);
            for (idx, strategy) in SEARCHES.into_iter().enumerate() {
                for workers in all_workers.into_iter().filter(|&workers| is_worth(strategy, workers)) {
                    let config = Config { reduce: true, ..Config::new(workers) };
                    let reduced = search(&system, strategy, &(), &config);
                    let context = format!("{} by {strategy:?} with {workers} workers", system.name);
                    assert_eq!(matches!(reduced.end, End::Violated), violated, "{context}");
                    for finding in &reduced.findings {
                        replay_finding(&system, finding).unwrap_or_else(|e| panic!("{context}: {e}"));
                    }
                    if !violated {
                        assert!(reduced.stats.states <= whole.stats.states, "{context}");
                        n_left_out[idx] += whole.stats.states - reduced.stats.states;
                    }
                }
            }
        }
    }
    assert!(n_cycles > n_systems / 10 && n_cycles < n_systems, "{n_cycles} of {n_systems}");
    assert!(n_left_out.iter().all(|&n| n > 1000), "{n_left_out:?}");
}
