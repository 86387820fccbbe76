//! Operations in conflict: found in the states in which two threads are about to execute them.
//!
//! Operations are out of view until they are seen in conflict (`vm::view` has what a step consists of). If in some state the step of one thread
//! writes what the step of another one accesses, and one of the two operations is not in view, both come into view, and the search
//! begins again. A search that is not interrupted in this way has seen a run for every run of the program, up to the order of operations
//! that are in no conflict.
//!
//! Why looking at one state is enough. Take a run of the program, and in it the first operation x, of thread u, that is in conflict with an operation n
//! out of view of a thread t which is in the middle of a step. Leave out whatever belongs to steps that are not over before x: operations out of view
//! and entered monitors. Nothing up to x depends on it, for x is the first: so the state that remains is one that the search
//! reaches, there u's step leads to x, and t's step leads to n. That n is not *after* x for t to have waited for u is told by trying: if
//! t has entered a monitor in view before n, it enters the monitor first, and u must still get to x.
//!
//! An operation that must wait counts as well, though it does not happen: what lets it go on must be in view, or else what
//! a thread does after that would be taken for part of the same step. So do the operations of a step that an assumption takes back: others may do
//! something first, and then it holds. And so do those of threads that do not run because another one goes on with an atomic
//! section after it had to wait: they can be in the middle of a step.
//!
//! What is seen depends on the state alone, not on the way to it, so that states which are met again hide no conflict.

use crate::model::JavaCursor;
use crate::vm::view::{Access, LIFE_OBSERVER, OBSERVER};
use std::collections::HashMap;

/// A step of the loaded state.
#[derive(Clone, Copy)]
struct Segment {
    /// The thread.
    idx: usize,
    /// Where its accesses begin.
    start: usize,
    /// Where those begin that come after entering a monitor in view.
    entered: Option<usize>,
}

/// The accesses of the steps of one state.
#[derive(Default)]
pub(crate) struct Conflicts {
    segments: Vec<Segment>,
    accesses: Vec<Access>,
    /// The first thread that accessed an object, plus one. Kept for its memory.
    seen: HashMap<u32, usize>,
}

/// An operation that was seen in conflict: its context, and what it accesses.
pub(crate) type Racy = (u64, u64);

impl Conflicts {
    /// A new state.
    pub(crate) fn clear(&mut self) {
        self.segments.clear();
        self.accesses.clear();
    }

    /// A step of the thread at `idx`.
    pub(crate) fn note(&mut self, idx: usize, accesses: &[Access], entered: Option<usize>) {
        if !accesses.is_empty() {
            let start = self.accesses.len();
            self.segments.push(Segment { idx, start, entered });
            self.accesses.extend_from_slice(accesses);
        }
    }

    /// The accesses of a segment, and those of them before it enters a monitor in view.
    fn accesses_of(&self, segment: usize) -> (&[Access], &[Access]) {
        let Segment { start, entered, .. } = self.segments[segment];
        let end = self.segments.get(segment + 1).map_or(self.accesses.len(), |next| next.start);
        let all = &self.accesses[start..end];
        (all, entered.map_or(all, |entered| &all[..entered]))
    }

    /// Whether two threads access one object, one of them writes, and something is not in view or may be a race.
    fn is_suspicious(&mut self) -> bool {
        if self.segments.len() < 2
            || !self.accesses.iter().any(|access| access.is_write)
            || self.accesses.iter().all(|access| access.in_view && !access.place.is_ordinary)
        {
            return false;
        }
        self.seen.clear();
        let mut shared = false;
        for (segment, &Segment { idx, start, .. }) in self.segments.iter().enumerate() {
            let end = self.segments.get(segment + 1).map_or(self.accesses.len(), |next| next.start);
            for access in &self.accesses[start..end] {
                let first = self.seen.entry(access.object).or_insert(idx + 1);
                shared |= *first != idx + 1;
            }
        }
        shared
    }

    /// What is accessed in conflict in the loaded state of a cursor.
    pub(crate) fn find(cursor: &mut JavaCursor<'_>) -> Vec<Racy> {
        for observer in [OBSERVER, LIFE_OBSERVER] {
            if cursor.conflicts.accesses.iter().any(|access| access.context == observer) {
                return vec![(observer, 0)];
            }
        }
        if !cursor.conflicts.is_suspicious() {
            return Vec::new();
        }
        let conflicts = std::mem::take(&mut cursor.conflicts);
        let mut racy = Vec::new();
        for a in 0..conflicts.segments.len() {
            for b in a + 1..conflicts.segments.len() {
                conflicts.find_between(cursor, a, b, &mut racy);
            }
        }
        cursor.conflicts = conflicts;
        racy.sort_unstable();
        racy.dedup();
        racy
    }

    fn find_between(&self, cursor: &mut JavaCursor<'_>, a: usize, b: usize, racy: &mut Vec<Racy>) {
        let (first, second) = (self.segments[a], self.segments[b]);
        let ((all_a, early_a), (all_b, early_b)) = (self.accesses_of(a), self.accesses_of(b));
        if first.idx != second.idx {
            for (x, y) in races(all_a, all_b) {
                cursor.note_race((first.idx, &x), (second.idx, &y));
            }
        }
        if first.idx == second.idx || !all_a.iter().any(|x| all_b.iter().any(|y| x.conflicts(y))) {
            return;
        }
        let mut found = Vec::new();
        between(early_a, all_b, &mut found);
        between(all_a, early_b, &mut found);
        let (late_a, late_b) = (&all_a[early_a.len()..], &all_b[early_b.len()..]);
        if late_a.iter().any(|x| late_b.iter().any(|y| x.conflicts(y))) {
            after_entering(cursor, first.idx, late_a, (second.idx, late_b, false), &mut found);
            after_entering(cursor, second.idx, late_b, (first.idx, late_a, true), &mut found);
        }
        // What a monitor protects is in no conflict once entering it is in view.
        let is_monitor = |(access, _): &(Access, Access)| access.place.is_monitor();
        let only_monitors = found.iter().any(is_monitor);
        for pair in found.iter().filter(|pair| !only_monitors || is_monitor(pair)) {
            racy.extend([pair.0, pair.1].map(|access| (access.context, access.place.key)));
        }
    }
}

/// The pairs of accesses of two steps that can be adjacent, and are races: nothing that one of the steps does before is about something that the other one does
/// before, in view or not.
fn races(a: &[Access], b: &[Access]) -> Vec<(Access, Access)> {
    let mut found = Vec::new();
    let mut end = b.len();
    for x in a {
        if let Some(at) = b[..end].iter().position(|y| x.collides(y)) {
            let y = b[at];
            if x.place.is_ordinary || y.place.is_ordinary {
                found.push((*x, y));
            }
            end = at;
        }
    }
    found
}

/// The pairs of accesses of two lists that are in conflict.
fn between(a: &[Access], b: &[Access], found: &mut Vec<(Access, Access)>) {
    for x in a {
        found.extend(b.iter().filter(|y| x.conflicts(y)).map(|y| (*x, *y)));
    }
}

/// What the other thread still accesses in conflict with `late`, when the thread at `idx` has entered the monitor before that; every
/// conflict with what it accessed otherwise, if that cannot be told.
fn after_entering(
    cursor: &mut JavaCursor<'_>,
    idx: usize,
    late: &[Access],
    (other, otherwise, is_second): (usize, &[Access], bool),
    found: &mut Vec<(Access, Access)>,
) {
    let before = found.len();
    match cursor.after_entering(idx, other) {
        Some(of_other) => between(late, &of_other, found),
        None => between(late, otherwise, found),
    }
    if is_second {
        found[before..].iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
    }
}
