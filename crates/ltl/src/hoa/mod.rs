//! The Hanoi Omega-Automata format, version 1 (Babiak et al. 2015; adl.github.io/hoaf).
//!
//! It exchanges automata with other tools, in both directions. The reader and the writer are part of this
//! crate: `hoars` 0.3, the one crate for the format, panics on a number that is too large, overflows the
//! stack on nested parentheses, accepts propositions that were never declared, and brings 38 packages with
//! it.
//!
//! The reader supports Büchi, generalized Büchi and `all` acceptance, on states or on edges, with explicit or
//! implicit labels. Every other feature of the format is rejected by name.

mod lexer;
mod reader;
mod writer;

use crate::automaton::Automaton;

/// An automaton with names for its atoms, as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The automaton. Atom `i` is named `names[i]`.
    pub automaton: Automaton,
    /// The names of the atoms.
    pub names: Vec<String>,
    /// The name that the file gives the automaton; empty if it gives none.
    pub title: String,
}

pub use reader::read_hoa;
