//! One task of a certification that is shared between machines.
//!
//! A task reads the whole script, and expands its own states and those on the way to them ([`Plan`]). It does
//! with each own state what `graph` does, with one difference: a successor that another task expands cannot
//! be compared with that task's state here. Its fingerprint goes into the result, and so do those of own
//! states that other tasks mention. The merge compares them.
//!
//! **Ranks and detours** are in the script, which every task reads to its end, so each task knows those of
//! all states, and judges its own steps as `rank` does. One thing it cannot know: whether a state of another
//! task is expanded as a whole, where the step to it is fine for no other reason. Then that is a demand in
//! the result, and the merge holds it against the result of that task.
//!
//! All fingerprints of own states are kept, marks are not used, and a foreign number is kept once: so a task
//! needs 16 bytes for each own state and each foreign one that it mentions, and 5 for each number of the
//! script, or 13 if there are ranks or detours.
//!
//! A partial certificate has states that are not expanded. The task to which one belongs counts it, and its
//! fingerprint is compared like those of others.
//!
//! A trustful task walks through the tree as `tree` does. The step to a state is evaluated by the task that
//! goes on with the state.

use crate::graph::Claims;
use crate::kept::Queue;
use crate::noted::Noted;
use crate::partition::{Plan, Role};
use crate::portion::{Worker, halted};
use crate::print::{Keyed, Prints};
use crate::rank::Ranks;
use crate::result::Entry;
use crate::veracity::{Deviation, Error, VeracityError};
use allways_model::certificate::script::{Block, Expansion, Mention, Standing, Target};
use allways_model::certificate::{Flaw, Frame, streams};
use allways_model::{Acceptance, Batch, Model, StepKey};
use std::cell::RefCell;
use std::collections::HashMap;

/// No print.
const NONE: u32 = u32::MAX;

/// What a task found.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) n_steps: u64,
    pub(crate) n_part: u64,
    pub(crate) n_ends: u64,
    /// Own states that are not expanded, or of which a limit has cut steps off, in a partial certificate.
    pub(crate) n_open: u64,
    pub(crate) longest: usize,
    pub(crate) noted: Noted,
    /// For the result, in the order of numbers.
    pub(crate) entries: Vec<Entry>,
}

/// The prints that a task keeps.
struct Kept {
    /// For each number the place of its print, if it is an own one that was met.
    places: Vec<u32>,
    prints: Vec<u128>,
    /// The own states, in the order of their prints.
    own: Vec<OwnState>,
    /// The prints of foreign states, and whether they must be expanded as a whole.
    foreign: HashMap<u64, (u128, bool)>,
}

/// What a task knows of a state that it expands.
struct OwnState {
    number: u64,
    /// Whether another task mentions it.
    is_shared: bool,
    is_whole: bool,
    /// Whether a step to it is fine only if it is expanded as a whole.
    must_be_whole: bool,
}

impl Kept {
    fn new(n_numbers: usize) -> Self {
        Self { places: vec![NONE; n_numbers], prints: Vec::new(), own: Vec::new(), foreign: HashMap::new() }
    }

    fn place(&self, number: u64) -> Option<usize> {
        self.places.get(number as usize - 1).filter(|place| **place != NONE).map(|place| *place as usize)
    }

    /// Another task mentions a number.
    fn share(&mut self, number: u64) {
        if let Some(place) = self.place(number) {
            self.own[place].is_shared = true;
        }
    }

    /// An own state is met for the first time.
    fn meet(&mut self, number: u64, print: u128) {
        self.places[number as usize - 1] = self.prints.len() as u32;
        self.prints.push(print);
        self.own.push(OwnState { number, is_shared: false, is_whole: false, must_be_whole: false });
    }

    /// An own state was expanded, as a whole or not.
    fn expanded(&mut self, number: u64, is_whole: bool) {
        if let Some(place) = self.place(number) {
            self.own[place].is_whole = is_whole;
        }
    }

    /// A step to a state that was compared is fine only if the state is expanded as a whole.
    fn demand_whole(&mut self, number: u64) {
        if let Some(place) = self.place(number) {
            self.own[place].must_be_whole = true;
        } else if let Some((_, must_be_whole)) = self.foreign.get_mut(&number) {
            *must_be_whole = true;
        }
    }

