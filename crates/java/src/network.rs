//! The network between processes: TCP over loopback, as Linux has it. No real socket is ever opened.
//!
//! The network is a plain value: sockets in the order of their [`Id`]s. An identifier is the process and the
//! lowest free descriptor of that process, as POSIX assigns it, or, for a connection that waits to be
//! accepted, the listener and the place in its queue. So equal networks are equal values, whatever happened
//! before, and nothing refers to objects of any heap.
//!
//! Each end of a connection keeps what has arrived and not been read. Delivery is immediate: a byte that was
//! written is at the other end, as with `TCP_NODELAY`. A blocking operation cannot tell the difference, since
//! a late delivery is a later schedule.
//!
//! - `connect` succeeds while the queue of a listener has room (`backlog + 1` connections, as Linux counts),
//!   and waits while it is full. Nothing listens: refused.
//! - `close` sends the end of the stream. With unread bytes it also sends a reset, and the other end may see
//!   either first: that is a [choice](Network::n_closings). With `SO_LINGER` of zero, and when a process ends
//!   with unread bytes, only the reset is sent.
//! - A write to an end that is gone succeeds once and brings a reset; the next one fails. A reset is reported
//!   once, by the operation that meets it first. Bytes that had arrived before it can still be read.
//! - A write waits while the other end has [`Network::read`] less than the buffer's bound; then it is
//!   accepted, up to the bound at once. So only a read from a full buffer can let a writer go on.
//!
//! What may fail is in [`failures`].
//!
//! Not modelled: hosts other than the loopback, Nagle's algorithm, urgent data, `TIME_WAIT` (the JDK's server
//! sockets reuse addresses), out-of-order anything.

pub(crate) mod failures;
mod shown;
mod words;

/// A socket: `process << 24 | descriptor << 12`, or with [`QUEUED`] the listener that a connection waits for
/// and its place in the queue.
pub(crate) type Id = u32;

/// A bit of an [`Id`]: the end waits in the queue of a listener.
const QUEUED: u32 = 1 << 31;
/// Descriptors and places in queues are below this.
const MANY: u32 = 1 << 12;
/// The first port that is given to sockets which ask for none; each process has its own 256.
const FIRST_PORT: u32 = 49_152;
/// How many ports of its own a process has.
const N_PORTS: u32 = 256;

/// What is between processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Network {
    /// Sorted by identifiers.
    sockets: Vec<Socket>,
    /// Which of the processes that others wait for have listened or ended, a bit each.
    pub(crate) ready: u64,
    /// Which processes were asked to end by a failure, a bit each.
    pub(crate) terminated: u64,
    /// How many failures there were.
    pub(crate) n_failures: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Socket {
    id: Id,
    /// The local port; zero if it is not bound.
    port: u16,
    /// Whether closing it sends a reset (`SO_LINGER` of zero).
    lingers_zero: bool,
    /// Whether it shares its port with others that do, as long as none of them listens (`SO_REUSEADDR`).
    reuses: bool,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// Bound or connecting.
    Idle,
    /// Listens, with this bound for its queue. Until it is `complete` another socket may turn out to have the
    /// port.
    Listening { backlog: u16, complete: bool },
    /// One end of a connection.
    Connected(End),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct End {
    /// The other end; zero if it is gone.
    peer: Id,
    /// Whether there is another end.
    has_peer: bool,
    /// The other end's port.
    remote: u16,
    /// What has arrived.
    received: Vec<u8>,
    /// The end of the stream has arrived.
    fin: bool,
    /// A reset has arrived: no byte comes or goes any more.
    dead: bool,
    /// What the next operation reports.
    error: Pending,
    /// A read has reported a reset; further ones do the same.
    reset_seen: bool,
    /// Input was shut down here.
    no_input: bool,
    /// Output was shut down here.
    no_output: bool,
    /// The connection delivers nothing any more (see [`failures`]).
    is_silent: bool,
    /// How much was written since then.
    n_lost: u32,
    /// How many of the received bytes the program has seen to be there: no failure loses them.
    arrived: u32,
    /// A read has come to the end of the stream.
    fin_seen: bool,
}

/// An error that waits to be reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pending {
    #[default]
    None,
    /// `ECONNRESET`.
    Reset,
    /// `EPIPE`.
    Pipe,
}

