//! One property of one model, searched in one way or another.

use allways_model::{Claim, Model};
use allways_product::{Fair, Product};
use allways_promela::{Program, Property, Reductions, Watch};
use allways_search::{Config, End, Outcome, StoreKind, Strategy, replay_finding, search};
use std::sync::Arc;
use std::time::Duration;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// The search; cycles are found only by those that look for them.
    pub(crate) strategy: Strategy,
    /// The store.
    pub(crate) store: StoreKind,
    /// The threads.
    pub(crate) workers: usize,
    /// What may be left out.
    pub(crate) reductions: Reductions,
    /// Whether only fair runs count.
    pub(crate) fair: bool,
    /// Whether to go on after errors.
    pub(crate) all_errors: bool,
}

impl How {
    /// Nested depth first, one worker, nothing left out.
    pub(crate) const PLAIN: Self = Self {
        strategy: Strategy::Ndfs,
        store: StoreKind::Exact,
        workers: 1,
        reductions: Reductions::NONE,
        fair: false,
        all_errors: false,
    };
}

/// The claim for the runs that violate a property, and the program that it watches.
pub(crate) fn watch(program: Program, property: &Property, how: How) -> (Program, Arc<Claim>) {
    let watched = program.watched(property, how.fair).expect("the claim is supported");
    let (claim, has_next) = match watched.watch {
        Watch::Claim(claim) => (claim, false),
        Watch::Formula(formula, name) => {
            let claim = allways_ltl::violations(&formula, &name, &watched.propositions).expect("it is small");
            (claim, formula.has_next())
        }
    };
    let mut reductions = how.reductions;
    if has_next {
        (reductions.merge, reductions.order) = (false, false);
    }
    (watched.program.with_reductions(reductions), Arc::new(claim))
}

/// Searches for a violation; every finding is replayed.
pub(crate) fn outcome(program: Program, property: &Property, how: How) -> Outcome {
    let (program, claim) = watch(program, property, how);
    let product = Product::new(&program, claim);
    let fair = Fair::new(&product);
    let model: &dyn Model = if how.fair { &fair } else { &product };
    let mut config = Config {
        store: how.store,
        all_errors: how.all_errors,
        reduce: program.reductions().order,
        ..Config::new(how.workers)
    };
    config.limits.time = Some(Duration::from_secs(300));
    let outcome = search(model, how.strategy, &(), &config);
    for finding in &outcome.findings {
        let replayed = replay_finding(model, finding).unwrap_or_else(|error| panic!("{how:?}: {error}"));
        let met = replayed.violations.iter().any(|met| met.kind() == finding.violation.kind());
        assert!(met, "{how:?}: {finding:?}");
    }
    outcome
}

/// Whether a property is violated; `None` if it was not decided.
pub(crate) fn violated(outcome: &Outcome) -> Option<bool> {
    match outcome.end {
        _ if outcome.stats.errors > 0 => Some(true),
        End::Exhausted => Some(false),
        _ => None,
    }
}

/// Every way of searching for cycles that must give the same answer.
pub(crate) fn ways(fair: bool) -> Vec<How> {
    let mut ways = Vec::new();
    let plain = How { fair, ..How::PLAIN };
    for strategy in Strategy::ALL.into_iter().filter(|strategy| strategy.finds_cycles()) {
        for workers in [1, 2] {
            if workers == 2 && strategy == Strategy::Ndfs {
                continue;
            }
            for reductions in [Reductions::NONE, Reductions::ALL] {
                ways.push(How { strategy, workers, reductions, ..plain });
            }
        }
    }
    for store in [StoreKind::Tree, StoreKind::Collapse] {
        ways.push(How { store, ..plain });
    }
    ways
}
