//! What a class tells about itself: modifiers, interfaces, the classes around it and in it, annotations.

use super::super::Effect::{Own, Pure};
use super::super::effect::{OwnView, PureView};
use super::super::{Answer, Table};
use super::objects::{annotations, class_at, raw, signature_index, text_at};
use crate::class::file::{Attribute, InnerClass, RecordComponent};
use crate::class::{Class, flags};
use crate::vm::heap::Ref;
use crate::vm::machine::Exec;

fn class_of<'vm>(m: &PureView<'_, 'vm>, args: &[u64]) -> &'vm Class {
    m.vm.class(m.class_of_mirror(args[0] as Ref))
}

fn attributes(class: &Class) -> &[Attribute] {
    class.file.as_ref().map_or(&[], |file| &file.attributes)
}

fn reference(reference: Ref) -> Exec<Answer> {
    Ok(Answer::Word(u64::from(reference)))
}

/// The components of a record.
pub(super) fn record_components(class: &Class) -> &[RecordComponent] {
    let found = attributes(class).iter().find_map(|attribute| match attribute {
        Attribute::Record(components) => Some(components),
        _ => None,
    });
    found.map_or(&[], |components| components)
}

/// Whether a class is a record.
pub(super) fn is_record(class: &Class) -> bool {
    class.flags & flags::FINAL != 0
        && attributes(class).iter().any(|attribute| matches!(attribute, Attribute::Record(_)))
}

fn inner_classes(class: &Class) -> &[InnerClass] {
    let found = attributes(class).iter().find_map(|attribute| match attribute {
        Attribute::InnerClasses(classes) => Some(classes),
        _ => None,
    });
    found.map_or(&[], |classes| classes)
}

/// What a class says about itself as an inner class.
fn own_entry<'a>(m: &PureView<'_, '_>, class: &'a Class) -> Option<&'a InnerClass> {
    let pool = &class.file.as_ref()?.constant_pool;
    let name = m.vm.classes.plain_name(class.id);
    inner_classes(class)
        .iter()
        .find(|entry| class_at(pool, entry.class_info_index).is_some_and(|text| text == name))
}

/// The modifiers of a class, those of its declaration if it is an inner one.
fn modifiers(m: &PureView<'_, '_>, class: &Class) -> u16 {
    if let crate::class::Form::Array(mut element) = class.form {
        while let crate::class::Form::Array(inner) = m.vm.class(element).form {
            element = inner;
        }
        let visibility = flags::PUBLIC | flags::PRIVATE | flags::PROTECTED;
        return modifiers(m, m.vm.class(element)) & visibility | flags::FINAL | flags::ABSTRACT;
    }
    let bits = own_entry(m, class).map_or(class.flags, |entry| entry.access_flags);
    bits & !flags::SUPER
}

fn mirrors(m: &mut OwnView<'_, '_>, from: &Class, names: Vec<String>) -> Exec<Answer> {
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let class = m.named_in(from, &name)?;
        found.push(m.vm.mirror(class));
    }
    let array = m.new_refs(m.vm.known().class, &found)?;
    reference(array.give())
}

/// The class that a class is a member of; not for local and anonymous classes.
fn declaring(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = class_of(m, args);
    let outer = own_entry(m, class).filter(|entry| entry.outer_class_info_index != 0);
    let pool = class.file.as_ref().map(|file| &file.constant_pool);
    let name = outer.and_then(|entry| class_at(pool?, entry.outer_class_info_index));
    match name {
        Some(name) => {
            let class = m.named_in(class, &name)?;
            reference(m.vm.mirror(class))
        }
        None => reference(0),
    }
}

/// The method that a local or anonymous class is in: class, name and descriptor.
fn enclosing(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = class_of(m, args);
    let found = attributes(class).iter().find_map(|attribute| match attribute {
        Attribute::EnclosingMethod { class_index, method_index } => Some((*class_index, *method_index)),
        _ => None,
    });
    let (Some((outer, method)), Some(file)) = (found, &class.file) else { return reference(0) };
    let Some(outer) = class_at(&file.constant_pool, outer) else { return reference(0) };
    let outer = m.named_in(class, &outer)?;
    let mut refs = vec![m.vm.mirror(outer), 0, 0];
    if let Ok((name, descriptor)) = file.constant_pool.try_get_name_and_type(method) {
        refs[1] = m.vm.literal_str(&text_at(class, name).unwrap_or_default());
        refs[2] = m.vm.literal_str(&text_at(class, descriptor).unwrap_or_default());
    }
    let array = m.new_refs(m.vm.known().object, &refs)?;
    reference(array.give())
}

fn simple_name(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = class_of(m, args);
    let name = own_entry(m, class).filter(|entry| entry.name_index != 0);
    let text = name.and_then(|entry| text_at(class, entry.name_index));
    reference(text.map_or(0, |text| m.vm.literal_str(&text)))
}

