//! The memory of pairs of numbers: append-only rows, numbered nearly densely, each as short as its pair
//! allows.
//!
//! Numbers come in units of [`ROWS`]. All rows of a unit have one width, one *class* and one owner. A class
//! is a number whose meaning the caller chooses: the tree store uses the length of the vectors whose roots
//! the rows are. A worker takes units in runs, one sequence of runs for each class and width. A run is an
//! eighth of what the worker has in its sequence already, so little memory and few numbers are unused. The
//! first unit is never assigned, so no number is zero.
//!
//! Each number of a pair takes half of the row's bits. A row of zeros is an absent row, so the pair of zeros
//! is never stored.
//!
//! Invariant: a row is written by its unit's owner alone, before any other thread knows its number.
//! Afterwards it never changes.
#![allow(unsafe_code, reason = "rows are written once through raw pointers and then shared")]

use crate::chunks::{Chunks, Zero};
use crate::memory::{HUGE, Region, rounded};
use crate::prefetch::prefetch;
use crate::{Budget, Full};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

const LOG_ROWS: u32 = 9;
/// The numbers in a unit.
pub(crate) const ROWS: u32 = 1 << LOG_ROWS;
/// The greatest number of units in a run.
const MAX_RUN_UNITS: u32 = (HUGE / 8 / ROWS as usize) as u32;
/// The logarithm of the ratio between all runs of a sequence and the next one.
const LOG_RUN_SHARE: u32 = 3;
const MIN_WIDTH: u32 = 4;
const N_WIDTHS: usize = 5;

/// Two numbers, the first in the lower half.
pub(crate) type Pair = u64;

/// The reason why a pair cannot be stored now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No memory or no number is left.
    Full,
    /// The next number has more bits than the present index can hold.
    Index,
}

impl From<Full> for Refusal {
    fn from(Full: Full) -> Self {
        Self::Full
    }
}

/// The location of the rows of one unit. Written once, before any other thread knows a number of the unit.
struct Unit {
    base: AtomicPtr<u8>,
    /// The class in the upper bits, the width in the lowest eight.
    kind: AtomicU64,
}

// SAFETY: a null pointer and a kind of zero are all zero bytes.
unsafe impl Zero for Unit {}

/// All rows of a set of pairs.
pub(crate) struct Rows {
    units: Chunks<Unit, 10>,
    n_units: AtomicU32,
    /// The first unit that may not be assigned yet.
    end_units: AtomicU32,
    /// The memory of all runs, to be freed with the rows.
    runs: Mutex<Vec<Region>>,
    bytes: AtomicU64,
    budget: Budget,
}

/// The run to which one worker appends rows of one class and width.
#[derive(Clone, Copy, Default)]
struct OpenRun {
    /// The number of the next row. `end` is the number after the last row of the run.
    next: u32,
    end: u32,
    /// The number of units in all runs of this sequence so far.
    n_units: u32,
}

/// The runs to which one worker appends rows: for each class, in the order of first use, one for each width.
#[derive(Default)]
pub(crate) struct OpenRuns {
    classes: Vec<(u32, [OpenRun; N_WIDTHS])>,
    /// The index of the class used last.
    recent: usize,
}

/// The width in bytes of the row of a pair.
#[inline(always)]
fn width(pair: Pair) -> u32 {
    let bits = 32 - ((pair as u32) | (pair >> 32) as u32).leading_zeros();
    bits.div_ceil(4).max(MIN_WIDTH)
}

