//! The heart of the certifier: a search script is held against a model.
//!
//! The script has one token for each step of each state, in the order of the states' numbers: *new*, or the
//! number of an older state. *New* gives the next number and is a promise to expand that state. The
//! certifier's own initial state is number 1. Let `v(n)` be the vector that the certifier computed itself
//! when it met the *new* of `n`.
//!
//! - Every `v(n)` is reachable: it is the initial state or a successor of some `v(m)`, m < n.
//! - If the script is accepted, and no two different vectors that were compared have the same print, the set
//!   of all `v(n)` is closed under steps: no promise is open at the end, so every `v(n)` was expanded; each
//!   of its successors has a token; *new* makes it some `v(m)`, and an old number was compared with `v(m)`.
//!
//! So the numbered states are exactly the reachable ones, and all violations in them were met. A state that
//! has two numbers is expanded twice, which is harmless.
//!
//! **States expanded in part.** A reduction may omit steps of a state, as long as no step is omitted without
//! end: a whole state must follow. `rank` has the argument, and the one for properties of runs that never
//! end. That the steps of one part need no other steps is what the reduction is trusted for.
//!
//! **Forgetting.** A mark on a mention says that it is the last. The print is dropped then. A mark that comes
//! too early makes a later mention an error; a missing one costs memory.
//!
//! **Workers.** One worker takes the states one after the other (`alone`). Several expand states and hash
//! their successors in portions, and what they found is compared here in the order of numbers (`portion`).
//! Both end in `state`, which makes all decisions, so the answer does not depend on the number of workers.
//!
//! **Fingerprints that nothing is compared with** are not computed: a state that is new and never mentioned
//! again needs none, unless states are counted.
//!
//! **Partial certificates.** Some states are not expanded. From them the certifier goes on at random, to say
//! how much of the graph that may be (`frontier`); this is after the verdict, which does not depend on it.
//!
//! Nothing is allocated from a number that the file claims: only prints and vectors of the certifier's own
//! making, one for each *new* that it met.

use crate::also::Also;
use crate::frontier::{self, Open, Walks};
use crate::kept::{Queue, Table};
use crate::noted::Noted;
use crate::portion::{Found, Portion, Team, Worker};
use crate::print::Prints;
use crate::rank::Ranks;
use crate::veracity::{Deviation, Error, VeracityError};
use allways_model::certificate::script::{Block, Expansion, Mention, Target};
use allways_model::certificate::{Flaw, Frame};
use allways_model::{Fault, Lessons, Model};
use std::thread;

/// One worker reads this many states ahead, or states with about this many steps.
const GROUP: usize = 32;
const MENTIONS: usize = 1024;
/// Workers are given this many states at a time.
const PORTION: usize = 64;
/// What a script was found to describe.
#[derive(Clone, Debug, Default)]
pub struct Certified {
    /// Numbered states.
    pub n_states: u64,
    /// Steps between them.
    pub n_steps: u64,
    /// Numbered states that are not expanded, or of which a limit has cut steps off, in a partial
    /// certificate.
    pub n_open: u64,
    /// Whether no state has two numbers.
    pub is_counted: bool,
    /// States that are expanded in part.
    pub n_part: u64,
    /// What is wrong in states and steps.
    pub noted: Noted,
    /// The bytes of the longest vector.
    pub longest: usize,
    /// The most prints that were kept at once.
    pub most_prints: u64,
    /// The most bytes of states that waited to be expanded.
    pub most_waiting: u64,
    /// Comparisons of a successor with an older state.
    pub n_compared: u64,
    /// What walks from the states met that are not expanded, in a partial certificate.
    pub walks: Option<Walks>,
}

/// What a certificate claims besides its script.
#[derive(Clone, Copy, Debug)]
pub struct Claims<'a> {
    /// What its search had learnt.
    pub lessons: &'a Lessons,
    /// The streams of its blocks.
    pub streams: u16,
    /// The states and steps that its trailer counts.
    pub totals: (u64, u64),
    /// Whether states may be left that are not expanded.
    pub is_partial: bool,
}

/// How a script is held against a model.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// No state may have two numbers.
    pub counts: bool,
    /// How many threads expand states.
    pub workers: usize,
}

