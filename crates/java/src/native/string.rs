//! `java.lang.String`. Strings never change, so each of these is one step that nobody else sees. The hash is computed
//! anew each time: as a cache in the object it would tell apart states that are alike.

use super::{Answer, Table, give_bool, give_int, give_ref, int, required};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Machine, exception};
use crate::vm::view::{Mode, Resource};

/// The entries.
pub const TABLE: Table = &[
    ("java/lang/String.intern()Ljava/lang/String;", |m, args| {
        let units = m.units(args[0] as Ref);
        give_ref(m.vm.literal(&units))
    }),
    ("java/lang/String.hashCode()I", hash_code),
    ("java/lang/String.equals(Ljava/lang/Object;)Z", equals),
    ("java/lang/String.length()I", |m, args| {
        let (bytes, coder) = content(m, args[0] as Ref);
        give_int((bytes.len() >> coder) as i32)
    }),
    ("java/lang/String.isEmpty()Z", |m, args| give_bool(content(m, args[0] as Ref).0.is_empty())),
    ("java/lang/String.coder()B", |m, args| give_int(i32::from(content(m, args[0] as Ref).1))),
    ("java/lang/String.isLatin1()Z", |m, args| give_bool(content(m, args[0] as Ref).1 == 0)),
    ("java/lang/String.charAt(I)C", char_at),
    ("java/lang/String.compareTo(Ljava/lang/String;)I", compare_to),
    ("java/lang/String.indexOf(I)I", |m, args| index_of(m, args[0], args[1], 0)),
    ("java/lang/String.indexOf(II)I", |m, args| index_of(m, args[0], args[1], int(args[2]))),
    ("java/lang/String.indexOf(Ljava/lang/String;)I", index_of_string),
    ("java/lang/String.startsWith(Ljava/lang/String;)Z", starts_with),
    ("java/lang/String.concat(Ljava/lang/String;)Ljava/lang/String;", concat),
    ("java/lang/StringUTF16.isBigEndian()Z", super::zero),
    ("java/lang/StringLatin1.hashCode([B)I", |m, args| {
        let array = required(args[0])?;
        m.access(Resource::Whole(array), Mode::Read)?;
        give_int(hash(bytes_of(m, array), 0))
    }),
    ("java/lang/StringLatin1.equals([B[B)Z", equal_arrays),
    ("java/lang/StringUTF16.equals([B[B)Z", equal_arrays),
    ("java/lang/StringCoding.hasNegatives([BII)Z", has_negatives),
    ("java/lang/StringCoding.countPositives([BII)I", count_positives),
    ("java/lang/Integer.toString(I)Ljava/lang/String;", |m, args| {
        let text = int(args[0]).to_string();
        give_ref(m.new_string(&text))
    }),
    ("java/lang/Long.toString(J)Ljava/lang/String;", |m, args| {
        let text = (args[0] as i64).to_string();
        give_ref(m.new_string(&text))
    }),
];

/// The contents of an array of bytes.
pub(super) fn bytes_of<'a>(m: &'a Machine<'_>, array: Ref) -> &'a [u8] {
    match &m.process.heap.get(array).data {
        Data::Bytes(bytes) => bytes,
        _ => &[],
    }
}

/// The bytes of a string and its coder: 0 for Latin-1, 1 for UTF-16.
pub(super) fn content<'a>(m: &'a Machine<'_>, string: Ref) -> (&'a [u8], u8) {
    let known = m.vm.known();
    let value = m.process.heap.slot(string, known.string_value) as Ref;
    let coder = m.process.heap.slot(string, known.string_coder) as u8;
    // A string whose constructor has not come that far yet is empty.
    if value == 0 { (&[], 0) } else { (bytes_of(m, value), coder & 1) }
}

fn unit(bytes: &[u8], coder: u8, idx: usize) -> Option<u16> {
    if coder == 0 {
        return bytes.get(idx).map(|&byte| u16::from(byte));
    }
    bytes.get(2 * idx..2 * idx + 2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}

fn units(bytes: &[u8], coder: u8) -> impl Iterator<Item = u16> + Clone + '_ {
    (0..bytes.len() >> coder).filter_map(move |idx| unit(bytes, coder, idx))
}

