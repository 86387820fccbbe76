//! Searches: orders in which to visit the states of a model, each in a file of its own.
//!
//! - [`dfs`]: depth first. With one worker the order is that of a textbook depth-first search, and of SPIN.
//! - [`bfs`]: breadth first. Finds a counterexample with the fewest steps.
//! - [`switches`]: fewest switches between processes first. Finds a counterexample with the fewest.
//! - [`random_walks`]: at random, without keeping states; with priorities for processes it is probabilistic concurrency
//!   testing. Never exhausted.
//! - [`ndfs`]: nested depth first, by one worker. Finds cycles through accepting states.
//! - [`cndfs`]: the same by many workers.
//! - [`scc`]: strongly connected components, depth first, by one worker. Finds them too, with one search instead of two.
//! - [`map`]: maximal accepting predecessors, breadth first. Finds cycles through accepting states as well.
//!
//! They run with one worker or many, on any store that gives states back, and report an [`Outcome`]. They count
//! as SPIN counts: a *state* is a distinct vector, the arrival at the initial state is a *transition*, and an
//! arrival at a state seen before is *matched*; so transitions are states plus matched. A search that goes on
//! after errors ([`Config::all_errors`]) counts the same whatever the search, the number of workers or the order.
//!
//! Searches are generic over store and observer; models are called through `dyn`, once a state.

mod bfs;
mod charge;
mod cndfs;
mod cndfs_inner;
mod config;
mod control;
mod depth_first;
mod dfs;
mod dfs_shared;
mod lasso;
mod ledger;
mod lossy;
mod lossy_ndfs;
mod map;
mod map_owner;
mod ndfs;
pub mod observer;
mod outcome;
mod pct;
mod pool;
mod profile;
mod rally;
mod random;
mod refine;
mod replay;
mod sample;
mod scc;
mod subject;
mod survey;
mod switches;
mod trail;
mod walks;
mod worker;

pub use allways_store::{Holding, StateRef};
pub use allways_store::{bitstate_omission, hashcompact_omission};
pub use bfs::bfs;
pub use cndfs::cndfs;
pub use config::{Bits, Config, Limits, OVERRUN, Overrun, Sample, StoreKind, Strategy, WalkPlan};
pub use dfs::dfs;
pub use lasso::shorten;
pub use lossy::{lossy_dfs, swarm};
pub use lossy_ndfs::{lossy_ndfs, lossy_ndfs_swarm};
pub use map::map;
pub use ndfs::ndfs;
pub use observer::{At, Expanded, Observer, Step, Steps};
pub use outcome::{End, Finding, Limit, Outcome, Stats};
pub use pct::Guarantee;
pub use profile::{Calls, Profile, Tally};
pub use random::SplitMix64;
pub use refine::{learn, refine};
pub use replay::{Replay, ReplayError, replay, replay_finding, replay_lasso, walk};
pub use scc::scc;
pub use switches::{Turns, switches};
pub use walks::{Draw, Walks, random_walks};

use allways_model::{Acceptance, Model};
use allways_store::{Bitstate, Budget, Collapse, Exact, Full, HashCompact, Recall, Tree};

/// Searches `model` with a store made for the purpose. With a lossy one the search is depth first, whatever
/// the strategy; nested if that is [`Strategy::Ndfs`] and the model has accepting states. The module [`observer`] says what each search shows to the observer.
///
/// # Panics
/// If the store is lossy and the strategy [needs another](Strategy::needs_recall).
pub fn search<O: Observer>(
    model: &dyn Model,
    strategy: Strategy,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    assert!(
        !(config.store.is_lossy() && strategy.needs_recall()),
        "{strategy:?} needs a store that gives states back"
    );
    if let Some(draw) = strategy.draw(config.walks.bug_depth) {
        return match config.profile {
            Some(profile) => random_walks(&profile.model(model), draw, observer, config),
            None => random_walks(model, draw, observer, config),
        };
    }
    let (budget, workers) = (Budget::new(config.limits.memory), config.workers);
    if config.store.is_lossy() && strategy == Strategy::Ndfs && model.acceptance() != Acceptance::Nowhere {
        return search_lossy_for_cycles(model, &budget, observer, config);
    }
    match config.store {
        StoreKind::Exact => {
            let store = Exact::new(&budget, workers);
            search_with(model, strategy, &store, observer, config)
        }
        StoreKind::Tree => {
            let store = Tree::with_samples(
                &budget,
                workers,
                sample::sample(subject::Subject::new(model, config.lessons)),
            );
            search_with(model, strategy, &store, observer, config)
        }
        StoreKind::Collapse => {
            let store = Collapse::new(&budget, workers, || model.partition());
            search_with(model, strategy, &store, observer, config)
        }
        StoreKind::Bitstate(bits) => {
            let n_bits = bits.total(config.limits.memory);
            match Bitstate::new(&budget, workers, n_bits, bits.n_hashes, 0) {
                Ok(filter) => lossy_dfs(model, &filter, observer, config),
                Err(Full) => observer::ended(observer, Outcome::nothing(Limit::Memory)),
            }
        }
        StoreKind::Swarm(bits, seed) => {
            let n_bits = bits.total(config.limits.memory) / workers as u64;
            let make = |seed| Bitstate::new(&budget, 1, n_bits, bits.n_hashes, seed);
            swarm(model, &budget, make, seed, observer, config)
        }
        StoreKind::HashCompact => lossy_dfs(model, &HashCompact::new(&budget), observer, config),
    }
}

/// Searches for cycles with a lossy store: the bits are shared by the two filters that this needs.
fn search_lossy_for_cycles<O: Observer>(
    model: &dyn Model,
    budget: &Budget,
    observer: &O,
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
                _ => observer::ended(observer, Outcome::nothing(Limit::Memory)),
            }
        }
        _ => lossy_ndfs(model, [&HashCompact::new(budget), &HashCompact::new(budget)], observer, config),
    }
}

fn search_with<S: Recall, O: Observer>(
    model: &dyn Model,
    strategy: Strategy,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    if let Some(profile) = config.profile {
        let (model, store) = (profile.model(model), profile.store(store));
        return visit_all(&model, strategy, &store, observer, config);
    }
    visit_all(model, strategy, store, observer, config)
}

fn visit_all<S: Recall, O: Observer>(
    model: &dyn Model,
    strategy: Strategy,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    match strategy {
        Strategy::Dfs => dfs(model, store, observer, config),
        Strategy::Bfs => bfs(model, store, observer, config),
        Strategy::Switches => switches(model, store, observer, config, Turns::Switches),
        Strategy::Preemptions => switches(model, store, observer, config, Turns::Preemptions),
        Strategy::Walk | Strategy::Pct => unreachable!("walks keep no states"),
        Strategy::Ndfs => ndfs(model, store, observer, config),
        Strategy::Cndfs => cndfs(model, store, observer, config),
        Strategy::Map => map(model, store, observer, config),
        Strategy::Scc => scc(model, store, observer, config),
    }
}
