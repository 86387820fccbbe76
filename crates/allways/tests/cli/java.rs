//! Java programs on the command line: deadlocks, failed assertions and exceptions in the words of a Java programmer, the list of all
//! outcomes, and everything that is no program.
//!
//! Needs a JDK with `javac` and `jar`; `cargo xtask test` installs one.

use crate::{Run, Sandbox};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the choices for programs are.
const API: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../java/api/src/allways/Choose.java");
/// Where the examples' source is.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/java");

/// Programs that are not among the examples.
const PROGRAMS: [(&str, &str); 13] = [
    (
        "Racer.java",
        "public class Racer {
    static int plain;
    static volatile int atomic;
    static final java.util.concurrent.locks.Lock LOCK = new java.util.concurrent.locks.ReentrantLock();

    static void act(String mode, boolean first) {
        switch (mode) {
            case \"plain\" -> plain = plain + 1;
            case \"atomic\" -> atomic = atomic + 1;
            case \"monitor\" -> { synchronized (Racer.class) { plain++; } }
            case \"half\" -> { if (first) plain++; else synchronized (Racer.class) { plain++; } }
            case \"lock\" -> { LOCK.lock(); try { plain++; } finally { LOCK.unlock(); } }
            case \"single\" -> { if (first) plain++; }
            case \"handed\" -> {
                if (first) { plain = 1; atomic = 1; } else if (atomic == 1) plain = 2;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> act(args[0], true));
        other.start();
        act(args[0], false);
        other.join();
        plain = 0;
    }
}
",
    ),
    (
        "Thrower.java",
        "public class Thrower {
    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            int[] none = new int[0];
            none[3] = 1;
        }, \"worker\");
        worker.start();
        worker.join();
    }
}
",
    ),
    (
        "Greeter.java",
        "public class Greeter {
    public static void main(String[] args) {
        new Thread(() -> System.out.println(\"left\")).start();
        new Thread(() -> System.out.println(\"right\")).start();
    }
}
",
    ),
    (
        "Leaver.java",
        "public class Leaver {
    public static void main(String[] args) {
        System.out.println(args.length + \" \" + String.join(\",\", args));
        System.exit(args.length);
    }
}
",
    ),
    (
        "shop/Till.java",
        "package shop;

public class Till {
    static int total;

    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> total += 5, \"a\");
        a.start();
        total += 7;
        a.join();
        assert total == 12 : total;
    }
}
",
    ),
    ("NoMain.java", "public class NoMain {}\n"),
    ("HiddenMain.java", "class HiddenMain {\n    static void main(String[] args) {}\n}\n"),
    (
        "Reader.java",
        "public class Reader {
    public static void main(String[] args) throws Exception {
        try (java.io.FileInputStream in = new java.io.FileInputStream(\"/etc/hostname\")) {
            System.out.println(in.read());
        } catch (java.io.IOException e) {
            System.out.println(\"not there\");
        }
    }
}
",
    ),
    (
        "Caller.java",
        "public class Caller {
    public static void main(String[] args) throws Exception {
        try {
            new java.net.Socket(\"127.0.0.1\", 9).close();
        } catch (Exception e) {
            System.out.println(\"nobody there\");
        }
    }
}
",
    ),
    (
        "Chooser.java",
        "import allways.Choose;

public class Chooser {
    public static void main(String[] args) {
        int n = Choose.range(1, 3);
        Choose.assume(n != 2);
        System.out.println(n + \" \" + Choose.of(\"a\", \"b\"));
    }
}
",
    ),
    (
        "Patient.java",
        "public class Patient {
    public static void main(String[] args) throws Exception {
        Object bell = new Object();
        Thread ringer = new Thread(() -> {
            synchronized (bell) {
                bell.notify();
            }
        });
        synchronized (bell) {
            ringer.start();
            bell.wait(Long.MAX_VALUE);
        }
        ringer.join();
    }
}
",
    ),
    (
        "Poller.java",
        "public class Poller {
    static boolean done;

    public static void main(String[] args) throws Exception {
        new Thread(() -> done = true).start();
        while (!done) {
            Thread.sleep(1);
        }
    }
}
",
    ),
    (
        "Dice.java",
        "import java.util.Random;

public class Dice {
    public static void main(String[] args) {
        System.out.println(new Random(1).nextInt(3));
    }
}
",
    ),
];

/// The directory with the classes of all programs; compiled once.
pub(crate) fn classes() -> &'static str {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let directory = CLASSES.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("java");
        let _ = std::fs::remove_dir_all(&root);
        let (source, classes) = (root.join("src"), root.join("classes"));
        std::fs::create_dir_all(source.join("shop")).unwrap();
        std::fs::create_dir_all(&classes).unwrap();
        let mut files: Vec<PathBuf> = std::fs::read_dir(EXAMPLES)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "java"))
            .collect();
        files.push(API.into());
        for (name, text) in PROGRAMS {
            std::fs::write(source.join(name), text).unwrap();
            files.push(source.join(name));
        }
        jdk("javac", |command| command.arg("-nowarn").arg("-d").arg(&classes).args(&files));
        classes
    });
    directory.to_str().unwrap()
}

