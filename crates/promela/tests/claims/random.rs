//! Random models with random formulas: every search, store, number of workers and reduction gives the same
//! answer, and that of a plain look at the strongly connected components of the product.

use super::harness::{How, outcome, violated, watch, ways};
use allways_model::{Batch, Lessons, Model};
use allways_product::{Fair, Product};
use allways_promela::{Property, load_text};
use allways_testkit::random_promela::{Rng, formula, generate, propositions};
use std::collections::HashMap;

/// Products with more states are left out.
const MAX_STATES: usize = 3_000;

/// Whether a model has a violation or a cycle through accepting states, by the book; `None` if it is too
/// large.
fn by_the_book(model: &dyn Model) -> Option<bool> {
    let mut cursor = model.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).ok()?;
    let mut numbers = HashMap::from([(batch.vector(0).to_vec(), 0_usize)]);
    let mut states = vec![batch.vector(0).to_vec()];
    let (mut edges, mut accepting) = (Vec::new(), Vec::new());
    let mut wrong = false;
    while edges.len() < states.len() {
        if states.len() > MAX_STATES {
            return None;
        }
        cursor.load(&states[edges.len()]);
        accepting.push(cursor.accepting());
        batch.clear();
        cursor.expand(&mut batch).ok()?;
        wrong |= !batch.violations().is_empty();
        let mut targets = Vec::new();
        for idx in 0..batch.len() {
            let vector = batch.vector(idx);
            let next = states.len();
            let number = *numbers.entry(vector.to_vec()).or_insert(next);
            if number == next {
                states.push(vector.to_vec());
            }
            targets.push(number);
        }
        edges.push(targets);
    }
    Some(wrong || (0..states.len()).any(|state| accepting[state] && reaches_itself(&edges, state)))
}

fn reaches_itself(edges: &[Vec<usize>], state: usize) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut todo = vec![state];
    while let Some(at) = todo.pop() {
        for &to in &edges[at] {
            if to == state {
                return true;
            }
            if !std::mem::replace(&mut seen[to], true) {
                todo.push(to);
            }
        }
    }
    false
}

/// Compares everything on one seed; gives whether there was something to compare, and the verdict.
fn compare(seed: u64) -> Option<bool> {
    let model = generate(seed);
    let rng = &mut Rng::new(seed ^ 0x6c74_6c00);
    let program = load_text("model.pml", &model.source).program?;
    let list = propositions(rng, &program, true);
    let n_claims = program.claims().count();
    let text = format!("{}\nltl property {{ {} }}\n", model.source, formula(rng, &list, 3));
    let load = || load_text("model.pml", &text).program;
    let property = Property::Claim(n_claims);
    let fair = rng.chance(30);
    let plain = How { fair, ..How::PLAIN };
    let (program, claim) = watch(load()?, &property, plain);
    let product = Product::new(&program, claim);
    let fair_product = Fair::new(&product);
    let expected = by_the_book(if fair { &fair_product } else { &product })?;
    for how in ways(fair) {
        let found = violated(&outcome(load()?, &property, how));
        assert_eq!(found, Some(expected), "seed {seed}, {how:?}\n{text}");
    }
    Some(expected)
}

fn compare_all(seeds: std::ops::Range<u64>, least: usize) {
    let found: Vec<bool> = seeds.filter_map(compare).collect();
    let n_violated = found.iter().filter(|violated| **violated).count();
    println!("{} compared, {n_violated} violated", found.len());
    assert!(found.len() >= least && n_violated > least / 8 && found.len() - n_violated > least / 8);
}

#[test]
fn everything_agrees() {
    compare_all(0..150, 60);
}

/// As many as `SEEDS=FROM-TO` says.
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn everything_agrees_on_many() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "1000-3000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS is FROM-TO");
    let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
    compare_all(from..to, (to - from) as usize / 3);
}
