//! The sets that are chosen are persistent: tried on random models, state by state.
//!
//! From a state with a chosen set of steps, everything that other processes can do without them is followed,
//! and on the way the steps of the set must stay the same ones, none lost and none added, and each of them
//! must leave the steps of the others possible (except deaths, which a start may delay where that is not
//! observable).

use allways_model::{Batch, Cursor, Lessons, Model, StepKey};
use allways_promela::{Program, Reductions, load_text};
use allways_testkit::random_promela::generate;
use std::collections::HashSet;

/// The number of states to check.
const MAX_STATES: usize = 300;
/// The number of states to explore beyond each of them.
const MAX_BEYOND: usize = 100;

/// More, if asked for.
fn times(n: usize) -> usize {
    n * std::env::var("TIMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn expand(cursor: &mut dyn Cursor, state: &[u8]) -> Vec<(StepKey, Vec<u8>)> {
    let mut batch = Batch::new();
    cursor.load(state);
    cursor.expand(&mut batch).expect("no fault");
    (0..batch.len()).map(|idx| (batch.entries()[idx].key, batch.vector(idx).to_vec())).collect()
}

/// The process that a step begins with.
fn initiator(key: StepKey) -> u64 {
    key.0 >> 32
}

pub(crate) fn check(name: &str, program: &Program) {
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    if cursor.initial(&mut batch).is_err() {
        return;
    }
    let initial = batch.vector(0).to_vec();
    let mut todo = vec![initial.clone()];
    let mut seen = HashSet::from([initial]);
    while let Some(state) = todo.pop().filter(|_| seen.len() < times(MAX_STATES)) {
        batch.clear();
        cursor.load(&state);
        let complete = cursor.expand_some(&mut batch).expect("no fault");
        let chosen: HashSet<StepKey> = batch.entries().iter().map(|entry| entry.key).collect();
        let successors = expand(&mut *cursor, &state);
        if !complete {
            check_state(name, &mut *cursor, &state, &chosen);
        }
        for (_, next) in successors {
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
}

fn check_state(name: &str, cursor: &mut dyn Cursor, state: &[u8], chosen: &HashSet<StepKey>) {
    let processes: HashSet<u64> = chosen.iter().map(|&key| initiator(key)).collect();
    let mut todo: Vec<(Vec<u8>, Way)> = vec![(state.to_vec(), Vec::new())];
    let mut seen = HashSet::from([state.to_vec()]);
    while let Some((at, way)) = todo.pop().filter(|_| seen.len() < times(MAX_BEYOND)) {
        let steps = expand(cursor, &at);
        let same: HashSet<StepKey> =
            steps.iter().map(|(key, _)| *key).filter(|&key| processes.contains(&initiator(key))).collect();
        if &same != chosen {
            let lost = chosen.difference(&same).map(|&key| texts(cursor, state, key));
            let lost: Vec<_> = lost.collect();
            let more: Vec<_> = same.difference(chosen).map(|&key| texts(cursor, &at, key)).collect();
            let others: Vec<_> = way.iter().map(|(from, key)| texts(cursor, from, *key)).collect();
            let are_deaths = lost.iter().chain(&more).all(|moves| is_death(moves));
            assert!(are_deaths, "{name}: {others:?} take away {lost:?} and add {more:?}");
        }
        check_others(name, cursor, &at, &steps, &processes);
        for (key, next) in steps {
            if !processes.contains(&initiator(key)) && seen.insert(next.clone()) {
                let mut way = way.clone();
                way.push((at.clone(), key));
                todo.push((next, way));
            }
        }
    }
}

/// States, and the steps out of them.
type Way = Vec<(Vec<u8>, StepKey)>;

/// The moves of a step.
fn texts(cursor: &mut dyn Cursor, state: &[u8], key: StepKey) -> Vec<String> {
    cursor.load(state);
    let moves = cursor.explain(key).unwrap_or_default();
    moves.into_iter().map(|one| format!("{}: {}", one.process_name, one.text)).collect()
}

/// A start may delay a death where that is not observable.
fn is_death(moves: &[String]) -> bool {
    moves.first().is_some_and(|one| one.ends_with("-end-"))
}

/// After a step of the set, the others can do what they could before.
fn check_others(
    name: &str,
    cursor: &mut dyn Cursor,
    state: &[u8],
    steps: &[(StepKey, Vec<u8>)],
    processes: &HashSet<u64>,
) {
    let is_chosen = |key: StepKey| processes.contains(&initiator(key));
    for (key, next) in steps.iter().filter(|(key, _)| is_chosen(*key)) {
        let after: HashSet<StepKey> = expand(cursor, next).into_iter().map(|(key, _)| key).collect();
        for (other, _) in steps.iter().filter(|(key, _)| !is_chosen(*key)) {
            if after.contains(other) {
                continue;
            }
            let (one, two) = (texts(cursor, state, *key), texts(cursor, state, *other));
            assert!(is_death(&two), "{name}: {one:?} takes away {two:?}");
        }
    }
}

#[test]
fn chosen_sets_are_persistent() {
    let (from, to) = std::env::var("PERSISTENT").ok().map_or((0, 60), |seeds| {
        let (from, to) = seeds.split_once('-').expect("PERSISTENT=from-to");
        (from.parse().expect("a number"), to.parse().expect("a number"))
    });
    for seed in from..to {
        let Some(program) = load_text("model.pml", &generate(seed).source).program else { continue };
        check(
            &format!("seed {seed}"),
            &program.with_reductions(Reductions { order: true, ..Reductions::NONE }),
        );
    }
}
