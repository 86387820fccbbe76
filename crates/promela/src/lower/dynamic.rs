//! Finds which parts of the dynamic extension a model uses, before anything is laid out.
//!
//! A model for which the extension is enabled, but which uses none of it, is lowered as plain Promela. One
//! that uses any of it has scopes whose variables are set up at entry. If objects have channels, every `chan`
//! is a reference.

use crate::syntax::ast::{
    self, Ast, Block, Expr, ExprKind, Initializer, ReceiveArg, ReturnValue, Step, Stmt, StmtKind, TypeName,
    Unit, VarRef,
};
use std::collections::HashSet;
use std::sync::Arc;

/// What a model uses.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Any part of the extension.
    pub(super) anything: bool,
    /// A process that calls a function: without one, no function ever runs.
    pub(super) calls: bool,
    /// Objects with channels.
    pub(super) object_channels: bool,
}

/// Finds what a model uses.
pub(super) fn uses(ast: &Ast) -> Uses {
    let mut uses = Uses::default();
    for unit in &ast.units {
        let in_function = matches!(unit, Unit::Function(_));
        let mut finder = Finder { ast, uses: &mut uses, in_function };
        match unit {
            Unit::Function(function) => {
                finder.uses.anything = true;
                function.params.iter().for_each(|decl| finder.decl(decl));
                finder.block(&function.body);
            }
            Unit::Proctype(proctype) => {
                proctype.params.iter().for_each(|decl| finder.decl(decl));
                finder.block(&proctype.body);
            }
            Unit::Init(init) => finder.block(&init.body),
            Unit::Never(claim) => finder.block(&claim.body),
            Unit::Ltl(ltl) => walk_expr(&ltl.formula, &mut finder),
            Unit::Decl(decl) => finder.decl(decl),
            Unit::Typedef(typedef) => typedef.fields.iter().for_each(|decl| finder.decl(decl)),
            Unit::Trace(_) | Unit::Mtype(_) => {}
        }
    }
    uses
}

struct Finder<'a> {
    ast: &'a Ast,
    uses: &'a mut Uses,
    in_function: bool,
}

impl Finder<'_> {
    fn block(&mut self, block: &Block) {
        walk_steps(&block.steps, self);
    }

    /// Whether a variable of a type has channels of its own, including those in records that it contains.
    fn has_channels(&self, ty: &TypeName) -> bool {
        let fields_of = |ty: &TypeName| {
            let TypeName::Named(name) = ty else { return None };
            self.ast.units.iter().find_map(|unit| match unit {
                Unit::Typedef(typedef) if typedef.name.name == name.name => Some(&typedef.fields),
                _ => None,
            })
        };
        let mut contained = vec![ty];
        let mut next = 0;
        while let Some(&ty) = contained.get(next) {
            next += 1;
            for decl in fields_of(ty).into_iter().flatten() {
                if decl.vars.iter().any(|var| matches!(var.init, Some(Initializer::Channel(_)))) {
                    return true;
                }
                if decl.vars.iter().any(|var| !var.pointer) && !contained.contains(&&decl.ty) {
                    contained.push(&decl.ty);
                }
            }
        }
        false
    }
}

impl Visit for Finder<'_> {
    fn decl(&mut self, decl: &ast::Decl) {
        let is_pointer = |ty: &TypeName| matches!(ty, TypeName::Pointer(_) | TypeName::Ftype);
        self.uses.anything |= decl.ty == TypeName::Ftype;
        for var in &decl.vars {
            self.uses.anything |= var.pointer;
            if let Some(Initializer::Channel(init)) = &var.init {
                self.uses.anything |= init.fields.iter().any(is_pointer);
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::New { ty, .. } => {
                self.uses.anything = true;
                self.uses.object_channels |= self.has_channels(ty);
            }
            StmtKind::NewChannel { .. } => (self.uses.anything, self.uses.object_channels) = (true, true),
            StmtKind::Call { .. } | StmtKind::Return(_) => {
                self.uses.anything = true;
                self.uses.calls |= !self.in_function;
            }
            StmtKind::Delete(_) => self.uses.anything = true,
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.uses.anything |= matches!(e.kind, ExprKind::Address(_));
    }
}

/// The names of variables of which a body takes the address. Scopes are not distinguished.
pub(super) fn addressed(body: &Block) -> HashSet<Arc<str>> {
    struct Addressed(HashSet<Arc<str>>);
    impl Visit for Addressed {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Address(reference) = &e.kind
                && let Some(first) = reference.parts.first()
            {
                self.0.insert(first.name.name.clone());
            }
        }
    }
    let mut found = Addressed(HashSet::new());
    walk_steps(&body.steps, &mut found);
    found.0
}

/// Whether a sequence declares variables that belong to the braces around it.
pub(super) fn declares(steps: &[Step]) -> bool {
    let in_stmt = |stmt: &Stmt| match &stmt.kind {
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(|option| declares(option)),
        _ => false,
    };
    steps.iter().any(|step| match step {
        Step::Decl(_) => true,
        Step::Exclusive { .. } => false,
        Step::Stmt(stmt) => in_stmt(stmt),
        Step::Unless { main, escape, .. } => in_stmt(main) || in_stmt(escape),
    })
}

