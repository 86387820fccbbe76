//! The rules by which formulas are made: each constructor returns the simplest equivalent that it finds.
//!
//! Every rule has a dual, in which and/or, until/release, true/false, eventual/universal and the direction of
//! implications are exchanged. So each rule is written once, with a [`DualSide`] that selects it or its dual;
//! comments describe the first. The rules are those of Etessami and Holzmann (2000) and of Somenzi and Bloem
//! (2000), with some for formulas whose truth does not depend on the position (Babiak et al. 2012). No rule
//! makes a formula larger, so rewriting terminates.

use crate::pool::{FALSE, Id, Node, Pool, TRUE};

/// Lists longer than this are not compared pairwise.
const MAX_PAIRWISE: usize = 40;

/// The maximal nesting of rules. A formula of the greatest depth needs far less.
const MAX_NESTING: u32 = 500;

/// Selects a rule or its dual.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DualSide {
    /// Conjunction; until.
    First,
    /// Disjunction; release.
    Second,
}
use DualSide::{First, Second};

impl DualSide {
    fn other(self) -> DualSide {
        if self == First { Second } else { First }
    }

    /// True for the first side.
    fn top(self) -> Id {
        if self == First { TRUE } else { FALSE }
    }

    /// False for the first side.
    fn bottom(self) -> Id {
        self.other().top()
    }
}

impl Pool {
    /// All of `list`.
    pub(crate) fn and(&mut self, list: impl IntoIterator<Item = Id>) -> Id {
        self.join(First, list.into_iter().collect())
    }

    /// At least one of `list`.
    pub(crate) fn or(&mut self, list: impl IntoIterator<Item = Id>) -> Id {
        self.join(Second, list.into_iter().collect())
    }

    /// `a` in the next state.
    pub(crate) fn next(&mut self, a: Id) -> Id {
        if a == TRUE || a == FALSE {
            return a;
        }
        if !self.simplify {
            return self.intern(Node::Next(a));
        }
        if self.is_suspendable(a) {
            return a;
        }
        for side in [First, Second] {
            if let Some(list) = self.list(side, a) {
                let (fixed, rest): (Vec<Id>, Vec<Id>) = list.iter().partition(|&&p| self.is_suspendable(p));
                if !fixed.is_empty() {
                    let rest = self.join(side, rest);
                    let rest = self.next(rest);
                    return self.join(side, fixed.into_iter().chain([rest]).collect());
                }
            }
        }
        self.intern(Node::Next(a))
    }

    /// `b` now or later, `a` until then.
    pub(crate) fn until(&mut self, a: Id, b: Id) -> Id {
        self.hold(First, a, b)
    }

    /// `b` up to and including the first `a`, or always.
    pub(crate) fn release(&mut self, a: Id, b: Id) -> Id {
        self.hold(Second, a, b)
    }

    /// Applies rules, unless they are nested so deeply that the thread's stack could overflow.
    fn nested(&mut self, rules: impl FnOnce(&mut Pool) -> Option<Id>) -> Option<Id> {
        if self.nesting >= MAX_NESTING {
            return None;
        }
        self.nesting += 1;
        let result = rules(self);
        self.nesting -= 1;
        result
    }

    /// The operands if this is a conjunction (on the second side, a disjunction).
    fn list(&self, side: DualSide, id: Id) -> Option<std::rc::Rc<[Id]>> {
        match (side, self.node(id)) {
            (First, Node::And(list)) | (Second, Node::Or(list)) => Some(list),
            _ => None,
        }
    }

    /// The two operands of an until (on the second side, of a release).
    fn pair(&self, side: DualSide, id: Id) -> Option<(Id, Id)> {
        match (side, self.node(id)) {
            (First, Node::Until(a, b)) | (Second, Node::Release(a, b)) => Some((a, b)),
            _ => None,
        }
    }

    /// Whether `a` implies `b`; on the second side, whether `b` implies `a`.
    fn below(&mut self, side: DualSide, a: Id, b: Id) -> bool {
        if side == First { self.implies(a, b) } else { self.implies(b, a) }
    }

