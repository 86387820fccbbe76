//! Draws litmus programs: first what a program may use, then its statements, until one is worth checking.
//!
//! A draft is kept if the reference can enumerate it within [`MAX_STATES`], and it can end in more than one
//! way, but not in too many, and well in one of them (nearly always); each further draft of a seed is a
//! little smaller. So a seed's program depends on the reference's count of outcomes, but on nothing outside
//! this module.

use super::ast::{
    AtomicCall, Cmp, Form, Guard, Main, Monitor, Place, Program, Slot, Stmt, Subject, Test, Thread, Value,
};
use super::{Kind, MAX_STATES, reference};
use crate::random_promela::Rng;

/// The most outcomes a program should have.
const MAX_OUTCOMES: usize = 40;

/// The drafts that are made before one is taken as it is.
const MAX_DRAFTS: u32 = 30;

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let (plain, grim) = (rng.chance(4), rng.chance(15));
    for n_drafts in 0..MAX_DRAFTS {
        let program = draft(&mut rng, n_drafts);
        if let Some(found) = reference::explore(&program, MAX_STATES) {
            let n_outcomes = found.outcomes.len();
            let ends_well = found.outcomes.iter().any(|outcome| outcome.kind == Kind::Exit);
            if n_outcomes <= MAX_OUTCOMES && (plain || n_outcomes > 1) && (grim || ends_well) {
                return program;
            }
        }
    }
    // Nothing is as surely small as this.
    store_buffering()
}

/// Two threads that each write one place and read the other.
pub(super) fn store_buffering() -> Program {
    let thread = |own, other| Thread {
        form: Form::Lambda,
        n_locals: 1,
        body: vec![Stmt::Write { to: own, value: Value::constant(1) }, Stmt::Read { to: 0, from: other }],
    };
    Program {
        places: vec![Place::Static, Place::Static],
        threads: vec![thread(0, 1), thread(1, 0)],
        ..Program::default()
    }
}

fn draft(rng: &mut Rng, n_drafts: u32) -> Program {
    let profile = Profile::draw(rng);
    let n_threads = if rng.chance(25) { 3 } else { 2 };
    let budget = if n_threads == 3 { rng.range(1, 3) } else { rng.range(2, 5) };
    let budget = budget.saturating_sub(n_drafts / 6).max(1);
    let mut program = Program {
        places: places(rng),
        n_atomics: if profile.atomic > 0 { rng.range(1, 2) as usize } else { 0 },
        locks: if profile.lock > 0 {
            (0..rng.range(1, 2)).map(|_| rng.chance(20)).collect()
        } else {
            Vec::new()
        },
        ..Program::default()
    };
    program.monitors = monitors(rng, &profile);
    let mut drawer = Drawer { rng, profile, program: &program, n_locals: 1, held: Vec::new(), n_branches: 0 };
    let mut threads: Vec<Thread> = (0..n_threads).map(|_| drawer.thread(budget)).collect();
    if drawer.profile.wait {
        drawer.handshake(&mut threads);
    }
    if drawer.profile.embrace {
        drawer.embrace(&mut threads);
    }
    let main = drawer.main();
    program.threads = threads;
    program.main = main;
    program
}

/// How often each kind of statement is drawn in one program; 0 is never.
struct Profile {
    sync: u32,
    bump: u32,
    lock: u32,
    try_lock: u32,
    atomic: u32,
    wait: bool,
    embrace: bool,
    branch: u32,
    repeat: u32,
    assert: u32,
    throw: u32,
    catch: u32,
    print: u32,
    main_beside: bool,
    main_after: bool,
}

impl Profile {
    fn draw(rng: &mut Rng) -> Self {
        let mut weight = |often: u32| if rng.chance(often) { rng.range(3, 10) } else { 0 };
        let (sync, bump, lock, try_lock) = (weight(50), weight(15), weight(25), weight(15));
        let (atomic, branch, repeat) = (weight(35), weight(50), weight(25));
        let (assert, throw, catch, print) = (weight(30), weight(35), weight(15), weight(10) / 2);
        Profile {
            sync,
            bump,
            lock: lock.max(try_lock),
            try_lock,
            atomic,
            wait: rng.chance(27),
            embrace: rng.chance(15),
            repeat,
            assert: assert / 2,
            branch: if throw > 0 { branch.max(6) } else { branch },
            throw,
            catch: if assert + throw > 0 { catch.max(3) } else { catch / 2 },
            print,
            main_beside: rng.chance(15),
            main_after: rng.chance(20),
        }
    }
}

