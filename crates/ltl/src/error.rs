//! Errors: why a formula or a text was rejected.

use std::fmt;

/// Why there is no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The formula nests operators more deeply than [`crate::MAX_DEPTH`].
    TooDeep,
    /// The formula contains an atom whose number is not below [`crate::MAX_ATOMS`].
    TooManyAtoms,
    /// The formula has more than 64 subformulas that require something to happen later.
    TooManyPromises,
    /// The automaton, or an intermediate result, grew beyond the limit.
    TooLarge {
        /// What grew.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A text does not follow its grammar, or uses something that is not supported.
    Text {
        /// The byte at which the error starts.
        offset: usize,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
}

impl Error {
    /// An error at a byte of `text`.
    pub(crate) fn at(text: &str, offset: usize, message: impl Into<String>) -> Error {
        let offset = (0..=offset.min(text.len())).rev().find(|&o| text.is_char_boundary(o)).unwrap_or(0);
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Error::Text { offset, line, column, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TooDeep => {
                write!(f, "the formula nests operators more deeply than {}", crate::MAX_DEPTH)
            }
            Error::TooManyAtoms => write!(f, "a formula may use at most {} atoms", crate::MAX_ATOMS),
            Error::TooManyPromises => write!(f, "the formula has more than 64 different promises (until)"),
            Error::TooLarge { what, limit } => {
                write!(f, "the formula is too large to translate: more than {limit} {what}")
            }
            Error::Text { line, column, message, .. } => write!(f, "line {line}, column {column}: {message}"),
        }
    }
}

impl std::error::Error for Error {}
