//! Sends and receives on the bytes of a buffered channel, and when they are possible.

use super::eval::{Eval, field_offset, read, write};
use super::layout::ChannelSlot;
use super::{Trouble, Troubles, rules};
use crate::ir::{Action, ChannelType, DNode, Field, Proctype, Receive, Statement};
use crate::lower::MAX_PROCESSES;
use crate::syntax::ast::Span;
use std::cmp::Ordering;

impl Eval<'_> {
    /// Which message of a buffered channel a receive would take.
    pub(crate) fn matching_message(&self, receive: &Receive, slot: ChannelSlot, span: Span) -> Option<usize> {
        let n = usize::from(self.length(slot));
        if n == 0 {
            return None;
        }
        let n_fields = self.channel_type(slot).fields.len();
        if receive.fields.len() > n_fields {
            self.raise(Trouble::fatal(span, &rules::MESSAGE_TOO_SHORT));
            return None;
        }
        let tried = if receive.random { n } else { 1 };
        (0..tried).find(|&message| self.matches(receive, slot, span, |idx| self.field(slot, message, idx)))
    }

    /// Whether a message, given field by field, matches a receive.
    pub(crate) fn matches(
        &self,
        receive: &Receive,
        slot: ChannelSlot,
        span: Span,
        field: impl Fn(usize) -> i32,
    ) -> bool {
        receive.fields.iter().enumerate().all(|(idx, wanted)| match wanted {
            Field::Match(e) => field(idx) == self.eval_field(e, slot, idx, span),
            Field::Store(_) => true,
        })
    }

    /// Whether a statement is executable now, without executing it: for `enabled()` and for the choice in a
    /// `d_step`.
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
            | Action::SetPriority(..)
            | Action::New(_)
            | Action::Delete(_)
            | Action::Call(_)
            | Action::Return(_) => true,
            Action::Event(_) => false,
        }
    }

    /// Whether another process may be about to receive from a rendezvous channel. If none may, no part of a
    /// send on it is evaluated, which matters where evaluating can fail.
    pub(crate) fn has_receiver(&self, id: i32) -> bool {
        let unheard = Troubles::default();
        self.layout.processes.iter().enumerate().any(|(pid, slot)| {
            let record = slot.offset as usize;
            let mut other = Eval { pid, base: record, record, trouble: &unheard, ..*self };
            let (body, pc) = other.position();
            let receives = |statement: u32| match &body.statements[statement as usize].action {
                Action::Receive(receive) => other.eval(&receive.channel) == id,
                Action::DStep(_) => true,
                _ => false,
            };
            pid != self.pid && body.transitions[pc].iter().any(|t| receives(t.statement))
        })
    }

    /// Whether the first statement from a node of a `d_step` on is executable.
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

/// Inserts a message into a buffered channel that is not full.
pub(crate) fn insert(bytes: &mut [u8], slot: ChannelSlot, ty: &ChannelType, message: &[i32], sorted: bool) {
    let n = length(bytes, slot, ty);
    let value = |field: usize| message.get(field).copied().unwrap_or(0);
    let mut position = n;
    if sorted {
        // The new message goes before the first greater one; it is compared before it is truncated.
        position = (0..n)
            .find(|&other| {
                let ordering = (0..ty.fields.len())
                    .map(|field| {
                        let at = field_offset(ty, slot, other, field);
                        value(field).cmp(&read(bytes, at, ty.fields[field].0))
                    })
                    .find(|ordering| ordering.is_ne());
                ordering == Some(Ordering::Less)
            })
            .unwrap_or(n);
        let (from, to) = (start_of(ty, slot, position), start_of(ty, slot, n));
        bytes.copy_within(from..to, from + ty.message_size as usize);
    }
    for (field, (scalar, _)) in ty.fields.iter().enumerate() {
        write(bytes, field_offset(ty, slot, position, field), *scalar, value(field));
    }
    set_length(bytes, slot, ty, n + 1);
}

/// Removes a message from a buffered channel; the bytes freed at the end become zero.
pub(crate) fn remove(bytes: &mut [u8], slot: ChannelSlot, ty: &ChannelType, message: usize) {
    let n = length(bytes, slot, ty);
    let at = |message: usize| start_of(ty, slot, message);
    bytes.copy_within(at(message + 1)..at(n), at(message));
    bytes[at(n - 1)..at(n)].fill(0);
    set_length(bytes, slot, ty, n - 1);
}

fn length(bytes: &[u8], slot: ChannelSlot, ty: &ChannelType) -> usize {
    read(bytes, slot.offset as usize, ty.length_scalar()) as usize
}

fn set_length(bytes: &mut [u8], slot: ChannelSlot, ty: &ChannelType, n: usize) {
    write(bytes, slot.offset as usize, ty.length_scalar(), n as i32);
}

/// The offset of a message.
fn start_of(ty: &ChannelType, slot: ChannelSlot, message: usize) -> usize {
    (slot.offset + ty.length_scalar().size()) as usize + message * ty.message_size as usize
}
