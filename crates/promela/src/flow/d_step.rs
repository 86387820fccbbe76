//! The body of a `d_step` as a graph. SPIN compiles it to straight code with jumps; it runs the same way
//! here.
//!
//! In a selection, the first option whose first statement is executable is taken; `else` always is. Any other
//! statement that blocks inside is a run-time error.

use super::{ElementId, ElementKind, Flow, IN_D_STEP, SequenceId};
use crate::ir::{Action, DNode, DStep, Pc, Statement};
use crate::syntax::ast::Span;
use std::collections::HashMap;

pub(super) struct DStepBuilder<'a> {
    flow: &'a mut Flow,
    statements: &'a mut Vec<Statement>,
    nodes: Vec<DNode>,
    node_of: HashMap<ElementId, u32>,
    pending: Vec<ElementId>,
}

impl<'a> DStepBuilder<'a> {
    pub(super) fn build(
        flow: &'a mut Flow,
        body: SequenceId,
        span: Span,
        statements: &'a mut Vec<Statement>,
    ) -> DStep {
        let first = flow.sequence(body).first.expect("a closed sequence has a first element");
        let mut builder =
            Self { flow, statements, nodes: Vec::new(), node_of: HashMap::new(), pending: Vec::new() };
        let entry = builder.node(Some(first)).unwrap_or(0);
        while let Some(id) = builder.pending.pop() {
            let node = builder.translate(id);
            let idx = builder.node_of[&id];
            builder.nodes[idx as usize] = node;
        }
        DStep { nodes: builder.nodes, entry, span }
    }

    /// The node of an element; `None` if the element is outside the `d_step`.
    fn node(&mut self, id: Option<ElementId>) -> Option<u32> {
        let id = id?;
        if self.flow.element(id).status & IN_D_STEP == 0 {
            return None;
        }
        if let Some(&idx) = self.node_of.get(&id) {
            return Some(idx);
        }
        let idx = self.nodes.len() as u32;
        self.nodes.push(DNode::Jump(None));
        self.node_of.insert(id, idx);
        self.pending.push(id);
        Some(idx)
    }

    fn translate(&mut self, id: ElementId) -> DNode {
        let element = self.flow.element(id).clone();
        let next = element.next;
        match element.kind {
            ElementKind::Basic(action) => {
                if matches!(action, Action::End) {
                    self.flow.error(element.span, "a process cannot end inside a d_step");
                }
                let state = Pc(u16::try_from(element.number).unwrap_or(u16::MAX));
                let statement = self.statements.len() as u32;
                self.statements.push(Statement {
                    state,
                    action,
                    text: element.text,
                    span: element.span,
                    reportable: false,
                    has_run: false,
                });
                DNode::Do { statement, next: self.node(next) }
            }
            ElementKind::Goto(jump) => {
                let target = self.flow.destination(&jump);
                DNode::Jump(self.node(target))
            }
            ElementKind::Dot | ElementKind::Break => DNode::Jump(self.node(next)),
            ElementKind::Select => {
                let firsts: Vec<_> =
                    element.sub.iter().map(|&option| self.flow.sequence(option).first).collect();
                let options = firsts.into_iter().filter_map(|first| self.node(first)).collect();
                DNode::Select { options, span: element.span }
            }
            ElementKind::Unless => {
                let first = self.flow.sequence(element.sub[0]).first;
                DNode::Jump(self.node(first))
            }
            ElementKind::Atomic(body) | ElementKind::Block(body) | ElementKind::DStep(body) => {
                let last = self.flow.sequence(body).last.expect("a closed sequence has a last element");
                self.flow.elements[last.0 as usize].next = next;
                let first = self.flow.sequence(body).first;
                DNode::Jump(self.node(first))
            }
        }
    }
}
