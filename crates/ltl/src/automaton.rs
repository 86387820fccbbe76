//! The result: a Büchi automaton with accepting states, and its kind.

use crate::bdd::{Bdds, TRUE};
use crate::graph::{Arc, Components, MarkedGraph};
use crate::guard::Guard;

/// A Büchi automaton over the states of a run.
///
/// In each state of a run of the model, from the first one on, it reads the letter of that state: the atoms
/// that are true there. A run of the model is accepted if the automaton can read it such that it is in an
/// accepting state infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The initial state.
    pub initial: u32,
    /// The states; there is at least one.
    pub states: Vec<State>,
    /// Guards use atoms below this number.
    pub n_atoms: u32,
}

/// A state of an [`Automaton`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Whether a run that visits it infinitely often is accepted.
    pub accepting: bool,
    /// The edges. Several may be possible for the same letter; if none is, the run is not accepted.
    pub edges: Vec<Edge>,
}

/// An edge of an [`Automaton`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The letters that it can read.
    pub guard: Guard,
    /// The target state.
    pub target: u32,
}

/// What a search can assume about an automaton; the first kind that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// From an accepting state it stays in accepting states whatever it reads: a run that reaches one is
    /// accepted, so a search for a reachable state is enough.
    Terminal,
    /// In each strongly connected component all states accept or none does: a cycle of the product that is
    /// accepting anywhere is accepting everywhere.
    Weak,
    /// No such assumption.
    General,
}

impl Automaton {
    /// The number of edges.
    pub fn n_edges(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// What a search can assume.
    pub fn kind(&self) -> Kind {
        let mut bdds = Bdds::new();
        let graph = self.to_graph(&mut bdds);
        let terminal = |state: &State, arcs: &[Arc], bdds: &mut Bdds| {
            let onward = |arc: &&Arc| self.states[arc.target].accepting;
            let letters =
                arcs.iter().filter(onward).fold(crate::bdd::FALSE, |sum, arc| bdds.or(sum, arc.guard));
            !state.accepting || letters == TRUE
        };
        if self.states.iter().zip(&graph.arcs).all(|(state, arcs)| terminal(state, arcs, &mut bdds)) {
            return Kind::Terminal;
        }
        let components = Components::new(&graph);
        let mut accepting = vec![None; components.n_components()];
        for (number, state) in self.states.iter().enumerate() {
            if *accepting[components.of[number]].get_or_insert(state.accepting) != state.accepting {
                return Kind::General;
            }
        }
        Kind::Weak
    }

    /// For each state, whether it provably accepts every run: then nothing more needs to be read.
    pub fn universal_states(&self) -> Vec<bool> {
        let mut bdds = Bdds::new();
        let graph = self.to_graph(&mut bdds);
        crate::reduce::universal(&graph, &mut bdds)
    }

    /// Whether nothing is accepted, so that the initial state has no edges.
    pub fn is_empty(&self) -> bool {
        self.states.len() == 1 && self.states[0].edges.is_empty()
    }

    /// The same automaton with marks on edges.
    pub(crate) fn to_graph(&self, bdds: &mut Bdds) -> MarkedGraph {
        let arcs = self.states.iter().map(|state| {
            let marks = u64::from(state.accepting);
            let arc = |edge: &Edge| Arc {
                guard: bdds.of_cubes(edge.guard.cubes()),
                marks,
                target: edge.target as usize,
            };
            state.edges.iter().map(arc).collect()
        });
        MarkedGraph { initial: self.initial as usize, arcs: arcs.collect(), n_sets: 1 }
    }

    /// The automaton of a graph in which all edges of a state carry the same mark.
    pub(crate) fn from_graph(graph: &MarkedGraph, bdds: &mut Bdds, n_atoms: u32) -> Automaton {
        let states = graph.arcs.iter().map(|arcs| {
            let edge = |arc: &Arc| Edge {
                guard: Guard::new(bdds.cubes(arc.guard)),
                target: u32::try_from(arc.target).expect("limited in size"),
            };
            let accepting = arcs.first().is_some_and(|arc| arc.marks & 1 == 1);
            State { accepting, edges: arcs.iter().map(edge).collect() }
        });
        Automaton { initial: graph.initial as u32, states: states.collect(), n_atoms }
    }
}
