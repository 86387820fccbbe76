//! Random dynamic models: what this crate finds, by every search and store, is what both references find.

use super::engine;
use crate::reductions::verdicts::REDUCTIONS;
use allways_model::ViolationKind;
use allways_promela::options::{Collect, Dynamics};
use allways_promela::{Program, load_text};
use allways_search::{Config, End, StoreKind, Strategy, search};
use allways_testkit::dynamic::ast::Model;
use allways_testkit::dynamic::generate::{Reach, generate};
use allways_testkit::dynamic::plain::translate;
use allways_testkit::dynamic::print::print;
use allways_testkit::dynamic::run::explore;
use allways_testkit::dynamic::{Found, Kind, shrink};
use std::collections::BTreeSet;

/// Larger models are left out.
const MAX_STATES: usize = 5_000;

fn load(name: &str, text: &str) -> Program {
    let loaded = load_text(name, text);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    loaded.program.unwrap_or_else(|| panic!("{messages:?}\n{text}"))
}

/// The kinds of violations and the number of states that a search finds.
fn searched(
    program: &Program,
    strategy: Strategy,
    store: StoreKind,
    workers: usize,
) -> (BTreeSet<Kind>, usize) {
    let reduce = program.reductions().order;
    let config = Config { all_errors: true, store, reduce, max_findings: 10_000, ..Config::new(workers) };
    let outcome = search(program, strategy, &(), &config);
    assert!(matches!(outcome.end, End::Exhausted), "{strategy:?} {store:?}: {:?}", outcome.end);
    let kind = |kind| match kind {
        ViolationKind::Assertion => Kind::Assertion,
        ViolationKind::Deadlock => Kind::Deadlock,
        ViolationKind::RuntimeError => Kind::Error,
        kind => panic!("{kind:?}"),
    };
    let kinds = outcome.findings.iter().map(|finding| kind(finding.violation.kind()));
    (kinds.collect(), outcome.stats.states as usize)
}

/// What is not as it should be; nothing if the model is too large.
fn differences(model: &Model, reach: Reach) -> Option<Vec<String>> {
    let expected = explore(model, MAX_STATES)?;
    let text = print(model);
    let watched: Vec<String> = model.watched().map(|idx| model.globals[idx].name.clone()).collect();
    let interpreted = load("model.dpml", &text).interpreted();
    let (found, _) = engine::explore(&interpreted, &watched, 4 * MAX_STATES)?;
    let mut wrong = Vec::new();
    compare("the interpreter", &expected, &found, &mut wrong);
    // Searches run native code from the first state on, where the model can be compiled.
    let program = load("model.dpml", &text);
    program.compile();
    for strategy in [Strategy::Dfs, Strategy::Bfs, Strategy::Map] {
        for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse] {
            for workers in [1, 2] {
                let here = searched(&program, strategy, store, workers);
                if here != (expected.kinds.clone(), found.n_states) {
                    wrong.push(format!("{strategy:?} {store:?} {workers}: {here:?}, not {}", found.n_states));
                }
            }
        }
    }
    for collect in [Collect::Count, Collect::None] {
        let program = load("model.dpml", &text).with_dynamics(Dynamics { collect, ..Dynamics::default() });
        if let Some((found, _)) = engine::explore(&program, &watched, 4 * MAX_STATES) {
            compare(&format!("{collect:?}"), &expected, &found, &mut wrong);
        }
    }
    for reductions in REDUCTIONS {
        for interpreted in [false, true] {
            let program = load("model.dpml", &text).with_reductions(reductions);
            let program = if interpreted { program.interpreted() } else { program };
            program.compile();
            let name = format!("{} interpreted {interpreted}", reductions.name());
            for (strategy, workers) in [(Strategy::Dfs, 1), (Strategy::Bfs, 2)] {
                let (kinds, _) = searched(&program, strategy, StoreKind::Exact, workers);
                if kinds != expected.kinds {
                    wrong.push(format!("{name} {strategy:?}: {kinds:?}, not {:?}", expected.kinds));
                }
            }
            let ends = engine::ends(&program, &watched, 4 * MAX_STATES);
            if ends.as_ref().is_some_and(|ends| *ends != expected.finals) {
                wrong.push(format!("{name}: ends {ends:?}, not {:?}", expected.finals));
            }
        }
    }
    if reach == Reach::Translatable
        && let Some(plain) = translate(model)
        && let Some((found, false)) =
            engine::explore(&load("plain.pml", &plain.source), &plain.watched, 6 * MAX_STATES)
    {
        compare("the translation", &expected, &found, &mut wrong);
    }
    Some(wrong)
}

fn compare(who: &str, expected: &Found, found: &Found, wrong: &mut Vec<String>) {
    if (&expected.kinds, &expected.finals) != (&found.kinds, &found.finals) {
        wrong.push(format!(
            "{who}: {:?} {:?}, expected {:?} {:?}",
            found.kinds, found.finals, expected.kinds, expected.finals
        ));
    }
}

fn run(seeds: std::ops::Range<u64>) {
    let n_seeds = (seeds.end - seeds.start) as usize;
    let (mut n_compared, mut n_jumping, mut n_states) = (0, 0, 0);
    for seed in seeds {
        let reach = if seed % 2 == 0 { Reach::Full } else { Reach::Translatable };
        let model = generate(seed, reach);
        let Some(wrong) = differences(&model, reach) else { continue };
        n_compared += 1;
        n_jumping += usize::from(print(&model).contains("goto"));
        n_states += explore(&model, MAX_STATES).map_or(0, |found| found.n_states);
        if !wrong.is_empty() {
            let is_wrong = |model: &Model| differences(model, reach).is_some_and(|wrong| !wrong.is_empty());
            let small = shrink(&model, is_wrong);
            panic!("seed {seed}: {wrong:#?}\n{}\n{:#?}", print(&small), differences(&small, reach));
        }
    }
    println!("{n_compared} models agree, {n_jumping} with jumps, {n_states} states; {n_seeds} were drawn");
    assert!(n_jumping * 8 > n_compared, "{n_jumping} of {n_compared} models jump");
    assert!(n_compared * 10 > n_seeds * 9, "only {n_compared} of {n_seeds} models were compared");
}

#[test]
fn random_models_agree_with_the_references() {
    run(0..60);
}

/// `SEEDS=from-to cargo test --release -p allways-promela --test references -- --ignored many_random
/// --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_random_models_agree_with_the_references() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-1000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"));
}
