//! Code for transitions: guard, copy of the vector, effect, and what follows in the same step.
//!
//! A successor is built at the end of the batch and counts only once it is committed, so a statement that
//! blocks half-way leaves no trace. Inside an atomic sequence, code continues in the same copy as long as
//! there is one transition. Where there are several, the copy is made in a frame, and the next control
//! state's function is called on it.

use super::channel::{Slot, TakenMessage};
use super::context::{FRAME_BYTES, MOVED, NO_ROOM, Status, at};
use super::generator::{Generator, View};
use crate::ir::{Action, ChannelType, Expr, Field, Proctype, Receive, Statement, Target, Transition};
use crate::machine::is_jump;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, Value, types};

/// The maximal number of consecutive control states that are compiled into one function.
const MAX_CHAIN: usize = 24;

/// The kind of function being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeMode {
    /// The steps of a process.
    Step,
    /// How a process takes the message on offer.
    Take,
}

/// Where a successor is built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Building {
    /// In the batch.
    Room,
    /// In a frame.
    Frame,
    /// In a frame if the value is not zero, otherwise in the batch.
    Either(Value),
}

/// What follows a transition in the same step.
struct Chain<'a> {
    /// Transitions that follow without any choice.
    then: Vec<&'a Transition>,
    /// The control state whose function is called next; `None` if the step ends.
    call: Option<u16>,
}

/// Whether a statement is left to a helper, because it is rare or changes more than bytes.
pub(crate) fn is_exotic(statement: &Statement) -> bool {
    let odd_target = |target: &Target| matches!(target, Target::Priority);
    statement.has_run
        || match &statement.action {
            Action::Send(send) => send.sorted,
            Action::Assign(target, _) => odd_target(target),
            Action::Receive(receive) => {
                receive.fields.iter().any(|field| matches!(field, Field::Store(target) if odd_target(target)))
            }
            Action::SetPriority(..) | Action::Event(_) | Action::New(_) | Action::Delete(_) => true,
            _ => false,
        }
}

/// Whether a statement depends on where processes are, apart from its own control state.
pub(crate) fn sees_control(statement: &Statement) -> bool {
    let mut sees = false;
    statement.action.clone().walk_mut(&mut |e| sees |= e.sees_control());
    sees
}

impl Expr {
    /// Whether this expression itself, apart from its operands, depends on where processes are.
    pub(crate) fn sees_control(&self) -> bool {
        matches!(
            self,
            Self::NonProgress
                | Self::Enabled(_)
                | Self::PcValue(_)
                | Self::RemoteLabel { .. }
                | Self::RemoteVar { .. }
        )
    }
}

