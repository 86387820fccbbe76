//! What a relation between states allows: merging states, and leaving out edges.

use crate::bdd::{Bdds, FALSE};
use crate::graph::{Arc, Graph};
use crate::relation::Relation;

/// Merges states that are related both ways. The class keeps the edges of one member, or with `union` of all; marks
/// are then joined for the whole class.
pub(crate) fn merge(graph: &mut Graph, bdds: &mut Bdds, relation: &Relation, union: bool) {
    let n = graph.n_states();
    let class: Vec<usize> =
        (0..n).map(|state| (0..=state).find(|&first| relation.both(first, state)).unwrap_or(state)).collect();
    if class.iter().enumerate().all(|(state, &first)| state == first) {
        return;
    }
    if union {
        for state in 0..n {
            let first = class[state];
            if first != state {
                let more = std::mem::take(&mut graph.arcs[state]);
                graph.arcs[first].extend(more);
            }
        }
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

/// Merges states that the same edges lead to: related both ways backwards. The class has the edges of all members.
pub(crate) fn merge_backward(graph: &mut Graph, bdds: &mut Bdds, relation: &Relation) {
    let n = graph.n_states();
    let class: Vec<usize> =
        (0..n).map(|state| (0..=state).find(|&first| relation.both(first, state)).unwrap_or(state)).collect();
    for state in 0..n {
        if class[state] != state {
            let more = std::mem::take(&mut graph.arcs[state]);
            graph.arcs[class[state]].extend(more);
        }
    }
    graph.arcs.iter_mut().flatten().for_each(|arc| arc.target = class[arc.target]);
    graph.initial = class[graph.initial];
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}

/// Leaves out edges whose letters other edges of the same state can read, with as many marks and into states that
/// simulate its target directly. States related both ways must have been merged before.
pub(crate) fn drop_little_brothers(graph: &mut Graph, bdds: &mut Bdds, relation: &Relation) {
    for arcs in &mut graph.arcs {
        let better = |arc: &Arc, other: &Arc| {
            other != arc
                && arc.marks & !other.marks == 0
                && relation.has(arc.target, other.target)
                && (arc.marks != other.marks || arc.target != other.target)
        };
        let all = arcs.clone();
        arcs.retain(|arc| {
            let mut letters = FALSE;
            for other in all.iter().filter(|other| better(arc, other)) {
                letters = bdds.or(letters, other.guard);
            }
            !bdds.implies(arc.guard, letters)
        });
    }
    graph.restrict(|_| true);
}

/// Takes letters from edges that better edges of the same state can read as well (better as for
/// [`drop_little_brothers`]). The automaton has fewer choices then, and so does a product with it.
pub(crate) fn sharpen(graph: &mut Graph, bdds: &mut Bdds, relation: &Relation) {
    for arcs in &mut graph.arcs {
        let all = arcs.clone();
        for arc in arcs {
            let better = |other: &&Arc| {
                **other != *arc && arc.marks & !other.marks == 0 && relation.has(arc.target, other.target)
            };
            let letters = all.iter().filter(better).fold(FALSE, |sum, other| bdds.or(sum, other.guard));
            arc.guard = bdds.minus(arc.guard, letters);
        }
    }
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}

/// Uses that what is accepted from one state is accepted from another: `relation` may be any proof of that.
///
/// What a state accepts must not change while this is used, so an edge may be turned from `a` to an equivalent `b`
/// only if `b` does not reach `a`, and an edge of `q` may be left out for a better one only if that one leads to a
/// state that does not reach `q`.
pub(crate) fn use_inclusion(graph: &mut Graph, bdds: &mut Bdds, relation: &Relation) {
    let n = graph.n_states();
    let mut reach = graph.reach();
    for a in 0..n {
        let is_used =
            |graph: &Graph| a == graph.initial || graph.arcs.iter().flatten().any(|arc| arc.target == a);
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
    for state in 0..n {
        let mut place = 0;
        while place < graph.arcs[state].len() {
            let arc = graph.arcs[state][place];
            let better = |(other, with): (usize, &Arc)| {
                let good = relation.has(arc.target, with.target) && !reach[with.target][state];
                (other != place && good && with.target != state).then_some(with.guard)
            };
            let guards: Vec<_> = graph.arcs[state].iter().enumerate().filter_map(better).collect();
            let letters = guards.into_iter().fold(FALSE, |sum, guard| bdds.or(sum, guard));
            if bdds.implies(arc.guard, letters) {
                graph.arcs[state].remove(place);
            } else {
                place += 1;
            }
        }
    }
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}
