//! The worker of `bfs` and of `dfs` with several workers: it expands states, and owns those that it stores
//! first.
//!
//! Several states are expanded into one batch, so that the store can overlap the memory accesses of more
//! entries. The predecessor of each new state is recorded in a side table before the worker passes the state
//! on, so a path to it can always be traced.
//!
//! With [`Config::reduce`], a state is first expanded only as far as its cursor considers sufficient, and
//! further only while all resulting steps lead to states that are already *begun*. The searches define
//! *begun* differently:
//!
//! - `dfs` begins a state just before it expands it ([`Worker::visit`]), with a fence before the marks of its
//!   successors are read. If one state sees that another is not begun, then its fence is before the other's.
//!   So from every state that is expanded in part, at least one step leads to a state with a later fence,
//!   whichever worker expands it. Which states are expanded in part depends on timing.
//! - `bfs` begins all states of a level before it expands any of them ([`Worker::begin_level`]). So a
//!   successor that is not begun belongs to the next level, whichever worker stored it, and from every state
//!   that is expanded in part, at least one step leads one level further. Which states are expanded in part
//!   depends only on the levels, so reduced counts are the same with any number of workers.
//!
//! In both cases no step is deferred indefinitely, by induction over the fences, or the levels, from the last
//! one back. The last state is expanded as a whole. A step that an earlier state omits is still enabled after
//! the steps that the state takes, because those steps form a persistent set; so it is taken at a successor
//! with a later fence or level, or deferred there and taken later.

use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, Steps, ended};
use crate::outcome::{WorkerResult, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome, trail};
use allways_model::{Asleep, Batch, Cursor, Halt, Model};
use allways_store::marks::{Bits, Links};
use allways_store::{Recall, Seen, StateRef, Writer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed, Ordering::SeqCst, fence};

/// A batch is inserted when it has this many entries, or this many states were expanded into it.
const MAX_ENTRIES: usize = 64;
const MAX_SOURCES: usize = 16;

/// The state that all workers of a search share.
pub(crate) struct WorkerShared<'a, S, O> {
    pub(crate) subject: Subject<'a>,
    pub(crate) store: &'a S,
    pub(crate) observer: &'a O,
    pub(crate) control: Control,
    pub(crate) ledger: Ledger<StateRef>,
    parents: Links,
    /// The states that are begun, if steps may be omitted.
    begun: Option<Bits>,
    pub(crate) sleep: bool,
    all_errors: bool,
    max_depth: u64,
    /// Whether a path was cut off at the depth limit.
    cut: AtomicBool,
    /// Whether a violation during a step is held back until no violation in a state of the same depth, whose
    /// path is shorter, can follow.
    shortest: bool,
    /// Whether such a violation was met. From then on states are still expanded, but their successors are not
    /// stored.
    closing: AtomicBool,
}

/// A state that was expanded into the current batch.
#[derive(Clone, Copy)]
struct BatchSource {
    state: StateRef,
    depth: u32,
    /// The end of its successors in the batch. They begin at the end of the previous source's.
    end: usize,
    before: Before,
    how: Expanded,
}

/// What earlier expansions of a state have already handled.
#[derive(Clone, Copy, Default)]
struct Before {
    /// The numbers of successors counted, of violations noted, and of expansions.
    n_counted: usize,
    n_noted: usize,
    n_rounds: usize,
}

/// One worker.
pub(crate) struct Worker<'a, S: Recall + 'a, O> {
    pub(crate) shared: &'a WorkerShared<'a, S, O>,
    pub(crate) counts: Counts,
    idx: usize,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    sources: Vec<BatchSource>,
    /// Sources that must be expanded further.
    again: Vec<BatchSource>,
    /// Whether an observer sees states and steps. `one_by_one` says that it needs all calls for one state
    /// together.
    is_watched: bool,
    one_by_one: bool,
}

impl<'a, S: Recall, O: Observer> WorkerShared<'a, S, O> {
    pub(crate) fn new(
        model: &'a dyn Model,
        store: &'a S,
        observer: &'a O,
        config: &Config<'a>,
        shortest: bool,
    ) -> Self {
        Self {
            subject: Subject::new(model, config.lessons),
            store,
            observer,
            control: Control::new(config, store.budget()),
            ledger: Ledger::new(config.all_errors, config.max_findings),
            parents: Links::new(store.budget()),
            begun: config.reduce.then(|| Bits::new(store.budget())),
            sleep: config.lets_sleep(model),
            all_errors: config.all_errors,
            max_depth: config.limits.depth.unwrap_or(u64::MAX),
            cut: AtomicBool::new(false),
            shortest,
            closing: AtomicBool::new(false),
        }
    }

