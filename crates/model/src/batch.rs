//! Batches: the successors of states, which cursors append and stores insert without a call per successor.

use crate::{Asleep, StepKey, Violation};

/// One successor in a [`Batch`].
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    start: u32,
    len: u32,
    /// The step that leads to this successor.
    pub key: StepKey,
    /// The hash of the vector; zero until a store computed it.
    pub hash: u64,
}

impl Entry {
    /// The length of the vector.
    #[inline]
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "that is of no interest")]
    pub fn len(&self) -> usize {
        self.len as usize
    }
}

/// A reused, flat list of vectors with their step keys, and the violations found in the same expansions.
#[derive(Debug, Default)]
pub struct Batch {
    /// The vectors one after the other, followed by free space.
    bytes: Vec<u8>,
    /// The number of bytes in use.
    n_bytes: usize,
    entries: Vec<Entry>,
    /// The sleep set of each successor; empty for successors beyond its end.
    asleep: Vec<Asleep>,
    n_known: u64,
    violations: Vec<Violation>,
}

impl Batch {
    /// An empty batch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the batch and keeps its memory.
    pub fn clear(&mut self) {
        self.n_bytes = 0;
        self.entries.clear();
        self.asleep.clear();
        self.n_known = 0;
        self.violations.clear();
    }

    /// Appends a successor.
    ///
    /// # Panics
    /// If one batch outgrows four gigabytes, or the vector's length is not a multiple of four.
    #[inline]
    pub fn push(&mut self, key: StepKey, vector: &[u8]) {
        self.room(vector.len())[..vector.len()].copy_from_slice(vector);
        self.commit(key, vector.len());
    }

    /// At least `n_bytes` of free space after the last successor, in which to build more. Its contents are
    /// arbitrary.
    #[inline]
    pub fn room(&mut self, n_bytes: usize) -> &mut [u8] {
        let needed = self.n_bytes + n_bytes;
        if self.bytes.len() < needed {
            self.bytes.resize(needed.max(2 * self.bytes.len()), 0);
        }
        &mut self.bytes[self.n_bytes..]
    }

    /// Appends the next `len` bytes of the free space as a successor.
    ///
    /// # Panics
    /// As [`Batch::push`], and if the free space is smaller than `len`.
    #[inline]
    pub fn commit(&mut self, key: StepKey, len: usize) {
        assert!(len.is_multiple_of(4), "a vector's length is a multiple of four");
        assert!(self.n_bytes + len <= self.bytes.len(), "a vector was built in the room");
        let start = u32::try_from(self.n_bytes).expect("a batch holds at most 4 GiB");
        self.n_bytes += len;
        self.entries.push(Entry { start, len: len as u32, key, hash: 0 });
    }

    /// Appends the next bytes of the free space as successors of these lengths. Their keys count up from
    /// `first_key`.
    ///
    /// # Panics
    /// As [`Batch::commit`].
    #[inline]
    pub fn commit_all(&mut self, first_key: StepKey, lens: &[u32]) {
        let mut start = self.n_bytes;
        self.entries.reserve(lens.len());
        for (&len, key) in lens.iter().zip(first_key.0..) {
            self.entries.push(Entry { start: start as u32, len, key: StepKey(key), hash: 0 });
            start += len as usize;
        }
        assert!(start.is_multiple_of(4), "a vector's length is a multiple of four");
        assert!(start <= self.bytes.len(), "vectors were built in the room");
        u32::try_from(start).expect("a batch holds at most 4 GiB");
        self.n_bytes = start;
    }

    /// Keeps the first `len` successors.
    pub fn truncate(&mut self, len: usize) {
        if let Some(first_dropped) = self.entries.get(len) {
            self.n_bytes = first_dropped.start as usize;
            self.entries.truncate(len);
            self.asleep.truncate(len);
        }
    }

    /// Sets the sleep set of the successor at `idx` (see
    /// [`Cursor::expand_awake`](crate::Cursor::expand_awake)).
    pub fn put_to_sleep(&mut self, idx: usize, asleep: Asleep) {
        if self.asleep.len() <= idx {
            self.asleep.resize(idx + 1, Asleep::NONE);
        }
        self.asleep[idx] = asleep;
    }

    /// The sleep set of the successor at `idx`.
    #[inline]
    #[must_use]
    pub fn asleep(&self, idx: usize) -> Asleep {
        self.asleep.get(idx).copied().unwrap_or_default()
    }

    /// Counts one step of a sleeping process, whose target is known.
    pub fn count_known(&mut self) {
        self.n_known += 1;
    }

    /// Keeps only the first `n` counted steps of sleeping processes.
    pub fn truncate_known(&mut self, n: u64) {
        self.n_known = self.n_known.min(n);
    }

    /// The number of steps of sleeping processes, which are counted but not stored as entries.
    #[inline]
    #[must_use]
    pub fn n_known(&self) -> u64 {
        self.n_known
    }

    /// Appends the successors and violations of `all` that have the key `key`: see
    /// [`Cursor::take`](crate::Cursor::take).
    pub fn append_step(&mut self, key: StepKey, all: &Self) {
        for (idx, _) in all.entries.iter().enumerate().filter(|(_, entry)| entry.key == key) {
            self.push(key, all.vector(idx));
        }
        let own = all.violations.iter().filter(|violation| violation.key == Some(key));
        self.violations.extend(own.cloned());
    }

    /// Whether a successor or a violation has this key.
    #[must_use]
    pub fn has_step(&self, key: StepKey) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
            || self.violations.iter().any(|violation| violation.key == Some(key))
    }

    /// Appends a violation.
    pub fn report(&mut self, violation: Violation) {
        self.violations.push(violation);
    }

    /// The bytes of all successors.
    #[inline]
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// The number of successors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no successors. There may still be violations.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The successors, in the order in which the cursor found them.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The successors, for a store to write hashes into.
    pub fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    /// The vector of the successor at `idx`.
    #[inline]
    #[must_use]
    pub fn vector(&self, idx: usize) -> &[u8] {
        let entry = &self.entries[idx];
        &self.bytes[entry.start as usize..(entry.start + entry.len) as usize]
    }

    /// The vector of the successor at `idx`, for a model that brings states into a normal form.
    #[inline]
    pub fn vector_mut(&mut self, idx: usize) -> &mut [u8] {
        let entry = &self.entries[idx];
        &mut self.bytes[entry.start as usize..(entry.start + entry.len) as usize]
    }

    /// The violations, in the order in which the cursor found them.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Sets every entry's hash.
    #[inline]
    pub fn hash_with(&mut self, hash: impl Fn(&[u8]) -> u64) {
        for entry in &mut self.entries {
            entry.hash = hash(&self.bytes[entry.start as usize..(entry.start + entry.len) as usize]);
        }
    }
}
