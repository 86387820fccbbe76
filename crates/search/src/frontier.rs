//! How much of a graph an unfinished breadth-first search has seen: walks from its frontier.
//!
//! A walk begins in a state that was not expanded, drawn at random, and goes on at random through states that the
//! search does not know, until it ends, comes back to what the search knows, or is long. The states that walks
//! visit are put into the store of the search, which says whether it knew them, and visits are counted. Chao's
//! estimator ("Nonparametric estimation of the number of classes in a population", 1984) takes those visited
//! once and twice for a lower bound of the number of states that the search has not seen, and so gives an upper bound
//! of what it has seen.
//!
//! The bound is an empirical one: the estimator assumes independent draws, and the states of a walk are not. The
//! walks take no more than a tenth of the time limit and of the memory limit, which the search leaves them; else
//! a ninth of the steps that the search took, and some thousand in a small graph. They follow a reduction as far
//! as it goes at first, and look for no violations. Nothing is proved.

use crate::random::SplitMix64;
use crate::subject::Subject;
use crate::{Config, Limits};
use allways_model::{Batch, Limiter};
use allways_store::{Recall, StateRef, Writer};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::{Duration, Instant};

/// What part of a limit is left for walks: one of so many.
pub(crate) const SHARE: u32 = 10;
/// A walk has no more steps.
const LONGEST: u32 = 1000;
/// In a small graph there are this many steps for each state, up to so many.
const STEPS_A_STATE: u64 = 3;
const FEW_STEPS: u64 = 20_000;
/// Fewer states seen twice say nothing about those not seen.
const FEWEST_TWICE: u64 = 20;
/// Nor does so small a part.
const LEAST_PART: f64 = 0.01;

/// The line through the logits of bound and truth, and the residuals between which 95 % of them lie, on the 38 models
/// of `cargo xtask bench coverage --calibrate`.
const AT: f64 = -0.822;
const SLOPE: f64 = 1.201;
const RESIDUALS: [f64; 3] = [-1.740, 0.0, 0.802];

/// What walks from the frontier of a search have met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// States that the search had visited or was about to visit.
    pub known: u64,
    /// Walks, and their steps.
    pub walks: u64,
    /// See above.
    pub steps: u64,
    /// Distinct states that walks visited and the search did not know, and those of them visited once and twice.
    pub distinct: u64,
    /// See above.
    pub once: u64,
    /// See above.
    pub twice: u64,
}

impl Coverage {
    /// At least about so many states were not seen.
    #[must_use]
    pub fn unseen(&self) -> f64 {
        let (once, twice) = (self.once as f64, self.twice as f64);
        self.distinct as f64 + once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))
    }

    /// At most about this part of the states was seen.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.known as f64 / (self.known as f64 + self.unseen())
    }

    /// About this part of the states was seen, after the least and before the most that is likely, if there is enough to
    /// say more than a bound. Calibrated on models with known numbers of states: an experience, not a theorem.
    #[must_use]
    pub fn estimate(&self) -> Option<[f64; 3]> {
        let bound = self.bound().clamp(1e-4, 1.0 - 1e-4);
        let middle = AT + SLOPE * (bound / (1.0 - bound)).ln();
        let of = |residual: f64| (1.0 / (1.0 + (-middle - residual).exp())).min(self.bound());
        self.is_telling().then(|| RESIDUALS.map(of))
    }

    /// Whether there is enough for more than a bound.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        self.twice >= FEWEST_TWICE && self.bound() >= LEAST_PART
    }
}

/// The limits of a search that leaves some of its time to walks.
pub(crate) fn without_share(limits: Limits) -> Limits {
    Limits { time: limits.time.map(|time| time - time / SHARE), ..limits }
}

/// Walks from the frontier of a search that has ended at a limit. Its workers are gone; `n_steps` is how many
/// steps they took, and `time` what is left for walks.
pub(crate) fn survey<S: Recall>(
    subject: Subject<'_>,
    store: &S,
    frontier: &[StateRef],
    config: &Config<'_>,
    n_steps: u64,
    time: Option<Duration>,
) -> Coverage {
    let mut coverage = Coverage { known: store.n_states(), ..Coverage::default() };
    if frontier.is_empty() {
        return coverage;
    }
    let deadline = time.map(|time| Instant::now() + time);
    let most = (n_steps / 9).max(FEW_STEPS.min(STEPS_A_STATE * coverage.known));
    let mut random = SplitMix64::new(config.walks.seed);
    let mut visits: HashMap<StateRef, u32> = HashMap::new();
    let (mut cursor, mut writer) = (subject.cursor(), store.writer());
    if let Some(deadline) = deadline {
        cursor.limit(&Limiter::until(deadline));
    }
    let (mut batch, mut one, mut seen) = (Batch::new(), Batch::new(), Vec::new());
    let mut vector = Vec::new();
    let is_over = |coverage: &Coverage| {
        let is_stopped = config.stop.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed));
        is_stopped || coverage.steps >= most || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    };
    'walks: while !is_over(&coverage) {
        coverage.walks += 1;
        let mut buffer = Vec::new();
        vector.clear();
        vector.extend_from_slice(store.fetch(frontier[random.below(frontier.len())], &mut buffer));
        for _ in 0..LONGEST {
            if is_over(&coverage) {
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
            if writer.insert(&mut one, &mut seen).is_err() {
                break 'walks;
            }
            match (visits.entry(seen[0].state), seen[0].new) {
                (Entry::Occupied(mut known), _) => *known.get_mut() += 1,
                (Entry::Vacant(unknown), true) => {
                    unknown.insert(1);
                }
                (Entry::Vacant(_), false) => break,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_met_once_stand_for_others() {
        let coverage = Coverage { known: 100, distinct: 60, once: 41, twice: 19, ..Coverage::default() };
        assert!((coverage.unseen() - (60.0 + 41.0)).abs() < 1e-9);
        assert!((coverage.bound() - 100.0 / 201.0).abs() < 1e-9);
        assert!(!coverage.is_telling());
        assert!(coverage.estimate().is_none());
        let [least, middle, most] = Coverage { twice: 20, ..coverage }.estimate().unwrap();
        assert!(0.05 < least && least < middle && middle < most && most <= coverage.bound() + 0.1);
        assert_eq!(Coverage { known: 7, ..Coverage::default() }.bound(), 1.0);
    }
}
