//! Lossy sets: they never report equal states as new twice, and lose about as many states as they estimate.

use allways_model::{Batch, StepKey};
use allways_store::{Bitstate, Budget, Filter, Full, HashCompact, bitstate_omission, hashcompact_omission};
use std::thread;

fn insert<F: Filter>(filter: &F, numbers: impl Iterator<Item = u64>) -> u64 {
    let mut local = filter.local();
    let (mut batch, mut new, mut n_new) = (Batch::new(), Vec::new(), 0);
    let numbers: Vec<u64> = numbers.collect();
    for some in numbers.chunks(5) {
        batch.clear();
        new.clear();
        some.iter().for_each(|number| batch.push(StepKey(0), &number.to_le_bytes()));
        // In two parts, as a search with a reduction does.
        let middle = some.len() / 2;
        let mut head = Batch::new();
        some[..middle].iter().for_each(|number| head.push(StepKey(0), &number.to_le_bytes()));
        filter.insert(&mut local, &mut head, 0, &mut new).unwrap();
        filter.insert(&mut local, &mut batch, middle, &mut new).unwrap();
        assert_eq!(new.len(), some.len());
        n_new += new.iter().filter(|new| **new).count() as u64;
    }
    n_new
}

/// Inserts all numbers from each of several threads, and returns how often one was new.
fn by_many<F: Filter>(filter: &F, n_states: u64) -> u64 {
    thread::scope(|scope| {
        let threads: Vec<_> = [1, 3, 7, 9]
            .map(|stride| scope.spawn(move || insert(filter, (0..n_states).map(|n| n * stride % n_states))))
            .into();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

#[test]
fn a_large_bit_table_loses_what_it_says() {
    const N_STATES: u64 = 100_000;
    for (log_bits, n_hashes) in [(17, 1), (18, 3), (20, 3), (22, 2), (24, 3)] {
        let budget = Budget::new(None);
        let filter = Bitstate::new(&budget, 1, 1 << log_bits, n_hashes, 0).unwrap();
        let n_new = insert(&filter, 0..N_STATES);
        assert_eq!(insert(&filter, 0..N_STATES), 0, "nothing is new twice");
        assert!(filter.n_set() <= n_new * u64::from(n_hashes));
        let lost = 1.0 - n_new as f64 / N_STATES as f64;
        // The estimate is based on the states that were stored.
        let expected = bitstate_omission(N_STATES, filter.n_bits(), n_hashes);
        assert!((lost - expected).abs() < 0.1 * expected + 0.001, "{log_bits} {n_hashes}: {lost} {expected}");
        assert_eq!(budget.used(), filter.bytes());
        drop(filter);
        assert_eq!(budget.used(), 0);
    }
}

#[test]
fn seeds_lose_different_states() {
    let budget = Budget::new(None);
    let lost = |seed: u64| -> Vec<u64> {
        let filter = Bitstate::new(&budget, 1, 1 << 16, 2, seed).unwrap();
        (0..20_000).filter(|&number| insert(&filter, std::iter::once(number)) == 0).collect()
    };
    let (one, other) = (lost(1), lost(2));
    let both = one.iter().filter(|number| other.contains(number)).count();
    assert!(both * 2 < one.len(), "{both} of {}", one.len());
    assert_eq!(one, lost(1));
}

#[test]
fn many_workers_find_a_state_new_at_most_once() {
    let budget = Budget::new(None);
    let bits = Bitstate::new(&budget, 4, 1 << 22, 3, 0).unwrap();
    let n_new = by_many(&bits, 100_000);
    assert!((99_000..=100_000).contains(&n_new), "{n_new}");
    assert_eq!(by_many(&HashCompact::new(&budget), 100_000), 100_000);
}

#[test]
fn hashes_are_kept_while_the_table_grows() {
    let budget = Budget::new(None);
    let filter = HashCompact::new(&budget);
    assert_eq!(insert(&filter, 0..300_000), 300_000);
    assert_eq!(insert(&filter, 0..300_000), 0);
    assert_eq!(budget.used(), filter.bytes());
    assert!(hashcompact_omission(300_000) < 1e-8 && hashcompact_omission(1 << 33) > 0.8);
    assert_eq!((hashcompact_omission(0), bitstate_omission(0, 64, 3)), (0.0, 0.0));
}

#[test]
fn a_memory_limit_is_told() {
    assert!(Bitstate::new(&Budget::new(Some(1000)), 1, 1 << 20, 3, 0).is_err());
    let filter = HashCompact::new(&Budget::new(Some(100_000)));
    let (mut local, mut batch, mut new) = (filter.local(), Batch::new(), Vec::new());
    let n_stored = (0_u64..)
        .take_while(|number| {
            batch.clear();
            batch.push(StepKey(0), &number.to_le_bytes());
            filter.insert(&mut local, &mut batch, 0, &mut new) != Err(Full)
        })
        .count();
    assert!((2000..12_500).contains(&n_stored), "{n_stored}");
}
