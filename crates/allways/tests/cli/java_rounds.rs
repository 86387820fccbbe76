//! How Java programs are searched if nobody chooses: a short search, random walks, then the whole.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{classes, jdk};
use serde_json::Value;

/// Philosophers with locks, who all take the left one first. A depth-first search takes many states to meet the deadlock.
const TABLE: &str = "import java.util.concurrent.locks.ReentrantLock;
public class Table {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        ReentrantLock[] forks = new ReentrantLock[n];
        for (int i = 0; i < n; i++) forks[i] = new ReentrantLock();
        for (int i = 0; i < n; i++) {
            ReentrantLock left = forks[i], right = forks[(i + 1) % n];
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