impl Rows {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            units: Chunks::new(budget.clone()),
            n_units: AtomicU32::new(1),
            end_units: AtomicU32::new(0),
            runs: Mutex::new(Vec::new()),
            bytes: AtomicU64::new(0),
            budget,
        }
    }

    /// The bytes of all runs and of the table of units.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed) + self.units.bytes()
    }

    /// The number of units assigned so far, the unused first one included.
    pub(crate) fn n_units(&self) -> u32 {
        self.n_units.load(Ordering::Relaxed)
    }

    /// Allows numbers of up to `number_bits` bits.
    pub(crate) fn allow_bits(&self, number_bits: u32) {
        self.end_units.store(1 << (number_bits - LOG_ROWS), Ordering::Relaxed);
    }

    #[inline(always)]
    fn unit(&self, number: u32) -> (*mut u8, u64) {
        let unit = self.units.get(number >> LOG_ROWS).expect("the number was handed out");
        (unit.base.load(Ordering::Relaxed), unit.kind.load(Ordering::Relaxed))
    }

    /// The pair and the class of a number that was read from an index or from another row.
    ///
    /// # Panics
    /// If the number was never assigned.
    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> (Pair, u32) {
        let (base, kind) = self.unit(number);
        assert!(!base.is_null(), "the number was handed out");
        let width = kind as u8 as usize;
        // SAFETY: a unit with a base has memory for its rows, zeroed at first, that lives as long as `self`.
        // The row was written before its number was published and is not written again.
        (unsafe { read(base.add((number % ROWS) as usize * width), width) }, (kind >> 8) as u32)
    }

    /// Prefetches the row of a number.
    #[inline(always)]
    pub(crate) fn prefetch(&self, number: u32) {
        let (base, kind) = self.unit(number);
        prefetch(base.wrapping_add((number % ROWS) as usize * usize::from(kind as u8)));
    }

    /// Writes `pair` into the worker's next row and returns its number. The row is not taken until
    /// [`Rows::commit`]. Either [`Rows::commit`] or [`Rows::discard`] must follow.
    #[inline]
    pub(crate) fn stage(&self, open_runs: &mut OpenRuns, class: u32, pair: Pair) -> Result<u32, Refusal> {
        debug_assert!(pair != 0, "a pair of zeros is a row that is not there");
        let width = width(pair);
        let open_run = open_runs.at(class, width);
        if open_run.next == open_run.end {
            self.refill(open_run, class, width)?;
        }
        self.write(open_run.next, pair);
        Ok(open_run.next)
    }

    /// Makes the row last staged permanent.
    #[inline]
    pub(crate) fn commit(&self, open_runs: &mut OpenRuns, class: u32, pair: Pair) {
        open_runs.at(class, width(pair)).next += 1;
    }

    /// Clears the row last staged, because another thread inserted an equal pair first.
    #[cold]
    pub(crate) fn discard(&self, open_runs: &mut OpenRuns, class: u32, pair: Pair) {
        self.write(open_runs.at(class, width(pair)).next, 0);
    }

    /// Writes a row of a unit that the caller owns. No other thread may know the number.
    #[inline(always)]
    fn write(&self, number: u32, pair: Pair) {
        let (base, kind) = self.unit(number);
        let width = kind as u8 as usize;
        // SAFETY: the caller's open run owns this row: it lies in a unit that was made for this worker, for
        // rows of this width, and its number has not been published.
        unsafe { write(base.add((number % ROWS) as usize * width), width, pair) }
    }

    #[cold]
    fn refill(&self, open_run: &mut OpenRun, class: u32, width: u32) -> Result<(), Refusal> {
        let unit_bytes = (ROWS * width) as usize;
        let want = (open_run.n_units >> LOG_RUN_SHARE).clamp(1, MAX_RUN_UNITS);
        let claim = |n_units: u32| {
            let end_units = self.end_units.load(Ordering::Relaxed);
            let claimed = self.n_units.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |first| {
                first.checked_add(n_units).filter(|&end| end <= end_units)
            });
            // If numbers may already have all 32 bits, no larger index can help.
            claimed.map_err(|_| if end_units > u32::MAX >> LOG_ROWS { Refusal::Full } else { Refusal::Index })
        };
        let (n_units, memory) = match self.allocate(unit_bytes * want as usize) {
            Ok(memory) => (want, memory),
            // Near the limit a small run may still fit.
            Err(Full) => (1, self.allocate(unit_bytes)?),
        };
        let first = match claim(n_units) {
            Ok(first) => first,
            Err(refusal) => {
                self.free(memory);
                return Err(refusal);
            }
        };
        let base = memory.as_ptr();
        self.lock_runs().push(memory);
        for idx in 0..n_units {
            let unit = self.units.get_or_grow(first + idx)?;
            // The offset is within the run's memory.
            unit.kind.store(u64::from(class) << 8 | u64::from(width), Ordering::Relaxed);
            unit.base.store(base.wrapping_add(idx as usize * unit_bytes), Ordering::Relaxed);
        }
        open_run.next = first * ROWS;
        // The greatest 32-bit number is not used, so that `end` is a `u32` too.
        open_run.end = (first * ROWS).saturating_add(n_units * ROWS);
        open_run.n_units += n_units;
        Ok(())
    }

    fn allocate(&self, bytes: usize) -> Result<Region, Full> {
        let bytes = rounded(bytes) as u64;
        self.budget.charge(bytes)?;
        match Region::new(bytes as usize) {
            Some(region) => {
                self.bytes.fetch_add(bytes, Ordering::Relaxed);
                Ok(region)
            }
            None => {
                self.budget.release(bytes);
                Err(Full)
            }
        }
    }

    fn free(&self, region: Region) {
        let bytes = region.len() as u64;
        drop(region);
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.budget.release(bytes);
    }

    fn lock_runs(&self) -> std::sync::MutexGuard<'_, Vec<Region>> {
        self.runs.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Calls `visit` with the number, pair and class of each row of some units. No thread may write rows
    /// meanwhile.
    pub(crate) fn for_each(&self, units: Range<u32>, mut visit: impl FnMut(u32, Pair, u32)) {
        for unit_idx in units {
            let Some(unit) = self.units.get(unit_idx) else { continue };
            if unit.base.load(Ordering::Relaxed).is_null() {
                continue;
            }
            for number in unit_idx * ROWS..=unit_idx * ROWS + (ROWS - 1) {
                let (pair, class) = self.get(number);
                if pair != 0 {
                    visit(number, pair, class);
                }
            }
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.budget.release(*self.bytes.get_mut());
    }
}

