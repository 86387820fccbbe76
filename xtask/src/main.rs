//! The project's own tasks, run as `cargo xtask TASK`.

mod bench;
mod cases;
mod certificates;
mod claims;
mod corpus;
mod crates;
mod differential;
mod java_api;
mod natives;
mod same_java;
mod soak;
mod test;
mod tidy;
mod width;
mod with_dynamic;

use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask TASK
  test                            everything that must pass before a change lands
  soak [FILTER]                   the long comparisons: large cases and many seeds, for hours
  tidy                            house rules that no compiler checks
  corpus [--max STATES] [FILTER]  exact counts against SPIN's recorded figures; products (--max-product) against SPIN itself;
                                  with --dynamic: the same states with and without the dynamic extension
  differential [PART] [FROM..TO]  exact counts against SPIN on random models: safety, claims or both
  certificates [FILTER]           every certificate is accepted: corpus, examples, Java; all searches and reductions
  crates                          draws which crate uses which, docs/crates.svg
  natives                         writes docs/java-natives.md: what the Java machine does itself
  java-api                        writes the Java classes that come with the checker, from their sources
  same-java [DIRECTORY]...        the same bytes in every process: Java examples, random programs, files of directories
  bench [PART] [FILTER]           speed, memory, reduction, threads and liveness against SPIN, models with pointers, Java against Java PathFinder; bench --help tells more";

/// The tasks that measure, or compute for a long time: they run without assertions.
const IN_RELEASE: [&str; 2] = ["bench", "soak"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    if cfg!(debug_assertions) && args.first().is_some_and(|task| IN_RELEASE.contains(&task.as_str())) {
        return again_in_release(&args);
    }
    let ok = match args.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("soak") => soak::run(rest),
        Some("tidy") => tidy::run(),
        Some("corpus") => corpus::run(rest),
        Some("differential") => differential::run(rest),
        Some("certificates") => certificates::run(rest),
        Some("crates") => crates::run(),
        Some("natives") => natives::run(),
        Some("java-api") => java_api::run(),
        Some("same-java") => same_java::run(rest),
        Some("bench") => bench::run(rest),
        _ => {
            eprintln!("{USAGE}");
            false
        }
    };
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the same task in a release build. Other tasks share the build of the tests.
fn again_in_release(args: &[String]) -> ExitCode {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--release", "--package", "xtask", "--"]).args(args);
    if command.status().is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
