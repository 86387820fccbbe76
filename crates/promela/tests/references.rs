//! Dynamic models: pointers, objects, functions and scopes, held against references that know nothing of this
//! crate.

mod dynamic;
mod engine;
mod native;
mod plain;
mod random;
