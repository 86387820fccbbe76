//! SPIN as an oracle: runs the installed `spin`, a C compiler and the resulting `pan`, and reads pan's
//! figures.
//!
//! Each check works in its own directory, which is removed afterwards, so checks can run in parallel and
//! leave no files. An [`Answer`] never mixes figures with failure: counts appear only in [`Answer::Ran`], and
//! there `complete` is true if the whole graph was seen. The default settings are the plain semantics (no
//! dead-variable reset, no statement merging, no partial-order reduction, all errors), because only those
//! counts are a property of the model rather than of SPIN's reductions.
//!
//! This module does not decide what the right answer is: SPIN is known to be wrong on some models, which the
//! caller must account for.

use std::fs::{self, File};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Which C compiler turns pan into a program. Compiling takes most of the time of a small check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// `tcc` where it is installed, else `gcc -O0`.
    Fastest,
    /// `gcc -O0`: about a quarter of a second a model.
    GccO0,
    /// `gcc -O1`: twice the compile time, for models of many states.
    GccO1,
}

/// What to search for in addition to violations in single states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycles {
    /// No cycles, but the model's claim observes: the stored states are those of the product. After an error,
    /// a search for cycles counts some states twice; this one does not.
    None,
    /// Cycles that the model's claim accepts, or that pass its acceptance labels.
    Acceptance,
    /// Cycles that pass no progress label.
    NonProgress,
}

/// How to check a model. Start from [`Options::raw`].
#[derive(Clone, Debug)]
pub struct Options {
    /// Arguments of `spin` before `-a`.
    pub spin_args: Vec<String>,
    /// Further arguments of the C compiler, such as `-DVECTORSZ=4096`.
    pub cc_args: Vec<String>,
    /// Further arguments of `pan`.
    pub pan_args: Vec<String>,
    /// The compiler.
    pub compiler: Compiler,
    /// Stop at the first error instead of going through the whole graph.
    pub stop_at_first_error: bool,
    /// Let the claim observe; otherwise it is ignored.
    pub cycles: Option<Cycles>,
    /// pan's `-m`: the deepest path it follows.
    pub depth: u64,
    /// pan's `-w`: its hash table has two to this power of slots.
    pub hash_bits: u32,
    /// The time for each of the three programs.
    pub timeout: Duration,
}

impl Options {
    /// The plain semantics, all errors, the whole graph.
    pub fn raw() -> Self {
        Options {
            spin_args: ["-o1", "-o2", "-o3"].map(String::from).to_vec(),
            cc_args: Vec::new(),
            pan_args: Vec::new(),
            compiler: Compiler::Fastest,
            stop_at_first_error: false,
            cycles: None,
            depth: 200_000,
            hash_bits: 18,
            timeout: Duration::from_secs(30),
        }
    }

    /// Like [`Options::raw`], but stopping at the first error as `pan` does by default.
    pub fn first_error() -> Self {
        Options { stop_at_first_error: true, ..Options::raw() }
    }

    /// Like [`Options::raw`], but with the model's claim.
    pub fn cycles(cycles: Cycles) -> Self {
        Options { cycles: Some(cycles), ..Options::raw() }
    }

    /// The same with another time limit.
    pub fn within(self, timeout: Duration) -> Self {
        Options { timeout, ..self }
    }
}

/// A statement that pan lists as never reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreached {
    /// The proctype's name as pan prints it (`init` for the initial process).
    pub proctype: String,
    /// Line in the source given (1-based).
    pub line: u32,
    /// pan's number of the control state.
    pub state: u32,
    /// The statement as pan prints it.
    pub statement: String,
}

/// The counts that pan printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// States stored.
    pub stored: u64,
    /// Arrivals at a state seen before.
    pub matched: u64,
    /// Transitions: stored and matched together.
    pub transitions: u64,
    /// Steps inside atomic sequences, as pan counts them.
    pub atomic_steps: u64,
    /// Errors, counted as pan counts them.
    pub errors: u64,
    /// The deepest path.
    pub depth: u64,
    /// Bytes of the state vector.
    pub vector_bytes: u64,
    /// The whole graph was seen: not truncated, not stopped by an error or by pan giving up.
    pub complete: bool,
    /// A path was cut at the depth limit.
    pub truncated: bool,
    /// The text of the first error, such as `assertion violated (x<3)`.
    pub first_error: Option<String>,
    /// The depth of the first error.
    pub first_error_depth: Option<u64>,
    /// The different error texts that pan printed, in its order (it prints a text once per run of equal
    /// ones).
    pub error_texts: Vec<String>,
    /// Statements never reached; only meaningful after a complete search.
    pub unreached: Vec<Unreached>,
}

