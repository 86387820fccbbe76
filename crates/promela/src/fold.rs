//! Evaluates at compile time what does not depend on the state.
//!
//! This runs after control flow is built, because SPIN gives meaning to conditions that are literally `1` or
//! `0`, and only to those.

use crate::ir::{Base, Expr, Scalar};
use crate::syntax::ast::{BinaryOp, UnaryOp};

impl Expr {
    /// Simplifies an expression, its operands first.
    pub(crate) fn fold(&mut self) {
        match self {
            Self::Unary(_, a) => a.fold(),
            Self::Binary(_, a, b, _) => {
                a.fold();
                b.fold();
            }
            _ => {}
        }
        let simpler = match self {
            Self::Unary(op, a) => match (op, a.as_ref()) {
                (UnaryOp::Neg, Self::Const(value)) => Some(Self::Const(value.wrapping_neg())),
                (UnaryOp::BitNot, Self::Const(value)) => Some(Self::Const(!value)),
                (UnaryOp::Not, Self::Const(value)) => Some(Self::Const(i32::from(*value == 0))),
                _ => None,
            },
            Self::Binary(op, a, b, _) => match (a.as_ref(), b.as_ref()) {
                (Self::Const(a), Self::Const(b)) if !(op.divides() && *b == 0) => {
                    Some(Self::Const(op.apply(*a, *b)))
                }
                (_, Self::Const(value)) if !(op.divides() && *value == 0) => {
                    let (op, value) = (*op, *value);
                    Some(Self::WithConst(op, std::mem::replace(a, Box::new(Self::Pid)), value))
                }
                _ => None,
            },
            Self::Load(place) if place.indices.is_empty() => match place.scalar {
                Scalar::Bit | Scalar::Byte | Scalar::Unsigned(0..=8) => match place.base {
                    Base::Global => Some(Self::LoadByte(Base::Global, place.offset)),
                    Base::Local => Some(Self::LoadByte(Base::Local, place.offset)),
                    Base::Object(_) => None,
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(simpler) = simpler {
            *self = simpler;
        }
    }
}

impl BinaryOp {
    /// Whether the operation is undefined for a right operand of zero.
    #[inline]
    pub(crate) fn divides(self) -> bool {
        matches!(self, Self::Div | Self::Rem)
    }

    /// C's arithmetic on 32 bits, wrapping. The right operand of a division is not zero.
    #[inline]
    pub(crate) fn apply(self, a: i32, b: i32) -> i32 {
        match self {
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Mul => a.wrapping_mul(b),
            Self::Div => a.wrapping_div(b),
            Self::Rem => a.wrapping_rem(b),
            Self::BitAnd => a & b,
            Self::BitXor => a ^ b,
            Self::BitOr => a | b,
            Self::Shl => a.wrapping_shl(b as u32),
            Self::Shr => a.wrapping_shr(b as u32),
            Self::Lt => i32::from(a < b),
            Self::Le => i32::from(a <= b),
            Self::Gt => i32::from(a > b),
            Self::Ge => i32::from(a >= b),
            Self::Eq => i32::from(a == b),
            Self::Ne => i32::from(a != b),
            Self::And => i32::from(a != 0 && b != 0),
            Self::Or => i32::from(a != 0 || b != 0),
        }
    }
}
