//! `allways graph`: the states and steps of a small model as a Graphviz picture.
//!
//! Breadth first, so that what a limit leaves out is what is furthest away; states that were reached but not
//! expanded are drawn dashed, and a note says so: a picture must not look complete when it is not.

use crate::cli::GraphArgs;
use crate::failure::Failure;
use crate::files;
use crate::open;
use crate::terminal::Terminal;
use allways_model::{Batch, Cursor, Halt, Lessons, Model, Move, ViolationKind};
use allways_report::{ExitCode, plural, process_label};
use allways_session::{Interleaving, Request};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(args: &GraphArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let request = Request {
        interleaving: if args.no_reduce { Interleaving::EveryAccess } else { Interleaving::Conflicts },
        ..args.options.request(&args.model)
    };
    let session = open::open(request, terminal)?;
    let name = args.model.to_string_lossy();
    let (dot, complete) = session.with_model(|model| {
        // The steps are known when there is nothing more to learn about them.
        allways_search::learn(&mut Lessons::new(), |lessons| {
            let mut cursor = model.cursor(lessons);
            let drawn = draw(model, &mut *cursor, &name, args.states);
            let lesson = cursor.lesson();
            if lesson.is_empty() { ControlFlow::Break(drawn) } else { ControlFlow::Continue(lesson) }
        })
    })?;
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

/// The picture, and whether it is complete.
fn draw(
    model: &dyn Model,
    cursor: &mut dyn Cursor,
    name: &str,
    most: usize,
) -> Result<(String, bool), Failure> {
    let mut batch = Batch::new();
    let unknown = |halt| match halt {
        Halt::Unsupported(fault) => Failure::Input(format!("unsupported: {}", fault.message)),
        Halt::Refine(_) => Failure::Internal("a picture was drawn before its steps were known".into()),
    };
    cursor.initial(&mut batch).map_err(unknown)?;
    let mut states = vec![batch.vector(0).to_vec()];
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::from([(states[0].clone(), 0)]);
    let mut out = format!(
        "digraph \"{}\" {{\n  node [shape=circle, fontname=monospace]\n  edge [fontname=monospace, fontsize=10]\n  \
         start [shape=point]\n  start -> 0\n",
        quoted(name)
    );
    let mut next = 0;
    while next < states.len() && next < most {
        cursor.load(&states[next]);
        batch.clear();
        cursor.expand(&mut batch).map_err(unknown)?;
        let tip = variables(model, &states[next]);
        let stuck = batch.violations().iter().any(|v| v.key.is_none() && v.kind() == ViolationKind::Deadlock);
        let look = if stuck {
            ", color=red, penwidth=2"
        } else if batch.is_empty() {
            ", shape=doublecircle"
        } else {
            ""
        };
        let _ = writeln!(out, "  {next} [tooltip=\"{}\"{look}]", quoted(&tip));
        for idx in 0..batch.len() {
            let vector = batch.vector(idx);
            let to = *numbers.entry(vector.to_vec()).or_insert_with(|| {
                states.push(vector.to_vec());
                states.len() - 1
            });
            let label =
                cursor.explain(batch.entries()[idx].key).map_or(String::new(), |moves| step_label(&moves));
            let _ = writeln!(out, "  {next} -> {to} [label=\"{}\"]", quoted(&label));
        }
        for (idx, violation) in batch.violations().iter().enumerate() {
            let Some(key) = violation.key else { continue };
            let label = cursor.explain(key).map_or(String::new(), |moves| step_label(&moves));
            let node = format!("{next}.{idx}");
            let message = quoted(&violation.message());
            let _ = writeln!(out, "  \"{node}\" [shape=octagon, color=red, label=\"{message}\"]");
            let _ = writeln!(out, "  {next} -> \"{node}\" [color=red, label=\"{}\"]", quoted(&label));
        }
        next += 1;
    }
    for open in next..states.len() {
        let _ = writeln!(out, "  {open} [style=dashed]");
    }
    out.push_str("}\n");
    Ok((out, next == states.len()))
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
        let drawn = |toy: Toy, name: &str, most| {
            let mut cursor = toy.cursor(Lessons::none());
            draw(&toy, &mut *cursor, name, most).unwrap()
        };
        let (dot, complete) = drawn(Toy::racing(), "toy \"x\"", 100);
        assert!(complete && dot.starts_with("digraph \"toy \\\"x\\\"\" {"));
        let edge = |line: &&str| line.split(" [").next().is_some_and(|ends| ends.contains(" -> "));
        assert_eq!(dot.lines().filter(edge).count(), 1 + 6 + 1, "{dot}");
        assert_eq!(dot.matches("x: 0 -> 1").count(), 2, "{dot}");
        assert!(dot.contains("label=\"assertion violated: x < 3\""));
        let (dot, complete) = drawn(Toy::sticking(), "toy", 2);
        assert!(!complete && dot.contains("2 [style=dashed]"), "{dot}");
    }
}
