//! Where the boxes of a picture are: in columns, each box right of what refers to it first.
//!
//! Globals and processes are in the first column. An object's column is one more than that of the first box
//! that refers to it, breadth first; in a column boxes stand in the order in which they are reached, and a
//! long column goes on beside itself.

use crate::steps::width;
use allways_model::{Heap, HeapKind, HeapNode};
use std::collections::VecDeque;

pub(super) const CHAR: usize = 8;
pub(super) const LINE: usize = 18;
pub(super) const HEAD: usize = 26;
pub(super) const LEFT: usize = 28;
pub(super) const TOP: usize = 60;
const GAP_X: usize = 110;
const GAP_Y: usize = 26;
/// Longer texts are cut; the whole text is in the title of the box.
pub(super) const LONGEST: usize = 56;
/// A column that is higher than this goes on beside itself.
const HIGHEST: usize = 1_400;

/// Where a box is, in pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) wide: usize,
    pub(super) high: usize,
    pub(super) column: usize,
}

impl Spot {
    /// The middle of a line of the box; `idx` counts notes and lines.
    pub(super) fn line_y(&self, idx: usize) -> usize {
        self.y + HEAD + LINE * idx + LINE / 2
    }
}

/// The places of all boxes.
pub(super) fn place(heap: &Heap) -> Vec<Spot> {
    let (columns, order) = columns(heap);
    let mut spots = vec![Spot::default(); heap.nodes.len()];
    let (mut x, mut column) = (LEFT, 0);
    while order.iter().any(|&idx| columns[idx] >= column) {
        let (mut y, mut widest) = (TOP, 0);
        for &idx in order.iter().filter(|&&idx| columns[idx] == column) {
            let (wide, high) = size(&heap.nodes[idx]);
            if y > TOP && y + high > HIGHEST {
                (x, y, widest) = (x + widest + GAP_X / 2, TOP, 0);
            }
            spots[idx] = Spot { x, y, wide, high, column };
            y += high + GAP_Y;
            widest = widest.max(wide);
        }
        x += widest + GAP_X;
        column += 1;
    }
    spots
}

/// The column of each box, and the boxes in the order in which they are reached.
fn columns(heap: &Heap) -> (Vec<usize>, Vec<usize>) {
    let is_root = |node: &HeapNode| matches!(node.kind, HeapKind::Globals | HeapKind::Process);
    let mut columns = vec![usize::MAX; heap.nodes.len()];
    let mut order = Vec::new();
    let mut waiting: VecDeque<usize> =
        (0..heap.nodes.len()).filter(|&idx| is_root(&heap.nodes[idx])).collect();
    waiting.iter().for_each(|&idx| columns[idx] = 0);
    for start in 0..=heap.nodes.len() {
        while let Some(idx) = waiting.pop_front() {
            order.push(idx);
            for to in heap.nodes[idx].lines.iter().filter_map(|line| line.to) {
                if columns.get(to) == Some(&usize::MAX) {
                    columns[to] = columns[idx] + 1;
                    waiting.push_back(to);
                }
            }
        }
        // What nothing refers to comes after what is referred to.
        if columns.get(start) == Some(&usize::MAX) {
            columns[start] = 1;
            waiting.push_back(start);
        }
    }
    (columns, order)
}

/// The size of a box.
fn size(node: &HeapNode) -> (usize, usize) {
    let texts = node.notes.iter().chain(node.lines.iter().map(|line| &line.text));
    let longest = texts.map(|text| width(text)).max().unwrap_or(0).max(width(&node.name) + 18);
    let n_lines = node.notes.len() + node.lines.len();
    (longest.clamp(14, LONGEST) * CHAR + 24, HEAD + n_lines * LINE + 8)
}
