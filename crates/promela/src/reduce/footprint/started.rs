//! What the start of a process touches, and expressions of the new process in terms of its starter.

use super::super::access::{self, Access};
use super::super::resources::channel;
use super::{Analysis, Footprint, MAX_NODES, Name, When};
use crate::ir::{Base, Expr, Proctype, RunProcess, ScalarPlace, Setup};

impl<'a> Analysis<'a> {
    /// Adds the start of a process: the set of processes changes, claims are made, and initial values are
    /// computed.
    pub(super) fn add_run(&mut self, ty: usize, to: &mut Footprint, run: &RunProcess) {
        if !self.shared.hidden_numbers {
            to.set.add(self.resources.processes, true);
        }
        let lowered = self.lowered;
        let child = &lowered.proctypes[usize::from(run.proctype.0)];
        let claims = child.exclusive.iter().filter(|_| lowered.check_exclusive);
        for claim in claims {
            let how = if claim.receive { channel::WRITE_RECEIVER } else { channel::WRITE_SENDER };
            match self.seen_from_starter(ty, child, run, &claim.channel) {
                Some(e) => self.use_channel(ty, to, &e, how, When::Always),
                None => self.use_name(to, Name::Any, how, When::Always),
            }
        }
        let (child_ty, start) = (usize::from(run.proctype.0), usize::from(child.start.0));
        self.resources.watched(child_ty, child.start, |bit| to.set.add(bit, true));
        for name in self.ready(child_ty, start) {
            self.use_name_of_child(ty, to, run, name, 0, When::Always);
        }
        for step in &child.setup {
            let Setup::Assign(_, e) = step else { continue };
            let mut accesses = Vec::new();
            access::expr(e, &mut |access| accesses.push(access));
            for access in accesses {
                match access {
                    Access::Object { place, through, .. } => {
                        self.add_object(child_ty, to, place, through, false);
                    }
                    Access::Global { start, end, .. } => {
                        self.resources.globals(start, end, |bit| to.set.add(bit, false));
                    }
                    Access::Channel(..) => {
                        let how = channel::READ_HEAD | channel::READ_TAIL;
                        self.use_name(to, Name::Any, how, When::Always);
                    }
                    Access::Processes => to.set.add(self.resources.processes, false),
                    _ => {}
                }
            }
        }
    }

    /// An expression of a process about to be started, in terms of the process that starts it.
    pub(super) fn seen_from_starter(
        &self,
        ty: usize,
        child: &Proctype,
        run: &RunProcess,
        e: &Expr,
    ) -> Option<Expr> {
        let mut result = e.clone();
        let argument = |offset: u32| {
            let is_param = |place: &ScalarPlace| place.base == Base::Local && place.offset == offset;
            let idx = child.params.iter().position(is_param)?;
            run.args.get(idx).filter(|arg| fits(arg, &child.params[idx])).cloned()
        };
        let known = substitute(&mut result, &argument);
        (known && n_nodes(&result) <= MAX_NODES && self.is_stable(ty, &result)).then_some(result)
    }
}

/// Whether a parameter holds an argument's value unchanged, without truncation.
pub(super) fn fits(arg: &Expr, param: &ScalarPlace) -> bool {
    match arg {
        Expr::LoadByte(..) => param.scalar.size() >= 1 && param.scalar != crate::ir::Scalar::Bit,
        Expr::Const(value) => param.scalar.truncate(*value) == *value,
        Expr::Load(place) => {
            place.scalar == param.scalar
                || (place.scalar == crate::ir::Scalar::Byte && param.scalar.size() > 1)
        }
        _ => false,
    }
}

/// Replaces the variables of a process by arguments. Returns false if that is not possible.
pub(super) fn substitute(e: &mut Expr, argument: &impl Fn(u32) -> Option<Expr>) -> bool {
    let local = match e {
        Expr::LoadByte(Base::Local, offset) => Some(*offset),
        Expr::Load(place) if place.base == Base::Local && place.indices.is_empty() => Some(place.offset),
        _ => None,
    };
    if let Some(offset) = local {
        return argument(offset).map(|new| *e = new).is_some();
    }
    match e {
        Expr::Const(_) | Expr::LoadByte(..) => true,
        Expr::Load(place) if place.base == Base::Global => {
            place.indices.iter_mut().all(|index| substitute(&mut index.value, argument))
        }
        Expr::Unary(_, a) | Expr::WithConst(_, a, _) => substitute(a, argument),
        Expr::Binary(_, a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => {
            substitute(a, argument) && substitute(b, argument)
        }
        _ => false,
    }
}

pub(super) fn n_nodes(e: &Expr) -> usize {
    let mut n = 0;
    e.walk(&mut |_| n += 1);
    n
}
