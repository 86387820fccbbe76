//! Dynamic models as plain Promela, without a heap or a stack: the second reference.
//!
//! Everything that can be referred to is in one array, `mem`, and is never moved or reused: `new`, calls and
//! scopes take the next free cells. A reference is `4 * cell + length - 1`; null is 0. `ok[cell]` is the cell
//! itself while it is alive, and `N` otherwise, so that each access through a null or dangling reference is
//! an index out of range. Other variables are plain ones. Calls are expanded in place: an instance of a body
//! is named by the calls that lead to it. What belongs to one step is one `atomic` sequence, unrolled up to
//! where control is given up; everything else is a jump.
//!
//! A limit that a run may reach sets `spent`, which means that nothing can be concluded from that model.

mod emit;
mod place;

use super::ast::{Body, Expr, Model, Pointer, Root, Select, Stmt, Type, Value};
use super::flow::Flow;
use std::collections::{BTreeMap, BTreeSet};

/// The number of cells.
const N_CELLS: usize = 90;

/// The number of channels in objects.
const N_CHANNELS: usize = 16;

/// The depth to which calls are expanded.
const MAX_DEPTH: usize = 6;

/// A longer text is not suitable for tests.
const MAX_TEXT: usize = 60_000;

/// A translated model.
#[derive(Clone, Debug)]
pub struct Plain {
    /// The text.
    pub source: String,
    /// The variables that hold [`Model::watched`], in order.
    pub watched: Vec<String>,
}

/// Translates a model; `None` if it uses what this cannot express, or becomes too long.
#[must_use]
pub fn translate(model: &Model) -> Option<Plain> {
    let mut translation = Translation::new(model);
    let mut procs = String::new();
    for idx in 0..model.processes.len() {
        procs += &translation.process(idx)?;
        if procs.len() > MAX_TEXT {
            return None;
        }
    }
    let source = translation.prelude() + &procs + &translation.start();
    let watched = model.watched().map(|idx| match translation.global_cells[idx] {
        Some(cell) => format!("mem[{cell}]"),
        None => model.globals[idx].name.clone(),
    });
    Some(Plain { source, watched: watched.collect() })
}

/// An activation: a body, and the call that leads to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Instance {
    body: usize,
    is_process: bool,
    /// The instance of the caller, and the node and edge of the call.
    caller: Option<(usize, usize, usize)>,
    atomic: bool,
    depth: usize,
}

struct Translation<'m> {
    model: &'m Model,
    functions: Vec<Flow>,
    processes: Vec<Flow>,
    /// The variables of each body that are in `mem`: functions, then processes.
    in_memory: [Vec<BTreeSet<usize>>; 2],
    /// The cells of the global variables.
    global_cells: Vec<Option<usize>>,
    n_global_cells: usize,
    instances: Vec<Instance>,
    known: BTreeMap<Instance, usize>,
    /// Jump targets that have no text yet.
    open: Vec<(usize, usize)>,
    labels: BTreeSet<(usize, usize)>,
    declared: BTreeSet<String>,
    length: usize,
    /// The nesting depth of the nodes being unrolled.
    depth: usize,
}

impl<'m> Translation<'m> {
    fn new(model: &'m Model) -> Self {
        let mut global = BTreeSet::new();
        let mut of_bodies = [Vec::new(), Vec::new()];
        for (kind, bodies) in [&model.functions, &model.processes].into_iter().enumerate() {
            for body in bodies {
                let mut taken = BTreeSet::new();
                Addresses { global: &mut global, local: &mut taken }.body(body);
                let large = |ty: &Type| matches!(ty, Type::Record(_) | Type::Array(..));
                taken.extend((0..body.vars.len()).filter(|&idx| large(&body.vars[idx].ty)));
                of_bodies[kind].push(taken);
            }
        }
        for var in &model.globals {
            if let Some(init) = &var.init {
                Addresses { global: &mut global, local: &mut BTreeSet::new() }.value(init);
            }
        }
        let mut next = 1;
        let mut global_cells = Vec::new();
        for (idx, var) in model.globals.iter().enumerate() {
            let is_in = global.contains(&idx) || matches!(var.ty, Type::Record(_) | Type::Array(..));
            global_cells.push(is_in.then_some(next));
            if is_in {
                next += model.size(&var.ty);
            }
        }
        Translation {
            model,
            functions: model.functions.iter().map(|body| Flow::of(body, false)).collect(),
            processes: model.processes.iter().map(|body| Flow::of(body, true)).collect(),
            in_memory: of_bodies,
            global_cells,
            n_global_cells: next,
            instances: Vec::new(),
            known: BTreeMap::new(),
            open: Vec::new(),
            labels: BTreeSet::new(),
            declared: BTreeSet::new(),
            length: 0,
            depth: 0,
        }
    }

