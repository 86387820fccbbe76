//! From elements to transitions: the statements to try in each control state, in SPIN's order.
//!
//! SPIN does this in two places, when it writes the verifier and when the verifier starts; this module
//! follows both. A compound statement's state offers the first statements of its options, flattened through
//! nesting. The transitions of an escape come before those that it interrupts. Labels are copied to every
//! state that they are flattened into.

use super::d_step::DStepBuilder;
use super::{
    ATOMIC, Element, ElementId, ElementKind, Flow, IN_D_STEP, Jump, LAST_OF_ATOMIC, Sequence, SequenceId,
};
use crate::ir::{Action, Added, DStep, Pc, ScopeMove, Statement, Transition};
use crate::syntax::ast::Span;

/// The number of consecutive jumps that count as an endless loop, as in SPIN.
const MAX_JUMPS: u32 = 500;

/// The transitions of one process type.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) start: Pc,
    pub(crate) transitions: Vec<Vec<Transition>>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) d_steps: Vec<DStep>,
    pub(crate) may_end: Vec<bool>,
    pub(crate) progress: Vec<bool>,
    /// Whether a control state has an accept label.
    pub(crate) accept: Vec<bool>,
    /// Whether a control state has a label that may be observed: any label except those that begin with
    /// `end`.
    pub(crate) labelled: Vec<bool>,
    /// The jumps that end an atomic sequence, by statement, in ascending order.
    pub(crate) jumps_out: Vec<u32>,
    pub(crate) at: Vec<Option<u32>>,
}

/// What a control state offers, before flattening.
#[derive(Clone, Debug)]
enum Raw {
    /// One transition, and the states in which its escapes start (outermost first).
    Simple(Transition, Vec<u32>),
    /// The states in which its options start.
    Compound(Vec<u32>),
}

struct Builder<'f> {
    flow: &'f mut Flow,
    raw: Vec<Option<Raw>>,
    statements: Vec<Statement>,
    /// The statement of each control state.
    statement_of: Vec<Option<u32>>,
    d_steps: Vec<DStep>,
    jumps_out: Vec<u32>,
    done: Vec<bool>,
}

/// Builds the table of a finished flow. Errors are added to the flow.
pub(crate) fn build_table(flow: &mut Flow) -> Table {
    let n = flow.n_numbers as usize;
    let n_elements = flow.elements.len();
    let mut builder = Builder {
        flow,
        raw: vec![None; n],
        statements: Vec::new(),
        statement_of: vec![None; n],
        d_steps: Vec::new(),
        jumps_out: Vec::new(),
        done: vec![false; n_elements],
    };
    let body = builder.flow.body;
    builder.put_sequence(body);
    let first = builder.flow.sequence(body).first.expect("a body has at least its end");
    let start = builder.hunt(first, builder.flow.element(first).status);
    let start = builder.pc(start);
    builder.flatten(start, body)
}

