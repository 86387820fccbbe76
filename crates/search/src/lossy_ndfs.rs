//! Nested depth-first search over lossy filters: finds cycles through accepting states in graphs too large to
//! store.
//!
//! This is what SPIN does with `-DBITSTATE` and `pan -a` (Courcoubetis, Vardi, Wolper, Yannakakis,
//! "Memory-efficient algorithms for the verification of temporal properties", 1992; Holzmann, Peled,
//! Yannakakis, "On nested depth first search", 1996). An *outer* search visits states. When it leaves an
//! accepting state, an *inner* search starts there and visits states that no inner search has visited. A step
//! back to a state on the outer stack closes a cycle. A step of the inner search always closes an accepting
//! one; a step of the outer search does if one of the two states is accepting.
//!
//! Each of the two searches has a filter. The vectors of the outer stack are kept whole and compared byte by
//! byte, so a reported cycle exists. States that the filters lose are not searched, so a search without
//! remaining work ends as [`Limit::Lossy`](crate::Limit::Lossy), never as exhausted. Unlike in `ndfs`, a
//! successor enters the filter when the search reaches it, not when its predecessor is expanded, because the
//! inner searches depend on the order in which states are left.
//!
//! States are expanded as a whole, whatever [`Config::reduce`] says: both searches would have to omit the
//! same steps, and nothing records which. In a swarm every worker searches alone, with its own filters and
//! its own order.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::lasso::acceptance_cycle;
use crate::ledger::Ledger;
use crate::observer::{At, ended};
use crate::outcome::{SearchFindings, WorkerResult, finish_with};
use crate::subject::Subject;
use crate::{Config, End, Finding, Limit, Observer, Outcome};
use allways_model::{Acceptance, Batch, Cursor, Model, Path, StepKey};
use allways_store::{Budget, Filter, Full};
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The steps to a violation; for a cycle also the number of steps before it begins.
type LassoTrace = (Vec<StepKey>, Option<usize>);

/// The state that all workers share.
struct LossyNdfsShared<'a, O> {
    observer: &'a O,
    subject: Subject<'a>,
    control: Control,
    ledger: Ledger<LassoTrace>,
    all_errors: bool,
    is_weak: bool,
    max_depth: u64,
    cut: AtomicBool,
}

/// A state on a stack.
struct LossyFrame {
    /// The step to it.
    key: StepKey,
    /// The start of its vector in the vectors of the stack.
    start: usize,
    end: usize,
    /// The number of items below those of this state.
    first_item: usize,
    is_accepting: bool,
}

/// A successor that the search has not reached yet.
struct Item {
    key: StepKey,
    start: usize,
}

/// A depth-first stack, with all vectors.
#[derive(Default)]
struct Stack {
    frames: Vec<LossyFrame>,
    items: Vec<Item>,
    vectors: Vec<u8>,
}

impl Stack {
    fn bytes(&self) -> usize {
        self.vectors.capacity()
            + self.frames.capacity() * size_of::<LossyFrame>()
            + self.items.capacity() * size_of::<Item>()
    }

    fn clear(&mut self) {
        self.frames.clear();
        self.items.clear();
        self.vectors.clear();
    }

    /// Pushes the state whose vector begins at `start`, after all others.
    fn push(&mut self, key: StepKey, start: usize, is_accepting: bool) {
        let (end, first_item) = (self.vectors.len(), self.items.len());
        self.frames.push(LossyFrame { key, start, end, first_item, is_accepting });
    }

    fn top(&self) -> &[u8] {
        let frame = self.frames.last().expect("a state was pushed");
        &self.vectors[frame.start..frame.end]
    }

    /// The next successor of the top; its vector is the last.
    fn next(&mut self) -> Option<Item> {
        let first = self.frames.last()?.first_item;
        if self.items.len() > first { self.items.pop() } else { None }
    }

    /// Pushes the entries of a batch as successors of the top, in reverse order, rotated by `turn`.
    fn schedule(&mut self, batch: &Batch, turn: usize) {
        let n = batch.len();
        for idx in (0..n).rev().map(|idx| (idx + turn) % n) {
            let start = self.vectors.len();
            self.vectors.extend_from_slice(batch.vector(idx));
            self.items.push(Item { key: batch.entries()[idx].key, start });
        }
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.vectors.truncate(frame.start);
        }
    }

    /// The steps from the bottom of the stack to its top.
    fn steps(&self) -> impl Iterator<Item = StepKey> {
        self.frames.iter().skip(1).map(|frame| frame.key)
    }
}

