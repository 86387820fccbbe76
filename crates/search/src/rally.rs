//! Calling workers together for one level of a breadth-first search after another.
//!
//! The leader goes alone through levels that are too small to share, calls the others for the rest, and does not
//! go on before all are done. Levels may take only microseconds, so whoever waits looks again and again for a while,
//! lets other programs have the processor for a while longer, and only then sleeps. Nobody waits for a worker that has
//! panicked: all look at [`Control`] now and then.

use crate::control::{Control, Stop};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, fence};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;
use std::{hint, thread};

/// How long a sleeping worker may take to notice that the search was stopped.
const PATIENCE: Duration = Duration::from_millis(10);
/// How often to look before the processor is offered to others, and how often to offer it before sleeping: together
/// about what it takes to fall asleep and be woken.
const N_LOOKS: usize = 400;
const N_OFFERS: usize = 50;

/// Where the leader and the others meet.
pub(crate) struct Rally {
    n_others: usize,
    /// How often the leader has called.
    n_calls: AtomicU64,
    n_busy: AtomicUsize,
    over: AtomicBool,
    /// Changed under the lock.
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

    /// Leader: how many work.
    pub(crate) fn n_workers(&self) -> usize {
        self.n_others + 1
    }

    /// Leader: whether the others would notice a call at once.
    pub(crate) fn is_awake(&self) -> bool {
        self.n_asleep.load(Relaxed) == 0
    }

    /// Leader: sets the others to work.
    pub(crate) fn call(&self) {
        self.n_busy.store(self.n_others, Relaxed);
        self.n_calls.fetch_add(1, Release);
        self.wake();
    }

    /// Leader: waits until the others are done, and says whether that was soon. Fails if the search was stopped before.
    pub(crate) fn gather(&self, control: &Control) -> Result<bool, Stop> {
        self.wait_until(control, || self.n_busy.load(Acquire) == 0)
    }

    /// Leader: sends the others home.
    pub(crate) fn dismiss(&self) {
        self.over.store(true, Release);
        self.wake();
    }

    /// Others: wait for the call after the first `n_calls`. False if there will be none.
    pub(crate) fn attend(&self, n_calls: u64, control: &Control) -> bool {
        let called = || self.n_calls.load(Acquire) > n_calls;
        self.wait_until(control, || called() || self.over.load(Acquire)).is_ok() && called()
    }

    /// Others: done.
    pub(crate) fn report(&self) {
        if self.n_busy.fetch_sub(1, AcqRel) == 1 {
            self.wake();
        }
    }

    /// Waits for something that is told by [`Rally::wake`], and says whether looking was enough. Fails if the search was
    /// stopped before.
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
        // Either `done` is seen below or whoever did it sees that somebody sleeps.
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

    /// Wakes all that sleep, to look whether what they wait for is done.
    fn wake(&self) {
        fence(SeqCst);
        if self.n_asleep.load(Relaxed) > 0 {
            // Nobody is between looking and sleeping while the lock is held.
            drop(self.lock());
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
