//! Conditions that the certifier asks about, and the producer never did: `certify --invariant`.
//!
//! The certifier meets every state and every step itself, so it can evaluate any condition over them; the
//! certificate need not know of it. Two things must be so:
//!
//! - The graph has the states in which a condition could fail. A reduction may omit those if the condition
//!   was not known when the graph was made. So either the graph is not reduced, or the condition reads only
//!   what `check --observe` named, which all reductions keep. Otherwise the question is refused, with the
//!   names of the variables and of the reductions.
//! - A condition over consecutive states needs all steps. A condition is written as a formula: without a
//!   temporal operator it must hold in every state; `X p` in it is the value of `p` in the state after, and
//!   then it must hold in every step (`x == 5 -> X (x == 8)`). `next(x)` is the value of `x` there
//!   ([`next`](crate::next)). Other temporal operators are refused. Such a condition needs a graph that is
//!   not reduced, and not trustful certification, which does not take all steps. A state without steps has no
//!   state after it, so nothing is asked there.
//!
//! The program is loaded a second time, with the propositions of the conditions, and that program is the one
//! whose states are compared with the script. Should the conditions change the states or steps, then the
//! script no longer fits and is refused: that it is accepted does not rest on the two programs being alike.
//!
//! Conditions on the states of a Java program are invariants of the front end, which evaluates them as
//! `check` does.

use crate::next::{self, Rewritten};
use crate::own::{self, Own, Program, Question};
use crate::promela;
use crate::veracity::Error;
use allways_ltl::{Binary, Formula, Shape, Unary};
use allways_model::options::Settings;
use allways_model::{Batch, Cursor, Rule, Spec, Violation, ViolationKind};

static FAILS: Rule = Rule::new(ViolationKind::Invariant, "condition-fails", "{condition} does not hold");
static FAILS_IN_STEP: Rule =
    Rule::new(ViolationKind::Invariant, "condition-fails-in-step", "{condition} does not hold in a step");

/// Conditions over states and steps.
pub(crate) struct Also {
    conditions: Vec<Condition>,
}

struct Condition {
    formula: Formula,
    atoms: Vec<u32>,
    text: String,
    has_next: bool,
}

impl Also {
    /// Conditions, with the program that knows their propositions.
    ///
    /// # Errors
    /// If one is none, or the graph may lack states or steps in which it fails.
    pub(crate) fn load(question: &Question, texts: &[String], claimed: &Spec) -> Result<(Own, Self), Error> {
        let no = |what: String| Err(Error::Input(format!("--invariant: {what}")));
        let reduction = match (claimed.language(), claimed.value("reduce"), claimed.value("interleave")) {
            ("promela", None | Some("none"), _) | ("java", _, Some("every-access")) => None,
            ("promela", reduce, _) => reduce,
            (_, _, interleave) => interleave,
        };
        if question.property != "safety" {
            return no("it needs a certificate of safety".into());
        }
        if let Some(text) = texts.first().filter(|_| claimed.values("reduce").any(is_symmetric)) {
            return no(format!(
                "`{text}` was not asked of the producer, and the graph of the certificate is reduced (symmetry): its \
                 processes change places. It needs a certificate of `check` without --symmetry"
            ));
        }
        let formulas = without_next(question, texts, claimed)?;
        let mut own = own::load_and_ask(question, &formulas, claimed)?;
        let Some((formula, missing)) = own.asked.take() else { return no("no condition was read".into()) };
        let mut formulas = Vec::new();
        conjuncts(&formula, texts.len(), &mut formulas);
        let mut conditions = Vec::new();
        for (formula, text) in formulas.into_iter().zip(texts) {
            let Shape::Unary(Unary::Always, formula) = formula.shape() else {
                return no(format!("`{text}` is no condition"));
            };
            if depth(formula).is_none_or(|depth| depth > 1) {
                return no(format!("`{text}` speaks about more than a state and the one after it"));
            }
            let has_next = formula.has_next();
            if let Some(reduction) = reduction.filter(|_| has_next) {
                return no(format!(
                    "`{text}` is about consecutive states, and the graph of the certificate is reduced ({reduction}); \
                     it needs one of `check --no-reduce`"
                ));
            }
            let condition =
                Condition { atoms: formula.atoms(), formula: formula.clone(), text: text.clone(), has_next };
            conditions.push(condition);
        }
        if let Some(reduction) = reduction.filter(|_| !missing.is_empty()) {
            return no(format!(
                "the condition reads {}, which the producer did not observe, and the graph of the certificate is \
                 reduced ({reduction}): states in which it fails may be left out. It needs a certificate of \
                 `check --observe NAME`, or of `check --no-reduce`",
                missing.join(", ")
            ));
        }
        if let Program::Java(program) = &mut own.program {
            // The front end evaluates them.
            for condition in conditions.extract_if(.., |one| !one.has_next) {
                let wrong = |error| Error::Input(format!("--invariant: {error}"));
                program.add_invariant(&condition.text).map_err(wrong)?;
            }
        }
        Ok((own, Self { conditions }))
    }

