//! All successors of a state, in SPIN's order: processes from the youngest to the oldest, transitions as
//! listed.
//!
//! A step ends where SPIN would store a state. Inside an atomic sequence, and between the two halves of a
//! rendezvous, there are states that SPIN does not store. They are explored here on a small stack of frames,
//! without recursion. A process that blocks inside an atomic sequence ends the step there, and then any
//! process may move again.

use super::attempt::{Attempt, Attempted, Boot, InnerStep, Offer};
use super::eval::Eval;
use super::frames::Choice;
use super::layout::Layouts;
use super::moves::Explained;
use super::normal::{Normaliser, ObjectState, reached};
use super::object::FIRST;
use super::target::{ALL, Explored, StepTarget};
use super::{Memory, Trouble, Troubles, rules};
use crate::ir::{Action, Proctype, Statement, Transition};
use crate::program::Program;
use allways_model::{Batch, Fault, Halt, Limiter, StepKey, Violation};
use std::collections::HashSet;

/// After this many moves inside one step, repeated intermediate states are detected: atomic loops need not
/// end.
const MOVES_BEFORE_MATCHING: u64 = 100_000;
/// The number of moves within one expansion between two checks of the search's limits.
const MOVES_BETWEEN_CHECKS: u64 = 256;
/// A step with more nested moves than this is stopped.
const MAX_FRAMES: usize = 2_000_000;

/// The part of a key that names the process which begins a step: ascending in SPIN's order, with steps after
/// a timeout last.
fn initiator(pid: u64, timeout: bool) -> u64 {
    (if timeout { 511 } else { 255 }) - pid
}

/// The process that begins the step `key`.
pub(crate) fn actor(key: StepKey) -> u32 {
    255 - (key.0 >> 32) as u32 % 256
}

/// Whether the processes of a type call no function, enter no scope, hold no references and make no object.
fn is_plain(proctype: &Proctype) -> bool {
    let is_dynamic = |action: &Action| {
        matches!(action, Action::Call(_) | Action::Return(_) | Action::New(_) | Action::Delete(_))
    };
    proctype.references.is_empty()
        && proctype.scopes.iter().all(|scope| scope.flag.is_none() && scope.object.is_none())
        && !proctype.statements.iter().any(|statement| is_dynamic(&statement.action))
}

/// A call in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallLink {
    /// The body, followed by the statement.
    pub(super) code: usize,
    pub(super) statement: u32,
    /// The frame that it was made in; for a tail call, the caller of that frame.
    pub(super) frame: u32,
    pub(super) is_tail: bool,
}

/// An unstored state that is being explored.
#[derive(Debug, Default)]
pub(super) struct StepFrame {
    pub(super) memory: Memory,
    /// The process being tried, and the last one to try.
    pub(super) pid: i32,
    last: i32,
    /// The next of its transitions.
    pub(super) next: usize,
    /// The escape that was taken in this process; in models with functions, with its level.
    pub(super) escape: u32,
    /// Whether this process moved, which disables its `else`.
    pub(super) moved: bool,
    /// Whether anything moved.
    pub(super) any: bool,
    /// The next of the outcomes of one transition.
    pub(super) choice: usize,
    /// The calls since the last statement, each with the body that contains it.
    pub(super) chain: Vec<CallLink>,
    /// Whether this is the state after a call or a return, before the statement that is joined to it.
    pub(super) chained: bool,
    pub(super) kind: FrameKind,
    /// The message on offer, if this is a rendezvous.
    pub(super) message: Vec<i32>,
    /// Errors of the offer: they count only if the message is taken.
    pending: Vec<Trouble>,
    /// The statement that led from here to the frame above; for explanations.
    pub(super) taken: Option<u32>,
    /// The body of the statement: a process type or, for codes after all of them, a function.
    pub(super) code: usize,
    pub(super) inner: Vec<InnerStep>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// The state that is expanded.
    #[default]
    Base,
    /// Inside an atomic sequence.
    Atomic,
    /// Between the halves of a rendezvous.
    Offer { channel: i32, sender: i32 },
}

