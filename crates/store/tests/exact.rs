//! The exact store from outside: what is put in is found again, by many threads, within a budget.

use allways_model::{Batch, StepKey};
use allways_store::{Budget, Exact, Full, Recall, Seen, StateRef, Store, Writer};
use std::collections::{HashMap, HashSet};
use std::thread;

/// A vector that tells its number; lengths differ.
fn vector(number: u64) -> Vec<u8> {
    let mut words = vec![number; 1 + (number % 5) as usize];
    words[0] = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn insert_all(store: &Exact, numbers: impl Iterator<Item = u64>) -> Vec<(u64, Seen)> {
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

#[test]
fn one_writer_finds_again_what_it_put() {
    let store = Exact::new(&Budget::new(None), 1);
    let first = insert_all(&store, 0..300_000);
    assert!(first.iter().all(|(_, seen)| seen.new));
    let second = insert_all(&store, (0..300_000).rev());
    assert!(second.iter().all(|(_, seen)| !seen.new));
    let states: HashMap<u64, StateRef> = first.iter().map(|&(number, seen)| (number, seen.state)).collect();
    assert!(second.iter().all(|(number, seen)| states[number] == seen.state));
    assert!(first.iter().all(|&(number, seen)| store.fetch(seen.state, &mut Vec::new()) == vector(number)));
    assert_eq!(store.n_states(), 300_000);
    let largest = first.iter().map(|(_, seen)| seen.state.index()).max().unwrap();
    assert!(largest < 400_000, "references are nearly dense: {largest}");
}

#[test]
fn many_writers_agree() {
    const N_THREADS: u64 = 8;
    const N_STATES: u64 = 100_000;
    let store = Exact::new(&Budget::new(None), N_THREADS as usize);
    let results: Vec<_> = thread::scope(|scope| {
        let insert = |idx: u64| {
            // Each thread inserts all numbers, from a start and in a stride of its own.
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

#[test]
fn equal_entries_of_one_batch_are_one_state() {
    let store = Exact::new(&Budget::new(None), 1);
    let seen = insert_all(&store, [4, 4, 5, 4, 5].into_iter());
    assert_eq!(seen.iter().map(|(_, seen)| seen.new).collect::<Vec<_>>(), [true, false, true, false, false]);
    let mut empty = Batch::new();
    empty.push(StepKey(0), &[]);
    let mut answers = Vec::new();
    store.writer().insert(&mut empty, &mut answers).unwrap();
    assert!(answers[0].new && store.fetch(answers[0].state, &mut Vec::new()).is_empty());
}

#[test]
fn a_memory_limit_is_kept_and_used() {
    for workers in [1, 4] {
        let budget = Budget::new(Some(2 << 20));
        let store = Exact::new(&budget, workers);
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
        assert!(budget.peak() <= 2 << 20);
        // A state takes 8 bytes and a slot of 8; growing needs the old table beside the new one.
        assert!(n_stored > 50_000, "{n_stored} states");
        drop(store);
        assert_eq!(budget.used(), 0);
    }
}

#[test]
fn tiny_stores_are_small() {
    let budget = Budget::new(None);
    let store = Exact::new(&budget, 2);
    insert_all(&store, 0..10);
    assert!(budget.peak() < 32 << 10, "{}", budget.peak());
    assert_eq!(store.bytes(), budget.used());
}

#[test]
#[should_panic(expected = "one writer at a time")]
fn a_store_for_one_refuses_a_second_writer() {
    let store = Exact::new(&Budget::new(None), 1);
    let _first = store.writer();
    let _second = store.writer();
}
