//! Functions that compiled code calls: rare statements and expressions, which the interpreter executes, and
//! rendezvous.
//!
//! All are called with the context that their caller was given, and with vectors in buffers of the runtime.
#![allow(unsafe_code, reason = "compiled code passes raw pointers")]

use super::code::channel_bit;
use super::context::{
    BLOCKED, Context, FRAME_BYTES, GROWTH, INTERPRET, MAX_CHAINED, MAX_FIELDS, MAX_OBJECTS, MOVED, NO_ROOM,
    NativeLayout, ObjectTable, PADDING, Status,
};
use super::runtime::Runtime;
use crate::ir::{Action, Expr, Returned, ScopeMove, Statement, Transition, Type};
use crate::machine::{
    AfterReturn, Attempt, Attempted, Eval, Memory, ObjectState, ScopePlace, enter_scopes, leave_scopes,
};
use std::slice;

impl Runtime {
    /// An evaluator for a process in a vector of compiled code.
    ///
    /// # Safety
    /// `vector` must hold as many bytes as `layout` says, and in a model with objects as `table` says.
    unsafe fn eval<'a>(
        &'a self,
        vector: *const u8,
        table: *const ObjectTable,
        layout: &'a NativeLayout,
        pid: u64,
    ) -> Eval<'a> {
        // SAFETY: guaranteed by the caller.
        let (bytes, objects) = unsafe { self.parts(vector, table, layout) };
        let mut eval = Eval {
            program: self.program(),
            layout: self.layouts.get(layout.id),
            bytes,
            pid: pid as usize,
            base: layout.processes[pid as usize].offset as usize,
            record: layout.processes[pid as usize].offset as usize,
            objects,
            timeout: false,
            run_result: 0,
            trouble: &self.trouble,
            depth: 0,
        };
        if self.program().dynamic.is_some() {
            eval.set_frame(eval.top_frame(eval.record));
        }
        eval
    }

    /// The bytes of a vector, and the offsets of its objects.
    ///
    /// # Safety
    /// As for `eval`.
    unsafe fn parts<'a>(
        &self,
        vector: *const u8,
        table: *const ObjectTable,
        layout: &NativeLayout,
    ) -> (&'a [u8], &'a [u32]) {
        // SAFETY: guaranteed by the caller.
        unsafe {
            if self.program().dynamic.is_none() {
                return (slice::from_raw_parts(vector, layout.size as usize), &[]);
            }
            let bytes = slice::from_raw_parts(vector, (*table).size as usize);
            (bytes, &(&(*table).starts)[..(*table).n_objects as usize])
        }
    }

    /// Copies a vector to `scratch`.
    ///
    /// # Safety
    /// As for `eval`.
    unsafe fn read_scratch(&mut self, vector: *const u8, table: *const ObjectTable, layout: &NativeLayout) {
        // SAFETY: guaranteed by the caller.
        let (bytes, objects) = unsafe { self.parts(vector, table, layout) };
        let Memory { bytes: own, objects: starts, .. } = &mut self.scratch;
        own.clear();
        own.extend_from_slice(bytes);
        starts.clear();
        starts.extend_from_slice(objects);
        // SAFETY: a vector of a model with objects has a table.
        self.scratch.moved = self.program().dynamic.is_some() && unsafe { (*table).moved } != 0;
        self.scratch.layout = layout.id;
    }

    /// Copies `scratch` back to a vector, if it is not too large.
    ///
    /// # Safety
    /// The vector must be in a buffer of the runtime, with its own table if objects were moved.
    unsafe fn write_scratch(&self, vector: *mut u8, table: *mut ObjectTable) -> Result<(), Status> {
        let Memory { bytes, objects, moved, .. } = &self.scratch;
        if bytes.len() + PADDING > self.base_size + GROWTH || objects.len() > MAX_OBJECTS {
            return Err(INTERPRET);
        }
        // SAFETY: buffers of vectors have room for the growth that was just checked.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), vector, bytes.len());
            if *moved {
                (*table).size = bytes.len() as u32;
                (*table).n_objects = objects.len() as u32;
                (*table).moved = 1;
                (&mut (*table).starts)[..objects.len()].copy_from_slice(objects);
            }
        }
        Ok(())
    }

    /// Executes a statement in `scratch`.
    fn perform(&mut self, pid: u64, statement: &Statement, index: u32) -> Status {
        let code = std::sync::Arc::clone(&self.code);
        let mut attempt = Attempt {
            program: code.program(),
            layouts: &mut self.layouts,
            memory: &self.unused,
            scratch: &mut self.scratch,
            trouble: &self.trouble,
            pid: pid as usize,
            timeout: false,
            moved: false,
            offer: None,
            message: &mut self.message,
            inner: None,
            frame: None,
            index,
            choice: 0,
            more: false,
        };
        let attempted = attempt.perform(statement, false);
        if self.trouble.take_cut() && self.noticed.insert(std::ptr::from_ref(statement).addr()) {
            self.trouble.take();
            return INTERPRET;
        }
        if !self.trouble.is_empty() {
            self.trouble.take();
            return INTERPRET;
        }
        match attempted {
            Attempted::Blocked => BLOCKED,
            Attempted::Offered(_) => INTERPRET,
            Attempted::Done => MOVED,
        }
    }
}

