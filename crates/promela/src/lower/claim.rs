//! Lowers never claims and formulas, which observe the model while it runs.
//!
//! A claim is lowered like a process, and then read as an automaton: see `property`. For a formula, only the
//! structure above its propositions is kept. Observing a variable does not make it part of the state, except
//! for `_last`.

use super::{Features, Lowerer};
use crate::flow::{Table, build_table};
use crate::ir::{Action, Expr};
use crate::syntax::ast::{self, BinaryOp, ExprKind, LtlOp, Span, UnaryOp};
use allways_ltl::Formula;
use std::sync::Arc;

/// A never claim or a formula.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) name: Arc<str>,
    pub(crate) body: ClaimBody,
}

/// The content of a [`Claim`].
#[derive(Clone, Debug)]
pub(crate) enum ClaimBody {
    /// Control flow, like that of a process.
    Never(Table),
    /// A formula over propositions.
    Formula(Formula, Vec<Proposition>),
}

/// A condition on states, with its text.
#[derive(Clone, Debug)]
pub(crate) struct Proposition {
    pub(crate) expr: Expr,
    pub(crate) text: Arc<str>,
}

impl Lowerer {
    fn claim_name(&mut self, given: Option<&ast::Ident>, word: &str) -> Arc<str> {
        let default = || format!("{word}_{}", self.claims.len()).into();
        let name: Arc<str> = given.map_or_else(default, |name| name.name.clone());
        if let Some(given) = given
            && self.claims.iter().any(|claim| claim.name == name)
        {
            self.error(given.span, format!("there is more than one claim or formula '{name}'"));
        }
        name
    }

    pub(super) fn lower_claim(&mut self, claim: &ast::Claim) {
        let name = self.claim_name(claim.name.as_ref(), "never");
        let features = self.features;
        self.begin_process(claim.span, true);
        if let Some(process) = &mut self.process {
            process.is_claim = true;
        }
        self.lower_body(&claim.body, Action::End);
        self.scopes.leave_process();
        self.keep_last(features);
        let process = self.process.take().expect("a claim is being lowered");
        if let Some(variable) = process.variables.first() {
            self.error(claim.span, format!("a never claim cannot have variables: '{}'", variable.name));
        }
        self.claim_flows.push((self.claims.len(), process.flow));
        let body = ClaimBody::Formula(Formula::truth(), Vec::new());
        self.claims.push(Claim { name, body });
    }

    pub(super) fn lower_formula(&mut self, ltl: &ast::LtlBlock) {
        let name = self.claim_name(ltl.name.as_ref(), "ltl");
        let features = self.features;
        let mut propositions = Vec::new();
        let formula = self.temporal(&ltl.formula, &mut propositions);
        self.keep_last(features);
        let body = ClaimBody::Formula(formula, propositions);
        self.claims.push(Claim { name, body });
    }

    /// As in SPIN, a claim that reads `_last` makes it part of the state; nothing else that it reads changes
    /// the state.
    fn keep_last(&mut self, before: Features) {
        self.features = Features { last: self.features.last, ..before };
    }

    fn temporal(&mut self, e: &ast::Expr, propositions: &mut Vec<Proposition>) -> Formula {
        // What a pointer refers to may have ended, so conditions guard each other there.
        if !is_temporal(e) && (self.uses.anything || can_fail(e)) {
            return self.proposition(e, propositions);
        }
        let is_dynamic = self.uses.anything;
        let mut sub = |e: &ast::Expr| self.temporal(e, propositions);
        match &e.kind {
            ExprKind::Const(value) => Formula::constant(*value != 0),
            ExprKind::Ltl(op, a, b) => {
                let a = sub(a);
                let b = b.as_ref().map_or_else(Formula::truth, |b| sub(b));
                match op {
                    LtlOp::Always => a.always(),
                    LtlOp::Eventually => a.eventually(),
                    LtlOp::Next => a.next(),
                    LtlOp::Until => a.until(b),
                    LtlOp::WeakUntil => a.weak_until(b),
                    LtlOp::Release => a.release(b),
                    LtlOp::Implies => a.implies(b),
                    LtlOp::Equivalent => a.equivalent(b),
                }
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let join = if *op == BinaryOp::And { Formula::and } else { Formula::or };
                match guarded(e, *op, is_dynamic) {
                    Some((present, rest)) => join(sub(&present), sub(&rest)),
                    None => join(sub(a), sub(b)),
                }
            }
            ExprKind::Unary(UnaryOp::Not, a) => sub(a).negate(),
            _ => self.proposition(e, propositions),
        }
    }

    /// A condition on states, evaluated as a whole.
    fn proposition(&mut self, e: &ast::Expr, propositions: &mut Vec<Proposition>) -> Formula {
        let text: Arc<str> = e.to_string().into();
        let known = propositions.iter().position(|one| one.text == text);
        let idx = known.unwrap_or_else(|| {
            let mut expr = self.expr(&without_arrows(e));
            self.check_observed(&mut expr, e.span);
            expr.walk_mut(&mut Expr::fold);
            propositions.push(Proposition { expr, text });
            propositions.len() - 1
        });
        Formula::atom(idx as u32)
    }

