//! The locations of references in a vector with objects, computed once for each type and each layout.

use super::eval::read;
use super::object::{DEAD, OBJECT_HEADER, read16, read32};
use crate::ir::{ChannelType, ObjectKind, ObjectType, Scalar, Setup};
use crate::lower::Lowered;

/// A channel with references among the fields of its messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferringChannel {
    /// Its offset: in the vector, or in the contents of an object of one element.
    offset: u32,
    ty: u16,
}

/// What the normal form needs to know of a type of objects.
#[derive(Debug)]
struct ObjectShape {
    /// The size of an object of one element, including the header.
    single: u32,
    /// The size of an element.
    size: u32,
    /// The offsets of references in an element.
    references: Box<[u32]>,
    /// The channels of an object of one element that have references.
    channels: Box<[ReferringChannel]>,
    /// Whether it has channels: their names in the object are references to the object itself.
    names_itself: bool,
    /// Whether it is made by `new`.
    is_data: bool,
}

/// The references in the messages of a channel type.
#[derive(Debug, Default)]
struct ChannelShape {
    length: Option<Scalar>,
    /// The bytes before the first message.
    start: u32,
    message_size: u32,
    references: Box<[u32]>,
}

/// The references before the objects: outside all processes, and in each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roots {
    /// Those in the globals.
    shared: Vec<u32>,
    shared_channels: Vec<ReferringChannel>,
    holders: Vec<Holder>,
}

/// A process.
#[derive(Clone, Debug)]
struct Holder {
    record: u32,
    /// The offsets of its references, except for its top frame.
    references: Vec<u32>,
    channels: Vec<ReferringChannel>,
}

/// The types of a model with objects.
#[derive(Debug)]
pub(crate) struct Shapes {
    objects: Vec<ObjectShape>,
    channels: Vec<ChannelShape>,
    /// The types as the model declares them, for objects of several elements.
    types: Vec<ObjectType>,
    pub(crate) calls: bool,
}

impl ChannelShape {
    fn of(ty: &ChannelType) -> Self {
        let is_reference = |field: &usize| ty.fields[*field].0 == Scalar::Pointer;
        let references = (0..ty.fields.len()).filter(is_reference).map(|field| ty.offsets[field]).collect();
        let length = ty.length_scalar();
        Self {
            length: (ty.capacity > 0).then_some(length),
            start: length.size(),
            message_size: ty.message_size,
            references,
        }
    }

    fn has_references(&self) -> bool {
        self.length.is_some() && !self.references.is_empty()
    }
}

impl Shapes {
    pub(crate) fn new(program: &Lowered) -> Option<Self> {
        let dynamic = program.dynamic.as_ref()?;
        let channels: Vec<_> = program.channel_types.iter().map(ChannelShape::of).collect();
        let objects = dynamic.objects.iter().map(|ty| ObjectShape {
            single: (OBJECT_HEADER + ty.contents(1)) as u32,
            size: ty.size,
            references: ty.references.clone().into(),
            channels: referring(ty, 1, &channels).collect(),
            names_itself: !ty.channels.is_empty(),
            is_data: matches!(ty.kind, ObjectKind::Data(_)),
        });
        Some(Self {
            objects: objects.collect(),
            types: dynamic.objects.clone(),
            calls: dynamic.calls,
            channels,
        })
    }

    /// Whether the messages of a type of channels have references.
    pub(crate) fn refers(&self, channel: u16) -> bool {
        self.channels[usize::from(channel)].has_references()
    }

    /// The size of the object whose header is at `at`.
    #[inline]
    pub(crate) fn size_at(&self, bytes: &[u8], at: usize) -> usize {
        match self.single(bytes, at) {
            Some(shape) => shape.single as usize,
            None => self.size_of_several(bytes, at),
        }
    }

    #[cold]
    fn size_of_several(&self, bytes: &[u8], at: usize) -> usize {
        let (ty, length) = (read16(bytes, at), read16(bytes, at + 2));
        if ty == 0 || ty & DEAD != 0 {
            return OBJECT_HEADER;
        }
        OBJECT_HEADER + self.types[usize::from(ty) - 1].contents(length)
    }

    /// The shape of the object whose header is at `at`, if it is live and has one element: nearly all are
    /// like that.
    #[inline]
    fn single(&self, bytes: &[u8], at: usize) -> Option<&ObjectShape> {
        // The type is in the lower half. A tombstone has zero there, or a type greater than all others.
        let word = read32(bytes, at).wrapping_sub(1 << 16);
        self.objects.get((word as usize).wrapping_sub(1))
    }

    /// Calls `found` with every word of the object at `at` that may be a reference. The object itself has the
    /// number `own`; the names of its own channels are omitted.
    #[inline]
    pub(crate) fn words_of(&self, bytes: &[u8], at: usize, own: u32, found: &mut impl FnMut(u32)) {
        let Some(shape) = self.single(bytes, at) else {
            return self.words_of_several(bytes, at, own, found);
        };
        let own = if shape.names_itself { own } else { u32::MAX };
        let mut take = |word: u32| {
            if word >> 16 != own {
                found(word);
            }
        };
        let contents = &bytes[at + OBJECT_HEADER..at + shape.single as usize];
        shape.references.iter().for_each(|&offset| take(read32(contents, offset as usize)));
        for &channel in &shape.channels {
            self.in_channel(bytes, at + OBJECT_HEADER, channel, &mut |at| take(read32(bytes, at)));
        }
    }

