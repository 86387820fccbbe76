//! Operations on many elements, taken apart: methods made by the machine that loop over the elements.
//!
//! An operation on ranges of arrays is one operation until it is seen in conflict with another thread (see
//! [`Effect::Ranges`](super::Effect)). From then on each element is an operation of its own. How far the
//! operation is belongs to an ordinary frame: that of the method's own bytecode where the JDK has some, or
//! else of a method made here.
//!
//! The Java platform does not say in which order elements are copied. Both directions are taken: that is one
//! choice, made when the loop begins. Where source and target overlap only one direction copies what was
//! there before.

use super::effect::OwnView;
use super::{Answer, int};
use crate::class::code::{Arithmetic, Comparison, Op};
use crate::class::descriptor::{Kind, split};
use crate::class::{ClassId, Method, MethodId};
use crate::gap::Gap;
use crate::vm::dynamic::assemble::{Assembler, find};
use crate::vm::heap::Ref;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;
use crate::vm::view::LOOP;

const COPY: (&str, &str, &str) =
    ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V");
const UNSAFE: &str = "jdk/internal/misc/Unsafe";
const COPY_BYTES: &str = "(Ljava/lang/Object;JLjava/lang/Object;JJ)V";
const SWAP_BYTES: &str = "(Ljava/lang/Object;JLjava/lang/Object;JJJ)V";
const FILL_BYTES: &str = "(Ljava/lang/Object;JJB)V";

/// The name of the methods that copy arguments before a native method reads them.
const COPIES: &str = "<copies>";

/// In which order the elements of an array are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the first to the last.
    Ascending,
    /// From the first to the last, or from the last to the first: the platform does not say.
    Any,
}

/// How a method on ranges goes on when it is taken apart.
pub type Apart = fn(&mut OwnView<'_, '_>, &[u64]) -> Exec<Answer>;

/// The JDK's own code goes through the elements.
pub(crate) fn bytecode(_: &mut OwnView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    Ok(Answer::Bytecode)
}

/// Elements of an array that are copied to another one.
struct Copied {
    source: Ref,
    from: u32,
    target: Ref,
    to: u32,
    len: u32,
}

/// `System.arraycopy`, whose arguments are good.
pub(crate) fn copy_elements(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let [from, to, len] = [args[1], args[3], args[4]].map(|arg| int(arg) as u32);
    copy(m, &Copied { source: args[0] as Ref, from, target: args[2] as Ref, to, len }, Role::Detached)
}

/// `Object.clone`.
pub(crate) fn clone(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let source = args[0] as Ref;
    let class = m.class_of(source);
    if !m.is_array(source) {
        let method = fields_copier(m, class)?;
        return Ok(Answer::Call(method, vec![args[0]], Role::Plain));
    }
    let len = m.array_len(source) as u32;
    let target = m.new_array(class, len as i32)?.give();
    copy(m, &Copied { source, from: 0, target, to: 0, len }, Role::Plain)
}

/// `Array.multiNewArray`: the lengths are read one by one, and then the arrays are made.
pub(crate) fn new_arrays(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    const DESCRIPTOR: &str = "(Ljava/lang/Class;[I)Ljava/lang/Object;";
    let vm = m.vm;
    let method = vm.made.method("new arrays, length by length".into(), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::Load(0)).op(Op::Load(1));
        asm.op(Op::Call(elements_copier(m, Kind::Int, Order::Ascending)?, false));
        asm.op(Op::CastTo(vm.known().primitive_array(Kind::Int)));
        asm.call("java/lang/reflect/Array", "multiNewArray", DESCRIPTOR, false)?;
        asm.leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, LOOP, DESCRIPTOR))
    })?;
    Ok(Answer::Call(method, args.to_vec(), Role::Plain))
}

/// Which way to go through two ranges that begin at `from` and `to`: 1, or -1 to begin at the end.
fn direction(m: &mut OwnView<'_, '_>, overlap: Option<(u64, u64)>, n: u64) -> i64 {
    match overlap {
        _ if n <= 1 => 1,
        Some((from, to)) if from < to && to < from + n => -1,
        Some((from, to)) if to < from && from < to + n => 1,
        _ if m.choose(2) == 0 => 1,
        _ => -1,
    }
}

