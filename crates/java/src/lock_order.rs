//! Monitors that threads enter in opposite orders: whoever does that at the same time can come to a deadlock.
//!
//! A search that has seen all of a program has seen its deadlocks. But a test may keep its threads from getting into each other's way, by joining one before the other starts, say; and a search
//! may end at a limit. So whenever a thread enters a monitor, the monitors that it holds already are noted with the places in the code, and two threads with opposite orders are told to people.
//! It is a warning, and no verdict:
//! - monitors are told apart by the shortest way that leads to them from a field of the program's or from a thread. A field that leads to one object now and to another one later is
//!   taken for one monitor, and a monitor that no such way leads to is not noted;
//! - orders under a monitor that both threads hold (a *gate*) are no warning, since it keeps them apart;
//! - nothing else that keeps two threads apart is looked at; and the locks of `java.util.concurrent` are not.

use crate::explain::names::Names;
use crate::explain::{place_of, thread_name, waits};
use crate::vm::heap::Ref;
use crate::vm::machine::Machine;
use rapidhash::v3::rapidhash_v3;
use std::collections::{BTreeSet, HashSet};

/// A thread held one monitor and entered another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order {
    /// The number and name of the thread.
    thread: (u32, String),
    /// The monitor it held, and where it had entered it.
    first: (String, String),
    /// The monitor it entered, and where.
    second: (String, String),
    /// What it held beside the first.
    gates: BTreeSet<String>,
}

impl Order {
    fn is_against(&self, other: &Self) -> bool {
        self.first.0 == other.second.0
            && self.second.0 == other.first.0
            && self.thread.0 != other.thread.0
            && self.gates.is_disjoint(&other.gates)
    }

    fn shown(&self) -> String {
        let Self { thread: (_, thread), first: (first, here), second: (second, there), .. } = self;
        format!("{thread} enters {first} ({here}) and then {second} ({there})")
    }
}

/// The pairs of opposite orders, in words.
pub(crate) fn inversions(orders: &BTreeSet<Order>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for one in orders {
        for other in orders.iter().filter(|other| one < other && one.is_against(other)) {
            found.insert(format!("lock order: {}, {}", one.shown(), other.shown()));
        }
    }
    found.into_iter().collect()
}

/// After so many entries with other monitors held, a worker has seen enough.
const MAX_LOOKS: usize = 2_000;

/// What a worker has seen.
#[derive(Default)]
pub(crate) struct LockOrder {
    /// Stacks that have entered a monitor, with that monitor.
    seen: HashSet<u64>,
    n_looks: usize,
    /// What is new.
    pub(crate) found: Vec<Order>,
}

impl Machine<'_> {
    /// The running thread has entered the monitor of an object that it did not hold.
    pub(crate) fn note_order(&mut self, object: Ref) {
        let Some(mut notes) = self.lock_order.take() else { return };
        if notes.n_looks < MAX_LOOKS && notes.seen.insert(self.entry(object)) {
            let before = notes.found.len();
            self.add_orders(object, &mut notes.found);
            notes.n_looks += usize::from(notes.found.len() > before);
        }
        self.lock_order = Some(notes);
    }

    /// A number for the stack of the running thread and an object.
    fn entry(&self, object: Ref) -> u64 {
        let thread = self.thread();
        let start = u64::from(thread.id) << 32 | u64::from(object);
        thread.frames.iter().fold(start, |hash, frame| {
            let place = [hash, u64::from(frame.method.id.0), u64::from(frame.pc), u64::from(frame.lock)];
            rapidhash_v3(&place.map(u64::to_le_bytes).concat())
        })
    }

    fn add_orders(&self, object: Ref, found: &mut Vec<Order>) {
        let thread = self.thread();
        let held: Vec<_> =
            waits::held_monitors(self, thread).into_iter().filter(|(held, _)| *held != object).collect();
        if held.is_empty() {
            return;
        }
        let names = Names::find(self);
        let held: Vec<(String, String)> = held
            .into_iter()
            .filter(|(held, _)| names.has(*held))
            .map(|(held, at)| (names.of(self, held), at.map_or_else(|| "?".into(), |at| at.to_string())))
            .collect();
        if !names.has(object) {
            return;
        }
        let there = place_of(self, thread).map_or_else(|| "?".into(), |at| at.to_string());
        let second = (names.of(self, object), there);
        for (idx, first) in held.iter().enumerate() {
            let others = held.iter().enumerate().filter(|(other, _)| *other != idx);
            found.push(Order {
                thread: (thread.id, thread_name(self, thread.id)),
                first: first.clone(),
                second: second.clone(),
                gates: others.map(|(_, (name, _))| name.clone()).collect(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(thread: u32, first: &str, second: &str, gates: &[&str]) -> Order {
        Order {
            thread: (thread, format!("t{thread}")),
            first: (first.into(), "A.java:1".into()),
            second: (second.into(), "A.java:2".into()),
            gates: gates.iter().map(|&gate| gate.into()).collect(),
        }
    }

    #[test]
    fn opposite_orders_of_two_threads_are_told_once() {
        let orders =
            BTreeSet::from([order(1, "a", "b", &[]), order(2, "b", "a", &[]), order(2, "a", "c", &[])]);
        let told = "lock order: t1 enters a (A.java:1) and then b (A.java:2), t2 enters b (A.java:1) and then a (A.java:2)";
        assert_eq!(inversions(&orders), [told]);
    }

    #[test]
    fn one_thread_and_one_gate_are_no_inversion() {
        let alone = BTreeSet::from([order(1, "a", "b", &[]), order(1, "b", "a", &[])]);
        assert!(inversions(&alone).is_empty());
        let gated = BTreeSet::from([order(1, "a", "b", &["g", "x"]), order(2, "b", "a", &["g"])]);
        assert!(inversions(&gated).is_empty());
        let apart = BTreeSet::from([order(1, "a", "b", &["x"]), order(2, "b", "a", &["g"])]);
        assert_eq!(inversions(&apart).len(), 1);
    }
}
