//! The heart of the certifier: a search script is held against a model.
//!
//! The script has one token for each step of each state, in the order of the states' numbers: *new*, or the
//! number of an older state. *New* gives the next number and is a promise to expand that state. The
//! certifier's own initial state is number 1. Let `v(n)` be the vector that the certifier computed itself when
//! it met the *new* of `n`.
//!
//! - Every `v(n)` is reachable: it is the initial state or a successor of some `v(m)`, m < n.
//! - If the script is accepted, and no two different vectors that were compared have the same print, the set
//!   of all `v(n)` is closed under steps: no promise is open at the end, so every `v(n)` was expanded; each of
//!   its successors has a token; *new* makes it some `v(m)`, and an old number was compared with `v(m)`.
//!
//! So the numbered states are exactly the reachable ones, and all violations in them were met. A state that
//! has two numbers is expanded twice, which is harmless.
//!
//! **States expanded in part.** A reduction may omit steps of a state, as long as no step is omitted without
//! end: a whole state must follow. A state that is expanded in part needs a successor with a larger number
//! than its own. Numbers grow along such successors and are finitely many, so the last one is expanded as a
//! whole. That the steps of one part need no other steps is what the reduction is trusted for.
//!
//! **Forgetting.** A mark on a mention says that it is the last. The print is dropped then. A mark that comes
//! too early makes a later mention an error; a missing one costs memory.
//!
//! Nothing is allocated from a number that the file claims: only prints and vectors of the certifier's own
//! making, one for each *new* that it met.

use crate::print::Prints;
use crate::veracity::{Deviation, Error, VeracityError};
use allways_model::certificate::script::{Block, Expansion, Mention, Target};
use allways_model::certificate::{Flaw, Frame, streams};
use allways_model::{Batch, Cursor, Halt, Lessons, Model, Violation};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// No more violations than this are kept; the others are counted.
const MAX_KEPT: usize = 16;

/// What a script was found to describe.
#[derive(Clone, Debug, Default)]
pub struct Certified {
    /// Numbered states.
    pub n_states: u64,
    /// Steps between them.
    pub n_steps: u64,
    /// States that are expanded in part.
    pub n_part: u64,
    /// The first violation of each kind and place, with the number of its state.
    pub violations: Vec<(Violation, u64)>,
    /// Violations in all.
    pub n_violations: u64,
    /// The bytes of the longest vector.
    pub longest: usize,
    /// The most prints that were kept at once.
    pub most_prints: u64,
    /// The most bytes of states that waited to be expanded.
    pub most_waiting: u64,
    /// Comparisons of a successor with an older state.
    pub n_compared: u64,
}

/// The vectors that wait to be expanded, in order.
#[derive(Default)]
struct Queue {
    levels: [Level; 2],
    /// The next vector of the first level.
    at: usize,
}

#[derive(Default)]
struct Level {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Queue {
    fn push(&mut self, vector: &[u8]) {
        let last = &mut self.levels[1];
        last.bytes.extend_from_slice(vector);
        last.ends.push(last.bytes.len());
    }

    fn pop(&mut self) -> Option<&[u8]> {
        if self.at == self.levels[0].ends.len() {
            self.levels.swap(0, 1);
            self.levels[1].bytes.clear();
            self.levels[1].ends.clear();
            self.at = 0;
        }
        let Level { bytes, ends } = &self.levels[0];
        let end = *ends.get(self.at)?;
        let start = self.at.checked_sub(1).map_or(0, |before| ends[before]);
        self.at += 1;
        Some(&bytes[start..end])
    }

    fn len(&self) -> u64 {
        (self.levels[0].ends.len() - self.at + self.levels[1].ends.len()) as u64
    }

