//! The corpus and the examples with and without `--dynamic`: the same program, the same counts, the same
//! states byte for byte.

use crate::cases::{Case, corpus, examples};
use allways_model::{Batch, Lessons, Model, Sha256};
use allways_promela::{FileInput, PreprocessOptions, Program, load};
use std::collections::HashSet;

/// Models with more states are not compared state by state.
const MOST_STATES: u64 = 100_000;

/// Compares every model that has at most `max` states.
pub(crate) fn run(max: u64, filter: Option<&str>) -> bool {
    let mut cases = corpus();
    cases.extend(examples());
    cases.retain(|case| case.stored <= max.min(MOST_STATES));
    cases.retain(|case| filter.is_none_or(|filter| case.name.contains(filter)));
    cases.sort_by_key(|case| case.stored);
    let (mut same, mut different, mut unloaded) = (0, 0, 0);
    for case in &cases {
        match compare(case) {
            Ok(Some(line)) => {
                same += 1;
                println!("same       {line}");
            }
            Ok(None) => {
                unloaded += 1;
                println!("unsupported {}, with and without", case.name);
            }
            Err(why) => {
                different += 1;
                println!("DIFFERENT  {}: {why}", case.name);
            }
        }
    }
    println!("{same} same, {different} different, {unloaded} not loaded in either way");
    different == 0 && same > 0
}

/// Loads a model in both ways and compares; `None` if it loads in neither.
fn compare(case: &Case) -> Result<Option<String>, String> {
    let load_with = |dynamic| {
        let options = PreprocessOptions { dynamic, ..case.options() };
        load(&FileInput::Path(case.file.clone()), &options).program
    };
    let (plain, dynamic) = match (load_with(false), load_with(true)) {
        (Some(plain), Some(dynamic)) => (plain, dynamic),
        (None, None) => return Ok(None),
        (plain, _) => {
            return Err(format!("it loads only {}", if plain.is_some() { "without" } else { "with" }));
        }
    };
    if plain.digest() != dynamic.digest() || dynamic.is_dynamic() {
        return Err("it is another program".into());
    }
    let (ours, theirs) = (states(&plain)?, states(&dynamic)?);
    if ours != theirs {
        return Err(format!("states, steps and digests are {ours:?} and {theirs:?}"));
    }
    let (n_states, n_steps, digest) = ours;
    Ok(Some(format!("{:50} {n_states} states, {n_steps} steps, {}", case.name, &digest[..16])))
}

/// How many states and steps there are, and one digest of all states in order.
fn states(program: &Program) -> Result<(usize, usize, String), String> {
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).map_err(|_| "it does not start".to_owned())?;
    let mut known: HashSet<Vec<u8>> = HashSet::from([batch.vector(0).to_vec()]);
    let mut waiting = vec![batch.vector(0).to_vec()];
    let mut n_steps = 0;
    while let Some(state) = waiting.pop() {
        cursor.load(&state);
        batch.clear();
        // What is not supported is the same in both.
        let _ = cursor.expand(&mut batch);
        n_steps += batch.len();
        for idx in 0..batch.len() {
            if known.insert(batch.vector(idx).to_vec()) {
                waiting.push(batch.vector(idx).to_vec());
            }
        }
    }
    let mut sorted: Vec<Vec<u8>> = known.into_iter().collect();
    sorted.sort_unstable();
    Ok((sorted.len(), n_steps, Sha256::of(&sorted.concat()).to_string()))
}
