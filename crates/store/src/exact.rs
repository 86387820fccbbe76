//! The exact store: every vector is kept whole, so a new state is never taken for a seen one.
//!
//! A [`Table`] maps tags to the numbers of rows in an [`Arena`]. Writers insert through shared references.
//! Before it inserts a batch, a writer reserves as many slots as the batch has entries. If the table has too
//! few left, the writer closes the [`Gate`], which waits until no writer is inside, and replaces the table by
//! a larger one. A writer enters the gate once per batch; a store made for one worker does not use the gate.
#![allow(unsafe_code, reason = "the table is replaced while the gate is closed")]

use crate::arena::{Arena, OpenRuns, PREFETCHED, same_bytes};
use crate::gate::{Closed, Gate, ReaderSlot};
use crate::prefetch::prefetch;
use crate::table::{MAX_GROWTH, Table, TableEntry, TablePosition, tag};
use crate::{Budget, Full, Holding, Recall, Seen, StateRef, Store, Writer};
use allways_model::Batch;
use rapidhash::v3::rapidhash_v3;
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Tiny models are checked in microseconds: the first table is one page.
const LOG_FIRST_BUCKETS: u32 = 6;
/// Tables up to this size grow by the largest factor; the next size is a huge page.
const LOG_SMALL: u32 = 12;
/// The number of slots that a writer reserves at once, if its batch does not need more.
const SLOTS_AT_ONCE: u64 = 64;
/// Tables of at least this many buckets are copied by several threads.
const PARALLEL_COPY: usize = 1 << 16;

/// A lossless, concurrent set of vectors.
pub struct Exact {
    table: UnsafeCell<Table>,
    arena: Arena,
    gate: Gate,
    /// Slots reserved by writers so far, filled or not.
    reserved: AtomicU64,
    /// The number of slots that may be reserved before the table must grow.
    limit: AtomicU64,
    table_bytes: AtomicU64,
    budget: Budget,
    /// Whether the store is for one writer at a time. `occupied` says whether that writer exists.
    sole: bool,
    occupied: AtomicBool,
}

// SAFETY: `table` is read only by a writer that is inside the gate, or is the sole one; it is replaced only
// by a writer that has closed the gate, or is the sole one. All other fields are `Sync`.
unsafe impl Sync for Exact {}

/// One worker's access to an [`Exact`] store.
pub struct ExactWriter<'s> {
    store: &'s Exact,
    reader: Arc<ReaderSlot>,
    open_runs: OpenRuns,
    /// For each entry of the current batch: how far its search gets without comparing states.
    candidates: Vec<Candidate<'s>>,
    /// Slots reserved but not filled.
    credit: u64,
}

/// The state that an entry may equal, and where the search continues if it does not.
struct Candidate<'s> {
    place: TablePosition,
    /// Zero if there is no such state.
    number: u32,
    row: &'s [u8],
}

/// The number of entries at which a table grows: probing stays within a bucket or two.
fn comfortable(table: &Table) -> u64 {
    table.n_slots() as u64 / 4 * 3
}

/// The number of entries beyond which probing would take too long, even if memory is short.
fn utmost(table: &Table) -> u64 {
    table.n_slots() as u64 / 16 * 15
}

impl Exact {
    /// An empty store that charges `budget`, for up to `workers` concurrent writers.
    ///
    /// # Panics
    /// If there is no worker.
    #[must_use]
    pub fn new(budget: &Budget, workers: usize) -> Self {
        assert!(workers > 0, "a store is for at least one worker");
        let sole = workers == 1;
        let table = Table::new(LOG_FIRST_BUCKETS, sole).expect("there is memory for a small table");
        // If there is no room even for this page, the first insertion returns `Full`.
        let bytes = Table::bytes(LOG_FIRST_BUCKETS);
        let (limit, bytes) = if budget.charge(bytes).is_ok() { (comfortable(&table), bytes) } else { (0, 0) };
        Self {
            table: UnsafeCell::new(table),
            arena: Arena::new(budget.clone()),
            gate: Gate::new(),
            reserved: AtomicU64::new(0),
            limit: AtomicU64::new(limit),
            table_bytes: AtomicU64::new(bytes),
            budget: budget.clone(),
            sole,
            occupied: AtomicBool::new(false),
        }
    }

    /// Reserves `want` slots if the table has them.
    fn promise(&self, want: u64) -> bool {
        let before = self.reserved.fetch_add(want, Ordering::Relaxed);
        let kept = before + want <= self.limit.load(Ordering::Relaxed);
        if !kept {
            self.reserved.fetch_sub(want, Ordering::Relaxed);
        }
        kept
    }

