//! The tree store: lossless, and small because states share what they have in common.
//!
//! A vector is the leaves of a tree ([`Shape`]): chunks of eight bytes. Each distinct chunk, and each distinct pair of
//! numbers of the nodes below a node, has a number itself; the pair at the root is what is stored for a state, four
//! to eight bytes, in a set of its own, and its number there names the state. This is recursive pairwise compression:
//! Laarman, van de Pol and Weber, "Parallel recursive state compression for free" (SPIN 2011), with numbers that do
//! not change when tables grow. Chunks and inner pairs are in one set: both are 64 bits, and where a number stands
//! tells what it means. The number zero stands for a pair of zeros, so empty parts of a vector take nothing.
//!
//! It is incremental in both directions: a successor is compared with the state that it comes from, and only changed
//! chunks and the nodes above them are looked up; a state that is opened is compared with the one opened before in
//! its place, and only the nodes that differ are fetched. Correctness never depends on what is compared with.
//!
//! Writers pass the [`Gate`] once per batch, as in the exact store; a store made for one worker has none.
#![allow(unsafe_code, reason = "tables grow while the gate is closed")]

use crate::gate::{Desk, Gate};
use crate::index::Approach;
use crate::pairs::{Cache, Inside, Pairs, Quest};
use crate::rows::{Pair, Pens, Refusal};
use crate::shape::{CHUNK, Shape};
use crate::{Budget, Full, Holding, Recall, Samples, Seen, StateRef, Store, Writer};
use allways_model::Batch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Slots that a writer reserves at once, if it does not need more.
const SLOTS_AT_ONCE: u64 = 64;
/// Stands for the number zero on the left of a root, if both are zero: a row of zeros is a row that is not there.
const ZERO_ROOT: Pair = u32::MAX as u64;

/// A lossless, concurrent set of vectors that share their parts.
pub struct Tree {
    /// Chunks and inner pairs.
    nodes: Pairs,
    /// The pairs at the roots; their class is the length of the vector in words of four bytes.
    roots: Pairs,
    samples: Samples,
    /// The shapes of trees, by the length of the vector in words.
    shapes: Mutex<Vec<Option<Arc<Shape>>>>,
    gate: Gate,
    budget: Budget,
    /// Whether the store is for one writer at a time, and whether there is one now.
    sole: bool,
    occupied: AtomicBool,
}

/// Which of the two sets must grow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Nodes,
    Roots,
}

impl Tree {
    /// An empty store that charges `budget`, for `workers` writers at a time.
    ///
    /// # Panics
    /// If there is no worker.
    #[must_use]
    pub fn new(budget: &Budget, workers: usize) -> Self {
        Self::with_samples(budget, workers, Samples::new())
    }

    /// An empty store that charges `budget`, for `workers` writers at a time, and cuts vectors as suits some samples.
    ///
    /// # Panics
    /// If there is no worker.
    #[must_use]
    pub fn with_samples(budget: &Budget, workers: usize, samples: Samples) -> Self {
        assert!(workers > 0, "a store is for at least one worker");
        Self {
            nodes: Pairs::new(budget),
            roots: Pairs::new(budget),
            samples,
            shapes: Mutex::new(Vec::new()),
            gate: Gate::new(),
            budget: budget.clone(),
            sole: workers == 1,
            occupied: AtomicBool::new(false),
        }
    }

    fn set(&self, set: Set) -> &Pairs {
        match set {
            Set::Nodes => &self.nodes,
            Set::Roots => &self.roots,
        }
    }

    /// The pair at the root of a state, and the length of its vector.
    #[inline(always)]
    fn root(&self, state: StateRef) -> (Pair, usize) {
        let (root, n_words) = self.roots.rows().get(state.raw());
        (if root == ZERO_ROOT { 0 } else { root }, n_words as usize * 4)
    }

    /// The pair, or the chunk, that a number stands for.
    #[inline(always)]
    fn node(&self, number: u32) -> Pair {
        if number == 0 { 0 } else { self.nodes.rows().get(number).0 }
    }

