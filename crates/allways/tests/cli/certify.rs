//! `check --certificate` and `certify`: what a producer hands over, and what a certifier finds in it.

use crate::Sandbox;
use crate::java;
use std::fs;

const LOCK: &str = "bit lock; byte inside;
active [2] proctype user() {
    do
    :: atomic { lock == 0; lock = 1 }
       inside++;
       assert(inside == 1);
       inside--;
       lock = 0
    od
}
";

#[test]
fn a_certificate_is_accepted_elsewhere() {
    let producer = Sandbox::with(LOCK);
    let run = producer.run(&["check", "x.pml", "--certificate", "x.cert"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("certificate of") && run.out.contains("bfs"), "{run:?}");
    assert_eq!(fs::read_dir(&producer.0).unwrap().count(), 2, "nothing else is left");
    let certifier = Sandbox::with(LOCK);
    fs::copy(producer.0.join("x.cert"), certifier.0.join("x.cert")).unwrap();
    let run = certifier.run(&["certify", "x.cert", "x.pml"]);
    assert_eq!(run.code, 0, "{run:?}");
    for part in
        ["property safety", "file x.pml", "the whole graph", "below 2^-", "accepted: the property holds"]
    {
        assert!(run.out.contains(part), "{part}: {run:?}");
    }
    let run = certifier.run(&["certify", "x.cert", "x.pml", "--exact", "-q"]);
    assert_eq!((run.code, run.out.as_str()), (0, "accepted: the property holds\n"));
    let native = "native code: it takes the same steps as the interpreter";
    assert!(certifier.run(&["certify", "x.cert", "x.pml"]).out.contains(native));
    let run = certifier.run(&["certify", "x.cert", "x.pml", "--reference"]);
    assert!(run.code == 0 && !run.out.contains(native), "{run:?}");

    // One line of the program changes.
    certifier.write("x.pml", LOCK.replace("lock = 0\n", "lock = 1\n"));
    let run = certifier.run(&["certify", "x.cert", "x.pml"]);
    assert_eq!(run.code, 5, "{run:?}");
    assert!(run.out.contains(" is reached by\n    1  user x.pml:"), "{run:?}");
    assert!(
        run.out.contains("x.pml has changed") && run.out.contains("no longer fits at block 1, state"),
        "{run:?}"
    );
}

#[test]
fn a_violation_is_certified_too() {
    let sandbox = Sandbox::with(&LOCK.replace("atomic { lock == 0; lock = 1 }", "lock == 0; lock = 1;"));
    let run = sandbox.run(&["check", "x.pml", "--certificate", "x.cert"]);
    assert_eq!(run.code, 1, "{run:?}");
    let run = sandbox.run(&["certify", "x.cert", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("assertion violated: inside == 1 at x.pml:6, after"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--certificate", "x.cert", "--all-errors"]);
    assert_eq!(run.code, 1, "{run:?}");
    let run = sandbox.run(&["certify", "x.cert", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("the whole graph") && run.out.contains("violated: inside == 1"), "{run:?}");
}

#[test]
fn options_are_part_of_the_question() {
    let sandbox = Sandbox::with(LOCK);
    assert_eq!(sandbox.run(&["check", "x.pml", "-DN=1", "--certificate", "x.cert"]).code, 0);
    let run = sandbox.run(&["certify", "x.cert", "x.pml"]);
    assert_eq!(run.code, 5, "{run:?}");
    assert!(run.out.contains("`define N=1`, which was not asked for"), "{run:?}");
    assert_eq!(sandbox.run(&["certify", "x.cert", "x.pml", "-DN=1"]).code, 0);
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "-DN=1", "--ltl", "[] (inside <= 1)"]);
    assert_eq!(run.code, 5, "{run:?}");
    assert_eq!(sandbox.run(&["check", "x.pml", "--no-reduce", "--certificate", "x.cert"]).code, 0);
    assert_eq!(sandbox.run(&["certify", "x.cert", "x.pml"]).code, 5);
    assert_eq!(sandbox.run(&["certify", "x.cert", "x.pml", "--no-reduce"]).code, 0);
}

#[test]
fn what_cannot_be_certified_says_so() {
    let sandbox = Sandbox::with(LOCK);
    for (args, why) in [
        (["--search", "walk"], "walks keep no states"),
        (["--store", "hashcompact"], "may lose states"),
        (["--depth", "3"], "--depth"),
    ] {
        let run = sandbox.run(&[&["check", "x.pml", "--certificate", "x.cert"], &args[..]].concat());
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(why), "{run:?}");
        assert!(!sandbox.exists("x.cert"));
    }
    // The verdict stands, although there is no certificate.
    let whole = "byte x; active proctype p() { do :: x < 255 -> x++ :: x = 0 od }";
    sandbox.write("y.pml", whole);
    let args = ["--ltl", "[] <> (x < 300)", "--search", "map", "--workers", "2", "--memory", "64k"];
    let run = sandbox.run(&[&["check", "y.pml", "--certificate", "y.cert"], &args[..]].concat());
    assert_eq!(run.code, 4, "{run:?}");
    assert_ne!(sandbox.exists("y.cert"), run.err.contains("no certificate was written"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--certificate", "x.pml"]);
    assert!(run.code == 2 && run.err.contains("is not a certificate, so it was left alone"), "{run:?}");
    assert_eq!(sandbox.read("x.pml"), LOCK);
    let run = sandbox.run(&["certify", "x.pml", "x.pml"]);
    assert!(run.code == 5 && run.out.contains("does not begin as a certificate"), "{run:?}");
    let run = sandbox.run(&["certify", "y.cert", "x.pml"]);
    assert!(run.code == 2 && run.err.contains("cannot read y.cert"), "{run:?}");
    // An error of the model is shown as `check` shows it.
    assert_eq!(sandbox.run(&["check", "x.pml", "--certificate", "x.cert"]).code, 0);
    for (text, code) in [("x", 2), ("active proctype p() { c_code { x = 1; } }", 3)] {
        sandbox.write("z.pml", text);
        let (certified, checked) =
            (sandbox.run(&["certify", "x.cert", "z.pml"]), sandbox.run(&["check", "z.pml"]));
        assert_eq!((certified.code, checked.code), (code, code), "{certified:?}");
        assert_eq!(certified.err.lines().next(), checked.err.lines().next());
    }
}

#[test]
fn what_a_limit_left_is_a_partial_certificate() {
    let sandbox = Sandbox::with(LOCK);
    let run = sandbox.run(&["check", "x.pml", "--no-reduce", "--certificate", "x.cert", "--states", "5"]);
    assert_eq!(run.code, 4, "{run:?}");
    assert!(run.err.contains("a part of the graph"), "{run:?}");
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "--no-reduce", "--counts"]);
    assert_eq!(run.code, 4, "{run:?}");
    for part in [
        "of the states are not expanded",
        "no two of the states",
        "an estimate of how much that is: ",
        "accepted: partial",
    ] {
        assert!(run.out.contains(part), "{part}: {run:?}");
    }
    // In tasks too.
    let certify = |more: &[&str]| {
        sandbox.run(&[&["certify", "x.cert", "x.pml", "--no-reduce", "--secret", "x.secret"], more].concat())
    };
    assert_eq!(certify(&["--partition", "2"]).code, 0);
    for task in ["1", "2"] {
        let result = format!("{task}.result");
        assert_eq!(certify(&["--task", &format!("{task}/2"), "--result", &result]).code, 0);
    }
    let run = certify(&["--merge", "1.result", "2.result"]);
    assert!(run.code == 4 && run.out.contains("accepted: partial"), "{run:?}");
    assert!(
        run.out.contains("of the states are not expanded") && !run.out.contains("whole graph"),
        "{run:?}"
    );
}

/// How much a partial certificate covers is estimated by both sides.
#[test]
fn a_part_is_estimated_by_both_sides() {
    let sandbox = Sandbox::with(
        "byte x, y, z;
active proctype a() { do :: x < 31 -> x++ :: else -> break od }
active proctype b() { do :: y < 31 -> y++ :: else -> break od }
active proctype c() { do :: z < 31 -> z++ :: else -> break od }
",
    );
    let check = ["check", "x.pml", "--no-reduce", "--certificate", "x.cert", "--states", "8000"];
    assert_eq!(sandbox.run(&check).code, 4);
    for more in [&[][..], &["--workers", "3"], &["--exact"]] {
        let run = sandbox.run(&[&["certify", "x.cert", "x.pml", "--no-reduce"], more].concat());
        assert_eq!(run.code, 4, "{run:?}");
        let bound = |words: &str| {
            let line = run.out.lines().find_map(|line| line.split(words).nth(1));
            line.and_then(|rest| {
                rest.strip_prefix("probably at most ")?.split(' ').next()?.parse::<f64>().ok()
            })
        };
        let (own, claim) = (bound("an estimate of how much that is: "), bound("the producer estimates: "));
        let near =
            own.zip(claim).is_some_and(|(own, claim)| own > 1.0 && own < 90.0 && (own - claim).abs() < 10.0);
        assert!(near, "{run:?}");
    }
}

/// Interchangeable processes are not told apart by the certifier either, which says that it trusts that.
#[test]
fn a_symmetric_graph_is_certified() {
    let sandbox = Sandbox::with(&LOCK.replace("[2]", "[4]"));
    for more in [&[][..], &["--no-reduce"]] {
        let check = [&["check", "x.pml", "--certificate", "x.cert", "--symmetry"], more].concat();
        let run = sandbox.run(&check);
        assert!(run.code == 0 && run.err.contains("certificate of"), "{run:?}");
        let run = sandbox.run(&["certify", "x.cert", "x.pml"]);
        assert_eq!(run.code, if more.is_empty() { 0 } else { 5 }, "{run:?}");
        let run = sandbox.run(&[&["certify", "x.cert", "x.pml"], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.out.contains("symmetry: processes of one type are interchangeable (user)"), "{run:?}");
    }
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "--no-reduce", "--invariant", "inside < 2"]);
    assert!(run.code == 2 && run.err.contains("reduced (symmetry)"), "{run:?}");
}

#[test]
fn a_violated_formula_has_a_certificate() {
    let sandbox = Sandbox::with(LOCK);
    let formula = ["--ltl", "<> [] (inside == 1)"];
    let run = sandbox.run(&[&["check", "x.pml", "--certificate", "x.cert"], &formula[..]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let run = sandbox.run(&[&["certify", "x.cert", "x.pml"], &formula[..]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("is violated by a run that never ends"), "{run:?}");
}

/// Evidence that no run goes wrong without end, of several searches, with fairness and without.
#[test]
fn a_formula_that_holds_has_a_certificate() {
    let sandbox = Sandbox::with(LOCK);
    let formula = ["--ltl", "[] (inside < 2)"];
    let all: [&[&str]; 4] =
        [&[], &["--fair"], &["--search", "ndfs", "--no-reduce"], &["--search", "map", "--workers", "2"]];
    for args in all {
        let check = [&["check", "x.pml", "--certificate", "x.cert"], &formula[..], args].concat();
        let run = sandbox.run(&check);
        assert!(run.code == 0 && run.err.contains("certificate of"), "{run:?}");
        let own: Vec<&str> =
            args.iter().copied().filter(|arg| ["--fair", "--no-reduce"].contains(arg)).collect();
        let run = sandbox.run(&[&["certify", "x.cert", "x.pml"], &formula[..], &own].concat());
        assert!(run.code == 0 && run.out.contains("accepted: the property holds"), "{run:?}");
        // It is evidence for this property alone.
        assert_eq!(sandbox.run(&["certify", "x.cert", "x.pml"]).code, 5);
    }
}

/// Every search and number of threads writes the same file where no reduction depends on the order.
#[test]
fn certificates_of_all_searches_are_the_same() {
    let sandbox = Sandbox::with(LOCK);
    assert_eq!(sandbox.run(&["check", "x.pml", "--no-reduce", "--certificate", "x.cert"]).code, 0);
    let first = fs::read(sandbox.0.join("x.cert")).unwrap();
    for args in [["--search", "dfs"], ["--workers", "3"], ["--search", "switches"]] {
        let check = [&["check", "x.pml", "--no-reduce", "--certificate", "y.cert"], &args[..]].concat();
        assert_eq!(sandbox.run(&check).code, 0);
        assert_eq!(fs::read(sandbox.0.join("y.cert")).unwrap(), first, "{args:?}");
    }
}

#[test]
fn java_programs_are_certified() {
    let sandbox = Sandbox::new();
    let classes = ["-cp", java::classes()];
    let cases = [
        (&["Philosophers", "--", "ok"][..], 0),
        (&["Philosophers", "--", "broken"], 1),
        (&["AccountTransfer"], 0),
        (&["Handoff"], 1),
        (&["Turnstile", "--no-reduce"], 0),
        (&["Turnstile", "--invariant", "Turnstile.inside <= 99"], 0),
    ];
    for args in [["--search", "dfs", "--workers", "1"], ["--search", "bfs", "--workers", "3"]] {
        let check = [&["check", "--certificate", "x.cert", "AccountTransfer"], &classes[..], &args].concat();
        let run = sandbox.run(&check);
        assert!(run.code == 0 && run.err.contains("certificate of"), "{run:?}");
        let run = sandbox.run(&[&["certify", "x.cert", "AccountTransfer"], &classes[..]].concat());
        assert_eq!(run.code, 0, "{run:?}");
    }
    for (args, code) in cases {
        let check = [&["check", "--certificate", "x.cert"], &classes[..], args].concat();
        let run = sandbox.run(&check);
        assert_eq!(run.code, code, "{args:?} {run:?}");
        let certify = [&["certify", "x.cert"], &classes[..], args].concat();
        let run = sandbox.run(&certify);
        assert_eq!(run.code, code, "{args:?} {run:?}");
        let exact = [&["certify", "x.cert", "--exact", "--workers", "2"], &classes[..], args].concat();
        assert_eq!(sandbox.run(&exact).code, code, "{args:?}");
    }
    let run = sandbox.run(&[&["certify", "x.cert", "--reference"], &classes[..], cases[5].0].concat());
    assert!(run.code == 2 && run.err.contains("--reference is for Promela"), "{run:?}");
    // Other arguments are another question.
    let run = sandbox.run(&[&["certify", "x.cert"], &classes[..], &["Turnstile"]].concat());
    assert!(run.code == 5 && run.out.contains("invariant"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn links_stay_and_nothing_is_left_behind() {
    let sandbox = Sandbox::with(LOCK);
    std::os::unix::fs::symlink("x.cert", sandbox.0.join("link.cert")).unwrap();
    assert_eq!(sandbox.run(&["check", "x.pml", "--certificate", "x.cert"]).code, 0);
    assert_eq!(sandbox.run(&["check", "x.pml", "--certificate", "link.cert"]).code, 0);
    assert!(fs::symlink_metadata(sandbox.0.join("link.cert")).unwrap().is_symlink());
    // A result that cannot be written has its own exit code, and the verdict is there.
    let run = sandbox.run(&["check", "x.pml", "--certificate", "/dev/null/x.cert"]);
    assert_eq!(run.code, 74, "{run:?}");
    assert_eq!(run.err.matches("cannot write").count(), 1, "it is said once: {run:?}");

    let endless = "int x; active proctype p() { atomic { do :: x < 300000000 -> x++ :: else -> break od } }";
    sandbox.write("long.pml", endless);
    let run = sandbox.run(&["check", "long.pml", "--time", "0.5", "--certificate", "long.cert"]);
    assert!(run.code == 4 && run.err.contains("no certificate was written"), "{run:?}");
    let mut names: Vec<_> =
        fs::read_dir(&sandbox.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["link.cert", "long.pml", "x.cert", "x.pml"]);
}

#[test]
fn tasks_on_several_machines_are_merged() {
    let sandbox = Sandbox::with(LOCK);
    sandbox.run(&["check", "x.pml", "--certificate", "x.cert", "--no-reduce", "--keys"]);
    let certify = |more: &[&str]| {
        sandbox.run(&[&["certify", "x.cert", "x.pml", "--no-reduce", "--secret", "x.secret"], more].concat())
    };
    for trustful in [&[][..], &["--trustful"]] {
        let _ = fs::remove_file(sandbox.0.join("x.secret"));
        let run = certify(&[&["--partition", "2"], trustful].concat());
        assert!(run.code == 0 && run.out.contains("the largest task has"), "{run:?}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(sandbox.0.join("x.secret")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "nobody else reads it");
        }
        let run = certify(&["--partition", "2"]);
        assert_eq!(run.code, 74, "a secret is not overwritten: {run:?}");
        for task in ["1", "2"] {
            let result = format!("{task}.result");
            let run = certify(&[&["--task", &format!("{task}/2"), "--result", &result], trustful].concat());
            assert!(run.code == 0 && run.err.contains("result written to"), "{run:?}");
        }
        let run = certify(&[&["--merge", "1.result", "2.result"], trustful].concat());
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(run.out.contains("accepted: the property holds"), trustful.is_empty(), "{run:?}");
        assert_eq!(run.out.contains("that there are no others is trusted"), !trustful.is_empty(), "{run:?}");
        let run = certify(&[&["--merge", "1.result"], trustful].concat());
        assert!(run.code == 5 && run.out.contains("task 2 of 2 is missing"), "{run:?}");
    }
    let run = certify(&["--task", "2/3", "--result", "3.result"]);
    assert!(run.code == 2 && run.err.contains("2 tasks, not of 3"), "{run:?}");
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "--no-reduce", "--partition", "2"]);
    assert!(run.code == 2 && run.err.contains("--secret"), "{run:?}");
}

#[test]
fn trustful_certification_says_what_it_trusts() {
    let sandbox = Sandbox::with(LOCK);
    sandbox.run(&["check", "x.pml", "--certificate", "x.cert"]);
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "--cut", "x.tree"]);
    assert!(run.code == 0 && run.err.contains("states were expanded for the keys"), "{run:?}");
    for (file, how) in [("x.tree", "taken alone"), ("x.cert", "the script has no keys")] {
        let run = sandbox.run(&["certify", file, "x.pml", "--trustful"]);
        assert!(run.code == 0 && run.out.contains(how) && run.out.contains("  the producer: "), "{run:?}");
        assert!(run.out.contains("that there are no others is trusted"), "{run:?}");
        assert!(!run.out.contains("the property holds"), "{run:?}");
    }
    let run = sandbox.run(&["certify", "x.tree", "x.pml"]);
    assert!(run.code == 2 && run.err.contains("--trustful"), "{run:?}");
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "--cut", "x.pml"]);
    assert!(run.code == 2 && run.err.contains("another file"), "{run:?}");
    sandbox.write("x.pml", LOCK.replace("inside--;", "skip;"));
    let run = sandbox.run(&["certify", "x.tree", "x.pml", "--trustful"]);
    assert!(run.code == 5 && run.out.contains("x.pml has changed"), "{run:?}");
}

/// More than the producer checked.
#[test]
fn conditions_that_nobody_checked_are_certified() {
    let sandbox = Sandbox::with(LOCK);
    sandbox.run(&["check", "x.pml", "--certificate", "x.cert", "--no-reduce", "--keys"]);
    let also = |condition: &str, more: &[&str]| {
        sandbox
            .run(&[&["certify", "x.cert", "x.pml", "--no-reduce", "--invariant", condition], more].concat())
    };
    for more in [&[][..], &["--workers", "2"], &["--reference"], &["--exact"], &["--trustful"]] {
        let run = also("inside <= 1 && (inside == 0 || lock)", more);
        assert!(run.code == 0 && run.out.contains("also asked in every state"), "{more:?} {run:?}");
        let run = also("!(lock && inside == 1)", more);
        assert!(run.code == 1 && run.out.contains("(lock && inside == 1) does not hold"), "{more:?} {run:?}");
        let run = also("inside == 1 -> X (lock == 1)", more);
        match more {
            ["--trustful"] => assert!(run.code == 2 && run.err.contains("--trustful"), "{run:?}"),
            _ => assert_eq!(run.code, 0, "{more:?} {run:?}"),
        }
    }
    for (condition, code) in [
        ("inside == 1 -> next(lock) == 1", 0),
        ("next(inside) == 1 -> inside == 0", 1),
        ("next(inside) == 1 -> lock", 0),
        ("inside == 1 -> next(inside + 1) == 2", 1),
        ("inside == 1 -> next(inside) == 1 || next(inside) == 0", 0),
    ] {
        assert_eq!(also(condition, &[]).code, code, "{condition}");
    }
    let run = also("next(inside) <= inside + 1", &[]);
    assert!(run.code == 2 && run.err.contains("compares two states with each other"), "{run:?}");
    let run = also("inside == 1 -> X (inside == 1)", &[]);
    assert!(run.code == 1 && run.out.contains("does not hold in a step"), "{run:?}");
    for (condition, why) in
        [("<> (inside == 1)", "more than a state"), ("X X (inside == 1)", "more than a state")]
    {
        let run = also(condition, &[]);
        assert!(run.code == 2 && run.err.contains(why), "{run:?}");
    }
    assert_eq!(also("nothing == 1", &[]).code, 2);
    // Two conditions at once.
    let run = also("inside <= 1", &["--invariant", "lock == 0"]);
    assert!(run.code == 1 && run.out.contains("lock == 0 does not hold"), "{run:?}");
    assert!(!run.out.contains("inside <= 1 does not hold"), "{run:?}");
    // A reduced graph may lack the states in which it fails.
    sandbox.run(&["check", "x.pml", "--certificate", "x.cert"]);
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "--invariant", "inside <= 1"]);
    assert!(run.code == 2 && run.err.contains("reduced (dead,merge,order)"), "{run:?}");
    assert!(run.err.contains("reads `inside`, which the producer did not observe"), "{run:?}");
}

