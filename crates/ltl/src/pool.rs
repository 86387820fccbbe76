//! Formulas in negation normal form, each stored once.
//!
//! The translation works on these: negation is applied to atoms only, conjunctions and disjunctions are
//! sorted lists, and until and release are the only operators that concern more than the next state (always
//! is `false R`, eventually is `true U`). Equal formulas have equal numbers. Nodes are made by the rules in
//! `rewrite`, so the formulas in the pool are simplified, unless simplification is off.
//!
//! Two properties decide many rules (Etessami and Holzmann 2000). A formula is *eventual* if it holds in a
//! state whenever it holds in a later one, and *universal* if it continues to hold once it holds.

use crate::error::Error;
use crate::formula::{Binary, Formula, MAX_ATOMS, MAX_DEPTH, Shape, Unary};
use std::collections::HashMap;
use std::rc::Rc;

/// A formula in a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) u32);

/// The formula that never holds.
pub(crate) const FALSE: Id = Id(0);
/// The formula that always holds.
pub(crate) const TRUE: Id = Id(1);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    False,
    True,
    Literal { atom: u32, negated: bool },
    And(Rc<[Id]>),
    Or(Rc<[Id]>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// What is known about a formula from its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traits {
    pub(crate) eventual: bool,
    pub(crate) universal: bool,
    /// No until: every violation is visible after finitely many states.
    pub(crate) safe: bool,
    /// No release: every satisfaction is visible after finitely many states.
    pub(crate) co_safe: bool,
    pub(crate) boolean: bool,
}

/// The most formulas in one pool; beyond that, a translation fails.
const MAX_NODES: usize = 200_000;

/// All formulas of one translation.
pub(crate) struct Pool {
    nodes: Vec<(Node, Traits)>,
    numbers: HashMap<Node, Id>,
    /// The results of the rules for nodes made before.
    pub(crate) made: HashMap<Node, Id>,
    pub(crate) negations: HashMap<Id, Id>,
    pub(crate) implications: HashMap<(Id, Id), bool>,
    /// Whether the more expensive rules are applied.
    pub(crate) simplify: bool,
    /// The current nesting of rules.
    pub(crate) nesting: u32,
}

impl Pool {
    pub(crate) fn new(simplify: bool) -> Pool {
        let mut pool = Pool {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            made: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
            simplify,
            nesting: 0,
        };
        pool.intern(Node::False);
        pool.intern(Node::True);
        pool
    }

    pub(crate) fn node(&self, id: Id) -> Node {
        self.nodes[id.0 as usize].0.clone()
    }

    pub(crate) fn traits(&self, id: Id) -> Traits {
        self.nodes[id.0 as usize].1
    }

    /// Whether the truth of the formula does not depend on the position in a run.
    pub(crate) fn is_suspendable(&self, id: Id) -> bool {
        self.traits(id).eventual && self.traits(id).universal
    }