    /// Whether a condition is about steps.
    pub(crate) fn has_next(&self) -> bool {
        self.conditions.iter().any(|one| one.has_next)
    }

    /// What is wrong in the loaded state.
    pub(crate) fn look(&self, cursor: &mut dyn Cursor) -> Vec<Violation> {
        let about_states = self.conditions.iter().filter(|one| !one.has_next);
        about_states.filter_map(|one| one.look(cursor)).collect()
    }

    /// What is wrong in the steps of a state. Leaves the cursor elsewhere.
    pub(crate) fn look_at_steps(
        &self,
        cursor: &mut dyn Cursor,
        from: &[u8],
        steps: &Batch,
    ) -> Vec<Violation> {
        let mut wrong = Vec::new();
        for condition in self.conditions.iter().filter(|one| one.has_next && !steps.is_empty()) {
            condition.look_at_steps(cursor, from, steps, &mut wrong);
        }
        wrong
    }
}

impl Condition {
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

    fn look(&self, cursor: &mut dyn Cursor) -> Option<Violation> {
        match self.letter(cursor) {
            Ok(letter) => (!eval(&self.formula, letter, letter)).then(|| self.fails(&FAILS)),
            Err(violation) => Some(violation),
        }
    }

    fn look_at_steps(&self, cursor: &mut dyn Cursor, from: &[u8], steps: &Batch, wrong: &mut Vec<Violation>) {
        cursor.load(from);
        let before = match self.letter(cursor) {
            Ok(letter) => letter,
            Err(violation) => return wrong.push(violation),
        };
        for (idx, entry) in steps.entries().iter().enumerate() {
            cursor.load(steps.vector(idx));
            match self.letter(cursor) {
                Ok(after) if eval(&self.formula, before, after) => {}
                Ok(_) => wrong.push(Violation { key: Some(entry.key), ..self.fails(&FAILS_IN_STEP) }),
                Err(violation) => wrong.push(violation),
            }
        }
    }
}

/// Whether a list of reductions has symmetry in it.
fn is_symmetric(reduce: &str) -> bool {
    reduce.split(',').any(|one| one == promela::SYMMETRY)
}

/// The conditions as formulas, with `X` instead of `next`.
///
/// # Errors
/// If one compares two states with each other.
fn without_next(question: &Question, texts: &[String], claimed: &Spec) -> Result<Vec<String>, Error> {
    let no = |what: String| Error::Input(format!("--invariant: {what}"));
    let mut formulas = Vec::new();
    for text in texts {
        let Rewritten { text: formula, rests } = next::rewrite(text).map_err(no)?;
        formulas.push(formula);
        if rests.is_empty() {
            continue;
        }
        let reads = if claimed.language() == "promela" {
            // Nothing counts as observed here, so everything that is read is missing.
            let mut settings = Settings::default();
            let others = question.settings.iter().filter(|(name, _)| *name != own::OBSERVE);
            others.for_each(|(name, value)| settings.add(name, value));
            let bare = Question { settings, ..question.clone() };
            own::load_and_ask(&bare, &rests, claimed)?.asked.is_none_or(|(_, reads)| !reads.is_empty())
        } else {
            rests.iter().any(|rest| next::has_names(rest))
        };
        if reads {
            return Err(no(format!(
                "`{text}` compares two states with each other; a comparison with next(...) may have constants beside it, \
                 and no variables"
            )));
        }
    }
    Ok(formulas)
}

/// The parts of a conjunction of this many parts, in order.
fn conjuncts(formula: &Formula, n: usize, out: &mut Vec<Formula>) {
    match formula.shape() {
        // `a && b && c` is `(a && b) && c`.
        Shape::Binary(Binary::And, a, b) if n > 1 => {
            conjuncts(a, n - 1, out);
            out.push(b.clone());
        }
        _ => out.push(formula.clone()),
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
