//! Walks from the frontier of a search that a limit has ended: what they meet, the search has not seen.
//!
//! A walk begins in a state that was not expanded, drawn at random, and goes on at random through states that
//! the search does not know, until it ends, comes back to what the search knows, or is long. The states that
//! walks visit are put into the store of the search, which says whether it knew them, and visits are counted.
//!
//! The walks take no more of the limits than the search left them (`reserve`). They follow a reduction as far
//! as it goes at first, and look for no violations. `coverage` says what follows from them.

use crate::charge::Charge;
use crate::coverage::{Coverage, Source};
use crate::random::SplitMix64;
use crate::reserve::{LONGEST, Reserve, limiter};
use crate::subject::Subject;
use crate::{Config, End, Limit, Outcome, Stats};
use allways_model::Batch;
use allways_store::{Recall, StateRef, Writer};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// More states of a frontier than these are not drawn from.
pub(crate) const MOST_DRAWN: usize = 1 << 16;

/// Adds to the outcome of a search what walks from its frontier say, if a limit has ended it that leaves room
/// for them. The workers of the search are gone.
pub(crate) fn survey<S: Recall>(
    subject: Subject<'_>,
    store: &S,
    (source, frontier): (Source, &[StateRef]),
    config: &Config<'_>,
    mut reserve: Reserve,
    outcome: Outcome,
) -> Outcome {
    reserve.give_back();
    let is_limited = match outcome.end {
        End::Bounded(Limit::States) => !config.trial,
        End::Bounded(limit) => matches!(limit, Limit::Time | Limit::Memory),
        _ => false,
    };
    if !is_limited || !reserve.is_some() {
        return outcome;
    }
    let coverage = walk(subject, store, (source, frontier), config, &reserve, &outcome.stats);
    Outcome { coverage: Some(coverage), ..outcome }
}

fn walk<S: Recall>(
    subject: Subject<'_>,
    store: &S,
    (source, frontier): (Source, &[StateRef]),
    config: &Config<'_>,
    reserve: &Reserve,
    stats: &Stats,
) -> Coverage {
    let mut coverage = Coverage { depth: stats.depth, ..Coverage::none(source, store.n_states()) };
    if frontier.is_empty() {
        return coverage;
    }
    let deadline = reserve.deadline();
    let most = reserve.most_steps(stats.transitions, coverage.known);
    let mut random = SplitMix64::new(config.walks.seed);
    let mut visits: HashMap<StateRef, u32> = HashMap::new();
    let mut charge = Charge::new(store.budget());
    let (mut cursor, mut writer) = (subject.cursor(), store.writer());
    cursor.limit(&limiter(deadline, store.budget()));
    let (mut batch, mut one, mut seen) = (Batch::new(), Batch::new(), Vec::new());
    let mut vector = Vec::new();
    let is_over = |coverage: &Coverage| {
        let is_stopped = config.stop.is_some_and(|flag| flag.load(Relaxed));
        is_stopped || coverage.steps >= most || Instant::now() >= deadline
    };
    'walks: while !is_over(&coverage) {
        coverage.walks += 1;
        let mut buffer = Vec::new();
        vector.clear();
        vector.extend_from_slice(store.fetch(frontier[random.below(frontier.len())], &mut buffer));
        for _ in 0..LONGEST {
            let n_bytes = visits.capacity() * (size_of::<(StateRef, u32)>() + 1);
            if is_over(&coverage) || charge.cover(n_bytes as u64).is_err() {
                break 'walks;
            }
            coverage.steps += 1;
            batch.clear();
            cursor.load(&vector);
            let expanded = match config.reduce {
                true => cursor.expand_some(&mut batch).map(|_| ()),
                false => cursor.expand(&mut batch),
            };
            if expanded.is_err() || batch.is_empty() {
                break;
            }
            let place = random.below(batch.len());
            one.clear();
            one.push(batch.entries()[place].key, batch.vector(place));
            if visits.len() as u64 >= reserve.most_states() || writer.insert(&mut one, &mut seen).is_err() {
                break 'walks;
            }
            match (visits.entry(seen[0].state), seen[0].new) {
                (Entry::Occupied(mut known), _) => *known.get_mut() += 1,
                (Entry::Vacant(unknown), true) => {
                    unknown.insert(1);
                }
                (Entry::Vacant(_), false) => {
                    coverage.returns += 1;
                    break;
                }
            }
            vector.clear();
            vector.extend_from_slice(batch.vector(place));
        }
    }
    coverage.distinct = visits.len() as u64;
    coverage.once = visits.values().filter(|&&n| n == 1).count() as u64;
    coverage.twice = visits.values().filter(|&&n| n == 2).count() as u64;
    coverage
}
