//! Symmetry: keeps one of the states that differ only by an exchange of interchangeable processes.
//!
//! `detect` finds which processes are interchangeable, and `permute` brings states into a normal form.
//! [`Symmetric`] is the model whose states are normal forms: its steps are those of the program, and their
//! targets are brought into normal form, whether the interpreter or native code computed them. Every exchange
//! of interchangeable processes is an automorphism of the program's graph, so the two have the same
//! violations (Clarke, Enders, Filkorn, Jha, "Exploiting symmetry in temporal logic model checking", 1996).
//!
//! A path of the symmetric model is not a run of the program, because processes are exchanged between its
//! steps. [`Symmetric::concrete`] finds the run that it represents.

mod detect;
mod permute;

use crate::program::Program;
use allways_model::{
    Batch, Cursor, Digest, Fault, Halt, Lesson, Lessons, Limiter, Model, Move, Partition, Path, Point,
    Process, StepKey, Variable, Violation,
};
use detect::Detected;
use permute::Normaliser;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A program whose interchangeable processes are not distinguished.
#[derive(Debug)]
pub struct Symmetric<'p> {
    program: &'p Program,
    detected: Detected,
    /// Whether any cursor has exchanged processes.
    has_moved: AtomicBool,
}

impl<'p> Symmetric<'p> {
    /// The symmetric model of a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { program, detected: detect::detect(program.lowered()), has_moved: AtomicBool::new(false) }
    }

    /// The process types whose processes are interchangeable.
    #[must_use]
    pub fn types(&self) -> Vec<Arc<str>> {
        let types = self.program.lowered().proctypes.iter().zip(&self.detected.symmetric);
        types.filter(|(_, symmetric)| **symmetric).map(|(proctype, _)| proctype.name.clone()).collect()
    }

    /// The other process types, each with the reason why it is not symmetric.
    #[must_use]
    pub fn reasons(&self) -> Vec<(Arc<str>, String)> {
        let types = &self.program.lowered().proctypes;
        let reasons = self.detected.reasons.iter();
        reasons.map(|(&ty, reason)| (types[usize::from(ty)].name.clone(), reason.clone())).collect()
    }

    /// Whether a search has met a state that is not its own normal form, so that symmetry had an effect.
    #[must_use]
    pub fn has_moved(&self) -> bool {
        self.has_moved.load(Relaxed)
    }

    /// The sizes of the groups of interchangeable processes in a state.
    #[must_use]
    pub fn groups(&self, state: &[u8]) -> Vec<usize> {
        let (layouts, memory) = self.program.memory(state);
        self.detected.groups(layouts.get(memory.layout)).iter().map(Vec::len).collect()
    }

    /// The number of states of the program that a state represents: exact, if all of them can be reached;
    /// `None` if it is not known.
    #[must_use]
    pub fn stands_for(&self, state: &[u8]) -> Option<u64> {
        Normaliser::new(self.program.lowered(), &self.detected).orbit(state)
    }

    /// The run of the program that a path of this model represents, and the violation that it ends in if
    /// `found` does.
    ///
    /// # Errors
    /// If no such run is found. One exists, because every exchange of interchangeable processes preserves all
    /// steps. But the search for it goes step by step among normal forms, of which a state may have several.
    pub fn concrete(
        &self,
        path: &Path,
        found: Option<&Violation>,
    ) -> Result<(Path, Option<Violation>), String> {
        let mut normaliser = Normaliser::new(self.program.lowered(), &self.detected);
        let mut cursors = (self.cursor(Lessons::none()), self.program.cursor(Lessons::none()));
        let (mut ours, mut theirs) = (Batch::new(), Batch::new());
        let fault = |halt: Halt| halt.into_fault().map_or(String::new(), |fault| fault.message);
        cursors.0.initial(&mut ours).map_err(fault)?;
        cursors.1.initial(&mut theirs).map_err(fault)?;
        let (mut state, mut concrete) = (ours.vector(0).to_vec(), theirs.vector(0).to_vec());
        let mut steps = Vec::with_capacity(path.steps.len());
        for (idx, &key) in path.steps.iter().enumerate() {
            // What follows a fault does not matter: the step, if it exists, is in front of it.
            expand(&mut *cursors.0, &state, &mut ours);
            expand(&mut *cursors.1, &concrete, &mut theirs);
            let none = || format!("step {} of the symmetric path has no counterpart", idx + 1);
            let last = idx + 1 == path.steps.len();
            if let Some(violation) = found.filter(|violation| last && violation.key == Some(key)) {
                let same =
                    theirs.violations().iter().find(|other| other.key.is_some() && alike(violation, other));
                let same = same.ok_or_else(none)?.clone();
                steps.extend(same.key);
                return Ok((Path { model: self.program.digest(), steps }, Some(same)));
            }
            let entry = ours.entries().iter().position(|entry| entry.key == key).ok_or_else(none)?;
            state = ours.vector(entry).to_vec();
            let same = (0..theirs.len()).find(|&idx| {
                let mut vector = theirs.vector(idx).to_vec();
                normaliser.normalise(&mut vector);
                vector == state
            });
            let same = same.ok_or_else(none)?;
            steps.push(theirs.entries()[same].key);
            concrete = theirs.vector(same).to_vec();
        }
        expand(&mut *cursors.1, &concrete, &mut theirs);
        let at_end = theirs.violations().iter().filter(|violation| violation.key.is_none());
        let violation = found.and_then(|found| at_end.clone().find(|other| alike(found, other)).cloned());
        if found.is_some() && violation.is_none() {
            return Err("the end of the symmetric path has no counterpart".into());
        }
        Ok((Path { model: self.program.digest(), steps }, violation))
    }
}

