//! From a formula to a generalized Büchi automaton.
//!
//! A state is a set of formulas that must all hold from there on; its edges are the combined moves of the
//! alternating automaton. An edge is in the acceptance set of every until that it does not defer (Couvreur
//! 1999; Gastin and Oddoux 2001). Sets are reduced by simulation before they are compared.

use crate::alternating::{Alternating, Simulation};
use crate::bdd::Bdds;
use crate::error::Error;
use crate::graph::{Arc, MarkedGraph};
use crate::pool::{Id, Pool};
use std::collections::HashMap;

/// The most states, that is sets of formulas.
const MAX_STATES: usize = 4_000;
/// The most edges.
const MAX_ARCS: usize = 400_000;

/// The automaton of `formula`.
pub(crate) fn build(pool: &mut Pool, bdds: &mut Bdds, formula: Id) -> Result<MarkedGraph, Error> {
    let mut automaton = Alternating::new(pool, bdds);
    let root = automaton.pool.conjuncts(formula);
    let simulation = Simulation::new(&mut automaton, &root)?;
    let root = simulation.reduce(&root);
    let mut numbers: HashMap<Vec<Id>, usize> = HashMap::from([(root.clone(), 0)]);
    let mut sets = vec![root];
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    let mut n_arcs = 0;
    while arcs.len() < sets.len() {
        let moves = automaton.all_of(&sets[arcs.len()])?;
        let mut out = Vec::with_capacity(moves.len());
        for m in moves {
            let next = simulation.reduce(&m.next);
            let target = *numbers.entry(next).or_insert_with_key(|next| {
                sets.push(next.clone());
                sets.len() - 1
            });
            // The field holds promises for now; it becomes the marks, which are the complement, once all
            // promises are known.
            out.push(Arc { guard: m.guard, marks: m.promises, target });
        }
        n_arcs += out.len();
        arcs.push(out);
        if sets.len() > MAX_STATES {
            return Err(Error::TooLarge { what: "states", limit: MAX_STATES });
        }
        if n_arcs > MAX_ARCS {
            return Err(Error::TooLarge { what: "edges", limit: MAX_ARCS });
        }
    }
    let mut graph = MarkedGraph { initial: 0, arcs, n_sets: automaton.n_promises() };
    let all = graph.all_marks();
    for arc in graph.arcs.iter_mut().flatten() {
        arc.marks = all & !arc.marks;
    }
    graph.join_arcs(automaton.bdds);
    Ok(graph)
}
