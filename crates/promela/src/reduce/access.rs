//! What a statement touches: the one traversal that every reduction builds on.
//!
//! The traversal visits every part of the intermediate form that the interpreter may evaluate, whether or not
//! evaluation would reach it. The list is therefore always a superset of what is touched. An array with an
//! index that is not a constant counts as a whole.
//!
//! What a pointer refers to is not known here: an access through a pointer names the pointer, and `points_to`
//! computes its possible targets. A call evaluates its arguments and the place of its result
//! ([`call_entry`]). The result is written when the function returns ([`call_exit`]), so [`action`] lists
//! both.

use crate::ir::{
    Action, Base, Call, Callee, Delete, Expr, Field, Pc, Proctype, ProctypeId, Receive, Returned, RunProcess,
    ScalarPlace, Setup, Target, Through, Transition,
};
use crate::lower::Lowered;
use crate::syntax::ast::ChanQuery;

/// One access of a statement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access<'a> {
    /// Bytes of the process's own record. Not `exact` if the access may touch only some of them.
    Local { start: u32, end: u32, write: bool, exact: bool },
    /// Bytes of the globals, with the place if it has indices that are not constants.
    Global { start: u32, end: u32, write: bool, place: Option<&'a ScalarPlace> },
    /// A part of what a pointer refers to. Without `write`, perhaps only a test that it is alive.
    Object { place: &'a ScalarPlace, through: &'a Through, write: bool },
    /// The end of all that a pointer refers to.
    Delete(&'a Delete),
    /// A use of a channel.
    Channel(&'a Expr, Use<'a>),
    /// A variable of another process, which may be any process of that type.
    Remote { proctype: ProctypeId, start: u32, end: u32 },
    /// A test whether another process, which may be any of that type, is in a control state.
    RemotePc { proctype: ProctypeId, state: Pc },
    /// The number of processes, or which processes exist.
    Processes,
    /// The start of a process.
    Run(&'a RunProcess),
    /// The death of the process.
    End,
    /// A test whether no other step is possible.
    Timeout,
    /// A test whether no process is at a progress label.
    NonProgress,
    /// A dependence that this analysis does not follow: priorities, `enabled()`, `pc_value()`.
    Beyond,
}

/// How a channel is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use<'a> {
    /// A send; `sorted` if the message may be placed before others.
    Send { sorted: bool },
    /// A receive.
    Receive(&'a Receive),
    /// A read of its contents or its length.
    Look,
    /// A test of its length that a sender may make.
    LookForRoom,
    /// A test of its length that a receiver may make.
    LookForMessage,
}

/// The bytes that a place may mean, counted from its base; exact if it always means all of them.
pub(super) fn range(place: &ScalarPlace) -> (u32, u32, bool) {
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

/// All bodies of a model: the process types, followed by the functions. A body's index is its *code*.
pub(super) fn bodies(lowered: &Lowered) -> impl Iterator<Item = &Proctype> {
    let functions = lowered.dynamic.iter().flat_map(|dynamic| &dynamic.functions);
    lowered.proctypes.iter().chain(functions.map(|function| &function.body))
}

fn place<'a>(at: &'a ScalarPlace, write: bool, visit: Visit<'_, 'a>) {
    path(at, visit);
    cell(at, write, true, visit);
}

/// Visits what must be read to find a place.
fn path<'a>(place: &'a ScalarPlace, visit: Visit<'_, 'a>) {
    if let Base::Object(through) = &place.base {
        expr(&through.pointer, visit);
        through.index.iter().for_each(|index| expr(index, visit));
    }
    for index in &place.indices {
        expr(&index.value, visit);
    }
}

/// Visits the place itself. A write that is not `certain` may not happen.
fn cell<'a>(place: &'a ScalarPlace, write: bool, certain: bool, visit: Visit<'_, 'a>) {
    let (start, end, exact) = range(place);
    match &place.base {
        Base::Object(through) => visit(Access::Object { place, through, write }),
        Base::Local => visit(Access::Local { start, end, write, exact: exact && certain }),
        Base::Global => {
            visit(Access::Global { start, end, write, place: (!exact).then_some(place) });
        }
    }
}

