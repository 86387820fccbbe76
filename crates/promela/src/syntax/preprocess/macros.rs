//! Macro definitions, and the expansion of a macro's body with its arguments.
//!
//! An argument is inserted fully expanded, except next to `#` and `##`, where it is inserted as written. `##`
//! applies after the arguments are inserted, from left to right. GNU's `, ## __VA_ARGS__` drops the comma if
//! nothing follows.

use std::rc::Rc;

use super::Preprocessor;
use super::scan::{Tok, TokKind, scan_single};
use crate::syntax::ast::Span;
use crate::syntax::source::Diagnostic;

/// A macro.
pub(super) struct Macro {
    /// `None`: an object macro.
    pub(super) params: Option<Vec<Rc<str>>>,
    /// The last parameter takes all remaining arguments.
    pub(super) variadic: bool,
    pub(super) body: Vec<Tok>,
    pub(super) span: Span,
    pub(super) builtin: bool,
}

/// Names, whether the last one takes the rest, and the tokens after them.
type Parameters<'t> = (Vec<Rc<str>>, bool, &'t [Tok]);

/// An argument as written and, once needed, expanded.
pub(super) struct Arg {
    pub(super) raw: Vec<Tok>,
    pub(super) expanded: Option<Vec<Tok>>,
    /// Whether the call wrote it at all (a variadic call may omit the last one).
    pub(super) given: bool,
}

