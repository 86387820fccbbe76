//! The stores as the command line names them, and what the lossy ones may have lost.

use crate::cli::{CheckArgs, Search, Store};
use crate::failure::Failure;
use allways_report::plural;
use allways_search::{Bits, Limits, Outcome, StoreKind, bitstate_omission, hashcompact_omission};

const DEFAULT_HASHES: u32 = 3;

/// The store that the arguments ask for.
pub(crate) fn kind(args: &CheckArgs) -> Result<StoreKind, Failure> {
    let bits = Bits { n_bits: args.bits.map(|log| 1 << log), n_hashes: n_hashes(args) };
    let kind = match args.store() {
        Store::Exact => StoreKind::Exact,
        Store::Tree => StoreKind::Tree,
        Store::Collapse => StoreKind::Collapse,
        Store::Hashcompact => StoreKind::HashCompact,
        Store::Bitstate if args.swarm => StoreKind::Swarm(bits, args.seed.unwrap_or(0)),
        Store::Bitstate => StoreKind::Bitstate(bits),
    };
    if kind.is_lossy() && matches!(args.search, Some(Search::Bfs | Search::Switches | Search::Preemptions)) {
        return Err(Failure::Input(format!(
            "--store {} keeps no states, so that only --search dfs can use it",
            name(args.store())
        )));
    }
    if !matches!(args.store(), Store::Bitstate) {
        let given =
            [("--swarm", args.swarm), ("--bits", args.bits.is_some()), ("--hashes", args.hashes.is_some())];
        if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
            return Err(Failure::Input(format!("{flag} is for --store bitstate")));
        }
    }
    Ok(kind)
}

/// How many bits a state sets, if it sets bits.
fn n_hashes(args: &CheckArgs) -> u32 {
    args.hashes.unwrap_or(DEFAULT_HASHES)
}

/// The name of a store.
pub(crate) fn name(store: Store) -> &'static str {
    match store {
        Store::Exact => "exact",
        Store::Tree => "tree",
        Store::Collapse => "collapse",
        Store::Bitstate => "bitstate",
        Store::Hashcompact => "hashcompact",
    }
}

/// With fewer bits than this for each state found, an estimate of what was lost would mean nothing.
const MIN_FACTOR: f64 = 10.0;

/// What a lossy store is expected to have lost.
pub(crate) fn estimate(args: &CheckArgs, limits: Limits, outcome: &Outcome) -> String {
    let n_states = outcome.stats.states;
    if matches!(args.store(), Store::Hashcompact) {
        let p = hashcompact_omission(n_states);
        return format!("64 bits a state: the probability that any state was lost is about {p:.1e}");
    }
    let bits = Bits { n_bits: args.bits.map(|log| 1 << log), n_hashes: n_hashes(args) };
    let n_tables = if args.swarm { crate::check::workers(args) as u64 } else { 1 };
    let n_bits = bits.total(limits.memory) / n_tables;
    let coverage = 100.0 * (1.0 - bitstate_omission(n_states, n_bits, n_hashes(args)));
    let factor = n_bits as f64 / n_states.max(1) as f64;
    let of_each = if args.swarm { ", of each table" } else { "" };
    if factor < MIN_FACTOR {
        // What lies behind a state that was lost is not counted: in a full table that is nearly everything.
        let bits = plural(u64::from(n_hashes(args)), "bit");
        return format!(
            "{bits} a state, hash factor {factor:.1}{of_each}: too full to tell what was lost (--bits)"
        );
    }
    format!(
        "{} a state, hash factor {factor:.1}: expected coverage about {coverage:.2} %{of_each}",
        plural(u64::from(n_hashes(args)), "bit")
    )
}
