//! A set of numbered pairs of numbers, each with a class: an [`Index`] into [`Rows`].
//!
//! A tree store consists of two such sets. The index is small only if it is nearly full, so it grows by about
//! a quarter at a time, and is rebuilt from the rows. A caller must reserve a slot ([`Pairs::reserve`])
//! before it inserts, and must have exclusive access to rebuild the index ([`Pairs::grow`]).
#![allow(unsafe_code, reason = "the index is replaced when nobody uses it")]

use crate::index::{Approach, Index, IndexEntry, SLOTS};
use crate::memory::rounded;
use crate::prefetch::prefetch;
use crate::rows::{OpenRuns, Pair, ROWS, Refusal, Rows};
use crate::{Budget, Full, Holding};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Tiny models are checked in microseconds: the first index is half a page.
const FIRST_LINES: usize = 32;
const LINE_BYTES: usize = 64;
/// An index grows by one part in `GROWTH`.
const GROWTH: usize = 4;
/// With at least this many units, several threads rebuild an index.
const PARALLEL_UNITS: u32 = (1 << 18) / ROWS;
/// The number of rows read ahead of the slots that are filled, so that prefetches take effect.
const AHEAD: usize = 16;

/// A set of numbered pairs.
pub(crate) struct Pairs {
    index: UnsafeCell<Index>,
    rows: Rows,
    /// Slots reserved so far, filled or not.
    reserved: AtomicU64,
    /// The number of slots that may be reserved before the index must grow.
    limit: AtomicU64,
    /// The number of bits that numbers may have before the index must be rebuilt.
    number_bits: AtomicU32,
    index_bytes: AtomicU64,
    budget: Budget,
}

// SAFETY: the index is replaced only by `Pairs::grow`, whose caller guarantees exclusive access to it. All
// other fields are `Sync`.
unsafe impl Sync for Pairs {}

/// A hash of a pair and its class: a folded 128-bit product, so that every bit depends on all bits of both.
#[inline(always)]
fn hash_of(pair: Pair, class: u32) -> u64 {
    let seed = 0x2d35_8dcc_aa6c_78a5 ^ u64::from(class).wrapping_mul(0x8bb8_4b93_962e_acc9);
    let product = u128::from(pair ^ 0x4b33_a62e_d433_d4a3) * u128::from(seed);
    product as u64 ^ (product >> 64) as u64
}

/// The number of entries at which an index grows: probing stays within a line or two.
fn comfortable(n_lines: usize) -> u64 {
    (n_lines * SLOTS / 8 * 7) as u64
}

/// The number of entries beyond which probing would take too long, even if memory is short.
fn utmost(n_lines: usize) -> u64 {
    (n_lines * SLOTS / 32 * 31) as u64
}

impl Pairs {
    /// The empty set.
    pub(crate) fn new(budget: &Budget) -> Self {
        let number_bits = bits_for(FIRST_LINES, 0);
        let index = Index::new(FIRST_LINES, number_bits).expect("there is memory for a small index");
        // If there is no room even for this, the first insertion returns `Full`.
        let bytes = (FIRST_LINES * LINE_BYTES) as u64;
        let (limit, bytes) =
            if budget.charge(bytes).is_ok() { (comfortable(FIRST_LINES), bytes) } else { (0, 0) };
        let rows = Rows::new(budget.clone());
        rows.allow_bits(number_bits);
        Self {
            index: UnsafeCell::new(index),
            rows,
            reserved: AtomicU64::new(0),
            limit: AtomicU64::new(limit),
            number_bits: AtomicU32::new(number_bits),
            index_bytes: AtomicU64::new(bytes),
            budget: budget.clone(),
        }
    }

    /// The bytes of index and rows.
    pub(crate) fn bytes(&self) -> u64 {
        self.index_bytes.load(Ordering::Relaxed) + self.rows.bytes()
    }

