//! Every search, with any lossless store and any number of workers, counts what the reference explorer
//! counts.

use crate::toys::{self, Toy};
use allways_model::StepKey;
use allways_search::{Config, End, StoreKind, Strategy, replay, search};
use allways_testkit::{laws, reference};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) const SEARCHES: [Strategy; 6] = [
    Strategy::Dfs,
    Strategy::Bfs,
    Strategy::Switches,
    Strategy::Preemptions,
    Strategy::Survey,
    Strategy::SurveyDfs,
];
pub(crate) const WORKERS: [usize; 3] = [1, 2, 4];

fn check(toy: &Toy) {
    let lossless = StoreKind::ALL.into_iter().filter(|store| store.keeps_states());
    lossless.for_each(|store| check_with(toy, store));
}

fn check_with(toy: &Toy, store: StoreKind) {
    let expected = reference::explore(toy).unwrap();
    for strategy in SEARCHES {
        for workers in WORKERS {
            let context = format!("{} by {strategy:?} with {workers} workers, {store:?}", toy.name);
            let config = Config { all_errors: true, store, ..Config::new(workers) };
            let outcome = search(toy, strategy, &(), &config);
            assert!(matches!(outcome.end, End::Exhausted), "{context}: {:?}", outcome.end);
            let stats = outcome.stats;
            let counts = (stats.states, stats.matched, stats.transitions, stats.errors);
            let n_errors = expected.violations.len() as u64;
            let reference = (expected.states, expected.matched, expected.transitions, n_errors);
            assert_eq!(counts, reference, "{context}");
            if strategy == Strategy::Bfs {
                assert_eq!(stats.depth, expected.radius, "{context}");
            }
            for finding in &outcome.findings {
                let replayed = replay(toy, &finding.path).unwrap();
                let message = format!("{:?}", finding.violation);
                assert!(replayed.violations.iter().any(|v| format!("{v:?}") == message), "{context}");
            }
            let mut kinds: Vec<_> = expected
                .violations
                .iter()
                .map(|(v, _)| format!("{:?} {:?} {}", v.kind(), v.location, v.message()))
                .collect();
            kinds.sort();
            kinds.dedup();
            assert_eq!(outcome.findings.len(), kinds.len(), "{context}");
        }
    }
}

#[test]
fn toys_keep_the_laws() {
    for toy in [toys::grid(3, 4), toys::philosophers(5), toys::stacks(6), toys::random_graph(1, 300, 9)] {
        laws::check(&toy, 200).unwrap();
    }
}

#[test]
fn a_broken_law_is_noticed() {
    let descending = Toy::new("descending", &[0; 4], |_, out| {
        [2, 1].iter().for_each(|&key| out.push(StepKey(key), &[key as u8; 4]));
        Ok(())
    });
    assert_eq!(laws::check(&descending, 9).unwrap_err().law, "keys are unique and ascend");
    let n_expansions = AtomicU8::new(0);
    let moody = Toy::new("moody", &[0; 4], move |_, out| {
        out.push(StepKey(0), &[n_expansions.fetch_add(1, Ordering::Relaxed); 4]);
        Ok(())
    });
    assert_eq!(laws::check(&moody, 9).unwrap_err().law, "a cursor expands a state twice alike");
}

#[test]
fn counter_grids() {
    check(&toys::grid(1, 0));
    check(&toys::grid(2, 30));
    check(&toys::grid(4, 9));
}

#[test]
fn dining_philosophers() {
    check(&toys::philosophers(3));
    check(&toys::philosophers(9));
}

#[test]
fn states_of_many_lengths() {
    check(&toys::stacks(14));
}

fn compare_random_graphs(seeds: Range<u64>) {
    for seed in seeds {
        check(&toys::random_graph(seed, 1 + seed * seed * 7, 40).with_actors(seed % 4));
    }
}

#[test]
fn random_graphs() {
    compare_random_graphs(0..40);
}

#[test]
#[ignore = "takes minutes; smaller ones are compared always"]
fn larger_random_graphs() {
    compare_random_graphs(40..90);
}

#[test]
fn a_million_states_in_a_row() {
    for workers in [1, 2] {
        for strategy in SEARCHES {
            let config = Config { store: StoreKind::Tree, ..Config::new(workers) };
            let outcome = search(&toys::chain(1_000_000), strategy, &(), &config);
            assert!(matches!(outcome.end, End::Exhausted));
            assert_eq!((outcome.stats.states, outcome.stats.matched), (1_000_000, 0));
            assert_eq!(outcome.stats.depth, 999_999, "{strategy:?} {workers}");
        }
    }
}
