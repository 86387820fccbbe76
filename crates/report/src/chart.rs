//! A message sequence chart: one lifeline for each process, time downwards, an arrow for every message.
//!
//! [`Chart`] turns the moves of a run into rows, one event each; `chart/text.rs` and `chart/svg.rs` only draw
//! them. A rendezvous is one row. A message through a buffer is two, the send and the receive, paired by the
//! channel's identity: the oldest message on the way with the same fields (a random receive may overtake, so
//! that first-in first-out alone would draw wrong arrows), or else the oldest. Bytes of a stream are paired
//! by how many they are: an arrow leads from the send of the last byte that a receive takes.
//!
//! Process numbers are used again after a process died, so a lifeline is not a number: every start is a new
//! one. A run without any message shows its statements instead, because an empty chart would show nothing.

mod svg;
mod text;

use crate::paint::visible;
use crate::steps::{message_text, process_label, reads_text, shortened};
use allways_model::{Message, MessageDirection, Move, Process};
use std::collections::{HashMap, HashSet, VecDeque};

/// Rows kept at each end when a long chart is elided.
const ENDS: usize = 150;

/// Whether a chart is drawn whole.
#[derive(Clone, Copy, Debug)]
pub struct ChartStyle {
    /// Whether to draw every row, however many there are.
    pub full: bool,
}

/// A chart that grows step by step.
pub struct Chart {
    title: String,
    lines: Vec<Lifeline>,
    rows: Vec<Row>,
    current: HashMap<u32, usize>,
    on_the_way: HashMap<u32, VecDeque<Sent>>,
    handshake: Option<(u32, usize, String)>,
    end: Option<String>,
    /// The number of the first step of the cycle, if the run repeats one infinitely often.
    again: Option<u64>,
}

/// One process from its start to its death.
struct Lifeline {
    label: String,
    name: String,
    /// The row of its start; `None` if it was there from the beginning.
    start: Option<usize>,
    /// The row of its death.
    end: Option<usize>,
}

/// A message in a buffer.
struct Sent {
    row: usize,
    fields: Vec<String>,
    /// How many of its bytes are not received yet, if it is part of a stream.
    n_left: Option<u32>,
}

/// One event.
struct Row {
    step: u64,
    event: Event,
}

enum Event {
    /// A process starts another.
    Start { by: usize, new: usize },
    /// A process is gone.
    End { line: usize },
    /// Send and receive in one.
    Handshake { from: usize, to: usize, label: String },
    /// Into a buffer.
    Send { line: usize, label: String },
    /// Out of a buffer; `sent` is the row of the send.
    Receive { line: usize, sent: Option<usize>, label: String },
    /// What a process printed.
    Output { line: usize, text: String },
    /// Anything else a process did.
    Local { line: usize, text: String },
}

/// A drawn row: the index of an event, or a gap that replaces this many rows.
enum Drawn {
    Row(usize),
    Gap(usize),
}

impl Chart {
    /// A chart of a run that begins with these processes.
    #[must_use]
    pub fn new(title: &str, initial: &[Process]) -> Self {
        let mut chart = Self {
            title: visible(title).into_owned(),
            lines: Vec::new(),
            rows: Vec::new(),
            current: HashMap::new(),
            on_the_way: HashMap::new(),
            handshake: None,
            end: None,
            again: None,
        };
        for process in initial {
            chart.lifeline(process.id, &process.name, None);
        }
        chart
    }

    /// Adds a step and the processes that are alive after it.
    pub fn step(&mut self, number: u64, moves: &[Move], alive: &[Process]) {
        self.handshake = None;
        for step in moves {
            self.add_move(number, step);
        }
        self.bury(number, alive);
    }

    /// Writes `text` across the end of the chart.
    pub fn finish(&mut self, text: &str) {
        self.end = Some(visible(text).into_owned());
    }

    /// The run never ends: it repeats the step `number` and all after it.
    pub fn repeat_from(&mut self, number: u64) {
        self.again = Some(number);
    }

    /// The first and the last of the drawn rows that the run repeats, if there are any.
    fn repeated(&self, drawn: &[Drawn]) -> Option<(usize, usize)> {
        let again = self.again?;
        let is_repeated = |row: &usize| self.rows[*row].step >= again;
        let rows =
            || drawn.iter().filter_map(|one| if let Drawn::Row(row) = one { Some(*row) } else { None });
        Some((rows().find(is_repeated)?, rows().rfind(is_repeated)?))
    }

