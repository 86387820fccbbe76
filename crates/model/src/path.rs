//! Paths: a run of a model as its digest and a list of step keys.

use crate::Digest;

/// The key of a step from a state. A state and a key give exactly one next state or one violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepKey(pub u64);

/// A run from the initial state. Trace files, certificates and bug reports use the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The model that the keys belong to.
    pub model: Digest,
    /// The steps, in order, from the initial state.
    pub steps: Vec<StepKey>,
}
