//! What processes share in addition to globals and channels, and what makes a model irreducible.

mod dynamic;

use super::access::{self, Access, Output, bodies};
use super::observed::Observed;
use crate::ir::{Expr, Pc, Proctype};
use crate::lower::Lowered;

/// What other processes can read of a process, and which globals are invisible to them.
#[derive(Debug, Default)]
pub(super) struct SharedFacts {
    /// Parts of records that others read: process type, start, end.
    remote: Vec<(usize, u32, u32)>,
    /// Control states that others test for: process type, control state.
    watched: Vec<(usize, Pc)>,
    /// The control states in `watched` that an observer sees by their labels.
    pub(super) labels: Vec<(usize, Pc)>,
    /// Hidden globals that are zero between any two steps.
    scratch: Vec<(u32, u32)>,
    /// Why steps of different processes always depend on each other, if they do.
    pub(super) irreducible: Option<&'static str>,
    /// Whether fixed priorities are the only reason. Then local steps can still be merged: a process that can
    /// do a local step keeps all processes of lower priority from moving until it has done it. If a process
    /// of higher priority can move after the first step of a chain, the chain stops there.
    pub(super) fixed_priorities: bool,
    /// Whether the order in which processes are started is not observable.
    pub(super) hidden_numbers: bool,
    /// For each process type, whether the death of a process is not observable.
    pub(super) hidden_deaths: Vec<bool>,
}

impl SharedFacts {
    pub(super) fn new(lowered: &Lowered) -> Self {
        let observed = Observed::new(lowered);
        // Fairness between processes depends on which can die, and so on numbers. With objects nothing is
        // hidden, because a dead process may hold the last reference to an object.
        let plain = lowered.dynamic.is_none();
        let hidden_numbers = plain && !lowered.fair && super::identity::is_hidden(lowered, observed);
        let claims = |proctype: &Proctype| lowered.check_exclusive && !proctype.exclusive.is_empty();
        let hidden_deaths = lowered.proctypes.iter().map(|p| hidden_numbers && !claims(p)).collect();
        let mut shared = Self { hidden_numbers, hidden_deaths, ..Self::default() };
        for place in &lowered.scratch {
            let (start, end, _) = access::range(place);
            shared.scratch.push((start, end));
        }
        let mut note = |access: Access<'_>| match access {
            Access::Remote { proctype, start, end } => {
                shared.remote.push((usize::from(proctype.0), start, end));
            }
            Access::RemotePc { proctype, state } => {
                shared.watched.push((usize::from(proctype.0), state));
            }
            Access::Beyond | Access::NonProgress => {
                shared.irreducible = Some("it asks what other processes can do, or for priorities");
            }
            _ => {}
        };
        for proctype in bodies(lowered) {
            for idx in 0..proctype.statements.len() {
                access::statement(proctype, idx as u32, &mut note, Output::Counts);
            }
            proctype.provided.iter().for_each(|e| access::expr(e, &mut note));
        }
        shared.observe(lowered, observed);
        let meetings = || lowered.channel_types.iter().any(|ty| ty.capacity == 0);
        if lowered.fair && (lowered.features.timeout || meetings()) {
            shared.irreducible =
                Some("with timeout or rendezvous, it is fair only by what every process can do");
        }
        if lowered.features.last {
            shared.irreducible = Some("it asks which process moved last");
        }
        if lowered.features.priority {
            shared.fixed_priorities = shared.irreducible.is_none();
            shared.irreducible = Some("its processes have priorities");
        }
        if let Some(trace) = &lowered.trace {
            let mut fields =
                trace.transitions.iter().flatten().flat_map(|(event, _)| &event.fields).flatten();
            if !fields.all(|e| matches!(e, Expr::Const(_))) {
                shared.irreducible = Some("it has an event trace that looks at variables");
                shared.fixed_priorities = false;
            }
        }
        if let Some(why) = dynamic::irreducible(lowered) {
            shared.irreducible = Some(why);
            shared.fixed_priorities = false;
        }
        shared
    }

    /// Adds what an observer reads.
    fn observe(&mut self, lowered: &Lowered, observed: Observed) {
        let mut note = |access: Access<'_>| match access {
            Access::Remote { proctype, start, end } => {
                self.remote.push((usize::from(proctype.0), start, end));
            }
            Access::RemotePc { proctype, state } => self.watched.push((usize::from(proctype.0), state)),
            _ => {}
        };
        lowered.propositions.iter().for_each(|e| access::expr(e, &mut note));
        for (ty, proctype) in bodies(lowered).enumerate() {
            let labels = (0..proctype.transitions.len()).filter(|&pc| observed.is_label(proctype, pc));
            self.labels.extend(labels.map(|pc| (ty, Pc(pc as u16))));
        }
        self.watched.extend(&self.labels);
        if observed.beyond {
            self.irreducible = Some("what is checked depends on what every process can do");
        }
    }

    /// Whether another process, or an observer, may read any of these bytes of a record.
    pub(super) fn is_remote(&self, proctype: usize, start: u32, end: u32) -> bool {
        self.remote.iter().any(|&(ty, from, to)| ty == proctype && from < end && start < to)
    }

    pub(super) fn is_watched(&self, proctype: usize, pc: Pc) -> bool {
        self.watched.contains(&(proctype, pc))
    }

    /// Whether a range of the globals is zero between any two steps.
    pub(super) fn is_scratch(&self, start: u32, end: u32) -> bool {
        self.scratch.iter().any(|&(from, to)| from <= start && end <= to)
    }
}
