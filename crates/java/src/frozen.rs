//! A list that only grows, and whose elements stay where they are: any number of workers read it without
//! locks while one appends.
//!
//! Chunks double in size, so an index leads to its element by two loads.

use std::sync::{Mutex, OnceLock};

/// The first chunk holds so many elements, each later one as many as all before it.
const FIRST: usize = 1 << 10;
/// Enough chunks for 2^32 elements.
const N_CHUNKS: usize = 23;

type Chunk<T> = OnceLock<Box<[OnceLock<T>]>>;

/// The list.
pub struct Frozen<T> {
    chunks: [Chunk<T>; N_CHUNKS],
    len: Mutex<usize>,
}

impl<T> Default for Frozen<T> {
    fn default() -> Self {
        Self { chunks: [const { OnceLock::new() }; N_CHUNKS], len: Mutex::new(0) }
    }
}

/// The chunk of an element, and its place there.
#[inline]
fn place(idx: usize) -> (usize, usize) {
    if idx < FIRST {
        return (0, idx);
    }
    let chunk = (idx / FIRST).ilog2() as usize + 1;
    (chunk, idx - (FIRST << (chunk - 1)))
}

impl<T> Frozen<T> {
    /// Appends an element and gives its index.
    ///
    /// # Panics
    /// Beyond 2^32 elements.
    pub fn push(&self, element: T) -> u32 {
        self.push_with(|_| element)
    }

    /// Appends what `make` gives for the index it will have.
    ///
    /// # Panics
    /// Beyond 2^32 elements, or if `make` panics.
    pub fn push_with(&self, make: impl FnOnce(u32) -> T) -> u32 {
        let mut len = self.len.lock().expect("nobody panics while appending");
        let idx = u32::try_from(*len).expect("a list has fewer than 2^32 elements");
        let (chunk, at) = place(*len);
        let size = if chunk == 0 { FIRST } else { FIRST << (chunk - 1) };
        let chunk = self.chunks[chunk].get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        assert!(chunk[at].set(make(idx)).is_ok(), "an element is set once");
        *len += 1;
        idx
    }

    /// An element.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn get(&self, idx: u32) -> &T {
        let (chunk, at) = place(idx as usize);
        self.chunks[chunk].get().and_then(|chunk| chunk[at].get()).expect("the index was given by push")
    }

    /// An element, to change it while nobody else looks.
    ///
    /// # Panics
    /// If there is none.
    pub fn get_mut(&mut self, idx: u32) -> &mut T {
        let (chunk, at) = place(idx as usize);
        self.chunks[chunk]
            .get_mut()
            .and_then(|chunk| chunk[at].get_mut())
            .expect("the index was given by push")
    }

    /// How many elements there are.
    ///
    /// # Panics
    /// If another thread panicked while it appended.
    pub fn n_elements(&self) -> u32 {
        *self.len.lock().expect("nobody panics while appending") as u32
    }

    /// All elements, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.n_elements()).map(|idx| self.get(idx))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_their_places() {
        let list = Frozen::default();
        for n in 0..10_000_u32 {
            assert_eq!(list.push(n), n);
        }
        assert!((0..10_000).all(|n| *list.get(n) == n));
        assert_eq!(list.iter().count(), 10_000);
    }
}
