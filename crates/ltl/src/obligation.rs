//! The smallest deterministic automaton of an obligation.
//!
//! Many practical properties are obligations: combinations of "something bad never happens" and "something
//! good happens". Their language has a deterministic automaton in which each component accepts throughout or
//! not at all, and a unique smallest one. It is found by the subset construction, by checking one cycle of
//! each component, and by the minimization of finite automata (Dax, Eisinger and Klaedtke 2007; colours by
//! Löding 2001). For other languages the result is wrong, so a caller that does not know whether the language
//! is an obligation compares the result with the original.

use crate::bdd::{Bdd, Bdds, FALSE, TRUE};
use crate::graph::{Arc, Components, MarkedGraph};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The most subsets to construct.
const MAX_SUBSETS: usize = 150;
/// The most edges of a subset.
const MAX_LETTERS: usize = 64;

/// The automaton, provided that `graph` accepts an obligation; `None` if computing it would take too long.
pub(crate) fn minimal_weak(graph: &MarkedGraph, bdds: &mut Bdds) -> Option<MarkedGraph> {
    let subsets = Subsets::new(graph, bdds)?;
    let accepting = subsets.colours(graph, bdds);
    let mut result = minimize(&subsets, &accepting, bdds);
    result.prune(bdds);
    Some(result)
}

/// The opposite of a deterministic automaton in which each component accepts throughout or not at all.
pub(crate) fn opposite(graph: &MarkedGraph, bdds: &mut Bdds) -> MarkedGraph {
    let mut result = graph.clone();
    let sink = result.n_states();
    result.arcs.push(Vec::new());
    for arcs in &mut result.arcs {
        let letters = arcs.iter().fold(FALSE, |sum, arc| bdds.or(sum, arc.guard));
        let rest = bdds.minus(TRUE, letters);
        let marks = arcs.first().map_or(0, |arc| arc.marks);
        arcs.push(Arc { guard: rest, marks, target: sink });
        arcs.iter_mut().for_each(|arc| arc.marks ^= 1);
    }
    result.join_arcs(bdds);
    result
}

struct Subsets {
    sets: Vec<Vec<usize>>,
    /// Deterministic and complete; marks are not used.
    moves: MarkedGraph,
}

impl Subsets {
    fn new(graph: &MarkedGraph, bdds: &mut Bdds) -> Option<Subsets> {
        let mut numbers = HashMap::from([(vec![graph.initial], 0)]);
        let mut sets = vec![vec![graph.initial]];
        let mut arcs: Vec<Vec<Arc>> = Vec::new();
        while arcs.len() < sets.len() {
            // Letters are distinguished only if they lead to different sets.
            let mut parts: Vec<(Bdd, Vec<usize>)> = vec![(TRUE, Vec::new())];
            for arc in sets[arcs.len()].iter().flat_map(|&state| &graph.arcs[state]) {
                let mut finer: BTreeMap<Vec<usize>, Bdd> = BTreeMap::new();
                for (letters, targets) in parts {
                    let mut more = targets.clone();
                    if let Err(place) = more.binary_search(&arc.target) {
                        more.insert(place, arc.target);
                    }
                    let taken = bdds.and(letters, arc.guard);
                    let rest = bdds.minus(letters, arc.guard);
                    for (targets, letters) in [(more, taken), (targets, rest)] {
                        if letters != FALSE {
                            let sum = finer.entry(targets).or_insert(FALSE);
                            *sum = bdds.or(*sum, letters);
                        }
                    }
                }
                parts = finer.into_iter().map(|(targets, letters)| (letters, targets)).collect();
                if parts.len() > MAX_LETTERS {
                    return None;
                }
            }
            let mut out = Vec::with_capacity(parts.len());
            for (guard, targets) in parts {
                let target = *numbers.entry(targets).or_insert_with_key(|targets| {
                    sets.push(targets.clone());
                    sets.len() - 1
                });
                out.push(Arc { guard, marks: 0, target });
            }
            arcs.push(out);
            if sets.len() > MAX_SUBSETS {
                return None;
            }
        }
        Some(Subsets { sets, moves: MarkedGraph { initial: 0, arcs, n_sets: 0 } })
    }

