//! What a certifier keeps of states: vectors that wait to be expanded, and prints of those that are mentioned
//! again.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Vectors, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vectors {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Vectors {
    pub(crate) fn push(&mut self, vector: &[u8]) {
        self.bytes.extend_from_slice(vector);
        self.ends.push(self.bytes.len());
    }

    pub(crate) fn get(&self, idx: usize) -> Option<&[u8]> {
        let end = *self.ends.get(idx)?;
        let start = idx.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start..end)
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

/// The vectors that wait to be expanded, in order.
#[derive(Default)]
pub(crate) struct Queue {
    levels: [Vectors; 2],
    /// The next vector of the first level.
    at: usize,
}

impl Queue {
    pub(crate) fn push(&mut self, vector: &[u8]) {
        self.levels[1].push(vector);
    }

    pub(crate) fn pop(&mut self) -> Option<&[u8]> {
        if self.at == self.levels[0].len() {
            self.levels.swap(0, 1);
            self.levels[1].clear();
            self.at = 0;
        }
        let vector = self.levels[0].get(self.at)?;
        self.at += 1;
        Some(vector)
    }

    pub(crate) fn len(&self) -> u64 {
        (self.levels[0].len() - self.at + self.levels[1].len()) as u64
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        let n_bytes = |level: &Vectors| level.bytes.len() + size_of::<usize>() * level.ends.len();
        self.levels.iter().map(n_bytes).sum::<usize>() as u64
    }
}

/// A hash of numbers: they are given out by the certifier one after the other.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

/// The prints of numbered states.
pub(crate) enum Table<T> {
    /// Of all of them: number n is at n - 1.
    All(Vec<T>),
    /// Of those that are mentioned again.
    Some(HashMap<u64, T, BuildHasherDefault<Spread>>),
}

impl<T> Table<T> {
    pub(crate) fn put(&mut self, number: u64, print: T) {
        match self {
            Self::All(all) => all.push(print),
            Self::Some(some) => drop(some.insert(number, print)),
        }
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        match self {
            Self::All(all) => all.get(usize::try_from(number).ok()?.checked_sub(1)?),
            Self::Some(some) => some.get(&number),
        }
    }

    pub(crate) fn forget(&mut self, number: u64) {
        if let Self::Some(some) = self {
            some.remove(&number);
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::All(all) => all.len(),
            Self::Some(some) => some.len(),
        }
    }
}
