//! Depth-first search in bounded memory: the stack and a cache of the other states, by one worker.
//!
//! Holzmann, "Automated protocol validation in Argos" (1987); Godefroid, Holzmann and Pirottin, "State-space
//! caching revisited" (1995). The cache forgets closed states when it is full. States on the stack are
//! pinned. Successors that wait to be opened are in the cache too; where they take much of it, those nearest
//! to the bottom of the stack are forgotten, and computed again when the search gets there (`refill`).
//!
//! **It is exhaustive.** A state that is opened is expanded, and every successor is opened at some time: if
//! it was held and closed or on the stack, it was opened before; otherwise it is pending. A pending successor
//! ends in one of four ways. It waits still: then it is opened now. It was opened, deeper in the search. Its
//! entry was reused: then either it was opened, closed and evicted, or it was forgotten while it waited; only
//! the second can be if a state was forgotten since it became pending, and then it is computed and looked up
//! again. Hence the set of opened states contains the initial state and is closed under steps.
//!
//! **It ends** where the graph is finite. A state on the stack is held, and is not opened again: so the stack
//! is a path without repetition, of which there are finitely many, as lists of steps. Each time that a state
//! is expanded, each of its steps leads to at most one opening; so no list of steps is on the stack twice.
//! That may take exponential time: [`CachePlan::redundancy`] ends a search that visits states too often.
//!
//! **Reductions.** `dead`, `merge` and symmetry are models of their own, and states of those are what is
//! cached. With [`Config::reduce`] a state may be expanded in part, if one of its successors is not on the
//! stack. The argument of `dfs` speaks of states and the order in which they are closed; here it speaks of
//! *visits*. Such a successor is pending of this visit, or was closed before. If it was closed, a visit of it
//! ended earlier. If it is pending, it is opened and closed before this visit ends: it cannot be on the stack
//! when its turn comes, since all that was on the stack is below the visit, and it was not there when the
//! visit began. (If its entry is found reused, it was visited within this visit, or it is looked up again and
//! the same holds.) So by induction over the ends of visits, from every visit a path of explored steps leads
//! to a visit that expands its state as a whole, and no step is deferred indefinitely. Which visit of a state
//! that is does not matter: an execution that leads to a violation from a state leads to it from every visit
//! of that state. Sleepers are off: what sleeps in a state depends on the way there, and the argument for
//! that compares ways whose states are remembered.
//!
//! A violation ends the search when its state is expanded, or is noted once for each visit. Observers see
//! violations and the end, as those of searches over lossy stores do, and visits if they want to. There is no
//! search for cycles: an inner search would need the colours of states that were forgotten.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, Expanded, ended};
use crate::outcome::{WorkerResult, finish_with};
use crate::subject::Subject;
use crate::{Config, Limit, Observer, Outcome};
use allways_model::{Batch, Cursor, Halt, Model, Path, StepKey};
use allways_store::{Budget, Cache, CacheCounts, Full, Held, Met, Phase, Policy};

/// How a cache is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachePlan {
    /// Which states are evicted.
    pub policy: Policy,
    /// The most states to hold, if that is limited beside the memory.
    pub states: Option<u32>,
    /// Ends the search when states were visited so many times on average.
    pub redundancy: u32,
    /// Breaks ties between states to be evicted.
    pub seed: u64,
}

impl CachePlan {
    /// What suits most models.
    pub const DEFAULT: Self = Self { policy: Policy::Strata, states: None, redundancy: 8, seed: 0 };
}

