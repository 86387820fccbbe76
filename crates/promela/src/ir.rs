//! The intermediate form: typed expressions and effects over a packed layout, with every name resolved.
//!
//! It is target-neutral: it has no pointers, no recursion at run time except over expressions, and offsets
//! that are known when the model is compiled. The interpreter in `machine` runs it directly; a code generator
//! can translate it.
//!
//! Values are C's `int`: 32 bits, wrapping. A variable truncates what is stored in it to its [`Scalar`].

mod dynamic;

pub(crate) use dynamic::{
    Added, Address, Call, Callee, Delete, Either, EitherTarget, Formal, Function, Init, LeftKind, New,
    ObjectKind, ObjectType, Returned, Scope, ScopeMove, Through, same_pointee, takes_reference,
};

use crate::syntax::ast::{BinaryOp, ChanQuery, Span, UnaryOp};
use std::sync::Arc;

/// Index of a process type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ProctypeId(pub(crate) u8);

/// Index of a channel type: a capacity and the types of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChannelTypeId(pub(crate) u16);

/// A control state of a process type, numbered as SPIN numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pc(pub(crate) u16);

/// The value range of a variable, and so how a value is truncated when it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    /// One bit in a byte: `bit` and `bool` that are not arrays.
    Bit,
    /// Eight bits, unsigned: `byte`, `mtype`, `pid`, `chan`, and (as in SPIN) the elements of `bit` arrays.
    Byte,
    /// Sixteen bits, signed.
    Short,
    /// Thirty-two bits, signed.
    Int,
    /// The given number of bits, unsigned, at most 31.
    Unsigned(u8),
    /// A reference: object and offset, or zero. In models with channels in objects, `chan` is one too.
    Pointer,
}

impl Scalar {
    /// The bytes that a variable of this type takes in a vector.
    #[must_use]
    pub(crate) fn size(self) -> u32 {
        match self {
            Self::Bit | Self::Byte | Self::Unsigned(0..=8) => 1,
            Self::Short | Self::Unsigned(9..=16) => 2,
            Self::Int | Self::Unsigned(_) | Self::Pointer => 4,
        }
    }

    /// `value` as it is after being stored, truncated to this type.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "truncating is the point")]
    pub(crate) fn truncate(self, value: i32) -> i32 {
        match self {
            Self::Bit => value & 1,
            Self::Byte => i32::from(value as u8),
            Self::Short => i32::from(value as i16),
            Self::Int | Self::Pointer => value,
            Self::Unsigned(bits) => value & (((1u32 << bits) - 1) as i32),
        }
    }
}

/// How a value is shown to users.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Notation {
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A symbolic constant from the given set (`mtype` or `mtype:name`).
    Mtype(Arc<str>),
    /// A channel.
    Chan,
    /// A pointer to a value of the type.
    Pointer(Arc<Type>),
    /// A function, or null.
    Function,
}

/// The part of the vector from which an offset counts.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Base {
    /// The globals.
    Global,
    /// The record of the running process, or the frame of the running function.
    Local,
    /// What a pointer refers to.
    Object(Box<Through>),
}

/// A scalar in the vector.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct ScalarPlace {
    /// Where the offset counts from.
    pub(crate) base: Base,
    /// Bytes from the base, before indices.
    pub(crate) offset: u32,
    /// Its type.
    pub(crate) scalar: Scalar,
    /// The indices, outermost first.
    pub(crate) indices: Vec<Index>,
}

