//! What classes of `java.util.concurrent` promise, in every interleaving of two or three threads: programs
//! that rely on the promise hold and have exactly the outcomes that it allows, and programs that use the
//! class wrongly are found out.

use crate::compile;
use crate::litmus::{Searched, outcomes};
use allways_java::{ClassPath, Options, Program, Setup};
use allways_search::{StoreKind, Strategy};
use allways_testkit::random_java::Kind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each class, the programs that hold it to its promise, and those that use it wrongly.
const CONTRACTS: &[(&str, &[&str], &[&str])] = &[
    ("ReentrantLock", &["LockContract", "ConditionContract"], &["LockUnheeded"]),
    (
        "ReentrantReadWriteLock",
        &["ReadWriteContract", "ReadWriteDowngrade", "ReadWriteThree"],
        &["ReadWriteGap"],
    ),
    ("StampedLock", &["StampedContract"], &["StampedStale"]),
    ("Semaphore", &["SemaphoreOnePermit", "SemaphoreContract"], &["SemaphoreOverRelease"]),
    ("CountDownLatch", &["LatchOneWaits", "LatchContract"], &["LatchTooEarly"]),
    ("CyclicBarrier", &["BarrierContract"], &["BarrierReset"]),
    ("ArrayBlockingQueue", &["ArrayQueueFullContract", "ArrayQueueContract"], &["ArrayQueueRefused"]),
    (
        "LinkedBlockingQueue",
        &["LinkedQueueTakeContract", "LinkedQueueFullContract", "LinkedQueueContract"],
        &["LinkedQueuePolled"],
    ),
    ("ConcurrentLinkedQueue", &["LockFreeQueueContract"], &["LockFreeQueueSized"]),
    ("ConcurrentHashMap", &["MapContract"], &["MapGetThenPut"]),
    ("ThreadPoolExecutor", &["PoolResult", "PoolContract", "PoolOneTask"], &["PoolForgotten"]),
    ("FutureTask", &["FutureTaskContract"], &["FutureTaskReset"]),
    ("CompletableFuture", &["CompletableContract"], &["CompletableUnchecked"]),
    ("Exchanger", &["ExchangerParked", "ExchangerContract"], &["ExchangerAlone"]),
];

/// A program and what its first lines say about it.
pub(crate) struct Case {
    pub(crate) class: String,
    expect: String,
    outputs: Option<BTreeSet<String>>,
    size: String,
}

/// The programs of a directory beside those of `concurrent`, and their files.
pub(crate) fn cases(name: &str) -> (Vec<Case>, Vec<PathBuf>) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/concurrent").join(name);
    let mut files: Vec<PathBuf> = std::fs::read_dir(sources)
        .expect("the programs are there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "java"))
        .collect();
    files.sort();
    let case = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("it can be read");
        let line = |key: &str| {
            text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")).map(str::to_owned))
        };
        Case {
            class: file.file_stem().expect("it has a name").to_string_lossy().into_owned(),
            expect: line("expect").unwrap_or_else(|| panic!("{} expects nothing", file.display())),
            outputs: line("outcomes").map(|list| list.split('|').map(str::to_owned).collect()),
            size: line("size").unwrap_or_default(),
        }
    };
    (files.iter().map(case).collect(), files)
}

/// Searches the cases of a size; every difference from what they expect, in words.
pub(crate) fn differences(
    cases: &[Case],
    classes: &Path,
    size: &str,
    most: u64,
    options: Options,
) -> Vec<String> {
    let mut path = ClassPath::default();
    path.push(classes).expect("the directory is there");
    let options = Options { keep_output: true, ..options };
    let setup = Setup { jdk: None, main: &cases[0].class, args: &[], options, sources: Vec::new() };
    let base = Program::new(&setup, path).expect("the program loads");
    let mut differences = Vec::new();
    for case in cases.iter().filter(|case| case.size == size) {
        let program = base.sibling(&case.class, &[], options).expect("the program loads");
        let wrong = match outcomes(&program, Strategy::Bfs, StoreKind::Collapse, 2, most) {
            Searched::All(found, states) => {
                println!("{}: {states} states", case.class);
                let kinds = found.iter().map(|o| o.kind).filter(|kind| *kind != Kind::Exit);
                let kinds: BTreeSet<&str> = kinds.map(Kind::name).collect();
                let outputs: BTreeSet<&str> = found.iter().map(|o| o.output.trim_end_matches('\n')).collect();
                disagreement(case, &kinds, &outputs)
            }
            Searched::TooMany if size == "endless" => None,
            Searched::TooMany => Some(format!("more than {most} states")),
            Searched::Unsupported(_) if case.expect == "unsupported" => None,
            Searched::Unsupported(what) => Some(what),
        };
        differences.extend(wrong.map(|how| format!("{}: {how}", case.class)));
    }
    differences
}

fn disagreement(case: &Case, kinds: &BTreeSet<&str>, outputs: &BTreeSet<&str>) -> Option<String> {
    let wanted = match case.expect.split(' ').next() {
        Some("holds") | None => BTreeSet::new(),
        Some(kind) => BTreeSet::from([kind]),
    };
    if *kinds != wanted {
        return Some(format!("{kinds:?} instead of {}", case.expect));
    }
    let expected: BTreeSet<&str> = case.outputs.as_ref()?.iter().map(String::as_str).collect();
    (expected != *outputs).then(|| format!("printed {outputs:?} instead of {expected:?}"))
}

pub(crate) fn check(size: &str, most: u64, options: Options) {
    let (cases, files) = cases("contracts");
    let classes = compile::directory(&format!("contracts{size}{}", options.jdk_locks));
    compile::javac(&files, &classes);
    let wrong = differences(&cases, &classes, size, most, options);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every class of the list has a promise to keep and a misuse to be found, every program belongs to one
/// class, and the promises come with their outcomes.
#[test]
fn every_class_has_its_contract_and_its_misuse() {
    let (cases, _) = cases("contracts");
    let mut listed = BTreeSet::new();
    for (class, contracts, misuses) in CONTRACTS {
        for (programs, holds) in [(contracts, true), (misuses, false)] {
            assert!(!programs.is_empty(), "{class} lacks a program");
            for name in *programs {
                let case = cases.iter().find(|case| case.class == *name);
                let case = case.unwrap_or_else(|| panic!("{name} of {class} is not there"));
                assert_eq!(case.expect == "holds", holds, "{name} of {class}");
                assert!(!holds || case.outputs.is_some(), "{name} of {class} has no outcomes");
                listed.insert(*name);
            }
        }
        let small = contracts
            .iter()
            .filter(|name| cases.iter().any(|case| case.class == **name && case.size.is_empty()));
        assert!(small.count() > 0, "{class} has no contract that is searched always");
    }
    let unlisted: Vec<_> = cases.iter().filter(|case| !listed.contains(case.class.as_str())).collect();
    assert!(unlisted.is_empty(), "{} belongs to no class", unlisted[0].class);
}

#[test]
fn contracts_are_kept_and_misuse_is_found() {
    check("", 60_000, Options::default());
}

/// `cargo test --release -p allways-java --test java -- --ignored large_contracts --nocapture`
#[test]
#[ignore = "millions of states, minutes; smaller programs for each class are searched always"]
fn large_contracts_are_kept() {
    check("large", 5_000_000, Options::default());
    check("endless", 100_000, Options::default());
}
