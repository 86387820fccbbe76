//! Lossy sets of states. A state seen before is never reported as new, but a new state may be taken for a
//! seen one.
//!
//! A filter keeps no vectors, so it can neither return a state nor number it. It can estimate the share of
//! states that it has lost.

use crate::{Budget, Full};
use allways_model::Batch;

/// A lossy set of states, shared by all workers of a search.
pub trait Filter: Sync {
    /// Adds the entries of `batch` from index `first` on, and appends to `new` whether each was absent. Of
    /// several insertions of equal vectors, by any workers, at most one reports `true`. `local` is the
    /// calling worker's.
    ///
    /// # Errors
    /// [`Full`] if there is no memory left; `new` then holds the results for the entries before the one that
    /// failed.
    fn insert(
        &self,
        local: &mut Self::Local,
        batch: &mut Batch,
        first: usize,
        new: &mut Vec<bool>,
    ) -> Result<(), Full>;

    /// The state that the filter keeps for one worker.
    type Local;

    /// Makes the local state of one worker.
    fn local(&self) -> Self::Local;

    /// The bytes that the filter occupies.
    fn bytes(&self) -> u64;

    /// The account that this filter charges its memory to.
    fn budget(&self) -> &Budget;
}

/// The expected share of states that a table of `n_bits` bits with `n_hashes` hash functions has lost when it
/// holds `n_states`. It is the average, over all insertions, of the probability that all bits of a new state
/// were already set (Bloom; Holzmann, "An analysis of bitstate hashing", 1995). States that are reachable
/// only through lost ones are not counted.
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

/// The probability that a table of 64-bit hashes took any of `n_states` states for another (Wolper and Leroy,
/// "Reliable hashing without collision detection", CAV 1993).
#[must_use]
pub fn hashcompact_omission(n_states: u64) -> f64 {
    let n = n_states as f64;
    -(-n * n / 2.0_f64.powi(65)).exp_m1()
}
