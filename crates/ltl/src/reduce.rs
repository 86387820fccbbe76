//! Makes an automaton smaller without changing what it accepts: the order in which everything else is tried.

use crate::bdd::{Bdds, FALSE, TRUE};
use crate::graph::{Arc, Graph};
use crate::marks::{Free, settle_edges, settle_states};
use crate::quotient::{Keep, drop_little_brothers, merge, sharpen, use_inclusion};
use crate::relation::{backward, delayed, direct, fair};

/// Larger automata are not compared state by state.
const MAX_DIRECT: usize = 400;
/// Nor are the games with several fixed points solved for larger ones.
const MAX_FAIR: usize = 60;

/// What is made smaller: states first, then edges.
fn size(graph: &Graph) -> (usize, usize) {
    (graph.n_states(), graph.n_arcs())
}

/// Reduces a generalized automaton.
pub(crate) fn reduce_sets(graph: &mut Graph, bdds: &mut Bdds) {
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
pub(crate) fn reduce_states(graph: &mut Graph, bdds: &mut Bdds) {
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

/// Leaves as few choices as can be done without more states.
pub(crate) fn fewer_choices(graph: &mut Graph, bdds: &mut Bdds) {
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

fn by_direct(graph: &mut Graph, bdds: &mut Bdds, state_based: bool) {
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

/// Makes one state, with one edge, of all states that accept everything.
fn absorb_universal(graph: &mut Graph, bdds: &mut Bdds) {
    let universal = universal(graph, bdds);
    let Some(all) = universal.iter().position(|&is| is) else { return };
    graph.arcs.iter_mut().flatten().filter(|arc| universal[arc.target]).for_each(|arc| arc.target = all);
    graph.arcs[all] = vec![Arc { guard: TRUE, marks: graph.all_marks(), target: all }];
    if universal[graph.initial] {
        graph.initial = all;
    }
    // Whatever else is read on the way into that state is not worth an edge.
    for arcs in &mut graph.arcs {
        let letters =
            arcs.iter().filter(|arc| arc.target == all).fold(FALSE, |sum, arc| bdds.or(sum, arc.guard));
        arcs.retain(|arc| arc.target == all || !bdds.implies(arc.guard, letters));
    }
    graph.restrict(|_| true);
    graph.join_arcs(bdds);
}

/// For each state of a state-based automaton whether it accepts every word: there is a way to answer every letter
/// such that accepting states are met again and again (a Büchi game, solved by two nested fixed points).
pub(crate) fn universal(graph: &Graph, bdds: &mut Bdds) -> Vec<bool> {
    let n = graph.n_states();
    let mut good = vec![true; n];
    loop {
        // States that can be sure to take a marked edge into `good`, in any number of steps.
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
