//! Monitors and locks that threads take in opposite orders, or in a circle: whoever does that at the same
//! time can come to a deadlock.
//!
//! A search that has seen all of a program has seen its deadlocks. But a test may keep its threads from
//! getting into each other's way, by joining one before the other starts, say; and a search may end at a
//! limit. So whenever a thread enters a monitor, or a lock of `java.util.concurrent` is told its owner, what
//! the thread holds already is noted with the places in the code, and circles of such orders ([`circle`]) are
//! told to people. It is a warning, and no verdict:
//! - monitors and locks are told apart by the ways that lead to them ([`Names`]). A field that leads to one
//!   object now and to another one later is taken for one monitor, and so is a variable of a method that
//!   lambdas have captured, unless two of them were seen at once; a monitor that no way leads to is not
//!   noted;
//! - what only threads lead to is called by one of them in one state, and by another one in another. Names
//!   that were one object's in some state are one name;
//! - orders under a monitor or lock that two of the threads hold (a *gate*) are no warning, since it keeps
//!   them apart;
//! - what was got by `tryLock` is held, but nobody waits for it without end: taking it is no order;
//! - nothing else that keeps threads apart is looked at; and locks without an owner (read locks, `Semaphore`,
//!   `StampedLock`) are not.
//!
//! Where a lock was taken is in no state. It is noted beside, for each thread and lock.

mod circle;
mod synonyms;

use crate::class::ClassId;
use crate::explain::names::{Called, Names};
use crate::explain::{lock_whole, place_of, thread_name, waits};
use crate::vm::heap::Ref;
use crate::vm::machine::Machine;
use circle::Order;
pub(crate) use circle::Orders;
use rapidhash::v3::rapidhash_v3;
use std::collections::HashSet;

/// After so many entries with others held, a worker has seen enough; and after so many places of locks.
const MAX_LOOKS: usize = 2_000;
/// What locks a thread holds depends not only on its stack. Stacks that were looked at before are looked at
/// again until so many objects have been asked for their owners.
const MAX_ASKED: usize = 1_000_000;

/// What a worker has seen.
#[derive(Default)]
pub(crate) struct LockOrder {
    /// Stacks that have taken something, with that; and the same with the locks held.
    seen: HashSet<u64>,
    n_looks: usize,
    n_places: usize,
    n_asked: usize,
    /// What is new.
    pub(crate) found: Orders,
}

/// What a thread takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Monitor,
    Lock,
}

impl Machine<'_> {
    /// The running thread has entered the monitor of an object that it did not hold.
    pub(crate) fn note_order(&mut self, object: Ref) {
        self.note_taken(object, Taken::Monitor);
    }

    /// The running thread has got a lock, which is about to be told that it is the owner.
    pub(crate) fn note_lock_order(&mut self, lock: Ref) {
        self.note_taken(lock, Taken::Lock);
    }

    fn note_taken(&mut self, object: Ref, what: Taken) {
        if let Some(mut notes) = self.knowledge.lock_order.take() {
            notes.look(self, object, what);
            self.knowledge.lock_order = Some(notes);
        }
    }

    /// Whether the lock's code that the running thread is in was called by `tryLock`.
    fn is_trying(&self) -> bool {
        let classes = &self.vm.classes;
        let is_of_lock = |class| {
            let name_of = |&id: &ClassId| classes.name(id);
            let mut names = self.vm.class(class).supertypes.iter().map(name_of);
            names.any(|name| name.starts_with("java/util/concurrent/locks/"))
        };
        let frames = self.thread().frames.iter().rev();
        frames
            .take_while(|frame| is_of_lock(frame.method.class))
            .any(|frame| &**classes.symbols.text(frame.method.name) == "tryLock")
    }

    /// A number for the stack of the running thread and an object.
    fn entry(&self, object: Ref) -> u64 {
        let thread = self.thread();
        let start = u64::from(thread.id) << 32 | u64::from(object);
        thread.frames.iter().fold(start, |hash, frame| {
            let place = [hash, u64::from(frame.method.id.0), u64::from(frame.pc), u64::from(frame.lock)];
            rapidhash_v3(&place.map(u64::to_le_bytes).concat())
        })
    }
}

impl LockOrder {
    /// The running thread takes an object.
    fn look(&mut self, machine: &Machine<'_>, object: Ref, what: Taken) {
        if self.n_looks >= MAX_LOOKS {
            return;
        }
        let entry = machine.entry(object);
        let is_new = self.seen.insert(entry);
        if !is_new && self.n_asked >= MAX_ASKED {
            return;
        }
        let thread = machine.thread();
        let mut locks = waits::held_locks(machine, thread);
        self.n_asked += machine.process.heap.n_changed_or_new();
        locks.retain(|&held| held != object);
        let words = [entry].into_iter().chain(locks.iter().map(|&lock| u64::from(lock)));
        let with_locks = rapidhash_v3(&words.flat_map(u64::to_le_bytes).collect::<Vec<_>>());
        if self.seen.insert(with_locks) {
            self.note(machine, object, what, &locks);
        }
    }

    fn note(&mut self, machine: &Machine<'_>, object: Ref, what: Taken, locks: &[Ref]) {
        let thread = machine.thread();
        let mut monitors = waits::held_monitors(machine, thread);
        monitors.retain(|(held, _)| *held != object);
        let is_alone = monitors.is_empty() && locks.is_empty();
        let has_order = !is_alone && (what == Taken::Monitor || !machine.is_trying());
        let has_place = what == Taken::Lock && self.n_places < MAX_LOOKS;
        if !has_order && !has_place {
            return;
        }
        let names = Names::find_numbered(machine);
        let place = place_of(machine, thread).map(|at| at.to_string());
        let called = match what {
            Taken::Monitor => names.called(object, None),
            Taken::Lock => lock_called(machine, &names, object),
        };
        let Some(name) = self.name(called) else { return };
        self.found.note_unclear(names.unclear().clone());
        if has_place && let Some(place) = &place {
            self.n_places += 1;
            self.found.note_place(thread.id, name.clone(), place.clone());
        }
        if !has_order {
            return;
        }
        let unknown = || "?".to_owned();
        let mut held: Vec<(String, Option<String>)> = Vec::new();
        for (monitor, at) in monitors {
            let at = at.map_or_else(unknown, |at| at.to_string());
            held.extend(self.name(names.called(monitor, None)).map(|name| (name, Some(at))));
        }
        for &lock in locks {
            held.extend(self.name(lock_called(machine, &names, lock)).map(|name| (name, None)));
        }
        self.n_looks += usize::from(!held.is_empty());
        for (idx, first) in held.iter().enumerate() {
            let others = held.iter().enumerate().filter(|(other, _)| *other != idx);
            self.found.add(Order {
                thread: (thread.id, thread_name(machine, thread.id)),
                first: first.clone(),
                second: (name.clone(), place.clone().unwrap_or_else(unknown)),
                gates: others.map(|(_, (name, _))| name.clone()).collect(),
            });
        }
    }
    /// The name of something by what it can be called; that this is all the same is noted.
    fn name(&mut self, called: Vec<Called>) -> Option<String> {
        let name = called.first()?.name.clone();
        for Called { name: other, variable } in called {
            if let Some(variable) = variable {
                self.found.note_variable(&other, variable);
            }
            self.found.note_same(&name, other);
        }
        Some(name)
    }
}

/// What a lock can be called, if anything leads to it.
fn lock_called(machine: &Machine<'_>, names: &Names, lock: Ref) -> Vec<Called> {
    lock_whole(machine, names, lock).map_or_else(Vec::new, |whole| whole.called(names))
}
