//! Joins the results of all tasks to one verdict.
//!
//! Accepted are the results of all tasks, each once, about one certificate, one Spec, one state space, one
//! kind of certification and one secret, whose MACs are right and which did what the plan gives them. The
//! plan is made again from the certificate; by it every state belongs to exactly one task. For each number
//! that a result has, there must be exactly one that comes from the task which expands the state, that must
//! be the task of the plan, and all fingerprints of the number must be equal.
//!
//! Why that is enough. Let `v(n)` be the vector with which the task of `n` came to that state: by steps from
//! the initial state, so it is reachable. The task expanded it. Each of its successors has a token with some
//! number `m`, and was compared with `v(m)`: within the task if it is the task of `m`, else here. So the set
//! of all `v(n)` is closed under steps, as in `graph`. Which pairs are compared does not depend on the key,
//! so the bound on the probability of being deceived is that of `print`.
//!
//! Where a step is fine only because the state that it leads to is expanded as a whole (`rank`), and another
//! task expands that state, the demand is in one result and must be met in the other. Ranks and detours need
//! no comparison: all tasks have them from the one certificate.
//!
//! Results are read side by side, in the order of their numbers; none of them is kept in memory.
//!
//! Of trustful tasks nothing is compared: all of them are there, and did what the plan gives them.

use crate::attest::Found;
use crate::partition::Plan;
use crate::print::{Keyed, Prints};
use crate::result::{Entry, Summary, TaskResult, bad};
use crate::secret::Secret;
use crate::task::is_as_planned;
use crate::veracity::{Deviation, Error, VeracityError};
use std::path::PathBuf;

/// What the tasks found together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The tasks.
    pub n_tasks: u16,
    /// Whether they walked through a tree, and compared nothing.
    pub trustful: bool,
    /// Numbered states.
    pub n_states: u64,
    /// Steps between them; in a tree those to new states.
    pub n_steps: u64,
    /// States that are expanded in part.
    pub n_part: u64,
    /// In a tree, states without a step.
    pub n_ends: u64,
    /// Numbered states that are not expanded, in a partial certificate.
    pub n_open: u64,
    /// What the program asked its surroundings for, where not every answer was explored.
    pub inputs: Vec<String>,
    /// States that were expanded once more, on the way to others.
    pub n_path: u64,
    /// What is wrong, in words, with the number of the state.
    pub violations: Vec<(u64, String)>,
    /// How many violations there are in all.
    pub n_violations: u64,
    /// Fingerprints that were compared between tasks.
    pub n_compared: u64,
    /// A certificate that does not describe the whole graph would have been accepted with at most this
    /// probability, as a power of two; `None` if nothing was compared.
    pub error: Option<i32>,
}

impl Merged {
    /// What the tasks found together.
    #[must_use]
    pub fn found(&self) -> Found {
        match (self.n_violations, self.trustful) {
            (0, _) if self.n_open > 0 => Found::Partial,
            (0, false) => Found::Holds,
            (0, true) => Found::Trusting,
            _ => Found::Violated,
        }
    }
}

/// Joins results, of which each must be about what `expected` says.
///
/// # Errors
/// The first thing that is wrong with a result, or on which two of them do not agree.
pub(crate) fn merge(
    files: &[PathBuf],
    expected: &Summary,
    plan: &Plan,
    secret: &Secret,
) -> Result<Merged, Error> {
    let mut merged = Merged {
        n_tasks: secret.n_tasks,
        trustful: expected.trustful,
        n_states: 0,
        n_steps: 0,
        n_part: 0,
        n_ends: 0,
        n_open: 0,
        inputs: Vec::new(),
        n_path: 0,
        violations: Vec::new(),
        n_violations: 0,
        n_compared: 0,
        error: None,
    };
    let mut results = Vec::new();
    let mut seen = vec![false; usize::from(secret.n_tasks)];
    let mut longest = 0;
    for file in files {
        let result = TaskResult::open(file, secret)?;
        let own = &result.summary;
        let (task, n_tasks) = (own.task, own.n_tasks);
        let same = Summary { task, ..expected.clone() };
        if !is_same(own, &same) {
            return Err(bad(file, "it is about another certificate, program or kind of certification").into());
        }
        let idx = task.checked_sub(1).filter(|idx| n_tasks == secret.n_tasks && *idx < n_tasks);
        let Some(idx) = idx.filter(|idx| is_as_planned(plan, *idx, own.n_states, own.n_steps, own.n_path))
        else {
            return Err(bad(file, format!("it is not of task {task} of {n_tasks} as planned")).into());
        };
        if std::mem::replace(&mut seen[usize::from(idx)], true) {
            return Err(bad(file, format!("task {task} is there twice")).into());
        }
        merged.n_states += own.n_states;
        merged.n_steps += own.n_steps;
        merged.n_part += own.n_part;
        merged.n_ends += own.n_ends;
        merged.n_open += own.n_open;
        merged.inputs.extend(own.inputs.iter().cloned());
        merged.n_path += own.n_path;
        merged.n_violations += own.n_violations;
        merged.violations.extend(own.violations.iter().cloned());
        longest = longest.max(own.longest);
        results.push(result);
    }
    if let Some(missing) = seen.iter().position(|seen| !seen) {
        return Err(Deviation::MissingTask { task: missing as u16 + 1, n_tasks: secret.n_tasks }.into());
    }
    merged.violations.sort();
    merged.inputs.sort();
    merged.inputs.dedup();
    merged.n_compared = compare(&mut results, plan)?;
    if !expected.trustful {
        merged.error = Keyed::bound(usize::try_from(longest).unwrap_or(usize::MAX));
    }
    Ok(merged)
}

/// Whether two results are about the same.
fn is_same(one: &Summary, other: &Summary) -> bool {
    (one.file, one.spec, one.digest, one.key, one.trustful)
        == (other.file, other.spec, other.digest, other.key, other.trustful)
}

/// Compares the fingerprints of each number; gives how many there are besides those of the task of the state.
fn compare(results: &mut [TaskResult], plan: &Plan) -> Result<u64, Error> {
    let mut heads: Vec<Option<Entry>> = Vec::new();
    for result in results.iter_mut() {
        heads.push(result.next_entry()?);
    }
    let mut n_compared = 0;
    while let Some(number) = heads.iter().flatten().map(|entry| entry.number).min() {
        let at = |deviation: Deviation| Error::from(VeracityError::new(deviation).at(number));
        let mut own = None;
        let mut others = Vec::new();
        for (result, head) in results.iter_mut().zip(&mut heads) {
            let Some(entry) = head.filter(|entry| entry.number == number) else { continue };
            if entry.is_own {
                if plan.owner(number) != result.summary.task.checked_sub(1) || own.replace(entry).is_some() {
                    return Err(at(bad(&result.file, "the state belongs to another task")));
                }
            } else {
                others.push(entry);
            }
            *head = result.next_entry()?;
        }
        let Some(own) = own else { return Err(at(Deviation::NotExpanded)) };
        n_compared += others.len() as u64;
        if others.iter().any(|other| other.print != own.print) {
            return Err(at(Deviation::Disagree));
        }
        if others.iter().any(|other| other.whole && !own.whole) {
            return Err(at(Deviation::Cycling { number }));
        }
    }
    Ok(n_compared)
}
