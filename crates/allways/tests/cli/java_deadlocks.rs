//! A deadlock of a Java program in the words of a Java programmer: who is where, what each thread waits for,
//! and who holds that.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{EXAMPLES, assert_has, compiled, refused, run};

#[test]
fn a_deadlock_names_both_threads_and_what_each_waits_for() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "check", "Deadlock", &["--source", EXAMPLES]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(
        &run.out,
        &[
            "Thread-0 waits for the monitor of Deadlock.RIGHT, held by Thread-1",
            "Thread-1 waits for the monitor of Deadlock.LEFT, held by Thread-0",
            "Deadlock.java:18",
            "synchronized (second) {",
            "written to Deadlock.trace; see it again with: allways replay Deadlock.trace",
            "conflicts reduction",
            "violated: Deadlock: safety, deadlock",
        ],
    );
}

#[test]
fn the_source_line_is_there_only_if_the_source_is() {
    let sandbox = Sandbox::new();
    let without = run(&sandbox, "check", "Deadlock", &[]);
    assert_has(&without.out, &["Deadlock.java:18", "Deadlock.both"]);
    assert!(!without.out.contains("synchronized (second)"), "{}", without.out);
}

#[test]
fn a_deadlock_tells_who_waits_for_whom() {
    let sandbox = Sandbox::new();
    let told = run(&sandbox, "check", "Deadlock", &["--source", EXAMPLES]);
    let lines = "
who waits for whom
  Thread-0  Deadlock.java:18  waits for the monitor of Deadlock.RIGHT, held by Thread-1 since Deadlock.java:17: synchronized (second) {
  Thread-1  Deadlock.java:18  waits for the monitor of Deadlock.LEFT, held by Thread-0 since Deadlock.java:17: synchronized (second) {
  in a circle: Thread-0 -> Thread-1 -> Thread-0
";
    assert_has(&told.out, &[lines]);
    let again = sandbox.run(&["replay", "Deadlock.trace", "--waits"]);
    assert_eq!((again.code, again.out.as_str()), (0, &lines["\nwho waits for whom\n".len()..]), "{again:?}");
    let drawn = sandbox.run(&["replay", "Deadlock.trace", "--waits", "-o", "d.svg"]);
    assert_eq!((drawn.code, drawn.out.as_str()), (0, ""), "{drawn:?}");
    assert_has(
        &sandbox.read("d.svg"),
        &[
            "<svg ",
            ">Thread-1</text>",
            ">monitor of Deadlock.LEFT</text>",
            ">held since Deadlock.java:17</text>",
        ],
    );
    let lost = run(&sandbox, "check", "LostUpdate", &["-q"]);
    assert_eq!(lost.code, 1, "{lost:?}");
    refused(&sandbox, &["replay", "LostUpdate.trace", "--waits"], "does not end in a deadlock");
}

#[test]
fn who_holds_a_monitor_is_told_with_the_place_that_entered_it() {
    let sandbox = Sandbox::new();
    let body = "public class Held {
    static final Object BOX = new Object();
    static synchronized void all() throws Exception {
        BOX.hashCode();
        new Thread(Held::all2, \"late\").start();
        synchronized (BOX) {
            BOX.hashCode();
        }
        BOX.hashCode();
        synchronized (BOX) {
            Thread stuck = new Thread(() -> { synchronized (BOX) { } }, \"stuck\");
            stuck.start();
            stuck.join();
        }
    }
    static synchronized void all2() { }
    public static void main(String[] args) throws Exception {
        all();
    }
}";
    let classes = compiled(&sandbox, "Held", body);
    let run = sandbox.run(&["check", "-cp", &classes, "Held"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(
        &run.out,
        &[
            "main waits for stuck to end (Held.java:13)",
            "main   Held.java:13  waits for stuck to end: ",
            "late   ",
            "waits for the monitor of Held.class, held by main since Held.java:4: ",
            "stuck  Held.java:11  waits for the monitor of Held.BOX, held by main since Held.java:10: ",
            "in a circle: main -> stuck -> main",
        ],
    );
}

#[test]
fn deadlocks_of_locks_name_lock_line_and_holder() {
    let sandbox = Sandbox::new();
    let body = "import java.util.concurrent.*; import java.util.concurrent.locks.*;
public class Crossed {
    static final ReentrantLock LEFT = new ReentrantLock(), RIGHT = new ReentrantLock();
    static final BlockingQueue<String> BOX = new ArrayBlockingQueue<>(1);
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            LEFT.lock();
            RIGHT.lock();
            RIGHT.unlock();
            LEFT.unlock();
        }, \"other\");
        RIGHT.lock();
        other.start();
        if (args.length > 1) return;
        if (args.length > 0) BOX.take();
        LEFT.lock();
        LEFT.unlock();
        RIGHT.unlock();
    }
}";
    let classes = compiled(&sandbox, "Crossed", body);
    let run = sandbox.run(&["check", "-cp", &classes, "Crossed", "--search", "bfs"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(
        &run.out,
        &[
            "main is parked, waiting for Crossed.LEFT, held by other (Crossed.java:16)",
            "other is parked, waiting for Crossed.RIGHT, held by main (Crossed.java:8)",
            "other(1)  Crossed.java:7",
        ],
    );
    let run = sandbox.run(&["check", "-cp", &classes, "Crossed", "--", "queue"]);
    assert_has(&run.out, &["main is parked, waiting for Crossed.BOX.notEmpty (Crossed.java:15)"]);
    let run = sandbox.run(&["check", "-cp", &classes, "Crossed", "--", "leaves", "early"]);
    assert_has(&run.out, &["waiting for Crossed.RIGHT, held by main, which has ended (Crossed.java:8)"]);
}

#[test]
fn a_deadlock_as_junit_xml() {
    let sandbox = Sandbox::new();
    let run = run(
        &sandbox,
        "check",
        "Deadlock",
        &["-q", "--source", EXAMPLES, "--junit", "d.xml", "--", "a", "<b>"],
    );
    assert_eq!(run.code, 1, "{run:?}");
    let xml = sandbox.read("d.xml");
    assert_has(
        &xml,
        &[
            "<testsuite name=\"Deadlock a &lt;b&gt;\" tests=\"1\" failures=\"1\" errors=\"0\"",
            "<testcase name=\"safety\" classname=\"Deadlock\" time=\"",
            "<failure type=\"deadlock\" message=\"deadlock: Thread-0 waits for the monitor of Deadlock.RIGHT",
            ">counterexample: deadlock: ",
            "Deadlock.java:18  synchronized (second) { (waits for the monitor of",
            "dfs, collapse store, conflicts reduction",
        ],
    );
    assert!(xml.find("final state").unwrap() < xml.find("</failure>").unwrap(), "{xml}");
}

#[test]
fn philosophers_broken_and_mended() {
    let sandbox = Sandbox::new();
    let broken = run(&sandbox, "check", "Philosophers", &["--", "broken"]);
    assert_eq!(broken.code, 1, "{broken:?}");
    assert_has(&broken.out, &["deadlock", "held by Thread-0", "held by Thread-1", "held by Thread-2"]);
    for args in
        [["--workers", "1", "--", "ok"].as_slice(), &["--search", "bfs", "--store", "collapse", "--", "ok"]]
    {
        let ok = run(&sandbox, "check", "Philosophers", args);
        assert_eq!(ok.code, 0, "{args:?} {ok:?}");
        assert_has(&ok.out, &["holds: Philosophers: safety, no violation in any of its"]);
    }
}

#[test]
fn a_lock_whose_owner_has_ended_is_waited_for_in_vain_though_others_run_on() {
    let sandbox = Sandbox::new();
    for more in [&[][..], &["--jdk-locks"]] {
        let told = run(&sandbox, "check", "Abandoned", more);
        assert_eq!(told.code, 1, "{told:?}");
        assert_has(
            &told.out,
            &["deadlock: next is parked, waiting for Abandoned.LOCK, held by careless, which has ended"],
        );
    }
}
