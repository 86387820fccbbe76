//! Linear temporal logic, and the small Büchi automata that a search for bad cycles needs.
//!
//! A [`Formula`] is built by the caller or read from a text with [`parse`]; [`translate`] makes an
//! [`Automaton`] of it. The stages, one file each, are: negation normal form with rewriting (`pool`,
//! `rewrite`, `implication`), an alternating automaton (`alternating`), a generalized Büchi automaton
//! (`tableau`), its reduction (`graph`, `reduce`), and a Büchi automaton with accepting states
//! (`degeneralize`), which is reduced again.
//!
//! Atoms are numbers, at most 64 of them. The crate depends on no programming language and no search.

#![forbid(unsafe_code)]

mod alternating;
mod automaton;
mod bdd;
mod claim;
mod degeneralize;
mod display;
mod error;
mod formula;
mod graph;
mod guard;
mod hoa;
mod implication;
mod marks;
mod never;
mod normal;
mod obligation;
mod parse;
mod pool;
mod quotient;
mod reduce;
mod relation;
mod rewrite;
mod tableau;
mod translate;
mod verify;

pub use automaton::{Automaton, Edge, Kind, State};
pub use claim::{claim, violations};
pub use display::Notation;
pub use error::Error;
pub use formula::{Binary, Formula, MAX_ATOMS, MAX_DEPTH, Shape, Unary};
pub use guard::{Cube, Guard};
pub use hoa::{Named, read_hoa};
pub use parse::parse;
pub use translate::translate;
