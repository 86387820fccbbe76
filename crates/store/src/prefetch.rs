//! Prefetch: a hint that a cache line will be needed. It never faults and changes nothing.
#![allow(unsafe_code, reason = "the intrinsic takes a raw pointer")]

/// Starts to load the cache line that holds `*at`.
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program can see, and does not fault on any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
