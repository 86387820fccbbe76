//! Spurious wake-ups: waits of the program that end without a reason, as the Java platform allows.
//!
//! `Object.wait`, `LockSupport.park` and `Condition.await` may return although no notification, permit,
//! signal, interrupt or time-out ended them. With [`Options::spurious`](super::Options::spurious) up to that
//! many waits of a run do. A spurious return of `wait` or `park` is a step of the waiting thread; one of
//! `await` is chosen when the condition is about to wait: the lock is released and acquired again, which is
//! what any later spurious return comes to, because a signal that another thread sends in between would end
//! the wait and not be lost.
//!
//! Waits of the class library on its own behalf (`Thread.join`, queues, locks) are left alone: they test what
//! they wait for in a loop, so a spurious return changes nothing that the program can see.
//!
//! A thread that only a spurious wake-up can let go on still counts as stuck: no such wake-up has to come.
//!
//! Without the option, untimed waits of the program that are not in a loop are noted, by their places.

use super::machine::Machine;
use super::step::Event;
use super::thread::Frame;
use crate::class::code::{Code, Op};
use crate::class::maps::successors;
use crate::class::pool::Constant;
use crate::class::{Class, Loader};
use crate::inputs::GO_BETWEENS;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Classes through which a program waits.
const WAITING: &[&str] = &[
    "java/lang/BaseVirtualThread",
    "java/lang/System$",
    "java/lang/ThreadBuilders",
    "java/lang/VirtualThread",
    "java/util/concurrent/locks/LockSupport",
    "jdk/internal/misc/",
    "sun/misc/Unsafe",
];

/// A wait of the program that is not in a loop.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnguardedWait {
    /// The source file, or the class if that is not known.
    pub file: String,
    /// The line, or zero.
    pub line: u32,
    /// The method that waits.
    pub method: &'static str,
}

/// The waits that are not in a loop, as far as all workers have seen.
#[derive(Debug, Default)]
pub struct UnguardedWaits(Mutex<BTreeSet<UnguardedWait>>);

impl UnguardedWaits {
    /// All of them, in the order of their places.
    pub(crate) fn seen(&self) -> Vec<UnguardedWait> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn add(&self, wait: UnguardedWait) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(wait);
    }
}

impl<'vm> Machine<'vm> {
    /// Whether a wait that the running thread is in, or about to begin, may end spuriously.
    pub(crate) fn may_wake_spuriously(&self) -> bool {
        let is_left = self.process.n_spurious < self.options.spurious;
        // A body that is one step is not woken in the middle.
        is_left && !self.booting && self.thread().atomic == 0 && self.is_wait_of_program()
    }

    /// Whether a wait that the running thread is in ends spuriously now, and not by time if it is `timed`.
    pub(crate) fn ends_spuriously(&mut self, timed: bool) -> bool {
        // A step that has come to an untimed wait ends there first, for the wait may last.
        let is_possible = (timed || !self.step.progress) && self.may_wake_spuriously();
        let ends = is_possible && (!timed || self.choose(2) == 1);
        if ends {
            self.step.is_last_resort = !timed;
            self.wake_spuriously();
        }
        ends
    }

    /// A wait of the running thread ends spuriously.
    pub(crate) fn wake_spuriously(&mut self) {
        self.process.n_spurious += 1;
        // The number of those that are left is the same for all threads.
        self.step.unlisted = true;
        let place = crate::explain::place_of(self, self.thread());
        self.step.events.push(Event::Spurious(place));
    }

    /// The program's own frame that waits, if it is not the class library that does.
    fn is_wait_of_program(&self) -> bool {
        self.waiting_frame().is_some()
    }

    /// The place of the program's own frame that waits.
    fn waiting_frame(&self) -> Option<usize> {
        let frames = &self.thread().frames;
        let is_passed = |frame: &Frame<'_>| {
            let class = self.vm.class(frame.method.class);
            let name = self.vm.classes.name(class.id);
            class.loader == Loader::Boot
                && WAITING.iter().chain(GO_BETWEENS).any(|passed| name.starts_with(passed))
        };
        let at = frames.iter().rposition(|frame| !is_passed(frame))?;
        (self.vm.class(frames[at].method.class).loader == Loader::App).then_some(at)
    }

    /// The running thread is about to wait without a time limit: notes that if the wait is not in a loop.
    pub(crate) fn note_wait(&mut self, method: &'static str) {
        let Some(waits) = self.knowledge.unguarded.filter(|_| !self.booting && self.options.spurious == 0)
        else {
            return;
        };
        let context = self.context();
        if !self.caches.known_waits.insert(context) {
            return;
        }
        let Some(at) = self.waiting_frame().filter(|&at| !self.is_rechecked(at)) else { return };
        let frame = &self.thread().frames[at];
        let (file, line) = self
            .place(frame.method, frame.pc)
            .unwrap_or_else(|| (self.vm.classes.java_name(frame.method.class), 0));
        waits.add(UnguardedWait { file, line, method });
    }

    /// Whether a wait in the frame at `at` is in a loop: in that method, or in one of the program's that
    /// called it while the same monitor or lock was held.
    fn is_rechecked(&self, at: usize) -> bool {
        for frame in self.thread().frames[..=at].iter().rev() {
            let class = self.vm.class(frame.method.class);
            if class.loader != Loader::App {
                return false;
            }
            let Reach { itself, end } = self.reach(class, frame.code, frame.pc as usize);
            if itself {
                return true;
            }
            // Its monitor is left before the caller can test anything.
            if frame.lock != 0 || !end {
                return false;
            }
        }
        false
    }

    fn reach(&self, class: &Class, code: &Code, from: usize) -> Reach {
        let mut reach = Reach::default();
        let mut seen = vec![false; code.ops.len()];
        let mut work = Vec::new();
        successors(code, from, |to| work.push(to));
        while let Some(at) = work.pop() {
            if at == from {
                reach.itself = true;
                continue;
            }
            if std::mem::replace(&mut seen[at], true) || self.is_release(class, code.ops[at]) {
                continue;
            }
            reach.end |= matches!(code.ops[at], Op::Return(_));
            successors(code, at, |to| work.push(to));
        }
        reach
    }

    /// Whether an operation leaves a monitor or a lock.
    fn is_release(&self, class: &Class, op: Op) -> bool {
        match op {
            Op::MonitorExit => true,
            Op::InvokeVirtual(idx) | Op::InvokeInterface(idx) => match class.pool.get(idx) {
                Constant::Member(_, name, _) => &**self.vm.classes.symbols.text(name) == "unlock",
                _ => false,
            },
            _ => false,
        }
    }
}

/// Where code leads from an operation on, without leaving a monitor or lock.
#[derive(Default)]
struct Reach {
    /// To the operation again.
    itself: bool,
    /// To the end of the method.
    end: bool,
}
