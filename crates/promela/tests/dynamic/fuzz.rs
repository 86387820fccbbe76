//! No text with pointers, objects and functions makes the front end, the reductions, the code generator or a
//! search panic.

use super::harness::loaded;
use allways_promela::Reductions;
use allways_promela::options::{Collect, Dynamics};
use allways_search::{Config, End, Limits, Strategy, search};
use allways_testkit::dynamic::sharing;
use allways_testkit::random_promela::Rng;
use std::time::{Duration, Instant};

/// What the extension adds, and what it meets.
const WORDS: [&str; 52] = [
    "&",
    "& ",
    "null",
    "new ",
    "new Node",
    "new int[2]",
    "new chan [1] of { byte & }",
    "delete(p)",
    "delete(",
    "ftype ",
    "function ",
    "return",
    "return ",
    "return f()",
    "return p",
    ": int ",
    ": Node & ",
    "Node &n; ",
    "int &r; ",
    "byte z = 1; ",
    "{ ",
    " }",
    "(",
    ")",
    "[1]",
    "[i]",
    ".next",
    ".v",
    ".a[1]",
    "; ",
    " -> ",
    "unless ",
    "atomic ",
    "d_step ",
    "goto again0",
    "again0: ",
    "do :: ",
    " od",
    "if :: ",
    " fi",
    "else",
    "p",
    "q",
    "g",
    "x",
    "op",
    "set",
    "bump(&x)",
    "run child(p, &x)",
    "c!p",
    "c?q",
    "= ",
];

/// Loads a text; if it is a model, a part of it is searched in some way.
fn survives(text: &str, way: u64) -> bool {
    let start = Instant::now();
    let Some(program) = loaded(text).program else { return false };
    let dynamics = Dynamics {
        collect: [Collect::Sweep, Collect::Count, Collect::None][way as usize % 3],
        leaks: way.is_multiple_of(5),
        reuse_addresses: way.is_multiple_of(7),
        symmetry: !way.is_multiple_of(11),
        max_frames: 5,
        max_objects: 20,
    };
    let reductions = if way.is_multiple_of(2) { Reductions::ALL } else { Reductions::NONE };
    let program = program.with_dynamics(dynamics).with_reductions(reductions);
    if way.is_multiple_of(3) {
        program.compile();
    }
    let config = Config {
        all_errors: true,
        reduce: program.reductions().order,
        limits: Limits { states: Some(200), time: Some(Duration::from_secs(5)), ..Limits::NONE },
        ..Config::new(1)
    };
    let outcome = search(&program, Strategy::Dfs, &(), &config);
    assert!(!matches!(outcome.end, End::Refine), "{text}");
    for finding in outcome.findings.iter().take(2) {
        let replayed =
            allways_search::replay(&program, &finding.path).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(replayed.violations.iter().any(|violation| violation.is_same(&finding.violation)), "{text}");
    }
    assert!(start.elapsed() < Duration::from_secs(60), "slow on {text}");
    true
}

fn mutated(rng: &mut Rng, text: &str) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..rng.range(1, 3) {
        // Between two words.
        let from = rng.below(text.len() as u32) as usize;
        let at = from + text[from..].iter().position(|c| *c == ' ').unwrap_or(0);
        match rng.below(4) {
            0 => {
                let end = (at + rng.below(6) as usize).min(text.len());
                text.drain(at..end);
            }
            1 => {
                // A piece of the text again, elsewhere.
                let end = (at + rng.below(20) as usize).min(text.len());
                let piece: Vec<char> = text[at..end].to_vec();
                let to = rng.below(text.len() as u32) as usize;
                text.splice(to..to, piece);
            }
            _ => {
                let word = *rng.pick(&WORDS);
                text.splice(at..at, word.chars());
            }
        }
    }
    text.into_iter().collect()
}

fn run(seeds: std::ops::Range<u64>) {
    let (mut n_texts, mut n_loaded) = (0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed ^ 0xf022);
        let base = sharing::generate(seed % 97);
        for _ in 0..12 {
            let text = mutated(&mut rng, &base);
            n_texts += 1;
            n_loaded += u32::from(survives(&text, u64::from(rng.below(1000))));
        }
        let words: String = (0..rng.below(40)).map(|_| format!("{} ", rng.pick(&WORDS))).collect();
        survives(
            &format!(
                "typedef Node {{ byte v; Node &next }}; Node &g; byte x; active proctype P() {{ Node &p; Node &q; byte i; {words} }}"
            ),
            seed,
        );
    }
    println!("{n_loaded} of {n_texts} texts are models");
    assert!(n_loaded * 40 > n_texts, "{n_loaded} of {n_texts}");
}

#[test]
fn mutated_models_are_survived() {
    run(0..25);
}

/// `SEEDS=from-to cargo test -p allways-promela --test promela -- --ignored many_mutated_models --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are tried always"]
fn many_mutated_models_are_survived() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-3000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"));
}