    #[cold]
    fn words_of_several(&self, bytes: &[u8], at: usize, own: u32, found: &mut impl FnMut(u32)) {
        let ty = read16(bytes, at);
        if ty == 0 || ty & DEAD != 0 {
            return;
        }
        let own = if self.objects[usize::from(ty) - 1].names_itself { own } else { u32::MAX };
        self.in_object(bytes, at, &mut |at| {
            let word = read32(bytes, at);
            if word >> 16 != own {
                found(word);
            }
        });
    }

    /// Whether the object at `at` is alive and was made by `new`.
    pub(crate) fn is_data(&self, bytes: &[u8], at: usize) -> bool {
        let ty = read16(bytes, at);
        ty != 0 && ty & DEAD == 0 && self.objects[usize::from(ty) - 1].is_data
    }

    /// Calls `visit` with every offset of a reference in the object at `at`.
    #[inline]
    pub(crate) fn in_object(&self, bytes: &[u8], at: usize, visit: &mut impl FnMut(usize)) {
        let contents = at + OBJECT_HEADER;
        if let Some(shape) = self.single(bytes, at) {
            shape.references.iter().for_each(|&offset| visit(contents + offset as usize));
            shape.channels.iter().for_each(|channel| self.in_channel(bytes, contents, *channel, visit));
            return;
        }
        let (ty, length) = (read16(bytes, at), read16(bytes, at + 2));
        if ty == 0 || ty & DEAD != 0 {
            return;
        }
        let shape = &self.objects[usize::from(ty) - 1];
        for element in 0..usize::from(length) {
            let start = contents + element * shape.size as usize;
            shape.references.iter().for_each(|&offset| visit(start + offset as usize));
        }
        for channel in referring(&self.types[usize::from(ty) - 1], length, &self.channels) {
            self.in_channel(bytes, contents, channel, visit);
        }
    }

    /// Calls `visit` with every offset of a reference among the messages of a channel.
    #[inline]
    fn in_channel(
        &self,
        bytes: &[u8],
        base: usize,
        channel: ReferringChannel,
        visit: &mut impl FnMut(usize),
    ) {
        let shape = &self.channels[usize::from(channel.ty)];
        let Some(length) = shape.length else { return };
        let at = base + channel.offset as usize;
        for message in 0..read(bytes, at, length) as usize {
            let start = at + shape.start as usize + message * shape.message_size as usize;
            shape.references.iter().for_each(|&offset| visit(start + offset as usize));
        }
    }
}

/// The channels of an object that have references.
fn referring<'a>(
    ty: &'a ObjectType,
    length: u16,
    channels: &'a [ChannelShape],
) -> impl Iterator<Item = ReferringChannel> + 'a {
    (0..ty.channels.len() * usize::from(length))
        .filter_map(move |ordinal| ty.channel(length, ordinal))
        .filter(|(channel, _)| channels[usize::from(channel.0)].has_references())
        .map(|(channel, start)| ReferringChannel { offset: start as u32, ty: channel.0 })
}

impl Roots {
    /// The references outside all processes, including the channels of a setup, which start at `offset`.
    pub(super) fn new(program: &Lowered, shapes: &Shapes, offset: u32) -> Self {
        let shared = program.dynamic.iter().flat_map(|dynamic| &dynamic.globals).copied().collect();
        let shared_channels = channels_of(program, shapes, &program.setup, offset);
        Self { shared, shared_channels, holders: Vec::new() }
    }

    /// Adds a process.
    pub(super) fn add(&mut self, program: &Lowered, shapes: &Shapes, proctype: usize, record: u32) {
        let body = &program.proctypes[proctype];
        self.holders.push(Holder {
            record,
            references: body.references.iter().map(|&at| record + at).collect(),
            channels: channels_of(program, shapes, &body.setup, record + body.size),
        });
    }

    pub(crate) fn n_holders(&self) -> usize {
        self.holders.len()
    }

    /// The offset of a process's record.
    #[inline]
    pub(crate) fn record(&self, holder: usize) -> usize {
        self.holders[holder].record as usize
    }

    /// Calls `visit` with every offset of a reference outside all processes.
    #[inline]
    pub(crate) fn shared(&self, shapes: &Shapes, bytes: &[u8], visit: &mut impl FnMut(usize)) {
        self.shared.iter().for_each(|&at| visit(at as usize));
        self.shared_channels.iter().for_each(|channel| shapes.in_channel(bytes, 0, *channel, visit));
    }

    /// Calls `visit` with every offset of a reference of a process, but for its top frame.
    #[inline]
    pub(crate) fn of(&self, holder: usize, shapes: &Shapes, bytes: &[u8], visit: &mut impl FnMut(usize)) {
        let holder = &self.holders[holder];
        holder.references.iter().for_each(|&at| visit(at as usize));
        holder.channels.iter().for_each(|channel| shapes.in_channel(bytes, 0, *channel, visit));
    }
}

/// The channels that a setup makes from an offset on, if they have references.
fn channels_of(program: &Lowered, shapes: &Shapes, setup: &[Setup], offset: u32) -> Vec<ReferringChannel> {
    let mut next = offset;
    let mut found = Vec::new();
    for step in setup {
        if let Setup::Channel(_, ty) = step {
            if shapes.refers(ty.0) {
                found.push(ReferringChannel { offset: next, ty: ty.0 });
            }
            next += program.channel_types[usize::from(ty.0)].size();
        }
    }
    found
}
