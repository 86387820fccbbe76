//! Recovers the steps of a counterexample from its states.
//!
//! Searches keep states, not steps: a stack of states, or for each state its predecessor, at four bytes each.
//! The steps are found by expanding the states on the path again. A model is deterministic, so the same steps
//! occur again. This happens once per counterexample.

use crate::subject::Subject;
use allways_model::{Batch, Cursor, Path, StepKey};
use allways_store::marks::Links;
use allways_store::{Recall, StateRef};

/// The states from the initial one to `state` along `parents`.
pub(crate) fn way_to(parents: &Links, state: StateRef) -> Vec<StateRef> {
    let mut way = vec![state];
    let mut at = state;
    while let Some(parent) = parents.get(at) {
        way.push(parent);
        at = parent;
    }
    way.reverse();
    way
}

/// The path through the states of `way`, from the initial one on, followed by the step `last` if there is
/// one. If several steps lead from one state to the next, the path has the first.
///
/// # Panics
/// If the model breaks the law of determinism.
pub(crate) fn path_along<S: Recall>(
    subject: Subject<'_>,
    store: &S,
    way: &[StateRef],
    last: Option<StepKey>,
) -> Path {
    path_by(subject, store, way, last, |_, _, _| true)
}

/// As [`path_along`], but of several steps it takes the first that `fits`, which is called with the index of
/// the step's target in `way`.
pub(crate) fn path_by<S: Recall>(
    subject: Subject<'_>,
    store: &S,
    way: &[StateRef],
    last: Option<StepKey>,
    fits: impl Fn(&dyn Cursor, StepKey, usize) -> bool,
) -> Path {
    let mut cursor = subject.cursor();
    let mut batch = Batch::new();
    let mut buffer = Vec::new();
    let mut steps = Vec::with_capacity(way.len());
    for (way_idx, pair) in way.windows(2).enumerate() {
        batch.clear();
        cursor.load(store.fetch(pair[0], &mut buffer));
        // A fault does not matter: the step is appended to the batch before it, as it was in the search.
        let _ = cursor.expand(&mut batch);
        let target = store.fetch(pair[1], &mut buffer);
        let key = |idx: usize| batch.entries()[idx].key;
        let idx = (0..batch.len())
            .find(|&idx| batch.vector(idx) == target && fits(&*cursor, key(idx), way_idx + 1));
        steps.push(key(idx.expect("a state has the successors that it had before")));
    }
    steps.extend(last);
    Path { model: subject.digest(), steps }
}
