//! A set of pairs of numbers, each with a class, that are numbered themselves: an [`Index`] that leads to [`Rows`].
//!
//! It is what a tree of pairs is made of. The index grows by a quarter or so at a time, for it is small only if it is
//! nearly full, and is made anew from the rows. Whoever inserts must have had a slot promised; whoever makes the
//! index anew must be alone.
#![allow(unsafe_code, reason = "the index is replaced when nobody uses it")]

use crate::index::{Approach, Found, Index, SLOTS};
use crate::memory::rounded;
use crate::prefetch::prefetch;
use crate::rows::{Pair, Pens, ROWS, Refusal, Rows};
use crate::{Budget, Full, Holding};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Tiny models are checked in microseconds: the first index is half a page.
const FIRST_LINES: usize = 32;
const LINE_BYTES: usize = 64;
/// An index grows by the inverse of this share.
const GROWTH: usize = 4;
/// With more units than this, several threads make an index.
const PARALLEL_UNITS: u32 = (1 << 18) / ROWS;
/// How many rows are looked at before their slots are needed.
const AHEAD: usize = 16;

/// The set.
pub(crate) struct Pairs {
    index: UnsafeCell<Index>,
    rows: Rows,
    /// Slots promised so far, filled or not.
    reserved: AtomicU64,
    /// How many slots may be promised before the index must grow.
    limit: AtomicU64,
    /// How many bits numbers may have before the index must be made anew.
    number_bits: AtomicU32,
    index_bytes: AtomicU64,
    budget: Budget,
}

// SAFETY: the index is replaced only by `Pairs::grow`, which requires that nobody uses it. All other fields are `Sync`.
unsafe impl Sync for Pairs {}

/// A hash of a pair and its class, all bits of which depend on all of theirs: a product, folded.
#[inline(always)]
fn hash_of(pair: Pair, class: u32) -> u64 {
    let seed = 0x2d35_8dcc_aa6c_78a5 ^ u64::from(class).wrapping_mul(0x8bb8_4b93_962e_acc9);
    let product = u128::from(pair ^ 0x4b33_a62e_d433_d4a3) * u128::from(seed);
    product as u64 ^ (product >> 64) as u64
}

/// The fill at which an index grows: probing stays within a line or two.
fn comfortable(n_lines: usize) -> u64 {
    (n_lines * SLOTS / 8 * 7) as u64
}

/// The fill beyond which probing would take too long, even if memory is short.
fn utmost(n_lines: usize) -> u64 {
    (n_lines * SLOTS / 32 * 31) as u64
}

impl Pairs {
    /// The empty set.
    pub(crate) fn new(budget: &Budget) -> Self {
        let number_bits = bits_for(FIRST_LINES, 0);
        let index = Index::new(FIRST_LINES, number_bits).expect("there is memory for a small index");
        // Without room for even this page the first insertion will be refused.
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

    /// Promises `want` slots if the index has them.
    pub(crate) fn promise(&self, want: u64) -> bool {
        let before = self.reserved.fetch_add(want, Ordering::Relaxed);
        let kept = before + want <= self.limit.load(Ordering::Relaxed);
        if !kept {
            self.reserved.fetch_sub(want, Ordering::Relaxed);
        }
        kept
    }

    /// Makes room for `want` more slots, and for some more numbers than there are.
    ///
    /// # Safety
    /// Nobody else may be using the index: all other calls except [`Pairs::promise`], [`Pairs::rows`] and
    /// [`Pairs::bytes`] must have happened before or happen after.
    pub(crate) unsafe fn grow(&self, want: u64, n_threads: usize) -> Result<(), Full> {
        // SAFETY: the caller says so.
        let index = unsafe { &mut *self.index.get() };
        let n_lines = index.n_lines();
        let needed = self.reserved.load(Ordering::Relaxed) + want;
        let bits = bits_for(n_lines, self.rows.n_units());
        if needed <= self.limit.load(Ordering::Relaxed) {
            // Somebody else has made room; but numbers may have come to their end.
            if bits > self.number_bits.load(Ordering::Relaxed) {
                return self.renew(index, n_lines, n_threads);
            }
            return Ok(());
        }
        let least = (needed as usize * 8).div_ceil(7 * SLOTS) + 1;
        for lines in [least.max(n_lines + n_lines / GROWTH), least.max(n_lines + n_lines / (4 * GROWTH))] {
            // A region of whole huge pages is used to its end.
            let lines = rounded(lines * LINE_BYTES) / LINE_BYTES;
            match self.renew(index, lines, n_threads) {
                Ok(()) => {
                    self.limit.store(comfortable(lines), Ordering::Relaxed);
                    return Ok(());
                }
                Err(Full) => continue,
            }
        }
        // Memory is short: fill the index that there is, if it was paid for.
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
        // Give back the old one before the new one is there, so that there is never memory for both.
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

    /// Puts all rows into an empty index; the workers are waiting, so their processors are free to help.
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

    /// The set for insertions.
    ///
    /// # Safety
    /// As long as the result is used, nobody may call [`Pairs::grow`].
    #[inline(always)]
    pub(crate) unsafe fn inside(&self) -> Inside<'_> {
        // SAFETY: the caller says that the index is not replaced meanwhile.
        Inside { index: unsafe { &*self.index.get() }, rows: &self.rows }
    }
}

/// The bits of the numbers that an index of this many lines is to hold before it grows.
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

/// A set of pairs whose index stays where it is.
#[derive(Clone, Copy)]
pub(crate) struct Inside<'p> {
    index: &'p Index,
    rows: &'p Rows,
}