    /// Grows the table until it has room for `want` more entries. The caller is outside the gate.
    #[cold]
    fn grow(&self, want: u64) -> Result<(), Full> {
        let closed = self.gate.close();
        // SAFETY: the gate is closed, or the calling writer is the sole one, so no other writer uses the
        // table.
        let table = unsafe { &mut *self.table.get() };
        while self.reserved.load(Ordering::Relaxed) + want > self.limit.load(Ordering::Relaxed) {
            match self.enlarge(table, &closed) {
                Ok(()) => self.limit.store(comfortable(table), Ordering::Relaxed),
                // Memory is short: fill the present table further, if it was charged.
                Err(Full) if (1..utmost(table)).contains(&self.limit.load(Ordering::Relaxed)) => {
                    self.limit.store(utmost(table), Ordering::Relaxed);
                }
                Err(Full) => return Err(Full),
            }
        }
        Ok(())
    }

    /// Replaces the table by a larger one. A small table grows by a large factor; otherwise growing would
    /// take longer than filling.
    fn enlarge(&self, table: &mut Table, closed: &Closed<'_>) -> Result<(), Full> {
        let log_growth = if table.log_buckets() <= LOG_SMALL { MAX_GROWTH.ilog2() } else { 1 };
        let larger = self.allocate(table.log_buckets() + log_growth);
        let larger = larger.or_else(|Full| self.allocate(table.log_buckets() + 1))?;
        copy(table, &larger, closed.n_workers());
        let bytes = Table::bytes(larger.log_buckets());
        *table = larger;
        self.budget.release(self.table_bytes.swap(bytes, Ordering::Relaxed));
        Ok(())
    }

    fn allocate(&self, log_buckets: u32) -> Result<Table, Full> {
        let bytes = Table::bytes(log_buckets);
        self.budget.charge(bytes)?;
        Table::new(log_buckets, self.sole).ok_or_else(|| {
            self.budget.release(bytes);
            Full
        })
    }
}

/// Copies all entries. With several workers, it uses as many threads: the workers are waiting at the gate, so
/// their processors are free.
fn copy(old: &Table, new: &Table, n_workers: usize) {
    let n_buckets = old.n_buckets();
    if n_workers == 1 || n_buckets < PARALLEL_COPY {
        new.adopt(old, 0..n_buckets);
        return new.adopt_strays(old, 0..n_buckets);
    }
    let share = n_buckets.div_ceil(n_workers);
    for adopt in [Table::adopt, Table::adopt_strays] {
        std::thread::scope(|scope| {
            for start in (0..n_buckets).step_by(share) {
                scope.spawn(move || adopt(new, old, start..(start + share).min(n_buckets)));
            }
        });
    }
}

impl Store for Exact {
    type Writer<'s> = ExactWriter<'s>;

    /// # Panics
    /// If the store was made for one worker and another writer is still there.
    fn writer(&self) -> ExactWriter<'_> {
        let occupied = self.occupied.swap(true, Ordering::Acquire);
        assert!(!(self.sole && occupied), "this store is for one writer at a time");
        ExactWriter {
            store: self,
            reader: self.gate.register(),
            open_runs: OpenRuns::default(),
            candidates: Vec::new(),
            credit: 0,
        }
    }

    fn n_states(&self) -> u64 {
        self.gate.n_states()
    }

    fn bytes(&self) -> u64 {
        self.table_bytes.load(Ordering::Relaxed) + self.arena.bytes()
    }

    fn holdings(&self) -> Vec<Holding> {
        let bytes = self.table_bytes.load(Ordering::Relaxed);
        let n_slots = bytes / size_of::<u64>() as u64;
        let fill = Some(self.n_states() as f64 / n_slots.max(1) as f64);
        let table = Holding { name: "table", bytes, fill };
        vec![table, Holding { name: "vectors", bytes: self.arena.bytes(), fill: None }]
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Drop for Exact {
    fn drop(&mut self) {
        self.budget.release(*self.table_bytes.get_mut());
    }
}

impl Recall for Exact {
    #[inline]
    fn fetch<'a>(&'a self, state: StateRef, _: &'a mut Vec<u8>) -> &'a [u8] {
        self.arena.row(state.raw())
    }

    #[inline]
    fn prefetch(&self, state: StateRef) {
        prefetch(self.arena.address(state.raw()));
    }
}

/// A writer's presence inside the gate. Leaves the gate when dropped, also during a panic.
struct GatePass<'a> {
    store: &'a Exact,
    reader: &'a ReaderSlot,
}

