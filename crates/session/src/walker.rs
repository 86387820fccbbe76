//! A walk through a model, one step at a time: what can happen here, and then it does.
//!
//! Replaying, simulating and choosing by hand all walk; they differ only in who picks the next key. The
//! walker has a cursor of its own, so that what it shows does not depend on the search that found it.

use allways_model::{
    Batch, Cursor, Digest, Fault, Halt, Lessons, Model, Move, Path, Snapshot, StepKey, Violation,
};

/// A position in a model, and how it was reached.
pub struct Walker<'m> {
    cursor: Box<dyn Cursor + 'm>,
    batch: Batch,
    model: Digest,
    states: Vec<Vec<u8>>,
    steps: Vec<StepKey>,
    /// Whether all states are kept, for going back.
    keep: bool,
}

/// What can happen in a state.
pub struct Choices {
    /// The steps, in the order of their keys, whether they end in a state or in a violation.
    pub keys: Vec<StepKey>,
    /// What is wrong with the state itself.
    pub wrong: Vec<Violation>,
    /// What the tool does not know here.
    pub fault: Option<Fault>,
}

/// What happened in a step.
pub struct Taken {
    /// Whether it led to a state; if not, the walker is still where it was.
    pub moved: bool,
    /// What went wrong in it.
    pub wrong: Vec<Violation>,
    /// Where it went wrong, if it led to no state and that is known.
    pub failing: Option<Snapshot>,
}

impl<'m> Walker<'m> {
    /// At the beginning.
    ///
    /// # Errors
    /// If the model cannot even start.
    pub fn new(model: &'m dyn Model) -> Result<Self, Fault> {
        let mut cursor = model.cursor(Lessons::none());
        let mut batch = Batch::new();
        if let Some(fault) = cursor.initial(&mut batch).err().and_then(Halt::into_fault) {
            return Err(fault);
        }
        let first = batch.vector(0).to_vec();
        let mut walker = Self {
            cursor,
            batch,
            model: model.digest(),
            states: vec![first],
            steps: Vec::new(),
            keep: false,
        };
        walker.load();
        Ok(walker)
    }

    /// Keeps every state on the way, so that [`Walker::back`] works.
    #[must_use]
    pub fn keeping(mut self) -> Self {
        self.keep = true;
        self
    }

    fn load(&mut self) {
        let state = self.states.last().expect("there is always a current state");
        self.cursor.load(state);
    }

    /// The current state.
    ///
    /// # Panics
    /// Never: there is always a current state.
    #[must_use]
    pub fn state(&self) -> &[u8] {
        self.states.last().expect("there is always a current state")
    }

    /// The number of steps taken.
    #[must_use]
    pub fn n_steps(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The way here.
    #[must_use]
    pub fn path(&self) -> Path {
        Path { model: self.model, steps: self.steps.clone() }
    }

    /// What can happen now. A search may go on past a violation, and then has a step into it and one through
    /// it; in a walk the violation is the end, so the step through it is no choice.
    pub fn look(&mut self) -> Choices {
        self.batch.clear();
        let fault = self.cursor.expand(&mut self.batch).err().and_then(Halt::into_fault);
        // What is cut off does not concern the other steps.
        let cut = self.cursor.take_cut().filter(|_| self.batch.is_empty());
        let fault = fault.or(cut.filter(|_| self.batch.violations().is_empty()));
        let mut keys: Vec<StepKey> = self.batch.entries().iter().map(|entry| entry.key).collect();
        let failing: Vec<StepKey> = self.batch.violations().iter().filter_map(|v| v.key).collect();
        if !failing.is_empty() {
            let ends: Vec<Vec<Move>> = failing.iter().map(|key| self.explain(*key)).collect();
            keys.retain(|key| {
                let moves = self.cursor.explain(*key).unwrap_or_default();
                !ends.iter().any(|end| goes_through(&moves, end))
            });
            keys.extend(failing);
        }
        keys.sort_by_key(|key| key.0);
        keys.dedup();
        let wrong = self.batch.violations().iter().filter(|v| v.key.is_none()).cloned().collect();
        Choices { keys, wrong, fault }
    }

    /// What the step `key` does, move by move.
    pub fn explain(&mut self, key: StepKey) -> Vec<Move> {
        self.cursor.explain(key).unwrap_or_default()
    }

    /// Takes the step `key`; `None` if there is no such step here.
    pub fn take(&mut self, key: StepKey) -> Option<Taken> {
        self.batch.clear();
        // A fault elsewhere in the state does not concern this step.
        let _ = self.cursor.expand(&mut self.batch);
        let wrong: Vec<Violation> =
            self.batch.violations().iter().filter(|v| v.key == Some(key)).cloned().collect();
        let next = self.batch.entries().iter().position(|entry| entry.key == key);
        if next.is_none() && wrong.is_empty() {
            return None;
        }
        if let Some(idx) = next {
            let state = self.batch.vector(idx).to_vec();
            if !self.keep {
                self.states.clear();
            }
            self.states.push(state);
            self.load();
        }
        let failing = if next.is_none() { self.cursor.failing_state(key) } else { None };
        self.steps.push(key);
        Some(Taken { moved: next.is_some(), wrong, failing })
    }

    /// Undoes the last step; false at the beginning. Works only for a walker that keeps its states.
    pub fn back(&mut self) -> bool {
        if self.steps.pop().is_none() {
            return false;
        }
        // The last step may have led to no state.
        self.states.truncate(self.steps.len() + 1);
        self.load();
        true
    }
}

/// Whether `moves` begin with the statements of `end`.
fn goes_through(moves: &[Move], end: &[Move]) -> bool {
    let same = |a: &Move, b: &Move| a.process == b.process && a.location == b.location && a.text == b.text;
    !end.is_empty() && moves.len() >= end.len() && moves.iter().zip(end).all(|(a, b)| same(a, b))
}
