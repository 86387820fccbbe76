//! Limits and interrupts: bounded, with exit code 4 and everything counted so far.

use crate::models::{DEADLOCK, ENDLESS, TALK};
use crate::{Run, Sandbox, finish};
use std::process::Command;
use std::time::{Duration, Instant};

fn bounded(args: &[&str], says: &str) {
    let sandbox = Sandbox::with(ENDLESS);
    let run = sandbox.run(&[&["check", "x.pml"], args].concat());
    assert_eq!(run.code, 4, "{run:?}");
    let last = run.out.lines().last().unwrap();
    assert!(
        last.starts_with("bounded: x.pml: safety, no violation found, but ") && last.contains(says),
        "{last}"
    );
    assert!(run.out.contains("  states       ") && !run.out.contains("unreached"), "{}", run.out);
    assert_eq!(run.err, "");
}

#[test]
fn time() {
    let start = Instant::now();
    bounded(&["--time", "0.3"], "the time limit of 300 ms ended the search");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn memory() {
    bounded(&["--memory", "20M"], "the memory limit of 20.0 MiB ended the search");
}

#[test]
fn states() {
    bounded(&["--states", "1000"], "the limit of 1,000 states ended the search");
}

#[test]
fn depth() {
    bounded(&["--depth", "100", "--search", "bfs"], "paths were cut at the depth limit of 100");
    bounded(&["--depth", "20", "--search", "dfs"], "paths were cut at the depth limit of 20");
}

#[test]
fn a_limit_that_is_not_reached_does_not_matter() {
    let sandbox = Sandbox::with(TALK);
    let args =
        ["check", "x.pml", "--time", "600", "--memory", "4G", "--states", "100000", "--depth", "100000"];
    assert_eq!(sandbox.run(&args).code, 0);
}

#[test]
fn an_error_within_a_limit_is_an_error() {
    let sandbox = Sandbox::with(DEADLOCK);
    let run = sandbox.run(&["check", "x.pml", "--depth", "1"]);
    assert_eq!(run.code, 1, "{run:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_what_was_found() {
    for signal in ["-INT", "-TERM"] {
        // On a busy machine the process may take a while until it listens.
        let mut runs = [500, 2000, 8000].into_iter().map(|ms| interrupted(signal, Duration::from_millis(ms)));
        let run = runs.find(|run| run.code == 4).expect("a search that was interrupted");
        assert!(run.out.contains("no violation found, but the search was interrupted"), "{}", run.out);
    }
}

#[cfg(unix)]
fn interrupted(signal: &str, delay: Duration) -> Run {
    let sandbox = Sandbox::with(ENDLESS);
    let child = sandbox.command(&["check", "x.pml", "--memory", "2G"]).spawn().unwrap();
    std::thread::sleep(delay);
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    finish(child)
}

/// As `timeout` does it, to the process and to its group.
#[cfg(unix)]
#[test]
fn a_signal_that_arrives_twice_is_one_request() {
    let sandbox = Sandbox::with(ENDLESS);
    let mut n_heard = 0;
    for delay in [300, 500, 800, 2000, 8000] {
        let child = sandbox.command(&["check", "x.pml", "--memory", "2G", "-q"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        let twice = format!("kill -INT {0}; kill -INT {0}", child.id());
        assert!(Command::new("sh").args(["-c", &twice]).status().unwrap().success());
        let run = finish(child);
        // On a busy machine the process may take a while until it listens: then the signal has killed it.
        assert!(run.code == 4 || run.code == -1, "{run:?}");
        n_heard += u32::from(run.code == 4);
        if n_heard == 3 {
            return;
        }
    }
    panic!("{n_heard} of 5 searches were interrupted");
}

#[test]
fn the_time_is_that_of_all_properties_together() {
    let claims: String = (0..8).map(|n| format!("ltl p{n} {{ [] (a != {} ) }}\n", 1000 + n)).collect();
    let sandbox = Sandbox::with(&format!("{ENDLESS}int a;\n{claims}"));
    let start = Instant::now();
    let run = sandbox.run(&["check", "x.pml", "--time", "1", "-q"]);
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    assert_eq!(run.code, 4, "{run:?}");
    assert_eq!(run.out.lines().count(), 9);
    for line in run.out.lines() {
        assert!(line.contains("but the time limit of 1.00 s ended the search"), "{line}");
    }
}

/// Each of these does more within one step than any limit allows.
#[test]
fn limits_hold_within_one_step() {
    let tree = "byte a[60]; active proctype p() { byte i; atomic { do :: i < 60 -> \
                if :: a[i] = 0 :: a[i] = 1 fi; i++ :: else -> break od }; assert(a[0] < 2) }";
    let d_steps = "int i, x; active proctype p() { atomic { do :: d_step { i = 0; do :: i < 90000 -> i++ \
                   :: else -> break od }; x++ od }; assert(x > 0) }";
    let sandbox = Sandbox::new();
    for (model, args) in [
        (tree, ["--search", "dfs"].as_slice()),
        (tree, &["--search", "bfs"]),
        (tree, &["--search", "walk"]),
        (tree, &["--search", "switches"]),
        (tree, &["--store", "tree"]),
        (tree, &["--store", "bitstate"]),
        (tree, &["--ltl", "[] (a[3] < 2)"]),
        (d_steps, &[]),
        (d_steps, &["--search", "pct"]),
    ] {
        sandbox.write("x.pml", model);
        let start = Instant::now();
        let run = sandbox.run(&[["check", "x.pml", "--time", "0.5", "-q"].as_slice(), args].concat());
        assert_eq!(run.code, 4, "{args:?} {run:?}");
        assert!(run.out.contains("the time limit of 500 ms ended the search"), "{run:?}");
        assert!(start.elapsed() < Duration::from_secs(6), "{args:?} {:?}", start.elapsed());
    }
    sandbox.write("x.pml", tree);
    let run = sandbox.run(&["check", "x.pml", "--memory", "30M", "--time", "60", "-q"]);
    assert!(run.out.contains("the memory limit of 30.0 MiB ended the search"), "{run:?}");
}

/// Loading cannot be stopped from inside: here it waits for a text that never comes.
#[cfg(unix)]
#[test]
fn limits_hold_while_a_model_is_loaded() {
    let sandbox = Sandbox::new();
    let made = Command::new("mkfifo").arg("x.pml").current_dir(&sandbox.0).status().unwrap();
    assert!(made.success());
    let start = Instant::now();
    let run = sandbox.run(&["check", "x.pml", "--time", "0.5", "-q"]);
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
    let says = "bounded: x.pml: safety, no violation found, but the time limit of 500 ms ended the search\n";
    assert_eq!((run.code, run.out.as_str()), (4, says));
    let run = sandbox.run(&["check", "x.pml", "--time", "0.5", "--json", "--claim", "c", "--junit", "r.xml"]);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, object["verdict"].as_str()), (4, Some("bounded")), "{object}");
    assert_eq!((&object["limits"][0]["limit"], &object["states"]), (&"time".into(), &0.into()), "{object}");
    assert!(sandbox.read("r.xml").contains("time limit"), "{}", sandbox.read("r.xml"));
    for delay in [500, 2000, 8000] {
        let child = sandbox.command(&["check", "x.pml", "-q"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let run = finish(child);
        if run.code != -1 {
            assert_eq!(run.code, 4, "{run:?}");
            assert!(run.out.ends_with("no violation found, but the search was interrupted\n"), "{run:?}");
            return;
        }
    }
    panic!("the interrupt was never heard");
}

#[test]
fn the_limit_of_states_holds_within_one_step() {
    let cube = "byte a[60]; active proctype p() { byte i; atomic { do :: i < 60 -> if :: a[i] = 0 :: a[i] = 1 fi; \
                i++ :: else -> break od }; assert(a[0] < 2) }";
    let sandbox = Sandbox::with(cube);
    for args in
        [["--search", "dfs"].as_slice(), &["--search", "bfs"], &["--store", "bitstate"], &["--no-reduce"]]
    {
        let run = sandbox.run(&[["check", "x.pml", "--states", "1000", "-q"].as_slice(), args].concat());
        assert_eq!(run.code, 4, "{args:?} {run:?}");
        assert!(run.out.contains("the limit of 1,000 states ended the search"), "{args:?} {run:?}");
    }
    // Many successors, but few states.
    sandbox.write(
        "x.pml",
        "int x; active proctype p() { atomic { select (x : 0 .. 5000); x = x % 2 } assert(x >= 0) }",
    );
    let run = sandbox.run(&["check", "x.pml", "--states", "100", "-q"]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn lines_of_progress_stay_where_there_is_no_terminal() {
    let sandbox = Sandbox::with(ENDLESS);
    let run = sandbox.run(&["check", "x.pml", "--time", "2.2", "--every", "0.5"]);
    let lines: Vec<&str> = run.err.lines().collect();
    assert!((2..=4).contains(&lines.len()), "{}", run.err);
    for part in [" states  ", "/s  depth ", "  queue ", " MiB  "] {
        assert!(lines.iter().all(|line| line.contains(part)), "{part}: {}", run.err);
    }
    assert!(!run.err.contains(['\r', '\x1b']));
    assert_eq!(sandbox.run(&["check", "x.pml", "--time", "1.2"]).err, "");
    assert_eq!(sandbox.run(&["check", "x.pml", "--time", "1.2", "--every", "0.5", "-q"]).err, "");
}

/// Each limit of each search ends in a bound, or says why there is none.
#[test]
fn every_limit_ends_in_how_much_was_seen() {
    let sandbox = Sandbox::with(ENDLESS);
    for args in [
        &["--states", "3000"][..],
        &["--states", "3000", "--search", "bfs", "--workers", "1"],
        &["--states", "3000", "--store", "cache"],
        &["--states", "3000", "--store", "hashcompact"],
        &["--time", "0.2", "--store", "tree", "--share", "50%"],
        &["--memory", "20M", "--search", "bfs"],
        &["--depth", "100"],
        &["--states", "3000", "--search", "survey", "--share", "60%", "--round-robin", "4", "--seed", "3"],
        &["--states", "3000", "--search", "survey-dfs"],
    ] {
        let run = sandbox.run(&[&["check", "x.pml", "-q"], args].concat());
        assert_eq!(run.code, 4, "{args:?} {run:?}");
        let says = ["; seen: probably at most ", "; seen: an unknown share of the states"];
        assert!(says.iter().any(|one| run.out.contains(one)), "{args:?} {run:?}");
        let json = sandbox.run(&[&["check", "x.pml", "--json"], args].concat());
        let object: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        let coverage = &object["coverage"];
        assert!(coverage["at_most"].as_f64().is_some_and(|part| part > 0.0 && part <= 1.0), "{coverage}");
        assert!(
            ["frontier", "stack", "phases", "start"].contains(&coverage["source"].as_str().unwrap()),
            "{coverage}"
        );
        assert_eq!(coverage["rough"], coverage["source"] != "frontier");
    }
    for (share, says) in [
        ("0", "a share of 0 % leaves nothing to estimate with"),
        ("100%", "a share of 100 % leaves nothing for the search"),
        ("ten", "'ten' is not a share from 1 % to 99 %"),
    ] {
        let run = sandbox.run(&["check", "x.pml", "--share", share]);
        assert!(run.code == 2 && run.err.contains(says), "{run:?}");
    }
}
