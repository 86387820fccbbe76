//! The lock-free core of the exact store: an open-addressing table of 64-bit slots in cache-line buckets.
//!
//! An empty slot is zero. A filled slot is the upper half of a state's hash (its tag) above the state's
//! number. The uppermost bits of the tag select the home bucket, so a table can be copied into a larger one
//! by reading tags alone, and both are traversed in order. A slot changes only once, from empty to filled,
//! and the slots of a bucket are filled from the first to the last. Each is filled by one compare-and-swap
//! that publishes a vector written before. Hence a probe that reaches an empty slot has passed every slot in
//! which an equal state could have been placed before. A probe compares a whole bucket at once: the slot at
//! which it ends is unpredictable, so one branch per slot would cost more than the comparisons. No tag is
//! zero, so tags alone show which slots are empty. The layout follows Laarman, van de Pol and Weber,
//! "Boosting multi-core reachability performance with shared hash tables" (FMCAD 2010), without their write
//! bit: a vector is complete before its slot is.
//!
//! The table does not count its entries. The caller must ensure that at least one slot stays empty, or a
//! probe would not end.

use crate::memory::Zeroed;
use crate::scan::ends;
use crate::sync::{AtomicU64, Ordering, SLOTS};
use std::ops::Range;

/// The logarithm of the number of buckets that have a slot for every 32-bit number.
const MAX_LOG_BUCKETS: u32 = 29;

/// The largest factor by which a table can grow at once.
pub(crate) const MAX_GROWTH: usize = 8;

/// One cache line of slots.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Bucket {
    slots: [AtomicU64; SLOTS],
}

/// The table of slots.
pub(crate) struct Table {
    buckets: Zeroed<Bucket>,
    log_buckets: u32,
    /// Whether only one thread inserts at a time.
    sole: bool,
}

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableEntry {
    /// The number of the state.
    pub(crate) number: u32,
    /// Whether this insertion added it.
    pub(crate) new: bool,
}

/// The position of a search for a tag: a bucket, and the index of a slot within it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TablePosition {
    bucket_idx: u32,
    turn: u32,
}

/// Where a search gets without comparing states: the first slot that is empty or has the tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) place: TablePosition,
    /// The number of the state with the tag; zero if the slot is empty.
    pub(crate) number: u32,
}

/// The part of a hash that a slot keeps: its upper half, or one where that is zero.
#[inline]
pub(crate) fn tag(hash: u64) -> u32 {
    ((hash >> 32) as u32).max(1)
}

impl Table {
    /// An empty table of `2^log_buckets` buckets, or `None` if a table cannot be that large or there is not
    /// enough memory. With `sole`, only one thread may insert at a time.
    pub(crate) fn new(log_buckets: u32, sole: bool) -> Option<Self> {
        if log_buckets > MAX_LOG_BUCKETS {
            return None;
        }
        Some(Self { buckets: Zeroed::new(1 << log_buckets)?, log_buckets, sole })
    }

    pub(crate) fn log_buckets(&self) -> u32 {
        self.log_buckets
    }

    pub(crate) fn n_buckets(&self) -> usize {
        self.buckets.len()
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.buckets.len() * SLOTS
    }

    /// The bytes that a table of `2^log_buckets` buckets occupies.
    pub(crate) fn bytes(log_buckets: u32) -> u64 {
        (size_of::<Bucket>() as u64) << log_buckets
    }

    /// The bucket in which the search for `tag` begins, for a prefetch.
    #[inline]
    pub(crate) fn home(&self, tag: u32) -> &Bucket {
        &self.buckets[self.home_idx(tag)]
    }

    #[inline]
    fn home_idx(&self, tag: u32) -> usize {
        // In 64 bits, so that with one bucket the tag is shifted out entirely.
        (u64::from(tag) >> (32 - self.log_buckets)) as usize
    }

    /// The first slot in the search for `tag` that is empty or has this tag. A later insertion of this tag
    /// may begin there, because the slots before it hold other tags and never change.
    #[inline]
    pub(crate) fn approach(&self, tag: u32) -> Approach {
        let mut bucket_idx = self.home_idx(tag) as u32;
        loop {
            let bucket = &self.buckets[bucket_idx as usize];
            // Not `array::from_fn`: without link-time optimisation that calls its closure eight times.
            let mut words = [0; SLOTS];
            for (word, slot) in words.iter_mut().zip(&bucket.slots) {
                *word = slot.load(Ordering::Relaxed);
            }
            let turn = (ends(words, tag) | 1 << SLOTS).trailing_zeros();
            if let Some(slot) = bucket.slots.get(turn as usize) {
                // An empty slot may have been filled meanwhile, with any tag. `insert` then continues from
                // this slot.
                let word = slot.load(Ordering::Acquire);
                let number = if (word >> 32) as u32 == tag { word as u32 } else { 0 };
                return Approach { place: TablePosition { bucket_idx, turn }, number };
            }
            bucket_idx = self.after(bucket_idx);
        }
    }

