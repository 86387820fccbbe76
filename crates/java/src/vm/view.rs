//! Where a step ends: which of a thread's operations are in view of other threads.
//!
//! An operation on what several threads can reach is *in view* if it was seen in conflict with an operation
//! of another thread (see `conflict`), or if it is of a kind that always is: starting and ending threads,
//! waiting and waking, output. A step consists of
//!
//! 1. any number of operations out of view,
//! 2. entering one monitor in view, and any number of operations out of view,
//! 3. one other operation in view, which closes the step,
//! 4. leaving monitors, and what no other thread can reach.
//!
//! It ends early before an operation that must wait. So a step has at most one operation for which it matters
//! when it happens. What comes before that one can be deferred until it happens, and what comes after can
//! happen at once: operations out of view are in no conflict with what other threads do, entering a monitor
//! only hinders others, and leaving one only lets them go on. Only one monitor in view is entered, because a
//! thread that holds one while it waits for another must be seen to do so: that is what deadlocks are made
//! of.
//!
//! A write that a property can see (see `property`) is in view too, and closes its step also while no other
//! thread runs.
//!
//! Whether any other operation is in view depends on its *context*: its place in the code, and those of the
//! calls that led there. Which lock, field or element it accesses does not matter. So `tryRelease`, which
//! reads a lock's state while no other thread can change it, does not come into view because `tryAcquire`
//! does.
//!
//! An operation says what it accesses before it does anything, by [`Machine::access`] with a [`Resource`] and
//! a [`Mode`]; if the step ends there, the operation is executed again in the next one. What else a visible
//! operation accesses is added with [`Machine::also`], which never ends a step.

mod access;
mod finals;
mod life;
mod place;

pub use access::{Mode, Resource};
pub use place::{Access, Place};

use super::heap::Ref;
use super::machine::{Exec, Machine, Trap};
use crate::class::Method;
use rapidhash::v3::rapidhash_v3;

/// The name of the methods that take operations apart (see `native::apart`).
pub(crate) const LOOP: &str = "<elements>";

/// How many calls a context goes back.
const DEPTH: usize = 4;

/// The context of a thread that asks what others are about to do: with it in the set of contexts everything
/// is in view.
pub const OBSERVER: u64 = 1;

/// The context of a thread that asks whether another one is alive, joins it while interrupted, or uses its
/// monitor: with it in the set of contexts the ends of threads are in view.
pub const LIFE_OBSERVER: u64 = 2;

/// The context of a thread that writes a final field otherwise than a constructor does, or makes an object
/// known whose constructor still runs: with it in the set of contexts reading final fields is an operation
/// like others. Without it no thread can tell when they are read.
pub const FINALS: u64 = 3;

/// The context of what needs every operation in view: with it in the set of contexts everything is. An atomic
/// section that may have to wait for another thread needs that: the thread that holds what the section waits
/// for must be seen to do so, also where it has nothing else to do meanwhile, for then the section is half
/// done, and not otherwise. So does closing a console, since printing reads the fields that lead to it
/// without saying so.
pub const EVERYTHING: u64 = 4;

/// The context of a thread that reads the owner of a lock, or what a thread is parked on, for what it says:
/// with it in the set of contexts these fields are written like others. Without it a write belongs to the
/// operation before it.
pub const OWNERS: u64 = 5;

/// The context of the end of a process that has other threads: with it in the set of contexts nothing is
/// taken from the network before the step that it belongs to (see `native::effect::net`).
pub const ENDS: u64 = 7;

impl Method {
    /// A number for the method that is the same whenever the program is run.
    fn number(&self, classes: &crate::class::registry::Classes) -> u64 {
        *self.site.get_or_init(|| {
            let text = |symbol| classes.symbols.text(symbol);
            let name = format!("{}.{}{}", classes.name(self.class), text(self.name), text(self.descriptor));
            rapidhash_v3(name.as_bytes())
        })
    }
}

