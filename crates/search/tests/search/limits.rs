//! A limit ends a search promptly, is reported as that limit, and keeps what was found before.

use crate::matrix::{SEARCHES, WORKERS};
use crate::toys::{self, Toy, bytes, violation, words};
use allways_model::{StepKey, ViolationKind};
use allways_search::{Config, End, Limit, Limits, Sample, Strategy, search};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn all(test: impl Fn(Strategy, usize)) {
    SEARCHES.into_iter().for_each(|strategy| WORKERS.into_iter().for_each(|workers| test(strategy, workers)));
}

fn limited(workers: usize, limits: Limits) -> Config<'static> {
    Config { limits, all_errors: true, ..Config::new(workers) }
}

#[track_caller]
fn assert_bounded(end: &End, limit: Limit) {
    assert!(matches!(end, End::Bounded(l) if *l == limit), "{end:?} is not {limit:?}");
}

/// An infinite model whose steps are slow.
fn slow() -> Toy {
    Toy::new("slow", &[0; 4], |state, out| {
        thread::sleep(Duration::from_millis(3));
        let at = words(state)[0];
        out.push(StepKey(0), &bytes(&[at.wrapping_add(1)]));
        out.push(StepKey(1), &bytes(&[at.wrapping_add(1_000_000)]));
        Ok(())
    })
}

#[test]
fn time_of_slow_and_of_fast_models() {
    for toy in [slow(), toys::grid(6, 40)] {
        all(|strategy, workers| {
            let limits = Limits { time: Some(Duration::from_millis(150)), ..Limits::NONE };
            let start = Instant::now();
            let outcome = search(&toy, strategy, &(), &limited(workers, limits));
            assert_bounded(&outcome.end, Limit::Time);
            assert!(outcome.stats.states > 1);
            assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
        });
    }
}

#[test]
fn states() {
    all(|strategy, workers| {
        let toy = toys::grid(2, 99);
        let with = |n| {
            let limits = Limits { states: Some(n), ..Limits::NONE };
            search(&toy, strategy, &(), &limited(workers, limits))
        };
        let cut = with(5000);
        assert_bounded(&cut.end, Limit::States);
        assert!((5000..5400).contains(&cut.stats.states), "{}", cut.stats.states);
        let whole = with(10_000);
        assert!(matches!(whole.end, End::Exhausted));
        assert_eq!(whole.stats.states, 10_000);
    });
    let limits = Limits { states: Some(77), ..Limits::NONE };
    let exact = search(&toys::grid(2, 99), Strategy::Dfs, &(), &limited(1, limits));
    assert_eq!(exact.stats.states, 77);
}

#[test]
fn memory() {
    all(|strategy, workers| {
        let limits = Limits { memory: Some(3 << 20), ..Limits::NONE };
        let outcome = search(&toys::grid(6, 40), strategy, &(), &limited(workers, limits));
        assert_bounded(&outcome.end, Limit::Memory);
        assert!(outcome.stats.states > 10_000, "{}", outcome.stats.states);
        assert!(outcome.stats.total_bytes <= 3 << 20);
    });
    let limits = Limits { memory: Some(1), ..Limits::NONE };
    assert_bounded(&search(&toys::grid(1, 1), Strategy::Dfs, &(), &limited(1, limits)).end, Limit::Memory);
}

#[test]
fn depth() {
    all(|strategy, workers| {
        let to = |depth| {
            let limits = Limits { depth: Some(depth), ..Limits::NONE };
            search(&toys::chain(100), strategy, &(), &limited(workers, limits))
        };
        let cut = to(50);
        assert_bounded(&cut.end, Limit::Depth);
        assert_eq!((cut.stats.states, cut.stats.depth), (51, 50));
        assert!(matches!(to(99).end, End::Exhausted));
        assert_bounded(&to(98).end, Limit::Depth);
        assert_bounded(&to(0).end, Limit::Depth);
    });
}

#[test]
fn a_violation_beside_the_depth_limit_counts() {
    let toy = Toy::new("fork", &[0; 4], |state, out| {
        match words(state)[0] {
            // To the left an infinite path, to the right a violation.
            0 => [1, 1_000_000]
                .iter()
                .enumerate()
                .for_each(|(k, &n)| out.push(StepKey(k as u64), &bytes(&[n]))),
            1_000_000 => out.report(violation(ViolationKind::Assertion, None, "mistake", 1)),
            n => out.push(StepKey(0), &bytes(&[n + 1])),
        }
        Ok(())
    });
    all(|strategy, workers| {
        let limits = Limits { depth: Some(10), ..Limits::NONE };
        let first = search(&toy, strategy, &(), &Config { limits, ..Config::new(workers) });
        assert!(matches!(first.end, End::Violated));
        let every = search(&toy, strategy, &(), &limited(workers, limits));
        assert_bounded(&every.end, Limit::Depth);
        assert_eq!(every.findings.len(), 1);
    });
}

#[test]
fn interruption() {
    all(|strategy, workers| {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(60));
                stop.store(true, Ordering::Relaxed);
            });
            let start = Instant::now();
            let outcome =
                search(&slow(), strategy, &(), &Config { stop: Some(&stop), ..Config::new(workers) });
            assert_bounded(&outcome.end, Limit::Interrupted);
            assert!(start.elapsed() < Duration::from_millis(1500));
        });
    });
}

#[test]
fn progress_is_reported() {
    let last: Cell<Option<Sample>> = Cell::new(None);
    let progress = |sample: &Sample| last.set(Some(*sample));
    let limits = Limits { time: Some(Duration::from_millis(1200)), ..Limits::NONE };
    let config = Config { limits, progress: Some(&progress), ..Config::new(2) };
    search(&slow(), Strategy::Dfs, &(), &config);
    let sample = last.get().expect("two samples were due");
    assert!(sample.states > 1 && sample.depth > 0 && sample.frontier > 0 && sample.bytes > 0);
}

#[test]
#[should_panic(expected = "a bug in the model")]
fn a_panic_of_one_worker_is_passed_on() {
    let toy = Toy::new("panics", &[0; 4], |state, out| {
        let at = words(state)[0];
        assert!(at < 500, "a bug in the model");
        (1..4).for_each(|step| out.push(StepKey(u64::from(step)), &bytes(&[at + step])));
        Ok(())
    });
    search(&toy, Strategy::Bfs, &(), &Config::new(4));
}
