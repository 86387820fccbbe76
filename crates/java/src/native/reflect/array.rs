//! `java.lang.reflect.Array`: elements of arrays of any kind.

use super::super::handles::unboxed;
use super::super::{Answer, Entry, Table};
use crate::class::descriptor::Kind;
use crate::vm::arithmetic::convert;
use crate::vm::dynamic::adapt::{computed, widens};
use crate::vm::dynamic::assemble::find;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine, Trap, exception, write_element};
use crate::vm::thread::Role;
use crate::vm::view::{Mode, Resource};

fn mismatch() -> Trap {
    exception("java/lang/IllegalArgumentException", "argument type mismatch")
}

/// The array, the kind of its elements and the index, all checked.
fn element(m: &mut Machine<'_>, args: &[u64]) -> Exec<(Ref, Kind, usize)> {
    let array = args[0] as Ref;
    if array == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let kind = m.vm.classes.element_kind(m.process.heap.get(array).class);
    let kind =
        kind.ok_or_else(|| exception("java/lang/IllegalArgumentException", "Argument is not an array"))?;
    let (idx, len) = (args[1] as u32 as i32, m.array_len(array));
    match usize::try_from(idx) {
        Ok(at) if at < len => Ok((array, kind, at)),
        _ => Err(exception(
            "java/lang/ArrayIndexOutOfBoundsException",
            format!("Index {idx} out of bounds for length {len}"),
        )),
    }
}

fn widened(from: Kind, to: Kind, value: u64) -> Exec<u64> {
    if !widens(from, to) {
        return Err(mismatch());
    }
    let (from, to) = (computed(from), computed(to));
    Ok(if from == to { value } else { convert(from, to, value) })
}

/// An element as a value of a primitive kind.
fn get_as(m: &mut Machine<'_>, args: &[u64], to: Kind) -> Exec<Answer> {
    let (array, kind, at) = element(m, args)?;
    if !widens(kind, to) {
        return Err(mismatch());
    }
    m.access(Resource::Whole(array), Mode::Write)?;
    let value = widened(kind, to, m.element(array, kind, at))?;
    Ok(if to.is_wide() { Answer::Wide(value) } else { Answer::Word(value) })
}

/// An element as an object.
fn get(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (array, kind, at) = element(m, args)?;
    if kind == Kind::Ref {
        m.access(Resource::Whole(array), Mode::Write)?;
        return Ok(Answer::Word(m.element(array, kind, at)));
    }
    let class = kind.box_class();
    let boxing = find(&m.vm.classes, class, "valueOf", &format!("({})L{class};", kind.letter()))?;
    m.ensure_initialized(m.vm.classes.method(boxing).class)?;
    m.access(Resource::Whole(array), Mode::Write)?;
    let mut value = vec![m.element(array, kind, at)];
    value.resize(usize::from(kind.n_slots()), 0);
    Ok(Answer::Call(boxing, value, Role::Plain))
}

/// Writes an element that is a value of a primitive kind.
fn put(m: &mut Machine<'_>, (array, kind, at): (Ref, Kind, usize), from: Kind, value: u64) -> Exec<Answer> {
    if kind == Kind::Ref {
        return Err(mismatch());
    }
    let value = widened(from, kind, value)?;
    m.access(Resource::Whole(array), Mode::Write)?;
    if let Data::Bytes(bytes) = &mut m.process.heap.get_mut(array).data {
        write_element(bytes, kind, at, value);
    }
    Ok(Answer::Void)
}

fn set(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let place = element(m, args)?;
    let (array, kind, at) = place;
    let object = args[2] as Ref;
    if kind != Kind::Ref {
        let (from, value) = unboxed(m, object).ok_or_else(mismatch)?;
        return put(m, place, from, value);
    }
    if let crate::class::Form::Array(class) = m.vm.class(m.process.heap.get(array).class).form
        && object != 0
        && !m.is_instance(object, class)
    {
        return Err(exception("java/lang/IllegalArgumentException", "array element type mismatch"));
    }
    m.access(Resource::Whole(array), Mode::Write)?;
    m.publish(array, object);
    if let Data::Refs(refs) = &mut m.process.heap.get_mut(array).data {
        refs[at] = object;
    }
    Ok(Answer::Void)
}

macro_rules! kinds {
    ($($name:literal $letter:literal $kind:ident,)*) => {
        &[$(
            (
                concat!("java/lang/reflect/Array.get", $name, "(Ljava/lang/Object;I)", $letter),
                (|m, args| get_as(m, args, Kind::$kind)) as Entry,
            ),
            (
                concat!("java/lang/reflect/Array.set", $name, "(Ljava/lang/Object;I", $letter, ")V"),
                (|m, args| {
                    let place = element(m, args)?;
                    put(m, place, Kind::$kind, args[2])
                }) as Entry,
            ),
        )*]
    };
}

/// The entries for each kind of value.
pub const KINDS: Table = kinds![
    "Boolean" "Z" Boolean,
    "Byte" "B" Byte,
    "Char" "C" Char,
    "Short" "S" Short,
    "Int" "I" Int,
    "Long" "J" Long,
    "Float" "F" Float,
    "Double" "D" Double,
];

/// The entries for objects.
pub const TABLE: Table = &[
    ("java/lang/reflect/Array.get(Ljava/lang/Object;I)Ljava/lang/Object;", get),
    ("java/lang/reflect/Array.set(Ljava/lang/Object;ILjava/lang/Object;)V", set),
];
