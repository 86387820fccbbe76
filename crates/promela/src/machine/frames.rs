//! Steps of models with dynamic features.
//!
//! Processes may be in functions, calls are joined to the statement that follows, and scopes are entered by
//! the first statement inside.
//!
//! A call and a return are not steps: what follows is tried at once, on a frame of the interpreter as inside
//! an atomic sequence. If nothing can follow, the state in between is stored. The escapes of callers come
//! before the statements of the function, the outermost caller first.

use super::attempt::Attempted;
use super::eval::Eval;
use super::expand::{CallLink, FrameKind, Interpreter};
use super::scope::{self, ScopePlace};
use super::{AfterReturn, Trouble, rules};
use crate::ir::{Action, Returned, Statement, Transition};
use allways_model::{Batch, Halt};

/// After this many moves in one step, intermediate states are brought into normal form.
const MOVES_BEFORE_SWEEPING: u64 = 1_000;

/// A transition that can be tried, in a frame of the process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<'p> {
    /// The frame; zero is the process itself.
    frame: u32,
    /// The number of frames below it.
    level: u32,
    code: usize,
    transition: &'p Transition,
}

/// The transitions that can be tried for a process, in order.
enum Choices<'p> {
    /// The transitions of one control state.
    Of { frame: u32, code: usize, list: &'p [Transition] },
    /// The transitions of several control states: escapes of callers come first.
    Found(Vec<Choice<'p>>),
}

impl<'p> Choices<'p> {
    #[inline]
    fn get(&self, idx: usize) -> Option<Choice<'p>> {
        match self {
            &Self::Of { frame, code, list } => {
                list.get(idx).map(|transition| Choice { frame, level: 0, code, transition })
            }
            Self::Found(found) => found.get(idx).copied(),
        }
    }

    /// Whether a frame is that of the running function.
    fn is_top(&self, other: u32) -> bool {
        match self {
            Self::Of { .. } => true,
            Self::Found(found) => found.last().map_or(0, |top| top.frame) == other,
        }
    }
}

fn is_return(statement: &Statement) -> bool {
    matches!(statement.action, Action::Return(_))
}

/// Whether a `skip` is a jump, judged by its text.
pub(crate) fn is_jump(text: &str) -> bool {
    text == ".(goto)" || text == "break" || text.starts_with("goto ")
}

impl<'p> Interpreter<'p> {
    /// Like `advance`, for a model with dynamic features.
    pub(super) fn advance_dynamic(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        if self.frames[self.depth].next == 0
            && self.frames[self.depth].choice == 0
            && !self.arrive_dynamic(out)
        {
            return Ok(false);
        }
        let lowered = self.program.lowered();
        if !lowered.dynamic.as_ref().is_some_and(|dynamic| dynamic.escapes) {
            let eval = self.eval_here();
            let frame = eval.running_frame();
            let (code, pc) = eval.at_frame(frame);
            let choices = Choices::Of { frame, code, list: &lowered.body(code).transitions[pc] };
            return self.try_choices(&choices, out);
        }
        let mut found = std::mem::take(&mut self.choices);
        self.find_choices(&mut found);
        let choices = Choices::Found(found);
        let result = self.try_choices(&choices, out);
        if let Choices::Found(found) = choices {
            self.choices = found;
        }
        result
    }

