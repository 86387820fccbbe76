//! Breadth-first search, level by level, by one worker or several.
//!
//! All states at a distance of `n` steps from the initial state are expanded before any at `n + 1`, so the
//! path to a violation has the fewest steps possible. A violation in a state ends the search at once; one
//! during a step from a state is one step further away, so the search first checks the rest of the level for
//! violations in states. With one worker the same counterexample is found in every run.
//!
//! With reductions, expanding part of a state suffices if a step leads to a state of the next level: the
//! level proviso (`worker` has the argument). It does not depend on the order within a level, so reduced
//! counts are the same with any number of workers.

use crate::control::{Reason, Stop};
use crate::coverage::Source;
use crate::frontier::survey;
use crate::rally::Rally;
use crate::reserve::Reserve;
use crate::worker::{Worker, WorkerShared};
use crate::{Config, Observer, Outcome};
use allways_model::{Asleep, Model};
use allways_store::{Recall, StateRef};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};

/// The most states of a level that a worker takes at a time.
const MAX_PORTION: usize = 64;
/// The fewest states of a level that is shared.
const MIN_SHARED: usize = 24;
/// The fewest states, in one level or in several shareable ones, for which sleeping workers are woken.
const MIN_WAKING: usize = 512;
/// The most states in small levels that the leader expands alone before it tries again to share them.
const MAX_ALONE: usize = 1 << 17;

/// The states of a level, or a worker's share of one.
#[derive(Clone, Default)]
struct Level {
    states: Vec<StateRef>,
    /// The sleep sets of the states, if sleep sets are used.
    asleep: Vec<Asleep>,
}

impl Level {
    fn n_bytes(&self) -> usize {
        self.states.capacity() * size_of::<StateRef>() + self.asleep.capacity() * size_of::<Asleep>()
    }
}

/// The level being expanded, and the next one.
#[derive(Default)]
struct Levels {
    current: RwLock<Level>,
    depth: AtomicUsize,
    /// The number of states that a worker takes at a time.
    portion: AtomicUsize,
    /// The number of states of the current level that have been taken.
    n_taken: AtomicUsize,
    /// Each worker's share of the next level.
    next: Mutex<Vec<Level>>,
}

impl Levels {
    /// The states that no worker has taken, after all workers have ended.
    fn unexpanded(self) -> Vec<StateRef> {
        let current = self.current.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let next = self.next.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let n_taken = self.n_taken.into_inner().min(current.states.len());
        let later = next.into_iter().flat_map(|level| level.states);
        current.states[n_taken..].iter().copied().chain(later).collect()
    }
}

/// Decides which levels are shared. Large levels always are. Small levels are shared as long as the other
/// workers arrive soon: on a busy machine a worker may wait for a processor a thousand times as long as such
/// a level takes.
#[derive(Default)]
struct Sharing {
    /// The number of states in small levels expanded alone while the other workers slept.
    n_waiting: usize,
    /// The number of further states to expand alone. `last_alone` is the number chosen the last time.
    n_alone: usize,
    last_alone: usize,
}

impl Sharing {
    /// Whether to share a level of `n_states` states. `awake` says whether the other workers are.
    fn is_worth_it(&mut self, n_states: usize, awake: bool) -> bool {
        if n_states >= MIN_WAKING {
            return true;
        }
        if n_states < MIN_SHARED {
            return false;
        }
        if self.n_alone > 0 {
            self.n_alone = self.n_alone.saturating_sub(n_states);
            return false;
        }
        self.n_waiting = if awake { 0 } else { self.n_waiting + n_states };
        awake || self.n_waiting >= MIN_WAKING
    }

    /// Records that a level of `n_states` states was shared, and whether the other workers arrived soon.
    fn learn(&mut self, n_states: usize, soon: bool) {
        if n_states >= MIN_WAKING {
            return;
        }
        if soon {
            self.last_alone /= 2;
        } else {
            self.last_alone = (2 * self.last_alone).clamp(MIN_WAKING, MAX_ALONE);
            self.n_alone = self.last_alone;
        }
    }
}

