//! The project's own tasks: `cargo xtask corpus`, `cargo xtask differential`, `cargo xtask bench`, `cargo xtask tidy`.

mod corpus;
mod differential;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let ok = match args.first().map(String::as_str) {
        Some("corpus") => corpus::run(&args[1..]),
        Some("differential") => differential::run(&args[1..]),
        _ => {
            eprintln!("usage: cargo xtask corpus [--max STATES] [FILTER] | differential [FROM..TO]");
            false
        }
    };
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
