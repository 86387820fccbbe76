//! What ends an expansion besides success.

use crate::{Fault, Lesson};

/// Why a cursor cannot go on, or a search must begin again.
#[derive(Clone, Debug)]
pub enum Halt {
    /// The model did something that the tool does not support.
    Unsupported(Fault),
    /// The cursor has learnt something that changes the steps of states that were expanded before. The search
    /// must be repeated with cursors that know it.
    Refine(Lesson),
    /// The search is to stop, which it knows itself: see [`Limiter`](crate::Limiter). What is in the batch is
    /// valid, but not everything.
    Stopped,
    /// The successors of this one state need more memory than there is.
    Full,
    /// This one state has more successors than the search may visit states.
    Enough,
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Unsupported(fault)
    }
}

impl Halt {
    /// The fault, for a caller that expands single states and repeats no search. To such a caller a lesson is
    /// as good as none: the successors that it was given are there.
    #[must_use]
    pub fn into_fault(self) -> Option<Fault> {
        match self {
            Self::Unsupported(fault) => Some(fault),
            Self::Refine(_) | Self::Stopped | Self::Full | Self::Enough => None,
        }
    }
}
