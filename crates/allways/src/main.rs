//! The command line: `allways check`, `replay`, `simulate` and `graph`.
//!
//! The only crate that joins front ends, searches and reports. Each command is a function from its arguments to an
//! exit code; whatever goes wrong on the way is a [`failure::Failure`], printed once, here. A reader that goes away (a
//! closed pipe) ends a command quietly.

mod check;
mod choices;
mod cli;
mod counterexample;
mod failure;
mod files;
mod graph;
mod interactive;
mod interrupt;
mod load;
mod progress;
mod random;
mod replay;
mod simulate;
mod terminal;
#[cfg(test)]
mod toy;
mod view;

use clap::Parser;
use cli::{Cli, Command};
use std::process;
use terminal::Terminal;

fn main() -> process::ExitCode {
    let cli = Cli::parse();
    let mut terminal = Terminal::new(cli.color);
    let result = match &cli.command {
        Command::Check(args) => check::run(args, &mut terminal),
        Command::Replay(args) => replay::run(args, &mut terminal),
        Command::Simulate(args) => simulate::run(args, &mut terminal),
        Command::Graph(args) => graph::run(args, &mut terminal),
    };
    let code = result.and_then(|code| terminal.flush().map(|()| code)).unwrap_or_else(|failure| {
        let _ = terminal.flush();
        if !failure.is_closed_pipe() {
            terminal.complain(&failure);
        }
        failure.exit_code()
    });
    process::ExitCode::from(code as u8)
}
