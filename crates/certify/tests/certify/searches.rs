//! Certificates of every search that sees a whole graph, with any number of workers and every lossless store.

use crate::forged::{Forged, certificate_by, opened, temporary, written};
use allways_certify::{Answer, How, Question, Report, certify};
use allways_model::certificate::Kind;
use allways_search::{CachePlan, Policy};
use allways_session::{Limits, Plan, Session, StoreKind, Strategy};
use allways_testkit::random_promela;
use std::path::{Path, PathBuf};

const ALL: [(Strategy, usize); 10] = [
    (Strategy::Bfs, 3),
    (Strategy::Dfs, 1),
    (Strategy::Dfs, 4),
    (Strategy::Switches, 1),
    (Strategy::Preemptions, 1),
    (Strategy::Survey, 1),
    (Strategy::Ndfs, 1),
    (Strategy::Cndfs, 2),
    (Strategy::Map, 2),
    (Strategy::Scc, 1),
];

fn plan(search: Strategy, workers: usize) -> Plan {
    let limits = Limits { memory: Some(8 << 20), ..Limits::NONE };
    Plan { search: Some(search), workers, all_errors: true, limits, ..Plan::default() }
}

fn answer(bytes: &[u8], question: &Question) -> Report {
    let name = temporary("searches.cert");
    std::fs::write(&name, bytes).unwrap();
    let report = certify(&name, question, &How { counts: true, ..How::default() });
    std::fs::remove_file(&name).unwrap();
    report.unwrap_or_else(|error| panic!("{}: {error}", question.model.display()))
}

/// The certificate is accepted, and says what the search saw; `None` if it is one of a run.
fn accepted(session: &Session, question: &Question, plan: &Plan) -> Option<Vec<u8>> {
    let bytes = certificate_by(session, plan).unwrap();
    let report = answer(&bytes, question);
    let Answer::Graph { certified, .. } = &report.answer else { return None };
    assert_eq!((certified.n_states, certified.n_steps), Forged::of(&bytes).totals);
    Some(bytes)
}

/// Without a reduction that depends on the order of a search, all searches write the same bytes.
fn same_bytes(file: &Path, reduce: &str) {
    let (session, question) = opened(file, reduce);
    let Some(first) = accepted(&session, &question, &plan(Strategy::Bfs, 1)) else { return };
    if Forged::of(&first).header.kind != Kind::Graph {
        return;
    }
    for (search, workers) in ALL {
        // Some searches need more memory than the first.
        let plan = Plan { limits: Limits::NONE, ..plan(search, workers) };
        let bytes = certificate_by(&session, &plan).unwrap();
        assert!(bytes == first, "{} {reduce}: {} {workers}", file.display(), search.name());
    }
    for store in [StoreKind::Tree, StoreKind::Collapse] {
        let plan = Plan { store: Some(store), limits: Limits::NONE, ..plan(Strategy::Bfs, 2) };
        assert!(certificate_by(&session, &plan).unwrap() == first, "{} {}", file.display(), store.name());
    }
}

/// Searches with a cache of this many states, which forget what does not fit.
fn cached(states: u32) -> impl Iterator<Item = Plan> {
    Policy::ALL.into_iter().map(move |policy| {
        let cache = CachePlan { policy, states: Some(states), redundancy: 50, ..CachePlan::DEFAULT };
        Plan { store: Some(StoreKind::Cache(cache)), ..plan(Strategy::Dfs, 1) }
    })
}

/// What was visited again is in the certificate once. Gives how many searches saw everything though they
/// forgot.
fn caches(file: &Path, reduce: &str) -> usize {
    let (session, question) = opened(file, reduce);
    let whole = certificate_by(&session, &plan(Strategy::Dfs, 1)).unwrap();
    let script = match Forged::kind(&whole) {
        Kind::Graph => Forged::of(&whole),
        _ => return 0,
    };
    let n_states = script.totals.0 as u32;
    let mut n_whole = 0;
    for plan in cached((n_states / 3).max(8)).chain(cached(n_states * 3 / 4 + 8)) {
        // The path of the search may fill a small cache.
        let Ok(bytes) = certificate_by(&session, &plan) else { continue };
        let report = answer(&bytes, &question);
        match Forged::kind(&bytes) {
            Kind::Graph if reduce != "all" => {
                assert!(bytes == whole, "{} {reduce}: {plan:?}", file.display());
                n_whole += 1;
            }
            Kind::Graph => n_whole += usize::from(report.holds()),
            _ => {}
        }
    }
    n_whole
}