/// A certification under way.
struct Certifier<'a, P: Prints> {
    prints: &'a P,
    /// For the initial state, and for words about a step that deviates.
    guide: Worker<'a, P>,
    streams: u16,
    is_partial: bool,
    queue: Queue,
    table: Table<P::Print>,
    ranks: Ranks,
    /// Portions that were compared, for their memory.
    spare: Vec<Portion<P::Print>>,
    /// The number of the state that is read next, and the newest one that was read.
    next: u64,
    read: u64,
    /// The newest number that was compared.
    newest: u64,
    /// The prints of all states, if they are to be counted or some are not expanded.
    all: Option<Vec<(P::Print, u64)>>,
    counts: bool,
    /// States that are not expanded.
    open: Open,
    result: Certified,
}

/// Holds the blocks of a script against a model.
///
/// # Errors
/// The first deviation, with its place.
pub fn certify<P: Prints>(
    model: &dyn Model,
    claims: &Claims<'_>,
    work: Work,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    prints: &P,
) -> Result<Certified, Error> {
    certify_and_ask(model, claims, work, None, blocks, prints)
}

/// The same, and evaluates a condition in every state or step.
pub(crate) fn certify_and_ask<P: Prints>(
    model: &dyn Model,
    claims: &Claims<'_>,
    work: Work,
    also: Option<&Also>,
    blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    prints: &P,
) -> Result<Certified, Error> {
    let Claims { lessons, streams, .. } = *claims;
    let worker =
        || Worker::new(model.cursor(lessons), prints, streams, work.counts || claims.is_partial).asking(also);
    let mut certifier = Certifier {
        prints,
        guide: worker(),
        streams,
        is_partial: claims.is_partial,
        queue: Queue::default(),
        table: Table::starting_at(1),
        ranks: Ranks::new(model.acceptance(), streams)?,
        spare: Vec::new(),
        next: 1,
        read: 1,
        newest: 1,
        all: (work.counts || claims.is_partial).then(Vec::new),
        counts: work.counts,
        open: Open::new(),
        result: Certified::default(),
    };
    certifier.begin().map_err(|deviation| Box::new(VeracityError::new(deviation).at(1)))?;
    let knows_all = if work.workers > 1 {
        let workers = (0..work.workers).map(|_| worker()).collect();
        thread::scope(|scope| certifier.blocks(Team::start(workers, scope), blocks))?
    } else {
        certifier.alone(worker(), blocks)?
    };
    Ok(certifier.end(claims, knows_all)?)
}

impl<'a, P: Prints> Certifier<'a, P> {
    /// Numbers the initial state.
    fn begin(&mut self) -> Result<(), Deviation> {
        let (vector, violations) = self.guide.initial()?;
        self.result.noted.note(1, &violations);
        self.queue.push(&vector);
        let print = self.prints.of(&vector);
        self.all.iter_mut().for_each(|all| all.push((print.clone(), 1)));
        self.result.longest = vector.len();
        self.keep(Some(print))
    }

    /// Holds all blocks against the model, state by state; gives whether the worker has learnt nothing.
    fn alone(
        &mut self,
        mut worker: Worker<'a, P>,
        blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    ) -> Result<bool, Error> {
        let (mut states, mut mentions, mut prints) = (Vec::new(), Vec::new(), Vec::new());
        for (number, block) in (1..).zip(blocks) {
            let (frame, raw) = block?;
            let wrong = |deviation: Deviation| VeracityError::new(deviation).in_block(number);
            let mut block = self.open(&frame, &raw).map_err(wrong)?;
            let mut read = Ok(true);
            while let Ok(true) = read {
                states.clear();
                mentions.clear();
                read = read_group(&mut block, &mut states, &mut mentions);
                self.table.fetch(&mentions);
                let mut rest = mentions.as_slice();
                for state in &states {
                    let (mentions, others) = rest.split_at(state.n_steps);
                    rest = others;
                    let nothing = || wrong(Deviation::NothingPromised).at(self.next);
                    let vector = self.queue.pop().ok_or_else(nothing)?;
                    let found = worker.expand_one(vector, state, mentions, &mut prints);
                    if state.is_open
                        && let Some(vector) = self.queue.last()
                    {
                        self.open.add(vector);
                    }
                    let vector = |slot, _| worker.vector(slot);
                    let judged = self.state(self.next, state, mentions, found, &mut prints, vector);
                    if let Err((deviation, slot)) = judged {
                        let vector = self.queue.last().unwrap_or_default();
                        let step = slot.and_then(|slot| Some(self.guide.step(vector, state.rounds, slot)?.0));
                        return Err(VeracityError { slot, step, ..wrong(deviation) }.at(self.next).into());
                    }
                    self.next += 1;
                }
            }
            if let Err((slot, flaw)) = read {
                return Err(VeracityError { slot, ..wrong(malformed(flaw)) }.at(self.next).into());
            }
            self.read = block.newest();
            self.table.trim();
            self.ranks.trim();
        }
        Ok(worker.knows_all())
    }

