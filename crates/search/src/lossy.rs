//! Depth-first search over a lossy filter, by one worker or several, together or as a swarm.
//!
//! A filter cannot return states, so the stack holds the vectors of states that are still to be expanded, and
//! the steps to the current state are the trace. A state belongs to the worker to which the filter reports it
//! as new. A worker for which others wait gives away the oldest half of its stack, each vector with the steps
//! that lead to it.
//!
//! With a reduction, a state is expanded until one of its successors is new or the expansion is complete. So
//! no step is deferred indefinitely, in whichever order states are visited: each partial expansion leads to a
//! state that is expanded later, and there are finitely many.
//!
//! In a *swarm* (Holzmann, Joshi and Groce, "Swarm verification techniques", 2011) every worker has its own
//! filter, with its own hash functions, and takes successors in its own order. So the workers lose different
//! states, and the first to find a violation ends the search. If there is a time limit, each worker starts
//! again until the time is over.
//!
//! A filter may take a new state for one seen before. So a search without remaining work ends as
//! [`Limit::Lossy`](crate::Limit::Lossy), never as exhausted.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, ended};
use crate::outcome::{WorkerResult, finish_with};
use crate::pool::Pool;
use crate::subject::Subject;
use crate::{Config, End, Limit, Observer, Outcome};
use allways_model::{Batch, Cursor, Model, Path, StepKey};
use allways_store::{Budget, Filter, Full};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The most states that a worker gives away at once.
const MAX_GIVEN: usize = 256;

/// A state given away, with the steps that lead to it.
struct Gift {
    steps: Vec<StepKey>,
    vector: Vec<u8>,
}

/// A state on the stack that has not been expanded.
struct Item {
    /// The last step to it, and the number of steps.
    key: StepKey,
    depth: u32,
    /// The start of its vector in the vectors of all items.
    start: usize,
}

/// The state that all workers of a search share.
struct LossyShared<'a, O> {
    observer: &'a O,
    subject: Subject<'a>,
    control: Control,
    ledger: Ledger<Vec<StepKey>>,
    pool: Pool<Gift>,
    all_errors: bool,
    reduce: bool,
    max_depth: u64,
    /// Whether a path was cut off at the depth limit.
    cut: AtomicBool,
}

/// One worker.
struct LossyWorker<'a, F: Filter, O> {
    shared: &'a LossyShared<'a, O>,
    filter: &'a F,
    filter_local: F::Local,
    idx: usize,
    cursor: Box<dyn Cursor + 'a>,
    batch: Batch,
    new: Vec<bool>,
    /// The steps to the current state.
    steps: Vec<StepKey>,
    items: Vec<Item>,
    vectors: Vec<u8>,
    /// A buffer for the vector of the current state.
    vector: Vec<u8>,
    gifts: VecDeque<Gift>,
    counts: Counts,
    /// The memory charged for the stack.
    charge: Charge,
    /// The random state for another order of successors; zero keeps the model's order.
    random: u64,
}

impl<'a, O: Observer> LossyShared<'a, O> {
    fn new(model: &'a dyn Model, observer: &'a O, config: &Config<'a>, budget: &Budget) -> Self {
        Self {
            observer,
            subject: Subject::new(model, config.lessons),
            control: Control::new(config, budget),
            ledger: Ledger::new(config.all_errors, config.max_findings),
            pool: Pool::new(config.workers),
            all_errors: config.all_errors,
            reduce: config.reduce,
            max_depth: config.limits.depth.unwrap_or(u64::MAX),
            cut: AtomicBool::new(false),
        }
    }

    fn finish(self, bytes: u64, worker_results: &[WorkerResult]) -> Outcome {
        let path = |steps: Option<Vec<StepKey>>, last: Option<StepKey>| {
            let steps = steps.into_iter().flatten().chain(last).collect();
            Path { model: self.subject.digest(), steps }
        };
        let found = self.ledger.into_found(self.cut.load(Relaxed), path);
        let mut outcome =
            finish_with(&self.control, (bytes, self.control.budget.peak()), worker_results, found);
        // The outcome has the lesson of a search without remaining work, but a lossy search proves nothing
        // anyway.
        if self.control.reason().is_none() && !matches!(outcome.end, End::Bounded(_) | End::Cut(_)) {
            outcome.end = End::Bounded(Limit::Lossy);
        }
        ended(self.observer, outcome)
    }
}

