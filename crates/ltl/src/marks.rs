//! Marks that may be added or removed without changing the language.
//!
//! The mark of a set on an edge matters only if the edge lies on a cycle whose other edges are not in the
//! set. All other marks are free. Setting all of them, or none, makes states equal that were not. Equal
//! states and edges are then merged elsewhere.

use crate::graph::{Components, MarkedGraph};

/// What is done with marks that do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    /// They are set.
    Put,
    /// They are removed.
    Omit,
}

/// Brings the free marks of edges into one form.
pub(crate) fn settle_edges(graph: &mut MarkedGraph, free: Free) {
    let components = Components::new(graph);
    let accepting = |state: usize| components.accepts(components.of[state]);
    for set in 0..graph.n_sets {
        // Cycles without the set: edges inside their components keep their lack of the mark.
        let mut bare = graph.clone();
        for (state, arcs) in bare.arcs.iter_mut().enumerate() {
            arcs.retain(|arc| arc.marks >> set & 1 == 0 && components.of[arc.target] == components.of[state]);
        }
        let bare = Components::new(&bare);
        for state in 0..graph.n_states() {
            for arc in &mut graph.arcs[state] {
                let inside = components.of[state] == components.of[arc.target];
                if !inside {
                    continue;
                }
                if !accepting(state) {
                    arc.marks &= !(1 << set);
                } else if bare.of[state] != bare.of[arc.target] {
                    arc.marks |= 1 << set;
                }
            }
        }
    }
    let marks = if free == Free::Put { graph.all_marks() } else { 0 };
    for (state, arcs) in graph.arcs.iter_mut().enumerate() {
        for arc in arcs.iter_mut().filter(|arc| components.of[state] != components.of[arc.target]) {
            arc.marks = marks;
        }
    }
}

/// The same for a state-based automaton, where the free marks are on states. With [`Free::Omit`], a component
/// in which every cycle accepts stays accepting throughout, which makes an automaton weak.
pub(crate) fn settle_states(graph: &mut MarkedGraph, free: Free) {
    let components = Components::new(graph);
    let is_marked =
        |graph: &MarkedGraph, state: usize| graph.arcs[state].first().is_some_and(|arc| arc.marks & 1 == 1);
    // The states that are not on any cycle of unmarked states inside their component.
    let mut bare = graph.clone();
    for state in 0..graph.n_states() {
        let keep = !is_marked(graph, state);
        bare.arcs[state].retain(|arc| {
            keep && !is_marked(graph, arc.target) && components.of[arc.target] == components.of[state]
        });
    }
    let bare = Components::new(&bare);
    let free_state = |state: usize| bare.marks[bare.of[state]].is_none();
    let mut weak = vec![true; components.n_components()];
    for state in 0..graph.n_states() {
        weak[components.of[state]] &= free_state(state);
    }
    for state in 0..graph.n_states() {
        let component = components.of[state];
        let marked = match components.marks[component] {
            None => free == Free::Put,
            Some(_) if !components.accepts(component) => false,
            Some(_) if weak[component] => true,
            Some(_) => match free {
                Free::Put => free_state(state),
                Free::Omit => is_marked(graph, state) && needs_mark(graph, &components, state),
            },
        };
        graph.arcs[state].iter_mut().for_each(|arc| arc.marks = u64::from(marked));
    }
}

/// Whether some cycle inside the component through `state` contains no other marked state.
fn needs_mark(graph: &MarkedGraph, components: &Components, state: usize) -> bool {
    let mut seen = vec![false; graph.n_states()];
    let mut stack = vec![state];
    while let Some(from) = stack.pop() {
        for arc in graph.arcs[from].iter().filter(|arc| components.inside(from, arc)) {
            if arc.target == state {
                return true;
            }
            let marked = graph.arcs[arc.target].first().is_some_and(|arc| arc.marks & 1 == 1);
            if !marked && !std::mem::replace(&mut seen[arc.target], true) {
                stack.push(arc.target);
            }
        }
    }
    false
}
