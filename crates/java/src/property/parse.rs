//! Parses the text of a property to a tree.
//!
//! Expressions have Java's operators with Java's precedence: `!` and `-`, then `* / %`, `+ -`, `< <= > >=`,
//! `== !=`, `&&`, `||`. A formula has those of temporal logic around them: `U`, `W` and `V` bind less than
//! comparisons and more than `&&`; `->` and `<->` bind least and are read from the left. `[]`, `<>` and `X`
//! take a comparison, as in `[] Main.n > 0`.

use super::PropertyError;
use allways_ltl::{Binary, MAX_DEPTH, Unary};
use allways_model::quoted_char;

/// A part of a property.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Where it begins in the text.
    pub(super) at: usize,
    /// Where it ends.
    pub(super) end: usize,
    pub(super) shape: Shape,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Constant(Constant),
    /// A path of names and indices: `a.b[1].c`.
    Way(Vec<Part>),
    Not(Box<Node>),
    Negate(Box<Node>),
    /// An operator of Java on two operands.
    Java(Operator, Box<Node>, Box<Node>),
    /// An operator of temporal logic.
    Unary(Unary, Box<Node>),
    /// A binary operator of temporal logic, except `&&` and `||`.
    Binary(Binary, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    Boolean(bool),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Char(u16),
    Null,
}

#[derive(Clone, Debug)]
pub(super) enum Part {
    Name(usize, String),
    Index(Node),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Different,
    And,
    Or,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Constant(Constant),
    /// An integer that fits an `int` or a `long` only with a minus sign.
    Smallest(bool),
    Symbol(&'static str),
    End,
}

/// Longer symbols come before their prefixes. The context distinguishes `[]` from an empty index.
const SYMBOLS: [&str; 25] = [
    "<->", "->", "<>", "[]", "&&", "||", "/\\", "\\/", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*",
    "/", "%", "(", ")", "[", "]", ".",
];

/// Reads an expression.
pub(super) fn expression(text: &str) -> Result<Node, PropertyError> {
    Parser::read(text, false)
}

/// Reads a formula of temporal logic.
pub(super) fn formula(text: &str) -> Result<Node, PropertyError> {
    Parser::read(text, true)
}

struct Parser<'a> {
    text: &'a str,
    is_formula: bool,
    tokens: Vec<(usize, usize, Token)>,
    next: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn read(text: &'a str, is_formula: bool) -> Result<Node, PropertyError> {
        let tokens = tokens(text)?;
        let mut this = Self { text, is_formula, tokens, next: 0, depth: 0 };
        let node = this.implication()?;
        match this.token() {
            Token::End => Ok(node),
            Token::Symbol(")") => Err(this.error("this parenthesis closes nothing")),
            _ => Err(this.error("an operator or the end is expected here")),
        }
    }

    fn token(&self) -> &Token {
        &self.tokens[self.next].2
    }

    fn after(&self) -> Option<&Token> {
        self.tokens.get(self.next + 1).map(|(_, _, token)| token)
    }

    fn at(&self) -> usize {
        self.tokens[self.next].0
    }

    /// Where the last token that was read ends.
    fn end(&self) -> usize {
        self.next.checked_sub(1).map_or(0, |last| self.tokens[last].1)
    }

