//! Where the states that a search has seen are kept.
//!
//! A [`Store`] is a set of vectors shared by all workers of a search. Each worker writes through its own
//! [`Writer`], a whole [`Batch`] at a time, so that the memory accesses of its entries overlap; the answer is a
//! [`Seen`] for every entry. A [`StateRef`] names a stored state by a small number, dense enough to index the
//! side tables of [`marks`]: whatever a search remembers about a state lives there, never inside the vector.
//!
//! Invariants:
//! - Of all insertions of equal vectors, by whichever writers, exactly one is answered `new`.
//! - A stored vector never moves and never changes; a reference to it is good as long as the store.
//! - All memory is charged to one [`Budget`]; running out is the answer [`Full`], never an abort.
//!
//! A [`Cache`] is no `Store`: it forgets states, and says so. It is for one worker, which pins what it needs.
//!
//! This is the only crate of the engine that may hold unsafe code.

mod arena;
mod bitstate;
mod budget;
mod cache;
mod chunks;
mod collapse;
mod distinct;
mod exact;
mod filter;
mod gate;
mod hashcompact;
mod index;
pub mod marks;
mod memory;
mod pairs;
mod plan;
mod policy;
mod prefetch;
mod rows;
mod scan;
mod shape;
mod sync;
mod table;
mod tree;

pub use bitstate::Bitstate;
pub use budget::{Budget, Full};
pub use cache::{Cache, CacheCounts, Held, Met, Phase};
pub use collapse::{Collapse, CollapseWriter};
pub use exact::{Exact, ExactWriter};
pub use filter::{Filter, bitstate_omission, hashcompact_omission};
pub use hashcompact::{HashCompact, HashCompactHand};
pub use plan::Samples;
pub use policy::Policy;
pub use tree::{Tree, TreeWriter};

use allways_model::Batch;
use std::num::NonZeroU32;

/// Names a state of one store. References are handed out nearly densely, from a small number upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateRef(NonZeroU32);

impl StateRef {
    /// The position of this state in side tables.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0.get() as usize
    }

    #[inline]
    fn raw(self) -> u32 {
        self.0.get()
    }

    #[inline]
    fn from_raw(raw: u32) -> Option<Self> {
        NonZeroU32::new(raw).map(Self)
    }
}

/// What a store says about one entry of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The state that the entry is.
    pub state: StateRef,
    /// Whether this insertion put it there.
    pub new: bool,
}

/// A part of a store's memory, for people who ask where it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holding {
    /// What it is.
    pub name: &'static str,
    /// How large it is.
    pub bytes: u64,
    /// How full it is, from zero to one, if it is a table.
    pub fill: Option<f64>,
}

/// A set of states, shared by all workers of a search.
pub trait Store: Sync {
    /// One worker's way into the store.
    type Writer<'s>: Writer
    where
        Self: 's;

    /// A way into the store for one worker.
    fn writer(&self) -> Self::Writer<'_>;

    /// How many distinct states are stored; a moment old while writers are at work.
    fn n_states(&self) -> u64;

    /// The bytes that the store itself occupies.
    fn bytes(&self) -> u64;

    /// What [`Store::bytes`] is made of.
    fn holdings(&self) -> Vec<Holding> {
        vec![Holding { name: "states", bytes: self.bytes(), fill: None }]
    }

    /// The account that this store charges its memory to.
    fn budget(&self) -> &Budget;
}

/// One worker's way into a [`Store`].
pub trait Writer {
    /// The vector of a stored state that is about to be expanded. What is appended to the batch from its entry
    /// `n_entries` on, until the next call or the next insertion, are successors of this state: a store may look up
    /// only what differs.
    fn open(&mut self, state: StateRef, n_entries: usize) -> &[u8];

    /// Hashes all entries of `batch`, then inserts them in order, and replaces the contents of `seen` by one
    /// answer per entry.
    ///
    /// # Errors
    /// [`Full`] if there is no memory left; `seen` then holds the answers for the entries before.
    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full>;
}

/// A store that can give states back.
pub trait Recall: Store {
    /// The vector of a state that this store has named; it may be put together in `buffer`.
    ///
    /// # Panics
    /// It may panic, or give some other vector, if `state` comes from another store.
    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8];

    /// Starts to bring the vector of `state` closer, for a fetch that will follow soon.
    fn prefetch(&self, state: StateRef);
}
