//! A search in two phases that estimates how much it has seen: Taleghani's, chapter 5 of "Search carrying
//! code" (2010).
//!
//! The first phase is a breadth-first search, or a depth-first one, to a share of the limits
//! ([`Config::share`]). The second draws states that were not expanded, at random, and searches everything
//! behind each depth first; with `--round-robin N` behind N of them in turn. A step from an unexpanded state
//! is *productive* if it leads to a state that was not visited. When a limit is reached, the productive steps
//! of the states that were not drawn are counted. The estimate is that each of them leads to as many states
//! as those of the states that were drawn did, on average.
//!
//! Every state is visited once, and the search is exhaustive if no limit ends it: the argument for reductions
//! is that of `dfs` with several workers (`worker`), which holds for every order. One worker; no process
//! sleeps.
//!
//! It differs from the thesis in one thing: all steps of a state are sampled together, since a state is
//! expanded as a whole. The count at the end is made in five per cent of the limits, and extrapolated if that
//! is too little.

use crate::control::{Control, Stop};
use crate::coverage::{Coverage, Source};
use crate::random::SplitMix64;
use crate::reserve::{Reserve, limiter};
use crate::subject::Subject;
use crate::worker::{Worker, WorkerShared};
use crate::{Config, End, Limits, Observer, Outcome};
use allways_model::{Asleep, Batch, Model};
use allways_store::{Recall, StateRef, Writer};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// How the first phase goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPhase {
    /// Nearest states first.
    Breadth,
    /// Deepest states first.
    Depth,
}

/// What the phases did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// States that each has visited.
    pub states: [u64; 2],
    /// Steps that each has taken.
    pub transitions: [u64; 2],
    /// Productive steps of the states that were drawn.
    pub sampled: u64,
    /// Productive steps of those that were not.
    pub left: u64,
}

impl Phases {
    /// How many states the second phase has not visited, by the estimate of the thesis.
    #[must_use]
    pub fn unvisited(&self) -> f64 {
        self.states[1] as f64 / self.sampled.max(1) as f64 * self.left as f64
    }

    /// How many of a hundred steps of each phase led to a new state.
    #[must_use]
    pub fn rates(&self) -> [f64; 2] {
        [0, 1].map(|idx| 100.0 * self.states[idx] as f64 / self.transitions[idx].max(1) as f64)
    }
}

/// For the count at the end, in per cent.
const FOR_COUNT: u32 = 5;
/// How many states a search behind a drawn state visits before it is the next one's turn.
const TURN: usize = 64;
/// How often the clock is read in the first phase.
const TICK: u64 = 256;

type Item = (StateRef, u32, Asleep);

/// The states that the search has yet to expand, and what it did.
#[derive(Default)]
struct Work {
    queue: VecDeque<Item>,
    /// Behind drawn states.
    stacks: Vec<Vec<Item>>,
    phases: Phases,
    n_drawn: u64,
    charged: u64,
}

/// When the first phase ends.
struct Turnover {
    states: Option<u64>,
    bytes: Option<u64>,
    time: Option<Duration>,
}

/// Visits all states of `model`, first in order and then at random.
pub fn phases<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
    first: FirstPhase,
) -> Outcome {
    let config = &Config { workers: 1, sleep: false, ..*config };
    let share = if config.share == 0 { 60 } else { config.share };
    let for_count = if config.share == 0 { 0 } else { FOR_COUNT };
    let (ref inner, mut reserve) =
        Reserve::of(&Config { share: for_count, ..*config }, store.budget(), u64::MAX);
    let shared = WorkerShared::new(model, store, observer, inner, false);
    let turnover = Turnover::of(&inner.limits, store.budget().limit(), share);
    let (seed, n_turns) = (config.walks.seed, config.walks.round_robin.max(1) as usize);
    let mut results = shared.control.run(inner, |idx| {
        let (mut worker, mut work) = (Worker::new(&shared, idx), Work::default());
        let mut random = SplitMix64::new(seed);
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = work
            .begin(&mut worker, first, &turnover)
            .and_then(|()| work.draw_all(&mut worker, &mut random, n_turns));
        work.note(&worker, 1);
        worker.publish(0);
        (worker.into_result(), work)
    });
    let (remains, mut work) = results.pop().expect("there is one worker");
    let (subject, outcome) = (shared.subject, shared.finish(vec![remains]));
    reserve.give_back();
    let is_limited = matches!(outcome.end, End::Bounded(_)) && work.n_drawn > 0;
    if !is_limited || !reserve.is_some() || config.stop.is_some_and(|flag| flag.load(Relaxed)) {
        return outcome;
    }
    let mut random = SplitMix64::new(config.walks.seed ^ 1);
    work.phases.left = count_left(subject, store, &work.queue, config, &reserve, &mut random);
    let coverage = Coverage {
        depth: outcome.stats.depth,
        walks: work.n_drawn,
        steps: work.phases.transitions[1],
        distinct: work.phases.states[1],
        phases: Some(work.phases),
        ..Coverage::none(Source::Phases, outcome.stats.states)
    };
    Outcome { coverage: Some(coverage), ..outcome }
}

impl Turnover {
    fn of(limits: &Limits, bytes: Option<u64>, share: u32) -> Self {
        let part = |whole: u64| (u128::from(whole) * u128::from(share) / 100) as u64;
        Self {
            states: limits.states.map(part),
            bytes: bytes.map(part),
            time: limits.time.map(|time| time.mul_f64(f64::from(share) / 100.0)),
        }
    }

