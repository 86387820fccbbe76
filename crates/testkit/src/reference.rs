//! A brute-force reference explorer: the simplest program that computes what a search must report.
//!
//! It keeps whole vectors in the standard library's hash set and expands them in the order of a queue. It
//! shares no code with the stores and searches that are compared with it, and is not meant to be fast.

use allways_model::{Batch, Halt, Lessons, Model, StepKey, Violation};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// The counts of a complete exploration.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// Distinct states.
    pub states: u64,
    /// Arrivals at states that were seen before.
    pub matched: u64,
    /// All arrivals, including the one at the initial state.
    pub transitions: u64,
    /// The largest distance of a state from the initial state, in steps.
    pub radius: u64,
    /// All violations, each with the length of a shortest path to it, including the step in which it occurs.
    pub violations: Vec<(Violation, u64)>,
    /// One bit for each of the model's points: whether it was reached.
    pub reached: Vec<u64>,
}

impl Reference {
    /// The number of steps of a shortest counterexample.
    #[must_use]
    pub fn shortest(&self) -> Option<u64> {
        self.violations.iter().map(|&(_, length)| length).min()
    }
}

/// Explores all of `model`.
///
/// # Errors
/// The first halt: a fault, or a lesson.
pub fn explore(model: &dyn Model) -> Result<Reference, Halt> {
    let mut result = Reference::default();
    let mut cursor = model.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch)?;
    result.violations.extend(batch.violations().iter().map(|violation| (violation.clone(), 0)));
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    arrive(&mut result, &mut seen, &mut queue, &batch, 0);
    while let Some((state, depth)) = queue.pop_front() {
        batch.clear();
        cursor.load(&state);
        cursor.expand(&mut batch)?;
        for violation in batch.violations() {
            result.violations.push((violation.clone(), depth + u64::from(violation.key.is_some())));
        }
        arrive(&mut result, &mut seen, &mut queue, &batch, depth + 1);
    }
    result.reached = cursor.reached();
    Ok(result)
}

/// For each state, by its vector, the targets of its steps.
pub type Graph = HashMap<Vec<u8>, BTreeMap<StepKey, Vec<u8>>>;

/// All states and steps of `model`.
///
/// # Errors
/// As [`explore`].
pub fn graph(model: &dyn Model) -> Result<Graph, Halt> {
    let mut cursor = model.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch)?;
    let (mut graph, mut todo) = (Graph::new(), vec![batch.vector(0).to_vec()]);
    while let Some(state) = todo.pop() {
        if graph.contains_key(&state) {
            continue;
        }
        batch.clear();
        cursor.load(&state);
        cursor.expand(&mut batch)?;
        let step = |idx: usize| (batch.entries()[idx].key, batch.vector(idx).to_vec());
        let steps: BTreeMap<StepKey, Vec<u8>> = (0..batch.len()).map(step).collect();
        todo.extend(steps.values().cloned());
        graph.insert(state, steps);
    }
    Ok(graph)
}

fn arrive(
    result: &mut Reference,
    seen: &mut HashSet<Vec<u8>>,
    queue: &mut VecDeque<(Vec<u8>, u64)>,
    batch: &Batch,
    depth: u64,
) {
    for idx in 0..batch.len() {
        let state = batch.vector(idx).to_vec();
        result.transitions += 1;
        if seen.insert(state.clone()) {
            result.states += 1;
            result.radius = depth;
            queue.push_back((state, depth));
        } else {
            result.matched += 1;
        }
    }
}
