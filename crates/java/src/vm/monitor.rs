//! Monitors, wait sets, and the life of threads.

use super::heap::Ref;
use super::machine::{Exec, Machine, Trap, exception};
use super::process::{Ended, MAIN_DIED};
use super::step::{Event, Touched};
use super::thread::{Role, Thread, Wait};
use super::view::{Mode, Place, Resource};

/// Values of `Thread.threadStatus`, as the class library reads them.
mod status {
    /// Running or ready to.
    pub(super) const RUNNABLE: u64 = 0x0005;
    /// Done.
    pub(super) const TERMINATED: u64 = 0x0002;
}

impl<'vm> Machine<'vm> {
    /// Enters the monitor of an object.
    ///
    /// # Errors
    /// [`Trap::Blocked`] while another thread holds it, [`Trap::Stop`] if the step ends before it.
    #[inline]
    pub fn enter_monitor(&mut self, object: Ref) -> Exec<()> {
        self.access(Resource::Monitor(object), Mode::Enter)?;
        let me = self.thread().id + 1;
        let owner = self.process.heap.get(object).owner;
        if owner != 0 && owner != me {
            return Err(self.blocked_by(owner - 1));
        }
        let target = self.process.heap.get_mut(object);
        target.owner = me;
        target.count += 1;
        if owner == 0 && self.knowledge.lock_order.is_some() {
            self.note_order(object);
        }
        Ok(())
    }

    /// Leaves the monitor of an object that the running thread holds.
    pub fn leave_monitor(&mut self, object: Ref) {
        let target = self.process.heap.get_mut(object);
        target.count = target.count.saturating_sub(1);
        if target.count == 0 {
            target.owner = 0;
            self.note_release(object);
        }
    }

    /// Whether the running thread holds the monitor of an object.
    #[must_use]
    pub fn holds_monitor(&self, object: Ref) -> bool {
        self.process.heap.get(object).owner == self.thread().id + 1
    }

    fn check_owner(&self, object: Ref) -> Exec<()> {
        if self.holds_monitor(object) {
            return Ok(());
        }
        Err(exception("java/lang/IllegalMonitorStateException", "current thread is not owner"))
    }

    /// `monitorexit`.
    ///
    /// # Errors
    /// If the running thread does not hold the monitor.
    pub fn exit_monitor(&mut self, object: Ref) -> Exec<()> {
        if !self.holds_monitor(object) {
            return Err(Trap::Exception("java/lang/IllegalMonitorStateException", None));
        }
        self.access(Resource::Monitor(object), Mode::Leave)?;
        self.leave_monitor(object);
        Ok(())
    }

    /// `Object.wait`, in as many steps as it takes: into the wait set, out of it, into the monitor again.
    ///
    /// # Errors
    /// What it throws, or why it is not over yet.
    pub fn wait_on(&mut self, object: Ref, millis: i64) -> Exec<()> {
        match self.thread().wait {
            Wait::No => {
                if millis < 0 {
                    return Err(exception("java/lang/IllegalArgumentException", "timeout value is negative"));
                }
                self.check_owner(object)?;
                self.access(Resource::Listed, Mode::Write)?;
                if millis == 0 {
                    self.note_wait("Object.wait");
                }
                self.also(Resource::Monitor(object), Mode::Enter);
                self.also(Resource::Waiters(object), Mode::Write);
                if self.take_interrupt() {
                    return Err(Trap::Exception("java/lang/InterruptedException", None));
                }
                let target = self.process.heap.get_mut(object);
                let count = target.count;
                target.owner = 0;
                target.count = 0;
                self.note_release(object);
                self.thread_mut().wait = Wait::Waiting { object, count, timed: millis > 0 };
                Err(Trap::Yield)
            }
            Wait::Waiting { object, count, timed } => {
                let interrupted = self.sees_interrupt();
                let is_spurious = !interrupted && self.ends_spuriously(timed);
                if !interrupted && !timed && !is_spurious {
                    return Err(Trap::Blocked);
                }
                if !interrupted && !is_spurious {
                    self.pass_time()?;
                    self.advance_clock((millis as u64).saturating_mul(1_000_000));
                }
                self.thread_mut().wait = Wait::Woken { object, count, interrupted };
                Err(Trap::Yield)
            }
            Wait::Woken { object, count, interrupted } => {
                self.also(Resource::Monitor(object), Mode::Enter);
                self.step.has_entered = true;
                let owner = self.process.heap.get(object).owner;
                if owner != 0 {
                    return Err(self.blocked_by(owner - 1));
                }
                let me = self.thread().id + 1;
                let target = self.process.heap.get_mut(object);
                target.owner = me;
                target.count = count;
                self.thread_mut().wait = Wait::No;
                if self.knowledge.lock_order.is_some() {
                    self.note_order(object);
                }
                if interrupted {
                    self.take_interrupt();
                    self.step.closed = true;
                    return Err(Trap::Exception("java/lang/InterruptedException", None));
                }
                Ok(())
            }
        }
    }