/// A variable that the producer observed is kept by all reductions.
#[test]
fn conditions_on_observed_variables_need_no_full_graph() {
    let sandbox = Sandbox::with(LOCK);
    let run = sandbox.run(&["check", "x.pml", "--observe", "inside", "--certificate", "x.cert"]);
    assert_eq!(run.code, 0, "{run:?}");
    let certify = |more: &[&str]| sandbox.run(&[&["certify", "x.cert", "x.pml"], more].concat());
    let run = certify(&[]);
    assert!(run.code == 0 && run.out.contains("observe inside"), "{run:?}");
    assert_eq!(certify(&["--observe", "inside"]).code, 0);
    let run = certify(&["--observe", "lock"]);
    assert!(run.code == 5 && run.out.contains("observe lock"), "{run:?}");
    for (condition, code) in [("inside <= 1", 0), ("inside == 0", 1), ("inside < 3", 0)] {
        for more in [&[][..], &["--workers", "2"], &["--reference", "--exact"]] {
            let run = certify(&[&["--invariant", condition], more].concat());
            assert_eq!(run.code, code, "{condition} {run:?}");
        }
    }
    for (condition, why) in [
        ("lock == 0 || inside < 2", "reads `lock`"),
        ("_nr_pr == 2", "what processes do"),
        ("inside == 1 -> X (inside == 0)", "consecutive states"),
    ] {
        let run = certify(&["--invariant", condition]);
        assert!(run.code == 2 && run.err.contains(why), "{condition} {run:?}");
    }
    // Writes to a variable that nothing reads are omitted, and must be for the certifier too.
    sandbox.write("y.pml", "byte x, y; active proctype p() { x = 1; y = 1 }");
    let run = sandbox.run(&["check", "y.pml", "--observe", "x", "--certificate", "y.cert"]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = sandbox.run(&["certify", "y.cert", "y.pml", "--invariant", "x < 9"]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--observe", "outside"]);
    assert!(run.code == 2 && run.err.contains("no global variable `outside`"), "{run:?}");
    let run = certify(&["--races"]);
    assert!(run.code == 2 && run.err.contains("--races is for Java"), "{run:?}");
}

#[test]
fn conditions_on_java_programs_are_certified() {
    let sandbox = Sandbox::new();
    let options = ["-cp", java::classes(), "--no-reduce"];
    let run = sandbox
        .run(&[&["check", "LostUpdate", "--certificate", "l.cert", "--all-errors"], &options[..]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let certify = |condition: &str| {
        sandbox.run(&[&["certify", "l.cert", "LostUpdate", "--invariant", condition], &options[..]].concat())
    };
    let is_broken = |out: &str| out.contains("invariant") && out.contains("counter");
    let held = certify("LostUpdate.counter <= 2");
    assert!(held.code == 1, "the program's own assertion fails: {held:?}");
    assert!(!held.out.contains("invariant LostUpdate"), "{held:?}");
    let failed = certify("LostUpdate.counter <= 1");
    assert!(failed.code == 1 && is_broken(&failed.out), "{failed:?}");
    let steps = certify("LostUpdate.counter == 1 -> X (LostUpdate.counter >= 1)");
    assert!(steps.code == 1 && !steps.out.contains("in a step"), "{steps:?}");
    let steps = certify("LostUpdate.counter == 1 -> next(LostUpdate.counter) >= 1");
    assert!(steps.code == 1 && !steps.out.contains("in a step"), "{steps:?}");
    let steps = certify("next(LostUpdate.counter) >= LostUpdate.counter");
    assert!(steps.code == 2 && steps.err.contains("compares two states"), "{steps:?}");

    // The same of a reduced graph whose producer observed the field.
    let options = ["-cp", java::classes()];
    for (observed, why) in
        [(&[][..], Some("reads `Turnstile.inside`")), (&["--observe", "Turnstile.inside"], None)]
    {
        let check = [&["check", "Turnstile", "--certificate", "t.cert"], &options[..], observed].concat();
        assert_eq!(sandbox.run(&check).code, 0);
        for (condition, code) in [("Turnstile.inside <= 99", 0), ("Turnstile.inside < 1", 1)] {
            let certify = ["certify", "t.cert", "Turnstile", "--invariant", condition];
            let run = sandbox.run(&[&certify, &options[..]].concat());
            assert_eq!(run.code, if why.is_some() { 2 } else { code }, "{run:?}");
            assert!(why.is_none_or(|why| run.err.contains(why)), "{run:?}");
        }
    }
}

/// A certifier that requires a signature gives no verdict without it.
#[test]
fn certificates_are_signed_and_attested() {
    let sandbox = Sandbox::with(LOCK);
    sandbox.write("secret.key", "07".repeat(32));
    sandbox.write("other.key", "08".repeat(32));
    let run = sandbox.run(&["check", "x.pml", "--certificate", "x.cert", "--sign", "secret.key"]);
    assert!(run.code == 0 && run.err.contains("signed in x.cert.intoto.json"), "{run:?}");
    // The public key of that secret key, as OpenSSL computes it.
    let public = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c";
    sandbox.write("public.key", public);
    sandbox.write("foreign.key", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    let certify = |more: &[&str]| sandbox.run(&[&["certify", "x.cert", "x.pml"], more].concat());
    let run = certify(&["--key", "public.key"]);
    assert!(run.code == 0 && run.out.contains("signed by key "), "{run:?}");
    for (key, code) in [("public.key", 0), ("foreign.key", 5)] {
        let run = certify(&["--key", key, "--partition", "2", "--secret", "x.secret"]);
        assert_eq!(run.code, code, "{run:?}");
    }
    let run = certify(&["--key", "foreign.key"]);
    assert!(run.code == 5 && run.out.contains("no signature in the envelope is that of the key"), "{run:?}");
    let run = certify(&["--key", "x.pml"]);
    assert!(run.code == 2 && run.err.contains("no Ed25519 public key"), "{run:?}");

    // The certifier's own attestation; it is about this certificate too.
    let run = certify(&["--sign", "other.key", "--attest", "x.json"]);
    assert!(run.code == 0 && run.err.contains("attestation written to x.json"), "{run:?}");
    let envelope: serde_json::Value = serde_json::from_str(&sandbox.read("x.json")).unwrap();
    assert_eq!(envelope["payloadType"], "application/vnd.in-toto+json");
    let run = certify(&["--sign", "other.key", "--attest", "x.pml"]);
    assert!(run.code == 2 && sandbox.read("x.pml") == LOCK, "{run:?}");

    // Another certificate, or no envelope.
    assert_eq!(sandbox.run(&["check", "x.pml", "--certificate", "x.cert", "--no-reduce"]).code, 0);
    let run = certify(&["--no-reduce", "--key", "public.key"]);
    assert!(run.code == 5 && run.out.contains("is about another certificate"), "{run:?}");
    fs::remove_file(sandbox.0.join("x.cert.intoto.json")).unwrap();
    let run = certify(&["--no-reduce", "--key", "public.key"]);
    assert!(run.code == 5 && run.out.contains("cannot read x.cert.intoto.json"), "{run:?}");
    let run = sandbox.run(&["check", "x.pml", "--certificate", "x.cert", "--sign", "nothing.key"]);
    assert!(run.code == 2 && run.err.contains("cannot read the key nothing.key"), "{run:?}");
}

/// Not every time of the clock is explored: that is listed whoever certifies, tasks included.
#[test]
fn a_merge_lists_what_a_java_program_asked_its_surroundings() {
    let sandbox = Sandbox::new();
    let source = "public class Clock {
    static int x;
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> x++);
        t.start();
        if (System.currentTimeMillis() < 0) x = 2;
        t.join();
    }
}
";
    let classes = java::compiled(&sandbox, "Clock", source);
    sandbox.run(&["check", "-cp", &classes, "Clock", "--certificate", "c.cert"]);
    let certify =
        |more: &[&str]| sandbox.run(&[&["certify", "c.cert", "Clock", "-cp", &classes], more].concat());
    let alone = certify(&[]);
    assert_eq!(alone.code, 0, "{alone:?}");
    let asked = alone.out.lines().find(|line| line.contains("reads the clock")).expect("it is listed");
    assert_eq!(certify(&["--partition", "2", "--secret", "c.secret"]).code, 0);
    for task in ["1", "2"] {
        let result = format!("{task}.result");
        let run = certify(&["--secret", "c.secret", "--task", &format!("{task}/2"), "--result", &result]);
        assert_eq!(run.code, 0, "{run:?}");
    }
    let merged = certify(&["--secret", "c.secret", "--merge", "1.result", "2.result"]);
    assert!(merged.code == 0 && merged.out.contains(asked), "{merged:?}");
}

/// What a program reads is part of what the certificate is about.
#[test]
fn files_that_a_java_program_reads_are_recorded() {
    let sandbox = Sandbox::new();
    let source = "import java.io.*;
public class Reads {
    static volatile int x;
    public static void main(String[] args) throws Exception {
        int n;
        try (BufferedReader in = new BufferedReader(new FileReader(\"limit.txt\"))) {
            n = Integer.parseInt(in.readLine());
        }
        Thread t = new Thread(() -> x = 1);
        t.start();
        x = 2;
        t.join();
        assert x <= n;
    }
}
";
    sandbox.write("limit.txt", "2\n");
    let classes = java::compiled(&sandbox, "Reads", source);
    let run = sandbox.run(&["check", "-cp", &classes, "Reads", "--certificate", "r.cert"]);
    assert!(run.code == 0 && run.err.contains("certificate of"), "{run:?}");
    let run = sandbox.run(&["certify", "r.cert", "Reads", "-cp", &classes]);
    assert!(run.code == 0 && run.out.contains("read by the program: limit.txt"), "{run:?}");
    // A larger bound changes no step, and still it is another program.
    for limit in ["3\n", "1\n"] {
        sandbox.write("limit.txt", limit);
        let run = sandbox.run(&["certify", "r.cert", "Reads", "-cp", &classes]);
        assert_eq!(run.code, 5, "{run:?}");
        assert!(run.out.contains("limit.txt, which the program reads, has changed"), "{run:?}");
    }
}
