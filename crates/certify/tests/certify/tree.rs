//! Trustful certification: the tree of a script is walked through, from the script of a graph with keys or
//! without, or cut out of it.

use crate::forged::{blocks, opened, recorded, sealed, temporary, written};
use allways_certify::{Answer, Deviation, Error, How, Question, Walked, certify, cut};
use allways_model::StepKey;
use allways_model::certificate::script::{Block, BlockWriter};
use allways_model::certificate::{Kind, streams};
use std::path::{Path, PathBuf};

const TRUSTFUL: How = How { exact: false, counts: false, workers: 1, reference: false, trustful: true };

fn walk(file: &Path, question: &Question) -> Result<Walked, Error> {
    match certify(file, question, &TRUSTFUL)?.answer {
        Answer::Tree(walked) => Ok(walked),
        other => panic!("{other:?}"),
    }
}

/// The certificates of a model: with keys, without, and the trees cut out of both.
fn written_all(name: &str, reduce: &str) -> (Question, [PathBuf; 4]) {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(name);
    let (session, question) = opened(&model, reduce);
    let files = [(); 4].map(|()| temporary("tree.cert"));
    for (at, keys) in [(0, true), (1, false)] {
        std::fs::write(&files[at], recorded(&session, true, 64 << 20, keys).unwrap()).unwrap();
        let mut tree = Vec::new();
        let found = cut(&files[at], &question, &mut tree).unwrap();
        assert_eq!((found.is_expanded, found.n_bytes), (!keys, tree.len() as u64));
        std::fs::write(&files[at + 2], tree).unwrap();
    }
    (question, files)
}

#[test]
fn the_tree_has_the_states_of_the_graph() {
    for (name, reduce) in [
        ("elevator.pml", "all"),
        ("elevator.pml", "none"),
        ("needham_schroeder.pml", "dead,merge"),
        ("print_queue.pml", "none"),
        ("shapes.dpml", "all"),
        ("philosophers.pml", "none"),
    ] {
        let (question, files) = written_all(name, reduce);
        let graph = certify(&files[0], &question, &How::default()).unwrap();
        let Answer::Graph { certified, .. } = &graph.answer else { panic!("{:?}", graph.answer) };
        for (idx, file) in files.iter().enumerate() {
            let walked =
                walk(file, &question).unwrap_or_else(|error| panic!("{name} {reduce} {idx}: {error}"));
            assert_eq!(walked.n_states, certified.n_states, "{name} {reduce} {idx}");
            assert_eq!(walked.by_keys, idx != 1);
            let is_deadlock = |(one, _): &&(allways_model::Violation, u64)| one.key.is_none();
            let deadlocks = certified.noted.first.iter().filter(is_deadlock).count();
            assert_eq!(
                walked.noted.first.iter().filter(is_deadlock).count(),
                deadlocks,
                "{name} {reduce} {idx}"
            );
        }
        let sizes = files.each_ref().map(|file| std::fs::metadata(file).unwrap().len());
        assert!(sizes[1] < sizes[0] && sizes[2] < sizes[0], "{sizes:?}");
        let trees = [&files[2], &files[3]].map(|file| std::fs::read(file).unwrap());
        assert_eq!(trees[0], trees[1], "the same tree, with keys from the script or from the program");
        let report = certify(&files[2], &question, &TRUSTFUL).unwrap();
        assert!(!report.holds() && report.trusted.iter().any(|one| one.starts_with("the producer")));
        assert!(
            matches!(certify(&files[2], &question, &How::default()), Err(Error::Input(_))),
            "a tree alone"
        );
        files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
    }
}

/// A tree in parts: for each state its steps, `None` if it is said to have none.
type Branches = Vec<Option<Vec<StepKey>>>;

fn changed(bytes: &[u8], change: impl FnOnce(&mut Branches)) -> Vec<u8> {
    let (header, blocks) = blocks(bytes).unwrap();
    assert_eq!((&header.kind, header.streams), (&Kind::Tree, streams::TREE | streams::KEYS));
    let mut branches: Branches = Vec::new();
    for (frame, raw) in &blocks {
        let mut block = Block::new(frame, header.streams, raw).unwrap();
        while let Some(state) = block.next_state().unwrap() {
            let keys = (0..state.n_steps).map(|slot| {
                block.next_target(slot).unwrap();
                block.key().unwrap()
            });
            let keys = keys.collect();
            branches.push((!state.is_end).then_some(keys));
        }
    }
    change(&mut branches);
    let mut writer = BlockWriter::new(header.streams);
    branches.iter().for_each(|keys| writer.push_branches(keys.as_deref()).unwrap());
    let (frame, raw) = writer.finish();
    let n_states = writer.newest();
    sealed(&header, &[(frame, raw)], (n_states, n_states - 1))
}

#[test]
fn a_changed_tree_is_refused() {
    let (question, files) = written_all("elevator.pml", "none");
    let bytes = std::fs::read(&files[2]).unwrap();
    let judge = |change: &dyn Fn(&mut Branches)| {
        let name = temporary("changed.cert");
        std::fs::write(&name, changed(&bytes, change)).unwrap();
        let walked = walk(&name, &question);
        std::fs::remove_file(&name).unwrap();
        match walked {
            Err(Error::Veracity(error)) => Some(error.deviation),
            Err(error) => panic!("{error}"),
            Ok(_) => None,
        }
    };
    assert!(judge(&|_| {}).is_none());
    let with_steps =
        |all: &Branches| all.iter().position(|keys| keys.as_ref().is_some_and(|keys| !keys.is_empty()));
    let wrong_key = judge(&|all| {
        let idx = with_steps(all).unwrap();
        all[idx].as_mut().unwrap()[0].0 ^= 1 << 40;
    });
    assert!(matches!(wrong_key, Some(Deviation::NoSuchStep)), "{wrong_key:?}");
    let no_end = judge(&|all| all[3] = None);
    assert!(matches!(no_end, Some(Deviation::Count { claimed: 0, .. })), "{no_end:?}");
    let open = judge(&|all| all.truncate(all.len() - 1));
    assert!(matches!(open, Some(Deviation::OpenPromises { n: 1 })), "{open:?}");
    let nothing = judge(&|all| all.push(Some(Vec::new())));
    assert!(matches!(nothing, Some(Deviation::NothingPromised)), "{nothing:?}");
    // What is trusted: that no state is left out.
    let fewer = judge(&|all| {
        let idx = all.iter().rposition(|keys| keys.as_ref().is_some_and(|keys| !keys.is_empty())).unwrap();
        let n_left = all[idx].take().unwrap().len();
        all[idx] = Some(Vec::new());
        all.truncate(all.len() - n_left);
    });
    assert!(fewer.is_none(), "a tree is trusted to be whole: {fewer:?}");
    files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
}

/// A deadlock is a state without a step, which is expanded; an assertion beside the tree is not seen.
#[test]
fn a_deadlock_is_met_and_a_failing_step_is_not() {
    let text = "byte x; active proctype p() { if :: x = 1; assert(x != 1) :: x = 2; x == 3 fi }";
    let file = written("walked.pml", text);
    let (session, question) = opened(&file, "none");
    let name = temporary("walked.cert");
    std::fs::write(&name, recorded(&session, true, 6 << 20, true).unwrap()).unwrap();
    let walked = walk(&name, &question).unwrap();
    assert_eq!(walked.noted.n, 1, "{:?}", walked.noted);
    let report = certify(&name, &question, &TRUSTFUL).unwrap();
    assert!(!report.is_trusting() && !report.is_partial());
    [file, name].iter().for_each(|file| std::fs::remove_file(file).unwrap());
}