fn hash(bytes: &[u8], coder: u8) -> i32 {
    units(bytes, coder).fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

fn hash_code(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (bytes, coder) = content(m, args[0] as Ref);
    let found = hash(bytes, coder);
    if !m.options.form.caches
        && !m.booting
        && let Some(slot) = m.vm.classes.slot("java/lang/String", "hash")
    {
        m.process.heap.set_slot(args[0] as Ref, slot, u64::from(found as u32));
    }
    give_int(found)
}

fn equals(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (a, b) = (args[0] as Ref, args[1] as Ref);
    if a == b {
        return give_bool(true);
    }
    if b == 0 || m.process.heap.get(b).class != m.vm.known().string {
        return give_bool(false);
    }
    give_bool(content(m, a) == content(m, b))
}

fn char_at(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let idx = int(args[1]);
    let (bytes, coder) = content(m, args[0] as Ref);
    match usize::try_from(idx).ok().and_then(|idx| unit(bytes, coder, idx)) {
        Some(unit) => Ok(Answer::Word(u64::from(unit))),
        // The class library of each JDK has its own message.
        None => Ok(Answer::Bytecode),
    }
}

fn compare_to(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let other = required(args[1])?;
    let (a, coder_a) = content(m, args[0] as Ref);
    let (b, coder_b) = content(m, other);
    let differing = units(a, coder_a).zip(units(b, coder_b)).find(|(x, y)| x != y);
    give_int(match differing {
        Some((x, y)) => i32::from(x) - i32::from(y),
        None => (a.len() >> coder_a) as i32 - (b.len() >> coder_b) as i32,
    })
}

fn index_of(m: &mut Machine<'_>, string: u64, wanted: u64, from: i32) -> Exec<Answer> {
    let Ok(wanted) = u16::try_from(int(wanted)) else { return Ok(Answer::Bytecode) };
    let (bytes, coder) = content(m, string as Ref);
    let from = from.max(0) as usize;
    let found = units(bytes, coder).skip(from).position(|unit| unit == wanted);
    give_int(found.map_or(-1, |at| (at + from) as i32))
}

fn index_of_string(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let wanted = required(args[1])?;
    let (units, wanted) = (m.units(args[0] as Ref), m.units(wanted));
    if wanted.is_empty() {
        return give_int(0);
    }
    give_int(units.windows(wanted.len()).position(|window| window == wanted).map_or(-1, |at| at as i32))
}

fn starts_with(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let prefix = required(args[1])?;
    let (a, coder_a) = content(m, args[0] as Ref);
    let (b, coder_b) = content(m, prefix);
    let len = b.len() >> coder_b;
    give_bool(a.len() >> coder_a >= len && units(a, coder_a).take(len).eq(units(b, coder_b)))
}

fn concat(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let other = required(args[1])?;
    let (mut left, right) = (m.units(args[0] as Ref), m.units(other));
    if right.is_empty() {
        return Ok(Answer::Bytecode);
    }
    left.extend(right);
    give_ref(m.new_string_units(&left))
}

fn equal_arrays(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let (a, b) = (required(args[0])?, required(args[1])?);
    m.access(Resource::Arrays(a, b), Mode::Read)?;
    give_bool(bytes_of(m, a) == bytes_of(m, b))
}

fn part<'a>(m: &'a Machine<'_>, array: Ref, from: i32, len: i32) -> Exec<&'a [u8]> {
    let bytes = bytes_of(m, array);
    let from = from.max(0) as usize;
    let end = from + len.max(0) as usize;
    bytes.get(from..end).ok_or_else(|| {
        exception(
            "java/lang/ArrayIndexOutOfBoundsException",
            format!("Index {} out of bounds for length {}", bytes.len(), bytes.len()),
        )
    })
}

fn has_negatives(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let array = required(args[0])?;
    m.access(Resource::Whole(array), Mode::Read)?;
    give_bool(part(m, array, int(args[1]), int(args[2]))?.iter().any(|&byte| byte > 127))
}

fn count_positives(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let array = required(args[0])?;
    m.access(Resource::Whole(array), Mode::Read)?;
    let bytes = part(m, array, int(args[1]), int(args[2]))?;
    give_int(bytes.iter().take_while(|&&byte| byte <= 127).count() as i32)
}

/// A new array of objects, as natives give them.
///
/// # Errors
/// If there is no such class.
pub(super) fn string_array(m: &mut Machine<'_>, texts: &[Option<String>]) -> Exec<Ref> {
    let refs: Vec<Ref> =
        texts.iter().map(|text| text.as_ref().map_or(0, |text| m.vm.literal_str(text))).collect();
    let class = m.vm.known().string_array;
    Ok(m.process.heap.push(Object::new(class, Data::Refs(refs.into()))))
}
