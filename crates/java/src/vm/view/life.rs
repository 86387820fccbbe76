//! Monitors, the ends of threads, and output through a stream's monitor: operations with rules of their own
//! for where a step ends.

use super::{LIFE_OBSERVER, Mode, Place, Resource};
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap};

impl Machine<'_> {
    /// Whether a field tells whether a thread is alive.
    #[inline]
    pub(super) fn is_life(&self, object: Ref, place: Place) -> bool {
        let known = self.vm.known();
        if place.class() == known.thread {
            // Its end does that, which is not near before its start.
            let is_cleared = || {
                known.thread_cleared.contains(&place.slot)
                    && object != self.thread().object
                    && self.is_started(object)
            };
            return place.slot == known.thread_eetop || place.slot == known.thread_status || is_cleared();
        }
        known.thread_holder.is_some()
            && place.slot == known.thread_status
            && self.vm.classes.name(self.process.heap.get(object).class) == "java/lang/Thread$FieldHolder"
    }

    /// Whether a field says whether another thread is interrupted.
    #[inline]
    pub(super) fn is_interrupt_of_another(&self, object: Ref, place: Place) -> bool {
        let known = self.vm.known();
        place.slot == known.thread_interrupted
            && place.class() == known.thread
            && !self.booting
            && object != self.thread().object
    }

    /// The monitor of an object is about to be entered.
    #[inline]
    pub(super) fn enter_in_view(&mut self, object: Ref) -> Exec<()> {
        if self.is_thread(object) {
            self.observe_life();
        }
        if self.is_reachable(object) { self.enter_shared(object) } else { Ok(()) }
    }

    fn enter_shared(&mut self, object: Ref) -> Exec<()> {
        let context = self.context();
        let place = Place::monitor(self.process.heap.get(object).class);
        if self.thread().atomic > 0 {
            self.observe_everything();
            self.record(object, place, Mode::Enter, true, context);
            return Ok(());
        }
        let in_view = self.is_in_view(context);
        if self.step.closed || in_view && self.step.has_entered {
            return Err(Trap::Stop);
        }
        self.record(object, place, Mode::Enter, in_view, context);
        self.record_life(object, in_view, context);
        if in_view {
            self.step.has_entered = true;
            self.step.closed = self.sees_all();
        }
        Ok(())
    }

    /// The monitor of an object is about to be left.
    #[inline]
    pub(super) fn leave_in_view(&mut self, object: Ref) -> Exec<()> {
        if self.is_reachable(object) {
            if self.step.closed && self.thread().atomic == 0 && self.sees_all() {
                return Err(Trap::Stop);
            }
            let context = self.context();
            let in_view = self.thread().atomic > 0 || self.is_in_view(context);
            let place = Place::monitor(self.process.heap.get(object).class);
            self.record(object, place, Mode::Leave, in_view, context);
            self.record_life(object, in_view, context);
            self.step.closed |= in_view;
        }
        Ok(())
    }

    /// An operation has to wait while another thread holds the monitor of an object.
    pub(super) fn await_in_view(&mut self, object: Ref) -> Exec<()> {
        // Also if the step ends before it: without the need to wait the operation may be one that does not
        // end it.
        self.step.unlisted = true;
        if self.is_concurrent() && self.step.has_entered {
            return Err(Trap::Stop);
        }
        self.access(Resource::Unlisted, Mode::Write)?;
        self.also(Resource::Monitor(object), Mode::Write);
        Ok(())
    }

    /// The end of a thread can be reported to threads that use its monitor.
    pub(super) fn record_life(&mut self, object: Ref, in_view: bool, context: u64) {
        if self.is_thread(object) {
            let life = Place::life(self.process.heap.get(object).class);
            self.record(object, life, Mode::Read, in_view, context);
        }
    }

    fn is_thread(&self, object: Ref) -> bool {
        !self.booting && self.vm.class(self.process.heap.get(object).class).is_below(self.vm.known().thread)
    }

    /// The running thread is about to end. Like leaving a monitor, that lets others go on, and hinders none;
    /// unless a thread asks whether another one is alive, or waits in its monitor for it to end: then all
    /// ends are in view.
    pub(super) fn end_in_view(&mut self) -> Exec<()> {
        if self.is_last() {
            self.begin_end()?;
        }
        if !self.is_concurrent() {
            return Ok(());
        }
        let object = self.thread().object;
        let context = self.context();
        let in_view =
            self.is_last() || self.knowledge.racy.contains(&LIFE_OBSERVER) || self.is_in_view(context);
        if in_view {
            if self.step.closed || self.step.has_entered {
                return Err(Trap::Stop);
            }
            self.step.closed = true;
            // What others print from now on is lost.
            self.also(Resource::Output, Mode::Write);
        }
        let life = Place::life(self.process.heap.get(object).class);
        self.record(object, life, Mode::End, in_view, context);
        for (object, place) in self.places_of_life(object) {
            self.record(object, place, Mode::End, in_view, context);
        }
        if in_view {
            // A thread that reads them of another one asks whether that is alive.
            for &slot in &self.vm.known().thread_cleared {
                self.record(object, self.place_of(object, slot), Mode::End, true, context);
            }
        }
        Ok(())
    }

    /// Something is about to be printed through a stream whose monitor is entered and left for that.
    pub(super) fn print_in_view(&mut self, stream: Ref) -> Exec<()> {
        let owner = self.process.heap.get(stream).owner;
        if owner != 0 && owner != self.thread().id + 1 {
            self.await_in_view(stream)?;
            return Err(Trap::Blocked);
        }
        self.access(Resource::Output, Mode::Write)?;
        if self.is_reachable(stream) {
            let context = self.context();
            let in_view = self.thread().atomic > 0 || self.is_in_view(context);
            let place = Place::monitor(self.process.heap.get(stream).class);
            self.record(stream, place, Mode::Write, in_view, context);
        }
        Ok(())
    }
}
