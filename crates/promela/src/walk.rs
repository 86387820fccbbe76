//! Visits every expression in an expression or an action.

use crate::ir::{Action, Base, Call, Callee, Event, Expr, Field, Returned, ScalarPlace, Target};

impl Expr {
    /// Calls `visit` for this expression and every one inside it, the outermost first.
    pub(crate) fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        // One traversal serves both functions; the copy costs little at compile time.
        self.clone().walk_mut(&mut |e| visit(e));
    }

    /// Whether this expression or any inside it satisfies `wanted`.
    pub(crate) fn contains(&self, wanted: &impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= wanted(e));
        found
    }

    /// Whether evaluating the expression starts a process.
    pub(crate) fn contains_run(&self) -> bool {
        self.contains(&|e| matches!(e, Self::Run(_)))
    }

    /// Whether evaluating the expression follows a pointer, which may be null or dangling.
    pub(crate) fn follows_pointer(&self) -> bool {
        self.contains(&|e| match e {
            Self::Load(place) => matches!(place.base, Base::Object(_)),
            Self::Either(_) => true,
            _ => false,
        })
    }

    /// Calls `visit` for this expression and then for every one inside it.
    pub(crate) fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        visit(self);
        match self {
            Self::Const(_)
            | Self::Pid
            | Self::NrPr
            | Self::Timeout
            | Self::NonProgress
            | Self::LoadByte(..) => {}
            Self::Load(place) => place.walk_mut(visit),
            Self::Unary(_, a) | Self::Chan(_, a, _) | Self::WithConst(_, a, _) => a.walk_mut(visit),
            Self::Enabled(a) | Self::PcValue(a) | Self::Priority(a) => a.walk_mut(visit),
            Self::Binary(_, a, b, _) | Self::And(a, b) | Self::Or(a, b) => {
                a.walk_mut(visit);
                b.walk_mut(visit);
            }
            Self::Cond(c, a, b) => {
                c.walk_mut(visit);
                a.walk_mut(visit);
                b.walk_mut(visit);
            }
            Self::Poll(poll) => {
                poll.channel.walk_mut(visit);
                poll.fields.iter_mut().flatten().for_each(|e| e.walk_mut(visit));
            }
            Self::RemoteLabel { process, .. } => {
                if let Some(process) = process {
                    process.walk_mut(visit);
                }
            }
            Self::RemoteVar { process, place, .. } => {
                if let Some(process) = process {
                    process.walk_mut(visit);
                }
                place.walk_mut(visit);
            }
            Self::Run(run) => run.args.iter_mut().for_each(|e| e.walk_mut(visit)),
            Self::Address(address) => address.place.walk_mut(visit),
            Self::Either(either) => {
                either.left.walk_mut(visit);
                if let Some(right) = &mut either.right {
                    right.walk_mut(visit);
                }
            }
        }
    }
}

impl ScalarPlace {
    fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        if let Base::Object(through) = &mut self.base {
            through.pointer.walk_mut(visit);
            if let Some(index) = &mut through.index {
                index.walk_mut(visit);
            }
        }
        self.indices.iter_mut().for_each(|index| index.value.walk_mut(visit));
    }
}

impl Target {
    fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        match self {
            Self::Place(place) => place.walk_mut(visit),
            Self::Either(either) => {
                either.left.walk_mut(visit);
                if let Some(right) = &mut either.right {
                    right.walk_mut(visit);
                }
            }
            Self::Discard | Self::Forgotten(_) | Self::Priority => {}
        }
    }
}

impl Action {
    /// Calls `visit` for every expression in this action.
    pub(crate) fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        match self {
            Self::Skip | Self::Else | Self::End | Self::DStep(_) => {}
            Self::Guard(e) | Self::Assert(e, _) | Self::Printm(e, _) => e.walk_mut(visit),
            Self::Assign(target, value) => {
                target.walk_mut(visit);
                value.walk_mut(visit);
            }
            Self::Send(send) => {
                send.channel.walk_mut(visit);
                send.args.iter_mut().for_each(|e| e.walk_mut(visit));
            }
            Self::Receive(receive) => {
                receive.channel.walk_mut(visit);
                for field in &mut receive.fields {
                    match field {
                        Field::Match(e) => e.walk_mut(visit),
                        Field::Store(target) => target.walk_mut(visit),
                    }
                }
            }
            Self::Printf(_, args) => args.iter_mut().for_each(|e| e.walk_mut(visit)),
            Self::SetPriority(a, b) => {
                a.walk_mut(visit);
                b.walk_mut(visit);
            }
            Self::Event(Event { channel, fields, .. }) => {
                channel.walk_mut(visit);
                fields.iter_mut().flatten().for_each(|e| e.walk_mut(visit));
            }
            Self::New(new) => {
                new.target.walk_mut(visit);
                if let Some(count) = &mut new.count {
                    count.walk_mut(visit);
                }
            }
            Self::Delete(delete) => delete.pointer.walk_mut(visit),
            Self::Call(call) => call.walk_mut(visit),
            Self::Return(returned) => match &mut **returned {
                Returned::End | Returned::Nothing => {}
                Returned::Value(value) => value.walk_mut(visit),
                Returned::Call(call) => call.walk_mut(visit),
            },
        }
    }
}

impl Call {
    fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        if let Callee::Through(callee) = &mut self.callee {
            callee.walk_mut(visit);
        }
        self.args.iter_mut().for_each(|e| e.walk_mut(visit));
        if let Some(target) = &mut self.result {
            target.walk_mut(visit);
        }
    }
}
