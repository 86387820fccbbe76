//! The way from a formula to the automaton that is handed out.

use crate::automaton::Automaton;
use crate::bdd::Bdds;
use crate::degeneralize::degeneralize;
use crate::error::Error;
use crate::formula::Formula;
use crate::graph::Graph;
use crate::obligation::{self, minimal_weak};
use crate::pool::Pool;
use crate::reduce::{fewer_choices, reduce_sets, reduce_states};
use crate::tableau;
use crate::verify::{intersects, merge_verified};

/// Automata with more states than this are not made in a second way.
const MAX_RETRIED: usize = 40;

/// The automaton that accepts exactly the runs on which `formula` holds.
///
/// A checker that looks for a run that violates a property translates the property's negation.
pub fn translate(formula: &Formula) -> Result<Automaton, Error> {
    let mut bdds = Bdds::new();
    let n_atoms = formula.atoms().last().map_or(0, |&atom| atom + 1);
    let graph = smallest(formula, &mut bdds)?;
    Ok(Automaton::from_graph(&graph, &mut bdds, n_atoms))
}

/// Tries several ways, and keeps the smallest result.
fn smallest(formula: &Formula, bdds: &mut Bdds) -> Result<Graph, Error> {
    let first = generalized(formula, bdds, false, true, true)?;
    let mut best = Best::new(state_based(first.clone(), bdds), bdds);
    if best.graph.n_states() > MAX_RETRIED {
        return Ok(best.graph);
    }
    for (simplify, whole) in [(true, false), (false, true)] {
        if let Ok(other) = generalized(formula, bdds, false, simplify, whole) {
            best.offer(state_based(other, bdds), bdds);
        }
    }
    // What follows is checked against the opposite formula.
    let Ok(opposite) = generalized(formula, bdds, true, true, true) else { return Ok(best.graph) };
    if let Some(weak) = minimal_weak(&best.graph, bdds)
        && is_same(&weak, &best.graph, &opposite, bdds)
    {
        best.offer(weak.clone(), bdds);
        best.offer(state_based(weak, bdds), bdds);
    }
    let mut merged = best.graph.clone();
    while merge_verified(&mut merged, &opposite, bdds) {
        reduce_states(&mut merged, bdds);
    }
    best.offer(merged, bdds);
    Ok(best.graph)
}

/// The generalized automaton of a formula or of its negation, reduced.
fn generalized(
    formula: &Formula,
    bdds: &mut Bdds,
    negated: bool,
    simplify: bool,
    whole: bool,
) -> Result<Graph, Error> {
    let mut pool = Pool::new(simplify);
    let id = pool.import(formula, negated)?;
    let mut graph = tableau::build(&mut pool, bdds, id, whole)?;
    reduce_sets(&mut graph, bdds);
    Ok(graph)
}

/// The state-based automaton of a generalized one, reduced.
pub(crate) fn state_based(graph: Graph, bdds: &mut Bdds) -> Graph {
    let mut graph = degeneralize(&graph);
    reduce_states(&mut graph, bdds);
    graph
}

/// Whether a weak deterministic automaton accepts what `graph` accepts: nothing of what `opposite` accepts, and
/// all of `graph`, so that its own opposite, in which exactly the other states accept, shares nothing with that.
fn is_same(weak: &Graph, graph: &Graph, opposite: &Graph, bdds: &mut Bdds) -> bool {
    let not_weak = obligation::opposite(weak, bdds);
    intersects(weak, opposite, bdds) == Some(false) && intersects(&not_weak, graph, bdds) == Some(false)
}

/// The smallest automaton so far: states first, then choices, then edges.
struct Best {
    size: (usize, usize, usize),
    graph: Graph,
}

impl Best {
    fn new(mut graph: Graph, bdds: &mut Bdds) -> Best {
        fewer_choices(&mut graph, bdds);
        Best { size: (graph.n_states(), graph.n_choices(bdds), graph.n_arcs()), graph }
    }

    fn offer(&mut self, graph: Graph, bdds: &mut Bdds) {
        let other = Best::new(graph, bdds);
        if other.size < self.size {
            *self = other;
        }
    }
}
