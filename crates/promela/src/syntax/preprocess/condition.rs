//! The expressions of `#if` and `#elif`: C's integer expressions, 64 bits wide, signed or unsigned.
//!
//! Names that are not macros count as 0. Operands that `&&`, `||` and `?:` skip are parsed but not evaluated,
//! so a division by zero there is not an error.

use super::Preprocessor;
use super::scan::{Tok, TokKind};
use crate::syntax::ast::Span;
use crate::syntax::source::Diagnostic;

/// The maximal nesting of parentheses and operators.
const MAX_DEPTH: usize = 200;

#[derive(Clone, Copy)]
struct ConditionValue {
    bits: i64,
    unsigned: bool,
}

impl ConditionValue {
    fn signed(bits: i64) -> Self {
        Self { bits, unsigned: false }
    }

    fn truth(holds: bool) -> Self {
        Self::signed(i64::from(holds))
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

impl Preprocessor<'_> {
    /// Whether the expression of an `#if` holds. An error counts as false.
    pub(super) fn evaluate_condition(&mut self, tokens: &[Tok], at: Span) -> bool {
        self.in_directive = true;
        let expanded = self.expand_list(tokens.to_vec());
        self.in_directive = false;
        let mut parser = Condition { tokens: &expanded, pos: 0, depth: 0, live: true, at };
        let result = parser.conditional().and_then(|value| match parser.peek() {
            Some(extra) => Err((format!("unexpected `{}` in a condition", extra.text), extra.span)),
            None => Ok(value),
        });
        match result {
            Ok(value) => value.is_true(),
            Err((message, span)) => {
                self.diagnostics.push(Diagnostic::error(message, span));
                false
            }
        }
    }
}

type Outcome = Result<ConditionValue, (String, Span)>;

struct Condition<'t> {
    tokens: &'t [Tok],
    pos: usize,
    depth: usize,
    /// Whether the part being read is evaluated.
    live: bool,
    at: Span,
}

