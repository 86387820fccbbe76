//! Random walks from the initial state, by one worker or many.
//!
//! Only the steps of the current walk are kept, so the model may be arbitrarily large, but walks never prove
//! anything. A walk ends in a state without steps or at the depth limit, and then another walk begins. Each
//! state on the walk is expanded as a whole, so violations during all of its steps are met, not only during
//! the step that the walk takes.
//!
//! The number of a walk and the seed determine its steps, so every run has the same walks; with several
//! workers their order may differ. Successors are drawn uniformly, or actors by their priorities (`pct`).
//! Priorities also depend on the length of the walks so far, so with several workers they may differ from run
//! to run.
//!
//! No steps are omitted, whatever [`Config::reduce`] says, so that each interleaving may be drawn.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, ended};
use crate::outcome::{WorkerResult, finish_with};
use crate::pct::{Guarantee, Horizon, Priorities};
use crate::subject::Subject;
use crate::survey::{Met, Sightings, Survey, Surveyor};
use crate::{Config, End, Limit, Observer, Outcome, SplitMix64};
use allways_model::{Batch, Cursor, Halt, Model, Path, StepKey};
use allways_store::Budget;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most steps of a walk, if the length of paths has no limit.
const MAX_STEPS: u64 = 10_000;

/// How the next step is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Any successor, with equal probability.
    Uniform,
    /// By the priorities of actors, for errors of this depth.
    Priorities(u32),
}

/// The statistics of random walks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walks {
    /// The number of walks begun.
    pub n_walks: u64,
    /// The number of steps of all walks.
    pub n_steps: u64,
    /// The number of walks cut off at the greatest number of steps.
    pub n_cut: u64,
    /// The greatest number of steps that a walk may have.
    pub max_steps: u64,
    /// The sum over all walks of the number of distinct states met.
    pub n_met: u64,
    /// The number of states that exactly one walk has met.
    pub n_once: u64,
    /// The guarantee of walks by priorities.
    pub guarantee: Option<Guarantee>,
}

impl Walks {
    /// The expected number of states that one more walk meets and no walk has met (the Good-Turing estimate).
    #[must_use]
    pub fn expected_new(&self) -> f64 {
        ratio(self.n_once, self.n_walks)
    }

    /// The probability that a state of one more walk is one that no walk has met (the Good-Turing estimate).
    #[must_use]
    pub fn unseen(&self) -> f64 {
        ratio(self.n_once, self.n_met)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The state that all workers share.
struct WalksShared<'a, O> {
    observer: &'a O,
    subject: Subject<'a>,
    control: Control,
    ledger: Ledger<Vec<StepKey>>,
    survey: Survey,
    /// Present if there are priorities.
    horizon: Option<Horizon>,
    seed: u64,
    max_walks: u64,
    max_steps: u64,
    n_begun: AtomicU64,
    all_errors: bool,
}

/// One worker.
struct Walker<'a, O> {
    shared: &'a WalksShared<'a, O>,
    idx: usize,
    cursor: Box<dyn Cursor + 'a>,
    surveyor: Surveyor<'a>,
    batch: Batch,
    state: Vec<u8>,
    steps: Vec<StepKey>,
    counts: Counts,
    n_steps: u64,
    n_cut: u64,
    /// The memory charged for the walk.
    charge: Charge,
}

/// The result of one worker.
struct WalkerResult {
    worker_result: WorkerResult,
    sightings: Sightings,
    n_steps: u64,
    n_cut: u64,
}

/// Runs random walks through `model` until a violation or a limit is met. The outcome counts the distinct
/// states that were met.
pub fn random_walks<O: Observer>(
    model: &dyn Model,
    draw: Draw,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let budget = Budget::new(config.limits.memory);
    let shared = WalksShared {
        observer,
        subject: Subject::new(model, config.lessons),
        control: Control::new(config, &budget),
        ledger: Ledger::new(config.all_errors, config.max_findings),
        survey: Survey::new(&budget),
        horizon: match draw {
            Draw::Uniform => None,
            Draw::Priorities(bug_depth) => Some(Horizon::new(bug_depth)),
        },
        seed: SplitMix64::new(config.walks.seed).next(),
        max_walks: config.walks.most.unwrap_or(u64::MAX),
        max_steps: config.limits.depth.unwrap_or(MAX_STEPS),
        n_begun: AtomicU64::new(0),
        all_errors: config.all_errors,
    };
    let walker_results = shared.control.run(config, |idx| {
        let mut walker = Walker::new(&shared, idx);
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = walker.run();
        walker.into_result()
    });
    shared.finish(walker_results)
}

impl<O: Observer> WalksShared<'_, O> {
    fn finish(self, walker_results: Vec<WalkerResult>) -> Outcome {
        let path = |steps: Option<Vec<StepKey>>, last: Option<StepKey>| {
            let steps = steps.into_iter().flatten().chain(last).collect();
            Path { model: self.subject.digest(), steps }
        };
        let found = self.ledger.into_found(false, path);
        let sum = |count: fn(&WalkerResult) -> u64| walker_results.iter().map(count).sum::<u64>();
        let walks = Walks {
            n_walks: self.n_begun.into_inner().min(self.max_walks),
            n_steps: sum(|one| one.n_steps),
            n_cut: sum(|one| one.n_cut),
            max_steps: self.max_steps,
            n_met: sum(|one| one.sightings.all),
            n_once: sum(|one| one.sightings.first).saturating_sub(sum(|one| one.sightings.second)),
            guarantee: self.horizon.map(|horizon| horizon.guarantee()),
        };
        let worker_results: Vec<WorkerResult> =
            walker_results.into_iter().map(|one| one.worker_result).collect();
        let bytes = (self.survey.bytes(), self.control.budget.peak());
        let mut outcome = finish_with(&self.control, bytes, &worker_results, found);
        if matches!(outcome.end, End::Exhausted | End::Cut(_)) {
            outcome.end = End::Bounded(Limit::Walks);
        }
        outcome.walks = Some(walks);
        ended(self.observer, outcome)
    }
}

