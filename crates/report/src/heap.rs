//! The objects of a state drawn: as text, as SVG, or for Graphviz.
//!
//! All three show the same boxes, each with its lines; a line that refers to another box is an arrow. What
//! the last step changed is marked. `heap/layout.rs` decides where the boxes of the SVG are.

mod dot;
mod layout;
mod svg;
mod text;

use allways_model::{Heap, HeapChange, HeapKind, HeapNode};

/// A picture of a heap.
pub struct HeapPicture<'a> {
    title: &'a str,
    heap: &'a Heap,
}

impl<'a> HeapPicture<'a> {
    /// The picture of `heap`; `title` names the program.
    #[must_use]
    pub fn new(title: &'a str, heap: &'a Heap) -> Self {
        Self { title, heap }
    }
}

/// What the last step did to a box, in a word; nothing if it was there before and still is.
fn change_word(node: &HeapNode) -> &'static str {
    match (node.change, node.kind) {
        (HeapChange::None, _) => "",
        (HeapChange::Made, _) => "new",
        (HeapChange::Ended, HeapKind::Lost) => "lost in this step",
        (HeapChange::Ended, _) => "ended in this step",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::HeapLine;

    /// A global `top`, a process that refers to the second of two nodes, and the first node, which the last
    /// step made.
    fn heap() -> Heap {
        let node = |kind, name: &str, notes: &[&str], lines, change| HeapNode {
            kind,
            name: name.into(),
            notes: notes.iter().map(|note| (*note).to_owned()).collect(),
            lines,
            change,
        };
        let line = |text: &str, to| HeapLine { text: text.into(), to, awaited: false, changed: false };
        Heap {
            nodes: vec![
                node(
                    HeapKind::Globals,
                    "globals",
                    &[],
                    vec![HeapLine { changed: true, ..line("top", Some(2)) }],
                    HeapChange::None,
                ),
                node(
                    HeapKind::Process,
                    "P(0)",
                    &["m.dpml:7  n = \"<x>\""],
                    vec![line("n", Some(3)), line("i = 1", None)],
                    HeapChange::None,
                ),
                node(
                    HeapKind::Object,
                    "top",
                    &["Node"],
                    vec![line("v = 0", None), line("next", Some(3))],
                    HeapChange::Made,
                ),
                node(
                    HeapKind::Gone,
                    "top.next",
                    &["Node", "deleted at m.dpml:9 (step 4)"],
                    vec![],
                    HeapChange::None,
                ),
            ],
            omitted: String::new(),
        }
    }

    #[test]
    fn text_has_a_block_for_each_box() {
        let text = HeapPicture::new("m.dpml", &heap()).to_text();
        assert_eq!(
            text,
            "m.dpml: the objects of the last state; * marks what the last step changed\n\n\
             globals\n*   top -> top\n\n\
             P(0)  m.dpml:7  n = \"<x>\"\n    n -> top.next\n    i = 1\n\n\
             top  Node, new\n    v = 0\n    next -> top.next\n\n\
             top.next  Node, deleted at m.dpml:9 (step 4)\n"
        );
    }

    #[test]
    fn svg_has_a_box_and_an_arrow_for_each_reference() {
        let svg = HeapPicture::new("m.dpml", &heap()).to_svg();
        assert_eq!(svg.matches("<rect class=\"b").count(), 4);
        assert_eq!(svg.matches("marker-end").count(), 3);
        assert!(svg.contains("&lt;x&gt;") && !svg.contains("<x>"), "{svg}");
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn dot_names_boxes_by_number() {
        let dot = HeapPicture::new("m \"1\"", &heap()).to_dot();
        assert!(dot.starts_with("digraph \"m \\\"1\\\"\" {\n") && dot.ends_with("}\n"), "{dot}");
        assert_eq!(dot.matches(" -> ").count(), 3);
        assert!(dot.contains("n0 -> n2 [label=\"top\""), "{dot}");
    }

    #[test]
    fn a_circle_of_objects_is_drawn() {
        let mut heap = heap();
        heap.nodes[3].lines.push(HeapLine::reference("next".into(), 2));
        heap.nodes[3].lines.push(HeapLine::reference("self".into(), 3));
        let svg = HeapPicture::new("m", &heap).to_svg();
        assert_eq!(svg.matches("marker-end").count(), 5);
    }

    #[test]
    fn an_empty_heap_is_a_picture_too() {
        let heap = Heap::default();
        let picture = HeapPicture::new("m", &heap);
        assert!(picture.to_svg().ends_with("</svg>\n"));
        assert!(picture.to_text().contains("no objects"));
    }
}
