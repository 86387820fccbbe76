//! How much of a graph an unfinished search has seen, in words.

use crate::figures::{count, plural};
use crate::json::rounded;
use serde::Serialize;

/// What walks from the frontier of a search say about the states that it has not seen.
#[derive(Clone, Debug)]
pub struct CoverageReport {
    /// At most about this part of the states was seen, from zero to one.
    pub at_most: f64,
    /// About this part, after the least and before the most that is likely; `None` if the walks met too few states
    /// twice to say more than a bound.
    pub estimate: Option<[f64; 3]>,
    /// How many walks there were.
    pub walks: u64,
    /// Their steps.
    pub steps: u64,
    /// How many states they met that the search did not know.
    pub new_states: u64,
}

impl CoverageReport {
    /// The bound and the estimate as the end of a sentence.
    pub(crate) fn text(&self) -> String {
        let estimate = self.estimate.filter(|_| self.at_most < 1.0).map_or_else(String::new, |estimate| {
            let [least, middle, most] = estimate.map(|part| format!("{:.0}", 100.0 * part));
            format!(", about {middle} % ({least} to {most} %)")
        });
        format!("{}{estimate}", self.bound_text())
    }

    /// The bound.
    fn bound_text(&self) -> String {
        let percent = 100.0 * self.at_most;
        match percent {
            _ if self.at_most >= 1.0 => "an unknown share of the states (walks met no others)".into(),
            p if p < 1.0 => "at most 1 % of the states".into(),
            p if p < 99.5 => format!("at most {p:.0} % of the states"),
            p => format!("at most {p:.1} % of the states"),
        }
    }

    /// The line of the text: value and more.
    pub(crate) fn line(&self) -> (String, String) {
        let walks =
            format!("{} of {} from the frontier", plural(self.walks, "walk"), plural(self.steps, "step"));
        let rough = if self.estimate.is_some() { "" } else { "; too few were met twice to say more" };
        (self.text(), format!("{walks} met {} new states{rough}", count(self.new_states)))
    }

    pub(crate) fn json(&self) -> CoverageJson {
        CoverageJson {
            at_most: rounded(self.at_most, 6),
            estimate: self.estimate.map(|[_, middle, _]| rounded(middle, 6)),
            interval: self.estimate.map(|[least, _, most]| [least, most].map(|part| rounded(part, 6))),
            walks: self.walks,
            steps: self.steps,
            new_states: self.new_states,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct CoverageJson {
    at_most: f64,
    estimate: Option<f64>,
    interval: Option<[f64; 2]>,
    walks: u64,
    steps: u64,
    new_states: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_not_shown_sharper_than_it_is() {
        let seen = |at_most| CoverageReport { at_most, estimate: None, walks: 1, steps: 20, new_states: 15 };
        for (at_most, text) in [
            (0.0004, "at most 1 % of the states"),
            (0.624, "at most 62 % of the states"),
            (0.9976, "at most 99.8 % of the states"),
            (1.0, "an unknown share of the states (walks met no others)"),
        ] {
            assert_eq!(seen(at_most).text(), text);
        }
        let rough =
            "1 walk of 20 steps from the frontier met 15 new states; too few were met twice to say more";
        assert_eq!(seen(0.5).line().1, rough);
        let estimated = CoverageReport { estimate: Some([0.204, 0.41, 0.6]), ..seen(0.62) };
        assert_eq!(estimated.text(), "at most 62 % of the states, about 41 % (20 to 60 %)");
    }
}
