//! The command line: `allways check`, `outcomes`, `certify`, `replay`, `simulate`, `graph`, `automaton` and
//! `java-api`.
//!
//! It parses arguments into requests and plans, and prints what a session gives. Each command is a function
//! from its arguments to an exit code; whatever goes wrong on the way is a [`Failure`], printed once, here. A
//! reader that goes away (a closed pipe) ends a command quietly.

mod automaton;
mod bug;
mod certificate;
mod certify;
mod check;
mod cli;
mod counterexample;
mod failure;
mod files;
mod graph;
mod interactive;
mod interrupt;
mod java_api;
mod junit;
mod open;
mod options;
mod outcomes;
mod plan;
mod progress;
mod replay;
mod signature;
mod simulate;
mod stdin;
mod terminal;
mod view;
mod watchdog;

use allways_report::ExitCode;
use clap::Parser;
use cli::{Cli, Command};
use failure::Failure;
use std::process;
use terminal::{Terminal, complain};

fn main() -> process::ExitCode {
    let mut cli = Cli::parse_from(java_habits(std::env::args_os()));
    let mut terminal = Terminal::new(cli.color);
    bug::end_process_on_panic(&terminal);
    let code = run(&mut cli, &mut terminal).unwrap_or_else(|failure| {
        let _ = terminal.flush();
        if !failure.is_closed_pipe() {
            complain(terminal.err_paint, &failure);
        }
        failure.exit_code()
    });
    process::ExitCode::from(code as u8)
}

/// `-cp`, as everybody writes it who comes from Java; what follows `--` is the program's.
fn java_habits(args: impl Iterator<Item = std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let mut args: Vec<_> = args.collect();
    let end = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    for arg in &mut args[..end] {
        if ["-cp", "-classpath", "--classpath"].iter().any(|habit| arg == habit) {
            *arg = "--class-path".into();
        }
    }
    args
}

fn run(cli: &mut Cli, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    if let Some((model, options)) = cli.command.subject() {
        allways_session::settle_model(model, &mut options.settings)?;
    }
    let code = match &mut cli.command {
        Command::Check(args) => check::run(args, terminal),
        Command::Outcomes(args) => outcomes::run(args, terminal),
        Command::Certify(args) => certify::run(args, terminal),
        Command::Replay(args) => replay::run(args, terminal),
        Command::Simulate(args) => simulate::run(args, terminal),
        Command::Graph(args) => graph::run(args, terminal),
        Command::Automaton(args) => automaton::run(args, terminal),
        Command::JavaApi(args) => java_api::run(args, terminal),
    }?;
    terminal.flush()?;
    Ok(code)
}