impl Condition<'_> {
    fn peek(&self) -> Option<&Tok> {
        self.tokens.get(self.pos)
    }

    fn take(&mut self, punct: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.is(punct));
        self.pos += usize::from(found);
        found
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, (String, Span)> {
        Err((message.into(), self.peek().map_or(self.at, |t| t.span)))
    }

    fn conditional(&mut self) -> Outcome {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("the condition is nested too deep");
        }
        let test = self.binary(0)?;
        let value = if self.take("?") {
            let live = self.live;
            self.live = live && test.is_true();
            let yes = self.conditional()?;
            if !self.take(":") {
                return self.fail("expected `:` in a condition");
            }
            self.live = live && !test.is_true();
            let no = self.conditional()?;
            self.live = live;
            let chosen = if test.is_true() { yes } else { no };
            ConditionValue { bits: chosen.bits, unsigned: yes.unsigned || no.unsigned }
        } else {
            test
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, min: u8) -> Outcome {
        let mut left = self.unary()?;
        while let Some((op, power)) = self.peek().and_then(operator) {
            if power < min {
                break;
            }
            self.pos += 1;
            let live = self.live;
            let skip = match op {
                "&&" => !left.is_true(),
                "||" => left.is_true(),
                _ => false,
            };
            self.live = live && !skip;
            let right = self.binary(power + 1)?;
            self.live = live;
            left = self.apply(op, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Outcome {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("the condition is nested too deep");
        }
        let value = if self.take("-") {
            let value = self.unary()?;
            ConditionValue { bits: value.bits.wrapping_neg(), ..value }
        } else if self.take("+") {
            self.unary()?
        } else if self.take("~") {
            let value = self.unary()?;
            ConditionValue { bits: !value.bits, ..value }
        } else if self.take("!") {
            ConditionValue::truth(!self.unary()?.is_true())
        } else if self.take("(") {
            let mut value = self.conditional()?;
            while self.take(",") {
                value = self.conditional()?;
            }
            if !self.take(")") {
                return self.fail("expected `)` in a condition");
            }
            value
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self) -> Outcome {
        let Some(tok) = self.peek().cloned() else { return self.fail("the condition is incomplete") };
        let value = match tok.kind {
            TokKind::Ident => Some(ConditionValue::signed(0)),
            TokKind::Number => number(&tok.text),
            TokKind::Char => character(&tok.text),
            _ => None,
        };
        match value {
            Some(value) => {
                self.pos += 1;
                Ok(value)
            }
            None => self.fail(format!("`{}` cannot be used in a condition", tok.text)),
        }
    }

    fn apply(&self, op: &str, a: ConditionValue, b: ConditionValue) -> Outcome {
        let unsigned = a.unsigned || b.unsigned;
        let wide = |bits| Ok(ConditionValue { bits, unsigned });
        let (x, y) = (a.bits, b.bits);
        let (ux, uy) = (x as u64, y as u64);
        match op {
            "*" => wide(x.wrapping_mul(y)),
            "/" | "%" if y == 0 => {
                if self.live {
                    return self.fail("division by zero in a condition");
                }
                wide(0)
            }
            "/" => wide(if unsigned { (ux / uy) as i64 } else { x.wrapping_div(y) }),
            "%" => wide(if unsigned { (ux % uy) as i64 } else { x.wrapping_rem(y) }),
            "+" => wide(x.wrapping_add(y)),
            "-" => wide(x.wrapping_sub(y)),
            "<<" | ">>" => Ok(ConditionValue { bits: shift(op == "<<", a, b), unsigned: a.unsigned }),
            "<" => Ok(ConditionValue::truth(if unsigned { ux < uy } else { x < y })),
            "<=" => Ok(ConditionValue::truth(if unsigned { ux <= uy } else { x <= y })),
            ">" => Ok(ConditionValue::truth(if unsigned { ux > uy } else { x > y })),
            ">=" => Ok(ConditionValue::truth(if unsigned { ux >= uy } else { x >= y })),
            "==" => Ok(ConditionValue::truth(x == y)),
            "!=" => Ok(ConditionValue::truth(x != y)),
            "&" => wide(x & y),
            "^" => wide(x ^ y),
            "|" => wide(x | y),
            "&&" => Ok(ConditionValue::truth(a.is_true() && b.is_true())),
            _ => Ok(ConditionValue::truth(a.is_true() || b.is_true())),
        }
    }
}

/// Shifts as gcc's preprocessor does: a negative count shifts in the other direction, a large one shifts out
/// all bits.
fn shift(left: bool, a: ConditionValue, b: ConditionValue) -> i64 {
    let negative = !b.unsigned && b.bits < 0;
    let count = if b.unsigned { b.bits as u64 } else { b.bits.unsigned_abs() };
    if left != negative {
        return if count < 64 { a.bits << count } else { 0 };
    }
    match (a.unsigned, count < 64) {
        (true, true) => ((a.bits as u64) >> count) as i64,
        (false, true) => a.bits >> count,
        (false, false) if a.bits < 0 => -1,
        _ => 0,
    }
}

fn operator(tok: &Tok) -> Option<(&'static str, u8)> {
    const TABLE: [(&str, u8); 18] = [
        ("||", 1),
        ("&&", 2),
        ("|", 3),
        ("^", 4),
        ("&", 5),
        ("==", 6),
        ("!=", 6),
        ("<", 7),
        ("<=", 7),
        (">", 7),
        (">=", 7),
        ("<<", 8),
        (">>", 8),
        ("+", 9),
        ("-", 9),
        ("*", 10),
        ("/", 10),
        ("%", 10),
    ];
    TABLE.iter().find(|(op, _)| tok.is(op)).copied()
}

fn number(text: &str) -> Option<ConditionValue> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu") {
        return None;
    }
    let (radix, digits) = if let Some(hex) = digits.strip_prefix("0x") {
        (16, hex)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        (2, binary)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (8, &digits[1..])
    } else {
        (10, digits)
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    Some(ConditionValue {
        bits: value as i64,
        unsigned: suffix.contains('u') || i64::try_from(value).is_err(),
    })
}

fn character(text: &str) -> Option<ConditionValue> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut value: i64 = 0;
    let mut bytes = inner.bytes().peekable();
    bytes.peek()?;
    while let Some(byte) = bytes.next() {
        let mut code = i64::from(byte as i8);
        if byte == b'\\' {
            code = match bytes.next()? {
                b'n' => 10,
                b't' => 9,
                b'r' => 13,
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'v' => 11,
                b'e' => 27,
                b'x' => escape_digits(&mut bytes, 16, usize::MAX, 0),
                digit @ b'0'..=b'7' => escape_digits(&mut bytes, 8, 2, i64::from(digit - b'0')),
                other => i64::from(other),
            };
        }
        value = (value << 8 | (code & 0xff)) & 0xffff_ffff;
        if inner.len() == 1 || value <= 0xff {
            value = i64::from(code as i8);
        }
    }
    Some(ConditionValue::signed(value))
}

fn escape_digits(
    bytes: &mut std::iter::Peekable<std::str::Bytes<'_>>,
    radix: u32,
    most: usize,
    start: i64,
) -> i64 {
    let mut value = start;
    let mut n = 0;
    while n < most
        && let Some(digit) = bytes.peek().and_then(|b| char::from(*b).to_digit(radix))
    {
        value = (value * i64::from(radix) + i64::from(digit)) & 0xff;
        bytes.next();
        n += 1;
    }
    value
}
