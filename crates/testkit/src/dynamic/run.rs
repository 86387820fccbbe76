//! All states of a dynamic model by brute force, on its syntax tree.
//!
//! A step is one statement together with what is joined to it: a call continues with a statement of the
//! function, a return with one of the caller, and inside an atomic sequence the process continues as long as
//! it can. Where it cannot continue, the state is stored. States are compared in a form that does not depend
//! on the order of allocation.

mod eval;
mod step;

pub(super) use step::accepts;

use super::ast::{Model, Type};
use super::flow::Flow;
use super::state::{Cell, GLOBALS, Object, State};
use super::{Found, Kind};
use std::collections::{BTreeSet, HashSet};

/// The longest step, and the most statements of all steps from a state.
const MAX_DEPTH: usize = 500;
const MAX_STATEMENTS: usize = 20_000;

/// A run-time error, which ends the run.
#[derive(Clone, Copy, Debug)]
struct Wrong;

/// A model with precomputed facts.
struct Machine<'m> {
    model: &'m Model,
    functions: Vec<Flow>,
    processes: Vec<Flow>,
}

/// The result of expanding a state.
#[derive(Default)]
struct Successors {
    states: Vec<State>,
    kinds: BTreeSet<Kind>,
    /// The number of statements of the current step so far, and the number that all steps of this state may
    /// still have.
    depth: usize,
    n_statements: usize,
}

impl Successors {
    /// Whether a step was given up because it had too many statements, or there were too many ways to take
    /// one.
    fn is_spent(&self) -> bool {
        self.depth > MAX_DEPTH || self.n_statements > MAX_STATEMENTS
    }
}

/// Explores a model; `None` if a step takes too long, or it has more than `max_states` states.
#[must_use]
pub fn explore(model: &Model, max_states: usize) -> Option<Found> {
    let machine = Machine {
        model,
        functions: model.functions.iter().map(|body| Flow::of(body, false)).collect(),
        processes: model.processes.iter().map(|body| Flow::of(body, true)).collect(),
    };
    let first = machine.first();
    let mut found = Found::default();
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        let mut out = Successors::default();
        for process in (0..state.processes.len()).rev() {
            machine.advance(&state, process, &mut out);
        }
        if out.is_spent() {
            return None;
        }
        if out.states.is_empty() && !out.kinds.contains(&Kind::Error) {
            found.finals.insert(machine.watched(&state));
            if state.processes.iter().any(|frames| !machine.has_ended(frames)) {
                found.kinds.insert(Kind::Deadlock);
            }
        }
        found.kinds.append(&mut out.kinds);
        for state in out.states {
            let state = state.canonical();
            if !seen.contains(&state) {
                if seen.len() >= max_states {
                    return None;
                }
                seen.insert(state.clone());
                open.push(state);
            }
        }
    }
    found.n_states = seen.len();
    Some(found)
}

impl Machine<'_> {
    fn first(&self) -> State {
        let mut state = State { objects: Vec::new(), processes: Vec::new() };
        let cells = self.model.globals.iter().flat_map(|var| self.blank(&var.ty)).collect();
        state.add(Object { cells, allocated: None });
        for (idx, var) in self.model.globals.iter().enumerate() {
            if let Some(init) = &var.init {
                let value = self.value(&mut state, None, init).expect("what globals begin with is constant");
                let offset = self.model.offset(&self.model.globals, idx);
                let cells = &mut state.objects[GLOBALS].as_mut().expect("globals live").cells;
                cells[offset] = truncated(&var.ty, value);
            }
        }
        for (idx, body) in self.model.processes.iter().enumerate() {
            for _ in 0..body.n_active {
                self.start(&mut state, idx, Vec::new()).expect("an active process has no parameters");
            }
        }
        state.canonical()
    }

    /// The cells of a new variable, with the initial values of its records' fields.
    fn blank(&self, ty: &Type) -> Vec<Cell> {
        match ty {
            Type::Scalar(_) => vec![Cell::Number(0)],
            Type::Pointer(_) => vec![Cell::Pointer(None)],
            Type::Function => vec![Cell::Function(None)],
            Type::Channel(..) => vec![Cell::Channel(Vec::new())],
            Type::Array(element, len) => (0..*len).flat_map(|_| self.blank(element)).collect(),
            Type::Record(record) => {
                let mut cells = Vec::new();
                for field in &self.model.records[*record].fields {
                    match &field.init {
                        Some(super::ast::Value::Number(super::ast::Expr::Const(number))) => {
                            cells.push(truncated(&field.ty, Cell::Number(*number)));
                        }
                        _ => cells.extend(self.blank(&field.ty)),
                    }
                }
                cells
            }
        }
    }

    fn watched(&self, state: &State) -> Vec<i32> {
        let cells = &state.objects[GLOBALS].as_ref().expect("globals live").cells;
        let value = |idx| match &cells[self.model.offset(&self.model.globals, idx)] {
            Cell::Number(number) => *number,
            cell => panic!("{cell:?} is not a number"),
        };
        self.model.watched().map(value).collect()
    }
}

/// A value as a variable of a type stores it.
fn truncated(ty: &Type, value: Cell) -> Cell {
    match (ty, value) {
        (Type::Scalar(super::ast::Scalar::Byte), Cell::Number(number)) => Cell::Number(number & 255),
        (_, value) => value,
    }
}
