//! Several processes in one search: random programs against the reference of `allways_testkit::random_net`,
//! with every reduction and without, and the laws of models.
//!
//! The reference enumerates the ways in which all processes can end. The long form is
//! `random_processes_end_as_in_the_reference_at_length`, which `cargo xtask soak` runs.

use crate::compile;
use allways_java::end::{ends_of, is_last_resort};
use allways_java::{ClassPath, FailureKind, Failures, Options, Program, Setup, Topology};
use allways_model::{Batch, Halt, Lesson, Lessons, Model, Refined};
use allways_search::{Config, End, Expanded, Limits, Observer, StateRef, Steps, Strategy, refine, search};
use allways_testkit::random_net::{self, Outcome, SCRIPT};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// The states that lead nowhere.
#[derive(Default)]
struct Ends(Mutex<HashMap<StateRef, Vec<u8>>>);

impl Observer for Ends {
    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.lock().expect("no panic").insert(at, vector.to_vec());
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

/// Compiles the class that runs scripts.
fn scripts() -> PathBuf {
    // Several tests may run at once.
    static ONCE: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut once = ONCE.lock().expect("no panic");
    once.get_or_insert_with(|| {
        let directory = compile::directory("processes");
        let file = directory.join("Script.java");
        std::fs::write(&file, SCRIPT).expect("the build's directory is writable");
        compile::javac(&[file], &directory);
        directory
    })
    .clone()
}

/// A program of the class library that all tests share.
struct Base(Program);

impl Base {
    fn new() -> Self {
        let topology = topology(&["p=Script L1000_A_R1".into(), "q=Script C1000_W1_K".into()], &[]);
        let mut path = ClassPath::default();
        path.push(&scripts()).expect("the directory is there");
        let first = topology.members[0].clone();
        let options = Options::default();
        let setup = Setup { jdk: None, main: &first.main, args: &first.args, options, sources: Vec::new() };
        Self(Program::of_processes(&setup, path, &topology).expect("the program loads"))
    }

