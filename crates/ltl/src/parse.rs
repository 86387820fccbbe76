//! Reads a formula whose atoms are plain names.
//!
//! The grammar is that of `spin -f`: unary operators bind strongest, then `U`, `W` and `V`, then `&&`, `||`,
//! `->` and `<->`, *all four alike*; operators that bind alike are read from the left. So `a || b && c` is
//! `(a || b) && c`. SPIN's words and `R` for release are accepted as well.

use crate::error::Error;
use crate::formula::{Binary, Formula, MAX_ATOMS, MAX_DEPTH, Unary};
use allways_model::quoted_char;

/// Reads `text`. Returns the formula and the names of its atoms: atom `i` is the name at place `i`.
///
/// ```
/// let (_, names) = allways_ltl::parse("[] (request -> <> granted)").unwrap();
/// assert_eq!(names, ["request", "granted"]);
/// assert!(allways_ltl::parse("[] (request").is_err());
/// ```
pub fn parse(text: &str) -> Result<(Formula, Vec<String>), Error> {
    let mut parser = Parser { text, offset: 0, token: FormulaToken::End, start: 0, names: Vec::new() };
    parser.advance()?;
    let formula = parser.boolean(0)?;
    match parser.token {
        FormulaToken::End => Ok((formula, parser.names)),
        FormulaToken::Close => Err(parser.error("this parenthesis closes nothing")),
        _ => Err(parser.error("expected an operator or the end of the formula")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormulaToken<'a> {
    Name(&'a str),
    Constant(bool),
    Unary(Unary),
    Binary(Binary),
    Open,
    Close,
    End,
}

/// Longer symbols come first where one begins with another.
const SYMBOLS: [(&str, FormulaToken<'static>); 13] = [
    ("<->", FormulaToken::Binary(Binary::Equivalent)),
    ("->", FormulaToken::Binary(Binary::Implies)),
    ("<>", FormulaToken::Unary(Unary::Eventually)),
    ("[]", FormulaToken::Unary(Unary::Always)),
    ("&&", FormulaToken::Binary(Binary::And)),
    ("||", FormulaToken::Binary(Binary::Or)),
    ("/\\", FormulaToken::Binary(Binary::And)),
    ("\\/", FormulaToken::Binary(Binary::Or)),
    ("!", FormulaToken::Unary(Unary::Not)),
    ("(", FormulaToken::Open),
    (")", FormulaToken::Close),
    ("\u{ac}", FormulaToken::Unary(Unary::Not)),
    ("~", FormulaToken::Unary(Unary::Not)),
];

fn word(name: &str) -> FormulaToken<'_> {
    match name {
        "true" => FormulaToken::Constant(true),
        "false" => FormulaToken::Constant(false),
        "not" => FormulaToken::Unary(Unary::Not),
        "X" | "next" => FormulaToken::Unary(Unary::Next),
        "always" => FormulaToken::Unary(Unary::Always),
        "eventually" => FormulaToken::Unary(Unary::Eventually),
        "and" => FormulaToken::Binary(Binary::And),
        "or" => FormulaToken::Binary(Binary::Or),
        "implies" => FormulaToken::Binary(Binary::Implies),
        "equivalent" => FormulaToken::Binary(Binary::Equivalent),
        "U" | "until" | "stronguntil" => FormulaToken::Binary(Binary::Until),
        "W" | "weakuntil" => FormulaToken::Binary(Binary::WeakUntil),
        "V" | "R" | "release" => FormulaToken::Binary(Binary::Release),
        _ => FormulaToken::Name(name),
    }
}

struct Parser<'a> {
    text: &'a str,
    offset: usize,
    token: FormulaToken<'a>,
    /// Where the token starts.
    start: usize,
    names: Vec<String>,
}

impl<'a> Parser<'a> {
    fn error(&self, message: &str) -> Error {
        Error::at(self.text, self.start, message)
    }

    fn advance(&mut self) -> Result<(), Error> {
        let rest = self.text[self.offset..].trim_start();
        self.start = self.text.len() - rest.len();
        let name_length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let Some(first) = rest.chars().next() else {
            (self.token, self.offset) = (FormulaToken::End, self.text.len());
            return Ok(());
        };
        let (token, length) = if let Some((symbol, token)) = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s))
        {
            (*token, symbol.len())
        } else if first.is_ascii_alphabetic() || first == '_' {
            (word(&rest[..name_length]), name_length)
        } else if first.is_ascii_digit() {
            return Err(self.error("expected a name; numbers and expressions are not known here"));
        } else {
            return Err(self.error(&format!("unexpected character {}", quoted_char(first))));
        };
        self.token = token;
        self.offset = self.start + length;
        Ok(())
    }

    /// Operands joined by and, or, implies, equivalent.
    fn boolean(&mut self, nesting: u32) -> Result<Formula, Error> {
        let mut left = self.temporal(nesting)?;
        while let FormulaToken::Binary(operator) = self.token {
            self.advance()?;
            let right = self.temporal(nesting)?;
            left = self.check(Formula::binary(operator, left, right))?;
        }
        Ok(left)
    }

    /// Operands joined by until, weak until, release.
    fn temporal(&mut self, nesting: u32) -> Result<Formula, Error> {
        let mut left = self.operand(nesting)?;
        while let FormulaToken::Binary(operator @ (Binary::Until | Binary::WeakUntil | Binary::Release)) =
            self.token
        {
            self.advance()?;
            let right = self.operand(nesting)?;
            left = self.check(Formula::binary(operator, left, right))?;
        }
        Ok(left)
    }

    fn operand(&mut self, nesting: u32) -> Result<Formula, Error> {
        if nesting > MAX_DEPTH {
            return Err(self.too_deep());
        }
        match self.token {
            FormulaToken::Name(name) => {
                let number = self.number(name)?;
                self.advance()?;
                Ok(Formula::atom(number))
            }
            FormulaToken::Constant(value) => {
                self.advance()?;
                Ok(Formula::constant(value))
            }
            FormulaToken::Unary(operator) => {
                self.advance()?;
                let inner = self.operand(nesting + 1)?;
                self.check(Formula::unary(operator, inner))
            }
            FormulaToken::Open => {
                let open = self.start;
                self.advance()?;
                let inner = self.boolean(nesting + 1)?;
                if self.token != FormulaToken::Close {
                    let message = if self.token == FormulaToken::End {
                        "this parenthesis is never closed"
                    } else {
                        "expected an operator or a closing parenthesis"
                    };
                    let offset = if self.token == FormulaToken::End { open } else { self.start };
                    return Err(Error::at(self.text, offset, message));
                }
                self.advance()?;
                Ok(inner)
            }
            FormulaToken::Binary(_) | FormulaToken::Close => {
                Err(self.error("expected a formula before this"))
            }
            FormulaToken::End => Err(self.error("expected a formula, but the text ends here")),
        }
    }

    /// The number of a name; a new one if it was not seen before.
    fn number(&mut self, name: &str) -> Result<u32, Error> {
        if let Some(place) = self.names.iter().position(|known| known == name) {
            return Ok(place as u32);
        }
        if self.names.len() == MAX_ATOMS as usize {
            return Err(self.error(&format!("a formula may use at most {MAX_ATOMS} different names")));
        }
        self.names.push(name.into());
        Ok(self.names.len() as u32 - 1)
    }

    fn check(&self, formula: Formula) -> Result<Formula, Error> {
        if formula.depth() > MAX_DEPTH { Err(self.too_deep()) } else { Ok(formula) }
    }

    fn too_deep(&self) -> Error {
        self.error(&format!("operators nest more deeply than {MAX_DEPTH} here"))
    }
}