    /// `Object.notify`: any one of the waiting threads, or all.
    ///
    /// # Errors
    /// If the running thread does not hold the monitor.
    pub fn notify(&mut self, object: Ref, all: bool) -> Exec<()> {
        self.check_owner(object)?;
        self.access(Resource::Listed, Mode::Write)?;
        self.also(Resource::Waiters(object), Mode::Write);
        self.wake(object, all);
        Ok(())
    }

    fn wake(&mut self, object: Ref, all: bool) {
        let is_waiting =
            |thread: &Thread<'_>| matches!(thread.wait, Wait::Waiting { object: on, .. } if on == object);
        let waiting: Vec<usize> =
            (0..self.process.threads.len()).filter(|&idx| is_waiting(&self.process.threads[idx])).collect();
        if waiting.is_empty() {
            return;
        }
        if all {
            waiting.into_iter().for_each(|idx| self.wake_one(idx));
        } else {
            let chosen = self.choose(waiting.len() as u32) as usize;
            self.wake_one(waiting[chosen]);
        }
    }

    fn wake_one(&mut self, idx: usize) {
        if let Wait::Waiting { object, count, .. } = self.process.threads[idx].wait {
            self.touch_thread(idx);
            self.process.threads[idx].wait = Wait::Woken { object, count, interrupted: false };
        }
    }

    /// Whether a thread's interrupt flag is set.
    #[must_use]
    pub fn is_interrupted(&self, thread: Ref) -> bool {
        self.process.heap.slot(thread, self.vm.known().thread_interrupted) != 0
    }

    /// An operation in view looks at or changes a thread's interrupt flag.
    pub fn note_interrupt(&mut self, thread: Ref, is_write: bool) {
        let slot = self.vm.known().thread_interrupted;
        self.also(Resource::Slot(thread, slot), if is_write { Mode::Write } else { Mode::Read });
    }

    /// Whether the running thread's interrupt flag is set.
    fn sees_interrupt(&mut self) -> bool {
        let object = self.thread().object;
        self.note_interrupt(object, false);
        self.is_interrupted(object)
    }

    /// Clears the running thread's interrupt flag and tells whether it was set. Part of an operation in view.
    pub fn take_interrupt(&mut self) -> bool {
        let object = self.thread().object;
        let was = self.is_interrupted(object);
        self.note_interrupt(object, was);
        if was {
            self.process.heap.set_slot(object, self.vm.known().thread_interrupted, 0);
        }
        was
    }

    /// `LockSupport.park`: until there is a permit, an interrupt, or (if it has a limit) any time.
    ///
    /// # Errors
    /// [`Trap::Blocked`] until then.
    pub fn park(&mut self, absolute: bool, time: i64) -> Exec<()> {
        self.access(Resource::Listed, Mode::Write)?;
        self.observe_queues();
        self.also(Resource::Permit(self.thread().object), Mode::Write);
        if self.thread().permit {
            self.thread_mut().permit = false;
            return Ok(());
        }
        if self.sees_interrupt() {
            return Ok(());
        }
        let is_timed = absolute || time != 0;
        if !is_timed {
            self.note_wait("LockSupport.park");
        }
        if self.ends_spuriously(is_timed) {
            return Ok(());
        }
        if !is_timed {
            return Err(Trap::Blocked);
        }
        // It ran out of time.
        self.pass_time()?;
        if absolute {
            let millis = time.saturating_sub(crate::native::system::EPOCH_MILLIS).max(0) as u64;
            self.advance_clock_to(millis.saturating_mul(1_000_000));
        } else {
            self.advance_clock(time.max(0) as u64);
        }
        Ok(())
    }

    /// A thread is about to go on because time has passed.
    ///
    /// # Errors
    /// [`Trap::Blocked`] if time stands still as long as anybody else can go on.
    pub fn pass_time(&mut self) -> Exec<()> {
        self.step.unlisted = true;
        if self.timeless && !self.booting { Err(Trap::Blocked) } else { Ok(()) }
    }

    /// `LockSupport.unpark`.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before it.
    pub fn unpark(&mut self, thread: Ref) -> Exec<()> {
        self.access(Resource::Listed, Mode::Write)?;
        self.also(Resource::Permit(thread), Mode::Write);
        self.give_permit(thread);
        Ok(())
    }

    /// Lets a thread go on that parks, now or next. Interrupting one does that too. Part of an operation in
    /// view.
    pub fn give_permit(&mut self, thread: Ref) {
        if let Some(idx) = self.thread_of(thread) {
            self.touch_thread(idx);
            self.process.threads[idx].permit = true;
        }
    }

