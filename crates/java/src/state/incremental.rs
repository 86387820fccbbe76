//! Writing a state down by what differs from the state before the step.
//!
//! Most steps make no object and store no reference: they move one thread, and change a few fields and
//! monitors. Then the objects are those of the loaded state, each with the number that it has there, if the
//! thread that moved still leads to the same objects in the same order; and each can be reached by those who
//! could reach it before. So all but the parts of the threads and objects that changed is copied from the
//! loaded vector.
//!
//! When numbers stay. Objects are numbered root by root, each with all that it leads to before the next
//! (`reach`). A root that is the first to lead to an object, a *leader*, has the next free number; any other
//! root has a smaller one, and adds nothing. So the numbers stay if the roots of the thread, in their new
//! order, are the same leaders, with any others between whose numbers were given before.
//!
//! When flags stay. Whether several threads can reach an object depends on what each can reach. What the
//! thread can reach by its leaders stays. Beyond that it can reach objects that were numbered before its own,
//! from static fields or for threads before it. The former are shared anyway. Of the latter every root must
//! remain one, or an object of the thread's own leads to it; a new one must be shared already: then so is all
//! that it leads to.

use super::encode::{write_header, write_object, write_thread};
use super::parts;
use super::reach::{Reach, each_root};
use super::{header as h, object as o};
use crate::vm::heap::{Layout, OVERLAY, Object};
use crate::vm::machine::{Exec, Machine};
use crate::vm::thread::Thread;

/// So many objects of a thread's own are looked at for one that leads to something.
const MAX_LOOKED_AT: usize = 32;

/// The loaded state, as steps from it are written down; kept from state to state for its memory.
#[derive(Default)]
pub(super) struct Base {
    /// Its vector, and where the parts end.
    words: Vec<u32>,
    ends: Vec<usize>,
    reach: Reach,
    n_threads: usize,
    n_dirty: usize,
    n_objects: usize,
    /// The places of the changed objects of the base image: all of them.
    dirty: Vec<u32>,
    /// Parts that changed, and roots; kept for their memory.
    changed: Vec<usize>,
    roots: Vec<u32>,
}

impl Base {
    /// The state that a machine was just set up as.
    ///
    /// # Errors
    /// If a frame's code is no good.
    pub(super) fn load(&mut self, machine: &Machine<'_>, vector: &[u8]) -> Exec<()> {
        self.words.clear();
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        self.words.extend(vector.chunks_exact(4).map(word));
        self.ends.clear();
        parts::process_ends(vector, &mut self.ends);
        self.words.truncate(self.ends.last().map_or(0, |end| end / 4));
        let count = |at: usize| self.words[at] as usize;
        (self.n_threads, self.n_dirty, self.n_objects) =
            (count(h::N_THREADS), count(h::N_DIRTY), count(h::N_OBJECTS));
        // All changed objects of the base image that a vector has differ from it, and are in order.
        self.dirty.clear();
        self.dirty.extend(0..self.n_dirty as u32);
        self.reach.find(machine, &self.dirty)?;
        debug_assert!(self.reach.is_as_numbered(), "a loaded state has the numbers that it was given");
        Ok(())
    }

    /// After a step of the thread at `idx`: whether every object has the number it had, and can be reached by
    /// those who could reach it before.
    ///
    /// # Errors
    /// If a frame's code is no good.
    pub(super) fn is_kept(&mut self, machine: &Machine<'_>, before: &Thread<'_>, idx: usize) -> Exec<bool> {
        let is_there =
            machine.process.threads.len() == self.n_threads && machine.process.threads[idx].id == before.id;
        if !is_there
            || machine.process.heap.overlay().len() != self.n_objects
            || !self.keeps_references(machine)
        {
            return Ok(false);
        }
        let range = self.reach.segment(idx);
        let statics = self.reach.segment(0).start;
        // The roots that belong to threads before.
        let foreign = |object: u32| object >= statics && object < range.start;
        let mut leaders = self.reach.leaders(idx).iter().copied();
        let mut next = leaders.next().unwrap_or(range.end);
        let mut is_kept = true;
        let roots = &mut self.roots;
        roots.clear();
        each_root(machine, &machine.process.threads[idx], &mut |root| {
            let Some(object) = root.checked_sub(OVERLAY) else { return };
            if foreign(object) {
                is_kept &= self.reach.is_shared(object);
                roots.push(object);
            } else if object == next && next < range.end {
                next = leaders.next().unwrap_or(range.end);
            } else if object >= next {
                is_kept = false;
            }
        })?;
        is_kept &= next == range.end;
        if is_kept {
            // Most often an object of the thread's own leads to what was forgotten.
            let leads_to = |own: u32, object: u32| {
                let mut leads = false;
                let holder = &machine.process.heap.overlay()[own as usize];
                machine.vm.references(OVERLAY + own, holder, &mut |found| leads |= found == OVERLAY + object);
                leads
            };
            let is_known = |object: u32| {
                roots.contains(&object) || range.clone().take(MAX_LOOKED_AT).any(|own| leads_to(own, object))
            };
            each_root(machine, before, &mut |root| {
                is_kept &=
                    root.checked_sub(OVERLAY).is_none_or(|object| !foreign(object) || is_known(object));
            })?;
        }
        Ok(is_kept)
    }

