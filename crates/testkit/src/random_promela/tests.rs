//! What the generator promises: equal seeds give equal models, every feature is drawn, and SPIN accepts
//! nearly all models and finishes most of them.

use std::time::Duration;

use super::{Mode, coverage, generate, generate_in};
use crate::spin::{self, Answer, Options, Stage};

/// The seeds to look at: `ALLWAYS_SEEDS=100..200`, or a few.
fn seeds() -> std::ops::Range<u64> {
    let text = std::env::var("ALLWAYS_SEEDS").unwrap_or_default();
    let bounds = text.split_once("..").and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    bounds.map_or(0..20, |(from, to)| from..to)
}

#[test]
fn equal_seeds_give_equal_models() {
    for seed in 0..50 {
        assert_eq!(generate(seed), generate(seed));
        assert_eq!(generate_in(seed, Mode::Hostile), generate_in(seed, Mode::Hostile));
    }
    assert_ne!(generate(1).source, generate(2).source);
}

#[test]
fn every_feature_is_drawn() {
    let coverage = coverage(0..2000);
    println!("{coverage}");
    let unused: Vec<_> = coverage.unused().into_iter().filter(|f| *f != super::Feature::Hostile).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn spin_accepts_nearly_all_models() {
    if !spin::installed() {
        eprintln!("skipped: spin and a C compiler are not installed");
        return;
    }
    let models: Vec<_> = seeds().map(generate).collect();
    let sources: Vec<&str> = models.iter().map(|m| m.source.as_str()).collect();
    let answers = spin::check_many(&sources, &Options::raw().within(Duration::from_secs(5)), 2);
    let (mut refused, mut complete, mut in_time) = (0, 0, 0);
    for (model, answer) in models.iter().zip(&answers) {
        match answer {
            Answer::Ran(figures) => {
                in_time += 1;
                complete += usize::from(figures.complete && figures.stored < 200_000);
                println!(
                    "{:>6} {:>8} {:>6} {:?}",
                    model.seed, figures.stored, figures.errors, figures.first_error
                );
            }
            Answer::Rejected(rejection) => {
                refused += usize::from(rejection.stage != Stage::Pan);
                println!("{:>6} {:?} {}", model.seed, rejection.stage, rejection.text);
            }
            other => println!("{:>6} {other:?}", model.seed),
        }
    }
    println!("{} models: {refused} refused, {in_time} ended, {complete} complete", models.len());
    assert!(refused * 10 <= models.len(), "{refused} models refused");
    assert!(complete * 10 >= models.len() * 8, "{complete} models complete");
}