/// The program that rejected a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// `spin -a`: syntax and type errors.
    Spin,
    /// The C compiler: features that cannot be combined (`#error` in pan's source).
    Compiler,
    /// `pan` died (a signal) or printed no figures.
    Pan,
}

/// Why there are no figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The program that rejected the model.
    pub stage: Stage,
    /// Its message.
    pub text: String,
}

/// The outcome of one check.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// pan ran and printed figures.
    Ran(Figures),
    /// One of the programs refused the model or died.
    Rejected(Rejection),
    /// One of the programs took longer than the limit.
    TimedOut(Stage),
    /// A program could not be started or a file not written: the check gave no information.
    Unavailable(String),
}

impl Answer {
    /// The figures, if pan ran.
    pub fn figures(&self) -> Option<&Figures> {
        match self {
            Answer::Ran(figures) => Some(figures),
            _ => None,
        }
    }

    /// The figures, if pan ran through the whole graph.
    pub fn complete(&self) -> Option<&Figures> {
        self.figures().filter(|figures| figures.complete)
    }
}

/// Whether `spin` and a C compiler can be started.
pub fn installed() -> bool {
    responds("spin", "-V") && (responds("gcc", "--version") || responds("tcc", "-v"))
}

fn responds(program: &str, arg: &str) -> bool {
    let quiet = Command::new(program)
        .arg(arg)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

/// Checks one model given as source text.
pub fn check(source: &str, options: &Options) -> Answer {
    match try_check(source, options) {
        Ok(answer) => answer,
        Err(error) => Answer::Unavailable(error.to_string()),
    }
}

/// Checks many models on `threads` threads; the answers come in the order of the sources.
pub fn check_many<S: AsRef<str> + Sync>(sources: &[S], options: &Options, threads: usize) -> Vec<Answer> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(sources.len()));
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let idx = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = sources.get(idx) else { break };
                    let answer = check(source.as_ref(), options);
                    done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((idx, answer));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_by_key(|(idx, _)| *idx);
    done.into_iter().map(|(_, answer)| answer).collect()
}

fn try_check(source: &str, options: &Options) -> io::Result<Answer> {
    let dir = PrivateDir::new()?;
    fs::write(dir.path().join("model.pml"), source)?;

    let mut spin = Command::new("spin");
    spin.args(&options.spin_args).args(["-a", "model.pml"]);
    let Some(ended) = run(&mut spin, dir.path(), options.timeout)? else {
        return Ok(Answer::TimedOut(Stage::Spin));
    };
    if !ended.status.success() || !dir.path().join("pan.c").exists() {
        return Ok(rejected(Stage::Spin, ended));
    }

    let header = fs::read_to_string(dir.path().join("pan.h")).unwrap_or_default();
    let mut cc = compile_command(options, header.contains("#define VERI"));
    let Some(ended) = run(&mut cc, dir.path(), options.timeout)? else {
        return Ok(Answer::TimedOut(Stage::Compiler));
    };
    if !ended.status.success() {
        return Ok(rejected(Stage::Compiler, ended));
    }

    let mut pan = Command::new(dir.path().join("pan"));
    pan.arg(format!("-m{}", options.depth)).arg(format!("-w{}", options.hash_bits)).args(&options.pan_args);
    if !options.stop_at_first_error {
        pan.arg("-c0");
    }
    match options.cycles {
        Some(Cycles::Acceptance) => pan.arg("-a"),
        Some(Cycles::NonProgress) => pan.arg("-l"),
        Some(Cycles::None) | None => &mut pan,
    };
    let Some(ended) = run(&mut pan, dir.path(), options.timeout)? else {
        return Ok(Answer::TimedOut(Stage::Pan));
    };
    Ok(match parse(&ended.output) {
        Some(figures) if ended.status.signal().is_none() => Answer::Ran(figures),
        _ => rejected(Stage::Pan, ended),
    })
}

