//! From a machine to a vector.

use super::incremental::{Base, differs};
use super::reach::{Reach, each_slot};
use super::{frame as f, header as h, object as o, thread as t};
use crate::class::descriptor::Kind;
use crate::class::maps::Slot;
use crate::vm::Vm;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Machine};
use crate::vm::process::Ended;
use crate::vm::thread::{Role, Seen, Thread, Wait};

/// Writes machines down; kept from state to state for its memory.
#[derive(Default)]
pub struct Encoder {
    reach: Reach,
    words: Vec<u32>,
    dirty: Vec<u32>,
    base: Base,
}

impl Encoder {
    /// The words of a machine's state.
    ///
    /// # Errors
    /// If a frame's code is no good.
    pub fn encode(&mut self, machine: &Machine<'_>) -> Exec<&[u32]> {
        self.find_reach(machine)?;
        self.words.clear();
        write_header(machine, self.dirty.len(), self.reach.order().len(), &mut self.words);
        for idx in 0..machine.process.threads.len() {
            let start = self.begin_part();
            write_thread(machine, idx, &self.reach, &mut self.words)?;
            self.end_part(start);
        }
        let vm = machine.vm;
        for at in 0..self.dirty.len() {
            let (reference, object) = &machine.process.heap.dirty()[self.dirty[at] as usize];
            let start = self.begin_part();
            self.words.push(*reference);
            write_object(vm, &self.reach, &mut self.words, object, true);
            self.end_part(start);
        }
        for at in 0..self.reach.order().len() {
            let idx = self.reach.order()[at];
            let object = &machine.process.heap.overlay()[idx as usize];
            let start = self.begin_part();
            write_object(vm, &self.reach, &mut self.words, object, self.reach.is_shared(idx));
            self.end_part(start);
        }
        super::net::encode_network(machine, &mut self.words);
        Ok(&self.words)
    }

    /// Finds what can be reached, and by whom.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn find_reach(&mut self, machine: &Machine<'_>) -> Exec<()> {
        self.find_dirty(machine);
        self.reach.find(machine, &self.dirty)
    }

    /// After [`Encoder::encode`] or [`Encoder::find_reach`]: the threads, but for the one at `idx`, that are
    /// alone with one of the first `n_objects` objects that several could reach before. Threads are those
    /// before the step, of which there are at most 32; `has_ended` tells whether the one at `idx` is no more.
    #[must_use]
    pub fn left_alone(&self, machine: &Machine<'_>, n_objects: usize, idx: usize, has_ended: bool) -> u32 {
        let objects = machine.process.heap.overlay().iter().take(n_objects).enumerate();
        let owners = objects.filter(|(_, object)| object.shared).filter_map(|(at, _)| self.reach.owner(at));
        let before = owners.map(|owner| owner + usize::from(has_ended && owner >= idx));
        before.filter(|&owner| owner != idx && owner < 32).fold(0, |threads, owner| threads | 1 << owner)
    }

    /// A part begins with how many words it has.
    #[inline]
    fn begin_part(&mut self) -> usize {
        self.words.push(0);
        self.words.len() - 1
    }

    #[inline]
    fn end_part(&mut self, start: usize) {
        self.words[start] = (self.words.len() - start) as u32;
    }

    /// The changed objects of the base image that do differ from it, in the order of their references.
    fn find_dirty(&mut self, machine: &Machine<'_>) {
        self.dirty.clear();
        for (idx, (reference, object)) in machine.process.heap.dirty().iter().enumerate() {
            if differs(machine.vm.base.get(*reference), object) {
                self.dirty.push(idx as u32);
            }
        }
        self.dirty.sort_unstable_by_key(|&idx| machine.process.heap.dirty()[idx as usize].0);
    }

    /// The places of the reached objects, after [`Encoder::encode`].
    #[must_use]
    pub fn order(&self) -> &[u32] {
        self.reach.order()
    }

    /// Gets ready to write down what comes of steps from the state that a machine was just set up as.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn load(&mut self, machine: &Machine<'_>, vector: &[u8]) -> Exec<()> {
        self.base.load(machine, vector)
    }

    /// Whether the objects are as [`Encoder::load`] found them, after a step of the thread at `idx`: those
    /// that there were, with their numbers, known to the same threads.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn is_kept(&mut self, machine: &Machine<'_>, before: &Thread<'_>, idx: usize) -> Exec<bool> {
        self.base.is_kept(machine, before, idx)
    }

    /// As [`Encoder::encode`], after a step of the thread at `idx` of which [`Encoder::is_kept`] is true.
    ///
    /// # Errors
    /// As [`Encoder::encode`].
    pub fn encode_kept(&mut self, machine: &Machine<'_>, idx: usize) -> Exec<&[u32]> {
        self.base.write(machine, idx, &mut self.words)?;
        super::net::encode_network(machine, &mut self.words);
        #[cfg(debug_assertions)]
        {
            let kept = std::mem::take(&mut self.words);
            assert_eq!(
                self.encode(machine)?,
                kept,
                "the state after a step is the same, written down as a whole"
            );
        }
        Ok(&self.words)
    }
}

