//! Java programs give the same bytes in every process: the examples, random programs and the files of any
//! directories named.
//!
//! Three processes search every program through, with all its errors: twice with one worker, the second time
//! in the opposite order of programs, and once with two workers. Each prints what it found of every program:
//! how many states and transitions, a digest of the sorted set of state vectors, the errors, what threads
//! were found to conflict about. These must be equal. So must the paths to errors with one worker. Those
//! found with two workers are followed in another process, and must lead to the same errors.

mod programs;

use allways_java::{ClassPath, Options, Program, Setup};
use allways_model::{Lessons, Model, Path as Steps, Refined, StepKey};
use allways_search::{Config, End, Finding, Limits, Observer, Outcome, StateRef, Strategy, refine};
use allways_testkit::states::StateSet;
use programs::Run;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::Command;
use std::time::Instant;

/// Larger programs are not compared.
const MAX_STATES: u64 = 60_000;

/// What a child process is called with.
const CHILD: &str = "--child";

/// A line of what a process found: the program, and what must be equal; then the paths to errors.
const FOUND: &str = "found\t";

/// Compares.
pub(crate) fn run(args: &[String]) -> bool {
    if let [child, workers, order, follow @ ..] = args
        && child == CHILD
    {
        return search_all(workers.parse().unwrap_or(1), order == "backwards", follow.first());
    }
    let Some(runs) = programs::prepare(args) else { return false };
    println!("{} programs", runs.len());
    let one = child(&["1", "forwards"]);
    let two = child(&["2", "backwards"]);
    let paths = programs::DIRECTORY.to_owned() + "/paths";
    if std::fs::write(&paths, two.join("\n")).is_err() {
        eprintln!("cannot write {paths}");
        return false;
    }
    let other = child(&["1", "backwards", &paths]);
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
        // The paths to errors come last: with two workers they may be others.
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
    fn open(&self, _: StateRef, vector: &[u8]) -> ControlFlow<()> {
        self.0.add(vector);
        ControlFlow::Continue(())
    }
}

/// In a child process: searches all programs; follows the paths that another process has found.
fn search_all(workers: usize, is_backwards: bool, follow: Option<&String>) -> bool {
    let mut runs = programs::prepared();
    if is_backwards {
        runs.reverse();
    }
    let followed = follow.and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    for run in &runs {
        let found = search(run, workers);
        // A second search in the same process.
        if workers == 1 && search(run, workers) != found {
            println!("{FOUND}{run}\tis different the second time");
            continue;
        }
        println!("{FOUND}{run}\t{found}");
        let line = followed.lines().find_map(|line| line.strip_prefix(&format!("{run}\t")));
        for path in line.iter().flat_map(|line| line.split('\t').skip(1)) {
            if let Err(problem) = replay(run, path) {
                println!("{FOUND}lost: {run}: {problem}: {path}");
            }
        }
    }
    true
}

fn load(run: &Run) -> Result<Program, String> {
    let mut path = ClassPath::default();
    path.push(std::path::Path::new(&run.directory))?;
    let options = Options { keep_output: true, ..Options::default() };
    let setup = Setup { jdk: None, main: &run.main, args: &run.args, options, sources: Vec::new() };
    Program::new(&setup, path)
}

/// The last of the searches of a program.
fn exhaust(program: &Program, states: &mut States, workers: usize, lessons: &mut Lessons) -> Outcome {
    let limits = Limits { states: Some(MAX_STATES), ..Limits::NONE };
    let config = Config { all_errors: true, limits, ..Config::new(workers) };
    refine(&config, Instant::now(), lessons, |config| {
        *states = States::default();
        allways_search::search(program, Strategy::Dfs, states, config)
    })
}

/// What must be equal of a program's search, and the paths to its errors.
fn search(run: &Run, workers: usize) -> String {
    let program = match load(run) {
        Ok(program) => program,
        Err(problem) => return format!("not loaded: {problem}"),
    };
    let mut states = States::default();
    let mut lessons = Lessons::new();
    let found = exhaust(&program, &mut states, workers, &mut lessons);
    match &found.end {
        End::Bounded(_) => return "too many states".into(),
        End::Faulted(fault, _) => return format!("unsupported: {}", fault.message),
        End::Exhausted | End::Violated | End::Refine => {}
    }
    let errors: BTreeSet<String> = found.findings.iter().map(|one| one.violation.id().to_string()).collect();
    let stats = &found.stats;
    let known: Vec<String> = lessons.to_string().lines().map(str::to_owned).collect();
    let facts = format!(
        "searched: {} states, {} transitions, {:x}, {errors:?}, {known:?}",
        stats.states,
        stats.transitions,
        states.0.digest()
    );
    let paths: Vec<String> = found.findings.iter().map(|finding| shown(finding, &known)).collect();
    [facts].into_iter().chain(paths).collect::<Vec<_>>().join("\t")
}

/// A path as text: what is known of conflicts, the keys, the error.
fn shown(finding: &Finding, known: &[String]) -> String {
    let keys: Vec<String> = finding.path.steps.iter().map(|key| format!("{:x}", key.0)).collect();
    format!("{}|{}|{}", known.join(","), keys.join(","), finding.violation.id())
}

/// Follows a path in this process.
fn replay(run: &Run, text: &str) -> Result<(), String> {
    let mut parts = text.splitn(3, '|');
    let mut list = || {
        let part = parts.next().unwrap_or_default();
        part.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (known, keys) = (list(), list());
    let expected = parts.next().unwrap_or_default();
    let program = load(run)?;
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
