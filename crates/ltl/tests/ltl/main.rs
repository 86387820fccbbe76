//! Tests of the crate from outside.

mod random;
mod semantics;
mod size;
mod words;
