//! Plain accesses in conflict: found in the states in which two threads are about to make them.
//!
//! A step of a thread (a segment) is one operation that orders threads and the plain accesses after it. While no two threads access
//! the same thing in conflict, plain accesses commute with the segments of all other threads, and segments can be taken
//! as wholes. Whether two threads do is seen in a state in which both have a segment: if one segment writes what the other
//! one accesses, and the first operation of one does not keep the other from doing so (as entering a common monitor
//! would), their accesses can be adjacent. Then the field is brought into view: accesses to it order threads from now on,
//! and the search begins again.
//!
//! Why looking at one state is enough: a segment in which plain accesses follow another operation begins with entering a monitor; after
//! any other operation that orders threads it ends before the next plain access. A thread that stands before entering a
//! monitor hinders nobody, so whatever leads another thread to its access while this one stands between its monitor
//! and its access leads it there too while this one still stands before the monitor. (It would not if the operation were, say, the
//! read of a volatile field: what is read later may differ.)
//!
//! What is seen depends on the state alone, not on the way to it, so that states which are met again hide no conflict.

use crate::model::JavaCursor;
use crate::vm::machine::Access;
use std::collections::HashMap;

/// The plain accesses of the segments of one state.
#[derive(Default)]
pub(crate) struct Conflicts {
    /// Thread, whether it had a choice, and where its accesses begin.
    segments: Vec<(usize, bool, usize)>,
    accesses: Vec<Access>,
    /// The first thread that accessed an object, plus one; the greatest number if several did. Kept for its memory.
    seen: HashMap<u32, usize>,
}

impl Conflicts {
    /// A new state.
    pub(crate) fn clear(&mut self) {
        self.segments.clear();
        self.accesses.clear();
    }

    /// A segment of the thread at `idx`.
    pub(crate) fn note(&mut self, idx: usize, has_choice: bool, accesses: &[Access]) {
        if !accesses.is_empty() {
            self.segments.push((idx, has_choice, self.accesses.len()));
            self.accesses.extend_from_slice(accesses);
        }
    }

    fn accesses_of(&self, segment: usize) -> &[Access] {
        let end = self.segments.get(segment + 1).map_or(self.accesses.len(), |next| next.2);
        &self.accesses[self.segments[segment].2..end]
    }

    /// Whether two threads access one object, and one of them writes.
    fn is_suspicious(&mut self) -> bool {
        self.seen.clear();
        let mut shared = false;
        for (segment, &(idx, ..)) in self.segments.iter().enumerate() {
            let end = self.segments.get(segment + 1).map_or(self.accesses.len(), |next| next.2);
            for access in &self.accesses[self.segments[segment].2..end] {
                let first = self.seen.entry(access.object).or_insert(idx + 1);
                shared |= *first != idx + 1;
            }
        }
        shared && self.accesses.iter().any(|access| access.is_write)
    }

    /// The fields and classes of arrays that are accessed in conflict in the loaded state of a cursor.
    pub(crate) fn find(cursor: &mut JavaCursor<'_>) -> Vec<u64> {
        if cursor.conflicts.segments.len() < 2 || !cursor.conflicts.is_suspicious() {
            return Vec::new();
        }
        let conflicts = std::mem::take(&mut cursor.conflicts);
        let mut racy = Vec::new();
        for a in 0..conflicts.segments.len() {
            for b in a + 1..conflicts.segments.len() {
                let (first, second) = (conflicts.segments[a].0, conflicts.segments[b].0);
                let (of_a, of_b) = (conflicts.accesses_of(a), conflicts.accesses_of(b));
                let in_conflict = keys(of_a, of_b);
                if first == second || in_conflict.is_empty() {
                    continue;
                }
                if conflicts.segments[a].1 || conflicts.segments[b].1 {
                    // Which choice led here is not gone into: it is taken for a conflict.
                    racy.extend(in_conflict);
                    continue;
                }
                racy.extend(adjacent(cursor, first, of_a, second, &in_conflict));
                racy.extend(adjacent(cursor, second, of_b, first, &in_conflict));
            }
        }
        cursor.conflicts = conflicts;
        racy.sort_unstable();
        racy.dedup();
        racy
    }
}

/// What of two lists of accesses is in conflict.
fn keys(a: &[Access], b: &[Access]) -> Vec<u64> {
    let mut keys = Vec::new();
    for x in a {
        for y in b.iter().filter(|y| x.conflicts(y)) {
            keys.extend([x.place.key, y.place.key]);
        }
    }
    keys
}

/// What the thread at `other` still accesses in conflict with `accesses`, after the first operation of the segment of the thread at
/// `idx` that they are from; everything in `in_conflict` if that cannot be told.
fn adjacent(
    cursor: &mut JavaCursor<'_>,
    idx: usize,
    accesses: &[Access],
    other: usize,
    in_conflict: &[u64],
) -> Vec<u64> {
    let found = match cursor.after_first_operation(idx, other) {
        Some(of_other) => keys(accesses, of_other),
        None => in_conflict.to_vec(),
    };
    cursor.back_from_all();
    found
}
