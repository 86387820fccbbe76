//! The lock-free core of the compressing stores: an open-addressing index of 32-bit slots in cache lines.
//!
//! An empty slot is zero. A filled slot has a number in its lower bits and, in the bits that numbers do not
//! need yet, a part of the hash of the numbered value (its tag). The index does not know the values: the
//! caller supplies the comparison. The line where a search begins is the upper half of the product of the
//! hash and the number of lines, so an index may have any number of lines and be kept nearly full. A slot
//! changes only once, from empty to filled, by one compare-and-swap that publishes the value written before
//! under the number. Hence a probe that reaches an empty slot has passed every slot in which an equal value
//! could have been placed before.
//!
//! An index keeps no whole hashes, so it cannot be copied into a larger one: it is rebuilt from the numbered
//! values. So the old index can be freed first, and the two are never in memory together.
//!
//! The index does not count its entries. The caller must ensure that at least one slot stays empty, or a
//! probe would not end.

use crate::memory::Zeroed;
use crate::sync::{AtomicU32, Ordering};

/// The number of slots in a line.
pub(crate) const SLOTS: usize = 16;

/// One cache line of slots.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Line {
    slots: [AtomicU32; SLOTS],
}

/// An index from hashes to numbers.
pub(crate) struct Index {
    lines: Zeroed<Line>,
    /// The bits of a slot that hold the number.
    number_mask: u32,
}

/// The position of a search: a line, and the turn of a slot within it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexPosition {
    line_idx: u32,
    turn: u32,
}

/// Where a search gets without comparing values: the first slot that is empty or has the tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) place: IndexPosition,
    /// The number in the slot; zero if it is empty.
    pub(crate) number: u32,
}

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    /// The number of the value searched for.
    pub(crate) number: u32,
    /// Whether this insertion added it.
    pub(crate) new: bool,
}

impl Index {
    /// An empty index for numbers of `number_bits` bits, or `None` if there is not enough memory.
    pub(crate) fn new(n_lines: usize, number_bits: u32) -> Option<Self> {
        assert!((4..=32).contains(&number_bits), "the lowest bits of a hash are not for tags");
        u32::try_from(n_lines).ok()?;
        Some(Self { lines: Zeroed::new(n_lines)?, number_mask: u32::MAX >> (32 - number_bits) })
    }

    pub(crate) fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// The line in which the search for `hash` begins, for a prefetch.
    #[inline(always)]
    pub(crate) fn home(&self, hash: u64) -> &Line {
        &self.lines[self.home_idx(hash)]
    }

    #[inline(always)]
    fn home_idx(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.lines.len() as u128) >> 64) as usize
    }

    /// Where the search for `hash` begins.
    #[inline(always)]
    pub(crate) fn start(&self, hash: u64) -> IndexPosition {
        IndexPosition { line_idx: self.home_idx(hash) as u32, turn: 0 }
    }

    /// Visits slots in the order of the search for `hash`, starting at `from`, until `visit` returns a
    /// result.
    #[inline(always)]
    fn probe<R>(
        &self,
        hash: u64,
        from: IndexPosition,
        mut visit: impl FnMut(&AtomicU32, IndexPosition) -> Option<R>,
    ) -> R {
        let IndexPosition { mut line_idx, mut turn } = from;
        loop {
            let line = &self.lines[line_idx as usize];
            while turn < SLOTS as u32 {
                // Within a line the search starts at a slot given by the hash and wraps around, which keeps
                // it short in full lines.
                let slot = &line.slots[(hash as u32).wrapping_add(turn) as usize % SLOTS];
                if let Some(result) = visit(slot, IndexPosition { line_idx, turn }) {
                    return result;
                }
                turn += 1;
            }
            line_idx = if line_idx as usize + 1 == self.lines.len() { 0 } else { line_idx + 1 };
            turn = 0;
        }
    }

    #[inline(always)]
    fn has_tag(&self, word: u32, hash: u64) -> bool {
        (word ^ hash as u32) & !self.number_mask == 0
    }

    /// The first slot in the search for `hash` that is empty or has its tag. A later insertion of this hash
    /// may begin there, because the slots before it hold other tags and never change.
    #[inline(always)]
    pub(crate) fn approach(&self, hash: u64) -> Approach {
        self.probe(hash, self.start(hash), |slot, place| {
            let word = slot.load(Ordering::Acquire);
            (word == 0 || self.has_tag(word, hash))
                .then_some(Approach { place, number: word & self.number_mask })
        })
    }

    /// Finds the number with this hash for which `same` holds, or inserts the one that `make` returns. The
    /// search begins at `place`, which [`Index::approach`] or [`Index::start`] gave for this hash.
    ///
    /// `make` is called at most once, and only if no equal value was found before. Its number goes unused if
    /// another thread inserts an equal value first. What `make` wrote is visible to every `same` that is
    /// called with its number.
    #[inline]
    pub(crate) fn insert<E>(
        &self,
        hash: u64,
        place: IndexPosition,
        mut same: impl FnMut(u32) -> bool,
        mut make: impl FnMut() -> Result<u32, E>,
    ) -> Result<IndexEntry, E> {
        let mut made = None;
        self.probe(hash, place, |slot, _| {
            let mut word = slot.load(Ordering::Acquire);
            if word == 0 {
                let number = match made {
                    Some(number) => number,
                    None => match make() {
                        Ok(number) => *made.insert(number),
                        Err(error) => return Some(Err(error)),
                    },
                };
                match slot.compare_exchange(0, self.word(hash, number), Ordering::Release, Ordering::Acquire)
                {
                    Ok(_) => return Some(Ok(IndexEntry { number, new: true })),
                    Err(theirs) => word = theirs,
                }
            }
            let number = word & self.number_mask;
            (self.has_tag(word, hash) && same(number)).then_some(Ok(IndexEntry { number, new: false }))
        })
    }

    /// Inserts a number whose value is not in the index yet.
    #[inline]
    pub(crate) fn put(&self, hash: u64, number: u32) {
        let word = self.word(hash, number);
        self.probe(hash, self.start(hash), |slot, _| {
            let free = slot.load(Ordering::Relaxed) == 0;
            (free && slot.compare_exchange(0, word, Ordering::Release, Ordering::Relaxed).is_ok())
                .then_some(())
        });
    }

    #[inline(always)]
    fn word(&self, hash: u64, number: u32) -> u32 {
        debug_assert!(number != 0 && number & !self.number_mask == 0, "a number fits its bits");
        hash as u32 & !self.number_mask | number
    }
}
