//! The access modes of `VarHandle`s: checks first, then one atomic operation.

use super::super::effect::{OwnView, PureView, SharedView, Variable, VariableMode};
use super::super::method_types::{cannot_convert, converts, not_exact};
use super::super::{Answer, Effect, Table};
use super::boxed::{self, VAR_HANDLE};
use super::{BIG, ELEMENT, FIELD, Handle, LITTLE, STATIC, null, read};
use crate::class::descriptor::{Kind, class_name, split};
use crate::gap::Gap;
use crate::vm::arithmetic::convert;
use crate::vm::dynamic::adapt::{computed, widens};
use crate::vm::dynamic::assemble::find;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception};

/// The type of a mode of use of a handle's variable.
fn own_type(m: &PureView<'_, '_>, handle: &Handle, mode: Mode) -> String {
    let of = |class| crate::class::descriptor::of_class(m.vm.classes.name(class));
    let (value, holder) = (of(handle.class), of(handle.holder));
    let coordinates = match handle.kind {
        STATIC => String::new(),
        FIELD => holder,
        _ => format!("{holder}I"),
    };
    let result = match mode {
        Mode::Set | Mode::PlainSet => "V",
        Mode::CompareAndSet => "Z",
        _ => &value,
    };
    format!("({VAR_HANDLE}{coordinates}{}){result}", value.repeat(mode.n_values()))
}

fn wrong_type(m: &PureView<'_, '_>, handle: &Handle, mode: Mode, site: &str) -> Trap {
    let site = format!("({VAR_HANDLE}{}", &site[1..]);
    let own = own_type(m, handle, mode);
    if handle.is_exact { not_exact(m.vm, &own, &site) } else { cannot_convert(&own, &site) }
}

/// Whether a call site has types that those of the variable can be made into, and back.
fn fits(m: &PureView<'_, '_>, handle: &Handle, mode: Mode, types: &[&str], result: &str) -> Exec<bool> {
    let n_coordinates = handle.n_coordinates();
    if types.len() != n_coordinates + mode.n_values() {
        return Ok(false);
    }
    let is_same = |descriptor: &str, kind: Kind| Kind::of(descriptor) == Some(kind);
    let kinds = [Kind::Ref, Kind::Int];
    for (wanted, given) in kinds.iter().zip(&types[..n_coordinates]) {
        if !is_same(given, *wanted) && (*wanted == Kind::Ref || !converts(m.vm, given, "I")?) {
            return Ok(false);
        }
    }
    let value = || crate::class::descriptor::of_class(m.vm.classes.name(handle.class));
    for given in &types[n_coordinates..] {
        if !is_same(given, handle.value) && !converts(m.vm, given, &value())? {
            return Ok(false);
        }
    }
    match mode {
        Mode::Set | Mode::PlainSet => Ok(true),
        Mode::CompareAndSet => converts(m.vm, "Z", result),
        _ => Ok(is_same(result, handle.value) || converts(m.vm, &value(), result)?),
    }
}

/// The variable of a handle that the first arguments lead to, and how many slots they take.
fn place(m: &mut OwnView<'_, '_>, handle: &Handle, args: &[u64]) -> Exec<(Variable, usize)> {
    if handle.kind == STATIC {
        m.ensure_initialized(handle.holder)?;
        let slot = m.vm.static_slot(handle.slot);
        return Ok((Variable::Slot(m.vm.mirror(handle.holder), slot), 0));
    }
    let object = args[0] as Ref;
    if object == 0 {
        return Err(null());
    }
    if !m.is_instance(object, handle.holder) {
        let from = m.class_of(object);
        let message = if handle.kind == FIELD {
            let [from, to] = [from, handle.holder].map(|class| m.vm.classes.java_name(class));
            format!("Cannot cast {from} to {to}")
        } else {
            m.cast_message(from, handle.holder)
        };
        return Err(exception("java/lang/ClassCastException", message));
    }
    if handle.kind == FIELD {
        return Ok((Variable::Slot(object, handle.slot), 1));
    }
    let idx = args[1] as u32 as i32;
    let len = m.array_len(object);
    let room = if handle.kind == ELEMENT { 1 } else { handle.value.n_bytes() };
    let limit = (len + 1).saturating_sub(room);
    match usize::try_from(idx) {
        Ok(idx) if idx < limit => Ok(match handle.kind {
            ELEMENT => (Variable::Element(object, idx), 2),
            kind => (Variable::Bytes(object, idx, kind == BIG), 2),
        }),
        _ if handle.kind == ELEMENT => Err(exception(
            "java/lang/ArrayIndexOutOfBoundsException",
            format!("Index {idx} out of bounds for length {len}"),
        )),
        _ => Err(exception(
            "java/lang/IndexOutOfBoundsException",
            format!("Index {idx} out of bounds for length {limit}"),
        )),
    }
}

