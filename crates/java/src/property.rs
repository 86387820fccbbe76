//! Properties given on the command line: conditions over the fields of a program.
//!
//! An *invariant* is a condition that must hold in every state; a *formula* of temporal logic constrains the
//! order in which conditions hold on every run. Both are written as Java would write them, and begin at
//! static fields of the program's classes: `Buffer.count >= 0`, `Main.queue.items[0] != null`.
//!
//! Why no value is missed. A step of a thread may consist of many operations (see `vm::view`). All locations
//! that a property reads are *observed*: a write to one of these fields, or to an element of such an array,
//! ends the step, whichever threads can reach the object, and whether or not other threads run. So at most
//! one observed write happens in a step, and every combination of observed values that occurs in an
//! interleaving occurs in a state. Writes to objects that the same step has made do not end it: no path from
//! a static field leads to such an object until a later write to an observed field makes one, and that write
//! ends the step. The end of an initialiser also ends a step, because an invariant begins to apply there.
//!
//! The body of `Choose.atomically` is one step, for properties too.
//!
//! - `parse` turns text into a tree, `resolve` finds classes, fields and types, and `value` evaluates
//!   expressions in a state.

mod parse;
mod resolve;
mod value;

use crate::class::descriptor::Kind;
use crate::class::{ClassId, Field, flags};
use crate::rules;
use crate::vm::heap::Ref;
use crate::vm::machine::Machine;
use crate::vm::{INITIALIZED, Vm};
use allways_ltl::Formula;
use allways_model::Violation;
use resolve::Resolver;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use value::{Expr, Undefined, Value};

/// An error in the text of a property, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    text: String,
    /// The position in bytes.
    at: usize,
    message: String,
}

impl PropertyError {
    pub(crate) fn new(text: &str, at: usize, message: impl Into<String>) -> Self {
        Self { text: text.to_owned(), at, message: message.into() }
    }
}

impl fmt::Display for PropertyError {
    /// The message, and below it the line with a mark under the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = &self.text[..self.at.min(self.text.len())];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let column = before[start..].chars().count();
        write!(f, "{}\n  {line}\n  {:column$}^", self.message, "")
    }
}

/// A location that a property reads. A write to it ends a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observed {
    /// A static field: its class, and its slot in the class's mirror.
    Static(ClassId, u32),
    /// A field in all objects of a class.
    Field(ClassId, u32),
    /// The elements of all arrays of a kind.
    Elements(Kind),
}

impl Observed {
    /// The name of the field.
    fn shown(self, vm: &Vm) -> String {
        let field = |id: ClassId, is_it: &dyn Fn(&Field) -> bool| {
            let class = vm.class(id);
            let name = class.fields.iter().find(|field| is_it(field)).map(|field| field.name);
            let name = name.map_or_else(|| "?".into(), |name| vm.classes.symbols.text(name).to_string());
            format!("`{}.{name}`", vm.classes.java_name(id))
        };
        match self {
            Self::Static(id, slot) => {
                field(id, &|one| one.flags & flags::STATIC != 0 && vm.static_slot(one.slot) == slot)
            }
            Self::Field(id, slot) => field(id, &|one| one.flags & flags::STATIC == 0 && one.slot == slot),
            Self::Elements(_) => "elements of arrays".into(),
        }
    }
}

/// A condition that must hold in every state.
struct Invariant {
    text: String,
    condition: Expr,
    /// The classes whose static fields it reads.
    classes: Vec<ClassId>,
    /// Whether there was a state in which it could be evaluated.
    has_applied: AtomicBool,
}

/// The properties that are checked for a program.
#[derive(Default)]
pub(crate) struct Properties {
    invariants: Vec<Invariant>,
    /// The conditions of a formula, by number.
    propositions: Vec<(Arc<str>, Expr)>,
    observed: Arc<[Observed]>,
    /// The conditions that are evaluated later and observed from the beginning, as text.
    kept: Vec<String>,
}

impl Properties {
    /// Observes what an expression reads, for conditions that are evaluated later.
    pub(crate) fn keep(&mut self, vm: &Vm, main: ClassId, text: &str) -> Result<(), PropertyError> {
        let tree = parse::expression(text)?;
        let mut resolver = Resolver::new(vm, main, text);
        resolver.observe(&tree)?;
        self.observe(&resolver.observed);
        self.kept.push(text.trim().to_owned());
        Ok(())
    }

    /// The texts of the calls of [`Self::keep`].
    pub(crate) fn kept(&self) -> &[String] {
        &self.kept
    }

    /// The names of the observed fields after the first `n`.
    pub(crate) fn observed_since(&self, vm: &Vm, n: usize) -> Vec<String> {
        self.observed[n..].iter().map(|one| one.shown(vm)).collect()
    }

