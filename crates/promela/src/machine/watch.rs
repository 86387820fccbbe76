//! Event traces: sends and receives on watched channels move an automaton that is part of the state.

use super::attempt::Attempt;
use super::eval::{Eval, read, write};
use super::layout::ChannelSlot;
use super::{Trouble, rules};
use crate::ir::EventTrace;
use crate::syntax::ast::Span;

impl Attempt<'_> {
    /// Moves the trace after a message was put into a buffered channel. SPIN reads the last message, wherever
    /// the new one was put.
    pub(crate) fn watch_send(&mut self, id: i32, slot: ChannelSlot, span: Span) {
        let Some(trace) = &self.program.trace else { return };
        let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        let last = usize::from(eval.length(slot)) - 1;
        let message = self.whole_message(&eval, slot, last);
        self.advance(trace, true, id, &message, span);
    }

    /// Moves the trace before a message leaves a buffered channel. SPIN reads the first message.
    pub(crate) fn watch_receive(&mut self, id: i32, slot: ChannelSlot, span: Span) {
        let Some(trace) = &self.program.trace else { return };
        let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        let message = self.whole_message(&eval, slot, 0);
        self.advance(trace, false, id, &message, span);
    }

    /// Moves the trace when a message is offered on a rendezvous channel.
    pub(crate) fn watch_offer(&mut self, id: i32, span: Span) {
        let Some(trace) = &self.program.trace else { return };
        let message = self.message.clone();
        self.advance(trace, true, id, &message, span);
    }

    /// Moves the trace when a message on offer was taken.
    pub(crate) fn watch_taken(&mut self, id: i32, message: &[i32], span: Span) {
        let Some(trace) = &self.program.trace else { return };
        self.advance(trace, false, id, message, span);
    }

    fn whole_message(&self, eval: &Eval<'_>, slot: ChannelSlot, message: usize) -> Vec<i32> {
        let n_fields = self.program.channel_types[usize::from(slot.ty.0)].fields.len();
        (0..n_fields).map(|field| eval.field(slot, message, field)).collect()
    }

    fn advance(&mut self, trace: &EventTrace, send: bool, id: i32, message: &[i32], span: Span) {
        let at = trace.place.offset as usize;
        let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        let watched = if send { &trace.sends } else { &trace.receives };
        if !watched.iter().any(|channel| eval.eval(channel) == id) {
            return;
        }
        let state = read(&self.scratch.bytes, at, trace.place.scalar) as u16;
        let mut matching = Vec::new();
        if state != trace.end.0 {
            for (event, target) in &trace.transitions[usize::from(state)] {
                let fits = event.send == send
                    && eval.eval(&event.channel) == id
                    && event.fields.iter().enumerate().all(|(idx, wanted)| match wanted {
                        Some(e) => message.get(idx) == Some(&eval.eval(e)),
                        None => true,
                    });
                if fits {
                    matching.push(*target);
                }
            }
        }
        match matching.as_slice() {
            [] if trace.negated => {
                write(&mut self.scratch.bytes, at, trace.place.scalar, i32::from(trace.end.0));
            }
            [] => self.raise(Trouble::error(span, &rules::EVENT_NOT_ALLOWED)),
            [target, others @ ..] => {
                write(&mut self.scratch.bytes, at, trace.place.scalar, i32::from(target.0));
                if !others.is_empty() {
                    self.raise(Trouble::fatal(trace.span, &rules::TRACE_HAS_CHOICE));
                } else if trace.negated && *target == trace.end {
                    self.raise(Trouble::error(span, &rules::NOTRACE_COMPLETED));
                }
            }
        }
    }
}
