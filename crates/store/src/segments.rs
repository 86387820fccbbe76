//! A concurrent array that grows without moving: elements come in segments that are allocated when first needed.
//!
//! Segment sizes grow by a quarter of the whole at a time, so at most a quarter of the memory is ahead of its
//! use, and finding an element takes a few instructions and a directory that stays in cache. A segment once
//! there stays where it is until the array is dropped. Elements start as zero.
#![allow(unsafe_code, reason = "segments are published through atomic pointers")]

use crate::{Budget, Full};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// The first segment has `2^(LOG_FIRST - 2)` elements.
const LOG_FIRST: u32 = 7;
const N_SEGMENTS: usize = (33 - LOG_FIRST as usize) * 4;

/// A type of which all bytes zero are a value.
///
/// # Safety
/// An object whose bytes are all zero must be a valid value of the type, and the type must need no drop.
pub(crate) unsafe trait Zero {}

// SAFETY: atomics have the representation of their integers.
unsafe impl Zero for AtomicU32 {}
// SAFETY: as above.
unsafe impl Zero for AtomicU64 {}

/// The array. It has room for indices below `2^32 - 2^LOG_FIRST`.
pub(crate) struct Segments<T> {
    heads: [AtomicPtr<T>; N_SEGMENTS],
    budget: Budget,
}

/// The segment of an index, the segment's size, and the position in it.
#[inline(always)]
fn locate(idx: usize) -> (usize, usize, usize) {
    let shifted = idx + (1 << LOG_FIRST);
    let log = shifted.ilog2();
    let quarter = shifted >> (log - 2) & 3;
    let size = 1usize << (log - 2);
    ((log - LOG_FIRST) as usize * 4 + quarter, size, shifted & (size - 1))
}

impl<T: Zero> Segments<T> {
    pub(crate) fn new(budget: Budget) -> Self {
        Self { heads: [const { AtomicPtr::new(ptr::null_mut()) }; N_SEGMENTS], budget }
    }

    /// The element at `idx`, if its segment is there.
    #[inline(always)]
    pub(crate) fn get(&self, idx: usize) -> Option<&T> {
        let (segment, _, offset) = locate(idx);
        let head = self.heads.get(segment)?.load(Ordering::Acquire);
        if head.is_null() {
            return None;
        }
        // SAFETY: a non-null head points to a segment whose size is the one that `locate` computed, which lives
        // as long as `self`; the offset is below it.
        Some(unsafe { &*head.add(offset) })
    }

    /// The element at `idx`; its segment is allocated if it is not there.
    #[inline(always)]
    pub(crate) fn get_or_grow(&self, idx: usize) -> Result<&T, Full> {
        match self.get(idx) {
            Some(element) => Ok(element),
            None => self.grow(idx),
        }
    }

    #[cold]
    fn grow(&self, idx: usize) -> Result<&T, Full> {
        let (segment, size, _) = locate(idx);
        let head = self.heads.get(segment).ok_or(Full)?;
        let bytes = (size * size_of::<T>()) as u64;
        self.budget.charge(bytes)?;
        let zeroed = Box::<[T]>::new_zeroed_slice(size);
        // SAFETY: `T: Zero` says that zeroed elements are values.
        let ours = Box::into_raw(unsafe { zeroed.assume_init() }).cast::<T>();
        if head.compare_exchange(ptr::null_mut(), ours, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // Another thread was first: its segment is as good.
            // SAFETY: `ours` was made from a box of `size` elements just above and was not published.
            drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(ours, size)) });
            self.budget.release(bytes);
        }
        self.get(idx).ok_or(Full)
    }
}

impl<T> Segments<T> {
    /// The bytes of all segments.
    pub(crate) fn bytes(&self) -> u64 {
        let sizes = self.heads.iter().enumerate().filter(|(_, head)| !head.load(Ordering::Relaxed).is_null());
        sizes.map(|(segment, _)| (segment_size(segment) * size_of::<T>()) as u64).sum()
    }
}

fn segment_size(segment: usize) -> usize {
    1 << (LOG_FIRST as usize - 2 + segment / 4)
}

impl<T> Drop for Segments<T> {
    fn drop(&mut self) {
        for (segment, head) in self.heads.iter_mut().enumerate() {
            let head = *head.get_mut();
            if !head.is_null() {
                let size = segment_size(segment);
                // SAFETY: the head was made in `grow` from a box of this many elements, and nobody else is left.
                drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(head, size)) });
                self.budget.release((size * size_of::<T>()) as u64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_its_own_place() {
        let mut expected = (0, 0);
        for idx in 0..1 << 16 {
            let (segment, size, offset) = locate(idx);
            assert_eq!((segment, offset), expected, "index {idx}");
            assert_eq!(size, segment_size(segment));
            expected = if offset + 1 == size { (segment + 1, 0) } else { (segment, offset + 1) };
        }
        assert!(locate(u32::MAX as usize - 128).0 < N_SEGMENTS);
    }

    #[test]
    fn grows_on_demand_within_the_budget() {
        let budget = Budget::new(Some(4000));
        {
            let array = Segments::<AtomicU64>::new(budget.clone());
            assert!(array.get(1000).is_none());
            array.get_or_grow(3).unwrap().store(7, Ordering::Relaxed);
            assert_eq!(array.get(3).unwrap().load(Ordering::Relaxed), 7);
            assert_eq!(array.get(4).unwrap().load(Ordering::Relaxed), 0);
            assert!(array.get_or_grow(1 << 20).is_err());
            assert_eq!(budget.used(), array.bytes());
        }
        assert_eq!(budget.used(), 0);
    }
}
