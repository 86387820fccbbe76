//! What a search remembers about states, beside the store: tables indexed by [`StateRef`].
//!
//! They grow as references grow, charge the same [`Budget`] as the store, and can be written by many workers at
//! once. A mark that was never written reads as zero or `None`.

use crate::chunks::Chunks;
use crate::{Budget, Full, StateRef};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A set of states: one bit each.
pub struct Bits {
    words: Chunks<AtomicU64, 10>,
}

impl Bits {
    /// The empty set.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self { words: Chunks::new(budget.clone()) }
    }

    /// Whether `state` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, state: StateRef) -> bool {
        let word = self.words.get(state.raw() / 64);
        word.is_some_and(|word| word.load(Ordering::Acquire) >> (state.raw() % 64) & 1 == 1)
    }

    /// Adds `state` and says whether it was not in the set; of several workers that add it at once, one is told so.
    ///
    /// # Errors
    /// [`Full`] if the set cannot grow.
    #[inline]
    pub fn insert(&self, state: StateRef) -> Result<bool, Full> {
        let word = self.words.get_or_grow(state.raw() / 64)?;
        let bit = 1 << (state.raw() % 64);
        Ok(word.fetch_or(bit, Ordering::AcqRel) & bit == 0)
    }

    /// As [`Bits::insert`], without the cost of an atomic operation.
    ///
    /// # Errors
    /// [`Full`] if the set cannot grow.
    #[inline]
    pub fn insert_mut(&mut self, state: StateRef) -> Result<bool, Full> {
        let word = self.words.get_or_grow(state.raw() / 64)?;
        let bit = 1 << (state.raw() % 64);
        let before = word.load(Ordering::Relaxed);
        word.store(before | bit, Ordering::Relaxed);
        Ok(before & bit == 0)
    }

    /// The bytes that the set occupies.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.words.bytes()
    }
}

/// A map from states to states, such as the state that each was first reached from.
pub struct Links {
    targets: Chunks<AtomicU32, 14>,
}

impl Links {
    /// The empty map.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self { targets: Chunks::new(budget.clone()) }
    }

    /// The state that `state` is mapped to.
    #[inline]
    #[must_use]
    pub fn get(&self, state: StateRef) -> Option<StateRef> {
        self.targets.get(state.raw()).and_then(|target| StateRef::from_raw(target.load(Ordering::Acquire)))
    }

    /// Maps `state` to `target`.
    ///
    /// # Errors
    /// [`Full`] if the map cannot grow.
    #[inline]
    pub fn set(&self, state: StateRef, target: StateRef) -> Result<(), Full> {
        self.targets.get_or_grow(state.raw())?.store(target.raw(), Ordering::Release);
        Ok(())
    }

    /// The bytes that the map occupies.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.targets.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(raw: u32) -> StateRef {
        StateRef::from_raw(raw).unwrap()
    }

    #[test]
    fn one_worker_of_many_claims_a_bit() {
        let bits = Bits::new(&Budget::new(None));
        let claimed = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for raw in 1..=10_000 {
                        if bits.insert(state(raw)).unwrap() {
                            claimed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert_eq!(claimed.into_inner(), 10_000);
        assert!(bits.contains(state(1)) && !bits.contains(state(10_001)) && !bits.contains(state(u32::MAX)));
    }

    #[test]
    fn links_and_bits_read_back() {
        let budget = Budget::new(None);
        let links = Links::new(&budget);
        links.set(state(70_000), state(5)).unwrap();
        assert_eq!(links.get(state(70_000)), Some(state(5)));
        assert_eq!(links.get(state(69_999)), None);
        let mut bits = Bits::new(&budget);
        assert!(bits.insert_mut(state(9)).unwrap() && !bits.insert_mut(state(9)).unwrap());
        assert_eq!(budget.used(), links.bytes() + bits.bytes());
    }

    #[test]
    fn the_budget_bounds_them() {
        let links = Links::new(&Budget::new(Some(64)));
        assert_eq!(links.set(state(1 << 20), state(1)), Err(Full));
    }
}
