//! A limit ends a search for cycles, and is reported as that limit.

use super::graphs::{Dice, Graph};
use super::matrix::{SEARCHES, WORKERS};
use crate::observers::{Recorder, check};
use allways_model::{
    Acceptance, Batch, Cursor, Digest, Fault, Halt, Lesson, Lessons, Model, Move, Point, Process, StepKey,
    Variable,
};
use allways_search::{Config, End, Limit, Limits, Sample, StoreKind, Strategy, replay_finding, search};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Counts upwards without end, by two steps in each state. Every third state is accepting. There are no
/// cycles.
struct Endless {
    pause: Duration,
    /// The state in which the model reports a fault.
    fault_at: Option<u64>,
}

struct EndlessCursor<'m>(&'m Endless, u64);

impl Model for Endless {
    fn digest(&self) -> Digest {
        Digest([7; 16])
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(EndlessCursor(self, 0))
    }

    fn processes(&self, _: &[u8]) -> Vec<Process> {
        Vec::new()
    }

    fn variables(&self, _: &[u8]) -> Vec<Variable> {
        Vec::new()
    }

    fn points(&self) -> &[Point] {
        &[]
    }

    fn acceptance(&self) -> Acceptance {
        Acceptance::Anywhere
    }
}

impl Cursor for EndlessCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &[0; 8]);
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.1 = u64::from_le_bytes(state.try_into().unwrap());
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        if !self.0.pause.is_zero() {
            thread::sleep(self.0.pause);
        }
        if self.0.fault_at == Some(self.1) {
            return Err(Fault { message: "cannot".into(), ..Fault::default() }.into());
        }
        for key in 1..3 {
            out.push(StepKey(key), &(self.1 + key).to_le_bytes());
        }
        Ok(())
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        None
    }

    fn accepting(&mut self) -> bool {
        self.1.is_multiple_of(3)
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}

const FAST: Endless = Endless { pause: Duration::ZERO, fault_at: None };
const SLOW: Endless = Endless { pause: Duration::from_millis(2), fault_at: None };

fn all(test: impl Fn(Strategy, usize)) {
    SEARCHES.into_iter().for_each(|strategy| WORKERS.into_iter().for_each(|workers| test(strategy, workers)));
}

#[track_caller]
fn assert_bounded(end: &End, limit: Limit) {
    assert!(matches!(end, End::Bounded(l) if *l == limit), "{end:?} is not {limit:?}");
}

#[test]
fn time() {
    for model in [SLOW, FAST] {
        all(|strategy, workers| {
            let limits = Limits { time: Some(Duration::from_millis(120)), ..Limits::NONE };
            let start = Instant::now();
            let outcome = search(&model, strategy, &(), &Config { limits, ..Config::new(workers) });
            assert_bounded(&outcome.end, Limit::Time);
            assert!(outcome.stats.states > 1);
            assert!(start.elapsed() < Duration::from_millis(2500), "{:?}", start.elapsed());
        });
    }
}

#[test]
fn memory() {
    all(|strategy, workers| {
        for store in [StoreKind::Exact, StoreKind::Tree] {
            let limits = Limits { memory: Some(4 << 20), ..Limits::NONE };
            let outcome = search(&FAST, strategy, &(), &Config { limits, store, ..Config::new(workers) });
            assert_bounded(&outcome.end, Limit::Memory);
            assert!(outcome.stats.states > 5_000, "{strategy:?} {workers}: {}", outcome.stats.states);
            assert!(outcome.stats.total_bytes <= 4 << 20);
        }
    });
    all(|strategy, workers| {
        let limits = Limits { memory: Some(1), ..Limits::NONE };
        let outcome = search(&FAST, strategy, &(), &Config { limits, ..Config::new(workers) });
        assert_bounded(&outcome.end, Limit::Memory);
    });
}

#[test]
fn states() {
    all(|strategy, workers| {
        let limits = Limits { states: Some(4000), ..Limits::NONE };
        let outcome = search(&FAST, strategy, &(), &Config { limits, ..Config::new(workers) });
        assert_bounded(&outcome.end, Limit::States);
        assert!((3000..4400).contains(&outcome.stats.states), "{strategy:?} {}", outcome.stats.states);
    });
}

#[test]
fn depth() {
    all(|strategy, workers| {
        let limits = Limits { depth: Some(300), ..Limits::NONE };
        let outcome = search(&FAST, strategy, &(), &Config { limits, ..Config::new(workers) });
        assert_bounded(&outcome.end, Limit::Depth);
        assert_eq!(outcome.stats.depth, 300, "{strategy:?}");
        // A cycle before the limit is found.
        let mut graph = Graph::random(0, 1000, 1, 1);
        graph.edges = (0..1000_u32).map(|node| vec![(node + 1) % 1000]).collect();
        graph.edges[9].push(5);
        graph.accepting = (0..1000).map(|node| node == 6).collect();
        let outcome = search(&graph, strategy, &(), &Config { limits, ..Config::new(workers) });
        assert!(matches!(outcome.end, End::Violated), "{strategy:?} {workers} {:?}", outcome.end);
        replay_finding(&graph, &outcome.findings[0]).unwrap();
    });
}

#[test]
fn interruption() {
    all(|strategy, workers| {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                stop.store(true, Ordering::Relaxed);
            });
            let start = Instant::now();
            let config = Config { stop: Some(&stop), ..Config::new(workers) };
            assert_bounded(&search(&SLOW, strategy, &(), &config).end, Limit::Interrupted);
            assert!(start.elapsed() < Duration::from_millis(2500));
        });
    });
}

#[test]
fn faults() {
    let model = Endless { pause: Duration::ZERO, fault_at: Some(500) };
    all(|strategy, workers| {
        let End::Faulted(fault, path) = search(&model, strategy, &(), &Config::new(workers)).end else {
            panic!("a fault is not passed over by {strategy:?}");
        };
        assert_eq!(
            (fault.message.as_str(), path.steps.iter().map(|key| key.0).sum::<u64>()),
            ("cannot", 500)
        );
    });
}

#[test]
fn progress_is_reported() {
    all(|strategy, workers| {
        let last: Cell<Option<Sample>> = Cell::new(None);
        let progress = |sample: &Sample| last.set(Some(*sample));
        let limits = Limits { time: Some(Duration::from_millis(1100)), ..Limits::NONE };
        search(&SLOW, strategy, &(), &Config { limits, progress: Some(&progress), ..Config::new(workers) });
        let sample = last.get().expect("two samples were due");
        assert!(sample.states > 1 && sample.depth > 0 && sample.frontier > 0 && sample.bytes > 0);
    });
}

#[test]
fn observers_see_everything_once_and_can_end_a_search() {
    let mut dice = Dice(5);
    for _ in 0..20 {
        let graph = Graph::random(dice.roll(1000), 900, 4, 2).harmless();
        all(|strategy, workers| {
            check(&graph, strategy, &Config::new(workers));
        });
    }
    all(|strategy, workers| {
        let recorder = Recorder::until(50);
        assert_bounded(&search(&FAST, strategy, &recorder, &Config::new(workers)).end, Limit::Observer);
    });
}
