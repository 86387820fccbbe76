//! `java.lang.Math`, `StrictMath`, and the bits of floating-point numbers.

use super::Effect::Pure;
use super::{Answer, Table, give_double, give_int, give_long};
use crate::vm::machine::Exec;

fn unary(args: &[u64], function: fn(f64) -> f64) -> Exec<Answer> {
    give_double(function(f64::from_bits(args[0])))
}

fn binary(args: &[u64], function: fn(f64, f64) -> f64) -> Exec<Answer> {
    give_double(function(f64::from_bits(args[0]), f64::from_bits(args[2])))
}

/// `IEEEremainder`: what is left after the nearest whole multiple, the even one of two.
fn remainder(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
        return f64::NAN;
    }
    if b.is_infinite() {
        return a;
    }
    let (size, by) = (a.abs() % (2.0 * b.abs()), b.abs());
    let rest = if by < f64::MIN_POSITIVE * 2.0 {
        let mut rest = size;
        if rest + rest > by {
            rest -= by;
            if rest + rest >= by {
                rest -= by;
            }
        }
        rest
    } else {
        let half = 0.5 * by;
        let mut rest = size;
        if rest > half {
            rest -= by;
            if rest >= half {
                rest -= by;
            }
        }
        rest
    };
    if a.is_sign_negative() { -rest } else { rest }
}

/// `Math.pow` differs from C's for a base of one.
fn power(a: f64, b: f64) -> f64 {
    if b.is_nan() || (a.abs() == 1.0 && b.is_infinite()) { f64::NAN } else { a.powf(b) }
}

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/Float.floatToRawIntBits(F)I", Pure(|_, args| Ok(Answer::Word(args[0])))),
    ("java/lang/Float.intBitsToFloat(I)F", Pure(|_, args| Ok(Answer::Word(args[0])))),
    ("java/lang/Double.doubleToRawLongBits(D)J", Pure(|_, args| Ok(Answer::Wide(args[0])))),
    ("java/lang/Double.longBitsToDouble(J)D", Pure(|_, args| Ok(Answer::Wide(args[0])))),
    ("java/lang/Math.sin(D)D", Pure(|_, args| unary(args, f64::sin))),
    ("java/lang/Math.cos(D)D", Pure(|_, args| unary(args, f64::cos))),
    ("java/lang/Math.tan(D)D", Pure(|_, args| unary(args, f64::tan))),
    ("java/lang/Math.exp(D)D", Pure(|_, args| unary(args, f64::exp))),
    ("java/lang/Math.log(D)D", Pure(|_, args| unary(args, f64::ln))),
    ("java/lang/Math.log10(D)D", Pure(|_, args| unary(args, f64::log10))),
    ("java/lang/Math.sqrt(D)D", Pure(|_, args| unary(args, f64::sqrt))),
    ("java/lang/Math.pow(DD)D", Pure(|_, args| binary(args, power))),
    ("java/lang/StrictMath.sin(D)D", Pure(|_, args| unary(args, libm::sin))),
    ("java/lang/StrictMath.cos(D)D", Pure(|_, args| unary(args, libm::cos))),
    ("java/lang/StrictMath.tan(D)D", Pure(|_, args| unary(args, libm::tan))),
    ("java/lang/StrictMath.asin(D)D", Pure(|_, args| unary(args, libm::asin))),
    ("java/lang/StrictMath.acos(D)D", Pure(|_, args| unary(args, libm::acos))),
    ("java/lang/StrictMath.atan(D)D", Pure(|_, args| unary(args, libm::atan))),
    ("java/lang/StrictMath.sinh(D)D", Pure(|_, args| unary(args, libm::sinh))),
    ("java/lang/StrictMath.cosh(D)D", Pure(|_, args| unary(args, libm::cosh))),
    ("java/lang/StrictMath.tanh(D)D", Pure(|_, args| unary(args, libm::tanh))),
    ("java/lang/StrictMath.log(D)D", Pure(|_, args| unary(args, libm::log))),
    ("java/lang/StrictMath.log10(D)D", Pure(|_, args| unary(args, libm::log10))),
    ("java/lang/StrictMath.expm1(D)D", Pure(|_, args| unary(args, libm::expm1))),
    ("java/lang/StrictMath.log1p(D)D", Pure(|_, args| unary(args, libm::log1p))),
    ("java/lang/StrictMath.sqrt(D)D", Pure(|_, args| unary(args, f64::sqrt))),
    ("java/lang/StrictMath.atan2(DD)D", Pure(|_, args| binary(args, libm::atan2))),
    ("java/lang/StrictMath.IEEEremainder(DD)D", Pure(|_, args| binary(args, remainder))),
    (
        "java/lang/Integer.numberOfLeadingZeros(I)I",
        Pure(|_, args| give_int((args[0] as u32).leading_zeros() as i32)),
    ),
    (
        "java/lang/Integer.numberOfTrailingZeros(I)I",
        Pure(|_, args| give_int((args[0] as u32).trailing_zeros() as i32)),
    ),
    ("java/lang/Integer.bitCount(I)I", Pure(|_, args| give_int((args[0] as u32).count_ones() as i32))),
    ("java/lang/Long.numberOfLeadingZeros(J)I", Pure(|_, args| give_int(args[0].leading_zeros() as i32))),
    ("java/lang/Long.numberOfTrailingZeros(J)I", Pure(|_, args| give_int(args[0].trailing_zeros() as i32))),
    ("java/lang/Long.bitCount(J)I", Pure(|_, args| give_int(args[0].count_ones() as i32))),
    (
        "java/lang/Math.multiplyHigh(JJ)J",
        Pure(|_, args| give_long(((i128::from(args[0] as i64) * i128::from(args[2] as i64)) >> 64) as i64)),
    ),
];
