//! What the workers of `bfs` and of `dfs` with several workers have in common: states come from anywhere, are
//! expanded, and whoever is the first to store a state owns it.
//!
//! Several states are expanded into one batch, so that the store has more entries to overlap memory accesses
//! of. Each new state's predecessor is kept in a side table before anybody else can learn of the state, so
//! that a path to it can always be traced.
//!
//! With [`Config::reduce`], a state is expanded only as far as its cursor says is enough, and further only if
//! all that gives leads to states that are *begun* by then. What that means is up to the search:
//!
//! - `dfs` begins a state just before it expands it ([`Worker::visit`]), with a fence before the marks of its
//!   successors are read. Of two states, the one that sees the other not begun has its fence before the
//!   other's. So from every state that is not expanded as a whole, at least one step leads to a state with a
//!   later fence, whichever worker expands it. Which states those are depends on timing.
//! - `bfs` begins all states of a level before it expands any of them ([`Worker::begin_level`]). A successor
//!   that is not begun then belongs to the next level, whichever worker stored it. So from every state that is
//!   not expanded as a whole, at least one step leads one level further. Which states those are depends on the
//!   levels alone: reduced counts are the same with any number of workers.
//!
//! In both cases no step is deferred without end, by induction over the fences, or the levels, from the last one
//! back: the last state is expanded as a whole, and a step that a state omits is still possible after the
//! steps that it took, because those are a persistent set.

use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, Steps, ended};
use crate::outcome::{Remains, finish};
use crate::subject::Subject;
use crate::{Config, Observer, Outcome, trail};
use allways_model::{Asleep, Batch, Cursor, Halt, Model};
use allways_store::marks::{Bits, Links};
use allways_store::{Recall, Seen, StateRef, Writer};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed, Ordering::SeqCst, fence};

/// A batch is inserted when it has this many entries, or this many states were expanded into it.
const MAX_ENTRIES: usize = 64;
const MAX_SOURCES: usize = 16;

/// What all workers of a search share.
pub(crate) struct Shared<'a, S, O> {
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
    /// Whether a violation during a step waits for a shorter path to another, in a state of the same depth.
    shortest: bool,
    /// Whether such a violation was met: from then on states are expanded, and their successors left alone.
    closing: AtomicBool,
}

/// A state that was expanded into the current batch.
#[derive(Clone, Copy)]
struct Source {
    state: StateRef,
    depth: u32,
    /// Its successors are the entries before this one and after those of the source before.
    end: usize,
    before: Before,
    how: Expanded,
}

/// What was done with a state when it was expanded before.
#[derive(Clone, Copy, Default)]
struct Before {
    /// How many successors and violations were seen to, and how often it was expanded.
    n_counted: usize,
    n_noted: usize,
    n_rounds: usize,
}

/// One worker.
pub(crate) struct Worker<'a, S: Recall + 'a, O> {
    pub(crate) shared: &'a Shared<'a, S, O>,
    pub(crate) counts: Counts,
    idx: usize,
    cursor: Box<dyn Cursor + 'a>,
    writer: S::Writer<'a>,
    batch: Batch,
    seen: Vec<Seen>,
    sources: Vec<Source>,
    /// Sources that must be expanded further.
    again: Vec<Source>,
    /// Whether an observer sees states and steps, and whether it sees one state at a time.
    is_watched: bool,
    one_by_one: bool,
}

impl<'a, S: Recall, O: Observer> Shared<'a, S, O> {
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

    /// Whether a violation was met that no later depth can have a shorter path to.
    pub(crate) fn closing(&self) -> bool {
        self.closing.load(Relaxed)
    }

    /// Puts together what the workers leave.
    pub(crate) fn finish(self, remains: Vec<Remains>) -> Outcome {
        let path = |at: Option<StateRef>, last| {
            let way = at.map_or(Vec::new(), |at| trail::way_to(&self.parents, at));
            trail::path_along(self.subject, self.store, &way, last)
        };
        let found = self.ledger.into_found(self.cut.load(Relaxed), path);
        ended(self.observer, finish(&self.control, self.store, &remains, found))
    }
}
impl<'a, S: Recall, O: Observer> Worker<'a, S, O> {
    pub(crate) fn new(shared: &'a Shared<'a, S, O>, idx: usize) -> Self {
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

    /// Begins all states of a level, before any of them is visited by [`Worker::visit_begun`].
    pub(crate) fn begin_level(&self, states: &[StateRef]) -> Result<(), Stop> {
        let Some(begun) = &self.shared.begun else { return Ok(()) };
        states.iter().try_for_each(|&state| self.shared.control.afford(begun.insert(state)).map(|_| ()))
    }

    /// Begins `state` and expands it; its successors are stored with the next [`Worker::flush`].
    pub(crate) fn visit(&mut self, state: StateRef, depth: u32, asleep: Asleep) -> Result<(), Stop> {
        if let Some(begun) = &self.shared.begun {
            self.shared.control.afford(begun.insert(state))?;
        }
        self.visit_begun(state, depth, asleep)
    }

    /// Expands `state`, which is begun if steps may be omitted.
    pub(crate) fn visit_begun(&mut self, state: StateRef, depth: u32, asleep: Asleep) -> Result<(), Stop> {
        self.expand(state, depth, asleep, Before::default())
    }

    /// Expands a state, further than before if it was expanded before.
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
        self.sources.push(Source { state, depth, end: self.batch.len(), before, how });
        Ok(())
    }

    /// Whether it is time for a [`Worker::flush`].
    #[inline]
    pub(crate) fn is_loaded(&self) -> bool {
        let n_sources = self.sources.len();
        self.batch.len() >= MAX_ENTRIES || n_sources >= MAX_SOURCES || self.one_by_one
    }

    /// Stores the successors of the states visited since the last time, and passes on those that are new.
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
        let Shared { control, observer, parents, begun, .. } = self.shared;
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
                self.again.push(Source { before, ..*source });
            }
            start = source.end;
        }
        self.batch.clear();
        self.sources.clear();
        Ok(())
    }

    /// Shows how far this worker has come, with `frontier` states before it.
    #[inline]
    pub(crate) fn publish(&mut self, frontier: usize) {
        self.counts.frontier = frontier as u64;
        self.shared.control.publish(self.idx, &self.counts);
    }

    /// What is left of the worker.
    pub(crate) fn into_remains(mut self) -> Remains {
        Remains::new(self.counts, &mut *self.cursor)
    }

    /// Notes the violations of the batch from the one at `first_idx` on, which were met in `state`.
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
