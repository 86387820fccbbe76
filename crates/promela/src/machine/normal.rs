//! The normal form of a state with objects: two states are equal iff their heaps are isomorphic.
//!
//! Objects are numbered in the order in which they are reached from the roots; what is not reached is
//! dropped, or follows. The roots are, in this order: the pointers among the globals, the messages of global
//! channels, then for each process its frames (from the bottom; they are numbered before what they refer to),
//! its record and its channels. From each root all that is new is numbered breadth first. A map between two
//! heaps that keeps roots and fields keeps this order, and the bytes determine the graph: so equal bytes mean
//! isomorphic heaps, and the reverse.

use super::Memory;
use super::call::FRAME_CALLER;
use super::eval::{field_offset, read};
use super::layout::{ChannelSlot, Layout, Layouts};
use super::object::{DEAD, FIRST, OBJECT_HEADER, read16, read32, write16, write32};
use crate::ir::{ObjectKind, Scalar};
use crate::lower::{Dynamic, Lowered, TOP_FRAME};
use crate::options::Collect;

/// Objects with references, by number from zero.
pub(crate) trait Graph {
    /// How many objects there are.
    fn n_objects(&self) -> usize;

    /// Calls `visit` with each group of roots, in order: those of a group are numbered before what they refer
    /// to.
    fn roots(&self, visit: &mut dyn FnMut(&[u32]));

    /// Calls `visit` with each object that an object refers to, in order.
    fn references(&self, object: u32, visit: &mut dyn FnMut(u32));
}

/// The order of objects, and each one's place in it.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    pub(crate) order: Vec<u32>,
    pub(crate) place: Vec<u32>,
}

/// No place: the object was not reached.
const NOWHERE: u32 = u32::MAX;

impl Numbering {
    /// Numbers the objects of a graph in the order in which they are reached.
    pub(crate) fn of(graph: &impl Graph) -> Self {
        let mut numbering = Self { order: Vec::new(), place: vec![NOWHERE; graph.n_objects()] };
        graph.roots(&mut |group| numbering.reach(graph, group));
        numbering
    }

    fn take(&mut self, object: u32) {
        let place = &mut self.place[object as usize];
        if *place == NOWHERE {
            *place = self.order.len() as u32;
            self.order.push(object);
        }
    }

    /// Numbers what is new from a group of roots on.
    pub(crate) fn reach(&mut self, graph: &impl Graph, group: &[u32]) {
        let mut next = self.order.len();
        group.iter().for_each(|&object| self.take(object));
        while let Some(&object) = self.order.get(next) {
            next += 1;
            graph.references(object, &mut |other| self.take(other));
        }
    }

    pub(crate) fn has(&self, object: u32) -> bool {
        self.place[object as usize] != NOWHERE
    }
}

/// The objects of a memory.
struct Heap<'a> {
    program: &'a Lowered,
    dynamic: &'a Dynamic,
    layout: &'a Layout,
    memory: &'a Memory,
}

impl Heap<'_> {
    /// The object that the word at an offset refers to, by number from zero.
    fn referred(&self, at: usize) -> Option<u32> {
        (read32(&self.memory.bytes, at) >> 16).checked_sub(FIRST)
    }

    /// Every offset of a reference among the messages of a channel.
    fn in_channel(&self, slot: ChannelSlot, visit: &mut dyn FnMut(usize)) {
        let ty = &self.program.channel_types[usize::from(slot.ty.0)];
        if ty.capacity == 0 || ty.fields.iter().all(|(scalar, _)| *scalar != Scalar::Pointer) {
            return;
        }
        let length = read(&self.memory.bytes, slot.offset as usize, ty.length_scalar()) as usize;
        for message in 0..length {
            for (field, (scalar, _)) in ty.fields.iter().enumerate() {
                if *scalar == Scalar::Pointer {
                    visit(field_offset(ty, slot, message, field));
                }
            }
        }
    }

    /// Every offset of a reference in an object.
    fn in_object(&self, object: u32, visit: &mut dyn FnMut(usize)) {
        let Some((ty, length)) = self.memory.live(object + FIRST) else { return };
        let ty = self.dynamic.object(ty);
        let contents = self.memory.contents(object + FIRST);
        for element in 0..usize::from(length) {
            for &at in &ty.references {
                visit(contents + element * ty.size as usize + at as usize);
            }
        }
        for ordinal in 0..ty.channels.len() * usize::from(length) {
            if let Some((channel, start)) = ty.channel(length, ordinal) {
                self.in_channel(ChannelSlot { offset: (contents + start) as u32, ty: channel }, visit);
            }
        }
    }

    /// Every offset of a reference before the objects: `None` begins a process, whose top frame comes first.
    fn before_objects(&self, visit: &mut dyn FnMut(Option<usize>, usize)) {
        for &at in &self.dynamic.globals {
            visit(None, at as usize);
        }
        let first = self.layout.processes.first().map_or(u32::MAX, |slot| slot.offset);
        let channels = |from: u32, to: u32, visit: &mut dyn FnMut(usize)| {
            for slot in self.layout.channels.iter().filter(|slot| (from..to).contains(&slot.offset)) {
                self.in_channel(*slot, visit);
            }
        };
        channels(0, first, &mut |at| visit(None, at));
        for (pid, slot) in self.layout.processes.iter().enumerate() {
            let record = slot.offset as usize;
            if !self.dynamic.functions.is_empty() {
                visit(Some(pid), record + TOP_FRAME as usize);
            }
            for &at in self.program.proctypes[usize::from(slot.ty.0)].references.iter() {
                visit(None, record + at as usize);
            }
            let next = self.layout.processes.get(pid + 1).map_or(u32::MAX, |next| next.offset);
            channels(slot.offset, next, &mut |at| visit(None, at));
        }
    }
}