/// Runs a tool of the JDK.
pub(crate) fn jdk(tool: &str, with: impl FnOnce(&mut Command) -> &mut Command) {
    let mut command = Command::new(tool);
    let output = with(&mut command).output().unwrap_or_else(|error| {
        panic!("{tool} cannot be run ({error}): these tests need a JDK, which cargo xtask test installs")
    });
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A command on the compiled programs; `args` after the main class.
pub(crate) fn run(sandbox: &Sandbox, command: &str, main: &str, args: &[&str]) -> Run {
    sandbox.run(&[&[command, "-cp", classes(), main], args].concat())
}

pub(crate) fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

pub(crate) fn refused(sandbox: &Sandbox, args: &[&str], says: &str) {
    let run = sandbox.run(args);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?} {run:?}");
    assert!(run.err.contains(says), "{args:?}: {says}\n{}", run.err);
    assert!(!run.err.contains("panicked"), "{}", run.err);
}

/// Copies a class out of the compiled ones.
pub(crate) fn copy_class(sandbox: &Sandbox, class: &str, to: &str) {
    sandbox.write(to, std::fs::read(Path::new(classes()).join(class)).unwrap());
}

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
            "violated: Deadlock, deadlock",
        ],
    );
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
fn the_page_about_a_flaky_test_tells_what_happens() {
    let page = include_str!("../../../../docs/java-flaky-test.md");
    let block = |from: &str| page.split(from).nth(1).and_then(|rest| rest.split("```").next()).expect(from);
    let sandbox = Sandbox::new();
    let classes = compiled(&sandbox, "TransferTest", block("```java\n"));
    let run = sandbox.run(&["check", "-cp", &classes, "TransferTest", "--workers", "1"]);
    assert_eq!(run.code, 1, "{run:?}");
    let told = block("who waits for whom\n").split("\n\n").next().unwrap();
    assert_eq!(told.lines().count(), 4);
    assert_has(&run.out, &[told]);
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
fn the_source_line_is_there_only_if_the_source_is() {
    let sandbox = Sandbox::new();
    let without = run(&sandbox, "check", "Deadlock", &[]);
    assert_has(&without.out, &["Deadlock.java:18", "Deadlock.both"]);
    assert!(!without.out.contains("synchronized (second)"), "{}", without.out);
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
        assert_has(&ok.out, &["holds: Philosophers, no violation in any of its"]);
    }
}

#[test]
fn a_lost_update_fails_an_assertion_with_and_without_reduction() {
    let sandbox = Sandbox::new();
    for reduce in [[].as_slice(), &["--no-reduce"], &["--reduce", "none"]] {
        let run = run(&sandbox, "check", "LostUpdate", &[["--full"].as_slice(), reduce].concat());
        assert_eq!(run.code, 1, "{run:?}");
        assert_has(
            &run.out,
            &[
                "java.lang.AssertionError: counter is 1",
                "LostUpdate.java:17",
                "LostUpdate.counter: 0 -> 1",
                "violated: LostUpdate.java:17, uncaught in thread main",
                if reduce.is_empty() { "conflicts reduction" } else { "no reduction" },
            ],
        );
    }
}

#[test]
fn an_uncaught_exception_is_a_violation_of_its_own_kind() {
    let sandbox = Sandbox::new();
    let text = run(&sandbox, "check", "Thrower", &[]);
    assert_eq!(text.code, 1, "{text:?}");
    assert_has(
        &text.out,
        &[
            "uncaught in thread worker: java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 0",
            "Thrower.java:5",
        ],
    );
    let json = run(&sandbox, "check", "Thrower", &["--json"]);
    let object: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(object["errors"][0]["kind"], "exception");
    assert_eq!(object["errors"][0]["location"]["file"], "Thrower.java");
    assert_eq!(object["errors"][0]["location"]["line"], 5);
    assert_eq!(object["reduction"], "conflicts");
    assert_eq!(object["verdict"], "violated");
}

