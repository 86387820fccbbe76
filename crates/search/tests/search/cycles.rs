//! Searches for accepting cycles on toy models, held against a reference that looks at whole graphs.

mod graphs;
mod lassos;
mod limits;
mod matrix;
mod reductions;
mod systems;
