//! Failures as choices of the operations on sockets that notice them (see `network::failures`).
//!
//! An operation names its [`Hazards`] before it begins: one in which something may fail is no acquire, since
//! what it does depends on how much of the budget is left, which all processes share. Then it asks whether
//! one [strikes](Machine::strikes). Where it would have to wait without a limit, a failure is a last resort:
//! it never has to come, so the thread counts as stuck, and a step that has done something ends before it.

use super::SharedView;
use crate::gap::Gap;
use crate::network::Id;
use crate::network::failures::Kind;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap};
use crate::vm::step::Event;
use crate::vm::thread::Role;

/// What can fail in an operation, each in so many ways.
#[derive(Default)]
pub(super) struct Hazards {
    /// Whether there is anything left of the budget.
    is_possible: bool,
    kinds: crate::network::failures::Failures,
    ways: Vec<(Kind, u32)>,
}

impl Hazards {
    /// None yet.
    pub(super) fn of(machine: &Machine<'_>) -> Self {
        Self { is_possible: machine.has_failures_left(), kinds: machine.options.failures, ways: Vec::new() }
    }

    /// Adds a kind, if it may strike, with the number of its ways.
    pub(super) fn with(mut self, kind: Kind, n_ways: u32) -> Self {
        if self.is_possible && n_ways > 0 && self.kinds.has(kind) {
            self.ways.push((kind, n_ways));
        }
        self
    }

    /// Adds that the process is asked to end.
    pub(super) fn with_end(self, machine: &Machine<'_>) -> Self {
        let is_process = !machine.knowledge.processes.is_empty();
        self.with(Kind::Terminate, u32::from(is_process && !machine.is_terminated()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }
}

impl Machine<'_> {
    /// Whether a failure may strike that is not bound to an operation.
    pub(crate) fn may_be_killed(&self) -> bool {
        self.options.failures.has(Kind::Crash) && self.has_failures_left()
    }

    fn has_failures_left(&self) -> bool {
        self.net.n_failures < self.options.failures.most && !self.booting
    }

    /// Whether it matters how much of what was written was seen to have arrived.
    pub(super) fn notes_arrivals(&self) -> bool {
        let failures = self.options.failures;
        self.delays() || failures.most > 0 && (failures.has(Kind::Reset) || failures.has(Kind::Silence))
    }

    /// Whether what was written may arrive later.
    pub(super) fn delays(&self) -> bool {
        self.options.failures.has(Kind::Delay) && !self.booting
    }

    /// Whether a failure asked the process to end.
    pub(crate) fn is_terminated(&self) -> bool {
        self.net.terminated >> self.member.number & 1 == 1
    }

    /// The failure that strikes in the operation under way, and in which of its ways; it `waits` if it could
    /// not go on otherwise.
    pub(super) fn strikes(&mut self, hazards: &Hazards, waits: bool) -> Option<(Kind, u32)> {
        if hazards.is_empty() || waits && self.step.progress {
            return None;
        }
        let n: u32 = hazards.ways.iter().map(|(_, n)| n).sum();
        let mut at = self.choose(1 + n).checked_sub(1)?;
        self.net.n_failures += 1;
        self.step.is_last_resort |= waits;
        for &(kind, n) in &hazards.ways {
            match at.checked_sub(n) {
                Some(rest) => at = rest,
                None => return Some((kind, at)),
            }
        }
        None
    }

    /// Notes what a failure does, for people.
    pub(super) fn note_failure(&mut self, what: &str) {
        let text = failure_in_words(what, self.net.n_failures, self.options.failures.most);
        self.step.events.push(Event::Failed(text));
    }

    /// The process is asked to end: as the JDK's handler of SIGTERM does, a new thread does that.
    ///
    /// # Errors
    /// Always: the operation under way begins again after that.
    pub(super) fn terminate<T>(&mut self) -> Exec<T> {
        const NAMES: &str = "java/net/Names";
        let number = self.member.number;
        let name = self.knowledge.processes.get(number as usize).cloned().unwrap_or_default();
        self.note_failure(&format!("{name} is asked to end"));
        self.net.terminated |= 1 << number;
        let method = self.vm.classes.find_method(NAMES, "terminate", "()V");
        let method = method.ok_or_else(|| Gap::Library(format!("{NAMES}.terminate")))?;
        self.push_frame(self.vm.classes.method(method), &[], Role::Aside)?;
        Err(Trap::Again)
    }
}

/// What a failure does, and which of how many it is.
pub(crate) fn failure_in_words(what: &str, number: u32, most: u32) -> String {
    format!("{what}, failure {number} of {most}")
}

impl SharedView<'_, '_> {
    /// What may fail in a read from the socket of an object, or else in a write to it.
    pub(super) fn hazards_of_connection(&self, object: Ref, is_read: bool) -> Exec<Hazards> {
        let hazards = Hazards::of(self.m);
        let Some(id) = self.socket_of(object)?.filter(|_| hazards.is_possible) else { return Ok(hazards) };
        let net = &self.m.net;
        let waits = !is_read && net.write_waits(id, self.m.options.socket_buffer as usize);
        let ways = |is_possible: bool| if is_possible { net.n_losses(id) } else { 0 };
        Ok(hazards
            .with(Kind::Reset, ways(net.can_reset(id, is_read)))
            .with(Kind::Silence, ways(net.can_lose(id, is_read) && !waits))
            .with_end(self.m))
    }

    /// A failure strikes in a read, or else in a write; the operation goes on with what it leaves.
    pub(super) fn strike_connection(&mut self, id: Id, is_read: bool, strike: (Kind, u32)) -> Exec<()> {
        let number = self.m.net.connection_number(id);
        match strike {
            (Kind::Reset, loss) => {
                self.m.note_failure(&format!("the network resets connection {number}"));
                self.m.net.fail_by_reset(id, is_read, loss);
                Ok(())
            }
            (Kind::Silence, loss) => {
                self.m.note_failure(&format!("the network delivers nothing more on connection {number}"));
                self.m.net.fail_by_silence(id, is_read, loss);
                // A read waits in another step: it is no progress of the thread.
                if is_read { Err(Trap::Yield) } else { Ok(()) }
            }
            _ => self.m.terminate(),
        }
    }

    /// How much a read of up to `max` bytes may take at most, where reads may be short or deliveries late;
    /// `None` if it ends by time although something was sent.
    pub(super) fn arrives(&mut self, id: Id, max: usize, millis: u64) -> Exec<Option<usize>> {
        let there = self.m.net.available(id);
        let arrived = self.m.net.arrived(id);
        if self.m.delays() && millis > 0 && self.m.net.may_be_late(id) && self.m.choose(2) == 1 {
            return Ok(None);
        }
        let most = there.min(max);
        if most < 2 {
            return Ok(Some(max));
        }
        if self.m.delays() {
            let least = arrived.clamp(1, most);
            return Ok(Some(least + self.m.choose((most - least) as u32 + 1) as usize));
        }
        let is_short = self.m.options.failures.has(Kind::ShortReads) && self.m.choose(2) == 1;
        Ok(Some(if is_short { 1 } else { max }))
    }
}