/// A worker's position: the loaded state, and memory that is reused from one expansion to the next.
pub(crate) struct Interpreter<'p> {
    pub(super) program: &'p Program,
    pub(crate) layouts: Layouts,
    pub(super) frames: Vec<StepFrame>,
    pub(super) depth: usize,
    pub(super) scratch: Memory,
    message: Vec<i32>,
    pub(super) trouble: Troubles,
    pub(super) inner: Vec<InnerStep>,
    visited: Vec<bool>,
    reached: Vec<u64>,
    /// The initiating process and the number of its events so far: the key of the next event.
    initiator: u64,
    ordinal: u64,
    timeout: bool,
    /// Whether a fatal error occurred in this expansion.
    fatal: bool,
    /// A limit of this tool that was reached, or the end of the search.
    halt: Option<Halt>,
    /// Whether lost objects are violations.
    leaks: bool,
    /// The fault by which a limit that the user can change has cut off a step since this was last taken.
    pub(crate) cut: Option<Fault>,
    /// Whether such a limit has cut off a step of the loaded state.
    is_cut: bool,
    pub(super) n_moves: u64,
    /// The state with scopes entered.
    pub(super) entered: Memory,
    /// A state in normal form.
    pub(super) normal: Vec<u8>,
    pub(super) normaliser: Normaliser,
    /// Whether the last attempt has more outcomes.
    pub(super) more: bool,
    /// In a model with dynamic features, for each process type: whether its processes call no function, enter
    /// no scope and make no object, so that they run as in a plain model.
    plain: Box<[bool]>,
    /// Reused memory for the transitions that can be tried.
    pub(super) choices: Vec<Choice<'p>>,
    seen: HashSet<(Vec<u8>, i32)>,
    /// The step to explain, and its moves once it was found.
    pub(super) wanted: Option<StepKey>,
    pub(super) explained: Option<Explained>,
}

