//! Where the parts of a vector end: a store may keep equal threads and objects once.

use super::{frame as f, header as h, object as o, thread as t};
use crate::class::descriptor::Kind;
use crate::class::maps::Slot;
use crate::class::{ClassId, MethodId};
use crate::vm::Vm;

/// Reads the words of a vector in order.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// From the beginning of a vector.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next word.
    ///
    /// # Panics
    /// At the end.
    #[inline]
    pub fn word(&mut self) -> u32 {
        let word = u32::from_le_bytes(self.bytes[self.at..self.at + 4].try_into().expect("four bytes"));
        self.at += 4;
        word
    }

    /// The next bytes, filled up to whole words.
    pub fn take_bytes(&mut self, len: usize) -> &'a [u8] {
        let bytes = &self.bytes[self.at..self.at + len];
        self.at += len.next_multiple_of(4);
        bytes
    }

    /// The next words, as an array.
    pub fn take<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| self.word())
    }

    /// Passes over words.
    pub fn skip(&mut self, n_words: usize) {
        self.at += 4 * n_words;
    }

    /// Bytes read so far.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }
}

/// Appends where each part of a vector ends: the header, each thread, each object.
pub fn ends(vm: &Vm, vector: &[u8], ends: &mut Vec<usize>) {
    let mut words = Words::new(vector);
    let header: [u32; h::LEN] = words.take();
    words.take_bytes(header[h::OUTPUT] as usize);
    ends.push(words.position());
    for _ in 0..header[h::N_THREADS] {
        let head: [u32; t::LEN] = words.take();
        for _ in 0..head[t::N_FRAMES] {
            skip_frame(vm, &mut words);
        }
        ends.push(words.position());
    }
    for idx in 0..header[h::N_DIRTY] + header[h::N_OBJECTS] {
        let reference = (idx < header[h::N_DIRTY]).then(|| words.word());
        skip_object(vm, &mut words, reference);
        ends.push(words.position());
    }
}

fn skip_frame(vm: &Vm, words: &mut Words<'_>) {
    let head: [u32; f::LEN] = words.take();
    let method = vm.classes.method(MethodId(head[f::METHOD]));
    let code = vm.classes.code(method).expect("a frame in a vector has code");
    let maps = code.maps.get().and_then(|maps| maps.as_ref().ok()).expect("a frame in a vector has maps");
    let (locals, stack) = maps.before(head[f::PC] & 0xff_ffff).expect("a frame in a vector is at a place");
    let live = locals.iter().chain(&stack[..(head[f::DEPTH] as usize).min(stack.len())]);
    words.skip(
        live.map(|slot| match slot {
            Slot::Dead => 0,
            Slot::Wide => 2,
            _ => 1,
        })
        .sum(),
    );
}

fn skip_object(vm: &Vm, words: &mut Words<'_>, reference: Option<u32>) {
    let head = words.word();
    if head & o::LOCKED != 0 {
        words.skip(2);
    }
    if head & o::HASHED != 0 {
        words.skip(1);
    }
    let class = ClassId(head >> o::SHIFT);
    match vm.classes.element_kind(class) {
        Some(kind) => {
            let len = words.word() as usize;
            words.skip(if kind == Kind::Ref { len } else { len.div_ceil(4) });
        }
        None => {
            let size =
                |kinds: &mut dyn Iterator<Item = Kind>| kinds.map(|kind| usize::from(kind.n_slots())).sum();
            let n_words = match reference {
                Some(reference) if class == vm.known().class => size(&mut vm.kinds(vm.base.get(reference))),
                _ => size(&mut vm.class(class).instance.iter().copied()),
            };
            words.skip(n_words);
        }
    }
}
