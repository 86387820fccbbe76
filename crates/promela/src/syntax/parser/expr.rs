//! Expressions and formulas.
//!
//! Operators bind as in SPIN's grammar. Every prefix operator, temporal ones too, binds tighter than every
//! infix operator: `[] p U q` is `([] p) U q`. SPIN refuses to negate, compare or compute with `full`,
//! `empty`, `nfull` and `nempty`; so does this parser, outside formulas.

use super::{MAX_CHAIN, Parser, Res};
use crate::syntax::ast::{BinaryOp, ChanQuery, Expr, ExprKind, LtlOp, Span, UnaryOp};
use crate::syntax::lexer::TokenKind as K;
use crate::syntax::source::Diagnostic;

/// An infix operator.
#[derive(Clone, Copy, PartialEq)]
enum Infix {
    Plain(BinaryOp),
    Temporal(LtlOp),
}

impl Parser<'_> {
    /// An expression in which `full`, `empty`, `nfull` and `nempty` may occur, joined by `&&` and `||`.
    pub(super) fn full_expr(&mut self) -> Res<Expr> {
        let left = self.unary()?;
        self.infix(left, 0)
    }

    /// An expression without channel queries.
    pub(super) fn expr(&mut self) -> Res<Expr> {
        let expr = self.full_expr()?;
        self.check_no_probe(&expr);
        Ok(expr)
    }

    /// The next token as an infix operator. `R` is an ordinary name, as in SPIN, but where a formula needs an
    /// operator it can only mean release.
    fn infix_operator(&self) -> Option<(Infix, u8)> {
        let is_release = self.lexer.in_ltl && self.at(K::Name) && &*self.current.text == "R";
        operator(if is_release { K::Release } else { self.kind() })
    }

    /// Continues after the left operand with operators of at least power `min`.
    pub(super) fn infix(&mut self, mut left: Expr, min: u8) -> Res<Expr> {
        let mut chain = 0;
        while let Some((operator, power)) = self.infix_operator() {
            if power < min {
                break;
            }
            chain += 1;
            if chain > MAX_CHAIN {
                let error = Diagnostic::error("the expression is too long", self.current.span);
                return self.fail(error.with_hint("put parentheses around parts of it"));
            }
            self.bump();
            let right = self.nested(|p| {
                let operand = p.unary()?;
                p.infix(operand, power + 1)
            })?;
            let span = join(left.span, right.span);
            let joins = matches!(operator, Infix::Plain(BinaryOp::And | BinaryOp::Or) | Infix::Temporal(_));
            if !joins {
                for side in [&left, &right] {
                    self.check_no_probe(side);
                    self.check_not_temporal(side);
                }
            }
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Infix::Plain(op) => ExprKind::Binary(op, left_box, right_box),
                Infix::Temporal(op) => ExprKind::Ltl(op, left_box, Some(right_box)),
            };
            left = Expr { kind, span };
        }
        Ok(left)
    }

    /// An operand with its prefix operators.
    pub(super) fn unary(&mut self) -> Res<Expr> {
        let start = self.current.span;
        if self.at(K::Amp) && self.lexer.is_dynamic() {
            return self.address();
        }
        let plain = match self.kind() {
            K::Bang => Some(UnaryOp::Not),
            K::Minus => Some(UnaryOp::Neg),
            K::Tilde => Some(UnaryOp::BitNot),
            _ => None,
        };
        let temporal = match self.kind() {
            K::Always => Some(LtlOp::Always),
            K::Eventually => Some(LtlOp::Eventually),
            K::Next => Some(LtlOp::Next),
            _ => None,
        };
        if plain.is_none() && temporal.is_none() {
            return self.operand();
        }
        self.bump();
        let inner = self.nested(Self::unary)?;
        if plain.is_some() {
            self.check_no_probe(&inner);
        }
        let inner = Box::new(inner);
        let kind = match (plain, temporal) {
            (Some(op), _) => ExprKind::Unary(op, inner),
            (None, Some(op)) => ExprKind::Ltl(op, inner, None),
            (None, None) => return self.unexpected("expected an expression"),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `(e)` or `(c -> a : b)`
    pub(super) fn parenthesised(&mut self) -> Res<Expr> {
        let start = self.bump().span;
        self.nested(|p| {
            let first = p.full_expr()?;
            if !p.at(K::Arrow) {
                if p.at(K::Assign) {
                    let error = Diagnostic::error("an expression cannot assign", p.current.span);
                    return p.fail(error.with_hint("use `==` to compare"));
                }
                if !p.at(K::RParen) {
                    return p.unclosed(start, ")");
                }
                p.bump();
                return Ok(first);
            }
            p.check_no_probe(&first);
            p.bump();
            let yes = p.expr()?;
            if !p.at(K::Colon) {
                let message = format!("expected `:` in `(c -> a : b)`, found {}", p.current.describe());
                let error = Diagnostic::error(message, p.current.span);
                return p.fail(
                    error.with_hint("outside formulas `a -> b` is not an implication; write `!a || b`"),
                );
            }
            p.bump();
            let no = p.expr()?;
            p.expect(K::RParen, "after a conditional expression")?;
            let kind = ExprKind::Cond(Box::new(first), Box::new(yes), Box::new(no));
            Ok(Expr { kind, span: p.since(start) })
        })
    }

    /// Reports a formula used as a number. SPIN accepts `[] a == b` and checks something else.
    fn check_not_temporal(&mut self, expr: &Expr) {
        if let ExprKind::Ltl(op, inner, None) = &expr.kind {
            let symbol = op.symbol();
            let error = Diagnostic::error(format!("`{symbol}` applies only to `{inner}` here"), expr.span);
            self.report(error.with_hint(format!("write `{symbol} (...)` around the whole comparison")));
        }
    }

    pub(super) fn check_no_probe(&mut self, expr: &Expr) {
        if self.lexer.in_ltl {
            return;
        }
        if let Some((query, span)) = probe(expr) {
            let (name, opposite) = match query {
                ChanQuery::Full => ("full", "nfull"),
                ChanQuery::NFull => ("nfull", "full"),
                ChanQuery::Empty => ("empty", "nempty"),
                _ => ("nempty", "empty"),
            };
            let error = Diagnostic::error(format!("`{name}` can only be joined by `&&` and `||`"), span);
            self.report(error.with_hint(format!("for `!{name}(c)` write `{opposite}(c)`, or use `len(c)`")));
        }
    }
}

/// The first `full`, `empty`, `nfull` or `nempty` that an expression consists of.
fn probe(expr: &Expr) -> Option<(ChanQuery, Span)> {
    let mut expr = expr;
    loop {
        match &expr.kind {
            ExprKind::Chan(query, _) if *query != ChanQuery::Len => return Some((*query, expr.span)),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                if let Some(found) = probe(right) {
                    return Some(found);
                }
                expr = left;
            }
            _ => return None,
        }
    }
}

