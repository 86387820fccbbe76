//! Conditions over atoms as reduced ordered binary decision diagrams (Bryant 1986).
//!
//! Guards are compared for implication everywhere in this crate, and a diagram makes that a lookup: equal
//! conditions have equal numbers. The package does only what guards need: combine, compare, and turn a
//! condition into few cubes (Minato 1992). It never frees a node; one translation has one table.

use crate::error::Error;
use crate::guard::Cube;
use std::collections::HashMap;

/// A condition, as an index in a [`Bdds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bdd(u32);

/// Holds for no letter.
pub(crate) const FALSE: Bdd = Bdd(0);
/// Holds for every letter.
pub(crate) const TRUE: Bdd = Bdd(1);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct BddNode {
    atom: u32,
    low: Bdd,
    high: Bdd,
}

/// The operands of [`Bdds::choose`] and its result.
#[derive(Clone, Copy)]
struct CachedChoice {
    question: [Bdd; 3],
    answer: Bdd,
}

/// An empty entry: its question is answered before the cache is read.
const UNKNOWN: CachedChoice = CachedChoice { question: [FALSE; 3], answer: FALSE };

/// The table of conditions.
pub(crate) struct Bdds {
    nodes: Vec<BddNode>,
    unique: HashMap<BddNode, Bdd>,
    /// Cached results, each at the index that the hash of its question gives; a newer result replaces an
    /// older one. The length is a power of two and grows with the nodes.
    memory: Vec<CachedChoice>,
    /// The limit that was exceeded, if any. Results are wrong from then on, so a caller must check before it
    /// uses one.
    full: Option<Error>,
}

/// The most nodes.
const MAX_NODES: usize = 300_000;
/// The most cubes of a guard.
const MAX_CUBES: usize = 5_000;

impl Bdds {
    pub(crate) fn new() -> Bdds {
        let leaf = BddNode { atom: u32::MAX, low: FALSE, high: FALSE };
        Bdds { nodes: vec![leaf, leaf], unique: HashMap::new(), memory: vec![UNKNOWN; 1 << 10], full: None }
    }

