//! What other threads are about to do, for a thread that asks: `Thread.getState` and its like.
//!
//! A thread that is about to do something it has to wait for may have begun to wait or not, and a program can
//! see which. So each answer that is possible is a choice of the thread that asks. Once a thread was seen to
//! wait it goes on to do so until it need not; and one that waited for a monitor waits until it has entered
//! it. What was seen is a part of the state ([`Seen`]), kept only where some thread asks at all.

use super::heap::Ref;
use super::machine::Machine;
use super::thread::{Seen, Wait};
use crate::class::code::Op;
use crate::class::pool::Resolved;

/// `threadStatus` of a thread that runs or is ready to.
const RUNNABLE: u64 = 0x5;
/// `threadStatus` of a thread that waits without a limit.
const WAITING: u64 = 0x10;
/// `threadStatus` of a thread that only waits for time to pass, or may stop waiting then.
pub const TIMED: u64 = 0x20;
/// `threadStatus` of a thread that waits for a monitor.
const BLOCKED: u64 = 0x400;

/// Something that a thread is about to do and may have to wait for.
struct Pending {
    /// Its status while it waits.
    status: u64,
    /// Whether it has to wait now.
    must_wait: bool,
    /// The monitor it is about to enter, or `null`.
    monitor: Ref,
}

impl Machine<'_> {
    /// The status of a thread, for the running one that asks. Part of an operation in view.
    pub fn state_of(&mut self, object: Ref) -> u64 {
        match self.thread_of(object) {
            Some(idx) if idx == self.step.current => RUNNABLE,
            Some(idx) => {
                self.observe_threads();
                self.observed_state(idx)
            }
            None => {
                self.observe_life();
                self.status_of(object)
            }
        }
    }

    /// The status of a thread that has begun to do what it is about to do.
    #[must_use]
    pub fn status_of(&self, object: Ref) -> u64 {
        let Some(idx) = self.thread_of(object) else {
            return self.process.heap.slot(self.status_holder(object), self.vm.known().thread_status);
        };
        match (self.settled(idx), self.pending(idx)) {
            (Some(status), _) => status,
            (None, Some(Pending { status, must_wait: true, .. })) => status,
            _ => RUNNABLE,
        }
    }

    /// The status of another thread, as it may be.
    fn observed_state(&mut self, idx: usize) -> u64 {
        if let Some(status) = self.settled(idx) {
            return status;
        }
        let Some(Pending { status, must_wait, .. }) = self.pending(idx) else { return RUNNABLE };
        let seen = self.process.threads[idx].seen;
        if seen == Seen::Yes && (must_wait || status == BLOCKED) {
            return status;
        }
        let is_possible = must_wait || seen != Seen::No;
        if !is_possible || self.choose(2) == 1 {
            return RUNNABLE;
        }
        self.touch_thread(idx);
        self.process.threads[idx].seen = Seen::Yes;
        status
    }

    /// The status of a thread in `Object.wait`, about which there is no doubt.
    fn settled(&self, idx: usize) -> Option<u64> {
        match self.process.threads[idx].wait {
            Wait::Waiting { timed: false, .. } => Some(WAITING),
            Wait::Waiting { timed: true, .. } => Some(TIMED),
            Wait::Woken { .. } => Some(BLOCKED),
            Wait::No => None,
        }
    }

    fn pending(&self, idx: usize) -> Option<Pending> {
        let thread = &self.process.threads[idx];
        let frame = thread.frames.last()?;
        let monitor = |lock: Ref| {
            let owner = if lock == 0 { 0 } else { self.process.heap.get(lock).owner };
            Some(Pending { status: BLOCKED, must_wait: owner != 0 && owner != thread.id + 1, monitor: lock })
        };
        let other = |status, must_wait| Some(Pending { status, must_wait, monitor: 0 });
        let called = match frame.code.ops[frame.pc as usize] {
            Op::MonitorEnter => return monitor(thread.peek(0) as Ref),
            Op::InvokeVirtual(at)
            | Op::InvokeStatic(at)
            | Op::InvokeSpecial(at)
            | Op::InvokeInterface(at) => at,
            _ => return None,
        };
        let class = self.vm.class(frame.method.class);
        let Some(Resolved::Method(found)) = class.pool.resolved(called) else { return None };
        let classes = &self.vm.classes;
        let method = classes.method(found.method);
        match (classes.name(method.class), &**classes.symbols.text(method.name)) {
            ("jdk/internal/misc/Unsafe", "park") => {
                other(if thread.peek(1) == 0 { WAITING } else { TIMED }, !thread.permit)
            }
            ("java/lang/Thread", "sleep" | "sleepNanos0") => other(TIMED, true),
            ("java/lang/Thread", "join") => other(WAITING, self.thread_of(thread.peek(2) as Ref).is_some()),
            _ if method.is_synchronized() && method.is_static() => monitor(self.vm.mirror(method.class)),
            _ if method.is_synchronized() => monitor(thread.peek(u32::from(found.n_args) - 1) as Ref),
            _ => None,
        }
    }

    /// A monitor becomes free: threads that are about to enter it may have tried in vain, and are blocked
    /// until they have it.
    pub(super) fn note_release(&mut self, monitor: Ref) {
        if self.booting || self.process.threads.len() == 1 || !self.are_threads_observed() {
            return;
        }
        for idx in 0..self.process.threads.len() {
            let is_new = idx != self.step.current
                && self.process.threads[idx].seen == Seen::No
                && self.settled(idx).is_none();
            if is_new && self.pending(idx).is_some_and(|pending| pending.monitor == monitor) {
                self.touch_thread(idx);
                self.process.threads[idx].seen = Seen::Maybe;
            }
        }
    }
}
