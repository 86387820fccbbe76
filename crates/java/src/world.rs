//! What a state is of: processes, and the network between them.
//!
//! A system is composed of machines. Each [`Machine`] has one process and executes the steps of its threads;
//! it knows no other process. The processes stand in a row, and the vector of a state is the network's part
//! followed by theirs in the same order. Only the world knows that there are several, and takes their steps
//! back.
//!
//! A world is one process and the network as it sees it. A system of several (`processes`) has a world for
//! each, and hands the network from one to the next.

use crate::network::Network;
use crate::state::decode::decode;
use crate::state::net::decode_network;
use crate::vm::clock::Clock;
use crate::vm::execute::Stepped;
use crate::vm::machine::Machine;
use crate::vm::process::Ended;
use crate::vm::step::Touched;
use crate::vm::thread::Thread;

/// The process that runs the program's `main`.
pub(crate) const MAIN: usize = 0;

/// The process of a state, and the network as it sees it.
pub(crate) struct World<'vm> {
    /// The processes, each with the machine that executes it.
    pub(crate) processes: [Running<'vm>; 1],
}

/// A process that steps are taken in, and back.
pub(crate) struct Running<'vm> {
    /// The process, and what executes it.
    pub(crate) machine: Machine<'vm>,
    /// What it was like when the state was loaded.
    pub(crate) loaded: Loaded<'vm>,
}

/// What a step can change beside objects, which take their changes back themselves.
#[derive(Default)]
pub(crate) struct Loaded<'vm> {
    /// The threads.
    pub(crate) threads: Vec<Thread<'vm>>,
    /// How many objects the state has of its own.
    pub(crate) n_objects: usize,
    /// The number that the next thread gets.
    pub(crate) next_thread: u32,
    /// The number that the next identity hash is made from.
    pub(crate) next_hash: u32,
    /// The clock.
    pub(crate) clock: Clock,
    /// See `Process::n_spurious`.
    pub(crate) n_spurious: u32,
    /// See `Process::died`.
    pub(crate) died: u32,
    /// How much was printed.
    pub(crate) n_output: usize,
    /// The network.
    pub(crate) net: Network,
}

impl<'vm> World<'vm> {
    /// A world of one process.
    pub(crate) fn of(machine: Machine<'vm>) -> Self {
        let loaded = Loaded::default();
        Self { processes: [Running { machine, loaded }] }
    }

    /// Sets all processes up as a vector says.
    pub(crate) fn load(&mut self, vector: &[u8]) {
        let [process] = &mut self.processes;
        process.load(vector);
    }
}

impl World<'_> {
    /// Sets the network up as a vector says, of which the process is loaded.
    pub(crate) fn load_network(&mut self, vector: &[u8]) {
        let [Running { machine, loaded }] = &mut self.processes;
        decode_network(machine, vector);
        loaded.net.clone_from(&machine.net);
    }
}

impl Running<'_> {
    fn load(&mut self, part: &[u8]) {
        decode(&mut self.machine, part);
        self.settle();
    }

    /// Steps begin at the machine's state from now on, and are taken back to it.
    pub(crate) fn settle(&mut self) {
        let process = &self.machine.process;
        self.loaded.threads.clone_from(&process.threads);
        self.loaded.n_objects = process.heap.overlay().len();
        self.loaded.next_thread = process.next_thread;
        self.loaded.next_hash = process.next_hash;
        self.loaded.clock = process.clock;
        self.loaded.n_spurious = process.n_spurious;
        self.loaded.died = process.died;
        self.loaded.n_output = process.output.len();
        self.loaded.net.clone_from(&self.machine.net);
    }

    /// Lets the thread at `idx` take a step and keeps it; [`Running::back`] takes it back.
    pub(crate) fn step(&mut self, idx: usize) -> Stepped {
        self.machine.process.heap.begin();
        self.machine.step(idx)
    }

    /// Back to the loaded state, after a step of the thread at `idx`. `part` is the process's part of the
    /// loaded vector, from which it is set up anew where steps are not taken back (see `state::form`).
    pub(crate) fn back(&mut self, idx: usize, part: &[u8]) {
        let (machine, loaded) = (&mut self.machine, &self.loaded);
        if machine.step.talks {
            machine.net.clone_from(&loaded.net);
        }
        if !machine.options.form.undo {
            decode(machine, part);
            machine.step.touched_threads.clear();
            return;
        }
        let process = &mut machine.process;
        process.heap.rollback();
        let is_whole = process.threads.len() == loaded.threads.len()
            && process.threads.iter().zip(&loaded.threads).all(|(now, before)| now.id == before.id);
        if is_whole {
            process.threads[idx].restore(&loaded.threads[idx]);
            while let Some(Touched { id, wait, permit, seen }) = machine.step.touched_threads.pop() {
                if let Some(at) = loaded.threads.iter().position(|thread| thread.id == id) {
                    process.threads[at].wait = wait;
                    process.threads[at].permit = permit;
                    process.threads[at].seen = seen;
                }
            }
        } else {
            // Threads were started or came to an end.
            machine.step.touched_threads.clear();
            process.threads.clone_from(&loaded.threads);
        }
        process.next_thread = loaded.next_thread;
        process.next_hash = loaded.next_hash;
        process.clock = loaded.clock;
        process.n_spurious = loaded.n_spurious;
        process.died = loaded.died;
        process.output.truncate(loaded.n_output);
        process.ended = Ended::No;
    }

    /// Back to the loaded state, after a step of any thread.
    pub(crate) fn back_from_any(&mut self, part: &[u8]) {
        self.machine.process.threads.clear();
        self.back(0, part);
    }
}
