//! Orders of searching: fewest turns first, and at random. What they find is replayed; what they do not find
//! is not proved.

use crate::models::{CLAIMS, DEADLOCK, RACE, TALK};
use crate::{Run, Sandbox, java};
use serde_json::Value;

const NEW: [&str; 4] = ["switches", "preemptions", "walk", "pct"];
const AT_RANDOM: [&str; 2] = ["walk", "pct"];

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn errors_are_found_and_replayed() {
    for model in [RACE, DEADLOCK] {
        for search in NEW {
            let sandbox = Sandbox::with(model);
            let run = sandbox.run(&["check", "x.pml", "--search", search]);
            assert_eq!(run.code, 1, "{search}: {run:?}");
            assert!(run.out.contains(&format!("  search       {search}, ")), "{}", run.out);
            assert_eq!(sandbox.run(&["replay", "x.pml.trace"]).code, 0);
        }
    }
}

#[test]
fn java_deadlocks_are_found_and_replayed() {
    for search in NEW {
        let sandbox = Sandbox::new();
        let run = java::run(&sandbox, "check", "Philosophers", &["--search", search, "--", "broken", "4"]);
        assert_eq!(run.code, 1, "{search}: {run:?}");
        assert!(
            run.out.lines().last().unwrap().starts_with("violated: Philosophers: safety, deadlock"),
            "{}",
            run.out
        );
        assert_eq!(sandbox.run(&["replay", "Philosophers.trace"]).code, 0);
    }
}

#[test]
fn a_search_by_turns_is_exhaustive() {
    let sandbox = Sandbox::with(TALK);
    let states = |search: &str| {
        let run = sandbox.run(&["check", "x.pml", "--json", "--no-reduce", "--search", search]);
        assert_eq!(run.code, 0, "{run:?}");
        let object = json(&run);
        assert_eq!((&object["exhausted"], &object["walks"]), (&Value::Bool(true), &Value::Null));
        (object["states"].as_u64().unwrap(), object["matched"].as_u64().unwrap())
    };
    let expected = states("dfs");
    for search in ["switches", "preemptions"] {
        assert_eq!(states(search), expected);
    }
}

#[test]
fn a_counterexample_has_few_turns() {
    // Three processes count to nine; an error needs one of them to have begun, and another to be done.
    let model = "
byte n[3];
active [3] proctype count() {
    do
    :: n[_pid] < 9 -> n[_pid] = n[_pid] + 1
    :: else -> break
    od;
    assert(n[(_pid + 1) % 3] != 4)
}
";
    let sandbox = Sandbox::with(model);
    let run = sandbox.run(&["check", "x.pml", "--no-reduce", "--search", "switches"]);
    assert_eq!(run.code, 1, "{run:?}");
    let lines = run.out.lines().filter(|line| line.contains("x.pml:"));
    let mut actors: Vec<&str> = lines.filter_map(|line| line.split_whitespace().nth(1)).collect();
    actors.retain(|actor| actor.starts_with("count("));
    actors.dedup();
    assert_eq!(actors.len(), 2, "{}", run.out);
}

#[test]
fn walks_prove_nothing() {
    for search in AT_RANDOM {
        let sandbox = Sandbox::with(TALK);
        let run = sandbox.run(&["check", "x.pml", "--search", search, "--walks", "50"]);
        assert_eq!(run.code, 4, "{run:?}");
        let says = "bounded: x.pml: safety, no violation found, but after 50 random walks the rest was not looked at";
        assert_eq!(run.out.lines().last().unwrap(), says);
        assert!(run.out.contains("  walks        50  ("), "{}", run.out);
        assert!(run.out.contains("of the states that one more walk meets"), "{}", run.out);
        assert_eq!(run.out.contains("that an error of depth 3 would have been met"), search == "pct");
    }
}

