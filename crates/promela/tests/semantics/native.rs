//! Native code against the interpreter: in every state the same successors, keys and violations.

use super::examples::examples;
use allways_model::{Batch, Lessons, Model};
use allways_promela::{PreprocessOptions, Program, Reductions, load, load_text};
use std::collections::HashSet;
use std::path::PathBuf;

/// Explores up to `limit` states with both, and gives how many native code has expanded.
fn compare(name: &str, native: &Program, interpreted: &Program, limit: usize) -> (u64, u64) {
    let compiled = native.compile().is_some();
    let (mut native, mut reference) = (native.cursor(Lessons::none()), interpreted.cursor(Lessons::none()));
    let (mut actual, mut expected) = (Batch::new(), Batch::new());
    if reference.initial(&mut expected).is_err() {
        return (0, 0);
    }
    let mut seen = HashSet::from([expected.vector(0).to_vec()]);
    let mut queue = vec![expected.vector(0).to_vec()];
    let mut n_states = 0;
    while let Some(state) = queue.pop() {
        n_states += 1;
        actual.clear();
        expected.clear();
        native.load(&state);
        reference.load(&state);
        let list = |batch: &Batch| -> Vec<_> {
            (0..batch.len()).map(|idx| (batch.entries()[idx].key, batch.vector(idx).to_vec())).collect()
        };
        while let (Ok(actually), Ok(expectedly)) =
            (native.expand_some(&mut actual), reference.expand_some(&mut expected))
        {
            assert_eq!(list(&actual), list(&expected), "{name}: some successors of {state:?}");
            assert_eq!(actually, expectedly, "{name}: whether that is all");
            if actually {
                break;
            }
        }
        actual.clear();
        expected.clear();
        native.load(&state);
        reference.load(&state);
        let outcomes = (native.expand(&mut actual).is_err(), reference.expand(&mut expected).is_err());
        assert_eq!(outcomes.0, outcomes.1, "{name}: faults");
        let violations = |batch: &Batch| -> Vec<_> {
            batch.violations().iter().map(|v| (v.kind(), v.key, v.message().to_string())).collect()
        };
        assert_eq!(list(&actual), list(&expected), "{name}: successors of {state:?}");
        assert_eq!(violations(&actual), violations(&expected), "{name}: violations in {state:?}");
        if outcomes.0 {
            break;
        }
        for idx in 0..expected.len() {
            if seen.len() < limit && seen.insert(expected.vector(idx).to_vec()) {
                queue.push(expected.vector(idx).to_vec());
            }
        }
    }
    if seen.len() < limit {
        assert_eq!(native.reached(), reference.reached(), "{name}: points reached");
    }
    (if compiled { native.counters()[0].1 } else { 0 }, n_states)
}

#[test]
fn examples_expand_alike() {
    let (mut n_native, mut n_states) = (0, 0);
    for example in examples("quick") {
        let (native, all) =
            compare(&example.name, &example.program(), &example.program().interpreted(), 2_000);
        let reduced = || example.program().with_reductions(Reductions::ALL);
        compare(&format!("{} reduced", example.name), &reduced(), &reduced().interpreted(), 500);
        n_native += native;
        n_states += all;
    }
    assert!(n_native * 10 > n_states * 8, "native code did {n_native} of {n_states} states");
}

#[test]
fn random_models_expand_alike() {
    let (mut n_native, mut n_states) = (0, 0);
    let n_seeds = std::env::var("ALLWAYS_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for seed in 0..n_seeds {
        let model = allways_testkit::random_promela::generate(seed);
        let program = || load_text("random.pml", &model.source).program;
        let (Some(native), Some(interpreted)) = (program(), program()) else { continue };
        let (native, all) = compare(&format!("seed {seed}"), &native, &interpreted.interpreted(), 400);
        let reduced = || program().map(|program| program.with_reductions(Reductions::ALL));
        if let (Some(native), Some(interpreted)) = (reduced(), reduced()) {
            compare(&format!("seed {seed}, reduced"), &native, &interpreted.interpreted(), 200);
        }
        n_native += native;
        n_states += all;
    }
    assert!(n_native * 2 > n_states, "native code did {n_native} of {n_states} states");
}

/// Where the corpus is present: its models, those of the SPIN distribution and those of the wild.
#[test]
fn corpus_models_expand_alike() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    for dir in ["spin", "micro", "open"] {
        let Ok(text) = std::fs::read_to_string(root.join(dir).join("figures.json")) else { continue };
        let list: serde_json::Value = serde_json::from_str(&text).expect("the figures are JSON");
        for entry in list.as_array().expect("a list of models") {
            let name = entry["model"].as_str().unwrap_or_default();
            let flags = entry["spin_flags"].as_str().unwrap_or_default().split_whitespace();
            let defines = flags.filter_map(|flag| flag.strip_prefix("-D"));
            let options = defines.fold(PreprocessOptions::default(), |options, d| options.define(d));
            let input = allways_promela::FileInput::Path(root.join(dir).join(name));
            let (native, interpreted) = (load(&input, &options).program, load(&input, &options).program);
            if let (Some(native), Some(interpreted)) = (native, interpreted) {
                compare(name, &native, &interpreted.interpreted(), 1_000);
            }
            let reduced = || load(&input, &options).program.map(|p| p.with_reductions(Reductions::ALL));
            if let (Some(native), Some(interpreted)) = (reduced(), reduced()) {
                compare(&format!("{name} reduced"), &native, &interpreted.interpreted(), 500);
            }
        }
    }
}
