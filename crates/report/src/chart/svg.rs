//! A chart drawn as SVG: one file, no script, no font to load, readable on a light and on a dark page.
//!
//! All text passes through [`escaped`], which also drops what XML forbids, so that the file is well-formed
//! whatever a model is called or prints. Lines take the colour of the page's scheme; hovering over an event
//! tells its step.

use super::{Chart, ChartStyle, Drawn, Event, shortened};
use crate::figures::plural;
use crate::steps::width;
use crate::xml::escaped;
use std::collections::HashMap;
use std::fmt::Write as _;

const ROW: usize = 30;
const TOP: usize = 84;
const LEFT: usize = 64;
const CHAR: usize = 8;
const BOX: usize = 26;
/// Longer labels are cut; the whole text is in the title of the element.
const LONGEST: usize = 40;

/// The shapes, then the colours of a light page, then those of a dark one. Plain rules, because not every
/// viewer knows variables.
const STYLE: &str = "\
svg{font:13px ui-monospace,Menlo,Consolas,monospace}.t{font-size:15px;font-weight:600}\
.n{text-anchor:end;font-size:11px}.m{text-anchor:middle}.r{text-anchor:end}.l{stroke-dasharray:2 4}\
.h,.q,.x{stroke-width:1.5}.q{stroke-dasharray:6 3}\
.k{stroke-width:4px;stroke-linejoin:round}.g{font-style:italic}\
.e{font-weight:600}.c{fill:none}\
.p{fill:#fff}text{fill:#1f2328}.n,.g{fill:#8b949e}.b{fill:#f0f3f6;stroke:#8b949e}\
.l,.x{stroke:#8b949e}.h{stroke:#0969da}.hp{fill:#0969da}.q{stroke:#8250df}.qp{fill:#8250df}\
text.k{fill:#fff;stroke:#fff}.o{fill:#9a6700}.e{fill:#cf222e}\
@media(prefers-color-scheme:dark){.p{fill:#0d1117}text{fill:#e6edf3}.n,.g{fill:#7d8590}.b{fill:#21262d;stroke:#7d8590}\
.l,.x{stroke:#7d8590}.h{stroke:#58a6ff}.hp{fill:#58a6ff}.q{stroke:#d2a8ff}.qp{fill:#d2a8ff}\
text.k{fill:#0d1117;stroke:#0d1117}.o{fill:#e3b341}.e{fill:#ff7b72}}";

struct Canvas<'a> {
    chart: &'a Chart,
    /// Where the first column begins: right of the step numbers, and far enough for labels that stand to the
    /// left.
    left: usize,
    column: usize,
    /// The height of each row that is drawn.
    y: HashMap<usize, usize>,
    bottom: usize,
    /// Lines and boxes.
    out: String,
    /// Labels, which lie above all lines.
    labels: String,
}

impl Chart {
    /// The chart as an SVG file.
    #[must_use]
    pub fn to_svg(&self, style: ChartStyle) -> String {
        let drawn = self.drawn(style);
        let mut y = HashMap::new();
        for (place, row) in drawn.iter().enumerate() {
            if let Drawn::Row(idx) = row {
                y.insert(*idx, TOP + (place + 1) * ROW);
            }
        }
        let bottom = TOP + (drawn.len() + 1) * ROW;
        let column = self.column_pixels();
        let mut canvas = Canvas {
            chart: self,
            left: self.left_pixels(&drawn, column),
            column,
            y,
            bottom,
            out: String::new(),
            labels: String::new(),
        };
        canvas.begin();
        (0..self.lines.len()).for_each(|line| canvas.lifeline(line));
        if let Some((first, last)) = self.repeated(&drawn) {
            canvas.repeat(first, last);
        }
        for (place, row) in drawn.iter().enumerate() {
            match row {
                Drawn::Row(idx) => canvas.row(*idx),
                Drawn::Gap(n) => {
                    let text = format!("… {} left out …", plural(*n as u64, "event"));
                    canvas.label("g", LEFT, TOP + (place + 1) * ROW + 4, &text);
                }
            }
        }
        if let Some(end) = &self.end {
            canvas.text("e", LEFT, bottom + BOX + 24, end);
        }
        canvas.out + &canvas.labels + "</svg>\n"
    }