/// Evaluates an expression; sets the context's `trouble` if the evaluation fails.
pub(super) unsafe extern "C" fn evaluate(
    context: *mut Context,
    vector: *const u8,
    table: *const ObjectTable,
    layout: *const NativeLayout,
    pid: u64,
    e: *const Expr,
) -> i32 {
    // SAFETY: compiled code passes its own context, a vector with its layout, and an expression of the
    // program.
    let (runtime, eval, e) = unsafe {
        let runtime = &*(*context).runtime;
        (runtime, runtime.eval(vector, table, &*layout, pid), &*e)
    };
    let value = eval.eval(e);
    if !runtime.trouble.is_empty() {
        runtime.trouble.take();
        // SAFETY: as above; no other reference to this field exists.
        unsafe { (*context).trouble = 1 };
    }
    value
}

/// Whether another process has claimed a channel for the use that is about to be made of it.
pub(super) unsafe extern "C" fn exclusive(
    context: *mut Context,
    vector: *const u8,
    table: *const ObjectTable,
    layout: *const NativeLayout,
    pid: u64,
    id: i32,
    flags: u64,
) -> u32 {
    // SAFETY: as in `evaluate`.
    let (runtime, eval) = unsafe {
        let runtime = &*(*context).runtime;
        (runtime, runtime.eval(vector, table, &*layout, pid))
    };
    // The location does not matter here: the interpreter will check again.
    let span = runtime.program().proctypes[0].span;
    eval.check_exclusive(id, flags & 1 != 0, flags & 2 != 0, span);
    let violated = !runtime.trouble.is_empty();
    if violated {
        runtime.trouble.take();
    }
    u32::from(violated)
}

/// Executes a statement in place; the context then has the layout of the result.
pub(super) unsafe extern "C" fn perform(
    context: *mut Context,
    vector: *mut u8,
    table: *mut ObjectTable,
    layout: *const NativeLayout,
    pid: u64,
    statement: *const Statement,
) -> Status {
    // SAFETY: as in `evaluate`; no other reference to the runtime exists while a helper runs.
    let (runtime, layout, statement) = unsafe { (&mut *(*context).runtime, &*layout, &*statement) };
    // SAFETY: compiled code passes a vector in a buffer of the runtime, with its table.
    unsafe {
        runtime.read_scratch(vector, table, layout);
        let status = runtime.perform(pid, statement, 0);
        if status != MOVED {
            return status;
        }
        if let Err(status) = runtime.write_scratch(vector, table) {
            return status;
        }
        (*context).layout = runtime.native_layout(runtime.scratch.layout);
    }
    MOVED
}

/// A call, a return, or a jump after either.
#[derive(Debug)]
pub(crate) struct ChainSite {
    /// The statement; `None` if it is a jump, which is executed already.
    pub(super) statement: Option<*const Statement>,
    pub(super) index: u32,
    /// The body that contains it.
    pub(super) code: u32,
    /// Whether it is in an atomic sequence that continues after it; false for a return.
    pub(super) keeps_control: bool,
    /// Whether it is a jump that ends an atomic sequence.
    pub(super) jumps_out: bool,
}

/// The places that code refers to by address: boxed, because a list moves its elements when it grows.
pub(crate) type ChainSites = Vec<Box<ChainSite>>;

