//! Builds control flow: elements are appended in SPIN's order, so that they get SPIN's numbers.

use super::{
    ATOMIC, BreakId, Element, ElementId, ElementKind, Flow, FlowError, IN_D_STEP, Jump, LAST_OF_ATOMIC,
    Label, Node, NodeKind, NodeLabel, Sequence, SequenceId,
};
use crate::ir::Action;
use crate::syntax::ast::Span;
use std::sync::Arc;

impl Flow {
    /// Begins a body.
    pub(crate) fn new(span: Span, is_claim: bool) -> Self {
        let mut flow = Self {
            elements: Vec::new(),
            sequences: Vec::new(),
            labels: Vec::new(),
            n_numbers: 1,
            body: SequenceId(0),
            errors: Vec::new(),
            open: Vec::new(),
            break_elements: Vec::new(),
            break_stack: Vec::new(),
            at_start: true,
            is_claim,
            span,
            scope: Arc::from([]),
        };
        flow.body = flow.open_sequence();
        flow.at_start = true;
        flow
    }

    /// The location of the last statement that was appended.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    pub(crate) fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub(crate) fn sequence(&self, id: SequenceId) -> &Sequence {
        &self.sequences[id.0 as usize]
    }

    fn sequence_mut(&mut self, id: SequenceId) -> &mut Sequence {
        &mut self.sequences[id.0 as usize]
    }

    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(FlowError { span, message: message.into() });
    }

    /// Begins a sequence; declarations in it become steps.
    pub(crate) fn open_sequence(&mut self) -> SequenceId {
        let id = SequenceId(self.sequences.len() as u32);
        self.sequences.push(Sequence::default());
        self.open.push(id);
        self.at_start = false;
        id
    }

    /// Ends the innermost sequence. `what` names the construct for the message about a label on its first
    /// statement, which SPIN rejects.
    pub(crate) fn close_sequence(&mut self, what: Option<&str>) -> SequenceId {
        let id = self.open.pop().expect("sequences are closed as often as opened");
        if let (Some(what), Some(first)) = (what, self.sequence(id).first)
            && let Some(label) = self.labels.iter().rev().find(|label| label.element == first)
        {
            let (span, name) = (label.span, label.name.clone());
            self.error(span, format!("label '{name}' cannot stand before the first statement of {what}"));
        }
        if self.sequence(id).last.is_none() {
            let span = self.span;
            self.error(span, "a sequence must have at least one statement");
            let node = Node::basic(Action::Skip, span, "skip");
            self.open.push(id);
            self.append(node);
            self.open.pop();
        }
        let last = self.sequence(id).last;
        self.sequence_mut(id).extent = last;
        id
    }

    /// Begins a loop, which `break` then leaves.
    pub(crate) fn push_break(&mut self) -> BreakId {
        let id = BreakId(self.break_elements.len() as u32);
        self.break_elements.push(None);
        self.break_stack.push(id);
        id
    }

    /// Hides the innermost loop from `break`.
    pub(crate) fn pop_break(&mut self) {
        self.break_stack.pop();
    }

    /// The loop that `break` leaves here.
    pub(crate) fn break_destination(&self) -> Option<BreakId> {
        self.break_stack.last().copied()
    }

    fn new_element(&mut self, kind: ElementKind, span: Span, text: Arc<str>) -> ElementId {
        let id = ElementId(self.elements.len() as u32);
        let number = self.n_numbers;
        self.n_numbers += 1;
        self.elements.push(Element {
            kind,
            next: None,
            sub: Vec::new(),
            escapes: Vec::new(),
            status: 0,
            number,
            span,
            text,
            scope: self.scope.clone(),
        });
        id
    }

    /// Appends a statement to the innermost sequence.
    pub(crate) fn append(&mut self, node: Node) {
        let Node { labels, kind, span, text } = node;
        self.span = span;
        let (element, already_linked) = match kind {
            NodeKind::If(options) => (self.append_selection(options, None, span), true),
            NodeKind::Do(options, exit) => (self.append_selection(options, Some(exit), span), true),
            NodeKind::Unless(main, escape) => (self.append_unless(main, escape, span), true),
            NodeKind::Basic(action) => (self.new_element(ElementKind::Basic(action), span, text), false),
            NodeKind::Goto(jump) => (self.new_element(ElementKind::Goto(jump), span, text), false),
            NodeKind::Atomic(body) => (self.new_element(ElementKind::Atomic(body), span, text), false),
            NodeKind::DStep(body) => (self.new_element(ElementKind::DStep(body), span, text), false),
            NodeKind::Block(body) => (self.new_element(ElementKind::Block(body), span, text), false),
        };
        for label in labels.into_iter().rev() {
            self.set_label(label, element);
        }
        if !already_linked {
            self.link(element);
        }
    }

    fn set_label(&mut self, label: NodeLabel, element: ElementId) {
        let NodeLabel { name, scope, span } = label;
        if self.labels.iter().any(|other| other.name == name && other.scope == scope) {
            self.error(span, format!("label '{name}' is declared twice"));
        }
        self.labels.push(Label { name, scope, element, span });
    }

    fn current(&self) -> SequenceId {
        *self.open.last().expect("a sequence is open while statements are appended")
    }

    /// Appends an element to the innermost sequence. A jump with a special label gets a `skip` before it,
    /// which takes the label: otherwise the label would not name a state.
    fn link(&mut self, element: ElementId) {
        if matches!(self.element(element).kind, ElementKind::Goto(_))
            && self.labels.iter().any(|label| label.element == element && is_special(&label.name))
        {
            let span = self.element(element).span;
            let skip = self.new_element(ElementKind::Basic(Action::Skip), span, "skip".into());
            if let Some(label) = self.labels.iter_mut().rev().find(|label| label.element == element) {
                label.element = skip;
            }
            self.link_to(skip, self.current());
        }
        self.link_to(element, self.current());
    }

    fn link_to(&mut self, element: ElementId, sequence: SequenceId) {
        match self.sequence(sequence).last {
            None => self.sequence_mut(sequence).first = Some(element),
            Some(last) => self.element_mut(last).next = Some(element),
        }
        self.sequence_mut(sequence).last = Some(element);
    }

    fn is_else(&self, sequence: SequenceId) -> bool {
        self.sequence(sequence)
            .first
            .is_some_and(|first| matches!(self.element(first).kind, ElementKind::Basic(Action::Else)))
    }

    /// Appends `if` (without `exit`) or `do`: the options with `else` last, then the element where they meet.
    fn append_selection(
        &mut self,
        mut options: Vec<SequenceId>,
        exit: Option<BreakId>,
        span: Span,
    ) -> ElementId {
        let text: Arc<str> = if exit.is_some() { "do".into() } else { "if".into() };
        let head = self.new_element(ElementKind::Select, span, text);
        let meet = self.new_element(ElementKind::Dot, span, ".(goto)".into());
        let elses: Vec<usize> = (0..options.len()).filter(|&idx| self.is_else(options[idx])).collect();
        if elses.len() > 1 {
            self.error(span, "a selection has at most one 'else'");
        }
        if let Some(&idx) = elses.first() {
            let option = options.remove(idx);
            options.push(option);
        }
        for &option in &options {
            self.link_to(meet, option);
        }
        self.element_mut(head).sub = options;
        let current = self.current();
        if let Some(exit) = exit {
            self.link_to(meet, current);
            let leave = self.new_element(ElementKind::Break, span, "break".into());
            self.break_elements[exit.0 as usize] = Some(leave);
            self.break_stack.retain(|&id| id != exit);
            self.link_to(head, current);
            self.link_to(leave, current);
        } else {
            self.link_to(head, current);
            self.link_to(meet, current);
        }
        head
    }

    fn append_unless(&mut self, main: SequenceId, escape: SequenceId, span: Span) -> ElementId {
        let head = self.new_element(ElementKind::Unless, span, "unless".into());
        let meet = self.new_element(ElementKind::Dot, span, ".(goto)".into());
        self.element_mut(head).sub = vec![main, escape];
        self.link_to(meet, main);
        self.link_to(meet, escape);
        self.attach_escape(main, escape);
        let current = self.current();
        self.link_to(head, current);
        self.link_to(meet, current);
        head
    }

    /// The elements of a closed sequence, without what was appended after it was closed.
    fn extent_of(&self, sequence: SequenceId) -> Vec<ElementId> {
        let Sequence { first, extent, .. } = *self.sequence(sequence);
        let mut ids = Vec::new();
        let mut at = first;
        while let Some(id) = at {
            ids.push(id);
            if Some(id) == extent {
                break;
            }
            at = self.element(id).next;
        }
        ids
    }

    fn attach_escape(&mut self, sequence: SequenceId, escape: SequenceId) {
        for id in self.extent_of(sequence) {
            self.escape_element(id, escape);
        }
    }

    fn escape_element(&mut self, id: ElementId, escape: SequenceId) {
        if self.element(id).escapes.contains(&escape) {
            return;
        }
        for inner in self.element(id).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.element_mut(id).escapes.insert(0, escape);
        match self.element(id).kind.clone() {
            ElementKind::Unless => {
                let main = self.element(id).sub[0];
                self.attach_escape(main, escape);
            }
            ElementKind::Select => {
                for option in self.element(id).sub.clone() {
                    self.attach_escape(option, escape);
                }
            }
            ElementKind::DStep(body) => {
                if let Some(first) = self.sequence(body).first {
                    self.escape_element(first, escape);
                }
            }
            ElementKind::Atomic(body) | ElementKind::Block(body) => self.attach_escape(body, escape),
            ElementKind::Basic(_) | ElementKind::Goto(_) | ElementKind::Dot | ElementKind::Break => {}
        }
    }

    /// Removes redundant `skip`s of an option, as SPIN does: the second and later of a run of unlabelled
    /// ones.
    pub(crate) fn prune_skips(&mut self, option: SequenceId) {
        if self.is_claim {
            return;
        }
        let Sequence { first, last, extent } = *self.sequence(option);
        let mut run = 0;
        let mut before = None;
        let mut at = first;
        while let Some(id) = at {
            let element = self.element(id);
            let next = element.next;
            let (is_skip, is_print) = match &element.kind {
                ElementKind::Basic(Action::Skip) => (true, false),
                ElementKind::Basic(Action::Printf(..) | Action::Printm(..)) => (true, true),
                _ => (false, false),
            };
            let mut removed = false;
            if is_skip && !self.labels.iter().any(|label| label.element == id) {
                run += 1;
                if run > 1 && !is_print && at != first && at != last && at != extent {
                    let before = before.expect("an element that is not the first has one before it");
                    self.element_mut(before).next = next;
                    removed = true;
                }
            } else {
                run = 0;
            }
            if !removed {
                before = Some(id);
            }
            at = next;
        }
    }

    /// Marks a closed sequence as atomic, and as a `d_step` if `added` has that bit.
    pub(crate) fn make_atomic(&mut self, sequence: SequenceId, added: u8) {
        let Sequence { first, last, .. } = *self.sequence(sequence);
        let (Some(first), Some(last)) = (first, last) else { return };
        self.walk_atomic(first, last, added);
        match self.element(last).kind {
            ElementKind::Block(body) | ElementKind::Atomic(body) => self.make_atomic(body, added),
            ElementKind::Unless => {
                let main = self.element(last).sub[0];
                self.make_atomic(main, added);
            }
            _ => {
                let element = self.element_mut(last);
                element.status &= !ATOMIC;
                element.status |= LAST_OF_ATOMIC;
            }
        }
    }

    fn walk_atomic(&mut self, first: ElementId, last: ElementId, added: u8) {
        let mut at = Some(first);
        while let Some(id) = at {
            self.element_mut(id).status |= ATOMIC | added;
            let inner = match self.element(id).kind {
                ElementKind::Atomic(body) | ElementKind::Block(body) => Some(body),
                ElementKind::DStep(body) if added & IN_D_STEP != 0 => Some(body),
                _ => None,
            };
            if let Some(body) = inner {
                self.element_mut(id).kind = ElementKind::Block(body);
                let Sequence { first, last, .. } = *self.sequence(body);
                if let (Some(first), Some(last)) = (first, last) {
                    self.walk_atomic(first, last, added);
                }
            }
            for option in self.element(id).sub.clone() {
                let Sequence { first, last, .. } = *self.sequence(option);
                if let (Some(first), Some(last)) = (first, last) {
                    self.walk_atomic(first, last, added);
                }
            }
            if id == last {
                break;
            }
            at = self.element(id).next;
        }
    }

    /// Ends the body: links the ends of blocks to what follows them.
    pub(crate) fn finish(&mut self) {
        self.close_sequence(None);
        for idx in (0..self.elements.len()).rev() {
            let (ElementKind::Atomic(body) | ElementKind::Block(body) | ElementKind::DStep(body)) =
                self.elements[idx].kind
            else {
                continue;
            };
            let mut follow = self.elements[idx].next;
            if follow.is_none() {
                continue;
            }
            while let Some(id) = follow {
                if !matches!(self.element(id).kind, ElementKind::Dot) {
                    break;
                }
                follow = self.element(id).next;
            }
            let last = self.sequence(body).last.expect("a closed sequence has a last element");
            if self.element(last).next.is_none() {
                self.element_mut(last).next = follow;
            }
        }
    }

    /// Gives a label that a remote reference names a state of its own, if the label is on a jump.
    pub(crate) fn pin_label(&mut self, label_idx: usize) {
        let id = self.labels[label_idx].element;
        if !matches!(self.element(id).kind, ElementKind::Goto(_)) {
            return;
        }
        let Element { kind, next, sub, escapes, span, text, scope, .. } = self.element(id).clone();
        let jump = ElementId(self.elements.len() as u32);
        let number = self.n_numbers;
        self.n_numbers += 1;
        self.elements.push(Element { kind, next, sub, escapes, status: 0, number, span, text, scope });
        let element = self.element_mut(id);
        element.kind = ElementKind::Basic(Action::Skip);
        element.text = "skip".into();
        element.next = Some(jump);
    }

    /// The label to which `name` refers in `scope`.
    pub(crate) fn find_label(&self, name: &str, scope: &[u32]) -> Option<usize> {
        let mut best = None;
        for (idx, label) in self.labels.iter().enumerate().rev() {
            if &*label.name != name {
                continue;
            }
            if *label.scope == *scope {
                return Some(idx);
            }
            if scope.starts_with(&label.scope) || best.is_none() {
                best = Some(idx);
            }
        }
        best
    }

    /// The destination of a jump.
    pub(crate) fn destination(&self, jump: &Jump) -> Option<ElementId> {
        match jump {
            Jump::Label { name, scope } => self.find_label(name, scope).map(|idx| self.labels[idx].element),
            Jump::Break(id) => self.break_elements[id.0 as usize],
        }
    }
}

/// Whether a search treats a label of this name specially.
fn is_special(name: &str) -> bool {
    ["accept", "end", "progress"].iter().any(|prefix| name.starts_with(prefix))
}
