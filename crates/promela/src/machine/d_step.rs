//! Runs a `d_step`: its first statement may block, but none of the others.

use super::attempt::{Attempt, Attempted, InnerStep};
use super::{Trouble, rules};
use crate::ir::{Action, DNode, DStep, Proctype};
use std::borrow::Cow;

/// A `d_step` of more steps than this is stopped.
const MAX_STEPS: u32 = 10_000_000;
/// After this many steps, a `d_step` is checked for returning to an earlier state, and for the end of the
/// search.
const STEPS_BEFORE_WATCHING: u32 = 1024;
/// At most this many statements of one `d_step` are kept for explanations.
const MAX_EXPLAINED: usize = 10_000;

impl Attempt<'_> {
    /// Executes a `d_step` in `scratch`, which holds a copy of the state.
    pub(crate) fn try_d_step(&mut self, proctype: &Proctype, d_step: &DStep) -> Attempted {
        let mut at = Some(d_step.entry);
        let mut begun = false;
        let mut mark: Option<(u32, Vec<u8>)> = None;
        for step in 0..MAX_STEPS {
            let Some(node) = at else {
                self.forget_scratch();
                return Attempted::Done;
            };
            if step >= STEPS_BEFORE_WATCHING {
                if step.is_multiple_of(STEPS_BEFORE_WATCHING) && self.trouble.limiter.is_stopped() {
                    self.raise(Trouble::limit(d_step.span, &rules::STOPPED));
                    return Attempted::Blocked;
                }
                // Brent's algorithm to find a cycle: compare with the state at the last power of two.
                if mark.as_ref().is_some_and(|(at, bytes)| *at == node && *bytes == *self.compared()) {
                    self.note_end();
                    self.raise(Trouble::fatal(d_step.span, &rules::ENDLESS_D_STEP));
                    return Attempted::Blocked;
                }
                if step.is_power_of_two() {
                    mark = Some((node, self.compared().into_owned()));
                }
            }
            match &d_step.nodes[node as usize] {
                DNode::Jump(next) => at = *next,
                DNode::Do { statement, next } => {
                    if !self.inner_statement(proctype, *statement, begun) {
                        return self.blocked(begun, proctype.statements[*statement as usize].span);
                    }
                    begun = true;
                    at = *next;
                }
                DNode::Select { options, span } => {
                    match self.choose(proctype, d_step, options, begun) {
                        Some(next) => at = next,
                        None => return self.blocked(begun, *span),
                    }
                    begun = true;
                }
            }
        }
        self.raise(Trouble::limit(d_step.span, &rules::LONG_D_STEP).with("steps", MAX_STEPS));
        Attempted::Blocked
    }

    /// The part of `scratch` that decides whether the `d_step` was in this state before.
    fn compared(&self) -> Cow<'_, [u8]> {
        let Some(keeps) = &self.program.keeps else { return Cow::Borrowed(&self.scratch.bytes) };
        let mut bytes = self.scratch.bytes.clone();
        keeps.forget_globals(&mut bytes);
        bytes.into()
    }

    /// Resets the hidden variables that only served this `d_step`; they are not part of the state.
    fn forget_scratch(&mut self) {
        for place in &self.program.scratch {
            super::eval::write(&mut self.scratch.bytes, place.offset as usize, place.scalar, 0);
        }
    }

    fn blocked(&self, begun: bool, span: crate::syntax::ast::Span) -> Attempted {
        if begun && !self.is_fatal() {
            self.note_end();
            self.raise(Trouble::fatal(span, &rules::BLOCKED_D_STEP));
        }
        Attempted::Blocked
    }

    /// Executes one statement; false if it blocks.
    fn inner_statement(&mut self, proctype: &Proctype, statement: u32, begun: bool) -> bool {
        let text = &proctype.statements[statement as usize];
        if !begun {
            // While a rendezvous is on offer, a `d_step` can begin only by taking it.
            if self.offer.is_some() && !matches!(text.action, Action::Receive(_)) {
                return false;
            }
            if matches!(text.action, Action::Else) && self.moved {
                return false;
            }
        }
        self.note(statement);
        let done = self.perform(text, true) == Attempted::Done;
        // A statement that fails is shown, one that only blocks is not.
        if !done
            && !self.is_fatal()
            && let Some(inner) = &mut self.inner
        {
            inner.pop();
        }
        done
    }

    /// Records a statement that is about to be executed, if that is wanted.
    fn note(&mut self, statement: u32) {
        if let Some(inner) = &mut self.inner {
            // Of very many statements, the first ones are kept, and the last.
            inner.truncate(MAX_EXPLAINED - 1);
            inner.push(InnerStep { statement, before: self.scratch.clone() });
            self.trouble.set_inner(inner.len());
        }
    }

    /// Records that further errors occur after all recorded statements.
    fn note_end(&self) {
        self.trouble.set_inner(self.inner.as_ref().map_or(0, |inner| inner.len() + 1));
    }

    /// Executes the first statement of the first executable option. Returns the node to continue with.
    fn choose(
        &mut self,
        proctype: &Proctype,
        d_step: &DStep,
        options: &[u32],
        begun: bool,
    ) -> Option<Option<u32>> {
        for &option in options {
            let mut at = Some(option);
            let result = loop {
                let Some(node) = at else { break Some(None) };
                match &d_step.nodes[node as usize] {
                    DNode::Jump(next) => at = *next,
                    DNode::Do { statement, next } => {
                        let is_else = matches!(proctype.statements[*statement as usize].action, Action::Else);
                        // An `else` is last and is reached only if no option before it was executable.
                        let done = if is_else {
                            begun || self.offer.is_none()
                        } else {
                            self.inner_statement(proctype, *statement, begun)
                        };
                        break done.then_some(*next);
                    }
                    DNode::Select { options, .. } => {
                        break self.choose(proctype, d_step, options, begun);
                    }
                }
            };
            if result.is_some() || self.is_fatal() {
                return result;
            }
        }
        None
    }
}
