//! Dynamic Promela models (pointers, objects, functions, scopes) as syntax trees, with two reference
//! implementations.
//!
//! - [`print()`](print::print) gives the text of a model.
//! - [`explore`](run::explore) enumerates all states by brute force, on the tree and its own heap.
//! - [`translate`](plain::translate) gives an equivalent plain Promela model: objects are parts of one array,
//!   null and dangling references are bad indices, functions are expanded where they are called.
//! - [`generate`](generate::generate) draws small models that terminate and use all of these features
//!   together.
//! - [`sharing`] draws models whose processes share objects, to compare one search with another.
//!
//! Both references begin with `flow`, which computes where statements lead; otherwise they share no code. The
//! results of runs are compared as [`Found`]: the kinds of violations, and the values of the global numbers
//! in states without steps.

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
    /// A failing assertion; the run continues.
    Assertion,
    /// No step is possible, and some process is not at its end.
    Deadlock,
    /// A run-time error: null, dangling, a bad index, a bad `delete`, a bad call.
    Error,
}

/// The results of all runs of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The kinds of violations in any run.
    pub kinds: BTreeSet<Kind>,
    /// The values of [`ast::Model::watched`] in each state without steps.
    pub finals: BTreeSet<Vec<i32>>,
    /// The number of states.
    pub n_states: usize,
}

#[cfg(test)]
mod tests;
