//! Operations in conflict: found in the states in which two threads are about to execute them.
//!
//! Operations are out of view until they are seen in conflict (`vm::view` has what a step consists of). If in
//! some state the step of one thread writes what the step of another one accesses, and one of the two
//! operations is not in view, both come into view, and the search begins again. A search that is not
//! interrupted in this way has seen a run for every run of the program, up to the order of operations that
//! are in no conflict.
//!
//! Why looking at one state is enough. Take a run of the program, and in it the first operation x, of thread
//! u, that is in conflict with an operation n out of view of a thread t which is in the middle of a step.
//! Leave out whatever belongs to steps that are not over before x: operations out of view and entered
//! monitors. Nothing up to x depends on it, for x is the first: so the state that remains is one that the
//! search reaches, there u's step leads to x, and t's step leads to n.
//!
//! And why only the first conflicts of two steps count. Before x, nothing of u's step is in conflict with
//! anything of t's up to n: not with what is out of view, for x is the first, and not with the monitor in
//! view that t's step may have entered, for t either holds it or has left it, and leaving it out of view
//! would have been n. So of two steps it is enough to take the pairs (x, n) that have no pair in conflict
//! before them. What a monitor protects comes after entering it, in both steps, and stays out of view for
//! that.
//!
//! An operation that must wait counts as well, though it does not happen: what lets it go on must be in view,
//! or else what a thread does after that would be taken for part of the same step. So do the operations of a
//! step that an assumption takes back: others may do something first, and then it holds. And so do those of
//! threads that do not run because another one goes on with an atomic section after it had to wait: they can
//! be in the middle of a step.
//!
//! Sections that acquire or release a lock are operations like monitors are entered and left (`vm::section`),
//! but only for each other. For any other operation they are out of view until one is seen in conflict with
//! them; then they are plain operations in view.
//!
//! What is seen depends on the state alone, not on the way to it, so that states which are met again hide no
//! conflict.

use crate::model::JavaCursor;
use crate::vm::section::plain;
use crate::vm::view::{Access, Place};
use rapidhash::RapidHashMap;

/// A step of the loaded state.
#[derive(Clone, Copy)]
struct Segment {
    /// The thread.
    idx: usize,
    /// Where its accesses begin.
    start: usize,
}

/// The accesses of the steps of one state.
#[derive(Default)]
pub(crate) struct Conflicts {
    segments: Vec<Segment>,
    accesses: Vec<Access>,
    /// The first thread that accessed an object, plus one. Kept for its memory.
    seen: RapidHashMap<u32, usize>,
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
    pub(crate) fn note(&mut self, idx: usize, accesses: &[Access]) {
        if !accesses.is_empty() {
            self.segments.push(Segment { idx, start: self.accesses.len() });
            self.accesses.extend_from_slice(accesses);
        }
    }

    /// The accesses of a segment.
    fn accesses_of(&self, segment: usize) -> &[Access] {
        let end = self.segments.get(segment + 1).map_or(self.accesses.len(), |next| next.start);
        &self.accesses[self.segments[segment].start..end]
    }

    /// Whether two threads access one object, one of them writes, and something is not in view or may be a
    /// race.
    fn is_suspicious(&mut self) -> bool {
        if self.segments.len() < 2
            || !self.accesses.iter().any(|access| access.is_write)
            || (self.accesses.iter())
                .all(|access| access.in_view && !access.place.is_ordinary && !access.is_mover)
        {
            return false;
        }
        self.seen.clear();
        let mut shared = false;
        for segment in 0..self.segments.len() {
            let idx = self.segments[segment].idx;
            let end = self.segments.get(segment + 1).map_or(self.accesses.len(), |next| next.start);
            for access in &self.accesses[self.segments[segment].start..end] {
                let first = self.seen.entry(access.object).or_insert(idx + 1);
                shared |= *first != idx + 1;
            }
        }
        shared
    }

    /// Whether steps of two threads do not commute, for what they access.
    pub(crate) fn collide(&self, a: usize, b: usize) -> bool {
        let of = |idx| (0..self.segments.len()).filter(move |&segment| self.segments[segment].idx == idx);
        of(a).any(|a| {
            of(b).any(|b| {
                self.accesses_of(a).iter().any(|x| self.accesses_of(b).iter().any(|y| x.collides(y)))
            })
        })
    }

    /// What is accessed in conflict in the loaded state of a cursor.
    pub(crate) fn find(cursor: &mut JavaCursor<'_>) -> Vec<Racy> {
        let observations =
            cursor.conflicts.accesses.iter().filter(|access| access.place == Place::OBSERVATION);
        let mut observed: Vec<Racy> = observations.map(|access| (access.context, 0)).collect();
        if !observed.is_empty() {
            observed.sort_unstable();
            observed.dedup();
            return observed;
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
        let threads = [self.segments[a].idx, self.segments[b].idx];
        if threads[0] == threads[1] {
            return;
        }
        let (a, b) = (self.accesses_of(a), self.accesses_of(b));
        for (x, y) in races(a, b) {
            cursor.note_race((threads[0], x), (threads[1], y));
        }
        for (x, n) in first_conflicts(a, b).into_iter().chain(first_conflicts(b, a)) {
            racy.extend([x, n].map(|access| (access.context, access.place.key)));
            if n.is_mover && !x.is_mover {
                racy.push((plain(n.context), n.place.key));
            }
        }
    }
}

/// The pairs of accesses of two steps that can be adjacent, and are races: nothing that one of the steps does
/// before is about something that the other one does before, in view or not.
fn races<'a>(a: &'a [Access], b: &'a [Access]) -> Vec<(&'a Access, &'a Access)> {
    let mut found = Vec::new();
    let mut end = b.len();
    for x in a {
        if let Some(at) = b[..end].iter().position(|y| x.bars(y)) {
            if x.place.is_ordinary || b[at].place.is_ordinary {
                found.push((x, &b[at]));
            }
            end = at;
        }
    }
    found
}

/// The operations x of one step and n of another, n out of view, such that x can be the first that is in
/// conflict with what the other step has done when it has done n.
fn first_conflicts<'a>(later: &'a [Access], earlier: &'a [Access]) -> Vec<(&'a Access, &'a Access)> {
    let mut found = Vec::new();
    let mut end = earlier.len();
    for x in later {
        // The first in conflict may be entering a monitor in view, and leaving it out of view comes later.
        let hidden = earlier[..end].iter().find(|n| x.collides(n) && n.is_hidden_from(x));
        found.extend(hidden.map(|n| (x, n)));
        end = earlier[..end].iter().position(|n| x.bars(n)).unwrap_or(end);
    }
    found
}
