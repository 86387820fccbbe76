//! Changed certificates of Java programs, with threads interleaved where they are in conflict and everywhere:
//! none is accepted unless it still describes the whole graph.

use crate::forged::{Forged, certificate_by, certificate_within, certify, temporary};
use crate::tampering::tamper_with;
use allways_certify::print::Exact;
use allways_certify::{Answer, Deviation, Error, How, Question};
use allways_model::Lesson;
use allways_session::{Interleaving, Limits, Plan, Request, Session, Strategy};
use allways_testkit::random_java::{generate, jvm};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// Two threads that add to one number, without a lock.
const ADDING: &str = "class Adding {
    static int n;
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> { n = n + 1; n = n + 2; });
        other.start();
        n = n + 4;
        other.join();
    }
}";
/// One waits for what the other puts into an object.
const WAITING: &str = "class Waiting {
    private Integer value;
    synchronized void put(int given) { value = given; notifyAll(); }
    synchronized int take() throws InterruptedException {
        while (value == null) wait();
        int taken = value;
        value = null;
        return taken;
    }
    public static void main(String[] args) throws Exception {
        Waiting box = new Waiting();
        Thread other = new Thread(() -> box.put(1));
        other.start();
        if (box.take() != 1) throw new IllegalStateException();
        other.join();
    }
}";

/// A program's classes, gone with the value, and its session.
struct Java {
    directory: PathBuf,
    session: Session,
    bytes: Vec<u8>,
}

impl Java {
    fn new(main: &str, source: &str, interleaving: Interleaving) -> Self {
        let directory = temporary(main);
        std::fs::create_dir_all(&directory).unwrap();
        let file = directory.join(format!("{main}.java"));
        std::fs::write(&file, source).unwrap();
        let output = Command::new("javac").arg("-d").arg(&directory).arg(&file).output();
        let output = output.expect("javac is installed (cargo xtask test installs a JDK)");
        assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
        let mut request = Request { interleaving, ..Request::new(main) };
        request.settings.add("class-path", directory.to_str().unwrap());
        let session = Session::open(request).unwrap();
        let bytes = certificate_within(&session, true, 256 << 20).unwrap();
        Self { directory, session, bytes }
    }
}

impl Drop for Java {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn tamper(main: &str, source: &str, n_times: usize) {
    for interleaving in [Interleaving::Conflicts, Interleaving::EveryAccess] {
        let java = Java::new(main, source, interleaving);
        tamper_with(&java.session, &java.bytes, n_times);
    }
}

#[test]
fn changed_scripts_of_java_programs_are_refused() {
    tamper("Adding", ADDING, 100);
    tamper("Waiting", WAITING, 100);
}

#[test]
#[ignore = "takes minutes"]
fn thousands_of_changed_scripts_of_java_programs_are_refused() {
    tamper("Adding", ADDING, 1_000);
    tamper("Waiting", WAITING, 1_000);
}

/// Certificates of random programs, however their threads are interleaved and whatever search wrote them.
fn random(seeds: std::ops::Range<u64>) {
    let directory = temporary("litmus");
    std::fs::create_dir_all(&directory).unwrap();
    let programs: BTreeMap<_, _> = seeds.map(|seed| (jvm::class_name(seed), generate(seed))).collect();
    jvm::compile(&directory, &programs).expect("javac is installed (cargo xtask test installs a JDK)");
    let (mut n_graphs, mut n_runs) = (0, 0);
    for main in programs.keys() {
        for interleaving in [Interleaving::Conflicts, Interleaving::EveryAccess] {
            let mut request = Request { interleaving, ..Request::new(main) };
            request.settings.add("class-path", directory.to_str().unwrap());
            let session = Session::open(request).unwrap();
            let mut question =
                Question { model: main.into(), property: "safety".into(), ..Question::default() };
            question.settings.add("class-path", directory.to_str().unwrap());
            for (search, workers, all_errors) in
                [(Strategy::Bfs, 1, true), (Strategy::Dfs, 1, true), (Strategy::Dfs, 3, false)]
            {
                let limits = Limits { states: Some(20_000), ..Limits::NONE };
                let plan = Plan { search: Some(search), workers, all_errors, limits, ..Plan::default() };
                // What a limit ended has none unless threads are interleaved at every access.
                let Ok(bytes) = certificate_by(&session, &plan) else { continue };
                let name = temporary("litmus.cert");
                std::fs::write(&name, &bytes).unwrap();
                let how = How { counts: true, workers, ..How::default() };
                let report = allways_certify::certify(&name, &question, &how);
                std::fs::remove_file(&name).unwrap();
                let report = report.unwrap_or_else(|error| panic!("{main} {}: {error}", search.name()));
                match report.answer {
                    Answer::Graph { .. } => n_graphs += 1,
                    _ => n_runs += 1,
                }
            }
        }
    }
    std::fs::remove_dir_all(directory).unwrap();
    println!("{} programs: {n_graphs} graphs and {n_runs} runs accepted", programs.len());
    assert!(n_graphs + n_runs > programs.len());
}

#[test]
fn of_random_programs() {
    random(0..4);
}

#[test]
#[ignore = "takes minutes"]
fn of_many_random_programs() {
    random(100..400);
}

/// A conflict that is left out is found by the certifier; one too many is harmless in itself.
#[test]
fn a_conflict_less_is_a_deviation() {
    let java = Java::new("Adding", ADDING, Interleaving::Conflicts);
    let script = Forged::of(&java.bytes);
    assert!(!script.header.lessons.is_empty(), "there is a conflict");
    java.session.with_model(|model| {
        assert!(certify(model, &script.to_bytes(), &Exact).is_ok());
        for left_out in script.header.lessons.iter() {
            let mut other = script.clone();
            let mut lesson = Lesson::new();
            script.header.lessons.iter().filter(|fact| *fact != left_out).for_each(|fact| lesson.add(fact));
            other.header.lessons = Default::default();
            other.header.lessons.merge(&lesson);
            match certify(model, &other.to_bytes(), &Exact) {
                Err(Error::Veracity(error)) => {
                    assert!(
                        matches!(
                            error.deviation,
                            Deviation::Lesson | Deviation::FalseMention { .. } | Deviation::Count { .. }
                        ),
                        "{error}"
                    );
                    assert!(error.state.is_some(), "its place is named: {error}");
                }
                other => panic!("{other:?}"),
            }
        }
    });
}
