//! Random dynamic models: a seed gives a small model that terminates, always the same one.
//!
//! Loops count to a constant, recursion counts down, functions call only later ones, and processes are
//! started only by processes before them. Pointers that are known to refer to something are preferred, so
//! that most runs get somewhere; null, dangling and deleted ones are used as well.

mod body;
mod expr;
mod jumps;

use super::ast::{
    Body, Expr, Function, Model, PlaceExpr, Pointee, Pointer, Record, Root, Scalar, Type, Value, Variable,
};
use crate::random_promela::Rng;

/// What models may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// What [`super::plain`] can translate: no reference to a variable that lives as long as its process, and
    /// scopes with variables in memory begin with a statement that is always executable.
    Translatable,
    /// Everything.
    Full,
}

const BYTE: Type = Type::Scalar(Scalar::Byte);

/// The model of a seed.
#[must_use]
pub fn generate(seed: u64, reach: Reach) -> Model {
    let mut draw = Draw {
        rng: Rng::new(seed),
        reach,
        model: Model::default(),
        context: Context::default(),
        uses_rendezvous: Vec::new(),
        recursive: Vec::new(),
    };
    draw.records();
    draw.globals();
    draw.functions();
    draw.processes();
    draw.model
}

/// The body that is being drawn.
#[derive(Default)]
struct Context {
    body: Option<Body>,
    /// The variables that can be named here.
    visible: Vec<usize>,
    /// Variables that only loops and recursion may change.
    fixed: Vec<usize>,
    /// Pointers that likely refer to something.
    good: Vec<Root>,
    /// The place of the function, if it is one.
    function: Option<usize>,
    is_atomic: bool,
    may_rendezvous: bool,
    n_scopes: usize,
    /// How many statements may still be drawn.
    budget: u32,
    depth: u32,
    loops: u32,
}

struct Draw {
    rng: Rng,
    reach: Reach,
    model: Model,
    context: Context,
    uses_rendezvous: Vec<bool>,
    recursive: Vec<bool>,
}

fn variable(name: impl Into<String>, ty: Type) -> Variable {
    Variable { name: name.into(), ty, init: None, scope: 0 }
}

fn constant(number: i32) -> Value {
    Value::Number(Expr::Const(number))
}

impl Draw {
    fn records(&mut self) {
        let n_records = self.rng.range(1, 2) as usize;
        for idx in 0..n_records {
            let mut fields = vec![variable("v", BYTE)];
            if self.rng.chance(25) {
                fields[0].init = Some(constant(self.rng.range(1, 3) as i32));
            }
            fields.push(variable(
                "next",
                Type::Pointer(Pointee::Record(self.rng.below(n_records as u32) as usize)),
            ));
            if self.rng.chance(30) {
                fields.push(variable("b", Type::Pointer(Pointee::Scalar(Scalar::Byte))));
            }
            if self.rng.chance(20) {
                fields.push(variable("w", Type::Scalar(Scalar::Int)));
            }
            if self.rng.chance(25) {
                fields.push(variable("a", Type::Array(Box::new(BYTE), 2)));
            }
            if self.rng.chance(25) {
                fields.push(variable("c", Type::Channel(1, vec![BYTE])));
            }
            self.model.records.push(Record { name: format!("R{idx}"), fields });
        }
    }

    fn globals(&mut self) {
        let mut globals = Vec::new();
        for idx in 0..self.rng.range(2, 3) {
            let scalar = if self.rng.chance(25) { Scalar::Int } else { Scalar::Byte };
            let mut global = variable(format!("g{idx}"), Type::Scalar(scalar));
            if self.rng.chance(25) {
                global.init = Some(constant(1));
            }
            globals.push(global);
        }
        if self.rng.chance(30) {
            globals.push(variable("arr", Type::Array(Box::new(BYTE), self.rng.range(1, 3) as usize)));
        }
        if self.rng.chance(30) {
            globals.push(variable("n0", Type::Record(0)));
        }
        let first_pointer = globals.len();
        globals.push(variable("top", Type::Pointer(Pointee::Record(0))));
        if globals[first_pointer - 1].name == "n0" && self.rng.chance(60) {
            let place = PlaceExpr::of(Root::Global(first_pointer - 1));
            globals[first_pointer].init = Some(Value::Pointer(Pointer::Address(place)));
        }
        if self.rng.chance(50) {
            let mut pointer = variable("bp", Type::Pointer(Pointee::Scalar(Scalar::Byte)));
            if globals[0].ty == BYTE && self.rng.chance(50) {
                pointer.init = Some(Value::Pointer(Pointer::Address(PlaceExpr::of(Root::Global(0)))));
            }
            globals.push(pointer);
        }
        if self.rng.chance(20) {
            let pointers = Type::Array(Box::new(Type::Pointer(Pointee::Record(0))), 2);
            globals.push(variable("ps", pointers));
        }
        if self.rng.chance(30) {
            globals.push(variable("op", Type::Function));
        }
        if self.rng.chance(60) {
            let mut fields = vec![BYTE];
            if self.rng.chance(60) {
                fields.push(Type::Pointer(Pointee::Record(0)));
            }
            if self.rng.chance(15) {
                fields.push(Type::Function);
            }
            globals.push(variable("q", Type::Channel(self.rng.range(1, 2) as usize, fields)));
        }
        if self.rng.chance(30) {
            let mut fields = vec![BYTE];
            if self.rng.chance(50) {
                fields.push(Type::Pointer(Pointee::Record(0)));
            }
            globals.push(variable("r", Type::Channel(0, fields)));
        }
        self.model.globals = globals;
    }

