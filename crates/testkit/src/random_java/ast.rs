//! The litmus language: what a program of a few threads is made of, before it is Java or a reference run.
//!
//! Everything shared is declared in the program and named by its index; a thread's locals are ints that start
//! at 0. Indices are in range by construction: the generator and the tests are the only writers.

use super::Outcome;

/// Where a shared int lives. Each starts at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A plain static field of the program's class.
    Static,
    /// A volatile static field of the program's class.
    Volatile,
    /// A static field of a nested class, which is initialised when it is first used.
    Holder,
    /// An instance field of shared object 0 or 1.
    Field {
        /// Which object.
        object: usize,
        /// Which of its fields.
        slot: Slot,
    },
    /// An element of the shared `int[]`, 0 or 1.
    Element(usize),
}

/// A field of a shared object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// A plain field.
    A,
    /// A second plain field.
    B,
    /// A volatile field.
    V,
}

/// What a `synchronized` block can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Monitor {
    /// An object made for the purpose.
    Plain,
    /// The shared object with this number.
    Box(usize),
    /// The program's class.
    Class,
}

/// How two ints are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>=`
    Ge,
}

impl Cmp {
    /// Whether the comparison holds.
    pub fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Cmp::Eq => left == right,
            Cmp::Ne => left != right,
            Cmp::Lt => left < right,
            Cmp::Ge => left >= right,
        }
    }

    /// The Java operator.
    pub fn text(self) -> &'static str {
        match self {
            Cmp::Eq => "==",
            Cmp::Ne => "!=",
            Cmp::Lt => "<",
            Cmp::Ge => ">=",
        }
    }
}

/// What a test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A local of the thread: no step.
    Local(usize),
    /// A shared place: one read.
    Shared(usize),
    /// An `AtomicInteger`: one `get`.
    Atomic(usize),
}

/// A comparison with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The left side.
    pub subject: Subject,
    /// The operator.
    pub cmp: Cmp,
    /// The right side.
    pub value: i32,
}

/// What is written: `local + plus`, or `plus` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The local, if any.
    pub local: Option<usize>,
    /// The constant.
    pub plus: i32,
}

/// One call of an `AtomicInteger`: always one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicCall {
    /// `to = a.get()`
    Get {
        /// The local that takes the result.
        to: usize,
    },
    /// `a.set(value)`
    Set(Value),
    /// `to = a.getAndIncrement()`
    GetAndIncrement {
        /// The local that takes the result.
        to: usize,
    },
    /// `to = a.addAndGet(delta)`
    AddAndGet {
        /// The local that takes the result.
        to: usize,
        /// What is added.
        delta: i32,
    },
    /// `a.addAndGet(delta)`, whose result nobody looks at.
    Add(i32),
    /// `to = a.getAndSet(value)`
    GetAndSet {
        /// The local that takes the result.
        to: usize,
        /// The new value.
        value: Value,
    },
    /// `to = a.compareAndSet(expect, value) ? 1 : 0`
    CompareAndSet {
        /// The local that takes the result.
        to: usize,
        /// What must be there.
        expect: Value,
        /// What comes there.
        value: Value,
    },
}

/// An access to an object that is reached through a reference. It has two ints, which start at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeAccess {
    /// `to = node.field`
    Read {
        /// Which of its ints.
        field: usize,
        /// The local.
        to: usize,
    },
    /// `node.field = value`
    Write {
        /// Which of its ints.
        field: usize,
        /// What is written.
        value: Value,
    },
}

/// A class with an initialiser: it writes a place, reads another one, and keeps what it read and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lazy {
    /// The place that is written.
    pub writes: usize,
    /// What is written there.
    pub value: i32,
    /// The place that is read.
    pub reads: usize,
}

