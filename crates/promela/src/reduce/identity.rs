//! Decides whether process numbers, and the difference between dead and dying processes, are observable.
//!
//! A process gets the least free number when it is started, and it dies only when all younger ones are dead.
//! So starting a process and the death of another depend on each other, in principle. In most models this is
//! not observable: `_pid`, `_nr_pr`, remote references and the value of `run` do not occur, and the channels
//! that a process makes are known only to itself and to processes that it has started, which are all younger
//! and so dead before it dies. Then two states have the same future, up to such differences, if they differ
//! only in the numbers of processes and of their channels, and in processes which have nothing left to do but
//! to die. So starts and deaths commute with everything.
//!
//! An observer of the runs must not be able to tell the difference either.
//!
//! One more dependence remains: the number of processes and of channels is limited, and a process that waits
//! to die counts. So the model must not be able to start more processes, dead ones included, than can be
//! alive (`bound`).

use super::access::{self, Access, Output};
use super::bound;
use super::observed::Observed;
use crate::ir::{
    Action, Base, Expr, Field, Notation, Proctype, RunProcess, ScalarPlace, Setup, Target, Type, Variable,
};
use crate::lower::Lowered;
use crate::syntax::ast::BinaryOp;

/// Whether numbers and deaths of processes are observable neither in the model nor by its observer.
pub(super) fn is_hidden(lowered: &Lowered, observed: Observed) -> bool {
    let makes_channels =
        lowered.proctypes.iter().any(|p| p.setup.iter().any(|step| matches!(step, Setup::Channel(..))));
    bound::is_bounded(lowered)
        && lowered.proctypes.iter().all(keeps_numbers)
        && lowered.propositions.iter().all(is_blind)
        && !lowered.proctypes.iter().any(|proctype| observed.sees_ends(proctype))
        && (!makes_channels || (0..lowered.proctypes.len()).all(|ty| keeps_channels(lowered, ty)))
}

/// Whether an observer that evaluates an expression learns nothing about numbers of processes.
fn is_blind(proposition: &Expr) -> bool {
    let mut blind = true;
    access::expr(proposition, &mut |access| blind &= !tells(access));
    proposition.walk(&mut |e| blind &= !matches!(e, Expr::Pid | Expr::Run(_)));
    blind
}

/// Whether an access depends on the numbers of processes.
fn tells(access: Access<'_>) -> bool {
    matches!(access, Access::Processes | Access::Beyond)
}

/// Whether a process type never reads numbers of processes.
fn keeps_numbers(proctype: &Proctype) -> bool {
    let mut keeps = true;
    let mut note = |access: Access<'_>| keeps &= !tells(access);
    let mut exprs = Vec::new();
    for (idx, statement) in proctype.statements.iter().enumerate() {
        access::statement(proctype, idx as u32, &mut note, Output::DoesNotCount);
        match &statement.action {
            Action::Guard(Expr::Run(run)) => exprs.extend(run.args.clone()),
            Action::Printf(..) | Action::Printm(..) if !statement.has_run => {}
            other => other.clone().walk_mut(&mut |e| exprs.push(e.clone())),
        }
    }
    proctype.provided.iter().for_each(|e| access::expr(e, &mut note));
    exprs.extend(proctype.provided.clone());
    for step in &proctype.setup {
        if let Setup::Assign(_, e) = step {
            access::expr(e, &mut note);
            exprs.push(e.clone());
        }
    }
    for e in exprs {
        e.walk(&mut |e| keeps &= !matches!(e, Expr::Pid | Expr::Run(_)));
    }
    keeps
}

/// The offsets of the scalars that hold channels.
pub(super) fn channel_offsets(lowered: &Lowered, variables: &[Variable]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut todo: Vec<(u32, &Variable)> = variables.iter().map(|v| (0, v)).collect();
    while let Some((base, variable)) = todo.pop() {
        let size = match &variable.ty {
            Type::Scalar(scalar, _) => scalar.size(),
            Type::Record(idx) => lowered.records[*idx as usize].size,
        };
        for element in 0..variable.array.unwrap_or(1) {
            let at = base + variable.offset + element * size;
            match &variable.ty {
                Type::Scalar(_, Notation::Chan) => found.push(at),
                Type::Scalar(..) => {}
                Type::Record(idx) => {
                    todo.extend(lowered.records[*idx as usize].fields.iter().map(|field| (at, field)));
                }
            }
        }
    }
    found
}

/// Searches for channels of one process type that reach anything except the processes it starts.
struct Leaks<'a> {
    lowered: &'a Lowered,
    locals: Vec<u32>,
    globals: Vec<u32>,
}

