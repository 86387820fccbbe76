//! Weak fairness: a process that could always move does move, again and again.
//!
//! A model of the same runs in which only fair ones are in accepting states again and again. Behind each
//! state stands who is waited for: nobody, until an accepting state is met; then the processes one after the
//! other, in the order of their numbers, each until it takes a step or cannot; then nobody again. A state is
//! accepting if nobody is waited for in it and it was accepting before. So between two accepting states of a
//! cycle every process has moved, or could not move in some state: the cycle is fair. And a fair run that is
//! in accepting states again and again has every process move or be unable to again and again, so the waiting
//! always ends. (Choueka's construction, as SPIN and SpinJa use it.)
//!
//! Processes that cannot move are not waited for at all, so the order is that of those that can.
//!
//! In a state of which a limit of the model's own has cut off steps, it is not known who can move; somebody is waited for who never
//! does, so no cycle through it counts.
//!
//! Who can move must be known, so a state that is expanded in part is looked at as a whole first. What is
//! left out then must not change who can move in the runs that remain: that is the model's business.

use crate::{push, split};
use allways_model::{
    Acceptance, Batch, Cursor, Digest, Fault, Halt, Lesson, Lessons, Limiter, Model, Move, Partition, Point,
    Process, Snapshot, StepKey, Variable, Violation,
};

/// Nobody is waited for.
const NOBODY: u32 = 0;
/// No process: waited for in states of which a limit has cut off steps.
const CUT_OFF: u32 = u32::MAX - 1;

/// A model whose accepting cycles are the weakly fair ones of another.
pub struct Fair<'m> {
    inner: &'m dyn Model,
    digest: Digest,
}

impl<'m> Fair<'m> {
    /// The fair runs of `inner`.
    #[must_use]
    pub fn new(inner: &'m dyn Model) -> Self {
        Self { inner, digest: Digest::of(&("fair", inner.digest())) }
    }
}

impl Model for Fair<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(FairCursor {
            inner: self.inner.cursor(lessons),
            state: Vec::new(),
            waits_for: NOBODY,
            batch: Batch::new(),
            all: Batch::new(),
            begun: None,
            able: Vec::new(),
            cut: None,
        })
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        self.inner.processes(split(state).0)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        self.inner.variables(split(state).0)
    }

    fn partition(&self) -> Partition<'_> {
        let mut inner = self.inner.partition();
        Box::new(move |vector, ends| {
            inner(split(vector).0, ends);
            ends.push(vector.len());
        })
    }

    fn points(&self) -> &[Point] {
        self.inner.points()
    }

    fn noticed(&self) -> Vec<String> {
        self.inner.noticed()
    }

    fn acceptance(&self) -> Acceptance {
        match self.inner.acceptance() {
            Acceptance::Nowhere => Acceptance::Nowhere,
            Acceptance::Weak | Acceptance::Anywhere => Acceptance::Anywhere,
        }
    }
}

struct FairCursor<'m> {
    inner: Box<dyn Cursor + 'm>,
    /// The state of the model inside.
    state: Vec<u8>,
    /// One more than the process that is waited for.
    waits_for: u32,
    batch: Batch,
    /// Everything that can happen, when only a part is passed on.
    all: Batch,
    /// How many successors and violations were passed on, if the state is expanded in parts.
    begun: Option<(usize, usize)>,
    /// The processes that can move, in order.
    able: Vec<u32>,
    /// What a limit of the model's own has cut off.
    cut: Option<Fault>,
}

impl FairCursor<'_> {
    /// The first process that may have to be waited for after a step from the loaded state; none if nobody.
    fn first_wait(&mut self) -> Option<u32> {
        match self.waits_for {
            NOBODY => self.inner.accepting().then_some(0),
            process => Some(process - 1),
        }
    }

    /// Notes who takes the steps of a batch.
    fn note_able(&mut self, is_all: bool) {
        let batch = if is_all { &self.all } else { &self.batch };
        let Self { able, inner, .. } = self;
        able.clear();
        able.extend(batch.entries().iter().filter_map(|entry| inner.actor(entry.key)));
        able.sort_unstable();
        able.dedup();
        if let Some(cut) = inner.take_cut() {
            // Whoever could make a step that is cut off waits as long as this state comes back.
            able.push(CUT_OFF);
            self.cut.get_or_insert(cut);
        }
    }

    /// Passes on what the batch has from these places on.
    fn pass_on(&self, first: Option<u32>, (n_entries, n_violations): (usize, usize), out: &mut Batch) {
        for violation in &self.batch.violations()[n_violations..] {
            out.report(violation.clone());
        }
        for (idx, entry) in self.batch.entries().iter().enumerate().skip(n_entries) {
            let next = |first| next_wait(first, &self.able, self.inner.actor(entry.key));
            push(out, entry.key, self.batch.vector(idx), first.map_or(NOBODY, next));
        }
    }
}

/// Who is waited for after a step of `actor`, given that `able` can move and whoever from `first` on is
/// waited for.
fn next_wait(first: u32, able: &[u32], actor: Option<u32>) -> u32 {
    let next = able.iter().find(|&&process| process >= first && Some(process) != actor);
    next.map_or(NOBODY, |process| process + 1)
}

impl Cursor for FairCursor<'_> {
    fn limit(&mut self, limiter: &Limiter) {
        self.inner.limit(limiter);
    }

    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.batch.clear();
        self.inner.initial(&mut self.batch)?;
        push(out, self.batch.entries()[0].key, self.batch.vector(0), NOBODY);
        self.batch.violations().iter().for_each(|violation| out.report(violation.clone()));
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        let (inner, waits_for) = split(state);
        self.inner.load(inner);
        self.state.clear();
        self.state.extend_from_slice(inner);
        self.waits_for = waits_for;
        self.begun = None;
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.batch.clear();
        let expanded = self.inner.expand(&mut self.batch);
        let first = self.first_wait();
        self.note_able(false);
        self.pass_on(first, (0, 0), out);
        expanded
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        let first = self.first_wait();
        let before = match self.begun {
            Some(before) => before,
            None => {
                self.batch.clear();
                if first.is_some() {
                    self.all.clear();
                    let expanded = self.inner.expand(&mut self.all);
                    self.note_able(true);
                    self.inner.load(&self.state);
                    expanded?;
                }
                (0, 0)
            }
        };
        let expanded = self.inner.expand_some(&mut self.batch);
        self.pass_on(first, before, out);
        self.begun = Some((self.batch.len(), self.batch.violations().len()));
        expanded
    }

    fn explain(&mut self, step: StepKey) -> Option<Vec<Move>> {
        self.inner.explain(step)
    }

    fn failing_state(&mut self, step: StepKey) -> Option<Snapshot> {
        self.inner.failing_state(step)
    }

    fn accepting(&mut self) -> bool {
        self.waits_for == NOBODY && self.inner.accepting()
    }

    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        self.inner.holds(proposition)
    }

    fn actor(&self, step: StepKey) -> Option<u32> {
        self.inner.actor(step)
    }

    fn lesson(&self) -> Lesson {
        self.inner.lesson()
    }

    fn take_cut(&mut self) -> Option<Fault> {
        self.cut.take().or_else(|| self.inner.take_cut())
    }

    fn reached(&self) -> Vec<u64> {
        self.inner.reached()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.inner.counters()
    }
}
