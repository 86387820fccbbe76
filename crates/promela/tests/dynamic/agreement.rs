//! Random dynamic models, with labels, jumps and `unless` too: every way of searching finds the same.
//!
//! Without reductions, interpreter and native code, stores, searches and numbers of workers also agree on the
//! number of states. Reductions and collection change that, and nothing else.

use crate::claims::harness::{How, outcome, violated};
use crate::reductions::dynamic::{program, terminating, try_load};
use crate::reductions::verdicts::{REDUCTIONS, explore, explore_in};
use allways_promela::options::{Collect, Dynamics};
use allways_promela::{Program, Property, Reductions};
use allways_search::{StoreKind, Strategy};
use allways_testkit::dynamic::sharing;

const MAX_STATES: u64 = 4_000;

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    models: u32,
    states: u64,
    labelled: u32,
    escaping: u32,
    wrong: u32,
    cycles: u32,
}

fn compiled(source: &str, reductions: Reductions) -> Program {
    let program = program(source).with_reductions(reductions);
    program.compile();
    program
}

/// Compares what visits states find.
fn agree(name: &str, source: &str, tally: &mut Tally) {
    let plain = explore(&program(source).interpreted(), Strategy::Dfs, 1, Some(MAX_STATES));
    let Some((expected, states)) = plain else { return };
    let same = |what: &str, found: Option<(_, u64)>, counts: bool| {
        let (found, n) = found.unwrap_or_else(|| panic!("{name}: {what} did not end\n{source}"));
        assert_eq!(found, expected, "{name}: {what}\n{source}");
        assert!(!counts || n == states, "{name}: {what}: {n} states and not {states}\n{source}");
    };
    let native = compiled(source, Reductions::NONE);
    for (store, strategy, workers) in [
        (StoreKind::Exact, Strategy::Dfs, 1),
        (StoreKind::Tree, Strategy::Dfs, 2),
        (StoreKind::Collapse, Strategy::Bfs, 2),
        (StoreKind::Tree, Strategy::Switches, 1),
    ] {
        same(
            &format!("{store:?} {strategy:?} {workers}"),
            explore_in(store, &native, strategy, workers, None),
            true,
        );
    }
    for reductions in REDUCTIONS {
        let native = compiled(source, reductions);
        let interpreted = program(source).interpreted().with_reductions(reductions);
        same(&format!("{reductions:?}"), explore(&native, Strategy::Dfs, 1, None), false);
        same(&format!("{reductions:?} interpreted"), explore(&interpreted, Strategy::Bfs, 2, None), false);
    }
    for options in [
        Dynamics { collect: Collect::None, ..Dynamics::default() },
        Dynamics { collect: Collect::Count, ..Dynamics::default() },
        Dynamics { symmetry: false, ..Dynamics::default() },
    ] {
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let program = program(source).with_dynamics(options).with_reductions(reductions);
            // What is kept may make many states of one.
            if let Some((found, _)) = explore(&program, Strategy::Dfs, 1, Some(10 * MAX_STATES)) {
                assert_eq!(found, expected, "{name}: {options:?} {reductions:?}\n{source}");
            }
        }
    }
    tally.models += 1;
    tally.states += states;
    tally.wrong += u32::from(!expected.is_empty());
    tally.labelled += u32::from(source.contains("goto"));
    tally.escaping += u32::from(source.contains("unless"));
    if states < 1_000 {
        cycles(name, source, tally);
    }
}

/// Compares what searches for cycles find.
fn cycles(name: &str, source: &str, tally: &mut Tally) {
    for property in [Property::Acceptance, Property::NonProgress] {
        let check = |how: How| violated(&outcome(program(source), &property, how));
        let expected = check(How::PLAIN);
        let reduced = How { reductions: Reductions::ALL, ..How::PLAIN };
        for how in [
            How { strategy: Strategy::Scc, ..How::PLAIN },
            reduced,
            How { strategy: Strategy::Map, workers: 2, ..reduced },
            How { reductions: Reductions { dead: true, ..Reductions::NONE }, ..How::PLAIN },
        ] {
            assert_eq!(check(how), expected, "{name}: {property:?} {how:?}\n{source}");
        }
        tally.cycles += u32::from(expected == Some(true));
    }
}

fn run(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        for source in [sharing::generate(seed), terminating(seed)] {
            if let Err(message) = try_load(&source) {
                println!("seed {seed}: {message}");
            } else {
                agree(&format!("seed {seed}"), &source, &mut tally);
            }
        }
    }
    println!("{tally:?}");
    tally
}

#[test]
fn random_models_agree_in_every_way() {
    let tally = run(0..20);
    assert!(tally.models > 25 && tally.labelled > 3 && tally.escaping > 2 && tally.cycles > 0, "{tally:?}");
}

/// `SEEDS=from-to cargo test -p allways-promela --test promela -- --ignored many_random_models_agree_in
/// --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_random_models_agree_in_every_way() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-500".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"));
}
