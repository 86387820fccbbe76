//! `java.lang.Class`: what a program can ask about classes. Names are literals and not caches, so that asking leaves no trace.

use super::{Answer, Table, give_bool, give_int, give_ref, nothing, required, zero};
use crate::class::descriptor::Kind;
use crate::class::{ClassId, Form, Loader, flags};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/Class.isInstance(Ljava/lang/Object;)Z", |m, args| {
        let class = this(m, args);
        give_bool(m.is_instance(args[1] as Ref, class))
    }),
    ("java/lang/Class.isAssignableFrom(Ljava/lang/Class;)Z", |m, args| {
        let other = m.class_of_mirror(required(args[1])?);
        give_bool(m.vm.classes.is_assignable(other, this(m, args)))
    }),
    ("java/lang/Class.isInterface()Z", |m, args| give_bool(m.vm.class(this(m, args)).is_interface())),
    ("java/lang/Class.isArray()Z", |m, args| give_bool(m.vm.class(this(m, args)).is_array())),
    ("java/lang/Class.isPrimitive()Z", |m, args| give_bool(m.vm.class(this(m, args)).is_primitive())),
    ("java/lang/Class.getName()Ljava/lang/String;", name),
    ("java/lang/Class.initClassName()Ljava/lang/String;", name),
    ("java/lang/Class.getSuperclass()Ljava/lang/Class;", super_class),
    ("java/lang/Class.getInterfaces(Z)[Ljava/lang/Class;", |m, args| {
        let interfaces = m.vm.class(this(m, args)).interfaces.to_vec();
        mirrors(m, &interfaces)
    }),
    ("java/lang/Class.setSigners([Ljava/lang/Object;)V", nothing),
    ("java/lang/Class.getProtectionDomain0()Ljava/security/ProtectionDomain;", zero),
    ("java/lang/Class.getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;", |m, args| {
        let name = m.text(required(args[0])?);
        let id = m.vm.load(&name)?;
        give_ref(m.vm.mirror(id))
    }),
    ("java/lang/Class.desiredAssertionStatus0(Ljava/lang/Class;)Z", |m, args| {
        let class = m.vm.class(m.class_of_mirror(args[0] as Ref));
        give_bool(class.loader == Loader::App && m.vm.options.assertions)
    }),
    ("java/lang/Class.desiredAssertionStatus()Z", |m, args| {
        let class = m.vm.class(this(m, args));
        give_bool(class.loader == Loader::App && m.vm.options.assertions)
    }),
    ("java/lang/Class.getEnumConstantsShared()[Ljava/lang/Object;", enum_constants),
    ("java/lang/Class.getModule()Ljava/lang/Module;", |m, args| {
        let class = this(m, args);
        give_ref(module_of(m, class))
    }),
    ("java/lang/Class.getClassLoader()Ljava/lang/ClassLoader;", |m, args| {
        let class = this(m, args);
        give_ref(super::loader::loader_of(m, class))
    }),
    ("java/lang/Class.getPackage()Ljava/lang/Package;", package),
    ("java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;", |m, args| {
        let class = this(m, args);
        give_ref(super::loader::loader_of(m, class))
    }),
    ("jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;", caller),
    ("jdk/internal/reflect/Reflection.getClassAccessFlags(Ljava/lang/Class;)I", |m, args| {
        let class = m.class_of_mirror(required(args[0])?);
        give_int(i32::from(m.vm.class(class).flags))
    }),
];

/// The class that the receiver of a native method of `Class` stands for.
pub(super) fn this(m: &Machine<'_>, args: &[u64]) -> ClassId {
    m.class_of_mirror(args[0] as Ref)
}

fn name(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let name = m.vm.classes.java_name(this(m, args));
    give_ref(m.vm.literal_str(&name))
}

fn super_class(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let class = m.vm.class(this(m, args));
    match class.super_class {
        Some(parent) if !class.is_interface() => give_ref(m.vm.mirror(parent)),
        _ => give_ref(0),
    }
}

/// An array of class objects.
fn mirrors(m: &mut Machine<'_>, classes: &[ClassId]) -> Exec<Answer> {
    let refs: Vec<Ref> = classes.iter().map(|&id| m.vm.mirror(id)).collect();
    let class = m.vm.known().class;
    give_ref(m.new_refs(class, &refs)?)
}

/// The constants of an enum: what its `values` method gives, without a cache.
fn enum_constants(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let id = this(m, args);
    let class = m.vm.class(id);
    let is_enum = class.flags & flags::ENUM != 0
        && class.super_class.is_some_and(|parent| m.vm.classes.name(parent) == "java/lang/Enum");
    if !is_enum {
        return give_ref(0);
    }
    let descriptor = format!("()[L{};", m.vm.classes.name(id));
    let symbols = &m.vm.classes.symbols;
    let values = symbols.find("values").zip(symbols.find(&descriptor));
    let Some(values) = values.and_then(|(name, descriptor)| m.vm.classes.declared(id, name, descriptor))
    else {
        return give_ref(0);
    };
    m.ensure_initialized(id)?;
    Ok(Answer::Call(values, Vec::new(), Role::Plain))
}

/// The `java.lang.Module` object of a class.
pub fn module_of(m: &Machine<'_>, class: ClassId) -> Ref {
    let mut element = class;
    while let Form::Array(inner) = m.vm.class(element).form {
        element = inner;
    }
    let loader = super::loader::loader_of(m, element);
    let slot = m.vm.classes.slot("java/lang/ClassLoader", "unnamedModule");
    match slot {
        Some(slot) if loader != 0 => m.process.heap.slot(loader, slot) as Ref,
        _ => m.vm.boot_module(),
    }
}

/// The package of a class of the program comes from its loader, which the class object does not name.
fn package(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let class = this(m, args);
    let loader = super::loader::loader_of(m, class);
    if loader == 0 || m.vm.class(class).form != Form::Instance {
        return Ok(Answer::Bytecode);
    }
    let define = m.vm.classes.find_method(
        "java/lang/ClassLoader",
        "definePackage",
        "(Ljava/lang/Class;)Ljava/lang/Package;",
    );
    let Some(define) = define else { return Ok(Answer::Bytecode) };
    Ok(Answer::Call(define, vec![u64::from(loader), args[0]], Role::Plain))
}

/// The class of the method that called the method that asks.
fn caller(m: &mut Machine<'_>, _: &[u64]) -> Exec<Answer> {
    let frames = &m.thread().frames;
    let is_reflection = |class: ClassId| {
        matches!(m.vm.classes.name(class), "java/lang/reflect/Method" | "java/lang/reflect/Constructor")
            || m.vm.classes.name(class).starts_with("jdk/internal/reflect/")
    };
    let found = frames.iter().rev().skip(1).find(|frame| !is_reflection(frame.method.class));
    give_ref(found.map_or(0, |frame| m.vm.mirror(frame.method.class)))
}

/// The kind of values of a primitive class, for natives that box.
///
/// # Errors
/// If it is none.
pub fn primitive_kind(m: &Machine<'_>, class: ClassId) -> Exec<Kind> {
    match m.vm.class(class).form {
        Form::Primitive(Some(kind)) => Ok(kind),
        _ => Err(Trap::Unsupported("a class that is not primitive".into())),
    }
}
