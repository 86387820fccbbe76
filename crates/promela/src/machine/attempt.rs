//! Tries to execute one statement of one process in one state.

use super::channel;
use super::eval::{Eval, write};
use super::layout::{ChannelSlot, Layouts};
use super::{Memory, Trouble, Troubles, rules};
use crate::ir::{Action, Base, Expr, Field, Proctype, Receive, RunProcess, Send, Setup, Statement, Target};
use crate::lower::{HEADER_SIZE, Lowered, MAX_CHANNELS, MAX_PROCESSES};
use crate::syntax::ast::Span;

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempted {
    /// The statement is not executable.
    Blocked,
    /// It was executed.
    Done,
    /// It offers a message on a rendezvous channel, and is executed only if another process takes it.
    Offered(i32),
}

/// A message on offer on a rendezvous channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer<'a> {
    pub(crate) channel: i32,
    pub(crate) message: &'a [i32],
}

/// A statement inside a `d_step`, with the memory in which it was executed; for explanations.
#[derive(Clone, Debug)]
pub(crate) struct InnerStep {
    pub(crate) statement: u32,
    pub(crate) before: Memory,
}

/// The process and the state in which a statement is tried. The result goes to `scratch`.
pub(crate) struct Attempt<'a> {
    pub(crate) program: &'a Lowered,
    pub(crate) layouts: &'a mut Layouts,
    pub(crate) memory: &'a Memory,
    pub(crate) scratch: &'a mut Memory,
    pub(crate) trouble: &'a Troubles,
    pub(crate) pid: usize,
    pub(crate) timeout: bool,
    /// Whether another statement of this process was executable, which disables `else`.
    pub(crate) moved: bool,
    pub(crate) offer: Option<Offer<'a>>,
    /// Receives the fields of a message on offer.
    pub(crate) message: &'a mut Vec<i32>,
    /// Records the statements inside a `d_step`, if they are wanted.
    pub(crate) inner: Option<&'a mut Vec<InnerStep>>,
    /// The frame in which the statement runs, if it is not the top one; zero is the process itself.
    pub(crate) frame: Option<u32>,
    /// The statement's number in its body.
    pub(crate) index: u32,
    /// Which of several outcomes is wanted, and whether there are more.
    pub(crate) choice: usize,
    pub(crate) more: bool,
}

impl<'a> Attempt<'a> {
    pub(crate) fn try_statement(&mut self, proctype: &Proctype, statement: &Statement) -> Attempted {
        if let Action::DStep(idx) = statement.action {
            self.scratch.copy_from(self.memory);
            return self.try_d_step(proctype, &proctype.d_steps[idx as usize]);
        }
        if self.offer.is_some() && !matches!(statement.action, Action::Receive(_)) {
            return Attempted::Blocked;
        }
        // The most frequent reasons to block are checked before anything is copied.
        let blocked = match &statement.action {
            Action::Guard(Expr::Run(_)) => false,
            Action::Guard(e) => !self.eval(self.memory).holds(e) || self.is_fatal(),
            Action::Else => self.moved,
            Action::End => self.pid + 1 != usize::from(self.memory.bytes[0]),
            Action::Send(_) | Action::Receive(_) => {
                !self.eval(self.memory).could_pass(statement, self.offer.is_some())
            }
            _ => false,
        };
        if blocked {
            return Attempted::Blocked;
        }
        self.scratch.copy_from(self.memory);
        self.perform(statement, false)
    }

    pub(crate) fn eval<'b>(&'b self, memory: &'b Memory) -> Eval<'b> {
        let mut eval = Eval::new(self.program, self.layouts, memory, self.pid, self.trouble);
        eval.timeout = self.timeout;
        if let Some(frame) = self.frame {
            eval.set_frame(frame);
        }
        eval
    }

    pub(crate) fn raise(&self, trouble: Trouble) {
        self.trouble.raise(trouble);
    }

    /// Whether an error occurred after which the run cannot continue.
    #[inline]
    pub(crate) fn is_fatal(&self) -> bool {
        self.trouble.is_fatal()
    }

