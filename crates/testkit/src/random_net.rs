//! Random programs of processes that talk over sockets, and every way in which they can end.
//!
//! A program is two or three processes of one or two threads, each a list of operations on one socket; the
//! threads of a process share a server socket. It is run by one Java class, `Script`, which takes the
//! operations as its arguments ([`Program::arguments`]) and prints what each gave. The reference
//! ([`Program::outcomes`]) has a network of its own, which shares nothing with the one of the checker, and
//! takes every operation of every thread in every order.
//!
//! What the network does is Linux's TCP over loopback with immediate delivery. Three things are choices: what
//! the other end sees first of a close with unread bytes, whether a timed read ends by time, and the order of
//! operations. Programs [with failures](generate_with_failures) have more.

mod kernel;

use crate::random_promela::Rng;
use kernel::{Kernel, Outcome as Done};
use std::collections::{BTreeSet, HashSet};

/// An operation of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Makes the server socket of the process.
    Listen(u16, u16),
    /// Accepts a connection.
    Accept,
    /// Connects to a port.
    Connect(u16),
    /// Writes so many bytes.
    Write(usize),
    /// Reads up to this many bytes.
    Read(usize),
    /// As [`Op::Read`], with a time limit.
    TimedRead(usize),
    /// Asks how much can be read.
    Available,
    /// Shuts the output down.
    HalfClose,
    /// Closes the socket.
    Close,
    /// Closes the server socket.
    CloseServer,
    /// Starts the second thread.
    Start,
    /// Prints what the thread has noted, and ends the process.
    Exit,
}

impl Op {
    fn text(self) -> String {
        match self {
            Self::Listen(port, backlog) => format!("L{}", u32::from(backlog) * 100_000 + u32::from(port)),
            Self::Accept => "A".into(),
            Self::Connect(port) => format!("C{port}"),
            Self::Write(n) => format!("W{n}"),
            Self::Read(n) => format!("R{n}"),
            Self::TimedRead(n) => format!("T{n}"),
            Self::Available => "V".into(),
            Self::HalfClose => "H".into(),
            Self::Close => "K".into(),
            Self::CloseServer => "Q".into(),
            Self::Start => "S".into(),
            Self::Exit => "X".into(),
        }
    }
}

/// A program: the operations of each thread of each process.
#[derive(Clone, Debug)]
pub struct Program {
    /// Processes, their threads, and what those do.
    pub processes: Vec<Vec<Vec<Op>>>,
    /// How many bytes make a buffer full.
    pub buffer: usize,
    /// How many failures there may be in a run.
    pub budget: usize,
    /// What may fail, by the names that the command line has for it.
    pub kinds: Vec<&'static str>,
}

/// How a process ended: what it printed; `None` if it is stuck.
pub type End = Option<String>;

/// The end of a process that a failure killed, whatever it had printed.
pub const KILLED: &str = "killed";

/// How the processes of a run ended.
pub type Outcome = Vec<End>;

/// The source of the class that runs all programs.
pub const SCRIPT: &str = include_str!("random_net/Script.java");

/// A generated program has at most this many states in the reference.
pub const MAX_STATES: usize = 30_000;

/// Draws a program.
#[must_use]
pub fn generate(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    loop {
        let program = draw(&mut rng);
        if program.outcomes(MAX_STATES).is_some() {
            return program;
        }
    }
}

/// What may fail.
const KINDS: [&str; 9] =
    ["reset", "refuse", "timeout", "accept", "silence", "crash", "terminate", "short-reads", "delay"];

/// Draws a program, and what may fail.
#[must_use]
pub fn generate_with_failures(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x5eed_f001);
    loop {
        let mut program = draw(&mut rng);
        program.budget = 1 + rng.below(2) as usize;
        let n_kinds = 1 + rng.below(3);
        for _ in 0..n_kinds {
            let kind = KINDS[rng.below(KINDS.len() as u32) as usize];
            if !program.kinds.contains(&kind) {
                program.kinds.push(kind);
            }
        }
        if program.outcomes(MAX_STATES / 8).is_some() {
            return program;
        }
    }
}

