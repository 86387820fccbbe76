//! The interpreter: runs the intermediate form over state vectors. It is the reference for every other
//! target.
//!
//! A vector is `[processes, _last, 0, 0] globals global-channels (process its-channels)*`. A process record
//! is `[type, priority, control state (2 bytes)] variables`, and a channel record is `[length] messages`,
//! each rounded up to four bytes. A rendezvous channel takes no bytes, because its message never outlives a
//! step. Processes die youngest first, so the vector grows and shrinks only at its end, and the types of the
//! processes determine every offset.

mod attempt;
mod call;
mod channel;
mod d_step;
mod driver;
mod eval;
mod expand;
mod frames;
mod heap;
mod layout;
mod moves;
mod normal;
mod object;
mod observe;
mod pointer;
mod rank;
pub(crate) mod rules;
mod scope;
mod shape;
mod target;
mod watch;

pub(crate) use attempt::{Attempt, Attempted};
pub(crate) use call::activations;
pub(crate) use driver::Driver;
pub(crate) use eval::{Eval, field_offset, read as read_scalar, write as write_scalar};
pub(crate) use expand::actor;
pub(crate) use frames::is_jump;
pub(crate) use layout::{ChannelSlot, Layout, LayoutId, Layouts, ProcessSlot};
pub(crate) use moves::{Failing, RawMove};
pub(crate) use normal::{Normaliser, ObjectState, kept, normalise, reachable};
pub(crate) use object::{FIRST as OBJECTS_FROM, WHOLE as WHOLE_ARRAY, read32};
pub(crate) use scope::{ScopePlace, enter as enter_scopes, frame_base, leave as leave_scopes};
pub(crate) use target::{Explored, Left, StepTarget};

use crate::ir::Scalar;
use crate::lower::Lowered;
use crate::syntax::ast::Span;
use crate::truncation::Truncations;
use allways_model::{Fact, Limiter, Location, Rule, Violation};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// A vector with its layout.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) bytes: Vec<u8>,
    pub(crate) layout: LayoutId,
    /// The offsets of the objects; empty in a model without dynamic features.
    pub(crate) objects: Vec<u32>,
    /// Whether an object was made or ended, or a reference was stored, since the vector was in normal form.
    pub(crate) moved: bool,
    /// How the previous statement, if it was a return, affects the atomic sequences of callers.
    pub(crate) returned: AfterReturn,
}

/// How a return affects the atomic sequence that contains the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AfterReturn {
    /// No effect: there is no such sequence, or the statement was not a return.
    #[default]
    Free,
    /// The sequence continues.
    InAtomic,
    /// The call was its last statement, so the sequence ends.
    EndsAtomic,
}

impl Memory {
    /// Becomes a copy of `other`, reusing its own memory.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Memory) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&other.bytes);
        self.layout = other.layout;
        self.objects.clone_from(&other.objects);
        self.moved = other.moved;
        self.returned = AfterReturn::Free;
    }
}

/// The globals of the initial state, with the header of the vector.
pub(crate) fn initial_globals(lowered: &Lowered) -> Vec<u8> {
    let (mut layouts, mut memory, trouble) = (Layouts::new(lowered), Memory::default(), Troubles::default());
    attempt::Boot { program: lowered, layouts: &mut layouts, trouble: &trouble, frame: None }
        .start_system(&mut memory);
    memory.bytes.truncate(lowered.globals_size as usize);
    memory.bytes
}

/// An error that a statement caused.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    pub(crate) rule: &'static Rule,
    pub(crate) facts: Vec<Fact>,
    pub(crate) span: Span,
    /// Whether the run cannot continue from here.
    pub(crate) fatal: bool,
    /// Whether a limit of this tool was reached; not an error of the model.
    pub(crate) limit: bool,
    /// The name of the limit, if the user can change it.
    pub(crate) limit_name: Option<&'static str>,
    /// The index of its statement among those recorded of a `d_step`, from one; for explanations.
    pub(crate) inner: usize,
    /// The number of the object concerned, in the memory; for explanations.
    pub(crate) object: Option<u32>,
}

/// Collects errors until they are taken. The check is cheap, because errors are rare.
#[derive(Debug, Default)]
pub(crate) struct Troubles {
    list: RefCell<Vec<Trouble>>,
    any: Cell<bool>,
    fatal: Cell<bool>,
    /// Decides whether a long step may continue.
    limiter: Limiter,
    /// Records values that are truncated when they are stored.
    truncations: Option<Arc<Truncations>>,
    /// Whether a value was truncated while there is no such record.
    cut: Cell<bool>,
    /// The number of statements of a `d_step` recorded so far.
    inner: Cell<usize>,
}

impl Troubles {
    #[cold]
    pub(crate) fn raise(&self, trouble: Trouble) {
        self.put_back(Trouble { inner: self.inner.get(), ..trouble });
    }

    /// Records that a value is truncated when it is stored, if it is.
    #[inline]
    pub(crate) fn note_cut(&self, span: Span, what: &str, scalar: Scalar, value: i32) {
        if scalar.truncate(value) != value {
            match &self.truncations {
                Some(list) => list.note(span, what, scalar, value),
                None => self.cut.set(true),
            }
        }
    }

    /// Whether a value was truncated since the last call.
    pub(crate) fn take_cut(&self) -> bool {
        self.cut.take()
    }

    /// Adds an error that was raised and taken before.
    #[cold]
    pub(crate) fn put_back(&self, trouble: Trouble) {
        self.any.set(true);
        self.fatal.set(self.fatal.get() || trouble.fatal);
        self.list.borrow_mut().push(trouble);
    }

    /// Sets the statement of a `d_step` to which further errors belong; zero outside.
    pub(crate) fn set_inner(&self, inner: usize) {
        self.inner.set(inner);
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        !self.any.get()
    }

    /// Whether an error occurred after which the run cannot continue.
    #[inline]
    pub(crate) fn is_fatal(&self) -> bool {
        self.fatal.get()
    }

    /// Takes the errors collected so far.
    pub(crate) fn take(&self) -> Vec<Trouble> {
        self.any.set(false);
        self.fatal.set(false);
        self.list.take()
    }
}

impl Trouble {
    pub(crate) fn fatal(span: Span, rule: &'static Rule) -> Self {
        Self {
            rule,
            facts: Vec::new(),
            span,
            fatal: true,
            limit: false,
            limit_name: None,
            inner: 0,
            object: None,
        }
    }

    /// A limit of this tool, which ends the run though the model may be right.
    pub(crate) fn limit(span: Span, rule: &'static Rule) -> Self {
        Self { limit: true, ..Self::fatal(span, rule) }
    }

    /// A limit that the user can change.
    pub(crate) fn bound(span: Span, rule: &'static Rule, name: &'static str) -> Self {
        Self { limit_name: Some(name), ..Self::limit(span, rule) }
    }

    pub(crate) fn error(span: Span, rule: &'static Rule) -> Self {
        Self { fatal: false, ..Self::fatal(span, rule) }
    }

    /// Adds a fact.
    pub(crate) fn with(mut self, name: &'static str, value: impl std::fmt::Display) -> Self {
        self.facts.push(Fact::new(name, value));
        self
    }

    /// Names the object concerned.
    pub(crate) fn about(self, object: u32) -> Self {
        Self { object: Some(object), ..self }
    }

    /// The violation to report.
    pub(crate) fn into_violation(self, location: Location) -> Violation {
        Violation { facts: self.facts, location: Some(location), ..Violation::new(self.rule) }
    }
}
