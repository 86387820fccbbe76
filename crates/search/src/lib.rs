//! Searches: algorithms that visit the states of a model, one in each file.
//!
//! - [`dfs`]: depth first. With one worker the order is that of a textbook depth-first search, and of SPIN.
//! - [`cached`]: depth first in bounded memory, by one worker. It may forget states and visit them again.
//! - [`bfs`]: breadth first. Finds a counterexample with the fewest steps.
//! - [`switches`]: fewest switches between processes first. Finds a counterexample with the fewest.
//! - [`phases`]: breadth first or depth first, then at random from what is left, to estimate how much that
//!   is.
//! - [`random_walks`]: random walks, which keep no states. With priorities for processes this is
//!   probabilistic concurrency testing. Never exhausted.
//! - [`ndfs`]: nested depth first, by one worker. Finds cycles through accepting states.
//! - [`cndfs`]: the same by many workers.
//! - [`scc`]: strongly connected components, depth first, by one worker. Finds cycles through accepting
//!   states with one search instead of two.
//! - [`map`]: maximal accepting predecessors, breadth first, by one worker or several. Finds cycles through
//!   accepting states.
//!
//! All report an [`Outcome`]. The searches that keep all states run on any store that can return states. They
//! count as SPIN does: a *state* is a distinct vector, the arrival at the initial state is a *transition*,
//! and an arrival at a state seen before is *matched*; so transitions are states plus matched. Without
//! reductions, searches that continue after errors ([`Config::all_errors`]) have equal counts, whatever the
//! algorithm, the number of workers or the order.
//!
//! Searches are generic over store and observer. Models are called through `dyn`, once for each state, and so
//! are the stores of searches with an observer (`any_store`).

mod any_store;
mod bfs;
mod cached;
mod census;
mod charge;
mod cndfs;
mod cndfs_inner;
mod config;
mod control;
mod coverage;
mod depth_first;
mod dfs;
mod dfs_shared;
mod estimate;
mod frontier;
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
mod phases;
mod pool;
mod profile;
mod rally;
mod random;
mod refine;
mod replay;
mod reserve;
mod sample;
mod scc;
mod stores;
mod subject;
mod survey;
mod switches;
mod trail;
mod walks;
mod worker;

pub use allways_store::{CacheCounts, Holding, Policy, StateRef};
pub use allways_store::{bitstate_omission, hashcompact_omission};
pub use bfs::bfs;
pub use cached::{CachePlan, Cached, cached};
pub use cndfs::cndfs;
pub use config::{Config, Limits, OVERRUN, Overrun, Sample, Strategy, WalkPlan};
pub use coverage::{Coverage, N_FEATURES, Source};
pub use dfs::dfs;
pub use lasso::shorten;
pub use lossy::{lossy_dfs, swarm};
pub use lossy_ndfs::{lossy_ndfs, lossy_ndfs_swarm};
pub use map::map;
pub use ndfs::ndfs;
pub use observer::{At, Expanded, Observer, Step, Steps};
pub use outcome::{End, Finding, Limit, Outcome, Stats};
pub use pct::Guarantee;
pub use phases::{FirstPhase, Phases, phases};
pub use profile::{Calls, Profile, Tally};
pub use random::SplitMix64;
pub use refine::{learn, refine};
pub use replay::{Replay, ReplayError, replay, replay_finding, replay_lasso, walk};
pub use scc::scc;
pub use stores::{Bits, StoreKind, search};
pub use switches::{Turns, switches};
pub use walks::{Draw, Walks, random_walks};

use allways_model::Model;
use allways_store::Recall;
use any_store::AnyStore;

/// Searches `model` with a store that can return states. The searches that run by default are compiled for
/// each store, the others once for all stores.
fn visit_all<S: Recall, O: Observer>(
    model: &dyn Model,
    strategy: Strategy,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let any = &AnyStore::new(store);
    match strategy {
        Strategy::Dfs => dfs(model, store, observer, config),
        Strategy::Bfs => bfs(model, store, observer, config),
        Strategy::Scc => scc(model, store, observer, config),
        Strategy::Switches => switches(model, any, observer, config, Turns::Switches),
        Strategy::Preemptions => switches(model, any, observer, config, Turns::Preemptions),
        Strategy::Survey => phases(model, any, observer, config, FirstPhase::Breadth),
        Strategy::SurveyDfs => phases(model, any, observer, config, FirstPhase::Depth),
        Strategy::Ndfs => ndfs(model, any, observer, config),
        Strategy::Cndfs => cndfs(model, any, observer, config),
        Strategy::Map => map(model, any, observer, config),
        Strategy::Walk | Strategy::Pct => unreachable!("walks keep no states"),
    }
}
