//! The one way in which an operation says what it accesses.
//!
//! [`Machine::access`] comes before an operation does anything: it decides whether the step ends there,
//! whether the operation is in view, and notes it for the search for conflicts. [`Machine::also`] adds to an
//! operation that is in view already; it decides nothing and cannot fail. Both are inlined into the
//! interpreter, where resource and mode are constants, so that reading a field costs no more than the checks
//! of reading a field.

use super::{Access, FINALS, Place};
use crate::vm::heap::Ref;
use crate::vm::known::StaticField;
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::section::Section;

/// What an operation accesses.
#[derive(Clone, Copy, Debug)]
pub enum Resource {
    /// The field or element of an object at a place that the operation knows.
    Part(Ref, Place),
    /// The field in a slot of an object, or of the class whose mirror the object is.
    Slot(Ref, u32),
    /// Many elements of an array, or all fields of an object.
    Whole(Ref),
    /// The monitor of an object.
    Monitor(Ref),
    /// The threads that wait in the monitor of an object.
    Waiters(Ref),
    /// Whether a thread may go on that parks; the object is the thread.
    Permit(Ref),
    /// Which threads there are: what number the next one gets, and whether only one is left that counts.
    Threads,
    /// The life of the running thread.
    Life,
    /// What was printed.
    Output,
    /// What was printed, through a print stream whose monitor is entered and left for that.
    Stream(Ref),
    /// The numbers that identity hashes are made from.
    Hashes,
    /// A static field of the class library, which may lack it.
    Static(Option<StaticField>),
    /// Nothing yet: the operation is always in view, and adds all that it accesses with [`Machine::also`].
    Listed,
    /// Something that no access can name: the clock, what others are about to do, initialisation of classes.
    /// The operation is always in view, and its step commutes with no other.
    Unlisted,
}

/// How an operation accesses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Reads it.
    Read,
    /// Writes it, or reads and writes it. It is not a final field, or else one that only an initialiser
    /// writes.
    Write,
    /// Writes what may be a final field.
    WriteAny,
    /// Adds to it; the sum is dropped (see `dropped`). Two additions commute.
    Add,
    /// Enters a monitor.
    Enter,
    /// Leaves a monitor.
    Leave,
    /// Waits for a monitor that another thread may hold.
    Await,
    /// Ends.
    End,
}

impl Mode {
    /// Whether the operation changes something.
    #[inline]
    #[must_use]
    pub fn is_write(self) -> bool {
        self != Self::Read
    }
}

