//! The primitives that the lock-free core is built on. The crate `interleavings` compiles the same core
//! against loom's primitives of the same names.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
pub(crate) use std::sync::{Arc, Mutex, MutexGuard};
pub(crate) use std::thread::yield_now;

/// The slots of a bucket of the exact store's table: as many as fit a cache line. (Under loom there are
/// fewer, because it explores the interleavings of all of them.)
pub(crate) const SLOTS: usize = 8;
