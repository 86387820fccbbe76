//! The translation in use: random formulas on random small transition systems.
//!
//! "Does every run from the first state satisfy the formula?" is answered twice. Once as a model checker
//! does, with the automaton of the negation. And once by the tableau of Lichtenstein and Pnueli (1985): guess
//! in each state which temporal subformulas hold in the next one, and search for a fair path (Emerson and Lei
//! 1986). The two methods share no code.

use crate::random::{Random, factor};
use allways_ltl::{Automaton, Binary, Formula, Shape, Unary, translate};

struct Kripke {
    letters: Vec<u64>,
    next: Vec<Vec<usize>>,
}

impl Kripke {
    fn random(random: &mut Random, n_atoms: usize) -> Kripke {
        let n = 1 + random.below(5);
        let letters = (0..n).map(|_| random.bits() & ((1 << n_atoms) - 1)).collect();
        let next = (0..n)
            .map(|_| {
                let mut next: Vec<usize> = (0..n).filter(|_| random.below(3) == 0).collect();
                if next.is_empty() {
                    next.push(random.below(n));
                }
                next
            })
            .collect();
        Kripke { letters, next }
    }
}

/// The nodes reachable from `from`, which are included, within `inside`.
fn reach(next: &[Vec<usize>], from: impl IntoIterator<Item = usize>, inside: &[bool]) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut stack: Vec<usize> = from.into_iter().collect();
    while let Some(node) = stack.pop() {
        if inside[node] && !std::mem::replace(&mut seen[node], true) {
            stack.extend(&next[node]);
        }
    }
    seen
}

/// Whether a run of the system is accepted.
fn has_accepted_run(system: &Kripke, automaton: &Automaton) -> bool {
    let m = automaton.states.len();
    let next: Vec<Vec<usize>> = (0..system.letters.len() * m)
        .map(|node| {
            let (state, place) = (node / m, node % m);
            let edges = automaton.states[place].edges.iter();
            let open = edges.filter(|edge| edge.guard.holds(|atom| system.letters[state] >> atom & 1 == 1));
            open.flat_map(|edge| system.next[state].iter().map(move |&to| to * m + edge.target as usize))
                .collect()
        })
        .collect();
    let all = vec![true; next.len()];
    let reachable = reach(&next, [automaton.initial as usize], &all);
    (0..next.len()).any(|node| {
        let accepting = automaton.states[node % m].accepting;
        accepting && reachable[node] && reach(&next, next[node].iter().copied(), &all)[node]
    })
}

/// The subformulas, inner ones first, each a node with the indices of its parts.
fn closure(formula: &Formula, list: &mut Vec<(Formula, Vec<usize>)>) -> usize {
    if let Some(place) = list.iter().position(|(known, _)| known == formula) {
        return place;
    }
    let parts: Vec<Formula> = formula.parts().cloned().collect();
    let parts = parts.iter().map(|part| closure(part, list)).collect();
    list.push((formula.clone(), parts));
    list.len() - 1
}

fn is_temporal(formula: &Formula) -> bool {
    matches!(
        formula.shape(),
        Shape::Unary(Unary::Next | Unary::Always | Unary::Eventually, _)
            | Shape::Binary(Binary::Until | Binary::WeakUntil | Binary::Release, ..)
    )
}