/// Whether two violations are equal up to the numbers of processes. The location of a deadlock is that of the
/// first waiting process, which may be another one.
fn alike(a: &Violation, b: &Violation) -> bool {
    use allways_model::ViolationKind::Deadlock;
    a.kind() == b.kind() && (a.kind() == Deadlock || a.location == b.location)
}

fn expand(cursor: &mut dyn Cursor, state: &[u8], batch: &mut Batch) {
    batch.clear();
    cursor.load(state);
    let _ = cursor.expand(batch);
}

impl Model for Symmetric<'_> {
    fn digest(&self) -> Digest {
        Digest::of(&("symmetric", self.program.digest()))
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(SymmetricCursor {
            cursor: self.program.cursor(lessons),
            normaliser: Normaliser::new(self.program.lowered(), &self.detected),
            has_moved: &self.has_moved,
            n_moved: 0,
            n_states: Some(0),
        })
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        self.program.processes(state)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        self.program.variables(state)
    }

    fn partition(&self) -> Partition<'_> {
        self.program.partition()
    }

    fn points(&self) -> &[Point] {
        self.program.points()
    }

    fn noticed(&self) -> Vec<String> {
        self.program.noticed()
    }
}

struct SymmetricCursor<'p> {
    cursor: Box<dyn Cursor + 'p>,
    normaliser: Normaliser<'p>,
    has_moved: &'p AtomicBool,
    n_moved: u64,
    /// The number of states of the program that the loaded states represent, if it is known.
    n_states: Option<u64>,
}

impl SymmetricCursor<'_> {
    /// Brings the entries of a batch from index `first` on into normal form.
    fn normalise(&mut self, out: &mut Batch, first: usize) {
        let n_before = self.n_moved;
        for idx in first..out.len() {
            self.n_moved += u64::from(self.normaliser.normalise(out.vector_mut(idx)));
        }
        if n_before == 0 && self.n_moved > 0 {
            self.has_moved.store(true, Relaxed);
        }
    }
}

impl Cursor for SymmetricCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let first = out.len();
        let result = self.cursor.initial(out);
        self.normalise(out, first);
        result
    }

    fn limit(&mut self, limiter: &Limiter) {
        self.cursor.limit(limiter);
    }

    fn load(&mut self, state: &[u8]) {
        if let Some(n_states) = self.n_states {
            self.n_states = self.normaliser.orbit(state).and_then(|more| n_states.checked_add(more));
        }
        self.cursor.load(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        let first = out.len();
        let result = self.cursor.expand(out);
        self.normalise(out, first);
        result
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        let first = out.len();
        let result = self.cursor.expand_some(out);
        self.normalise(out, first);
        result
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        self.cursor.explain(key)
    }

    fn lesson(&self) -> Lesson {
        self.cursor.lesson()
    }

    fn rests(&self) -> bool {
        self.cursor.rests()
    }

    fn take_cut(&mut self) -> Option<Fault> {
        self.cursor.take_cut()
    }

    fn reached(&self) -> Vec<u64> {
        self.cursor.reached()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut counters = self.cursor.counters();
        counters.push(("successors whose processes changed places", self.n_moved));
        counters.extend(self.n_states.map(|n| ("states without symmetry, at most", n)));
        counters
    }
}
