//! What went wrong in the states of a certificate: the first violation of each kind and place.

use allways_model::Violation;
use std::collections::HashSet;

/// No more violations than this are kept; the others are counted.
const MAX_KEPT: usize = 16;

/// Violations that the certifier met.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    met: HashSet<String>,
    /// The first of each kind and place, with the number of its state.
    pub first: Vec<(Violation, u64)>,
    /// How many there are in all.
    pub n: u64,
}

impl Noted {
    /// Notes what is wrong in a state.
    #[inline]
    pub(crate) fn note(&mut self, state: u64, violations: &[Violation]) {
        if !violations.is_empty() {
            self.note_all(state, violations);
        }
    }

    #[cold]
    fn note_all(&mut self, state: u64, violations: &[Violation]) {
        for violation in violations {
            self.n += 1;
            if self.met.len() < MAX_KEPT && self.met.insert(violation.id().to_string()) {
                self.first.push((violation.clone(), state));
            }
        }
    }
}
