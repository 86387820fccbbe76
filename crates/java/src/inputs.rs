//! What a program asks its surroundings for, where a search looks at one answer or at some, and not at all
//! that there may be: people must be told, or they take a verdict for more than it is.
//!
//! It counts what the program's own code asks, by itself or through classes that are there to pass the answer
//! on (`java.time` for the clock, `java.util.Random` for random numbers), and not what the class library
//! wants to know for purposes of its own, as timed waits do. The frames of the running thread tell. Noting it
//! changes no state; notes only grow, so it makes no difference which worker makes them, and when.

use crate::class::Loader;
use crate::vm::Options;
use crate::vm::machine::Machine;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Numbers from a generator that the program gave no seed; with `--random`, those that are not taken in
    /// every way.
    Random,
    /// The time.
    Clock,
    /// How many processors there are.
    Processors,
    /// How much memory there is, or how much of it is free.
    Memory,
    /// Values of fields that several threads can reach, by accesses that order less than volatile ones:
    /// plain, opaque, acquire, release, `lazySet`. They are made as if they were volatile.
    WeakOrder,
}

/// Classes that call what they are given to call, reflection and method handles; and the one that the
/// machine's adapters for them are methods of.
pub(crate) const GO_BETWEENS: &[&str] =
    &["java/lang/invoke/", "java/lang/reflect/", "jdk/internal/reflect/", "java/lang/Object"];

/// Classes through which a program asks for random numbers.
const GENERATORS: &[&str] = &[
    "java/lang/Math",
    "java/lang/StrictMath",
    "java/security/SecureRandom",
    "java/util/Collections",
    "java/util/Random",
    "java/util/Spliterator",
    "java/util/SplittableRandom",
    "java/util/UUID",
    "java/util/concurrent/ThreadLocalRandom",
    "java/util/random/",
    "java/util/stream/",
    "jdk/internal/util/random/",
];

/// Classes through which a program asks for the time.
const CLOCKS: &[&str] = &[
    "java/time/",
    "java/util/Calendar",
    "java/util/Date",
    "java/util/GregorianCalendar",
    "sun/util/locale/provider/",
];

impl Input {
    const ALL: [Self; 5] = [Self::Random, Self::Clock, Self::Processors, Self::Memory, Self::WeakOrder];

    fn bit(self) -> u8 {
        1 << self as u8
    }

    /// What it means for a verdict, in words.
    #[must_use]
    pub fn shown(self, options: &Options) -> String {
        match self {
            Self::Random if options.random_choices => {
                "the program uses random numbers that --random does not try out (it does nextBoolean, and \
                 nextInt of a bound up to 256): one sequence of them was looked at"
                    .into()
            }
            Self::Random => "the program uses random numbers: one sequence of them was looked at (--random takes \
                             every value of small ranges)"
                .into(),
            Self::Clock => {
                "the program reads the clock: only some of the times that may pass were looked at".into()
            }
            Self::Processors => {
                let n = options.processors;
                format!("the program asks for the number of processors: {n} here (--processors)")
            }
            Self::WeakOrder => "the program has accesses that order less than volatile ones (plain, opaque, \
                                acquire, release, lazySet): they were taken for volatile ones, and real machines \
                                do more"
                .into(),
            Self::Memory => "the program asks how much memory there is: one answer was looked at".into(),
        }
    }

    /// Whether a class of the library only passes the answer on to its caller.
    fn is_passed_on_by(self, class: &str) -> bool {
        let own = match self {
            Self::Random => GENERATORS,
            Self::Clock => CLOCKS,
            Self::Processors | Self::Memory => &[],
            Self::WeakOrder => &["java/util/concurrent/atomic/Atomic"],
        };
        own.iter().chain(GO_BETWEENS).any(|name| class.starts_with(name))
    }
}

/// What a program was seen to ask for, by all workers.
#[derive(Debug, Default)]
pub struct Inputs(AtomicU8);

impl Inputs {
    fn has(&self, input: Input) -> bool {
        self.0.load(Relaxed) & input.bit() != 0
    }

    /// All of it.
    pub(crate) fn seen(&self) -> Vec<Input> {
        Input::ALL.into_iter().filter(|&input| self.has(input)).collect()
    }
}

impl Machine<'_> {
    /// The running thread, which is about to get it, asks for something: notes it if that is for the program.
    pub(crate) fn note_input(&self, input: Input) {
        let Some(inputs) = self.knowledge.inputs.filter(|inputs| !self.booting && !inputs.has(input)) else {
            return;
        };
        let callers = self.thread().frames.iter().rev().map(|frame| self.vm.class(frame.method.class));
        let asking = callers.into_iter().find(|class| {
            class.loader == Loader::App || !input.is_passed_on_by(self.vm.classes.name(class.id))
        });
        if asking.is_some_and(|class| class.loader == Loader::App) {
            inputs.0.fetch_or(input.bit(), Relaxed);
        }
    }
}