/// An argument of static type `descriptor` as a value of the variable.
fn incoming(m: &PureView<'_, '_>, handle: &Handle, descriptor: &str, value: u64) -> Exec<u64> {
    let from = Kind::of(descriptor).unwrap_or(handle.value);
    match (from, handle.value) {
        (Kind::Ref, Kind::Ref) => {
            let object = value as Ref;
            if object != 0 && !m.is_instance(object, handle.class) {
                let message = m.cast_message(m.class_of(object), handle.class);
                return Err(exception("java/lang/ClassCastException", message));
            }
            Ok(value)
        }
        (Kind::Ref, to) => {
            let object = value as Ref;
            if object == 0 {
                return Err(null());
            }
            match m.unboxed(object) {
                Some((kind, value)) if widens(kind, to) => Ok(widened(kind, to, value)),
                _ => {
                    let wrapper = m.vm.classes.load(to.box_class())?;
                    let message = m.cast_message(m.class_of(object), wrapper);
                    Err(exception("java/lang/ClassCastException", message))
                }
            }
        }
        (_, Kind::Ref) => unreachable!("such arguments were boxed"),
        (from, to) => Ok(widened(from, to, value)),
    }
}

fn widened(from: Kind, to: Kind, value: u64) -> u64 {
    let (from, to) = (computed(from), computed(to));
    if from == to { value } else { convert(from, to, value) }
}

/// A value of the variable as the call site wants it; see [`prepare_result`].
fn outgoing(m: &PureView<'_, '_>, handle: &Handle, descriptor: &str, value: u64) -> Exec<Answer> {
    let Some(to) = Kind::of(descriptor) else { return Ok(Answer::Void) };
    let value = match (handle.value, to) {
        (Kind::Ref, Kind::Ref) => {
            let object = value as Ref;
            let name = class_name(descriptor);
            if object != 0 && name != "java/lang/Object" && name != m.vm.classes.name(handle.class) {
                let class = m.vm.classes.load(name)?;
                if !m.is_instance(object, class) {
                    let message = m.cast_message(m.class_of(object), class);
                    return Err(exception("java/lang/ClassCastException", message));
                }
            }
            value
        }
        (Kind::Ref, to) => match m.unboxed(value as Ref) {
            Some((kind, value)) if widens(kind, to) => widened(kind, to, value),
            _ if value == 0 => return Err(null()),
            _ => {
                let wrapper = m.vm.classes.load(to.box_class())?;
                let message = m.cast_message(m.class_of(value as Ref), wrapper);
                return Err(exception("java/lang/ClassCastException", message));
            }
        },
        (from, Kind::Ref) => {
            let class = from.box_class();
            let method = find(&m.vm.classes, class, "valueOf", &format!("({})L{class};", from.letter()))?;
            let mut args = vec![value];
            args.resize(usize::from(from.n_slots()), 0);
            return Ok(Answer::Call(method, args, crate::vm::thread::Role::Plain));
        }
        (from, to) => widened(from, to, value),
    };
    Ok(if to.is_wide() { Answer::Wide(value) } else { Answer::Word(value) })
}

/// If the result is to be boxed, the class of boxes is initialised first.
fn prepare_result(m: &mut OwnView<'_, '_>, handle: &Handle, descriptor: &str) -> Exec<()> {
    match (handle.value, Kind::of(descriptor)) {
        (Kind::Ref, _) => Ok(()),
        (from, Some(Kind::Ref)) => {
            let class = m.vm.load(from.box_class())?;
            m.ensure_initialized(class)
        }
        _ => Ok(()),
    }
}

/// The ways of using a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    PlainGet,
    PlainSet,
    Get,
    Set,
    CompareAndSet,
    CompareAndExchange,
    GetAndSet,
    Add,
    Or,
    And,
    Xor,
}

