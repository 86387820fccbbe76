//! From tokens to the tree, by recursive descent.
//!
//! The grammar is SPIN's, with its precedences. There is one token of lookahead, and the parser changes the
//! lexer's mode before it asks for the next token. An error is reported once, at the first token that does
//! not fit. The parser then continues at the next separator, option, closing word or unit, so that one run
//! shows several errors.
//!
//! Nesting is bounded ([`MAX_DEPTH`]), so no input can exhaust the stack here or in a later traversal of the
//! tree.

mod decl;
mod dynamic;
mod expr;
mod hints;
mod inline;
mod io;
mod operand;
mod stmt;
mod unit;

use std::collections::HashSet;

use super::ast::{Ast, Ident, Span, Unit};
use super::lexer::{Lexer, Token, TokenKind};
use super::preprocess::Preprocessed;
use super::source::Diagnostic;

/// The maximal depth of statements and parentheses.
pub const MAX_DEPTH: usize = 400;
/// The most operators in a row in an expression without parentheses, which is the depth of its tree.
pub const MAX_CHAIN: usize = 4000;
/// After this many errors, no more are reported.
const MAX_ERRORS: usize = 30;

/// An error was reported; the caller recovers or passes it on.
struct Failed;

type Res<T> = Result<T, Failed>;

/// Parses a preprocessed model.
pub fn parse_tokens(source: &Preprocessed, diagnostics: &mut Vec<Diagnostic>) -> Ast {
    let mut parser = Parser::new(source);
    parser.units();
    let mut found = parser.lexer.diagnostics;
    found.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
    diagnostics.append(&mut found);
    // Formulas are parsed last but belong where they were written.
    parser.units.sort_by_key(|(at, _)| *at);
    Ast { units: parser.units.into_iter().map(|(_, unit)| unit).collect() }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    current: Token,
    /// The location of the last token taken.
    previous: Span,
    previous_kind: TokenKind,
    depth: usize,
    /// Units and their offsets in the preprocessed text.
    units: Vec<(u32, Unit)>,
    in_trace: bool,
    in_function: bool,
    n_errors: usize,
    /// The offset of the last error; until a token is taken, no more errors are reported there.
    silent_at: Option<u32>,
    /// The lexer reported an error in this statement; errors that follow from it are not reported.
    muted: bool,
    reported: HashSet<(Span, String)>,
}

impl<'a> Parser<'a> {
    fn new(source: &'a Preprocessed) -> Self {
        let mut lexer = Lexer::new(source);
        let current = lexer.next_token();
        Self {
            lexer,
            previous: current.span,
            previous_kind: TokenKind::Semi,
            current,
            depth: 0,
            units: Vec::new(),
            in_trace: false,
            in_function: false,
            n_errors: 0,
            silent_at: None,
            muted: false,
            reported: HashSet::new(),
        }
    }

    fn kind(&self) -> TokenKind {
        self.current.kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.current.kind == kind
    }

    /// Takes the current token.
    fn bump(&mut self) -> Token {
        if matches!(self.kind(), TokenKind::Semi | TokenKind::Option) {
            self.muted = false;
        }
        let n_before = self.lexer.diagnostics.len();
        let next = self.lexer.next_token();
        self.muted |= self.lexer.diagnostics.len() > n_before;
        let taken = std::mem::replace(&mut self.current, next);
        (self.previous, self.previous_kind) = (taken.span, taken.kind);
        self.silent_at = None;
        taken
    }

