//! The synchronous product of a program and a claim.
//!
//! A state is one of the program's, followed by the claim's. In each state the claim moves first, reading the
//! program's state, and then the program takes a step; so the claim has read every state of a run except the
//! last. Where the program has no step, it rests without end, and the claim continues to read: every run is
//! infinite (unless the claim only considers infinite runs of the program). Whether a program may end where
//! it ends is not checked here: a deadlock is not a violation of a claim.
//!
//! A claim without a move rejects the run, and the steps of the program from there are not explored.
//!
//! The key of a step combines the claim's move and the program's step.

use crate::{push, split};
use allways_model::{
    Acceptance, Batch, Claim, Condition, Cursor, Digest, Fact, Fault, Halt, Heap, Lesson, Lessons, Limiter,
    Model, Move, Partition, Point, Process, Snapshot, StepKey, Then, Variable, Violation, ViolationKind,
};
use std::sync::Arc;

/// The number of bits of a key for the program's step.
const STEP_BITS: u32 = 48;
/// The claim's move alone, before the program's step: the claim reports a violation.
const CLAIM_ALONE: u64 = 0;
/// The program rests.
const REST: u64 = (1 << STEP_BITS) - 1;

/// A program and a claim, as one model.
pub struct Product<'m> {
    program: &'m dyn Model,
    claim: Arc<Claim>,
    acceptance: Acceptance,
    digest: Digest,
    /// Whether the program has accepting states itself, which count like the claim's.
    asks_program: bool,
}

impl<'m> Product<'m> {
    /// The product of `program` and `claim`, whose propositions are the program's.
    #[must_use]
    pub fn new(program: &'m dyn Model, claim: Arc<Claim>) -> Self {
        let asks_program = program.acceptance() != Acceptance::Nowhere;
        let acceptance = match (claim.accepts(), asks_program) {
            (false, false) => Acceptance::Nowhere,
            (true, false) if claim.is_weak() => Acceptance::Weak,
            _ => Acceptance::Anywhere,
        };
        let digest = Digest::of(&("product", program.digest(), &*claim));
        Self { program, claim, acceptance, digest, asks_program }
    }

    /// The claim.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        &self.claim
    }
}

impl Model for Product<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(ProductCursor {
            product: self,
            program: self.program.cursor(lessons),
            state: Vec::new(),
            at: 0,
            batch: Batch::new(),
            moves: Vec::new(),
            expansion: Expansion::default(),
        })
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        self.program.processes(split(state).0)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        self.program.variables(split(state).0)
    }

    fn partition(&self) -> Partition<'_> {
        let mut program = self.program.partition();
        Box::new(move |vector, ends| {
            program(split(vector).0, ends);
            ends.push(vector.len());
        })
    }

    fn points(&self) -> &[Point] {
        self.program.points()
    }

    fn background(&self, steps: &[StepKey], violation: &Violation) -> Vec<Fact> {
        self.program.background(&program_steps(steps), violation)
    }

    fn heap(&self, state: &[u8], steps: &[StepKey]) -> Option<Heap> {
        self.program.heap(split(state).0, &program_steps(steps))
    }

    fn noticed(&self) -> Vec<String> {
        self.program.noticed()
    }

    fn acceptance(&self) -> Acceptance {
        self.acceptance
    }
}

/// How far the loaded state is expanded.
#[derive(Clone, Copy, Debug, Default)]
struct Expansion {
    begun: bool,
    /// The numbers of the program's successors and violations that were passed on.
    n_entries: usize,
    n_violations: usize,
}

struct ProductCursor<'m> {
    product: &'m Product<'m>,
    program: Box<dyn Cursor + 'm>,
    /// The program's state.
    state: Vec<u8>,
    /// The claim's state.
    at: u32,
    /// The program's steps in the loaded state.
    batch: Batch,
    /// The claim's moves in the loaded state: index and target.
    moves: Vec<(u64, u32)>,
    expansion: Expansion,
}

/// The key of the claim's move `idx` and the program's step together.
fn key(idx: u64, step: u64) -> StepKey {
    StepKey(idx << STEP_BITS | step)
}

/// The program's steps among those of a product.
fn program_steps(steps: &[StepKey]) -> Vec<StepKey> {
    let own = steps.iter().map(|step| step.0 & REST).filter(|step| !matches!(*step, CLAIM_ALONE | REST));
    own.map(|step| StepKey(step - 1)).collect()
}

/// Like [`key`], for a step that the program gave.
fn joint(idx: u64, step: StepKey) -> StepKey {
    assert!(step.0 < REST - 1, "the program's keys leave room for the claim's");
    key(idx, step.0 + 1)
}

