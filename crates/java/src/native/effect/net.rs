//! What a native method can do to the network: the operations of [`crate::network`] as those of a thread.
//!
//! Every operation *talks* ([`Machine::talk`]): it can be noticed by other processes, so it ends a step also
//! where its process has one thread. An *acquire* takes what is there for good: a read of no more bytes than
//! have arrived, of the end of the stream, the accept of a connection that waits. Other processes can only
//! add to that, and cannot tell when it is taken, so it can be deferred until the thread's next operation,
//! and joins its step as entering a monitor does. These are not acquires:
//!
//! - a read that gives less than it asks for: a write before it gives more;
//! - a read from a full buffer, an accept from a full queue: they let another process go on;
//! - a read or accept with a time limit, and `available`: they can tell what is not there yet;
//! - where a process may end while other threads of it run, any: what was not read by then becomes a reset
//!   ([`ENDS`]).
//!
//! - where something may fail in the operation (see `failures`), or the process may be killed.
//!
//! To other threads of the process an operation is an access to the object of its socket: to the field that
//! stands for one direction, or to all of it. Whether two of them may be deferred is decided as for fields.

use super::failures::Hazards;
use super::{Fresh, SharedView};
use crate::gap::Gap;
use crate::network::failures::Kind;
use crate::network::{Id, REFUSED, Refusal};
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::view::{ENDS, Mode, Resource};
use allways_model::MessageDirection;

/// The class of sockets, one of [`crate::simple::NETWORK`].
pub(crate) const SOCKET: &str = "sun/nio/ch/NioSocketImpl";

/// What the field for a socket of the network has while there is none.
const NONE: u32 = u32::MAX;

const SOCKET_EXCEPTION: &str = "java/net/SocketException";
const TIMEOUT_EXCEPTION: &str = "java/net/SocketTimeoutException";

/// A field of [`SOCKET`].
fn slot(machine: &Machine<'_>, field: &str) -> Exec<u32> {
    let classes = &machine.vm.classes;
    let found = classes.slot(SOCKET, field).or_else(|| classes.slot("java/net/SocketImpl", field));
    found.ok_or_else(|| Gap::Library(format!("{SOCKET}.{field}")).into())
}

impl Machine<'_> {
    /// An operation on the network is about to happen; an acquire does not end the step.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before it.
    pub(crate) fn talk(&mut self, is_acquire: bool) -> Exec<()> {
        if self.booting {
            return Err(Gap::Feature("the network before the program has begun").into());
        }
        if self.thread().atomic > 0 {
            return Err(Gap::Feature("an operation on a socket in a section that is atomic").into());
        }
        if self.step.closed || self.is_local_so_far() {
            return Err(Trap::Stop);
        }
        self.step.unlisted = true;
        self.step.talks = true;
        self.step.closed = !self.may_defer(is_acquire);
        Ok(())
    }

    /// Whether the step has done something, and nothing that others could notice: then it ends before it
    /// talks, since a step that is local can be taken at once (see `processes::cursor`).
    fn is_local_so_far(&self) -> bool {
        self.member.is_ordered
            && self.step.progress
            && !self.step.talks
            && !self.step.unlisted
            && !self.step.has_entered
            && !self.step.script.is_used()
            && self.step.accesses.is_empty()
    }

    fn may_defer(&self, is_acquire: bool) -> bool {
        is_acquire
            && !self.may_be_killed()
            && self.options.until_conflict
            && self.options.form.acquires
            && !self.sees_all()
            && !self.knowledge.racy.contains(&ENDS)
    }

    /// The end of the process is about to happen, with the step of the running thread.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends before it.
    pub(crate) fn begin_end(&mut self) -> Exec<()> {
        let is_waited_for = (self.member.awaited & !self.net.ready) >> self.member.number & 1 == 1;
        if self.booting || !(is_waited_for || self.net.has_sockets(self.member.number)) {
            return Ok(());
        }
        if self.step.closed {
            return Err(Trap::Stop);
        }
        (self.step.unlisted, self.step.talks) = (true, true);
        if self.process.threads.len() > 1 && !self.sees_all() {
            self.observe_ends();
        }
        Ok(())
    }

    /// The process has ended.
    pub(crate) fn end_sockets(&mut self) {
        self.net.end_process(self.member.number);
        self.note_ready();
    }

    /// The process has listened or ended, which others may wait for.
    pub(super) fn note_ready(&mut self) {
        let bit = 1 << self.member.number;
        self.net.ready |= bit & self.member.awaited;
    }
}

