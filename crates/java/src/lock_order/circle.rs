//! Orders in which threads take monitors and locks, and the circles that they form.
//!
//! Two threads with opposite orders are a circle of two: each pair of places is told. Longer circles (three
//! or four threads, each of which holds what the one before it wants) are told once for the monitors and
//! locks they consist of, whoever does it and wherever. What the threads of a circle hold must be disjoint,
//! for else they cannot all be there at the same time.
//!
//! A monitor or lock can have several names: see [`Synonyms`].

use super::synonyms::Synonyms;
use std::collections::{BTreeMap, BTreeSet};

/// Circles are at most so long.
const MAX_LEN: usize = 4;
/// Looking for circles of more than two ends after so many tries.
const MAX_TRIES: usize = 1_000_000;

/// A thread held one monitor or lock and took another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    /// The number and name of the thread.
    pub(super) thread: (u32, String),
    /// What it held, and where it had taken it. Of locks that is not known here: see [`Orders::note_place`].
    pub(super) first: (String, Option<String>),
    /// What it took, and where.
    pub(super) second: (String, String),
    /// What it held beside the first.
    pub(super) gates: BTreeSet<String>,
}

impl Order {
    /// Whether two threads can be there at the same time: they are two, and nothing is held by both.
    fn is_apart(&self, other: &Self) -> bool {
        self.thread.0 != other.thread.0
            && self.first.0 != other.first.0
            && !self.gates.contains(&other.first.0)
            && !other.gates.contains(&self.first.0)
            && self.gates.is_disjoint(&other.gates)
    }

    fn is_against(&self, other: &Self) -> bool {
        self.first.0 == other.second.0 && self.second.0 == other.first.0 && self.is_apart(other)
    }
}

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    orders: BTreeSet<Order>,
    /// Where a thread takes a lock. The lock does not know it, so there can be several such places, one of
    /// which was it.
    places: BTreeMap<(u32, String), BTreeSet<String>>,
    synonyms: Synonyms,
}

impl Orders {
    pub(super) fn add(&mut self, order: Order) {
        self.orders.insert(order);
    }

    /// A thread takes a lock at this place.
    pub(super) fn note_place(&mut self, thread: u32, lock: String, place: String) {
        self.places.entry((thread, lock)).or_default().insert(place);
    }

    /// In some state two names were those of one object.
    pub(super) fn note_same(&mut self, name: &str, other: String) {
        self.synonyms.note_same(name, other);
    }

    /// A name begins with a captured variable, and is this one without whoever has captured it.
    pub(super) fn note_variable(&mut self, name: &str, variable: String) {
        self.synonyms.note_variable(name, variable);
    }

    /// In some state several objects were called by these variables.
    pub(super) fn note_unclear(&mut self, variables: BTreeSet<String>) {
        self.synonyms.note_unclear(variables);
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.orders.is_empty() && self.places.is_empty() && self.synonyms.is_empty()
    }

    /// Takes what another worker has seen.
    pub(crate) fn absorb(&mut self, other: &mut Self) {
        self.orders.append(&mut other.orders);
        for (lock, mut places) in std::mem::take(&mut other.places) {
            self.places.entry(lock).or_default().append(&mut places);
        }
        self.synonyms.absorb(&mut other.synonyms);
    }

    /// The circles, in words: opposite orders of two threads first.
    pub(crate) fn circles(&self) -> Vec<String> {
        self.renamed().circles_by_name()
    }

    /// The same with one name for each monitor and lock.
    fn renamed(&self) -> Self {
        let names = self.synonyms.names();
        let name = |name: &String| names.get(name).unwrap_or(name).clone();
        let orders = self.orders.iter().map(|order| Order {
            thread: order.thread.clone(),
            first: (name(&order.first.0), order.first.1.clone()),
            second: (name(&order.second.0), order.second.1.clone()),
            gates: order.gates.iter().map(name).collect(),
        });
        let mut renamed = Self { orders: orders.collect(), ..Self::default() };
        for ((thread, lock), places) in &self.places {
            renamed.places.entry((*thread, name(lock))).or_default().extend(places.iter().cloned());
        }
        renamed
    }

