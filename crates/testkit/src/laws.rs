//! The laws of a model, as checks on the states of a short breadth-first traversal.
//!
//! The laws are those of `allways-model`: canonical, deterministic and aligned, and that every step can be
//! explained. A broken law is a bug of a front end; the error names the law and the state.

use allways_model::{Asleep, Batch, Cursor, Halt, Lessons, Model, StepKey};
use std::collections::{HashSet, VecDeque};

/// A law that a model breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which law.
    pub law: &'static str,
    /// Where and how.
    pub detail: String,
}

/// The observable result of an expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expansion {
    successors: Vec<(StepKey, Vec<u8>)>,
    violations: Vec<String>,
    fault: Option<String>,
}

/// Checks all laws on up to `max_states` states.
///
/// # Errors
/// The first law found broken.
pub fn check(model: &dyn Model, max_states: usize) -> Result<(), Broken> {
    let mut used = model.cursor(Lessons::none());
    let states = walk(model, max_states)?;
    let mut expansions = Vec::new();
    for state in &states {
        let expansion = expand(&mut *used, state);
        aligned(state, &expansion)?;
        keys_ascend(state, &expansion)?;
        let again = expand(&mut *used, state);
        equal("a cursor expands a state twice alike", state, &expansion, &again)?;
        let fresh = expand(&mut *model.cursor(Lessons::none()), state);
        equal("a used cursor expands as a fresh one does", state, &expansion, &fresh)?;
        explained(model, &mut *used, state)?;
        taken(&mut *used, state)?;
        equal("explaining leaves the loaded state as it was", state, &expansion, &expand_loaded(&mut *used))?;
        expansions.push(expansion);
    }
    for (state, expansion) in states.iter().zip(&expansions).rev() {
        equal("the order of loads does not matter", state, expansion, &expand(&mut *used, state))?;
    }
    reached(model, &*used)?;
    initial(model)
}

/// Checks the laws of sleepers (see [`allways_model::asleep`]) on up to `max_states` states: the steps of
/// processes that are awake are steps, and each step of a sleeper leads to a state that another step of the
/// previous state leads to, too. Returns the number of such steps.
///
/// # Errors
/// The first law found broken.
pub fn check_sleepers(model: &dyn Model, max_states: usize) -> Result<u64, Broken> {
    let mut cursor = model.cursor(Lessons::none());
    let mut n_known = 0;
    for state in &walk(model, max_states)? {
        let expansion = expand(&mut *cursor, state);
        let mut batch = Batch::new();
        cursor.load(state);
        if expansion.fault.is_some() || cursor.expand_awake(Asleep::NONE, &mut batch).is_err() {
            continue;
        }
        let awake: Vec<_> = (0..batch.len()).map(|idx| batch.vector(idx)).collect();
        if batch.n_known() != 0 || !expansion.successors.iter().map(|step| &step.1).eq(&awake) {
            return Err(broken(
                "where nobody sleeps all steps are followed",
                state,
                &format!("{expansion:?}"),
            ));
        }
        let mut after_next = None;
        for idx in (0..batch.len()).filter(|&idx| batch.asleep(idx) != Asleep::NONE) {
            let child = batch.vector(idx);
            let all = expand(&mut *cursor, child);
            let mut followed = Batch::new();
            cursor.load(child);
            if all.fault.is_some() || cursor.expand_awake(batch.asleep(idx), &mut followed).is_err() {
                continue;
            }
            let is_followed = |key: StepKey| followed.entries().iter().any(|entry| entry.key == key);
            let known: Vec<_> = all.successors.iter().filter(|step| !is_followed(step.0)).collect();
            if followed.n_known() != known.len() as u64 {
                return Err(broken("steps of sleepers are counted", child, &format!("{}", known.len())));
            }
            n_known += followed.n_known();
            let others = after_next.get_or_insert_with(|| {
                let next = expansion.successors.iter().map(|(key, next)| (*key, expand(&mut *cursor, next)));
                next.collect::<Vec<_>>()
            });
            let this = batch.entries()[idx].key;
            for (key, known) in known {
                let leads_there = |(other, after): &(StepKey, Expansion)| {
                    *other != this && after.successors.iter().any(|(_, vector)| vector == known)
                };
                if !others.iter().any(leads_there) {
                    let detail = format!("{this:?} and then {key:?} of a sleeper");
                    return Err(broken(
                        "another order of a sleeper's steps leads to the same state",
                        state,
                        &detail,
                    ));
                }
            }
        }
    }
    Ok(n_known)
}

fn broken(law: &'static str, state: &[u8], detail: &str) -> Broken {
    Broken { law, detail: format!("in state {state:?}: {detail}") }
}

/// Collects some states near the initial one and some far from it.
fn walk(model: &dyn Model, max_states: usize) -> Result<Vec<Vec<u8>>, Broken> {
    let mut cursor = model.cursor(Lessons::none());
    let mut batch = Batch::new();
    if cursor.initial(&mut batch).is_err() {
        return Ok(Vec::new());
    }
    if batch.len() != 1 {
        return Err(broken("there is one initial state", &[], &format!("there are {}", batch.len())));
    }
    let mut seen = HashSet::from([batch.vector(0).to_vec()]);
    let mut states = Vec::new();
    let mut queue = VecDeque::from([batch.vector(0).to_vec()]);
    // Half of the states come from the front of the queue and half from its back, so that deep ones occur
    // too.
    while let Some(state) = if states.len() % 2 == 0 { queue.pop_front() } else { queue.pop_back() } {
        for (_, successor) in expand(&mut *cursor, &state).successors {
            if seen.insert(successor.clone()) {
                queue.push_back(successor);
            }
        }
        states.push(state);
        if states.len() == max_states {
            break;
        }
    }
    Ok(states)
}