/// Two or three different places.
fn places(rng: &mut Rng) -> Vec<Place> {
    let mut places = Vec::new();
    for _ in 0..rng.range(2, 3) {
        let place = match rng.below(8) {
            0 | 1 => Place::Static,
            2 | 3 => Place::Volatile,
            4 => Place::Holder,
            5 | 6 => {
                let slot = *rng.pick(&[Slot::A, Slot::B, Slot::V]);
                Place::Field { object: rng.below(2) as usize, slot }
            }
            _ => Place::Element(rng.below(2) as usize),
        };
        // Only static fields have names of their own: the same field twice would be one place.
        let named = matches!(place, Place::Static | Place::Volatile | Place::Holder);
        places.push(if named || !places.contains(&place) { place } else { Place::Static });
    }
    places
}

/// Up to two different monitors.
fn monitors(rng: &mut Rng, profile: &Profile) -> Vec<Monitor> {
    let mut monitors = Vec::new();
    if profile.sync + profile.bump > 0 || profile.wait || profile.embrace {
        for _ in 0..if profile.embrace { 2 } else { rng.range(1, 2) } {
            let monitor = rng.weighted(&[
                (5, Monitor::Plain),
                (2, Monitor::Box(0)),
                (1, Monitor::Box(1)),
                (if profile.bump > 0 { 12 } else { 2 }, Monitor::Class),
            ]);
            let fresh = monitor == Monitor::Plain || !monitors.contains(&monitor);
            monitors.push(if fresh { monitor } else { Monitor::Plain });
        }
    }
    monitors
}

struct Drawer<'a> {
    rng: &'a mut Rng,
    profile: Profile,
    /// What is declared; the threads are not there yet.
    program: &'a Program,
    n_locals: usize,
    /// The monitors that are held where the next statement goes.
    held: Vec<usize>,
    /// The `if` and `try` around the next statement: only there is it worth throwing.
    n_branches: u32,
}

#[derive(Clone, Copy)]
enum Choice {
    Read,
    Write,
    Increment,
    Bump,
    Set,
    Divide,
    If,
    Repeat,
    Sync,
    Locked,
    TryLocked,
    Atomic,
    Notify,
    Assert,
    Throw,
    Try,
    Print,
}

