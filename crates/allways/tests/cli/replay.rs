//! `allways replay`: the same counterexample again, as steps and as charts.

use crate::Sandbox;
use crate::models::{DEADLOCK, RACE, TALK};

/// `TALK` with an assertion that fails at the end.
fn failing_talk() -> String {
    TALK.replace("printf(\"got %d\\n\", x)", "printf(\"got %d\\n\", x);\n    assert(x == 8)")
}

fn checked(model: &str) -> Sandbox {
    let sandbox = Sandbox::with(model);
    let run = sandbox.run(&["check", "-q", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    sandbox
}

#[test]
fn the_steps_are_those_of_the_check() {
    for model in [RACE, DEADLOCK] {
        let sandbox = Sandbox::with(model);
        let check = sandbox.run(&["check", "x.pml"]).out;
        let replay = sandbox.run(&["replay", "x.pml.trace"]);
        assert_eq!(replay.code, 0, "{replay:?}");
        let body = |text: &str| text.lines().skip(1).map(str::to_string).collect::<Vec<_>>();
        let (check, replay) = (body(&check), body(&replay.out));
        assert!(replay.len() > 5);
        assert_eq!(check[..replay.len()], replay[..]);
    }
}

#[test]
fn the_model_is_found_beside_the_trace() {
    let sandbox = Sandbox::new();
    sandbox.write("dir/x.pml", RACE);
    let mut check = sandbox.command(&["check", "-q", "x.pml"]);
    assert_eq!(check.current_dir(sandbox.0.join("dir")).status().unwrap().code(), Some(1));
    assert_eq!(sandbox.run(&["replay", "dir/x.pml.trace"]).code, 0);
    std::fs::rename(sandbox.0.join("dir/x.pml"), sandbox.0.join("moved.pml")).unwrap();
    assert_eq!(sandbox.run(&["replay", "dir/x.pml.trace"]).code, 2);
    assert_eq!(sandbox.run(&["replay", "dir/x.pml.trace", "--model", "moved.pml"]).code, 0);
}

#[test]
fn a_chart_as_text() {
    let sandbox = checked(&failing_talk());
    let run = sandbox.run(&["replay", "x.pml.trace", "--msc"]);
    assert_eq!(run.code, 0, "{run:?}");
    let out = &run.out;
    assert!(out.lines().next().unwrap().contains("client(0)"), "{out}");
    for part in ["●╌ req!ask,7", "req?ask,7 @1", "ack!reply,7", "\"got 7\"", "◀"] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(out.lines().last().unwrap().contains("assert"), "{out}");
}

#[test]
fn a_chart_as_svg() {
    let sandbox = checked(&failing_talk());
    let run = sandbox.run(&["replay", "x.pml.trace", "--msc", "svg"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.out.starts_with("<svg xmlns=") && run.out.ends_with("</svg>\n"));
    let written = sandbox.run(&["replay", "x.pml.trace", "-o", "chart.svg"]);
    assert_eq!((written.code, written.out.as_str()), (0, ""));
    assert_eq!(sandbox.read("chart.svg"), run.out);
    assert_well_formed(&run.out);
    assert_eq!(sandbox.run(&["replay", "x.pml.trace", "--msc", "-o", "no/dir/chart"]).code, 2);
}

/// Tags nest, attributes are quoted, and every `&` begins an entity.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag is closed");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        for entity in text.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|name| entity.starts_with(name)), "{text}");
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn long_runs_are_whole_in_a_replay_and_elided_in_a_check() {
    let sandbox = Sandbox::with("init { int i; do :: i < 500 -> i++ :: else -> break od; assert(false) }\n");
    let check = sandbox.run(&["check", "--no-reduce", "x.pml"]).out;
    assert!(check.contains("steps left out, --full shows them"), "{check}");
    assert!(check.lines().count() < 120);
    let full = sandbox.run(&["check", "--no-reduce", "--full", "x.pml"]).out;
    let replay = sandbox.run(&["replay", "x.pml.trace"]).out;
    for text in [full, replay] {
        assert!(text.lines().count() > 1000 && text.contains("i: 250 -> 251"));
    }
}

/// Each reduction has states and steps of its own, and its traces are replayed with them.
#[test]
fn traces_of_every_reduction_replay() {
    let sandbox = Sandbox::with(RACE);
    for reduce in ["all", "none", "dead", "merge", "order", "dead,merge", "order+merge"] {
        let run = sandbox.run(&["check", "x.pml", "--reduce", reduce]);
        assert_eq!(run.code, 1, "{reduce}: {run:?}");
        let run = sandbox.run(&["replay", "x.pml.trace"]);
        assert_eq!(run.code, 0, "{reduce}: {run:?}");
    }
}

#[test]
fn who_waits_for_whom_is_for_java() {
    let sandbox = checked(DEADLOCK);
    let run = sandbox.run(&["replay", "x.pml.trace", "--waits"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
    assert!(run.err.contains("known of Java programs only"), "{run:?}");
    assert_eq!(sandbox.run(&["replay", "x.pml.trace", "--waits", "--msc"]).code, 2);
}
