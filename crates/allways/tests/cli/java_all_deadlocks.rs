//! All deadlocks of a Java program: each is told once, whoever else runs, waits or has ended.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, compiled};
use serde_json::Value;

/// Two threads that can wait for each other, and others that have nothing to do with it; with `two`, two
/// pairs of the first kind.
const BYSTANDERS: &str = "public class Bystanders {
    static final Object A = new Object(), B = new Object(), C = new Object(), D = new Object();
    static int n;

    static synchronized void tick() {
        n++;
    }

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (second) { }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> both(A, B), \"t\");
        Thread u = new Thread(() -> both(B, A), \"u\");
        boolean two = args[0].equals(\"two\");
        Thread v = new Thread(() -> { if (two) both(C, D); else tick(); }, \"v\");
        Thread w = new Thread(() -> { if (two) both(D, C); else tick(); }, \"w\");
        for (Thread thread : new Thread[] {t, u, v, w}) thread.start();
        v.join();
        t.join();
    }
}
";

/// A class initialiser of each thread needs the other class, while a third thread comes and goes; and a wait
/// that nobody ends, with others that end sooner or later.
const OTHERS: &str = "public class Others {
    static final Object BELL = new Object();
    static class X { static int x = Y.y + 1; }
    static class Y { static int y = X.x + 1; }

    static synchronized void tick() { }

    public static void main(String[] args) throws Exception {
        boolean classes = args[0].equals(\"classes\");
        new Thread(() -> tick(), \"other\").start();
        new Thread(() -> { if (classes) X.x++; else tick(); }, \"left\").start();
        if (classes) Y.y++;
        tick();
        synchronized (BELL) {
            if (!classes) BELL.wait();
        }
    }
}
";

const PAIR: &str = "deadlock: t waits for the monitor of Bystanders.B, held by u (Bystanders.java:11); \
                    u waits for the monitor of Bystanders.A, held by t (Bystanders.java:11)";
const OTHER_PAIR: &str = "deadlock: v waits for the monitor of Bystanders.D, held by w (Bystanders.java:11); \
                          w waits for the monitor of Bystanders.C, held by v (Bystanders.java:11)";

/// The errors of a program in JSON: message, steps, and how many states have it.
fn errors(sandbox: &Sandbox, args: &[&str]) -> (Value, Vec<(String, u64, u64)>) {
    let run = sandbox.run(&[&["check", "--json", "--all-errors"], args].concat());
    let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    assert_eq!((run.code, &json["verdict"]), (1, &Value::from("violated")), "{run:?}");
    let errors = json["errors"].as_array().unwrap().iter().map(|error| {
        assert_eq!(error["kind"], "deadlock", "{error}");
        let number = |name: &str| error[name].as_u64().unwrap();
        (error["message"].as_str().unwrap().to_owned(), number("steps"), number("n_states"))
    });
    let errors = errors.collect();
    (json, errors)
}

#[test]
fn a_deadlock_is_told_once_whatever_others_do() {
    let sandbox = Sandbox::new();
    let classes = compiled(&sandbox, "Bystanders", BYSTANDERS);
    let program = ["-cp", &classes, "Bystanders", "--", "one"];
    let (json, found) = errors(&sandbox, &program);
    let [(message, steps, n_states)] = found.as_slice() else { panic!("{found:?}") };
    // The run that has it as soon as can be: two threads start, and each takes a monitor.
    assert_eq!((message.as_str(), *steps), (PAIR, 4));
    assert!(*n_states > 5, "{json}");
    assert_eq!((&json["n_errors"], &json["search"]), (&Value::from(*n_states), &Value::from("bfs")));
    assert!(sandbox.exists("Bystanders.trace") && !sandbox.exists("Bystanders.2.trace"));
    // How many states have it does not depend on the search.
    for with in [&["--search", "dfs", "--workers", "1"][..], &["--workers", "3"], &["--store", "tree"]] {
        let (_, other) = errors(&sandbox, &[with, &program].concat());
        let other: Vec<_> = other.iter().map(|(message, _, n)| (message.as_str(), n)).collect();
        assert_eq!(other, [(PAIR, n_states)], "{with:?}");
    }
}

#[test]
fn text_and_junit_tell_the_deadlocks_that_json_tells() {
    let sandbox = Sandbox::new();
    let classes = compiled(&sandbox, "Bystanders", BYSTANDERS);
    for mode in ["one", "two"] {
        let program = ["-cp", &classes, "Bystanders", "--", mode];
        let (json, found) = errors(&sandbox, &program);
        let run = sandbox.run(&[&["check", "--all-errors", "--junit", "b.xml"], &program[..]].concat());
        assert_eq!(run.code, 1, "{run:?}");
        let xml = sandbox.read("b.xml");
        let failure = format!("<failure type=\"deadlock\" message=\"{}\"", found[0].0);
        assert_has(&xml, &[&failure, "tests=\"1\" failures=\"1\" errors=\"0\""]);
        for text in [&run.out, &xml] {
            assert_has(
                text,
                &[&format!("errors       {}  ({} different one", json["n_errors"], found.len())],
            );
            if let [(message, _, n_states)] = found.as_slice() {
                assert_has(
                    text,
                    &[&format!("violated: Bystanders: safety, {message} (in {n_states} states)\n")],
                );
            } else {
                assert_has(text, &[&format!("{PAIR} ({} errors in all)\n", json["n_errors"])]);
                for (idx, (message, steps, n_states)) in found.iter().enumerate() {
                    let number = if idx == 0 { String::new() } else { format!(".{}", idx + 1) };
                    let trace = format!("Bystanders{number}.trace");
                    let line = format!(
                        "    {}  {message}  ({steps} steps, {trace}, in {n_states} states)\n",
                        idx + 1
                    );
                    assert_has(text, &[&line]);
                }
            }
        }
    }
}

#[test]
fn two_deadlocks_of_one_state_are_two() {
    let sandbox = Sandbox::new();
    let classes = compiled(&sandbox, "Bystanders", BYSTANDERS);
    let (_, found) = errors(&sandbox, &["-cp", &classes, "Bystanders", "--", "two"]);
    let messages: Vec<&str> = found.iter().map(|(message, ..)| message.as_str()).collect();
    assert_eq!(messages, [PAIR, OTHER_PAIR]);
    let told = sandbox.run(&["replay", "Bystanders.2.trace"]);
    assert_eq!(told.code, 0, "{told:?}");
    assert_has(&told.out, &[OTHER_PAIR, "in a circle: v -> w -> v", "for ever, whatever"]);
}

#[test]
fn classes_that_wait_for_each_other_and_threads_without_a_circle() {
    let sandbox = Sandbox::new();
    let classes = compiled(&sandbox, "Others", OTHERS);
    for (mode, parts) in [
        ("classes", ["main waits for the initialisation of", "left waits for the initialisation of"]),
        ("bell", ["deadlock: main waits to be notified on Others.BELL", "(Others.java:15)"]),
    ] {
        let (json, found) = errors(&sandbox, &["-cp", &classes, "Others", "--", mode]);
        assert_eq!(found.len(), 1, "{json}");
        assert_has(&found[0].0, &parts);
        assert!(!found[0].0.contains("other "), "{json}");
    }
}
