//! Ends a single expansion when the search is to stop, or when its successors need more memory than there is.
//!
//! A search stops between two expansions by itself. One expansion can take very long, though: a step that
//! explores a huge atomic sequence, or a thread that chooses among millions of values. A cursor that can meet
//! such a step asks its limiter now and then, and ends the expansion if that says so. Asking costs two
//! relaxed loads.

use crate::{Fault, Halt};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// No state has successors of more bytes than this together; a [`Batch`](crate::Batch) holds no more than 4
/// GiB.
const MOST_SUCCESSOR_BYTES: u64 = 2 << 30;

/// Shared by a search and its cursors. Clones are the same limiter.
#[derive(Clone, Debug)]
pub struct Limiter(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    stopped: AtomicBool,
    /// How many bytes an expansion may need.
    room: AtomicU64,
    deadline: Option<Instant>,
}

impl Default for Limiter {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Limiter {
    fn new(deadline: Option<Instant>) -> Self {
        let (stopped, room) = (AtomicBool::new(false), AtomicU64::new(u64::MAX));
        Self(Arc::new(Shared { stopped, room, deadline }))
    }

    /// A limiter that stops expansions at a time of its own accord. Others cost less.
    #[must_use]
    pub fn until(deadline: Instant) -> Self {
        Self::new(Some(deadline))
    }

    /// Ends all expansions under way.
    pub fn stop(&self) {
        self.0.stopped.store(true, Relaxed);
    }

    /// From now on an expansion may need this many bytes.
    pub fn set_room(&self, bytes: u64) {
        self.0.room.store(bytes, Relaxed);
    }

    /// Whether the expansion may go on, which has successors of `n_out` bytes and needs `n_inner` bytes
    /// besides.
    ///
    /// # Errors
    /// The reason to end it.
    #[inline]
    pub fn check(&self, n_out: usize, n_inner: usize) -> Result<(), Halt> {
        let needed = n_out as u64 + n_inner as u64;
        if self.0.stopped.load(Relaxed)
            || needed > self.0.room.load(Relaxed)
            || n_out as u64 > MOST_SUCCESSOR_BYTES
            || self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(self.reason(n_out as u64));
        }
        Ok(())
    }

    #[cold]
    fn reason(&self, n_out: u64) -> Halt {
        if self.0.stopped.load(Relaxed) || self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            Halt::Stopped
        } else if n_out > MOST_SUCCESSOR_BYTES {
            let message = "a state whose successors have more than 2 GiB together".into();
            Halt::Unsupported(Fault { message, ..Fault::default() })
        } else {
            Halt::Full
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expansion_ends_when_the_search_stops_or_memory_runs_out() {
        let limiter = Limiter::default();
        assert!(limiter.check(1 << 20, 1 << 40).is_ok());
        assert!(matches!(limiter.check(3 << 30, 0), Err(Halt::Unsupported(_))));
        limiter.set_room(1000);
        assert!(limiter.check(400, 600).is_ok());
        assert!(matches!(limiter.check(401, 600), Err(Halt::Full)));
        limiter.clone().stop();
        assert!(matches!(limiter.check(0, 0), Err(Halt::Stopped)));
    }
}