    /// Whether a violation was met to which no state of a greater depth has a shorter path.
    pub(crate) fn closing(&self) -> bool {
        self.closing.load(Relaxed)
    }

    /// Combines the results of the workers.
    pub(crate) fn finish(self, worker_results: Vec<WorkerResult>) -> Outcome {
        let path = |at: Option<StateRef>, last| {
            let way = at.map_or(Vec::new(), |at| trail::way_to(&self.parents, at));
            trail::path_along(self.subject, self.store, &way, last)
        };
        let found = self.ledger.into_found(self.cut.load(Relaxed), path);
        ended(self.observer, finish(&self.control, self.store, &worker_results, found))
    }
}
impl<'a, S: Recall, O: Observer> Worker<'a, S, O> {
    pub(crate) fn new(shared: &'a WorkerShared<'a, S, O>, idx: usize) -> Self {
        let is_watched = shared.observer.watches();
        Self {
            shared,
            counts: Counts::default(),
            idx,
            cursor: shared.subject.limited_cursor(&shared.control),
            writer: shared.store.writer(),
            batch: Batch::new(),
            seen: Vec::new(),
            sources: Vec::new(),
            again: Vec::new(),
            is_watched,
            one_by_one: is_watched && (shared.begun.is_some() || shared.observer.state_by_state()),
        }
    }

    /// Stores the initial state.
    pub(crate) fn begin(&mut self) -> Result<StateRef, Stop> {
        self.batch.clear();
        let halt = self.cursor.initial(&mut self.batch).err();
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        self.shared.control.afford(stored)?;
        let initial = self.seen.first().map(|seen| seen.state);
        if let Some(halt) = halt {
            return Err(self.fail(halt, initial));
        }
        let initial = initial.expect("a model has an initial state");
        self.counts.states += 1;
        self.note_violations(initial, 0, 0)?;
        self.batch.clear();
        Ok(initial)
    }

    /// Marks all states of a level as begun, before any of them is expanded by [`Worker::visit_begun`].
    pub(crate) fn begin_level(&self, states: &[StateRef]) -> Result<(), Stop> {
        let Some(begun) = &self.shared.begun else { return Ok(()) };
        states.iter().try_for_each(|&state| self.shared.control.afford(begun.insert(state)).map(|_| ()))
    }

    /// Marks `state` as begun and expands it. The next [`Worker::flush`] stores its successors.
    pub(crate) fn visit(&mut self, state: StateRef, depth: u32, asleep: Asleep) -> Result<(), Stop> {
        if let Some(begun) = &self.shared.begun {
            self.shared.control.afford(begun.insert(state))?;
        }
        self.visit_begun(state, depth, asleep)
    }

    /// Expands `state`, which is already begun if steps may be omitted.
    pub(crate) fn visit_begun(&mut self, state: StateRef, depth: u32, asleep: Asleep) -> Result<(), Stop> {
        self.expand(state, depth, asleep, Before::default())
    }

    /// Expands a state, by one round more than in earlier expansions.
    fn expand(&mut self, state: StateRef, depth: u32, asleep: Asleep, before: Before) -> Result<(), Stop> {
        let shared = self.shared;
        if shared.control.stopped() {
            return Err(Stop);
        }
        let vector = self.writer.open(state, self.batch.len());
        if before.n_rounds == 0 {
            shared.control.heed(shared.observer.state(state, vector))?;
        }
        let (n_entries, n_violations) = (self.batch.len(), self.batch.violations().len());
        let n_known = self.batch.n_known();
        self.cursor.load(vector);
        let mut expanded = if shared.sleep {
            self.cursor.expand_awake(asleep, &mut self.batch).map(|()| true)
        } else if shared.begun.is_none() {
            self.cursor.expand(&mut self.batch).map(|()| true)
        } else {
            self.cursor.expand_some(&mut self.batch)
        };
        for _ in 0..before.n_rounds {
            if let Ok(false) = expanded {
                expanded = self.cursor.expand_some(&mut self.batch);
            }
        }
        let n_noted = self.batch.violations().len() - n_violations;
        if n_noted > before.n_noted {
            self.note_violations(state, depth, n_violations + before.n_noted)?;
        }
        let complete = expanded.map_err(|halt| self.fail(halt, Some(state)))?;
        let leads_on = self.batch.len() > n_entries || self.batch.n_known() > n_known;
        let too_deep = u64::from(depth) >= shared.max_depth && leads_on;
        if too_deep {
            shared.cut.store(true, Relaxed);
        }
        let mut how = if complete { Expanded::Whole } else { Expanded::Part };
        if too_deep || shared.closing() {
            self.batch.truncate(n_entries);
            self.batch.truncate_known(n_known);
            how = Expanded::Cut;
        }
        let before = Before { n_noted, n_rounds: before.n_rounds + 1, ..before };
        self.sources.push(BatchSource { state, depth, end: self.batch.len(), before, how });
        Ok(())
    }

