//! Estimates how much of a graph an unfinished search has seen: a bound, and an estimate with an interval.
//!
//! Random walks visit states that the search has not seen. Chao's estimator ("Nonparametric estimation of the
//! number of classes in a population", 1984) computes a lower bound on the number of states that walks could
//! meet from the numbers of states visited once and twice. This gives an upper bound on the part that the
//! search has seen.
//!
//! The bound is empirical: the estimator assumes independent draws, and the states of a walk are not
//! independent. The estimate corrects the bound by a calibration on models with known numbers of states
//! (`cargo xtask bench coverage --calibrate`). Neither is proved.

use crate::phases::Phases;

/// With fewer walks their states are too similar for the estimator; then only the states met are counted as
/// unseen.
const FEWEST_WALKS: u64 = 20;
/// With fewer states seen twice there is only a bound.
const FEWEST_TWICE: u64 = 20;
/// With a smaller part there is only a bound.
const LEAST_PART: f64 = 0.01;

/// Where the walks of an estimate begin, which determines what they measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In states that a breadth-first search had not expanded.
    Frontier,
    /// In states that a depth-first search had not opened. A rough estimate.
    Stack,
    /// In states that were not expanded when the first of two phases was over, and exhaustively (`phases`).
    Phases,
    /// In the initial state, without using the states that the search knows. A rough estimate.
    Start,
}

/// The number of features from which an estimate is computed.
pub const N_FEATURES: usize = 6;

/// A linear model of the logit of the part that was seen: a weight for each feature, and the interval that
/// contains 95 % of the residuals.
struct Calibration {
    weights: [f64; N_FEATURES],
    low: f64,
    high: f64,
}

impl Source {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Frontier => "frontier",
            Self::Stack => "stack",
            Self::Phases => "phases",
            Self::Start => "start",
        }
    }

    /// Whether estimates are rough.
    #[must_use]
    pub fn is_rough(self) -> bool {
        self != Self::Frontier
    }

    /// The calibration on the models of `cargo xtask bench coverage --calibrate`.
    fn calibration(self) -> Calibration {
        match self {
            Self::Frontier => Calibration {
                weights: [-0.557, 0.881, -0.225, -0.035, -0.272, 0.085],
                low: -1.382,
                high: 0.645,
            },
            Self::Stack => {
                Calibration { weights: [-1.530, 0.659, -0.253, 0.0, 0.0, 0.0], low: -1.575, high: 0.918 }
            }
            // The estimate is that of the thesis, as it is; only its interval is from experience.
            Self::Phases => Calibration { weights: [0.0, 1.0, 0.0, 0.0, 0.0, 0.0], low: -2.520, high: 5.149 },
            Self::Start => {
                Calibration { weights: [-2.520, 0.254, -0.650, 0.0, 0.0, 0.0], low: -1.830, high: 1.473 }
            }
        }
    }
}

/// The statistics of walks beside or after a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Where the walks began.
    pub source: Source,
    /// States that the search had visited, including, if it keeps them, those that it was about to visit.
    pub known: u64,
    /// The depth of the search.
    pub depth: u64,
    /// The number of walks.
    pub walks: u64,
    /// The number of their steps.
    pub steps: u64,
    /// The number of walks that returned to states that the search knew.
    pub returns: u64,
    /// Distinct states that walks visited; if walks begin at the frontier, without those that the search
    /// knew.
    pub distinct: u64,
    /// The number of these states that were visited once.
    pub once: u64,
    /// The number of these states that were visited twice.
    pub twice: u64,
    /// One state in two to the power of this number was counted.
    pub sampling: u32,
    /// What a search in two phases did.
    pub phases: Option<Phases>,
}

impl Coverage {
    /// A coverage without walks.
    pub(crate) fn none(source: Source, known: u64) -> Self {
        Self {
            source,
            known,
            depth: 0,
            walks: 0,
            steps: 0,
            returns: 0,
            distinct: 0,
            once: 0,
            twice: 0,
            sampling: 0,
            phases: None,
        }
    }

