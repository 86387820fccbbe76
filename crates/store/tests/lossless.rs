//! What every lossless store guarantees: inserted vectors are found again, by many threads, within a budget,
//! whichever source states a writer has opened.

use allways_model::{Batch, StepKey, uniform_partition};
use allways_store::{Budget, Collapse, Exact, Full, Recall, Seen, StateRef, Store, Tree, Writer};
use allways_testkit::random_promela::Rng;
use std::collections::{HashMap, HashSet};
use std::thread;

fn collapse(budget: &Budget, workers: usize) -> Collapse<'static> {
    Collapse::new(budget, workers, || uniform_partition(12))
}

/// Runs a generic test on each store.
macro_rules! on_each_store {
    ($($test:ident),* $(,)?) => { $(
        #[test]
        fn $test() {
            cases::$test(Exact::new);
            cases::$test(Tree::new);
            cases::$test(collapse);
        }
    )* };
}

on_each_store!(
    one_writer_finds_again_what_it_put,
    many_writers_agree,
    equal_entries_of_one_batch_are_one_state,
    zeros_of_all_lengths_are_different,
    a_memory_limit_is_kept_and_used,
    tiny_budgets_are_told,
    tiny_stores_are_small,
    walks_of_many_writers_agree,
);

/// A vector that encodes its number; lengths differ.
fn vector(number: u64) -> Vec<u8> {
    let mut words = vec![number; 1 + (number % 5) as usize];
    words[0] = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn insert_all<S: Recall>(store: &S, numbers: impl Iterator<Item = u64>) -> Vec<(u64, Seen)> {
    let mut writer = store.writer();
    let (mut batch, mut seen, mut all) = (Batch::new(), Vec::new(), Vec::new());
    let numbers: Vec<u64> = numbers.collect();
    for some in numbers.chunks(7) {
        batch.clear();
        some.iter().for_each(|&number| batch.push(StepKey(number), &vector(number)));
        writer.insert(&mut batch, &mut seen).unwrap();
        assert_eq!(seen.len(), some.len());
        all.extend(some.iter().copied().zip(seen.iter().copied()));
    }
    all
}

/// The successors of a vector of counters; the first counter gives their number.
fn successors(state: &[u8], out: &mut Batch) {
    for place in 0..state.len() {
        let mut next = state.to_vec();
        next[place] = (next[place] + 1) % 3;
        out.push(StepKey(place as u64), &next);
        if place % 4 == 0 && state.len() < 20 {
            next.extend_from_slice(&[place as u8, 0, 0, 2]);
            out.push(StepKey(100 + place as u64), &next);
        }
    }
    if state.len() > 4 {
        out.push(StepKey(200), &state[..state.len() - 4]);
    }
}

/// Explores the graph of [`successors`], a few sources in each batch, and returns the new states.
fn roam<S: Recall>(store: &S, n_states: usize, n_sources: usize) -> Vec<(Vec<u8>, StateRef)> {
    let mut writer = store.writer();
    let (mut batch, mut seen, mut found) = (Batch::new(), Vec::new(), Vec::new());
    batch.push(StepKey(0), &[0; 8]);
    writer.insert(&mut batch, &mut seen).unwrap();
    // Every writer expands all states that it was the first to insert, and some others.
    let mut todo = vec![seen[0].state];
    if seen[0].new {
        found.push((vec![0; 8], seen[0].state));
    }
    let mut n_expanded = 0;
    while !todo.is_empty() && n_expanded < n_states {
        batch.clear();
        for _ in 0..n_sources {
            let Some(state) = todo.pop() else { break };
            let opened = writer.open(state, batch.len()).to_vec();
            assert_eq!(store.fetch(state, &mut Vec::new()), opened);
            successors(&opened, &mut batch);
            n_expanded += 1;
        }
        writer.insert(&mut batch, &mut seen).unwrap();
        assert_eq!(seen.len(), batch.len());
        for (idx, seen) in seen.iter().enumerate() {
            if seen.new || (n_expanded + idx) % 11 == 0 {
                todo.push(seen.state);
            }
            if seen.new {
                found.push((batch.vector(idx).to_vec(), seen.state));
            }
        }
    }
    found
}

mod cases {
    use super::*;

    pub(super) fn one_writer_finds_again_what_it_put<S: Recall>(new: fn(&Budget, usize) -> S) {
        let store = new(&Budget::new(None), 1);
        let first = insert_all(&store, 0..300_000);
        assert!(first.iter().all(|(_, seen)| seen.new));
        let second = insert_all(&store, (0..300_000).rev());
        assert!(second.iter().all(|(_, seen)| !seen.new));
        let states: HashMap<u64, StateRef> =
            first.iter().map(|&(number, seen)| (number, seen.state)).collect();
        assert!(second.iter().all(|(number, seen)| states[number] == seen.state));
        assert!(
            first.iter().all(|&(number, seen)| store.fetch(seen.state, &mut Vec::new()) == vector(number))
        );
        assert_eq!(store.n_states(), 300_000);
        let largest = first.iter().map(|(_, seen)| seen.state.index()).max().unwrap();
        assert!(largest < 400_000, "references are nearly dense: {largest}");
        let holdings = store.holdings();
        assert_eq!(holdings.iter().map(|holding| holding.bytes).sum::<u64>(), store.bytes());
        assert!(holdings.iter().all(|holding| holding.fill.is_none_or(|fill| (0.0..=1.0).contains(&fill))));
    }

    pub(super) fn many_writers_agree<S: Recall>(new: fn(&Budget, usize) -> S) {
        const N_THREADS: u64 = 8;
        const N_STATES: u64 = 100_000;
        let store = new(&Budget::new(None), N_THREADS as usize);
        let results: Vec<_> = thread::scope(|scope| {
            let insert = |idx: u64| {
                // Each thread inserts all numbers, with its own start and stride.
                let stride = [1, 3, 7, 9, 11, 13, 17, 19][idx as usize];
                (0..N_STATES).map(move |turn| (idx * 12_345 + turn * stride) % N_STATES)
            };
            let store = &store;
            let threads: Vec<_> =
                (0..N_THREADS).map(|idx| scope.spawn(move || insert_all(store, insert(idx)))).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let mut states = HashMap::new();
        let mut n_new = 0;
        for &(number, seen) in &results {
            assert_eq!(*states.entry(number).or_insert(seen.state), seen.state, "one state for {number}");
            n_new += u64::from(seen.new);
        }
        assert_eq!((n_new, store.n_states()), (N_STATES, N_STATES));
        assert_eq!(states.values().collect::<HashSet<_>>().len() as u64, N_STATES);
        assert!(states.iter().all(|(&number, &state)| store.fetch(state, &mut Vec::new()) == vector(number)));
    }

    pub(super) fn equal_entries_of_one_batch_are_one_state<S: Recall>(new: fn(&Budget, usize) -> S) {
        let store = new(&Budget::new(None), 1);
        let seen = insert_all(&store, [4, 4, 5, 4, 5].into_iter());
        assert_eq!(
            seen.iter().map(|(_, seen)| seen.new).collect::<Vec<_>>(),
            [true, false, true, false, false]
        );
    }

    pub(super) fn zeros_of_all_lengths_are_different<S: Recall>(new: fn(&Budget, usize) -> S) {
        let store = new(&Budget::new(None), 1);
        let (mut batch, mut answers) = (Batch::new(), Vec::new());
        let mut writer = store.writer();
        for turn in 0..2 {
            batch.clear();
            (0..100).for_each(|n_words| batch.push(StepKey(0), &vec![0; n_words * 4]));
            writer.insert(&mut batch, &mut answers).unwrap();
            assert!(answers.iter().all(|seen| seen.new == (turn == 0)));
            for (n_words, seen) in answers.iter().enumerate() {
                assert_eq!(store.fetch(seen.state, &mut Vec::new()), vec![0; n_words * 4]);
                assert_eq!(writer.open(seen.state, 0), vec![0; n_words * 4]);
            }
        }
        assert_eq!(store.n_states(), 100);
    }

    pub(super) fn a_memory_limit_is_kept_and_used<S: Recall>(new: fn(&Budget, usize) -> S) {
        for workers in [1, 4] {
            let budget = Budget::new(Some(4 << 20));
            let store = new(&budget, workers);
            let shared = &store;
            let n_stored: u64 = thread::scope(|scope| {
                let fill = move |idx: u64| {
                    let mut writer = shared.writer();
                    let (mut batch, mut seen) = (Batch::new(), Vec::new());
                    for number in 0.. {
                        batch.clear();
                        batch.push(StepKey(0), &(number << 8 | idx).to_le_bytes());
                        if writer.insert(&mut batch, &mut seen) == Err(Full) {
                            return number;
                        }
                    }
                    unreachable!("numbers do not end before the memory does")
                };
                let threads: Vec<_> = (0..workers as u64).map(|idx| scope.spawn(move || fill(idx))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(store.n_states(), n_stored);
            assert!(budget.peak() <= 4 << 20);
            assert_eq!(store.bytes(), budget.used());
            assert!(n_stored > 50_000, "{n_stored} states");
            drop(store);
            assert_eq!(budget.used(), 0);
        }
    }

    pub(super) fn tiny_budgets_are_told<S: Recall>(new: fn(&Budget, usize) -> S) {
        for limit in (0..400).map(|step| step * 150) {
            let budget = Budget::new(Some(limit));
            let store = new(&budget, 1);
            let mut writer = store.writer();
            let (mut batch, mut seen, mut stored) = (Batch::new(), Vec::new(), Vec::new());
            for number in 0..100_000 {
                batch.clear();
                [number * 2, number * 2 + 1].iter().for_each(|&n| batch.push(StepKey(0), &vector(n)));
                let result = writer.insert(&mut batch, &mut seen);
                stored.extend(seen.iter().enumerate().map(|(idx, seen)| (number * 2 + idx as u64, *seen)));
                if result.is_err() {
                    break;
                }
            }
            assert!(stored.len() < 100_000 && budget.peak() <= limit);
            assert_eq!(store.n_states(), stored.len() as u64);
            for (number, seen) in stored {
                assert!(seen.new && store.fetch(seen.state, &mut Vec::new()) == vector(number));
            }
        }
    }

    pub(super) fn tiny_stores_are_small<S: Recall>(new: fn(&Budget, usize) -> S) {
        let budget = Budget::new(None);
        let store = new(&budget, 2);
        insert_all(&store, 0..10);
        assert!(budget.peak() < 64 << 10, "{}", budget.peak());
        assert_eq!(store.bytes(), budget.used());
    }

    pub(super) fn walks_of_many_writers_agree<S: Recall>(new: fn(&Budget, usize) -> S) {
        for (workers, n_sources) in [(1, 1), (1, 5), (2, 3), (4, 7)] {
            let store = new(&Budget::new(None), workers);
            let found: Vec<_> = thread::scope(|scope| {
                let store = &store;
                let threads: Vec<_> = (0..workers)
                    .map(|idx| scope.spawn(move || roam(store, 20_000 + idx * 1000, n_sources)))
                    .collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
            });
            let vectors: HashSet<_> = found.iter().map(|(vector, _)| vector).collect();
            let states: HashSet<_> = found.iter().map(|(_, state)| state).collect();
            assert_eq!((vectors.len(), states.len()), (found.len(), found.len()), "nothing is new twice");
            assert_eq!(store.n_states(), found.len() as u64);
            assert!(found.iter().all(|(vector, state)| store.fetch(*state, &mut Vec::new()) == vector));
        }
    }
}

/// Inserts vectors, some with an opened source state, and compares each result with that of a map.
fn compare_with_map<S: Recall>(store: &S, steps: &[(Vec<u32>, usize)]) {
    let mut writer = store.writer();
    let mut map = HashMap::<Vec<u8>, StateRef>::new();
    let mut states = Vec::new();
    let (mut batch, mut seen) = (Batch::new(), Vec::new());
    for some in steps.chunks(3) {
        batch.clear();
        for (words, source) in some {
            let mut vector: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            if let Some(&state) = states.get(*source) {
                let opened = writer.open(state, batch.len()).to_vec();
                assert_eq!(map.get(&opened), Some(&state));
                // Mostly a small change of the source.
                if *source % 4 != 0 && !opened.is_empty() {
                    let place = vector.len() % opened.len();
                    vector = opened;
                    vector[place] ^= words.len() as u8;
                }
            }
            batch.push(StepKey(0), &vector);
        }
        writer.insert(&mut batch, &mut seen).unwrap();
        for (idx, seen) in seen.iter().enumerate() {
            let known = map.get(batch.vector(idx)).copied();
            assert_eq!(seen.new, known.is_none());
            assert_eq!(*map.entry(batch.vector(idx).to_vec()).or_insert(seen.state), seen.state);
            states.push(seen.state);
        }
    }
    assert_eq!(store.n_states(), map.len() as u64);
    for (vector, state) in map {
        assert_eq!(store.fetch(state, &mut Vec::new()), vector);
    }
}

/// Steps for [`compare_with_map`]: words that are often zero, all ones or small, and often short vectors.
fn random_steps(rng: &mut Rng) -> Vec<(Vec<u32>, usize)> {
    let most_words = 1 + rng.below(30);
    let word = |rng: &mut Rng| match rng.below(4) {
        0 => 0,
        1 => u32::MAX,
        2 => rng.below(5),
        _ => rng.bits() as u32,
    };
    (0..1 + rng.below(299))
        .map(|_| {
            let words = (0..rng.below(most_words)).map(|_| word(rng)).collect();
            (words, rng.below(300) as usize)
        })
        .collect()
}

#[test]
fn stores_answer_as_a_map() {
    for seed in 0..200 {
        let steps = random_steps(&mut Rng::new(seed));
        for workers in [1, 2] {
            println!("seed {seed}, {workers} workers");
            compare_with_map(&Exact::new(&Budget::new(None), workers), &steps);
            compare_with_map(&Tree::new(&Budget::new(None), workers), &steps);
            compare_with_map(&collapse(&Budget::new(None), workers), &steps);
        }
    }
}

#[test]
#[should_panic(expected = "one writer at a time")]
fn an_exact_store_for_one_refuses_a_second_writer() {
    let store = Exact::new(&Budget::new(None), 1);
    let _first = store.writer();
    let _second = store.writer();
}

#[test]
#[should_panic(expected = "one writer at a time")]
fn a_tree_store_for_one_refuses_a_second_writer() {
    let store = Tree::new(&Budget::new(None), 1);
    let _first = store.writer();
    let _second = store.writer();
}