    /// The shape of the trees of vectors of `len` bytes.
    fn shape(&self, len: usize) -> Arc<Shape> {
        let mut shapes = self.shapes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let n_words = len / 4;
        if shapes.len() <= n_words {
            shapes.resize(n_words + 1, None);
        }
        let make = || Arc::new(Shape::new(len, self.samples.cut(len)));
        Arc::clone(shapes[n_words].get_or_insert_with(make))
    }
}

impl Store for Tree {
    type Writer<'s> = TreeWriter<'s>;

    /// # Panics
    /// If the store was made for one worker and another writer is still there.
    fn writer(&self) -> TreeWriter<'_> {
        let occupied = self.occupied.swap(true, Ordering::Acquire);
        assert!(!(self.sole && occupied), "this store is for one writer at a time");
        TreeWriter {
            store: self,
            desk: self.gate.register(),
            node_pens: Pens::default(),
            cache: Cache::new(),
            root_pens: Pens::default(),
            node_credit: 0,
            root_credit: 0,
            forms: Vec::new(),
            opened: Vec::new(),
            starts: Vec::new(),
            walk: Walk::default(),
            todo: Vec::new(),
            quests: Vec::new(),
            approaches: Vec::new(),
        }
    }

    fn n_states(&self) -> u64 {
        self.gate.n_states()
    }

    fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.roots.bytes()
    }

    fn holdings(&self) -> Vec<Holding> {
        let rows = |name, pairs: &Pairs| Holding { name, bytes: pairs.rows().bytes(), fill: None };
        vec![
            self.roots.index_holding("table of roots"),
            rows("roots", &self.roots),
            self.nodes.index_holding("table of nodes"),
            rows("nodes", &self.nodes),
        ]
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Recall for Tree {
    fn fetch<'a>(&'a self, state: StateRef, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        let (root, len) = self.root(state);
        let mut decoded = Decoded::default();
        decoded.become_state(self, &self.shape(len), root, &mut Vec::new());
        buffer.clear();
        buffer.extend_from_slice(decoded.vector());
        buffer
    }

    #[inline]
    fn prefetch(&self, state: StateRef) {
        self.roots.rows().prefetch(state.raw());
    }
}

/// The pairs at all nodes of the tree of one state.
#[derive(Default)]
struct Decoded {
    len: usize,
    /// By node; empty if there is no state yet. The chunks at the leaves are the vector.
    pairs: Vec<Pair>,
}

/// What a writer knows about vectors of one length.
struct Form {
    shape: Arc<Shape>,
    /// The last state of this length that was inserted and not compared with its source.
    recent: Decoded,
}

/// Room for finding the root of a vector.
#[derive(Default)]
struct Walk {
    /// The pairs at nodes that differ from those of the state compared with.
    pairs: Vec<Pair>,
    /// One bit for each such node that is still to be looked up.
    changed: Vec<u64>,
}

/// What a writer needs to add nodes.
struct Hand<'w> {
    cache: &'w mut Cache,
    pens: &'w mut Pens,
    /// Slots reserved and not filled.
    credit: &'w mut u64,
}

/// One worker's way into a [`Tree`] store.
pub struct TreeWriter<'s> {
    store: &'s Tree,
    desk: Arc<Desk>,
    node_pens: Pens,
    cache: Cache,
    root_pens: Pens,
    /// Slots reserved and not filled.
    node_credit: u64,
    root_credit: u64,
    /// By length in words.
    forms: Vec<Option<Box<Form>>>,
    /// The states opened since the last insertion, and before them those of earlier times in the same places.
    opened: Vec<Decoded>,
    /// For each state opened since the last insertion its first entry.
    starts: Vec<usize>,
    walk: Walk,
    /// For decoding: nodes to look at and the pairs that were there before.
    todo: Vec<(u32, Pair)>,
    /// For each entry of the batch at hand its root, and how far the search for it gets without looking at rows.
    quests: Vec<Quest>,
    approaches: Vec<Approach>,
}