impl<'p> Interpreter<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self {
            program,
            layouts: Layouts::new(program.lowered()),
            frames: vec![StepFrame::default()],
            depth: 0,
            scratch: Memory::default(),
            message: Vec::new(),
            trouble: Troubles { truncations: Some(program.truncations().clone()), ..Troubles::default() },
            inner: Vec::new(),
            visited: vec![false; program.n_control_states()],
            reached: vec![0; program.n_points().div_ceil(64)],
            initiator: 0,
            ordinal: 0,
            timeout: false,
            fatal: false,
            halt: None,
            leaks: program.lowered().dynamic.as_ref().is_some_and(|dynamic| dynamic.options.leaks),
            cut: None,
            is_cut: false,
            n_moves: 0,
            entered: Memory::default(),
            normal: Vec::new(),
            normaliser: Normaliser::default(),
            more: false,
            plain: program.lowered().proctypes.iter().map(is_plain).collect(),
            choices: Vec::new(),
            seen: HashSet::new(),
            wanted: None,
            explained: None,
        }
    }

    pub(crate) fn reached(&self) -> &[u64] {
        &self.reached
    }

    pub(crate) fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let boot = Boot {
            program: self.program.lowered(),
            layouts: &mut self.layouts,
            trouble: &self.trouble,
            frame: None,
        };
        boot.start_system(&mut self.scratch);
        if let Some(trouble) = self.trouble.take().into_iter().next() {
            if self.program.is_dynamic() && !trouble.limit {
                self.scratch = Memory::default();
                self.scratch.bytes.resize(self.layouts.get(Layouts::root()).size as usize, 0);
                self.push_scratch(StepKey(0), out);
                return Ok(());
            }
            let location = Some(self.program.location(trouble.span));
            let message = format!("the initial state: {}", trouble.rule.sentence(&trouble.facts));
            return Err(Fault { message, location, ..Fault::default() }.into());
        }
        self.push_scratch(StepKey(0), out);
        Ok(())
    }

    /// The error in the start of a model with dynamic features, if there is one. Then the only state has no
    /// processes.
    pub(crate) fn failing_start(program: &Program) -> Option<Violation> {
        if !program.is_dynamic() {
            return None;
        }
        let (mut layouts, mut memory, trouble) =
            (Layouts::new(program.lowered()), Memory::default(), Troubles::default());
        Boot { program: program.lowered(), layouts: &mut layouts, trouble: &trouble, frame: None }
            .start_system(&mut memory);
        let trouble = trouble.take().into_iter().next().filter(|trouble| !trouble.limit)?;
        let location = program.location(trouble.span);
        Some(trouble.into_violation(location))
    }

    /// Begins to expand the loaded state.
    pub(super) fn begin(&mut self) {
        self.n_moves = 0;
        self.seen.clear();
        self.fatal = false;
        self.is_cut = false;
        self.timeout = false;
    }

    /// Whether a limit that the user can change has cut off a step of the loaded state.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// From now on, expansions ask `limiter` whether they may continue.
    pub(crate) fn limit(&mut self, limiter: &Limiter) {
        self.trouble.limiter = limiter.clone();
    }

    /// Counts a move of this expansion, and checks the limits from time to time.
    #[inline]
    pub(super) fn count_move(&mut self, out: &Batch) -> Result<(), Halt> {
        self.n_moves += 1;
        if self.n_moves.is_multiple_of(MOVES_BETWEEN_CHECKS) {
            self.check_limits(out)?;
        }
        Ok(())
    }

    /// Ends an expansion of very many moves if the search is to stop, or if memory runs out.
    #[cold]
    fn check_limits(&self, out: &Batch) -> Result<(), Halt> {
        let each = self.scratch.bytes.len() + size_of::<StepFrame>();
        self.trouble.limiter.check(out, (self.depth + self.seen.len()) * each)
    }

    /// The loaded state.
    pub(super) fn memory(&self) -> &Memory {
        &self.frames[0].memory
    }

    /// Whether an error occurred in this expansion after which the run cannot continue.
    pub(super) fn has_failed(&self) -> bool {
        self.fatal
    }

    /// Like [`StepTarget::explore`], for all processes after a timeout.
    pub(super) fn explore_after_timeout(&mut self, out: &mut Batch) -> Result<Explored, Halt> {
        self.timeout = true;
        let explored = self.explore(ALL, out);
        self.timeout = false;
        explored
    }

    /// Records that every process of the loaded state has reached its control state, even if it is not tried
    /// there.
    pub(super) fn visit_all(&mut self) {
        for pid in 0..usize::from(self.frames[0].memory.bytes[0]) {
            let memory = &self.frames[0].memory;
            if self.program.lowered().dynamic.is_some() {
                let eval = Eval::new(self.program.lowered(), &self.layouts, memory, pid, &self.trouble);
                let (code, pc) = eval.at_frame(eval.top_frame(eval.record));
                self.visit_code(code, pc);
                continue;
            }
            let slot = self.layouts.get(memory.layout).processes[pid];
            let at = slot.offset as usize;
            let pc = usize::from(u16::from_le_bytes([memory.bytes[at + 2], memory.bytes[at + 3]]));
            self.visit(slot.ty.0, pc);
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
        frame.choice = 0;
        frame.chain.clear();
        frame.chained = false;
        frame.pending.clear();
    }

    /// Pushes a frame with the memory in `scratch`.
    pub(super) fn push_frame(&mut self, kind: FrameKind, pid: i32, last: i32) -> Result<(), Halt> {
        if self.depth + 1 >= MAX_FRAMES {
            let message = format!("an atomic sequence of more than {MAX_FRAMES} moves");
            return Err(Fault { message, ..Fault::default() }.into());
        }
        if self.depth + 1 == self.frames.len() {
            self.frames.push(StepFrame::default());
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
    fn advance(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        let lowered = self.program.lowered();
        let frame = &self.frames[self.depth];
        let pid = frame.pid;
        let slot = self.layouts.get(frame.memory.layout).processes[pid as usize];
        if lowered.dynamic.is_some() && !self.plain[usize::from(slot.ty.0)] {
            return self.advance_dynamic(out);
        }
        let at = slot.offset as usize;
        let pc = usize::from(u16::from_le_bytes([frame.memory.bytes[at + 2], frame.memory.bytes[at + 3]]));
        let proctype = &lowered.proctypes[usize::from(slot.ty.0)];
        if frame.next == 0 && !self.arrive(proctype, slot.ty.0, pc, out) {
            return Ok(false);
        }
        let list = &proctype.transitions[pc];
        while let Some(transition) = list.get(self.frames[self.depth].next) {
            let frame = &mut self.frames[self.depth];
            frame.next += 1;
            if frame.escape > 0 && frame.escape != u32::from(transition.escape) {
                return Ok(false);
            }
            let statement = &proctype.statements[transition.statement as usize];
            (frame.taken, frame.code) = (Some(transition.statement), usize::from(slot.ty.0));
            let attempted = self.attempt_in(proctype, statement, transition.statement, None, false);
            if attempted == Attempted::Blocked {
                self.after_blocking(out)?;
                continue;
            }
            self.count_move(out)?;
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
            self.go_on(attempted, transition, out)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Tries the frame's process for the first time in its control state; false if it cannot move at all.
    #[inline]
    fn arrive(&mut self, proctype: &Proctype, ty: u8, pc: usize, out: &mut Batch) -> bool {
        let frame = &self.frames[self.depth];
        let pid = frame.pid;
        if let FrameKind::Offer { sender, .. } = frame.kind
            && (sender == pid || !proctype.may_take[pc])
        {
            return false;
        }
        let is_free = !self.program.lowered().features.priority && proctype.provided.is_none();
        if !is_free && !self.may_run(pid) {
            self.frames[self.depth].taken = None;
            self.inner.clear();
            self.flush_trouble(out);
            return false;
        }
        self.visit(ty, pc);
        let frame = &mut self.frames[self.depth];
        frame.moved = false;
        frame.escape = 0;
        true
    }

    /// Tries a statement of the frame's process; leaves the result in `scratch`.
    #[inline]
    pub(super) fn attempt_in(
        &mut self,
        proctype: &Proctype,
        statement: &Statement,
        index: u32,
        in_frame: Option<u32>,
        entered: bool,
    ) -> Attempted {
        let frame = &self.frames[self.depth];
        let offer = match frame.kind {
            FrameKind::Offer { channel, .. } => Some(Offer { channel, message: &frame.message }),
            _ => None,
        };
        self.inner.clear();
        self.trouble.set_inner(0);
        let mut attempt = Attempt {
            program: self.program.lowered(),
            layouts: &mut self.layouts,
            memory: if entered { &self.entered } else { &frame.memory },
            scratch: &mut self.scratch,
            trouble: &self.trouble,
            pid: frame.pid as usize,
            timeout: self.timeout && self.depth == 0,
            moved: frame.moved,
            offer,
            message: &mut self.message,
            inner: self.wanted.is_some().then_some(&mut self.inner),
            frame: in_frame,
            index,
            choice: frame.choice,
            more: false,
        };
        let attempted = attempt.try_statement(proctype, statement);
        self.more = attempt.more;
        attempted
    }

    /// An attempt that changes `scratch` for a process, outside any statement.
    pub(super) fn attempt_on_scratch(&mut self, pid: usize) -> Attempt<'_> {
        Attempt {
            program: self.program.lowered(),
            layouts: &mut self.layouts,
            memory: &self.frames[self.depth].memory,
            scratch: &mut self.scratch,
            trouble: &self.trouble,
            pid,
            timeout: false,
            moved: false,
            offer: None,
            message: &mut self.message,
            inner: None,
            frame: None,
            index: 0,
            choice: 0,
            more: false,
        }
    }

    /// Handles a statement that is not executable, or after which the run cannot continue.
    #[inline]
    pub(super) fn after_blocking(&mut self, out: &mut Batch) -> Result<(), Halt> {
        if !self.trouble.is_empty() && self.inner.is_empty() {
            // Nothing was executed: the contents of `scratch` belong to no state.
            self.scratch.copy_from(&self.frames[self.depth].memory);
        }
        // Whether the statement was executable is not known, so `else` must not be taken instead.
        let is_fatal = self.trouble.is_fatal();
        self.frames[self.depth].moved |= is_fatal;
        // The run ends here: the process does not stay here while others continue. (In SPIN it does.)
        self.frames[self.depth].any |= is_fatal && self.depth > 0 && self.program.is_dynamic();
        self.flush_trouble(out);
        self.halt.take().map_or(Ok(()), Err)
    }

    /// Continues inside the step after a statement that was executed or offers a message, or ends the step in
    /// `scratch`.
    #[inline]
    fn go_on(&mut self, attempted: Attempted, transition: &Transition, out: &mut Batch) -> Result<(), Halt> {
        let frame = &mut self.frames[self.depth];
        let pid = frame.pid;
        frame.escape = u32::from(transition.escape);
        if let Attempted::Offered(channel) = attempted {
            return self.push_offer(channel, pid);
        }
        self.restore_pending();
        self.flush_trouble(out);
        // The statement may have dropped a message.
        if self.leaks {
            self.report_lost(out);
        }
        let frame = &mut self.frames[self.depth];
        frame.moved = true;
        frame.any = true;
        if !transition.atomic {
            self.emit(out);
        } else if !self.is_repeated(pid) {
            self.push_frame(FrameKind::Atomic, pid, pid)?;
        }
        Ok(())
    }

    /// Lets the other processes take the message on offer.
    pub(super) fn push_offer(&mut self, channel: i32, pid: i32) -> Result<(), Halt> {
        let n_processes = i32::from(self.scratch.bytes[0]);
        self.push_frame(FrameKind::Offer { channel, sender: pid }, n_processes - 1, 0)?;
        let frame = &mut self.frames[self.depth];
        frame.message.clone_from(&self.message);
        if !self.trouble.is_empty() {
            frame.pending = self.trouble.take();
        }
        Ok(())
    }

    /// Counts the errors of an offer once the message is taken.
    #[inline]
    pub(super) fn restore_pending(&mut self) {
        let frame = &mut self.frames[self.depth];
        if !frame.pending.is_empty() {
            let pending = std::mem::take(&mut frame.pending);
            let later = self.trouble.take();
            pending.into_iter().chain(later).for_each(|trouble| self.trouble.put_back(trouble));
        }
    }

    /// Reports a second move, in this state, of a process that must not have a choice. As in SPIN, jumps do
    /// not count.
    #[cold]
    pub(super) fn check_choice(&self, statement: &Statement) {
        if !matches!(statement.action, Action::Skip | Action::Else | Action::DStep(_)) {
            self.trouble.raise(Trouble::error(statement.span, &rules::CHOICE_IN_D_PROCTYPE));
        }
    }

    /// Whether priorities and the `provided` clause let a process run.
    #[cold]
    pub(super) fn may_run(&self, pid: i32) -> bool {
        let lowered = self.program.lowered();
        let memory = &self.frames[self.depth].memory;
        let mut eval = Eval::new(lowered, &self.layouts, memory, pid as usize, &self.trouble);
        eval.timeout = self.timeout && self.depth == 0;
        eval.is_provided(pid as usize) && !(lowered.features.priority && eval.is_outranked())
    }

    /// After very many moves in one step, whether this intermediate state was already reached in it.
    pub(super) fn is_repeated(&mut self, pid: i32) -> bool {
        if self.n_moves < MOVES_BEFORE_MATCHING {
            return false;
        }
        let mut bytes = self.scratch.bytes.clone();
        if self.program.lowered().dynamic.is_some() {
            let state = ObjectState::of(&self.scratch);
            let size = self.normaliser.write(self.program.lowered(), &self.layouts, state, &mut bytes);
            bytes.truncate(size);
        }
        if let Some(keeps) = &self.program.lowered().keeps {
            keeps.forget(&mut bytes, self.program.lowered(), &mut self.layouts);
        }
        !self.seen.insert((bytes, pid))
    }

    #[inline]
    fn visit(&mut self, ty: u8, pc: usize) {
        self.visit_code(usize::from(ty), pc);
    }

    #[inline]
    pub(super) fn visit_code(&mut self, ty: usize, pc: usize) {
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

    /// Appends the memory in `scratch` as a successor.
    #[inline]
    pub(super) fn emit(&mut self, out: &mut Batch) {
        let key = self.next_key();
        self.push_scratch(key, out);
        if self.wanted == Some(key) {
            self.explained = Some(Explained { moves: self.moves_here(usize::MAX), failing: None });
        }
    }

    /// Appends `scratch` in normal form.
    #[inline]
    fn push_scratch(&mut self, key: StepKey, out: &mut Batch) {
        if self.program.lowered().dynamic.is_some() {
            self.push_normal(key, out);
        } else {
            out.push(key, &self.scratch.bytes);
        }
    }

    fn push_normal(&mut self, key: StepKey, out: &mut Batch) {
        let lowered = self.program.lowered();
        if !self.scratch.moved {
            out.push(key, &self.scratch.bytes);
            return;
        }
        let (state, layouts) = (ObjectState::of(&self.scratch), &self.layouts);
        let room = out.room(state.bytes.len());
        let size = self.normaliser.write(lowered, layouts, state, room);
        out.commit(key, size);
    }

    /// Reports the objects that the last statement has lost, if that is an error. The key of the report comes
    /// before that of the state that the statement leads to, so a search meets it before what follows that
    /// state.
    pub(super) fn report_lost(&mut self, out: &mut Batch) {
        let lowered = self.program.lowered();
        let Some(dynamic) = lowered.dynamic.as_ref().filter(|_| self.leaks && self.scratch.moved) else {
            return;
        };
        let (state, layouts) = (ObjectState::of(&self.scratch), &self.layouts);
        let normal = &mut self.normal;
        normal.resize(state.bytes.len(), 0);
        self.normaliser.write(lowered, layouts, state, normal);
        let lost = self.normaliser.lost(layouts, state);
        if lost.is_empty() {
            return;
        }
        // Objects lost earlier have been reported there. A message that is taken was with its sender before.
        let is_taken = matches!(self.frames[self.depth].kind, FrameKind::Offer { .. });
        let memory = &self.frames[self.depth - usize::from(is_taken)].memory;
        let n_before = memory.objects.len() as u32 + FIRST;
        let shapes = layouts.shapes();
        let before =
            shapes.map_or_else(Vec::new, |shapes| reached(shapes, layouts.get(memory.layout), memory));
        let statement = self.frames[self.depth].taken.unwrap_or(0) as usize;
        let span = lowered.body(self.frames[self.depth].code).statements[statement].span;
        for lost in lost.iter().filter(|lost| lost.number >= n_before || before.contains(&lost.number)) {
            let name = &dynamic.object(lost.ty).name;
            self.trouble.raise(Trouble::error(span, &rules::LEAK).with("object", name).about(lost.number));
        }
        self.flush_trouble(out);
    }

    /// Reports the errors of the last attempt.
    #[inline]
    pub(super) fn flush_trouble(&mut self, out: &mut Batch) {
        if !self.trouble.is_empty() {
            self.report_trouble(out);
        }
    }

    /// Records that the last attempt exceeds a limit that the user can change.
    fn cut_off(&mut self, fault: Fault) {
        self.cut.get_or_insert(fault);
        self.is_cut = true;
    }

    #[cold]
    fn report_trouble(&mut self, out: &mut Batch) {
        for trouble in self.trouble.take() {
            if trouble.limit {
                let location = Some(self.program.location(trouble.span));
                let limit = trouble.limit_name;
                let fault = || Fault { message: trouble.rule.sentence(&trouble.facts), location, limit };
                if limit.is_some() {
                    self.cut_off(fault());
                } else {
                    let is_ours = std::ptr::eq(trouble.rule, &rules::STOPPED);
                    self.halt = Some(if is_ours { Halt::Stopped } else { fault().into() });
                }
                continue;
            }
            self.fatal |= trouble.fatal;
            let key = self.next_key();
            let location = self.program.location(trouble.span);
            let (inner, object) = (trouble.inner, trouble.object);
            out.report(Violation { key: Some(key), ..trouble.into_violation(location) });
            if self.wanted == Some(key) {
                self.explain_failure(inner, object);
            }
        }
    }
}

impl StepTarget for Interpreter<'_> {
    fn load(&mut self, state: &[u8]) {
        let memory = &mut self.frames[0].memory;
        memory.bytes.clear();
        memory.bytes.extend_from_slice(state);
        memory.layout = self.layouts.of(state, self.program.lowered());
        if let Some(dynamic) = &self.program.lowered().dynamic {
            let start = self.layouts.get(memory.layout).size as usize;
            memory.find_objects(dynamic, start);
        }
    }

    fn explore(&mut self, set: u64, out: &mut Batch) -> Result<Explored, Halt> {
        let n_processes = i32::from(self.frames[0].memory.bytes[0]);
        self.depth = 0;
        self.reset_frame(0, FrameKind::Base, n_processes - 1, 0);
        loop {
            while self.frames[self.depth].pid >= self.frames[self.depth].last {
                if self.depth == 0 && self.frames[0].next == 0 && self.frames[0].choice == 0 {
                    if set != ALL && set >> self.frames[0].pid & 1 == 0 {
                        self.frames[0].pid -= 1;
                        continue;
                    }
                    self.initiator = initiator(self.frames[0].pid as u64, self.timeout);
                    self.ordinal = 0;
                    // The process's steps do not depend on the number of moves that others made before.
                    self.n_moves = 0;
                    self.seen.clear();
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
                FrameKind::Base => return Ok(if any { Explored::Done } else { Explored::Nothing }),
                FrameKind::Atomic => {
                    if !any {
                        // Blocked inside an atomic sequence: any process may move again, from a state that is
                        // stored.
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
}
