//! How much of the graph a partial certificate describes: walks of the certifier's own.
//!
//! A walk begins in a state that the script does not expand, drawn at random, and goes on at random through
//! states that have no number, until it ends, comes to a state with a number, or is long. Visits of states
//! are counted. What follows from the counts is for others to say ([`Walks`] has the numbers that an estimate
//! is made of): it is an experience with walks on other graphs, and no evidence. So the verdict does not
//! depend on any of this.
//!
//! For this the certifier keeps the fingerprint of every numbered state, and up to some thousand vectors of
//! states that are not expanded. It takes a ninth of the steps that the script has, some thousand in a small
//! graph.

use crate::portion::Worker;
use crate::print::Prints;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// No more states that are not expanded are kept than these.
const MOST_OPEN: usize = 4096;
/// A walk has no more steps.
const LONGEST: u32 = 1000;
/// In a small graph there are this many steps for each state, up to so many.
const STEPS_A_STATE: u64 = 3;
const FEW_STEPS: u64 = 20_000;

/// What walks from the states met that a partial certificate does not expand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walks {
    /// Numbered states.
    pub known: u64,
    /// The level of the last state that the script expands.
    pub depth: u64,
    /// Walks.
    pub walks: u64,
    /// Their steps.
    pub steps: u64,
    /// Walks that came to a state with a number.
    pub returns: u64,
    /// Distinct states without a number that walks visited.
    pub distinct: u64,
    /// Those visited once.
    pub once: u64,
    /// Those visited twice.
    pub twice: u64,
}

impl Walks {
    /// All of them, in the order in which an estimate takes them.
    #[must_use]
    pub fn numbers(&self) -> [u64; 8] {
        let Self { known, depth, walks, steps, returns, distinct, once, twice } = *self;
        [known, depth, walks, steps, returns, distinct, once, twice]
    }
}

/// SplitMix64 of Steele, Lea and Flood (2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `n`, which is not zero.
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    }
}

/// States that are not expanded: all of them, or a sample in which each is as likely as another.
pub(crate) struct Open {
    vectors: Vec<Vec<u8>>,
    n_met: u64,
    random: Random,
}

impl Open {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self { vectors: Vec::new(), n_met: 0, random: Random(0) }
    }

    /// Another one.
    pub(crate) fn add(&mut self, vector: &[u8]) {
        self.n_met += 1;
        if self.vectors.len() < MOST_OPEN {
            return self.vectors.push(vector.to_vec());
        }
        let at = self.random.below(self.n_met) as usize;
        if let Some(other) = self.vectors.get_mut(at) {
            *other = vector.to_vec();
        }
    }
}

/// Walks from states that are not expanded, in a graph of which these prints are known, in ascending order,
/// and this many levels and steps.
pub(crate) fn walk<P: Prints>(
    worker: &mut Worker<'_, P>,
    prints: &P,
    mut open: Open,
    known: &[(P::Print, u64)],
    (depth, n_steps): (u64, u64),
) -> Walks {
    let mut walks = Walks { known: known.len() as u64, depth, ..Walks::default() };
    let most = (n_steps / 9).max(FEW_STEPS.min(STEPS_A_STATE * walks.known));
    let mut visits: HashMap<P::Print, u32> = HashMap::new();
    while walks.steps < most && !open.vectors.is_empty() {
        walks.walks += 1;
        let at = open.random.below(open.vectors.len() as u64) as usize;
        let mut vector = open.vectors[at].clone();
        for _ in 0..LONGEST {
            walks.steps += 1;
            // A program that cannot go on here ends the walk, and says nothing about the certificate.
            if worker.expand_some(&vector).is_err() || worker.batch().is_empty() {
                break;
            }
            let slot = open.random.below(worker.batch().len() as u64) as usize;
            vector = worker.vector(slot).to_vec();
            let print = prints.of(&vector);
            match visits.entry(print) {
                Entry::Occupied(mut one) => *one.get_mut() += 1,
                Entry::Vacant(one) => {
                    if known.binary_search_by(|(known, _)| known.cmp(one.key())).is_ok() {
                        walks.returns += 1;
                        break;
                    }
                    one.insert(1);
                }
            }
        }
    }
    walks.distinct = visits.len() as u64;
    walks.once = visits.values().filter(|&&n| n == 1).count() as u64;
    walks.twice = visits.values().filter(|&&n| n == 2).count() as u64;
    walks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_many_states_is_fair() {
        let mut open = Open::new();
        (0..100_000_u32).for_each(|idx| open.add(&idx.to_le_bytes()));
        assert_eq!(open.vectors.len(), MOST_OPEN);
        let of = |vector: &Vec<u8>| u32::from_le_bytes(vector.as_slice().try_into().unwrap());
        let mean = open.vectors.iter().map(of).map(f64::from).sum::<f64>() / MOST_OPEN as f64;
        assert!((mean - 50_000.0).abs() < 3_000.0, "{mean}");
    }
}
