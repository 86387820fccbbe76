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

use crate::sync::{AtomicU64, Ordering};
use std::ops::Range;

const SLOTS: usize = 8;
/// With more buckets, the three tag bits that select the first slot would also select the bucket.
const MAX_LOG_BUCKETS: u32 = 29;

/// One cache line of slots.
#[repr(align(64))]
pub(crate) struct Bucket {
    slots: [AtomicU64; SLOTS],
}

impl Bucket {
    fn new() -> Self {
        Self { slots: std::array::from_fn(|_| AtomicU64::new(0)) }
    }
}

/// The table of slots.
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
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

/// The part of a hash that a slot keeps.
#[inline]
pub(crate) fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Table {
    /// An empty table of `2^log_buckets` buckets, or `None` if that is more than a table can have.
    pub(crate) fn new(log_buckets: u32) -> Option<Self> {
        if log_buckets > MAX_LOG_BUCKETS {
            return None;
        }
        Some(Self { buckets: (0..1usize << log_buckets).map(|_| Bucket::new()).collect(), log_buckets })
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

    /// Where the search for `tag` begins, for a prefetch.
    #[inline]
    pub(crate) fn home(&self, tag: u32) -> &Bucket {
        &self.buckets[self.home_idx(tag)]
    }

    #[inline]
    fn home_idx(&self, tag: u32) -> usize {
        // In 64 bits, so that with one bucket the tag is shifted out entirely.
        (u64::from(tag) >> (32 - self.log_buckets)) as usize
    }

    /// The number in the first slot that may hold `tag`, without looking at the state itself.
    #[inline]
    pub(crate) fn peek(&self, tag: u32) -> Option<u32> {
        let bucket = self.home(tag);
        for turn in 0..SLOTS {
            let word = bucket.slots[(tag as usize + turn) % SLOTS].load(Ordering::Relaxed);
            if word == 0 {
                return None;
            }
            if (word >> 32) as u32 == tag {
                return Some(word as u32);
            }
        }
        None
    }

    /// Finds the state with this tag for which `same` holds, or puts the one that `make` numbers.
    ///
    /// `make` is called at most once, and only if no equal state was found until then; its number goes unused if
    /// an equal state came in first. What it wrote is visible to every `same` that is called with its number.
    #[inline]
    pub(crate) fn insert<E>(
        &self,
        tag: u32,
        mut same: impl FnMut(u32) -> bool,
        mut make: impl FnMut() -> Result<u32, E>,
    ) -> Result<Found, E> {
        let mut made = None;
        let mut idx = self.home_idx(tag);
        loop {
            let bucket = &self.buckets[idx];
            for turn in 0..SLOTS {
                let slot = &bucket.slots[(tag as usize + turn) % SLOTS];
                let mut word = slot.load(Ordering::Acquire);
                if word == 0 {
                    let number = match made {
                        Some(number) => number,
                        None => *made.insert(make()?),
                    };
                    let ours = u64::from(tag) << 32 | u64::from(number);
                    match slot.compare_exchange(0, ours, Ordering::Release, Ordering::Acquire) {
                        Ok(_) => return Ok(Found { number, new: true }),
                        Err(theirs) => word = theirs,
                    }
                }
                if (word >> 32) as u32 == tag && same(word as u32) {
                    return Ok(Found { number: word as u32, new: false });
                }
            }
            idx = (idx + 1) & (self.buckets.len() - 1);
        }
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
        let mut idx = self.home_idx(tag);
        loop {
            for turn in 0..SLOTS {
                let slot = &self.buckets[idx].slots[(tag as usize + turn) % SLOTS];
                if slot.load(Ordering::Relaxed) == 0
                    && slot.compare_exchange(0, word, Ordering::Release, Ordering::Relaxed).is_ok()
                {
                    return;
                }
            }
            idx = (idx + 1) & (self.buckets.len() - 1);
        }
    }
}
