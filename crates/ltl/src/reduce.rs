//! Makes an automaton smaller without changing its language: the order in which the reductions are applied.

use crate::bdd::{Bdds, FALSE, TRUE};
use crate::graph::{Arc, MarkedGraph};
use crate::marks::{Free, settle_edges, settle_states};
use crate::quotient::{Keep, drop_little_brothers, merge, sharpen, use_inclusion};
use crate::relation::{backward, delayed, direct, fair};

/// Larger automata are not compared state by state.
const MAX_DIRECT: usize = 400;
/// The games with several fixed points are not solved for larger automata than this.
const MAX_FAIR: usize = 60;

/// The size to minimise: states first, then edges.
fn size(graph: &MarkedGraph) -> (usize, usize) {
    (graph.n_states(), graph.n_arcs())
}

/// Reduces a generalized automaton.
pub(crate) fn reduce_sets(graph: &mut MarkedGraph, bdds: &mut Bdds) {
    graph.prune(bdds);
    loop {
        let before = size(graph);
        for free in [Free::Put, Free::Omit] {
            graph.drop_sets();
            settle_edges(graph, free);
            absorb_universal(graph, bdds);
            if graph.n_states() > MAX_DIRECT {
                return;
            }
            by_direct(graph, bdds, false);
            graph.prune(bdds);
        }
        if graph.n_sets == 1 && graph.n_states() <= MAX_FAIR {
            let relation = fair(graph, bdds);
            use_inclusion(graph, bdds, &relation);
            graph.prune(bdds);
        }
        if size(graph) >= before {
            return;
        }
    }
}

/// Reduces a state-based automaton.
pub(crate) fn reduce_states(graph: &mut MarkedGraph, bdds: &mut Bdds) {
    graph.prune(bdds);
    loop {
        let before = size(graph);
        for free in [Free::Put, Free::Omit] {
            settle_states(graph, free);
            absorb_universal(graph, bdds);
            if graph.n_states() > MAX_DIRECT {
                return;
            }
            by_direct(graph, bdds, true);
            graph.prune(bdds);
        }
        if graph.n_states() <= MAX_FAIR {
            let relation = fair(graph, bdds);
            use_inclusion(graph, bdds, &relation);
            graph.prune(bdds);
            settle_states(graph, Free::Put);
            let relation = delayed(graph, bdds);
            merge(graph, bdds, &relation, Keep::AllMarked);
            graph.prune(bdds);
        }
        settle_states(graph, Free::Omit);
        if size(graph) >= before {
            return;
        }
    }
}

/// Removes as many choices as possible without adding states.
pub(crate) fn fewer_choices(graph: &mut MarkedGraph, bdds: &mut Bdds) {
    for free in [Free::Put, Free::Omit] {
        settle_states(graph, free);
        if graph.n_states() <= MAX_DIRECT {
            by_direct(graph, bdds, true);
            let relation = direct(graph, bdds);
            sharpen(graph, bdds, &relation);
            graph.prune(bdds);
        }
    }
    settle_states(graph, Free::Omit);
}

fn by_direct(graph: &mut MarkedGraph, bdds: &mut Bdds, state_based: bool) {
    let mut relation = direct(graph, bdds);
    let before = graph.n_states();
    merge(graph, bdds, &relation, Keep::One);
    if graph.n_states() < before {
        relation = direct(graph, bdds);
    }
    drop_little_brothers(graph, bdds, &relation);
    let relation = backward(graph, bdds, state_based);
    merge(graph, bdds, &relation, Keep::All);
}

/// Merges all states that accept everything into one state with one edge.
fn absorb_universal(graph: &mut MarkedGraph, bdds: &mut Bdds) {
    let universal = universal(graph, bdds);
    let Some(all) = universal.iter().position(|&is| is) else { return };
    graph.arcs.iter_mut().flatten().filter(|arc| universal[arc.target]).for_each(|arc| arc.target = all);
    graph.arcs[all] = vec![Arc { guard: TRUE, marks: graph.all_marks(), target: all }];
    if universal[graph.initial] {
        graph.initial = all;
    }
    // An edge to another state is redundant if all its letters also lead into that state.
    for arcs in &mut graph.arcs {
        let letters =
            arcs.iter().filter(|arc| arc.target == all).fold(FALSE, |sum, arc| bdds.or(sum, arc.guard));
        arcs.retain(|arc| arc.target == all || !bdds.implies(arc.guard, letters));
    }
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}

/// For each state of a state-based automaton, whether it accepts every word: every letter can be answered
/// such that accepting states are visited infinitely often (a Büchi game, solved by two nested fixed points).
pub(crate) fn universal(graph: &MarkedGraph, bdds: &mut Bdds) -> Vec<bool> {
    let n = graph.n_states();
    let mut good = vec![true; n];
    loop {
        // States that can force a marked edge into `good`, in any number of steps.
        let mut sure = vec![false; n];
        loop {
            let mut changed = false;
            for state in 0..n {
                if !sure[state] {
                    let fits =
                        |arc: &&Arc| sure[arc.target] || (arc.marks == graph.all_marks() && good[arc.target]);
                    let arcs = graph.arcs[state].iter().filter(fits);
                    if arcs.fold(FALSE, |sum, arc| bdds.or(sum, arc.guard)) == TRUE {
                        sure[state] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        if sure == good {
            return good;
        }
        good = sure;
    }
}
