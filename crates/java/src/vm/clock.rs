//! The virtual clock.
//!
//! Programs see differences between readings, never an absolute time: where the clock begins is arbitrary. So it begins with the first
//! reading of a run. Until then time passes without a trace, and a program that sleeps in a loop and never looks at the clock has
//! finitely many states.
//!
//! The clock moves when a thread goes on because time has passed: a sleep or a timed wait is over. It also moves between two readings: real
//! ones are never at the same time, and what comes after a loop such as `while (System.nanoTime() < end) Thread.onSpinWait();` would
//! never be seen otherwise. Therefore a reading of a clock that stood still since somebody read it, in whichever thread and by whichever
//! method, has a choice: it still stands still, or the reading comes late. A late reading doubles the time since the beginning, so that any
//! deadline is met after a few of them, and polling alone has finitely many states.
//!
//! Where only one schedule is run the first choice is taken. That is to stand still, as on a fast machine, so that a program does not
//! run out of time by looking at the clock here and there; only where the clock is read again and again (as often as is counted), the
//! first choice is to be late, or a loop that polls would never end.

use super::machine::{Exec, Machine, Trap};
use crate::inputs::Input;

/// The first late reading is this late.
const FIRST_DELAY: u64 = 1_000_000;

/// No reading is late when the clock shows this much: thirteen days.
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
    /// [`Trap::Stop`] if the step ends before it: one that polls the clock would have more ways to go on than anybody can count.
    pub fn read_clock(&mut self) -> Exec<u64> {
        if !self.process.clock.is_read() {
            self.process.clock.time = 0;
        }
        if self.booting {
            return Ok(self.process.clock.time);
        }
        if self.process.clock.n_readings > 0 && self.process.clock.time < LATEST {
            if self.step.progress && self.step.script.is_used() {
                return Err(Trap::Stop);
            }
            let late = u32::from(self.process.clock.n_readings < MANY);
            if self.choose(2) == late {
                self.process.clock.set((2 * self.process.clock.time).max(FIRST_DELAY));
            }
        }
        self.note_input(Input::Clock);
        self.process.clock.n_readings = (self.process.clock.n_readings + 1).min(MANY);
        Ok(self.process.clock.time)
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
