//! The share of a search's limits that is reserved for walks, which estimate how much it has seen.

use crate::{Config, Limits};
use allways_model::Limiter;
use allways_store::Budget;
use std::time::{Duration, Instant};

/// The most steps in a walk.
pub(crate) const LONGEST: u32 = 1000;
/// In a small graph, walks may have this many steps for each known state, up to the next constant.
const STEPS_A_STATE: u64 = 3;
const FEW_STEPS: u64 = 20_000;
/// A walk ends at a step that needs more bytes than this.
const ROOM: u64 = 16 << 20;
/// The longest time for walks after a search without a time limit, in addition to their share of the time
/// that it took.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// A share of the limits of a search. Reserved memory is released when this is dropped.
pub(crate) struct Reserve {
    began: Instant,
    share: u64,
    time: Option<Duration>,
    /// The reserved number of states, if the search has a limit.
    states: Option<u64>,
    budget: Budget,
    aside: u64,
}

impl Reserve {
    /// Reserves the share of a search's limits, and at most `most_bytes` of memory. Also returns the reduced
    /// limits for the search.
    pub(crate) fn of<'a>(config: &Config<'a>, budget: &Budget, most_bytes: u64) -> (Config<'a>, Self) {
        let (limits, share) = (config.limits, u64::from(config.share.min(99)));
        let part = |whole: u64| (u128::from(whole) * u128::from(share) / 100) as u64;
        let states = limits.states.filter(|_| !config.trial);
        let bytes = budget.limit().map_or(0, part).min(most_bytes);
        budget.set_aside(bytes);
        let reserve = Self {
            began: Instant::now(),
            share,
            time: limits.time,
            states: states.map(part),
            budget: budget.clone(),
            aside: bytes,
        };
        let limits = Limits {
            time: limits.time.map(|time| time.mul_f64(1.0 - share as f64 / 100.0)),
            states: limits.states.map(|most| most - states.map_or(0, part)),
            ..limits
        };
        (Config { limits, share: 0, ..*config }, reserve)
    }

    /// Releases the reserved memory for use by the walks.
    pub(crate) fn give_back(&mut self) {
        self.budget.give_back(std::mem::take(&mut self.aside));
    }

    /// Whether anything is reserved.
    pub(crate) fn is_some(&self) -> bool {
        self.share > 0
    }

    /// The time at which walks that begin now must end.
    pub(crate) fn deadline(&self) -> Instant {
        let now = Instant::now();
        let later =
            now + (now - self.began).mul_f64(self.share as f64 / (100 - self.share) as f64) + PATIENCE;
        self.time.and_then(|time| self.began.checked_add(time)).unwrap_or(later)
    }

    /// The number of states that walks may store. In a small graph it may exceed the reserved number.
    pub(crate) fn most_states(&self) -> u64 {
        self.states.map_or(u64::MAX, |states| states.max(FEW_STEPS))
    }

    /// The number of steps that walks may have, after a search with `n_steps` steps and `known` states.
    pub(crate) fn most_steps(&self, n_steps: u64, known: u64) -> u64 {
        (n_steps / (100 - self.share) * self.share).max(FEW_STEPS.min(STEPS_A_STATE * known))
    }
}

/// A limiter for the time and memory of single steps of walks.
pub(crate) fn limiter(deadline: Instant, budget: &Budget) -> Limiter {
    let limiter = Limiter::until(deadline);
    limiter.set_room(budget.limit().map_or(ROOM, |limit| ROOM.min(limit.saturating_sub(budget.used()))));
    limiter
}

impl Drop for Reserve {
    fn drop(&mut self) {
        self.give_back();
    }
}