    /// An own state that is expanded in part, and must not be.
    fn unmet(&self) -> Option<u64> {
        self.own.iter().find(|one| one.must_be_whole && !one.is_whole).map(|one| one.number)
    }

    /// An own state leads to one with this number.
    fn compare(&mut self, number: u64, role: Role, print: u128) -> Result<(), Deviation> {
        let known = match (role, self.place(number)) {
            (Role::Own, Some(place)) => self.prints[place],
            (Role::Own, None) => return Err(Deviation::Forgotten { number }),
            _ => self.foreign.entry(number).or_insert((print, false)).0,
        };
        if known == print { Ok(()) } else { Err(Deviation::FalseMention { number }) }
    }

    /// In the order of numbers.
    fn entries(self) -> Vec<Entry> {
        let shared = self.own.iter().zip(&self.prints).filter(|(one, _)| one.is_shared);
        let own = shared.map(|(one, &print)| Entry {
            number: one.number,
            is_own: true,
            whole: one.is_whole,
            print,
        });
        let foreign = self.foreign.into_iter();
        let foreign = foreign.map(|(number, (print, whole))| Entry { number, is_own: false, whole, print });
        let mut all: Vec<_> = own.chain(foreign).collect();
        all.sort_unstable_by_key(|entry| entry.number);
        all
    }
}

/// What the script says about all states, and the rules of [`crate::rank`] for the steps of own ones.
struct Standings {
    is_cyclic: bool,
    /// By numbers from 1 on; empty if there are neither ranks nor detours.
    all: Vec<Standing>,
}

impl Standings {
    fn new(model: &dyn Model, streams: u16) -> Result<Self, Deviation> {
        let acceptance = model.acceptance();
        // This refuses what does not go together.
        Ranks::new(acceptance, streams)?;
        Ok(Self { is_cyclic: acceptance != Acceptance::Nowhere, all: Vec::new() })
    }

    fn of(&self, number: u64) -> Standing {
        self.all.get(number as usize - 1).copied().unwrap_or_default()
    }

    /// Judges a step of an own state, of which is known whether it is accepting and expanded as a whole;
    /// gives whether the step leads on.
    fn judge(
        &self,
        kept: &mut Kept,
        (number, is_accepting, is_whole): (u64, bool, bool),
        to: u64,
    ) -> Result<bool, Deviation> {
        let (own, other) = (self.of(number), self.of(to));
        if self.is_cyclic && (other.rank > own.rank || is_accepting && other.rank == own.rank) {
            return Err(Deviation::Rank { number: to, from: own.rank, to: other.rank, is_accepting });
        }
        let leads_on = other.detour < own.detour || other.detour == own.detour && to > number;
        if self.is_cyclic && !is_whole && !leads_on {
            // Fine if that state is expanded earlier and as a whole.
            if to >= number {
                return Err(Deviation::Cycling { number: to });
            }
            kept.demand_whole(to);
        }
        Ok(leads_on)
    }
}

/// A deviation, and the position of its step.
type Wrong = (Deviation, Option<usize>);

/// Reads a script; calls `state` for each state, with its number, its mentions and the keys of those to new
/// states.
fn each_state(
    streams: u16,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    mut initial: impl FnMut(Standing),
    mut state: impl FnMut(u64, &Expansion, &[Mention], &[Option<StepKey>]) -> Result<(), Wrong>,
) -> Result<(), Error> {
    let malformed = |flaw: Flaw| Deviation::Malformed(flaw.to_string());
    let (mut next, mut mentions, mut keys) = (1, Vec::new(), Vec::new());
    for (number, block) in (1..).zip(blocks) {
        let (frame, raw) = block?;
        let wrong = |deviation: Deviation| VeracityError::new(deviation).in_block(number).at(next);
        let mut block = Block::new(&frame, streams, &raw).map_err(|flaw| wrong(malformed(flaw)))?;
        block.initial().into_iter().for_each(&mut initial);
        loop {
            mentions.clear();
            keys.clear();
            let wrong = |deviation: Deviation| VeracityError::new(deviation).in_block(number).at(next);
            let read = block.next_state().map_err(|flaw| wrong(malformed(flaw)))?;
            let Some(read) = read else { break };
            for slot in 0..read.n_steps {
                mentions.push(block.next_target(slot).map_err(|flaw| wrong(malformed(flaw)))?);
                keys.push(block.key());
            }
            state(next, &read, &mentions, &keys)
                .map_err(|(deviation, slot)| VeracityError { slot, ..wrong(deviation) })?;
            next += 1;
        }
    }
    Ok(())
}

