//! The meaning of formulas and automata, implemented a second time and as directly as possible.
//!
//! A run is a lasso word: the letters of a prefix, then the letters of a cycle repeated without end. Nothing
//! here uses the translation.

use allways_ltl::{Automaton, Binary, Formula, Shape, Unary};

/// A word `prefix cycle cycle cycle ...`; a letter has a bit for each true atom.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) letters: Vec<u64>,
    /// Where the cycle starts in `letters`.
    pub(crate) back: usize,
}

impl Word {
    fn next(&self, place: usize) -> usize {
        if place + 1 == self.letters.len() { self.back } else { place + 1 }
    }
}

/// The positions of the word at which the formula holds.
fn table(formula: &Formula, word: &Word) -> Vec<bool> {
    let n = word.letters.len();
    // The least (from false) or greatest (from true) solution of a one-step equation; n + 1 rounds are
    // enough.
    let solve = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut now = vec![start; n];
        for _ in 0..=n {
            now = (0..n).map(|place| step(place, now[word.next(place)])).collect();
        }
        now
    };
    match formula.shape() {
        Shape::Constant(value) => vec![*value; n],
        Shape::Atom(atom) => word.letters.iter().map(|letter| letter >> atom & 1 == 1).collect(),
        Shape::Unary(operator, a) => {
            let a = table(a, word);
            match operator {
                Unary::Not => a.iter().map(|value| !value).collect(),
                Unary::Next => (0..n).map(|place| a[word.next(place)]).collect(),
                Unary::Always => solve(true, &|place, next| a[place] && next),
                Unary::Eventually => solve(false, &|place, next| a[place] || next),
            }
        }
        Shape::Binary(operator, a, b) => {
            let (a, b) = (table(a, word), table(b, word));
            let each = |f: &dyn Fn(bool, bool) -> bool| (0..n).map(|i| f(a[i], b[i])).collect();
            match operator {
                Binary::And => each(&|a, b| a && b),
                Binary::Or => each(&|a, b| a || b),
                Binary::Implies => each(&|a, b| !a || b),
                Binary::Equivalent => each(&|a, b| a == b),
                Binary::Until => solve(false, &|i, next| b[i] || (a[i] && next)),
                Binary::WeakUntil => solve(true, &|i, next| b[i] || (a[i] && next)),
                Binary::Release => solve(true, &|i, next| b[i] && (a[i] || next)),
            }
        }
    }
}

/// Whether the formula holds on the word.
pub(crate) fn holds(formula: &Formula, word: &Word) -> bool {
    table(formula, word)[0]
}

/// Whether the automaton accepts the word: an accepting state is on a reachable cycle of the product.
pub(crate) fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let n = word.letters.len();
    let step = |&(state, place): &(usize, usize)| -> Vec<(usize, usize)> {
        let letter = word.letters[place];
        let edges = automaton.states[state]
            .edges
            .iter()
            .filter(|edge| edge.guard.holds(|atom| letter >> atom & 1 == 1));
        edges.map(|edge| (edge.target as usize, word.next(place))).collect()
    };
    let reach = |from: Vec<(usize, usize)>| {
        let mut seen = vec![false; automaton.states.len() * n];
        let mut stack = from;
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node.0 * n + node.1], true) {
                stack.extend(step(&node));
            }
        }
        seen
    };
    let reachable = reach(vec![(automaton.initial as usize, 0)]);
    (0..automaton.states.len()).filter(|&state| automaton.states[state].accepting).any(|state| {
        (0..n).any(|place| reachable[state * n + place] && reach(step(&(state, place)))[state * n + place])
    })
}
