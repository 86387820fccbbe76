//! Starting the class library: what a Java machine does before `main`.

use crate::class::registry::Classes;
use crate::error::Error;
use crate::source::Sources;
use crate::source::files::Files;
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
pub fn machine(jdk: Option<&Path>, path: ClassPath, options: Options) -> Result<Vm, Error> {
    let files = Files::default();
    let sources = Sources { jdk: Jdk::find(jdk)?, path, files, jdk_locks: options.jdk_locks };
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
) -> Result<(), Error> {
    let vm = machine.vm;
    let id = vm
        .classes
        .find_method(class, name, descriptor)
        .ok_or_else(|| Error::LibraryLacks(format!("{class}.{name}{descriptor}")))?;
    let method = vm.classes.method(id);
    machine.booting = true;
    machine.step.current = 0;
    machine.push_frame(method, args, Role::Plain)?;
    if let Err(Trap::Again) = machine.ensure_initialized(method.class) {}
    match machine.step(0) {
        Stepped::Done => Ok(()),
        Stepped::Unsupported(what) => Err(Error::Unsupported(what)),
        Stepped::Blocked | Stepped::Rejected => Err(Error::LibraryStuck(format!("{class}.{name}"))),
    }
}

/// Calls a constructor or another method of an object in the boot thread; see [`call`].
///
/// # Errors
/// As [`call`].
fn call_on(
    machine: &mut Machine<'_>,
    object: Ref,
    (class, name, descriptor): (&str, &str, &str),
    args: &[Ref],
) -> Result<(), Error> {
    let mut all = vec![u64::from(object)];
    all.extend(args.iter().map(|&arg| u64::from(arg)));
    call(machine, class, name, descriptor, &all)
}

/// Makes the first thread and starts the class library in it.
///
/// # Errors
/// If that fails.
pub fn boot(machine: &mut Machine<'_>) -> Result<(), Error> {
    let vm = machine.vm;
    machine.booting = true;
    let known = vm.known();
    let thread = machine.new_object(known.thread);
    machine.process.threads = vec![Thread::new(0, thread)];
    machine.process.next_thread = 1;
    machine.step.current = 0;
    initialize(machine, "java/lang/String")?;
    initialize(machine, "jdk/internal/misc/UnsafeConstants")?;
    for (field, value) in [("ADDRESS_SIZE0", 8), ("PAGE_SIZE", 4096), ("UNALIGNED_ACCESS", 1)] {
        machine.set_static("jdk/internal/misc/UnsafeConstants", field, value);
    }
    for class in [
        "java/lang/System",
        "java/lang/Class",
        "java/lang/ThreadGroup",
        "java/lang/Thread",
        "java/lang/reflect/Method",
    ] {
        initialize(machine, class)?;
    }
    first_thread(machine, thread)?;
    for class in ["java/lang/Module", "java/lang/reflect/Method", "java/lang/ref/Reference"] {
        initialize(machine, class)?;
    }
    call(machine, "java/lang/System", "initPhase1", "()V", &[])?;
    // The module system has nothing to do: see `native::loader`.
    for level in [2, 3] {
        call(machine, "jdk/internal/misc/VM", "initLevel", "(I)V", &[level])?;
    }
    call(machine, "java/lang/ClassLoader", "initSystemClassLoader", "()Ljava/lang/ClassLoader;", &[])?;
    if let Some(slot) = vm.classes.slot("java/lang/Thread", "contextClassLoader") {
        let loader = machine.static_value("java/lang/ClassLoader", "scl").unwrap_or(0);
        machine.set_ref(thread, slot, loader as Ref);
    }
    call(machine, "jdk/internal/misc/VM", "initLevel", "(I)V", &[4])?;
    if vm.classes.find_method("jdk/internal/misc/VM", "setJavaLangInvokeInited", "()V").is_some() {
        call(machine, "jdk/internal/misc/VM", "setJavaLangInvokeInited", "()V", &[])?;
    }
    // What would otherwise be initialised by the first exception, and with another clock.
    for class in
        ["java/lang/Throwable", "java/util/ImmutableCollections", "java/lang/ApplicationShutdownHooks"]
    {
        initialize(machine, class)?;
    }
    machine.step.events.clear();
    Ok(())
}

