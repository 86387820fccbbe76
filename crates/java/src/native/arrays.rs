//! Arrays: `System.arraycopy`, `java.lang.reflect.Array`, and the loops of `java.util.Arrays` that programs
//! use most.

use super::Effect::{Own, Pure, Ranges as OnRanges};
use super::effect::{OwnView, Plan, PureView, Range, Ranges, RangesView};
use super::{Answer, Table, apart, give_bool, give_int, give_new, int, required};
use crate::class::Form;
use crate::class::descriptor::Kind;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Trap, exception, read_element, write_element};

const BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";
const STORE: &str = "java/lang/ArrayStoreException";

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V",
        OnRanges(copy_ranges, copy_elements, Some(apart::copy_elements)),
    ),
    ("java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;", Own(new_array)),
    (
        "java/lang/reflect/Array.multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;",
        OnRanges(all_dimensions, new_arrays, Some(apart::new_arrays)),
    ),
    ("java/lang/reflect/Array.getLength(Ljava/lang/Object;)I", Pure(length)),
    ("java/util/Arrays.copyOf([BI)[B", OnRanges(copy_of, copied, Some(apart::bytecode))),
    ("java/util/Arrays.copyOf([CI)[C", OnRanges(copy_of, copied, Some(apart::bytecode))),
    ("java/util/Arrays.copyOf([II)[I", OnRanges(copy_of, copied, Some(apart::bytecode))),
    ("java/util/Arrays.copyOf([JI)[J", OnRanges(copy_of, copied, Some(apart::bytecode))),
    ("java/util/Arrays.copyOfRange([BII)[B", OnRanges(copy_of_range, copied_range, Some(apart::bytecode))),
    ("java/util/Arrays.copyOfRange([CII)[C", OnRanges(copy_of_range, copied_range, Some(apart::bytecode))),
    (
        "java/util/Arrays.equals([B[B)Z",
        OnRanges(equal_bytes, |m, _| give_bool(m.bytes(0) == m.bytes(1)), Some(apart::bytecode)),
    ),
    (
        "java/util/Arrays.fill([BB)V",
        OnRanges(all_written, |m, args| fill(m, args, Kind::Byte), Some(apart::bytecode)),
    ),
    (
        "java/util/Arrays.fill([ZZ)V",
        OnRanges(all_written, |m, args| fill(m, args, Kind::Boolean), Some(apart::bytecode)),
    ),
    (
        "java/util/Arrays.fill([CC)V",
        OnRanges(all_written, |m, args| fill(m, args, Kind::Char), Some(apart::bytecode)),
    ),
    (
        "java/util/Arrays.fill([II)V",
        OnRanges(all_written, |m, args| fill(m, args, Kind::Int), Some(apart::bytecode)),
    ),
    (
        "java/util/Arrays.fill([JJ)V",
        OnRanges(all_written, |m, args| fill(m, args, Kind::Long), Some(apart::bytecode)),
    ),
    (
        "jdk/internal/util/ArraysSupport.vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I",
        OnRanges(mismatch_ranges, mismatch, Some(all_unlooked_at)),
    ),
];

/// An array's type as the messages of `arraycopy` show it.
fn shown(m: &PureView<'_, '_>, array: Ref) -> String {
    match m.element_kind(array) {
        Some(Kind::Ref) | None => "object array[".into(),
        Some(kind) => format!("{}[", kind.name()),
    }
}