    fn lifeline(&mut self, id: u32, name: &str, start: Option<usize>) -> usize {
        let line = self.lines.len();
        self.lines.push(Lifeline { label: process_label(name, id), name: name.into(), start, end: None });
        if let Some(old) = self.current.insert(id, line) {
            self.lines[old].end.get_or_insert(self.rows.len());
        }
        line
    }

    fn push(&mut self, step: u64, event: Event) -> usize {
        self.rows.push(Row { step, event });
        self.rows.len() - 1
    }

    fn add_move(&mut self, number: u64, step: &Move) {
        // Who only looks on is not in the picture.
        let Some(process) = step.process else { return };
        let line = match self.current.get(&process) {
            Some(line) => *line,
            None => self.lifeline(process, &step.process_name, Some(self.rows.len())),
        };
        match &step.message {
            Some(message) => self.add_message(number, line, step, message),
            None if step.started.is_none() && step.output.is_empty() => {
                let text = visible(&step.text).into_owned();
                let text = match reads_text(step) {
                    Some(reads) => format!("{text}  ({reads})"),
                    None => text,
                };
                self.push(number, Event::Local { line, text });
            }
            None => {}
        }
        if !step.output.is_empty() {
            let text = visible(step.output.trim_end_matches('\n')).into_owned();
            self.push(number, Event::Output { line, text });
        }
        if let Some((id, name)) = &step.started {
            let new = self.lifeline(*id, name, Some(self.rows.len()));
            self.push(number, Event::Start { by: line, new });
        }
    }

    fn add_message(&mut self, number: u64, line: usize, step: &Move, message: &Message) {
        let channel = message.channel_id;
        let label = message_text(message);
        match (message.direction, message.rendezvous) {
            (MessageDirection::Send, false) => {
                let row = self.push(number, Event::Send { line, label });
                let sent = Sent { row, fields: message.fields.clone(), n_left: message.n_bytes };
                self.on_the_way.entry(channel).or_default().push_back(sent);
            }
            (MessageDirection::Receive, false) => {
                let sent = match message.n_bytes {
                    Some(n) => self.take_bytes(channel, n),
                    // `ch?<x>` reads a message and leaves it where it is.
                    None => self.take(channel, &message.fields, step.text.contains("?<")),
                };
                self.push(number, Event::Receive { line, sent, label });
            }
            (MessageDirection::Send, true) => self.handshake = Some((channel, line, label)),
            (MessageDirection::Receive, true) => match self.handshake.take() {
                Some((sender, from, label)) if sender == channel => {
                    self.push(number, Event::Handshake { from, to: line, label });
                }
                _ => {
                    self.push(number, Event::Receive { line, sent: None, label });
                }
            },
        }
    }

    /// The row of the send that a receive belongs to.
    fn take(&mut self, channel: u32, fields: &[String], leave: bool) -> Option<usize> {
        let queue = self.on_the_way.get_mut(&channel)?;
        let place = queue.iter().position(|sent| sent.fields == fields).unwrap_or(0);
        let row = queue.get(place)?.row;
        if !leave {
            queue.remove(place);
        }
        Some(row)
    }

    /// The row of the send of which a receive of `n` bytes takes the last one.
    fn take_bytes(&mut self, channel: u32, mut n: u32) -> Option<usize> {
        let queue = self.on_the_way.get_mut(&channel)?;
        let mut row = None;
        while let Some(sent) = queue.front_mut().filter(|_| n > 0) {
            row = Some(sent.row);
            let left = sent.n_left.unwrap_or(0);
            let taken = left.min(n);
            n -= taken;
            sent.n_left = Some(left - taken);
            if left == taken {
                queue.pop_front();
            }
        }
        row
    }

