//! The preprocessed text and the map back to the source.
//!
//! Tokens that were separated stay separated and adjacent tokens stay adjacent, because SPIN reads
//! characters. Where a macro begins or ends, a space is inserted only if C would otherwise read one token
//! instead of two.

use super::scan::{Tok, TokKind};
use crate::syntax::ast::Span;

/// The result of preprocessing.
#[derive(Debug, Default)]
pub struct Preprocessed {
    /// The text.
    pub text: String,
    /// Whether the dynamic extension is enabled: pointers, `new`, functions.
    pub dynamic: bool,
    /// For each token of C in the text, in order: its start, and where it came from.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    at: u32,
    span: Span,
    /// The token is in the source exactly as in the text, so parts of it can be located.
    verbatim: bool,
}

impl Preprocessed {
    /// Where the characters `start..end` of the text came from.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let Some(first) = self.mark_at(start) else { return Span { file: 0, start: 0, end: 0 } };
        let last = self.mark_at(end.saturating_sub(1).max(start)).unwrap_or(first);
        let from = locate(&first, start).0;
        let to = locate(&last, end.saturating_sub(1).max(start)).1;
        if first.span.file == last.span.file && to >= from {
            Span { file: first.span.file, start: from, end: to }
        } else {
            first.span
        }
    }

    fn mark_at(&self, at: usize) -> Option<Mark> {
        let next = self.marks.partition_point(|mark| mark.at as usize <= at);
        self.marks.get(next.saturating_sub(1)).copied()
    }
}

/// The source bytes of the character at `at` of the text.
fn locate(mark: &Mark, at: usize) -> (u32, u32) {
    let offset = (at as u32).saturating_sub(mark.at);
    if mark.verbatim && mark.span.start + offset < mark.span.end {
        (mark.span.start + offset, mark.span.start + offset + 1)
    } else if mark.verbatim {
        (mark.span.end, mark.span.end)
    } else {
        (mark.span.start, mark.span.end)
    }
}

/// Writes tokens.
#[derive(Default)]
pub(super) struct Writer {
    out: Preprocessed,
    previous: Option<Tok>,
}

impl Writer {
    pub(super) fn push(&mut self, tok: &Tok) {
        if let Some(previous) = &self.previous {
            if previous.line != tok.line || previous.span.file != tok.span.file {
                self.out.text.push('\n');
            } else if tok.space || (tok.edge && would_merge(previous, tok)) {
                self.out.text.push(' ');
            }
        }
        let verbatim = !tok.expanded && tok.text.len() == (tok.span.end - tok.span.start) as usize;
        self.out.marks.push(Mark { at: self.out.text.len() as u32, span: tok.span, verbatim });
        self.out.text.push_str(&tok.text);
        self.previous = Some(tok.clone());
    }

    pub(super) fn finish(mut self) -> Preprocessed {
        self.out.text.push('\n');
        self.out
    }
}

/// Whether C would read two adjacent tokens as another sequence of tokens.
fn would_merge(first: &Tok, second: &Tok) -> bool {
    let next = second.text.bytes().next().unwrap_or(b' ');
    match first.kind {
        TokKind::Ident => {
            matches!(second.kind, TokKind::Ident | TokKind::Number | TokKind::Str | TokKind::Char)
        }
        TokKind::Number => {
            matches!(second.kind, TokKind::Ident | TokKind::Number | TokKind::Char)
                || matches!(next, b'.' | b'+' | b'-')
        }
        TokKind::Punct => {
            let takes_equals = matches!(
                &*first.text,
                "=" | "!" | ">" | "<" | "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | ">>" | "<<"
            );
            if takes_equals && next == b'=' {
                return true;
            }
            match &*first.text {
                ">" => next == b'>',
                "<" => matches!(next, b'<' | b'%' | b':'),
                "+" => next == b'+',
                "-" => matches!(next, b'-' | b'>'),
                "/" => matches!(next, b'/' | b'*'),
                "%" => matches!(next, b':' | b'%'),
                "&" => next == b'&',
                "|" => next == b'|',
                ":" => matches!(next, b':' | b'>'),
                "." => matches!(next, b'.' | b'%') || second.kind == TokKind::Number,
                "#" => matches!(next, b'#' | b'%'),
                _ => false,
            }
        }
        _ => false,
    }
}
