//! *Ever*: what a process may touch from a control state on, computed as a fixed point.
//!
//! A process that is started adds what it may touch itself, expressed in terms of its starter: its parameters
//! are replaced by the arguments.

use super::super::access::{self, Access, Output};
use super::channels::is_own_channel;
use super::{Analysis, Footprint, Name, When};
use crate::ir::RunProcess;

impl<'a> Analysis<'a> {
    /// One round of propagation over the control states of a process type. Returns whether it added anything.
    pub(super) fn extend_futures(
        &mut self,
        ty: usize,
        own: &[Footprint],
        ever: &mut [Vec<Footprint>],
    ) -> bool {
        let lowered = self.lowered;
        let proctype = lowered.body(ty);
        let mut any = false;
        for (pc, own) in own.iter().enumerate() {
            let mut started = own.clone();
            for transition in &proctype.transitions[pc] {
                let mut runs = Vec::new();
                let note = &mut |access: Access<'a>| {
                    if let Access::Run(run) = access {
                        runs.push(run);
                    }
                };
                access::statement(proctype, transition.statement, note, Output::DoesNotCount);
                for run in runs {
                    let child = usize::from(run.proctype.0);
                    let start = usize::from(lowered.proctypes[child].start.0);
                    let future = ever[child][start].clone();
                    self.add_future_of_child(ty, &mut started, run, &future);
                }
            }
            if self.points.is_some() {
                self.add_futures_of_calls(ty, pc, ever, &mut started);
            }
            any |= ever[ty][pc].extend(&started);
        }
        loop {
            let mut changed = false;
            for pc in (0..own.len()).rev() {
                for target in proctype.transitions[pc].iter().filter_map(|t| t.target) {
                    let more = ever[ty][usize::from(target.0)].clone();
                    changed |= ever[ty][pc].extend(&more);
                }
            }
            any |= changed;
            if !changed {
                return any;
            }
        }
    }

    /// Adds a use of a channel by a process that is about to be started.
    pub(super) fn use_name_of_child(
        &mut self,
        ty: usize,
        to: &mut Footprint,
        run: &RunProcess,
        name: Name,
        how: u8,
        when: When,
    ) {
        let Name::Expr(idx) = name else { return self.use_name(to, name, how, when) };
        let lowered = self.lowered;
        let child_ty = usize::from(run.proctype.0);
        let child = &lowered.proctypes[child_ty];
        let e = self.exprs[child_ty][usize::from(idx)].clone();
        if is_own_channel(child, &e) {
            return; // There is no such channel yet, so nobody else can touch it now.
        }
        match self.seen_from_starter(ty, child, run, &e) {
            Some(e) => self.use_channel(ty, to, &e, how, when),
            None => self.use_name(to, Name::Any, how, when),
        }
    }

    /// Adds what a process that is about to be started will touch, in terms of the process that starts it.
    fn add_future_of_child(&mut self, ty: usize, to: &mut Footprint, run: &RunProcess, future: &Footprint) {
        let child_ty = usize::from(run.proctype.0);
        to.set.extend(&future.set);
        for (&(object, bit), &write) in &future.parts {
            to.add_part(object, bit, write);
        }
        for (&(name, when), &how) in &future.channels {
            self.use_name_of_child(ty, to, run, name, how, when);
        }
        for (&idx, &write) in &future.places {
            let place = self.places[child_ty][usize::from(idx)].clone();
            let (start, end, _) = access::range(&place);
            self.resources.globals(start, end, |bit| to.set.add(bit, write));
        }
    }
}
