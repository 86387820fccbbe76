//! `jdk.internal.misc.Unsafe`: fields and array elements by offset, as one atomic operation each.
//!
//! The field in slot `n` has the offset `16 + 8 n`, static fields are slots of the class's mirror; the
//! elements of an array begin at 16 and are as large as their type, references being four bytes. All modes of
//! access are sequentially consistent. Without an object an offset is an address of memory (see
//! `native::effect`'s `blocks`), which is an array as well.

use super::Effect::{Own, Pure, Ranges as OnRanges, Shared};
use super::effect::{
    Fixed, OwnView, Plan, PureView, Range, Ranges, RangesView, SharedView, Variable, VariableMode,
};
use super::{Answer, NOTHING, Table, apart, give_bool, give_int, give_long, give_new, give_ref, required};
use crate::class::descriptor::Kind;
use crate::class::flags;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception};

/// Where fields and elements begin.
pub const BASE: u64 = 16;

/// The entries that are not about one kind of value.
pub const TABLE: Table =
    &[
        ("jdk/internal/misc/Unsafe.objectFieldOffset0(Ljava/lang/reflect/Field;)J", Pure(reflected_offset)),
        ("jdk/internal/misc/Unsafe.staticFieldOffset0(Ljava/lang/reflect/Field;)J", Pure(reflected_offset)),
        (
            "jdk/internal/misc/Unsafe.staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;",
            Pure(reflected_base),
        ),
        (
            "jdk/internal/misc/Unsafe.objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J",
            Pure(named_offset),
        ),
        ("jdk/internal/misc/Unsafe.shouldBeInitialized0(Ljava/lang/Class;)Z", Shared(should_be_initialized)),
        ("jdk/internal/misc/Unsafe.ensureClassInitialized0(Ljava/lang/Class;)V", Own(ensure_initialized)),
        ("jdk/internal/misc/Unsafe.arrayBaseOffset0(Ljava/lang/Class;)I", Pure(|_, _| give_int(BASE as i32))),
        ("jdk/internal/misc/Unsafe.arrayIndexScale0(Ljava/lang/Class;)I", Pure(array_scale)),
        (
            "jdk/internal/misc/Unsafe.allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;",
            Own(allocate_instance),
        ),
        (
            "jdk/internal/misc/Unsafe.allocateUninitializedArray0(Ljava/lang/Class;I)Ljava/lang/Object;",
            Own(allocate_array),
        ),
        (
            "jdk/internal/misc/Unsafe.throwException(Ljava/lang/Throwable;)V",
            Pure(|_, args| Err(Trap::Throw(required(args[1])?))),
        ),
        (
            "jdk/internal/misc/Unsafe.park(ZJ)V",
            Shared(|m, args| {
                m.park(args[1] != 0, args[2] as i64)?;
                Ok(Answer::Void)
            }),
        ),
        (
            "jdk/internal/misc/Unsafe.unpark(Ljava/lang/Object;)V",
            Shared(|m, args| {
                if args[1] != 0 {
                    m.unpark(args[1] as Ref)?;
                }
                Ok(Answer::Void)
            }),
        ),
        (
            "jdk/internal/misc/Unsafe.allocateMemory0(J)J",
            Shared(|m, args| give_long(m.allocate(args[1])? as i64)),
        ),
        (
            "jdk/internal/misc/Unsafe.reallocateMemory0(JJ)J",
            Shared(|m, args| give_long(m.reallocate(args[1], args[3])? as i64)),
        ),
        (
            "jdk/internal/misc/Unsafe.freeMemory0(J)V",
            Shared(|m, args| {
                m.release(args[1])?;
                Ok(Answer::Void)
            }),
        ),
        // How much memory all buffers may have together, which is not bounded here.
        ("java/nio/Bits.pageSize()I", Pure(|_, _| give_int(4096))),
        ("java/nio/Bits.reserveMemory(JJ)V", NOTHING),
        ("java/nio/Bits.unreserveMemory(JJ)V", NOTHING),
        ("jdk/internal/misc/Unsafe.loadFence()V", NOTHING),
        ("jdk/internal/misc/Unsafe.storeFence()V", NOTHING),
        ("jdk/internal/misc/Unsafe.fullFence()V", NOTHING),
        ("jdk/internal/misc/Unsafe.loadLoadFence()V", NOTHING),
        ("jdk/internal/misc/Unsafe.storeStoreFence()V", NOTHING),
        (
            "jdk/internal/misc/Unsafe.setMemory0(Ljava/lang/Object;JJB)V",
            OnRanges(set_memory_range, set_memory, Some(apart::set_memory)),
        ),
        (
            "jdk/internal/misc/Unsafe.copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V",
            OnRanges(copied_ranges, copy_memory, Some(apart::copy_memory)),
        ),
        (
            "jdk/internal/misc/Unsafe.copySwapMemory0(Ljava/lang/Object;JLjava/lang/Object;JJJ)V",
            OnRanges(copied_ranges, copy_swapped, Some(apart::copy_swapped)),
        ),
        (
            "jdk/internal/misc/Unsafe.getLongUnaligned(Ljava/lang/Object;J)J",
            Shared(|m, args| {
                if is_aligned(args, Kind::Long) { get(m, args, Kind::Long) } else { Ok(Answer::Bytecode) }
            }),
        ),
        (
            "jdk/internal/misc/Unsafe.getIntUnaligned(Ljava/lang/Object;J)I",
            Shared(
                |m, args| {
                    if is_aligned(args, Kind::Int) { get(m, args, Kind::Int) } else { Ok(Answer::Bytecode) }
                },
            ),
        ),
        (
            "jdk/internal/misc/Unsafe.getCharUnaligned(Ljava/lang/Object;J)C",
            Shared(|m, args| {
                if is_aligned(args, Kind::Char) { get(m, args, Kind::Char) } else { Ok(Answer::Bytecode) }
            }),
        ),
        (
            "jdk/internal/misc/Unsafe.getShortUnaligned(Ljava/lang/Object;J)S",
            Shared(|m, args| {
                if is_aligned(args, Kind::Short) { get(m, args, Kind::Short) } else { Ok(Answer::Bytecode) }
            }),
        ),
        (
            "jdk/internal/misc/Unsafe.putLongUnaligned(Ljava/lang/Object;JJ)V",
            Shared(|m, args| {
                if is_aligned(args, Kind::Long) { put(m, args, Kind::Long) } else { Ok(Answer::Bytecode) }
            }),
        ),
        (
            "jdk/internal/misc/Unsafe.putIntUnaligned(Ljava/lang/Object;JI)V",
            Shared(
                |m, args| {
                    if is_aligned(args, Kind::Int) { put(m, args, Kind::Int) } else { Ok(Answer::Bytecode) }
                },
            ),
        ),
        (
            "jdk/internal/misc/Unsafe.putCharUnaligned(Ljava/lang/Object;JC)V",
            Shared(|m, args| {
                if is_aligned(args, Kind::Char) { put(m, args, Kind::Char) } else { Ok(Answer::Bytecode) }
            }),
        ),
        (
            "jdk/internal/misc/Unsafe.putShortUnaligned(Ljava/lang/Object;JS)V",
            Shared(|m, args| {
                if is_aligned(args, Kind::Short) { put(m, args, Kind::Short) } else { Ok(Answer::Bytecode) }
            }),
        ),
    ];

