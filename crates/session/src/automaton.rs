//! Automata of other tools as properties: wrong runs from a file in the Hanoi Omega-Automata format, whose
//! atomic propositions are expressions of the model.

use crate::Error;
use allways_ltl::{Binary, Formula, Named, Shape, Unary, read_hoa};
use allways_model::{Claim, Condition, Fact, Rule, ViolationKind};
use std::path::Path;
use std::sync::Arc;

/// Reads the content of a file as an automaton.
pub(crate) fn read(file: &Path, bytes: &[u8]) -> Result<Named, Error> {
    let cannot = |error: &dyn std::fmt::Display| Error::Input(format!("{}: {error}", file.display()));
    let text = std::str::from_utf8(bytes).map_err(|error| cannot(&error))?;
    read_hoa(text).map_err(|error| cannot(&error))
}

/// A formula of the model's language from which the meaning of every atomic proposition can be read: see
/// [`claim`].
pub(crate) fn meanings(named: &Named) -> String {
    // Each stands on a line of its own, which is what messages show.
    let all = named.names.iter().rev().map(|name| format!("X\n({name})\n"));
    all.fold("X true".into(), |rest, one| format!("({one}) && ({rest})"))
}

/// The claim that an automaton makes about a model in which [`meanings`] became `formula`.
///
/// # Errors
/// If a proposition is no condition on states: it has temporal operators, or parentheses that do not belong
/// together.
pub(crate) fn claim(
    named: &Named,
    formula: &Formula,
    file: &str,
    propositions: &[Arc<str>],
) -> Result<Claim, Error> {
    let mut atoms = Vec::new();
    let mut rest = formula;
    while let Shape::Binary(Binary::And, one, more) = rest.shape() {
        let meaning = match one.shape() {
            Shape::Unary(Unary::Next, one) => condition(one),
            _ => None,
        };
        let Some(meaning) = meaning else { break };
        atoms.push(meaning);
        rest = more;
    }
    if atoms.len() != named.names.len() {
        let wrong = named.names.get(atoms.len()).map_or("", String::as_str);
        return Err(Error::Input(format!(
            "the proposition \"{wrong}\" of the automaton is no condition on states"
        )));
    }
    let names: Vec<Arc<str>> = named.names.iter().map(|name| name.as_str().into()).collect();
    let accepted = (&ACCEPTED, vec![Fact::new("automaton", file)]);
    let mut claim = allways_ltl::claim(&named.automaton, file, accepted, &names);
    for one in claim.states.iter_mut().flat_map(|state| &mut state.moves) {
        replace(&mut one.condition, &atoms);
    }
    Ok(Claim { propositions: propositions.to_vec(), ..claim })
}

/// A finite prefix of a run is already accepted by an automaton for wrong runs.
static ACCEPTED: Rule = Rule::new(
    ViolationKind::Claim,
    "automaton-accepts",
    "the run is accepted by {automaton}, whatever comes after",
);

/// A formula as a condition; `None` if it has temporal operators.
fn condition(formula: &Formula) -> Option<Condition> {
    let not = |condition| Condition::Not(Box::new(condition));
    Some(match formula.shape() {
        Shape::Constant(true) => Condition::True,
        Shape::Constant(false) => Condition::Any(Vec::new()),
        Shape::Atom(proposition) => Condition::Holds(*proposition),
        Shape::Unary(Unary::Not, a) => not(condition(a)?),
        Shape::Binary(Binary::And, a, b) => condition(a)?.and(condition(b)?),
        Shape::Binary(Binary::Or, a, b) => Condition::Any(vec![condition(a)?, condition(b)?]),
        Shape::Binary(Binary::Implies, a, b) => Condition::Any(vec![not(condition(a)?), condition(b)?]),
        Shape::Binary(Binary::Equivalent, a, b) => {
            let (a, b) = (condition(a)?, condition(b)?);
            Condition::Any(vec![a.clone().and(b.clone()), not(a).and(not(b))])
        }
        Shape::Unary(..) | Shape::Binary(..) => return None,
    })
}

/// Puts the meanings of atoms in the place of their numbers.
fn replace(condition: &mut Condition, atoms: &[Condition]) {
    match condition {
        Condition::True => {}
        Condition::Holds(atom) => *condition = atoms[*atom as usize].clone(),
        Condition::Not(inner) => replace(inner, atoms),
        Condition::All(list) | Condition::Any(list) => list.iter_mut().for_each(|one| replace(one, atoms)),
    }
}
