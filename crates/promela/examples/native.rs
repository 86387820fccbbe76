//! Compiles a model and says how long that took, and how many states of a search native code has expanded.
//!
//! `cargo run --release -p allways-promela --example native -- MODEL [-DNAME=VALUE]...`

use allways_model::{Batch, Lessons, Model};
use allways_promela::{FileInput, PreprocessOptions, load};
use std::collections::HashSet;
use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a model");
    let options = args
        .filter_map(|arg| arg.strip_prefix("-D").map(str::to_owned))
        .fold(PreprocessOptions::default(), |options, define| options.define(define));
    let program = load(&FileInput::Path(file.into()), &options).program.expect("the model loads");
    let program = program.without_exclusive_checks();
    println!("compiled in {:?}", program.compile());
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).expect("the model starts");
    let mut seen = HashSet::from([batch.vector(0).to_vec()]);
    let mut queue = vec![batch.vector(0).to_vec()];
    let start = Instant::now();
    let mut n_steps = 0;
    let mut expanding = std::time::Duration::ZERO;
    while let Some(state) = queue.pop() {
        batch.clear();
        let begin = Instant::now();
        cursor.load(&state);
        cursor.expand(&mut batch).expect("no fault");
        expanding += begin.elapsed();
        n_steps += batch.len();
        for idx in 0..batch.len() {
            if seen.len() < 300_000 && !seen.contains(batch.vector(idx)) {
                seen.insert(batch.vector(idx).to_vec());
                queue.push(batch.vector(idx).to_vec());
            }
        }
    }
    let per_step = expanding.as_nanos() as f64 / n_steps as f64;
    println!(
        "{} states, {n_steps} steps, {per_step:.0} ns a step expanding, {:?} in all",
        seen.len(),
        start.elapsed()
    );
    for (name, count) in cursor.counters() {
        println!("{count:>10} {name}");
    }
}
