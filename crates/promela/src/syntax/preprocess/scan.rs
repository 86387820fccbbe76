//! Preprocessing tokens of C.
//!
//! Line splices (`\` at the end of a line) are removed everywhere, and comments count as one space. An
//! unfinished quote takes the rest of its line as one token without a meaning, as in gcc.

use std::rc::Rc;
use std::sync::Arc;

use crate::syntax::ast::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokKind {
    Ident,
    Number,
    Str,
    Char,
    Punct,
    /// A character or an unfinished quote that has no meaning in C.
    Other,
    Newline,
    /// A macro or an argument begins or ends here; this is what remains of empty ones.
    Edge,
    Eof,
}

/// A token with its origin.
#[derive(Clone, Debug)]
pub(super) struct Tok {
    pub(super) kind: TokKind,
    pub(super) text: Rc<str>,
    /// Its location; for a token from a macro, the location of the macro's name.
    pub(super) span: Span,
    /// The line of `span`.
    pub(super) line: u32,
    /// White space precedes it.
    pub(super) space: bool,
    /// A macro or an argument begins or ends before it.
    pub(super) edge: bool,
    /// Read while its macro was being expanded: never to be expanded.
    pub(super) no_expand: bool,
    /// It comes from a macro.
    pub(super) expanded: bool,
}

impl Tok {
    pub(super) fn new(kind: TokKind, text: &str, like: &Tok) -> Self {
        Self { kind, text: text.into(), edge: false, no_expand: false, ..like.clone() }
    }

    pub(super) fn eof() -> Self {
        let span = Span { file: 0, start: 0, end: 0 };
        Self {
            kind: TokKind::Eof,
            text: "".into(),
            span,
            line: 0,
            space: false,
            edge: false,
            no_expand: false,
            expanded: false,
        }
    }

    pub(super) fn is(&self, punct: &str) -> bool {
        self.kind == TokKind::Punct && &*self.text == punct
    }

    pub(super) fn is_ident(&self, name: &str) -> bool {
        self.kind == TokKind::Ident && &*self.text == name
    }

    /// Whether a token list ends here.
    pub(super) fn is_end(&self) -> bool {
        matches!(self.kind, TokKind::Eof | TokKind::Newline)
    }
}

/// Reads one file.
pub(super) struct Scanner {
    text: Arc<str>,
    file: u32,
    pos: usize,
    line: u32,
    /// The start of a comment that the end of the file cuts off.
    pub(super) unfinished_comment: Option<Span>,
}

/// The punctuators of C99, longest first.
const PUNCTS: &[&str] = &[
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:",
];

impl Scanner {
    pub(super) fn new(text: Arc<str>, file: u32) -> Self {
        let mut scanner = Self { text, file, pos: 0, line: 1, unfinished_comment: None };
        scanner.skip_splices();
        scanner
    }

