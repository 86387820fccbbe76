//! `jdk.internal.misc.Unsafe`: fields and array elements by offset, as one atomic operation each.
//!
//! The field in slot `n` has the offset `16 + 8 n`, static fields are slots of the class's mirror; the elements of an array
//! begin at 16 and are as large as their type, references being four bytes. All modes of access are sequentially consistent.

use super::{Answer, Table, give_bool, give_int, give_long, give_ref, nothing, required};
use crate::class::descriptor::Kind;
use crate::class::flags;
use crate::inputs::Input;
use crate::vm::INITIALIZED;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::view::{Mode, Place, Resource};

/// Where fields and elements begin.
pub const BASE: u64 = 16;

/// The entries that are not about one kind of value.
pub const TABLE: Table = &[
    ("jdk/internal/misc/Unsafe.objectFieldOffset0(Ljava/lang/reflect/Field;)J", reflected_offset),
    ("jdk/internal/misc/Unsafe.staticFieldOffset0(Ljava/lang/reflect/Field;)J", reflected_offset),
    (
        "jdk/internal/misc/Unsafe.staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;",
        reflected_base,
    ),
    ("jdk/internal/misc/Unsafe.objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J", named_offset),
    ("jdk/internal/misc/Unsafe.shouldBeInitialized0(Ljava/lang/Class;)Z", should_be_initialized),
    ("jdk/internal/misc/Unsafe.ensureClassInitialized0(Ljava/lang/Class;)V", ensure_initialized),
    ("jdk/internal/misc/Unsafe.arrayBaseOffset0(Ljava/lang/Class;)I", |_, _| give_int(BASE as i32)),
    ("jdk/internal/misc/Unsafe.arrayIndexScale0(Ljava/lang/Class;)I", array_scale),
    ("jdk/internal/misc/Unsafe.allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;", allocate_instance),
    (
        "jdk/internal/misc/Unsafe.allocateUninitializedArray0(Ljava/lang/Class;I)Ljava/lang/Object;",
        allocate_array,
    ),
    ("jdk/internal/misc/Unsafe.throwException(Ljava/lang/Throwable;)V", |_, args| {
        Err(Trap::Throw(required(args[1])?))
    }),
    ("jdk/internal/misc/Unsafe.park(ZJ)V", |m, args| {
        m.park(args[1] != 0, args[2] as i64)?;
        Ok(Answer::Void)
    }),
    ("jdk/internal/misc/Unsafe.unpark(Ljava/lang/Object;)V", |m, args| {
        if args[1] != 0 {
            m.unpark(args[1] as Ref)?;
        }
        Ok(Answer::Void)
    }),
    ("jdk/internal/misc/Unsafe.loadFence()V", nothing),
    ("jdk/internal/misc/Unsafe.storeFence()V", nothing),
    ("jdk/internal/misc/Unsafe.fullFence()V", nothing),
    ("jdk/internal/misc/Unsafe.loadLoadFence()V", nothing),
    ("jdk/internal/misc/Unsafe.storeStoreFence()V", nothing),
    ("jdk/internal/misc/Unsafe.setMemory0(Ljava/lang/Object;JJB)V", set_memory),
    ("jdk/internal/misc/Unsafe.copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V", copy_memory),
    ("jdk/internal/misc/Unsafe.copySwapMemory0(Ljava/lang/Object;JLjava/lang/Object;JJJ)V", copy_swapped),
    ("jdk/internal/misc/Unsafe.getLongUnaligned(Ljava/lang/Object;J)J", |m, args| get(m, args, Kind::Long)),
    ("jdk/internal/misc/Unsafe.getIntUnaligned(Ljava/lang/Object;J)I", |m, args| get(m, args, Kind::Int)),
    ("jdk/internal/misc/Unsafe.getCharUnaligned(Ljava/lang/Object;J)C", |m, args| get(m, args, Kind::Char)),
    ("jdk/internal/misc/Unsafe.getShortUnaligned(Ljava/lang/Object;J)S", |m, args| get(m, args, Kind::Short)),
    ("jdk/internal/misc/Unsafe.putLongUnaligned(Ljava/lang/Object;JJ)V", |m, args| put(m, args, Kind::Long)),
    ("jdk/internal/misc/Unsafe.putIntUnaligned(Ljava/lang/Object;JI)V", |m, args| put(m, args, Kind::Int)),
    ("jdk/internal/misc/Unsafe.putCharUnaligned(Ljava/lang/Object;JC)V", |m, args| put(m, args, Kind::Char)),
    ("jdk/internal/misc/Unsafe.putShortUnaligned(Ljava/lang/Object;JS)V", |m, args| {
        put(m, args, Kind::Short)
    }),
];

