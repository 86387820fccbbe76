//! Models with pointers, objects, functions and scopes: the same violations with and without reductions,
//! by every search and with every store.

use super::verdicts::{REDUCTIONS, compare, explore, explore_in};
use crate::claims::harness::{How, outcome, violated};
use allways_promela::options::{Collect, Dynamics};
use allways_promela::{FileInput, PreprocessOptions, Program, Property, Reductions, load};
use allways_search::{StoreKind, Strategy};
use allways_testkit::dynamic::generate::{Reach, generate};
use allways_testkit::dynamic::print::print;
use allways_testkit::dynamic::sharing;

/// A model that must load.
#[track_caller]
pub(crate) fn program(source: &str) -> Program {
    try_load(source).unwrap_or_else(|message| panic!("the model does not load: {message}\n{source}"))
}

pub(crate) fn try_load(source: &str) -> Result<Program, String> {
    let input = FileInput::Text { name: "model.dpml".into(), text: source.into() };
    let loaded = load(&input, &PreprocessOptions::default());
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    loaded.program.ok_or_else(|| messages.join("; "))
}

fn run(seeds: std::ops::Range<u64>, text: impl Fn(u64) -> String) {
    let n_seeds = seeds.end - seeds.start;
    let (mut n_models, mut plain, mut reduced) = (0, 0, 0);
    for seed in seeds {
        let source = text(seed);
        // What a process cannot be given is refused by name.
        let Ok(_) = try_load(&source) else { continue };
        let load = || program(&source);
        let name = format!("seed {seed}\n{source}\n");
        if let Some((without, with)) = compare(&name, load, &REDUCTIONS, Some(20_000)) {
            let program = load().with_reductions(Reductions::ALL);
            let exact = explore(&program, Strategy::Dfs, 1, None);
            for store in [StoreKind::Tree, StoreKind::Collapse] {
                assert_eq!(explore_in(store, &program, Strategy::Dfs, 1, None), exact, "{store:?} {name}");
            }
            n_models += 1;
            plain += without;
            reduced += with;
        }
    }
    println!("{n_models} models, {plain} states without reductions, {reduced} with");
    assert!(n_models * 10 > n_seeds * 7, "only {n_models} of {n_seeds} models were compared");
}

/// The options under which `dead` keeps pointers: the same violations with it and without.
fn run_with_options(seeds: std::ops::Range<u64>, text: impl Fn(u64) -> String) {
    let options = [
        Dynamics { leaks: true, ..Dynamics::default() },
        Dynamics { reuse_addresses: true, ..Dynamics::default() },
        Dynamics { collect: Collect::None, ..Dynamics::default() },
        Dynamics { collect: Collect::Count, ..Dynamics::default() },
        Dynamics { symmetry: false, ..Dynamics::default() },
    ];
    let (mut n_models, mut n_smaller) = (0, 0);
    for seed in seeds {
        let source = text(seed);
        let Ok(_) = try_load(&source) else { continue };
        for options in options {
            if options.reuse_addresses && source.contains("d_step { p = new Node") {
                continue;
            }
            let load = || program(&source).with_dynamics(options);
            let dead = [Reductions { dead: true, ..Reductions::NONE }];
            let name = format!("seed {seed} {options:?}\n{source}\n");
            let Some((plain, reduced)) = compare(&name, load, &dead, Some(5_000)) else { continue };
            n_models += 1;
            n_smaller += u32::from(reduced < plain);
        }
    }
    println!("{n_models} models with options, {n_smaller} of them smaller");
    assert!(n_models > 0 && n_smaller > 0);
}

#[test]
fn dead_variables_change_no_verdict_with_other_options() {
    run_with_options(0..12, sharing::generate);
    run_with_options(0..12, terminating);
}

fn seeds(default: &str) -> std::ops::Range<u64> {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| default.into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    from.parse().expect("a number")..to.parse().expect("a number")
}

pub(crate) fn terminating(seed: u64) -> String {
    print(&generate(seed, if seed.is_multiple_of(2) { Reach::Full } else { Reach::Translatable }))
}

#[test]
fn models_that_share_objects_have_the_same_violations() {
    run(0..60, sharing::generate);
}

#[test]
fn dynamic_models_have_the_same_violations() {
    run(0..40, terminating);
}

