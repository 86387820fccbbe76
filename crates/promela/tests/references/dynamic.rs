//! The extension against the reference of `testkit`: what this crate finds in a random model is what an
//! interpreter with a heap of its own finds in the model's syntax tree, down to the number of states.

use super::engine;
use allways_promela::options::{Collect, Dynamics};
use allways_promela::{FileInput, PreprocessOptions, load};
use allways_testkit::dynamic::ast::Model;
use allways_testkit::dynamic::generate::{Reach, generate};
use allways_testkit::dynamic::print::print;
use allways_testkit::dynamic::run::explore;
use allways_testkit::dynamic::{Found, shrink};

/// What both find; nothing if the model is too large.
fn both(model: &Model, collect: Collect) -> Option<(Found, Found)> {
    let expected = explore(model, 3_000)?;
    let text = print(model);
    let input = FileInput::Text { name: "model.dpml".into(), text: text.clone() };
    let loaded = load(&input, &PreprocessOptions::default());
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    // What is not supported yet, by name.
    if messages.iter().any(|message| message.contains("a channel cannot be declared in a function")) {
        return None;
    }
    let program = loaded.program.unwrap_or_else(|| panic!("{messages:?}\n{text}"));
    let program = program.with_dynamics(Dynamics { collect, ..Dynamics::default() });
    let watched: Vec<String> = model.watched().map(|idx| model.globals[idx].name.to_string()).collect();
    let (found, _) = engine::explore(&program, &watched, 30_000)?;
    Some((expected, found))
}

/// Whether both find the same.
fn agree(model: &Model, collect: Collect) -> Option<bool> {
    let (expected, found) = both(model, collect)?;
    let same_states = collect != Collect::Sweep || expected.n_states == found.n_states;
    Some((expected.kinds, expected.finals) == (found.kinds, found.finals) && same_states)
}

fn run(seeds: std::ops::Range<u64>, collect: Collect) {
    let n_seeds = seeds.end - seeds.start;
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        match agree(&generate(seed, Reach::Full), collect) {
            None => {}
            Some(true) => n_compared += 1,
            Some(false) => wrong.push(seed),
        }
    }
    println!("{n_compared} models agree, {} do not: {wrong:?}", wrong.len());
    if let Some(&seed) = wrong.first() {
        let small = shrink(&generate(seed, Reach::Full), |model| agree(model, collect) == Some(false));
        let (expected, found) = both(&small, collect).expect("it was compared before");
        panic!(
            "seed {seed}\n{}\nreference {} {:?} {:?}\nengine {} {:?} {:?}",
            print(&small),
            expected.n_states,
            expected.kinds,
            expected.finals,
            found.n_states,
            found.kinds,
            found.finals
        );
    }
    assert!(n_compared * 10 > n_seeds * 6, "only {n_compared} of {n_seeds} models were compared");
}

#[test]
fn the_engine_does_what_the_reference_does() {
    run(0..150, Collect::Sweep);
}

#[test]
fn collection_changes_nothing_that_can_be_seen() {
    run(0..40, Collect::None);
    run(0..40, Collect::Count);
}

/// `SEEDS=from-to cargo test --release -p allways-promela --test references -- --ignored many --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_models_do_what_the_reference_does() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-1000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"), Collect::Sweep);
}