impl<'a> Generator<'a, '_> {
    pub(crate) fn statement(&self, idx: u32) -> &'a Statement {
        &self.proctype().statements[idx as usize]
    }

    /// Builds one transition, then continues with `next`.
    pub(crate) fn transition(
        &mut self,
        from: View,
        (transition, pc): (&'a Transition, u16),
        mode: CodeMode,
        next: Block,
        callee: &mut dyn FnMut(&mut Self, u16) -> Option<FuncRef>,
    ) {
        let statement = self.statement(transition.statement);
        let from =
            if mode == CodeMode::Take && !matches!(statement.action, Action::Receive(_) | Action::DStep(_)) {
                from
            } else {
                self.enter_scopes(from, transition)
            };
        let transition = (transition, pc);
        match &statement.action {
            Action::Send(send) if !is_exotic(statement) => {
                if mode == CodeMode::Take {
                    return self.jump(next);
                }
                let slot = self.slot(from, &send.channel);
                let n_args = send.args.len();
                self.for_each_type(
                    &slot,
                    |ty| ty.fields.len() == n_args,
                    |this, slot, ty| {
                        let ty = &this.program.channel_types[usize::from(ty)];
                        if ty.capacity == 0 {
                            return this.offer(from, slot, ty, transition, next);
                        }
                        this.send_guard(from, slot, ty, next);
                        this.choice_check(statement);
                        this.go(from, transition, mode, next, callee, |this, to, _| {
                            this.send_effect(to, slot, ty, send);
                            to
                        });
                    },
                );
            }
            Action::Receive(_)
                if mode == CodeMode::Take && (is_exotic(statement) || sees_control(statement)) =>
            {
                self.give_up();
            }
            Action::Receive(receive) if !is_exotic(statement) => {
                let slot = self.slot(from, &receive.channel);
                self.for_each_type(
                    &slot,
                    |ty| ty.capacity > 0 || !receive.peek,
                    |this, slot, ty| {
                        let ty = &this.program.channel_types[usize::from(ty)];
                        let Some(taken) = this.whole_receive_guard(from, slot, ty, receive, mode, next)
                        else {
                            return this.jump(next);
                        };
                        this.choice_check(statement);
                        this.go(from, transition, mode, next, callee, |this, to, _| {
                            this.receive_effect(to, slot, ty, receive, taken);
                            to
                        });
                    },
                );
            }
            Action::DStep(idx) => {
                let d_step = &self.proctype().d_steps[*idx as usize];
                self.d_step_guard(from, d_step, mode, next);
                self.go(from, transition, mode, next, callee, |this, to, blocked| {
                    this.d_step(to, d_step, mode, blocked);
                    to
                });
            }
            _ if mode == CodeMode::Take => self.jump(next),
            Action::Call(_) | Action::Return(_) => {
                self.choice_check(statement);
                self.link(from, transition, next);
            }
            action => {
                self.simple_guard(from, statement, next);
                self.choice_check(statement);
                if matches!(action, Action::Skip) && self.may_be_linked() && is_jump(&statement.text) {
                    // A jump after a call does not count as a statement.
                    let (linked, alone) = (self.block(), self.block());
                    let chained = self.chained;
                    self.branch(chained, linked, alone);
                    self.enter(linked);
                    self.link(from, transition, next);
                    self.enter(alone);
                }
                if matches!(action, Action::End) {
                    return self.end(from, transition, next);
                }
                self.go(from, transition, mode, next, callee, |this, to, blocked| {
                    this.simple_effect(to, statement, blocked)
                });
            }
        }
    }

    /// The guard of a receive for a channel of this type; `None` if the receive cannot be executable.
    fn whole_receive_guard(
        &mut self,
        from: View,
        slot: &Slot,
        ty: &ChannelType,
        receive: &Receive,
        mode: CodeMode,
        blocked: Block,
    ) -> Option<TakenMessage> {
        if (ty.capacity == 0) != (mode == CodeMode::Take) {
            return None;
        }
        if !Self::receives(receive, ty) {
            // It is an error once there is a message, which the interpreter reports.
            let possible = match mode {
                CodeMode::Take => {
                    let offered = self.context_load(types::I32, at::OFFER);
                    self.compare(IntCC::Equal, offered, slot.id)
                }
                CodeMode::Step => {
                    let (length, _) = self.length_and_capacity(from, slot);
                    self.compare_const(IntCC::NotEqual, length, 0)
                }
            };
            self.require(possible, blocked);
            self.give_up();
            let unreachable = self.block();
            self.enter(unreachable);
            return None;
        }
        Some(match mode {
            CodeMode::Take => self.take_guard(from, slot, ty, receive, blocked),
            CodeMode::Step => self.receive_guard(from, slot, ty, receive, blocked),
        })
    }

    /// Leaves a process that must not have a choice to the interpreter, where it has one.
    fn choice_check(&mut self, statement: &Statement) {
        if self.proctype().deterministic
            && !matches!(statement.action, Action::Skip | Action::Else | Action::DStep(_))
        {
            let moved = self.build.use_var(self.moved);
            let first = self.compare_const(IntCC::Equal, moved, 0);
            let interpret = self.interpret;
            self.require(first, interpret);
        }
    }

    /// Continues if a statement that is not a send or receive is executable.
    pub(crate) fn simple_guard(&mut self, from: View, statement: &Statement, blocked: Block) {
        match &statement.action {
            Action::Guard(e) if !statement.has_run => {
                let go_on = self.block();
                self.test(from, e, go_on, blocked);
                self.enter(go_on);
            }
            Action::Else => {
                let moved = self.build.use_var(self.moved);
                let first = self.compare_const(IntCC::Equal, moved, 0);
                self.require(first, blocked);
            }
            Action::End => {
                let n_processes =
                    self.build.ins().uload8(types::I64, super::generator::FLAGS, from.vector, 0);
                let older = self.add_const(n_processes, -1);
                let pid = self.pid;
                let is_youngest = self.compare(IntCC::Equal, older, pid);
                self.require(is_youngest, blocked);
            }
            _ => {}
        }
    }

    /// Executes in place a statement that is exotic or not a channel operation.
    pub(crate) fn simple_effect(&mut self, to: View, statement: &Statement, blocked: Block) -> View {
        if is_exotic(statement) {
            return self.perform(to, statement, blocked);
        }
        match &statement.action {
            Action::Assign(Target::Place(place), e) => {
                let value = self.value(to, e);
                self.notice_cut(value, e.range(), place.scalar);
                let (address, offset) = self.address(to, place);
                self.write(value, address, offset, place.scalar);
            }
            Action::Assign(Target::Discard | Target::Either(_), value) => {
                self.value(to, value);
            }
            Action::Assign(Target::Forgotten(scalar), e) => {
                let value = self.value(to, e);
                self.notice_cut(value, e.range(), *scalar);
            }
            Action::Printf(_, args) => {
                for e in args.iter().filter(|e| e.follows_pointer()) {
                    self.value(to, e);
                }
            }
            Action::Assert(e, _) => {
                let go_on = self.block();
                let interpret = self.interpret;
                self.test(to, e, go_on, interpret);
                self.enter(go_on);
            }
            _ => {}
        }
        to
    }

    /// Executes any statement in place, as part of a sequence; jumps to `blocked` if it is not executable.
    pub(crate) fn in_place(&mut self, to: View, statement: &'a Statement, blocked: Block) -> View {
        match &statement.action {
            Action::Send(send) if !is_exotic(statement) => {
                let slot = self.slot(to, &send.channel);
                let (n_args, done) = (send.args.len(), self.block());
                self.for_each_type(
                    &slot,
                    |ty| ty.fields.len() == n_args && ty.capacity > 0,
                    |this, slot, ty| {
                        let ty = &this.program.channel_types[usize::from(ty)];
                        this.send_guard(to, slot, ty, blocked);
                        this.send_effect(to, slot, ty, send);
                        this.jump(done);
                    },
                );
                self.enter(done);
                to
            }
            Action::Receive(receive) if !is_exotic(statement) => {
                self.receive_in_place(to, receive, CodeMode::Step, blocked);
                to
            }
            Action::Guard(e) if !statement.has_run => {
                let go_on = self.block();
                self.test(to, e, go_on, blocked);
                self.enter(go_on);
                to
            }
            _ => self.simple_effect(to, statement, blocked),
        }
    }

    /// Receives in place, from a buffered channel or the message on offer; jumps to `blocked` if that is not
    /// possible.
    fn receive_in_place(&mut self, to: View, receive: &Receive, mode: CodeMode, blocked: Block) {
        let slot = self.slot(to, &receive.channel);
        let done = self.block();
        self.for_each_type(
            &slot,
            |ty| ty.capacity > 0 || !receive.peek,
            |this, slot, ty| {
                let ty = &this.program.channel_types[usize::from(ty)];
                match this.whole_receive_guard(to, slot, ty, receive, mode, blocked) {
                    Some(taken) => {
                        this.receive_effect(to, slot, ty, receive, taken);
                        this.jump(done);
                    }
                    None => this.jump(blocked),
                }
            },
        );
        self.enter(done);
    }

    /// Takes the message on offer in place, if the statement receives it; otherwise jumps to `blocked`.
    pub(crate) fn take_in_place(&mut self, to: View, statement: &'a Statement, blocked: Block) {
        match &statement.action {
            Action::Receive(receive) if !is_exotic(statement) && !sees_control(statement) => {
                return self.receive_in_place(to, receive, CodeMode::Take, blocked);
            }
            Action::Receive(_) => self.give_up(),
            _ => self.jump(blocked),
        }
        let unreachable = self.block();
        self.enter(unreachable);
    }

    /// Lets a helper execute a statement in place.
    fn perform(&mut self, to: View, statement: &Statement, blocked: Block) -> View {
        let address = self.long(std::ptr::from_ref(statement).addr() as i64);
        let arguments = [self.context, to.vector, to.table, to.layout, self.pid, address];
        let helper = self.helpers.perform;
        let call = self.build.ins().call(helper, &arguments);
        let status = self.build.inst_results(call)[0];
        self.check_status(status);
        self.require(status, blocked);
        let layout = self.context_load(types::I64, at::LAYOUT);
        if statement.has_run && self.is_function() {
            return View { layout, ..self.frame_view(to.vector, to.layout) };
        }
        View { layout, ..to }
    }

    /// Passes on a result that ends the whole expansion.
    pub(crate) fn check_status(&mut self, status: Value) {
        let ordinary = self.compare_const(IntCC::UnsignedLessThanOrEqual, status, i64::from(MOVED));
        let go_on = self.block();
        let answer = self.answer;
        self.build.ins().brif(
            ordinary,
            go_on,
            &[],
            answer,
            &[cranelift_codegen::ir::BlockArg::Value(status)],
        );
        self.enter(go_on);
    }

    /// The address where the next successor is built.
    pub(crate) fn room(&mut self) -> Value {
        let out = self.context_load(types::I64, at::OUT);
        let limit = self.context_load(types::I64, at::LIMIT);
        let fits = self.compare(IntCC::UnsignedLessThanOrEqual, out, limit);
        let status = self.int(NO_ROOM as Status as i32);
        let go_on = self.block();
        let answer = self.answer;
        self.build.ins().brif(fits, go_on, &[], answer, &[cranelift_codegen::ir::BlockArg::Value(status)]);
        self.enter(go_on);
        out
    }

    /// Commits the vector at the end of the batch as a successor.
    fn commit(&mut self, out: Value, size: Value) {
        let n_out = self.context_load(types::I64, at::N_OUT);
        let lens = self.context_load(types::I64, at::LENS);
        let two = self.long(2);
        let scaled = self.build.ins().ishl(n_out, two);
        let place = self.add(lens, scaled);
        self.build.ins().istore32(super::generator::FLAGS, size, place, 0);
        let more = self.add_const(n_out, 1);
        self.context_store(more, at::N_OUT);
        let end = self.add(out, size);
        self.context_store(end, at::OUT);
    }

    /// A frame for an unstored state.
    pub(crate) fn frame(&mut self) -> Value {
        let frame = self.context_load(types::I64, at::FRAME);
        let limit = self.context_load(types::I64, at::FRAME_LIMIT);
        let fits = self.compare(IntCC::UnsignedLessThan, frame, limit);
        let interpret = self.interpret;
        self.require(fits, interpret);
        frame
    }

    /// Records that a statement was executed, and continues with the next transition.
    pub(crate) fn done(&mut self, transition: &Transition, next: Block) {
        let (one, escape) = (self.int(1), self.int(i32::from(transition.escape)));
        self.build.def_var(self.moved, one);
        self.build.def_var(self.escaped, escape);
        self.jump(next);
    }

    /// Ends the youngest process.
    fn end(&mut self, from: View, (transition, pc): (&'a Transition, u16), next: Block) {
        if self.is_dynamic() {
            // Without objects, the removed bytes are the end of the vector.
            let (objects, none) = (self.block(), self.block());
            let n_objects = self.n_objects(from);
            self.branch(n_objects, objects, none);
            self.enter(objects);
            let (to, building) = self.begin_successor(from, (transition, pc), CodeMode::Step, true, true);
            let statement = self.statement(transition.statement);
            let to = self.perform(to, statement, next);
            self.arrive(to, (transition, pc));
            self.emit(to, building);
            self.done(transition, next);
            self.enter(none);
        }
        let out = self.room();
        let base = self.base;
        self.copy(from.vector, out, base);
        let n_processes = self.read(from.vector, 0, crate::ir::Scalar::Byte);
        let fewer = self.add_const(n_processes, -1);
        self.write(fewer, out, 0, crate::ir::Scalar::Byte);
        self.note_last(out);
        self.commit(out, base);
        self.done(transition, next);
    }

    fn note_last(&mut self, vector: Value) {
        if self.program.features.last {
            let pid = self.pid;
            self.build.ins().istore8(super::generator::FLAGS, pid, vector, 1);
        }
    }

    /// Moves the process to the transition's target, and clears what is not read after it.
    pub(crate) fn arrive(&mut self, to: View, (transition, pc): (&Transition, u16)) {
        if let Some(target) = transition.target {
            let (target, at) = (self.int(i32::from(target.0)), self.pc_at);
            self.build.ins().istore16(super::generator::FLAGS, target, to.record, at);
            for &(start, len) in &transition.clears {
                self.fill_zero(to.record, start as i32, len);
            }
            self.leave_scopes(to, transition, pc);
        }
        self.note_last(to.vector);
    }

    /// What can be compiled to follow a transition.
    fn chain(&self, transition: &'a Transition) -> Chain<'a> {
        let mut chain = Chain { then: Vec::new(), call: None };
        let proctype = self.proctype();
        let mut last = transition;
        let max_chain = if self.is_interior { 0 } else { MAX_CHAIN };
        while last.atomic {
            let Some(target) = last.target else { break };
            let list = &proctype.transitions[usize::from(target.0)];
            match list.as_slice() {
                [only]
                    if chain.then.len() < max_chain
                        && self.may_follow(proctype, only)
                        && !chain.then.iter().any(|earlier| std::ptr::eq(*earlier, only)) =>
                {
                    chain.then.push(only);
                    last = only;
                }
                _ => {
                    chain.call = Some(target.0);
                    break;
                }
            }
        }
        chain
    }

    fn may_follow(&self, proctype: &Proctype, transition: &Transition) -> bool {
        let statement = &proctype.statements[transition.statement as usize];
        transition.escape == 0
            && proctype.provided.is_none()
            && !self.may_enter(transition)
            && match &statement.action {
                Action::Send(send) => {
                    let known = self.known.of(self.proctype_idx, &send.channel).ty;
                    let mut types = match known {
                        Some(ty) => std::slice::from_ref(&self.program.channel_types[usize::from(ty)]).iter(),
                        None => self.program.channel_types.iter(),
                    };
                    !is_exotic(statement) && types.all(|ty| ty.capacity > 0)
                }
                Action::End | Action::Call(_) | Action::Return(_) => false,
                _ => true,
            }
    }

    /// Copies a vector to where its successor is built.
    fn begin_successor(
        &mut self,
        from: View,
        (transition, pc): (&Transition, u16),
        mode: CodeMode,
        in_frame: bool,
        moves: bool,
    ) -> (View, Building) {
        if self.is_dynamic() && !in_frame {
            return self.begin_unmoved(from, (transition, pc), mode);
        }
        let target = if in_frame { self.frame() } else { self.room() };
        if self.is_dynamic() {
            self.copy_with_table(from, target);
        } else {
            let size = self.size_of(from);
            self.copy(from.vector, target, size);
        }
        let to = self.view(target, from.layout);
        if moves {
            self.note_moved(to);
        }
        (to, if in_frame { Building::Frame } else { Building::Room })
    }

    /// Copies the vector, executes the transition and what follows it in the same step, and commits the
    /// result.
    fn go(
        &mut self,
        from: View,
        (transition, pc): (&'a Transition, u16),
        mode: CodeMode,
        next: Block,
        callee: &mut dyn FnMut(&mut Self, u16) -> Option<FuncRef>,
        effect: impl FnOnce(&mut Self, View, Block) -> View,
    ) {
        let chain = self.chain(transition);
        let mut moves = self.moves(transition, pc);
        let mut at_state = transition.target;
        for following in &chain.then {
            moves |= self.moves(following, at_state.map_or(0, |pc| pc.0));
            at_state = following.target;
        }
        let (mut to, building) =
            self.begin_successor(from, (transition, pc), mode, chain.call.is_some() || moves, moves);
        if mode == CodeMode::Take {
            let sender = self.context_load(types::I64, at::SENDER_AT);
            let record = self.add(to.vector, sender);
            let pc = self.context_load(types::I32, at::SENDER_PC);
            self.build.ins().istore16(super::generator::FLAGS, pc, record, 2);
        }
        to = effect(self, to, next);
        self.arrive(to, (transition, pc));
        let mut at_state = transition.target;
        for following in &chain.then {
            let blocked = self.block();
            let pc = at_state.map_or(0, |pc| pc.0);
            self.mark_visited(pc);
            let before = to;
            let statement = self.statement(following.statement);
            if let Action::DStep(idx) = &statement.action {
                self.d_step(to, &self.proctype().d_steps[*idx as usize], CodeMode::Step, blocked);
            } else {
                to = self.in_place(to, statement, blocked);
            }
            self.arrive(to, (following, pc));
            at_state = following.target;
            let go_on = self.block();
            self.jump(go_on);
            // Blocked inside an atomic sequence: any process may move again, from a state that is stored.
            self.enter(blocked);
            self.emit(before, building);
            self.done(transition, next);
            self.enter(go_on);
        }
        if let Some(call) = chain.call {
            return self.go_on(to, call, transition, next, callee);
        }
        // A function that was called in an atomic sequence keeps control.
        if let (Some(target), Some(keeps)) = (at_state, self.keeps_control(to)) {
            let (on, over) = (self.block(), self.block());
            self.branch(keeps, on, over);
            self.enter(on);
            self.go_on(to, target.0, transition, next, callee);
            self.enter(over);
        }
        self.emit(to, building);
        self.done(transition, next);
    }

    /// Continues in a frame with the function of a control state.
    fn go_on(
        &mut self,
        to: View,
        call: u16,
        transition: &Transition,
        next: Block,
        callee: &mut dyn FnMut(&mut Self, u16) -> Option<FuncRef>,
    ) {
        let Some(function) = callee(self, call) else { return self.give_up() };
        let left = self.context_load(types::I64, at::MOVES_LEFT);
        let fewer = self.add_const(left, -1);
        self.context_store(fewer, at::MOVES_LEFT);
        let interpret = self.interpret;
        self.require(left, interpret);
        let above = self.add_const(to.vector, FRAME_BYTES as i64);
        self.context_store(above, at::FRAME);
        let arguments = [self.context, to.vector, to.layout, self.base, self.pid];
        let call = self.build.ins().call(function, &arguments);
        let status = self.build.inst_results(call)[0];
        self.context_store(to.vector, at::FRAME);
        self.check_status(status);
        let (moved, stuck) = (self.block(), self.block());
        self.branch(status, moved, stuck);
        self.enter(stuck);
        self.emit(to, Building::Frame);
        self.jump(moved);
        self.enter(moved);
        self.done(transition, next);
    }

    /// Commits a copy of a vector in a frame.
    fn emit_copy(&mut self, vector: View) {
        let size = self.size_of(vector);
        let out = self.room();
        self.copy(vector.vector, out, size);
        self.commit(out, size);
    }

    /// Commits a vector that was built at the end of the batch, or copies one there.
    fn emit(&mut self, vector: View, building: Building) {
        match building {
            Building::Frame if self.is_dynamic() => {
                let (slow, fast, done) = (self.block(), self.block(), self.block());
                let moved = self.is_moved(vector);
                self.branch(moved, slow, fast);
                self.enter(slow);
                self.emit_normal(vector);
                self.jump(done);
                self.enter(fast);
                self.emit_copy(vector);
                self.jump(done);
                self.enter(done);
            }
            Building::Frame => self.emit_copy(vector),
            Building::Room => {
                let size = self.size_of(vector);
                self.commit(vector.vector, size);
            }
            Building::Either(in_frame) => {
                let (slow, fast, done) = (self.block(), self.block(), self.block());
                self.branch(in_frame, slow, fast);
                self.enter(slow);
                self.emit_normal(vector);
                self.jump(done);
                self.enter(fast);
                let size = self.size_of(vector);
                self.commit(vector.vector, size);
                self.jump(done);
                self.enter(done);
            }
        }
    }

    /// Offers a message on a rendezvous channel to all other processes.
    fn offer(
        &mut self,
        from: View,
        slot: &Slot,
        ty: &ChannelType,
        (transition, pc): (&'a Transition, u16),
        next: Block,
    ) {
        let statement = self.statement(transition.statement);
        let Action::Send(send) = &statement.action else { unreachable!("only sends offer") };
        if self.checks_exclusive() {
            self.check_exclusive(from, slot, false, true);
        }
        let values = self.message_values(from, send, ty);
        for (idx, value) in values.iter().enumerate() {
            self.context_store(*value, at::STAGED + 4 * idx as i32);
        }
        self.choice_check(statement);
        let mut vector = from.vector;
        let forgets = !transition.clears.is_empty() || self.may_leave(transition, pc);
        if forgets {
            // The sender's dead variables are cleared before another process takes the message.
            let moves = self.moves(transition, pc);
            let (to, _) = self.begin_successor(from, (transition, pc), CodeMode::Step, true, moves);
            vector = to.vector;
            self.arrive(to, (transition, pc));
            let above = self.add_const(vector, FRAME_BYTES as i64);
            self.context_store(above, at::FRAME);
        }
        let pc = self.long(i64::from(transition.target.map_or(0, |pc| pc.0)));
        let n_fields = self.long(ty.fields.len() as i64);
        // The process that takes the message writes the control state two bytes after this.
        let sender = if self.is_function() {
            let local = self.local;
            self.add_const(local, i64::from(self.pc_at) - 2)
        } else {
            self.base
        };
        let arguments = [self.context, vector, from.layout, sender, self.pid, slot.id, pc, n_fields];
        let helper = self.helpers.offer;
        let call = self.build.ins().call(helper, &arguments);
        let status = self.build.inst_results(call)[0];
        if forgets {
            self.context_store(vector, at::FRAME);
        }
        self.check_status(status);
        let (taken, refused) = (self.block(), self.block());
        self.branch(status, taken, refused);
        self.enter(refused);
        let zero = self.int(0);
        self.build.def_var(self.escaped, zero);
        self.jump(next);
        self.enter(taken);
        self.done(transition, next);
    }

    /// After an escape was executed, continues only with transitions that belong to it; otherwise the
    /// function is at its `end`.
    pub(crate) fn escape_guard(&mut self, transition: &Transition, pc: u16, end: Block) {
        if self.proctype().transitions[usize::from(pc)].iter().all(|other| other.escape == 0) {
            return;
        }
        let escaped = self.build.use_var(self.escaped);
        let same = self.compare_const(IntCC::Equal, escaped, i64::from(transition.escape));
        let none = self.compare_const(IntCC::Equal, escaped, 0);
        let may_go_on = self.build.ins().bor(same, none);
        self.require(may_go_on, end);
    }

    /// Records that the process was in a control state.
    pub(crate) fn mark_visited(&mut self, pc: u16) {
        let visited = self.context_load(types::I64, at::VISITED);
        let one = self.int(1);
        let state = self.first_state as i32 + i32::from(pc);
        self.build.ins().istore8(super::generator::FLAGS, one, visited, state);
    }

    /// Continues if the `provided` clause holds.
    pub(crate) fn provided_guard(&mut self, from: View, provided: &Expr, blocked: Block) {
        let go_on = self.block();
        self.test(from, provided, go_on, blocked);
        self.enter(go_on);
    }
}