fn compile_command(options: &Options, has_claim: bool) -> Command {
    let (program, level) = match options.compiler {
        Compiler::Fastest if responds("tcc", "-v") => ("tcc", "-O0"),
        Compiler::Fastest | Compiler::GccO0 => ("gcc", "-O0"),
        Compiler::GccO1 => ("gcc", "-O1"),
    };
    let mut cc = Command::new(program);
    cc.args([level, "-w", "-DNOREDUCE"]).args(&options.cc_args);
    cc.args(match options.cycles {
        Some(Cycles::Acceptance) => &["-DNOFAIR"][..],
        Some(Cycles::NonProgress) => &["-DNOFAIR", "-DNP"],
        Some(Cycles::None) | None => &["-DSAFETY"],
    });
    if has_claim && matches!(options.cycles, None | Some(Cycles::NonProgress)) {
        cc.arg("-DNOCLAIM");
    }
    cc.args(["-o", "pan", "pan.c"]);
    cc
}

fn rejected(stage: Stage, run: ProgramRun) -> Answer {
    let mut text = run.output.trim().to_string();
    if let Some(signal) = run.status.signal() {
        text.push_str(&format!("\nkilled by signal {signal}"));
    }
    Answer::Rejected(Rejection { stage, text })
}

/// A finished program: how it ended and all that it printed.
struct ProgramRun {
    status: ExitStatus,
    output: String,
}

