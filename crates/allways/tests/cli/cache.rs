//! Search in bounded memory by `--store cache`: what it says, and what it refuses by name.

use crate::Sandbox;
use crate::models::TALK;

/// 16 * 16 * 16 states, and an assertion that holds.
const GRID: &str = "byte x, y, z;
active proctype a() { do :: x < 15 -> x++ :: else -> break od }
active proctype b() { do :: y < 15 -> y++ :: else -> break od }
active proctype c() { do :: z < 15 -> z++ :: else -> break od; assert(x < 16) }
ltl reaches { <> (x == 15) }
";

fn check(args: &[&str]) -> crate::Run {
    Sandbox::with(GRID).run(&[&["check", "x.pml", "--store", "cache", "--no-reduce"], args].concat())
}

#[test]
fn a_search_that_forgets_states_holds() {
    let run = check(&["--cache-states", "30000", "--workers", "4"]);
    assert_eq!(run.code, 0, "{run:?}");
    for says in [
        "  distinct     about ",
        " visits a state)",
        "  cache        30,000 states held at most  (strata policy, ",
        "  search       dfs, cache store, no reduction, 1 worker",
        "no violation in any of its about ",
    ] {
        assert!(run.out.contains(says), "{says}\n{}", run.out);
    }
}

#[test]
fn json_has_what_the_cache_did() {
    let run = check(&["--cache-states", "30000", "--policy", "hits:most", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let cache = &object["cache"];
    assert_eq!(cache["policy"], "hits:most");
    assert_eq!(cache["is_estimate"], true);
    assert!(cache["evicted"].as_u64().unwrap() > 1000 && cache["visits_per_state"].as_f64().unwrap() >= 1.0);
    let plain = Sandbox::with(GRID).run(&["check", "x.pml", "--json", "--safety"]);
    assert!(plain.out.contains("\"cache\": null"), "{}", plain.out);
}

/// What was visited again is in the certificate once: it is that of a search that remembers everything.
#[test]
fn a_search_that_forgets_states_has_a_certificate() {
    let sandbox = Sandbox::with(GRID);
    for reduce in [&["--no-reduce"][..], &["--reduce", "dead,merge"], &[]] {
        let safety = [&["check", "x.pml", "--safety"], reduce].concat();
        let cached = ["--store", "cache", "--cache-states", "20000", "--certificate", "x.cert"];
        let run = sandbox.run(&[&safety[..], &cached].concat());
        assert!(run.code == 0 && run.err.contains("certificate of"), "{run:?}");
        let no_reduce: &[&str] = if reduce.len() == 1 { reduce } else { &[] };
        let run = sandbox.run(&[&["certify", "x.cert", "x.pml", "--counts"], no_reduce].concat());
        assert!(run.code == 0 && run.out.contains("no two of the states are the same"), "{run:?}");
        if !reduce.is_empty() {
            sandbox.run(&[&safety[..], &["--certificate", "y.cert"]].concat());
            assert_eq!(
                std::fs::read(sandbox.0.join("x.cert")).unwrap(),
                std::fs::read(sandbox.0.join("y.cert")).unwrap()
            );
        }
    }
    let few = [
        "check",
        "x.pml",
        "--safety",
        "--no-reduce",
        "--store",
        "cache",
        "--states",
        "900",
        "--certificate",
        "x.cert",
    ];
    assert_eq!(sandbox.run(&few).code, 4);
    let run = sandbox.run(&["certify", "x.cert", "x.pml", "--no-reduce"]);
    assert!(run.code == 4 && run.out.contains("of the states are not expanded"), "{run:?}");
}

#[test]
fn limits_have_their_own_messages() {
    for (args, says) in [
        (&["--cache-states", "20"][..], "the stack of the search fills the cache of 20 states, with "),
        (&["--memory", "1"], "the memory limit of 1 B ended the search in its first state"),
        (&["--memory", "44K"], "the stack of the search fills the memory limit of 44.0 KiB, with "),
        (&["--states", "1"], "the limit of 1 state ended the search in its first state"),
        (
            &["--cache-states", "200", "--policy", "random", "--redundancy", "2"],
            "more than --redundancy 2 allows",
        ),
    ] {
        let run = check(args);
        assert_eq!(run.code, 4, "{args:?} {run:?}");
        assert!(run.out.lines().last().unwrap().contains(says), "{args:?}: {says}\n{}", run.out);
    }
}

#[test]
fn what_a_cache_cannot_do_is_refused() {
    let sandbox = Sandbox::with(GRID);
    for (args, says) in [
        (
            &["--ltl", "<> (x == 15)"][..],
            "--store cache forgets states, and ltl <> (x == 15) is about cycles",
        ),
        (&["--claim", "reaches"], "--store cache forgets states, and claim reaches is about cycles"),
        (&["--search", "bfs"], "--store cache forgets states, and --search bfs needs them; use --search dfs"),
        (&["--policy", "lru"], "there is no such policy; there are strata, aged, cost, random"),
        (&["--policy", "stratified:2,2"], "stratified:K,M with K below M"),
        (&["--redundancy", "1"], "--redundancy"),
        (&["--cache-states", "0"], "--cache-states"),
    ] {
        let run = sandbox.run(&[&["check", "x.pml", "--store", "cache"], args].concat());
        assert_eq!(run.code, 2, "{args:?} {run:?}");
        assert!(run.err.contains(says), "{args:?}: {says}\n{}", run.err);
    }
    let sandbox = Sandbox::with(TALK);
    for option in [["--policy", "cost"], ["--cache-states", "9"], ["--redundancy", "9"]] {
        let run = sandbox.run(&["check", "x.pml", option[0], option[1]]);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(&format!("{} is for --store cache", option[0])), "{run:?}");
    }
}
