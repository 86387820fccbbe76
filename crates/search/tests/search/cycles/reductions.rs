//! Leaving out steps never changes whether there is an accepting cycle.

use super::matrix::{SEARCHES, WORKERS};
use super::systems::{Forbidden, System};
use allways_search::{Config, End, Strategy, replay_finding, search};

/// The search whose verdict without a reduction the graphs of `matrix` vouch for.
const REFERENCE: Strategy = Strategy::Ndfs;

#[test]
fn verdicts_are_those_of_the_whole_graph() {
    let (mut n_cycles, mut n_systems) = (0, 0);
    let mut n_left_out = [0; SEARCHES.len()];
    for seed in 0..1500 {
        for forbidden in [Forbidden::Again, Forbidden::Always, Forbidden::Never] {
            let system = System::random(seed, forbidden);
            let whole = search(&system, REFERENCE, &(), &Config::new(1));
            let violated = matches!(whole.end, End::Violated);
            n_systems += 1;
            n_cycles += u32::from(violated);
            for (idx, strategy) in SEARCHES.into_iter().enumerate() {
                for workers in WORKERS {
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
    assert!(n_cycles > n_systems / 10 && n_cycles < n_systems * 9 / 10, "{n_cycles} of {n_systems}");
    assert!(n_left_out.iter().all(|&n| n > 1000), "{n_left_out:?}");
}
