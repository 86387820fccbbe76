//! Which searches a program gets: a search of the chosen kind, or a short one, random walks, and then the
//! whole one.
//!
//! If the command line names no search, a Java program that is not through after a few thousand states gets
//! some random walks before it is searched as a whole: many errors that a depth-first search meets late, or
//! never, are met by walks at once. Walks prove nothing, so only an error ends the check there. All searches
//! share one time limit, and each knows the lessons of those before (`allways_search::refine`).

use allways_model::Lessons;
use allways_search::{Config, End, Limit, Limits, Observer, Outcome, Strategy, WalkPlan, refine};
use std::time::{Duration, Instant};

/// Programs with fewer states are through before walks would be.
const FEW_STATES: u64 = 20_000;
/// Walks take no longer than this.
const WALKING: Duration = Duration::from_secs(1);
const N_WALKS: u64 = 2_000;

/// The searches of a program.
pub(crate) struct Rounds<'a> {
    pub(crate) config: Config<'a>,
    pub(crate) observer: &'a dyn Observer,
    /// One search.
    pub(crate) search: &'a dyn Fn(Strategy, &Config<'_>) -> Outcome,
}

impl Rounds<'_> {
    /// Searches a program by a strategy, and with walks in between if that may be. Gives the outcome and the
    /// strategy that led to it; `lessons` are then those that the last search knew.
    pub(crate) fn run(
        &self,
        strategy: Strategy,
        may_walk: bool,
        lessons: &mut Lessons,
    ) -> (Outcome, Strategy) {
        let (begun, limits) = (Instant::now(), self.config.limits);
        let search = |strategy, limits: Limits, walks, lessons: &mut Lessons| {
            let trial = limits.states != self.config.limits.states;
            let config = Config { limits, trial, walks, ..self.config };
            refine(&config, begun, lessons, self.observer, |config| (self.search)(strategy, config))
        };
        if may_walk {
            let short = Limits { states: Some(FEW_STATES), ..limits };
            let mut first = search(strategy, short, self.config.walks, lessons);
            if !matches!(first.end, End::Bounded(Limit::States)) {
                return (first, strategy);
            }
            self.begin_again(&first, lessons);
            let rest = self.rest(begun).unwrap_or(WALKING);
            let walking = Limits { time: Some(begun.elapsed() + rest.min(WALKING)), ..limits };
            let plan = WalkPlan { most: Some(N_WALKS), ..WalkPlan::default() };
            let walked = search(Strategy::Pct, walking, plan, lessons);
            if !walked.findings.is_empty() || matches!(walked.end, End::Bounded(Limit::Interrupted)) {
                return (walked, Strategy::Pct);
            }
            if self.rest(begun).is_some_and(|rest| rest.is_zero()) {
                first.end = End::Bounded(Limit::Time);
                first.stats.elapsed = begun.elapsed();
                return (first, strategy);
            }
            self.begin_again(&walked, lessons);
        }
        (search(strategy, limits, self.config.walks, lessons), strategy)
    }

    /// Voids what a search has seen, but not what it has learnt.
    fn begin_again(&self, outcome: &Outcome, lessons: &mut Lessons) {
        lessons.merge(&outcome.lesson);
        self.observer.round(&outcome.lesson);
    }

    /// How much time is left, if that is limited.
    fn rest(&self, begun: Instant) -> Option<Duration> {
        self.config.limits.time.map(|time| time.saturating_sub(begun.elapsed()))
    }
}
