//! What a search in bounded memory forgot and did again.

use crate::figures::{count, plural};
use crate::json::rounded;
use serde::Serialize;

/// The cache of one check.
#[derive(Clone, Debug)]
pub struct CacheReport {
    /// Which states were evicted, by the name of the policy.
    pub policy: String,
    /// How many times a state was visited, repeats included.
    pub visits: u64,
    /// How many distinct states were visited: exact if none was evicted, else an estimate within some per
    /// cent.
    pub distinct: u64,
    /// States evicted.
    pub evicted: u64,
    /// States that waited to be opened, were forgotten, and computed again.
    pub recomputed: u64,
    /// The most states held at once.
    pub most_held: u64,
    /// The most states that were on the stack or waited at once.
    pub most_pinned: u64,
}

impl CacheReport {
    /// How often a state was visited on average.
    #[must_use]
    pub fn visits_per_state(&self) -> f64 {
        self.visits as f64 / self.distinct.max(1) as f64
    }

    /// Whether [`CacheReport::distinct`] is an estimate.
    #[must_use]
    pub fn is_estimate(&self) -> bool {
        self.evicted > 0
    }

    /// The number of distinct states in words.
    pub(crate) fn distinct_text(&self) -> String {
        let about = if self.is_estimate() { "about " } else { "" };
        format!("{about}{}", count(self.distinct))
    }

    /// The lines of the text: name, value and more.
    pub(crate) fn lines(&self) -> [(&'static str, String, String); 2] {
        let pinned = format!("at most {} on the stack or waiting", count(self.most_pinned));
        let again = match self.recomputed {
            0 => String::new(),
            n => format!(", {} computed again", plural(n, "successor")),
        };
        [
            ("distinct", self.distinct_text(), format!("{:.2} visits a state", self.visits_per_state())),
            (
                "cache",
                format!("{} held at most", plural(self.most_held, "state")),
                format!("{} policy, {} evicted{again}; {pinned}", self.policy, count(self.evicted)),
            ),
        ]
    }

    pub(crate) fn json(&self) -> CacheJson<'_> {
        CacheJson {
            policy: &self.policy,
            distinct_states: self.distinct,
            is_estimate: self.is_estimate(),
            visits_per_state: rounded(self.visits_per_state(), 4),
            evicted: self.evicted,
            recomputed: self.recomputed,
            most_held: self.most_held,
            most_pinned: self.most_pinned,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct CacheJson<'a> {
    policy: &'a str,
    distinct_states: u64,
    is_estimate: bool,
    visits_per_state: f64,
    evicted: u64,
    recomputed: u64,
    most_held: u64,
    most_pinned: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_says_that_it_is_one() {
        let report = CacheReport {
            policy: "strata".into(),
            visits: 1500,
            distinct: 1000,
            evicted: 700,
            recomputed: 0,
            most_held: 500,
            most_pinned: 40,
        };
        let [distinct, cache] = report.lines();
        assert_eq!(distinct, ("distinct", "about 1,000".into(), "1.50 visits a state".into()));
        let more = "strata policy, 700 evicted; at most 40 on the stack or waiting";
        assert_eq!(cache, ("cache", "500 states held at most".into(), more.into()));
        let whole = CacheReport { evicted: 0, ..report };
        assert_eq!(whole.distinct_text(), "1,000");
    }
}
