//! The lock-free core of the exact store: an open-addressing table of 64-bit slots in cache-line buckets.
//!
//! A slot is zero while empty, else the upper half of a state's hash (its tag) above the state's number. The
//! uppermost bits of the tag select the home bucket, so a table can be copied into one of twice the size by
//! reading tags alone, and both are walked in order. Slots are only ever filled, by one compare-and-swap that
//! publishes a vector written before; hence a probe that meets an empty slot has seen all that matters.
//! The layout follows Laarman, van de Pol and Weber, "Boosting multi-core reachability performance with shared
//! hash tables" (FMCAD 2010), without their write bit: a vector is complete before its slot is.
//!
//! The table does not count its entries: whoever inserts must see to it that a slot stays empty.

use crate::memory::Zeroed;
use crate::sync::{AtomicU64, Ordering};
use std::ops::Range;

const SLOTS: usize = 8;
/// With more buckets, the three tag bits that select the first slot would also select the bucket.
const MAX_LOG_BUCKETS: u32 = 29;

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
    /// The state that has the tag, if the slot is not empty.
    pub(crate) number: Option<u32>,
}

/// The part of a hash that a slot keeps.
#[inline]
pub(crate) fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Table {
    /// An empty table of `2^log_buckets` buckets, or `None` if that is more than a table can have or the memory
    /// is not there.
    pub(crate) fn new(log_buckets: u32) -> Option<Self> {
        if log_buckets > MAX_LOG_BUCKETS {
            return None;
        }
        Some(Self { buckets: Zeroed::new(1 << log_buckets)?, log_buckets })
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

    /// Where the search for `tag` begins.
    #[inline]
    fn start(&self, tag: u32) -> Place {
        Place { bucket_idx: self.home_idx(tag) as u32, turn: 0 }
    }

    /// Goes from slot to slot in the order of the search for `tag`, from a place on, until `visit` gives a result.
    #[inline(always)]
    fn probe<R>(&self, tag: u32, from: Place, mut visit: impl FnMut(&AtomicU64, Place) -> Option<R>) -> R {
        let Place { mut bucket_idx, mut turn } = from;
        loop {
            let bucket = &self.buckets[bucket_idx as usize];
            while turn < SLOTS as u32 {
                // Within a line the search starts anywhere and wraps around, so that it is short in full lines.
                let slot = &bucket.slots[tag.wrapping_add(turn) as usize % SLOTS];
                if let Some(result) = visit(slot, Place { bucket_idx, turn }) {
                    return result;
                }
                turn += 1;
            }
            bucket_idx = (bucket_idx + 1) & (self.buckets.len() as u32 - 1);
            turn = 0;
        }
    }

    /// Where the search for `tag` first meets an empty slot or one with this tag. It may begin there, at any later
    /// time, because the slots before are taken by others for good.
    #[inline]
    pub(crate) fn approach(&self, tag: u32) -> Approach {
        self.probe(tag, self.start(tag), |slot, place| {
            let word = slot.load(Ordering::Acquire);
            if word == 0 {
                return Some(Approach { place, number: None });
            }
            ((word >> 32) as u32 == tag).then_some(Approach { place, number: Some(word as u32) })
        })
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
        let mut made = None;
        self.probe(tag, place, |slot, _| {
            let mut word = slot.load(Ordering::Acquire);
            if word == 0 {
                let number = match made {
                    Some(number) => number,
                    None => match make() {
                        Ok(number) => *made.insert(number),
                        Err(error) => return Some(Err(error)),
                    },
                };
                let ours = u64::from(tag) << 32 | u64::from(number);
                match slot.compare_exchange(0, ours, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return Some(Ok(Found { number, new: true })),
                    Err(theirs) => word = theirs,
                }
            }
            let number = word as u32;
            ((word >> 32) as u32 == tag && same(number)).then_some(Ok(Found { number, new: false }))
        })
    }

    /// Copies the entries of some buckets of `old`, whose states are not in this table yet.
    pub(crate) fn adopt(&self, old: &Self, buckets: Range<usize>) {
        for bucket in &old.buckets[buckets] {
            for slot in &bucket.slots {
                let word = slot.load(Ordering::Acquire);
                if word != 0 {
                    self.adopt_word(word);
                }
            }
        }
    }

    fn adopt_word(&self, word: u64) {
        let tag = (word >> 32) as u32;
        self.probe(tag, self.start(tag), |slot, _| {
            let free = slot.load(Ordering::Relaxed) == 0;
            (free && slot.compare_exchange(0, word, Ordering::Release, Ordering::Relaxed).is_ok())
                .then_some(())
        });
    }
}