impl Mode {
    /// The access itself.
    fn effect(self) -> Effect {
        match self {
            Self::PlainGet => PLAIN_GET,
            Self::PlainSet => PLAIN_SET,
            Self::Get => GET,
            Self::Set => SET,
            Self::CompareAndSet => COMPARE_AND_SET,
            Self::CompareAndExchange => COMPARE_AND_EXCHANGE,
            Self::GetAndSet => GET_AND_SET,
            Self::Add => ADD,
            Self::Or => OR,
            Self::And => AND,
            Self::Xor => XOR,
        }
    }

    /// How many values it takes.
    fn n_values(self) -> usize {
        match self {
            Self::Get | Self::PlainGet => 0,
            Self::CompareAndSet | Self::CompareAndExchange => 2,
            _ => 1,
        }
    }
}

/// What the variable holds after `mode`, given what it held and the operand.
fn combined(mode: Mode, kind: Kind, old: u64, operand: u64) -> Option<u64> {
    use crate::class::code::Arithmetic;
    use crate::vm::arithmetic;
    let operation = match mode {
        Mode::Add => Arithmetic::Add,
        Mode::Or => Arithmetic::Or,
        Mode::And => Arithmetic::And,
        Mode::Xor => Arithmetic::Xor,
        _ => return None,
    };
    let is_bitwise = mode != Mode::Add;
    Some(match kind {
        Kind::Ref => return None,
        Kind::Float | Kind::Double if is_bitwise => return None,
        Kind::Boolean if !is_bitwise => return None,
        Kind::Float => {
            let sum = f32::from_bits(old as u32) + f32::from_bits(operand as u32);
            u64::from(sum.to_bits())
        }
        Kind::Double => (f64::from_bits(old) + f64::from_bits(operand)).to_bits(),
        Kind::Long => arithmetic::long(operation, old as i64, operand as i64).ok()? as u64,
        _ => {
            let (old, operand) = (old as u32 as i32, operand as u32 as i32);
            kind.narrow(u64::from(arithmetic::int(operation, old, operand).ok()? as u32))
        }
    })
}

/// Uses a variable: checks first, then one atomic operation.
fn operate(m: &mut SharedView<'_, '_>, args: &[u64], mode: Mode) -> Exec<Answer> {
    let handle = read(m, args[0] as Ref)?;
    let site = m.site_types()?;
    // A method that was made to box arguments has the handle among them.
    let is_made = m.frames().last().is_some_and(|frame| frame.method.is_made());
    let site = match site.strip_prefix('(').and_then(|rest| rest.strip_prefix(VAR_HANDLE)) {
        Some(rest) if is_made => format!("({rest}").into(),
        _ => site,
    };
    let (types, result) = split(&site).unwrap_or_default();
    let is_other = handle.is_exact && own_type(m, &handle, mode)[1 + VAR_HANDLE.len()..] != site[1..];
    if is_other || !fits(m, &handle, mode, &types, result)? {
        return Err(wrong_type(m, &handle, mode, &site));
    }
    let first = handle.n_coordinates();
    let is_boxed = |given: &&str| Kind::of(given).is_some_and(|kind| kind != Kind::Ref);
    if handle.value == Kind::Ref && types[first..].iter().any(is_boxed) {
        return boxed::call(m, args, (&format!("{mode:?}"), mode.effect()), &site, first);
    }
    let (place, n_coordinates) = place(m, &handle, &args[1..])?;
    let n_values = mode.n_values();
    let mut values = [0_u64; 2];
    let mut at = 1 + n_coordinates;
    for (value, descriptor) in values.iter_mut().zip(&types[n_coordinates..]) {
        *value = incoming(m, &handle, descriptor, args[at])?;
        at += usize::from(Kind::of(descriptor).map_or(1, Kind::n_slots));
    }
    if handle.is_final && !matches!(mode, Mode::Get | Mode::PlainGet) {
        return Err(Trap::Exception("java/lang/UnsupportedOperationException", None));
    }
    if !matches!(mode, Mode::PlainGet | Mode::PlainSet | Mode::Get | Mode::Set) && handle.kind >= LITTLE {
        return Err(Trap::Unsupported("an atomic operation on a view of a byte array".into()));
    }
    let kind = handle.value;
    if matches!(mode, Mode::Add | Mode::Or | Mode::And | Mode::Xor) && combined(mode, kind, 0, 0).is_none() {
        return Err(Trap::Exception("java/lang/UnsupportedOperationException", None));
    }
    if !matches!(mode, Mode::CompareAndSet | Mode::Set | Mode::PlainSet) {
        prepare_result(m, &handle, result)?;
    }
    if let (Variable::Element(array, _), Kind::Ref, true) = (&place, kind, n_values > 0) {
        let stored = values[n_values - 1] as Ref;
        if let crate::class::Form::Array(element) = m.vm.class(m.class_of(*array)).form
            && stored != 0
            && !m.is_instance(stored, element)
        {
            // Only the plain access is the instruction, which says what it was given.
            let name = (mode == Mode::PlainSet).then(|| m.vm.classes.java_name(m.class_of(stored)));
            return Err(Trap::Exception("java/lang/ArrayStoreException", name));
        }
    }
    if let Variable::Bytes(array, at, is_big) = place
        && !at.is_multiple_of(kind.n_bytes())
    {
        return match mode {
            Mode::PlainGet if Kind::of(result) == Some(kind) => unaligned(m, kind, (array, at, is_big), None),
            Mode::PlainSet => unaligned(m, kind, (array, at, is_big), Some(values[0])),
            Mode::PlainGet => Err(Trap::Unsupported(
                "a view of a byte array that is not aligned, and converts what it reads".into(),
            )),
            _ => {
                Err(exception("java/lang/IllegalStateException", format!("Misaligned access at index: {at}")))
            }
        };
    }
    let old = match mode {
        Mode::PlainGet => m.get(place, kind, VariableMode::Plain)?,
        Mode::Get => m.get(place, kind, VariableMode::Atomic)?,
        Mode::PlainSet | Mode::Set => {
            let is_plain = mode == Mode::PlainSet;
            let how = if is_plain { VariableMode::Plain } else { VariableMode::Atomic };
            m.put(place, kind, how, values[0])?;
            return Ok(Answer::Void);
        }
        Mode::GetAndSet => m.update(place, kind, |_| values[0])?,
        Mode::CompareAndSet | Mode::CompareAndExchange => {
            let (old, is_equal) = m.compare_and_set(place, kind, values[0], values[1])?;
            if mode == Mode::CompareAndSet {
                return Ok(if result == "V" { Answer::Void } else { Answer::Word(u64::from(is_equal)) });
            }
            old
        }
        Mode::Add | Mode::Or | Mode::And | Mode::Xor => {
            m.update(place, kind, |old| combined(mode, kind, old, values[0]).unwrap_or(old))?
        }
    };
    outgoing(m, &handle, result, old)
}

