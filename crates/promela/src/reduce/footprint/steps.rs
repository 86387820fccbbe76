//! What the statements of a step touch: access by access, transition by transition, state by state.

use super::super::access::{self, Access, Output};
use super::channels::{intern, is_tested};
use super::{Analysis, Footprint, When};
use crate::ir::{Action, Pc, Proctype, Transition};

impl<'a> Analysis<'a> {
    /// Adds one access. `first`: it belongs to the first statement of a step. `tested`: it matters that it
    /// may fail.
    pub(super) fn add(
        &mut self,
        ty: usize,
        to: &mut Footprint,
        access: Access<'_>,
        first: bool,
        tested: bool,
    ) {
        match access {
            Access::Local { start, end, write, .. } => {
                self.resources.remote(ty, start, end, |bit| to.set.add(bit, write));
            }
            Access::Global { start, end, write, place } => {
                if self.shared.is_scratch(start, end) {
                    return;
                }
                let is_process = ty < self.lowered.proctypes.len();
                let stable = place.filter(|place| {
                    is_process && place.indices.iter().all(|index| self.is_stable(ty, &index.value))
                });
                match stable.and_then(|place| intern(&mut self.places[ty], place)) {
                    Some(idx) => *to.places.entry(idx).or_default() |= write,
                    None => self.resources.globals(start, end, |bit| to.set.add(bit, write)),
                }
            }
            Access::Channel(e, how) => {
                let channels = self.points.map(|points| points.channels(ty, e));
                if channels.as_ref().is_none_or(|channels| channels.may_be_static) {
                    self.add_channel(ty, to, e, how, first, tested);
                }
                for (site, ordinal) in channels.unwrap_or_default().parts {
                    self.add_site_channel(to, site, ordinal, how, first || tested);
                }
            }
            Access::Object { place, through, write } => self.add_object(ty, to, place, through, write),
            Access::Delete(delete) => {
                let sites = self.points.map(|points| points.deleted(ty, delete));
                sites.into_iter().flatten().for_each(|site| self.add_site(to, site));
            }
            Access::Remote { proctype, start, end } => {
                self.resources.remote(usize::from(proctype.0), start, end, |bit| to.set.add(bit, false));
            }
            Access::RemotePc { proctype, state } => {
                self.resources.watched(usize::from(proctype.0), state, |bit| to.set.add(bit, false));
            }
            Access::Processes => to.set.add(self.resources.processes, false),
            Access::Run(run) => self.add_run(ty, to, run),
            // Other deaths depend on each other in only one way, which the choice of sets handles.
            Access::End => to.ends |= self.points.is_some() && !first,
            Access::Timeout | Access::NonProgress | Access::Beyond => {}
        }
    }

    /// What the step that begins in each control state may touch.
    pub(super) fn next_steps(&mut self, ty: usize) -> Vec<Footprint> {
        let lowered = self.lowered;
        let proctype = &lowered.proctypes[ty];
        let n = proctype.transitions.len();
        // What follows inside an atomic sequence, in any order: iterate to a fixed point.
        let inside: Vec<Footprint> = (0..n).map(|pc| self.of_state(ty, pc, false, true)).collect();
        let mut rest = inside;
        loop {
            let mut changed = false;
            for pc in (0..n).rev() {
                for target in atomic_targets(proctype, pc) {
                    let more = rest[target].clone();
                    changed |= rest[pc].extend(&more);
                }
            }
            if !changed {
                break;
            }
        }
        (0..n)
            .map(|pc| {
                let mut now = self.of_state(ty, pc, true, is_tested(proctype, pc));
                for target in atomic_targets(proctype, pc) {
                    now.extend(&rest[target]);
                }
                now
            })
            .collect()
    }

    /// What the transitions of each control state may touch at any point of a step.
    pub(super) fn single_steps(&mut self, ty: usize) -> Vec<Footprint> {
        let lowered = self.lowered;
        let proctype = lowered.body(ty);
        let n = proctype.transitions.len();
        let mut inside = vec![self.points.is_some(); n];
        for pc in 0..n {
            atomic_targets(proctype, pc).for_each(|target| inside[target] = true);
        }
        (0..n).map(|pc| self.of_state(ty, pc, false, inside[pc] || is_tested(proctype, pc))).collect()
    }

    /// What the transitions of one control state touch.
    pub(super) fn of_state(&mut self, ty: usize, pc: usize, first: bool, tested: bool) -> Footprint {
        let lowered = self.lowered;
        let proctype = lowered.body(ty);
        let mut footprint = Footprint::new(self.n_words);
        let mut accesses = Vec::new();
        for transition in &proctype.transitions[pc] {
            let statement = &proctype.statements[transition.statement as usize];
            let tested = tested || matches!(statement.action, Action::DStep(_));
            accesses.extend(self.accesses(ty, transition).into_iter().map(|access| (access, tested)));
            self.of_transition(ty, pc, transition, &mut footprint);
        }
        accesses.extend(self.provided(ty, pc).into_iter().map(|access| (access, true)));
        for (access, tested) in accesses {
            self.add(ty, &mut footprint, access, first, tested);
        }
        footprint
    }

    /// What the `provided` clause of a process reads, where the process can do anything.
    pub(super) fn provided(&self, ty: usize, pc: usize) -> Vec<Access<'a>> {
        let lowered = self.lowered;
        let body = lowered.body(ty);
        let mut accesses = Vec::new();
        if !body.transitions[pc].is_empty() {
            body.provided.iter().for_each(|e| access::expr(e, &mut |access| accesses.push(access)));
        }
        accesses
    }

    /// What the statement of a transition touches. For a call, what is touched before the function begins.
    pub(super) fn accesses(&self, ty: usize, transition: &Transition) -> Vec<Access<'a>> {
        let lowered = self.lowered;
        let body = lowered.body(ty);
        let mut accesses = Vec::new();
        let note = &mut |access| accesses.push(access);
        match &body.statements[transition.statement as usize].action {
            Action::Call(call) => access::call_entry(call, note),
            _ => access::statement(body, transition.statement, note, Output::DoesNotCount),
        }
        accesses
    }

    /// Adds what a transition touches in addition to its statement.
    pub(super) fn of_transition(
        &mut self,
        ty: usize,
        pc: usize,
        transition: &'a Transition,
        to: &mut Footprint,
    ) {
        self.watch(ty, pc, transition, to);
        if let Some(target) = transition.target {
            for name in self.ready(ty, usize::from(target.0)) {
                // This counts only if the channel is a rendezvous.
                self.use_name(to, name, 0, When::Always);
            }
        }
        if self.points.is_some() {
            self.of_scopes_and_calls(ty, transition, to);
        }
    }

    /// Adds writes of the control states that a transition leaves and enters, since others may test for them.
    pub(super) fn watch(&self, ty: usize, pc: usize, transition: &Transition, to: &mut Footprint) {
        for pc in transition.target.into_iter().chain([Pc(pc as u16)]) {
            self.resources.watched(ty, pc, |bit| to.set.add(bit, true));
        }
    }
}

pub(super) fn atomic_targets(proctype: &Proctype, pc: usize) -> impl Iterator<Item = usize> + '_ {
    let list = proctype.transitions[pc].iter().filter(|t| t.atomic);
    list.filter_map(|t| t.target).map(|target| usize::from(target.0))
}
