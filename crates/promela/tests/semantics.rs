//! What models do: exact counts, run-time errors, explanations, and the laws of a model.

#[path = "semantics/counts.rs"]
mod counts;
#[path = "semantics/errors.rs"]
mod errors;
#[path = "semantics/examples.rs"]
mod examples;
#[path = "semantics/explanations.rs"]
mod explanations;
#[path = "semantics/harness.rs"]
mod harness;
#[path = "semantics/native.rs"]
mod native;
#[path = "semantics/spin_differs.rs"]
mod spin_differs;
