//! Finding the way to a state that a search knows only the predecessor of.
//!
//! A search that does not go along one path keeps for each state the state that it was first reached from: four
//! bytes. The steps between are found again by expanding the predecessors on the way: a model is deterministic,
//! so they are there, and this happens once per counterexample.

use allways_model::{Batch, Model, Path, StepKey};
use allways_store::marks::Links;
use allways_store::{Recall, StateRef};

/// The path to `state` along `parents`, and then the step `last` if there is one.
///
/// # Panics
/// If the model breaks the law of determinism.
pub(crate) fn path_to<S: Recall>(
    model: &dyn Model,
    store: &S,
    parents: &Links,
    state: StateRef,
    last: Option<StepKey>,
) -> Path {
    let mut way = vec![state];
    let mut at = state;
    while let Some(parent) = parents.get(at) {
        way.push(parent);
        at = parent;
    }
    way.reverse();
    let mut cursor = model.cursor();
    let mut batch = Batch::new();
    let mut steps = Vec::with_capacity(way.len());
    for pair in way.windows(2) {
        batch.clear();
        cursor.load(store.fetch(pair[0]));
        // A fault does not matter: the step that was there before is there again, in front of it.
        let _ = cursor.expand(&mut batch);
        let target = store.fetch(pair[1]);
        let idx = (0..batch.len()).find(|&idx| batch.vector(idx) == target);
        steps.push(batch.entries()[idx.expect("a state has the successors that it had before")].key);
    }
    steps.extend(last);
    Path { model: model.digest(), steps }
}
