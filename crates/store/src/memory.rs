//! Large zeroed memory.
//!
//! A table of states is read at random positions, so with small pages nearly every access would miss the TLB.
//! Large regions are therefore aligned to huge pages and, on systems that offer it, advised to use them.
#![allow(unsafe_code, reason = "memory comes as raw pointers")]

use crate::chunks::Zero;
use crate::index::Line;
use crate::table::Bucket;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// The size of a huge page.
pub(crate) const HUGE: usize = 2 << 20;

/// Zeroed memory, aligned to a cache line.
pub(crate) struct Region {
    memory: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a region owns its memory, which may be used and freed in any thread.
unsafe impl Send for Region {}
// SAFETY: a shared region only returns a pointer.
unsafe impl Sync for Region {}

/// The size of a region for a request of `bytes`: large regions are whole huge pages.
pub(crate) fn rounded(bytes: usize) -> usize {
    if bytes > HUGE / 4 * 3 { bytes.next_multiple_of(HUGE) } else { bytes.max(1) }
}

impl Region {
    /// Zeroed memory of `rounded(bytes)` bytes, or `None` if the system has none left.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        if bytes > isize::MAX as usize / 2 {
            return None;
        }
        let bytes = rounded(bytes);
        let memory = if is_mapped(bytes) {
            map(bytes)?
        } else {
            // SAFETY: the size is not zero.
            NonNull::new(unsafe { alloc_zeroed(layout(bytes)) })?
        };
        Some(Self { memory, bytes })
    }

    pub(crate) fn as_ptr(&self) -> *mut u8 {
        self.memory.as_ptr()
    }

    /// The bytes of the region.
    pub(crate) fn len(&self) -> usize {
        self.bytes
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if is_mapped(self.bytes) {
            unmap(self.memory, self.bytes);
        } else {
            // SAFETY: it was allocated with this layout in `new`.
            unsafe { dealloc(self.memory.as_ptr(), layout(self.bytes)) };
        }
    }
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, 64).expect("a region is not as large as the address space")
}

fn is_mapped(bytes: usize) -> bool {
    cfg!(target_os = "linux") && bytes >= HUGE
}

#[cfg(target_os = "linux")]
fn map(bytes: usize) -> Option<NonNull<u8>> {
    let total = bytes.checked_add(HUGE)?;
    // SAFETY: a new private mapping at an address that the system chooses does not affect existing mappings.
    let start = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            total,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if start == libc::MAP_FAILED {
        return None;
    }
    let head = start.addr().next_multiple_of(HUGE) - start.addr();
    let aligned = start.wrapping_byte_add(head);
    // SAFETY: head, region and tail are disjoint whole pages of the mapping that was just made; the head and
    // the tail are not used, and advice about the region changes no contents. If either call fails, the
    // region is still valid.
    unsafe {
        if head > 0 {
            libc::munmap(start, head);
        }
        if head < HUGE {
            libc::munmap(aligned.wrapping_byte_add(bytes), HUGE - head);
        }
        libc::madvise(aligned, bytes, libc::MADV_HUGEPAGE);
    }
    NonNull::new(aligned.cast())
}

#[cfg(target_os = "linux")]
fn unmap(memory: NonNull<u8>, bytes: usize) {
    // SAFETY: it was mapped with this size in `map`, and its owner is being dropped.
    unsafe {
        libc::munmap(memory.as_ptr().cast(), bytes);
    }
}

#[cfg(not(target_os = "linux"))]
fn map(_: usize) -> Option<NonNull<u8>> {
    unreachable!("regions are mapped on Linux only")
}

#[cfg(not(target_os = "linux"))]
fn unmap(_: NonNull<u8>, _: usize) {
    unreachable!("regions are mapped on Linux only")
}

/// A slice whose elements are zero at first.
pub(crate) struct Zeroed<T> {
    region: Region,
    len: usize,
    elements: PhantomData<T>,
}

// SAFETY: a bucket is an array of atomic integers.
unsafe impl Zero for Bucket {}
// SAFETY: a line is an array of atomic integers.
unsafe impl Zero for Line {}

impl<T: Zero> Zeroed<T> {
    /// A slice of `len` elements, or `None` if there is no memory.
    pub(crate) fn new(len: usize) -> Option<Self> {
        const { assert!(align_of::<T>() <= 64) };
        let region = Region::new(len.checked_mul(size_of::<T>())?)?;
        Some(Self { region, len, elements: PhantomData })
    }
}

impl<T> Deref for Zeroed<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the region has room for this many elements and is aligned for them; all bytes zero are a
        // value (`T: Zero`), and it is given out only through this reference.
        unsafe { std::slice::from_raw_parts(self.region.as_ptr().cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn small_and_large_slices_are_zero_and_writable() {
        for len in [1, 1000, HUGE / 8, 3 * HUGE / 8 + 5] {
            let slice = Zeroed::<AtomicU64>::new(len).unwrap();
            assert_eq!(slice.len(), len);
            assert!(slice.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            slice.iter().for_each(|word| word.store(1, Ordering::Relaxed));
            assert_eq!(slice.as_ptr().addr() % 64, 0);
        }
        assert!(Zeroed::<AtomicU64>::new(usize::MAX / 8).is_none());
    }

    #[test]
    fn sizes_near_a_huge_page_become_one() {
        assert_eq!((rounded(0), rounded(64), rounded(HUGE - 100)), (1, 64, HUGE));
    }
}