/// Only a partial certificate has states that are not expanded.
fn may_be_open(is_partial: bool) -> Result<(), Wrong> {
    if is_partial { Ok(()) } else { Err((Deviation::OpenPromises { n: 1 }, None)) }
}

/// Expands a state; gives whether as a whole, and whether a limit has cut steps off, as if it were not
/// expanded.
fn expand(
    worker: &mut Worker<'_, Keyed>,
    vector: &[u8],
    rounds: u64,
    is_partial: bool,
) -> Result<(bool, bool), Deviation> {
    let is_whole = worker.expand_rounds(vector, rounds)?;
    if !worker.knows_all() {
        return Err(Deviation::Lesson);
    }
    match worker.take_cut() {
        Some(fault) if !is_partial => Err(Deviation::Fault(fault)),
        cut => Ok((is_whole, cut.is_some())),
    }
}

/// Does a task of the certification of a graph.
///
/// # Errors
/// The first deviation, with its place.
pub(crate) fn graph(
    model: &dyn Model,
    claims: &Claims<'_>,
    roles: &[Role],
    keyed: &Keyed,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
) -> Result<Done, Error> {
    let Claims { lessons, streams, is_partial, .. } = *claims;
    let mut worker = Worker::new(model.cursor(lessons), keyed, streams, true);
    let (mut queue, mut done) = (Queue::default(), Done::default());
    // A file that has changed since the plan was made is refused when its end is read.
    let role_of = |number: u64| roles.get(number as usize - 1).copied().unwrap_or(Role::Skip);
    let mut kept = Kept::new(roles.len());
    let (vector, violations) = worker.initial()?;
    if role_of(1) != Role::Skip {
        queue.push(&vector);
    }
    if role_of(1) == Role::Own {
        done.noted.note(1, &violations);
        done.longest = vector.len();
        kept.meet(1, keyed.of(&vector));
    }
    // Steps lead to states that come later in the same list, so what is said about all of them is read first.
    let standings = RefCell::new(Standings::new(model, streams)?);
    let is_ranked = streams & (streams::RANKS | streams::DETOURS) != 0;
    let initial = |standing| standings.borrow_mut().all.extend(is_ranked.then_some(standing));
    each_state(streams, blocks, initial, |number, state, mentions, _| {
        if is_ranked {
            let new = mentions.iter().filter(|mention| mention.target == Target::New);
            standings.borrow_mut().all.extend(new.map(|mention| mention.standing));
        }
        let standings = standings.borrow();
        let role = role_of(number);
        if role != Role::Own {
            mentions.iter().for_each(|mention| kept.share(mention.number));
        }
        if role == Role::Skip {
            return Ok(());
        }
        let vector = queue.pop().ok_or((Deviation::NothingPromised, None))?;
        if state.is_open {
            // Nothing is claimed of what follows it, so it counts as a whole one.
            kept.expanded(number, true);
            done.n_open += u64::from(role == Role::Own);
            return may_be_open(is_partial);
        }
        let is_accepting = role == Role::Own && standings.is_cyclic && worker.is_accepting(vector);
        let expanded = expand(&mut worker, vector, state.rounds, is_partial);
        let (is_whole, is_cut) = expanded.map_err(|deviation| (deviation, None))?;
        done.n_open += u64::from(is_cut && role == Role::Own);
        let mut leads_on = is_whole;
        for (slot, mention) in mentions.iter().enumerate().take(worker.batch().len()) {
            let (vector, target) = (worker.batch().vector(slot), role_of(mention.number));
            let is_new = mention.target == Target::New;
            if is_new && target != Role::Skip {
                queue.push(vector);
            }
            let is_met = is_new && target == Role::Own;
            if role == Role::Path && !is_met {
                continue;
            }
            let print = keyed.of(vector);
            if is_met {
                kept.meet(mention.number, print);
            }
            if role == Role::Own {
                done.longest = done.longest.max(vector.len());
                let judged = kept.compare(mention.number, target, print).and_then(|()| {
                    standings.judge(&mut kept, (number, is_accepting, is_whole), mention.number)
                });
                leads_on |= judged.map_err(|deviation| (deviation, Some(slot)))?;
            } else {
                kept.share(mention.number);
            }
        }
        let (claimed, own) = (state.n_steps, worker.batch().len());
        if own != claimed {
            return Err((Deviation::Count { claimed, own }, None));
        }
        if role == Role::Own {
            // Of a property of runs that never end each step was judged.
            if !leads_on && !standings.is_cyclic {
                return Err((Deviation::Ignoring, None));
            }
            kept.expanded(number, is_whole);
            done.noted.note(number, worker.batch().violations());
            done.n_steps += own as u64;
            done.n_part += u64::from(!is_whole);
        }
        Ok(())
    })?;
    if !worker.knows_all() {
        return Err(Deviation::Lesson.into());
    }
    if let Some(number) = kept.unmet() {
        return Err(VeracityError::new(Deviation::Cycling { number }).into());
    }
    done.entries = kept.entries();
    Ok(done)
}

