//! Dynamic models: pointers, objects, functions and scopes, held against references that know nothing of this
//! crate.

#[path = "references/dynamic.rs"]
mod dynamic;
#[path = "references/engine.rs"]
mod engine;
#[path = "references/plain.rs"]
mod plain;
#[path = "references/random.rs"]
mod random;
