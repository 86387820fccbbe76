//! Models made of models: what a property of infinite runs needs, in terms of states and steps alone.
//!
//! - [`Product`]: a program and a [`Claim`](allways_model::Claim) that reads its states, step by step together.
//! - [`Fair`]: a model in which only weakly fair runs are in accepting states again and again.
//!
//! Both know no language and no search. A search for accepting cycles in them decides whether the program has a wrong run.

mod fair;
mod product;

pub use fair::Fair;
pub use product::Product;

use allways_model::{Batch, StepKey};

/// The bytes that a model here appends to the vectors of the model in it.
const SUFFIX: usize = 4;

/// Takes the number apart that was appended to a vector.
fn split(vector: &[u8]) -> (&[u8], u32) {
    let (inner, suffix) = vector.split_at(vector.len() - SUFFIX);
    (inner, u32::from_le_bytes(suffix.try_into().expect("a suffix has four bytes")))
}

/// Appends a successor with a number behind it.
fn push(out: &mut Batch, key: StepKey, inner: &[u8], suffix: u32) {
    let n = inner.len();
    let room = out.room(n + SUFFIX);
    room[..n].copy_from_slice(inner);
    room[n..n + SUFFIX].copy_from_slice(&suffix.to_le_bytes());
    out.commit(key, n + SUFFIX);
}