    fn n_bytes(&self) -> u64 {
        self.levels
            .iter()
            .map(|level| level.bytes.len() + size_of::<usize>() * level.ends.len())
            .sum::<usize>() as u64
    }
}

/// A hash of numbers: they are given out by the certifier one after the other.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

/// The prints of numbered states.
enum Table<T> {
    /// Of all of them: number n is at n - 1.
    All(Vec<T>),
    /// Of those that are mentioned again.
    Some(HashMap<u64, T, BuildHasherDefault<Spread>>),
}

impl<T> Table<T> {
    fn put(&mut self, number: u64, print: T) {
        match self {
            Self::All(all) => all.push(print),
            Self::Some(some) => drop(some.insert(number, print)),
        }
    }

    fn get(&self, number: u64) -> Option<&T> {
        match self {
            Self::All(all) => all.get(usize::try_from(number).ok()?.checked_sub(1)?),
            Self::Some(some) => some.get(&number),
        }
    }

    fn forget(&mut self, number: u64) {
        if let Self::Some(some) = self {
            some.remove(&number);
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::All(all) => all.len(),
            Self::Some(some) => some.len(),
        }
    }
}

/// A certification under way.
struct Certifier<'a, P: Prints> {
    prints: &'a P,
    cursor: Box<dyn Cursor + 'a>,
    streams: u16,
    queue: Queue,
    table: Table<P::Print>,
    batch: Batch,
    /// The state that is expanded next, and the newest number.
    next: u64,
    newest: u64,
    met: HashSet<String>,
    result: Certified,
}

/// Holds the blocks of a script against a model.
///
/// # Errors
/// The first deviation, with its place.
pub fn certify<P: Prints>(
    model: &dyn Model,
    lessons: &Lessons,
    streams: u16,
    totals: (u64, u64),
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    prints: &P,
) -> Result<Certified, Error> {
    let table =
        if streams & streams::MARKS == 0 { Table::All(Vec::new()) } else { Table::Some(HashMap::default()) };
    let mut certifier = Certifier {
        prints,
        cursor: model.cursor(lessons),
        streams,
        queue: Queue::default(),
        table,
        batch: Batch::new(),
        next: 1,
        newest: 1,
        met: HashSet::new(),
        result: Certified::default(),
    };
    certifier.begin().map_err(|deviation| Box::new(VeracityError::new(deviation).at(1)))?;
    for (idx, block) in blocks.enumerate() {
        let (frame, raw) = block?;
        certifier.block(&frame, &raw).map_err(|error| Box::new(error.in_block(idx as u64 + 1)))?;
    }
    Ok(certifier.end(totals)?)
}