    /// Fails if a limit was exceeded; then the results must not be used.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.full.clone().map_or(Ok(()), Err)
    }

    fn node(&mut self, atom: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        if self.nodes.len() > MAX_NODES {
            self.full = Some(Error::TooLarge { what: "nodes of decision diagrams", limit: MAX_NODES });
            return FALSE;
        }
        let node = BddNode { atom, low, high };
        let nodes = &mut self.nodes;
        *self.unique.entry(node).or_insert_with(|| {
            nodes.push(node);
            Bdd(u32::try_from(nodes.len() - 1).expect("memory ends before the numbers do"))
        })
    }

    fn at(&self, bdd: Bdd) -> BddNode {
        self.nodes[bdd.0 as usize]
    }

    /// The two conditions that remain when `atom` is false and when it is true.
    fn split(&self, bdd: Bdd, atom: u32) -> (Bdd, Bdd) {
        let node = self.at(bdd);
        if node.atom == atom { (node.low, node.high) } else { (bdd, bdd) }
    }

    /// The condition that an atom is true, or that it is false.
    pub(crate) fn literal(&mut self, atom: u32, negated: bool) -> Bdd {
        if negated { self.node(atom, TRUE, FALSE) } else { self.node(atom, FALSE, TRUE) }
    }

    /// The index in the cache of the answer to a question.
    fn place(&self, question: [Bdd; 3]) -> usize {
        let [a, b, c] = question.map(|bdd| u64::from(bdd.0));
        let mixed = (a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ c;
        let mixed = mixed.wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 32) as usize & (self.memory.len() - 1)
    }

    /// If `a` then `b` else `c`.
    fn choose(&mut self, a: Bdd, b: Bdd, c: Bdd) -> Bdd {
        let b = if a == b { TRUE } else { b };
        let c = if a == c { FALSE } else { c };
        match (a, b, c) {
            (TRUE, _, _) => return b,
            (FALSE, _, _) => return c,
            (_, TRUE, FALSE) => return a,
            _ if b == c => return b,
            _ if self.full.is_some() => return FALSE,
            _ => {}
        }
        let question = [a, b, c];
        let known = self.memory[self.place(question)];
        if known.question == question {
            return known.answer;
        }
        let atom = self.at(a).atom.min(self.at(b).atom).min(self.at(c).atom);
        let ((a0, a1), (b0, b1), (c0, c1)) = (self.split(a, atom), self.split(b, atom), self.split(c, atom));
        let low = self.choose(a0, b0, c0);
        let high = self.choose(a1, b1, c1);
        let answer = self.node(atom, low, high);
        if self.nodes.len() > self.memory.len() {
            self.memory = vec![UNKNOWN; 4 * self.memory.len()];
        }
        let place = self.place(question);
        self.memory[place] = CachedChoice { question, answer };
        answer
    }

    pub(crate) fn and(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.choose(a, b, FALSE)
    }

    pub(crate) fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.choose(a, TRUE, b)
    }

    /// `a` without `b`.
    pub(crate) fn minus(&mut self, a: Bdd, b: Bdd) -> Bdd {
        self.choose(b, FALSE, a)
    }

    /// Whether every letter that satisfies `a` satisfies `b`.
    pub(crate) fn implies(&mut self, a: Bdd, b: Bdd) -> bool {
        self.minus(a, b) == FALSE
    }

    /// Whether a letter, given as a bit for each true atom, satisfies it.
    pub(crate) fn holds(&self, mut bdd: Bdd, letter: u64) -> bool {
        while bdd != FALSE && bdd != TRUE {
            let node = self.at(bdd);
            bdd = if letter >> node.atom & 1 == 1 { node.high } else { node.low };
        }
        bdd == TRUE
    }

    /// A letter that satisfies it; it must not be false.
    pub(crate) fn letter(&self, mut bdd: Bdd) -> u64 {
        let mut letter = 0;
        while bdd != TRUE && bdd != FALSE {
            let node = self.at(bdd);
            bdd = node.low;
            if node.low == FALSE {
                letter |= 1 << node.atom;
                bdd = node.high;
            }
        }
        letter
    }

    /// The condition that a list of cubes represents.
    pub(crate) fn of_cubes(&mut self, cubes: &[Cube]) -> Bdd {
        let mut sum = FALSE;
        for cube in cubes {
            let mut product = TRUE;
            for atom in (0..64).rev() {
                for (mask, negated) in [(cube.positive, false), (cube.negative, true)] {
                    if mask >> atom & 1 == 1 {
                        let literal = self.literal(atom, negated);
                        product = self.and(product, literal);
                    }
                }
            }
            sum = self.or(sum, product);
        }
        sum
    }

    /// Cubes whose disjunction is `bdd`, none of which is redundant.
    pub(crate) fn cubes(&mut self, bdd: Bdd) -> Vec<Cube> {
        let mut cubes = Vec::new();
        self.cover(bdd, bdd, Cube::default(), &mut cubes);
        cubes
    }

    /// Covers all of `must` and nothing outside `may`, within `context`; returns what is covered.
    fn cover(&mut self, must: Bdd, may: Bdd, context: Cube, cubes: &mut Vec<Cube>) -> Bdd {
        if cubes.len() > MAX_CUBES {
            self.full = Some(Error::TooLarge { what: "cubes of a guard", limit: MAX_CUBES });
        }
        if must == FALSE || self.full.is_some() {
            return FALSE;
        }
        if may == TRUE {
            cubes.push(context);
            return TRUE;
        }
        let atom = self.at(must).atom.min(self.at(may).atom);
        let ((must0, must1), (may0, may1)) = (self.split(must, atom), self.split(may, atom));
        let only0 = self.minus(must0, may1);
        let only1 = self.minus(must1, may0);
        let without = Cube { negative: context.negative | 1 << atom, ..context };
        let with = Cube { positive: context.positive | 1 << atom, ..context };
        let low = self.cover(only0, may0, without, cubes);
        let high = self.cover(only1, may1, with, cubes);
        let rest0 = self.minus(must0, low);
        let rest1 = self.minus(must1, high);
        let (rest, both) = (self.or(rest0, rest1), self.and(may0, may1));
        let either = self.cover(rest, both, context, cubes);
        let (low, high) = (self.or(low, either), self.or(high, either));
        self.node(atom, low, high)
    }
}
