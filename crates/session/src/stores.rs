//! What lossy stores may have lost.

use allways_report::plural;
use allways_search::{Bits, Limits, Outcome, StoreKind, bitstate_omission, hashcompact_omission};

/// With fewer bits than this for each state found, an estimate of what was lost would mean nothing.
const MIN_FACTOR: f64 = 10.0;

/// What a lossy store is expected to have lost. A search for cycles has two filters, which share the bits;
/// what the inner searches visit was visited before, so they lose no more.
pub(crate) fn estimate(
    store: StoreKind,
    workers: usize,
    n_filters: u64,
    limits: Limits,
    outcome: &Outcome,
) -> String {
    let n_states = outcome.stats.states;
    let (bits, is_swarm) = match store {
        StoreKind::Bitstate(bits) => (bits, false),
        StoreKind::Swarm(bits, _) => (bits, true),
        _ => {
            let p = hashcompact_omission(n_states);
            return format!("64 bits a state: the probability that any state was lost is about {p:.1e}");
        }
    };
    let n_tables = n_filters * if is_swarm { workers as u64 } else { 1 };
    estimate_bits(bits, n_tables, is_swarm || n_filters > 1, limits, n_states)
}

fn estimate_bits(bits: Bits, n_tables: u64, is_swarm: bool, limits: Limits, n_states: u64) -> String {
    let n_bits = bits.total(limits.memory) / n_tables;
    let coverage = 100.0 * (1.0 - bitstate_omission(n_states, n_bits, bits.n_hashes));
    let factor = n_bits as f64 / n_states.max(1) as f64;
    let of_each = if is_swarm { ", of each table" } else { "" };
    let per_state = plural(u64::from(bits.n_hashes), "bit");
    if factor < MIN_FACTOR {
        // What lies behind a state that was lost is not counted: in a full table that is nearly everything.
        return format!(
            "{per_state} a state, hash factor {factor:.1}{of_each}: too full to tell what was lost (--bits)"
        );
    }
    format!("{per_state} a state, hash factor {factor:.1}: expected coverage about {coverage:.2} %{of_each}")
}
