//! From the instructions of a class file to operations.

use super::code::{Arithmetic, Code, Comparison, Handler, Op, Switch};
use super::descriptor::Kind;
use super::flaw::{Flaw, Rule};
use ristretto_classfile::attributes::{ArrayType, Attribute, Instruction};

/// The code of a method whose `Code` attribute is `attribute`.
///
/// # Errors
/// What is wrong with it.
pub fn decode(attribute: &Attribute) -> Result<Code, Flaw> {
    let Attribute::Code { code, exception_table, attributes, .. } = attribute else {
        return Err(Rule::NoCodeAttribute.into());
    };
    let n_ops = code.len() as u32;
    let mut switches = Vec::new();
    let mut ops = Vec::with_capacity(code.len());
    for (idx, instruction) in code.iter().enumerate() {
        ops.push(decode_one(instruction, idx as u32, &mut switches)?);
    }
    if ops.iter().filter_map(|op| target(*op)).any(|target| target >= n_ops) {
        return Err(Rule::JumpOut.into());
    }
    if switches.iter().flat_map(Switch::targets).any(|target| target >= n_ops) {
        return Err(Rule::SwitchOut.into());
    }
    let handlers = exception_table
        .iter()
        .map(|entry| Handler {
            start: u32::from(entry.range_pc.start),
            end: u32::from(entry.range_pc.end),
            target: u32::from(entry.handler_pc),
            class: entry.catch_type,
            known: None,
        })
        .collect::<Vec<_>>();
    if handlers.iter().any(|handler| handler.target >= n_ops) {
        return Err(Rule::HandlerOut.into());
    }
    let mut lines: Vec<(u32, u32)> = attributes
        .iter()
        .filter_map(|attribute| match attribute {
            Attribute::LineNumberTable { line_numbers, .. } => Some(line_numbers),
            _ => None,
        })
        .flatten()
        .map(|line| (u32::from(line.start_pc), u32::from(line.line_number)))
        .collect();
    lines.sort_by_key(|line| line.0);
    if !ops.iter().any(|op| matches!(op, Op::Jsr(_) | Op::Ret(_))) {
        return Ok(Code::new(ops, switches, handlers, lines));
    }
    let inlined = super::subroutine::inline(&ops, switches, &handlers)?;
    let line_of = |pc: u32| lines[..lines.partition_point(|line| line.0 <= pc)].last().map(|line| line.1);
    let copies = (n_ops..).zip(&inlined.origins[ops.len()..]);
    let copied: Vec<(u32, u32)> =
        copies.filter_map(|(pc, &origin)| line_of(origin).map(|line| (pc, line))).collect();
    lines.extend(copied);
    let mut code = Code::new(inlined.ops, inlined.switches, inlined.handlers, lines);
    code.origins = inlined.origins.into();
    Ok(code)
}

/// Where an operation may jump to, tables aside.
#[must_use]
pub fn target(op: Op) -> Option<u32> {
    match op {
        Op::If(_, target)
        | Op::IfInt(_, target)
        | Op::IfRef(_, target)
        | Op::IfNull(_, target)
        | Op::Goto(target)
        | Op::Jsr(target) => Some(target),
        _ => None,
    }
}

fn relative(at: u32, offset: i32) -> Result<u32, Flaw> {
    at.checked_add_signed(offset).ok_or_else(|| Rule::SwitchOut.into())
}

fn array_kind(array: &ArrayType) -> Kind {
    match array {
        ArrayType::Boolean => Kind::Boolean,
        ArrayType::Char => Kind::Char,
        ArrayType::Float => Kind::Float,
        ArrayType::Double => Kind::Double,
        ArrayType::Byte => Kind::Byte,
        ArrayType::Short => Kind::Short,
        ArrayType::Int => Kind::Int,
        ArrayType::Long => Kind::Long,
    }
}

fn wide_target(target: i32) -> Result<u32, Flaw> {
    u32::try_from(target).map_err(|_| Rule::JumpOut.into())
}

/// Decodes the instruction at `at`. The families are those of JVMS 7; each decodes its own instructions and
/// no others.
fn decode_one(instruction: &Instruction, at: u32, switches: &mut Vec<Switch>) -> Result<Op, Flaw> {
    let families = [constant, load, store, stack, arithmetic, conversion, comparison, reference];
    match families.iter().find_map(|family| family(instruction)) {
        Some(op) => Ok(op),
        None => control(instruction, at, switches),
    }
}

