//! Properties of runs that never end: claims, formulas, progress, fairness.

use crate::Sandbox;

/// Two processes that take turns, and may both idle for ever.
const TURNS: &str = "\
byte turn;
bool idle;

active proctype ping()
{
    do
    :: turn == 0 -> turn = 1
    od
}

active proctype pong()
{
    do
    :: turn == 1 ->
progress: turn = 0
    :: idle = !idle
    od
}

ltl again { [] <> (turn == 0) }
ltl small { [] (turn < 2) }
never wrong { do :: true :: turn == 1 -> break od; accept: do :: turn == 1 od }
";

#[test]
fn a_formula_is_violated_by_a_lasso_that_replays() {
    let sandbox = Sandbox::with(TURNS);
    for extra in [&["--workers", "1"][..], &["--workers", "2"], &["--no-reduce"], &["--search", "ndfs"]] {
        let run = sandbox.run(&[&["check", "--claim", "again", "x.pml"], extra].concat());
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.out.contains("again is violated by a run that never ends"), "{}", run.out);
        assert!(run.out.contains("for ever:") && run.out.contains("and so on, from step "), "{}", run.out);
        let trace = sandbox.read("x.pml.trace");
        assert!(trace.contains("\nproperty claim again\n") && trace.contains("\ncycle "), "{trace}");
        let replay = sandbox.run(&["replay", "x.pml.trace"]);
        assert!(replay.code == 0 && replay.out.contains("and so on, from step "), "{replay:?}");
        let chart = sandbox.run(&["replay", "x.pml.trace", "--msc"]);
        assert!(chart.code == 0 && chart.out.contains("and so on, from step "), "{chart:?}");
    }
}

#[test]
fn the_search_that_fits() {
    let sandbox = Sandbox::with(TURNS);
    for (workers, claim, search) in [("1", "again", "scc"), ("2", "again", "map"), ("1", "small", "dfs")] {
        let run = sandbox.run(&["check", "--json", "--claim", claim, "--workers", workers, "x.pml"]);
        assert!(run.out.contains(&format!("\"search\": \"{search}\"")), "{run:?}");
    }
    for (search, workers) in [("scc", 1), ("ndfs", 1), ("cndfs", 2)] {
        let args = ["check", "--json", "--claim", "again", "--search", search, "--workers", "2", "x.pml"];
        let run = sandbox.run(&args);
        assert!(run.out.contains(&format!("\"workers\": {workers}")), "{run:?}");
    }
}

#[test]
fn a_lasso_can_be_shortened() {
    let sandbox = Sandbox::with(TURNS);
    let n_steps = |extra: &[&str]| {
        let args = [&["check", "--claim", "again", "--no-reduce", "--workers", "1", "x.pml"], extra].concat();
        assert_eq!(sandbox.run(&args).code, 1);
        assert_eq!(sandbox.run(&["replay", "x.pml.trace"]).code, 0);
        let trace = sandbox.read("x.pml.trace");
        let line = trace.lines().find(|line| line.starts_with("steps ")).unwrap().to_owned();
        line["steps ".len()..].parse::<u32>().unwrap()
    };
    // Ping looks and moves, the automaton sees it while pong idles; and then a cycle of two.
    assert_eq!(n_steps(&["--shortest"]), 5);
    assert!(n_steps(&[]) >= 5);
}

