//! Breadth-first search, level by level, by one worker or several.
//!
//! All states at a distance of `n` steps from the initial state are expanded before any at `n + 1`, so the path
//! to a violation has the fewest steps possible. A violation in a state ends the search at once; one during a
//! step out of a state is one step further away, so the rest of the level is looked through for one of the
//! former. With one worker the same counterexample is found each time.
//!
//! With reductions, an expansion in part is enough if it leads to a state of the next level: the level proviso
//! (the argument is in `worker`). It does not depend on the order within a level, so reduced counts are the same
//! with any number of workers.

use crate::control::{Reason, Stop};
use crate::coverage::Source;
use crate::frontier::survey;
use crate::rally::Rally;
use crate::reserve::Reserve;
use crate::worker::{Shared, Worker};
use crate::{Config, Observer, Outcome};
use allways_model::{Asleep, Model};
use allways_store::{Recall, StateRef};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};

/// Workers take at most this many states of a level at a time.
const MAX_PORTION: usize = 64;
/// Levels with fewer states are not worth sharing.
const MIN_SHARED: usize = 24;
/// Nobody is woken for fewer states: of one level, or of several that could be shared.
const MIN_WAKING: usize = 512;
/// So many states in small levels are expanded alone, at most, before sharing them is tried again.
const MAX_ALONE: usize = 1 << 17;

/// The states of a level, or a worker's share of one.
#[derive(Clone, Default)]
struct Level {
    states: Vec<StateRef>,
    /// Who sleeps in each of them, if anybody ever does.
    asleep: Vec<Asleep>,
}

impl Level {
    fn n_bytes(&self) -> usize {
        self.states.capacity() * size_of::<StateRef>() + self.asleep.capacity() * size_of::<Asleep>()
    }
}

/// The level that is being expanded, and the next.
#[derive(Default)]
struct Levels {
    current: RwLock<Level>,
    depth: AtomicUsize,
    /// How many of its states a worker takes at a time.
    portion: AtomicUsize,
    /// How many states of the current level have been taken.
    n_taken: AtomicUsize,
    /// Each worker's share of the next level.
    next: Mutex<Vec<Level>>,
}

impl Levels {
    /// The states that no worker has taken, when the workers are gone.
    fn unexpanded(self) -> Vec<StateRef> {
        let current = self.current.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let next = self.next.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let n_taken = self.n_taken.into_inner().min(current.states.len());
        let later = next.into_iter().flat_map(|level| level.states);
        current.states[n_taken..].iter().copied().chain(later).collect()
    }
}

/// Which levels are shared. Large ones always are. Small ones are while the others come soon: on a machine that is busy
/// with something else a worker may have to wait for its processor a thousand times as long as such a level takes.
#[derive(Default)]
struct Sharing {
    /// How many states of small levels have gone by with the others asleep.
    n_waiting: usize,
    /// How many more of them are expanded alone, and how many there were to be the last time.
    n_alone: usize,
    last_alone: usize,
}

impl Sharing {
    /// Whether a level of this size is shared, with the others awake or not.
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

    /// A level of this size was shared, and the others came soon or not.
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
    let shared = Shared::new(model, store, observer, config, true);
    let levels = Levels::default();
    let rally = Rally::new(config.workers);
    let remains = shared.control.run(config, |idx| {
        let mut worker = Worker::new(&shared, idx);
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Stop)) = match idx {
            0 => lead(&mut worker, &levels, &rally),
            _ => follow(&mut worker, &levels, &rally),
        };
        if idx == 0 {
            rally.dismiss();
        }
        worker.publish(0);
        worker.into_remains()
    });
    let (subject, outcome) = (shared.subject, shared.finish(remains));
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

/// Expands states of the current level until all are taken, and hands in a share of the next one; also if the
/// search stops before: what was not expanded is its frontier.
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
