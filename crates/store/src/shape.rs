//! The shape of the tree that represents a vector. All vectors of one length share a shape.
//!
//! Leaves are chunks of eight bytes, in order. An inner node covers a range of leaves: the first of them are
//! below its left side and the rest below its right, cut where a plan says. Nodes are numbered so that a node
//! comes after all nodes below it: the leaves first, the root last.

use std::ops::Range;

/// The size of a leaf in bytes.
pub(crate) const CHUNK: usize = 8;

/// The shape of the trees of all vectors of one length.
pub(crate) struct Shape {
    /// The length of the vectors.
    pub(crate) len: usize,
    pub(crate) n_leaves: usize,
    /// For each node but the root: twice its parent's number, plus one if it is on the right side.
    up: Vec<u32>,
    /// For each inner node: its children. The root of a tree with fewer than two leaves has fewer than two.
    down: Vec<[Option<u32>; 2]>,
}

impl Shape {
    /// The shape for vectors of `len` bytes. `cuts` lists the range of leaves of each inner node and the leaf
    /// at which it is cut in two.
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

    /// The parent of a node other than the root, and the side (0 left, 1 right) on which the node is.
    #[inline(always)]
    pub(crate) fn parent(&self, node: usize) -> (usize, usize) {
        let up = self.up[node] as usize;
        (up / 2, up % 2)
    }

    /// The children of an inner node.
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
