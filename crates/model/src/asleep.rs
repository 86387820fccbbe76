//! Sleep sets: processes whose steps a search need not follow, because other orders lead to the same states.
//!
//! If the steps of two processes t and u commute in a state s, two paths lead to the state in which both have
//! moved, and one of them is enough. So t *sleeps* in the state after u's step, but u does not sleep in the
//! state after t's step: of the two, the process that sleeps is the one that comes earlier in an order of
//! processes which is the same in all states. The sleep sets of Godefroid ("Partial-order methods for the
//! verification of concurrent systems", 1996) omit the same steps, and more in a search that follows each
//! path separately. But there the sleep set of a state depends on all paths to it, must be stored with the
//! state, and the state must be expanded again when it is reached with a smaller set. Here the sleep set of a
//! state follows from one step to it, any one, and is not stored.
//!
//! **No state is lost.** Assume that a search expands each state s' with the sleep set computed at some
//! step s·u = s', where s is any one state with such a step that was expanded before s'. Claim: if s' is
//! visited and t has a step in s', then s'·t is visited. If t is awake in s', the search follows the step. If
//! t sleeps in s', then t comes before u in the order, and the two steps commute in s, so s'·t = s·u·t =
//! s·t·u. By the claim for s and t, s·t is visited; then by the claim for s·t and u, s·t·u is visited. The
//! induction is well-founded: the first use has the same process t and a state that was expanded earlier; the
//! second use has the process u, which comes later in the order, and there are finitely many processes. ∎ The
//! argument does not depend on the order in which states are visited, so it holds for every search that
//! visits each state at least once, with one worker or many.
//!
//! **Distances are preserved.** The path through s·t is as long as the one through s·u. So for a
//! breadth-first search the claim can be strengthened by "at a distance of at most that of s' plus one", and
//! the shortest paths to all states keep their lengths.
//!
//! **Cycles are not preserved.** A search for infinite runs must follow every step. And a count of the steps
//! of a state must include those of sleepers ([`Batch::n_known`](crate::Batch::n_known)): a state in which
//! only sleepers have steps is not an end state.

/// The processes that sleep in a state: one bit each, by the index of the process in the state. Processes
/// after the 32nd are always awake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asleep(pub u32);

impl Asleep {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Whether the process at an index sleeps.
    #[inline]
    #[must_use]
    pub fn has(self, place: usize) -> bool {
        place < 32 && self.0 >> place & 1 != 0
    }

    /// Adds the process at an index, unless it is after the 32nd.
    #[inline]
    pub fn add(&mut self, place: usize) {
        if place < 32 {
            self.0 |= 1 << place;
        }
    }
}