    /// An empty span at the current position.
    pub(super) fn here(&self) -> Span {
        Span { file: self.file, start: self.pos as u32, end: self.pos as u32 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    /// The byte after the next one, ignoring line splices.
    fn peek2(&self) -> Option<u8> {
        let (pos, _) = splice_end(self.text.as_bytes(), self.pos + 1);
        self.text.as_bytes().get(pos).copied()
    }

    fn bump(&mut self) {
        if self.peek() == Some(b'\n') {
            self.line += 1;
        }
        self.pos += 1;
        self.skip_splices();
    }

    fn skip_splices(&mut self) {
        let (pos, lines) = splice_end(self.text.as_bytes(), self.pos);
        self.pos = pos;
        self.line += lines;
    }

    /// Skips white space (not line breaks) and comments. Returns whether there was any.
    fn skip_blanks(&mut self) -> bool {
        let start = self.pos;
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => self.bump(),
                Some(b'/') if self.peek2() == Some(b'/') => {
                    while self.peek().is_some_and(|b| b != b'\n') {
                        self.bump();
                    }
                }
                Some(b'/') if self.peek2() == Some(b'*') => {
                    let opening = self.here();
                    self.bump();
                    self.bump();
                    while self.peek().is_some() && !(self.peek() == Some(b'*') && self.peek2() == Some(b'/'))
                    {
                        self.bump();
                    }
                    if self.peek().is_some() {
                        self.bump();
                        self.bump();
                    } else {
                        self.unfinished_comment = Some(opening);
                    }
                }
                _ => return self.pos != start,
            }
        }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Tok {
        let space = self.skip_blanks();
        let (start, line) = (self.pos, self.line);
        let Some(byte) = self.peek() else {
            return Tok { span: self.here(), line, ..Tok::eof() };
        };
        let kind = match byte {
            b'\n' => {
                self.bump();
                TokKind::Newline
            }
            b'"' => self.quoted(b'"', TokKind::Str),
            b'\'' => self.quoted(b'\'', TokKind::Char),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek2().is_some_and(|b| b.is_ascii_digit()) => self.number(),
            _ if is_ident_byte(byte) => {
                while self.peek().is_some_and(|b| is_ident_byte(b) || b.is_ascii_digit()) {
                    self.bump();
                }
                TokKind::Ident
            }
            _ => self.punct(),
        };
        let span = Span { file: self.file, start: start as u32, end: self.pos as u32 };
        let text = self.spelling(start);
        // A splice after the token was already skipped and is not part of it.
        let span = if text.len() < self.pos - start { trim_span(span, &self.text) } else { span };
        Tok { kind, text, span, line, space, edge: false, no_expand: false, expanded: false }
    }

    /// The text from `start` to here, without splices.
    fn spelling(&self, start: usize) -> Rc<str> {
        let raw = &self.text[start..self.pos];
        if !raw.contains('\\') || !raw.contains('\n') {
            return raw.into();
        }
        let bytes = raw.as_bytes();
        let mut clean = Vec::with_capacity(bytes.len());
        let mut i = splice_end(bytes, 0).0;
        while i < bytes.len() {
            clean.push(bytes[i]);
            i = splice_end(bytes, i + 1).0;
        }
        String::from_utf8_lossy(&clean).into()
    }

    /// A number of the preprocessor: digits, letters, dots, and signs after an exponent.
    fn number(&mut self) -> TokKind {
        let mut last = 0;
        while let Some(byte) = self.peek() {
            let sign = matches!(byte, b'+' | b'-') && matches!(last, b'e' | b'E' | b'p' | b'P');
            if !(sign || byte == b'.' || byte.is_ascii_digit() || is_ident_byte(byte)) {
                break;
            }
            last = byte;
            self.bump();
        }
        TokKind::Number
    }

    fn quoted(&mut self, quote: u8, kind: TokKind) -> TokKind {
        self.bump();
        loop {
            match self.peek() {
                None | Some(b'\n') => return TokKind::Other,
                Some(b'\\') => {
                    self.bump();
                    if self.peek().is_some_and(|b| b != b'\n') {
                        self.bump();
                    }
                }
                Some(byte) => {
                    self.bump();
                    if byte == quote {
                        return kind;
                    }
                }
            }
        }
    }

    fn punct(&mut self) -> TokKind {
        let (file_pos, line) = (self.pos, self.line);
        for punct in PUNCTS {
            let matched = punct.bytes().all(|b| {
                let same = self.peek() == Some(b);
                if same {
                    self.bump();
                }
                same
            });
            if matched {
                return TokKind::Punct;
            }
            (self.pos, self.line) = (file_pos, line);
        }
        let length = self.text[self.pos..].chars().next().map_or(1, char::len_utf8);
        let known = self.peek().is_some_and(|b| b"[](){}.&*+-~!/%<>^|?:;=,#".contains(&b));
        self.pos += length - 1;
        self.bump();
        if known { TokKind::Punct } else { TokKind::Other }
    }

    /// Goes to the end of the line, which a comment may move to a later line.
    pub(super) fn skip_line(&mut self) {
        while !self.next_at_line_end() {
            self.next();
        }
    }

    fn next_at_line_end(&mut self) -> bool {
        self.skip_blanks();
        self.peek().is_none_or(|b| b == b'\n')
    }

    /// The tokens up to the end of the line, which is not consumed.
    pub(super) fn rest_of_line(&mut self) -> Vec<Tok> {
        let mut tokens = Vec::new();
        loop {
            let (pos, line) = (self.pos, self.line);
            let tok = self.next();
            if tok.is_end() {
                // The white space before the end may contain a comment over several lines; it is skipped.
                if tok.kind == TokKind::Newline && self.pos > pos {
                    self.pos = tok.span.start as usize;
                    self.line = line.max(tok.line);
                }
                return tokens;
            }
            tokens.push(tok);
        }
    }
}

fn is_ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The position after any line splices at `pos`, and the number of lines that they end.
fn splice_end(bytes: &[u8], mut pos: usize) -> (usize, u32) {
    let mut lines = 0;
    while bytes.get(pos) == Some(&b'\\') {
        let mut end = pos + 1;
        while matches!(bytes.get(end), Some(b' ' | b'\t' | b'\r')) {
            end += 1;
        }
        if bytes.get(end) != Some(&b'\n') {
            break;
        }
        pos = end + 1;
        lines += 1;
    }
    (pos, lines)
}

/// Removes a splice at the end of a span.
fn trim_span(span: Span, text: &str) -> Span {
    let raw = &text[span.start as usize..span.end as usize];
    let kept = raw.trim_end_matches(['\\', '\n', '\r', ' ', '\t']).len().max(1);
    Span { end: span.start + kept as u32, ..span }
}

/// Scans a text that must be a single token, as `##` makes.
pub(super) fn scan_single(text: &str, like: &Tok) -> Option<Tok> {
    let mut scanner = Scanner::new(text.into(), like.span.file);
    let tok = scanner.next();
    let whole = scanner.peek().is_none() && tok.text.len() == text.len() && !tok.is_end();
    whole.then_some(Tok { span: like.span, line: like.line, space: like.space, expanded: true, ..tok })
}
