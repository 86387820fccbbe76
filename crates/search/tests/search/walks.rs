//! Random walks: they find errors, prove nothing, and are reproducible.

use crate::matrix::WORKERS;
use crate::toys::{self, Toy, bytes, words};
use allways_model::{Fault, Path, StepKey};
use allways_search::{Config, End, Limit, Limits, Outcome, Strategy, WalkPlan, replay, search};
use allways_testkit::reference;
use std::time::{Duration, Instant};

const SEARCHES: [Strategy; 2] = [Strategy::Walk, Strategy::Pct];

fn walks(toy: &Toy, strategy: Strategy, workers: usize, most: u64, seed: u64) -> Outcome {
    let walks = WalkPlan { most: Some(most), seed, ..WalkPlan::default() };
    search(toy, strategy, &(), &Config { walks, ..Config::new(workers) })
}

#[test]
fn nothing_is_ever_proved() {
    let toy = toys::grid(2, 3).with_actors(2);
    let n_states = reference::explore(&toy).unwrap().states;
    for strategy in SEARCHES {
        for workers in WORKERS {
            let outcome = walks(&toy, strategy, workers, 3000, 1);
            assert!(matches!(outcome.end, End::Bounded(Limit::Walks)), "{:?}", outcome.end);
            let seen = outcome.walks.unwrap();
            assert_eq!((seen.n_walks, seen.n_steps, seen.n_cut), (3000, 6 * 3000, 0));
            assert_eq!(outcome.stats.transitions, 7 * 3000);
            assert_eq!(seen.n_met, 7 * 3000);
            assert!(outcome.stats.states <= n_states);
            if strategy == Strategy::Walk {
                assert_eq!((outcome.stats.states, seen.n_once), (n_states, 0));
            }
        }
    }
}

#[test]
fn what_is_found_is_there() {
    let mut n_found = 0;
    for seed in 0..100 {
        let toy = toys::random_graph(seed, 300, 40).with_actors(3);
        let shortest = reference::explore(&toy).unwrap().shortest();
        for strategy in SEARCHES {
            for workers in WORKERS {
                let outcome = walks(&toy, strategy, workers, 300, seed);
                assert_eq!(matches!(outcome.end, End::Violated), !outcome.findings.is_empty());
                assert!(outcome.findings.is_empty() || shortest.is_some());
                for finding in &outcome.findings {
                    let replayed = replay(&toy, &finding.path).unwrap();
                    let message = format!("{:?}", finding.violation);
                    assert!(replayed.violations.iter().any(|v| format!("{v:?}") == message));
                }
                n_found += outcome.findings.len();
            }
        }
    }
    assert!(n_found > 300, "only {n_found} were found");
}

#[test]
fn every_state_has_its_chance() {
    // Uniform walks meet all errors of a small graph sooner or later, each counted once.
    let toy = toys::random_graph(11, 40, 6);
    let expected = reference::explore(&toy).unwrap().violations.len() as u64;
    let plan = WalkPlan { most: Some(20_000), ..WalkPlan::default() };
    let limits = Limits { depth: Some(60), ..Limits::NONE };
    let config = Config { walks: plan, all_errors: true, limits, ..Config::new(2) };
    let outcome = search(&toy, Strategy::Walk, &(), &config);
    assert!(expected > 3 && matches!(outcome.end, End::Bounded(Limit::Walks)));
    assert_eq!(outcome.stats.errors, expected);
}

#[test]
fn a_seed_gives_the_same_walks() {
    let toy = toys::philosophers(9).with_actors(9);
    let path = |strategy, seed| -> (Path, u64) {
        let mut outcome = walks(&toy, strategy, 1, 100_000, seed);
        (outcome.findings.remove(0).path, outcome.walks.unwrap().n_steps)
    };
    for strategy in SEARCHES {
        assert_eq!(path(strategy, 5), path(strategy, 5));
        assert!((0..20).any(|seed| path(strategy, seed) != path(strategy, 5)), "{strategy:?}");
    }
    // The total number of steps of all walks does not depend on the number of workers.
    let grid = toys::stacks(6);
    let sum = |workers| {
        let limits = Limits { depth: Some(40), ..Limits::NONE };
        let walks = WalkPlan { most: Some(500), seed: 3, ..WalkPlan::default() };
        let outcome = search(&grid, Strategy::Walk, &(), &Config { limits, walks, ..Config::new(workers) });
        (outcome.stats.states, outcome.stats.transitions, outcome.walks.unwrap().n_once)
    };
    assert_eq!(sum(1), sum(4));
}

#[test]
fn walks_end_at_limits() {
    let toy = toys::grid(4, 1_000_000).with_actors(4);
    for strategy in SEARCHES {
        for workers in WORKERS {
            let with = |limits| search(&toy, strategy, &(), &Config { limits, ..Config::new(workers) });
            let started = Instant::now();
            let time = with(Limits { time: Some(Duration::from_millis(100)), ..Limits::NONE });
            assert!(matches!(time.end, End::Bounded(Limit::Time)) && started.elapsed().as_secs() < 20);
            let states = with(Limits { states: Some(5000), ..Limits::NONE });
            assert!(matches!(states.end, End::Bounded(Limit::States)), "{:?}", states.end);
            let memory = with(Limits { memory: Some(1 << 20), ..Limits::NONE });
            assert!(matches!(memory.end, End::Bounded(Limit::Memory)), "{:?}", memory.end);
            let short = Limits { depth: Some(25), states: Some(5000), ..Limits::NONE };
            let cut = with(short);
            let seen = cut.walks.unwrap();
            assert_eq!((cut.stats.depth, seen.max_steps), (25, 25));
            assert!(seen.n_cut > 0 && seen.n_cut <= seen.n_walks);
        }
    }
}