    /// Whether the caller should call [`Worker::flush`] now.
    #[inline]
    pub(crate) fn is_loaded(&self) -> bool {
        let n_sources = self.sources.len();
        self.batch.len() >= MAX_ENTRIES || n_sources >= MAX_SOURCES || self.one_by_one
    }

    /// Stores the successors of the states visited since the last call, and passes the new ones to `pass_on`.
    pub(crate) fn flush(&mut self, mut pass_on: impl FnMut(StateRef, u32, Asleep)) -> Result<(), Stop> {
        loop {
            self.store_batch(&mut pass_on)?;
            if self.again.is_empty() {
                return self.shared.control.check_states(self.idx, self.counts.states, 0);
            }
            for source in std::mem::take(&mut self.again) {
                self.expand(source.state, source.depth, Asleep::NONE, source.before)?;
            }
        }
    }

    fn store_batch(&mut self, pass_on: &mut impl FnMut(StateRef, u32, Asleep)) -> Result<(), Stop> {
        let WorkerShared { control, observer, parents, begun, .. } = self.shared;
        let stored = self.writer.insert(&mut self.batch, &mut self.seen);
        control.afford(stored)?;
        if begun.is_some() {
            fence(SeqCst);
        }
        self.counts.matched += self.batch.n_known();
        let mut start = 0;
        for source in &self.sources {
            let first = start + source.before.n_counted.min(source.end - start);
            for idx in first..source.end {
                let Seen { state, new } = self.seen[idx];
                if new {
                    control.afford(parents.set(state, source.state))?;
                    self.counts.states += 1;
                    self.counts.depth = self.counts.depth.max(u64::from(source.depth) + 1);
                    pass_on(state, source.depth + 1, self.batch.asleep(idx));
                } else {
                    self.counts.matched += 1;
                }
            }
            if self.is_watched {
                let known = self.batch.n_known();
                let steps = Steps::new(&self.batch, &self.seen, first..source.end, known);
                control.heed(observer.steps(source.state, &steps, source.how))?;
            }
            let successors = &self.seen[start..source.end];
            let is_begun = |state: StateRef| begun.as_ref().is_some_and(|begun| begun.contains(state));
            if source.how != Expanded::Part || successors.iter().any(|seen| !is_begun(seen.state)) {
                control.heed(observer.close(source.state))?;
            } else {
                let before = Before { n_counted: source.end - start, ..source.before };
                self.again.push(BatchSource { before, ..*source });
            }
            start = source.end;
        }
        self.batch.clear();
        self.sources.clear();
        Ok(())
    }

    /// Publishes the counts of this worker, which has `frontier` states left to expand.
    #[inline]
    pub(crate) fn publish(&mut self, frontier: usize) {
        self.counts.frontier = frontier as u64;
        self.shared.control.publish(self.idx, &self.counts);
    }

    /// The result of the worker.
    pub(crate) fn into_result(mut self) -> WorkerResult {
        WorkerResult::new(self.counts, &mut *self.cursor)
    }

    /// Notes the violations of the batch from index `first_idx` on, which were met in `state`.
    #[cold]
    fn note_violations(&self, state: StateRef, depth: u32, first_idx: usize) -> Result<(), Stop> {
        let shared = self.shared;
        for violation in &self.batch.violations()[first_idx..] {
            let length = u64::from(depth) + u64::from(violation.key.is_some());
            shared.observer.violation(At::Stored(state), violation);
            shared.ledger.note(violation, length, || state);
            if shared.all_errors {
                continue;
            }
            if shared.shortest && violation.key.is_some() {
                shared.closing.store(true, Relaxed);
            } else {
                return Err(shared.control.stop(Reason::Violation));
            }
        }
        Ok(())
    }

    #[cold]
    fn fail(&self, halt: Halt, at: Option<StateRef>) -> Stop {
        self.shared.control.stop(self.shared.ledger.note_halt(halt, || at))
    }
}