fn draw(rng: &mut Rng) -> Program {
    let n_processes = 2 + rng.below(2) as usize;
    let n_clients = n_processes - 1;
    let mut processes = vec![server(rng, n_clients)];
    for _ in 0..n_clients {
        let mut ops = vec![Op::Connect(1000)];
        talk(rng, &mut ops, 4);
        end(rng, &mut ops);
        processes.push(vec![ops]);
    }
    let buffer = if rng.below(3) == 0 { 1 + rng.below(2) as usize } else { 1000 };
    Program { processes, buffer, budget: 0, kinds: Vec::new() }
}

fn server(rng: &mut Rng, n_clients: usize) -> Vec<Vec<Op>> {
    let mut first = vec![Op::Listen(1000, 1 + rng.below(3) as u16)];
    if rng.below(4) == 0 {
        first.push(Op::CloseServer);
    }
    let mut threads = Vec::new();
    if n_clients == 2 && rng.below(2) == 0 {
        first.push(Op::Start);
        let mut second = vec![Op::Accept];
        talk(rng, &mut second, 2);
        threads.push(second);
    }
    first.push(Op::Accept);
    talk(rng, &mut first, 3);
    if n_clients == 2 && threads.is_empty() && rng.below(2) == 0 {
        first.extend([Op::Close, Op::Accept]);
        talk(rng, &mut first, 2);
    }
    if rng.below(3) == 0 {
        first.push(Op::CloseServer);
    }
    end(rng, &mut first);
    threads.insert(0, first);
    threads
}

fn talk(rng: &mut Rng, ops: &mut Vec<Op>, most: u32) {
    for _ in 0..rng.below(most + 1) {
        let n = 1 + rng.below(2) as usize;
        ops.push(match rng.below(12) {
            0..=3 => Op::Write(n),
            4..=7 => Op::Read(n),
            8 => Op::TimedRead(n),
            9 => Op::Available,
            10 => Op::HalfClose,
            _ => Op::Close,
        });
    }
}

