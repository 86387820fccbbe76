//! Litmus programs on the installed Java: compiles them with one call of `javac`, and runs them in one JVM.
//!
//! What a JVM shows is only some of what can happen, so it is checked to be among the outcomes of the
//! reference, never to be all of them. Only [`Program::strict`] programs should be run: hardware and
//! compilers reorder plain accesses.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Kind, Outcome, Program};

/// The Java class that runs the others.
const DRIVER: &str = include_str!("Driver.java");

/// Small and quick to start: the programs are short.
const JVM_ARGS: [&str; 2] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];

/// Whether `java` and `javac` are on the path.
pub fn installed() -> bool {
    ["java", "javac"].iter().all(|name| Command::new(name).arg("-version").output().is_ok())
}

/// The class name of a seed.
pub fn class_name(seed: u64) -> String {
    format!("Litmus{seed:04}")
}

/// Writes the programs' sources into `directory` and compiles them there.
pub fn compile(directory: &Path, programs: &BTreeMap<String, Program>) -> io::Result<()> {
    let mut files = Vec::new();
    for (name, program) in programs {
        let file = directory.join(format!("{name}.java"));
        fs::write(&file, program.java(name))?;
        files.push(file);
    }
    javac(directory, &files)
}

/// Compiles the programs and runs each some times; what it did each time. A run without an end is an error.
/// The programs of `compiled` are only compiled.
pub fn run(
    programs: &BTreeMap<String, Program>,
    compiled: &BTreeMap<String, Program>,
    times: u32,
) -> io::Result<BTreeMap<String, Vec<Outcome>>> {
    let directory = Directory::new()?;
    let all = compiled.iter().chain(programs).map(|(name, program)| (name.clone(), program.clone()));
    compile(&directory.0, &all.collect())?;
    let driver = directory.0.join("Driver.java");
    fs::write(&driver, DRIVER)?;
    javac(&directory.0, &[driver])?;
    let ran = Command::new("java")
        .args(JVM_ARGS)
        .arg("-ea")
        .arg("-cp")
        .arg(&directory.0)
        .arg("Driver")
        .arg(&directory.0)
        .arg(times.to_string())
        .args(programs.keys())
        .output()?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut seen: BTreeMap<String, Vec<Outcome>> = BTreeMap::new();
    for line in text.lines() {
        let (name, outcome) = read(line).ok_or_else(|| io::Error::other(format!("unexpected: {line}")))?;
        seen.entry(name).or_default().push(outcome);
    }
    if !ran.status.success() || seen.len() != programs.len() {
        return Err(io::Error::other(String::from_utf8_lossy(&ran.stderr).into_owned()));
    }
    Ok(seen)
}

/// A line of the driver: the class, the kind, the output with its line ends escaped.
fn read(line: &str) -> Option<(String, Outcome)> {
    let mut words = line.splitn(3, ' ');
    let (name, kind) = (words.next()?, words.next()?);
    let output = words.next().unwrap_or_default().replace("\\n", "\n");
    Some((name.to_string(), Outcome { kind: Kind::named(kind)?, output }))
}

fn javac(directory: &Path, files: &[PathBuf]) -> io::Result<()> {
    let compiled = Command::new("javac")
        .args(JVM_ARGS.map(|arg| format!("-J{arg}")))
        .args(["-proc:none", "-nowarn", "-d"])
        .arg(directory)
        .args(files)
        .output()?;
    if compiled.status.success() {
        return Ok(());
    }
    Err(io::Error::other(String::from_utf8_lossy(&compiled.stderr).into_owned()))
}

/// A directory that is removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new() -> io::Result<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("allways-litmus-{}-{number}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Directory(path))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // Nothing depends on it; a directory that stays is only untidy.
        let _ = fs::remove_dir_all(&self.0);
    }
}
