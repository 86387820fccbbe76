//! `java.lang.Class`: what a program can ask about classes. Names are literals and not caches, so that asking
//! leaves no trace.

use super::Effect::{Own, Pure};
use super::effect::{Fixed, OwnView, PureView};
use super::{Answer, NOTHING, Table, give_bool, give_int, give_new, give_ref, required};
use crate::class::{ClassId, Form, Loader, flags};
use crate::vm::heap::Ref;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/Class.isInstance(Ljava/lang/Object;)Z",
        Pure(|m, args| {
            let class = this(m, args);
            give_bool(m.is_instance(args[1] as Ref, class))
        }),
    ),
    (
        "java/lang/Class.isAssignableFrom(Ljava/lang/Class;)Z",
        Pure(|m, args| {
            let other = m.class_of_mirror(required(args[1])?);
            give_bool(m.vm.classes.is_assignable(other, this(m, args)))
        }),
    ),
    ("java/lang/Class.isInterface()Z", Pure(|m, args| give_bool(m.vm.class(this(m, args)).is_interface()))),
    ("java/lang/Class.isArray()Z", Pure(|m, args| give_bool(m.vm.class(this(m, args)).is_array()))),
    ("java/lang/Class.isPrimitive()Z", Pure(|m, args| give_bool(m.vm.class(this(m, args)).is_primitive()))),
    ("java/lang/Class.getName()Ljava/lang/String;", Pure(name)),
    ("java/lang/Class.initClassName()Ljava/lang/String;", Pure(name)),
    ("java/lang/Class.getSuperclass()Ljava/lang/Class;", Pure(super_class)),
    (
        "java/lang/Class.getInterfaces(Z)[Ljava/lang/Class;",
        Own(|m, args| {
            let interfaces = m.vm.class(this(m, args)).interfaces.to_vec();
            mirrors(m, &interfaces)
        }),
    ),
    ("java/lang/Class.setSigners([Ljava/lang/Object;)V", NOTHING),
    (
        "java/lang/Class.getProtectionDomain0()Ljava/security/ProtectionDomain;",
        Own(|m, args| {
            let class = this(m, args);
            give_ref(m.domain(class))
        }),
    ),
    (
        "java/lang/Class.getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;",
        Pure(|m, args| {
            let name = m.text(required(args[0])?);
            let id = m.vm.load(&name)?;
            give_ref(m.vm.mirror(id))
        }),
    ),
    (
        "java/lang/Class.desiredAssertionStatus0(Ljava/lang/Class;)Z",
        Pure(|m, args| {
            let class = m.vm.class(m.class_of_mirror(args[0] as Ref));
            give_bool(class.loader == Loader::App && m.vm.options.assertions)
        }),
    ),
    (
        "java/lang/Class.desiredAssertionStatus()Z",
        Pure(|m, args| {
            let class = m.vm.class(this(m, args));
            give_bool(class.loader == Loader::App && m.vm.options.assertions)
        }),
    ),
    ("java/lang/Class.getEnumConstantsShared()[Ljava/lang/Object;", Own(enum_constants)),
    (
        "java/lang/Class.getModule()Ljava/lang/Module;",
        Pure(|m, args| {
            let class = this(m, args);
            give_ref(module_of(m, class))
        }),
    ),
    (
        "java/lang/Class.getClassLoader()Ljava/lang/ClassLoader;",
        Pure(|m, args| {
            let class = this(m, args);
            give_ref(super::loader::loader_of(m, class))
        }),
    ),
    ("java/lang/Class.getPackage()Ljava/lang/Package;", Pure(package)),
    (
        "java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;",
        Pure(|m, args| {
            let class = this(m, args);
            give_ref(super::loader::loader_of(m, class))
        }),
    ),
    ("jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;", Pure(caller)),
    (
        "jdk/internal/reflect/Reflection.getClassAccessFlags(Ljava/lang/Class;)I",
        Pure(|m, args| {
            let class = m.class_of_mirror(required(args[0])?);
            give_int(i32::from(m.vm.class(class).flags))
        }),
    ),
];

/// The class that the receiver of a native method of `Class` stands for.
pub(super) fn this(m: &PureView<'_, '_>, args: &[u64]) -> ClassId {
    m.class_of_mirror(args[0] as Ref)
}

fn name(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let name = m.vm.classes.java_name(this(m, args));
    give_ref(m.vm.literal_str(&name))
}

fn super_class(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = m.vm.class(this(m, args));
    match class.super_class {
        Some(parent) if !class.is_interface() => give_ref(m.vm.mirror(parent)),
        _ => give_ref(0),
    }
}

/// An array of class objects.
fn mirrors(m: &mut OwnView<'_, '_>, classes: &[ClassId]) -> Exec<Answer> {
    let refs: Vec<Ref> = classes.iter().map(|&id| m.vm.mirror(id)).collect();
    let class = m.vm.known().class;
    give_new(m.new_refs(class, &refs)?)
}

/// The constants of an enum: what its `values` method gives, without a cache.
fn enum_constants(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let id = this(m, args);
    let class = m.vm.class(id);
    let is_enum = class.flags & flags::ENUM != 0
        && class.super_class.is_some_and(|parent| m.vm.classes.name(parent) == "java/lang/Enum");
    if !is_enum {
        return give_ref(0);
    }
    let descriptor = format!("()[L{};", m.vm.classes.plain_name(id));
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
pub fn module_of(m: &PureView<'_, '_>, class: ClassId) -> Ref {
    let mut element = class;
    while let Form::Array(inner) = m.vm.class(element).form {
        element = inner;
    }
    if super::loader::loader_of(m, element) == 0 {
        return m.vm.boot_module();
    }
    if m.vm.class(element).space != 0 {
        let loader = super::loader::loader_of(m, element);
        return m.fixed(loader, Fixed::LoaderModule).unwrap_or(0) as Ref;
    }
    m.unnamed_module().unwrap_or_else(|| m.vm.boot_module())
}

/// The package of a class of the program comes from its loader, which the class object does not name.
fn package(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
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
fn caller(m: &mut PureView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    let frames = m.frames();
    let is_reflection = |class: ClassId| {
        matches!(m.vm.classes.name(class), "java/lang/reflect/Method" | "java/lang/reflect/Constructor")
            || m.vm.classes.name(class).starts_with("jdk/internal/reflect/")
    };
    let found = frames.iter().rev().skip(1).find(|frame| !is_reflection(frame.method.class));
    give_ref(found.map_or(0, |frame| m.vm.mirror(frame.method.class)))
}
