//! Looking on while a search runs.

use allways_model::StepKey;
use allways_store::StateRef;
use std::ops::ControlFlow;

/// Sees what a search does, from all its workers at once. `Break` ends the search as
/// [`Limit::Observer`](crate::Limit::Observer).
///
/// Every visited state is opened once and closed once, unless the search ends between; its edges come between
/// the two, each once, when the state is expanded. The unit type observes nothing and costs nothing.
pub trait Observer: Sync {
    /// A state is about to be expanded.
    #[inline(always)]
    fn open(&self, _state: StateRef, _vector: &[u8]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// There is a step from one state to another; `new` if no edge seen before leads there.
    #[inline(always)]
    fn edge(&self, _from: StateRef, _step: StepKey, _to: StateRef, _new: bool) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A state is done with. A depth-first search by one worker has by then visited all that lies behind it.
    #[inline(always)]
    fn close(&self, _state: StateRef) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Observer for () {}
