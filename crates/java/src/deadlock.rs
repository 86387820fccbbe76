//! Threads that are stuck for good although others can go on: a cycle in which each waits for what the next one holds.
//!
//! Only waiting that nothing can end counts. A thread that enters a monitor, or needs a class that another thread initialises, cannot be interrupted and has no time limit; what it waits
//! for is given up by its holder alone, and the holder waits itself. The same is true of `ReentrantLock.lock`: whatever wakes the thread there, it goes on only with the lock, which only
//! the owner releases. Threads in `wait`, `join`, `sleep`, `park` or `lockInterruptibly` can be reached by others, so they are never part of such a cycle; if nobody can reach them, that shows when
//! nobody can go on.

use crate::explain::waits::lock_owner;
use crate::vm::machine::Machine;

/// The threads of a state that cannot go on: their places, and the number of the thread that each waits for, where that is certain.
#[derive(Default)]
pub(crate) struct Stuck(Vec<(usize, Option<u32>)>);

impl Stuck {
    /// A new state.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The thread at `idx` cannot go on, because of the thread with this number.
    pub(crate) fn note(&mut self, idx: usize, holder: Option<u32>) {
        if !self.has(idx) {
            self.0.push((idx, holder));
        }
    }

    /// Whether the thread at `idx` cannot go on.
    pub(crate) fn has(&self, idx: usize) -> bool {
        self.0.iter().any(|&(one, _)| one == idx)
    }

    /// The places of threads each of which waits for the next, and the last for the first; from the one that was started first on.
    pub(crate) fn cycle(&self, machine: &Machine<'_>) -> Option<Vec<usize>> {
        if self.0.len() < 2 {
            return None;
        }
        let next = |idx: usize| {
            let &(_, holder) = self.0.iter().find(|&&(one, _)| one == idx)?;
            machine.thread_by_id(holder.or_else(|| lock_owner(machine, &machine.threads[idx]))?)
        };
        (0..machine.threads.len()).find_map(|first| {
            let mut cycle = vec![first];
            let mut at = next(first)?;
            while at != first {
                // One that only leads to a cycle is no part of it.
                if cycle.contains(&at) {
                    return None;
                }
                cycle.push(at);
                at = next(at)?;
            }
            // A thread does not wait for itself.
            (cycle.len() > 1).then_some(cycle)
        })
    }
}
