//! The dynamic extension: every sentence of the language description, the structure of steps, normal forms.

#[path = "dynamic/examples.rs"]
mod examples;
#[path = "dynamic/functions.rs"]
mod functions;
#[path = "dynamic/harness.rs"]
mod harness;
#[path = "dynamic/memory.rs"]
mod memory;
#[path = "dynamic/normal.rs"]
mod normal;
#[path = "dynamic/plain.rs"]
mod plain;
#[path = "dynamic/scopes.rs"]
mod scopes;
#[path = "dynamic/steps.rs"]
mod steps;
