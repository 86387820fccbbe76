//! The operations that concern nothing but the running frame: most of what programs execute. They are run in
//! a loop of their own, with the frame's registers in variables; everything else is left to the interpreter
//! proper.

use super::arithmetic;
use super::machine::Machine;
use crate::class::code::{Arithmetic, Op};
use crate::class::descriptor::Kind;

fn int(value: u64) -> i32 {
    value as u32 as i32
}

fn word(value: i32) -> u64 {
    u64::from(value as u32)
}

/// The local variables and the operand stack of the running frame.
struct Stack<'a> {
    slots: &'a mut [u64],
    sp: usize,
}

impl Stack<'_> {
    #[inline]
    fn push(&mut self, value: u64) {
        self.slots[self.sp] = value;
        self.sp += 1;
    }

    #[inline]
    fn push_wide(&mut self, value: u64) {
        self.slots[self.sp] = value;
        self.slots[self.sp + 1] = 0;
        self.sp += 2;
    }

    /// The slot `depth` below the end of the stack, the last one being zero.
    #[inline]
    fn peek(&self, depth: usize) -> u64 {
        self.slots[self.sp - 1 - depth]
    }

    #[inline]
    fn peek_int(&self, depth: usize) -> i32 {
        int(self.peek(depth))
    }

    #[inline]
    fn store(&mut self, n: u16, n_slots: usize) {
        self.sp -= n_slots;
        self.slots[usize::from(n)] = self.slots[self.sp];
    }

    #[inline]
    fn increment(&mut self, n: u16, by: i16) {
        let local = &mut self.slots[usize::from(n)];
        *local = word(int(*local).wrapping_add(i32::from(by)));
    }

    /// Computes on two `int`s; changes nothing and is `None` if that throws.
    #[inline]
    fn int_operation(&mut self, operation: Arithmetic) -> Option<()> {
        let result = arithmetic::int(operation, self.peek_int(1), self.peek_int(0)).ok()?;
        self.slots[self.sp - 2] = word(result);
        self.sp -= 1;
        Some(())
    }

    /// Computes on two `long`s; changes nothing and is `None` if that throws.
    #[inline]
    fn long_operation(&mut self, operation: Arithmetic) -> Option<()> {
        let result = arithmetic::long(operation, self.peek(3) as i64, self.peek(1) as i64).ok()?;
        self.replace_wides(result as u64);
        Some(())
    }

    #[inline]
    fn double_operation(&mut self, operation: Arithmetic) {
        let (a, b) = (f64::from_bits(self.peek(3)), f64::from_bits(self.peek(1)));
        self.replace_wides(arithmetic::double(operation, a, b).to_bits());
    }

    /// Puts a value of two slots in the place of two such values.
    #[inline]
    fn replace_wides(&mut self, value: u64) {
        self.slots[self.sp - 4] = value;
        self.slots[self.sp - 3] = 0;
        self.sp -= 2;
    }

    #[inline]
    fn convert(&mut self, from: Kind, to: Kind) {
        self.sp -= usize::from(from.n_slots());
        self.slots[self.sp] = arithmetic::convert(from, to, self.slots[self.sp]);
        if to.is_wide() {
            self.slots[self.sp + 1] = 0;
        }
        self.sp += usize::from(to.n_slots());
    }

    #[inline]
    fn compare_longs(&mut self) {
        let (a, b) = (self.peek(3) as i64, self.peek(1) as i64);
        self.slots[self.sp - 4] = word(a.cmp(&b) as i32);
        self.sp -= 3;
    }
}

impl Machine<'_> {
    /// Executes operations until there is one that is not for this loop.
    ///
    /// The interpreter proper relies on what this loop leaves to it: see `execute_one`.
    pub(super) fn run_frame(&mut self) {
        let fuel = &mut self.step.fuel;
        let thread = &mut self.process.threads[self.step.current];
        let Some(frame) = thread.frames.last_mut() else { return };
        let code = frame.code;
        let ops = &code.ops[..];
        let base = frame.base as usize;
        let mut stack = Stack { slots: &mut thread.slots[base..], sp: frame.sp as usize - base };
        let mut pc = frame.pc as usize;
        let start = pc;
        let mut has_run = false;
        // Pops the operands of a jump, and jumps if it is taken. A backward jump that would use the last fuel
        // is left to the interpreter, which ends the step.
        macro_rules! jump_if {
            ($taken:expr, $target:expr, $n_operands:expr) => {{
                if $taken {
                    let target = $target as usize;
                    if target <= pc {
                        if *fuel <= 1 {
                            break;
                        }
                        *fuel -= 1;
                        has_run = true;
                    }
                    stack.sp -= $n_operands;
                    pc = target;
                    continue;
                }
                stack.sp -= $n_operands;
            }};
        }
        loop {
            code.note(pc);
            match ops[pc] {
                Op::Nop => {}
                Op::Const(value, _) => stack.push(word(value)),
                Op::Long(value) => stack.push_wide(i64::from(value) as u64),
                Op::Double(value) => stack.push_wide(f64::from(value).to_bits()),
                Op::Load(n) => stack.push(stack.slots[usize::from(n)]),
                Op::Load2(n) => stack.push_wide(stack.slots[usize::from(n)]),
                Op::Store(n) => stack.store(n, 1),
                Op::Store2(n) => stack.store(n, 2),
                Op::Pop => stack.sp -= 1,
                Op::Pop2 => stack.sp -= 2,
                Op::Dup => stack.push(stack.peek(0)),
                Op::Int(operation) => {
                    let Some(()) = stack.int_operation(operation) else { break };
                }
                Op::LongOp(Arithmetic::Shl | Arithmetic::Shr | Arithmetic::Ushr) => break,
                Op::LongOp(operation) => {
                    let Some(()) = stack.long_operation(operation) else { break };
                }
                Op::DoubleOp(operation) => stack.double_operation(operation),
                Op::Inc(n, by) => stack.increment(n, by),
                Op::Convert(from, to) => stack.convert(from, to),
                Op::CompareLong => stack.compare_longs(),
                Op::If(comparison, target) => jump_if!(comparison.holds(stack.peek_int(0), 0), target, 1),
                Op::IfInt(comparison, target) => {
                    jump_if!(comparison.holds(stack.peek_int(1), stack.peek_int(0)), target, 2);
                }
                Op::IfRef(equal, target) => jump_if!((stack.peek(1) == stack.peek(0)) == equal, target, 2),
                Op::IfNull(null, target) => jump_if!((stack.peek(0) == 0) == null, target, 1),
                Op::Goto(target) => jump_if!(true, target, 0),
                _ => break,
            }
            pc += 1;
        }
        frame.sp = (stack.sp + base) as u32;
        frame.pc = pc as u32;
        if pc != start || has_run {
            self.step.progress = true;
        }
    }
}
