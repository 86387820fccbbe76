//! Models composed of models, for properties of infinite runs.
//!
//! - [`Product`]: a program and a [`Claim`](allways_model::Claim) that reads its states, in step.
//! - [`Fair`]: a model in which only weakly fair runs visit accepting states infinitely often.
//!
//! Both work on states and steps alone, for any language and any search. A search for accepting cycles in
//! them decides whether the program has a wrong run.

mod fair;
mod product;

pub use fair::Fair;
pub use product::Product;

use allways_model::{Batch, StepKey};

/// The number of bytes that a model here appends to the vectors of its inner model.
const SUFFIX: usize = 4;

/// Splits a vector into the inner vector and the appended number.
fn split(vector: &[u8]) -> (&[u8], u32) {
    let (inner, suffix) = vector.split_at(vector.len() - SUFFIX);
    (inner, u32::from_le_bytes(suffix.try_into().expect("a suffix has four bytes")))
}

/// Appends a successor, followed by a number.
fn push(out: &mut Batch, key: StepKey, inner: &[u8], suffix: u32) {
    let n = inner.len();
    let room = out.room(n + SUFFIX);
    room[..n].copy_from_slice(inner);
    room[n..n + SUFFIX].copy_from_slice(&suffix.to_le_bytes());
    out.commit(key, n + SUFFIX);
}
