//! Java programs give the same bytes in every process: the examples, random programs, the files of named
//! directories.
//!
//! Three processes search every program to the end, with all its errors:
//! 1. one worker, each program twice;
//! 2. two workers, in the opposite order of programs. What is known of conflicts is taken from the first
//!    process, since which conflicts are found first depends on the workers. Then once more without that, for
//!    the paths to errors;
//! 3. one worker, in the opposite order. It also replays the paths that two workers have found.
//!
//! Equal in all three: the numbers of states and transitions, a digest of the sorted set of state vectors,
//! the errors. Equal in the first and the last: the conflicts, and the paths to errors.

mod programs;

use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::{Lessons, Model, NotAFact, Path as Steps, Refined, StepKey};
use allways_search::{Config, End, Finding, Limits, Observer, Outcome, StateRef, Strategy, refine};
use allways_testkit::states::StateSet;
use programs::Run;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Instant;

/// Larger programs are not compared.
const MAX_STATES: u64 = 8_000;

/// What a child process is called with.
const CHILD: &str = "--child";

/// A line of what a process found: the program, the facts, the conflicts, the paths to errors, with tabs
/// between.
const FOUND: &str = "found\t";

/// Compares.
pub(crate) fn run(args: &[String]) -> bool {
    if let [child, workers, order, before @ ..] = args
        && child == CHILD
    {
        return search_all(workers == "2", order == "backwards", before.first());
    }
    let Some(runs) = programs::prepare(args) else { return false };
    println!("{} programs", runs.len());
    let [first, second] = ["first", "second"].map(|name| format!("{}/{name}", programs::DIRECTORY));
    let one = child(&["1", "forwards"]);
    let is_kept = std::fs::write(&first, one.join("\n")).is_ok();
    let two = child(&["2", "backwards", &first]);
    if !is_kept || std::fs::write(&second, two.join("\n")).is_err() {
        eprintln!("cannot write to {}", programs::DIRECTORY);
        return false;
    }
    let other = child(&["1", "backwards", &second]);
    report(&runs, &one, &two, &other)
}

/// Says what is not equal; whether all is well.
fn report(runs: &[Run], one: &[String], two: &[String], other: &[String]) -> bool {
    let (mut n_equal, mut n_left_out, mut is_well) = (0, 0, true);
    for run in runs {
        let of = |lines: &[String]| {
            let line =
                lines.iter().find_map(|line| line.strip_prefix(&format!("{run}\t")).map(str::to_owned));
            line.unwrap_or_else(|| "nothing".to_owned())
        };
        let (one, two, other) = (of(one), of(two), of(other));
        let facts = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
        if one != other || facts(&one) != facts(&two) {
            println!("{run} differs:\n  {one}\n  {other}\n  with two workers {two}");
            is_well = false;
        } else if one.starts_with("searched") {
            n_equal += 1;
        } else {
            println!("{run} is not compared: {one}");
            n_left_out += 1;
        }
    }
    let lost: Vec<&String> = other.iter().filter(|line| line.starts_with("lost")).collect();
    lost.iter().for_each(|line| println!("{line}"));
    println!("{n_equal} programs give the same bytes in every process, {n_left_out} were not compared");
    is_well && lost.is_empty() && n_equal > 0
}

/// What another process found, line by line.
fn child(args: &[&str]) -> Vec<String> {
    let Ok(this) = std::env::current_exe() else { return Vec::new() };
    match Command::new(this).args(["same-java", CHILD]).args(args).output() {
        Ok(output) => {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().filter_map(|line| line.strip_prefix(FOUND)).map(str::to_owned).collect()
        }
        Err(error) => {
            eprintln!("cannot run a process: {error}");
            Vec::new()
        }
    }
}

#[derive(Default)]
struct States(StateSet);

impl Observer for States {
    fn state(&self, _: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.add(vector);
        ControlFlow::Continue(())
    }
}

/// In a child process: searches all programs, with regard to what the process before has found.
fn search_all(is_parallel: bool, is_backwards: bool, before: Option<&String>) -> bool {
    let mut runs = programs::prepared();
    if is_backwards {
        runs.reverse();
    }
    let before = before.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    for run in &runs {
        let line = before.lines().find_map(|line| line.strip_prefix(&format!("{run}\t"))).unwrap_or_default();
        let mut found = search(run, is_parallel, &[]);
        if is_parallel {
            let known: Vec<String> = line.split('\t').nth(1).map_or_else(Vec::new, list);
            found.facts = search(run, true, &known).facts;
        } else if search(run, false, &[]) != found {
            println!("{FOUND}{run}\tdifferent the second time");
            continue;
        } else {
            for path in line.split('\t').skip(2) {
                if let Err(problem) = replay(run, path) {
                    println!("{FOUND}lost: {run}: {problem}: {path}");
                }
            }
        }
        let rest: String = found.paths.iter().map(|path| format!("\t{path}")).collect();
        println!("{FOUND}{run}\t{}\t{}{rest}", found.facts, found.known.join(","));
    }
    true
}

