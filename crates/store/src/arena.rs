//! The memory of vectors: append-only rows, numbered nearly densely, without a header per row.
//!
//! Numbers come in units of [`ROWS`]. All rows of a unit have one length and one owner, so a row is found by
//! its unit's base and length alone: a table of one entry per unit, small enough to stay in cache, instead of
//! an offset per state. A worker takes rows in runs, one sequence of runs per vector length. Each run is a
//! quarter of what its sequence has already, so little memory is unused. A run begins at the start of a unit
//! and may end within one; the numbers between its end and the end of the unit are the only ones that are
//! skipped. The first unit is never assigned, so no number is zero. Runs of all workers and lengths are cut
//! from slabs that grow to the size of a huge page, because fresh memory in small pages is slow.
//!
//! Invariant: a row is written by its unit's owner alone, before any other thread knows its number.
//! Afterwards it never changes.
#![allow(unsafe_code, reason = "rows are written once through raw pointers and then shared")]

use crate::chunks::{Chunks, Zero};
use crate::memory::{HUGE, Region, rounded};
use crate::{Budget, Full};
use std::ptr::{self, NonNull};
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

const LOG_ROWS: u32 = 8;
/// The numbers in a unit.
const ROWS: u32 = 1 << LOG_ROWS;
/// The greatest size of a run in bytes.
const MAX_RUN_BYTES: usize = HUGE;
/// The rest of a slab is used if it is at least the inverse of this share of what is wanted.
const MIN_PART: usize = 4;
/// The greatest number of rows in a run, for very short rows.
const MAX_RUN_ROWS: usize = 1 << 18;
/// The number of rows in a first run, if they are short.
const FIRST_RUN: usize = 64;
/// A first run of longer rows has at most this many bytes, or four rows. In models whose stacks grow, few
/// vectors have the same length.
const FIRST_RUN_BYTES: usize = 16 << 10;
const MAX_UNITS: u32 = u32::MAX / ROWS;

/// The number of bytes of a row that may be prefetched before it is compared.
pub(crate) const PREFETCHED: usize = 256;
/// Prefetched in place of a row that does not exist. Prefetching an unmapped address costs a long page walk.
static NOTHING: [u8; PREFETCHED] = [0; PREFETCHED];

/// The location of the rows of one unit. Written once, before any other thread knows a number of the unit.
struct Unit {
    base: AtomicPtr<u8>,
    len: AtomicU32,
}

// SAFETY: a null pointer and a length of zero are all zero bytes.
unsafe impl Zero for Unit {}

/// All rows of a store.
pub(crate) struct Arena {
    units: Chunks<Unit, 10>,
    n_units: AtomicU32,
    slabs: Mutex<Slabs>,
    bytes: AtomicU64,
    budget: Budget,
}

/// The memory of all runs, to be freed with the arena.
#[derive(Default)]
struct Slabs {
    regions: Vec<Region>,
    /// The number of bytes of the last region that are in use.
    n_taken: usize,
}

/// The run to which one worker appends rows of one length.
struct OpenRun {
    /// The number of the next row. `end` is the number after the last row of the run.
    next: u32,
    end: u32,
    /// The address of the next row.
    at: *mut u8,
    /// The number of rows in all runs of this sequence so far.
    n_rows: usize,
}

/// The runs to which one worker appends rows, by length.
#[derive(Default)]
pub(crate) struct OpenRuns {
    open_runs: Vec<OpenRun>,
    /// For each length, in words of four bytes: the index in `open_runs` plus one.
    by_words: Vec<u32>,
}

