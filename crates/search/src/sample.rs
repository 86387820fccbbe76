//! Samples vectors of a model by random walks before the search, for stores that adapt to them.
//!
//! The walks are the same in every run. They have a few thousand steps in total, or fewer if the model is
//! slow.

use crate::subject::Subject;
use allways_model::{Batch, Limiter};
use allways_store::Samples;
use std::time::{Duration, Instant};

const N_STEPS: u64 = 6000;
/// One state in this many is taken, because successive states are too similar.
const STRIDE: u64 = 3;
/// The average length of a walk.
const WALK: u64 = 256;
const PATIENCE: Duration = Duration::from_millis(50);

/// Samples vectors of the model.
pub(crate) fn sample(subject: Subject<'_>) -> Samples {
    let mut samples = Samples::new();
    let (mut cursor, mut batch) = (subject.cursor(), Batch::new());
    let started = Instant::now();
    cursor.limit(&Limiter::until(started + PATIENCE));
    // Marsaglia's xorshift; any sequence works.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |n: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % n
    };
    if cursor.initial(&mut batch).is_err() || batch.is_empty() {
        return samples;
    }
    let initial = batch.vector(0).to_vec();
    let mut state = initial.clone();
    for step in 0..N_STEPS {
        batch.clear();
        cursor.load(&state);
        // The search will report faults, violations and steps that do not end.
        let _ = cursor.expand(&mut batch);
        state.clear();
        if batch.is_empty() || draw(WALK) == 0 {
            state.extend_from_slice(&initial);
        } else {
            state.extend_from_slice(batch.vector(draw(batch.len() as u64) as usize));
        }
        if step % STRIDE == 0 {
            samples.add(&state);
        }
        if started.elapsed() > PATIENCE {
            break;
        }
    }
    samples
}
