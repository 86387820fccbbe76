//! From a formula for right runs to an automaton for wrong ones.

use allways_ltl::{Automaton, Binary, Error, Formula, Guard, Unary, translate};
use allways_model::{Claim, ClaimMove, ClaimState, Condition, Then, ViolationKind};
use allways_promela::Temporal;
use allways_promela::syntax::ast::LtlOp;
use std::sync::Arc;

/// The automaton for the runs that violate `formula`, and whether the formula can tell a run from one that rests in a state for
/// a while in between.
///
/// # Errors
/// If the formula is too large.
pub(crate) fn violations(
    formula: &Temporal,
    name: &Arc<str>,
    propositions: &[Arc<str>],
) -> Result<(Claim, bool), Error> {
    let formula = convert(formula);
    let has_next = formula.has_next();
    let automaton = translate(&formula.negate())?;
    Ok((claim(&automaton, name, propositions), has_next))
}

/// The formula in the terms of the translator.
pub(crate) fn convert(formula: &Temporal) -> Formula {
    match formula {
        Temporal::Holds(proposition) => Formula::atom(*proposition),
        Temporal::Not(a) => convert(a).negate(),
        Temporal::And(a, b) => convert(a).and(convert(b)),
        Temporal::Or(a, b) => convert(a).or(convert(b)),
        Temporal::Unary(op, a) => {
            let operator = match op {
                LtlOp::Always => Unary::Always,
                LtlOp::Eventually => Unary::Eventually,
                LtlOp::Next => Unary::Next,
                _ => unreachable!("{op:?} has two operands"),
            };
            Formula::unary(operator, convert(a))
        }
        Temporal::Binary(op, a, b) => {
            let operator = match op {
                LtlOp::Until => Binary::Until,
                LtlOp::WeakUntil => Binary::WeakUntil,
                LtlOp::Release => Binary::Release,
                LtlOp::Implies => Binary::Implies,
                LtlOp::Equivalent => Binary::Equivalent,
                _ => unreachable!("{op:?} has one operand"),
            };
            Formula::binary(operator, convert(a), convert(b))
        }
    }
}

/// An automaton as a claim. A state that accepts whatever comes is not entered: getting there is the violation.
fn claim(automaton: &Automaton, name: &Arc<str>, propositions: &[Arc<str>]) -> Claim {
    let universal = automaton.universal_states();
    let message: Arc<str> = format!("{name} is violated, whatever comes after").into();
    let states = automaton.states.iter().enumerate().map(|(idx, state)| {
        let mut moves: Vec<ClaimMove> = (state.edges.iter())
            .map(|edge| ClaimMove {
                condition: condition(&edge.guard),
                then: match universal[edge.target as usize] {
                    true => Then::Violate(ViolationKind::Claim, message.clone()),
                    false => Then::Goto(edge.target),
                },
                text: edge.guard.text(|atom| propositions[atom as usize].to_string()).into(),
                location: None,
            })
            .collect();
        if idx == automaton.initial as usize && universal[idx] {
            let then = Then::Violate(ViolationKind::Claim, message.clone());
            moves = vec![ClaimMove { condition: Condition::True, then, text: "true".into(), location: None }];
        }
        ClaimState { name: format!("s{idx}").into(), accepting: state.accepting && !universal[idx], moves }
    });
    Claim {
        name: name.clone(),
        initial: automaton.initial,
        states: states.collect(),
        propositions: propositions.to_vec(),
    }
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
