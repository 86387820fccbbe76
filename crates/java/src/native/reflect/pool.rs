//! The constants of a class as the class library reads them when it parses annotations.

use super::super::Effect::{Own, Pure};
use super::super::effect::{OwnView, PureView};
use super::super::{Answer, Table};
use super::objects::{class_at, text_at};
use crate::class::Class;
use crate::class::file::{Constant, ConstantPool};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Trap, exception};

fn class_of<'vm>(m: &PureView<'_, 'vm>, args: &[u64]) -> (&'vm Class, u16) {
    (m.vm.class(m.class_of_mirror(args[1] as Ref)), args.get(2).map_or(0, |&idx| idx as u16))
}

fn bad() -> Trap {
    exception("java/lang/IllegalArgumentException", "Wrong type at constant pool index")
}

fn pool(class: &Class) -> Exec<&ConstantPool> {
    class.file.as_ref().map(|file| &file.constant_pool).ok_or_else(bad)
}

fn make(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let name = "jdk/internal/reflect/ConstantPool";
    let class = m.vm.load(name)?;
    let slot = m.vm.classes.slot(name, "constantPoolOop").ok_or_else(bad)?;
    let mut slots = vec![0; m.vm.class(class).instance.len()];
    slots[slot as usize] = args[0];
    let object = m.push(Object::new(class, Data::Slots(slots.into())));
    Ok(Answer::Word(u64::from(object.give())))
}

fn class_entry(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (class, idx) = class_of(m, args);
    let name = class_at(pool(class)?, idx).ok_or_else(bad)?;
    let class = m.named_in(class, &name)?;
    Ok(Answer::Word(u64::from(m.vm.mirror(class))))
}

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/Class.getConstantPool()Ljdk/internal/reflect/ConstantPool;", Own(make)),
    (
        "jdk/internal/reflect/ConstantPool.getSize0(Ljava/lang/Object;)I",
        Pure(|m, args| {
            let (class, _) = class_of(m, args);
            Ok(Answer::Word(pool(class)?.len() as u64))
        }),
    ),
    ("jdk/internal/reflect/ConstantPool.getClassAt0(Ljava/lang/Object;I)Ljava/lang/Class;", Own(class_entry)),
    (
        "jdk/internal/reflect/ConstantPool.getClassAtIfLoaded0(Ljava/lang/Object;I)Ljava/lang/Class;",
        Own(class_entry),
    ),
    (
        "jdk/internal/reflect/ConstantPool.getUTF8At0(Ljava/lang/Object;I)Ljava/lang/String;",
        Pure(|m, args| {
            let (class, idx) = class_of(m, args);
            let text = text_at(class, idx).ok_or_else(bad)?;
            Ok(Answer::Word(u64::from(m.vm.literal_str(&text))))
        }),
    ),
    (
        "jdk/internal/reflect/ConstantPool.getStringAt0(Ljava/lang/Object;I)Ljava/lang/String;",
        Pure(|m, args| {
            let (class, idx) = class_of(m, args);
            let Some(Constant::String(text)) = pool(class)?.get(idx) else { return Err(bad()) };
            Ok(Answer::Word(u64::from(m.vm.literal_constant(class, *text))))
        }),
    ),
    (
        "jdk/internal/reflect/ConstantPool.getIntAt0(Ljava/lang/Object;I)I",
        Pure(|m, args| {
            let (class, idx) = class_of(m, args);
            let Some(&Constant::Integer(value)) = pool(class)?.get(idx) else { return Err(bad()) };
            Ok(Answer::Word(u64::from(value as u32)))
        }),
    ),
    (
        "jdk/internal/reflect/ConstantPool.getFloatAt0(Ljava/lang/Object;I)F",
        Pure(|m, args| {
            let (class, idx) = class_of(m, args);
            let Some(&Constant::Float(value)) = pool(class)?.get(idx) else { return Err(bad()) };
            Ok(Answer::Word(u64::from(value.to_bits())))
        }),
    ),
    (
        "jdk/internal/reflect/ConstantPool.getLongAt0(Ljava/lang/Object;I)J",
        Pure(|m, args| {
            let (class, idx) = class_of(m, args);
            let Some(&Constant::Long(value)) = pool(class)?.get(idx) else { return Err(bad()) };
            Ok(Answer::Wide(value as u64))
        }),
    ),
    (
        "jdk/internal/reflect/ConstantPool.getDoubleAt0(Ljava/lang/Object;I)D",
        Pure(|m, args| {
            let (class, idx) = class_of(m, args);
            let Some(&Constant::Double(value)) = pool(class)?.get(idx) else { return Err(bad()) };
            Ok(Answer::Wide(value.to_bits()))
        }),
    ),
];
