//! The kinds of stores, and the dispatch of a search to a store.

use crate::any_store::AnyStore;
use crate::estimate::estimated;
use crate::observer::{Unwatched, ended};
use crate::outcome::Limit;
use crate::sample::sample;
use crate::subject::Subject;
use crate::{
    CachePlan, Config, Observer, Outcome, Strategy, cached, lossy_dfs, lossy_ndfs, lossy_ndfs_swarm,
    random_walks, swarm, visit_all,
};
use allways_model::{Acceptance, Model};
use allways_store::{Bitstate, Budget, Collapse, Exact, Full, HashCompact, Recall, Tree};

/// The kinds of stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Keeps every vector whole.
    Exact,
    /// Keeps vectors as trees that share subtrees.
    Tree,
    /// Keeps vectors as lists of numbered parts.
    Collapse,
    /// A few bits a state; lossy.
    Bitstate(Bits),
    /// As [`StoreKind::Bitstate`], but every worker has its own table, hash functions and search order.
    Swarm(Bits, u64),
    /// A hash of each state; lossy.
    HashCompact,
    /// Keeps as many whole vectors as fit. Others are forgotten, and may be visited again.
    Cache(CachePlan),
}

impl StoreKind {
    /// One store of each name, with default options.
    pub const ALL: [Self; 6] = [
        Self::Exact,
        Self::Tree,
        Self::Collapse,
        Self::Cache(CachePlan::DEFAULT),
        Self::Bitstate(Bits::DEFAULT),
        Self::HashCompact,
    ];

    /// The name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Tree => "tree",
            Self::Collapse => "collapse",
            Self::Bitstate(_) | Self::Swarm(..) => "bitstate",
            Self::HashCompact => "hashcompact",
            Self::Cache(_) => "cache",
        }
    }

    /// The store with this [name](StoreKind::name), with default options.
    ///
    /// ```
    /// use allways_search::StoreKind;
    ///
    /// assert_eq!(StoreKind::named("tree"), Some(StoreKind::Tree));
    /// assert!(StoreKind::named("bitstate").is_some_and(StoreKind::is_lossy));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether the store may take a new state for a known one. Only depth-first searches and random walks run
    /// with such a store.
    #[must_use]
    pub fn is_lossy(self) -> bool {
        matches!(self, Self::Bitstate(_) | Self::Swarm(..) | Self::HashCompact)
    }
}

impl StoreKind {
    /// Whether the store keeps every state and can return it, which all searches except depth-first search
    /// need.
    #[must_use]
    pub fn keeps_states(self) -> bool {
        !self.is_lossy() && !matches!(self, Self::Cache(_))
    }
}

/// The size of a bit table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The number of bits in all tables together; `None` means a number derived from the memory limit.
    pub n_bits: Option<u64>,
    /// The number of bits set for each state, at least one.
    pub n_hashes: u32,
}

impl Default for Bits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The largest table that is made by default.
const MOST_BITS: u64 = 1 << 31;

impl Bits {
    /// As many bits as the memory limit allows, three for each state.
    pub const DEFAULT: Self = Self { n_bits: None, n_hashes: 3 };

    /// The number of bits under a memory limit. By default they take half of it, up to a maximum.
    #[must_use]
    pub fn total(self, memory: Option<u64>) -> u64 {
        let by_memory = memory.map_or(MOST_BITS, |bytes| bytes.saturating_mul(4).min(MOST_BITS));
        self.n_bits.unwrap_or(by_memory).max(64)
    }
}

/// Makes a store and searches `model` with it. With a lossy store the search is depth first, whatever the
/// strategy; nested if that is [`Strategy::Ndfs`] and the model has accepting states. The module
/// [`observer`](crate::observer) says which calls each search makes.
///
/// The function is not generic, because each caller would compile all searches again. An observer that does
/// not watch still costs nothing.
///
/// # Panics
/// If the store is lossy and the strategy [needs another](Strategy::needs_recall), or the store is a cache
/// and the strategy is another than depth-first search.
pub fn search(
    model: &dyn Model,
    strategy: Strategy,
    observer: &dyn Observer,
    config: &Config<'_>,
) -> Outcome {
    assert!(
        !(config.store.is_lossy() && strategy.needs_recall()),
        "{} needs a store that gives states back",
        strategy.name()
    );
    // Searches that keep no states do not make calls for states.
    let unwatched = Unwatched(observer);
    assert!(
        !matches!(config.store, StoreKind::Cache(_))
            || strategy == Strategy::Dfs
            || strategy.draw(0).is_some(),
        "{} needs a store that keeps its states",
        strategy.name()
    );
    if let Some(draw) = strategy.draw(config.walks.bug_depth) {
        return match config.profile {
            Some(profile) => random_walks(&profile.model(model), draw, &unwatched, config),
            None => random_walks(model, draw, &unwatched, config),
        };
    }
    let budget = Budget::new(config.limits.memory);
    estimated(model, strategy, &budget, config, |config| {
        search_in(model, strategy, observer, &budget, config)
    })
}

