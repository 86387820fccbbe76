//! The intermediate form: typed expressions and effects over a packed layout, with every name resolved.
//!
//! It is target-neutral: no pointers, no recursion at run time but over expressions, offsets known when the
//! model is compiled. The interpreter in `machine` runs it as it is; a code generator can translate it.
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

/// What a variable can hold, and so how a value is truncated when it is stored.
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
    /// The bytes it takes in a vector.
    #[must_use]
    pub(crate) fn size(self) -> u32 {
        match self {
            Self::Bit | Self::Byte | Self::Unsigned(0..=8) => 1,
            Self::Short | Self::Unsigned(9..=16) => 2,
            Self::Int | Self::Unsigned(_) | Self::Pointer => 4,
        }
    }

    /// What remains of `value` when it is stored.
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

/// How a value is shown to people.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Notation {
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A symbolic constant out of the given set (`mtype` or `mtype:name`).
    Mtype(Arc<str>),
    /// A channel.
    Chan,
    /// A pointer to a value of the type.
    Pointer(Arc<Type>),
    /// A function, or null.
    Function,
}

/// Which part of the vector an offset counts from.
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
pub(crate) struct Place {
    /// Where the offset counts from.
    pub(crate) base: Base,
    /// Bytes from there, before indices.
    pub(crate) offset: u32,
    /// Its type.
    pub(crate) scalar: Scalar,
    /// The indices, outermost first.
    pub(crate) indices: Vec<Index>,
}

/// One index of a [`Place`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Index {
    /// The value.
    pub(crate) value: Expr,
    /// It must be less than this.
    pub(crate) bound: u32,
    /// Bytes from one element to the next.
    pub(crate) stride: u32,
    /// Where it stands in the source.
    pub(crate) span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Expr {
    /// A constant.
    Const(i32),
    /// A variable's value.
    Load(Place),
    /// The value of a variable that is one unsigned byte without indices.
    LoadByte(Base, u32),
    /// `a op constant`, which cannot go wrong.
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
    /// `len(c)` and its kin.
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
        place: Box<Place>,
        /// Where it stands.
        span: Span,
    },
    /// `run p(...)`
    Run(Box<Run>),
    /// `&x`
    Address(Box<Address>),
    /// A reference where what takes it decides whether it is meant or the value behind it.
    Either(Box<Either>),
}

/// `run p(args) priority n`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Run {
    /// The process type.
    pub(crate) proctype: ProctypeId,
    /// One value for each parameter.
    pub(crate) args: Vec<Expr>,
    /// The priority of the new process.
    pub(crate) priority: u8,
    /// Where it stands.
    pub(crate) span: Span,
}

/// `c?[...]` and `c??[...]`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Poll {
    /// The channel.
    pub(crate) channel: Expr,
    /// Any message will do, not just the first.
    pub(crate) random: bool,
    /// What the fields must be; `None` for anything.
    pub(crate) fields: Vec<Option<Expr>>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// Where an assignment or a receive puts its value.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Target {
    /// A variable.
    Place(Place),
    /// `_`: nowhere.
    Discard,
    /// Nowhere: the variable of this kind, which was the target, is never read. A value that does not fit it is
    /// noticed.
    Forgotten(Scalar),
    /// `_priority`
    Priority,
    /// A pointer where what is stored decides whether it is meant or the value behind it.
    Either(Box<EitherTarget>),
}

/// A field of a receive.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Field {
    /// Must be equal to this.
    Match(Expr),
    /// Goes here.
    Store(Target),
}

/// What a transition does.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Action {
    /// Nothing: `skip`, `goto`, the end of a selection.
    Skip,
    /// Waits for a condition.
    Guard(Expr),
    /// Executable if nothing else of the process is.
    Else,
    /// An assignment.
    Assign(Target, Expr),
    /// A send.
    Send(Send),
    /// A receive.
    Receive(Receive),
    /// An assertion, with its text.
    Assert(Expr, Arc<str>),
    /// `printf`
    Printf(Arc<str>, Vec<Expr>),
    /// `printm`, with the set of names to look in.
    Printm(Expr, Arc<str>),
    /// `set_priority(pid, n)`
    SetPriority(Expr, Expr),
    /// The process dies, if it is the youngest.
    End,
    /// A `d_step`: index into [`Proctype::d_steps`].
    DStep(u32),
    /// What an event trace waits for; nowhere else.
    Event(Event),
    /// A new object.
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
    /// The fields.
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

/// One way out of a control state.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Transition {
    /// The statement it comes from: index into [`Proctype::statements`].
    pub(crate) statement: u32,
    /// Where it leads; `None` when the process dies.
    pub(crate) target: Option<Pc>,
    /// Whether the process keeps the control after it.
    pub(crate) atomic: bool,
    /// The escape it belongs to; zero for none. Only transitions of the first escape that can move are tried.
    pub(crate) escape: u16,
    /// Ranges of the process's record (start and length in bytes) that nobody will read after this transition
    /// before they are written: they become zero. Empty unless dead variables are reset.
    pub(crate) clears: Vec<(u32, u32)>,
    /// The scopes that it enters and leaves.
    pub(crate) scopes: Added<Option<Box<ScopeMove>>>,
}

