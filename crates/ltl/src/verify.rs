//! Reductions that are tried first and verified afterwards.
//!
//! Merging any two states, with the edges and the marks of both, can only add to the language of an
//! automaton. So if the automaton of the negated formula is available and has no word in common with the
//! result, nothing was added. This finds merges that relations between states miss; it needs a product for
//! each pair of states, so it is for small automata.

use crate::bdd::{Bdds, FALSE};
use crate::graph::{Arc, Components, MarkedGraph};
use std::collections::HashMap;

/// The most states of a product.
const MAX_PRODUCT: usize = 3_000;
/// The most pairs of edges to examine for one automaton.
const MAX_WORK: usize = 500_000;

/// Whether two automata have a word in common; `None` if computing it would take too long.
pub(crate) fn intersects(a: &MarkedGraph, b: &MarkedGraph, bdds: &mut Bdds) -> Option<bool> {
    if a.n_sets + b.n_sets > 64 {
        return None;
    }
    let start = (a.initial, b.initial);
    let mut numbers = HashMap::from([(start, 0)]);
    let mut pairs = vec![start];
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    while arcs.len() < pairs.len() {
        let (p, q) = pairs[arcs.len()];
        let mut out = Vec::new();
        for first in &a.arcs[p] {
            for second in &b.arcs[q] {
                let guard = bdds.and(first.guard, second.guard);
                if guard != FALSE {
                    let target = *numbers.entry((first.target, second.target)).or_insert_with_key(|&pair| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    out.push(Arc { guard, marks: first.marks | second.marks << a.n_sets, target });
                }
            }
        }
        arcs.push(out);
        if pairs.len() > MAX_PRODUCT {
            return None;
        }
    }
    let product = MarkedGraph { initial: 0, arcs, n_sets: a.n_sets + b.n_sets };
    let components = Components::new(&product);
    Some((0..components.n_components()).any(|component| components.accepts(component)))
}

/// Merges states of a state-based automaton as long as it has no word in common with `opposite`. Returns
/// whether anything was merged.
pub(crate) fn merge_verified(graph: &mut MarkedGraph, opposite: &MarkedGraph, bdds: &mut Bdds) -> bool {
    let mut work = 0;
    let mut merged = false;
    let mut pair = (0, 1);
    while pair.1 < graph.n_states() {
        work += graph.n_arcs() * opposite.n_arcs();
        if work > MAX_WORK {
            break;
        }
        let candidate = with_merged(graph, bdds, pair);
        if intersects(&candidate, opposite, bdds) == Some(false) {
            *graph = candidate;
            merged = true;
            pair = (0, 1);
        } else {
            pair = if pair.0 + 1 < pair.1 { (pair.0 + 1, pair.1) } else { (0, pair.1 + 1) };
        }
    }
    merged
}

/// The automaton with the second state of a pair merged into the first.
fn with_merged(graph: &MarkedGraph, bdds: &mut Bdds, (first, second): (usize, usize)) -> MarkedGraph {
    let mut result = graph.clone();
    let more = std::mem::take(&mut result.arcs[second]);
    result.arcs[first].extend(more);
    let marks = result.arcs[first].iter().fold(0, |marks, arc| marks | arc.marks);
    result.arcs[first].iter_mut().for_each(|arc| arc.marks = marks);
    for arc in result.arcs.iter_mut().flatten().filter(|arc| arc.target == second) {
        arc.target = first;
    }
    if result.initial == second {
        result.initial = first;
    }
    result.restrict(|_| true);
    result.join_arcs(bdds);
    result
}
