//! The translation from a formula to the final automaton.

use crate::automaton::Automaton;
use crate::bdd::Bdds;
use crate::degeneralize::degeneralize;
use crate::error::Error;
use crate::formula::Formula;
use crate::graph::MarkedGraph;
use crate::obligation::{self, minimal_weak};
use crate::pool::Pool;
use crate::reduce::{fewer_choices, reduce_sets, reduce_states};
use crate::tableau;
use crate::verify::{intersects, merge_verified};

/// Larger automata are not changed further after the usual reductions.
const MAX_CHECKED: usize = 40;

/// The automaton that accepts exactly the runs on which `formula` holds.
///
/// A checker that looks for a run that violates a property translates the property's negation.
pub fn translate(formula: &Formula) -> Result<Automaton, Error> {
    let mut bdds = Bdds::new();
    let n_atoms = formula.atoms().last().map_or(0, |&atom| atom + 1);
    let graph = generalized(formula, &mut bdds, false)?;
    let mut best = Best::new(state_based(graph, &mut bdds), &mut bdds);
    let plain = Automaton::from_graph(&best.graph, &mut bdds, n_atoms);
    bdds.check()?;
    if best.graph.n_states() > MAX_CHECKED {
        return Ok(plain);
    }
    improve(&mut best, formula, &mut bdds);
    let improved = Automaton::from_graph(&best.graph, &mut bdds, n_atoms);
    // If a limit was exceeded in between, the earlier result is used.
    Ok(if bdds.check().is_ok() { improved } else { plain })
}

/// Tries reductions whose result must be compared with the negated formula.
fn improve(best: &mut Best, formula: &Formula, bdds: &mut Bdds) {
    let Ok(opposite) = generalized(formula, bdds, true) else { return };
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
}

/// The generalized automaton of a formula or of its negation, reduced.
fn generalized(formula: &Formula, bdds: &mut Bdds, negated: bool) -> Result<MarkedGraph, Error> {
    let mut pool = Pool::new(true);
    let id = pool.import(formula, negated)?;
    let mut graph = tableau::build(&mut pool, bdds, id)?;
    reduce_sets(&mut graph, bdds);
    Ok(graph)
}

/// The state-based automaton of a generalized one, reduced.
pub(crate) fn state_based(graph: MarkedGraph, bdds: &mut Bdds) -> MarkedGraph {
    let mut graph = degeneralize(&graph);
    reduce_states(&mut graph, bdds);
    graph
}

/// Whether a weak deterministic automaton accepts what `graph` accepts: nothing of what `opposite` accepts,
/// and all of `graph`. The latter holds if its own opposite, in which exactly the other states accept, shares
/// no word with `graph`.
fn is_same(weak: &MarkedGraph, graph: &MarkedGraph, opposite: &MarkedGraph, bdds: &mut Bdds) -> bool {
    let not_weak = obligation::opposite(weak, bdds);
    intersects(weak, opposite, bdds) == Some(false) && intersects(&not_weak, graph, bdds) == Some(false)
}

/// The smallest automaton so far: states first, then choices, then edges.
struct Best {
    size: (usize, usize, usize),
    graph: MarkedGraph,
}

impl Best {
    fn new(mut graph: MarkedGraph, bdds: &mut Bdds) -> Best {
        fewer_choices(&mut graph, bdds);
        Best { size: (graph.n_states(), graph.n_choices(bdds), graph.n_arcs()), graph }
    }

    fn offer(&mut self, graph: MarkedGraph, bdds: &mut Bdds) {
        let other = Best::new(graph, bdds);
        if other.size < self.size {
            *self = other;
        }
    }
}
