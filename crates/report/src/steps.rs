//! A run as a table: numbered steps with process, place, statement and what it changed.
//!
//! The table is written as the steps come, because a depth-first counterexample may have millions of them.
//! Column widths are taken from the first page of rows and stay as they are; a later row that is wider pushes
//! its own line only. With [`StepTable::elided`] the middle of a long run is omitted, and the table says so.

use crate::figures::{count, plural};
use crate::paint::{Paint, visible};
use allways_model::{Change, Location, Message, MessageDirection, Move, Read};
use std::io::{self, Write};

/// Rows gathered before the column widths are fixed.
const PAGE: usize = 256;
/// A statement wider than this does not widen its column.
const WIDEST_STATEMENT: usize = 36;
/// The greatest length of a line with notes. Longer notes are put on separate lines.
const WIDEST_LINE: usize = 110;
/// More values read in one move are counted.
const MOST_READS: usize = 3;
/// Of an elided run, this many first steps are shown...
const HEAD: u64 = 20;
/// ...and this many last ones.
const TAIL: u64 = 40;

/// A process as every table and chart names it: `sender(2)`; a participant that is not a process, by its name
/// alone. A name that cannot be an identifier, such as `:init:`, loses its colons.
#[must_use]
pub fn process_label(name: &str, id: impl Into<Option<u32>>) -> String {
    let name = visible(name.trim_matches(':'));
    id.into().map_or_else(|| name.to_string(), |id| format!("{name}({id})"))
}

struct Row {
    number: String,
    who: String,
    place: String,
    what: String,
    notes: Vec<Note>,
}

enum Note {
    Change(String),
    Output(String),
    Message(String),
    Read(String),
}

#[derive(Clone, Copy, Default)]
struct Widths {
    number: usize,
    who: usize,
    place: usize,
    what: usize,
}

/// Writes the steps of a run as they come. Every call is given the output, so that others can write between.
pub struct StepTable {
    paint: Paint,
    n_steps: Option<u64>,
    page: Vec<Row>,
    widths: Option<Widths>,
    gap_written: bool,
}

impl StepTable {
    /// A table of every step.
    #[must_use]
    pub fn full(paint: Paint) -> Self {
        Self { paint, n_steps: None, page: Vec::new(), widths: None, gap_written: false }
    }

    /// A table of a run of `n_steps`, without its middle if it is long.
    #[must_use]
    pub fn elided(paint: Paint, n_steps: u64) -> Self {
        Self { n_steps: Some(n_steps), ..Self::full(paint) }
    }

    /// Whether the step `number`, counted from one, is shown; one that is not needs no explanation.
    #[must_use]
    pub fn shows(&self, number: u64) -> bool {
        // A gap that hides only a line or two is longer than what it hides.
        let elide = self.n_steps.filter(|n| *n > HEAD + TAIL + 4);
        elide.is_none_or(|n| number <= HEAD || number + TAIL > n)
    }

    /// Adds the step `number`, counted from one.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn step(&mut self, out: &mut dyn Write, number: u64, moves: &[Move]) -> io::Result<()> {
        if !self.shows(number) {
            return Ok(());
        }
        if number > HEAD && !self.gap_written && !self.shows(number - 1) {
            self.gap_written = true;
            let skipped = self.n_steps.unwrap_or(0) - HEAD - TAIL;
            let note = format!("{} left out, --full shows them", plural(skipped, "step"));
            self.push(out, Row::remark("...".into(), note))?;
        }
        if moves.is_empty() {
            self.push(out, Row::remark(count(number), "(nothing to show)".into()))?;
        }
        for (idx, step) in moves.iter().enumerate() {
            let number = if idx == 0 { count(number) } else { String::new() };
            self.push(out, Row::new(number, step))?;
        }
        Ok(())
    }

    /// Says something between two steps.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn remark(&mut self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        self.push(out, Row::remark(String::new(), text.into()))
    }

    fn push(&mut self, out: &mut dyn Write, row: Row) -> io::Result<()> {
        match self.widths {
            Some(widths) => row.write(out, self.paint, widths),
            None => {
                self.page.push(row);
                if self.page.len() >= PAGE { self.show_now(out) } else { Ok(()) }
            }
        }
    }

    /// Writes what is still held back, at the end of a run or when the reader waits for it.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn show_now(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.widths.is_none() && !self.page.is_empty() {
            let widest =
                |part: fn(&Row) -> &str| self.page.iter().map(|row| width(part(row))).max().unwrap_or(0);
            // The numbers to come are at least as long as the last one of the run.
            let last = self.n_steps.map_or(0, |n| count(n).len());
            self.widths = Some(Widths {
                number: widest(|row| &row.number).max(last),
                who: widest(|row| &row.who),
                place: widest(|row| &row.place),
                what: widest(|row| &row.what).min(WIDEST_STATEMENT),
            });
        }
        let widths = self.widths.unwrap_or_default();
        for row in self.page.drain(..) {
            row.write(out, self.paint, widths)?;
        }
        Ok(())
    }
}

