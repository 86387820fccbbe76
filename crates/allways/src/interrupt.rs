//! Ctrl-C: the first one asks the search to stop and report, the second one ends the process.
//!
//! A first one that comes while the report is being made changes nothing: what was found is not lost. One
//! request can arrive as several signals: `timeout` sends its signal to the process and then to the whole
//! group, and terminals and job controls do the like. So signals within [`SAME`] of the first count as the
//! first.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static STOP: AtomicBool = AtomicBool::new(false);
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Signals that arrive within this time of the first are the same request.
const SAME: Duration = Duration::from_millis(300);

/// What a shell reports for a process that Ctrl-C ended.
const KILLED_BY_INTERRUPT: i32 = 130;

/// Stops the search that runs while this value lives.
pub(crate) struct Interrupt(());

impl Interrupt {
    /// From now on Ctrl-C sets the flag. If the handler cannot be set, Ctrl-C ends the process as it always
    /// does.
    pub(crate) fn watch() -> Self {
        let _ = ctrlc::set_handler(|| {
            let now = Instant::now();
            STOP.store(true, Ordering::SeqCst);
            if !is_same(*FIRST.get_or_init(|| now), now) {
                std::process::exit(KILLED_BY_INTERRUPT);
            }
        });
        Self(())
    }

    /// True once the search should stop.
    pub(crate) fn flag(&self) -> &'static AtomicBool {
        &STOP
    }
}

/// Whether a signal belongs to the request that the first one made.
fn is_same(first: Instant, now: Instant) -> bool {
    now.duration_since(first) < SAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_shortly_after_the_first_are_the_same_request() {
        let first = Instant::now();
        assert!(is_same(first, first));
        assert!(is_same(first, first + Duration::from_millis(299)));
        assert!(!is_same(first, first + Duration::from_millis(300)));
    }
}
