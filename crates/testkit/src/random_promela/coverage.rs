//! How many models use each feature, over a range of seeds.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use super::feature::Feature;
use super::generate;

/// The counts of a range of seeds.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// How many models there are.
    pub n_models: u64,
    /// In how many of them each feature occurs.
    pub uses: BTreeMap<Feature, u64>,
}

impl Coverage {
    /// Features that no model uses.
    pub fn unused(&self) -> Vec<Feature> {
        Feature::ALL.iter().copied().filter(|feature| !self.uses.contains_key(feature)).collect()
    }
}

/// Generates the models of `seeds` and counts their features.
pub fn coverage(seeds: Range<u64>) -> Coverage {
    let mut out = Coverage { n_models: 0, uses: BTreeMap::new() };
    for seed in seeds {
        out.n_models += 1;
        for feature in generate(seed).features {
            *out.uses.entry(feature).or_insert(0) += 1;
        }
    }
    out
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "features in {} models", self.n_models)?;
        for row in Feature::ALL.chunks(3) {
            for feature in row {
                let n = self.uses.get(feature).copied().unwrap_or(0);
                write!(f, "{:>6} {:<34}", n, feature.name())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
