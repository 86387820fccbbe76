//! Ctrl-C: the first one asks the search to stop and report, the second one ends the process.
//!
//! A first one that comes while the report is being made changes nothing: what was found is not lost.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// What a shell reports for a process that Ctrl-C ended.
const KILLED_BY_INTERRUPT: i32 = 130;

/// Stops the search that runs while this value lives.
pub(crate) struct Interrupt(());

impl Interrupt {
    /// From now on Ctrl-C sets the flag. If the handler cannot be set, Ctrl-C ends the process as it always does.
    pub(crate) fn watch() -> Self {
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::SeqCst) {
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
