//! What a caller decides about a search.

use crate::{Coverage, Draw, Limit, Profile, StoreKind};
use allways_model::{Lessons, Model};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The searches, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Fewest switches between processes first, with one worker.
    Switches,
    /// Fewest switches first that interrupt a process which could go on, with one worker.
    Preemptions,
    /// Random walks, without a store.
    Walk,
    /// Random walks by priorities of processes: probabilistic concurrency testing.
    Pct,
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
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Dfs,
        Self::Bfs,
        Self::Switches,
        Self::Preemptions,
        Self::Walk,
        Self::Pct,
        Self::Ndfs,
        Self::Cndfs,
        Self::Map,
        Self::Scc,
    ];

    /// The name that people give and read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dfs => "dfs",
            Self::Bfs => "bfs",
            Self::Switches => "switches",
            Self::Preemptions => "preemptions",
            Self::Walk => "walk",
            Self::Pct => "pct",
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

    /// Whether the search finds cycles through accepting states. Others see states and steps only.
    #[must_use]
    pub fn finds_cycles(self) -> bool {
        matches!(self, Self::Ndfs | Self::Cndfs | Self::Map | Self::Scc)
    }

    /// Whether the search has one worker, however many were given.
    #[must_use]
    pub fn is_sequential(self) -> bool {
        matches!(self, Self::Switches | Self::Preemptions | Self::Ndfs | Self::Scc)
    }

    /// How the next step is drawn, if the search goes at random and keeps no states. Then it is never
    /// exhausted.
    #[must_use]
    pub fn draw(self, bug_depth: u32) -> Option<Draw> {
        match self {
            Self::Walk => Some(Draw::Uniform),
            Self::Pct => Some(Draw::Priorities(bug_depth)),
            _ => None,
        }
    }

    /// Whether it matters to the search whose steps they are.
    #[must_use]
    pub fn tells_actors_apart(self) -> bool {
        matches!(self, Self::Switches | Self::Preemptions | Self::Pct)
    }

    /// Whether the search needs a store that gives states back. Others run with a lossy store as well.
    #[must_use]
    pub fn needs_recall(self) -> bool {
        matches!(self, Self::Cndfs | Self::Map | Self::Scc | Self::Switches | Self::Preemptions)
    }
}

/// Bounds on a search. Reaching one ends it as [`End::Bounded`](crate::End::Bounded).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may take.
    pub time: Option<Duration>,
    /// How many bytes store, side tables and stacks may occupy together. [`search`](crate::search) gives it
    /// to the store that it makes; a store that a caller makes has it in its budget.
    pub memory: Option<u64>,
    /// How many steps a path may have. The search goes on beside the paths that it cuts off.
    pub depth: Option<u64>,
    /// How many states it may visit.
    pub states: Option<u64>,
}

impl Limits {
    /// No limit at all.
    pub const NONE: Self = Self { time: None, memory: None, depth: None, states: None };
}

/// What a caller decides about random walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkPlan {
    /// How many there may be; then the search ends as [`Limit::Walks`](crate::Limit::Walks).
    pub most: Option<u64>,
    /// Another number gives other walks.
    pub seed: u64,
    /// For walks by priorities: the depth of the errors that are looked for, at least one.
    pub bug_depth: u32,
}

impl Default for WalkPlan {
    fn default() -> Self {
        Self { most: None, seed: 0, bug_depth: 3 }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Since the search began.
    pub elapsed: Duration,
    /// Distinct states visited.
    pub states: u64,
    /// Edges traversed.
    pub transitions: u64,
    /// The most steps from the initial state so far.
    pub depth: u64,
    /// States known but not yet expanded; for a depth-first search, those on its stack.
    pub frontier: u64,
    /// How many of the states are distinct, if the search may visit some again: an estimate, some thousand
    /// states old.
    pub distinct: Option<u64>,
    /// The bytes of store, side tables and stacks.
    pub bytes: u64,
    /// How much of the graph was seen, as far as walks beside the search say.
    pub coverage: Option<Coverage>,
}

/// What a caller decides about a search.
#[derive(Clone, Copy)]
pub struct Config<'a> {
    /// How many threads; at least one.
    pub workers: usize,
    /// Where [`search`](crate::search) keeps the states; other searches are given their store.
    pub store: StoreKind,
    /// Whether to go on after a violation, through the whole graph.
    pub all_errors: bool,
    /// Whether to leave out steps that a cursor's [`expand_some`](allways_model::Cursor::expand_some) leaves
    /// out. Every violation that can be found is found all the same, but counts and paths depend on the
    /// search.
    pub reduce: bool,
    /// Whether to let processes sleep (see [`asleep`](allways_model::asleep)) where the model and the search
    /// can: depth first and breadth first, with a store that gives states back. The same states are visited,
    /// and the same steps counted; an [`Observer`](crate::Observer) sees how many steps sleepers have, not
    /// which.
    pub sleep: bool,
    /// The bounds.
    pub limits: Limits,
    /// How many per cent of the time, the memory and the states are for walks that estimate how much of the graph an
    /// unfinished search has seen. Without any there is no estimate.
    pub share: u32,
    /// Whether the search is repeated if the limit of states ends it: then nothing is left of that, nor estimated.
    pub trial: bool,
    /// For searches that go at random.
    pub walks: WalkPlan,
    /// Ends the search as interrupted once it is true.
    pub stop: Option<&'a AtomicBool>,
    /// Ends the search as out of memory once it is true: what the search itself counts is not all that a
    /// process occupies.
    pub full: Option<&'a AtomicBool>,
    /// How many findings to keep, each with its path; violations beyond are only counted.
    pub max_findings: usize,
    /// Called about twice a second, on the thread that called the search.
    pub progress: Option<&'a dyn Fn(&Sample)>,
    /// Called, as [`Config::progress`], if workers still run this long after a limit ([`OVERRUN`]) has ended
    /// the search: they are inside something that asks no [`Limiter`](allways_model::Limiter). The caller may
    /// end the process.
    pub overrun: Option<&'a Overrun<'a>>,
    /// What earlier searches of the model have learnt; [`refine`](crate::refine()) fills it in.
    pub lessons: &'a Lessons,
    /// Where [`search`](crate::search) counts and times what it does, if somebody wants to know.
    pub profile: Option<&'a Profile>,
}

/// What is called when a search cannot stop: with how far it has come, and the limit.
pub type Overrun<'a> = dyn Fn(&Sample, Limit) + 'a;

/// Searches stop well within this time.
pub const OVERRUN: Duration = Duration::from_millis(250);

impl Config<'_> {
    /// Whether processes of a model sleep.
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
