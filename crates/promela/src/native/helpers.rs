//! What compiled code calls: rare statements and expressions, which the interpreter does, and rendezvous.
//!
//! All are called with the context that their caller was given, and with vectors in buffers of the runtime.
#![allow(unsafe_code, reason = "compiled code passes raw pointers")]

use super::code::channel_bit;
use super::context::{BLOCKED, Context, GROWTH, INTERPRET, MAX_FIELDS, MOVED, NativeLayout, PADDING, Status};
use super::runtime::Runtime;
use crate::ir::{Expr, Statement};
use crate::machine::{Attempt, Attempted, Eval};
use std::slice;

impl Runtime {
    /// An evaluator for a process in a vector of compiled code.
    ///
    /// # Safety
    /// `vector` must hold as many bytes as `layout` says.
    unsafe fn eval<'a>(&'a self, vector: *const u8, layout: &'a NativeLayout, pid: u64) -> Eval<'a> {
        // SAFETY: as the caller promises.
        let bytes = unsafe { slice::from_raw_parts(vector, layout.size as usize) };
        Eval {
            program: self.program(),
            layout: self.layouts.get(layout.id),
            bytes,
            pid: pid as usize,
            base: layout.processes[pid as usize].offset as usize,
            record: layout.processes[pid as usize].offset as usize,
            objects: &[],
            timeout: false,
            run_result: 0,
            trouble: &self.trouble,
            depth: 0,
        }
    }
}

/// Evaluates an expression; sets the context's trouble if something is wrong with it.
pub(super) unsafe extern "C" fn evaluate(
    context: *mut Context,
    vector: *const u8,
    layout: *const NativeLayout,
    pid: u64,
    e: *const Expr,
) -> i32 {
    // SAFETY: compiled code passes its own context, a vector with its layout, and an expression of the
    // program.
    let (runtime, eval, e) = unsafe {
        let runtime = &*(*context).runtime;
        (runtime, runtime.eval(vector, &*layout, pid), &*e)
    };
    let value = eval.eval(e);
    if !runtime.trouble.is_empty() {
        runtime.trouble.take();
        // SAFETY: as above; nothing else refers to this field.
        unsafe { (*context).trouble = 1 };
    }
    value
}

/// Whether another process has claimed a channel that is used.
pub(super) unsafe extern "C" fn exclusive(
    context: *mut Context,
    vector: *const u8,
    layout: *const NativeLayout,
    pid: u64,
    id: i32,
    flags: u64,
) -> u32 {
    // SAFETY: as in `evaluate`.
    let (runtime, eval) = unsafe {
        let runtime = &*(*context).runtime;
        (runtime, runtime.eval(vector, &*layout, pid))
    };
    // Where does not matter here: the interpreter will look again.
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
    layout: *const NativeLayout,
    pid: u64,
    statement: *const Statement,
) -> Status {
    // SAFETY: as in `evaluate`; nothing else refers to the runtime while compiled code runs.
    let (runtime, layout, statement) = unsafe { (&mut *(*context).runtime, &*layout, &*statement) };
    // SAFETY: a vector has as many bytes as its layout says.
    let bytes = unsafe { slice::from_raw_parts(vector, layout.size as usize) };
    runtime.scratch.bytes.clear();
    runtime.scratch.bytes.extend_from_slice(bytes);
    runtime.scratch.layout = layout.id;
    let program = std::sync::Arc::clone(&runtime.code);
    let mut attempt = Attempt {
        program: program.program(),
        layouts: &mut runtime.layouts,
        memory: &runtime.unused,
        scratch: &mut runtime.scratch,
        trouble: &runtime.trouble,
        pid: pid as usize,
        timeout: false,
        moved: false,
        offer: None,
        message: &mut runtime.message,
        inner: None,
        frame: None,
        index: 0,
        choice: 0,
        more: false,
    };
    let attempted = attempt.perform(statement, false);
    if runtime.trouble.take_cut() && runtime.noticed.insert(std::ptr::from_ref(statement).addr()) {
        runtime.trouble.take();
        return INTERPRET;
    }
    if !runtime.trouble.is_empty() {
        runtime.trouble.take();
        return INTERPRET;
    }
    match attempted {
        Attempted::Blocked => return BLOCKED,
        Attempted::Offered(_) => return INTERPRET,
        Attempted::Done => {}
    }
    let size = runtime.scratch.bytes.len();
    if size + PADDING > runtime.base_size + GROWTH {
        return INTERPRET;
    }
    let after = runtime.native_layout(runtime.scratch.layout);
    // SAFETY: buffers of vectors have room for the growth that was just checked; the context is the caller's.
    unsafe {
        std::ptr::copy_nonoverlapping(runtime.scratch.bytes.as_ptr(), vector, size);
        (*context).layout = after;
    }
    MOVED
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
            let at = process.offset as usize;
            let taker_pc = u16::from_le_bytes([*vector.add(at + 2), *vector.add(at + 3)]);
            let take = &(&(*code).takes)[process.first_state as usize + usize::from(taker_pc)];
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

/// Takes a message out of a channel's `length` messages of `size` bytes.
pub(super) unsafe extern "C" fn remove(messages: *mut u8, length: u64, position: u64, size: u64) {
    let (length, position, size) = (length as usize, position as usize, size as usize);
    // SAFETY: compiled code passes the messages of a channel, of which there are more than `position`.
    let messages = unsafe { slice::from_raw_parts_mut(messages, length * size) };
    messages.copy_within((position + 1) * size.., position * size);
    messages[(length - 1) * size..].fill(0);
}
