//! The way from a formula to the automaton that is handed out.

use crate::automaton::Automaton;
use crate::bdd::Bdds;
use crate::degeneralize::degeneralize;
use crate::error::Error;
use crate::formula::Formula;
use crate::graph::Graph;
use crate::pool::{Id, Pool};
use crate::reduce::{reduce_sets, reduce_states};
use crate::tableau;

/// The automaton that accepts exactly the runs on which `formula` holds.
///
/// A checker that looks for a run that violates a property translates the property's negation.
pub fn translate(formula: &Formula) -> Result<Automaton, Error> {
    let mut bdds = Bdds::new();
    let n_atoms = formula.atoms().last().map_or(0, |&atom| atom + 1);
    let mut best: Option<(Size, Graph)> = None;
    for (simplify, whole) in [(true, true), (true, false), (false, true)] {
        let mut pool = Pool::new(simplify);
        let id = pool.import(formula, false)?;
        match buchi(&mut pool, &mut bdds, id, whole) {
            Ok(graph) => {
                let size = (graph.n_states(), graph.n_arcs(), graph.n_choices(&mut bdds));
                if best.as_ref().is_none_or(|(least, _)| size < *least) {
                    best = Some((size, graph));
                }
            }
            Err(error) if best.is_none() => return Err(error),
            Err(_) => {}
        }
    }
    let (_, graph) = best.expect("the first way gives an automaton or an error");
    Ok(Automaton::from_graph(&graph, &mut bdds, n_atoms))
}

/// States, edges, choices.
type Size = (usize, usize, usize);

fn buchi(pool: &mut Pool, bdds: &mut Bdds, formula: Id, whole: bool) -> Result<Graph, Error> {
    let mut graph = tableau::build(pool, bdds, formula, whole)?;
    reduce_sets(&mut graph, bdds);
    let mut graph = degeneralize(&graph);
    reduce_states(&mut graph, bdds);
    Ok(graph)
}
