//! What a profiled search counted, as data for a report.

use crate::Session;
use allways_report::{MemoryPart, Speed};
use allways_search::{Holding, Outcome, Tally};

impl Session {
    /// Where time and memory went in a search; `notes` are what else is worth knowing.
    pub(crate) fn speed(&self, tally: &Tally, outcome: &Outcome, notes: Vec<String>) -> Speed {
        let part = |holding: &Holding| MemoryPart {
            name: holding.name.into(),
            bytes: holding.bytes,
            fill: holding.fill,
        };
        Speed {
            loading: self.loading,
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
}
