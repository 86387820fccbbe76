//! The virtual clock.
//!
//! Programs see differences between readings, never an absolute time: where the clock begins is arbitrary. So
//! it begins with the first reading of a run. Until then time passes without a trace, and a program that
//! sleeps in a loop and never looks at the clock has finitely many states.
//!
//! The clock moves when a thread goes on because time has passed: a sleep or a timed wait is over. It also
//! moves between two readings: real ones are never at the same time, and what comes after a loop such as
//! `while (System.nanoTime() < end) Thread.onSpinWait();` would never be seen otherwise. And a wait can be
//! over later than it should be. Therefore each reading but the very first has a choice: the clock has not
//! moved since the last reading or wait, or the reading comes late. A late reading doubles the time since the
//! beginning, so that any deadline is met after a few of them, and polling alone has finitely many states.
//!
//! **After a wait.** One reading has no choice: the first one after the clock has moved, if a loop of the
//! class library reads the clock to find out how long to wait (`WAITING` and `JOINING`). Any run where it
//! comes late has a twin where it comes in time. If the loop goes on to wait, the wait may end at any time,
//! and if the loop gives up, its twin waits and the wait ends by time at once. The lateness is left to the
//! next reading, which has the choice again. So the program sees late readings after every wait, and a loop
//! that only waits has no more states for them.
//!
//! **Punctual readings** (`--timeouts punctual`). The loops of the class library that wait with a time limit
//! (`WAITING`) read the clock to find out how long to wait. On request these readings are never late by
//! themselves. A late reading shortens the wait, which is no different, because a timed wait may end at any
//! time; or it ends the wait. Then the run has a twin, where the thread reads the clock in time, right after
//! its loop last tested what it waits for. It waits, the wait ends by time at once, and the thread is back at
//! the same place of the loop. Three conditions keep the twin possible:
//!
//! - The loop waits. `SynchronousQueue` spins instead where the rest is short, so it is not in the list.
//! - The wait consumes nothing. A thread with a permit would return from `park` without it, so its readings
//!   may be late.
//! - The program does not get the value. It gets what `awaitNanos` returns, so the last reading there may be
//!   late. So may the reading that fixes when a scheduled task is due, because due times are compared with
//!   each other.
//!
//! The twin's clock shows the deadline, where that of the run is later. A program that compares the time
//! before and after several waits can see the difference, so runs are lost: the verdict names the option, and
//! it is off by default.
//!
//! Where only one schedule is run the first choice is taken. That is to stand still, as on a fast machine, so
//! that a program does not run out of time by looking at the clock here and there; only where the clock is
//! read again and again (as often as is counted), the first choice is to be late, or a loop that polls would
//! never end.

use super::machine::{Exec, Machine, Trap};
use crate::inputs::Input;

/// The methods of the class library that wait with a time limit, and whose readings of the clock only say for
/// how long.
const WAITING: [(&str, &str, Waits); 8] = [
    (SYNCHRONIZER, "acquire", Waits::Parked),
    (SYNCHRONIZER, "acquireTimed", Waits::InSection),
    (SYNCHRONIZER, "deadline", Waits::InSection),
    (crate::simple::POOL, "deadline", Waits::InSection),
    (CONDITION, "waitFor", Waits::Parked),
    (CONDITION, "waitUnordered", Waits::InSection),
    ("java/util/concurrent/FutureTask", "awaitDone", Waits::Parked),
    ("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue", "take", Waits::OnCondition),
];
const SYNCHRONIZER: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";
const CONDITION: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject";

/// How a method waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// It parks, which consumes a permit.
    Parked,
    /// It tries a section again and again (see `section`).
    InSection,
    /// For a condition of a `ReentrantLock`, in either way.
    OnCondition,
}

/// What reads the clock for `DelayedWorkQueue`.
const DELAY: (&str, &str) =
    ("java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask", "getDelay");

/// The first late reading is this late.
const FIRST_DELAY: u64 = 1_000_000;