impl Builder<'_> {
    fn element(&self, id: ElementId) -> &Element {
        self.flow.element(id)
    }

    fn number(&self, id: ElementId) -> u32 {
        self.element(id).number
    }

    fn pc(&self, id: ElementId) -> Pc {
        Pc(u16::try_from(self.number(id)).unwrap_or(u16::MAX))
    }

    fn jump_target(&mut self, jump: &Jump, span: Span) -> Option<ElementId> {
        let target = self.flow.destination(jump);
        if target.is_none()
            && let Jump::Label { name, .. } = jump
        {
            let message = format!("there is no label '{name}' in this process");
            self.flow.error(span, message);
        }
        target
    }

    /// The element where control really is when it arrives at `from`. Jumps and meeting points are passed
    /// over, unless that would leave an atomic sequence that the current step (with `status`) belongs to.
    fn hunt(&mut self, from: ElementId, status: u8) -> ElementId {
        let mut at = from;
        for _ in 0..MAX_JUMPS {
            let element = self.element(at);
            let (span, in_d_step) = (element.span, element.status & IN_D_STEP);
            let next = match element.kind.clone() {
                ElementKind::Goto(jump) => {
                    let Some(target) = self.jump_target(&jump, span) else { return at };
                    if target == at {
                        self.flow.error(span, "this jump leads to itself");
                        return at;
                    }
                    if self.element(target).status & IN_D_STEP != in_d_step {
                        self.flow.error(span, "a jump cannot lead into a d_step");
                        return at;
                    }
                    target
                }
                ElementKind::Dot | ElementKind::Break => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                ElementKind::Unless => {
                    let main = element.sub[0];
                    let Some(first) = self.flow.sequence(main).first else { return at };
                    self.hunt(first, status)
                }
                _ => return at,
            };
            if status & ATOMIC != 0 && self.element(next).status & ATOMIC == 0 {
                return at;
            }
            at = next;
        }
        let span = self.element(from).span;
        self.flow.error(span, "too many jumps in a row, or an endless loop of jumps");
        from
    }

    /// The first element of an option.
    fn hunt_start(&self, from: ElementId) -> ElementId {
        let mut at = from;
        for _ in 0..MAX_JUMPS {
            let element = self.element(at);
            at = match element.kind {
                ElementKind::Dot => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                ElementKind::Unless => match self.flow.sequence(element.sub[0]).first {
                    Some(first) => first,
                    None => return at,
                },
                _ => return at,
            };
        }
        at
    }

    /// The elements from first to last of a sequence, as they are linked now.
    fn members(&self, sequence: SequenceId) -> Vec<ElementId> {
        let Sequence { first, last, .. } = *self.flow.sequence(sequence);
        let mut ids = Vec::new();
        let mut at = first;
        while let Some(id) = at {
            ids.push(id);
            if Some(id) == last {
                break;
            }
            at = self.element(id).next;
        }
        ids
    }

    fn put_sequence(&mut self, sequence: SequenceId) {
        // The list is not fixed in advance, because a block inside it links its own end again when it is put.
        let Sequence { first, last, .. } = *self.flow.sequence(sequence);
        let mut at = first;
        while let Some(id) = at {
            if !self.done[id.0 as usize] {
                self.done[id.0 as usize] = true;
                self.put_element(id);
            }
            if Some(id) == last {
                break;
            }
            at = self.element(id).next;
        }
    }

    fn put_element(&mut self, id: ElementId) {
        match self.element(id).kind.clone() {
            ElementKind::Unless => {
                let main = self.element(id).sub[0];
                self.put_sequence(main);
            }
            ElementKind::Select => {
                let options = self.element(id).sub.clone();
                let mut starts = Vec::new();
                for &option in &options {
                    let Some(first) = self.flow.sequence(option).first else { continue };
                    let start = self.hunt_start(first);
                    let element = self.element(start);
                    let dead =
                        matches!(element.kind, ElementKind::Basic(Action::Guard(crate::ir::Expr::Const(0))))
                            && element.escapes.is_empty();
                    if !dead {
                        starts.push(element.number);
                    }
                }
                let number = self.number(id);
                self.set_raw(number, Raw::Compound(starts));
                for option in options {
                    self.put_sequence(option);
                }
            }
            ElementKind::Atomic(body) | ElementKind::Block(body) => self.put_block(id, body),
            ElementKind::DStep(body) => self.put_d_step(id, body),
            ElementKind::Basic(_) | ElementKind::Goto(_) | ElementKind::Dot | ElementKind::Break => {
                self.put_basic(id);
            }
        }
    }

    fn put_block(&mut self, id: ElementId, body: SequenceId) {
        self.patch_atomic(body);
        let first = self.flow.sequence(body).first.expect("a closed sequence has a first element");
        let start = self.hunt_start(first);
        self.tie_end(id, body);
        let (number, start) = (self.number(id), self.number(start));
        self.set_raw(number, Raw::Compound(vec![start]));
        self.put_sequence(body);
    }

    fn tie_end(&mut self, id: ElementId, body: SequenceId) {
        let next = self.element(id).next;
        let last = self.flow.sequence(body).last.expect("a closed sequence has a last element");
        self.flow.elements[last.0 as usize].next = next;
    }

    /// Ends an atomic sequence at a jump out of it. A jump from the end of one sequence into another
    /// continues atomically.
    fn patch_atomic(&mut self, sequence: SequenceId) {
        let extent = self.flow.sequence(sequence).extent;
        for id in self.members(sequence) {
            if let ElementKind::Goto(jump) = self.element(id).kind.clone() {
                let span = self.element(id).span;
                if let Some(target) = self.jump_target(&jump, span) {
                    let inside = self.element(target).status & (ATOMIC | LAST_OF_ATOMIC) != 0;
                    let element = &mut self.flow.elements[id.0 as usize];
                    if element.status & (ATOMIC | LAST_OF_ATOMIC) != 0 && !inside {
                        element.status &= !ATOMIC;
                        element.status |= LAST_OF_ATOMIC;
                    }
                    if element.status & LAST_OF_ATOMIC != 0 && inside {
                        element.status &= !LAST_OF_ATOMIC;
                        element.status |= ATOMIC;
                    }
                }
            } else {
                for sub in self.element(id).sub.clone() {
                    self.patch_atomic(sub);
                }
            }
            if Some(id) == extent {
                break;
            }
        }
    }

    fn put_d_step(&mut self, id: ElementId, body: SequenceId) {
        self.patch_atomic(body);
        self.tie_end(id, body);
        let d_step = DStepBuilder::build(self.flow, body, self.element(id).span, &mut self.statements);
        let idx = self.d_steps.len() as u32;
        self.d_steps.push(d_step);
        let (next, status) = (self.element(id).next, self.element(id).status);
        let target = next.map(|next| self.hunt(next, status));
        self.put_transition(id, Action::DStep(idx), target, status & ATOMIC != 0, true);
    }

    fn put_basic(&mut self, id: ElementId) {
        let Element { kind, next, status, span, .. } = self.element(id).clone();
        let (action, to, reportable) = match kind {
            ElementKind::Goto(jump) => (Action::Skip, self.jump_target(&jump, span), false),
            ElementKind::Dot | ElementKind::Break => (Action::Skip, next, false),
            ElementKind::Basic(action) => {
                let reportable = !matches!(action, Action::Skip | Action::Else);
                (action, next, reportable)
            }
            _ => unreachable_compound(),
        };
        let target = to.map(|to| self.hunt(to, status));
        self.put_transition(id, action, target, status & ATOMIC != 0, reportable);
    }

    fn put_transition(
        &mut self,
        id: ElementId,
        mut action: Action,
        target: Option<ElementId>,
        atomic: bool,
        reportable: bool,
    ) {
        let Element { kind, escapes, status, number, span, text, scope, .. } = self.element(id).clone();
        if let Action::Call(call) = &mut action {
            call.in_atomic = status & (ATOMIC | LAST_OF_ATOMIC) != 0;
        }
        let after = target.map_or_else(|| [].into(), |target| self.element(target).scope.clone());
        let moves = ScopeMove { inside: scope.to_vec(), after: after.to_vec() };
        let is_plain = moves.inside.is_empty() && moves.after.is_empty();
        let scopes = Added((!is_plain).then(|| Box::new(moves)));
        let target = target.map(|target| self.pc(target));
        let statement = self.statements.len() as u32;
        let is_jump = matches!(kind, ElementKind::Goto(_) | ElementKind::Dot | ElementKind::Break);
        if is_jump && status & LAST_OF_ATOMIC != 0 {
            self.jumps_out.push(statement);
        }
        self.statements.push(Statement {
            state: self.pc(id),
            action,
            text,
            span,
            reportable,
            has_run: false,
        });
        let mut starts = Vec::new();
        if !matches!(kind, ElementKind::Dot) {
            for &escape in &escapes {
                let first = self.flow.sequence(escape).first.expect("a closed sequence has a first element");
                let start = self.hunt(first, status);
                starts.push(self.number(start));
            }
        }
        if let Some(slot) = self.statement_of.get_mut(number as usize) {
            *slot = Some(statement);
        }
        self.set_raw(
            number,
            Raw::Simple(
                Transition { statement, target, atomic, escape: 0, clears: Vec::new(), scopes },
                starts,
            ),
        );
        if !matches!(kind, ElementKind::Dot) {
            for escape in escapes {
                self.put_sequence(escape);
            }
        }
    }

    fn set_raw(&mut self, number: u32, raw: Raw) {
        self.raw[number as usize] = Some(raw);
    }

    /// Does what the verifier does at its start: replaces options that are compound by their own options,
    /// then each option by the transition of its state, then puts escapes in front.
    fn flatten(mut self, start: Pc, body: SequenceId) -> Table {
        let n = self.raw.len();
        let mut may_end = vec![false; n];
        let mut progress = vec![false; n];
        let mut accept = vec![false; n];
        let mut labelled = vec![false; n];
        for label in &self.flow.labels {
            let number = self.flow.element(label.element).number as usize;
            may_end[number] |= label.name.starts_with("end");
            progress[number] |= label.name.starts_with("progress");
            accept[number] |= label.name.starts_with("accept");
            labelled[number] |= !label.name.starts_with("end");
        }
        if let Some(last) = self.flow.sequence(body).last {
            may_end[self.flow.element(last).number as usize] = true;
        }
        let mut marks = [&mut may_end, &mut progress, &mut accept, &mut labelled];
        let mut spread = |from: u32, to: u32| {
            for mark in &mut marks {
                let set = mark[from as usize];
                mark[to as usize] |= set;
            }
        };
        self.flatten_options(&mut spread);
        let mut transitions: Vec<Vec<(Transition, Vec<u32>)>> = vec![Vec::new(); n];
        for (number, raw) in self.raw.iter().enumerate() {
            match raw {
                None => {}
                Some(Raw::Simple(transition, escapes)) => {
                    transitions[number].push((transition.clone(), escapes.clone()));
                }
                Some(Raw::Compound(starts)) => {
                    for &start in starts {
                        if let Some(Raw::Simple(transition, escapes)) = &self.raw[start as usize] {
                            let target = transition.target.map_or(0, |pc| u32::from(pc.0));
                            spread(start, target);
                            transitions[number].push((transition.clone(), escapes.clone()));
                        }
                    }
                }
            }
        }
        put_escapes(&mut transitions);
        let mut at = self.statement_of.clone();
        for (number, raw) in self.raw.iter().enumerate() {
            if let Some(Raw::Compound(starts)) = raw {
                at[number] = starts.first().and_then(|&start| self.statement_of[start as usize]);
            }
        }
        for (number, list) in transitions.iter().enumerate() {
            if let [(only, _)] = list.as_slice()
                && &*self.statements[only.statement as usize].text == ".(goto)"
                && may_end[number]
                && let Some(target) = only.target
            {
                may_end[target.0 as usize] = true;
            }
        }
        let transitions =
            transitions.into_iter().map(|list| list.into_iter().map(|(t, _)| t).collect()).collect();
        Table {
            start,
            transitions,
            statements: self.statements,
            d_steps: self.d_steps,
            jumps_out: self.jumps_out,
            may_end,
            progress,
            accept,
            labelled,
            at,
        }
    }

    fn flatten_options(&mut self, spread: &mut impl FnMut(u32, u32)) {
        loop {
            let mut changed = false;
            for number in 0..self.raw.len() {
                let Some(Raw::Compound(starts)) = &self.raw[number] else { continue };
                let nested =
                    starts.iter().any(|&start| matches!(self.raw[start as usize], Some(Raw::Compound(_))));
                if !nested || starts.contains(&(number as u32)) {
                    continue;
                }
                let mut flat = Vec::new();
                for &start in starts {
                    match &self.raw[start as usize] {
                        Some(Raw::Compound(inner)) => {
                            for &deep in inner {
                                spread(start, deep);
                                flat.push(deep);
                            }
                            changed = true;
                        }
                        _ => flat.push(start),
                    }
                }
                self.raw[number] = Some(Raw::Compound(flat));
            }
            if !changed {
                break;
            }
        }
    }
}

/// Puts the transitions of escapes before those that they interrupt, the outermost escape first. States are
/// processed in ascending order, each on the lists as they are at that time, so that an escape's own escapes
/// are included as they are in SPIN.
fn put_escapes(transitions: &mut [Vec<(Transition, Vec<u32>)>]) {
    let most = transitions.iter().flatten().map(|(_, escapes)| escapes.len()).max().unwrap_or(0);
    for number in 0..transitions.len() {
        let own: Vec<Vec<u32>> = transitions[number].iter().map(|(_, escapes)| escapes.clone()).collect();
        for escapes in own {
            for k in (0..most).rev() {
                let Some(&start) = escapes.get(k) else { continue };
                for (transition, inner) in transitions[start as usize].clone() {
                    if transitions[number].iter().any(|(t, _)| t.statement == transition.statement) {
                        continue;
                    }
                    let escape = u16::try_from(start).unwrap_or(u16::MAX);
                    transitions[number].insert(0, (Transition { escape, ..transition }, inner));
                }
            }
        }
    }
}

fn unreachable_compound() -> ! {
    unreachable!("compound elements are put by their own functions")
}
