//! Every store on the product's own examples: the lossless ones have SPIN's figures by every search and with
//! any number of workers, the lossy ones never more.

use allways_model::ViolationKind;
use allways_promela::{FileInput, PreprocessOptions, Program, Reductions, load, load_text};
use allways_search::{
    Bits, CachePlan, Config, End, Limit, Limits, Outcome, Policy, StoreKind, Strategy, replay, search,
};
use allways_testkit::random_promela::generate;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Examples with more states take too long for this many searches.
const MAX_STATES: u64 = 12_000;

/// The quick examples with their counts: states, matched, and errors.
fn examples() -> Vec<(String, Program, [u64; 3])> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let text =
        std::fs::read_to_string(dir.join("figures.json")).expect("the figures are part of the examples");
    let list: Value = serde_json::from_str(&text).expect("the figures are JSON");
    let mut examples = Vec::new();
    for entry in list["models"].as_array().expect("a list of models") {
        let Some(states) = entry["states"].as_u64().filter(|states| *states <= MAX_STATES) else { continue };
        let number = |name: &str| entry[name].as_u64().expect("an entry with states has all counts");
        let file = entry["file"].as_str().expect("a file name");
        let defines: Vec<&str> =
            entry["defines"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let options = defines.iter().fold(PreprocessOptions::default(), |options, d| options.define(*d));
        let loaded = load(&FileInput::Path(dir.join(file)), &options);
        let program = loaded.program.unwrap_or_else(|| panic!("{file} is a model"));
        examples.push((
            format!("{file} {}", defines.join(" ")),
            program,
            [states, number("matched"), number("errors")],
        ));
    }
    assert!(examples.len() > 20);
    examples
}

#[test]
fn lossless_stores_have_spins_figures() {
    for (name, program, expected) in examples() {
        for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
            for strategy in [Strategy::Dfs, Strategy::Bfs] {
                for workers in [1, 2, 4] {
                    let config = Config { all_errors: true, store, ..Config::new(workers) };
                    let outcome = search(&program, strategy, &(), &config);
                    let stats = outcome.stats;
                    let context = format!("{name}: {store:?} {strategy:?} {workers}");
                    assert!(matches!(outcome.end, End::Exhausted), "{context}");
                    assert_eq!([stats.states, stats.matched, stats.errors], expected, "{context}");
                    for finding in &outcome.findings {
                        let replayed = replay(&program, &finding.path).expect("a counterexample replays");
                        assert!(!replayed.violations.is_empty(), "{context}");
                    }
                }
            }
        }
    }
}

#[test]
fn lossy_stores_have_no_more() {
    let large = Bits { n_bits: Some(1 << 24), n_hashes: 3 };
    let small = Bits { n_bits: Some(1 << 10), n_hashes: 2 };
    for (name, program, [states, matched, errors]) in examples() {
        for workers in [1, 2] {
            let with = |store| {
                let config = Config { all_errors: true, store, ..Config::new(workers) };
                search(&program, Strategy::Dfs, &(), &config)
            };
            for store in [StoreKind::HashCompact, StoreKind::Bitstate(large)] {
                let outcome = with(store);
                let context = format!("{name}: {store:?} {workers}");
                assert!(matches!(outcome.end, End::Bounded(Limit::Lossy)), "{context}");
                // So few states in so much room lose nothing.
                let stats = outcome.stats;
                assert_eq!(
                    [stats.states, stats.matched, stats.errors],
                    [states, matched, errors],
                    "{context}"
                );
                for finding in &outcome.findings {
                    let replayed = replay(&program, &finding.path).expect("a counterexample replays");
                    assert!(!replayed.violations.is_empty(), "{context}");
                }
            }
            for store in [StoreKind::Bitstate(small), StoreKind::Swarm(small, 5)] {
                assert!(with(store).stats.states <= states, "{name}: {store:?} {workers}");
            }
        }
    }
}

/// The violations by kind, and by place where that does not depend on who is first.
fn violations(outcome: &Outcome) -> BTreeSet<String> {
    let of = |finding: &allways_search::Finding| match finding.violation.kind() {
        ViolationKind::Deadlock => "deadlock".to_owned(),
        kind => format!("{kind:?} {:?}", finding.violation.location),
    };
    outcome.findings.iter().map(of).collect()
}

/// Compares searches of random models with caches of a part of their states with a search that forgets
/// nothing, with and without reductions. Gives how many searches were exhausted, and in how many of them
/// states were visited again.
fn compare_caches(seeds: std::ops::Range<u64>) -> (u32, u32) {
    const MOST: u64 = 20_000;
    let (mut n_exhausted, mut n_repeated) = (0, 0);
    for seed in seeds {
        let source = generate(seed).source;
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let Some(program) = load_text("random.pml", &source).program else { continue };
            let program = program.with_reductions(reductions);
            let limits = Limits { states: Some(MOST), ..Limits::NONE };
            let reduce = program.reductions().order;
            let config = Config { all_errors: true, reduce, limits, max_findings: 1000, ..Config::new(1) };
            let plain = search(&program, Strategy::Dfs, &(), &config);
            if !matches!(plain.end, End::Exhausted) {
                continue;
            }
            for (idx, percent) in [5, 15, 30, 50, 70, 90].into_iter().enumerate() {
                let policy = Policy::ALL[(seed as usize + idx) % Policy::ALL.len()];
                let states = Some((plain.stats.states * percent / 100).max(1) as u32);
                let plan = CachePlan { policy, states, ..CachePlan::DEFAULT };
                let limits = Limits { states: Some(25 * plain.stats.states), ..Limits::NONE };
                let config = Config { store: StoreKind::Cache(plan), limits, ..config };
                let outcome = search(&program, Strategy::Dfs, &(), &config);
                let context = format!("{seed} {reductions:?} {policy:?} {percent} %");
                for finding in &outcome.findings {
                    let met = replay(&program, &finding.path).expect("a counterexample replays").violations;
                    assert!(met.iter().any(|one| one.is_same(&finding.violation)), "{context}");
                }
                match outcome.end {
                    End::Exhausted => {
                        assert_eq!(violations(&outcome), violations(&plain), "{context}");
                        assert_eq!(outcome.reached, plain.reached, "{context}");
                        assert!(reduce || outcome.stats.states >= plain.stats.states, "{context}");
                        n_exhausted += 1;
                        n_repeated += u32::from(outcome.stats.states > plain.stats.states);
                    }
                    End::Bounded(Limit::Stack | Limit::States | Limit::Redundancy) => {
                        assert!(violations(&outcome).is_subset(&violations(&plain)), "{context}");
                    }
                    end => panic!("{context}: {end:?}"),
                }
            }
        }
    }
    (n_exhausted, n_repeated)
}

#[test]
fn caches_of_any_size_have_the_same_verdicts() {
    let (n_exhausted, n_repeated) = compare_caches(0..60);
    assert!(n_exhausted > 200 && n_repeated > 100, "{n_exhausted} {n_repeated}");
}

#[test]
#[ignore = "takes minutes"]
fn caches_of_any_size_have_the_same_verdicts_on_500_models() {
    let (n_exhausted, n_repeated) = compare_caches(1000..1500);
    println!("{n_exhausted} searches exhausted, {n_repeated} of them with states visited again");
    assert!(n_exhausted > 2000 && n_repeated > 1000, "{n_exhausted} {n_repeated}");
}
