//! The two references against each other: what the interpreter of `testkit` finds in a dynamic model is what
//! this crate finds in its translation into plain Promela.

use super::engine;
use allways_promela::load_text;
use allways_testkit::dynamic::ast::Model;
use allways_testkit::dynamic::generate::{Reach, generate};
use allways_testkit::dynamic::plain::translate;
use allways_testkit::dynamic::print::print;
use allways_testkit::dynamic::run::explore;
use allways_testkit::dynamic::{Found, shrink};

/// What both find; nothing if the model is too large, or cannot be translated.
fn both(model: &Model) -> Option<(Found, Found)> {
    let expected = explore(model, 5_000)?;
    let plain = translate(model)?;
    let loaded = load_text("plain.pml", &plain.source);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    let program =
        loaded.program.unwrap_or_else(|| panic!("{messages:?}\n{}\n{}", print(model), plain.source));
    let (found, is_spent) = engine::explore(&program, &plain.watched, 30_000)?;
    (!is_spent).then_some((expected, found))
}

fn agree(model: &Model) -> Option<bool> {
    let (expected, found) = both(model)?;
    Some((expected.kinds, expected.finals) == (found.kinds, found.finals))
}

fn run(seeds: std::ops::Range<u64>) {
    let n_seeds = seeds.end - seeds.start;
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        let model = generate(seed, Reach::Translatable);
        match agree(&model) {
            None => {}
            Some(true) => n_compared += 1,
            Some(false) => wrong.push(seed),
        }
    }
    println!("{n_compared} models agree, {} do not: {wrong:?}", wrong.len());
    if let Some(&seed) = wrong.first() {
        let small = shrink(&generate(seed, Reach::Translatable), |model| agree(model) == Some(false));
        let (expected, found) = both(&small).expect("it was compared before");
        let source = translate(&small).expect("it was translated before").source;
        panic!(
            "seed {seed}\n{}\n{source}\ninterpreter {:?} {:?}\ntranslation {:?} {:?}",
            print(&small),
            expected.kinds,
            expected.finals,
            found.kinds,
            found.finals
        );
    }
    assert!(n_compared * 10 > n_seeds * 6, "only {n_compared} of {n_seeds} models were compared");
}

#[test]
fn the_translation_does_what_the_model_does() {
    run(0..150);
}

/// `SEEDS=from-to cargo test --release -p allways-promela --test references -- --ignored many --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_translations_do_what_their_models_do() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-1000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"));
}
