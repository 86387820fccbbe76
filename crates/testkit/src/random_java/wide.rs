//! Draws litmus programs with many places, each accessed by few threads and often only in a block behind a
//! test of another place; and with what threads do to each other, to classes and to the process.
//!
//! A program is about a few themes. Each thread has a few places near it; in a guarded block other places are
//! near.

use super::ast::{
    AtomicCall, Cmp, Form, Guard, Lazy, Main, Monitor, NodeAccess, Place, Program, Slot, Stmt, Subject, Test,
    Thread, Value,
};
use super::generate::store_buffering;
use super::{Kind, reference};
use crate::random_promela::Rng;

/// The most outcomes a program should have.
const MAX_OUTCOMES: usize = 40;

/// The most states it should have: fewer than other programs, which have fewer threads and less to do.
const MAX_STATES: usize = 5_000;

/// The drafts that are made before one is taken as it is.
const MAX_DRAFTS: u32 = 40;

/// What a program can be about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Theme {
    Monitors,
    Waiting,
    Locks,
    Atomics,
    Publication,
    Initialisers,
    Lives,
    Interrupts,
    Exceptions,
    Output,
    Ends,
    Choices,
    Sections,
    Spins,
    Loops,
}

const THEMES: &[Theme] = &[
    Theme::Monitors,
    Theme::Monitors,
    Theme::Waiting,
    Theme::Locks,
    Theme::Atomics,
    Theme::Publication,
    Theme::Initialisers,
    Theme::Lives,
    Theme::Interrupts,
    Theme::Exceptions,
    Theme::Output,
    Theme::Ends,
    Theme::Choices,
    Theme::Sections,
    Theme::Spins,
    Theme::Loops,
];

/// The program of a seed.
pub fn generate_wide(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x5eed_0000_0000);
    for n_drafts in 0..MAX_DRAFTS {
        let program = draft(&mut rng, n_drafts);
        if let Some(found) = reference::explore(&program, MAX_STATES) {
            let n_outcomes = found.outcomes.len();
            let ends_well = found.outcomes.iter().any(|outcome| outcome.kind == Kind::Exit);
            if (2..=MAX_OUTCOMES).contains(&n_outcomes) && ends_well {
                return program;
            }
        }
    }
    store_buffering()
}

fn draft(rng: &mut Rng, n_drafts: u32) -> Program {
    let mut themes: Vec<Theme> = (0..rng.range(1, 3)).map(|_| *rng.pick(THEMES)).collect();
    if themes.contains(&Theme::Choices) || themes.contains(&Theme::Sections) {
        // A run that is taken back has no failure, and a section has no way out but its end.
        themes.retain(|theme| !matches!(theme, Theme::Exceptions | Theme::Interrupts));
    }
    let has = |theme| themes.contains(&theme);
    let n_threads = if rng.chance(40) && !has(Theme::Locks) { 3 } else { 2 };
    let mut program = Program { places: places(rng), ..Program::default() };
    let n_places = program.places.len() as u32;
    program.n_atomics = if has(Theme::Atomics) { rng.range(1, 2) as usize } else { 0 };
    program.locks = if has(Theme::Locks) { vec![rng.chance(20)] } else { Vec::new() };
    program.n_references = if has(Theme::Publication) { rng.range(1, 2) as usize } else { 0 };
    if has(Theme::Initialisers) {
        for _ in 0..rng.range(1, 2) {
            let (writes, reads) = (rng.below(n_places) as usize, rng.below(n_places) as usize);
            program.lazies.push(Lazy { writes, value: rng.range(1, 2) as i32, reads });
        }
    }
    if has(Theme::Monitors) || has(Theme::Waiting) || has(Theme::Exceptions) || has(Theme::Sections) {
        program.monitors.push(Monitor::Class);
        if rng.chance(50) {
            program.monitors.push(Monitor::Plain);
        }
    }
    if has(Theme::Ends) && rng.chance(60) {
        program.daemons.push(n_threads - 1);
    }
    if has(Theme::Lives) && n_threads == 3 && rng.chance(60) {
        program.late.push(2);
    }
    let budget = if n_threads == 3 { 3 } else { 5 };
    let budget = u32::saturating_sub(budget, n_drafts / 8).max(2);
    let mut drawer = Drawer {
        rng,
        themes,
        program: &program,
        n_threads,
        own: 0,
        near: Vec::new(),
        n_held: 0,
        is_guarded: false,
        section: false,
    };
    let threads: Vec<Thread> = (0..n_threads).map(|idx| drawer.thread(idx, budget)).collect();
    let main = drawer.main();
    program.threads = threads;
    program.main = main;
    program
}

