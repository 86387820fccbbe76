//! Evaluates expressions in a state. C's arithmetic: 32 bits, wrapping, shifts by the amount modulo 32.

use super::layout::{ChannelSlot, Layout, Layouts};
use super::{Memory, Trouble, Troubles, rules};
use crate::ir::{Base, ChannelType, Expr, Poll, Proctype, ProctypeId, Scalar, ScalarPlace};
use crate::lower::Lowered;
use crate::syntax::ast::{BinaryOp, ChanQuery, Span, UnaryOp};

/// The maximal depth of `enabled()` about processes that evaluate `enabled()` themselves.
const MAX_ENABLED_DEPTH: u32 = 16;

/// Everything an expression can depend on.
pub(crate) struct Eval<'a> {
    pub(crate) program: &'a Lowered,
    pub(crate) layout: &'a Layout,
    pub(crate) bytes: &'a [u8],
    /// The process that evaluates.
    pub(crate) pid: usize,
    /// The offset of its variables: its record, or the frame of the running function.
    pub(crate) base: usize,
    /// The offset of its record.
    pub(crate) record: usize,
    /// The offsets of objects.
    pub(crate) objects: &'a [u32],
    /// Whether no other step is possible.
    pub(crate) timeout: bool,
    /// The result of `run`, if the expression contains one: it is executed before the rest is evaluated.
    pub(crate) run_result: i32,
    pub(crate) trouble: &'a Troubles,
    pub(crate) depth: u32,
}

/// The offset of a field of a message.
#[inline]
pub(crate) fn field_offset(ty: &ChannelType, slot: ChannelSlot, message: usize, field: usize) -> usize {
    let start = slot.offset + ty.length_scalar().size() + ty.offsets[field];
    start as usize + message * ty.message_size as usize
}

/// Reads a scalar.
#[inline(always)]
pub(crate) fn read(bytes: &[u8], at: usize, scalar: Scalar) -> i32 {
    match scalar {
        Scalar::Bit | Scalar::Byte | Scalar::Unsigned(0..=8) => i32::from(bytes[at]),
        Scalar::Short => i32::from(i16::from_le_bytes([bytes[at], bytes[at + 1]])),
        Scalar::Unsigned(9..=16) => i32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
        Scalar::Int | Scalar::Unsigned(_) | Scalar::Pointer => {
            i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        }
    }
}

/// Writes a scalar, truncated to its type.
#[inline]
pub(crate) fn write(bytes: &mut [u8], at: usize, scalar: Scalar, value: i32) {
    let value = scalar.truncate(value).to_le_bytes();
    match scalar.size() {
        1 => bytes[at] = value[0],
        2 => bytes[at..at + 2].copy_from_slice(&value[..2]),
        _ => bytes[at..at + 4].copy_from_slice(&value),
    }
}

impl<'a> Eval<'a> {
    /// An evaluator for process `pid` of `memory`.
    pub(crate) fn new(
        program: &'a Lowered,
        layouts: &'a Layouts,
        memory: &'a Memory,
        pid: usize,
        trouble: &'a Troubles,
    ) -> Self {
        let layout = layouts.get(memory.layout);
        let base = layout.processes.get(pid).map_or(0, |slot| slot.offset as usize);
        let mut eval = Self {
            program,
            layout,
            bytes: &memory.bytes,
            pid,
            base,
            record: base,
            objects: &memory.objects,
            timeout: false,
            run_result: 0,
            trouble,
            depth: 0,
        };
        if program.dynamic.is_some() && pid < layout.processes.len() {
            eval.set_frame(eval.top_frame(base));
        }
        eval
    }

    #[cold]
    pub(crate) fn raise(&self, trouble: Trouble) {
        self.trouble.raise(trouble);
    }

    /// The offset of a place in the vector. After an index out of range, it is that of the first element, and
    /// the error is recorded.
    #[inline]
    pub(crate) fn offset(&self, place: &ScalarPlace) -> usize {
        let start = match &place.base {
            Base::Global => 0,
            Base::Local => self.base,
            Base::Object(through) => self.through(through).at,
        };
        self.offset_from(start, place)
    }

    /// Like [`Self::offset`], in a record that starts at `start`; indices are still evaluated in this
    /// process.
    #[inline]
    pub(crate) fn offset_from(&self, start: usize, place: &ScalarPlace) -> usize {
        let mut at = start + place.offset as usize;
        for index in &place.indices {
            let value = self.eval(&index.value);
            if value >= 0 && (value as u32) < index.bound {
                at += value as usize * index.stride as usize;
            } else {
                let trouble = Trouble::fatal(index.span, &rules::INDEX);
                self.raise(trouble.with("index", value).with("last", index.bound - 1));
            }
        }
        at
    }