fn copy(m: &mut OwnView<'_, '_>, copied: &Copied, role: Role) -> Exec<Answer> {
    let &Copied { source, from, target, to, len } = copied;
    let kind = m.element_kind(source).unwrap_or(Kind::Ref);
    let object = m.vm.known().object;
    let [given, wanted] = [source, target].map(|array| m.element_class(array).unwrap_or(object));
    let is_checked = kind == Kind::Ref && !m.vm.classes.is_assignable(given, wanted);
    let overlap = (source == target).then_some((u64::from(from), u64::from(to)));
    // What cannot be stored ends the copying: all that comes before has been copied then.
    let step = if is_checked { 1 } else { direction(m, overlap, u64::from(len)) };
    let last = if step < 0 { len - 1 } else { 0 };
    let box_of_one = if is_checked { m.new_array(m.class_of(source), 1)?.give() } else { 0 };
    let method = if is_checked { checking_copier(m)? } else { loop_of(m, kind)? };
    let args = [source, from + last, target, to + last, len, step as i32 as u32, box_of_one];
    Ok(Answer::Call(method, args.map(u64::from).to_vec(), role))
}

/// The descriptor of the loops over elements: source, index, target, index, how many, how far to the next
/// one, and an array of one element for what is checked. They give the target.
const LOOP_DESCRIPTOR: &str =
    "(Ljava/lang/Object;ILjava/lang/Object;IIILjava/lang/Object;)Ljava/lang/Object;";

/// Writes a loop over elements with this body.
fn write_loop(
    m: &OwnView<'_, '_>,
    key: &str,
    body: impl FnOnce(&mut Assembler<'_>) -> Exec<()>,
) -> Exec<MethodId> {
    let vm = m.vm;
    let mut asm = Assembler::new(&vm.classes);
    asm.op(Op::Load(4));
    let end = asm.jump(Op::If(Comparison::Eq, 0));
    body(&mut asm)?;
    for index in [1, 3] {
        asm.ops(&[Op::Load(index), Op::Load(5), Op::Int(Arithmetic::Add), Op::Store(index)]);
    }
    asm.op(Op::Inc(4, -1)).op(Op::Goto(0));
    asm.land(end);
    asm.op(Op::Load(2)).leave(Some(Kind::Ref));
    Ok(asm.add(key, vm.known().object, LOOP, LOOP_DESCRIPTOR))
}

/// The loop that copies elements of a kind: reading one and writing it are two operations.
fn loop_of(m: &OwnView<'_, '_>, kind: Kind) -> Exec<MethodId> {
    let kind = if kind == Kind::Boolean { Kind::Byte } else { kind };
    m.vm.made.method(format!("copying elements of kind {}", kind.name()), |key| {
        write_loop(m, key, |asm| {
            asm.ops(&[Op::Load(2), Op::Load(3), Op::Load(0), Op::Load(1)]);
            asm.op(Op::ArrayLoad(kind)).op(Op::ArrayStore(kind));
            Ok(())
        })
    })
}

/// The loop that copies references not all of which the target may be able to take. `System.arraycopy` itself
/// stores each of them, from an array of one element that no other thread knows: it says what is wrong as
/// ever.
fn checking_copier(m: &OwnView<'_, '_>) -> Exec<MethodId> {
    m.vm.made.method("copying elements that are checked".into(), |key| {
        write_loop(m, key, |asm| {
            let (class, name, descriptor) = COPY;
            let (zero, one) = (Op::Const(0, false), Op::Const(1, false));
            asm.ops(&[Op::Load(0), Op::Load(1), Op::Load(6), zero, one])
                .call(class, name, descriptor, false)?;
            asm.ops(&[Op::Load(6), zero, Op::Load(2), Op::Load(3), one])
                .call(class, name, descriptor, false)?;
            Ok(())
        })
    })
}

/// A method that gives a copy of an array of a kind, its elements read one by one.
fn elements_copier(m: &OwnView<'_, '_>, kind: Kind, order: Order) -> Exec<MethodId> {
    let vm = m.vm;
    vm.made.method(format!("a copy of an array of kind {}, {order:?}", kind.name()), |key| {
        let element = vm.known().object;
        let array =
            if kind == Kind::Ref { vm.classes.array_of(element)? } else { vm.known().primitive_array(kind) };
        let mut asm = Assembler::new(&vm.classes);
        let (zero, one) = (Op::Const(0, false), Op::Const(1, false));
        asm.op(Op::Load(0)).op(Op::CastTo(array)).op(Op::ArrayLength);
        asm.op(if kind == Kind::Ref { Op::NewArrayOf(element) } else { Op::NewArray(kind) });
        asm.store(Kind::Ref, 1).ops(&[Op::Load(0), zero, Op::Load(1), zero]);
        asm.op(Op::Load(1)).op(Op::CastTo(array)).op(Op::ArrayLength);
        match order {
            Order::Ascending => asm.op(one).null().op(Op::Call(loop_of(m, kind)?, false)).op(Op::Pop),
            Order::Any => asm.call(COPY.0, COPY.1, COPY.2, false)?,
        };
        asm.op(Op::Load(1)).leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, COPIES, "(Ljava/lang/Object;)Ljava/lang/Object;"))
    })
}