/// The entries for one kind of value: its name in method names, its descriptor, and the kind.
macro_rules! access_table {
    ($table:ident, $name:literal, $letter:literal, $kind:expr, [$($more:expr),*]) => {
        #[doc = concat!("Reading, writing and exchanging of `", $name, "` values.")]
        pub const $table: Table = &[
            (concat!("jdk/internal/misc/Unsafe.get", $name, "(Ljava/lang/Object;J)", $letter), Shared(|m, a| get_weakly(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.get", $name, "Volatile(Ljava/lang/Object;J)", $letter), Shared(|m, a| get(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.get", $name, "Acquire(Ljava/lang/Object;J)", $letter), Shared(|m, a| get_weakly(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.get", $name, "Opaque(Ljava/lang/Object;J)", $letter), Shared(|m, a| get_weakly(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "(Ljava/lang/Object;J", $letter, ")V"), Shared(|m, a| put_weakly(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "Volatile(Ljava/lang/Object;J", $letter, ")V"), Shared(|m, a| put(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "Release(Ljava/lang/Object;J", $letter, ")V"), Shared(|m, a| put_weakly(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.put", $name, "Opaque(Ljava/lang/Object;J", $letter, ")V"), Shared(|m, a| put_weakly(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.compareAndSet", $name, "(Ljava/lang/Object;J", $letter, $letter, ")Z"), Shared(|m, a| compare_and_set(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "(Ljava/lang/Object;J", $letter, $letter, ")Z"), Shared(|m, a| compare_and_set(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "Plain(Ljava/lang/Object;J", $letter, $letter, ")Z"), Shared(|m, a| compare_and_set(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "Acquire(Ljava/lang/Object;J", $letter, $letter, ")Z"), Shared(|m, a| compare_and_set(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.weakCompareAndSet", $name, "Release(Ljava/lang/Object;J", $letter, $letter, ")Z"), Shared(|m, a| compare_and_set(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.compareAndExchange", $name, "(Ljava/lang/Object;J", $letter, $letter, ")", $letter), Shared(|m, a| compare_and_exchange(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.compareAndExchange", $name, "Acquire(Ljava/lang/Object;J", $letter, $letter, ")", $letter), Shared(|m, a| compare_and_exchange(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.compareAndExchange", $name, "Release(Ljava/lang/Object;J", $letter, $letter, ")", $letter), Shared(|m, a| compare_and_exchange(m, a, $kind))),
            (concat!("jdk/internal/misc/Unsafe.getAndSet", $name, "(Ljava/lang/Object;J", $letter, ")", $letter), Shared(|m, a| update(m, a, $kind, |_, new| new))),
            (concat!("jdk/internal/misc/Unsafe.getAndSet", $name, "Acquire(Ljava/lang/Object;J", $letter, ")", $letter), Shared(|m, a| update(m, a, $kind, |_, new| new))),
            (concat!("jdk/internal/misc/Unsafe.getAndSet", $name, "Release(Ljava/lang/Object;J", $letter, ")", $letter), Shared(|m, a| update(m, a, $kind, |_, new| new))),
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
                    Shared(|m, a| add(m, a, $kind))
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
                    Shared(|m, a| add(m, a, $kind))
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
                    Shared(|m, a| add(m, a, $kind))
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
                    Shared(|m, a| update(m, a, $kind, |old, by| old | by))
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
                    Shared(|m, a| update(m, a, $kind, |old, by| old & by))
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
                    Shared(|m, a| update(m, a, $kind, |old, by| old ^ by))
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

fn give(kind: Kind, value: u64) -> Exec<Answer> {
    Ok(if kind.is_wide() { Answer::Wide(value) } else { Answer::Word(value) })
}

/// The object and offset that two arguments name: those of a block of memory if there is no object.
fn located(m: &mut PureView<'_, '_>, object: u64, offset: u64, len: u64) -> Exec<(Ref, u64)> {
    match object as Ref {
        0 => m.memory(offset, len),
        object => Ok((object, offset)),
    }
}

/// The variable that the first arguments name: object and offset.
fn variable(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Variable> {
    let (object, offset) = located(m, args[1], args[2], kind.n_bytes() as u64)?;
    Ok(m.at_offset(object, offset))
}

/// Whether a value of a kind at the offset among the arguments begins where one of its size does in an array
/// of them.
fn is_aligned(args: &[u64], kind: Kind) -> bool {
    args[2].is_multiple_of(kind.n_bytes() as u64)
}

/// Whether a variable lies across what is accessed at once.
fn is_split(variable: Variable, kind: Kind) -> bool {
    matches!(variable, Variable::Bytes(_, at, _) if !at.is_multiple_of(kind.n_bytes()))
}

/// The variable of an operation that reads and writes it at once.
fn atomic(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Variable> {
    let variable = variable(m, args, kind)?;
    if is_split(variable, kind) {
        return Err(Trap::Unsupported("an atomic operation on bytes that are not aligned".into()));
    }
    Ok(variable)
}

fn get(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    let variable = variable(m, args, kind)?;
    if is_split(variable, kind) {
        return apart::unaligned(m, kind, args, None);
    }
    give(kind, m.get(variable, kind, VariableMode::Atomic)?)
}

fn put(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    let variable = variable(m, args, kind)?;
    if is_split(variable, kind) {
        return apart::unaligned(m, kind, args, Some(args[4]));
    }
    m.put(variable, kind, VariableMode::Atomic, args[4])?;
    Ok(Answer::Void)
}

/// As [`get`], for an access that orders less than a volatile one does. It is made as if it were volatile,
/// which people should know.
fn get_weakly(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    m.note_weak(Some(args[1] as Ref));
    get(m, args, kind)
}

/// As [`put`], likewise.
fn put_weakly(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    m.note_weak(Some(args[1] as Ref));
    put(m, args, kind)
}

fn exchange(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<(u64, bool)> {
    let variable = atomic(m, args, kind)?;
    m.compare_and_set(variable, kind, args[4], args[4 + usize::from(kind.n_slots())])
}

fn compare_and_set(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    give_bool(exchange(m, args, kind)?.1)
}

fn compare_and_exchange(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    give(kind, exchange(m, args, kind)?.0)
}

fn update(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind, change: fn(u64, u64) -> u64) -> Exec<Answer> {
    let variable = atomic(m, args, kind)?;
    give(kind, m.update(variable, kind, |old| change(old, args[4]))?)
}

/// Adds, and gives what was there before, which may be dropped.
fn add(m: &mut SharedView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    let variable = atomic(m, args, kind)?;
    give(kind, m.add(variable, kind, |old| old.wrapping_add(args[4]))?)
}

/// The class and slot that a `java.lang.reflect.Field` object names: the slot among statics or in an
/// instance.
fn reflected(m: &PureView<'_, '_>, field: Ref) -> Exec<(Ref, u64)> {
    let missing = || Trap::Unsupported("a java.lang.reflect.Field of an unknown form".into());
    let mirror = m.fixed(field, Fixed::MemberClass)? as Ref;
    let class = m.vm.class(m.class_of_mirror(mirror));
    let field = class.fields.get(m.fixed(field, Fixed::MemberSlot)? as usize).ok_or_else(missing)?;
    let is_static = field.flags & flags::STATIC != 0;
    let slot = if is_static { m.vm.static_slot(field.slot) } else { field.slot };
    Ok((mirror, offset_of(slot)))
}

fn reflected_offset(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let field = required(args[1])?;
    give_long(reflected(m, field)?.1 as i64)
}

fn reflected_base(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let field = required(args[1])?;
    give_ref(reflected(m, field)?.0)
}

fn named_offset(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
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

fn should_be_initialized(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = m.class_of_mirror(required(args[1])?);
    give_bool(!m.is_initialized(class)?)
}

fn ensure_initialized(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = m.class_of_mirror(required(args[1])?);
    m.ensure_initialized(class)?;
    Ok(Answer::Void)
}

fn array_scale(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = m.class_of_mirror(required(args[1])?);
    let scale = match m.vm.classes.element_kind(class) {
        Some(Kind::Ref) => 4,
        Some(kind) => kind.n_bytes(),
        None => 0,
    };
    give_int(scale as i32)
}

fn allocate_instance(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let id = m.class_of_mirror(required(args[1])?);
    let class = m.vm.class(id);
    if class.flags & (flags::ABSTRACT | flags::INTERFACE) != 0 {
        return Err(exception("java/lang/InstantiationException", m.vm.classes.java_name(id)));
    }
    m.ensure_initialized(id)?;
    give_new(m.new_object(id))
}

fn allocate_array(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let element = m.class_of_mirror(required(args[1])?);
    let class = m.vm.classes.array_of(element)?;
    give_new(m.new_array(class, super::int(args[2]))?)
}

/// The bytes of an array that an offset and a length name.
fn bytes_at(m: &mut PureView<'_, '_>, array: u64, offset: u64, len: u64) -> Exec<Range> {
    let (array, offset) = located(m, array, offset, len)?;
    let kind = m.element_kind(array).filter(|&kind| kind != Kind::Ref).ok_or_else(astray)?;
    let (at, len) = (offset.wrapping_sub(BASE) as usize, len as usize);
    if at.checked_add(len).is_none_or(|end| end > m.array_len(array) * kind.n_bytes()) {
        return Err(astray());
    }
    // The elements that the bytes are part of.
    let n = kind.n_bytes();
    let from = at / n;
    Ok(Range { array, from, len: (at + len).div_ceil(n) - from })
}

/// Where the bytes at an offset begin in the first element of their range.
fn skipped(m: &PureView<'_, '_>, array: u64, offset: u64) -> usize {
    if array == 0 {
        return 0;
    }
    offset.wrapping_sub(BASE) as usize % m.element_kind(array as Ref).map_or(1, Kind::n_bytes)
}

fn set_memory_range(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    Ok(Plan::Ranges(Ranges::write(bytes_at(m, args[1], args[2], args[4])?)))
}

fn set_memory(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (from, len) = (skipped(m, args[1], args[2]), args[4] as usize);
    m.change_bytes(|bytes| bytes[from..from + len].fill(args[6] as u8));
    Ok(Answer::Void)
}

fn copied_ranges(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let source = bytes_at(m, args[1], args[2], args[7])?;
    let target = bytes_at(m, args[4], args[5], args[7])?;
    Ok(Plan::Ranges(Ranges::copy(source, target)))
}

fn copy_memory(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    copy_bytes(m, args, |_| {})
}

/// Copies elements whose size is the last argument, their bytes in the opposite order.
fn copy_swapped(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let size = (args[9] as usize).max(1);
    copy_bytes(m, args, |bytes| bytes.chunks_mut(size).for_each(<[u8]>::reverse))
}

fn copy_bytes(m: &mut RangesView<'_, '_>, args: &[u64], change: impl FnOnce(&mut [u8])) -> Exec<Answer> {
    let (from, to) = (skipped(m, args[1], args[2]), skipped(m, args[4], args[5]));
    let len = args[7] as usize;
    let mut copied = m.bytes(0)[from..from + len].to_vec();
    change(&mut copied);
    m.change_bytes(|bytes| bytes[to..to + len].copy_from_slice(&copied));
    Ok(Answer::Void)
}
