//! Lowers pointers: the context decides whether a pointer stands for itself or for the value behind it.

use super::Lowerer;
use super::names::Resolved;
use crate::ir::{
    Action, Address, Base, Either, EitherTarget, Expr, Formal, LeftKind, Notation, Scalar, ScalarPlace,
    Target, Type, same_pointee, takes_reference,
};
use crate::syntax::ast::{self, BinaryOp, ExprKind, Span, VarRef};
use crate::syntax::source::Diagnostic;
use std::sync::Arc;

/// The largest offset that a pointer can have.
const MAX_OFFSET: u32 = 0x7fff;

/// `null`, where a reference is allowed.
pub(super) fn null_reference() -> Expr {
    Expr::Either(Box::new(Either { left: Expr::Const(0), kind: LeftKind::Null, right: None }))
}

impl Lowerer {
    /// Whether a variable of a type holds a reference.
    pub(super) fn holds_reference(&self, ty: &Type) -> bool {
        matches!(ty, Type::Scalar(scalar, notation) if takes_reference(&(*scalar, notation.clone())))
    }

    /// The value that a pointer refers to.
    pub(super) fn right_value(
        &mut self,
        pointer: ScalarPlace,
        pointee: &Type,
        name: &Arc<str>,
        span: Span,
    ) -> Expr {
        match pointee {
            Type::Scalar(..) => Expr::Load(self.through(pointer, pointee, None, name, span)),
            Type::Record(record) => {
                let ty = self.records[*record as usize].name.clone();
                let hint = "name one of its fields, or assign it to a pointer";
                self.error_hint(
                    span,
                    format!("'{name}' refers to a {ty}, which has no value as a whole"),
                    hint,
                );
                Expr::Const(0)
            }
        }
    }

    /// A variable's value as a number.
    pub(super) fn value_of(&mut self, reference: &VarRef) -> Expr {
        let value = self.load(reference);
        if let Expr::Load(place) = &value
            && place.scalar == Scalar::Pointer
        {
            let hint = "a channel can be used, compared, passed, or assigned to a chan variable";
            self.error_hint(
                reference.span,
                format!("'{reference}' is a channel, and a number is needed here"),
                hint,
            );
            return Expr::Const(0);
        }
        value
    }

    /// An expression as a reference, if it is one; a channel is one if objects have channels.
    pub(super) fn as_reference(&mut self, e: &ast::Expr) -> Option<Either> {
        if !self.uses.anything {
            return None;
        }
        match &e.kind {
            ExprKind::Address(reference) => {
                let (left, pointee) = self
                    .address(reference, e.span)
                    .unwrap_or((Expr::Const(0), Type::Scalar(Scalar::Int, Notation::Number)));
                let kind = LeftKind::Typed(Notation::Pointer(pointee.into()));
                Some(Either { left, kind, right: None })
            }
            ExprKind::Var(reference) => {
                let n = self.diagnostics.len();
                let resolved = self.resolve(reference);
                let either = match resolved {
                    Some(Resolved::Null) => {
                        Some(Either { left: Expr::Const(0), kind: LeftKind::Null, right: None })
                    }
                    Some(Resolved::Function(id)) => Some(Either {
                        left: Expr::Const(i32::from(id) + 1),
                        kind: LeftKind::Typed(Notation::Function),
                        right: None,
                    }),
                    Some(Resolved::FunctionRef(place)) => {
                        Some(self.load_either(&place, &Notation::Function, reference))
                    }
                    Some(Resolved::Pointer(place, pointee, _)) => {
                        Some(self.load_either(&place, &Notation::Pointer(pointee), reference))
                    }
                    Some(Resolved::Scalar(place)) if place.scalar == Scalar::Pointer => {
                        Some(self.load_either(&place, &Notation::Chan, reference))
                    }
                    _ => None,
                };
                // Errors in the name are reported when it is lowered as a value.
                self.diagnostics.truncate(n);
                either
            }
            _ => None,
        }
    }

