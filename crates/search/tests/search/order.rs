//! With one worker, `dfs` visits states in the order of a search that stores one successor at a time.

use crate::toys::{self, Toy};
use allways_model::{Batch, Lessons, Model, StepKey};
use allways_search::{Config, End, Observer, Strategy, search};
use allways_store::StateRef;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// The textbook algorithm: recursive, one successor at a time, until the first violation.
#[derive(Default)]
struct Textbook {
    seen: HashSet<Vec<u8>>,
    order: Vec<Vec<u8>>,
    matched: u64,
    path: Vec<StepKey>,
    depth: usize,
}

impl Textbook {
    fn arrive(&mut self, toy: &Toy, state: Vec<u8>) -> bool {
        if !self.seen.insert(state.clone()) {
            self.matched += 1;
            return false;
        }
        self.depth = self.depth.max(self.path.len());
        self.order.push(state.clone());
        let mut batch = Batch::new();
        let mut cursor = toy.cursor(Lessons::none());
        cursor.load(&state);
        cursor.expand(&mut batch).unwrap();
        if batch.violations().iter().any(|v| v.key.is_none()) {
            return true;
        }
        let mut keys: Vec<_> = batch.entries().iter().map(|entry| entry.key).collect();
        keys.extend(batch.violations().iter().filter_map(|v| v.key));
        keys.sort();
        keys.dedup();
        for key in keys {
            self.path.push(key);
            if batch.violations().iter().any(|v| v.key == Some(key)) {
                return true;
            }
            let idx = batch.entries().iter().position(|entry| entry.key == key).unwrap();
            if self.arrive(toy, batch.vector(idx).to_vec()) {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

/// Notes the order in which states are opened.
#[derive(Default)]
struct Order(Mutex<Vec<Vec<u8>>>);

impl Observer for Order {
    fn state(&self, _: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.lock().unwrap().push(vector.to_vec());
        ControlFlow::Continue(())
    }
}

fn check(toy: &Toy) {
    let mut textbook = Textbook::default();
    let mut batch = Batch::new();
    toy.cursor(Lessons::none()).initial(&mut batch).unwrap();
    let violated = textbook.arrive(toy, batch.vector(0).to_vec());
    let order = Order::default();
    let outcome = search(toy, Strategy::Dfs, &order, &Config::new(1));
    let name = &toy.name;
    assert_eq!(matches!(outcome.end, End::Violated), violated, "{name}");
    assert_eq!(outcome.stats.states, textbook.order.len() as u64, "{name}");
    assert_eq!(outcome.stats.matched, textbook.matched, "{name}");
    assert_eq!(outcome.stats.depth, textbook.depth as u64, "{name}");
    assert_eq!(outcome.stats.errors, u64::from(violated), "{name}");
    assert_eq!(order.0.into_inner().unwrap(), textbook.order, "{name}");
    let steps = outcome.findings.first().map(|finding| finding.path.steps.clone());
    assert_eq!(steps, violated.then_some(textbook.path), "{name}");
}

#[test]
fn first_violations_of_random_graphs() {
    for seed in 0..300 {
        check(&toys::random_graph(seed, 400, 10 + seed * 3));
    }
}

#[test]
fn whole_graphs() {
    check(&toys::grid(3, 6));
    check(&toys::stacks(8));
    check(&toys::philosophers(6));
}