    /// Ends the lifelines of the processes that are not alive any more.
    fn bury(&mut self, number: u64, alive: &[Process]) {
        let alive: HashSet<(u32, &str)> = alive.iter().map(|p| (p.id, &*p.name)).collect();
        let mut dead: Vec<(u32, usize)> = (self.current.iter())
            .map(|(id, line)| (*id, *line))
            .filter(|(id, line)| !alive.contains(&(*id, &*self.lines[*line].name)))
            .collect();
        dead.sort_unstable();
        for (id, line) in dead {
            self.current.remove(&id);
            let row = self.push(number, Event::End { line });
            self.lines[line].end = Some(row);
        }
    }

    /// The rows to draw, in order.
    fn drawn(&self, style: ChartStyle) -> Vec<Drawn> {
        let talks = self.rows.iter().any(|row| row.event.is_message());
        // What is repeated is shown in any case.
        let is_again = |row: &Row| self.again.is_some_and(|again| row.step >= again);
        let talks_again = self.rows.iter().any(|row| is_again(row) && !row.event.is_local());
        let is_drawn = |row: &Row| !talks || !row.event.is_local() || (is_again(row) && !talks_again);
        let mut rows: Vec<usize> = (0..self.rows.len()).filter(|idx| is_drawn(&self.rows[*idx])).collect();
        if style.full || rows.len() <= 2 * ENDS + 4 {
            return rows.into_iter().map(Drawn::Row).collect();
        }
        let tail = rows.split_off(rows.len() - ENDS);
        let gap = rows.len() - ENDS;
        rows.truncate(ENDS);
        (rows.into_iter().map(Drawn::Row))
            .chain([Drawn::Gap(gap)])
            .chain(tail.into_iter().map(Drawn::Row))
            .collect()
    }
}

impl Event {
    fn is_message(&self) -> bool {
        matches!(self, Self::Handshake { .. } | Self::Send { .. } | Self::Receive { .. })
    }