#[test]
fn outcomes_for_people() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "outcomes", "Greeter", &[]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_has(
        &run.out,
        &[
            "exit 0, after",
            "  | left\n  | right\n",
            "  | right\n  | left\n",
            "schedule: main*",
            "2 outcomes; there are no others (",
        ],
    );
}

#[test]
fn outcomes_for_machines() {
    let sandbox = Sandbox::new();
    for reduce in [[].as_slice(), &["--no-reduce"]] {
        let run = run(&sandbox, "outcomes", "LostUpdate", &[["--json"].as_slice(), reduce].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let object: Value = serde_json::from_str(&run.out).unwrap();
        let fields: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
        for field in [
            "schema",
            "tool",
            "model",
            "outcomes",
            "states",
            "transitions",
            "elapsed_s",
            "verdict",
            "endless",
            "unsupported",
        ] {
            assert!(fields.contains(&field), "{field}: {fields:?}");
        }
        assert_eq!(fields.len(), 10, "{fields:?}");
        assert_eq!(object["verdict"], "violated");
        assert!(object["states"].as_u64().unwrap() > 10);
        let outcomes = object["outcomes"].as_array().unwrap();
        let kinds: Vec<&str> = outcomes.iter().map(|one| one["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["assertion", "exit"]);
        for one in outcomes {
            assert_eq!(one.as_object().unwrap().len(), 5, "{one}");
            assert_eq!(one["output"], "");
            assert!(one["schedule"].as_str().unwrap().contains("Thread-1*"), "{one}");
            assert!(one["n_steps"].as_u64().unwrap() > 3);
        }
        assert_eq!((&outcomes[0]["status"], &outcomes[1]["status"]), (&Value::from(1), &Value::from(0)));
    }
}

/// The arguments after `--` are the program's, also those that look like ours.
#[test]
fn arguments_and_the_exit_status() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "outcomes", "Leaver", &["--json", "--", "a", "--json", "-cp"]);
    let object: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(object["outcomes"][0]["output"], "3 a,--json,-cp\n");
    assert_eq!(object["outcomes"][0]["status"], 3);
    assert_eq!((run.code, &object["verdict"]), (0, &Value::from("holds")));
}

#[test]
fn random_numbers_are_one_value_or_all() {
    let sandbox = Sandbox::new();
    assert_has(&run(&sandbox, "outcomes", "Dice", &[]).out, &["1 outcome;"]);
    let all = run(&sandbox, "outcomes", "Dice", &["--random"]).out;
    assert_has(&all, &["  | 0\n", "  | 1\n", "  | 2\n", "3 outcomes; there are no others"]);
}

#[test]
fn choices_of_the_program() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "outcomes", "Chooser", &[]);
    assert_has(
        &run.out,
        &["  | 1 a\n", "  | 1 b\n", "  | 3 a\n", "  | 3 b\n", "4 outcomes; there are no others"],
    );
}

#[test]
fn traces_are_replayed() {
    let sandbox = Sandbox::new();
    for (main, args) in [
        ("Deadlock", ["--source", EXAMPLES].as_slice()),
        ("LostUpdate", &[]),
        ("LostUpdate", &["--no-reduce"]),
        ("Philosophers", &["--", "broken", "2"]),
        ("shop.Till", &[]),
    ] {
        let check = run(&sandbox, "check", main, &[["--full"].as_slice(), args].concat());
        assert_eq!(check.code, 1, "{main} {check:?}");
        let replay = sandbox.run(&["replay", &format!("{main}.trace")]);
        assert_eq!(replay.code, 0, "{main} {replay:?}");
        let body = |text: &str| text.lines().skip(1).map(str::to_string).collect::<Vec<_>>();
        let (check, replay) = (body(&check.out), body(&replay.out));
        assert!(replay.len() > 5);
        assert_eq!(check[..replay.len()], replay[..], "{main}");
    }
}

/// As with includes, what a trace names is seen from the current directory or from that of the trace.
#[test]
fn a_relative_class_path_is_seen_from_the_trace() {
    let sandbox = Sandbox::new();
    copy_class(&sandbox, "Deadlock.class", "dir/out/Deadlock.class");
    let mut check = sandbox.command(&["check", "-q", "-cp", "out", "Deadlock"]);
    assert_eq!(check.current_dir(sandbox.0.join("dir")).status().unwrap().code(), Some(1));
    let mut here = sandbox.command(&["replay", "Deadlock.trace"]);
    assert_eq!(here.current_dir(sandbox.0.join("dir")).status().unwrap().code(), Some(0));
    let there = sandbox.run(&["replay", "dir/Deadlock.trace"]);
    assert_eq!(there.code, 0, "{there:?}");
}

