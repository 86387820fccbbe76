//! The tree store: lossless, and small because states share equal subtrees.
//!
//! A vector is the sequence of leaves of a tree ([`Shape`]): chunks of eight bytes. Each distinct chunk has a
//! number, and so has each distinct pair of the numbers of two children. For each state the pair at the root
//! is stored, in four to eight bytes, in a separate set; its number there is the state's. This is recursive
//! pairwise compression: Laarman, van de Pol and Weber, "Parallel recursive state compression for free" (SPIN
//! 2011), with numbers that do not change when tables grow. Chunks and inner pairs are in one set: both have
//! 64 bits, and the position of a node determines which of the two its number means. The number zero means a
//! pair of zeros, so parts of a vector that are zero take no memory.
//!
//! It is incremental in both directions. A successor is compared with its source state, and only changed
//! chunks and the nodes above them are looked up. When a state is opened, its tree is compared with the one
//! decoded before into the same buffer, and only the nodes that differ are fetched. Any state may serve for
//! these comparisons: the choice affects speed, not correctness.
//!
//! Writers enter the [`Gate`] once per batch, as in the exact store; a store made for one worker does not use
//! the gate.
#![allow(unsafe_code, reason = "tables grow while the gate is closed")]

use crate::gate::{Gate, ReaderSlot};
use crate::index::Approach;
use crate::pairs::{Lookup, Pairs, PairsAccess, RecentPairs};
use crate::rows::{OpenRuns, Pair, Refusal};
use crate::shape::{CHUNK, Shape};
use crate::{Budget, Full, Holding, Recall, Samples, Seen, StateRef, Store, Writer};
use allways_model::Batch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The number of slots that a writer reserves at once, if it does not need more.
const SLOTS_AT_ONCE: u64 = 64;
/// Stored in place of a root that is a pair of zeros, because a row of zeros is an absent row.
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
    /// Whether the store is for one writer at a time. `occupied` says whether that writer exists.
    sole: bool,
    occupied: AtomicBool,
}

/// The two sets of pairs in a store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Nodes,
    Roots,
}

impl Tree {
    /// An empty store that charges `budget`, for up to `workers` concurrent writers.
    ///
    /// # Panics
    /// If there is no worker.
    #[must_use]
    pub fn new(budget: &Budget, workers: usize) -> Self {
        Self::with_samples(budget, workers, Samples::new())
    }

    /// An empty store that charges `budget`, for up to `workers` concurrent writers, and cuts vectors by
    /// `samples`.
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

    /// The pair or chunk with this number.
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
            reader: self.gate.register(),
            node_runs: OpenRuns::default(),
            recent_pairs: RecentPairs::new(),
            root_runs: OpenRuns::default(),
            node_credit: 0,
            root_credit: 0,
            lengths: Vec::new(),
            opened: Vec::new(),
            starts: Vec::new(),
            root_search: RootSearch::default(),
            todo: Vec::new(),
            lookups: Vec::new(),
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
    /// By node; empty if no state has been decoded yet. The chunks at the leaves are the vector.
    pairs: Vec<Pair>,
}

/// What a writer keeps for vectors of one length.
struct PerLength {
    shape: Arc<Shape>,
    /// The last state of this length that was inserted without a source of the same length.
    recent: Decoded,
}

/// The buffers in which the root of a vector is computed.
#[derive(Default)]
struct RootSearch {
    /// By node, the pairs that differ from those of the state compared with.
    pairs: Vec<Pair>,
    /// One bit for each such node that has not been looked up yet.
    changed: Vec<u64>,
}

/// The parts of a writer that are needed to add nodes.
struct NodeInserter<'w> {
    recent_pairs: &'w mut RecentPairs,
    open_runs: &'w mut OpenRuns,
    /// Slots reserved but not filled.
    credit: &'w mut u64,
}