/// Being inside the gate; leaves it when dropped, also by a panic.
struct Visit<'a> {
    store: &'a Tree,
    desk: &'a Desk,
}

impl<'a> Visit<'a> {
    #[inline]
    fn new(store: &'a Tree, desk: &'a Desk) -> Self {
        if !store.sole {
            store.gate.enter(desk);
        }
        Self { store, desk }
    }

    #[inline]
    fn set(&self, set: Set) -> Inside<'_> {
        // SAFETY: a writer is inside the gate, or is the sole one, so that no set grows as long as `self` is borrowed.
        unsafe { self.store.set(set).inside() }
    }

    /// Goes outside until a set has room for `want` more.
    #[cold]
    fn make_room(&mut self, set: Set, want: u64) -> Result<(), Full> {
        let Self { store, desk } = *self;
        let set = store.set(set);
        if store.sole {
            // SAFETY: the calling writer is the sole one, and does not use the set: `self` is borrowed for this call.
            return unsafe { set.grow(want, 1) };
        }
        store.gate.leave(desk);
        let closed = store.gate.close();
        // SAFETY: the gate is closed: nobody else uses the set.
        let result = unsafe { set.grow(want, closed.n_workers()) };
        drop(closed);
        store.gate.enter(desk);
        result
    }

    /// Reserves slots until `credit` is at least `want`.
    #[inline]
    fn reserve(&mut self, set: Set, credit: &mut u64, want: u64) -> Result<(), Full> {
        if *credit < want { self.reserve_more(set, credit, want) } else { Ok(()) }
    }

    #[cold]
    fn reserve_more(&mut self, set: Set, credit: &mut u64, want: u64) -> Result<(), Full> {
        let want = want - *credit;
        loop {
            // Some more than needed, if they are there, so that not every batch writes to the shared count.
            for ask in [want.max(SLOTS_AT_ONCE), want] {
                if self.store.set(set).promise(ask) {
                    *credit += ask;
                    return Ok(());
                }
            }
            self.make_room(set, want)?;
        }
    }

    /// After an insertion was refused: makes room, so that it can be tried again.
    #[cold]
    fn relieve(&mut self, set: Set, refusal: Refusal) -> Result<(), Full> {
        match refusal {
            Refusal::Full => Err(Full),
            Refusal::Index => self.make_room(set, 0),
        }
    }
}

impl Drop for Visit<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.store.sole {
            self.store.gate.leave(self.desk);
        }
    }
}

/// The chunk at a place in a vector; the last may be four bytes short.
#[inline(always)]
fn chunk(vector: &[u8], idx: usize) -> u64 {
    let rest = &vector[idx * CHUNK..];
    match rest.first_chunk::<CHUNK>() {
        Some(chunk) => u64::from_ne_bytes(*chunk),
        None => {
            let mut chunk = [0; CHUNK];
            chunk[..rest.len()].copy_from_slice(rest);
            u64::from_ne_bytes(chunk)
        }
    }
}

impl Walk {
    /// Notes the leaves of `vector` that differ from the pairs of another state of the same shape; all if there is none.
    #[inline]
    fn compare(&mut self, vector: &[u8], shape: &Shape, base: &[Pair]) {
        self.pairs.resize(self.pairs.len().max(shape.n_nodes()), 0);
        self.changed.resize(self.changed.len().max(shape.n_nodes().div_ceil(64)), 0);
        if base.is_empty() {
            for leaf in 0..shape.n_leaves {
                self.note(leaf, chunk(vector, leaf));
            }
            return;
        }
        let (chunks, rest) = vector.as_chunks::<CHUNK>();
        // Eight chunks at a time: most of a vector does not change.
        for (idx, (chunks, base)) in chunks.chunks(8).zip(base.chunks(8)).enumerate() {
            let differ = |(chunk, base): (&[u8; 8], &u64)| u64::from_ne_bytes(*chunk) ^ base;
            if chunks.iter().zip(base).fold(0, |all, pair| all | differ(pair)) == 0 {
                continue;
            }
            for (offset, (chunk, base)) in chunks.iter().zip(base).enumerate() {
                let chunk = u64::from_ne_bytes(*chunk);
                if chunk != *base {
                    self.note(idx * 8 + offset, chunk);
                }
            }
        }
        if !rest.is_empty() {
            let last = chunk(vector, chunks.len());
            if last != base[chunks.len()] {
                self.note(chunks.len(), last);
            }
        }
    }

