//! What several processes must not share (monitors of static objects, classes and strings, static fields),
//! and the edges of systems: an exit in an initialiser, 64 processes, sockets that are never closed, a
//! process that talks to itself.
//!
//! The cases are those of section 3.2.1 of N. Shafiei's thesis, and mistakes that Java PathFinder makes with
//! sockets.

use crate::compile;
use allways_java::{ClassPath, Options, Program, Setup, Topology};
use allways_model::Lessons;
use allways_search::{Config, End, Strategy, refine, search};
use std::path::PathBuf;
use std::time::Instant;

/// Processes, those that begin first, and what is found: nothing, or a part of the only message.
const CASES: &[(&[&str], &[&str], &str)] = &[
    (&["s=Limits out-server", "c=Limits out-client"], &["s"], ""),
    (&["s=Limits class-server", "c=Limits class-client"], &["s"], ""),
    (&["s=Limits string-server", "c=Limits string-client ck"], &["s"], ""),
    (&["r*2=Limits reflect"], &[], ""),
    (&["i=Limits initialiser", "w=Limits waits"], &[], "thread i main ends the process with exit status 3"),
    (&["p*64=Limits nothing"], &[], ""),
    (&["s=Limits leaks-server 30", "c=Limits leaks-client 30"], &["s"], ""),
    (&["s=Limits itself"], &[], ""),
];

#[test]
fn processes_share_nothing_but_the_network() {
    let directory = compile::directory("limits");
    let source = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/processes/Limits.java"));
    compile::javac(&[source], &directory);
    let topology = |processes: &[&'static str], after: &[&'static str]| {
        let services = std::iter::empty();
        Topology::parse(processes.iter().copied(), after.iter().copied(), services)
            .expect("it is well formed")
    };
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let first = topology(CASES[0].0, CASES[0].1);
    let (main, args) = (&first.members[0].main, &first.members[0].args);
    let setup = Setup { jdk: None, main, args, options: Options::default(), sources: Vec::new() };
    let base = Program::of_processes(&setup, path, &first).expect("the program loads");
    for &(processes, after, message) in CASES {
        for order in [true, false] {
            // In every order, 64 processes that do nothing have 2^64 states.
            if !order && processes[0].contains("64") {
                continue;
            }
            let mut options = Options::default();
            options.form.order = order;
            let program = base.sibling_of_processes(&topology(processes, after), options);
            let program = program.expect("the program loads");
            let mut lessons = Lessons::new();
            let config = Config { all_errors: true, reduce: program.is_ordered(), ..Config::new(1) };
            let found = refine(&config, Instant::now(), &mut lessons, &(), |config| {
                search(&program, Strategy::Dfs, &(), config)
            });
            let messages: Vec<String> = found.findings.iter().map(|one| one.violation.message()).collect();
            assert!(matches!(found.end, End::Exhausted | End::Violated), "{processes:?}: {:?}", found.end);
            match message {
                "" => assert!(messages.is_empty(), "{processes:?}: {messages:?}"),
                _ => assert!(
                    messages.len() == 1 && messages[0].contains(message),
                    "{processes:?}: {messages:?}"
                ),
            }
        }
    }
}
