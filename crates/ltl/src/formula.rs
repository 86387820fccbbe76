//! Formulas of linear temporal logic, as the caller builds them.
//!
//! A [`Formula`] is a shared immutable tree: a clone copies a pointer. Atoms are numbers whose meaning the
//! caller defines. Nothing is rewritten here: a formula prints as it was built. Each node knows its depth, so
//! that code that recurses over a formula can reject one that is too deep; dropping a formula does not
//! recurse.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

/// The deepest nesting of operators that is translated.
pub const MAX_DEPTH: u32 = 256;

/// The limit on the numbers of atoms: they are below this.
pub const MAX_ATOMS: u32 = 64;

/// An operator on one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// Not.
    Not,
    /// In the next state.
    Next,
    /// In this state and in all later ones.
    Always,
    /// In this state or in some later one.
    Eventually,
}

/// An operator on two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// Both.
    And,
    /// At least one.
    Or,
    /// If the first then the second.
    Implies,
    /// Both or neither.
    Equivalent,
    /// The second holds now or later, and the first in every state before.
    Until,
    /// As [`Binary::Until`], or the first holds always.
    WeakUntil,
    /// The second holds up to and including the first state in which the first holds, or always.
    Release,
}

/// The outermost operator of a formula.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// True in every state, or in none.
    Constant(bool),
    /// A condition on a state, which the caller identifies by its number.
    Atom(u32),
    /// An operator on one formula.
    Unary(Unary, Formula),
    /// An operator on two formulas.
    Binary(Binary, Formula, Formula),
}

struct FormulaNode {
    shape: Shape,
    depth: u32,
    size: u32,
    hash: u64,
}

/// A formula of linear temporal logic.
#[derive(Clone)]
pub struct Formula(Arc<FormulaNode>);

/// The content of a node while the tree is taken apart.
static NOTHING: LazyLock<Formula> = LazyLock::new(|| Formula::new(Shape::Constant(true)));

impl Drop for FormulaNode {
    /// Takes the tree apart with an explicit stack, so that a very deep formula does not overflow the
    /// thread's stack.
    fn drop(&mut self) {
        if self.depth < 2 {
            return;
        }
        let mut stack = Vec::new();
        let mut take = |shape: &mut Shape| {
            if let Shape::Unary(_, a) | Shape::Binary(_, a, _) = shape {
                stack.push(std::mem::replace(a, NOTHING.clone()));
            }
            if let Shape::Binary(_, _, b) = shape {
                stack.push(std::mem::replace(b, NOTHING.clone()));
            }
            stack.pop()
        };
        let mut next = take(&mut self.shape);
        while let Some(formula) = next {
            next = match Arc::into_inner(formula.0) {
                Some(mut node) if node.depth >= 2 => {
                    node.depth = 0;
                    take(&mut node.shape)
                }
                _ => take(&mut Shape::Constant(true)),
            };
        }
    }
}

impl Formula {
    fn new(shape: Shape) -> Formula {
        let (depth, size) = match &shape {
            Shape::Constant(_) | Shape::Atom(_) => (1, 1),
            Shape::Unary(_, a) => (a.depth().saturating_add(1), a.size().saturating_add(1)),
            Shape::Binary(_, a, b) => (
                a.depth().max(b.depth()).saturating_add(1),
                a.size().saturating_add(b.size()).saturating_add(1),
            ),
        };
        let mut hasher = std::hash::DefaultHasher::new();
        shape.hash(&mut hasher);
        Formula(Arc::new(FormulaNode { shape, depth, size, hash: hasher.finish() }))
    }

    /// The formula that always holds.
    pub fn truth() -> Formula {
        Formula::constant(true)
    }

    /// The formula that never holds.
    pub fn falsity() -> Formula {
        Formula::constant(false)
    }

    /// True or false.
    pub fn constant(value: bool) -> Formula {
        Formula::new(Shape::Constant(value))
    }

    /// An atom, whose meaning the caller defines.
    pub fn atom(number: u32) -> Formula {
        Formula::new(Shape::Atom(number))
    }

    /// An operator applied to one formula.
    pub fn unary(operator: Unary, a: Formula) -> Formula {
        Formula::new(Shape::Unary(operator, a))
    }

