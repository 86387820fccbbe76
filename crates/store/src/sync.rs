//! The primitives that the lock-free core is built on. `tests/interleavings.rs` compiles the same core against
//! loom's primitives of the same names.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
pub(crate) use std::sync::{Arc, Mutex, MutexGuard};
pub(crate) use std::thread::yield_now;
