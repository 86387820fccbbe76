//! How many states have each deadlock: a model around another one that looks at what its cursors report.
//!
//! A search tells a deadlock once and counts all violations together. Here each state with a deadlock is noted, by its hash, so that one which is
//! expanded several times (by several workers, or to find the way to it) counts once.

use allways_model::{
    Acceptance, Asleep, Batch, Blocked, Cursor, Digest, Halt, Lesson, Lessons, Model, Move, Partition, Point,
    Process, StepKey, Variable, Violation, ViolationId, ViolationKind,
};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A model, and the states with deadlocks that its cursors have expanded.
pub(crate) struct Sightings<'m> {
    model: &'m dyn Model,
    /// The hashes of states, by what is wrong there.
    seen: Mutex<HashMap<ViolationId, HashSet<u64>>>,
}

impl<'m> Sightings<'m> {
    pub(crate) fn of(model: &'m dyn Model) -> Self {
        Self { model, seen: Mutex::default() }
    }

    /// How many states have each deadlock.
    pub(crate) fn counts(&self) -> Counts {
        Counts(self.lock().iter().map(|(what, states)| (what.clone(), states.len() as u64)).collect())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ViolationId, HashSet<u64>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many states have each deadlock.
#[derive(Default)]
pub(crate) struct Counts(HashMap<ViolationId, u64>);

impl Counts {
    /// How many states have this violation, if they were counted.
    pub(crate) fn of(&self, violation: &Violation) -> Option<u64> {
        self.0.get(&what(violation)?).copied()
    }
}

/// What is the same in all states with a deadlock.
fn what(violation: &Violation) -> Option<ViolationId> {
    (violation.kind() == ViolationKind::Deadlock).then(|| violation.id())
}

impl Model for Sightings<'_> {
    fn digest(&self) -> Digest {
        self.model.digest()
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(Watcher { cursor: self.model.cursor(lessons), sightings: self, loaded: Vec::new() })
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        self.model.processes(state)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        self.model.variables(state)
    }

    fn blocked(&self, state: &[u8], lessons: &Lessons) -> Vec<Blocked> {
        self.model.blocked(state, lessons)
    }

    fn partition(&self) -> Partition<'_> {
        self.model.partition()
    }

    fn points(&self) -> &[Point] {
        self.model.points()
    }

    fn acceptance(&self) -> Acceptance {
        self.model.acceptance()
    }

    fn has_sleepers(&self) -> bool {
        self.model.has_sleepers()
    }
}

struct Watcher<'m> {
    cursor: Box<dyn Cursor + 'm>,
    sightings: &'m Sightings<'m>,
    loaded: Vec<u8>,
}

impl Watcher<'_> {
    /// Notes the deadlocks among the violations from `start` on.
    fn note(&self, out: &Batch, start: usize) {
        for what in out.violations()[start..].iter().filter_map(what) {
            let mut hasher = DefaultHasher::new();
            self.loaded.hash(&mut hasher);
            self.sightings.lock().entry(what).or_default().insert(hasher.finish());
        }
    }
}

impl Cursor for Watcher<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.cursor.initial(out)
    }

    fn load(&mut self, state: &[u8]) {
        self.loaded.clear();
        self.loaded.extend_from_slice(state);
        self.cursor.load(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let start = out.violations().len();
        let result = self.cursor.expand(out);
        self.note(out, start);
        result
    }

    fn expand_awake(&mut self, asleep: Asleep, out: &mut Batch) -> Result<(), Halt> {
        let start = out.violations().len();
        let result = self.cursor.expand_awake(asleep, out);
        self.note(out, start);
        result
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        let start = out.violations().len();
        let result = self.cursor.expand_some(out);
        self.note(out, start);
        result
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        self.cursor.explain(key)
    }

    fn accepting(&mut self) -> bool {
        self.cursor.accepting()
    }

    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        self.cursor.holds(proposition)
    }

    fn rests(&self) -> bool {
        self.cursor.rests()
    }

    fn actor(&self, key: StepKey) -> Option<u32> {
        self.cursor.actor(key)
    }

    fn lesson(&self) -> Lesson {
        self.cursor.lesson()
    }

    fn reached(&self) -> Vec<u64> {
        self.cursor.reached()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.cursor.counters()
    }
}
