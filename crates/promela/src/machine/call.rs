//! Calls and returns.
//!
//! A frame is an object `[control state, statement of the call] [caller | depth and atomic] [location of the
//! result] parameters variables`. The object numbers of the caller and of the result are in the upper halves,
//! as in pointers. While a function runs, its caller's control state stays at the call.

use super::attempt::{Attempt, Attempted};
use super::eval::{Eval, write};
use super::object::{Death, FIRST, GLOBALS, read16, read32, write16, write32};
use super::scope::{self, frame_base};
use super::{AfterReturn, Layouts, Memory, Trouble, Troubles, rules};
use crate::ir::{
    Action, Base, Call, Callee, Function, Proctype, Returned, ScalarPlace, Target, Transition,
    takes_reference,
};
use crate::lower::{Lowered, TOP_FRAME};
use crate::syntax::ast::Span;

/// Offset in a frame of its control state; then of the statement of its call, its caller, and the location of
/// its result.
pub(crate) const FRAME_PC: usize = 0;
const FRAME_CALL: usize = 2;
pub(crate) const FRAME_CALLER: usize = 4;
const FRAME_RESULT: usize = 8;
/// Bit in the caller's word: whether the function was called in an atomic sequence.
const ATOMIC: u32 = 1;

/// What a new frame gets from the call.
struct Link {
    /// The statement of the call.
    call: u16,
    /// The caller, its depth, and whether control is kept.
    caller: u32,
    /// The location of the result.
    result: u32,
}

impl<'a> Eval<'a> {
    /// The code that a process is in, and its control state there. Afterwards, local variables are those of
    /// that code.
    pub(crate) fn position(&mut self) -> (&'a Proctype, usize) {
        let frame = self.top_frame(self.record);
        self.set_frame(frame);
        let (code, pc) = self.at_frame(frame);
        (self.program.body(code), pc)
    }

    /// The code of a frame (or of the process itself, for 0) and the control state there.
    pub(crate) fn at_frame(&self, frame: u32) -> (usize, usize) {
        match (frame, &self.program.dynamic) {
            (1.., Some(dynamic)) => {
                let at = self.objects[(frame - FIRST) as usize] as usize;
                let ty = dynamic.object(read16(self.bytes, at));
                let function = match ty.kind {
                    crate::ir::ObjectKind::Frame(function) => usize::from(function),
                    _ => 0,
                };
                let pc = read16(self.bytes, at + super::object::OBJECT_HEADER + FRAME_PC);
                (self.program.proctypes.len() + function, usize::from(pc))
            }
            _ => {
                let pc = read16(self.bytes, self.record + 2);
                (usize::from(self.bytes[self.record]), usize::from(pc))
            }
        }
    }

    /// The frames of the process, the top one first; the list ends with 0 for the process itself.
    pub(crate) fn frames(&self) -> impl Iterator<Item = u32> + '_ {
        let mut next = Some(self.top_frame(self.record));
        std::iter::from_fn(move || {
            let frame = next?;
            next = (frame != 0).then(|| {
                let at = self.objects[(frame - FIRST) as usize] as usize + super::object::OBJECT_HEADER;
                read32(self.bytes, at + FRAME_CALLER) >> 16
            });
            Some(frame)
        })
    }

    /// Whether the running function was called in an atomic sequence.
    pub(crate) fn called_in_atomic(&self) -> bool {
        self.is_in_atomic(self.top_frame(self.record))
    }

    /// Whether a frame belongs to a function that was called in an atomic sequence.
    pub(crate) fn is_in_atomic(&self, frame: u32) -> bool {
        frame != 0 && {
            let at = self.objects[(frame - FIRST) as usize] as usize + super::object::OBJECT_HEADER;
            read32(self.bytes, at + FRAME_CALLER) & ATOMIC != 0
        }
    }

    /// Whether any frame of the process whose record starts at `record` is in a marked control state.
    pub(crate) fn any_frame_at(&self, record: usize, marks: &impl Fn(&Proctype) -> &[bool]) -> bool {
        let other = Eval { record, ..*self };
        other.frames().filter(|&frame| frame != 0).any(|frame| {
            let (code, pc) = other.at_frame(frame);
            marks(self.program.body(code))[pc]
        })
    }
}

/// A process, or an activation of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activation {
    /// The offset of its variables in the vector.
    pub(crate) base: usize,
    /// The number of its code.
    pub(crate) code: usize,
    /// Its control state.
    pub(crate) pc: usize,
}