/// One worker.
struct LossyNdfsWorker<'a, F: Filter, O> {
    shared: &'a LossyNdfsShared<'a, O>,
    filters: [&'a F; 2],
    filter_locals: [F::Local; 2],
    idx: usize,
    cursor: Box<dyn Cursor + 'a>,
    batch: Batch,
    new: Vec<bool>,
    outer: Stack,
    inner: Stack,
    /// The positions of states on the outer stack, by the hashes of their vectors.
    places: HashMap<u64, Vec<usize>>,
    hashes: RandomState,
    /// Whether the search for a cycle continues, because none has been found yet.
    hunting: bool,
    counts: Counts,
    charge: Charge,
    /// The random state for another order of successors; zero keeps the model's order.
    random: u64,
}

/// Searches for cycles with two filters, by one worker. For a model without accepting states, use
/// [`lossy_dfs`](crate::lossy_dfs).
pub fn lossy_ndfs<F: Filter, O: Observer>(
    model: &dyn Model,
    filters: [&F; 2],
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let config = &Config { workers: 1, ..*config };
    let shared = LossyNdfsShared::new(model, observer, config, filters[0].budget());
    let worker_results =
        shared.control.run(config, |idx| LossyNdfsWorker::new(&shared, filters, idx, 0).run());
    let bytes = filters.iter().map(|filter| filter.bytes()).sum();
    shared.finish(bytes, &worker_results)
}

/// Runs [`lossy_ndfs`] by several workers, each alone with filters that `make` returns for a seed. The counts
/// of states and transitions are those of the worker that saw the most. If there is a time limit, each worker
/// starts again until the time is over.
pub fn lossy_ndfs_swarm<F: Filter, O: Observer>(
    model: &dyn Model,
    budget: &Budget,
    make: impl Fn(u64) -> Result<F, Full> + Sync,
    seed: u64,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let shared = LossyNdfsShared::new(model, observer, config, budget);
    let bytes = AtomicU64::new(0);
    let (n_workers, once) = (config.workers as u64, config.limits.time.is_none());
    let results = shared.control.run(config, |idx| {
        let mut best: Option<WorkerResult> = None;
        for turn in 0_u64.. {
            let seed = seed.wrapping_add(1 + idx as u64 + turn * n_workers);
            let control = &shared.control;
            let (Ok(outer), Ok(inner)) = (control.afford(make(seed)), control.afford(make(!seed))) else {
                break;
            };
            bytes.fetch_max((outer.bytes() + inner.bytes()) * n_workers, Relaxed);
            let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let worker_result = LossyNdfsWorker::new(&shared, [&outer, &inner], idx, random).run();
            best = Some(match best.take() {
                Some(best) => best.merge(worker_result),
                None => worker_result,
            });
            if once || control.stopped() {
                break;
            }
        }
        best
    });
    let best = results.into_iter().flatten().reduce(WorkerResult::merge);
    shared.finish(bytes.into_inner(), best.as_slice())
}

impl<'a, O: Observer> LossyNdfsShared<'a, O> {
    fn new(model: &'a dyn Model, observer: &'a O, config: &Config<'a>, budget: &Budget) -> Self {
        Self {
            observer,
            subject: Subject::new(model, config.lessons),
            control: Control::new(config, budget),
            ledger: Ledger::new(config.all_errors, config.max_findings),
            all_errors: config.all_errors,
            is_weak: model.acceptance() == Acceptance::Weak,
            max_depth: config.limits.depth.unwrap_or(u64::MAX),
            cut: AtomicBool::new(false),
        }
    }

    fn finish(self, bytes: u64, worker_results: &[WorkerResult]) -> Outcome {
        let entries = self.ledger.into_entries();
        let model = self.subject.digest();
        let path = |steps: Vec<StepKey>, last: Option<StepKey>| Path {
            model,
            steps: steps.into_iter().chain(last).collect(),
        };
        let findings = entries.findings.into_iter().map(|(violation, (steps, cycle), _)| {
            let path = path(steps, violation.key);
            Finding { violation, path, cycle }
        });
        let found = SearchFindings {
            findings: findings.collect(),
            n_errors: entries.n_errors,
            fault: entries
                .fault
                .map(|(fault, trace)| (fault, path(trace.map_or(Vec::new(), |(steps, _)| steps), None))),
            lesson: entries.lesson,
            cut: self.cut.load(Relaxed),
        };
        let mut outcome =
            finish_with(&self.control, (bytes, self.control.budget.peak()), worker_results, found);
        if self.control.reason().is_none() && !matches!(outcome.end, End::Bounded(_) | End::Cut(_)) {
            outcome.end = End::Bounded(Limit::Lossy);
        }
        ended(self.observer, outcome)
    }
}

