//! The picture: processes in boxes on the left, what they wait for in rounded boxes on the right, beside the
//! first who waits for it.
//!
//! An arrow always begins at a process: it holds something, or waits for it. A process that waits for the end
//! of another has an arrow along the left margin.

use super::Waits;
use crate::paint::visible;
use crate::steps::{place_text, shortened, width};
use crate::xml::escaped;
use std::fmt::Write as _;

const ROW: usize = 112;
const TOP: usize = 64;
const BOX: usize = 56;
const CHAR: usize = 8;
const GAP: usize = 260;
const MARGIN: usize = 32;
/// Longer labels are cut; the whole text is in the title of the element.
const LONGEST: usize = 48;
/// The labels of arrows and where they are: apart, so that they do not cover each other.
const WAITS: (&str, usize) = ("waits for", 75);
const HOLDS: (&str, usize) = ("holds", 12);
/// The space for arrows from process to process.
const ASIDE: usize = 150;

/// The shapes, then the colours of a light page, then those of a dark one.
const STYLE: &str = "\
svg{font:13px ui-monospace,Menlo,Consolas,monospace}.t{font-size:15px;font-weight:600}.b{font-weight:600}.s{font-size:12px}\
.h,.w{fill:none;stroke-width:1.8}.w{stroke-dasharray:6 4}.m{text-anchor:middle}.k{stroke-width:5px;stroke-linejoin:round}\
.p{fill:#fff}text{fill:#1f2328}.s{fill:#59636e}.o{fill:#f0f3f6;stroke:#59636e}.r{fill:#fff8c5;stroke:#9a6700}\
.h{stroke:#0969da}.hp{fill:#0969da}.w{stroke:#cf222e}.wp{fill:#cf222e}text.k{fill:#fff;stroke:#fff}\
@media(prefers-color-scheme:dark){.p{fill:#0d1117}text{fill:#e6edf3}.s{fill:#9198a1}.o{fill:#21262d;stroke:#9198a1}\
.r{fill:#272115;stroke:#d29922}.h{stroke:#58a6ff}.hp{fill:#58a6ff}.w{stroke:#ff7b72}.wp{fill:#ff7b72}\
text.k{fill:#0d1117;stroke:#0d1117}}";

/// A box with a name and a line below it.
struct Node {
    name: String,
    note: String,
    row: usize,
}

impl Node {
    fn width(&self) -> usize {
        width(&self.name).max(width(&self.note)).clamp(12, LONGEST) * CHAR + 24
    }

    fn y(&self) -> usize {
        TOP + self.row * ROW
    }
}

/// The nodes of a picture and the arrows between them, by their numbers.
struct Graph {
    processes: Vec<Node>,
    resources: Vec<Node>,
    /// From a process to a resource.
    waits: Vec<(usize, usize)>,
    /// From a process to a resource.
    holds: Vec<(usize, usize)>,
    /// From a process to one whose end it waits for.
    ends: Vec<(usize, usize)>,
}

impl Waits<'_> {
    /// The picture as an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let graph = self.graph();
        let left = if graph.ends.is_empty() { MARGIN } else { ASIDE };
        let widest = |nodes: &[Node]| nodes.iter().map(Node::width).max().unwrap_or(0);
        let (processes, resources) = (widest(&graph.processes), widest(&graph.resources));
        let right = left + processes + GAP;
        let title = format!("{}: who waits for whom", visible(self.title));
        let wide = (right + resources + MARGIN).max(width(&title) * (CHAR + 1) + 2 * MARGIN);
        let high = TOP + graph.processes.len() * ROW;
        let mut canvas =
            Canvas { left, inner: left + processes, right, out: String::new(), labels: String::new() };
        canvas.begin(wide, high, &title);
        for node in &graph.processes {
            canvas.node("o", 2, left, processes, node);
        }
        for node in &graph.resources {
            canvas.node("r", BOX / 2, right, resources, node);
        }
        for &(from, to) in &graph.waits {
            canvas.arrow("w", WAITS, graph.processes[from].y() + 18, graph.resources[to].y() + 18);
        }
        for &(from, to) in &graph.holds {
            canvas.arrow(
                "h",
                HOLDS,
                graph.processes[from].y() + BOX - 16,
                graph.resources[to].y() + BOX - 16,
            );
        }
        for &(from, to) in &graph.ends {
            canvas.aside(graph.processes[from].y() + BOX / 2, graph.processes[to].y() + BOX / 2);
        }
        canvas.out + &canvas.labels + "</svg>\n"
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph {
            processes: Vec::new(),
            resources: Vec::new(),
            waits: Vec::new(),
            holds: Vec::new(),
            ends: Vec::new(),
        };
        for (row, one) in self.blocked.iter().enumerate() {
            let place = one.location.as_ref().map_or_else(String::new, |at| place_text(at) + "  ");
            let note = format!("{place}{}", visible(&one.text));
            graph.processes.push(Node { name: visible(&one.name).into_owned(), note, row });
        }
        for (from, one) in self.blocked.iter().enumerate() {
            let holder = one.holder.as_ref().map(|name| graph.process(&visible(name)));
            match (&one.resource, holder) {
                (Some(resource), holder) => {
                    let since = one.taken.as_ref();
                    let note = match (holder, since) {
                        (Some(_), Some(at)) => format!("held since {}", place_text(at)),
                        (Some(_), None) => String::new(),
                        (None, _) => "held by nobody".into(),
                    };
                    let (to, is_new) = graph.resource(&visible(resource), note, from);
                    graph.waits.push((from, to));
                    graph.holds.extend(holder.filter(|_| is_new).map(|holder| (holder, to)));
                }
                (None, Some(holder)) => graph.ends.push((from, holder)),
                (None, None) => {}
            }
        }
        graph
    }
}

