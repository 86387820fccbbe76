//! Conditions that the certifier asks about, and the producer never did.
//!
//! The certifier meets every state and every step itself, so it can evaluate any condition over them; the
//! certificate need not know of it. Two things must be so:
//!
//! - The graph is not reduced. A reduction may leave out states in which a condition would fail, if nobody asked
//!   about it when the graph was made; so a certificate of a reduced graph is refused, with the names of its
//!   reductions.
//! - A condition over consecutive states needs all steps. A condition is written as a formula: without a temporal
//!   operator it must hold in every state; `X p` in it is the value of `p` in the state after, and then it must
//!   hold in every step (`x == 5 -> X (x == 8)`). Other temporal operators are refused. Trustful certification,
//!   which does not look at all steps, takes conditions without `X` alone. A state without steps has no state
//!   after it, so nothing is asked there.
//!
//! The program is loaded a second time, with the propositions of the condition, and that program is the one whose
//! states are compared with the script. Should the condition change the states or steps, then the script no
//! longer fits and is refused: that it is accepted does not rest on the two programs being alike.

use crate::own::{self, Own, Question};
use crate::veracity::Error;
use allways_ltl::{Binary, Formula, Shape, Unary};
use allways_model::{Batch, Cursor, Rule, Spec, Violation, ViolationKind};

static FAILS: Rule = Rule::new(ViolationKind::Invariant, "condition-fails", "{condition} does not hold");
static FAILS_IN_STEP: Rule =
    Rule::new(ViolationKind::Invariant, "condition-fails-in-step", "{condition} does not hold in a step");

/// A condition over states or steps.
pub(crate) struct Also {
    formula: Formula,
    atoms: Vec<u32>,
    text: String,
    pub(crate) has_next: bool,
}

impl Also {
    /// The condition of a question, with the program that knows its propositions.
    ///
    /// # Errors
    /// If it is none, or the graph is reduced.
    pub(crate) fn load(question: &Question, text: &str, claimed: &Spec) -> Result<(Own, Self), Error> {
        let no = |what: String| Err(Error::Input(format!("--also: {what}")));
        let reduced = match (claimed.language(), claimed.value("reduce"), claimed.value("interleave")) {
            ("promela", None | Some("none"), _) | ("java", _, Some("every-access")) => None,
            ("promela", reduce, _) => reduce,
            (_, _, interleave) => interleave,
        };
        if let Some(reduction) = reduced {
            return no(format!(
                "the graph of the certificate is reduced ({reduction}), and states in which `{text}` fails may be \
                 left out; it needs one of `check --no-reduce`"
            ));
        }
        if question.property != "safety" {
            return no("it needs a certificate of safety".into());
        }
        let asked = Question { property: format!("ltl [] ({text})"), also: None, ..question.clone() };
        let mut own = own::load(&asked, claimed)?;
        own.claim = None;
        let formula = match own.formula.as_ref().map(Formula::shape) {
            Some(Shape::Unary(Unary::Always, formula)) => formula.clone(),
            _ => return no(format!("`{text}` is no condition")),
        };
        let has_next = formula.has_next();
        if depth(&formula).is_none_or(|depth| depth > 1) {
            return no(format!("`{text}` speaks about more than a state and the one after it"));
        }
        Ok((own, Self { atoms: formula.atoms(), formula, text: text.into(), has_next }))
    }

    /// Which propositions hold in the loaded state.
    fn letter(&self, cursor: &mut dyn Cursor) -> Result<u64, Violation> {
        let mut letter = 0;
        for &atom in &self.atoms {
            letter |= u64::from(cursor.holds(atom)?) << atom;
        }
        Ok(letter)
    }

    fn fails(&self, rule: &'static Rule) -> Violation {
        Violation::new(rule).with("condition", &self.text)
    }

    /// What is wrong in the loaded state, if the condition is about states.
    pub(crate) fn look(&self, cursor: &mut dyn Cursor) -> Option<Violation> {
        if self.has_next {
            return None;
        }
        match self.letter(cursor) {
            Ok(letter) => (!eval(&self.formula, letter, letter)).then(|| self.fails(&FAILS)),
            Err(violation) => Some(violation),
        }
    }

    /// What is wrong in the steps of a state, if the condition is about steps. Leaves the cursor elsewhere.
    pub(crate) fn look_at_steps(
        &self,
        cursor: &mut dyn Cursor,
        from: &[u8],
        steps: &Batch,
    ) -> Vec<Violation> {
        let mut wrong = Vec::new();
        if !self.has_next || steps.is_empty() {
            return wrong;
        }
        cursor.load(from);
        let before = match self.letter(cursor) {
            Ok(letter) => letter,
            Err(violation) => return vec![violation],
        };
        for (idx, entry) in steps.entries().iter().enumerate() {
            cursor.load(steps.vector(idx));
            match self.letter(cursor) {
                Ok(after) if eval(&self.formula, before, after) => {}
                Ok(_) => wrong.push(Violation { key: Some(entry.key), ..self.fails(&FAILS_IN_STEP) }),
                Err(violation) => wrong.push(violation),
            }
        }
        wrong
    }
}

/// How many states after the first a formula speaks about; `None` if there is no end to them.
fn depth(formula: &Formula) -> Option<u32> {
    match formula.shape() {
        Shape::Constant(_) | Shape::Atom(_) => Some(0),
        Shape::Unary(Unary::Not, a) => depth(a),
        Shape::Unary(Unary::Next, a) => depth(a).map(|depth| depth + 1),
        Shape::Binary(Binary::And | Binary::Or | Binary::Implies | Binary::Equivalent, a, b) => {
            Some(depth(a)?.max(depth(b)?))
        }
        Shape::Unary(..) | Shape::Binary(..) => None,
    }
}

/// The value of a formula whose depth is one at most, by what holds in a state and in the one after it.
fn eval(formula: &Formula, now: u64, next: u64) -> bool {
    let value = |part: &Formula| eval(part, now, next);
    match formula.shape() {
        Shape::Constant(value) => *value,
        Shape::Atom(atom) => now >> atom & 1 == 1,
        Shape::Unary(Unary::Next, a) => eval(a, next, next),
        Shape::Unary(_, a) => !value(a),
        Shape::Binary(Binary::And, a, b) => value(a) && value(b),
        Shape::Binary(Binary::Or, a, b) => value(a) || value(b),
        Shape::Binary(Binary::Implies, a, b) => !value(a) || value(b),
        Shape::Binary(_, a, b) => value(a) == value(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_over_two_states_have_values() {
        let (a, b) = (Formula::atom(0), Formula::atom(1));
        let rule = a.clone().implies(b.clone().next());
        assert_eq!(depth(&rule), Some(1));
        for (now, next, value) in
            [(0b01, 0b10, true), (0b01, 0b01, false), (0b10, 0b00, true), (0b11, 0b00, false)]
        {
            assert_eq!(eval(&rule, now, next), value, "{now:b} {next:b}");
        }
        let both = a.clone().equivalent(b.clone().negate()).and(Formula::truth()).or(Formula::falsity());
        assert!(eval(&both, 0b01, 0) && eval(&both, 0b10, 0) && !eval(&both, 0b11, 0) && !eval(&both, 0, 0));
        assert_eq!(depth(&b.clone().next().next()), Some(2));
        assert_eq!(depth(&a.until(b.eventually())), None);
    }
}
