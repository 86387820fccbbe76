//! Runs a Java program once, on the schedule that lets the first thread that can run go on, or on a random
//! one (`-seed N`).
//!
//! `cargo run -p allways-java --example run -- -cp DIR Main args...`

use allways_java::boot;
use allways_java::native::thread::{TIMED, status};
use allways_java::source::path::ClassPath;
use allways_java::vm::Options;
use allways_java::vm::execute::Stepped;
use allways_java::vm::machine::Machine;
use allways_java::vm::process::Ended;
use allways_java::vm::step::Event;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(status as u8),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(200)
        }
    }
}

/// The command line.
struct Arguments {
    path: ClassPath,
    main_class: String,
    rest: Vec<String>,
    seed: Option<u64>,
    options: Options,
    trace: bool,
}

impl Arguments {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut path = ClassPath::default();
        let mut seed: Option<u64> = None;
        let mut options = Options::default();
        let mut trace = false;
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "-cp" => {
                    for part in args.next().ok_or("-cp needs a path")?.split(':') {
                        path.push(Path::new(part)).map_err(|error| error.to_string())?;
                    }
                }
                "-ea" => {}
                "-seed" => {
                    let number = args.next().and_then(|seed| seed.parse().ok());
                    seed = Some(number.ok_or("-seed needs a number")?);
                }
                "-trace" => trace = true,
                "-every" => options.every_access = true,
                _ => {
                    return Ok(Self { path, main_class: arg, rest: args.collect(), seed, options, trace });
                }
            }
        }
        Err("usage: run -cp DIR Main args...".into())
    }
}

fn run() -> Result<i32, String> {
    let Arguments { path, main_class, rest, seed, options, trace } =
        Arguments::parse(std::env::args().skip(1))?;
    let vm = boot::machine(None, path, options).map_err(|error| error.to_string())?;
    let mut machine = Machine::new(&vm);
    boot::boot(&mut machine).map_err(|error| error.to_string())?;
    boot::enter_main(&mut machine, &main_class, &rest).map_err(|error| error.to_string())?;
    let mut run = Run { machine, schedule: Schedule { seed, first: 0 }, n_steps: 0, trace, failed: false };
    while run.machine.process.ended == Ended::No {
        if !run.advance()? {
            run.show_deadlock();
            return Err("deadlock".into());
        }
    }
    match run.machine.process.ended {
        Ended::Exit(0) if run.failed => Ok(1),
        Ended::Exit(status) => Ok(status),
        Ended::No => Ok(0),
    }
}

/// The order in which threads are tried.
struct Schedule {
    seed: Option<u64>,
    first: usize,
}

impl Schedule {
    fn order(&mut self, machine: &Machine<'_>) -> Vec<usize> {
        let n = machine.process.threads.len();
        let mut order: Vec<usize> = (0..n).map(|idx| (self.first + idx) % n).collect();
        if let Some(seed) = &mut self.seed {
            for at in (1..n).rev() {
                *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.swap(at, (*seed >> 33) as usize % (at + 1));
            }
        }
        // Time passes only when nothing else happens.
        order.sort_by_key(|&idx| status(machine, machine.process.threads[idx].object) == TIMED);
        order
    }
}

/// One run of a program.
struct Run<'vm> {
    machine: Machine<'vm>,
    schedule: Schedule,
    n_steps: u64,
    trace: bool,
    /// Whether the main thread died of an exception.
    failed: bool,
}

impl Run<'_> {
    /// Lets the first thread that can run take a step; false if none can.
    fn advance(&mut self) -> Result<bool, String> {
        self.n_steps += 1;
        if self.n_steps.is_multiple_of(1_000) {
            // A thread that waits in a loop for another one must not keep it from running.
            self.schedule.first += 1;
        }
        for idx in self.schedule.order(&self.machine) {
            match self.step(idx)? {
                Stepped::Done => return Ok(true),
                Stepped::Blocked => {}
                Stepped::Rejected => return Err("an assumption does not hold".into()),
                Stepped::Unsupported(what) => {
                    if let Some(thread) = self.machine.process.threads.get(idx) {
                        for frame in thread.frames.iter().rev().take(40) {
                            eprintln!("\tat {}", self.machine.shown_place(frame.method.id, frame.pc));
                        }
                    }
                    return Err(format!("unsupported: {what}"));
                }
            }
        }
        Ok(false)
    }

    /// Lets one thread take a step, and prints what it prints.
    fn step(&mut self, idx: usize) -> Result<Stepped, String> {
        let machine = &mut self.machine;
        let before = machine.process.threads[idx].frames.last().filter(|_| self.trace).map(|frame| {
            let op = frame.code.ops[frame.pc as usize];
            format!("{} {op:?}", machine.shown_place(frame.method.id, frame.pc))
        });
        let id = machine.process.threads[idx].id;
        let stepped = machine.step(idx);
        if self.trace && matches!(stepped, Stepped::Done) {
            eprintln!("step {} thread {id}: {}", self.n_steps, before.unwrap_or_default());
        }
        for event in machine.step.events.drain(..) {
            match event {
                Event::Output(false, text) => print!("{text}"),
                Event::Output(true, text) => eprint!("{text}"),
                Event::Uncaught { thread: 0, .. } => self.failed = true,
                _ => {}
            }
        }
        std::io::stdout().flush().map_err(|error| error.to_string())?;
        Ok(stepped)
    }

    fn show_deadlock(&self) {
        for thread in &self.machine.process.threads {
            eprintln!("thread {} waits: {:?}", thread.id, thread.wait);
            if let Some(frame) = thread.frames.last() {
                eprintln!("\tbefore {:?}", frame.code.ops[frame.pc as usize]);
            }
            for frame in thread.frames.iter().rev() {
                eprintln!("\tat {}", self.machine.shown_place(frame.method.id, frame.pc));
            }
        }
    }
}
