//! What an observer can see: it evaluates properties of every stored state, and never moves a process.
//!
//! The observer evaluates `Lowered::propositions`, and may see which processes are at accept or progress
//! labels. Its verdict about a run must not change if a state is repeated. (Formulas without *next*,
//! accepting cycles and non-progress cycles have this property.) A step is *visible* if it may change
//! anything that the observer reads. Each reduction keeps, for every run of the model, a run with the same
//! sequence of observations up to repetitions, and adds no run:
//!
//! - **dead** and **faint**: the observer reads no variable that they reset. So states that become one agree
//!   on every proposition.
//! - **merge**: chains pass only over invisible steps, and the process that passes over them was in a stored
//!   state just before, where every process could move. Every cycle still has a stored state.
//! - **order**: a set of processes that omits others has no visible step (condition C2 of Peled, *All from
//!   one, one for all*, 1993; Clarke, Grumberg, Peled, *Model Checking*, 1999, chapter 10). Persistent sets
//!   give C1, and the searches ensure C3, that no process is omitted in every state of a cycle.
//!
//! A proposition may follow pointers. Then a step is visible if it writes a part of what they may refer to,
//! or ends it, and objects that they may refer to never count as reachable by one process alone.
//!
//! A proposition that depends on every process at once (`enabled()`, `timeout`, `_last`, `pc_value()`,
//! priorities) makes every step visible: then no step is merged and none omitted.
//!
//! With **weak fairness**, only those runs count in which every process that is continuously enabled from
//! some point on moves. Take a fair run, and a state of it in which the reduced search takes a closed set of
//! processes (`choose`). One process of the set is enabled, and stays enabled while none of the set moves,
//! whatever the others do. So in a fair run a process of the set moves, and the first such step is moved to
//! the front. The run of the reduced search therefore consists of the same steps in another order, and a
//! process that moves infinitely often in one moves infinitely often in the other. Now take a process that
//! stands still from some point on, but is disabled again and again. Whether it is enabled depends on what it
//! reads where it stands. If the step that is moved writes any of that, the process belongs to the set,
//! because it will ever touch it; and then no process outside the set writes any of it before that step. So
//! all such writes happen in the same order in both runs, and the process is disabled again and again in
//! both. What remains is enabledness that depends not on what is read but on where other processes are. For
//! that reason starts and deaths count as visible under fairness, models with `timeout` or rendezvous are not
//! reduced by order, and no steps are merged.

use super::access::{self, Access};
use crate::ir::{Action, Expr, Proctype};
use crate::lower::{HEADER_SIZE, Lowered};

/// What the observer reads in addition to variables and channels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Observed {
    /// Whether it reads accept labels.
    accept: bool,
    /// Whether it reads progress labels.
    progress: bool,
    /// Whether it reads anything that depends on every process at once.
    pub(super) beyond: bool,
}

impl Observed {
    pub(super) fn new(lowered: &Lowered) -> Self {
        let mut observed = Self {
            accept: lowered.observes_accept_labels,
            progress: lowered.observes_progress_labels,
            beyond: false,
        };
        let mut note = |access: Access<'_>| match access {
            Access::NonProgress => observed.progress = true,
            Access::Global { start, .. } if start < HEADER_SIZE => observed.beyond = true,
            Access::Global { write: false, .. } | Access::Channel(..) => {}
            Access::Remote { .. } | Access::RemotePc { .. } | Access::Processes => {}
            Access::Object { write: false, .. } => {}
            // The observer is not a process, so it has no variables and starts no process.
            _ => observed.beyond = true,
        };
        lowered.propositions.iter().for_each(|e| access::expr(e, &mut note));
        observed
    }

    /// Whether the observer sees that a process is in a control state.
    pub(super) fn is_label(self, proctype: &Proctype, pc: usize) -> bool {
        self.accept && proctype.accept[pc] || self.progress && proctype.progress[pc]
    }

    /// Whether the observer sees that a process waits to die.
    pub(super) fn sees_ends(self, proctype: &Proctype) -> bool {
        let is_end = |pc: usize| {
            let mut list = proctype.transitions[pc].iter();
            list.any(|t| matches!(proctype.statements[t.statement as usize].action, Action::End))
        };
        (0..proctype.transitions.len()).any(|pc| self.is_label(proctype, pc) && is_end(pc))
    }
}

/// Something that an observer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// A global variable, at this offset.
    Global(u32),
    /// The messages of a channel.
    Channel,
    /// Anything else.
    Other,
}

/// What the propositions in `asked` read and those in `observed` do not.
pub(crate) fn unobserved(asked: &[Expr], observed: &[Expr]) -> Vec<Read> {
    let (mut bytes, mut channels) = (Vec::new(), Vec::new());
    let globals = |e: &Expr, ranges: &mut Vec<(u32, u32)>| {
        access::expr(e, &mut |access| {
            if let Access::Global { start, end, .. } = access {
                ranges.push((start, end));
            }
        });
    };
    for e in observed {
        globals(e, &mut bytes);
        access::expr(e, &mut |access| {
            if let Access::Channel(channel, _) = access {
                globals(channel, &mut channels);
            }
        });
    }
    let first_missing = |start: u32, end: u32, ranges: &[(u32, u32)]| {
        (start..end).find(|at| !ranges.iter().any(|(from, to)| (*from..*to).contains(at)))
    };
    let mut missing = Vec::new();
    let mut note = |access: Access<'_>| match access {
        Access::Global { start, end, write: false, .. } if start >= HEADER_SIZE => {
            missing.extend(first_missing(start, end, &bytes).map(Read::Global));
        }
        Access::Channel(channel, _) => {
            let mut ranges = Vec::new();
            globals(channel, &mut ranges);
            let is_known = |&(start, end): &(u32, u32)| first_missing(start, end, &channels).is_none();
            if ranges.is_empty() || !ranges.iter().all(is_known) {
                missing.push(Read::Channel);
            }
        }
        _ => missing.push(Read::Other),
    };
    asked.iter().for_each(|e| access::expr(e, &mut note));
    missing
}
