//! The heap as text: a block for each box, a line for each variable.

use super::{HeapPicture, change_word};
use crate::paint::visible;
use std::fmt::Write as _;

impl HeapPicture<'_> {
    /// The picture as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let heap = self.heap;
        let mut out = format!(
            "{}: the objects of the last state; * marks what the last step changed\n",
            visible(self.title)
        );
        for node in &heap.nodes {
            let mut notes: Vec<&str> = node.notes.iter().map(String::as_str).collect();
            notes.extend(Some(change_word(node)).filter(|word| !word.is_empty()));
            let notes = if notes.is_empty() { String::new() } else { format!("  {}", notes.join(", ")) };
            let _ = writeln!(out, "\n{}{}", visible(&node.name), visible(&notes));
            for line in &node.lines {
                let mark = if line.changed { "*  " } else { "   " };
                let target = line.to.and_then(|to| heap.nodes.get(to));
                let target = target.map_or(String::new(), |to| format!(" -> {}", visible(&to.name)));
                let _ = writeln!(out, "{mark} {}{target}", visible(&line.text));
            }
        }
        if heap.nodes.is_empty() {
            out.push_str("\nno objects\n");
        }
        if !heap.omitted.is_empty() {
            let _ = writeln!(out, "\n{}", visible(&heap.omitted));
        }
        out
    }
}