    fn error(&self, message: impl Into<String>) -> PropertyError {
        PropertyError::new(self.text, self.at(), message)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.token(), Token::Symbol(found) if *found == symbol);
        self.next += usize::from(found);
        found
    }

    fn join(&self, left: Node, right: Node, shape: impl FnOnce(Box<Node>, Box<Node>) -> Shape) -> Node {
        Node { at: left.at, end: right.end, shape: shape(Box::new(left), Box::new(right)) }
    }

    /// Parses operands joined by the operators of one level, from the left.
    fn level(
        &mut self,
        operator: impl Fn(&Token) -> Option<Join>,
        operand: impl Fn(&mut Self) -> Result<Node, PropertyError>,
    ) -> Result<Node, PropertyError> {
        let mut left = operand(self)?;
        let mut n_joined = 0;
        while let Some(join) = operator(self.token()) {
            if matches!(join, Join::Temporal(_)) && !self.is_formula {
                return Err(self.error("this is for formulas (--ltl), not for conditions on one state"));
            }
            n_joined += 1;
            if n_joined > MAX_DEPTH {
                return Err(self.error(format!("more than {MAX_DEPTH} operators in a row")));
            }
            self.next += 1;
            let right = operand(self)?;
            left = match join {
                Join::Java(operator) => self.join(left, right, |a, b| Shape::Java(operator, a, b)),
                Join::Temporal(operator) => self.join(left, right, |a, b| Shape::Binary(operator, a, b)),
            };
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Node, PropertyError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH / 4 {
            return Err(self.error("this is nested too deeply"));
        }
        let node = self.level(
            |token| match token {
                Token::Symbol("->") => Some(Join::Temporal(Binary::Implies)),
                Token::Symbol("<->") => Some(Join::Temporal(Binary::Equivalent)),
                Token::Name(name) if name == "implies" => Some(Join::Temporal(Binary::Implies)),
                Token::Name(name) if name == "equivalent" => Some(Join::Temporal(Binary::Equivalent)),
                _ => None,
            },
            Self::disjunction,
        );
        self.depth -= 1;
        node
    }

    fn disjunction(&mut self) -> Result<Node, PropertyError> {
        let is_or = |token: &Token| match token {
            Token::Symbol("||" | "\\/") => Some(Join::Java(Operator::Or)),
            Token::Name(name) if name == "or" => Some(Join::Java(Operator::Or)),
            _ => None,
        };
        self.level(is_or, Self::conjunction)
    }

    fn conjunction(&mut self) -> Result<Node, PropertyError> {
        let is_and = |token: &Token| match token {
            Token::Symbol("&&" | "/\\") => Some(Join::Java(Operator::And)),
            Token::Name(name) if name == "and" => Some(Join::Java(Operator::And)),
            _ => None,
        };
        self.level(is_and, Self::until)
    }

    fn until(&mut self) -> Result<Node, PropertyError> {
        let is_until = |token: &Token| match token {
            Token::Name(name) => Some(Join::Temporal(match name.as_str() {
                "U" | "until" | "stronguntil" => Binary::Until,
                "W" | "weakuntil" => Binary::WeakUntil,
                "V" | "R" | "release" => Binary::Release,
                _ => return None,
            })),
            _ => None,
        };
        self.level(is_until, Self::temporal)
    }

    /// `[]`, `<>` and `X` before a comparison.
    fn temporal(&mut self) -> Result<Node, PropertyError> {
        let is_way = matches!(self.after(), Some(Token::Symbol(".")));
        let operator = match self.token() {
            Token::Symbol("[]") => Some(Unary::Always),
            Token::Symbol("<>") => Some(Unary::Eventually),
            Token::Name(name) if !is_way => match name.as_str() {
                "always" => Some(Unary::Always),
                "eventually" => Some(Unary::Eventually),
                "X" | "next" => Some(Unary::Next),
                _ => None,
            },
            _ => None,
        };
        let Some(operator) = operator else { return self.equality() };
        if !self.is_formula {
            return Err(self.error("this is for formulas (--ltl), not for conditions on one state"));
        }
        let at = self.at();
        self.next += 1;
        self.deeper(|this| {
            let operand = this.temporal()?;
            Ok(Node { at, end: operand.end, shape: Shape::Unary(operator, Box::new(operand)) })
        })
    }

    /// Parses at one more level of nesting.
    fn deeper(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Node, PropertyError>,
    ) -> Result<Node, PropertyError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH / 4 {
            return Err(self.error("this is nested too deeply"));
        }
        let node = read(self);
        self.depth -= 1;
        node
    }

    fn equality(&mut self) -> Result<Node, PropertyError> {
        let join = |token: &Token| java(token, &[("==", Operator::Equal), ("!=", Operator::Different)]);
        self.level(join, Self::comparison)
    }

    fn comparison(&mut self) -> Result<Node, PropertyError> {
        let operators = [
            ("<", Operator::Less),
            ("<=", Operator::AtMost),
            (">", Operator::Greater),
            (">=", Operator::AtLeast),
        ];
        self.level(|token| java(token, &operators), Self::sum)
    }

    fn sum(&mut self) -> Result<Node, PropertyError> {
        self.level(|token| java(token, &[("+", Operator::Add), ("-", Operator::Subtract)]), Self::product)
    }

    fn product(&mut self) -> Result<Node, PropertyError> {
        let operators = [("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)];
        self.level(|token| java(token, &operators), Self::operand)
    }

    fn operand(&mut self) -> Result<Node, PropertyError> {
        let at = self.at();
        let is_way = matches!(self.after(), Some(Token::Symbol(".")));
        match self.token().clone() {
            Token::Symbol("!") => {
                self.next += 1;
                self.not(at)
            }
            Token::Name(name) if name == "not" && !is_way => {
                self.next += 1;
                self.not(at)
            }
            Token::Symbol("-") => {
                self.next += 1;
                self.negative(at)
            }
            Token::Symbol("(") => {
                self.next += 1;
                let inner = self.implication()?;
                if !self.take(")") {
                    return Err(match self.token() {
                        Token::End => PropertyError::new(self.text, at, "this parenthesis is never closed"),
                        _ => self.error("an operator or a closing parenthesis is expected here"),
                    });
                }
                Ok(Node { at, end: self.end(), ..inner })
            }
            Token::Constant(value) => {
                self.next += 1;
                Ok(Node { at, end: self.end(), shape: Shape::Constant(value) })
            }
            Token::Smallest(_) => Err(self.error("this integer is too large")),
            Token::Name(_) => self.way(),
            Token::End => Err(self.error("something is missing at the end")),
            Token::Symbol("[]" | "<>") => {
                Err(self.error("a temporal operator is no part of a comparison: put it in parentheses"))
            }
            Token::Symbol(symbol) => Err(self.error(format!("an expression is expected before {symbol}"))),
        }
    }

    fn not(&mut self, at: usize) -> Result<Node, PropertyError> {
        self.deeper(|this| {
            // `! [] a`: a formula begins here.
            let is_temporal = matches!(this.token(), Token::Symbol("[]" | "<>"));
            let operand = if is_temporal { this.temporal()? } else { this.operand()? };
            Ok(Node { at, end: operand.end, shape: Shape::Not(Box::new(operand)) })
        })
    }

    /// What follows a minus sign.
    fn negative(&mut self, at: usize) -> Result<Node, PropertyError> {
        let smallest = match self.token() {
            Token::Smallest(true) => Constant::Long(i64::MIN),
            Token::Smallest(false) => Constant::Int(i32::MIN),
            _ => {
                return self.deeper(|this| {
                    let operand = this.operand()?;
                    Ok(Node { at, end: operand.end, shape: Shape::Negate(Box::new(operand)) })
                });
            }
        };
        self.next += 1;
        Ok(Node { at, end: self.end(), shape: Shape::Constant(smallest) })
    }

    fn way(&mut self) -> Result<Node, PropertyError> {
        let at = self.at();
        let mut parts = vec![self.name()?];
        loop {
            if self.take(".") {
                parts.push(self.name()?);
            } else if self.take("[") {
                let index = self.implication()?;
                if !self.take("]") {
                    return Err(self.error("a closing bracket is expected here"));
                }
                parts.push(Part::Index(index));
            } else {
                return Ok(Node { at, end: self.end(), shape: Shape::Way(parts) });
            }
        }
    }

    fn name(&mut self) -> Result<Part, PropertyError> {
        let at = self.at();
        let Token::Name(name) = self.token().clone() else {
            return Err(self.error("the name of a class or field is expected here"));
        };
        self.next += 1;
        Ok(Part::Name(at, name))
    }
}

/// How two operands are joined.
enum Join {
    Java(Operator),
    Temporal(Binary),
}

fn java(token: &Token, operators: &[(&str, Operator)]) -> Option<Join> {
    let Token::Symbol(symbol) = token else { return None };
    let found = operators.iter().find(|(name, _)| name == symbol);
    found.map(|&(_, operator)| Join::Java(operator))
}

/// The tokens of a text with their places, and one for its end.
fn tokens(text: &str) -> Result<Vec<(usize, usize, Token)>, PropertyError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let (token, len) = if first.is_alphabetic() || first == '_' || first == '$' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let len = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            (word(&rest[..len]), len)
        } else if first.is_ascii_digit() {
            number(text, at)?
        } else if first == '\'' {
            character(text, at)?
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Token::Symbol(symbol), symbol.len())
        } else {
            let message = match first {
                '"' => "strings are not compared; references can be compared with each other and with null"
                    .into(),
                '=' => "one = compares nothing: write ==".into(),
                _ => format!("unexpected character {}", quoted_char(first)),
            };
            return Err(PropertyError::new(text, at, message));
        };
        tokens.push((at, at + len, token));
        at += len;
    }
    tokens.push((text.len(), text.len(), Token::End));
    Ok(tokens)
}

