//! How a Java program is searched: again for as long as conflicts of its threads come into view, within one limit of time.
//!
//! If nobody chose a search, a program that is not through after a few thousand states gets some random walks before it is searched as
//! a whole: many errors that a depth-first search meets late, or never, are met by walks at once. Walks prove nothing, so nothing but an error ends
//! the matter there.

use allways_java::Program;
use allways_search::{End, Limit, Limits, Outcome, Strategy, WalkPlan};
use std::time::{Duration, Instant};

/// Programs with fewer states are through before walks would be.
const FEW_STATES: u64 = 20_000;
/// Walks take no longer than this.
const WALKING: Duration = Duration::from_secs(1);
const N_WALKS: u64 = 2_000;

/// One search, by a strategy and within limits.
type One<'a> = &'a dyn Fn(Strategy, Limits, WalkPlan) -> Outcome;

/// The searches of a program.
pub(crate) struct Rounds<'a> {
    pub(crate) program: &'a Program,
    pub(crate) limits: Limits,
    pub(crate) plan: WalkPlan,
    pub(crate) all_errors: bool,
    pub(crate) one: One<'a>,
}

impl Rounds<'_> {
    /// Searches a program by a strategy, and with walks in between if that may be.
    pub(crate) fn run(&self, strategy: Strategy, may_walk: bool) -> (Outcome, Strategy) {
        let begun = Instant::now();
        if may_walk {
            let short = Limits { states: Some(FEW_STATES), ..self.limits };
            let mut first = self.repeat(strategy, short, self.plan, begun);
            if !matches!(first.end, End::Bounded(Limit::States)) {
                return (first, strategy);
            }
            self.program.must_begin_again();
            let rest = self.rest(begun).unwrap_or(WALKING);
            let walking = Limits { time: Some(begun.elapsed() + rest.min(WALKING)), ..self.limits };
            let plan = WalkPlan { most: Some(N_WALKS), ..WalkPlan::default() };
            let walked = self.repeat(Strategy::Pct, walking, plan, begun);
            if !walked.findings.is_empty() || matches!(walked.end, End::Bounded(Limit::Interrupted)) {
                return (walked, Strategy::Pct);
            }
            self.program.must_begin_again();
            if self.rest(begun).is_some_and(|rest| rest.is_zero()) {
                first.end = End::Bounded(Limit::Time);
                first.stats.elapsed = begun.elapsed();
                return (first, strategy);
            }
        }
        (self.repeat(strategy, self.limits, self.plan, begun), strategy)
    }

    /// How much time is left, if that is limited.
    fn rest(&self, begun: Instant) -> Option<Duration> {
        self.limits.time.map(|time| time.saturating_sub(begun.elapsed()))
    }

    /// Searches until no new conflict is seen; times count from `begun` on.
    fn repeat(&self, strategy: Strategy, limits: Limits, plan: WalkPlan, begun: Instant) -> Outcome {
        loop {
            let time = limits.time.map(|time| time.saturating_sub(begun.elapsed()));
            let mut outcome = (self.one)(strategy, Limits { time, ..limits }, plan);
            outcome.stats.elapsed = begun.elapsed();
            let is_cut_off = matches!(outcome.end, End::Bounded(limit) if limit != Limit::Walks);
            // One error is an error; all of them are there when nothing is missing any more.
            let has_enough = !outcome.findings.is_empty() && !self.all_errors;
            if !self.program.saw_conflict() || has_enough || is_cut_off {
                return outcome;
            }
            if limits.time.is_some_and(|time| outcome.stats.elapsed >= time) {
                outcome.end = End::Bounded(Limit::Time);
                return outcome;
            }
            // What is in conflict is in view from now on.
            self.program.must_begin_again();
        }
    }
}
