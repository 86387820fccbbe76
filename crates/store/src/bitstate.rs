//! Bitstate hashing: a state is a few bits in a large table, at positions derived from its hash.
//!
//! Holzmann, "On limits and possibilities of automated protocol analysis" (PSTV 1987); the table is a Bloom
//! filter. Its size is fixed when it is made. A state is new if at least one of its bits was not set. With
//! several workers, a lock selected by the hash serialises insertions of equal vectors; otherwise each of two
//! workers might set a different bit of the same state, and both would report it as new.

use crate::filter::Filter;
use crate::memory::{Zeroed, rounded};
use crate::prefetch::prefetch;
use crate::{Budget, Full};
use allways_model::Batch;
use rapidhash::v3::rapidhash_v3;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const N_LOCKS: usize = 1 << 10;

/// A lossy set of states, in a table of fixed size.
pub struct Bitstate {
    words: Zeroed<AtomicU64>,
    n_hashes: u32,
    seed: u64,
    locks: Option<Box<[AtomicBool]>>,
    bytes: u64,
    budget: Budget,
}

impl Bitstate {
    /// An empty set of at least `n_bits` bits, `n_hashes` of which are set for each state, for up to
    /// `workers` concurrent workers. Sets with different seeds lose different states.
    ///
    /// # Errors
    /// [`Full`] if there is no memory for this many bits.
    pub fn new(budget: &Budget, workers: usize, n_bits: u64, n_hashes: u32, seed: u64) -> Result<Self, Full> {
        let bytes = usize::try_from(n_bits.div_ceil(8)).map_err(|_| Full)?;
        let bytes = rounded(bytes.next_multiple_of(8));
        budget.charge(bytes as u64)?;
        let Some(words) = Zeroed::new(bytes / 8) else {
            budget.release(bytes as u64);
            return Err(Full);
        };
        let locks = (workers > 1).then(|| (0..N_LOCKS).map(|_| AtomicBool::new(false)).collect());
        let seed = mix(seed.wrapping_add(1));
        Ok(Self { words, n_hashes, seed, locks, bytes: bytes as u64, budget: budget.clone() })
    }

    /// The number of bits in the table.
    #[must_use]
    pub fn n_bits(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// The number of bits that are set.
    #[must_use]
    pub fn n_set(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    /// The word and the mask of bit number `turn` of a state.
    #[inline(always)]
    fn place(&self, hash: u64, turn: u32) -> (usize, u64) {
        let hash = hash.wrapping_add(u64::from(turn).wrapping_mul(mix(hash) | 1));
        let bit = ((u128::from(hash) * u128::from(self.n_bits())) >> 64) as u64;
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    /// Sets the bits of a state and returns whether at least one was not set before.
    #[inline(always)]
    fn set(&self, hash: u64) -> bool {
        let mut new = false;
        for turn in 0..self.n_hashes {
            let (word_idx, bit) = self.place(hash, turn);
            let word = &self.words[word_idx];
            if word.load(Ordering::Relaxed) & bit == 0 {
                new |= word.fetch_or(bit, Ordering::Relaxed) & bit == 0;
            }
        }
        new
    }
}

#[inline(always)]
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Filter for Bitstate {
    type Local = ();

    fn local(&self) {}

    fn insert(&self, (): &mut (), batch: &mut Batch, first: usize, new: &mut Vec<bool>) -> Result<(), Full> {
        batch.hash_with(|vector| mix(rapidhash_v3(vector) ^ self.seed));
        for entry in &batch.entries()[first..] {
            for turn in 0..self.n_hashes {
                prefetch(&raw const self.words[self.place(entry.hash, turn).0]);
            }
        }
        for entry in &batch.entries()[first..] {
            let Some(locks) = &self.locks else {
                new.push(self.set(entry.hash));
                continue;
            };
            let lock = &locks[(entry.hash >> 7) as usize % N_LOCKS];
            while lock.swap(true, Ordering::Acquire) {
                std::hint::spin_loop();
            }
            new.push(self.set(entry.hash));
            lock.store(false, Ordering::Release);
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Drop for Bitstate {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}
