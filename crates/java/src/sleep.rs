//! Which threads sleep in the state after a step: those whose own step is the same before it and after it,
//! and leads to the same state in either order. `allways_model::asleep` has what comes of that, and why no
//! state is lost.
//!
//! All steps of a state are taken, those of sleepers too, because conflicts are looked for between them (see
//! `conflict`). What is saved is everything after that: writing the state down, and looking for it in the
//! store; that is most of the work.
//!
//! The steps of two threads t and u commute in a state if
//!
//! 1. nothing that one of them writes is accessed by the other. Every operation on what several threads can
//!    reach is *listed*, in view or not; so are entering and leaving monitors. Steps with other operations
//!    that others could notice, or be noticed by (starting and ending threads, waiting and waking, parking,
//!    output, the clock, initialisers of classes), commute with nothing here. So each computes the same
//!    values in either order.
//! 2. neither leaves the other one alone with an object. Where a step ends depends on what several threads
//!    can reach. A step cannot make something of another thread known to others, without reading from what
//!    that one has made known itself; but it can be the last but one to know of an object, and forget it.
//!    Then operations on it are no longer listed, and the other's step may go on where it ended before. An
//!    object that nobody else knows any more but t itself is no matter: if u accessed it or was about to, u
//!    would know it still.
//!
//! Then u's step is the same operations before t's and after it, and ends at the same place; and the state
//! after both is the same, since states do not depend on the order in which objects were made. Hence the
//! conditions under which threads sleep at all (`may_sleep`): where states do depend on that order, or on
//! garbage, nobody does; nor where properties observe writes, which ends steps in another way.

use crate::conflict::Conflicts;
use allways_model::{Asleep, Batch};
use std::ops::Range;

/// No more threads than this can be told apart.
pub(crate) const MAX_THREADS: usize = 32;

/// The steps that one thread can take in the loaded state.
struct Steps {
    /// The place of the thread. Threads are in the order of their numbers, in which they were started; a
    /// thread that starts comes last, and one that ends moves only those after it, who are awake then.
    idx: usize,
    /// Their entries in the batch.
    entries: Range<usize>,
    /// The threads that one of them leaves alone with an object.
    left_alone: u32,
}

/// The steps of a state that commute with some others.
#[derive(Default)]
pub(crate) struct Sleep {
    steps: Vec<Steps>,
}

impl Sleep {
    /// A new state.
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }

    /// All operations of the steps of the thread at `idx` are listed.
    pub(crate) fn note(&mut self, idx: usize, entries: Range<usize>, left_alone: u32) {
        self.steps.push(Steps { idx, entries, left_alone });
    }

    /// Says of each successor who sleeps in it.
    pub(crate) fn tell(&self, conflicts: &Conflicts, out: &mut Batch) {
        for (at, later) in self.steps.iter().enumerate() {
            if later.entries.is_empty() {
                continue;
            }
            let mut asleep = Asleep::NONE;
            for earlier in &self.steps[..at] {
                let is_left = later.left_alone >> earlier.idx & 1 | earlier.left_alone >> later.idx & 1;
                if is_left == 0 && !conflicts.collide(earlier.idx, later.idx) {
                    asleep.add(earlier.idx);
                }
            }
            if asleep != Asleep::NONE {
                for entry in later.entries.clone() {
                    out.put_to_sleep(entry, asleep);
                }
            }
        }
    }
}
