//! Dynamic Promela models (pointers, objects, functions, scopes) as syntax trees, with two references for
//! what they do.
//!
//! - [`print()`](print::print) gives the text of a model.
//! - [`explore`](run::explore) enumerates all states by brute force, on the tree and a heap of its own.
//! - [`translate`](plain::translate) gives a plain Promela model that does the same: objects are parts of one
//!   array, null and dangling references are bad indices, functions are expanded where they are called.
//! - [`generate`](generate::generate) draws small models that terminate and use all of this together.
//! - [`sharing`] draws models whose processes share objects, to compare one search with another.
//!
//! Both references begin with `flow`, which says where statements lead; beyond that they share nothing.
//! What a run did is compared as [`Found`]: the kinds of violations, and the values of the global numbers
//! where nothing can happen any more.

pub mod ast;
mod flow;
pub mod generate;
pub mod plain;
pub mod print;
pub mod run;
mod shape;
pub mod sharing;
mod shrink;
mod state;

pub use shrink::shrink;

use std::collections::BTreeSet;

/// What can go wrong in a dynamic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A failing assertion; the run goes on.
    Assertion,
    /// Nothing can happen, and some process is not at its end.
    Deadlock,
    /// A run-time error: null, dangling, a bad index, a bad `delete`, a bad call.
    Error,
}

/// What all runs of a model come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What went wrong in some run.
    pub kinds: BTreeSet<Kind>,
    /// The values of [`ast::Model::watched`] in each state in which nothing can happen.
    pub finals: BTreeSet<Vec<i32>>,
    /// The number of states.
    pub n_states: usize,
}

#[cfg(test)]
mod tests;
