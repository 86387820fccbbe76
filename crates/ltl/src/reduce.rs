//! Makes an automaton smaller without changing what it accepts.

use crate::bdd::{Bdds, FALSE, TRUE};
use crate::graph::Graph;

/// For each state of a state-based automaton whether it accepts every word: there is a way to answer every letter
/// such that accepting states are met again and again (a Büchi game, solved by two nested fixed points).
pub(crate) fn universal(graph: &Graph, bdds: &mut Bdds) -> Vec<bool> {
    let n = graph.n_states();
    let mut good = vec![true; n];
    loop {
        // States that can be sure to take a marked edge into `good`, in any number of steps.
        let mut sure = vec![false; n];
        loop {
            let mut changed = false;
            for state in 0..n {
                if !sure[state] {
                    let fits = |arc: &&crate::graph::Arc| {
                        sure[arc.target] || (arc.marks == graph.all_marks() && good[arc.target])
                    };
                    let arcs = graph.arcs[state].iter().filter(fits);
                    if arcs.fold(FALSE, |sum, arc| bdds.or(sum, arc.guard)) == TRUE {
                        sure[state] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        if sure == good {
            return good;
        }
        good = sure;
    }
}
