//! What processes touch in a state of a model with dynamic features: through their stacks, and through
//! pointers.
//!
//! - The next step of a process begins in its top frame. As long as it may return within the step, what
//!   follows in the frame below is added (`footprint::chains`). For *ever*, all frames are added, because the
//!   process may return into each of them.
//! - If the first statement of a step follows a pointer, the object is looked up. If the process is the
//!   object's owner, no other process touches the object before the owner has moved (`owners`), so the access
//!   does not count.
//! - Accesses later in the step are known only by site. They count unless each object of the site's type has
//!   an owner in this state. The objects that the step can touch are known to the process now, or made in the
//!   step, or received in a rendezvous from a process which is then in the chosen set too. In each case the
//!   owner is in the set, so no process outside it can reach the object before a process of the set moves.

use super::{Look, StepOrder};
use crate::lower::Lowered;
use crate::machine::{Eval, Memory, OBJECTS_FROM, Troubles};
use crate::reduce::footprint::{Direct, DirectChannel, DirectPart, Footprint, InCalls, When, ends_touched};
use crate::reduce::owners::Owners;
use crate::reduce::resources;
use crate::syntax::ast::Span;

/// What the choice needs in a model with dynamic features.
#[derive(Debug)]
pub(super) struct DynamicOrder {
    pub(super) in_calls: InCalls,
    /// References in records that are read from outside: process type and offset.
    pub(super) remote: Vec<(usize, u32)>,
}

impl StepOrder {
    /// Adds what is known of a model with dynamic features.
    pub(in crate::reduce) fn set_dynamic(&mut self, in_calls: InCalls, remote: Vec<(usize, u32)>) {
        for (ty, states) in self.types.iter_mut().zip(&in_calls.states) {
            for (state, in_call) in ty.states.iter_mut().zip(states) {
                state.silent &= in_call.direct.is_empty();
            }
        }
        self.dynamic = Some(DynamicOrder { in_calls, remote });
    }
}

/// A frame: its body, its control state, and whether it was called in an atomic sequence.
#[derive(Clone, Copy)]
struct Position {
    code: usize,
    pc: usize,
    in_atomic: bool,
}

/// The frames of a process, the top one first.
fn positions(eval: &Eval<'_>) -> Vec<Position> {
    let frames = eval.frames();
    let position = |frame: u32| {
        let (code, pc) = eval.at_frame(frame);
        Position { code, pc, in_atomic: eval.is_in_atomic(frame) }
    };
    frames.map(position).collect()
}

/// Whether the next step of a process touches nothing that others can depend on.
pub(super) fn is_silent(order: &StepOrder, eval: &Eval<'_>) -> bool {
    let top = eval.top_frame(eval.record);
    let (code, pc) = eval.at_frame(top);
    order.types[code].states[pc].silent && !eval.is_in_atomic(top)
}

/// A process whose footprints are looked up.
pub(super) struct InState<'a> {
    pub(super) lowered: &'a Lowered,
    pub(super) memory: &'a Memory,
    pub(super) pid: usize,
    pub(super) owners: &'a Owners,
    pub(super) trouble: &'a Troubles,
}

