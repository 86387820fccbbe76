//! Random labels and jumps, put into a body that is drawn: ahead if a global number says so, back once.
//!
//! Jumps lead out of and into selections, loops, atomic sequences and scopes. What can be translated into
//! plain Promela never jumps into a scope.

use super::super::ast::{Expr, Label, Op, PlaceExpr, Root, Stmt, Value};
use super::super::flow::is_simple;
use super::{BYTE, Draw, Reach, constant};

/// A place in front of a statement.
struct Spot {
    may_label: bool,
    may_jump: bool,
    /// The scopes around it, outermost first.
    scopes: Vec<usize>,
}

impl Draw {
    /// Puts up to two labels with a jump to each into the body.
    pub(super) fn jumps(&mut self) {
        // A jump over the test of a recursion would never end.
        let is_recursive = self.context.function.is_some_and(|function| self.recursive[function]);
        if is_recursive || !self.rng.chance(35) {
            return;
        }
        for label in 0..self.rng.range(1, 2) as usize {
            self.jump(label);
        }
    }

    fn jump(&mut self, label: usize) {
        let mut spots = Vec::new();
        collect(&self.body().stmts, &mut Vec::new(), true, &mut spots);
        let is_open = |from: &Spot, to: &Spot| from.scopes.starts_with(&to.scopes);
        let mut pairs = Vec::new();
        for (from, jump) in spots.iter().enumerate().filter(|(_, spot)| spot.may_jump) {
            for (to, target) in spots.iter().enumerate().filter(|(_, spot)| spot.may_label) {
                if self.reach == Reach::Full || is_open(jump, target) {
                    pairs.push((from, to));
                }
            }
        }
        let Some(&(from, to)) = self.rng.pick_any(&pairs) else { return };
        let meaning = if self.rng.chance(80) { Label::Seen } else { Label::End };
        let is_back = to < from;
        let mut option = if is_back {
            let n = self.body().vars.len();
            let counter = PlaceExpr::of(Root::Local(self.declare(&format!("j{n}"), BYTE, None, 0)));
            let read = || Box::new(Expr::Read(counter.clone()));
            let guard = Stmt::Guard(Expr::Binary(Op::Less, read(), Box::new(Expr::Const(1))));
            let sum = Expr::Binary(Op::Add, read(), Box::new(Expr::Const(1)));
            vec![guard, Stmt::Assign(counter, Value::Number(sum))]
        } else {
            let global = Expr::Read(PlaceExpr::of(Root::Global(0)));
            let op = if self.rng.chance(50) { Op::Less } else { Op::AtLeast };
            let bound = Expr::Const(self.rng.range(1, 2) as i32);
            vec![Stmt::Guard(Expr::Binary(op, Box::new(global), Box::new(bound)))]
        };
        if self.rng.chance(30) {
            // A call or an assignment in front of the jump.
            let mut callable = self.callable();
            callable.retain(|&function| !self.uses_rendezvous[function]);
            match self.rng.pick_any(&callable).copied() {
                Some(function) => {
                    let args = self.arguments(function);
                    let callee = super::super::ast::Callee::Named(function);
                    option.push(Stmt::Call(None, callee, args));
                }
                None => option.push(Stmt::Assign(PlaceExpr::of(Root::Global(0)), constant(1))),
            }
        }
        option.push(Stmt::Goto(label));
        let jump = Stmt::If(vec![option], Some(Vec::new()));
        let stmts = &mut self.body().stmts;
        // What comes later is put first: it does not change the numbers of what comes before.
        let mut edits = [(to, Stmt::Label(label, meaning)), (from, jump)];
        if is_back {
            edits.swap(0, 1);
        }
        for (spot, stmt) in edits {
            insert(stmts, &mut { spot }, &stmt);
        }
    }
}

fn collect(stmts: &[Stmt], scopes: &mut Vec<usize>, outer: bool, spots: &mut Vec<Spot>) {
    for (idx, stmt) in stmts.iter().enumerate() {
        let is_free = (outer || idx > 0) && (idx == 0 || !matches!(stmts[idx - 1], Stmt::Label(..)));
        spots.push(Spot {
            may_label: is_free && is_simple(stmt),
            may_jump: is_free && !matches!(stmt, Stmt::Goto(_)),
            scopes: scopes.clone(),
        });
        match stmt {
            Stmt::If(options, otherwise) => {
                options.iter().chain(otherwise).for_each(|option| collect(option, scopes, false, spots));
            }
            Stmt::Repeat(_, _, body) | Stmt::Atomic(body) => collect(body, scopes, false, spots),
            Stmt::Scope(scope, body) => {
                scopes.push(*scope);
                collect(body, scopes, false, spots);
                scopes.pop();
            }
            _ => {}
        }
    }
}

/// Puts a statement in front of the spot of a number, in the order of [`collect`].
fn insert(stmts: &mut Vec<Stmt>, left: &mut usize, new: &Stmt) -> bool {
    for idx in 0..stmts.len() {
        if *left == 0 {
            stmts.insert(idx, new.clone());
            return true;
        }
        *left -= 1;
        let is_done = match &mut stmts[idx] {
            Stmt::If(options, otherwise) => {
                options.iter_mut().chain(otherwise).any(|option| insert(option, left, new))
            }
            Stmt::Repeat(_, _, body) | Stmt::Atomic(body) | Stmt::Scope(_, body) => insert(body, left, new),
            _ => false,
        };
        if is_done {
            return true;
        }
    }
    false
}
