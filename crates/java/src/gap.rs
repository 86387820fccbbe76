//! What this machine does not do, as data: the message is made from it last, by [`fmt::Display`].
//!
//! A program that comes to a gap is neither right nor wrong. Its search ends, and the message names the gap.
//! Two runs that come to the same gap have equal values here, whatever else they did.

use std::fmt;

/// Something that a program needs and this machine lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A feature of Java or of its class library.
    Feature(&'static str),
    /// One thing of a kind: "the native library", "net".
    Named(&'static str, String),
    /// A native method.
    Native {
        /// What the method is for, in words for people.
        subject: Option<&'static str>,
        /// Its name and its descriptor.
        method: String,
        /// The place of the call.
        place: String,
    },
    /// The class library of this JDK lacks a member, which those that this machine knows have.
    Library(String),
    /// An operation on a file.
    File {
        /// The operation.
        what: &'static str,
        /// The path, as the program has it.
        path: String,
        /// What stands in the way.
        problem: Option<String>,
    },
    /// A constant that a method computes.
    Constant {
        /// Its name.
        name: String,
        /// The method, by its class.
        bootstrap: String,
    },
    /// An array of this many elements.
    Array(i64),
    /// More memory for objects than this, in MiB.
    Room(usize),
    /// A choice among this many values.
    Choice(i64),
    /// A method that does its work in one operation, on an array that other threads change meanwhile.
    Apart(String),
    /// Code that `java` would refuse to run, or not the way this machine does.
    Unverified(String),
    /// A test that needs a library's runner, which the class path lacks.
    Runner {
        /// What needs it.
        what: String,
        /// The jar file that has it.
        jar: &'static str,
    },
    /// The files of the JDK are not in order.
    Jdk(String),
    /// The class library ends with an exception before the program begins.
    Start {
        /// Its class, its message and its cause.
        exception: String,
        /// Where it was thrown, the innermost call first.
        calls: Vec<String>,
    },
    /// The making of an exception ended with this.
    Throwing(String),
}

impl From<&'static str> for Box<Gap> {
    fn from(feature: &'static str) -> Self {
        Self::new(Gap::Feature(feature))
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Feature(feature) => f.write_str(feature),
            Self::Named(kind, name) => write!(f, "{kind} {name}"),
            Self::Native { subject: Some(subject), method, place } => {
                write!(f, "{subject} ({method}, called from {place})")
            }
            Self::Native { subject: None, method, place } => write!(f, "{method} (called from {place})"),
            Self::Library(member) => write!(f, "a class library without {member}"),
            Self::File { what, path, problem: None } => write!(f, "{what} the file {path}"),
            Self::File { what, path, problem: Some(problem) } => {
                write!(f, "{what} the file {path}: {problem}")
            }
            Self::Constant { name, bootstrap } => write!(f, "the computed constant {name} of {bootstrap}"),
            Self::Array(n_elements) => write!(f, "an array of {n_elements} elements"),
            Self::Room(mib) => write!(f, "more than {mib} MiB of objects"),
            Self::Choice(n_values) => write!(f, "a choice among {n_values} values"),
            Self::Apart(method) => write!(f, "{method} of an array that other threads change"),
            Self::Unverified(problem) => write!(f, "code that cannot be verified: {problem}"),
            Self::Runner { what, jar } => {
                write!(f, "{what} without the library's runner: {jar} is not on the class path")
            }
            Self::Jdk(problem) => f.write_str(problem),
            Self::Start { exception, calls } => {
                write!(f, "the class library cannot be started: {exception} at {}", calls.join(" < "))
            }
            Self::Throwing(what) => write!(f, "{what} while an exception is thrown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::machine::Trap;

    #[test]
    fn every_gap_has_its_words() {
        let text = str::to_owned;
        let native = |subject| Gap::Native { subject, method: text("A.b()V"), place: text("C.d(C.java:1)") };
        let file = |problem| Gap::File { what: "reading", path: text("x"), problem };
        let start = Gap::Start { exception: text("E: no"), calls: vec![text("f"), text("g")] };
        let constant = Gap::Constant { name: text("k"), bootstrap: text("A.make") };
        for (gap, words) in [
            (Gap::Feature("writing to a file"), "writing to a file"),
            (Gap::Named("the native library", text("net")), "the native library net"),
            (native(Some("files")), "files (A.b()V, called from C.d(C.java:1))"),
            (native(None), "A.b()V (called from C.d(C.java:1))"),
            (Gap::Library(text("A.f")), "a class library without A.f"),
            (file(None), "reading the file x"),
            (file(Some(text("a pipe"))), "reading the file x: a pipe"),
            (constant, "the computed constant k of A.make"),
            (Gap::Array(-1), "an array of -1 elements"),
            (Gap::Room(256), "more than 256 MiB of objects"),
            (Gap::Choice(9), "a choice among 9 values"),
            (Gap::Apart(text("A.sort")), "A.sort of an array that other threads change"),
            (Gap::Unverified(text("no code")), "code that cannot be verified: no code"),
            (
                Gap::Runner { what: text("@Rule of A"), jar: "junit 4" },
                "@Rule of A without the library's runner: junit 4 is not on the class path",
            ),
            (Gap::Jdk(text("no lib/modules")), "no lib/modules"),
            (start, "the class library cannot be started: E: no at f < g"),
            (Gap::Throwing(text("a choice")), "a choice while an exception is thrown"),
        ] {
            assert_eq!(gap.to_string(), words);
            // The words are the same wherever the gap is met.
            assert_eq!(Trap::from(gap.clone()).to_string(), words);
            assert_eq!(crate::Error::from(Trap::from(gap)).to_string(), words);
        }
    }
}