/// Does a task of the trustful certification of a script with keys.
///
/// # Errors
/// The first deviation, with its place.
pub(crate) fn tree(
    model: &dyn Model,
    claims: &Claims<'_>,
    roles: &[Role],
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
) -> Result<Done, Error> {
    let Claims { lessons, streams, is_partial, .. } = *claims;
    let mut cursor = model.cursor(lessons);
    let (mut batch, mut queue, mut done) = (Batch::new(), Queue::default(), Done::default());
    // A file that has changed since the plan was made is refused when its end is read.
    let role_of = |number: u64| roles.get(number as usize - 1).copied().unwrap_or(Role::Skip);
    cursor.initial(&mut batch).map_err(halted)?;
    let [_] = batch.entries() else { return Err(Deviation::NothingPromised.into()) };
    if role_of(1) != Role::Skip {
        queue.push(batch.vector(0));
    }
    if role_of(1) == Role::Own {
        done.noted.note(1, batch.violations());
    }
    each_state(
        streams,
        blocks,
        |_| {},
        |number, state, mentions, keys| {
            let role = role_of(number);
            if role == Role::Skip {
                return Ok(());
            }
            let vector = queue.pop().ok_or((Deviation::NothingPromised, None))?;
            cursor.load(vector);
            batch.clear();
            if state.is_open {
                done.n_open += u64::from(role == Role::Own);
                return may_be_open(is_partial);
            }
            if role == Role::Own {
                if state.is_end {
                    cursor.expand(&mut batch).map_err(|halt| (halted(halt), None))?;
                    if let Some(fault) = cursor.take_cut().filter(|_| !is_partial) {
                        return Err((Deviation::Fault(fault), None));
                    }
                    if !batch.is_empty() {
                        return Err((Deviation::Count { claimed: 0, own: batch.len() }, None));
                    }
                    done.n_ends += 1;
                } else {
                    cursor.look(&mut batch);
                }
                done.noted.note(number, batch.violations());
            }
            for (slot, mention) in mentions.iter().enumerate().filter(|(_, one)| one.target == Target::New) {
                done.n_steps += u64::from(role == Role::Own);
                let target = role_of(mention.number);
                if target == Role::Skip {
                    continue;
                }
                batch.clear();
                let key = keys[slot].ok_or((Deviation::NoSuchStep, Some(slot)))?;
                cursor.take(key, &mut batch).map_err(|halt| (halted(halt), Some(slot)))?;
                if batch.is_empty() {
                    return Err((Deviation::NoSuchStep, Some(slot)));
                }
                if target == Role::Own {
                    done.noted.note(number, batch.violations());
                }
                queue.push(batch.vector(0));
            }
            Ok(())
        },
    )?;
    if !cursor.lesson().is_empty() {
        return Err(Deviation::Lesson.into());
    }
    Ok(done)
}

/// Whether a script can be walked through in tasks.
pub(crate) fn has_keys(streams: u16) -> bool {
    streams & streams::KEYS != 0
}

/// The states of a task that come after the last one that the script expands.
pub(crate) fn n_left(plan: &Plan, task: u16) -> u64 {
    (plan.n_read + 1..=plan.n_states).filter(|number| plan.owner(*number) == Some(task)).count() as u64
}

/// What a task must have done, by the plan.
pub(crate) fn is_as_planned(plan: &Plan, task: u16, n_states: u64, n_steps: u64, n_path: u64) -> bool {
    let load = &plan.loads[usize::from(task)];
    (load.n_states, load.n_steps, load.n_path) == (n_states, n_steps, n_path)
}
