//! Plain data for display: locations, processes, variables, moves and changes.

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
    /// The text of its current statement.
    pub at: String,
    /// Whether it may stay there indefinitely.
    pub may_end: bool,
    /// The active calls, the innermost first.
    pub stack: Vec<Call>,
}

/// An active call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: String,
    /// Where it was called.
    pub called_at: Option<Location>,
}

/// A process that cannot continue, and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub location: Option<Location>,
    /// The text of its current statement.
    pub text: String,
    /// What it waits for, worded as the end of a sentence about the process.
    pub waits: String,
    /// What it waits for; `None` if that is the end of another process.
    pub resource: Option<String>,
    /// The name of the process that holds it, or whose end is waited for.
    pub holder: Option<String>,
    /// Where the holder acquired it.
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

/// A state for display: its processes and variables.
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
    /// The value before; `None` if the variable is new.
    pub from: Option<String>,
    /// The value after; `None` if the variable no longer exists.
    pub to: Option<String>,
}

/// A value that a move read from a location that other processes can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// What was read: a field or an element, with the path to it.
    pub name: String,
    /// Its value when it was read, in the language's own notation.
    pub value: String,
}

/// The direction of a message.
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
    /// The direction.
    pub direction: MessageDirection,
    /// The variable through which the channel is used, with the values of its indices. If the channel was
    /// declared under another name, that follows after `=`.
    pub channel: String,
    /// The channel's identity in this run, so that two names of one channel can be matched.
    pub channel_id: u32,
    /// Whether the send and the receive are one event.
    pub rendezvous: bool,
    /// The fields of the message.
    pub fields: Vec<String>,
    /// How many bytes of a stream this is, of which a receive may take parts of several sends; `None` for a
    /// message that is received as it was sent.
    pub n_bytes: Option<u32>,
}

/// One action of one process within a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process; `None` for a claim.
    pub process: Option<u32>,
    /// Its type or name.
    pub process_name: Arc<str>,
    /// Where the statement is.
    pub location: Option<Location>,
    /// The statement, as text.
    pub text: String,
    /// The output that it printed.
    pub output: String,
    /// The message that it sent or received, if any.
    pub message: Option<Message>,
    /// The values that it read from locations that other processes can change, if the front end reports them.
    pub reads: Vec<Read>,
    /// The variables that it changed.
    pub changes: Vec<Change>,
    /// The number and name of the process that it started, if any.
    pub started: Option<(u32, Arc<str>)>,
}

/// A point of the program that a complete search is expected to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The process type or method that contains it.
    pub owner: Arc<str>,
    /// Where it is.
    pub location: Option<Location>,
    /// The number that the front end uses for it.
    pub state: u32,
    /// The statement, as text.
    pub text: String,
}
