//! Certification in tasks: the verdict of the merge is that of one certifier, and changed results, secrets
//! and tables are refused.

use crate::forged::{Forged, certificate_by, certify as certify_bytes, opened, recorded, temporary, written};
use crate::tampering::change;
use allways_certify::attest::Found;
use allways_certify::print::Exact;
use allways_certify::{Answer, Deviation, Error, How, Merged, Question, Secret, Shared, certify, partition};
use allways_model::certificate::Kind;
use allways_model::certificate::script::Target;
use allways_session::{Limits, Plan, Strategy};
use allways_testkit::random_promela::Rng;
use std::path::{Path, PathBuf};

/// The files of one shared certification, gone with the value.
struct Files {
    certificate: PathBuf,
    secret: String,
    results: Vec<PathBuf>,
    trustful: bool,
}

impl Drop for Files {
    fn drop(&mut self) {
        self.results.iter().chain([&self.certificate]).for_each(|file| {
            let _ = std::fs::remove_file(file);
        });
    }
}

impl Files {
    /// Makes the plan of a certificate, and does all tasks.
    fn new(bytes: &[u8], question: &Question, n_tasks: u16, trustful: bool) -> Result<Self, Error> {
        let certificate = temporary("shared.cert");
        std::fs::write(&certificate, bytes).unwrap();
        let mut files = Self { certificate, secret: String::new(), results: Vec::new(), trustful };
        let (plan, secret) = partition(&files.certificate, n_tasks, trustful, None)?;
        files.secret = secret.to_text();
        for number in 1..=n_tasks {
            let mut bytes = Vec::new();
            let summary = files.open(question)?.task(number, &mut bytes)?;
            let load = plan.loads[usize::from(number) - 1];
            assert_eq!((summary.n_states, summary.n_steps), (load.n_states, load.n_steps));
            let name = temporary("shared.result");
            std::fs::write(&name, bytes).unwrap();
            files.results.push(name);
        }
        Ok(files)
    }

    fn open(&self, question: &Question) -> Result<Shared, Error> {
        let secret = Secret::parse(&self.secret).unwrap();
        Shared::open(&self.certificate, question, secret, self.trustful, false)
    }

    fn merge(&self, question: &Question) -> Result<Merged, Error> {
        Ok(self.open(question)?.merge(&self.results)?.0)
    }
}

fn example(name: &str, reduce: &str) -> (allways_session::Session, Question) {
    opened(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(name), reduce)
}

fn deviation<T>(result: Result<T, Error>) -> Deviation {
    match result {
        Err(Error::Veracity(error)) => error.deviation,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was accepted"),
    }
}

/// Certifies in tasks, for other comparisons.
pub(crate) fn merged(bytes: &[u8], question: &Question, n_tasks: u16) -> Result<Merged, Error> {
    Files::new(bytes, question, n_tasks, false)?.merge(question)
}

#[test]
fn tasks_find_what_one_certifier_finds() {
    for (name, reduce) in [
        ("elevator.pml", "all"),
        ("needham_schroeder.pml", "none"),
        ("print_queue.pml", "dead,merge"),
        ("shapes.dpml", "all"),
        ("philosophers.pml", "none"),
    ] {
        let (session, question) = example(name, reduce);
        let bytes = recorded(&session, true, 64 << 20, true).unwrap();
        for n_tasks in [1, 2, 5, 40] {
            let files = Files::new(&bytes, &question, n_tasks, false).unwrap();
            let merged = files.merge(&question).unwrap_or_else(|error| panic!("{name} {n_tasks}: {error}"));
            let whole = certify(&files.certificate, &question, &How::default()).unwrap();
            let Answer::Graph { certified, error } = whole.answer else { panic!("a graph") };
            assert_eq!(
                (merged.n_states, merged.n_steps, merged.n_part, merged.n_violations, merged.error),
                (certified.n_states, certified.n_steps, certified.n_part, certified.noted.n, error),
                "{name} {n_tasks}"
            );
            assert_eq!(merged.n_compared > 0, n_tasks > 1, "{name} {n_tasks}");
            let trustful = Files::new(&bytes, &question, n_tasks, true).unwrap();
            let how = How { trustful: true, ..How::default() };
            let Answer::Tree(walked) = certify(&files.certificate, &question, &how).unwrap().answer else {
                panic!("a tree")
            };
            let merged = trustful.merge(&question).unwrap();
            assert_eq!(
                (merged.n_states, merged.n_ends, merged.n_violations, merged.error),
                (walked.n_states, walked.n_ends, walked.noted.n, None)
            );
        }
    }
}

const PLAIN: &str = "byte x, y; bool turn;
active [2] proctype p() { byte i; do :: i < 2 -> atomic { turn -> turn = 0; x++ }; i++ :: i < 2 -> y++; turn = 1; i++ :: i == 2 -> break od }";

