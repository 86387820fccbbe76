//! Simulation relations between states: which state can do all that another can.
//!
//! All are games on pairs of states. A spoiler takes an edge from the first state, and a duplicator answers
//! from the second with the same letter. The duplicator may choose its edge by the letter, so a spoiler's
//! guard may be answered by several edges together. The games differ in what the answers must achieve:
//!
//! - *direct* (and the same backwards): every mark is answered at once.
//! - *delayed* (Etessami, Wilke and Schuller 2005): a mark is answered at once or later.
//! - *fair* (Henzinger, Kupferman and Rajamani 2002): infinitely many marks are answered by infinitely many.
//!
//! Each implies that what is accepted from the first state is accepted from the second (for the backward one:
//! the words that lead to the first state lead to the second). The last two are for automata with one
//! acceptance set.

use crate::bdd::{Bdds, FALSE};
use crate::graph::{Arc, MarkedGraph};

/// Pairs of states.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Relation {
    n: usize,
    pairs: Vec<bool>,
}

impl Relation {
    fn new(n: usize, value: bool) -> Relation {
        Relation { n, pairs: vec![value; n * n] }
    }

    pub(crate) fn has(&self, a: usize, b: usize) -> bool {
        self.pairs[a * self.n + b]
    }

    pub(crate) fn both(&self, a: usize, b: usize) -> bool {
        self.has(a, b) && self.has(b, a)
    }

    /// Lets `keep` decide about every pair in turn. Returns whether anything changed.
    fn refine(&mut self, to: bool, mut keep: impl FnMut(&Relation, usize, usize) -> bool) -> bool {
        let mut changed = false;
        for a in 0..self.n {
            for b in 0..self.n {
                if self.has(a, b) != to && keep(self, a, b) == to {
                    self.pairs[a * self.n + b] = to;
                    changed = true;
                }
            }
        }
        changed
    }
}

/// Whether each edge of the spoiler is answered, letter by letter, by edges that `fit`.
fn answered(bdds: &mut Bdds, of: &[Arc], by: &[Arc], fit: impl Fn(&Arc, &Arc) -> bool) -> bool {
    of.iter().all(|spoiler| {
        let mut letters = FALSE;
        for arc in by.iter().filter(|arc| fit(spoiler, arc)) {
            letters = bdds.or(letters, arc.guard);
        }
        bdds.implies(spoiler.guard, letters)
    })
}

/// `has(a, b)`: b simulates a directly.
pub(crate) fn direct(graph: &MarkedGraph, bdds: &mut Bdds) -> Relation {
    let mut relation = Relation::new(graph.n_states(), true);
    let holds = |bdds: &mut Bdds, relation: &Relation, a: usize, b: usize| {
        answered(bdds, &graph.arcs[a], &graph.arcs[b], |spoiler, answer| {
            spoiler.marks & !answer.marks == 0 && relation.has(spoiler.target, answer.target)
        })
    };
    while relation.refine(false, |relation, a, b| a == b || holds(bdds, relation, a, b)) {}
    relation
}

/// `has(a, b)`: every word that leads to a leads to b, with at least the same marks. In a state-based
/// automaton the mark of the state itself counts, which its incoming edges do not carry; `state_based`
/// selects that.
pub(crate) fn backward(graph: &MarkedGraph, bdds: &mut Bdds, state_based: bool) -> Relation {
    let n = graph.n_states();
    // Reversed: the target of an arc is its source.
    let mut incoming: Vec<Vec<Arc>> = vec![Vec::new(); n];
    for (state, arcs) in graph.arcs.iter().enumerate() {
        for arc in arcs {
            incoming[arc.target].push(Arc { target: state, ..*arc });
        }
    }
    let marks = |state: usize| graph.arcs[state].first().map_or(0, |arc| arc.marks);
    let mut relation = Relation::new(n, true);
    let holds = |bdds: &mut Bdds, relation: &Relation, a: usize, b: usize| {
        (a != graph.initial || b == graph.initial)
            && (!state_based || marks(a) & !marks(b) == 0)
            && answered(bdds, &incoming[a], &incoming[b], |spoiler, answer| {
                spoiler.marks & !answer.marks == 0 && relation.has(spoiler.target, answer.target)
            })
    };
    while relation.refine(false, |relation, a, b| a == b || holds(bdds, relation, a, b)) {}
    relation
}

/// `has(a, b)`: b simulates a with delay. A Büchi game with positions (a, b, whether an answer is still
/// owed), solved by two nested fixed points.
pub(crate) fn delayed(graph: &MarkedGraph, bdds: &mut Bdds) -> Relation {
    let n = graph.n_states();
    let marked = |arc: &Arc| arc.marks & 1 == 1;
    // The pairs that hold without debt; a debt must be paid infinitely often.
    let mut good = Relation::new(n, true);
    loop {
        let step = |bdds: &mut Bdds, owed: &Relation, debt: bool, a: usize, b: usize| {
            answered(bdds, &graph.arcs[a], &graph.arcs[b], |spoiler, answer| {
                let pays = marked(answer) || !(debt || marked(spoiler));
                if pays {
                    good.has(spoiler.target, answer.target)
                } else {
                    owed.has(spoiler.target, answer.target)
                }
            })
        };
        let mut owed = Relation::new(n, false);
        while owed.refine(true, |owed, a, b| step(bdds, owed, true, a, b)) {}
        let mut next = Relation::new(n, true);
        next.refine(false, |_, a, b| a == b || step(bdds, &owed, false, a, b));
        if next == good {
            return good;
        }
        good = next;
    }
}

/// `has(a, b)`: b simulates a fairly. A parity game with three priorities, solved by three nested fixed
/// points.
pub(crate) fn fair(graph: &MarkedGraph, bdds: &mut Bdds) -> Relation {
    let n = graph.n_states();
    let marked = |arc: &Arc| arc.marks & 1 == 1;
    let mut outer = Relation::new(n, true);
    loop {
        let mut middle = Relation::new(n, false);
        loop {
            let mut inner = Relation::new(n, true);
            let holds = |bdds: &mut Bdds, inner: &Relation, a: usize, b: usize| {
                answered(bdds, &graph.arcs[a], &graph.arcs[b], |spoiler, answer| {
                    let relation = match (marked(answer), marked(spoiler)) {
                        (true, _) => &outer,
                        (false, true) => &middle,
                        (false, false) => inner,
                    };
                    relation.has(spoiler.target, answer.target)
                })
            };
            while inner.refine(false, |inner, a, b| holds(bdds, inner, a, b)) {}
            if inner == middle {
                break;
            }
            middle = inner;
        }
        if middle == outer {
            return outer;
        }
        outer = middle;
    }
}
