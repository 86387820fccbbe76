//! Breadth first, what is reduced depends on levels alone: any number of workers counts the same.

use crate::semantics::examples::examples;
use allways_promela::Reductions;
use allways_search::{Config, End, Strategy, search};

#[test]
fn reduced_counts_are_the_same_with_any_number_of_workers() {
    let mut n_reduced = 0;
    for example in examples("quick") {
        let counts = |reductions: Reductions, workers: usize| {
            let program = example.program().with_reductions(reductions);
            let config = Config { all_errors: true, reduce: reductions.order, ..Config::new(workers) };
            let outcome = search(&program, Strategy::Bfs, &(), &config);
            assert!(matches!(outcome.end, End::Exhausted), "{}: {:?}", example.name, outcome.end);
            (outcome.stats.states, outcome.stats.transitions, outcome.stats.depth, outcome.stats.errors)
        };
        let ordered = Reductions { order: true, ..Reductions::NONE };
        let alone = counts(ordered, 1);
        for workers in [2, 3, 4] {
            assert_eq!(counts(ordered, workers), alone, "{} with {workers} workers", example.name);
        }
        n_reduced += usize::from(alone.0 < counts(Reductions::NONE, 1).0);
    }
    assert!(n_reduced > 10, "only {n_reduced} examples are smaller with order");
}
