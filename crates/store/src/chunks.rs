//! A concurrent array that grows without moving: elements come in chunks that are allocated when first needed.
//!
//! A directory with a pointer for every chunk that there could ever be is reserved from the start: half a
//! megabyte of addresses, of which the system provides only the pages that are used. So finding an element takes
//! two loads, the first of them nearly always from the nearest cache. A chunk once there stays where it is until
//! the array is dropped. Elements start as zero.
#![allow(unsafe_code, reason = "chunks are published through atomic pointers")]

use crate::{Budget, Full};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

const N_CHUNKS: usize = 1 << 16;

/// A type of which all bytes zero are a value.
///
/// # Safety
/// An object whose bytes are all zero must be a valid value of the type, and the type must need no drop.
pub(crate) unsafe trait Zero {}

// SAFETY: atomics have the representation of their integers.
unsafe impl Zero for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zero for AtomicU64 {}

/// The array: it has room for `2^(16 + LOG)` elements, in chunks of `2^LOG`.
pub(crate) struct Chunks<T, const LOG: u32> {
    directory: Box<[AtomicPtr<T>; N_CHUNKS]>,
    n_chunks: AtomicU64,
    budget: Budget,
}

impl<T: Zero, const LOG: u32> Chunks<T, LOG> {
    pub(crate) fn new(budget: Budget) -> Self {
        // SAFETY: null pointers are all zero bytes.
        let directory = unsafe { Box::new_zeroed().assume_init() };
        Self { directory, n_chunks: AtomicU64::new(0), budget }
    }

    /// The element at `idx`, if its chunk is there.
    #[inline(always)]
    pub(crate) fn get(&self, idx: u32) -> Option<&T> {
        let chunk = self.directory.get((idx >> LOG) as usize)?.load(Ordering::Acquire);
        if chunk.is_null() {
            return None;
        }
        // SAFETY: a pointer that is not null points to a chunk of `2^LOG` elements that lives as long as `self`.
        Some(unsafe { &*chunk.add((idx & ((1 << LOG) - 1)) as usize) })
    }

    /// The element at `idx`; its chunk is allocated if it is not there.
    #[inline(always)]
    pub(crate) fn get_or_grow(&self, idx: u32) -> Result<&T, Full> {
        match self.get(idx) {
            Some(element) => Ok(element),
            None => self.grow(idx),
        }
    }

    #[cold]
    fn grow(&self, idx: u32) -> Result<&T, Full> {
        let pointer = self.directory.get((idx >> LOG) as usize).ok_or(Full)?;
        self.budget.charge(Self::CHUNK_BYTES)?;
        let zeroed = Box::<[T]>::new_zeroed_slice(1 << LOG);
        // SAFETY: `T: Zero` says that zeroed elements are values.
        let ours = Box::into_raw(unsafe { zeroed.assume_init() }).cast::<T>();
        if pointer.compare_exchange(ptr::null_mut(), ours, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            self.n_chunks.fetch_add(1, Ordering::Relaxed);
        } else {
            // Another thread was first: its chunk is as good.
            // SAFETY: `ours` was made from a box of this many elements just above and was not published.
            drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(ours, 1 << LOG)) });
            self.budget.release(Self::CHUNK_BYTES);
        }
        self.get(idx).ok_or(Full)
    }
}

impl<T, const LOG: u32> Chunks<T, LOG> {
    const CHUNK_BYTES: u64 = (size_of::<T>() as u64) << LOG;

    /// The bytes of all chunks.
    pub(crate) fn bytes(&self) -> u64 {
        self.n_chunks.load(Ordering::Relaxed) * Self::CHUNK_BYTES
    }
}

impl<T, const LOG: u32> Drop for Chunks<T, LOG> {
    fn drop(&mut self) {
        // Chunks are allocated from low indices upwards, but not strictly: stop when all have been met.
        let mut n_left = *self.n_chunks.get_mut();
        for pointer in self.directory.iter_mut() {
            if n_left == 0 {
                break;
            }
            let chunk = *pointer.get_mut();
            if !chunk.is_null() {
                // SAFETY: the chunk was made in `grow` from a box of this many elements, and nobody else is left.
                drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(chunk, 1 << LOG)) });
                self.budget.release(Self::CHUNK_BYTES);
                n_left -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_its_own_place() {
        let array = Chunks::<AtomicU32, 16>::new(Budget::new(None));
        for idx in (0..1 << 18).chain([u32::MAX - 1, u32::MAX]) {
            assert_eq!(array.get_or_grow(idx).unwrap().swap(idx, Ordering::Relaxed), 0);
        }
        for idx in (0..1 << 18).chain([u32::MAX - 1, u32::MAX]) {
            assert_eq!(array.get(idx).unwrap().load(Ordering::Relaxed), idx);
        }
        assert!(array.get(1 << 20).is_none());
        assert_eq!(array.bytes(), 5 << 18);
    }

    #[test]
    fn grows_on_demand_within_the_budget() {
        let budget = Budget::new(Some(20_000));
        {
            let array = Chunks::<AtomicU64, 10>::new(budget.clone());
            assert!(array.get(1000).is_none());
            array.get_or_grow(3).unwrap().store(7, Ordering::Relaxed);
            assert_eq!(array.get(3).unwrap().load(Ordering::Relaxed), 7);
            assert_eq!(array.get(4).unwrap().load(Ordering::Relaxed), 0);
            array.get_or_grow(5000).unwrap();
            assert!(array.get_or_grow(1 << 20).is_err());
            assert!(array.get_or_grow(1 << 26).is_err());
            assert_eq!(budget.used(), array.bytes());
        }
        assert_eq!(budget.used(), 0);
    }
}
