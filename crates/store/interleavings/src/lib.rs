//! Loom tests of the lock-free core: every interleaving of a few operations, with weak memory.
//!
//! The same source files are compiled again here, against loom's primitives.
#![cfg(test)]
#![allow(dead_code, unreachable_pub, missing_docs, reason = "only some of the core is called here")]

mod sync {
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use loom::sync::{Arc, Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;

    pub(crate) const SLOTS: usize = 3;
}
mod memory {
    /// Replaces the memory that the real tables get from the system.
    pub(crate) struct Zeroed<T>(Vec<T>);

    impl<T: Default> Zeroed<T> {
        pub(crate) fn new(len: usize) -> Option<Self> {
            Some(Self((0..len).map(|_| T::default()).collect()))
        }
    }

    impl<T> std::ops::Deref for Zeroed<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }
}
#[path = "../../src/gate.rs"]
mod gate;
#[path = "../../src/index.rs"]
mod index;
#[path = "../../src/scan.rs"]
mod scan;
#[path = "../../src/table.rs"]
mod table;

use gate::Gate;
use index::Index;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use std::convert::Infallible;
use table::{TableEntry, Table};

/// Rows like those of an arena: written without synchronisation before they are published.
struct Rows(Vec<UnsafeCell<u64>>);

impl Rows {
    fn write(&self, number: u32, value: u64) {
        self.0[number as usize].with_mut(|row| {
            // Loom fails the test if this write and a read are not ordered.
            #[allow(unsafe_code, reason = "loom's cell gives pointers")]
            // SAFETY: loom checks that no other thread has access meanwhile.
            unsafe {
                *row = value;
            }
        });
    }

    fn read(&self, number: u32) -> u64 {
        self.0[number as usize].with(|row| {
            #[allow(unsafe_code, reason = "loom's cell gives pointers")]
            // SAFETY: loom checks that no thread writes meanwhile.
            unsafe {
                *row
            }
        })
    }
}

#[allow(unsafe_code, reason = "loom's cells are not Sync by themselves")]
// SAFETY: loom checks the accesses.
unsafe impl Sync for Rows {}

/// Inserts `value` under `tag`; no other caller uses the row `number`.
fn insert(table: &Table, rows: &Rows, tag: u32, value: u64, number: u32) -> TableEntry {
    let make = || {
        rows.write(number, value);
        Ok::<_, Infallible>(number)
    };
    table
        .insert(tag, table.approach(tag).place, |other| rows.read(other) == value, make)
        .unwrap_or_else(|never| match never {})
}

fn shared() -> (Arc<Table>, Arc<Rows>) {
    let rows = Rows((0..8).map(|_| UnsafeCell::new(0)).collect());
    (Arc::new(Table::new(0, false).unwrap()), Arc::new(rows))
}

#[test]
fn equal_vectors_are_new_once() {
    loom::model(|| {
        let (table, rows) = shared();
        let others: Vec<_> = [1, 2]
            .map(|number| {
                let (table, rows) = (Arc::clone(&table), Arc::clone(&rows));
                thread::spawn(move || insert(&table, &rows, 5, 70, number))
            })
            .into();
        let mut found: Vec<_> = others.into_iter().map(|other| other.join().unwrap()).collect();
        found.push(insert(&table, &rows, 5, 70, 3));
        assert_eq!(found.iter().filter(|found| found.new).count(), 1);
        assert!(found.iter().all(|f| f.number == found[0].number));
    });
}

#[test]
fn different_vectors_of_one_tag_stay_apart() {
    loom::model(|| {
        let (table, rows) = shared();
        let other = {
            let (table, rows) = (Arc::clone(&table), Arc::clone(&rows));
            thread::spawn(move || (insert(&table, &rows, 9, 1, 1), insert(&table, &rows, 9, 2, 2)))
        };
        let (two, one) = (insert(&table, &rows, 9, 2, 3), insert(&table, &rows, 9, 1, 4));
        let (their_one, their_two) = other.join().unwrap();
        assert_eq!((one.number, two.number), (their_one.number, their_two.number));
        assert!(one.number != two.number);
        assert!((one.new != their_one.new) && (two.new != their_two.new));
    });
}

#[test]
fn nobody_is_inside_a_closed_gate() {
    loom::model(|| {
        let gate = Arc::new(Gate::new());
        let guarded = Arc::new(Rows(vec![UnsafeCell::new(0)]));
        let reader = gate.register();
        let reader = {
            let (gate, guarded) = (Arc::clone(&gate), Arc::clone(&guarded));
            thread::spawn(move || {
                gate.enter(&reader);
                let value = guarded.read(0);
                gate.leave(&reader);
                value
            })
        };
        let closed = gate.close();
        guarded.write(0, 1);
        drop(closed);
        assert!(reader.join().unwrap() <= 1);
    });
}

