//! A litmus program as Java source: one class in the default package, which nests all it needs.
//!
//! A local of the program is a local of the `run` method; what it held at the end is copied into a field that
//! only its thread writes and only main reads, after the join. A `throw` is written so that javac takes the
//! statements after it for reachable.

use std::fmt::Write;

use super::ast::{
    AtomicCall, Form, Guard, Monitor, NodeAccess, Place, Program, Slot, Stmt, Subject, Test, Thread, Value,
};

impl Program {
    /// The Java source of the program, as a class of this name.
    pub fn java(&self, class_name: &str) -> String {
        let mut printer =
            Printer { program: self, class: class_name, text: String::new(), depth: 0, n_names: 0 };
        printer.class();
        printer.text
    }
}

struct Printer<'a> {
    program: &'a Program,
    class: &'a str,
    text: String,
    depth: usize,
    /// Loop counters and caught exceptions need names of their own.
    n_names: usize,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        let indent = self.depth * 4;
        writeln!(self.text, "{:indent$}{line}", "").expect("a string takes all text");
    }

    fn open(&mut self, line: &str) {
        self.line(&format!("{line} {{"));
        self.depth += 1;
    }

    fn close(&mut self, rest: &str) {
        self.depth -= 1;
        self.line(&format!("}}{rest}"));
    }

    fn class(&mut self) {
        let program = self.program;
        self.line("import java.util.concurrent.atomic.AtomicInteger;");
        self.line("import java.util.concurrent.locks.ReentrantLock;");
        self.line("");
        self.open(&format!("public class {}", self.class));
        self.shared();
        for (idx, thread) in program.threads.iter().enumerate() {
            match thread.form {
                Form::Subclass => self.subclass(idx, thread),
                Form::Lambda | Form::Runnable => {
                    for local in 0..thread.n_locals {
                        self.line(&format!("static int t{idx}r{local} = -1;"));
                    }
                }
            }
        }
        self.methods();
        self.main();
        self.close("");
    }

    fn shared(&mut self) {
        let program = self.program;
        let volatile = if program.strict { "volatile " } else { "" };
        for (idx, place) in program.places.iter().enumerate() {
            match place {
                Place::Static => self.line(&format!("static {volatile}int s{idx};")),
                Place::Volatile => self.line(&format!("static volatile int v{idx};")),
                _ => {}
            }
        }
        if program.places.iter().any(|place| matches!(place, Place::Element(_))) {
            self.line("static final int[] cells = new int[2];");
        }
        if program.places.contains(&Place::Holder) {
            self.open("static class Holder");
            for idx in (0..program.places.len()).filter(|&idx| program.places[idx] == Place::Holder) {
                self.line(&format!("static {volatile}int h{idx};"));
            }
            self.close("");
        }
        self.boxes(volatile);
        if program.n_references > 0 {
            self.line(&format!("static final class Node {{ {volatile}int f0, f1; }}"));
            let names: Vec<String> = (0..program.n_references).map(|idx| format!("ref{idx}")).collect();
            self.line(&format!("static {volatile}Node {};", names.join(", ")));
        }
        for (idx, lazy) in program.lazies.iter().enumerate() {
            let (writes, reads) = (program.place_name(lazy.writes), program.place_name(lazy.reads));
            let value = lazy.value;
            self.line(&format!(
                "static class Lazy{idx} {{ static int value; static {{ {writes} = {value}; value = {reads} + 5; }} }}"
            ));
        }
        if program.names_threads() {
            let names: Vec<String> = (0..program.threads.len()).map(|idx| format!("thread{idx}")).collect();
            self.line(&format!("static Thread {};", names.join(", ")));
        }
        for (idx, monitor) in program.monitors.iter().enumerate() {
            if *monitor == Monitor::Plain {
                self.line(&format!("static final Object lock{idx} = new Object();"));
            }
        }
        for (idx, fair) in program.locks.iter().enumerate() {
            let fair = if *fair { "true" } else { "" };
            self.line(&format!("static final ReentrantLock guard{idx} = new ReentrantLock({fair});"));
        }
        for idx in 0..program.n_atomics {
            self.line(&format!("static final AtomicInteger atom{idx} = new AtomicInteger();"));
        }
    }

    fn boxes(&mut self, volatile: &str) {
        let program = self.program;
        let mut used = [false; 2];
        for place in &program.places {
            if let Place::Field { object, .. } = place {
                used[*object] = true;
            }
        }
        for monitor in &program.monitors {
            if let Monitor::Box(object) = monitor {
                used[*object] = true;
            }
        }
        if used == [false; 2] {
            return;
        }
        self.open("static final class Box");
        self.line(&format!("{volatile}int a, b;"));
        self.line("volatile int v;");
        for slot in [Slot::A, Slot::B, Slot::V] {
            let name = slot.name();
            self.line(&format!("synchronized void bump_{name}() {{ {name}++; }}"));
        }
        self.close("");
        for object in (0..2).filter(|&object| used[object]) {
            self.line(&format!("static final Box box{object} = new Box();"));
        }
    }

    /// The synchronized static methods, and the one that throws.
    fn methods(&mut self) {
        let program = self.program;
        let mut bumped = Vec::new();
        let mut throws = false;
        let mut failing = Vec::new();
        program.each(&mut |stmt| match stmt {
            Stmt::BumpFail { place, .. } => failing.push(*place),
            Stmt::Bump { monitor, place } if program.monitors[*monitor] == Monitor::Class => {
                bumped.push(*place);
            }
            Stmt::Throw { call: true } => throws = true,
            _ => {}
        });
        bumped.sort_unstable();
        bumped.dedup();
        for place in bumped {
            let name = program.place_name(place);
            self.line(&format!("static synchronized void bump{place}() {{ {name}++; }}"));
        }
        failing.sort_unstable();
        failing.dedup();
        for place in failing {
            let name = program.place_name(place);
            self.line(&format!(
                "static synchronized void fail{place}() {{ {name}++; throw new IllegalStateException(\"bumped\"); }}"
            ));
        }
        if program.strict {
            self.open("static void pause()");
            self.line("int n = java.util.concurrent.ThreadLocalRandom.current().nextInt(12);");
            self.line("if (n < 4) java.util.concurrent.locks.LockSupport.parkNanos(n * 40_000L);");
            self.close("");
        }
        if throws {
            self.line("static void fail() { throw new IllegalStateException(\"called\"); }");
        }
    }

    fn subclass(&mut self, idx: usize, thread: &Thread) {
        self.open(&format!("static class Thread{idx} extends Thread"));
        for local in 0..thread.n_locals {
            self.line(&format!("int t{idx}r{local} = -1;"));
        }
        self.open("@Override public void run()");
        self.run(idx, thread);
        self.close("");
        self.close("");
    }

    /// The body of a thread's `run`.
    fn run(&mut self, idx: usize, thread: &Thread) {
        self.locals(thread.n_locals);
        self.block(&thread.body, &format!("t{idx}"));
        for local in 0..thread.n_locals {
            self.line(&format!("t{idx}r{local} = r{local};"));
        }
    }

    fn locals(&mut self, n_locals: usize) {
        for local in 0..n_locals {
            self.line(&format!("int r{local} = 0;"));
        }
    }

    fn main(&mut self) {
        let program = self.program;
        self.open("public static void main(String[] args) throws InterruptedException");
        for (idx, thread) in program.threads.iter().enumerate() {
            match thread.form {
                Form::Subclass => self.line(&format!("Thread{idx} t{idx} = new Thread{idx}();")),
                Form::Lambda => {
                    self.open(&format!("Thread t{idx} = new Thread(() ->"));
                    self.run(idx, thread);
                    self.close(");");
                }
                Form::Runnable => {
                    self.open(&format!("Thread t{idx} = new Thread(new Runnable()"));
                    self.open("@Override public void run()");
                    self.run(idx, thread);
                    self.close("");
                    self.close(");");
                }
            }
        }
        self.locals(program.main.n_locals);
        if program.names_threads() {
            for idx in 0..program.threads.len() {
                self.line(&format!("thread{idx} = t{idx};"));
            }
        }
        for idx in &program.daemons {
            self.line(&format!("t{idx}.setDaemon(true);"));
        }
        for idx in (0..program.threads.len()).filter(|idx| !program.late.contains(idx)) {
            self.line(&format!("t{idx}.start();"));
        }
        self.block(&program.main.beside, "main");
        for idx in (0..program.threads.len()).filter(|idx| !program.daemons.contains(idx)) {
            self.line(&format!("t{idx}.join();"));
        }
        self.block(&program.main.after, "main");
        if program.daemons.is_empty() {
            self.last_line();
        }
        self.close("");
    }

    /// Main's last line: all shared ints, the atomics, then every thread's locals.
    fn last_line(&mut self) {
        let program = self.program;
        let mut items: Vec<(String, String)> = Vec::new();
        for place in 0..program.places.len() {
            let name = program.place_name(place);
            items.push((name.clone(), name));
        }
        for idx in 0..program.n_atomics {
            items.push((format!("atom{idx}"), format!("atom{idx}.get()")));
        }
        for (idx, thread) in program.threads.iter().enumerate() {
            let owner = if thread.form == Form::Subclass { format!("t{idx}.") } else { String::new() };
            for local in 0..thread.n_locals {
                items.push((format!("t{idx}r{local}"), format!("{owner}t{idx}r{local}")));
            }
        }
        for local in 0..program.main.n_locals {
            items.push((format!("mr{local}"), format!("r{local}")));
        }
        let mut text = String::from("\"end\"");
        for (label, value) in items {
            write!(text, " + \" {label}=\" + {value}").expect("a string takes all text");
        }
        self.line(&format!("System.out.println({text});"));
    }

    fn block(&mut self, block: &[Stmt], who: &str) {
        for stmt in block {
            if self.program.strict {
                self.line("pause();");
            }
            self.statement(stmt, who);
        }
        if self.program.strict {
            self.line("pause();");
        }
    }

    fn nested(&mut self, head: &str, block: &[Stmt], who: &str) {
        self.open(head);
        self.block(block, who);
        self.depth -= 1;
    }

    fn statement(&mut self, stmt: &Stmt, who: &str) {
        let program = self.program;
        match stmt {
            Stmt::Read { to, from } => self.line(&format!("r{to} = {};", program.place_name(*from))),
            Stmt::Write { to, value } => {
                self.line(&format!("{} = {};", program.place_name(*to), value_text(*value)));
            }
            Stmt::Increment(place) if program.strict => {
                let (place, old) = (program.place_name(*place), self.name("old"));
                self.line(&format!("int {old} = {place};"));
                self.line("pause();");
                self.line(&format!("{place} = {old} + 1;"));
            }
            Stmt::Increment(place) => self.line(&format!("{}++;", program.place_name(*place))),
            Stmt::Bump { monitor, place } => match (program.monitors[*monitor], program.places[*place]) {
                (Monitor::Box(_), Place::Field { object, slot }) => {
                    self.line(&format!("box{object}.bump_{}();", slot.name()));
                }
                _ => self.line(&format!("bump{place}();")),
            },
            Stmt::Set { to, value } => self.line(&format!("r{to} = {};", value_text(*value))),
            Stmt::Divide { to, by } => self.line(&format!("r{to} = 6 / r{by};")),
            Stmt::Atomic { atomic, call } => self.line(&format!("{};", atomic_text(*atomic, *call))),
            Stmt::Notify { monitor, all } => {
                let method = if *all { "notifyAll" } else { "notify" };
                self.line(&format!("{}.{method}();", self.monitor(*monitor)));
            }
            Stmt::Assert(test) => self.line(&format!("assert {};", self.test(*test))),
            Stmt::Throw { call: true } => self.line("fail();"),
            Stmt::Throw { call: false } => self.line("if (true) throw new RuntimeException(\"thrown\");"),
            Stmt::Print(local) => self.line(&format!("System.out.println(\"{who} \" + r{local});")),
            Stmt::Wait { monitor, guard } => self.wait(*monitor, *guard),
            Stmt::Start(idx) => self.line(&format!("thread{idx}.start();")),
            Stmt::Join { thread, caught } => {
                let e = self.name("e");
                let (joined, handler) = match caught {
                    None => (String::new(), format!("throw new IllegalStateException({e});")),
                    Some(to) => (format!(" r{to} = 0;"), format!("r{to} = 1;")),
                };
                self.line(&format!(
                    "try {{ thread{thread}.join();{joined} }} catch (InterruptedException {e}) {{ {handler} }}"
                ));
            }
            Stmt::Alive { thread, to } => self.line(&format!("r{to} = thread{thread}.isAlive() ? 1 : 0;")),
            Stmt::Interrupt(idx) => self.line(&format!("thread{idx}.interrupt();")),
            Stmt::Interrupted { to, clears } => {
                let call = if *clears { "interrupted()" } else { "currentThread().isInterrupted()" };
                self.line(&format!("r{to} = Thread.{call} ? 1 : 0;"));
            }
            Stmt::Exit => self.line("System.exit(0);"),
            Stmt::BumpFail { place, .. } => self.line(&format!("fail{place}();")),
            Stmt::UseLazy { class, to } => self.line(&format!("r{to} = Lazy{class}.value;")),
            Stmt::Choose { to, n } => self.line(&format!("r{to} = allways.Choose.range(0, {});", n - 1)),
            Stmt::Assume(test) => self.line(&format!("allways.Choose.assume({});", self.test(*test))),
            Stmt::Spin { test, yields } => {
                let body = if *yields { "Thread.yield();" } else { "" };
                self.line(&format!("while ({}) {{ {body} }}", self.test(*test)));
            }
            _ => self.compound(stmt, who),
        }
    }

    fn compound(&mut self, stmt: &Stmt, who: &str) {
        match stmt {
            Stmt::If { test, then, otherwise } => {
                self.nested(&format!("if ({})", self.test(*test)), then, who);
                if !otherwise.is_empty() {
                    self.nested("} else", otherwise, who);
                }
                self.line("}");
            }
            Stmt::Repeat { times, body } => {
                let i = self.name("i");
                self.nested(&format!("for (int {i} = 0; {i} < {times}; {i}++)"), body, who);
                self.line("}");
            }
            Stmt::Sync { monitor, body } => {
                self.nested(&format!("synchronized ({})", self.monitor(*monitor)), body, who);
                self.line("}");
            }
            Stmt::Locked { lock, body } => {
                self.line(&format!("guard{lock}.lock();"));
                self.nested("try", body, who);
                self.line(&format!("}} finally {{ guard{lock}.unlock(); }}"));
            }
            Stmt::TryLocked { lock, body, otherwise } => {
                self.open(&format!("if (guard{lock}.tryLock())"));
                self.nested("try", body, who);
                self.line(&format!("}} finally {{ guard{lock}.unlock(); }}"));
                self.depth -= 1;
                if !otherwise.is_empty() {
                    self.nested("} else", otherwise, who);
                }
                self.line("}");
            }
            Stmt::Try { body, all, handler } => {
                let class = if *all { "Throwable" } else { "RuntimeException" };
                let caught = self.name("e");
                self.nested("try", body, who);
                self.nested(&format!("}} catch ({class} {caught})"), handler, who);
                self.line("}");
            }
            Stmt::Publish { to, early, late } => {
                let node = self.name("node");
                self.line(&format!("Node {node} = new Node();"));
                self.node_accesses(&node, early);
                self.line(&format!("ref{to} = {node};"));
                self.node_accesses(&node, late);
            }
            Stmt::Follow { from, accesses } => {
                let node = self.name("node");
                self.line(&format!("Node {node} = ref{from};"));
                self.open(&format!("if ({node} != null)"));
                self.node_accesses(&node, accesses);
                self.close("");
            }
            Stmt::Atomically(body) => {
                self.line("allways.Choose.beginAtomic();");
                self.block(body, who);
                self.line("allways.Choose.endAtomic();");
            }
            simple => unreachable!("{simple:?} is printed as a simple statement"),
        }
    }

    fn node_accesses(&mut self, node: &str, accesses: &[NodeAccess]) {
        for access in accesses {
            self.line(&match access {
                NodeAccess::Read { field, to } => format!("r{to} = {node}.f{field};"),
                NodeAccess::Write { field, value } => format!("{node}.f{field} = {};", value_text(*value)),
            });
        }
    }

    /// A `wait()` with the handler that Java demands.
    fn wait(&mut self, monitor: usize, guard: Guard) {
        let e = self.name("e");
        match guard {
            Guard::Naked => self.open("try"),
            Guard::If(test) => self.open(&format!("try {{ if ({})", self.test(test))),
            Guard::While(test) => self.open(&format!("try {{ while ({})", self.test(test))),
        }
        self.line(&format!("{}.wait();", self.monitor(monitor)));
        let end = if guard == Guard::Naked { "" } else { " }" };
        self.close(&format!(
            "{end} catch (InterruptedException {e}) {{ throw new IllegalStateException({e}); }}"
        ));
    }

    fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    fn monitor(&self, monitor: usize) -> String {
        match self.program.monitors[monitor] {
            Monitor::Plain => format!("lock{monitor}"),
            Monitor::Box(object) => format!("box{object}"),
            Monitor::Class => format!("{}.class", self.class),
        }
    }

    fn test(&self, test: Test) -> String {
        let subject = match test.subject {
            Subject::Local(local) => format!("r{local}"),
            Subject::Shared(place) => self.program.place_name(place),
            Subject::Atomic(atomic) => format!("atom{atomic}.get()"),
        };
        format!("{subject} {} {}", test.cmp.text(), test.value)
    }
}

fn value_text(value: Value) -> String {
    match (value.local, value.plus) {
        (None, plus) => plus.to_string(),
        (Some(local), 0) => format!("r{local}"),
        (Some(local), plus) => format!("r{local} + {plus}"),
    }
}

fn atomic_text(atomic: usize, call: AtomicCall) -> String {
    match call {
        AtomicCall::Get { to } => format!("r{to} = atom{atomic}.get()"),
        AtomicCall::Set(value) => format!("atom{atomic}.set({})", value_text(value)),
        AtomicCall::GetAndIncrement { to } => format!("r{to} = atom{atomic}.getAndIncrement()"),
        AtomicCall::AddAndGet { to, delta } => format!("r{to} = atom{atomic}.addAndGet({delta})"),
        AtomicCall::Add(delta) => format!("atom{atomic}.addAndGet({delta})"),
        AtomicCall::GetAndSet { to, value } => {
            format!("r{to} = atom{atomic}.getAndSet({})", value_text(value))
        }
        AtomicCall::CompareAndSet { to, expect, value } => {
            let (expect, value) = (value_text(expect), value_text(value));
            format!("r{to} = atom{atomic}.compareAndSet({expect}, {value}) ? 1 : 0")
        }
    }
}