impl<'a> GatePass<'a> {
    #[inline]
    fn new(store: &'a Exact, reader: &'a ReaderSlot) -> Self {
        if !store.sole {
            store.gate.enter(reader);
        }
        Self { store, reader }
    }

    #[inline]
    fn table(&self) -> &Table {
        // SAFETY: a writer is inside the gate, or is the sole one, so the table is not replaced meanwhile.
        unsafe { &*self.store.table.get() }
    }
}

impl Drop for GatePass<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.store.sole {
            self.store.gate.leave(self.reader);
        }
    }
}

impl ExactWriter<'_> {
    #[cold]
    fn reserve(&mut self, n_entries: u64) -> Result<(), Full> {
        let want = n_entries - self.credit;
        loop {
            // Reserve more than needed if possible, so that not every batch writes to the shared counter.
            for ask in [want.max(SLOTS_AT_ONCE), want] {
                if self.store.promise(ask) {
                    self.credit += ask;
                    return Ok(());
                }
            }
            self.store.grow(want)?;
        }
    }
}

impl Writer for ExactWriter<'_> {
    #[inline]
    fn open(&mut self, state: StateRef, _: usize) -> &[u8] {
        self.store.arena.row(state.raw())
    }

    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full> {
        seen.clear();
        if self.credit < batch.len() as u64 {
            self.reserve(batch.len() as u64)?;
        }
        let Self { store, reader, open_runs, candidates, credit } = self;
        let pass = GatePass::new(store, reader);
        let (table, arena) = (pass.table(), &store.arena);
        batch.hash_with(|vector| {
            let hash = rapidhash_v3(vector);
            prefetch(table.home(tag(hash)));
            hash
        });
        candidates.clear();
        candidates.extend(batch.entries().iter().map(|entry| {
            let approach = table.approach(tag(entry.hash));
            let row = arena.row_if_any(approach.number);
            // A row that equals the entry has the same length.
            let asked = entry.len().min(PREFETCHED);
            for offset in (0..asked).step_by(64) {
                prefetch(row.as_ptr().wrapping_add(offset));
            }
            prefetch(row.as_ptr().wrapping_add(asked.saturating_sub(1)));
            Candidate { place: approach.place, number: approach.number, row }
        }));
        let before = *credit;
        let mut result = Ok(());
        for (idx, candidate) in candidates.iter().enumerate() {
            let vector = batch.vector(idx);
            let found = if candidate.number != 0 && same_bytes(candidate.row, vector) {
                TableEntry { number: candidate.number, new: false }
            } else {
                let same = |number| same_bytes(arena.row(number), vector);
                let make = || arena.stage(open_runs, vector);
                match table.insert(tag(batch.entries()[idx].hash), candidate.place, same, make) {
                    Ok(found) => found,
                    Err(full) => {
                        result = Err(full);
                        break;
                    }
                }
            };
            if found.new {
                arena.commit(open_runs, vector.len());
                *credit -= 1;
            }
            let state = StateRef::from_raw(found.number).expect("no number is zero");
            seen.push(Seen { state, new: found.new });
        }
        reader.count(before - *credit);
        result
    }
}

impl Drop for ExactWriter<'_> {
    fn drop(&mut self) {
        self.store.occupied.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn insert(table: &Table, tag: u32, number: u32) -> TableEntry {
        let make = || Ok::<_, Infallible>(number);
        table
            .insert(tag, table.approach(tag).place, |other| other == number, make)
            .unwrap_or_else(|never| match never {})
    }

    #[test]
    fn a_larger_table_has_all_of_the_smaller() {
        let old = Table::new(5, true).unwrap();
        // So full that many entries are not in their home buckets.
        let n_entries = utmost(&old) as u32;
        let tag = |number: u32| number.wrapping_mul(0x9e37_79b9) ^ ((number % 3) << 30);
        for number in 1..=n_entries {
            assert!(insert(&old, tag(number), number).new);
        }
        for log_growth in 1..=MAX_GROWTH.ilog2() {
            let larger = Table::new(5 + log_growth, true).unwrap();
            copy(&old, &larger, 1);
            for number in 1..=n_entries {
                assert_eq!(insert(&larger, tag(number), number), TableEntry { number, new: false });
            }
        }
    }
}
