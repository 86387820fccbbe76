//! Where the parts of a vector end: a store may keep equal threads and objects once. The network is one part.

use super::header as h;

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

/// Appends where each part of a vector ends: the header, each thread, each object, and the network if there
/// is one.
pub fn ends(vector: &[u8], ends: &mut Vec<usize>) {
    process_ends(vector, ends);
    if super::net::has_network(vector) {
        ends.push(vector.len());
    }
}

/// As [`ends`], of the process alone.
pub(super) fn process_ends(vector: &[u8], ends: &mut Vec<usize>) {
    let mut words = Words::new(vector);
    let header: [u32; h::LEN] = words.take();
    words.take_bytes(header[h::OUTPUT] as usize);
    ends.push(words.position());
    for _ in 0..header[h::N_THREADS] + header[h::N_DIRTY] + header[h::N_OBJECTS] {
        let n_words = words.word() as usize;
        words.skip(n_words - 1);
        ends.push(words.position());
    }
}