/// A plain access to a number in an array of bytes that does not begin where one of its size would: by the
/// library's own code, as its handles do it, in the largest parts that do.
fn unaligned(
    m: &OwnView<'_, '_>,
    kind: Kind,
    (array, at, is_big): (Ref, usize, bool),
    value: Option<u64>,
) -> Exec<Answer> {
    const UNSAFE: &str = "jdk/internal/misc/Unsafe";
    let size = match kind {
        Kind::Float => Kind::Int,
        Kind::Double => Kind::Long,
        kind => kind,
    };
    let (name, letter) = (size.name(), size.letter());
    let name = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
    let (name, descriptor) = match value {
        None => (format!("get{name}Unaligned"), format!("(Ljava/lang/Object;JZ){letter}")),
        Some(_) => (format!("put{name}Unaligned"), format!("(Ljava/lang/Object;J{letter}Z)V")),
    };
    let method = find(&m.vm.classes, UNSAFE, &name, &descriptor)?;
    let missing = || Gap::Library(format!("{UNSAFE}.theUnsafe"));
    let this = m.static_constant(UNSAFE, "theUnsafe").ok_or_else(missing)?;
    let mut args = vec![this, u64::from(array), crate::native::memory::BASE + at as u64, 0];
    if let Some(value) = value {
        args.push(value);
        args.resize(4 + usize::from(size.n_slots()), 0);
    }
    args.push(u64::from(is_big));
    Ok(Answer::Call(method, args, crate::vm::thread::Role::Plain))
}