impl Default for CachePlan {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What a search with a cache did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cached {
    /// How the cache was used.
    pub plan: CachePlan,
    /// How many distinct states were visited: exact if none was evicted, else an estimate.
    pub distinct: u64,
    /// What the cache counted.
    pub counts: CacheCounts,
}

impl Cached {
    /// How often a state was visited, on average.
    #[must_use]
    pub fn redundancy(&self) -> f64 {
        self.counts.opened as f64 / self.distinct.max(1) as f64
    }
}

/// States are forgotten while they wait if they take more than this part of the cache: one of so many.
const WAITING_PART: usize = 8;
/// How often the number of distinct states is estimated: each time so many states were visited.
const INTERVAL: u64 = 1 << 14;
/// A state on the stack.
struct Frame {
    held: Held,
    n_pending: u32,
    /// How many times its cursor was asked for steps; zero if as a whole.
    rounds: u32,
    /// The step that led to it.
    key: StepKey,
    /// How many states had been forgotten when it was expanded.
    n_forgotten: u64,
    /// The logarithm of its cost so far.
    cost: f32,
}

/// What has become of a successor that was not opened when its state was expanded, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Its entry says it.
    Held,
    /// It was forgotten while it waited.
    Forgotten,
    /// It was opened.
    Opened,
}

/// Such a successor of a state on the stack.
#[derive(Clone, Copy)]
struct Pending {
    held: Held,
    key: StepKey,
    fate: Fate,
}

struct Search<'a, O> {
    observer: &'a O,
    control: &'a Control,
    ledger: &'a Ledger<Vec<StepKey>>,
    cursor: Box<dyn Cursor + 'a>,
    cache: Cache,
    plan: CachePlan,
    all_errors: bool,
    reduce: bool,
    max_depth: u64,
    batch: Batch,
    places: Vec<u32>,
    /// Of the last insertion, and of all for the state at hand.
    met: Vec<Met>,
    successors: Vec<Met>,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    /// Below this, nothing waits that could be forgotten.
    forgotten_to: usize,
    counts: Counts,
    charge: Charge,
    cut: bool,
}

/// Visits all states of `model` depth first, remembering those for which there is room.
///
/// # Panics
/// If the model has accepting states: it finds no cycles.
pub fn cached<O: Observer>(
    model: &dyn Model,
    budget: &Budget,
    plan: CachePlan,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let config = Config { workers: 1, ..*config };
    let subject = Subject::new(model, config.lessons);
    let control = Control::new(&config, budget);
    let ledger = Ledger::new(config.all_errors, config.max_findings);
    let mut results = control.run(&config, |_| {
        let cache = control.afford(Cache::new(budget, plan.policy, plan.states, plan.seed)).ok()?;
        let mut search = Search {
            observer,
            control: &control,
            ledger: &ledger,
            cursor: subject.limited_cursor(&control),
            cache,
            plan,
            all_errors: config.all_errors,
            reduce: config.reduce,
            max_depth: config.limits.depth.unwrap_or(u64::MAX),
            batch: Batch::new(),
            places: Vec::new(),
            met: Vec::new(),
            successors: Vec::new(),
            frames: Vec::new(),
            pending: Vec::new(),
            forgotten_to: 0,
            counts: Counts::default(),
            charge: Charge::new(budget),
            cut: false,
        };
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = search.run();
        Some(search.into_result())
    });
    let Some((worker_result, report, bytes, cut)) = results.pop().flatten() else {
        return ended(observer, Outcome::nothing(Limit::Memory));
    };
    let path = |steps: Option<Vec<StepKey>>, last: Option<StepKey>| {
        let steps = steps.into_iter().flatten().chain(last).collect();
        Path { model: subject.digest(), steps }
    };
    let found = ledger.into_found(cut, path);
    let outcome = finish_with(&control, (bytes, budget.peak()), &[worker_result], found);
    ended(observer, Outcome { cached: Some(report), ..outcome })
}