/// Whether a token is an infix operator outside formulas.
pub(super) fn is_infix(kind: K) -> bool {
    matches!(operator(kind), Some((Infix::Plain(_), _)))
}

fn operator(kind: K) -> Option<(Infix, u8)> {
    use BinaryOp as B;
    let (operator, power) = match kind {
        K::Implies => (Infix::Temporal(LtlOp::Implies), 1),
        K::Equivalent => (Infix::Temporal(LtlOp::Equivalent), 1),
        K::OrOr => (Infix::Plain(B::Or), 2),
        K::AndAnd => (Infix::Plain(B::And), 3),
        K::Until => (Infix::Temporal(LtlOp::Until), 4),
        K::WeakUntil => (Infix::Temporal(LtlOp::WeakUntil), 4),
        K::Release => (Infix::Temporal(LtlOp::Release), 4),
        K::Pipe => (Infix::Plain(B::BitOr), 5),
        K::Caret => (Infix::Plain(B::BitXor), 6),
        K::Amp => (Infix::Plain(B::BitAnd), 7),
        K::EqEq => (Infix::Plain(B::Eq), 8),
        K::Ne => (Infix::Plain(B::Ne), 8),
        K::Lt => (Infix::Plain(B::Lt), 9),
        K::Le => (Infix::Plain(B::Le), 9),
        K::Gt => (Infix::Plain(B::Gt), 9),
        K::Ge => (Infix::Plain(B::Ge), 9),
        K::Shl => (Infix::Plain(B::Shl), 10),
        K::Shr => (Infix::Plain(B::Shr), 10),
        K::Plus => (Infix::Plain(B::Add), 11),
        K::Minus => (Infix::Plain(B::Sub), 11),
        K::Star => (Infix::Plain(B::Mul), 12),
        K::Slash => (Infix::Plain(B::Div), 12),
        K::Percent => (Infix::Plain(B::Rem), 12),
        _ => return None,
    };
    Some((operator, power))
}

fn join(a: Span, b: Span) -> Span {
    if a.file == b.file && b.end >= a.start { Span { end: b.end.max(a.end), ..a } } else { a }
}