    fn circles_by_name(&self) -> Vec<String> {
        let mut pairs = BTreeSet::new();
        for one in &self.orders {
            for other in self.orders.iter().filter(|other| one < other && one.is_against(other)) {
                pairs.insert(self.shown(&[one, other]));
            }
        }
        let longer: BTreeSet<String> =
            LongCircles::of(self).found.values().map(|circle| self.shown(circle)).collect();
        pairs.into_iter().chain(longer).collect()
    }

    fn shown(&self, circle: &[&Order]) -> String {
        let orders: Vec<String> = circle.iter().map(|order| self.shown_order(order)).collect();
        format!("lock order: {}", orders.join(", "))
    }

    fn shown_order(&self, order: &Order) -> String {
        let Order { thread: (id, thread), first: (first, here), second: (second, there), .. } = order;
        let here = here.clone().or_else(|| {
            let places: Vec<&str> = self.places.get(&(*id, first.clone()))?.iter().map(|at| &**at).collect();
            Some(places.join(" or "))
        });
        let here = here.map_or_else(String::new, |here| format!(" ({here})"));
        format!("{thread} enters {first}{here} and then {second} ({there})")
    }
}

/// Circles of more than two.
struct LongCircles<'a> {
    /// The orders by what was held. Of those that differ only in gates and places, the ones with the fewest
    /// gates will do.
    by_first: BTreeMap<&'a str, Vec<&'a Order>>,
    n_tries: usize,
    /// By the names of what they consist of, beginning with the least; the orders begin with that of the
    /// first thread.
    found: BTreeMap<Vec<&'a str>, Vec<&'a Order>>,
}

impl<'a> LongCircles<'a> {
    fn of(orders: &'a Orders) -> Self {
        let mut alike: BTreeMap<_, Vec<&Order>> = BTreeMap::new();
        for order in &orders.orders {
            let like = alike.entry((order.thread.0, &*order.first.0, &*order.second.0)).or_default();
            if !like.iter().any(|other| other.gates.is_subset(&order.gates)) {
                like.retain(|other| !order.gates.is_subset(&other.gates));
                like.push(order);
            }
        }
        let mut by_first: BTreeMap<&str, Vec<&Order>> = BTreeMap::new();
        for ((_, first, _), like) in alike {
            by_first.entry(first).or_default().extend(like);
        }
        let mut this = Self { by_first, n_tries: 0, found: BTreeMap::new() };
        let starts: Vec<&Order> = this.by_first.values().flatten().copied().collect();
        for start in starts {
            this.extend(&mut vec![start]);
        }
        this
    }

    /// Goes on from a chain of orders that begins with the least name in it.
    fn extend(&mut self, chain: &mut Vec<&'a Order>) {
        let (start, wanted) = (&*chain[0].first.0, &*chain[chain.len() - 1].second.0);
        if wanted == start {
            if chain.len() > 2 {
                self.add(chain);
            }
            return;
        }
        if wanted < start || chain.len() == MAX_LEN {
            return;
        }
        for idx in 0..self.by_first.get(wanted).map_or(0, Vec::len) {
            self.n_tries += 1;
            if self.n_tries > MAX_TRIES {
                return;
            }
            let next = self.by_first[wanted][idx];
            if chain.iter().all(|order| order.is_apart(next)) {
                chain.push(next);
                self.extend(chain);
                chain.pop();
            }
        }
    }

