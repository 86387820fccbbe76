//! The result of a search: how it ended, what it counted, and what it found.

use crate::control::{Control, Counts, Reason};
use crate::{Cached, Coverage, Walks};
use allways_model::{Cursor, Fault, Lesson, Path, Violation};
use allways_store::Store;
use std::time::Duration;

/// The bound that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The limit on the length of paths.
    Depth,
    /// The limit on the number of states.
    States,
    /// The limit on the number of random walks.
    Walks,
    /// The caller set its stop flag.
    Interrupted,
    /// An observer ended the search.
    Observer,
    /// States on the stack and states that wait to be opened fill the memory.
    Stack,
    /// A search with a cache visited states too often.
    Redundancy,
    /// No limit was reached: the search explored everything, but its lossy store may have taken new states
    /// for known ones.
    Lossy,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub enum End {
    /// Every reachable state was visited. There may be findings if the search continued after violations.
    Exhausted,
    /// A violation was met, and the search was to stop at the first.
    Violated,
    /// A limit was reached before everything was visited.
    Bounded(Limit),
    /// A limit inside the model cut off paths, and everything else was visited. The fault says what one of
    /// these paths needed.
    Cut(Fault),
    /// The model reached a fault, after which the tool cannot continue, in the state at the end of the path.
    Faulted(Fault, Path),
    /// The search has learnt a lesson ([`Outcome::lesson`]) that changes the steps of states, so it may have
    /// missed some and must be repeated (see [`refine`](crate::refine())). Its findings are still valid.
    Refine,
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Distinct states visited.
    pub states: u64,
    /// Arrivals at states that were visited before.
    pub matched: u64,
    /// Arrivals in all, the one at the initial state included: `states + matched`.
    pub transitions: u64,
    /// The greatest number of steps from the initial state on any path that the search followed.
    pub depth: u64,
    /// Violations met, whether kept as findings or not.
    pub errors: u64,
    /// The elapsed time.
    pub elapsed: Duration,
    /// The bytes of the store at the end.
    pub store_bytes: u64,
    /// The greatest number of bytes that store, side tables and stacks occupied together.
    pub total_bytes: u64,
}

/// A violation with the path to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The violation.
    pub violation: Violation,
    /// The steps from the initial state to the state in which it was met. If it happened during a step, that
    /// step is the last.
    pub path: Path,
    /// If the violation is an infinite run: the number of steps of the path before its cycle. The path ends
    /// where the cycle closes, in the state in which the cycle begins.
    pub cycle: Option<usize>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// What it counted.
    pub stats: Stats,
    /// The first violation of each identity ([`ViolationId`](allways_model::ViolationId)), in the order in
    /// which they were met.
    pub findings: Vec<Finding>,
    /// One bit for each of the model's points: whether the search reached it.
    pub reached: Vec<u64>,
    /// The statistics of random walks, if the search was one.
    pub walks: Option<Walks>,
    /// The statistics of the cache, if the search had one.
    pub cached: Option<Cached>,
    /// An estimate of how much of the graph was seen, if a limit ended the search and
    /// [`Config::share`](crate::Config::share) is not zero.
    pub coverage: Option<Coverage>,
    /// The lesson that the search has learnt, however it ended.
    pub lesson: Lesson,
}

impl Outcome {
    /// The outcome of a search that a limit ended before it began.
    pub(crate) fn nothing(limit: Limit) -> Self {
        let stats = Stats::default();
        Self {
            end: End::Bounded(limit),
            stats,
            findings: Vec::new(),
            reached: Vec::new(),
            walks: None,
            cached: None,
            coverage: None,
            lesson: Lesson::new(),
        }
    }
}

/// The result of one worker.
pub(crate) struct WorkerResult {
    counts: Counts,
    reached: Vec<u64>,
    lesson: Lesson,
    /// The fault of a path that a limit inside the model has cut off.
    cut: Option<Fault>,
}

