//! What is shown of a run is true: a run found with reductions shows the values and changes of the same moves
//! without any.
//!
//! A run is found in the reduced program and shown in the one that keeps all values
//! ([`allways_promela::Program::with_real_values`]). Its moves (process, place, statement) are then followed
//! in the plain program, where each must change, send and print the same, and each stored state must have the
//! same variables.

use super::dynamic::{example, program, terminating, try_load};
use allways_model::{Batch, Claim, Cursor, Lessons, Model, Move, Process, Snapshot, StepKey, Variable};
use allways_product::{Fair, Product};
use allways_promela::options::Dynamics;
use allways_promela::{Program, Property, Reductions, Symmetric, Watch, load_text};
use allways_search::{Bits, Config, Finding, Limits, StoreKind, Strategy, WalkPlan, search};
use allways_testkit::dynamic::sharing;
use allways_testkit::random_promela::{Mode, Rng, formula, generate_in, propositions};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Searches end after this many states.
const MAX_STATES: u64 = 3_000;
/// Counterexamples of each search that are compared.
const MAX_FINDINGS: usize = 3;

/// Random walks, and the most steps of one.
const N_WALKS: u64 = 6;
const MAX_WALK: u64 = 150;

/// A step as it is shown.
struct Shown {
    moves: Vec<Move>,
    /// What the state after it is shown as; none if it ends in a violation.
    after: Option<Picture>,
    /// The state inside it in which it goes wrong, if it ends in a violation.
    failing: Option<Snapshot>,
}

/// A way to search.
#[derive(Clone, Copy, Debug)]
struct Way {
    strategy: Strategy,
    workers: usize,
    store: StoreKind,
}

impl Way {
    /// Walks are no longer than this; other searches have no limit.
    fn depth(&self) -> Option<u64> {
        self.strategy.draw(1).map(|_| MAX_WALK)
    }
}

const fn way(strategy: Strategy, workers: usize, store: StoreKind) -> Way {
    Way { strategy, workers, store }
}

/// Searches that visit states.
const VISITS: [Way; 8] = [
    way(Strategy::Dfs, 1, StoreKind::Exact),
    way(Strategy::Dfs, 2, StoreKind::Tree),
    way(Strategy::Dfs, 1, StoreKind::Bitstate(Bits { n_bits: Some(1 << 14), n_hashes: 2 })),
    way(Strategy::Bfs, 1, StoreKind::Exact),
    way(Strategy::Bfs, 2, StoreKind::Collapse),
    way(Strategy::Preemptions, 1, StoreKind::Exact),
    way(Strategy::Walk, 1, StoreKind::Exact),
    way(Strategy::Pct, 1, StoreKind::Exact),
];

/// Searches for cycles.
const CYCLES: [Way; 4] = [
    way(Strategy::Ndfs, 1, StoreKind::Exact),
    way(Strategy::Scc, 1, StoreKind::Exact),
    way(Strategy::Map, 2, StoreKind::Exact),
    way(Strategy::Cndfs, 2, StoreKind::Exact),
];

/// A state as people see it.
type Picture = (Vec<Variable>, Vec<Process>);

fn picture(model: &dyn Model, state: &[u8]) -> Picture {
    (model.variables(state), model.processes(state))
}

/// A program, perhaps under the eyes of a claim.
fn with_model<T>(
    program: &Program,
    claim: Option<&Arc<Claim>>,
    fair: bool,
    run: impl FnOnce(&dyn Model) -> T,
) -> T {
    let Some(claim) = claim else { return run(program) };
    let product = Product::new(program, claim.clone());
    if fair { run(&Fair::new(&product)) } else { run(&product) }
}

/// Expands `state`; gives what the step `key` leads to, if it leads to a state.
fn take(cursor: &mut dyn Cursor, state: &[u8], key: StepKey) -> Option<Vec<u8>> {
    let mut batch = Batch::new();
    cursor.load(state);
    let _ = cursor.expand(&mut batch);
    let entry = batch.entries().iter().position(|entry| entry.key == key);
    assert!(entry.is_some() || batch.violations().iter().any(|v| v.key == Some(key)), "no such step");
    entry.map(|idx| batch.vector(idx).to_vec())
}

