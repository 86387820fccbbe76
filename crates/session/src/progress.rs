//! How far a search is, in words.

use crate::check::coverage_report;
use allways_report::{bytes, count, duration, rate};
use allways_search::Sample;

/// How far a search is, in a line. The rate is that since the last line, which tells more than the mean of a
/// long run.
#[must_use]
pub fn progress_line(last: Option<&Sample>, now: &Sample) -> String {
    // A search that begins again counts from zero.
    let last = last.filter(|last| last.elapsed <= now.elapsed && last.states <= now.states);
    let (states, time) = last.map_or((0, 0.0), |last| (last.states, last.elapsed.as_secs_f64()));
    let span = (now.elapsed.as_secs_f64() - time).max(1e-9);
    let redundancy = now.distinct.map_or_else(String::new, |distinct| {
        format!("  {:.2} visits a state", now.states as f64 / distinct.max(1) as f64)
    });
    let coverage = now.coverage.map(coverage_report).and_then(|coverage| coverage.short());
    let seen = coverage.map_or_else(String::new, |seen| format!("  seen {seen}"));
    format!(
        "{} states  {}/s{redundancy}  depth {}  queue {}  {}  {}{seen}",
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
    use allways_search::{Coverage, Source};
    use std::time::Duration;

    #[test]
    fn the_rate_is_the_current_one() {
        let sample = |seconds, states| Sample {
            elapsed: Duration::from_secs(seconds),
            states,
            transitions: 0,
            depth: 1234,
            frontier: 56,
            distinct: None,
            bytes: 1 << 20,
            coverage: None,
        };
        let text = progress_line(Some(&sample(10, 1_000_000)), &sample(12, 5_000_000));
        assert_eq!(text, "5,000,000 states  2.00 M/s  depth 1,234  queue 56  1.00 MiB  12.0 s");
        assert!(progress_line(None, &sample(0, 0)).starts_with("0 states  0/s"));
        let (known, distinct, once, twice) = (1000, 3000, 1000, 99);
        let walks = Coverage {
            phases: None,
            depth: 9,
            returns: 0,
            source: Source::Start,
            known,
            walks: 90,
            steps: 99,
            distinct,
            once,
            twice,
            sampling: 0,
        };
        let text = progress_line(None, &Sample { coverage: Some(walks), ..sample(1, 1000) });
        assert!(text.contains("1.00 s  seen probably at most 13 %, roughly "), "{text}");
    }
}