    /// An operator applied to two formulas.
    pub fn binary(operator: Binary, a: Formula, b: Formula) -> Formula {
        Formula::new(Shape::Binary(operator, a, b))
    }

    /// The negation of this formula.
    pub fn negate(self) -> Formula {
        Formula::unary(Unary::Not, self)
    }

    /// This in the next state.
    pub fn next(self) -> Formula {
        Formula::unary(Unary::Next, self)
    }

    /// This in every state from now on.
    pub fn always(self) -> Formula {
        Formula::unary(Unary::Always, self)
    }

    /// This now or later.
    pub fn eventually(self) -> Formula {
        Formula::unary(Unary::Eventually, self)
    }

    /// This and `other`.
    pub fn and(self, other: Formula) -> Formula {
        Formula::binary(Binary::And, self, other)
    }

    /// This or `other`.
    pub fn or(self, other: Formula) -> Formula {
        Formula::binary(Binary::Or, self, other)
    }

    /// If this then `other`.
    pub fn implies(self, other: Formula) -> Formula {
        Formula::binary(Binary::Implies, self, other)
    }

    /// This exactly if `other`.
    pub fn equivalent(self, other: Formula) -> Formula {
        Formula::binary(Binary::Equivalent, self, other)
    }

    /// `other` now or later, and this until then.
    pub fn until(self, other: Formula) -> Formula {
        Formula::binary(Binary::Until, self, other)
    }

    /// This until `other`, or this always.
    pub fn weak_until(self, other: Formula) -> Formula {
        Formula::binary(Binary::WeakUntil, self, other)
    }

    /// `other` up to and including the first state in which this holds, or always. SPIN writes `V`.
    pub fn release(self, other: Formula) -> Formula {
        Formula::binary(Binary::Release, self, other)
    }

    /// The outermost operator and what it is applied to.
    pub fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// The nesting depth of operators; an atom has depth one.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// The number of operators, atoms and constants when written out (`u32::MAX` means that many or more).
    pub fn size(&self) -> u32 {
        self.0.size
    }

    /// The operands of the outermost operator.
    pub fn parts(&self) -> impl Iterator<Item = &Formula> {
        let (first, second) = match self.shape() {
            Shape::Constant(_) | Shape::Atom(_) => (None, None),
            Shape::Unary(_, a) => (Some(a), None),
            Shape::Binary(_, a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }

    /// Calls `see` once with every different subformula, including this one.
    fn each(&self, mut see: impl FnMut(&Formula)) {
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![self];
        while let Some(formula) = stack.pop() {
            if seen.insert(Arc::as_ptr(&formula.0)) {
                see(formula);
                stack.extend(formula.parts());
            }
        }
    }

    /// The atoms that occur in it, ascending.
    pub fn atoms(&self) -> Vec<u32> {
        let mut atoms = std::collections::BTreeSet::new();
        self.each(|formula| {
            if let Shape::Atom(number) = formula.shape() {
                atoms.insert(*number);
            }
        });
        atoms.into_iter().collect()
    }

    /// Whether `next` occurs. A formula without it cannot count repetitions of equal states, as partial-order
    /// reduction requires.
    pub fn has_next(&self) -> bool {
        let mut found = false;
        self.each(|formula| found |= matches!(formula.shape(), Shape::Unary(Unary::Next, _)));
        found
    }

    /// Whether it concerns only the first state.
    pub fn is_boolean(&self) -> bool {
        let mut boolean = true;
        self.each(|formula| {
            boolean &= !matches!(
                formula.shape(),
                Shape::Unary(Unary::Next | Unary::Always | Unary::Eventually, _)
                    | Shape::Binary(Binary::Until | Binary::WeakUntil | Binary::Release, ..)
            );
        });
        boolean
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.hash == other.0.hash && self.depth() == other.depth() && self.shape() == other.shape())
    }
}

impl Eq for Formula {}

impl Hash for Formula {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Formula {
    fn partial_cmp(&self, other: &Formula) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Formula {
    /// Small formulas come first.
    fn cmp(&self, other: &Formula) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        self.size().cmp(&other.size()).then_with(|| self.shape().cmp(other.shape()))
    }
}