/// Whether the channels that a process of a type makes, or gets when it is started, stay with it and the
/// processes that it starts.
pub(super) fn keeps_channels(lowered: &Lowered, ty: usize) -> bool {
    let proctype = &lowered.proctypes[ty];
    let leaks = Leaks {
        lowered,
        locals: channel_offsets(lowered, &proctype.variables),
        globals: channel_offsets(lowered, &lowered.globals),
    };
    let keeps_setup = |step: &Setup| match step {
        Setup::Assign(place, e) if leaks.is_channel_place(place) => leaks.is_channel(e),
        Setup::Assign(_, e) => leaks.keeps(e),
        Setup::Channel(..) => true,
    };
    proctype.setup.iter().all(keeps_setup)
        && proctype.provided.iter().all(|e| leaks.keeps(e))
        && proctype.statements.iter().all(|statement| leaks.keeps_in(&statement.action))
}

impl Leaks<'_> {
    fn is_channel_place(&self, place: &ScalarPlace) -> bool {
        let (start, end, _) = access::range(place);
        let offsets = match place.base {
            Base::Local => &self.locals,
            Base::Global => &self.globals,
            Base::Object(_) => return false,
        };
        offsets.iter().any(|at| (start..end).contains(at))
    }

    /// Whether an expression is a plain variable that holds a channel.
    fn is_channel(&self, e: &Expr) -> bool {
        match e {
            Expr::Load(place) => {
                self.is_channel_place(place) && place.indices.iter().all(|index| self.keeps(&index.value))
            }
            Expr::LoadByte(Base::Local, at) => self.locals.contains(at),
            Expr::LoadByte(Base::Global, at) => self.globals.contains(at),
            _ => false,
        }
    }

    /// Whether an expression uses a channel as a value only to compare it with another.
    fn keeps(&self, e: &Expr) -> bool {
        match e {
            Expr::LoadByte(Base::Local, at) => !self.locals.contains(at),
            Expr::Load(place) => {
                (place.base == Base::Global || !self.is_channel_place(place))
                    && place.indices.iter().all(|index| self.keeps(&index.value))
            }
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b, _)
                if self.is_channel(a) && self.is_channel(b) =>
            {
                true
            }
            Expr::Chan(_, channel, _) => self.is_channel(channel),
            Expr::Poll(poll) => {
                self.is_channel(&poll.channel) && poll.fields.iter().flatten().all(|e| self.keeps(e))
            }
            Expr::Unary(_, a) | Expr::WithConst(_, a, _) => self.keeps(a),
            Expr::Binary(_, a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => self.keeps(a) && self.keeps(b),
            Expr::Cond(c, a, b) => self.keeps(c) && self.keeps(a) && self.keeps(b),
            Expr::Const(_) | Expr::LoadByte(Base::Global, _) | Expr::Timeout => true,
            Expr::Run(run) => self.keeps_in_run(run),
            _ => false,
        }
    }

    fn keeps_in_run(&self, run: &RunProcess) -> bool {
        let child = &self.lowered.proctypes[usize::from(run.proctype.0)];
        let child_channels = channel_offsets(self.lowered, &child.variables);
        run.args.iter().enumerate().all(|(idx, arg)| {
            let param = child.params.get(idx);
            if param.is_some_and(|place| child_channels.contains(&place.offset)) {
                self.is_channel(arg)
            } else {
                self.keeps(arg)
            }
        })
    }

    fn keeps_in(&self, action: &Action) -> bool {
        match action {
            Action::Skip | Action::Else | Action::End | Action::DStep(_) => true,
            Action::Guard(e) | Action::Assert(e, _) => self.keeps(e),
            Action::Printf(..) | Action::Printm(..) => true,
            Action::Assign(Target::Place(place), value) if self.is_channel_place(place) => {
                place.base == Base::Local && self.is_channel(value)
            }
            Action::Assign(Target::Place(place), value) => {
                self.keeps(value) && place.indices.iter().all(|index| self.keeps(&index.value))
            }
            Action::Send(send) => self.is_channel(&send.channel) && send.args.iter().all(|e| self.keeps(e)),
            Action::Receive(receive) => {
                self.is_channel(&receive.channel)
                    && receive.fields.iter().all(|field| match field {
                        Field::Match(e) => self.keeps(e),
                        Field::Store(Target::Place(place)) => {
                            !self.is_channel_place(place)
                                && place.indices.iter().all(|index| self.keeps(&index.value))
                        }
                        Field::Store(_) => true,
                    })
            }
            Action::Assign(..)
            | Action::SetPriority(..)
            | Action::Event(_)
            | Action::New(_)
            | Action::Delete(_)
            | Action::Call(_)
            | Action::Return(_) => false,
        }
    }
}
