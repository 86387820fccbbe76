//! Reads a formula whose atoms are plain names.
//!
//! The grammar is that of `spin -f`: unary operators bind strongest, then `U`, `W` and `V`, then `&&`, `||`,
//! `->` and `<->`, *all four alike*; operators that bind alike are read from the left. So `a || b && c` is
//! `(a || b) && c`. SPIN's words and `R` for release are understood as well.

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
    let mut parser = Parser { text, offset: 0, token: Token::End, start: 0, names: Vec::new() };
    parser.advance()?;
    let formula = parser.boolean(0)?;
    match parser.token {
        Token::End => Ok((formula, parser.names)),
        Token::Close => Err(parser.error("this parenthesis closes nothing")),
        _ => Err(parser.error("expected an operator or the end of the formula")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Constant(bool),
    Unary(Unary),
    Binary(Binary),
    Open,
    Close,
    End,
}

/// Longer ones first where one begins with another.
const SYMBOLS: [(&str, Token<'static>); 13] = [
    ("<->", Token::Binary(Binary::Equivalent)),
    ("->", Token::Binary(Binary::Implies)),
    ("<>", Token::Unary(Unary::Eventually)),
    ("[]", Token::Unary(Unary::Always)),
    ("&&", Token::Binary(Binary::And)),
    ("||", Token::Binary(Binary::Or)),
    ("/\\", Token::Binary(Binary::And)),
    ("\\/", Token::Binary(Binary::Or)),
    ("!", Token::Unary(Unary::Not)),
    ("(", Token::Open),
    (")", Token::Close),
    ("\u{ac}", Token::Unary(Unary::Not)),
    ("~", Token::Unary(Unary::Not)),
];

fn word(name: &str) -> Token<'_> {
    match name {
        "true" => Token::Constant(true),
        "false" => Token::Constant(false),
        "not" => Token::Unary(Unary::Not),
        "X" | "next" => Token::Unary(Unary::Next),
        "always" => Token::Unary(Unary::Always),
        "eventually" => Token::Unary(Unary::Eventually),
        "and" => Token::Binary(Binary::And),
        "or" => Token::Binary(Binary::Or),
        "implies" => Token::Binary(Binary::Implies),
        "equivalent" => Token::Binary(Binary::Equivalent),
        "U" | "until" | "stronguntil" => Token::Binary(Binary::Until),
        "W" | "weakuntil" => Token::Binary(Binary::WeakUntil),
        "V" | "R" | "release" => Token::Binary(Binary::Release),
        _ => Token::Name(name),
    }
}

struct Parser<'a> {
    text: &'a str,
    offset: usize,
    token: Token<'a>,
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
            (self.token, self.offset) = (Token::End, self.text.len());
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
        while let Token::Binary(operator) = self.token {
            self.advance()?;
            let right = self.temporal(nesting)?;
            left = self.check(Formula::binary(operator, left, right))?;
        }
        Ok(left)
    }

    /// Operands joined by until, weak until, release.
    fn temporal(&mut self, nesting: u32) -> Result<Formula, Error> {
        let mut left = self.operand(nesting)?;
        while let Token::Binary(operator @ (Binary::Until | Binary::WeakUntil | Binary::Release)) = self.token
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
            Token::Name(name) => {
                let number = self.number(name)?;
                self.advance()?;
                Ok(Formula::atom(number))
            }
            Token::Constant(value) => {
                self.advance()?;
                Ok(Formula::constant(value))
            }
            Token::Unary(operator) => {
                self.advance()?;
                let inner = self.operand(nesting + 1)?;
                self.check(Formula::unary(operator, inner))
            }
            Token::Open => {
                let open = self.start;
                self.advance()?;
                let inner = self.boolean(nesting + 1)?;
                if self.token != Token::Close {
                    let message = if self.token == Token::End {
                        "this parenthesis is never closed"
                    } else {
                        "expected an operator or a closing parenthesis"
                    };
                    let offset = if self.token == Token::End { open } else { self.start };
                    return Err(Error::at(self.text, offset, message));
                }
                self.advance()?;
                Ok(inner)
            }
            Token::Binary(_) | Token::Close => Err(self.error("expected a formula before this")),
            Token::End => Err(self.error("expected a formula, but the text ends here")),
        }
    }

    /// The number of a name, a new one if it was not seen before.
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
