//! The steps of a system: those of its processes, each by a cursor of its own.
//!
//! A process's cursor works on its unit vector (see [`super::vector`]), as if it were alone, and this one
//! puts what it gives into the vector of the system. It adds what only a system has: processes that wait to
//! begin, deadlocks of processes that wait for each other, and the order in which processes are expanded.
//!
//! **Local steps.** [`Cursor::expand_some`] gives a single step first if it accesses nothing that another
//! thread or process can reach, not even out of view, does not talk, and leads to one state: it commutes with
//! every step of every other thread, now and later, and is enabled until it is taken. So it is a persistent
//! set by itself. The other threads' operations, and the conflicts between them, are met again in the state
//! after it. A step that would talk ends before that if it was local so far, so that it can be taken in this
//! way.
//!
//! **Order.** Else it gives the steps of one process first if one of them can be taken and none of them
//! *talks*: does, or tries to do, an operation on the network. Its steps are a persistent set. For processes
//! share only the network, so a step that does not talk commutes with every step of another process and none
//! enables or disables the other; and a process none of whose threads is at an operation on the network or
//! waits in one cannot come to one otherwise than by a step of the set. All its threads are expanded
//! together, so conflicts between them are found as without this. A thread that waits in a socket operation
//! talks, since its next step depends on what others do: without that condition the rule is wrong. Whether a
//! process qualifies is a function of the state, and so is the set. That no process is put off forever is for
//! the search's proviso, and a state that no set remains in is expanded as a whole. Deadlocks are preserved,
//! as is every state of a single process that a run has, which is what invariants of one process, its
//! exceptions and its assertions are about. (P. Godefroid, Partial-Order Methods for the Verification of
//! Concurrent Systems, LNCS 1032; the rule for processes that share a network follows N. Shafiei's thesis on
//! model checking distributed Java, section 6.3, with the condition on waiting threads made exact.)
//!
//! **Crashes.** The step in which a failure kills a process ([`CRASH`]) is given with all others, not with a
//! set of local or ordered steps: it commutes with those of the same process that do not talk, since nothing
//! is left of the process after it. If such a step ends the process, others can go on as after a crash, with
//! more of the budget left; where ends are told apart there is no order
//! ([`Options::is_ordered`](crate::Options::is_ordered)).
//!
//! Not done: sleepers across processes, conditions over several processes at once, formulas.

use super::System;
use super::vector::{Layout, ready_bits};
use super::{closed, crash};
use crate::end::LAST_RESORT;
use crate::explain;
use crate::model::JavaCursor;
use crate::rules;
use crate::vm::process::Ended;
use allways_model::{
    Batch, Cursor, Fact, Fault, Halt, Lesson, Lessons, Limiter, Move, StepKey, Violation, ViolationKind,
};
use std::sync::Arc;

/// Keys of a process's own steps are below this: `process << 56 | thread << 32 | choice`.
const OWN_KEYS: u32 = 56;

/// The key of a process's end by a failure: above those of its threads, and nothing that has to come.
const CRASH: StepKey = StepKey(0xff_ffff << 32 | LAST_RESORT);

/// A worker's position in a system.
pub(crate) struct SystemCursor<'vm> {
    system: &'vm System,
    units: Vec<JavaCursor<'vm>>,
    /// The loaded state.
    loaded: Vec<u8>,
    layout: Layout,
    /// What is known of the steps of each process in the loaded state.
    expansions: Vec<Expansion>,
    /// A vector that is being made; kept for its memory.
    vector: Vec<u8>,
    /// Whether a deadlock within a process was reported in the loaded state.
    has_deadlock: bool,
    /// How many states were expanded by one process first.
    n_ordered: u64,
}

/// The steps of a process in the loaded state.
#[derive(Default)]
struct Expansion {
    batch: Batch,
    /// Whether they were found.
    is_done: bool,
    /// Whether they were given to the search.
    is_given: bool,
    /// The one that was given before the others.
    first: Option<StepKey>,
    /// Whether the process can go on.
    moves: bool,
    /// Whether one of its steps talks.
    talks: bool,
}

