//! The way from a formula to the automaton that is handed out.

use crate::automaton::Automaton;
use crate::bdd::Bdds;
use crate::degeneralize::degeneralize;
use crate::error::Error;
use crate::formula::Formula;
use crate::pool::Pool;
use crate::tableau;

/// The automaton that accepts exactly the runs on which `formula` holds.
///
/// A checker that looks for a run that violates a property translates the property's negation.
pub fn translate(formula: &Formula) -> Result<Automaton, Error> {
    let mut pool = Pool::new(true);
    let mut bdds = Bdds::new();
    let n_atoms = formula.atoms().last().map_or(0, |&atom| atom + 1);
    let id = pool.import(formula, false)?;
    let mut graph = tableau::build(&mut pool, &mut bdds, id, true)?;
    graph.prune(&mut bdds);
    graph.drop_sets();
    let mut graph = degeneralize(&graph);
    graph.prune(&mut bdds);
    Ok(Automaton::from_graph(&graph, &mut bdds, n_atoms))
}
