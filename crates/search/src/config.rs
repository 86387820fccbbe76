//! The settings of a search: strategy, store, limits and callbacks.

use crate::{Coverage, Draw, Limit, Profile, StoreKind};
use allways_model::{Lessons, Model};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The search strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Fewest switches between processes first, with one worker.
    Switches,
    /// Fewest preemptions first, with one worker. A preemption is a switch away from a process that could go
    /// on.
    Preemptions,
    /// Random walks, without a store.
    Walk,
    /// Random walks with process priorities: probabilistic concurrency testing.
    Pct,
    /// Breadth first to a share of the limits, then at random, to estimate how much was seen; with one
    /// worker.
    Survey,
    /// The same, but depth first to begin with.
    SurveyDfs,
    /// Nested depth first: finds accepting cycles, with one worker.
    Ndfs,
    /// Nested depth first with many workers.
    Cndfs,
    /// Maximal accepting predecessors, breadth first: finds accepting cycles, with many workers.
    Map,
    /// Strongly connected components, depth first: finds accepting cycles, with one worker.
    Scc,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 12] = [
        Self::Dfs,
        Self::Bfs,
        Self::Switches,
        Self::Preemptions,
        Self::Walk,
        Self::Pct,
        Self::Survey,
        Self::SurveyDfs,
        Self::Ndfs,
        Self::Cndfs,
        Self::Map,
        Self::Scc,
    ];

    /// The name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dfs => "dfs",
            Self::Bfs => "bfs",
            Self::Switches => "switches",
            Self::Preemptions => "preemptions",
            Self::Walk => "walk",
            Self::Pct => "pct",
            Self::Survey => "survey",
            Self::SurveyDfs => "survey-dfs",
            Self::Ndfs => "ndfs",
            Self::Cndfs => "cndfs",
            Self::Map => "map",
            Self::Scc => "scc",
        }
    }

    /// The search with this [name](Strategy::name).
    ///
    /// ```
    /// use allways_search::Strategy;
    ///
    /// assert_eq!(Strategy::named("bfs"), Some(Strategy::Bfs));
    /// assert!(Strategy::ALL.into_iter().all(|one| Strategy::named(one.name()) == Some(one)));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Whether the search finds cycles through accepting states. Other searches check only states and steps.
    #[must_use]
    pub fn finds_cycles(self) -> bool {
        matches!(self, Self::Ndfs | Self::Cndfs | Self::Map | Self::Scc)
    }

    /// Whether the search always runs with one worker.
    #[must_use]
    pub fn is_sequential(self) -> bool {
        self.is_survey() || matches!(self, Self::Switches | Self::Preemptions | Self::Ndfs | Self::Scc)
    }

    /// Whether the search has two phases, of which [`Config::share`] is for the first.
    #[must_use]
    pub fn is_survey(self) -> bool {
        matches!(self, Self::Survey | Self::SurveyDfs)
    }

    /// How the next step of a random walk is drawn; `None` for searches that keep states. Random walks are
    /// never exhausted.
    #[must_use]
    pub fn draw(self, bug_depth: u32) -> Option<Draw> {
        match self {
            Self::Walk => Some(Draw::Uniform),
            Self::Pct => Some(Draw::Priorities(bug_depth)),
            _ => None,
        }
    }

    /// Whether the search depends on which process takes a step.
    #[must_use]
    pub fn tells_actors_apart(self) -> bool {
        matches!(self, Self::Switches | Self::Preemptions | Self::Pct)
    }

    /// Whether the search needs a store that can return states. The other searches also run with a lossy
    /// store.
    #[must_use]
    pub fn needs_recall(self) -> bool {
        self.is_survey()
            || matches!(self, Self::Cndfs | Self::Map | Self::Scc | Self::Switches | Self::Preemptions)
    }
}

/// Bounds on a search. Reaching one ends it as [`End::Bounded`](crate::End::Bounded).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest time that it may take.
    pub time: Option<Duration>,
    /// The most bytes that store, side tables and stacks may occupy together. [`search`](crate::search)
    /// passes this limit to the store that it makes. A caller that makes a store sets the limit in the
    /// store's budget.
    pub memory: Option<u64>,
    /// The most steps that a path may have. The search cuts off longer paths and explores the others.
    pub depth: Option<u64>,
    /// The most states that it may visit.
    pub states: Option<u64>,
}

impl Limits {
    /// No limits.
    pub const NONE: Self = Self { time: None, memory: None, depth: None, states: None };
}

