//! Failures of the network and of processes: which may strike in a run, how many, and what each leaves
//! behind.
//!
//! A failure is a choice of the operation that notices it, or, for a crash, a step of its own. Each takes one
//! off the budget, [`Network::n_failures`], which all processes share. None ever has to come: what only a
//! failure can let go on counts as stuck.
//!
//! What the program has not seen may still have been on its way. So a failure of a connection loses what one
//! end has not read, and either keeps or loses what the other end has not read ([`Network::n_losses`]): bytes
//! and the end of the stream alike. What the operation itself could still read, and the reset behind it, is
//! what the same failure leaves if it strikes in a later operation.
//!
//! - A *reset* leaves both ends as the arrival of a reset does.
//! - *Silence*: neither end ever gets anything again. Reads wait, or end by time; writes are accepted until
//!   the buffers are full.
//!
//! `short-reads` and `delay` are no failures but ways of real networks, and take nothing off the budget. With
//! *delay* it is decided when an operation asks whether what was written has arrived; what was seen to have
//! arrived stays ([`End::arrived`]).

use super::{End, Id, Network, Pending, State};
use std::fmt;

/// A kind of failure, or of what a network may do without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A connection is reset, at both ends.
    Reset,
    /// A connection is refused although a process listens.
    Refuse,
    /// Connecting gets no answer.
    Timeout,
    /// A process is killed.
    Crash,
    /// A process is asked to end, and runs its shutdown hooks.
    Terminate,
    /// A connection delivers nothing any more.
    Silence,
    /// Accepting a connection fails.
    Accept,
    /// A read gives one byte where more are there.
    ShortReads,
    /// What was written arrives later.
    Delay,
}

impl Kind {
    /// All kinds, with their names for people.
    pub const ALL: [(&'static str, Self); 9] = [
        ("reset", Self::Reset),
        ("refuse", Self::Refuse),
        ("timeout", Self::Timeout),
        ("crash", Self::Crash),
        ("terminate", Self::Terminate),
        ("silence", Self::Silence),
        ("accept", Self::Accept),
        ("short-reads", Self::ShortReads),
        ("delay", Self::Delay),
    ];

    /// Whether it takes one off the budget.
    #[must_use]
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::ShortReads | Self::Delay)
    }

    /// Whether it strikes a process, which must then be one of several.
    #[must_use]
    pub fn strikes_processes(self) -> bool {
        matches!(self, Self::Crash | Self::Terminate)
    }

    /// The kind of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|&(_, kind)| kind).ok_or_else(|| {
            let all: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            format!("there are {}", all.join(", "))
        })
    }
}

/// Which failures may strike in a run, and how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Failures {
    /// At most so many.
    pub most: u32,
    kinds: u16,
}

impl Failures {
    /// Up to `most` failures of no kind yet.
    #[must_use]
    pub fn up_to(most: u32) -> Self {
        Self { most, kinds: 0 }
    }

    /// Reads the values of `--failures` and `--failure-kinds`. Without kinds, connections are reset.
    ///
    /// # Errors
    /// If a kind that takes from the budget is named, and no budget.
    pub fn read<'a>(most: Option<&str>, kinds: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut failures = Self::up_to(most.and_then(|n| n.parse().ok()).unwrap_or(0));
        let mut kinds = kinds.peekable();
        if kinds.peek().is_none() {
            failures.add(Kind::Reset);
        }
        for name in kinds {
            let kind = Kind::of(name)?;
            if kind.is_failure() && most.is_none() {
                return Err(format!(
                    "--failure-kinds {name} needs --failures N, how many there may be in a run"
                ));
            }
            failures.add(kind);
        }
        let has_failure = Kind::ALL.iter().any(|&(_, kind)| kind.is_failure() && failures.has(kind));
        if failures.most > 0 && !has_failure {
            return Err("--failures has no effect: --failure-kinds names no failure".into());
        }
        Ok(failures)
    }

    /// Adds a kind.
    pub fn add(&mut self, kind: Kind) {
        self.kinds |= 1 << kind as u16;
    }

    /// Whether a kind is one of them.
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        self.kinds >> kind as u16 & 1 == 1
    }

    /// The same kinds with another budget.
    #[must_use]
    pub fn with_budget(self, most: u32) -> Self {
        Self { most, ..self }
    }

    /// Whether a run may differ from one without them.
    #[must_use]
    pub fn any(&self) -> bool {
        Kind::ALL.iter().any(|&(_, kind)| self.has(kind) && (self.most > 0 || !kind.is_failure()))
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |is_failure: bool| {
            let of = Kind::ALL.iter().filter(|&&(_, kind)| self.has(kind) && kind.is_failure() == is_failure);
            of.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
        };
        let (failures, others) = (names(true), names(false));
        if self.most > 0 && !failures.is_empty() {
            let plural = if self.most == 1 { "" } else { "s" };
            write!(f, "up to {} failure{plural}: {failures}", self.most)?;
            if !others.is_empty() {
                f.write_str("; ")?;
            }
        }
        f.write_str(&others)
    }
}

impl Network {
    /// Whether something that was sent to an end may not have arrived there.
    fn is_lossy(end: &End) -> bool {
        end.received.len() > end.arrived as usize || (end.fin && !end.fin_seen)
    }

    /// Whether a reset would make a difference to what an end reads next, or else writes.
    #[must_use]
    pub(crate) fn can_reset(&self, id: Id, is_read: bool) -> bool {
        let is_shut = |end: &End| if is_read { end.no_input } else { end.no_output };
        self.end(id).is_some_and(|end| !end.dead && !end.is_silent && !is_shut(end))
    }