impl WorkerResult {
    pub(crate) fn new(counts: Counts, cursor: &mut dyn Cursor) -> Self {
        Self { counts, reached: cursor.reached(), lesson: cursor.lesson(), cut: cursor.take_cut() }
    }

    /// Merges the results of two workers that searched the same states independently. The counts are those of
    /// the worker that saw more.
    pub(crate) fn merge(self, other: Self) -> Self {
        let (mut more, less) =
            if self.counts.states >= other.counts.states { (self, other) } else { (other, self) };
        more.counts.depth = more.counts.depth.max(less.counts.depth);
        more.lesson.merge(&less.lesson);
        more.cut = more.cut.or(less.cut);
        more.reached.resize(more.reached.len().max(less.reached.len()), 0);
        more.reached.iter_mut().zip(&less.reached).for_each(|(all, one)| *all |= one);
        more
    }

    /// Converts edge counts to matched arrivals, for searches whose workers store the number of edges in
    /// `matched`. They do so because the worker that follows an edge may not be the one that opens its
    /// target.
    pub(crate) fn match_edges(all: &mut [Self]) {
        let n_states: u64 = all.iter().map(|one| one.counts.states).sum();
        let n_edges: u64 = all.iter_mut().map(|one| std::mem::take(&mut one.counts.matched)).sum();
        // The initial state is reached without an edge. A search that was stopped may have opened states by
        // edges that it has not counted yet.
        all[0].counts.matched = (n_edges + 1).saturating_sub(n_states);
    }
}

/// The combined findings of the workers of a search.
pub(crate) struct SearchFindings {
    pub(crate) findings: Vec<Finding>,
    pub(crate) n_errors: u64,
    pub(crate) fault: Option<(Fault, Path)>,
    pub(crate) lesson: Lesson,
    /// Whether a path was cut off at the depth limit.
    pub(crate) cut: bool,
}

/// The outcome of a search with a store.
pub(crate) fn finish<S: Store>(
    control: &Control,
    store: &S,
    worker_results: &[WorkerResult],
    found: SearchFindings,
) -> Outcome {
    finish_with(control, (store.bytes(), store.budget().peak()), worker_results, found)
}

/// The outcome of a search. The bytes are those of the store at the end, and the peak of everything.
pub(crate) fn finish_with(
    control: &Control,
    (store_bytes, total_bytes): (u64, u64),
    worker_results: &[WorkerResult],
    found: SearchFindings,
) -> Outcome {
    let mut lesson = found.lesson;
    worker_results.iter().for_each(|r| lesson.merge(&r.lesson));
    let cut = worker_results.iter().find_map(|r| r.cut.clone());
    let end = match (control.reason(), found.fault) {
        (Some(Reason::Fault), Some((fault, path))) => End::Faulted(fault, path),
        (Some(Reason::Violation), _) => End::Violated,
        (Some(Reason::Limit(limit)), _) => End::Bounded(limit),
        (Some(Reason::Refine), _) => End::Refine,
        (None, _) if found.cut => End::Bounded(Limit::Depth),
        (None, _) if !lesson.is_empty() => End::Refine,
        (None, _) => cut.map_or(End::Exhausted, End::Cut),
        (Some(Reason::Fault | Reason::Panic), _) => unreachable!("a fault is noted, a panic is passed on"),
    };
    let states = worker_results.iter().map(|r| r.counts.states).sum();
    let matched = worker_results.iter().map(|r| r.counts.matched).sum();
    let mut reached = Vec::new();
    for r in worker_results {
        reached.resize(reached.len().max(r.reached.len()), 0);
        reached.iter_mut().zip(&r.reached).for_each(|(all, one)| *all |= one);
    }
    let stats = Stats {
        states,
        matched,
        transitions: states + matched,
        depth: worker_results.iter().map(|r| r.counts.depth).max().unwrap_or(0),
        errors: found.n_errors,
        elapsed: control.elapsed(),
        store_bytes,
        total_bytes,
    };
    Outcome {
        end,
        stats,
        findings: found.findings,
        reached,
        walks: None,
        cached: None,
        coverage: None,
        lesson,
    }
}
