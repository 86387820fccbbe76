//! What can be wrong with a program under check.

use crate::{Location, StepKey};
use std::borrow::Cow;

/// The kind of a violation, in the words of every front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViolationKind {
    /// Nothing can happen, and some process is not where it may end.
    Deadlock,
    /// A condition that the program itself asserts is false.
    Assertion,
    /// A condition that must hold in every state, and is not the program's own, is false.
    Invariant,
    /// The program did something its language gives no meaning to: a bad index, a division by zero, ...
    RuntimeError,
    /// An exception that nobody catches ends a thread.
    Exception,
    /// Two threads access something at once, one of them writes, and nothing orders them.
    Race,
    /// What happened on the channels is not what an event trace allows.
    EventTrace,
    /// A never claim came to its end: the run did what it describes.
    Claim,
    /// A run that never ends is in accepting states again and again.
    AcceptanceCycle,
}

impl ViolationKind {
    /// The name used in JSON and in trace files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Assertion => "assertion",
            Self::Invariant => "invariant",
            Self::RuntimeError => "runtime-error",
            Self::Exception => "exception",
            Self::Race => "race",
            Self::EventTrace => "event-trace",
            Self::Claim => "claim",
            Self::AcceptanceCycle => "acceptance-cycle",
        }
    }
}

/// Something wrong, found while expanding one state.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What kind of thing it is.
    pub kind: ViolationKind,
    /// The step during which it happened; `None` if the state itself is wrong.
    pub key: Option<StepKey>,
    /// One line for people.
    pub message: Cow<'static, str>,
    /// Where in the source, if there is one place.
    pub location: Option<Location>,
}

/// The model did something that the tool cannot go on from. It ends a run with the verdict `unsupported`.
#[derive(Clone, Debug)]
pub struct Fault {
    /// One line for people: what is not supported.
    pub message: String,
    /// Where in the source.
    pub location: Option<Location>,
}
