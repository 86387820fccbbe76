//! The words of the format. Strings have escapes, comments nest, and every word knows where it starts.

use crate::error::Error;
use allways_model::{quoted, quoted_char};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `name:`, without the colon.
    Header(&'a str),
    Name(&'a str),
    /// `@name`, without the at.
    Alias(&'a str),
    Text(String),
    Number(usize),
    Body,
    EndOfBody,
    Abort,
    /// One of `( ) [ ] { } ! & |`.
    Symbol(char),
    End,
}

impl Token<'_> {
    /// How to name it in an error.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Header(name) => format!("the header item {}", quoted(name)),
            Token::Name(name) => quoted(name),
            Token::Alias(name) => format!("the alias \"@{name}\""),
            Token::Text(_) => "a string".into(),
            Token::Number(number) => format!("the number {number}"),
            Token::Body => "\"--BODY--\"".into(),
            Token::EndOfBody => "\"--END--\"".into(),
            Token::Abort => "\"--ABORT--\"".into(),
            Token::Symbol(symbol) => quoted_char(*symbol),
            Token::End => "the end of the text".into(),
        }
    }
}

/// The words of `text`, each with its offset; the last is [`Token::End`].
pub(super) fn lex(text: &str) -> Result<Vec<(Token<'_>, usize)>, Error> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let rest = &text[offset..];
        let start = offset;
        let token = if first.is_ascii_whitespace() {
            offset += 1;
            continue;
        } else if rest.starts_with("/*") {
            offset = comment(text, offset)?;
            continue;
        } else if first == '"' {
            let (content, length) = string(text, offset)?;
            offset += length;
            Token::Text(content)
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            offset += length;
            match rest[..length].parse() {
                Ok(number) => Token::Number(number),
                Err(_) => return Err(Error::at(text, start, "this number is too large")),
            }
        } else if first == '@' {
            let length = name_length(&rest[1..]);
            offset += 1 + length;
            Token::Alias(&rest[1..1 + length])
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = name_length(rest);
            offset += length;
            if rest[length..].starts_with(':') {
                offset += 1;
                Token::Header(&rest[..length])
            } else {
                Token::Name(&rest[..length])
            }
        } else if "()[]{}!&|".contains(first) {
            offset += 1;
            Token::Symbol(first)
        } else {
            let marks =
                [("--BODY--", Token::Body), ("--END--", Token::EndOfBody), ("--ABORT--", Token::Abort)];
            match marks.into_iter().find(|(mark, _)| rest.starts_with(mark)) {
                Some((mark, token)) => {
                    offset += mark.len();
                    token
                }
                None => {
                    let message = format!("unexpected character {}", quoted_char(first));
                    return Err(Error::at(text, start, message));
                }
            }
        };
        tokens.push((token, start));
    }
    tokens.push((Token::End, text.len()));
    Ok(tokens)
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len())
}

/// The offset after the comment that starts at `start`.
fn comment(text: &str, start: usize) -> Result<usize, Error> {
    let (mut depth, mut offset) = (0usize, start);
    while let Some(next) = text[offset..].chars().next() {
        if text[offset..].starts_with("/*") {
            depth += 1;
            offset += 2;
        } else if text[offset..].starts_with("*/") {
            depth -= 1;
            offset += 2;
            if depth == 0 {
                return Ok(offset);
            }
        } else {
            offset += next.len_utf8();
        }
    }
    Err(Error::at(text, start, "this comment is never closed"))
}

/// The string that starts at `start`, and how many bytes it takes.
fn string(text: &str, start: usize) -> Result<(String, usize), Error> {
    let mut content = String::new();
    let mut chars = text[start + 1..].char_indices();
    while let Some((place, next)) = chars.next() {
        match next {
            '"' => return Ok((content, place + 2)),
            '\\' => match chars.next() {
                Some((_, escaped)) => content.push(escaped),
                None => break,
            },
            _ => content.push(next),
        }
    }
    Err(Error::at(text, start, "this string is never closed"))
}
