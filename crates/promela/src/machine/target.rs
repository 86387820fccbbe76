//! The interface between the driver and what executes transitions.

use allways_model::{Batch, Halt};

/// The set of all processes, also if there are more than it has bits.
pub(crate) const ALL: u64 = u64::MAX;

/// Computes the steps of processes: the interpreter, native code, later others.
///
/// All targets write the same vectors under the same keys in the same order. A target may leave processes, or
/// whole states, to the interpreter, which is the reference and leaves nothing. The [driver](super::driver)
/// decides which processes are tried, and what it means if none can move.
pub(crate) trait StepTarget {
    /// Moves to `state`.
    fn load(&mut self, state: &[u8]);

    /// Appends to `out` the steps that the processes of `set` can begin in the loaded state, up to the next
    /// stored states.
    ///
    /// # Errors
    /// If the model does something after which the run cannot continue.
    fn explore(&mut self, set: u64, out: &mut Batch) -> Result<Explored, Halt>;
}

/// The result of [`StepTarget::explore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explored {
    /// A step is possible, and all steps are in the batch.
    Done,
    /// The processes have no step.
    Nothing,
    /// The interpreter must explore this state; the batch is unchanged.
    Interpret,
    /// The interpreter must explore one process; the steps of the younger ones are in the batch.
    Left(Left),
}

/// A process that is left to the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) pid: usize,
    /// Whether a younger process had a step.
    pub(crate) moved: bool,
}