fn initial(cursor: &mut dyn Cursor) -> Vec<u8> {
    let mut batch = Batch::new();
    cursor.initial(&mut batch).expect("it starts");
    batch.vector(0).to_vec()
}

/// The steps of a finding as they are shown; each state must be the searched one but for what is forgotten
/// there.
fn shown(program: &Program, searched: &dyn Model, real: &dyn Model, finding: &Finding) -> Vec<Shown> {
    let (mut a, mut b) = (searched.cursor(Lessons::none()), real.cursor(Lessons::none()));
    let (mut reduced, mut full) = (initial(&mut *a), initial(&mut *b));
    let mut steps = Vec::new();
    for &key in &finding.path.steps {
        b.load(&full);
        let mut moves = b.explain(key).expect("the step is there");
        moves.retain(|step| step.process.is_some());
        let (next, next_full) = (take(&mut *a, &reduced, key), take(&mut *b, &full, key));
        assert_eq!(next.is_some(), next_full.is_some(), "both go on, or none");
        let after = next_full.as_deref().map(|state| picture(real, state));
        if let (Some(next), Some(next_full)) = (next, next_full) {
            let mut forgotten = next_full.clone();
            program.forget(&mut forgotten);
            assert_eq!(forgotten, next, "the searched state");
            (reduced, full) = (next, next_full);
        }
        let failing = if after.is_none() { b.failing_state(key) } else { None };
        steps.push(Shown { moves, after, failing });
    }
    steps
}

/// Follows the moves of `steps` in the plain program; what is shown must be true there.
fn follow(plain: &Program, steps: &[Shown]) -> Result<(), String> {
    let moves: Vec<&Move> = steps.iter().flat_map(|step| &step.moves).collect();
    let mut ends = vec![None; moves.len() + 1];
    let mut at = 0;
    for step in steps {
        at += step.moves.len();
        ends[at] = step.after.as_ref();
    }
    let mut cursor = plain.cursor(Lessons::none());
    let mut todo = vec![(initial(&mut *cursor), 0)];
    let mut wrong = "no such run".to_owned();
    let is_same = |a: &Move, b: &Move| a.process == b.process && a.location == b.location && a.text == b.text;
    while let Some((state, at)) = todo.pop() {
        if ends[at].is_some_and(|expected| *expected != picture(plain, &state)) {
            wrong = format!("after {at} moves: {:?}\nshown: {:?}", picture(plain, &state), ends[at]);
            continue;
        }
        if at == moves.len() {
            return Ok(());
        }
        let mut batch = Batch::new();
        cursor.load(&state);
        let _ = cursor.expand(&mut batch);
        let violations = batch.violations().iter().filter_map(|v| Some((v.key?, None)));
        let entries = batch.entries().iter().enumerate().map(|(idx, entry)| (entry.key, Some(idx)));
        for (key, entry) in entries.chain(violations).collect::<Vec<_>>() {
            let taken = cursor.explain(key).expect("every step is explained");
            let rest = &moves[at..];
            let fits = taken.len() <= rest.len() && taken.iter().zip(rest).all(|(a, b)| is_same(a, b));
            if !fits {
                continue;
            }
            if let Some((a, b)) = taken.iter().zip(rest).find(|(a, b)| *a != **b) {
                wrong = format!("move {at}: {a:?}\nshown: {b:?}");
                continue;
            }
            match entry {
                Some(idx) => todo.push((batch.vector(idx).to_vec(), at + taken.len())),
                None if taken.len() == rest.len() => {
                    let shown = &steps.last().expect("a run that goes wrong has steps").failing;
                    let failing = cursor.failing_state(key);
                    if failing == *shown {
                        return Ok(());
                    }
                    wrong = format!("it fails in {failing:?}\nshown: {shown:?}");
                }
                None => {}
            }
        }
    }
    Err(wrong)
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    models: usize,
    runs: usize,
    endless: usize,
    /// Runs that end inside a step.
    failing: usize,
    symmetric: usize,
    steps: usize,
}

