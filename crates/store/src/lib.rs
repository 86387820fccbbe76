//! Stores: concurrent sets of the states that a search has seen.
//!
//! A [`Store`] is a set of vectors shared by all workers of a search. Each worker writes through its own
//! [`Writer`], a whole [`Batch`] at a time, so that the memory accesses of its entries overlap; the result is
//! a [`Seen`] for every entry. A [`StateRef`] names a stored state by a small number, dense enough to index
//! the side tables of [`marks`]. What a search remembers about a state is in those tables, never inside the
//! vector.
//!
//! Invariants:
//! - Of all insertions of equal vectors, by any writers, exactly one reports `new`.
//! - A stored vector never moves and never changes; a reference to it is valid as long as the store.
//! - All memory is charged to one [`Budget`]; running out returns [`Full`] and never aborts.
//!
//! A [`Cache`] does not implement `Store`, because it may forget states. It serves one worker, which pins the
//! states that it needs.
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
pub use hashcompact::{HashCompact, HashCompactLocal};
pub use plan::Samples;
pub use policy::Policy;
pub use tree::{Tree, TreeWriter};

use allways_model::Batch;
use std::num::NonZeroU32;

/// The number of a state in one store. Numbers are assigned nearly densely, from a small one upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateRef(NonZeroU32);

impl StateRef {
    /// The index of this state in side tables.
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

/// The result of inserting one entry of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The stored state that equals the entry.
    pub state: StateRef,
    /// Whether this insertion added it.
    pub new: bool,
}

/// One part of a store's memory, for the report of memory use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holding {
    /// Its name in the report.
    pub name: &'static str,
    /// Its size in bytes.
    pub bytes: u64,
    /// If it is a table, the share of slots in use, from zero to one.
    pub fill: Option<f64>,
}

/// A set of states, shared by all workers of a search.
pub trait Store: Sync {
    /// The writer type: one worker's access to the store.
    type Writer<'s>: Writer
    where
        Self: 's;

    /// Makes a writer for one worker.
    fn writer(&self) -> Self::Writer<'_>;

    /// The number of distinct states stored; it may lag behind while writers are active.
    fn n_states(&self) -> u64;

    /// The bytes that the store itself occupies.
    fn bytes(&self) -> u64;

    /// The parts that [`Store::bytes`] is the sum of.
    fn holdings(&self) -> Vec<Holding> {
        vec![Holding { name: "states", bytes: self.bytes(), fill: None }]
    }

    /// The account that this store charges its memory to.
    fn budget(&self) -> &Budget;
}

/// One worker's access to a [`Store`].
pub trait Writer {
    /// Returns the vector of a stored state that is about to be expanded. The entries that the caller appends
    /// to the batch from index `n_entries` on, until the next call or the next insertion, are successors of
    /// this state; the store may look up only the parts in which they differ from it.
    fn open(&mut self, state: StateRef, n_entries: usize) -> &[u8];

    /// Hashes all entries of `batch`, then inserts them in order, and replaces the contents of `seen` by one
    /// result per entry.
    ///
    /// # Errors
    /// [`Full`] if there is no memory left; `seen` then holds the results for the entries before the one that
    /// failed.
    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full>;
}

/// A store that can return the vector of a stored state.
pub trait Recall: Store {
    /// The vector of a state of this store. The store may assemble it in `buffer`.
    ///
    /// # Panics
    /// May panic, or return an unrelated vector, if `state` comes from another store.
    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8];

    /// Prefetches the vector of `state` for a `fetch` that follows soon.
    fn prefetch(&self, state: StateRef);
}
