//! Breadth-first search, level by level, by one worker or several.
//!
//! All states at a distance of `n` steps from the initial state are expanded before any at `n + 1`, so the path
//! to a violation has the fewest steps possible. A violation in a state ends the search at once; one during a
//! step out of a state is one step further away, so the rest of the level is looked through for one of the
//! former. With one worker the same counterexample is found each time.

use crate::control::{Halt, Reason};
use crate::rally::Rally;
use crate::worker::{Shared, Worker};
use crate::{Config, Observer, Outcome};
use allways_model::Model;
use allways_store::{Recall, StateRef};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};

/// Workers take at most this many states of a level at a time.
const MAX_PORTION: usize = 64;
/// Levels with fewer states are not worth sharing.
const MIN_SHARED: usize = 24;
/// Nobody is woken for fewer states: of one level, or of several that could be shared.
const MIN_WAKING: usize = 512;

/// The level that is being expanded, and the next.
#[derive(Default)]
struct Levels {
    current: RwLock<Vec<StateRef>>,
    depth: AtomicUsize,
    /// How many of its states a worker takes at a time.
    portion: AtomicUsize,
    /// How many states of the current level have been taken.
    n_taken: AtomicUsize,
    /// Each worker's share of the next level.
    next: Mutex<Vec<Vec<StateRef>>>,
}

/// Visits all states of `model`, nearest first.
pub fn bfs<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let shared = Shared::new(model, store, observer, config, true);
    let levels = Levels::default();
    let rally = Rally::new(config.workers);
    let remains = shared.control.run(config, |idx| {
        let mut worker = Worker::new(&shared, idx);
        // Whatever the reason to stop, the control knows it.
        let (Ok(()) | Err(Halt)) = match idx {
            0 => lead(&mut worker, &levels, &rally),
            _ => follow(&mut worker, &levels, &rally),
        };
        if idx == 0 {
            rally.dismiss();
        }
        worker.publish(0);
        worker.into_remains()
    });
    shared.finish(remains)
}

fn lead<S: Recall, O: Observer>(
    worker: &mut Worker<'_, S, O>,
    levels: &Levels,
    rally: &Rally,
) -> Result<(), Halt> {
    let control = &worker.shared.control;
    let mut level = vec![worker.begin()?];
    let mut charged = 0;
    let mut n_alone = 0;
    for depth in 0.. {
        let n_states = level.len();
        let portion = (n_states / (4 * rally.n_workers())).clamp(1, MAX_PORTION);
        levels.depth.store(depth, Relaxed);
        levels.portion.store(portion, Relaxed);
        levels.n_taken.store(0, Relaxed);
        *levels.current.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = level;
        let mut together = false;
        if rally.n_workers() > 1 && n_states >= MIN_SHARED {
            n_alone += n_states;
            together = rally.is_awake() || n_alone >= MIN_WAKING;
        }
        if together {
            n_alone = 0;
            rally.call();
        }
        expand_level(worker, levels)?;
        if together && !rally.gather(control) {
            return Err(Halt);
        }
        if worker.shared.closing() {
            return Err(control.stop(Reason::Violation));
        }
        let shares =
            std::mem::take(&mut *levels.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        level = concatenate(shares);
        if level.is_empty() {
            return Ok(());
        }
        let bytes = 2 * (level.capacity() * size_of::<StateRef>()) as u64;
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
) -> Result<(), Halt> {
    for n_calls in 0.. {
        if !rally.attend(n_calls, &worker.shared.control) {
            break;
        }
        expand_level(worker, levels)?;
        rally.report();
    }
    Ok(())
}

/// Expands states of the current level until all are taken.
fn expand_level<S: Recall, O: Observer>(worker: &mut Worker<'_, S, O>, levels: &Levels) -> Result<(), Halt> {
    let (depth, portion) = (levels.depth.load(Relaxed) as u32, levels.portion.load(Relaxed));
    let level = levels.current.read().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut next = Vec::new();
    loop {
        let start = levels.n_taken.fetch_add(portion, Relaxed).min(level.len());
        let end = (start + portion).min(level.len());
        for &state in &level[start..end] {
            worker.visit(state, depth)?;
            if worker.is_loaded() {
                worker.flush(|state, _| next.push(state))?;
            }
        }
        worker.publish(next.len());
        if end == level.len() {
            break;
        }
    }
    worker.flush(|state, _| next.push(state))?;
    worker.publish(next.len());
    levels.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(next);
    Ok(())
}

fn concatenate(mut shares: Vec<Vec<StateRef>>) -> Vec<StateRef> {
    match shares.len() {
        1 => shares.remove(0),
        _ => shares.concat(),
    }
}
