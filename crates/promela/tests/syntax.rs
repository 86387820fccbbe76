//! Tests of the syntax on whole models.

#[path = "syntax/corpus.rs"]
mod corpus;
#[path = "syntax/cpp.rs"]
mod cpp;
#[path = "syntax/fuzz.rs"]
mod fuzz;
#[path = "syntax/golden.rs"]
mod golden;