/// All activations in a state.
pub(crate) fn activations(memory: &Memory, program: &Lowered, layouts: &Layouts) -> Vec<Activation> {
    let trouble = Troubles::default();
    let of_process = |pid: usize| {
        let eval = Eval::new(program, layouts, memory, pid, &trouble);
        let frames: Vec<u32> = eval.frames().collect();
        frames.into_iter().map(move |frame| {
            let (code, pc) = eval.at_frame(frame);
            Activation { base: frame_base(memory, layouts, pid, frame), code, pc }
        })
    };
    (0..layouts.get(memory.layout).processes.len()).flat_map(of_process).collect()
}

impl Lowered {
    /// All process types, followed by the functions.
    pub(crate) fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Proctype> {
        let functions = self.dynamic.iter_mut().flat_map(|dynamic| &mut dynamic.functions);
        self.proctypes.iter_mut().chain(functions.map(|function| &mut function.body))
    }

    /// The process type or, for codes after all of them, the function.
    pub(crate) fn body(&self, code: usize) -> &Proctype {
        match (self.proctypes.get(code), &self.dynamic) {
            (None, Some(dynamic)) => &dynamic.functions[code - self.proctypes.len()].body,
            _ => &self.proctypes[code],
        }
    }
}

impl<'a> Attempt<'a> {
    /// Calls a function: makes its frame, with control at its start.
    pub(crate) fn call(&mut self, call: &Call, state: u16, span: Span) -> Attempted {
        let Some((function, args)) = self.callee(call, span) else { return Attempted::Blocked };
        let eval = self.eval(self.scratch);
        let result = match self.result_place(call, function, span) {
            Ok(Some(place)) => {
                let found = eval.locate(place);
                (found.object << 16) | (found.at - found.start) as u32
            }
            Ok(None) => 0,
            Err(()) => return Attempted::Blocked,
        };
        let caller = self.running_frame();
        let (depth, atomic) = match caller {
            0 => (0, 0),
            caller => {
                let word = read32(&self.scratch.bytes, self.scratch.contents(caller) + FRAME_CALLER);
                (word >> 1 & 0x7fff, word & ATOMIC)
            }
        };
        let atomic = atomic | u32::from(call.in_atomic);
        if self.is_fatal() || !self.may_nest(function, depth + 1, span) {
            return Attempted::Blocked;
        }
        // The caller rests at the call itself, also if the call was one of several options.
        self.set_control(caller, state);
        let link = Link { call: self.index as u16, caller: caller << 16 | (depth + 1) << 1 | atomic, result };
        self.make_frame(function, &link, &args);
        Attempted::Done
    }

    /// The frame in which the statement runs; 0 is the process itself.
    fn running_frame(&self) -> u32 {
        let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        self.frame.unwrap_or_else(|| eval.top_frame(eval.record))
    }

    fn may_nest(&self, function: &Function, depth: u32, span: Span) -> bool {
        let limit = self.program.dynamic.as_ref().map_or(0, |dynamic| dynamic.options.max_frames);
        if depth > limit {
            let trouble = Trouble::bound(span, &rules::TOO_MANY_FRAMES, "frames");
            self.raise(trouble.with("function", &function.body.name).with("limit", limit));
        }
        depth <= limit
    }

    /// The function that is called, and its arguments.
    fn callee(&self, call: &Call, span: Span) -> Option<(&'a Function, Vec<i32>)> {
        let program: &'a Lowered = self.program;
        let functions = &program.dynamic.as_ref()?.functions;
        let eval = self.eval(self.scratch);
        let function = match &call.callee {
            Callee::Direct(id) => &functions[usize::from(*id)],
            Callee::Through(e) => {
                let id = eval.eval(e);
                if self.is_fatal() {
                    return None;
                }
                if id == 0 {
                    self.raise(Trouble::fatal(span, &rules::NULL_CALL).with("name", &call.name));
                    return None;
                }
                &functions[id as usize - 1]
            }
        };
        let wrong = |reason: String| {
            let trouble = Trouble::fatal(span, &rules::ARGUMENTS).with("name", &call.name);
            self.raise(trouble.with("signature", &function.signature).with("reason", reason));
        };
        if function.formals.len() != call.args.len() {
            wrong(format!("{} given", call.args.len()));
            return None;
        }
        let mut args = Vec::with_capacity(call.args.len());
        let is_direct = matches!(call.callee, Callee::Direct(_));
        for (idx, (arg, formal)) in call.args.iter().zip(&function.formals).enumerate() {
            let arg = if is_direct { Some(arg) } else { arg.for_formal(formal) };
            let Some(arg) = arg else {
                wrong(format!("argument {} is of another type", idx + 1));
                return None;
            };
            args.push(eval.eval(arg));
        }
        (!self.is_fatal()).then_some((function, args))
    }

