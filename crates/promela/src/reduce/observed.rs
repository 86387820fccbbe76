//! What somebody outside the model can tell: an observer that looks at every stored state, and never moves a process.
//!
//! The observer evaluates `Lowered::propositions`, and may see which processes are at accept or progress labels. What it says about
//! a run must not change if a state is repeated (formulas without *next*, accepting and non-progress cycles are such). A step is
//! *visible* if it may change anything that the observer reads. Each reduction keeps, for every run of the model, one with the
//! same sequence of what is observed, repetitions aside, and adds no run:
//!
//! - **dead** and **faint**: what is read is neither. States then stand for each other that no proposition tells apart.
//! - **merge**: only steps that are not visible are passed over, and whoever passes over them has been in a stored state
//!   just before, where everybody could move. Every cycle still has a stored state.
//! - **order**: a set of processes that leaves others out has no visible step (condition C2 of Peled, *All from one, one
//!   for all*, 1993; Clarke, Grumberg, Peled, *Model Checking*, 1999, chapter 10). Persistent sets give C1, and the searches see
//!   to C3, that nobody is left out all along a cycle.
//!
//! A proposition may follow pointers: then a step is visible that writes a part of what they may refer to, or
//! ends it, and what they may refer to is never anything that one process alone can reach.
//!
//! What depends on every process at once (`enabled()`, `timeout`, `_last`, `pc_value()`, priorities) makes every step visible: then
//! nothing is merged and nothing left out.
//!
//! With **weak fairness** only runs count in which every process that can always move from some point on does move. Let a fair
//! run be given, and let the reduced search be in a state of it where it takes a closed set of processes (`choose`). One of them
//! can move, and can as long as none of the set does, whatever the others do; so in a fair run one of the set moves,
//! and the first step that one of them takes is moved to the front. So the run of the reduced search is made of the same steps
//! in another order, and whoever moves for ever moves for ever in both. Let a process stand still from some point on, unable to
//! move again and again. Whether it can depends on what it reads where it stands. If the step that is moved writes any of that, the
//! process belongs to the set, for it will ever touch it; and so nobody outside the set writes any of it before that step. So
//! all that is written there is written in the same order in both runs, and the process is unable to move again and again
//! in both. That leaves what is not read but depends on where others stand: starts and deaths count as visible then, models with
//! `timeout` or rendezvous are not reduced by order, and nothing is merged.

use super::access::{self, Access};
use crate::ir::{Action, Expr, Proctype};
use crate::lower::{HEADER_SIZE, Lowered};

/// What the observer looks at beside variables and channels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Observed {
    /// Accept labels.
    accept: bool,
    /// Progress labels.
    progress: bool,
    /// Something that depends on every process at once.
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
            // The observer is no process, so it has no variables and starts nobody.
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

/// What an observer reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// A global variable, at this offset.
    Global(u32),
    /// The messages of a channel.
    Channel,
    /// Anything else.
    Other,
}

/// What the first propositions read, and the second ones do not.
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
