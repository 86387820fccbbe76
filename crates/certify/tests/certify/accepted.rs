//! Certificates that are true are accepted.

use crate::forged::{Forged, blocks, certificate, opened, temporary, written};
use crate::oracle;
use allways_certify::{Answer, How, certify};
use allways_model::certificate::Kind;
use allways_testkit::random_promela;
use std::path::{Path, PathBuf};

fn examples() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "pml" || ending == "dpml"));
    files.sort();
    files
}

/// Certifies what a session wrote, and compares the counts with those of its search.
fn check(file: &Path, reduce: &str, all_errors: bool, how: How) {
    let (session, question) = opened(file, reduce);
    let Some(bytes) = certificate(&session, all_errors) else { return };
    let name = temporary("accepted.cert");
    std::fs::write(&name, &bytes).unwrap();
    let report = certify(&name, &question, &how);
    std::fs::remove_file(&name).unwrap();
    let report = report.unwrap_or_else(|error| panic!("{} {reduce}: {error}", file.display()));
    let (header, _) = blocks(&bytes).unwrap();
    assert_eq!(report.header, header);
    match (&report.answer, &header.kind) {
        (Answer::Graph { certified, error }, Kind::Graph) => {
            let script = Forged::of(&bytes);
            assert_eq!((certified.n_states, certified.n_steps), script.totals);
            assert_eq!(error.is_none(), how.exact);
            assert!(certified.most_prints <= certified.n_states);
            let numbered = session.with_model(|model| oracle::numbered(model, &script));
            assert_eq!(numbered.map(|all| all.len() as u64), Some(certified.n_states));
        }
        (Answer::Graph { certified, .. }, Kind::Bounded) => {
            assert!(certified.n_open > 0 && !report.holds());
        }
        (Answer::Violation { n_steps, .. }, Kind::Violation { .. }) => {
            assert!(*n_steps < 1000 && !report.holds())
        }
        (answer, kind) => panic!("{answer:?} of {kind:?}"),
    }
}

#[test]
fn of_all_examples() {
    let files = examples();
    assert!(files.len() > 30);
    for file in files {
        check(&file, "all", false, How::default());
        check(
            &file,
            "dead,merge",
            true,
            How { exact: true, counts: true, workers: 3, reference: true, trustful: false },
        );
    }
}

#[test]
fn of_graphs_without_reductions() {
    for name in ["peterson.pml", "go_back_n.pml", "treiber.dpml", "broken_lock.pml", "refcount.dpml"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(name);
        check(&file, "none", true, How::default());
    }
}

fn random(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let source = random_promela::generate(seed).source;
        // Some have an error that the compiler finds.
        if allways_promela::load_text("random.pml", &source).program.is_none() {
            continue;
        }
        let file = written("random.pml", &source);
        for (reduce, all_errors) in [("all", false), ("all", true), ("none", true)] {
            check(&file, reduce, all_errors, How::default());
        }
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn of_random_models() {
    random(0..25);
}

#[test]
#[ignore = "takes minutes"]
fn of_many_random_models() {
    random(40..600);
}

/// All violations of a graph are met again, those beyond the first included.
#[test]
fn with_all_violations_of_the_graph() {
    let text = "byte x; active proctype p() { if :: x = 1; assert(x != 1) :: x = 2; assert(x != 2) fi }";
    let file = written("two.pml", text);
    let (session, question) = opened(&file, "none");
    let name = temporary("two.cert");
    std::fs::write(&name, certificate(&session, true).unwrap()).unwrap();
    let report = certify(&name, &question, &How::default()).unwrap();
    let Answer::Graph { certified, .. } = &report.answer else { panic!("a graph") };
    assert_eq!((certified.noted.n, certified.noted.first.len()), (2, 2));
    assert!(!report.holds());
    [file, name].iter().for_each(|file| std::fs::remove_file(file).unwrap());
}