#[test]
fn a_cycle_that_is_none_is_a_corrupt_trace() {
    let sandbox = Sandbox::with(TURNS);
    assert_eq!(sandbox.run(&["check", "-q", "--claim", "again", "--workers", "1", "x.pml"]).code, 1);
    let trace = sandbox.read("x.pml.trace");
    let line = trace.lines().find(|line| line.starts_with("cycle ")).unwrap().to_owned();
    let start: usize = line["cycle ".len()..].parse().unwrap();
    for (wrong, says) in [(start + 100_000, "has no steps"), (0, "corrupt trace")] {
        if wrong != start {
            sandbox.write("bad.trace", trace.replace(&line, &format!("cycle {wrong}")));
            let run = sandbox.run(&["replay", "bad.trace"]);
            assert!(run.code == 2 && run.err.contains(says), "{run:?}");
        }
    }
    sandbox.write("bad.trace", trace.replace("violation acceptance-cycle", "violation assertion"));
    let run = sandbox.run(&["replay", "bad.trace"]);
    assert!(run.code == 2 && run.err.contains("and not in the assertion it promises"), "{run:?}");
    sandbox.write("bad.trace", trace.replace("property claim again", "property claim gone"));
    let run = sandbox.run(&["replay", "bad.trace"]);
    assert!(run.code == 2 && run.err.contains("no claim 'gone'"), "{run:?}");
}

#[test]
fn fairness_rules_out_idling() {
    let sandbox = Sandbox::with(TURNS);
    let verdict = |args: &[&str]| sandbox.run(&[&["check", "-q", "x.pml"], args].concat()).code;
    // A run in which `pong` idles for ever is weakly fair: it moves.
    assert_eq!(verdict(&["--claim", "again", "--fair"]), 1);
    // But one in which `ping` does not move although it could is not.
    assert_eq!(verdict(&["--ltl", "<> (turn == 1)"]), 1);
    assert_eq!(verdict(&["--ltl", "<> (turn == 1)", "--fair"]), 0);
    assert_eq!(verdict(&["--claim", "small"]), 0);
    assert_eq!(verdict(&["--claim", "wrong"]), 1);
}

/// The line of a verdict names the property, once.
#[test]
fn every_verdict_names_its_property() {
    let sandbox = Sandbox::with(TURNS);
    for (args, line) in [
        (&["--claim", "small"][..], "holds: x.pml: claim small, no violation in "),
        (&["--claim", "again"], "violated: x.pml: claim again, by a run that never ends\n"),
        (
            &["--claim", "again", "--fair"],
            "violated: x.pml: claim again (fair), by a fair run that never ends\n",
        ),
        (
            &["--ltl", "<> [] (turn == 1)"],
            "violated: x.pml: ltl <> [] (turn == 1), by a run that never ends\n",
        ),
        (&["--ltl", "[] (turn == 0)"], "violated: x.pml: ltl [] (turn == 0), whatever comes after\n"),
        (&["--progress"], "violated: x.pml: progress, a run goes on without end and without progress\n"),
        (&["--acceptance"], "holds: x.pml: acceptance, no violation in "),
        (&["--claim", "again", "--states", "2"], "bounded: x.pml: claim again, no violation found, but "),
    ] {
        let run = sandbox.run(&[&["check", "-q", "x.pml", "--workers", "1"], args].concat());
        assert!(run.out.starts_with(line), "{args:?}\n{}", run.out);
        assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    }
}

