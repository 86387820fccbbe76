//! `allways graph`: the states and steps of a small model as a Graphviz picture.
//!
//! Breadth first, so that what a limit leaves out is what is furthest away; states that were reached but not
//! expanded are drawn dashed, and a note says so: a picture must not look complete when it is not.

use crate::cli::GraphArgs;
use crate::failure::Failure;
use crate::files;
use crate::open;
use crate::terminal::Terminal;
use allways_model::{Cursor, Lesson, Lessons, Model, Move, StepKey, Violation, ViolationKind};
use allways_report::{ExitCode, plural, process_label};
use allways_search::{At, Config, End, Expanded, Observer, StateRef, Steps, Strategy, learn, search};
use allways_session::{Interleaving, Request};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs the command.
pub(crate) fn run(args: &GraphArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let request = Request {
        interleaving: if args.no_reduce { Interleaving::EveryAccess } else { Interleaving::Conflicts },
        ..args.options.request(&args.model)?
    };
    let session = open::open(request, terminal)?;
    let name = args.model.to_string_lossy();
    let (dot, complete) = session.with_model(|model| draw(model, &name, args.states))?;
    match &args.output {
        None => terminal.out.write_all(dot.as_bytes())?,
        Some(file) => {
            if is_same_file(file, &args.model) {
                return Err(Failure::Input(format!("{} is the model itself", file.display())));
            }
            let cannot = |error| Failure::Input(format!("cannot write {}: {error}", file.display()));
            files::write(file, dot.as_bytes()).map_err(cannot)?;
        }
    }
    if !complete {
        let most = plural(args.states as u64, "state");
        terminal.note(&format!("only the first {most} are expanded; --states N draws more"));
    }
    Ok(if complete { ExitCode::Success } else { ExitCode::Bounded })
}

/// Whether two names are of one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// A state that is drawn with its steps.
#[derive(Default)]
struct Vertex {
    steps: Vec<(StepKey, usize)>,
    violations: Vec<Violation>,
}

/// What is drawn. States are numbered in the order in which they are reached.
#[derive(Default)]
struct Drawing {
    states: Vec<Vec<u8>>,
    numbers: HashMap<StateRef, usize>,
    /// Those that were expanded, in the same order.
    vertices: Vec<Vertex>,
    /// What is wrong in the state that is being expanded.
    violations: Vec<Violation>,
}

/// Draws what a breadth-first search by one worker sees.
struct GraphObserver {
    /// This many states are expanded.
    most: usize,
    drawing: Mutex<Drawing>,
}

impl GraphObserver {
    fn lock(&self) -> MutexGuard<'_, Drawing> {
        self.drawing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn go_on(&self, drawing: &Drawing) -> ControlFlow<()> {
        if drawing.vertices.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
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
        self.go_on(&drawing)
    }

    fn steps(&self, _: StateRef, steps: &Steps<'_>, _: Expanded) -> ControlFlow<()> {
        let mut drawing = self.lock();
        let violations = std::mem::take(&mut drawing.violations);
        let steps = steps.iter().map(|step| (step.key, drawing.number(step.to, step.vector))).collect();
        drawing.vertices.push(Vertex { steps, violations });
        self.go_on(&drawing)
    }

    fn violation(&self, _: At<'_>, violation: &Violation) {
        self.lock().violations.push(violation.clone());
    }

    fn round(&self, _: &Lesson) {
        *self.lock() = Drawing::default();
    }
}

/// The picture, and whether it is complete.
fn draw(model: &dyn Model, name: &str, most: usize) -> Result<(String, bool), Failure> {
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
        return Err(Failure::Input(format!("unsupported: {}", fault.message)));
    }
    let drawing = observer.drawing.into_inner().unwrap_or_else(PoisonError::into_inner);
    let complete = drawing.vertices.len() == drawing.states.len();
    Ok((drawing.to_dot(model, &mut *model.cursor(&lessons), name), complete))
}

impl Drawing {
    fn to_dot(&self, model: &dyn Model, cursor: &mut dyn Cursor, name: &str) -> String {
        let mut out = format!(
            "digraph \"{}\" {{\n  node [shape=circle, fontname=monospace]\n  edge [fontname=monospace, fontsize=10]\n  \
             start [shape=point]\n  start -> 0\n",
            quoted(name)
        );
        for (number, vertex) in self.vertices.iter().enumerate() {
            let state = &self.states[number];
            cursor.load(state);
            let mut label = |key| {
                let moves = cursor.explain(key);
                quoted(&moves.map_or(String::new(), |moves| step_label(&moves)))
            };
            let is_deadlock = |v: &Violation| v.key.is_none() && v.kind() == ViolationKind::Deadlock;
            let look = if vertex.violations.iter().any(is_deadlock) {
                ", color=red, penwidth=2"
            } else if vertex.steps.is_empty() {
                ", shape=doublecircle"
            } else {
                ""
            };
            let _ = writeln!(out, "  {number} [tooltip=\"{}\"{look}]", quoted(&variables(model, state)));
            for &(key, to) in &vertex.steps {
                let _ = writeln!(out, "  {number} -> {to} [label=\"{}\"]", label(key));
            }
            for (idx, violation) in vertex.violations.iter().enumerate() {
                let Some(key) = violation.key else { continue };
                let node = format!("{number}.{idx}");
                let message = quoted(&violation.message());
                let _ = writeln!(out, "  \"{node}\" [shape=octagon, color=red, label=\"{message}\"]");
                let _ = writeln!(out, "  {number} -> \"{node}\" [color=red, label=\"{}\"]", label(key));
            }
        }
        for open in self.vertices.len()..self.states.len() {
            let _ = writeln!(out, "  {open} [style=dashed]");
        }
        out.push_str("}\n");
        out
    }
}

fn step_label(moves: &[Move]) -> String {
    let texts = moves.iter().map(|m| {
        let mut text = format!("{} {}", process_label(&m.process_name, m.process), m.text);
        for change in &m.changes {
            let value = |value: &Option<String>| value.as_deref().unwrap_or("nothing").to_owned();
            let _ = write!(text, "\n{}: {} -> {}", change.name, value(&change.from), value(&change.to));
        }
        text
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn variables(model: &dyn Model, state: &[u8]) -> String {
    let texts = model.variables(state).into_iter().map(|v| match v.process {
        Some(process) => format!("{process}: {} = {}", v.name, v.value),
        None => format!("{} = {}", v.name, v.value),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// `text` inside a DOT string.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toy;

    #[test]
    fn a_small_graph() {
        let (dot, complete) = draw(&Toy::racing(), "toy \"x\"", 100).unwrap();
        assert!(complete && dot.starts_with("digraph \"toy \\\"x\\\"\" {"));
        let edge = |line: &&str| line.split(" [").next().is_some_and(|ends| ends.contains(" -> "));
        assert_eq!(dot.lines().filter(edge).count(), 1 + 6 + 1, "{dot}");
        assert_eq!(dot.matches("x: 0 -> 1").count(), 2, "{dot}");
        assert!(dot.contains("label=\"assertion violated: x < 3\""));
        let (dot, complete) = draw(&Toy::sticking(), "toy", 2).unwrap();
        assert!(!complete && dot.contains("2 [style=dashed]"), "{dot}");
    }
}
