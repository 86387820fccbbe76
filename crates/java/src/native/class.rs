//! `java.lang.Class`: what a program can ask about classes. Names are literals and not caches, so that asking leaves no trace.

use super::{Answer, Table, give_bool, give_int, give_ref, nothing, required, zero};
use crate::class::descriptor::Kind;
use crate::class::{Class, ClassId, Form, Loader, flags};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::thread::Role;
use ristretto_classfile::ClassFile;
use ristretto_classfile::attributes::{Attribute, InnerClass};

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
    ("java/lang/Class.isHidden()Z", zero),
    ("java/lang/Class.isRecord0()Z", |m, args| {
        give_bool(attribute(m.vm.class(this(m, args)), |a| matches!(a, Attribute::Record { .. })).is_some())
    }),
    ("java/lang/Class.getName()Ljava/lang/String;", name),
    ("java/lang/Class.initClassName()Ljava/lang/String;", name),
    ("java/lang/Class.getSuperclass()Ljava/lang/Class;", super_class),
    ("java/lang/Class.getInterfaces0()[Ljava/lang/Class;", |m, args| {
        let interfaces = m.vm.class(this(m, args)).interfaces.to_vec();
        mirrors(m, &interfaces)
    }),
    ("java/lang/Class.getInterfaces(Z)[Ljava/lang/Class;", |m, args| {
        let interfaces = m.vm.class(this(m, args)).interfaces.to_vec();
        mirrors(m, &interfaces)
    }),
    ("java/lang/Class.getModifiers()I", |m, args| give_int(i32::from(modifiers(m, this(m, args))))),
    ("java/lang/Class.getClassAccessFlagsRaw0()I", |m, args| {
        give_int(i32::from(m.vm.class(this(m, args)).flags))
    }),
    ("java/lang/Class.getSigners()[Ljava/lang/Object;", zero),
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
    ("java/lang/Class.getGenericSignature0()Ljava/lang/String;", generic_signature),
    ("java/lang/Class.getEnclosingMethod0()[Ljava/lang/Object;", enclosing_method),
    ("java/lang/Class.getDeclaringClass0()Ljava/lang/Class;", declaring_class),
    ("java/lang/Class.getSimpleBinaryName0()Ljava/lang/String;", simple_binary_name),
    ("java/lang/Class.getDeclaredClasses0()[Ljava/lang/Class;", declared_classes),
    ("java/lang/Class.getNestHost0()Ljava/lang/Class;", |m, args| {
        let host = m.nest_host(this(m, args));
        give_ref(m.vm.mirror(host))
    }),
    ("java/lang/Class.getNestMembers0()[Ljava/lang/Class;", nest_members),
    ("java/lang/Class.getPermittedSubclasses0()[Ljava/lang/Class;", permitted_subclasses),
    ("java/lang/Class.getEnumConstantsShared()[Ljava/lang/Object;", enum_constants),
    ("java/lang/Class.getModule()Ljava/lang/Module;", |m, args| {
        let class = this(m, args);
        give_ref(module_of(m, class))
    }),
    ("java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;", |m, args| {
        let class = this(m, args);
        give_ref(super::loader::loader_of(m, class))
    }),
    ("jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;", caller),
    ("jdk/internal/reflect/Reflection.getClassAccessFlags(Ljava/lang/Class;)I", |m, args| {
        let class = m.class_of_mirror(required(args[0])?);
        give_int(i32::from(m.vm.class(class).flags))
    }),
    ("jdk/internal/reflect/Reflection.areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z", |m, args| {
        let (a, b) = (m.class_of_mirror(required(args[0])?), m.class_of_mirror(required(args[1])?));
        give_bool(m.nest_host(a) == m.nest_host(b))
    }),
    ("jdk/internal/reflect/Reflection.verifyModuleAccess(Ljava/lang/Module;Ljava/lang/Class;)Z", super::yes),
];

/// The class that the receiver of a native method of `Class` stands for.
pub(super) fn this(m: &Machine<'_>, args: &[u64]) -> ClassId {
    m.class_of_mirror(args[0] as Ref)
}

