//! `allways check`: verdicts, what is printed, and what is written.

use crate::models::{CLAIMS, DEADLOCK, EMBEDDED_C, ENDLESS, RACE, TALK, TWO_ERRORS};
use crate::{Sandbox, finish};
use std::process::Stdio;

#[test]
fn a_correct_model_holds() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run(&["check", "x.pml"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.err, "");
    assert!(run.out.contains("\n  errors       0\n"), "{}", run.out);
    let last = run.out.lines().last().unwrap();
    assert!(last.starts_with("holds: x.pml: safety, no violation in any of its "), "{last}");
    assert!(!sandbox.exists("x.pml.trace"));
    assert!(!run.out.contains('\x1b'));
}

#[test]
fn speed_is_explained() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run(&["check", "--explain-speed", "x.pml"]);
    assert_eq!(run.code, 0, "{run:?}");
    for part in [
        "speed\n  loading ",
        "- expanding ",
        "- storing ",
        "vectors ",
        "hint           the search was too short",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    assert!(!sandbox.run(&["check", "x.pml"]).out.contains("expanding"));
}

/// Three processes that cannot be told apart, and a lock that does not lock.
const ALIKE: &str = "byte in, owner = 255;
active [3] proctype P() { do
  :: owner == 255 -> owner = _pid; in++; assert(in == 1); in--; owner = 255
od }
";