impl Machine<'_> {
    /// Whether there are other threads, and none of them is kept from running by an atomic section.
    #[inline]
    #[must_use]
    pub fn is_concurrent(&self) -> bool {
        self.has_others() && self.thread().atomic == 0
    }

    /// Whether there are other threads.
    #[inline]
    fn has_others(&self) -> bool {
        !self.booting && (self.process.threads.len() > 1 || self.options.every_access)
    }

    /// Whether another thread may reach an object.
    #[inline]
    fn is_reachable(&self, object: Ref) -> bool {
        self.has_others() && (self.options.every_access || self.process.heap.is_shared(object))
    }

    /// Where the running thread is: a number for the places in the code of the innermost calls.
    #[inline]
    #[must_use]
    pub fn context(&self) -> u64 {
        if let Some(section) = &self.step.section {
            return section.context;
        }
        let frames = &self.thread().frames;
        let innermost = frames.iter().rev().take(DEPTH);
        innermost.fold(0, |hash: u64, frame| {
            let site = frame.method.number(&self.vm.classes).wrapping_add(u64::from(frame.pc));
            (hash.rotate_left(23) ^ site).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    /// Whether an operation in a context is in view.
    #[inline]
    pub(super) fn is_in_view(&self, context: u64) -> bool {
        self.sees_all() || self.knowledge.racy.contains(&context)
    }

    /// Whether everything is in view, one operation a step.
    pub fn sees_all(&self) -> bool {
        !self.options.until_conflict
            || self.knowledge.racy.contains(&OBSERVER)
            || self.knowledge.racy.contains(&EVERYTHING)
    }

    /// Whether an operation that accesses so many parts of objects is seen by others as more than one: it is
    /// in view, and several of the parts are such that another thread or a property can tell.
    pub(crate) fn is_seen_in_parts(&self, parts: impl Iterator<Item = (Ref, usize, Mode)>) -> bool {
        if self.booting || self.thread().atomic > 0 {
            return false;
        }
        let (mut n, mut is_observed) = (0, false);
        for (object, len, mode) in parts {
            let is_seen = mode.is_write()
                && !self.knowledge.observed.is_empty()
                && !self.process.heap.is_fresh(object)
                && self.is_observed(object, None);
            is_observed |= is_seen;
            let is_shared = self.has_others() && self.process.heap.is_shared(object);
            n += if is_seen || is_shared { len } else { 0 };
        }
        n > 1 && (is_observed || self.is_in_view(self.context())) && !self.is_in_parts()
    }

    /// To be called where such an operation begins. The step ends there as it would if it were not taken
    /// apart.
    pub(crate) fn begin_parts(&self) -> Exec<()> {
        if self.step.closed { Err(Trap::Stop) } else { Ok(()) }
    }

    /// To be called by an operation that reads from an object what never changes once it is there, and finds
    /// it there. Where not to find it would be an operation in view, the step ends in the same place: so what
    /// a thread does up to there does not depend on when others write.
    pub(crate) fn begin_found(&self, object: Ref) -> Exec<()> {
        match self.step.closed && self.is_reachable(object) && self.is_in_view(self.context()) {
            true => Err(Trap::Stop),
            false => Ok(()),
        }
    }

    /// Whether the running method is one that takes an operation apart: what it calls is a part.
    fn is_in_parts(&self) -> bool {
        let method = self.thread().top().method;
        method.is_made() && &**self.vm.classes.symbols.text(method.name) == LOOP
    }

    /// The running thread asks what others are about to do.
    pub fn observe_threads(&mut self) {
        // Where everything is in view it still makes a difference: see `native::thread`.
        self.observe(OBSERVER);
    }

    /// The running thread asks whether another one is alive.
    pub fn observe_life(&mut self) {
        if !self.sees_all() {
            self.observe(LIFE_OBSERVER);
        }
    }

    /// The process ends while it has other threads.
    pub(crate) fn observe_ends(&mut self) {
        self.observe(ENDS);
    }

    /// From now on every operation is in view.
    pub(crate) fn observe_everything(&mut self) {
        if !self.sees_all() {
            self.observe(EVERYTHING);
        }
    }

    /// The running thread reads the owner of a lock, or what a thread is parked on, for what it says.
    pub(crate) fn observe_owners(&mut self) {
        self.observe(OWNERS);
    }

    /// Whether a thread does, as far as is known.
    #[must_use]
    pub(crate) fn reads_owners(&self) -> bool {
        self.knowledge.racy.contains(&OWNERS)
    }

    /// Whether a thread asks what others are about to do, as far as is known.
    #[must_use]
    pub fn are_threads_observed(&self) -> bool {
        self.knowledge.racy.contains(&OBSERVER)
    }

    /// From now on a context is in view, whether or not anything in it is in conflict.
    pub(super) fn observe(&mut self, context: u64) {
        if !self.booting && !self.knowledge.racy.contains(&context) {
            let object = self.process.threads.get(self.step.current).map_or(0, |thread| thread.object);
            let place = Place::OBSERVATION;
            let (is_write, is_addition, in_view) = (false, false, true);
            let (is_mover, excludes) = (false, false);
            self.step.accesses.push(Access {
                object,
                place,
                is_write,
                is_addition,
                in_view,
                is_mover,
                excludes,
                context,
            });
        }
    }
}
