//! Veracity errors: how a certificate deviates from the program, and where.

use allways_model::Fault;
use std::{fmt, io};

/// How a certificate deviates.
#[derive(Clone, Debug)]
pub enum Deviation {
    /// The file is damaged or ends too early: no claim about the program was looked at.
    Damaged(String),
    /// The key that the certifier requires did not sign it.
    NotSigned(String),
    /// It is about something else: another file, another option, another property.
    OtherSpec(Vec<String>),
    /// The state space has another digest, although the Spec is the same: another version of the tool wrote
    /// the certificate.
    OtherVersion(String),
    /// A block does not begin where the one before ended.
    Order {
        /// The number of the state that comes next, and the newest number.
        expected: (u64, u64),
        /// What the block claims instead.
        claimed: (u64, u64),
    },
    /// A block is not what its frame says.
    Malformed(String),
    /// A state has another number of steps.
    Count {
        /// How many steps the certificate has.
        claimed: usize,
        /// How many the program has.
        own: usize,
    },
    /// A step is said to lead to an old state, and leads to another one.
    FalseMention {
        /// The number of the old state.
        number: u64,
    },
    /// A step leads to a state that was mentioned for the last time before.
    Forgotten {
        /// The number of that state.
        number: u64,
    },
    /// The script expands a state that no step promised.
    NothingPromised,
    /// The script ends, and states that it promised to expand are left.
    OpenPromises {
        /// How many.
        n: u64,
    },
    /// A state is expanded in part, and no step of it leads to a state that is expanded later.
    Ignoring,
    /// A rank rises along a step, or stays along one out of an accepting state.
    Rank {
        /// The number of the state that the step leads to.
        number: u64,
        /// The rank of the state that it leaves.
        from: u32,
        /// The rank of the other.
        to: u32,
        /// Whether the state that it leaves is accepting.
        is_accepting: bool,
    },
    /// A state is expanded in part, and one of its steps may be part of a cycle of such states.
    Cycling {
        /// The number of the state that the step leads to.
        number: u64,
    },
    /// A state is expanded in part, or in more parts than there are.
    Rounds {
        /// What the certificate says.
        claimed: u64,
    },
    /// The search had to learn something that the certificate does not know.
    Lesson,
    /// The program did something that the tool does not support.
    Fault(Fault),
    /// The trailer counts something else.
    Totals {
        /// The states and steps that the trailer counts.
        claimed: (u64, u64),
        /// Those that are there.
        own: (u64, u64),
    },
    /// Two numbers are one state, and the states are to be counted.
    Twice {
        /// The smaller number.
        number: u64,
    },
    /// The result of a task is not what it must be.
    BadResult {
        /// Its file.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// The result of a task is missing.
    MissingTask {
        /// The number of the task, from 1 on.
        task: u16,
        /// How many there are.
        n_tasks: u16,
    },
    /// A task leads to a state that no result has from the task which expands it.
    NotExpanded,
    /// Two tasks have different states under one number.
    Disagree,
    /// The state has no step with the key that the certificate gives, or none at that position.
    NoSuchStep,
    /// A run does not have this step.
    NoStep {
        /// The number of the step, from 1 on.
        step: u64,
    },
    /// A run does not show what it promises.
    NotViolated(String),
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(what) => write!(f, "the file is damaged: {what}"),
            Self::NotSigned(what) => write!(f, "the signature is missing or false: {what}"),
            Self::OtherSpec(list) => {
                f.write_str("the certificate is about something else:")?;
                list.iter().try_for_each(|one| write!(f, "\n  {one}"))
            }
            Self::OtherVersion(tool) => write!(
                f,
                "the state space is not the one of the certificate, although files and options are the same: \
                 allways {tool} wrote it, and this is allways {}",
                env!("CARGO_PKG_VERSION")
            ),
            Self::Order { expected, claimed } => write!(
                f,
                "wrong order: a block begins at state {} after {} numbers, where state {} comes next after {}",
                claimed.0, claimed.1, expected.0, expected.1
            ),
            Self::Malformed(what) => write!(f, "malformed script: {what}"),
            Self::Count { claimed, own } if claimed < own => {
                write!(f, "a step is missing: the certificate has {claimed} of {own} steps")
            }
            Self::Count { claimed, own } => {
                write!(f, "a step does not exist: the certificate has {claimed} steps, and there are {own}")
            }
            Self::FalseMention { number } => {
                write!(f, "false 'already visited': the step does not lead to state {number}")
            }
            Self::Forgotten { number } => {
                write!(f, "the step leads to state {number}, which was mentioned for the last time before")
            }
            Self::NothingPromised => f.write_str("the script expands a state that no step leads to"),
            Self::OpenPromises { n: 1 } => f.write_str("a state is left unexplored"),
            Self::OpenPromises { n } => write!(f, "{n} states are left unexplored"),
            Self::Ignoring => {
                f.write_str("steps are omitted, and no step leads to a state that is expanded later")
            }
            Self::Rank { number, from, to, is_accepting } => {
                let leaves = if *is_accepting { "an accepting state of rank" } else { "rank" };
                write!(f, "false rank: the step leads from {leaves} {from} to state {number} of rank {to}")
            }
            Self::Cycling { number } => write!(
                f,
                "steps are omitted, and the step to state {number} may close a cycle on which they always are"
            ),
            Self::Rounds { claimed } => {
                write!(f, "the state is not expanded in {claimed} parts")
            }
            Self::Lesson => f.write_str("the evidence lacks a conflict between threads that the program has"),
            Self::Fault(fault) => {
                write!(f, "unsupported: {}", fault.message)?;
                fault.location.as_ref().map_or(Ok(()), |at| write!(f, " at {at}"))
            }
            Self::Totals { claimed, own } => write!(
                f,
                "the certificate counts {} states and {} steps, and has {} and {}",
                claimed.0, claimed.1, own.0, own.1
            ),
            Self::Twice { number } => {
                write!(f, "the state is state {number} once more, so the count is wrong")
            }
            Self::BadResult { file, what } => write!(f, "{file}: {what}"),
            Self::MissingTask { task, n_tasks } => {
                write!(f, "the result of task {task} of {n_tasks} is missing")
            }
            Self::NotExpanded => {
                f.write_str("a task leads to the state, and no result has it from the task that expands it")
            }
            Self::Disagree => {
                f.write_str("false 'already visited': the tasks have different states under this number")
            }
            Self::NoSuchStep => f.write_str("the step is not possible"),
            Self::NoStep { step } => write!(f, "step {step} of the run is not possible"),
            Self::NotViolated(what) => f.write_str(what),
        }
    }
}

