//! Java programs that are none, that cannot be run, or that have no end: what the command line says.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{assert_has, classes, compiled, jdk, refused, run};
use serde_json::Value;
use std::path::Path;

#[test]
fn what_is_no_program() {
    let sandbox = Sandbox::new();
    sandbox.write("x.java", "class X {}\n");
    sandbox.write("text.class", "not a class\n");
    sandbox.write("empty.class", "");
    let whole = std::fs::read(Path::new(classes()).join("Deadlock.class")).unwrap();
    sandbox.write("cut/Deadlock.class", &whole[..whole.len() / 2]);
    for command in ["check", "outcomes", "simulate", "graph"] {
        refused(&sandbox, &[command, "-cp", classes(), "Missing"], "class Missing is not on the class path");
        refused(
            &sandbox,
            &[command, "-cp", classes(), "NoMain"],
            "class NoMain has no method public static void main",
        );
        refused(
            &sandbox,
            &[command, "-cp", classes(), "HiddenMain"],
            "the main method of HiddenMain is not public",
        );
        refused(&sandbox, &[command, "x.java"], "is Java source: compile it");
        refused(&sandbox, &[command, "text.class"], "text.class");
        refused(&sandbox, &[command, "empty.class"], "empty.class");
        refused(&sandbox, &[command, "missing.class"], "missing.class");
        refused(&sandbox, &[command, "cut/Deadlock.class"], "cut/Deadlock.class");
        refused(&sandbox, &[command, "-cp", "cut", "Deadlock"], "Deadlock");
        refused(&sandbox, &[command, "-cp", "nowhere", "Deadlock"], "nowhere");
        refused(
            &sandbox,
            &[command, "-cp", classes(), "Deadlock", "--jdk", "/nonexistent"],
            "/nonexistent is no JDK",
        );
    }
    refused(&sandbox, &["check", "-cp", classes(), "Deadlock", "--symmetry"], "--symmetry is for Promela");
    refused(
        &sandbox,
        &["outcomes", "-cp", classes(), "Deadlock", "--store", "bitstate"],
        "does not keep every state",
    );
}

/// What the machine cannot do ends the search with its name and place: it never becomes an exception of the
/// program, which the program might catch.
#[test]
fn unsupported_is_said_with_its_place() {
    let sandbox = Sandbox::new();
    for (main, says) in [("Reader", "reading the file /proc/self/status"), ("Caller", "the network (")] {
        let text = run(&sandbox, "check", main, &[]);
        assert_eq!(text.code, 3, "{main} {text:?}");
        assert_has(&text.out, &["unsupported: ", says, &format!("{main}.java:")]);
        assert!(!text.out.contains("holds"), "{}", text.out);
        let outcomes = run(&sandbox, "outcomes", main, &[]);
        assert_eq!(outcomes.code, 3, "{main} {outcomes:?}");
        assert_has(&outcomes.out, &["unsupported: ", says, "0 outcomes; there may be others"]);
        let json = run(&sandbox, "outcomes", main, &["--json"]);
        let object: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!((json.code, &object["verdict"]), (3, &Value::from("unsupported")));
        assert!(object["unsupported"].as_str().unwrap().contains(says), "{object}");
        let json = run(&sandbox, "check", main, &["--json"]);
        let object: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!((json.code, &object["verdict"]), (3, &Value::from("unsupported")));
        assert_eq!(object["unsupported"][0]["location"]["file"], format!("{main}.java"));
    }
    let progress = run(&sandbox, "check", "Deadlock", &["--progress"]);
    assert_eq!(progress.code, 3, "{progress:?}");
}

#[test]
fn limits_leave_the_question_open() {
    let sandbox = Sandbox::new();
    let check = run(&sandbox, "check", "Philosophers", &["--states", "5", "--", "ok"]);
    assert_eq!(check.code, 4, "{check:?}");
    let outcomes = run(&sandbox, "outcomes", "Philosophers", &["--states", "5", "--", "ok"]);
    assert_eq!(outcomes.code, 4, "{outcomes:?}");
    assert_has(&outcomes.out, &["there may be others"]);
}