/// The entries for one kind of value: its name in method names, its descriptor, and the kind.
macro_rules! access_table {
    ($table:ident, $name:literal, $letter:literal, $kind:expr, [$($more:expr),*]) => {
        #[doc = concat!("Reading, writing and exchanging of `", $name, "` values.")]
        pub const $table: Table = &[
            (concat!("jdk/internal/misc/Unsafe.get", $name, "(Ljava/lang/Object;J)", $letter), |m, a| get_weakly(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.get", $name, "Volatile(Ljava/lang/Object;J)", $letter), |m, a| get(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.get", $name, "Acquire(Ljava/lang/Object;J)", $letter), |m, a| get_weakly(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.get", $name, "Opaque(Ljava/lang/Object;J)", $letter), |m, a| get_weakly(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "(Ljava/lang/Object;J", $letter, ")V"), |m, a| put_weakly(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "Volatile(Ljava/lang/Object;J", $letter, ")V"), |m, a| put(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "Release(Ljava/lang/Object;J", $letter, ")V"), |m, a| put_weakly(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "Opaque(Ljava/lang/Object;J", $letter, ")V"), |m, a| put_weakly(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.compareAndSet", $name, "(Ljava/lang/Object;J", $letter, $letter, ")Z"), |m, a| compare_and_set(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "(Ljava/lang/Object;J", $letter, $letter, ")Z"), |m, a| compare_and_set(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "Plain(Ljava/lang/Object;J", $letter, $letter, ")Z"), |m, a| compare_and_set(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "Acquire(Ljava/lang/Object;J", $letter, $letter, ")Z"), |m, a| compare_and_set(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "Release(Ljava/lang/Object;J", $letter, $letter, ")Z"), |m, a| compare_and_set(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.compareAndExchange", $name, "(Ljava/lang/Object;J", $letter, $letter, ")", $letter), |m, a| compare_and_exchange(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.compareAndExchange", $name, "Acquire(Ljava/lang/Object;J", $letter, $letter, ")", $letter), |m, a| compare_and_exchange(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.compareAndExchange", $name, "Release(Ljava/lang/Object;J", $letter, $letter, ")", $letter), |m, a| compare_and_exchange(m, a, $kind)),
            (concat!("jdk/internal/misc/Unsafe.getAndSet", $name, "(Ljava/lang/Object;J", $letter, ")", $letter), |m, a| update(m, a, $kind, |_, new| new)),
            (concat!("jdk/internal/misc/Unsafe.getAndSet", $name, "Acquire(Ljava/lang/Object;J", $letter, ")", $letter), |m, a| update(m, a, $kind, |_, new| new)),
            (concat!("jdk/internal/misc/Unsafe.getAndSet", $name, "Release(Ljava/lang/Object;J", $letter, ")", $letter), |m, a| update(m, a, $kind, |_, new| new)),
            $($more),*
        ];
    };
}

/// The entries for arithmetic on one kind of integer.
macro_rules! arithmetic_table {
    ($table:ident, $name:literal, $letter:literal, $kind:expr) => {
        access_table!(
            $table,
            $name,
            $letter,
            $kind,
            [
                (
                    concat!(
                        "jdk/internal/misc/Unsafe.getAndAdd",
                        $name,
                        "(Ljava/lang/Object;J",
                        $letter,
                        ")",
                        $letter
                    ),
                    |m, a| add(m, a, $kind)
                ),
                (
                    concat!(
                        "jdk/internal/misc/Unsafe.getAndAdd",
                        $name,
                        "Acquire(Ljava/lang/Object;J",
                        $letter,
                        ")",
                        $letter
                    ),
                    |m, a| add(m, a, $kind)
                ),
                (
                    concat!(
                        "jdk/internal/misc/Unsafe.getAndAdd",
                        $name,
                        "Release(Ljava/lang/Object;J",
                        $letter,
                        ")",
                        $letter
                    ),
                    |m, a| add(m, a, $kind)
                ),
                (
                    concat!(
                        "jdk/internal/misc/Unsafe.getAndBitwiseOr",
                        $name,
                        "(Ljava/lang/Object;J",
                        $letter,
                        ")",
                        $letter
                    ),
                    |m, a| update(m, a, $kind, |old, by| old | by)
                ),
                (
                    concat!(
                        "jdk/internal/misc/Unsafe.getAndBitwiseAnd",
                        $name,
                        "(Ljava/lang/Object;J",
                        $letter,
                        ")",
                        $letter
                    ),
                    |m, a| update(m, a, $kind, |old, by| old & by)
                ),
                (
                    concat!(
                        "jdk/internal/misc/Unsafe.getAndBitwiseXor",
                        $name,
                        "(Ljava/lang/Object;J",
                        $letter,
                        ")",
                        $letter
                    ),
                    |m, a| update(m, a, $kind, |old, by| old ^ by)
                )
            ]
        );
    };
}

access_table!(BOOLEANS, "Boolean", "Z", Kind::Boolean, []);
access_table!(FLOATS, "Float", "F", Kind::Float, []);
access_table!(DOUBLES, "Double", "D", Kind::Double, []);
access_table!(REFERENCES, "Reference", "Ljava/lang/Object;", Kind::Ref, []);
arithmetic_table!(BYTES, "Byte", "B", Kind::Byte);
arithmetic_table!(CHARS, "Char", "C", Kind::Char);
arithmetic_table!(SHORTS, "Short", "S", Kind::Short);
arithmetic_table!(INTS, "Int", "I", Kind::Int);
arithmetic_table!(LONGS, "Long", "J", Kind::Long);

fn outside() -> Trap {
    Trap::Unsupported("memory outside of objects (Unsafe with an address)".into())
}

fn astray() -> Trap {
    Trap::Unsupported("an Unsafe access outside of its object".into())
}

/// The slot of the field at an offset.
#[must_use]
pub fn slot_at(offset: u64) -> u32 {
    (offset.wrapping_sub(BASE) / 8) as u32
}

/// The offset of the field in a slot.
#[must_use]
pub fn offset_of(slot: u32) -> u64 {
    BASE + 8 * u64::from(slot)
}

/// Reads a value at an offset in an object.
///
/// # Errors
/// If there is none.
pub fn load(m: &Machine<'_>, object: Ref, offset: u64, kind: Kind) -> Exec<u64> {
    let at = offset.wrapping_sub(BASE) as usize;
    let value = match &m.process.heap.get(object).data {
        Data::Slots(slots) => *slots.get(at / 8).ok_or_else(astray)?,
        Data::Refs(refs) => u64::from(*refs.get(at / 4).ok_or_else(astray)?),
        Data::Bytes(bytes) => {
            let bytes = bytes.get(at..at.wrapping_add(kind.n_bytes())).ok_or_else(astray)?;
            bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
        }
    };
    Ok(kind.narrow(value))
}

/// Writes a value at an offset in an object.
///
/// # Errors
/// If there is no such place.
pub fn store(m: &mut Machine<'_>, object: Ref, offset: u64, kind: Kind, value: u64) -> Exec<()> {
    let at = offset.wrapping_sub(BASE) as usize;
    let value = kind.narrow(value);
    if kind == Kind::Ref {
        m.publish(object, value as Ref);
    }
    match &mut m.process.heap.get_mut(object).data {
        Data::Slots(slots) => *slots.get_mut(at / 8).ok_or_else(astray)? = value,
        Data::Refs(refs) => *refs.get_mut(at / 4).ok_or_else(astray)? = value as Ref,
        Data::Bytes(bytes) => {
            let n_bytes = kind.n_bytes();
            let bytes = bytes.get_mut(at..at.wrapping_add(n_bytes)).ok_or_else(astray)?;
            bytes.copy_from_slice(&value.to_le_bytes()[..n_bytes]);
        }
    }
    Ok(())
}

fn give(kind: Kind, value: u64) -> Exec<Answer> {
    Ok(if kind.is_wide() { Answer::Wide(value) } else { Answer::Word(value) })
}

/// The object and offset of an access, which is about to happen.
fn begin(m: &mut Machine<'_>, args: &[u64], mode: Mode) -> Exec<(Ref, u64)> {
    let object = args[1] as Ref;
    if object == 0 {
        return Err(outside());
    }
    let (class, at) = (m.process.heap.get(object).class, args[2].wrapping_sub(BASE) as u32);
    let place = match &m.process.heap.get(object).data {
        Data::Slots(_) => m.place_of(object, slot_at(args[2])),
        Data::Refs(_) => Place::array(class, at / 4),
        // A number may lie across several bytes.
        Data::Bytes(_) => Place::array(class, u32::MAX),
    };
    m.access(Resource::Part(object, place), mode)?;
    Ok((object, args[2]))
}

/// Records what was read at an offset, if that is a field or an element.
fn note_read(m: &mut Machine<'_>, object: Ref, offset: u64, kind: Kind, value: u64) {
    if m.step.reads.is_none() {
        return;
    }
    let at = offset.wrapping_sub(BASE) as u32;
    match &m.process.heap.get(object).data {
        Data::Slots(_) => m.note_read(object, slot_at(offset), kind, value),
        Data::Refs(_) => m.note_read(object, at / 4, kind, value),
        Data::Bytes(_) => {
            let n_bytes = kind.n_bytes() as u32;
            if m.vm.classes.element_kind(m.process.heap.get(object).class) == Some(kind)
                && at.is_multiple_of(n_bytes)
            {
                m.note_read(object, at / n_bytes, kind, value);
            }
        }
    }
}

fn get(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    let (object, offset) = begin(m, args, Mode::Read)?;
    let value = load(m, object, offset, kind)?;
    note_read(m, object, offset, kind, value);
    give(kind, value)
}

fn put(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    let (object, offset) = begin(m, args, Mode::WriteAny)?;
    store(m, object, offset, kind, args[4])?;
    Ok(Answer::Void)
}

/// As [`get`], for an access that orders less than a volatile one does. It is made as if it were volatile, which people should know.
fn get_weakly(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    note_weak(m, args[1] as Ref);
    get(m, args, kind)
}

/// As [`put`], likewise.
fn put_weakly(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    note_weak(m, args[1] as Ref);
    put(m, args, kind)
}

fn note_weak(m: &Machine<'_>, object: Ref) {
    if object != 0 && m.process.threads.len() > 1 && m.process.heap.is_shared(object) {
        m.note_input(Input::WeakOrder);
    }
}

fn exchange(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<(u64, bool)> {
    let n_slots = usize::from(kind.n_slots());
    let (expected, new) = (kind.narrow(args[4]), args[4 + n_slots]);
    // One that fails only reads.
    let is_equal = args[1] != 0 && load(m, args[1] as Ref, args[2], kind)? == expected;
    let (object, offset) = begin(m, args, if is_equal { Mode::WriteAny } else { Mode::Read })?;
    let old = load(m, object, offset, kind)?;
    note_read(m, object, offset, kind, old);
    if is_equal {
        store(m, object, offset, kind, new)?;
    }
    Ok((old, is_equal))
}

fn compare_and_set(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    give_bool(exchange(m, args, kind)?.1)
}

fn compare_and_exchange(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    give(kind, exchange(m, args, kind)?.0)
}

fn update(m: &mut Machine<'_>, args: &[u64], kind: Kind, change: fn(u64, u64) -> u64) -> Exec<Answer> {
    change_by(m, args, kind, Mode::WriteAny, change)
}

fn change_by(
    m: &mut Machine<'_>,
    args: &[u64],
    kind: Kind,
    mode: Mode,
    change: fn(u64, u64) -> u64,
) -> Exec<Answer> {
    let (object, offset) = begin(m, args, mode)?;
    let old = load(m, object, offset, kind)?;
    note_read(m, object, offset, kind, old);
    store(m, object, offset, kind, change(old, args[4]))?;
    give(kind, old)
}

/// Adds, and gives what was there before, which nobody may look at.
fn add(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    // Numbers that lie across each other in an array carry in different ways.
    let is_field = args[1] != 0 && matches!(m.process.heap.get(args[1] as Ref).data, Data::Slots(_));
    let is_dropped = is_field && m.drops_result(u32::from(kind.n_slots()));
    change_by(m, args, kind, if is_dropped { Mode::Add } else { Mode::WriteAny }, u64::wrapping_add)
}

/// The class and slot that a `java.lang.reflect.Field` object names: the slot among statics or in an instance.
fn reflected(m: &Machine<'_>, field: Ref) -> Exec<(Ref, u64)> {
    let classes = &m.vm.classes;
    let missing = || Trap::Unsupported("a java.lang.reflect.Field of an unknown form".into());
    let class_slot = classes.slot("java/lang/reflect/Field", "clazz").ok_or_else(missing)?;
    let index_slot = classes.slot("java/lang/reflect/Field", "slot").ok_or_else(missing)?;
    let mirror = m.process.heap.slot(field, class_slot) as Ref;
    let class = m.vm.class(m.class_of_mirror(mirror));
    let field = class.fields.get(m.process.heap.slot(field, index_slot) as usize).ok_or_else(missing)?;
    let is_static = field.flags & flags::STATIC != 0;
    let slot = if is_static { m.vm.static_slot(field.slot) } else { field.slot };
    Ok((mirror, offset_of(slot)))
}

fn reflected_offset(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let field = required(args[1])?;
    give_long(reflected(m, field)?.1 as i64)
}

fn reflected_base(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let field = required(args[1])?;
    give_ref(reflected(m, field)?.0)
}

fn named_offset(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let class = m.class_of_mirror(required(args[1])?);
    let name = m.text(required(args[2])?);
    let name_symbol = m.vm.classes.symbols.find(&name);
    let fields = &m.vm.class(class).fields;
    let Some(field) = fields.iter().find(|field| Some(field.name) == name_symbol) else {
        return Err(exception("java/lang/InternalError", name));
    };
    let is_static = field.flags & flags::STATIC != 0;
    give_long(offset_of(if is_static { m.vm.static_slot(field.slot) } else { field.slot }) as i64)
}

fn should_be_initialized(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let class = m.vm.class(m.class_of_mirror(required(args[1])?));
    give_bool(m.class_status(class) != INITIALIZED)
}

fn ensure_initialized(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let class = m.class_of_mirror(required(args[1])?);
    m.ensure_initialized(class)?;
    Ok(Answer::Void)
}

fn array_scale(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let class = m.class_of_mirror(required(args[1])?);
    let scale = match m.vm.classes.element_kind(class) {
        Some(Kind::Ref) => 4,
        Some(kind) => kind.n_bytes(),
        None => 0,
    };
    give_int(scale as i32)
}

fn allocate_instance(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let id = m.class_of_mirror(required(args[1])?);
    let class = m.vm.class(id);
    if class.flags & (flags::ABSTRACT | flags::INTERFACE) != 0 {
        return Err(exception("java/lang/InstantiationException", m.vm.classes.java_name(id)));
    }
    m.ensure_initialized(id)?;
    give_ref(m.new_object(id))
}

fn allocate_array(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let element = m.class_of_mirror(required(args[1])?);
    let class = m.vm.classes.array_of(element)?;
    give_ref(m.new_array(class, super::int(args[2]))?)
}

fn set_memory(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (object, offset) = begin(m, args, Mode::WriteAny)?;
    let at = offset.wrapping_sub(BASE) as usize;
    let len = args[4] as usize;
    let Data::Bytes(bytes) = &mut m.process.heap.get_mut(object).data else { return Err(astray()) };
    bytes.get_mut(at..at.wrapping_add(len)).ok_or_else(astray)?.fill(args[6] as u8);
    Ok(Answer::Void)
}

fn copy_memory(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    copy_bytes(m, args, |_| {})
}

/// Copies elements whose size is the last argument, their bytes in the opposite order.
fn copy_swapped(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let size = (args[9] as usize).max(1);
    copy_bytes(m, args, |bytes| bytes.chunks_mut(size).for_each(<[u8]>::reverse))
}

fn copy_bytes(m: &mut Machine<'_>, args: &[u64], change: impl FnOnce(&mut [u8])) -> Exec<Answer> {
    let (from, to) = (args[1] as Ref, args[4] as Ref);
    if from == 0 || to == 0 {
        return Err(outside());
    }
    m.access(Resource::Arrays(from, to), Mode::Write)?;
    let (source, target) = ((args[2].wrapping_sub(BASE)) as usize, (args[5].wrapping_sub(BASE)) as usize);
    let len = args[7] as usize;
    let mut copied = match &m.process.heap.get(from).data {
        Data::Bytes(bytes) => bytes.get(source..source.wrapping_add(len)).ok_or_else(astray)?.to_vec(),
        _ => return Err(astray()),
    };
    change(&mut copied);
    let Data::Bytes(bytes) = &mut m.process.heap.get_mut(to).data else { return Err(astray()) };
    bytes.get_mut(target..target.wrapping_add(len)).ok_or_else(astray)?.copy_from_slice(&copied);
    Ok(Answer::Void)
}
