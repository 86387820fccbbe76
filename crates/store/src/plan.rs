//! Chooses where to cut vectors in two, from sampled vectors.
//!
//! A tree store is small if few distinct pairs occur at each node. If all values that change are in one half
//! of a vector, cutting between the halves gains nothing: that half has a distinct pair for nearly every
//! state, just as the root has. So each part of a vector is cut where, judging by the samples, the two sides
//! together have the fewest distinct values; without samples, in the middle. Vectors of a length that was not
//! sampled are cut as longer ones are, because vectors grow and shrink at their ends. The cut affects only
//! the size: any cut is correct.

use crate::shape::CHUNK;
use std::ops::Range;

/// The number of samples used at most; further ones are ignored.
const MAX_SAMPLES: usize = 2048;
/// Vectors with more chunks than this are cut by fewer samples, because the work grows with the square of the
/// length and models with long vectors have vectors of many lengths.
const LONG: usize = 48;

/// Sampled vectors of a model.
#[derive(Default)]
pub struct Samples {
    vectors: Vec<(usize, Vec<u64>)>,
}

/// The samples that matter for vectors of one length, partitioned into classes that are equal on some chunks.
struct Cutter<'s> {
    vectors: Vec<&'s [u64]>,
    classes: Vec<u32>,
    refined: Vec<u32>,
    /// Indices of samples plus one, by hash.
    table: Vec<u32>,
}

impl Samples {
    /// No samples.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a vector.
    pub fn add(&mut self, vector: &[u8]) {
        let (chunks, rest) = vector.as_chunks::<CHUNK>();
        let mut chunks: Vec<u64> = chunks.iter().map(|chunk| u64::from_ne_bytes(*chunk)).collect();
        if let Some(rest) = rest.first_chunk::<4>() {
            chunks.push(u64::from(u32::from_ne_bytes(*rest)));
        }
        self.vectors.push((vector.len(), chunks));
    }

    /// The cuts for vectors of `len` bytes: ranges of chunks, each with the chunk at which it is cut in two.
    pub(crate) fn cut(&self, len: usize) -> Vec<(Range<usize>, usize)> {
        let mut vectors: Vec<_> = self.vectors.iter().filter(|(sampled, _)| *sampled == len).collect();
        if vectors.len() < MAX_SAMPLES / 16 {
            vectors.extend(self.vectors.iter().filter(|(sampled, _)| *sampled > len));
        }
        let n_long = len.div_ceil(CHUNK).div_ceil(LONG).max(1);
        let n_wanted = (MAX_SAMPLES / (n_long * n_long * n_long)).max(16);
        let vectors: Vec<&[u64]> =
            vectors.iter().take(n_wanted).map(|(_, chunks)| chunks.as_slice()).collect();
        let n_samples = vectors.len();
        let mut cutter = Cutter {
            vectors,
            classes: vec![0; n_samples],
            refined: vec![0; n_samples],
            table: vec![0; (2 * n_samples).next_power_of_two()],
        };
        let mut cuts = Vec::new();
        let mut todo = vec![(0, len.div_ceil(CHUNK))];
        while let Some((start, end)) = todo.pop() {
            if end - start >= 2 {
                let middle = cutter.cut(start..end);
                todo.extend([(start, middle), (middle, end)]);
                cuts.push((start..end, middle));
            }
        }
        cuts
    }
}

/// Estimates the number of distinct values overall from `n_different` among `n_samples`: about `n_different`
/// if values repeat often, far more if they hardly repeat.
fn expected(n_different: usize, n_samples: usize) -> u64 {
    let share = n_different as f64 / n_samples as f64;
    let repeated = (1.0 - share).max(0.5 / n_samples as f64);
    (n_different as f64 * (1.0 + share / (2.0 * repeated))) as u64
}

impl Cutter<'_> {
    /// The chunk at which to cut a range of at least two chunks.
    fn cut(&mut self, range: Range<usize>) -> usize {
        let halfway = range.start + range.len().div_ceil(2);
        if self.vectors.len() < 2 {
            return halfway;
        }
        let before = self.different(range.clone());
        let mut behind = self.different(range.clone().rev());
        behind.reverse();
        let n_samples = self.vectors.len();
        let cost = |middle: usize| {
            expected(before[middle - 1 - range.start], n_samples)
                + expected(behind[middle - range.start], n_samples)
        };
        let distance = |middle: usize| middle.abs_diff(halfway);
        (range.start + 1..range.end).min_by_key(|&m| (cost(m), distance(m))).unwrap_or(halfway)
    }

    /// The number of distinct values of the first chunk, of the first two chunks together, and so on.
    fn different(&mut self, chunks: impl Iterator<Item = usize>) -> Vec<usize> {
        self.classes.fill(0);
        chunks.map(|chunk| self.refine(chunk)).collect()
    }

    /// Splits the classes by the value of a chunk, and returns how many there are then.
    fn refine(&mut self, chunk: usize) -> usize {
        let Self { vectors, classes, refined, table } = self;
        table.fill(0);
        let mask = table.len() - 1;
        let mut n_classes = 0;
        for (idx, vector) in vectors.iter().enumerate() {
            let (class, value) = (classes[idx], vector[chunk]);
            let hash = (value ^ u64::from(class) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut place = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) as usize >> 32 & mask;
            refined[idx] = loop {
                match table[place].checked_sub(1).map(|other| other as usize) {
                    None => {
                        table[place] = idx as u32 + 1;
                        n_classes += 1;
                        break n_classes;
                    }
                    Some(other) if classes[other] == class && vectors[other][chunk] == value => {
                        break refined[other];
                    }
                    Some(_) => place = (place + 1) & mask,
                }
            };
        }
        std::mem::swap(classes, refined);
        n_classes as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_samples_the_cut_is_in_the_middle() {
        let mut cuts = Samples::new().cut(5 * CHUNK - 4);
        cuts.sort_by_key(|(range, _)| (range.len(), range.start));
        assert_eq!(cuts, [(0..2, 1), (3..5, 4), (0..3, 2), (0..5, 3)]);
        assert!(Samples::new().cut(CHUNK).is_empty() && Samples::new().cut(0).is_empty());
    }

    #[test]
    fn both_sides_share_what_changes() {
        let mut samples = Samples::new();
        for (a, b) in (0..20u64).flat_map(|a| (0..20u64).map(move |b| (a, b))) {
            // Only the last two chunks change.
            let words = [7, 7, 7, 7, 7, 7, a, b];
            samples.add(&words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<_>>());
        }
        assert_eq!(samples.cut(8 * CHUNK)[0], (0..8, 7));
        // Shorter vectors are cut in the same way.
        assert_eq!(samples.cut(7 * CHUNK)[0].0, 0..7);
    }
}