    /// Where the first column begins, so that no label covers the step numbers or the line that leads back.
    fn left_pixels(&self, drawn: &[Drawn], column: usize) -> usize {
        let rows = drawn.iter().filter_map(|one| if let Drawn::Row(row) = one { Some(*row) } else { None });
        let x = |line: usize| column / 2 + line * column;
        let missing = rows.map(|row| {
            let pixels = |label: &str| width(&shortened(label, LONGEST)) * CHAR;
            match &self.rows[row].event {
                Event::Handshake { from, to, label } => {
                    (pixels(label) / 2).saturating_sub(usize::midpoint(x(*from), x(*to)))
                }
                Event::Receive { line, sent: Some(sent), label } => match self.rows[*sent].event {
                    Event::Send { line: from, .. } if from >= *line => {
                        (pixels(label) + 10).saturating_sub(x(*line))
                    }
                    _ => 0,
                },
                _ => 0,
            }
        });
        LEFT + missing.max().unwrap_or(0)
    }

    fn column_pixels(&self) -> usize {
        let names = self.lines.iter().map(|line| width(&line.label).min(LONGEST) + 3).max().unwrap_or(0);
        let labels = self.rows.iter().map(|row| match &row.event {
            Event::Handshake { label, .. } | Event::Receive { label, .. } | Event::Send { label, .. } => {
                width(label).min(LONGEST) + 5
            }
            Event::Output { text, .. } | Event::Local { text, .. } => width(text).min(24) + 3,
            Event::Start { .. } | Event::End { .. } => 0,
        });
        (labels.max().unwrap_or(0).max(names) * CHAR).clamp(110, 300)
    }
}