    /// Takes the current token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, purpose: &str) -> Res<Token> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        let wanted = super::lexer::token::spelling(kind);
        self.unexpected(&format!("expected `{wanted}` {purpose}"))
    }

    /// A plain name.
    fn name(&mut self, what: &str) -> Res<Ident> {
        if self.at(TokenKind::Name) {
            let token = self.bump();
            return Ok(Ident { name: token.text, span: token.span });
        }
        let why = hints::taken_name(&self.current);
        let found = self.current.describe();
        let mut error = Diagnostic::error(format!("expected {what}, found {found}"), self.current.span);
        error.hint = why;
        self.fail(error)
    }

    /// The span from `start` to the last token taken.
    fn since(&self, start: Span) -> Span {
        if start.file == self.previous.file && self.previous.end >= start.end {
            Span { end: self.previous.end, ..start }
        } else {
            start
        }
    }

    /// Reports that the current token does not fit.
    fn unexpected<T>(&mut self, expected: &str) -> Res<T> {
        let message = format!("{expected}, found {}", self.current.describe());
        let mut error = Diagnostic::error(message, self.current.span);
        error.hint = hints::for_token(&self.current, self.previous_kind);
        self.fail(error)
    }

    fn fail<T>(&mut self, error: Diagnostic) -> Res<T> {
        self.report(error);
        Err(Failed)
    }

    /// Adds a diagnostic. Further errors at one token, and repetitions by inlines, are omitted.
    fn report(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            if self.muted || self.silent_at == Some(self.current.at) || self.n_errors >= MAX_ERRORS {
                return;
            }
            self.silent_at = Some(self.current.at);
        }
        if !self.reported.insert((diagnostic.span, diagnostic.message.clone())) {
            return;
        }
        self.n_errors += usize::from(diagnostic.is_error());
        for (name, span) in self.lexer.call_spans() {
            diagnostic = diagnostic.with_note(format!("in this use of inline `{name}`"), Some(span));
        }
        self.lexer.diagnostics.push(diagnostic);
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_DEPTH {
            let error = Diagnostic::error("the model is nested too deep here", self.current.span);
            return self.fail(error.with_hint(format!("at most {MAX_DEPTH} levels are read")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Continues after an error in a statement, before the next separator, option or closing word. Fails if a
    /// unit begins or the text ends.
    fn recover_in_body(&mut self) -> Res<()> {
        use TokenKind as K;
        self.lexer.forget_parentheses();
        self.lexer.in_for = false;
        let mut open = 0usize;
        loop {
            match self.kind() {
                K::Eof
                | K::Proctype
                | K::DProctype
                | K::Active
                | K::Init
                | K::Never
                | K::Inline
                | K::Typedef => {
                    return Err(Failed);
                }
                K::Semi | K::Arrow | K::Option if open == 0 => return Ok(()),
                K::RBrace | K::Fi | K::Od if open == 0 => return Ok(()),
                K::LBrace | K::If | K::Do => open += 1,
                K::RBrace | K::Fi | K::Od => open -= 1,
                _ => {}
            }
            let silent = self.silent_at;
            self.bump();
            self.lexer.forget_parentheses();
            self.silent_at = silent;
        }
    }

    /// Continues after an error outside bodies, at the next unit.
    fn recover_at_unit(&mut self) {
        use TokenKind as K;
        self.lexer.leave_inlines();
        (self.lexer.in_body, self.lexer.in_for, self.lexer.in_ltl, self.in_trace) =
            (false, false, false, false);
        self.in_function = false;
        self.depth = 0;
        let mut open = 0usize;
        loop {
            match self.kind() {
                K::Eof
                | K::Proctype
                | K::DProctype
                | K::Active
                | K::Init
                | K::Never
                | K::Inline
                | K::Typedef
                | K::Ltl => break,
                // The rest of a parameter list.
                _ if self.lexer.in_parentheses() => {}
                K::Trace | K::NoTrace | K::Type(_) | K::Hidden | K::Show if open == 0 => break,
                K::Semi if open == 0 => break,
                K::LBrace => open += 1,
                K::RBrace if open <= 1 => {
                    self.bump();
                    break;
                }
                K::RBrace => open -= 1,
                _ => {}
            }
            self.bump();
        }
        self.lexer.forget_parentheses();
        self.muted = false;
    }
}

#[cfg(test)]
mod tests;
