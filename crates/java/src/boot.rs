//! Starting the class library: what a Java machine does before `main`.

use crate::class::registry::Classes;
use crate::source::Sources;
use crate::source::jdk::Jdk;
use crate::source::path::ClassPath;
use crate::vm::execute::Stepped;
use crate::vm::heap::Ref;
use crate::vm::machine::{Machine, Trap};
use crate::vm::thread::{Role, Thread};
use crate::vm::{Options, Vm};
use std::path::Path;

/// A machine with nothing run yet.
///
/// # Errors
/// If the JDK cannot be used.
pub fn machine(jdk: Option<&Path>, path: ClassPath, options: Options) -> Result<Vm, String> {
    let sources = Sources { jdk: Jdk::find(jdk)?, path };
    let vm = Vm::new(Classes::new(sources), options);
    vm.learn()?;
    Ok(vm)
}

/// Calls a static method in the boot thread and runs it to its end.
///
/// # Errors
/// If it throws or the machine cannot go on.
pub fn call(
    machine: &mut Machine<'_>,
    class: &str,
    name: &str,
    descriptor: &str,
    args: &[u64],
) -> Result<(), String> {
    let vm = machine.vm;
    let id = vm
        .classes
        .find_method(class, name, descriptor)
        .ok_or_else(|| format!("the class library has no {class}.{name}{descriptor}"))?;
    let method = vm.classes.method(id);
    machine.booting = true;
    machine.current = 0;
    let show = |trap: Trap| format!("{trap:?}");
    machine.push_frame(method, args, Role::Plain).map_err(show)?;
    if let Err(Trap::Again) = machine.ensure_initialized(method.class) {}
    match machine.step(0) {
        Stepped::Done => Ok(()),
        Stepped::Unsupported(what) => Err(what),
        other => Err(format!("the class library cannot be started: {other:?}")),
    }
}

/// Makes the first thread and starts the class library in it.
///
/// # Errors
/// If that fails.
pub fn boot(machine: &mut Machine<'_>) -> Result<(), String> {
    let vm = machine.vm;
    machine.booting = true;
    let known = vm.known();
    let thread = machine.new_object(known.thread);
    machine.threads = vec![Thread::new(0, thread)];
    machine.next_thread = 1;
    machine.current = 0;
    for class in [
        "java/lang/String",
        "java/lang/System",
        "java/lang/Class",
        "java/lang/ThreadGroup",
        "java/lang/Thread",
    ] {
        initialize(machine, class)?;
    }
    let _ = thread as Ref;
    call(machine, "java/lang/System", "initPhase1", "()V", &[])?;
    Ok(())
}

/// Initialises a class.
///
/// # Errors
/// If its initialiser throws or the machine cannot go on.
pub fn initialize(machine: &mut Machine<'_>, class: &str) -> Result<(), String> {
    let id = machine.vm.load(class).map_err(|error| format!("{}: {}", error.class, error.message))?;
    let nothing = machine.vm.classes.method(machine.vm.natives.nothing(&machine.vm.classes));
    machine.current = 0;
    if machine.threads.is_empty() {
        return Err("there is no thread to run initialisers in".into());
    }
    machine.push_frame(nothing, &[0], Role::Detached).map_err(|trap| format!("{trap:?}"))?;
    match machine.ensure_initialized(id) {
        Ok(()) | Err(Trap::Again) => {}
        Err(trap) => return Err(format!("{trap:?}")),
    }
    match machine.step(0) {
        Stepped::Done => Ok(()),
        Stepped::Unsupported(what) => Err(what),
        other => Err(format!("{class} cannot be initialised: {other:?}")),
    }
}
