//! Probabilistic concurrency testing: random walks in which priorities decide which actor moves.
//!
//! Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with probabilistic guarantees of
//! finding bugs" (ASPLOS 2010). Every actor gets a random priority when it is first seen, and of the actors
//! that can move the one with the highest priority does. Before `d - 1` randomly chosen steps of the walk,
//! the actor that is about to move gets a priority below all of those. An error of *depth* `d`, which happens
//! whenever each of `d` steps comes before a certain other, is met by a walk with a probability of at least
//! `1 / (n k^(d-1))`, if runs have at most `n` actors and `k` steps.
//!
//! The length of runs is not known in advance, so `k` is the length of the longest walk so far, and only
//! walks since then count. If an actor has several steps, one is drawn at random, which the guarantee does
//! not cover. An actor that leads the walk back to a state that it has visited gets a priority below all
//! others: it goes in circles, for instance in a waiting loop, and would otherwise do so indefinitely.

use crate::SplitMix64;
use std::sync::{Mutex, MutexGuard};

/// The numbers of actors and steps from which the priorities of all walks are drawn.
pub(crate) struct Horizon {
    bug_depth: u32,
    seen: Mutex<WalkMaxima>,
}

/// The greatest numbers seen in walks so far.
#[derive(Clone, Copy, Default)]
struct WalkMaxima {
    longest: u64,
    n_actors: u64,
    n_walks: u64,
}

/// The guarantee of probabilistic concurrency testing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guarantee {
    /// The depth of the errors that it covers.
    pub bug_depth: u32,
    /// The most actors in one walk.
    pub n_actors: u64,
    /// The most steps of a walk.
    pub n_steps: u64,
    /// The number of walks that count.
    pub n_walks: u64,
}

impl Guarantee {
    /// The lower bound on the probability that one walk meets an error of that depth.
    #[must_use]
    pub fn of_one(&self) -> f64 {
        let steps = (self.n_steps.max(1) as f64).powi(self.bug_depth as i32 - 1);
        1.0 / (self.n_actors.max(1) as f64 * steps)
    }

    /// The lower bound on the probability that at least one of all walks does.
    #[must_use]
    pub fn of_all(&self) -> f64 {
        // In this form small probabilities are not rounded away.
        -(self.n_walks as f64 * (-self.of_one()).ln_1p()).exp_m1()
    }
}

impl Horizon {
    pub(crate) fn new(bug_depth: u32) -> Self {
        Self { bug_depth: bug_depth.max(1), seen: Mutex::new(WalkMaxima::default()) }
    }

    /// Draws the priorities of a new walk.
    pub(crate) fn begin(&self, random: &mut SplitMix64) -> Priorities {
        let horizon = self.lock().longest;
        let n_changes = i64::from(self.bug_depth) - 1;
        let at = |random: &mut SplitMix64| random.below(horizon.max(1) as usize) as u64;
        let changes = (1..=n_changes).map(|priority| (at(random), priority)).collect();
        Priorities { horizon, changes, of_actors: Vec::new(), lowest: 0 }
    }

    /// Records the end of a walk.
    pub(crate) fn end(&self, priorities: &Priorities, n_steps: u64) {
        let mut seen = self.lock();
        seen.n_actors = seen.n_actors.max(priorities.of_actors.len() as u64);
        if n_steps > seen.longest {
            (seen.longest, seen.n_walks) = (n_steps, 0);
        } else if priorities.horizon == seen.longest {
            seen.n_walks += 1;
        }
    }

    pub(crate) fn guarantee(&self) -> Guarantee {
        let WalkMaxima { longest, n_actors, n_walks } = *self.lock();
        Guarantee { bug_depth: self.bug_depth, n_actors, n_steps: longest, n_walks }
    }

