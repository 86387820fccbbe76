//! What a search remembers about states, beside the store: tables indexed by [`StateRef`].
//!
//! They grow as references grow, charge the same [`Budget`] as the store, and can be written by many workers
//! at once. A mark that was never written reads as zero or `None`.

use crate::chunks::Chunks;
use crate::{Budget, Full, StateRef};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

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

    /// Adds `state` and says whether it was not in the set; of several workers that add it at once, one is
    /// told so.
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

    /// Maps `state` to `target`, unless it is mapped to that or to a greater one; gives whether it was not.
    ///
    /// # Errors
    /// [`Full`] if the map cannot grow.
    #[inline]
    pub fn raise(&self, state: StateRef, target: StateRef) -> Result<bool, Full> {
        let place = self.targets.get_or_grow(state.raw())?;
        if place.load(Ordering::Acquire) >= target.raw() {
            return Ok(false);
        }
        Ok(place.fetch_max(target.raw(), Ordering::AcqRel) < target.raw())
    }

    /// The bytes that the map occupies.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.targets.bytes()
    }
}

/// A number for each state.
pub struct Numbers {
    numbers: Chunks<AtomicU32, 14>,
}

impl Numbers {
    /// Zero for every state.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self { numbers: Chunks::new(budget.clone()) }
    }

    /// The number of `state`.
    #[inline]
    #[must_use]
    pub fn get(&self, state: StateRef) -> u32 {
        self.numbers.get(state.raw()).map_or(0, |number| number.load(Ordering::Acquire))
    }

    /// Gives `state` another number.
    ///
    /// # Errors
    /// [`Full`] if the table cannot grow.
    #[inline]
    pub fn set(&self, state: StateRef, number: u32) -> Result<(), Full> {
        self.numbers.get_or_grow(state.raw())?.store(number, Ordering::Release);
        Ok(())
    }
}

/// Eight flags for each state.
pub struct Flags {
    flags: Chunks<AtomicU8, 13>,
}

impl Flags {
    /// No flag for any state.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self { flags: Chunks::new(budget.clone()) }
    }

    /// The flags of `state`.
    #[inline]
    #[must_use]
    pub fn get(&self, state: StateRef) -> u8 {
        self.flags.get(state.raw()).map_or(0, |flags| flags.load(Ordering::Acquire))
    }

    /// Adds flags to those of `state`, and gives what it had before.
    ///
    /// # Errors
    /// [`Full`] if the table cannot grow.
    #[inline]
    pub fn add(&self, state: StateRef, flags: u8) -> Result<u8, Full> {
        Ok(self.flags.get_or_grow(state.raw())?.fetch_or(flags, Ordering::AcqRel))
    }

    /// Adds flags to those of `state`, unless it has one of `unless`; gives what it had before.
    ///
    /// # Errors
    /// [`Full`] if the table cannot grow.
    #[inline]
    pub fn add_unless(&self, state: StateRef, flags: u8, unless: u8) -> Result<u8, Full> {
        let place = self.flags.get_or_grow(state.raw())?;
        let mut before = place.load(Ordering::Acquire);
        while before & unless == 0 {
            let after = before | flags;
            match place.compare_exchange_weak(before, after, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(now) => before = now,
            }
        }
        Ok(before)
    }

    /// Takes flags away from those of `state`, and gives what it had before.
    #[inline]
    pub fn remove(&self, state: StateRef, flags: u8) -> u8 {
        self.flags.get(state.raw()).map_or(0, |place| place.fetch_and(!flags, Ordering::AcqRel))
    }

    /// Replaces all flags of `state`, without the cost of an atomic operation.
    ///
    /// # Errors
    /// [`Full`] if the table cannot grow.
    #[inline]
    pub fn set_mut(&mut self, state: StateRef, flags: u8) -> Result<(), Full> {
        self.flags.get_or_grow(state.raw())?.store(flags, Ordering::Relaxed);
        Ok(())
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
    fn links_only_rise_and_flags_come_and_go() {
        let budget = Budget::new(None);
        let links = Links::new(&budget);
        assert!(links.raise(state(3), state(7)).unwrap() && !links.raise(state(3), state(7)).unwrap());
        assert!(!links.raise(state(3), state(6)).unwrap() && links.raise(state(3), state(9)).unwrap());
        assert_eq!((links.get(state(3)), links.get(state(4))), (Some(state(9)), None));
        let mut flags = Flags::new(&budget);
        assert_eq!((flags.get(state(5)), flags.remove(state(5), 3)), (0, 0));
        assert_eq!((flags.add(state(5), 1).unwrap(), flags.add(state(5), 6).unwrap()), (0, 1));
        assert_eq!(flags.add_unless(state(5), 8, 2).unwrap(), 7);
        assert_eq!((flags.add_unless(state(5), 8, 64).unwrap(), flags.get(state(5))), (7, 15));
        assert_eq!((flags.remove(state(5), 2), flags.get(state(5))), (15, 13));
        flags.set_mut(state(5), 4).unwrap();
        assert_eq!((flags.get(state(5)), flags.get(state(6))), (4, 0));
        let numbers = Numbers::new(&budget);
        numbers.set(state(2), 77).unwrap();
        assert_eq!((numbers.get(state(2)), numbers.get(state(1 << 20))), (77, 0));
    }

    #[test]
    fn the_budget_bounds_them() {
        let links = Links::new(&Budget::new(Some(64)));
        assert_eq!(links.set(state(1 << 20), state(1)), Err(Full));
    }
}
