//! The project's own tasks, run as `cargo xtask TASK`.

mod bench;
mod cases;
mod claims;
mod corpus;
mod differential;
mod java_api;
mod natives;
mod same_java;
mod test;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask TASK
  test                            everything that must pass before a change lands
  tidy                            house rules that no compiler checks
  corpus [--max STATES] [FILTER]  exact counts against SPIN's recorded figures; products (--max-product) against SPIN itself
  differential [PART] [FROM..TO]  exact counts against SPIN on random models: safety, claims or both
  natives                         writes docs/java-natives.md: what the Java machine does itself
  java-api                        writes the Java classes that come with the checker, from their sources
  same-java [DIRECTORY]...        the same bytes in every process: Java examples, random programs, files of directories
  bench [PART] [FILTER]           speed, memory, reduction, threads and liveness against SPIN, Java against Java PathFinder; bench --help tells more";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let ok = match args.first().map(String::as_str) {
        Some("test") => test::run(),
        Some("tidy") => tidy::run(),
        Some("corpus") => corpus::run(rest),
        Some("differential") => differential::run(rest),
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
