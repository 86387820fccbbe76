//! The JSON object of `replay` and `simulate`: a run, step by step, and the state it ends in.
//!
//! The same promises as for the object of `check`: see `docs/json.md`.

use crate::check::ErrorReport;
use crate::json::{ErrorJson, LocationJson, SCHEMA, error, location};
use allways_model::{Message, MessageDirection, Move, Process, Variable};
use serde::Serialize;
use std::io::{self, Write};

/// The object of `allways replay --json` and `allways simulate --json`.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// The model as the user named it.
    pub model: String,
    /// The model's digest.
    pub digest: String,
    /// The violation at the end, if there is one.
    pub error: Option<ErrorReport>,
    /// The steps.
    pub steps: Vec<StepReport>,
    /// The number of steps before the cycle that the run repeats infinitely often, if there is one.
    pub cycle: Option<usize>,
    /// The processes at the end.
    pub processes: Vec<Process>,
    /// The variables at the end.
    pub variables: Vec<Variable>,
    /// Anything else the user should know.
    pub warnings: Vec<String>,
}

/// One step of a [`RunReport`].
#[derive(Clone, Debug)]
pub struct StepReport {
    /// Its key.
    pub key: u64,
    /// What happened.
    pub moves: Vec<Move>,
}

#[derive(Serialize)]
struct RunObject<'a> {
    schema: u32,
    tool: &'static str,
    model: &'a str,
    digest: &'a str,
    error: Option<ErrorJson<'a>>,
    steps: Vec<StepObject<'a>>,
    cycle: Option<usize>,
    processes: Vec<ProcessObject<'a>>,
    variables: Vec<VariableObject<'a>>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct StepObject<'a> {
    step: usize,
    key: u64,
    moves: Vec<MoveObject<'a>>,
}

#[derive(Serialize)]
struct MoveObject<'a> {
    process: Option<u32>,
    name: &'a str,
    location: Option<LocationJson<'a>>,
    statement: &'a str,
    output: &'a str,
    message: Option<MessageObject<'a>>,
    reads: Vec<ReadObject<'a>>,
    changes: Vec<ChangeObject<'a>>,
    started: Option<StartedObject<'a>>,
}

#[derive(Serialize)]
struct MessageObject<'a> {
    direction: &'static str,
    channel: &'a str,
    channel_id: u32,
    rendezvous: bool,
    fields: &'a [String],
    n_bytes: Option<u32>,
}

#[derive(Serialize)]
struct ReadObject<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct ChangeObject<'a> {
    name: &'a str,
    from: Option<&'a str>,
    to: Option<&'a str>,
}

#[derive(Serialize)]
struct StartedObject<'a> {
    process: u32,
    name: &'a str,
}

#[derive(Serialize)]
struct ProcessObject<'a> {
    process: u32,
    name: &'a str,
    location: Option<LocationJson<'a>>,
    statement: &'a str,
    may_end: bool,
    stack: Vec<CallObject<'a>>,
}

#[derive(Serialize)]
struct CallObject<'a> {
    function: &'a str,
    called_at: Option<LocationJson<'a>>,
}

#[derive(Serialize)]
struct VariableObject<'a> {
    process: Option<u32>,
    name: &'a str,
    value: &'a str,
}

impl RunReport {
    /// Writes the object, with a newline at its end. A long run makes gigabytes, which are never held at
    /// once.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let object = RunObject {
            schema: SCHEMA,
            tool: concat!("allways ", env!("CARGO_PKG_VERSION")),
            model: &self.model,
            digest: &self.digest,
            error: self.error.as_ref().map(error),
            cycle: self.cycle,
            steps: (self.steps.iter().enumerate())
                .map(|(idx, step)| StepObject {
                    step: idx + 1,
                    key: step.key,
                    moves: step.moves.iter().map(move_object).collect(),
                })
                .collect(),
            processes: self.processes.iter().map(process_object).collect(),
            variables: (self.variables.iter())
                .map(|v| VariableObject { process: v.process, name: &v.name, value: &v.value })
                .collect(),
            warnings: &self.warnings,
        };
        serde_json::to_writer_pretty(&mut *out, &object)?;
        out.write_all(b"\n")
    }
}

fn move_object(step: &Move) -> MoveObject<'_> {
    MoveObject {
        process: step.process,
        name: &step.process_name,
        location: location(step.location.as_ref()),
        statement: &step.text,
        output: &step.output,
        message: step.message.as_ref().map(message_object),
        reads: step.reads.iter().map(|read| ReadObject { name: &read.name, value: &read.value }).collect(),
        changes: (step.changes.iter())
            .map(|change| ChangeObject {
                name: &change.name,
                from: change.from.as_deref(),
                to: change.to.as_deref(),
            })
            .collect(),
        started: step.started.as_ref().map(|(process, name)| StartedObject { process: *process, name }),
    }
}

fn message_object(message: &Message) -> MessageObject<'_> {
    MessageObject {
        direction: match message.direction {
            MessageDirection::Send => "send",
            MessageDirection::Receive => "receive",
        },
        channel: &message.channel,
        channel_id: message.channel_id,
        rendezvous: message.rendezvous,
        fields: &message.fields,
        n_bytes: message.n_bytes,
    }
}

fn process_object(process: &Process) -> ProcessObject<'_> {
    ProcessObject {
        process: process.id,
        name: &process.name,
        location: location(process.location.as_ref()),
        statement: &process.at,
        may_end: process.may_end,
        stack: (process.stack.iter())
            .map(|call| CallObject { function: &call.function, called_at: location(call.called_at.as_ref()) })
            .collect(),
    }
}