    /// A variable that holds a reference, with both its values.
    fn load_either(&self, place: &ScalarPlace, notation: &Notation, reference: &VarRef) -> Either {
        let name: Arc<str> = reference.to_string().into();
        let right = match notation {
            Notation::Pointer(pointee) if matches!(**pointee, Type::Scalar(..)) => {
                Some(Expr::Load(self.through(place.clone(), pointee, None, &name, reference.span)))
            }
            _ => None,
        };
        let scalar = if *notation == Notation::Function { place.scalar } else { Scalar::Pointer };
        let left = Expr::Load(ScalarPlace { scalar, ..place.clone() });
        Either { left, kind: LeftKind::Typed(notation.clone()), right }
    }

    /// `&x`, with the type of what it refers to.
    fn address(&mut self, reference: &VarRef, span: Span) -> Option<(Expr, Type)> {
        let first = reference.parts.first()?;
        let name = &first.name.name;
        let Some(declared) = self.scopes.find(name).cloned() else {
            // A name that does not belong to a variable: the usual message, or that it has no address.
            if self.resolve(reference).is_some() {
                self.error(reference.span, format!("'{reference}' has no address"));
            }
            return None;
        };
        if declared.hidden {
            self.error(reference.span, format!("no pointer can refer to '{name}', which is hidden"));
            return None;
        }
        let found = self.designate(reference, declared, true)?;
        if let Type::Scalar(_, Notation::Pointer(_) | Notation::Function) = found.ty {
            let what = if matches!(found.ty, Type::Scalar(_, Notation::Function)) {
                "an ftype"
            } else {
                "a pointer"
            };
            let message = format!("'&' cannot be applied to '{reference}', which is {what}");
            self.error_hint(reference.span, message, "there are no pointers to pointers; use it without `&`");
            return None;
        }
        let is_whole = reference.parts.last().is_some_and(|part| part.index.is_none());
        let length = found.array.filter(|_| is_whole).unwrap_or(1);
        if found.place.offset > MAX_OFFSET {
            self.error(reference.span, format!("'{reference}' is too far from the start for a pointer"));
        }
        Some((Expr::Address(Box::new(Address { place: found.place, length, span })), found.ty))
    }

    /// The reference that goes into a variable, parameter or result of a type.
    pub(super) fn reference_value(&mut self, e: &ast::Expr, ty: &Type) -> Expr {
        let Type::Scalar(scalar, notation) = ty else { return Expr::Const(0) };
        let value = self.value_or_reference(e);
        self.fitting(value, &(*scalar, notation.clone()), &format!("'{e}'"), e.span)
    }

    /// An expression, with both values if it is a reference.
    pub(super) fn value_or_reference(&mut self, e: &ast::Expr) -> Expr {
        match self.as_reference(e) {
            Some(either) => Expr::Either(Box::new(either)),
            None => self.expr(e),
        }
    }

    /// The value of an expression that fits a holder of a kind; an error with both types if none does.
    pub(super) fn fitting(&mut self, value: Expr, formal: &Formal, what: &str, span: Span) -> Expr {
        if let Some(fit) = value.for_formal(formal) {
            return fit.clone();
        }
        let given = match &value {
            Expr::Either(either) => self.kind_name(&either.kind),
            _ => "a value".into(),
        };
        let wanted = self.formal_name(formal);
        let message = format!("{what} is {}, and {} is needed here", article(&given), article(&wanted));
        match (&formal.1, &value) {
            (Notation::Pointer(_), Expr::Load(place)) if place.scalar != Scalar::Pointer => {
                self.error_hint(span, message, "to refer to a variable, write `&` before it");
            }
            _ => self.error(span, message),
        }
        Expr::Const(0)
    }