/// Searches with a store that charges `budget`.
fn search_in(
    model: &dyn Model,
    strategy: Strategy,
    observer: &dyn Observer,
    budget: &Budget,
    config: &Config<'_>,
) -> Outcome {
    let (workers, unwatched) = (config.workers, Unwatched(observer));
    if config.store.is_lossy() && strategy == Strategy::Ndfs && model.acceptance() != Acceptance::Nowhere {
        return search_lossy_for_cycles(model, budget, &unwatched, config);
    }
    match config.store {
        StoreKind::Exact => search_with(model, strategy, &Exact::new(budget, workers), observer, config),
        StoreKind::Tree => {
            let store = Tree::with_samples(budget, workers, sample(Subject::new(model, config.lessons)));
            search_with(model, strategy, &store, observer, config)
        }
        StoreKind::Collapse => {
            let store = Collapse::new(budget, workers, || model.partition());
            search_with(model, strategy, &store, observer, config)
        }
        StoreKind::Bitstate(bits) => {
            let n_bits = bits.total(config.limits.memory);
            match Bitstate::new(budget, workers, n_bits, bits.n_hashes, 0) {
                Ok(filter) => lossy_dfs(model, &filter, &unwatched, config),
                Err(Full) => ended(observer, Outcome::nothing(Limit::Memory)),
            }
        }
        StoreKind::Swarm(bits, seed) => {
            let n_bits = bits.total(config.limits.memory) / workers as u64;
            let make = |seed| Bitstate::new(budget, 1, n_bits, bits.n_hashes, seed);
            swarm(model, budget, make, seed, &unwatched, config)
        }
        StoreKind::HashCompact => lossy_dfs(model, &HashCompact::new(budget), &unwatched, config),
        StoreKind::Cache(plan) => match config.profile {
            Some(profile) => cached(&profile.model(model), budget, plan, &unwatched, config),
            None => cached(model, budget, plan, &unwatched, config),
        },
    }
}

/// Searches for cycles with a lossy store. The two filters that this needs share the number of bits.
fn search_lossy_for_cycles(
    model: &dyn Model,
    budget: &Budget,
    observer: &Unwatched<'_>,
    config: &Config<'_>,
) -> Outcome {
    let memory = config.limits.memory;
    match config.store {
        StoreKind::Swarm(bits, seed) => {
            let n_bits = bits.total(memory) / (2 * config.workers as u64);
            let make = |seed| Bitstate::new(budget, 1, n_bits, bits.n_hashes, seed);
            lossy_ndfs_swarm(model, budget, make, seed, observer, config)
        }
        StoreKind::Bitstate(bits) => {
            let make = |seed| Bitstate::new(budget, 1, bits.total(memory) / 2, bits.n_hashes, seed);
            match (make(0), make(1)) {
                (Ok(outer), Ok(inner)) => lossy_ndfs(model, [&outer, &inner], observer, config),
                _ => ended(observer, Outcome::nothing(Limit::Memory)),
            }
        }
        _ => lossy_ndfs(model, [&HashCompact::new(budget), &HashCompact::new(budget)], observer, config),
    }
}

/// Searches with a store that can return states. A search without observer and profile uses code compiled for
/// this store; otherwise it uses the code for [`AnyStore`].
fn search_with<S: Recall>(
    model: &dyn Model,
    strategy: Strategy,
    store: &S,
    observer: &dyn Observer,
    config: &Config<'_>,
) -> Outcome {
    match (observer.watches(), config.profile) {
        (false, None) => visit_all(model, strategy, store, &Unwatched(observer), config),
        (true, None) => visit_all(model, strategy, &AnyStore::new(store), &observer, config),
        (_, Some(profile)) => {
            let (model, store) = (profile.model(model), AnyStore::new(store));
            visit_all(&model, strategy, &profile.store(&store), &observer, config)
        }
    }
}
