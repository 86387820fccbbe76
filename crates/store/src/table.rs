//! The lock-free core of the exact store: an open-addressing table of 64-bit slots in cache-line buckets.
//!
//! A slot is zero while empty, else the upper half of a state's hash (its tag) above the state's number. The
//! uppermost bits of the tag select the home bucket, so a table can be copied into one of twice the size by
//! reading tags alone, and both are walked in order. Slots are only ever filled, a bucket's from the first to the last,
//! by one compare-and-swap that publishes a vector written before; hence a probe that meets an empty slot has seen all
//! that matters. A probe looks at a whole bucket at once: which slot it ends at cannot be foretold, so a branch for
//! each would cost more than the slots. No tag is zero, so that tags alone tell which slots are empty.
//! The layout follows Laarman, van de Pol and Weber, "Boosting multi-core reachability performance with shared
//! hash tables" (FMCAD 2010), without their write bit: a vector is complete before its slot is.
//!
//! The table does not count its entries: whoever inserts must see to it that a slot stays empty.

use crate::memory::Zeroed;
use crate::scan::ends;
use crate::sync::{AtomicU64, Ordering, SLOTS};
use std::ops::Range;

/// That many buckets have a slot for every number.
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
    /// Whether only one thread at a time inserts.
    sole: bool,
}

/// What an insertion found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The number of the state.
    pub(crate) number: u32,
    /// Whether this insertion put it there.
    pub(crate) new: bool,
}

/// How far a search for a tag has come: to a bucket, and in it to the slot that has this turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    bucket_idx: u32,
    turn: u32,
}

/// Where a search gets to without looking at states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) place: Place,
    /// The state that has the tag; zero if the slot is empty.
    pub(crate) number: u32,
}

/// The part of a hash that a slot keeps: its upper half, or one where that is zero.
#[inline]
pub(crate) fn tag(hash: u64) -> u32 {
    ((hash >> 32) as u32).max(1)
}

impl Table {
    /// An empty table of `2^log_buckets` buckets, or `None` if that is more than a table can have or the memory
    /// is not there; `sole` if only one thread at a time will insert.
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

    /// Where the search for `tag` first meets an empty slot or one with this tag. It may begin there, at any later
    /// time, because the slots before are taken by others for good.
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
                // An empty slot may have been filled just now, with any tag: then the search goes on from here.
                let word = slot.load(Ordering::Acquire);
                let number = if (word >> 32) as u32 == tag { word as u32 } else { 0 };
                return Approach { place: Place { bucket_idx, turn }, number };
            }
            bucket_idx = self.after(bucket_idx);
        }
    }

    #[inline]
    fn after(&self, bucket_idx: u32) -> u32 {
        (bucket_idx + 1) & (self.buckets.len() as u32 - 1)
    }

    /// Finds the state with this tag for which `same` holds, or puts the one that `make` numbers. The search
    /// begins at `place`, which [`Table::approach`] gave for this tag.
    ///
    /// `make` is called at most once, and only if no equal state was found until then; its number goes unused if
    /// an equal state came in first. What it wrote is visible to every `same` that is called with its number.
    #[inline]
    pub(crate) fn insert<E>(
        &self,
        tag: u32,
        place: Place,
        mut same: impl FnMut(u32) -> bool,
        mut make: impl FnMut() -> Result<u32, E>,
    ) -> Result<Found, E> {
        let Place { mut bucket_idx, turn } = place;
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
                        Ok(()) => return Ok(Found { number, new: true }),
                        Err(theirs) => word = theirs,
                    }
                }
                let number = word as u32;
                if (word >> 32) as u32 == tag && same(number) {
                    return Ok(Found { number, new: false });
                }
            }
            bucket_idx = self.after(bucket_idx);
            turn = 0;
        }
    }

    /// Fills a slot that was empty a moment ago, or gives what came in before.
    #[inline]
    fn fill(&self, slot: &AtomicU64, word: u64) -> Result<(), u64> {
        if self.sole {
            // Nobody else came in, and a plain store is far cheaper.
            slot.store(word, Ordering::Release);
            return Ok(());
        }
        slot.compare_exchange(0, word, Ordering::Release, Ordering::Acquire).map(drop)
    }

    /// Copies entries of some buckets of `old`, a smaller table, whose states are not in this one yet: all that lie in
    /// their home buckets. What is in the others is for [`Table::adopt_strays`], when this is done everywhere.
    ///
    /// # Panics
    /// If the table is not two to [`MAX_GROWTH`] times as large.
    pub(crate) fn adopt(&self, old: &Self, buckets: Range<usize>) {
        let log_growth = self.log_buckets - old.log_buckets;
        assert!((1..=MAX_GROWTH.ilog2()).contains(&log_growth), "tables grow by small factors");
        for old_idx in buckets {
            // A bucket becomes several, and each is filled from its first slot on.
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

    /// Copies the entries of some buckets of `old` that do not lie in their home buckets.
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
