//! The lock-free core of the compressing stores: an open-addressing index of 32-bit slots in cache lines.
//!
//! A slot is zero while empty, else a number in its lower bits and, in those that numbers do not need yet, a piece
//! of the hash of what the number stands for (its tag). What that is, and whether it is what is looked for, the
//! caller knows. The line where a search begins is the product of hash and number of lines, so an index may have any
//! number of lines and be kept nearly full. Slots are only ever filled, by one compare-and-swap that publishes what
//! was written before under the number; hence a probe that meets an empty slot has seen all that matters.
//!
//! An index cannot be copied into a larger one, for it does not keep hashes: it is made anew from what the numbers
//! stand for. So the old one can be given back first, and the two are never in memory together.
//!
//! The index does not count its entries: whoever inserts must see to it that a slot stays empty.

use crate::memory::Zeroed;
use crate::sync::{AtomicU32, Ordering};

/// The slots of a line.
pub(crate) const SLOTS: usize = 16;

/// One cache line of slots.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Line {
    slots: [AtomicU32; SLOTS],
}

/// The index.
pub(crate) struct Index {
    lines: Zeroed<Line>,
    /// The bits of a slot that hold the number.
    number_mask: u32,
}

/// How far a search has come: to a line, and in it to the slot that has this turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    line_idx: u32,
    turn: u32,
}

/// Where a search gets to without looking at what numbers stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) place: Place,
    /// The number in the slot; zero if it is empty.
    pub(crate) number: u32,
}

/// What an insertion found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The number of what was looked for.
    pub(crate) number: u32,
    /// Whether this insertion put it there.
    pub(crate) new: bool,
}

impl Index {
    /// An empty index for numbers of `number_bits` bits, or `None` if the memory is not there.
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
    pub(crate) fn start(&self, hash: u64) -> Place {
        Place { line_idx: self.home_idx(hash) as u32, turn: 0 }
    }

    /// Goes from slot to slot in the order of the search for `hash`, from a place on, until `visit` gives a result.
    #[inline(always)]
    fn probe<R>(&self, hash: u64, from: Place, mut visit: impl FnMut(&AtomicU32, Place) -> Option<R>) -> R {
        let Place { mut line_idx, mut turn } = from;
        loop {
            let line = &self.lines[line_idx as usize];
            while turn < SLOTS as u32 {
                // Within a line the search starts anywhere and wraps around, so that it is short in full lines.
                let slot = &line.slots[(hash as u32).wrapping_add(turn) as usize % SLOTS];
                if let Some(result) = visit(slot, Place { line_idx, turn }) {
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

    /// Where the search for `hash` first meets an empty slot or one with its tag. It may begin there, at any later
    /// time, because the slots before are taken by others for good.
    #[inline(always)]
    pub(crate) fn approach(&self, hash: u64) -> Approach {
        self.probe(hash, self.start(hash), |slot, place| {
            let word = slot.load(Ordering::Acquire);
            (word == 0 || self.has_tag(word, hash))
                .then_some(Approach { place, number: word & self.number_mask })
        })
    }

    /// Finds the number with this hash for which `same` holds, or puts the one that `make` gives. The search
    /// begins at `place`, which [`Index::approach`] or [`Index::start`] gave for this hash.
    ///
    /// `make` is called at most once, and only if nothing equal was found until then; its number goes unused if
    /// an equal one came in first. What it wrote is visible to every `same` that is called with its number.
    #[inline]
    pub(crate) fn insert<E>(
        &self,
        hash: u64,
        place: Place,
        mut same: impl FnMut(u32) -> bool,
        mut make: impl FnMut() -> Result<u32, E>,
    ) -> Result<Found, E> {
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
                    Ok(_) => return Some(Ok(Found { number, new: true })),
                    Err(theirs) => word = theirs,
                }
            }
            let number = word & self.number_mask;
            (self.has_tag(word, hash) && same(number)).then_some(Ok(Found { number, new: false }))
        })
    }

    /// Puts a number that stands for something that is not in the index yet.
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
