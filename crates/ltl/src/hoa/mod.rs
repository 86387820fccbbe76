//! The Hanoi Omega-Automata format, version 1 (Babiak et al. 2015; adl.github.io/hoaf): what other tools make of a
//! formula can be read, and what this crate makes can be given to them.
//!
//! The reader and the writer are our own. `hoars` 0.3, the one crate for the format, panics on a number that is too
//! large, overflows the stack on nested parentheses, accepts propositions that were never declared, and brings 38
//! packages with it.
//!
//! Read are Büchi, generalized Büchi and `all` acceptance, on states or on edges, with explicit or implicit labels.
//! Everything else the format can say is refused by name.

mod lexer;
mod reader;
mod writer;

use crate::automaton::Automaton;

/// An automaton with names for its atoms, as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The automaton. Atom `i` has the name at place `i`.
    pub automaton: Automaton,
    /// The names of the atoms.
    pub names: Vec<String>,
    /// What the file says it is, or nothing.
    pub title: String,
}

pub use reader::read_hoa;
