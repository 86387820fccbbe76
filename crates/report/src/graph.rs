//! The states and steps of a small model, and its picture for Graphviz (DOT).
//!
//! States that were reached but not expanded are drawn dashed: a picture must not look complete when it is
//! not.

use crate::steps::process_label;
use allways_model::{Move, Variable, Violation, ViolationKind};
use std::fmt::Write as _;

/// A graph of states, numbered in the order in which a breadth-first search reaches them.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    /// Those that were expanded.
    pub states: Vec<GraphState>,
    /// How many more were reached; they have the numbers that follow.
    pub n_open: usize,
}

/// A state with its steps.
#[derive(Clone, Debug, Default)]
pub struct GraphState {
    /// What its variables hold.
    pub variables: Vec<Variable>,
    /// Each step and the number of the state it leads to.
    pub steps: Vec<(Vec<Move>, usize)>,
    /// What is wrong with the state, or with a step that leads to no state.
    pub wrong: Vec<(Option<Vec<Move>>, Violation)>,
}

impl StateGraph {
    /// Whether every state that was reached was expanded too.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.n_open == 0
    }

    /// The graph in the DOT language.
    #[must_use]
    pub fn to_dot(&self, name: &str) -> String {
        let mut out = format!(
            "digraph \"{}\" {{\n  node [shape=circle, fontname=monospace]\n  edge [fontname=monospace, fontsize=10]\n  \
             start [shape=point]\n  start -> 0\n",
            quoted(name)
        );
        for (number, state) in self.states.iter().enumerate() {
            state.draw(number, &mut out);
        }
        for open in self.states.len()..self.states.len() + self.n_open {
            let _ = writeln!(out, "  {open} [style=dashed]");
        }
        out.push_str("}\n");
        out
    }
}

impl GraphState {
    fn draw(&self, number: usize, out: &mut String) {
        let is_deadlock =
            |wrong: &(Option<_>, Violation)| wrong.0.is_none() && wrong.1.kind() == ViolationKind::Deadlock;
        let look = if self.wrong.iter().any(is_deadlock) {
            ", color=red, penwidth=2"
        } else if self.steps.is_empty() {
            ", shape=doublecircle"
        } else {
            ""
        };
        let _ = writeln!(out, "  {number} [tooltip=\"{}\"{look}]", quoted(&variables(&self.variables)));
        for (moves, to) in &self.steps {
            let _ = writeln!(out, "  {number} -> {to} [label=\"{}\"]", quoted(&label(moves)));
        }
        for (idx, (moves, violation)) in self.wrong.iter().enumerate() {
            let Some(moves) = moves else { continue };
            let node = format!("{number}.{idx}");
            let message = quoted(&violation.message());
            let _ = writeln!(out, "  \"{node}\" [shape=octagon, color=red, label=\"{message}\"]");
            let _ =
                writeln!(out, "  {number} -> \"{node}\" [color=red, label=\"{}\"]", quoted(&label(moves)));
        }
    }
}

/// What happens in a step.
fn label(moves: &[Move]) -> String {
    let texts = moves.iter().map(|one| {
        let mut text = format!("{} {}", process_label(&one.process_name, one.process), one.text);
        for change in &one.changes {
            let value = |value: &Option<String>| value.as_deref().unwrap_or("nothing").to_owned();
            let _ = write!(text, "\n{}: {} -> {}", change.name, value(&change.from), value(&change.to));
        }
        text
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn variables(all: &[Variable]) -> String {
    let texts = all.iter().map(|one| match one.process {
        Some(process) => format!("{process}: {} = {}", one.name, one.value),
        None => format!("{} = {}", one.name, one.value),
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
    use allways_model::{Change, Rule};

    static RULE: Rule =
        Rule::new(ViolationKind::Assertion, "assertion-failed", "assertion violated: x < \"3\"");

    #[test]
    fn what_is_not_expanded_is_dashed_and_errors_are_red() {
        let change = Change { name: "x".into(), from: Some("0".into()), to: Some("1".into()) };
        let step = vec![Move {
            process: Some(1),
            process_name: "add".into(),
            location: None,
            text: "x++".into(),
            output: String::new(),
            message: None,
            reads: Vec::new(),
            changes: vec![change],
            started: None,
        }];
        let wrong = vec![(Some(step.clone()), Violation::new(&RULE))];
        let variables = vec![Variable { process: None, name: "x".into(), value: "0".into() }];
        let first = GraphState { variables, steps: vec![(step, 1)], wrong };
        let mut graph = StateGraph { states: vec![first], n_open: 1 };
        let dot = graph.to_dot("toy \"x\"");
        assert!(!graph.is_complete() && dot.starts_with("digraph \"toy \\\"x\\\"\" {"), "{dot}");
        assert!(
            dot.contains("  0 [tooltip=\"x = 0\"]\n  0 -> 1 [label=\"add(1) x++\\nx: 0 -> 1\"]\n"),
            "{dot}"
        );
        assert!(
            dot.contains("label=\"assertion violated: x < \\\"3\\\"\"]\n  0 -> \"0.0\" [color=red"),
            "{dot}"
        );
        assert!(dot.ends_with("  1 [style=dashed]\n}\n"), "{dot}");
        (graph.states[0].steps, graph.n_open) = (Vec::new(), 0);
        assert!(graph.is_complete() && graph.to_dot("").contains("shape=doublecircle"));
    }
}
