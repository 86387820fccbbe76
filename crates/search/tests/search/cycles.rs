//! Searches for accepting cycles on toy models, compared with a reference that analyses whole graphs.

pub(crate) mod graphs;
mod lassos;
mod limits;
mod matrix;
mod reductions;
pub(crate) mod systems;
