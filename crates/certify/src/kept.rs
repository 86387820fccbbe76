//! What a certifier keeps of states: vectors that wait to be expanded, and prints of those that are mentioned
//! again.

use allways_model::certificate::script::Mention;
use std::collections::VecDeque;
use std::hint::black_box;

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

    pub(crate) fn clear(&mut self) {
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
    /// How many levels were begun.
    n_begun: u64,
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
            self.n_begun += u64::from(self.levels[0].len() > 0);
        }
        let vector = self.levels[0].get(self.at)?;
        self.at += 1;
        Some(vector)
    }

    /// How many steps the states of the current level are away from the first one.
    pub(crate) fn depth(&self) -> u64 {
        self.n_begun.saturating_sub(1)
    }

    /// The vector that was popped last.
    pub(crate) fn last(&self) -> Option<&[u8]> {
        self.levels[0].get(self.at.checked_sub(1)?)
    }

    pub(crate) fn len(&self) -> u64 {
        (self.levels[0].len() - self.at + self.levels[1].len()) as u64
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        let n_bytes = |level: &Vectors| level.bytes.len() + size_of::<usize>() * level.ends.len();
        self.levels.iter().map(n_bytes).sum::<usize>() as u64
    }
}

/// No slot.
const NONE: u32 = u32::MAX;

/// The prints of numbered states that are mentioned again.
pub(crate) struct Table<T> {
    /// The slots of the numbers from `first` on.
    slots: VecDeque<u32>,
    first: u64,
    prints: Vec<T>,
    /// Slots of prints that were forgotten.
    free: Vec<u32>,
}

impl<T: Default + PartialEq> Table<T> {
    /// Has the processor fetch what will be compared with mentions, all at the same time. This is for speed
    /// alone.
    #[inline]
    pub(crate) fn fetch(&self, mentions: &[Mention]) {
        let nothing = T::default();
        for mention in mentions {
            black_box(self.get(mention.number).is_some_and(|print| *print == nothing));
        }
    }

    /// An empty table, whose first number is this one.
    pub(crate) fn starting_at(first: u64) -> Self {
        Self { slots: VecDeque::new(), first, prints: Vec::new(), free: Vec::new() }
    }

    /// Keeps the print of the next number, `None` if it is not mentioned again; gives whether there was room.
    #[inline]
    pub(crate) fn put(&mut self, print: Option<T>) -> bool {
        let slot = match (print, self.free.last()) {
            (None, _) => NONE,
            (Some(print), Some(&slot)) => {
                self.free.pop();
                self.prints[slot as usize] = print;
                slot
            }
            (Some(print), None) => {
                self.prints.push(print);
                (self.prints.len() - 1).try_into().unwrap_or(NONE)
            }
        };
        self.slots.push_back(slot);
        self.prints.len() <= NONE as usize
    }

    #[inline]
    fn idx(&self, number: u64) -> Option<usize> {
        number.checked_sub(self.first).map(|idx| idx as usize)
    }

    #[inline]
    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        // There is no print in a slot that does not exist.
        self.prints.get(*self.slots.get(self.idx(number)?)? as usize)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let slot = *self.slots.get(self.idx(number)?)?;
        self.prints.get_mut(slot as usize)
    }

    #[inline]
    pub(crate) fn forget(&mut self, number: u64) {
        let idx = self.idx(number);
        let Some(slot) = idx.and_then(|idx| self.slots.get_mut(idx)).filter(|slot| **slot != NONE) else {
            return;
        };
        // Whole vectors give their memory back.
        self.prints[*slot as usize] = T::default();
        self.free.push(std::mem::replace(slot, NONE));
    }

    /// Drops the numbers before the first that is kept. Called now and then.
    pub(crate) fn trim(&mut self) {
        while self.slots.front() == Some(&NONE) {
            self.slots.pop_front();
            self.first += 1;
        }
    }

    /// How many prints are kept.
    pub(crate) fn len(&self) -> usize {
        self.prints.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_forgets() {
        let mut table = Table::starting_at(1);
        for number in 1..=10_u128 {
            assert!(table.put((number % 3 > 0).then_some(number)));
        }
        assert_eq!((table.len(), table.get(2), table.get(3), table.get(11)), (7, Some(&2), None, None));
        for number in [0, 2, 3, 1, 99, 2] {
            table.forget(number);
        }
        assert_eq!(table.first, 1);
        table.trim();
        assert_eq!((table.len(), table.first, table.get(1), table.get(4)), (5, 4, None, Some(&4)));
        table.put(Some(11));
        assert_eq!((table.len(), table.prints.len(), table.get(11)), (6, 7, Some(&11)));
    }
}
