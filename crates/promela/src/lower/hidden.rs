//! Decides which hidden variables can be omitted from the state without changing what the model can do.
//!
//! SPIN omits every `hidden` variable from its states, although their values persist along a path. Two states
//! that differ only there become one, and what is found depends on which came first. Here a hidden variable
//! is omitted only if it is never read, or if every `d_step` that reads it has set it before: such a value
//! never outlives a step. Every other hidden variable is kept in the state, so that a verdict remains a
//! proof.

use crate::syntax::ast::{
    self, Ast, Block, Expr, ExprKind, Initializer, ReceiveArg, Step, Stmt, StmtKind, Unit, VarRef,
};
use std::collections::HashSet;
use std::sync::Arc;

/// The names that are read anywhere in the model.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    read: HashSet<Arc<str>>,
    /// Names whose value may come from an earlier step.
    outlives: HashSet<Arc<str>>,
    /// Inside a `d_step`: the names that its own statements, outside any selection, have set so far.
    set_here: Option<HashSet<Arc<str>>>,
}

impl Hidden {
    /// Whether a variable of this name is only ever written.
    pub(super) fn is_write_only(&self, name: &str) -> bool {
        !self.read.contains(name)
    }

    /// Whether a variable of this name is read only in a `d_step` that has set it before.
    pub(super) fn is_scratch(&self, name: &str) -> bool {
        !self.outlives.contains(name)
    }
}

/// Collects the names that are read. Scopes are not distinguished, which can only keep more variables than
/// necessary.
pub(super) fn analyse(ast: &Ast) -> Hidden {
    let mut hidden = Hidden::default();
    for unit in &ast.units {
        match unit {
            Unit::Proctype(proctype) => {
                if let Some(provided) = &proctype.provided {
                    hidden.expr(provided);
                }
                hidden.block(&proctype.body);
            }
            Unit::Init(init) => hidden.block(&init.body),
            Unit::Never(claim) => hidden.block(&claim.body),
            Unit::Trace(trace) => hidden.block(&trace.body),
            Unit::Ltl(ltl) => hidden.expr(&ltl.formula),
            Unit::Decl(decl) => hidden.decl(decl),
            Unit::Typedef(typedef) => typedef.fields.iter().for_each(|decl| hidden.decl(decl)),
            Unit::Function(function) => hidden.block(&function.body),
            Unit::Mtype(_) => {}
        }
    }
    hidden
}

impl Hidden {
    fn reads(&mut self, reference: &VarRef) {
        if let Some(first) = reference.parts.first() {
            self.reads_name(&first.name.name);
        }
        self.indices(reference);
    }

    fn reads_name(&mut self, name: &Arc<str>) {
        self.read.insert(name.clone());
        if !self.set_here.as_ref().is_some_and(|set| set.contains(name)) {
            self.outlives.insert(name.clone());
        }
    }

    fn indices(&mut self, reference: &VarRef) {
        for part in &reference.parts {
            part.index.iter().chain(&part.second).for_each(|index| self.expr(index));
        }
    }

    fn decl(&mut self, decl: &ast::Decl) {
        for var in &decl.vars {
            match &var.init {
                Some(Initializer::Expr(e)) => self.expr(e),
                Some(Initializer::List(list)) => list.iter().for_each(|e| self.expr(e)),
                Some(Initializer::Channel(_)) | None => {}
            }
            if let Some(ast::ArrayBound::Named(name)) = &var.array {
                self.reads_name(&name.name);
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.sequence(&block.steps);
    }

    fn sequence(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Decl(decl) => self.decl(decl),
                Step::Exclusive { channels, .. } => channels.iter().for_each(|c| self.reads(c)),
                Step::Stmt(stmt) => self.stmt(stmt),
                Step::Unless { main, escape, .. } => {
                    self.stmt(main);
                    self.stmt(escape);
                }
            }
        }
    }