impl Canvas<'_> {
    fn x(&self, line: usize) -> usize {
        self.left + self.column / 2 + line * self.column
    }

    fn begin(&mut self) {
        let end = self.chart.end.as_deref().unwrap_or("");
        let words = width(&self.chart.title).max(width(end)) * (CHAR + 1) + 2 * LEFT;
        // The last lifeline's own labels stand to its right.
        let wide = (self.left + self.chart.lines.len() * self.column + 180).max(words);
        let high = self.bottom + BOX + 44;
        let title = escaped(&self.chart.title);
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
             viewBox=\"0 0 {wide} {high}\" role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<defs>\
             <marker id=\"h\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path class=\"hp\" d=\"M0 0L8 4L0 8z\"/></marker>\
             <marker id=\"q\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path class=\"qp\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
             <rect class=\"p\" width=\"{wide}\" height=\"{high}\"/>\n"
        );
        let title = self.chart.title.clone();
        self.text("t", LEFT, 30, &title);
    }

    fn text(&mut self, class: &str, x: usize, y: usize, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = writeln!(self.out, "<text{class} x=\"{x}\" y=\"{y}\">{}</text>", escaped(text));
    }

    /// Text that stays readable where lines cross it: the same text in the colour of the page lies below. A
    /// long one is cut, and whole when one points at it.
    fn label(&mut self, class: &str, x: usize, y: usize, full: &str) {
        let short = shortened(full, LONGEST);
        let title = if short == full { String::new() } else { format!("<title>{}</title>", escaped(full)) };
        let short = escaped(&short);
        for (class, title) in [(format!("{class} k"), ""), (class.into(), title.as_str())] {
            let _ = writeln!(
                self.labels,
                "<text class=\"{}\" x=\"{x}\" y=\"{y}\">{title}{short}</text>",
                class.trim_start()
            );
        }
    }

    fn line(&mut self, class: &str, from: (usize, usize), to: (usize, usize), marker: &str) {
        let marker =
            if marker.is_empty() { String::new() } else { format!(" marker-end=\"url(#{marker})\"") };
        let _ = writeln!(
            self.out,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{marker}/>",
            from.0, from.1, to.0, to.1
        );
    }

    fn name_box(&mut self, line: usize, y: usize) {
        let label = shortened(&self.chart.lines[line].label, LONGEST);
        let wide = (width(&label) * CHAR + 12).min(self.column - 8);
        let x = self.x(line);
        let _ = writeln!(
            self.out,
            "<rect class=\"b\" x=\"{}\" y=\"{y}\" width=\"{wide}\" height=\"{BOX}\" rx=\"4\"/>",
            x - wide / 2
        );
        self.text("m", x, y + 17, &shortened(&label, (self.column - 12) / CHAR));
    }

    /// The row's height; for an omitted row, that of the last drawn one before it.
    fn y_of(&self, row: usize) -> usize {
        let known = |row| self.y.get(&row).copied();
        known(row).or_else(|| (0..row).rev().find_map(known)).unwrap_or(TOP)
    }

    fn lifeline(&mut self, line: usize) {
        let Lifespan { start, end } = self.lifespan(line);
        let x = self.x(line);
        self.line("l", (x, start), (x, end.unwrap_or(self.bottom)), "");
        match self.chart.lines[line].start {
            None => self.name_box(line, TOP - BOX - 4),
            // Its name stands where the process starts, if that is on the page.
            Some(row) if self.y.contains_key(&row) => self.name_box(line, start - BOX / 2),
            Some(_) => {}
        }
        if end.is_none() {
            self.name_box(line, self.bottom);
        }
    }

    fn lifespan(&self, line: usize) -> Lifespan {
        let line = &self.chart.lines[line];
        Lifespan {
            start: line.start.map_or(TOP - 4, |row| self.y_of(row)),
            end: line.end.map(|row| self.y_of(row)),
        }
    }

    fn row(&mut self, idx: usize) {
        let y = self.y_of(idx);
        let row = &self.chart.rows[idx];
        let step = row.step;
        let _ = writeln!(self.out, "<g><title>step {step}{}</title>", escaped(&full_text(&row.event)));
        self.text("n", LEFT - 16, y + 4, &step.to_string());
        match &row.event {
            Event::Start { by, new } => {
                let wide = (width(&self.chart.lines[*new].label) * CHAR + 12).min(self.column - 8);
                let (from, to) = (self.x(*by), self.x(*new));
                let to = if from < to { to - wide / 2 } else { to + wide / 2 };
                self.line("h", (from, y), (to, y), "h");
            }
            Event::End { line } => {
                let x = self.x(*line);
                self.line("x", (x - 6, y - 6), (x + 6, y + 6), "");
                self.line("x", (x - 6, y + 6), (x + 6, y - 6), "");
            }
            Event::Handshake { from, to, label } => {
                let (from, to) = (self.x(*from), self.x(*to));
                self.line("h", (from, y), (to, y), "h");
                self.label("m", usize::midpoint(from, to), y - 5, label);
            }
            Event::Send { line, label } => {
                let x = self.x(*line);
                self.dot("qp", x, y);
                self.label("", x + 8, y - 5, label);
            }
            Event::Receive { line, sent, label } => self.receive(*line, *sent, label, y),
            Event::Output { line, text } => {
                let text = format!("\"{text}\"");
                self.label("o", self.x(*line) + 8, y + 4, &text);
            }
            Event::Local { line, text } => {
                let x = self.x(*line);
                self.dot("hp", x, y);
                self.label("", x + 8, y + 4, text);
            }
        }
        self.out.push_str("</g>\n");
    }

    fn receive(&mut self, line: usize, sent: Option<usize>, label: &str, y: usize) {
        let x = self.x(line);
        let from = sent.and_then(|row| match self.chart.rows[row].event {
            Event::Send { line, .. } => Some((self.x(line), self.y.get(&row).copied())),
            _ => None,
        });
        match from {
            // To itself: a stub, since a line along the lifeline would not be seen.
            Some((from, _)) if from == x => self.line("q", (x + 28, y - 14), (x + 4, y), "q"),
            Some((from, Some(sent_y))) => self.line("q", (from, sent_y), (x, y), "q"),
            // The send was omitted, so the arrow comes in from above.
            Some((from, None)) => self.line("q", (usize::midpoint(from, x), y - ROW / 2), (x, y), "q"),
            None => self.line("q", (x - 28, y - 14), (x, y), "q"),
        }
        self.dot("qp", x, y);
        // On the side that the arrow does not come from.
        match from {
            Some((from, _)) if from >= x => self.label("r", x - 10, y + 4, label),
            _ => self.label("", x + 10, y + 4, label),
        }
    }

    /// A line in the margin that leads from the last row back to the first.
    fn repeat(&mut self, first: usize, last: usize) {
        let (top, bottom) = (self.y_of(first), self.y_of(last) + if first == last { 10 } else { 0 });
        let (left, right) = (LEFT - 11, LEFT + 1);
        let _ = writeln!(
            self.out,
            "<g><title>the run repeats these steps for ever</title><path class=\"h c\" \
             d=\"M{right} {bottom}H{left}V{top}H{right}\" marker-end=\"url(#h)\"/></g>"
        );
    }

    fn dot(&mut self, class: &str, x: usize, y: usize) {
        let _ = writeln!(self.out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>");
    }
}