/// When a `wait()` is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Always.
    Naked,
    /// `if (test) wait()`
    If(Test),
    /// `while (test) wait()`
    While(Test),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `to = place`
    Read {
        /// The local.
        to: usize,
        /// The shared place.
        from: usize,
    },
    /// `place = value`
    Write {
        /// The shared place.
        to: usize,
        /// What is written.
        value: Value,
    },
    /// `place++`: a read and a write.
    Increment(usize),
    /// A call of a `synchronized` method that increments the place. The monitor is the class, or the object
    /// whose field the place is.
    Bump {
        /// The monitor of the method.
        monitor: usize,
        /// The shared place.
        place: usize,
    },
    /// `local = value`: no step.
    Set {
        /// The local.
        to: usize,
        /// Its new value.
        value: Value,
    },
    /// `to = 6 / by`, which throws if `by` is 0: no step.
    Divide {
        /// The local that takes the result.
        to: usize,
        /// The divisor.
        by: usize,
    },
    /// `if`, with an `else` if that is not empty.
    If {
        /// The condition.
        test: Test,
        /// What happens if it holds.
        then: Vec<Stmt>,
        /// What happens if not.
        otherwise: Vec<Stmt>,
    },
    /// A loop that runs a fixed number of times.
    Repeat {
        /// How often.
        times: i32,
        /// The body.
        body: Vec<Stmt>,
    },
    /// A `synchronized` block.
    Sync {
        /// The monitor.
        monitor: usize,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `lock(); try { } finally { unlock(); }`
    Locked {
        /// The `ReentrantLock`.
        lock: usize,
        /// The body.
        body: Vec<Stmt>,
    },
    /// `if (tryLock()) try { } finally { unlock(); } else { }`
    TryLocked {
        /// The `ReentrantLock`.
        lock: usize,
        /// What happens with the lock.
        body: Vec<Stmt>,
        /// What happens without it.
        otherwise: Vec<Stmt>,
    },
    /// A call of an `AtomicInteger`.
    Atomic {
        /// Which one.
        atomic: usize,
        /// The call.
        call: AtomicCall,
    },
    /// `wait()`; without the monitor an `IllegalMonitorStateException`.
    Wait {
        /// The monitor.
        monitor: usize,
        /// When.
        guard: Guard,
    },
    /// `notify()` or `notifyAll()`; without the monitor an `IllegalMonitorStateException`.
    Notify {
        /// The monitor.
        monitor: usize,
        /// All waiters rather than any one.
        all: bool,
    },
    /// `assert`
    Assert(Test),
    /// Throws a `RuntimeException`, here or (`call`) in a method that is called.
    Throw {
        /// In a method.
        call: bool,
    },
    /// `try` with one `catch`.
    Try {
        /// What may throw.
        body: Vec<Stmt>,
        /// `catch (Throwable)`, which also takes an `AssertionError`, rather than `catch (RuntimeException)`.
        all: bool,
        /// What happens then.
        handler: Vec<Stmt>,
    },
    /// Prints a line with the thread's name and a local: one step.
    Print(usize),
    /// `while (test) { }`, with or without a `Thread.yield()` in it.
    Spin {
        /// The condition.
        test: Test,
        /// With a `Thread.yield()`.
        yields: bool,
    },
    /// A new object that a shared reference is set to, and accesses to it before and after that.
    Publish {
        /// The reference.
        to: usize,
        /// The accesses before.
        early: Vec<NodeAccess>,
        /// The accesses after.
        late: Vec<NodeAccess>,
    },
    /// Reads a shared reference and, unless that is `null`, accesses the object.
    Follow {
        /// The reference.
        from: usize,
        /// The accesses.
        accesses: Vec<NodeAccess>,
    },
    /// `to = value` of a class with an initialiser.
    UseLazy {
        /// Which class.
        class: usize,
        /// The local.
        to: usize,
    },
    /// Starts a thread that main does not start.
    Start(usize),
    /// Joins a thread. To be interrupted meanwhile is an exception that nobody catches, or sets a local to
    /// one, which is zero otherwise.
    Join {
        /// The thread.
        thread: usize,
        /// The local.
        caught: Option<usize>,
    },
    /// `to = thread.isAlive() ? 1 : 0`
    Alive {
        /// The thread.
        thread: usize,
        /// The local.
        to: usize,
    },
    /// Interrupts a thread.
    Interrupt(usize),
    /// Whether the running thread is interrupted: `Thread.interrupted()`, or `isInterrupted()` which leaves
    /// it so.
    Interrupted {
        /// The local.
        to: usize,
        /// `Thread.interrupted()`.
        clears: bool,
    },
    /// `System.exit(0)`
    Exit,
    /// A call of a `static synchronized` method that increments the place and throws.
    BumpFail {
        /// The monitor of the class.
        monitor: usize,
        /// The shared place.
        place: usize,
    },
    /// `to = Choose.range(0, n - 1)`
    Choose {
        /// The local.
        to: usize,
        /// Among how many.
        n: i32,
    },
    /// `Choose.assume(test)`
    Assume(Test),
    /// `Choose.beginAtomic()` to `Choose.endAtomic()`
    Atomically(Vec<Stmt>),
}

/// How a thread is written in Java.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A subclass of `Thread`, results in its fields.
    Subclass,
    /// A lambda, results in static fields.
    Lambda,
    /// An anonymous `Runnable`, results in static fields.
    Runnable,
}