/// Instructions that push a constant, and `nop`.
fn constant(instruction: &Instruction) -> Option<Op> {
    use Instruction as I;
    Some(match instruction {
        I::Nop => Op::Nop,
        I::Aconst_null => Op::Const(0, true),
        I::Iconst_m1 => Op::Const(-1, false),
        I::Iconst_0 => Op::Const(0, false),
        I::Iconst_1 => Op::Const(1, false),
        I::Iconst_2 => Op::Const(2, false),
        I::Iconst_3 => Op::Const(3, false),
        I::Iconst_4 => Op::Const(4, false),
        I::Iconst_5 => Op::Const(5, false),
        I::Lconst_0 => Op::Long(0),
        I::Lconst_1 => Op::Long(1),
        I::Fconst_0 => Op::Const(0, false),
        I::Fconst_1 => Op::Const(1.0_f32.to_bits() as i32, false),
        I::Fconst_2 => Op::Const(2.0_f32.to_bits() as i32, false),
        I::Dconst_0 => Op::Double(0.0),
        I::Dconst_1 => Op::Double(1.0),
        I::Bipush(value) => Op::Const(i32::from(*value), false),
        I::Sipush(value) => Op::Const(i32::from(*value), false),
        I::Ldc(index) => Op::Ldc(u16::from(*index)),
        I::Ldc_w(index) => Op::Ldc(*index),
        I::Ldc2_w(index) => Op::Ldc2(*index),
        _ => return None,
    })
}

/// Instructions that push a local variable or an array element.
fn load(instruction: &Instruction) -> Option<Op> {
    use Instruction as I;
    Some(match instruction {
        I::Iload(n) | I::Fload(n) | I::Aload(n) => Op::Load(u16::from(*n)),
        I::Lload(n) | I::Dload(n) => Op::Load2(u16::from(*n)),
        I::Iload_w(n) | I::Fload_w(n) | I::Aload_w(n) => Op::Load(*n),
        I::Lload_w(n) | I::Dload_w(n) => Op::Load2(*n),
        I::Iload_0 | I::Fload_0 | I::Aload_0 => Op::Load(0),
        I::Iload_1 | I::Fload_1 | I::Aload_1 => Op::Load(1),
        I::Iload_2 | I::Fload_2 | I::Aload_2 => Op::Load(2),
        I::Iload_3 | I::Fload_3 | I::Aload_3 => Op::Load(3),
        I::Lload_0 | I::Dload_0 => Op::Load2(0),
        I::Lload_1 | I::Dload_1 => Op::Load2(1),
        I::Lload_2 | I::Dload_2 => Op::Load2(2),
        I::Lload_3 | I::Dload_3 => Op::Load2(3),
        I::Iaload => Op::ArrayLoad(Kind::Int),
        I::Laload => Op::ArrayLoad(Kind::Long),
        I::Faload => Op::ArrayLoad(Kind::Float),
        I::Daload => Op::ArrayLoad(Kind::Double),
        I::Aaload => Op::ArrayLoad(Kind::Ref),
        I::Baload => Op::ArrayLoad(Kind::Byte),
        I::Caload => Op::ArrayLoad(Kind::Char),
        I::Saload => Op::ArrayLoad(Kind::Short),
        _ => return None,
    })
}

/// Instructions that pop into a local variable or an array element.
fn store(instruction: &Instruction) -> Option<Op> {
    use Instruction as I;
    Some(match instruction {
        I::Istore(n) | I::Fstore(n) | I::Astore(n) => Op::Store(u16::from(*n)),
        I::Lstore(n) | I::Dstore(n) => Op::Store2(u16::from(*n)),
        I::Istore_w(n) | I::Fstore_w(n) | I::Astore_w(n) => Op::Store(*n),
        I::Lstore_w(n) | I::Dstore_w(n) => Op::Store2(*n),
        I::Istore_0 | I::Fstore_0 | I::Astore_0 => Op::Store(0),
        I::Istore_1 | I::Fstore_1 | I::Astore_1 => Op::Store(1),
        I::Istore_2 | I::Fstore_2 | I::Astore_2 => Op::Store(2),
        I::Istore_3 | I::Fstore_3 | I::Astore_3 => Op::Store(3),
        I::Lstore_0 | I::Dstore_0 => Op::Store2(0),
        I::Lstore_1 | I::Dstore_1 => Op::Store2(1),
        I::Lstore_2 | I::Dstore_2 => Op::Store2(2),
        I::Lstore_3 | I::Dstore_3 => Op::Store2(3),
        I::Iastore => Op::ArrayStore(Kind::Int),
        I::Lastore => Op::ArrayStore(Kind::Long),
        I::Fastore => Op::ArrayStore(Kind::Float),
        I::Dastore => Op::ArrayStore(Kind::Double),
        I::Aastore => Op::ArrayStore(Kind::Ref),
        I::Bastore => Op::ArrayStore(Kind::Byte),
        I::Castore => Op::ArrayStore(Kind::Char),
        I::Sastore => Op::ArrayStore(Kind::Short),
        _ => return None,
    })
}

