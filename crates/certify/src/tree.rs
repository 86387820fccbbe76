//! Trustful certification: the tree of a script is walked, and nothing is compared.
//!
//! Each numbered state is reached once, by the step that first led to it. The certifier takes that step in
//! its own copy of the program ([`Cursor::take`]), so every state that it walks through is reachable, and
//! every violation that it meets is real. It keeps only the states that wait for their turn.
//!
//! **What is evaluated.** The step to each new state, what is wrong in a state itself ([`Cursor::look`]:
//! invariants), and everything in a state that is said to have no step: it is expanded, so that a deadlock is
//! met, and a step that the script denies.
//!
//! **What is trusted.** That the script leaves no state out: other steps of a state are not looked at, so
//! neither where they lead nor whether one goes wrong. In a Java program also that its threads are in no
//! other conflicts. So an accepted tree says "these states can be reached, and nothing is wrong in them", and
//! never that a property holds.
//!
//! **Why it is accepted.** Each *new* is a promise to walk through the state that its step leads to, as in
//! `graph`: a state without a step to it, a step that does not exist and a promise that is not kept are
//! deviations. Two numbers may be one state, which only makes the certifier do work twice.
//!
//! Steps have keys in the script of a tree, and in that of a graph if it was written with `check --keys`.
//! Without keys the states of a graph are expanded as a whole, and all steps but those to new states dropped.

use crate::also::Also;
use crate::graph::Claims;
use crate::kept::Queue;
use crate::noted::Noted;
use crate::portion::halted;
use crate::veracity::{Deviation, Error, VeracityError};
use allways_model::certificate::script::{Block, Expansion, Target};
use allways_model::certificate::{Flaw, Frame, streams};
use allways_model::{Batch, Cursor, Model};

/// What a tree was found to be.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    /// Numbered states.
    pub n_states: u64,
    /// Numbered states through which the script does not go on, in a partial certificate.
    pub n_open: u64,
    /// States without a step, which were expanded.
    pub n_ends: u64,
    /// Whether steps were taken by their keys, without expanding states.
    pub by_keys: bool,
    /// What is wrong in states and steps.
    pub noted: Noted,
    /// The most bytes of states that waited for their turn.
    pub most_waiting: u64,
}

/// A walk under way.
struct Walker<'a> {
    cursor: Box<dyn Cursor + 'a>,
    batch: Batch,
    queue: Queue,
    streams: u16,
    also: Option<&'a Also>,
    is_partial: bool,
    /// The number of the state that is next.
    next: u64,
    n_steps: u64,
    walked: Walked,
}

/// A deviation, and the position of its step.
type Wrong = (Deviation, Option<usize>);

/// Walks through the tree of a script.
///
/// # Errors
/// The first deviation, with its place.
pub fn walk(
    model: &dyn Model,
    claims: &Claims<'_>,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
) -> Result<Walked, Error> {
    walk_and_ask(model, claims, None, blocks)
}

/// The same, and evaluates a condition in every state.
pub(crate) fn walk_and_ask(
    model: &dyn Model,
    claims: &Claims<'_>,
    also: Option<&Also>,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
) -> Result<Walked, Error> {
    let by_keys = claims.streams & streams::KEYS != 0;
    let mut walker = Walker {
        cursor: model.cursor(claims.lessons),
        batch: Batch::new(),
        queue: Queue::default(),
        streams: claims.streams,
        also,
        is_partial: claims.is_partial,
        next: 1,
        n_steps: 0,
        walked: Walked { n_states: 1, by_keys, ..Walked::default() },
    };
    walker.begin()?;
    for (number, block) in (1..).zip(blocks) {
        let (frame, raw) = block?;
        walker.block(&frame, &raw).map_err(|error| Box::new(error.in_block(number)))?;
    }
    walker.end(claims)
}

fn malformed(flaw: &Flaw) -> Deviation {
    Deviation::Malformed(flaw.to_string())
}