const PLAIN_GET: Effect = Effect::Shared(|m, args| operate(m, args, Mode::PlainGet));
const PLAIN_SET: Effect = Effect::Shared(|m, args| operate(m, args, Mode::PlainSet));
const GET: Effect = Effect::Shared(|m, args| operate(m, args, Mode::Get));
const SET: Effect = Effect::Shared(|m, args| operate(m, args, Mode::Set));
/// An access that orders less than a volatile one does, and is made as if it were volatile.
const WEAK_GET: Effect = Effect::Shared(|m, args| {
    m.note_weak(None);
    operate(m, args, Mode::Get)
});
const WEAK_SET: Effect = Effect::Shared(|m, args| {
    m.note_weak(None);
    operate(m, args, Mode::Set)
});
const COMPARE_AND_SET: Effect = Effect::Shared(|m, args| operate(m, args, Mode::CompareAndSet));
const COMPARE_AND_EXCHANGE: Effect = Effect::Shared(|m, args| operate(m, args, Mode::CompareAndExchange));
const GET_AND_SET: Effect = Effect::Shared(|m, args| operate(m, args, Mode::GetAndSet));
const ADD: Effect = Effect::Shared(|m, args| operate(m, args, Mode::Add));
const OR: Effect = Effect::Shared(|m, args| operate(m, args, Mode::Or));
const AND: Effect = Effect::Shared(|m, args| operate(m, args, Mode::And));
const XOR: Effect = Effect::Shared(|m, args| operate(m, args, Mode::Xor));

macro_rules! modes {
    ($($name:literal $result:literal $entry:ident,)*) => {
        &[$((concat!("java/lang/invoke/VarHandle.", $name, "([Ljava/lang/Object;)", $result), $entry),)*]
    };
}

/// The access modes.
pub const MODES: Table = modes![
    "get" "Ljava/lang/Object;" PLAIN_GET,
    "set" "V" PLAIN_SET,
    "getVolatile" "Ljava/lang/Object;" GET,
    "setVolatile" "V" SET,
    "getOpaque" "Ljava/lang/Object;" WEAK_GET,
    "setOpaque" "V" WEAK_SET,
    "getAcquire" "Ljava/lang/Object;" WEAK_GET,
    "setRelease" "V" WEAK_SET,
    "compareAndSet" "Z" COMPARE_AND_SET,
    "compareAndExchange" "Ljava/lang/Object;" COMPARE_AND_EXCHANGE,
    "compareAndExchangeAcquire" "Ljava/lang/Object;" COMPARE_AND_EXCHANGE,
    "compareAndExchangeRelease" "Ljava/lang/Object;" COMPARE_AND_EXCHANGE,
    "weakCompareAndSetPlain" "Z" COMPARE_AND_SET,
    "weakCompareAndSet" "Z" COMPARE_AND_SET,
    "weakCompareAndSetAcquire" "Z" COMPARE_AND_SET,
    "weakCompareAndSetRelease" "Z" COMPARE_AND_SET,
    "getAndSet" "Ljava/lang/Object;" GET_AND_SET,
    "getAndSetAcquire" "Ljava/lang/Object;" GET_AND_SET,
    "getAndSetRelease" "Ljava/lang/Object;" GET_AND_SET,
    "getAndAdd" "Ljava/lang/Object;" ADD,
    "getAndAddAcquire" "Ljava/lang/Object;" ADD,
    "getAndAddRelease" "Ljava/lang/Object;" ADD,
    "getAndBitwiseOr" "Ljava/lang/Object;" OR,
    "getAndBitwiseOrAcquire" "Ljava/lang/Object;" OR,
    "getAndBitwiseOrRelease" "Ljava/lang/Object;" OR,
    "getAndBitwiseAnd" "Ljava/lang/Object;" AND,
    "getAndBitwiseAndAcquire" "Ljava/lang/Object;" AND,
    "getAndBitwiseAndRelease" "Ljava/lang/Object;" AND,
    "getAndBitwiseXor" "Ljava/lang/Object;" XOR,
    "getAndBitwiseXorAcquire" "Ljava/lang/Object;" XOR,
    "getAndBitwiseXorRelease" "Ljava/lang/Object;" XOR,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_combined_in_their_own_kind() {
        let minus_one = u64::from(u32::MAX);
        assert_eq!(combined(Mode::Add, Kind::Byte, 127, 1), Some(Kind::Byte.narrow(0x80)));
        assert_eq!(combined(Mode::Add, Kind::Int, minus_one, 1), Some(0));
        assert_eq!(combined(Mode::Add, Kind::Long, u64::MAX, 2), Some(1));
        assert_eq!(combined(Mode::Xor, Kind::Boolean, 1, 1), Some(0));
        assert_eq!(combined(Mode::Or, Kind::Double, 0, 0), None);
        let sum =
            combined(Mode::Add, Kind::Float, u64::from(1.5_f32.to_bits()), u64::from(2.0_f32.to_bits()));
        assert_eq!(sum, Some(u64::from(3.5_f32.to_bits())));
    }
}
