//! The kinds of automata, and the limits of the translation.

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

/// Formulas made to be large end in an automaton or an error, soon and without a stack overflow.
#[test]
fn hostile_formulas_are_translated_or_refused() {
    let atom = |i: u32| Formula::atom(i % 64);
    let chain = |n: u32, join: &dyn Fn(Formula, u32) -> Formula| (1..n).fold(atom(0), join);
    let formulas = [
        chain(30, &|sum, i| sum.until(atom(i))),
        chain(250, &|sum, i| sum.until(atom(i))),
        chain(60, &|sum, i| atom(i).until(sum)),
        chain(250, &|sum, i| atom(i).release(sum).negate()),
        chain(60, &|sum, i| sum.equivalent(atom(i))),
        chain(30, &|sum, i| sum.equivalent(atom(i).eventually())),
        chain(20, &|sum, i| sum.eventually().equivalent(atom(i).always())),
        chain(20, &|sum, i| atom(i).implies(atom(i + 20).eventually()).always().and(sum)),
        chain(12, &|sum, i| {
            atom(i).implies(atom(i + 20).next().next().until(atom(i + 40))).always().and(sum)
        }),
        chain(32, &|sum, i| sum.and(atom(i).equivalent(atom(i + 32)))),
        chain(32, &|sum, i| sum.and(atom(i).equivalent(atom(i + 32)))).always(),
        chain(250, &|sum, _| sum.next()),
        chain(84, &|sum, i| sum.or(atom(i)).eventually().always().next()),
    ];
    for formula in formulas {
        let start = std::time::Instant::now();
        let result = translate(&formula);
        let result = result.map(|automaton| automaton.states.len()).map_err(|error| error.to_string());
        let time = start.elapsed();
        println!("{time:8.1?} {result:?} {}", formula.to_string().chars().take(60).collect::<String>());
        assert!(time.as_secs() < 60, "{formula} took {time:?}");
    }
}

/// The result does not depend on the order of a hash table.
#[test]
fn the_same_formula_gives_the_same_automaton() {
    let mut random = crate::random::Random(10);
    for _ in 0..200 {
        let formula = random.formula(10, 3);
        assert_eq!(translate(&formula), translate(&formula), "{formula}");
    }
}
