//! The automaton that the translation works on: generalized Büchi, with marks on edges.
//!
//! There are up to 64 acceptance sets; bit `i` of an edge's marks is set if the edge is in set `i`. A run is
//! accepted if it takes edges of every set infinitely often. The final state-based automaton is the special
//! case of one set in which all edges of a state carry the same mark.

use crate::bdd::{Bdd, Bdds, FALSE};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arc {
    pub(crate) guard: Bdd,
    pub(crate) marks: u64,
    pub(crate) target: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct MarkedGraph {
    pub(crate) initial: usize,
    pub(crate) arcs: Vec<Vec<Arc>>,
    pub(crate) n_sets: u32,
}

impl MarkedGraph {
    /// The automaton that accepts nothing.
    pub(crate) fn empty() -> MarkedGraph {
        MarkedGraph { initial: 0, arcs: vec![Vec::new()], n_sets: 1 }
    }

    pub(crate) fn n_states(&self) -> usize {
        self.arcs.len()
    }

    pub(crate) fn n_arcs(&self) -> usize {
        self.arcs.iter().map(Vec::len).sum()
    }

    /// A bit for each acceptance set.
    pub(crate) fn all_marks(&self) -> u64 {
        if self.n_sets == 64 { u64::MAX } else { (1 << self.n_sets) - 1 }
    }

    /// The number of pairs of different edges of one state that read a letter in common.
    pub(crate) fn n_choices(&self, bdds: &mut Bdds) -> usize {
        let mut n = 0;
        for arcs in &self.arcs {
            for (i, a) in arcs.iter().enumerate() {
                n += arcs[i + 1..].iter().filter(|b| bdds.and(a.guard, b.guard) != FALSE).count();
            }
        }
        n
    }

    /// Joins the edges that differ only in their guards.
    pub(crate) fn join_arcs(&mut self, bdds: &mut Bdds) {
        for arcs in &mut self.arcs {
            let mut places: HashMap<(usize, u64), usize> = HashMap::new();
            let mut joined: Vec<Arc> = Vec::with_capacity(arcs.len());
            for arc in arcs.iter().filter(|arc| arc.guard != FALSE) {
                let place = *places.entry((arc.target, arc.marks)).or_insert(joined.len());
                match joined.get_mut(place) {
                    Some(same) => same.guard = bdds.or(same.guard, arc.guard),
                    None => joined.push(*arc),
                }
            }
            *arcs = joined;
        }
    }

    /// Keeps the reachable states among those that `keep` allows; the initial one always stays.
    pub(crate) fn restrict(&mut self, keep: impl Fn(usize) -> bool) {
        let mut numbers = vec![usize::MAX; self.n_states()];
        let mut order = vec![self.initial];
        numbers[self.initial] = 0;
        let mut arcs = Vec::new();
        let mut i = 0;
        while i < order.len() {
            let mut kept = std::mem::take(&mut self.arcs[order[i]]);
            kept.retain_mut(|arc| {
                if !keep(arc.target) {
                    return false;
                }
                let number = &mut numbers[arc.target];
                if *number == usize::MAX {
                    *number = order.len();
                    order.push(arc.target);
                }
                arc.target = *number;
                true
            });
            arcs.push(kept);
            i += 1;
        }
        self.arcs = arcs;
        self.initial = 0;
    }

    /// Which states each state can reach in one or more steps.
    pub(crate) fn reach(&self) -> Vec<Vec<bool>> {
        self.arcs.iter().map(|arcs| self.reach_from(arcs.iter().map(|arc| arc.target))).collect()
    }

    /// The states reachable from the given ones, which are included.
    pub(crate) fn reach_from(&self, from: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut seen = vec![false; self.n_states()];
        let mut stack: Vec<usize> = from.collect();
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut seen[state], true) {
                stack.extend(self.arcs[state].iter().map(|arc| arc.target));
            }
        }
        seen
    }
}

/// The strongly connected components, and which of them accept something.
pub(crate) struct Components {
    /// The component of each state. Edges lead to equal or smaller numbers.
    pub(crate) of: Vec<usize>,
    /// The marks on edges inside each component, or `None` if it has none.
    pub(crate) marks: Vec<Option<u64>>,
    all: u64,
}

