//! Rewriting keeps the meaning of formulas, and what the queries say about their form is true.

use crate::random::{Random, factor};
use crate::semantics::{Word, holds};
use allways_ltl::{Formula, Notation, parse};

#[test]
fn simplified_formulas_mean_the_same() {
    let mut random = Random(3);
    for case in 0..4000 * factor() {
        let n_atoms = 1 + case % 3;
        let n_operators = 1 + random.below(15);
        let formula = random.formula(n_operators, n_atoms);
        let simple = formula.simplify().expect("small");
        let normal = formula.normal_form().expect("small");
        for _ in 0..30 {
            let word = random.word(n_atoms);
            let expected = holds(&formula, &word);
            assert_eq!(holds(&simple, &word), expected, "{formula} and {simple} on {word:?}");
            assert_eq!(holds(&normal, &word), expected, "{formula} and {normal} on {word:?}");
        }
    }
}

#[test]
fn eventual_and_universal_formulas_are_what_they_are_called() {
    let mut random = Random(4);
    let mut n_found = [0, 0];
    for case in 0..4000 {
        let n_atoms = 1 + case % 3;
        let n_operators = 1 + random.below(8);
        let formula = random.formula(n_operators, n_atoms);
        let (eventual, universal) = (formula.is_purely_eventual(), formula.is_purely_universal());
        n_found[0] += usize::from(eventual);
        n_found[1] += usize::from(universal);
        for _ in 0..10 {
            let word = random.word(n_atoms);
            let mut longer = Word { back: word.back + 1, ..word.clone() };
            longer.letters.insert(0, random.bits());
            let (now, before) = (holds(&formula, &word), holds(&formula, &longer));
            assert!(!eventual || !now || before, "{formula} is not eventual: {longer:?}");
            assert!(!universal || !before || now, "{formula} is not universal: {longer:?}");
        }
    }
    assert!(n_found.iter().all(|&n| n > 300), "{n_found:?}");
}

fn check(text: &str, expected: &str) {
    let (formula, names) = parse(text).expect(text);
    let simple = formula.simplify().expect(text);
    let shown = simple.text(Notation::Symbols, |atom| names[atom as usize].clone());
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn well_known_rules_apply() {
    check("<> <> p", "<>p");
    check("[]<>[]<> p", "[]<>p");
    check("X []<> p", "[]<>p");
    check("<> X p", "X <>p");
    check("p U (p U q)", "p U q");
    check("(p && !p) U q", "q");
    check("[] p && [] q", "[] (p && q)");
    check("<> p || <> q", "<> (p || q)");
    check("<>[] p && <>[] q", "<>[] (p && q)");
    check("[] p && (p U q)", "[]p && <>q");
    check("p && (!p || q)", "p && q");
    check("!(p U q) && (p U q)", "false");
    check("p <-> p", "true");
    check("[] (p || []<> q)", "[]<>q || []p");
    check("p W q", "p W q");
}

#[test]
fn safety_is_seen() {
    let of = |text: &str| {
        let (formula, _) = parse(text).expect(text);
        (formula.is_syntactically_safe(), formula.is_syntactically_co_safe())
    };
    assert_eq!(of("[] (p -> X q)"), (true, false));
    assert_eq!(of("p U q"), (false, true));
    assert_eq!(of("!(p U q)"), (true, false));
    assert_eq!(of("[] (p -> <> q)"), (false, false));
    assert_eq!(of("X p"), (true, true));
    assert!(parse("X p").expect("fine").0.has_next());
    assert!(!parse("p U q").expect("fine").0.has_next());
}

/// No code recurses over a formula that is too deep, not even its destructor.
#[test]
fn very_deep_formulas_are_refused() {
    let mut formula = Formula::atom(0);
    for i in 0..1_000_000 {
        formula = if i % 2 == 0 { formula.negate() } else { formula.or(Formula::atom(1)) };
    }
    assert_eq!(allways_ltl::translate(&formula), Err(allways_ltl::Error::TooDeep));
    assert_eq!(formula.simplify(), Err(allways_ltl::Error::TooDeep));
    assert!(formula.to_string().contains("..."));
}
