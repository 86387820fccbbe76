//! Plain data for people: where something is, what moved, which variables changed.

use std::fmt;
use std::sync::Arc;

/// A place in a source file; lines and columns count from one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file as the user named it.
    pub file: Arc<str>,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A process alive in some state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub id: u32,
    /// Its type or name.
    pub name: Arc<str>,
    /// Where it is.
    pub location: Option<Location>,
    /// The statement it is at, as text.
    pub at: String,
    /// Whether it may rest there for ever.
    pub may_end: bool,
    /// The functions that it is in, the innermost first.
    pub stack: Vec<Call>,
}

/// A function that a process is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: String,
    /// Where it was called.
    pub called_at: Option<Location>,
}

/// A process that cannot go on, and what keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub location: Option<Location>,
    /// The statement it is at, as text.
    pub text: String,
    /// What it waits for, as the end of a sentence about it.
    pub waits: String,
    /// What it waits for; `None` if that is the end of another process.
    pub resource: Option<String>,
    /// The name of the process that holds it, or whose end is waited for.
    pub holder: Option<String>,
    /// Where the holder got it.
    pub taken: Option<Location>,
}

/// A variable of some state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The process that owns it; `None` for a global.
    pub process: Option<u32>,
    /// Its full name, with indices and fields.
    pub name: String,
    /// Its value in the language's own notation.
    pub value: String,
}

/// A state as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The processes alive.
    pub processes: Vec<Process>,
    /// The variables, globals first.
    pub variables: Vec<Variable>,
}

/// A variable that a move changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable's name, with its process where it is local.
    pub name: String,
    /// The value before; `None` if it came into being.
    pub from: Option<String>,
    /// The value after; `None` if it ceased to be.
    pub to: Option<String>,
}

/// A value that a move read from where others could have changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// What was read: a field or an element, with what leads to it.
    pub name: String,
    /// Its value when it was read, in the language's own notation.
    pub value: String,
}

/// Which way a message went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageDirection {
    /// Into a channel.
    Send,
    /// Out of a channel.
    Receive,
}

/// A message sent or received in a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Which way.
    pub direction: MessageDirection,
    /// The variable through which the channel is used, with the values of its indices; and after `=` the name
    /// with which the channel was declared, if that is another.
    pub channel: String,
    /// The channel's identity in this run, so that two names of one channel can be matched.
    pub channel_id: u32,
    /// Whether the send and the receive are one event.
    pub rendezvous: bool,
    /// The fields of the message.
    pub fields: Vec<String>,
}

/// One thing that one process did within a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process; `None` for a claim that looks on.
    pub process: Option<u32>,
    /// Its type or name.
    pub process_name: Arc<str>,
    /// Where the statement is.
    pub location: Option<Location>,
    /// The statement, as text.
    pub text: String,
    /// What it printed.
    pub output: String,
    /// What it sent or received.
    pub message: Option<Message>,
    /// What it read, as far as the front end says so and others can change it.
    pub reads: Vec<Read>,
    /// What it changed.
    pub changes: Vec<Change>,
    /// The process it started, if it started one: number and name.
    pub started: Option<(u32, Arc<str>)>,
}

/// A place of the program that a complete search is expected to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The process type or method it belongs to.
    pub owner: Arc<str>,
    /// Where it is.
    pub location: Option<Location>,
    /// The front end's own number for it.
    pub state: u32,
    /// The statement, as text.
    pub text: String,
}
