//! What a statement touches: the one traversal that every reduction builds on.
//!
//! Every part of the intermediate form that the interpreter may evaluate is visited, whether or not
//! evaluation would get there, so what is listed is always enough. An array with an index that is not a
//! constant counts as a whole.

use crate::ir::{Action, Expr, Field, Pc, Place, Proctype, ProctypeId, Receive, Run, Target};
use crate::syntax::ast::ChanQuery;

/// One thing touched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access<'a> {
    /// Bytes of the process's own record. Not exact if only some of them may be meant.
    Local { start: u32, end: u32, write: bool, exact: bool },
    /// Bytes of the globals; the place, if it has indices that are not constants.
    Global { start: u32, end: u32, write: bool, place: Option<&'a Place> },
    /// A channel.
    Channel(&'a Expr, Use<'a>),
    /// A variable of another process, which may be any of its type.
    Remote { proctype: ProctypeId, start: u32, end: u32 },
    /// Whether another process, which may be any of its type, is in a control state.
    RemotePc { proctype: ProctypeId, state: Pc },
    /// How many processes there are, or which.
    Processes,
    /// A process is started.
    Run(&'a Run),
    /// The process dies.
    End,
    /// Whether nothing else can happen.
    Timeout,
    /// Whether no process is at a progress label.
    NonProgress,
    /// Something that depends on more than can be told: priorities, `enabled()`, `pc_value()`.
    Beyond,
}

/// How a channel is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use<'a> {
    /// A send; whether the message may go before others.
    Send { sorted: bool },
    /// A receive.
    Receive(&'a Receive),
    /// Its contents or its length are looked at.
    Look,
    /// Its length is looked at, as a sender may.
    LookForRoom,
    /// Its length is looked at, as a receiver may.
    LookForMessage,
}

/// The bytes that a place may mean, counted from its base; exact if it is sure to mean all of them.
pub(super) fn range(place: &Place) -> (u32, u32, bool) {
    let (mut start, mut spread, mut exact) = (place.offset, 0, true);
    for index in &place.indices {
        match index.value {
            Expr::Const(value) if u32::try_from(value).is_ok_and(|value| value < index.bound) => {
                start += value as u32 * index.stride;
            }
            _ => {
                spread += (index.bound.max(1) - 1) * index.stride;
                exact = false;
            }
        }
    }
    (start, start + spread + place.scalar.size(), exact)
}

type Visit<'v, 'a> = &'v mut dyn FnMut(Access<'a>);

fn place<'a>(place: &'a Place, write: bool, visit: Visit<'_, 'a>) {
    for index in &place.indices {
        expr(&index.value, visit);
    }
    let (start, end, exact) = range(place);
    match place.base {
        crate::ir::Base::Object(_) => visit(Access::Beyond),
        crate::ir::Base::Local => visit(Access::Local { start, end, write, exact }),
        crate::ir::Base::Global => {
            visit(Access::Global { start, end, write, place: (!exact).then_some(place) });
        }
    }
}

