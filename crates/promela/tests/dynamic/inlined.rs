//! Functions against inlines: a function without parameters does what its body does in the place of the call.
//! So a random plain model goes wrong in the same ways whether its parts are inlines or functions: with
//! `unless` around and inside them, atomic sequences, loops and channels.
//!
//! Where a call could be told from its body, none is drawn: no option or escape begins with one, nothing
//! beside `else` waits for another process, and no call is the last statement in front of an escape (the
//! return is a statement of its own). There is no rendezvous: a process in front of a call is not ready for
//! one.

use super::harness::program;
use allways_promela::{Program, Reductions, load_text};
use allways_search::{Config, End, Limits, Strategy, search};
use allways_testkit::random_promela::Rng;
use std::collections::BTreeSet;
use std::fmt::Write;

struct Draw {
    rng: Rng,
    /// Whether `unless` may be drawn here. One inside another is not: which escape goes first then depends,
    /// in SPIN, on numbers of control states.
    escapes: bool,
    /// How many functions can be called.
    n_callable: u32,
    text: String,
}

impl Draw {
    fn put(&mut self, list: &[&str]) {
        let text = *self.rng.pick(list);
        self.text.push_str(text);
    }

    fn simple(&mut self) {
        self.put(&[
            "x = x + 1",
            "y = 1 - y",
            "x = 0",
            "assert(x < 3)",
            "assert(y == 0 || x > 0)",
            "assert(x != 2 || y == 0)",
            "c!1",
            "c?_",
            "d!x",
            "d?x",
            "x > 1",
            "y == 1",
            "skip",
            "d_step { x = y; y = 0 }",
        ]);
    }

    /// Always executable, or waits for a variable.
    fn guard(&mut self) {
        self.put(&["skip", "x > 0", "x == 2", "y == 1", "y == 0", "x < 2"]);
    }

    fn statements(&mut self, n: u32, depth: u32) {
        for idx in 0..n {
            if idx > 0 {
                self.text.push_str("; ");
            }
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth < 3 { 14 } else { 6 }) {
            6 | 7 if self.n_callable > 0 => {
                let callee = self.rng.below(self.n_callable);
                let _ = write!(self.text, "f{callee}()");
            }
            8 => {
                self.text.push_str("atomic { ");
                self.statements(2, depth + 1);
                self.text.push_str(" }");
            }
            9 => {
                self.text.push_str("if :: ");
                self.guard();
                self.text.push_str("; ");
                self.statements(2, depth + 1);
                self.text.push_str(" :: ");
                self.guard();
                self.text.push_str("; ");
                self.statements(1, depth + 1);
                if self.rng.chance(50) {
                    self.text.push_str(" :: else");
                }
                self.text.push_str(" fi");
            }
            10..=12 if std::mem::take(&mut self.escapes) => {
                self.text.push_str("{ ");
                self.statements(2, depth + 1);
                self.text.push_str("; skip } unless { ");
                self.guard();
                self.text.push_str("; ");
                self.statements(1, depth + 1);
                self.text.push_str(" }");
                self.escapes = true;
            }
            13 => {
                self.text.push_str("do :: z < 2 -> z++; ");
                self.statements(1, depth + 2);
                self.text.push_str(" :: z == 2 -> z = 0; break od");
            }
            _ => self.simple(),
        }
    }

    /// A model whose functions begin with this word.
    fn model(seed: u64, word: &str) -> String {
        let mut draw =
            Draw { rng: Rng::new(seed), escapes: seed % 2 == 1, n_callable: 0, text: String::new() };
        draw.text.push_str("byte x, y, z; chan c = [2] of { byte }; chan d = [1] of { byte };\n");
        for function in 0..3 {
            let _ = write!(draw.text, "{word} f{function}() {{ ");
            let n = draw.rng.range(1, 3);
            draw.statements(n, 1);
            draw.text.push_str(" }\n");
            draw.n_callable += 1;
            // The others call this one.
            draw.escapes = false;
        }
        draw.escapes = seed.is_multiple_of(2);
        for process in 0..2 {
            let _ = write!(draw.text, "active proctype p{process}() {{ ");
            let n = draw.rng.range(2, 4);
            draw.statements(n, 0);
            draw.text.push_str("; skip }\n");
        }
        draw.text
    }
}

/// What goes wrong: the kinds, and the assertions that fail; nothing if the model is large.
fn wrong(program: &Program) -> Option<(BTreeSet<String>, u64)> {
    let config = Config {
        all_errors: true,
        max_findings: 1_000,
        reduce: program.reductions().order,
        limits: Limits { states: Some(20_000), ..Limits::NONE },
        ..Config::new(1)
    };
    let outcome = search(program, Strategy::Dfs, &(), &config);
    let End::Exhausted = outcome.end else { return None };
    let found = outcome.findings.iter().map(|finding| match finding.violation.kind() {
        allways_model::ViolationKind::Assertion => finding.violation.message().to_string(),
        kind => kind.name().to_owned(),
    });
    Some((found.collect(), outcome.stats.states))
}

fn run(seeds: std::ops::Range<u64>) {
    let (mut n_models, mut n_wrong, mut n_escapes) = (0, 0, 0);
    for seed in seeds {
        let (inlined, called) = (Draw::model(seed, "inline"), Draw::model(seed, "function"));
        let plain = load_text("model.pml", &inlined).program.unwrap_or_else(|| panic!("{inlined}"));
        let Some((expected, _)) = wrong(&plain) else { continue };
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let Some((found, _)) = wrong(&program(&called).with_reductions(reductions)) else { continue };
            assert_eq!(found, expected, "seed {seed} {reductions:?}\n{called}");
        }
        n_models += 1;
        n_wrong += u32::from(!expected.is_empty());
        n_escapes += u32::from(called.contains("unless"));
    }
    println!("{n_models} models, {n_wrong} go wrong, {n_escapes} with unless");
    assert!(n_wrong * 3 > n_models && n_escapes * 3 > n_models);
}

#[test]
fn functions_do_what_inlines_do() {
    run(0..150);
}

/// `SEEDS=from-to cargo test -p allways-promela --test promela -- --ignored many_functions_do --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_functions_do_what_inlines_do() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-5000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    run(from.parse().expect("a number")..to.parse().expect("a number"));
}