/// Compares the counterexamples of one property by several searches.
fn compare(
    name: &str,
    load: &dyn Fn() -> Program,
    property: Option<&Property>,
    fair: bool,
    tally: &mut Tally,
) {
    for reductions in [Reductions::ALL, Reductions { dead: true, ..Reductions::NONE }] {
        let (program, claim, reductions) = match property {
            None => (load(), None, reductions),
            Some(property) => {
                let Ok(watched) = load().watched(property, fair) else { return };
                match watched.watch {
                    Watch::Claim(claim) => (watched.program, Some(Arc::new(claim)), reductions),
                    Watch::Formula(formula, name) => {
                        let steps = !formula.has_next();
                        let reductions = Reductions {
                            merge: reductions.merge && steps,
                            order: reductions.order && steps,
                            ..reductions
                        };
                        let claim = allways_ltl::violations(&formula, &name, &watched.propositions);
                        (watched.program, Some(Arc::new(claim.expect("it is small"))), reductions)
                    }
                }
            }
        };
        let program = program.with_reductions(reductions);
        let real = program.with_real_values().expect("values are reset");
        let ways: &[Way] = if claim.is_some() { &CYCLES } else { &VISITS };
        with_model(&program, claim.as_ref(), fair, |searched| {
            with_model(&real, claim.as_ref(), fair, |shown_in| {
                assert_eq!(searched.digest(), shown_in.digest());
                let mut compare_finding = |finding: &Finding, way: &dyn std::fmt::Debug| {
                    let steps = shown(&program, searched, shown_in, finding);
                    let message = finding.violation.message();
                    follow(&load(), &steps).unwrap_or_else(|wrong| {
                        panic!("{name}, {property:?}, {way:?}, {reductions:?}, '{message}': {wrong}")
                    });
                    tally.runs += 1;
                    tally.endless += usize::from(finding.cycle.is_some());
                    tally.failing += usize::from(steps.last().is_some_and(|step| step.failing.is_some()));
                    tally.steps += steps.len();
                };
                let config = |way: &Way| Config {
                    all_errors: claim.is_none(),
                    max_findings: MAX_FINDINGS,
                    store: way.store,
                    reduce: program.reductions().order && way.strategy.draw(1).is_none(),
                    limits: Limits { states: Some(MAX_STATES), depth: way.depth(), ..Limits::NONE },
                    walks: WalkPlan { most: Some(N_WALKS), ..WalkPlan::default() },
                    ..Config::new(way.workers)
                };
                for way in ways {
                    let found = search(searched, way.strategy, &(), &config(way)).findings;
                    found.iter().for_each(|finding| compare_finding(finding, way));
                }
                if claim.is_none() && !program.is_dynamic() {
                    let symmetric = Symmetric::new(&program);
                    for finding in search(&symmetric, Strategy::Dfs, &(), &config(&VISITS[0])).findings {
                        let run = symmetric.concrete(&finding.path, Some(&finding.violation));
                        let Ok((path, Some(violation))) = run else { continue };
                        tally.symmetric += 1;
                        compare_finding(&Finding { path, violation, cycle: None }, &"symmetry");
                    }
                }
            });
        });
    }
}

/// Compares safety, every claim and cycles without progress.
fn compare_model(name: &str, load: &dyn Fn() -> Program, fair: bool, tally: &mut Tally) {
    tally.models += 1;
    compare(name, load, None, false, tally);
    let claims = (0..load().claims().count()).map(Property::Claim);
    for property in claims.chain([Property::NonProgress, Property::Acceptance]) {
        compare(name, load, Some(&property), fair, tally);
    }
}

