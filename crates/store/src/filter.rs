//! Lossy sets of states: they say *new* of a state that they have not seen, but may take a new one for one seen before.
//!
//! A filter keeps no vectors, so it gives none back and names none. What it loses it can estimate.

use crate::{Budget, Full};
use allways_model::Batch;

/// A lossy set of states, shared by all workers of a search.
pub trait Filter: Sync {
    /// Adds the entries of `batch` from the one at `first` on, and appends to `new` whether each was not there. Of
    /// several insertions of equal vectors, by whichever workers, at most one is told so. `hand` is the calling worker's.
    ///
    /// # Errors
    /// [`Full`] if there is no memory left; `new` then holds the answers for the entries before.
    fn insert(
        &self,
        hand: &mut Self::Hand,
        batch: &mut Batch,
        first: usize,
        new: &mut Vec<bool>,
    ) -> Result<(), Full>;

    /// What a worker needs of its own.
    type Hand;

    /// A hand for one worker.
    fn hand(&self) -> Self::Hand;

    /// The bytes that the filter occupies.
    fn bytes(&self) -> u64;

    /// The account that this filter charges its memory to.
    fn budget(&self) -> &Budget;
}

/// The share of states that a bit table with so many bits and hash functions is expected to have taken for others by the
/// time that it holds `n_states`: the average, over all insertions, of the probability that all bits of a new state
/// were set (Bloom; Holzmann, "An analysis of bitstate hashing", 1995). States behind those are not counted.
#[must_use]
pub fn bitstate_omission(n_states: u64, n_bits: u64, n_hashes: u32) -> f64 {
    const N_STEPS: u32 = 1000;
    if n_states == 0 || n_bits == 0 {
        return 0.0;
    }
    let (n, k) = (n_states as f64, f64::from(n_hashes));
    let missed = |step: u32| {
        let stored = n * (f64::from(step) + 0.5) / f64::from(N_STEPS);
        (-(-k * stored / n_bits as f64).exp_m1()).powf(k)
    };
    (0..N_STEPS).map(missed).sum::<f64>() / f64::from(N_STEPS)
}

/// The probability that a table of 64-bit hashes took any of its `n_states` for another (Wolper and Leroy, "Reliable
/// hashing without collision detection", CAV 1993).
#[must_use]
pub fn hashcompact_omission(n_states: u64) -> f64 {
    let n = n_states as f64;
    -(-n * n / 2.0_f64.powi(65)).exp_m1()
}