/// A Java exception, or what else an operation that gives nothing comes to.
fn refused(refusal: Refusal, class: &'static str) -> Trap {
    match refusal {
        Refusal::Wait => Trap::Blocked,
        Refusal::Error(message) => exception(class, message),
        Refusal::Full(what) => Gap::Feature(what).into(),
    }
}

/// What of a socket an operation is about. The directions of a connection are independent.
#[derive(Clone, Copy)]
enum Side {
    Input,
    Output,
    Both,
}

impl SharedView<'_, '_> {
    fn net_slot(&self, object: Ref, field: &str) -> Exec<u64> {
        Ok(self.m.process.heap.slot(object, slot(self.m, field)?))
    }

    fn set_net_slot(&mut self, object: Ref, field: &str, value: u64) -> Exec<()> {
        let slot = slot(self.m, field)?;
        self.m.process.heap.set_slot(object, slot, value);
        Ok(())
    }

    /// The socket of the network of an object, if it has one.
    pub(super) fn socket_of(&self, object: Ref) -> Exec<Option<Id>> {
        let id = self.net_slot(object, "socket")? as u32;
        Ok((id != NONE).then_some(id))
    }

    /// Begins an operation on the socket of an object, or on one direction of it.
    fn begin(&mut self, object: Ref, side: Side, is_acquire: bool) -> Exec<()> {
        self.m.talk(is_acquire)?;
        let timeout = Resource::Slot(object, slot(self.m, "timeout")?);
        let group = match side {
            Side::Both => vec![(Resource::Whole(object), Mode::Write)],
            Side::Output => vec![(Resource::Slot(object, slot(self.m, "writer")?), Mode::Write)],
            Side::Input => {
                vec![(Resource::Slot(object, slot(self.m, "ended")?), Mode::Write), (timeout, Mode::Read)]
            }
        };
        if self.m.step.closed {
            group.into_iter().for_each(|(resource, mode)| self.m.also(resource, mode));
            Ok(())
        } else {
            self.m.access_group(&group)
        }
    }

    fn open_socket(&mut self, object: Ref) -> Exec<Id> {
        if let Some(id) = self.socket_of(object)? {
            return Ok(id);
        }
        let number = self.m.member.number;
        let id = self.m.net.open(number).map_err(|refusal| refused(refusal, SOCKET_EXCEPTION))?;
        self.set_net_slot(object, "socket", u64::from(id))?;
        Ok(id)
    }

    fn ensure_not_closed(&self, object: Ref) -> Exec<()> {
        const CLOSED: u64 = 2;
        if self.net_slot(object, "state")? == CLOSED {
            return Err(exception(SOCKET_EXCEPTION, "Socket closed"));
        }
        Ok(())
    }

    /// The open socket of an object.
    fn opened(&self, object: Ref) -> Exec<Id> {
        self.socket_of(object)?.ok_or_else(|| exception(SOCKET_EXCEPTION, "Socket closed"))
    }

    /// An operation that has to wait ends by time if it has a limit.
    fn out_of_time(&mut self, millis: u64, message: &str) -> Exec<()> {
        if millis == 0 {
            return Err(Trap::Blocked);
        }
        self.m.pass_time()?;
        self.m.advance_clock(millis.saturating_mul(1_000_000));
        Err(exception(TIMEOUT_EXCEPTION, message))
    }

    /// Binds a socket.
    ///
    /// # Errors
    /// What it throws, or why it does not happen now.
    pub fn net_bind(&mut self, object: Ref, port: u16, reuses: bool) -> Exec<()> {
        self.begin(object, Side::Both, false)?;
        self.ensure_not_closed(object)?;
        let id = self.open_socket(object)?;
        if self.m.net.local_port(id) != 0 {
            return Err(exception(SOCKET_EXCEPTION, "Already bound"));
        }
        self.m.net.bind(id, port, reuses).map_err(|refusal| refused(refusal, "java/net/BindException"))
    }

