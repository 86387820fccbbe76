//! Ends a single expansion when the search stops, memory runs out, or there are too many successors.
//!
//! A search can stop between two expansions. But one expansion can take very long, for instance a step that
//! explores a huge atomic sequence, or a thread that chooses among millions of values. A cursor for which
//! such steps are possible calls [`Limiter::check`] from time to time, and ends the expansion on an error. A
//! call costs two relaxed loads.

use crate::{Batch, Fault, Halt};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// The most bytes that the successors of one state may have together. A [`Batch`](crate::Batch) holds at most
/// 4 GiB.
const MOST_SUCCESSOR_BYTES: u64 = 2 << 30;

/// A limiter, shared by a search and its cursors. Clones share its state.
#[derive(Clone, Debug)]
pub struct Limiter(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    stopped: AtomicBool,
    /// The number of bytes that an expansion may use.
    room: AtomicU64,
    /// The number of distinct successors that an expansion may have.
    most_states: u64,
    /// The number of successors at which distinct ones are counted next.
    next_count: AtomicU64,
    deadline: Option<Instant>,
}

impl Default for Limiter {
    fn default() -> Self {
        Self::new(None, u64::MAX)
    }
}

impl Limiter {
    fn new(deadline: Option<Instant>, most_states: u64) -> Self {
        let (stopped, room) = (AtomicBool::new(false), AtomicU64::new(u64::MAX));
        let next_count = AtomicU64::new(most_states);
        Self(Arc::new(Shared { stopped, room, most_states, next_count, deadline }))
    }

    /// A limiter that ends expansions with more than `most` distinct successors.
    #[must_use]
    pub fn of_states(most: u64) -> Self {
        Self::new(None, most)
    }

    /// A limiter that also stops expansions at `deadline`. Limiters without a deadline are cheaper.
    #[must_use]
    pub fn until(deadline: Instant) -> Self {
        Self::new(Some(deadline), u64::MAX)
    }

    /// Ends all expansions in progress.
    pub fn stop(&self) {
        self.0.stopped.store(true, Relaxed);
    }

    /// Sets the number of bytes that an expansion may use from now on.
    pub fn set_room(&self, bytes: u64) {
        self.0.room.store(bytes, Relaxed);
    }

    /// Whether the search must stop.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Relaxed) || self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Checks whether an expansion with the successors `out` so far, which uses `n_inner` further bytes, may
    /// continue.
    ///
    /// # Errors
    /// The reason to end it.
    #[inline]
    pub fn check(&self, out: &Batch, n_inner: usize) -> Result<(), Halt> {
        let n_out = out.n_bytes() as u64;
        if self.is_stopped()
            || n_out + n_inner as u64 > self.0.room.load(Relaxed)
            || n_out > MOST_SUCCESSOR_BYTES
            || out.len() as u64 > self.0.next_count.load(Relaxed)
        {
            return self.decide(out, n_inner as u64);
        }
        Ok(())
    }

    #[cold]
    fn decide(&self, out: &Batch, n_inner: u64) -> Result<(), Halt> {
        let n_out = out.n_bytes() as u64;
        if self.is_stopped() {
            Err(Halt::Stopped)
        } else if n_out > MOST_SUCCESSOR_BYTES {
            let message = "a state whose successors have more than 2 GiB together".into();
            Err(Halt::Unsupported(Fault { message, ..Fault::default() }))
        } else if n_out + n_inner > self.0.room.load(Relaxed) {
            Err(Halt::Full)
        } else if n_different(out) > self.0.most_states {
            Err(Halt::Enough)
        } else {
            // Most successors are equal. They are counted again when there are twice as many.
            self.0.next_count.store(2 * out.len() as u64, Relaxed);
            Ok(())
        }
    }
}

/// The number of distinct successors. States with equal hashes count as one.
fn n_different(out: &Batch) -> u64 {
    let hash = |idx: usize| {
        let mut hasher = DefaultHasher::new();
        out.vector(idx).hash(&mut hasher);
        hasher.finish()
    };
    let mut hashes: Vec<u64> = (0..out.len()).map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StepKey;

    /// A batch of `n` successors of four bytes each, `n_different` of them distinct.
    fn batch(n: u32, n_different: u32) -> Batch {
        let mut out = Batch::new();
        (0..n).for_each(|idx| out.push(StepKey(u64::from(idx)), &(idx % n_different).to_le_bytes()));
        out
    }

    #[test]
    fn an_expansion_ends_when_the_search_stops_or_memory_runs_out() {
        let limiter = Limiter::default();
        assert!(limiter.check(&batch(1000, 1000), 1 << 40).is_ok());
        limiter.set_room(1000);
        assert!(limiter.check(&batch(100, 100), 600).is_ok());
        assert!(matches!(limiter.check(&batch(100, 100), 601), Err(Halt::Full)));
        limiter.clone().stop();
        assert!(matches!(limiter.check(&batch(1, 1), 0), Err(Halt::Stopped)));
    }

    #[test]
    fn an_expansion_ends_at_the_limit_of_different_states() {
        let limiter = Limiter::of_states(10);
        assert!(limiter.check(&batch(10, 10), 0).is_ok());
        assert!(matches!(limiter.check(&batch(11, 11), 0), Err(Halt::Enough)));
        assert!(limiter.check(&batch(30, 10), 0).is_ok());
        // They are counted again only when there are 60.
        assert!(limiter.check(&batch(50, 50), 0).is_ok());
        assert!(limiter.check(&batch(61, 10), 0).is_ok());
        assert!(matches!(limiter.check(&batch(200, 11), 0), Err(Halt::Enough)));
    }
}
