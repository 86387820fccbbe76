//! Depth-first search by several workers.
//!
//! Each worker has a stack of states that are stored but not yet expanded. It takes states from the top, and
//! gives states from the bottom to workers whose stacks are empty. A state belongs to the worker that
//! inserted it first, so each state is expanded once. Each worker by itself goes depth first. The overall
//! order depends on timing; the counts do not.

use crate::control::Stop;
use crate::coverage::Source;
use crate::frontier::{MOST_DRAWN, survey};
use crate::outcome::WorkerResult;
use crate::pool::Pool;
use crate::reserve::Reserve;
use crate::worker::{Worker, WorkerShared};
use crate::{Config, Observer, Outcome};
use allways_model::{Asleep, Model};
use allways_store::{Recall, StateRef};
use std::collections::VecDeque;

/// A state to be expanded, its distance from the initial state along the path by which it was found, and its
/// sleep set.
type Item = (StateRef, u32, Asleep);

pub(crate) fn dfs_shared<S: Recall, O: Observer>(
    model: &dyn Model,
    store: &S,
    observer: &O,
    config: &Config<'_>,
) -> Outcome {
    let (ref config, reserve) = Reserve::of(config, store.budget(), u64::MAX);
    let shared = WorkerShared::new(model, store, observer, config, false);
    let pool = Pool::new(config.workers);
    let results = shared.control.run(config, |idx| work(&shared, &pool, idx));
    let (worker_results, frontiers): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    let (subject, outcome) = (shared.subject, shared.finish(worker_results));
    survey(subject, store, (Source::Stack, &frontiers.concat()), config, reserve, outcome)
}

/// Runs one worker. Returns its result, and states that it had not expanded when the search ended.
fn work<S: Recall, O: Observer>(
    shared: &WorkerShared<'_, S, O>,
    pool: &Pool<Item>,
    idx: usize,
) -> (WorkerResult, Vec<StateRef>) {
    let mut worker = Worker::new(shared, idx);
    let mut stack = VecDeque::new();
    // The reason to stop is in `control`.
    let (Ok(()) | Err(Stop)) = explore(&mut worker, &mut stack, pool, idx);
    worker.publish(0);
    let stride = stack.len().div_ceil(MOST_DRAWN).max(1);
    (worker.into_result(), stack.iter().step_by(stride).map(|item| item.0).collect())
}

fn explore<S: Recall, O: Observer>(
    worker: &mut Worker<'_, S, O>,
    stack: &mut VecDeque<Item>,
    pool: &Pool<Item>,
    idx: usize,
) -> Result<(), Stop> {
    let control = &worker.shared.control;
    if idx == 0 {
        stack.push_back((worker.begin()?, 0, Asleep::NONE));
    }
    let mut charged = 0;
    loop {
        if stack.is_empty() && !pool.wait(stack, control) {
            return Ok(());
        }
        while let Some((state, depth, asleep)) = stack.pop_back() {
            worker.visit(state, depth, asleep)?;
            if worker.is_loaded() {
                break;
            }
        }
        worker.flush(|state, depth, asleep| stack.push_back((state, depth, asleep)))?;
        pool.share(stack);
        worker.publish(stack.len());
        let bytes = (stack.capacity() * size_of::<Item>()) as u64;
        if bytes > charged {
            control.afford(control.budget.charge(bytes - charged))?;
            charged = bytes;
        }
    }
}
