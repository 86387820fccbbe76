//! Dynamic models: pointers, objects, functions and scopes, held against references that know nothing of this crate.

#[path = "dynamic/engine.rs"]
mod engine;
#[path = "dynamic/plain.rs"]
mod plain;
