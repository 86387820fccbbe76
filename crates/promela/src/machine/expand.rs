//! All successors of a state, in SPIN's order: processes from the youngest to the oldest, transitions as listed.
//!
//! A step ends where SPIN would store a state. Inside an atomic sequence, and between the two halves of a rendezvous,
//! there are states that SPIN does not store: they are explored here on a small stack of frames, without recursion.
//! A process that blocks inside an atomic sequence ends the step there, and control is free again.

use super::attempt::{Attempt, Attempted, Boot, InnerStep, Offer};
use super::eval::Eval;
use super::layout::Layouts;
use super::{Memory, Trouble, Troubles, rules};
use crate::ir::{Action, Statement};
use crate::native::{Expanded, Left, Runtime};
use crate::program::Program;
use crate::reduce::Chooser;
use allways_model::{Batch, Fact, Fault, StepKey, Violation};
use std::collections::HashSet;

/// So many moves inside one step, and repeated intermediate states are looked for: atomic loops need not end.
const MOVES_BEFORE_MATCHING: u64 = 100_000;
/// So many moves nested in one step are more than any sensible model has.
const MAX_FRAMES: usize = 2_000_000;

/// The set of all processes, however many there are.
pub(super) const ALL: u64 = u64::MAX;

/// The part of a key that names the process which begins a step: ascending as SPIN tries them, after a timeout last.
fn initiator(pid: u64, timeout: bool) -> u64 {
    (if timeout { 511 } else { 255 }) - pid
}

/// The process that begins the step `key`.
pub(crate) fn actor(key: StepKey) -> u32 {
    255 - (key.0 >> 32) as u32 % 256
}

/// An unstored state that is being explored.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) memory: Memory,
    /// The process being tried, and the last one to try.
    pid: i32,
    last: i32,
    /// The next of its transitions.
    next: usize,
    /// The escape that took over in this process.
    escape: u16,
    /// Whether this process moved, so that its `else` is not executable.
    moved: bool,
    /// Whether anything moved.
    any: bool,
    kind: FrameKind,
    /// The message on offer, if this is a rendezvous.
    message: Vec<i32>,
    /// What was wrong with the offer: it matters only if somebody takes it.
    pending: Vec<Trouble>,
    /// What led from here to the frame above: for explanations.
    taken: Option<u32>,
    inner: Vec<InnerStep>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FrameKind {
    /// The state that is expanded.
    #[default]
    Base,
    /// Inside an atomic sequence.
    Atomic,
    /// Between the halves of a rendezvous.
    Offer { channel: i32, sender: i32 },
}

/// One move of an explained step.
#[derive(Clone, Debug)]
pub(crate) struct RawMove {
    pub(crate) pid: usize,
    pub(crate) statement: u32,
    pub(crate) before: Memory,
    pub(crate) after: Memory,
    /// The message on offer that this move takes, if it does.
    pub(crate) message: Vec<i32>,
}

/// An explained step.
#[derive(Debug)]
pub(crate) struct Explained {
    pub(crate) moves: Vec<RawMove>,
    /// Where it goes wrong, if it ends in a violation.
    pub(crate) failing: Option<Failing>,
}

/// The state before a failing statement.
#[derive(Debug)]
pub(crate) struct Failing {
    pub(crate) memory: Memory,
    /// The process that fails, and at which statement, if it is at one of several.
    pub(crate) pid: usize,
    pub(crate) statement: Option<u32>,
}

