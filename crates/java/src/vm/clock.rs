//! The virtual clock.
//!
//! Programs see differences between readings, never an absolute time: where the clock begins is arbitrary. So it begins with the first
//! reading of a run. Until then time passes without a trace, and a program that sleeps in a loop and never looks at the clock has
//! finitely many states.
//!
//! The clock moves when a thread goes on because time has passed: a sleep or a timed wait is over. It also must move for a thread that only
//! polls it, or what comes after a loop such as `while (System.nanoTime() < end) Thread.onSpinWait();` would never be seen. Therefore a
//! thread that reads the clock where it read it last, while the clock stood still, has a choice: it still stands
//! still, or the reading comes late. A late reading doubles the time since the beginning, so that any deadline is met after a few of them,
//! and polling alone has finitely many states.

use super::machine::Machine;

/// The value of a clock that nobody has read.
pub const UNREAD: u64 = u64::MAX;

/// The first late reading is this late.
const FIRST_DELAY: u64 = 1_000_000;

/// No reading is late when the clock shows this much: thirteen days.
const LATEST: u64 = 1 << 50;

/// A reading of the clock: where, and what it showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// A number for the place, of 28 bits; zero for none.
    pub place: u32,
    /// What the clock showed.
    pub clock: u64,
}

/// How many bits a place has.
pub const PLACE_BITS: u32 = 28;

impl Machine<'_> {
    /// Reads the clock, in nanoseconds; to be called where other threads may run before.
    pub fn read_clock(&mut self) -> u64 {
        if self.clock == UNREAD {
            self.clock = 0;
        }
        if self.booting {
            return self.clock;
        }
        let place = self.clock_place();
        let last = self.thread().reading;
        if last == (Reading { place, clock: self.clock }) && self.clock < LATEST && self.choose(2) == 0 {
            self.clock = (2 * self.clock).max(FIRST_DELAY);
        }
        let clock = self.clock;
        self.thread_mut().reading = Reading { place, clock };
        clock
    }

    /// Lets time pass.
    pub fn advance_clock(&mut self, nanos: u64) {
        if self.clock != UNREAD {
            self.clock = self.clock.saturating_add(nanos).min(UNREAD - 1);
        }
    }

    /// Lets time pass until the clock shows this.
    pub fn advance_clock_to(&mut self, clock: u64) {
        if self.clock != UNREAD {
            self.clock = self.clock.max(clock).min(UNREAD - 1);
        }
    }

    /// A number for where the running thread is. Two places may have the same one: then there is a choice too many.
    fn clock_place(&self) -> u32 {
        let thread = self.thread();
        let frame = thread.top();
        let mixed = (u64::from(frame.method.id.0) << 32 | u64::from(frame.pc))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(thread.frames.len() as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed >> (64 - PLACE_BITS)) as u32).max(1)
    }
}
