//! A lock for many readers that each announce themselves on a cache line of their own.
//!
//! Workers pass the gate once per batch, and may stay inside only for as long as it takes to insert it; the one
//! that must rebuild the table closes the gate, waits until nobody is inside, and opens it again. A reader's
//! announcement and its look at the gate, and the closer's mark on the gate and its look at the announcements,
//! are each separated by a sequentially consistent fence: so either the reader sees the gate closed or the
//! closer sees the reader inside (Dekker's argument). A common reader-writer lock would have all workers write
//! to one cache line for every batch.

use crate::sync::{Arc, AtomicBool, AtomicU64, Mutex, MutexGuard, Ordering, fence, spin_loop, yield_now};

/// Where one worker announces itself, and counts the states that it has added.
#[repr(align(128))]
#[derive(Debug)]
pub(crate) struct Desk {
    inside: AtomicBool,
    n_states: AtomicU64,
}

impl Desk {
    /// Counts one more state; only the desk's owner calls this.
    #[inline]
    pub(crate) fn count(&self, n_new: u64) {
        self.n_states.store(self.n_states.load(Ordering::Relaxed) + n_new, Ordering::Relaxed);
    }
}

/// The gate itself. The lock is held by whoever closes it, for as long as it is closed.
#[derive(Debug)]
pub(crate) struct Gate {
    closed: AtomicBool,
    desks: Mutex<Vec<Arc<Desk>>>,
}

/// Proof that the gate is closed and nobody is inside; opens it when dropped.
pub(crate) struct Closed<'g> {
    gate: &'g Gate,
    desks: MutexGuard<'g, Vec<Arc<Desk>>>,
}

impl Gate {
    pub(crate) fn new() -> Self {
        Self { closed: AtomicBool::new(false), desks: Mutex::new(Vec::new()) }
    }

    /// A desk for one more worker.
    pub(crate) fn register(&self) -> Arc<Desk> {
        let desk = Arc::new(Desk { inside: AtomicBool::new(false), n_states: AtomicU64::new(0) });
        self.lock().push(Arc::clone(&desk));
        desk
    }

    /// Goes inside, waiting while the gate is closed.
    #[inline]
    pub(crate) fn enter(&self, desk: &Desk) {
        loop {
            desk.inside.store(true, Ordering::Relaxed);
            fence(Ordering::SeqCst);
            if !self.closed.load(Ordering::Acquire) {
                return;
            }
            desk.inside.store(false, Ordering::Release);
            drop(self.lock());
        }
    }

    /// Goes outside; what was done inside is visible to whoever closes the gate afterwards.
    #[inline]
    pub(crate) fn leave(&self, desk: &Desk) {
        desk.inside.store(false, Ordering::Release);
    }

    /// Closes the gate and waits until nobody is inside. The caller must be outside itself.
    pub(crate) fn close(&self) -> Closed<'_> {
        let desks = self.lock();
        self.closed.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        for desk in desks.iter() {
            let mut n_spins = 0;
            while desk.inside.load(Ordering::Acquire) {
                n_spins += 1;
                if n_spins < 64 { spin_loop() } else { yield_now() }
            }
        }
        Closed { gate: self, desks }
    }

    /// The states counted at all desks.
    pub(crate) fn n_states(&self) -> u64 {
        self.lock().iter().map(|desk| desk.n_states.load(Ordering::Relaxed)).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Desk>>> {
        // The list is whole at all times: a panic elsewhere does not make it unusable.
        self.desks.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Closed<'_> {
    /// How many workers have a desk.
    pub(crate) fn n_workers(&self) -> usize {
        self.desks.len()
    }
}

impl Drop for Closed<'_> {
    fn drop(&mut self) {
        self.gate.closed.store(false, Ordering::Release);
    }
}
