//! Reductions change the number of states and nothing else: the same violations, by every search.

mod corpus;
mod dead;
pub(crate) mod dynamic;
mod levels;
mod persistence;
mod random;
mod rules;
mod shown;
mod traps;
pub(crate) mod verdicts;