impl Graph for Heap<'_> {
    fn n_objects(&self) -> usize {
        self.memory.objects.len()
    }

    fn roots(&self, visit: &mut dyn FnMut(&[u32])) {
        let mut frames = Vec::new();
        self.before_objects(&mut |process, at| match (process, self.referred(at)) {
            (Some(_), top) => {
                frames.clear();
                let mut next = top;
                while let Some(frame) = next {
                    frames.push(frame);
                    next = self.referred(self.memory.contents(frame + FIRST) + FRAME_CALLER);
                }
                frames.reverse();
                visit(&frames);
            }
            (None, Some(object)) => visit(&[object]),
            (None, None) => {}
        });
    }

    fn references(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        self.in_object(object, &mut |at| {
            if let Some(other) = self.referred(at) {
                visit(other);
            }
        });
    }
}

/// The objects that are reached, in order, by their numbers in the memory.
pub(crate) fn reachable(program: &Lowered, layout: &Layout, memory: &Memory) -> Vec<u32> {
    let Some(dynamic) = &program.dynamic else { return Vec::new() };
    let heap = Heap { program, dynamic, layout, memory };
    Numbering::of(&heap).order.into_iter().map(|object| object + FIRST).collect()
}

/// The objects that the normal form of a state keeps, in its order, by their numbers in the memory.
pub(crate) fn kept(program: &Lowered, layout: &Layout, memory: &Memory) -> Vec<u32> {
    let Some(dynamic) = &program.dynamic else { return Vec::new() };
    let heap = Heap { program, dynamic, layout, memory };
    let mut numbering = Numbering::of(&heap);
    let lost = lost(&heap, &numbering);
    keep_garbage(&heap, &mut numbering, &lost);
    numbering.order.into_iter().map(|object| object + FIRST).collect()
}

/// An object that nothing refers to any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lost {
    /// Its type.
    pub(crate) ty: u16,
    /// Its number in the memory before.
    pub(crate) number: u32,
}

/// Writes the normal form of `memory` to `out`, and says which allocated objects are lost.
pub(crate) fn normalise(
    program: &Lowered,
    layouts: &Layouts,
    memory: &Memory,
    out: &mut Vec<u8>,
) -> Vec<Lost> {
    out.clear();
    let Some(dynamic) = &program.dynamic else {
        out.extend_from_slice(&memory.bytes);
        return Vec::new();
    };
    let layout = layouts.get(memory.layout);
    let heap = Heap { program, dynamic, layout, memory };
    let mut numbering = Numbering::of(&heap);
    let lost = lost(&heap, &numbering);
    keep_garbage(&heap, &mut numbering, &lost);
    write(&heap, &numbering, out);
    lost
}

/// The allocated objects that are not reached.
fn lost(heap: &Heap<'_>, numbering: &Numbering) -> Vec<Lost> {
    (0..heap.n_objects() as u32)
        .filter(|&object| !numbering.has(object))
        .filter_map(|object| {
            let (ty, _) = heap.memory.live(object + FIRST)?;
            let is_data = matches!(heap.dynamic.object(ty).kind, ObjectKind::Data(_));
            is_data.then_some(Lost { ty, number: object + FIRST })
        })
        .collect()
}

/// Objects that are not collected follow the reached ones.
fn keep_garbage(heap: &Heap<'_>, numbering: &mut Numbering, lost: &[Lost]) {
    let mut kept: Vec<u32> = lost.iter().map(|lost| lost.number - FIRST).collect();
    match heap.dynamic.options.collect {
        Collect::Sweep => return,
        Collect::None => {}
        Collect::Count => loop {
            // What nothing refers to, not even another lost object, goes; then what only it referred to.
            let mut counts = vec![0_u32; heap.n_objects()];
            for &object in &kept {
                heap.references(object, &mut |other| {
                    counts[other as usize] += u32::from(!refers_to_itself(heap, object, other))
                });
            }
            let before = kept.len();
            kept.retain(|&object| counts[object as usize] > 0);
            if kept.len() == before {
                break;
            }
        },
    }
    for object in kept {
        numbering.reach(heap, &[object]);
    }
}

/// Whether a reference is an object's own name for one of its channels.
fn refers_to_itself(heap: &Heap<'_>, object: u32, other: u32) -> bool {
    object == other
        && heap
            .memory
            .live(object + FIRST)
            .is_some_and(|(ty, _)| !heap.dynamic.object(ty).channels.is_empty())
}

fn write(heap: &Heap<'_>, numbering: &Numbering, out: &mut Vec<u8>) {
    let bytes = &heap.memory.bytes;
    out.extend_from_slice(&bytes[..heap.layout.size as usize]);
    let renamed = |at: usize| {
        let word = read32(bytes, at);
        (word >> 16)
            .checked_sub(FIRST)
            .map(|object| (numbering.place[object as usize] + FIRST) << 16 | (word & 0xffff))
    };
    heap.before_objects(&mut |_, at| {
        if let Some(word) = renamed(at) {
            write32(out, at, word);
        }
    });
    for &object in &numbering.order {
        let at = heap.memory.header(object + FIRST);
        let (ty, length) = (read16(bytes, at), read16(bytes, at + 2));
        let new = out.len();
        if ty == 0 || ty & DEAD != 0 {
            out.extend_from_slice(&bytes[at..at + OBJECT_HEADER]);
            continue;
        }
        let end = at + OBJECT_HEADER + heap.dynamic.object(ty).contents(length);
        out.extend_from_slice(&bytes[at..end]);
        heap.in_object(object, &mut |place| {
            if let Some(word) = renamed(place) {
                write32(out, new + (place - at), word);
            }
        });
    }
    write16(out, 2, numbering.order.len() as u16);
}