    #[inline]
    fn after(&self, bucket_idx: u32) -> u32 {
        (bucket_idx + 1) & (self.buckets.len() as u32 - 1)
    }

    /// Finds the state with this tag for which `same` holds, or inserts the one that `make` numbers. The
    /// search begins at `place`, which [`Table::approach`] gave for this tag.
    ///
    /// `make` is called at most once, and only if no equal state was found before. Its number goes unused if
    /// another thread inserts an equal state first. What `make` wrote is visible to every `same` that is
    /// called with its number.
    #[inline]
    pub(crate) fn insert<E>(
        &self,
        tag: u32,
        place: TablePosition,
        mut same: impl FnMut(u32) -> bool,
        mut make: impl FnMut() -> Result<u32, E>,
    ) -> Result<TableEntry, E> {
        let TablePosition { mut bucket_idx, turn } = place;
        let mut turn = turn as usize;
        let mut made = None;
        loop {
            for slot in &self.buckets[bucket_idx as usize].slots[turn..] {
                let mut word = slot.load(Ordering::Acquire);
                if word == 0 {
                    let number = match made {
                        Some(number) => number,
                        None => *made.insert(make()?),
                    };
                    match self.fill(slot, u64::from(tag) << 32 | u64::from(number)) {
                        Ok(()) => return Ok(TableEntry { number, new: true }),
                        Err(theirs) => word = theirs,
                    }
                }
                let number = word as u32;
                if (word >> 32) as u32 == tag && same(number) {
                    return Ok(TableEntry { number, new: false });
                }
            }
            bucket_idx = self.after(bucket_idx);
            turn = 0;
        }
    }

    /// Fills a slot that was just seen empty, or returns the word that another thread put there first.
    #[inline]
    fn fill(&self, slot: &AtomicU64, word: u64) -> Result<(), u64> {
        if self.sole {
            // No other thread inserts, and a plain store is far cheaper.
            slot.store(word, Ordering::Release);
            return Ok(());
        }
        slot.compare_exchange(0, word, Ordering::Release, Ordering::Acquire).map(drop)
    }

    /// Copies the entries of some buckets of `old`, a smaller table, that are in their home buckets. Their
    /// states must not be in this table yet. [`Table::adopt_strays`] copies the other entries, after all
    /// buckets have been through this.
    ///
    /// # Panics
    /// If the table is not two to [`MAX_GROWTH`] times as large.
    pub(crate) fn adopt(&self, old: &Self, buckets: Range<usize>) {
        let log_growth = self.log_buckets - old.log_buckets;
        assert!((1..=MAX_GROWTH.ilog2()).contains(&log_growth), "tables grow by small factors");
        for old_idx in buckets {
            // One bucket becomes several, each filled from its first slot on.
            let mut n_filled = [0; MAX_GROWTH];
            for slot in &old.buckets[old_idx].slots {
                let word = slot.load(Ordering::Acquire);
                if word == 0 {
                    break;
                }
                let home_idx = self.home_idx((word >> 32) as u32);
                if home_idx >> log_growth == old_idx {
                    let n_filled = &mut n_filled[home_idx & ((1 << log_growth) - 1)];
                    self.buckets[home_idx].slots[*n_filled].store(word, Ordering::Release);
                    *n_filled += 1;
                }
            }
        }
    }

    /// Copies the entries of some buckets of `old` that are not in their home buckets.
    pub(crate) fn adopt_strays(&self, old: &Self, buckets: Range<usize>) {
        for old_idx in buckets {
            for slot in &old.buckets[old_idx].slots {
                let word = slot.load(Ordering::Acquire);
                if word == 0 {
                    break;
                }
                if old.home_idx((word >> 32) as u32) != old_idx {
                    self.adopt_stray(word);
                }
            }
        }
    }

    fn adopt_stray(&self, word: u64) {
        let mut bucket_idx = self.home_idx((word >> 32) as u32) as u32;
        loop {
            for slot in &self.buckets[bucket_idx as usize].slots {
                if slot.load(Ordering::Relaxed) == 0 && self.fill(slot, word).is_ok() {
                    return;
                }
            }
            bucket_idx = self.after(bucket_idx);
        }
    }
}