/// Instructions that rearrange the operand stack.
fn stack(instruction: &Instruction) -> Option<Op> {
    use Instruction as I;
    Some(match instruction {
        I::Pop => Op::Pop,
        I::Pop2 => Op::Pop2,
        I::Dup => Op::Dup,
        I::Dup_x1 => Op::DupX1,
        I::Dup_x2 => Op::DupX2,
        I::Dup2 => Op::Dup2,
        I::Dup2_x1 => Op::Dup2X1,
        I::Dup2_x2 => Op::Dup2X2,
        I::Swap => Op::Swap,
        _ => return None,
    })
}

/// Instructions that compute, on numbers of one kind.
fn arithmetic(instruction: &Instruction) -> Option<Op> {
    use Arithmetic::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Ushr, Xor};
    use Instruction as I;
    Some(match instruction {
        I::Iadd => Op::Int(Add),
        I::Ladd => Op::LongOp(Add),
        I::Fadd => Op::Float(Add),
        I::Dadd => Op::DoubleOp(Add),
        I::Isub => Op::Int(Sub),
        I::Lsub => Op::LongOp(Sub),
        I::Fsub => Op::Float(Sub),
        I::Dsub => Op::DoubleOp(Sub),
        I::Imul => Op::Int(Mul),
        I::Lmul => Op::LongOp(Mul),
        I::Fmul => Op::Float(Mul),
        I::Dmul => Op::DoubleOp(Mul),
        I::Idiv => Op::Int(Div),
        I::Ldiv => Op::LongOp(Div),
        I::Fdiv => Op::Float(Div),
        I::Ddiv => Op::DoubleOp(Div),
        I::Irem => Op::Int(Rem),
        I::Lrem => Op::LongOp(Rem),
        I::Frem => Op::Float(Rem),
        I::Drem => Op::DoubleOp(Rem),
        I::Ineg => Op::Neg(Kind::Int),
        I::Lneg => Op::Neg(Kind::Long),
        I::Fneg => Op::Neg(Kind::Float),
        I::Dneg => Op::Neg(Kind::Double),
        I::Ishl => Op::Int(Shl),
        I::Lshl => Op::LongOp(Shl),
        I::Ishr => Op::Int(Shr),
        I::Lshr => Op::LongOp(Shr),
        I::Iushr => Op::Int(Ushr),
        I::Lushr => Op::LongOp(Ushr),
        I::Iand => Op::Int(And),
        I::Land => Op::LongOp(And),
        I::Ior => Op::Int(Or),
        I::Lor => Op::LongOp(Or),
        I::Ixor => Op::Int(Xor),
        I::Lxor => Op::LongOp(Xor),
        I::Iinc(n, by) => Op::Inc(u16::from(*n), i16::from(*by)),
        I::Iinc_w(n, by) => Op::Inc(*n, *by),
        _ => return None,
    })
}

/// Instructions that convert a number to another kind.
fn conversion(instruction: &Instruction) -> Option<Op> {
    use Instruction as I;
    Some(match instruction {
        I::I2l => Op::Convert(Kind::Int, Kind::Long),
        I::I2f => Op::Convert(Kind::Int, Kind::Float),
        I::I2d => Op::Convert(Kind::Int, Kind::Double),
        I::L2i => Op::Convert(Kind::Long, Kind::Int),
        I::L2f => Op::Convert(Kind::Long, Kind::Float),
        I::L2d => Op::Convert(Kind::Long, Kind::Double),
        I::F2i => Op::Convert(Kind::Float, Kind::Int),
        I::F2l => Op::Convert(Kind::Float, Kind::Long),
        I::F2d => Op::Convert(Kind::Float, Kind::Double),
        I::D2i => Op::Convert(Kind::Double, Kind::Int),
        I::D2l => Op::Convert(Kind::Double, Kind::Long),
        I::D2f => Op::Convert(Kind::Double, Kind::Float),
        I::I2b => Op::Convert(Kind::Int, Kind::Byte),
        I::I2c => Op::Convert(Kind::Int, Kind::Char),
        I::I2s => Op::Convert(Kind::Int, Kind::Short),
        _ => return None,
    })
}

