//! Steps as plain Promela.

use super::super::ast::{Callee, Pattern, PlaceExpr, Pointee, Root, Scalar, Stmt, Type, Value};
use super::super::flow::{Act, Edge};
use super::super::run::accepts;
use super::place::{Storage, truncated};
use super::{Instance, MAX_DEPTH, MAX_TEXT, N_CELLS, N_CHANNELS, Translation};

/// Longer arrays are not made by `new`.
const MAX_LEN: usize = 3;

/// Longer sequences that belong to one step are not unrolled: a jump back may make them endless.
const MAX_UNROLLED: usize = 100;

type Code = Vec<String>;

impl Translation<'_> {
    pub(super) fn process(&mut self, idx: usize) -> Option<String> {
        let body = &self.model.processes[idx];
        if (0..body.vars.len()).any(|var| body.vars[var].scope == 0 && self.in_memory[1][idx].contains(&var))
        {
            return None;
        }
        (self.labels, self.declared) = (Default::default(), Default::default());
        let root =
            self.instance(Instance { body: idx, is_process: true, caller: None, atomic: false, depth: 0 });
        (self.length, self.depth) = (0, 0);
        let mut text = String::new();
        self.open.push((root, 0));
        self.labels.insert((root, 0));
        while let Some((instance, node)) = self.open.pop() {
            let n_edges = self.flow(instance).nodes[node].edges.len();
            let mut options = Vec::new();
            for edge in 0..n_edges {
                options.push(self.edge(instance, node, edge)?);
            }
            // A statement and a jump are one step by themselves.
            let is_jump = |stmt: &String| stmt.starts_with("goto");
            let is_short = options.iter().all(|code| match &code[..] {
                [stmt] => is_jump(stmt),
                [stmt, jump] => !stmt.starts_with("if") && is_jump(jump),
                _ => false,
            });
            let (open, close) = if is_short { ("", "") } else { ("atomic { ", " }") };
            text += &format!("  {}: {open}if\n", self.label(instance, node));
            options.iter().for_each(|option| text += &format!("    :: {}\n", option.join("; ")));
            text += &format!("    fi{close};\n");
            if text.len() > MAX_TEXT {
                return None;
            }
        }
        let mut params = Vec::new();
        for (var, param) in body.vars.iter().enumerate().take(body.n_params) {
            let name = self.named(root, var);
            self.declared.remove(&name);
            params.push(format!("int {name}"));
            if matches!(param.ty, Type::Record(_) | Type::Array(..)) {
                return None;
            }
        }
        let mut declarations = String::from("  int rv; short dl; short nl;\n");
        for name in &self.declared {
            declarations += &format!("  int {name}{};\n", self.begins_with(root, name));
        }
        Some(format!(
            "proctype {}({}) {{\n{declarations}{text}  Done: skip\n}}\n",
            body.name,
            params.join("; ")
        ))
    }

    /// What a variable of a process or scope begins with, if that is constant: scopes leave it there.
    fn begins_with(&self, root: usize, name: &str) -> String {
        for (instance, _) in self.instances.iter().enumerate().skip(root) {
            for (idx, var) in self.body(instance).vars.iter().enumerate() {
                if name == self.named(instance, idx)
                    && !self.is_in_memory(instance, idx)
                    && let Some(init) = &var.init
                    && is_constant(init)
                {
                    return format!(" = {}", self.kept(&var.ty, None, init));
                }
            }
        }
        String::new()
    }

    fn declare(&mut self, name: String) -> String {
        self.declared.insert(name.clone());
        name
    }

    /// Declares all plain variables of an instance.
    fn declare_all(&mut self, instance: usize) {
        for idx in 0..self.body(instance).vars.len() {
            let name = self.named(instance, idx);
            self.declare(name);
        }
    }

    /// The statements of an edge, up to where control is given up.
    fn edge(&mut self, instance: usize, node: usize, idx: usize) -> Option<Code> {
        self.declare_all(instance);
        let edge = self.flow(instance).nodes[node].edges[idx].clone();
        let n_open = self.flow(instance).nodes[node].scopes.len();
        let mut code = Code::new();
        for &scope in edge.scopes.get(n_open..).unwrap_or_default() {
            self.probe_scope(instance, scope, &mut code);
            self.enter(instance, scope, &mut code, None);
        }
        let stmt = match &edge.act {
            Act::EndProcess => return Some(vec!["goto Done".into()]),
            Act::EndBody => return self.give_back(instance, node, &[], None, code),
            Act::Else => {
                code.push("else".into());
                return self.moved(instance, &edge, code);
            }
            Act::Stmt(stmt) => stmt.clone(),
        };
        if !code.is_empty() && matches!(stmt, Stmt::Guard(_) | Stmt::Send(..) | Stmt::Receive(..)) {
            // Whether it can be executed is known only after the scope has been entered.
            return None;
        }
        match &stmt {
            Stmt::Call(target, callee, args) => {
                return self.call(instance, (node, idx), &edge, target.as_ref(), callee, args, code);
            }
            Stmt::Return(value) => {
                return self.give_back(instance, node, &edge.scopes, Some(value.as_ref()), code);
            }
            Stmt::ReturnCall(callee, args) => return self.tail_call(instance, &edge, callee, args, code),
            simple => self.simple(instance, simple, &mut code)?,
        }
        self.moved(instance, &edge, code)
    }

    fn simple(&mut self, instance: usize, stmt: &Stmt, code: &mut Code) -> Option<()> {
        let here = Some(instance);
        match stmt {
            Stmt::Assign(place, value @ Value::Number(_)) => {
                let (at, ty) = self.right(here, place);
                code.push(format!("{} = {}", at.text(), self.kept(&ty, here, value)));
            }
            Stmt::Assign(place, value) => {
                let (at, ty) = self.storage(here, place);
                code.push(format!("{} = {}", at.text(), self.kept(&ty, here, value)));
            }
            Stmt::New(place, pointee, len) => {
                let len = len.as_ref().map_or("1".into(), |len| self.expr(here, len));
                let (at, _) = self.storage(here, place);
                let probe = format!("mem[((({len}) >= 1 && ({len}) <= {MAX_LEN}) -> 0 : {N_CELLS})]");
                code.push(format!("nl = ({len}) + {probe} + 0 * {}", at.text()));
                let element: Type = (*pointee).into();
                let size = self.model.size(&element);
                let n_cells = size * MAX_LEN;
                self.reserve(n_cells, MAX_LEN * self.n_channels(&element), code);
                for idx in 0..MAX_LEN {
                    self.initialise(&element, &format!("free + {}", idx * size), code);
                }
                for idx in 0..n_cells {
                    code.push(format!(
                        "ok[free + {idx}] = (({idx} < {size} * nl) -> free + {idx} : {N_CELLS})"
                    ));
                }
                code.push(format!("kind[free] = {} + nl - 1", 4 * numbered(*pointee)));
                code.push(format!("{} = free * 4 + nl - 1", at.text()));
                code.push(format!("free = free + {n_cells}; nl = 0"));
            }
            Stmt::Delete(place) => {
                let (at, ty) = self.storage(here, place);
                let Type::Pointer(pointee) = ty else { panic!("only pointers are deleted") };
                let (pointer, size) = (at.text(), self.model.size(&pointee.into()));
                let kind = 4 * numbered(pointee);
                code.push(format!(
                    "dl = ok[((ok[{pointer} / 4] == {pointer} / 4 && kind[{pointer} / 4] == {kind} + ({pointer} & 3)) \
                     -> {pointer} / 4 : {N_CELLS})]"
                ));
                code.push(format!("nl = ({pointer} & 3) + 1"));
                for idx in 0..size * MAX_LEN {
                    let first = if idx == 0 { "ok[dl]".into() } else { format!("ok[dl + {idx}]") };
                    if idx < size {
                        code.push(format!("{first} = {N_CELLS}"));
                    } else {
                        // Cells after the last one were reserved with the object.
                        let reserved = format!("({idx} < {size} * nl) -> {N_CELLS} : {first}");
                        code.push(format!("{first} = ({reserved})"));
                    }
                }
                code.push("dl = 0; nl = 0".into());
            }
            Stmt::Send(channel, values) => {
                let (channel, fields) = self.channel(instance, channel);
                let values: Vec<String> =
                    fields.iter().zip(values).map(|(ty, value)| self.kept(ty, here, value)).collect();
                code.push(format!("{channel} ! {}", values.join(", ")));
            }
            Stmt::Receive(channel, patterns) => {
                let (channel, fields) = self.channel(instance, channel);
                let mut texts = Vec::new();
                for (pattern, ty) in patterns.iter().zip(&fields) {
                    texts.push(match pattern {
                        Pattern::Number(number) => number.to_string(),
                        Pattern::Pointer(pointer) => format!("eval({})", self.pointer(here, pointer)),
                        Pattern::Bind(place) => match ty {
                            Type::Scalar(_) => {
                                let (at, kept) = self.right(here, place);
                                if kept != *ty {
                                    return None;
                                }
                                at.text()
                            }
                            _ => self.storage(here, place).0.text(),
                        },
                    });
                }
                code.push(format!("{channel} ? {}", texts.join(", ")));
            }
            Stmt::Assert(condition) => code.push(format!("assert({})", self.expr(here, condition))),
            Stmt::Guard(condition) => code.push(format!("({})", self.expr(here, condition))),
            Stmt::Run(process, args) => {
                let types: Vec<Type> =
                    self.model.processes[*process].vars.iter().map(|var| var.ty.clone()).collect();
                let args: Vec<String> =
                    types.iter().zip(args).map(|(ty, arg)| self.kept(ty, here, arg)).collect();
                code.push(format!("run {}({})", self.model.processes[*process].name, args.join(", ")));
            }
            _ => code.push("skip".into()),
        }
        Some(())
    }

    /// A channel as plain Promela names it, and the types of its fields.
    fn channel(&self, instance: usize, place: &PlaceExpr) -> (String, Vec<Type>) {
        let (at, ty) = self.storage(Some(instance), place);
        let Type::Channel(_, fields) = ty else { panic!("{ty:?} is not a channel") };
        match at {
            Storage::Named(name) => (name, fields),
            cell => (format!("och[{}]", cell.text()), fields),
        }
    }

    /// Ends the process if there are not enough cells and channels left.
    fn reserve(&self, n_cells: usize, n_channels: usize, code: &mut Code) {
        let (cells, channels) = (N_CELLS - n_cells.min(N_CELLS), N_CHANNELS - n_channels.min(N_CHANNELS));
        code.push(format!(
            "if :: (free < {cells} && n_chans <= {channels}) :: else -> spent = 1; goto Done fi"
        ));
    }

    /// Enters a scope: what lies in memory gets cells, the rest begins with its values.
    fn enter(&mut self, instance: usize, scope: usize, code: &mut Code, args: Option<&[String]>) {
        let body = self.body(instance);
        for (idx, var) in body.vars.iter().enumerate().filter(|(_, var)| var.scope == scope) {
            let name = self.named(instance, idx);
            let value = match (args.and_then(|args| args.get(idx)), &var.init) {
                (Some(arg), _) if idx < body.n_params => Some(arg.clone()),
                (_, Some(init)) => Some(self.kept(&var.ty, Some(instance), init)),
                _ => None,
            };
            if self.is_in_memory(instance, idx) {
                let size = self.model.size(&var.ty);
                self.reserve(size, self.n_channels(&var.ty), code);
                self.initialise(&var.ty, "free", code);
                (0..size).for_each(|idx| code.push(format!("ok[free + {idx}] = free + {idx}")));
                code.push(format!("{name} = free; free = free + {size}"));
                code.extend(value.map(|value| format!("mem[{name}] = {value}")));
            } else if scope == 0 {
                code.push(format!("{name} = {}", value.unwrap_or("0".into())));
            } else if let (Some(value), Some(init)) = (value, &var.init)
                && !is_constant(init)
            {
                code.push(format!("{name} = {value}"));
            }
        }
    }

    /// Evaluates what a scope begins with, if that can go wrong.
    fn probe_scope(&self, instance: usize, scope: usize, code: &mut Code) {
        for var in self.body(instance).vars.iter().filter(|var| var.scope == scope) {
            if let Some(init) = var.init.as_ref().filter(|init| !is_constant(init)) {
                code.push(probe(&[self.kept(&var.ty, Some(instance), init)]));
            }
        }
    }

    /// Leaves a scope: what lies in memory dies, the rest is as it was outside.
    fn leave(&self, instance: usize, scope: usize, code: &mut Code) {
        for (idx, var) in self.body(instance).vars.iter().enumerate().filter(|(_, var)| var.scope == scope) {
            let name = self.named(instance, idx);
            if self.is_in_memory(instance, idx) {
                let size = self.model.size(&var.ty);
                (0..size).for_each(|idx| code.push(format!("ok[{name} + {idx}] = {N_CELLS}")));
                code.push(format!("{name} = 0"));
            } else {
                let outside = match &var.init {
                    Some(init) if scope > 0 && is_constant(init) => self.kept(&var.ty, None, init),
                    _ => "0".into(),
                };
                code.push(format!("{name} = {outside}"));
            }
        }
    }

    /// After a statement: leaves scopes, and goes on or gives up control.
    fn moved(&mut self, instance: usize, edge: &Edge, mut code: Code) -> Option<Code> {
        self.leave_for(instance, edge, &edge.scopes, &mut code);
        let keeps =
            self.instances[instance].atomic || edge.atomic && self.flow(instance).nodes[edge.to].keeps;
        if keeps {
            return self.go_on(instance, edge.to, code);
        }
        code.push(self.jump(instance, edge.to));
        Some(code)
    }

    fn leave_for(&self, instance: usize, edge: &Edge, open: &[usize], code: &mut Code) {
        let kept = &self.flow(instance).nodes[edge.to].scopes;
        let n_kept = open.iter().zip(kept).take_while(|(a, b)| a == b).count();
        open[n_kept..].iter().rev().for_each(|&scope| self.leave(instance, scope, code));
    }

    fn jump(&mut self, instance: usize, node: usize) -> String {
        if self.labels.insert((instance, node)) {
            self.open.push((instance, node));
        }
        format!("goto {}", self.label(instance, node))
    }

    /// The label of a place; a process may rest where it may in the model.
    fn label(&self, instance: usize, node: usize) -> String {
        let may_end = self.flow(instance).nodes[node].may_end;
        format!("{}L{instance}_{node}", if may_end { "end" } else { "" })
    }

    /// Goes on behind a call or return, but for a place that others can see.
    fn go_on_joined(&mut self, instance: usize, node: usize, mut code: Code) -> Option<Code> {
        if self.flow(instance).nodes[node].labelled && !self.instances[instance].atomic {
            code.push(self.jump(instance, node));
            return Some(code);
        }
        self.go_on(instance, node, code)
    }

    /// Goes on in the same step.
    fn go_on(&mut self, instance: usize, node: usize, mut code: Code) -> Option<Code> {
        let n_edges = self.flow(instance).nodes[node].edges.len();
        let mut options = Vec::new();
        self.depth += 1;
        if self.depth > MAX_UNROLLED {
            return None;
        }
        for edge in 0..n_edges {
            options.push(self.edge(instance, node, edge)?);
        }
        self.depth -= 1;
        self.length += options.iter().flatten().map(String::len).sum::<usize>();
        if self.length > MAX_TEXT * 10 {
            return None;
        }
        if options.len() == 1 {
            code.extend(options.pop()?);
        } else {
            let texts: Vec<String> =
                options.iter().map(|option| format!(":: {}", option.join("; "))).collect();
            code.push(format!("if {} fi", texts.join(" ")));
        }
        Some(code)
    }

    #[allow(clippy::too_many_arguments, reason = "a call has this many parts")]
    fn call(
        &mut self,
        instance: usize,
        (node, idx): (usize, usize),
        edge: &Edge,
        target: Option<&PlaceExpr>,
        callee: &Callee,
        args: &[Value],
        mut code: Code,
    ) -> Option<Code> {
        let atomic = self.instances[instance].atomic || edge.atomic;
        let depth = self.instances[instance].depth + 1;
        let caller = Some((instance, node, idx));
        let to = |body| Instance { body, is_process: false, caller, atomic, depth };
        self.dispatch(instance, callee, args, target, &mut code, to, None)
    }

    fn tail_call(
        &mut self,
        instance: usize,
        edge: &Edge,
        callee: &Callee,
        args: &[Value],
        mut code: Code,
    ) -> Option<Code> {
        let Instance { caller, atomic, depth, .. } = self.instances[instance];
        // The same frame serves again; but what is unrolled must come to an end.
        let depth = depth + usize::from(atomic);
        let to = |body| Instance { body, is_process: false, caller, atomic, depth };
        self.dispatch(instance, callee, args, None, &mut code, to, Some(&edge.scopes))
    }

    /// Calls one function, or whichever an `ftype` holds; `ending` are the scopes of a frame that ends
    /// before.
    #[allow(clippy::too_many_arguments, reason = "a call has this many parts")]
    fn dispatch(
        &mut self,
        instance: usize,
        callee: &Callee,
        args: &[Value],
        target: Option<&PlaceExpr>,
        code: &mut Code,
        to: impl Fn(usize) -> Instance,
        ending: Option<&[usize]>,
    ) -> Option<Code> {
        let mut parts: Vec<String> =
            args.iter().map(|arg| self.kept(&Type::Function, Some(instance), arg)).collect();
        let fitting = match callee {
            Callee::Named(function) => vec![*function],
            Callee::Held(_) => self.fitting(instance, args, target),
        };
        if let Callee::Held(place) = callee {
            let held = self.storage(Some(instance), place).0.text();
            let fits: Vec<String> =
                fitting.iter().map(|function| format!("{held} == {}", function + 1)).collect();
            let fits = if fits.is_empty() { format!("{held} < 0") } else { fits.join(" || ") };
            parts.push(format!("mem[(({fits}) -> 0 : {N_CELLS})]"));
        }
        if let (Some(place), Some(&function)) = (target, fitting.first()) {
            parts.push(self.aimed(instance, place, self.model.functions[function].result.as_ref()?).0.text());
        }
        code.push(probe(&parts));
        let mut temporaries = Vec::new();
        for (idx, arg) in args.iter().enumerate() {
            let name = self.declare(format!("a{idx}"));
            let value = self.kept(&Type::Function, Some(instance), arg);
            code.push(format!("{name} = {value}"));
            temporaries.push(name);
        }
        let clear: Code = temporaries.iter().map(|name| format!("{name} = 0")).collect();
        let enter = |this: &mut Self, function: usize| -> Option<Code> {
            let wanted = to(function);
            let mut code = Code::new();
            if wanted.depth > MAX_DEPTH {
                return Some(vec!["spent = 1".into(), "goto Done".into()]);
            }
            let callee = &this.model.functions[function];
            if let Some(place) = target {
                this.aim(instance, place, callee.result.as_ref(), &mut code)?;
            }
            if let Some(scopes) = ending {
                this.end_frame(instance, scopes, &mut code);
            }
            let new = this.instance(wanted);
            this.declare_all(new);
            let kept: Vec<String> =
                callee.vars.iter().zip(&temporaries).map(|(var, name)| truncated(&var.ty, name)).collect();
            this.enter(new, 0, &mut code, Some(&kept));
            code.extend(clear.iter().cloned());
            this.go_on_joined(new, 0, code)
        };
        match callee {
            Callee::Named(function) => {
                let function = *function;
                code.extend(enter(self, function)?);
            }
            Callee::Held(place) => {
                let held = self.storage(Some(instance), place).0.text();
                let mut options = Vec::new();
                for function in fitting {
                    let body = enter(self, function)?;
                    options.push(format!(":: {held} == {} -> {}", function + 1, body.join("; ")));
                }
                options.push(format!(":: else -> mem[{N_CELLS} + {held}] = 0; goto Done"));
                code.push(format!("if {} fi", options.join(" ")));
            }
        }
        Some(std::mem::take(code))
    }

    /// The functions that an `ftype` may hold at a call.
    fn fitting(&self, instance: usize, args: &[Value], target: Option<&PlaceExpr>) -> Vec<usize> {
        let caller = self.body(instance);
        let ty = target.map(|place| self.model.type_of(Some(caller), place));
        let gives = |result: Option<&Type>| match (&ty, result) {
            (None, _) => true,
            (Some(Type::Scalar(_) | Type::Pointer(Pointee::Scalar(_))), Some(Type::Scalar(_))) => true,
            (Some(ty), result) => result == Some(ty),
        };
        let fits = |&function: &usize| {
            accepts(self.model, function, caller, args)
                && gives(self.model.functions[function].result.as_ref())
        };
        (0..self.model.functions.len()).filter(fits).collect()
    }

    /// Evaluates where a result goes, if that can be wrong or change.
    fn aim(
        &mut self,
        instance: usize,
        place: &PlaceExpr,
        result: Option<&Type>,
        code: &mut Code,
    ) -> Option<()> {
        let (at, _) = self.aimed(instance, place, result?);
        if let Storage::Cell(cell, known) = at {
            let name = self.declare(format!("t{instance}"));
            code.push(if known { format!("{name} = {cell}") } else { format!("{name} = ok[{cell}]") });
        }
        Some(())
    }

    fn aimed(&self, instance: usize, place: &PlaceExpr, result: &Type) -> (Storage, Type) {
        match result {
            Type::Scalar(_) => self.right(Some(instance), place),
            _ => self.storage(Some(instance), place),
        }
    }

    /// Ends all scopes of a frame.
    fn end_frame(&self, instance: usize, scopes: &[usize], code: &mut Code) {
        scopes.iter().rev().for_each(|&scope| self.leave(instance, scope, code));
        self.leave(instance, 0, code);
    }

    /// Returns; no value if the end of the body was reached.
    fn give_back(
        &mut self,
        instance: usize,
        node: usize,
        scopes: &[usize],
        value: Option<Option<&Value>>,
        mut code: Code,
    ) -> Option<Code> {
        let result = self.body(instance).result.clone();
        let scopes =
            if value.is_none() { self.flow(instance).nodes[node].scopes.clone() } else { scopes.into() };
        let (caller, node, idx) = self.instances[instance].caller?;
        let edge = self.flow(caller).nodes[node].edges[idx].clone();
        let Act::Stmt(Stmt::Call(target, ..)) = &edge.act else { panic!("a frame is made by a call") };
        let in_memory = match (target, &result) {
            (Some(place), Some(ty)) => matches!(self.aimed(caller, place, ty).0, Storage::Cell(..)),
            _ => false,
        };
        match (value, &result) {
            (Some(Some(value)), Some(ty)) => {
                let value = self.kept(ty, Some(instance), value);
                let checked = if in_memory { format!(" + 0 * mem[ok[t{caller}]]") } else { String::new() };
                code.push(format!("rv = {value}{checked}"));
            }
            _ if target.is_some() => code.push(format!("mem[{N_CELLS} + dl] = 0")),
            _ => {}
        }
        self.end_frame(instance, &scopes, &mut code);
        if let (Some(place), Some(Some(_)), Some(ty)) = (target, value, &result) {
            let (at, kept) = self.aimed(caller, place, ty);
            let at = match at {
                Storage::Named(name) => name,
                Storage::Cell(..) => format!("mem[ok[t{caller}]]"),
            };
            code.push(format!("{at} = {}", truncated(&kept, "rv")));
            if in_memory {
                code.push(format!("t{caller} = 0"));
            }
        }
        code.push("rv = 0".into());
        self.leave_for(caller, &edge, &edge.scopes, &mut code);
        // An atomic sequence that ends with the call ends with its return.
        let keeps = self.instances[caller].atomic || edge.atomic && self.flow(caller).nodes[edge.to].keeps;
        if keeps {
            return self.go_on(caller, edge.to, code);
        }
        if self.instances[instance].atomic {
            code.push(self.jump(caller, edge.to));
            return Some(code);
        }
        self.go_on_joined(caller, edge.to, code)
    }
}

/// A statement that goes wrong if one of its parts does, and changes nothing: what takes several statements
/// goes wrong before the first.
fn probe(parts: &[String]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("({part})")).collect();
    if parts.is_empty() { "rv = 0".into() } else { format!("rv = 0 * ({})", parts.join(" + ")) }
}

/// Whether a scope can leave a variable with this value outside.
fn is_constant(value: &Value) -> bool {
    use super::super::ast::{Expr, Pointer};
    match value {
        Value::Number(Expr::Const(_)) | Value::Pointer(Pointer::Null) => true,
        Value::Pointer(Pointer::Address(place)) => {
            matches!(place.root, Root::Global(_)) && place.path.is_empty()
        }
        _ => false,
    }
}

/// A number for what `new` makes, not 0: that is the kind of everything else.
fn numbered(pointee: Pointee) -> usize {
    match pointee {
        Pointee::Scalar(Scalar::Byte) => 1,
        Pointee::Scalar(Scalar::Int) => 2,
        Pointee::Record(record) => 3 + record,
    }
}
