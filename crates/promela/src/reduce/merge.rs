//! Merges local steps with the step before them: a state that only they leave is not stored.
//!
//! A control state is *local* if everything that can be tried there touches only the process's own variables
//! (through to the end of an atomic sequence that begins there), and if neither another process nor an
//! observer tests whether the process is there. A transition into a local control state keeps control, as
//! inside an atomic sequence: the machine continues with the same process, along every path, and stops where
//! the next statement is not local. A process that cannot continue stays where it is, in a state that is
//! stored. Every cycle of local control states has one at which each chain stops. So each step ends, and a
//! process that cycles infinitely passes through stored states. Chains also stop where the number of paths
//! would multiply from choice to choice.
//!
//! This is sound because in a state where a process can do only local steps, those steps are a persistent set
//! by themselves: no other process can enable, disable or change them, and they change nothing that another
//! process or the observer can depend on (Lipton's movers; Holzmann, *The engineering of a model checker*,
//! SPIN 1999). The intermediate states are states of a search with that reduction which are not stored. A
//! step before a chain only gets longer by the chain, so no step is deferred indefinitely.
//!
//! In models with dynamic features, a step is also local if it follows pointers into objects that no other
//! process ever knows (`points_to`), makes objects, or enters and leaves scopes with such variables only.
//! Calls and returns are joined to the statement that follows in any case, and no chain passes through them,
//! because what follows a return depends on the caller.
//!
//! A death that is not observable (`identity`) is local too: a process whose last statement is done dies with
//! it, if it is the youngest. The sender's chain after a rendezvous is not merged, because control is with
//! the receiver then.

use super::access::{self, Access, Output, bodies};
use super::points_to::PointsTo;
use super::shared::SharedFacts;
use crate::ir::{Action, Pc, Proctype, Transition};
use crate::lower::Lowered;

/// A chain with more paths than this is cut.
const MAX_WAYS: u32 = 8;

/// Makes every transition into a local control state continue.
pub(super) fn merge(lowered: &mut Lowered, shared: &SharedFacts) {
    let passed = {
        let points = PointsTo::new(lowered);
        let ready = super::footprint::ready_states(lowered, shared, points.as_ref());
        let one = |(idx, body): (usize, &Proctype)| {
            let local = local_states(body, idx, shared, points.as_ref(), &ready[idx]);
            passed_over(body, local)
        };
        bodies(lowered).enumerate().map(one).collect::<Vec<_>>()
    };
    let functions = lowered.dynamic.iter_mut().flat_map(|dynamic| &mut dynamic.functions);
    let bodies = lowered.proctypes.iter_mut().chain(functions.map(|function| &mut function.body));
    for (body, passed) in bodies.zip(passed) {
        for transition in body.transitions.iter_mut().flatten() {
            let statement = &body.statements[transition.statement as usize];
            // What a call leads to comes only after the function's return.
            let is_call = matches!(statement.action, Action::Call(_) | Action::Return(_));
            if !is_call && transition.target.is_some_and(|target| passed[usize::from(target.0)]) {
                transition.atomic = true;
            }
        }
    }
}

/// The control states that a chain passes through.
fn passed_over(proctype: &Proctype, local: Vec<bool>) -> Vec<bool> {
    let mut passed = local;
    while let Some(pc) = endless(proctype, &passed) {
        passed[pc] = false;
    }
    limit_ways(proctype, &mut passed);
    passed
}

/// The control states in which only local steps are possible. A step is not local if it enters a control
/// state where another process may test that the process is ready.
fn local_states(
    proctype: &Proctype,
    idx: usize,
    shared: &SharedFacts,
    points: Option<&PointsTo<'_>>,
    ready: &[bool],
) -> Vec<bool> {
    let is_local = |access: Access<'_>| match access {
        Access::Local { start, end, .. } => !shared.is_remote(idx, start, end),
        Access::Global { start, end, .. } => shared.is_scratch(start, end),
        Access::End => shared.hidden_deaths[idx],
        access => points.is_some_and(|points| points.is_private(idx, &access)),
    };
    let ends_nothing_shared = |transition: &Transition| {
        let shared = |object: u16| {
            points.is_none_or(|points| points.sites[usize::from(points.scope_site(object))].shared)
        };
        !access::ended(proctype, transition).into_iter().any(shared)
    };
    let mut provided = true;
    proctype.provided.iter().for_each(|e| access::expr(e, &mut |access| provided &= is_local(access)));
    let mut local: Vec<bool> = proctype.transitions.iter().map(|list| provided && !list.is_empty()).collect();
    for (pc, list) in proctype.transitions.iter().enumerate() {
        for transition in list {
            let watched = |pc: Pc| shared.is_watched(idx, pc);
            let seen = |pc: Pc| watched(pc) || ready[usize::from(pc.0)];
            local[pc] &= !watched(Pc(pc as u16)) && !transition.target.is_some_and(seen);
            let mut note = |access: Access<'_>| local[pc] &= is_local(access);
            access::statement(proctype, transition.statement, &mut note, Output::DoesNotCount);
            if points.is_some() {
                access::entered(proctype, transition, &mut note);
                let statement = &proctype.statements[transition.statement as usize];
                local[pc] &= !matches!(statement.action, Action::Call(_) | Action::Return(_));
                local[pc] &= ends_nothing_shared(transition);
            }
        }
    }
    // An atomic sequence is local only if all of it is.
    loop {
        let mut changed = false;
        for (pc, list) in proctype.transitions.iter().enumerate() {
            let stays = list
                .iter()
                .filter(|t| t.atomic)
                .all(|t| t.target.is_some_and(|target| local[usize::from(target.0)]));
            if local[pc] && !stays {
                local[pc] = false;
                changed = true;
            }
        }
        if !changed {
            return local;
        }
    }
}