    /// Whether silence would lose something that has been sent to an end, or else what it writes next.
    #[must_use]
    pub(crate) fn can_lose(&self, id: Id, is_read: bool) -> bool {
        self.can_reset(id, is_read) && (!is_read || self.end(id).is_some_and(Self::is_lossy))
    }

    /// Whether a read must wait, as far as the network knows.
    #[must_use]
    pub(crate) fn read_waits(&self, id: Id) -> bool {
        self.end(id).is_some_and(|end| end.received.is_empty() && !end.fin && !end.dead && !end.no_input)
    }

    /// Whether a write must wait.
    #[must_use]
    pub(crate) fn write_waits(&self, id: Id, bound: usize) -> bool {
        let Some(end) = self.end(id).filter(|end| !end.dead && !end.no_output) else { return false };
        if end.is_silent {
            return end.n_lost as usize >= bound;
        }
        end.has_peer && self.end(end.peer).is_some_and(|other| other.received.len() >= bound)
    }

    /// The socket that listens on a port.
    #[must_use]
    pub(crate) fn listener(&self, port: u16) -> Option<Id> {
        let listens = |socket: &&super::Socket| {
            socket.port == port && matches!(socket.state, State::Listening { complete: true, .. })
        };
        self.sockets.iter().find(listens).map(|socket| socket.id)
    }

    /// In how many ways a failure of a connection can treat what the other end has not read: it is kept (0),
    /// or lost (1).
    #[must_use]
    pub(crate) fn n_losses(&self, id: Id) -> u32 {
        let other = self.end(id).filter(|end| end.has_peer).and_then(|end| self.end(end.peer));
        1 + u32::from(other.is_some_and(Self::is_lossy))
    }

    /// Resets a connection. What the end at `id` has not read is lost if `is_read`, what the other end has
    /// not if `loss` is 1.
    pub(crate) fn fail_by_reset(&mut self, id: Id, is_read: bool, loss: u32) {
        self.at_both_ends(id, is_read, loss, |end| {
            if !end.dead {
                end.dead = true;
                end.error = if end.fin { Pending::Pipe } else { Pending::Reset };
            }
        });
    }

    /// Makes a connection deliver nothing any more; see [`Network::fail_by_reset`].
    pub(crate) fn fail_by_silence(&mut self, id: Id, is_read: bool, loss: u32) {
        self.at_both_ends(id, is_read, loss, |end| end.is_silent = true);
    }

    fn at_both_ends(&mut self, id: Id, is_read: bool, loss: u32, strike: impl Fn(&mut End)) {
        let mut one = |id: Id, loses: bool| {
            let end = self.end_mut(id)?;
            if loses {
                end.received.truncate(end.arrived as usize);
                end.fin = end.fin_seen;
            }
            strike(end);
            end.has_peer.then_some(end.peer)
        };
        if let Some(peer) = one(id, is_read) {
            one(peer, loss == 1);
        }
    }

    /// How many of the bytes that an end has not read were seen to have arrived.
    #[must_use]
    pub(crate) fn arrived(&self, id: Id) -> usize {
        self.end(id).map_or(0, |end| (end.arrived as usize).min(end.received.len()))
    }

    /// Bytes were seen to have arrived.
    pub(crate) fn note_arrived(&mut self, id: Id, n: usize) {
        if let Some(end) = self.end_mut(id) {
            end.arrived = end.arrived.max(n as u32);
        }
    }

    /// Whether all that a read would get may still be on its way.
    #[must_use]
    pub(crate) fn may_be_late(&self, id: Id) -> bool {
        self.end(id).is_some_and(|end| {
            let is_reset = end.error == Pending::Reset && !end.fin && end.received.is_empty();
            end.arrived == 0 && !end.no_input && (Self::is_lossy(end) || is_reset)
        })
    }

    /// Whether a reset may still be on its way to an end, which a write would not notice then.
    #[must_use]
    pub(crate) fn has_unseen_reset(&self, id: Id) -> bool {
        self.end(id).is_some_and(|end| end.error != Pending::None)
    }

    /// The number of a connection among all, as people see it.
    #[must_use]
    pub(crate) fn connection_number(&self, id: Id) -> usize {
        let firsts = self.sockets.iter().filter(|socket| match &socket.state {
            State::Connected(end) => !end.has_peer || socket.id < end.peer,
            _ => false,
        });
        let own = self.end(id).filter(|end| end.has_peer).map_or(id, |end| id.min(end.peer));
        firsts.take_while(|socket| socket.id < own).count() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_budgets_are_read() {
        for (name, kind) in Kind::ALL {
            assert_eq!(Kind::of(name), Ok(kind));
        }
        assert!(Kind::of("fire").is_err_and(|message| message.contains("reset, refuse")));
        let mut failures = Failures::up_to(2);
        assert!(!failures.any());
        failures.add(Kind::Reset);
        failures.add(Kind::Delay);
        assert_eq!(failures.to_string(), "up to 2 failures: reset; delay");
        assert_eq!(failures.with_budget(0).to_string(), "delay");
        assert!(failures.with_budget(0).any());
        let read = |most, kinds: &[&'static str]| Failures::read(most, kinds.iter().copied());
        assert_eq!(read(Some("1"), &[]).map(|all| all.to_string()), Ok("up to 1 failure: reset".into()));
        assert_eq!(read(None, &["delay"]).map(|all| all.to_string()), Ok("delay".into()));
        assert!(read(Some("1"), &["delay"]).is_err_and(|message| message.contains("no effect")));
        assert!(read(None, &["crash"]).is_err_and(|message| message.contains("needs --failures N")));
    }
}
