//! Formulas as text: in SPIN's symbols or in words.
//!
//! Parentheses are placed such that [`crate::parse`] and SPIN read the same formula back.

use crate::formula::{Binary, Formula, Shape, Unary};
use std::fmt::{self, Write};

/// A deeper formula is printed with an ellipsis.
const MAX_PRINTED: u32 = 1000;

/// How operators are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Notation {
    /// SPIN's: `[] (p -> <> q)`.
    Symbols,
    /// Words: `always (p implies eventually q)`.
    Words,
}

impl Formula {
    /// Its text, with names for the atoms.
    pub fn text(&self, notation: Notation, name: impl Fn(u32) -> String) -> String {
        let mut text = String::new();
        write_formula(&mut text, self, notation, &name, MAX_PRINTED);
        text
    }
}

fn write_formula(
    text: &mut String,
    formula: &Formula,
    notation: Notation,
    name: &impl Fn(u32) -> String,
    depth: u32,
) {
    let symbols = notation == Notation::Symbols;
    if depth == 0 {
        text.push_str("...");
        return;
    }
    let part = |text: &mut String, part: &Formula, wrap: bool| {
        text.push_str(if wrap { "(" } else { "" });
        write_formula(text, part, notation, name, depth - 1);
        text.push_str(if wrap { ")" } else { "" });
    };
    match formula.shape() {
        Shape::Constant(value) => _ = write!(text, "{value}"),
        Shape::Atom(atom) => text.push_str(&name(*atom)),
        Shape::Unary(operator, a) => {
            let (symbol, word) = match operator {
                Unary::Not => ("!", "not"),
                Unary::Next => ("X", "next"),
                Unary::Always => ("[]", "always"),
                Unary::Eventually => ("<>", "eventually"),
            };
            text.push_str(if symbols { symbol } else { word });
            let wrap = matches!(a.shape(), Shape::Binary(..));
            let tight = symbols && *operator == Unary::Not || symbols && !wrap && *operator != Unary::Next;
            text.push_str(if tight { "" } else { " " });
            part(text, a, wrap);
        }
        Shape::Binary(operator, a, b) => {
            let (symbol, word) = match operator {
                Binary::And => ("&&", "and"),
                Binary::Or => ("||", "or"),
                Binary::Implies => ("->", "implies"),
                Binary::Equivalent => ("<->", "equivalent"),
                Binary::Until => ("U", "until"),
                Binary::WeakUntil => ("W", "weakuntil"),
                Binary::Release => ("V", "release"),
            };
            // Chains of one operator are read from the left.
            let chain = matches!(operator, Binary::And | Binary::Or);
            let wrap = match a.shape() {
                Shape::Binary(inner, ..) => !(chain && inner == operator),
                _ => false,
            };
            part(text, a, wrap);
            _ = write!(text, " {} ", if symbols { symbol } else { word });
            part(text, b, matches!(b.shape(), Shape::Binary(..)));
        }
    }
}

impl fmt::Display for Formula {
    /// In symbols, with atoms named `p0`, `p1`, ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Notation::Symbols, |atom| format!("p{atom}")))
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
