//! Random statements.

use super::super::ast::{
    Callee, Expr, Function, Op, Pattern, PlaceExpr, Pointee, Pointer, Root, Scalar, Stmt, Type, Value,
};
use super::expr::Use;
use super::{BYTE, Draw, Reach, constant};

impl Draw {
    /// The statements of the outermost scope; a function with a result ends with `return`, most often.
    pub(super) fn body_statements(&mut self, is_function: bool) {
        let n_statements = self.context.budget;
        let mut stmts = if is_function { Vec::new() } else { self.allocations() };
        stmts.extend(self.statements(n_statements));
        if is_function && self.body().result.is_some() && self.rng.chance(95) {
            stmts.push(self.return_statement());
        }
        if stmts.is_empty() {
            stmts.push(Stmt::Skip);
        }
        self.body().stmts = stmts;
    }

    /// Gives local pointers something to refer to.
    fn allocations(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for idx in self.context.visible.clone() {
            if let Type::Pointer(pointee) = self.body().vars[idx].ty
                && idx >= self.body().n_params
                && self.rng.chance(65)
            {
                stmts.push(Stmt::New(PlaceExpr::of(Root::Local(idx)), pointee, None));
                self.context.good.push(Root::Local(idx));
            }
        }
        stmts
    }

    fn statements(&mut self, n_statements: u32) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..n_statements {
            if self.context.budget == 0 {
                break;
            }
            self.context.budget -= 1;
            let is_first = stmts.is_empty();
            stmts.extend(self.statement(is_first));
        }
        stmts
    }

    /// One statement or none; where options may begin, nothing that begins with `else`.
    fn statement(&mut self, is_first: bool) -> Option<Stmt> {
        let depth = self.context.depth;
        match self.rng.below(100) {
            0..20 => self.assignment(),
            20..34 => self.pointing(),
            34..41 => self.allocation(),
            41..46 => self.deletion(),
            46..62 => self.call(),
            62..70 => self.communication(),
            70..75 => {
                let condition = self.condition();
                Some(Stmt::Assert(condition))
            }
            75..77 => {
                let condition = self.condition();
                Some(Stmt::Guard(condition))
            }
            77..87 if depth < 2 && !is_first => Some(self.selection()),
            87..90 if depth < 2 && self.may_repeat() => Some(self.repetition()),
            90..94 if depth < 2 && !self.context.is_atomic => Some(self.atomic()),
            94..98 if depth < 2 => Some(self.scope()),
            98.. => self.run(),
            _ => self.assignment(),
        }
    }

    /// A translation unrolls atomic sequences, so loops are not in its way there.
    fn may_repeat(&self) -> bool {
        let is_free = self.context.function.is_none() && !self.context.is_atomic;
        self.context.loops == 0 && (is_free || self.reach == Reach::Full)
    }

    fn assignment(&mut self) -> Option<Stmt> {
        if self.rng.chance(8) {
            let place = self.place(&Type::Function, Use::Write)?;
            let function = self.some_function();
            return Some(Stmt::Assign(place, Value::Function(function)));
        }
        let scalar = if self.rng.chance(85) { Scalar::Byte } else { Scalar::Int };
        let place = self.place(&Type::Scalar(scalar), Use::Write)?;
        let is_pointer = matches!(self.type_of(&place), Type::Pointer(_));
        if !is_pointer && self.rng.chance(15) {
            // The bare right value of a pointer.
            let from = self.place(&BYTE, Use::Read)?;
            return Some(Stmt::Assign(place, Value::Number(Expr::Read(from))));
        }
        let number = self.number();
        Some(Stmt::Assign(place, Value::Number(number)))
    }

    /// An assignment of a reference.
    fn pointing(&mut self) -> Option<Stmt> {
        let pointee = match self.rng.below(10) {
            0..7 => Pointee::Record(self.rng.below(self.model.records.len() as u32) as usize),
            _ => Pointee::Scalar(Scalar::Byte),
        };
        let place = self.place(&Type::Pointer(pointee), Use::Write)?;
        let pointer = self.pointer(pointee);
        if place.path.is_empty() {
            let is_good = match &pointer {
                Pointer::Null => false,
                Pointer::Address(_) => true,
                Pointer::Left(from) => from.path.is_empty() && self.context.good.contains(&from.root),
            };
            self.set_good(place.root, is_good);
        }
        Some(Stmt::Assign(place, Value::Pointer(pointer)))
    }

    fn set_good(&mut self, root: Root, is_good: bool) {
        self.context.good.retain(|&other| other != root);
        if is_good {
            self.context.good.push(root);
        }
    }

    fn allocation(&mut self) -> Option<Stmt> {
        if self.context.loops > 0 && self.rng.chance(50) {
            return None;
        }
        let pointee = self.pointee();
        let place = self.place(&Type::Pointer(pointee), Use::Write)?;
        let len = match self.rng.below(10) {
            0 => Some(Expr::Const(self.rng.below(4) as i32)),
            1 => {
                let less = self.comparison();
                Some(Expr::Binary(Op::Add, Box::new(less), Box::new(Expr::Const(1))))
            }
            _ => None,
        };
        if place.path.is_empty() {
            self.set_good(place.root, true);
        }
        Some(Stmt::New(place, pointee, len))
    }

    fn deletion(&mut self) -> Option<Stmt> {
        let pointee = self.pointee();
        let place = self.place(&Type::Pointer(pointee), Use::Read)?;
        if place.path.is_empty() {
            if self.rng.chance(70) && !self.context.good.contains(&place.root) {
                return None;
            }
            self.set_good(place.root, false);
        }
        Some(Stmt::Delete(place))
    }

    /// The functions that can be called here.
    pub(super) fn callable(&self) -> Vec<usize> {
        let first = self.context.function.map_or(0, |function| function + 1);
        let fits = |&idx: &usize| !self.uses_rendezvous[idx] || self.may_rendezvous();
        (first..self.model.functions.len()).filter(fits).collect()
    }

    fn may_rendezvous(&self) -> bool {
        self.context.may_rendezvous && !self.context.is_atomic
    }

    pub(super) fn arguments(&mut self, function: usize) -> Vec<Value> {
        let body = &self.model.functions[function];
        let types: Vec<Type> = body.vars[..body.n_params].iter().map(|var| var.ty.clone()).collect();
        let mut args: Vec<Value> = types.iter().map(|ty| self.value(ty)).collect();
        if self.recursive[function] {
            args[0] = constant(self.rng.below(3) as i32);
        }
        args
    }

    fn call(&mut self) -> Option<Stmt> {
        let callable = self.callable();
        if self.rng.chance(15) && self.may_rendezvous() && self.context.function.is_none() {
            return self.call_through();
        }
        let &function = self.rng.pick_any(&callable)?;
        let args = self.arguments(function);
        let target = match self.model.functions[function].result.clone() {
            Some(ty) if self.rng.chance(85) => self.place(&ty, Use::Write),
            _ => None,
        };
        Some(Stmt::Call(target, Callee::Named(function), args))
    }

    /// A call of what an `ftype` holds, most often right after it was assigned.
    fn call_through(&mut self) -> Option<Stmt> {
        let place = self.place(&Type::Function, Use::Write)?;
        let function = self.some_function();
        let Function::Named(named) = function else { return None };
        let args = self.arguments(named);
        let target = match self.model.functions[named].result.clone() {
            Some(ty) if ty == BYTE && self.rng.chance(50) => self.place(&ty, Use::Write),
            _ => None,
        };
        let call = Stmt::Call(target, Callee::Held(place.clone()), args);
        if self.rng.chance(15) {
            return Some(call);
        }
        let assign = Stmt::Assign(place, Value::Function(function));
        Some(Stmt::If(vec![vec![assign, call]], None))
    }

    fn return_statement(&mut self) -> Stmt {
        let Some(result) = self.body().result.clone() else { return Stmt::Return(None) };
        let callable = self.callable();
        let same = |&idx: &usize| self.model.functions[idx].result.as_ref() == Some(&result);
        let tail: Vec<usize> = callable.into_iter().filter(same).collect();
        if let Some(&function) = self.rng.pick_any(&tail)
            && self.rng.chance(30)
        {
            let args = self.arguments(function);
            return Stmt::ReturnCall(Callee::Named(function), args);
        }
        let value = self.value(&result);
        Stmt::Return(Some(value))
    }

    /// A body that calls itself with a smaller number, until that is zero.
    pub(super) fn recursion(&mut self, function: usize) {
        let counter = PlaceExpr::of(Root::Local(0));
        let compare = |op| Expr::Binary(op, Box::new(Expr::Read(counter.clone())), Box::new(Expr::Const(0)));
        let stop = vec![Stmt::Guard(compare(Op::Equal)), self.return_statement()];
        let mut again = vec![Stmt::Guard(compare(Op::Differs))];
        self.context.depth += 1;
        self.context.loops += 1;
        let n_statements = self.rng.below(2);
        again.extend(self.statements(n_statements));
        let mut args = self.arguments(function);
        let less = Expr::Binary(Op::Sub, Box::new(Expr::Read(counter.clone())), Box::new(Expr::Const(1)));
        args[0] = Value::Number(less);
        let result = self.body().result.clone();
        match result {
            Some(_) if self.rng.chance(40) => again.push(Stmt::ReturnCall(Callee::Named(function), args)),
            Some(ty) => {
                let target = self.place(&ty, Use::Write);
                again.push(Stmt::Call(target, Callee::Named(function), args));
                let value = self.value(&ty);
                again.push(Stmt::Return(Some(value)));
            }
            None => again.push(Stmt::Call(None, Callee::Named(function), args)),
        }
        self.body().stmts = vec![Stmt::If(vec![stop, again], None)];
    }

    fn channels(&self) -> Vec<(PlaceExpr, usize, Vec<Type>)> {
        let mut found = Vec::new();
        for (idx, global) in self.model.globals.iter().enumerate() {
            if let Type::Channel(capacity, fields) = &global.ty
                && (*capacity > 0 || self.may_rendezvous())
            {
                found.push((PlaceExpr::of(Root::Global(idx)), *capacity, fields.clone()));
            }
        }
        for &root in &self.context.good {
            let is_visible = match root {
                Root::Global(_) => true,
                Root::Local(idx) => self.context.visible.contains(&idx),
            };
            if !is_visible {
                continue;
            }
            if let Type::Pointer(Pointee::Record(record)) = self.type_of(&PlaceExpr::of(root)) {
                for (field, var) in self.model.records[record].fields.iter().enumerate() {
                    if let Type::Channel(capacity, fields) = &var.ty {
                        found.push((PlaceExpr::of(root).field(field), *capacity, fields.clone()));
                    }
                }
            }
        }
        found
    }

    /// The global pointer that every model has.
    fn top(&self) -> Root {
        let top = self.model.globals.iter().position(|global| global.name == "top");
        Root::Global(top.expect("every model has it"))
    }

    fn communication(&mut self) -> Option<Stmt> {
        let channels = self.channels();
        let (channel, capacity, fields) = self.rng.pick_any(&channels)?.clone();
        if self.rng.chance(60) {
            if capacity == 0 {
                // SPIN evaluates what is offered also if there is no receiver: it must not go wrong.
                let values = fields.iter().map(|ty| match ty {
                    Type::Pointer(_) => Value::Pointer(Pointer::Left(PlaceExpr::of(self.top()))),
                    _ => Value::Number(Expr::Read(PlaceExpr::of(Root::Global(0)))),
                });
                return Some(Stmt::Send(channel, values.collect()));
            }
            let values = fields.iter().map(|ty| self.value(ty)).collect();
            return Some(Stmt::Send(channel, values));
        }
        self.receive(&channel, &fields)
    }

    fn receive(&mut self, channel: &PlaceExpr, fields: &[Type]) -> Option<Stmt> {
        let mut patterns = Vec::new();
        for ty in fields {
            let drawn = self.rng.below(10);
            patterns.push(match ty {
                Type::Pointer(_) if drawn == 0 => Pattern::Pointer(Pointer::Null),
                Type::Pointer(pointee) if drawn == 1 => Pattern::Pointer(self.pointer(*pointee)),
                Type::Scalar(_) if drawn < 2 => Pattern::Number(self.rng.below(3) as i32),
                ty => {
                    let place = self.place(ty, Use::Write)?;
                    if place.path.is_empty() && matches!(ty, Type::Pointer(_)) {
                        let is_good = self.rng.chance(50);
                        self.set_good(place.root, is_good);
                    }
                    Pattern::Bind(place)
                }
            });
        }
        Some(Stmt::Receive(channel.clone(), patterns))
    }

    /// Statements that may not be executed: what they make of pointers is not relied on.
    fn inner(&mut self, n_statements: u32) -> Vec<Stmt> {
        let good = self.context.good.clone();
        self.context.depth += 1;
        let stmts = self.statements(n_statements);
        self.context.depth -= 1;
        let after = self.context.good.clone();
        self.context.good = good.into_iter().filter(|root| after.contains(root)).collect();
        stmts
    }

    fn selection(&mut self) -> Stmt {
        let drawn = self.rng.below(10);
        if drawn < 4 {
            // A pointer is tested before it is used.
            let pointee = Pointee::Record(0);
            if let Some(place) = self.place(&Type::Pointer(pointee), Use::Read) {
                let guard = Stmt::Guard(Expr::Same(false, Pointer::Left(place.clone()), Pointer::Null));
                let good = self.context.good.clone();
                if place.path.is_empty() {
                    self.set_good(place.root, true);
                }
                let mut option = vec![guard];
                option.extend(self.inner(2));
                self.context.good = good;
                return Stmt::If(vec![option], Some(Vec::new()));
            }
        }
        let mut options = Vec::new();
        for _ in 0..self.rng.range(1, 2) {
            let mut option = Vec::new();
            if self.rng.chance(60) {
                let condition = self.condition();
                option.push(Stmt::Guard(condition));
            }
            option.extend(self.inner(2));
            if option.is_empty() {
                option.push(Stmt::Skip);
            }
            if self.context.function.is_some() && self.body().result.is_some() && self.rng.chance(25) {
                option.push(self.return_statement());
            }
            options.push(option);
        }
        let all_guarded =
            options.iter().all(|option| matches!(option[0], Stmt::Guard(_) | Stmt::Receive(..)));
        let has_rendezvous = options.iter().any(|option| matches!(option[0], Stmt::Receive(..)));
        let otherwise = (all_guarded && !has_rendezvous && self.rng.chance(85)).then(|| self.inner(1));
        Stmt::If(options, otherwise)
    }

    fn repetition(&mut self) -> Stmt {
        let n = self.body().vars.len();
        let counter = self.declare(&format!("i{n}"), BYTE, None, 0);
        self.context.fixed.push(counter);
        self.context.loops += 1;
        let body = self.inner(2);
        self.context.loops -= 1;
        Stmt::Repeat(PlaceExpr::of(Root::Local(counter)), self.rng.range(1, 2) as i32, body)
    }

    fn atomic(&mut self) -> Stmt {
        self.context.is_atomic = true;
        let mut stmts = self.inner(3);
        let callable = self.callable();
        if let Some(&function) = self.rng.pick_any(&callable)
            && !stmts.is_empty()
            && self.rng.chance(35)
        {
            // It ends with a call, in a selection.
            let args = self.arguments(function);
            let call = Stmt::Call(None, Callee::Named(function), args);
            let condition = self.condition();
            stmts.push(Stmt::If(vec![vec![Stmt::Guard(condition), call]], Some(Vec::new())));
        }
        self.context.is_atomic = false;
        if stmts.is_empty() {
            stmts.push(Stmt::Skip);
        }
        Stmt::Atomic(stmts)
    }

    /// Whether a record has a channel: then it is no variable of a scope.
    fn has_channel(&self, record: usize) -> bool {
        self.model.records[record].fields.iter().any(|field| matches!(field.ty, Type::Channel(..)))
    }

    /// A scope with a variable of its own, which may hide one outside.
    fn scope(&mut self) -> Stmt {
        self.context.n_scopes += 1;
        let scope = self.context.n_scopes;
        let visible = self.context.visible.clone();
        let n = self.body().vars.len();
        let mut name = format!("s{n}");
        let hidden: Vec<usize> =
            visible.iter().copied().filter(|idx| !self.context.fixed.contains(idx)).collect();
        let hides = self.rng.chance(25).then(|| self.rng.pick_any(&hidden).copied()).flatten();
        if let Some(idx) = hides {
            name = self.body().vars[idx].name.clone();
            self.context.visible.retain(|&other| other != idx);
        }
        let (ty, init) = match self.rng.below(10) {
            0..5 => (BYTE, self.rng.chance(70).then(|| constant(self.rng.range(1, 3) as i32))),
            5 => {
                let number = self.number();
                (BYTE, Some(Value::Number(number)))
            }
            6 if !self.has_channel(0) => (Type::Record(0), None),
            6 | 7 => (Type::Array(Box::new(BYTE), 2), None),
            _ => {
                let pointer = self.pointer(Pointee::Scalar(Scalar::Byte));
                (Type::Pointer(Pointee::Scalar(Scalar::Byte)), Some(Value::Pointer(pointer)))
            }
        };
        let idx = self.declare(&name, ty.clone(), init, scope);
        let mut stmts = Vec::new();
        if self.reach == Reach::Translatable || self.rng.chance(50) {
            // Always executable, and it cannot go wrong.
            let place = self.place(&Type::Pointer(Pointee::Scalar(Scalar::Byte)), Use::Write);
            let place = place.filter(|place| place.path.is_empty() && matches!(ty, Type::Scalar(_)));
            let assign = place.map(|place| {
                Stmt::Assign(place, Value::Pointer(Pointer::Address(PlaceExpr::of(Root::Local(idx)))))
            });
            let number = constant(self.rng.below(3) as i32);
            let assign = assign.unwrap_or(Stmt::Assign(PlaceExpr::of(Root::Global(0)), number));
            stmts.push(assign);
        }
        stmts.extend(self.inner(3));
        if stmts.is_empty() {
            stmts.push(Stmt::Skip);
        }
        let counters: Vec<usize> = self.context.fixed.clone();
        let is_kept = |idx: &usize| visible.contains(idx) || counters.contains(idx);
        let all: Vec<usize> = (0..self.body().vars.len()).filter(is_kept).collect();
        self.context.visible = all;
        self.context.good.retain(|&root| root != Root::Local(idx));
        Stmt::Scope(scope, stmts)
    }

    fn run(&mut self) -> Option<Stmt> {
        let last = self.model.processes.len().checked_sub(1)?;
        let is_child = self.context.body.as_ref().is_some_and(|body| body.name == "child");
        if self.context.function.is_some() || is_child || self.model.processes[last].n_active > 0 {
            return None;
        }
        if self.context.loops > 0 {
            return None;
        }
        let pointer = self.pointer(Pointee::Record(0));
        Some(Stmt::Run(last, vec![Value::Number(self.number()), Value::Pointer(pointer)]))
    }
}
