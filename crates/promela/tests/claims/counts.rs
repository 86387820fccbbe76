//! The number of states of a product without reduction, against SPIN's own figures.

use allways_model::Model;
use allways_product::Product;
use allways_promela::{Property, Watch, load_text};
use allways_search::{Config, Strategy, search};
use std::sync::Arc;

/// The states of a model's product with its claim `name`, or with `property`, without reduction.
fn states(text: &str, property: &Property) -> u64 {
    let program = load_text("model.pml", text).program.expect("the model is right");
    let watched = program.watched(property).expect("the claim is supported");
    let Watch::Claim(claim) = watched.watch else { panic!("this is a formula") };
    let product = Product::new(&watched.program, Arc::new(claim));
    let config = Config { all_errors: true, ..Config::new(1) };
    search(&product as &dyn Model, Strategy::Dfs, &(), &config).stats.states
}

#[test]
fn a_claim_that_waits() {
    let text = "byte x;
        active proctype p() { do :: x = 1 - x :: atomic { x = 1; x = 0 } od }
        never { T0: do :: x == 1 -> goto acc :: true od; acc: accept: do :: x == 1 od }";
    assert_eq!(states(text, &Property::Claim(0)), 3);
}

#[test]
fn corpus() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/spin");
    let Ok(figures) = std::fs::read_to_string(dir.join("figures.json")) else { return };
    let figures: serde_json::Value = serde_json::from_str(&figures).unwrap();
    let mut wrong = Vec::new();
    let mut n = 0;
    for entry in figures.as_array().unwrap() {
        let name = entry["model"].as_str().unwrap();
        for run in entry["runs"].as_array().unwrap() {
            let kind = run["run"].as_str().unwrap();
            let args = run["pan_args"].as_str().unwrap_or_default();
            if !(kind.starts_with("c_nored") || kind.starts_with("np_nored")) || run["complete"] != true {
                continue;
            }
            let input = allways_promela::FileInput::Path(dir.join(name));
            let Some(program) = allways_promela::load(&input, &Default::default()).program else {
                wrong.push(format!("{name}: does not load"));
                continue;
            };
            let property = if kind.starts_with("np") {
                Property::NonProgress
            } else if let Some((_, claim)) = args.split_once("-N ") {
                Property::Claim(program.claims().position(|one| **one == *claim.trim()).unwrap())
            } else if program.claims().count() > 0 {
                Property::Claim(0)
            } else {
                Property::Acceptance
            };
            let expected = run["stored"].as_u64().unwrap();
            let watched = match program.watched(&property) {
                Ok(watched) => watched,
                Err(why) => {
                    wrong.push(format!("{name} {kind} {args}: {}", why.message));
                    continue;
                }
            };
            let Watch::Claim(claim) = watched.watch else { continue };
            let product = Product::new(&watched.program, Arc::new(claim));
            let config = Config { all_errors: true, ..Config::new(2) };
            let outcome = search(&product as &dyn Model, Strategy::Dfs, &(), &config);
            n += 1;
            if outcome.stats.states != expected {
                wrong.push(format!("{name} {kind} {args}: {} and not {expected}", outcome.stats.states));
            }
        }
    }
    assert!(wrong.is_empty(), "{n} compared, {}", wrong.join("\n"));
}