/// A deviation and its place.
#[derive(Clone, Debug)]
pub struct VeracityError {
    /// What deviates.
    pub deviation: Deviation,
    /// The number of the state at which it was noticed, from 1 on.
    pub state: Option<u64>,
    /// The position of the step among those of the state, from 0 on.
    pub slot: Option<usize>,
    /// The block of the file, from 1 on.
    pub block: Option<u64>,
    /// What happens in that step, in words.
    pub step: Option<String>,
    /// The steps that lead to the state, in words.
    pub path: Vec<String>,
}

impl VeracityError {
    /// A deviation without a place.
    #[must_use]
    pub fn new(deviation: Deviation) -> Self {
        Self { deviation, state: None, slot: None, block: None, step: None, path: Vec::new() }
    }

    /// The same, noticed at a state.
    #[must_use]
    pub fn at(self, state: u64) -> Self {
        Self { state: self.state.or(Some(state)), ..self }
    }

    /// The same, in a block.
    #[must_use]
    pub fn in_block(self, block: u64) -> Self {
        Self { block: self.block.or(Some(block)), ..self }
    }
}

impl From<Deviation> for VeracityError {
    fn from(deviation: Deviation) -> Self {
        Self::new(deviation)
    }
}

impl fmt::Display for VeracityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = Vec::new();
        place.extend(self.block.map(|block| format!("block {block}")));
        place.extend(self.state.map(|state| format!("state {state}")));
        place.extend(self.slot.map(|slot| format!("step {}", slot + 1)));
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        self.deviation.fmt(f)?;
        self.step.as_ref().map_or(Ok(()), |step| write!(f, " [{step}]"))?;
        let Some(state) = self.state.filter(|_| !self.path.is_empty()) else { return Ok(()) };
        write!(f, "\n  state {state} is reached by")?;
        (1..).zip(&self.path).try_for_each(|(number, step)| write!(f, "\n  {number:>3}  {step}"))
    }
}

impl std::error::Error for VeracityError {}

/// Why certification gives no answer, or the answer no.
#[derive(Debug)]
pub enum Error {
    /// The certificate is not accepted.
    Veracity(Box<VeracityError>),
    /// The certifier's own input is wrong: a file that cannot be read, a model with errors.
    Input(String),
    /// The model uses something that the tool does not support.
    Unsupported(String),
    /// A file cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Veracity(error) => error.fmt(f),
            Self::Input(message) => f.write_str(message),
            Self::Unsupported(what) => write!(f, "unsupported: {what}"),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Deviation> for Box<VeracityError> {
    fn from(deviation: Deviation) -> Self {
        Self::new(deviation.into())
    }
}

impl From<VeracityError> for Error {
    fn from(error: VeracityError) -> Self {
        Self::Veracity(Box::new(error))
    }
}

impl From<Box<VeracityError>> for Error {
    fn from(error: Box<VeracityError>) -> Self {
        Self::Veracity(error)
    }
}

impl From<Deviation> for Error {
    fn from(deviation: Deviation) -> Self {
        VeracityError::new(deviation).into()
    }
}