#[test]
fn a_fault_ends_the_walks_with_a_path() {
    let toy = Toy::new("faulty", &[0; 4], |state, out| {
        let at = words(state)[0];
        if at == 7 {
            return Err(Fault { message: "cannot".into(), ..Fault::default() }.into());
        }
        out.push(StepKey(0), &bytes(&[at + 1]));
        Ok(())
    });
    for strategy in SEARCHES {
        let End::Faulted(fault, path) = walks(&toy, strategy, 2, 10, 0).end else {
            panic!("a fault is not passed over");
        };
        assert_eq!((fault.message.as_str(), path.steps.len()), ("cannot", 7));
    }
}

/// Two actors of `n` steps each. The error needs the steps of the first actor before those of the second,
/// except step number `at` of the first, which must come after all of the second.
fn ordered(n: u32, at: u32) -> Toy {
    Toy::new(format!("ordered {n} {at}"), &[0; 8], move |state, out| {
        let counters = words(state);
        if counters == [at, n] {
            let message = "the wrong order";
            out.report(toys::violation(allways_model::ViolationKind::Assertion, None, message, 1));
        }
        for idx in 0..2 {
            let mut next = counters.clone();
            next[idx] += 1;
            if next[idx] <= n {
                out.push(StepKey(idx as u64), &bytes(&next));
            }
        }
        Ok(())
    })
    .with_actors(2)
}

#[test]
fn priorities_keep_their_promise() {
    // One actor must stop after nine of thirty steps while the other runs to its end: an error of depth two.
    // With two actors and sixty steps at least one walk in 120 finds it, while uniform walks hardly ever do.
    let toy = ordered(30, 9);
    let n_seeds = 400;
    let found = |strategy| {
        let finds = |seed: &u64| {
            let walks = WalkPlan { most: Some(60), seed: *seed, bug_depth: 2, ..WalkPlan::default() };
            let outcome = search(&toy, strategy, &(), &Config { walks, ..Config::new(1) });
            !outcome.findings.is_empty()
        };
        (0..n_seeds).filter(finds).count()
    };
    // 59 walks with a probability of 1/120 each: at least 39 % of all seeds, allowing a little less for
    // chance.
    assert!(found(Strategy::Pct) > 120, "{}", found(Strategy::Pct));
    assert!(found(Strategy::Walk) < 40, "{}", found(Strategy::Walk));
    let walks = WalkPlan { most: Some(61), seed: 1, bug_depth: 2, ..WalkPlan::default() };
    let harmless = toys::grid(2, 30).with_actors(2);
    let outcome = search(&harmless, Strategy::Pct, &(), &Config { walks, ..Config::new(1) });
    let guarantee = outcome.walks.unwrap().guarantee.unwrap();
    assert_eq!((guarantee.n_actors, guarantee.n_steps, guarantee.n_walks), (2, 60, 60));
    assert!((guarantee.of_one() - 1.0 / 120.0).abs() < 1e-12);
}

#[test]
fn who_waits_in_a_loop_does_not_keep_the_others_waiting() {
    // The second actor polls until the first has moved.
    let toy = Toy::new("waiting", &[0; 8], |state, out| {
        let at = words(state);
        if at[0] == 0 {
            out.push(StepKey(0), &bytes(&[1, at[1]]));
        }
        match at[1] {
            0 if at[0] == 0 => out.push(StepKey(1), state),
            0 => out.push(StepKey(1), &bytes(&[at[0], 1])),
            _ => {}
        }
        Ok(())
    })
    .with_actors(2);
    let seen = walks(&toy, Strategy::Pct, 1, 100, 0).walks.unwrap();
    assert_eq!(seen.n_cut, 0);
    assert!(seen.n_steps <= 100 * 4, "{}", seen.n_steps);
}

#[test]
fn the_estimate_of_what_is_unseen_is_near_the_truth() {
    // The mean number of new states that the next walk meets, over many seeds, against the mean of the
    // estimates.
    let toy = toys::random_graph(5, 400, 1_000_000);
    let limits = Limits { depth: Some(30), ..Limits::NONE };
    let (mut expected, mut met) = (0.0, 0.0);
    for seed in 0..300 {
        let states = |most| {
            let walks = WalkPlan { most: Some(most), seed, ..WalkPlan::default() };
            search(&toy, Strategy::Walk, &(), &Config { limits, walks, ..Config::new(1) })
        };
        let (before, after) = (states(20), states(21));
        expected += before.walks.unwrap().expected_new();
        met += (after.stats.states - before.stats.states) as f64;
    }
    assert!(met > 50.0, "{met}");
    assert!((expected / met - 1.0).abs() < 0.3, "{expected} against {met}");
}
