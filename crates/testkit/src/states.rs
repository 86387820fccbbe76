//! Sets of states as one number: equal for two searches if a model's bytes mean the same in both.

use std::hash::{DefaultHasher, Hasher};
use std::sync::{Mutex, PoisonError};

/// The states that a search reached, recorded by any number of workers.
#[derive(Default)]
pub struct StateSet(Mutex<Vec<u128>>);

impl StateSet {
    /// Records a state.
    pub fn add(&self, vector: &[u8]) {
        let hash = u128::from(hash(0, vector)) << 64 | u128::from(hash(1, vector));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(hash);
    }

    /// A number for the sorted set of states. It is the same in every process of the same build.
    pub fn digest(&self) -> u64 {
        let mut hashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hashes.sort_unstable();
        hashes.dedup();
        hash(2, &hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect::<Vec<_>>())
    }
}

fn hash(seed: u8, bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u8(seed);
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(states: &[&[u8]]) -> u64 {
        let set = StateSet::default();
        states.iter().for_each(|state| set.add(state));
        set.digest()
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        assert_eq!(digest(&[b"a", b"b", b"a"]), digest(&[b"b", b"a"]));
        assert_ne!(digest(&[b"a", b"b"]), digest(&[b"a", b"c"]));
        assert_ne!(digest(&[b"ab"]), digest(&[b"a", b"b"]));
    }
}
