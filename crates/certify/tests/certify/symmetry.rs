//! Certificates of searches that do not tell interchangeable processes apart: the certifier brings states
//! into the same normal form, lists that among what it trusts, and compares everything else.

use crate::forged::{Forged, blocks, certificate_by, opened, temporary, written};
use crate::shared;
use crate::tampering::tamper_with_model;
use allways_certify::{Answer, Deviation, Error, How, Question, certify};
use allways_model::Spec;
use allways_model::certificate::Kind;
use allways_promela::{Symmetric, load_text};
use allways_session::{Limits, Plan, Session, Strategy};
use std::path::{Path, PathBuf};

const SYMMETRIC: &str = "byte inside, done; bit lock;
active [3] proctype user() { byte n;
    end0: do :: n < 2 -> atomic { lock == 0; lock = 1 }; inside++; assert(inside == 1); inside--; lock = 0; n++ od }";

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(name)
}

fn plan(search: Strategy, workers: usize) -> Plan {
    let limits = Limits { states: Some(50_000), ..Limits::NONE };
    Plan { search: Some(search), workers, all_errors: true, symmetry: true, limits, ..Plan::default() }
}

fn answer(bytes: &[u8], question: &Question, how: &How) -> Result<allways_certify::Report, Error> {
    let name = temporary("symmetry.cert");
    std::fs::write(&name, bytes).unwrap();
    let report = certify(&name, question, how);
    std::fs::remove_file(&name).unwrap();
    report
}

/// The states that a certificate describes, if it is one of a graph and is accepted in every way.
fn accepted(session: &Session, question: &Question, plan: &Plan) -> Option<u64> {
    let bytes = certificate_by(session, plan).unwrap();
    let whole = answer(&bytes, question, &How { counts: true, ..How::default() }).unwrap();
    let Answer::Graph { certified, .. } = &whole.answer else { return None };
    assert_eq!((certified.n_states, certified.n_steps), Forged::of(&bytes).totals);
    let is_listed = whole.trusted.iter().any(|one| one.starts_with("symmetry: "));
    let is_named = whole.header.spec.value("reduce").is_some_and(|all| all.ends_with("symmetry"));
    assert!(is_listed == is_named, "{:?}", whole.trusted);
    let two = How { exact: true, workers: 2, reference: true, ..How::default() };
    let Answer::Graph { certified: other, .. } = answer(&bytes, question, &two).unwrap().answer else {
        panic!("a graph")
    };
    assert_eq!(other.n_states, certified.n_states);
    let merged = shared::merged(&bytes, question, 3).unwrap();
    assert_eq!((merged.n_states, merged.n_open), (certified.n_states, certified.n_open));
    let trustful = How { trustful: true, ..How::default() };
    let Answer::Tree(walked) = answer(&bytes, question, &trustful).unwrap().answer else { panic!("a tree") };
    assert_eq!(walked.n_states, certified.n_states);
    Some(certified.n_states)
}

#[test]
fn graphs_of_normal_forms_are_certified() {
    let mut n_smaller = 0;
    for name in
        ["readers_writers.pml", "print_queue.pml", "client_server.pml", "peterson.pml", "msi_cache.pml"]
    {
        for reduce in ["none", "all"] {
            let (session, question) = opened(&example(name), reduce);
            let (bfs, dfs) = (plan(Strategy::Bfs, 1), plan(Strategy::Dfs, 2));
            let counts = [&bfs, &dfs].map(|plan| accepted(&session, &question, plan));
            let without = certificate_by(&session, &Plan { symmetry: false, ..bfs }).unwrap();
            if let (Some(with), Kind::Graph) = (counts[0], &blocks(&without).unwrap().0.kind) {
                n_smaller += usize::from(with < Forged::of(&without).totals.0);
            }
            if reduce == "none" {
                assert_eq!(counts[0], counts[1], "{name}");
            }
        }
    }
    assert!(n_smaller >= 2, "{n_smaller} graphs are smaller with symmetry");
}