    #[inline(always)]
    fn note(&mut self, node: usize, pair: Pair) {
        self.pairs[node] = pair;
        self.changed[node / 64] |= 1 << (node % 64);
    }

    /// Looks up all nodes that were noted and those above them, and gives the pair at the root. If it is refused,
    /// what was noted is lost.
    #[inline]
    fn climb(
        &mut self,
        shape: &Shape,
        base: &[Pair],
        nodes: Inside<'_>,
        hand: &mut Hand<'_>,
    ) -> Result<Pair, Refusal> {
        let root = shape.root();
        for word_idx in 0..=root / 64 {
            loop {
                let word = self.changed[word_idx];
                if word == 0 {
                    break;
                }
                self.changed[word_idx] = word & (word - 1);
                let node = word_idx * 64 + word.trailing_zeros() as usize;
                let pair = self.pairs[node];
                if node == root {
                    return Ok(pair);
                }
                let number = match pair {
                    0 => 0,
                    _ => match nodes.intern(pair, hand.cache, hand.pens) {
                        Ok(found) => {
                            *hand.credit -= u64::from(found.new);
                            found.number
                        }
                        Err(refusal) => {
                            self.changed.fill(0);
                            return Err(refusal);
                        }
                    },
                };
                let (parent, side) = shape.parent(node);
                let (parent_word, bit) = (&mut self.changed[parent / 64], 1 << (parent % 64));
                if *parent_word & bit == 0 {
                    *parent_word |= bit;
                    self.pairs[parent] = base.get(parent).copied().unwrap_or(0);
                }
                let shift = 32 * side as u32;
                let half = u64::from(u32::MAX) << shift;
                self.pairs[parent] = self.pairs[parent] & !half | u64::from(number) << shift;
            }
        }
        // Nothing has changed.
        Ok(base.get(root).copied().unwrap_or(0))
    }
}

impl Decoded {
    /// Becomes the state with this root.
    #[inline]
    fn become_state(&mut self, store: &Tree, shape: &Shape, root: Pair, todo: &mut Vec<(u32, Pair)>) {
        let fresh = self.len != shape.len || self.pairs.is_empty();
        if fresh {
            self.len = shape.len;
            self.pairs.clear();
            self.pairs.resize(shape.n_nodes(), 0);
        }
        let before = std::mem::replace(&mut self.pairs[shape.root()], root);
        // A tree of zeros is right where it says so, at all its nodes.
        todo.push((shape.root() as u32, before));
        while let Some((node, before)) = todo.pop() {
            let pair = self.pairs[node as usize];
            for (side, child) in shape.below(node as usize).into_iter().enumerate() {
                let (number, number_before) = ((pair >> (32 * side)) as u32, (before >> (32 * side)) as u32);
                let Some(child) = child.filter(|_| number != number_before) else { continue };
                let before = std::mem::replace(&mut self.pairs[child as usize], store.node(number));
                if child as usize >= shape.n_leaves {
                    todo.push((child, before));
                }
            }
        }
    }

    /// The vector.
    #[inline]
    fn vector(&self) -> &[u8] {
        let chunks = &self.pairs[..self.len.div_ceil(CHUNK)];
        // SAFETY: any eight bytes of a number are bytes, and there are enough.
        unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast(), self.len) }
    }
}

#[inline(always)]
fn form<'f>(forms: &'f mut Vec<Option<Box<Form>>>, len: usize, store: &Tree) -> &'f mut Form {
    let n_words = len / 4;
    if forms.len() <= n_words {
        forms.resize_with(n_words + 1, || None);
    }
    let make = || Box::new(Form { shape: store.shape(len), recent: Decoded::default() });
    forms[n_words].get_or_insert_with(make)
}