/// Three to six different places.
fn places(rng: &mut Rng) -> Vec<Place> {
    let mut places = Vec::new();
    for _ in 0..rng.range(3, 6) {
        let place = match rng.below(10) {
            0..=3 => Place::Static,
            4 | 5 => Place::Volatile,
            6 => Place::Holder,
            7 | 8 => {
                let slot = *rng.pick(&[Slot::A, Slot::B, Slot::V]);
                Place::Field { object: rng.below(2) as usize, slot }
            }
            _ => Place::Element(rng.below(2) as usize),
        };
        let is_named = matches!(place, Place::Static | Place::Volatile | Place::Holder);
        places.push(if is_named || !places.contains(&place) { place } else { Place::Static });
    }
    places
}

struct Drawer<'a> {
    rng: &'a mut Rng,
    themes: Vec<Theme>,
    program: &'a Program,
    n_threads: usize,
    /// The thread that is drawn; main is the last.
    own: usize,
    /// The places that the next statement may access.
    near: Vec<usize>,
    n_held: u32,
    is_guarded: bool,
    section: bool,
}

/// Each thread has two locals.
const N_LOCALS: u32 = 2;

impl Drawer<'_> {
    fn has(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    fn thread(&mut self, idx: usize, budget: u32) -> Thread {
        self.own = idx;
        self.move_away();
        let form = *self.rng.pick(&[Form::Subclass, Form::Lambda, Form::Runnable]);
        let n_statements = self.rng.range(2, budget);
        let mut body = self.block(n_statements, 0);
        if idx == 0 && !self.program.late.is_empty() {
            let start = Stmt::Start(2);
            let start = if self.rng.chance(30) {
                Stmt::If { test: self.test(), then: vec![start], otherwise: Vec::new() }
            } else {
                start
            };
            let at = self.rng.below(body.len() as u32 + 1) as usize;
            body.insert(at, start);
        }
        Thread { form, n_locals: N_LOCALS as usize, body }
    }

    fn main(&mut self) -> Main {
        self.own = self.n_threads;
        let mut main = Main::default();
        let is_busy = self.has(Theme::Ends) || self.has(Theme::Lives) || self.has(Theme::Interrupts);
        if is_busy || self.rng.chance(15) {
            self.move_away();
            main.n_locals = N_LOCALS as usize;
            let n_statements = self.rng.range(1, 2);
            main.beside = self.block(n_statements, 1);
        }
        main
    }

    /// Other places are near from here on.
    fn move_away(&mut self) {
        let n_places = self.program.places.len() as u32;
        self.near = (0..self.rng.range(1, 3)).map(|_| self.rng.below(n_places) as usize).collect();
    }

    fn place(&mut self) -> usize {
        *self.rng.pick(&self.near)
    }

    fn local(&mut self) -> usize {
        self.rng.below(N_LOCALS) as usize
    }

    fn value(&mut self) -> Value {
        if self.rng.chance(15) {
            Value::local(self.local(), 1)
        } else {
            Value::constant(self.rng.range(1, 2) as i32)
        }
    }

    fn test(&mut self) -> Test {
        let subject = if self.program.n_atomics > 0 && self.rng.chance(30) {
            Subject::Atomic(self.rng.below(self.program.n_atomics as u32) as usize)
        } else if self.rng.chance(80) {
            Subject::Shared(self.place())
        } else {
            Subject::Local(self.local())
        };
        let (cmp, value) =
            *self.rng.pick(&[(Cmp::Eq, 1), (Cmp::Ne, 0), (Cmp::Ge, 1), (Cmp::Eq, 0), (Cmp::Ge, 2)]);
        Test { subject, cmp, value }
    }

    fn block(&mut self, n_statements: u32, depth: u32) -> Vec<Stmt> {
        (0..n_statements).flat_map(|_| self.statements(depth)).collect()
    }

    fn inner(&mut self, depth: u32) -> Vec<Stmt> {
        let n_statements = if self.rng.chance(50) { 1 } else { 2 };
        self.block(n_statements, depth + 1)
    }

    /// Mostly one statement; or several writes in a row.
    fn statements(&mut self, depth: u32) -> Vec<Stmt> {
        let n_places = self.program.places.len() as u32;
        match self.rng.below(12) {
            0 if depth < 2 => {
                // A row of writes that somebody else can meet anywhere.
                let from = self.rng.below(n_places) as usize;
                let step = |k: usize| (from + k) % n_places as usize;
                (0..self.rng.range(2, 3) as usize)
                    .map(|k| Stmt::Write { to: step(k), value: Value::constant(1) })
                    .collect()
            }
            0..=2 => vec![Stmt::Read { to: self.local(), from: self.place() }],
            3 | 4 => vec![Stmt::Write { to: self.place(), value: self.value() }],
            5 => vec![Stmt::Increment(self.place())],
            6 | 7 if depth < 3 => vec![self.guarded(depth)],
            _ => match *self.rng.pick(&self.themes.clone()) {
                theme
                    if self.section && !matches!(theme, Theme::Monitors | Theme::Output | Theme::Atomics) =>
                {
                    vec![Stmt::Increment(self.place())]
                }
                theme => self.themed(theme, depth),
            },
        }
    }

    fn guarded(&mut self, depth: u32) -> Stmt {
        let test = self.test();
        let (near, was) = (self.near.clone(), std::mem::replace(&mut self.is_guarded, true));
        self.move_away();
        let then = self.inner(depth);
        self.near.clone_from(&near);
        let otherwise = if self.rng.chance(20) { self.inner(depth + 1) } else { Vec::new() };
        self.near = near;
        self.is_guarded = was;
        Stmt::If { test, then, otherwise }
    }

    fn monitor(&mut self) -> usize {
        self.rng.below(self.program.monitors.len() as u32) as usize
    }

    fn held(&mut self, depth: u32) -> Vec<Stmt> {
        self.n_held += 1;
        let body = self.inner(depth);
        self.n_held -= 1;
        body
    }

    fn themed(&mut self, theme: Theme, depth: u32) -> Vec<Stmt> {
        let is_deep = depth >= 3;
        let stmt = match theme {
            Theme::Monitors if !is_deep => {
                let monitor = self.monitor();
                Stmt::Sync { monitor, body: self.held(depth) }
            }
            Theme::Waiting if !is_deep => return self.waiting(),
            Theme::Locks if !is_deep => {
                let body = self.held(depth);
                if self.rng.chance(30) {
                    let otherwise = self.block(1, depth + 2);
                    Stmt::TryLocked { lock: 0, body, otherwise }
                } else {
                    Stmt::Locked { lock: 0, body }
                }
            }
            Theme::Atomics => self.atomic(),
            Theme::Publication => self.publication(),
            Theme::Initialisers => {
                let class = self.rng.below(self.program.lazies.len() as u32) as usize;
                Stmt::UseLazy { class, to: self.local() }
            }
            Theme::Lives => {
                let thread = self.other();
                if self.rng.chance(35) {
                    Stmt::Join { thread, caught: None }
                } else {
                    Stmt::Alive { thread, to: self.local() }
                }
            }
            Theme::Interrupts => {
                if self.own < self.n_threads && self.rng.chance(40) {
                    Stmt::Interrupted { to: self.local(), clears: self.rng.chance(50) }
                } else if self.rng.chance(35) {
                    // By a thread that may have been interrupted, perhaps by itself.
                    let join = Stmt::Join { thread: self.other(), caught: Some(self.local()) };
                    if self.own < self.n_threads && self.rng.chance(60) {
                        // What the other one has done last may be seen before its end is.
                        let read = Stmt::Read { to: self.local(), from: self.place() };
                        return vec![Stmt::Interrupt(self.own), read, join];
                    }
                    join
                } else {
                    Stmt::Interrupt(self.other())
                }
            }
            Theme::Exceptions if !is_deep => self.exception(depth),
            Theme::Output => Stmt::Print(self.local()),
            Theme::Ends => {
                if self.is_guarded && self.rng.chance(30) {
                    Stmt::Exit
                } else {
                    Stmt::Print(self.local())
                }
            }
            Theme::Choices => {
                if self.rng.chance(50) {
                    Stmt::Choose { to: self.local(), n: 2 }
                } else {
                    Stmt::Assume(self.test())
                }
            }
            // Two threads in sections at a time are more than a section promises to keep apart.
            Theme::Sections if !is_deep && self.own == 0 && !self.section => {
                self.section = true;
                let body = self.inner(depth);
                self.section = false;
                Stmt::Atomically(body)
            }
            Theme::Spins if self.own < self.n_threads => {
                let place = self.place();
                let cmp = *self.rng.pick(&[Cmp::Eq, Cmp::Lt]);
                let test = Test { subject: Subject::Shared(place), cmp, value: self.rng.below(2) as i32 };
                Stmt::Spin { test, yields: self.rng.chance(75) }
            }
            Theme::Loops if !is_deep => {
                Stmt::Repeat { times: self.rng.range(2, 3) as i32, body: self.block(1, depth + 2) }
            }
            _ => Stmt::Write { to: self.place(), value: self.value() },
        };
        vec![stmt]
    }

    /// A thread other than the one that is drawn.
    fn other(&mut self) -> usize {
        let idx = self.rng.below(self.n_threads as u32) as usize;
        if idx == self.own { (idx + 1) % self.n_threads } else { idx }
    }

    fn waiting(&mut self) -> Vec<Stmt> {
        let monitor = self.monitor();
        let place = self.place();
        let mut body = if self.rng.chance(50) {
            let test = Test { subject: Subject::Shared(place), cmp: Cmp::Eq, value: 0 };
            let guard = match self.rng.below(4) {
                0 | 1 => Guard::While(test),
                2 => Guard::If(test),
                _ => Guard::Naked,
            };
            vec![Stmt::Wait { monitor, guard }]
        } else {
            let write = Stmt::Write { to: place, value: Value::constant(1) };
            vec![write, Stmt::Notify { monitor, all: self.rng.chance(50) }]
        };
        if self.rng.chance(50) {
            body.extend(self.block(1, 3));
        }
        if self.rng.chance(30) {
            body.splice(0..0, self.block(1, 3));
        }
        vec![Stmt::Sync { monitor, body }]
    }

    fn atomic(&mut self) -> Stmt {
        let to = self.local();
        let call = match self.rng.below(8) {
            0 => AtomicCall::Get { to },
            1 => AtomicCall::Set(self.value()),
            2 => AtomicCall::GetAndIncrement { to },
            3 => AtomicCall::GetAndSet { to, value: self.value() },
            4 | 5 => AtomicCall::Add(1 + self.rng.below(2) as i32),
            _ => {
                let expect = Value::constant(self.rng.below(3) as i32);
                AtomicCall::CompareAndSet { to, expect, value: self.value() }
            }
        };
        Stmt::Atomic { atomic: self.rng.below(self.program.n_atomics as u32) as usize, call }
    }

    fn node_accesses(&mut self, most: u32, writes: u32) -> Vec<NodeAccess> {
        (0..self.rng.below(most + 1))
            .map(|_| {
                let field = self.rng.below(2) as usize;
                if self.rng.chance(writes) {
                    NodeAccess::Write { field, value: self.value() }
                } else {
                    NodeAccess::Read { field, to: self.local() }
                }
            })
            .collect()
    }

    fn publication(&mut self) -> Stmt {
        let reference = self.rng.below(self.program.n_references as u32) as usize;
        if self.rng.chance(45) {
            let (early, late) = (self.node_accesses(1, 90), self.node_accesses(2, 80));
            Stmt::Publish { to: reference, early, late }
        } else {
            Stmt::Follow { from: reference, accesses: self.node_accesses(3, 30) }
        }
    }

    fn exception(&mut self, depth: u32) -> Stmt {
        let bump = Stmt::BumpFail { monitor: 0, place: self.place() };
        let thrower = match self.rng.below(4) {
            0 if self.is_guarded => return Stmt::Throw { call: self.rng.chance(50) },
            1 => vec![Stmt::Sync { monitor: self.monitor(), body: vec![bump] }],
            2 => self.held(depth),
            _ => vec![bump],
        };
        let handler = self.inner(depth + 1);
        Stmt::Try { body: thrower, all: self.rng.chance(50), handler }
    }
}
