//! Decodes the instructions of a class file to operations.

use super::code::{Arithmetic, Code, Comparison, Handler, Op, Switch};
use super::descriptor::Kind;
use super::file::Body;
use super::flaw::{Flaw, Rule};
use std::collections::BTreeMap;

/// The code of a method.
///
/// # Errors
/// The flaw of the code.
pub fn decode(body: &Body) -> Result<Code, Flaw> {
    let n_ops = body.n_instructions() as u32;
    let mut switches = Vec::new();
    let ops = (0..body.n_instructions()).map(|number| decode_one(body, number, &mut switches));
    let ops = ops.collect::<Result<Vec<_>, _>>()?;
    let handlers = body
        .handlers
        .iter()
        .map(|handler| Handler {
            start: u32::from(handler.start),
            end: u32::from(handler.end),
            target: u32::from(handler.target),
            class: handler.catch_type,
            known: None,
        })
        .collect::<Vec<_>>();
    let mut lines: Vec<(u32, u32)> = body.lines().collect();
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

/// The jump target of an operation other than a jump by table.
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

/// The kinds of values in the order that instructions have them.
const KINDS: [Kind; 8] =
    [Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Ref, Kind::Byte, Kind::Char, Kind::Short];

/// Numbers that follow an opcode.
fn signed_byte(operands: &[u8]) -> i16 {
    i16::from(operands[0] as i8)
}

fn half(operands: &[u8]) -> u16 {
    u16::from_be_bytes([operands[0], operands[1]])
}

fn signed_half(operands: &[u8]) -> i16 {
    half(operands) as i16
}

fn signed_word(operands: &[u8]) -> i32 {
    i32::from_be_bytes([operands[0], operands[1], operands[2], operands[3]])
}

/// Decodes one instruction. The families are those of JVMS 7; the reader of class files has checked that all
/// operands are there, and that jumps lead to instructions.
fn decode_one(body: &Body, number: usize, switches: &mut Vec<Switch>) -> Result<Op, Flaw> {
    let bytes = body.instruction(number);
    let (opcode, operands) = (bytes[0], &bytes[1..]);
    Ok(match opcode {
        0..=20 => constant(opcode, operands),
        21..=53 => load(opcode, operands),
        54..=86 => store(opcode, operands),
        87..=95 => stack(opcode),
        96..=131 => arithmetic(opcode),
        132 => Op::Inc(u16::from(operands[0]), signed_byte(&operands[1..])),
        133..=147 => conversion(opcode),
        148..=168 | 198..=201 => comparison(body, number)?,
        169 => Op::Ret(u16::from(operands[0])),
        170 | 171 => switch(body, number, switches)?,
        172 | 174 | 176 => Op::Return(1),
        173 | 175 => Op::Return(2),
        177 => Op::Return(0),
        178..=195 | 197 => reference(opcode, operands),
        196 => wide(operands)?,
        _ => return Err(Flaw::Reserved(opcode)),
    })
}

/// Instructions that push a constant, and `nop`.
fn constant(opcode: u8, operands: &[u8]) -> Op {
    match opcode {
        0 => Op::Nop,
        1 => Op::Const(0, true),
        2..=8 => Op::Const(i32::from(opcode) - 3, false),
        9 | 10 => Op::Long(i32::from(opcode) - 9),
        11..=13 => Op::Const((f32::from(opcode) - 11.0).to_bits() as i32, false),
        14 | 15 => Op::Double(f32::from(opcode) - 14.0),
        16 => Op::Const(i32::from(signed_byte(operands)), false),
        17 => Op::Const(i32::from(signed_half(operands)), false),
        18 => Op::Ldc(u16::from(operands[0])),
        19 => Op::Ldc(half(operands)),
        _ => Op::Ldc2(half(operands)),
    }
}

/// Whether instructions of a kind of values, by its place in [`KINDS`], take two slots.
fn is_wide(kind: u8) -> bool {
    kind == 1 || kind == 3
}

/// Instructions that push a local variable or an array element.
fn load(opcode: u8, operands: &[u8]) -> Op {
    let (kind, n) = match opcode {
        21..=25 => (opcode - 21, u16::from(operands[0])),
        26..=45 => ((opcode - 26) / 4, u16::from((opcode - 26) % 4)),
        _ => return Op::ArrayLoad(KINDS[usize::from(opcode - 46)]),
    };
    if is_wide(kind) { Op::Load2(n) } else { Op::Load(n) }
}

/// Instructions that pop into a local variable or an array element.
fn store(opcode: u8, operands: &[u8]) -> Op {
    let (kind, n) = match opcode {
        54..=58 => (opcode - 54, u16::from(operands[0])),
        59..=78 => ((opcode - 59) / 4, u16::from((opcode - 59) % 4)),
        _ => return Op::ArrayStore(KINDS[usize::from(opcode - 79)]),
    };
    if is_wide(kind) { Op::Store2(n) } else { Op::Store(n) }
}

/// Instructions that rearrange the operand stack.
fn stack(opcode: u8) -> Op {
    match opcode {
        87 => Op::Pop,
        88 => Op::Pop2,
        89 => Op::Dup,
        90 => Op::DupX1,
        91 => Op::DupX2,
        92 => Op::Dup2,
        93 => Op::Dup2X1,
        94 => Op::Dup2X2,
        _ => Op::Swap,
    }
}

/// Instructions that compute, on numbers of one kind.
fn arithmetic(opcode: u8) -> Op {
    use Arithmetic::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Ushr, Xor};
    let (operation, kind) = match opcode {
        116..=119 => return Op::Neg(KINDS[usize::from(opcode - 116)]),
        96..=115 => ([Add, Sub, Mul, Div, Rem][usize::from((opcode - 96) / 4)], (opcode - 96) % 4),
        _ => ([Shl, Shr, Ushr, And, Or, Xor][usize::from((opcode - 120) / 2)], (opcode - 120) % 2),
    };
    match kind {
        0 => Op::Int(operation),
        1 => Op::LongOp(operation),
        2 => Op::Float(operation),
        _ => Op::DoubleOp(operation),
    }
}