/// One worker's access to a [`Tree`] store.
pub struct TreeWriter<'s> {
    store: &'s Tree,
    reader: Arc<ReaderSlot>,
    node_runs: OpenRuns,
    recent_pairs: RecentPairs,
    root_runs: OpenRuns,
    /// Slots reserved but not filled.
    node_credit: u64,
    root_credit: u64,
    /// By length of the vector in words of four bytes.
    lengths: Vec<Option<Box<PerLength>>>,
    /// The states opened since the last insertion. Further elements are left from earlier insertions and
    /// reused.
    opened: Vec<Decoded>,
    /// For each state opened since the last insertion: the index of its first entry.
    starts: Vec<usize>,
    root_search: RootSearch,
    /// For decoding: nodes whose children may have changed, with the pairs that were there before.
    todo: Vec<(u32, Pair)>,
    /// For each entry of the current batch: the lookup of its root, and how far that gets without comparing
    /// rows.
    lookups: Vec<Lookup>,
    approaches: Vec<Approach>,
}

/// A writer's presence inside the gate. Leaves the gate when dropped, also during a panic.
struct GatePass<'a> {
    store: &'a Tree,
    reader: &'a ReaderSlot,
}

impl<'a> GatePass<'a> {
    #[inline]
    fn new(store: &'a Tree, reader: &'a ReaderSlot) -> Self {
        if !store.sole {
            store.gate.enter(reader);
        }
        Self { store, reader }
    }

    #[inline]
    fn set(&self, set: Set) -> PairsAccess<'_> {
        // SAFETY: the writer is inside the gate, or is the sole one, so no set grows while `self` is
        // borrowed.
        unsafe { self.store.set(set).inside() }
    }

    /// Leaves the gate, grows a set until it has room for `want` more, and enters again.
    #[cold]
    fn make_room(&mut self, set: Set, want: u64) -> Result<(), Full> {
        let Self { store, reader } = *self;
        let set = store.set(set);
        if store.sole {
            // SAFETY: the calling writer is the sole one, and does not use the set: `self` is borrowed for
            // this call.
            return unsafe { set.grow(want, 1) };
        }
        store.gate.leave(reader);
        let closed = store.gate.close();
        // SAFETY: the gate is closed, so no other writer uses the set.
        let result = unsafe { set.grow(want, closed.n_workers()) };
        drop(closed);
        store.gate.enter(reader);
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
            // Reserve more than needed if possible, so that not every batch writes to the shared counter.
            for ask in [want.max(SLOTS_AT_ONCE), want] {
                if self.store.set(set).reserve(ask) {
                    *credit += ask;
                    return Ok(());
                }
            }
            self.make_room(set, want)?;
        }
    }

    /// Makes room after an insertion was refused, so that it can be tried again.
    #[cold]
    fn relieve(&mut self, set: Set, refusal: Refusal) -> Result<(), Full> {
        match refusal {
            Refusal::Full => Err(Full),
            Refusal::Index => self.make_room(set, 0),
        }
    }
}

impl Drop for GatePass<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.store.sole {
            self.store.gate.leave(self.reader);
        }
    }
}

/// Chunk number `idx` of a vector. The last chunk may lack four bytes, which are then zero.
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

impl RootSearch {
    /// Marks the leaves of `vector` that differ from those of another state of the same shape; all leaves if
    /// `base` is empty.
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

    /// Looks up all marked nodes and those above them, and returns the pair at the root. On a refusal all
    /// marks are cleared.
    #[inline]
    fn climb(
        &mut self,
        shape: &Shape,
        base: &[Pair],
        nodes: PairsAccess<'_>,
        inserter: &mut NodeInserter<'_>,
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
                    _ => match nodes.intern(pair, inserter.recent_pairs, inserter.open_runs) {
                        Ok(found) => {
                            *inserter.credit -= u64::from(found.new);
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
    /// Decodes the state with this root, fetching only the nodes that differ from the present ones.
    #[inline]
    fn become_state(&mut self, store: &Tree, shape: &Shape, root: Pair, todo: &mut Vec<(u32, Pair)>) {
        let fresh = self.len != shape.len || self.pairs.is_empty();
        if fresh {
            self.len = shape.len;
            self.pairs.clear();
            self.pairs.resize(shape.n_nodes(), 0);
        }
        let before = std::mem::replace(&mut self.pairs[shape.root()], root);
        // A fresh tree is all zeros, and a zero number means a subtree of zeros, so equal numbers mean equal
        // subtrees here too.
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
        // SAFETY: a `u64` is eight initialised bytes, and the chunks have at least `len` bytes together.
        unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast(), self.len) }
    }
}

#[inline(always)]
fn per_length<'f>(
    lengths: &'f mut Vec<Option<Box<PerLength>>>,
    len: usize,
    store: &Tree,
) -> &'f mut PerLength {
    let n_words = len / 4;
    if lengths.len() <= n_words {
        lengths.resize_with(n_words + 1, || None);
    }
    let make = || Box::new(PerLength { shape: store.shape(len), recent: Decoded::default() });
    lengths[n_words].get_or_insert_with(make)
}

