//! The long comparisons: what `cargo xtask test` does on small cases and a few seeds, on large cases and many
//! seeds.
//!
//! They take hours, and print what they compared. The tests that are part of it are marked `#[ignore]`;
//! `SEEDS` and `MAX` have the meaning that each of them documents.

use crate::{certificates, corpus, differential, same_java};
use std::process::Command;

/// Random models compared with SPIN.
const RANDOM_MODELS: &str = "0..1000";

/// A test that is ignored because another test runs it in a process of its own.
const PART_OF_ANOTHER: &str = "same_in_this_process";

/// Runs all comparisons, or the tests whose names contain an argument.
pub(crate) fn run(args: &[String]) -> bool {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--release", "--workspace", "--no-fail-fast", "--lib", "--bins", "--tests", "--"]);
    command.args(["--ignored", "--nocapture", "--test-threads", "1", "--skip", PART_OF_ANOTHER]);
    println!("==> the tests that are ignored otherwise");
    let mut is_well = command.args(args).status().is_ok_and(|status| status.success());
    if args.is_empty() {
        for (name, task) in [
            ("corpus", (|| corpus::run(&[])) as fn() -> bool),
            ("differential", || differential::run(&[RANDOM_MODELS.into()])),
            ("certificates", || certificates::run(&[])),
            ("same-java", || same_java::run(&[])),
        ] {
            println!("==> {name}");
            is_well &= task();
        }
    }
    is_well
}