/// Instructions that convert a number to another kind.
fn conversion(opcode: u8) -> Op {
    let numbers = [Kind::Int, Kind::Long, Kind::Float, Kind::Double];
    match opcode {
        133..=144 => {
            // From each of them to the three others.
            let (from, to) = (usize::from((opcode - 133) / 3), usize::from((opcode - 133) % 3));
            Op::Convert(numbers[from], numbers[if to < from { to } else { to + 1 }])
        }
        145 => Op::Convert(Kind::Int, Kind::Byte),
        146 => Op::Convert(Kind::Int, Kind::Char),
        _ => Op::Convert(Kind::Int, Kind::Short),
    }
}

/// Instructions that compare or jump, except jumps by table.
fn comparison(body: &Body, number: usize) -> Result<Op, Flaw> {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    let bytes = body.instruction(number);
    let (opcode, operands) = (bytes[0], &bytes[1..]);
    let comparison = |first: u8| [Eq, Ne, Lt, Ge, Gt, Le][usize::from(opcode - first)];
    let to = match opcode {
        148..=152 => 0,
        200 | 201 => target_of(body, number, signed_word(operands))?,
        _ => target_of(body, number, i32::from(signed_half(operands)))?,
    };
    Ok(match opcode {
        148 => Op::CompareLong,
        149 => Op::CompareFloat(-1),
        150 => Op::CompareFloat(1),
        151 => Op::CompareDouble(-1),
        152 => Op::CompareDouble(1),
        153..=158 => Op::If(comparison(153), to),
        159..=164 => Op::IfInt(comparison(159), to),
        165 | 166 => Op::IfRef(opcode == 165, to),
        198 | 199 => Op::IfNull(opcode == 198, to),
        167 | 200 => Op::Goto(to),
        _ => Op::Jsr(to),
    })
}

/// The number of the instruction to which another one jumps.
fn target_of(body: &Body, number: usize, offset: i32) -> Result<u32, Flaw> {
    body.relative(number, offset).ok_or_else(|| Rule::JumpOut.into())
}

/// Jumps by tables.
fn switch(body: &Body, number: usize, switches: &mut Vec<Switch>) -> Result<Op, Flaw> {
    let bytes = body.instruction(number);
    let words = bytes[4 - body.start(number) % 4..].chunks_exact(4).map(signed_word).collect::<Vec<_>>();
    let target = |offset: i32| target_of(body, number, offset);
    let default = target(words[0])?;
    switches.push(if bytes[0] == 170 {
        let targets = words[3..].iter().map(|&offset| target(offset)).collect::<Result<_, _>>()?;
        Switch::Table { low: words[1], targets, default }
    } else {
        let pairs = words[2..].chunks_exact(2).map(|pair| Ok((pair[0], target(pair[1])?)));
        // Of two targets for one value, the last counts.
        let pairs: BTreeMap<i32, u32> = pairs.collect::<Result<_, Flaw>>()?;
        Switch::Lookup { pairs: pairs.into_iter().collect(), default }
    });
    Ok(Op::Switch(switches.len() as u32 - 1))
}

/// Instructions on fields, methods, objects and arrays.
fn reference(opcode: u8, operands: &[u8]) -> Op {
    let index = || half(operands);
    match opcode {
        178 => Op::GetStatic(index()),
        179 => Op::PutStatic(index()),
        180 => Op::GetField(index()),
        181 => Op::PutField(index()),
        182 => Op::InvokeVirtual(index()),
        183 => Op::InvokeSpecial(index()),
        184 => Op::InvokeStatic(index()),
        185 => Op::InvokeInterface(index()),
        186 => Op::InvokeDynamic(index()),
        187 => Op::New(index()),
        188 => Op::NewArray(array_kind(operands[0])),
        189 => Op::NewRefArray(index()),
        190 => Op::ArrayLength,
        191 => Op::Throw,
        192 => Op::CheckCast(index()),
        193 => Op::InstanceOf(index()),
        194 => Op::MonitorEnter,
        195 => Op::MonitorExit,
        _ => Op::NewMultiArray(index(), operands[2]),
    }
}

/// The kind of the elements of a new array, by its number (JVMS 6.5, `newarray`).
fn array_kind(number: u8) -> Kind {
    match number {
        4 => Kind::Boolean,
        5 => Kind::Char,
        6 => Kind::Float,
        7 => Kind::Double,
        8 => Kind::Byte,
        9 => Kind::Short,
        10 => Kind::Int,
        _ => Kind::Long,
    }
}

/// Instructions on local variables whose numbers do not fit into a byte.
fn wide(operands: &[u8]) -> Result<Op, Flaw> {
    let (opcode, n) = (operands[0], half(&operands[1..]));
    Ok(match opcode {
        21..=25 if is_wide(opcode - 21) => Op::Load2(n),
        21..=25 => Op::Load(n),
        54..=58 if is_wide(opcode - 54) => Op::Store2(n),
        54..=58 => Op::Store(n),
        132 => Op::Inc(n, signed_half(&operands[3..])),
        169 => Op::Ret(n),
        _ => return Err(Flaw::Reserved(opcode)),
    })
}
