//! The primitives that the lock-free core is built on. `interleavings` beside this crate compiles the same core against
//! loom's primitives of the same names.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
pub(crate) use std::sync::{Arc, Mutex, MutexGuard};
pub(crate) use std::thread::yield_now;

/// The slots of a bucket of the exact store's table: as many as a cache line has. (Loom has fewer: it looks into the
/// interleavings of every one.)
pub(crate) const SLOTS: usize = 8;
