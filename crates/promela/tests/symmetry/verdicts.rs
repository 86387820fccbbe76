//! The same violations with and without symmetry, each with a run of the program that shows it.

use super::detection::{example, program};
use allways_model::Model;
use allways_promela::{Program, Reductions, Symmetric, load_text};
use allways_search::{Config, End, Limits, Outcome, Strategy, replay, search};
use allways_testkit::random_promela::generate;
use std::collections::BTreeSet;

const SEARCHES: [(Strategy, usize); 4] =
    [(Strategy::Dfs, 1), (Strategy::Dfs, 2), (Strategy::Bfs, 1), (Strategy::Bfs, 2)];

fn explore(model: &dyn Model, how: (Strategy, usize), reduce: bool, most: u64) -> Option<Outcome> {
    let limits = Limits { states: Some(most), ..Limits::NONE };
    let config = Config { all_errors: true, reduce, max_findings: 1000, limits, ..Config::new(how.1) };
    let outcome = search(model, how.0, &(), &config);
    match outcome.end {
        End::Exhausted => Some(outcome),
        _ => None,
    }
}

/// The violations by kind, and by place where that does not depend on who is first.
fn violations(outcome: &Outcome) -> BTreeSet<String> {
    let of = |finding: &allways_search::Finding| {
        let violation = &finding.violation;
        match violation.kind() {
            allways_model::ViolationKind::Deadlock => "deadlock".to_owned(),
            kind => format!("{kind:?} {:?}", violation.location),
        }
    };
    outcome.findings.iter().map(of).collect()
}

/// States without and with symmetry, if there are not too many.
fn compare(name: &str, program: &Program, most: u64) -> Option<(u64, u64)> {
    let reduce = program.reductions().order;
    let symmetric = Symmetric::new(program);
    let mut counts = None;
    for how in SEARCHES {
        let plain = explore(program, how, reduce, most)?;
        let Some(outcome) = explore(&symmetric, how, reduce, most) else {
            // A reduction may choose other steps in other states.
            assert!(reduce, "{name}: more states with symmetry than without");
            return None;
        };
        assert_eq!(violations(&outcome), violations(&plain), "{name} by {how:?}");
        assert!(reduce || outcome.stats.states <= plain.stats.states, "{name} by {how:?}");
        for finding in &outcome.findings {
            let run = symmetric.concrete(&finding.path, Some(&finding.violation));
            let (path, violation) = run.unwrap_or_else(|why| panic!("{name} by {how:?}: {why}"));
            let violation = violation.expect("there is one at the end");
            let met = replay(program, &path).unwrap_or_else(|why| panic!("{name} by {how:?}: {why}"));
            let same = |other: &allways_model::Violation| other.message() == violation.message();
            assert!(met.violations.iter().any(same), "{name} by {how:?}: {violation:?}");
        }
        counts = Some((plain.stats.states, outcome.stats.states));
    }
    counts
}

#[test]
fn examples_have_the_same_violations() {
    for (name, defines) in [
        ("readers_writers.pml", &[][..]),
        ("broken_lock.pml", &[]),
        ("print_queue.pml", &[]),
        ("client_server.pml", &[]),
        ("peterson.pml", &[]),
        ("msi_cache.pml", &[]),
        ("philosophers.pml", &[]),
        ("filter_lock.pml", &["N=2"]),
    ] {
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let program = example(name, defines).with_reductions(reductions);
            let counts = compare(name, &program, 100_000);
            println!("{name} {reductions:?}: {counts:?}, {:?}", Symmetric::new(&program).reasons());
        }
    }
}

#[test]
fn a_violation_is_shown_by_a_run_of_the_program() {
    let text = "byte in, owner = 255; active [3] proctype P() { do
         :: owner == 255 -> owner = _pid; in++; assert(in == 1); in--; owner = 255 od }";
    let (plain, symmetric) = compare("broken lock", &program(text), 100_000).unwrap();
    assert!(2 * symmetric < plain, "{symmetric} of {plain}");
}

#[test]
fn random_models_have_the_same_violations() {
    let (mut n_models, mut n_smaller) = (0, 0);
    for seed in 0..150 {
        let model = generate(seed);
        let Some(program) = load_text("model.pml", &model.source).program else { continue };
        if let Some((plain, symmetric)) = compare(&format!("seed {seed}"), &program, 5_000) {
            n_models += 1;
            n_smaller += u64::from(symmetric < plain);
        }
        let Some(program) = load_text("model.pml", &model.source).program else { continue };
        compare(&format!("seed {seed}, reduced"), &program.with_reductions(Reductions::ALL), 5_000);
    }
    println!("{n_models} models, {n_smaller} with fewer states");
    assert!(n_models > 50);
}

/// Random bodies for several processes of one type: each line may or may not use what symmetry allows.
#[test]
fn random_symmetric_models_have_the_same_violations() {
    const LINES: [&str; 14] = [
        "x < 2 -> x++",
        "x > 0 -> x--",
        "o == 255 -> o = _pid",
        "o == _pid -> o = 255",
        "n = x",
        "b[_pid] = !b[_pid]",
        "last = o",
        "last != 255 && b[last] -> n = 1",
        "c!_pid",
        "c?last",
        "c?eval(_pid)",
        "o == last -> assert(n < 2)",
        "atomic { b[_pid] -> x = 0; o = last }",
        "n == 2 -> n = 0; n == 0; x = 1",
    ];
    let (mut n_smaller, mut sums) = (0, (0, 0));
    for seed in 0..60_u64 {
        let mut draw = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut body = String::new();
        for _ in 0..5 {
            draw = draw.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            body += &format!(" :: {}\n", LINES[(draw >> 40) as usize % LINES.len()]);
        }
        let text = format!(
            "byte x, o = 255; bool b[3]; chan c = [1] of {{ byte }};
             active [3] proctype P() {{ byte n, last = 255; do\n{body} od }}"
        );
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let program = program(&text).with_reductions(reductions);
            if let Some((plain, symmetric)) = compare(&text, &program, 60_000)
                && reductions == Reductions::NONE
            {
                n_smaller += u64::from(symmetric < plain);
                sums = (sums.0 + plain, sums.1 + symmetric);
            }
        }
    }
    println!("{n_smaller} models with fewer states, {sums:?} states");
    assert!(n_smaller > 40, "{n_smaller}, {sums:?}");
}