/// Visits what evaluating an expression reads, and the processes that it starts.
pub(super) fn expr<'a>(e: &'a Expr, visit: Visit<'_, 'a>) {
    match e {
        Expr::Const(_) | Expr::Pid => {}
        Expr::Load(at) => place(at, false, visit),
        Expr::Address(address) => {
            path(&address.place, visit);
            // Taking the address of a part requires that the object is alive; it reads nothing else of it.
            if let Base::Object(through) = &address.place.base {
                visit(Access::Object { place: &address.place, through, write: false });
            }
        }
        Expr::Either(either) => {
            expr(&either.left, visit);
            either.right.iter().for_each(|e| expr(e, visit));
        }
        Expr::LoadByte(base, offset) => match base {
            Base::Object(_) => visit(Access::Beyond),
            Base::Local => {
                visit(Access::Local { start: *offset, end: offset + 1, write: false, exact: true });
            }
            Base::Global => {
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
    target_path(target, visit);
    target_cell(target, visit);
}

/// Visits what must be read to find the target of an assignment.
fn target_path<'a>(target: &'a Target, visit: Visit<'_, 'a>) {
    match target {
        Target::Place(at) => path(at, visit),
        Target::Either(either) => {
            path(&either.left, visit);
            either.right.iter().for_each(|at| path(at, visit));
        }
        Target::Discard | Target::Forgotten(_) | Target::Priority => {}
    }
}

/// Visits the target of an assignment: for a pointer, the pointer itself or what it refers to.
fn target_cell<'a>(target: &'a Target, visit: Visit<'_, 'a>) {
    match target {
        Target::Place(at) => cell(at, true, true, visit),
        Target::Either(either) => {
            cell(&either.left, true, false, visit);
            either.right.iter().for_each(|at| cell(at, true, false, visit));
        }
        Target::Discard | Target::Forgotten(_) => {}
        Target::Priority => visit(Access::Beyond),
    }
}

/// Visits what a call reads before the function begins.
pub(super) fn call_entry<'a>(call: &'a Call, visit: Visit<'_, 'a>) {
    if let Callee::Through(callee) = &call.callee {
        expr(callee, visit);
    }
    call.args.iter().for_each(|e| expr(e, visit));
    if let Some(result) = &call.result {
        target_path(result, visit);
        // The place must be in a live object.
        target_alive(result, visit);
    }
}

fn target_alive<'a>(target: &'a Target, visit: Visit<'_, 'a>) {
    let mut alive = |place: &'a ScalarPlace| {
        if let Base::Object(through) = &place.base {
            visit(Access::Object { place, through, write: false });
        }
    };
    match target {
        Target::Place(at) => alive(at),
        Target::Either(either) => {
            alive(&either.left);
            either.right.iter().for_each(alive);
        }
        Target::Discard | Target::Forgotten(_) | Target::Priority => {}
    }
}

/// Visits what a call writes when the function has returned.
pub(super) fn call_exit<'a>(call: &'a Call, visit: Visit<'_, 'a>) {
    call.result.iter().for_each(|result| target_cell(result, visit));
}

/// Visits what is read and set on entering the scopes around a transition's statement.
pub(super) fn entered<'a>(body: &'a Proctype, transition: &'a Transition, visit: Visit<'_, 'a>) {
    let moves = transition.scopes.as_deref();
    for &scope in moves.map_or(&[][..], |moves| &moves.inside) {
        setup(&body.scopes[usize::from(scope)].setup, visit);
    }
}

/// Visits what initial values read, and the variables they set.
pub(super) fn setup<'a>(steps: &'a [Setup], visit: Visit<'_, 'a>) {
    for step in steps {
        match step {
            Setup::Assign(to, value) => {
                expr(value, visit);
                place(to, true, visit);
            }
            Setup::Channel(to, _) => place(to, true, visit),
        }
    }
}

/// The types of the scope objects that may end with a transition.
pub(super) fn ended(body: &Proctype, transition: &Transition) -> Vec<u16> {
    let statement = &body.statements[transition.statement as usize];
    let after = transition.scopes.as_deref().map_or(&[][..], |moves| &moves.after);
    // A tail call also ends its frame, and a dying process ends all its scopes.
    let ends_all = matches!(statement.action, Action::End | Action::Return(_));
    let scopes = body.scopes.iter().enumerate();
    let leaves = |idx: usize, flag: Option<u32>| ends_all || flag.is_some() && !after.contains(&(idx as u16));
    let objects =
        scopes.filter(|(idx, scope)| leaves(*idx, scope.flag)).filter_map(|(_, scope)| scope.object);
    objects.map(|(_, ty)| ty).collect()
}

/// Visits what an action touches, reads before writes. What is printed counts only as `output` says: printing
/// does not decide what happens, unless it starts a process or follows a pointer that may be null or
/// dangling.
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
                    Field::Store(to) => target_path(to, visit),
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
        Action::New(new) => {
            new.count.iter().for_each(|count| expr(count, visit));
            place(&new.target, true, visit);
        }
        Action::Delete(delete) => {
            expr(&delete.pointer, visit);
            visit(Access::Delete(delete));
        }
        Action::Call(call) => {
            call_entry(call, visit);
            call_exit(call, visit);
        }
        Action::Return(returned) => match &**returned {
            Returned::End | Returned::Nothing => {}
            Returned::Value(value) => expr(value, visit),
            Returned::Call(call) => call_entry(call, visit),
        },
        Action::Event(_) => visit(Access::Beyond),
    }
}

/// Whether what is printed counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Counts,
    DoesNotCount,
}

fn printed<'a>(e: &'a Expr, visit: Visit<'_, 'a>, output: Output) {
    if output == Output::Counts || e.contains_run() || e.follows_pointer() {
        expr(e, visit);
    }
}

/// Visits what a statement of a process type touches; for a `d_step`, what all of it touches.
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