impl TreeWriter<'_> {
    /// Computes the root of every entry, and prefetches its line of the index.
    fn find_roots(&mut self, batch: &Batch, pass: &mut GatePass<'_>) -> Result<(), Full> {
        let mut n_sources = 0;
        for idx in 0..batch.len() {
            while self.starts.get(n_sources).is_some_and(|&start| start <= idx) {
                n_sources += 1;
            }
            let vector = batch.vector(idx);
            let PerLength { shape, recent } = per_length(&mut self.lengths, vector.len(), self.store);
            let source = n_sources.checked_sub(1).map(|source| &self.opened[source]);
            let source = source.filter(|source| source.len == vector.len());
            let root = loop {
                pass.reserve(Set::Nodes, &mut self.node_credit, shape.n_nodes() as u64)?;
                let root_search = &mut self.root_search;
                let inserter = &mut NodeInserter {
                    recent_pairs: &mut self.recent_pairs,
                    open_runs: &mut self.node_runs,
                    credit: &mut self.node_credit,
                };
                let nodes = pass.set(Set::Nodes);
                let base = source.unwrap_or(recent).pairs.as_slice();
                root_search.compare(vector, shape, base);
                match root_search.climb(shape, base, nodes, inserter) {
                    Ok(root) => break root,
                    Err(refusal) => pass.relieve(Set::Nodes, refusal)?,
                }
            };
            if source.is_none() {
                recent.become_state(pass.store, shape, root, &mut self.todo);
            }
            let root = if root == 0 { ZERO_ROOT } else { root };
            self.lookups.push(pass.set(Set::Roots).seek(root, (vector.len() / 4) as u32));
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
        let shape = &per_length(&mut self.lengths, len, self.store).shape;
        let opened = &mut self.opened[place];
        opened.become_state(self.store, shape, root, &mut self.todo);
        opened.vector()
    }

    fn insert(&mut self, batch: &mut Batch, seen: &mut Vec<Seen>) -> Result<(), Full> {
        seen.clear();
        self.lookups.clear();
        let (store, reader) = (self.store, Arc::clone(&self.reader));
        let mut pass = GatePass::new(store, &reader);
        let reserved = pass.reserve(Set::Roots, &mut self.root_credit, batch.len() as u64);
        let found = reserved.and_then(|()| self.find_roots(batch, &mut pass));
        self.starts.clear();
        self.approaches.clear();
        let roots = pass.set(Set::Roots);
        self.approaches.extend(self.lookups.iter().map(|lookup| roots.approach(lookup)));
        let before = self.root_credit;
        let mut result = found;
        let mut moved = false;
        for (lookup, &approach) in self.lookups.iter().zip(&self.approaches) {
            let found = loop {
                let roots = pass.set(Set::Roots);
                let approach = if moved { roots.approach(lookup) } else { approach };
                match roots.settle(lookup, approach, &mut self.root_runs) {
                    Ok(found) => break Ok(found),
                    Err(refusal) => match pass.relieve(Set::Roots, refusal) {
                        // The index was rebuilt, so all positions in it have changed.
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
        reader.count(before - self.root_credit);
        result
    }
}

impl Drop for TreeWriter<'_> {
    fn drop(&mut self) {
        self.store.occupied.store(false, Ordering::Release);
    }
}
