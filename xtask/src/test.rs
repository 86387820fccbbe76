//! Everything that must pass: formatting, lints, tidiness, tests, documentation, and exact counts against
//! SPIN. What the tests need (SPIN, a JDK) is installed first.

use crate::{corpus, differential, tidy};
use std::process::Command;
use std::time::Instant;

/// Corpus models up to this many states are compared; `cargo xtask corpus` and `cargo xtask soak` compare all
/// of them.
const MAX_CORPUS_STATES: &str = "600000";
/// The same for products with claims, for each of which SPIN has to run.
const MAX_PRODUCT_STATES: &str = "30000";
/// Random models compared with SPIN; `cargo xtask soak` compares more.
const RANDOM_MODELS: &str = "0..60";

pub(crate) fn run() -> bool {
    install("spin", "-V", "spin");
    // Debian's own choice, where there is no package of this name.
    if !install("javac", "-version", "openjdk-17-jdk-headless") {
        install("javac", "-version", "default-jdk-headless");
    }
    let cargo = [
        ["fmt", "--all", "--check"].as_slice(),
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        &["test", "--workspace", "--no-fail-fast"],
        &[
            "test",
            "--manifest-path",
            "crates/store/interleavings/Cargo.toml",
            "--target-dir",
            "target/interleavings",
        ],
        &["doc", "--workspace", "--no-deps"],
    ];
    let mut failed = Vec::new();
    for args in cargo {
        println!("==> cargo {}", args.join(" "));
        let doc = args[0] == "doc";
        let mut command = Command::new(env!("CARGO"));
        command.args(args);
        if doc {
            command.env("RUSTDOCFLAGS", "-D warnings");
        }
        let start = Instant::now();
        if !command.status().is_ok_and(|status| status.success()) {
            failed.push(args.join(" "));
        }
        println!("==> {:.0} s", start.elapsed().as_secs_f64());
    }
    for (name, task) in [
        ("tidy", tidy::run as fn() -> bool),
        ("corpus", || {
            corpus::run(&["--max", MAX_CORPUS_STATES, "--max-product", MAX_PRODUCT_STATES].map(String::from))
        }),
        ("differential", || differential::run(&[RANDOM_MODELS.into()])),
    ] {
        println!("==> {name}");
        let start = Instant::now();
        if !task() {
            failed.push(name.into());
        }
        println!("==> {:.0} s", start.elapsed().as_secs_f64());
    }
    for name in &failed {
        println!("FAILED: {name}");
    }
    failed.is_empty()
}

/// Installs what has a program from the system's packages where that is possible, and says whether it is
/// there then. Without SPIN the tests that need it are skipped; without a JDK those of Java fail and say so.
fn install(program: &str, version: &str, package: &str) -> bool {
    let is_present = || Command::new(program).arg(version).output().is_ok();
    if is_present() {
        return true;
    }
    println!("==> installing {package} from the system's packages");
    for args in [["update", "-qq"].as_slice(), &["install", "-y", "-qq", package]] {
        let _ = Command::new("apt-get").args(args).status();
    }
    is_present()
}
