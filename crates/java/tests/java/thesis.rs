//! The programs of chapter 8 of N. Shafiei's thesis on model checking distributed Java, in words of our own:
//! what is true of them, and no more states than the thesis gives.
//!
//! Not done: its versions that are centralized by hand.

use crate::compile;
use allways_java::{ClassPath, FailureKind, Failures, Options, Program, Setup, Topology};
use allways_model::{Lessons, ViolationKind};
use allways_search::{Config, End, Outcome, Strategy, refine, search};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// A program, its server and clients, and how many states the thesis gives (tables 8.3, 8.6, 8.9 and 8.13).
const RIGHT: &[(&str, &str, &str, u64)] = &[
    ("Echo", "plain", "client 1", 21),
    ("Echo", "plain", "client 5", 114),
    ("Echo", "plain", "client 10", 319),
    ("Daytime", "1 ok", "client", 20),
    ("Daytime", "2 ok", "client", 367),
    ("Daytime", "3 ok", "client", 7_648),
    ("Daytime", "4 ok", "client", 310_789),
    ("Chat", "1 1 ok", "client", 73),
    ("Chat", "2 1 ok", "client", 3_148),
    ("Chat", "3 1 ok", "client", 93_016),
    ("Chat", "2 2 ok", "client", 139_056),
    ("Alphabet", "1 ok", "client 1 1", 597),
    ("Alphabet", "1 ok", "client 1 5", 3_809),
    ("Alphabet", "2 ok", "client 2 1", 77_995),
    ("Alphabet", "2 ok", "client*2 1 1", 320_899),
];

/// The seeded bugs of section 8.5, what is found, and how many transitions the thesis' shortest trace has
/// (table 8.16, and the text).
const SEEDED: &[(&str, &str, &str, ViolationKind, usize)] = &[
    ("Daytime", "1 seeded", "client", ViolationKind::Deadlock, 7),
    ("Daytime", "3 seeded", "client", ViolationKind::Deadlock, 21),
    ("Chat", "2 2 stream", "client", ViolationKind::Exception, 10),
    ("Chat", "2 2 array", "client", ViolationKind::Exception, 24),
    ("Alphabet", "1 seeded", "client 1 1", ViolationKind::Assertion, 5),
];

/// The programs on one class library.
struct Base(Program);

impl Base {
    fn new() -> Self {
        // Tests run at the same time.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let directory = compile::directory(&format!("thesis-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/thesis");
        let files: Vec<PathBuf> = ["Echo", "Daytime", "Chat", "Alphabet"]
            .map(|name| PathBuf::from(sources).join(format!("{name}.java")))
            .into();
        compile::javac(&files, &directory);
        let mut path = ClassPath::default();
        path.push(&directory).expect("the directory is there");
        let topology = topology("Echo", "plain", "client 1");
        let (main, args) = (&topology.members[0].main, &topology.members[0].args);
        let setup = Setup { jdk: None, main, args, options: Options::default(), sources: Vec::new() };
        Self(Program::of_processes(&setup, path, &topology).expect("the program loads"))
    }

    fn search(
        &self,
        (name, server, client): (&str, &str, &str),
        options: Options,
        strategy: Strategy,
    ) -> Outcome {
        let program = self.0.sibling_of_processes(&topology(name, server, client), options);
        let program = program.expect("the program loads");
        let mut lessons = Lessons::new();
        let all_errors = options.failures.any();
        let config = Config { all_errors, reduce: program.is_ordered(), ..Config::new(1) };
        refine(&config, Instant::now(), &mut lessons, &(), |config| search(&program, strategy, &(), config))
    }
}

/// `client*2 1 1` are two clients; otherwise there are as many as the server's first argument says, but for
/// one program whose clients have several connections.
fn topology(name: &str, server: &str, client: &str) -> Topology {
    let n = server.split(' ').next().and_then(|n| n.parse().ok()).filter(|_| name != "Alphabet").unwrap_or(1);
    let (n, client) = match client.strip_prefix("client*2") {
        Some(rest) => (2, format!("client{rest}")),
        None => (n, client.to_owned()),
    };
    let values = [format!("server={name} server {server}"), format!("client*{n}={name} {client}")];
    Topology::parse(values.iter().map(String::as_str), ["server"].into_iter(), std::iter::empty())
        .expect("it is well formed")
}

#[test]
fn programs_of_the_thesis_hold_with_no_more_states() {
    let base = Base::new();
    println!("{:28} {:>9} {:>9}", "program", "states", "thesis");
    for &(name, server, client, most) in RIGHT {
        let found = base.search((name, server, client), Options::default(), Strategy::Dfs);
        let what = format!("{name} {server}, {client}");
        println!("{what:28} {:>9} {most:>9}", found.stats.states);
        assert!(matches!(found.end, End::Exhausted) && found.findings.is_empty(), "{what}: {:?}", found.end);
        assert!(found.stats.states <= most, "{what}: {} states", found.stats.states);
    }
}

#[test]
fn seeded_bugs_of_the_thesis_are_found() {
    let base = Base::new();
    println!("{:28} {:>9} {:>9}", "program", "steps", "thesis");
    for &(name, server, client, kind, n_steps) in SEEDED {
        let found = base.search((name, server, client), Options::default(), Strategy::Bfs);
        let what = format!("{name} {server}, {client}");
        let first = found.findings.first().unwrap_or_else(|| panic!("{what}: {:?}", found.end));
        println!("{what:28} {:>9} {n_steps:>9}", first.path.steps.len());
        assert_eq!(first.violation.kind(), kind, "{what}: {}", first.violation.message());
    }
}

/// The deadlock of the thesis' figure 8.1 needs a connection that breaks; a server that knows what that means
/// has none.
#[test]
fn the_deadlock_of_echo_takes_a_reset() {
    let base = Base::new();
    for (server, budget, is_stuck) in [("plain", 0, false), ("plain", 1, true), ("repaired", 1, false)] {
        let mut failures = Failures::up_to(budget);
        failures.add(FailureKind::Reset);
        let options = Options { failures, ..Options::default() };
        let found = base.search(("Echo", server, "client 1"), options, Strategy::Bfs);
        let messages: Vec<String> = found.findings.iter().map(|one| one.violation.message()).collect();
        let meant = "server main waits for a connection on port 9001";
        assert_eq!(
            messages.iter().any(|one| one.contains(meant)),
            is_stuck,
            "{server} {budget}: {messages:?}"
        );
        assert_eq!(messages.is_empty(), budget == 0, "{server} {budget}: {messages:?}");
    }
}
