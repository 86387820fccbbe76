//! Variables that lambdas and inner classes have captured: their names and locations in the source.
//!
//! A lambda's object has its variables in fields `arg$1`, `arg$2` and so on, which are the first parameters
//! of the method that has its body; their names are in the class file if it was compiled with `-g`, as build
//! tools do. An inner class has them in fields `val$name`.

use super::names::{simple, task_of};
use crate::class::code::Op;
use crate::class::file::Attribute;
use crate::class::{Class, Loader, Method, MethodId};
use crate::vm::heap::Ref;
use crate::vm::machine::Machine;

/// What captures variables: a lambda, or an inner class.
pub(super) struct Capturing {
    /// Its location in the source.
    pub(super) place: Option<String>,
    /// The method whose variables they are.
    pub(super) method: Option<String>,
    /// The names of a lambda's variables, as far as they are known.
    variables: Vec<Option<String>>,
}

/// A captured variable.
pub(super) struct Variable {
    /// Its name, or a replacement for it.
    pub(super) name: String,
    /// Whether it has this name in the source and is a variable of the method, of which there is one at a
    /// time.
    pub(super) is_local: bool,
}

impl Capturing {
    /// The lambda or inner class that a class represents, if it may have captured variables.
    pub(super) fn of(machine: &Machine<'_>, class: &Class) -> Option<Self> {
        if class.loader != Loader::App {
            return None;
        }
        if class.file.is_none() {
            let is_lambda = machine.vm.classes.name(class.id).contains("$$Lambda$");
            return if is_lambda { Self::of_lambda(machine, class) } else { None };
        }
        let symbols = &machine.vm.classes.symbols;
        class.fields.iter().any(|field| symbols.text(field.name).starts_with("val$")).then(|| {
            let mut methods = class.methods.iter().map(|&id| machine.vm.classes.method(id));
            let place = methods.find_map(|method| {
                let is_made = symbols.text(method.name).starts_with('<');
                place(machine, method).filter(|_| !is_made)
            });
            Self { place, method: enclosing(class), variables: Vec::new() }
        })
    }

    /// A class that the machine made for a lambda or a method reference.
    fn of_lambda(machine: &Machine<'_>, class: &Class) -> Option<Self> {
        let classes = &machine.vm.classes;
        let body = classes.method(called(machine, *class.methods.first()?)?);
        let name = classes.symbols.text(body.name);
        let owner = machine.vm.class(body.class);
        // `lambda$main$0`; anything else is a method reference, whose one captured value is the receiver.
        let Some((method, _)) = name.strip_prefix("lambda$").and_then(|rest| rest.rsplit_once('$')) else {
            return Some(Self { place: None, method: None, variables: vec![Some("receiver".into())] });
        };
        let mut variables = Vec::new();
        let mut at = 0;
        if !body.is_static() {
            variables.push(Some("this".into()));
            at = 1;
        }
        for kind in &body.signature.parameters {
            variables.push(parameter(owner, body, at));
            at += kind.n_slots();
        }
        let method = match method {
            "new" => simple(machine, owner),
            "static" => format!("{}.<clinit>", simple(machine, owner)),
            method => format!("{}.{method}", simple(machine, owner)),
        };
        Some(Self { place: place(machine, body), method: Some(method), variables })
    }

    /// The variable in a field, if that holds one.
    pub(super) fn variable(&self, field: &str) -> Option<Variable> {
        if let Some(name) = field.strip_prefix("val$") {
            return Some(Variable { name: name.into(), is_local: true });
        }
        let number: usize = field.strip_prefix("arg$")?.parse().ok()?;
        Some(match self.variables.get(number.checked_sub(1)?)? {
            Some(name) => Variable { is_local: self.method.is_some() && name != "this", name: name.clone() },
            None => Variable { name: format!("variable {number}"), is_local: false },
        })
    }
}

/// The program's method that a newly started thread runs: `run` of a class of the program, or the body of a
/// lambda.
pub(super) fn task<'vm>(machine: &Machine<'vm>, thread: Ref) -> Option<&'vm Method> {
    let classes = &machine.vm.classes;
    let (name, descriptor) = (classes.symbols.find("run")?, classes.symbols.find("()V")?);
    [thread, task_of(machine, thread)].into_iter().filter(|&object| object != 0).find_map(|object| {
        let class = machine.vm.class(machine.process.heap.get(object).class);
        let run = classes.lookup(class.id, name, descriptor)?;
        let run = if class.file.is_none() { called(machine, run)? } else { run };
        let run = classes.method(run);
        (machine.vm.class(run.class).loader == Loader::App).then_some(run)
    })
}

/// The last method that a method made by the machine calls.
fn called(machine: &Machine<'_>, id: MethodId) -> Option<MethodId> {
    let code = machine.vm.classes.code(machine.vm.classes.method(id)).ok()?;
    code.ops.iter().rev().find_map(|op| match op {
        Op::Call(id, _) if !is_boxing(machine, *id) => Some(*id),
        _ => None,
    })
}

/// Whether a method turns a value into an object or back, as the result of a lambda's body may have to.
fn is_boxing(machine: &Machine<'_>, id: MethodId) -> bool {
    let classes = &machine.vm.classes;
    let method = classes.method(id);
    let name = classes.symbols.text(method.name);
    classes.name(method.class).starts_with("java/lang/") && (&**name == "valueOf" || name.ends_with("Value"))
}

/// The first line of a method.
fn place(machine: &Machine<'_>, method: &Method) -> Option<String> {
    machine.place(method, 0).map(|(file, line)| format!("{file}:{line}"))
}

/// The name of the parameter of a method that is in a slot.
fn parameter(class: &Class, method: &Method, slot: u16) -> Option<String> {
    let file = class.file.as_ref()?;
    let variables = file.methods.get(usize::from(method.index))?.body()?.variables()?;
    let found = variables.iter().find(|variable| variable.index == slot && variable.start_pc == 0)?;
    Some(file.constant_pool.try_get_utf8(found.name_index).ok()?.to_str_lossy().into_owned())
}

/// The method that an inner class is written in.
fn enclosing(class: &Class) -> Option<String> {
    let file = class.file.as_ref()?;
    let (class_index, method_index) = file.attributes.iter().find_map(|attribute| match attribute {
        Attribute::EnclosingMethod { class_index, method_index } => Some((*class_index, *method_index)),
        _ => None,
    })?;
    let owner = file.constant_pool.try_get_class(class_index).ok()?.to_str_lossy().into_owned();
    let owner = owner.rsplit('/').next().unwrap_or(&owner).to_owned();
    let (name, _) = file.constant_pool.try_get_name_and_type(method_index).ok()?;
    let name = file.constant_pool.try_get_utf8(name).ok()?.to_str_lossy().into_owned();
    // A lambda within a method belongs to the method.
    let name =
        name.strip_prefix("lambda$").and_then(|rest| rest.rsplit_once('$')).map_or(&*name, |(name, _)| name);
    Some(if name == "<init>" { owner } else { format!("{owner}.{name}") })
}
