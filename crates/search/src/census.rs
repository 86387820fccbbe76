//! A lower bound on the number of states of a model, by random walks from its initial state.
//!
//! The walks need nothing from a search, so they can accompany any search: from time to time while it runs,
//! so that an estimate exists when it is interrupted, and after a limit has ended it. A state counts once for
//! each walk that meets it. States are distinguished by a hash. If there are many, only states whose hash
//! ends in a number of zeros are counted, which bounds the memory.
//!
//! The result is compared with the number of states that the search has seen (`coverage`), not with the
//! states themselves. If walks do not get far from the initial state, it says little.

use crate::charge::Charge;
use crate::coverage::{Coverage, Source};
use crate::random::SplitMix64;
use crate::reserve::{LONGEST, PATIENCE, limiter};
use crate::subject::Subject;
use allways_model::{Batch, Cursor};
use allways_store::Budget;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

/// The most states that are counted.
const MOST: usize = 1 << 16;
/// The number of states that may be counted even if memory is short.
const LEAST: usize = 1 << 8;
/// The bytes for one counted state.
const BYTES_EACH: u64 = 2 * (size_of::<(u64, Visits)>() as u64 + 1);

/// The most memory that a census may use.
pub(crate) const MOST_BYTES: u64 = MOST as u64 * BYTES_EACH;

/// The visits of a state.
struct Visits {
    n_walks: u32,
    /// The last walk that visited it.
    last: u32,
}

/// Walks from the initial state of a model.
pub(crate) struct Census<'a> {
    cursor: Box<dyn Cursor + 'a>,
    reduce: bool,
    random: SplitMix64,
    batch: Batch,
    initial: Vec<u8>,
    vector: Vec<u8>,
    /// The number of steps of the current walk.
    length: u32,
    visits: HashMap<u64, Visits>,
    most: usize,
    budget: Budget,
    charge: Charge,
    counts: Coverage,
}

impl<'a> Census<'a> {
    /// A census without walks yet, which may use `bytes` of `budget`.
    pub(crate) fn new(subject: Subject<'a>, reduce: bool, seed: u64, budget: &Budget, bytes: u64) -> Self {
        let (mut cursor, mut batch) = (subject.cursor(), Batch::new());
        cursor.limit(&limiter(Instant::now() + PATIENCE, budget));
        let is_there = cursor.initial(&mut batch).is_ok() && !batch.is_empty();
        Self {
            cursor,
            reduce,
            random: SplitMix64::new(seed),
            initial: if is_there { batch.vector(0).to_vec() } else { Vec::new() },
            batch,
            vector: Vec::new(),
            length: LONGEST,
            visits: HashMap::new(),
            most: ((bytes / BYTES_EACH) as usize).clamp(LEAST, MOST),
            budget: budget.clone(),
            charge: Charge::new(budget),
            counts: Coverage::none(Source::Start, 0),
        }
    }

    /// Continues its walks until a time, or until there are `most_steps` steps in all.
    pub(crate) fn walk(&mut self, until: Instant, most_steps: u64, stopped: impl Fn() -> bool) {
        self.cursor.limit(&limiter(until, &self.budget));
        let is_over = || stopped() || Instant::now() >= until;
        while self.counts.steps < most_steps && !self.initial.is_empty() && !is_over() {
            if self.length >= LONGEST {
                self.counts.walks += 1;
                self.length = 0;
                self.vector.clone_from(&self.initial);
                self.meet();
            }
            self.counts.steps += 1;
            self.length += 1;
            self.batch.clear();
            self.cursor.load(&self.vector);
            let expanded = match self.reduce {
                true => self.cursor.expand_some(&mut self.batch).map(|_| ()),
                false => self.cursor.expand(&mut self.batch),
            };
            if expanded.is_err() || self.batch.is_empty() {
                self.length = LONGEST;
                continue;
            }
            let place = self.random.below(self.batch.len());
            self.vector.clear();
            self.vector.extend_from_slice(self.batch.vector(place));
            self.meet();
        }
    }

    /// Counts the current state of the walk.
    fn meet(&mut self) {
        let mut hasher = DefaultHasher::new();
        self.vector.hash(&mut hasher);
        let (hash, walk) = (hasher.finish(), self.counts.walks as u32);
        if hash & self.mask() != 0 {
            return;
        }
        let visits = self.visits.entry(hash).or_insert(Visits { n_walks: 0, last: 0 });
        if visits.last != walk {
            *visits = Visits { n_walks: visits.n_walks + 1, last: walk };
        }
        let has_room = self.charge.cover(self.visits.len() as u64 * BYTES_EACH).is_ok();
        if self.visits.len() > self.most || !has_room && self.visits.len() > LEAST {
            self.counts.sampling += 1;
            let mask = self.mask();
            self.visits.retain(|hash, _| hash & mask == 0);
        }
    }

    fn mask(&self) -> u64 {
        (1 << self.counts.sampling) - 1
    }

    /// The coverage of a search that knows `known` states.
    pub(crate) fn coverage(&self, known: u64) -> Coverage {
        let count = |n| self.visits.values().filter(|visits| visits.n_walks == n).count() as u64;
        let (once, twice) = (count(1), count(2));
        Coverage { known, distinct: self.visits.len() as u64, once, twice, ..self.counts }
    }
}
