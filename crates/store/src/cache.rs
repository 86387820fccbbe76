//! The cache: a bounded set of whole vectors that forgets states when it is full. For one worker.
//!
//! A state is *waiting* when something has led to it, *on the stack* while the search expands what can be
//! reached from it, and *closed* after that. Only closed states are evicted, in the order of a [`Policy`];
//! and waiting ones if the search asks for that by [`Cache::forget`]. A [`Held`] names an entry for as long
//! as the state is held: its stamp says whether the entry has been reused since.
//!
//! Entries, an index by linear probing and the vectors one after the other, each behind the number of its
//! entry, grow until the budget refuses. From then on a sixteenth of the entries is evicted at a time: a
//! sample of the keys gives the threshold, one pass over the entries evicts what lies below, and the vectors
//! are moved together. So an insertion costs a few sequential accesses on average and allocates nothing.
//!
//! It never answers that a state is held which is not: whole vectors are compared. It may have forgotten any
//! closed state. Counts of distinct states visited come from a sketch (`distinct`).

use crate::distinct::Distinct;
use crate::policy::{Policy, Traits};
use crate::prefetch::prefetch;
use crate::{Budget, Full};
use allways_model::Batch;
use rapidhash::v3::rapidhash_v3;

/// A part of the entries goes at once: one of so many.
const BATCHES: usize = 16;
/// How many keys give the threshold.
const SAMPLE: usize = 2048;
/// The smallest numbers of entries and of bytes for vectors.
const FEWEST: usize = 64;
/// How a cache grows that may not double.
const GROWTH: [f64; 5] = [2.0, 1.5, 1.25, 1.12, 1.05];
/// Before each vector is the number of its entry, or how many words are dead.
const HEADER: usize = 4;
const DEAD: u32 = 1 << 31;
/// The most bytes of vectors, so that words can be numbered.
const MOST_BYTES: usize = u32::MAX as usize * 4 - 1024;

/// Where a state is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Something has led to it; the search will open it.
    Waiting,
    /// The search is in it, or in something that was reached from it.
    OnStack,
    /// The search has left it.
    Closed,
}

/// An entry of a cache, for as long as its stamp is the entry's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    idx: u32,
    stamp: u32,
}

/// What a cache answers about a state that was met.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    /// The entry.
    pub held: Held,
    /// Where the state was before this, if it was held.
    pub before: Option<Phase>,
    /// The logarithm of its cost, if it was closed.
    pub cost: f32,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Where its record begins, in words; the next free entry, if it is free.
    start: u32,
    /// The length of its vector in words.
    n_words: u32,
    tag: u32,
    stamp: u32,
    level: u32,
    value: u32,
    cost: f32,
    /// `None` if it is free.
    phase: Option<Phase>,
}

/// What a cache has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// States opened, repeats included.
    pub opened: u64,
    /// States evicted.
    pub evicted: u64,
    /// Waiting states forgotten: each has to be computed again.
    pub forgotten: u64,
    /// The most states held at once.
    pub most_held: u64,
    /// The most states that were on the stack or waiting at once.
    pub most_pinned: u64,
}

/// A bounded set of vectors.
pub struct Cache {
    budget: Budget,
    policy: Policy,
    /// The most entries there may be.
    most: usize,
    entries: Vec<Entry>,
    /// How many entries there may be now.
    capacity: usize,
    /// The first free entry below `entries.len()`.
    free: Option<u32>,
    n_free: usize,
    index: Vec<u64>,
    /// Records: the number of an entry and its vector; dead ones in between until they are moved together.
    arena: Vec<u8>,
    used: usize,
    dead: usize,
    n_waiting: usize,
    n_on_stack: usize,
    n_closed: usize,
    n_added: u64,
    /// Noise, another one after each eviction.
    random: u64,
    /// For `aged`: the key of the last state evicted.
    inflation: f32,
    sample: Vec<u64>,
    found: Vec<Option<u32>>,
    distinct: Distinct,
    charged: u64,
    counts: CacheCounts,
}

