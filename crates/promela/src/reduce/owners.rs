//! Which processes can reach which objects in a state.
//!
//! References are in the globals, in the messages of channels, in the variables and frames of processes, and
//! in objects that such references lead to. Every process can reach what is reachable from the globals, from
//! any message or from a variable that is read from outside its process. What is reachable from the other
//! variables of a process can be reached by that process. If exactly one process can reach an object now, it
//! is the object's *owner*. Until the owner takes a step, no other process gets a reference to the object,
//! because another process can only follow references that it has and copy them. So no process but the owner
//! touches the object before the owner moves.

use crate::ir::Scalar;
use crate::lower::{Dynamic, Lowered, TOP_FRAME};
use crate::machine::{ChannelSlot, Layouts, Memory, OBJECTS_FROM, field_offset, read_scalar};

/// All processes.
const ALL: u64 = u64::MAX;

/// Which processes can reach the objects of one state.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// For each object, the processes that can reach it.
    reached_by: Vec<u64>,
    /// For each type of objects, whether several processes can reach one object of it.
    met: Vec<bool>,
    todo: Vec<u32>,
}

impl Owners {
    /// Analyses another state. `remote` lists references in records that are read from outside: process type
    /// and offset.
    pub(super) fn find(
        &mut self,
        lowered: &Lowered,
        layouts: &Layouts,
        memory: &Memory,
        remote: &[(usize, u32)],
    ) {
        let Some(dynamic) = &lowered.dynamic else { return };
        self.reached_by.clear();
        self.reached_by.resize(memory.objects.len(), 0);
        self.met.clear();
        self.met.resize(dynamic.objects.len() + 1, false);
        let layout = layouts.get(memory.layout);
        for &at in &dynamic.globals {
            self.reach(memory, at as usize, ALL);
        }
        for &slot in &layout.channels {
            self.reach_messages(lowered, memory, slot, ALL);
        }
        for (pid, slot) in layout.processes.iter().enumerate() {
            let ty = usize::from(slot.ty.0);
            let record = slot.offset as usize;
            for &at in lowered.proctypes[ty].references.iter() {
                let who = if remote.contains(&(ty, at)) { ALL } else { 1 << pid };
                self.reach(memory, record + at as usize, who);
            }
            if dynamic.calls {
                self.reach(memory, record + TOP_FRAME as usize, 1 << pid);
            }
        }
        while let Some(object) = self.todo.pop() {
            self.follow(lowered, dynamic, memory, object);
        }
        for (object, &who) in self.reached_by.iter().enumerate() {
            if !who.is_power_of_two()
                && let Some((ty, _)) = memory.live(object as u32 + OBJECTS_FROM)
            {
                self.met[usize::from(ty)] = true;
            }
        }
    }

    /// Whether a process is the only one that can reach an object.
    pub(super) fn owns(&self, pid: usize, object: u32) -> bool {
        self.reached_by[(object - OBJECTS_FROM) as usize] == 1 << pid
    }

    /// For each type of objects, whether several processes can reach one object of it.
    pub(super) fn met(&self) -> &[bool] {
        &self.met
    }

    /// Records that these processes can follow the reference at an offset.
    fn reach(&mut self, memory: &Memory, at: usize, who: u64) {
        let word = read_scalar(&memory.bytes, at, Scalar::Pointer) as u32;
        let Some(object) = (word >> 16).checked_sub(OBJECTS_FROM) else { return };
        let known = &mut self.reached_by[object as usize];
        if who & !*known != 0 {
            *known |= who;
            self.todo.push(object);
        }
    }

    fn reach_messages(&mut self, lowered: &Lowered, memory: &Memory, slot: ChannelSlot, who: u64) {
        let ty = &lowered.channel_types[usize::from(slot.ty.0)];
        if ty.capacity == 0 || ty.fields.iter().all(|(scalar, _)| *scalar != Scalar::Pointer) {
            return;
        }
        let length = read_scalar(&memory.bytes, slot.offset as usize, ty.length_scalar()) as usize;
        for message in 0..length {
            for (field, (scalar, _)) in ty.fields.iter().enumerate() {
                if *scalar == Scalar::Pointer {
                    self.reach(memory, field_offset(ty, slot, message, field), who);
                }
            }
        }
    }

    /// Records that the processes which can reach an object can reach what it refers to.
    fn follow(&mut self, lowered: &Lowered, dynamic: &Dynamic, memory: &Memory, object: u32) {
        let who = self.reached_by[object as usize];
        let number = object + OBJECTS_FROM;
        let Some((ty, length)) = memory.live(number) else { return };
        let ty = dynamic.object(ty);
        let contents = memory.contents(number);
        for element in 0..usize::from(length) {
            for &at in &ty.references {
                self.reach(memory, contents + element * ty.size as usize + at as usize, who);
            }
        }
        for ordinal in 0..ty.channels.len() * usize::from(length) {
            if let Some((channel, start)) = ty.channel(length, ordinal) {
                let slot = ChannelSlot { offset: (contents + start) as u32, ty: channel };
                self.reach_messages(lowered, memory, slot, who);
            }
        }
    }
}