impl<'vm> SystemCursor<'vm> {
    pub(crate) fn new(system: &'vm System, lessons: &Lessons) -> Self {
        let units: Vec<_> = system.programs.iter().map(|program| JavaCursor::new(program, lessons)).collect();
        Self {
            system,
            expansions: units.iter().map(|_| Expansion::default()).collect(),
            units,
            loaded: Vec::new(),
            layout: Layout { network: 0..0, processes: Vec::new() },
            vector: Vec::new(),
            has_deadlock: false,
            n_ordered: 0,
        }
    }

    /// Sets a process up as the loaded state has it, with the network.
    fn load_unit(&mut self, process: usize) {
        self.layout.unit(&self.loaded, process, &mut self.vector);
        self.units[process].load(&self.vector);
    }

    /// Begins to expand the loaded state.
    fn forget(&mut self) {
        self.has_deadlock = false;
        for expansion in &mut self.expansions {
            (expansion.is_done, expansion.is_given) = (false, false);
            (expansion.moves, expansion.talks, expansion.first) = (false, false, None);
            expansion.batch.clear();
        }
    }

    /// Finds the steps of a process, which may not have begun.
    fn find(&mut self, process: usize) -> Result<(), Halt> {
        if self.expansions[process].is_done {
            return Ok(());
        }
        self.expansions[process].is_done = true;
        if self.system.waits_to_start(process, ready_bits(&self.loaded)) {
            // Its first step depends on others.
            self.expansions[process].talks = true;
            return Ok(());
        }
        self.load_unit(process);
        let (unit, expansion) = (&mut self.units[process], &mut self.expansions[process]);
        let result = unit.expand(&mut expansion.batch);
        (expansion.moves, expansion.talks) = (unit.has_moved(), unit.has_talked());
        result
    }

    /// Gives the steps of a process to the search.
    fn give(&mut self, process: usize, out: &mut Batch) {
        if std::mem::replace(&mut self.expansions[process].is_given, true) {
            return;
        }
        let batch = std::mem::take(&mut self.expansions[process].batch);
        let first = self.expansions[process].first;
        self.transfer(process, &batch, |key| Some(key) != first, out);
        self.expansions[process].batch = batch;
    }

    /// Gives one step of a process to the search, if it can be taken.
    fn give_first(&mut self, process: usize, first: StepKey, out: &mut Batch) -> bool {
        let n_before = out.len();
        let batch = std::mem::take(&mut self.expansions[process].batch);
        for (idx, entry) in batch.entries().iter().enumerate().filter(|(_, entry)| entry.key == first) {
            self.push(process, entry.key, batch.vector(idx), out);
        }
        self.expansions[process].batch = batch;
        let is_given = out.len() > n_before;
        self.expansions[process].first = is_given.then_some(first);
        is_given
    }

    /// Appends the state after a step of a process.
    fn push(&mut self, process: usize, key: StepKey, unit: &[u8], out: &mut Batch) {
        let mut vector = std::mem::take(&mut self.vector);
        self.layout.after(&self.loaded, process, unit, &mut vector);
        out.push(key_of(process, key), &vector);
        self.vector = vector;
    }

    /// Appends what a process's cursor gave, with some of its steps.
    fn transfer(
        &mut self,
        process: usize,
        batch: &Batch,
        is_meant: impl Fn(StepKey) -> bool,
        out: &mut Batch,
    ) {
        for (idx, entry) in batch.entries().iter().enumerate().filter(|(_, entry)| is_meant(entry.key)) {
            self.push(process, entry.key, batch.vector(idx), out);
        }
        for violation in batch.violations() {
            self.has_deadlock |= violation.kind() == ViolationKind::Deadlock;
            out.report(self.named(process, violation.clone()));
        }
    }

    /// A violation of a process, with names that tell it from others.
    fn named(&self, process: usize, mut violation: Violation) -> Violation {
        violation.key = violation.key.map(|key| key_of(process, key));
        for fact in &mut violation.facts {
            match fact.name {
                "thread" | "held-by" => fact.value = self.system.within(process, &fact.value),
                "condition" => fact.value = format!("{}:{}", self.system.name(process), fact.value),
                _ => {}
            }
        }
        violation
    }

    /// Finds and gives all that is left.
    fn complete(&mut self, out: &mut Batch) -> Result<(), Halt> {
        for process in 0..self.units.len() {
            let found = self.find(process);
            self.give(process, out);
            found?;
            self.give_crash(process, out)?;
        }
        self.report_deadlock(out);
        Ok(())
    }