impl<O: Observer> Search<'_, O> {
    fn into_result(mut self) -> (WorkerResult, Cached, u64, bool) {
        let (distinct, counts) = (self.cache.n_distinct(), self.cache.counts());
        self.counts.distinct = distinct;
        self.control.publish(0, &self.counts);
        let report = Cached { plan: self.plan, distinct, counts };
        (WorkerResult::new(self.counts, &mut *self.cursor), report, self.cache.bytes(), self.cut)
    }

    fn run(&mut self) -> Result<(), Stop> {
        let mut next = Some((self.begin()?, StepKey(0)));
        while let Some((held, key)) = next {
            self.enter(held, key)?;
            next = self.advance()?;
        }
        Ok(())
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<Held, Stop> {
        if let Err(halt) = self.cursor.initial(&mut self.batch) {
            return Err(self.control.stop(self.ledger.note_halt(halt, || None)));
        }
        self.control.check_states(0, 0, 1)?;
        self.note_violations(0)?;
        self.insert(0)?;
        Ok(self.met[0].held)
    }

    /// Puts a waiting state on the stack, and its successors into the cache.
    fn enter(&mut self, held: Held, key: StepKey) -> Result<(), Stop> {
        if self.control.stopped() {
            return Err(Stop);
        }
        let depth = self.frames.len() as u64;
        self.control.check_states(0, self.counts.states, 1)?;
        self.counts.states += 1;
        self.counts.depth = self.counts.depth.max(depth);
        self.counts.frontier = depth + 1;
        self.cache.open(held, depth as u32);
        if self.counts.states.is_multiple_of(INTERVAL) {
            self.take_stock()?;
        }
        self.control.publish(0, &self.counts);
        let n_forgotten = self.cache.counts().forgotten;
        if self.frames.len() == self.frames.capacity() {
            self.frames.reserve_exact(self.frames.len() / 4 + 64);
            self.charge_stack()?;
        }
        self.frames.push(Frame { held, n_pending: 0, rounds: 0, key, n_forgotten, cost: 0.0 });
        self.batch.clear();
        self.successors.clear();
        self.cursor.load(self.cache.vector(held));
        let mut how = Expanded::Whole;
        if self.reduce && depth < self.max_depth {
            how = self.expand_enough()?;
        } else {
            let expanded = self.cursor.expand(&mut self.batch);
            self.note_violations(0)?;
            expanded.map_err(|halt| self.fail(halt))?;
            if depth >= self.max_depth && !self.batch.is_empty() {
                (self.cut, how) = (true, Expanded::Cut);
                self.batch.truncate(0);
            }
            self.insert(0)?;
        }
        if self.observer.wants_visits() {
            let rounds = self.frames.last().map_or(1, |frame| frame.rounds.max(1));
            self.control.heed(self.observer.visit(self.cache.vector(held), &self.batch, rounds, how))?;
        }
        self.schedule()
    }

    /// Expands the top of the stack until one of its successors is not on it, or everything is there. Gives
    /// which.
    fn expand_enough(&mut self) -> Result<Expanded, Stop> {
        for rounds in 1.. {
            let (first, n_violations) = (self.batch.len(), self.batch.violations().len());
            let expanded = self.cursor.expand_some(&mut self.batch);
            self.note_violations(n_violations)?;
            let complete = expanded.map_err(|halt| self.fail(halt))?;
            self.insert(first)?;
            if complete || self.met.iter().any(|met| met.before != Some(Phase::OnStack)) {
                self.frames.last_mut().expect("a state was just entered").rounds = rounds;
                return Ok(if complete { Expanded::Whole } else { Expanded::Part });
            }
        }
        Ok(Expanded::Whole)
    }

    /// Looks up the successors from the one at `first` on.
    fn insert(&mut self, first: usize) -> Result<(), Stop> {
        self.places.clear();
        self.places.extend(first as u32..self.batch.len() as u32);
        self.insert_places()?;
        self.successors.extend_from_slice(&self.met);
        Ok(())
    }

    /// Looks up the successors at the places, and makes room for those that are not held.
    fn insert_places(&mut self) -> Result<(), Stop> {
        let (n_waiting, capacity) = self.cache.n_waiting();
        if n_waiting > capacity / WAITING_PART && self.cache.counts().evicted > 0 {
            self.forget();
        }
        let level = self.frames.len() as u32;
        while let Err(Full) = self.cache.insert(&mut self.batch, &self.places, level, &mut self.met) {
            if !self.forget() {
                return Err(self.control.stop(Reason::Limit(Limit::Stack)));
            }
        }
        Ok(())
    }

    /// Forgets half of the states that wait, those that would be opened last. Whether there were any.
    fn forget(&mut self) -> bool {
        let enough = self.cache.n_waiting().0.div_ceil(2);
        let mut n_forgotten = 0;
        while n_forgotten < enough && self.forgotten_to < self.pending.len() {
            let pending = &mut self.pending[self.forgotten_to];
            if pending.fate == Fate::Held && self.cache.phase(pending.held) == Some(Phase::Waiting) {
                self.cache.forget(pending.held);
                pending.fate = Fate::Forgotten;
                n_forgotten += 1;
            }
            self.forgotten_to += 1;
        }
        n_forgotten > 0
    }

    /// Puts what was met on the stack, first things last, unless it was opened before.
    fn schedule(&mut self) -> Result<(), Stop> {
        let n_successors = self.successors.len();
        if self.pending.len() + n_successors > self.pending.capacity() {
            self.pending.reserve_exact(n_successors + self.pending.len() / 4 + 64);
            self.charge_stack()?;
        }
        let frame = self.frames.last_mut().expect("a state was just entered");
        let base = self.pending.len();
        let has_costs = self.plan.policy.needs_costs();
        for (entry, met) in self.batch.entries().iter().zip(&self.successors).rev() {
            match met.before {
                None | Some(Phase::Waiting) => {
                    self.pending.push(Pending { held: met.held, key: entry.key, fate: Fate::Held });
                }
                Some(Phase::OnStack | Phase::Closed) => {
                    self.counts.matched += 1;
                    if has_costs {
                        frame.cost = sum(frame.cost, met.cost);
                    }
                }
            }
        }
        frame.n_pending = (self.pending.len() - base) as u32;
        Ok(())
    }

    /// Goes on to the next state that is to be opened; none if the search is exhausted.
    fn advance(&mut self) -> Result<Option<(Held, StepKey)>, Stop> {
        let has_costs = self.plan.policy.needs_costs();
        while let Some(frame) = self.frames.last_mut() {
            if frame.n_pending == 0 {
                let (held, cost) = (frame.held, frame.cost);
                self.cache.close(held, cost);
                self.frames.pop();
                if let Some(below) = self.frames.last_mut().filter(|_| has_costs) {
                    below.cost = sum(below.cost, cost);
                }
                continue;
            }
            let Pending { held, key, fate } = *self.pending.last().expect("frames count their entries");
            let phase = self.cache.phase(held);
            let may_be_lost = phase.is_none() && frame.n_forgotten != self.cache.counts().forgotten;
            if fate == Fate::Forgotten || fate == Fate::Held && may_be_lost {
                self.refill()?;
                continue;
            }
            frame.n_pending -= 1;
            self.pending.pop();
            if fate == Fate::Held && phase == Some(Phase::Waiting) {
                return Ok(Some((held, key)));
            }
            self.counts.matched += 1;
            if has_costs {
                let is_known = phase == Some(Phase::Closed);
                frame.cost = sum(frame.cost, if is_known { self.cache.cost(held) } else { 0.0 });
            }
        }
        Ok(None)
    }

    /// Computes the pending successors of the top of the stack again that were forgotten, or may have been.
    #[cold]
    fn refill(&mut self) -> Result<(), Stop> {
        let frame = self.frames.last().expect("something is pending");
        let (rounds, before) = (frame.rounds, frame.n_forgotten);
        let base = self.pending.len() - frame.n_pending as usize;
        self.batch.clear();
        self.cursor.load(self.cache.vector(frame.held));
        let expanded = match rounds {
            0 => self.cursor.expand(&mut self.batch),
            _ => (0..rounds).try_for_each(|_| self.cursor.expand_some(&mut self.batch).map(|_| ())),
        };
        expanded.map_err(|halt| self.fail(halt))?;
        let n_forgotten = self.cache.counts().forgotten;
        let is_lost = |pending: &Pending| match pending.fate {
            Fate::Forgotten => true,
            Fate::Held => before != n_forgotten && self.cache.phase(pending.held).is_none(),
            Fate::Opened => false,
        };
        let lost: Vec<usize> = (base..self.pending.len()).filter(|&at| is_lost(&self.pending[at])).collect();
        self.places.clear();
        for &at in &lost {
            let key = self.pending[at].key;
            let place = self.batch.entries().iter().position(|entry| entry.key == key);
            self.places.push(place.expect("a state has the successors that it had before") as u32);
        }
        self.insert_places()?;
        for (&at, met) in lost.iter().zip(&self.met) {
            let waits = matches!(met.before, None | Some(Phase::Waiting));
            let fate = if waits { Fate::Held } else { Fate::Opened };
            self.pending[at] = Pending { held: met.held, fate, ..self.pending[at] };
        }
        // What was forgotten to make room for these counts as forgotten later.
        self.frames.last_mut().expect("something is pending").n_forgotten = n_forgotten;
        self.forgotten_to = self.forgotten_to.min(base);
        Ok(())
    }

    /// Estimates how many states were visited more than once, and ends a search that does little else.
    #[cold]
    fn take_stock(&mut self) -> Result<(), Stop> {
        self.counts.distinct = self.cache.n_distinct();
        let most = self.counts.distinct.saturating_mul(u64::from(self.plan.redundancy));
        if self.counts.states > most {
            return Err(self.control.stop(Reason::Limit(Limit::Redundancy)));
        }
        Ok(())
    }

    /// Charges the budget for the stack, which has grown; the cache gives back what is missing.
    #[cold]
    fn charge_stack(&mut self) -> Result<(), Stop> {
        let frames = self.frames.capacity() * size_of::<Frame>();
        let bytes = (frames + self.pending.capacity() * size_of::<Pending>()) as u64;
        while let Err(Full) = self.charge.cover(bytes) {
            let missing = self.charge.beyond(bytes) as usize;
            if let Err(Full) = self.cache.release(missing)
                && !self.forget()
            {
                return Err(self.control.stop(Reason::Limit(Limit::Stack)));
            }
        }
        Ok(())
    }

    /// The steps to the top of the stack.
    fn steps(&self) -> Vec<StepKey> {
        self.frames.iter().skip(1).map(|frame| frame.key).collect()
    }

    /// An expansion of the top of the stack came to a halt.
    #[cold]
    fn fail(&self, halt: Halt) -> Stop {
        self.control.stop(self.ledger.note_halt(halt, || Some(self.steps())))
    }

    /// Notes the violations in the batch from the one at `first` on, and ends the search unless it goes on
    /// after errors.
    fn note_violations(&self, first: usize) -> Result<(), Stop> {
        for violation in &self.batch.violations()[first..] {
            let length = self.frames.len().saturating_sub(1) as u64 + u64::from(violation.key.is_some());
            let at =
                self.frames.last().map_or_else(|| self.batch.vector(0), |top| self.cache.vector(top.held));
            self.observer.violation(At::Passing(at), violation);
            self.ledger.note(violation, length, || self.steps());
            if !self.all_errors {
                return Err(self.control.stop(Reason::Violation));
            }
        }
        Ok(())
    }
}

/// The logarithm of the sum of two numbers that are given by theirs.
fn sum(a: f32, b: f32) -> f32 {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    more + (less - more).exp2().ln_1p() * std::f32::consts::LOG2_E
}
