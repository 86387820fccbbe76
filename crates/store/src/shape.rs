//! The form of the tree that stands for a vector: all vectors of one length have the same.
//!
//! Leaves are chunks of eight bytes, in order; the node above some leaves has the first of them below its left side
//! and the rest below its right, cut as a plan says. Nodes are numbered so that a node comes after all below it: the
//! leaves first, the root last.

use std::ops::Range;

/// The bytes of a leaf.
pub(crate) const CHUNK: usize = 8;

/// The form of the trees of all vectors of one length.
pub(crate) struct Shape {
    /// The length of the vectors.
    pub(crate) len: usize,
    pub(crate) n_leaves: usize,
    /// For each node but the root twice its parent's number, plus one if it is on the right side.
    up: Vec<u32>,
    /// For each node that is no leaf the nodes below it; the root of a smaller tree has fewer than two.
    down: Vec<[Option<u32>; 2]>,
}

impl Shape {
    /// The form of trees of vectors of `len` bytes, with the ranges of leaves that have nodes above them and the place
    /// where each is cut in two.
    pub(crate) fn new(len: usize, cuts: Vec<(Range<usize>, usize)>) -> Self {
        let n_leaves = len.div_ceil(CHUNK);
        let mut ranges: Vec<_> =
            cuts.into_iter().map(|(range, middle)| (range.start, middle, range.end)).collect();
        // Larger ranges later.
        ranges.sort_by_key(|&(start, _, end)| (end - start, start));
        let node_of = |start: usize, end: usize| match end - start {
            1 => start as u32,
            _ => {
                let found = ranges
                    .binary_search_by_key(&(end - start, start), |&(start, _, end)| (end - start, start));
                (n_leaves + found.expect("every part of a range is a range")) as u32
            }
        };
        let mut down: Vec<_> = ranges
            .iter()
            .map(|&(start, middle, end)| [Some(node_of(start, middle)), Some(node_of(middle, end))])
            .collect();
        if n_leaves < 2 {
            down.push([(n_leaves == 1).then_some(0), None]);
        }
        let mut up = vec![0; n_leaves + down.len()];
        for (idx, below) in down.iter().enumerate() {
            for (side, child) in below.iter().enumerate() {
                if let Some(child) = child {
                    up[*child as usize] = ((n_leaves + idx) * 2 + side) as u32;
                }
            }
        }
        Self { len, n_leaves, up, down }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.up.len()
    }

    pub(crate) fn root(&self) -> usize {
        self.up.len() - 1
    }

    /// The parent of a node that is not the root, and on which of its sides the node is.
    #[inline(always)]
    pub(crate) fn parent(&self, node: usize) -> (usize, usize) {
        let up = self.up[node] as usize;
        (up / 2, up % 2)
    }

    /// The nodes below a node that is not a leaf.
    #[inline(always)]
    pub(crate) fn below(&self, node: usize) -> [Option<u32>; 2] {
        self.down[node - self.n_leaves]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Samples;

    #[test]
    fn every_leaf_leads_to_the_root_through_nodes_after_it() {
        for n_leaves in 0..200 {
            let shape = Shape::new(n_leaves * CHUNK, Samples::new().cut(n_leaves * CHUNK));
            assert_eq!(shape.n_nodes(), (2 * n_leaves).saturating_sub(1).max(n_leaves + 1));
            for leaf in 0..n_leaves {
                let mut node = leaf;
                let mut height = 0;
                while node != shape.root() {
                    let (parent, side) = shape.parent(node);
                    assert!(parent > node);
                    assert_eq!(shape.below(parent)[side], Some(node as u32));
                    node = parent;
                    height += 1;
                }
                assert!(height <= n_leaves.next_power_of_two().trailing_zeros().max(1));
            }
        }
        assert_eq!(Shape::new(12, Samples::new().cut(12)).n_leaves, 2);
    }
}