/// Calls a native method with a copy of an array that is one of its arguments.
pub(crate) fn copy_first(
    m: &mut OwnView<'_, '_>,
    method: &Method,
    (array, order): (Ref, Order),
    args: &[u64],
) -> Exec<Answer> {
    let vm = m.vm;
    let name = vm.classes.method_name(method);
    let receiver = if method.is_static() { "" } else { "Ljava/lang/Object;" };
    let descriptor = format!("({receiver}{}", &vm.classes.symbols.text(method.descriptor)[1..]);
    let (parameters, result) = split(&descriptor).unwrap_or_default();
    let mut at = 0;
    let mut locals = Vec::new();
    for parameter in parameters {
        let kind = Kind::of(parameter).unwrap_or(Kind::Ref);
        locals.push((kind, at));
        at += kind.n_slots();
    }
    let copied =
        locals.iter().find(|&&(kind, at)| kind == Kind::Ref && args[usize::from(at)] == u64::from(array));
    let Some(&(_, copied)) = copied else {
        return Err(Gap::Apart(name.to_string()).into());
    };
    let kind = m.element_kind(array).unwrap_or(Kind::Ref);
    let method = vm.made.method(
        format!("a copy of argument {copied} for {name}, {order:?}, {}", kind.name()),
        |key| {
            let mut asm = Assembler::new(&vm.classes);
            asm.op(Op::Load(copied))
                .op(Op::Call(elements_copier(m, kind, order)?, false))
                .store(Kind::Ref, copied);
            for &(kind, local) in &locals {
                asm.load(kind, local);
            }
            asm.op(Op::Call(method.id, false)).leave(Kind::of(result));
            Ok(asm.add(key, vm.known().object, COPIES, &descriptor))
        },
    )?;
    Ok(Answer::Call(method, args.to_vec(), Role::Plain))
}

/// Copies all elements of a new array into another one from an index on, and gives a number.
pub(crate) fn deliver(
    m: &mut OwnView<'_, '_>,
    source: Ref,
    (target, to): (Ref, u32),
    order: Order,
    result: i32,
) -> Exec<Answer> {
    const DESCRIPTOR: &str = "(Ljava/lang/Object;Ljava/lang/Object;III)I";
    let vm = m.vm;
    let kind = m.element_kind(source).unwrap_or(Kind::Ref);
    let method =
        vm.made.method(format!("delivering elements of kind {}, {order:?}", kind.name()), |key| {
            let mut asm = Assembler::new(&vm.classes);
            asm.ops(&[Op::Load(0), Op::Const(0, false), Op::Load(1), Op::Load(2), Op::Load(3)]);
            match order {
                Order::Ascending => {
                    asm.op(Op::Const(1, false)).null().op(Op::Call(loop_of(m, kind)?, false)).op(Op::Pop)
                }
                Order::Any => asm.call(COPY.0, COPY.1, COPY.2, false)?,
            };
            asm.op(Op::Load(4)).leave(Some(Kind::Int));
            Ok(asm.add(key, vm.known().object, COPIES, DESCRIPTOR))
        })?;
    let len = m.array_len(source) as u32;
    let args = [source, target, to, len, result as u32];
    Ok(Answer::Call(method, args.map(u64::from).to_vec(), Role::Plain))
}