impl<'a, F: Filter, O: Observer> LossyNdfsWorker<'a, F, O> {
    fn new(shared: &'a LossyNdfsShared<'a, O>, filters: [&'a F; 2], idx: usize, random: u64) -> Self {
        Self {
            shared,
            filters,
            filter_locals: filters.map(|filter| filter.local()),
            idx,
            cursor: shared.subject.limited_cursor(&shared.control),
            batch: Batch::new(),
            new: Vec::new(),
            outer: Stack::default(),
            inner: Stack::default(),
            places: HashMap::new(),
            hashes: RandomState::new(),
            hunting: true,
            counts: Counts::default(),
            charge: Charge::new(&shared.control.budget),
            random,
        }
    }

    fn run(mut self) -> WorkerResult {
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = self.explore();
        self.publish();
        WorkerResult::new(self.counts, &mut *self.cursor)
    }

    fn publish(&mut self) {
        self.counts.frontier = self.outer.frames.len() as u64;
        self.shared.control.publish(self.idx, &self.counts);
    }

    /// Runs the outer search.
    fn explore(&mut self) -> Result<(), Stop> {
        let control = &self.shared.control;
        if let Err(halt) = self.cursor.initial(&mut self.batch) {
            return Err(control.stop(self.shared.ledger.note_halt(halt, || None)));
        }
        control.check_states(self.idx, 0, 1)?;
        let key = self.batch.entries()[0].key;
        self.outer.vectors.extend_from_slice(self.batch.vector(0));
        self.note_violations(0)?;
        self.is_new(0, 0)?;
        self.counts.states = 1;
        self.enter(key, 0)?;
        while !self.outer.frames.is_empty() {
            let Some(item) = self.outer.next() else {
                self.leave()?;
                continue;
            };
            if self.is_new(0, item.start)? {
                control.check_states(self.idx, self.counts.states, 1)?;
                self.counts.states += 1;
                self.enter(item.key, item.start)?;
                continue;
            }
            self.counts.matched += 1;
            self.close_outside(&item)?;
            self.outer.vectors.truncate(item.start);
        }
        Ok(())
    }

    /// Whether the vector at `start`, after all others of the outer (0) or inner (1) stack, is new to that
    /// search's filter.
    fn is_new(&mut self, which: usize, start: usize) -> Result<bool, Stop> {
        let stack = if which == 0 { &self.outer } else { &self.inner };
        self.batch.clear();
        self.new.clear();
        self.batch.push(StepKey(0), &stack.vectors[start..]);
        let inserted =
            self.filters[which].insert(&mut self.filter_locals[which], &mut self.batch, 0, &mut self.new);
        self.shared.control.afford(inserted)?;
        Ok(self.new[0])
    }

    /// The position of a state on the outer stack, if it is there.
    fn place(&self, vector: &[u8]) -> Option<usize> {
        let places = self.places.get(&self.hashes.hash_one(vector))?;
        let is_same = |place: &usize| {
            let frame = &self.outer.frames[*place];
            &self.outer.vectors[frame.start..frame.end] == vector
        };
        places.iter().copied().find(is_same)
    }

    /// Puts the state at `start` on the outer stack and expands it.
    fn enter(&mut self, key: StepKey, start: usize) -> Result<(), Stop> {
        if self.shared.control.stopped() {
            return Err(Stop);
        }
        let depth = self.outer.frames.len() as u64;
        self.counts.depth = self.counts.depth.max(depth);
        self.publish();
        self.cursor.load(&self.outer.vectors[start..]);
        let is_accepting = self.cursor.accepting();
        let hash = self.hashes.hash_one(&self.outer.vectors[start..]);
        self.places.entry(hash).or_default().push(depth as usize);
        self.outer.push(key, start, is_accepting);
        self.batch.clear();
        let expanded = self.cursor.expand(&mut self.batch);
        self.note_violations(0)?;
        if let Err(halt) = expanded {
            let ledger = &self.shared.ledger;
            let steps = || Some((self.outer.steps().collect(), None));
            return Err(self.shared.control.stop(ledger.note_halt(halt, steps)));
        }
        if depth >= self.shared.max_depth && !self.batch.is_empty() {
            self.shared.cut.store(true, Relaxed);
            self.batch.truncate(0);
        }
        let turn = self.turn();
        self.outer.schedule(&self.batch, turn);
        self.charge()
    }

    /// The index of the successor that a swarm takes first.
    fn turn(&mut self) -> usize {
        if self.random == 0 || self.batch.len() < 2 {
            return 0;
        }
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % self.batch.len() as u64) as usize
    }

    fn charge(&mut self) -> Result<(), Stop> {
        // The approximate size of an entry: its key, its list and its share of the table.
        let places = self.places.len() * 64;
        let bytes = self.outer.bytes() + self.inner.bytes() + places;
        self.shared.control.afford(self.charge.cover(bytes as u64))
    }

