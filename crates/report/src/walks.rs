//! What random walks have seen, and what that is worth: figures of a search that never proves anything.
//!
//! The search computes estimates and guarantees; this module words them.

use crate::figures::{count, plural};
use crate::json::rounded;
use serde::Serialize;

/// What the random walks of one check have seen.
#[derive(Clone, Debug)]
pub struct WalkReport {
    /// The same seed and one worker give the same walks.
    pub seed: u64,
    /// How many were begun.
    pub n_walks: u64,
    /// Their steps in all.
    pub n_steps: u64,
    /// How many were cut off, if any were, and after how many steps.
    pub cut: Option<(u64, u64)>,
    /// How many states one more walk is expected to meet that no walk has met.
    pub expected_new: f64,
    /// The chance that a state of one more walk is one of these.
    pub unseen: f64,
    /// What walks by priorities promise.
    pub chance: Option<Chance>,
}

/// How likely it is that an error would have been met.
#[derive(Clone, Debug)]
pub struct Chance {
    /// The depth of errors: an error of depth `d` happens whenever each of `d` steps comes before a certain
    /// other step.
    pub bug_depth: u32,
    /// The greatest number of threads or processes for which the guarantee holds.
    pub n_processes: u64,
    /// The greatest number of steps for which the guarantee holds.
    pub n_steps: u64,
    /// How many walks count: those since the longest.
    pub n_walks: u64,
    /// The least probability that one walk meets the error.
    pub of_one: f64,
    /// The least probability that one of these walks does.
    pub of_all: f64,
}

impl WalkReport {
    /// Names, values and notes, as the other figures of a check are shown. What was not seen is of interest
    /// only if the search was not stopped by what it found.
    pub(crate) fn lines(&self, was_stopped: bool) -> Vec<(&'static str, String, String)> {
        let steps = plural(self.n_steps, "step");
        let cut = self.cut.map_or(String::new(), |(n_cut, depth)| {
            format!(", {} cut off after {}", count(n_cut), plural(depth, "step"))
        });
        let new = match self.expected_new {
            new if new < 10.0 => format!("{new:.2}"),
            new => count(new.round() as u64),
        };
        let mut lines = vec![("walks", count(self.n_walks), format!("{steps}, seed {}{cut}", self.seed))];
        if was_stopped {
            return lines;
        }
        lines.push((
            "unseen",
            format!("{} of the states that one more walk meets", percent(self.unseen)),
            format!("about {new} states not met before; the estimate of Good and Turing"),
        ));
        if let Some(chance) = &self.chance {
            lines.push((
                "chance",
                format!(
                    "{} that an error of depth {} would have been met",
                    at_least(chance.of_all),
                    chance.bug_depth
                ),
                format!(
                    "{} by each of {} walks, for runs of up to {} threads or processes and {}",
                    at_least(chance.of_one),
                    count(chance.n_walks),
                    count(chance.n_processes),
                    plural(chance.n_steps, "step")
                ),
            ));
        }
        lines
    }

    pub(crate) fn json(&self) -> WalksJson {
        WalksJson {
            seed: self.seed,
            walks: self.n_walks,
            steps: self.n_steps,
            cut_walks: self.cut.map_or(0, |(n_cut, _)| n_cut),
            new_states_per_walk: rounded(self.expected_new, 6),
            unseen_per_state: rounded(self.unseen, 9),
            guarantee: self.chance.as_ref().map(|chance| ChanceJson {
                bug_depth: chance.bug_depth,
                processes: chance.n_processes,
                steps: chance.n_steps,
                walks: chance.n_walks,
                chance_per_walk: chance.of_one,
                chance_per_search: chance.of_all,
            }),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct WalksJson {
    seed: u64,
    walks: u64,
    steps: u64,
    cut_walks: u64,
    new_states_per_walk: f64,
    unseen_per_state: f64,
    guarantee: Option<ChanceJson>,
}

#[derive(Serialize)]
struct ChanceJson {
    bug_depth: u32,
    processes: u64,
    steps: u64,
    walks: u64,
    chance_per_walk: f64,
    chance_per_search: f64,
}

/// A share, with no more digits than it is worth.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 5e-5 { "below 0.01 %".into() } else { format!("{:.2} %", 100.0 * share) }
}

/// A lower bound of a probability, never rounded up.
fn at_least(chance: f64) -> String {
    if chance < 0.001 {
        return format!("at least {chance:.1e}");
    }
    format!("at least {:.1} %", (1000.0 * chance).floor() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_in_words() {
        let chance = Chance {
            bug_depth: 3,
            n_processes: 4,
            n_steps: 31,
            n_walks: 9000,
            of_one: 1.0 / 3844.0,
            of_all: 0.9038,
        };
        let mut walks = WalkReport {
            seed: 7,
            n_walks: 10_000,
            n_steps: 250_000,
            cut: None,
            expected_new: 0.1234,
            unseen: 0.0049,
            chance: Some(chance),
        };
        let text = |walks: &WalkReport| -> Vec<String> {
            walks.lines(false).iter().map(|(name, value, more)| format!("{name}: {value} ({more})")).collect()
        };
        assert_eq!(
            text(&walks),
            [
                "walks: 10,000 (250,000 steps, seed 7)",
                "unseen: 0.49 % of the states that one more walk meets (about 0.12 states not met before; \
                 the estimate of Good and Turing)",
                "chance: at least 90.3 % that an error of depth 3 would have been met (at least 2.6e-4 by each of \
                 9,000 walks, for runs of up to 4 threads or processes and 31 steps)",
            ]
        );
        walks.cut = Some((3, 10_000));
        walks.chance = None;
        assert_eq!(text(&walks)[0], "walks: 10,000 (250,000 steps, seed 7, 3 cut off after 10,000 steps)");
        assert_eq!((text(&walks).len(), walks.lines(true).len()), (2, 1));
    }

    #[test]
    fn nothing_is_certain_that_is_not() {
        assert_eq!(at_least(0.999_999), "at least 99.9 %");
        assert_eq!(percent(1e-9), "below 0.01 %");
        assert_eq!(percent(0.0), "0.00 %");
    }
}
