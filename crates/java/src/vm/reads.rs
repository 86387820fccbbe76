//! The values that a step reads, recorded while the step is explained.
//!
//! A search records nothing: recording has its own interpreter loop, and native methods check once whether it
//! is on. Values are taken from where the operation put them, so they are the ones that the program uses.

use super::heap::Ref;
use super::machine::{Exec, Machine};
use crate::class::code::Op;
use crate::class::descriptor::Kind;

/// A field or an element that a step has read, and what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The object or array; of a static field the mirror of its class.
    pub object: Ref,
    /// The slot or element.
    pub part: u32,
    /// What kind of value it is.
    pub kind: Kind,
    /// The value.
    pub value: u64,
}

impl Machine<'_> {
    /// Executes operations as `execute` does, and records what they read.
    pub(super) fn execute_recorded(&mut self) -> Exec<()> {
        loop {
            self.run_frame();
            let frame = self.thread().top();
            let op = frame.code.ops[frame.pc as usize];
            let (object, index) = match op {
                Op::GetField(_) | Op::GetSlot(..) => (self.thread().peek(0), 0),
                Op::ArrayLoad(_) => (self.thread().peek(1), self.thread().peek(0)),
                _ => (0, 0),
            };
            self.execute_one(op)?;
            self.record_read(op, object as Ref, index as u32)?;
            self.step.progress = true;
        }
    }

    /// Records what an operation has read that was just executed, and put its value on the stack.
    fn record_read(&mut self, op: Op, object: Ref, index: u32) -> Exec<()> {
        let (object, part, kind) = match op {
            Op::GetStatic(idx) => {
                let field = self.field_constant(idx, true)?;
                (self.vm.mirror(field.class), self.vm.static_slot(field.slot), field.kind)
            }
            Op::GetField(idx) => {
                let field = self.field_constant(idx, false)?;
                (object, field.slot, field.kind)
            }
            Op::GetSlot(slot, kind) => (object, slot, kind),
            Op::ArrayLoad(kind) => {
                // `baload` reads arrays of `boolean` too.
                let class = self.process.heap.get(object).class;
                (object, index, self.vm.classes.element_kind(class).unwrap_or(kind))
            }
            _ => return Ok(()),
        };
        let value = self.thread().peek(u32::from(kind.n_slots()) - 1);
        self.note_read(object, part, kind, value);
        Ok(())
    }

    /// To be called by a native method that has read a field or an element.
    pub fn note_read(&mut self, object: Ref, part: u32, kind: Kind, value: u64) {
        if let Some(reads) = &mut self.step.reads {
            reads.push(Read { object, part, kind, value });
        }
    }
}