/// An attribute of a class file.
fn attribute(class: &Class, is_it: fn(&Attribute) -> bool) -> Option<(&ClassFile<'static>, &Attribute)> {
    let file = class.file.as_deref()?;
    file.attributes.iter().find(|attribute| is_it(attribute)).map(|found| (file, found))
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

/// A class that a class file names.
fn named(m: &Machine<'_>, file: &ClassFile<'_>, idx: u16) -> Option<ClassId> {
    let name = file.constant_pool.try_get_class(idx).ok()?;
    m.vm.classes.load(&name.to_str_lossy()).ok()
}

/// The entry of a class in its own list of inner classes.
fn inner_entry<'vm>(m: &Machine<'vm>, class: ClassId) -> Option<(&'vm ClassFile<'static>, InnerClass)> {
    let class = m.vm.class(class);
    let (file, found) = attribute(class, |a| matches!(a, Attribute::InnerClasses { .. }))?;
    let Attribute::InnerClasses { classes, .. } = found else { return None };
    let own = m.vm.classes.name(class.id);
    classes
        .iter()
        .find(|entry| {
            file.constant_pool
                .try_get_class(entry.class_info_index)
                .is_ok_and(|name| name.to_str_lossy() == own)
        })
        .map(|entry| (file, entry.clone()))
}

/// The flags that `Class.getModifiers` gives.
pub fn modifiers(m: &Machine<'_>, class: ClassId) -> u16 {
    let bits = match inner_entry(m, class) {
        Some((_, entry)) => entry.access_flags.bits(),
        None => m.vm.class(class).flags,
    };
    bits & !flags::SUPER
}

fn generic_signature(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let found = attribute(m.vm.class(this(m, args)), |a| matches!(a, Attribute::Signature { .. }));
    let Some((file, Attribute::Signature { signature_index, .. })) = found else { return give_ref(0) };
    let text = file.constant_pool.try_get_utf8(*signature_index);
    give_ref(text.map_or(0, |text| m.vm.literal_str(&text.to_str_lossy())))
}

fn enclosing_method(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let found = attribute(m.vm.class(this(m, args)), |a| matches!(a, Attribute::EnclosingMethod { .. }));
    let Some((file, Attribute::EnclosingMethod { class_index, method_index, .. })) = found else {
        return give_ref(0);
    };
    let class = named(m, file, *class_index).map_or(0, |id| m.vm.mirror(id));
    let mut refs = [class, 0, 0];
    if let Ok((name, descriptor)) = file.constant_pool.try_get_name_and_type(*method_index) {
        for (place, idx) in refs[1..].iter_mut().zip([name, descriptor]) {
            let text = file.constant_pool.try_get_utf8(*idx);
            *place = text.map_or(0, |text| m.vm.literal_str(&text.to_str_lossy()));
        }
    }
    let object = m.vm.known().object;
    give_ref(m.new_refs(object, &refs)?)
}

fn declaring_class(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let outer = inner_entry(m, this(m, args))
        .filter(|(_, entry)| entry.outer_class_info_index != 0)
        .and_then(|(file, entry)| named(m, file, entry.outer_class_info_index));
    give_ref(outer.map_or(0, |id| m.vm.mirror(id)))
}

fn simple_binary_name(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let Some((file, entry)) = inner_entry(m, this(m, args)).filter(|(_, entry)| entry.name_index != 0) else {
        return give_ref(0);
    };
    let text = file.constant_pool.try_get_utf8(entry.name_index);
    give_ref(text.map_or(0, |text| m.vm.literal_str(&text.to_str_lossy())))
}

fn declared_classes(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let id = this(m, args);
    let mut inner = Vec::new();
    if let Some((file, Attribute::InnerClasses { classes, .. })) =
        attribute(m.vm.class(id), |a| matches!(a, Attribute::InnerClasses { .. }))
    {
        for entry in classes.iter().filter(|entry| entry.outer_class_info_index != 0) {
            if named(m, file, entry.outer_class_info_index) == Some(id) {
                inner.extend(named(m, file, entry.class_info_index));
            }
        }
    }
    mirrors(m, &inner)
}

fn nest_members(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let host = m.nest_host(this(m, args));
    let mut members = vec![host];
    if let Some((file, Attribute::NestMembers { class_indexes, .. })) =
        attribute(m.vm.class(host), |a| matches!(a, Attribute::NestMembers { .. }))
    {
        members.extend(class_indexes.iter().filter_map(|&idx| named(m, file, idx)));
    }
    mirrors(m, &members)
}

fn permitted_subclasses(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let found = attribute(m.vm.class(this(m, args)), |a| matches!(a, Attribute::PermittedSubclasses { .. }));
    let Some((file, Attribute::PermittedSubclasses { class_indexes, .. })) = found else {
        return give_ref(0);
    };
    let classes: Vec<ClassId> = class_indexes.iter().filter_map(|&idx| named(m, file, idx)).collect();
    mirrors(m, &classes)
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
        Some(slot) if loader != 0 => m.heap.slot(loader, slot) as Ref,
        _ => m.vm.boot_module(),
    }
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