/// Why an operation gives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It must wait.
    Wait,
    /// A message of the operating system or the JDK.
    Error(&'static str),
    /// This machine has no room for more.
    Full(&'static str),
}

use Refusal::{Error, Wait};

/// The message of a refused connection.
pub(crate) const REFUSED: &str = "Connection refused";
/// The message of a port that is in use.
pub(crate) const IN_USE: &str = "Address already in use";
const RESET: &str = "Connection reset";
const RESET_BY_PEER: &str = "Connection reset by peer";
const BROKEN: &str = "Broken pipe";

/// The process that a socket belongs to, if it does not wait in a queue.
#[must_use]
pub(crate) fn owner(id: Id) -> u32 {
    (id & !QUEUED) >> 24
}

fn place(listener: Id, at: u32) -> Id {
    QUEUED | listener | at
}

impl Network {
    /// Whether there is nothing to write down.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.sockets.is_empty() && (self.ready, self.terminated, self.n_failures) == (0, 0, 0)
    }

    fn at(&self, id: Id) -> Option<usize> {
        self.sockets.binary_search_by_key(&id, |socket| socket.id).ok()
    }

    fn get(&self, id: Id) -> Option<&Socket> {
        self.at(id).map(|at| &self.sockets[at])
    }

    fn get_mut(&mut self, id: Id) -> Option<&mut Socket> {
        self.at(id).map(|at| &mut self.sockets[at])
    }

    fn end(&self, id: Id) -> Option<&End> {
        match &self.get(id)?.state {
            State::Connected(end) => Some(end),
            _ => None,
        }
    }

    fn end_mut(&mut self, id: Id) -> Option<&mut End> {
        match &mut self.get_mut(id)?.state {
            State::Connected(end) => Some(end),
            _ => None,
        }
    }

    fn insert(&mut self, socket: Socket) {
        let at = self.sockets.partition_point(|known| known.id < socket.id);
        self.sockets.insert(at, socket);
    }

    fn remove(&mut self, id: Id) -> Option<Socket> {
        self.at(id).map(|at| self.sockets.remove(at))
    }

    /// Gives a socket another identifier, also at its other end.
    fn rename(&mut self, from: Id, to: Id) {
        let Some(mut socket) = self.remove(from) else { return };
        if let State::Connected(end) = &socket.state
            && end.has_peer
        {
            let peer = end.peer;
            if let Some(other) = self.end_mut(peer) {
                other.peer = to;
            }
        }
        socket.id = to;
        self.insert(socket);
    }

    /// A new socket of a process.
    ///
    /// # Errors
    /// If the process has too many.
    pub(crate) fn open(&mut self, process: u32) -> Result<Id, Refusal> {
        let taken =
            self.sockets.iter().filter(|socket| socket.id & QUEUED == 0 && owner(socket.id) == process);
        let mut descriptor = 0;
        for socket in taken {
            if socket.id >> 12 & (MANY - 1) != descriptor {
                break;
            }
            descriptor += 1;
        }
        if descriptor >= MANY {
            return Err(Refusal::Full("more than 4,096 open sockets of a process"));
        }
        let id = process << 24 | descriptor << 12;
        self.insert(Socket { id, port: 0, lingers_zero: false, reuses: false, state: State::Idle });
        Ok(id)
    }

    /// Binds a socket to a port; to a free one if that is zero. `reuses` is `SO_REUSEADDR`.
    ///
    /// # Errors
    /// If the port is in use.
    pub(crate) fn bind(&mut self, id: Id, port: u16, reuses: bool) -> Result<(), Refusal> {
        let port = if port == 0 { self.free_port(owner(id))? } else { port };
        let is_taken = |socket: &Socket| {
            let shares = reuses && socket.reuses && !matches!(socket.state, State::Listening { .. });
            socket.port == port && !shares
        };
        if self.sockets.iter().any(is_taken) {
            return Err(Error(IN_USE));
        }
        if let Some(socket) = self.get_mut(id) {
            (socket.port, socket.reuses) = (port, reuses);
        }
        Ok(())
    }

    fn free_port(&self, process: u32) -> Result<u16, Refusal> {
        let first = FIRST_PORT + N_PORTS * (process % 64);
        let is_free = |&port: &u16| !self.sockets.iter().any(|socket| socket.port == port);
        (first..first + N_PORTS)
            .map(|port| port as u16)
            .find(is_free)
            .ok_or(Refusal::Full("more than 256 ports that a process has not chosen itself"))
    }

    /// Listens. Where another socket is bound to the port, too, that takes two calls: of two that
    /// listen at the same time none may succeed.
    ///
    /// # Errors
    /// [`Wait`] after the first of two calls; or the port is in use.
    pub(crate) fn listen(&mut self, id: Id, backlog: u16) -> Result<(), Refusal> {
        let Some(socket) = self.get(id) else { return Ok(()) };
        let port = socket.port;
        let begun = matches!(socket.state, State::Listening { complete: false, .. });
        let others = || {
            self.sockets.iter().filter(|other| {
                other.port == port && other.id != id && !matches!(other.state, State::Connected(_))
            })
        };
        let is_alone = others().next().is_none();
        let is_taken = others().any(|other| matches!(other.state, State::Listening { .. }));
        let state = match (begun, is_alone, is_taken) {
            (false, false, _) => State::Listening { backlog, complete: false },
            (true, _, true) => State::Idle,
            _ => State::Listening { backlog, complete: true },
        };
        let done = match state {
            State::Idle => Err(Error(IN_USE)),
            State::Listening { complete: false, .. } => Err(Wait),
            _ => Ok(()),
        };
        if let Some(socket) = self.get_mut(id) {
            socket.state = state;
        }
        done
    }

    /// The connections that wait for a listener.
    fn n_queued(&self, listener: Id) -> u32 {
        let first = self.sockets.partition_point(|socket| socket.id < place(listener, 0));
        let queue = self.sockets[first..].iter();
        queue.take_while(|socket| socket.id & !(MANY - 1) == place(listener, 0)).count() as u32
    }

    /// Whether a connection could be waiting because the queue of a listener is full.
    #[must_use]
    pub(crate) fn is_full(&self, listener: Id) -> bool {
        match self.get(listener).map(|socket| &socket.state) {
            Some(State::Listening { backlog, .. }) => self.n_queued(listener) > u32::from(*backlog),
            _ => false,
        }
    }

    /// Connects a socket to whatever listens on a port.
    ///
    /// # Errors
    /// [`Wait`] while the queue is full; or the connection is refused.
    pub(crate) fn connect(&mut self, id: Id, port: u16) -> Result<(), Refusal> {
        let Some(listener) = self.listener(port) else { return Err(Error(REFUSED)) };
        if self.is_full(listener) {
            return Err(Wait);
        }
        let bound = self.get(id).map_or(0, |socket| socket.port);
        let local = if bound == 0 { self.free_port(owner(id))? } else { bound };
        let queued = place(listener, self.n_queued(listener));
        let end = |peer, remote| State::Connected(End { peer, has_peer: true, remote, ..End::default() });
        self.insert(Socket { id: queued, port, lingers_zero: false, reuses: true, state: end(id, local) });
        if let Some(socket) = self.get_mut(id) {
            socket.port = local;
            socket.state = end(queued, port);
        }
        Ok(())
    }

    /// Whether a connection waits for a listener.
    #[must_use]
    pub(crate) fn can_accept(&self, listener: Id) -> bool {
        self.get(place(listener, 0)).is_some()
    }

    /// Accepts the connection that has waited for longest; gives its socket.
    ///
    /// # Errors
    /// [`Wait`] if there is none.
    pub(crate) fn accept(&mut self, listener: Id) -> Result<Id, Refusal> {
        let n_queued = self.n_queued(listener);
        if n_queued == 0 {
            return Err(Wait);
        }
        let id = self.open(owner(listener))?;
        self.remove(id);
        self.rename(place(listener, 0), id);
        for at in 1..n_queued {
            self.rename(place(listener, at), place(listener, at - 1));
        }
        Ok(id)
    }

    /// Whether a read of up to `n` bytes gives the same whatever others do from now on, and lets no other
    /// one go on.
    #[must_use]
    pub(crate) fn read_is_settled(&self, id: Id, n: usize, bound: usize) -> bool {
        self.end(id).is_none_or(|end| {
            let there = end.received.len();
            end.reset_seen || end.no_input || (there >= n && there < bound) || (there == 0 && end.fin)
        })
    }

    /// Reads up to `n` bytes; none at the end of the stream.
    ///
    /// # Errors
    /// [`Wait`], or the connection was reset.
    pub(crate) fn read(&mut self, id: Id, n: usize) -> Result<Vec<u8>, Refusal> {
        let Some(end) = self.end_mut(id) else { return Err(Error("Not connected")) };
        if end.reset_seen {
            return Err(Error(RESET));
        }
        if end.no_input {
            return Ok(Vec::new());
        }
        if !end.received.is_empty() {
            let n = n.min(end.received.len());
            end.arrived = end.arrived.saturating_sub(n as u32);
            return Ok(end.received.drain(..n).collect());
        }
        if end.fin {
            end.fin_seen = true;
            return Ok(Vec::new());
        }
        if end.error == Pending::Reset {
            end.error = Pending::None;
            end.reset_seen = true;
            return Err(Error(RESET));
        }
        if end.dead { Ok(Vec::new()) } else { Err(Wait) }
    }

    /// Writes; gives how many bytes were accepted.
    ///
    /// # Errors
    /// [`Wait`] while the buffer is full; or the connection is broken.
    pub(crate) fn write(&mut self, id: Id, bytes: &[u8], bound: usize) -> Result<usize, Refusal> {
        let Some(end) = self.end_mut(id) else { return Err(Error("Not connected")) };
        match std::mem::take(&mut end.error) {
            Pending::Reset => return Err(Error(RESET_BY_PEER)),
            Pending::Pipe => return Err(Error(BROKEN)),
            Pending::None => {}
        }
        if end.dead || end.no_output {
            return Err(Error(BROKEN));
        }
        if end.is_silent {
            let room = bound.saturating_sub(end.n_lost as usize);
            if room == 0 {
                return Err(Wait);
            }
            let n = bytes.len().min(room);
            end.n_lost += n as u32;
            return Ok(n);
        }
        if !end.has_peer {
            end.dead = true;
            end.error = if end.fin { Pending::Pipe } else { Pending::Reset };
            return Ok(bytes.len());
        }
        let peer = end.peer;
        let Some(other) = self.end_mut(peer) else { return Ok(bytes.len()) };
        if other.received.len() >= bound {
            return Err(Wait);
        }
        let n = bytes.len().min(bound);
        other.received.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    /// How many bytes can be read at once.
    #[must_use]
    pub(crate) fn available(&self, id: Id) -> usize {
        self.end(id).map_or(0, |end| if end.no_input { 0 } else { end.received.len() })
    }

    /// Reads nothing any more from this end.
    pub(crate) fn shut_input(&mut self, id: Id) {
        if let Some(end) = self.end_mut(id) {
            end.no_input = true;
        }
    }

    /// Sends the end of the stream.
    pub(crate) fn shut_output(&mut self, id: Id) {
        let Some(end) = self.end_mut(id).filter(|end| !end.no_output) else { return };
        end.no_output = true;
        // After a reset nothing is sent any more.
        let (peer, has_peer) = (end.peer, end.has_peer && !end.dead);
        if let Some(other) = self.end_mut(peer).filter(|other| has_peer && !other.is_silent) {
            other.fin = true;
        }
    }

    /// Sets whether closing a socket sends a reset only.
    pub(crate) fn linger(&mut self, id: Id, zero: bool) {
        if let Some(socket) = self.get_mut(id) {
            socket.lingers_zero = zero;
        }
    }

    /// In how many ways closing a socket can look at the other end.
    #[must_use]
    pub(crate) fn n_closings(&self, id: Id) -> u32 {
        let Some(socket) = self.get(id) else { return 1 };
        match &socket.state {
            State::Connected(end) => {
                let is_unread = end.has_peer && !end.received.is_empty();
                if socket.lingers_zero || end.is_silent || end.dead || !is_unread {
                    return 1;
                }
                if end.no_output { 2 } else { 3 }
            }
            _ => 1,
        }
    }

    /// Closes a socket. `way` is below [`Network::n_closings`]: with unread bytes the other end may get the
    /// end of the stream and the reset later (0), the reset right after it (1), or notice the reset first
    /// (2).
    pub(crate) fn close(&mut self, id: Id, way: u32) {
        let Some(socket) = self.get(id) else { return };
        let lingers_zero = socket.lingers_zero;
        match &socket.state {
            State::Idle => {}
            State::Listening { .. } => self.reset_queue(id),
            State::Connected(end) => {
                let is_unread = !end.received.is_empty();
                if lingers_zero || way == 2 {
                    self.reset_other(id);
                } else {
                    self.shut_output(id);
                    if is_unread && way == 1 {
                        self.reset_other(id);
                    }
                }
                self.forget_by_other(id);
            }
        }
        self.remove(id);
    }

    /// The other end has none any more.
    fn forget_by_other(&mut self, id: Id) {
        let Some(peer) = self.end(id).filter(|end| end.has_peer).map(|end| end.peer) else { return };
        if let Some(other) = self.end_mut(peer) {
            (other.peer, other.has_peer) = (0, false);
        }
    }

    /// Sends a reset.
    fn reset_other(&mut self, id: Id) {
        let reaches = |end: &&End| end.has_peer && !end.dead && !end.is_silent;
        let Some(peer) = self.end(id).filter(reaches).map(|end| end.peer) else { return };
        if let Some(other) = self.end_mut(peer).filter(|other| !other.dead) {
            other.dead = true;
            other.error = if other.fin { Pending::Pipe } else { Pending::Reset };
        }
    }

    fn reset_queue(&mut self, listener: Id) {
        for at in 0..self.n_queued(listener) {
            let queued = place(listener, at);
            self.reset_other(queued);
            self.forget_by_other(queued);
            self.remove(queued);
        }
    }

    /// Whether a process has sockets.
    #[must_use]
    pub(crate) fn has_sockets(&self, process: u32) -> bool {
        self.sockets.iter().any(|socket| socket.id & QUEUED == 0 && owner(socket.id) == process)
    }

    /// A process has ended: its sockets are closed. Unread bytes make that a reset, without the end of the
    /// stream.
    pub(crate) fn end_process(&mut self, process: u32) {
        let own = |socket: &&Socket| socket.id & QUEUED == 0 && owner(socket.id) == process;
        while let Some(id) = self.sockets.iter().find(own).map(|socket| socket.id) {
            let is_unread = self.end(id).is_some_and(|end| !end.received.is_empty());
            if is_unread {
                self.linger(id, true);
            }
            self.close(id, 0);
        }
    }

    /// The port of a socket at this end.
    #[must_use]
    pub(crate) fn local_port(&self, id: Id) -> u16 {
        self.get(id).map_or(0, |socket| socket.port)
    }

    /// The port at the other end.
    #[must_use]
    pub(crate) fn remote_port(&self, id: Id) -> u16 {
        self.end(id).map_or(0, |end| end.remote)
    }

    /// The process whose operations at the other end of a connection can be noticed at this one, if any can.
    #[must_use]
    pub(crate) fn helper_of(&self, id: Id) -> Option<u32> {
        self.end(id).filter(|end| !end.is_silent).and_then(|_| self.other_process(id))
    }

    /// The process that has the other end of a connection, if one has.
    #[must_use]
    pub(crate) fn other_process(&self, id: Id) -> Option<u32> {
        self.end(id).filter(|end| end.has_peer).map(|end| owner(end.peer))
    }
}
