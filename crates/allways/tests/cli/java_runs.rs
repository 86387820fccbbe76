//! Single runs of Java programs: traces that are replayed, wherever their classes are and unless these have
//! changed; simulations, graphs, and the heap as a picture.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

use crate::Sandbox;
use crate::java::{EXAMPLES, assert_has, copy_class, jdk, refused, run};

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
    refused(&sandbox, &["replay", "Deadlock.class.trace"], "Deadlock.class has changed");
}

/// What is checked does not depend on where it is and by which name it is called.
#[test]
fn a_directory_of_classes_has_no_name() {
    let sandbox = Sandbox::new();
    copy_class(&sandbox, "Deadlock.class", "one/Deadlock.class");
    copy_class(&sandbox, "Deadlock.class", "two/other/Deadlock.class");
    let digest = |directory: &str, class_path: &str| {
        let mut check = sandbox.command(&["check", "--json", "-cp", class_path, "Deadlock"]);
        let output = check.current_dir(sandbox.0.join(directory)).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().find(|line| line.contains("spec_digest")).expect("it is there").to_owned()
    };
    let first = digest(".", "one");
    let absolute = sandbox.0.join("two/other");
    for (directory, class_path) in [("one", "."), ("two", "other/"), (".", absolute.to_str().unwrap())] {
        assert_eq!(digest(directory, class_path), first, "{class_path} in {directory}");
    }
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

#[test]
fn a_heap_as_a_picture() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "check", "Deadlock", &[]).code, 1);
    let drawn = sandbox.run(&["replay", "Deadlock.trace", "--heap=dot"]);
    assert_eq!(drawn.code, 0, "{drawn:?}");
    assert!(drawn.out.starts_with("digraph \"Deadlock\" {") && drawn.out.ends_with("}\n"), "{}", drawn.out);
    // Two threads, each with the monitor that the other one wants.
    assert_eq!(drawn.out.matches("monitor of Thread-").count(), 2, "{}", drawn.out);
    assert_eq!(drawn.out.matches("wants the monitor").count(), 2, "{}", drawn.out);
    sandbox.write("x.pml", "init { assert(false) }");
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 1);
    refused(
        &sandbox,
        &["replay", "x.pml.trace", "--heap"],
        "--heap is for Java programs and for models with pointers",
    );
}
