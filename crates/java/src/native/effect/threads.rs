//! What a native method can do to threads: start them, wait, wake, interrupt and look at them. What these
//! access is said by the operations of the machine (`vm::monitor`) or here.

use super::{Fixed, SharedView};
use crate::class::MethodId;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception};
use crate::vm::thread::Role;
use crate::vm::view::{Mode, Resource};

/// Where a thread is: methods and places, the innermost first.
pub type Stack = Vec<(MethodId, u32)>;

impl SharedView<'_, '_> {
    /// `LockSupport.park`.
    ///
    /// # Errors
    /// As `Machine::park`.
    pub fn park(&mut self, absolute: bool, time: i64) -> Exec<()> {
        self.m.park(absolute, time)
    }

    /// Notes that the program waits for a condition without a limit, if the wait is not in a loop.
    pub fn note_wait(&mut self, method: &'static str) {
        self.m.note_wait(method);
    }

    /// Whether the wait for a condition that is about to begin ends spuriously: a choice.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn ends_spuriously(&mut self) -> Exec<bool> {
        if !self.m.may_wake_spuriously() {
            return Ok(false);
        }
        self.m.access(Resource::Unlisted, Mode::Write)?;
        let ends = self.m.choose(2) == 1;
        if ends {
            self.m.wake_spuriously();
        }
        Ok(ends)
    }

    /// `LockSupport.unpark`.
    ///
    /// # Errors
    /// As `Machine::unpark`.
    pub fn unpark(&mut self, thread: Ref) -> Exec<()> {
        self.m.unpark(thread)
    }

    /// `Object.wait`.
    ///
    /// # Errors
    /// As `Machine::wait_on`.
    pub fn wait_on(&mut self, object: Ref, millis: i64) -> Exec<()> {
        self.m.wait_on(object, millis)
    }

    /// `Object.notify`, or `notifyAll`.
    ///
    /// # Errors
    /// As `Machine::notify`.
    pub fn notify(&mut self, object: Ref, all: bool) -> Exec<()> {
        self.m.notify(object, all)
    }

    /// Starts the thread of an object.
    ///
    /// # Errors
    /// As `Machine::start_thread`.
    pub fn start_thread(&mut self, object: Ref) -> Exec<()> {
        self.m.start_thread(object)
    }

    /// `Thread.start` where that is synchronized: all of it is one operation.
    ///
    /// # Errors
    /// What it throws, or why it does not happen now.
    pub fn start_under_monitor(&mut self, object: Ref) -> Exec<()> {
        let owner = self.m.process.heap.get(object).owner;
        if owner != 0 && owner != self.m.thread().id + 1 {
            self.m.access(Resource::Monitor(object), Mode::Await)?;
            return Err(Trap::Blocked);
        }
        if self.m.is_started(object) {
            self.m.access(Resource::Unlisted, Mode::Write)?;
            return Err(Trap::Exception("java/lang/IllegalThreadStateException", None));
        }
        self.m.start_thread(object)?;
        self.m.also(Resource::Monitor(object), Mode::Write);
        Ok(())
    }

    /// Sleeps for this many nanoseconds.
    ///
    /// # Errors
    /// `InterruptedException`, or why it is not over yet.
    pub fn sleep(&mut self, nanos: u64) -> Exec<()> {
        self.m.access(Resource::Unlisted, Mode::Write)?;
        if self.m.take_interrupt() {
            return Err(exception("java/lang/InterruptedException", "sleep interrupted"));
        }
        self.m.pass_time()?;
        self.m.advance_clock(nanos);
        Ok(())
    }

    /// `Thread.join` without a limit: what its loop of waiting in the thread's monitor comes to, as one
    /// operation.
    ///
    /// # Errors
    /// `InterruptedException`, or why it is not over yet.
    pub fn join(&mut self, object: Ref) -> Exec<()> {
        if self.m.is_interrupted(self.this_thread()) {
            // Then it makes a difference whether the other one has ended.
            self.m.observe_life();
        }
        let is_free = self.m.process.heap.get(object).owner == 0;
        if is_free && self.m.thread_of(object).is_none() {
            // Once it has ended nothing can change that: only the use of its monitor can be in conflict with
            // anything.
            return self.m.access(Resource::Monitor(object), Mode::Write);
        }
        self.m.access(Resource::Monitor(object), Mode::Await)?;
        if is_free && self.m.take_interrupt() {
            return Err(Trap::Exception("java/lang/InterruptedException", None));
        }
        Err(Trap::Blocked)
    }

    /// `Thread.interrupt` of the running thread, or of one that does not run yet or no more: only its flag is
    /// set. `false` if the thread is another one that runs, or something wants to be told.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn interrupt_quietly(&mut self, object: Ref) -> Exec<bool> {
        let is_other = object != self.this_thread() && self.m.thread_of(object).is_some();
        if is_other {
            // Where the step ends depends on whether that thread still runs.
            self.m.step.unlisted = true;
            return Ok(false);
        }
        let blocker = self.vm.known().thread_blocker;
        let flag = self.vm.known().thread_interrupted;
        if let Some(slot) = blocker.filter(|&slot| self.m.process.heap.slot(object, slot) != 0) {
            self.m.access(Resource::Slot(object, slot), Mode::Read)?;
            return Ok(false);
        }
        self.m.access(Resource::Unlisted, Mode::Write)?;
        if let Some(slot) = blocker {
            self.m.also(Resource::Slot(object, slot), Mode::Read);
        }
        self.m.also(Resource::Slot(object, flag), Mode::Write);
        self.m.process.heap.set_slot(object, flag, 1);
        self.m.give_permit(object);
        Ok(true)
    }

    /// Clears the running thread's interrupt flag; gives what it was.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn clear_interrupt(&mut self) -> Exec<bool> {
        let (object, flag) = (self.this_thread(), self.vm.known().thread_interrupted);
        let was = self.m.process.heap.slot(object, flag) != 0;
        self.m.access(Resource::Slot(object, flag), if was { Mode::Write } else { Mode::Read })?;
        if was {
            self.m.process.heap.set_slot(object, flag, 0);
        }
        Ok(was)
    }

    /// What `Thread.getState` says of a thread, in the numbers of `threadStatus`.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn thread_state(&mut self, object: Ref) -> Exec<u64> {
        self.m.access(Resource::Unlisted, Mode::Read)?;
        Ok(self.m.state_of(object))
    }

    /// The live threads.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn live_threads(&mut self) -> Exec<Vec<Ref>> {
        self.m.access(Resource::Unlisted, Mode::Read)?;
        self.m.observe_threads();
        Ok(self.m.process.threads.iter().map(|thread| thread.object).collect())
    }

    /// Where threads are; `None` for those that are not alive. Commutes with nothing that another
    /// thread does.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn stacks(&mut self, threads: &[Ref]) -> Exec<Vec<Option<Stack>>> {
        self.m.access(Resource::Unlisted, Mode::Write)?;
        self.m.observe_threads();
        let alive = &self.m.process.threads;
        let stack = |&object: &Ref| {
            let thread = alive.iter().find(|thread| thread.object == object)?;
            let frames = thread.frames.iter().rev().filter(|frame| {
                let is_nothing = frame.method.id == self.vm.natives.nothing(&self.vm.classes);
                !frame.method.is_made() && !is_nothing && frame.role != Role::FreshInitializer
            });
            Some(frames.map(|frame| (frame.method.id, frame.pc)).collect())
        };
        Ok(threads.iter().map(stack).collect())
    }

    /// The live threads of a group, and of groups in it if `deep`.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn members(&mut self, group: Ref, deep: bool) -> Exec<Vec<Ref>> {
        let mut found = self.live_threads()?;
        let group_slot = self.vm.classes.slot("java/lang/Thread", "group");
        found.retain(|&thread| {
            // An ending thread clears this field, and where live threads are looked at all of that is in
            // view.
            let mut at = group_slot.map_or(0, |slot| self.m.process.heap.slot(thread, slot) as Ref);
            while at != 0 && at != group && deep {
                at = self.fixed(at, Fixed::GroupParent).unwrap_or(0) as Ref;
            }
            group_slot.is_some() && at == group
        });
        Ok(found)
    }

    /// An exception that no handler catches: reports it, unless a handler of the program takes it or the
    /// program has its own say in how it is printed; `false` if the method's own code is to run.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before that.
    pub fn report_uncaught(&mut self, group: Ref, thread: Ref, thrown: Ref) -> Exec<bool> {
        let handler = Resource::Static(self.vm.known().default_handler);
        if self.m.known_static(self.vm.known().default_handler) != 0 {
            self.m.access(handler, Mode::Read)?;
            return Ok(false);
        }
        let parts = self.m.reported_with(thrown);
        let parts = parts.into_iter().map(|part| (part, usize::MAX >> 8, Mode::Read));
        // Where others can change an exception while it is printed, the library's own code prints it.
        let prints_itself = self.m.prints_itself(thrown) || self.m.is_seen_in_parts(parts);
        if prints_itself && self.fixed(group, Fixed::GroupParent).is_ok_and(|parent| parent != 0) {
            // The outermost group prints.
            return Ok(false);
        }
        self.m.access(Resource::Unlisted, Mode::Write)?;
        if self.vm.known().default_handler.is_some() {
            self.m.also(handler, Mode::Read);
        }
        let name = self.vm.known().thread_name;
        self.m.also(Resource::Slot(thread, name), Mode::Read);
        for reported in self.m.reported_with(thrown) {
            self.m.also(Resource::Whole(reported), Mode::Read);
        }
        self.m.report_uncaught(thread, thrown);
        Ok(!prints_itself)
    }
}