/// Everything before the first thread.
pub(super) fn write_header(machine: &Machine<'_>, n_dirty: usize, n_objects: usize, words: &mut Vec<u32>) {
    let mut header = [0_u32; h::LEN];
    header[h::N_THREADS] = machine.process.threads.len() as u32;
    header[h::N_DIRTY] = n_dirty as u32;
    header[h::N_OBJECTS] = n_objects as u32;
    header[h::NEXT_THREAD] = machine.process.next_thread;
    header[h::NEXT_HASH] = machine.process.next_hash;
    header[h::CLOCK] = machine.process.clock.time as u32;
    header[h::CLOCK + 1] = (machine.process.clock.time >> 32) as u32;
    // More than one matters only where one schedule is run.
    header[h::READINGS] = machine.process.clock.n_readings.min(1);
    header[h::ENDED] = machine.process.n_spurious << 1;
    if !machine.net.is_empty() {
        header[h::ENDED] |= h::NETWORK;
    }
    if let Ended::Exit(status) = machine.process.ended {
        header[h::ENDED] |= 1;
        header[h::STATUS] = status as u32;
    }
    header[h::DIED] = machine.process.died;
    header[h::OUTPUT] = machine.process.output.len() as u32;
    words.extend_from_slice(&header);
    push_bytes(words, &machine.process.output);
}

/// A thread, but for how many words it has.
///
/// # Errors
/// If a frame's code is no good.
pub(super) fn write_thread(
    machine: &Machine<'_>,
    idx: usize,
    reach: &Reach,
    words: &mut Vec<u32>,
) -> Exec<()> {
    let thread = &machine.process.threads[idx];
    let mut head = [0_u32; t::LEN];
    head[t::ID] = thread.id;
    head[t::OBJECT] = reach.name(thread.object);
    let (place, flag, object, count) = match thread.wait {
        Wait::No => (0, false, 0, 0),
        Wait::Waiting { object, count, timed } => (1, timed, object, count),
        Wait::Woken { object, count, interrupted } => (2, interrupted, object, count),
    };
    let seen = match thread.seen {
        Seen::No => 0,
        Seen::Maybe => 1,
        Seen::Yes => 2,
    };
    head[t::FLAGS] = u32::from(thread.permit) | place << 1 | u32::from(flag) << 3 | seen << t::SEEN;
    head[t::WAIT_OBJECT] = reach.name(object);
    head[t::WAIT_COUNT] = count;
    head[t::ATOMIC] = thread.atomic;
    head[t::N_FRAMES] = thread.frames.len() as u32;
    words.extend_from_slice(&head);
    for frame in &thread.frames {
        let mut head = [0_u32; f::LEN];
        head[f::METHOD] = frame.method.id.0;
        head[f::PC] = frame.pc | role_number(frame.role) << 24;
        head[f::DEPTH] = frame.sp - frame.base - u32::from(frame.method.max_locals);
        head[f::LOCK] = reach.name(frame.lock);
        words.extend_from_slice(&head);
        each_slot(machine.vm, frame, |slot, at| {
            let value = thread.slots[at];
            match slot {
                Slot::Ref => words.push(reach.name(value as Ref)),
                Slot::Wide => words.extend_from_slice(&[value as u32, (value >> 32) as u32]),
                _ => words.push(value as u32),
            }
        })?;
    }
    Ok(())
}

fn role_number(role: Role) -> u32 {
    match role {
        Role::Plain => 0,
        Role::FreshInitializer => 1,
        Role::Initializer => 2,
        Role::Detached => 3,
        Role::Aside => 4,
    }
}

fn push_bytes(words: &mut Vec<u32>, bytes: &[u8]) {
    for chunk in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        words.push(u32::from_le_bytes(word));
    }
}

/// An object, but for how many words it has and, of one of the base image, which it is.
pub(super) fn write_object(vm: &Vm, reach: &Reach, words: &mut Vec<u32>, object: &Object, shared: bool) {
    let locked = object.owner != 0;
    let hashed = object.hash != 0;
    words.push(
        object.class.0 << o::SHIFT
            | if locked { o::LOCKED } else { 0 }
            | if hashed { o::HASHED } else { 0 }
            | if shared { o::SHARED } else { 0 },
    );
    if locked {
        words.extend_from_slice(&[object.owner, object.count]);
    }
    if hashed {
        words.push(object.hash);
    }
    match &object.data {
        Data::Bytes(bytes) => {
            words.push(bytes.len() as u32);
            push_bytes(words, bytes);
        }
        Data::Refs(refs) => {
            words.push(refs.len() as u32);
            words.extend(refs.iter().map(|&reference| reach.name(reference)));
        }
        Data::Slots(slots)
            if object.class != vm.known().class && !vm.class(object.class).outline.has_wide =>
        {
            let start = words.len();
            words.extend(slots.iter().map(|&slot| slot as u32));
            for &slot in &vm.class(object.class).outline.references {
                let word = &mut words[start + slot as usize];
                *word = reach.name(*word);
            }
        }
        Data::Slots(slots) => {
            for (kind, &value) in vm.kinds(object).zip(slots.iter()) {
                match kind {
                    Kind::Ref => words.push(reach.name(value as Ref)),
                    Kind::Long | Kind::Double => {
                        words.extend_from_slice(&[value as u32, (value >> 32) as u32])
                    }
                    _ => words.push(value as u32),
                }
            }
        }
    }
}