    fn lock(&self) -> MutexGuard<'_, WalkMaxima> {
        self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The priorities of one walk.
pub(crate) struct Priorities {
    /// The steps before which priorities may change.
    horizon: u64,
    /// For each change: the step before which it happens, and the new priority of the actor.
    changes: Vec<(u64, i64)>,
    /// Actors with their priorities, in the order in which they were seen. Demoted actors have small numbers.
    of_actors: Vec<(Option<u32>, i64)>,
    /// The lowest priority in use.
    lowest: i64,
}

impl Priorities {
    /// The index of the candidate that takes the step after `n_steps`. There must be at least one candidate.
    pub(crate) fn choose(
        &mut self,
        n_steps: u64,
        candidates: impl Iterator<Item = Option<u32>> + Clone,
        random: &mut SplitMix64,
    ) -> Option<u32> {
        for actor in candidates.clone() {
            if !self.of_actors.iter().any(|(known, _)| *known == actor) {
                let priority = i64::from(self.changes.len() as u32 + 1) + (random.next() >> 2) as i64;
                self.of_actors.push((actor, priority));
            }
        }
        for idx in 0..self.changes.len() {
            let (at, priority) = self.changes[idx];
            if at == n_steps {
                let actor = self.highest(candidates.clone());
                self.set(actor, priority);
            }
        }
        self.highest(candidates)
    }

    /// Gives an actor a priority below all others.
    pub(crate) fn demote(&mut self, actor: Option<u32>) {
        self.lowest -= 1;
        self.set(actor, self.lowest);
    }

    fn set(&mut self, actor: Option<u32>, priority: i64) {
        if let Some(entry) = self.of_actors.iter_mut().find(|(known, _)| *known == actor) {
            entry.1 = priority;
        }
    }

    fn highest(&self, candidates: impl Iterator<Item = Option<u32>>) -> Option<u32> {
        let priority =
            |actor: &Option<u32>| self.of_actors.iter().find(|(known, _)| known == actor).map(|e| e.1);
        candidates.max_by_key(priority).expect("somebody can move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guarantee_is_that_of_the_paper() {
        let guarantee = Guarantee { bug_depth: 3, n_actors: 2, n_steps: 10, n_walks: 0 };
        assert!((guarantee.of_one() - 1.0 / 200.0).abs() < 1e-12);
        assert!(guarantee.of_all().abs() < 1e-12);
        let guarantee = Guarantee { n_walks: 200, ..guarantee };
        assert!((guarantee.of_all() - (1.0 - (1.0 - 1.0 / 200.0_f64).powi(200))).abs() < 1e-12);
        let certain = Guarantee { bug_depth: 1, n_actors: 1, n_steps: 9, n_walks: 1 };
        assert!((certain.of_all() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_highest_goes_on_until_its_priority_changes() {
        let horizon = Horizon::new(2);
        let everyone = || [Some(0), Some(1), None].into_iter();
        let mut random = SplitMix64::new(3);
        let mut n_changed = 0;
        for _ in 0..100 {
            let mut priorities = horizon.begin(&mut random);
            let walk: Vec<_> = (0..20).map(|n| priorities.choose(n, everyone(), &mut random)).collect();
            let n_turns = walk.windows(2).filter(|pair| pair[0] != pair[1]).count();
            // There is one change of priority, which has an effect unless it comes before the first step.
            assert!(n_turns <= 1);
            n_changed += n_turns;
            horizon.end(&priorities, 20);
        }
        assert!(n_changed > 80, "{n_changed}");
        assert_eq!(horizon.guarantee(), Guarantee { bug_depth: 2, n_actors: 3, n_steps: 20, n_walks: 99 });
    }

    #[test]
    fn who_goes_round_in_circles_waits_for_all_others() {
        let horizon = Horizon::new(1);
        let mut random = SplitMix64::new(1);
        let mut priorities = horizon.begin(&mut random);
        let first = priorities.choose(0, [Some(4), Some(5)].into_iter(), &mut random);
        priorities.demote(first);
        assert_ne!(priorities.choose(1, [Some(4), Some(5)].into_iter(), &mut random), first);
    }
}
