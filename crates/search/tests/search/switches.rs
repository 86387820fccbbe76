//! Fewest switches and fewest preemptions first, compared with brute force.

use crate::toys::{self, Toy};
use allways_model::{Batch, Cursor, Lessons, Model, Path, StepKey};
use allways_search::{Config, End, StoreKind, Strategy, replay, search};
use allways_testkit::reference;
use std::collections::HashMap;

const SEARCHES: [Strategy; 2] = [Strategy::Switches, Strategy::Preemptions];

/// Whether a step of `actor` after one of `last` costs one, from the state that was expanded into `batch`.
fn is_turn(
    cursor: &dyn Cursor,
    batch: &Batch,
    strategy: Strategy,
    last: Option<Option<u32>>,
    key: StepKey,
) -> bool {
    let Some(last) = last else { return false };
    let failing = batch.violations().iter().filter_map(|violation| violation.key);
    let can_go_on = || batch.entries().iter().map(|e| e.key).chain(failing).any(|k| cursor.actor(k) == last);
    last != cursor.actor(key) && (strategy == Strategy::Switches || can_go_on())
}

/// The lowest cost of any violation, by relaxation over all states and last actors until no cost falls.
fn cheapest(toy: &Toy, strategy: Strategy) -> Option<u64> {
    let mut cursor = toy.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).unwrap();
    let first = (batch.vector(0).to_vec(), None);
    let mut costs = HashMap::from([(first.clone(), 0)]);
    let mut todo = vec![first];
    let mut best: Option<u64> = None;
    while let Some((state, last)) = todo.pop() {
        let cost = costs[&(state.clone(), last)];
        batch.clear();
        cursor.load(&state);
        cursor.expand(&mut batch).unwrap();
        for violation in batch.violations() {
            let turn = violation.key.is_some_and(|key| is_turn(&*cursor, &batch, strategy, last, key));
            best = Some(best.unwrap_or(u64::MAX).min(cost + u64::from(turn)));
        }
        for (idx, entry) in batch.entries().iter().enumerate() {
            let next = (batch.vector(idx).to_vec(), Some(cursor.actor(entry.key)));
            let next_cost = cost + u64::from(is_turn(&*cursor, &batch, strategy, last, entry.key));
            if costs.get(&next).is_none_or(|&known| next_cost < known) {
                costs.insert(next.clone(), next_cost);
                todo.push(next);
            }
        }
    }
    best
}

/// The cost of a path.
fn cost_of(toy: &Toy, path: &Path, strategy: Strategy) -> u64 {
    let states = replay(toy, path).unwrap().states;
    let (mut cursor, mut batch, mut last, mut cost) = (toy.cursor(Lessons::none()), Batch::new(), None, 0);
    for (state, &key) in states.iter().zip(&path.steps) {
        batch.clear();
        cursor.load(state);
        cursor.expand(&mut batch).unwrap();
        cost += u64::from(is_turn(&*cursor, &batch, strategy, last, key));
        last = Some(cursor.actor(key));
    }
    cost
}

#[test]
fn nothing_is_cheaper_than_what_is_found() {
    let mut n_costly = 0;
    for seed in 0..400 {
        let n_actors = 2 + seed % 3;
        let toy = toys::random_graph(seed, 60 + seed, 30 + seed / 4).with_actors(n_actors);
        for strategy in SEARCHES {
            let expected = cheapest(&toy, strategy);
            for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
                let outcome = search(&toy, strategy, &(), &Config { store, ..Config::new(1) });
                let context = format!("{} with {n_actors} actors, {strategy:?}, {store:?}", toy.name);
                assert_eq!(matches!(outcome.end, End::Violated), expected.is_some(), "{context}");
                let found = outcome.findings.first().map(|finding| {
                    assert!(!replay(&toy, &finding.path).unwrap().violations.is_empty(), "{context}");
                    cost_of(&toy, &finding.path, strategy)
                });
                assert_eq!(found, expected, "{context}");
                n_costly += u32::from(expected >= Some(3));
            }
        }
    }
    assert!(n_costly > 100, "only {n_costly} of the models need three turns or more");
}

#[test]
fn philosophers_starve_by_taking_one_fork_each() {
    let toy = toys::philosophers(5).with_actors(5);
    let found = search(&toy, Strategy::Switches, &(), &Config::new(1)).findings.remove(0);
    assert_eq!(cost_of(&toy, &found.path, Strategy::Switches), 4);
    assert_eq!(found.path.steps.len(), 5);
}

#[test]
fn a_search_by_one_worker_however_many_there_are() {
    let toy = toys::grid(3, 9).with_actors(3);
    for strategy in SEARCHES {
        let outcome = search(&toy, strategy, &(), &Config::new(4));
        assert!(matches!(outcome.end, End::Exhausted));
        assert_eq!(outcome.stats.states, reference::explore(&toy).unwrap().states);
    }
}

#[test]
fn every_error_is_found_if_the_search_goes_on() {
    let toy = toys::random_graph(7, 900, 20).with_actors(3);
    let n_errors = reference::explore(&toy).unwrap().violations.len() as u64;
    for strategy in SEARCHES {
        let outcome = search(&toy, strategy, &(), &Config { all_errors: true, ..Config::new(1) });
        assert!(matches!(outcome.end, End::Exhausted));
        assert_eq!(outcome.stats.errors, n_errors);
    }
}