/// What waits for a thread to end, with a time limit. It gives the program no value.
const JOINING: (&str, &str) = ("java/lang/Thread", "join");

/// Only the first reading after a wait is late when the clock shows this much, thirteen days, and no more
/// than [`FIRST_DELAY`].
const LATEST: u64 = 1 << 50;

/// Readings of a clock that stands still are counted up to here.
const MANY: u32 = 3;

/// The clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What it shows, in nanoseconds.
    pub time: u64,
    /// How often it was read since it last moved, up to a limit.
    pub n_readings: u32,
}

impl Clock {
    /// A clock that nobody has read.
    pub const UNREAD: Self = Self { time: u64::MAX, n_readings: 0 };

    fn is_read(self) -> bool {
        self.time != Self::UNREAD.time
    }

    fn set(&mut self, time: u64) {
        if self.is_read() && time > self.time {
            *self = Self { time: time.min(Self::UNREAD.time - 1), n_readings: 0 };
        }
    }
}

impl Machine<'_> {
    /// Reads the clock, in nanoseconds; to be called where other threads may run before.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before it: one that polls the clock would have more ways to go on than
    /// anybody can count.
    pub fn read_clock(&mut self) -> Exec<u64> {
        let is_first = !self.process.clock.is_read();
        if is_first {
            self.process.clock.time = 0;
        }
        if self.booting {
            return Ok(self.process.clock.time);
        }
        let Clock { time, n_readings } = self.process.clock;
        let may_be_late = !is_first && (n_readings == 0 || time < LATEST);
        if may_be_late && !self.is_punctual() {
            if self.step.progress && self.step.script.is_used() {
                return Err(Trap::Stop);
            }
            let late = u32::from(self.process.clock.n_readings < MANY);
            if self.choose(2) == late {
                let delay = if time < LATEST { time.max(FIRST_DELAY) } else { FIRST_DELAY };
                self.process.clock.set(time.saturating_add(delay));
            }
        }
        self.note_input(Input::Clock);
        self.process.clock.n_readings = (self.process.clock.n_readings + 1).min(MANY);
        Ok(self.process.clock.time)
    }

    /// Whether the clock is read by a loop that waits, and what that does with it cannot be told from a late
    /// reading.
    fn is_punctual(&self) -> bool {
        let is_moved = self.process.clock.n_readings == 0;
        if !is_moved && !self.options.form.punctual {
            return false;
        }
        let classes = &self.vm.classes;
        let frames = self.thread().frames.iter().rev();
        let mut callers = frames
            .map(|frame| (classes.name(frame.method.class), &**classes.symbols.text(frame.method.name)))
            .skip_while(|(class, _)| *class == "java/lang/System");
        let Some(reader) = callers.next() else { return false };
        if is_moved && reader == JOINING {
            return true;
        }
        let Some(reader) = (if reader == DELAY { callers.next() } else { Some(reader) }) else {
            return false;
        };
        let known = WAITING.iter().find(|&&(class, method, _)| (class, method) == reader);
        known.is_some_and(|&(_, _, waits)| match waits {
            Waits::Parked => !self.thread().permit,
            Waits::InSection => true,
            Waits::OnCondition => !self.thread().permit || self.has_unordered_locks(),
        })
    }

    /// Lets time pass until a deadline, if it has not come already.
    pub fn advance_clock_to_deadline(&mut self, deadline: i64) {
        // As programs do it, since a deadline may have overflowed.
        let rest = deadline.wrapping_sub(self.process.clock.time as i64);
        self.advance_clock(u64::try_from(rest).unwrap_or(0));
    }

    /// Lets time pass.
    pub fn advance_clock(&mut self, nanos: u64) {
        self.process.clock.set(self.process.clock.time.saturating_add(nanos));
    }

    /// Lets time pass until the clock shows this.
    pub fn advance_clock_to(&mut self, time: u64) {
        self.process.clock.set(time);
    }
}