    /// Analyses the statements of a `d_step` in order. What a selection inside it sets does not count
    /// afterwards, and the order ends at a label, because a jump may lead there from anywhere.
    fn d_step(&mut self, body: &Block) {
        self.set_here = Some(HashSet::new());
        for step in &body.steps {
            if let Step::Stmt(stmt) = step
                && !stmt.labels.is_empty()
            {
                self.set_here = Some(HashSet::new());
            }
            self.sequence(std::slice::from_ref(step));
            if let Step::Stmt(Stmt { kind: StmtKind::Assign { target, .. }, .. }) = step
                && let [part] = target.parts.as_slice()
                && part.index.is_none()
                && let Some(set) = &mut self.set_here
            {
                set.insert(part.name.name.clone());
            }
        }
        self.set_here = None;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => self.expr(e),
            StmtKind::Assign { target, value } => {
                self.indices(target);
                self.expr(value);
            }
            StmtKind::Send { channel, args, .. } => {
                self.reads(channel);
                args.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Receive { channel, args, .. } => {
                self.reads(channel);
                self.receive_args(args);
            }
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|o| self.sequence(o)),
            StmtKind::For { var, from, to, body } => {
                self.reads(var);
                self.expr(from);
                self.expr(to);
                self.block(body);
            }
            StmtKind::ForIn { var, over, body } => {
                self.reads(var);
                self.reads(over);
                self.block(body);
            }
            StmtKind::Select { var, from, to } => {
                self.reads(var);
                self.expr(from);
                self.expr(to);
            }
            StmtKind::DStep(body) if self.set_here.is_none() => self.d_step(body),
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => self.block(body),
            StmtKind::Printf { args, .. } => args.iter().for_each(|e| self.expr(e)),
            StmtKind::SetPriority(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            StmtKind::New { target, count, .. } => {
                self.reads(target);
                count.iter().for_each(|e| self.expr(e));
            }
            StmtKind::NewChannel { target, .. } => self.reads(target),
            StmtKind::Delete(pointer) => self.reads(pointer),
            StmtKind::Call { result, call } => {
                result.iter().for_each(|target| self.reads(target));
                self.call(call);
            }
            StmtKind::Return(ast::ReturnValue::Value(e)) => self.expr(e),
            StmtKind::Return(ast::ReturnValue::Call(call)) => self.call(call),
            StmtKind::Return(ast::ReturnValue::Nothing)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Else => {}
        }
    }

    fn call(&mut self, call: &ast::Call) {
        self.reads(&call.callee);
        call.args.iter().for_each(|e| self.expr(e));
    }

    fn receive_args(&mut self, args: &[ReceiveArg]) {
        for arg in args {
            match arg {
                ReceiveArg::Var(reference) => self.indices(reference),
                ReceiveArg::Eval(e) => self.expr(e),
                ReceiveArg::Const(..) => {}
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(reference) | ExprKind::Chan(_, reference) | ExprKind::Address(reference) => {
                self.reads(reference);
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Unary(_, a) => self.expr(a),
            ExprKind::Cond(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Run { args, .. } => args.iter().for_each(|e| self.expr(e)),
            ExprKind::Poll { channel, args, .. } => {
                self.reads(channel);
                self.receive_args(args);
            }
            ExprKind::Enabled(a) | ExprKind::PcValue(a) | ExprKind::GetPriority(a) => self.expr(a),
            ExprKind::RemoteLabel { index, .. } => {
                if let Some(index) = index {
                    self.expr(index);
                }
            }
            ExprKind::RemoteVar { index, var, .. } => {
                self.reads_name(&var.name.name);
                if let Some(index) = index {
                    self.expr(index);
                }
                if let Some(index) = &var.index {
                    self.expr(index);
                }
            }
            ExprKind::Ltl(_, a, b) => {
                self.expr(a);
                if let Some(b) = b {
                    self.expr(b);
                }
            }
            ExprKind::Const(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
        }
    }
}