impl Graph {
    /// The process of this name; one that is not blocked gets a box at the end.
    fn process(&mut self, name: &str) -> usize {
        self.processes.iter().position(|node| node.name == name).unwrap_or_else(|| {
            let row = self.processes.len();
            self.processes.push(Node { name: name.into(), note: String::new(), row });
            row
        })
    }

    /// The resource of this name, and whether it has just come into the picture.
    fn resource(&mut self, name: &str, note: String, row: usize) -> (usize, bool) {
        match self.resources.iter().position(|node| node.name == name) {
            Some(idx) => (idx, false),
            None => {
                self.resources.push(Node { name: name.into(), note, row });
                (self.resources.len() - 1, true)
            }
        }
    }
}

struct Canvas {
    left: usize,
    /// The right end of the processes.
    inner: usize,
    /// The left end of the resources.
    right: usize,
    out: String,
    /// Labels, which lie above all lines.
    labels: String,
}

impl Canvas {
    fn begin(&mut self, wide: usize, high: usize, title: &str) {
        let title = escaped(title);
        let marker = |name: &str| {
            format!(
                "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
                 orient=\"auto\"><path class=\"{name}p\" d=\"M0 0L8 4L0 8z\"/></marker>"
            )
        };
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
             role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<defs>{}{}</defs>\n\
             <rect class=\"p\" width=\"{wide}\" height=\"{high}\"/>\n<text class=\"t\" x=\"{MARGIN}\" y=\"34\">{title}</text>\n",
            marker("h"),
            marker("w")
        );
    }

    fn node(&mut self, class: &str, round: usize, x: usize, wide: usize, node: &Node) {
        let y = node.y();
        let middle = x + wide / 2;
        let line = |class: &str, y: usize, text: &str| {
            let short = escaped(&shortened(text, LONGEST));
            format!("<text class=\"{class} m\" x=\"{middle}\" y=\"{y}\">{short}</text>\n")
        };
        let name_y = if node.note.is_empty() { y + BOX / 2 + 5 } else { y + 23 };
        let _ = write!(
            self.out,
            "<g><title>{} {}</title>\n<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{BOX}\" rx=\"{round}\"/>\n{}{}</g>\n",
            escaped(&node.name),
            escaped(&node.note),
            line("b", name_y, &node.name),
            if node.note.is_empty() { String::new() } else { line("s", y + 43, &node.note) }
        );
    }

    /// An arrow from a process at one height to a resource at another, labelled at a percentage of its
    /// length.
    fn arrow(&mut self, class: &str, (label, part): (&str, usize), from: usize, to: usize) {
        let (x1, x2) = (self.inner, self.right);
        let _ = writeln!(
            self.out,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{from}\" x2=\"{x2}\" y2=\"{to}\" marker-end=\"url(#{class})\"/>"
        );
        self.label(x1 + (x2 - x1) * part / 100, ((100 - part) * from + part * to) / 100, label);
    }

    /// An arrow from process to process, around the left.
    fn aside(&mut self, from: usize, to: usize) {
        let (x, bend) = (self.left, self.left - 60);
        let _ = writeln!(
            self.out,
            "<path class=\"w\" d=\"M{x} {from}C{bend} {from} {bend} {to} {x} {to}\" marker-end=\"url(#w)\"/>"
        );
        self.label(bend + 15, usize::midpoint(from, to), "waits for the end");
    }

    /// Text over a line, with the colour of the page around it.
    fn label(&mut self, x: usize, y: usize, text: &str) {
        let y = y + 4;
        for class in ["m k", "m"] {
            let _ = writeln!(self.labels, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::blocked;
    use super::*;

    #[test]
    fn arrows_say_who_waits_for_what_and_who_holds_it() {
        let all = [
            blocked("main", None, Some("<a>"), None),
            blocked("<a>", Some("monitor of X"), Some("b & c"), Some(5)),
            blocked("b & c", Some("monitor of Y"), Some("<a>"), None),
        ];
        let svg = Waits::new("A", &all).to_svg();
        let lines = |class: &str| svg.matches(&format!("<line class=\"{class}\"")).count();
        assert_eq!((lines("w"), lines("h"), svg.matches("<path class=\"w\"").count()), (2, 2, 1));
        assert_eq!(svg.matches("<rect class=\"o\"").count(), 3);
        assert_eq!(svg.matches("<rect class=\"r\"").count(), 2);
        assert!(svg.contains(">&lt;a&gt;</text>") && svg.contains(">b &amp; c</text>"), "{svg}");
        assert!(svg.contains(">held since A.java:5</text>"), "{svg}");
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }

    #[test]
    fn a_resource_is_drawn_once_and_an_absent_holder_too() {
        let gone = Some("old, which has ended");
        let all = [blocked("a", Some("LOCK"), gone, None), blocked("b", Some("LOCK"), gone, None)];
        let svg = Waits::new("A", &all).to_svg();
        assert_eq!(svg.matches("<rect class=\"o\"").count(), 3);
        assert_eq!(svg.matches("<rect class=\"r\"").count(), 1);
        assert_eq!(svg.matches("<line class=\"h\"").count(), 1);
        let alone = [blocked("a", Some("notification on X"), None, None)];
        assert!(Waits::new("A", &alone).to_svg().contains(">held by nobody</text>"));
    }
}
