//! The data per state of a search by maximal accepting predecessors, and the handling of messages about
//! predecessors.
//!
//! All workers of one process own all states together, so a message is a call. Nothing in this file depends
//! on the caller: if states are distributed over machines, each machine can have such tables for its states,
//! and handle a message by [`Round::receive`].

use allways_store::marks::{Flags, Links};
use allways_store::{Budget, Full, StateRef};
use std::sync::Arc;

/// The state is accepting, and it is not known that it is on no cycle.
pub(crate) const ACCEPTING: u8 = 1;
/// The state is in the queue of some worker.
pub(crate) const QUEUED: u8 = 2;
/// Some worker has begun to expand the state for the first time.
pub(crate) const BEGUN: u8 = 4;
/// It has been decided how much of the state is expanded.
pub(crate) const DECIDED: u8 = 8;
/// The state is expanded as a whole.
pub(crate) const WHOLE: u8 = 16;
/// The state is at the depth limit.
pub(crate) const LAST: u8 = 32;

/// A message along an edge: the greatest accepting state known to lead to the target, and the class of the
/// source.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    pub(crate) value: StateRef,
    pub(crate) class: Option<StateRef>,
}

/// The effect of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// Nothing changed.
    Known,
    /// The state has a greater predecessor to pass on.
    Raised,
    /// The state is its own predecessor, so it is on a cycle.
    Cycle,
}

/// One iteration.
pub(crate) struct Round {
    /// The greatest accepting predecessor known of each state.
    greatest: Arc<Links>,
    /// The greatest accepting predecessors at the end of the previous iteration. They are equal for all
    /// states of one cycle, so this iteration ignores edges between states of which they differ.
    classes: Option<Arc<Links>>,
}

impl Round {
    /// The first iteration, in which all states are in one class.
    pub(crate) fn first(budget: &Budget) -> Self {
        Self { greatest: Arc::new(Links::new(budget)), classes: None }
    }

    /// The next iteration.
    pub(crate) fn next(&self, budget: &Budget) -> Self {
        Self { greatest: Arc::new(Links::new(budget)), classes: Some(self.greatest.clone()) }
    }

    /// The message that a state sends to its successors, if any.
    pub(crate) fn message(&self, flags: &Flags, state: StateRef) -> Option<Message> {
        let own = (flags.get(state) & ACCEPTING != 0).then_some(state);
        let value = self.greatest.get(state).max(own)?;
        Some(Message { value, class: self.class(state) })
    }

    /// Handles the message of a predecessor of `state`.
    pub(crate) fn receive(&self, state: StateRef, message: Message) -> Result<Received, Full> {
        if self.class(state) != message.class {
            return Ok(Received::Known);
        }
        if state == message.value {
            return Ok(Received::Cycle);
        }
        Ok(if self.greatest.raise(state, message.value)? { Received::Raised } else { Received::Known })
    }

    /// Whether, at the end of an iteration, an accepting state may still be on a cycle.
    pub(crate) fn survives(&self, state: StateRef) -> bool {
        self.greatest.get(state) > Some(state)
    }

    /// Whether `state` may be on a cycle with `value`, which was found to be its own predecessor.
    pub(crate) fn may_be_with(&self, state: StateRef, value: StateRef) -> bool {
        self.class(state) == self.class(value) && self.greatest.get(state).max(Some(state)) >= Some(value)
    }

    fn class(&self, state: StateRef) -> Option<StateRef> {
        self.classes.as_ref().and_then(|classes| classes.get(state))
    }
}