/// `Inflater.inflateBytesBytes`: the input is read into an array of its own, inflated there, and what comes
/// of it is copied to where it belongs.
pub(crate) fn inflate(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    const DESCRIPTOR: &str = "(Ljava/lang/Object;JLjava/lang/Object;IILjava/lang/Object;II)J";
    const NAMES: (&str, &str) = ("java/util/zip/Inflater", "inflateBytesBytes");
    let vm = m.vm;
    let method = vm.made.method("inflating element by element".into(), |key| {
        let mut asm = Assembler::new(&vm.classes);
        let zero = Op::Const(0, false);
        let (input, output, done) = (9, 10, 11);
        asm.op(Op::Load(5)).op(Op::NewArray(Kind::Byte)).store(Kind::Ref, input);
        asm.op(Op::Load(8)).op(Op::NewArray(Kind::Byte)).store(Kind::Ref, output);
        asm.ops(&[Op::Load(3), Op::Load(4), Op::Load(input), zero, Op::Load(5)]);
        asm.call(COPY.0, COPY.1, COPY.2, false)?;
        asm.ops(&[Op::Load(0), Op::Load2(1), Op::Load(input), zero, Op::Load(5)]);
        asm.ops(&[Op::Load(output), zero, Op::Load(8)]);
        asm.call(NAMES.0, NAMES.1, "(J[BII[BII)J", false)?.store(Kind::Long, done);
        // The number of bytes written is in bits 31 to 61.
        asm.ops(&[Op::Load(output), zero, Op::Load(6), Op::Load(7)]);
        asm.ops(&[Op::Load2(done), Op::Const(31, false), Op::LongOp(Arithmetic::Ushr)]);
        asm.ops(&[Op::Convert(Kind::Long, Kind::Int), Op::Const(i32::MAX, false), Op::Int(Arithmetic::And)]);
        asm.call(COPY.0, COPY.1, COPY.2, false)?;
        asm.op(Op::Load2(done)).leave(Some(Kind::Long));
        Ok(asm.add(key, vm.known().object, COPIES, DESCRIPTOR))
    })?;
    Ok(Answer::Call(method, args.to_vec(), Role::Plain))
}

/// Reads or writes a number of several bytes that does not begin where one of its size would: by the
/// library's own code, in the largest parts that do.
pub(crate) fn unaligned(m: &OwnView<'_, '_>, kind: Kind, args: &[u64], value: Option<u64>) -> Exec<Answer> {
    let size = match kind {
        Kind::Float => Kind::Int,
        Kind::Double => Kind::Long,
        kind => kind,
    };
    let name = size.name();
    let name = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
    let letter = size.letter();
    let (name, descriptor) = match value {
        None => (format!("get{name}Unaligned"), format!("(Ljava/lang/Object;J){letter}")),
        Some(_) => (format!("put{name}Unaligned"), format!("(Ljava/lang/Object;J{letter})V")),
    };
    let method = find(&m.vm.classes, UNSAFE, &name, &descriptor)?;
    let mut given = args[..4].to_vec();
    if let Some(value) = value {
        given.push(value);
        given.resize(4 + usize::from(size.n_slots()), 0);
    }
    Ok(Answer::Call(method, given, Role::Plain))
}

/// A method that gives a copy of an object of a class: the fields are read one by one, and then the copy is
/// made.
fn fields_copier(m: &OwnView<'_, '_>, class: ClassId) -> Exec<MethodId> {
    let vm = m.vm;
    vm.made.method(format!("a copy of a {}", vm.classes.name(class)), |key| {
        let mut asm = Assembler::new(&vm.classes);
        let kinds = &vm.class(class).instance;
        let mut locals = Vec::with_capacity(kinds.len());
        let mut next = 1;
        for (slot, &kind) in kinds.iter().enumerate() {
            asm.op(Op::Load(0)).op(Op::GetSlot(slot as u32, kind)).store(kind, next);
            locals.push(next);
            next += kind.n_slots();
        }
        asm.op(Op::NewOf(class));
        for ((slot, &kind), &local) in kinds.iter().enumerate().zip(&locals) {
            asm.op(Op::Dup).load(kind, local).op(Op::PutSlot(slot as u32, kind));
        }
        asm.leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, LOOP, "(Ljava/lang/Object;)Ljava/lang/Object;"))
    })
}

/// Writes one value into every element of an array of bytes.
pub(crate) fn write_bytes(m: &mut OwnView<'_, '_>, target: Ref, value: u8) -> Exec<Answer> {
    let len = m.array_len(target);
    let source = m.new_bytes(&vec![value; len]).give();
    copy(m, &Copied { source, from: 0, target, to: 0, len: len as u32 }, Role::Detached)
}

/// A checksum of bytes: of one after the other.
pub(crate) fn sum(m: &mut OwnView<'_, '_>, args: &[u64], class: &str, name: &str) -> Exec<Answer> {
    const DESCRIPTOR: &str = "(I[BII)I";
    let vm = m.vm;
    let method = vm.made.method(format!("the sum of bytes by {class}"), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::Load(3));
        let end = asm.jump(Op::If(Comparison::Eq, 0));
        asm.ops(&[Op::Load(0), Op::Load(1), Op::Load(2), Op::Const(1, false)]);
        asm.call(&format!("java/util/zip/{class}"), name, DESCRIPTOR, false)?;
        asm.ops(&[Op::Store(0), Op::Inc(2, 1), Op::Inc(3, -1), Op::Goto(0)]);
        asm.land(end);
        asm.op(Op::Load(0)).leave(Some(Kind::Int));
        Ok(asm.add(key, vm.known().object, LOOP, DESCRIPTOR))
    })?;
    Ok(Answer::Call(method, args.to_vec(), Role::Plain))
}

