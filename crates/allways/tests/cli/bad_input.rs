//! What is not a model, not a trace, or not a command line: exit code 2, and a line that says why.

use crate::Sandbox;
use crate::models::{RACE, TALK};

fn refused(sandbox: &Sandbox, args: &[&str], says: &str) {
    let run = sandbox.run(args);
    assert_eq!(run.code, 2, "{args:?} {run:?}");
    assert_eq!(run.out, "", "{args:?}");
    assert!(run.err.contains(says), "{args:?}: {says}\n{}", run.err);
}

#[test]
fn files_that_are_no_models() {
    let sandbox = Sandbox::with(TALK);
    sandbox.write("empty.pml", "");
    sandbox.write("blank.pml", " \n\t\n");
    sandbox.write("binary.pml", b"\x7fELF\x00\x01\xff");
    sandbox.write("x.txt", "byte x = 1; inline f() { x = 2 }\n");
    sandbox.write("talk.txt", TALK);
    sandbox.write("dir.pml/y", "");
    for command in ["check", "simulate", "graph"] {
        refused(&sandbox, &[command, "missing.pml"], "cannot read missing.pml: No such file");
        refused(&sandbox, &[command, "empty.pml"], "empty.pml is empty");
        refused(&sandbox, &[command, "blank.pml"], "blank.pml is empty");
        refused(&sandbox, &[command, "binary.pml"], "binary.pml is not a text file");
        refused(&sandbox, &[command, "dir.pml"], "dir.pml is a directory");
        refused(&sandbox, &[command, "x.txt"], "say --language promela");
    }
    assert_eq!(sandbox.run(&["check", "-q", "--language", "promela", "talk.txt"]).code, 0);
}

#[test]
fn syntax_errors_are_shown_with_their_line() {
    let sandbox = Sandbox::with("active proctype p()\n{\n    x = 1;\n    y =\n}\n");
    let run = sandbox.run(&["check", "x.pml"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
    assert!(
        run.err.contains("x.pml:") && run.err.contains('^') && run.err.contains("error: x.pml has "),
        "{}",
        run.err
    );
    assert!(!run.err.contains('\x1b'));
    let run = sandbox.run(&["check", "--json", "x.pml"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
}

#[test]
fn wrong_usage() {
    let sandbox = Sandbox::with(TALK);
    refused(&sandbox, &["check"], "MODEL");
    refused(&sandbox, &["frobnicate"], "frobnicate");
    refused(&sandbox, &["check", "x.pml", "--memory", "much"], "such as 512M or 4G");
    refused(&sandbox, &["check", "x.pml", "--time", "-3"], "--time");
    refused(&sandbox, &["check", "x.pml", "--workers", "0"], "--workers");
    refused(&sandbox, &["check", "x.pml", "--depth", "0"], "--depth");
    refused(&sandbox, &["check", "x.pml", "--search", "sideways"], "dfs, bfs");
    refused(&sandbox, &["simulate"], "MODEL");
    refused(&sandbox, &["simulate", "x.pml", "--seed", "x"], "--seed");
}

#[test]
fn help_and_version() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["--version"]);
    assert_eq!((run.code, run.out.trim()), (0, concat!("allways ", env!("CARGO_PKG_VERSION"))));
    let run = sandbox.run(&["--help"]);
    assert!(run.code == 0 && run.out.contains("Examples:") && run.out.contains("Exit codes:"), "{}", run.out);
    for command in ["check", "certify", "replay", "simulate", "graph"] {
        let run = sandbox.run(&[command, "--help"]);
        assert!(run.code == 0 && run.out.contains("Usage: allways"), "{run:?}");
        assert!(run.out.lines().all(|line| line.chars().count() <= 120), "{}", run.out);
    }
}

#[test]
fn traces_that_are_none() {
    let sandbox = Sandbox::with(RACE);
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 1);
    let good = sandbox.read("x.pml.trace");
    let refuse = |text: String, says: &str| {
        assert_ne!(text, good, "{says}");
        sandbox.write("bad.trace", text);
        refused(&sandbox, &["replay", "bad.trace"], says);
        refused(&sandbox, &["simulate", "--trace", "bad.trace"], says);
    };
    refuse(String::new(), "not a trace file");
    refuse(TALK.into(), "not a trace file");
    refuse(good.replace("trace 2", "trace 1"), "this is a trace of format version 1");
    refuse(good.replace("spec 1", "spec 9"), "the specification has version 9");
    refuse(good.replace("end\n", ""), "cut short");
    refuse(good[..good.len() / 2].into(), "trace");
    refuse(
        good.replace("at model x.pml", "at model gone.pml"),
        "the model gone.pml of this trace is not there",
    );
    refuse(good.replace("violation assertion", "violation deadlock"), "do not end in the deadlock");
    refuse(good.replace("condition=\"", "condition=\"1 || "), "do not end in the assertion");
    refuse(good.replace("language promela", "language promela\ndefine N=3"), "in another order");
    refuse(good.replace("property safety", "property progress"), "its steps belong to a state space");
    refuse(good.replace("digest ", "digest x"), "is not a digest");
    let digest = good.lines().find(|line| line.starts_with("digest")).unwrap();
    refuse(
        good.replace(digest, &format!("digest {}", "0".repeat(32))),
        "its steps belong to a state space with digest 0000",
    );
    let steps = good.find("\nsteps ").unwrap();
    let first = steps + good[steps + 1..].find('\n').unwrap() + 2;
    let mut other = good.clone();
    other.insert_str(first, "9999");
    refuse(other, "step 1 of the path is not possible");
    refused(&sandbox, &["replay", "missing.trace"], "missing.trace: No such file");
    refused(&sandbox, &["replay", "x.pml"], "not a trace file");
}

#[test]
fn a_changed_model_is_noticed() {
    let sandbox = Sandbox::with(RACE);
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 1);
    sandbox.write("x.pml", RACE.replace("t + 1", "t + 2"));
    refused(&sandbox, &["replay", "x.pml.trace"], "x.pml has changed");
    // Not even a blank may change: places in the source would be others.
    sandbox.write("x.pml", format!("{RACE} "));
    refused(&sandbox, &["replay", "x.pml.trace"], "x.pml has changed");
    sandbox.write("x.pml", "this is no model");
    refused(&sandbox, &["simulate", "--trace", "x.pml.trace"], "x.pml has changed");
}

/// What a trace says in words is for people who read the file: a replay shows what it meets.
#[test]
fn an_edited_message_is_not_shown() {
    let sandbox = Sandbox::with(RACE);
    assert_eq!(sandbox.run(&["check", "-q", "x.pml"]).code, 1);
    let trace = sandbox.read("x.pml.trace");
    let line = trace.lines().find(|line| line.starts_with("message ")).expect("it has a message");
    sandbox.write("x.pml.trace", trace.replace(line, "message all is well"));
    let run = sandbox.run(&["replay", "x.pml.trace"]);
    assert_eq!(run.code, 0, "{run:?}");
    let shown = line.strip_prefix("message ").expect("it begins so");
    assert!(run.out.contains(shown) && !run.out.contains("all is well"), "{}", run.out);
}
