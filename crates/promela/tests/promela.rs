//! All integration tests of the crate, in one binary: linking the code generator takes longer than most of
//! them.

mod claims;
mod dynamic;
mod reductions;
mod references;
mod semantics;
mod stores;
mod symmetry;
mod syntax;