    /// Functions, the last first, since each may call those after it.
    fn functions(&mut self) {
        let n_functions = self.rng.range(1, 3) as usize;
        let blank = |idx| Body {
            name: format!("f{idx}"),
            n_params: 0,
            vars: Vec::new(),
            stmts: Vec::new(),
            result: None,
            n_active: 0,
        };
        self.model.functions = (0..n_functions).map(blank).collect();
        self.uses_rendezvous = vec![false; n_functions];
        self.recursive = vec![false; n_functions];
        for idx in 0..n_functions {
            let recursive = self.rng.chance(25);
            self.recursive[idx] = recursive;
            let mut vars = Vec::new();
            if recursive {
                vars.push(variable("d", BYTE));
            }
            for param in 0..self.rng.below(3) {
                let ty = match self.rng.below(10) {
                    0..4 => Type::Pointer(Pointee::Record(0)),
                    4..6 => Type::Pointer(Pointee::Scalar(Scalar::Byte)),
                    _ => BYTE,
                };
                vars.push(variable(format!("x{param}"), ty));
            }
            let body = &mut self.model.functions[idx];
            body.n_params = vars.len();
            body.vars = vars;
            body.result = match self.rng.below(10) {
                0..5 => Some(BYTE),
                5..7 => Some(Type::Pointer(Pointee::Record(0))),
                _ => None,
            };
        }
        for idx in (0..n_functions).rev() {
            self.function(idx);
        }
    }

    fn function(&mut self, idx: usize) {
        let body = self.model.functions[idx].clone();
        let may_rendezvous = self.rng.chance(30);
        self.begin(body, Some(idx), may_rendezvous);
        self.uses_rendezvous[idx] = may_rendezvous;
        if self.rng.chance(50) {
            let ty = if self.rng.chance(60) { BYTE } else { Type::Pointer(Pointee::Record(0)) };
            let init = (ty == BYTE && self.rng.chance(40)).then(|| constant(self.rng.range(1, 3) as i32));
            self.declare("l", ty, init, 0);
        }
        self.context.budget = self.rng.range(1, 4);
        if self.recursive[idx] {
            self.context.fixed.push(0);
            self.recursion(idx);
        } else {
            self.body_statements(true);
        }
        self.jumps();
        self.model.functions[idx] = self.context.body.take().expect("the body that was begun");
    }

    fn processes(&mut self) {
        let n_processes = if self.rng.chance(25) { 1 } else { 2 };
        let spawned = self.rng.chance(25);
        let blank = |name: String, n_active| Body {
            name,
            n_params: 0,
            vars: Vec::new(),
            stmts: Vec::new(),
            result: None,
            n_active,
        };
        for idx in 0..n_processes {
            self.model.processes.push(blank(format!("p{idx}"), 1));
        }
        if spawned {
            let mut body = blank("child".into(), 0);
            body.vars = vec![variable("x0", BYTE), variable("x1", Type::Pointer(Pointee::Record(0)))];
            body.n_params = 2;
            self.model.processes.push(body);
        }
        for idx in 0..self.model.processes.len() {
            let body = self.model.processes[idx].clone();
            self.begin(body, None, true);
            let n_locals = self.rng.range(1, 3);
            for local in 0..n_locals {
                let ty = match self.rng.below(10) {
                    0..4 => Type::Pointer(Pointee::Record(0)),
                    4..6 => Type::Pointer(Pointee::Scalar(Scalar::Byte)),
                    _ => BYTE,
                };
                self.declare(&format!("l{local}"), ty, None, 0);
            }
            self.context.budget = self.rng.range(3, 8);
            self.body_statements(false);
            self.jumps();
            self.model.processes[idx] = self.context.body.take().expect("the body that was begun");
        }
    }

    fn begin(&mut self, body: Body, function: Option<usize>, may_rendezvous: bool) {
        let n_params = body.n_params;
        let mut good = Vec::new();
        for (idx, global) in self.model.globals.iter().enumerate() {
            if global.init.is_some() || self.rng.chance(25) {
                good.push(Root::Global(idx));
            }
        }
        for idx in 0..n_params {
            if self.rng.chance(75) {
                good.push(Root::Local(idx));
            }
        }
        self.context = Context {
            body: Some(body),
            visible: (0..n_params).collect(),
            good,
            function,
            may_rendezvous,
            ..Context::default()
        };
    }

    fn body(&mut self) -> &mut Body {
        self.context.body.as_mut().expect("a body is being drawn")
    }

    fn declare(&mut self, name: &str, ty: Type, init: Option<Value>, scope: usize) -> usize {
        let body = self.body();
        body.vars.push(Variable { name: name.into(), ty, init, scope });
        let idx = body.vars.len() - 1;
        self.context.visible.push(idx);
        idx
    }

    fn type_of(&self, place: &PlaceExpr) -> Type {
        self.model.type_of(self.context.body.as_ref(), place)
    }

    /// A function that can be assigned to an `ftype`.
    fn some_function(&mut self) -> Function {
        let n = self.model.functions.len();
        // Recursion must count down from where it begins, and calls lead to later functions only.
        let first = self.context.function.map_or(0, |function| function + 1);
        let fit: Vec<usize> = (first..n).filter(|&idx| !self.recursive[idx]).collect();
        match self.rng.pick_any(&fit) {
            Some(&idx) => Function::Named(idx),
            None => Function::Null,
        }
    }
}
