//! A chart drawn with characters.
//!
//! Every lifeline has a column of the same width; a row is a line of characters on which the lifelines are
//! drawn first and the event over them. A solid arrow is a rendezvous or a start, a broken one a message out
//! of a buffer.

use super::{Chart, ChartStyle, Drawn, Event, shortened};
use crate::figures::plural;
use crate::steps::width;

const NARROWEST: usize = 12;
const WIDEST: usize = 30;

struct Sheet<'a> {
    chart: &'a Chart,
    /// The digits of the last step's number.
    digits: usize,
    /// Where the lifelines begin.
    margin: usize,
    column: usize,
    /// The first and the last row that the run repeats.
    repeated: Option<(usize, usize)>,
}

impl Chart {
    /// The chart as text, one line a row.
    #[must_use]
    pub fn to_text(&self, style: ChartStyle) -> String {
        let drawn = self.drawn(style);
        let last = self.rows.last().map_or(0, |row| row.step);
        let repeated = self.repeated(&drawn);
        let digits = last.to_string().len();
        let margin = digits + if repeated.is_some() { 4 } else { 2 };
        let sheet = Sheet { chart: self, digits, margin, column: self.column_width(), repeated };
        let mut out = String::new();
        let mut put = |line: Vec<char>| {
            let line: String = line.into_iter().collect();
            out.push_str(line.trim_end());
            out.push('\n');
        };
        let mut top = sheet.blank();
        for (idx, line) in self.lines.iter().enumerate().filter(|(_, line)| line.start.is_none()) {
            sheet.centre(&mut top, idx, &line.label);
        }
        put(top);
        let mut before = 0;
        for row in &drawn {
            match row {
                Drawn::Row(idx) => {
                    before = *idx;
                    put(sheet.row(*idx));
                }
                Drawn::Gap(n) => {
                    let is_inside = |(first, last)| (first..last).contains(&before);
                    let bar = if repeated.is_some_and(is_inside) { "│" } else { " " };
                    let gap = format!("{:digits$} {bar}", "");
                    put(gap.chars().collect());
                    put(format!("{gap} ... {} left out ...", plural(*n as u64, "event")).chars().collect());
                    put(gap.chars().collect());
                }
            }
        }
        if let Some(end) = &self.end {
            put(sheet.lifelines(usize::MAX));
            put(format!("{:1$}{end}", "", sheet.margin).chars().collect());
        }
        out
    }

    /// Wide enough for the names and most labels, and not so wide that nothing fits the screen.
    fn column_width(&self) -> usize {
        let names = self.lines.iter().map(|line| width(&line.label) + 2).max().unwrap_or(0);
        let labels = self.rows.iter().map(|row| match &row.event {
            Event::Handshake { label, .. } => width(label) + 7,
            Event::Receive { label, .. } => width(label) + 9,
            Event::Send { label, .. } => width(label) + 5,
            Event::Output { text, .. } | Event::Local { text, .. } => (width(text) + 5).min(24),
            Event::Start { .. } | Event::End { .. } => 0,
        });
        labels.max().unwrap_or(0).max(names).clamp(NARROWEST, WIDEST)
    }
}