/// Models of random seeds, each with a random formula.
fn compare_random(seeds: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mode = if seed % 4 == 3 { Mode::Hostile } else { Mode::Counted };
        let model = generate_in(seed, mode);
        let rng = &mut Rng::new(seed ^ 0x7368_6f77);
        let Some(program) = load_text("model.pml", &model.source).program else { continue };
        let list = propositions(rng, &program, true);
        let text = format!("{}\nltl property {{ {} }}\n", model.source, formula(rng, &list, 3));
        let fair = rng.chance(30);
        // A model with claims has no globals that are never written, so safety is compared without the
        // formula.
        let load = |text: &str| load_text("model.pml", text).program;
        let name = format!("seed {seed}");
        compare_model(&name, &|| load(&model.source).expect("it was loaded before"), fair, &mut tally);
        if load(&text).is_some() {
            let property = Property::Claim(program.claims().count());
            compare(&name, &|| load(&text).expect("it was loaded before"), Some(&property), fair, &mut tally);
        }
    }
    println!("{tally:?}");
    tally
}

#[test]
fn random_models_show_real_values() {
    let tally = compare_random(0..30);
    assert!(tally.runs > tally.models && tally.endless > tally.models / 4, "{tally:?}");
    assert!(tally.failing > tally.models / 4 && tally.symmetric > tally.models / 4, "{tally:?}");
}

/// `SEEDS=from-to cargo test --release -p allways-promela --test promela -- --ignored
/// many_random_models_show --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_random_models_show_real_values() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-2000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    compare_random(from.parse().expect("a number")..to.parse().expect("a number"));
}

#[test]
fn examples_show_real_values() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut tally = Tally::default();
    for entry in std::fs::read_dir(dir).expect("there are examples") {
        let file = entry.expect("an entry").path();
        if file.extension().is_none_or(|ending| ending != "pml") {
            continue;
        }
        let load = || {
            let input = allways_promela::FileInput::Path(file.clone());
            allways_promela::load(&input, &allways_promela::PreprocessOptions::default())
                .program
                .expect("it loads")
        };
        compare_model(&file.display().to_string(), &load, false, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.models > 20 && tally.runs > 10, "{tally:?}");
}

/// Runs of models with objects and functions, of which some are only part of a state without reductions.
fn compare_dynamic(seeds: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        for source in [sharing::generate(seed), sharing::generate_with_formula(seed), terminating(seed)] {
            let Ok(_) = try_load(&source) else { continue };
            compare_model(&format!("seed {seed}\n{source}"), &|| program(&source), false, &mut tally);
        }
    }
    println!("{tally:?}");
    tally
}

#[test]
fn random_dynamic_models_show_real_values() {
    let tally = compare_dynamic(0..12);
    assert!(tally.runs > tally.models && tally.failing > tally.models / 4, "{tally:?}");
}

/// `SEEDS=from-to cargo test --release -p allways-promela --test promela -- --ignored
/// many_random_dynamic_models_show --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_random_dynamic_models_show_real_values() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-300".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    compare_dynamic(from.parse().expect("a number")..to.parse().expect("a number"));
}

/// The program in which runs are shown keeps objects that the searched one has no more, so it must not end
/// where that one goes on.
#[test]
fn runs_within_the_limit_of_objects_are_shown() {
    let source = "typedef N { int v }; int g;
        active proctype p() { N &n; N &m; n = new N; n.v = 1; g = 1; m = new N; m.v = 2; assert(g == 2) }";
    let limited = Dynamics { max_objects: 1, ..Dynamics::default() };
    let load = || program(source).with_dynamics(limited);
    let searched = load().with_reductions(Reductions { dead: true, ..Reductions::NONE });
    let shown_in = searched.with_real_values().expect("values are reset");
    let found = search(&searched, Strategy::Dfs, &(), &Config::new(1)).findings;
    assert_eq!(found.len(), 1);
    let steps = shown(&searched, &searched, &shown_in, &found[0]);
    follow(&program(source), &steps).expect("it is the same run");
}

#[test]
fn dynamic_examples_show_real_values() {
    let mut tally = Tally::default();
    for (file, defines) in [
        ("btree.dpml", "BROKEN"),
        ("list.dpml", "BROKEN"),
        ("handover.dpml", "BROKEN"),
        ("shapes.dpml", "BROKEN"),
        ("mergesort.dpml", "BROKEN"),
        ("treiber.dpml", "POOL=1"),
    ] {
        compare_model(file, &|| example(file, &[defines]), false, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.runs > tally.models, "{tally:?}");
}
