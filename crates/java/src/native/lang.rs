//! `java.lang`: objects, exceptions and their traces, references, privileged actions.

use super::{Answer, Table, give_bool, give_int, give_ref, nothing, required, zero};
use crate::class::MethodId;
use crate::vm::heap::{Object, Ref};
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::thread::Role;
use crate::vm::view::{Mode, Resource};

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/Object.getClass()Ljava/lang/Class;", |m, args| {
        let class = m.process.heap.get(args[0] as Ref).class;
        give_ref(m.vm.mirror(class))
    }),
    ("java/lang/Object.hashCode()I", |m, args| identity_hash(m, args[0] as Ref)),
    ("java/lang/Object.clone()Ljava/lang/Object;", clone),
    ("java/lang/Object.notify()V", |m, args| {
        m.notify(args[0] as Ref, false)?;
        Ok(Answer::Void)
    }),
    ("java/lang/Object.notifyAll()V", |m, args| {
        m.notify(args[0] as Ref, true)?;
        Ok(Answer::Void)
    }),
    ("java/lang/Object.wait(J)V", wait),
    ("java/lang/Object.wait0(J)V", wait),
    ("java/lang/Throwable.fillInStackTrace(I)Ljava/lang/Throwable;", |m, args| {
        m.fill_in_stack_trace(args[0] as Ref);
        Ok(Answer::Word(args[0]))
    }),
    (
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
        |m, args| {
            let trace = m.backtrace(required(args[1])?);
            fill_elements(m, args[0] as Ref, trace)
        },
    ),
    (
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V",
        |m, args| {
            let trace = m.noted_trace(args[1] as Ref);
            fill_elements(m, args[0] as Ref, trace)
        },
    ),
    ("java/lang/StackTraceElement.computeFormat()V", nothing),
    ("java/lang/NullPointerException.getExtendedNPEMessage()Ljava/lang/String;", zero),
    ("java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/PhantomReference.refersTo0(Ljava/lang/Object;)Z", refers_to),
    ("java/lang/ref/Reference.clear0()V", clear_reference),
    ("java/lang/ref/PhantomReference.clear0()V", clear_reference),
    ("java/lang/ref/Reference.hasReferencePendingList()Z", zero),
    ("java/lang/ref/Reference.getAndClearReferencePendingList()Ljava/lang/ref/Reference;", zero),
    ("java/lang/ref/Finalizer.isFinalizationEnabled()Z", zero),
    ("java/lang/ref/Finalizer.register(Ljava/lang/Object;)V", nothing),
    (
        "java/security/AccessController.doPrivileged(Ljava/security/PrivilegedAction;)Ljava/lang/Object;",
        privileged,
    ),
    (
        "java/security/AccessController.doPrivileged(Ljava/security/PrivilegedAction;Ljava/security/AccessControlContext;)Ljava/lang/Object;",
        privileged,
    ),
    ("java/security/AccessController.getContext()Ljava/security/AccessControlContext;", zero),
    (
        "java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;",
        zero,
    ),
    (
        "java/security/AccessController.getInheritedAccessControlContext()Ljava/security/AccessControlContext;",
        zero,
    ),
    (
        "java/security/AccessController.getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
        zero,
    ),
    ("java/security/AccessController.ensureMaterializedForStackWalk(Ljava/lang/Object;)V", nothing),
];

/// The identity hash of an object, which gets one when it is first asked for.
///
/// # Errors
/// [`Trap::Stop`] if the step ends before that.
pub fn identity_hash(m: &mut Machine<'_>, object: Ref) -> Exec<Answer> {
    let hash = m.process.heap.get(object).hash;
    if hash != 0 {
        return give_int(hash as i32);
    }
    m.access(Resource::Hashes, Mode::Write)?;
    m.process.next_hash += 1;
    // Spread out like real ones, and never zero: the factor is odd.
    let hash = (m.process.next_hash.wrapping_mul(0x9e37_79b1) >> 4) | 1;
    m.process.heap.get_mut(object).hash = hash;
    give_int(hash as i32)
}