    /// Which subsets accept. A state on no cycle gets the colour that makes it most similar to its
    /// successors.
    fn colours(&self, graph: &MarkedGraph, bdds: &Bdds) -> Vec<bool> {
        let components = Components::new(&self.moves);
        let mut colours = vec![0; components.n_components()];
        for component in 0..components.n_components() {
            let members: Vec<usize> =
                (0..self.sets.len()).filter(|&set| components.of[set] == component).collect();
            let after =
                members.iter().flat_map(|&set| &self.moves.arcs[set]).map(|arc| components.of[arc.target]);
            let least = after.filter(|&c| c != component).map(|c| colours[c]).min();
            let least = least.unwrap_or(2 * components.n_components() + 2);
            let cycle = components.marks[component].map(|_| self.cycle(&components, members[0], bdds));
            colours[component] = match cycle {
                None => least,
                Some(word) => {
                    let odd = usize::from(!accepts(graph, &self.sets[members[0]], &word, bdds));
                    if least % 2 == odd { least } else { least - 1 }
                }
            };
        }
        components.of.iter().map(|&component| colours[component].is_multiple_of(2)).collect()
    }

    /// The letters of a shortest cycle through `start`.
    fn cycle(&self, components: &Components, start: usize, bdds: &Bdds) -> Vec<u64> {
        let mut from: HashMap<usize, (usize, Bdd)> = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(set) = queue.pop_front() {
            for arc in self.moves.arcs[set].iter().filter(|arc| components.inside(set, arc)) {
                if let std::collections::hash_map::Entry::Vacant(entry) = from.entry(arc.target) {
                    entry.insert((set, arc.guard));
                    queue.push_back(arc.target);
                }
            }
            if from.contains_key(&start) {
                break;
            }
        }
        let mut word = Vec::new();
        let mut set = start;
        while let Some(&(before, guard)) = from.get(&set) {
            word.push(bdds.letter(guard));
            set = before;
            if set == start {
                break;
            }
        }
        word.reverse();
        word
    }
}

/// Whether a run from one of `states` accepts the infinite repetition of the word.
fn accepts(graph: &MarkedGraph, states: &[usize], word: &[u64], bdds: &Bdds) -> bool {
    let n = word.len();
    let mut arcs: Vec<Vec<Arc>> = vec![Vec::new(); graph.n_states() * n];
    for (state, out) in graph.arcs.iter().enumerate() {
        for (place, &letter) in word.iter().enumerate() {
            let open = out.iter().filter(|arc| bdds.holds(arc.guard, letter));
            arcs[state * n + place] =
                open.map(|arc| Arc { target: arc.target * n + (place + 1) % n, ..*arc }).collect();
        }
    }
    let product = MarkedGraph { initial: 0, arcs, n_sets: graph.n_sets };
    let components = Components::new(&product);
    let reach = product.reach_from(states.iter().map(|state| state * n));
    (0..product.n_states()).any(|node| reach[node] && components.accepts(components.of[node]))
}

/// Merges subsets that no word distinguishes.
fn minimize(subsets: &Subsets, accepting: &[bool], bdds: &mut Bdds) -> MarkedGraph {
    let moves = &subsets.moves;
    let n = moves.n_states();
    let mut class: Vec<usize> = accepting.iter().map(|&accepting| usize::from(accepting)).collect();
    let mut n_classes = 0;
    let mut outs: Vec<BTreeMap<usize, Bdd>>;
    loop {
        outs = Vec::with_capacity(n);
        for arcs in &moves.arcs {
            let mut out: BTreeMap<usize, Bdd> = BTreeMap::new();
            for arc in arcs {
                let sum = out.entry(class[arc.target]).or_insert(FALSE);
                *sum = bdds.or(*sum, arc.guard);
            }
            outs.push(out);
        }
        let mut names: HashMap<(usize, &BTreeMap<usize, Bdd>), usize> = HashMap::new();
        let mut finer = Vec::with_capacity(n);
        for state in 0..n {
            let n_names = names.len();
            finer.push(*names.entry((class[state], &outs[state])).or_insert(n_names));
        }
        let n_finer = names.len();
        class = finer;
        if n_finer == n_classes {
            break;
        }
        n_classes = n_finer;
    }
    let mut arcs = vec![Vec::new(); n_classes];
    for state in 0..n {
        if arcs[class[state]].is_empty() {
            let marks = u64::from(accepting[state]);
            let out = moves.arcs[state].iter().map(|arc| Arc { target: class[arc.target], marks, ..*arc });
            arcs[class[state]] = out.collect();
        }
    }
    let mut graph = MarkedGraph { initial: class[0], arcs, n_sets: 1 };
    graph.join_arcs(bdds);
    graph
}
