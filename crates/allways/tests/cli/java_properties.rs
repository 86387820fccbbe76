//! Properties of Java programs on the command line: invariants, formulas, threads that are stuck while others
//! go on.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::java::{assert_has, classes, jdk};
use crate::{Run, Sandbox};
use serde_json::Value;

/// Every kind of field that a property can name, and threads that write them for a moment.
const FIELDS: &str = "package shop;
import java.util.concurrent.atomic.AtomicInteger;
public class Fields {
    static int x = 3, y;
    static long big = 1L << 40;
    static char letter = 'a';
    static double half = 0.5;
    static boolean done;
    static int[] cells = new int[2];
    static Node head;
    static final AtomicInteger ATOM = new AtomicInteger(7);
    static final int LIMIT = Integer.parseInt(\"9\");

    static class Node {
        int value;
        Node next;
        static int made;
        Node() { made++; }
    }

    static class Late {
        static int n = -1;
        static { n = 2; }
    }

    static class Never {
        static int n = Integer.parseInt(\"-1\");
    }

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { y = 1; y = 0; });
        Thread b = new Thread(() -> { x = 1; x = 3; ATOM.incrementAndGet(); ATOM.set(7); });
        a.start();
        b.start();
        a.join();
        b.join();
        // From here on nobody else runs, but what happens can still be seen.
        cells[1] = 4;
        cells[1] = 0;
        head = new Node();
        head.value = 5;
        head.value = 6;
        java.util.Arrays.fill(cells, 8);
        java.util.Arrays.fill(cells, 0);
        Fields.class.getDeclaredField(\"big\").setLong(null, 3);
        big = 1L << 40;
        y = Late.n;
        done = true;
    }
}
";

const STUCK: &str = "import java.util.concurrent.locks.ReentrantLock;
public class Stuck {
    static final Object A = new Object(), B = new Object();
    static final ReentrantLock LOCK = new ReentrantLock();
    static volatile int ticks;

    static class X { static { Y.use(); } static void use() { } }
    static class Y { static { X.use(); } static void use() { } }

    static void left(String mode) throws InterruptedException {
        switch (mode) {
            case \"monitors\" -> { synchronized (A) { synchronized (B) { } } }
            case \"mixed\" -> { synchronized (A) { LOCK.lock(); LOCK.unlock(); } }
            case \"classes\" -> X.use();
            case \"timed\" -> { synchronized (A) { if (LOCK.tryLock(1, java.util.concurrent.TimeUnit.MILLISECONDS)) LOCK.unlock(); } }
            case \"waits\" -> { synchronized (A) { A.wait(); } }
        }
    }

    static void right(String mode) {
        switch (mode) {
            case \"monitors\" -> { synchronized (B) { synchronized (A) { } } }
            case \"mixed\", \"timed\" -> { LOCK.lock(); synchronized (A) { } LOCK.unlock(); }
            case \"classes\" -> Y.use();
        }
    }

    public static void main(String[] args) {
        new Thread(() -> { try { left(args[0]); } catch (InterruptedException e) { } }, \"left\").start();
        new Thread(() -> right(args[0]), \"right\").start();
        while (args.length > 1) ticks = 1 - ticks;
    }
}
";

const LIVE: &str = "public class Live {
    static volatile boolean requested, served, stop;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            switch (args[0]) {
                case \"wait\" -> { while (!stop) { } }
                case \"idle\" -> { for (int i = 0; ; ) i = (i + 1) % 3; }
                case \"assume\" -> allways.Choose.assume(requested);
            }
            served = requested;
        });
        t.start();
        requested = true;
        stop = true;
        t.join();
    }
}
";

/// Compiles a program into the sandbox, which is the class path of [`check`].
pub(crate) fn compiled(sandbox: &Sandbox, name: &str, text: &str) {
    sandbox.write(&format!("{name}.java"), text);
    let file = sandbox.0.join(format!("{name}.java"));
    jdk("javac", |command| command.args(["-nowarn", "-cp", classes(), "-d"]).arg(&sandbox.0).arg(file));
}

