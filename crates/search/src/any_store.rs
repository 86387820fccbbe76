//! A store behind virtual calls.
//!
//! The default searches are compiled once for each store. A search with an observer or a profile makes
//! virtual calls for each state anyway, so it is compiled once, for [`AnyStore`]. So are the searches that
//! are not run by default.

use allways_model::Batch;
use allways_store::{Budget, Full, Holding, Recall, Seen, StateRef, Store, Writer};

/// A store that can return states.
pub(crate) struct AnyStore<'a>(&'a dyn DynRecall);

/// One worker's access to an [`AnyStore`].
pub(crate) struct AnyWriter<'s>(Box<dyn Writer + 's>);

/// The object-safe form of [`Recall`].
trait DynRecall: Sync {
    fn any_writer(&self) -> Box<dyn Writer + '_>;
    fn n_states(&self) -> u64;
    fn bytes(&self) -> u64;
    fn holdings(&self) -> Vec<Holding>;
    fn budget(&self) -> &Budget;
    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8];
    fn prefetch(&self, state: StateRef);
}

impl<S: Recall> DynRecall for S {
    fn any_writer(&self) -> Box<dyn Writer + '_> {
        Box::new(self.writer())
    }

    fn n_states(&self) -> u64 {
        Store::n_states(self)
    }

    fn bytes(&self) -> u64 {
        Store::bytes(self)
    }

    fn holdings(&self) -> Vec<Holding> {
        Store::holdings(self)
    }

    fn budget(&self) -> &Budget {
        Store::budget(self)
    }

    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        Recall::fetch(self, state, buffer)
    }

    fn prefetch(&self, state: StateRef) {
        Recall::prefetch(self, state);
    }
}

impl<'a> AnyStore<'a> {
    pub(crate) fn new<S: Recall>(store: &'a S) -> Self {
        Self(store)
    }
}

impl Store for AnyStore<'_> {
    type Writer<'s>
        = AnyWriter<'s>
    where
        Self: 's;

    fn writer(&self) -> AnyWriter<'_> {
        AnyWriter(self.0.any_writer())
    }

    fn n_states(&self) -> u64 {
        self.0.n_states()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn holdings(&self) -> Vec<Holding> {
        self.0.holdings()
    }

    fn budget(&self) -> &Budget {
        self.0.budget()
    }
}

impl Recall for AnyStore<'_> {
    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        self.0.fetch(state, buffer)
    }

    fn prefetch(&self, state: StateRef) {
        self.0.prefetch(state);
    }
}

impl Writer for AnyWriter<'_> {
    fn open(&mut self, state: StateRef, n_entries: usize) -> &[u8] {
        self.0.open(state, n_entries)
    }

    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full> {
        self.0.insert(batch, seen)
    }
}
