//! How Java programs are searched if nobody chooses: a short search, random walks, then the whole.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, classes, compiled, jdk};
use serde_json::Value;

/// Philosophers with locks, who all take the left one first, but for the last one with `ok`. A depth-first
/// search takes many states to meet the deadlock.
const TABLE: &str = "import java.util.concurrent.locks.ReentrantLock;
public class Table {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        ReentrantLock[] forks = new ReentrantLock[n];
        for (int i = 0; i < n; i++) forks[i] = new ReentrantLock();
        for (int i = 0; i < n; i++) {
            boolean turned = args.length > 1 && args[1].equals(\"ok\") && i == n - 1;
            ReentrantLock left = forks[turned ? 0 : i], right = forks[turned ? i : (i + 1) % n];
            new Thread(() -> {
                left.lock();
                right.lock();
                right.unlock();
                left.unlock();
            }).start();
        }
    }
}
";

fn json(sandbox: &Sandbox, args: &[&str]) -> Value {
    let run = sandbox.run(args);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn walks_find_what_a_search_meets_late() {
    let sandbox = Sandbox::new();
    sandbox.write("Table.java", TABLE);
    jdk("javac", |command| command.arg("-d").arg(&sandbox.0).arg(sandbox.0.join("Table.java")));
    let found = json(&sandbox, &["check", "--json", "-cp", ".", "Table", "--", "4"]);
    assert_eq!((&found["verdict"], &found["errors"][0]["kind"]), (&"violated".into(), &"deadlock".into()));
    let replayed = sandbox.run(&["replay", "Table.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    // A search that was chosen is the one that is made.
    let short = ["check", "--json", "-cp", ".", "Table", "--search", "dfs", "--time", "1", "--", "5"];
    assert_eq!(json(&sandbox, &short)["search"], "dfs");
}

#[test]
fn walks_change_nothing_where_nothing_is_wrong() {
    let sandbox = Sandbox::new();
    let run = |more: &[&str]| {
        let args = ["check", "--json", "-cp", classes(), "BoundedBuffer"];
        let program = ["--", "ok", "2", "2", "2", "4"];
        json(&sandbox, &[&args[..], more, &program[..]].concat())
    };
    let (usual, chosen) = (run(&[]), run(&["--search", "dfs"]));
    assert!(usual["states"].as_u64() > Some(20_000), "there is something to walk through: {usual}");
    for field in ["verdict", "states", "transitions", "search"] {
        assert_eq!(usual[field], chosen[field], "{field}");
    }
}

/// A program that is too large on the JDK's own locks is not on ours; and the trace knows which they were.
#[test]
fn jdk_locks() {
    let sandbox = Sandbox::new();
    let path = compiled(&sandbox, "Table", TABLE);
    let check = |with: &[&str]| sandbox.run(&[&["check", "-cp", &path, "Table"], with].concat());
    let run = check(&["--states", "30000", "--search", "dfs", "--jdk-locks", "--", "4", "ok"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert_has(&run.out, &["without --jdk-locks there are far fewer states"]);
    let run = check(&["--states", "30000", "--search", "dfs", "--simple-locks", "--", "4", "ok"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_has(&run.out, &["holds: Table", "conflicts reduction"]);
    let run = check(&["--jdk-locks", "--search", "bfs", "--", "3", "broken"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &["deadlock: Thread-0 is parked", "held by Thread-1", "in a circle"]);
    let replayed = sandbox.run(&["replay", "Table.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert_has(&sandbox.read("Table.trace"), &["jdk-locks yes"]);
    assert_has(&replayed.out, &["deadlock: Thread-0 is parked"]);
    let run = sandbox.run(&["outcomes", "-cp", &path, "Table", "--", "2", "broken"]);
    assert_has(&run.out, &["outcome 1: deadlock", "exit 0", "2 outcomes; there are no others"]);
}

/// All errors are there when no conflict is left, and not when the first one is found.
#[test]
fn all_races_are_errors() {
    let sandbox = Sandbox::new();
    let text = "public class Races {
    static int x;
    static int[] a = new int[1];
    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { x = 1; a[0] = 1; });
        other.start();
        x = 2;
        a[0] = 2;
        other.join();
    }
}";
    let path = compiled(&sandbox, "Races", text);
    let run =
        sandbox.run(&["check", "-cp", &path, "Races", "--races", "--all-errors", "--workers", "1", "--json"]);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    let messages: Vec<&str> =
        json["errors"].as_array().unwrap().iter().map(|error| error["message"].as_str().unwrap()).collect();
    assert_eq!((run.code, messages.len()), (1, 2), "{messages:?}");
    assert!(messages.iter().any(|message| message.contains("Races.x")), "{messages:?}");
    assert!(messages.iter().any(|message| message.contains("Races.a[0]")), "{messages:?}");
    assert_eq!(json["exhausted"], true);
}

/// Some threads wait for each other, and another one never ends: that is no outcome, but not nothing either.
#[test]
fn outcomes_without_an_end() {
    let sandbox = Sandbox::new();
    let text = "public class Endless {
    static final Object A = new Object(), B = new Object();
    static volatile boolean one, two;
    public static void main(String[] args) {
        new Thread(() -> { while (true) Thread.yield(); }).start();
        new Thread(() -> { synchronized (A) { one = true; while (!two) Thread.yield(); synchronized (B) { } } }).start();
        synchronized (B) { two = true; while (!one) Thread.yield(); synchronized (A) { } }
    }
}";
    let path = compiled(&sandbox, "Endless", text);
    let run = sandbox.run(&["outcomes", "-cp", &path, "Endless"]);
    assert_has(&run.out, &["without an end: deadlock: ", "0 outcomes; there are no others"]);
    let run = sandbox.run(&["outcomes", "-cp", &path, "Endless", "--json"]);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["verdict"], "violated", "{json}");
    assert!(json["endless"].as_str().unwrap().contains("for ever, whatever"), "{json}");
}
