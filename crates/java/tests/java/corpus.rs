//! Programs by other people, where they are present beside the repository: the right verdict for every
//! configuration.

use crate::compile;
use crate::examples::refined;
use crate::litmus::{Searched, outcomes};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{StoreKind, Strategy};
use allways_testkit::random_java::Kind;
use std::path::{Path, PathBuf};

/// A directory of the corpus; `None` if it is not here.
fn corpus(name: &str) -> Option<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/java").join(name);
    if directory.is_dir() {
        return Some(directory);
    }
    println!("no corpus of Java programs here: nothing is compared");
    None
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the corpus can be read")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "java"))
        .collect();
    files.sort();
    files
}

/// Configurations and what is true of them. `BBuf 2 2 2 bug` is no bug: with `notify` four threads need a
/// buffer of one to come to a deadlock, though Java PathFinder reports one; it misses those of `LockPhil`.
const BENCH: &[(&str, &str)] = &[
    ("Phil 2 bug 0", "deadlock"),
    ("Phil 4 bug 0", "deadlock"),
    ("Phil 6 bug 0", "deadlock"),
    ("Phil 3 ok 0", "holds"),
    ("Phil 5 ok 0", "holds"),
    ("Phil 3 ok 1", "holds"),
    ("BBuf 1 2 1 bug 0", "deadlock"),
    ("BBuf 2 2 2 bug 0", "holds"),
    ("BBuf 2 4 1 bug 0", "deadlock"),
    ("BBuf 1 1 1 ok 0", "holds"),
    ("BBuf 2 2 2 ok 0", "holds"),
    ("NestedMon 1 bug 1", "deadlock"),
    ("NestedMon 2 bug 1", "deadlock"),
    ("NestedMon 2 ok 1", "holds"),
    ("Pipe 2 2 bug", "assertion"),
    ("Pipe 3 3 bug", "assertion"),
    ("Pipe 2 2 ok", "holds"),
    ("RW 1 1 1 bug", "assertion"),
    ("RW 2 2 1 bug", "assertion"),
    ("RW 2 1 1 ok", "holds"),
    ("RepWork 2 1 bug", "assertion"),
    ("RepWork 3 2 bug", "assertion"),
    ("RepWork 3 1 ok", "holds"),
    ("Barber 2 1 bug", "holds"),
    ("Barber 2 2 bug", "assertion"),
    ("Barber 3 2 ok", "holds"),
    ("Elevator 2 1 bug", "assertion"),
    ("Elevator 3 2 bug", "assertion"),
    ("Elevator 4 2 ok", "holds"),
    ("LockPhil 2 bug", "deadlock"),
    ("LockPhil 2 ok", "holds"),
    ("CondBuf 1 1 1 ok 1", "holds"),
    ("SemBuf 1 1 1 bug 2", "deadlock"),
    ("SemBuf 1 2 1 bug 1", "deadlock"),
    ("SemBuf 1 1 1 ok 1", "holds"),
    ("Peterson 2 1 bug", "assertion"),
    ("Peterson 2 2 ok", "holds"),
    ("Counter 2 1 bug", "assertion"),
    ("Counter 3 2 ok", "holds"),
];

#[test]
fn verdicts_of_the_bench_are_right() {
    let Some(corpus) = corpus("bench") else { return };
    let directory = compile::directory("bench");
    compile::javac(&sources(&corpus), &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let args = |text: &str| -> Vec<String> { text.split(' ').skip(1).map(str::to_owned).collect() };
    let first = args(BENCH[0].0);
    let setup =
        Setup { jdk: None, main: "Phil", args: &first, options: Options::default(), sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let mut wrong = Vec::new();
    for (run, expected) in BENCH {
        let main = run.split(' ').next().expect("a run names its class");
        let program = base.sibling(main, &args(run), Options::default()).expect("the program loads");
        let config = allways_search::Config { store: StoreKind::Collapse, ..allways_search::Config::new(2) };
        let found = refined(&program, &config);
        let verdict = match (&found.end, found.findings.first()) {
            (_, Some(finding)) => finding.violation.kind().name().to_owned(),
            (allways_search::End::Exhausted, None) => "holds".to_owned(),
            (end, None) => format!("{end:?}"),
        };
        if verdict != *expected {
            wrong.push(format!("{run}: {verdict} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs that use one part of the class library each, and print a line that begins with `EXPECT`.
#[test]
fn compatibility_programs_print_what_they_expect() {
    let Some(corpus) = corpus("compat") else { return };
    let files: Vec<PathBuf> = sources(&corpus).into_iter().collect();
    let directory = compile::directory("compat");
    compile::javac(&files, &directory);
    let mut path = ClassPath::default();
    path.push(&directory).expect("the directory is there");
    let classes: Vec<String> =
        files.iter().map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    let options = Options { keep_output: true, ..Options::default() };
    let setup = Setup { jdk: None, main: &classes[0], args: &[], options, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let mut wrong = Vec::new();
    for class in &classes {
        let program = base.sibling(class, &[], options).expect("the program loads");
        let mut printed = String::new();
        let status = program.run_once(|is_error, text| {
            if !is_error {
                printed.push_str(text);
            }
        });
        if !matches!(status, Ok(0)) || !printed.contains("EXPECT") {
            wrong.push(format!("{class}: {status:?}, {printed:?}"));
            continue;
        }
        // Pools and parallel streams have many schedules: what is found within the limit must be right.
        match outcomes(&program, Strategy::Dfs, StoreKind::Collapse, 2, 20_000) {
            Searched::All(found, _) => {
                if let Some(bad) = found.iter().find(|outcome| outcome.kind != Kind::Exit) {
                    wrong.push(format!("{class}: {bad:?}"));
                }
            }
            Searched::TooMany => println!("{class}: more than 20,000 states"),
            Searched::Unsupported(what) => wrong.push(format!("{class}: {what}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