    /// Starts the thread of a `java.lang.Thread` object.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before it.
    pub fn start_thread(&mut self, object: Ref) -> Exec<()> {
        self.access(Resource::Listed, Mode::Write)?;
        self.also(Resource::Threads, Mode::Write);
        // A permit that it was given before is lost.
        self.also(Resource::Permit(object), Mode::Write);
        if self.process.threads.len() >= MAX_THREADS {
            let message =
                "unable to create native thread: possibly out of memory or process/resource limits reached";
            return Err(exception("java/lang/OutOfMemoryError", message));
        }
        let run = self.vm.known().thread_run;
        let method = self.select(self.process.heap.get(object).class, run)?;
        self.share(object);
        let id = self.process.next_thread;
        self.process.next_thread += 1;
        for (object, place) in self.places_of_life(object) {
            self.also(Resource::Part(object, place), Mode::Write);
        }
        self.set_thread_status(object, status::RUNNABLE, u64::from(id) + 1);
        self.process.threads.push(Thread::new(id, object));
        let starter = std::mem::replace(&mut self.step.current, self.process.threads.len() - 1);
        let pushed = if method.is_synchronized() || method.is_native() {
            // The new thread itself must enter the monitor, in a step of its own.
            let begin = self.vm.natives.begin(&self.vm.classes, run);
            self.push_frame(self.vm.classes.method(begin), &[u64::from(object)], Role::Plain)
        } else {
            self.push_frame(method, &[u64::from(object)], Role::Plain)
        };
        self.step.current = starter;
        pushed?;
        self.step.events.push(Event::Started(id));
        // Also for the first thread that is started: from here on somebody else runs.
        self.step.closed = true;
        Ok(())
    }

    /// The running thread has no frames left.
    ///
    /// # Errors
    /// None; the type is that of an operation.
    pub fn end_thread(&mut self) -> Exec<()> {
        if self.booting {
            // The boot thread waits for the next call.
            return Err(Trap::Yield);
        }
        if self.ends_with_this() {
            self.end_process_with_main();
            return Err(Trap::Yield);
        }
        let object = self.thread().object;
        if self.is_last() && self.has_shutdown_hooks() {
            // The last thread runs the hooks before the process ends.
            if let Some(shutdown) = self.vm.classes.find_method("java/lang/Shutdown", "shutdown", "()V") {
                return self.push_frame(self.vm.classes.method(shutdown), &[], Role::Detached);
            }
        }
        let counts = |thread: &&Thread<'_>| !self.is_daemon(thread.object);
        if self.process.threads.iter().filter(counts).count() < 3 {
            // Then it matters to the end of another one whether this one has ended.
            self.also(Resource::Threads, Mode::Write);
        }
        // Those who are left alone notice that.
        self.step.unlisted |= self.process.threads.len() < 3;
        self.also(Resource::Waiters(object), Mode::Write);
        self.set_thread_status(object, status::TERMINATED, 0);
        for &slot in &self.vm.known().thread_cleared {
            self.process.heap.set_slot(object, slot, 0);
        }
        self.wake(object, true);
        self.process.threads.remove(self.step.current);
        self.step.current = usize::MAX;
        if !self.process.threads.iter().any(|thread| !self.is_daemon(thread.object)) {
            self.process.ended = Ended::Exit(i32::from(self.process.died & MAIN_DIED != 0));
            self.process.threads.clear();
            self.end_sockets();
        }
        Err(Trap::Yield)
    }

    /// Whether the program asked for something to be run at its end, and nobody has begun with that.
    fn has_shutdown_hooks(&self) -> bool {
        let hooks = self.known_static(self.vm.known().shutdown_hooks) as Ref;
        hooks != 0 && self.process.heap.slot(hooks, self.vm.known().n_hooks) != 0
    }

    /// Whether the process ends with the running thread.
    pub fn is_last(&self) -> bool {
        let object = self.thread().object;
        self.process.threads.iter().all(|thread| thread.object == object || self.is_daemon(thread.object))
    }

    /// Where it can be seen whether a thread lives, but for its monitor.
    pub fn places_of_life(&self, object: Ref) -> [(Ref, Place); 2] {
        let (known, holder) = (self.vm.known(), self.status_holder(object));
        [
            (object, self.place_of(object, known.thread_eetop)),
            (holder, self.place_of(holder, known.thread_status)),
        ]
    }

    /// Whether a thread runs, or has ended.
    pub fn is_started(&self, thread: Ref) -> bool {
        self.process.heap.slot(self.status_holder(thread), self.vm.known().thread_status) != 0
    }

    /// The object that has a thread's status and daemon flag.
    pub(super) fn status_holder(&self, thread: Ref) -> Ref {
        self.vm.known().thread_holder.map_or(thread, |slot| self.process.heap.slot(thread, slot) as Ref)
    }

    /// Notes in a `java.lang.Thread` object what became of it.
    pub fn set_thread_status(&mut self, object: Ref, status: u64, handle: u64) {
        let known = self.vm.known();
        let holder = self.status_holder(object);
        self.process.heap.set_slot(object, known.thread_eetop, handle);
        self.process.heap.set_slot(holder, known.thread_status, status);
    }

    /// Whether the process may end while a thread runs.
    #[must_use]
    pub fn is_daemon(&self, object: Ref) -> bool {
        self.process.heap.slot(self.status_holder(object), self.vm.known().thread_daemon) != 0
    }

    /// A thread other than the running one is about to be changed.
    pub fn touch_thread(&mut self, idx: usize) {
        if idx != self.step.current && !self.booting {
            let Thread { id, wait, permit, seen, .. } = self.process.threads[idx];
            self.step.touched_threads.push(Touched { id, wait, permit, seen });
        }
    }
}

/// More threads at a time are refused as a real machine would.
const MAX_THREADS: usize = 4_096;
