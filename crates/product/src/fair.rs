//! Weak fairness: a process that is enabled continuously moves infinitely often.
//!
//! [`Fair`] has the same runs as its inner model, but only fair runs visit its accepting states infinitely
//! often. Each state has a suffix that names the process being waited for. At first none is, until an
//! accepting state is reached. Then the processes are waited for one after the other, in the order of their
//! numbers, each until it takes a step or is disabled; then again none. A state is accepting if no process is
//! waited for in it and it is accepting in the inner model. So between two accepting states of a cycle, every
//! process has moved or was disabled in some state: the cycle is fair. Conversely, in a fair run that visits
//! accepting states infinitely often, every process moves infinitely often or is disabled infinitely often,
//! so every wait ends. (This is Choueka's construction, as SPIN and SpinJa use it.)
//!
//! Disabled processes are not waited for at all, so the order is that of the enabled ones.
//!
//! If a limit of the model has cut off steps of a state, it is not known which processes are enabled there.
//! Then the wait is for a process that never moves, so no cycle through the state counts.
//!
//! The enabled processes must be known, so a state that is to be expanded in part is first expanded in full.
//! Omitting the other steps must not change which processes are enabled in the remaining runs; ensuring that
//! is up to the inner model.

use crate::{push, split};
use allways_model::{
    Acceptance, Batch, Cursor, Digest, Fault, Halt, Lesson, Lessons, Limiter, Model, Move, Partition, Point,
    Process, Snapshot, StepKey, Variable, Violation,
};

/// The suffix of a state in which no process is waited for.
const NOBODY: u32 = 0;
/// Not a process: waited for in states of which a limit has cut off steps.
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
    /// One more than the process that is waited for, or [`NOBODY`].
    waits_for: u32,
    batch: Batch,
    /// All steps of the state, when only a part is passed on.
    all: Batch,
    /// The numbers of successors and violations passed on, if the state is expanded in parts.
    begun: Option<(usize, usize)>,
    /// The enabled processes, in order.
    able: Vec<u32>,
    /// The fault of a limit of the model that has cut off steps.
    cut: Option<Fault>,
}

impl FairCursor<'_> {
    /// The first process that may have to be waited for after a step from the loaded state; `None` if no
    /// process.
    fn first_wait(&mut self) -> Option<u32> {
        match self.waits_for {
            NOBODY => self.inner.accepting().then_some(0),
            process => Some(process - 1),
        }
    }

    /// Records which processes take the steps of a batch.
    fn note_able(&mut self, is_all: bool) {
        let batch = if is_all { &self.all } else { &self.batch };
        let Self { able, inner, .. } = self;
        able.clear();
        able.extend(batch.entries().iter().filter_map(|entry| inner.actor(entry.key)));
        able.sort_unstable();
        able.dedup();
        if let Some(cut) = inner.take_cut() {
            // The process whose step is cut off may be enabled: the wait does not end while this state
            // recurs.
            able.push(CUT_OFF);
            self.cut.get_or_insert(cut);
        }
    }

    /// Passes on the entries and violations of the batch from these indices on.
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

/// The process to wait for after a step of `actor`, if the processes in `able` are enabled and those from
/// `first` on are waited for.
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
