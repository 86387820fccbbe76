//! Profiles a search: decorators around a model and a store that count calls and time some of them.
//!
//! [`search`](crate::search) puts the decorators between a search and its model and store only if
//! [`Config::profile`](crate::Config::profile) is set, so other searches run without them. Counts are exact.
//! Times are measured on one call in [`EVERY`] and scaled, minus the time for reading the clock. Every worker
//! counts separately, and adds its counts to the sum when it ends.

use allways_model::{
    Acceptance, Asleep, Batch, Blocked, Cursor, Digest, Fault, Halt, Lesson, Lessons, Limiter, Model, Move,
    Partition, Point, Process, StepKey, Variable, Violation,
};
use allways_store::{Budget, Full, Holding, Recall, Seen, StateRef, Store, Writer};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// One call in this many is timed. A prime, so that it does not follow a pattern of the model.
const EVERY: u64 = 31;
/// A call that takes longer than this is not scaled.
const RARE: Duration = Duration::from_micros(200);

/// The profile of a search, shared by all its workers. Read it when the search is over.
#[derive(Debug)]
pub struct Profile {
    sum: Mutex<Tally>,
    /// The time for reading the clock twice.
    clock: Duration,
}

/// The sums over all workers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Calls that load states into a cursor and expand them.
    pub expand: Calls,
    /// Calls that store batches.
    pub insert: Calls,
    /// Calls that fetch states from the store.
    pub fetch: Calls,
    /// States of which only some successors were computed.
    pub n_partial: u64,
    /// The greatest number of successors of a state.
    pub most_successors: u64,
    /// Entries of all batches that were stored.
    pub n_entries: u64,
    /// The number of entries of the largest batch.
    pub largest_batch: u64,
    /// The bytes of all vectors that were expanded.
    pub vector_bytes: u64,
    /// The length of the shortest vector; `None` if there were none.
    pub shortest_vector: Option<u64>,
    /// The length of the longest vector.
    pub longest_vector: u64,
    /// The memory of the store at the end, by part.
    pub holdings: Vec<Holding>,
    /// The counters of the model's cursors.
    pub counters: Vec<(&'static str, u64)>,
}

/// Calls of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// The number of calls.
    pub n_calls: u64,
    /// The number of calls that were timed.
    pub n_timed: u64,
    /// The time of the timed calls, without the rare ones.
    pub timed: Duration,
    /// The time of timed calls that took very long, because a table grew or another program ran. They are not
    /// typical, so they are added once and not scaled.
    pub rare: Duration,
}

impl Calls {
    /// The estimated time of all calls.
    #[must_use]
    pub fn total(&self) -> Duration {
        if self.n_timed == 0 {
            return Duration::ZERO;
        }
        self.timed.mul_f64(self.n_calls as f64 / self.n_timed as f64) + self.rare
    }

    fn add(&mut self, other: &Self, clock: Duration) {
        self.n_calls += other.n_calls;
        self.n_timed += other.n_timed;
        self.timed += other.timed.saturating_sub(clock.mul_f64(other.n_timed as f64));
        self.rare += other.rare;
    }

    /// The current time, if this call is to be timed.
    #[inline]
    fn start(&mut self) -> Option<Instant> {
        let timed = self.n_calls.is_multiple_of(EVERY);
        self.n_calls += 1;
        timed.then(Instant::now)
    }

    #[inline]
    fn stop(&mut self, start: Option<Instant>) {
        if let Some(start) = start {
            let elapsed = start.elapsed();
            *(if elapsed < RARE { &mut self.timed } else { &mut self.rare }) += elapsed;
            self.n_timed += 1;
        }
    }
}

impl Tally {
    fn add(&mut self, other: &Self, clock: Duration) {
        self.expand.add(&other.expand, clock);
        self.insert.add(&other.insert, clock);
        self.fetch.add(&other.fetch, clock);
        self.n_partial += other.n_partial;
        self.most_successors = self.most_successors.max(other.most_successors);
        self.n_entries += other.n_entries;
        self.largest_batch = self.largest_batch.max(other.largest_batch);
        self.vector_bytes += other.vector_bytes;
        self.longest_vector = self.longest_vector.max(other.longest_vector);
        self.shortest_vector = self.shortest_vector.into_iter().chain(other.shortest_vector).min();
        for &(name, n) in &other.counters {
            match self.counters.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += n,
                None => self.counters.push((name, n)),
            }
        }
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::new()
    }
}

impl Profile {
    /// An empty profile.
    #[must_use]
    pub fn new() -> Self {
        let clock = (0..64).map(|_| Instant::now().elapsed()).min().unwrap_or_default();
        Self { sum: Mutex::new(Tally::default()), clock }
    }

    /// The sums, once the search is over.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.lock().clone()
    }

    /// Wraps `model`.
    pub(crate) fn model<'a>(&'a self, model: &'a dyn Model) -> WatchedModel<'a> {
        WatchedModel { model, profile: self }
    }

    /// Wraps `store`.
    pub(crate) fn store<'a, S: Store>(&'a self, store: &'a S) -> WatchedStore<'a, S> {
        WatchedStore { store, profile: self }
    }

    fn add(&self, tally: &Tally) {
        self.lock().add(tally, self.clock);
    }

    fn lock(&self) -> MutexGuard<'_, Tally> {
        self.sum.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A model whose cursors count and time what they do.
pub(crate) struct WatchedModel<'a> {
    model: &'a dyn Model,
    profile: &'a Profile,
}