impl Row {
    /// A row that belongs to no process.
    fn remark(number: String, what: String) -> Self {
        Self { number, who: String::new(), place: String::new(), what, notes: Vec::new() }
    }

    fn new(number: String, step: &Move) -> Self {
        let place = step.location.as_ref().map_or_else(String::new, place_text);
        let what = visible(&step.text).into_owned();
        let mut notes: Vec<Note> = Vec::new();
        if let Some(message) = &step.message {
            let text = message_text(message);
            // The two halves of a rendezvous are next to each other, so the values are written only once.
            let told = message.rendezvous && message.direction == MessageDirection::Receive;
            if !told && bare(&text) != bare(&what) {
                notes.push(Note::Message(text));
            }
        }
        let own = step.process.map_or_else(String::new, |id| format!("{}({id}):", step.process_name));
        let child =
            step.started.as_ref().map(|(id, name)| (format!("{name}({id}):"), process_label(name, *id)));
        if let Some((prefix, label)) = &child {
            notes.push(Note::Message(format!("starts {label}{}", born(&step.changes, prefix))));
        }
        notes.extend(reads_text(step).map(Note::Read));
        for change in &step.changes {
            let is_born = child.as_ref().is_some_and(|(prefix, _)| change.name.starts_with(prefix.as_str()));
            // That the variables of a process go with it needs no saying.
            let dies = change.to.is_none() && !own.is_empty() && change.name.starts_with(&own);
            if !is_born && !dies {
                notes.push(Note::Change(change_text(change, &own)));
            }
        }
        if !step.output.is_empty() {
            notes.push(Note::Output(format!("prints \"{}\"", visible(&step.output))));
        }
        Self { number, who: process_label(&step.process_name, step.process), place, what, notes }
    }

    fn write(&self, out: &mut dyn Write, paint: Paint, w: Widths) -> io::Result<()> {
        let number = format!("{:>1$}", self.number, w.number);
        write!(
            out,
            "  {}  {}  {}  {}",
            paint.dim(&number),
            paint.process(&pad(&self.who, w.who)),
            paint.dim(&pad(&self.place, w.place)),
            self.what,
        )?;
        let indent = 8 + w.number + width(&self.who).max(w.who) + width(&self.place).max(w.place);
        let blank = w.what.saturating_sub(width(&self.what));
        let mut column = indent + width(&self.what) + blank;
        for (idx, note) in self.notes.iter().enumerate() {
            let (text, painted) = match note {
                Note::Change(text) => (text, paint.change(text)),
                Note::Output(text) => (text, paint.output(text)),
                Note::Message(text) => (text, paint.bold(text)),
                Note::Read(text) => (text, paint.dim(text)),
            };
            let gap = if idx == 0 { format!("{:1$}", "", blank + 2) } else { ", ".into() };
            if column + 2 + width(text) > WIDEST_LINE && column > indent + 4 {
                writeln!(out, "{}", if idx == 0 { "" } else { "," })?;
                write!(out, "{:1$}{painted}", "", indent + 4)?;
                column = indent + 4 + width(text);
            } else {
                write!(out, "{gap}{painted}")?;
                column += 2 + width(text);
            }
        }
        writeln!(out)
    }
}

