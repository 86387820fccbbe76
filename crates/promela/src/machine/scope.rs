//! Entering and leaving scopes.
//!
//! A scope is entered by the first statement inside that is executed, and left by the transition that leads
//! out of it. Then its variables become zero, and the object with those that pointers may refer to ends.

use super::attempt::Boot;
use super::object::{Death, FIRST, OBJECT_HEADER, read32, write32};
use super::{Layouts, Memory, Troubles};
use crate::ir::{Proctype, ScopeMove};
use crate::lower::Lowered;

/// The offset of the variables of a frame; of the process's record if `frame` is 0.
pub(crate) fn frame_base(memory: &Memory, layouts: &Layouts, pid: usize, frame: u32) -> usize {
    match frame {
        0 => layouts.get(memory.layout).processes[pid].offset as usize,
        frame => memory.objects[(frame - FIRST) as usize] as usize + OBJECT_HEADER,
    }
}

/// Whether a transition enters a scope that control is not in.
pub(crate) fn enters(body: &Proctype, moves: Option<&ScopeMove>, memory: &Memory, base: usize) -> bool {
    let inside = moves.map_or(&[][..], |moves| &moves.inside);
    inside.iter().any(|&scope| !is_active(body, scope, memory, base))
}

fn is_active(body: &Proctype, scope: u16, memory: &Memory, base: usize) -> bool {
    body.scopes[usize::from(scope)].flag.is_none_or(|flag| memory.bytes[base + flag as usize] != 0)
}

/// What setups need to run.
pub(crate) struct ScopePlace<'a> {
    pub(crate) program: &'a Lowered,
    pub(crate) layouts: &'a mut Layouts,
    pub(crate) trouble: &'a Troubles,
    pub(crate) pid: usize,
    pub(crate) frame: u32,
}

/// Enters the scopes around a statement that control is not in.
pub(crate) fn enter(place: &mut ScopePlace<'_>, body: &Proctype, moves: &ScopeMove, memory: &mut Memory) {
    for &scope in &moves.inside {
        let base = frame_base(memory, place.layouts, place.pid, place.frame);
        if is_active(body, scope, memory, base) {
            continue;
        }
        let scope = &body.scopes[usize::from(scope)];
        if let Some(flag) = scope.flag {
            memory.bytes[base + flag as usize] = 1;
        }
        make_object(place.program, scope.object, memory, base);
        let mut boot = Boot {
            program: place.program,
            layouts: place.layouts,
            trouble: place.trouble,
            frame: Some(place.frame),
        };
        boot.run_setup(memory, &scope.setup, place.pid, 0);
    }
}

/// Makes the object of a scope, if it has one, and stores its number in the record or frame at `base`.
pub(crate) fn make_object(program: &Lowered, object: Option<(u32, u16)>, memory: &mut Memory, base: usize) {
    if let (Some((slot, ty)), Some(dynamic)) = (object, &program.dynamic) {
        let object = memory.allocate(dynamic, ty, 1);
        write32(&mut memory.bytes, base + slot as usize, object << 16);
    }
}

/// Leaves every scope of a body that does not enclose the statement where control is now.
pub(crate) fn leave(
    program: &Lowered,
    body: &Proctype,
    moves: Option<&ScopeMove>,
    memory: &mut Memory,
    base: usize,
) {
    let after = moves.map_or(&[][..], |moves| &moves.after);
    for (idx, scope) in body.scopes.iter().enumerate() {
        let Some(flag) = scope.flag else { continue };
        if memory.bytes[base + flag as usize] == 0 || after.contains(&(idx as u16)) {
            continue;
        }
        end_object(program, scope.object, memory, base);
        let is_cleared = |at: &u32| scope.bytes.iter().any(|(start, len)| (*start..start + len).contains(at));
        memory.moved |= body.references.iter().any(is_cleared);
        for &(start, len) in &scope.bytes {
            let start = base + start as usize;
            memory.bytes[start..start + len as usize].fill(0);
        }
    }
}

/// Ends all scopes of a body, and the body itself.
pub(crate) fn end_all(program: &Lowered, body: &Proctype, memory: &mut Memory, base: usize) {
    for scope in body.scopes.iter() {
        end_object(program, scope.object, memory, base);
    }
}

fn end_object(program: &Lowered, object: Option<(u32, u16)>, memory: &mut Memory, base: usize) {
    let (Some((slot, _)), Some(dynamic)) = (object, &program.dynamic) else { return };
    let object = read32(&memory.bytes, base + slot as usize) >> 16;
    if object >= FIRST {
        memory.kill(dynamic, object, Death::Ended);
    }
}