    fn load(&self, values: &[String], after: &[&str], options: Options) -> Program {
        self.0.sibling_of_processes(&topology(values, after), options).expect("the program loads")
    }
}

fn topology(values: &[String], after: &[&str]) -> Topology {
    let services = std::iter::empty();
    let topology = Topology::parse(values.iter().map(String::as_str), after.iter().copied(), services);
    topology.expect("it is well formed")
}

fn values(program: &random_net::Program) -> Vec<String> {
    let all = 0..program.processes.len();
    all.map(|process| format!("p{process}=Script {}", program.arguments(process).join(" "))).collect()
}

/// A form of the search.
#[derive(Clone, Copy, Debug)]
struct Form {
    acquires: bool,
    order: bool,
    everything: bool,
    workers: usize,
    strategy: Strategy,
}

const ALL: [Form; 6] = [
    Form { acquires: true, order: true, everything: false, workers: 1, strategy: Strategy::Dfs },
    Form { acquires: true, order: true, everything: false, workers: 2, strategy: Strategy::Bfs },
    Form { acquires: false, order: true, everything: false, workers: 1, strategy: Strategy::Dfs },
    Form { acquires: true, order: false, everything: false, workers: 2, strategy: Strategy::Dfs },
    Form { acquires: false, order: false, everything: false, workers: 1, strategy: Strategy::Bfs },
    Form { acquires: false, order: false, everything: true, workers: 1, strategy: Strategy::Dfs },
];

fn options(form: Form, buffer: usize) -> Options {
    let mut options = Options {
        keep_output: true,
        socket_buffer: buffer as u32,
        until_conflict: !form.everything,
        ..Options::default()
    };
    (options.form.acquires, options.form.order) = (form.acquires, form.order);
    options
}

/// What may fail.
fn failures(budget: usize, kinds: &[&str]) -> Failures {
    let mut failures = Failures::up_to(budget as u32);
    kinds.iter().for_each(|kind| failures.add(FailureKind::of(kind).expect("a known kind")));
    failures
}

/// How the processes of a program can end, and how many states that took; `None` if there are too many.
fn outcomes(program: &Program, form: Form) -> Option<(BTreeSet<Outcome>, u64)> {
    let limits = Limits { states: Some(60_000), ..Limits::NONE };
    let config = Config { all_errors: true, reduce: form.order, limits, ..Config::new(form.workers) };
    let (mut lessons, ends) = (Lessons::new(), Ends::default());
    let found = refine(&config, Instant::now(), &mut lessons, &ends, |config| {
        search(program, form.strategy, &ends, config)
    });
    match &found.end {
        End::Exhausted | End::Violated => {}
        End::Bounded(_) | End::Cut(_) => return None,
        other => panic!("{other:?}"),
    }
    let ends = ends.0.into_inner().expect("no panic");
    let of_process = |end: allways_java::end::End| match (end.killed, end.ended) {
        (true, _) => Some(random_net::KILLED.to_owned()),
        (_, ended) => ended.map(|_| end.output),
    };
    let of = |state: &Vec<u8>| ends_of(state).into_iter().map(of_process).collect();
    Some((ends.values().map(of).collect(), found.stats.states))
}

/// Holds random programs against the reference; at most one in twenty may be too large.
fn compare(seeds: std::ops::Range<u64>, generate: impl Fn(u64) -> random_net::Program) {
    let base = Base::new();
    let (n_seeds, mut n_large) = (seeds.end - seeds.start, 0);
    let mut states = [0; ALL.len()];
    let mut wrong = Vec::new();
    for seed in seeds {
        let random = generate(seed);
        let Some(expected) = random.outcomes(random_net::MAX_STATES) else {
            n_large += 1;
            continue;
        };
        // Without any reduction, operations of two threads on all that both can reach are too many, and so
        // are the states in which a process can be killed.
        let has_threads = random.processes.iter().any(|threads| threads.len() > 1)
            || ["crash", "terminate"].iter().any(|kind| random.kinds.contains(kind));
        for (form, sum) in
            ALL.into_iter().zip(&mut states).filter(|(form, _)| !(form.everything && has_threads))
        {
            let failures = failures(random.budget, &random.kinds);
            let options = Options { failures, ..options(form, random.buffer) };
            let program = base.load(&values(&random), &[], options);
            let Some((found, n_states)) = outcomes(&program, form) else {
                n_large += 1;
                break;
            };
            *sum += n_states;
            if found != expected {
                let missing: Vec<_> = expected.difference(&found).take(3).collect();
                let extra: Vec<_> = found.difference(&expected).take(3).collect();
                wrong.push(format!(
                    "seed {seed}, {form:?}, {failures}, buffer {}: {:?}\n  missing {missing:?}\n  extra {extra:?}",
                    random.buffer,
                    values(&random)
                ));
                break;
            }
        }
    }
    println!("{n_seeds} programs, {n_large} too large; states {states:?}");
    assert!(wrong.is_empty(), "{} of {n_seeds} programs differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(20 * n_large <= n_seeds, "{n_large} of {n_seeds} programs are too large");
}

#[test]
fn random_processes_end_as_in_the_reference() {
    compare(0..16, random_net::generate);
}

#[test]
fn random_processes_with_failures_end_as_in_the_reference() {
    compare(0..12, random_net::generate_with_failures);
}

#[test]
#[ignore = "takes minutes"]
fn random_processes_end_as_in_the_reference_at_length() {
    let n: u64 = std::env::var("MAX").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    compare(16..16 + n, random_net::generate);
    compare(16..16 + n, random_net::generate_with_failures);
}

/// The verdict of scripts: the messages of what goes wrong.
fn verdict(base: &Base, values: &[&str], after: &[&str], failures: Failures) -> BTreeSet<String> {
    let values: Vec<String> = values.iter().map(|one| (*one).to_owned()).collect();
    let mut all = Vec::new();
    for form in ALL {
        let options = Options { keep_output: false, failures, ..options(form, 1000) };
        let program = base.load(&values, after, options);
        let mut lessons = Lessons::new();
        let config = Config { all_errors: true, reduce: form.order, ..Config::new(form.workers) };
        let found = refine(&config, Instant::now(), &mut lessons, &(), |config| {
            search(&program, form.strategy, &(), config)
        });
        let messages = found.findings.iter().map(|finding| finding.violation.message());
        all.push(messages.collect::<BTreeSet<String>>());
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{values:?}: {all:?}");
    all.remove(0)
}

#[test]
fn deadlocks_name_processes_and_what_they_wait_for() {
    let base = Base::new();
    for (values, after, parts) in [
        (
            &["server=Script L1000_A_R1", "client=Script C1000_R1"][..],
            &["server"][..],
            &["server main waits for data from client", "client main waits for data from server"][..],
        ),
        (
            &["server=Script L1000_A", "client=Script -"],
            &["server"],
            &["server main waits for a connection on port 1000"],
        ),
        (
            &["a=Script L1000_A", "b=Script L1001_A"],
            &[],
            &["a main waits for", "b main waits for a connection on port 1001"],
        ),
    ] {
        for failures in [Failures::default(), failures(2, &["refuse", "silence", "accept"])] {
            // Failures that are left over do not let a thread go on.
            let found = verdict(&base, values, after, failures);
            let is_meant = |message: &&String| parts.iter().all(|part| message.contains(part));
            assert!(found.iter().any(|message| is_meant(&message)), "{failures}: {found:?}");
        }
        let found = verdict(&base, values, after, Failures::default());
        assert!(found.len() == 1, "{found:?}");
        let message = found.first().expect("there is one");
        assert!(
            message.starts_with("deadlock: ") && parts.iter().all(|part| message.contains(part)),
            "{message}"
        );
    }
    // With no error there is no message.
    let values = ["server=Script L1000_A_R1", "client*2=Script C1000_W1"];
    let silent = verdict(&base, &values, &["server"], Failures::default());
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn the_laws_of_models_hold_of_systems() {
    let base = Base::new();
    let all = (0..5).map(random_net::generate).chain((0..5).map(random_net::generate_with_failures));
    for (seed, random) in all.enumerate() {
        let has_failures = random.budget > 0;
        for form in [ALL[0], ALL[5]].into_iter().filter(|form| !(form.everything && has_failures)) {
            let failures = failures(random.budget, &random.kinds);
            let options = Options { failures, ..options(form, random.buffer) };
            let program = base.load(&values(&random), &[], options);
            let config = Config { all_errors: true, ..Config::new(1) };
            let mut lessons = Lessons::new();
            refine(&config, Instant::now(), &mut lessons, &(), |config| {
                search(&program, Strategy::Dfs, &(), config)
            });
            if let Err(found) = allways_testkit::laws::check(&Refined::new(&program, &lessons), 40) {
                panic!(
                    "seed {seed}: {}: {}",
                    found.law,
                    found.detail.chars().take(2_000).collect::<String>()
                );
            }
        }
    }
}

/// A step of one process leaves the parts of all others as they are.
#[test]
fn a_step_changes_one_process_and_the_network() {
    let base = Base::new();
    let values = ["a=Script L1000_A_W1_R1", "b=Script C1000_W1_R1", "c=Script L1001"].map(String::from);
    let program = base.load(&values, &[], options(ALL[4], 1000));
    let mut cursor = program.cursor(Lessons::none());
    let (mut waiting, mut seen, mut batch) = (Vec::new(), BTreeSet::new(), Batch::new());
    cursor.initial(&mut batch).expect("it begins");
    waiting.push(batch.vector(0).to_vec());
    while let Some(state) = waiting.pop() {
        batch.clear();
        cursor.load(&state);
        match cursor.expand(&mut batch) {
            Ok(()) | Err(Halt::Refine(_)) => {}
            Err(halt) => panic!("{halt:?}"),
        }
        for (idx, entry) in batch.entries().iter().enumerate() {
            let (before, after) = (ends_of(&state), ends_of(batch.vector(idx)));
            let changed = (0..before.len()).filter(|&at| before[at] != after[at]);
            let process = (entry.key.0 >> 56) as usize;
            assert!(changed.into_iter().all(|at| at == process), "{before:?} {after:?}");
            if seen.insert(batch.vector(idx).to_vec()) {
                waiting.push(batch.vector(idx).to_vec());
            }
        }
    }
    assert!(seen.len() > 20, "{} states", seen.len());
}

#[test]
fn budgets_nest() {
    let base = Base::new();
    let values = ["a=Script L1000_A_W1_R1", "b=Script C1000_W1_T1"].map(String::from);
    let kinds: Vec<&str> = FailureKind::ALL.iter().map(|(name, _)| *name).collect();
    let mut last = BTreeSet::new();
    for budget in 0..=2 {
        let options = Options { failures: failures(budget, &kinds), ..options(ALL[0], 1000) };
        let (found, _) = outcomes(&base.load(&values, &[], options), ALL[0]).expect("it is small");
        assert!(last.is_subset(&found) && last.len() < found.len(), "{budget}: {last:?} {found:?}");
        last = found;
    }
}

/// For each kind of failure: a pair of programs that is right without it and wrong with it, and how; and one
/// that survives it.
const KINDS: [(&str, &str); 9] = [
    ("reset", "SocketException: Connection reset"),
    ("refuse", "ConnectException: Connection refused"),
    ("timeout", "ConnectException: Connection timed out"),
    ("accept", "SocketException: Too many open files"),
    ("silence", "client main waits for data from server"),
    ("crash", "no answer"),
    ("terminate", "no answer"),
    ("short-reads", "1 byte"),
    ("delay", "not there"),
];

/// Two processes that wait for each other's data, in threads that no other thread of theirs can help, and one
/// that goes on without end; and the same where another thread closes one of the sockets.
const CIRCLE: &str = "import java.net.*;
public class Circle {
    static volatile int beat;
    public static void main(String[] args) throws Exception {
        if (args[0].equals(\"spin\")) while (true) beat = 1 - beat;
        Socket socket = args[0].equals(\"listen\") ? new ServerSocket(4000).accept() : new Socket(\"localhost\", 4000);
        if (args.length > 1) new Thread(() -> {
            while (beat == 0) { }
            try { socket.close(); } catch (java.io.IOException e) { }
        }).start();
        try { socket.getInputStream().read(); } catch (SocketException e) { }
    }
}
";

#[test]
fn a_closed_set_of_threads_is_stuck_while_others_go_on() {
    let directory = compile::directory("circle");
    let file = directory.join("Circle.java");
    std::fs::write(&file, CIRCLE).expect("the build's directory is writable");
    compile::javac(&[file], &directory);
    for (client, is_stuck) in [("connect", true), ("connect closes", false)] {
        let values = ["a=Circle listen".into(), format!("b=Circle {client}"), "c=Circle spin".into()];
        let topology = topology(&values, &["a"]);
        let mut path = ClassPath::default();
        path.push(&directory).expect("the directory is there");
        let (main, args) = (&topology.members[0].main, &topology.members[0].args);
        let setup = Setup { jdk: None, main, args, options: Options::default(), sources: Vec::new() };
        let program = Program::of_processes(&setup, path, &topology).expect("the program loads");
        let mut lessons = Lessons::new();
        let config = Config { all_errors: true, ..Config::new(1) };
        let found = refine(&config, Instant::now(), &mut lessons, &(), |config| {
            search(&program, Strategy::Dfs, &(), config)
        });
        let messages: Vec<String> = found.findings.iter().map(|one| one.violation.message()).collect();
        let meant = "deadlock: a main waits for data from b (Circle.java:11); b main waits for data from a \
                     (Circle.java:11)";
        assert_eq!(messages, if is_stuck { vec![meant] } else { Vec::new() }, "{client}");
    }
}

#[test]
fn each_kind_of_failure_breaks_a_program_that_another_survives() {
    let directory = compile::directory("failures");
    let file = directory.join("Faults.java");
    std::fs::write(&file, include_str!("failures/Faults.java")).expect("the build's directory is writable");
    compile::javac(&[file], &directory);
    let topology = |how: &str| {
        let values = [format!("server=Faults server {how}"), format!("client=Faults client {how}")];
        topology(&values, &["server"])
    };
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let first = topology("robust reset");
    let (main, args) = (&first.members[0].main, &first.members[0].args);
    let setup = Setup { jdk: None, main, args, options: Options::default(), sources: Vec::new() };
    let base = Program::of_processes(&setup, path, &first).expect("the program loads");
    for (kind, part) in KINDS {
        for (how, budget, is_right) in [("naive", 0, true), ("naive", 1, false), ("robust", 1, true)] {
            let kinds = if budget == 0 { &[][..] } else { &[kind][..] };
            let options = Options { failures: failures(budget, kinds), ..Options::default() };
            let program = base.sibling_of_processes(&topology(&format!("{how} {kind}")), options);
            let program = program.expect("the program loads");
            let mut lessons = Lessons::new();
            let config = Config { all_errors: true, ..Config::new(1) };
            let found = refine(&config, Instant::now(), &mut lessons, &(), |config| {
                search(&program, Strategy::Dfs, &(), config)
            });
            let messages: Vec<String> = found.findings.iter().map(|one| one.violation.message()).collect();
            let is_wrong = messages.iter().any(|message| message.contains(part));
            let is_as_meant = if is_right { messages.is_empty() } else { is_wrong };
            assert!(is_as_meant, "{how} {kind}, {budget} failures: {messages:?}");
            assert!(matches!(found.end, End::Exhausted | End::Violated), "{how} {kind}: {:?}", found.end);
        }
    }
}
