//! Never claims, formulas, progress and fairness: verdicts and counts, whatever the search, the store and the
//! reductions.

mod corpus;
mod counts;
mod differs;
pub(crate) mod harness;
mod random;