    /// The content of a block that begins where the one before ended.
    fn open<'b>(&mut self, frame: &Frame, raw: &'b [u8]) -> Result<Block<'b>, Deviation> {
        let (expected, claimed) = ((self.next, self.read), (frame.first, frame.newest));
        if expected != claimed {
            return Err(Deviation::Order { expected, claimed });
        }
        let block = Block::new(frame, self.streams, raw).map_err(malformed)?;
        if let Some(standing) = block.initial() {
            self.ranks.number(standing)?;
        }
        Ok(block)
    }

    /// Holds all blocks against the model; gives whether no worker has learnt anything.
    fn blocks(
        &mut self,
        mut team: Team<'_, P::Print>,
        blocks: impl Iterator<Item = Result<(Frame, Vec<u8>), Error>>,
    ) -> Result<bool, Error> {
        for (number, block) in (1..).zip(blocks) {
            // What is wrong in earlier blocks comes first.
            match block {
                Ok((frame, raw)) => self.block(&mut team, number, &frame, &raw)?,
                Err(error) => {
                    self.compare(&mut team, 0)?;
                    return Err(error);
                }
            }
        }
        self.compare(&mut team, 0)?;
        Ok(team.dismiss())
    }

    /// Compares results until at most this many portions are under way.
    fn compare(&mut self, team: &mut Team<'_, P::Print>, most: u64) -> Result<(), Box<VeracityError>> {
        while team.n_under_way() > most {
            let Some(mut portion) = team.receive() else { break };
            self.portion(&mut portion)?;
            self.spare.push(portion);
        }
        Ok(())
    }

    fn block(
        &mut self,
        team: &mut Team<'_, P::Print>,
        number: u64,
        frame: &Frame,
        raw: &[u8],
    ) -> Result<(), Box<VeracityError>> {
        let mut block = match self.open(frame, raw) {
            Ok(block) => block,
            Err(deviation) => {
                self.compare(team, 0)?;
                return Err(Box::new(VeracityError::new(deviation).in_block(number)));
            }
        };
        loop {
            let mut portion = self.spare.pop().unwrap_or_default().begin(self.next, number);
            let is_end = self.cut(&mut block, &mut portion);
            if !portion.states.is_empty() || portion.flaw.is_some() {
                team.send(portion);
                let most = team.most();
                self.compare(team, most)?;
            } else if !is_end && team.n_under_way() > 0 {
                // The next state is a successor of one that is being expanded.
                let most = team.n_under_way() - 1;
                self.compare(team, most)?;
            } else if !is_end {
                let nothing = VeracityError::new(Deviation::NothingPromised);
                return Err(Box::new(nothing.at(self.next).in_block(number)));
            }
            if is_end {
                self.read = block.newest();
                self.table.trim();
                self.ranks.trim();
                return Ok(());
            }
        }
    }

    /// Reads states into a portion while their vectors are known; gives whether the block has ended.
    fn cut(&mut self, block: &mut Block<'_>, portion: &mut Portion<P::Print>) -> bool {
        while portion.states.len() < PORTION {
            let read = match block.is_at_end() {
                false if self.queue.len() == 0 => return false,
                _ => read_state(block, &mut portion.mentions),
            };
            match read {
                Ok(None) => return true,
                Ok(Some(state)) => {
                    portion.states.push(state);
                    if let Some(vector) = self.queue.pop() {
                        portion.vectors.push(vector);
                    }
                    self.next += 1;
                }
                Err((slot, flaw)) => {
                    let error = VeracityError { slot, ..VeracityError::new(malformed(flaw)) };
                    portion.flaw = Some(Box::new(error.at(self.next).in_block(portion.block)));
                    return true;
                }
            }
        }
        false
    }

    /// Compares what a worker found in a portion with what the script says.
    fn portion(&mut self, portion: &mut Portion<P::Print>) -> Result<(), Box<VeracityError>> {
        let Portion { first, block, states, mentions, vectors, found, prints, new, .. } = portion;
        self.table.fetch(mentions);
        let (mut at, mut n_new) = (0, 0);
        for (idx, found) in found.drain(..).enumerate() {
            let (number, state) = (*first + idx as u64, &states[idx]);
            if state.is_open {
                self.open.add(vectors.get(idx).unwrap_or_default());
            }
            let mentions = &mentions[at..at + state.n_steps];
            let prints = &mut prints[at..at + found.n_steps.min(state.n_steps)];
            let vector = |_, nth: usize| new.get(n_new + nth).expect("the vector of each new state is there");
            if let Err((deviation, slot)) = self.state(number, state, mentions, found, prints, vector) {
                let vector = vectors.get(idx).unwrap_or_default();
                let step = slot.and_then(|slot| Some(self.guide.step(vector, state.rounds, slot)?.0));
                let error = VeracityError { slot, step, ..deviation.into() };
                return Err(Box::new(error.at(number).in_block(*block)));
            }
            n_new += mentions.iter().filter(|mention| mention.target == Target::New).count();
            at += state.n_steps;
        }
        portion.flaw.take().map_or(Ok(()), Err)
    }

    /// Compares what was found in a state with what the script says of it. `vector` gives the vector of a
    /// step, by its position among all steps and among those to new states. An error comes with the position
    /// of its step.
    fn state<'v>(
        &mut self,
        number: u64,
        state: &Expansion,
        mentions: &[Mention],
        found: Found,
        prints: &mut [P::Print],
        vector: impl Fn(usize, usize) -> &'v [u8],
    ) -> Result<(), (Deviation, Option<usize>)> {
        let Found { expanded, cut, n_steps, is_accepting, violations, longest } = found;
        let is_whole = expanded.map_err(|deviation| (deviation, None))?;
        if let Some(fault) = cut {
            // Steps are missing, as if the state were not expanded.
            self.result.n_open += 1;
            if !self.is_partial {
                return Err((Deviation::Fault(*fault), None));
            }
        }
        self.result.longest = self.result.longest.max(longest);
        self.result.noted.note(number, &violations);
        if state.is_open && !self.is_partial {
            return Err((Deviation::OpenPromises { n: 1 }, None));
        }
        let mut source = self.ranks.leave(number, is_accepting, is_whole);
        let mut n_new = 0;
        for (slot, (mention, print)) in mentions.iter().zip(prints).enumerate() {
            if mention.target == Target::New {
                self.queue.push(vector(slot, n_new));
                n_new += 1;
            }
            let compared = self.step(mention, std::mem::take(print));
            let ranked = compared.and_then(|()| self.ranks.step(&mut source, mention));
            ranked.map_err(|deviation| (deviation, Some(slot)))?;
        }
        if n_steps != state.n_steps {
            return Err((Deviation::Count { claimed: state.n_steps, own: n_steps }, None));
        }
        Ranks::close(&source).map_err(|deviation| (deviation, None))?;
        self.result.n_part += u64::from(!is_whole);
        self.result.n_open += u64::from(state.is_open);
        self.result.n_steps += n_steps as u64;
        self.result.most_prints = self.result.most_prints.max(self.table.len() as u64);
        self.result.most_waiting = self.result.most_waiting.max(self.queue.n_bytes());
        Ok(())
    }

    /// Compares the state that a step leads to with what the script says of it.
    #[inline]
    fn step(&mut self, mention: &Mention, print: P::Print) -> Result<(), Deviation> {
        let number = mention.number;
        match mention.target {
            Target::New => {
                self.newest = number;
                self.all.iter_mut().for_each(|all| all.push((print.clone(), number)));
                self.keep((!mention.is_last).then_some(print))?;
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

    /// Keeps the print of the next number, if it is mentioned again.
    #[inline]
    fn keep(&mut self, print: Option<P::Print>) -> Result<(), Deviation> {
        if self.table.put(print) { Ok(()) } else { Err(too_many()) }
    }

    /// Nothing may be open, and nothing left to learn.
    fn end(mut self, claims: &Claims<'_>, knows_all: bool) -> Result<Certified, Box<VeracityError>> {
        self.result.n_open += self.queue.len();
        if self.result.n_open > 0 && !claims.is_partial {
            let open = Deviation::OpenPromises { n: self.result.n_open };
            return Err(Box::new(VeracityError::new(open).at(self.next)));
        }
        if !knows_all || !self.guide.knows_all() {
            return Err(Deviation::Lesson.into());
        }
        self.result.n_states = self.newest;
        let depth = self.queue.depth();
        while let Some(vector) = self.queue.pop() {
            self.open.add(vector);
        }
        let (own, claimed) = ((self.newest, self.result.n_steps), claims.totals);
        if own != claimed {
            return Err(Deviation::Totals { claimed, own }.into());
        }
        if let Some(mut all) = self.all {
            // Equal states have equal prints; so if all prints differ, all states do, whatever the key.
            all.sort_unstable();
            let again = all.windows(2).find(|pair| pair[0].0 == pair[1].0);
            if let Some(pair) = again.filter(|_| self.counts) {
                let twice = Deviation::Twice { number: pair[0].1 };
                return Err(Box::new(VeracityError::new(twice).at(pair[1].1)));
            }
            self.result.is_counted = self.counts;
            if claims.is_partial {
                all.dedup_by(|one, other| one.0 == other.0);
                let walks = frontier::walk(&mut self.guide, self.prints, self.open, &all, (depth, own.1));
                self.result.walks = Some(walks);
            }
        }
        Ok(self.result)
    }
}

#[cold]
fn too_many() -> Deviation {
    let message = "more than four billion fingerprints would have to be kept at once".into();
    Deviation::Fault(Fault { message, ..Fault::default() })
}

fn malformed(flaw: Flaw) -> Deviation {
    Deviation::Malformed(flaw.to_string())
}

/// Reads some states of a block, and the steps of all of them; gives whether more may follow. What precedes
/// an error is there.
///
/// What they are compared with is then fetched from memory all at once: that takes hardly longer than for one
/// step.
fn read_group(
    block: &mut Block<'_>,
    states: &mut Vec<Expansion>,
    mentions: &mut Vec<Mention>,
) -> Result<bool, (Option<usize>, Flaw)> {
    while states.len() < GROUP && mentions.len() < MENTIONS {
        match read_state(block, mentions)? {
            Some(state) => states.push(state),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Reads the next state of a block, and its steps behind those of the states before; `None` at the end.
pub(crate) fn read_state(
    block: &mut Block<'_>,
    mentions: &mut Vec<Mention>,
) -> Result<Option<Expansion>, (Option<usize>, Flaw)> {
    let Some(state) = block.next_state().map_err(|flaw| (None, flaw))? else { return Ok(None) };
    for slot in 0..state.n_steps {
        mentions.push(block.next_target(slot).map_err(|flaw| (Some(slot), flaw))?);
    }
    Ok(Some(state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::{Exact, Keyed, collision};
    use allways_model::certificate::script::BlockWriter;
    use allways_model::{
        Batch, Cursor, Digest, Halt, Lesson, Move, Point, Process, Rule, StepKey, Variable, Violation,
        ViolationKind,
    };

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
        let mut writer = BlockWriter::new(0);
        writer.push(0, &[Target::New, Target::Old(2)]).unwrap();
        writer.push(0, &[]).unwrap();
        writer.finish()
    }

    fn judge<P: Prints>(model: &Fork, prints: &P) -> Result<Certified, Error> {
        let claims = Claims { lessons: Lessons::none(), streams: 0, totals: (2, 2), is_partial: false };
        certify(model, &claims, Work { counts: false, workers: 1 }, [Ok(forged())].into_iter(), prints)
    }

    /// Why the key is drawn after the file was read.
    #[test]
    fn a_producer_who_knows_the_key_hides_a_state() {
        let known = Keyed::fixed(3);
        let (harmless, wrong) = collision(&known);
        let model = Fork([[9; 32], harmless, wrong]);
        let hidden = judge(&model, &known).unwrap();
        assert_eq!((hidden.n_states, hidden.noted.n), (2, 0), "accepted, and false");
        for error in [judge(&model, &Keyed::draw().unwrap()), judge(&model, &Keyed::fixed(4))] {
            assert!(
                matches!(error, Err(Error::Veracity(error)) if matches!(error.deviation, Deviation::FalseMention { number: 2 }))
            );
        }
        assert!(judge(&model, &Exact).is_err());
    }
}
