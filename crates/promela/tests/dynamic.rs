//! The dynamic extension: every sentence of the language description, the structure of steps, normal forms.

mod agreement;
mod examples;
mod functions;
mod fuzz;
mod harness;
mod inlined;
mod labels;
mod limits;
mod memory;
mod normal;
mod paper;
mod plain;
mod scopes;
mod steps;
