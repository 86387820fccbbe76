//! Inline definitions and calls, and embedded C, which is skipped.
//!
//! A definition keeps the text of its body. A call reads that text again, with the arguments' tokens in place
//! of the parameters, and so becomes a block.

use std::rc::Rc;

use super::{Parser, Res, hints};
use crate::syntax::ast::{Block, Expr, ExprKind, Ident, Span, StmtKind, VarRef};
use crate::syntax::lexer::{InlineDef, Token, TokenKind as K};
use crate::syntax::source::Diagnostic;

impl Parser<'_> {
    pub(super) fn inline_definition(&mut self) -> Res<()> {
        let start = self.bump().span;
        if self.at(K::InlineName) {
            let earlier = self.lexer.names.inlines.get(&self.current.text).map(|def| def.name.span);
            let message = format!("inline {} is defined already", self.current.describe());
            let error = Diagnostic::error(message, self.current.span).with_note("here", earlier);
            self.report(error);
            self.current.kind = K::Name;
        }
        let name = self.name("the name of an inline")?;
        self.expect(K::LParen, "before the parameters of an inline")?;
        let mut params = Vec::new();
        while !self.at(K::RParen) {
            let param = self.name("a parameter's name")?;
            params.push(param.name);
            if !self.at(K::RParen) {
                self.expect(K::Comma, "between the parameters of an inline")?;
            }
        }
        // The body is raw text: it is taken before the token after the parenthesis is read.
        let Some(body) = self.lexer.take_block(false) else {
            let error = Diagnostic::error("an inline needs a body in braces", self.since(start));
            return self.fail(error.with_hint("is each `{` closed by a `}`?"));
        };
        let def = InlineDef { name: name.clone(), params, body };
        self.lexer.names.inlines.insert(name.name, Rc::new(def));
        self.bump();
        Ok(())
    }

    /// A call, at the inline's name; `return` assigns to `result`.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> Res<StmtKind> {
        let name = self.bump();
        let Some(def) = self.lexer.names.inlines.get(&name.text).cloned() else {
            return self.unexpected("expected a statement");
        };
        if !self.at(K::LParen) {
            return self.unexpected(&format!("expected `(` after inline `{}`", name.text));
        }
        let args = self.inline_arguments(&name)?;
        let span = Span { end: self.current.span.end.max(name.span.end), ..name.span };
        if args.len() != def.params.len() {
            let takes = hints::count(def.params.len(), "argument");
            let message = format!("inline `{}` takes {takes}, not {}", name.text, args.len());
            let note = Some(def.name.span);
            let error = Diagnostic::error(message, name.span).with_note("defined here", note);
            self.report(error);
            self.bump();
            return Ok(skip(name.span));
        }
        if let Err(error) = self.lexer.enter_inline(def, args, result, span) {
            self.report(error);
            self.bump();
            return Ok(skip(name.span));
        }
        self.bump();
        if !self.at(K::LBrace) {
            return self.unexpected("expected the body of an inline");
        }
        self.nested(Self::block).map(StmtKind::Block)
    }

    /// The tokens of each argument, up to the closing parenthesis, which becomes the current token.
    fn inline_arguments(&mut self, name: &Token) -> Res<Vec<Rc<[Token]>>> {
        self.bump();
        let mut args: Vec<Rc<[Token]>> = Vec::new();
        let mut arg = Vec::new();
        let mut open = 0usize;
        loop {
            match self.kind() {
                K::RParen if open == 0 => break,
                K::Comma if open == 0 => {
                    args.push(std::mem::take(&mut arg).into());
                    self.bump();
                    continue;
                }
                K::LParen | K::LBracket => open += 1,
                K::RParen | K::RBracket => open = open.saturating_sub(1),
                K::Eof | K::LBrace | K::RBrace | K::Proctype | K::Init | K::Fi | K::Od => {
                    return self.unclosed(name.span, ")");
                }
                _ => {}
            }
            arg.push(self.bump());
        }
        if !(args.is_empty() && arg.is_empty()) {
            args.push(arg.into());
        }
        Ok(args)
    }

    /// `return e`: assigns to the variable that the call names.
    pub(super) fn return_statement(&mut self) -> Res<StmtKind> {
        let start = self.bump().span;
        if self.in_function && self.lexer.inline_call().is_none() {
            return self.function_return();
        }
        let span = start;
        let value = self.full_expr()?;
        let call = self.lexer.inline_call().cloned();
        match call.as_ref().map(|call| &call.result) {
            Some(Some(target)) => Ok(StmtKind::Assign { target: target.clone(), value }),
            Some(None) => {
                let error = Diagnostic::error("this call of an inline takes no result", span);
                self.fail(error.with_hint("write the call as `x = f(...)`, or leave out the `return`"))
            }
            None => {
                let error = Diagnostic::error("`return` stands outside an inline", span);
                self.fail(error.with_hint("a process ends at the end of its body"))
            }
        }
    }

    /// Skips `c_code`, `c_decl` or `c_expr` with its block, and reports it.
    pub(super) fn embedded_block(&mut self) -> Res<()> {
        let start = self.current.span;
        if self.lexer.take_block(true).is_none() {
            self.bump();
            return self.unexpected("expected a block of C in braces");
        }
        self.embedded(start);
        self.bump();
        Ok(())
    }

    pub(super) fn embedded(&mut self, span: Span) {
        let report = Diagnostic::unsupported("embedded C is not supported", span);
        self.report(report.with_hint("only Promela itself can be checked; model what the C code does"));
    }

    /// `{ ... }`
    pub(super) fn block(&mut self) -> Res<Block> {
        let start = self.expect(K::LBrace, "before statements")?.span;
        let steps = self.sequence(false)?;
        if !self.at(K::RBrace) {
            return self.unclosed(start, "}");
        }
        self.bump();
        Ok(Block { steps, span: self.since(start) })
    }
}

/// The statement that replaces one with a syntax error.
pub(super) fn skip(span: Span) -> StmtKind {
    StmtKind::Expr(Expr { kind: ExprKind::Const(1), span })
}

/// A name as an identifier.
pub(super) fn ident(token: Token) -> Ident {
    Ident { name: token.text, span: token.span }
}
