//! A concurrent array that grows without moving: elements come in chunks that are allocated when first
//! needed.
//!
//! A directory holds pointers to the chunks. A directory that is too short is replaced by a larger one; the
//! old ones are kept until the array is dropped, because other threads may still read them, and together they
//! are smaller than the newest. A chunk never moves. All changes are made under a lock; readers take none. A
//! thread that has learnt from another thread, by a synchronising operation, that an element was written also
//! sees the directory with its chunk. Elements are zero at first. An empty array has no memory.
#![allow(unsafe_code, reason = "chunks and directories are published through atomic pointers")]

use crate::{Budget, Full};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};

const FIRST_DIRECTORY: u32 = 16;

/// A type of which all bytes zero are a value.
///
/// # Safety
/// An object whose bytes are all zero must be a valid value of the type, and the type must need no drop.
pub(crate) unsafe trait Zero {}

// SAFETY: atomics have the representation of their integers.
unsafe impl Zero for AtomicU8 {}
// SAFETY: as above.
unsafe impl Zero for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zero for AtomicU64 {}

/// A list of pointers to chunks, of which some may be null.
type Directory<T> = [AtomicPtr<T>];

/// A growing array, in chunks of `2^LOG` elements.
pub(crate) struct Chunks<T, const LOG: u32> {
    /// Never more than the length of the directory.
    len: AtomicU32,
    directory: AtomicPtr<AtomicPtr<T>>,
    /// All directories so far, the current one last. Each was made from a box.
    directories: Mutex<Vec<*mut Directory<T>>>,
    bytes: AtomicU64,
    budget: Budget,
}

// SAFETY: the pointers are owned; elements are shared between threads only if they may be.
unsafe impl<T: Sync + Send, const LOG: u32> Sync for Chunks<T, LOG> {}
// SAFETY: as above.
unsafe impl<T: Send, const LOG: u32> Send for Chunks<T, LOG> {}

impl<T: Zero, const LOG: u32> Chunks<T, LOG> {
    pub(crate) fn new(budget: Budget) -> Self {
        Self {
            len: AtomicU32::new(0),
            directory: AtomicPtr::new(ptr::null_mut()),
            directories: Mutex::new(Vec::new()),
            bytes: AtomicU64::new(0),
            budget,
        }
    }

    /// The element at `idx`, if its chunk has been allocated.
    #[inline(always)]
    pub(crate) fn get(&self, idx: u32) -> Option<&T> {
        if idx >> LOG >= self.len.load(Ordering::Acquire) {
            return None;
        }
        let directory = self.directory.load(Ordering::Acquire);
        // SAFETY: a directory is stored before the length that it allows, so it has more entries than the
        // length that was just read, and is not freed before `self` is dropped.
        let chunk = unsafe { &*directory.add((idx >> LOG) as usize) }.load(Ordering::Acquire);
        if chunk.is_null() {
            return None;
        }
        // SAFETY: a pointer that is not null points to a chunk of `2^LOG` elements that lives as long as
        // `self`.
        Some(unsafe { &*chunk.add((idx & ((1 << LOG) - 1)) as usize) })
    }

    /// The element at `idx`. Allocates its chunk if necessary.
    #[inline(always)]
    pub(crate) fn get_or_grow(&self, idx: u32) -> Result<&T, Full> {
        match self.get(idx) {
            Some(element) => Ok(element),
            None => self.grow(idx),
        }
    }

    #[cold]
    fn grow(&self, idx: u32) -> Result<&T, Full> {
        let mut directories = self.directories.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.get(idx).is_none() {
            let chunk_idx = idx >> LOG;
            if chunk_idx >= self.len.load(Ordering::Relaxed) {
                self.extend(&mut directories, chunk_idx)?;
            }
            self.charge((size_of::<T>() << LOG) as u64)?;
            let zeroed = Box::<[T]>::new_zeroed_slice(1 << LOG);
            // SAFETY: `T: Zero` says that zeroed elements are values.
            let chunk = Box::into_raw(unsafe { zeroed.assume_init() }).cast::<T>();
            let directory = self.directory.load(Ordering::Relaxed);
            // SAFETY: the directory is the current one, which is longer than this index.
            unsafe { &*directory.add(chunk_idx as usize) }.store(chunk, Ordering::Release);
        }
        self.get(idx).ok_or(Full)
    }

    /// Replaces the directory by one that has an entry at `chunk_idx`.
    fn extend(&self, directories: &mut Vec<*mut Directory<T>>, chunk_idx: u32) -> Result<(), Full> {
        let len = (chunk_idx + 1).next_power_of_two().max(FIRST_DIRECTORY);
        self.charge(u64::from(len) * size_of::<AtomicPtr<T>>() as u64)?;
        // SAFETY: directories are freed only when `self` is dropped.
        let old: &Directory<T> = directories.last().map_or(&[], |&directory| unsafe { &*directory });
        let chunk_at =
            |idx: usize| old.get(idx).map_or(ptr::null_mut(), |chunk| chunk.load(Ordering::Relaxed));
        let new: Box<Directory<T>> = (0..len as usize).map(|idx| AtomicPtr::new(chunk_at(idx))).collect();
        let new = Box::into_raw(new);
        directories.push(new);
        self.directory.store(new.cast(), Ordering::Release);
        self.len.store(len, Ordering::Release);
        Ok(())
    }

    fn charge(&self, bytes: u64) -> Result<(), Full> {
        self.budget.charge(bytes)?;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }
}

impl<T, const LOG: u32> Chunks<T, LOG> {
    /// The bytes of all chunks and directories.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl<T, const LOG: u32> Drop for Chunks<T, LOG> {
    fn drop(&mut self) {
        self.budget.release(*self.bytes.get_mut());
        let directories = self.directories.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut is_current = true;
        for directory in directories.drain(..).rev() {
            // SAFETY: it was made from a box in `extend`, and `drop` has exclusive access.
            let mut directory = unsafe { Box::from_raw(directory) };
            // The current directory has all chunks; the older ones have some of the same.
            for chunk in directory.iter_mut().map(|chunk| *chunk.get_mut()).filter(|_| is_current) {
                if !chunk.is_null() {
                    // SAFETY: the chunk was made from a box of this many elements in `grow`.
                    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(chunk, 1 << LOG)) });
                }
            }
            is_current = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_its_own_place() {
        let array = Chunks::<AtomicU32, 14>::new(Budget::new(None));
        for idx in (0..1 << 20).chain([u32::MAX - 1, u32::MAX]) {
            assert_eq!(array.get_or_grow(idx).unwrap().swap(idx, Ordering::Relaxed), 0);
        }
        for idx in (0..1 << 20).chain([u32::MAX - 1, u32::MAX]) {
            assert_eq!(array.get(idx).unwrap().load(Ordering::Relaxed), idx);
        }
        assert!(array.get(1 << 21).is_none());
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
            assert!(array.get_or_grow(6000).is_err());
            assert!(array.get_or_grow(u32::MAX).is_err());
            assert_eq!(budget.used(), array.bytes());
        }
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn many_threads_grow_one_array() {
        let array = Chunks::<AtomicU32, 4>::new(Budget::new(None));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    (0..20_000).for_each(|idx| {
                        array.get_or_grow(idx).unwrap().fetch_add(1, Ordering::Relaxed);
                    });
                });
            }
        });
        assert!((0..20_000).all(|idx| array.get(idx).unwrap().load(Ordering::Relaxed) == 4));
    }
}