/// A formula about a model that shares objects: the same verdict with and without reductions. Models that go
/// wrong besides are left out.
fn run_formulas(seeds: std::ops::Range<u64>) {
    let (mut n_models, mut n_violated) = (0, 0);
    for seed in seeds {
        let source = sharing::generate_with_formula(seed);
        let Ok(_) = try_load(&source) else { continue };
        let Some((found, states)) = explore(&program(&source), Strategy::Dfs, 1, Some(3_000)) else {
            continue;
        };
        if found.iter().any(|violation| !violation.starts_with("deadlock")) || states < 20 {
            continue;
        }
        let check = |how: How| violated(&outcome(program(&source), &Property::Claim(0), how));
        let expected = check(How::PLAIN);
        let every = How { all_errors: true, ..How::PLAIN };
        let ways = [
            How { reductions: Reductions::ALL, ..How::PLAIN },
            How { reductions: Reductions { order: true, ..Reductions::NONE }, ..How::PLAIN },
            How { reductions: Reductions { merge: true, ..Reductions::NONE }, ..How::PLAIN },
            How { reductions: Reductions::ALL, strategy: Strategy::Scc, ..every },
            How { reductions: Reductions::ALL, strategy: Strategy::Map, workers: 2, ..How::PLAIN },
        ];
        for how in ways {
            assert_eq!(check(how), expected, "seed {seed} {how:?}\n{source}");
        }
        n_models += 1;
        n_violated += u32::from(expected == Some(true));
    }
    println!("{n_models} formulas, {n_violated} of them violated");
    assert!(n_models > 0);
}

#[test]
fn formulas_through_pointers_have_the_same_verdict() {
    run_formulas(0..150);
}

/// The sets that are chosen are persistent, tried state by state.
#[test]
fn chosen_sets_are_persistent_with_objects() {
    for seed in seeds("0-60") {
        for source in [sharing::generate(seed), terminating(seed)] {
            let Ok(program) = try_load(&source) else { continue };
            let order = Reductions { order: true, ..Reductions::NONE };
            super::persistence::check(&format!("seed {seed}\n{source}"), &program.with_reductions(order));
        }
    }
}

/// `SEEDS=from-to cargo test -p allways-promela --test promela -- --ignored many_dynamic --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_dynamic_models_have_the_same_violations() {
    run(seeds("0-500"), sharing::generate);
    run(seeds("0-500"), terminating);
    run_formulas(seeds("0-2000"));
    run_with_options(seeds("0-300"), sharing::generate);
    run_with_options(seeds("0-300"), terminating);
}

#[test]
fn examples_have_the_same_violations() {
    let cases: [(&str, &[&str]); 14] = [
        ("btree.dpml", &[]),
        ("btree.dpml", &["BROKEN"]),
        ("list.dpml", &[]),
        ("list.dpml", &["BROKEN"]),
        ("treiber.dpml", &[]),
        ("treiber.dpml", &["POOL=1"]),
        ("handover.dpml", &[]),
        ("handover.dpml", &["BROKEN"]),
        ("shapes.dpml", &[]),
        ("shapes.dpml", &["BROKEN"]),
        ("mergesort.dpml", &[]),
        ("mergesort.dpml", &["BROKEN"]),
        ("refcount.dpml", &[]),
        ("refcount.dpml", &["LATE"]),
    ];
    for (file, defines) in cases {
        let load = || example(file, defines);
        let (plain, reduced) = compare(file, load, &REDUCTIONS, None).expect("it is small");
        println!("{file} {defines:?}: {plain} states, {reduced} with reductions");
    }
}

pub(crate) fn example(file: &str, defines: &[&str]) -> Program {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela").join(file);
    let options = defines.iter().fold(PreprocessOptions::default(), |options, one| options.define(*one));
    load(&FileInput::Path(path), &options).program.expect("the example loads")
}

/// Where the order of steps is part of a state, or of what goes wrong, nothing is reduced, and it is said
/// why.
#[test]
fn what_depends_on_the_order_of_steps_is_not_reduced() {
    let cases: [(Dynamics, &str); 5] = [
        (Dynamics { leaks: true, ..Dynamics::default() }, "--leaks"),
        (Dynamics { reuse_addresses: true, ..Dynamics::default() }, "--reuse-addresses"),
        (Dynamics { collect: Collect::None, ..Dynamics::default() }, "--collect"),
        (Dynamics { collect: Collect::Count, ..Dynamics::default() }, "--collect"),
        (Dynamics { symmetry: false, ..Dynamics::default() }, "symmetry"),
    ];
    for (options, why) in cases {
        let program = example("handover.dpml", &[]).with_dynamics(options).with_reductions(Reductions::ALL);
        assert!(program.irreducible().is_some_and(|text| text.contains(why)), "{why}");
        let reductions = program.reductions();
        assert!(!reductions.order && !reductions.merge, "{why}");
    }
}