impl Sheet<'_> {
    /// The place of a lifeline.
    fn x(&self, line: usize) -> usize {
        self.margin + self.column / 2 + line * self.column
    }

    fn blank(&self) -> Vec<char> {
        vec![' '; self.margin + self.chart.lines.len() * self.column + WIDEST]
    }

    /// The lifelines alive at `row`, on an empty line.
    fn lifelines(&self, row: usize) -> Vec<char> {
        let mut out = self.blank();
        for (idx, line) in self.chart.lines.iter().enumerate() {
            if line.start.is_none_or(|start| start < row) && line.end.is_none_or(|end| end > row) {
                out[self.x(idx)] = '│';
            }
        }
        out
    }

    fn row(&self, idx: usize) -> Vec<char> {
        let row = &self.chart.rows[idx];
        let mut out = self.lifelines(idx);
        put(&mut out, 0, &format!("{:>1$}", row.step, self.digits));
        if let Some((first, last)) = self.repeated.filter(|(first, last)| (*first..=*last).contains(&idx)) {
            let bracket = match (idx == first, idx == last) {
                (true, true) => "⟲▶",
                (true, false) => "╭▶",
                (false, true) => "╰─",
                (false, false) => "│",
            };
            put(&mut out, self.digits + 1, bracket);
        }
        match &row.event {
            Event::Start { by, new } => {
                let label = shortened(&self.chart.lines[*new].label, self.column - 1);
                self.arrow(&mut out, *by, *new, "run", '─');
                self.centre(&mut out, *new, &label);
                let (x, half) = (self.x(*new), width(&label) / 2);
                if by < new {
                    out[x - half - 1] = '▶';
                } else {
                    out[x - half + width(&label)] = '◀';
                }
            }
            Event::End { line } => out[self.x(*line)] = '┴',
            Event::Handshake { from, to, label } => self.arrow(&mut out, *from, *to, label, '─'),
            Event::Send { line, label } => self.beside(&mut out, *line, '●', &format!("╌ {label}")),
            Event::Receive { line, sent, label } => self.receive(&mut out, *line, *sent, label),
            Event::Output { line, text } => self.beside(&mut out, *line, '│', &format!("\"{text}\"")),
            Event::Local { line, text } => self.beside(&mut out, *line, '■', text),
        }
        out
    }

    fn receive(&self, out: &mut [char], line: usize, sent: Option<usize>, label: &str) {
        let sent = sent.map(|row| &self.chart.rows[row]);
        match sent {
            Some(row) => match row.event {
                Event::Send { line: from, .. } if from != line => {
                    self.arrow(out, from, line, &format!("{label} @{}", row.step), '╌');
                }
                _ => self.beside(out, line, '◀', &format!("╌ {label} @{}", row.step)),
            },
            None => self.beside(out, line, '◀', &format!("╌ {label}")),
        }
    }

    /// An arrow from one lifeline to another, with its label upon it.
    fn arrow(&self, out: &mut [char], from: usize, to: usize, label: &str, dash: char) {
        let (start, end) = (self.x(from), self.x(to));
        let (left, right) = (start.min(end) + 1, start.max(end) - 1);
        out[left..=right].fill(dash);
        out[start] = '●';
        out[if start < end { right } else { left }] = if start < end { '▶' } else { '◀' };
        // The label sits next to the sender, so that an arrow over many columns is read where it begins.
        let room = self.column.max(right - left + 1).saturating_sub(6);
        let label = format!(" {} ", shortened(label, room));
        let at = if start < end { start + 2 } else { start - 1 - width(&label) };
        put(out, at, &label);
    }

    /// Text to the right of a lifeline, within its column where another lifeline follows.
    fn beside(&self, out: &mut [char], line: usize, mark: char, text: &str) {
        let x = self.x(line);
        out[x] = mark;
        let last = line + 1 == self.chart.lines.len();
        let room = if last { WIDEST + self.column / 2 - 3 } else { self.column - 3 };
        let gap = usize::from(!text.starts_with('╌'));
        put(out, x + 1 + gap, &shortened(text, room));
    }

    fn centre(&self, out: &mut [char], line: usize, text: &str) {
        let text = shortened(text, self.column - 1);
        put(out, self.x(line) - width(&text) / 2, &text);
    }
}

/// Writes `text` into a line of characters, as far as there is room.
fn put(out: &mut [char], at: usize, text: &str) {
    for (cell, c) in out.iter_mut().skip(at).zip(text.chars()) {
        *cell = c;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn a_chart_as_text() {
        let text = sample().to_text(ChartStyle { full: false });
        let expected = "
        init(0)          P(1)
1          ●─ run ─────────────────────▶<&Q>(2)
3          │               ●─ hs!7 ───────▶│
4          │               │               ●╌ buf!1
5          │               │               ●╌ buf!2
6          │ \"hello \"you\"\" │               │
7          │◀╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ buf?2 @5 ╌●
8          │               │               ┴
           │               │
   assertion violated: x < 1 && y > 2
";
        assert_eq!(format!("\n{text}"), expected);
    }

    #[test]
    fn a_lasso_is_drawn_as_a_loop() {
        let text = super::super::tests::lasso().to_text(ChartStyle { full: false });
        let expected = "
         a(0)        b(1)
1          ●╌ c!1     │
2          ●╌╌ c?1 @1▶│
3 ╭▶       ●╌ c!2     │
4 ╰─       ●╌╌ c?2 @3▶│
           │          │
     no progress
";
        let words = |text: &str| {
            text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        let marks = |text: &str| {
            words(text)
                .iter()
                .map(|line| line.split(' ').take(2).map(ToOwned::to_owned).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        assert_eq!(marks(&text)[3..5], marks(expected.trim_start_matches('\n'))[3..5], "{text}");
    }

    #[test]
    fn a_run_without_messages_shows_its_statements() {
        use super::super::tests::{local, process};
        let alive = [process(0, "a"), process(1, "b")];
        let mut chart = Chart::new("x", &alive);
        chart.step(1, &[local(1, "b", "a_rather_long_statement = with + a_long_expression")], &alive);
        chart.step(2, &[local(0, "a", "x = 1")], &alive);
        let text = chart.to_text(ChartStyle { full: false });
        let expected = "
             a(0)                    b(1)
1              │                       ■ a_rather_long_statement = with + a_lon…
2              ■ x = 1                 │
";
        assert_eq!(format!("\n{text}"), expected);
    }
}
