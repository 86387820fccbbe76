//! `java.lang.String`. Strings never change, so each of these is one step that nobody else sees. The hash is
//! computed anew each time: as a cache in the object it would tell apart states that are alike.

use super::Effect::{Own, Pure, Ranges as OnRanges};
use super::effect::{Fresh, OwnView, Plan, PureView, Range, Ranges, RangesView};
use super::{Answer, Table, ZERO, apart, give_bool, give_int, give_ref, int, required};
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, exception};

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/String.intern()Ljava/lang/String;",
        Pure(|m, args| {
            let units = m.units(args[0] as Ref);
            give_ref(m.vm.literal(&units))
        }),
    ),
    ("java/lang/String.hashCode()I", Own(hash_code)),
    ("java/lang/String.equals(Ljava/lang/Object;)Z", Pure(equals)),
    (
        "java/lang/String.length()I",
        Pure(|m, args| {
            let (bytes, coder) = m.content(args[0] as Ref);
            give_int((bytes.len() >> coder) as i32)
        }),
    ),
    ("java/lang/String.isEmpty()Z", Pure(|m, args| give_bool(m.content(args[0] as Ref).0.is_empty()))),
    ("java/lang/String.coder()B", Pure(|m, args| give_int(i32::from(m.content(args[0] as Ref).1)))),
    ("java/lang/String.isLatin1()Z", Pure(|m, args| give_bool(m.content(args[0] as Ref).1 == 0))),
    ("java/lang/String.charAt(I)C", Pure(char_at)),
    ("java/lang/String.compareTo(Ljava/lang/String;)I", Pure(compare_to)),
    ("java/lang/String.indexOf(I)I", Pure(|m, args| index_of(m, args[0], args[1], 0))),
    ("java/lang/String.indexOf(II)I", Pure(|m, args| index_of(m, args[0], args[1], int(args[2])))),
    ("java/lang/String.indexOf(Ljava/lang/String;)I", Pure(index_of_string)),
    ("java/lang/String.startsWith(Ljava/lang/String;)Z", Pure(starts_with)),
    ("java/lang/String.concat(Ljava/lang/String;)Ljava/lang/String;", Own(concat)),
    ("java/lang/StringUTF16.isBigEndian()Z", ZERO),
    ("java/lang/StringLatin1.hashCode([B)I", OnRanges(all_bytes, |m, _| give_int(hash(m.bytes(0), 0)), None)),
    (
        "java/lang/StringLatin1.equals([B[B)Z",
        OnRanges(both_arrays, |m, _| give_bool(m.bytes(0) == m.bytes(1)), None),
    ),
    (
        "java/lang/StringUTF16.equals([B[B)Z",
        OnRanges(both_arrays, |m, _| give_bool(m.bytes(0) == m.bytes(1)), None),
    ),
    (
        "java/lang/StringCoding.hasNegatives([BII)Z",
        OnRanges(part, |m, _| give_bool(m.bytes(0).iter().any(|&byte| byte > 127)), Some(apart::bytecode)),
    ),
    ("java/lang/StringCoding.countPositives([BII)I", OnRanges(part, count_positives, Some(apart::bytecode))),
    (
        "java/lang/Integer.toString(I)Ljava/lang/String;",
        Own(|m, args| {
            let text = int(args[0]).to_string();
            give_ref(m.new_string(&text))
        }),
    ),
    (
        "java/lang/Long.toString(J)Ljava/lang/String;",
        Own(|m, args| {
            let text = (args[0] as i64).to_string();
            give_ref(m.new_string(&text))
        }),
    ),
];

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

fn hash_code(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (bytes, coder) = m.content(args[0] as Ref);
    let found = hash(bytes, coder);
    m.keep_hash(args[0] as Ref, found);
    give_int(found)
}

