//! Sends, receives and polls.

use super::{Parser, Res};
use crate::syntax::ast::{Expr, ExprKind, ReceiveArg, StmtKind, VarRef};
use crate::syntax::lexer::TokenKind as K;

use super::decl::symbol;

impl Parser<'_> {
    /// `c!a,b`, `c!a(b)`, `c!!...`, at the operator.
    pub(super) fn send(&mut self, channel: VarRef) -> Res<StmtKind> {
        let sorted = self.bump().kind == K::BangBang;
        let first = self.first_field()?;
        let mut args = vec![first];
        if self.eat(K::LParen) {
            args.extend(self.arguments()?);
            self.expect(K::RParen, "after the fields of a message")?;
        } else {
            while self.eat(K::Comma) {
                args.push(self.expr()?);
            }
        }
        Ok(StmtKind::Send { channel, sorted, args })
    }

    /// The first field of a send. A name before a parenthesis is a field too: `c!a(b)` is not a call.
    fn first_field(&mut self) -> Res<Expr> {
        if !(self.lexer.is_dynamic() && self.at(K::Name)) {
            return self.expr();
        }
        let token = self.bump();
        let var = self.reference_from(token)?;
        if self.at(K::LParen) {
            return Ok(Expr { span: var.span, kind: ExprKind::Var(var) });
        }
        let left = self.operand_from_reference(var)?;
        let field = self.infix(left, 0)?;
        self.check_no_probe(&field);
        Ok(field)
    }

    /// A receive after its `?` or `??`; `random` is true for `??`.
    pub(super) fn receive(&mut self, channel: VarRef, random: bool) -> Res<StmtKind> {
        let peek = self.eat(K::Lt);
        let mut args = Vec::new();
        self.receive_args(&mut args)?;
        if peek {
            self.expect(K::Gt, "after the fields of a peek")?;
        }
        Ok(StmtKind::Receive { channel, random, peek, args })
    }

    /// A poll at its `[`.
    pub(super) fn poll(&mut self, channel: VarRef, random: bool) -> Res<Expr> {
        let start = channel.span;
        self.bump();
        let mut args = Vec::new();
        self.receive_args(&mut args)?;
        self.expect(K::RBracket, "after the fields of a poll")?;
        Ok(Expr { kind: ExprKind::Poll { channel, random, args }, span: self.since(start) })
    }

    /// `a,b`, `a(b)`, `(a,b)`, in any nesting at the end.
    fn receive_args(&mut self, args: &mut Vec<ReceiveArg>) -> Res<()> {
        let mut n_open = 0;
        loop {
            if self.eat(K::LParen) {
                n_open += 1;
                continue;
            }
            args.push(self.receive_arg()?);
            match self.kind() {
                K::Comma => {
                    self.bump();
                }
                K::LParen => {}
                _ => break,
            }
        }
        for _ in 0..n_open {
            self.expect(K::RParen, "after the fields of a message")?;
        }
        Ok(())
    }

    fn receive_arg(&mut self) -> Res<ReceiveArg> {
        let start = self.current.span;
        match self.kind() {
            K::Eval => {
                self.bump();
                self.expect(K::LParen, "after `eval`")?;
                let value = self.nested(Self::expr)?;
                self.expect(K::RParen, "after the expression of `eval`")?;
                Ok(ReceiveArg::Eval(value))
            }
            K::Const => {
                let token = self.bump();
                if token.text.is_empty() {
                    return Ok(ReceiveArg::Const(token.value, token.span));
                }
                Ok(ReceiveArg::Var(symbol(token)))
            }
            K::Minus => {
                self.bump();
                if !self.at(K::Const) {
                    return self.unexpected("expected a number");
                }
                let value = self.bump().value.wrapping_neg();
                Ok(ReceiveArg::Const(value, self.since(start)))
            }
            K::Name => self.reference().map(ReceiveArg::Var),
            _ => self.unexpected("expected a variable, a constant or `eval(...)`"),
        }
    }
}