    /// The bytes of the index, and how full it is.
    pub(crate) fn index_holding(&self, name: &'static str) -> Holding {
        let bytes = self.index_bytes.load(Ordering::Relaxed);
        let n_slots = bytes / LINE_BYTES as u64 * SLOTS as u64;
        let fill = self.reserved.load(Ordering::Relaxed) as f64 / n_slots.max(1) as f64;
        Holding { name, bytes, fill: Some(fill) }
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Reserves `want` slots if the index has them.
    pub(crate) fn reserve(&self, want: u64) -> bool {
        let before = self.reserved.fetch_add(want, Ordering::Relaxed);
        let kept = before + want <= self.limit.load(Ordering::Relaxed);
        if !kept {
            self.reserved.fetch_sub(want, Ordering::Relaxed);
        }
        kept
    }

    /// Grows or rebuilds the index until it has room for `want` more entries and for more numbers.
    ///
    /// # Safety
    /// No other thread may use the index: all calls except [`Pairs::reserve`], [`Pairs::rows`] and
    /// [`Pairs::bytes`], and all uses of a result of [`Pairs::inside`], must happen before or after this
    /// call.
    pub(crate) unsafe fn grow(&self, want: u64, n_threads: usize) -> Result<(), Full> {
        // SAFETY: the caller guarantees exclusive access to the index.
        let index = unsafe { &mut *self.index.get() };
        let n_lines = index.n_lines();
        let needed = self.reserved.load(Ordering::Relaxed) + want;
        let bits = bits_for(n_lines, self.rows.n_units());
        if needed <= self.limit.load(Ordering::Relaxed) {
            // Another thread has made room meanwhile, but numbers may need more bits than the index has for
            // them.
            if bits > self.number_bits.load(Ordering::Relaxed) {
                return self.renew(index, n_lines, n_threads);
            }
            return Ok(());
        }
        let least = (needed as usize * 8).div_ceil(7 * SLOTS) + 1;
        for lines in [least.max(n_lines + n_lines / GROWTH), least.max(n_lines + n_lines / (4 * GROWTH))] {
            // Use whole huge pages to their end.
            let lines = rounded(lines * LINE_BYTES) / LINE_BYTES;
            match self.renew(index, lines, n_threads) {
                Ok(()) => {
                    self.limit.store(comfortable(lines), Ordering::Relaxed);
                    return Ok(());
                }
                Err(Full) => continue,
            }
        }
        // Memory is short: fill the present index further, if it was charged.
        if self.limit.load(Ordering::Relaxed) > 0 && needed <= utmost(n_lines) {
            self.limit.store(utmost(n_lines), Ordering::Relaxed);
            return Ok(());
        }
        Err(Full)
    }

    /// Replaces the index by one of `n_lines` lines.
    fn renew(&self, index: &mut Index, n_lines: usize, n_threads: usize) -> Result<(), Full> {
        let n_lines_before = index.n_lines();
        let bytes = (n_lines * LINE_BYTES) as u64;
        let bytes_before = self.index_bytes.load(Ordering::Relaxed);
        self.budget.charge(bytes.saturating_sub(bytes_before))?;
        let number_bits = bits_for(n_lines, self.rows.n_units());
        // Free the old index before the new one is allocated, so that they are never in memory together.
        *index = Index::new(1, number_bits).expect("there is memory for a small index");
        let result = match Index::new(n_lines, number_bits) {
            Some(larger) => {
                *index = larger;
                self.index_bytes.store(bytes, Ordering::Relaxed);
                Ok(())
            }
            None => {
                self.budget.release(bytes.saturating_sub(bytes_before));
                *index = Index::new(n_lines_before, number_bits).expect("memory just given back is there");
                Err(Full)
            }
        };
        self.number_bits.store(number_bits, Ordering::Relaxed);
        self.fill(index, n_threads);
        self.rows.allow_bits(number_bits);
        result
    }

    /// Puts all rows into an empty index. The workers are waiting at the gate, so their processors are free
    /// for `n_threads` threads.
    fn fill(&self, index: &Index, n_threads: usize) {
        let n_units = self.rows.n_units();
        if n_threads == 1 || n_units < PARALLEL_UNITS {
            return self.put_units(index, 1..n_units);
        }
        let share = n_units.div_ceil(n_threads as u32);
        std::thread::scope(|scope| {
            for start in (1..n_units).step_by(share as usize) {
                scope.spawn(move || self.put_units(index, start..(start + share).min(n_units)));
            }
        });
    }

    fn put_units(&self, index: &Index, units: std::ops::Range<u32>) {
        let mut ring = [(0, 0); AHEAD];
        let mut turn = 0;
        self.rows.for_each(units, |number, pair, class| {
            let hash = hash_of(pair, class);
            prefetch(index.home(hash));
            let (hash, number) = std::mem::replace(&mut ring[turn % AHEAD], (hash, number));
            if number != 0 {
                index.put(hash, number);
            }
            turn += 1;
        });
        for (hash, number) in ring {
            if number != 0 {
                index.put(hash, number);
            }
        }
    }

    /// Access to the set for lookups and insertions.
    ///
    /// # Safety
    /// No thread may call [`Pairs::grow`] while the result is in use.
    #[inline(always)]
    pub(crate) unsafe fn inside(&self) -> PairsAccess<'_> {
        // SAFETY: the caller guarantees that the index is not replaced meanwhile.
        PairsAccess { index: unsafe { &*self.index.get() }, rows: &self.rows }
    }
}