    /// Whether an expression is true.
    #[inline]
    pub(crate) fn holds(&self, e: &Expr) -> bool {
        self.eval(e) != 0
    }

    /// The value of a place behind a pointer; zero after an error, when there is no such place.
    #[inline]
    fn load_through(&self, place: &ScalarPlace) -> i32 {
        let at = self.offset(place);
        if self.trouble.is_fatal() {
            return 0;
        }
        let value = read(self.bytes, at, place.scalar);
        // Where a pointer to one bit leads, an array may have a whole byte.
        if place.scalar == Scalar::Bit { value & 1 } else { value }
    }

    pub(crate) fn eval(&self, e: &Expr) -> i32 {
        match e {
            Expr::Const(value) => *value,
            Expr::Load(place) if matches!(place.base, Base::Object(_)) => self.load_through(place),
            Expr::Load(place) => read(self.bytes, self.offset(place), place.scalar),
            Expr::LoadByte(Base::Global, offset) => i32::from(self.bytes[*offset as usize]),
            Expr::LoadByte(Base::Local, offset) => i32::from(self.bytes[self.base + *offset as usize]),
            Expr::WithConst(op, a, b) => op.apply(self.eval(a), *b),
            Expr::Pid => self.pid as i32,
            Expr::NrPr => i32::from(self.bytes[0]),
            Expr::Binary(op, a, b, span) => self.binary(*op, self.eval(a), self.eval(b), *span),
            Expr::Unary(op, a) => {
                let value = self.eval(a);
                match op {
                    UnaryOp::Neg => value.wrapping_neg(),
                    UnaryOp::BitNot => !value,
                    UnaryOp::Not => i32::from(value == 0),
                }
            }
            Expr::And(a, b) => i32::from(self.holds(a) && self.holds(b)),
            Expr::Or(a, b) => i32::from(self.holds(a) || self.holds(b)),
            Expr::Cond(c, a, b) => self.eval(if self.holds(c) { a } else { b }),
            Expr::Chan(query, channel, span) => self.query(*query, self.eval(channel), *span),
            Expr::Poll(poll) => self.poll(poll),
            Expr::Timeout => i32::from(self.timeout),
            Expr::NonProgress => i32::from(self.no_progress()),
            Expr::Enabled(process) => i32::from(self.enabled(self.eval(process))),
            Expr::PcValue(process) => self.pc_of(self.eval(process)),
            Expr::Priority(process) => {
                let process = self.eval(process);
                self.record_of(process).map_or(0, |at| i32::from(self.bytes[at + 1]))
            }
            Expr::RemoteLabel { proctype, process, state } => {
                let process = self.remote_process(process.as_deref(), *proctype);
                let there = self.type_of(process) == Some(*proctype);
                i32::from(there && self.pc_of(process) == i32::from(state.0))
            }
            Expr::RemoteVar { proctype, process, place, span } => {
                self.remote_variable(*proctype, process.as_deref(), place, *span)
            }
            Expr::Run(_) => self.run_result,
            Expr::LoadByte(Base::Object(_), _) => 0,
            Expr::Address(address) => self.address(address),
            Expr::Either(either) => {
                either.right.as_ref().map_or_else(|| self.eval(&either.left), |e| self.eval(e))
            }
        }
    }

    #[inline]
    fn binary(&self, op: BinaryOp, a: i32, b: i32, span: Span) -> i32 {
        if op.divides() && b == 0 {
            self.raise(Trouble::fatal(span, &rules::DIVISION_BY_ZERO));
            return 0;
        }
        op.apply(a, b)
    }

    /// The channel with an identity; records an error if there is none.
    #[inline]
    pub(crate) fn channel(&self, id: i32, span: Span) -> Option<ChannelSlot> {
        if self.program.dynamic.is_some() && id as u32 >> 16 != 0 {
            return self.object_channel(id as u32, span);
        }
        let slot = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let slot = slot.and_then(|idx| self.layout.channels.get(idx));
        if slot.is_none() {
            self.raise(match id {
                0 => Trouble::fatal(span, &rules::NO_CHANNEL_YET),
                _ => Trouble::fatal(span, &rules::NO_SUCH_CHANNEL).with("channel", id),
            });
        }
        slot.copied()
    }

