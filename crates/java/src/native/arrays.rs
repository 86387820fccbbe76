//! Arrays: `System.arraycopy`, `java.lang.reflect.Array`, and the loops of `java.util.Arrays` that programs use most.

use super::{Answer, Table, give_bool, give_int, give_ref, int, required};
use crate::class::Form;
use crate::class::descriptor::Kind;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Machine, Trap, exception, write_element};
use crate::vm::view::{Mode, Resource};

const BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";
const STORE: &str = "java/lang/ArrayStoreException";

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", array_copy),
    ("java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
    ("java/lang/reflect/Array.multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;", new_arrays),
    ("java/lang/reflect/Array.getLength(Ljava/lang/Object;)I", length),
    ("java/util/Arrays.copyOf([BI)[B", copy_of),
    ("java/util/Arrays.copyOf([CI)[C", copy_of),
    ("java/util/Arrays.copyOf([II)[I", copy_of),
    ("java/util/Arrays.copyOf([JI)[J", copy_of),
    ("java/util/Arrays.copyOfRange([BII)[B", copy_of_range),
    ("java/util/Arrays.copyOfRange([CII)[C", copy_of_range),
    ("java/util/Arrays.equals([B[B)Z", equal_bytes),
    ("java/util/Arrays.fill([BB)V", |m, args| fill(m, args, Kind::Byte)),
    ("java/util/Arrays.fill([ZZ)V", |m, args| fill(m, args, Kind::Boolean)),
    ("java/util/Arrays.fill([CC)V", |m, args| fill(m, args, Kind::Char)),
    ("java/util/Arrays.fill([II)V", |m, args| fill(m, args, Kind::Int)),
    ("java/util/Arrays.fill([JJ)V", |m, args| fill(m, args, Kind::Long)),
    (
        "jdk/internal/util/ArraysSupport.vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I",
        mismatch,
    ),
];

/// An array's type as the messages of `arraycopy` show it.
fn shown(m: &Machine<'_>, array: Ref) -> String {
    match m.vm.classes.element_kind(m.process.heap.get(array).class) {
        Some(Kind::Ref) | None => "object array[".into(),
        Some(kind) => format!("{}[", kind.name()),
    }
}

fn is_array(m: &Machine<'_>, object: Ref) -> bool {
    m.vm.class(m.process.heap.get(object).class).is_array()
}

fn array_copy(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (source, target) = (required(args[0])?, required(args[2])?);
    let (from, to, len) = (int(args[1]), int(args[3]), int(args[4]));
    let name = |object: Ref| m.vm.classes.java_name(m.process.heap.get(object).class);
    for (object, what) in [(source, "source"), (target, "destination")] {
        if !is_array(m, object) {
            let message = format!("arraycopy: {what} type {} is not an array", name(object));
            return Err(exception(STORE, message));
        }
    }
    let kind = |object: Ref| m.vm.classes.element_kind(m.process.heap.get(object).class).unwrap_or(Kind::Ref);
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
    m.access(Resource::Arrays(source, target), Mode::Write)?;
    copy_elements(m, (source, from as usize), (target, to as usize), len as usize)?;
    Ok(Answer::Void)
}

/// Copies elements between arrays of one kind, within their bounds.
fn copy_elements(m: &mut Machine<'_>, source: (Ref, usize), target: (Ref, usize), len: usize) -> Exec<()> {
    let (source, from) = source;
    let (target, to) = target;
    if len == 0 {
        return Ok(());
    }
    let kind = m.vm.classes.element_kind(m.process.heap.get(source).class).unwrap_or(Kind::Ref);
    if kind != Kind::Ref {
        let n = kind.n_bytes();
        if source == target {
            if let Data::Bytes(bytes) = &mut m.process.heap.get_mut(target).data {
                bytes.copy_within(n * from..n * (from + len), n * to);
            }
            return Ok(());
        }
        let copied = match &m.process.heap.get(source).data {
            Data::Bytes(bytes) => bytes[n * from..n * (from + len)].to_vec(),
            _ => Vec::new(),
        };
        if let Data::Bytes(bytes) = &mut m.process.heap.get_mut(target).data {
            bytes[n * to..n * (to + len)].copy_from_slice(&copied);
        }
        return Ok(());
    }
    let mut copied = match &m.process.heap.get(source).data {
        Data::Refs(refs) => refs[from..from + len].to_vec(),
        _ => Vec::new(),
    };
    let element = |array: Ref| match m.vm.class(m.process.heap.get(array).class).form {
        Form::Array(element) => element,
        _ => m.vm.known().object,
    };
    let wanted = element(target);
    let mut bad = None;
    if !m.vm.classes.is_assignable(element(source), wanted) {
        bad = copied.iter().position(|&object| object != 0 && !m.is_instance(object, wanted));
        copied.truncate(bad.unwrap_or(copied.len()));
    }
    for &object in &copied {
        m.publish(target, object);
    }
    if let Data::Refs(refs) = &mut m.process.heap.get_mut(target).data {
        refs[to..to + copied.len()].copy_from_slice(&copied);
    }
    if bad.is_some() {
        let shown = |id| {
            let descriptor = crate::class::descriptor::of_class(m.vm.classes.name(id));
            crate::vm::throw::shown_type(&descriptor)
        };
        let message = format!(
            "arraycopy: element type mismatch: can not cast one of the elements of {} to the type of the destination array, {}",
            shown(m.process.heap.get(source).class),
            shown(wanted)
        );
        return Err(exception(STORE, message));
    }
    Ok(())
}