    /// Executes a statement in `scratch`. If the statement blocks, the contents of `scratch` are unspecified.
    pub(crate) fn perform(&mut self, statement: &Statement, in_d_step: bool) -> Attempted {
        let run_result = if statement.has_run { self.start_all(&statement.action) } else { 0 };
        let done = match &statement.action {
            Action::Printf(_, args) if self.program.dynamic.is_some() => self.print(args),
            Action::Skip | Action::Else | Action::Printf(..) | Action::Printm(..) => Attempted::Done,
            Action::Guard(e) => self.guard(e),
            Action::Assign(target, value) => self.assign(target, value, run_result, statement),
            Action::Send(send) => self.send(send, statement, in_d_step),
            Action::Receive(receive) => self.receive(receive, statement),
            Action::Assert(e, text) => {
                let mut eval = self.eval(self.scratch);
                eval.run_result = run_result;
                if !eval.holds(e) && !self.is_fatal() {
                    self.raise(Trouble::error(statement.span, &rules::ASSERTION).with("condition", text));
                }
                Attempted::Done
            }
            Action::SetPriority(process, value) => self.set_priority(process, value, statement.span),
            Action::End => {
                self.end();
                Attempted::Done
            }
            Action::New(new) => self.new_object(new, statement.span, in_d_step),
            Action::Delete(delete) => self.delete(delete, statement.span),
            Action::Call(call) => self.call(call, statement.state.0, statement.span),
            Action::Return(returned) => self.return_from(returned, statement.span),
            Action::DStep(_) | Action::Event(_) => Attempted::Blocked,
        };
        if self.is_fatal() { Attempted::Blocked } else { done }
    }

    fn guard(&mut self, e: &Expr) -> Attempted {
        if let Expr::Run(run) = e {
            // The identity of a new process is never zero, because it is never the first process.
            return if self.start(run) > 0 { Attempted::Done } else { Attempted::Blocked };
        }
        if self.eval(self.scratch).holds(e) { Attempted::Done } else { Attempted::Blocked }
    }

    fn assign(&mut self, target: &Target, value: &Expr, run_result: i32, statement: &Statement) -> Attempted {
        let mut eval = self.eval(self.scratch);
        eval.run_result = run_result;
        let value = eval.eval(value);
        // An error in an element that is both read and written is reported once.
        if !self.is_fatal() {
            self.store(target, value, run_result, statement);
        }
        Attempted::Done
    }

    /// Starts the processes that the expressions of an action run, except for a bare condition. Returns the
    /// identity of the last one. A `run` that C would not evaluate is not executed.
    #[cold]
    fn start_all(&mut self, action: &Action) -> i32 {
        let mut result = 0;
        match action {
            Action::Assign(target, value) => {
                self.start_in(value, &mut result);
                if let Target::Place(place) = target {
                    place.indices.iter().for_each(|index| self.start_in(&index.value, &mut result));
                }
            }
            Action::Assert(e, _) | Action::Printm(e, _) => self.start_in(e, &mut result),
            Action::Printf(_, args) => args.iter().for_each(|e| self.start_in(e, &mut result)),
            _ => {}
        }
        result
    }

    /// Reads what is printed through pointers, because null and dangling ones are errors here too.
    fn print(&self, args: &[Expr]) -> Attempted {
        let eval = self.eval(self.scratch);
        args.iter().filter(|e| e.follows_pointer()).for_each(|e| _ = eval.eval(e));
        Attempted::Done
    }

