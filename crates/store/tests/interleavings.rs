//! The lock-free core under loom: every interleaving of a few operations, with weak memory.
//!
//! The core is compiled again here, as it stands, against loom's primitives.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "only some of the core is called here")]

mod sync {
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use loom::sync::{Arc, Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;
}
mod memory {
    use super::table::Bucket;

    /// Stands for memory that the real table has from the system.
    pub(crate) struct Zeroed<T>(Vec<T>);

    impl Zeroed<Bucket> {
        pub(crate) fn new(len: usize) -> Option<Self> {
            Some(Self((0..len).map(|_| Bucket::default()).collect()))
        }
    }

    impl<T> std::ops::Deref for Zeroed<T> {
        type Target = [T];

        fn deref(&self) -> &[T] {
            &self.0
        }
    }
}
#[path = "../src/gate.rs"]
mod gate;
#[path = "../src/table.rs"]
mod table;

use gate::Gate;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use std::convert::Infallible;
use table::{Found, Table};

/// Rows as an arena has them: written without synchronisation before they are published.
struct Rows(Vec<UnsafeCell<u64>>);

impl Rows {
    fn write(&self, number: u32, value: u64) {
        self.0[number as usize].with_mut(|row| {
            // Loom fails the test if this write and a read are not ordered.
            #[allow(unsafe_code, reason = "loom's cell gives pointers")]
            // SAFETY: loom checks that nobody else has access meanwhile.
            unsafe {
                *row = value;
            }
        });
    }

    fn read(&self, number: u32) -> u64 {
        self.0[number as usize].with(|row| {
            #[allow(unsafe_code, reason = "loom's cell gives pointers")]
            // SAFETY: loom checks that nobody writes meanwhile.
            unsafe {
                *row
            }
        })
    }
}

#[allow(unsafe_code, reason = "loom's cells are not Sync by themselves")]
// SAFETY: loom checks the accesses.
unsafe impl Sync for Rows {}

/// Inserts `value` under `tag`; the row number is the caller's own.
fn insert(table: &Table, rows: &Rows, tag: u32, value: u64, number: u32) -> Found {
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
    (Arc::new(Table::new(0).unwrap()), Arc::new(rows))
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
        let desk = gate.register();
        let reader = {
            let (gate, guarded) = (Arc::clone(&gate), Arc::clone(&guarded));
            thread::spawn(move || {
                gate.enter(&desk);
                let value = guarded.read(0);
                gate.leave(&desk);
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
        let desk = gate.register();
        gate.enter(&desk);
        let seen = guarded.read(0);
        gate.leave(&desk);
        add(&gate, &guarded);
        other.join().unwrap();
        assert!(seen <= 1);
        assert_eq!(guarded.read(0), 2);
    });
}