/// Runs a program to its end, or kills it at the limit and returns `None`. Its output goes to a file, because
/// a pipe that is not read would block a pan that reports many errors.
fn run(command: &mut Command, dir: &Path, timeout: Duration) -> io::Result<Option<ProgramRun>> {
    let path = dir.join("output");
    let output = File::create(&path)?;
    command.current_dir(dir).stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
    let mut child = command.spawn()?;
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > timeout {
            // The child may have ended by itself in between: then killing fails, and waiting still reaps it.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    let output = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
    Ok(Some(ProgramRun { status, output }))
}

/// A fresh directory, removed when dropped.
struct PrivateDir(PathBuf);

impl PrivateDir {
    fn new() -> io::Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("allways-spin-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(PrivateDir(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        // Nothing depends on the directory being gone, and drop cannot report.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Reads pan's output; `None` if it holds no figures.
pub fn parse(output: &str) -> Option<Figures> {
    let mut figures = Figures { complete: true, ..Figures::default() };
    let mut proctype: Option<String> = None;
    let mut seen_stored = false;
    for line in output.lines() {
        if let Some(name) = line.strip_prefix("unreached in ") {
            proctype = Some(name.strip_prefix("proctype ").unwrap_or(name).trim().to_string());
        } else if let (Some(name), Some(found)) = (&proctype, parse_unreached(line)) {
            figures.unreached.push(Unreached { proctype: name.clone(), ..found });
        } else if let Some((text, depth)) = parse_error(line) {
            if figures.first_error.is_none() {
                figures.first_error = Some(text.clone());
                figures.first_error_depth = depth;
            }
            if !figures.error_texts.contains(&text) {
                figures.error_texts.push(text);
            }
        } else if line.contains("max search depth too small") {
            figures.truncated = true;
            figures.complete = false;
        } else if line.contains("Search not completed") {
            figures.complete = false;
        } else if line.starts_with("State-vector") {
            figures.vector_bytes = number_after(line, "State-vector ")?;
            figures.depth = number_after(line, "depth reached ")?;
            figures.errors = number_after(line, "errors: ")?;
        } else if line.contains(" states, stored") {
            figures.stored = number_after(line, "")?;
            seen_stored = true;
        } else if line.contains(" states, matched") {
            figures.matched = number_after(line, "")?;
        } else if line.contains(" transitions (=") {
            figures.transitions = number_after(line, "")?;
        } else if line.contains(" atomic steps") {
            figures.atomic_steps = number_after(line, "")?;
        }
    }
    seen_stored.then_some(figures)
}

/// The number that follows `mark`. pan prints large counts in the style of `1.2e+08`.
fn number_after(line: &str, mark: &str) -> Option<u64> {
    let rest = &line[line.find(mark)? + mark.len()..];
    let word = rest.split_whitespace().next()?.trim_end_matches(',');
    word.parse::<f64>().ok().map(|number| number as u64)
}

/// `pan:3: assertion violated (x<3) (at depth 7)`.
fn parse_error(line: &str) -> Option<(String, Option<u64>)> {
    let rest = line.strip_prefix("pan:")?;
    let (nr, rest) = rest.split_once(": ")?;
    nr.parse::<u64>().ok()?;
    match rest.rsplit_once(" (at depth ") {
        Some((text, depth)) => Some((text.to_string(), depth.trim_end_matches(')').parse().ok())),
        None => Some((rest.to_string(), None)),
    }
}

/// `model.pml:2, state 6, "-end-"` behind a tab.
fn parse_unreached(line: &str) -> Option<Unreached> {
    let rest = line.strip_prefix('\t')?;
    let (place, rest) = rest.split_once(", state ")?;
    let (state, statement) = rest.split_once(", ")?;
    Some(Unreached {
        proctype: String::new(),
        line: place.rsplit_once(':')?.1.parse().ok()?,
        state: state.parse().ok()?,
        statement: statement.trim().trim_matches('"').to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: &str = "byte x;\nactive [2] proctype P() {\n do :: x < 3 -> x++ :: x == 3 -> break od;\n \
                           assert(x < 3);\n x = 9 }\n";

    #[test]
    fn reads_figures_errors_and_unreached() {
        let output = "pan:1: assertion violated (x<3) (at depth 7)\npan:9: invalid end state (at depth 10)\n\
                      State-vector 20 byte, depth reached 12, errors: 14\n       38 states, stored\n       \
                      20 states, matched\n 1.5e+03 transitions (= stored+matched)\n        0 atomic steps\n\
                      unreached in proctype P\n\tmodel.pml:2, state 6, \"-end-\"\n\t(1 of 6 states)\n\
                      unreached in init\n\tmodel.pml:3, state 4, \"x = 1\"\n\t(1 of 6 states)\n";
        let figures = parse(output).unwrap();
        assert_eq!((figures.stored, figures.matched, figures.transitions), (38, 20, 1500));
        assert_eq!((figures.errors, figures.depth, figures.first_error_depth), (14, 12, Some(7)));
        assert_eq!(figures.error_texts, ["assertion violated (x<3)", "invalid end state"]);
        assert!(figures.complete && !figures.truncated);
        let names: Vec<_> =
            figures.unreached.iter().map(|u| (u.proctype.as_str(), u.line, u.state)).collect();
        assert_eq!(names, [("P", 2, 6), ("init", 3, 4)]);
        assert_eq!(figures.unreached[1].statement, "x = 1");
        assert_eq!(parse("pan: something else"), None);
    }

    #[test]
    fn asks_the_installed_spin() {
        if !installed() {
            eprintln!("skipped: spin and a C compiler are not installed");
            return;
        }
        let all = check(COUNTER, &Options::raw());
        let all = all.complete().expect("spin runs the counter");
        assert_eq!(all.transitions, all.stored + all.matched);
        assert!(all.errors > 1 && all.first_error.as_deref() == Some("assertion violated (x<3)"));
        let first = check(COUNTER, &Options::first_error());
        let first = first.figures().expect("spin runs the counter");
        assert_eq!((first.errors, first.complete), (1, false));

        let wrong =
            ["active proctype P() { x = 1 }", "active proctype P() { byte x = 1; byte z; x = x / z }"];
        let answers = check_many(&wrong, &Options::raw(), 2);
        let stages: Vec<_> =
            answers.iter().map(|a| matches!(a, Answer::Rejected(r) if r.stage == Stage::Spin)).collect();
        assert_eq!(stages, [true, false]);
        assert!(
            matches!(&answers[1], Answer::Rejected(r) if r.stage == Stage::Pan && r.text.contains("signal 8"))
        );
    }
}