    /// `a == b` and `a != b`: identities are compared if both sides are references.
    pub(super) fn comparison(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let (left, right) = (self.as_reference(a), self.as_reference(b));
        let binary = |a, b| Expr::Binary(op, Box::new(a), Box::new(b), span);
        let is_number = |e: &ast::Expr| matches!(e.kind, ExprKind::Const(_));
        match (left, right) {
            (Some(left), Some(right)) => {
                let compatible = match (&left.kind, &right.kind) {
                    (LeftKind::Null, LeftKind::Null) => true,
                    (LeftKind::Null, LeftKind::Typed(wanted)) => left.fits(wanted),
                    (LeftKind::Typed(wanted), _) => right.fits(wanted),
                };
                if compatible {
                    return binary(left.left, right.left);
                }
                let kinds = (self.kind_name(&left.kind), self.kind_name(&right.kind));
                if let (Some(a), Some(b)) = (left.right, right.right) {
                    return binary(a, b);
                }
                let message = format!("{} cannot be compared with {}", article(&kinds.0), article(&kinds.1));
                self.error(span, message);
                Expr::Const(0)
            }
            // A channel variable is zero before it is set.
            (Some(either), None) if either.kind == LeftKind::Typed(Notation::Chan) && is_number(b) => {
                let other = self.expr(b);
                binary(either.left, other)
            }
            (None, Some(either)) if either.kind == LeftKind::Typed(Notation::Chan) && is_number(a) => {
                let other = self.expr(a);
                binary(other, either.left)
            }
            (left, right) => {
                let is_zero = |e: &ast::Expr| matches!(e.kind, ExprKind::Const(0));
                let is_pointer = |e: &Option<Either>| {
                    e.as_ref().is_some_and(|e| matches!(e.kind, LeftKind::Typed(Notation::Pointer(_))))
                };
                if is_pointer(&left) && is_zero(b) || is_pointer(&right) && is_zero(a) {
                    let message = "this compares the value that the pointer refers to";
                    let hint = "write `null` to ask whether the pointer refers to anything";
                    self.diagnostics.push(Diagnostic::warning(message, span).with_hint(hint));
                }
                let (a, b) = (self.expr(a), self.expr(b));
                binary(a, b)
            }
        }
    }

    /// `target = value`
    pub(super) fn assignment(&mut self, target: &VarRef, value: &ast::Expr) -> Action {
        let Some(resolved) = self.resolve(target) else {
            self.value_or_reference(value);
            return Action::Skip;
        };
        let formal = match &resolved {
            Resolved::Pointer(_, pointee, _) => Some((Scalar::Pointer, Notation::Pointer(pointee.clone()))),
            Resolved::FunctionRef(place) => Some((place.scalar, Notation::Function)),
            Resolved::Scalar(place) if place.scalar == Scalar::Pointer => {
                Some((Scalar::Pointer, Notation::Chan))
            }
            _ => None,
        };
        let Some(formal) = formal else {
            let value = self.expr(value);
            return Action::Assign(self.target_of(target, resolved).unwrap_or(Target::Discard), value);
        };
        let given = self.value_or_reference(value);
        match (&given, resolved) {
            (Expr::Either(either), Resolved::Pointer(place, pointee, name)) => {
                // A pointer to another type may still give its value.
                let is_pointer =
                    matches!(either.kind, LeftKind::Null | LeftKind::Typed(Notation::Pointer(_)));
                if let (true, Type::Scalar(_, Notation::Chan)) = (!is_pointer, &*pointee) {
                    let right = self.through(place, &pointee, None, &name, target.span);
                    return Action::Assign(Target::Place(right), either.left.clone());
                }
                let value = self.fitting(given.clone(), &formal, &format!("'{value}'"), value.span);
                Action::Assign(Target::Place(ScalarPlace { scalar: Scalar::Pointer, ..place }), value)
            }
            (_, Resolved::Pointer(place, pointee, name)) => {
                if let Type::Record(_) = *pointee {
                    let message = format!(
                        "'{target}' is {}, and '{value}' is a value",
                        article(&self.formal_name(&formal))
                    );
                    self.error_hint(value.span, message, "to refer to a variable, write `&` before it");
                    return Action::Skip;
                }
                let right = self.through(place, &pointee, None, &name, target.span);
                Action::Assign(Target::Place(right), given)
            }
            (_, Resolved::FunctionRef(place) | Resolved::Scalar(place)) => {
                let value = self.fitting(given, &formal, &format!("'{value}'"), value.span);
                Action::Assign(Target::Place(place), value)
            }
            _ => Action::Skip,
        }
    }

    /// A variable that holds a reference, as the target of a receive or of a call.
    pub(super) fn reference_target(&mut self, reference: &VarRef, resolved: Resolved) -> Option<Target> {
        let name: Arc<str> = reference.to_string().into();
        Some(Target::Either(Box::new(match resolved {
            Resolved::Pointer(place, pointee, _) => {
                let right = matches!(*pointee, Type::Scalar(..))
                    .then(|| self.through(place.clone(), &pointee, None, &name, reference.span));
                let left = ScalarPlace { scalar: Scalar::Pointer, ..place };
                EitherTarget { left, kind: Notation::Pointer(pointee), right }
            }
            Resolved::FunctionRef(left) => EitherTarget { left, kind: Notation::Function, right: None },
            Resolved::Scalar(left) => EitherTarget { left, kind: Notation::Chan, right: None },
            _ => return None,
        })))
    }

