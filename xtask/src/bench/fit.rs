//! A sum of features fitted to logits of truths by least squares: what turns the bounds of walks into
//! estimates.
//!
//! Each model has the same weight, and among its runs those near the middle have more: an error of a logit is
//! most percentage points there. A small penalty keeps weights of features that say the same from growing
//! (ridge regression). Intervals come from the residuals of models that the fit at hand has not seen.

use super::coverage::Run;
use allways_search::{Coverage, N_FEATURES};
use std::collections::{BTreeMap, BTreeSet};

/// The residuals between which an interval that is called one of 90 % lies.
const TAILS: (f64, f64) = (0.025, 0.975);
const PENALTY: f64 = 1.0;
/// Runs at the ends count no less than as if this much was left.
const LEAST_SPREAD: f64 = 0.02;

/// Weights of features, and the residuals at the ends of the interval.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    weights: [f64; N_FEATURES],
    low: f64,
    high: f64,
}

fn logit(p: f64) -> f64 {
    let p = p.clamp(1e-4, 1.0 - 1e-4);
    (p / (1.0 - p)).ln()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn sum(weights: &[f64; N_FEATURES], features: &[f64; N_FEATURES]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// The weights that fit runs best.
fn weights(runs: &[&Run]) -> [f64; N_FEATURES] {
    let mut n_of: BTreeMap<usize, f64> = BTreeMap::new();
    runs.iter().for_each(|run| *n_of.entry(run.model).or_default() += 1.0);
    let shares: Vec<f64> =
        runs.iter().map(|run| (run.truth * (1.0 - run.truth)).max(LEAST_SPREAD) / n_of[&run.model]).collect();
    let scale = runs.len() as f64 / shares.iter().sum::<f64>().max(1e-9);
    let mut rows = [[0.0; N_FEATURES + 1]; N_FEATURES];
    for (run, share) in runs.iter().zip(shares) {
        let features = run.coverage.features();
        for (row, feature) in rows.iter_mut().zip(features) {
            let others = features.into_iter().chain([logit(run.truth)]);
            row.iter_mut().zip(others).for_each(|(cell, other)| *cell += scale * share * feature * other);
        }
    }
    for (idx, row) in rows.iter_mut().enumerate().skip(1) {
        row[idx] += PENALTY;
    }
    solve(rows)
}

/// Solves linear equations by elimination, the largest pivot first.
fn solve(mut rows: [[f64; N_FEATURES + 1]; N_FEATURES]) -> [f64; N_FEATURES] {
    for column in 0..N_FEATURES {
        let pivot =
            (column..N_FEATURES).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, pivot.expect("there is a row"));
        let top = rows[column];
        if top[column] == 0.0 {
            continue;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(idx, _)| *idx != column) {
            let factor = row[column] / top[column];
            row.iter_mut().zip(top).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    let mut solution = [0.0; N_FEATURES];
    for (idx, row) in rows.iter().enumerate().filter(|(idx, row)| row[*idx] != 0.0) {
        solution[idx] = row[N_FEATURES] / row[idx];
    }
    solution
}

impl Fit {
    /// The fit of all runs that have something to say.
    pub(super) fn of(runs: &[Run]) -> Self {
        let telling: Vec<&Run> = runs.iter().filter(|run| run.coverage.is_telling()).collect();
        Self::with(weights(&telling), left_out(&telling).into_iter())
    }

    /// Weights, and the residuals of runs by weights of their own.
    fn with<'a>(
        weights: [f64; N_FEATURES],
        runs: impl Iterator<Item = (&'a Run, [f64; N_FEATURES])>,
    ) -> Self {
        let mut residuals: Vec<f64> =
            runs.map(|(run, weights)| logit(run.truth) - sum(&weights, &run.coverage.features())).collect();
        residuals.sort_by(f64::total_cmp);
        let quantile = |q: f64| {
            let idx = (q * residuals.len() as f64) as usize;
            residuals.get(idx.min(residuals.len().saturating_sub(1))).copied().unwrap_or(0.0)
        };
        Self { weights, low: quantile(TAILS.0), high: quantile(TAILS.1) }
    }

    /// What the walks say themselves, with the residuals of that.
    pub(super) fn raw(runs: &[Run]) -> Self {
        let mut weights = [0.0; N_FEATURES];
        weights[1] = 1.0;
        let telling: Vec<&Run> = runs.iter().filter(|run| run.coverage.is_telling()).collect();
        Self::with(weights, telling.into_iter().map(|run| (run, weights)))
    }

    /// Estimates of all runs.
    pub(super) fn judge(&self, runs: &[Run]) -> Vec<(Run, [f64; 3])> {
        runs.iter().map(|run| (*run, self.estimate(&run.coverage))).collect()
    }

    /// An estimate with its interval, none of it above the bound.
    pub(super) fn estimate(&self, coverage: &Coverage) -> [f64; 3] {
        let middle = sum(&self.weights, &coverage.features());
        [middle + self.low, middle, middle + self.high].map(logistic).map(|p| p.min(coverage.bound()))
    }

    /// Estimates of all runs, each with the weights of a fit of the other models.
    pub(super) fn judge_left_out(&self, runs: &[Run]) -> Vec<(Run, [f64; 3])> {
        let all: Vec<&Run> = runs.iter().collect();
        let by = |(run, weights): (&Run, _)| (*run, Self { weights, ..*self }.estimate(&run.coverage));
        left_out(&all).into_iter().map(by).collect()
    }

    /// The numbers, as the source has them.
    pub(super) fn constants(&self) -> String {
        let weights: Vec<String> = self.weights.iter().map(|weight| format!("{weight:.3}")).collect();
        format!("weights [{}], low {:.3}, high {:.3}", weights.join(", "), self.low, self.high)
    }
}

/// Each run with the weights of the runs of other models that have something to say.
fn left_out<'a>(runs: &[&'a Run]) -> Vec<(&'a Run, [f64; N_FEATURES])> {
    let models: BTreeSet<usize> = runs.iter().map(|run| run.model).collect();
    let mut all = Vec::new();
    for model in models {
        let others: Vec<&Run> =
            runs.iter().filter(|run| run.model != model && run.coverage.is_telling()).copied().collect();
        let weights = weights(&others);
        all.extend(runs.iter().filter(|run| run.model == model).map(|run| (*run, weights)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let mut rows = [[0.0; N_FEATURES + 1]; N_FEATURES];
        // x2 = 3, x0 + x1 = 5, x0 - x1 = 1; the others are nowhere.
        (rows[0][2], rows[0][N_FEATURES]) = (1.0, 3.0);
        (rows[1][0], rows[1][1], rows[1][N_FEATURES]) = (1.0, 1.0, 5.0);
        (rows[2][0], rows[2][1], rows[2][N_FEATURES]) = (1.0, -1.0, 1.0);
        let solution = solve(rows);
        for (value, expected) in solution.into_iter().zip([3.0, 2.0, 3.0, 0.0, 0.0, 0.0]) {
            assert!((value - expected).abs() < 1e-9, "{solution:?}");
        }
    }
}
