//! What a search reports.

use crate::control::{Control, Counts, Reason};
use crate::{Cached, Coverage, Walks};
use allways_model::{Cursor, Fault, Lesson, Path, Violation};
use allways_store::Store;
use std::time::Duration;

/// Which bound ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time.
    Time,
    /// The memory.
    Memory,
    /// The length of paths.
    Depth,
    /// The number of states.
    States,
    /// The number of random walks.
    Walks,
    /// The caller's stop flag.
    Interrupted,
    /// An observer had seen enough.
    Observer,
    /// States on the stack, or that wait to be opened, fill the memory.
    Stack,
    /// A search with a cache visited states too often.
    Redundancy,
    /// No limit: the search came to its end, but its store may have taken new states for known ones.
    Lossy,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub enum End {
    /// Every reachable state was visited. There may be findings if the search went on after errors.
    Exhausted,
    /// A violation was met, and the search was to stop at the first.
    Violated,
    /// A limit was reached before everything was visited.
    Bounded(Limit),
    /// A limit of the model's own cut paths off; everything else was visited. What one of them would have needed.
    Cut(Fault),
    /// The model did something that the tool cannot go on from, in the state that the path leads to.
    Faulted(Fault, Path),
    /// The search has learnt something ([`Outcome::lesson`]) that changes the steps of states, so that it may
    /// have missed some: it must begin again (see [`refine`](crate::refine())). What it found stands.
    Refine,
}

/// What a search counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Distinct states visited.
    pub states: u64,
    /// Arrivals at states that were visited before.
    pub matched: u64,
    /// Arrivals in all, the one at the initial state included: `states + matched`.
    pub transitions: u64,
    /// The most steps from the initial state on any path that the search followed.
    pub depth: u64,
    /// Violations met, kept or not.
    pub errors: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The bytes of the store at the end.
    pub store_bytes: u64,
    /// The most bytes that store, side tables and stacks occupied together.
    pub total_bytes: u64,
}

/// A violation and how to get to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub violation: Violation,
    /// The steps from the initial state to the state in which it was met, and the step during which it
    /// happened, if it happened during one.
    pub path: Path,
    /// If the violation is a run that never ends: after how many steps of the path its cycle begins. The path ends where
    /// the cycle closes, in the state in which it began.
    pub cycle: Option<usize>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// What it counted.
    pub stats: Stats,
    /// The first violation of each kind, place and message, in the order in which they were met.
    pub findings: Vec<Finding>,
    /// One bit for each of the model's points: whether the search was there.
    pub reached: Vec<u64>,
    /// What random walks have seen, if the search was made of them.
    pub walks: Option<Walks>,
    /// What the cache did, if the search had one.
    pub cached: Option<Cached>,
    /// How much of the graph was seen, if a limit ended the search and [`Config::share`](crate::Config::share) is not
    /// zero.
    pub coverage: Option<Coverage>,
    /// What the search has learnt, however it ended.
    pub lesson: Lesson,
}

impl Outcome {
    /// A search that a limit ended before it began.
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

/// What is left of a worker at the end.
pub(crate) struct Remains {
    counts: Counts,
    reached: Vec<u64>,
    lesson: Lesson,
    /// What a limit of the model's own has cut off.
    cut: Option<Fault>,
}

impl Remains {
    pub(crate) fn new(counts: Counts, cursor: &mut dyn Cursor) -> Self {
        Self { counts, reached: cursor.reached(), lesson: cursor.lesson(), cut: cursor.take_cut() }
    }

    /// Two workers that visited the same states, as one: the counts are those of the one that saw more.
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

    /// Workers that counted edges instead of matched arrivals, because who followed an edge and who opened the state behind it
    /// are not the same: turns the sum of the former into the latter.
    pub(crate) fn match_edges(all: &mut [Self]) {
        let n_states: u64 = all.iter().map(|one| one.counts.states).sum();
        let n_edges: u64 = all.iter_mut().map(|one| std::mem::take(&mut one.counts.matched)).sum();
        // The initial state is arrived at without an edge. A search that was stopped may have opened states by edges not yet counted.
        all[0].counts.matched = (n_edges + 1).saturating_sub(n_states);
    }
}

/// What the workers of a search found together.
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
    pub(crate) n_errors: u64,
    pub(crate) fault: Option<(Fault, Path)>,
    pub(crate) lesson: Lesson,
    /// Whether a path was cut off at the depth limit.
    pub(crate) cut: bool,
}

/// Puts together the outcome of a search with a store.
pub(crate) fn finish<S: Store>(control: &Control, store: &S, remains: &[Remains], found: Found) -> Outcome {
    finish_with(control, (store.bytes(), store.budget().peak()), remains, found)
}

/// Puts together the outcome of a search; the bytes are those of the store at the end, and the most of all.
pub(crate) fn finish_with(
    control: &Control,
    (store_bytes, total_bytes): (u64, u64),
    remains: &[Remains],
    found: Found,
) -> Outcome {
    let mut lesson = found.lesson;
    remains.iter().for_each(|r| lesson.merge(&r.lesson));
    let cut = remains.iter().find_map(|r| r.cut.clone());
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
    let states = remains.iter().map(|r| r.counts.states).sum();
    let matched = remains.iter().map(|r| r.counts.matched).sum();
    let mut reached = Vec::new();
    for r in remains {
        reached.resize(reached.len().max(r.reached.len()), 0);
        reached.iter_mut().zip(&r.reached).for_each(|(all, one)| *all |= one);
    }
    let stats = Stats {
        states,
        matched,
        transitions: states + matched,
        depth: remains.iter().map(|r| r.counts.depth).max().unwrap_or(0),
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
