//! Operands: constants, references, calls.

use super::decl::constant_expr;
use super::{Parser, Res};
use crate::syntax::ast::{ChanQuery, Expr, ExprKind, Ident, Span, VarPart, VarRef};
use crate::syntax::lexer::{Token, TokenKind as K};
use crate::syntax::source::Diagnostic;

/// The most parts of a reference; each part is a level of the tree.
const MOST_PARTS: usize = 256;

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Res<Expr> {
        let start = self.current.span;
        let kind = match self.kind() {
            K::Const => {
                let token = self.bump();
                return Ok(constant_expr(token));
            }
            K::LParen => return self.parenthesised(),
            K::Name => {
                let token = self.bump();
                return self.operand_from_name(token);
            }
            K::ProcName => {
                let token = self.bump();
                let name = Ident { name: token.text, span: token.span };
                return self.remote(name);
            }
            K::Timeout => {
                self.bump();
                ExprKind::Timeout
            }
            K::Np => {
                self.bump();
                ExprKind::NonProgress
            }
            K::Len => ExprKind::Chan(ChanQuery::Len, self.channel_of()?),
            K::Full => ExprKind::Chan(ChanQuery::Full, self.channel_of()?),
            K::NFull => ExprKind::Chan(ChanQuery::NFull, self.channel_of()?),
            K::Empty => ExprKind::Chan(ChanQuery::Empty, self.channel_of()?),
            K::NEmpty => ExprKind::Chan(ChanQuery::NEmpty, self.channel_of()?),
            K::Enabled => ExprKind::Enabled(self.process_of()?),
            K::PcValue => ExprKind::PcValue(self.process_of()?),
            K::GetPriority => ExprKind::GetPriority(self.process_of()?),
            K::Run => self.run()?,
            K::CExpr => {
                self.embedded_block()?;
                ExprKind::Const(1)
            }
            _ => return self.no_operand(),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn no_operand(&mut self) -> Res<Expr> {
        if self.at(K::InlineName) {
            let message = format!("inline {} has no value here", self.current.describe());
            let error = Diagnostic::error(message, self.current.span);
            return self
                .fail(error.with_hint("an inline is a statement; `x = f(...)` takes what it returns"));
        }
        self.unexpected("expected an expression")
    }

    /// A reference, a poll `c?[...]`, or a label of a process type that is declared later.
    fn operand_from_name(&mut self, token: Token) -> Res<Expr> {
        let var = self.reference_from(token)?;
        self.operand_from_reference(var)
    }

    pub(super) fn operand_from_reference(&mut self, var: VarRef) -> Res<Expr> {
        let start = var.span;
        match self.kind() {
            K::Quest | K::QuestQuest => {
                let random = self.bump().kind == K::QuestQuest;
                if !self.at(K::LBracket) {
                    let error =
                        Diagnostic::error("a receive is a statement, not a condition", self.current.span);
                    return self.fail(error.with_hint("`c?[m]` tells whether `c?m` could be done"));
                }
                self.poll(var, random)
            }
            K::At if var.parts.len() == 1 => {
                let part = var.parts.into_iter().next();
                let Some(part) = part else { return self.no_operand() };
                self.remote_label(part.name, part.index, start)
            }
            K::LParen if self.lexer.is_dynamic() => self.misplaced_call(&var),
            _ => Ok(Expr { span: var.span, kind: ExprKind::Var(var) }),
        }
    }

    /// A reference to a variable.
    pub(super) fn reference(&mut self) -> Res<VarRef> {
        if !self.at(K::Name) {
            let name = self.name("a variable")?;
            return Ok(VarRef { span: name.span, parts: vec![VarPart { name, index: None, second: None }] });
        }
        let token = self.bump();
        self.reference_from(token)
    }

    /// A reference whose first name was already read.
    pub(super) fn reference_from(&mut self, token: Token) -> Res<VarRef> {
        let start = token.span;
        let first = Ident { name: token.text, span: token.span };
        let mut parts = vec![self.part(first)?];
        while self.eat(K::Dot) {
            let field = self.field_name()?;
            if parts.len() == MOST_PARTS {
                return self.fail(Diagnostic::error("the model is nested too deep here", field.span));
            }
            parts.push(self.part(field)?);
        }
        Ok(VarRef { parts, span: self.since(start) })
    }

    /// A field's name, which may be the name of something else, too.
    fn field_name(&mut self) -> Res<Ident> {
        let named = matches!(self.kind(), K::Name | K::TypeName | K::ProcName | K::InlineName)
            || self.at(K::Const) && !self.current.text.is_empty();
        if named {
            let token = self.bump();
            return Ok(Ident { name: token.text, span: token.span });
        }
        self.unexpected("expected a field's name")
    }

    fn part(&mut self, name: Ident) -> Res<VarPart> {
        if !self.eat(K::LBracket) {
            return Ok(VarPart { name, index: None, second: None });
        }
        let index = self.nested(Self::expr)?;
        self.expect(K::RBracket, "after an index")?;
        let mut second = None;
        if self.lexer.is_dynamic() && self.eat(K::LBracket) {
            second = Some(Box::new(self.nested(Self::expr)?));
            self.expect(K::RBracket, "after an index")?;
        }
        Ok(VarPart { name, index: Some(Box::new(index)), second })
    }

    /// `P[i]@label`, `P@label`, `P[i]:x`, `P:x`
    fn remote(&mut self, proctype: Ident) -> Res<Expr> {
        let start = proctype.span;
        let VarPart { name, index, .. } = self.part(proctype)?;
        match self.kind() {
            K::At => self.remote_label(name, index, start),
            K::Colon => {
                self.bump();
                let field = self.field_name()?;
                let var = self.part(field)?;
                let kind = ExprKind::RemoteVar { proctype: name, index, var };
                Ok(Expr { kind, span: self.since(start) })
            }
            K::LParen => {
                let error = Diagnostic::error(format!("`{}` is a process type", name.name), start);
                self.fail(error.with_hint(format!("start a process by `run {}(...)`", name.name)))
            }
            _ => {
                let error =
                    Diagnostic::error(format!("`{}` is a process type, not a variable", name.name), start);
                self.fail(error.with_hint("`P@label` and `P:x` look into a process"))
            }
        }
    }

    fn remote_label(&mut self, proctype: Ident, index: Option<Box<Expr>>, start: Span) -> Res<Expr> {
        self.bump();
        let label = self.name("a label")?;
        Ok(Expr { kind: ExprKind::RemoteLabel { proctype, index, label }, span: self.since(start) })
    }

    /// `word(channel)`
    fn channel_of(&mut self) -> Res<VarRef> {
        self.bump();
        self.expect(K::LParen, "before a channel")?;
        let channel = self.reference()?;
        self.expect(K::RParen, "after a channel")?;
        Ok(channel)
    }

    /// `word(expression)`
    fn process_of(&mut self) -> Res<Box<Expr>> {
        self.bump();
        self.expect(K::LParen, "before a process number")?;
        let process = self.nested(Self::expr)?;
        self.expect(K::RParen, "after a process number")?;
        Ok(Box::new(process))
    }

    fn run(&mut self) -> Res<ExprKind> {
        self.bump();
        let proctype = if self.at(K::ProcName) {
            let token = self.bump();
            Ident { name: token.text, span: token.span }
        } else {
            self.name("the name of a process type")?
        };
        self.expect(K::LParen, "before the arguments of `run`")?;
        let mut args = Vec::new();
        if !self.at(K::RParen) {
            args = self.nested(Self::arguments)?;
        }
        self.expect(K::RParen, "after the arguments of `run`")?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { proctype, args, priority })
    }

    /// Expressions separated by commas, at least one.
    pub(super) fn arguments(&mut self) -> Res<Vec<Expr>> {
        let mut args = vec![self.expr()?];
        while self.eat(K::Comma) {
            args.push(self.expr()?);
        }
        Ok(args)
    }
}