#[test]
fn a_changed_class_is_noticed() {
    let sandbox = Sandbox::new();
    copy_class(&sandbox, "Deadlock.class", "Deadlock.class");
    assert_eq!(sandbox.run(&["check", "-q", "Deadlock.class"]).code, 1);
    assert_eq!(sandbox.run(&["replay", "Deadlock.class.trace"]).code, 0);
    sandbox.write(
        "Deadlock.java",
        std::fs::read_to_string(format!("{EXAMPLES}/Deadlock.java"))
            .unwrap()
            .replace("both locks held", "both held"),
    );
    jdk("javac", |command| command.current_dir(&sandbox.0).args(["-d", ".", "Deadlock.java"]));
    refused(&sandbox, &["replay", "Deadlock.class.trace"], "it has changed since");
}

#[test]
fn a_class_file_by_its_name() {
    let sandbox = Sandbox::new();
    copy_class(&sandbox, "Deadlock.class", "Deadlock.class");
    let run = sandbox.run(&["check", "Deadlock.class"]);
    assert_eq!(run.code, 1, "{run:?}");
    copy_class(&sandbox, "shop/Till.class", "out/shop/Till.class");
    let run = sandbox.run(&["check", "out/shop/Till.class"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &["Till.java:11", "shop.Till.main", "Till.total: "]);
    assert_eq!(sandbox.run(&["check", "-q", "-cp", "out", "shop/Till"]).code, 1);
    copy_class(&sandbox, "shop/Till.class", "Till.class");
    refused(&sandbox, &["check", "Till.class"], "holds class shop.Till, and is not where that belongs");
}

#[test]
fn a_jar_file() {
    let sandbox = Sandbox::new();
    let jar = |args: &[&str]| {
        jdk("jar", |command| {
            command.current_dir(&sandbox.0).args(args).args(["-C", classes(), "shop/Till.class"])
        });
    };
    jar(&["--create", "--file", "till.jar", "--main-class", "shop.Till"]);
    let run = sandbox.run(&["check", "till.jar"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(&run.out, &["Till.java:11", "written to till.jar.trace"]);
    assert_eq!(sandbox.run(&["replay", "till.jar.trace"]).code, 0);
    jar(&["--create", "--file", "plain.jar"]);
    refused(&sandbox, &["check", "plain.jar"], "names no main class; use -cp plain.jar and its name");
    assert_eq!(sandbox.run(&["check", "-q", "-cp", "plain.jar", "shop.Till"]).code, 1);
    sandbox.write("text.jar", "not a jar");
    refused(&sandbox, &["check", "text.jar"], "text.jar");
    refused(&sandbox, &["check", "missing.jar"], "missing.jar");
}

#[test]
fn simulations_and_graphs() {
    let sandbox = Sandbox::new();
    let once = run(&sandbox, "simulate", "Greeter", &["--seed", "3"]);
    assert_eq!(once.code, 0, "{once:?}");
    assert_has(&once.out, &["prints \"left", "prints \"right"]);
    let graph = run(&sandbox, "graph", "Deadlock", &[]);
    assert_eq!(graph.code, 0, "{graph:?}");
    assert!(graph.out.starts_with("digraph"), "{}", graph.out);
}

/// Waiting moves the clock, which is part of a state: there is no end to polling, and a limit ends the search in good time.
#[test]
fn clocks() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "check", "Patient", &["-q"]).code, 0);
    let polled = run(&sandbox, "outcomes", "Poller", &["--states", "5000"]);
    assert_eq!(polled.code, 0, "{polled:?}");
    assert_has(&polled.out, &["exit 0", "1 outcome; there are no others"]);
    // Who reads the clock can tell one round from the next.
    let text = "public class Watcher { static boolean done; public static void main(String[] args) throws Exception {
        new Thread(() -> done = true).start();
        long begin = System.nanoTime();
        while (!done) Thread.sleep(1);
        assert System.nanoTime() >= begin; } }";
    let classes = compiled(&sandbox, "Watcher", text);
    let watched = sandbox.run(&["outcomes", "-cp", &classes, "Watcher", "--states", "5000"]);
    assert_eq!(watched.code, 4, "{watched:?}");
    assert_has(&watched.out, &["exit 0", "1 outcome; there may be others"]);
}

#[test]
fn outcomes_are_for_java() {
    let sandbox = Sandbox::with(crate::models::TALK);
    refused(&sandbox, &["outcomes", "x.pml"], "for Promela use check");
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 0);
}

