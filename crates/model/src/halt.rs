//! The reasons why an expansion ends early.

use crate::{Fault, Lesson};

/// The reason why an expansion ended before all successors were appended.
#[derive(Clone, Debug)]
pub enum Halt {
    /// The model reached something that the tool does not support.
    Unsupported(Fault),
    /// The cursor has learnt something that changes the steps of states that were expanded before. The search
    /// must be repeated with cursors that know it.
    Refine(Lesson),
    /// The search is stopping: see [`Limiter`](crate::Limiter). The batch is valid but incomplete.
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
    /// The fault, for a caller that expands single states and does not repeat searches. Such a caller may
    /// ignore a lesson, because the successors that it was given exist.
    #[must_use]
    pub fn into_fault(self) -> Option<Fault> {
        match self {
            Self::Unsupported(fault) => Some(fault),
            Self::Refine(_) | Self::Stopped | Self::Full | Self::Enough => None,
        }
    }
}