impl Drawer<'_> {
    fn thread(&mut self, budget: u32) -> Thread {
        self.n_locals = self.rng.range(1, 2) as usize;
        let form = *self.rng.pick(&[Form::Subclass, Form::Lambda, Form::Runnable]);
        let n_statements = self.rng.range(budget.max(2) - 1, budget + 1);
        Thread { form, n_locals: self.n_locals, body: self.block(n_statements, 0) }
    }

    fn main(&mut self) -> Main {
        let mut main = Main::default();
        if self.profile.main_beside {
            main.n_locals = 1;
            self.n_locals = 1;
            let n_statements = self.rng.range(1, 2);
            main.beside = self.block(n_statements, 1);
        }
        if self.profile.main_after {
            let place = self.place();
            let (cmp, value) = (*self.rng.pick(&[Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Ge]), self.small());
            main.after.push(Stmt::Assert(Test { subject: Subject::Shared(place), cmp, value }));
        }
        main
    }

    /// A thread that waits and one that tells it, with or without a condition that makes sense of it.
    fn handshake(&mut self, threads: &mut [Thread]) {
        let monitor = self.rng.below(self.program.monitors.len() as u32) as usize;
        let place = self.place();
        let waits = Test { subject: Subject::Shared(place), cmp: Cmp::Eq, value: 0 };
        let guard = match self.rng.below(10) {
            0..=4 => Guard::While(waits),
            5..=7 => Guard::If(waits),
            _ => Guard::Naked,
        };
        let waiter = self.rng.below(threads.len() as u32) as usize;
        let all = self.rng.chance(40);
        for (idx, thread) in threads.iter_mut().enumerate() {
            self.n_locals = thread.n_locals;
            let mut body = Vec::new();
            // Of three threads two may wait, so that a notification has a choice.
            let waits_too = threads_wait(idx, waiter, self.rng);
            if waits_too {
                body.push(Stmt::Wait { monitor, guard });
                if self.rng.chance(50) {
                    body.push(Stmt::Read { to: self.local(), from: self.place() });
                }
                if self.rng.chance(25) {
                    body.push(Stmt::Notify { monitor, all });
                }
            } else {
                body.push(Stmt::Write { to: place, value: Value::constant(1) });
                body.push(Stmt::Notify { monitor, all });
            }
            let signal = if !waits_too && self.rng.chance(15) {
                // The write happens outside, and a waiter may miss what follows.
                let write = body.remove(0);
                vec![write, Stmt::Sync { monitor, body }]
            } else {
                vec![Stmt::Sync { monitor, body }]
            };
            thread.body.truncate(3);
            let at = self.rng.below(thread.body.len() as u32 + 1) as usize;
            thread.body.splice(at..at, signal);
        }
    }

    /// Two threads that each take two monitors or locks, mostly in different orders.
    fn embrace(&mut self, threads: &mut [Thread]) {
        let (n_monitors, n_locks) = (self.program.monitors.len() as u32, self.program.locks.len() as u32);
        let first = self.rng.below(n_monitors + n_locks);
        let second = (first + self.rng.range(1, n_monitors + n_locks - 1)) % (n_monitors + n_locks);
        let region = |lockable: u32, body| match lockable.checked_sub(n_monitors) {
            None => Stmt::Sync { monitor: lockable as usize, body },
            Some(lock) => Stmt::Locked { lock: lock as usize, body },
        };
        for (idx, thread) in threads.iter_mut().enumerate().take(2) {
            self.n_locals = thread.n_locals;
            let crossed = idx == 1 && self.rng.chance(85);
            let (outer, inner) = if crossed { (second, first) } else { (first, second) };
            let mut body = self.block(1, 3);
            body = vec![region(inner, body)];
            if self.rng.chance(40) {
                body.insert(0, self.statement(3));
            }
            thread.body.truncate(2);
            let at = self.rng.below(thread.body.len() as u32 + 1) as usize;
            thread.body.insert(at, region(outer, body));
        }
    }

    fn place(&mut self) -> usize {
        self.rng.below(self.program.places.len() as u32) as usize
    }

    fn local(&mut self) -> usize {
        self.rng.below(self.n_locals as u32) as usize
    }

    fn small(&mut self) -> i32 {
        self.rng.below(3) as i32
    }

    fn value(&mut self) -> Value {
        if self.rng.chance(40) {
            Value::local(self.local(), self.small())
        } else {
            Value::constant(1 + self.small())
        }
    }

    fn test(&mut self) -> Test {
        let subject = if self.program.n_atomics > 0 && self.rng.chance(20) {
            Subject::Atomic(self.rng.below(self.program.n_atomics as u32) as usize)
        } else if self.rng.chance(50) {
            Subject::Shared(self.place())
        } else {
            Subject::Local(self.local())
        };
        Test { subject, cmp: *self.rng.pick(&[Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Ge]), value: self.small() }
    }

    fn block(&mut self, n_statements: u32, depth: u32) -> Vec<Stmt> {
        (0..n_statements).map(|_| self.statement(depth)).collect()
    }

    fn inner(&mut self, depth: u32) -> Vec<Stmt> {
        let n_statements = if self.rng.chance(60) { 1 } else { 2 };
        self.block(n_statements, depth + 1)
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        let p = &self.profile;
        let has_monitor = !self.program.monitors.is_empty();
        let compound = |weight: u32| if depth < 3 { weight } else { 0 };
        // A notification without the monitor is an exception: seldom.
        let notify = if !p.wait || !has_monitor {
            0
        } else if self.held.is_empty() {
            u32::from(p.throw > 0)
        } else {
            3
        };
        let choice = self.rng.weighted(&[
            (9, Choice::Read),
            (8, Choice::Write),
            (5, Choice::Increment),
            (if has_monitor { p.bump } else { 0 }, Choice::Bump),
            (1, Choice::Set),
            (p.throw, Choice::Divide),
            (compound(p.branch), Choice::If),
            (compound(p.repeat) / 2, Choice::Repeat),
            (if has_monitor { compound(p.sync) * 2 } else { 0 }, Choice::Sync),
            (compound(p.lock), Choice::Locked),
            (compound(p.try_lock), Choice::TryLocked),
            (p.atomic * 2, Choice::Atomic),
            (notify, Choice::Notify),
            (p.assert, Choice::Assert),
            (if self.n_branches > 0 { p.throw * 2 } else { 0 }, Choice::Throw),
            (compound(p.catch) / 2, Choice::Try),
            (p.print, Choice::Print),
        ]);
        match choice {
            Choice::Read => Stmt::Read { to: self.local(), from: self.place() },
            Choice::Write => Stmt::Write { to: self.place(), value: self.value() },
            Choice::Increment => Stmt::Increment(self.place()),
            Choice::Bump => self.bump(),
            Choice::Set => Stmt::Set { to: self.local(), value: self.value() },
            Choice::Divide => Stmt::Divide { to: self.local(), by: self.local() },
            Choice::Atomic => self.atomic(),
            Choice::Notify => Stmt::Notify { monitor: self.monitor(), all: self.rng.chance(30) },
            Choice::Assert => Stmt::Assert(self.test()),
            Choice::Throw => Stmt::Throw { call: self.rng.chance(50) },
            Choice::Print => Stmt::Print(self.local()),
            _ => self.compound(choice, depth),
        }
    }

    fn compound(&mut self, choice: Choice, depth: u32) -> Stmt {
        match choice {
            Choice::Repeat => {
                Stmt::Repeat { times: self.rng.range(2, 3) as i32, body: self.block(1, depth + 2) }
            }
            Choice::Sync => {
                let monitor = self.rng.below(self.program.monitors.len() as u32) as usize;
                self.held.push(monitor);
                let body = self.inner(depth);
                self.held.pop();
                Stmt::Sync { monitor, body }
            }
            Choice::Locked => Stmt::Locked { lock: self.lock(), body: self.inner(depth) },
            Choice::TryLocked => {
                let (lock, body) = (self.lock(), self.inner(depth));
                let otherwise = if self.rng.chance(50) { self.block(1, depth + 2) } else { Vec::new() };
                Stmt::TryLocked { lock, body, otherwise }
            }
            Choice::Try => {
                self.n_branches += 1;
                let (body, all) = (self.inner(depth), self.rng.chance(40));
                self.n_branches -= 1;
                Stmt::Try { body, all, handler: self.block(1, depth + 2) }
            }
            _ => {
                self.n_branches += 1;
                let (test, then) = (self.test(), self.inner(depth));
                let otherwise = if self.rng.chance(35) { self.block(1, depth + 1) } else { Vec::new() };
                self.n_branches -= 1;
                Stmt::If { test, then, otherwise }
            }
        }
    }

    /// A synchronized method: of an object for its own field, else of the class.
    fn bump(&mut self) -> Stmt {
        let place = self.place();
        let fits = |monitor: Monitor| match (monitor, self.program.places[place]) {
            (Monitor::Class, _) => true,
            (Monitor::Box(own), Place::Field { object, .. }) => own == object,
            _ => false,
        };
        match self.program.monitors.iter().position(|&monitor| fits(monitor)) {
            Some(monitor) => Stmt::Bump { monitor, place },
            None => Stmt::Increment(place),
        }
    }

    fn atomic(&mut self) -> Stmt {
        let atomic = self.rng.below(self.program.n_atomics as u32) as usize;
        let to = self.local();
        let call = match self.rng.below(8) {
            0 => AtomicCall::Get { to },
            1 => AtomicCall::Set(self.value()),
            2 => AtomicCall::AddAndGet { to, delta: 1 + self.small() },
            3 => AtomicCall::GetAndSet { to, value: self.value() },
            4 => {
                let expect = if self.rng.chance(30) { self.value() } else { Value::constant(self.small()) };
                AtomicCall::CompareAndSet { to, expect, value: self.value() }
            }
            5 => AtomicCall::GetAndIncrement { to },
            _ => AtomicCall::Add(1 + self.small()),
        };
        Stmt::Atomic { atomic, call }
    }

    /// A monitor, one that is held if any is.
    fn monitor(&mut self) -> usize {
        match self.rng.pick_any(&self.held) {
            Some(&monitor) => monitor,
            None => self.rng.below(self.program.monitors.len() as u32) as usize,
        }
    }

    fn lock(&mut self) -> usize {
        self.rng.below(self.program.locks.len() as u32) as usize
    }
}

/// Whether a thread waits in a handshake: the chosen one always, the third of three sometimes.
fn threads_wait(idx: usize, waiter: usize, rng: &mut Rng) -> bool {
    idx == waiter || (idx == 2 && rng.chance(60))
}
