//! The program as a model: states are vectors, steps are steps of threads.
//!
//! A step's key is the number of the thread and, in the low half, which of its choices it is.

use crate::class::Loader;
use crate::conflict::Conflicts;
use crate::deadlock::Stuck;
use crate::end::LAST_RESORT;
use crate::processes::cursor::SystemCursor;
use crate::program::Program;
use crate::race::{Race, Sighting};
use crate::rules;
use crate::sleep::{self, Sleep};
use crate::state::decode::decode;
use crate::state::encode::Encoder;
use crate::state::net::is_same_process;
use crate::state::parts;
use crate::vm::execute::Stepped;
use crate::vm::machine::{Exec, Machine};
use crate::vm::process::{Ended, KILLED};
use crate::vm::step::Event;
use crate::vm::thread::{Thread, Wait};
use crate::vm::view::{Access, OBSERVER, Place};
use crate::world::{MAIN, Running, World};
use allways_model::{
    Asleep, Batch, Blocked, Cursor, Digest, Fault, Halt, Heap, Lesson, Lessons, Limiter, Location, Model,
    Move, Partition, Point, Process, StepKey, Variable, Violation,
};

impl Model for Program {
    fn digest(&self) -> Digest {
        self.program_digest()
    }

    fn cursor(&self, lessons: &Lessons) -> Box<dyn Cursor + '_> {
        match self.system() {
            Some(system) => Box::new(SystemCursor::new(system, lessons)),
            None => Box::new(JavaCursor::new(self, lessons)),
        }
    }

    fn processes(&self, state: &[u8]) -> Vec<Process> {
        if let Some(system) = self.system() {
            return system.processes(state);
        }
        let mut machine = self.machine(Lessons::none());
        decode(&mut machine, state);
        crate::explain::processes(&machine)
    }

    fn variables(&self, state: &[u8]) -> Vec<Variable> {
        if let Some(system) = self.system() {
            return system.variables(state);
        }
        let mut machine = self.machine(Lessons::none());
        decode(&mut machine, state);
        crate::explain::variables(&machine)
    }

    fn heap(&self, state: &[u8], _steps: &[StepKey]) -> Option<Heap> {
        self.system().is_none().then(|| self.heap_of(state))
    }

    fn blocked(&self, state: &[u8], lessons: &Lessons) -> Vec<Blocked> {
        if let Some(system) = self.system() {
            return system.blocked(state, lessons);
        }
        let mut cursor = JavaCursor::new(self, lessons);
        cursor.load(state);
        cursor.find_time();
        // What is wrong in the state, or unsupported, is known to whoever asks.
        let _ = cursor.expand_range(0..cursor.threads().len(), Asleep::NONE, &mut Batch::new());
        crate::explain::waits::blocked(cursor.machine(), |idx| cursor.stuck.has(idx))
    }

    fn partition(&self) -> Partition<'_> {
        match self.system() {
            Some(system) => system.partition(),
            None => Box::new(parts::ends),
        }
    }

    fn points(&self) -> &[Point] {
        &[]
    }

    fn has_sleepers(&self) -> bool {
        self.system().is_none() && self.may_sleep()
    }
}

/// At least so many states are looked at after the first conflict.
const LOOK_AROUND: u64 = 100;

/// A worker's position.
pub struct JavaCursor<'vm> {
    program: &'vm Program,
    world: World<'vm>,
    /// The loaded state.
    loaded: Vec<u8>,
    encoder: Encoder,
    /// Whether the encoder knows the loaded state.
    is_ready: bool,
    /// The segments of the loaded state, if conflicts between them are looked for.
    pub(crate) conflicts: Conflicts,
    /// Who sleeps in the successors of the loaded state, if that is asked for.
    sleep: Option<Sleep>,
    /// The races of the loaded state, if they are violations.
    races: Vec<Race>,
    /// The threads that cannot go on in the loaded state.
    stuck: Stuck,
    /// Whether an assumption dropped a step of the loaded state.
    is_dropped: bool,
    n_operations: u64,
    n_spurious: u64,
    n_asleep: u64,
    n_kept: u64,
    n_expanded: u64,
    /// When this worker first saw a conflict: after so many states.
    n_before_conflict: Option<u64>,
    /// The contexts of operations that this worker has seen in conflict.
    lesson: Lesson,
    /// Says whether an expansion with many choices may go on.
    limiter: Limiter,
    /// Whether a thread could go on in the loaded state.
    has_moved: bool,
    /// Whether one of the steps of the loaded state talks.
    has_talked: bool,
    /// A step of the loaded state that no other thread or process could notice.
    local_step: Option<StepKey>,
}

