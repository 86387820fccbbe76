//! What the owner of a state knows about it in a search by maximal accepting predecessors, and what it does when it is told of
//! a predecessor.
//!
//! Here all workers own all states together, and a message is a call. Nothing in this file knows who calls: where states have
//! owners on other machines, each of them has tables like these for its own, and [`Round::receive`] is what it does with a message.

use allways_store::marks::{Flags, Links};
use allways_store::{Budget, Full, StateRef};
use std::sync::Arc;

/// The state is accepting, and may be on a cycle for all that is known.
pub(crate) const ACCEPTING: u8 = 1;
/// The state is in somebody's queue.
pub(crate) const QUEUED: u8 = 2;
/// Somebody began to expand the state for the first time.
pub(crate) const BEGUN: u8 = 4;
/// It is decided how much of the state is expanded.
pub(crate) const DECIDED: u8 = 8;
/// The state is expanded as a whole.
pub(crate) const WHOLE: u8 = 16;
/// The state is as far away as a path may lead.
pub(crate) const LAST: u8 = 32;

/// What is passed along an edge: the greatest accepting state that leads to its end, and which class its start is in.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    pub(crate) value: StateRef,
    pub(crate) class: Option<StateRef>,
}

/// What a message changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// Nothing.
    Known,
    /// The state has more to pass on.
    Raised,
    /// The state is its own predecessor.
    Cycle,
}

/// One iteration.
pub(crate) struct Round {
    /// The greatest accepting predecessor of each state, as far as it is known.
    greatest: Arc<Links>,
    /// The same at the end of the iteration before. Of states on one cycle it was the same, so this one looks only at edges
    /// between states of which it was.
    classes: Option<Arc<Links>>,
}

impl Round {
    /// The first iteration: there is one class.
    pub(crate) fn first(budget: &Budget) -> Self {
        Self { greatest: Arc::new(Links::new(budget)), classes: None }
    }

    /// The iteration after this one.
    pub(crate) fn next(&self, budget: &Budget) -> Self {
        Self { greatest: Arc::new(Links::new(budget)), classes: Some(self.greatest.clone()) }
    }

    /// What a state passes on to its successors, if it has anything to pass on.
    pub(crate) fn message(&self, flags: &Flags, state: StateRef) -> Option<Message> {
        let own = (flags.get(state) & ACCEPTING != 0).then_some(state);
        let value = self.greatest.get(state).max(own)?;
        Some(Message { value, class: self.class(state) })
    }

    /// Takes what a predecessor of `state` passes on.
    pub(crate) fn receive(&self, state: StateRef, message: Message) -> Result<Received, Full> {
        if self.class(state) != message.class {
            return Ok(Received::Known);
        }
        if state == message.value {
            return Ok(Received::Cycle);
        }
        Ok(if self.greatest.raise(state, message.value)? { Received::Raised } else { Received::Known })
    }

    /// At the end of an iteration: whether an accepting state may still be on a cycle.
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
