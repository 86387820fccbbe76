//! Native code against the interpreter on dynamic models: in every state the same successors, keys and
//! violations.

use allways_model::{Batch, Lessons, Model};
use allways_promela::options::{Collect, Dynamics};
use allways_promela::{FileInput, PreprocessOptions, Program, Reductions, load, load_text};
use allways_testkit::dynamic::generate::{Reach, generate};
use allways_testkit::dynamic::print::print;
use allways_testkit::dynamic::sharing;
use allways_testkit::dynamic::shrink;
use std::collections::HashSet;
use std::path::PathBuf;

/// What was compared.
#[derive(Default)]
struct Compared {
    n_states: u64,
    /// How many of them native code expanded alone.
    n_native: u64,
    /// The first difference.
    wrong: Option<String>,
}

type Successors = Vec<(u64, Vec<u8>)>;

/// What a batch holds, to be compared.
fn contents(batch: &Batch) -> (Successors, Vec<(Option<u64>, String)>) {
    let successors = (0..batch.len()).map(|idx| (batch.entries()[idx].key.0, batch.vector(idx).to_vec()));
    let violations = batch.violations().iter().map(|v| (v.key.map(|key| key.0), v.message().to_string()));
    (successors.collect(), violations.collect())
}

/// Explores up to `limit` states of two programs for the same model.
fn compare(native: &Program, interpreted: &Program, limit: usize) -> Compared {
    let mut compared = Compared::default();
    native.compile();
    let (mut native, mut reference) = (native.cursor(Lessons::none()), interpreted.cursor(Lessons::none()));
    let (mut actual, mut expected) = (Batch::new(), Batch::new());
    if reference.initial(&mut expected).is_err() {
        return compared;
    }
    let first = expected.vector(0).to_vec();
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        compared.n_states += 1;
        actual.clear();
        expected.clear();
        native.load(&state);
        reference.load(&state);
        // A sufficient set first, and then everything.
        let enough = (native.expand_some(&mut actual).is_ok(), reference.expand_some(&mut expected).is_ok());
        if enough.0 != enough.1 || enough.0 && contents(&actual) != contents(&expected) {
            compared.wrong = Some(format!("in {state:?}: another sufficient set of steps"));
            break;
        }
        actual.clear();
        expected.clear();
        native.load(&state);
        reference.load(&state);
        let ends = (native.expand(&mut actual).is_err(), reference.expand(&mut expected).is_err());
        let (here, there) = (contents(&actual), contents(&expected));
        if ends.0 != ends.1 || here != there {
            let is_new = |(_, vector): &&(u64, Vec<u8>)| !there.0.iter().any(|(_, other)| other == vector);
            let new: Vec<_> = here.0.iter().filter(is_new).collect();
            compared.wrong = Some(format!(
                "in {state:?}: {} successors, not {}; {:?}, not {:?}; new {new:?} of {:?}",
                here.0.len(),
                there.0.len(),
                here.1,
                there.1,
                there.0
            ));
            break;
        }
        if ends.0 {
            break;
        }
        for (_, vector) in there.0 {
            if seen.len() < limit && seen.insert(vector.clone()) {
                open.push(vector);
            }
        }
    }
    if seen.len() < limit && compared.wrong.is_none() && native.reached() != reference.reached() {
        compared.wrong = Some("the points reached".into());
    }
    compared.n_native = native.counters()[0].1;
    compared
}

/// Random models; gives how many states there were, and how many of them native code did alone.
fn run(seeds: std::ops::Range<u64>, collect: Collect) -> (u64, u64) {
    let mut all = (0, 0);
    for seed in seeds {
        let reach = if seed % 2 == 0 { Reach::Full } else { Reach::Translatable };
        let model = generate(seed, reach);
        let program = |text: &str| {
            let options = Dynamics { collect, ..Dynamics::default() };
            load_text("model.dpml", text).program.map(|program| program.with_dynamics(options))
        };
        let both = |text: &str| Some(compare(&program(text)?, &program(text)?.interpreted(), 2_000));
        let Some(compared) = both(&print(&model)) else { continue };
        if compared.wrong.is_some() {
            let is_wrong = |model: &_| both(&print(model)).is_some_and(|compared| compared.wrong.is_some());
            let small = print(&shrink(&model, is_wrong));
            let wrong = both(&small).and_then(|compared| compared.wrong);
            panic!("seed {seed}: {}\n{small}", wrong.unwrap_or_default());
        }
        all.0 += compared.n_states;
        all.1 += compared.n_native;
    }
    println!("native code did {} of {} states", all.1, all.0);
    all
}

#[test]
fn random_dynamic_models_expand_alike() {
    let (n_states, n_native) = run(0..150, Collect::Sweep);
    assert!(n_native * 2 > n_states, "native code did {n_native} of {n_states} states");
    run(0..40, Collect::None);
    run(0..40, Collect::Count);
}

/// Models that share objects in every way, with reductions.
fn run_reduced(seeds: std::ops::Range<u64>) -> (u64, u64) {
    let mut all = (0, 0);
    for seed in seeds {
        let text = sharing::generate(seed);
        let program = || {
            let program = load_text("model.dpml", &text).program.expect("a model that is drawn loads");
            program.with_reductions(Reductions::ALL)
        };
        let compared = compare(&program(), &program().interpreted(), 2_000);
        assert!(compared.wrong.is_none(), "seed {seed}: {:?}\n{text}", compared.wrong);
        all.0 += compared.n_states;
        all.1 += compared.n_native;
    }
    println!("with reductions native code did {} of {} states", all.1, all.0);
    all
}

#[test]
fn reduced_dynamic_models_expand_alike() {
    let (n_states, n_native) = run_reduced(0..60);
    assert!(n_native * 2 > n_states, "native code did {n_native} of {n_states} states");
}

/// `SEEDS=from-to cargo test --release -p allways-promela --test promela -- --ignored many_random_dynamic
/// --nocapture`
#[test]
#[ignore = "takes minutes; some seeds are compared always"]
fn many_random_dynamic_models_expand_alike() {
    let seeds = std::env::var("SEEDS").unwrap_or_else(|_| "0-1000".into());
    let (from, to) = seeds.split_once('-').expect("SEEDS=from-to");
    let seeds = from.parse().expect("a number")..to.parse().expect("a number");
    run(seeds.clone(), Collect::Sweep);
    run_reduced(seeds);
}

#[test]
fn dynamic_examples_expand_alike() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let files = std::fs::read_dir(examples).expect("there are examples").filter_map(Result::ok);
    let (mut n_states, mut n_native, mut n_examples) = (0, 0, 0);
    for path in files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "dpml")) {
        for options in [PreprocessOptions::default(), PreprocessOptions::default().define("BROKEN")] {
            let program = || {
                let loaded = load(&FileInput::Path(path.clone()), &options);
                loaded.program.expect("an example loads")
            };
            for reductions in [Reductions::NONE, Reductions::ALL] {
                let program = || program().with_reductions(reductions);
                let compared = compare(&program(), &program().interpreted(), 2_000);
                assert!(compared.wrong.is_none(), "{}: {:?}", path.display(), compared.wrong);
                n_examples += 1;
                n_states += compared.n_states;
                n_native += compared.n_native;
            }
        }
    }
    assert!(n_examples >= 28, "{n_examples} examples");
    assert!(n_native * 10 > n_states * 8, "native code did {n_native} of {n_states} states");
}