impl<'vm> JavaCursor<'vm> {
    pub(crate) fn new(program: &'vm Program, lessons: &Lessons) -> Self {
        let mut machine = program.machine(lessons);
        machine.knowledge.lock_order = Some(Box::default());
        machine.has_long_steps = true;
        Self {
            program,
            world: World::of(machine),
            loaded: Vec::new(),
            encoder: Encoder::default(),
            is_ready: false,
            conflicts: Conflicts::default(),
            sleep: None,
            races: Vec::new(),
            stuck: Stuck::default(),
            is_dropped: false,
            n_operations: 0,
            n_spurious: 0,
            n_asleep: 0,
            n_kept: 0,
            n_expanded: 0,
            n_before_conflict: None,
            lesson: Lesson::new(),
            limiter: Limiter::default(),
            has_moved: false,
            has_talked: false,
            local_step: None,
        }
    }

    /// A step of the loaded state, which was expanded, that accesses nothing which another thread or process
    /// can reach, and leads to one state.
    pub(crate) fn local_step(&self) -> Option<StepKey> {
        self.local_step
    }

    /// Whether any thread cannot go on in the loaded state, which was expanded.
    pub(crate) fn has_stuck(&self) -> bool {
        self.stuck.any()
    }

    /// Whether the thread at `idx` cannot go on in the loaded state, which was expanded.
    pub(crate) fn is_stuck(&self, idx: usize) -> bool {
        self.stuck.has(idx)
    }

    /// Whether a thread could go on in the loaded state, which was expanded.
    pub(crate) fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// Whether one of the steps of the loaded state, which was expanded, does or tries to do an operation on
    /// the network.
    pub(crate) fn has_talked(&self) -> bool {
        self.has_talked
    }