/// A place without its directories, which a table would only repeat: `peterson.pml:12`.
pub(crate) fn place_text(at: &Location) -> String {
    format!("{}:{}", at.file.rsplit(['/', '\\']).next().unwrap_or(&at.file), at.line)
}

/// `text` cut to `width` characters, with a mark where it was cut.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.into();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// The number of characters, as a stand-in for columns.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// `text` with blanks up to `width` characters.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text:width$}")
}

/// A message with its values: `ch!1,2`; or what of a stream is sent or received.
pub(crate) fn message_text(message: &Message) -> String {
    if let Some(n) = message.n_bytes {
        let verb = match message.direction {
            MessageDirection::Send => "sends",
            MessageDirection::Receive => "receives",
        };
        let (bytes, text) = (crate::plural(u64::from(n), "byte"), message.fields.join(","));
        return format!("{verb} {bytes} {} on {}", visible(&text), visible(&message.channel));
    }
    let mark = match message.direction {
        MessageDirection::Send => '!',
        MessageDirection::Receive => '?',
    };
    format!("{}{mark}{}", visible(&message.channel), visible(&message.fields.join(",")))
}

/// The values that a move read, such as `reads x = 1, y = 2 and 3 more`. One that was changed too is shown by
/// the change.
pub(crate) fn reads_text(step: &Move) -> Option<String> {
    let is_shown = |read: &&Read| {
        let is_its = |change: &Change| change.name == read.name && change.from.as_ref() == Some(&read.value);
        !step.changes.iter().any(is_its)
    };
    let reads: Vec<&Read> = step.reads.iter().filter(is_shown).collect();
    let texts: Vec<String> = (reads.iter().take(MOST_READS))
        .map(|read| format!("{} = {}", visible(&read.name), visible(&read.value)))
        .collect();
    let more = reads.len().checked_sub(MOST_READS).filter(|n| *n > 0);
    let more = more.map_or_else(String::new, |n| format!(" and {n} more"));
    (!texts.is_empty()).then(|| format!("reads {}{more}", texts.join(", ")))
}

/// The variables that a new process begins with, in parentheses.
fn born(changes: &[Change], prefix: &str) -> String {
    let values: Vec<String> = (changes.iter())
        .filter_map(|change| {
            let name = change.name.strip_prefix(prefix)?;
            Some(format!("{} = {}", visible(name), visible(change.to.as_deref()?)))
        })
        .collect();
    if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) }
}

/// A change as the process `own` sees it: its own variables need no prefix.
fn change_text(change: &Change, own: &str) -> String {
    let name = visible(change.name.strip_prefix(own).unwrap_or(&change.name));
    match (change.from.as_deref(), change.to.as_deref()) {
        (Some(from), Some(to)) => {
            let (from, to) = contents(from, to);
            format!("{name}: {} -> {}", visible(from), visible(to))
        }
        (None, Some(to)) => format!("{name}: new {}", visible(to)),
        (Some(from), None) => format!("{name}: {} -> gone", visible(from)),
        (None, None) => name.into_owned(),
    }
}

/// Of two values that differ only in what stands between their brackets, such as `channel 1 [2,3]`, that
/// part.
fn contents<'a>(from: &'a str, to: &'a str) -> (&'a str, &'a str) {
    match (from.find('['), to.find('[')) {
        (Some(a), Some(b)) if from[..a] == to[..b] => (&from[a..], &to[b..]),
        _ => (from, to),
    }
}