    /// Gives the step in which a failure kills a process, if one may.
    fn give_crash(&mut self, process: usize, out: &mut Batch) -> Result<(), Halt> {
        let program = &self.system.programs[process];
        let network = self.layout.network_of(&self.loaded);
        if !crash::is_possible(program, &network) || !self.has_begun(process) {
            return Ok(());
        }
        self.load_unit(process);
        if self.units[process].machine().process.ended != Ended::No {
            return Ok(());
        }
        let unit = crash::after(program, self.units[process].machine())
            .map_err(|trap| Fault { message: trap.to_string(), ..Fault::default() })?;
        self.push(process, CRASH, &unit, out);
        Ok(())
    }

    fn crash_in_words(&self, process: usize) -> Move {
        let number = self.layout.network_of(&self.loaded).n_failures + 1;
        let most = self.system.programs[process].options().failures.most;
        Move {
            process: None,
            process_name: Arc::from("a failure"),
            text: crash::in_words(self.system.name(process), number, most),
            location: None,
            output: String::new(),
            message: None,
            reads: Vec::new(),
            changes: Vec::new(),
            started: None,
        }
    }

    /// Reports that no process can go on, if one should.
    fn report_deadlock(&mut self, out: &mut Batch) {
        let is_stuck = !self.expansions.iter().any(|expansion| expansion.moves) && self.rests();
        if self.has_deadlock {
            return;
        }
        if !is_stuck {
            self.report_closed(out);
            return;
        }
        let ready = ready_bits(&self.loaded);
        let mut facts = Vec::new();
        let mut all_serve = true;
        for process in 0..self.units.len() {
            let member = &self.system.topology.members[process];
            if self.system.waits_to_start(process, ready) {
                all_serve = false;
                facts.extend(self.facts_of_start(process, ready));
                continue;
            }
            let machine = self.units[process].machine();
            if machine.process.ended != Ended::No {
                continue;
            }
            all_serve &= member.service && explain::waits_for_requests(machine);
            let own = Violation { facts: explain::waiting(machine), ..Violation::new(&rules::THREADS_STUCK) };
            facts.extend(self.named(process, own).facts);
        }
        if !facts.is_empty() && !all_serve {
            out.report(Violation { facts, ..Violation::new(&rules::THREADS_STUCK) });
        }
    }

    /// Reports threads that wait only for each other, while others go on.
    fn report_closed(&mut self, out: &mut Batch) {
        let ready = ready_bits(&self.loaded);
        if !self.units.iter().any(JavaCursor::has_stuck) {
            return;
        }
        for process in 0..self.units.len() {
            self.load_unit(process);
        }
        let stuck: Vec<_> = self.units.iter().map(|unit| move |idx: usize| unit.is_stuck(idx)).collect();
        let members: Vec<closed::Member<'_, '_>> = (0..self.units.len())
            .map(|process| closed::Member {
                machine: self.has_begun(process).then(|| self.units[process].machine()),
                is_stuck: &stuck[process],
                awaits: self.system.topology.members[process].after & !ready,
            })
            .collect();
        let set = closed::closed(&members);
        let is_alive = |&(process, idx): &(usize, usize)| {
            members[process]
                .machine
                .is_none_or(|machine| !machine.is_daemon(machine.process.threads[idx].object))
        };
        if !set.iter().any(is_alive) {
            return;
        }
        let mut facts = Vec::new();
        for &(process, idx) in &set {
            let Some(machine) = members[process].machine else {
                facts.extend(self.facts_of_start(process, ready));
                continue;
            };
            let own = Violation {
                facts: explain::waiting_at(machine, idx),
                ..Violation::new(&rules::THREADS_STUCK)
            };
            facts.extend(self.named(process, own).facts);
        }
        out.report(Violation { facts, ..Violation::new(&rules::THREADS_STUCK) });
    }

    /// The facts of a process that waits to begin.
    fn facts_of_start(&self, process: usize, ready: u64) -> [Fact; 3] {
        [
            Fact::new("thread", self.system.name(process)),
            Fact::new("waits-for", "start"),
            Fact::new("object", self.awaited_by(process, ready)),
        ]
    }

    fn has_begun(&self, process: usize) -> bool {
        !self.system.waits_to_start(process, ready_bits(&self.loaded))
    }