impl Machine<'_> {
    /// To be called before an operation does anything, with what it accesses.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before the operation; [`Trap::Blocked`] while another thread holds the
    /// monitor of a [`Resource::Stream`].
    #[inline(always)]
    pub fn access(&mut self, resource: Resource, mode: Mode) -> Exec<()> {
        match (resource, mode) {
            (Resource::Part(object, place), _) => self.access_part(object, place, mode),
            (Resource::Slot(object, slot), _) => self.access_part(object, self.place_of(object, slot), mode),
            (Resource::Whole(object), _) => self.access_part(object, self.whole(object), mode),
            (Resource::Monitor(object), Mode::Enter) => self.enter_in_view(object),
            (Resource::Monitor(object), Mode::Leave) => self.leave_in_view(object),
            (Resource::Monitor(object), Mode::Await) => self.await_in_view(object),
            (Resource::Life, _) => self.end_in_view(),
            (Resource::Stream(stream), _) => self.print_in_view(stream),
            (Resource::Static(Some(field)), _) => {
                let (mirror, slot) = (self.vm.mirror(field.class), self.vm.static_slot(field.slot));
                self.access_part(mirror, self.place_of(mirror, slot), mode)
            }
            (Resource::Listed, _) => self.begin_listed(),
            (Resource::Unlisted | Resource::Static(None), _) => {
                self.step.unlisted = true;
                self.begin_listed()
            }
            (
                Resource::Monitor(_)
                | Resource::Waiters(_)
                | Resource::Permit(_)
                | Resource::Threads
                | Resource::Output
                | Resource::Hashes,
                _,
            ) => match self.named(resource) {
                Some((object, place)) => self.access_part(object, place, mode),
                None => Ok(()),
            },
        }
    }

    /// As [`Machine::access`], for one operation that accesses several things.
    ///
    /// # Errors
    /// As [`Machine::access`].
    pub fn access_group(&mut self, group: &[(Resource, Mode)]) -> Exec<()> {
        let was_closed = self.step.closed;
        let mut is_closed = was_closed;
        for &(resource, mode) in group {
            // No part of an operation ends the step before another part of it.
            self.step.closed = was_closed;
            self.access(resource, mode)?;
            is_closed |= self.step.closed;
        }
        self.step.closed = is_closed;
        Ok(())
    }

    /// To be called by an operation that is in view, for something else that it accesses.
    pub fn also(&mut self, resource: Resource, mode: Mode) {
        let Some((object, place)) = self.named(resource) else {
            self.step.unlisted |= !matches!(resource, Resource::Listed);
            return;
        };
        if mode == Mode::WriteAny && self.is_final(object, place) {
            self.write_final(object);
        }
        if self.is_reachable(object) {
            let context = self.context();
            self.record(object, place, mode, true, context);
            if mode == Mode::Enter {
                self.record_life(object, true, context);
            }
        }
    }

    /// The object and place of a resource that is one thing.
    fn named(&self, resource: Resource) -> Option<(Ref, Place)> {
        let part = |object: Ref, slot: u32| {
            let class = self.process.heap.get(object).class;
            Some((object, Place { slot, ..Place::monitor(class) }))
        };
        match resource {
            Resource::Part(object, place) => Some((object, place)),
            Resource::Slot(object, slot) => Some((object, self.place_of(object, slot))),
            Resource::Whole(object) => Some((object, self.whole(object))),
            Resource::Monitor(object) => part(object, Place::MONITOR),
            Resource::Waiters(object) => part(object, Place::WAITERS),
            Resource::Permit(thread) => part(thread, Place::PERMIT),
            Resource::Threads => Some(self.common(Place::THREADS)),
            Resource::Output => Some(self.common(Place::OUTPUT)),
            Resource::Hashes => Some(self.common(Place::HASHES)),
            Resource::Static(field) => field.map(|field| {
                let (mirror, slot) = (self.vm.mirror(field.class), self.vm.static_slot(field.slot));
                (mirror, self.place_of(mirror, slot))
            }),
            Resource::Life | Resource::Stream(_) | Resource::Listed | Resource::Unlisted => None,
        }
    }

    /// Something that belongs to no object: a part of the class `Object`.
    fn common(&self, slot: u32) -> (Ref, Place) {
        let class = self.vm.known().object;
        (self.vm.mirror(class), Place::array(class, slot))
    }

    /// All fields or elements of an object.
    #[inline]
    fn whole(&self, object: Ref) -> Place {
        Place::array(self.process.heap.get(object).class, Place::ALL).ordinary(true)
    }

    /// The field in a slot of an object, or of the class whose mirror it is.
    #[must_use]
    pub fn place_of(&self, object: Ref, slot: u32) -> Place {
        let vm = self.vm;
        let class = self.process.heap.get(object).class;
        if class == vm.known().class && slot >= vm.known().n_class_slots {
            return Place::field(self.class_of_mirror(object), slot, true);
        }
        // The fields of superclasses come first.
        let mut owner = vm.class(class);
        while let Some(parent) = owner.super_class.map(|id| vm.class(id))
            && (slot as usize) < parent.instance.len()
        {
            owner = parent;
        }
        Place::field(owner.id, slot, false)
    }

    #[inline(always)]
    fn access_part(&mut self, object: Ref, place: Place, mode: Mode) -> Exec<()> {
        // Also if no other thread is left: then it was alive before.
        if !mode.is_write() {
            if self.is_life(object, place) {
                self.observe_life();
            } else if self.is_interrupt_of_another(object, place) {
                self.observe_queues();
            }
        }
        if mode.is_write() && !self.knowledge.observed.is_empty() && self.is_observed(object, place.part()) {
            self.access_observed(object, place, mode)?;
        } else if self.is_reachable(object) {
            self.access_shared(object, place, mode)?;
        } else if self.vm.known().synchronizer == Some(place.class()) {
            self.access_lock_alone(object, place);
        }
        if matches!(mode, Mode::WriteAny | Mode::Add) && self.is_final(object, place) {
            self.write_final(object);
        }
        Ok(())
    }

    /// An access to a field of `AbstractQueuedSynchronizer` that no other thread can make now. One that looks
    /// at a lock counts also if all other threads have ended: it would not be met at all where a step that
    /// ends a thread went on behind a release (see `section`).
    #[cold]
    fn access_lock_alone(&mut self, lock: Ref, place: Place) {
        let is_mover = self.step.section.as_ref().is_some_and(Section::is_mover);
        let is_last = self.process.threads.len() == 1 && self.process.next_thread > 1;
        if is_last && !self.booting && !is_mover && !place.is_monitor() {
            self.look_at_lock(lock);
        }
    }

    /// A write that a property can see (see `property`). It closes the step also where no other thread runs.
    fn access_observed(&mut self, object: Ref, place: Place, mode: Mode) -> Exec<()> {
        let is_reachable = self.is_reachable(object);
        let is_atomic = self.thread().atomic > 0;
        if self.step.closed && !is_atomic {
            return Err(Trap::Stop);
        }
        if is_atomic {
            self.close_section();
        }
        // Nothing that a property reads leads to a new object before a write has closed the step.
        if is_atomic || self.process.heap.is_fresh(object) {
            return if is_reachable { self.access_shared(object, place, mode) } else { Ok(()) };
        }
        self.step.closed = true;
        if is_reachable {
            let context = self.context();
            self.record(object, place, mode, true, context);
        }
        Ok(())
    }

    fn access_shared(&mut self, object: Ref, place: Place, mode: Mode) -> Exec<()> {
        let is_static = place.is_static();
        if !mode.is_write()
            && (is_static || !self.sees_all())
            && self.is_final(object, place)
            && !self.knowledge.racy.contains(&FINALS)
        {
            return Ok(());
        }
        let context = self.context();
        if self.thread().atomic > 0 {
            // No other thread runs between; but others may access the same thing, and must be in view then.
            let in_view = self.step.section.as_ref().is_none_or(|section| section.in_view);
            self.record(object, place, mode, in_view, context);
            return Ok(());
        }
        if self.step.closed {
            return Err(Trap::Stop);
        }
        if self.sees_all() || !self.process.heap.is_fresh(object) {
            self.step.closed = self.is_in_view(context);
            self.record(object, place, mode, self.step.closed, context);
        }
        Ok(())
    }

    /// An operation that is always in view begins.
    #[inline]
    fn begin_listed(&mut self) -> Exec<()> {
        if self.is_concurrent() {
            if self.step.closed {
                return Err(Trap::Stop);
            }
            self.step.closed = true;
        }
        Ok(())
    }

    /// Notes an operation for the search for conflicts.
    pub(super) fn record(&mut self, object: Ref, place: Place, mode: Mode, in_view: bool, context: u64) {
        if self.process.heap.is_fresh(object) {
            return;
        }
        // A section is one operation, and none of those that make races.
        let place = place.ordinary(place.is_ordinary && self.step.section.is_none());
        if self.knowledge.watched == Some(context) && self.step.sighting.is_none() {
            self.step.sighting = Some(self.sight(context));
        }
        let (is_write, is_addition) = (mode.is_write(), mode == Mode::Add);
        let is_mover = self.step.section.as_ref().is_some_and(Section::is_mover);
        if !is_mover && self.vm.known().synchronizer == Some(place.class()) && !place.is_monitor() {
            self.look_at_lock(object);
        }
        let access =
            Access { object, place, is_write, is_addition, in_view, is_mover, excludes: false, context };
        let is_same = |known: &Access| {
            known.object == object
                && known.context == context
                && known.place.slot == place.slot
                && known.is_write == is_write
                && known.is_addition == is_addition
                && known.in_view == in_view
        };
        // A loop does the same again and again.
        if !self.step.accesses.iter().rev().take(8).any(is_same) {
            self.step.accesses.push(access);
        }
    }

    /// Whether the step has an access to something that belongs to no object.
    pub(crate) fn lists(&self, slot: u32) -> bool {
        self.step.accesses.iter().any(|access| access.place.slot == slot)
    }
}