impl Model for WatchedModel<'_> {
    fn digest(&self) -> Digest {
        self.model.digest()
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(WatchedCursor {
            cursor: self.model.cursor(lessons),
            profile: self.profile,
            tally: Tally::default(),
            start: None,
            n_given: 0,
            partial: false,
        })
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        self.model.processes(state)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        self.model.variables(state)
    }

    fn partition(&self) -> Partition<'_> {
        self.model.partition()
    }

    fn points(&self) -> &[Point] {
        self.model.points()
    }

    fn noticed(&self) -> Vec<String> {
        self.model.noticed()
    }

    fn acceptance(&self) -> Acceptance {
        self.model.acceptance()
    }

    fn has_sleepers(&self) -> bool {
        self.model.has_sleepers()
    }

    fn blocked(&self, state: &[u8], lessons: &Lessons) -> Vec<Blocked> {
        self.model.blocked(state, lessons)
    }
}

struct WatchedCursor<'a> {
    cursor: Box<dyn Cursor + 'a>,
    profile: &'a Profile,
    tally: Tally,
    /// The time when loading the current state began, if it is timed.
    start: Option<Instant>,
    /// The number of successors of the loaded state so far.
    n_given: u64,
    /// Whether only some successors of the loaded state have been computed.
    partial: bool,
}

impl WatchedCursor<'_> {
    /// Counts the successors of one call.
    #[inline]
    fn count(&mut self, n_more: usize) {
        self.tally.expand.stop(self.start.take());
        self.n_given += n_more as u64;
        self.tally.most_successors = self.tally.most_successors.max(self.n_given);
    }

    /// Ends the count of the loaded state.
    #[inline]
    fn leave(&mut self) {
        self.tally.n_partial += u64::from(self.partial);
        self.partial = false;
        self.n_given = 0;
    }
}

impl Cursor for WatchedCursor<'_> {
    fn limit(&mut self, limiter: &Limiter) {
        self.cursor.limit(limiter);
    }

    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.cursor.initial(out)
    }

    fn load(&mut self, state: &[u8]) {
        self.leave();
        let len = state.len() as u64;
        self.tally.vector_bytes += len;
        self.tally.longest_vector = self.tally.longest_vector.max(len);
        self.tally.shortest_vector = Some(self.tally.shortest_vector.map_or(len, |least| least.min(len)));
        self.start = self.tally.expand.start();
        self.cursor.load(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let before = out.len();
        let result = self.cursor.expand(out);
        self.count(out.len() - before);
        result
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        let before = out.len();
        let result = self.cursor.expand_some(out);
        self.count(out.len() - before);
        self.partial = matches!(result, Ok(false));
        result
    }

    fn expand_awake(&mut self, asleep: Asleep, out: &mut Batch) -> Result<(), Halt> {
        let before = out.len() as u64 + out.n_known();
        let result = self.cursor.expand_awake(asleep, out);
        self.count((out.len() as u64 + out.n_known() - before) as usize);
        result
    }

    fn lesson(&self) -> Lesson {
        self.cursor.lesson()
    }

    fn take_cut(&mut self) -> Option<Fault> {
        self.cursor.take_cut()
    }

    fn rests(&self) -> bool {
        self.cursor.rests()
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        self.cursor.explain(key)
    }

    fn accepting(&mut self) -> bool {
        self.cursor.accepting()
    }

    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        self.cursor.holds(proposition)
    }

    fn actor(&self, key: StepKey) -> Option<u32> {
        self.cursor.actor(key)
    }

    fn reached(&self) -> Vec<u64> {
        self.cursor.reached()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.cursor.counters()
    }
}

impl Drop for WatchedCursor<'_> {
    fn drop(&mut self) {
        self.leave();
        self.tally.counters = self.cursor.counters();
        self.profile.add(&self.tally);
    }
}

/// A store whose writers count and time what they do.
pub(crate) struct WatchedStore<'a, S: Store> {
    store: &'a S,
    profile: &'a Profile,
}

/// One worker's access to a [`WatchedStore`].
pub(crate) struct WatchedWriter<'s, W> {
    writer: W,
    profile: &'s Profile,
    tally: Tally,
}

impl<S: Store> Store for WatchedStore<'_, S> {
    type Writer<'s>
        = WatchedWriter<'s, S::Writer<'s>>
    where
        Self: 's;

    fn writer(&self) -> Self::Writer<'_> {
        WatchedWriter { writer: self.store.writer(), profile: self.profile, tally: Tally::default() }
    }

    fn n_states(&self) -> u64 {
        self.store.n_states()
    }

    fn bytes(&self) -> u64 {
        self.store.bytes()
    }

    fn holdings(&self) -> Vec<Holding> {
        self.store.holdings()
    }

    fn budget(&self) -> &Budget {
        self.store.budget()
    }
}

impl<S: Store> Drop for WatchedStore<'_, S> {
    fn drop(&mut self) {
        self.profile.lock().holdings = self.store.holdings();
    }
}

impl<S: Recall> Recall for WatchedStore<'_, S> {
    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        self.store.fetch(state, buffer)
    }

    fn prefetch(&self, state: StateRef) {
        self.store.prefetch(state);
    }
}

impl<W: Writer> Writer for WatchedWriter<'_, W> {
    fn open(&mut self, state: StateRef, n_entries: usize) -> &[u8] {
        let start = self.tally.fetch.start();
        let vector = self.writer.open(state, n_entries);
        self.tally.fetch.stop(start);
        vector
    }

    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full> {
        let len = batch.len() as u64;
        self.tally.n_entries += len;
        self.tally.largest_batch = self.tally.largest_batch.max(len);
        let start = self.tally.insert.start();
        let result = self.writer.insert(batch, seen);
        self.tally.insert.stop(start);
        result
    }
}

impl<W> Drop for WatchedWriter<'_, W> {
    fn drop(&mut self) {
        self.profile.add(&self.tally);
    }
}
