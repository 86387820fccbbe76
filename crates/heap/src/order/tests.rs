//! The numbering against brute force: all renamings of small heaps, and collection on random graphs.

use super::Order;
use crate::{Collect, Form, Graph, Roots};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

/// An object: a label that an isomorphism keeps, and what its fields refer to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    label: u8,
    fields: Vec<Option<u32>>,
    /// Whether the program has deleted it.
    deleted: bool,
}

/// A heap with its roots: those of the first list are shared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Heap {
    roots: Vec<Vec<Option<u32>>>,
    objects: Vec<Object>,
}

impl Graph for Heap {
    type Error = Infallible;

    fn n_objects(&self) -> usize {
        self.objects.len()
    }

    fn n_holders(&self) -> usize {
        self.roots.len() - 1
    }

    fn shared_roots(&self, roots: &mut impl Roots) -> Result<(), Infallible> {
        self.roots[0].iter().flatten().for_each(|&object| roots.root(object));
        Ok(())
    }

    /// The first two roots of a holder are one group; each further root is a group of its own.
    fn roots(&self, holder: usize, roots: &mut impl Roots) -> Result<(), Infallible> {
        for (idx, root) in self.roots[holder + 1].iter().enumerate() {
            root.iter().for_each(|&object| roots.root(object));
            if idx > 0 {
                roots.end_group();
            }
        }
        Ok(())
    }

    fn references(&self, object: u32, found: &mut impl FnMut(u32)) {
        self.objects[object as usize].fields.iter().flatten().for_each(|&to| found(to));
    }

    fn outlives(&self, object: u32) -> bool {
        !self.objects[object as usize].deleted
    }
}

impl Heap {
    /// The vector that a front end would write: roots, then objects, references by number, and what can reach
    /// each object.
    fn vector(&self, order: &mut Order, form: Form) -> Vec<u32> {
        let Ok(()) = order.find(self, form);
        let name = |to: &Option<u32>| to.map_or(0, |to| order.number(to) + 1);
        let mut vector = Vec::new();
        for roots in &self.roots {
            vector.push(roots.len() as u32);
            vector.extend(roots.iter().map(name));
        }
        for &idx in order.objects() {
            let object = &self.objects[idx as usize];
            vector.extend([u32::from(object.label), object.fields.len() as u32]);
            vector.extend(object.fields.iter().map(name));
            vector.push(order.owner(idx).map_or(0, |owner| owner as u32 + 1));
            vector.push(u32::from(order.is_shared(idx)));
        }
        vector
    }

    /// The heap with the object at `idx` moved to `to[idx]`.
    fn renamed(&self, to: &[u32]) -> Heap {
        let rename = |fields: &[Option<u32>]| fields.iter().map(|f| f.map(|f| to[f as usize])).collect();
        let mut objects = self.objects.clone();
        for (object, &to) in self.objects.iter().zip(to) {
            objects[to as usize] = Object { fields: rename(&object.fields), ..object.clone() };
        }
        Heap { roots: self.roots.iter().map(|roots| rename(roots)).collect(), objects }
    }

    /// What `from` leads to, by the definition: extended until nothing is added.
    fn closure(&self, mut reached: BTreeSet<u32>) -> BTreeSet<u32> {
        loop {
            let from = |&idx: &u32| self.objects[idx as usize].fields.iter().flatten().copied();
            let next: BTreeSet<u32> = reached.iter().flat_map(from).chain(reached.iter().copied()).collect();
            if next.len() == reached.len() {
                return reached;
            }
            reached = next;
        }
    }

    fn reached(&self) -> BTreeSet<u32> {
        self.closure(self.roots.iter().flatten().flatten().copied().collect())
    }

    /// The heap without unreached objects.
    fn swept(&self) -> Heap {
        let reached: Vec<u32> = self.reached().into_iter().collect();
        let place = |&to: &Option<u32>| to.map(|to| reached.binary_search(&to).expect("reached") as u32);
        let objects = reached.iter().map(|&idx| {
            let object = &self.objects[idx as usize];
            Object { fields: object.fields.iter().map(place).collect(), ..object.clone() }
        });
        Heap {
            objects: objects.collect(),
            roots: self.roots.iter().map(|roots| roots.iter().map(place).collect()).collect(),
        }
    }