impl TreeWriter<'_> {
    /// Finds the root of every entry. Its line of the index is on the way then.
    fn find_roots(&mut self, batch: &Batch, visit: &mut Visit<'_>) -> Result<(), Full> {
        let mut n_sources = 0;
        for idx in 0..batch.len() {
            while self.starts.get(n_sources).is_some_and(|&start| start <= idx) {
                n_sources += 1;
            }
            let vector = batch.vector(idx);
            let Form { shape, recent } = form(&mut self.forms, vector.len(), self.store);
            let source = n_sources.checked_sub(1).map(|source| &self.opened[source]);
            let source = source.filter(|source| source.len == vector.len());
            let root = loop {
                visit.reserve(Set::Nodes, &mut self.node_credit, shape.n_nodes() as u64)?;
                let walk = &mut self.walk;
                let hand = &mut Hand {
                    cache: &mut self.cache,
                    pens: &mut self.node_pens,
                    credit: &mut self.node_credit,
                };
                let nodes = visit.set(Set::Nodes);
                let base = source.unwrap_or(recent).pairs.as_slice();
                walk.compare(vector, shape, base);
                match walk.climb(shape, base, nodes, hand) {
                    Ok(root) => break root,
                    Err(refusal) => visit.relieve(Set::Nodes, refusal)?,
                }
            };
            if source.is_none() {
                recent.become_state(visit.store, shape, root, &mut self.todo);
            }
            let root = if root == 0 { ZERO_ROOT } else { root };
            self.quests.push(visit.set(Set::Roots).seek(root, (vector.len() / 4) as u32));
        }
        Ok(())
    }
}

impl Writer for TreeWriter<'_> {
    #[inline]
    fn open(&mut self, state: StateRef, n_entries: usize) -> &[u8] {
        let (root, len) = self.store.root(state);
        let place = self.starts.len();
        if self.opened.len() <= place {
            self.opened.push(Decoded::default());
        }
        self.starts.push(n_entries);
        let shape = &form(&mut self.forms, len, self.store).shape;
        let opened = &mut self.opened[place];
        opened.become_state(self.store, shape, root, &mut self.todo);
        opened.vector()
    }

    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full> {
        seen.clear();
        self.quests.clear();
        let (store, desk) = (self.store, Arc::clone(&self.desk));
        let mut visit = Visit::new(store, &desk);
        let reserved = visit.reserve(Set::Roots, &mut self.root_credit, batch.len() as u64);
        let found = reserved.and_then(|()| self.find_roots(batch, &mut visit));
        self.starts.clear();
        self.approaches.clear();
        let roots = visit.set(Set::Roots);
        self.approaches.extend(self.quests.iter().map(|quest| roots.approach(quest)));
        let before = self.root_credit;
        let mut result = found;
        let mut moved = false;
        for (quest, &approach) in self.quests.iter().zip(&self.approaches) {
            let found = loop {
                let roots = visit.set(Set::Roots);
                let approach = if moved { roots.approach(quest) } else { approach };
                match roots.settle(quest, approach, &mut self.root_pens) {
                    Ok(found) => break Ok(found),
                    Err(refusal) => match visit.relieve(Set::Roots, refusal) {
                        // All places in the index have changed.
                        Ok(()) => moved = true,
                        Err(full) => break Err(full),
                    },
                }
            };
            match found {
                Ok(found) => {
                    self.root_credit -= u64::from(found.new);
                    let state = StateRef::from_raw(found.number).expect("no number is zero");
                    seen.push(Seen { state, new: found.new });
                }
                Err(full) => {
                    result = Err(full);
                    break;
                }
            }
        }
        desk.count(before - self.root_credit);
        result
    }
}

impl Drop for TreeWriter<'_> {
    fn drop(&mut self) {
        self.store.occupied.store(false, Ordering::Release);
    }
}