/// The words of a list.
fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn load(run: &Run) -> Result<Program, allways_java::Error> {
    let mut path = ClassPath::default();
    path.push(std::path::Path::new(&run.directory))?;
    let options = Options { keep_output: true, ..Options::default() };
    let setup = Setup { jdk: None, main: &run.main, args: &run.args, options, sources: Vec::new() };
    Program::new(&setup, path)
}

/// The last of the searches of a program.
fn exhaust(program: &Program, states: &mut States, workers: usize, lessons: &mut Lessons) -> Outcome {
    let limits = Limits { states: Some(MAX_STATES), ..Limits::NONE };
    let config = Config { all_errors: true, limits, max_findings: usize::MAX, ..Config::new(workers) };
    refine(&config, Instant::now(), lessons, &(), |config| {
        *states = States::default();
        allways_search::search(program, Strategy::Dfs, states, config)
    })
}

/// What a search found.
#[derive(Default, PartialEq, Eq)]
struct Found {
    /// What does not depend on the workers.
    facts: String,
    /// The conflicts.
    known: Vec<String>,
    /// The paths to errors.
    paths: Vec<String>,
}

/// Searches a program of which these conflicts are known.
fn search(run: &Run, is_parallel: bool, known: &[String]) -> Found {
    let not = |problem: String| Found { facts: problem, ..Found::default() };
    let program = match load(run) {
        Ok(program) => program,
        Err(problem) => return not(format!("not loaded: {problem}")),
    };
    let mut lessons: Lessons = match known.join("\n").parse() {
        Ok(lessons) => lessons,
        Err(problem) => return not(NotAFact::to_string(&problem)),
    };
    let mut states = States::default();
    let found = exhaust(&program, &mut states, if is_parallel { 2 } else { 1 }, &mut lessons);
    match &found.end {
        End::Bounded(_) | End::Cut(_) => return not("too many states".into()),
        End::Faulted(fault, _) => return not(format!("unsupported: {}", fault.message)),
        End::Exhausted | End::Violated | End::Refine => {}
    }
    let errors: BTreeSet<String> = found.findings.iter().map(|one| one.violation.id().to_string()).collect();
    let (digest, stats) = (states.0.digest(), &found.stats);
    let (n_states, n_transitions) = (stats.states, stats.transitions);
    let facts = format!("searched: {n_states} states, {n_transitions} transitions, {digest:x}, {errors:?}");
    let known: Vec<String> = lessons.to_string().lines().map(str::to_owned).collect();
    // One path to each error.
    let mut met = BTreeSet::new();
    let first = found.findings.iter().filter(|finding| met.insert(finding.violation.id()));
    let paths = first.map(|finding| shown(finding, &known)).collect();
    Found { facts, known, paths }
}

/// A path as text: what is known of conflicts, the keys, the error.
fn shown(finding: &Finding, known: &[String]) -> String {
    let keys: Vec<String> = finding.path.steps.iter().map(|key| format!("{:x}", key.0)).collect();
    format!("{}|{}|{}", known.join(","), keys.join(","), finding.violation.id())
}

/// Follows a path in this process.
fn replay(run: &Run, text: &str) -> Result<(), String> {
    let mut parts = text.splitn(3, '|');
    let mut part = || parts.next().unwrap_or_default();
    let (known, keys, expected) = (list(part()), list(part()), part());
    let program = load(run).map_err(|error| error.to_string())?;
    let lessons: Lessons = known.join("\n").parse().map_err(|error| format!("{error}"))?;
    let keys = keys.iter().map(|key| u64::from_str_radix(key, 16).map(StepKey));
    let steps = keys.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let replayed =
        allways_search::replay(&Refined::new(&program, &lessons), &Steps { model: program.digest(), steps })
            .map_err(|error| error.to_string())?;
    match replayed.violations.iter().any(|violation| violation.id().to_string() == expected) {
        true => Ok(()),
        false => Err("the path leads to another error".into()),
    }
}