/// The member classes.
fn members(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = class_of(m, args);
    let own = m.vm.classes.plain_name(class.id);
    let mut names = Vec::new();
    if let Some(file) = &class.file {
        for entry in inner_classes(class) {
            let outer = class_at(&file.constant_pool, entry.outer_class_info_index);
            if entry.outer_class_info_index != 0 && outer.is_some_and(|outer| outer == own) {
                names.extend(class_at(&file.constant_pool, entry.class_info_index));
            }
        }
    }
    mirrors(m, class, names)
}

fn permitted(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = class_of(m, args);
    let found = attributes(class).iter().find_map(|attribute| match attribute {
        Attribute::PermittedSubclasses(indices) => Some(indices),
        _ => None,
    });
    let (Some(indices), Some(file)) = (found, &class.file) else { return reference(0) };
    let names = indices.iter().filter_map(|&idx| class_at(&file.constant_pool, idx)).collect();
    mirrors(m, class, names)
}

fn nest_members(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let host = m.nest_host(m.class_of_mirror(args[0] as Ref));
    let class = m.vm.class(host);
    let mut names = vec![m.vm.classes.plain_name(host).to_owned()];
    if let Some(file) = &class.file {
        for attribute in &file.attributes {
            if let Attribute::NestMembers(indices) = attribute {
                names.extend(indices.iter().filter_map(|&idx| class_at(&file.constant_pool, idx)));
            }
        }
    }
    mirrors(m, class, names)
}

fn bytes(m: &mut OwnView<'_, '_>, bytes: Option<Vec<u8>>) -> Exec<Answer> {
    let array = bytes.map_or(0, |bytes| m.new_bytes(&bytes).give());
    reference(array)
}

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/Class.getInterfaces0()[Ljava/lang/Class;",
        Own(|m, args| {
            let found: Vec<Ref> = class_of(m, args).interfaces.iter().map(|&id| m.vm.mirror(id)).collect();
            let array = m.new_refs(m.vm.known().class, &found)?;
            reference(array.give())
        }),
    ),
    (
        "java/lang/Class.getModifiers()I",
        Pure(|m, args| Ok(Answer::Word(u64::from(modifiers(m, class_of(m, args)))))),
    ),
    (
        "java/lang/Class.getClassAccessFlagsRaw0()I",
        Pure(|m, args| Ok(Answer::Word(u64::from(class_of(m, args).flags)))),
    ),
    ("java/lang/Class.getSigners()[Ljava/lang/Object;", Pure(|_, _| reference(0))),
    ("java/lang/Class.getEnclosingMethod0()[Ljava/lang/Object;", Own(enclosing)),
    ("java/lang/Class.getDeclaringClass0()Ljava/lang/Class;", Own(declaring)),
    ("java/lang/Class.getSimpleBinaryName0()Ljava/lang/String;", Pure(simple_name)),
    (
        "java/lang/Class.getGenericSignature0()Ljava/lang/String;",
        Pure(|m, args| {
            let class = class_of(m, args);
            let text = signature_index(attributes(class)).and_then(|idx| text_at(class, idx));
            reference(text.map_or(0, |text| m.vm.literal_str(&text)))
        }),
    ),
    (
        "java/lang/Class.getRawAnnotations()[B",
        Own(|m, args| {
            let found = annotations(attributes(class_of(m, args)));
            bytes(m, found)
        }),
    ),
    (
        "java/lang/Class.getRawTypeAnnotations()[B",
        Own(|m, args| {
            let found = raw(attributes(class_of(m, args)), |attribute| match attribute {
                Attribute::RuntimeVisibleTypeAnnotations(bytes) => Some(bytes),
                _ => None,
            });
            bytes(m, found)
        }),
    ),
    ("java/lang/Class.getDeclaredClasses0()[Ljava/lang/Class;", Own(members)),
    (
        "java/lang/Class.isRecord0()Z",
        Pure(|m, args| Ok(Answer::Word(u64::from(is_record(class_of(m, args)))))),
    ),
    (
        "java/lang/Class.getNestHost0()Ljava/lang/Class;",
        Pure(|m, args| {
            let host = m.nest_host(m.class_of_mirror(args[0] as Ref));
            reference(m.vm.mirror(host))
        }),
    ),
    ("java/lang/Class.getNestMembers0()[Ljava/lang/Class;", Own(nest_members)),
    (
        "java/lang/Class.isHidden()Z",
        Pure(|m, args| {
            let class = class_of(m, args);
            let is_lambda = class.file.is_none() && m.vm.classes.name(class.id).contains("$$Lambda$");
            Ok(Answer::Word(u64::from(is_lambda)))
        }),
    ),
    ("java/lang/Class.getPermittedSubclasses0()[Ljava/lang/Class;", Own(permitted)),
    (
        "jdk/internal/reflect/Reflection.areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z",
        Pure(|m, args| {
            let [a, b] = [args[0], args[1]].map(|mirror| m.class_of_mirror(mirror as Ref));
            Ok(Answer::Word(u64::from(m.are_nest_mates(a, b))))
        }),
    ),
];