    fn start_in(&mut self, e: &Expr, result: &mut i32) {
        let holds = |this: &Self, e: &Expr, result: i32| {
            let mut eval = this.eval(this.scratch);
            eval.run_result = result;
            eval.holds(e)
        };
        match e {
            Expr::Run(run) => *result = self.start(run),
            Expr::Unary(_, a) | Expr::WithConst(_, a, _) => self.start_in(a, result),
            Expr::Binary(_, a, b, _) => {
                self.start_in(a, result);
                self.start_in(b, result);
            }
            Expr::And(a, b) | Expr::Or(a, b) => {
                self.start_in(a, result);
                if holds(self, a, *result) == matches!(e, Expr::And(..)) {
                    self.start_in(b, result);
                }
            }
            Expr::Cond(c, a, b) => {
                self.start_in(c, result);
                let chosen = if holds(self, c, *result) { a } else { b };
                self.start_in(chosen, result);
            }
            Expr::Load(place) => place.indices.iter().for_each(|index| self.start_in(&index.value, result)),
            _ => {}
        }
    }

    pub(crate) fn store(&mut self, target: &Target, value: i32, run_result: i32, statement: &Statement) {
        match target {
            Target::Place(place) => {
                let mut eval = self.eval(self.scratch);
                eval.run_result = run_result;
                let at = eval.offset(place);
                if self.is_fatal() {
                    return;
                }
                self.trouble.note_cut(statement.span, &statement.text, place.scalar, value);
                self.scratch.moved |= place.scalar == crate::ir::Scalar::Pointer;
                write(&mut self.scratch.bytes, at, place.scalar, value);
            }
            Target::Forgotten(scalar) => {
                self.trouble.note_cut(statement.span, &statement.text, *scalar, value);
            }
            Target::Discard | Target::Either(_) => {}
            Target::Priority => {
                let base = self.eval(self.scratch).record;
                self.scratch.bytes[base + 1] = value as u8;
            }
        }
    }

    fn send(&mut self, send: &Send, statement: &Statement, in_d_step: bool) -> Attempted {
        let span = statement.span;
        self.message.clear();
        let mut eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        if let Some(frame) = self.frame {
            eval.set_frame(frame);
        }
        let id = eval.eval(&send.channel);
        let Some(slot) = eval.channel(id, span) else { return Attempted::Blocked };
        let (length, capacity) = (eval.length(slot), eval.capacity(slot));
        if capacity > 0 && length >= capacity {
            return Attempted::Blocked;
        }
        if let Some(dynamic) = &self.program.dynamic
            && capacity == 0
            && !dynamic.escapes
            && !eval.has_receiver(id)
        {
            return Attempted::Blocked;
        }
        if self.program.check_exclusive {
            eval.check_exclusive(id, false, true, span);
        }
        let fields = &self.program.channel_types[usize::from(slot.ty.0)].fields;
        if self.program.dynamic.is_none() {
            self.message.extend(send.args.iter().map(|arg| eval.eval(arg)));
        } else {
            let values = send.args.iter().enumerate().map(|(idx, arg)| match fields.get(idx) {
                Some(field) => eval.eval_for(arg, field, "what is sent", span),
                None => eval.eval(arg),
            });
            self.message.extend(values);
            if send.sorted && fields.iter().any(crate::ir::takes_reference) {
                self.raise(Trouble::fatal(span, &rules::SORTED_REFERENCES));
            }
            if self.is_fatal() {
                return Attempted::Blocked;
            }
        }
        let (given, expected) = (self.message.len(), fields.len());
        if given != expected {
            let what = if given > expected { "more" } else { "fewer" };
            let trouble = Trouble::error(span, &rules::FIELDS_SENT).with("comparison", what);
            self.raise(trouble.with("given", given).with("expected", expected));
            self.message.resize(expected, 0);
        }
        for (value, (scalar, _)) in self.message.iter().zip(fields) {
            self.trouble.note_cut(span, &statement.text, *scalar, *value);
        }
        if capacity == 0 {
            if in_d_step {
                self.raise(Trouble::fatal(span, &rules::RENDEZVOUS_IN_D_STEP));
                return Attempted::Blocked;
            }
            for (value, (scalar, _)) in self.message.iter_mut().zip(fields) {
                *value = scalar.truncate(*value);
            }
            self.watch_offer(id, span);
            return Attempted::Offered(id);
        }
        let ty = &self.program.channel_types[usize::from(slot.ty.0)];
        channel::insert(&mut self.scratch.bytes, slot, ty, self.message, send.sorted);
        self.note_references(slot);
        self.watch_send(id, slot, span);
        Attempted::Done
    }