    /// Listens; `false` if that takes another call.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_listen(&mut self, object: Ref, backlog: u16) -> Exec<bool> {
        self.begin(object, Side::Both, false)?;
        let id = self.opened(object)?;
        match self.m.net.listen(id, backlog) {
            Ok(()) => {
                self.m.note_ready();
                Ok(true)
            }
            Err(Refusal::Wait) => Ok(false),
            Err(refusal) => Err(refused(refusal, "java/net/BindException")),
        }
    }

    /// Connects.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_connect(&mut self, object: Ref, port: u16, millis: u64) -> Exec<()> {
        self.begin(object, Side::Both, false)?;
        self.ensure_not_closed(object)?;
        let number = self.m.member.number;
        let listener = self.m.net.listener(port);
        let waits = listener.is_some_and(|id| self.m.net.is_full(id));
        let hazards = Hazards::of(self.m)
            .with(Kind::Refuse, u32::from(listener.is_some()))
            .with(Kind::Timeout, 1)
            .with_end(self.m);
        match self.m.strikes(&hazards, waits && millis == 0) {
            None => {}
            Some((Kind::Refuse, _)) => {
                self.m.note_failure(&format!("the network refuses the connection to port {port}"));
                return Err(exception("java/net/ConnectException", REFUSED));
            }
            Some((Kind::Timeout, _)) => {
                self.m.note_failure(&format!("the network does not answer the connection to port {port}"));
                if millis > 0 {
                    return self.out_of_time(millis, "Connect timed out");
                }
                return Err(exception("java/net/ConnectException", "Connection timed out"));
            }
            Some(_) => return self.m.terminate(),
        }
        // A socket that has to wait is not opened: where it waits leaves no trace.
        let (id, is_new) = match self.socket_of(object)? {
            Some(id) => (id, false),
            None => {
                let opened = self.m.net.open(number);
                (opened.map_err(|refusal| refused(refusal, SOCKET_EXCEPTION))?, true)
            }
        };
        match self.m.net.connect(id, port) {
            Ok(()) => {
                self.m.tell(|net, _| {
                    format!("connects to port {port}, connection {}", net.connection_number(id))
                });
                self.set_net_slot(object, "socket", u64::from(id))
            }
            Err(refusal) => {
                if is_new {
                    self.m.net.close(id, 0);
                }
                if refusal == Refusal::Wait {
                    return self.out_of_time(millis, "Connect timed out");
                }
                Err(refused(refusal, "java/net/ConnectException"))
            }
        }
    }

    /// Accepts a connection into another object.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_accept(&mut self, object: Ref, accepted: Ref) -> Exec<()> {
        let millis = self.net_slot(object, "timeout")?;
        let is_acquire = match self.socket_of(object)? {
            Some(id) => millis == 0 && self.m.net.can_accept(id) && !self.m.net.is_full(id),
            None => false,
        };
        let hazards = Hazards::of(self.m).with(Kind::Accept, 1).with_end(self.m);
        self.begin(object, Side::Input, is_acquire && hazards.is_empty())?;
        let id = self.opened(object)?;
        let waits = millis == 0 && !self.m.net.can_accept(id);
        match self.m.strikes(&hazards, waits) {
            None => {}
            Some((Kind::Accept, _)) => {
                self.m.note_failure("there are too many open files");
                return Err(exception(SOCKET_EXCEPTION, "Too many open files"));
            }
            Some(_) => return self.m.terminate(),
        }
        if millis > 0 && self.m.delays() && self.m.net.can_accept(id) && self.m.choose(2) == 1 {
            return self.out_of_time(millis, "Accept timed out");
        }
        match self.m.net.accept(id) {
            Ok(id) => {
                self.m.tell(|net, names| {
                    let peer = net.other_process(id).and_then(|process| names.get(process as usize));
                    let peer = peer.map_or("a connection", String::as_str);
                    format!("accepts {peer}, connection {}", net.connection_number(id))
                });
                self.set_net_slot(accepted, "socket", u64::from(id))
            }
            Err(Refusal::Wait) => self.out_of_time(millis, "Accept timed out"),
            Err(refusal) => Err(refused(refusal, SOCKET_EXCEPTION)),
        }
    }

    /// Reads up to `max` bytes; `None` at the end of the stream.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_read(&mut self, object: Ref, max: usize) -> Exec<Option<Fresh>> {
        let millis = self.net_slot(object, "timeout")?;
        let bound = self.m.options.socket_buffer as usize;
        let is_acquire = match self.socket_of(object)? {
            Some(id) => self.m.net.read_is_settled(id, max, bound),
            None => false,
        };
        let hazards = self.hazards_of_connection(object, true)?;
        let is_acquire = is_acquire && hazards.is_empty() && !(millis > 0 && self.m.delays());
        self.begin(object, Side::Input, is_acquire)?;
        if self.net_slot(object, "ended")? != 0 {
            return Ok(None);
        }
        let id = self.opened(object)?;
        let waits = millis == 0 && self.m.net.read_waits(id);
        if let Some(strike) = self.m.strikes(&hazards, waits) {
            self.strike_connection(id, true, strike)?;
        }
        let max = match self.arrives(id, max, millis)? {
            Some(max) => max,
            None => return self.out_of_time(millis, "Read timed out").map(|()| None),
        };
        match self.m.net.read(id, max) {
            Ok(bytes) if bytes.is_empty() => {
                self.m.tell(|net, _| format!("meets the end of connection {}", net.connection_number(id)));
                self.set_net_slot(object, "ended", 1)?;
                Ok(None)
            }
            Ok(bytes) => {
                self.m.tell_bytes(id, MessageDirection::Receive, &bytes);
                Ok(Some(self.new_bytes(&bytes)))
            }
            Err(Refusal::Wait) => self.out_of_time(millis, "Read timed out").map(|()| None),
            Err(refusal) => Err(refused(refusal, SOCKET_EXCEPTION)),
        }
    }

    /// Writes the bytes of an array that the running thread has made, from a place on; how many were
    /// accepted.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_write(&mut self, object: Ref, array: Ref, from: usize) -> Exec<usize> {
        let hazards = self.hazards_of_connection(object, false)?;
        self.begin(object, Side::Output, false)?;
        let id = self.opened(object)?;
        let thread = u64::from(self.m.thread().id + 1);
        let writer = self.net_slot(object, "writer")?;
        if writer != 0 && writer != thread {
            return Err(Trap::Blocked);
        }
        let bytes = match &self.m.process.heap.get(array).data {
            Data::Bytes(bytes) => bytes[from..].to_vec(),
            _ => Vec::new(),
        };
        let bound = self.m.options.socket_buffer as usize;
        let waits = self.m.net.write_waits(id, bound);
        if let Some(strike) = self.m.strikes(&hazards, waits) {
            self.strike_connection(id, false, strike)?;
        }
        if self.m.delays() && self.m.net.has_unseen_reset(id) && self.m.choose(2) == 1 {
            // The reset is still on its way.
            self.set_net_slot(object, "writer", 0)?;
            return Ok(bytes.len());
        }
        match self.m.net.write(id, &bytes, bound) {
            Ok(n) => {
                self.m.tell_bytes(id, MessageDirection::Send, &bytes[..n]);
                // What is left is written before another thread writes.
                self.set_net_slot(object, "writer", if n < bytes.len() { thread } else { 0 })?;
                Ok(n)
            }
            Err(refusal) => {
                if refusal != Refusal::Wait {
                    self.set_net_slot(object, "writer", 0)?;
                }
                Err(refused(refusal, SOCKET_EXCEPTION))
            }
        }
    }

    /// How many bytes can be read at once.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_available(&mut self, object: Ref) -> Exec<usize> {
        self.begin(object, Side::Input, false)?;
        let id = self.opened(object)?;
        let there = self.m.net.available(id);
        let arrived = self.m.net.arrived(id).min(there);
        let n_late = if self.m.delays() { (there - arrived) as u32 } else { 0 };
        let n = there - self.m.choose(1 + n_late) as usize;
        if self.m.notes_arrivals() {
            self.m.net.note_arrived(id, n);
        }
        Ok(n)
    }

    /// Shuts one direction down.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_shut(&mut self, object: Ref, input: bool) -> Exec<()> {
        self.begin(object, if input { Side::Input } else { Side::Output }, false)?;
        let id = self.opened(object)?;
        if input {
            self.m.net.shut_input(id);
        } else {
            self.m.net.shut_output(id);
        }
        Ok(())
    }

    /// Sets whether closing sends a reset.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_linger(&mut self, object: Ref, zero: bool) -> Exec<()> {
        self.begin(object, Side::Both, false)?;
        let id = self.open_socket(object)?;
        self.m.net.linger(id, zero);
        Ok(())
    }

    /// Closes the socket, if it is open.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_close(&mut self, object: Ref) -> Exec<()> {
        if self.socket_of(object)?.is_none() {
            // It may be another thread that closes it.
            return self.m.access(Resource::Whole(object), Mode::Write);
        }
        self.begin(object, Side::Both, false)?;
        let id = self.opened(object)?;
        let n_ways = self.m.net.n_closings(id);
        let way = self.m.choose(n_ways);
        let (local, remote) = (self.m.net.local_port(id), self.m.net.remote_port(id));
        if remote != 0 {
            self.m.tell(|net, _| format!("closes connection {}", net.connection_number(id)));
        }
        self.m.net.close(id, way);
        self.set_net_slot(object, "localport", u64::from(local))?;
        self.set_net_slot(object, "port", u64::from(remote))?;
        self.set_net_slot(object, "socket", u64::from(NONE))
    }

    /// The port at one end.
    ///
    /// # Errors
    /// As [`SharedView::net_bind`].
    pub fn net_port(&mut self, object: Ref, remote: bool) -> Exec<u16> {
        self.m.access(Resource::Whole(object), Mode::Read)?;
        let Some(id) = self.socket_of(object)? else {
            return Ok(self.net_slot(object, if remote { "port" } else { "localport" })? as u16);
        };
        Ok(if remote { self.m.net.remote_port(id) } else { self.m.net.local_port(id) })
    }
}