#[test]
fn interchangeable_processes_are_not_told_apart() {
    let sandbox = Sandbox::with(ALIKE);
    let states = |args: &[&str]| {
        let all = ["check", "--json", "--all-errors", "--no-reduce", "x.pml"];
        let run = sandbox.run(&[&all, args].concat());
        assert_eq!(run.code, 1, "{run:?}");
        let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        (object["states"].as_u64().unwrap(), object["reduction"].as_str().unwrap().to_owned())
    };
    let (plain, symmetric) = (states(&[]), states(&["--symmetry"]));
    assert!(2 * symmetric.0 < plain.0, "{symmetric:?} {plain:?}");
    assert_eq!((plain.1.as_str(), symmetric.1.as_str()), ("none", "symmetry"));
    // The counterexample is a run of the program itself.
    let run = sandbox.run(&["check", "--symmetry", "--explain-speed", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("processes of one type are interchangeable: P"), "{}", run.out);
    assert_eq!(sandbox.run(&["replay", "x.pml.trace"]).code, 0);
}

#[test]
fn a_failed_assertion_is_shown_step_by_step() {
    let sandbox = Sandbox::with(RACE);
    let run = sandbox.run(&["check", "--search", "bfs", "--workers", "1", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    let out = &run.out;
    assert!(out.starts_with("counterexample: "), "{out}");
    for part in [
        "x.pml:12  run add()",
        "starts add(1)",
        "t = n",
        "n: 0 -> 1",
        "assert(",
        "\nstate in which the assertion fails\n  n = 1\n",
        "written to x.pml.trace; see it again with: allways replay x.pml.trace\n",
        "the search stopped at the first one; --all-errors goes on",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert!(out.lines().last().unwrap().starts_with("violated: x.pml:15: safety, "), "{out}");
    assert!(sandbox.read("x.pml.trace").starts_with("allways trace 2\nallways spec 1\nlanguage promela\n"));
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let sandbox = Sandbox::with(DEADLOCK);
    let run = sandbox.run(&["check", "--no-reduce", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    let line = |start: &str| run.out.lines().find(|line| line.trim_start().starts_with(start)).unwrap_or("");
    assert!(line("left(0)").contains("waits at x.pml:8") && line("left(0)").contains("a?got"), "{}", run.out);
    assert!(line("right(1)").contains("waits at x.pml:14"), "{}", run.out);
    assert!(
        line("idle(2)").contains("rests at") && line("idle(2)").ends_with("(may end here)"),
        "{}",
        run.out
    );
    assert!(run.out.contains("\n      got = 5\n"), "{}", run.out);
}

/// Reductions reset `a` and `t`, which are never read, and let both assignments be one step.
#[test]
fn values_are_those_of_the_program() {
    let sandbox = Sandbox::with("byte a[3]; active proctype p() { byte t; a[1] = 7; t = 5; assert(false) }");
    let run = sandbox.run(&["check", "x.pml", "--junit", "x.xml"]);
    assert_eq!(run.code, 1, "{run:?}");
    let expected = "\
counterexample: assertion violated: 0 at x.pml:1, 1 step
  1  p(0)  x.pml:1  a[1] = 7   a[1]: 0 -> 7
     p(0)  x.pml:1  t = 5      t: 0 -> 5
     p(0)  x.pml:1  assert(0)

state in which the assertion fails
  a[0] = 0
  a[1] = 7
  a[2] = 0
  p(0)  at x.pml:1  assert(0)
      t = 5
";
    assert!(run.out.starts_with(expected), "{}", run.out);
    assert!(sandbox.read("x.xml").contains("a[1] = 7\n  a[2] = 0\n"));
    let steps = expected.split_once('\n').expect("it has lines").1;
    for args in [["replay", "x.pml.trace"].as_slice(), &["simulate", "--trace", "x.pml.trace"]] {
        let run = sandbox.run(args);
        assert!(run.out.contains(steps), "{args:?}\n{}", run.out);
    }
    let json = sandbox.run(&["replay", "--json", "x.pml.trace"]).out;
    let json: String = json.split_whitespace().collect();
    assert!(
        json.contains(r#""name":"a[1]","value":"7""#) && json.contains(r#""name":"t","value":"5""#),
        "{json}"
    );
}

/// A long state begins with what the last steps changed and counts what is as in the beginning; nothing is
/// lost for good.
#[test]
fn a_long_state_is_about_what_changed() {
    let globals: String = (0..30).map(|k| format!("byte g{k}; ")).collect();
    let model = format!(
        "{globals}byte a[50]; chan q = [2] of {{ byte }};\n\
         active proctype p() {{ g3 = 1; a[7] = 2; g4 = 1; g5 = 1; g6 = 1; g7 = 1; q!5; a[9] = 4; assert(false) }}\n"
    );
    let sandbox = Sandbox::with(&model);
    let run = sandbox.run(&["check", "--no-reduce", "x.pml"]);
    let state = "\n  changed in the last steps:\n    g6 = 1\n    g7 = 1\n    a[9] = 4\n    q = channel 1 [5]\n  the others:\n    \
                 g3 = 1\n    g4 = 1\n    g5 = 1\n    a[7] = 2\n    \
                 and 73 more with their initial values; --full shows them\n  p(0)";
    assert!(run.out.contains(state), "{}", run.out);
    for args in [&["check", "--no-reduce", "--full", "x.pml"][..], &["replay", "x.pml.trace"]] {
        let full = sandbox.run(args).out;
        for part in ["    g29 = 0\n", "    a[0..6] = 0\n", "    a[10..49] = 0\n", "    a[8] = 0\n"] {
            assert!(full.contains(part) && !full.contains("more with"), "{part}\n{full}");
        }
    }
    let json = sandbox.run(&["replay", "--json", "x.pml.trace"]).out;
    let object: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(object["variables"].as_array().unwrap().len(), 81);
    let folded = sandbox.run(&["simulate", "x.pml"]).out;
    assert!(folded.contains("and 73 more with their initial values; --full shows them\n"), "{folded}");
    assert!(!sandbox.run(&["simulate", "--full", "x.pml"]).out.contains("more with"));
}

/// The whole output for one model, but for the figures of the search, which are not ours.
#[test]
fn the_whole_output() {
    let sandbox = Sandbox::with(RACE);
    let run = sandbox.run(&["check", "--search", "bfs", "--workers", "1", "x.pml"]);
    let measured = |line: &str| {
        ["time ", "memory ", "states ", "transitions ", "depth "]
            .iter()
            .any(|word| line.trim_start().starts_with(word))
    };
    let shown: Vec<&str> = run.out.lines().filter(|line| !measured(line)).collect();
    let expected = "\
counterexample: assertion violated: n == 2 at x.pml:15, 10 steps
   1  init(0)  x.pml:12  run add()       starts add(1) (t = 0)
   2  add(1)   x.pml:6   t = n
   3  init(0)  x.pml:13  run add()       starts add(2) (t = 0)
   4  add(2)   x.pml:6   t = n
   5  add(2)   x.pml:7   n = t + 1       n: 0 -> 1
   6  add(2)   x.pml:8   -end-
   7  add(1)   x.pml:7   n = t + 1
   8  add(1)   x.pml:8   -end-
   9  init(0)  x.pml:14  _nr_pr == 1
  10  init(0)  x.pml:15  assert(n == 2)

state in which the assertion fails
  n = 1
  init(0)  at x.pml:15  assert(n == 2)

written to x.pml.trace; see it again with: allways replay x.pml.trace

  errors       1  (the search stopped at the first one; --all-errors goes on)
  search       bfs, exact store, dead+merge+order reduction, 1 worker

violated: x.pml:15: safety, assertion violated: n == 2";
    assert_eq!(shown.join("\n"), expected);
}

#[test]
fn all_errors_go_on_and_list_what_is_unreached() {
    let sandbox = Sandbox::with(TWO_ERRORS);
    let run = sandbox.run(&["check", "--all-errors", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("\nerrors\n    1  x.pml:"), "{}", run.out);
    assert!(run.out.contains("(2 errors in all)"), "{}", run.out);
    assert!(run.out.contains("unreached in p\n"), "{}", run.out);
    assert!(run.out.contains("x = 9"), "{}", run.out);
    assert!(sandbox.exists("x.pml.trace") && sandbox.exists("x.pml.2.trace"));
    for trace in ["x.pml.trace", "x.pml.2.trace"] {
        assert_eq!(sandbox.run(&["replay", trace]).code, 0);
    }
}

#[test]
fn quiet_says_the_verdict_only() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run(&["check", "-q", "x.pml"]);
    assert_eq!((run.code, run.out.lines().count(), run.err.as_str()), (0, 1, ""));
    sandbox.write("y.pml", RACE);
    let run = sandbox.run(&["check", "--quiet", "y.pml"]);
    assert_eq!((run.code, run.out.lines().count()), (1, 1));
    assert!(run.out.starts_with("violated: y.pml:15: safety, "), "{}", run.out);
}

#[test]
fn every_search_and_number_of_workers_agree() {
    let sandbox = Sandbox::with(TALK);
    let figures = |args: &[&str]| {
        let run = sandbox.run(&[&["check", "x.pml", "--all-errors"], args].concat());
        let keep = |line: &&str| {
            ["states", "transitions", "errors"].iter().any(|w| line.trim_start().starts_with(w))
        };
        run.out.lines().filter(keep).map(str::to_string).collect::<Vec<_>>()
    };
    let first = figures(&["--search", "dfs", "--workers", "1", "--no-reduce"]);
    assert_eq!(first.len(), 3);
    for search in ["dfs", "bfs"] {
        for workers in ["1", "2", "3"] {
            assert_eq!(
                figures(&["--search", search, "--workers", workers, "--store", "exact", "--no-reduce"]),
                first
            );
        }
    }
}

#[test]
fn claims_are_checked_after_safety() {
    let sandbox = Sandbox::with(CLAIMS);
    let run = sandbox.run(&["check", "-q", "x.pml"]);
    assert_eq!(run.code, 0, "{run:?}");
    let lines: Vec<&str> = run.out.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(lines, ["holds: x.pml: safety", "holds: x.pml: claim small"], "{}", run.out);
}

#[test]
fn embedded_c_is_unsupported() {
    let sandbox = Sandbox::with(EMBEDDED_C);
    let run = sandbox.run(&["check", "x.pml"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(
        run.out.starts_with("unsupported: x.pml: safety, ") && run.out.contains(" at x.pml:3\n"),
        "{}",
        run.out
    );
}

#[test]
fn definitions_reach_the_model_and_the_trace() {
    let sandbox = Sandbox::with("#include \"limit.h\"\ninit { byte x = N; assert(x < LIMIT) }\n");
    sandbox.write("inc/limit.h", "#define LIMIT 5\n");
    assert_eq!(sandbox.run(&["check", "-q", "-I", "inc", "-D", "N=4", "x.pml"]).code, 0);
    let run = sandbox.run(&["check", "-Iinc", "-DN=7", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    let trace = sandbox.read("x.pml.trace");
    assert!(trace.contains("\ndefine N=7\n") && trace.contains("\nat include inc\n"), "{trace}");
    assert!(trace.contains("\nfile inc/limit.h "), "{trace}");
    assert_eq!(sandbox.run(&["replay", "x.pml.trace"]).code, 0);
    sandbox.write("inc/limit.h", "#define LIMIT 6\n");
    assert!(sandbox.run(&["replay", "x.pml.trace"]).err.contains("inc/limit.h has changed"));
    assert_eq!(sandbox.run(&["check", "-q", "-Iinc", "-DN=7", "-UN", "x.pml"]).code, 2);
}

#[test]
fn the_trace_goes_where_it_is_told_to() {
    let sandbox = Sandbox::with(RACE);
    sandbox.write("out/keep", "");
    assert_eq!(sandbox.run(&["check", "-q", "--trace", "out/t.trace", "x.pml"]).code, 1);
    assert!(sandbox.exists("out/t.trace") && !sandbox.exists("x.pml.trace"));
}

#[test]
fn a_trace_that_cannot_be_written_costs_no_counterexample() {
    let sandbox = Sandbox::with(RACE);
    let run = sandbox.run(&["check", "--trace", "no/such/dir/t", "x.pml"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.err.contains("warning: cannot write the trace to no/such/dir/t"), "{}", run.err);
    assert!(run.out.contains("assert(") && !run.out.contains("written to"), "{}", run.out);
    let run = sandbox.run(&["check", "-q", "--trace", "x.pml", "x.pml"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("is not a trace file, so it was left alone"), "{}", run.err);
    assert_eq!(sandbox.read("x.pml"), RACE);
    #[cfg(target_os = "linux")]
    {
        let run = sandbox.run(&["check", "--trace", "/dev/full", "x.pml"]);
        assert!(run.code == 1 && run.err.contains("No space left"), "{run:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_not_a_verdict() {
    let sandbox = Sandbox::with(TALK);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = finish(sandbox.command(&["check", "x.pml"]).stdout(full).spawn().unwrap());
    assert_eq!(run.code, 74, "{run:?}");
    assert!(run.err.starts_with("error: cannot write the output: "), "{}", run.err);
}

#[test]
fn a_closed_pipe_keeps_the_exit_code() {
    for (model, code) in [(TALK, 0), (RACE, 1)] {
        let sandbox = Sandbox::with(model);
        let mut child = sandbox.command(&["check", "x.pml"]).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let run = finish(child);
        assert_eq!((run.code, run.err.as_str()), (code, ""));
    }
}

#[test]
fn colour_is_only_on_demand() {
    let sandbox = Sandbox::with(RACE);
    let run = sandbox.run(&["check", "--color", "always", "x.pml"]);
    assert!(run.out.contains("\x1b[1;31mviolated\x1b[0m: "), "{}", run.out);
    assert!(!sandbox.run(&["--color", "never", "check", "x.pml"]).out.contains('\x1b'));
}

#[test]
fn the_result_as_junit_xml() {
    let sandbox = Sandbox::with(RACE);
    let run = sandbox.run(&["check", "-q", "x.pml", "--junit", "reports/x.xml", "-D", "N=\"<3>\""]);
    assert_eq!(run.code, 1, "{run:?}");
    let xml = sandbox.read("reports/x.xml");
    let suite = "<testsuite name=\"x.pml -D N=&quot;&lt;3&gt;&quot;\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"";
    assert!(xml.contains(suite), "{xml}");
    assert!(xml.contains("<testcase name=\"safety\" classname=\"x.pml\" time=\""), "{xml}");
    let failure = xml.find("<failure type=\"assertion\" message=\"assertion violated: ").expect(&xml);
    let body = &xml[failure..xml.find("</failure>").unwrap()];
    assert!(
        body.contains(">counterexample: ") && body.contains("\nstate in which the assertion fails\n"),
        "{xml}"
    );

    let run = sandbox.run(&["check", "no.pml", "--junit", "reports/x.xml"]);
    assert_eq!(run.code, 2, "{run:?}");
    let xml = sandbox.read("reports/x.xml");
    assert!(
        xml.contains("errors=\"1\"") && xml.contains("<error type=\"input\" message=\"cannot read no.pml"),
        "{xml}"
    );
}

#[test]
fn every_property_is_a_test_case_and_open_questions_are_errors() {
    let sandbox = Sandbox::with(CLAIMS);
    assert_eq!(sandbox.run(&["check", "-q", "x.pml", "--junit", "x.xml"]).code, 0);
    let xml = sandbox.read("x.xml");
    assert!(xml.contains(" tests=\"2\" failures=\"0\" errors=\"0\""), "{xml}");
    assert!(xml.contains("name=\"safety\"") && xml.contains("name=\"claim small\""), "{xml}");
    sandbox.write("endless.pml", ENDLESS);
    assert_eq!(sandbox.run(&["check", "-q", "endless.pml", "--states", "100", "--junit", "x.xml"]).code, 4);
    assert!(
        sandbox
            .read("x.xml")
            .contains("<error type=\"bounded\" message=\"bounded: endless.pml: safety, no violation found")
    );
    sandbox.write("c.pml", EMBEDDED_C);
    assert_eq!(sandbox.run(&["check", "-q", "c.pml", "--junit", "x.xml"]).code, 3);
    assert!(sandbox.read("x.xml").contains("<error type=\"unsupported\" message=\"unsupported: "));
}

#[test]
fn a_report_replaces_only_reports() {
    let sandbox = Sandbox::with(TALK);
    let run = sandbox.run(&["check", "-q", "x.pml", "--junit", "x.pml"]);
    assert_eq!(run.code, 74, "{run:?}");
    assert!(run.err.contains("x.pml: it exists and is not an XML file, so it was left alone"), "{run:?}");
    assert!(run.out.starts_with("holds: "), "{run:?}");
    assert_eq!(sandbox.read("x.pml"), TALK);
}

#[test]
fn symmetry_without_effect_says_why() {
    let one = "byte x; active proctype p() { x = 1 } active proctype q() { x = 2 }";
    let told_apart = "byte x; active [2] proctype p() { x = _pid; assert(x < 2) }";
    let uneven = "byte x; active [2] proctype p() { x = 1 - _pid }";
    for (model, args, why) in [
        (one, [].as_slice(), "no two states differed only in which of several interchangeable processes"),
        (uneven, &[], "processes of type p are not interchangeable: its number is used as a number"),
        (told_apart, &["--ltl", "[] (x < 3)"], "it is for safety, and not for ltl [] (x < 3)"),
    ] {
        let sandbox = Sandbox::with(model);
        let run = sandbox.run(&[["check", "x.pml", "--symmetry"].as_slice(), args].concat());
        assert!(run.err.contains(&format!("warning: --symmetry had no effect: {why}")), "{run:?}");
        assert!(!run.out.contains("symmetry reduction") && !run.out.contains("+symmetry"), "{}", run.out);
        let json = sandbox.run(&[["check", "x.pml", "--symmetry", "--json"].as_slice(), args].concat());
        let object: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        assert!(!object["reduction"].as_str().unwrap().contains("symmetry"), "{object}");
        assert!(object["warnings"].as_array().unwrap().iter().any(|one| one.as_str().unwrap().contains(why)));
    }
    let sandbox = Sandbox::with(ALIKE);
    let run = sandbox.run(&["check", "x.pml", "--symmetry"]);
    assert!(run.err.is_empty() && run.out.contains("symmetry reduction"), "{run:?}");
}

#[test]
fn figures_say_if_they_may_differ_from_run_to_run() {
    let sandbox = Sandbox::with("byte x, y; active proctype p() { x++ } active proctype q() { y++ }");
    let says = |args: &[&str]| {
        let text = sandbox.run(&[["check", "x.pml"].as_slice(), args].concat()).out;
        let json = sandbox.run(&[["check", "x.pml", "--json"].as_slice(), args].concat()).out;
        let object: serde_json::Value = serde_json::from_str(&json).unwrap();
        let why = object["counts_vary"].as_str().map(ToOwned::to_owned);
        let line = why.as_ref().map(|why| format!("(counts may differ from run to run: {why})"));
        assert_eq!(line.is_some(), text.contains("may differ"), "{text}");
        assert!(line.is_none_or(|line| text.contains(&line)), "{text}");
        why
    };
    assert_eq!(says(&["--workers", "3"]).as_deref(), Some("order reduction with 3 workers"));
    assert_eq!(says(&["--workers", "1"]), None);
    assert_eq!(says(&["--workers", "3", "--no-reduce"]), None);
    assert_eq!(says(&["--workers", "3", "--search", "switches"]), None);
    assert_eq!(says(&["--workers", "3", "--search", "bfs"]), None);
    let lossy = ["--workers", "2", "--no-reduce", "--store", "bitstate"];
    assert_eq!(says(&lossy).as_deref(), Some("lossy store with 2 workers"));
}

#[test]
fn assertions_and_end_states_can_be_ignored() {
    let failing = "byte x; active proctype p() { x = 1; assert(x == 0); x = 2; assert(x / (x - 2) == 1) }";
    let sandbox = Sandbox::with(failing);
    let last = |args: &[&str]| {
        let run = sandbox.run(&[["check", "x.pml", "-q"].as_slice(), args].concat());
        (run.code, run.out.lines().last().unwrap_or_default().to_owned())
    };
    assert!(last(&[]).1.contains("assertion violated: x == 0"));
    // What is wrong with the condition itself is not what the assertion says.
    let (code, line) = last(&["--no-assertions"]);
    assert_eq!((code, line.contains("safety (no assertions), division by zero")), (1, true), "{line}");
    let replay = sandbox.run(&["replay", "x.pml.trace"]);
    assert_eq!((replay.code, replay.out.contains("division by zero")), (0, true), "{replay:?}");
    sandbox.write(
        "x.pml",
        "byte x; active proctype p() { x = 1; assert(x == 0); x = 2 }\nltl l { <> (x == 2) }",
    );
    for args in [["--ltl", "<> (x == 2)"].as_slice(), &["--safety"], &["--claim", "l"]] {
        assert_eq!(last(args).0, 1, "{args:?}");
        assert_eq!(last(&[args, &["--no-assertions"]].concat()).0, 0, "{args:?}");
    }
    assert_eq!(sandbox.run(&["simulate", "x.pml", "-q"]).code, 1);
    assert_eq!(sandbox.run(&["simulate", "x.pml", "-q", "--no-assertions"]).code, 0);

    sandbox.write("x.pml", crate::models::DEADLOCK);
    assert_eq!(last(&[]).0, 1);
    let (code, line) = last(&["--no-end-states"]);
    assert_eq!((code, line.contains("safety (no end states), no violation")), (0, true), "{line}");
    // As in `pan -E`, an event trace that is not completed does not count either.
    sandbox.write(
        "x.pml",
        "chan c = [1] of { byte }; active proctype p() { c!1; end: false } trace { c!1; c!1 }",
    );
    assert_eq!((last(&[]).0, last(&["--no-end-states"]).0), (1, 0));
    assert!(
        last(&["--no-end-states", "--no-assertions"]).1.contains("safety (no assertions) (no end states)")
    );
}

#[test]
fn values_that_do_not_fit_are_warned_of_once() {
    let sandbox = Sandbox::with(
        "byte x = 300;\nchan c = [1] of { byte, bit };\nbyte s;\nint n;\n\
         active proctype p() { bit b = 2; x = 400; c!500,1;\n  do :: n < 999 -> n++ :: else -> break od;\n  \
         s = n; assert(s != 7); x = 255; x++; assert(x != 7) }\nltl l { [] (x < 300) }\n",
    );
    let constants = ["300", "2", "400", "500"].map(|value| format!("the value {value} does not fit "));
    let computed =
        ["x.pml:7: the value 999 does not fit a byte and becomes 231: `s = n`", "x.pml:7: the value 256"];
    let times = |text: &str, part: &str| text.matches(part).count();
    for args in [["check", "x.pml"].as_slice(), &["simulate", "x.pml"]] {
        let run = sandbox.run(args);
        assert_eq!(run.code, 0, "{run:?}");
        for part in constants.iter().map(String::as_str).chain(computed) {
            assert_eq!(times(&run.err, part), 1, "{part}: {}", run.err);
        }
        assert!(run.err.contains("--> x.pml:1:6") && run.err.contains("--> x.pml:5:27"), "{}", run.err);
    }
    let run = sandbox.run(&["check", "x.pml", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let warnings = object["warnings"].to_string();
    for part in constants.iter().map(String::as_str).chain(computed) {
        assert_eq!(times(&warnings, part), 1, "{part}: {warnings}");
    }
    // What fits is not warned of, and a trace tells what happens on it.
    sandbox.write("x.pml", "byte x = 255; active proctype p() { x = x - 1; x = x + 1; assert(x > 0) }");
    assert_eq!(sandbox.run(&["check", "x.pml"]).err, "");
    sandbox.write("x.pml", "byte x = 255; active proctype p() { x++; assert(x > 0) }");
    assert_eq!(times(&sandbox.run(&["check", "x.pml", "-q"]).err, "the value 256"), 1);
    let replay = sandbox.run(&["replay", "x.pml.trace"]);
    assert_eq!(times(&replay.err, "warning: x.pml:1: the value 256 does not fit a byte and becomes 0"), 1);
    let json: serde_json::Value =
        serde_json::from_str(&sandbox.run(&["replay", "x.pml.trace", "--json"]).out).unwrap();
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1, "{json}");
}

/// Reductions leave out what is stored where nothing reads it, but not the warnings about it.
#[test]
fn values_that_do_not_fit_are_warned_of_where_nothing_reads_them() {
    let sandbox = Sandbox::with(
        "byte x, y[3], l; chan c = [1] of { int };\nactive proctype p() { int i; for (i : 0 .. 300) {\n\
         x = i;\ny[1] = 2 * i;\nc!i;\nc?l } }\n",
    );
    for args in [["-q"].as_slice(), &["-q", "--no-reduce"]] {
        let run = sandbox.run(&[["check", "x.pml"].as_slice(), args].concat());
        assert_eq!(run.code, 0, "{run:?}");
        for warning in [
            "x.pml:3: the value 256 does not fit a byte and becomes 0: `x = i`",
            "x.pml:4: the value 256 does not fit a byte and becomes 0: `y[1] = 2 * i`",
            "x.pml:6: the value 256 does not fit a byte and becomes 0: `c?l`",
        ] {
            assert_eq!(run.err.matches(warning).count(), 1, "{warning}: {run:?}");
        }
    }
}

#[test]
fn negative_constants_that_do_not_fit_are_warnings() {
    let sandbox = Sandbox::with(
        "byte b = -1;\nunsigned u : 4 = -1;\nint i = -1;\nactive proctype p() { assert(b == 255 && u == 15 && i == -1) }\n",
    );
    let run = sandbox.run(&["check", "x.pml"]);
    assert_eq!(run.code, 0, "{run:?}");
    for warning in [
        "the value -1 does not fit a byte and becomes 255",
        "the value -1 does not fit 4 bits and becomes 15",
    ] {
        assert!(run.err.contains(warning), "{run:?}");
    }
    assert!(!run.err.contains("an int"), "{run:?}");
}