/// Executes a call or a return in a frame, and what follows in the same step. Returns `MOVED` unless the
/// interpreter must execute it or there is no room.
pub(super) unsafe extern "C" fn chain(
    context: *mut Context,
    vector: *mut u8,
    layout: *const NativeLayout,
    base: u64,
    pid: u64,
    site: *const ChainSite,
    chained: u64,
) -> Status {
    // SAFETY: compiled code passes its own context and a frame with a vector and its table. No reference into
    // the context or the runtime is held while a compiled function runs.
    unsafe {
        let (site, table) = (&*site, vector.add(super::context::TABLE_AT).cast::<ObjectTable>());
        let mut n_calls = chained.saturating_sub(1) as usize;
        let runtime = &mut *(*context).runtime;
        let mut keeps_control = site.keeps_control;
        if let Some(statement) = site.statement {
            let statement = &*statement;
            let calls = match &statement.action {
                Action::Call(_) => true,
                Action::Return(returned) => matches!(**returned, Returned::Call(_)),
                _ => false,
            };
            let name = u64::from(site.code) << 32 | u64::from(site.index);
            if calls {
                // The calls may form a cycle: the interpreter knows the frames that they were made in.
                if n_calls >= MAX_CHAINED || (&(*context).chain)[..n_calls].contains(&name) {
                    return INTERPRET;
                }
                (&mut (*context).chain)[n_calls] = name;
                n_calls += 1;
            }
            runtime.read_scratch(vector, table, &*layout);
            runtime.scratch.returned = AfterReturn::Free;
            if runtime.perform(pid, statement, site.index) != MOVED {
                return INTERPRET;
            }
            let after = runtime.scratch.returned;
            if runtime.program().features.last {
                runtime.scratch.bytes[1] = pid as u8;
            }
            if let Err(status) = runtime.write_scratch(vector, table) {
                return status;
            }
            match after {
                AfterReturn::EndsAtomic => return emit(context, vector, table, layout),
                AfterReturn::InAtomic => keeps_control = true,
                AfterReturn::Free => {}
            }
        }
        let mut eval = runtime.eval(vector, table, &*layout, pid);
        keeps_control |= eval.called_in_atomic();
        let (body, pc) = eval.position();
        let is_labelled = body.labelled.get(pc).is_some_and(|labelled| *labelled);
        if !keeps_control && (site.jumps_out || is_labelled) {
            return emit(context, vector, table, layout);
        }
        if (*context).moves_left == 0 {
            return INTERPRET;
        }
        (*context).moves_left -= 1;
        let code = std::ptr::from_ref(&*runtime.code);
        let state = (*code).state_of(vector, &(&(*layout).processes)[pid as usize]);
        (*context).chained = n_calls as u64 + 1;
        let status = ((&(*code).steps)[state])(context, vector, layout, base, pid);
        (*context).chained = 0;
        (*context).frame = vector.add(FRAME_BYTES);
        if status == BLOCKED { emit(context, vector, table, layout) } else { status }
    }
}

/// Writes the normal form of a vector to the batch.
pub(super) unsafe extern "C" fn emit(
    context: *mut Context,
    vector: *const u8,
    table: *const ObjectTable,
    layout: *const NativeLayout,
) -> Status {
    // SAFETY: compiled code passes its own context and a vector with its table; nothing else uses the batch's
    // memory meanwhile.
    unsafe {
        if (*context).out > (*context).limit {
            return NO_ROOM;
        }
        let runtime = &mut *(*context).runtime;
        let (bytes, objects) = runtime.parts(vector, table, &*layout);
        let room = slice::from_raw_parts_mut((*context).out, bytes.len());
        let size = if (*table).moved == 0 {
            room.copy_from_slice(bytes);
            bytes.len()
        } else {
            let state = ObjectState { bytes, objects, layout: (*layout).id };
            runtime.normaliser.write(runtime.code.program(), &runtime.layouts, state, room)
        };
        *(*context).lens.add((*context).n_out as usize) = size as u32;
        (*context).n_out += 1;
        (*context).out = (*context).out.add(size);
    }
    MOVED
}

