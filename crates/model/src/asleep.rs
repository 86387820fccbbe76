//! Processes whose steps need not be followed, because the same steps in another order lead to the same states.
//!
//! Where the steps of two processes t and u commute in a state s, there are two ways to the state in which both have moved. One is enough. So in the state after
//! u's step t *sleeps*, and in the one after t's step u does not: of two processes the one sleeps that comes earlier in an order of processes which is the same in
//! all states. Sleep sets (Godefroid, "Partial-order methods for the verification of concurrent systems", 1996) do the same, and more where a search goes each way by itself; but
//! then what sleeps in a state depends on all ways that lead to it, must be kept with the state, and the state expanded again when it is met with less asleep. Here what sleeps in
//! a state follows from one step, any one that leads to it, and nothing is kept.
//!
//! **No state is lost.** Say that a search visits a state s' = s·u with asleep what was told when s was expanded, for any one s that was expanded before s'. Claim: if s'
//! is visited and t can take a step there, s'·t is visited. If t is awake in s', the search follows the step. If t sleeps, then t comes before u, and the two
//! commute in s: so s'·t = s·u·t = s·t·u. The claim for s and t gives that s·t is visited, and the claim for s·t and u that s·t·u is. That is no circle: the first has the same process
//! and a state that was expanded earlier; the second has a process that comes later in the order, of which there are finitely many. ∎ The argument says nothing about how states are chosen, so
//! it holds for every search that visits a state at least once, with many workers as with one.
//!
//! **Distances stay.** The way through s·t is as long as the one through s·u. So the claim can be made for a breadth-first search with "at the distance of s' plus one at most" added, and the shortest ways to
//! all states are as long as ever.
//!
//! Cycles do not stay: a search for runs that never end must follow every step. And whoever counts the steps of a state must count those of sleepers
//! ([`Batch::n_known`](crate::Batch::n_known)): a state of sleepers alone is no end.

/// The processes that sleep in a state: bits, by the place of a process among those of the state. Processes beyond the 32nd are always awake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asleep(pub u32);

impl Asleep {
    /// Nobody sleeps.
    pub const NONE: Self = Self(0);

    /// Whether the process at a place sleeps.
    #[inline]
    #[must_use]
    pub fn has(self, place: usize) -> bool {
        place < 32 && self.0 >> place & 1 != 0
    }

    /// The process at a place sleeps, too; one beyond the 32nd does not.
    #[inline]
    pub fn add(&mut self, place: usize) {
        if place < 32 {
            self.0 |= 1 << place;
        }
    }
}
