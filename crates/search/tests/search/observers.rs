//! Observers see every state and every edge once, and can end a search.

use crate::matrix::{SEARCHES, WORKERS};
use crate::toys;
use allways_model::StepKey;
use allways_search::{Config, End, Limit, Observer, search};
use allways_store::StateRef;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

#[derive(Default)]
struct Log {
    opened: HashSet<StateRef>,
    closed: HashSet<StateRef>,
    edges: HashSet<(StateRef, StepKey)>,
    n_new: usize,
}

#[derive(Default)]
struct Recorder {
    log: Mutex<Log>,
    max_states: Option<usize>,
}

impl Observer for Recorder {
    fn open(&self, state: StateRef, _: &[u8]) -> ControlFlow<()> {
        let mut log = self.log.lock().unwrap();
        assert!(log.opened.insert(state), "opened twice");
        if self.max_states == Some(log.opened.len()) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn edge(&self, from: StateRef, step: StepKey, _: StateRef, new: bool) -> ControlFlow<()> {
        let mut log = self.log.lock().unwrap();
        assert!(log.opened.contains(&from) && !log.closed.contains(&from), "an edge out of place");
        assert!(log.edges.insert((from, step)), "an edge seen twice");
        log.n_new += usize::from(new);
        ControlFlow::Continue(())
    }

    fn close(&self, state: StateRef) -> ControlFlow<()> {
        assert!(self.log.lock().unwrap().closed.insert(state), "closed twice");
        ControlFlow::Continue(())
    }
}

#[test]
fn everything_is_seen_once() {
    let toy = toys::philosophers(7);
    for strategy in SEARCHES {
        for workers in WORKERS {
            let recorder = Recorder::default();
            let config = Config { all_errors: true, ..Config::new(workers) };
            let stats = search(&toy, strategy, &recorder, &config).stats;
            let log = recorder.log.into_inner().unwrap();
            assert_eq!(log.opened.len() as u64, stats.states);
            assert_eq!(log.opened, log.closed);
            assert_eq!(log.edges.len() as u64 + 1, stats.transitions);
            assert_eq!(log.n_new as u64 + 1, stats.states);
        }
    }
}

#[test]
fn an_observer_can_end_a_search() {
    for strategy in SEARCHES {
        for workers in WORKERS {
            let recorder = Recorder { max_states: Some(50), ..Recorder::default() };
            let outcome = search(&toys::grid(3, 20), strategy, &recorder, &Config::new(workers));
            assert!(matches!(outcome.end, End::Bounded(Limit::Observer)));
        }
    }
}
