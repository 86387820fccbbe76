//! `--explain-speed`: what a profiled search counted, in the words of a report.

use allways_report::{MemoryPart, Speed};
use allways_search::{Outcome, Tally};
use std::time::Duration;

/// Where time and memory went.
pub(crate) fn explain(tally: &Tally, outcome: &Outcome, loading: Duration, notes: Vec<String>) -> Speed {
    let part = |holding: &allways_search::Holding| MemoryPart {
        name: holding.name.into(),
        bytes: holding.bytes,
        fill: holding.fill,
    };
    Speed {
        loading,
        expanding: tally.expand.total(),
        storing: tally.insert.total() + tally.fetch.total(),
        n_samples: tally.expand.n_timed,
        n_expanded: tally.expand.n_calls,
        n_partial: tally.n_partial,
        most_successors: tally.most_successors,
        n_batches: tally.insert.n_calls,
        largest_batch: tally.largest_batch,
        vectors: (tally.shortest_vector.unwrap_or(0), tally.vector_bytes, tally.longest_vector),
        store: tally.holdings.iter().map(part).collect(),
        beside_bytes: outcome.stats.total_bytes.saturating_sub(outcome.stats.store_bytes),
        counters: tally.counters.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        notes,
    }
}