#[test]
fn progress_and_acceptance() {
    let sandbox = Sandbox::with(TURNS);
    let run = sandbox.run(&["check", "--progress", "x.pml"]);
    assert!(run.code == 1 && run.out.contains("goes on without end and without progress"), "{run:?}");
    let run = sandbox.run(&["check", "-q", "--acceptance", "x.pml"]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn formulas_of_the_command_line() {
    let sandbox = Sandbox::with(&format!("#define busy (turn == 1)\n{TURNS}"));
    let check = |formula: &str| sandbox.run(&["check", "-q", "--ltl", formula, "x.pml"]);
    assert_eq!(check("[] (busy || turn == 0)").code, 0);
    assert_eq!(check("always (turn == 0 || busy)").code, 0);
    assert_eq!(check("<> [] !busy").code, 1);
    let bad = check("[] (busy");
    assert!(bad.code == 2 && bad.err.contains("--ltl:1"), "{bad:?}");
    let unknown = check("[] nothing");
    assert!(unknown.code == 2 && unknown.err.contains("nothing"), "{unknown:?}");
    let next = sandbox.run(&["check", "--ltl", "X X (turn < 2)", "x.pml"]);
    assert!(next.code == 0 && next.err.contains("the property uses X and may count steps"), "{next:?}");
}

#[test]
fn conditions_that_can_fail_stand_beside_temporal_operators() {
    let sandbox = Sandbox::with(
        "chan c = [1] of { byte }; byte a[3] = 1; byte i = 9; bool y;\n\
         active proctype p() { byte n; y = 1; i = 2; c!1 }\n",
    );
    let check = |formula: &str| sandbox.run(&["check", "-q", "--ltl", formula, "x.pml"]).code;
    for (formula, code) in [
        ("(<> y) && len(c) == 0", 0),
        ("len(c) == 1 || [] !y", 1),
        ("<> (len(c) == 1 && [] y)", 0),
        ("<> (empty(c) && p[0]:n == 0 && <> full(c))", 0),
        // The index is in range wherever it is looked at.
        ("[] (i < 3 -> a[i] == 1)", 0),
        ("<> (i < 3 && (a[i] == 1 && <> y))", 0),
        ("<> (i < 3 && ([] y && a[i] == 2))", 1),
        ("[] (i >= 3 || (a[i] == 1 || <> !y))", 0),
        ("[] ((i < 3 <-> a[0] == 1) -> a[i] == 1)", 0),
    ] {
        assert_eq!(check(formula), code, "{formula}");
    }
    assert_eq!(check("[] (a[i] == 1)"), 1, "an index out of range is an error");
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let sandbox = Sandbox::with(TURNS);
    let run = sandbox.run(&["check", "--claim", "nope", "x.pml"]);
    assert!(run.code == 2 && run.err.contains("no claim 'nope'; it has: again, small, wrong"), "{run:?}");
    let run = sandbox.run(&["check", "--claim", "again", "--search", "bfs", "x.pml"]);
    assert!(run.code == 2 && run.err.contains("bfs finds no cycles"), "{run:?}");
    for search in ["scc", "map", "cndfs"] {
        let run =
            sandbox.run(&["check", "--claim", "again", "--store", "bitstate", "--search", search, "x.pml"]);
        assert!(run.code == 2 && run.err.contains("keeps no states"), "{run:?}");
    }
    let run = sandbox.run(&["check", "--claim", "again", "--progress", "x.pml"]);
    assert_eq!(run.code, 2, "{run:?}");
    for option in ["--races", "--random", "--jdk-locks", "--processors=2"] {
        let run = sandbox.run(&["check", option, "x.pml"]);
        assert!(run.code == 2 && run.err.contains("is for Java programs"), "{run:?}");
    }
    sandbox.write("y.pml", "byte x; active proctype p() { x = 1 }\nnever { x = 2 }\n");
    let run = sandbox.run(&["check", "--claim", "never_0", "y.pml"]);
    assert!(run.code == 3 && run.out.contains("`x = 2` in a never claim at y.pml:2"), "{run:?}");
}

#[test]
fn automata_come_and_go() {
    let sandbox = Sandbox::with(TURNS);
    let run = sandbox.run(&["automaton", "[] <> p", "--violations"]);
    assert!(run.code == 0 && run.out.starts_with("HOA: v1\n"), "{run:?}");
    sandbox.write("again.hoa", run.out.replace("\"p\"", "\"turn == 0 || turn > 7\""));
    let check = |args: &[&str]| sandbox.run(&[&["check", "-q", "x.pml"], args].concat());
    let run = check(&["--automaton", "again.hoa"]);
    assert!(run.code == 1 && run.out.contains("automaton again.hoa, a run"), "{run:?}");
    assert_eq!(sandbox.run(&["replay", "x.pml.trace"]).code, 0);
    // Wherever they are seen from, the automaton is the same and so is the run.
    sandbox.write("sub/keep", "");
    let mut there = sandbox.command(&["replay", "../x.pml.trace"]);
    assert_eq!(there.current_dir(sandbox.0.join("sub")).status().unwrap().code(), Some(0));
    sandbox.write("never.hoa", sandbox.read("again.hoa").replace("turn > 7", "turn < 7"));
    assert_eq!(check(&["--automaton", "never.hoa"]).code, 0);
    sandbox.write("bad.hoa", "HOA: v1\nStates: x\n");
    let run = check(&["--automaton", "bad.hoa"]);
    assert!(run.code == 2 && run.err.contains("bad.hoa"), "{run:?}");
    sandbox.write("unknown.hoa", sandbox.read("again.hoa").replace("turn > 7", "nothing"));
    let run = check(&["--automaton", "unknown.hoa"]);
    assert!(run.code == 2 && run.err.contains("propositions of unknown.hoa:2"), "{run:?}");
    assert!(run.err.contains("\n2 | (turn == 0 || nothing)\n"), "{run:?}");
    let run = sandbox.run(&["automaton", "<> p"]);
    sandbox.write("once.hoa", run.out.replace("\"p\"", "\"turn == 1\""));
    let run = check(&["--automaton", "once.hoa"]);
    assert!(
        run.code == 1
            && run.out.contains("automaton once.hoa, the run is accepted by it, whatever comes after"),
        "{run:?}"
    );
    // A proposition is about one state, and stands for itself alone.
    for wrong in [
        "[] (turn < 7)",
        "<> (turn == 0)",
        "X (turn == 0)",
        "turn == 0) || (true",
        "turn == 1) && (turn == 0",
    ] {
        sandbox.write("wrong.hoa", sandbox.read("again.hoa").replace("turn == 0 || turn > 7", wrong));
        let run = check(&["--automaton", "wrong.hoa"]);
        assert!(run.code == 2 && run.err.contains("no condition on states"), "{wrong}: {run:?}");
    }
    let claim = sandbox.run(&["automaton", "[] <> p", "--violations", "--format", "never"]);
    assert!(claim.out.starts_with("never"), "{claim:?}");
    let bad = sandbox.run(&["automaton", "[] ("]);
    assert!(bad.code == 2 && bad.err.contains("the formula"), "{bad:?}");
}

#[test]
fn lossy_stores_find_cycles_and_never_hold() {
    let sandbox = Sandbox::with(
        "byte k, n; active proctype p() { do :: k = 1 - k :: n < 9 -> n++ :: n > 0 -> n-- od }\n\
         ltl good { [] (k < 2) }\nltl bad { [] <> (n == 0) }\nltl later { [] <> (k < 2) }\n",
    );
    for args in [
        ["--store", "bitstate"].as_slice(),
        &["--store", "bitstate", "--swarm", "--bits", "20"],
        &["--store", "hashcompact"],
    ] {
        // All properties are checked, and nothing is said to hold.
        let all = [["check", "x.pml", "-q", "--all-errors"].as_slice(), args].concat();
        let run = sandbox.run(&all);
        let verdicts: Vec<&str> = run.out.lines().map(|line| line.split_once(':').unwrap().0).collect();
        assert_eq!(
            (run.code, verdicts.as_slice()),
            (1, ["bounded", "bounded", "violated", "bounded"].as_slice())
        );
        assert!(
            run.out.lines().filter(|line| line.contains("the store is lossy")).count() >= 3,
            "{}",
            run.out
        );
        let run = sandbox.run(&[["check", "x.pml", "--claim", "bad"].as_slice(), args].concat());
        assert!(run.code == 1 && run.out.contains("ndfs, "), "{run:?}");
        assert!(!run.out.contains("order reduction") && !run.out.contains("+order"), "{}", run.out);
        let replay = sandbox.run(&["replay", "x.pml.trace"]);
        assert!(replay.code == 0 && replay.out.contains("never ends"), "{replay:?}");
    }
}