impl ProductCursor<'_> {
    /// Finds the claim's moves; reports those that say that the run is wrong.
    fn move_claim(&mut self, out: &mut Batch) {
        let Self { product, program, moves, .. } = self;
        moves.clear();
        let state = &product.claim.states[self.at as usize];
        for (idx, one) in state.moves.iter().enumerate() {
            let holds = match &one.condition {
                Condition::True => Ok(true),
                condition => condition.eval(&mut |proposition| program.holds(proposition)),
            };
            let idx = idx as u64;
            match (holds, &one.then) {
                (Err(violation), _) => {
                    out.report(Violation { key: None, ..violation });
                    moves.clear();
                    return;
                }
                (Ok(false), _) => {}
                (Ok(true), Then::Goto(target)) => moves.push((idx, *target)),
                (Ok(true), Then::Violate(rule, facts)) => out.report(Violation {
                    rule,
                    facts: facts.clone(),
                    key: Some(key(idx, CLAIM_ALONE)),
                    location: one.location.clone(),
                    background: Vec::new(),
                }),
            }
        }
    }

    /// Passes on what was added to the program's batch, once for each move of the claim.
    fn pass_on(&mut self, out: &mut Batch) {
        let Expansion { n_entries, n_violations, .. } = self.expansion;
        for &(idx, target) in &self.moves {
            for (entry_idx, entry) in self.batch.entries().iter().enumerate().skip(n_entries) {
                push(out, joint(idx, entry.key), self.batch.vector(entry_idx), target);
            }
        }
        for violation in &self.batch.violations()[n_violations..] {
            if violation.kind() != ViolationKind::Deadlock {
                let (idx, _) = self.moves[0];
                let key = violation.key.map(|step| joint(idx, step));
                out.report(Violation { key, ..violation.clone() });
            }
        }
        self.expansion.n_entries = self.batch.len();
        self.expansion.n_violations = self.batch.violations().len();
    }

    /// Which propositions hold in the loaded state, in words.
    fn truths(&mut self) -> String {
        let names = &self.product.claim.propositions;
        let truths: Vec<String> = (0..)
            .zip(names)
            .map(|(idx, name)| match self.program.holds(idx) {
                Ok(true) => name.to_string(),
                Ok(false) => format!("not {name}"),
                Err(_) => format!("{name}?"),
            })
            .collect();
        if truths.is_empty() { String::new() } else { format!("  [{}]", truths.join(", ")) }
    }

    /// Adds the steps in which the program, which has no steps, rests while the claim continues.
    fn rest(&self, out: &mut Batch) {
        if !self.product.claim.rests || !self.program.rests() {
            return;
        }
        let is_stuck = |violation: &Violation| violation.kind() == ViolationKind::Deadlock;
        if self.batch.is_empty() && self.batch.violations().iter().all(is_stuck) {
            for &(idx, target) in &self.moves {
                push(out, key(idx, REST), &self.state, target);
            }
        }
    }
}

impl Cursor for ProductCursor<'_> {
    fn limit(&mut self, limiter: &Limiter) {
        self.program.limit(limiter);
    }

    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.batch.clear();
        self.program.initial(&mut self.batch)?;
        push(out, self.batch.entries()[0].key, self.batch.vector(0), self.product.claim.initial);
        for violation in self.batch.violations() {
            out.report(violation.clone());
        }
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        let (program, at) = split(state);
        self.program.load(program);
        self.state.clear();
        self.state.extend_from_slice(program);
        self.at = at;
        self.expansion = Expansion::default();
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.move_claim(out);
        if self.moves.is_empty() {
            return Ok(());
        }
        self.batch.clear();
        self.expansion = Expansion { begun: true, ..Expansion::default() };
        let expanded = self.program.expand(&mut self.batch);
        self.pass_on(out);
        if expanded.is_ok() {
            self.rest(out);
        }
        expanded
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        if !self.expansion.begun {
            self.move_claim(out);
            if self.moves.is_empty() {
                return Ok(true);
            }
            self.batch.clear();
            self.expansion = Expansion { begun: true, ..Expansion::default() };
        }
        let expanded = self.program.expand_some(&mut self.batch);
        self.pass_on(out);
        if let Ok(true) = expanded {
            self.rest(out);
        }
        expanded
    }

    fn explain(&mut self, step: StepKey) -> Option<Vec<Move>> {
        let (idx, step) = (step.0 >> STEP_BITS, step.0 & REST);
        let claim = &self.product.claim;
        let from = &claim.states[self.at as usize];
        let one = from.moves.get(idx as usize)?;
        let text = match &one.then {
            Then::Goto(target) if *target == self.at => format!("{} (in {})", one.text, from.name),
            Then::Goto(target) => {
                format!("{} ({} to {})", one.text, from.name, claim.states[*target as usize].name)
            }
            Then::Violate(..) => one.text.to_string(),
        };
        let text = format!("{text}{}", self.truths());
        let mut moves = vec![Move { location: one.location.clone(), text, ..bystander(&claim.name) }];
        match step {
            CLAIM_ALONE => {}
            REST => moves.push(Move { text: "(rests for ever)".into(), ..bystander("program") }),
            step => moves.extend(self.program.explain(StepKey(step - 1))?),
        }
        Some(moves)
    }

    fn failing_state(&mut self, step: StepKey) -> Option<Snapshot> {
        match step.0 & REST {
            CLAIM_ALONE => Some(Snapshot {
                processes: self.product.program.processes(&self.state),
                variables: self.product.program.variables(&self.state),
            }),
            REST => None,
            step => self.program.failing_state(StepKey(step - 1)),
        }
    }

    fn accepting(&mut self) -> bool {
        self.product.claim.states[self.at as usize].accepting
            || (self.product.asks_program && self.program.accepting())
    }

    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        self.program.holds(proposition)
    }

    fn actor(&self, step: StepKey) -> Option<u32> {
        match step.0 & REST {
            CLAIM_ALONE | REST => None,
            step => self.program.actor(StepKey(step - 1)),
        }
    }

    fn lesson(&self) -> Lesson {
        self.program.lesson()
    }

    fn take_cut(&mut self) -> Option<Fault> {
        self.program.take_cut()
    }

    fn reached(&self) -> Vec<u64> {
        self.program.reached()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.program.counters()
    }
}

/// A move that belongs to no process.
fn bystander(name: &str) -> Move {
    Move {
        process: None,
        process_name: name.into(),
        location: None,
        text: String::new(),
        output: String::new(),
        message: None,
        reads: Vec::new(),
        changes: Vec::new(),
        started: None,
    }
}