    /// Records that the messages of a channel changed.
    #[inline]
    fn note_references(&mut self, slot: ChannelSlot) {
        if let Some(shapes) = self.layouts.shapes() {
            self.scratch.moved |= shapes.refers(slot.ty.0);
        }
    }

    fn receive(&mut self, receive: &Receive, statement: &Statement) -> Attempted {
        let span = statement.span;
        let eval = self.eval(self.scratch);
        let id = eval.eval(&receive.channel);
        let Some(slot) = eval.channel(id, span) else { return Attempted::Blocked };
        if eval.capacity(slot) == 0 {
            return self.take_offer(receive, id, slot, statement);
        }
        if self.offer.is_some() {
            return Attempted::Blocked;
        }
        let Some(message) = eval.matching_message(receive, slot, span) else { return Attempted::Blocked };
        if self.program.check_exclusive {
            eval.check_exclusive(id, true, false, span);
        }
        let n_fields = self.program.channel_types[usize::from(slot.ty.0)].fields.len();
        for (idx, field) in receive.fields.iter().enumerate() {
            if let Field::Store(target) = field {
                let value = self.eval(self.scratch).field(slot, message, idx);
                self.store_field(target, value, (slot, idx), statement);
            }
        }
        if !receive.peek {
            self.watch_receive(id, slot, span);
            let ty = &self.program.channel_types[usize::from(slot.ty.0)];
            channel::remove(&mut self.scratch.bytes, slot, ty, message);
            self.note_references(slot);
            self.check_field_count(receive, n_fields, span);
        }
        Attempted::Done
    }

    /// Stores a field of a message; the kind of the field decides what a pointer stands for.
    fn store_field(
        &mut self,
        target: &Target,
        value: i32,
        (slot, field): (ChannelSlot, usize),
        statement: &Statement,
    ) {
        if self.program.dynamic.is_none() || matches!(target, Target::Priority) {
            self.store(target, value, 0, statement);
            return;
        }
        match target.for_formal(&self.program.channel_types[usize::from(slot.ty.0)].fields[field]) {
            Some(Some(place)) => self.store(&Target::Place(place.clone()), value, 0, statement),
            Some(None) => {}
            None => {
                let formal = &self.program.channel_types[usize::from(slot.ty.0)].fields[field];
                let eval = self.eval(self.scratch);
                let taker = match target {
                    Target::Either(either) => eval.kind_name(&either.kind),
                    _ => "a variable for values".into(),
                };
                let is = eval.kind_name(&formal.1);
                let trouble = Trouble::fatal(statement.span, &rules::KIND_TAKEN);
                self.raise(trouble.with("is", is).with("wanted", taker));
            }
        }
    }

    fn check_field_count(&self, receive: &Receive, n_fields: usize, span: Span) {
        if receive.fields.len() < n_fields {
            let trouble = Trouble::error(span, &rules::FIELDS_RECEIVED);
            self.raise(trouble.with("given", receive.fields.len()).with("expected", n_fields));
        }
    }

    /// Takes the message on offer on a rendezvous channel, if it is on this channel and matches.
    fn take_offer(
        &mut self,
        receive: &Receive,
        id: i32,
        slot: ChannelSlot,
        statement: &Statement,
    ) -> Attempted {
        let span = statement.span;
        if receive.peek {
            self.raise(Trouble::error(span, &rules::POLL_OF_RENDEZVOUS));
            return Attempted::Blocked;
        }
        let Some(offer) = self.offer.filter(|offer| offer.channel == id) else { return Attempted::Blocked };
        let n_fields = self.program.channel_types[usize::from(slot.ty.0)].fields.len();
        if receive.fields.len() > n_fields {
            self.raise(Trouble::fatal(span, &rules::MESSAGE_TOO_SHORT));
            return Attempted::Blocked;
        }
        if !self.eval(self.scratch).matches(receive, slot, span, |idx| offer.message[idx]) {
            return Attempted::Blocked;
        }
        for (idx, field) in receive.fields.iter().enumerate() {
            if let Field::Store(target) = field {
                self.store_field(target, offer.message[idx], (slot, idx), statement);
            }
        }
        self.watch_taken(id, offer.message, span);
        self.check_field_count(receive, n_fields, span);
        self.offer = None;
        Attempted::Done
    }

