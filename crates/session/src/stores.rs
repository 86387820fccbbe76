//! What lossy stores may have lost, and what caches have forgotten.

use allways_report::{CacheReport, Limit, bytes, count, plural};
use allways_search::{
    Bits, Cached, Limits, Outcome, Policy, StoreKind, bitstate_omission, hashcompact_omission,
};

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

/// A policy as people write it.
fn policy_text(policy: Policy) -> String {
    match policy {
        Policy::Hits { most: true } => "hits:most".into(),
        Policy::Stratified { k, m } => format!("stratified:{k},{m}"),
        other => other.name().into(),
    }
}

/// What a cache did.
pub(crate) fn cache_report(cached: &Cached) -> CacheReport {
    let Cached { plan, distinct, counts } = cached;
    CacheReport {
        policy: policy_text(plan.policy),
        visits: counts.opened,
        distinct: *distinct,
        evicted: counts.evicted,
        recomputed: counts.forgotten,
        most_held: counts.most_held,
        most_pinned: counts.most_pinned,
    }
}

/// The limit of a cache whose stack has no room.
pub(crate) fn stack_limit(limits: Limits, cached: Option<&Cached>) -> Limit {
    let what = match (cached.and_then(|cached| cached.plan.states), limits.memory) {
        (Some(n), _) => format!("the cache of {}", plural(u64::from(n), "state")),
        (None, Some(memory)) => format!("the memory limit of {}", bytes(memory)),
        (None, None) => "the memory".into(),
    };
    let pinned = cached.map_or(0, |cached| cached.counts.most_pinned);
    Limit::Stack(format!("the stack of the search fills {what}, with {}", plural(pinned, "state")))
}

/// The limit of a search that does little but visit states again.
pub(crate) fn redundancy_limit(cached: Option<&Cached>) -> Limit {
    let (most, visits, distinct) =
        cached.map_or((0, 0.0, 0), |cached| (cached.plan.redundancy, cached.redundancy(), cached.distinct));
    Limit::Redundancy(format!(
        "each of about {} states was visited {visits:.1} times, more than --redundancy {most} allows",
        count(distinct)
    ))
}
