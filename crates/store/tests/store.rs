//! Integration tests of the stores, except those under loom.

mod filters;
mod lossless;
