//! Repeats a search as long as it learns lessons.
//!
//! A front end may make an assumption about a model that a search finds to be wrong (see [`Lesson`]).
//! Everything that the search has seen by then exists, but it may have missed states. So it is repeated with
//! cursors that know the lesson. Lessons only grow, so this ends. There is one loop, [`learn`]; [`refine`] is
//! that loop around a search with limits.

use crate::{Config, End, Limit, Limits, Observer, Outcome};
use allways_model::{Lesson, Lessons};
use std::ops::ControlFlow;
use std::time::Instant;

/// Calls `round` with the lessons so far until it breaks.
///
/// # Panics
/// If a round learns nothing new and does not break, because it would be repeated indefinitely.
pub fn learn<T>(lessons: &mut Lessons, mut round: impl FnMut(&Lessons) -> ControlFlow<T, Lesson>) -> T {
    loop {
        match round(lessons) {
            ControlFlow::Break(result) => return result,
            ControlFlow::Continue(lesson) => {
                assert!(lessons.merge(&lesson), "a search that begins again has learnt something new");
            }
        }
    }
}

/// Calls `search` until it learns nothing new, each time with the lessons of the earlier calls and with the
/// remaining time. Limits and elapsed times count from `begun` on.
///
/// `observer` gets a [`round`](Observer::round) call before each repetition. The caller also passes it to the
/// searches.
///
/// It ends earlier if a limit cuts a search off, or at a violation unless [`Config::all_errors`] is set. Then
/// the lesson of the last search is in the [`Outcome`] but not in the lessons, which are those that the last
/// search was given.
pub fn refine<O: Observer + ?Sized>(
    config: &Config<'_>,
    begun: Instant,
    lessons: &mut Lessons,
    observer: &O,
    mut search: impl FnMut(&Config<'_>) -> Outcome,
) -> Outcome {
    learn(lessons, |lessons| {
        let time = config.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        let limits = Limits { time, ..config.limits };
        let mut outcome = search(&Config { limits, lessons, ..*config });
        outcome.stats.elapsed = begun.elapsed();
        let is_cut_off = matches!(outcome.end, End::Bounded(limit) if limit != Limit::Walks);
        // One violation is enough for the first. To have all, the search must be complete.
        let has_enough = !outcome.findings.is_empty() && !config.all_errors;
        if has_enough && matches!(outcome.end, End::Refine) {
            outcome.end = End::Violated;
        }
        if outcome.lesson.is_empty() || has_enough || is_cut_off {
            return ControlFlow::Break(outcome);
        }
        if config.limits.time.is_some_and(|time| outcome.stats.elapsed >= time) {
            outcome.end = End::Bounded(Limit::Time);
            return ControlFlow::Break(outcome);
        }
        observer.round(&outcome.lesson);
        ControlFlow::Continue(outcome.lesson)
    })
}
