//! Upper bound on the processes that a model ever starts, dead ones included, computed from its text.
//!
//! A `run` that control can return to, or that is inside a `d_step`, may start any number of processes. Every
//! other `run` is executed at most once by each process. So the number of processes of a type is at most the
//! number that start with the system, plus one for each pair of a process and a `run` of the type in that
//! process's text. That leaves types which start each other in a circle. A circle is bounded if every process
//! *pays* before it continues the circle: if every path from its start to a `run` of the circle receives from
//! a channel into which only a bounded number of messages are ever sent. Then no more processes of the circle
//! start others than there are messages.
//!
//! The messages are counted in the same way, over sends that control does not return to. This is done only
//! for a global channel that is always used by its own name, so no other send can reach it.

use super::access::{self, Access, Output, Use};
use super::identity;
use crate::ir::{Action, Base, Expr, Proctype, Setup};
use crate::lower::{Lowered, MAX_CHANNELS, MAX_PROCESSES};

/// Whether the processes and channels ever made are fewer than the limit on those alive at one time.
pub(super) fn is_bounded(lowered: &Lowered) -> bool {
    let own = lowered.proctypes.iter().map(|p| n_channels(&p.setup)).max().unwrap_or(0);
    count(lowered).is_some_and(|total| {
        total < MAX_PROCESSES && n_channels(&lowered.setup) + total.saturating_mul(own) < MAX_CHANNELS
    })
}

fn n_channels(setup: &[Setup]) -> usize {
    setup.iter().filter(|step| matches!(step, Setup::Channel(..))).count()
}

/// A `run` in the program text.
struct Site {
    caller: usize,
    pc: usize,
    child: usize,
}

/// The number of all processes that can ever exist, if it is known.
fn count(lowered: &Lowered) -> Option<usize> {
    let sites = sites(lowered)?;
    let n = lowered.proctypes.len();
    let circles: Vec<Vec<bool>> = (0..n).map(|ty| circle(&sites, n, ty)).collect();
    let channels = if (0..n).any(|ty| circles[ty][ty]) { private_channels(lowered) } else { Vec::new() };
    let mut counts: Vec<Option<usize>> = vec![None; n];
    for _ in 0..n {
        for ty in (0..n).filter(|&ty| counts[ty].is_none()).collect::<Vec<_>>() {
            let circle = &circles[ty];
            let is_in = |ty: usize| circle[ty];
            // Processes that start with the system or from outside the circle. A type in no circle has only
            // these.
            let begun =
                lowered.active.iter().filter(|(id, _)| usize::from(id.0) == ty || is_in(usize::from(id.0)));
            let mut total = Some(begun.count());
            for site in sites.iter().filter(|site| site.child == ty || is_in(site.child)) {
                if !is_in(site.caller) {
                    total = total.and_then(|total| total.checked_add(counts[site.caller]?));
                }
            }
            if is_in(ty) {
                let more = paid_starts(lowered, &sites, circle, &channels, &counts);
                total = total.and_then(|total| total.checked_add(more?));
            }
            counts[ty] = total;
        }
    }
    // The types of one circle were counted together, once for each type: an overestimate, which is sound.
    counts.into_iter().try_fold(0, |sum: usize, count| sum.checked_add(count?))
}

/// Every `run` of types that are ever started; `None` if one of them may be executed repeatedly.
fn sites(lowered: &Lowered) -> Option<Vec<Site>> {
    let mut sites: Vec<Site> = Vec::new();
    let mut todo: Vec<usize> = lowered.active.iter().map(|(ty, _)| usize::from(ty.0)).collect();
    let mut known = vec![false; lowered.proctypes.len()];
    while let Some(caller) = todo.pop() {
        if std::mem::replace(&mut known[caller], true) {
            continue;
        }
        let proctype = &lowered.proctypes[caller];
        for (pc, list) in proctype.transitions.iter().enumerate() {
            for transition in list {
                let before = sites.len();
                let mut note = |access: Access<'_>| {
                    if let Access::Run(run) = access {
                        sites.push(Site { caller, pc, child: usize::from(run.proctype.0) });
                    }
                };
                access::statement(proctype, transition.statement, &mut note, Output::Counts);
                if sites.len() > before && is_repeated(proctype, pc, transition.statement) {
                    return None;
                }
                todo.extend(sites[before..].iter().map(|site| site.child));
            }
        }
    }
    Some(sites)
}

/// Whether a process may execute a statement more than once.
fn is_repeated(proctype: &Proctype, pc: usize, statement: u32) -> bool {
    matches!(proctype.statements[statement as usize].action, Action::DStep(_)) || is_on_cycle(proctype, pc)
}

/// Whether control can return to a control state.
fn is_on_cycle(proctype: &Proctype, start: usize) -> bool {
    let first = proctype.transitions[start].iter().filter_map(|t| t.target).map(|pc| usize::from(pc.0));
    reach(proctype, first.collect(), |_| true)[start]
}

/// The control states reachable from the given ones by transitions of a kind.
fn reach(proctype: &Proctype, from: Vec<usize>, passes: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut reached = vec![false; proctype.transitions.len()];
    let mut todo = from;
    while let Some(pc) = todo.pop() {
        if !std::mem::replace(&mut reached[pc], true) {
            let next = proctype.transitions[pc].iter().filter(|t| passes(t.statement));
            todo.extend(next.filter_map(|t| t.target).map(|pc| usize::from(pc.0)));
        }
    }
    reached
}

