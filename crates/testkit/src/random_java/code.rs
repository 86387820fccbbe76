//! A thread of a litmus program as straight code for the reference: operations, jumps and scopes.
//!
//! Each operation is either visible to the other threads, and then one step, or local, and then no step of
//! its own. A scope says what must happen when an exception leaves a stretch of code.

use super::ast::{AtomicCall, Cmp, Guard, NodeAccess, Program, Stmt, Subject, Test, Value};

/// One operation. Registers are the locals, one for values in passing, then loop counters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Read {
        place: usize,
        to: usize,
    },
    Write {
        place: usize,
        value: Value,
    },
    Atomic {
        atomic: usize,
        call: AtomicCall,
    },
    Enter(usize),
    Exit(usize),
    /// Enters if it can, else goes on elsewhere.
    TryEnter {
        lock: usize,
        otherwise: usize,
    },
    Wait(usize),
    Notify {
        monitor: usize,
        all: bool,
    },
    Join {
        thread: usize,
        caught: Option<usize>,
    },
    Print(usize),
    LastLine,
    /// A new object.
    New {
        to: usize,
    },
    ReadReference {
        reference: usize,
        to: usize,
    },
    WriteReference {
        reference: usize,
        from: usize,
    },
    ReadNode {
        node: usize,
        field: usize,
        to: usize,
    },
    WriteNode {
        node: usize,
        field: usize,
        value: Value,
    },
    /// Begins to initialise a class, or goes on elsewhere if that is done.
    BeginInit {
        class: usize,
        done: usize,
    },
    EndInit(usize),
    ReadLazy {
        class: usize,
        to: usize,
    },
    WriteLazy {
        class: usize,
        value: Value,
    },
    Start(usize),
    Alive {
        thread: usize,
        to: usize,
    },
    Interrupt(usize),
    Interrupted {
        to: usize,
        clears: bool,
    },
    /// The end of the process.
    ExitAll,
    /// The end of the thread, where it matters when that is.
    End,
    Choose {
        to: usize,
        n: i32,
    },
    Reject,
    BeginAtomic,
    EndAtomic,
    // Local from here on.
    Set {
        to: usize,
        value: Value,
    },
    Divide {
        to: usize,
        by: usize,
    },
    /// Goes on elsewhere unless the comparison holds.
    Unless {
        register: usize,
        cmp: Cmp,
        value: i32,
        target: usize,
    },
    Jump(usize),
    Throw {
        assertion: bool,
    },
}

impl Op {
    /// Whether other threads can tell that it happened.
    pub(super) fn visible(self) -> bool {
        !matches!(
            self,
            Op::Set { .. } | Op::Divide { .. } | Op::Unless { .. } | Op::Jump(_) | Op::Throw { .. }
        )
    }
}

/// What an exception meets on its way out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scope {
    /// A monitor or lock to release.
    Held { lock: usize, outer: Option<usize> },
    /// A `catch`.
    Catch { all: bool, handler: usize, outer: Option<usize> },
}

/// The code of one thread.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    /// The innermost scope of each operation.
    pub scope_of: Vec<Option<usize>>,
    pub scopes: Vec<Scope>,
    pub n_registers: usize,
}

/// The code of every thread, main's last. Monitors come first among the locks.
pub(super) fn compile(program: &Program) -> Vec<Code> {
    let mut codes = Vec::new();
    for thread in &program.threads {
        let mut builder = Builder::new(program, thread.n_locals);
        builder.block(&thread.body);
        builder.end();
        codes.push(builder.code);
    }
    let mut builder = Builder::new(program, program.main.n_locals);
    if program.names_threads() {
        for idx in (0..program.threads.len()).filter(|idx| !program.late.contains(idx)) {
            builder.emit(Op::Start(idx));
        }
    }
    builder.block(&program.main.beside);
    for idx in (0..program.threads.len()).filter(|idx| !program.daemons.contains(idx)) {
        builder.emit(Op::Join { thread: idx, caught: None });
    }
    builder.block(&program.main.after);
    if program.daemons.is_empty() {
        builder.emit(Op::LastLine);
    }
    builder.end();
    codes.push(builder.code);
    codes
}

