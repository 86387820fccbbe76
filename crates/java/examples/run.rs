//! Runs a Java program once, on the schedule that lets the first thread that can run go on, or on a random one (`-seed N`).
//!
//! `cargo run -p allways-java --example run -- -cp DIR Main args...`

use allways_java::boot;
use allways_java::native::thread::{TIMED, status};
use allways_java::source::path::ClassPath;
use allways_java::vm::Options;
use allways_java::vm::execute::Stepped;
use allways_java::vm::machine::{Ended, Event, Machine};
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

fn run() -> Result<i32, String> {
    let mut args = std::env::args().skip(1);
    let mut path = ClassPath::default();
    let mut main_class = None;
    let mut seed: Option<u64> = None;
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-cp" => {
                for part in args.next().ok_or("-cp needs a path")?.split(':') {
                    path.push(Path::new(part))?;
                }
            }
            "-ea" => {}
            "-seed" => {
                let number = args.next().and_then(|seed| seed.parse().ok());
                seed = Some(number.ok_or("-seed needs a number")?);
            }
            "-every" => options.every_access = true,
            _ => {
                main_class = Some(arg);
                break;
            }
        }
    }
    let main_class = main_class.ok_or("usage: run -cp DIR Main args...")?;
    let rest: Vec<String> = args.collect();
    let vm = boot::machine(None, path, options)?;
    let mut machine = Machine::new(&vm);
    boot::boot(&mut machine)?;
    boot::enter_main(&mut machine, &main_class, &rest)?;
    let mut failed = false;
    let (mut n_steps, mut first) = (0_u64, 0_usize);
    while machine.ended == Ended::No {
        let mut moved = false;
        n_steps += 1;
        if n_steps % 1_000 == 0 {
            // A thread that waits in a loop for another one must not keep it from running.
            first += 1;
        }
        let n = machine.threads.len();
        let mut order: Vec<usize> = (0..n).map(|idx| (first + idx) % n).collect();
        if let Some(seed) = &mut seed {
            for at in (1..n).rev() {
                *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.swap(at, (*seed >> 33) as usize % (at + 1));
            }
        }
        // Time passes only when nothing else happens.
        order.sort_by_key(|&idx| status(&machine, machine.threads[idx].object) == TIMED);
        for idx in order {
            let stepped = machine.step(idx);
            for event in machine.events.drain(..) {
                match event {
                    Event::Output(false, text) => print!("{text}"),
                    Event::Output(true, text) => eprint!("{text}"),
                    Event::Uncaught { thread: 0, .. } => failed = true,
                    _ => {}
                }
            }
            std::io::stdout().flush().map_err(|error| error.to_string())?;
            match stepped {
                Stepped::Done => {
                    moved = true;
                    break;
                }
                Stepped::Blocked => {}
                Stepped::Rejected => return Err("an assumption does not hold".into()),
                Stepped::Unsupported(what) => {
                    if let Some(thread) = machine.threads.get(idx) {
                        for frame in thread.frames.iter().rev().take(40) {
                            eprintln!("\tat {}", machine.shown_place(frame.method.id, frame.pc));
                        }
                    }
                    return Err(format!("unsupported: {what}"));
                }
            }
        }
        if !moved {
            for thread in &machine.threads {
                eprintln!("thread {} waits: {:?}", thread.id, thread.wait);
                if let Some(frame) = thread.frames.last() {
                    eprintln!("\tbefore {:?}", frame.code.ops[frame.pc as usize]);
                }
                for frame in thread.frames.iter().rev() {
                    eprintln!("\tat {}", machine.shown_place(frame.method.id, frame.pc));
                }
            }
            return Err("deadlock".into());
        }
    }
    match machine.ended {
        Ended::Exit(0) if failed => Ok(1),
        Ended::Exit(status) => Ok(status),
        Ended::No => Ok(0),
    }
}