fn wait(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    m.wait_on(args[0] as Ref, args[1] as i64)?;
    Ok(Answer::Void)
}

fn clone(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    let id = m.process.heap.get(object).class;
    let class = m.vm.class(id);
    let cloneable = m.vm.known().cloneable;
    if !class.is_array() && !class.is_below(cloneable) {
        return Err(exception("java/lang/CloneNotSupportedException", m.vm.classes.java_name(id)));
    }
    m.access(Resource::Whole(object), Mode::Read)?;
    let data = m.process.heap.get(object).data.clone();
    give_ref(m.process.heap.push(Object::new(id, data)))
}

/// Fills an array of stack trace elements.
fn fill_elements(m: &mut Machine<'_>, array: Ref, trace: Vec<(MethodId, u32)>) -> Exec<Answer> {
    let elements: Vec<Ref> = match &m.process.heap.get(array).data {
        crate::vm::heap::Data::Refs(refs) => refs.to_vec(),
        _ => Vec::new(),
    };
    for (element, (method, pc)) in elements.into_iter().zip(trace) {
        fill_element(m, element, method, pc);
    }
    Ok(Answer::Void)
}

/// Writes a place into a stack trace element.
pub(super) fn fill_element(m: &mut Machine<'_>, element: Ref, method: MethodId, pc: u32) {
    let vm = m.vm;
    let method = vm.classes.method(method);
    let class = vm.class(method.class);
    let is_library = class.loader == crate::class::Loader::Boot;
    let line = match m.place(method, pc) {
        Some((_, line)) => line as i32,
        None if method.is_native() => -2,
        None => -1,
    };
    let name = vm.classes.name(class.id);
    let module = vm.classes.sources.jdk.module_of(name).unwrap_or("java.base");
    let texts = [
        ("declaringClass", Some(name.replace('/', "."))),
        ("methodName", Some(vm.classes.symbols.text(method.name).to_string())),
        ("fileName", class.source_file.as_deref().map(str::to_owned)),
        ("moduleName", is_library.then(|| module.to_owned())),
        ("classLoaderName", (!is_library).then(|| "app".to_owned())),
    ];
    let slot = |field: &str| vm.classes.slot("java/lang/StackTraceElement", field);
    for (field, text) in texts {
        if let (Some(slot), Some(text)) = (slot(field), text) {
            m.set_ref(element, slot, vm.literal_str(&text));
        }
    }
    if let Some(slot) = slot("lineNumber") {
        m.process.heap.set_slot(element, slot, u64::from(line as u32));
    }
    // Neither the loader nor the version of the module is shown.
    if let Some(slot) = slot("format") {
        m.process.heap.set_slot(element, slot, 3);
    }
}

fn referent(m: &Machine<'_>) -> Exec<u32> {
    m.vm.classes
        .slot("java/lang/ref/Reference", "referent")
        .ok_or_else(|| Trap::Unsupported("a Reference without referent".into()))
}

fn refers_to(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let slot = referent(m)?;
    m.access(Resource::Slot(args[0] as Ref, slot), Mode::Read)?;
    give_bool(m.process.heap.slot(args[0] as Ref, slot) == args[1])
}

fn clear_reference(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let slot = referent(m)?;
    m.access(Resource::Slot(args[0] as Ref, slot), Mode::WriteAny)?;
    m.process.heap.set_slot(args[0] as Ref, slot, 0);
    Ok(Answer::Void)
}

fn privileged(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let action = required(args[0])?;
    let run = m.vm.classes.find_method("java/security/PrivilegedAction", "run", "()Ljava/lang/Object;");
    let run = run.ok_or_else(|| Trap::Unsupported("a PrivilegedAction without run".into()))?;
    let method = m.select(m.process.heap.get(action).class, run)?.id;
    Ok(Answer::Call(method, vec![u64::from(action)], Role::Plain))
}
