//! Whether anybody looks at what an operation gives.
//!
//! `counter.incrementAndGet();` drops its result. Then two such additions commute: the sum is the same in
//! either order, and nobody can tell what it was in between. So they are in no conflict with each other, only
//! with whoever reads the counter or writes it in another way. Programs count what they do in this way, and
//! look at the count at the end.

use super::machine::Machine;
use super::thread::Role;
use crate::class::code::{Arithmetic, Op};

/// A result that is not dropped within so many operations is taken for one that somebody looks at.
const MAX_OPS: usize = 16;

impl Machine<'_> {
    /// Whether the result of the method that the running frame is about to call, with that many slots, is
    /// dropped before anything else happens, alone or with what is computed from it, in this method or in
    /// those that return it.
    pub fn drops_result(&self, n_slots: u32) -> bool {
        let frames = &self.thread().frames;
        let mut callers = frames.iter().rev();
        let Some(mut frame) = callers.next() else { return false };
        let mut pc = frame.pc as usize + 1;
        // The result is this large, and so much is above it on the stack.
        let (mut size, mut above) = (n_slots, 0);
        for _ in 0..MAX_OPS {
            match frame.code.ops.get(pc) {
                Some(Op::Nop) => {}
                Some(Op::Const(..) | Op::Load(_)) => above += 1,
                Some(Op::Long(_) | Op::Load2(_)) => above += 2,
                Some(Op::Int(operation)) if size == 1 && above == 1 && never_throws(*operation) => above = 0,
                Some(Op::LongOp(operation)) if size == 2 && above == 2 && never_throws(*operation) => {
                    above = 0
                }
                Some(Op::Convert(_, to)) if above == 0 => size = u32::from(to.n_slots()),
                Some(Op::Return(n)) if above == 0 && u32::from(*n) == size => {
                    let Some(caller) =
                        callers.next().filter(|_| frame.role == Role::Plain && frame.lock == 0)
                    else {
                        return false;
                    };
                    frame = caller;
                    pc = frame.pc as usize;
                }
                Some(Op::Pop) => return above == 0 && size == 1,
                Some(Op::Pop2) => return above == 0 && size == 2,
                _ => return false,
            }
            pc += 1;
        }
        false
    }
}

fn never_throws(operation: Arithmetic) -> bool {
    !matches!(operation, Arithmetic::Div | Arithmetic::Rem)
}