    /// Fails if the pool holds more formulas than the limit.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.nodes.len() > MAX_NODES || self.implications.len() > 20 * MAX_NODES {
            return Err(Error::TooLarge { what: "subformulas", limit: MAX_NODES });
        }
        Ok(())
    }

    /// The number of a node, which must already be in the form that the rules give.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let traits = self.traits_of(&node);
        let id = Id(u32::try_from(self.nodes.len()).expect("memory ends before the numbers do"));
        self.nodes.push((node.clone(), traits));
        self.numbers.insert(node, id);
        id
    }

    fn traits_of(&self, node: &Node) -> Traits {
        let both = |a: Traits, b: Traits| Traits {
            eventual: a.eventual && b.eventual,
            universal: a.universal && b.universal,
            safe: a.safe && b.safe,
            co_safe: a.co_safe && b.co_safe,
            boolean: a.boolean && b.boolean,
        };
        let all = Traits { eventual: true, universal: true, safe: true, co_safe: true, boolean: true };
        match node {
            Node::False | Node::True => all,
            Node::Literal { .. } => Traits { eventual: false, universal: false, ..all },
            Node::And(list) | Node::Or(list) => list.iter().fold(all, |t, &id| both(t, self.traits(id))),
            Node::Next(a) => Traits { boolean: false, ..self.traits(*a) },
            Node::Until(a, b) => {
                let (left, right) = (self.traits(*a), self.traits(*b));
                let joint = both(left, right);
                Traits { eventual: *a == TRUE || right.eventual, safe: false, boolean: false, ..joint }
            }
            Node::Release(a, b) => {
                let (left, right) = (self.traits(*a), self.traits(*b));
                let joint = both(left, right);
                Traits { universal: *a == FALSE || right.universal, co_safe: false, boolean: false, ..joint }
            }
        }
    }

    /// The conjuncts of a formula: none for true, the formula itself if it is not a conjunction.
    pub(crate) fn conjuncts(&self, id: Id) -> Vec<Id> {
        match &self.nodes[id.0 as usize].0 {
            Node::True => Vec::new(),
            Node::And(list) => list.to_vec(),
            _ => vec![id],
        }
    }

    /// Adds a formula to the pool, negated if asked.
    pub(crate) fn import(&mut self, formula: &Formula, negated: bool) -> Result<Id, Error> {
        if formula.depth() > MAX_DEPTH {
            return Err(Error::TooDeep);
        }
        if formula.atoms().last().is_some_and(|&atom| atom >= MAX_ATOMS) {
            return Err(Error::TooManyAtoms);
        }
        self.import_part(formula, negated, &mut HashMap::new())
    }

    fn import_part(
        &mut self,
        formula: &Formula,
        negated: bool,
        known: &mut HashMap<(Formula, bool), Id>,
    ) -> Result<Id, Error> {
        if let Some(&id) = known.get(&(formula.clone(), negated)) {
            return Ok(id);
        }
        self.check()?;
        let id = match formula.shape() {
            Shape::Constant(value) => {
                if *value != negated {
                    TRUE
                } else {
                    FALSE
                }
            }
            Shape::Atom(atom) => self.intern(Node::Literal { atom: *atom, negated }),
            Shape::Unary(operator, a) => {
                let a = self.import_part(a, negated ^ (*operator == Unary::Not), known)?;
                match (operator, negated) {
                    (Unary::Not, _) => a,
                    (Unary::Next, _) => self.next(a),
                    (Unary::Always, false) | (Unary::Eventually, true) => self.release(FALSE, a),
                    (Unary::Always, true) | (Unary::Eventually, false) => self.until(TRUE, a),
                }
            }
            Shape::Binary(operator, left, right) => {
                let a = self.import_part(left, negated ^ (*operator == Binary::Implies), known)?;
                let b = self.import_part(right, negated, known)?;
                match (operator, negated) {
                    (Binary::And, false) | (Binary::Or | Binary::Implies, true) => self.and([a, b]),
                    (Binary::And, true) | (Binary::Or | Binary::Implies, false) => self.or([a, b]),
                    (Binary::Until, false) | (Binary::Release, true) => self.until(a, b),
                    (Binary::Until, true) | (Binary::Release, false) => self.release(a, b),
                    // `a W b` is `b R (a || b)`; its negation is `!b U (!a && !b)`.
                    (Binary::WeakUntil, false) => {
                        let either = self.or([a, b]);
                        self.release(b, either)
                    }
                    (Binary::WeakUntil, true) => {
                        let neither = self.and([a, b]);
                        self.until(b, neither)
                    }
                    (Binary::Equivalent, _) => {
                        // Both or neither; negated (`b` is negated already), one but not the other.
                        let not_a = self.import_part(left, !negated, known)?;
                        let not_b = self.import_part(right, !negated, known)?;
                        let (yes, no) = if negated { (not_a, a) } else { (a, not_a) };
                        let first = self.and([yes, b]);
                        let second = self.and([no, not_b]);
                        self.or([first, second])
                    }
                }
            }
        };
        known.insert((formula.clone(), negated), id);
        Ok(id)
    }

    /// The formula as a tree again, with always, eventually and weak until where they fit.
    pub(crate) fn export(&self, id: Id) -> Formula {
        let fold = |list: &[Id], join: fn(Formula, Formula) -> Formula| {
            let mut parts = list.iter().map(|&part| self.export(part));
            let first = parts.next().expect("a conjunction or disjunction has parts");
            parts.fold(first, join)
        };
        match self.node(id) {
            Node::False => Formula::falsity(),
            Node::True => Formula::truth(),
            Node::Literal { atom, negated: false } => Formula::atom(atom),
            Node::Literal { atom, negated: true } => Formula::atom(atom).negate(),
            Node::And(list) => fold(&list, Formula::and),
            Node::Or(list) => fold(&list, Formula::or),
            Node::Next(a) => self.export(a).next(),
            Node::Until(TRUE, b) => self.export(b).eventually(),
            Node::Until(a, b) => self.export(a).until(self.export(b)),
            Node::Release(FALSE, b) => self.export(b).always(),
            Node::Release(a, b) => {
                if let Node::Or(list) = self.node(b)
                    && list.contains(&a)
                {
                    let rest: Vec<Id> = list.iter().copied().filter(|&part| part != a).collect();
                    return fold(&rest, Formula::or).weak_until(self.export(a));
                }
                self.export(a).release(self.export(b))
            }
        }
    }
}
