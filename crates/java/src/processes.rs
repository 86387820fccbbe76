//! Several processes in one search, with one network between them.
//!
//! A system is composed of programs that are run as they are: each process has its own machine, with its own
//! objects, static fields, threads, clock and output, and its own end. They share nothing but the network. So
//! a state of a system is the network and the states of its processes in a row, and a step is a step of one
//! process, which may change the network.
//!
//! - [`topology`] reads which processes there are, and what each waits for before it begins.
//! - `vector` cuts the vector of a system into parts, and puts it together.
//! - `cursor` takes the steps, by the cursors of the single processes.
//! - `closed` finds threads that wait only for each other.
//! - `crash` ends a process by a failure.
//! - `start` runs the processes once before the search, to see which parts of the class library they use.

mod closed;
mod crash;
pub(crate) mod cursor;
pub(crate) mod start;
pub mod topology;
pub(crate) mod vector;

use crate::program::Program;
use crate::property::PropertyError;
use crate::state::net::has_network;
use crate::state::parts;
use allways_model::{Blocked, Digest, Lessons, Model, Partition, Process, Variable};
use std::sync::Arc;
use topology::Topology;
use vector::{Layout, ready_bits};

/// The programs of a system, and how they begin.
pub struct System {
    /// One for each process.
    pub(crate) programs: Vec<Program>,
    pub(crate) topology: Topology,
    pub(crate) initial: Vec<u8>,
}

impl System {
    /// Programs that begin together.
    pub(crate) fn new(programs: Vec<Program>, topology: Topology) -> Self {
        let parts: Vec<&[u8]> = programs.iter().map(Program::initial_vector).collect();
        let initial = vector::compose(&[], &parts);
        Self { programs, topology, initial }
    }

    /// The number of a thread among those of all processes.
    pub(crate) fn number_of(&self, process: usize, thread: u32) -> u32 {
        thread * self.programs.len() as u32 + process as u32
    }

    /// The name of a process.
    pub(crate) fn name(&self, process: usize) -> &str {
        &self.topology.members[process].name
    }

    /// A name in a process, for people.
    pub(crate) fn within(&self, process: usize, name: &str) -> String {
        format!("{} {name}", self.name(process))
    }

    /// The processes that a condition is about, and what it says of each: `NAME:CONDITION`, where `NAME` is
    /// that of one process or of a group.
    ///
    /// # Errors
    /// If it does not begin with such a name.
    pub(crate) fn split_condition<'a>(&self, text: &'a str) -> Result<Vec<(usize, &'a str)>, PropertyError> {
        let members = &self.topology.members;
        let (name, condition) = text.split_once(':').unwrap_or((text, ""));
        let is_meant = |number: &usize| {
            [&members[*number].name, &members[*number].group].contains(&&name.trim().to_owned())
        };
        let meant: Vec<_> = (0..members.len()).filter(is_meant).map(|number| (number, condition)).collect();
        if meant.is_empty() {
            let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
            let message = format!(
                "with several processes a condition is one of a process, as in {}:{}; there are {}",
                names[0],
                text.trim(),
                names.join(", ")
            );
            return Err(PropertyError::new(text, 0, message));
        }
        Ok(meant)
    }

    pub(crate) fn digest(&self) -> Digest {
        let parts: Vec<[u8; 16]> = self.programs.iter().map(|program| program.program_digest().0).collect();
        let names: Vec<_> =
            self.topology.members.iter().map(|member| (&member.name, member.after, member.service)).collect();
        let options = self.programs[0].options();
        Digest::of(&("java processes", 2_u8, parts, names, options.socket_buffer, options.failures))
    }

    pub(crate) fn partition(&self) -> Partition<'_> {
        Box::new(|state, ends| {
            let layout = Layout::of(state);
            ends.push(layout.network.start);
            if !layout.network.is_empty() {
                ends.push(layout.network.end);
            }
            for part in &layout.processes {
                let first = ends.len();
                debug_assert!(!has_network(&state[part.clone()]));
                parts::ends(&state[part.clone()], ends);
                ends[first..].iter_mut().for_each(|end| *end += part.start);
            }
        })
    }

    /// What one process has to say about its part of a state.
    fn each<T>(&self, state: &[u8], mut say: impl FnMut(usize, &Program, &[u8]) -> Vec<T>) -> Vec<T> {
        let layout = Layout::of(state);
        let mut vector = Vec::new();
        let all = (0..self.programs.len()).map(|process| {
            layout.unit(state, process, &mut vector);
            say(process, &self.programs[process], &vector)
        });
        all.flatten().collect()
    }

    pub(crate) fn processes(&self, state: &[u8]) -> Vec<Process> {
        self.each(state, |process, program, part| {
            let mut threads = program.processes(part);
            for thread in &mut threads {
                thread.id = self.number_of(process, thread.id);
                thread.name = Arc::from(self.within(process, &thread.name));
            }
            threads
        })
    }

    pub(crate) fn variables(&self, state: &[u8]) -> Vec<Variable> {
        let mut variables = self.each(state, |process, program, part| {
            let mut variables = program.variables(part);
            for variable in &mut variables {
                variable.process = variable.process.map(|thread| self.number_of(process, thread));
                variable.name = format!("{}:{}", self.name(process), variable.name);
            }
            variables
        });
        let layout = Layout::of(state);
        let connections = layout.network_of(state).connections();
        let name = |process: u32| self.name(process as usize);
        variables.extend(connections.into_iter().map(|one| Variable {
            process: None,
            name: format!("connection {}", one.number),
            value: one.words(name),
        }));
        // Globals come first.
        variables.sort_by_key(|variable| variable.process.is_some());
        variables
    }

    pub(crate) fn blocked(&self, state: &[u8], lessons: &Lessons) -> Vec<Blocked> {
        let ready = ready_bits(state);
        self.each(state, |process, program, part| {
            if self.waits_to_start(process, ready) {
                return Vec::new();
            }
            let mut blocked = program.blocked(part, lessons);
            for one in &mut blocked {
                one.name = self.within(process, &one.name);
                one.holder = one.holder.take().map(|holder| self.within(process, &holder));
            }
            blocked
        })
    }

    /// Whether a process has not begun, since others must listen or end first.
    pub(crate) fn waits_to_start(&self, process: usize, ready: u64) -> bool {
        self.topology.members[process].after & !ready != 0
    }
}
