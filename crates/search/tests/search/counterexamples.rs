//! Counterexamples can be replayed, and are shortest for searches that guarantee it.

use crate::matrix::WORKERS;
use crate::toys::{self, Toy, bytes, violation, words};
use allways_model::{Fault, StepKey, ViolationKind};
use allways_search::{Config, End, ReplayError, Strategy, replay, search};
use allways_testkit::reference;

#[test]
fn breadth_first_finds_the_shortest() {
    for seed in 0..200 {
        let toy = toys::random_graph(seed, 500, 60);
        let shortest = reference::explore(&toy).unwrap().shortest();
        for workers in WORKERS {
            let outcome = search(&toy, Strategy::Bfs, &(), &Config::new(workers));
            let length = outcome.findings.first().map(|finding| finding.path.steps.len() as u64);
            assert_eq!(length, shortest, "{} with {workers} workers", toy.name);
            assert_eq!(matches!(outcome.end, End::Violated), shortest.is_some());
            if let Some(finding) = outcome.findings.first() {
                assert!(!replay(&toy, &finding.path).unwrap().violations.is_empty());
            }
        }
    }
}

#[test]
fn one_worker_finds_the_same_each_time() {
    let toy = toys::philosophers(7);
    for strategy in [Strategy::Dfs, Strategy::Bfs] {
        let path = || search(&toy, strategy, &(), &Config::new(1)).findings.remove(0).path;
        assert_eq!(path(), path());
    }
    assert_eq!(search(&toy, Strategy::Bfs, &(), &Config::new(2)).findings[0].path.steps.len(), 7);
}

#[test]
fn many_workers_find_one_too() {
    for seed in 0..100 {
        let toy = toys::random_graph(seed, 2000, 150);
        let has_any = reference::explore(&toy).unwrap().shortest().is_some();
        let outcome = search(&toy, Strategy::Dfs, &(), &Config::new(4));
        assert_eq!(matches!(outcome.end, End::Violated), has_any);
        assert_eq!(outcome.findings.len(), usize::from(has_any));
        for finding in &outcome.findings {
            assert!(!replay(&toy, &finding.path).unwrap().violations.is_empty());
        }
    }
}

/// Counts to ten. The step to ten is a violation, and has no successor if `ends`.
fn wrong_step(ends: bool) -> Toy {
    Toy::new("wrong step", &[0; 4], move |state, out| {
        let at = words(state)[0];
        if at == 9 {
            out.report(violation(ViolationKind::RuntimeError, Some(3), "overflow", 4));
        }
        if at < 9 || (at == 9 && !ends) {
            out.push(StepKey(3), &bytes(&[at + 1]));
        }
        Ok(())
    })
}

#[test]
fn a_violation_may_have_no_successor() {
    for ends in [true, false] {
        let toy = wrong_step(ends);
        for strategy in [Strategy::Dfs, Strategy::Bfs] {
            let outcome = search(&toy, strategy, &(), &Config::new(1));
            let path = &outcome.findings[0].path;
            assert_eq!(path.steps, vec![StepKey(3); 10]);
            let replayed = replay(&toy, path).unwrap();
            assert_eq!(replayed.states.len(), if ends { 10 } else { 11 });
            assert_eq!(words(&replayed.states[9]), [9]);
            assert_eq!(replayed.violations[0].message(), "overflow");
            let mut beyond = path.clone();
            beyond.steps.push(StepKey(3));
            let error = replay(&toy, &beyond).unwrap_err();
            assert!(
                matches!(error, ReplayError::NoSuchStep(idx) if idx == if ends { 9 } else { 10 }),
                "{error}"
            );
        }
    }
}

#[test]
fn a_path_of_another_model_is_refused() {
    let path = search(&wrong_step(true), Strategy::Dfs, &(), &Config::new(1)).findings.remove(0).path;
    assert!(matches!(replay(&toys::chain(99), &path), Err(ReplayError::OtherModel)));
}

#[test]
fn a_fault_ends_the_search_with_a_path() {
    let toy = Toy::new("faulty", &[0; 8], |state, out| {
        let at = words(state);
        if at == [3, 2] {
            return Err(Fault { message: "cannot".into(), ..Fault::default() }.into());
        }
        for idx in 0..2 {
            let mut next = at.clone();
            next[idx] += 1;
            out.push(StepKey(idx as u64), &bytes(&next));
        }
        Ok(())
    });
    for strategy in [Strategy::Dfs, Strategy::Bfs] {
        for workers in WORKERS {
            let limits = allways_search::Limits { depth: Some(30), ..allways_search::Limits::NONE };
            let config = Config { limits, all_errors: true, ..Config::new(workers) };
            let End::Faulted(fault, path) = search(&toy, strategy, &(), &config).end else {
                panic!("a fault is not passed over");
            };
            assert_eq!(fault.message, "cannot");
            assert_eq!(words(replay(&toy, &path).unwrap().states.last().unwrap()), [3, 2]);
        }
    }
}
