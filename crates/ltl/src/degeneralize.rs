//! From several acceptance sets on edges to accepting states.
//!
//! The construction is the usual counter: a copy of a state records how many sets, in a fixed order, were
//! seen since the last accepting state. It is kept small in three ways. Each strongly connected component
//! counts separately, and only components that accept something count at all. In a component, every order of
//! the sets is tried (if there are few), and only a strongly connected part of the counted component that no
//! edge leaves is kept: it contains a copy of every state, and the position at which a run starts to count
//! does not matter. Finally, a set that is on all edges which leave a state is counted when the state is
//! entered.

use crate::graph::{Arc, Components, MarkedGraph};
use std::collections::HashMap;

/// With more sets than this, only rotations of their order are tried.
const MAX_PERMUTED: usize = 4;

/// An automaton with one set, in which all edges of a state carry the same mark.
pub(crate) fn degeneralize(graph: &MarkedGraph) -> MarkedGraph {
    let components = Components::new(graph);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); components.n_components()];
    for state in 0..graph.n_states() {
        members[components.of[state]].push(state);
    }
    // For each component, its counted states, each with its edges inside the component.
    let mut copies: HashMap<usize, usize> = HashMap::new();
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    let mut origin: Vec<usize> = Vec::new();
    for (component, members) in members.iter().enumerate() {
        let counted = if components.accepts(component) {
            best(graph, &components, members)
        } else {
            Counted::plain(graph, &components, members)
        };
        let base = arcs.len();
        for (place, copy) in counted.copies.iter().enumerate() {
            let marks = u64::from(copy.accepting);
            // On entry, the copy that has counted most is preferred, because it is nearest to acceptance.
            let entry = copies.entry(copy.state).or_insert(base + place);
            if *entry < base || counted.copies[*entry - base].level < copy.level {
                *entry = base + place;
            }
            origin.push(copy.state);
            let inside = copy.arcs.iter().map(|arc| Arc { marks, target: base + arc.target, ..*arc });
            arcs.push(inside.collect());
        }
        for (place, copy) in counted.copies.iter().enumerate() {
            let marks = u64::from(copy.accepting);
            for arc in graph.arcs[copy.state].iter().filter(|arc| !components.inside(copy.state, arc)) {
                arcs[base + place].push(Arc { guard: arc.guard, marks, target: copies[&arc.target] });
            }
        }
    }
    MarkedGraph { initial: copies[&graph.initial], arcs, n_sets: 1 }
}

struct Copy {
    state: usize,
    level: usize,
    accepting: bool,
    /// Edges inside the component; targets are indices in [`Counted::copies`].
    arcs: Vec<Arc>,
}

/// A component with its counter.
struct Counted {
    copies: Vec<Copy>,
}

impl Counted {
    /// A component that accepts nothing needs no counter.
    fn plain(graph: &MarkedGraph, components: &Components, members: &[usize]) -> Counted {
        let places: HashMap<usize, usize> =
            members.iter().enumerate().map(|(to, &from)| (from, to)).collect();
        let copies = members.iter().map(|&state| {
            let inside = graph.arcs[state].iter().filter(|arc| components.inside(state, arc));
            let arcs = inside.map(|arc| Arc { target: places[&arc.target], ..*arc }).collect();
            Copy { state, level: 0, accepting: false, arcs }
        });
        Counted { copies: copies.collect() }
    }

