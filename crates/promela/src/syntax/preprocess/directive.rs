//! Preprocessor directives: lines that start with `#`.
//!
//! In text that a conditional excludes, only the conditional directives count. Lines that matter only to a C
//! compiler (`#pragma`, `#line`, `#ident`, and the `# 12 "file"` of other preprocessors) are skipped.

use std::path::{Path, PathBuf};

use super::scan::{Tok, TokKind};
use super::{Conditional, MAX_INCLUDE_DEPTH, Preprocessor, decode};
use crate::syntax::ast::Span;
use crate::syntax::source::Diagnostic;

impl Preprocessor<'_> {
    /// Executes a directive whose `#` was read; the end of its line is not consumed.
    pub(super) fn directive(&mut self, hash: Span) {
        let Some(file) = self.files.last_mut() else { return };
        let active = file.conditionals.last().is_none_or(|c| c.active);
        let mut rest = file.scanner.rest_of_line();
        if rest.is_empty() {
            return;
        }
        let word = rest.remove(0);
        let line = Line { word: word.span, tokens: rest };
        let name = if word.kind == TokKind::Ident { &*word.text } else { "" };
        match name {
            "if" | "ifdef" | "ifndef" => self.open_conditional(name, active, &line),
            "elif" => self.else_if(&line),
            "else" => self.else_branch(&line),
            "endif" => self.end_conditional(&line),
            _ if !active => {}
            "define" => self.define(&line.tokens, word.span),
            "undef" => match line.tokens.first() {
                Some(tok) if tok.kind == TokKind::Ident => {
                    self.macros.remove(&tok.text);
                }
                _ => self.error("`#undef` needs a macro's name", word.span),
            },
            "include" | "include_next" | "import" => self.include(&line, word.is_ident("import")),
            "error" => self.error(format!("#error{}", text_of(&line.tokens)), word.span),
            "warning" => {
                let message = format!("#warning{}", text_of(&line.tokens));
                self.diagnostics.push(Diagnostic::warning(message, word.span));
            }
            "pragma" => self.pragma(&line),
            "line" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ if word.kind == TokKind::Number => {}
            _ => {
                let error =
                    Diagnostic::error(format!("unknown directive `#{}`", word.text), join(hash, word.span));
                self.diagnostics.push(error.with_hint("a line of Promela cannot start with `#`"));
            }
        }
    }

    fn open_conditional(&mut self, name: &str, active: bool, line: &Line) {
        let holds = active
            && match name {
                "if" => self.evaluate_condition(&line.tokens, line.word),
                _ => {
                    let defined = match line.tokens.first() {
                        Some(tok) if tok.kind == TokKind::Ident => self.is_defined(&tok.text),
                        _ => {
                            self.error(format!("`#{name}` needs a macro's name"), line.word);
                            false
                        }
                    };
                    defined == (name == "ifdef")
                }
            };
        if let Some(file) = self.files.last_mut() {
            let taken = !active || holds;
            file.conditionals.push(Conditional { span: line.word, active: holds, taken, in_else: false });
        }
    }

    pub(super) fn is_defined(&self, name: &str) -> bool {
        const BUILTIN: [&str; 5] =
            ["__LINE__", "__FILE__", "__BASE_FILE__", "__INCLUDE_LEVEL__", "__COUNTER__"];
        self.macros.contains_key(name) || BUILTIN.contains(&name)
    }

    fn else_if(&mut self, line: &Line) {
        let Some(taken) = self.next_branch("elif", line) else { return };
        let holds = !taken && self.evaluate_condition(&line.tokens, line.word);
        if let Some(open) = self.files.last_mut().and_then(|f| f.conditionals.last_mut()) {
            open.active = holds;
            open.taken |= holds;
        }
    }

    fn else_branch(&mut self, line: &Line) {
        let Some(taken) = self.next_branch("else", line) else { return };
        if let Some(open) = self.files.last_mut().and_then(|f| f.conditionals.last_mut()) {
            open.active = !taken;
            open.taken = true;
            open.in_else = true;
        }
    }

    /// Checks that a branch may begin here. Returns whether an earlier one counted.
    fn next_branch(&mut self, name: &str, line: &Line) -> Option<bool> {
        let open = self.files.last_mut().and_then(|f| f.conditionals.last_mut());
        match open {
            None => {
                self.error(format!("`#{name}` without `#if`"), line.word);
                None
            }
            Some(open) if open.in_else => {
                let (message, earlier) = (format!("`#{name}` after `#else`"), open.span);
                let error =
                    Diagnostic::error(message, line.word).with_note("of this conditional", Some(earlier));
                self.diagnostics.push(error);
                None
            }
            Some(open) => {
                open.active = false;
                Some(open.taken)
            }
        }
    }

    fn end_conditional(&mut self, line: &Line) {
        let open = self.files.last_mut().and_then(|f| f.conditionals.pop());
        if open.is_none() {
            self.error("`#endif` without `#if`", line.word);
        }
    }

    fn pragma(&mut self, line: &Line) {
        if line.tokens.first().is_some_and(|t| t.is_ident("once"))
            && let Some(file) = self.files.last()
        {
            self.once.push(file.path.clone());
        }
    }

    fn include(&mut self, line: &Line, once: bool) {
        let mut tokens = line.tokens.clone();
        let literal = |t: &Tok| t.kind == TokKind::Str || t.is("<");
        if !tokens.first().is_some_and(literal) {
            tokens = self.expand_list(tokens);
        }
        let Some(span) = tokens.first().map(|t| t.span) else {
            self.error("`#include` needs a file's name", line.word);
            return;
        };
        let Some((name, local)) = self.header(&tokens) else {
            self.error("`#include` needs a file's name, as \"name\" or <name>", span);
            return;
        };
        if self.files.len() > MAX_INCLUDE_DEPTH {
            let error = Diagnostic::error("`#include` is nested too deep", span);
            self.diagnostics.push(error.with_hint("does a file include itself?"));
            return;
        }
        let Some((path, bytes)) = self.find(&name, local) else {
            let error = Diagnostic::error(format!("cannot find `{name}`"), span);
            self.diagnostics
                .push(error.with_hint("files are sought beside the including file, then as -I says"));
            return;
        };
        if self.once.contains(&path) {
            return;
        }
        if once {
            self.once.push(path.clone());
        }
        // Without conditionals around the `#include`, a file that includes itself would do so without end.
        let cycle = self.files.iter().any(|f| f.path == path && f.conditionals.is_empty());
        let own = self.files.last().is_some_and(|f| f.conditionals.is_empty());
        if cycle && own && self.files.iter().all(|f| f.conditionals.is_empty()) {
            let error = Diagnostic::error(format!("`{name}` includes itself"), span);
            self.diagnostics.push(error);
            return;
        }
        self.open(path.display().to_string(), &decode(bytes), path);
    }

    /// The name in an `#include`, and whether it is searched for next to the file.
    fn header(&self, tokens: &[Tok]) -> Option<(String, bool)> {
        let first = tokens.first()?;
        if first.kind == TokKind::Str {
            return Some((first.text.trim_matches('"').to_string(), true));
        }
        if !first.is("<") {
            return None;
        }
        // The exact text between the brackets if it is in the file, otherwise the tokens side by side.
        if !first.expanded {
            let rest = &self.sources.text(first.span.file)[first.span.end as usize..];
            let end = rest.find(['>', '\n'])?;
            return (rest.as_bytes()[end] == b'>').then(|| (rest[..end].to_string(), false));
        }
        let end = tokens.iter().position(|t| t.is(">"))?;
        Some((tokens[1..end].iter().map(|t| &*t.text).collect(), false))
    }

    fn find(&self, name: &str, local: bool) -> Option<(PathBuf, Vec<u8>)> {
        let beside = self.files.last().and_then(|f| f.path.parent()).filter(|_| local);
        let dirs = beside.into_iter().chain(self.options.include_dirs.iter().map(PathBuf::as_path));
        for dir in dirs {
            let path = if dir == Path::new(".") { PathBuf::from(name) } else { dir.join(name) };
            if let Ok(bytes) = self.loader.load(&path) {
                return Some((path, bytes));
            }
        }
        None
    }
}

/// A directive's line.
struct Line {
    /// The location of the word after `#`.
    word: Span,
    /// The tokens after it.
    tokens: Vec<Tok>,
}

fn text_of(tokens: &[Tok]) -> String {
    tokens.iter().map(|t| format!("{}{}", if t.space { " " } else { "" }, t.text)).collect()
}

fn join(a: Span, b: Span) -> Span {
    Span { end: b.end.max(a.end), ..a }
}