/// Changed scripts are accepted by tasks and merge exactly if one certifier that compares whole states
/// accepts them, wherever the change is. Gives how many are found by the merge alone.
fn tamper(n_times: usize, reduce: &str, limit: Option<u64>) -> usize {
    // A search that a limit ends must not have found a deadlock before: there, nothing waits.
    let file =
        written("shared.pml", &if limit.is_some() { PLAIN.replace("turn -> ", "") } else { PLAIN.into() });
    let (session, question) = opened(&file, reduce);
    let limits = Limits { states: limit, ..Limits::NONE };
    let search = if limit.is_some() { Strategy::Dfs } else { Strategy::Bfs };
    let plan = Plan { search: Some(search), workers: 1, all_errors: true, limits, ..Plan::default() };
    let original = Forged { block: 7, ..Forged::of(&certificate_by(&session, &plan).unwrap()) };
    assert_eq!(original.header.kind == Kind::Bounded, limit.is_some());
    let mut rng = Rng::new(n_times as u64);
    let (mut n_accepted, mut n_in_merge) = (0, 0);
    for idx in 0..n_times {
        let mut script = original.clone();
        let what = change(&mut rng, &mut script);
        script.count();
        // A state that is not expanded has no steps.
        script.states.iter_mut().for_each(|state| state.is_open &= state.targets.is_empty());
        script.mark();
        let bytes = script.to_bytes();
        let alone = session.with_model(|model| certify_bytes(model, &bytes, &Exact));
        let done = Files::new(&bytes, &question, 2 + (idx % 3) as u16, false);
        n_in_merge += usize::from(done.is_ok() && alone.is_err());
        let shared = done.and_then(|files| files.merge(&question));
        assert_eq!(shared.is_ok(), alone.is_ok(), "{what}: {:?} against {:?}", shared.err(), alone.err());
        n_accepted += usize::from(shared.is_ok());
    }
    assert!(n_accepted < n_times / 2, "{n_accepted} of {n_times} accepted");
    std::fs::remove_file(file).unwrap();
    n_in_merge
}

#[test]
fn changed_scripts_are_refused_by_tasks_or_merge() {
    tamper(100, "none", None);
    tamper(60, "all", None);
    tamper(60, "none", Some(40));
}

#[test]
#[ignore = "takes minutes"]
fn many_changed_scripts_are_refused_by_tasks_or_merge() {
    let n_in_merge = tamper(1500, "none", None) + tamper(1500, "all", None) + tamper(1500, "none", Some(40));
    assert!(n_in_merge > 5, "some are found by the merge alone");
}

/// What a limit left open is reported by the merge as by one certifier, however the states are cut into
/// tasks.
#[test]
fn tasks_of_partial_certificates() {
    for (search, keys, n_states, reduce) in [
        (Strategy::Bfs, true, 300, "none"),
        (Strategy::Dfs, false, 300, "none"),
        (Strategy::Scc, false, 40, "all"),
        (Strategy::Bfs, true, 2, "dead,merge"),
    ] {
        let (session, question) = example("print_queue.pml", reduce);
        let limits = Limits { states: Some(n_states), ..Limits::NONE };
        let plan = Plan { search: Some(search), workers: 1, keys, limits, ..Plan::default() };
        let bytes = certificate_by(&session, &plan).unwrap();
        assert_eq!(Forged::of(&bytes).header.kind, Kind::Bounded);
        for n_tasks in [1, 3, 10] {
            let files = Files::new(&bytes, &question, n_tasks, false).unwrap();
            let whole = certify(&files.certificate, &question, &How::default()).unwrap();
            let Answer::Graph { certified, .. } = whole.answer else { panic!("a graph") };
            let merged = files.merge(&question).unwrap();
            assert_eq!(
                (merged.n_states, merged.n_steps, merged.n_part, merged.n_open),
                (certified.n_states, certified.n_steps, certified.n_part, certified.n_open),
                "{} {n_tasks}",
                search.name()
            );
            assert!(merged.n_open > 0);
            assert_eq!(merged.found(), Found::Partial);
            if keys {
                let how = How { trustful: true, ..How::default() };
                let walked = certify(&files.certificate, &question, &how).unwrap().answer;
                let Answer::Tree(walked) = walked else { panic!("a tree") };
                let merged = Files::new(&bytes, &question, n_tasks, true).unwrap().merge(&question).unwrap();
                assert_eq!((merged.n_states, merged.n_open), (walked.n_states, walked.n_open));
                assert_eq!(merged.found(), Found::Partial);
            }
        }
        if keys {
            continue;
        }
        // What the trailer counts is compared too.
        let mut script = Forged::of(&bytes);
        script.totals.1 += 1;
        let wrong = Files::new(&script.to_bytes(), &question, 3, false);
        assert!(matches!(deviation(wrong.map(|_| ())), Deviation::Totals { .. }));
    }
}