    /// Adds an invariant.
    pub(crate) fn add_invariant(&mut self, vm: &Vm, main: ClassId, text: &str) -> Result<(), PropertyError> {
        let tree = parse::expression(text)?;
        let mut resolver = Resolver::new(vm, main, text);
        let condition = resolver.condition(&tree)?;
        let classes = std::mem::take(&mut resolver.classes);
        self.observe(&resolver.observed);
        let text = text.trim().to_owned();
        self.invariants.push(Invariant { text, condition, classes, has_applied: AtomicBool::new(false) });
        Ok(())
    }

    /// Makes the conditions of a formula propositions, and returns the formula over their numbers.
    pub(crate) fn set_formula(
        &mut self,
        vm: &Vm,
        main: ClassId,
        text: &str,
    ) -> Result<Formula, PropertyError> {
        let tree = parse::formula(text)?;
        let mut resolver = Resolver::new(vm, main, text);
        let formula = resolver.formula(&tree)?;
        self.observe(&resolver.observed);
        self.propositions = resolver.propositions;
        Ok(formula)
    }

    fn observe(&mut self, more: &[Observed]) {
        let mut all = self.observed.to_vec();
        all.extend(more.iter().filter(|one| !self.observed.contains(one)));
        self.observed = all.into();
    }

    /// The locations at which a write ends a step.
    pub(crate) fn observed(&self) -> Arc<[Observed]> {
        Arc::clone(&self.observed)
    }

    /// The texts of the invariants.
    pub(crate) fn invariants(&self) -> impl Iterator<Item = &str> {
        self.invariants.iter().map(|invariant| invariant.text.as_str())
    }

    /// The texts of the propositions.
    pub(crate) fn propositions(&self) -> Vec<Arc<str>> {
        self.propositions.iter().map(|(text, _)| text.clone()).collect()
    }

    /// The invariants that could not be evaluated in any state so far.
    pub(crate) fn never_applied(&self) -> Vec<&str> {
        let never = |one: &&Invariant| !one.has_applied.load(Ordering::Relaxed);
        self.invariants.iter().filter(never).map(|one| one.text.as_str()).collect()
    }

    /// The invariants that do not hold in a machine's state.
    pub(crate) fn violations<'a>(&'a self, machine: &'a Machine<'_>) -> impl Iterator<Item = Violation> + 'a {
        self.invariants.iter().filter_map(|invariant| invariant.violation(machine))
    }

    /// Whether a proposition holds in a machine's state. It does not if one of its paths leads through
    /// `null`.
    ///
    /// # Panics
    /// If there is no such proposition.
    pub(crate) fn holds(&self, machine: &Machine<'_>, proposition: u32) -> Result<bool, Violation> {
        let (text, condition) = &self.propositions[proposition as usize];
        match condition.eval(machine) {
            Ok(value) => Ok(value == Value::Boolean(true)),
            Err(Undefined::Null) => Ok(false),
            Err(Undefined::Wrong(what)) => {
                let violation = Violation::new(&rules::PROPOSITION_UNDEFINED);
                Err(violation.with("condition", text).with("problem", what))
            }
        }
    }
}

impl Invariant {
    fn violation(&self, machine: &Machine<'_>) -> Option<Violation> {
        if !self.classes.iter().all(|&class| is_ready(machine, class)) {
            return None;
        }
        let broken = |rule| Violation::new(rule).with("condition", &self.text);
        match self.condition.eval(machine) {
            Err(Undefined::Null) => None,
            Err(Undefined::Wrong(what)) => {
                self.has_applied.store(true, Ordering::Relaxed);
                Some(broken(&rules::INVARIANT_UNDEFINED).with("problem", what))
            }
            Ok(value) => {
                self.has_applied.store(true, Ordering::Relaxed);
                (value != Value::Boolean(true)).then(|| {
                    let readings = self.condition.readings(machine).into_iter();
                    readings.fold(broken(&rules::INVARIANT_FAILS), |one, value| one.with("reading", value))
                })
            }
        }
    }
}

/// Whether the initialiser of a class has run, if it has one.
fn is_ready(machine: &Machine<'_>, class: ClassId) -> bool {
    let class = machine.vm.class(class);
    class.initializer.is_none() || machine.class_status(class) == INITIALIZED
}

impl Machine<'_> {
    /// Whether a property reads what is about to be written: a slot or element of an object, or with `None`
    /// all of them.
    pub(crate) fn is_observed(&self, object: Ref, slot: Option<u32>) -> bool {
        let vm = self.vm;
        let this = self.process.heap.get(object);
        let class = vm.class(this.class);
        let is_slot = |wanted: u32| slot.is_none_or(|slot| slot == wanted);
        self.knowledge.observed.iter().any(|observed| match *observed {
            Observed::Static(id, wanted) => object == vm.mirror(id) && is_slot(wanted),
            Observed::Field(id, wanted) => class.is_below(id) && is_slot(wanted),
            Observed::Elements(kind) => {
                class.is_array() && vm.classes.element_kind(this.class).unwrap_or(Kind::Ref) == kind
            }
        })
    }
}