#[test]
fn two_may_close_the_gate() {
    loom::model(|| {
        let gate = Arc::new(Gate::new());
        let guarded = Arc::new(Rows(vec![UnsafeCell::new(0)]));
        let add = |gate: &Gate, guarded: &Rows| {
            let _closed = gate.close();
            guarded.write(0, guarded.read(0) + 1);
        };
        let other = {
            let (gate, guarded) = (Arc::clone(&gate), Arc::clone(&guarded));
            thread::spawn(move || add(&gate, &guarded))
        };
        let reader = gate.register();
        gate.enter(&reader);
        let seen = guarded.read(0);
        gate.leave(&reader);
        add(&gate, &guarded);
        other.join().unwrap();
        assert!(seen <= 1);
        assert_eq!(guarded.read(0), 2);
    });
}

/// Inserts `value` into an index as the tree store does: the row is cleared if another thread inserts an
/// equal one first.
fn insert_indexed(index: &Index, rows: &Rows, value: u64, number: u32) -> (u32, bool) {
    let hash = value << 32 | 5;
    let mut staged = false;
    let make = || {
        staged = true;
        rows.write(number, value);
        Ok::<_, Infallible>(number)
    };
    let found = index
        .insert(hash, index.approach(hash).place, |other| rows.read(other) == value, make)
        .unwrap_or_else(|never| match never {});
    if staged && !found.new {
        rows.write(number, 0);
    }
    (found.number, found.new)
}

#[test]
fn equal_pairs_have_one_number() {
    loom::model(|| {
        let rows = Arc::new(Rows((0..8).map(|_| UnsafeCell::new(0)).collect()));
        let index = Arc::new(Index::new(1, 4).unwrap());
        let others: Vec<_> = [1, 2]
            .map(|number| {
                let (index, rows) = (Arc::clone(&index), Arc::clone(&rows));
                thread::spawn(move || insert_indexed(&index, &rows, 70, number))
            })
            .into();
        let mut found: Vec<_> = others.into_iter().map(|other| other.join().unwrap()).collect();
        found.push(insert_indexed(&index, &rows, 70, 3));
        assert_eq!(found.iter().filter(|(_, new)| *new).count(), 1);
        assert!(found.iter().all(|(number, _)| *number == found[0].0));
        // An index is rebuilt from the rows that remain.
        assert_eq!((1..8).filter(|&number| rows.read(number) == 70).count(), 1);
    });
}

#[test]
fn pairs_of_one_tag_stay_apart() {
    loom::model(|| {
        let rows = Arc::new(Rows((0..8).map(|_| UnsafeCell::new(0)).collect()));
        let index = Arc::new(Index::new(1, 4).unwrap());
        let other = {
            let (index, rows) = (Arc::clone(&index), Arc::clone(&rows));
            thread::spawn(move || (insert_indexed(&index, &rows, 1, 1), insert_indexed(&index, &rows, 2, 2)))
        };
        let (two, one) = (insert_indexed(&index, &rows, 2, 3), insert_indexed(&index, &rows, 1, 4));
        let (their_one, their_two) = other.join().unwrap();
        assert_eq!((one.0, two.0), (their_one.0, their_two.0));
        assert!(one.0 != two.0 && one.1 != their_one.1 && two.1 != their_two.1);
    });
}

/// A number inside the row of another is published with that row, as nodes are with roots.
#[test]
fn a_number_inside_a_row_can_be_followed() {
    loom::model(|| {
        let rows = Arc::new(Rows((0..8).map(|_| UnsafeCell::new(0)).collect()));
        let (nodes, roots) = (Arc::new(Index::new(1, 4).unwrap()), Arc::new(Index::new(1, 4).unwrap()));
        let writer = {
            let (nodes, roots, rows) = (Arc::clone(&nodes), Arc::clone(&roots), Arc::clone(&rows));
            thread::spawn(move || {
                let (node, _) = insert_indexed(&nodes, &rows, 9, 1);
                insert_indexed(&roots, &rows, u64::from(node), 2);
            })
        };
        // This thread finds the root or adds it; the node below can be read in either case.
        let (node, _) = insert_indexed(&nodes, &rows, 9, 3);
        let (root, _) = insert_indexed(&roots, &rows, u64::from(node), 4);
        assert_eq!(rows.read(rows.read(root) as u32), 9);
        writer.join().unwrap();
    });
}