/// The types in a circle of `run`s with `ty`, which includes `ty` itself if there is a circle.
fn circle(sites: &[Site], n: usize, ty: usize) -> Vec<bool> {
    let follow = |from: usize, forward: bool| {
        let mut reached = vec![false; n];
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            for site in sites {
                let (here, there) =
                    if forward { (site.caller, site.child) } else { (site.child, site.caller) };
                if here == at && !std::mem::replace(&mut reached[there], true) {
                    todo.push(there);
                }
            }
        }
        reached
    };
    follow(ty, true).iter().zip(follow(ty, false)).map(|(&forward, back)| forward && back).collect()
}

/// The number of processes of a circle that are started from within it, if each start is paid for.
fn paid_starts(
    lowered: &Lowered,
    sites: &[Site],
    circle: &[bool],
    channels: &[u32],
    counts: &[Option<usize>],
) -> Option<usize> {
    let funds: Vec<(u32, usize)> =
        channels.iter().filter_map(|&at| Some((at, n_messages(lowered, at, counts)?))).collect();
    let inner = || sites.iter().filter(|site| circle[site.caller] && circle[site.child]);
    for site in inner() {
        let proctype = &lowered.proctypes[site.caller];
        let pays = |statement: u32| match &proctype.statements[statement as usize].action {
            Action::Receive(receive) => {
                !receive.peek && funds.iter().any(|&(at, _)| is_global_at(&receive.channel, at))
            }
            _ => false,
        };
        if reach(proctype, vec![usize::from(proctype.start.0)], |statement| !pays(statement))[site.pc] {
            return None;
        }
    }
    let messages = funds.iter().try_fold(0usize, |sum, &(_, n)| sum.checked_add(n))?;
    let most = (0..circle.len()).map(|ty| inner().filter(|site| site.caller == ty).count()).max()?;
    messages.checked_mul(most)
}

/// The number of messages ever sent to a channel that is used only by its name.
fn n_messages(lowered: &Lowered, at: u32, counts: &[Option<usize>]) -> Option<usize> {
    let mut total = Some(0usize);
    for (ty, proctype) in lowered.proctypes.iter().enumerate() {
        for (pc, list) in proctype.transitions.iter().enumerate() {
            for transition in list {
                let mut sends = false;
                let mut note = |access: Access<'_>| {
                    sends |= matches!(access, Access::Channel(e, Use::Send { .. }) if is_global_at(e, at));
                };
                access::statement(proctype, transition.statement, &mut note, Output::Counts);
                if sends {
                    let once = !is_repeated(proctype, pc, transition.statement);
                    let more = counts[ty].filter(|_| once);
                    total = total.and_then(|total| total.checked_add(more?));
                }
            }
        }
    }
    total
}

fn is_global_at(e: &Expr, at: u32) -> bool {
    match e {
        Expr::LoadByte(Base::Global, offset) => *offset == at,
        Expr::Load(place) => place.base == Base::Global && place.indices.is_empty() && place.offset == at,
        _ => false,
    }
}

/// The global channels that can be used only through their variable, by the offset of that variable. The
/// variable never changes and is never copied, and no channel is computed from a number.
fn private_channels(lowered: &Lowered) -> Vec<u32> {
    let all = identity::channel_offsets(lowered, &lowered.globals);
    let from_number = lowered.setup.iter().any(|step| match step {
        Setup::Assign(place, _) => {
            let (start, end, _) = access::range(place);
            all.iter().any(|at| (start..end).contains(at))
        }
        Setup::Channel(..) => false,
    });
    if from_number || !(0..lowered.proctypes.len()).all(|ty| identity::keeps_channels(lowered, ty)) {
        return Vec::new();
    }
    let made = lowered.setup.iter().filter_map(|step| match step {
        Setup::Channel(place, _) if access::range(place).2 => Some(access::range(place).0),
        _ => None,
    });
    made.filter(|&at| is_private(lowered, at)).collect()
}

/// Whether a variable occurs only as the channel of a send, a receive or a query.
fn is_private(lowered: &Lowered, at: u32) -> bool {
    let (mut uses, mut loads) = (0, 0);
    let mut count = |e: &Expr| {
        let mut channel = |e: &Expr| uses += usize::from(is_global_at(e, at));
        match e {
            Expr::Chan(_, e, _) => channel(e),
            Expr::Poll(poll) => channel(&poll.channel),
            _ => {}
        }
        // Counts also the loads of an array that contains it.
        loads += usize::from(match e {
            Expr::LoadByte(Base::Global, offset) => *offset == at,
            Expr::Load(place) if place.base == Base::Global => {
                let (start, end, _) = access::range(place);
                (start..end).contains(&at)
            }
            _ => false,
        });
    };
    let mut operands = 0;
    for proctype in &lowered.proctypes {
        for statement in &proctype.statements {
            match &statement.action {
                Action::Send(send) => operands += usize::from(is_global_at(&send.channel, at)),
                Action::Receive(receive) => operands += usize::from(is_global_at(&receive.channel, at)),
                _ => {}
            }
            statement.action.clone().walk_mut(&mut |e| count(e));
        }
        proctype.provided.iter().for_each(|e| e.walk(&mut |e| count(e)));
        for step in &proctype.setup {
            if let Setup::Assign(_, e) = step {
                e.walk(&mut |e| count(e));
            }
        }
    }
    for step in &lowered.setup {
        if let Setup::Assign(_, e) = step {
            e.walk(&mut |e| count(e));
        }
    }
    loads == uses + operands
}