    /// A lower bound on the number of states that were not seen.
    #[must_use]
    pub fn unseen(&self) -> f64 {
        if let Some(phases) = &self.phases {
            return phases.left as f64;
        }
        let (once, twice) = (self.once as f64, self.twice as f64);
        let others = match self.walks {
            FEWEST_WALKS.. => once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0)),
            _ => 0.0,
        };
        let sampled = self.distinct as f64 + others;
        let met = sampled * f64::from(self.sampling).exp2();
        match self.source {
            Source::Frontier | Source::Stack | Source::Phases => met,
            Source::Start => (met - self.known as f64).max(0.0),
        }
    }

    /// An upper bound on the part of the states that was seen. It is one if the walks give no information.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.known as f64 / (self.known as f64 + self.unseen()).max(1.0)
    }

    /// The estimated part of the states that was seen, between the ends of its interval; `None` if the data
    /// allow only a bound. Calibrated on models with known numbers of states, not proved.
    #[must_use]
    pub fn estimate(&self) -> Option<[f64; 3]> {
        let Calibration { weights, low, high } = self.source.calibration();
        let middle: f64 = self.features().iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        let of = |residual: f64| (1.0 / (1.0 + (-middle - residual).exp())).min(self.bound());
        self.is_telling().then(|| [low, 0.0, high].map(of))
    }

    /// The features from which the estimate is computed: a one, the logit of the bound, and measures of how
    /// far the bound can be trusted. For walks from the frontier these are the new states per walk, the share
    /// of walks that returned, the states met once for each state met twice, and the states per level; for
    /// other walks, the share of steps that led to a state met once.
    #[must_use]
    pub fn features(&self) -> [f64; N_FEATURES] {
        let logit = |part: f64| {
            let part = part.clamp(1e-4, 1.0 - 1e-4);
            (part / (1.0 - part)).ln()
        };
        let ratio = |part: u64, whole: u64| part as f64 / whole as f64;
        let bound = logit(self.raw());
        if self.phases.is_some() {
            return [1.0, bound, 0.0, 0.0, 0.0, 0.0];
        }
        if self.source.is_rough() {
            let once = self.once as f64 * f64::from(self.sampling).exp2();
            return [1.0, bound, logit((once + 1.0) / (self.steps + 2) as f64), 0.0, 0.0, 0.0];
        }
        let walks = self.walks.max(1);
        [
            1.0,
            bound,
            ratio(self.distinct + 1, walks).ln(),
            logit((self.returns as f64 + 0.5) / (walks + 1) as f64),
            ratio(self.once + 1, self.twice + 1).ln(),
            ratio(self.known.max(1), self.depth + 1).ln(),
        ]
    }

    /// What an estimate begins with: the bound, or for two phases the estimate of the thesis.
    #[must_use]
    pub fn raw(&self) -> f64 {
        let known = self.known as f64;
        self.phases.map_or_else(|| self.bound(), |phases| known / (known + phases.unvisited()).max(1.0))
    }

    /// Whether the data allow an estimate in addition to the bound.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        if let Some(phases) = &self.phases {
            return phases.sampled > 0 && phases.left > 0;
        }
        self.walks >= FEWEST_WALKS && self.twice >= FEWEST_TWICE && (LEAST_PART..1.0).contains(&self.bound())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_met_once_stand_for_others() {
        let none = Coverage::none(Source::Frontier, 100);
        let coverage = Coverage { walks: 20, distinct: 60, once: 41, twice: 19, ..none };
        assert!((Coverage { walks: 19, ..coverage }.unseen() - 60.0).abs() < 1e-9);
        assert!((coverage.unseen() - (60.0 + 41.0)).abs() < 1e-9);
        assert!((coverage.bound() - 100.0 / 201.0).abs() < 1e-9);
        assert!(!coverage.is_telling());
        assert!(coverage.estimate().is_none());
        let [least, middle, most] = Coverage { twice: 20, ..coverage }.estimate().unwrap();
        assert!(0.05 < least && least < middle && middle < most && most <= coverage.bound() + 0.1);
        assert_eq!(none.bound(), 1.0);
    }

    #[test]
    fn walks_from_the_start_meet_what_the_search_knows() {
        let start =
            Coverage { walks: 20, distinct: 60, once: 41, twice: 19, ..Coverage::none(Source::Start, 100) };
        assert!((start.unseen() - 1.0).abs() < 1e-9);
        let sampled = Coverage { sampling: 3, ..start };
        assert!((sampled.unseen() - (8.0 * 101.0 - 100.0)).abs() < 1e-9);
        let all = Coverage { known: 1000, twice: 40, ..start };
        assert_eq!((all.bound(), all.estimate()), (1.0, None));
    }
}