pub(crate) fn check(sandbox: &Sandbox, main: &str, args: &[&str]) -> Run {
    let path = format!(".:{}", classes());
    sandbox.run(&[&["check", "-cp", &path, main], args].concat())
}

/// The verdict with and without reduction, which must be the same.
fn verdict(sandbox: &Sandbox, main: &str, args: &[&str]) -> i32 {
    let both = [vec!["-q"], vec!["-q", "--no-reduce"]].map(|with| {
        let run = check(sandbox, main, &[&with, args].concat());
        assert!(run.code < 2, "{args:?} {run:?}");
        run.code
    });
    assert_eq!(both[0], both[1], "{args:?}");
    both[0]
}

#[test]
fn invariants_see_every_value_for_a_moment() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Fields", FIELDS);
    let all = [
        ("Fields.x >= 1 && Fields.y <= 2 && Fields.x + 2 * Fields.y <= 7", 0),
        ("shop.Fields.x != 1", 1),
        ("!(Fields.x == 1 && Fields.y == 1)", 1),
        ("Fields.big > 1000000000000L", 1),
        ("Fields.big == 3L || Fields.big / 2 == 549755813888L", 0),
        ("Fields.letter == 'a' && Fields.half * 2 == 1.0 && Fields.half < 1", 0),
        ("Fields.cells.length == 2 && Fields.cells[Fields.y] % 4 == 0", 1),
        ("Fields.cells[1] != 4", 1),
        ("Fields.cells[0] != 8", 1),
        ("Fields.head == null || Fields.head.next == null", 0),
        ("Fields.head.value != 5", 1),
        ("Fields.head.value != 7", 0),
        ("Fields.ATOM.value == 7", 1),
        ("Fields.LIMIT == 9", 0),
        ("Fields.Node.made <= 1", 0),
        ("shop.Fields$Node.made < 1", 1),
        // Before it is initialised it is -1 for a moment, or not there.
        ("Fields.Late.n == 2", 0),
        ("!Fields.done", 1),
        ("Fields.head != Fields.head.next", 0),
        ("1 / Fields.y == 1", 1),
        ("Fields.cells[2] == 0", 1),
    ];
    for (invariant, code) in all {
        assert_eq!(verdict(&sandbox, "shop.Fields", &["--invariant", invariant]), code, "{invariant}");
    }
    // The second of two.
    let two = ["--invariant", "Fields.x > 0", "--invariant", "Fields.y == 0"];
    assert_eq!(verdict(&sandbox, "shop.Fields", &two), 1);
}