impl Components {
    /// Tarjan's algorithm with an explicit stack.
    pub(crate) fn new(graph: &MarkedGraph) -> Components {
        const NEW: usize = usize::MAX;
        let n = graph.n_states();
        let (mut index, mut low, mut of) = (vec![NEW; n], vec![0; n], vec![NEW; n]);
        let (mut path, mut n_seen, mut n_components) = (Vec::new(), 0, 0);
        for root in 0..n {
            let mut calls: Vec<(usize, usize)> =
                if index[root] == NEW { vec![(root, 0)] } else { Vec::new() };
            while let Some((state, place)) = calls.pop() {
                if place == 0 {
                    (index[state], low[state]) = (n_seen, n_seen);
                    n_seen += 1;
                    path.push(state);
                } else {
                    let child = graph.arcs[state][place - 1].target;
                    if of[child] == NEW {
                        low[state] = low[state].min(low[child]);
                    }
                }
                if let Some(arc) = graph.arcs[state].get(place) {
                    calls.push((state, place + 1));
                    if index[arc.target] == NEW {
                        calls.push((arc.target, 0));
                    }
                } else if low[state] == index[state] {
                    while let Some(member) = path.pop() {
                        of[member] = n_components;
                        if member == state {
                            break;
                        }
                    }
                    n_components += 1;
                }
            }
        }
        let mut marks = vec![None; n_components];
        for (state, arcs) in graph.arcs.iter().enumerate() {
            for arc in arcs.iter().filter(|arc| of[arc.target] == of[state]) {
                *marks[of[state]].get_or_insert(0) |= arc.marks;
            }
        }
        Components { of, marks, all: graph.all_marks() }
    }

    pub(crate) fn n_components(&self) -> usize {
        self.marks.len()
    }

    /// Whether a run can stay in the component and be accepted.
    pub(crate) fn accepts(&self, component: usize) -> bool {
        self.marks[component] == Some(self.all)
    }

    /// Whether an edge from `state` stays in its component.
    pub(crate) fn inside(&self, state: usize, arc: &Arc) -> bool {
        self.of[state] == self.of[arc.target]
    }
}

impl MarkedGraph {
    /// Removes states from which nothing is accepted, and marks in components that accept nothing.
    pub(crate) fn prune(&mut self, bdds: &mut Bdds) {
        let components = Components::new(self);
        let mut useful: Vec<bool> = (0..components.n_components()).map(|c| components.accepts(c)).collect();
        // Components are numbered against the direction of edges, so one pass over states in that order is
        // enough.
        let mut order: Vec<usize> = (0..self.n_states()).collect();
        order.sort_by_key(|&state| components.of[state]);
        for state in order {
            if self.arcs[state].iter().any(|arc| useful[components.of[arc.target]]) {
                useful[components.of[state]] = true;
            }
        }
        for (state, arcs) in self.arcs.iter_mut().enumerate() {
            if !components.accepts(components.of[state]) {
                arcs.iter_mut().for_each(|arc| arc.marks = 0);
            }
        }
        if !useful[components.of[self.initial]] {
            *self = MarkedGraph::empty();
            return;
        }
        self.restrict(|state| useful[components.of[state]]);
        self.join_arcs(bdds);
    }

    /// Removes acceptance sets that hold whenever another one does. Must follow [`MarkedGraph::prune`], which
    /// removes the marks in components that accept nothing: one set is kept to distinguish them from the
    /// others.
    pub(crate) fn drop_sets(&mut self) {
        let components = Components::new(self);
        let rejecting = |c: usize| components.marks[c].is_some() && !components.accepts(c);
        let n_needed = usize::from((0..components.n_components()).any(rejecting));
        let mut kept: Vec<u32> = (0..self.n_sets).collect();
        // Set i is not needed if, inside components that accept, every edge of some other set j is in i as
        // well.
        let implied = |i: u32, j: Option<u32>| {
            self.arcs.iter().enumerate().all(|(state, arcs)| {
                arcs.iter().all(|arc| {
                    !components.inside(state, arc)
                        || !components.accepts(components.of[state])
                        || arc.marks >> i & 1 == 1
                        || j.is_some_and(|j| arc.marks >> j & 1 == 0)
                })
            })
        };
        let mut place = 0;
        while place < kept.len() && kept.len() > n_needed {
            let i = kept[place];
            if implied(i, None) || kept.iter().any(|&j| j != i && implied(i, Some(j))) {
                kept.remove(place);
            } else {
                place += 1;
            }
        }
        for arc in self.arcs.iter_mut().flatten() {
            let marks = arc.marks;
            arc.marks = kept.iter().enumerate().fold(0, |new, (to, &from)| new | (marks >> from & 1) << to);
        }
        self.n_sets = kept.len() as u32;
        if kept.is_empty() {
            // Every infinite run is accepted: one set with all edges has the same meaning.
            self.n_sets = 1;
            self.arcs.iter_mut().flatten().for_each(|arc| arc.marks = 1);
        }
    }
}