    fn set_priority(&mut self, process: &Expr, value: &Expr, span: Span) -> Attempted {
        let eval = self.eval(self.scratch);
        let (process, value) = (eval.eval(process), eval.eval(value));
        let slot = usize::try_from(process).ok().and_then(|pid| eval.layout.processes.get(pid));
        let Some(offset) = slot.map(|slot| slot.offset as usize) else { return Attempted::Done };
        match u8::try_from(value) {
            Ok(value @ 1..) => self.scratch.bytes[offset + 1] = value,
            _ => self.raise(Trouble::fatal(span, &rules::PRIORITY).with("priority", value)),
        }
        Attempted::Done
    }

    /// Ends the youngest process and its channels.
    fn end(&mut self) {
        let layout = self.layouts.get(self.scratch.layout);
        let slot = layout.processes[self.pid];
        let (offset, size) = (slot.offset as usize, layout.size as usize);
        if self.program.dynamic.is_some() {
            let body = &self.program.proctypes[usize::from(slot.ty.0)];
            super::scope::end_all(self.program, body, self.scratch, offset);
            self.scratch.remove_static(offset, size);
        } else {
            self.scratch.bytes.truncate(offset);
        }
        self.scratch.bytes[0] -= 1;
        self.scratch.layout = self.layouts.pop(self.scratch.layout);
    }

    /// Starts a process in `scratch` and returns its identity.
    pub(crate) fn start(&mut self, run: &RunProcess) -> i32 {
        let args: Vec<i32> = {
            let eval = self.eval(self.scratch);
            run.args.iter().map(|arg| eval.eval(arg)).collect()
        };
        if self.is_fatal() {
            return 0;
        }
        let n_processes = usize::from(self.scratch.bytes[0]);
        let proctype = &self.program.proctypes[usize::from(run.proctype.0)];
        let n_channels = self.layouts.get(self.scratch.layout).channels.len();
        let more = proctype.setup.iter().filter(|step| matches!(step, Setup::Channel(..))).count();
        if n_processes >= MAX_PROCESSES {
            self.raise(Trouble::fatal(run.span, &rules::TOO_MANY_PROCESSES));
            return 0;
        }
        if n_channels + more > MAX_CHANNELS {
            self.raise(Trouble::fatal(run.span, &rules::TOO_MANY_CHANNELS));
            return 0;
        }
        for (param, value) in proctype.params.iter().zip(&args) {
            let what = || format!("run {}", proctype.name);
            if param.scalar.truncate(*value) != *value {
                self.trouble.note_cut(run.span, &what(), param.scalar, *value);
            }
        }
        let boot = Boot { program: self.program, layouts: self.layouts, trouble: self.trouble, frame: None };
        boot.start_process(self.scratch, run.proctype, run.priority, &args);
        n_processes as i32
    }
}

impl Eval<'_> {
    /// Whether a send or a receive may be executable: a quick check before anything is copied.
    fn could_pass(&self, statement: &Statement, offered: bool) -> bool {
        match &statement.action {
            Action::Send(send) => {
                let Some(slot) = self.channel(self.eval(&send.channel), statement.span) else { return false };
                let capacity = self.capacity(slot);
                capacity == 0 || self.length(slot) < capacity
            }
            Action::Receive(receive) => {
                let channel = self.channel(self.eval(&receive.channel), statement.span);
                let Some(slot) = channel else { return false };
                if self.capacity(slot) == 0 {
                    offered || receive.peek
                } else {
                    !offered && self.length(slot) > 0
                }
            }
            _ => true,
        }
    }
}