#[test]
fn walks_in_json() {
    let sandbox = Sandbox::with(TALK);
    let args =
        ["check", "x.pml", "--search", "pct", "--walks", "20", "--seed", "9", "--bug-depth", "2", "--json"];
    let object = json(&sandbox.run(&args));
    let walks = &object["walks"];
    assert_eq!((&walks["seed"], &walks["walks"]), (&9.into(), &20.into()));
    assert!(walks["steps"].as_u64().unwrap() > 20);
    assert_eq!(walks["cut_walks"], 0);
    assert!(walks["new_states_per_walk"].is_f64() && walks["unseen_per_state"].is_f64());
    let guarantee = &walks["guarantee"];
    assert_eq!(guarantee["bug_depth"], 2);
    let of_one = 1.0 / (guarantee["processes"].as_f64().unwrap() * guarantee["steps"].as_f64().unwrap());
    assert!((guarantee["chance_per_walk"].as_f64().unwrap() - of_one).abs() < 1e-9);
    assert!(guarantee["chance_per_search"].as_f64().unwrap() < 1.0);
    assert_eq!(object["limits"], serde_json::json!([{"limit": "walks", "value": 20}]));
    assert_eq!((&object["verdict"], &object["exhausted"]), (&"bounded".into(), &Value::Bool(false)));
}

#[test]
fn a_seed_is_a_sequence_of_walks() {
    for search in AT_RANDOM {
        let sandbox = Sandbox::with(RACE);
        let trace = |seed: &str| {
            let args = ["check", "x.pml", "--search", search, "--workers", "1", "--seed", seed];
            assert_eq!(sandbox.run(&args).code, 1);
            sandbox.read("x.pml.trace")
        };
        assert_eq!(trace("4"), trace("4"));
        assert!((0..30).any(|seed| trace(&seed.to_string()) != trace("4")), "{search}");
    }
}

#[test]
fn claims_are_not_left_out_silently() {
    let sandbox = Sandbox::with(CLAIMS);
    let run = sandbox.run(&["check", "x.pml", "--search", "walk", "--walks", "5", "--json"]);
    let object = json(&run);
    assert_eq!((run.code, &object["property"]), (4, &"safety".into()));
    assert!(!object["ignored_claims"].as_array().unwrap().is_empty(), "{object}");
}

#[test]
fn walks_of_a_program_whose_conflicts_come_into_view() {
    let sandbox = Sandbox::new();
    for search in AT_RANDOM {
        let run = java::run(&sandbox, "check", "LostUpdate", &["--search", search]);
        assert_eq!(run.code, 1, "{search}: {run:?}");
        let args = ["--search", search, "--walks", "30", "--json", "--", "ok", "3"];
        let run = java::run(&sandbox, "check", "Philosophers", &args);
        let object = json(&run);
        assert_eq!((run.code, &object["walks"]["walks"]), (4, &30.into()), "{run:?}");
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let sandbox = Sandbox::with(TALK);
    let refused = |args: &[&str], says: &str| {
        let run = sandbox.run(&[&["check", "x.pml"], args].concat());
        assert_eq!((run.code, run.err.contains(says)), (2, true), "{args:?}: {run:?}");
    };
    refused(&["--walks", "5"], "--walks is for --search walk");
    refused(&["--search", "walk", "--bug-depth", "3"], "--bug-depth is for --search pct");
    refused(&["--search", "pct", "--bug-depth", "0"], "--bug-depth");
    refused(&["--seed", "5"], "--seed is for");
    refused(&["--round-robin", "5"], "--round-robin is for --search survey");
    refused(&["--search", "pct", "--share", "5"], "--share is not for random walks");
    refused(&["--search", "survey", "--store", "bitstate"], "--store bitstate keeps no states");
    refused(&["--search", "survey", "--store", "cache"], "--store cache forgets states");
    refused(&["--search", "survey-dfs", "--progress"], "--search survey-dfs finds no cycles");
    refused(&["--search", "walk", "--store", "exact"], "--store is not for --search walk");
    refused(&["--search", "pct", "--symmetry"], "--search pct tells processes apart");
    refused(&["--search", "switches", "--symmetry"], "--search switches tells processes apart");
    refused(&["--search", "switches", "--store", "bitstate"], "only --search dfs can use it");
    refused(&["--search", "walk", "--progress"], "--search walk finds no cycles");
}
