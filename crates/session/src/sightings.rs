//! How many states have each deadlock: an observer that counts them.
//!
//! A search reports a deadlock once and counts all violations together. Here each state with a deadlock is
//! kept, so that one which several workers expand, as in a swarm, counts once.

use allways_model::{Lesson, Violation, ViolationId, ViolationKind};
use allways_search::{At, Observer, StateRef};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A state: its place in the store, or a hash of its vector.
#[derive(PartialEq, Eq, Hash)]
enum Place {
    Stored(StateRef),
    Hashed(u64),
}

/// The states with deadlocks that a search has met.
pub(crate) struct Sightings<'a> {
    /// Whether they are counted: only a search that goes on after errors meets all of them.
    counts: bool,
    /// Set when there is a violation of any kind.
    found: Option<&'a AtomicBool>,
    seen: Mutex<HashMap<ViolationId, HashSet<Place>>>,
}

impl<'a> Sightings<'a> {
    pub(crate) fn new(counts: bool, found: Option<&'a AtomicBool>) -> Self {
        Self { counts, found, seen: Mutex::default() }
    }

    /// How many states have this violation, if they were counted.
    pub(crate) fn of(&self, violation: &Violation) -> Option<u64> {
        let is_deadlock = violation.kind() == ViolationKind::Deadlock;
        is_deadlock.then(|| self.lock().get(&violation.id()).map(|states| states.len() as u64)).flatten()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ViolationId, HashSet<Place>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Sightings<'_> {
    #[inline(always)]
    fn watches(&self) -> bool {
        false
    }

    fn violation(&self, at: At<'_>, violation: &Violation) {
        if let Some(found) = self.found {
            found.store(true, Relaxed);
        }
        if !self.counts || violation.kind() != ViolationKind::Deadlock {
            return;
        }
        let place = match at {
            At::Stored(state) => Place::Stored(state),
            At::Passing(vector) => {
                let mut hasher = DefaultHasher::new();
                vector.hash(&mut hasher);
                Place::Hashed(hasher.finish())
            }
        };
        self.lock().entry(violation.id()).or_default().insert(place);
    }

    fn round(&self, _: &Lesson) {
        self.lock().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::Rule;

    static STUCK: Rule = Rule::new(ViolationKind::Deadlock, "invalid-end-state", "invalid end state");

    #[test]
    fn a_state_with_a_deadlock_counts_once() {
        let deadlock = Violation::new(&STUCK);
        let sightings = Sightings::new(true, None);
        for vector in [[1; 4], [2; 4], [1; 4]] {
            sightings.violation(At::Passing(&vector), &deadlock);
        }
        assert_eq!(sightings.of(&deadlock), Some(2));
        sightings.round(&Lesson::new());
        assert_eq!(sightings.of(&deadlock), None);
        let found = AtomicBool::new(false);
        let ignored = Sightings::new(false, Some(&found));
        ignored.violation(At::Passing(&[1; 4]), &deadlock);
        assert_eq!((ignored.of(&deadlock), found.into_inner()), (None, true));
    }
}
