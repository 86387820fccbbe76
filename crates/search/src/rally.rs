//! A barrier at which the workers of a breadth-first search meet for each level.
//!
//! The leader expands small levels alone, calls the other workers for the others, and waits until all have
//! finished. A level may take only microseconds, so a waiting worker first spins, then yields the processor
//! for a while, and only then sleeps. A worker never waits indefinitely for one that has panicked, because
//! all check [`Control`] while they wait.

use crate::control::{Control, Stop};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, fence};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;
use std::{hint, thread};

/// The longest time until a sleeping worker notices that the search was stopped.
const PATIENCE: Duration = Duration::from_millis(10);
/// The number of checks before the first yield. `N_OFFERS` is the number of yields before sleeping. Together
/// they take about as long as falling asleep and being woken.
const N_LOOKS: usize = 400;
const N_OFFERS: usize = 50;

/// The meeting point of the leader and the other workers.
pub(crate) struct Rally {
    n_others: usize,
    /// The number of the leader's calls.
    n_calls: AtomicU64,
    n_busy: AtomicUsize,
    over: AtomicBool,
    /// The number of sleeping workers. Changes only under the lock.
    n_asleep: AtomicUsize,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Rally {
    pub(crate) fn new(n_workers: usize) -> Self {
        Self {
            n_others: n_workers - 1,
            n_calls: AtomicU64::new(0),
            n_busy: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            n_asleep: AtomicUsize::new(0),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Leader: the number of workers.
    pub(crate) fn n_workers(&self) -> usize {
        self.n_others + 1
    }

    /// Leader: whether no worker sleeps, so that all would notice a call at once.
    pub(crate) fn is_awake(&self) -> bool {
        self.n_asleep.load(Relaxed) == 0
    }

    /// Leader: starts the other workers on the current level.
    pub(crate) fn call(&self) {
        self.n_busy.store(self.n_others, Relaxed);
        self.n_calls.fetch_add(1, Release);
        self.wake();
    }

    /// Leader: waits until the others have finished, and returns whether that took no sleep. Fails if the
    /// search was stopped before.
    pub(crate) fn gather(&self, control: &Control) -> Result<bool, Stop> {
        self.wait_until(control, || self.n_busy.load(Acquire) == 0)
    }

    /// Leader: ends the other workers.
    pub(crate) fn dismiss(&self) {
        self.over.store(true, Release);
        self.wake();
    }

    /// Others: waits for the call after the first `n_calls`. Returns false if there will be none.
    pub(crate) fn attend(&self, n_calls: u64, control: &Control) -> bool {
        let called = || self.n_calls.load(Acquire) > n_calls;
        self.wait_until(control, || called() || self.over.load(Acquire)).is_ok() && called()
    }

    /// Others: reports that the worker has finished.
    pub(crate) fn report(&self) {
        if self.n_busy.fetch_sub(1, AcqRel) == 1 {
            self.wake();
        }
    }

    /// Waits until `done` holds, which is announced by [`Rally::wake`]. Returns whether that took no sleep.
    /// Fails if the search was stopped before.
    fn wait_until(&self, control: &Control, done: impl Fn() -> bool) -> Result<bool, Stop> {
        for n_tries in 0..N_LOOKS + N_OFFERS {
            if done() {
                return Ok(n_tries < N_LOOKS);
            }
            if control.stopped() {
                return Err(Stop);
            }
            if n_tries < N_LOOKS { hint::spin_loop() } else { thread::yield_now() }
        }
        let mut guard = self.lock();
        // Either this worker sees `done` below, or the worker that makes it true sees that one sleeps.
        self.n_asleep.fetch_add(1, Relaxed);
        fence(SeqCst);
        let awaited = loop {
            if done() {
                break Ok(false);
            }
            if control.stopped() {
                break Err(Stop);
            }
            let waited = self.changed.wait_timeout(guard, PATIENCE);
            guard = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        };
        self.n_asleep.fetch_sub(1, Relaxed);
        awaited
    }

    /// Wakes all sleeping workers, so that they check what they wait for.
    fn wake(&self) {
        fence(SeqCst);
        if self.n_asleep.load(Relaxed) > 0 {
            // While the lock is held, no worker is between its check and falling asleep.
            drop(self.lock());
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