    fn is_due(&self, control: &Control, n_states: u64) -> bool {
        let has_time = self.time.is_some() && n_states.is_multiple_of(TICK);
        self.states.is_some_and(|most| n_states >= most)
            || self.bytes.is_some_and(|most| control.budget.used() >= most)
            || has_time && self.time.is_some_and(|most| control.elapsed() >= most)
    }
}

impl Work {
    /// The first phase.
    fn begin<S: Recall, O: Observer>(
        &mut self,
        worker: &mut Worker<'_, S, O>,
        first: FirstPhase,
        turnover: &Turnover,
    ) -> Result<(), Stop> {
        let control = &worker.shared.control;
        self.queue.push_back((worker.begin()?, 0, Asleep::NONE));
        let mut n_expanded = 0_u64;
        loop {
            let next = match first {
                FirstPhase::Breadth => self.queue.pop_front(),
                FirstPhase::Depth => self.queue.pop_back(),
            };
            let Some((state, depth, asleep)) = next else { break };
            n_expanded += 1;
            worker.visit(state, depth, asleep)?;
            worker.flush(|state, depth, asleep| self.queue.push_back((state, depth, asleep)))?;
            worker.publish(self.queue.len());
            self.charge(control)?;
            let is_due = turnover.is_due(control, worker.counts.states);
            if is_due || n_expanded.is_multiple_of(TICK) && turnover.is_due(control, 0) {
                break;
            }
        }
        self.note(worker, 0);
        Ok(())
    }

    /// The second phase.
    fn draw_all<S: Recall, O: Observer>(
        &mut self,
        worker: &mut Worker<'_, S, O>,
        random: &mut SplitMix64,
        n_turns: usize,
    ) -> Result<(), Stop> {
        let control = &worker.shared.control;
        while !self.queue.is_empty() || !self.stacks.is_empty() {
            while self.stacks.len() < n_turns && !self.queue.is_empty() {
                let place = random.below(self.queue.len());
                let (state, depth, asleep) = self.queue.swap_remove_back(place).expect("it is in the queue");
                self.n_drawn += 1;
                let mut stack = Vec::new();
                worker.visit(state, depth, asleep)?;
                let flushed = worker.flush(|state, depth, asleep| stack.push((state, depth, asleep)));
                self.phases.sampled += stack.len() as u64;
                flushed?;
                self.stacks.push(stack);
            }
            for stack in &mut self.stacks {
                for _ in 0..TURN {
                    let Some((state, depth, asleep)) = stack.pop() else { break };
                    worker.visit(state, depth, asleep)?;
                    worker.flush(|state, depth, asleep| stack.push((state, depth, asleep)))?;
                }
            }
            self.stacks.retain(|stack| !stack.is_empty());
            worker.publish(self.queue.len() + self.stacks.iter().map(Vec::len).sum::<usize>());
            self.charge(control)?;
        }
        Ok(())
    }

    /// Notes what a phase has done that ends.
    fn note<S: Recall, O: Observer>(&mut self, worker: &Worker<'_, S, O>, phase: usize) {
        let (states, matched) = (worker.counts.states, worker.counts.matched);
        let before: u64 = self.phases.states[..phase].iter().sum();
        let steps_before: u64 = self.phases.transitions[..phase].iter().sum();
        self.phases.states[phase] = states.saturating_sub(before);
        self.phases.transitions[phase] = (states + matched).saturating_sub(steps_before);
    }

    fn charge(&mut self, control: &Control) -> Result<(), Stop> {
        let n_items = self.queue.capacity() + self.stacks.iter().map(Vec::capacity).sum::<usize>();
        let bytes = (n_items * size_of::<Item>()) as u64;
        if bytes > self.charged {
            control.afford(control.budget.charge(bytes - self.charged))?;
            self.charged = bytes;
        }
        Ok(())
    }
}

/// How many steps of the states in the queue lead to states that were not visited, different ones.
fn count_left<S: Recall>(
    subject: Subject<'_>,
    store: &S,
    queue: &VecDeque<Item>,
    config: &Config<'_>,
    reserve: &Reserve,
    random: &mut SplitMix64,
) -> u64 {
    let deadline = reserve.deadline();
    let (mut cursor, mut writer) = (subject.cursor(), store.writer());
    cursor.limit(&limiter(deadline, store.budget()));
    let mut order: Vec<StateRef> = queue.iter().map(|item| item.0).collect();
    let (mut batch, mut seen, mut n_new) = (Batch::new(), Vec::new(), 0_u64);
    for n_done in 0..order.len() {
        let place = n_done + random.below(order.len() - n_done);
        order.swap(n_done, place);
        let mut buffer = Vec::new();
        let vector = store.fetch(order[n_done], &mut buffer).to_vec();
        batch.clear();
        cursor.load(&vector);
        let expanded = match config.reduce {
            true => cursor.expand_some(&mut batch).map(|_| ()),
            false => cursor.expand(&mut batch),
        };
        let is_over = Instant::now() >= deadline || n_new >= reserve.most_states();
        if is_over || expanded.is_ok() && writer.insert(&mut batch, &mut seen).is_err() {
            // The others have as many, on average.
            return n_new * order.len() as u64 / (n_done as u64).max(1);
        }
        if expanded.is_ok() {
            n_new += seen.iter().filter(|seen| seen.new).count() as u64;
        }
    }
    n_new
}