struct Lifespan {
    start: usize,
    end: Option<usize>,
}

fn full_text(event: &Event) -> String {
    match event {
        Event::Start { .. } => ": run".into(),
        Event::End { .. } => ": the process ends".into(),
        Event::Handshake { label, .. } | Event::Send { label, .. } | Event::Receive { label, .. } => {
            format!(": {label}")
        }
        Event::Output { text, .. } | Event::Local { text, .. } => format!(": {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{process, sample};
    use super::*;

    /// Checks that tags nest and that no raw `<` or `&` is left in the text.
    fn assert_well_formed(svg: &str) {
        let mut open: Vec<&str> = Vec::new();
        for piece in svg.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').expect("a tag is closed");
            assert!(
                !text.contains('&')
                    || text.contains("&amp;")
                    || text.contains("&lt;")
                    || text.contains("&gt;")
                    || text.contains("&quot;")
            );
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().unwrap());
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn the_file_is_well_formed() {
        let svg = sample().to_svg(ChartStyle { full: false });
        assert_well_formed(&svg);
        assert!(svg.contains("&lt;&amp;Q&gt;(2)") && svg.contains("x &lt; 1 &amp;&amp; y &gt; 2"), "{svg}");
        assert_eq!(svg.matches("marker-end").count(), 3, "a start, a handshake and a received message");
    }

    /// All numbers of an attribute, in order.
    fn numbers(svg: &str, start: &str) -> Vec<usize> {
        let pieces = svg.split(start).skip(1);
        pieces.filter_map(|piece| piece.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).collect()
    }

    #[test]
    fn labels_leave_the_step_numbers_alone() {
        use super::super::tests::message;
        let alive = [process(0, "a"), process(1, "b")];
        let long = "channel!some_message,with,many,fields,123";
        let mut chart = Chart::new("x", &alive);
        chart.step(1, &[message(1, "b", long, false)], &alive);
        chart.step(2, &[message(0, "a", &long.replace('!', "?"), false)], &alive);
        let svg = chart.to_svg(ChartStyle { full: false });
        // The received message stands left of the lifeline that its arrow comes to from the right.
        let ends = numbers(&svg, "<text class=\"r\" x=\"");
        assert_eq!(ends.len(), 1, "{svg}");
        assert!(ends[0] >= LEFT + LONGEST * CHAR, "{ends:?}\n{svg}");
    }

    #[test]
    fn a_lasso_leads_back() {
        let svg = super::super::tests::lasso().to_svg(ChartStyle { full: false });
        assert_well_formed(&svg);
        let (first, last) = (TOP + 3 * ROW, TOP + 4 * ROW);
        assert!(svg.contains(&format!("d=\"M{} {last}H{}V{first}H", LEFT + 1, LEFT - 11)), "{svg}");
    }

    #[test]
    fn an_empty_run_gives_an_empty_chart() {
        let chart = Chart::new("none \u{1}", &[process(0, "p")]);
        assert_well_formed(&chart.to_svg(ChartStyle { full: false }));
    }
}
