//! What receiving and sending mean for a buffered channel's bytes, and when they are possible.

use super::Trouble;
use super::eval::{Eval, read, write};
use super::layout::{ChannelSlot, Layouts};
use crate::ir::{Action, DNode, Field, Proctype, Receive, Statement};
use crate::lower::{Lowered, MAX_PROCESSES};
use crate::syntax::ast::Span;

impl Eval<'_> {
    /// Which message of a buffered channel a receive would take.
    pub(crate) fn matching_message(&self, receive: &Receive, slot: ChannelSlot, span: Span) -> Option<usize> {
        let n = usize::from(self.length(slot));
        if n == 0 {
            return None;
        }
        let n_fields = self.program.channel_types[usize::from(slot.ty.0)].fields.len();
        if receive.fields.len() > n_fields {
            self.raise(Trouble::fatal(span, "the message has fewer fields than are received"));
            return None;
        }
        let tried = if receive.random { n } else { 1 };
        (0..tried).find(|&message| self.matches(receive, |idx| self.field(slot, message, idx)))
    }

    /// Whether a message, given field by field, is what a receive wants.
    pub(crate) fn matches(&self, receive: &Receive, field: impl Fn(usize) -> i32) -> bool {
        receive.fields.iter().enumerate().all(|(idx, wanted)| match wanted {
            Field::Match(e) => field(idx) == self.eval(e),
            Field::Store(_) => true,
        })
    }

    /// Whether a statement could be executed now, with no effect: for `enabled()` and for the choice in a `d_step`.
    pub(crate) fn can_execute(&self, proctype: &Proctype, statement: &Statement) -> bool {
        match &statement.action {
            Action::Guard(crate::ir::Expr::Run(_)) => self.layout.processes.len() < MAX_PROCESSES,
            Action::Guard(e) => self.holds(e),
            Action::Send(send) => {
                let Some(slot) = self.channel(self.eval(&send.channel), statement.span) else { return false };
                self.capacity(slot) == 0 || self.length(slot) < self.capacity(slot)
            }
            Action::Receive(receive) => {
                let channel = self.channel(self.eval(&receive.channel), statement.span);
                let Some(slot) = channel else { return false };
                self.capacity(slot) > 0 && self.matching_message(receive, slot, statement.span).is_some()
            }
            Action::End => self.pid + 1 == self.layout.processes.len(),
            Action::DStep(idx) => {
                let d_step = &proctype.d_steps[*idx as usize];
                self.can_begin(proctype, &d_step.nodes, d_step.entry)
            }
            Action::Skip
            | Action::Else
            | Action::Assign(..)
            | Action::Assert(..)
            | Action::Printf(..)
            | Action::Printm(..)
            | Action::SetPriority(..) => true,
            Action::Event(_) => false,
        }
    }

    /// Whether the first statement from a node of a `d_step` on could be executed.
    fn can_begin(&self, proctype: &Proctype, nodes: &[DNode], node: u32) -> bool {
        match &nodes[node as usize] {
            DNode::Do { statement, .. } => {
                self.can_execute(proctype, &proctype.statements[*statement as usize])
            }
            DNode::Select { options, .. } => {
                options.iter().any(|&option| self.can_begin(proctype, nodes, option))
            }
            DNode::Jump(next) => next.is_none_or(|next| self.can_begin(proctype, nodes, next)),
        }
    }
}

/// Puts a message into a buffered channel that is not full; gives the place it got.
pub(crate) fn insert(
    bytes: &mut [u8],
    slot: ChannelSlot,
    message: &[i32],
    sorted: bool,
    (program, layouts): (&Lowered, &Layouts),
) -> usize {
    let ty = &program.channel_types[usize::from(slot.ty.0)];
    let size = layouts.message_size(slot.ty) as usize;
    let start = slot.offset as usize + 1;
    let n = usize::from(bytes[slot.offset as usize]);
    let field_at = |message: usize, field: usize| {
        let before: u32 = ty.fields[..field].iter().map(|(scalar, _)| scalar.size()).sum();
        start + message * size + before as usize
    };
    let value = |field: usize| message.get(field).copied().unwrap_or(0);
    let mut position = n;
    if sorted {
        // The new message goes before the first one that is greater; it is compared before it is truncated.
        position = (0..n)
            .find(|&other| {
                let ordering = (0..ty.fields.len())
                    .map(|field| value(field).cmp(&read(bytes, field_at(other, field), ty.fields[field].0)))
                    .find(|ordering| ordering.is_ne());
                ordering == Some(std::cmp::Ordering::Less)
            })
            .unwrap_or(n);
        let (from, to) = (start + position * size, start + n * size);
        bytes.copy_within(from..to, from + size);
    }
    for (field, (scalar, _)) in ty.fields.iter().enumerate() {
        write(bytes, field_at(position, field), *scalar, value(field));
    }
    bytes[slot.offset as usize] += 1;
    position
}

/// Takes a message out of a buffered channel; the place left at the end becomes zero.
pub(crate) fn remove(bytes: &mut [u8], slot: ChannelSlot, message: usize, size: usize) {
    let start = slot.offset as usize + 1;
    let n = usize::from(bytes[slot.offset as usize]);
    bytes.copy_within(start + (message + 1) * size..start + n * size, start + message * size);
    bytes[start + (n - 1) * size..start + n * size].fill(0);
    bytes[slot.offset as usize] -= 1;
}