#[test]
fn runs_and_parts_of_symmetric_graphs() {
    let (session, question) = opened(&example("broken_lock.pml"), "all");
    let bytes = certificate_by(&session, &Plan { all_errors: false, ..plan(Strategy::Bfs, 1) }).unwrap();
    let report = answer(&bytes, &question, &How::default()).unwrap();
    assert!(matches!(report.answer, Answer::Violation { .. }));
    assert_eq!(report.header.spec, session.spec().unwrap(), "a run is one of the program");

    let file = written("symmetric.pml", SYMMETRIC);
    let (session, question) = opened(&file, "none");
    let limits = Limits { states: Some(60), ..Limits::NONE };
    let bytes = certificate_by(&session, &Plan { limits, ..plan(Strategy::Dfs, 1) }).unwrap();
    let report = answer(&bytes, &question, &How::default()).unwrap();
    assert!(
        report.is_partial() && report.header.spec.value("reduce") == Some("symmetry"),
        "{:?}",
        report.header
    );
    assert!(shared::merged(&bytes, &question, 4).unwrap().n_open > 0);
    std::fs::remove_file(file).unwrap();
}

fn changed(n_times: usize) {
    let file = written("symmetric.pml", SYMMETRIC);
    for reduce in ["none", "all"] {
        let (session, _) = opened(&file, reduce);
        let bytes = certificate_by(&session, &plan(Strategy::Bfs, 1)).unwrap();
        let program = load_text("symmetric.pml", SYMMETRIC).program.unwrap();
        let reductions = allways_session::parse_reductions(reduce).unwrap();
        tamper_with_model(&Symmetric::new(&program.with_reductions(reductions)), &bytes, n_times);
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn changed_scripts_of_normal_forms_are_refused() {
    changed(300);
}

#[test]
#[ignore = "takes minutes"]
fn thousands_of_changed_scripts_of_normal_forms_are_refused() {
    changed(2_000);
}

/// Symmetry that is not named, or named where there is none, is a deviation; and nothing else may be asked.
#[test]
fn symmetry_must_be_named() {
    let file = written("symmetric.pml", SYMMETRIC);
    let (session, question) = opened(&file, "none");
    let with = Forged::of(&certificate_by(&session, &plan(Strategy::Bfs, 1)).unwrap());
    let plain = Plan { symmetry: false, ..plan(Strategy::Bfs, 1) };
    let without = Forged::of(&certificate_by(&session, &plain).unwrap());
    for (mut script, other) in [(with.clone(), &without), (without.clone(), &with)] {
        script.header.spec = other.header.spec.clone();
        let error = answer(&script.to_bytes(), &question, &How::default()).unwrap_err();
        let Error::Veracity(error) = error else { panic!("{error}") };
        assert!(matches!(error.deviation, Deviation::OtherVersion(_)), "{error}");
        script.header.digest = other.header.digest;
        let error = answer(&script.to_bytes(), &question, &How::default()).unwrap_err();
        assert!(matches!(error, Error::Veracity(_)), "{error}");
    }
    let mut script = with.clone();
    let mut spec = Spec::new("promela");
    with.header.spec.entries()[1..].iter().for_each(|(key, value)| match key.as_str() {
        "property" => spec.set(key, "ltl [] (inside < 2)"),
        _ => spec.set(key, value),
    });
    script.header.spec = spec;
    let formula = Question { property: "ltl [] (inside < 2)".into(), ..question.clone() };
    let error = answer(&script.to_bytes(), &formula, &How::default()).unwrap_err();
    assert!(error.to_string().contains("symmetry, which is for safety"), "{error}");

    let mut more = question.clone();
    more.settings.add("invariant", "inside < 2");
    let error = answer(&with.to_bytes(), &more, &How::default()).unwrap_err();
    assert!(error.to_string().contains("reduced (symmetry)"), "{error}");
    std::fs::remove_file(file).unwrap();
}