    /// The processes that must listen before another one begins, for people.
    fn awaited_by(&self, process: usize, ready: u64) -> String {
        let after = self.system.topology.members[process].after & !ready;
        let names = (0..self.units.len()).filter(|&other| after >> other & 1 == 1);
        names.map(|other| self.system.name(other)).collect::<Vec<_>>().join(", ")
    }

    /// The process and its own key of a step.
    fn own_key(&self, key: StepKey) -> Option<(usize, StepKey)> {
        let process = (key.0 >> OWN_KEYS) as usize;
        (process < self.units.len()).then_some((process, StepKey(key.0 & ((1 << OWN_KEYS) - 1))))
    }
}

fn key_of(process: usize, key: StepKey) -> StepKey {
    assert!(key.0 >> OWN_KEYS == 0, "a process starts fewer than 2^24 threads");
    StepKey((process as u64) << OWN_KEYS | key.0)
}

impl Cursor for SystemCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &self.system.initial);
        Ok(())
    }

    fn limit(&mut self, limiter: &Limiter) {
        self.units.iter_mut().for_each(|unit| unit.limit(limiter));
    }

    fn load(&mut self, state: &[u8]) {
        self.forget();
        self.layout = Layout::of(state);
        self.loaded.clear();
        self.loaded.extend_from_slice(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.forget();
        self.complete(out)
    }

    fn expand_some(&mut self, out: &mut Batch) -> Result<bool, Halt> {
        let is_first = !self.expansions.iter().any(|one| one.is_given || one.first.is_some());
        if is_first && self.system.programs[0].options().is_ordered() {
            for process in 0..self.units.len() {
                if let Err(halt) = self.find(process) {
                    self.give(process, out);
                    return Err(halt);
                }
                if let Some(local) = self.units[process].local_step().filter(|_| self.has_begun(process))
                    && self.give_first(process, local, out)
                {
                    self.n_ordered += 1;
                    return Ok(false);
                }
            }
            for process in 0..self.units.len() {
                let Expansion { moves, talks, .. } = self.expansions[process];
                if moves && !talks {
                    self.n_ordered += 1;
                    self.give(process, out);
                    return Ok(false);
                }
            }
        }
        self.complete(out)?;
        Ok(true)
    }

    fn take(&mut self, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        let Some((process, own)) = self.own_key(key) else { return Ok(()) };
        if self.system.waits_to_start(process, ready_bits(&self.loaded)) {
            return Ok(());
        }
        if own == CRASH {
            return self.give_crash(process, out);
        }
        self.load_unit(process);
        let mut batch = Batch::new();
        let taken = self.units[process].take(own, &mut batch);
        self.transfer(process, &batch, |_| true, out);
        taken
    }

    fn look(&mut self, out: &mut Batch) {
        for process in 0..self.units.len() {
            self.load_unit(process);
            let mut batch = Batch::new();
            self.units[process].look(&mut batch);
            self.transfer(process, &batch, |_| true, out);
        }
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        let (process, own) = self.own_key(key)?;
        if own == CRASH {
            return Some(vec![self.crash_in_words(process)]);
        }
        self.load_unit(process);
        let mut moves = self.units[process].explain(own)?;
        for one in &mut moves {
            one.process = one.process.map(|thread| self.system.number_of(process, thread));
            one.process_name = Arc::from(self.system.within(process, &one.process_name));
            one.started = one.started.take().map(|(thread, name)| {
                (self.system.number_of(process, thread), Arc::from(self.system.within(process, &name)))
            });
        }
        Some(moves)
    }

    fn rests(&self) -> bool {
        let found = self.units.iter().zip(&self.expansions).filter(|(_, expansion)| expansion.is_done);
        found.into_iter().all(|(unit, _)| unit.rests())
    }

    fn actor(&self, key: StepKey) -> Option<u32> {
        let (process, own) = self.own_key(key)?;
        Some(self.system.number_of(process, (own.0 >> 32) as u32))
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }

    fn lesson(&self) -> Lesson {
        let mut all = Lesson::new();
        self.units.iter().for_each(|unit| all.merge(&unit.lesson()));
        all
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut sums: Vec<(&'static str, u64)> =
            vec![("states expanded by one process first", self.n_ordered)];
        for (name, n) in self.units.iter().flat_map(Cursor::counters) {
            match sums.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += n,
                None => sums.push((name, n)),
            }
        }
        sums
    }
}
