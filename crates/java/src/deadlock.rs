//! Threads that are stuck for good: cycles in which each waits for what the next one holds, and threads whose
//! lock is nobody's any more.
//!
//! Where others can go on, only waiting that nothing can end counts. A thread that enters a monitor, or needs
//! a class that another thread initialises, cannot be interrupted and has no time limit; what it waits for is
//! given up by its holder alone, and the holder waits itself. The same is true of `ReentrantLock.lock`:
//! whatever wakes the thread there, it goes on only with the lock, which only the owner releases. Threads in
//! `wait`, `join`, `sleep`, `park` or `lockInterruptibly` can be reached by others, so they are never part of
//! such a cycle; if nobody can reach them, that shows when nobody can go on. Then it counts, too.
//!
//! A thread in `ReentrantLock.lock` is stuck as well if the owner of the lock has ended: nobody is left who
//! could release it.
//!
//! A cycle is what makes a deadlock the same one in all states that have it, whoever else runs, waits or has
//! ended there.

use crate::explain::waits::{awaited, lock_owner, wants_abandoned_lock};
use crate::vm::machine::Machine;

/// The threads of a state that cannot go on: their places, and the number of the thread that each waits for,
/// where that is certain.
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

    /// Whether any thread cannot go on.
    pub(crate) fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether the thread at `idx` cannot go on.
    pub(crate) fn has(&self, idx: usize) -> bool {
        self.0.iter().any(|&(one, _)| one == idx)
    }

    /// The cycles of a state, each as the places of threads that wait for the next, and the last for the
    /// first; from the one that was started first on. `is_over` if nobody can go on.
    pub(crate) fn cycles(&self, machine: &Machine<'_>, is_over: bool) -> Vec<Vec<usize>> {
        let mut cycles: Vec<Vec<usize>> = Vec::new();
        if self.0.len() < 2 {
            return cycles;
        }
        for first in 0..machine.process.threads.len() {
            if !cycles.iter().flatten().any(|&known| known == first)
                && let Some(cycle) = self.cycle_from(machine, first, is_over)
            {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// The places of threads that wait for locks whose owners have ended.
    pub(crate) fn forsaken(&self, machine: &Machine<'_>) -> Vec<usize> {
        let is_forsaken = |&idx: &usize| wants_abandoned_lock(machine, &machine.process.threads[idx]);
        let mut forsaken: Vec<usize> = self.0.iter().map(|&(idx, _)| idx).filter(is_forsaken).collect();
        forsaken.sort_unstable();
        forsaken
    }

    /// The cycle that the thread at `first` is part of.
    fn cycle_from(&self, machine: &Machine<'_>, first: usize, is_over: bool) -> Option<Vec<usize>> {
        let mut at = self.next(machine, first, is_over)?;
        let mut cycle = vec![first];
        while at != first {
            // One that only leads to a cycle is no part of it.
            if cycle.contains(&at) {
                return None;
            }
            cycle.push(at);
            at = self.next(machine, at, is_over)?;
        }
        // A thread does not wait for itself.
        (cycle.len() > 1).then_some(cycle)
    }

    /// The place of the thread that the one at `idx` waits for.
    fn next(&self, machine: &Machine<'_>, idx: usize, is_over: bool) -> Option<usize> {
        let &(_, holder) = self.0.iter().find(|&&(one, _)| one == idx)?;
        let thread = &machine.process.threads[idx];
        let certain = holder.or_else(|| lock_owner(machine, thread));
        machine.thread_by_id(certain.or_else(|| awaited(machine, thread).filter(|_| is_over))?)
    }
}
