//! How much of a graph an unfinished search has seen, in words.

use crate::figures::{count, plural};
use crate::json::rounded;
use serde::Serialize;

/// What a search in two phases did.
#[derive(Clone, Copy, Debug)]
pub struct PhasesReport {
    /// Steps to new states from the states that the second phase has drawn.
    pub sampled: u64,
    /// Such steps from those that it has not.
    pub left: u64,
    /// How many of a hundred steps of each phase led to a new state.
    pub rates: [f64; 2],
}

/// What walks through a model say about the states that a search has not seen.
#[derive(Clone, Debug)]
pub struct CoverageReport {
    /// What a search in two phases did.
    pub phases: Option<PhasesReport>,
    /// Where the walks began: in the `frontier` or on the `stack` of the search, or at the `start` of the
    /// model.
    pub source: &'static str,
    /// Whether the estimate is rough.
    pub is_rough: bool,
    /// At most about this part of the states was seen, from zero to one.
    pub at_most: f64,
    /// About this part, after the least and before the most that is likely; `None` if the walks met too few
    /// states twice to say more than a bound.
    pub estimate: Option<[f64; 3]>,
    /// How many walks there were.
    pub walks: u64,
    /// Their steps.
    pub steps: u64,
    /// How many states they met, of those that the search did not know if the walks began behind what it
    /// knew.
    pub new_states: u64,
}

impl CoverageReport {
    /// The bound and the estimate as the end of a sentence.
    pub(crate) fn text(&self) -> String {
        let estimate = self.estimate.filter(|_| self.at_most < 1.0).map_or_else(String::new, |estimate| {
            let [least, middle, most] = estimate.map(|part| format!("{:.0}", 100.0 * part));
            format!(", {} {middle} % ({least} to {most} %)", self.about())
        });
        format!("{}{estimate}", self.bound_text())
    }

    /// The bound and the estimate in a few words; `None` if there is no bound.
    #[must_use]
    pub fn short(&self) -> Option<String> {
        let estimate = self.estimate.filter(|_| self.at_most < 1.0);
        let estimate = estimate
            .map_or_else(String::new, |[_, middle, _]| format!(", {} {:.0} %", self.about(), 100.0 * middle));
        let text = self.bound_text();
        Some(format!("{}{estimate}", text.strip_suffix(" of the states")?))
    }

    fn about(&self) -> &'static str {
        if self.is_rough { "roughly" } else { "about" }
    }

    /// The bound.
    fn bound_text(&self) -> String {
        let percent = 100.0 * self.at_most;
        match percent {
            _ if self.at_most >= 1.0 => "an unknown share of the states (walks met too few others)".into(),
            p if p < 1.0 => "probably at most 1 % of the states".into(),
            p if p < 99.5 => format!("probably at most {p:.0} % of the states"),
            p => format!("probably at most {p:.1} % of the states"),
        }
    }

    /// The line of the text: value and more.
    pub(crate) fn line(&self) -> (String, String) {
        if let Some(PhasesReport { sampled, left, rates: [first, second] }) = &self.phases {
            let (states, new) = (plural(self.walks, "state"), plural(self.new_states, "state"));
            let rates = format!(
                "{first:.0} % of the steps of the first phase led to new states, {second:.0} % of the second"
            );
            let (sampled, left) = (plural(*sampled, "step"), count(*left));
            let more = format!("{states} drawn: {sampled} led to {new}, {left} steps are left; {rates}");
            return (self.text(), more);
        }
        let (walks, steps) = (plural(self.walks, "walk"), plural(self.steps, "step"));
        let new = if self.source == "start" { "" } else { "new " };
        let more = match (self.estimate, self.is_rough) {
            (None, _) => "; too few were met twice to say more",
            (Some(_), true) => "; a rough estimate",
            (Some(_), false) => "",
        };
        let met = format!("met {} {new}states{more}", count(self.new_states));
        (self.text(), format!("{walks} of {steps} from the {} {met}", self.source))
    }

    pub(crate) fn json(&self) -> CoverageJson {
        CoverageJson {
            source: self.source,
            phases: self.phases.map(|phases| PhasesJson {
                sampled: phases.sampled,
                left: phases.left,
                rates: phases.rates.map(|rate| rounded(rate / 100.0, 6)),
            }),
            rough: self.is_rough,
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
struct PhasesJson {
    sampled: u64,
    left: u64,
    rates: [f64; 2],
}

#[derive(Serialize)]
pub(crate) struct CoverageJson {
    phases: Option<PhasesJson>,
    source: &'static str,
    rough: bool,
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
        let seen = |at_most| CoverageReport {
            phases: None,
            source: "frontier",
            is_rough: false,
            at_most,
            estimate: None,
            walks: 1,
            steps: 20,
            new_states: 15,
        };
        for (at_most, text) in [
            (0.0004, "probably at most 1 % of the states"),
            (0.624, "probably at most 62 % of the states"),
            (0.9976, "probably at most 99.8 % of the states"),
            (1.0, "an unknown share of the states (walks met too few others)"),
        ] {
            assert_eq!(seen(at_most).text(), text);
        }
        let rough =
            "1 walk of 20 steps from the frontier met 15 new states; too few were met twice to say more";
        assert_eq!(seen(0.5).line().1, rough);
        let estimated = CoverageReport { estimate: Some([0.204, 0.41, 0.6]), ..seen(0.62) };
        assert_eq!(estimated.text(), "probably at most 62 % of the states, about 41 % (20 to 60 %)");
        assert_eq!(estimated.short().as_deref(), Some("probably at most 62 %, about 41 %"));
        let rough = CoverageReport { source: "start", is_rough: true, ..estimated };
        assert_eq!(rough.short().as_deref(), Some("probably at most 62 %, roughly 41 %"));
        assert_eq!(rough.line().1, "1 walk of 20 steps from the start met 15 states; a rough estimate");
        assert_eq!(seen(1.0).short(), None);
    }
}
