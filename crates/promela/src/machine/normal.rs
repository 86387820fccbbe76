//! The normal form of a state with objects: two states are equal iff their heaps are isomorphic.
//!
//! Crate `heap` numbers the objects, and its header proves that this is a normal form. This module provides
//! what it needs to know of a vector. The roots are, in this order: the pointers among the globals, the
//! messages of global channels, then for each process its frames (from the bottom; they are one group, so
//! they are numbered before what they refer to), the pointers of its record and its channels. Each root
//! except the frames is a group of its own.
//!
//! A step that makes and ends no object and stores no pointer keeps all numbers and reaches the same objects.
//! So its vector is in normal form if the one before was ([`Memory::moved`]).

use super::call::FRAME_CALLER;
use super::layout::{Layout, Layouts};
use super::object::{FIRST, OBJECT_HEADER, read32, write16, write32};
use super::shape::{Roots as RootsOf, Shapes};
use super::{LayoutId, Memory};
use crate::lower::{Lowered, TOP_FRAME};
use crate::options::{self, Dynamics};
use allways_heap::{Collect, Form, Graph, Order, Roots};
use std::cell::RefCell;
use std::convert::Infallible;

/// The objects of a vector.
struct Heap<'a> {
    shapes: &'a Shapes,
    roots: &'a RootsOf,
    bytes: &'a [u8],
    /// The offsets of the objects.
    objects: &'a [u32],
    /// Reused memory for the frames of a process.
    frames: &'a RefCell<Vec<u32>>,
}

impl Heap<'_> {
    /// The object that the word at an offset refers to, numbered from zero.
    #[inline]
    fn referred(&self, at: usize) -> Option<u32> {
        (read32(self.bytes, at) >> 16).checked_sub(FIRST)
    }

    #[inline]
    fn start(&self, object: u32) -> usize {
        self.objects[object as usize] as usize
    }

    /// The word that the root at an offset holds in the normal form, if it is a reference.
    #[inline]
    fn renamed(&self, order: &Order, at: usize) -> Option<u32> {
        let word = read32(self.bytes, at);
        let object = (word >> 16).checked_sub(FIRST)?;
        Some((order.number(object) + FIRST) << 16 | (word & 0xffff))
    }

    fn top_frame(&self, holder: usize) -> Option<usize> {
        self.shapes.calls.then(|| self.roots.record(holder) + TOP_FRAME as usize)
    }
}

impl Graph for Heap<'_> {
    type Error = Infallible;

    fn n_objects(&self) -> usize {
        self.objects.len()
    }

    fn n_holders(&self) -> usize {
        self.roots.n_holders()
    }

    #[inline]
    fn shared_roots(&self, roots: &mut impl Roots) -> Result<(), Infallible> {
        self.roots.shared(self.shapes, self.bytes, &mut |at| {
            if let Some(object) = self.referred(at) {
                roots.root(object);
                roots.end_group();
            }
        });
        Ok(())
    }

    #[inline]
    fn roots(&self, holder: usize, roots: &mut impl Roots) -> Result<(), Infallible> {
        if let Some(top) = self.top_frame(holder) {
            let mut frames = self.frames.borrow_mut();
            frames.clear();
            let mut next = self.referred(top);
            while let Some(frame) = next {
                frames.push(frame);
                next = self.referred(self.start(frame) + OBJECT_HEADER + FRAME_CALLER);
            }
            frames.iter().rev().for_each(|&frame| roots.root(frame));
            roots.end_group();
        }
        self.roots.of(holder, self.shapes, self.bytes, &mut |at| {
            if let Some(object) = self.referred(at) {
                roots.root(object);
                roots.end_group();
            }
        });
        Ok(())
    }

    #[inline]
    fn references(&self, object: u32, found: &mut impl FnMut(u32)) {
        self.shapes.words_of(self.bytes, self.start(object), object + FIRST, &mut |word| {
            if let Some(other) = (word >> 16).checked_sub(FIRST) {
                found(other);
            }
        });
    }

    fn outlives(&self, object: u32) -> bool {
        self.shapes.is_data(self.bytes, self.start(object))
    }
}

/// An object that is no longer referred to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lost {
    /// Its type.
    pub(crate) ty: u16,
    /// Its number in the memory before normalisation.
    pub(crate) number: u32,
}

/// A state to be brought into normal form.
#[derive(Clone, Copy)]
pub(crate) struct ObjectState<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) objects: &'a [u32],
    pub(crate) layout: LayoutId,
}

/// Brings states into normal form; kept to reuse its memory.
#[derive(Default)]
pub(crate) struct Normaliser {
    order: Order,
    frames: RefCell<Vec<u32>>,
}

impl std::fmt::Debug for Normaliser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Normaliser").finish_non_exhaustive()
    }
}

impl<'a> ObjectState<'a> {
    pub(crate) fn of(memory: &'a Memory) -> Self {
        Self { bytes: &memory.bytes, objects: &memory.objects, layout: memory.layout }
    }
}

fn form(options: &Dynamics) -> Form {
    let collect = match options.collect {
        options::Collect::Sweep => Collect::Sweep,
        options::Collect::Count => Collect::Count,
        options::Collect::None => Collect::Nothing,
    };
    Form { symmetry: options.symmetry, collect }
}