    fn add(&mut self, circle: &[&'a Order]) {
        let names = circle.iter().map(|order| &*order.first.0).collect();
        self.found.entry(names).or_insert_with(|| {
            let least = (0..circle.len()).min_by_key(|&idx| circle[idx]).unwrap_or(0);
            [&circle[least..], &circle[..least]].concat()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(thread: u32, first: &str, second: &str, gates: &[&str]) -> Order {
        Order {
            thread: (thread, format!("t{thread}")),
            first: (first.into(), Some("A.java:1".into())),
            second: (second.into(), "A.java:2".into()),
            gates: gates.iter().map(|&gate| gate.into()).collect(),
        }
    }

    fn orders<const N: usize>(orders: [Order; N]) -> Orders {
        Orders { orders: orders.into(), ..Orders::default() }
    }

    #[test]
    fn opposite_orders_of_two_threads_are_told_once() {
        let orders = orders([order(1, "a", "b", &[]), order(2, "b", "a", &[]), order(2, "a", "c", &[])]);
        let told = "lock order: t1 enters a (A.java:1) and then b (A.java:2), t2 enters b (A.java:1) and then a (A.java:2)";
        assert_eq!(orders.circles(), [told]);
    }

    #[test]
    fn one_thread_and_one_gate_are_no_inversion() {
        let alone = orders([order(1, "a", "b", &[]), order(1, "b", "a", &[])]);
        assert!(alone.circles().is_empty());
        let gated = orders([order(1, "a", "b", &["g", "x"]), order(2, "b", "a", &["g"])]);
        assert!(gated.circles().is_empty());
        let apart = orders([order(1, "a", "b", &["x"]), order(2, "b", "a", &["g"])]);
        assert_eq!(apart.circles().len(), 1);
    }

    #[test]
    fn longer_circles_are_told_once_beginning_with_the_first_thread() {
        let three = [order(3, "a", "b", &[]), order(1, "b", "c", &[]), order(2, "c", "a", &[])];
        let told = "lock order: t1 enters b (A.java:1) and then c (A.java:2), \
                    t2 enters c (A.java:1) and then a (A.java:2), t3 enters a (A.java:1) and then b (A.java:2)";
        assert_eq!(orders(three.clone()).circles(), [told]);
        // Another thread that does the same makes no other circle.
        let [one, two, three] = three;
        assert_eq!(orders([one, two, three, order(4, "a", "b", &[])]).circles().len(), 1);
        let chain = |n: u32| -> Orders {
            let name = |idx: u32| (idx % n).to_string();
            let orders = (0..n).map(|idx| order(idx, &name(idx), &name(idx + 1), &[])).collect();
            Orders { orders, ..Orders::default() }
        };
        assert_eq!([3, 4, 5].map(|n| chain(n).circles().len()), [1, 1, 0]);
    }

    #[test]
    fn threads_of_a_circle_are_different_and_hold_nothing_in_common() {
        let circle = |threads: [u32; 3], gates: [&[&str]; 3]| {
            let [a, b, c] = threads;
            let [x, y, z] = gates;
            let orders = orders([order(a, "a", "b", x), order(b, "b", "c", y), order(c, "c", "a", z)]);
            orders.circles().len()
        };
        assert_eq!(circle([1, 2, 3], [&["x"], &["y"], &[]]), 1);
        assert_eq!(circle([1, 2, 1], [&[], &[], &[]]), 0);
        assert_eq!(circle([1, 2, 3], [&["g"], &[], &["g"]]), 0);
        // The second thread holds what the first one must hold.
        assert_eq!(circle([1, 2, 3], [&[], &["a"], &[]]), 0);
        // What was seen under a gate was seen without it, too.
        let orders = orders([
            order(1, "a", "b", &["g"]),
            order(1, "a", "b", &[]),
            order(2, "b", "c", &["g"]),
            order(3, "c", "a", &[]),
        ]);
        assert_eq!(orders.circles().len(), 1);
    }

    #[test]
    fn places_of_locks_are_those_where_the_thread_takes_them() {
        let lock = |thread, first: &str, second: &str| {
            let order = order(thread, first, second, &[]);
            Order { first: (first.into(), None), ..order }
        };
        let mut all = orders([lock(1, "a", "b"), lock(2, "b", "a")]);
        let mut other = Orders::default();
        all.note_place(1, "a".into(), "A.java:3".into());
        all.note_place(2, "a".into(), "A.java:4".into());
        other.note_place(1, "a".into(), "A.java:5".into());
        all.absorb(&mut other);
        assert!(other.is_empty());
        let told = "lock order: t1 enters a (A.java:3 or A.java:5) and then b (A.java:2), t2 enters b and then a (A.java:2)";
        assert_eq!(all.circles(), [told]);
    }

    #[test]
    fn one_lock_with_two_names_is_one_lock() {
        let mut all = orders([order(1, "a by t", "b by t", &[]), order(2, "b by u", "a by u", &[])]);
        assert!(all.circles().is_empty());
        all.note_same("a by t", "a by u".into());
        assert!(all.circles().is_empty());
        all.note_variable("b by t", "b of m".into());
        all.note_variable("b by u", "b of m".into());
        let told = "lock order: t1 enters a by t (A.java:1) and then b of m (A.java:2), t2 enters b of m (A.java:1) and then a by t (A.java:2)";
        assert_eq!(all.circles(), [told]);
        all.note_unclear(["b of m".into()].into());
        assert!(all.circles().is_empty());
    }
}