#[test]
fn searches_that_forget_states_write_the_same_certificates() {
    let mut n_whole = 0;
    for name in ["peterson.pml", "treiber.dpml"] {
        n_whole += caches(&example(name), "dead,merge") + caches(&example(name), "all");
    }
    n_whole += random_caches(0..6);
    assert!(n_whole > 40, "{n_whole}");
}

fn random_caches(seeds: std::ops::Range<u64>) -> usize {
    let mut n_whole = 0;
    for seed in seeds {
        let source = random_promela::generate(seed).source;
        if allways_promela::load_text("cached.pml", &source).program.is_none() {
            continue;
        }
        let file = written("cached.pml", &source);
        n_whole += ["none", "all"].map(|reduce| caches(&file, reduce)).iter().sum::<usize>();
        std::fs::remove_file(file).unwrap();
    }
    println!("{n_whole} certificates of whole graphs by searches that forget states");
    n_whole
}

#[test]
#[ignore = "takes minutes"]
fn many_searches_that_forget_states() {
    assert!(random_caches(20..100) > 500);
}

fn every_search(file: &Path) {
    let (session, question) = opened(file, "all");
    for (search, workers) in ALL {
        accepted(&session, &question, &plan(search, workers));
    }
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(name)
}

#[test]
fn all_searches_write_the_same_bytes() {
    for name in ["peterson.pml", "go_back_n.pml", "treiber.dpml", "broken_lock.pml"] {
        same_bytes(&example(name), "dead,merge");
    }
    for seed in 0..12 {
        let file = written("same.pml", &random_promela::generate(seed).source);
        same_bytes(&file, "none");
        every_search(&file);
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn reduced_graphs_of_all_searches_are_accepted() {
    for name in ["peterson.pml", "go_back_n.pml", "treiber.dpml", "refcount.dpml", "leader_ring.pml"] {
        every_search(&example(name));
    }
}

#[test]
#[ignore = "takes minutes"]
fn of_many_random_models() {
    let mut n_models = 0;
    for seed in 100..420 {
        let source = random_promela::generate(seed).source;
        // Some have an error that the compiler finds.
        if allways_promela::load_text("many.pml", &source).program.is_none() {
            continue;
        }
        let file = written("many.pml", &source);
        same_bytes(&file, "none");
        every_search(&file);
        std::fs::remove_file(file).unwrap();
        n_models += 1;
    }
    println!("{n_models} models");
    assert!(n_models >= 300);
}

/// A search that a limit ended says which states it did not expand, wherever they are.
#[test]
fn partial_certificates_of_all_searches() {
    let file = example("go_back_n.pml");
    for (reduce, n_states) in [("none", 900), ("all", 300), ("none", 2)] {
        let (session, question) = opened(&file, reduce);
        for (search, workers) in ALL.into_iter().chain([(Strategy::Bfs, 1)]) {
            let limits = Limits { states: Some(n_states), ..Limits::NONE };
            let plan = Plan { limits, ..plan(search, workers) };
            let bytes = certificate_by(&session, &plan).unwrap();
            let report = answer(&bytes, &question);
            let Answer::Graph { certified, .. } = &report.answer else { panic!("a graph") };
            assert!(report.is_partial() && !report.holds(), "{}", search.name());
            assert!(certified.n_open > 0 && certified.n_open < certified.n_states);
        }
    }
}

/// The run to a violation is a certificate, whatever search found it.
#[test]
fn violations_of_all_searches() {
    let (session, question) = opened(&example("broken_lock.pml"), "all");
    for (search, workers) in ALL {
        let bytes = certificate_by(&session, &Plan { all_errors: false, ..plan(search, workers) }).unwrap();
        assert!(matches!(answer(&bytes, &question).answer, Answer::Violation { .. }), "{}", search.name());
    }
}

#[test]
fn what_cannot_be_certified_is_refused_by_name() {
    let (session, _) = opened(&example("peterson.pml"), "all");
    let why = |plan: Plan| certificate_by(&session, &plan).unwrap_err();
    let dfs = plan(Strategy::Dfs, 1);
    assert!(why(Plan { store: Some(StoreKind::HashCompact), ..dfs }).contains("may lose states"));
    assert!(why(Plan { search: Some(Strategy::Walk), ..dfs }).contains("walks keep no states"));
    let limits = Limits { depth: Some(9), ..Limits::NONE };
    assert!(why(Plan { limits, ..dfs }).contains("--depth"));
}