/// The groups `system` and `main`, and the thread `main` in it.
fn first_thread(machine: &mut Machine<'_>, thread: Ref) -> Result<(), Error> {
    let vm = machine.vm;
    let known = vm.known();
    let group = vm.load("java/lang/ThreadGroup").map_err(Error::LibraryClass)?;
    let holder = known.thread_holder.map(|slot| -> Result<Ref, Error> {
        let class = vm.load("java/lang/Thread$FieldHolder").map_err(Error::LibraryClass)?;
        let holder = machine.new_object(class);
        machine.set_ref(thread, slot, holder);
        Ok(holder)
    });
    let (owner, class) = match holder {
        Some(holder) => (holder?, "java/lang/Thread$FieldHolder"),
        None => (thread, "java/lang/Thread"),
    };
    if let Some(slot) = vm.classes.slot(class, "priority") {
        machine.process.heap.set_slot(owner, slot, 5);
    }
    machine.set_thread_status(thread, 0x5, 1);
    let system = machine.new_object(group);
    call_on(machine, system, ("java/lang/ThreadGroup", "<init>", "()V"), &[])?;
    let main = machine.new_object(group);
    let name = vm.literal_str("main");
    let constructor = "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V";
    call_on(machine, main, ("java/lang/ThreadGroup", "<init>", constructor), &[system, name])?;
    call_on(machine, thread, ("java/lang/Thread", "<init>", constructor), &[main, name])?;
    machine.set_thread_status(thread, 0x5, 1);
    Ok(())
}

/// Puts the call of a program's `main` on the stack of the first thread, which then runs step by step.
///
/// # Errors
/// If there is no such class or method.
pub fn enter_main(machine: &mut Machine<'_>, class: &str, args: &[String]) -> Result<(), Error> {
    let vm = machine.vm;
    let name = class.replace('.', "/");
    let id = vm.load(&name).map_err(|error| Error::MainClass(class.into(), error))?;
    let main = vm
        .classes
        .find_method(&name, "main", "([Ljava/lang/String;)V")
        .map(|id| vm.classes.method(id))
        .filter(|method| method.is_static())
        .ok_or_else(|| Error::NoMainMethod(class.into()))?;
    let strings: Vec<Ref> = args.iter().map(|arg| machine.new_string(arg)).collect();
    let array = machine.new_refs(vm.known().string, &strings)?;
    machine.step.current = 0;
    machine.push_frame(main, &[u64::from(array)], Role::Plain)?;
    // Nobody else runs yet, so nothing comes before the initialiser.
    let begun = machine.ensure_initialized(id);
    machine.booting = false;
    match begun {
        Ok(()) | Err(Trap::Again) => Ok(()),
        Err(trap) => Err(trap.into()),
    }
}

/// Initialises a class.
///
/// # Errors
/// If its initialiser throws or the machine cannot go on.
pub fn initialize(machine: &mut Machine<'_>, class: &str) -> Result<(), Error> {
    let id = machine.vm.load(class).map_err(Error::LibraryClass)?;
    let nothing = machine.vm.classes.method(machine.vm.natives.nothing(&machine.vm.classes));
    machine.step.current = 0;
    if machine.process.threads.is_empty() {
        return Err(Error::LibraryStuck(class.into()));
    }
    machine.push_frame(nothing, &[0], Role::Detached)?;
    match machine.ensure_initialized(id) {
        Ok(()) | Err(Trap::Again) => {}
        Err(trap) => return Err(trap.into()),
    }
    match machine.step(0) {
        Stepped::Done => Ok(()),
        Stepped::Unsupported(what) => Err(Error::Unsupported(what)),
        Stepped::Blocked | Stepped::Rejected => Err(Error::LibraryStuck(class.into())),
    }
}