/// The largest number of bytes, 8 at most, that divides all of these: what `Unsafe` promises to copy at once.
fn unit(numbers: &[u64]) -> u64 {
    let all = numbers.iter().fold(8, |all, number| all | number);
    1 << all.trailing_zeros()
}

/// `Unsafe.copyMemory0`: unit by unit.
pub(crate) fn copy_memory(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    copy_bytes(m, args, unit(&[args[2], args[5], args[7]]), false)
}

/// `Unsafe.copySwapMemory0`: element by element.
pub(crate) fn copy_swapped(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    copy_bytes(m, args, args[9].max(1), true)
}

fn copy_bytes(m: &mut OwnView<'_, '_>, args: &[u64], unit: u64, is_swapped: bool) -> Exec<Answer> {
    let overlap = (args[1] == args[4]).then_some((args[2], args[5]));
    let (at, to, n) = (args[2], args[5], args[7]);
    let way = if n <= unit { 1 } else { direction(m, overlap, n) };
    let last = if way < 0 { n - unit } else { 0 };
    let method = bytes_copier(m, is_swapped)?;
    let scratch = m.new_bytes(&[0; 8]).give();
    let (source, target, step) = (args[1], args[4], (way * unit as i64) as u64);
    let (at, to) = (at + last, to + last);
    let args = [args[0], source, at, 0, target, to, 0, n, 0, unit, 0, step, 0, u64::from(scratch)];
    Ok(Answer::Call(method, args.to_vec(), Role::Detached))
}

/// The loop that copies bytes, each unit through an array that no other thread knows.
fn bytes_copier(m: &OwnView<'_, '_>, is_swapped: bool) -> Exec<MethodId> {
    let vm = m.vm;
    vm.made.method(format!("copying bytes, swapped: {is_swapped}"), |key| {
        let mut asm = Assembler::new(&vm.classes);
        let base = Op::Long(super::memory::BASE as i32);
        asm.ops(&[Op::Load2(7), Op::Long(0), Op::CompareLong]);
        let end = asm.jump(Op::If(Comparison::Eq, 0));
        asm.ops(&[Op::Load(0), Op::Load(1), Op::Load2(2), Op::Load(13), base, Op::Load2(9)]);
        asm.call(UNSAFE, "copyMemory0", COPY_BYTES, false)?;
        asm.ops(&[Op::Load(0), Op::Load(13), base, Op::Load(4), Op::Load2(5), Op::Load2(9)]);
        if is_swapped {
            asm.op(Op::Load2(9)).call(UNSAFE, "copySwapMemory0", SWAP_BYTES, false)?;
        } else {
            asm.call(UNSAFE, "copyMemory0", COPY_BYTES, false)?;
        }
        for at in [2, 5] {
            asm.ops(&[Op::Load2(at), Op::Load2(11), Op::LongOp(Arithmetic::Add), Op::Store2(at)]);
        }
        asm.ops(&[Op::Load2(7), Op::Load2(9), Op::LongOp(Arithmetic::Sub), Op::Store2(7), Op::Goto(0)]);
        asm.land(end);
        asm.leave(None);
        let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;JLjava/lang/Object;JJJJLjava/lang/Object;)V";
        Ok(asm.add(key, vm.known().object, LOOP, descriptor))
    })
}

/// `Unsafe.setMemory0`: unit by unit.
pub(crate) fn set_memory(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let vm = m.vm;
    let method = vm.made.method("filling bytes".into(), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.ops(&[Op::Load2(4), Op::Long(0), Op::CompareLong]);
        let end = asm.jump(Op::If(Comparison::Eq, 0));
        asm.ops(&[Op::Load(0), Op::Load(1), Op::Load2(2), Op::Load2(7), Op::Load(6)]);
        asm.call(UNSAFE, "setMemory0", FILL_BYTES, false)?;
        asm.ops(&[Op::Load2(2), Op::Load2(7), Op::LongOp(Arithmetic::Add), Op::Store2(2)]);
        asm.ops(&[Op::Load2(4), Op::Load2(7), Op::LongOp(Arithmetic::Sub), Op::Store2(4), Op::Goto(0)]);
        asm.land(end);
        asm.leave(None);
        Ok(asm.add(key, vm.known().object, LOOP, "(Ljava/lang/Object;Ljava/lang/Object;JJBJ)V"))
    })?;
    let mut args = args.to_vec();
    args.extend([unit(&[args[2], args[4]]), 0]);
    Ok(Answer::Call(method, args, Role::Detached))
}
