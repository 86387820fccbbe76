//! The number of states of a product without reduction, against SPIN's own figures.

use allways_model::Model;
use allways_product::Product;
use allways_promela::{Property, Watch, load_text};
use allways_search::{Config, Strategy, search};
use std::sync::Arc;

/// The states of a model's product with its claim `name`, or with `property`, without reduction.
fn states(text: &str, property: &Property) -> u64 {
    let program = load_text("model.pml", text).program.expect("the model is right");
    let watched = program.watched(property, false).expect("the claim is supported");
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
