//! The text of a dynamic model.

use super::ast::{
    Body, Callee, Expr, Function, Label, Model, Op, Pattern, PlaceExpr, Pointee, Pointer, Root, Scalar,
    Select, Stmt, Type, Value, Variable,
};
use std::fmt::Write;

/// The text of a model.
#[must_use]
pub fn print(model: &Model) -> String {
    let mut printer = Printer { model, body: None, text: String::new(), depth: 0 };
    for record in &model.records {
        let fields: Vec<String> = record.fields.iter().map(|field| printer.declaration(field)).collect();
        printer.line(&format!("typedef {} {{ {} }}", record.name, fields.join("; ")));
    }
    for global in &model.globals {
        let declaration = printer.declaration(global);
        printer.line(&format!("{declaration};"));
    }
    for function in &model.functions {
        let result = function.result.as_ref().map(|ty| match ty {
            Type::Pointer(pointee) => format!(" : {} &", printer.pointee(*pointee)),
            ty => format!(" : {}", printer.type_name(ty)),
        });
        let head = format!("function {}({})", function.name, printer.params(function));
        printer.body(function, &(head + &result.unwrap_or_default()));
    }
    for process in &model.processes {
        let active = match process.n_active {
            0 => String::new(),
            1 => "active ".into(),
            n => format!("active [{n}] "),
        };
        let head = format!("{active}proctype {}({})", process.name, printer.params(process));
        printer.body(process, &head);
    }
    printer.text
}

/// The sign of an operator.
pub(super) fn sign(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Equal => "==",
        Op::Differs => "!=",
        Op::Less => "<",
        Op::AtLeast => ">=",
        Op::And => "&&",
        Op::Or => "||",
    }
}

struct Printer<'m> {
    model: &'m Model,
    body: Option<&'m Body>,
    text: String,
    depth: usize,
}