fn expand(cursor: &mut dyn Cursor, state: &[u8]) -> Expansion {
    cursor.load(state);
    expand_loaded(cursor)
}

fn expand_loaded(cursor: &mut dyn Cursor) -> Expansion {
    let mut batch = Batch::new();
    let fault = cursor.expand(&mut batch).err().map(|halt| match halt {
        Halt::Unsupported(fault) => fault.message,
        halt => format!("{halt:?}"),
    });
    let successors = (0..batch.len()).map(|idx| (batch.entries()[idx].key, batch.vector(idx).to_vec()));
    let violations = batch.violations().iter().map(|violation| format!("{violation:?}"));
    Expansion { successors: successors.collect(), violations: violations.collect(), fault }
}

fn equal(law: &'static str, state: &[u8], one: &Expansion, other: &Expansion) -> Result<(), Broken> {
    if one == other { Ok(()) } else { Err(broken(law, state, &format!("{one:?}\nagainst\n{other:?}"))) }
}

fn aligned(state: &[u8], expansion: &Expansion) -> Result<(), Broken> {
    let mut vectors = expansion.successors.iter().map(|(_, vector)| vector.as_slice()).chain([state]);
    match vectors.find(|vector| vector.len() % 4 != 0) {
        None => Ok(()),
        Some(vector) => Err(broken("lengths are multiples of four", state, &format!("{}", vector.len()))),
    }
}

fn keys_ascend(state: &[u8], expansion: &Expansion) -> Result<(), Broken> {
    match expansion.successors.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        None => Ok(()),
        Some(pair) => Err(broken(
            "keys are unique and ascend",
            state,
            &format!("{:?} before {:?}", pair[0].0, pair[1].0),
        )),
    }
}

/// Every step that has a successor or a violation can be explained, and no other.
fn explained(model: &dyn Model, cursor: &mut dyn Cursor, state: &[u8]) -> Result<(), Broken> {
    let mut batch = Batch::new();
    cursor.load(state);
    let complete = cursor.expand(&mut batch).is_ok();
    let mut keys: Vec<_> = batch.entries().iter().map(|entry| entry.key).collect();
    let in_steps: Vec<_> = batch.violations().iter().filter_map(|violation| violation.key).collect();
    if in_steps.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(broken("the keys of violations ascend", state, &format!("{in_steps:?}")));
    }
    keys.extend(in_steps);
    for &key in &keys {
        if cursor.explain(key).is_none() {
            return Err(broken("every step is explained", state, &format!("{key:?} is not")));
        }
        if model.cursor_at(state).explain(key) != cursor.explain(key) {
            return Err(broken("an explanation depends on the state alone", state, &format!("{key:?}")));
        }
    }
    if let Some(last) = keys.iter().max().filter(|_| complete)
        && let Some(beyond) = last.0.checked_add(1 << 40)
        && cursor.explain(StepKey(beyond)).is_some()
    {
        return Err(broken("only steps are explained", state, &format!("{beyond} is, too")));
    }
    Ok(())
}

/// Each step taken alone equals the step in the full expansion, and a key that names no step gives none.
fn taken(cursor: &mut dyn Cursor, state: &[u8]) -> Result<(), Broken> {
    let mut all = Batch::new();
    cursor.load(state);
    if cursor.expand(&mut all).is_err() {
        return Ok(());
    }
    let mut keys: Vec<StepKey> = all.entries().iter().map(|entry| entry.key).collect();
    keys.extend(all.violations().iter().filter_map(|violation| violation.key));
    let beyond = keys.iter().flat_map(|key| [StepKey(key.0 + 1), StepKey(key.0 + (1 << 32))]);
    let beyond: Vec<StepKey> = beyond.filter(|key| !all.has_step(*key)).collect();
    keys.extend(beyond);
    // Backwards, with and without a load before: what was taken earlier makes no difference.
    for (idx, key) in keys.into_iter().enumerate().rev() {
        let (mut own, mut alone) = (Batch::new(), Batch::new());
        own.append_step(key, &all);
        if idx % 2 == 0 {
            cursor.load(state);
        }
        let result = cursor.take(key, &mut alone);
        let shown = |batch: &Batch| {
            let step = |idx: usize| (batch.entries()[idx].key, batch.vector(idx).to_vec());
            format!("{:?} {:?}", (0..batch.len()).map(step).collect::<Vec<_>>(), batch.violations())
        };
        if result.is_err() || shown(&own) != shown(&alone) {
            let detail = format!("{key:?}: {} against {}", shown(&own), shown(&alone));
            return Err(broken("a step is the same without the others", state, &detail));
        }
    }
    Ok(())
}

/// A fresh cursor at a state.
trait CursorAt {
    fn cursor_at(&self, state: &[u8]) -> Box<dyn Cursor + '_>;
}

impl CursorAt for dyn Model + '_ {
    fn cursor_at(&self, state: &[u8]) -> Box<dyn Cursor + '_> {
        let mut cursor = self.cursor(Lessons::none());
        cursor.load(state);
        cursor
    }
}

fn reached(model: &dyn Model, cursor: &dyn Cursor) -> Result<(), Broken> {
    let (n_points, n_words) = (model.points().len(), cursor.reached().len());
    if n_words >= n_points.div_ceil(64) {
        return Ok(());
    }
    let detail = format!("{n_words} words for {n_points} points");
    Err(Broken { law: "there is a bit for every point", detail })
}

fn initial(model: &dyn Model) -> Result<(), Broken> {
    let initial = || {
        let mut batch = Batch::new();
        model.cursor(Lessons::none()).initial(&mut batch).ok().map(|()| batch.vector(0).to_vec())
    };
    if initial() == initial() {
        return Ok(());
    }
    Err(Broken { law: "the initial state is always the same", detail: String::new() })
}