/// Instructions that compare, and those that jump if a comparison holds.
fn comparison(instruction: &Instruction) -> Option<Op> {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    use Instruction as I;
    Some(match instruction {
        I::Lcmp => Op::CompareLong,
        I::Fcmpl => Op::CompareFloat(-1),
        I::Fcmpg => Op::CompareFloat(1),
        I::Dcmpl => Op::CompareDouble(-1),
        I::Dcmpg => Op::CompareDouble(1),
        I::Ifeq(to) => Op::If(Eq, u32::from(*to)),
        I::Ifne(to) => Op::If(Ne, u32::from(*to)),
        I::Iflt(to) => Op::If(Lt, u32::from(*to)),
        I::Ifge(to) => Op::If(Ge, u32::from(*to)),
        I::Ifgt(to) => Op::If(Gt, u32::from(*to)),
        I::Ifle(to) => Op::If(Le, u32::from(*to)),
        I::If_icmpeq(to) => Op::IfInt(Eq, u32::from(*to)),
        I::If_icmpne(to) => Op::IfInt(Ne, u32::from(*to)),
        I::If_icmplt(to) => Op::IfInt(Lt, u32::from(*to)),
        I::If_icmpge(to) => Op::IfInt(Ge, u32::from(*to)),
        I::If_icmpgt(to) => Op::IfInt(Gt, u32::from(*to)),
        I::If_icmple(to) => Op::IfInt(Le, u32::from(*to)),
        I::If_acmpeq(to) => Op::IfRef(true, u32::from(*to)),
        I::If_acmpne(to) => Op::IfRef(false, u32::from(*to)),
        I::Ifnull(to) => Op::IfNull(true, u32::from(*to)),
        I::Ifnonnull(to) => Op::IfNull(false, u32::from(*to)),
        _ => return None,
    })
}

/// Instructions on fields, methods, objects and arrays.
fn reference(instruction: &Instruction) -> Option<Op> {
    use Instruction as I;
    Some(match instruction {
        I::Getstatic(index) => Op::GetStatic(*index),
        I::Putstatic(index) => Op::PutStatic(*index),
        I::Getfield(index) => Op::GetField(*index),
        I::Putfield(index) => Op::PutField(*index),
        I::Invokevirtual(index) => Op::InvokeVirtual(*index),
        I::Invokespecial(index) => Op::InvokeSpecial(*index),
        I::Invokestatic(index) => Op::InvokeStatic(*index),
        I::Invokeinterface(index, _) => Op::InvokeInterface(*index),
        I::Invokedynamic(index) => Op::InvokeDynamic(*index),
        I::New(index) => Op::New(*index),
        I::Newarray(array) => Op::NewArray(array_kind(array)),
        I::Anewarray(index) => Op::NewRefArray(*index),
        I::Multianewarray(index, dims) => Op::NewMultiArray(*index, *dims),
        I::Arraylength => Op::ArrayLength,
        I::Athrow => Op::Throw,
        I::Checkcast(index) => Op::CheckCast(*index),
        I::Instanceof(index) => Op::InstanceOf(*index),
        I::Monitorenter => Op::MonitorEnter,
        I::Monitorexit => Op::MonitorExit,
        _ => return None,
    })
}

/// Jumps and returns. An instruction of no family is an error.
fn control(instruction: &Instruction, at: u32, switches: &mut Vec<Switch>) -> Result<Op, Flaw> {
    use Instruction as I;
    Ok(match instruction {
        I::Goto(to) => Op::Goto(u32::from(*to)),
        I::Goto_w(to) => Op::Goto(wide_target(*to)?),
        I::Jsr(to) => Op::Jsr(u32::from(*to)),
        I::Jsr_w(to) => Op::Jsr(wide_target(*to)?),
        I::Ret(n) => Op::Ret(u16::from(*n)),
        I::Ret_w(n) => Op::Ret(*n),
        I::Tableswitch(table) => {
            let targets =
                table.offsets.iter().map(|&offset| relative(at, offset)).collect::<Result<_, _>>()?;
            switches.push(Switch::Table { low: table.low, targets, default: relative(at, table.default)? });
            Op::Switch(switches.len() as u32 - 1)
        }
        I::Lookupswitch(table) => {
            let mut pairs = table
                .pairs
                .iter()
                .map(|(&value, &offset)| Ok((value, relative(at, offset)?)))
                .collect::<Result<Vec<_>, Flaw>>()?;
            pairs.sort_unstable();
            switches.push(Switch::Lookup { pairs: pairs.into(), default: relative(at, table.default)? });
            Op::Switch(switches.len() as u32 - 1)
        }
        I::Return => Op::Return(0),
        I::Ireturn | I::Freturn | I::Areturn => Op::Return(1),
        I::Lreturn | I::Dreturn => Op::Return(2),
        _ => return Err(Flaw::Reserved(instruction.to_string())),
    })
}