/// Visits all states of `model`, nearest first.
pub fn bfs<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let (ref config, reserve) = Reserve::of(config, store.budget(), u64::MAX);
    let shared = WorkerShared::new(model, store, observer, config, true);
    let levels = Levels::default();
    let rally = Rally::new(config.workers);
    let worker_results = shared.control.run(config, |idx| {
        let mut worker = Worker::new(&shared, idx);
        // The reason to stop is in `control`.
        let (Ok(()) | Err(Stop)) = match idx {
            0 => lead(&mut worker, &levels, &rally),
            _ => follow(&mut worker, &levels, &rally),
        };
        if idx == 0 {
            rally.dismiss();
        }
        worker.publish(0);
        worker.into_result()
    });
    let (subject, outcome) = (shared.subject, shared.finish(worker_results));
    survey(subject, store, (Source::Frontier, &levels.unexpanded()), config, reserve, outcome)
}

fn lead<S: Recall, O: Observer>(
    worker: &mut Worker<'_, S, O>,
    levels: &Levels,
    rally: &Rally,
) -> Result<(), Stop> {
    let control = &worker.shared.control;
    let mut level = Level { states: vec![worker.begin()?], asleep: Vec::new() };
    let mut charged = 0;
    let mut sharing = Sharing::default();
    for depth in 0.. {
        let n_states = level.states.len();
        worker.begin_level(&level.states)?;
        let portion = (n_states / (4 * rally.n_workers())).clamp(1, MAX_PORTION);
        levels.depth.store(depth, Relaxed);
        levels.portion.store(portion, Relaxed);
        levels.n_taken.store(0, Relaxed);
        *levels.current.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = level;
        let awake = rally.is_awake();
        let together = rally.n_workers() > 1 && sharing.is_worth_it(n_states, awake);
        if together {
            rally.call();
        }
        expand_level(worker, levels)?;
        if together {
            let soon = rally.gather(control)?;
            sharing.learn(n_states, soon || !awake);
        }
        if worker.shared.closing() {
            return Err(control.stop(Reason::Violation));
        }
        let shares =
            std::mem::take(&mut *levels.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        level = concatenate(shares);
        if level.states.is_empty() {
            return Ok(());
        }
        let bytes = 2 * level.n_bytes() as u64;
        if bytes > charged {
            control.afford(control.budget.charge(bytes - charged))?;
            charged = bytes;
        }
    }
    Ok(())
}

fn follow<S: Recall, O: Observer>(
    worker: &mut Worker<'_, S, O>,
    levels: &Levels,
    rally: &Rally,
) -> Result<(), Stop> {
    for n_calls in 0.. {
        if !rally.attend(n_calls, &worker.shared.control) {
            break;
        }
        expand_level(worker, levels)?;
        rally.report();
    }
    Ok(())
}

/// Expands states of the current level until all are taken, and adds this worker's share of the next level.
/// It does so also if the search stops earlier, because the states that were not expanded are the frontier.
fn expand_level<S: Recall, O: Observer>(worker: &mut Worker<'_, S, O>, levels: &Levels) -> Result<(), Stop> {
    let mut next = Level::default();
    let expanded = expand_portions(worker, levels, &mut next);
    levels.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(next);
    expanded
}

fn expand_portions<S: Recall, O: Observer>(
    worker: &mut Worker<'_, S, O>,
    levels: &Levels,
    next: &mut Level,
) -> Result<(), Stop> {
    let (depth, portion) = (levels.depth.load(Relaxed) as u32, levels.portion.load(Relaxed));
    let level = levels.current.read().unwrap_or_else(|poisoned| poisoned.into_inner());
    let n_states = level.states.len();
    let sleep = worker.shared.sleep;
    let pass_on = |next: &mut Level, state, asleep| {
        next.states.push(state);
        if sleep {
            next.asleep.push(asleep);
        }
    };
    loop {
        let start = levels.n_taken.fetch_add(portion, Relaxed).min(n_states);
        let end = (start + portion).min(n_states);
        for idx in start..end {
            let asleep = level.asleep.get(idx).copied().unwrap_or_default();
            worker.visit_begun(level.states[idx], depth, asleep)?;
            if worker.is_loaded() {
                worker.flush(|state, _, asleep| pass_on(next, state, asleep))?;
            }
        }
        worker.publish(next.states.len());
        if end == n_states {
            break;
        }
    }
    worker.flush(|state, _, asleep| pass_on(next, state, asleep))?;
    worker.publish(next.states.len());
    Ok(())
}

fn concatenate(mut shares: Vec<Level>) -> Level {
    let mut level = shares.pop().unwrap_or_default();
    for share in shares {
        level.states.extend(share.states);
        level.asleep.extend(share.asleep);
    }
    level
}