fn word(name: &str) -> Token {
    match name {
        "true" => Token::Constant(Constant::Boolean(true)),
        "false" => Token::Constant(Constant::Boolean(false)),
        "null" => Token::Constant(Constant::Null),
        _ => Token::Name(name.to_owned()),
    }
}

/// A number at `at`, and its length.
fn number(text: &str, at: usize) -> Result<(Token, usize), PropertyError> {
    let rest = &text[at..];
    let bad = |message: &str| PropertyError::new(text, at, message);
    let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut len = 0;
    let bytes = rest.as_bytes();
    while let Some(&byte) = bytes.get(len) {
        let is_exponent_sign =
            !is_hex && matches!(byte, b'+' | b'-') && len > 0 && matches!(bytes[len - 1], b'e' | b'E');
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || is_exponent_sign) {
            break;
        }
        len += 1;
    }
    let digits: String = rest[..len].chars().filter(|&c| c != '_').collect();
    let (digits, is_long) = match digits.strip_suffix(['l', 'L']) {
        Some(digits) => (digits.to_owned(), true),
        None => (digits, false),
    };
    if is_hex {
        let value = u64::from_str_radix(&digits[2..], 16).map_err(|_| bad("this is no number"))?;
        let token = match (is_long, u32::try_from(value)) {
            (true, _) => Constant::Long(value as i64),
            (false, Ok(value)) => Constant::Int(value as i32),
            (false, Err(_)) => return Err(bad("this integer is too large; a long ends in L")),
        };
        return Ok((Token::Constant(token), len));
    }
    if !is_long && digits.bytes().any(|byte| !byte.is_ascii_digit()) {
        let constant = if let Some(digits) = digits.strip_suffix(['f', 'F']) {
            digits.parse().ok().map(Constant::Float)
        } else {
            digits.strip_suffix(['d', 'D']).unwrap_or(&digits).parse().ok().map(Constant::Double)
        };
        return Ok((Token::Constant(constant.ok_or_else(|| bad("this is no number"))?), len));
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return Err(bad("octal numbers are not read: leave out the leading zero"));
    }
    let value: u64 = digits.parse().map_err(|_| bad("this is no number, or too large"))?;
    let token = match (is_long, i64::try_from(value), i32::try_from(value)) {
        (true, Ok(value), _) => Token::Constant(Constant::Long(value)),
        (true, Err(_), _) if value == 1 << 63 => Token::Smallest(true),
        (false, _, Ok(value)) => Token::Constant(Constant::Int(value)),
        (false, _, Err(_)) if value == 1 << 31 => Token::Smallest(false),
        (false, ..) => return Err(bad("this integer is too large; a long ends in L")),
        (true, ..) => return Err(bad("this integer is too large")),
    };
    Ok((token, len))
}

/// A character in quotes at `at`, and its length.
fn character(text: &str, at: usize) -> Result<(Token, usize), PropertyError> {
    let rest = &text[at + 1..];
    let bad = || PropertyError::new(text, at, "this is no character in quotes");
    let mut chars = rest.chars();
    let first = chars.next().ok_or_else(bad)?;
    let (value, len) = match first {
        '\\' => {
            let escaped = chars.next().ok_or_else(bad)?;
            let value = match escaped {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                '\\' | '\'' | '"' => escaped,
                _ => return Err(bad()),
            };
            (value, 1 + escaped.len_utf8())
        }
        '\'' => return Err(bad()),
        plain => (plain, plain.len_utf8()),
    };
    let unit = u16::try_from(u32::from(value)).map_err(|_| bad())?;
    if !rest[len..].starts_with('\'') {
        return Err(bad());
    }
    Ok((Token::Constant(Constant::Char(unit)), len + 2))
}
