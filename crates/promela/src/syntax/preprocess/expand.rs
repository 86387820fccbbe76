//! Macro expansion.
//!
//! Text that replaces a macro is read again from a stack of contexts, one for each macro being replaced. A
//! macro whose context is still open is not replaced again, and its name there is marked permanently, so
//! expansion ends. Arguments are expanded separately, above a context that no read goes past.

use std::rc::Rc;

use super::macros::{Arg, Macro};
use super::scan::{Tok, TokKind};
use super::{MAX_TOKENS, Preprocessor};
use crate::syntax::source::Diagnostic;

/// The maximal nesting of macro calls in each other's arguments.
const MAX_ARGUMENT_DEPTH: usize = 200;

/// Tokens waiting to be read.
pub(super) struct Context {
    tokens: std::vec::IntoIter<Tok>,
    /// The macro these tokens came from.
    name: Option<Rc<str>>,
    /// Nothing below is read: an argument is expanded separately.
    wall: bool,
}

impl Preprocessor<'_> {
    /// The next token, not expanded.
    fn next_unexpanded(&mut self) -> Tok {
        loop {
            let Some(context) = self.contexts.last_mut() else { return self.next_from_file() };
            self.n_tokens += 1;
            if self.n_tokens > MAX_TOKENS {
                return self.give_up();
            }
            if let Some(tok) = context.tokens.next() {
                return tok;
            }
            if context.wall {
                return Tok::eof();
            }
            let named = context.name.is_some();
            self.contexts.pop();
            if named {
                return Tok { kind: TokKind::Edge, ..Tok::eof() };
            }
        }
    }

    /// The next token of the fully expanded text. Edges may occur; callers ignore them.
    pub(super) fn next_expanded(&mut self) -> Tok {
        loop {
            let mut tok = self.next_unexpanded();
            if tok.kind == TokKind::Edge {
                self.pending_edge = true;
                self.pending_space |= tok.space;
                continue;
            }
            if self.in_directive && tok.is_ident("defined") {
                tok = self.defined(tok);
            } else if tok.kind == TokKind::Ident
                && !tok.no_expand
                && let Some(mac) = self.macros.get(&tok.text).cloned()
            {
                if self.contexts.iter().any(|c| c.name.as_ref() == Some(&tok.text)) {
                    tok.no_expand = true;
                } else if self.enter(&mac, &tok) {
                    continue;
                }
            } else if tok.kind == TokKind::Ident && tok.text.starts_with("__") {
                tok = self.predefined(tok);
            }
            tok.space |= std::mem::take(&mut self.pending_space);
            tok.edge |= std::mem::take(&mut self.pending_edge);
            return tok;
        }
    }

    /// `defined X` and `defined(X)` in a condition, from whichever source: 1 or 0.
    fn defined(&mut self, tok: Tok) -> Tok {
        let mut name = self.next_real();
        let parens = name.is("(");
        if parens {
            name = self.next_real();
        }
        if name.kind != TokKind::Ident || parens && !self.next_real().is(")") {
            self.error("`defined` needs a macro's name", tok.span);
        }
        let value = if self.is_defined(&name.text) { "1" } else { "0" };
        Tok::new(TokKind::Number, value, &tok)
    }

    /// The next token that is not an edge, not expanded.
    fn next_real(&mut self) -> Tok {
        loop {
            let tok = self.next_unexpanded();
            if tok.kind != TokKind::Edge {
                return tok;
            }
        }
    }

    /// Replaces a macro. False if it is a function macro without arguments here, which stands for itself.
    fn enter(&mut self, mac: &Rc<Macro>, name: &Tok) -> bool {
        let mut args = Vec::new();
        if mac.params.is_some() {
            if !self.at_parenthesis() {
                return false;
            }
            match self.collect_arguments(mac, name) {
                Some(collected) => args = collected,
                None => return false,
            }
        }
        let mut tokens = self.substitute(mac, &mut args, name);
        if let Some(first) = tokens.first_mut() {
            (first.space, first.edge) = (name.space, true);
        } else {
            self.pending_space |= name.space;
        }
        self.pending_edge = true;
        self.contexts.push(Context {
            tokens: tokens.into_iter(),
            name: Some(name.text.clone()),
            wall: false,
        });
        true
    }

    /// Whether `(` comes next; it is then consumed. If not, what was read is put back.
    fn at_parenthesis(&mut self) -> bool {
        let (space, edge) = (self.pending_space, self.pending_edge);
        self.arg_depth += 1;
        let tok = loop {
            let tok = self.next_unexpanded();
            if tok.kind != TokKind::Edge && (self.in_directive || tok.kind != TokKind::Newline) {
                break tok;
            }
        };
        self.arg_depth -= 1;
        (self.pending_space, self.pending_edge) = (space, edge);
        if tok.is("(") {
            return true;
        }
        if tok.kind != TokKind::Eof || self.in_directive {
            self.put_back(tok);
        }
        false
    }

    fn put_back(&mut self, mut tok: Tok) {
        if tok.kind == TokKind::Eof {
            return;
        }
        tok.edge = true;
        self.contexts.push(Context { tokens: vec![tok].into_iter(), name: None, wall: false });
    }

    /// The arguments of a call whose `(` was consumed.
    fn collect_arguments(&mut self, mac: &Macro, name: &Tok) -> Option<Vec<Arg>> {
        let n_params = mac.params.as_ref().map_or(0, Vec::len);
        let mut args: Vec<Vec<Tok>> = vec![Vec::new()];
        let mut depth = 0usize;
        self.arg_depth += 1;
        let closed = loop {
            let tok = self.next_unexpanded();
            if tok.is_end() {
                break false;
            }
            if tok.kind == TokKind::Edge {
                continue;
            }
            if tok.is(")") {
                if depth == 0 {
                    break true;
                }
                depth -= 1;
            } else if tok.is("(") {
                depth += 1;
            } else if tok.is(",") && depth == 0 && !(mac.variadic && args.len() == n_params) {
                args.push(Vec::new());
                continue;
            }
            if let Some(last) = args.last_mut() {
                last.push(self.paint(tok));
            }
        };
        self.arg_depth -= 1;
        if !closed {
            let message = format!("the arguments of macro `{}` do not end", name.text);
            self.diagnostics.push(Diagnostic::error(message, name.span).with_hint("a `)` is missing"));
            return None;
        }
        self.match_arguments(mac, name, args, n_params)
    }

    /// Marks a name met while its macro is open: it is never expanded, also as part of an argument elsewhere.
    fn paint(&self, mut tok: Tok) -> Tok {
        if tok.kind == TokKind::Ident && self.contexts.iter().any(|c| c.name.as_ref() == Some(&tok.text)) {
            tok.no_expand = true;
        }
        tok
    }

    fn match_arguments(
        &mut self,
        mac: &Macro,
        name: &Tok,
        mut args: Vec<Vec<Tok>>,
        n: usize,
    ) -> Option<Vec<Arg>> {
        let mut n_given = args.len();
        if n == 0 && args.len() == 1 && args[0].is_empty() {
            args.clear();
            n_given = 0;
        }
        if mac.variadic && n_given + 1 == n {
            args.push(Vec::new());
        }
        if args.len() != n {
            let message = format!(
                "macro `{}` takes {n} argument{}, not {n_given}",
                name.text,
                if n == 1 { "" } else { "s" }
            );
            let error = Diagnostic::error(message, name.span).with_note("defined here", Some(mac.span));
            self.diagnostics.push(error);
            return None;
        }
        // A single empty argument of `#define f(...)` counts as not given for `, ##`.
        let given = |k: usize, raw: &[Tok]| k < n_given && !(n == 1 && raw.is_empty());
        let wrap = |(k, raw): (usize, Vec<Tok>)| Arg { given: given(k, &raw), raw, expanded: None };
        Some(args.into_iter().enumerate().map(wrap).collect())
    }

    /// Expands an argument separately.
    pub(super) fn expand_list(&mut self, tokens: Vec<Tok>) -> Vec<Tok> {
        if !tokens.iter().any(|t| t.kind == TokKind::Ident) {
            return tokens;
        }
        if self.arg_depth >= MAX_ARGUMENT_DEPTH {
            let at = tokens.first().map_or(Tok::eof().span, |t| t.span);
            self.error("macro calls are nested too deep", at);
            return Vec::new();
        }
        let saved = (self.pending_space, self.pending_edge);
        (self.pending_space, self.pending_edge) = (false, false);
        self.arg_depth += 1;
        let base = self.contexts.len();
        self.contexts.push(Context { tokens: tokens.into_iter(), name: None, wall: true });
        let mut out = Vec::new();
        loop {
            let tok = self.next_expanded();
            if tok.kind == TokKind::Eof {
                break;
            }
            out.push(tok);
        }
        self.contexts.truncate(base);
        self.arg_depth -= 1;
        (self.pending_space, self.pending_edge) = saved;
        out
    }

    /// `__LINE__` and the other predefined macros.
    fn predefined(&mut self, tok: Tok) -> Tok {
        match &*tok.text {
            "__LINE__" => {
                let line = if tok.line > 0 { tok.line } else { self.sources.line(tok.span) };
                Tok { expanded: true, ..Tok::new(TokKind::Number, &line.to_string(), &tok) }
            }
            "__FILE__" | "__BASE_FILE__" => {
                let file = if tok.is_ident("__FILE__") { tok.span.file } else { self.main_file() };
                let name = self.sources.name(file).replace('\\', "\\\\").replace('"', "\\\"");
                Tok { expanded: true, ..Tok::new(TokKind::Str, &format!("\"{name}\""), &tok) }
            }
            "__INCLUDE_LEVEL__" => {
                let level = self.files.len().saturating_sub(1);
                Tok { expanded: true, ..Tok::new(TokKind::Number, &level.to_string(), &tok) }
            }
            "__COUNTER__" => {
                self.counter += 1;
                Tok { expanded: true, ..Tok::new(TokKind::Number, &(self.counter - 1).to_string(), &tok) }
            }
            _ => tok,
        }
    }

    fn main_file(&self) -> u32 {
        self.files.first().map_or(0, |f| f.scanner.here().file)
    }
}
