//! How far a search is, on standard error: one line that is rewritten on a terminal and gone at the end;
//! elsewhere, where lines stay (files, build servers), a line every 30 seconds or as often as `--every` says.

use allways_search::Sample;
use allways_session::progress_line;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Begins the line anew, empties it, and keeps a narrow terminal from wrapping it.
const REWRITE: &str = "\r\x1b[2K\x1b[?7l";
const WRAP_AGAIN: &str = "\x1b[?7h";

/// How often a line appears where lines stay, by default.
const INTERVAL: Duration = Duration::from_secs(30);

/// Where and how often the progress is shown.
pub(crate) struct Progress {
    last: Cell<Option<Sample>>,
    /// When the next line is due, if lines stay; `None` on a terminal, where each replaces the one before.
    due: Option<Cell<Instant>>,
    interval: Duration,
}

impl Progress {
    /// Progress, unless the user wants only the result. `interval` is the time between lines that stay.
    pub(crate) fn new(quiet: bool, interval: Option<Duration>) -> Option<Self> {
        let is_rewritten = interval.is_none() && io::stderr().is_terminal();
        let interval = interval.unwrap_or(INTERVAL);
        let due = (!is_rewritten).then(|| Cell::new(Instant::now() + interval));
        (!quiet).then(|| Self { last: Cell::new(None), due, interval })
    }

    /// Shows how far the search is.
    pub(crate) fn show(&self, sample: &Sample) {
        if !self.is_due(Instant::now()) {
            return;
        }
        let line = progress_line(self.last.replace(Some(*sample)).as_ref(), sample);
        let mut err = io::stderr().lock();
        let _ = match self.due {
            None => write!(err, "{REWRITE}{line}{WRAP_AGAIN}"),
            Some(_) => writeln!(err, "{line}"),
        };
        let _ = err.flush();
    }

    /// Whether a line is due; then the next one is an interval later.
    fn is_due(&self, now: Instant) -> bool {
        let Some(due) = &self.due else { return true };
        let is_due = now >= due.get();
        if is_due {
            due.set(now + self.interval);
        }
        is_due
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.due.is_none() && self.last.get().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_come_once_in_an_interval() {
        let begin = Instant::now();
        let interval = Duration::from_secs(30);
        let progress = Progress { last: Cell::new(None), due: Some(Cell::new(begin + interval)), interval };
        let shown = (0..=200).filter(|half| progress.is_due(begin + Duration::from_millis(500 * half)));
        assert_eq!(shown.collect::<Vec<_>>(), [60, 120, 180]);
    }
}