impl<P: Prints> Certifier<'_, P> {
    /// Numbers the initial state.
    fn begin(&mut self) -> Result<(), Deviation> {
        self.cursor.initial(&mut self.batch).map_err(halted)?;
        self.note_violations(1);
        let [_] = self.batch.entries() else {
            return Err(Deviation::NothingPromised);
        };
        let vector = self.batch.vector(0);
        self.queue.push(vector);
        self.table.put(1, self.prints.of(vector));
        self.result.longest = vector.len();
        Ok(())
    }

    fn block(&mut self, frame: &Frame, raw: &[u8]) -> Result<(), Box<VeracityError>> {
        let (expected, claimed) = ((self.next, self.newest), (frame.first, frame.newest));
        if expected != claimed {
            return Err(Deviation::Order { expected, claimed }.into());
        }
        let malformed = |flaw: Flaw| Deviation::Malformed(flaw.to_string());
        let mut block = Block::new(frame, self.streams, raw).map_err(malformed)?;
        loop {
            let state = block
                .next_state()
                .map_err(|flaw| Box::new(VeracityError::new(malformed(flaw)).at(self.next)))?;
            let Some(state) = state else { break };
            self.state(&state, &mut block).map_err(|error| Box::new(error.at(self.next)))?;
            self.next += 1;
            self.result.most_prints = self.result.most_prints.max(self.table.len() as u64);
            self.result.most_waiting = self.result.most_waiting.max(self.queue.n_bytes());
        }
        Ok(())
    }

    /// Expands the next state and compares its steps with those of the script.
    fn state(&mut self, state: &Expansion, block: &mut Block<'_>) -> Result<(), Box<VeracityError>> {
        let vector = self.queue.pop().ok_or(Deviation::NothingPromised)?;
        self.cursor.load(vector);
        self.batch.clear();
        let is_whole = self.expand(state.rounds)?;
        self.note_violations(self.next);
        let own = self.batch.len();
        let mut leads_on = is_whole;
        for slot in 0..own.min(state.n_steps) {
            let at_slot =
                |deviation| Box::new(VeracityError { slot: Some(slot), ..VeracityError::new(deviation) });
            let mention =
                block.next_target(slot).map_err(|flaw| at_slot(Deviation::Malformed(flaw.to_string())))?;
            leads_on |= mention.number > self.next;
            if let Err(deviation) = self.step(slot, &mention) {
                return Err(Box::new(VeracityError { step: self.explain(slot), ..*at_slot(deviation) }));
            }
        }
        if own != state.n_steps {
            return Err(Deviation::Count { claimed: state.n_steps, own }.into());
        }
        if !leads_on {
            return Err(Deviation::Ignoring.into());
        }
        self.result.n_part += u64::from(!is_whole);
        self.result.n_steps += own as u64;
        Ok(())
    }

    /// Expands the loaded state, as a whole or in some parts; gives whether that is everything.
    fn expand(&mut self, rounds: u64) -> Result<bool, Deviation> {
        if self.streams & streams::ROUNDS == 0 {
            self.cursor.expand(&mut self.batch).map_err(halted)?;
            return Ok(true);
        }
        let mut is_whole = false;
        for _ in 0..rounds {
            if is_whole {
                return Err(Deviation::Rounds { claimed: rounds });
            }
            is_whole = self.cursor.expand_some(&mut self.batch).map_err(halted)?;
        }
        if rounds == 0 { Err(Deviation::Rounds { claimed: rounds }) } else { Ok(is_whole) }
    }

    /// Compares a step of the state that is expanded with what the script says of it.
    fn step(&mut self, slot: usize, mention: &Mention) -> Result<(), Deviation> {
        let vector = self.batch.vector(slot);
        let (number, print) = (mention.number, self.prints.of(vector));
        self.result.longest = self.result.longest.max(vector.len());
        match mention.target {
            Target::New => {
                self.queue.push(vector);
                self.newest = number;
                if !mention.is_last {
                    self.table.put(number, print);
                }
            }
            Target::Old(_) => {
                self.result.n_compared += 1;
                match self.table.get(number) {
                    None => return Err(Deviation::Forgotten { number }),
                    Some(known) if *known != print => return Err(Deviation::FalseMention { number }),
                    Some(_) if mention.is_last => self.table.forget(number),
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// What happens in a step of the loaded state.
    fn explain(&mut self, slot: usize) -> Option<String> {
        let key = self.batch.entries().get(slot)?.key;
        let moves = self.cursor.explain(key)?;
        let words = moves.iter().map(|one| match &one.location {
            Some(at) => format!("{} {at}: {}", one.process_name, one.text),
            None => format!("{}: {}", one.process_name, one.text),
        });
        Some(words.collect::<Vec<_>>().join("; "))
    }

    fn note_violations(&mut self, state: u64) {
        for violation in self.batch.violations() {
            self.result.n_violations += 1;
            if self.met.len() < MAX_KEPT && self.met.insert(violation.id().to_string()) {
                self.result.violations.push((violation.clone(), state));
            }
        }
    }

    /// Nothing may be open, and nothing left to learn.
    fn end(mut self, claimed: (u64, u64)) -> Result<Certified, Box<VeracityError>> {
        if self.queue.len() > 0 {
            let open = Deviation::OpenPromises { n: self.queue.len() };
            return Err(Box::new(VeracityError::new(open).at(self.next)));
        }
        if !self.cursor.lesson().is_empty() {
            return Err(Deviation::Lesson.into());
        }
        self.result.n_states = self.newest;
        let own = (self.newest, self.result.n_steps);
        if own != claimed {
            return Err(Deviation::Totals { claimed, own }.into());
        }
        Ok(self.result)
    }
}

/// No end of an expansion but success is evidence.
fn halted(halt: Halt) -> Deviation {
    match halt {
        Halt::Refine(_) => Deviation::Lesson,
        Halt::Unsupported(fault) => Deviation::Fault(fault),
        Halt::Stopped | Halt::Full | Halt::Enough => Deviation::Fault(allways_model::Fault {
            message: "the successors of a state need more memory than there is".into(),
            ..allways_model::Fault::default()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::{Exact, Keyed, collision};
    use allways_model::certificate::script::BlockWriter;
    use allways_model::{Digest, Lesson, Move, Point, Process, Rule, StepKey, Variable, ViolationKind};

    static WRONG: Rule = Rule::new(ViolationKind::Assertion, "wrong", "wrong");

    /// A state that leads to two others; the second is wrong.
    struct Fork([[u8; 32]; 3]);

    struct At<'a> {
        fork: &'a Fork,
        state: Vec<u8>,
    }

    impl Model for Fork {
        fn digest(&self) -> Digest {
            Digest([0; 16])
        }

        fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
            Box::new(At { fork: self, state: Vec::new() })
        }

        fn processes(&self, _state: &[u8]) -> Vec<Process> {
            Vec::new()
        }

        fn variables(&self, _state: &[u8]) -> Vec<Variable> {
            Vec::new()
        }

        fn points(&self) -> &[Point] {
            &[]
        }
    }

    impl Cursor for At<'_> {
        fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
            out.push(StepKey(0), &self.fork.0[0]);
            Ok(())
        }

        fn load(&mut self, state: &[u8]) {
            self.state = state.to_vec();
        }

        fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
            if self.state == self.fork.0[0] {
                out.push(StepKey(0), &self.fork.0[1]);
                out.push(StepKey(1), &self.fork.0[2]);
            } else if self.state == self.fork.0[2] {
                out.report(Violation::new(&WRONG));
            }
            Ok(())
        }

        fn explain(&mut self, _key: StepKey) -> Option<Vec<Move>> {
            None
        }

        fn reached(&self) -> Vec<u64> {
            Vec::new()
        }

        fn lesson(&self) -> Lesson {
            Lesson::new()
        }
    }

    /// The script of a producer who knows the key: both steps lead to one state.
    fn forged() -> (Frame, Vec<u8>) {
        let mut writer = BlockWriter::new();
        writer.push(0, &[Target::New, Target::Old(2)]).unwrap();
        writer.push(0, &[]).unwrap();
        writer.finish()
    }

    fn judge<P: Prints>(model: &Fork, prints: &P) -> Result<Certified, Error> {
        certify(model, Lessons::none(), 0, (2, 2), [Ok(forged())].into_iter(), prints)
    }

    /// Why the key is drawn after the file was read.
    #[test]
    fn a_producer_who_knows_the_key_hides_a_state() {
        let known = Keyed::fixed(3);
        let (harmless, wrong) = collision(&known);
        let model = Fork([[9; 32], harmless, wrong]);
        let hidden = judge(&model, &known).unwrap();
        assert_eq!((hidden.n_states, hidden.n_violations), (2, 0), "accepted, and false");
        for error in [judge(&model, &Keyed::draw().unwrap()), judge(&model, &Keyed::fixed(4))] {
            assert!(
                matches!(error, Err(Error::Veracity(error)) if matches!(error.deviation, Deviation::FalseMention { number: 2 }))
            );
        }
        assert!(judge(&model, &Exact).is_err());
    }
}
