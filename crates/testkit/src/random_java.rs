//! Random Java litmus programs: a seed gives a small program of two or three threads, its Java source, and
//! the exact set of ways it can end under sequential consistency.
//!
//! The programs use what threads share in Java: fields of all kinds, array elements, monitors, `wait` and
//! `notify`, `ReentrantLock`, `AtomicInteger`, exceptions and assertions. Main starts the threads, joins them
//! and prints one line with everything of interest. The [`reference`](mod@reference) that enumerates the
//! outcomes works on the syntax tree and knows no bytecode: whatever explores the bytecode must find the same
//! set.
//!
//! How a run is called when several things happened ([`kind_of`], and nowhere else): a run in which a thread
//! dies of an uncaught exception goes on to its end, and is named after the first such death, `assertion` or
//! `exception`, even if the rest of it deadlocks. A run without one that ends with blocked threads is a
//! `deadlock`. The output is what was printed until then.
//!
//! A program says nothing about weak memory: on a real machine only [`Program::strict`] is sequentially
//! consistent. There are no timeouts or conditions.
//!
//! [`generate`] draws programs that a real machine can run too. [`generate_wide`] has more of the language,
//! and more places, each of which few threads access, and often only after they read something that another
//! thread wrote.

mod ast;
mod code;
mod features;
mod generate;
pub mod jvm;
mod print;
pub mod reference;
mod shrink;
mod wide;

pub use ast::{
    AtomicCall, Cmp, Form, Guard, Lazy, Main, Monitor, NodeAccess, Place, Program, Slot, Stmt, Subject, Test,
    Thread, Value,
};
pub use features::Feature;
pub use generate::generate;
pub use shrink::shrink;
pub use wide::generate_wide;

/// A generated program has at most as many states in the reference.
pub const MAX_STATES: usize = 20_000;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// All threads ended normally.
    Exit,
    /// Threads are blocked for ever.
    Deadlock,
    /// A thread died of an `AssertionError`.
    Assertion,
    /// A thread died of another exception.
    Exception,
}

impl Kind {
    /// The word for it in the JSON of `allways outcomes`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Exit => "exit",
            Kind::Deadlock => "deadlock",
            Kind::Assertion => "assertion",
            Kind::Exception => "exception",
        }
    }

    /// The kind that is called so.
    pub fn named(name: &str) -> Option<Kind> {
        let all = [Kind::Exit, Kind::Deadlock, Kind::Assertion, Kind::Exception];
        all.into_iter().find(|kind| kind.name() == name)
    }
}

/// Why a thread died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// An `AssertionError`.
    Assertion,
    /// Another exception.
    Exception,
}

/// One way for a program to end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// How it ended.
    pub kind: Kind,
    /// What it printed.
    pub output: String,
}

/// What a run is called, given the first failure in it and whether threads are blocked at its end.
pub fn kind_of(first_failure: Option<Failure>, stuck: bool) -> Kind {
    match (first_failure, stuck) {
        (Some(Failure::Assertion), _) => Kind::Assertion,
        (Some(Failure::Exception), _) => Kind::Exception,
        (None, true) => Kind::Deadlock,
        (None, false) => Kind::Exit,
    }
}

#[cfg(test)]
mod tests;
