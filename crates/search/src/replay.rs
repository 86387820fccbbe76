//! Follows the path of a counterexample, which proves that it is one.
//!
//! A path of a model that was refined is followed on the [`Refined`](allways_model::Refined) model.

use crate::Finding;
use crate::lasso::acceptance_cycle;
use allways_model::{Batch, Cursor, Fault, Halt, Lessons, Model, Path, Violation};
use std::fmt;

/// The result of following a path.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The states along the path, the initial one first. There is one fewer than usual if the last step ends
    /// in a violation instead of a state.
    pub states: Vec<Vec<u8>>,
    /// The violations at the path's end: those met during its last step, and those of the last state itself.
    pub violations: Vec<Violation>,
}

/// The reason why a path cannot be followed.
#[derive(Clone, Debug)]
pub enum ReplayError {
    /// The path belongs to another model.
    OtherModel,
    /// The step with this index, counted from zero, does not exist.
    NoSuchStep(usize),
    /// The model reported a fault after this many steps.
    Fault(usize, Fault),
    /// The cycle of a lasso does not return to the state in which it began, or has no steps.
    OpenCycle,
    /// No state on the cycle of a lasso is accepting.
    NotAccepting,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherModel => f.write_str("the path belongs to another model"),
            Self::NoSuchStep(idx) => write!(f, "step {} of the path is not possible", idx + 1),
            Self::Fault(idx, fault) => write!(f, "after {idx} steps: {}", fault.message),
            Self::OpenCycle => f.write_str("the cycle does not end in the state in which it begins"),
            Self::NotAccepting => f.write_str("no state on the cycle is accepting"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Follows `path` and keeps all states.
///
/// # Errors
/// If the path cannot be followed to its end.
pub fn replay(model: &dyn Model, path: &Path) -> Result<Replay, ReplayError> {
    let mut states = Vec::new();
    let violations = walk(model, path, &mut |state| states.push(state.to_vec()))?;
    Ok(Replay { states, violations })
}

/// Follows the path of `finding` and keeps all states; if it is a lasso, as [`replay_lasso`].
///
/// # Errors
/// If the path cannot be followed to its end.
pub fn replay_finding(model: &dyn Model, finding: &Finding) -> Result<Replay, ReplayError> {
    match finding.cycle {
        Some(cycle) => replay_lasso(model, &finding.path, cycle),
        None => replay(model, &finding.path),
    }
}

/// Follows `path`, whose steps from `cycle` on are a cycle, to its end and then around the cycle once more.
/// It must come to the same state each time, and an accepting state must lie on the cycle; then the violation
/// is the cycle itself. The states are those along `path`, without the second round.
///
/// # Errors
/// If the path cannot be followed, or is not such a lasso.
pub fn replay_lasso(model: &dyn Model, path: &Path, cycle: usize) -> Result<Replay, ReplayError> {
    if cycle >= path.steps.len() {
        return Err(ReplayError::OpenCycle);
    }
    let mut twice = path.clone();
    twice.steps.extend_from_slice(&path.steps[cycle..]);
    let Replay { mut states, .. } = replay(model, &twice)?;
    let length = path.steps.len();
    // A step that ends in a violation has no target state, and is the last.
    if states.len() != twice.steps.len() + 1
        || states[cycle] != states[length]
        || states[length] != states[twice.steps.len()]
    {
        return Err(ReplayError::OpenCycle);
    }
    states.truncate(length + 1);
    let mut cursor = model.cursor(Lessons::none());
    let mut accepts = |state: &Vec<u8>| {
        cursor.load(state);
        cursor.accepting()
    };
    if !states[cycle..].iter().any(&mut accepts) {
        return Err(ReplayError::NotAccepting);
    }
    Ok(Replay { states, violations: vec![acceptance_cycle()] })
}

/// Follows `path`, calls `visit` for each state, and returns the violations at its end.
///
/// # Errors
/// If the path cannot be followed to its end.
pub fn walk(
    model: &dyn Model,
    path: &Path,
    visit: &mut dyn FnMut(&[u8]),
) -> Result<Vec<Violation>, ReplayError> {
    if path.model != model.digest() {
        return Err(ReplayError::OtherModel);
    }
    let mut cursor = model.cursor(Lessons::none());
    let mut batch = Batch::new();
    let begun = cursor.initial(&mut batch);
    if let Some(fault) = begun.err().and_then(Halt::into_fault) {
        return Err(ReplayError::Fault(0, fault));
    }
    let mut violations = batch.violations().to_vec();
    let mut state = batch.vector(0).to_vec();
    visit(&state);
    for (idx, &key) in path.steps.iter().enumerate() {
        let fault = expand(&mut *cursor, &state, &mut batch);
        violations = batch.violations().iter().filter(|v| v.key == Some(key)).cloned().collect();
        match batch.entries().iter().position(|entry| entry.key == key) {
            Some(entry_idx) => {
                state.clear();
                state.extend_from_slice(batch.vector(entry_idx));
                visit(&state);
            }
            None if !violations.is_empty() && idx + 1 == path.steps.len() => return Ok(violations),
            None => return Err(fault.map_or(ReplayError::NoSuchStep(idx), |f| ReplayError::Fault(idx, f))),
        }
    }
    // A fault during the expansion of the last state does not matter: the path leads to that state.
    let _ = expand(&mut *cursor, &state, &mut batch);
    violations.extend(batch.violations().iter().filter(|v| v.key.is_none()).cloned());
    Ok(violations)
}

fn expand(cursor: &mut dyn Cursor, state: &[u8], batch: &mut Batch) -> Option<Fault> {
    batch.clear();
    cursor.load(state);
    cursor.expand(batch).err().and_then(Halt::into_fault)
}