#[test]
fn a_violated_invariant_is_told_with_its_values_everywhere() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Fields", FIELDS);
    let invariant = "Fields.x - Fields.y != 2";
    let run = check(&sandbox, "shop.Fields", &["--invariant", invariant, "--junit", "result.xml"]);
    let message = "the invariant Fields.x - Fields.y != 2 does not hold: Fields.x is 3, Fields.y is 1";
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &[message, "final state", "Fields.y: 0 -> 1"]);
    assert_has(&sandbox.read("result.xml"), &["type=\"invariant\"", "Fields.y is 1"]);
    let replayed = sandbox.run(&["replay", "shop.Fields.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert_has(&replayed.out, &[message]);
    let json = check(&sandbox, "shop.Fields", &["--invariant", invariant, "--json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["errors"][0]["kind"], "invariant");
    assert_eq!(json["errors"][0]["message"], message);
}

#[test]
fn an_invariant_that_never_applies_is_no_silent_success() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Fields", FIELDS);
    let run = check(&sandbox, "shop.Fields", &["--invariant", "Fields.Never.n > 0", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_has(&run.err, &["the invariant Fields.Never.n > 0 applied in no state"]);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["warnings"][0], "the invariant Fields.Never.n > 0 applied in no state");
}

#[test]
fn properties_that_mean_nothing_are_refused_with_their_place() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Fields", FIELDS);
    let all = [
        ("Fields.z > 0", "class shop.Fields has no field z\n  Fields.z > 0\n         ^"),
        ("Field.x > 0", "there is no class Field on the class path\n  Field.x > 0\n  ^"),
        ("0 < shop.Felds.x", "there is no class shop.Felds on the class path\n  0 < shop.Felds.x\n      ^"),
        ("x > 0", "x is no static field"),
        ("Fields.Node.value > 0", "shop.Fields$Node.value is not static"),
        ("Fields.head.vlue > 0", "class shop.Fields$Node has no field vlue"),
        ("Fields.x.y > 0", "int has no field y"),
        ("Fields.x[0] > 0", "int is no array"),
        ("Fields.cells[0.5] > 0", "an index is an int"),
        ("Fields.x", "a condition is expected here; this is a number"),
        ("Fields.done + 1 == 2", "a number is expected here; this is a boolean"),
        ("Fields.head == 0", "a number is not compared with a reference (shop.Fields$Node)"),
        ("Fields.x = 1", "write =="),
        ("Fields.x ==", "something is missing at the end"),
        ("(Fields.x == 1", "this parenthesis is never closed"),
        ("Fields.x == 99999999999", "too large"),
        ("<> Fields.done", "this is for formulas (--ltl)"),
        ("java.lang.System.out != null", "java.lang.System is a class of the JDK"),
        ("Fields.x == \"3\"", "strings are not compared"),
    ];
    for (invariant, says) in all {
        let run = check(&sandbox, "shop.Fields", &["--invariant", invariant]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{invariant} {run:?}");
        assert_has(&run.err, &["--invariant: ", says]);
    }
    let deep = format!("{}Fields.done{}", "(".repeat(5_000), ")".repeat(5_000));
    assert_has(&check(&sandbox, "shop.Fields", &["--invariant", &deep]).err, &["nested too deeply"]);
    let long = vec!["Fields.done"; 5_000].join(" || ");
    assert_has(&check(&sandbox, "shop.Fields", &["--invariant", &long]).err, &["operators in a row"]);
    sandbox.write("a.pml", "init { skip }\n");
    let run = sandbox.run(&["check", "a.pml", "--invariant", "x > 0"]);
    assert_eq!(run.code, 2);
    assert_has(&run.err, &["--invariant is for Java programs"]);
    let run = sandbox.run(&["outcomes", "-cp", ".", "shop.Fields", "--invariant", "Fields.x > 0"]);
    assert_eq!(run.code, 2);
    assert_has(&run.err, &["--invariant is for check and simulate"]);
}

#[test]
fn formulas_over_fields() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Live", LIVE);
    let all = [
        ("none", "[] (Live.requested -> <> Live.served)", 1),
        ("wait", "<> Live.served", 1),
        ("none", "<> Live.requested", 0),
        ("none", "[] (Live.served -> Live.requested)", 0),
        ("wait", "[] (Live.stop -> <> Live.served)", 0),
        // A thread that goes round and round without touching anything keeps the others from running, if
        // nobody is fair.
        ("idle", "<> Live.requested", 1),
        ("none", "!Live.stop W Live.requested", 0),
        // Runs that contradict an assumption are none.
        ("assume", "<> Live.served", 0),
        ("assume", "[] (Live.served -> Live.requested)", 0),
    ];
    for (mode, formula, code) in all {
        assert_eq!(verdict(&sandbox, "Live", &["--ltl", formula, "--", mode]), code, "{mode} {formula}");
    }
    for (mode, formula, code) in
        [("wait", "<> Live.served", 0), ("idle", "<> Live.requested", 0), ("idle", "<> Live.served", 1)]
    {
        let run = check(&sandbox, "Live", &["-q", "--fair", "--ltl", formula, "--", mode]);
        assert_eq!(run.code, code, "{mode} {formula} {run:?}");
    }
    let run = check(&sandbox, "Live", &["--ltl", "<> Live.served", "--", "wait"]);
    assert_has(&run.out, &["<> Live.served is violated by a run that never ends", "for ever:"]);
    let replayed = sandbox.run(&["replay", "Live.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    let next = check(&sandbox, "Live", &["--ltl", "X Live.served", "--", "none"]);
    assert_eq!(next.code, 2, "{next:?}");
    assert_has(&next.err, &["the next operator (X)", "--no-reduce"]);
    let with = check(&sandbox, "Live", &["-q", "--no-reduce", "--ltl", "X !Live.served", "--", "none"]);
    assert_eq!(with.code, 0, "{with:?}");
    let wrong = check(&sandbox, "Live", &["--ltl", "[] Live.srved", "--", "none"]);
    assert_eq!(wrong.code, 2);
    assert_has(&wrong.err, &["--ltl: class Live has no field srved\n  [] Live.srved\n          ^"]);
    let progress = check(&sandbox, "Live", &["--progress", "--", "none"]);
    assert_eq!(progress.code, 3, "{progress:?}");
}

#[test]
fn automata_over_fields() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Live", LIVE);
    // Runs in which nothing is ever served.
    sandbox.write(
        "never.hoa",
        "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"Live.served\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n\
         --BODY--\nState: 0 {0}\n[!0] 0\n--END--\n",
    );
    let run = check(&sandbox, "Live", &["-q", "--no-reduce", "--automaton", "never.hoa", "--", "none"]);
    assert_eq!(run.code, 1, "{run:?}");
    let reduced = check(&sandbox, "Live", &["--automaton", "never.hoa", "--", "none"]);
    assert_eq!(reduced.code, 2, "{reduced:?}");
    assert_has(&reduced.err, &["--no-reduce"]);
}

#[test]
fn threads_that_are_stuck_while_others_go_on() {
    let sandbox = Sandbox::new();
    compiled(&sandbox, "Stuck", STUCK);
    for mode in ["monitors", "mixed", "classes"] {
        assert_eq!(verdict(&sandbox, "Stuck", &["--", mode, "loop"]), 1, "{mode}");
        assert_eq!(verdict(&sandbox, "Stuck", &["--", mode]), 1, "{mode}");
    }
    // Time, or a notification, may still help.
    assert_eq!(verdict(&sandbox, "Stuck", &["--", "waits", "loop"]), 0);
    let timed = check(&sandbox, "Stuck", &["-q", "--states", "3000", "--", "timed", "loop"]);
    assert_ne!(timed.code, 1, "{timed:?}");
    // When the others have ended it cannot.
    assert_eq!(verdict(&sandbox, "Stuck", &["--", "waits"]), 1);
    let run = check(&sandbox, "Stuck", &["--", "monitors", "loop"]);
    let parts = [
        "left waits for the monitor of Stuck.B, held by right",
        "right waits for the monitor of Stuck.A, held by left",
        "for ever, whatever main may do",
        "main(0)   at Stuck.java:",
        "in a circle: left -> right -> left",
    ];
    assert_has(&run.out, &parts);
    let run = check(&sandbox, "Stuck", &["--", "classes", "loop"]);
    assert_has(&run.out, &["left waits for the initialisation of class Stuck$Y, held by right"]);
}

#[test]
fn the_turnstile_of_the_examples() {
    let sandbox = Sandbox::new();
    let invariant = ["--invariant", "Turnstile.inside <= Turnstile.places"];
    let formula = ["--ltl", "[] (Turnstile.full -> <> !Turnstile.full)"];
    for (mode, code) in [("ok", 0), ("broken", 1)] {
        for property in [invariant, formula] {
            let run = check(&sandbox, "Turnstile", &[&["-q"], &property[..], &["--", mode]].concat());
            assert_eq!(run.code, code, "{mode} {run:?}");
        }
    }
}