/// Sets up the system and new processes.
pub(crate) struct Boot<'a> {
    pub(crate) program: &'a Lowered,
    pub(crate) layouts: &'a mut Layouts,
    pub(crate) trouble: &'a Troubles,
    /// The frame in which variables are set up; by default the top one.
    pub(crate) frame: Option<u32>,
}

impl Boot<'_> {
    /// The globals and the processes that start with the system.
    pub(crate) fn start_system(mut self, memory: &mut Memory) {
        memory.bytes.clear();
        memory.objects.clear();
        memory.moved = true;
        memory.layout = Layouts::root();
        memory.bytes.resize(self.layouts.get(memory.layout).size as usize, 0);
        debug_assert!(memory.bytes.len() >= HEADER_SIZE as usize);
        let program = self.program;
        self.run_setup(memory, &program.setup, 0, 0);
        if let Some(trace) = &program.trace {
            let at = trace.place.offset as usize;
            write(&mut memory.bytes, at, trace.place.scalar, i32::from(trace.start.0));
        }
        for &(proctype, priority) in &program.active {
            let n_params = program.proctypes[usize::from(proctype.0)].params.len();
            self.by_ref().start_process(memory, proctype, priority, &vec![0; n_params]);
        }
    }

    fn by_ref(&mut self) -> Boot<'_> {
        Boot { program: self.program, layouts: self.layouts, trouble: self.trouble, frame: self.frame }
    }

    /// Starts one more process.
    pub(crate) fn start_process(
        mut self,
        memory: &mut Memory,
        ty: crate::ir::ProctypeId,
        priority: u8,
        args: &[i32],
    ) {
        let program = self.program;
        let proctype = &program.proctypes[usize::from(ty.0)];
        let first_channel = self.layouts.get(memory.layout).channels.len();
        let base = self.layouts.get(memory.layout).size as usize;
        memory.layout = self.layouts.push(memory.layout, ty, program);
        let size = self.layouts.get(memory.layout).size as usize;
        if program.dynamic.is_some() {
            memory.insert_static(base, size - base);
        } else {
            memory.bytes.resize(size, 0);
        }
        let pid = usize::from(memory.bytes[0]);
        memory.bytes[0] += 1;
        memory.bytes[base] = ty.0;
        memory.bytes[base + 1] = if program.features.priority { priority } else { 0 };
        memory.bytes[base + 2..base + 4].copy_from_slice(&proctype.start.0.to_le_bytes());
        if let Some(body) = proctype.scopes.first() {
            super::scope::make_object(program, body.object, memory, base);
        }
        for (param, &value) in proctype.params.iter().zip(args) {
            let at = match param.base {
                Base::Local => base + param.offset as usize,
                _ => Eval::new(program, self.layouts, memory, pid, self.trouble).offset(param),
            };
            write(&mut memory.bytes, at, param.scalar, value);
        }
        self.run_setup(memory, &proctype.setup, pid, first_channel);
    }

    pub(crate) fn run_setup(
        &mut self,
        memory: &mut Memory,
        setup: &[Setup],
        pid: usize,
        first_channel: usize,
    ) {
        let mut next_channel = first_channel;
        for step in setup {
            let (place, value) = match step {
                Setup::Assign(place, value) => {
                    let eval = self.eval(memory, pid);
                    (place, eval.eval(value))
                }
                Setup::Channel(place, _) => {
                    next_channel += 1;
                    (place, next_channel as i32)
                }
            };
            let at = self.eval(memory, pid).offset(place);
            memory.moved |= place.scalar == crate::ir::Scalar::Pointer;
            write(&mut memory.bytes, at, place.scalar, value);
        }
    }

    fn eval<'b>(&'b self, memory: &'b Memory, pid: usize) -> Eval<'b> {
        let mut eval = Eval::new(self.program, self.layouts, memory, pid, self.trouble);
        if let Some(frame) = self.frame {
            eval.set_frame(frame);
        }
        eval
    }
}