/// A worker's position: the loaded state, and what is reused from one expansion to the next.
pub(crate) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(crate) layouts: Layouts,
    pub(super) frames: Vec<Frame>,
    depth: usize,
    scratch: Memory,
    message: Vec<i32>,
    pub(super) trouble: Troubles,
    inner: Vec<InnerStep>,
    visited: Vec<bool>,
    reached: Vec<u64>,
    /// The initiating process and how many events it had so far: the key of the next event.
    initiator: u64,
    ordinal: u64,
    timeout: bool,
    /// Whether something fatal happened in this expansion.
    fatal: bool,
    /// A limit of ours that was met.
    fault: Option<Fault>,
    n_moves: u64,
    seen: HashSet<(Vec<u8>, i32)>,
    /// Chooses which processes are enough, if the model is reduced; those tried so far in the loaded state, and whether
    /// any of them could move. Nobody was tried yet if there is no number.
    chooser: Option<Chooser<'p>>,
    tried: Option<u64>,
    moved: bool,
    /// The step to explain, and its moves once it was met.
    wanted: Option<StepKey>,
    explained: Option<Explained>,
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            layouts: Layouts::new(program.lowered()),
            frames: vec![Frame::default()],
            depth: 0,
            scratch: Memory::default(),
            message: Vec::new(),
            trouble: Troubles::default(),
            inner: Vec::new(),
            visited: vec![false; program.n_control_states()],
            reached: vec![0; program.n_points().div_ceil(64)],
            initiator: 0,
            ordinal: 0,
            timeout: false,
            fatal: false,
            fault: None,
            n_moves: 0,
            seen: HashSet::new(),
            chooser: program.order().map(Chooser::new),
            tried: None,
            moved: false,
            wanted: None,
            explained: None,
        }
    }

    pub(crate) fn reached(&self) -> &[u64] {
        &self.reached
    }

    pub(crate) fn initial(&mut self, out: &mut Batch) -> Result<(), Fault> {
        let boot =
            Boot { program: self.program.lowered(), layouts: &mut self.layouts, trouble: &self.trouble };
        boot.start_system(&mut self.scratch);
        if let Some(trouble) = self.trouble.take().into_iter().next() {
            let location = self.program.location(trouble.span);
            return Err(Fault {
                message: format!("the initial state: {}", trouble.rule.sentence(&trouble.facts)),
                location: Some(location),
            });
        }
        out.push(StepKey(0), &self.scratch.bytes);
        Ok(())
    }

    pub(crate) fn load(&mut self, state: &[u8]) {
        let memory = &mut self.frames[0].memory;
        memory.bytes.clear();
        memory.bytes.extend_from_slice(state);
        memory.layout = self.layouts.of(state, self.program.lowered());
        self.tried = None;
    }

    /// Whether there may be less to expand than everything.
    pub(crate) fn has_choice(&self) -> bool {
        self.chooser.is_some()
    }

    /// Expands the loaded state.
    pub(crate) fn expand(&mut self, out: &mut Batch) -> Result<(), Fault> {
        self.begin();
        self.expand_rest(None, out, ALL)
    }

    /// Expands enough of the loaded state, or more of it; gives whether that is everything.
    pub(crate) fn expand_some(
        &mut self,
        mut native: Option<&mut Runtime>,
        out: &mut Batch,
    ) -> Result<bool, Fault> {
        let n_processes = self.frames[0].memory.bytes[0];
        let mut tried = self.tried.unwrap_or_else(|| {
            self.begin();
            self.visit_all();
            0
        });
        while let Some(chooser) = &mut self.chooser
            && let Some(set) = chooser.next(self.program.lowered(), &self.layouts, &self.frames[0].memory)
        {
            let new = set & !tried;
            tried |= new;
            self.tried = Some(tried);
            if new != 0 && self.explore_by(native.as_deref_mut(), out, new)? {
                self.moved = true;
                return Ok(tried.count_ones() == u32::from(n_processes));
            }
        }
        self.expand_rest(native, out, if tried == 0 { ALL } else { !tried })?;
        Ok(true)
    }

    pub(super) fn begin(&mut self) {
        self.n_moves = 0;
        self.seen.clear();
        self.fatal = false;
        self.timeout = false;
        self.moved = false;
        let memory = &self.frames[0].memory;
        if let Some(chooser) = &mut self.chooser {
            let processes = self.layouts.get(memory.layout).processes.iter();
            let processes = processes.map(|slot| (slot.ty.0, slot.offset));
            chooser.begin(memory, self.program.lowered().ranks_matter(processes, &memory.bytes));
        }
    }

    /// Every process of the loaded state has come to its control state, even if it is not tried there.
    fn visit_all(&mut self) {
        for pid in 0..usize::from(self.frames[0].memory.bytes[0]) {
            let memory = &self.frames[0].memory;
            let slot = self.layouts.get(memory.layout).processes[pid];
            let at = slot.offset as usize;
            let pc = usize::from(u16::from_le_bytes([memory.bytes[at + 2], memory.bytes[at + 3]]));
            self.visit(slot.ty.0, pc);
        }
    }

    /// Tries the processes of `set`, which are all that were not tried yet, and sees what it means if none can move.
    fn expand_rest(&mut self, native: Option<&mut Runtime>, out: &mut Batch, set: u64) -> Result<(), Fault> {
        if self.explore_by(native, out, set)? || self.moved {
            return Ok(());
        }
        self.after_nothing(out)
    }

    /// As [`Self::explore`], by native code if it can.
    fn explore_by(&mut self, native: Option<&mut Runtime>, out: &mut Batch, set: u64) -> Result<bool, Fault> {
        let Some(native) = native else { return self.explore(out, set) };
        match native.expand(set, out) {
            Expanded::Done => Ok(true),
            Expanded::Nothing => Ok(false),
            Expanded::Interpret => self.explore(out, set),
            Expanded::Left(left) => self.explore_left(native, left, out, set),
        }
    }

    /// Explores what native code has left to the interpreter, and then what that leaves to native code again.
    fn explore_left(
        &mut self,
        native: &mut Runtime,
        mut left: Left,
        out: &mut Batch,
        mut set: u64,
    ) -> Result<bool, Fault> {
        let mut any = false;
        loop {
            any |= left.moved;
            any |= self.explore(out, 1 << left.pid)?;
            set &= (1 << left.pid) - 1;
            match native.expand(set, out) {
                Expanded::Done => return Ok(true),
                Expanded::Nothing => return Ok(any),
                Expanded::Interpret => return Ok(self.explore(out, set)? || any),
                Expanded::Left(next) => left = next,
            }
        }
    }

    /// Expands the loaded state, of which native code has expanded all but a process and those older than it.
    pub(crate) fn expand_left(
        &mut self,
        native: &mut Runtime,
        left: Left,
        out: &mut Batch,
    ) -> Result<(), Fault> {
        self.begin();
        if self.explore_left(native, left, out, ALL)? { Ok(()) } else { self.after_nothing(out) }
    }

    /// Expands the loaded state, in which it is known that nothing can happen before a timeout.
    pub(crate) fn expand_idle(&mut self, out: &mut Batch) -> Result<(), Fault> {
        self.begin();
        self.after_nothing(out)
    }

    /// Nothing can happen: perhaps after a timeout, else it is the end or a deadlock.
    fn after_nothing(&mut self, out: &mut Batch) -> Result<(), Fault> {
        let mut any = false;
        if self.program.lowered().features.timeout {
            self.timeout = true;
            any = self.explore(out, ALL)?;
            self.timeout = false;
        }
        // A state in which something goes fatally wrong is not a deadlock besides.
        if !any && !self.fatal {
            self.report_deadlock(out);
        }
        Ok(())
    }

    /// Nothing can happen in the loaded state: that is wrong unless every process may end where it is.
    #[cold]
    fn report_deadlock(&self, out: &mut Batch) {
        let memory = &self.frames[0].memory;
        let lowered = self.program.lowered();
        let eval = Eval::new(lowered, &self.layouts, memory, 0, &self.trouble);
        let mut stuck = Vec::new();
        let mut location = None;
        for (pid, slot) in eval.layout.processes.iter().enumerate() {
            let proctype = &lowered.proctypes[usize::from(slot.ty.0)];
            let pc = eval.pc_of(pid as i32) as usize;
            if proctype.may_end[pc] {
                continue;
            }
            let at = proctype.at[pc].map(|idx| proctype.statements[idx as usize].span);
            location = location.or_else(|| at.map(|span| self.program.location(span)));
            stuck.push(Fact::new("process", format_args!("{}({pid})", proctype.name.trim_matches(':'))));
        }
        let mut rule = &rules::INVALID_END_STATE;
        if stuck.is_empty() {
            let Some(trace) = lowered.trace.as_ref().filter(|_| memory.bytes[0] > 0) else { return };
            let at = super::eval::read(&memory.bytes, trace.place.offset as usize, trace.place.scalar);
            if trace.may_end[at as usize] {
                return;
            }
            rule = &rules::TRACE_NOT_COMPLETED;
            location = Some(self.program.location(trace.span));
        }
        out.report(Violation { rule, facts: stuck, key: None, location });
    }

    /// Explores what the processes of `set` can begin in the loaded state up to the next stored states; gives whether
    /// anything can happen.
    pub(super) fn explore(&mut self, out: &mut Batch, set: u64) -> Result<bool, Fault> {
        let n_processes = i32::from(self.frames[0].memory.bytes[0]);
        self.depth = 0;
        self.reset_frame(0, FrameKind::Base, n_processes - 1, 0);
        loop {
            while self.frames[self.depth].pid >= self.frames[self.depth].last {
                if self.depth == 0 && self.frames[0].next == 0 {
                    if set != ALL && set >> self.frames[0].pid & 1 == 0 {
                        self.frames[0].pid -= 1;
                        continue;
                    }
                    self.initiator = initiator(self.frames[0].pid as u64, self.timeout);
                    self.ordinal = 0;
                }
                if !self.advance(out)? {
                    let frame = &mut self.frames[self.depth];
                    frame.pid -= 1;
                    frame.next = 0;
                }
            }
            let frame = &self.frames[self.depth];
            let any = frame.any;
            match frame.kind {
                FrameKind::Base => return Ok(any),
                FrameKind::Atomic => {
                    if !any {
                        // Blocked inside an atomic sequence: control is free again, in a state of its own.
                        self.scratch.copy_from(&self.frames[self.depth].memory);
                        self.depth -= 1;
                        if self.wanted.is_some() {
                            self.inner.clone_from(&self.frames[self.depth].inner);
                        }
                        self.emit(out);
                    } else {
                        self.depth -= 1;
                    }
                }
                FrameKind::Offer { .. } => {
                    self.depth -= 1;
                    let parent = &mut self.frames[self.depth];
                    if any {
                        parent.moved = true;
                        parent.any = true;
                    } else {
                        parent.escape = 0;
                    }
                }
            }
        }
    }

    fn reset_frame(&mut self, depth: usize, kind: FrameKind, pid: i32, last: i32) {
        let frame = &mut self.frames[depth];
        frame.pid = pid;
        frame.last = last;
        frame.next = 0;
        frame.escape = 0;
        frame.moved = false;
        frame.any = false;
        frame.kind = kind;
        frame.pending.clear();
    }

    /// Puts a frame with the memory in `scratch` on the stack.
    fn push_frame(&mut self, kind: FrameKind, pid: i32, last: i32) -> Result<(), Fault> {
        if self.depth + 1 >= MAX_FRAMES {
            return Err(Fault {
                message: format!("an atomic sequence of more than {MAX_FRAMES} moves"),
                location: None,
            });
        }
        if self.depth + 1 == self.frames.len() {
            self.frames.push(Frame::default());
        }
        if self.wanted.is_some() {
            self.frames[self.depth].inner.clone_from(&self.inner);
        }
        self.depth += 1;
        self.frames[self.depth].memory.copy_from(&self.scratch);
        self.reset_frame(self.depth, kind, pid, last);
        Ok(())
    }

    /// Tries the next transition of the frame's process; false when there is none left.
    fn advance(&mut self, out: &mut Batch) -> Result<bool, Fault> {
        let lowered = self.program.lowered();
        let frame = &self.frames[self.depth];
        let pid = frame.pid;
        let layout = self.layouts.get(frame.memory.layout);
        let slot = layout.processes[pid as usize];
        let at = slot.offset as usize;
        let pc = usize::from(u16::from_le_bytes([frame.memory.bytes[at + 2], frame.memory.bytes[at + 3]]));
        let proctype = &lowered.proctypes[usize::from(slot.ty.0)];
        if frame.next == 0 {
            if let FrameKind::Offer { sender, .. } = frame.kind
                && (sender == pid || !proctype.may_take[pc])
            {
                return Ok(false);
            }
            if (lowered.features.priority || proctype.provided.is_some()) && !self.may_run(pid) {
                self.frames[self.depth].taken = None;
                self.inner.clear();
                self.flush_trouble(out);
                return Ok(false);
            }
            self.visit(slot.ty.0, pc);
            let frame = &mut self.frames[self.depth];
            frame.moved = false;
            frame.escape = 0;
        }
        let list = &proctype.transitions[pc];
        while let Some(transition) = list.get(self.frames[self.depth].next) {
            let frame = &mut self.frames[self.depth];
            frame.next += 1;
            if frame.escape > 0 && frame.escape != transition.escape {
                return Ok(false);
            }
            let statement = &proctype.statements[transition.statement as usize];
            frame.taken = Some(transition.statement);
            let attempted = {
                let offer = match frame.kind {
                    FrameKind::Offer { channel, .. } => Some(Offer { channel, message: &frame.message }),
                    _ => None,
                };
                self.inner.clear();
                self.trouble.set_inner(0);
                let mut attempt = Attempt {
                    program: lowered,
                    layouts: &mut self.layouts,
                    memory: &frame.memory,
                    scratch: &mut self.scratch,
                    trouble: &self.trouble,
                    pid: pid as usize,
                    timeout: self.timeout && self.depth == 0,
                    moved: frame.moved,
                    offer,
                    message: &mut self.message,
                    inner: self.wanted.is_some().then_some(&mut self.inner),
                };
                attempt.try_statement(proctype, statement)
            };
            if attempted == Attempted::Blocked {
                if !self.trouble.is_empty() && self.inner.is_empty() {
                    // Nothing has happened: what lies in `scratch` is of no state.
                    self.scratch.copy_from(&self.frames[self.depth].memory);
                }
                // Whether the statement was executable is not known, so `else` must not be taken for it.
                self.frames[self.depth].moved |= self.trouble.is_fatal();
                self.flush_trouble(out);
                if let Some(fault) = self.fault.take() {
                    return Err(fault);
                }
                continue;
            }
            self.n_moves += 1;
            if proctype.deterministic && self.frames[self.depth].moved {
                self.check_choice(statement);
            }
            if let Some(target) = transition.target {
                self.scratch.bytes[at + 2..at + 4].copy_from_slice(&target.0.to_le_bytes());
                for &(start, len) in &transition.clears {
                    let start = at + start as usize;
                    self.scratch.bytes[start..start + len as usize].fill(0);
                }
            }
            if lowered.features.last {
                self.scratch.bytes[1] = pid as u8;
            }
            let frame = &mut self.frames[self.depth];
            frame.escape = transition.escape;
            if let Attempted::Offered(channel) = attempted {
                let n_processes = i32::from(self.scratch.bytes[0]);
                self.push_frame(FrameKind::Offer { channel, sender: pid }, n_processes - 1, 0)?;
                let frame = &mut self.frames[self.depth];
                frame.message.clone_from(&self.message);
                if !self.trouble.is_empty() {
                    frame.pending = self.trouble.take();
                }
                return Ok(true);
            }
            if !frame.pending.is_empty() {
                let pending = std::mem::take(&mut frame.pending);
                let later = self.trouble.take();
                pending.into_iter().chain(later).for_each(|trouble| self.trouble.put_back(trouble));
            }
            self.flush_trouble(out);
            let frame = &mut self.frames[self.depth];
            frame.moved = true;
            frame.any = true;
            if transition.atomic {
                if !self.is_repeated(pid) {
                    self.push_frame(FrameKind::Atomic, pid, pid)?;
                }
            } else {
                self.emit(out);
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// A process that must not have a choice has moved before in this state. As in SPIN, jumps do not count.
    #[cold]
    fn check_choice(&self, statement: &Statement) {
        if !matches!(statement.action, Action::Skip | Action::Else | Action::DStep(_)) {
            self.trouble.raise(Trouble::error(statement.span, &rules::CHOICE_IN_D_PROCTYPE));
        }
    }

    /// Whether priorities and the `provided` clause let a process run.
    #[cold]
    fn may_run(&self, pid: i32) -> bool {
        let lowered = self.program.lowered();
        let memory = &self.frames[self.depth].memory;
        let mut eval = Eval::new(lowered, &self.layouts, memory, pid as usize, &self.trouble);
        eval.timeout = self.timeout && self.depth == 0;
        eval.is_provided(pid as usize) && !(lowered.features.priority && eval.is_outranked())
    }

    /// After very many moves in one step, whether this intermediate state was met before in it.
    fn is_repeated(&mut self, pid: i32) -> bool {
        if self.n_moves < MOVES_BEFORE_MATCHING {
            return false;
        }
        let mut bytes = self.scratch.bytes.clone();
        if let Some(keeps) = &self.program.lowered().keeps {
            keeps.forget(&mut bytes, self.layouts.get(self.scratch.layout));
        }
        !self.seen.insert((bytes, pid))
    }

    #[inline]
    fn visit(&mut self, ty: u8, pc: usize) {
        let idx = self.program.control_state_index(ty, pc);
        if !self.visited[idx] {
            self.visited[idx] = true;
            for &point in self.program.points_of(idx) {
                self.reached[point as usize / 64] |= 1 << (point % 64);
            }
        }
    }

    fn next_key(&mut self) -> StepKey {
        let key = StepKey(self.initiator << 32 | self.ordinal);
        self.ordinal += 1;
        key
    }

    /// The memory in `scratch` is a successor.
    #[inline]
    fn emit(&mut self, out: &mut Batch) {
        let key = self.next_key();
        out.push(key, &self.scratch.bytes);
        if self.wanted == Some(key) {
            self.explained = Some(Explained { moves: self.moves_here(usize::MAX), failing: None });
        }
    }

    /// Reports what was wrong with the last attempt.
    #[inline]
    fn flush_trouble(&mut self, out: &mut Batch) {
        if !self.trouble.is_empty() {
            self.report_trouble(out);
        }
    }

    #[cold]
    fn report_trouble(&mut self, out: &mut Batch) {
        for trouble in self.trouble.take() {
            if trouble.limit {
                let location = Some(self.program.location(trouble.span));
                self.fault = Some(Fault { message: trouble.rule.sentence(&trouble.facts), location });
                continue;
            }
            self.fatal |= trouble.fatal;
            let key = self.next_key();
            let location = self.program.location(trouble.span);
            let inner = trouble.inner;
            out.report(Violation { key: Some(key), ..trouble.into_violation(location) });
            if self.wanted == Some(key) {
                self.explain_failure(inner);
            }
        }
    }

    /// The step `key` from the loaded state.
    pub(crate) fn explain(&mut self, key: StepKey) -> Option<Explained> {
        self.wanted = Some(key);
        self.explained = None;
        let mut out = Batch::new();
        let result = self.expand(&mut out);
        self.wanted = None;
        result.ok()?;
        self.explained.take()
    }

    /// Notes the moves to a failing statement, and the state before it; of a `d_step` it is the statement `inner`, from one.
    #[cold]
    fn explain_failure(&mut self, inner: usize) {
        // Whatever was wrong with an offer belongs to the first statement of whoever takes it.
        let inner = inner.max(1);
        let frame = &self.frames[self.depth];
        let failing = match (frame.kind, self.inner.get(inner - 1)) {
            // A rendezvous fails where both begin it.
            (FrameKind::Offer { sender, .. }, _) if inner == 1 => Failing {
                memory: self.frames[self.depth - 1].memory.clone(),
                pid: sender as usize,
                statement: self.frames[self.depth - 1].taken,
            },
            (_, Some(step)) => Failing {
                memory: step.before.clone(),
                pid: frame.pid as usize,
                statement: Some(step.statement),
            },
            (_, None) if self.inner.is_empty() => {
                Failing { memory: frame.memory.clone(), pid: frame.pid as usize, statement: frame.taken }
            }
            (_, None) => Failing { memory: self.scratch.clone(), pid: frame.pid as usize, statement: None },
        };
        self.explained = Some(Explained { moves: self.moves_here(inner), failing: Some(failing) });
    }

    /// The moves from the base frame to what is in `scratch`; of the last `d_step` only the first `most` statements.
    fn moves_here(&self, most: usize) -> Vec<RawMove> {
        let mut moves = Vec::new();
        for depth in 0..=self.depth {
            let frame = &self.frames[depth];
            let (after, inner, most) = match depth == self.depth {
                true => (&self.scratch, &self.inner, most),
                false => (&self.frames[depth + 1].memory, &frame.inner, usize::MAX),
            };
            let message = match frame.kind {
                FrameKind::Offer { .. } => frame.message.clone(),
                _ => Vec::new(),
            };
            let pid = frame.pid as usize;
            let mut add = |statement, before: &Memory, after: &Memory, message| {
                moves.push(RawMove { pid, statement, before: before.clone(), after: after.clone(), message });
            };
            if inner.is_empty() {
                if let Some(statement) = frame.taken {
                    add(statement, &frame.memory, after, message);
                }
                continue;
            }
            for (idx, step) in inner.iter().take(most).enumerate() {
                let after = inner.get(idx + 1).map_or(after, |next| &next.before);
                add(step.statement, &step.before, after, if idx == 0 { message.clone() } else { Vec::new() });
            }
        }
        moves
    }
}
