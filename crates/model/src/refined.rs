//! A model together with the lessons that searches have learnt about it.

use crate::{
    Acceptance, Blocked, Cursor, Digest, Fact, Heap, Lessons, Model, Partition, Point, Process, StepKey,
    Variable, Violation,
};

/// A model whose cursors always know some [`Lessons`], in addition to those that they are given.
///
/// A path is a list of steps, and lessons determine what a step is. So a path is replayed, explained and
/// drawn with the lessons that were known when it was found.
#[derive(Clone)]
pub struct Refined<'m> {
    model: &'m dyn Model,
    lessons: Lessons,
}

impl<'m> Refined<'m> {
    /// `model` with `lessons`.
    #[must_use]
    pub fn new(model: &'m dyn Model, lessons: &Lessons) -> Self {
        Self { model, lessons: lessons.clone() }
    }

    /// The lessons of a cursor that is given `more`.
    fn with(&self, more: &Lessons) -> Lessons {
        let mut lessons = self.lessons.clone();
        lessons.merge_all(more);
        lessons
    }
}

impl Model for Refined<'_> {
    fn digest(&self) -> Digest {
        self.model.digest()
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        self.model.cursor(&self.with(lessons))
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        self.model.processes(state)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        self.model.variables(state)
    }

    fn blocked(&self, state: &[u8], lessons: &Lessons) -> Vec<Blocked> {
        self.model.blocked(state, &self.with(lessons))
    }

    fn background(&self, steps: &[StepKey], violation: &Violation) -> Vec<Fact> {
        self.model.background(steps, violation)
    }

    fn heap(&self, state: &[u8], steps: &[StepKey]) -> Option<Heap> {
        self.model.heap(state, steps)
    }

    fn partition(&self) -> Partition<'_> {
        self.model.partition()
    }

    fn points(&self) -> &[Point] {
        self.model.points()
    }

    fn has_sleepers(&self) -> bool {
        self.model.has_sleepers()
    }

    fn noticed(&self) -> Vec<String> {
        self.model.noticed()
    }

    fn acceptance(&self) -> Acceptance {
        self.model.acceptance()
    }
}
