//! `java.lang`: objects, exceptions and their traces, references, privileged actions.

use super::Effect::{Pure, Ranges as OnRanges, Shared};
use super::effect::{FieldValue, Plan, PureView, Ranges, RangesView, SharedView, Trace, Value};
use super::{Answer, NOTHING, Table, ZERO, apart, give_bool, give_int, give_new, give_ref, required};
use crate::class::MethodId;
use crate::simple::POOL;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception};
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/Object.getClass()Ljava/lang/Class;",
        Pure(|m, args| {
            let class = m.class_of(args[0] as Ref);
            // A pool of ours is to the program one of the JDK's, which it extends.
            let is_ours = m.vm.classes.name(class) == POOL;
            let shown = if is_ours { m.vm.class(class).super_class.unwrap_or(class) } else { class };
            give_ref(m.vm.mirror(shown))
        }),
    ),
    ("java/lang/Object.hashCode()I", Shared(|m, args| give_int(m.identity_hash(args[0] as Ref)?))),
    ("java/lang/Object.clone()Ljava/lang/Object;", OnRanges(cloned, clone, Some(apart::clone))),
    (
        "java/lang/Object.notify()V",
        Shared(|m, args| {
            m.notify(args[0] as Ref, false)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/lang/Object.notifyAll()V",
        Shared(|m, args| {
            m.notify(args[0] as Ref, true)?;
            Ok(Answer::Void)
        }),
    ),
    ("java/lang/Object.wait(J)V", Shared(wait)),
    ("java/lang/Object.wait0(J)V", Shared(wait)),
    (
        "java/lang/Throwable.fillInStackTrace(I)Ljava/lang/Throwable;",
        Shared(|m, args| {
            m.fill_in_stack_trace(args[0] as Ref)?;
            Ok(Answer::Word(args[0]))
        }),
    ),
    (
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
        Shared(|m, args| {
            m.fill_trace(args[0] as Ref, Trace::Of(required(args[1])?), element_fields)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V",
        Shared(|m, args| {
            m.fill_trace(args[0] as Ref, Trace::Noted(args[1] as Ref), element_fields)?;
            Ok(Answer::Void)
        }),
    ),
    ("java/lang/StackTraceElement.computeFormat()V", NOTHING),
    ("java/lang/NullPointerException.getExtendedNPEMessage()Ljava/lang/String;", ZERO),
    ("java/lang/ref/Reference.refersTo0(Ljava/lang/Object;)Z", Shared(refers_to)),
    ("java/lang/ref/PhantomReference.refersTo0(Ljava/lang/Object;)Z", Shared(refers_to)),
    ("java/lang/ref/Reference.clear0()V", Shared(clear_reference)),
    ("java/lang/ref/PhantomReference.clear0()V", Shared(clear_reference)),
    ("java/lang/ref/Reference.hasReferencePendingList()Z", ZERO),
    ("java/lang/ref/Reference.getAndClearReferencePendingList()Ljava/lang/ref/Reference;", ZERO),
    ("java/lang/ref/Finalizer.isFinalizationEnabled()Z", ZERO),
    ("java/lang/ref/Finalizer.register(Ljava/lang/Object;)V", NOTHING),
    (
        "java/security/AccessController.doPrivileged(Ljava/security/PrivilegedAction;)Ljava/lang/Object;",
        Pure(privileged),
    ),
    (
        "java/security/AccessController.doPrivileged(Ljava/security/PrivilegedAction;Ljava/security/AccessControlContext;)Ljava/lang/Object;",
        Pure(privileged),
    ),
    ("java/security/AccessController.getContext()Ljava/security/AccessControlContext;", ZERO),
    (
        "java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;",
        ZERO,
    ),
    (
        "java/security/AccessController.getInheritedAccessControlContext()Ljava/security/AccessControlContext;",
        ZERO,
    ),
    (
        "java/security/AccessController.getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
        ZERO,
    ),
    ("java/security/AccessController.ensureMaterializedForStackWalk(Ljava/lang/Object;)V", NOTHING),
];

fn wait(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    m.wait_on(args[0] as Ref, args[1] as i64)?;
    Ok(Answer::Void)
}

fn cloned(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let object = args[0] as Ref;
    let id = m.class_of(object);
    let class = m.vm.class(id);
    if !class.is_array() && !class.is_below(m.vm.known().cloneable) {
        return Err(exception("java/lang/CloneNotSupportedException", m.vm.classes.java_name(id)));
    }
    Ok(Plan::Ranges(Ranges::read(m.all_of(object))))
}

fn clone(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = m.class_of(args[0] as Ref);
    give_new(m.duplicate(0, class))
}

/// What the fields of a stack trace element are for a place in a method.
pub(super) fn element_fields(
    m: &PureView<'_, '_>,
    element: Ref,
    method: MethodId,
    pc: u32,
) -> Vec<FieldValue> {
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
    let mut fields = Vec::new();
    for (field, text) in texts {
        if let (Some(slot), Some(text)) = (slot(field), text) {
            fields.push((element, slot, Value::Ref(vm.literal_str(&text))));
        }
    }
    // Neither the loader nor the version of the module is shown: that is format 3.
    for (field, value) in [("lineNumber", u64::from(line as u32)), ("format", 3)] {
        fields.extend(slot(field).map(|slot| (element, slot, Value::Word(value))));
    }
    fields
}

fn referent(m: &PureView<'_, '_>) -> Exec<u32> {
    m.vm.classes
        .slot("java/lang/ref/Reference", "referent")
        .ok_or_else(|| Trap::Unsupported("a Reference without referent".into()))
}

fn refers_to(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let slot = referent(m)?;
    give_bool(m.read(args[0] as Ref, slot)? == args[1])
}

fn clear_reference(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let slot = referent(m)?;
    m.write(args[0] as Ref, slot, 0)?;
    Ok(Answer::Void)
}

fn privileged(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let action = required(args[0])?;
    let run = m.vm.classes.find_method("java/security/PrivilegedAction", "run", "()Ljava/lang/Object;");
    let run = run.ok_or_else(|| Trap::Unsupported("a PrivilegedAction without run".into()))?;
    let method = m.select(m.class_of(action), run)?.id;
    Ok(Answer::Call(method, vec![u64::from(action)], Role::Plain))
}