/// Whether some run of the system satisfies the formula; `None` if the tableau would be too large.
fn has_satisfying_run(system: &Kripke, formula: &Formula) -> Option<bool> {
    let mut list = Vec::new();
    let root = closure(formula, &mut list);
    let temporal: Vec<usize> = (0..list.len()).filter(|&place| is_temporal(&list[place].0)).collect();
    let n_temporal = temporal.len();
    if n_temporal > 7 {
        return None;
    }
    // A node is a state and, for each temporal subformula, a guess whether it (for `next`: its part) holds
    // next.
    let n_guesses = 1 << n_temporal;
    let n_nodes = system.letters.len() * n_guesses;
    let truth: Vec<Vec<bool>> = (0..n_nodes)
        .map(|node| {
            let (letter, guess) = (system.letters[node / n_guesses], node % n_guesses);
            let mut values: Vec<bool> = Vec::new();
            for (place, (formula, parts)) in list.iter().enumerate() {
                let later =
                    temporal.iter().position(|&t| t == place).is_some_and(|bit| guess >> bit & 1 == 1);
                let part = |i: usize| values[parts[i]];
                values.push(match formula.shape() {
                    Shape::Constant(value) => *value,
                    Shape::Atom(atom) => letter >> atom & 1 == 1,
                    Shape::Unary(Unary::Not, _) => !part(0),
                    Shape::Unary(Unary::Next, _) => later,
                    Shape::Unary(Unary::Always, _) => part(0) && later,
                    Shape::Unary(Unary::Eventually, _) => part(0) || later,
                    Shape::Binary(Binary::And, ..) => part(0) && part(1),
                    Shape::Binary(Binary::Or, ..) => part(0) || part(1),
                    Shape::Binary(Binary::Implies, ..) => !part(0) || part(1),
                    Shape::Binary(Binary::Equivalent, ..) => part(0) == part(1),
                    Shape::Binary(Binary::Until | Binary::WeakUntil, ..) => part(1) || (part(0) && later),
                    Shape::Binary(Binary::Release, ..) => part(1) && (part(0) || later),
                });
            }
            values
        })
        .collect();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    for (state, successors) in system.next.iter().enumerate() {
        for &to in successors {
            for (node, values) in truth.iter().enumerate().skip(to * n_guesses).take(n_guesses) {
                // The guess required before this node.
                let guess = temporal.iter().enumerate().fold(0, |guess, (bit, &place)| {
                    let (formula, parts) = &list[place];
                    let is_next = matches!(formula.shape(), Shape::Unary(Unary::Next, _));
                    guess | usize::from(values[if is_next { parts[0] } else { place }]) << bit
                });
                next[state * n_guesses + guess].push(node);
            }
        }
    }
    // What is deferred is done eventually; what is refuted is refuted eventually.
    let fair: Vec<Vec<bool>> = temporal
        .iter()
        .map(|&place| {
            let (formula, parts) = &list[place];
            let node = |values: &Vec<bool>| {
                let (holds, part) = (values[place], |i: usize| values[parts[i]]);
                match formula.shape() {
                    Shape::Unary(Unary::Always, _) => holds || !part(0),
                    Shape::Unary(Unary::Eventually, _) => !holds || part(0),
                    Shape::Binary(Binary::Until, ..) => !holds || part(1),
                    Shape::Binary(Binary::WeakUntil, ..) => holds || (!part(0) && !part(1)),
                    Shape::Binary(Binary::Release, ..) => holds || !part(1),
                    _ => true,
                }
            };
            truth.iter().map(node).collect()
        })
        .collect();
    let mut previous: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    for (node, successors) in next.iter().enumerate() {
        successors.iter().for_each(|&to| previous[to].push(node));
    }
    let mut good = vec![true; n_nodes];
    loop {
        let mut better = good.clone();
        for set in fair.iter().chain([&vec![true; n_nodes]]) {
            let goal = (0..n_nodes).filter(|&node| good[node] && set[node]);
            let before: Vec<usize> = goal.flat_map(|node| previous[node].iter().copied()).collect();
            let can = reach(&previous, before, &good);
            better.iter_mut().zip(can).for_each(|(better, can)| *better &= can);
        }
        if better == good {
            break;
        }
        good = better;
    }
    Some((0..n_guesses).any(|node| good[node] && truth[node][root]))
}

#[test]
fn verdicts_on_transition_systems_agree() {
    let mut random = Random(2);
    let mut verdicts = [0, 0];
    while verdicts[0] + verdicts[1] < 2500 * factor() {
        let n_atoms = 1 + random.below(4);
        let n_operators = 1 + random.below(15);
        let formula = random.formula(n_operators, n_atoms);
        let system = Kripke::random(&mut random, n_atoms);
        let negation = formula.clone().negate();
        let Some(expected) = has_satisfying_run(&system, &negation) else { continue };
        let automaton = translate(&negation).unwrap_or_else(|error| panic!("{negation}: {error}"));
        let found = has_accepted_run(&system, &automaton);
        assert_eq!(found, expected, "{formula} on {:?} {:?}", system.letters, system.next);
        verdicts[usize::from(found)] += 1;
    }
    assert!(verdicts.iter().all(|&n| n > 500), "one sided: {verdicts:?}");
}