    /// Counts the sets in `order`.
    fn with_order(graph: &MarkedGraph, components: &Components, members: &[usize], order: &[u32]) -> Counted {
        let inside = |state: usize| {
            let arcs = graph.arcs[state].iter();
            arcs.filter(move |arc| components.inside(state, arc))
        };
        let on_all: HashMap<usize, u64> = members
            .iter()
            .map(|&state| (state, inside(state).fold(u64::MAX, |marks, arc| marks & arc.marks)))
            .collect();
        let advance = |mut level: usize, marks: u64| {
            while level < order.len() && marks >> order[level] & 1 == 1 {
                level += 1;
            }
            level
        };
        // Everything reachable from the first state with nothing counted.
        let first = (members[0], advance(0, on_all[&members[0]]));
        let mut places = HashMap::from([(first, 0)]);
        let mut found = vec![first];
        let mut arcs: Vec<Vec<Arc>> = Vec::new();
        while arcs.len() < found.len() {
            let (state, level) = found[arcs.len()];
            let from = if level == order.len() { 0 } else { level };
            let mut out = Vec::new();
            for arc in inside(state) {
                let level = advance(advance(from, arc.marks), on_all[&arc.target]);
                let target = *places.entry((arc.target, level)).or_insert_with(|| {
                    found.push((arc.target, level));
                    found.len() - 1
                });
                out.push(Arc { target, ..*arc });
            }
            arcs.push(out);
        }
        // A part that no edge leaves can be kept alone.
        let counted = MarkedGraph { initial: 0, arcs, n_sets: 0 };
        let parts = Components::new(&counted);
        let mut sizes = vec![0; parts.n_components()];
        let mut closed = vec![true; parts.n_components()];
        for (copy, arcs) in counted.arcs.iter().enumerate() {
            sizes[parts.of[copy]] += 1;
            closed[parts.of[copy]] &= arcs.iter().all(|arc| parts.inside(copy, arc));
        }
        let part = (0..parts.n_components()).filter(|&part| closed[part]).min_by_key(|&part| sizes[part]);
        let part = part.expect("a finite graph has a component that no edge leaves");
        let kept: Vec<usize> = (0..counted.n_states()).filter(|&c| parts.of[c] == part).collect();
        let place: HashMap<usize, usize> = kept.iter().enumerate().map(|(to, &from)| (from, to)).collect();
        let copies = kept.iter().map(|&c| {
            let (state, level) = found[c];
            let arcs = counted.arcs[c].iter().map(|arc| Arc { target: place[&arc.target], ..*arc }).collect();
            Copy { state, level, accepting: level == order.len(), arcs }
        });
        Counted { copies: copies.collect() }
    }
}

/// The smallest counted component over the orders that are tried.
fn best(graph: &MarkedGraph, components: &Components, members: &[usize]) -> Counted {
    let sets = needed_sets(graph, components, members);
    let orders = if sets.len() <= MAX_PERMUTED { permutations(&sets) } else { rotations(&sets) };
    let counted = orders.iter().map(|order| Counted::with_order(graph, components, members, order));
    counted.min_by_key(|counted| counted.copies.len()).expect("there is at least one order")
}

/// The sets that are not implied by others inside the component.
fn needed_sets(graph: &MarkedGraph, components: &Components, members: &[usize]) -> Vec<u32> {
    let mut sets: Vec<u32> = (0..graph.n_sets).collect();
    let implied = |i: u32, j: Option<u32>| {
        members.iter().all(|&state| {
            graph.arcs[state]
                .iter()
                .filter(|arc| components.inside(state, arc))
                .all(|arc| arc.marks >> i & 1 == 1 || j.is_some_and(|j| arc.marks >> j & 1 == 0))
        })
    };
    let mut place = 0;
    while place < sets.len() {
        let i = sets[place];
        if implied(i, None) || sets.iter().any(|&j| j != i && implied(i, Some(j))) {
            sets.remove(place);
        } else {
            place += 1;
        }
    }
    sets
}

fn permutations(sets: &[u32]) -> Vec<Vec<u32>> {
    let Some((&first, rest)) = sets.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for shorter in permutations(rest) {
        for place in 0..=shorter.len() {
            let mut order = shorter.clone();
            order.insert(place, first);
            all.push(order);
        }
    }
    all
}

fn rotations(sets: &[u32]) -> Vec<Vec<u32>> {
    (0..sets.len())
        .map(|by| {
            let mut order = sets.to_vec();
            order.rotate_left(by);
            order
        })
        .collect()
}
