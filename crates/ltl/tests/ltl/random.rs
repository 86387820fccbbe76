//! Random formulas and words, the same on every machine.

use crate::semantics::Word;
use allways_ltl::{Binary, Formula, Unary};

/// A small generator of numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A formula with `n_operators` operators over `n_atoms` atoms.
    pub(crate) fn formula(&mut self, n_operators: usize, n_atoms: usize) -> Formula {
        if n_operators == 0 {
            return match self.below(20) {
                0 => Formula::truth(),
                1 => Formula::falsity(),
                _ => Formula::atom(self.below(n_atoms) as u32),
            };
        }
        const UNARY: [Unary; 4] = [Unary::Not, Unary::Next, Unary::Always, Unary::Eventually];
        const BINARY: [Binary; 7] = [
            Binary::And,
            Binary::Or,
            Binary::Implies,
            Binary::Equivalent,
            Binary::Until,
            Binary::WeakUntil,
            Binary::Release,
        ];
        if self.below(2) == 0 {
            let operator = UNARY[self.below(UNARY.len())];
            return Formula::unary(operator, self.formula(n_operators - 1, n_atoms));
        }
        // Equivalence duplicates its operands, so it is drawn less often.
        let mut operator = BINARY[self.below(BINARY.len())];
        if operator == Binary::Equivalent && self.below(3) > 0 {
            operator = Binary::And;
        }
        let left = self.below(n_operators);
        Formula::binary(operator, self.formula(left, n_atoms), self.formula(n_operators - 1 - left, n_atoms))
    }

    /// A lasso word of at most eight letters.
    pub(crate) fn word(&mut self, n_atoms: usize) -> Word {
        let n = 1 + self.below(8);
        let letters = (0..n).map(|_| self.bits() & ((1 << n_atoms) - 1)).collect();
        Word { letters, back: self.below(n) }
    }
}

/// The factor on the usual number of cases.
pub(crate) fn factor() -> usize {
    std::env::var("ALLWAYS_LTL_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