impl Preprocessor<'_> {
    /// Executes `#define`, given the tokens after the word.
    pub(super) fn define(&mut self, tokens: &[Tok], at: Span) {
        let Some(name) = tokens.first().filter(|t| t.kind == TokKind::Ident) else {
            let span = tokens.first().map_or(at, |t| t.span);
            self.error("a macro's name must be an identifier", span);
            return;
        };
        if name.is_ident("defined") {
            self.error("`defined` cannot be a macro's name", name.span);
            return;
        }
        let mut rest = &tokens[1..];
        let mut params = None;
        let mut variadic = false;
        if rest.first().is_some_and(|t| t.is("(") && !t.space) {
            let Some((list, dots, after)) = self.parameters(&rest[1..], name.span) else { return };
            (params, variadic, rest) = (Some(list), dots, after);
        }
        let body = rest.to_vec();
        for edge in [body.first(), body.last()].into_iter().flatten() {
            if edge.is("##") || edge.is("%:%:") {
                self.error("`##` cannot stand at either end of a macro's body", edge.span);
                return;
            }
        }
        let new = Macro { params, variadic, body, span: name.span, builtin: self.files.is_empty() };
        if let Some(old) = self.macros.get(&name.text)
            && !old.builtin
            && !same_definition(old, &new)
        {
            let note = old.span;
            let warning = Diagnostic::warning(format!("macro `{}` is defined again", name.text), name.span)
                .with_hint("the last definition counts; `#undef` it first if that is meant")
                .with_note("the earlier definition", Some(note));
            self.diagnostics.push(warning);
        }
        self.macros.insert(name.text.clone(), Rc::new(new));
    }

    /// Parameter names up to `)`, whether the last one takes the rest, and the tokens after them.
    fn parameters<'t>(&mut self, tokens: &'t [Tok], at: Span) -> Option<Parameters<'t>> {
        let mut names: Vec<Rc<str>> = Vec::new();
        let mut i = 0;
        if tokens.first().is_some_and(|t| t.is(")")) {
            return Some((names, false, &tokens[1..]));
        }
        loop {
            let tok = tokens.get(i);
            let mut variadic = false;
            match tok {
                Some(t) if t.is("...") => {
                    names.push("__VA_ARGS__".into());
                    variadic = true;
                }
                Some(t) if t.kind == TokKind::Ident && !names.contains(&t.text) => {
                    names.push(t.text.clone());
                    if tokens.get(i + 1).is_some_and(|t| t.is("...")) {
                        variadic = true;
                        i += 1;
                    }
                }
                other => {
                    let span = other.map_or(at, |t| t.span);
                    self.error("expected the name of a macro's parameter", span);
                    return None;
                }
            }
            i += 1;
            match tokens.get(i) {
                Some(t) if t.is(")") => return Some((names, variadic, &tokens[i + 1..])),
                Some(t) if t.is(",") && !variadic => i += 1,
                other => {
                    let span = other.map_or(at, |t| t.span);
                    self.error("expected `)` after a macro's parameters", span);
                    return None;
                }
            }
        }
    }

    /// The body of `mac` with `args` inserted, all of it located at `name`.
    pub(super) fn substitute(&mut self, mac: &Macro, args: &mut [Arg], name: &Tok) -> Vec<Tok> {
        let mut out: Vec<Tok> = Vec::new();
        let body = &mac.body;
        let mut i = 0;
        while i < body.len() {
            let tok = &body[i];
            let param = |t: &Tok| mac.param_index(t);
            if tok.is("#") && mac.params.is_some() {
                if let Some(p) = body.get(i + 1).and_then(param) {
                    let text = stringify(&args[p].raw);
                    out.push(Tok { edge: true, ..Tok::new(TokKind::Str, &text, tok) });
                    i += 2;
                    continue;
                }
                let message = "`#` in a macro's body must be followed by one of its parameters";
                self.error(message, name.span);
            }
            if (tok.is("##") || tok.is("%:%:")) && i + 1 < body.len() && !out.is_empty() {
                i += 1;
                self.paste_next(mac, args, i, &mut out, name);
            } else if let Some(p) = param(tok) {
                let pasted = body.get(i + 1).is_some_and(|t| t.is("##") || t.is("%:%:"));
                self.put_argument(&mut args[p], pasted, tok, &mut out);
            } else {
                out.push(tok.clone());
            }
            i += 1;
        }
        for tok in &mut out {
            (tok.span, tok.line, tok.expanded) = (name.span, name.line, true);
        }
        out
    }

    /// Inserts an argument in place of parameter `tok`; with `raw`, as written (`##` follows).
    fn put_argument(&mut self, arg: &mut Arg, raw: bool, tok: &Tok, out: &mut Vec<Tok>) {
        if !raw && arg.expanded.is_none() {
            arg.expanded = Some(self.expand_list(arg.raw.clone()));
        }
        let tokens = if raw { &arg.raw } else { arg.expanded.as_ref().unwrap_or(&arg.raw) };
        if tokens.is_empty() {
            out.push(Tok { kind: TokKind::Edge, text: "".into(), ..tok.clone() });
            return;
        }
        for (n, token) in tokens.iter().enumerate() {
            let mut token = token.clone();
            if n == 0 {
                (token.space, token.edge) = (tok.space, true);
            }
            out.push(token);
        }
        if !raw {
            out.push(Tok { kind: TokKind::Edge, text: "".into(), space: false, ..tok.clone() });
        }
    }

    /// Joins the end of `out` with the token (or the argument) at `i` of the body.
    fn paste_next(&mut self, mac: &Macro, args: &[Arg], i: usize, out: &mut Vec<Tok>, name: &Tok) {
        let tok = &mac.body[i];
        let mut right: Vec<Tok> = match mac.param_index(tok) {
            Some(p) => args[p].raw.clone(),
            None => vec![tok.clone()],
        };
        if let Some(p) = mac.param_index(tok)
            && mac.variadic
            && p + 1 == args.len()
            && out.last().is_some_and(|t| t.is(","))
        {
            // GNU: the comma stays only if it separates something.
            if !args[p].given {
                out.pop();
            }
            out.extend(right);
            return;
        }
        if right.is_empty() {
            return;
        }
        let Some(left) = out.pop() else { return };
        if left.kind == TokKind::Edge {
            right[0].space = left.space;
            out.extend(right);
            return;
        }
        let first = right.remove(0);
        let text = format!("{}{}", left.text, first.text);
        match scan_single(&text, &left) {
            Some(joined) => out.push(joined),
            None => {
                let message = format!("`{}` and `{}` cannot be joined to one token", left.text, first.text);
                self.error(message, name.span);
                out.extend([left, first]);
            }
        }
        out.extend(right);
    }
}

impl Macro {
    fn param_index(&self, tok: &Tok) -> Option<usize> {
        if tok.kind != TokKind::Ident {
            return None;
        }
        self.params.as_ref()?.iter().position(|p| *p == tok.text)
    }
}

/// The text of an argument as a string: white space becomes one space, quotes inside literals are protected.
fn stringify(tokens: &[Tok]) -> String {
    let mut text = String::from("\"");
    for (n, tok) in tokens.iter().enumerate() {
        if n > 0 && (tok.space || tokens[n - 1].line != tok.line) {
            text.push(' ');
        }
        let literal = matches!(tok.kind, TokKind::Str | TokKind::Char);
        for c in tok.text.chars() {
            if literal && matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
    }
    text.push('"');
    text
}

fn same_definition(a: &Macro, b: &Macro) -> bool {
    a.params == b.params
        && a.variadic == b.variadic
        && a.body.len() == b.body.len()
        && a.body
            .iter()
            .zip(&b.body)
            .enumerate()
            .all(|(n, (x, y))| x.text == y.text && (n == 0 || x.space == y.space))
}
