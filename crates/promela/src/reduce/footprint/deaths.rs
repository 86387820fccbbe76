//! Where a process may die, and the summary of a process type for the choice of steps.

use super::super::choose::{OrderState, OrderType};
use super::{Analysis, Footprint};
use crate::ir::{Action, Proctype, Setup, Transition};

impl<'a> Analysis<'a> {
    pub(super) fn order_type(&self, ty: usize, now: Vec<Footprint>, ever: Vec<Footprint>) -> OrderType {
        let proctype = self.lowered.body(ty);
        // A death that is not observable is like any other local step of the process.
        let counts = self.shared.hidden_deaths.get(ty).is_some_and(|hidden| !hidden);
        let is_last = |list: &[Transition]| {
            counts
                && list
                    .iter()
                    .any(|t| matches!(proctype.statements[t.statement as usize].action, Action::End))
        };
        let may_die = if counts { self.may_die(proctype) } else { vec![false; now.len()] };
        let mut states = Vec::new();
        for (pc, (now, ever)) in now.into_iter().zip(ever).enumerate() {
            let dies = is_last(&proctype.transitions[pc]);
            states.push(OrderState {
                silent: now.is_empty() && !dies,
                now,
                ever,
                dies,
                may_die: may_die[pc],
            });
        }
        let own = proctype.setup.iter().filter(|step| matches!(step, Setup::Channel(..))).count();
        let claims = if self.lowered.check_exclusive { proctype.exclusive.clone() } else { Vec::new() };
        OrderType {
            exprs: self.exprs[ty].clone(),
            places: self.places[ty].clone(),
            n_channels: own,
            claims,
            states,
        }
    }

    /// Whether the process may die, from each control state.
    pub(super) fn may_die(&self, proctype: &Proctype) -> Vec<bool> {
        let mut may: Vec<bool> = proctype
            .transitions
            .iter()
            .map(|list| {
                list.iter().any(|t| matches!(proctype.statements[t.statement as usize].action, Action::End))
            })
            .collect();
        loop {
            let mut changed = false;
            for pc in (0..may.len()).rev() {
                let leads = proctype.transitions[pc]
                    .iter()
                    .filter_map(|t| t.target)
                    .any(|target| may[usize::from(target.0)]);
                changed |= leads && !may[pc];
                may[pc] |= leads;
            }
            if !changed {
                return may;
            }
        }
    }
}