    /// The least of all renamings of the reached objects: equal for two heaps if and only if they are
    /// isomorphic.
    fn least(&self) -> Heap {
        let swept = self.swept();
        let all = permutations(swept.objects.len());
        all.iter().map(|to| swept.renamed(to)).min().expect("there is at least one")
    }
}

fn permutations(n: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for item in 0..n as u32 {
        let insert = |shorter: &Vec<u32>| {
            (0..=shorter.len())
                .map(|at| {
                    let mut longer = shorter.clone();
                    longer.insert(at, item);
                    longer
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

/// SplitMix64, because this crate uses no other crate, not even in tests.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn field(&mut self, n_objects: usize) -> Option<u32> {
        let drawn = self.below(n_objects as u64 + 1) as u32;
        drawn.checked_sub(1)
    }

    fn heap(&mut self, n_objects: usize, n_holders: usize) -> Heap {
        let roots = (0..=n_holders).map(|_| {
            let n_roots = self.below(5);
            (0..n_roots).map(|_| self.field(n_objects)).collect()
        });
        let roots = roots.collect();
        let objects = (0..n_objects).map(|_| {
            let deleted = self.below(5) == 0;
            let n_fields = if deleted { 0 } else { self.below(4) };
            let fields = (0..n_fields).map(|_| self.field(n_objects)).collect();
            Object { label: self.below(2) as u8 + if deleted { 2 } else { 0 }, fields, deleted }
        });
        Heap { roots, objects: objects.collect() }
    }
}

const SWEPT: Form = Form { symmetry: true, collect: Collect::Sweep };

/// Every heap of three objects with two fields each and one shared root and one root of a holder: vectors are
/// equal exactly if the least renamings are.
#[test]
fn vectors_are_equal_exactly_for_isomorphic_heaps() {
    let mut order = Order::default();
    let (mut least_of, mut vector_of) = (BTreeMap::new(), BTreeMap::new());
    for code in 0..4_u32.pow(8) {
        let digit = |at: u32| (code / 4_u32.pow(at) % 4).checked_sub(1);
        let object =
            |idx: u32| Object { label: 0, fields: vec![digit(2 * idx), digit(2 * idx + 1)], deleted: false };
        let heap = Heap {
            roots: vec![vec![digit(6)], vec![digit(7)]],
            objects: vec![object(0), object(1), object(2)],
        };
        let (vector, least) = (heap.vector(&mut order, SWEPT), heap.least());
        assert_eq!(least_of.entry(vector.clone()).or_insert(least.clone()), &least, "{heap:?}");
        assert_eq!(vector_of.entry(least).or_insert(vector.clone()), &vector, "{heap:?}");
    }
    assert!(vector_of.len() > 1000, "{}", vector_of.len());
}

/// Heaps of up to six objects: all renamings give one vector, and each heap with one reference changed gives
/// another vector exactly if it is not isomorphic.
#[test]
fn all_renamings_of_a_heap_have_one_vector() {
    let mut chance = Chance(1);
    let mut order = Order::default();
    let mut n_different = 0;
    for round in 0..400 {
        let n_objects = 1 + round % 6;
        let n_holders = chance.below(4) as usize;
        let heap = chance.heap(n_objects, n_holders);
        let vector = heap.vector(&mut order, SWEPT);
        for to in permutations(n_objects) {
            assert_eq!(heap.renamed(&to).vector(&mut order, SWEPT), vector, "{heap:?} renamed {to:?}");
        }
        let mut other = heap.clone();
        let idx = chance.below(n_objects as u64) as usize;
        let field = chance.field(n_objects);
        if let Some(place) = other.objects[idx].fields.first_mut() {
            *place = field;
        } else if let Some(place) = other.roots.iter_mut().flatten().next() {
            *place = field;
        }
        let is_equal = other.vector(&mut order, SWEPT) == vector;
        assert_eq!(is_equal, other.least() == heap.least(), "{heap:?} {other:?}");
        n_different += u32::from(!is_equal);
    }
    assert!(n_different > 50, "{n_different}");
}

/// Owners by the definition: for each holder, what its roots lead to.
#[test]
fn owners_are_those_who_reach_alone() {
    let mut chance = Chance(2);
    let mut order = Order::default();
    for _ in 0..3000 {
        let (n_objects, n_holders) = (1 + chance.below(30) as usize, chance.below(5) as usize);
        let heap = chance.heap(n_objects, n_holders);
        let Ok(()) = order.find(&heap, SWEPT);
        let reach: Vec<BTreeSet<u32>> =
            heap.roots.iter().map(|roots| heap.closure(roots.iter().flatten().copied().collect())).collect();
        for object in 0..n_objects as u32 {
            let who: Vec<usize> = (0..=n_holders).filter(|&by| reach[by].contains(&object)).collect();
            let owner = match who[..] {
                [holder] if holder > 0 => Some(holder - 1),
                _ => None,
            };
            assert_eq!(order.owner(object), owner, "{object} of {heap:?}");
            assert_eq!(order.is_shared(object), owner.is_none() && !who.is_empty(), "{object} of {heap:?}");
            assert_eq!(order.is_reached(object), !who.is_empty(), "{object} of {heap:?}");
        }
    }
}

/// What stays, by the definition, and in which order, for each way to collect, with and without symmetry.
#[test]
fn collection_keeps_what_its_definition_says() {
    let mut chance = Chance(3);
    let mut order = Order::default();
    let mut n_cycles = 0;
    for _ in 0..3000 {
        let (n_objects, n_holders) = (1 + chance.below(20) as usize, chance.below(3) as usize);
        let heap = chance.heap(n_objects, n_holders);
        let all: BTreeSet<u32> = (0..n_objects as u32).collect();
        let reached = heap.reached();
        let Ok(()) = order.find(&heap, SWEPT);
        let in_order = order.objects().to_vec();
        assert_eq!(in_order.iter().copied().collect::<BTreeSet<_>>(), reached);
        let live = all.iter().copied().filter(|&idx| heap.outlives(idx));
        let outlives = heap.closure(reached.iter().copied().chain(live).collect());
        let counted = counted(&heap);
        n_cycles += u32::from(counted.len() > reached.len());
        for (collect, stays) in
            [(Collect::Sweep, &reached), (Collect::Count, &counted), (Collect::Nothing, &outlives)]
        {
            let mut expected = in_order.clone();
            expected.extend(stays.difference(&reached));
            let Ok(()) = order.find(&heap, Form { symmetry: true, collect });
            assert_eq!(order.objects(), expected, "{collect:?} {heap:?}");
            let numbers = expected.iter().map(|&object| order.number(object));
            assert!(numbers.eq(0..expected.len() as u32), "{collect:?} {heap:?}");
            expected.sort_unstable();
            let Ok(()) = order.find(&heap, Form { symmetry: false, collect });
            assert_eq!(order.objects(), expected, "{collect:?} {heap:?}");
            let numbers = expected.iter().map(|&object| order.number(object));
            assert!(numbers.eq(0..expected.len() as u32), "{collect:?} {heap:?}");
        }
    }
    assert!(n_cycles > 50, "{n_cycles}");
}

/// Drops objects without references, one after the other, until all have references.
fn counted(heap: &Heap) -> BTreeSet<u32> {
    let mut stays: BTreeSet<u32> = (0..heap.objects.len() as u32).collect();
    loop {
        let fields = stays.iter().flat_map(|&idx| heap.objects[idx as usize].fields.iter().flatten());
        let referred: BTreeSet<u32> = fields.chain(heap.roots.iter().flatten().flatten()).copied().collect();
        let next: BTreeSet<u32> = stays.intersection(&referred).copied().collect();
        if next == stays {
            return stays;
        }
        stays = next;
    }
}

/// A list of 200,000 objects that two holders reach from its ends: no recursion, and the flood is linear.
#[test]
fn long_lists_are_no_problem() {
    let n = 200_000;
    let next = |idx: u32| (idx + 1 < n).then_some(idx + 1);
    let objects = (0..n).map(|idx| Object { label: 0, fields: vec![next(idx)], deleted: false }).collect();
    let heap = Heap { roots: vec![vec![], vec![Some(1)], vec![Some(0)]], objects };
    let mut order = Order::default();
    let Ok(()) = order.find(&heap, SWEPT);
    assert_eq!((order.number(0), order.number(1), order.number(n - 1)), (n - 1, 0, n - 2));
    assert_eq!((order.owner(0), order.is_shared(n - 1)), (Some(1), true));
    assert_eq!((order.segment(0), order.segment(1)), (0..n - 1, n - 1..n));
    assert_eq!((order.leaders(0), order.leaders(1)), (&[0][..], &[n - 1][..]));
}
