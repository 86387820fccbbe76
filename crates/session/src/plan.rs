//! How a model is searched, and who watches.

use crate::memory;
use allways_search::{Limits, Observer, Overrun, Sample, StoreKind, Strategy, WalkPlan};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How a model is searched. The default is what suits the model, with all cores and all free memory.
///
/// ```
/// use allways_session::{Plan, Strategy};
///
/// let plan = Plan { search: Some(Strategy::Bfs), workers: 1, ..Plan::default() };
/// assert!(plan.limits.time.is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The search; `None` for the one that suits the property.
    pub search: Option<Strategy>,
    /// Whether the property was asked for by name, so that a search that cannot decide it is an error.
    pub is_wanted: bool,
    /// The store; `None` for the one that suits the language.
    pub store: Option<StoreKind>,
    /// The number of threads.
    pub workers: usize,
    /// Go on after a violation, through the whole graph.
    pub all_errors: bool,
    /// Do not tell interchangeable processes of a Promela model apart.
    pub symmetry: bool,
    /// Shorten counterexamples of runs that never end.
    pub shortest: bool,
    /// The bounds. The time is that of all checks together: see [`Plan::spent`].
    pub limits: Limits,
    /// How many per cent of the time, the memory and the states are for an estimate of how much an unfinished
    /// search has seen; of a search in two phases, for the first. `None` is what suits the search.
    pub share: Option<u32>,
    /// How much of the time other checks have taken already.
    pub spent: Duration,
    /// For random walks.
    pub walks: WalkPlan,
    /// Count and time what the search does.
    pub profile: bool,
    /// Follow every step that the reductions leave: no process sleeps. Observers then see all steps.
    pub every_step: bool,
    /// A certificate has the keys of steps to new states, so that they can be taken without the others.
    pub keys: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            search: None,
            is_wanted: false,
            store: None,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            all_errors: false,
            symmetry: false,
            shortest: false,
            limits: Limits { memory: memory::default_limit(), ..Limits::NONE },
            share: None,
            spent: Duration::ZERO,
            walks: WalkPlan::default(),
            profile: false,
            every_step: false,
            keys: false,
        }
    }
}

impl Plan {
    /// Whether the search goes at random.
    #[must_use]
    pub fn is_walk(&self) -> bool {
        matches!(self.search, Some(Strategy::Walk | Strategy::Pct))
    }

    /// The share of the limits, by the search.
    pub(crate) fn share(&self) -> u32 {
        self.share.unwrap_or(if self.search.is_some_and(Strategy::is_survey) { 60 } else { 10 })
    }

    /// The bounds with what is left of the time in a check that began at `begun`.
    pub(crate) fn limits_left(&self, begun: Instant) -> Limits {
        let time = self.limits.time.map(|time| time.saturating_sub(self.spent + begun.elapsed()));
        Limits { time, ..self.limits }
    }
}

/// Who watches a search while it runs.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Ends the search as interrupted once it is true.
    pub stop: Option<&'a AtomicBool>,
    /// Ends the search as out of memory once it is true.
    pub full: Option<&'a AtomicBool>,
    /// Set when the search meets a violation.
    pub found: Option<&'a AtomicBool>,
    /// Called about twice a second.
    pub progress: Option<&'a dyn Fn(&Sample)>,
    /// See what the search does: each is called for every state, step and violation, from all workers at once
    /// (for every step of a Java program with [`Plan::every_step`]). [`Observer`] says what it sees, and
    /// that [`Observer::round`] voids what was seen before. States are those of
    /// [`Session::with_model`](crate::Session::with_model) (with symmetry, one of each set of states that
    /// are alike). Whether observers are there makes no difference to what a search finds; the search is
    /// slower for those that [watch](Observer::watches).
    ///
    /// ```
    /// use allways_session::{Expanded, Observer, Plan, Request, Session, StateRef, Steps, Watch};
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// /// Counts states that no step leads on from.
    /// #[derive(Default)]
    /// struct Ends(AtomicU64);
    ///
    /// impl Observer for Ends {
    ///     fn steps(&self, _: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
    ///         self.0.fetch_add(u64::from(steps.is_empty()), Ordering::Relaxed);
    ///         ControlFlow::Continue(())
    ///     }
    /// }
    ///
    /// let file = std::env::temp_dir().join("observers-doc.pml");
    /// std::fs::write(&file, "byte x; active proctype p() { if :: x = 1 :: x = 2 fi }").unwrap();
    /// let session = Session::open(Request::new(&file)).unwrap();
    /// let ends = Ends::default();
    /// let watch = Watch { observers: &[&ends], ..Watch::default() };
    /// let checked = session.check(&Plan::default(), &watch).unwrap();
    /// assert_eq!((checked.check.figures.states, ends.0.into_inner()), (5, 2));
    /// ```
    pub observers: &'a [&'a dyn Observer],
    /// Called if the search cannot stop soon after a limit has ended it; the caller may end the process.
    pub overrun: Option<&'a Overrun<'a>>,
}
