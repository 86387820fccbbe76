//! Values that do not fit where they are stored: noticed once for each place in the text, and shown as
//! warnings.
//!
//! The language truncates them silently, as C does. Constants are found in the text ([`constants`]). All
//! others are found while the model runs: the interpreter notices every value that is truncated. Native code
//! compares a value with what is stored only where the value may not fit (see [`Expr::range`]). It leaves the
//! first value truncated at each place to the interpreter, which records it, and then continues at full
//! speed. So a model whose counters wrap around on purpose runs as fast as before.

use crate::ir::{Action, Expr, Scalar, Setup, Statement, Target, Variable};
use crate::lower::Lowered;
use crate::syntax::ast::{Ast, BinaryOp, Block, Ident, Span, Step, UnaryOp, Unit};
use crate::syntax::source::Diagnostic;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The truncated values and their locations, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Truncations(Mutex<BTreeMap<(u32, u32), (Span, String)>>);

impl Truncations {
    /// Records the first value that is truncated at a place.
    #[cold]
    pub(crate) fn note(&self, span: Span, what: &str, scalar: Scalar, value: i32) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.entry((span.file, span.start)).or_insert_with(|| (span, words(what, scalar, value)));
    }

    /// All recorded values, with their locations.
    pub(crate) fn list(&self) -> Vec<(Span, String)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

fn words(what: &str, scalar: Scalar, value: i32) -> String {
    let name = match scalar {
        Scalar::Bit => "a bit".into(),
        Scalar::Byte => "a byte".into(),
        Scalar::Short => "a short".into(),
        Scalar::Int => "an int".into(),
        Scalar::Pointer => "a pointer".into(),
        Scalar::Unsigned(bits) => format!("{bits} bits"),
    };
    format!("the value {value} does not fit {name} and becomes {}: `{what}`", scalar.truncate(value))
}

/// Warns about constants that do not fit the variables, fields and parameters they are assigned to. An
/// initial value is reported at the declaration of its variable; for a variable in an inner block, at the
/// name of the process type.
pub(crate) fn constants(lowered: &Lowered, ast: &Ast) -> Vec<Diagnostic> {
    let mut found: Vec<(Span, Diagnostic)> = Vec::new();
    let mut check = |span: Span, what: &str, scalar: Scalar, e: &Expr| {
        if let Some(value) = constant(e)
            && scalar.truncate(value) != value
        {
            let one = Diagnostic::warning(words(what, scalar, value), span);
            if !found.iter().any(|(at, other)| *at == span && other.message == one.message) {
                found.push((span, one));
            }
        }
    };
    let globals =
        ast.units.iter().filter_map(|unit| if let Unit::Decl(decl) = unit { Some(decl) } else { None });
    let globals: Vec<&Ident> = globals.flat_map(|decl| decl.vars.iter().map(|var| &var.name)).collect();
    first_values(&lowered.setup, &lowered.globals, &globals, Span { file: 0, start: 0, end: 0 }, &mut check);
    for proctype in &lowered.proctypes {
        let body = ast.units.iter().find_map(|unit| match unit {
            Unit::Proctype(one) if one.name.name == proctype.name => Some(&one.body),
            Unit::Init(one) if one.span == proctype.span => Some(&one.body),
            _ => None,
        });
        let locals: Vec<&Ident> = body.map_or(Vec::new(), declared);
        first_values(&proctype.setup, &proctype.variables, &locals, proctype.span, &mut check);
        for statement in &proctype.statements {
            check_statement(lowered, statement, &mut check);
        }
    }
    found.into_iter().map(|(_, one)| one).collect()
}

/// The value of an expression that is a constant, possibly with a sign.
fn constant(e: &Expr) -> Option<i32> {
    match e {
        Expr::Const(value) => Some(*value),
        Expr::Unary(UnaryOp::Neg, inner) => constant(inner).map(i32::wrapping_neg),
        _ => None,
    }
}

/// The variables that a process declares in its outermost block.
fn declared(body: &Block) -> Vec<&Ident> {
    let decls =
        body.steps.iter().filter_map(|step| if let Step::Decl(decl) = step { Some(decl) } else { None });
    decls.flat_map(|decl| decl.vars.iter().map(|var| &var.name)).collect()
}

fn first_values(
    setup: &[Setup],
    variables: &[Variable],
    declared: &[&Ident],
    otherwise: Span,
    check: &mut impl FnMut(Span, &str, Scalar, &Expr),
) {
    for step in setup {
        let Setup::Assign(place, value) = step else { continue };
        let Some(number) = constant(value) else { continue };
        let holds = |one: &&Variable| one.base == place.base && one.offset <= place.offset;
        let variable = variables.iter().filter(holds).max_by_key(|one| one.offset);
        let name = variable.map_or("a variable", |one| &one.name);
        let span = declared.iter().find(|ident| *ident.name == *name).map_or(otherwise, |ident| ident.span);
        check(span, &format!("{name} = {number}"), place.scalar, value);
    }
}