impl Look<'_> {
    /// Looks up what a process touches with its next step and ever after. Returns whether it may die within
    /// that step after another statement.
    pub(super) fn up_stack(
        &self,
        dynamic: &DynamicOrder,
        top: &Eval<'_>,
        state: &InState<'_>,
        now: &mut [u64],
        ever: &mut [u64],
    ) -> bool {
        let frames = positions(top);
        for frame in &frames {
            self.up(&self.order.types[frame.code].states[frame.pc].ever, ever);
        }
        let mut frames = frames.into_iter();
        let Some(first) = frames.next() else { return false };
        let in_call = &dynamic.in_calls.states[first.code][first.pc];
        let step = match first.in_atomic {
            true => &in_call.now_in_atomic,
            false => &self.order.types[first.code].states[first.pc].now,
        };
        let mut ends = step.ends;
        self.up_now(step, state, now);
        for direct in &in_call.direct {
            self.up_direct(direct, top, state, now);
        }
        let mut returns = step.returns;
        while let Some(frame) = frames.next().filter(|_| returns) {
            let in_call = &dynamic.in_calls.states[frame.code][frame.pc];
            let after = &in_call.after[usize::from(frame.in_atomic)];
            self.up_now(after, state, now);
            ends |= after.ends;
            returns = after.returns;
        }
        ends
    }

    /// Looks up a footprint. Objects of types of which every object has an owner do not count.
    fn up_now(&self, footprint: &Footprint, state: &InState<'_>, set: &mut [u64]) {
        self.up_plain(footprint, set);
        for (&(object, bit), &write) in &footprint.parts {
            if state.owners.met()[usize::from(object)] {
                resources::add(set, bit, write);
            }
        }
    }

    fn up_direct(&self, direct: &Direct, top: &Eval<'_>, state: &InState<'_>, set: &mut [u64]) {
        // An earlier error belongs to another expression.
        state.trouble.take();
        let entered = direct.inside.iter().all(|&flag| top.bytes[top.base + flag as usize] != 0);
        if !entered {
            self.up_now(&direct.otherwise, state, set);
            return;
        }
        for part in &direct.parts {
            self.up_part(part, top, state, set);
        }
        for channel in &direct.channels {
            self.up_channel(channel, top, state, set);
        }
    }

    fn up_part(&self, part: &DirectPart, top: &Eval<'_>, state: &InState<'_>, set: &mut [u64]) {
        let pointer = top.eval(&part.pointer) as u32;
        if !state.trouble.is_empty() {
            // The statement fails before it makes this access.
            state.trouble.take();
            return;
        }
        let object = pointer >> 16;
        if object == 1 {
            part.globals.iter().for_each(|&bit| resources::add(set, bit, part.write));
        }
        if object < OBJECTS_FROM || state.owners.owns(state.pid, object) {
            return;
        }
        // An object that has ended stays ended for every process.
        let Some((ty, _)) = state.memory.live(object) else { return };
        let mut known = false;
        for &(object, bit) in &part.parts {
            if object == ty {
                resources::add(set, bit, part.write);
                known = true;
            }
        }
        debug_assert!(known, "a pointer refers to an object of no site that it may refer to");
        if !known {
            self.up_everything(set);
        }
    }

    fn up_channel(&self, channel: &DirectChannel, top: &Eval<'_>, state: &InState<'_>, set: &mut [u64]) {
        let id = top.eval(&channel.channel) as u32;
        if !state.trouble.is_empty() {
            state.trouble.take();
            return;
        }
        let object = id >> 16;
        if object == 0 {
            self.channel(id as usize, channel.uses, When::Always, set);
            self.channel(id as usize, channel.waits, channel.when, set);
            return;
        }
        if state.owners.owns(state.pid, object) {
            return;
        }
        let Some((ty, _)) = state.memory.live(object) else { return };
        let span = Span { file: 0, start: 0, end: 0 };
        let Some(slot) = top.object_channel(id, span) else {
            state.trouble.take();
            return;
        };
        let counts = match channel.when {
            When::Always => true,
            When::IfFull => top.length(slot) >= top.capacity(slot),
            When::IfEmpty => top.length(slot) == 0,
        };
        let how = if counts { channel.uses | channel.waits } else { channel.uses };
        let in_element =
            state.lowered.dynamic.as_ref().map_or(1, |dynamic| dynamic.object(ty).channels.len());
        let ordinal = (id & 0xffff) as usize % in_element.max(1);
        let mut known = false;
        for &(object, of, tail, head) in &channel.parts {
            if object == ty && usize::from(of) == ordinal {
                ends_touched(how, tail, head).into_iter().for_each(|(bit, write)| {
                    resources::add(set, bit, write);
                });
                known = true;
            }
        }
        debug_assert!(known, "a channel is one of no site that it may be of");
        if !known {
            self.up_everything(set);
        }
    }

    /// Records that the process touches everything.
    #[cold]
    fn up_everything(&self, set: &mut [u64]) {
        set.fill(u64::MAX);
    }
}
