//! `allways simulate` and `allways graph`.

use crate::Sandbox;
use crate::models::{DEADLOCK, EMBEDDED_C, ENDLESS, RACE, TALK};

#[test]
fn a_seed_is_a_run() {
    let sandbox = Sandbox::with(RACE);
    let run = |seed: &str| sandbox.run(&["simulate", "x.pml", "--seed", seed]);
    let runs: Vec<String> = (0..20).map(|seed| run(&seed.to_string()).out).collect();
    assert_eq!(run("3").out, runs[3]);
    assert!(runs.iter().any(|out| out.contains("terminated after")), "{}", runs[0]);
    assert!(
        runs.iter().any(|out| out.contains("assert") && out.contains("state in which the assertion fails"))
    );
    assert!(runs[3].ends_with("(--seed 3)\n"), "{}", runs[3]);
    // A failed assertion is the end of a run, never passed over.
    assert!(runs.iter().all(|out| out.contains("terminated") == out.contains("n: 1 -> 2")));
    let codes: Vec<i32> = (0..20).map(|seed| run(&seed.to_string()).code).collect();
    assert!(codes.contains(&0) && codes.contains(&1));
}

#[test]
fn quiet_shows_what_the_program_prints() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run(&["simulate", "-q", "x.pml"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "got 7\n", ""));
    let run = sandbox.run(&["simulate", "x.pml"]);
    assert!(run.out.contains("prints \"got 7\\n\""), "{}", run.out);
}

#[test]
fn a_deadlock_ends_a_run() {
    let sandbox = Sandbox::with(DEADLOCK);
    let run = sandbox.run(&["simulate", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("waits at x.pml:8"), "{}", run.out);
    let run = sandbox.run(&["simulate", "-q", "x.pml"]);
    assert!(run.code == 1 && run.out.is_empty() && run.err.contains("after 0 steps"), "{run:?}");
}

#[test]
fn an_endless_run_stops_when_told() {
    let sandbox = Sandbox::with(ENDLESS);
    let run = sandbox.run(&["simulate", "x.pml", "--steps", "50"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("stopped after 50 steps"), "{}", run.out);
}

#[test]
fn a_run_can_be_saved_and_followed() {
    let sandbox = Sandbox::with(RACE);
    let saved = sandbox.run(&["simulate", "x.pml", "--seed", "5", "--save", "run.trace"]);
    let followed = sandbox.run(&["simulate", "--trace", "run.trace"]);
    assert_eq!(followed.code, saved.code);
    let body = |text: &str| text.rsplit_once("\n\n").unwrap().0.to_string();
    assert_eq!(body(&followed.out), body(&saved.out));
    assert_eq!(sandbox.run(&["replay", "run.trace"]).code, 0);
}

#[test]
fn by_hand() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run_with(&["simulate", "-i", "x.pml"], "1\nv\n\n?\nb\n1\nr 99\n");
    assert_eq!(run.code, 0, "{run:?}");
    for part in [
        "  1  client(0)  x.pml:8  req!ask(7)  req: [] -> [ask,7]\n",
        "1> ",
        "x = 0",
        "NUMBER",
        "the program has terminated",
        "end of input",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    let run = sandbox.run_with(&["simulate", "-i", "x.pml"], "q\n");
    assert_eq!(run.code, 0);
    sandbox.write("d.pml", DEADLOCK);
    let run = sandbox.run_with(&["simulate", "-i", "d.pml"], "");
    assert!(run.code == 0 && run.out.contains("nothing can happen"), "{run:?}");
}

#[test]
fn a_run_by_hand_can_be_saved() {
    let sandbox = Sandbox::with(RACE);
    let run = sandbox.run_with(&["simulate", "-i", "x.pml", "--save", "hand.trace"], "1\n1\nb\n2\nq\n");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(sandbox.read("hand.trace").contains("\nsteps 2\n"));
    let run = sandbox.run_with(&["simulate", "-i", "--trace", "hand.trace"], "v\n");
    assert!(run.out.contains("step 2: ") && run.out.contains("add(2)"), "{}", run.out);
    sandbox.write("d.pml", DEADLOCK);
    assert_eq!(sandbox.run_with(&["simulate", "-i", "d.pml", "--save", "d.trace"], "").code, 0);
    let run = sandbox.run(&["replay", "d.trace"]);
    assert!(run.code == 0 && run.out.contains("waits at d.pml:8"), "{run:?}");
}

#[test]
fn a_run_as_a_chart() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run(&["simulate", "x.pml", "--seed", "1", "--msc"]);
    assert!(run.code == 0 && run.out.contains("●╌ req!ask,7") && run.out.contains('┴'), "{}", run.out);
    let run = sandbox.run_with(&["simulate", "-i", "x.pml", "--msc", "svg", "-o", "c.svg"], "r 99\nq\n");
    assert!(run.code == 0 && sandbox.read("c.svg").contains("req!ask,7"), "{run:?}");
}

#[test]
fn what_is_unsupported_is_said() {
    let sandbox = Sandbox::with(EMBEDDED_C);
    for command in ["simulate", "graph"] {
        let run = sandbox.run(&[command, "x.pml"]);
        assert!(run.code == 3 && run.err.contains("unsupported: "), "{run:?}");
    }
}

#[test]
fn a_graph() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run(&["graph", "x.pml"]);
    assert!(
        run.code == 0 && run.out.starts_with("digraph \"x.pml\" {") && run.out.ends_with("}\n"),
        "{run:?}"
    );
    assert!(run.out.contains("client(0) req!ask(7)"), "{}", run.out);
    sandbox.write("e.pml", ENDLESS);
    let run = sandbox.run(&["graph", "e.pml", "--states", "5", "-o", "e.dot"]);
    assert!(run.code == 4 && run.err.contains("--states N draws more"), "{run:?}");
    assert!(sandbox.read("e.dot").contains("style=dashed"));
}