fn copy_ranges(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let (source, target) = (required(args[0])?, required(args[2])?);
    let (from, to, len) = (int(args[1]), int(args[3]), int(args[4]));
    let name = |object: Ref| m.vm.classes.java_name(m.class_of(object));
    for (object, what) in [(source, "source"), (target, "destination")] {
        if !m.is_array(object) {
            let message = format!("arraycopy: {what} type {} is not an array", name(object));
            return Err(exception(STORE, message));
        }
    }
    let kind = |object: Ref| m.element_kind(object).unwrap_or(Kind::Ref);
    if kind(source) != kind(target) {
        let message = format!(
            "arraycopy: type mismatch: can not copy {}] into {}]",
            shown(m, source),
            shown(m, target)
        );
        return Err(exception(STORE, message));
    }
    for (array, at, what) in [(source, from, "source"), (target, to, "destination")] {
        let n = m.array_len(array);
        if at < 0 {
            let message = format!("arraycopy: {what} index {at} out of bounds for {}{n}]", shown(m, array));
            return Err(exception(BOUNDS, message));
        }
    }
    if len < 0 {
        return Err(exception(BOUNDS, format!("arraycopy: length {len} is negative")));
    }
    for (array, at, what) in [(source, from, "source"), (target, to, "destination")] {
        let n = m.array_len(array);
        let last = at as u32 as u64 + len as u32 as u64;
        if last > n as u64 {
            let message =
                format!("arraycopy: last {what} index {last} out of bounds for {}{n}]", shown(m, array));
            return Err(exception(BOUNDS, message));
        }
    }
    let [from, to, len] = [from, to, len].map(|at| at as usize);
    Ok(Plan::Ranges(Ranges::copy(Range { array: source, from, len }, Range { array: target, from: to, len })))
}

/// Copies elements between arrays of one kind, within their bounds.
fn copy_elements(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (source, target) = (args[0] as Ref, args[2] as Ref);
    if m.written().len == 0 {
        return Ok(Answer::Void);
    }
    if m.element_kind(source).unwrap_or(Kind::Ref) != Kind::Ref {
        m.copy_bytes();
        return Ok(Answer::Void);
    }
    let mut copied = m.refs(0).to_vec();
    let element = |array: Ref| m.element_class(array).unwrap_or(m.vm.known().object);
    let wanted = element(target);
    let mut bad = None;
    if !m.vm.classes.is_assignable(element(source), wanted) {
        bad = copied.iter().position(|&object| object != 0 && !m.is_instance(object, wanted));
        copied.truncate(bad.unwrap_or(copied.len()));
    }
    m.write_refs(&copied);
    if bad.is_some() {
        let shown = |id| {
            let descriptor = crate::class::descriptor::of_class(m.vm.classes.name(id));
            crate::vm::throw::shown_type(&descriptor)
        };
        let message = format!(
            "arraycopy: element type mismatch: can not cast one of the elements of {} to the type of the destination array, {}",
            shown(m.class_of(source)),
            shown(wanted)
        );
        return Err(exception(STORE, message));
    }
    Ok(Answer::Void)
}

/// All elements of the second argument are read.
fn all_dimensions(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    required(args[0])?;
    let dims = required(args[1])?;
    Ok(Plan::Ranges(Ranges::read(m.all_of(dims))))
}

fn new_array(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let element = m.class_of_mirror(required(args[0])?);
    if m.vm.class(element).form == Form::Primitive(None) {
        return Err(Trap::Exception("java/lang/IllegalArgumentException", None));
    }
    let class = m.vm.classes.array_of(element)?;
    give_new(m.new_array(class, int(args[1]))?)
}

fn new_arrays(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let mut class = m.class_of_mirror(required(args[0])?);
    let lens: Vec<i32> =
        m.bytes(0).chunks_exact(4).map(|len| read_element(len, Kind::Int, 0) as i32).collect();
    if lens.is_empty() {
        return Err(exception("java/lang/IllegalArgumentException", "Empty dimensions array"));
    }
    for _ in &lens {
        class = m.vm.classes.array_of(class)?;
    }
    if let Some(&negative) = lens.iter().find(|&&len| len < 0) {
        return Err(exception("java/lang/NegativeArraySizeException", negative.to_string()));
    }
    give_new(m.make_arrays(class, &lens)?)
}

fn length(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let array = required(args[0])?;
    if !m.is_array(array) {
        return Err(exception("java/lang/IllegalArgumentException", "Argument is not an array"));
    }
    give_int(m.array_len(array) as i32)
}