    /// The variable that takes the result, if there is one.
    fn result_place<'c>(
        &self,
        call: &'c Call,
        function: &Function,
        span: Span,
    ) -> Result<Option<&'c ScalarPlace>, ()> {
        let Some(target) = &call.result else { return Ok(None) };
        let place = match (&call.callee, target) {
            (Callee::Direct(_), Target::Place(place)) => Some(Some(place)),
            _ => function.result.as_ref().and_then(|result| target.for_formal(result)),
        };
        place.ok_or_else(|| {
            let trouble = Trouble::fatal(span, &rules::RESULT).with("name", &call.name);
            self.raise(trouble.with("signature", &function.signature));
        })
    }

    /// Sets the control state of a frame, or of the process itself.
    pub(crate) fn set_control(&mut self, frame: u32, state: u16) {
        let base = frame_base(self.scratch, self.layouts, self.pid, frame);
        write16(&mut self.scratch.bytes, if frame == 0 { base + 2 } else { base + FRAME_PC }, state);
    }

    fn make_frame(&mut self, function: &Function, link: &Link, args: &[i32]) {
        let Some(dynamic) = &self.program.dynamic else { return };
        let frame = self.scratch.allocate(dynamic, function.object, 1);
        let at = self.scratch.contents(frame);
        let bytes = &mut self.scratch.bytes;
        write16(bytes, at + FRAME_PC, function.body.start.0);
        write16(bytes, at + FRAME_CALL, link.call);
        write32(bytes, at + FRAME_CALLER, link.caller);
        write32(bytes, at + FRAME_RESULT, link.result);
        self.set_top(frame);
        if let Some(body) = function.body.scopes.first() {
            scope::make_object(self.program, body.object, self.scratch, at);
        }
        for (param, &value) in function.body.params.iter().zip(args) {
            let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
            let at = eval.offset(param);
            write(&mut self.scratch.bytes, at, param.scalar, value);
        }
        let mut boot = super::attempt::Boot {
            program: self.program,
            layouts: self.layouts,
            trouble: self.trouble,
            frame: Some(frame),
        };
        boot.run_setup(self.scratch, &function.body.setup, self.pid, 0);
    }

    fn set_top(&mut self, frame: u32) {
        let record = frame_base(self.scratch, self.layouts, self.pid, 0);
        write32(&mut self.scratch.bytes, record + TOP_FRAME as usize, frame << 16);
    }

    /// Ends the running function.
    pub(crate) fn return_from(&mut self, returned: &Returned, span: Span) -> Attempted {
        let frame = self.running_frame();
        let function = self.function_of(frame);
        let contents = self.scratch.contents(frame);
        let bytes = &self.scratch.bytes;
        let link = Link {
            call: read16(bytes, contents + FRAME_CALL),
            caller: read32(bytes, contents + FRAME_CALLER),
            result: read32(bytes, contents + FRAME_RESULT),
        };
        if let Returned::Call(call) = returned {
            let Some((next, args)) = self.callee(call, span) else { return Attempted::Blocked };
            if next.result != function.result {
                let trouble = Trouble::fatal(span, &rules::RESULT).with("name", &call.name);
                self.raise(trouble.with("signature", &next.signature));
                return Attempted::Blocked;
            }
            self.end_frame(frame);
            self.make_frame(next, &link, &args);
            return Attempted::Done;
        }
        let value = match returned {
            Returned::Value(e) => Some(self.eval(self.scratch).eval(e)),
            _ => None,
        };
        let value = value.map(|value| self.as_result(function, value, span));
        if self.is_fatal() {
            return Attempted::Blocked;
        }
        self.end_frame(frame);
        let caller = link.caller >> 16;
        self.set_top(caller);
        if !self.put_result(function, &link, value, span) {
            return Attempted::Blocked;
        }
        let goes_on = self.go_on_after(caller, link.call);
        // An atomic sequence that ends with the call ends with its return; what follows is a separate step.
        let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        let in_atomic = goes_on || eval.is_in_atomic(caller);
        self.scratch.returned = match link.caller & ATOMIC != 0 {
            _ if in_atomic => AfterReturn::InAtomic,
            true => AfterReturn::EndsAtomic,
            false => AfterReturn::Free,
        };
        Attempted::Done
    }

    /// A value truncated to the type of a function's result.
    fn as_result(&self, function: &Function, value: i32, span: Span) -> i32 {
        let Some((scalar, _)) = function.result.as_ref().filter(|result| !takes_reference(result)) else {
            return value;
        };
        let what = format!("return of {}", function.body.name);
        self.trouble.note_cut(span, &what, *scalar, value);
        scalar.truncate(value)
    }

    fn function_by_object(&self, object: u16) -> &'a Function {
        let program: &'a Lowered = self.program;
        let dynamic = program.dynamic.as_ref().expect("functions are dynamic");
        match dynamic.object(object).kind {
            crate::ir::ObjectKind::Frame(id) => &dynamic.functions[usize::from(id)],
            _ => panic!("a frame's type says which function it is of"),
        }
    }

    fn function_of(&self, frame: u32) -> &'a Function {
        self.function_by_object(read16(&self.scratch.bytes, self.scratch.header(frame)))
    }

    /// Writes a result to the location that the call gave; false after an error.
    fn put_result(&mut self, function: &Function, link: &Link, value: Option<i32>, span: Span) -> bool {
        let caller = link.caller >> 16;
        let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        let (code, _) = eval.at_frame(caller);
        let statement = &self.program.body(code).statements[usize::from(link.call)];
        let Action::Call(call) = &statement.action else { return true };
        let place = match self.result_place(call, function, span) {
            Ok(Some(place)) => place,
            Ok(None) => return true,
            Err(()) => return false,
        };
        let Some(value) = value else {
            self.raise(Trouble::fatal(span, &rules::NO_VALUE).with("function", &function.body.name));
            return false;
        };
        let offset = (link.result & 0xffff) as usize;
        let at = match link.result >> 16 {
            0 => frame_base(self.scratch, self.layouts, self.pid, caller) + offset,
            GLOBALS => offset,
            object if self.scratch.live(object).is_some() => self.scratch.contents(object) + offset,
            object => {
                let trouble = Trouble::fatal(span, &rules::LOST_TARGET);
                self.raise(trouble.with("function", &function.body.name).about(object));
                return false;
            }
        };
        let is_reference = function.result.as_ref().is_some_and(takes_reference);
        debug_assert!(is_reference || !matches!(place.base, Base::Object(_)) || link.result >> 16 != 0);
        write(&mut self.scratch.bytes, at, place.scalar, value);
        true
    }

    /// Continues a caller after its call. Returns whether the atomic sequence around the call continues.
    fn go_on_after(&mut self, caller: u32, call: u16) -> bool {
        let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
        let (code, pc) = eval.at_frame(caller);
        let body = self.program.body(code);
        let transition = body.transitions[pc].iter().find(|t| t.statement == u32::from(call));
        let Some(transition) = transition else { return false };
        if let Some(target) = transition.target {
            self.set_control(caller, target.0);
        }
        self.leave_behind(caller, code, transition);
        transition.atomic
    }

    /// Ends the scopes that a transition leaves, and clears what is not read after it.
    pub(crate) fn leave_behind(&mut self, frame: u32, code: usize, transition: &Transition) {
        let body = self.program.body(code);
        let base = frame_base(self.scratch, self.layouts, self.pid, frame);
        scope::leave(self.program, body, transition.scopes.as_deref(), self.scratch, base);
        for &(start, len) in &transition.clears {
            let is_cleared = |at: &u32| (start..start + len).contains(at);
            self.scratch.moved |= body.references.iter().any(is_cleared);
            let start = base + start as usize;
            self.scratch.bytes[start..start + len as usize].fill(0);
        }
    }

    /// Ends a frame and its scopes.
    fn end_frame(&mut self, frame: u32) {
        let Some(dynamic) = &self.program.dynamic else { return };
        let contents = self.scratch.contents(frame);
        let function = self.function_of(frame);
        scope::end_all(self.program, &function.body, self.scratch, contents);
        self.scratch.kill(dynamic, frame, Death::Ended);
    }

    /// Ends all frames above one, whose escape leaves them.
    pub(crate) fn end_frames_above(&mut self, frame: u32) {
        loop {
            let eval = Eval::new(self.program, self.layouts, self.scratch, self.pid, self.trouble);
            let top = eval.top_frame(eval.record);
            if top == frame {
                return;
            }
            let caller = read32(&self.scratch.bytes, self.scratch.contents(top) + FRAME_CALLER) >> 16;
            self.end_frame(top);
            self.set_top(caller);
        }
    }
}
