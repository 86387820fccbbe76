//! Every store on the product's own examples: the lossless ones have SPIN's figures by every search and with any number
//! of workers, the lossy ones never more.

use allways_promela::{FileInput, PreprocessOptions, Program, load};
use allways_search::{Bits, Config, End, Limit, StoreKind, Strategy, replay, search};
use serde_json::Value;
use std::path::PathBuf;

/// Examples with more states take too long for so many searches.
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
