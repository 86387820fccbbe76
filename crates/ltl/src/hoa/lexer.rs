//! The tokens of the format. Strings have escapes, comments nest, and every token has its offset.

use crate::error::Error;
use allways_model::{quoted, quoted_char};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HoaToken<'a> {
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

impl HoaToken<'_> {
    /// Its name in an error message.
    pub(super) fn describe(&self) -> String {
        match self {
            HoaToken::Header(name) => format!("the header item {}", quoted(name)),
            HoaToken::Name(name) => quoted(name),
            HoaToken::Alias(name) => format!("the alias \"@{name}\""),
            HoaToken::Text(_) => "a string".into(),
            HoaToken::Number(number) => format!("the number {number}"),
            HoaToken::Body => "\"--BODY--\"".into(),
            HoaToken::EndOfBody => "\"--END--\"".into(),
            HoaToken::Abort => "\"--ABORT--\"".into(),
            HoaToken::Symbol(symbol) => quoted_char(*symbol),
            HoaToken::End => "the end of the text".into(),
        }
    }
}

/// The tokens of `text`, each with its offset; the last one is [`HoaToken::End`].
pub(super) fn lex(text: &str) -> Result<Vec<(HoaToken<'_>, usize)>, Error> {
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
            HoaToken::Text(content)
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            offset += length;
            match rest[..length].parse() {
                Ok(number) => HoaToken::Number(number),
                Err(_) => return Err(Error::at(text, start, "this number is too large")),
            }
        } else if first == '@' {
            let length = name_length(&rest[1..]);
            offset += 1 + length;
            HoaToken::Alias(&rest[1..1 + length])
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = name_length(rest);
            offset += length;
            if rest[length..].starts_with(':') {
                offset += 1;
                HoaToken::Header(&rest[..length])
            } else {
                HoaToken::Name(&rest[..length])
            }
        } else if "()[]{}!&|".contains(first) {
            offset += 1;
            HoaToken::Symbol(first)
        } else {
            let marks = [
                ("--BODY--", HoaToken::Body),
                ("--END--", HoaToken::EndOfBody),
                ("--ABORT--", HoaToken::Abort),
            ];
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
    tokens.push((HoaToken::End, text.len()));
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

/// The string that starts at `start`, and its length in bytes.
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