    /// Tries the next of the transitions; false when there is none left.
    #[inline]
    fn try_choices(&mut self, choices: &Choices<'p>, out: &mut Batch) -> Result<bool, Halt> {
        let pid = self.frames[self.depth].pid;
        while let Some(choice) = choices.get(self.frames[self.depth].next) {
            let Choice { frame: level_frame, level, code, transition } = choice;
            let escape = match transition.escape {
                0 => 0,
                escape => (level + 1) << 16 | u32::from(escape),
            };
            let frame = &mut self.frames[self.depth];
            frame.next += 1;
            if frame.escape > 0 && frame.escape != escape {
                return Ok(false);
            }
            let body = self.program.lowered().body(code);
            let statement = &body.statements[transition.statement as usize];
            (frame.taken, frame.code) = (Some(transition.statement), code);
            let is_top = choices.is_top(level_frame);
            let link = self.link(choice, &statement.action);
            if let Some(call) = self.calls_itself(link, &statement.action) {
                self.trouble.raise(Trouble::fatal(statement.span, &rules::CALL_CYCLE).with("function", call));
                // The state before it is not stored: the next one would be the same, only with deeper calls.
                self.frames[self.depth].any = true;
                self.after_blocking(out)?;
                continue;
            }
            let attempted = self.attempt_dynamic(choice, is_top);
            if attempted == Attempted::Blocked {
                self.frames[self.depth].choice = 0;
                self.after_blocking(out)?;
                continue;
            }
            self.count_move(out)?;
            let frame = &mut self.frames[self.depth];
            if self.more {
                frame.next -= 1;
                frame.choice += 1;
            } else {
                frame.choice = 0;
            }
            if body.deterministic && self.frames[self.depth].moved {
                self.check_choice(statement);
            }
            let is_chain = matches!(statement.action, Action::Call(_) | Action::Return(_));
            if !is_chain && transition.target.is_some() {
                self.move_control(choice, is_top);
            }
            if self.program.lowered().features.last {
                self.scratch.bytes[1] = pid as u8;
            }
            // A jump that has a state of its own does not count as a statement after a call.
            let is_jump = statement.action == Action::Skip && is_jump(&statement.text);
            let goes_on = is_chain || is_jump && self.frames[self.depth].chained;
            self.go_on_dynamic(attempted, (code, transition), escape, goes_on.then_some(link), out)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// What identifies a call in a chain: its statement, and the frame that it is made in. A tail call
    /// replaces its own frame, so the frame's caller counts.
    fn link(&self, choice: Choice<'p>, action: &Action) -> Option<CallLink> {
        let (frame, is_tail) = match action {
            Action::Call(_) => (choice.frame, false),
            Action::Return(returned) if matches!(**returned, Returned::Call(_)) => {
                let eval = self.eval_here();
                (eval.frames().nth(1).unwrap_or(0), true)
            }
            _ => return None,
        };
        let statement = choice.transition.statement;
        Some(CallLink { code: choice.code, statement, frame, is_tail })
    }

    /// An evaluator for the process of the top frame.
    fn eval_here(&self) -> Eval<'_> {
        let frame = &self.frames[self.depth];
        let pid = frame.pid as usize;
        Eval::new(self.program.lowered(), &self.layouts, &frame.memory, pid, &self.trouble)
    }

    /// The name of a function whose call was already made in this chain, by a frame that still exists:
    /// without a statement in between, it would be made again without end.
    fn calls_itself(&self, link: Option<CallLink>, action: &Action) -> Option<String> {
        let CallLink { code, statement, .. } = link?;
        let chain = &self.frames[self.depth].chain;
        let mut same =
            chain.iter().filter(|other| (other.code, other.statement) == (code, statement)).peekable();
        same.peek()?;
        let frames: Vec<u32> = self.eval_here().frames().collect();
        same.any(|other| frames.contains(&other.frame)).then(|| match action {
            Action::Call(call) => call.name.to_string(),
            Action::Return(returned) => match &**returned {
                Returned::Call(call) => call.name.to_string(),
                _ => String::new(),
            },
            _ => String::new(),
        })
    }

    /// Tries the process of the top frame for the first time; false if it cannot move at all.
    fn arrive_dynamic(&mut self, out: &mut Batch) -> bool {
        let lowered = self.program.lowered();
        let frame = &self.frames[self.depth];
        let pid = frame.pid;
        let mut eval = Eval::new(lowered, &self.layouts, &frame.memory, pid as usize, &self.trouble);
        let provided = lowered.proctypes[usize::from(eval.bytes[eval.record])].provided.is_some();
        let top = eval.top_frame(eval.record);
        let (code, pc) = eval.at_frame(top);
        let (body, _) = eval.position();
        let escapes = lowered.dynamic.as_ref().is_some_and(|dynamic| dynamic.escapes);
        if let FrameKind::Offer { sender, .. } = frame.kind
            && (sender == pid || !(body.may_take[pc] || escapes))
        {
            return false;
        }
        if (lowered.features.priority || provided) && !self.may_run(pid) {
            self.frames[self.depth].taken = None;
            self.inner.clear();
            self.flush_trouble(out);
            return false;
        }
        self.visit_code(code, pc);
        let frame = &mut self.frames[self.depth];
        frame.moved = false;
        frame.escape = 0;
        true
    }

    /// Finds every transition that can be tried for the process of the top frame, in order, including the
    /// escapes of all its callers.
    fn find_choices(&self, choices: &mut Vec<Choice<'p>>) {
        choices.clear();
        let lowered = self.program.lowered();
        let frame = &self.frames[self.depth];
        let eval = Eval::new(lowered, &self.layouts, &frame.memory, frame.pid as usize, &self.trouble);
        let mut add = |frame: u32, level: usize, is_top: bool| {
            let (code, pc) = eval.at_frame(frame);
            let list = lowered.body(code).transitions[pc].iter().filter(|t| is_top || t.escape != 0);
            let level = level as u32;
            choices.extend(list.map(|transition| Choice { frame, level, code, transition }));
        };
        let mut frames: Vec<u32> = eval.frames().collect();
        frames.reverse();
        frames.iter().enumerate().for_each(|(level, &frame)| add(frame, level, level + 1 == frames.len()));
    }

    /// Tries a statement; leaves the result in `scratch`.
    fn attempt_dynamic(&mut self, choice: Choice<'p>, is_top: bool) -> Attempted {
        let lowered = self.program.lowered();
        let body = lowered.body(choice.code);
        let pid = self.frames[self.depth].pid as usize;
        let memory = &self.frames[self.depth].memory;
        let base = scope::frame_base(memory, &self.layouts, pid, choice.frame);
        let moves = choice.transition.scopes.as_deref();
        let enters = scope::enters(body, moves, memory, base);
        if let (true, Some(moves)) = (enters, moves) {
            let mut entered = std::mem::take(&mut self.entered);
            entered.copy_from(memory);
            let mut place = ScopePlace {
                program: lowered,
                layouts: &mut self.layouts,
                trouble: &self.trouble,
                pid,
                frame: choice.frame,
            };
            scope::enter(&mut place, body, moves, &mut entered);
            self.entered = entered;
            if self.trouble.is_fatal() {
                return Attempted::Blocked;
            }
        }
        let statement = &body.statements[choice.transition.statement as usize];
        let frame = (!is_top).then_some(choice.frame);
        self.attempt_in(body, statement, choice.transition.statement, frame, enters)
    }

    /// Moves control in `scratch` after a statement: ends frames above, leaves scopes, and clears what is
    /// dead.
    fn move_control(&mut self, choice: Choice<'p>, is_top: bool) {
        let pid = self.frames[self.depth].pid as usize;
        let Some(target) = choice.transition.target else { return };
        let mut attempt = self.attempt_on_scratch(pid);
        if !is_top {
            attempt.end_frames_above(choice.frame);
        }
        attempt.set_control(choice.frame, target.0);
        attempt.leave_behind(choice.frame, choice.code, choice.transition);
    }

    /// Continues inside the step, or ends it. `chain` is present after a call (with its link), a return, and
    /// a jump after either.
    fn go_on_dynamic(
        &mut self,
        attempted: Attempted,
        (code, transition): (usize, &Transition),
        escape: u32,
        chain: Option<Option<CallLink>>,
        out: &mut Batch,
    ) -> Result<(), Halt> {
        let frame = &mut self.frames[self.depth];
        let pid = frame.pid;
        frame.escape = escape;
        if let Attempted::Offered(channel) = attempted {
            return self.push_offer(channel, pid);
        }
        self.restore_pending();
        self.flush_trouble(out);
        self.report_lost(out);
        let frame = &mut self.frames[self.depth];
        frame.moved = true;
        frame.any = true;
        // A return leaves the atomic sequences of its function; what counts is where the call is.
        let is_return =
            is_return(&self.program.lowered().body(code).statements[transition.statement as usize]);
        let keeps_control = transition.atomic && !is_return
            || self.scratch.returned == AfterReturn::InAtomic
            || self.in_atomic_call(pid as usize);
        let Some(call) = chain else {
            if !keeps_control {
                self.emit(out);
            } else if !self.is_repeated(pid) {
                self.sweep_scratch();
                self.push_frame(FrameKind::Atomic, pid, pid)?;
            }
            return Ok(());
        };
        let ends_atomic = self.scratch.returned == AfterReturn::EndsAtomic
            || !keeps_control && self.program.lowered().body(code).ends_atomic(transition.statement);
        if ends_atomic || !keeps_control && self.is_at_label(pid as usize) {
            self.emit(out);
            return Ok(());
        }
        if !self.is_repeated(pid) {
            let mut calls = self.frames[self.depth].chain.clone();
            match call {
                Some(call) => calls.push(call),
                // Tail calls of a function that has returned do not count for the next call of its caller.
                None => {
                    let caller = self.top_in_scratch(pid as usize);
                    calls.retain(|call| !(call.is_tail && call.frame == caller));
                }
            }
            self.push_frame(FrameKind::Atomic, pid, pid)?;
            self.frames[self.depth].chain = calls;
            self.frames[self.depth].chained = true;
        }
        Ok(())
    }

    /// Whether a process is at a label in `scratch`: such a state is stored, so that `P@label`, accepting and
    /// progress labels see it.
    fn is_at_label(&self, pid: usize) -> bool {
        let lowered = self.program.lowered();
        let mut eval = Eval::new(lowered, &self.layouts, &self.scratch, pid, &self.trouble);
        let (body, pc) = eval.position();
        body.labelled.get(pc).is_some_and(|labelled| *labelled)
    }

    /// The frame in which a process is in `scratch`.
    fn top_in_scratch(&self, pid: usize) -> u32 {
        let lowered = self.program.lowered();
        let eval = Eval::new(lowered, &self.layouts, &self.scratch, pid, &self.trouble);
        eval.top_frame(eval.record)
    }

    /// Whether a process that is alive is in a function that was called in an atomic sequence.
    fn in_atomic_call(&self, pid: usize) -> bool {
        if pid >= usize::from(self.scratch.bytes[0]) {
            return false;
        }
        let lowered = self.program.lowered();
        Eval::new(lowered, &self.layouts, &self.scratch, pid, &self.trouble).called_in_atomic()
    }

    /// Drops garbage from time to time in a very long step.
    fn sweep_scratch(&mut self) {
        let Some(dynamic) = &self.program.lowered().dynamic else { return };
        if self.n_moves < MOVES_BEFORE_SWEEPING || dynamic.options.leaks {
            return;
        }
        let normal = &mut self.normal;
        normal.resize(self.scratch.bytes.len(), 0);
        let state = super::normal::ObjectState::of(&self.scratch);
        let size = self.normaliser.write(self.program.lowered(), &self.layouts, state, normal);
        normal.truncate(size);
        std::mem::swap(&mut self.scratch.bytes, normal);
        let start = self.layouts.get(self.scratch.layout).size as usize;
        self.scratch.find_objects(dynamic, start);
    }
}
