//! The heap as a graph for Graphviz.

use super::HeapPicture;
use allways_model::{HeapChange, HeapKind};
use std::fmt::Write as _;

impl HeapPicture<'_> {
    /// The picture as DOT.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut out = format!(
            "digraph \"{}\" {{\n  rankdir=LR\n  node [shape=box, fontname=monospace, fontsize=10]\n  \
             edge [fontname=monospace, fontsize=9]\n",
            quoted(self.title)
        );
        for (idx, node) in self.heap.nodes.iter().enumerate() {
            let values = node.lines.iter().filter(|line| line.to.is_none()).map(|line| &line.text);
            let label: String = [&node.name]
                .into_iter()
                .chain(&node.notes)
                .chain(values)
                .map(|text| quoted(text) + "\\l")
                .collect();
            let look = match node.kind {
                HeapKind::Globals => ", style=filled, fillcolor=lightyellow",
                HeapKind::Process => ", shape=ellipse, style=filled, fillcolor=lightblue",
                HeapKind::Object if node.change == HeapChange::Made => ", style=filled, fillcolor=palegreen",
                HeapKind::Object => "",
                HeapKind::Gone | HeapKind::Lost => ", style=dashed, color=red",
            };
            let _ = writeln!(out, "  n{idx} [label=\"{label}\"{look}]");
            for line in &node.lines {
                let Some(to) = line.to else { continue };
                let look = match (line.awaited, line.changed) {
                    (true, _) => ", color=red, fontcolor=red",
                    (false, true) => ", color=darkorange, fontcolor=darkorange",
                    (false, false) => "",
                };
                let _ = writeln!(out, "  n{idx} -> n{to} [label=\"{}\"{look}]", quoted(&line.text));
            }
        }
        out.push_str("}\n");
        out
    }
}

/// `text` inside a DOT string.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
