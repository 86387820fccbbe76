//! Facts about sockets, taken from pairs of real Java machines: what a server and a client see, step by step,
//! is among what the checker's network gives them, and but for those marked with `~` all that it gives.
//!
//! `real_machines_give_the_facts` takes them again, on loopback; `cargo xtask soak` runs it.

use crate::compile;
use allways_java::end::{ends_of, is_last_resort};
use allways_java::{ClassPath, Options, Program, Setup, Topology};
use allways_model::{Lesson, Lessons};
use allways_search::{Config, End, Expanded, Observer, StateRef, Steps, Strategy, refine, search};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// Steps in one order, and what the server and the client see.
struct Fact {
    steps: &'static str,
    sees: [&'static str; 2],
    is_only: bool,
}

fn facts() -> Vec<Fact> {
    let lines: Vec<&str> =
        include_str!("../facts/facts.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let fact = |lines: &[&'static str]| {
        let [steps, server, client] = *lines else { panic!("three lines for each fact") };
        let is_only = !steps.starts_with('~');
        Fact { steps: steps.trim_start_matches('~'), sees: [server.trim(), client.trim()], is_only }
    };
    lines.chunks(3).map(fact).collect()
}

/// The directory with the program.
fn classes() -> PathBuf {
    let directory = compile::directory("facts");
    let source = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/facts/Facts.java"));
    compile::javac(&[source], &directory);
    directory
}

/// What the processes print in the states that lead nowhere.
#[derive(Default)]
struct Ends(Mutex<HashMap<StateRef, Vec<String>>>);

impl Observer for Ends {
    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        let printed = ends_of(vector).into_iter().map(|end| end.output.trim().to_owned()).collect();
        self.0.lock().expect("no panic").insert(at, printed);
        ControlFlow::Continue(())
    }

    fn steps(&self, from: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
        if steps.iter().any(|step| !is_last_resort(step.key)) {
            self.0.lock().expect("no panic").remove(&from);
        }
        ControlFlow::Continue(())
    }

    fn round(&self, _: &Lesson) {
        self.0.lock().expect("no panic").clear();
    }
}

fn topology(steps: &str) -> Topology {
    let values = ["server", "client"].map(|role| format!("{role}=Facts {role} 0 \"{steps}\""));
    Topology::parse(values.iter().map(String::as_str), std::iter::empty(), std::iter::empty())
        .expect("it is well formed")
}

#[test]
fn the_network_gives_what_real_machines_give() {
    let facts = facts();
    assert!(facts.len() >= 44, "{} facts", facts.len());
    let mut path = ClassPath::default();
    path.push(&classes()).expect("the directory is there");
    let first = topology(facts[0].steps);
    let (main, args) = (&first.members[0].main, &first.members[0].args);
    let options = Options { keep_output: true, ..Options::default() };
    let setup = Setup { jdk: None, main, args, options, sources: Vec::new() };
    let base = Program::of_processes(&setup, path, &first).expect("the program loads");
    for Fact { steps, sees, is_only } in facts {
        let program = base.sibling_of_processes(&topology(steps), options).expect("the program loads");
        let (mut lessons, ends) = (Lessons::new(), Ends::default());
        let config = Config { all_errors: true, reduce: program.is_ordered(), ..Config::new(1) };
        let found = refine(&config, Instant::now(), &mut lessons, &ends, |config| {
            search(&program, Strategy::Dfs, &ends, config)
        });
        assert!(matches!(found.end, End::Exhausted), "{steps}: {:?}", found.end);
        let given: BTreeSet<Vec<String>> = ends.0.into_inner().expect("no panic").into_values().collect();
        let seen: Vec<String> = sees.iter().map(|&line| line.to_owned()).collect();
        assert!(given.contains(&seen), "{steps}: {seen:?} is not among {given:?}");
        assert_eq!(given.len() == 1, is_only, "{steps}: {given:?}");
    }
}

#[test]
#[ignore = "runs two Java machines for half a minute"]
fn real_machines_give_the_facts() {
    let (facts, directory) = (facts(), classes());
    let run = |role: &str| {
        let mut command = Command::new("java");
        command.arg("-cp").arg(&directory).args(["Facts", role, "40"]);
        command.args(facts.iter().map(|fact| fact.steps)).stdout(Stdio::piped());
        command.spawn().expect("a JDK is needed")
    };
    let both = ["server", "client"].map(run);
    let both = both.map(|child| child.wait_with_output().expect("it ends"));
    let lines = both.map(|output| String::from_utf8(output.stdout).expect("text"));
    for (number, fact) in facts.iter().enumerate() {
        let sees = [0, 1].map(|role| lines[role].lines().nth(number).unwrap_or("nothing"));
        assert!(sees == fact.sees || !fact.is_only, "{}: {sees:?}", fact.steps);
    }
}
