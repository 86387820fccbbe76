//! How a run of a model is written down: the model's digest and a list of step keys.

use crate::Digest;

/// Names one step out of a state: a state and a key give exactly one next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepKey(pub u64);

/// A run from the initial state: the same thing in a trace file, a certificate and a bug report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The model that the keys belong to.
    pub model: Digest,
    /// The steps, in order, from the initial state.
    pub steps: Vec<StepKey>,
}