    /// The process that runs the program.
    fn main(&self) -> &Running<'vm> {
        &self.world.processes[MAIN]
    }

    fn main_mut(&mut self) -> &mut Running<'vm> {
        &mut self.world.processes[MAIN]
    }

    /// What executes it.
    pub(crate) fn machine(&self) -> &Machine<'vm> {
        &self.main().machine
    }

    /// Its threads as they were loaded.
    fn threads(&self) -> &[Thread<'vm>] {
        &self.main().loaded.threads
    }

    /// Time stands still in the loaded state if it has to, as long as a thread can go on otherwise.
    fn find_time(&mut self) {
        let stands_still = self.machine().options.idle_timeouts && self.can_move();
        self.main_mut().machine.timeless = stands_still;
    }

    /// Whether a thread can go on although no time passes.
    fn can_move(&mut self) -> bool {
        self.main_mut().machine.timeless = true;
        (0..self.threads().len()).any(|idx| {
            self.main_mut().machine.step.script.clear();
            loop {
                self.main_mut().machine.step.script.rewind();
                let stepped = self.step(idx);
                self.back(idx);
                match stepped {
                    Stepped::Blocked if self.main_mut().machine.step.script.advance() => {}
                    stepped => return stepped != Stepped::Blocked,
                }
            }
        })
    }

    /// Takes a step and keeps it; [`JavaCursor::back`] takes it back.
    fn step(&mut self, idx: usize) -> Stepped {
        self.n_operations += 1;
        let main = self.main_mut();
        main.machine.step.events.clear();
        main.step(idx)
    }

    /// Back to the loaded state.
    fn back(&mut self, idx: usize) {
        self.world.processes[MAIN].back(idx, &self.loaded);
    }

    /// The program.
    pub(crate) fn program(&self) -> &'vm Program {
        self.program
    }

    /// Where the thread at `idx` is when its step comes to an access in a context.
    pub(crate) fn look_for(&mut self, idx: usize, context: u64) -> Option<Sighting> {
        let main = &mut self.world.processes[MAIN];
        main.machine.step.script.clear();
        main.machine.knowledge.watched = Some(context);
        main.step(idx);
        main.machine.knowledge.watched = None;
        let sighting = main.machine.step.sighting.take();
        main.back_from_any(&self.loaded);
        sighting
    }

    /// The threads at two places are about to make accesses that race.
    pub(crate) fn note_race(&mut self, a: (usize, &Access), b: (usize, &Access)) {
        let contexts = [a.1.context.min(b.1.context), a.1.context.max(b.1.context)];
        let is_violation = self.machine().options.races;
        if !is_violation && self.program.knows_race(contexts) {
            return;
        }
        let race = crate::race::describe(self, [a, b]);
        if is_violation {
            self.races.extend(race.clone());
        }
        self.program.add_race(contexts, race);
    }

    /// The threads that may take a step: all, or the one in an atomic section if it can go on.
    fn candidates(&self) -> std::ops::Range<usize> {
        match self.threads().iter().position(Thread::is_in_section) {
            Some(idx) => idx..idx + 1,
            None => 0..self.threads().len(),
        }
    }

    fn report(&self, out: &mut Batch, key: StepKey) {
        for event in &self.machine().step.events {
            if let Event::Uncaught { assertion, text, place, name, .. } = event {
                let rule = if *assertion { &rules::FAILED_ASSERTION } else { &rules::UNCAUGHT_EXCEPTION };
                let location = place.as_ref().map(|(file, line)| location(file, *line));
                let violation = Violation { key: Some(key), location, ..Violation::new(rule) };
                out.report(violation.with("thread", name).with("exception", text));
            }
            if let Event::Exited { status, name, place } = event {
                let (key, location) = (Some(key), place.clone());
                let violation = Violation { key, location, ..Violation::new(&rules::EXIT_STATUS) };
                out.report(violation.with("thread", name).with("status", status));
            }
        }
    }

    fn check_invariants(&self, out: &mut Batch) {
        self.program.properties().violations(self.machine()).for_each(|violation| out.report(violation));
    }

    fn note_accesses(&mut self, idx: usize) {
        let machine = &self.world.processes[MAIN].machine;
        self.has_talked |= machine.step.talks;
        self.conflicts.note(idx, &machine.step.accesses);
    }

    fn expand_range(
        &mut self,
        range: std::ops::Range<usize>,
        asleep: Asleep,
        out: &mut Batch,
    ) -> Result<bool, Halt> {
        let mut moved = false;
        for idx in range {
            let id = self.threads()[idx].id;
            let first_entry = out.len();
            let mut may_commute = self.sleep.is_some();
            let mut left_alone = 0;
            self.main_mut().machine.step.script.clear();
            let mut choice = 0_u64;
            loop {
                self.limiter.check(out, self.machine().process.heap.n_bytes())?;
                self.main_mut().machine.step.script.rewind();
                let stepped = self.step(idx);
                let is_last_resort = self.machine().step.is_last_resort;
                let last_resort = if is_last_resort { LAST_RESORT } else { 0 };
                let key = StepKey(u64::from(id) << 32 | last_resort | choice);
                // Also of a step that is not taken: others may do something before that lets the thread go on
                // from there.
                self.note_accesses(idx);
                if let Some(notes) = &mut self.world.processes[MAIN].machine.knowledge.lock_order
                    && !notes.found.is_empty()
                {
                    self.program.add_orders(&mut notes.found);
                }
                match stepped {
                    // This search allows fewer failures than the model.
                    Stepped::Done if self.machine().net.n_failures > self.program.most_failures() => {
                        if is_last_resort {
                            self.stuck.note(idx, None);
                        }
                        may_commute = false;
                    }
                    Stepped::Done => {
                        if is_last_resort {
                            self.stuck.note(idx, None);
                        }
                        moved |= !is_last_resort;
                        let Running { machine, loaded } = self.main();
                        self.n_spurious += u64::from(machine.process.n_spurious - loaded.n_spurious);
                        self.report(out, key);
                        let is_listed = self.is_listed(idx);
                        if is_listed && self.is_local() {
                            self.local_step.get_or_insert(key);
                        }
                        may_commute &= is_listed;
                        match self.write_down(idx, asleep.has(idx), may_commute, key, out) {
                            Ok(left) => left_alone |= left,
                            Err(trap) => {
                                let fault = self.fault(trap.to_string(), idx);
                                self.back(idx);
                                return Err(fault.into());
                            }
                        }
                    }
                    Stepped::Rejected => {
                        moved = true;
                        self.is_dropped = true;
                    }
                    // One with choices may go on with another one.
                    Stepped::Blocked if self.machine().step.script.has_choices() => {}
                    Stepped::Blocked => self.stuck.note(idx, self.machine().step.blocked_by),
                    Stepped::Unsupported(what) => {
                        let fault = self.fault(what.to_string(), idx);
                        self.back(idx);
                        return Err(fault.into());
                    }
                }
                self.back(idx);
                choice += 1;
                may_commute &= stepped == Stepped::Done;
                if !self.main_mut().machine.step.script.advance() {
                    break;
                }
            }
            if let Some(sleep) = self.sleep.as_mut().filter(|_| may_commute) {
                sleep.note(idx, first_entry..out.len(), left_alone);
            }
        }
        Ok(moved)
    }

    /// Takes the step of the thread at `idx` with the choices that `key` names, if there is one. Steps with
    /// the choices before those are taken, and dropped.
    fn take_choice(&mut self, idx: usize, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        self.main_mut().machine.step.script.clear();
        let mut choice = 0;
        loop {
            self.limiter.check(out, self.machine().process.heap.n_bytes())?;
            self.main_mut().machine.step.script.rewind();
            let stepped = self.step(idx);
            if let Some(notes) = &mut self.world.processes[MAIN].machine.knowledge.lock_order
                && !notes.found.is_empty()
            {
                self.program.add_orders(&mut notes.found);
            }
            let last_resort = if self.machine().step.is_last_resort { LAST_RESORT } else { 0 };
            if choice | last_resort == key.0 & 0xffff_ffff {
                let mut result = Ok(());
                match stepped {
                    Stepped::Done => {
                        self.report(out, key);
                        if let Err(trap) = self.write_down(idx, false, false, key, out) {
                            result = Err(self.fault(trap.to_string(), idx).into());
                        }
                    }
                    Stepped::Unsupported(what) => result = Err(self.fault(what.to_string(), idx).into()),
                    Stepped::Rejected | Stepped::Blocked => {}
                }
                self.back(idx);
                return result;
            }
            self.back(idx);
            choice += 1;
            if !self.main_mut().machine.step.script.advance() {
                return Ok(());
            }
        }
    }

    /// Lets the encoder know the loaded state, if that is of use.
    fn make_ready(&mut self) -> Result<(), Fault> {
        if !self.is_ready && self.machine().options.form.is_usual() {
            let ready = self.encoder.load(&self.world.processes[MAIN].machine, &self.loaded);
            ready.map_err(|trap| Fault { message: trap.to_string(), ..Fault::default() })?;
            self.is_ready = true;
        }
        Ok(())
    }

    /// Makes the state after a step of the thread at `idx` a successor, or counts it if the thread sleeps.
    /// Gives the threads that the step leaves alone with an object, if it matters.
    fn write_down(
        &mut self,
        idx: usize,
        is_asleep: bool,
        may_commute: bool,
        key: StepKey,
        out: &mut Batch,
    ) -> Exec<u32> {
        let Running { machine, loaded } = &self.world.processes[MAIN];
        let (encoder, before) = (&mut self.encoder, &loaded.threads[idx]);
        let is_kept =
            self.is_ready && (may_commute || !is_asleep) && encoder.is_kept(machine, before, idx)?;
        if is_asleep {
            out.count_known();
            self.n_asleep += 1;
            if may_commute && !is_kept {
                encoder.find_reach(machine)?;
            }
        } else if is_kept {
            self.n_kept += 1;
            push(out, key, encoder.encode_kept(machine, idx)?);
        } else {
            push(out, key, encoder.encode(machine)?);
        }
        if is_kept || !may_commute {
            return Ok(0);
        }
        let has_ended = machine.process.threads.get(idx).is_none_or(|thread| thread.id != before.id);
        Ok(encoder.left_alone(machine, loaded.n_objects, idx, has_ended))
    }

    /// Whether everything that the step which was just taken by the thread at `idx` has to do with others is
    /// among its accesses.
    fn is_listed(&self, idx: usize) -> bool {
        let Running { machine, loaded } = self.main();
        let before = &loaded.threads[idx];
        let now = machine.process.threads.get(idx).filter(|now| now.id == before.id);
        !machine.step.unlisted
            && machine.process.ended == Ended::No
            && machine.process.clock == loaded.clock
            && machine.process.died == loaded.died
            && (machine.process.next_hash == loaded.next_hash || machine.lists(Place::HASHES))
            && (machine.process.output.len() == loaded.n_output || machine.lists(Place::OUTPUT))
            && matches!(before.wait, Wait::No | Wait::Woken { interrupted: false, .. })
            && before.atomic == 0
            && now.is_none_or(|now| now.atomic == 0)
    }

    /// Whether the step that was just taken, of which everything is listed, has nothing to do with others.
    fn is_local(&self) -> bool {
        let step = &self.machine().step;
        step.accesses.is_empty() && step.events.is_empty() && !step.talks && !step.script.has_choices()
    }

    /// Brings into view what is in conflict in the loaded state. The search must begin again then; but before
    /// that it goes on for as long as it took to get here, since where there is one conflict there are more.
    fn look_for_conflicts(&mut self) -> Result<(), Halt> {
        self.n_expanded += 1;
        self.races.clear();
        let racy = Conflicts::find(self);
        if self.machine().options.races && racy.iter().any(|&(context, _)| context == OBSERVER) {
            let message = "races of a program that looks at what its threads are about to do".into();
            return Err(Fault { message, ..Fault::default() }.into());
        }
        if !racy.is_empty() {
            self.program.add_places(&racy);
            racy.iter().for_each(|&(context, _)| self.lesson.add(context));
            self.n_before_conflict.get_or_insert(self.n_expanded);
        }
        match self.n_before_conflict {
            Some(before) if self.n_expanded >= 2 * before + LOOK_AROUND => {
                Err(Halt::Refine(self.lesson.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Notes what the threads would access that do not run because of an atomic section: they can be in the
    /// middle of a step.
    fn look_at_others(&mut self, section: std::ops::Range<usize>) {
        if !self.machine().sees_all() {
            let mut not_taken = Batch::new();
            for idx in (0..self.threads().len()).filter(|idx| !section.contains(idx)) {
                // What is not supported there is reported if it comes to that.
                let _ = self.expand_range(idx..idx + 1, Asleep::NONE, &mut not_taken);
                not_taken.clear();
            }
        }
    }

    /// Expands the loaded state; steps of those who sleep in it are only counted.
    fn expand_all(&mut self, asleep: Asleep, out: &mut Batch) -> Result<(), Halt> {
        if let Some(sleep) = &mut self.sleep {
            sleep.clear();
        }
        self.is_dropped = false;
        (self.has_moved, self.has_talked, self.local_step) = (false, false, None);
        self.stuck.clear();
        if self.machine().process.ended != Ended::No {
            // Nothing is left of a process that was killed.
            if self.machine().process.died & KILLED == 0 {
                self.check_invariants(out);
            }
            return Ok(());
        }
        self.make_ready()?;
        let candidates = self.candidates();
        self.conflicts.clear();
        let idle_timeouts = self.machine().options.idle_timeouts;
        self.main_mut().machine.timeless = idle_timeouts;
        let mut moved = self.expand_range(candidates.clone(), asleep, out)?;
        let is_in_section = moved && self.threads()[candidates.start].is_in_section();
        if candidates.len() < self.threads().len() {
            if moved {
                self.look_at_others(candidates);
            } else {
                // The thread in an atomic section waits for the others.
                moved = self.expand_range(0..self.threads().len(), Asleep::NONE, out)?;
            }
        }
        if idle_timeouts && !moved {
            // Only now time passes. As the states in which no thread can go on are the same with the
            // reduction and without, so are those in which it does.
            self.stuck.clear();
            self.main_mut().machine.timeless = false;
            moved = self.expand_range(0..self.threads().len(), Asleep::NONE, out)?;
        }
        self.has_moved = moved;
        if !is_in_section {
            self.check_invariants(out);
        }
        self.look_for_conflicts()?;
        for race in &self.races {
            out.report(Violation { facts: race.facts(), ..Violation::new(&rules::DATA_RACE) });
        }
        for deadlock in
            crate::explain::deadlocks(self.machine(), &self.stuck, !moved && !self.program.is_member())
        {
            out.report(deadlock);
        }
        Ok(())
    }

    /// States mean the same in every run as long as no two things need the same number.
    fn check_numbers(&self) -> Result<(), Fault> {
        let Some(clash) = self.machine().vm.clash() else { return Ok(()) };
        let message = format!("{clash} would have the same number in states");
        Err(Fault { message, ..Fault::default() })
    }

    fn fault(&self, message: String, idx: usize) -> Fault {
        let frames = self.machine().process.threads.get(idx).map_or(&[][..], |thread| &thread.frames);
        let place = frames.iter().rev().find_map(|frame| {
            let is_own = self.machine().vm.class(frame.method.class).loader == Loader::App;
            is_own.then(|| self.machine().place(frame.method, frame.pc)).flatten()
        });
        Fault { message, location: place.map(|(file, line)| location(&file, line)), ..Fault::default() }
    }
}

/// A place in a source file; bytecode knows no columns.
pub(crate) fn location(file: &str, line: u32) -> Location {
    Location { file: file.into(), line, column: 1 }
}

fn push(out: &mut Batch, key: StepKey, words: &[u32]) {
    let room = out.room(4 * words.len());
    for (to, word) in room.chunks_exact_mut(4).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    out.commit(key, 4 * words.len());
}

impl Cursor for JavaCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), self.program.initial_vector());
        Ok(())
    }

    fn limit(&mut self, limiter: &Limiter) {
        self.limiter = limiter.clone();
    }

    fn load(&mut self, state: &[u8]) {
        if self.loaded == state {
            return;
        }
        if !self.loaded.is_empty() && is_same_process(&self.loaded, state) {
            self.world.load_network(state);
        } else {
            self.world.load(state);
            self.is_ready = false;
        }
        self.loaded.clear();
        self.loaded.extend_from_slice(state);
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        self.sleep = None;
        self.expand_all(Asleep::NONE, out)?;
        Ok(self.check_numbers()?)
    }

    fn expand_awake(&mut self, asleep: Asleep, out: &mut Batch) -> Result<(), Halt> {
        let may_sleep = self.program.may_sleep()
            && !self.machine().sees_all()
            && self.threads().len() <= sleep::MAX_THREADS
            && self.candidates().len() == self.threads().len();
        self.sleep = may_sleep.then(|| self.sleep.take().unwrap_or_default());
        self.expand_all(asleep, out)?;
        if let Some(sleep) = &self.sleep {
            sleep.tell(&self.conflicts, out);
        }
        Ok(self.check_numbers()?)
    }

    fn take(&mut self, key: StepKey, out: &mut Batch) -> Result<(), Halt> {
        self.sleep = None;
        if self.machine().process.ended != Ended::No {
            return Ok(());
        }
        let idx = self.threads().iter().position(|thread| u64::from(thread.id) == key.0 >> 32);
        let Some(idx) = idx else { return Ok(()) };
        if !self.candidates().contains(&idx) {
            // Whether it may go on depends on the thread in an atomic section.
            let mut all = Batch::new();
            self.expand_all(Asleep::NONE, &mut all)?;
            out.append_step(key, &all);
            return Ok(());
        }
        self.make_ready()?;
        self.take_choice(idx, key, out)?;
        Ok(self.check_numbers()?)
    }

    fn look(&mut self, out: &mut Batch) {
        // Within an atomic section invariants need not hold.
        let process = &self.machine().process;
        if process.died & KILLED == 0
            && (process.ended != Ended::No || !self.threads().iter().any(Thread::is_in_section))
        {
            self.check_invariants(out);
        }
    }

    fn explain(&mut self, key: StepKey) -> Option<Vec<Move>> {
        let idx = self.threads().iter().position(|thread| u64::from(thread.id) == key.0 >> 32)?;
        self.find_time();
        self.main_mut().machine.step.script.clear();
        let mut choice = 0;
        loop {
            self.main_mut().machine.step.script.rewind();
            let before = crate::explain::Before::of(self.machine(), idx);
            self.main_mut().machine.step.reads = Some(Vec::new());
            let stepped = self.step(idx);
            let moves = match stepped {
                Stepped::Done | Stepped::Rejected if choice == key.0 & (LAST_RESORT - 1) => {
                    Some(before.moves(self.machine()))
                }
                _ => None,
            };
            self.main_mut().machine.step.reads = None;
            self.back(idx);
            // A thread that cannot go on with one choice may with another one: a failure.
            if moves.is_some() {
                return moves;
            }
            choice += 1;
            if !self.main_mut().machine.step.script.advance() {
                return None;
            }
        }
    }

    fn holds(&mut self, proposition: u32) -> Result<bool, Violation> {
        self.program.properties().holds(self.machine(), proposition)
    }

    fn lesson(&self) -> Lesson {
        self.lesson.clone()
    }

    fn rests(&self) -> bool {
        !self.is_dropped
    }

    fn actor(&self, key: StepKey) -> Option<u32> {
        Some((key.0 >> 32) as u32)
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut counters = vec![
            ("steps taken", self.n_operations),
            ("steps of sleepers", self.n_asleep),
            ("states written down by what changed", self.n_kept),
        ];
        if self.machine().options.spurious > 0 {
            counters.push(("spurious wake-ups", self.n_spurious));
        }
        counters
    }
}