impl Arena {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            units: Chunks::new(budget.clone()),
            n_units: AtomicU32::new(1),
            slabs: Mutex::default(),
            bytes: AtomicU64::new(0),
            budget,
        }
    }

    /// The bytes of all runs and of the table of units.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed) + self.units.bytes()
    }

    /// The address and length of a row.
    ///
    /// # Panics
    /// If the number was never assigned.
    #[inline(always)]
    fn locate(&self, number: u32) -> (*mut u8, usize) {
        let unit = self.units.get(number >> LOG_ROWS).expect("the number was handed out");
        let len = unit.len.load(Ordering::Relaxed) as usize;
        (unit.base.load(Ordering::Relaxed).wrapping_add((number % ROWS) as usize * len), len)
    }

    /// The address of a row, for a prefetch.
    #[inline(always)]
    pub(crate) fn address(&self, number: u32) -> *const u8 {
        self.locate(number).0
    }

    /// The row of a number. [`Arena::commit`] must have been called for it, by this thread or before the
    /// number was published to this thread.
    #[inline(always)]
    pub(crate) fn row(&self, number: u32) -> &[u8] {
        let (base, len) = self.locate(number);
        assert!(!base.is_null(), "the number was handed out");
        // SAFETY: a unit with a base has memory for its rows, all of it initialised, that lives as long as
        // the arena. The row was written before its number was published and is not written again.
        unsafe { std::slice::from_raw_parts(base, len) }
    }

    /// As [`Arena::row`], but an empty slice for the number zero, which no row has. Compiles without a branch
    /// between the two.
    #[inline(always)]
    pub(crate) fn row_if_any(&self, number: u32) -> &[u8] {
        let Some(unit) = self.units.get(number >> LOG_ROWS) else { return &NOTHING[..0] };
        let len = unit.len.load(Ordering::Relaxed) as usize;
        let nothing = NonNull::from(&NOTHING).cast();
        let base = NonNull::new(unit.base.load(Ordering::Relaxed)).unwrap_or(nothing);
        let row = base.as_ptr().wrapping_add((number % ROWS) as usize * len);
        // SAFETY: as in `row`; the first unit, which has no rows, has no base and a length of zero.
        unsafe { std::slice::from_raw_parts(row, len) }
    }

    /// Writes `vector` into the worker's next row and returns its number. Until [`Arena::commit`] the row is
    /// not taken: the next call overwrites it.
    #[inline]
    pub(crate) fn stage(&self, open_runs: &mut OpenRuns, vector: &[u8]) -> Result<u32, Full> {
        let open_run = open_runs.of_length(vector.len())?;
        if open_run.next == open_run.end {
            self.refill(open_run, vector.len())?;
        }
        debug_assert_eq!(self.locate(open_run.next), (open_run.at, vector.len()));
        // SAFETY: the open run owns this row: it lies in a unit that was made for this worker, for rows of
        // this length, and its number has not been published.
        unsafe { ptr::copy_nonoverlapping(vector.as_ptr(), open_run.at, vector.len()) };
        Ok(open_run.next)
    }

    /// Makes the row last staged with this length permanent.
    #[inline]
    pub(crate) fn commit(&self, open_runs: &mut OpenRuns, len: usize) {
        let open_run = &mut open_runs.open_runs[open_runs.by_words[len / 4] as usize - 1];
        open_run.next += 1;
        open_run.at = open_run.at.wrapping_add(len);
    }

    #[cold]
    fn refill(&self, open_run: &mut OpenRun, len: usize) -> Result<(), Full> {
        let most = (MAX_RUN_BYTES / len.max(1)).clamp(1, MAX_RUN_ROWS);
        let first = (FIRST_RUN_BYTES / len.max(1)).clamp(4, FIRST_RUN);
        let (memory, n_rows) = self.cut(len, (open_run.n_rows / 4).max(first).min(most))?;
        let n_units = n_rows.div_ceil(ROWS as usize) as u32;
        let first = self.n_units.fetch_add(n_units, Ordering::Relaxed);
        if first.checked_add(n_units).is_none_or(|end| end > MAX_UNITS) {
            // Numbers are not returned, so the arena stays full.
            self.n_units.store(MAX_UNITS, Ordering::Relaxed);
            return Err(Full);
        }
        for idx in 0..n_units {
            let unit = self.units.get_or_grow(first + idx)?;
            // The offset is within the run's memory.
            unit.base.store(memory.wrapping_add(idx as usize * ROWS as usize * len), Ordering::Relaxed);
            unit.len.store(len as u32, Ordering::Relaxed);
        }
        open_run.next = first * ROWS;
        open_run.end = open_run.next + n_rows as u32;
        open_run.at = memory;
        open_run.n_rows += n_rows;
        Ok(())
    }

    /// Memory for `n_rows` rows, or for fewer if only that is left of a slab or of the budget.
    fn cut(&self, len: usize, n_rows: usize) -> Result<(*mut u8, usize), Full> {
        let mut slabs = self.slabs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let left = slabs.regions.last().map(|slab| slab.len() - slabs.n_taken);
        let wanted = len * n_rows;
        let n_rows = match left {
            Some(left) if left >= wanted => n_rows,
            Some(left) if left >= len.max(wanted / MIN_PART) => left / len,
            _ => {
                let usual = (self.bytes.load(Ordering::Relaxed) as usize).min(MAX_RUN_BYTES);
                // Near the limit a small slab may still fit.
                let few = n_rows.min(FIRST_RUN);
                let sizes = [(usual.max(wanted), n_rows), (wanted, n_rows), (few * len, few)];
                let made = |(bytes, n_rows)| Some((self.allocate(bytes).ok()?, n_rows));
                let (slab, n_rows) = sizes.into_iter().find_map(made).ok_or(Full)?;
                slabs.regions.push(slab);
                slabs.n_taken = 0;
                n_rows
            }
        };
        let Slabs { regions, n_taken } = &mut *slabs;
        let slab = regions.last().expect("there is a slab, or one was made");
        let memory = slab.as_ptr().wrapping_add(*n_taken);
        // Start the next run on a new cache line, so that rows of different workers do not share one.
        *n_taken = (*n_taken + len * n_rows).next_multiple_of(64).min(slab.len());
        Ok((memory, n_rows))
    }

    fn allocate(&self, bytes: usize) -> Result<Region, Full> {
        let bytes = rounded(bytes);
        self.budget.charge(bytes as u64)?;
        let Some(region) = Region::new(bytes) else {
            self.budget.release(bytes as u64);
            return Err(Full);
        };
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(region)
    }
}