fn equals(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (a, b) = (args[0] as Ref, args[1] as Ref);
    if a == b {
        return give_bool(true);
    }
    if b == 0 || m.class_of(b) != m.vm.known().string {
        return give_bool(false);
    }
    give_bool(m.content(a) == m.content(b))
}

fn char_at(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let idx = int(args[1]);
    let (bytes, coder) = m.content(args[0] as Ref);
    match usize::try_from(idx).ok().and_then(|idx| unit(bytes, coder, idx)) {
        Some(unit) => Ok(Answer::Word(u64::from(unit))),
        // The class library of each JDK has its own message.
        None => Ok(Answer::Bytecode),
    }
}

fn compare_to(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let other = required(args[1])?;
    let (a, coder_a) = m.content(args[0] as Ref);
    let (b, coder_b) = m.content(other);
    let differing = units(a, coder_a).zip(units(b, coder_b)).find(|(x, y)| x != y);
    give_int(match differing {
        Some((x, y)) => i32::from(x) - i32::from(y),
        None => (a.len() >> coder_a) as i32 - (b.len() >> coder_b) as i32,
    })
}

fn index_of(m: &mut PureView<'_, '_>, string: u64, wanted: u64, from: i32) -> Exec<Answer> {
    let Ok(wanted) = u16::try_from(int(wanted)) else { return Ok(Answer::Bytecode) };
    let (bytes, coder) = m.content(string as Ref);
    let from = from.max(0) as usize;
    let found = units(bytes, coder).skip(from).position(|unit| unit == wanted);
    give_int(found.map_or(-1, |at| (at + from) as i32))
}

fn index_of_string(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let wanted = required(args[1])?;
    let (units, wanted) = (m.units(args[0] as Ref), m.units(wanted));
    if wanted.is_empty() {
        return give_int(0);
    }
    give_int(units.windows(wanted.len()).position(|window| window == wanted).map_or(-1, |at| at as i32))
}

fn starts_with(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let prefix = required(args[1])?;
    let (a, coder_a) = m.content(args[0] as Ref);
    let (b, coder_b) = m.content(prefix);
    let len = b.len() >> coder_b;
    give_bool(a.len() >> coder_a >= len && units(a, coder_a).take(len).eq(units(b, coder_b)))
}

fn concat(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let other = required(args[1])?;
    let (mut left, right) = (m.units(args[0] as Ref), m.units(other));
    if right.is_empty() {
        return Ok(Answer::Bytecode);
    }
    left.extend(right);
    give_ref(m.new_string_units(&left))
}

fn all_bytes(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let array = required(args[0])?;
    Ok(Plan::Ranges(Ranges::read(m.all_of(array))))
}

fn both_arrays(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let (a, b) = (required(args[0])?, required(args[1])?);
    Ok(Plan::Ranges(Ranges::read_both(m.all_of(a), m.all_of(b))))
}

/// A part of an array: from where on, and how many elements.
fn part(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Plan> {
    let array = required(args[0])?;
    let (from, len) = (int(args[1]).max(0) as usize, int(args[2]).max(0) as usize);
    let n = m.array_len(array);
    if from + len > n {
        return Err(exception(
            "java/lang/ArrayIndexOutOfBoundsException",
            format!("Index {n} out of bounds for length {n}"),
        ));
    }
    Ok(Plan::Ranges(Ranges::read(Range { array, from, len })))
}

fn count_positives(m: &mut RangesView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    give_int(m.bytes(0).iter().take_while(|&&byte| byte <= 127).count() as i32)
}

/// A new array of objects, as natives give them.
///
/// # Errors
/// If there is no such class.
pub(super) fn string_array(m: &mut OwnView<'_, '_>, texts: &[Option<String>]) -> Exec<Fresh> {
    let refs: Vec<Ref> =
        texts.iter().map(|text| text.as_ref().map_or(0, |text| m.vm.literal_str(text))).collect();
    let class = m.vm.known().string_array;
    Ok(m.push(Object::new(class, Data::Refs(refs.into()))))
}
