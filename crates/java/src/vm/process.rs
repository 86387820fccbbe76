//! One process of the world: its objects, its threads, its clock, what it printed and how it ended.
//!
//! A process is exactly what a state keeps of a program. It knows nothing about other processes, about the
//! step under way or about searches: a system of several processes has several of these in a row, and a
//! network between them (see `world`).

use super::Vm;
use super::clock::Clock;
use super::heap::Heap;
use super::thread::Thread;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It runs.
    No,
    /// By itself or by `System.exit`, with this status.
    Exit(i32),
}

/// A bit of [`Process::died`]: the exit status of the process will be 1.
pub const MAIN_DIED: u32 = 1 << 8;

/// A bit of [`Process::died`]: the process was killed by a failure.
pub const KILLED: u32 = 1 << 9;

/// What a state keeps of a process.
pub struct Process<'vm> {
    /// The objects.
    pub heap: Heap<'vm>,
    /// The live threads, in the order in which they were started.
    pub threads: Vec<Thread<'vm>>,
    /// The number that the next thread gets.
    pub next_thread: u32,
    /// The number that the next identity hash is made from.
    pub next_hash: u32,
    /// The virtual clock.
    pub clock: Clock,
    /// How many waits have ended spuriously.
    pub n_spurious: u32,
    /// How the process ended.
    pub ended: Ended,
    /// The first uncaught exception of the run, if ends are told apart by it: 1 for an assertion, 2 for
    /// another; and [`MAIN_DIED`] if the first thread had one. Or [`KILLED`].
    pub died: u32,
    /// What was printed, if that is part of the state.
    pub output: Vec<u8>,
}

impl<'vm> Process<'vm> {
    /// A process with the base image and no threads.
    #[must_use]
    pub fn new(vm: &'vm Vm) -> Self {
        Self {
            heap: Heap::new(&vm.base),
            threads: Vec::new(),
            next_thread: 0,
            next_hash: 0,
            clock: Clock::default(),
            n_spurious: 0,
            ended: Ended::No,
            died: 0,
            output: Vec::new(),
        }
    }
}