/// A statement of the source with its meaning.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Statement {
    /// The control state that SPIN gives it.
    pub(crate) state: Pc,
    /// What it does.
    pub(crate) action: Action,
    /// How people read it.
    pub(crate) text: Arc<str>,
    /// Where it stands.
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
    /// Where its name stands.
    pub(crate) span: Span,
    /// `D_proctype`: it must never have a choice.
    pub(crate) deterministic: bool,
    /// The bytes of its record, a multiple of four, header included.
    pub(crate) size: u32,
    /// The parameters, in order, each a scalar of the record.
    pub(crate) params: Vec<Place>,
    /// What a new process does before its first step, in order.
    pub(crate) setup: Vec<Setup>,
    /// Where it starts.
    pub(crate) start: Pc,
    /// `provided (e)`
    pub(crate) provided: Option<Expr>,
    /// Ways out of each control state, tried in this order; indexed by control state.
    pub(crate) transitions: Vec<Vec<Transition>>,
    /// Statements, in source order of their numbers.
    pub(crate) statements: Vec<Statement>,
    /// Bodies of `d_step`s.
    pub(crate) d_steps: Vec<DStep>,
    /// Whether the process may rest in a control state for ever; indexed by control state.
    pub(crate) may_end: Vec<bool>,
    /// Whether a control state has a progress label; indexed by control state.
    pub(crate) progress: Vec<bool>,
    /// Whether a control state has an acceptance label; indexed by control state.
    pub(crate) accept: Vec<bool>,
    /// Whether a control state has a label that may be observed; empty if there are no calls or returns. Such a
    /// state ends the step of a call or return that comes to it.
    pub(crate) labelled: Added<Vec<bool>>,
    /// The jumps with which an atomic sequence ends, by statement; none if there are no calls or returns. Such a
    /// jump ends the step of a call or return that comes to it.
    pub(crate) jumps_out: Added<Vec<u32>>,
    /// Whether a process in a control state may take a message on offer; indexed by control state.
    pub(crate) may_take: Vec<bool>,
    /// The statement that people would say the process is at; indexed by control state.
    pub(crate) at: Vec<Option<u32>>,
    /// Its variables, for people.
    pub(crate) variables: Vec<Variable>,
    /// Channels that it claims for itself.
    pub(crate) exclusive: Vec<Exclusive>,
    /// The scope objects of the whole body, if it has variables that pointers may refer to: the number of the
    /// scope.
    pub(crate) body_scope: Added<Option<u16>>,
    /// The scopes of nested blocks, and of the body.
    pub(crate) scopes: Added<Vec<Scope>>,
    /// Where references are in its record or frame.
    pub(crate) references: Added<Vec<u32>>,
}

impl Proctype {
    /// Whether a statement is a jump with which an atomic sequence ends.
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

/// A step of a new process's (or the system's) set-up.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Setup {
    /// A variable's first value.
    Assign(Place, Expr),
    /// A new channel, whose identity goes into the variable.
    Channel(Place, ChannelTypeId),
}

/// The body of a `d_step`: a graph of nodes, run from the first to the exit.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct DStep {
    /// The nodes.
    pub(crate) nodes: Vec<DNode>,
    /// The node to begin with.
    pub(crate) entry: u32,
    /// Where the `d_step` stands.
    pub(crate) span: Span,
}

/// A node of a [`DStep`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum DNode {
    /// A statement, and where to go on.
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
        /// Where the selection stands.
        span: Span,
    },
    /// Nothing.
    Jump(Option<u32>),
}

/// A channel type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ChannelType {
    /// How many messages it holds; zero is rendezvous.
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

    /// How the number of messages is kept before them.
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

/// A variable, for people: every scalar of it can be listed.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Variable {
    /// Its name.
    pub(crate) name: Arc<str>,
    /// Where it lives.
    pub(crate) base: Base,
    /// Bytes from there.
    pub(crate) offset: u32,
    /// Its type.
    pub(crate) ty: Type,
    /// How many elements, if it is an array.
    pub(crate) array: Option<u32>,
}

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// A scalar, and how people read it.
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
    /// Where the automaton's state lives among the globals (two bytes).
    pub(crate) place: Place,
    /// Where it starts.
    pub(crate) start: Pc,
    /// Its last state.
    pub(crate) end: Pc,
    /// Ways out of each state.
    pub(crate) transitions: Vec<Vec<(Event, Pc)>>,
    /// Whether it may rest in a state for ever.
    pub(crate) may_end: Vec<bool>,
    /// The channels whose sends it watches.
    pub(crate) sends: Vec<Expr>,
    /// The channels whose receives it watches.
    pub(crate) receives: Vec<Expr>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// What an event trace expects next.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Event {
    /// A send if true, else a receive.
    pub(crate) send: bool,
    /// The channel.
    pub(crate) channel: Expr,
    /// What the fields must be; `None` for anything.
    pub(crate) fields: Vec<Option<Expr>>,
}