impl Cache {
    /// An empty cache that holds at most `most` states, and as many as the budget allows. Another `seed`
    /// breaks ties otherwise.
    ///
    /// # Errors
    /// [`Full`] if the budget has no room for an empty one.
    pub fn new(budget: &Budget, policy: Policy, most: Option<u32>, seed: u64) -> Result<Self, Full> {
        let mut cache = Self {
            budget: budget.clone(),
            policy,
            most: most.unwrap_or(u32::MAX).clamp(1, DEAD - 1) as usize,
            entries: Vec::new(),
            capacity: 0,
            free: None,
            n_free: 0,
            index: Vec::new(),
            arena: Vec::new(),
            used: 0,
            dead: 0,
            n_waiting: 0,
            n_on_stack: 0,
            n_closed: 0,
            n_added: 0,
            random: seed ^ 0x9e37_79b9_7f4a_7c15,
            inflation: 0.0,
            sample: Vec::new(),
            found: Vec::new(),
            distinct: Distinct::new(),
            charged: 0,
            counts: CacheCounts::default(),
        };
        let fixed = Distinct::BYTES + (SAMPLE * size_of::<u64>()) as u64;
        budget.charge(fixed)?;
        cache.charged = fixed;
        cache.resize(FEWEST.min(cache.most), FEWEST * 64)?;
        Ok(cache)
    }

    /// What it has done.
    #[must_use]
    pub fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// How many distinct states were opened: exact until the first one is evicted, then an estimate.
    #[must_use]
    pub fn n_distinct(&self) -> u64 {
        if self.counts.evicted == 0 {
            return self.counts.opened;
        }
        (self.distinct.estimate() as u64).clamp(1, self.counts.opened)
    }

