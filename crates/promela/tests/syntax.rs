//! Tests of the syntax on whole models.

mod corpus;
mod cpp;
mod fuzz;
mod golden;