struct Builder<'a> {
    program: &'a Program,
    code: Code,
    scope: Option<usize>,
    /// The register for values in passing. It is 0 whenever nothing passes, so that states do not differ by
    /// it.
    passing: usize,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, n_locals: usize) -> Self {
        let code =
            Code { ops: Vec::new(), scope_of: Vec::new(), scopes: Vec::new(), n_registers: n_locals + 1 };
        Builder { program, code, scope: None, passing: n_locals }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.scope_of.push(self.scope);
        self.code.ops.len() - 1
    }

    fn end(&mut self) {
        if self.program.names_threads() {
            self.emit(Op::End);
        }
    }

    fn here(&self) -> usize {
        self.code.ops.len()
    }

    /// Makes the jump at `at` go to the next operation.
    fn land(&mut self, at: usize) {
        let here = self.here();
        match &mut self.code.ops[at] {
            Op::Unless { target, .. }
            | Op::Jump(target)
            | Op::TryEnter { otherwise: target, .. }
            | Op::BeginInit { done: target, .. } => {
                *target = here;
            }
            other => unreachable!("{other:?} does not jump"),
        }
    }

    fn push(&mut self, scope: Scope) {
        self.code.scopes.push(scope);
        self.scope = Some(self.code.scopes.len() - 1);
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.statement(stmt);
        }
    }

    fn clear(&mut self) {
        self.emit(Op::Set { to: self.passing, value: Value::constant(0) });
    }

    /// A jump taken if the test fails. Both ways begin with the passing register as it was read.
    fn unless(&mut self, test: Test) -> usize {
        let register = match test.subject {
            Subject::Local(local) => local,
            Subject::Shared(place) => {
                self.emit(Op::Read { place, to: self.passing });
                self.passing
            }
            Subject::Atomic(atomic) => {
                self.emit(Op::Atomic { atomic, call: AtomicCall::Get { to: self.passing } });
                self.passing
            }
        };
        self.emit(Op::Unless { register, cmp: test.cmp, value: test.value, target: 0 })
    }

    fn increment(&mut self, place: usize) {
        self.emit(Op::Read { place, to: self.passing });
        self.emit(Op::Write { place, value: Value::local(self.passing, 1) });
        self.clear();
    }

    /// A region with a lock that has just been entered.
    fn held(&mut self, lock: usize, body: impl FnOnce(&mut Self)) {
        let outer = self.scope;
        self.push(Scope::Held { lock, outer });
        body(self);
        self.scope = outer;
        self.emit(Op::Exit(lock));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Read { to, from } => {
                self.emit(Op::Read { place: *from, to: *to });
            }
            Stmt::Write { to, value } => {
                self.emit(Op::Write { place: *to, value: *value });
            }
            Stmt::Increment(place) => self.increment(*place),
            Stmt::Bump { monitor, place } => {
                self.emit(Op::Enter(*monitor));
                self.held(*monitor, |code| code.increment(*place));
            }
            Stmt::Set { to, value } => {
                self.emit(Op::Set { to: *to, value: *value });
            }
            Stmt::Divide { to, by } => {
                self.emit(Op::Divide { to: *to, by: *by });
            }
            Stmt::Atomic { atomic, call } => {
                self.emit(Op::Atomic { atomic: *atomic, call: *call });
            }
            Stmt::Notify { monitor, all } => {
                self.emit(Op::Notify { monitor: *monitor, all: *all });
            }
            Stmt::Throw { .. } => {
                self.emit(Op::Throw { assertion: false });
            }
            Stmt::Print(local) => {
                self.emit(Op::Print(*local));
            }
            Stmt::Wait { monitor, guard } => self.wait(*monitor, *guard),
            Stmt::Assert(test) => self.require(*test, Op::Throw { assertion: true }),
            Stmt::Start(idx) => {
                self.emit(Op::Start(*idx));
            }
            Stmt::Join { thread, caught } => {
                self.emit(Op::Join { thread: *thread, caught: *caught });
            }
            Stmt::Alive { thread, to } => {
                self.emit(Op::Alive { thread: *thread, to: *to });
            }
            Stmt::Interrupt(idx) => {
                self.emit(Op::Interrupt(*idx));
            }
            Stmt::Interrupted { to, clears } => {
                self.emit(Op::Interrupted { to: *to, clears: *clears });
            }
            Stmt::Exit => {
                self.emit(Op::ExitAll);
            }
            Stmt::Choose { to, n } => {
                self.emit(Op::Choose { to: *to, n: *n });
            }
            compound => self.compound(compound),
        }
    }

    /// A register of its own, which is 0 again in the end.
    fn with_register(&mut self, body: impl FnOnce(&mut Self, usize)) {
        let register = self.code.n_registers;
        self.code.n_registers += 1;
        body(self, register);
        self.emit(Op::Set { to: register, value: Value::constant(0) });
    }

    fn node_accesses(&mut self, node: usize, accesses: &[NodeAccess]) {
        for access in accesses {
            self.emit(match *access {
                NodeAccess::Read { field, to } => Op::ReadNode { node, field, to },
                NodeAccess::Write { field, value } => Op::WriteNode { node, field, value },
            });
        }
    }

    fn use_lazy(&mut self, class: usize, to: usize) {
        let lazy = self.program.lazies[class];
        let begin = self.emit(Op::BeginInit { class, done: 0 });
        self.emit(Op::Write { place: lazy.writes, value: Value::constant(lazy.value) });
        self.emit(Op::Read { place: lazy.reads, to: self.passing });
        self.emit(Op::WriteLazy { class, value: Value::local(self.passing, 5) });
        self.clear();
        self.emit(Op::EndInit(class));
        self.land(begin);
        self.emit(Op::ReadLazy { class, to });
    }

    fn wait(&mut self, monitor: usize, guard: Guard) {
        let start = self.here();
        match guard {
            Guard::Naked => {
                self.emit(Op::Wait(monitor));
            }
            Guard::If(test) | Guard::While(test) => {
                let skip = self.unless(test);
                self.clear();
                self.emit(Op::Wait(monitor));
                if matches!(guard, Guard::While(_)) {
                    self.emit(Op::Jump(start));
                }
                self.land(skip);
                self.clear();
            }
        }
    }

    /// An operation that runs if the test fails.
    fn require(&mut self, test: Test, otherwise: Op) {
        let fails = self.unless(test);
        let passes = self.emit(Op::Jump(0));
        self.land(fails);
        self.clear();
        self.emit(otherwise);
        self.land(passes);
        self.clear();
    }

    fn repeat(&mut self, times: i32, body: &[Stmt]) {
        let counter = self.code.n_registers;
        self.code.n_registers += 1;
        // An exception may have left the loop the last time.
        self.emit(Op::Set { to: counter, value: Value::constant(0) });
        let start = self.here();
        let leave = self.emit(Op::Unless { register: counter, cmp: Cmp::Lt, value: times, target: 0 });
        self.block(body);
        self.emit(Op::Set { to: counter, value: Value::local(counter, 1) });
        self.emit(Op::Jump(start));
        self.land(leave);
        self.emit(Op::Set { to: counter, value: Value::constant(0) });
    }

    fn catch(&mut self, body: &[Stmt], all: bool, handler: &[Stmt]) {
        let outer = self.scope;
        self.push(Scope::Catch { all, handler: 0, outer });
        let own = self.code.scopes.len() - 1;
        self.block(body);
        self.scope = outer;
        let end = self.emit(Op::Jump(0));
        let entry = self.here();
        self.code.scopes[own] = Scope::Catch { all, handler: entry, outer };
        self.block(handler);
        self.land(end);
    }

    fn compound(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If { test, then, otherwise } => {
                let skip = self.unless(*test);
                self.clear();
                self.block(then);
                let end = self.emit(Op::Jump(0));
                self.land(skip);
                self.clear();
                self.block(otherwise);
                self.land(end);
            }
            Stmt::Repeat { times, body } => self.repeat(*times, body),
            Stmt::Sync { monitor, body } => {
                self.emit(Op::Enter(*monitor));
                self.held(*monitor, |code| code.block(body));
            }
            Stmt::Locked { lock, body } => {
                let lock = self.program.monitors.len() + lock;
                self.emit(Op::Enter(lock));
                self.held(lock, |code| code.block(body));
            }
            Stmt::TryLocked { lock, body, otherwise } => {
                let lock = self.program.monitors.len() + lock;
                let fails = self.emit(Op::TryEnter { lock, otherwise: 0 });
                self.held(lock, |code| code.block(body));
                let end = self.emit(Op::Jump(0));
                self.land(fails);
                self.block(otherwise);
                self.land(end);
            }
            Stmt::Try { body, all, handler } => self.catch(body, *all, handler),
            Stmt::Spin { test, .. } => {
                let start = self.here();
                let leave = self.unless(*test);
                self.clear();
                self.emit(Op::Jump(start));
                self.land(leave);
                self.clear();
            }
            Stmt::Publish { to, early, late } => self.with_register(|code, node| {
                code.emit(Op::New { to: node });
                code.node_accesses(node, early);
                code.emit(Op::WriteReference { reference: *to, from: node });
                code.node_accesses(node, late);
            }),
            Stmt::Follow { from, accesses } => self.with_register(|code, node| {
                code.emit(Op::ReadReference { reference: *from, to: node });
                let skip = code.emit(Op::Unless { register: node, cmp: Cmp::Ne, value: 0, target: 0 });
                code.node_accesses(node, accesses);
                code.land(skip);
            }),
            Stmt::UseLazy { class, to } => self.use_lazy(*class, *to),
            Stmt::BumpFail { monitor, place } => {
                self.emit(Op::Enter(*monitor));
                self.held(*monitor, |code| {
                    code.increment(*place);
                    code.emit(Op::Throw { assertion: false });
                });
            }
            Stmt::Assume(test) => self.require(*test, Op::Reject),
            Stmt::Atomically(body) => {
                self.emit(Op::BeginAtomic);
                self.block(body);
                self.emit(Op::EndAtomic);
            }
            simple => unreachable!("{simple:?} is compiled as a simple statement"),
        }
    }
}
