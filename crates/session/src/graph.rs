//! The states and steps of a small model, for pictures.
//!
//! Breadth first, so that what a limit leaves out is what is furthest away. The search does not stop at
//! violations, and begins again until it has nothing more to learn.

use crate::{Diagnostics, Error, Session};
use allways_model::{Cursor, Lesson, Lessons, Model, StepKey, Violation};
use allways_report::{GraphState, StateGraph, Unsupported};
use allways_search::{At, Config, End, Expanded, Observer, StateRef, Steps, Strategy, learn, search};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

impl Session {
    /// The graph of the model, of which the first `most` states are expanded.
    ///
    /// ```
    /// # use allways_session::{Request, Session};
    /// let file = std::env::temp_dir().join("graph-doc.pml");
    /// std::fs::write(&file, "byte x; active proctype p() { x = 1; x = 2 }").unwrap();
    /// let graph = Session::open(Request::new(&file)).unwrap().graph(100).unwrap();
    /// assert!(graph.is_complete());
    /// assert!(graph.to_dot("p").contains("p(0) x = 1"));
    /// ```
    ///
    /// # Errors
    /// If the model uses something that is not supported.
    pub fn graph(&self, most: usize) -> Result<StateGraph, Error> {
        self.with_model(|model| draw(model, most))
    }
}

/// A state that was expanded.
#[derive(Default)]
struct Vertex {
    steps: Vec<(StepKey, usize)>,
    violations: Vec<Violation>,
}

/// What was seen. States are numbered in the order in which they are reached.
#[derive(Default)]
struct Drawing {
    states: Vec<Vec<u8>>,
    numbers: HashMap<StateRef, usize>,
    /// Those that were expanded, in the same order.
    vertices: Vec<Vertex>,
    /// What is wrong in the state that is being expanded.
    violations: Vec<Violation>,
}

/// Notes what a breadth-first search by one worker sees.
struct GraphObserver {
    /// This many states are expanded.
    most: usize,
    drawing: Mutex<Drawing>,
}

impl GraphObserver {
    fn lock(&self) -> MutexGuard<'_, Drawing> {
        self.drawing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drawing {
    /// The number of a state, which may be new.
    fn number(&mut self, at: StateRef, vector: &[u8]) -> usize {
        let Self { states, numbers, .. } = self;
        *numbers.entry(at).or_insert_with(|| {
            states.push(vector.to_vec());
            states.len() - 1
        })
    }
}

impl Observer for GraphObserver {
    fn state(&self, at: StateRef, vector: &[u8]) -> ControlFlow<()> {
        let mut drawing = self.lock();
        drawing.number(at, vector);
        drawing.violations.clear();
        if drawing.vertices.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn steps(&self, _: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
        let mut drawing = self.lock();
        let violations = std::mem::take(&mut drawing.violations);
        let steps = steps.iter().map(|step| (step.key, drawing.number(step.to, step.vector))).collect();
        drawing.vertices.push(Vertex { steps, violations });
        ControlFlow::Continue(())
    }

    fn violation(&self, _: At<'_>, violation: &Violation) {
        self.lock().violations.push(violation.clone());
    }

    fn round(&self, _: &Lesson) {
        *self.lock() = Drawing::default();
    }
}

fn draw(model: &dyn Model, most: usize) -> Result<StateGraph, Error> {
    let observer = GraphObserver { most, drawing: Mutex::default() };
    let mut lessons = Lessons::new();
    // The steps are known when there is nothing more to learn about them, whatever ended the search.
    let end = learn(&mut lessons, |lessons| {
        let config = Config { all_errors: true, lessons, ..Config::new(1) };
        let outcome = search(model, Strategy::Bfs, &observer, &config);
        if outcome.lesson.is_empty() {
            return ControlFlow::Break(outcome.end);
        }
        observer.round(&outcome.lesson);
        ControlFlow::Continue(outcome.lesson)
    });
    if let End::Faulted(fault, _) = end {
        let what = Unsupported { message: fault.message, location: fault.location };
        return Err(Error::Unsupported(vec![what], Diagnostics::default()));
    }
    let Drawing { states, vertices, .. } =
        observer.drawing.into_inner().unwrap_or_else(PoisonError::into_inner);
    let n_open = states.len() - vertices.len();
    let cursor = &mut *model.cursor(&lessons);
    let drawn =
        vertices.into_iter().zip(&states).map(|(vertex, state)| explained(model, cursor, vertex, state));
    Ok(StateGraph { states: drawn.collect(), n_open })
}

/// A state with its variables, and what happens in its steps.
fn explained(model: &dyn Model, cursor: &mut dyn Cursor, vertex: Vertex, state: &[u8]) -> GraphState {
    cursor.load(state);
    let mut moves = |key| cursor.explain(key).unwrap_or_default();
    GraphState {
        variables: model.variables(state),
        steps: vertex.steps.into_iter().map(|(key, to)| (moves(key), to)).collect(),
        wrong: vertex.violations.into_iter().map(|wrong| (wrong.key.map(&mut moves), wrong)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_testkit::toy::Toy;

    #[test]
    fn a_small_graph() {
        let graph = draw(&Toy::racing(), 100).unwrap();
        let dot = graph.to_dot("toy");
        let edge = |line: &&str| line.split(" [").next().is_some_and(|ends| ends.contains(" -> "));
        assert_eq!(dot.lines().filter(edge).count(), 1 + 6 + 1, "{dot}");
        assert_eq!(dot.matches("x: 0 -> 1").count(), 2, "{dot}");
        assert!(graph.is_complete() && dot.contains("label=\"assertion violated: x < 3\""), "{dot}");
        let graph = draw(&Toy::sticking(), 2).unwrap();
        assert_eq!((graph.states.len(), graph.n_open), (2, 1));
    }
}
