//! Random walks from the initial state, by one worker or many.
//!
//! Nothing is kept but the steps of the walk at hand, so a model may be as large as it likes; but nothing is
//! ever proved. A walk ends where nothing can happen or after so many steps as a path may have, and another
//! begins. Each state on the way is expanded as a whole, so that a violation is met one step before it would
//! happen.
//!
//! Which steps a walk takes is decided by its number and the seed: with one worker the same walks are walked
//! each time, and with several the same ones in another order. Successors are drawn uniformly, or actors by
//! their priorities (`pct`), which depend on how long walks have been so far.
//!
//! Steps are not left out, whatever [`Config::reduce`] says: each interleaving has its chance.

use crate::charge::Charge;
use crate::control::{Control, Counts, Reason, Stop};
use crate::ledger::Ledger;
use crate::observer::{At, ended};
use crate::outcome::{Remains, finish_with};
use crate::pct::{Guarantee, Horizon, Priorities};
use crate::subject::Subject;
use crate::survey::{Met, Sightings, Survey, Surveyor};
use crate::{Config, End, Limit, Observer, Outcome, SplitMix64};
use allways_model::{Batch, Cursor, Halt, Model, Path, StepKey};
use allways_store::Budget;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A walk has at most so many steps, if the length of paths has no limit.
const MAX_STEPS: u64 = 10_000;

/// How the next step is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Any successor.
    Uniform,
    /// By priorities of actors, for errors of this depth.
    Priorities(u32),
}

/// What random walks have seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walks {
    /// How many were begun.
    pub n_walks: u64,
    /// Their steps in all.
    pub n_steps: u64,
    /// How many were cut off because they had as many steps as a walk may have.
    pub n_cut: u64,
    /// How many that is.
    pub max_steps: u64,
    /// The states of each walk, each once, added up.
    pub n_met: u64,
    /// States that exactly one walk has met.
    pub n_once: u64,
    /// What the walks promise, if they were walked by priorities.
    pub guarantee: Option<Guarantee>,
}

impl Walks {
    /// How many states one more walk is expected to meet that no walk has met (Good and Turing's estimate).
    #[must_use]
    pub fn expected_new(&self) -> f64 {
        ratio(self.n_once, self.n_walks)
    }

    /// The chance that a state of one more walk is one that no walk has met (Good and Turing's estimate).
    #[must_use]
    pub fn unseen(&self) -> f64 {
        ratio(self.n_once, self.n_met)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// What all workers share.
struct Shared<'a, O> {
    observer: &'a O,
    subject: Subject<'a>,
    control: Control,
    ledger: Ledger<Vec<StepKey>>,
    survey: Survey,
    /// Kept if there are priorities.
    horizon: Option<Horizon>,
    seed: u64,
    max_walks: u64,
    max_steps: u64,
    n_begun: AtomicU64,
    all_errors: bool,
}

/// One worker.
struct Walker<'a, O> {
    shared: &'a Shared<'a, O>,
    idx: usize,
    cursor: Box<dyn Cursor + 'a>,
    surveyor: Surveyor<'a>,
    batch: Batch,
    state: Vec<u8>,
    steps: Vec<StepKey>,
    counts: Counts,
    n_steps: u64,
    n_cut: u64,
    /// For the walk.
    charge: Charge,
}

/// What is left of a worker.
struct Left {
    remains: Remains,
    sightings: Sightings,
    n_steps: u64,
    n_cut: u64,
}

/// Walks through `model` until a violation or a limit is met. The states of the outcome are those that were
/// met.
pub fn random_walks<O: Observer>(
    model: &dyn Model,
    draw: Draw,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let budget = Budget::new(config.limits.memory);
    let shared = Shared {
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
    let left = shared.control.run(config, |idx| {
        let mut walker = Walker::new(&shared, idx);
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = walker.run();
        walker.into_left()
    });
    shared.finish(left)
}

impl<O: Observer> Shared<'_, O> {
    fn finish(self, left: Vec<Left>) -> Outcome {
        let path = |steps: Option<Vec<StepKey>>, last: Option<StepKey>| {
            let steps = steps.into_iter().flatten().chain(last).collect();
            Path { model: self.subject.digest(), steps }
        };
        let found = self.ledger.into_found(false, path);
        let sum = |count: fn(&Left) -> u64| left.iter().map(count).sum::<u64>();
        let walks = Walks {
            n_walks: self.n_begun.into_inner().min(self.max_walks),
            n_steps: sum(|one| one.n_steps),
            n_cut: sum(|one| one.n_cut),
            max_steps: self.max_steps,
            n_met: sum(|one| one.sightings.all),
            n_once: sum(|one| one.sightings.first).saturating_sub(sum(|one| one.sightings.second)),
            guarantee: self.horizon.map(|horizon| horizon.guarantee()),
        };
        let remains: Vec<Remains> = left.into_iter().map(|one| one.remains).collect();
        let bytes = (self.survey.bytes(), self.control.budget.peak());
        let mut outcome = finish_with(&self.control, bytes, &remains, found);
        if matches!(outcome.end, End::Exhausted | End::Cut(_)) {
            outcome.end = End::Bounded(Limit::Walks);
        }
        outcome.walks = Some(walks);
        ended(self.observer, outcome)
    }
}

impl<'a, O: Observer> Walker<'a, O> {
    fn new(shared: &'a Shared<'a, O>, idx: usize) -> Self {
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

    fn into_left(mut self) -> Left {
        self.shared.control.publish(self.idx, &self.counts);
        Left {
            remains: Remains::new(self.counts, &mut *self.cursor),
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

    /// Goes on until nothing can happen, or too much has happened.
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
            // One that was noted before is not another.
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

    /// Charges the budget for the walk, which is longer than any before or is not.
    fn charge(&mut self) -> Result<(), Stop> {
        let bytes = (self.steps.capacity() * size_of::<StepKey>()) as u64 + self.surveyor.bytes();
        self.shared.control.afford(self.charge.cover(bytes))
    }

    /// One of the steps of the actor that is to move.
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