fn end(rng: &mut Rng, ops: &mut Vec<Op>) {
    match rng.below(4) {
        0 => ops.push(Op::Close),
        1 => ops.push(Op::Exit),
        _ => {}
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    pc: usize,
    /// Bytes of a write that are done.
    done: usize,
    started: bool,
    socket: Option<usize>,
    log: String,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Vec<Thread>>,
    /// What each process printed at its end.
    ended: Vec<Option<String>>,
    kernel: Kernel,
    n_failures: usize,
    /// Which processes were asked to end.
    asked: Vec<bool>,
}

impl Program {
    /// The arguments of a process of the class `Script`.
    #[must_use]
    pub fn arguments(&self, process: usize) -> Vec<String> {
        let text = |ops: &Vec<Op>| ops.iter().map(|op| op.text()).collect::<Vec<_>>().join("_");
        self.processes[process].iter().map(text).collect()
    }

    /// Every way in which the processes can end; `None` if there are more than `most` states.
    #[must_use]
    pub fn outcomes(&self, most: usize) -> Option<BTreeSet<Outcome>> {
        let thread = |started| Thread { pc: 0, done: 0, started, socket: None, log: String::new() };
        let threads = |ops: &Vec<Vec<Op>>| (0..ops.len()).map(|number| thread(number == 0)).collect();
        let initial = State {
            threads: self.processes.iter().map(threads).collect(),
            ended: vec![None; self.processes.len()],
            kernel: Kernel::new(self.processes.len(), self.buffer),
            n_failures: 0,
            asked: vec![false; self.processes.len()],
        };
        let (mut seen, mut waiting) = (HashSet::from([initial.clone()]), vec![initial]);
        let mut outcomes = BTreeSet::new();
        while let Some(state) = waiting.pop() {
            let next = self.successors(&state);
            if next.is_empty() {
                outcomes.insert(state.ended.clone());
            }
            for one in next.into_iter().chain(self.failures(&state)) {
                if seen.insert(one.clone()) {
                    waiting.push(one);
                }
            }
            if seen.len() > most {
                return None;
            }
        }
        Some(outcomes)
    }

    fn successors(&self, state: &State) -> Vec<State> {
        let mut found = Vec::new();
        for process in (0..self.processes.len()).filter(|&process| state.ended[process].is_none()) {
            if state.asked[process] {
                let mut next = state.clone();
                next.ended[process] = Some(String::new());
                next.kernel.end_process(process);
                found.push(next);
            }
            for number in 0..self.processes[process].len() {
                if state.threads[process][number].started {
                    self.step(state, process, number, &mut found);
                }
            }
        }
        found
    }

    fn may(&self, kind: &str) -> bool {
        self.kinds.contains(&kind)
    }

    /// The states after a failure. None has to come, so a state with nothing else is an end.
    fn failures(&self, state: &State) -> Vec<State> {
        let mut found = Vec::new();
        if state.n_failures == self.budget {
            return found;
        }
        let base = State { n_failures: state.n_failures + 1, ..state.clone() };
        for process in (0..self.processes.len()).filter(|&process| state.ended[process].is_none()) {
            if self.may("crash") {
                let mut next = base.clone();
                next.ended[process] = Some(KILLED.into());
                next.kernel.end_process(process);
                found.push(next);
            }
            for number in 0..self.processes[process].len() {
                if state.threads[process][number].started {
                    self.fail(&base, process, number, &mut found);
                }
            }
        }
        found
    }

    /// The states after a failure in the next operation of a thread.
    fn fail(&self, base: &State, process: usize, number: usize, found: &mut Vec<State>) {
        let thread = &base.threads[process][number];
        let Some(&op) = self.processes[process][number].get(thread.pc) else { return };
        let without_socket = |message: &str| {
            let mut next = base.clone();
            let thread = &mut next.threads[process][number];
            thread.log += &format!("!{message};");
            (thread.pc, thread.done, thread.socket) = (thread.pc + 1, 0, None);
            next
        };
        let is_possible = match (op, thread.socket) {
            (Op::Connect(port), _) => {
                if self.may("refuse") && base.kernel.listens(port) {
                    found.push(without_socket("Connection refused"));
                }
                if self.may("timeout") {
                    found.push(without_socket("Connection timed out"));
                }
                true
            }
            (Op::Accept, _) => {
                let is_open = base.kernel.is_listening(process);
                if self.may("accept") && is_open {
                    found.push(without_socket("Too many open files"));
                }
                is_open
            }
            (Op::Read(_) | Op::TimedRead(_) | Op::Write(_), Some(end)) => {
                let reads = !matches!(op, Op::Write(_));
                for (kind, by_reset) in [("reset", true), ("silence", false)] {
                    if self.may(kind) {
                        let kernels = base.kernel.struck(end, reads, by_reset).into_iter();
                        found.extend(kernels.map(|kernel| State { kernel, ..base.clone() }));
                    }
                }
                !(reads && base.kernel.has_ended(end)) && (reads || !base.kernel.is_half_closed(end))
            }
            _ => false,
        };
        if is_possible && self.may("terminate") && !base.asked[process] {
            let mut next = base.clone();
            next.asked[process] = true;
            found.push(next);
        }
    }

    /// The states after the next operation of a thread.
    fn step(&self, state: &State, process: usize, number: usize, found: &mut Vec<State>) {
        let ops = &self.processes[process][number];
        let Some(&op) = ops.get(state.threads[process][number].pc) else {
            self.finish(state, process, number, found);
            return;
        };
        let socket = state.threads[process][number].socket;
        // Notes a result and goes on.
        let goes_on = |mut next: State, log: &str, socket: Option<usize>| {
            let thread = &mut next.threads[process][number];
            thread.log += log;
            (thread.pc, thread.done, thread.socket) = (thread.pc + 1, 0, socket);
            next
        };
        let mut next = state.clone();
        match op {
            Op::Start => {
                next.threads[process][1].started = true;
                found.push(goes_on(next, "", socket));
            }
            Op::Exit => {
                next.ended[process] = Some(next.threads[process][number].log.clone());
                next.kernel.end_process(process);
                found.push(next);
            }
            Op::Listen(port, backlog) => {
                next.kernel.listen(process, port, backlog);
                found.push(goes_on(next, "L;", socket));
            }
            Op::CloseServer => {
                next.kernel.close_server(process);
                found.push(goes_on(next, "Q;", socket));
            }
            Op::Accept => match next.kernel.accept(process) {
                Done::Value(end) => found.push(goes_on(next, "A;", Some(end))),
                Done::Failed(message) => found.push(goes_on(next, &format!("!{message};"), None)),
                Done::Waits => {}
            },
            Op::Connect(port) => match next.kernel.connect(process, port) {
                Done::Value(end) => found.push(goes_on(next, "C;", Some(end))),
                Done::Failed(message) => found.push(goes_on(next, &format!("!{message};"), None)),
                Done::Waits => {}
            },
            _ => {
                let Some(end) = socket else {
                    found.push(goes_on(next, "-;", None));
                    return;
                };
                self.on_socket(state, (process, number), op, end, found);
            }
        }
    }

    fn on_socket(&self, state: &State, at: (usize, usize), op: Op, end: usize, found: &mut Vec<State>) {
        let goes_on = |mut next: State, log: String, socket: Option<usize>| {
            let thread = &mut next.threads[at.0][at.1];
            thread.log += &log;
            (thread.pc, thread.done, thread.socket) = (thread.pc + 1, 0, socket);
            next
        };
        let mut next = state.clone();
        match op {
            Op::Write(n) => {
                let done = state.threads[at.0][at.1].done;
                if self.may("delay") && state.kernel.has_late_reset(end) {
                    found.push(goes_on(state.clone(), "W;".into(), Some(end)));
                }
                match next.kernel.write(end, n - done) {
                    Done::Value(more) if done + more < n => {
                        next.threads[at.0][at.1].done += more;
                        found.push(next);
                    }
                    Done::Value(_) => found.push(goes_on(next, "W;".into(), Some(end))),
                    Done::Failed(message) => found.push(goes_on(next, format!("!{message};"), Some(end))),
                    Done::Waits => {}
                }
            }
            Op::Read(most) | Op::TimedRead(most) => {
                let is_timed = op == Op::TimedRead(most);
                if is_timed && self.may("delay") && state.kernel.is_late(end) {
                    found.push(goes_on(state.clone(), "!Read timed out;".into(), Some(end)));
                }
                for n in state.kernel.sizes(end, most, self.may("delay"), self.may("short-reads")) {
                    let mut next = state.clone();
                    match next.kernel.read(end, n) {
                        Done::Value(n) => found.push(goes_on(next, format!("R{};", n as i64), Some(end))),
                        Done::Failed(message) => {
                            found.push(goes_on(next, format!("!{message};"), Some(end)));
                        }
                        Done::Waits if is_timed => {
                            found.push(goes_on(next, "!Read timed out;".into(), Some(end)));
                        }
                        Done::Waits => {}
                    }
                }
            }
            Op::Available => {
                let (n, known) = (state.kernel.available(end), state.kernel.known(end));
                let least = if self.may("delay") { known } else { n };
                for n in least..=n {
                    let mut next = state.clone();
                    next.kernel.knows(end, n);
                    found.push(goes_on(next, format!("V{n};"), Some(end)));
                }
            }
            Op::HalfClose => {
                let log = match next.kernel.half_close(end) {
                    true => "H;".into(),
                    false => "!Socket output is already shutdown;".into(),
                };
                found.push(goes_on(next, log, Some(end)));
            }
            _ => {
                for way in 0..next.kernel.ways_to_close(end) {
                    let mut next = state.clone();
                    next.kernel.close(end, way);
                    found.push(goes_on(next, "K;".into(), None));
                }
            }
        }
    }

    /// A thread has done all; the first one waits for the second, prints and ends.
    fn finish(&self, state: &State, process: usize, number: usize, found: &mut Vec<State>) {
        let threads = &state.threads[process];
        let is_over = |other: usize| {
            !threads[other].started || threads[other].pc == self.processes[process][other].len()
        };
        if number == 0 && (1..threads.len()).all(is_over) {
            let mut next = state.clone();
            let logs: Vec<&str> = threads.iter().map(|thread| &*thread.log).collect();
            next.ended[process] = Some(logs.join("|"));
            next.kernel.end_process(process);
            found.push(next);
        }
    }
}