/// # Safety
/// `at` must point to `width` bytes that can be read; `width` is from four to eight.
#[inline(always)]
unsafe fn read(at: *const u8, width: usize) -> Pair {
    // SAFETY: both words lie within the row. They overlap unless the row has eight bytes, and agree where
    // they do.
    let (low, high) =
        unsafe { (at.cast::<u32>().read_unaligned(), at.add(width - 4).cast::<u32>().read_unaligned()) };
    let row = u64::from(u32::from_le(low)) | u64::from(u32::from_le(high)) << (8 * (width - 4));
    let half = 4 * width as u32;
    (row & (u64::MAX >> (64 - half))) | row >> half << 32
}

/// # Safety
/// `at` must point to `width` bytes that can be written; `width` is from four to eight and enough for `pair`.
#[inline(always)]
unsafe fn write(at: *mut u8, width: usize, pair: Pair) {
    let row = (pair & u64::from(u32::MAX)) | pair >> 32 << (4 * width as u32);
    // SAFETY: both words lie within the row.
    unsafe {
        at.cast::<u32>().write_unaligned((row as u32).to_le());
        at.add(width - 4).cast::<u32>().write_unaligned(((row >> (8 * (width - 4))) as u32).to_le());
    }
}

impl OpenRuns {
    #[inline(always)]
    fn at(&mut self, class: u32, width: u32) -> &mut OpenRun {
        if self.classes.get(self.recent).is_none_or(|(recent, _)| *recent != class) {
            self.turn_to(class);
        }
        &mut self.classes[self.recent].1[(width - MIN_WIDTH) as usize]
    }

    #[cold]
    fn turn_to(&mut self, class: u32) {
        self.recent = self.classes.iter().position(|(known, _)| *known == class).unwrap_or_else(|| {
            self.classes.push((class, Default::default()));
            self.classes.len() - 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(idx: u64) -> Pair {
        let spread = idx.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Halves of all sizes, the largest included.
        let (low, high) = (spread as u32 >> (idx % 32), (spread >> 32) as u32 >> (idx / 32 % 32));
        (u64::from(low) | u64::from(high) << 32).max(1)
    }

    #[test]
    fn pairs_of_all_sizes_read_back() {
        let budget = Budget::new(None);
        let rows = Rows::new(budget.clone());
        rows.allow_bits(32);
        let mut open_runs = OpenRuns::default();
        let mut stored = Vec::new();
        for idx in 0..100_000 {
            let (pair, class) = (if idx == 7 { u64::MAX } else { pair(idx) }, (idx % 3) as u32);
            let number = rows.stage(&mut open_runs, class, pair).unwrap();
            if idx % 5 == 0 {
                rows.discard(&mut open_runs, class, pair);
                assert_eq!(rows.stage(&mut open_runs, class, pair).unwrap(), number);
            }
            rows.commit(&mut open_runs, class, pair);
            stored.push((number, pair, class));
        }
        assert!(stored.iter().all(|&(number, pair, class)| rows.get(number) == (pair, class)));
        let mut listed = Vec::new();
        rows.for_each(1..rows.n_units(), |number, pair, class| listed.push((number, pair, class)));
        stored.sort_unstable();
        listed.sort_unstable();
        assert_eq!(stored, listed);
        let largest = stored.last().unwrap().0 as usize;
        assert!(largest < stored.len() * 5 / 4, "numbers are nearly dense: {largest}");
        assert_eq!(rows.bytes(), budget.used());
        drop(rows);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn rows_are_as_wide_as_the_pair() {
        let wide = |bits: u32| u64::from(u32::MAX >> (32 - bits)) << 32;
        assert_eq!(
            [1, 16, 17, 20, 21, 24, 28, 29, 32].map(|bits| width(wide(bits))),
            [4, 4, 5, 5, 6, 6, 7, 8, 8]
        );
    }

    #[test]
    fn numbers_beyond_the_index_and_a_full_budget_are_told() {
        let rows = Rows::new(Budget::new(Some(80_000)));
        rows.allow_bits(LOG_ROWS + 1);
        let mut open_runs = OpenRuns::default();
        let mut store = |rows: &Rows| {
            let mut n_rows = 0;
            loop {
                match rows.stage(&mut open_runs, 0, 1) {
                    Ok(_) => rows.commit(&mut open_runs, 0, 1),
                    Err(refusal) => return (n_rows, refusal),
                }
                n_rows += 1;
            }
        };
        assert_eq!(store(&rows), (ROWS, Refusal::Index));
        rows.allow_bits(32);
        let (n_rows, refusal) = store(&rows);
        assert_eq!(refusal, Refusal::Full);
        assert!((5_000..16_000).contains(&n_rows), "{n_rows}");
    }
}
