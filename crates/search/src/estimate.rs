//! Adds an estimate of how much of the graph was seen to the outcome of any search.
//!
//! While a search reports progress, walks from the initial state (`census`) run from time to time alongside
//! it. Breadth-first and depth-first searches that keep their states make a better estimate themselves when a
//! limit ends them (`frontier`). After other searches, these walks continue within the reserved share of the
//! limits. For an interrupted search there is only the estimate gathered so far.

use crate::census::{Census, MOST_BYTES};
use crate::reserve::Reserve;
use crate::subject::Subject;
use crate::{Config, End, Limit, Outcome, Sample, Strategy};
use allways_model::Model;
use allways_store::Budget;
use std::cell::RefCell;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// The time for walks each time that progress is reported.
const BESIDE: Duration = Duration::from_millis(10);

/// Runs a search, and adds an estimate to its outcome if it has none and the search was not exhausted.
pub(crate) fn estimated(
    model: &dyn Model,
    strategy: Strategy,
    budget: &Budget,
    config: &Config<'_>,
    search: impl FnOnce(&Config<'_>) -> Outcome,
) -> Outcome {
    if config.share == 0 {
        return search(config);
    }
    let is_surveyed = strategy.is_survey()
        || matches!(strategy, Strategy::Bfs | Strategy::Dfs) && config.store.keeps_states();
    let (inner, mut reserve) = Reserve::of(config, budget, MOST_BYTES);
    let bytes = config.limits.memory.map_or(MOST_BYTES, |memory| memory / 100 * u64::from(config.share));
    let subject = Subject::new(model, config.lessons);
    let census = RefCell::new(None);
    let begin = || Census::new(subject, config.reduce, config.walks.seed, budget, bytes);
    let stopped = || config.stop.is_some_and(|flag| flag.load(Relaxed));
    let gather = |sample: &Sample| {
        let mut census = census.borrow_mut();
        let census = census.get_or_insert_with(begin);
        census.walk(Instant::now() + BESIDE, u64::MAX, stopped);
        let coverage = Some(census.coverage(sample.distinct.unwrap_or(sample.states)));
        config.progress.inspect(|progress| progress(&Sample { coverage, ..*sample }));
    };
    let progress = config.progress.map(|_| &gather as &dyn Fn(&Sample));
    let outcome = match is_surveyed {
        // The search reserves its share itself.
        true => {
            reserve.give_back();
            search(&Config { progress, ..*config })
        }
        false => search(&Config { progress, ..inner }),
    };
    reserve.give_back();
    let End::Bounded(limit) = outcome.end else { return outcome };
    let says_enough = outcome.coverage.is_some() || outcome.walks.is_some();
    let is_repeated = config.trial && limit == Limit::States;
    if says_enough || is_repeated || matches!(limit, Limit::Lossy | Limit::Walks | Limit::Observer) {
        return outcome;
    }
    let known = outcome.cached.map_or(outcome.stats.states, |cached| cached.distinct);
    let mut census = census.into_inner();
    if limit != Limit::Interrupted {
        let most = reserve.most_steps(outcome.stats.transitions, known);
        census.get_or_insert_with(begin).walk(reserve.deadline(), most, stopped);
    }
    Outcome { coverage: census.map(|census| census.coverage(known)), ..outcome }
}