    fn body(&self, instance: usize) -> &'m Body {
        let instance = &self.instances[instance];
        if instance.is_process {
            &self.model.processes[instance.body]
        } else {
            &self.model.functions[instance.body]
        }
    }

    fn flow(&self, instance: usize) -> &Flow {
        let instance = &self.instances[instance];
        if instance.is_process { &self.processes[instance.body] } else { &self.functions[instance.body] }
    }

    fn is_in_memory(&self, instance: usize, var: usize) -> bool {
        let Instance { body, is_process, .. } = self.instances[instance];
        self.in_memory[usize::from(is_process)][body].contains(&var)
    }

    fn instance(&mut self, wanted: Instance) -> usize {
        if let Some(&idx) = self.known.get(&wanted) {
            return idx;
        }
        self.instances.push(wanted.clone());
        self.known.insert(wanted, self.instances.len() - 1);
        self.instances.len() - 1
    }

    /// Declarations of everything that is global.
    fn prelude(&self) -> String {
        let mut text = format!(
            "int mem[{N_CELLS}];\nshort ok[{N_CELLS}];\nshort kind[{N_CELLS}];\nshort free = {};\nbyte n_chans;\n\
             byte spent;\nchan och[{N_CHANNELS}] = [1] of {{ int }};\n",
            self.n_global_cells
        );
        for (idx, var) in self.model.globals.iter().enumerate() {
            match &var.ty {
                Type::Channel(capacity, fields) => {
                    let fields = vec!["int"; fields.len()].join(", ");
                    text += &format!("chan {} = [{capacity}] of {{ {fields} }};\n", var.name);
                }
                _ if self.global_cells[idx].is_none() => text += &format!("int {};\n", var.name),
                _ => {}
            }
        }
        text
    }

    /// The process that sets up what plain declarations cannot, and starts the others.
    fn start(&mut self) -> String {
        let mut code = Vec::new();
        let n_live = self.n_global_cells;
        code.push(format!(
            "do :: k < {N_CELLS} -> ok[k] = ((k >= 1 && k < {n_live}) -> k : {N_CELLS}); k = k + 1 :: k >= {N_CELLS} -> break od"
        ));
        code.push("k = 0".into());
        for (idx, var) in self.model.globals.iter().enumerate() {
            if let Some(cell) = self.global_cells[idx] {
                self.initialise(&var.ty, &cell.to_string(), &mut code);
            }
            if let Some(init) = &var.init {
                let value = self.kept(&var.ty, None, init);
                let place = match self.global_cells[idx] {
                    Some(cell) => format!("mem[{cell}]"),
                    None => var.name.clone(),
                };
                code.push(format!("{place} = {value}"));
            }
        }
        let mut runs = Vec::new();
        for process in &self.model.processes {
            runs.extend(vec![format!("run {}()", process.name); process.n_active]);
        }
        format!(
            "init {{\n  byte k;\n  atomic {{ d_step {{ {} }}; {} }}\n}}\n",
            code.join("; "),
            runs.join("; ")
        )
    }
}

/// Finds the variables whose addresses are taken.
struct Addresses<'a> {
    global: &'a mut BTreeSet<usize>,
    local: &'a mut BTreeSet<usize>,
}

impl Addresses<'_> {
    fn body(&mut self, body: &Body) {
        body.vars.iter().filter_map(|var| var.init.as_ref()).for_each(|init| self.value(init));
        body.stmts.iter().for_each(|stmt| self.statement(stmt));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(_, value) | Stmt::Return(Some(value)) => self.value(value),
            Stmt::Call(_, _, values)
            | Stmt::ReturnCall(_, values)
            | Stmt::Send(_, values)
            | Stmt::Run(_, values) => values.iter().for_each(|value| self.value(value)),
            Stmt::Assert(condition) | Stmt::Guard(condition) => self.expr(condition),
            Stmt::Receive(_, patterns) => {
                for pattern in patterns {
                    if let super::ast::Pattern::Pointer(pointer) = pattern {
                        self.pointer(pointer);
                    }
                }
            }
            Stmt::If(options, otherwise) => {
                options.iter().chain(otherwise).flatten().for_each(|stmt| self.statement(stmt));
            }
            Stmt::Repeat(_, _, body) | Stmt::Atomic(body) | Stmt::Scope(_, body) => {
                body.iter().for_each(|stmt| self.statement(stmt));
            }
            _ => {}
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Number(expr) => self.expr(expr),
            Value::Pointer(pointer) => self.pointer(pointer),
            Value::Function(_) => {}
        }
    }

    fn pointer(&mut self, pointer: &Pointer) {
        if let Pointer::Address(place) = pointer {
            match place.root {
                Root::Global(idx) => self.global.insert(idx),
                Root::Local(idx) => self.local.insert(idx),
            };
            for select in &place.path {
                if let Select::Index(index) = select {
                    self.expr(index);
                }
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Same(_, left, right) => {
                self.pointer(left);
                self.pointer(right);
            }
            _ => {}
        }
    }
}
