//! What automata say about themselves, and the limits of the translation.

use allways_ltl::{Error, Formula, Kind, parse, translate};

#[test]
fn kinds_are_found() {
    let kind = |text: &str| translate(&parse(text).expect(text).0).expect(text).kind();
    assert_eq!(kind("<> p"), Kind::Terminal);
    assert_eq!(kind("!([] (q -> [] !p))"), Kind::Terminal);
    assert_eq!(kind("p U (q && X r)"), Kind::Terminal);
    assert_eq!(kind("false"), Kind::Terminal);
    assert_eq!(kind("[] p"), Kind::Weak);
    assert_eq!(kind("<>[] p"), Kind::Weak);
    assert_eq!(kind("!([] (p -> <> q))"), Kind::Weak);
    assert_eq!(kind("[]<> p"), Kind::General);
    assert_eq!(kind("[] (p -> <> q)"), Kind::General);
}

#[test]
fn universal_states_are_found() {
    let automaton = translate(&parse("p U q").expect("fine").0).expect("small");
    let universal = automaton.universal_states();
    assert_eq!(universal.iter().filter(|&&is| is).count(), 1);
    assert!(!universal[automaton.initial as usize]);
    let automaton = translate(&parse("<> p || [] !p").expect("fine").0).expect("small");
    assert_eq!(automaton.universal_states(), [true]);
}

#[test]
fn what_is_too_large_is_an_error() {
    assert_eq!(translate(&Formula::atom(64)), Err(Error::TooManyAtoms));
    let all = |n: u32, make: fn(Formula) -> Formula| {
        (1..n).fold(make(Formula::atom(0)), |sum, atom| sum.and(make(Formula::atom(atom))))
    };
    for n in [14, 30, 60] {
        let error = translate(&all(n, Formula::eventually)).expect_err("2^n states");
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }
    let next = |n: u32| (0..n).fold(Formula::atom(0), |formula, _| formula.next());
    let error = translate(&Formula::atom(1).implies(next(30)).always().negate().negate());
    assert!(matches!(error, Err(Error::TooLarge { .. })), "{error:?}");
    // Many fairness conditions are many promises, but few states.
    let fair = all(10, |atom| atom.eventually().always());
    assert!(translate(&fair).is_ok_and(|automaton| automaton.states.len() == 11));
}
