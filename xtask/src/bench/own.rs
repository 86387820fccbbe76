//! Allways itself, in process. Like `pan`, it is timed from the moment that the model is compiled to the last
//! state; what comes before (reading, lowering and compiling; for `pan`, `spin` and `gcc`) is told apart.

use crate::cases::{Case, options};
use crate::claims::ClaimCase;
use allways_model::Model;
use allways_product::Product;
use allways_promela::{FileInput, Program, Reductions, load};
use allways_search::{Config, End, Limit, Stats, StoreKind, Strategy, search};
use std::path::Path;
use std::time::{Duration, Instant};

/// How a model is searched.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    pub(crate) strategy: Strategy,
    pub(crate) store: &'a str,
    pub(crate) workers: usize,
}

/// What one run took.
#[derive(Clone, Copy)]
pub(crate) struct Own {
    /// Wall time of reading and compiling the model.
    pub(crate) start_up: f64,
    /// Wall time of the search.
    pub(crate) seconds: f64,
    pub(crate) stats: Stats,
}

/// No run takes longer than this: something is wrong then.
const MOST_TIME: Duration = Duration::from_secs(1800);

/// The stores that can be measured: all that are lossless.
pub(crate) const STORES: [(&str, StoreKind); 3] =
    [("exact", StoreKind::Exact), ("tree", StoreKind::Tree), ("collapse", StoreKind::Collapse)];

/// Searches the whole graph without reduction; other counts than the known ones are an error.
pub(crate) fn run(case: &Case, how: How<'_>) -> Result<Own, String> {
    let start = Instant::now();
    let program = program(&case.file, &case.defines)?.without_exclusive_checks();
    program.compile();
    let start_up = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let stats = explore(&program, how, None, false)?;
    let seconds = start.elapsed().as_secs_f64();
    let ours = (stats.states, stats.transitions, stats.errors);
    let known = (case.stored, case.transitions, case.errors);
    if ours != known {
        return Err(format!("states, transitions and errors are {ours:?}, expected {known:?}"));
    }
    Ok(Own { start_up, seconds, stats })
}

/// Searches the product of a model and a claim without reduction; a violation is an error.
pub(crate) fn run_claim(case: &ClaimCase, text: &str, how: How<'_>) -> Result<Own, String> {
    let start = Instant::now();
    let (program, claim) = case.load(text)?;
    program.compile();
    let product = Product::new(&program, claim);
    let start_up = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let stats = explore(&product, how, None, false)?;
    let seconds = start.elapsed().as_secs_f64();
    if stats.errors > 0 {
        return Err("the property is violated".into());
    }
    Ok(Own { start_up, seconds, stats })
}

/// Searches with all reductions on; more states than `most` are an error.
pub(crate) fn run_reduced(file: &Path, defines: &[String], how: How<'_>, most: u64) -> Result<Own, String> {
    let start = Instant::now();
    let program = program(file, defines)?.with_reductions(Reductions::ALL);
    let start_up = start.elapsed().as_secs_f64();
    let stats = explore(&program, how, Some(most), program.reductions() != Reductions::NONE)?;
    Ok(Own { start_up, seconds: start.elapsed().as_secs_f64() - start_up, stats })
}

/// A Promela model.
pub(crate) fn program(file: &Path, defines: &[String]) -> Result<Program, String> {
    let loaded = load(&FileInput::Path(file.to_owned()), &options(defines));
    loaded.program.ok_or_else(|| "the model does not load".into())
}

fn explore(model: &dyn Model, how: How<'_>, most: Option<u64>, reduce: bool) -> Result<Stats, String> {
    let mut config = Config::new(how.workers);
    config.all_errors = true;
    config.limits.time = Some(MOST_TIME);
    config.limits.states = most;
    config.reduce = reduce;
    let store = STORES.iter().find(|(name, _)| *name == how.store);
    config.store = store.ok_or_else(|| format!("there is no store '{}'", how.store))?.1;
    let outcome = search(model, how.strategy, &(), &config);
    match outcome.end {
        End::Exhausted => Ok(outcome.stats),
        End::Bounded(Limit::States) => Err(format!("more than {} states", most.unwrap_or(0))),
        end => Err(format!("the search ended with {end:?}")),
    }
}
