//! The condition on an edge: the letters that it may read.

use std::fmt;

/// A conjunction of literals: some atoms must be true and some must be false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// A bit for each atom that must be true.
    pub positive: u64,
    /// A bit for each atom that must be false.
    pub negative: u64,
}

impl Cube {
    /// Whether a letter, given as a bit for each atom that is true, satisfies it.
    pub fn holds_on(&self, letter: u64) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }
}

/// A condition over atoms: at least one of its cubes holds. Without cubes it never holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guard {
    cubes: Vec<Cube>,
}

impl Guard {
    /// The disjunction of `cubes`.
    pub fn new(cubes: Vec<Cube>) -> Guard {
        Guard { cubes }
    }

    /// The condition that always holds.
    pub fn always() -> Guard {
        Guard { cubes: vec![Cube::default()] }
    }

    /// The cubes of which at least one must hold.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether it is written as the condition that always holds. The automata of this crate never write that
    /// condition in another form.
    pub fn is_true(&self) -> bool {
        self.cubes.contains(&Cube::default())
    }

    /// Whether it holds for the atoms whose truth `atom` gives. Calls `atom` only for atoms it needs.
    pub fn holds(&self, mut atom: impl FnMut(u32) -> bool) -> bool {
        self.cubes.iter().any(|cube| {
            let mut rest = cube.positive | cube.negative;
            while rest != 0 {
                let number = rest.trailing_zeros();
                if atom(number) != (cube.positive >> number & 1 == 1) {
                    return false;
                }
                rest &= rest - 1;
            }
            true
        })
    }

    /// Whether it holds on a letter, given as a bit for each atom that is true.
    pub fn holds_on(&self, letter: u64) -> bool {
        self.cubes.iter().any(|cube| cube.holds_on(letter))
    }

    /// The atoms that occur in it, as bits.
    pub fn atoms(&self) -> u64 {
        self.cubes.iter().fold(0, |atoms, cube| atoms | cube.positive | cube.negative)
    }

    /// Its text, in the symbols of C and SPIN, with names for the atoms.
    pub fn text(&self, name: impl Fn(u32) -> String) -> String {
        self.text_with(name, ["true", "false", "!", " && ", " || "])
    }

    /// Its text with other words for true, false, not, and, or.
    pub(crate) fn text_with(&self, name: impl Fn(u32) -> String, words: [&str; 5]) -> String {
        let [truth, falsity, not, and, or] = words;
        if self.is_true() {
            return truth.into();
        }
        if self.cubes.is_empty() {
            return falsity.into();
        }
        let cube_text = |cube: &Cube| {
            let literal = |atom: u32| {
                let mark = if cube.negative >> atom & 1 == 1 { not } else { "" };
                format!("{mark}{}", name(atom))
            };
            let used = |atom: &u32| (cube.positive | cube.negative) >> atom & 1 == 1;
            let literals: Vec<String> = (0..64).filter(used).map(literal).collect();
            let text = literals.join(and);
            if literals.len() > 1 && self.cubes.len() > 1 { format!("({text})") } else { text }
        };
        self.cubes.iter().map(cube_text).collect::<Vec<_>>().join(or)
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(|atom| format!("p{atom}")))
    }
}
