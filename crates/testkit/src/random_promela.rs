//! Random Promela models: a seed determines a source text.
//!
//! The models are small on purpose (tens to some thousands of states) and use as much of the language as
//! possible, so that counts can be compared with SPIN's over many seeds. Every model in [`Mode::Counted`]
//! stays within what SPIN defines: no index out of range, no division by zero, no endless loop in an atomic
//! sequence, no uninitialised channel. Models beyond that are in [`Mode::Hostile`], where only robustness can
//! be tested.
//!
//! There is one file for each category of the language; [`shrink`] makes a failing model small; [`coverage`]
//! counts what was drawn.

mod atomic;
mod channel;
mod control;
mod coverage;
mod declare;
mod expr;
mod feature;
mod generator;
mod hostile;
mod inline;
mod process;
mod profile;
mod property;
mod rng;
mod scope;
mod shrink;
mod statement;
mod trace;

use std::collections::BTreeSet;

pub use coverage::{Coverage, coverage};
pub use feature::Feature;
pub use property::{formula, never, propositions};
pub use rng::Rng;
pub use shrink::{Shrunk, shrink};

use generator::Gen;
use profile::Profile;

/// The kind of model to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// SPIN defines the counts.
    Counted,
    /// Some statements make SPIN crash, hang or read foreign memory: counts have no meaning.
    Hostile,
}

/// A generated model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The seed that gave it.
    pub seed: u64,
    /// The text.
    pub source: String,
    /// The features that it uses.
    pub features: BTreeSet<Feature>,
}

/// The model of a seed, in [`Mode::Counted`].
pub fn generate(seed: u64) -> Model {
    generate_in(seed, Mode::Counted)
}

/// The model of a seed.
pub fn generate_in(seed: u64, mode: Mode) -> Model {
    let mut rng = Rng::new(seed);
    let profile = Profile::draw(&mut rng, mode);
    let mut state = Gen::new(rng, profile);
    let mut lines = state.globals();
    state.plan_processes();
    lines.extend(state.exclusive_channel());
    lines.extend(state.definitions());
    lines.extend(state.inline_definitions());
    for idx in 0..state.plans.len() {
        lines.push(String::new());
        lines.extend(state.process(idx));
    }
    lines.extend(state.trace());
    lines.extend(state.claim());
    let mut source = lines.join("\n");
    source.push('\n');
    Model { seed, source, features: state.used }
}

#[cfg(test)]
mod tests;