/// A thread that main starts and joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// How it is written.
    pub form: Form,
    /// The number of its locals. They are printed at the end, as -1 if the thread died.
    pub n_locals: usize,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// The main thread: starts the others, does something, joins them, does something, prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Main {
    /// The number of its locals. They are printed at the end.
    pub n_locals: usize,
    /// What it does while the others run.
    pub beside: Vec<Stmt>,
    /// What it does after it joined them.
    pub after: Vec<Stmt>,
}

/// A litmus program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The shared ints.
    pub places: Vec<Place>,
    /// The number of `AtomicInteger`s.
    pub n_atomics: usize,
    /// The objects that blocks are synchronized on.
    pub monitors: Vec<Monitor>,
    /// The `ReentrantLock`s: whether each is fair, which makes no difference to what can happen.
    pub locks: Vec<bool>,
    /// The threads.
    pub threads: Vec<Thread>,
    /// The main thread.
    pub main: Main,
    /// The number of shared references to objects.
    pub n_references: usize,
    /// The classes with initialisers.
    pub lazies: Vec<Lazy>,
    /// The threads that main does not start.
    pub late: Vec<usize>,
    /// The threads that are daemons. Main does not join them, and prints no last line then.
    pub daemons: Vec<usize>,
    /// For a real machine: every field is volatile, and threads pause now and then.
    pub strict: bool,
}

impl Program {
    /// The name of a place, as Java spells it and as it is printed.
    pub fn place_name(&self, place: usize) -> String {
        match self.places[place] {
            Place::Static => format!("s{place}"),
            Place::Volatile => format!("v{place}"),
            Place::Holder => format!("Holder.h{place}"),
            Place::Field { object, slot } => format!("box{object}.{}", slot.name()),
            Place::Element(idx) => format!("cells[{idx}]"),
        }
    }

    /// The same program for a real machine: every shared int is volatile and none in an array, so that only
    /// happens what sequential consistency allows; and threads pause at random, so that much of it does.
    pub fn strict(&self) -> Program {
        let mut program = self.clone();
        program.strict = true;
        for place in &mut program.places {
            if matches!(place, Place::Element(_)) {
                *place = Place::Volatile;
            }
        }
        program
    }

    /// Every way the program can end, or `None` if there are too many states to look at.
    pub fn outcomes(&self) -> Option<std::collections::BTreeSet<Outcome>> {
        super::reference::explore(self, super::MAX_STATES).map(|found| found.outcomes)
    }
}

impl Slot {
    /// The field's name.
    pub fn name(self) -> &'static str {
        match self {
            Slot::A => "a",
            Slot::B => "b",
            Slot::V => "v",
        }
    }
}

impl Value {
    /// A constant.
    pub fn constant(plus: i32) -> Self {
        Value { local: None, plus }
    }

    /// A local and a constant.
    pub fn local(local: usize, plus: i32) -> Self {
        Value { local: Some(local), plus }
    }
}

impl Stmt {
    /// The blocks in it.
    pub fn blocks(&self) -> Vec<&Vec<Stmt>> {
        match self {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::TryLocked { body, otherwise, .. } => vec![body, otherwise],
            Stmt::Try { body, handler, .. } => vec![body, handler],
            Stmt::Repeat { body, .. }
            | Stmt::Sync { body, .. }
            | Stmt::Locked { body, .. }
            | Stmt::Atomically(body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The blocks in it, to change them.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::TryLocked { body, otherwise, .. } => vec![body, otherwise],
            Stmt::Try { body, handler, .. } => vec![body, handler],
            Stmt::Repeat { body, .. }
            | Stmt::Sync { body, .. }
            | Stmt::Locked { body, .. }
            | Stmt::Atomically(body) => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Program {
    /// Whether statements name threads, so that it matters when each of them begins and ends.
    pub fn names_threads(&self) -> bool {
        let mut named = !self.late.is_empty() || !self.daemons.is_empty();
        self.each(&mut |stmt| {
            named |= matches!(
                stmt,
                Stmt::Start(_) | Stmt::Join { .. } | Stmt::Alive { .. } | Stmt::Interrupt(_) | Stmt::Exit
            );
        });
        named
    }

    /// Calls `visit` with every statement, outer ones first.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        let bodies = self.threads.iter().map(|thread| &thread.body);
        for block in bodies.chain([&self.main.beside, &self.main.after]) {
            each_in(block, visit);
        }
    }
}

fn each_in<'a>(block: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in block {
        visit(stmt);
        for inner in stmt.blocks() {
            each_in(inner, visit);
        }
    }
}