/// A part of an array of primitive values, filled up with zeros to a length.
fn padded(m: &mut RangesView<'_, '_>, args: &[u64], len: usize) -> Exec<Answer> {
    let class = m.class_of(args[0] as Ref);
    let n = m.vm.classes.element_kind(class).map_or(1, Kind::n_bytes);
    let mut bytes = m.bytes(0).to_vec();
    bytes.resize(n * len, 0);
    give_new(m.push(Object::new(class, Data::Bytes(bytes.into()))))
}

fn copy_of(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let len = int(args[1]);
    if args[0] == 0 || !(0..1 << 24).contains(&len) {
        return Ok(Plan::Answer(Answer::Bytecode));
    }
    let array = args[0] as Ref;
    let len = m.array_len(array).min(len as usize);
    Ok(Plan::Ranges(Ranges::read(Range { array, from: 0, len })))
}

fn copied(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    padded(m, args, int(args[1]) as usize)
}

fn copy_of_range(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let (from, to) = (int(args[1]), int(args[2]));
    let array = args[0] as Ref;
    if array == 0 || from < 0 || to < from || to > 1 << 24 || from as usize > m.array_len(array) {
        return Ok(Plan::Answer(Answer::Bytecode));
    }
    let end = m.array_len(array).min(to as usize);
    Ok(Plan::Ranges(Ranges::read(Range { array, from: from as usize, len: end - from as usize })))
}

fn copied_range(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    padded(m, args, (int(args[2]) - int(args[1])) as usize)
}

fn equal_bytes(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let (a, b) = (args[0] as Ref, args[1] as Ref);
    if a == b || a == 0 || b == 0 {
        return Ok(Plan::Answer(Answer::Word(u64::from(a == b))));
    }
    Ok(Plan::Ranges(Ranges::read_both(m.all_of(a), m.all_of(b))))
}

fn all_written(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let array = required(args[0])?;
    Ok(Plan::Ranges(Ranges::write(m.all_of(array))))
}

fn fill(m: &mut RangesView<'_, '_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    let n = m.written().len;
    m.change_bytes(|bytes| (0..n).for_each(|idx| write_element(bytes, kind, idx, args[1])));
    Ok(Answer::Void)
}

/// The bytes that `mismatch` compares: where they begin in each of the arrays, and how many.
fn mismatch_bytes(args: &[u64]) -> (usize, usize, usize) {
    let (at_a, at_b) = ((args[1] - super::memory::BASE) as usize, (args[4] - super::memory::BASE) as usize);
    (at_a, at_b, (int(args[6]) as usize) << int(args[7]))
}

fn mismatch_ranges(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    if args[0] == 0 || args[3] == 0 {
        // Memory outside of objects is looked at by the library's own code.
        return Ok(Plan::Answer(Answer::Bytecode));
    }
    let (a, b) = (required(args[0])?, required(args[3])?);
    Ok(Plan::Ranges(Ranges::read_both(m.all_of(a), m.all_of(b))))
}

/// Leaves all elements to the caller, which looks at one after the other; but not those of 8 bytes, of
/// which the callers expect that all are looked at. The JDK's own code looks at 8 bytes at a time.
fn all_unlooked_at(_: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    if int(args[7]) == 3 { Ok(Answer::Bytecode) } else { give_int(!int(args[6])) }
}

/// The index of the first of `length` elements (of `1 << scale` bytes) that differs, or how many are left
/// unlooked at, negated.
fn mismatch(m: &mut RangesView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (at_a, at_b, n) = mismatch_bytes(args);
    let (left, right) = (m.bytes(0).get(at_a..at_a + n), m.bytes(1).get(at_b..at_b + n));
    let (Some(left), Some(right)) = (left, right) else { return Ok(Answer::Bytecode) };
    match left.iter().zip(right).position(|(a, b)| a != b) {
        Some(at) => give_int((at >> int(args[7])) as i32),
        None => give_int(!0),
    }
}
