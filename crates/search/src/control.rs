//! Starts the workers of a search, monitors them, and stops them.
//!
//! Each worker runs on its own thread. The calling thread sleeps, and wakes to check the clock and the
//! caller's stop flag and to report progress. So limits hold promptly even if the steps of a model are slow,
//! and a worker's loop reads a single flag. The first reason to stop is kept; later ones are ignored. A
//! single worker without limits or callbacks runs on the calling thread.

use crate::{Config, Limit, OVERRUN, Sample};
use allways_model::Limiter;
use allways_store::{Budget, Full};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// The stack of a worker, large because front ends may recurse. The pages are not allocated until they are
/// touched.
const STACK_BYTES: usize = 16 << 20;
const FLAG_INTERVAL: Duration = Duration::from_millis(20);
const SAMPLE_INTERVAL: Duration = Duration::from_millis(500);

/// The reason why a search stops before it is exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A violation was met.
    Violation,
    /// The model reported a fault.
    Fault,
    /// A cursor has learnt a lesson, so the search must be repeated.
    Refine,
    /// A limit was reached.
    Limit(Limit),
    /// A worker panicked. The others must not wait for it.
    Panic,
}

/// All reasons. The atomic holds the index of a [`Reason`] in this list plus one, or zero.
const REASONS: [Reason; 12] = [
    Reason::Violation,
    Reason::Fault,
    Reason::Refine,
    Reason::Panic,
    Reason::Limit(Limit::Time),
    Reason::Limit(Limit::Memory),
    Reason::Limit(Limit::Depth),
    Reason::Limit(Limit::States),
    Reason::Limit(Limit::Interrupted),
    Reason::Limit(Limit::Observer),
    Reason::Limit(Limit::Stack),
    Reason::Limit(Limit::Redundancy),
];

/// The error value of a worker that must return because the search is stopping. The reason is in [`Control`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

/// The published counts of one worker. Only its owner writes; any thread may read, possibly slightly old
/// values.
#[repr(align(128))]
#[derive(Default)]
pub(crate) struct Meter {
    states: AtomicU64,
    matched: AtomicU64,
    depth: AtomicU64,
    frontier: AtomicU64,
    distinct: AtomicU64,
}

/// A worker's private copy of the counts in its [`Meter`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) states: u64,
    pub(crate) matched: u64,
    pub(crate) depth: u64,
    pub(crate) frontier: u64,
    /// The number of distinct states, if the search may visit states again; otherwise zero.
    pub(crate) distinct: u64,
}

/// The state shared by the workers of a search and the thread that monitors them.
pub(crate) struct Control {
    started: Instant,
    reason: AtomicU8,
    n_running: AtomicUsize,
    meters: Box<[Meter]>,
    max_states: u64,
    pub(crate) budget: Budget,
    /// Ends expansions in progress when the search stops.
    pub(crate) limiter: Limiter,
}

impl Control {
    pub(crate) fn new(config: &Config<'_>, budget: &Budget) -> Self {
        assert!(config.workers > 0, "a search has at least one worker");
        let control = Self {
            started: Instant::now(),
            reason: AtomicU8::new(0),
            n_running: AtomicUsize::new(config.workers),
            meters: (0..config.workers).map(|_| Meter::default()).collect(),
            max_states: config.limits.states.unwrap_or(u64::MAX),
            budget: budget.clone(),
            limiter: config.limits.states.map_or_else(Limiter::default, Limiter::of_states),
        };
        control.share_room();
        control
    }

    /// Sets how much memory an expansion may use: an equal share of what is left.
    fn share_room(&self) {
        if let Some(limit) = self.budget.limit() {
            self.limiter.set_room(limit.saturating_sub(self.budget.used()) / self.n_workers() as u64);
        }
    }

    /// The number of workers.
    pub(crate) fn n_workers(&self) -> usize {
        self.meters.len()
    }

