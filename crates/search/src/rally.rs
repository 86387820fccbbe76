//! Calling workers together for one level of a breadth-first search after another.
//!
//! The leader goes alone through levels that are too small to share, calls the others for the rest, and does not
//! go on before all are done. Nobody waits for a worker that has panicked: all look at [`Control`] now and then.

use crate::control::Control;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// How long a waiting worker may take to notice that the search was stopped.
const PATIENCE: Duration = Duration::from_millis(10);

/// Where the leader and the others meet.
pub(crate) struct Rally {
    n_others: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// How often the leader has called.
    n_calls: u64,
    n_busy: usize,
    over: bool,
}

impl Rally {
    pub(crate) fn new(n_workers: usize) -> Self {
        let state = State { n_calls: 0, n_busy: 0, over: false };
        Self { n_others: n_workers - 1, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Leader: sets the others to work.
    pub(crate) fn call(&self) {
        let mut state = self.lock();
        state.n_calls += 1;
        state.n_busy = self.n_others;
        self.changed.notify_all();
    }

    /// Leader: waits until the others are done. False if the search was stopped before.
    pub(crate) fn gather(&self, control: &Control) -> bool {
        let mut state = self.lock();
        while state.n_busy > 0 {
            if control.stopped() {
                return false;
            }
            state = self.wait(state);
        }
        true
    }

    /// Leader: sends the others home.
    pub(crate) fn dismiss(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }

    /// Others: wait for the call after the first `n_calls`. False if there will be none.
    pub(crate) fn attend(&self, n_calls: u64, control: &Control) -> bool {
        let mut state = self.lock();
        while state.n_calls == n_calls {
            if state.over || control.stopped() {
                return false;
            }
            state = self.wait(state);
        }
        true
    }

    /// Others: done.
    pub(crate) fn report(&self) {
        let mut state = self.lock();
        state.n_busy -= 1;
        if state.n_busy == 0 {
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(|poisoned| poisoned.into_inner()).0
    }
}
