//! The translation against the semantics: random formulas on random words.

use crate::random::{Random, factor};
use crate::semantics::{Word, accepts, holds};
use allways_ltl::{Formula, translate};

fn check(formula: &Formula, words: &[Word]) {
    let automaton = translate(formula).unwrap_or_else(|error| panic!("{formula}: {error}"));
    let opposite =
        translate(&formula.clone().negate()).unwrap_or_else(|error| panic!("!({formula}): {error}"));
    for word in words {
        let expected = holds(formula, word);
        assert_eq!(accepts(&automaton, word), expected, "{formula} on {word:?}: {automaton:?}");
        assert_eq!(accepts(&opposite, word), !expected, "!({formula}) on {word:?}: {opposite:?}");
    }
}

#[test]
fn automata_accept_exactly_the_words_on_which_formulas_hold() {
    let mut random = Random(1);
    for case in 0..3000 * factor() {
        let n_atoms = 1 + case % 4;
        let n_operators = 1 + random.below(15);
        let formula = random.formula(n_operators, n_atoms);
        let words: Vec<Word> = (0..20).map(|_| random.word(n_atoms)).collect();
        check(&formula, &words);
    }
}