fn check_statement(
    lowered: &Lowered,
    statement: &Statement,
    check: &mut impl FnMut(Span, &str, Scalar, &Expr),
) {
    let (span, text) = (statement.span, &*statement.text);
    match &statement.action {
        Action::Assign(Target::Place(place), value) => check(span, text, place.scalar, value),
        Action::Send(send) => {
            // The type of the channel that the variable holds at the start, if it is a global one.
            let Some(id) = type_of(lowered, &send.channel) else { return };
            let fields = &lowered.channel_types[usize::from(id)].fields;
            for (arg, (scalar, _)) in send.args.iter().zip(fields) {
                check(span, text, *scalar, arg);
            }
        }
        _ => {}
    }
    statement.action.clone().walk_mut(&mut |e| {
        if let Expr::Run(run) = e {
            let params = &lowered.proctypes[usize::from(run.proctype.0)].params;
            for (arg, param) in run.args.iter().zip(params) {
                let name = &lowered.proctypes[usize::from(run.proctype.0)].name;
                check(run.span, &format!("run {name}"), param.scalar, arg);
            }
        }
    });
}

/// The type of a global channel variable's first channel.
fn type_of(lowered: &Lowered, channel: &Expr) -> Option<u16> {
    lowered.setup.iter().find_map(|step| match (step, channel) {
        (Setup::Channel(place, ty), Expr::Load(used)) if place == used => Some(ty.0),
        (Setup::Channel(place, ty), Expr::LoadByte(base, offset))
            if place.base == *base && place.offset == *offset && place.indices.is_empty() =>
        {
            Some(ty.0)
        }
        _ => None,
    })
}

/// The least and the greatest value.
type Range = (i64, i64);

const ANY: Range = (i32::MIN as i64, i32::MAX as i64);

impl Scalar {
    /// The values that a variable of this type can hold.
    pub(crate) fn range(self) -> Range {
        match self {
            Self::Bit => (0, 1),
            Self::Byte => (0, 255),
            Self::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Self::Int | Self::Pointer => ANY,
            Self::Unsigned(bits) => (0, (1 << bits) - 1),
        }
    }

    /// Whether all values of a range can be stored as they are.
    pub(crate) fn fits(self, (least, most): Range) -> bool {
        let own = self.range();
        own.0 <= least && most <= own.1
    }
}

impl Expr {
    /// Bounds on the value.
    pub(crate) fn range(&self) -> Range {
        match self {
            Self::Const(value) => (i64::from(*value), i64::from(*value)),
            Self::Load(place) => place.scalar.range(),
            Self::LoadByte(..) | Self::Pid | Self::NrPr | Self::Run(_) => (0, 255),
            Self::And(..) | Self::Or(..) | Self::Timeout | Self::NonProgress | Self::RemoteLabel { .. } => {
                (0, 1)
            }
            Self::Enabled(_) | Self::Poll(_) => (0, 1),
            Self::Unary(UnaryOp::Not, _) => (0, 1),
            Self::Cond(_, a, b) => {
                let (a, b) = (a.range(), b.range());
                (a.0.min(b.0), a.1.max(b.1))
            }
            Self::WithConst(op, a, b) => binary(*op, a.range(), (i64::from(*b), i64::from(*b))),
            Self::Binary(op, a, b, _) => binary(*op, a.range(), b.range()),
            _ => ANY,
        }
    }
}

fn binary(op: BinaryOp, a: Range, b: Range) -> Range {
    let all = |least: i64, most: i64| {
        let is_int = ANY.0 <= least && most <= ANY.1;
        if is_int { (least, most) } else { ANY }
    };
    match op {
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => (0, 1),
        BinaryOp::And | BinaryOp::Or => (0, 1),
        BinaryOp::Add => all(a.0 + b.0, a.1 + b.1),
        BinaryOp::Sub => all(a.0 - b.1, a.1 - b.0),
        BinaryOp::Mul if a.0 >= 0 && b.0 >= 0 => all(a.0 * b.0, a.1 * b.1),
        BinaryOp::Rem if a.0 >= 0 && b.0 > 0 => (0, a.1.min(b.1 - 1)),
        BinaryOp::Div if a.0 >= 0 && b.0 > 0 => (0, a.1),
        BinaryOp::BitAnd if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
        BinaryOp::Shr if a.0 >= 0 && b.0 >= 0 && b.1 < 32 => (0, a.1),
        _ => ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_every_value() {
        let byte = || Box::new(Expr::LoadByte(crate::ir::Base::Global, 4));
        let with = |op, value| Expr::WithConst(op, byte(), value).range();
        assert_eq!(with(BinaryOp::Add, 1), (1, 256));
        assert_eq!(with(BinaryOp::Sub, 1), (-1, 254));
        assert_eq!(with(BinaryOp::Mul, 2), (0, 510));
        assert_eq!(with(BinaryOp::Mul, i32::MAX), ANY);
        assert_eq!(with(BinaryOp::Rem, 8), (0, 7));
        assert_eq!(with(BinaryOp::BitAnd, 3), (0, 3));
        assert_eq!(with(BinaryOp::Lt, 3), (0, 1));
        assert!(Scalar::Byte.fits((0, 255)) && !Scalar::Byte.fits((0, 256)) && !Scalar::Bit.fits((0, 2)));
        assert!(Scalar::Unsigned(3).fits((0, 7)) && !Scalar::Unsigned(3).fits((-1, 7)));
    }
}