impl<'m> Printer<'m> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * self.depth);
    }

    fn params(&self, body: &'m Body) -> String {
        let params: Vec<String> =
            body.vars[..body.n_params].iter().map(|var| self.declaration(var)).collect();
        params.join("; ")
    }

    fn pointee(&self, pointee: Pointee) -> String {
        self.type_name(&pointee.into())
    }

    fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(Scalar::Byte) => "byte".into(),
            Type::Scalar(Scalar::Int) => "int".into(),
            Type::Pointer(pointee) => self.pointee(*pointee),
            Type::Function => "ftype".into(),
            Type::Record(record) => self.model.records[*record].name.clone(),
            Type::Channel(..) => "chan".into(),
            Type::Array(element, _) => self.type_name(element),
        }
    }

    fn declaration(&self, var: &Variable) -> String {
        let (element, len) = match &var.ty {
            Type::Array(element, len) => (&**element, format!("[{len}]")),
            ty => (ty, String::new()),
        };
        let sign = if matches!(element, Type::Pointer(_)) { "&" } else { "" };
        let mut text = format!("{} {sign}{}{len}", self.type_name(element), var.name);
        if let Type::Channel(capacity, fields) = element {
            let field = |ty: &Type| {
                let sign = if matches!(ty, Type::Pointer(_)) { " &" } else { "" };
                self.type_name(ty) + sign
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            let _ = write!(text, " = [{capacity}] of {{ {} }}", fields.join(", "));
        }
        if let Some(init) = &var.init {
            let _ = write!(text, " = {}", self.value(init));
        }
        text
    }

    fn body(&mut self, body: &'m Body, head: &str) {
        self.body = Some(body);
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.declarations(body, 0);
        self.statements(&body.stmts);
        self.depth -= 1;
        self.line("}");
        self.body = None;
    }

    fn declarations(&mut self, body: &'m Body, scope: usize) {
        for (idx, var) in body.vars.iter().enumerate() {
            if var.scope == scope && idx >= body.n_params {
                let declaration = self.declaration(var);
                self.line(&format!("{declaration};"));
            }
        }
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        for (idx, stmt) in stmts.iter().enumerate() {
            self.statement(stmt);
            if idx + 1 < stmts.len() && !matches!(stmt, Stmt::Label(..)) {
                self.text.truncate(self.text.trim_end().len());
                self.text.push_str(";\n");
            }
        }
    }

    fn block(&mut self, stmts: &[Stmt]) {
        self.depth += 2;
        self.statements(stmts);
        self.depth -= 2;
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If(options, otherwise) => {
                self.line("if");
                for option in options {
                    self.line("::");
                    self.block(option);
                }
                match otherwise.as_deref() {
                    Some([]) => self.line(":: else"),
                    Some(stmts) => {
                        self.line(":: else ->");
                        self.block(stmts);
                    }
                    None => {}
                }
                self.line("fi");
            }
            Stmt::Repeat(place, times, body) => {
                let place = self.place(place);
                self.line("do");
                let end = if body.is_empty() { "" } else { ";" };
                self.line(&format!(":: {place} < {times} -> {place} = {place} + 1{end}"));
                self.block(body);
                self.line(&format!(":: {place} >= {times} -> break"));
                self.line("od");
            }
            Stmt::Atomic(stmts) => {
                self.line("atomic {");
                self.block(stmts);
                self.line("}");
            }
            Stmt::Scope(scope, stmts) => {
                self.line("{");
                self.depth += 1;
                let body = self.body.expect("a scope is in a body");
                self.declarations(body, *scope);
                self.statements(stmts);
                self.depth -= 1;
                self.line("}");
            }
            &Stmt::Label(label, meaning) => self.line(&format!("{}:", label_name(label, meaning))),
            Stmt::Goto(label) => {
                let name = self.label_of(*label);
                self.line(&format!("goto {name}"));
            }
            simple => {
                let text = self.simple(simple);
                self.line(&text);
            }
        }
    }

    /// The name of a label of this body.
    fn label_of(&self, label: usize) -> String {
        fn meaning_in(stmts: &[Stmt], label: usize) -> Option<Label> {
            stmts.iter().find_map(|stmt| match stmt {
                &Stmt::Label(other, meaning) => (other == label).then_some(meaning),
                Stmt::If(options, otherwise) => {
                    options.iter().chain(otherwise).find_map(|option| meaning_in(option, label))
                }
                Stmt::Repeat(_, _, body) | Stmt::Atomic(body) | Stmt::Scope(_, body) => {
                    meaning_in(body, label)
                }
                _ => None,
            })
        }
        let body = self.body.expect("a jump is in a body");
        label_name(label, meaning_in(&body.stmts, label).expect("a jump leads to a label"))
    }

    fn simple(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Assign(place, value) => format!("{} = {}", self.place(place), self.value(value)),
            Stmt::New(place, pointee, None) => {
                format!("{} = new {}", self.place(place), self.pointee(*pointee))
            }
            Stmt::New(place, pointee, Some(len)) => {
                format!("{} = new {}[{}]", self.place(place), self.pointee(*pointee), self.expr(len))
            }
            Stmt::Delete(place) => format!("delete({})", self.place(place)),
            Stmt::Call(None, callee, args) => self.call(callee, args),
            Stmt::Call(Some(place), callee, args) => {
                format!("{} = {}", self.place(place), self.call(callee, args))
            }
            Stmt::Return(None) => "return".into(),
            Stmt::Return(Some(value)) => format!("return {}", self.value(value)),
            Stmt::ReturnCall(callee, args) => format!("return {}", self.call(callee, args)),
            Stmt::Send(channel, values) => format!("{}!{}", self.place(channel), self.values(values)),
            Stmt::Receive(channel, patterns) => {
                let patterns: Vec<String> = patterns.iter().map(|pattern| self.pattern(pattern)).collect();
                format!("{}?{}", self.place(channel), patterns.join(", "))
            }
            Stmt::Assert(condition) => format!("assert({})", self.expr(condition)),
            Stmt::Guard(condition) => format!("({})", self.expr(condition)),
            Stmt::Run(process, args) => {
                format!("run {}({})", self.model.processes[*process].name, self.values(args))
            }
            _ => "skip".into(),
        }
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Bind(place) => self.place(place),
            Pattern::Number(number) => number.to_string(),
            Pattern::Pointer(Pointer::Null) => "null".into(),
            Pattern::Pointer(pointer) => format!("eval({})", self.pointer(pointer)),
        }
    }

    fn call(&self, callee: &Callee, args: &[Value]) -> String {
        let callee = match callee {
            Callee::Named(function) => self.model.functions[*function].name.clone(),
            Callee::Held(place) => self.place(place),
        };
        format!("{callee}({})", self.values(args))
    }

    fn values(&self, values: &[Value]) -> String {
        values.iter().map(|value| self.value(value)).collect::<Vec<_>>().join(", ")
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Number(expr) => self.expr(expr),
            Value::Pointer(pointer) => self.pointer(pointer),
            Value::Function(function) => self.function(function),
        }
    }

    fn pointer(&self, pointer: &Pointer) -> String {
        match pointer {
            Pointer::Null => "null".into(),
            Pointer::Left(place) => self.place(place),
            Pointer::Address(place) => format!("&{}", self.place(place)),
        }
    }

    fn function(&self, function: &Function) -> String {
        match function {
            Function::Null => "null".into(),
            Function::Named(function) => self.model.functions[*function].name.clone(),
            Function::Held(place) => self.place(place),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(number) => number.to_string(),
            Expr::Read(place) => self.place(place),
            Expr::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), sign(*op), self.expr(right))
            }
            Expr::Same(equal, left, right) => {
                let sign = if *equal { "==" } else { "!=" };
                format!("({} {sign} {})", self.pointer(left), self.pointer(right))
            }
            Expr::SameFunction(equal, left, right) => {
                let sign = if *equal { "==" } else { "!=" };
                format!("({} {sign} {})", self.function(left), self.function(right))
            }
        }
    }

    fn place(&self, place: &PlaceExpr) -> String {
        let (mut text, mut ty) = match place.root {
            Root::Global(idx) => (self.model.globals[idx].name.clone(), self.model.globals[idx].ty.clone()),
            Root::Local(idx) => {
                let var = &self.body.expect("local variables are in a body").vars[idx];
                (var.name.clone(), var.ty.clone())
            }
        };
        let mut walked = PlaceExpr::of(place.root);
        for select in &place.path {
            match (select, &ty) {
                (Select::Field(field), Type::Record(record) | Type::Pointer(Pointee::Record(record))) => {
                    let _ = write!(text, ".{}", self.model.records[*record].fields[*field].name);
                }
                (Select::Index(index), _) => {
                    let _ = write!(text, "[{}]", self.expr(index));
                }
                (select, ty) => panic!("{ty:?} has no {select:?}"),
            }
            walked.path.push(select.clone());
            ty = self.model.type_of(self.body, &walked);
        }
        text
    }
}

fn label_name(label: usize, meaning: Label) -> String {
    match meaning {
        Label::Seen => format!("L{label}"),
        Label::End => format!("end{label}"),
    }
}
