//! From a formula for right runs to an automaton for wrong ones.

use crate::{Automaton, Error, Formula, Guard, translate};
use allways_model::{Claim, ClaimMove, ClaimState, Condition, Fact, Rule, Then, ViolationKind};
use std::sync::Arc;

/// A finite prefix of a run already violates a formula.
static VIOLATED: Rule =
    Rule::new(ViolationKind::Claim, "property-violated", "{property} is violated, whatever comes after");

/// The automaton for the runs that violate `formula`, whose atoms are the `propositions` of a model.
///
/// # Errors
/// If the formula is too large.
pub fn violations(formula: &Formula, name: &str, propositions: &[Arc<str>]) -> Result<Claim, Error> {
    let facts = vec![Fact::new("property", name)];
    Ok(claim(&translate(&formula.clone().negate())?, name, (&VIOLATED, facts), propositions))
}

/// An automaton as a claim. A state that accepts every continuation is not entered: reaching it violates the
/// given rule, with these facts.
#[must_use]
pub fn claim(
    automaton: &Automaton,
    name: &str,
    (rule, facts): (&'static Rule, Vec<Fact>),
    propositions: &[Arc<str>],
) -> Claim {
    let universal = automaton.universal_states();
    let states = automaton.states.iter().enumerate().map(|(idx, state)| {
        let mut moves: Vec<ClaimMove> = (state.edges.iter())
            .map(|edge| ClaimMove {
                condition: condition(&edge.guard),
                then: match universal[edge.target as usize] {
                    true => Then::Violate(rule, facts.clone()),
                    false => Then::Goto(edge.target),
                },
                text: edge.guard.text(|atom| operand(&propositions[atom as usize])).into(),
                location: None,
            })
            .collect();
        if idx == automaton.initial as usize && universal[idx] {
            let then = Then::Violate(rule, facts.clone());
            moves = vec![ClaimMove { condition: Condition::True, then, text: "true".into(), location: None }];
        }
        ClaimState { name: format!("s{idx}").into(), accepting: state.accepting && !universal[idx], moves }
    });
    Claim {
        name: name.into(),
        initial: automaton.initial,
        states: states.collect(),
        propositions: propositions.to_vec(),
        rests: true,
    }
}

/// A proposition as an operand: in parentheses unless it is one word.
fn operand(proposition: &str) -> String {
    let is_word = proposition.chars().all(|c| c.is_alphanumeric() || "_.[]@:".contains(c));
    if is_word { proposition.to_owned() } else { format!("({proposition})") }
}

fn condition(guard: &Guard) -> Condition {
    let literals = |mask: u64| (0..64).filter(move |atom| mask >> atom & 1 == 1);
    let cubes = guard.cubes().iter().map(|cube| {
        let positive = literals(cube.positive).map(Condition::Holds);
        let negative = literals(cube.negative).map(|atom| Condition::Not(Box::new(Condition::Holds(atom))));
        positive.chain(negative).fold(Condition::True, Condition::and)
    });
    let mut cubes: Vec<Condition> = cubes.collect();
    match cubes.as_mut_slice() {
        [one] => std::mem::replace(one, Condition::True),
        _ => Condition::Any(cubes),
    }
}