/// One index of a [`ScalarPlace`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Index {
    /// The value.
    pub(crate) value: Expr,
    /// The index must be less than this.
    pub(crate) bound: u32,
    /// Bytes from one element to the next.
    pub(crate) stride: u32,
    /// Its location in the source.
    pub(crate) span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Expr {
    /// A constant.
    Const(i32),
    /// A variable's value.
    Load(ScalarPlace),
    /// The value of a variable that is one unsigned byte without indices.
    LoadByte(Base, u32),
    /// `a op constant`, which cannot fail.
    WithConst(BinaryOp, Box<Expr>, i32),
    /// `_pid`
    Pid,
    /// `_nr_pr`
    NrPr,
    /// `op e`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`, where both are always evaluated.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    /// `a && b`: `b` only if `a`.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`: `b` only if not `a`.
    Or(Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(c)` and the other queries.
    Chan(ChanQuery, Box<Expr>, Span),
    /// `c?[...]`
    Poll(Box<Poll>),
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `_priority` and `get_priority(pid)`
    Priority(Box<Expr>),
    /// `p[i]@label`: whether process `i`, or the first of its type, is at the label.
    RemoteLabel {
        /// Its type.
        proctype: ProctypeId,
        /// Which process.
        process: Option<Box<Expr>>,
        /// The label's control state.
        state: Pc,
    },
    /// `p[i]:x`
    RemoteVar {
        /// Its type.
        proctype: ProctypeId,
        /// Which process.
        process: Option<Box<Expr>>,
        /// The variable in that process's record.
        place: Box<ScalarPlace>,
        /// Its location in the source.
        span: Span,
    },
    /// `run p(...)`
    Run(Box<RunProcess>),
    /// `&x`
    Address(Box<Address>),
    /// A reference; the operation that uses it decides whether the reference or the value behind it is meant.
    Either(Box<Either>),
}

/// `run p(args) priority n`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct RunProcess {
    /// The process type.
    pub(crate) proctype: ProctypeId,
    /// One value for each parameter.
    pub(crate) args: Vec<Expr>,
    /// The priority of the new process.
    pub(crate) priority: u8,
    /// Its location in the source.
    pub(crate) span: Span,
}

/// `c?[...]` and `c??[...]`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Poll {
    /// The channel.
    pub(crate) channel: Expr,
    /// `??`: any message may match, not only the first.
    pub(crate) random: bool,
    /// The required values of the fields; `None` for any value.
    pub(crate) fields: Vec<Option<Expr>>,
    /// Its location in the source.
    pub(crate) span: Span,
}

/// The target of an assignment or a receive.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Target {
    /// A variable.
    Place(ScalarPlace),
    /// `_`: the value is dropped.
    Discard,
    /// A variable of this kind that is never read: the value is dropped, but one that does not fit is
    /// noticed.
    Forgotten(Scalar),
    /// `_priority`
    Priority,
    /// A pointer; the value that is stored decides whether the pointer or the value behind it is meant.
    Either(Box<EitherTarget>),
}

/// A field of a receive.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Field {
    /// The field must be equal to this.
    Match(Expr),
    /// The field is stored here.
    Store(Target),
}

/// The action of a transition.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Action {
    /// Nothing: `skip`, `goto`, the end of a selection.
    Skip,
    /// Waits for a condition.
    Guard(Expr),
    /// Executable if no other statement of the process is.
    Else,
    /// An assignment.
    Assign(Target, Expr),
    /// A send.
    Send(Send),
    /// A receive.
    Receive(Receive),
    /// An assertion, with its source text.
    Assert(Expr, Arc<str>),
    /// `printf`
    Printf(Arc<str>, Vec<Expr>),
    /// `printm`, with the set of names to search.
    Printm(Expr, Arc<str>),
    /// `set_priority(pid, n)`
    SetPriority(Expr, Expr),
    /// The death of the process, if it is the youngest.
    End,
    /// A `d_step`: index into [`Proctype::d_steps`].
    DStep(u32),
    /// What an event trace waits for; used only in event traces.
    Event(Event),
    /// The creation of an object.
    New(Box<New>),
    /// The end of an object.
    Delete(Box<Delete>),
    /// A call of a function.
    Call(Box<Call>),
    /// The end of a function.
    Return(Box<Returned>),
}

/// `c!...` or `c!!...`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Send {
    /// The channel.
    pub(crate) channel: Expr,
    /// `!!`
    pub(crate) sorted: bool,
    /// The values of the fields.
    pub(crate) args: Vec<Expr>,
}

/// `c?...`, `c??...`, `c?<...>`, `c??<...>`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Receive {
    /// The channel.
    pub(crate) channel: Expr,
    /// `??`
    pub(crate) random: bool,
    /// `<...>`
    pub(crate) peek: bool,
    /// The fields.
    pub(crate) fields: Vec<Field>,
}

/// A transition out of a control state.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Transition {
    /// Its statement: index into [`Proctype::statements`].
    pub(crate) statement: u32,
    /// The target; `None` when the process dies.
    pub(crate) target: Option<Pc>,
    /// Whether the process keeps control after it.
    pub(crate) atomic: bool,
    /// The escape it belongs to; zero for none. Only transitions of the first escape that has an executable
    /// one are tried.
    pub(crate) escape: u16,
    /// Ranges of the process's record (start and length in bytes) that are not read after this transition
    /// before they are written: they become zero. Empty unless dead variables are reset.
    pub(crate) clears: Vec<(u32, u32)>,
    /// The scopes that it enters and leaves.
    pub(crate) scopes: Added<Option<Box<ScopeMove>>>,
}

/// A statement of the source with its meaning.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Statement {
    /// Its control state in SPIN's numbering.
    pub(crate) state: Pc,
    /// What it does.
    pub(crate) action: Action,
    /// Its text for users.
    pub(crate) text: Arc<str>,
    /// Its location in the source.
    pub(crate) span: Span,
    /// Whether a complete search is expected to reach it.
    pub(crate) reportable: bool,
    /// Whether it may start a process.
    pub(crate) has_run: bool,
}

/// A process type.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Proctype {
    /// Its name; `:init:` for the initial process, as SPIN calls it.
    pub(crate) name: Arc<str>,
    /// The location of its name.
    pub(crate) span: Span,
    /// `D_proctype`: it must never have a choice between transitions.
    pub(crate) deterministic: bool,
    /// The bytes of its record, a multiple of four, header included.
    pub(crate) size: u32,
    /// The parameters, in order, each a scalar of the record.
    pub(crate) params: Vec<ScalarPlace>,
    /// What a new process does before its first step, in order.
    pub(crate) setup: Vec<Setup>,
    /// The control state in which it starts.
    pub(crate) start: Pc,
    /// `provided (e)`
    pub(crate) provided: Option<Expr>,
    /// Transitions out of each control state, tried in this order; indexed by control state.
    pub(crate) transitions: Vec<Vec<Transition>>,
    /// Statements, in source order of their numbers.
    pub(crate) statements: Vec<Statement>,
    /// Bodies of `d_step`s.
    pub(crate) d_steps: Vec<DStep>,
    /// Whether the process may stay in a control state indefinitely; indexed by control state.
    pub(crate) may_end: Vec<bool>,
    /// Whether a control state has a progress label; indexed by control state.
    pub(crate) progress: Vec<bool>,
    /// Whether a control state has an acceptance label; indexed by control state.
    pub(crate) accept: Vec<bool>,
    /// Whether a control state has a label that may be observed; empty if there are no calls or returns. A
    /// call or return that arrives at such a state ends its step there.
    pub(crate) labelled: Added<Vec<bool>>,
    /// The jumps that end an atomic sequence, by statement; empty if there are no calls or returns. A call or
    /// return that arrives at such a jump ends its step there.
    pub(crate) jumps_out: Added<Vec<u32>>,
    /// Whether a process in a control state may take a message on offer; indexed by control state.
    pub(crate) may_take: Vec<bool>,
    /// The statement that is shown as the process's position; indexed by control state.
    pub(crate) at: Vec<Option<u32>>,
    /// Its variables, for listings.
    pub(crate) variables: Vec<Variable>,
    /// The exclusive channel claims (`xr`, `xs`) that it makes.
    pub(crate) exclusive: Vec<Exclusive>,
    /// The number of the body's scope, if the body has variables that pointers may refer to, and so scope
    /// objects.
    pub(crate) body_scope: Added<Option<u16>>,
    /// The scopes of nested blocks, and of the body.
    pub(crate) scopes: Added<Vec<Scope>>,
    /// The offsets of references in its record or frame.
    pub(crate) references: Added<Vec<u32>>,
}

impl Proctype {
    /// Whether a statement is a jump that ends an atomic sequence.
    pub(crate) fn ends_atomic(&self, statement: u32) -> bool {
        self.jumps_out.binary_search(&statement).is_ok()
    }
}

/// `xr c` or `xs c`: while a process with this claim lives, no other receives from (or sends to) the channel.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Exclusive {
    /// `xr` if true, else `xs`.
    pub(crate) receive: bool,
    /// The channel.
    pub(crate) channel: Expr,
}

/// One step of the setup of a new process, or of the system.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Setup {
    /// The initial value of a variable.
    Assign(ScalarPlace, Expr),
    /// A new channel, whose identity goes into the variable.
    Channel(ScalarPlace, ChannelTypeId),
}

/// The body of a `d_step`: a graph of nodes, run from the first to the exit.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct DStep {
    /// The nodes.
    pub(crate) nodes: Vec<DNode>,
    /// The first node.
    pub(crate) entry: u32,
    /// The location of the `d_step`.
    pub(crate) span: Span,
}

/// A node of a [`DStep`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum DNode {
    /// A statement, and the node after it.
    Do {
        /// Index into [`Proctype::statements`].
        statement: u32,
        /// The next node; `None` leaves the `d_step`.
        next: Option<u32>,
    },
    /// The first option whose first statement is executable.
    Select {
        /// The first nodes of the options.
        options: Vec<u32>,
        /// The location of the selection.
        span: Span,
    },
    /// No action.
    Jump(Option<u32>),
}

/// A channel type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChannelType {
    /// The number of messages it holds; zero is rendezvous.
    pub(crate) capacity: u16,
    /// The fields of a message.
    pub(crate) fields: Vec<(Scalar, Notation)>,
    /// Where each field starts in a message.
    pub(crate) offsets: Vec<u32>,
    /// The bytes of a message.
    pub(crate) message_size: u32,
}

impl ChannelType {
    pub(crate) fn new(capacity: u16, fields: Vec<(Scalar, Notation)>) -> Self {
        let mut message_size = 0;
        let mut offsets = Vec::new();
        for (scalar, _) in &fields {
            offsets.push(message_size);
            message_size += scalar.size();
        }
        Self { capacity, fields, offsets, message_size }
    }

    /// The scalar that holds the number of messages, which precedes them.
    #[inline]
    pub(crate) fn length_scalar(&self) -> Scalar {
        if self.capacity > 255 { Scalar::Unsigned(16) } else { Scalar::Byte }
    }

    /// The bytes of a channel in a vector.
    pub(crate) fn size(&self) -> u32 {
        match self.capacity {
            0 => 0,
            capacity => {
                let messages = u32::from(capacity) * self.message_size;
                (self.length_scalar().size() + messages).next_multiple_of(4)
            }
        }
    }
}

/// A variable as it is listed for users: every scalar of it can be shown.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Variable {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// Its base.
    pub(crate) base: Base,
    /// Bytes from the base.
    pub(crate) offset: u32,
    /// Its type.
    pub(crate) ty: Type,
    /// The number of elements, if it is an array.
    pub(crate) array: Option<u32>,
}

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// A scalar, and how it is shown.
    Scalar(Scalar, Notation),
    /// A record: index into [`Program::records`](crate::Program).
    Record(u32),
}

/// A record type.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Record {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// The bytes it takes.
    pub(crate) size: u32,
    /// Its fields; offsets count from the record's start.
    pub(crate) fields: Vec<Variable>,
}

/// An event trace: an automaton over sends and receives on global channels.
#[derive(Clone, Debug, Hash)]
pub(crate) struct EventTrace {
    /// `notrace`: an error if everything matches.
    pub(crate) negated: bool,
    /// The global (two bytes) that holds the automaton's state.
    pub(crate) place: ScalarPlace,
    /// Its first state.
    pub(crate) start: Pc,
    /// Its last state.
    pub(crate) end: Pc,
    /// Transitions out of each state.
    pub(crate) transitions: Vec<Vec<(Event, Pc)>>,
    /// Whether it may stay in a state indefinitely.
    pub(crate) may_end: Vec<bool>,
    /// The channels whose sends it watches.
    pub(crate) sends: Vec<Expr>,
    /// The channels whose receives it watches.
    pub(crate) receives: Vec<Expr>,
    /// Its location in the source.
    pub(crate) span: Span,
}

/// The event that an event trace expects next.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Event {
    /// A send if true, else a receive.
    pub(crate) send: bool,
    /// The channel.
    pub(crate) channel: Expr,
    /// The required values of the fields; `None` for any value.
    pub(crate) fields: Vec<Option<Expr>>,
}