    /// An observer is not a process: it has no number and starts no processes.
    fn check_observed(&mut self, expr: &mut Expr, span: Span) {
        let mut wrong = None;
        expr.walk_mut(&mut |e| match e {
            Expr::Pid => wrong = Some("`_pid` has no meaning outside a process"),
            Expr::Run(_) => wrong = Some("a formula cannot start processes"),
            _ => {}
        });
        if let Some(message) = wrong {
            self.error(span, message);
        }
    }

    /// Turns the flows of claims into tables.
    pub(super) fn finish_claims(&mut self) {
        for (idx, mut flow) in std::mem::take(&mut self.claim_flows) {
            let mut table = build_table(&mut flow);
            for error in flow.errors {
                self.error(error.span, error.message);
            }
            for statement in &mut table.statements {
                statement.action.walk_mut(&mut Expr::fold);
            }
            self.claims[idx].body = ClaimBody::Never(table);
        }
    }

    /// Passes every expression of the claims to `patch`.
    pub(super) fn walk_claims(&mut self, patch: &mut impl FnMut(&mut Expr)) {
        for claim in &mut self.claims {
            match &mut claim.body {
                ClaimBody::Never(table) => {
                    table.statements.iter_mut().for_each(|statement| statement.action.walk_mut(patch));
                }
                ClaimBody::Formula(_, propositions) => {
                    propositions.iter_mut().for_each(|one| one.expr.walk_mut(patch));
                }
            }
        }
    }
}

/// Whether an expression depends on states other than the present one.
fn is_temporal(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Ltl(LtlOp::Implies | LtlOp::Equivalent, a, b) => {
            is_temporal(a) || b.as_ref().is_some_and(|b| is_temporal(b))
        }
        ExprKind::Ltl(..) => true,
        ExprKind::Binary(_, a, b) => is_temporal(a) || is_temporal(b),
        ExprKind::Unary(_, a) => is_temporal(a),
        _ => false,
    }
}

/// Whether a condition on states must be evaluated as a whole, because one part of it may guard another from
/// an error: in `i < N && a[i]` the index is in range where it is used.
fn can_fail(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Ltl(_, a, b) => can_fail(a) || b.as_ref().is_some_and(|b| can_fail(b)),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => can_fail(a) || can_fail(b),
        ExprKind::Unary(UnaryOp::Not, a) => can_fail(a),
        _ => !cannot_fail(e),
    }
}

/// The operands of a chain of one operator, from left to right.
fn flatten(e: &ast::Expr, op: BinaryOp, operands: &mut Vec<ast::Expr>) {
    match &e.kind {
        ExprKind::Binary(of, a, b) if *of == op => {
            flatten(a, op, operands);
            flatten(b, op, operands);
        }
        _ => operands.push(e.clone()),
    }
}

/// Splits a chain of `&&` or `||` into one condition on the present state and the temporal rest, if part of
/// the condition can fail: what precedes that part may guard it, wherever the parentheses are. The parts of
/// the condition keep their order. Moving the temporal parts to the end changes nothing.
fn guarded(e: &ast::Expr, op: BinaryOp, always: bool) -> Option<(ast::Expr, ast::Expr)> {
    let mut operands = Vec::new();
    flatten(e, op, &mut operands);
    let (rest, present): (Vec<_>, Vec<_>) = operands.into_iter().partition(is_temporal);
    if !always && !present.iter().any(can_fail) {
        return None;
    }
    let join = |a: ast::Expr, b| {
        let span = a.span;
        ast::Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
    };
    Some((present.into_iter().reduce(join)?, rest.into_iter().reduce(join)?))
}

/// A condition on states, with `->` and `<->` expressed by ordinary operators.
fn without_arrows(e: &ast::Expr) -> ast::Expr {
    let not = |e: ast::Expr| {
        let span = e.span;
        ast::Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(e)), span }
    };
    let inner = |e: &ast::Expr| Box::new(without_arrows(e));
    let kind = match &e.kind {
        ExprKind::Ltl(LtlOp::Implies, a, Some(b)) => {
            ExprKind::Binary(BinaryOp::Or, Box::new(not(without_arrows(a))), inner(b))
        }
        ExprKind::Ltl(LtlOp::Equivalent, a, Some(b)) => {
            let (a, b) = (not(without_arrows(a)), not(without_arrows(b)));
            ExprKind::Binary(BinaryOp::Eq, Box::new(a), Box::new(b))
        }
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, inner(a), inner(b)),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, inner(a)),
        _ => return e.clone(),
    };
    ast::Expr { kind, span: e.span }
}

/// Whether evaluating an expression never causes an error.
fn cannot_fail(e: &ast::Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::NonProgress | ExprKind::Timeout => true,
        // A constant index is in range always or never, so evaluating it early changes nothing.
        ExprKind::Var(reference) => reference
            .parts
            .iter()
            .all(|part| part.index.as_ref().is_none_or(|index| matches!(index.kind, ExprKind::Const(_)))),
        ExprKind::Binary(op, a, b) => {
            let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
            !divides && cannot_fail(a) && cannot_fail(b)
        }
        ExprKind::Unary(_, a) => cannot_fail(a),
        ExprKind::RemoteLabel { index, .. } => index.as_ref().is_none_or(|index| cannot_fail(index)),
        _ => false,
    }
}
