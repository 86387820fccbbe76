//! Arithmetic as Java defines it (JLS 15): wrapping integers, saturating conversions, IEEE floating point.

use super::machine::{Exec, exception};
use crate::class::code::Arithmetic;
use crate::class::descriptor::Kind;

/// A division by zero.
///
/// # Errors
/// `ArithmeticException`.
pub fn by_zero<T>() -> Exec<T> {
    Err(exception("java/lang/ArithmeticException", "/ by zero"))
}

/// On two `int`s.
///
/// # Errors
/// `ArithmeticException` for a division by zero.
#[inline]
pub fn int(op: Arithmetic, a: i32, b: i32) -> Exec<i32> {
    Ok(match op {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Sub => a.wrapping_sub(b),
        Arithmetic::Mul => a.wrapping_mul(b),
        Arithmetic::Div | Arithmetic::Rem if b == 0 => return by_zero(),
        Arithmetic::Div => a.wrapping_div(b),
        Arithmetic::Rem => a.wrapping_rem(b),
        Arithmetic::And => a & b,
        Arithmetic::Or => a | b,
        Arithmetic::Xor => a ^ b,
        Arithmetic::Shl => a.wrapping_shl(b as u32),
        Arithmetic::Shr => a.wrapping_shr(b as u32),
        Arithmetic::Ushr => (a as u32).wrapping_shr(b as u32) as i32,
    })
}

/// On two `long`s; shifts take the number of bits as `b`.
///
/// # Errors
/// `ArithmeticException` for a division by zero.
#[inline]
pub fn long(op: Arithmetic, a: i64, b: i64) -> Exec<i64> {
    Ok(match op {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Sub => a.wrapping_sub(b),
        Arithmetic::Mul => a.wrapping_mul(b),
        Arithmetic::Div | Arithmetic::Rem if b == 0 => return by_zero(),
        Arithmetic::Div => a.wrapping_div(b),
        Arithmetic::Rem => a.wrapping_rem(b),
        Arithmetic::And => a & b,
        Arithmetic::Or => a | b,
        Arithmetic::Xor => a ^ b,
        Arithmetic::Shl => a.wrapping_shl(b as u32),
        Arithmetic::Shr => a.wrapping_shr(b as u32),
        Arithmetic::Ushr => (a as u64).wrapping_shr(b as u32) as i64,
    })
}

/// On two `float`s; integer operations do not occur in code.
#[inline]
#[must_use]
pub fn float(op: Arithmetic, a: f32, b: f32) -> f32 {
    match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
        _ => a % b,
    }
}

/// On two `double`s; integer operations do not occur in code.
#[inline]
#[must_use]
pub fn double(op: Arithmetic, a: f64, b: f64) -> f64 {
    match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a / b,
        _ => a % b,
    }
}

/// A value of one kind as a slot of another. Rust's conversions saturate as Java's do.
#[inline]
#[must_use]
pub fn convert(from: Kind, to: Kind, value: u64) -> u64 {
    match from {
        Kind::Long => match to {
            Kind::Float => u64::from((value as i64 as f32).to_bits()),
            Kind::Double => (value as i64 as f64).to_bits(),
            _ => value & 0xffff_ffff,
        },
        Kind::Float => {
            let value = f32::from_bits(value as u32);
            match to {
                Kind::Long => value as i64 as u64,
                Kind::Double => f64::from(value).to_bits(),
                _ => u64::from(value as i32 as u32),
            }
        }
        Kind::Double => {
            let value = f64::from_bits(value);
            match to {
                Kind::Long => value as i64 as u64,
                Kind::Float => u64::from((value as f32).to_bits()),
                _ => u64::from(value as i32 as u32),
            }
        }
        _ => {
            let int = value as u32 as i32;
            match to {
                Kind::Long => i64::from(int) as u64,
                Kind::Float => u64::from((int as f32).to_bits()),
                Kind::Double => f64::from(int).to_bits(),
                _ => to.narrow(value),
            }
        }
    }
}

/// The sign changed.
#[inline]
#[must_use]
pub fn negate(kind: Kind, value: u64) -> u64 {
    match kind {
        Kind::Long => (value as i64).wrapping_neg() as u64,
        Kind::Float => u64::from((-f32::from_bits(value as u32)).to_bits()),
        Kind::Double => (-f64::from_bits(value)).to_bits(),
        _ => u64::from((value as i32).wrapping_neg() as u32),
    }
}

/// How two floating-point numbers compare; `nan` if they do not.
#[inline]
#[must_use]
pub fn compare<T: PartialOrd>(a: T, b: T, nan: i32) -> i32 {
    match a.partial_cmp(&b) {
        Some(order) => order as i32,
        None => nan,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners() {
        assert_eq!(int(Arithmetic::Div, i32::MIN, -1).ok(), Some(i32::MIN));
        assert_eq!(int(Arithmetic::Rem, i32::MIN, -1).ok(), Some(0));
        assert!(int(Arithmetic::Div, 1, 0).is_err());
        assert_eq!(int(Arithmetic::Shl, 1, 33).ok(), Some(2));
        assert_eq!(long(Arithmetic::Ushr, -1, 63).ok(), Some(1));
        assert_eq!(convert(Kind::Double, Kind::Int, f64::NAN.to_bits()), 0);
        assert_eq!(convert(Kind::Double, Kind::Int, 1e20_f64.to_bits()), u64::from(i32::MAX as u32));
        assert_eq!(convert(Kind::Float, Kind::Long, u64::from(f32::NEG_INFINITY.to_bits())), i64::MIN as u64);
        assert_eq!(convert(Kind::Int, Kind::Byte, 0x80), u64::from(-128_i32 as u32));
        assert_eq!(compare(f64::NAN, 1.0, -1), -1);
        assert_eq!(compare(2.0, 1.0, -1), 1);
    }
}
