//! Syntactic implication between formulas, and the negation of a formula.
//!
//! The rules are those of Somenzi and Bloem (2000), with more for eventual and universal formulas. They
//! consider only the form of the two formulas: `true` is a proof, `false` means nothing.

use crate::pool::{FALSE, Id, Node, Pool, TRUE};

impl Pool {
    /// Whether the form of `a` and `b` shows that `a` implies `b`.
    pub(crate) fn implies(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == FALSE || b == TRUE {
            return true;
        }
        if a == TRUE || b == FALSE {
            return false;
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        let result = self.implies_by_form(a, b);
        self.implications.insert((a, b), result);
        result
    }

    fn implies_by_form(&mut self, a: Id, b: Id) -> bool {
        let (left, right) = (self.node(a), self.node(b));
        // These two rules are exact, so they come first.
        if let Node::Or(list) = &left {
            return list.iter().all(|&part| self.implies(part, b));
        }
        if let Node::And(list) = &right {
            return list.iter().all(|&part| self.implies(a, part));
        }
        let by_operator = match (&left, &right) {
            (&Node::Until(c, d), &Node::Until(e, f)) => self.implies(c, e) && self.implies(d, f),
            (&Node::Release(c, d), &Node::Release(e, f)) => self.implies(c, e) && self.implies(d, f),
            (&Node::Next(c), &Node::Next(d)) => self.implies(c, d),
            _ => false,
        };
        by_operator || self.implies_from(&left, b) || self.implies_to(a, &right)
    }

    /// Rules that decompose the premise.
    fn implies_from(&mut self, left: &Node, b: Id) -> bool {
        match *left {
            Node::And(ref list) => list.iter().any(|&part| self.implies(part, b)),
            Node::Until(c, d) => self.implies(d, b) && (self.implies(c, b) || self.traits(b).eventual),
            Node::Release(_, d) => self.implies(d, b),
            Node::Next(c) => self.traits(b).eventual && self.implies(c, b),
            _ => false,
        }
    }

    /// Rules that decompose the conclusion.
    fn implies_to(&mut self, a: Id, right: &Node) -> bool {
        match *right {
            Node::Or(ref list) => list.iter().any(|&part| self.implies(a, part)),
            Node::Until(_, d) => self.implies(a, d),
            Node::Release(c, d) => self.implies(a, d) && (self.implies(a, c) || self.traits(a).universal),
            Node::Next(c) => self.traits(a).universal && self.implies(a, c),
            _ => false,
        }
    }

    /// The formula that holds exactly where this one does not.
    pub(crate) fn negate(&mut self, id: Id) -> Id {
        if let Some(&known) = self.negations.get(&id) {
            return known;
        }
        let result = match self.node(id) {
            Node::False => TRUE,
            Node::True => FALSE,
            Node::Literal { atom, negated } => self.intern(Node::Literal { atom, negated: !negated }),
            Node::And(list) => {
                let parts: Vec<Id> = list.iter().map(|&part| self.negate(part)).collect();
                self.or(parts)
            }
            Node::Or(list) => {
                let parts: Vec<Id> = list.iter().map(|&part| self.negate(part)).collect();
                self.and(parts)
            }
            Node::Next(a) => {
                let a = self.negate(a);
                self.next(a)
            }
            Node::Until(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.release(a, b)
            }
            Node::Release(a, b) => {
                let (a, b) = (self.negate(a), self.negate(b));
                self.until(a, b)
            }
        };
        self.negations.insert(id, result);
        self.negations.entry(result).or_insert(id);
        result
    }

    /// Whether the form of `a` and `b` shows that they never hold together.
    pub(crate) fn excludes(&mut self, a: Id, b: Id) -> bool {
        let not_b = self.negate(b);
        self.implies(a, not_b)
    }

    /// Whether the form of `a` and `b` shows that at least one of them always holds.
    pub(crate) fn covers(&mut self, a: Id, b: Id) -> bool {
        let not_a = self.negate(a);
        self.implies(not_a, b)
    }
}
