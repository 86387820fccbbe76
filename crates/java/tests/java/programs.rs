//! Sequential programs print what `java` prints, and end as it ends.

use crate::compile;
use allways_java::{ClassPath, Error, Options, Program, Setup};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a run printed and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) output: String,
    pub(crate) error: String,
    pub(crate) status: i32,
}

fn sources() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the programs are there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "java"))
        .collect();
    files.sort();
    files
}

pub(crate) fn by_java(directory: &Path, class: &str) -> Run {
    let output = Command::new("java")
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-ea", "-cp"])
        .arg(directory)
        .arg(class)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("java is installed");
    Run {
        output: String::from_utf8_lossy(&output.stdout).into_owned(),
        error: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status.code().unwrap_or(-1),
    }
}

/// Runs a program once. One that does with a pool what only the library's own can is run with that, as a
/// search would be.
pub(crate) fn by_machine(base: &Program, class: &str) -> Result<Run, String> {
    let mut options = base.options();
    let run = run_with(base, class, options);
    if run != Err(Error::Rejected.to_string()) {
        return run;
    }
    options.form.pools = false;
    run_with(base, class, options)
}

fn run_with(base: &Program, class: &str, options: Options) -> Result<Run, String> {
    let program = base.sibling(class, &[], options).map_err(|error| error.to_string())?;
    let mut run = Run { output: String::new(), error: String::new(), status: 0 };
    let status = program.run_once(|is_error, text| {
        if is_error { &mut run.error } else { &mut run.output }.push_str(text);
    });
    run.status = status.map_err(|error| error.to_string())?;
    Ok(run)
}

#[test]
fn sequential_programs_print_what_java_prints() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let files: Vec<PathBuf> =
        sources().into_iter().filter(|file| file.to_string_lossy().contains(&only)).collect();
    let directory = compile::directory("programs");
    compile::javac(&files, &directory);
    let classes: Vec<String> = files
        .iter()
        .map(|file| file.file_stem().expect("it has a name").to_string_lossy().into_owned())
        .collect();
    assert!(!only.is_empty() || classes.len() >= 100, "there are {} programs", classes.len());
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let setup =
        Setup { jdk: None, main: &classes[0], args: &[], options: Options::default(), sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(class) = classes.get(next.fetch_add(1, Relaxed)) {
                    let expected = by_java(&directory, class);
                    let found = by_machine(&base, class);
                    if found.as_ref() != Ok(&expected) {
                        wrong.lock().expect("no panic").push((class.clone(), difference(&found, &expected)));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no panic");
    wrong.sort();
    let report: Vec<String> = wrong.iter().map(|(class, how)| format!("{class}: {how}")).collect();
    assert!(wrong.is_empty(), "{} of {} programs differ:\n{}", wrong.len(), classes.len(), report.join("\n"));
}

pub(crate) fn difference(found: &Result<Run, String>, expected: &Run) -> String {
    let found = match found {
        Err(problem) => return problem.clone(),
        Ok(found) => found,
    };
    if found.status != expected.status {
        return format!("status {} instead of {}; {}", found.status, expected.status, found.error);
    }
    let (ours, theirs, name) = if found.output == expected.output {
        (&found.error, &expected.error, "error ")
    } else {
        (&found.output, &expected.output, "")
    };
    let first = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b);
    let line = first.unwrap_or_else(|| ours.lines().count().min(theirs.lines().count()));
    format!("{name}line {}: {:?} instead of {:?}", line + 1, ours.lines().nth(line), theirs.lines().nth(line))
}