impl Walker<'_> {
    fn begin(&mut self) -> Result<(), Error> {
        self.cursor.initial(&mut self.batch).map_err(halted)?;
        let [_] = self.batch.entries() else { return Err(Deviation::NothingPromised.into()) };
        self.walked.noted.note(1, self.batch.violations());
        self.queue.push(self.batch.vector(0));
        Ok(())
    }

    fn block(&mut self, frame: &Frame, raw: &[u8]) -> Result<(), Box<VeracityError>> {
        let (expected, claimed) = ((self.next, self.walked.n_states), (frame.first, frame.newest));
        if expected != claimed {
            return Err(Deviation::Order { expected, claimed }.into());
        }
        let mut block = Block::new(frame, self.streams, raw).map_err(|flaw| malformed(&flaw))?;
        loop {
            let wrong = |deviation: Deviation, at: u64| Box::new(VeracityError::new(deviation).at(at));
            let state = block.next_state().map_err(|flaw| wrong(malformed(&flaw), self.next))?;
            let Some(state) = state else { return Ok(()) };
            if let Err((deviation, slot)) = self.state(&state, &mut block) {
                return Err(Box::new(VeracityError { slot, ..*wrong(deviation, self.next) }));
            }
            self.walked.most_waiting = self.walked.most_waiting.max(self.queue.n_bytes());
            self.n_steps += state.n_steps as u64;
            self.next += 1;
        }
    }

    fn state(&mut self, state: &Expansion, block: &mut Block<'_>) -> Result<(), Wrong> {
        let vector = self.queue.pop().ok_or((Deviation::NothingPromised, None))?;
        self.cursor.load(vector);
        self.batch.clear();
        if let Some(also) = self.also {
            self.walked.noted.note(self.next, &also.look(&mut *self.cursor));
        }
        if state.is_open {
            self.walked.n_open += 1;
            return Ok(());
        }
        if state.is_end {
            return self.expand(0).map(|()| self.walked.n_ends += 1);
        }
        self.cursor.look(&mut self.batch);
        self.walked.noted.note(self.next, self.batch.violations());
        let mut is_expanded = false;
        for slot in 0..state.n_steps {
            let mention = block.next_target(slot).map_err(|flaw| (malformed(&flaw), Some(slot)))?;
            if mention.target != Target::New {
                continue;
            }
            self.walked.n_states = mention.number;
            let idx = match block.key() {
                Some(key) => {
                    self.batch.clear();
                    let taken = self.cursor.take(key, &mut self.batch);
                    taken.map_err(|halt| (halted(halt), Some(slot)))?;
                    self.judge_cut()?;
                    self.walked.noted.note(self.next, self.batch.violations());
                    0
                }
                None => {
                    if !std::mem::replace(&mut is_expanded, true) {
                        self.batch.clear();
                        self.rounds(state)?;
                    }
                    slot
                }
            };
            if idx >= self.batch.len() {
                return Err((Deviation::NoSuchStep, Some(slot)));
            }
            self.queue.push(self.batch.vector(idx));
        }
        Ok(())
    }

    /// A limit of the model's own has cut off no step.
    fn judge_cut(&mut self) -> Result<(), Wrong> {
        match self.cursor.take_cut().filter(|_| !self.is_partial) {
            None => Ok(()),
            Some(fault) => Err((Deviation::Fault(fault), None)),
        }
    }

    /// Expands a state that is said to have this many steps.
    fn expand(&mut self, claimed: usize) -> Result<(), Wrong> {
        self.cursor.expand(&mut self.batch).map_err(|halt| (halted(halt), None))?;
        self.judge(claimed)
    }

    fn judge(&mut self, claimed: usize) -> Result<(), Wrong> {
        self.judge_cut()?;
        self.walked.noted.note(self.next, self.batch.violations());
        let own = self.batch.len();
        if own == claimed { Ok(()) } else { Err((Deviation::Count { claimed, own }, None)) }
    }

    /// Expands a state for its steps to new states, as far as the script says that the search did.
    fn rounds(&mut self, state: &Expansion) -> Result<(), Wrong> {
        if self.streams & streams::ROUNDS == 0 {
            return self.expand(state.n_steps);
        }
        for round in 0..state.rounds {
            let is_whole = self.cursor.expand_some(&mut self.batch).map_err(|halt| (halted(halt), None))?;
            if is_whole && round + 1 < state.rounds {
                return Err((Deviation::Rounds { claimed: state.rounds }, None));
            }
        }
        self.judge(state.n_steps)
    }

    fn end(self, claims: &Claims<'_>) -> Result<Walked, Error> {
        let mut walked = self.walked;
        walked.n_open += self.queue.len();
        if walked.n_open > 0 && !claims.is_partial {
            let open = Deviation::OpenPromises { n: walked.n_open };
            return Err(VeracityError::new(open).at(self.next).into());
        }
        if !self.cursor.lesson().is_empty() {
            return Err(Deviation::Lesson.into());
        }
        let (own, claimed) = ((walked.n_states, self.n_steps), claims.totals);
        if own != claimed {
            return Err(Deviation::Totals { claimed, own }.into());
        }
        Ok(walked)
    }
}
