//! The reference's network: connections as pairs of ends in one list, in the order in which they were made.

use std::collections::VecDeque;

/// What an operation comes to.
pub(super) enum Outcome {
    Value(usize),
    Failed(&'static str),
    Waits,
}

use Outcome::{Failed, Value, Waits};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct End {
    /// The process that has it; none while it waits to be accepted.
    owner: Option<usize>,
    is_closed: bool,
    n_unread: usize,
    /// The other end sent the end of the stream.
    fin: bool,
    /// The other end sent a reset.
    rst: bool,
    /// The reset, or what came of a write after it, is still to be reported.
    to_report: Option<&'static str>,
    read_reset: bool,
    half_closed: bool,
    /// How many unread bytes the program knows of.
    n_known: usize,
    /// A read gave the end of the stream.
    read_end: bool,
    /// Nothing arrives any more, at either end.
    silent: bool,
    n_wasted: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Server {
    port: u16,
    room: usize,
    queue: VecDeque<usize>,
    is_open: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Kernel {
    /// The end at `2n` made a connection, to the end at `2n + 1`.
    ends: Vec<End>,
    servers: Vec<Option<Server>>,
    buffer: usize,
}

impl Kernel {
    pub(super) fn new(n_processes: usize, buffer: usize) -> Self {
        Self { ends: Vec::new(), servers: vec![None; n_processes], buffer }
    }

    fn other(&mut self, end: usize) -> &mut End {
        &mut self.ends[end ^ 1]
    }

    pub(super) fn listen(&mut self, process: usize, port: u16, backlog: u16) {
        let room = usize::from(backlog) + 1;
        self.servers[process] = Some(Server { port, room, queue: VecDeque::new(), is_open: true });
    }

    pub(super) fn connect(&mut self, process: usize, port: u16) -> Outcome {
        let first = self.ends.len();
        let server = self.servers.iter_mut().flatten().find(|server| server.port == port && server.is_open);
        let Some(server) = server else { return Failed("Connection refused") };
        if server.queue.len() >= server.room {
            return Waits;
        }
        server.queue.push_back(first + 1);
        self.ends.push(End { owner: Some(process), ..End::default() });
        self.ends.push(End::default());
        Value(first)
    }

    pub(super) fn accept(&mut self, process: usize) -> Outcome {
        let Some(server) = self.servers[process].as_mut().filter(|server| server.is_open) else {
            return Failed("closed");
        };
        let Some(end) = server.queue.pop_front() else { return Waits };
        self.ends[end].owner = Some(process);
        Value(end)
    }

    pub(super) fn read(&mut self, end: usize, n: usize) -> Outcome {
        let end = &mut self.ends[end];
        if end.read_reset {
            return Failed("Connection reset");
        }
        if end.n_unread > 0 {
            let n = n.min(end.n_unread);
            end.n_unread -= n;
            end.n_known -= n.min(end.n_known);
            return Value(n);
        }
        if end.fin {
            end.read_end = true;
            return Value(usize::MAX);
        }
        if end.rst {
            if end.to_report.take().is_none() {
                return Value(usize::MAX);
            }
            end.read_reset = true;
            return Failed("Connection reset");
        }
        Waits
    }

    pub(super) fn write(&mut self, end: usize, n: usize) -> Outcome {
        if self.ends[end].half_closed {
            return Failed("Socket output is shutdown");
        }
        if let Some(message) = self.ends[end].to_report.take() {
            return Failed(message);
        }
        if self.ends[end].rst {
            return Failed("Broken pipe");
        }
        let buffer = self.buffer;
        if self.ends[end].silent {
            let n = n.min(buffer - self.ends[end].n_wasted);
            self.ends[end].n_wasted += n;
            return if n == 0 { Waits } else { Value(n) };
        }
        let other = self.other(end);
        if other.is_closed {
            self.reset(end);
            return Value(n);
        }
        if other.n_unread >= buffer {
            return Waits;
        }
        let n = n.min(buffer);
        other.n_unread += n;
        Value(n)
    }

    /// Whether something on its way to an end could be lost.
    fn can_lose(&self, end: usize) -> bool {
        let end = &self.ends[end];
        !end.is_closed && (end.n_unread > end.n_known || (end.fin && !end.read_end))
    }

    fn lose(&mut self, end: usize) {
        let end = &mut self.ends[end];
        (end.n_unread, end.fin) = (end.n_known, end.fin && end.read_end);
    }

    /// The networks after a failure of the connection of an end that is about to read, or else to write.
    pub(super) fn struck(&self, end: usize, reads: bool, by_reset: bool) -> Vec<Self> {
        let own = &self.ends[end];
        let waits = own.silent || own.rst || (!reads && own.half_closed);
        let is_moot = match (by_reset, reads) {
            (true, _) => false,
            (false, true) => !self.can_lose(end),
            (false, false) => matches!(self.clone().write(end, 1), Waits),
        };
        if waits || own.read_end && reads || is_moot {
            return Vec::new();
        }
        let ways = if self.can_lose(end ^ 1) { 2 } else { 1 };
        let strike = |way: usize| {
            let mut next = self.clone();
            for (end, loses) in [(end, reads), (end ^ 1, way == 1)] {
                if loses {
                    next.lose(end);
                }
                if by_reset {
                    next.reset(end);
                } else {
                    next.ends[end].silent = true;
                }
            }
            next
        };
        (0..ways).map(strike).collect()
    }

    /// How many bytes a read of `n` may give where they may be late, or all of them.
    pub(super) fn sizes(&self, end: usize, n: usize, late: bool, short: bool) -> Vec<usize> {
        let most = n.min(self.ends[end].n_unread);
        match (late, short) {
            _ if most < 2 || self.ends[end].read_reset => vec![n],
            (true, _) => (self.ends[end].n_known.clamp(1, most)..=most).collect(),
            (false, true) => vec![1, n],
            (false, false) => vec![n],
        }
    }

    /// Whether all that a read would get may be late.
    pub(super) fn is_late(&self, end: usize) -> bool {
        let end = &self.ends[end];
        let unread = end.n_unread > 0 || (end.fin && !end.read_end);
        let reset = end.rst && end.to_report == Some("Connection reset by peer");
        end.n_known == 0 && (unread || (reset && !end.fin))
    }

    /// Whether a write would report a reset, which may be late.
    pub(super) fn has_late_reset(&self, end: usize) -> bool {
        !self.ends[end].half_closed && self.ends[end].to_report.is_some()
    }

    /// The program knows that so many bytes are there.
    pub(super) fn knows(&mut self, end: usize, n: usize) {
        let end = &mut self.ends[end];
        end.n_known = end.n_known.max(n);
    }

    pub(super) fn known(&self, end: usize) -> usize {
        self.ends[end].n_known
    }

    pub(super) fn has_ended(&self, end: usize) -> bool {
        self.ends[end].read_end
    }

    pub(super) fn is_half_closed(&self, end: usize) -> bool {
        self.ends[end].half_closed
    }

    pub(super) fn is_listening(&self, process: usize) -> bool {
        self.servers[process].as_ref().is_some_and(|server| server.is_open)
    }

    pub(super) fn listens(&self, port: u16) -> bool {
        self.servers.iter().flatten().any(|server| server.port == port && server.is_open)
    }

    /// An end gets a reset.
    fn reset(&mut self, end: usize) {
        let end = &mut self.ends[end];
        if !end.rst {
            end.rst = true;
            end.to_report = Some(if end.fin { "Broken pipe" } else { "Connection reset by peer" });
        }
    }

    pub(super) fn available(&self, end: usize) -> usize {
        self.ends[end].n_unread
    }

    pub(super) fn half_close(&mut self, end: usize) -> bool {
        let is_first = !std::mem::replace(&mut self.ends[end].half_closed, true);
        let goes_out = !self.ends[end].rst && !self.ends[end].silent;
        self.other(end).fin |= is_first && goes_out;
        is_first
    }

    /// With unread bytes the other end sees the end of the stream and a reset later, both at once, or the
    /// reset alone.
    pub(super) fn ways_to_close(&self, end: usize) -> usize {
        let (own, other) = (&self.ends[end], &self.ends[end ^ 1]);
        let sends = !other.is_closed && !own.rst && !own.silent;
        match (own.n_unread > 0 && sends, own.half_closed) {
            (false, _) => 1,
            (true, true) => 2,
            (true, false) => 3,
        }
    }

    pub(super) fn close(&mut self, end: usize, way: usize) {
        self.ends[end].is_closed = true;
        let is_dead = self.ends[end].rst || self.ends[end].silent;
        if way < 2 && !is_dead {
            self.other(end).fin |= !self.ends[end].half_closed;
        }
        if way > 0 && !is_dead {
            self.reset(end ^ 1);
        }
    }

    pub(super) fn close_server(&mut self, process: usize) {
        let Some(server) = self.servers[process].as_mut().filter(|server| server.is_open) else { return };
        server.is_open = false;
        for end in std::mem::take(&mut server.queue) {
            self.ends[end].is_closed = true;
            if !self.ends[end].rst && !self.ends[end].silent {
                self.reset(end ^ 1);
            }
        }
    }

    pub(super) fn end_process(&mut self, process: usize) {
        self.close_server(process);
        for end in 0..self.ends.len() {
            if self.ends[end].owner == Some(process) && !self.ends[end].is_closed {
                let is_unread = self.ends[end].n_unread > 0;
                self.close(end, if is_unread { 2 } else { 0 });
            }
        }
    }
}
