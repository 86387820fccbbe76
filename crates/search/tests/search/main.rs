//! Searches on toy models, compared with the reference explorer.

mod cached;
mod counterexamples;
mod coverage;
mod cycles;
mod limits;
mod lossy;
mod matrix;
mod observers;
mod order;
mod profiles;
mod refine;
mod switches;
mod toys;
mod walks;