#[test]
fn a_jdk_that_cannot_be_used() {
    let sandbox = Sandbox::new();
    let classes = classes();
    std::fs::create_dir_all(sandbox.0.join("torn/lib")).expect("it can be made");
    refused(&sandbox, &["check", "-cp", classes, "Greeter", "--jdk", "nowhere"], "nowhere is no JDK");
    for (bytes, says) in [
        (&b""[..], "it ends within its header"),
        (
            &b"no image of a class library, but long enough to be the head of one"[..],
            "is no class library of a JDK",
        ),
    ] {
        std::fs::write(sandbox.0.join("torn/lib/modules"), bytes).expect("it can be written");
        refused(&sandbox, &["check", "-cp", classes, "Greeter", "--jdk", "torn"], says);
    }
}

#[test]
fn programs_without_bounds() {
    let sandbox = Sandbox::new();
    let check = |name: &str, body: &str, args: &[&str]| {
        let text = format!(
            "public class {name} {{ Object next; static int f(int n) {{ return f(n + 1) + 1; }} static volatile int n;\n{body} }}"
        );
        let classes = compiled(&sandbox, name, &text);
        let mut all = vec!["check", "-cp", &classes, name];
        all.extend_from_slice(args);
        let run = sandbox.run(&all);
        (run.code, run.out.clone())
    };
    let main = |body: &str| format!("public static void main(String[] args) throws Exception {{ {body} }}");
    let (code, out) = check("Deep", &main("f(0);"), &[]);
    assert_eq!(code, 1, "{out}");
    assert_has(&out, &["java.lang.StackOverflowError"]);
    let (code, out) =
        check("Caught", &main("try { f(0); } catch (StackOverflowError e) { n = 1; } assert n == 1;"), &[]);
    assert_eq!(code, 0, "{out}");
    let (code, out) =
        check("Vast", &main("long[][] grid = new long[100_000][100_000]; n = grid.length;"), &[]);
    assert_eq!(code, 3, "{out}");
    assert_has(&out, &["unsupported: Vast: safety, more than 256 MiB of objects"]);
    let list = "Growing last = null; while (true) { Growing it = new Growing(); it.next = last; last = it; }";
    let (code, out) = check("Growing", &main(list), &["--time", "3"]);
    assert_eq!(code, 4, "{out}");
    assert_has(&out, &["time limit"]);
    let (code, out) = check("Endless", &main("while (true) { }"), &[]);
    assert_eq!(code, 0, "{out}");
    let (code, out) = check("Counting", &main("long k = 0; while (true) k++;"), &["--time", "2"]);
    assert_eq!(code, 4, "{out}");
    let many = "for (int i = 0; i < 1000; i++) new Thread(() -> n = 1).start();";
    let (code, out) = check("Crowd", &main(many), &["--time", "3"]);
    assert_eq!(code, 4, "{out}");
    assert_has(&out, &["time limit"]);
}

#[test]
fn missing_and_damaged_classes() {
    let sandbox = Sandbox::new();
    let body = "public class Needy { static class Gone { } public static void main(String[] args) {
        try { new Gone(); } catch (NoClassDefFoundError e) { System.out.println(\"no \" + e.getMessage()); } } }";
    let classes = compiled(&sandbox, "Needy", body);
    std::fs::remove_file(Path::new(&classes).join("Needy$Gone.class")).expect("javac wrote it");
    let run = sandbox.run(&["outcomes", "-cp", &classes, "Needy"]);
    assert_has(&run.out, &["| no Needy$Gone", "1 outcome; there are no others"]);
    let jar = sandbox.0.join("whole.jar");
    jdk("jar", |command| {
        command.arg("--create").arg("--file").arg(&jar).args(["--main-class", "Needy", "-C", &classes, "."])
    });
    let bytes = std::fs::read(&jar).expect("it was made");
    for len in [0, 1, 100, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(sandbox.0.join("cut.jar"), &bytes[..len]).expect("it can be written");
        refused(&sandbox, &["check", "cut.jar"], "is no jar file");
    }
}

/// As `java` does it: what is named on a class path need not be there, if something else is.
#[test]
fn missing_entries_of_a_class_path() {
    let sandbox = Sandbox::new();
    let path = format!("no/such/directory:{}:none.jar", classes());
    let run = sandbox.run(&["check", "-q", "-cp", &path, "Deadlock"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_has(
        &run.err,
        &["no/such/directory on the class path does not exist", "none.jar on the class path"],
    );
    refused(&sandbox, &["check", "-cp", "no/such/directory", "Deadlock"], "cannot read no/such/directory");
}