/// A step that is said to lead to another state of another task is true as far as its own task can see.
#[test]
fn a_false_mention_of_another_tasks_state_is_found_by_the_merge() {
    let file = written("foreign.pml", PLAIN);
    let (session, question) = opened(&file, "none");
    let original = Forged::of(&recorded(&session, true, 6 << 20, false).unwrap());
    let (mut newest, mut n_tried, mut n_in_merge) = (1, 0, 0);
    for (idx, state) in original.states.iter().enumerate() {
        for (slot, target) in state.targets.iter().enumerate() {
            let Target::Old(number) = *target else {
                newest += 1;
                continue;
            };
            n_tried += 1;
            if n_tried % 3 > 0 {
                continue;
            }
            let mut script = original.clone();
            script.states[idx].targets[slot] = Target::Old(number % newest + 1);
            script.mark();
            match Files::new(&script.to_bytes(), &question, 3, false) {
                Ok(files) => {
                    n_in_merge += 1;
                    assert!(matches!(deviation(files.merge(&question)), Deviation::Disagree));
                }
                Err(error) => {
                    assert!(matches!(deviation(Err::<(), _>(error)), Deviation::FalseMention { .. }))
                }
            }
        }
    }
    assert!(n_in_merge > 0, "none of {n_tried}");
    std::fs::remove_file(file).unwrap();
}

#[test]
fn changed_results_are_refused() {
    let (session, question) = example("print_queue.pml", "none");
    let bytes = recorded(&session, true, 64 << 20, false).unwrap();
    let mut files = Files::new(&bytes, &question, 3, false).unwrap();
    files.merge(&question).unwrap();
    let original = std::fs::read(&files.results[1]).unwrap();
    let mut rng = Rng::new(4);
    for _ in 0..200 {
        let mut other = original.clone();
        let at = rng.below(other.len() as u32) as usize;
        match rng.below(3) {
            0 => other[at] ^= 1 << rng.below(8),
            1 => other.truncate(at),
            _ => other.insert(at, rng.bits() as u8),
        }
        if other != original {
            std::fs::write(&files.results[1], &other).unwrap();
            assert!(matches!(deviation(files.merge(&question)), Deviation::BadResult { .. }), "{at}");
        }
    }
    std::fs::write(&files.results[1], &original).unwrap();
    files.merge(&question).unwrap();

    // A result that is missing, or there twice.
    let last = files.results.pop().unwrap();
    assert!(matches!(deviation(files.merge(&question)), Deviation::MissingTask { task: 3, n_tasks: 3 }));
    files.results.push(files.results[0].clone());
    assert!(deviation(files.merge(&question)).to_string().contains("twice"));
    *files.results.last_mut().unwrap() = last;
    files.merge(&question).unwrap();

    // Results of another kind, another secret, another number of tasks.
    let others =
        [Files::new(&bytes, &question, 3, false).unwrap(), Files::new(&bytes, &question, 4, false).unwrap()];
    for other in others {
        let own = std::mem::replace(&mut files.results[0], other.results[0].clone());
        assert!(deviation(files.merge(&question)).to_string().contains("MAC"));
        files.results[0] = own;
    }
    files.merge(&question).unwrap();
}

/// A secret belongs to one certificate and one number of tasks; results say which kind of certification it
/// was.
#[test]
fn a_secret_is_bound_to_its_certificate() {
    let (session, question) = example("print_queue.pml", "none");
    let bytes = recorded(&session, true, 64 << 20, true).unwrap();
    let mut files = Files::new(&bytes, &question, 2, false).unwrap();
    let plain = recorded(&session, true, 64 << 20, false).unwrap();
    let other = Files::new(&plain, &question, 2, false).unwrap();
    let own = std::mem::replace(&mut files.secret, other.secret.clone());
    assert!(matches!(files.merge(&question), Err(Error::Input(why)) if why.contains("another certificate")));
    // With another number of tasks the plan is another one, and so is the identity of the secret.
    files.secret = own.replace("tasks 2", "tasks 3");
    assert!(files.merge(&question).is_err());
    files.secret.clone_from(&own);
    files.merge(&question).unwrap();
    // Trustful results under the same secret prove nothing about the graph.
    files.trustful = true;
    assert!(deviation(files.merge(&question)).to_string().contains("kind of certification"));
    files.trustful = false;
    // Each draws its own.
    assert_ne!(own, Files::new(&bytes, &question, 2, false).unwrap().secret);
}