    /// Whether the search must stop.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.reason.load(Relaxed) != 0
    }

    /// Stops the search for `reason`.
    #[cold]
    pub(crate) fn stop(&self, reason: Reason) -> Stop {
        let code = 1 + REASONS.iter().position(|&r| r == reason).expect("all reasons are listed") as u8;
        // If it fails, an earlier reason is kept.
        let _ = self.reason.compare_exchange(0, code, Release, Relaxed);
        self.limiter.stop();
        Stop
    }

    pub(crate) fn reason(&self) -> Option<Reason> {
        (self.reason.load(Acquire) as usize).checked_sub(1).map(|idx| REASONS[idx])
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Stops the search if an observer returned `Break`.
    #[inline(always)]
    pub(crate) fn heed(&self, flow: ControlFlow<()>) -> Result<(), Stop> {
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(self.stop(Reason::Limit(Limit::Observer))),
        }
    }

    /// Stops the search if `result` is [`Full`].
    #[inline]
    pub(crate) fn afford<T>(&self, result: Result<T, Full>) -> Result<T, Stop> {
        result.map_err(|Full| self.stop(Reason::Limit(Limit::Memory)))
    }

    /// Stops the search if `more` states beyond the `states` that the calling worker has visited would exceed
    /// the limit.
    #[inline]
    pub(crate) fn check_states(&self, worker_idx: usize, states: u64, more: u64) -> Result<(), Stop> {
        if self.max_states == u64::MAX {
            return Ok(());
        }
        let others = self.meters.iter().enumerate().filter(|&(idx, _)| idx != worker_idx);
        let total = states + others.map(|(_, meter)| meter.states.load(Relaxed)).sum::<u64>();
        if total + more > self.max_states {
            return Err(self.stop(Reason::Limit(Limit::States)));
        }
        Ok(())
    }

    /// Publishes a worker's counts.
    #[inline]
    pub(crate) fn publish(&self, worker_idx: usize, counts: &Counts) {
        let meter = &self.meters[worker_idx];
        meter.states.store(counts.states, Relaxed);
        meter.matched.store(counts.matched, Relaxed);
        meter.depth.store(counts.depth, Relaxed);
        meter.frontier.store(counts.frontier, Relaxed);
        if counts.distinct > 0 {
            meter.distinct.store(counts.distinct, Relaxed);
        }
    }

    /// Runs `work` once for each worker and returns the results.
    pub(crate) fn run<R: Send>(&self, config: &Config<'_>, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        if config.workers == 1 && !is_watched(config) {
            // Tiny models are checked faster than a thread starts.
            return vec![work(0)];
        }
        let caller = thread::current();
        thread::scope(|scope| {
            let work = &work;
            let start = |idx| {
                let presence = Presence { control: self, caller: caller.clone() };
                let body = move || {
                    let _presence = presence;
                    work(idx)
                };
                let builder = thread::Builder::new().name(format!("worker {idx}")).stack_size(STACK_BYTES);
                builder.spawn_scoped(scope, body).expect("the system gives a thread")
            };
            let threads: Vec<_> = (0..config.workers).map(start).collect();
            self.watch(config);
            let join =
                |thread: thread::ScopedJoinHandle<'_, R>| thread.join().unwrap_or_else(|p| resume_unwind(p));
            threads.into_iter().map(join).collect()
        })
    }

    fn watch(&self, config: &Config<'_>) {
        let deadline = config.limits.time.map(|time| self.started + time);
        let mut next_sample = self.started + SAMPLE_INTERVAL;
        let mut stopped_at: Option<Instant> = None;
        while self.n_running.load(Acquire) > 0 {
            let now = Instant::now();
            let flag_check = config.stop.or(config.full).map(|_| now + FLAG_INTERVAL);
            let sample = config.progress.map(|_| next_sample);
            let overrun = config.overrun.map(|_| now + FLAG_INTERVAL);
            let wakes = [deadline.filter(|_| !self.stopped()), flag_check, sample, overrun];
            match wakes.into_iter().flatten().min() {
                Some(wake) => thread::park_timeout(wake.saturating_duration_since(now)),
                None => thread::park(),
            }
            self.share_room();
            let now = Instant::now();
            if config.stop.is_some_and(|flag| flag.load(Relaxed)) {
                self.stop(Reason::Limit(Limit::Interrupted));
            }
            if config.full.is_some_and(|flag| flag.load(Relaxed)) {
                self.stop(Reason::Limit(Limit::Memory));
            }
            if deadline.is_some_and(|deadline| now >= deadline) {
                self.stop(Reason::Limit(Limit::Time));
            }
            if let (Some(overrun), Some(Reason::Limit(limit))) = (config.overrun, self.reason()) {
                let stopped_at = *stopped_at.get_or_insert(now);
                if now >= stopped_at + OVERRUN && self.n_running.load(Acquire) > 0 {
                    overrun(&self.sample(), limit);
                }
            }
            if let Some(progress) = config.progress
                && now >= next_sample
            {
                next_sample = now + SAMPLE_INTERVAL;
                progress(&self.sample());
            }
        }
    }

    fn sample(&self) -> Sample {
        let total =
            |count: fn(&Meter) -> &AtomicU64| self.meters.iter().map(|m| count(m).load(Relaxed)).sum();
        let (states, matched): (u64, u64) = (total(|m| &m.states), total(|m| &m.matched));
        Sample {
            elapsed: self.elapsed(),
            states,
            transitions: states + matched,
            depth: self.meters.iter().map(|meter| meter.depth.load(Relaxed)).max().unwrap_or(0),
            frontier: total(|m| &m.frontier),
            distinct: Some(total(|m| &m.distinct)).filter(|&n| n > 0),
            bytes: self.budget.used(),
            coverage: None,
        }
    }
}

/// Whether there is anything for the calling thread to do while the workers run.
fn is_watched(config: &Config<'_>) -> bool {
    let has_flag = config.stop.is_some() || config.full.is_some();
    config.limits.time.is_some() || has_flag || config.progress.is_some()
}

/// Marks a worker as running. Notifies the monitoring thread when dropped.
struct Presence<'c> {
    control: &'c Control,
    caller: Thread,
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.control.stop(Reason::Panic);
        }
        if self.control.n_running.fetch_sub(1, Release) == 1 {
            self.caller.unpark();
        }
    }
}
