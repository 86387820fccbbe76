//! What runs transitions, behind the driver.

use allways_model::{Batch, Halt};

/// The set of all processes, however many there are.
pub(crate) const ALL: u64 = u64::MAX;

/// Something that computes the steps of processes: the interpreter, native code, later others.
///
/// All targets write the same vectors under the same keys in the same order. A target may leave processes, or
/// whole states, to the interpreter, which is the reference and leaves nothing. Which processes are tried,
/// and what it means if none can move, is decided by the [driver](super::driver).
pub(crate) trait Target {
    /// Moves to `state`.
    fn load(&mut self, state: &[u8]);

    /// Appends to `out` what the processes of `set` can begin in the loaded state, up to the next stored
    /// states.
    ///
    /// # Errors
    /// If the model does something that cannot be gone on from.
    fn explore(&mut self, set: u64, out: &mut Batch) -> Result<Explored, Halt>;
}

/// What came of [`Target::explore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explored {
    /// Something can happen, and all of it is in the batch.
    Done,
    /// The processes can do nothing.
    Nothing,
    /// The interpreter must explore this state; the batch is unchanged.
    Interpret,
    /// The interpreter must explore one process; what the younger ones can do is in the batch.
    Left(Left),
}

/// A process that is left to the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) pid: usize,
    /// Whether a younger process could do anything.
    pub(crate) moved: bool,
}
