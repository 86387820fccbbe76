//! Uses of a relation between states: merging states and removing edges.

use crate::bdd::{Bdds, FALSE};
use crate::graph::{Arc, MarkedGraph};
use crate::relation::Relation;

/// Which edges and marks a state has that results from a merge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The edges of one of them, because each can do what the others can.
    One,
    /// The edges of all.
    All,
    /// The edges of all, each with the marks of all.
    AllMarked,
}

/// Merges states that are related both ways.
pub(crate) fn merge(graph: &mut MarkedGraph, bdds: &mut Bdds, relation: &Relation, keep: Keep) {
    let first_like = |state: usize| (0..state).find(|&first| relation.both(first, state)).unwrap_or(state);
    let class: Vec<usize> = (0..graph.n_states()).map(first_like).collect();
    for (state, &first) in class.iter().enumerate() {
        if first != state && keep != Keep::One {
            let more = std::mem::take(&mut graph.arcs[state]);
            graph.arcs[first].extend(more);
        }
    }
    if keep == Keep::AllMarked {
        for arcs in &mut graph.arcs {
            let marks = arcs.iter().fold(0, |marks, arc| marks | arc.marks);
            arcs.iter_mut().for_each(|arc| arc.marks = marks);
        }
    }
    graph.arcs.iter_mut().flatten().for_each(|arc| arc.target = class[arc.target]);
    graph.initial = class[graph.initial];
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}

/// Whether `other` can replace `arc`, both edges of one state: it has at least the same marks, and leads to a
/// state that simulates the other target directly. Of two edges that can replace each other, only one is
/// better.
fn is_better(relation: &Relation, arc: &Arc, other: &Arc) -> bool {
    let at_least = arc.marks & !other.marks == 0 && relation.has(arc.target, other.target);
    let as_good = arc.marks == other.marks && relation.has(other.target, arc.target);
    at_least && (!as_good || other.target < arc.target)
}

/// Removes edges whose letters better edges of the same state can read.
pub(crate) fn drop_little_brothers(graph: &mut MarkedGraph, bdds: &mut Bdds, relation: &Relation) {
    for arcs in &mut graph.arcs {
        let all = arcs.clone();
        arcs.retain(|arc| {
            let better = all.iter().filter(|other| is_better(relation, arc, other));
            let letters = better.fold(FALSE, |sum, other| bdds.or(sum, other.guard));
            !bdds.implies(arc.guard, letters)
        });
    }
    graph.restrict(|_| true);
}

/// Removes from edges the letters that better edges of the same state can read as well. Then the automaton
/// has fewer choices, and so has a product with it.
pub(crate) fn sharpen(graph: &mut MarkedGraph, bdds: &mut Bdds, relation: &Relation) {
    for arcs in &mut graph.arcs {
        let all = arcs.clone();
        for arc in arcs {
            let better = all.iter().filter(|other| is_better(relation, arc, other));
            let letters = better.fold(FALSE, |sum, other| bdds.or(sum, other.guard));
            arc.guard = bdds.minus(arc.guard, letters);
        }
    }
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}

/// Uses a proof, given as `relation`, that the language of one state includes that of another.
///
/// The language of a state must not change while this is used. So an edge may be redirected from `a` to an
/// equivalent `b` only if `b` does not reach `a`, and an edge of `q` may be removed for a better one only if
/// that one leads to a state that does not reach `q`.
pub(crate) fn use_inclusion(graph: &mut MarkedGraph, bdds: &mut Bdds, relation: &Relation) {
    let n = graph.n_states();
    let mut reach = graph.reach();
    for a in 0..n {
        let is_used = |graph: &MarkedGraph| {
            a == graph.initial || graph.arcs.iter().flatten().any(|arc| arc.target == a)
        };
        let equal = (0..n).find(|&b| a != b && relation.both(a, b) && !reach[b][a]);
        if let Some(b) = equal
            && is_used(graph)
        {
            graph.arcs.iter_mut().flatten().filter(|arc| arc.target == a).for_each(|arc| arc.target = b);
            if graph.initial == a {
                graph.initial = b;
            }
            reach = graph.reach();
        }
    }
    for (state, arcs) in graph.arcs.iter_mut().enumerate() {
        let mut place = 0;
        while place < arcs.len() {
            let arc = arcs[place];
            let better = |(other, with): (usize, &Arc)| {
                let good = relation.has(arc.target, with.target) && !reach[with.target][state];
                (other != place && good && with.target != state).then_some(with.guard)
            };
            let guards: Vec<_> = arcs.iter().enumerate().filter_map(better).collect();
            let letters = guards.into_iter().fold(FALSE, |sum, guard| bdds.or(sum, guard));
            if bdds.implies(arc.guard, letters) {
                arcs.remove(place);
            } else {
                place += 1;
            }
        }
    }
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}
