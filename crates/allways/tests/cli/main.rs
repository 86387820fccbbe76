//! The binary as a user meets it: real files, real exit codes, real output.
//!
//! Every test has a directory of its own, which is the current directory of what it runs.

mod adversarial;
mod bad_input;
mod cache;
mod certify;
mod check;
mod dynamic;
mod edited_traces;
mod input_forms;
mod java;
mod java_25;
mod java_all_deadlocks;
mod java_bad_input;
mod java_class_files;
mod java_deadlocks;
mod java_exceptions;
mod java_exit;
mod java_files;
mod java_frameworks;
mod java_inputs;
mod java_lock_order;
mod java_memory;
mod java_names;
mod java_outcomes;
mod java_processes;
mod java_properties;
mod java_races;
mod java_rounds;
mod java_runs;
mod java_spurious;
mod java_steps;
mod java_tests;
mod java_unsupported;
mod json;
mod limits;
mod liveness;
mod models;
mod pages;
mod replay;
mod searches;
mod simulate;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory that goes away with the test.
struct Sandbox(PathBuf);

/// What a command did.
#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Sandbox {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("allways-cli-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A sandbox with one model, `x.pml`.
    fn with(model: &str) -> Self {
        let sandbox = Self::new();
        sandbox.write("x.pml", model);
        sandbox
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn exists(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_allways"));
        command.args(args).current_dir(&self.0).env_remove("NO_COLOR");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        finish(self.command(args).spawn().unwrap())
    }

    /// Runs with something to read.
    fn run_with(&self, args: &[&str], input: &str) -> Run {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        // The command may have ended before it read everything.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        finish(child)
    }
}

fn finish(child: std::process::Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
