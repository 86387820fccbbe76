//! Lowers event traces: automata over sends and receives on channels.

use super::Lowerer;
use crate::flow::build_table;
use crate::ir::{Action, EventTrace, Expr, Scalar};
use crate::syntax::ast;

impl Lowerer {
    pub(super) fn lower_trace(&mut self, trace: &ast::EventTrace) {
        self.begin_process(trace.span, false);
        if let Some(process) = &mut self.process {
            process.in_trace = true;
        }
        self.lower_body(&trace.body, crate::ir::Action::End);
        self.scopes.leave_process();
        let process = self.process.take().expect("a trace is being lowered");
        if self.trace.is_some() {
            self.error(trace.span, "there is more than one event trace");
        }
        self.trace = Some((process.flow, trace.negated, trace.span));
    }

    pub(super) fn finish_trace(&mut self) -> Option<EventTrace> {
        let (mut flow, negated, span) = self.trace.take()?;
        let table = build_table(&mut flow);
        for error in std::mem::take(&mut flow.errors) {
            self.error(error.span, error.message);
        }
        let last = flow.sequence(flow.body).last?;
        let end = crate::ir::Pc(flow.element(last).number as u16);
        let (mut sends, mut receives): (Vec<Expr>, Vec<Expr>) = (Vec::new(), Vec::new());
        let mut transitions = Vec::new();
        for list in &table.transitions {
            let mut events = Vec::new();
            for transition in list {
                let Action::Event(event) = &table.statements[transition.statement as usize].action else {
                    continue;
                };
                if let Some(target) = transition.target {
                    events.push((event.clone(), target));
                }
                let channels = if event.send { &mut sends } else { &mut receives };
                if !channels.contains(&event.channel) {
                    channels.push(event.channel.clone());
                }
            }
            transitions.push(events);
        }
        let place = self.hidden_global(Scalar::Unsigned(16));
        Some(EventTrace {
            negated,
            place,
            start: table.start,
            end,
            transitions,
            may_end: table.may_end,
            sends,
            receives,
            span,
        })
    }
}
