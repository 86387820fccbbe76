//! Random models: the same violations with and without reductions.

use super::verdicts::{REDUCTIONS, compare};
use allways_promela::load_text;
use allways_testkit::random_promela::generate;

fn run(seeds: std::ops::Range<u64>) {
    let (mut n_models, mut plain, mut reduced) = (0, 0, 0);
    for seed in seeds {
        let model = generate(seed);
        if load_text("model.pml", &model.source).program.is_none() {
            continue;
        }
        let load = || load_text("model.pml", &model.source).program.expect("it was loaded before");
        let name = format!("seed {seed}");
        if let Some((without, with)) = compare(&name, load, &REDUCTIONS, Some(20_000)) {
            n_models += 1;
            plain += without;
            reduced += with;
        }
    }
    println!("{n_models} models, {plain} states without reductions, {reduced} with");
    assert!(n_models > 0);
}

#[test]
fn random_models_have_the_same_violations() {
    run(0..120);
}

/// `SEEDS=from-to cargo test --release -p allways-promela --test promela -- --ignored many_random
/// --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_random_models_have_the_same_violations() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-1500".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"));
}