/// Visits the states of `model` that `filter` does not lose.
pub fn lossy_dfs<F: Filter, O: Observer>(
    model: &dyn Model,
    filter: &F,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let shared = LossyShared::new(model, observer, config, filter.budget());
    let worker_results = shared.control.run(config, |idx| {
        let mut worker = LossyWorker::new(&shared, filter, idx, 0);
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = worker.explore(idx == 0, true);
        worker.into_result()
    });
    shared.finish(filter.bytes(), &worker_results)
}

/// Runs a swarm: every worker visits the states of `model` alone, with filters that `make` returns for a
/// seed. The counts of states and transitions are those of the worker that saw the most.
pub fn swarm<F: Filter, O: Observer>(
    model: &dyn Model,
    budget: &Budget,
    make: impl Fn(u64) -> Result<F, Full> + Sync,
    seed: u64,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let shared = LossyShared::new(model, observer, config, budget);
    let bytes = AtomicU64::new(0);
    let (n_workers, once) = (config.workers as u64, config.limits.time.is_none());
    let results = shared.control.run(config, |idx| {
        let mut best: Option<WorkerResult> = None;
        for turn in 0_u64.. {
            let seed = seed.wrapping_add(1 + idx as u64 + turn * n_workers);
            let filter = match shared.control.afford(make(seed)) {
                Ok(filter) => filter,
                Err(Stop) => break,
            };
            bytes.fetch_max(filter.bytes() * n_workers, Relaxed);
            let mut worker =
                LossyWorker::new(&shared, &filter, idx, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            let (Ok(()) | Err(Stop)) = worker.explore(true, false);
            let worker_result = worker.into_result();
            best = Some(match best.take() {
                Some(best) => best.merge(worker_result),
                None => worker_result,
            });
            if once || shared.control.stopped() {
                break;
            }
        }
        best
    });
    let best = results.into_iter().flatten().reduce(WorkerResult::merge);
    shared.finish(bytes.into_inner(), best.as_slice())
}

impl<'a, F: Filter, O: Observer> LossyWorker<'a, F, O> {
    fn new(shared: &'a LossyShared<'a, O>, filter: &'a F, idx: usize, random: u64) -> Self {
        Self {
            shared,
            filter,
            filter_local: filter.local(),
            idx,
            cursor: shared.subject.limited_cursor(&shared.control),
            batch: Batch::new(),
            new: Vec::new(),
            steps: Vec::new(),
            items: Vec::new(),
            vectors: Vec::new(),
            vector: Vec::new(),
            gifts: VecDeque::new(),
            counts: Counts::default(),
            charge: Charge::new(&shared.control.budget),
            random,
        }
    }

    fn into_result(mut self) -> WorkerResult {
        self.publish();
        WorkerResult::new(self.counts, &mut *self.cursor)
    }

    fn publish(&mut self) {
        self.counts.frontier = self.items.len() as u64;
        self.shared.control.publish(self.idx, &self.counts);
    }

    /// Visits states until none are left: on this worker's stack, or on the stacks of all workers if they
    /// search `together`.
    fn explore(&mut self, begins: bool, together: bool) -> Result<(), Stop> {
        let shared = self.shared;
        if begins {
            self.begin()?;
        }
        loop {
            if self.items.is_empty() {
                if self.gifts.is_empty() && !(together && shared.pool.wait(&mut self.gifts, &shared.control))
                {
                    return Ok(());
                }
                if let Some(Gift { steps, vector }) = self.gifts.pop_back() {
                    self.steps = steps;
                    self.expand(&vector)?;
                }
                continue;
            }
            self.next()?;
            if together && shared.pool.is_hungry() {
                self.give();
            }
        }
    }

    /// Stores and expands the initial state.
    fn begin(&mut self) -> Result<(), Stop> {
        let control = &self.shared.control;
        if let Err(halt) = self.cursor.initial(&mut self.batch) {
            return Err(control.stop(self.shared.ledger.note_halt(halt, || None)));
        }
        self.note_violations(self.batch.vector(0), 0)?;
        control.check_states(self.idx, 0, 1)?;
        self.new.clear();
        control.afford(self.filter.insert(&mut self.filter_local, &mut self.batch, 0, &mut self.new))?;
        self.counts.states = 1;
        let vector = self.batch.vector(0).to_vec();
        self.steps.clear();
        self.expand(&vector)
    }

    /// Expands the state on top of the stack.
    fn next(&mut self) -> Result<(), Stop> {
        let Some(Item { key, depth, start }) = self.items.pop() else { return Ok(()) };
        self.steps.truncate(depth as usize - 1);
        self.steps.push(key);
        let mut vector = std::mem::take(&mut self.vector);
        vector.clear();
        vector.extend_from_slice(&self.vectors[start..]);
        self.vectors.truncate(start);
        let result = self.expand(&vector);
        self.vector = vector;
        result
    }

    /// Expands the current state, and pushes the successors that are new, in reverse order.
    fn expand(&mut self, vector: &[u8]) -> Result<(), Stop> {
        let shared = self.shared;
        let control = &shared.control;
        if control.stopped() {
            return Err(Stop);
        }
        let depth = self.steps.len() as u64;
        self.counts.depth = self.counts.depth.max(depth);
        self.batch.clear();
        self.new.clear();
        self.cursor.load(vector);
        loop {
            let (first, n_violations) = (self.batch.len(), self.batch.violations().len());
            let expanded = match shared.reduce {
                true => self.cursor.expand_some(&mut self.batch),
                false => self.cursor.expand(&mut self.batch).map(|()| true),
            };
            self.note_violations(vector, n_violations)?;
            let complete = expanded
                .map_err(|halt| control.stop(shared.ledger.note_halt(halt, || Some(self.steps.clone()))))?;
            if depth >= shared.max_depth && !self.batch.is_empty() {
                shared.cut.store(true, Relaxed);
                self.batch.truncate(0);
                break;
            }
            control.afford(self.filter.insert(
                &mut self.filter_local,
                &mut self.batch,
                first,
                &mut self.new,
            ))?;
            if complete || self.new.contains(&true) {
                break;
            }
        }
        self.schedule(depth as u32 + 1);
        control.check_states(self.idx, self.counts.states, 0)?;
        self.publish();
        let bytes = (self.vectors.capacity() + self.items.capacity() * size_of::<Item>()) as u64;
        control.afford(self.charge.cover(bytes))
    }

    fn schedule(&mut self, depth: u32) {
        let bottom = self.items.len();
        for idx in (0..self.new.len()).rev() {
            if !self.new[idx] {
                self.counts.matched += 1;
                continue;
            }
            self.counts.states += 1;
            let start = self.vectors.len();
            self.vectors.extend_from_slice(self.batch.vector(idx));
            self.items.push(Item { key: self.batch.entries()[idx].key, depth, start });
        }
        if self.random != 0 && self.items.len() > bottom + 1 {
            self.reorder(bottom);
        }
    }

    /// Moves a randomly chosen item, among those from `bottom` on, to the top of the stack.
    fn reorder(&mut self, bottom: usize) {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let n_items = self.items.len() - bottom;
        let chosen = bottom + (self.random % n_items as u64) as usize;
        // Rotate items and vectors until it is the last.
        let (from, to) = (self.items[bottom].start, self.vectors.len());
        let middle = self.items.get(chosen + 1).map_or(to, |item| item.start);
        self.vectors[from..].rotate_left(middle - from);
        self.items[bottom..].rotate_left(chosen + 1 - bottom);
        for (idx, item) in self.items[bottom..].iter_mut().enumerate() {
            let after = idx < n_items - (chosen + 1 - bottom);
            item.start = if after { item.start - (middle - from) } else { item.start + (to - middle) };
        }
    }

    /// Gives away the items that were found first.
    #[cold]
    fn give(&mut self) {
        if self.gifts.len() > 1 {
            let half = self.gifts.len() / 2;
            self.shared.pool.offer(self.gifts.drain(..half).collect());
            return;
        }
        let n_given = (self.items.len() / 2).min(MAX_GIVEN);
        if n_given == 0 {
            return;
        }
        let end = self.items[n_given].start;
        let gifts = (0..n_given).map(|idx| {
            let Item { key, depth, start } = self.items[idx];
            let mut steps = self.steps[..depth as usize - 1].to_vec();
            steps.push(key);
            Gift { steps, vector: self.vectors[start..self.items[idx + 1].start].to_vec() }
        });
        self.shared.pool.offer(gifts.collect());
        self.items.drain(..n_given);
        self.vectors.drain(..end);
        self.items.iter_mut().for_each(|item| item.start -= end);
    }

    /// Notes the violations of the batch from index `first_idx` on, which were met in the state of `vector`.
    fn note_violations(&self, vector: &[u8], first_idx: usize) -> Result<(), Stop> {
        for violation in &self.batch.violations()[first_idx..] {
            let length = self.steps.len() as u64 + u64::from(violation.key.is_some());
            self.shared.observer.violation(At::Passing(vector), violation);
            self.shared.ledger.note(violation, length, || self.steps.clone());
            if !self.shared.all_errors {
                return Err(self.shared.control.stop(Reason::Violation));
            }
        }
        Ok(())
    }
}