impl<'a, O: Observer> Walker<'a, O> {
    fn new(shared: &'a WalksShared<'a, O>, idx: usize) -> Self {
        Self {
            shared,
            idx,
            cursor: shared.subject.limited_cursor(&shared.control),
            surveyor: shared.survey.surveyor(),
            batch: Batch::new(),
            state: Vec::new(),
            steps: Vec::new(),
            counts: Counts::default(),
            n_steps: 0,
            n_cut: 0,
            charge: Charge::new(&shared.control.budget),
        }
    }

    fn into_result(mut self) -> WalkerResult {
        self.shared.control.publish(self.idx, &self.counts);
        WalkerResult {
            worker_result: WorkerResult::new(self.counts, &mut *self.cursor),
            sightings: self.surveyor.sightings,
            n_steps: self.n_steps,
            n_cut: self.n_cut,
        }
    }

    fn run(&mut self) -> Result<(), Stop> {
        let shared = self.shared;
        self.batch.clear();
        if let Err(halt) = self.cursor.initial(&mut self.batch) {
            return Err(self.fail(halt));
        }
        let initial = self.batch.vector(0).to_vec();
        if self.idx == 0 {
            self.note_violations(&initial)?;
        }
        loop {
            let number = shared.n_begun.fetch_add(1, Relaxed);
            if number >= shared.max_walks {
                return Ok(());
            }
            let mut random = SplitMix64::new(SplitMix64::new(shared.seed ^ number).next());
            self.state.clone_from(&initial);
            self.steps.clear();
            self.surveyor.begin();
            let mut priorities = shared.horizon.as_ref().map(|horizon| horizon.begin(&mut random));
            let result = self.walk(&mut random, priorities.as_mut());
            self.n_steps += self.steps.len() as u64;
            result?;
            if let (Some(horizon), Some(priorities)) = (&shared.horizon, &priorities) {
                horizon.end(priorities, self.steps.len() as u64);
            }
        }
    }

    /// Runs one walk, until a state without steps or the limit on steps.
    fn walk(&mut self, random: &mut SplitMix64, mut priorities: Option<&mut Priorities>) -> Result<(), Stop> {
        let shared = self.shared;
        let mut last_actor = None;
        loop {
            if shared.control.stopped() {
                return Err(Stop);
            }
            let met = shared.control.afford(self.surveyor.meet(&self.state))?;
            *(if met == Met::First { &mut self.counts.states } else { &mut self.counts.matched }) += 1;
            let depth = self.steps.len() as u64;
            self.counts.depth = self.counts.depth.max(depth);
            shared.control.publish(self.idx, &self.counts);
            shared.control.check_states(self.idx, self.counts.states, 0)?;
            self.batch.clear();
            self.cursor.load(&self.state);
            let halt = self.cursor.expand(&mut self.batch).err();
            // If a walk was in this state before, it has noted the violations already.
            if met == Met::First {
                self.note_violations(&self.state)?;
            }
            if let Some(halt) = halt {
                return Err(self.fail(halt));
            }
            if self.batch.is_empty() {
                return Ok(());
            }
            if depth >= shared.max_steps {
                self.n_cut += 1;
                return Ok(());
            }
            let idx = match &mut priorities {
                None => random.below(self.batch.len()),
                Some(priorities) => {
                    if let Some(actor) = last_actor.filter(|_| met == Met::Again) {
                        priorities.demote(actor);
                    }
                    let idx = self.draw(priorities, depth, random);
                    last_actor = Some(self.cursor.actor(self.batch.entries()[idx].key));
                    idx
                }
            };
            self.steps.push(self.batch.entries()[idx].key);
            self.state.clear();
            self.state.extend_from_slice(self.batch.vector(idx));
            self.charge()?;
        }
    }

    /// Charges the budget if the walk is longer than any before.
    fn charge(&mut self) -> Result<(), Stop> {
        let bytes = (self.steps.capacity() * size_of::<StepKey>()) as u64 + self.surveyor.bytes();
        self.shared.control.afford(self.charge.cover(bytes))
    }

    /// The index of a step of the actor that the priorities choose.
    fn draw(&self, priorities: &mut Priorities, n_steps: u64, random: &mut SplitMix64) -> usize {
        let entries = self.batch.entries();
        let actors = entries.iter().map(|entry| self.cursor.actor(entry.key));
        let actor = priorities.choose(n_steps, actors.clone(), random);
        let n_own = actors.clone().filter(|one| *one == actor).count();
        let own = actors.enumerate().filter(|(_, one)| *one == actor).map(|(idx, _)| idx);
        own.clone().nth(random.below(n_own)).expect("the actor can move")
    }

    fn note_violations(&self, state: &[u8]) -> Result<(), Stop> {
        for violation in self.batch.violations() {
            let length = self.steps.len() as u64 + u64::from(violation.key.is_some());
            self.shared.observer.violation(At::Passing(state), violation);
            self.shared.ledger.note(violation, length, || self.steps.clone());
            if !self.shared.all_errors {
                return Err(self.shared.control.stop(Reason::Violation));
            }
        }
        Ok(())
    }

    #[cold]
    fn fail(&self, halt: Halt) -> Stop {
        self.shared.control.stop(self.shared.ledger.note_halt(halt, || Some(self.steps.clone())))
    }
}
