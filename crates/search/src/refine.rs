//! Searching again for as long as searches learn something.
//!
//! A front end may assume something about a model that a search finds to be wrong (see [`Lesson`]). What the
//! search has seen by then is there, but it may have missed more: it is repeated, and its cursors know
//! better. Lessons only grow, so this ends. There is one loop, [`learn`]; [`refine`] is that loop around a
//! search with limits.

use crate::{Config, End, Limit, Limits, Observer, Outcome};
use allways_model::{Lesson, Lessons};
use std::ops::ControlFlow;
use std::time::Instant;

/// Calls `round` until it breaks, each time with what it has learnt before.
///
/// # Panics
/// If a round learns nothing new and does not break: it would be repeated without end.
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

/// Calls `search` until it learns nothing new, each time with the lessons of those before, and with what is
/// left of the time. Limits and elapsed times count from `begun` on.
///
/// `observer` learns of each new round; the caller gives it to the searches too.
///
/// It ends before that if a limit cuts a search off, or at a violation unless [`Config::all_errors`] is set.
/// Then the lesson of the last search is in the [`Outcome`] and is not among the lessons: those are what it
/// was given.
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
        // One error is an error; all of them are there when nothing is missing any more.
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
