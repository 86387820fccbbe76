//! Control flow of one process type: elements in sequences, numbered exactly as SPIN numbers them.
//!
//! SPIN's control states are visible to users (`pc_value`, remote references, the list of unreached states).
//! Its figures depend on which elements have a state of their own: a jump inside an atomic block, the end of
//! a selection, the first statement of an escape. So this module follows the construction order of SPIN 6: an
//! element gets its number when it is appended, compound statements after their parts, and each selection
//! adds a closing element. `table` then turns elements into transitions, and `d_step` turns the bodies of
//! deterministic steps into small graphs.

mod build;
mod d_step;
mod table;

pub(crate) use table::{Table, build_table};

use crate::ir::Action;
use crate::syntax::ast::Span;
use std::sync::Arc;

/// Index of an [`Element`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ElementId(pub(crate) u32);

/// Index of a [`Sequence`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SequenceId(pub(crate) u32);

/// Identifies the exit of one `do` loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BreakId(pub(crate) u32);

/// Set on an element inside an atomic sequence, except on the last one.
pub(crate) const ATOMIC: u8 = 1;
/// Set on the last element of an atomic sequence.
pub(crate) const LAST_OF_ATOMIC: u8 = 2;
/// Set on every element of a `d_step`.
pub(crate) const IN_D_STEP: u8 = 4;

/// The path of block numbers that leads to a scope.
pub(crate) type ScopePath = Arc<[u32]>;

/// The kind of an element.
#[derive(Clone, Debug)]
pub(crate) enum ElementKind {
    /// A basic statement.
    Basic(Action),
    /// A jump.
    Goto(Jump),
    /// Where the options of a selection meet.
    Dot,
    /// The end of a loop.
    Break,
    /// `if` or `do`, with its options in `sub`.
    Select,
    /// `unless`, with main and escape sequence in `sub`.
    Unless,
    /// `atomic { }`
    Atomic(SequenceId),
    /// `d_step { }`
    DStep(SequenceId),
    /// `{ }`
    Block(SequenceId),
}

/// The destination of a jump.
#[derive(Clone, Debug)]
pub(crate) enum Jump {
    /// To a label, as seen from a scope.
    Label {
        /// The label's name.
        name: Arc<str>,
        /// The scope of the label as the jump mentions it.
        scope: ScopePath,
    },
    /// Out of a loop.
    Break(BreakId),
}

/// One element of the control flow.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) kind: ElementKind,
    pub(crate) next: Option<ElementId>,
    /// Options of a selection, or main and escape of an `unless`.
    pub(crate) sub: Vec<SequenceId>,
    /// Escapes that can interrupt this element, the innermost last.
    pub(crate) escapes: Vec<SequenceId>,
    pub(crate) status: u8,
    /// SPIN's number within the process type.
    pub(crate) number: u32,
    pub(crate) span: Span,
    pub(crate) text: Arc<str>,
    /// The scopes with variables that enclose it, outermost first.
    pub(crate) scope: Arc<[u16]>,
}

/// A sequence of elements linked by `next`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sequence {
    pub(crate) first: Option<ElementId>,
    /// The last element; changes when a closing element is appended.
    pub(crate) last: Option<ElementId>,
    /// The last element when the sequence was closed.
    pub(crate) extent: Option<ElementId>,
}

/// A label and its element.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: Arc<str>,
    pub(crate) scope: ScopePath,
    pub(crate) element: ElementId,
    pub(crate) span: Span,
}

/// A statement not yet appended: SPIN's parse node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Its labels, outermost first.
    pub(crate) labels: Vec<NodeLabel>,
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
    pub(crate) text: Arc<str>,
}

/// A label on a [`Node`].
#[derive(Clone, Debug)]
pub(crate) struct NodeLabel {
    pub(crate) name: Arc<str>,
    pub(crate) scope: ScopePath,
    pub(crate) span: Span,
}

/// The kind of a [`Node`].
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Basic(Action),
    Goto(Jump),
    If(Vec<SequenceId>),
    Do(Vec<SequenceId>, BreakId),
    Unless(SequenceId, SequenceId),
    Atomic(SequenceId),
    DStep(SequenceId),
    Block(SequenceId),
}

/// An ill-formed control structure.
#[derive(Clone, Debug)]
pub(crate) struct FlowError {
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// The control flow of one process type.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    pub(crate) elements: Vec<Element>,
    pub(crate) sequences: Vec<Sequence>,
    pub(crate) labels: Vec<Label>,
    /// The next free number of a control state.
    pub(crate) n_numbers: u32,
    pub(crate) body: SequenceId,
    pub(crate) errors: Vec<FlowError>,
    open: Vec<SequenceId>,
    break_elements: Vec<Option<ElementId>>,
    break_stack: Vec<BreakId>,
    /// Whether a declaration here is set up when the process starts, rather than by its own step.
    pub(crate) at_start: bool,
    is_claim: bool,
    span: Span,
    /// The scopes with variables that are open.
    pub(crate) scope: Arc<[u16]>,
}

impl Node {
    /// An unlabelled basic statement.
    pub(crate) fn basic(action: Action, span: Span, text: impl Into<Arc<str>>) -> Self {
        Self { labels: Vec::new(), kind: NodeKind::Basic(action), span, text: text.into() }
    }
}