/// Traverses a tree.
trait Visit {
    fn decl(&mut self, _decl: &ast::Decl) {}
    fn stmt(&mut self, _stmt: &Stmt) {}
    fn expr(&mut self, e: &Expr);
}

fn walk_steps(steps: &[Step], visit: &mut impl Visit) {
    for step in steps {
        match step {
            Step::Decl(decl) => {
                visit.decl(decl);
                for var in &decl.vars {
                    match &var.init {
                        Some(Initializer::Expr(e)) => walk_expr(e, visit),
                        Some(Initializer::List(list)) => list.iter().for_each(|e| walk_expr(e, visit)),
                        Some(Initializer::Channel(_)) | None => {}
                    }
                }
            }
            Step::Exclusive { channels, .. } => channels.iter().for_each(|c| walk_ref(c, visit)),
            Step::Stmt(stmt) => walk_stmt(stmt, visit),
            Step::Unless { main, escape, .. } => {
                walk_stmt(main, visit);
                walk_stmt(escape, visit);
            }
        }
    }
}

fn walk_stmt(stmt: &Stmt, visit: &mut impl Visit) {
    visit.stmt(stmt);
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Assert(e) | StmtKind::Printm(e) => walk_expr(e, visit),
        StmtKind::Assign { target, value } => {
            walk_ref(target, visit);
            walk_expr(value, visit);
        }
        StmtKind::Send { channel, args, .. } => {
            walk_ref(channel, visit);
            args.iter().for_each(|e| walk_expr(e, visit));
        }
        StmtKind::Receive { channel, args, .. } => {
            walk_ref(channel, visit);
            walk_fields(args, visit);
        }
        StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|o| walk_steps(o, visit)),
        StmtKind::For { var, from, to, body } => {
            walk_ref(var, visit);
            walk_expr(from, visit);
            walk_expr(to, visit);
            walk_steps(&body.steps, visit);
        }
        StmtKind::ForIn { var, over, body } => {
            walk_ref(var, visit);
            walk_ref(over, visit);
            walk_steps(&body.steps, visit);
        }
        StmtKind::Select { var, from, to } => {
            walk_ref(var, visit);
            walk_expr(from, visit);
            walk_expr(to, visit);
        }
        StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
            walk_steps(&body.steps, visit)
        }
        StmtKind::Printf { args, .. } => args.iter().for_each(|e| walk_expr(e, visit)),
        StmtKind::SetPriority(a, b) => {
            walk_expr(a, visit);
            walk_expr(b, visit);
        }
        StmtKind::New { target, count, .. } => {
            walk_ref(target, visit);
            count.iter().for_each(|e| walk_expr(e, visit));
        }
        StmtKind::NewChannel { target, .. } => walk_ref(target, visit),
        StmtKind::Delete(pointer) => walk_ref(pointer, visit),
        StmtKind::Call { result, call } => {
            result.iter().for_each(|target| walk_ref(target, visit));
            walk_call(call, visit);
        }
        StmtKind::Return(ReturnValue::Call(call)) => walk_call(call, visit),
        StmtKind::Return(ReturnValue::Value(e)) => walk_expr(e, visit),
        StmtKind::Return(ReturnValue::Nothing) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Else => {}
    }
}

fn walk_call(call: &ast::Call, visit: &mut impl Visit) {
    walk_ref(&call.callee, visit);
    call.args.iter().for_each(|e| walk_expr(e, visit));
}

fn walk_fields(args: &[ReceiveArg], visit: &mut impl Visit) {
    for arg in args {
        match arg {
            ReceiveArg::Var(reference) => walk_ref(reference, visit),
            ReceiveArg::Eval(e) => walk_expr(e, visit),
            ReceiveArg::Const(..) => {}
        }
    }
}

fn walk_ref(reference: &VarRef, visit: &mut impl Visit) {
    for part in &reference.parts {
        part.index.iter().chain(&part.second).for_each(|index| walk_expr(index, visit));
    }
}

fn walk_expr(e: &Expr, visit: &mut impl Visit) {
    visit.expr(e);
    match &e.kind {
        ExprKind::Var(reference) | ExprKind::Chan(_, reference) | ExprKind::Address(reference) => {
            walk_ref(reference, visit);
        }
        ExprKind::Binary(_, a, b) => {
            walk_expr(a, visit);
            walk_expr(b, visit);
        }
        ExprKind::Unary(_, a) | ExprKind::Enabled(a) | ExprKind::PcValue(a) | ExprKind::GetPriority(a) => {
            walk_expr(a, visit);
        }
        ExprKind::Cond(c, a, b) => {
            walk_expr(c, visit);
            walk_expr(a, visit);
            walk_expr(b, visit);
        }
        ExprKind::Run { args, .. } => args.iter().for_each(|e| walk_expr(e, visit)),
        ExprKind::Poll { channel, args, .. } => {
            walk_ref(channel, visit);
            walk_fields(args, visit);
        }
        ExprKind::RemoteLabel { index, .. } => index.iter().for_each(|e| walk_expr(e, visit)),
        ExprKind::RemoteVar { index, var, .. } => {
            index.iter().chain(&var.index).for_each(|e| walk_expr(e, visit));
        }
        ExprKind::Ltl(_, a, b) => {
            walk_expr(a, visit);
            b.iter().for_each(|b| walk_expr(b, visit));
        }
        ExprKind::Const(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
    }
}
