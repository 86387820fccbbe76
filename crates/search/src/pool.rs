//! Shares work between workers that each have their own stack.
//!
//! A worker reads one counter to see whether another worker is idle, and only then gives away the older half
//! of its stack. Otherwise stacks are private and need no synchronisation. If all workers are idle at once,
//! no work is left, because a worker is idle only if its stack is empty, and only a worker that is not idle
//! can fill it.

use crate::control::Control;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// The fewest items that a giving worker keeps. `MAX_GIVEN` is the most that it gives at once.
const MIN_KEPT: usize = 4;
const MAX_GIVEN: usize = 1 << 14;
/// The longest time until an idle worker notices that the search was stopped.
const PATIENCE: Duration = Duration::from_millis(10);

/// The queue of work given away, and the number of workers that wait for it.
pub(crate) struct Pool<T> {
    n_workers: usize,
    /// The number of workers that wait for work and have not been given any. Changes only under the lock.
    n_hungry: AtomicUsize,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    gifts: Vec<VecDeque<T>>,
    n_idle: usize,
    exhausted: bool,
}

impl<T> Pool<T> {
    pub(crate) fn new(n_workers: usize) -> Self {
        let state = State { gifts: Vec::new(), n_idle: 0, exhausted: false };
        Self { n_workers, n_hungry: AtomicUsize::new(0), state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Gives away the oldest items of `stack` if a worker waits for work.
    #[inline]
    pub(crate) fn share(&self, stack: &mut VecDeque<T>) {
        if self.n_hungry.load(Relaxed) > 0 && stack.len() > MIN_KEPT {
            self.give(stack);
        }
    }

    /// Whether a worker waits for work.
    #[inline]
    pub(crate) fn is_hungry(&self) -> bool {
        self.n_hungry.load(Relaxed) > 0
    }

    #[cold]
    fn give(&self, stack: &mut VecDeque<T>) {
        self.offer(stack.drain(..(stack.len() / 2).min(MAX_GIVEN)).collect());
    }

    /// Gives away items that the caller has removed from its stack.
    pub(crate) fn offer(&self, gift: VecDeque<T>) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        state.gifts.push(gift);
        self.n_hungry.store(state.n_idle.saturating_sub(state.gifts.len()), Relaxed);
        drop(state);
        self.changed.notify_one();
    }

    /// Waits for work and puts it on `stack`, which must be empty. Returns false if the search is over.
    pub(crate) fn wait(&self, stack: &mut VecDeque<T>, control: &Control) -> bool {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        state.n_idle += 1;
        loop {
            if let Some(gift) = state.gifts.pop() {
                state.n_idle -= 1;
                self.n_hungry.store(state.n_idle.saturating_sub(state.gifts.len()), Relaxed);
                *stack = gift;
                return true;
            }
            if state.n_idle == self.n_workers {
                state.exhausted = true;
                self.changed.notify_all();
            }
            if state.exhausted || control.stopped() {
                return false;
            }
            self.n_hungry.store(state.n_idle, Relaxed);
            let waited = self.changed.wait_timeout(state, PATIENCE);
            state = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        }
    }
}
