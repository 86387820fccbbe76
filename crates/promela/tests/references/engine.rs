//! What this crate makes of a model, to be compared.

use allways_model::{Batch, Lessons, Model, ViolationKind};
use allways_promela::Program;
use allways_testkit::dynamic::{Found, Kind};
use std::collections::{BTreeSet, HashSet};

/// Everything that can happen, and whether a variable called `spent` is ever true; nothing if there are more
/// than `max_states` states.
pub(crate) fn explore(program: &Program, watched: &[String], max_states: usize) -> Option<(Found, bool)> {
    explore_with(program, watched, max_states, false)
}

/// The values in the states in which nothing can happen, with a sufficient set of steps from each state: that
/// is enough to come to all of them.
pub(crate) fn ends(program: &Program, watched: &[String], max_states: usize) -> Option<BTreeSet<Vec<i32>>> {
    Some(explore_with(program, watched, max_states, true)?.0.finals)
}

fn explore_with(
    program: &Program,
    watched: &[String],
    max_states: usize,
    reduced: bool,
) -> Option<(Found, bool)> {
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).expect("there is an initial state");
    let first = batch.vector(0).to_vec();
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut found = Found::default();
    let mut is_spent = false;
    while let Some(state) = open.pop() {
        batch.clear();
        cursor.load(&state);
        let expanded =
            if reduced { cursor.expand_some(&mut batch).map(|_| ()) } else { cursor.expand(&mut batch) };
        expanded.unwrap_or_else(|halt| panic!("{halt:?}"));
        let mut is_wrong = false;
        for violation in batch.violations() {
            let kind = match violation.kind() {
                ViolationKind::Assertion => Kind::Assertion,
                ViolationKind::Deadlock => Kind::Deadlock,
                ViolationKind::RuntimeError => Kind::Error,
                kind => panic!("{kind:?}"),
            };
            is_wrong |= kind == Kind::Error;
            found.kinds.insert(kind);
        }
        if batch.is_empty() || is_wrong {
            let variables = program.variables(&state);
            let value = |name: &str| {
                let variable = variables.iter().find(|var| var.process.is_none() && var.name == name);
                let value = &variable.unwrap_or_else(|| panic!("no variable {name}")).value;
                value.parse::<i32>().unwrap_or_else(|_| panic!("{name} is {value}"))
            };
            is_spent |= variables.iter().any(|var| var.name == "spent") && value("spent") != 0;
            if !is_wrong {
                found.finals.insert(watched.iter().map(|name| value(name)).collect());
            }
        }
        for idx in 0..batch.len() {
            if !seen.contains(batch.vector(idx)) {
                if seen.len() >= max_states {
                    return None;
                }
                seen.insert(batch.vector(idx).to_vec());
                open.push(batch.vector(idx).to_vec());
            }
        }
    }
    found.n_states = seen.len();
    Some((found, is_spent))
}