/// Equality of vectors, whose lengths are multiples of four. Most are short, and a call of `memcmp` would
/// take longer than the comparison.
#[inline(always)]
pub(crate) fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() || a.len() > 64 {
        return a == b;
    }
    let (a_words, a_rest) = a.as_chunks::<8>();
    let (b_words, b_rest) = b.as_chunks::<8>();
    let differ = |(a, b): (&[u8; 8], &[u8; 8])| u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b);
    let words = a_words.iter().zip(b_words).fold(0, |all, pair| all | differ(pair));
    // Lengths are multiples of four, so the rest is four bytes or none.
    words == 0 && a_rest.first_chunk::<4>() == b_rest.first_chunk::<4>()
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.budget.release(*self.bytes.get_mut());
    }
}

impl OpenRuns {
    #[inline]
    fn of_length(&mut self, len: usize) -> Result<&mut OpenRun, Full> {
        match self.by_words.get(len / 4) {
            Some(&idx) if idx != 0 => Ok(&mut self.open_runs[idx as usize - 1]),
            _ => self.add(len),
        }
    }

    #[cold]
    fn add(&mut self, len: usize) -> Result<&mut OpenRun, Full> {
        u32::try_from(len).map_err(|_| Full)?;
        if self.by_words.len() <= len / 4 {
            self.by_words.resize(len / 4 + 1, 0);
        }
        self.open_runs.push(OpenRun { next: 0, end: 0, at: ptr::null_mut(), n_rows: 0 });
        self.by_words[len / 4] = self.open_runs.len() as u32;
        Ok(self.open_runs.last_mut().expect("one was just added"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_all_lengths_read_back() {
        let arena = Arena::new(Budget::new(None));
        let mut open_runs = OpenRuns::default();
        let mut numbers = Vec::new();
        for idx in 0..20_000usize {
            let vector = vec![idx as u8; idx % 7 * 4];
            let number = arena.stage(&mut open_runs, &vector).unwrap();
            // Staging without a commit gives the same number again.
            assert_eq!(arena.stage(&mut open_runs, &vector).unwrap(), number);
            arena.commit(&mut open_runs, vector.len());
            numbers.push((number, vector));
        }
        for (number, vector) in &numbers {
            assert_eq!(arena.row(*number), vector);
        }
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let largest = numbers.last().unwrap().0 as usize;
        assert!(largest < 3 * numbers.len(), "numbers are nearly dense: {largest}");
    }

    #[test]
    fn very_long_rows_take_memory_only_for_themselves() {
        let budget = Budget::new(None);
        let arena = Arena::new(budget.clone());
        let mut open_runs = OpenRuns::default();
        for idx in 0..4u8 {
            let number = arena.stage(&mut open_runs, &vec![idx; MAX_RUN_BYTES / 2]).unwrap();
            arena.commit(&mut open_runs, MAX_RUN_BYTES / 2);
            assert!(arena.row(number).iter().all(|&byte| byte == idx));
        }
        assert!(budget.used() < 9 << 20, "{}", budget.used());
        drop(arena);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_full_budget_is_told() {
        let arena = Arena::new(Budget::new(Some(26_000)));
        let mut open_runs = OpenRuns::default();
        let n_rows = (0..1000)
            .take_while(|_| {
                arena.stage(&mut open_runs, &[0; 64]).is_ok_and(|_| {
                    arena.commit(&mut open_runs, 64);
                    true
                })
            })
            .count();
        assert!((64..200).contains(&n_rows), "{n_rows}");
    }
}