    fn is_local(&self) -> bool {
        matches!(self, Self::Local { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn process(id: u32, name: &str) -> Process {
        Process {
            id,
            name: name.into(),
            location: None,
            at: String::new(),
            may_end: false,
            stack: Vec::new(),
        }
    }

    pub(super) fn local(id: u32, name: &str, text: &str) -> Move {
        Move {
            process: Some(id),
            process_name: name.into(),
            location: None,
            text: text.into(),
            output: String::new(),
            message: None,
            reads: Vec::new(),
            changes: Vec::new(),
            started: None,
        }
    }

    pub(super) fn message(id: u32, name: &str, text: &str, rendezvous: bool) -> Move {
        let place = text.find(['!', '?']).unwrap();
        let sends = text.as_bytes()[place] == b'!';
        let fields = text[place + 1..].trim_matches(['?', '<', '>']);
        let message = Message {
            direction: if sends { MessageDirection::Send } else { MessageDirection::Receive },
            channel: text[..place].into(),
            channel_id: 1,
            rendezvous,
            fields: fields.split(',').map(Into::into).collect(),
            n_bytes: None,
        };
        Move { message: Some(message), ..local(id, name, text) }
    }

    /// A run with a start, a handshake, two messages through a buffer, something printed and a death.
    pub(super) fn sample() -> Chart {
        let (init, p, q) = (process(0, "init"), process(1, "P"), process(2, "<&Q>"));
        let mut chart = Chart::new("x.pml", &[init.clone(), p.clone()]);
        let all = [init.clone(), p.clone(), q];
        let mut run = local(0, "init", "run Q()");
        run.started = Some((2, "<&Q>".into()));
        chart.step(1, &[run], &all);
        chart.step(2, &[local(1, "P", "x = 1")], &all);
        chart.step(3, &[message(1, "P", "hs!7", true), message(2, "<&Q>", "hs?7", true)], &all);
        chart.step(4, &[message(2, "<&Q>", "buf!1", false)], &all);
        chart.step(5, &[message(2, "<&Q>", "buf!2", false)], &all);
        let mut print = local(0, "init", "printf(...)");
        print.output = "hello \"you\"\n".into();
        chart.step(6, &[print], &all);
        chart.step(7, &[message(0, "init", "buf??2", false)], &all);
        chart.step(8, &[local(2, "<&Q>", "-end-")], &[init, p]);
        chart.finish("assertion violated: x < 1 && y > 2");
        chart
    }

    #[test]
    fn a_receive_may_take_parts_of_several_sends() {
        let processes = [process(0, "a"), process(1, "b")];
        let bytes = |id, text: &str, n| {
            let mut step = message(id, "x", text, false);
            step.message.as_mut().unwrap().n_bytes = Some(n);
            step
        };
        let mut chart = Chart::new("x", &processes);
        let steps = [bytes(0, "c!abc", 3), bytes(0, "c!d", 1), bytes(1, "c?ab", 2), bytes(1, "c?cd", 2)];
        steps.into_iter().zip(1..).for_each(|(step, number)| chart.step(number, &[step], &processes));
        assert_eq!(pairs(&chart), [(2, Some(0)), (3, Some(1))]);
    }

    fn pairs(chart: &Chart) -> Vec<(usize, Option<usize>)> {
        (chart.rows.iter().enumerate())
            .filter_map(|(row, r)| match r.event {
                Event::Receive { sent, .. } => Some((row, sent)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn a_receive_finds_its_send() {
        let mut chart = Chart::new("x", &[process(0, "a"), process(1, "b")]);
        let alive = [process(0, "a"), process(1, "b")];
        let run = [
            (0, "c!1"),
            (0, "c!2"),
            (0, "c!1"),
            (1, "c??2"),
            (1, "c?<1>"),
            (1, "c?1"),
            (1, "c?1"),
            (1, "c?1"),
        ];
        for (number, (id, text)) in run.into_iter().enumerate() {
            chart.step(number as u64, &[message(id, "ab", text, false)], &alive);
        }
        let steps: Vec<_> =
            pairs(&chart).into_iter().map(|(_, sent)| sent.map(|row| chart.rows[row].step)).collect();
        // Step 1 sent the only 2; a copy leaves the message of step 0 where it is; the last receive finds
        // nothing.
        assert_eq!(steps, [Some(1), Some(0), Some(0), Some(2), None]);
    }

    #[test]
    fn a_number_used_again_is_a_new_lifeline() {
        let root = process(0, "init");
        let mut chart = Chart::new("x", std::slice::from_ref(&root));
        for number in [1, 3] {
            let mut run = local(0, "init", "run P()");
            run.started = Some((1, "P".into()));
            chart.step(number, &[run], &[root.clone(), process(1, "P")]);
            chart.step(number + 1, &[local(1, "P", "-end-")], std::slice::from_ref(&root));
        }
        assert_eq!(chart.lines.len(), 3);
        assert!(chart.lines[1].end < chart.lines[2].start && chart.lines[2].end.is_some());
    }

    /// A run of two messages, the second of which is repeated infinitely often with its answer.
    pub(super) fn lasso() -> Chart {
        let alive = [process(0, "a"), process(1, "b")];
        let mut chart = Chart::new("x", &alive);
        chart.step(1, &[message(0, "a", "c!1", false)], &alive);
        chart.step(2, &[message(1, "b", "c?1", false)], &alive);
        chart.step(3, &[message(0, "a", "c!2", false)], &alive);
        chart.step(4, &[message(1, "b", "c?2", false)], &alive);
        chart.finish("no progress");
        chart.repeat_from(3);
        chart
    }

    #[test]
    fn what_is_repeated_is_drawn_even_without_messages() {
        let alive = [process(0, "a"), process(1, "b")];
        let mut chart = Chart::new("x", &alive);
        chart.step(1, &[message(0, "a", "c!1", false)], &alive);
        chart.step(2, &[local(0, "a", "x = 1")], &alive);
        chart.step(3, &[local(0, "a", "x = 0")], &alive);
        chart.repeat_from(2);
        let drawn = chart.drawn(ChartStyle { full: false });
        assert_eq!((drawn.len(), chart.repeated(&drawn)), (3, Some((1, 2))));
    }

    #[test]
    fn a_long_chart_is_elided() {
        let alive = [process(0, "a")];
        let mut chart = Chart::new("x", &alive);
        (1..=1000).for_each(|k| chart.step(k, &[local(0, "a", "x++")], &alive));
        let drawn = chart.drawn(ChartStyle { full: false });
        assert_eq!(drawn.len(), 2 * ENDS + 1);
        assert!(matches!(drawn[ENDS], Drawn::Gap(700)));
        assert_eq!(chart.drawn(ChartStyle { full: true }).len(), 1000);
    }
}