fn targets(proctype: &Proctype, pc: usize) -> impl Iterator<Item = usize> + '_ {
    proctype.transitions[pc].iter().filter_map(|t| t.target).map(|target| usize::from(target.0))
}

/// A control state at which to stop a chain that would cycle without end, if there is such a chain. Inside an
/// atomic sequence a chain does not stop, so it must be a state that the chain enters from outside one; a
/// cycle without such a state is the model's own.
fn endless(proctype: &Proctype, passed: &[bool]) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let goes_on: Vec<Vec<(usize, bool)>> = proctype
        .transitions
        .iter()
        .map(|list| {
            let edges = list.iter().filter_map(|t| Some((usize::from(t.target?.0), t.atomic)));
            edges.filter(|&(target, atomic)| atomic || passed[target]).collect()
        })
        .collect();
    let mut colour = vec![Colour::New; passed.len()];
    let mut has_own_cycle = false;
    for root in 0..passed.len() {
        if colour[root] != Colour::New {
            continue;
        }
        colour[root] = Colour::Open;
        // Each control state on the path, whether it was entered from outside an atomic sequence, and its
        // next edge.
        let mut stack = vec![(root, false, 0)];
        while let Some((pc, _, next)) = stack.last_mut() {
            let Some(&(target, atomic)) = goes_on[*pc].get(*next) else {
                colour[*pc] = Colour::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match colour[target] {
                Colour::New => {
                    colour[target] = Colour::Open;
                    stack.push((target, !atomic, 0));
                }
                Colour::Open if !atomic => return Some(target),
                Colour::Open => {
                    let around = stack.iter().rev().take_while(|(pc, ..)| *pc != target);
                    if let Some(&(pc, ..)) = around.clone().find(|(_, entered, _)| *entered) {
                        return Some(pc);
                    }
                    has_own_cycle = true;
                }
                Colour::Done => {}
            }
        }
    }
    // A traversal that met one of the model's own cycles may have missed others that share a control state
    // with it.
    let comes_back = |(from, target): (usize, usize)| {
        let mut reached = vec![false; passed.len()];
        let mut todo = vec![target];
        while let Some(pc) = todo.pop() {
            if !std::mem::replace(&mut reached[pc], true) {
                todo.extend(goes_on[pc].iter().map(|&(target, _)| target));
            }
        }
        reached[from]
    };
    let edges = goes_on.iter().enumerate().flat_map(|(from, list)| list.iter().map(move |edge| (from, edge)));
    let mut entering = edges.filter(|(_, (_, atomic))| has_own_cycle && !atomic);
    entering.find(|&(from, &(target, _))| comes_back((from, target))).map(|(_, &(target, _))| target)
}

/// Cuts chains at control states from which there would be too many paths. Where the states passed form a
/// cycle (of the model's own atomic sequences), one round of it counts once.
fn limit_ways(proctype: &Proctype, passed: &mut [bool]) {
    let mut ways: Vec<Option<u32>> = vec![None; passed.len()];
    let mut begun = vec![false; passed.len()];
    for root in 0..passed.len() {
        let mut stack = vec![root];
        while let Some(&pc) = stack.last() {
            if ways[pc].is_some() {
                stack.pop();
                continue;
            }
            if !passed[pc] {
                ways[pc] = Some(1);
                continue;
            }
            if !std::mem::replace(&mut begun[pc], true) {
                stack
                    .extend(targets(proctype, pc).filter(|&target| ways[target].is_none() && !begun[target]));
                continue;
            }
            let sum = targets(proctype, pc).map(|target| ways[target].unwrap_or(1)).sum::<u32>().max(1);
            passed[pc] = sum <= MAX_WAYS;
            ways[pc] = Some(if passed[pc] { sum } else { 1 });
        }
    }
}