/// Enters the scopes around a statement that control is not in.
pub(super) unsafe extern "C" fn enter(
    context: *mut Context,
    vector: *mut u8,
    table: *mut ObjectTable,
    layout: *const NativeLayout,
    pid: u64,
    moves: *const ScopeMove,
    code: u64,
) -> Status {
    // SAFETY: as in `perform`.
    unsafe {
        let runtime = &mut *(*context).runtime;
        runtime.read_scratch(vector, table, &*layout);
        let frame = runtime.eval(vector, table, &*layout, pid).running_frame();
        let program = std::sync::Arc::clone(&runtime.code);
        let program = program.program();
        let mut place = ScopePlace {
            program,
            layouts: &mut runtime.layouts,
            trouble: &runtime.trouble,
            pid: pid as usize,
            frame,
        };
        enter_scopes(&mut place, program.body(code as usize), &*moves, &mut runtime.scratch);
        let is_cut = runtime.trouble.take_cut();
        if !runtime.trouble.is_empty() || is_cut {
            runtime.trouble.take();
            return INTERPRET;
        }
        runtime.write_scratch(vector, table).map_or_else(|status| status, |()| MOVED)
    }
}

/// Leaves the scopes that control is in and that do not enclose the target of a transition.
pub(super) unsafe extern "C" fn leave(
    context: *mut Context,
    vector: *mut u8,
    table: *mut ObjectTable,
    layout: *const NativeLayout,
    pid: u64,
    transition: *const Transition,
    code: u64,
) {
    // SAFETY: as in `perform`.
    unsafe {
        let runtime = &mut *(*context).runtime;
        runtime.read_scratch(vector, table, &*layout);
        let base = runtime.eval(vector, table, &*layout, pid).base;
        let program = std::sync::Arc::clone(&runtime.code);
        let program = program.program();
        let moves = (*transition).scopes.as_deref();
        leave_scopes(program, program.body(code as usize), moves, &mut runtime.scratch, base);
        let is_written = runtime.write_scratch(vector, table).is_ok();
        debug_assert!(is_written, "leaving a scope takes no room");
    }
}

/// The number of elements of the array that a pointer refers to.
pub(super) unsafe extern "C" fn bound(
    context: *mut Context,
    vector: *const u8,
    table: *const ObjectTable,
    layout: *const NativeLayout,
    pid: u64,
    pointer: u64,
    pointee: *const Type,
) -> u32 {
    // SAFETY: as in `evaluate`.
    unsafe {
        let runtime = &*(*context).runtime;
        runtime.eval(vector, table, &*layout, pid).bound(pointer as u32, &*pointee)
    }
}

/// Offers the staged message of a process to all others, youngest first.
pub(super) unsafe extern "C" fn offer(
    context: *mut Context,
    vector: *const u8,
    layout: *const NativeLayout,
    base: u64,
    pid: u64,
    channel: u32,
    pc: u64,
    n_fields: u64,
) -> Status {
    let n_fields = (n_fields as usize).min(MAX_FIELDS);
    // SAFETY: compiled code passes its own context and a vector with its layout. No reference into the
    // context is held while a compiled function runs.
    unsafe {
        let code = std::ptr::from_ref(&*(*(*context).runtime).code);
        let outer = ((*context).offer, (*context).sender_at, (*context).sender_pc, (*context).message);
        let message = (*context).staged;
        let mut status = BLOCKED;
        let bit = channel_bit(channel);
        for (taker, process) in (*layout).processes.iter().enumerate().rev() {
            let state = (*code).state_of(vector, process);
            let take = &(&(*code).takes)[state];
            if take.channels & bit == 0 || taker as u64 == pid {
                continue;
            }
            (*context).offer = channel;
            (*context).sender_at = base;
            (*context).sender_pc = pc as u32;
            (&mut (*context).message)[..n_fields].copy_from_slice(&message[..n_fields]);
            let answer = (take.step)(context, vector, layout, u64::from(process.offset), taker as u64);
            if answer > MOVED {
                return answer;
            }
            status |= answer;
        }
        ((*context).offer, (*context).sender_at, (*context).sender_pc, (*context).message) = outer;
        status
    }
}

/// Removes one of a channel's `length` messages of `size` bytes.
pub(super) unsafe extern "C" fn remove(messages: *mut u8, length: u64, position: u64, size: u64) {
    let (length, position, size) = (length as usize, position as usize, size as usize);
    // SAFETY: compiled code passes the messages of a channel, of which there are more than `position`.
    let messages = unsafe { slice::from_raw_parts_mut(messages, length * size) };
    messages.copy_within((position + 1) * size.., position * size);
    messages[(length - 1) * size..].fill(0);
}