/// The number of bits for the numbers that an index of `n_lines` lines holds before it grows.
fn bits_for(n_lines: usize, n_units: u32) -> u32 {
    let by_slots = (n_lines * SLOTS) as u64 * 9 / 8;
    let by_units = u64::from(n_units) * u64::from(ROWS);
    let numbers = by_slots.max(by_units + by_units / 8) + 32 * u64::from(ROWS);
    numbers.next_power_of_two().trailing_zeros().min(32)
}

impl Drop for Pairs {
    fn drop(&mut self) {
        self.budget.release(*self.index_bytes.get_mut());
    }
}

/// A set of pairs whose index is not replaced meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct PairsAccess<'p> {
    index: &'p Index,
    rows: &'p Rows,
}

/// A search for a pair: the pair, its class and their hash.
#[derive(Clone, Copy)]
pub(crate) struct Lookup {
    pub(crate) pair: Pair,
    class: u32,
    hash: u64,
}

impl PairsAccess<'_> {
    /// Begins the search for a pair, and prefetches its line of the index.
    #[inline(always)]
    pub(crate) fn seek(self, pair: Pair, class: u32) -> Lookup {
        let hash = hash_of(pair, class);
        prefetch(self.index.home(hash));
        Lookup { pair, class, hash }
    }

    /// Continues a search until a row must be compared, and prefetches that row.
    #[inline(always)]
    pub(crate) fn approach(self, lookup: &Lookup) -> Approach {
        let approach = self.index.approach(lookup.hash);
        if approach.number != 0 {
            self.rows.prefetch(approach.number);
        }
        approach
    }

    /// Whether the pair has this number.
    #[inline(always)]
    pub(crate) fn is(self, number: u32, lookup: &Lookup) -> bool {
        self.rows.get(number) == (lookup.pair, lookup.class)
    }

    /// Completes a search from `approach` on: finds the pair, or adds it.
    #[inline]
    pub(crate) fn settle(
        self,
        lookup: &Lookup,
        approach: Approach,
        open_runs: &mut OpenRuns,
    ) -> Result<IndexEntry, Refusal> {
        let Lookup { pair, class, hash } = *lookup;
        if approach.number != 0 && self.is(approach.number, lookup) {
            return Ok(IndexEntry { number: approach.number, new: false });
        }
        let mut staged = false;
        let make = || {
            let number = self.rows.stage(open_runs, class, pair)?;
            staged = true;
            Ok::<_, Refusal>(number)
        };
        let found = self.index.insert(hash, approach.place, |number| self.is(number, lookup), make)?;
        if found.new {
            self.rows.commit(open_runs, class, pair);
        } else if staged {
            self.rows.discard(open_runs, class, pair);
        }
        Ok(found)
    }

    /// Finds or adds a pair of class zero, in one call.
    #[inline(always)]
    pub(crate) fn intern(
        self,
        pair: Pair,
        recent_pairs: &mut RecentPairs,
        open_runs: &mut OpenRuns,
    ) -> Result<IndexEntry, Refusal> {
        let hash = hash_of(pair, 0);
        let place = &mut recent_pairs.places[(hash >> (64 - LOG_CACHE)) as usize];
        if place.0 == pair {
            return Ok(IndexEntry { number: place.1, new: false });
        }
        let lookup = Lookup { pair, class: 0, hash };
        let found = self.settle(&lookup, self.index.approach(hash), open_runs)?;
        *place = (pair, found.number);
        Ok(found)
    }
}

const LOG_CACHE: u32 = 12;

/// The numbers of some pairs of class zero that a worker has used recently. Entries never go stale, because
/// numbers never change.
pub(crate) struct RecentPairs {
    places: Box<[(Pair, u32); 1 << LOG_CACHE]>,
}

impl RecentPairs {
    pub(crate) fn new() -> Self {
        let places = vec![(0, 0); 1 << LOG_CACHE].into_boxed_slice();
        Self { places: places.try_into().expect("there are so many places") }
    }
}
