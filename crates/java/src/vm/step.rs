//! What lives for one step: what it has done so far, and what decides where it ends.

use super::reads::Read;
use super::section::Section;
use super::thread::{Seen, Wait};
use super::view::Access;
use crate::class::symbol::Symbol;
use crate::race::Sighting;
use allways_model::{Location, Message};

/// A step that makes so many choices ends before the next one: else `k` independent choices would be `2^k`
/// runs of one step, from which no state in between is known.
const MANY_WAYS: u64 = 64;

/// Choices within a step: what was chosen, and among how many.
#[derive(Clone, Debug, Default)]
pub struct Script {
    taken: Vec<(u32, u32)>,
    at: usize,
}

impl Script {
    /// Begins again from the first choice.
    pub fn rewind(&mut self) {
        self.at = 0;
    }

    /// Whether there was anything to choose.
    #[must_use]
    pub fn has_choices(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Whether something has been chosen since the first choice was next.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.at > 0
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.taken.clear();
        self.at = 0;
    }

    /// A choice among `n`.
    pub(super) fn choose(&mut self, n: u32) -> u32 {
        if self.at == self.taken.len() {
            self.taken.push((0, n));
        }
        let (chosen, _) = self.taken[self.at];
        self.at += 1;
        chosen.min(n - 1)
    }

    /// Among how many combinations the choices since the first one are.
    fn n_ways(&self) -> u64 {
        self.taken[..self.at].iter().fold(1, |product: u64, &(_, n)| product.saturating_mul(u64::from(n)))
    }

    /// Whether the step is in so many ways already that it should end before the next choice.
    #[must_use]
    pub(crate) fn is_large(&self) -> bool {
        self.n_ways() >= MANY_WAYS
    }

    /// Goes on to the next combination of choices; `false` if there is none.
    pub fn advance(&mut self) -> bool {
        self.taken.truncate(self.at);
        while let Some((chosen, n)) = self.taken.pop() {
            if chosen + 1 < n {
                self.taken.push((chosen + 1, n));
                self.at = 0;
                return true;
            }
        }
        self.at = 0;
        false
    }
}

/// Something that happened in a step, for people.
#[derive(Clone, Debug)]
pub enum Event {
    /// Text was printed: to standard error if the flag is set.
    Output(bool, String),
    /// A thread died of an exception that no handler caught.
    Uncaught {
        /// The thread.
        thread: u32,
        /// Its name.
        name: String,
        /// The class of the exception, with dots.
        class: String,
        /// Whether it is an `AssertionError`.
        assertion: bool,
        /// What the exception says, its class first.
        text: String,
        /// Where it was thrown: class, method, file and line, the innermost first.
        stack: Vec<String>,
        /// The file and line of the innermost frame.
        place: Option<(String, u32)>,
    },
    /// A thread was started.
    Started(u32),
    /// A thread ended the process with an exit status that is not allowed.
    Exited {
        /// The status.
        status: i32,
        /// The name of the thread.
        name: String,
        /// Where the program's own code was.
        place: Option<Location>,
    },
    /// A failure struck: what it did, in words.
    Failed(String),
    /// An operation on the network, in words.
    Talked(String),
    /// Bytes were sent or received.
    Message(Message),
    /// A wait of the thread ended spuriously, in this place of the program's own code.
    Spurious(Option<Location>),
}

/// A step ends by itself after this many backward jumps and calls, so that a loop without visible operations
/// is seen as a cycle.
pub const FUEL: u32 = 5_000;

/// A step of the only thread goes on so many times as long: where nothing can come in between, states along
/// the way are of no use. What it makes meanwhile is limited too (`Machine::check_room`).
const RESERVE: u32 = 400;

/// A thread other than the running one, as it was before the step changed it.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    /// Its number.
    pub id: u32,
    /// Where it was in `Object.wait`.
    pub wait: Wait,
    /// Whether it had a permit.
    pub permit: bool,
    /// What was known of what it was about to do.
    pub seen: Seen,
}

/// A step under way.
pub struct Step {
    /// The place of the running thread among the live ones.
    pub current: usize,
    /// Whether the step ends before the next operation on what others can reach: see `view`.
    pub closed: bool,
    /// Whether this step has entered a monitor in view.
    pub has_entered: bool,
    /// Whether the step has done something that others can notice, or be noticed by, and that is not among
    /// its accesses.
    pub unlisted: bool,
    /// Whether the step has done, or tried to do, what other processes can notice or be noticed by.
    pub talks: bool,
    /// Whether something was executed in this step.
    pub progress: bool,
    /// Whether the thread could go on only because a wait of its ended spuriously.
    pub is_last_resort: bool,
    /// Backward jumps and calls left before the step ends by itself.
    pub fuel: u32,
    /// How often there is as much again, if no other thread is there.
    pub reserve: u32,
    /// The descriptor of the call that a native method answers.
    pub site: Symbol,
    /// What this step did to what several threads can reach.
    pub accesses: Vec<Access>,
    /// The section that the running thread is in.
    pub section: Option<Section>,
    /// The thread that holds what the running one waits for, if only that one can give it up.
    pub blocked_by: Option<u32>,
    /// Choices within the step.
    pub script: Script,
    /// What happened in the step.
    pub events: Vec<Event>,
    /// What other threads were like before this step changed them.
    pub touched_threads: Vec<Touched>,
    /// Where the step made the access that is watched for (see `Knowledge::watched`).
    pub sighting: Option<Sighting>,
    /// The values that this step has read; `None` unless the step is explained.
    pub reads: Option<Vec<Read>>,
}

impl Default for Step {
    fn default() -> Self {
        Self {
            current: 0,
            closed: false,
            has_entered: false,
            unlisted: false,
            talks: false,
            progress: false,
            is_last_resort: false,
            fuel: FUEL,
            reserve: 0,
            site: Symbol(0),
            accesses: Vec::new(),
            section: None,
            blocked_by: None,
            script: Script::default(),
            events: Vec::new(),
            touched_threads: Vec::new(),
            sighting: None,
            reads: None,
        }
    }
}

impl Step {
    /// A step of the thread at `idx` begins. Choices and events are the caller's to clear: a step with
    /// choices is taken once for each of them.
    pub(super) fn begin(&mut self, idx: usize, fuel: u32) {
        self.section = None;
        self.current = idx;
        self.closed = false;
        self.unlisted = false;
        self.talks = false;
        self.has_entered = false;
        self.progress = false;
        self.is_last_resort = false;
        self.blocked_by = None;
        self.accesses.clear();
        self.fuel = fuel;
        self.reserve = RESERVE;
    }
}