    /// The number of messages in a channel.
    #[inline]
    pub(crate) fn length(&self, slot: ChannelSlot) -> u16 {
        let ty = self.channel_type(slot);
        if ty.capacity == 0 { 0 } else { read(self.bytes, slot.offset as usize, ty.length_scalar()) as u16 }
    }

    #[inline]
    pub(crate) fn channel_type(&self, slot: ChannelSlot) -> &'a ChannelType {
        &self.program.channel_types[usize::from(slot.ty.0)]
    }

    #[inline]
    pub(crate) fn capacity(&self, slot: ChannelSlot) -> u16 {
        self.channel_type(slot).capacity
    }

    fn query(&self, query: ChanQuery, id: i32, span: Span) -> i32 {
        let Some(slot) = self.channel(id, span) else { return 0 };
        if self.program.check_exclusive {
            let (receiving, sending) = match query {
                ChanQuery::Len | ChanQuery::Full | ChanQuery::Empty => (true, true),
                ChanQuery::NFull => (false, true),
                ChanQuery::NEmpty => (true, false),
            };
            self.check_exclusive(id, receiving, sending, span);
        }
        let (length, capacity) = (self.length(slot), self.capacity(slot));
        // A rendezvous channel always counts as not full: it holds one message during a hand-over.
        let full = length >= capacity.max(1);
        match query {
            ChanQuery::Len => i32::from(length),
            ChanQuery::Full => i32::from(full),
            ChanQuery::NFull => i32::from(!full),
            ChanQuery::Empty => i32::from(length == 0),
            ChanQuery::NEmpty => i32::from(length > 0),
        }
    }

    /// A field of a message in a buffered channel.
    #[inline]
    pub(crate) fn field(&self, slot: ChannelSlot, message: usize, field: usize) -> i32 {
        let ty = self.channel_type(slot);
        read(self.bytes, field_offset(ty, slot, message, field), ty.fields[field].0)
    }

    /// Zero if there is no such message. As in SPIN, `c??[...]` with something to match gives the position of
    /// the message, counted from one, and any other poll gives one.
    fn poll(&self, poll: &Poll) -> i32 {
        let Some(slot) = self.channel(self.eval(&poll.channel), poll.span) else { return 0 };
        if self.capacity(slot) == 0 {
            self.raise(Trouble::error(poll.span, &rules::POLL_OF_RENDEZVOUS));
            return 0;
        }
        if self.program.check_exclusive {
            self.check_exclusive(self.eval(&poll.channel), true, true, poll.span);
        }
        let n_fields = self.channel_type(slot).fields.len();
        if poll.fields.len() > n_fields {
            self.raise(Trouble::fatal(poll.span, &rules::MESSAGE_TOO_SHORT_FOR_POLL));
            return 0;
        }
        let n = usize::from(self.length(slot));
        let anywhere = poll.random && poll.fields.iter().any(Option::is_some);
        let tried = if anywhere { n } else { n.min(1) };
        let found = (0..tried).find(|&message| {
            poll.fields.iter().enumerate().all(|(idx, wanted)| match wanted {
                Some(e) => self.field(slot, message, idx) == self.eval_field(e, slot, idx, poll.span),
                None => true,
            })
        });
        found.map_or(0, |message| message as i32 + 1)
    }

    /// Records an error if another process has claimed the channel for receiving (or for sending).
    #[cold]
    pub(crate) fn check_exclusive(&self, id: i32, receiving: bool, sending: bool, span: Span) {
        for (pid, slot) in self.layout.processes.iter().enumerate() {
            if pid == self.pid {
                continue;
            }
            let owner = &self.program.proctypes[usize::from(slot.ty.0)];
            let other = Eval { pid, base: slot.offset as usize, ..*self };
            for claim in &owner.exclusive {
                let concerned = if claim.receive { receiving } else { sending };
                if concerned && other.eval(&claim.channel) == id {
                    let word = if claim.receive { "xr" } else { "xs" };
                    let trouble = Trouble::error(span, &rules::EXCLUSIVE_CHANNEL).with("owner", &owner.name);
                    self.raise(trouble.with("process", pid).with("claim", word));
                    return;
                }
            }
        }
    }

    /// The value that a field of a message is compared with.
    #[inline]
    pub(crate) fn eval_field(&self, e: &Expr, slot: ChannelSlot, field: usize, span: Span) -> i32 {
        if self.program.dynamic.is_none() {
            return self.eval(e);
        }
        self.eval_for(
            e,
            &self.channel_type(slot).fields[field],
            "what a field of a message is compared with",
            span,
        )
    }

    fn no_progress(&self) -> bool {
        !self.any_process_at(|proctype| &proctype.progress)
    }

    /// Whether any process is at a label that begins with `accept`.
    pub(crate) fn is_accepting(&self) -> bool {
        self.any_process_at(|proctype| &proctype.accept)
    }

    /// Whether any process is in a marked control state.
    #[inline]
    fn any_process_at(&self, marks: impl Fn(&Proctype) -> &[bool]) -> bool {
        self.layout.processes.iter().any(|slot| {
            let at = slot.offset as usize;
            let pc = u16::from_le_bytes([self.bytes[at + 2], self.bytes[at + 3]]);
            marks(&self.program.proctypes[usize::from(slot.ty.0)])[usize::from(pc)]
                || self.program.dynamic.is_some() && self.any_frame_at(at, &marks)
        })
    }

    fn record_of(&self, process: i32) -> Option<usize> {
        let slot = usize::try_from(process).ok().and_then(|pid| self.layout.processes.get(pid))?;
        Some(slot.offset as usize)
    }

    fn type_of(&self, process: i32) -> Option<ProctypeId> {
        let slot = usize::try_from(process).ok().and_then(|pid| self.layout.processes.get(pid))?;
        Some(slot.ty)
    }

    /// The control state of a process; zero if there is none.
    pub(crate) fn pc_of(&self, process: i32) -> i32 {
        self.record_of(process)
            .map_or(0, |at| i32::from(u16::from_le_bytes([self.bytes[at + 2], self.bytes[at + 3]])))
    }

    /// The process to which a remote reference refers: the given one, or the first of its type.
    fn remote_process(&self, process: Option<&Expr>, ty: ProctypeId) -> i32 {
        match process {
            Some(e) => self.eval(e),
            None => self.layout.processes.iter().position(|slot| slot.ty == ty).map_or(-1, |pid| pid as i32),
        }
    }

    fn remote_variable(
        &self,
        ty: ProctypeId,
        process: Option<&Expr>,
        place: &ScalarPlace,
        span: Span,
    ) -> i32 {
        let process = self.remote_process(process, ty);
        let Some(at) = self.record_of(process) else { return 0 };
        if self.type_of(process) != Some(ty) {
            let name = &self.program.proctypes[usize::from(ty.0)].name;
            let trouble = Trouble::fatal(span, &rules::OTHER_TYPE).with("process", process);
            self.raise(trouble.with("type", name));
            return 0;
        }
        read(self.bytes, self.offset_from(at, place), place.scalar)
    }

    /// Whether process `process` could take a step now, apart from its `provided` clause and priorities.
    pub(crate) fn enabled(&self, process: i32) -> bool {
        let Some(ty) = self.type_of(process) else { return false };
        if self.depth >= MAX_ENABLED_DEPTH {
            let span = self.program.proctypes[usize::from(ty.0)].span;
            self.raise(Trouble::fatal(span, &rules::ENABLED_IN_A_CIRCLE));
            return false;
        }
        let record = self.record_of(process).unwrap_or(0);
        let mut other = Eval { pid: process as usize, base: record, record, depth: self.depth + 1, ..*self };
        let (proctype, pc) = other.position();
        proctype.transitions[pc]
            .iter()
            .any(|t| other.can_execute(proctype, &proctype.statements[t.statement as usize]))
    }

    /// Whether the `provided` clause of process `pid` is satisfied or absent.
    pub(crate) fn is_provided(&self, pid: usize) -> bool {
        let slot = self.layout.processes[pid];
        let other = Eval { pid, base: slot.offset as usize, record: slot.offset as usize, ..*self };
        let provided = self.program.proctypes[usize::from(slot.ty.0)].provided.as_ref();
        provided.is_none_or(|provided| other.holds(provided))
    }

    /// Whether a process of a higher priority could take a step.
    pub(crate) fn is_outranked(&self) -> bool {
        let own = self.bytes[self.record + 1];
        self.layout.processes.iter().enumerate().any(|(pid, slot)| {
            pid != self.pid
                && self.bytes[slot.offset as usize + 1] > own
                && self.is_provided(pid)
                && self.enabled(pid as i32)
        })
    }
}
