//! A readers-writer lock in which each reader announces itself on its own cache line.
//!
//! Each worker enters the gate once per batch and stays inside only while it inserts the batch. A worker that
//! must rebuild the table closes the gate, waits until no worker is inside, rebuilds, and opens the gate
//! again. A reader first stores `inside` in its slot and then loads `closed`; the closer first stores
//! `closed` and then loads every `inside`. In each of them a sequentially consistent fence separates the
//! store from the load, so either the reader sees that the gate is closed, or the closer sees that the reader
//! is inside (Dekker's argument). A reader that sees the gate closed withdraws its announcement and waits for
//! the lock, which the closer holds. With an ordinary readers-writer lock all workers would write to one
//! cache line for every batch.

use crate::sync::{Arc, AtomicBool, AtomicU64, Mutex, MutexGuard, Ordering, fence, spin_loop, yield_now};

/// One worker's announcement, and the number of states that it has added. Padded to its own cache lines.
#[repr(align(128))]
#[derive(Debug)]
pub(crate) struct ReaderSlot {
    inside: AtomicBool,
    n_states: AtomicU64,
}

impl ReaderSlot {
    /// Adds `n_new` to the count; only the slot's owner calls this.
    #[inline]
    pub(crate) fn count(&self, n_new: u64) {
        self.n_states.store(self.n_states.load(Ordering::Relaxed) + n_new, Ordering::Relaxed);
    }
}

/// The gate. The worker that closes it holds the lock for as long as it is closed.
#[derive(Debug)]
pub(crate) struct Gate {
    closed: AtomicBool,
    readers: Mutex<Vec<Arc<ReaderSlot>>>,
}

/// Proof that the gate is closed and no worker is inside. Opens the gate when dropped.
pub(crate) struct Closed<'g> {
    gate: &'g Gate,
    readers: MutexGuard<'g, Vec<Arc<ReaderSlot>>>,
}

impl Gate {
    pub(crate) fn new() -> Self {
        Self { closed: AtomicBool::new(false), readers: Mutex::new(Vec::new()) }
    }

    /// Makes a slot for one more worker.
    pub(crate) fn register(&self) -> Arc<ReaderSlot> {
        let reader = Arc::new(ReaderSlot { inside: AtomicBool::new(false), n_states: AtomicU64::new(0) });
        self.lock().push(Arc::clone(&reader));
        reader
    }

    /// Enters, waiting while the gate is closed.
    #[inline]
    pub(crate) fn enter(&self, reader: &ReaderSlot) {
        loop {
            reader.inside.store(true, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            if !self.closed.load(Ordering::Acquire) {
                return;
            }
            reader.inside.store(false, Ordering::Release);
            drop(self.lock());
        }
    }

    /// Leaves. The writes made inside are visible to a worker that closes the gate afterwards.
    #[inline]
    pub(crate) fn leave(&self, reader: &ReaderSlot) {
        reader.inside.store(false, Ordering::Release);
    }

    /// Closes the gate and waits until no worker is inside. The caller must be outside.
    pub(crate) fn close(&self) -> Closed<'_> {
        let readers = self.lock();
        self.closed.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        for reader in readers.iter() {
            let mut n_spins = 0;
            while reader.inside.load(Ordering::Acquire) {
                n_spins += 1;
                if n_spins < 64 { spin_loop() } else { yield_now() }
            }
        }
        Closed { gate: self, readers }
    }

    /// The sum of the counts of all workers.
    pub(crate) fn n_states(&self) -> u64 {
        self.lock().iter().map(|reader| reader.n_states.load(Ordering::Relaxed)).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<ReaderSlot>>> {
        // A panic while the lock is held leaves the list intact, so poisoning is ignored.
        self.readers.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Closed<'_> {
    /// The number of registered workers.
    pub(crate) fn n_workers(&self) -> usize {
        self.readers.len()
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.gate.closed.store(false, Ordering::Release);
    }
}
