//! The operations that concern nothing but the running frame: most of what programs execute. They are run in a loop of their
//! own, with the frame's registers in variables; everything else is left to the interpreter proper.

use super::arithmetic;
use super::machine::Machine;
use crate::class::code::{Arithmetic, Op};

fn int(value: u64) -> i32 {
    value as u32 as i32
}

fn word(value: i32) -> u64 {
    u64::from(value as u32)
}

impl Machine<'_> {
    /// Executes operations until there is one that is not for this loop.
    #[allow(clippy::too_many_lines, reason = "one case an operation: a table")]
    pub(super) fn run_frame(&mut self) {
        let fuel = &mut self.fuel;
        let thread = &mut self.threads[self.current];
        let Some(frame) = thread.frames.last_mut() else { return };
        let code = frame.code;
        let ops = &code.ops[..];
        let slots = &mut thread.slots[frame.base as usize..];
        let base = frame.base as usize;
        let mut sp = frame.sp as usize - base;
        let mut pc = frame.pc as usize;
        let start = pc;
        let mut has_run = false;
        // A backward jump that would use the last fuel is left to the interpreter, which ends the step.
        macro_rules! jump {
            ($target:expr) => {{
                let target = $target as usize;
                if target <= pc {
                    if *fuel <= 1 {
                        break;
                    }
                    *fuel -= 1;
                    has_run = true;
                }
                pc = target;
            }};
        }
        loop {
            code.note(pc);
            match ops[pc] {
                Op::Nop => pc += 1,
                Op::Const(value, _) => {
                    slots[sp] = word(value);
                    sp += 1;
                    pc += 1;
                }
                Op::Long(value) => {
                    slots[sp] = i64::from(value) as u64;
                    slots[sp + 1] = 0;
                    sp += 2;
                    pc += 1;
                }
                Op::Double(value) => {
                    slots[sp] = f64::from(value).to_bits();
                    slots[sp + 1] = 0;
                    sp += 2;
                    pc += 1;
                }
                Op::Load(n) => {
                    slots[sp] = slots[usize::from(n)];
                    sp += 1;
                    pc += 1;
                }
                Op::Load2(n) => {
                    slots[sp] = slots[usize::from(n)];
                    slots[sp + 1] = 0;
                    sp += 2;
                    pc += 1;
                }
                Op::Store(n) => {
                    sp -= 1;
                    slots[usize::from(n)] = slots[sp];
                    pc += 1;
                }
                Op::Store2(n) => {
                    sp -= 2;
                    slots[usize::from(n)] = slots[sp];
                    pc += 1;
                }
                Op::Pop => {
                    sp -= 1;
                    pc += 1;
                }
                Op::Pop2 => {
                    sp -= 2;
                    pc += 1;
                }
                Op::Dup => {
                    slots[sp] = slots[sp - 1];
                    sp += 1;
                    pc += 1;
                }
                Op::Int(operation) => {
                    let (a, b) = (int(slots[sp - 2]), int(slots[sp - 1]));
                    let Ok(result) = arithmetic::int(operation, a, b) else { break };
                    slots[sp - 2] = word(result);
                    sp -= 1;
                    pc += 1;
                }
                Op::LongOp(Arithmetic::Shl | Arithmetic::Shr | Arithmetic::Ushr) => break,
                Op::LongOp(operation) => {
                    let (a, b) = (slots[sp - 4] as i64, slots[sp - 2] as i64);
                    let Ok(result) = arithmetic::long(operation, a, b) else { break };
                    slots[sp - 4] = result as u64;
                    slots[sp - 3] = 0;
                    sp -= 2;
                    pc += 1;
                }
                Op::DoubleOp(operation) => {
                    let (a, b) = (f64::from_bits(slots[sp - 4]), f64::from_bits(slots[sp - 2]));
                    slots[sp - 4] = arithmetic::double(operation, a, b).to_bits();
                    slots[sp - 3] = 0;
                    sp -= 2;
                    pc += 1;
                }
                Op::Inc(n, by) => {
                    let local = &mut slots[usize::from(n)];
                    *local = word(int(*local).wrapping_add(i32::from(by)));
                    pc += 1;
                }
                Op::Convert(from, to) => {
                    sp -= usize::from(from.n_slots());
                    slots[sp] = arithmetic::convert(from, to, slots[sp]);
                    if to.is_wide() {
                        slots[sp + 1] = 0;
                    }
                    sp += usize::from(to.n_slots());
                    pc += 1;
                }
                Op::CompareLong => {
                    let (a, b) = (slots[sp - 4] as i64, slots[sp - 2] as i64);
                    slots[sp - 4] = word(a.cmp(&b) as i32);
                    sp -= 3;
                    pc += 1;
                }
                Op::If(comparison, target) => {
                    if comparison.holds(int(slots[sp - 1]), 0) {
                        jump!(target);
                    } else {
                        pc += 1;
                    }
                    sp -= 1;
                }
                Op::IfInt(comparison, target) => {
                    if comparison.holds(int(slots[sp - 2]), int(slots[sp - 1])) {
                        jump!(target);
                    } else {
                        pc += 1;
                    }
                    sp -= 2;
                }
                Op::IfRef(equal, target) => {
                    if (slots[sp - 2] == slots[sp - 1]) == equal {
                        jump!(target);
                    } else {
                        pc += 1;
                    }
                    sp -= 2;
                }
                Op::IfNull(null, target) => {
                    if (slots[sp - 1] == 0) == null {
                        jump!(target);
                    } else {
                        pc += 1;
                    }
                    sp -= 1;
                }
                Op::Goto(target) => jump!(target),
                _ => break,
            }
        }
        frame.sp = (sp + base) as u32;
        frame.pc = pc as u32;
        if pc != start || has_run {
            self.progress = true;
        }
    }
}