/// A text without blanks and without what only separates, to tell whether two texts say the same.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | ',')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Paint;

    fn step(process: u32, name: &str, line: u32, text: &str) -> Move {
        Move {
            process: Some(process),
            process_name: name.into(),
            location: Some(Location { file: "dir/x.pml".into(), line, column: 1 }),
            text: text.into(),
            output: String::new(),
            message: None,
            reads: Vec::new(),
            changes: Vec::new(),
            started: None,
        }
    }

    fn change(name: &str, from: Option<&str>, to: Option<&str>) -> Change {
        Change { name: name.into(), from: from.map(Into::into), to: to.map(Into::into) }
    }

    fn text(fill: impl FnOnce(&mut dyn FnMut(u64, &[Move])), n_steps: Option<u64>) -> String {
        let mut out = Vec::new();
        let mut table = StepTable { n_steps, ..StepTable::full(Paint::plain()) };
        fill(&mut |number, moves| table.step(&mut out, number, moves).unwrap());
        table.show_now(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_step_shows_what_happened() {
        let mut send = step(0, "sender", 4, "ch!x,y");
        send.message = Some(Message {
            direction: MessageDirection::Send,
            channel: "ch".into(),
            channel_id: 1,
            rendezvous: true,
            fields: vec!["1".into(), "2".into()],
            n_bytes: None,
        });
        let mut receive = step(12, "receiver", 104, "ch?1,z");
        receive.changes = vec![
            change("receiver(12):z", Some("0"), Some("2")),
            change("ch", Some("channel 1 [1,2]"), Some("channel 1 []")),
            change("receiver(12):t", Some("3"), None),
        ];
        receive.output = "got\n".into();
        let mut run = step(0, "sender", 5, "run p()");
        run.started = Some((2, "p".into()));
        run.changes = vec![change("p(2):a", None, Some("1")), change("p(2):b", None, Some("0"))];
        let shown = text(
            |add| {
                add(1, &[send, receive]);
                add(2, &[run]);
                add(3, &[]);
            },
            None,
        );
        assert_eq!(
            shown,
            "  \
            1  sender(0)     x.pml:4    ch!x,y             ch!1,2\n     \
               receiver(12)  x.pml:104  ch?1,z             z: 0 -> 2, ch: [1,2] -> [], prints \"got\\n\"\n  \
            2  sender(0)     x.pml:5    run p()            starts p(2) (a = 1, b = 0)\n  \
            3                           (nothing to show)\n"
        );
    }

    #[test]
    fn a_step_shows_what_it_read() {
        let read = |name: &str, value: &str| Read { name: name.into(), value: value.into() };
        let mut first = step(0, "p", 1, "x = y");
        first.reads = vec![read("y", "1"), read("x", "0"), read("z", "7")];
        first.changes = vec![change("x", Some("0"), Some("1")), change("z", Some("6"), Some("8"))];
        let mut many = step(0, "p", 2, "sum");
        many.reads = (0..5).map(|k| read(&format!("a[{k}]"), "0")).collect();
        assert_eq!(
            text(
                |add| {
                    add(1, &[first]);
                    add(2, &[many]);
                },
                None
            ),
            "  1  p(0)  x.pml:1  x = y  reads y = 1, z = 7, x: 0 -> 1, z: 6 -> 8\n  \
             2  p(0)  x.pml:2  sum    reads a[0] = 0, a[1] = 0, a[2] = 0 and 2 more\n"
        );
    }

    #[test]
    fn a_long_run_is_elided_in_the_middle() {
        let n = 2_000;
        let all = |add: &mut dyn FnMut(u64, &[Move])| {
            for number in 1..=n {
                add(number, &[step(0, "p", 1, "skip")]);
            }
        };
        let elided = text(all, Some(n));
        assert_eq!(elided.lines().count() as u64, HEAD + TAIL + 1);
        assert!(
            elided.contains("    ...                 1,940 steps left out, --full shows them\n"),
            "{elided}"
        );
        assert!(elided.contains("     20  p(0)") && elided.contains("  1,961  p(0)"), "{elided}");
        assert_eq!(text(all, None).lines().count() as u64, n);
        let short = HEAD + TAIL + 4;
        let shown = text(|add| (1..=short).for_each(|k| add(k, &[step(0, "p", 1, "skip")])), Some(short));
        assert_eq!(shown.lines().count() as u64, short);
    }

    #[test]
    fn many_changes_go_on_lines_of_their_own() {
        let mut wide = step(0, "p", 1, "init");
        wide.changes = (0..40).map(|k| change(&format!("array[{k}]"), Some("0"), Some("100"))).collect();
        let shown = text(|add| add(1, &[wide]), None);
        assert!(
            shown.lines().count() > 4 && shown.lines().all(|line| line.len() <= WIDEST_LINE + 1),
            "{shown}"
        );
    }
}
