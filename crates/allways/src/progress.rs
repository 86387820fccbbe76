//! One line on standard error that is rewritten while a search runs, and gone when it ends.

use allways_report::{bytes, count, duration, rate};
use allways_search::Sample;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};

/// Begins the line anew, empties it, and keeps a narrow terminal from wrapping it.
const REWRITE: &str = "\r\x1b[2K\x1b[?7l";
const WRAP_AGAIN: &str = "\x1b[?7h";

/// The progress line.
pub(crate) struct Progress {
    last: Cell<Option<Sample>>,
}

impl Progress {
    /// A line, if there is a terminal to show it on.
    pub(crate) fn new(quiet: bool) -> Option<Self> {
        (!quiet && io::stderr().is_terminal()).then(|| Self { last: Cell::new(None) })
    }

    /// Shows how far the search is.
    pub(crate) fn show(&self, sample: &Sample) {
        let line = line(self.last.replace(Some(*sample)).as_ref(), sample);
        let mut err = io::stderr().lock();
        let _ = write!(err, "{REWRITE}{line}{WRAP_AGAIN}");
        let _ = err.flush();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.last.get().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}

/// The rate is that since the last line, which tells more than the mean of a long run.
fn line(last: Option<&Sample>, now: &Sample) -> String {
    let (states, time) = last.map_or((0, 0.0), |last| (last.states, last.elapsed.as_secs_f64()));
    let span = (now.elapsed.as_secs_f64() - time).max(1e-9);
    format!(
        "{} states  {}/s  depth {}  frontier {}  {}  {}",
        count(now.states),
        rate(now.states.saturating_sub(states) as f64 / span),
        count(now.depth),
        count(now.frontier),
        bytes(now.bytes),
        duration(now.elapsed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_rate_is_the_current_one() {
        let sample = |seconds, states| Sample {
            elapsed: Duration::from_secs(seconds),
            states,
            transitions: 0,
            depth: 1234,
            frontier: 56,
            bytes: 1 << 20,
        };
        let text = line(Some(&sample(10, 1_000_000)), &sample(12, 5_000_000));
        assert_eq!(text, "5,000,000 states  2.00 M/s  depth 1,234  frontier 56  1.00 MiB  12.0 s");
        assert!(line(None, &sample(0, 0)).starts_with("0 states  0/s"));
    }
}
