//! Never claims, formulas, progress and fairness: verdicts and counts, whatever the search, the store and the
//! reductions.

mod corpus;
mod counts;
mod differs;
mod harness;
mod random;