    /// The scalars of a record as targets of a receive.
    pub(super) fn record_targets(&self, place: &ScalarPlace, record: u32) -> Vec<Target> {
        let mut scalars = Vec::new();
        self.typed_scalars(place, &Type::Record(record), None, &mut scalars);
        let target = |(place, notation): (ScalarPlace, Notation)| {
            if takes_reference(&(place.scalar, notation.clone())) {
                Target::Either(Box::new(EitherTarget { left: place, kind: notation, right: None }))
            } else {
                Target::Place(place)
            }
        };
        scalars.into_iter().map(target).collect()
    }

    /// Arguments, each with both values if it is a reference; a record becomes one argument for each of its
    /// scalars.
    pub(super) fn typed_args(&mut self, args: &[ast::Expr]) -> Vec<Expr> {
        let mut flat = Vec::new();
        for arg in args {
            if let ExprKind::Var(reference) = &arg.kind
                && self.is_record(reference)
                && let Some(Resolved::Record(place, record)) = self.resolve(reference)
            {
                let mut scalars = Vec::new();
                self.typed_scalars(&place, &Type::Record(record), None, &mut scalars);
                flat.extend(scalars.into_iter().map(|(place, notation)| {
                    let left = Expr::Load(place.clone());
                    if takes_reference(&(place.scalar, notation.clone())) {
                        let kind = LeftKind::Typed(notation);
                        Expr::Either(Box::new(Either { left, kind, right: None }))
                    } else {
                        left
                    }
                }));
            } else {
                flat.push(self.value_or_reference(arg));
            }
        }
        flat
    }

    /// Arguments that fit the types of the parameters.
    pub(super) fn fit_args(
        &mut self,
        name: &str,
        args: Vec<Expr>,
        formals: &[Formal],
        span: Span,
    ) -> Vec<Expr> {
        args.into_iter()
            .zip(formals)
            .enumerate()
            .map(|(idx, (arg, formal))| {
                self.fitting(arg, formal, &format!("argument {} of '{name}'", idx + 1), span)
            })
            .collect()
    }

    /// Whether a variable of the current body must be in an object, because pointers may refer to it.
    pub(super) fn is_addressed(&self, name: &str, ty: &Type) -> bool {
        self.process.as_ref().is_some_and(|process| process.addressed.contains(name))
            && !matches!(ty, Type::Scalar(_, Notation::Pointer(_) | Notation::Function))
    }

    /// The pointer that is the operand of `new` or `delete`.
    pub(super) fn pointer(&mut self, reference: &VarRef) -> Option<(ScalarPlace, Arc<Type>, Arc<str>)> {
        match self.resolve(reference)? {
            Resolved::Pointer(place, pointee, name) => {
                Some((ScalarPlace { scalar: Scalar::Pointer, ..place }, pointee, name))
            }
            _ => {
                self.error(reference.span, format!("'{reference}' is not a pointer"));
                None
            }
        }
    }

    /// The type of a pointer to `pointee`, as it is written in the source.
    pub(super) fn pointer_name(&self, pointee: &Type) -> String {
        format!("{} &", self.type_name(pointee))
    }

    /// Whether `new` of one type can be assigned to a pointer to another.
    pub(super) fn check_new(&mut self, pointee: &Type, made: &Type, target: &VarRef, span: Span) {
        if !same_pointee(pointee, made) {
            let message = format!(
                "'{target}' is {}, and the new object is {}",
                article(&self.pointer_name(pointee)),
                article(&self.type_name(made))
            );
            self.error(span, message);
        }
    }
}

/// The name of a type with its article.
pub(super) fn article(name: &str) -> String {
    match name.chars().next() {
        _ if name == "null" || name.starts_with("a ") => name.into(),
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'A' | 'E' | 'I' | 'O' | 'U') => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// The place of a variable that is relative to the record or frame.
pub(super) fn local(offset: u32, scalar: Scalar) -> ScalarPlace {
    ScalarPlace { base: Base::Local, offset, scalar, indices: Vec::new() }
}