/// Visits what evaluating an expression reads (and what it starts).
pub(super) fn expr<'a>(e: &'a Expr, visit: Visit<'_, 'a>) {
    match e {
        Expr::Const(_) | Expr::Pid => {}
        Expr::Load(at) => place(at, false, visit),
        Expr::Address(_) | Expr::Either(_) => visit(Access::Beyond),
        Expr::LoadByte(base, offset) => match base {
            crate::ir::Base::Object(_) => visit(Access::Beyond),
            crate::ir::Base::Local => {
                visit(Access::Local { start: *offset, end: offset + 1, write: false, exact: true });
            }
            crate::ir::Base::Global => {
                visit(Access::Global { start: *offset, end: offset + 1, write: false, place: None });
            }
        },
        Expr::NrPr => visit(Access::Processes),
        Expr::Unary(_, a) | Expr::WithConst(_, a, _) => expr(a, visit),
        Expr::Binary(_, a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        Expr::Cond(c, a, b) => {
            expr(c, visit);
            expr(a, visit);
            expr(b, visit);
        }
        Expr::Chan(query, channel, _) => {
            expr(channel, visit);
            let how = match query {
                ChanQuery::Len | ChanQuery::Full | ChanQuery::Empty => Use::Look,
                ChanQuery::NFull => Use::LookForRoom,
                ChanQuery::NEmpty => Use::LookForMessage,
            };
            visit(Access::Channel(channel, how));
        }
        Expr::Poll(poll) => {
            expr(&poll.channel, visit);
            poll.fields.iter().flatten().for_each(|e| expr(e, visit));
            visit(Access::Channel(&poll.channel, Use::Look));
        }
        Expr::Timeout => visit(Access::Timeout),
        Expr::NonProgress => visit(Access::NonProgress),
        Expr::Enabled(a) | Expr::PcValue(a) | Expr::Priority(a) => {
            expr(a, visit);
            visit(Access::Beyond);
        }
        Expr::RemoteLabel { proctype, process, state } => {
            if let Some(process) = process {
                expr(process, visit);
            }
            visit(Access::Processes);
            visit(Access::RemotePc { proctype: *proctype, state: *state });
        }
        Expr::RemoteVar { proctype, process, place, .. } => {
            if let Some(process) = process {
                expr(process, visit);
            }
            for index in &place.indices {
                expr(&index.value, visit);
            }
            let (start, end, _) = range(place);
            visit(Access::Processes);
            visit(Access::Remote { proctype: *proctype, start, end });
        }
        Expr::Run(run) => {
            run.args.iter().for_each(|e| expr(e, visit));
            visit(Access::Run(run));
        }
    }
}

fn target<'a>(target: &'a Target, visit: Visit<'_, 'a>) {
    match target {
        Target::Place(at) => place(at, true, visit),
        Target::Discard | Target::Forgotten(_) => {}
        Target::Priority | Target::Either(_) => visit(Access::Beyond),
    }
}

/// Visits what an action touches: reads before writes. What is printed is left to `output`: it does not
/// decide what happens, unless a process is started for it.
pub(super) fn action<'a>(action: &'a Action, visit: Visit<'_, 'a>, output: Output) {
    match action {
        Action::Skip | Action::Else | Action::DStep(_) => {}
        Action::End => visit(Access::End),
        Action::Guard(e) | Action::Assert(e, _) => expr(e, visit),
        Action::Assign(to, value) => {
            expr(value, visit);
            target(to, visit);
        }
        Action::Send(send) => {
            expr(&send.channel, visit);
            send.args.iter().for_each(|e| expr(e, visit));
            visit(Access::Channel(&send.channel, Use::Send { sorted: send.sorted }));
        }
        Action::Receive(receive) => {
            expr(&receive.channel, visit);
            for field in &receive.fields {
                match field {
                    Field::Match(e) => expr(e, visit),
                    Field::Store(Target::Place(at)) => {
                        at.indices.iter().for_each(|index| expr(&index.value, visit));
                    }
                    Field::Store(_) => {}
                }
            }
            for field in &receive.fields {
                if let Field::Store(to) = field {
                    target(to, visit);
                }
            }
            visit(Access::Channel(&receive.channel, Use::Receive(receive)));
        }
        Action::Printf(_, args) => args.iter().for_each(|e| printed(e, visit, output)),
        Action::Printm(e, _) => printed(e, visit, output),
        Action::SetPriority(a, b) => {
            expr(a, visit);
            expr(b, visit);
            visit(Access::Beyond);
        }
        Action::Event(_) | Action::New(_) | Action::Delete(_) | Action::Call(_) | Action::Return(_) => {
            visit(Access::Beyond);
        }
    }
}

/// Whether what is printed counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Counts,
    DoesNotCount,
}

fn printed<'a>(e: &'a Expr, visit: Visit<'_, 'a>, output: Output) {
    if output == Output::Counts || e.contains_run() {
        expr(e, visit);
    }
}

/// Visits what a statement of a process type touches, all of a `d_step` included.
pub(super) fn statement<'a>(proctype: &'a Proctype, idx: u32, visit: Visit<'_, 'a>, output: Output) {
    match &proctype.statements[idx as usize].action {
        Action::DStep(d_step) => {
            for node in &proctype.d_steps[*d_step as usize].nodes {
                if let crate::ir::DNode::Do { statement, .. } = node {
                    action(&proctype.statements[*statement as usize].action, visit, output);
                }
            }
        }
        other => action(other, visit, output),
    }
}