    /// Leaves the top of the outer stack, after an inner search if the state is accepting.
    fn leave(&mut self) -> Result<(), Stop> {
        let frame = self.outer.frames.last().expect("a state is left");
        if frame.is_accepting && self.hunting && !self.shared.is_weak {
            self.search_inside()?;
        }
        let hash = self.hashes.hash_one(self.outer.top());
        if let Some(places) = self.places.get_mut(&hash) {
            // The top was pushed last.
            places.pop();
            if places.is_empty() {
                self.places.remove(&hash);
            }
        }
        self.outer.pop();
        Ok(())
    }

    /// Reports a cycle if a successor of the top of the outer stack, which was visited before, closes one.
    fn close_outside(&mut self, item: &Item) -> Result<(), Stop> {
        if !self.hunting {
            return Ok(());
        }
        let Some(place) = self.place(&self.outer.vectors[item.start..]) else { return Ok(()) };
        let top = self.outer.frames.last().expect("it has a successor");
        // In a weak model a cycle is accepting if one of its states is.
        if top.is_accepting || self.outer.frames[place].is_accepting {
            let steps = self.outer.steps().chain([item.key]).collect();
            self.report_cycle(steps, place)?;
        }
        Ok(())
    }

    /// Runs the inner search from the accepting state on top of the outer stack.
    fn search_inside(&mut self) -> Result<(), Stop> {
        self.inner.clear();
        let key = self.outer.frames.last().expect("a state is left").key;
        self.inner.vectors.extend_from_slice(self.outer.top());
        self.is_new(1, 0)?;
        self.enter_inside(key, 0)?;
        while !self.inner.frames.is_empty() {
            let Some(item) = self.inner.next() else {
                self.inner.pop();
                continue;
            };
            if let Some(place) = self.place(&self.inner.vectors[item.start..]) {
                let steps = self.outer.steps().chain(self.inner.steps()).chain([item.key]).collect();
                return self.report_cycle(steps, place);
            }
            if self.is_new(1, item.start)? {
                self.enter_inside(item.key, item.start)?;
            } else {
                self.inner.vectors.truncate(item.start);
            }
        }
        Ok(())
    }

    fn enter_inside(&mut self, key: StepKey, start: usize) -> Result<(), Stop> {
        if self.shared.control.stopped() {
            return Err(Stop);
        }
        self.cursor.load(&self.inner.vectors[start..]);
        self.inner.push(key, start, false);
        self.batch.clear();
        if let Err(halt) = self.cursor.expand(&mut self.batch) {
            let steps = || Some((self.outer.steps().chain(self.inner.steps()).collect(), None));
            return Err(self.shared.control.stop(self.shared.ledger.note_halt(halt, steps)));
        }
        let depth = (self.outer.frames.len() + self.inner.frames.len()) as u64 - 2;
        if depth >= self.shared.max_depth && !self.batch.is_empty() {
            self.shared.cut.store(true, Relaxed);
            self.batch.truncate(0);
        }
        self.inner.schedule(&self.batch, 0);
        self.charge()
    }

    /// Reports the cycle of a run along `steps` that returns to the state at position `place` of the outer
    /// stack.
    #[cold]
    fn report_cycle(&mut self, steps: Vec<StepKey>, place: usize) -> Result<(), Stop> {
        self.hunting = false;
        let (violation, length) = (acceptance_cycle(), steps.len() as u64);
        let frame = &self.outer.frames[place];
        let vector = &self.outer.vectors[frame.start..frame.end];
        self.shared.observer.violation(At::Passing(vector), &violation);
        self.shared.ledger.note(&violation, length, || (steps, Some(place)));
        if self.shared.all_errors { Ok(()) } else { Err(self.shared.control.stop(Reason::Violation)) }
    }

    /// Notes the violations of the batch from index `first_idx` on, which were met in the top of the outer
    /// stack, or in the initial state.
    fn note_violations(&self, first_idx: usize) -> Result<(), Stop> {
        for violation in &self.batch.violations()[first_idx..] {
            let steps: Vec<StepKey> = self.outer.steps().collect();
            let length = steps.len() as u64 + u64::from(violation.key.is_some());
            let vector =
                if self.outer.frames.is_empty() { &self.outer.vectors[..] } else { self.outer.top() };
            self.shared.observer.violation(At::Passing(vector), violation);
            self.shared.ledger.note(violation, length, || (steps, None));
            if !self.shared.all_errors {
                return Err(self.shared.control.stop(Reason::Violation));
            }
        }
        Ok(())
    }
}