/// A search for a pair that has been begun.
#[derive(Clone, Copy)]
pub(crate) struct Quest {
    pub(crate) pair: Pair,
    class: u32,
    hash: u64,
}

impl Inside<'_> {
    /// Begins the search for a pair: its line is on the way.
    #[inline(always)]
    pub(crate) fn seek(self, pair: Pair, class: u32) -> Quest {
        let hash = hash_of(pair, class);
        prefetch(self.index.home(hash));
        Quest { pair, class, hash }
    }

    /// Goes on with a search until a row must be looked at, which is then on the way.
    #[inline(always)]
    pub(crate) fn approach(self, quest: &Quest) -> Approach {
        let approach = self.index.approach(quest.hash);
        if approach.number != 0 {
            self.rows.prefetch(approach.number);
        }
        approach
    }

    /// Whether a number is that of the pair.
    #[inline(always)]
    pub(crate) fn is(self, number: u32, quest: &Quest) -> bool {
        self.rows.get(number) == (quest.pair, quest.class)
    }

    /// Ends a search that came to `approach`: finds the pair, or adds it.
    #[inline]
    pub(crate) fn settle(self, quest: &Quest, approach: Approach, pens: &mut Pens) -> Result<Found, Refusal> {
        let Quest { pair, class, hash } = *quest;
        if approach.number != 0 && self.is(approach.number, quest) {
            return Ok(Found { number: approach.number, new: false });
        }
        let mut staged = false;
        let make = || {
            let number = self.rows.stage(pens, class, pair)?;
            staged = true;
            Ok::<_, Refusal>(number)
        };
        let found = self.index.insert(hash, approach.place, |number| self.is(number, quest), make)?;
        if found.new {
            self.rows.commit(pens, class, pair);
        } else if staged {
            self.rows.discard(pens, class, pair);
        }
        Ok(found)
    }

    /// The whole search for a pair of class zero, at once.
    #[inline(always)]
    pub(crate) fn intern(self, pair: Pair, cache: &mut Cache, pens: &mut Pens) -> Result<Found, Refusal> {
        let hash = hash_of(pair, 0);
        let place = &mut cache.places[(hash >> (64 - LOG_CACHE)) as usize];
        if place.0 == pair {
            return Ok(Found { number: place.1, new: false });
        }
        let quest = Quest { pair, class: 0, hash };
        let found = self.settle(&quest, self.index.approach(hash), pens)?;
        *place = (pair, found.number);
        Ok(found)
    }
}

const LOG_CACHE: u32 = 12;

/// The numbers of some pairs of class zero that a worker has looked for lately. Numbers never change.
pub(crate) struct Cache {
    places: Box<[(Pair, u32); 1 << LOG_CACHE]>,
}

impl Cache {
    pub(crate) fn new() -> Self {
        let places = vec![(0, 0); 1 << LOG_CACHE].into_boxed_slice();
        Self { places: places.try_into().expect("there are so many places") }
    }
}