/// The settings of random walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkPlan {
    /// The most walks to run. Reaching it ends the search as [`Limit::Walks`](crate::Limit::Walks).
    pub most: Option<u64>,
    /// The seed of the random numbers. Different seeds give different walks.
    pub seed: u64,
    /// For walks by priorities: the depth of the errors to search for, at least one.
    pub bug_depth: u32,
    /// For a search in two phases: how many states the second draws at a time.
    pub round_robin: u32,
}

impl Default for WalkPlan {
    fn default() -> Self {
        Self { most: None, seed: 0, bug_depth: 3, round_robin: 1 }
    }
}

/// A snapshot of a search's progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The time since the search began.
    pub elapsed: Duration,
    /// Distinct states visited.
    pub states: u64,
    /// Edges traversed.
    pub transitions: u64,
    /// The greatest number of steps from the initial state so far.
    pub depth: u64,
    /// States stored but not yet expanded; for a depth-first search, the states on its stack.
    pub frontier: u64,
    /// The number of distinct states, if the search may visit states again: an estimate, up to some thousand
    /// states old.
    pub distinct: Option<u64>,
    /// The bytes of store, side tables and stacks.
    pub bytes: u64,
    /// An estimate of how much of the graph was seen, from walks that run alongside the search.
    pub coverage: Option<Coverage>,
}

/// The settings of a search.
#[derive(Clone, Copy)]
pub struct Config<'a> {
    /// The number of threads, at least one.
    pub workers: usize,
    /// The store that [`search`](crate::search) makes. The other functions take a store as an argument.
    pub store: StoreKind,
    /// Whether to continue through the whole graph after a violation.
    pub all_errors: bool,
    /// Whether to omit the steps that a cursor's [`expand_some`](allways_model::Cursor::expand_some) omits.
    /// The search still finds a violation if there is one, but counts and paths depend on the search.
    pub reduce: bool,
    /// Whether to use sleep sets (see [`asleep`](allways_model::asleep)) where the model and the search
    /// support them: depth first and breadth first, with a store that can return states. The search visits
    /// the same states and counts the same steps. An [`Observer`](crate::Observer) sees only the number of
    /// steps of sleepers.
    pub sleep: bool,
    /// The bounds on the search.
    pub limits: Limits,
    /// The percentage of the time, memory and state limits reserved for walks that estimate how much of the
    /// graph an unfinished search has seen; for a search in two phases, the percentage for the first phase.
    /// Zero means no estimate.
    pub share: u32,
    /// Whether the caller repeats the search if the limit on states ends it. If so, this search reserves
    /// nothing and estimates nothing.
    pub trial: bool,
    /// The settings of random walks.
    pub walks: WalkPlan,
    /// Ends the search as interrupted once it is true.
    pub stop: Option<&'a AtomicBool>,
    /// Ends the search as out of memory once it is true. The caller sets it from the memory of the whole
    /// process, of which the search itself counts only a part.
    pub full: Option<&'a AtomicBool>,
    /// The most findings to keep, each with its path. Further violations are only counted.
    pub max_findings: usize,
    /// Called about twice a second, on the thread that called the search.
    pub progress: Option<&'a dyn Fn(&Sample)>,
    /// Called, on the same thread as [`Config::progress`], if workers are still running [`OVERRUN`] after a
    /// limit has ended the search. They are then inside an operation that does not ask the
    /// [`Limiter`](allways_model::Limiter). The caller may end the process.
    pub overrun: Option<&'a Overrun<'a>>,
    /// The lessons of earlier searches of the model, set by [`refine`](crate::refine()).
    pub lessons: &'a Lessons,
    /// Where [`search`](crate::search) records counts and times, if they are wanted.
    pub profile: Option<&'a Profile>,
}

/// The callback for a search that does not stop: its arguments are the progress of the search and the limit.
pub type Overrun<'a> = dyn Fn(&Sample, Limit) + 'a;

/// The time after a limit within which a search should have stopped; searches normally need far less.
pub const OVERRUN: Duration = Duration::from_millis(250);

impl Config<'_> {
    /// Whether the search uses sleep sets for `model`.
    pub(crate) fn lets_sleep(&self, model: &dyn Model) -> bool {
        self.sleep && !self.reduce && model.has_sleepers()
    }

    /// A search that ends at the first violation and has no limits.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        Self {
            workers,
            store: StoreKind::Exact,
            all_errors: false,
            reduce: false,
            sleep: false,
            limits: Limits::NONE,
            share: 0,
            trial: false,
            walks: WalkPlan::default(),
            stop: None,
            full: None,
            max_findings: 16,
            progress: None,
            overrun: None,
            lessons: Lessons::none(),
            profile: None,
        }
    }
}
