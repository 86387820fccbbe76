//! What models do: exact counts, run-time errors, explanations, and the laws of a model.

mod counts;
mod errors;
pub(crate) mod examples;
mod explanations;
mod harness;
mod native;
mod spin_differs;
