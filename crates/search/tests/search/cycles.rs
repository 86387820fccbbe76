//! Searches for accepting cycles on toy models, held against a reference that looks at whole graphs.

pub(crate) mod graphs;
mod lassos;
mod limits;
mod matrix;
mod reductions;
pub(crate) mod systems;
