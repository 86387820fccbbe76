//! Closed sets of threads, in one process or several, which wait only for each other while other threads go
//! on.
//!
//! A thread that is stuck can go on only if another one does something: the owner of a monitor leaves it, the
//! process at the other end of a connection writes, a thread of the same process closes the socket or
//! notifies. These are its [`Helpers`]. A set of stuck threads all of whose helpers are in the set is stuck
//! for good: none of them ever takes a step, so none is ever helped. The largest such set is what remains
//! when threads with a helper outside are taken out again and again. A process that waits to begin is a
//! thread here, and stuck for good as soon as one of the processes is that it waits for.
//!
//! Whatever could help counts as a helper, so a set that is found is closed. A thread in `accept` can be
//! helped by any thread at all, which may connect, and so is never part of a set while others go on. Failures
//! help nobody: none has to come.

use crate::explain::waits::{Helpers, helpers};
use crate::vm::machine::Machine;

/// A process in a state: which of its threads are stuck. `None` if it has not begun.
pub(super) struct Member<'a, 'vm> {
    pub(super) machine: Option<&'a Machine<'vm>>,
    pub(super) is_stuck: &'a dyn Fn(usize) -> bool,
    /// The processes that it waits for before it begins, a bit each.
    pub(super) awaits: u64,
}

/// The largest closed set: the places of its threads by process, and for a process that has not begun, its
/// place 0.
pub(super) fn closed(members: &[Member<'_, '_>]) -> Vec<(usize, usize)> {
    let n_threads =
        |process: usize| members[process].machine.map_or(1, |machine| machine.process.threads.len());
    let all = (0..members.len()).flat_map(|process| (0..n_threads(process)).map(move |idx| (process, idx)));
    let is_stuck = |&(process, idx): &(usize, usize)| {
        members[process].machine.is_none() || (members[process].is_stuck)(idx)
    };
    let mut set: Vec<(usize, usize)> = all.filter(is_stuck).collect();
    loop {
        // A process is in the set if all its threads are; one that has ended has none.
        let has_process = |process: usize| (0..n_threads(process)).all(|idx| set.contains(&(process, idx)));
        let is_closed = |&(process, idx): &(usize, usize)| {
            let Some(machine) = members[process].machine else {
                return (0..members.len())
                    .any(|of| members[process].awaits >> of & 1 == 1 && has_process(of));
            };
            match helpers(machine, idx) {
                Helpers::Thread(id) => {
                    machine.thread_by_id(id).is_none_or(|other| set.contains(&(process, other)))
                }
                Helpers::Processes(other) => {
                    has_process(process) && other.is_none_or(|of| has_process(of as usize))
                }
                Helpers::Anyone => (0..members.len()).all(has_process),
            }
        };
        let rest: Vec<(usize, usize)> = set.iter().copied().filter(is_closed).collect();
        if rest.len() == set.len() {
            return rest;
        }
        set = rest;
    }
}