    /// The bytes that it occupies.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.charged
    }

    /// How many states wait, and how many it could hold.
    #[must_use]
    pub fn n_waiting(&self) -> (usize, usize) {
        (self.n_waiting, self.capacity)
    }

    /// Whether an entry still is the state that it was; then where that is.
    #[inline]
    #[must_use]
    pub fn phase(&self, held: Held) -> Option<Phase> {
        let entry = &self.entries[held.idx as usize];
        entry.phase.filter(|_| entry.stamp == held.stamp)
    }

    /// The logarithm of the cost of a closed state.
    #[must_use]
    pub fn cost(&self, held: Held) -> f32 {
        self.entries[held.idx as usize].cost
    }

    /// The vector of a state that is held.
    #[inline]
    #[must_use]
    pub fn vector(&self, held: Held) -> &[u8] {
        self.vector_of(held.idx)
    }

    /// Opens a waiting state, which the stack has `level` states below.
    pub fn open(&mut self, held: Held, level: u32) {
        let hash = hash_of(self.vector_of(held.idx));
        self.distinct.add(hash);
        self.counts.opened += 1;
        let entry = &mut self.entries[held.idx as usize];
        debug_assert_eq!(entry.phase, Some(Phase::Waiting));
        (entry.phase, entry.level) = (Some(Phase::OnStack), level);
        self.n_waiting -= 1;
        self.n_on_stack += 1;
    }

    /// Closes a state on the stack; `cost` is the logarithm of its cost, if the policy needs that.
    pub fn close(&mut self, held: Held, cost: f32) {
        let (policy, inflation) = (self.policy, self.inflation);
        let entry = &mut self.entries[held.idx as usize];
        debug_assert_eq!(entry.phase, Some(Phase::OnStack));
        (entry.phase, entry.cost) = (Some(Phase::Closed), cost);
        match policy {
            Policy::Cost => entry.value = cost.to_bits(),
            Policy::Aged => entry.value = (cost + inflation).to_bits(),
            _ => {}
        }
        self.n_on_stack -= 1;
        self.n_closed += 1;
    }

    /// Forgets a waiting state, which the search will compute again.
    pub fn forget(&mut self, held: Held) {
        debug_assert_eq!(self.phase(held), Some(Phase::Waiting));
        self.n_waiting -= 1;
        self.counts.forgotten += 1;
        self.remove(held.idx);
    }

    /// Looks up the successors at `places` of a batch, adds those that are not held as waiting, and replaces
    /// the contents of `met` by one answer for each place.
    ///
    /// # Errors
    /// [`Full`] if states that may not be evicted leave no room; then nothing was added.
    pub fn insert(
        &mut self,
        batch: &mut Batch,
        places: &[u32],
        level: u32,
        met: &mut Vec<Met>,
    ) -> Result<(), Full> {
        batch.hash_with(hash_of);
        for &place in places {
            let home = self.home(tag_of(batch.entries()[place as usize].hash));
            prefetch(&raw const self.index[home]);
        }
        met.clear();
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let (mut n_missing, mut n_bytes) = (0, 0);
        for &place in places {
            let vector = batch.vector(place as usize);
            let known = self.find(tag_of(batch.entries()[place as usize].hash), vector);
            if known.is_none() {
                n_missing += 1;
                n_bytes += HEADER + vector.len();
            }
            found.push(known);
            met.push(match known {
                Some(idx) => self.meet(idx),
                None => Met { held: Held { idx: 0, stamp: 0 }, before: None, cost: 0.0 },
            });
        }
        let room = if n_missing > 0 { self.reserve(n_missing, n_bytes) } else { Ok(()) };
        if room.is_ok() {
            for (at, &place) in places.iter().enumerate().filter(|&(at, _)| found[at].is_none()) {
                let (tag, vector) =
                    (tag_of(batch.entries()[place as usize].hash), batch.vector(place as usize));
                met[at] = match self.find(tag, vector) {
                    // Two steps may lead to the same state.
                    Some(idx) => self.meet(idx),
                    None => Met { held: self.add(tag, vector, level), before: None, cost: 0.0 },
                };
            }
        }
        self.found = found;
        let n_held = (self.entries.len() - self.n_free) as u64;
        self.counts.most_held = self.counts.most_held.max(n_held);
        self.counts.most_pinned = self.counts.most_pinned.max((self.n_waiting + self.n_on_stack) as u64);
        room
    }

    /// Gives `bytes` back to the budget, for the stack.
    ///
    /// # Errors
    /// [`Full`] if states that may not be evicted leave no room for that.
    pub fn release(&mut self, bytes: usize) -> Result<(), Full> {
        loop {
            if self.arena.len() - (self.used - self.dead) >= bytes {
                self.compact();
                let rest = self.arena.len() - bytes;
                self.arena.truncate(rest);
                self.arena.shrink_to_fit();
                self.budget.release(bytes as u64);
                self.charged -= bytes as u64;
                return Ok(());
            }
            self.evict(1)?;
        }
    }

    fn meet(&mut self, idx: u32) -> Met {
        let entry = &mut self.entries[idx as usize];
        if let Policy::Hits { .. } = self.policy {
            entry.value = entry.value.saturating_add(1);
        }
        Met { held: Held { idx, stamp: entry.stamp }, before: entry.phase, cost: entry.cost }
    }

    #[inline]
    fn vector_of(&self, idx: u32) -> &[u8] {
        let entry = &self.entries[idx as usize];
        let start = entry.start as usize * 4 + HEADER;
        &self.arena[start..start + entry.n_words as usize * 4]
    }

    #[inline]
    fn home(&self, tag: u32) -> usize {
        ((u64::from(tag) * self.index.len() as u64) >> 32) as usize
    }

    #[inline]
    fn find(&self, tag: u32, vector: &[u8]) -> Option<u32> {
        let mut at = self.home(tag);
        loop {
            let slot = self.index[at];
            if slot == 0 {
                return None;
            }
            let idx = slot as u32 - 1;
            if (slot >> 32) as u32 == tag && self.vector_of(idx) == vector {
                return Some(idx);
            }
            at = self.after(at);
        }
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.index.len() { 0 } else { at + 1 }
    }

    /// Adds a waiting state, for which there is room.
    fn add(&mut self, tag: u32, vector: &[u8], level: u32) -> Held {
        self.n_added += 1;
        let value = match self.policy {
            Policy::Age => (self.n_added / 16) as u32,
            _ => 0,
        };
        let (start, n_words) = ((self.used / 4) as u32, (vector.len() / 4) as u32);
        let mut entry =
            Entry { start, n_words, tag, stamp: 0, level, value, cost: 0.0, phase: Some(Phase::Waiting) };
        let idx = match self.free {
            Some(idx) => {
                let old = self.entries[idx as usize];
                self.free = (old.start != u32::MAX).then_some(old.start);
                self.n_free -= 1;
                entry.stamp = old.stamp + 1;
                self.entries[idx as usize] = entry;
                idx
            }
            None => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
        };
        self.arena[self.used..self.used + HEADER].copy_from_slice(&idx.to_le_bytes());
        let end = self.used + HEADER + vector.len();
        self.arena[self.used + HEADER..end].copy_from_slice(vector);
        self.used = end;
        self.link(tag, idx);
        self.n_waiting += 1;
        Held { idx, stamp: entry.stamp }
    }

    fn link(&mut self, tag: u32, idx: u32) {
        let mut at = self.home(tag);
        while self.index[at] != 0 {
            at = self.after(at);
        }
        self.index[at] = u64::from(tag) << 32 | u64::from(idx + 1);
    }

    /// Takes an entry out of the index by moving back what was displaced by it (Knuth, volume 3, algorithm
    /// 6.4R), and frees it.
    fn remove(&mut self, idx: u32) {
        let tag = self.entries[idx as usize].tag;
        let wanted = u64::from(tag) << 32 | u64::from(idx + 1);
        let mut hole = self.home(tag);
        while self.index[hole] != wanted {
            hole = self.after(hole);
        }
        let mut at = hole;
        loop {
            at = self.after(at);
            let slot = self.index[at];
            if slot == 0 {
                break;
            }
            let home = self.home((slot >> 32) as u32);
            // Whether its home lies outside of what follows the hole, up to itself.
            let stays = if hole < at { hole < home && home <= at } else { hole < home || home <= at };
            if !stays {
                self.index[hole] = slot;
                hole = at;
            }
        }
        self.index[hole] = 0;
        let entry = &mut self.entries[idx as usize];
        let record = entry.start as usize * 4;
        self.arena[record..record + HEADER].copy_from_slice(&(DEAD | entry.n_words).to_le_bytes());
        self.dead += HEADER + entry.n_words as usize * 4;
        entry.phase = None;
        // An entry whose stamps are used up is not used again: no two states may have the same.
        if entry.stamp < u32::MAX {
            entry.start = self.free.unwrap_or(u32::MAX);
            self.free = Some(idx);
            self.n_free += 1;
        }
    }

    /// Makes room for so many more states and bytes, by growth if that can be, else by eviction.
    fn reserve(&mut self, n: usize, bytes: usize) -> Result<(), Full> {
        loop {
            let has_entries = self.capacity - (self.entries.len() - self.n_free) >= n;
            if has_entries && self.arena.len() - self.used >= bytes {
                return Ok(());
            }
            if has_entries && self.dead >= bytes && self.dead * BATCHES > self.used {
                self.compact();
            } else if !self.grow(n, bytes, !has_entries) {
                if has_entries && self.dead >= bytes {
                    self.compact();
                } else {
                    self.evict(n)?;
                }
            }
        }
    }

    /// Whether there is more room now, for entries and their vectors in the proportion that they have had.
    fn grow(&mut self, n: usize, bytes: usize, needs_entries: bool) -> bool {
        let n_held = (self.entries.len() - self.n_free).max(1);
        let mean = ((self.used - self.dead) as f64 / n_held as f64).max(8.0);
        for factor in GROWTH {
            let wanted = (self.capacity as f64 * factor) as usize + n;
            let capacity = wanted.min(self.most);
            let arena = ((capacity as f64 * mean * 1.02) as usize + bytes).next_multiple_of(64);
            let arena = arena.min(MOST_BYTES).max(self.arena.len());
            let is_more = match needs_entries {
                true => capacity > self.capacity,
                false => arena >= self.used + bytes && arena > self.arena.len(),
            };
            if is_more && self.resize(capacity, arena).is_ok() {
                return true;
            }
        }
        false
    }

    fn resize(&mut self, capacity: usize, arena: usize) -> Result<(), Full> {
        let n_slots = (capacity * 4 / 3 + 8).max(self.index.len());
        let bytes = |entries: usize, slots: usize, arena: usize| {
            (entries * size_of::<Entry>() + slots * size_of::<u64>() + arena) as u64
        };
        let before = bytes(self.capacity, self.index.len(), self.arena.len());
        let more = bytes(capacity, n_slots, arena) - before;
        self.budget.charge(more)?;
        self.charged += more;
        self.entries.reserve_exact(capacity - self.entries.len());
        self.capacity = capacity;
        self.arena.reserve_exact(arena - self.arena.len());
        self.arena.resize(arena, 0);
        if n_slots > self.index.len() {
            self.index.reserve_exact(n_slots - self.index.len());
            self.index.resize(n_slots, 0);
            self.index.fill(0);
            for idx in 0..self.entries.len() as u32 {
                let entry = self.entries[idx as usize];
                if entry.phase.is_some() {
                    self.link(entry.tag, idx);
                }
            }
        }
        Ok(())
    }

    /// Evicts a part of the closed states, at least `n` if there are so many.
    #[cold]
    fn evict(&mut self, n: usize) -> Result<(), Full> {
        if self.n_closed == 0 {
            return Err(Full);
        }
        let target = (self.entries.len() / BATCHES).max(n).min(self.n_closed);
        self.random = self.random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let threshold = if target == self.n_closed { u64::MAX } else { self.threshold(target) };
        let mut most = target * 2;
        for idx in 0..self.entries.len() as u32 {
            let Some(key) = self.key(idx).filter(|key| *key <= threshold && most > 0) else { continue };
            if self.policy == Policy::Aged {
                self.inflation = self.inflation.max(f32::from_bits((key >> 32) as u32));
            }
            self.remove(idx);
            most -= 1;
            self.n_closed -= 1;
            self.counts.evicted += 1;
        }
        Ok(())
    }

    /// The key below which about `target` closed states are.
    fn threshold(&mut self, target: usize) -> u64 {
        let mut sample = std::mem::take(&mut self.sample);
        sample.clear();
        sample.reserve_exact(SAMPLE);
        if self.n_closed <= SAMPLE {
            sample.extend((0..self.entries.len() as u32).filter_map(|idx| self.key(idx)));
        } else {
            let mut random = self.random | 1;
            while sample.len() < SAMPLE {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let idx = ((u128::from(random) * self.entries.len() as u128) >> 64) as u32;
                sample.extend(self.key(idx));
            }
        }
        let rank = (sample.len() * target).div_ceil(self.n_closed).clamp(1, sample.len()) - 1;
        let threshold = *sample.select_nth_unstable(rank).1;
        self.sample = sample;
        threshold
    }

    /// The key of an entry, if it may be evicted.
    #[inline]
    fn key(&self, idx: u32) -> Option<u64> {
        let entry = &self.entries[idx as usize];
        if entry.phase != Some(Phase::Closed) {
            return None;
        }
        let noise = (u64::from(entry.tag) ^ self.random).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let tie = (noise >> 32) as u32;
        Some(self.policy.key(Traits { level: entry.level, value: entry.value, tie }))
    }

    /// Moves the records together.
    fn compact(&mut self) {
        let (mut from, mut to) = (0, 0);
        while from < self.used {
            let header = self.arena[from..from + HEADER].try_into().expect("a header has four bytes");
            let header = u32::from_le_bytes(header);
            if header & DEAD != 0 {
                from += HEADER + (header & !DEAD) as usize * 4;
                continue;
            }
            let entry = &mut self.entries[header as usize];
            let len = HEADER + entry.n_words as usize * 4;
            entry.start = (to / 4) as u32;
            self.arena.copy_within(from..from + len, to);
            (from, to) = (from + len, to + len);
        }
        (self.used, self.dead) = (to, 0);
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.budget.release(self.charged);
    }
}

#[inline(always)]
fn hash_of(vector: &[u8]) -> u64 {
    rapidhash_v3(vector)
}

/// The part of a hash that selects the home in the index.
#[inline(always)]
fn tag_of(hash: u64) -> u32 {
    (hash >> 32) as u32
}
