//! Statements and their sequences.

use std::sync::Arc;

use super::decl::{Declared, constant_expr};
use super::inline::{ident, skip};
use super::{Failed, Parser, Res, hints};
use crate::syntax::ast::{
    BinaryOp, Expr, ExprKind, Ident, Sequence, Span, Step, Stmt, StmtKind, TypeName, VarRef, Visibility,
};
use crate::syntax::lexer::{Token, TokenKind as K};
use crate::syntax::source::Diagnostic;

impl Parser<'_> {
    /// Steps up to a closing word; at least one. Only an option may begin with `else`.
    pub(super) fn sequence(&mut self, is_option: bool) -> Res<Sequence> {
        let mut steps = Vec::new();
        if self.at_sequence_end() {
            let message = format!("expected a statement, found {}", self.current.describe());
            let error = Diagnostic::error(message, self.current.span);
            self.report(error.with_hint("`skip` is the statement that does nothing"));
        }
        while !self.at_sequence_end() {
            match self.step() {
                Ok(step) => {
                    if !(is_option && steps.is_empty()) {
                        self.check_else(&step);
                    }
                    steps.push(step);
                }
                Err(_) => self.recover_in_body()?,
            }
            if matches!(self.kind(), K::Semi | K::Arrow) {
                while matches!(self.kind(), K::Semi | K::Arrow) {
                    self.bump();
                }
            } else if !self.at_sequence_end() {
                self.missing_separator()?;
            }
        }
        Ok(steps)
    }

    /// Warns of an `else` anywhere but at the start of an option: SPIN accepts it there, but it has no
    /// meaning.
    fn check_else(&mut self, step: &Step) {
        if let Step::Stmt(Stmt { kind: StmtKind::Else, span, .. }) = step {
            let warning = Diagnostic::warning("this `else` does not begin an option", *span);
            self.report(warning.with_hint("write `:: else -> ...`"));
        }
    }

    fn at_sequence_end(&self) -> bool {
        matches!(self.kind(), K::RBrace | K::Option | K::Fi | K::Od | K::Eof)
    }

    /// Reports two statements without a separator, and continues with the second.
    fn missing_separator(&mut self) -> Res<()> {
        let found = self.current.describe();
        let mut error = Diagnostic::error(format!("expected `;` or `->`, found {found}"), self.current.span);
        error.hint = hints::after_statement(&self.current);
        self.report(error);
        let silent = self.silent_at;
        let starts = self.at_declaration()
            || matches!(
                self.kind(),
                K::Name | K::If | K::Do | K::Goto | K::Break | K::Assert | K::Printf | K::Atomic | K::DStep
            );
        if !starts {
            self.recover_in_body()?;
            while matches!(self.kind(), K::Semi | K::Arrow) {
                self.bump();
            }
        }
        self.silent_at = silent;
        Ok(())
    }

    fn step(&mut self) -> Res<Step> {
        let start = self.current.span;
        if self.at_declaration() {
            return match self.declaration(false)? {
                Declared::Vars(decl) => Ok(Step::Decl(decl)),
                Declared::Mtypes(decl) => {
                    Ok(Step::Stmt(Stmt { labels: Vec::new(), kind: skip(decl.span), span: decl.span }))
                }
            };
        }
        if matches!(self.kind(), K::Xr | K::Xs) {
            let receive = self.bump().kind == K::Xr;
            let mut channels = vec![self.reference()?];
            while self.eat(K::Comma) {
                channels.push(self.reference()?);
            }
            return Ok(Step::Exclusive { receive, channels, span: self.since(start) });
        }
        if self.at_word("ftype") {
            let word = self.bump();
            if self.at(K::Name) {
                return match self.variables(TypeName::Ftype, Visibility::Normal, start)? {
                    Declared::Vars(decl) => Ok(Step::Decl(decl)),
                    Declared::Mtypes(_) => Err(Failed),
                };
            }
            let main = self.nested(|p| p.statement_from(Some(word)))?;
            return self.step_after(main, start);
        }
        let main = self.nested(Self::statement)?;
        self.step_after(main, start)
    }

    /// The escape of a statement, if it has one.
    fn step_after(&mut self, main: Stmt, start: Span) -> Res<Step> {
        if !self.eat(K::Unless) {
            return Ok(Step::Stmt(main));
        }
        let escape = self.nested(Self::statement)?;
        Ok(Step::Unless { main, escape, span: self.since(start) })
    }

    fn statement(&mut self) -> Res<Stmt> {
        self.statement_from(None)
    }

    /// A statement whose first name may already have been read.
    fn statement_from(&mut self, mut first: Option<Token>) -> Res<Stmt> {
        let mut labels: Vec<Ident> = Vec::new();
        while first.is_some() || self.at(K::Name) {
            let name = match first.take() {
                Some(name) => name,
                None => self.bump(),
            };
            let span = name.span;
            if !self.eat(K::Colon) {
                let kind = self.statement_from_name(name)?;
                return Ok(Stmt { labels, kind, span: self.since(span) });
            }
            labels.push(ident(name));
            if self.at_declaration() || matches!(self.kind(), K::Xr | K::Xs) {
                let error = Diagnostic::error("a label cannot stand before a declaration", span);
                return self.fail(error.with_hint("put the label after the declaration"));
            }
            if self.at_sequence_end() || matches!(self.kind(), K::Semi | K::Arrow | K::Unless) {
                return Ok(Stmt { labels, kind: skip(span), span });
            }
        }
        let start = self.current.span;
        let kind = self.plain_statement()?;
        // The block that an inline call becomes is located where the inline's body is.
        let span = match &kind {
            StmtKind::Block(block) => block.span,
            _ => self.since(start),
        };
        Ok(Stmt { labels, kind, span })
    }

    /// A statement that begins with the name of a variable.
    fn statement_from_name(&mut self, name: Token) -> Res<StmtKind> {
        if let Some(hint) = hints::foreign_word(&name, self.kind()) {
            let error =
                Diagnostic::error(format!("`{}` is not a statement of Promela", name.text), name.span);
            return self.fail(error.with_hint(hint));
        }
        let is_dynamic = self.lexer.is_dynamic();
        if is_dynamic && &*name.text == "delete" && self.at(K::LParen) {
            return self.delete();
        }
        if self.at(K::LParen) && !is_dynamic {
            let error = Diagnostic::error(format!("`{}` is not an inline", name.text), name.span);
            let hint = "an inline must be defined before it is used; a process is started by `run`";
            return self.fail(error.with_hint(hint));
        }
        let start = name.span;
        let target = self.reference_from(name)?;
        match self.kind() {
            K::LParen if is_dynamic => self.call_statement(None, target),
            K::Assign => self.assignment(target),
            K::Incr | K::Decr => {
                let op = if self.bump().kind == K::Incr { BinaryOp::Add } else { BinaryOp::Sub };
                self.not_in_trace(start);
                Ok(step_by_one(target, op))
            }
            K::Bang => self.send(target),
            K::BangBang => {
                self.not_in_trace(start);
                self.send(target)
            }
            K::Quest | K::QuestQuest => {
                let random = self.bump().kind == K::QuestQuest;
                if self.at(K::LBracket) {
                    let poll = self.poll(target, random)?;
                    return self.guard_from(poll, start);
                }
                if random || self.at(K::Lt) {
                    self.not_in_trace(start);
                }
                self.receive(target, random)
            }
            _ => {
                let left = self.operand_from_reference(target)?;
                self.guard_from(left, start)
            }
        }
    }

    fn assignment(&mut self, target: VarRef) -> Res<StmtKind> {
        self.not_in_trace(target.span);
        self.bump();
        if self.at(K::InlineName) {
            return self.inline_call(Some(target));
        }
        if self.at(K::Name) && self.lexer.is_dynamic() {
            return self.dynamic_assignment(target);
        }
        let value = self.full_expr()?;
        Ok(StmtKind::Assign { target, value })
    }

    /// A guard whose first operand was already read.
    fn guard_from(&mut self, left: Expr, start: Span) -> Res<StmtKind> {
        self.not_in_trace(start);
        let expr = self.infix(left, 0)?;
        self.guard(expr)
    }

    fn guard(&mut self, expr: Expr) -> Res<StmtKind> {
        if self.at(K::Assign) {
            let error = Diagnostic::error("only a variable can be assigned to", self.current.span);
            return self.fail(error.with_hint("use `==` to compare"));
        }
        Ok(StmtKind::Expr(expr))
    }

    fn plain_statement(&mut self) -> Res<StmtKind> {
        let start = self.current.span;
        // An event trace may contain these, sends, receives and labels.
        match self.kind() {
            K::If => return self.options(K::Fi).map(StmtKind::If),
            K::Do => return self.options(K::Od).map(StmtKind::Do),
            K::For => return self.for_loop(),
            K::Select => return self.select(),
            K::Break => {
                self.bump();
                return Ok(StmtKind::Break);
            }
            K::Goto => {
                self.bump();
                return self.name("a label").map(StmtKind::Goto);
            }
            _ => self.not_in_trace(start),
        }
        match self.kind() {
            K::Else => {
                self.bump();
                Ok(StmtKind::Else)
            }
            K::Atomic | K::DStep => {
                let atomic = self.bump().kind == K::Atomic;
                let block = self.nested(Self::block)?;
                Ok(if atomic { StmtKind::Atomic(block) } else { StmtKind::DStep(block) })
            }
            K::LBrace => self.nested(Self::block).map(StmtKind::Block),
            K::Assert => {
                self.bump();
                self.full_expr().map(StmtKind::Assert)
            }
            K::Printf => self.printf(),
            K::Printm => self.printm(),
            K::SetPriority => self.set_priority(),
            K::InlineName => self.inline_call(None),
            K::Return => self.return_statement(),
            K::CCode | K::CDecl => {
                self.embedded_block()?;
                Ok(skip(start))
            }
            K::Semi | K::Arrow => {
                let message = format!("expected a statement, found {}", self.current.describe());
                let error = Diagnostic::error(message, self.current.span);
                self.fail(error.with_hint("`skip` is the statement that does nothing"))
            }
            K::Const if !self.current.text.is_empty() => self.symbol_statement(),
            _ => {
                let expr = self.full_expr()?;
                self.guard(expr)
            }
        }
    }

    /// A statement that begins with a symbolic constant, which may be meant as a label or a variable.
    fn symbol_statement(&mut self) -> Res<StmtKind> {
        let text = self.current.text.clone();
        let span = self.current.span;
        let expr = self.full_expr()?;
        if matches!(self.kind(), K::Colon | K::Assign | K::Bang | K::Quest | K::Incr | K::Decr) {
            let error = Diagnostic::error(format!("`{text}` is a symbolic constant"), span);
            return self.fail(error.with_hint("it is declared by `mtype`; choose another name here"));
        }
        self.guard(expr)
    }

    pub(super) fn not_in_trace(&mut self, span: Span) {
        if self.in_trace {
            let error = Diagnostic::error("only events can stand in a trace", span);
            self.report(error.with_hint("events are sends `c!x` and receives `c?x`"));
        }
    }

    fn options(&mut self, close: K) -> Res<Vec<Sequence>> {
        let start = self.bump().span;
        let word = crate::syntax::lexer::token::spelling(close);
        let mut options = Vec::new();
        if !self.at(K::Option) {
            return self.unexpected("expected `::`");
        }
        while self.eat(K::Option) {
            options.push(self.nested(|p| p.sequence(true))?);
        }
        if !self.at(close) {
            let message = format!("expected `{word}` or `::`, found {}", self.current.describe());
            let error = Diagnostic::error(message, self.current.span).with_note("to close this", Some(start));
            return self.fail(error.with_hint(format!("add `{word}`")));
        }
        self.bump();
        Ok(options)
    }

    fn for_loop(&mut self) -> Res<StmtKind> {
        self.bump();
        if !self.at(K::LParen) {
            return self.unexpected("expected `(` after `for`");
        }
        self.lexer.in_for = true;
        self.bump();
        let var = self.reference()?;
        if self.eat(K::In) {
            let over = self.reference()?;
            let body = self.for_body()?;
            return Ok(StmtKind::ForIn { var, over, body });
        }
        if !self.at(K::Colon) {
            let message = format!("expected `:` or `in`, found {}", self.current.describe());
            let error = Diagnostic::error(message, self.current.span);
            self.report(error.with_hint("write `for (i : 1 .. n) { ... }` or `for (i in a) { ... }`"));
            return self.skip_loop_head();
        }
        self.bump();
        let (from, to) = self.range()?;
        let body = self.for_body()?;
        Ok(StmtKind::For { var, from, to, body })
    }

    /// Skips the rest of a loop head that is not Promela, and continues with the body.
    fn skip_loop_head(&mut self) -> Res<StmtKind> {
        self.lexer.in_for = false;
        while self.lexer.in_parentheses() {
            if matches!(self.kind(), K::Eof | K::LBrace | K::RBrace | K::Option | K::Fi | K::Od) {
                return Err(Failed);
            }
            self.bump();
        }
        self.bump();
        self.eat(K::Semi);
        self.nested(Self::block).map(StmtKind::Block)
    }

    /// The closing parenthesis and the body; a line may end between them.
    fn for_body(&mut self) -> Res<crate::syntax::ast::Block> {
        self.lexer.in_for = false;
        self.expect(K::RParen, "after the head of `for`")?;
        self.eat(K::Semi);
        self.nested(Self::block)
    }

    fn range(&mut self) -> Res<(Expr, Expr)> {
        let from = self.expr()?;
        self.expect(K::DotDot, "between the bounds of a range")?;
        let to = self.expr()?;
        Ok((from, to))
    }

    fn select(&mut self) -> Res<StmtKind> {
        self.bump();
        self.expect(K::LParen, "after `select`")?;
        let var = self.reference()?;
        self.expect(K::Colon, "before the range of `select`")?;
        let (from, to) = self.range()?;
        self.expect(K::RParen, "after the range of `select`")?;
        Ok(StmtKind::Select { var, from, to })
    }

    fn printf(&mut self) -> Res<StmtKind> {
        self.bump();
        self.expect(K::LParen, "after `printf`")?;
        if !self.at(K::Str) {
            return self.unexpected("expected a string");
        }
        let format: Arc<str> = self.bump().text;
        let args = if self.eat(K::Comma) { self.arguments()? } else { Vec::new() };
        self.expect(K::RParen, "after the arguments of `printf`")?;
        Ok(StmtKind::Printf { format, args })
    }

    fn printm(&mut self) -> Res<StmtKind> {
        self.bump();
        self.expect(K::LParen, "after `printm`")?;
        let value = if self.at(K::Const) {
            let token = self.bump();
            constant_expr(token)
        } else {
            let var = self.reference()?;
            Expr { span: var.span, kind: ExprKind::Var(var) }
        };
        self.expect(K::RParen, "after the argument of `printm`")?;
        Ok(StmtKind::Printm(value))
    }

    fn set_priority(&mut self) -> Res<StmtKind> {
        self.bump();
        self.expect(K::LParen, "after `set_priority`")?;
        let process = self.expr()?;
        self.expect(K::Comma, "between a process number and its priority")?;
        let priority = self.expr()?;
        self.expect(K::RParen, "after the arguments of `set_priority`")?;
        Ok(StmtKind::SetPriority(process, priority))
    }
}

/// `x++` and `x--`
fn step_by_one(target: VarRef, op: BinaryOp) -> StmtKind {
    let span = target.span;
    let old = Expr { kind: ExprKind::Var(target.clone()), span };
    let one = Expr { kind: ExprKind::Const(1), span };
    let value = Expr { kind: ExprKind::Binary(op, Box::new(old), Box::new(one)), span };
    StmtKind::Assign { target, value }
}
