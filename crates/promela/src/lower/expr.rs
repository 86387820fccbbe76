//! Lowers expressions.

use super::Lowerer;
use super::names::Resolved;
use super::pointer::null_reference;
use super::remote;
use crate::ir::{Expr, Field, Pc, Poll, ProctypeId, RunProcess, Target};
use crate::syntax::ast::{self, BinaryOp, ExprKind, ReceiveArg};

/// A count with its noun, in words.
fn count(n: usize, thing: &str) -> String {
    if n == 1 { format!("one {thing}") } else { format!("{n} {thing}s") }
}

impl Lowerer {
    /// Lowers an expression; after an error, a harmless expression takes its place.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            ExprKind::Const(value) => Expr::Const(*value),
            ExprKind::Var(reference) => self.value_of(reference),
            ExprKind::Address(reference) => {
                let hint =
                    format!("it can be assigned to a pointer, compared, or passed: `p = &{reference}`");
                self.error_hint(
                    e.span,
                    format!("'&{reference}' is a reference, and a value is needed here"),
                    hint,
                );
                Expr::Const(0)
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) if self.uses.anything => {
                self.comparison(*op, a, b, e.span)
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                Expr::And(Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => Expr::Or(Box::new(self.expr(a)), Box::new(self.expr(b))),
            ExprKind::Binary(op, a, b) => {
                Expr::Binary(*op, Box::new(self.expr(a)), Box::new(self.expr(b)), e.span)
            }
            ExprKind::Unary(op, a) => Expr::Unary(*op, Box::new(self.expr(a))),
            ExprKind::Cond(c, a, b) => {
                Expr::Cond(Box::new(self.expr(c)), Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            ExprKind::Run { proctype, args, priority } => self.run_expr(e, proctype, args, *priority),
            ExprKind::Chan(query, channel) => Expr::Chan(*query, Box::new(self.load(channel)), e.span),
            ExprKind::Poll { channel, random, args } => {
                let channel = self.load(channel);
                let fields = self.patterns(args);
                Expr::Poll(Box::new(Poll { channel, random: *random, fields, span: e.span }))
            }
            ExprKind::Timeout => {
                self.features.timeout = true;
                Expr::Timeout
            }
            ExprKind::NonProgress => Expr::NonProgress,
            ExprKind::Enabled(process) => Expr::Enabled(Box::new(self.expr(process))),
            ExprKind::PcValue(process) => Expr::PcValue(Box::new(self.expr(process))),
            ExprKind::GetPriority(process) => {
                self.features.priority = true;
                Expr::Priority(Box::new(self.expr(process)))
            }
            ExprKind::RemoteLabel { proctype, index, label } => {
                let Some(id) = self.proctype_id(proctype) else { return Expr::Const(0) };
                let process = index.as_ref().map(|index| Box::new(self.expr(index)));
                let state = Pc(self.remote_labels.len() as u16);
                self.remote_labels.push(remote::LabelRef { proctype: id, label: label.clone(), state: None });
                Expr::RemoteLabel { proctype: id, process, state }
            }
            ExprKind::RemoteVar { proctype, index, var } => {
                let Some(id) = self.proctype_id(proctype) else { return Expr::Const(0) };
                let process = index.as_ref().map(|index| Box::new(self.expr(index)));
                let element = var.index.as_ref().map(|index| self.expr(index));
                let place = Box::new(self.remote_place(id, var, element));
                Expr::RemoteVar { proctype: id, process, place, span: e.span }
            }
            ExprKind::Ltl(..) => {
                self.error_hint(
                    e.span,
                    "a temporal operator can be used only in an ltl block, outside arithmetic",
                    "write `ltl name { ... }` outside the processes",
                );
                Expr::Const(0)
            }
        }
    }

    pub(super) fn load(&mut self, reference: &ast::VarRef) -> Expr {
        match self.resolve(reference) {
            None => Expr::Const(0),
            Some(Resolved::Scalar(place)) => Expr::Load(place),
            Some(Resolved::Pointer(place, pointee, name)) => {
                self.right_value(place, &pointee, &name, reference.span)
            }
            Some(Resolved::FunctionRef(_) | Resolved::Function(_)) => {
                self.error(
                    reference.span,
                    format!("'{reference}' is a function, and a value is needed here"),
                );
                Expr::Const(0)
            }
            Some(Resolved::Null) => {
                self.error(reference.span, "'null' is a reference, and a value is needed here");
                Expr::Const(0)
            }
            Some(Resolved::Const(value)) => Expr::Const(value),
            Some(Resolved::Pid) => Expr::Pid,
            Some(Resolved::NrPr) => Expr::NrPr,
            Some(Resolved::Priority) => Expr::Priority(Box::new(Expr::Pid)),
            Some(Resolved::Anonymous) => {
                self.error(reference.span, "the value of '_' cannot be read");
                Expr::Const(0)
            }
            Some(Resolved::Record(..)) => {
                self.error_hint(
                    reference.span,
                    format!("'{reference}' is a record and has no value as a whole"),
                    "name one of its fields",
                );
                Expr::Const(0)
            }
        }
    }

    fn proctype_id(&mut self, name: &ast::Ident) -> Option<ProctypeId> {
        if let Some(signature) = self.signatures.get(&name.name) {
            return Some(signature.id);
        }
        self.error(name.span, format!("there is no proctype '{}'", name.name));
        None
    }

    fn run_expr(
        &mut self,
        e: &ast::Expr,
        name: &ast::Ident,
        args: &[ast::Expr],
        priority: Option<i32>,
    ) -> Expr {
        if self.process.as_ref().is_some_and(|process| process.in_d_step) {
            self.error_hint(e.span, "run cannot be used in a d_step", "use atomic instead");
        }
        let priority = self.priority_value(priority, e.span);
        let (least, greatest) = self.features.started.unwrap_or((priority, priority));
        self.features.started = Some((least.min(priority), greatest.max(priority)));
        let Some(proctype) = self.proctype_id(name) else { return Expr::Const(0) };
        let mut args = self.flat_args(args);
        if self.uses.anything
            && let Some(formals) =
                self.signatures.get(&name.name).and_then(|signature| signature.formals.clone())
            && formals.len() == args.len()
        {
            args = self.fit_args(&name.name, args, &formals, e.span);
        }
        let expected = self.signatures.get(&name.name).and_then(|signature| signature.n_params);
        if let Some(expected) = expected
            && expected != args.len()
        {
            let message = format!(
                "'{}' takes {}, and gets {} here",
                name.name,
                count(expected, "parameter"),
                args.len()
            );
            self.error(e.span, message);
        }
        Expr::Run(Box::new(RunProcess { proctype, args, priority, span: e.span }))
    }

    /// Arguments of a send or a `run`: a record becomes one argument for each of its scalars.
    pub(super) fn flat_args(&mut self, args: &[ast::Expr]) -> Vec<Expr> {
        if self.uses.anything {
            return self.typed_args(args);
        }
        let mut flat = Vec::new();
        for arg in args {
            if let ExprKind::Var(reference) = &arg.kind
                && self.is_record(reference)
                && let Some(Resolved::Record(place, record)) = self.resolve(reference)
            {
                let mut places = Vec::new();
                self.flatten_record(&place, record, &mut places);
                flat.extend(places.into_iter().map(Expr::Load));
            } else {
                flat.push(self.expr(arg));
            }
        }
        flat
    }

    /// Whether a reference names a record, without reporting errors.
    pub(super) fn is_record(&mut self, reference: &ast::VarRef) -> bool {
        let n = self.diagnostics.len();
        let resolved = self.resolve(reference);
        self.diagnostics.truncate(n);
        matches!(resolved, Some(Resolved::Record(..)))
    }

    /// The required values of a poll's fields; `None` for any value.
    pub(super) fn patterns(&mut self, args: &[ReceiveArg]) -> Vec<Option<Expr>> {
        self.fields(args)
            .into_iter()
            .map(|field| match field {
                Field::Match(e) => Some(e),
                Field::Store(_) => None,
            })
            .collect()
    }

    /// The fields of a receive; a record becomes one field for each of its scalars.
    pub(super) fn fields(&mut self, args: &[ReceiveArg]) -> Vec<Field> {
        let mut fields = Vec::new();
        for arg in args {
            match arg {
                ReceiveArg::Const(value, _) => fields.push(Field::Match(Expr::Const(*value))),
                ReceiveArg::Eval(e) => fields.push(Field::Match(self.value_or_reference(e))),
                ReceiveArg::Var(reference) => match self.resolve(reference) {
                    None => {}
                    Some(Resolved::Const(value)) => fields.push(Field::Match(Expr::Const(value))),
                    Some(Resolved::Null) => fields.push(Field::Match(null_reference())),
                    Some(Resolved::Record(place, record)) if self.uses.anything => {
                        fields.extend(self.record_targets(&place, record).into_iter().map(Field::Store));
                    }
                    Some(Resolved::Record(place, record)) => {
                        let mut places = Vec::new();
                        self.flatten_record(&place, record, &mut places);
                        fields.extend(places.into_iter().map(|place| Field::Store(Target::Place(place))));
                    }
                    Some(resolved) => {
                        if let Some(target) = self.target_of(reference, resolved) {
                            fields.push(Field::Store(target));
                        }
                    }
                },
            }
        }
        fields
    }

    /// The target of an assignment.
    pub(super) fn target(&mut self, reference: &ast::VarRef) -> Option<Target> {
        let resolved = self.resolve(reference)?;
        self.target_of(reference, resolved)
    }

    pub(super) fn target_of(&mut self, reference: &ast::VarRef, resolved: Resolved) -> Option<Target> {
        match resolved {
            Resolved::Pointer(..) | Resolved::FunctionRef(_) => self.reference_target(reference, resolved),
            Resolved::Scalar(ref place) if place.scalar == crate::ir::Scalar::Pointer => {
                self.reference_target(reference, resolved)
            }
            Resolved::Scalar(place) if &*reference.parts[0].name.name != "_last" => {
                Some(Target::Place(place))
            }
            Resolved::Anonymous => Some(Target::Discard),
            Resolved::Priority => {
                self.features.changes_priority = true;
                Some(Target::Priority)
            }
            Resolved::Record(..) => {
                self.error_hint(
                    reference.span,
                    format!("the record '{reference}' cannot be assigned as a whole"),
                    "assign its fields one by one",
                );
                None
            }
            Resolved::Scalar(..)
            | Resolved::Const(_)
            | Resolved::Pid
            | Resolved::NrPr
            | Resolved::Function(_)
            | Resolved::Null => {
                self.error(reference.span, format!("'{reference}' cannot be assigned to"));
                None
            }
        }
    }
}