    /// Whether the objects that a step changed lead to what they led to, and are in the vector as before.
    fn keeps_references(&self, machine: &Machine<'_>) -> bool {
        machine.process.heap.changes().all(|(reference, before)| {
            let now = machine.process.heap.get(reference);
            if reference < OVERLAY {
                let base = machine.vm.base.get(reference);
                if differs(base, before) != differs(base, now) {
                    return false;
                }
            }
            machine.vm.leads_alike(before, now)
        })
    }

    /// Writes down the state after a step of the thread at `idx` of which [`Base::is_kept`] is true.
    ///
    /// # Errors
    /// If a frame's code is no good.
    pub(super) fn write(&mut self, machine: &Machine<'_>, idx: usize, words: &mut Vec<u32>) -> Exec<()> {
        words.clear();
        write_header(machine, self.n_dirty, self.n_objects, words);
        self.find_changed(machine, idx);
        let mut copied = 1;
        for at in 0..self.changed.len() {
            let part = self.changed[at];
            words.extend_from_slice(&self.words[self.start(copied)..self.start(part)]);
            copied = part + 1;
            let start = words.len();
            words.push(0);
            self.write_part(machine, part, words)?;
            words[start] = (words.len() - start) as u32;
        }
        words.extend_from_slice(&self.words[self.start(copied)..]);
        Ok(())
    }

    /// The numbers of the parts that a step changed, in order; the header is the first part.
    fn find_changed(&mut self, machine: &Machine<'_>, idx: usize) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        changed.push(1 + idx);
        let place = |id: u32| machine.process.threads.iter().position(|thread| thread.id == id);
        changed.extend(
            machine.step.touched_threads.iter().filter_map(|touched| place(touched.id)).map(|at| 1 + at),
        );
        for (reference, before) in machine.process.heap.changes() {
            if let Some(object) = reference.checked_sub(OVERLAY) {
                changed.push(1 + self.n_threads + self.n_dirty + object as usize);
            } else if differs(machine.vm.base.get(reference), before) {
                let dirty = &machine.process.heap.dirty()[..self.n_dirty];
                let at = dirty.binary_search_by_key(&reference, |object| object.0);
                changed.push(1 + self.n_threads + at.expect("it was in the vector"));
            }
        }
        changed.sort_unstable();
        changed.dedup();
        self.changed = changed;
    }

    fn write_part(&self, machine: &Machine<'_>, part: usize, words: &mut Vec<u32>) -> Exec<()> {
        let object = part - 1;
        if object < self.n_threads {
            return write_thread(machine, object, &self.reach, words);
        }
        let object = object - self.n_threads;
        if object < self.n_dirty {
            let (reference, object) = &machine.process.heap.dirty()[object];
            words.push(*reference);
            write_object(machine.vm, &self.reach, words, object, true);
        } else {
            let shared = self.words[self.start(part) + 1] & o::SHARED != 0;
            let object = &machine.process.heap.overlay()[object - self.n_dirty];
            write_object(machine.vm, &self.reach, words, object, shared);
        }
        Ok(())
    }

    /// Where a part begins, in words.
    fn start(&self, part: usize) -> usize {
        self.ends[part - 1] / 4
    }
}

/// Whether an object of the base image is not as it was there.
pub(super) fn differs(base: &Object, object: &Object) -> bool {
    object.owner != base.owner
        || object.count != base.count
        || object.hash != base.hash
        || object.data != base.data
}
