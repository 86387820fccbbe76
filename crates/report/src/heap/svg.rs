//! The heap as SVG: one file, no script, no font to load, readable on a light and on a dark page.
//!
//! A box has its name on top, then notes, then lines. An arrow starts at the line that refers to a box. Green
//! is new, orange is changed, red and dashed is gone.

use super::layout::{CHAR, HEAD, LEFT, LONGEST, Spot, TOP, place};
use super::{HeapPicture, change_word};
use crate::paint::visible;
use crate::steps::{shortened, width};
use crate::xml::escaped;
use allways_model::{HeapChange, HeapKind, HeapNode};
use std::fmt::Write as _;

/// The shapes, then the colours of a light page, then those of a dark one.
const STYLE: &str = "\
svg{font:13px ui-monospace,Menlo,Consolas,monospace}.t{font-size:15px;font-weight:600}.n{font-weight:600}\
.s{font-size:12px}.e,.c,.w{fill:none;stroke-width:1.5}.w{stroke-dasharray:6 4}.br,.bl{stroke-dasharray:6 4}\
.p{fill:#fff}text{fill:#1f2328}.s{fill:#59636e}.k{fill:#bc4c00}.bo{fill:#f6f8fa;stroke:#59636e}\
.bg{fill:#fff8c5;stroke:#9a6700}.bp{fill:#ddf4ff;stroke:#0969da}.bn{fill:#dafbe1;stroke:#1a7f37}.br,.bl{fill:#ffebe9;stroke:#cf222e}\
.e{stroke:#59636e}.ep{fill:#59636e}.c{stroke:#bc4c00}.cp{fill:#bc4c00}.w{stroke:#cf222e}.wp{fill:#cf222e}\
@media(prefers-color-scheme:dark){.p{fill:#0d1117}text{fill:#e6edf3}.s{fill:#9198a1}.k{fill:#f0883e}\
.bo{fill:#21262d;stroke:#9198a1}.bg{fill:#272115;stroke:#d29922}.bp{fill:#121d2f;stroke:#58a6ff}.bn{fill:#12261e;stroke:#3fb950}\
.br,.bl{fill:#25171c;stroke:#ff7b72}.e{stroke:#9198a1}.ep{fill:#9198a1}.c{stroke:#f0883e}.cp{fill:#f0883e}\
.w{stroke:#ff7b72}.wp{fill:#ff7b72}}";

impl HeapPicture<'_> {
    /// The picture as an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let spots = place(self.heap);
        let title = format!("{}: the objects of the last state", visible(self.title));
        let legend = "green: new in the last step; orange: changed in it; dashed: gone";
        let right = spots.iter().map(|spot| spot.x + spot.wide + 90).max().unwrap_or(0);
        let wide = right.max(width(&title).max(width(legend)) * (CHAR + 1) + 2 * LEFT);
        let bottom = spots.iter().map(|spot| spot.y + spot.high).max().unwrap_or(TOP);
        let high = bottom + if self.heap.omitted.is_empty() { 28 } else { 52 };
        let mut out = String::new();
        begin(&mut out, wide, high, &escaped(&title), legend);
        for (node, spot) in self.heap.nodes.iter().zip(&spots) {
            draw_box(&mut out, node, spot);
        }
        for (from, (node, spot)) in self.heap.nodes.iter().zip(&spots).enumerate() {
            for (idx, line) in node.lines.iter().enumerate() {
                if let Some(to) = line.to.filter(|to| *to < spots.len()) {
                    let class = match (line.awaited, line.changed) {
                        (true, _) => "w",
                        (false, true) => "c",
                        (false, false) => "e",
                    };
                    let y = spot.line_y(node.notes.len() + idx);
                    arrow(&mut out, class, (spot, y), &spots[to], from == to);
                }
            }
        }
        if !self.heap.omitted.is_empty() {
            let text = escaped(&self.heap.omitted);
            let _ = writeln!(out, "<text class=\"s\" x=\"{LEFT}\" y=\"{}\">{text}</text>", bottom + 30);
        }
        out + "</svg>\n"
    }
}

fn begin(out: &mut String, wide: usize, high: usize, title: &str, legend: &str) {
    let marker = |name: &str| {
        format!(
            "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path class=\"{name}p\" d=\"M0 0L8 4L0 8z\"/></marker>"
        )
    };
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<defs>{}{}{}</defs>\n\
         <rect class=\"p\" width=\"{wide}\" height=\"{high}\"/>\n<text class=\"t\" x=\"{LEFT}\" y=\"26\">{title}</text>\n\
         <text class=\"s\" x=\"{LEFT}\" y=\"44\">{legend}</text>\n",
        marker("e"),
        marker("c"),
        marker("w")
    );
}

fn draw_box(out: &mut String, node: &HeapNode, spot: &Spot) {
    let class = match (node.kind, node.change) {
        (HeapKind::Gone, _) => "br",
        (HeapKind::Lost, _) => "bl",
        (_, HeapChange::Made) => "bn",
        (HeapKind::Globals, _) => "bg",
        (HeapKind::Process, _) => "bp",
        (HeapKind::Object, _) => "bo",
    };
    let Spot { x, y, wide, high, .. } = *spot;
    let word = change_word(node);
    let whole: Vec<&str> = [node.name.as_str(), word].into_iter().filter(|text| !text.is_empty()).collect();
    let _ = write!(
        out,
        "<g><title>{}</title>\n<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" rx=\"4\"/>\n",
        escaped(&whole.join(", "))
    );
    let mut text = |class: &str, x: usize, y: usize, text: &str| {
        let short = escaped(&shortened(&visible(text), LONGEST));
        let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{short}</text>");
    };
    text("n", x + 12, y + 18, &node.name);
    if !word.is_empty() {
        text("k", x + 12 + (width(&node.name) + 2) * CHAR, y + 18, word);
    }
    for (idx, note) in node.notes.iter().enumerate() {
        text("s", x + 12, spot.line_y(idx) + 4, note);
    }
    for (idx, line) in node.lines.iter().enumerate() {
        let class = if line.changed { "k" } else { "v" };
        text(class, x + 12, spot.line_y(node.notes.len() + idx) + 4, &line.text);
    }
    out.push_str("</g>\n");
}

/// An arrow from a line of a box to another box: to its left side, or around it if it is not further right.
fn arrow(out: &mut String, class: &str, (from, y): (&Spot, usize), to: &Spot, is_same: bool) {
    let x = from.x + from.wide;
    let path = if is_same {
        let up = from.y + 8;
        format!("M{x} {y}C{} {y} {} {up} {x} {up}", x + 46, x + 46)
    } else if to.column > from.column || to.x > x {
        let (to_x, to_y) = (to.x, to.y + HEAD / 2);
        let bend = (to_x.saturating_sub(x) / 2).max(30);
        format!("M{x} {y}C{} {y} {} {to_y} {to_x} {to_y}", x + bend, to_x.saturating_sub(bend))
    } else {
        // To the right side of the other box, so that the arrow does not cross either of them.
        let (to_x, to_y) = (to.x + to.wide, to.y + HEAD / 2);
        let bend = x.max(to_x) + 60;
        format!("M{x} {y}C{bend} {y} {bend} {to_y} {to_x} {to_y}")
    };
    let _ = writeln!(out, "<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#{class})\"/>");
}
