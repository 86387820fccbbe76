//! Hash compaction: a state is its 64-bit hash, in a table that grows.
//!
//! Wolper and Leroy, "Reliable hashing without collision detection" (CAV 1993). The table is that of the
//! exact store, with the lower half of the hash in place of a state number. It is replaced while the [`Gate`]
//! is closed.
#![allow(unsafe_code, reason = "the table is replaced while the gate is closed")]

use crate::filter::Filter;
use crate::gate::{Gate, ReaderSlot};
use crate::prefetch::prefetch;
use crate::table::{Table, tag};
use crate::{Budget, Full};
use allways_model::Batch;
use rapidhash::v3::rapidhash_v3;
use std::cell::UnsafeCell;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const LOG_FIRST_BUCKETS: u32 = 6;
const SLOTS_AT_ONCE: u64 = 64;

/// A set of the hashes of states.
pub struct HashCompact {
    table: UnsafeCell<Table>,
    gate: Gate,
    /// Slots reserved by workers so far, filled or not.
    reserved: AtomicU64,
    /// The number of slots that may be reserved before the table must grow.
    limit: AtomicU64,
    bytes: AtomicU64,
    budget: Budget,
}

// SAFETY: `table` is read only by a worker that is inside the gate, and replaced only by one that has closed
// it. All other fields are `Sync`.
unsafe impl Sync for HashCompact {}

/// One worker's slot at the gate, and the number of table slots that it has reserved but not filled.
pub struct HashCompactLocal {
    reader: Arc<ReaderSlot>,
    credit: u64,
}

impl HashCompact {
    /// An empty set.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        let table = Table::new(LOG_FIRST_BUCKETS, false).expect("there is memory for a small table");
        let bytes = Table::bytes(LOG_FIRST_BUCKETS);
        let paid = budget.charge(bytes).is_ok();
        let limit = if paid { table.n_slots() as u64 / 8 * 7 } else { 0 };
        Self {
            table: UnsafeCell::new(table),
            gate: Gate::new(),
            reserved: AtomicU64::new(0),
            limit: AtomicU64::new(limit),
            bytes: AtomicU64::new(if paid { bytes } else { 0 }),
            budget: budget.clone(),
        }
    }

    fn promise(&self, want: u64) -> bool {
        let before = self.reserved.fetch_add(want, Ordering::Relaxed);
        let kept = before + want <= self.limit.load(Ordering::Relaxed);
        if !kept {
            self.reserved.fetch_sub(want, Ordering::Relaxed);
        }
        kept
    }

    #[cold]
    fn reserve(&self, credit: &mut u64, n_entries: u64) -> Result<(), Full> {
        let want = n_entries - *credit;
        loop {
            for ask in [want.max(SLOTS_AT_ONCE), want] {
                if self.promise(ask) {
                    *credit += ask;
                    return Ok(());
                }
            }
            self.grow(want)?;
        }
    }

    /// Doubles the table until it has room for `want` more. The caller is outside the gate.
    fn grow(&self, want: u64) -> Result<(), Full> {
        let _closed = self.gate.close();
        // SAFETY: the gate is closed, so no other worker uses the table.
        let table = unsafe { &mut *self.table.get() };
        while self.reserved.load(Ordering::Relaxed) + want > self.limit.load(Ordering::Relaxed) {
            let log_buckets = table.log_buckets() + 1;
            let bytes = Table::bytes(log_buckets);
            self.budget.charge(bytes)?;
            let Some(larger) = Table::new(log_buckets, false) else {
                self.budget.release(bytes);
                return Err(Full);
            };
            larger.adopt(table, 0..table.n_buckets());
            larger.adopt_strays(table, 0..table.n_buckets());
            *table = larger;
            self.budget.release(self.bytes.swap(bytes, Ordering::Relaxed));
            self.limit.store(table.n_slots() as u64 / 8 * 7, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Filter for HashCompact {
    type Local = HashCompactLocal;

    fn local(&self) -> HashCompactLocal {
        HashCompactLocal { reader: self.gate.register(), credit: 0 }
    }

    fn insert(
        &self,
        local: &mut HashCompactLocal,
        batch: &mut Batch,
        first: usize,
        new: &mut Vec<bool>,
    ) -> Result<(), Full> {
        let n_entries = (batch.len() - first) as u64;
        if local.credit < n_entries {
            self.reserve(&mut local.credit, n_entries)?;
        }
        self.gate.enter(&local.reader);
        // SAFETY: the worker is inside the gate, so the table is not replaced meanwhile.
        let table = unsafe { &*self.table.get() };
        batch.hash_with(|vector| {
            let hash = rapidhash_v3(vector);
            prefetch(table.home(tag(hash)));
            hash
        });
        for entry in &batch.entries()[first..] {
            // Zero would mean an empty slot.
            let rest = (entry.hash as u32).max(1);
            let place = table.approach(tag(entry.hash)).place;
            let make = || Ok::<_, Infallible>(rest);
            let found = table
                .insert(tag(entry.hash), place, |number| number == rest, make)
                .unwrap_or_else(|never| match never {});
            local.credit -= u64::from(found.new);
            new.push(found.new);
        }
        self.gate.leave(&local.reader);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Drop for HashCompact {
    fn drop(&mut self) {
        self.budget.release(*self.bytes.get_mut());
    }
}
