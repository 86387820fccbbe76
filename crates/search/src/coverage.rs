//! How much of a graph an unfinished search has seen: a bound, and an estimate with an interval.
//!
//! Random walks visit states that the search has not seen. Chao's estimator ("Nonparametric estimation of the
//! number of classes in a population", 1984) takes those visited once and twice for a lower bound of the number
//! of states that walks could meet, and so gives an upper bound of the part that the search has seen.
//!
//! The bound is an empirical one: the estimator assumes independent draws, and the states of a walk are not. The
//! estimate is what such bounds were worth on models with known numbers of states (`cargo xtask bench coverage
//! --calibrate`). Nothing is proved.

/// States of fewer walks are too much alike: then only those that were met are counted as unseen.
const FEWEST_WALKS: u64 = 20;
/// Fewer states seen twice say nothing about those not seen.
const FEWEST_TWICE: u64 = 20;
/// Nor does so small a part.
const LEAST_PART: f64 = 0.01;

/// Where the walks of an estimate begin, and so what they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In states that a breadth-first search had not expanded.
    Frontier,
    /// In states that a depth-first search had not opened. A rough estimate.
    Stack,
    /// In the initial state, without asking what the search knows. A rough estimate.
    Start,
}

/// How many numbers describe what walks have met.
pub const N_FEATURES: usize = 6;

/// The logit of the part that was seen is about the sum of the features of the walks, each times its weight; 95 % of
/// the residuals lie between two numbers.
struct Calibration {
    weights: [f64; N_FEATURES],
    low: f64,
    high: f64,
}

impl Source {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Frontier => "frontier",
            Self::Stack => "stack",
            Self::Start => "start",
        }
    }

    /// Whether estimates are rough.
    #[must_use]
    pub fn is_rough(self) -> bool {
        self != Self::Frontier
    }

    /// The models of `cargo xtask bench coverage --calibrate`.
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
            Self::Start => {
                Calibration { weights: [-2.520, 0.254, -0.650, 0.0, 0.0, 0.0], low: -1.830, high: 1.473 }
            }
        }
    }
}

/// What walks have met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Where they began.
    pub source: Source,
    /// States that the search had visited, and where they are kept those that it was about to visit.
    pub known: u64,
    /// The depth of the search.
    pub depth: u64,
    /// Walks.
    pub walks: u64,
    /// Their steps.
    pub steps: u64,
    /// Walks that came back to what the search knew.
    pub returns: u64,
    /// Distinct states that walks visited, without those that the search knew if walks begin behind them.
    pub distinct: u64,
    /// Those visited once.
    pub once: u64,
    /// Those visited twice.
    pub twice: u64,
    /// Of 2 to the power of this many states, one was counted.
    pub sampling: u32,
}

impl Coverage {
    /// No walks.
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
        }
    }

    /// At least about so many states were not seen.
    #[must_use]
    pub fn unseen(&self) -> f64 {
        let (once, twice) = (self.once as f64, self.twice as f64);
        let others = match self.walks {
            FEWEST_WALKS.. => once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0)),
            _ => 0.0,
        };
        let sampled = self.distinct as f64 + others;
        let met = sampled * f64::from(self.sampling).exp2();
        match self.source {
            Source::Frontier | Source::Stack => met,
            Source::Start => (met - self.known as f64).max(0.0),
        }
    }

    /// At most about this part of the states was seen. It is one if the walks say nothing.
    #[must_use]
    pub fn bound(&self) -> f64 {
        self.known as f64 / (self.known as f64 + self.unseen()).max(1.0)
    }

    /// About this part of the states was seen, after the least and before the most that is likely, if there is enough to
    /// say more than a bound. Calibrated on models with known numbers of states: an experience, not a theorem.
    #[must_use]
    pub fn estimate(&self) -> Option<[f64; 3]> {
        let Calibration { weights, low, high } = self.source.calibration();
        let middle: f64 = self.features().iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        let of = |residual: f64| (1.0 / (1.0 + (-middle - residual).exp())).min(self.bound());
        self.is_telling().then(|| [low, 0.0, high].map(of))
    }

    /// What an estimate is computed from: a one, the logit of the bound, and what says how far the bound can be trusted.
    /// From the frontier that is how many new states a walk met, how many walks came back, how many states were met once
    /// for each that was met twice, and how many states a level has; otherwise how many steps led to a state that was
    /// met once.
    #[must_use]
    pub fn features(&self) -> [f64; N_FEATURES] {
        let logit = |part: f64| {
            let part = part.clamp(1e-4, 1.0 - 1e-4);
            (part / (1.0 - part)).ln()
        };
        let ratio = |part: u64, whole: u64| part as f64 / whole as f64;
        let bound = logit(self.bound());
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

    /// Whether there is enough for more than a bound.
    #[must_use]
    pub fn is_telling(&self) -> bool {
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