#[test]
fn the_api_comes_with_the_binary_and_runs_on_any_machine() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["java-api", "api"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_has(&run.out, &["allways-choose.jar", "Choose.java"]);
    let (jar, source) = (sandbox.0.join("api/allways-choose.jar"), sandbox.0.join("api/allways/Choose.java"));
    assert_eq!(
        std::fs::read_to_string(&source).expect("it was written"),
        std::fs::read_to_string(API).expect("it is there")
    );
    // The classes in the jar are those of the source.
    let compiled = sandbox.0.join("compiled");
    jdk("javac", |command| command.arg("-d").arg(&compiled).arg(&source));
    let shown = |path: &Path| {
        let output = Command::new("javap")
            .args(["-private", "-constants", "-c", "-cp"])
            .arg(path)
            .args(["allways.Choose", "allways.Choose$Plain", "allways.Choose$Rejected"])
            .output()
            .expect("javap is installed");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(shown(&jar), shown(&compiled));
    // A program runs with it, here and on a real machine.
    let program = sandbox.0.join("Coin.java");
    let text = "public class Coin { public static void main(String[] a) { System.out.println(allways.Choose.range(3, 4)); } }";
    std::fs::write(&program, text).expect("it can be written");
    jdk("javac", |command| command.arg("-cp").arg(&jar).arg("-d").arg(sandbox.0.join("coin")).arg(&program));
    let path = format!("{}:{}", sandbox.0.join("coin").display(), jar.display());
    let output = Command::new("java").args(["-cp", &path, "Coin"]).output().expect("java is installed");
    assert!(matches!(&*output.stdout, b"3\n" | b"4\n"), "{output:?}");
    let run = sandbox.run(&["outcomes", "-cp", &path, "Coin"]);
    assert_has(&run.out, &["| 3", "| 4", "2 outcomes; there are no others"]);
}

/// Compiles a program of one class and gives the directory.
pub(crate) fn compiled(sandbox: &Sandbox, name: &str, text: &str) -> String {
    let file = sandbox.0.join(format!("{name}.java"));
    std::fs::write(&file, text).expect("it can be written");
    let directory = sandbox.0.join("compiled");
    jdk("javac", |command| command.arg("-d").arg(&directory).arg(&file));
    directory.to_string_lossy().into_owned()
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
fn data_races_are_told_and_shown_on_request() {
    let sandbox = Sandbox::new();
    let told = run(&sandbox, "check", "Racer", &["--", "plain"]);
    assert_eq!(told.code, 0, "{told:?}");
    assert_has(
        &told.out,
        &["data race on Racer.plain: ", " at Racer.java:8", "sequentially\nconsistent runs"],
    );
    let shown = run(&sandbox, "check", "Racer", &["--races", "--", "plain"]);
    assert_eq!(shown.code, 1, "{shown:?}");
    assert_has(&shown.out, &["violated: Racer, data race on Racer.plain", "holding no lock\n    at Racer."]);
    let replay = sandbox.run(&["replay", "Racer.trace"]);
    assert!(replay.code == 0 && replay.out.contains("data race on Racer.plain"), "{replay:?}");
    let json = run(&sandbox, "check", "Racer", &["--json", "--races", "--", "plain"]);
    assert!(json.out.contains("\"kind\": \"race\""), "{json:?}");
    let half = run(&sandbox, "check", "Racer", &["--races", "--", "half"]);
    assert_eq!(half.code, 1, "{half:?}");
    assert_has(&half.out, &["holding Racer.class", "holding no lock"]);
    for mode in ["atomic", "monitor", "lock", "handed", "single"] {
        let calm = run(&sandbox, "check", "Racer", &["--races", "--", mode]);
        assert!(calm.code == 0 && !calm.out.contains("data race"), "{mode}: {calm:?}");
    }
    let args = ["check", "--races", "--no-reduce", "-cp", classes(), "Racer", "--", "plain"];
    refused(&sandbox, &args, "--races needs the reduction");
}

#[test]
fn a_heap_as_a_picture() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "check", "Deadlock", &[]).code, 1);
    let drawn = sandbox.run(&["replay", "Deadlock.trace", "--heap"]);
    assert_eq!(drawn.code, 0, "{drawn:?}");
    assert!(drawn.out.starts_with("digraph \"Deadlock\" {") && drawn.out.ends_with("}\n"), "{}", drawn.out);
    // Two threads, each with the monitor that the other one wants.
    assert_eq!(drawn.out.matches("monitor of Thread-").count(), 2, "{}", drawn.out);
    assert_eq!(drawn.out.matches("wants the monitor").count(), 2, "{}", drawn.out);
    sandbox.write("x.pml", "init { assert(false) }");
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 1);
    refused(&sandbox, &["replay", "x.pml.trace", "--heap"], "--heap is for Java programs");
}