    /// Whether `a` and `b` are never both true; on the second side, never both false.
    fn clash(&mut self, side: DualSide, a: Id, b: Id) -> bool {
        if side == First { self.excludes(a, b) } else { self.covers(a, b) }
    }

    fn is_eventual(&self, side: DualSide, id: Id) -> bool {
        if side == First { self.traits(id).eventual } else { self.traits(id).universal }
    }

    fn join(&mut self, side: DualSide, list: Vec<Id>) -> Id {
        let mut parts = Vec::with_capacity(list.len());
        for id in list {
            match self.list(side, id) {
                Some(inner) => parts.extend_from_slice(&inner),
                None => parts.push(id),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|&id| id != side.top());
        if parts.contains(&side.bottom()) {
            return side.bottom();
        }
        match parts[..] {
            [] => return side.top(),
            [only] => return only,
            _ => {}
        }
        let node = |parts: &[Id]| {
            if side == First { Node::And(parts.into()) } else { Node::Or(parts.into()) }
        };
        let key = node(&parts);
        if let Some(&known) = self.made.get(&key) {
            return known;
        }
        let ruled = self.simplify && parts.len() <= MAX_PAIRWISE;
        let better = if ruled { self.nested(|pool| pool.join_by_rule(side, &parts)) } else { None };
        let result = better.unwrap_or_else(|| self.intern(key.clone()));
        self.made.insert(key, result);
        result
    }

    /// A simpler conjunction, if a rule finds one. Each rule considers two operands.
    fn join_by_rule(&mut self, side: DualSide, parts: &[Id]) -> Option<Id> {
        for (i, &a) in parts.iter().enumerate() {
            for (j, &b) in parts.iter().enumerate() {
                if i == j {
                    continue;
                }
                // An operand that another one implies is redundant.
                if self.below(side, a, b) {
                    let rest = parts.iter().copied().filter(|&part| part != b).collect();
                    return Some(self.join(side, rest));
                }
                if i < j && self.clash(side, a, b) {
                    return Some(side.bottom());
                }
                let better = if i < j { self.fuse(side, a, b) } else { None };
                if let Some(better) = better {
                    let rest = parts.iter().copied().filter(|&part| part != a && part != b);
                    let rest = rest.chain([better]).collect();
                    return Some(self.join(side, rest));
                }
                if let Some(better) = self.relieve(side, a, b) {
                    let rest = parts.iter().map(|&part| if part == b { better } else { part }).collect();
                    return Some(self.join(side, rest));
                }
            }
        }
        None
    }

    /// One formula for `a && b`.
    fn fuse(&mut self, side: DualSide, a: Id, b: Id) -> Option<Id> {
        // X a && X b = X (a && b)
        if let (Node::Next(c), Node::Next(d)) = (self.node(a), self.node(b)) {
            let both = self.join(side, vec![c, d]);
            return Some(self.next(both));
        }
        // (a R b) && (a R c) = a R (b && c); but []<>a stays separate, because it can be moved out of other
        // formulas.
        if let (Some((c, d)), Some((e, f))) = (self.pair(side.other(), a), self.pair(side.other(), b))
            && c == e
            && !self.is_suspendable(a)
            && !self.is_suspendable(b)
        {
            let both = self.join(side, vec![d, f]);
            return Some(self.hold(side.other(), c, both));
        }
        if let (Some((c, d)), Some((e, f))) = (self.pair(side, a), self.pair(side, b)) {
            // (a U c) && (b U c) = (a && b) U c
            if d == f {
                let both = self.join(side, vec![c, e]);
                return Some(self.hold(side, both, d));
            }
            // <>[]a && <>[]b = <>[](a && b)
            let always = (self.pair(side.other(), d), self.pair(side.other(), f));
            if let (Some((g, h)), Some((k, l))) = always
                && (c, e, g, k) == (side.top(), side.top(), side.bottom(), side.bottom())
            {
                let both = self.join(side, vec![h, l]);
                let both = self.hold(side.other(), side.bottom(), both);
                return Some(self.hold(side, side.top(), both));
            }
        }
        None
    }

    /// The part of `b` that remains necessary next to `a`.
    fn relieve(&mut self, side: DualSide, a: Id, b: Id) -> Option<Id> {
        // a && (!a || b) = a && b
        if let Some(list) = self.list(side.other(), b) {
            let rest: Vec<Id> = list.iter().copied().filter(|&part| !self.clash(side, a, part)).collect();
            return (rest.len() < list.len()).then(|| self.join(side.other(), rest));
        }
        // []a && (a U b) = []a && <>b
        if let Some((c, d)) = self.pair(side, b)
            && c != side.top()
            && self.is_eventual(side.other(), a)
            && self.below(side, a, c)
        {
            return Some(self.hold(side, side.top(), d));
        }
        None
    }

    fn hold(&mut self, side: DualSide, a: Id, b: Id) -> Id {
        if b == TRUE || b == FALSE || a == side.bottom() || a == b {
            return b;
        }
        let key = if side == First { Node::Until(a, b) } else { Node::Release(a, b) };
        if !self.simplify {
            return self.intern(key);
        }
        if let Some(&known) = self.made.get(&key) {
            return known;
        }
        let better = self.nested(|pool| pool.hold_by_rule(side, a, b));
        let result = better.unwrap_or_else(|| self.intern(key.clone()));
        self.made.insert(key, result);
        result
    }

    /// A simpler `a U b`, if a rule finds one.
    fn hold_by_rule(&mut self, side: DualSide, a: Id, b: Id) -> Option<Id> {
        // If a implies b, the first state with a or b has b. An eventual b holds now if it ever does.
        if self.is_eventual(side, b) || self.below(side, a, b) {
            return Some(b);
        }
        // If a holds wherever b does not, a U b is the same as eventually b.
        if a != side.top() && self.clash(side.other(), a, b) {
            return Some(self.hold(side, side.top(), b));
        }
        // X a U X b = X (a U b), and <> X b = X <> b.
        if let Node::Next(d) = self.node(b) {
            let before = match self.node(a) {
                Node::Next(c) => Some(c),
                _ => (a == side.top()).then_some(a),
            };
            if let Some(c) = before {
                let inner = self.hold(side, c, d);
                return Some(self.next(inner));
            }
        }
        if let Some((c, d)) = self.pair(side, b) {
            // a U (c U d) is c U d if a implies c, and a U d if c implies a.
            if self.below(side, a, c) {
                return Some(b);
            }
            if self.below(side, c, a) {
                return Some(self.hold(side, a, d));
            }
        }
        // (c U b) U b = c U b
        if let Some((_, d)) = self.pair(side, a)
            && d == b
        {
            return Some(a);
        }
        // Alternatives in a that imply b are unnecessary: b ends the until.
        if let Some(list) = self.list(side.other(), a) {
            let rest: Vec<Id> = list.iter().copied().filter(|&part| !self.below(side, part, b)).collect();
            if rest.len() < list.len() {
                let rest = self.join(side.other(), rest);
                return Some(self.hold(side, rest, b));
            }
        }
        // Conditions in a that hold wherever b does not are unnecessary, too.
        if let Some(list) = self.list(side, a) {
            let other = side.other();
            let rest: Vec<Id> = list.iter().copied().filter(|&part| !self.clash(other, part, b)).collect();
            if rest.len() < list.len() {
                let rest = self.join(side, rest);
                return Some(self.hold(side, rest, b));
            }
        }
        // a U (b || e) = (a U b) || e for an eventual e.
        if let Some(list) = self.list(side.other(), b) {
            let (free, rest): (Vec<Id>, Vec<Id>) = list.iter().partition(|&&p| self.is_eventual(side, p));
            if !free.is_empty() {
                let rest = self.join(side.other(), rest);
                let rest = self.hold(side, a, rest);
                return Some(self.join(side.other(), free.into_iter().chain([rest]).collect()));
            }
        }
        // a U (b && s) = (a U b) && s if the truth of s does not depend on the position.
        if let Some(list) = self.list(side, b) {
            let (free, rest): (Vec<Id>, Vec<Id>) = list.iter().partition(|&&p| self.is_suspendable(p));
            if !free.is_empty() {
                let rest = self.join(side, rest);
                let rest = self.hold(side, a, rest);
                return Some(self.join(side, free.into_iter().chain([rest]).collect()));
            }
        }
        None
    }
}