fn new_array(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let element = m.class_of_mirror(required(args[0])?);
    if m.vm.class(element).form == Form::Primitive(None) {
        return Err(Trap::Exception("java/lang/IllegalArgumentException", None));
    }
    let class = m.vm.classes.array_of(element)?;
    give_ref(m.new_array(class, int(args[1]))?)
}

fn new_arrays(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let mut class = m.class_of_mirror(required(args[0])?);
    let dims = required(args[1])?;
    let lens: Vec<i32> = (0..m.array_len(dims)).map(|idx| int(m.element(dims, Kind::Int, idx))).collect();
    if lens.is_empty() {
        return Err(exception("java/lang/IllegalArgumentException", "Empty dimensions array"));
    }
    for _ in &lens {
        class = m.vm.classes.array_of(class)?;
    }
    if let Some(&negative) = lens.iter().find(|&&len| len < 0) {
        return Err(exception("java/lang/NegativeArraySizeException", negative.to_string()));
    }
    give_ref(m.make_arrays(class, &lens)?)
}

fn length(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let array = required(args[0])?;
    if !is_array(m, array) {
        return Err(exception("java/lang/IllegalArgumentException", "Argument is not an array"));
    }
    give_int(m.array_len(array) as i32)
}

/// A copy of a part of an array of primitive values, filled up with zeros.
fn copied(m: &mut Machine<'_>, array: Ref, from: usize, len: usize) -> Exec<Answer> {
    m.access(Resource::Whole(array), Mode::Read)?;
    let class = m.process.heap.get(array).class;
    let n = m.vm.classes.element_kind(class).map_or(1, Kind::n_bytes);
    let mut bytes = match &m.process.heap.get(array).data {
        Data::Bytes(bytes) => {
            bytes[(n * from).min(bytes.len())..(n * (from + len)).min(bytes.len())].to_vec()
        }
        _ => return Err(Trap::Unsupported("a copy of an array of another kind".into())),
    };
    bytes.resize(n * len, 0);
    give_ref(m.process.heap.push(Object::new(class, Data::Bytes(bytes.into()))))
}

fn copy_of(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let len = int(args[1]);
    if args[0] == 0 || !(0..1 << 24).contains(&len) {
        return Ok(Answer::Bytecode);
    }
    copied(m, args[0] as Ref, 0, len as usize)
}

fn copy_of_range(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (from, to) = (int(args[1]), int(args[2]));
    let array = args[0] as Ref;
    if array == 0 || from < 0 || to < from || to > 1 << 24 || from as usize > m.array_len(array) {
        return Ok(Answer::Bytecode);
    }
    copied(m, array, from as usize, (to - from) as usize)
}

fn equal_bytes(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (a, b) = (args[0] as Ref, args[1] as Ref);
    if a == b || a == 0 || b == 0 {
        return give_bool(a == b);
    }
    m.access(Resource::Arrays(a, b), Mode::Read)?;
    give_bool(m.process.heap.get(a).data == m.process.heap.get(b).data)
}

fn fill(m: &mut Machine<'_>, args: &[u64], kind: Kind) -> Exec<Answer> {
    let array = required(args[0])?;
    m.access(Resource::Whole(array), Mode::Write)?;
    let n = m.array_len(array);
    if let Data::Bytes(bytes) = &mut m.process.heap.get_mut(array).data {
        for idx in 0..n {
            write_element(bytes, kind, idx, args[1]);
        }
    }
    Ok(Answer::Void)
}

/// The index of the first of `length` elements (of `1 << scale` bytes) that differs, or how many are left unlooked at, negated.
fn mismatch(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (a, b) = (required(args[0])?, required(args[3])?);
    m.access(Resource::Arrays(a, b), Mode::Read)?;
    let (Data::Bytes(left), Data::Bytes(right)) = (&m.process.heap.get(a).data, &m.process.heap.get(b).data)
    else {
        return Ok(Answer::Bytecode);
    };
    let (at_a, at_b) = ((args[1] - super::memory::BASE) as usize, (args[4] - super::memory::BASE) as usize);
    let (len, scale) = (int(args[6]) as usize, int(args[7]) as usize);
    let n = len << scale;
    let (Some(left), Some(right)) = (left.get(at_a..at_a + n), right.get(at_b..at_b + n)) else {
        return Ok(Answer::Bytecode);
    };
    match left.iter().zip(right).position(|(a, b)| a != b) {
        Some(at) => give_int((at >> scale) as i32),
        None => give_int(!0),
    }
}
