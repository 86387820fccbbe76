//! Operations on ranges of arrays: what they read and write is said before, as ranges.
//!
//! All ranges of a method are accessed in one operation, each as its whole array, unless the operation is
//! taken apart into its elements (see `native::apart`).

use super::{Fresh, OwnView};
use crate::class::ClassId;
use crate::class::descriptor::Kind;
use crate::native::Answer;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Machine};
use crate::vm::view::{Mode, Place, Resource};
use std::ops::{Deref, DerefMut};

/// Elements of an array, within its bounds; of an object that is not an array, its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The array.
    pub array: Ref,
    /// The first element.
    pub from: usize,
    /// How many.
    pub len: usize,
}

/// The ranges that a method reads and writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranges {
    /// Those that it reads.
    pub reads: [Option<Range>; 2],
    /// The one that it writes.
    pub writes: Option<Range>,
}

impl Ranges {
    /// One range, to be read.
    #[must_use]
    pub fn read(range: Range) -> Self {
        Self { reads: [Some(range), None], writes: None }
    }

    /// Two ranges, to be read.
    #[must_use]
    pub fn read_both(one: Range, other: Range) -> Self {
        Self { reads: [Some(one), Some(other)], writes: None }
    }

    /// A range, to be written.
    #[must_use]
    pub fn write(range: Range) -> Self {
        Self { reads: [None, None], writes: Some(range) }
    }

    /// Whether other threads, or a property, must see the elements accessed one by one.
    pub(super) fn are_taken_apart(&self, m: &Machine<'_>) -> bool {
        let reads = self.reads.iter().flatten().map(|range| (range.array, range.len, Mode::Read));
        let writes = self.writes.iter().map(|range| (range.array, range.len, Mode::Write));
        m.is_seen_in_parts(reads.chain(writes))
    }

    /// A range to be read, and one to be written.
    #[must_use]
    pub fn copy(from: Range, to: Range) -> Self {
        Self { reads: [Some(from), None], writes: Some(to) }
    }
}

/// What an operation on a range accesses: the element if it is one, or else the whole array.
fn resource(m: &Machine<'_>, range: Range) -> Resource {
    match m.process.heap.get(range.array).data {
        Data::Bytes(_) | Data::Refs(_) if range.len == 1 => {
            let class = m.process.heap.get(range.array).class;
            Resource::Part(range.array, Place::array(class, range.from as u32).ordinary(true))
        }
        _ => Resource::Whole(range.array),
    }
}

/// What the first part of a method on ranges comes to.
#[derive(Debug)]
pub enum Plan {
    /// The answer needs no array.
    Answer(Answer),
    /// These ranges are to be read and written.
    Ranges(Ranges),
}

/// A view of the ranges that were named, and of what is the running thread's own.
pub struct RangesView<'a, 'vm> {
    own: OwnView<'a, 'vm>,
    ranges: Ranges,
}

impl<'a, 'vm> Deref for RangesView<'a, 'vm> {
    type Target = OwnView<'a, 'vm>;

    #[inline]
    fn deref(&self) -> &OwnView<'a, 'vm> {
        &self.own
    }
}

impl DerefMut for RangesView<'_, '_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.own
    }
}

impl<'a, 'vm> RangesView<'a, 'vm> {
    /// Says what is accessed: all ranges, in one operation.
    pub(super) fn begin(m: &'a mut Machine<'vm>, ranges: Ranges) -> Exec<Self> {
        match ranges {
            Ranges { reads: [None, None], writes: None } => {}
            Ranges { reads: [Some(range), None], writes: None } => {
                m.access(resource(m, range), Mode::Read)?;
            }
            Ranges { reads: [None, None], writes: Some(range) } => {
                m.access(resource(m, range), Mode::Write)?;
            }
            _ => {
                let mut group = [(Resource::Listed, Mode::Read); 3];
                let reads = ranges.reads.iter().flatten().map(|range| (*range, Mode::Read));
                let writes = ranges.writes.iter().map(|range| (*range, Mode::Write));
                let mut n = 0;
                for (range, mode) in reads.chain(writes) {
                    group[n] = (resource(m, range), mode);
                    n += 1;
                }
                m.access_group(&group[..n])?;
            }
        }
        Ok(Self { own: OwnView::new(m), ranges })
    }

    fn read_range(&self, idx: usize) -> Range {
        self.ranges.reads[idx].expect("the method has named this range")
    }

    fn written_range(&self) -> Range {
        self.ranges.writes.expect("the method has named a range to write")
    }

    fn n_bytes(&self, array: Ref) -> usize {
        self.element_kind(array).map_or(1, Kind::n_bytes)
    }

    /// The range that is written.
    #[must_use]
    pub fn written(&self) -> Range {
        self.written_range()
    }

    /// The bytes of a range that is read.
    #[must_use]
    pub fn bytes(&self, idx: usize) -> &[u8] {
        let Range { array, from, len } = self.read_range(idx);
        let n = self.n_bytes(array);
        match &self.m.process.heap.get(array).data {
            Data::Bytes(bytes) => bytes.get(n * from..n * (from + len)).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// The references of a range that is read.
    #[must_use]
    pub fn refs(&self, idx: usize) -> &[Ref] {
        let Range { array, from, len } = self.read_range(idx);
        match &self.m.process.heap.get(array).data {
            Data::Refs(refs) => refs.get(from..from + len).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// A new object of a class with the contents of a range that is read, which must be all of its object.
    pub fn duplicate(&mut self, idx: usize, class: ClassId) -> Fresh {
        let data = self.m.process.heap.get(self.read_range(idx).array).data.clone();
        self.push(Object::new(class, data))
    }

    /// Writes bytes into the range that is written, from its beginning on.
    pub fn write_bytes(&mut self, written: &[u8]) {
        let Range { array, from, len } = self.written_range();
        let n = self.n_bytes(array);
        if let Data::Bytes(bytes) = &mut self.m.process.heap.get_mut(array).data {
            let count = written.len().min(n * len);
            bytes[n * from..n * from + count].copy_from_slice(&written[..count]);
        }
    }

    /// Lets a function write the bytes of the range that is written.
    pub fn change_bytes(&mut self, change: impl FnOnce(&mut [u8])) {
        let Range { array, from, len } = self.written_range();
        let n = self.n_bytes(array);
        if let Data::Bytes(bytes) = &mut self.m.process.heap.get_mut(array).data {
            change(&mut bytes[n * from..n * (from + len)]);
        }
    }

    /// Copies the bytes of the first range that is read into the one that is written, which is as long.
    pub fn copy_bytes(&mut self) {
        let (source, target) = (self.read_range(0), self.written_range());
        let n = self.n_bytes(target.array);
        if source.array == target.array {
            if let Data::Bytes(bytes) = &mut self.m.process.heap.get_mut(target.array).data {
                bytes.copy_within(n * source.from..n * (source.from + source.len), n * target.from);
            }
            return;
        }
        let copied = self.bytes(0).to_vec();
        self.write_bytes(&copied);
    }

    /// Writes references into the range that is written, from its beginning on.
    pub fn write_refs(&mut self, written: &[Ref]) {
        let Range { array, from, len } = self.written_range();
        let written = &written[..written.len().min(len)];
        for &object in written {
            self.m.publish(array, object);
        }
        if let Data::Refs(refs) = &mut self.m.process.heap.get_mut(array).data {
            refs[from..from + written.len()].copy_from_slice(written);
        }
    }
}