impl Normaliser {
    /// Writes the normal form of a state to the start of `out`, which has at least as many bytes as the
    /// state. Returns the number of bytes written.
    pub(crate) fn write(
        &mut self,
        program: &Lowered,
        layouts: &Layouts,
        state: ObjectState<'_>,
        out: &mut [u8],
    ) -> usize {
        let (Some(dynamic), Some(shapes), false) =
            (&program.dynamic, layouts.shapes(), state.objects.is_empty())
        else {
            out[..state.bytes.len()].copy_from_slice(state.bytes);
            return state.bytes.len();
        };
        let layout = layouts.get(state.layout);
        let Self { order, frames } = self;
        let heap = Heap { shapes, roots: &layout.roots, bytes: state.bytes, objects: state.objects, frames };
        let Ok(()) = order.find(&heap, form(&dynamic.options));
        if is_normal(&heap, order, layout) {
            out[..state.bytes.len()].copy_from_slice(state.bytes);
            return state.bytes.len();
        }
        rewrite(&heap, order, layout, out)
    }

    /// The allocated objects that are not reachable from any root; valid after [`Self::write`].
    pub(crate) fn lost(&self, layouts: &Layouts, state: ObjectState<'_>) -> Vec<Lost> {
        let Some(shapes) = layouts.shapes() else { return Vec::new() };
        let is_lost = |&object: &u32| {
            let at = state.objects[object as usize] as usize;
            !self.order.is_reached(object) && shapes.is_data(state.bytes, at)
        };
        let objects = (0..state.objects.len() as u32).filter(is_lost);
        let lost = |object| {
            let ty = super::object::read16(state.bytes, state.objects[object as usize] as usize);
            Lost { ty, number: object + FIRST }
        };
        objects.map(lost).collect()
    }
}

/// Whether the objects already have their numbers, in order, with no bytes between or after them.
fn is_normal(heap: &Heap<'_>, order: &Order, layout: &Layout) -> bool {
    if !order.is_identity() {
        return false;
    }
    let mut at = layout.size as usize;
    heap.objects.iter().all(|&start| {
        let is_next = start as usize == at;
        at += heap.shapes.size_at(heap.bytes, start as usize);
        is_next
    }) && at == heap.bytes.len()
        && usize::from(super::object::read16(heap.bytes, 2)) == heap.objects.len()
}

/// Writes the objects in order, with their references renumbered.
fn rewrite(heap: &Heap<'_>, order: &Order, layout: &Layout, out: &mut [u8]) -> usize {
    let mut size = layout.size as usize;
    out[..size].copy_from_slice(&heap.bytes[..size]);
    let rename = |out: &mut [u8], at: usize| {
        if let Some(word) = heap.renamed(order, at) {
            write32(out, at, word);
        }
    };
    heap.roots.shared(heap.shapes, heap.bytes, &mut |at| rename(out, at));
    for holder in 0..heap.roots.n_holders() {
        heap.top_frame(holder).into_iter().for_each(|at| rename(out, at));
        heap.roots.of(holder, heap.shapes, heap.bytes, &mut |at| rename(out, at));
    }
    for &object in order.objects() {
        let at = heap.start(object);
        let n_bytes = heap.shapes.size_at(heap.bytes, at);
        out[size..size + n_bytes].copy_from_slice(&heap.bytes[at..at + n_bytes]);
        heap.shapes.in_object(heap.bytes, at, &mut |place| {
            if let Some(word) = heap.renamed(order, place) {
                write32(out, size + (place - at), word);
            }
        });
        size += n_bytes;
    }
    write16(out, 2, order.objects().len() as u16);
    size
}

/// The normal form of a state, for callers that need only a few.
pub(crate) fn normalise(program: &Lowered, layouts: &Layouts, memory: &Memory, out: &mut Vec<u8>) {
    out.clear();
    out.resize(memory.bytes.len(), 0);
    let n_bytes = Normaliser::default().write(program, layouts, ObjectState::of(memory), out);
    out.truncate(n_bytes);
}

/// The objects that the normal form of a state keeps, in its order, by their numbers in the memory.
pub(crate) fn kept(program: &Lowered, layout: &Layout, memory: &Memory) -> Vec<u32> {
    let Some(dynamic) = &program.dynamic else { return Vec::new() };
    Shapes::new(program)
        .map_or_else(Vec::new, |shapes| numbered(&shapes, layout, memory, form(&dynamic.options)))
}

/// The reachable objects, in order, by their numbers in the memory.
pub(crate) fn reachable(program: &Lowered, layout: &Layout, memory: &Memory) -> Vec<u32> {
    Shapes::new(program).map_or_else(Vec::new, |shapes| reached(&shapes, layout, memory))
}

/// Like [`reachable`].
pub(super) fn reached(shapes: &Shapes, layout: &Layout, memory: &Memory) -> Vec<u32> {
    numbered(shapes, layout, memory, Form::default())
}

/// The numbered objects, in order, by their numbers in the memory.
fn numbered(shapes: &Shapes, layout: &Layout, memory: &Memory, form: Form) -> Vec<u32> {
    let roots = &layout.roots;
    let (mut order, frames) = (Order::default(), RefCell::default());
    let heap = Heap { shapes, roots, bytes: &memory.bytes, objects: &memory.objects, frames: &frames };
    let Ok(()) = order.find(&heap, form);
    order.objects().iter().map(|object| object + FIRST).collect()
}
