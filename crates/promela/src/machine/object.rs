//! Objects in a memory: their locations, allocation and end.
//!
//! Objects follow the processes. Each has a header `[type, length]` of two numbers of two bytes, and
//! contents. During a step, objects are only added at the end, and one that ends keeps its bytes: `normal`
//! compacts them before a state is given away. Object 2 is the first; 0 is null, and 1 is the globals.

use super::{LayoutId, Layouts, Memory};
use crate::ir::{ObjectType, Type, Variable, same_pointee};
use crate::lower::{Dynamic, Lowered};

/// The bytes before the contents of an object.
pub(crate) const OBJECT_HEADER: usize = 4;
/// The number of the globals.
pub(crate) const GLOBALS: u32 = 1;
/// The number of the first object.
pub(crate) const FIRST: u32 = 2;
/// Bit in a pointer: it refers to a whole array.
pub(crate) const WHOLE: u32 = 0x8000;
/// Bit in the type of a tombstone that may be revived.
pub(crate) const DEAD: u16 = 0x8000;

/// How an object ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Death {
    /// By `delete`.
    Deleted,
    /// A scope or a frame ended.
    Ended,
}

/// Reads two bytes.
#[inline]
pub(crate) fn read16(bytes: &[u8], at: usize) -> u16 {
    let word = &bytes[at..at + 2];
    u16::from_le_bytes([word[0], word[1]])
}

/// Writes two bytes.
#[inline]
pub(crate) fn write16(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

/// Reads four bytes.
#[inline]
pub(crate) fn read32(bytes: &[u8], at: usize) -> u32 {
    let word = &bytes[at..at + 4];
    u32::from_le_bytes([word[0], word[1], word[2], word[3]])
}

/// Writes four bytes.
#[inline]
pub(crate) fn write32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

impl Dynamic {
    /// The type of an object, by its number.
    #[inline]
    pub(crate) fn object(&self, ty: u16) -> &ObjectType {
        &self.objects[usize::from(ty) - 1]
    }
}

impl Memory {
    /// Splits a vector into the state that it begins with and what follows it.
    pub(crate) fn split(
        vector: &mut Vec<u8>,
        program: &Lowered,
        layouts: &Layouts,
        layout: LayoutId,
    ) -> (Self, Vec<u8>) {
        let mut memory = Self { bytes: std::mem::take(vector), layout, ..Self::default() };
        let Some(dynamic) = &program.dynamic else { return (memory, Vec::new()) };
        let n_objects = usize::from(read16(&memory.bytes, 2));
        let end = memory.find_first_objects(dynamic, layouts.get(layout).size as usize, n_objects);
        let rest = memory.bytes.split_off(end);
        (memory, rest)
    }

    /// Finds the objects, which start at `start`.
    pub(crate) fn find_objects(&mut self, dynamic: &Dynamic, start: usize) {
        self.find_first_objects(dynamic, start, usize::MAX);
    }

    /// Finds at most this many objects. Returns where they end.
    fn find_first_objects(&mut self, dynamic: &Dynamic, start: usize, most: usize) -> usize {
        self.objects.clear();
        self.moved = false;
        let mut at = start;
        while at < self.bytes.len() && self.objects.len() < most {
            self.objects.push(at as u32);
            let (ty, length) = (read16(&self.bytes, at), read16(&self.bytes, at + 2));
            let is_dead = ty == 0 || ty & DEAD != 0;
            at += OBJECT_HEADER + if is_dead { 0 } else { dynamic.object(ty).contents(length) };
        }
        at
    }

    /// The offset of an object's header.
    #[inline]
    pub(crate) fn header(&self, number: u32) -> usize {
        self.objects[(number - FIRST) as usize] as usize
    }

    /// The offset of an object's contents; for the globals, the start of the vector.
    #[inline]
    pub(crate) fn contents(&self, number: u32) -> usize {
        if number == GLOBALS { 0 } else { self.header(number) + OBJECT_HEADER }
    }

    /// The type and length of a live object.
    pub(crate) fn live(&self, number: u32) -> Option<(u16, u16)> {
        let at = self.header(number);
        let (ty, length) = (read16(&self.bytes, at), read16(&self.bytes, at + 2));
        (ty != 0 && ty & DEAD == 0).then_some((ty, length))
    }

    /// Allocates an object, all zero.
    pub(crate) fn allocate(&mut self, dynamic: &Dynamic, ty: u16, length: u16) -> u32 {
        let at = self.bytes.len();
        self.moved = true;
        self.objects.push(at as u32);
        self.bytes.resize(at + OBJECT_HEADER + dynamic.object(ty).contents(length), 0);
        write16(&mut self.bytes, at, ty);
        write16(&mut self.bytes, at + 2, length);
        self.objects.len() as u32 - 1 + FIRST
    }

    /// Revives a tombstone that has a type as a live object, all zero.
    pub(crate) fn revive(&mut self, dynamic: &Dynamic, number: u32) {
        let at = self.header(number);
        let (ty, length) = (read16(&self.bytes, at) & !DEAD, read16(&self.bytes, at + 2));
        // Its old space is too small, or holds its old contents: it moves to the end.
        let new = self.bytes.len();
        self.moved = true;
        self.objects[(number - FIRST) as usize] = new as u32;
        self.bytes.resize(new + OBJECT_HEADER + dynamic.object(ty).contents(length), 0);
        write16(&mut self.bytes, new, ty);
        write16(&mut self.bytes, new + 2, length);
    }

    /// Ends an object. A deleted object keeps its type if it may be revived.
    pub(crate) fn kill(&mut self, dynamic: &Dynamic, number: u32, death: Death) {
        let at = self.header(number);
        self.moved = true;
        if death == Death::Deleted && dynamic.options.reuse_addresses {
            let ty = read16(&self.bytes, at);
            write16(&mut self.bytes, at, ty | DEAD);
        } else {
            write16(&mut self.bytes, at, 0);
            write16(&mut self.bytes, at + 2, 0);
        }
    }

    /// Makes room for `n` bytes at `at`, before the objects.
    pub(crate) fn insert_static(&mut self, at: usize, n: usize) {
        self.moved = true;
        self.bytes.splice(at..at, std::iter::repeat_n(0, n));
        self.objects.iter_mut().for_each(|object| *object += n as u32);
    }

    /// Drops bytes before the objects.
    pub(crate) fn remove_static(&mut self, from: usize, to: usize) {
        self.moved = true;
        self.bytes.drain(from..to);
        self.objects.iter_mut().for_each(|object| *object -= (to - from) as u32);
    }
}

/// The size of a value of a type.
pub(crate) fn size_of(program: &Lowered, ty: &Type) -> u32 {
    match ty {
        Type::Scalar(scalar, _) => scalar.size(),
        Type::Record(record) => program.records[*record as usize].size,
    }
}

/// The length of the array of `pointee`s that starts at an offset among variables.
pub(crate) fn array_length(
    program: &Lowered,
    variables: &[Variable],
    offset: u32,
    pointee: &Type,
) -> Option<u32> {
    variables.iter().find_map(|variable| {
        let size = size_of(program, &variable.ty);
        let rest = offset.checked_sub(variable.offset)?;
        if rest >= size * variable.array.unwrap_or(1) {
            return None;
        }
        match (&variable.ty, variable.array) {
            (ty, Some(n)) if rest == 0 && same_pointee(ty, pointee) => Some(n),
            (Type::Record(record), _) => {
                array_length(program, &program.records[*record as usize].fields, rest % size, pointee)
            }
            _ => None,
        }
    })
}
