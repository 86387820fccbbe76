//! The HOA format and never claims.

use crate::random::Random;
use crate::semantics::accepts;
use allways_ltl::{Error, Named, parse, read_hoa, translate};

fn named(text: &str) -> Named {
    let (formula, names) = parse(text).expect(text);
    Named { automaton: translate(&formula).expect(text), names, title: text.into() }
}

#[test]
fn what_is_written_is_read_back() {
    let mut random = Random(7);
    for _ in 0..300 {
        let n_operators = random.below(10);
        let formula = random.formula(n_operators, 3);
        let automaton = translate(&formula).expect("small");
        let names = vec!["a".into(), "b \"quoted\" \\".into(), "c".into()];
        let written = Named { automaton, names, title: formula.to_string() };
        let text = written.to_hoa();
        let read = read_hoa(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((&read.names, &read.title), (&written.names, &written.title));
        assert!(read.automaton.states.len() <= written.automaton.states.len(), "{text}\n{}", read.to_hoa());
        for _ in 0..20 {
            let word = random.word(3);
            assert_eq!(accepts(&read.automaton, &word), accepts(&written.automaton, &word), "{text}");
        }
    }
}

/// Reads a text that should mean the same as a formula.
fn check(hoa: &str, formula: &str) {
    let read = read_hoa(hoa).unwrap_or_else(|error| panic!("{error}\n{hoa}"));
    let expected = named(formula);
    let mut random = Random(8);
    for _ in 0..200 {
        let word = random.word(2);
        assert_eq!(accepts(&read.automaton, &word), accepts(&expected.automaton, &word), "{hoa}\n{word:?}");
    }
}

#[test]
fn all_forms_of_generalized_acceptance_are_read() {
    check(
        "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" acc-name: generalized-Buchi 2 Acceptance: 2 Inf(0)&Inf(1)
         /* marks on edges /* nested */ and an alias */ Alias: @both 0&1 properties: trans-acc
         --BODY-- State: 0 \"only\" [@both] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!(0|1)] 0 --END--",
        "[]<> a && []<> b",
    );
    check(
        "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 2 Inf(1) & Inf(0)
         --BODY-- State: 0 0 0 {0} 0 {1} 0 {0 1} --END--",
        "[]<> a && []<> b",
    );
    check(
        "HOA: v1 States: 2 Start: 0 Start: 1 AP: 2 \"a\" \"b\" acc-name: all Acceptance: 0 t
         --BODY-- State: [0] 0 0 State: [1] 1 1 --END--",
        "(a && b && [] (a && b)) || [] a || [] b",
    );
    check(
        "HOA: v1 AP: 2 \"a\" \"b\" Start: 0 acc-name: Buchi Acceptance: 1 Inf(0)
         --BODY-- State: 0 [0&!1] 0 [1] 1 State: 1 {0} [t] 1 --END--",
        "(a || b) && (a U b)",
    );
    check("HOA: v1 States: 0 AP: 2 \"a\" \"b\" Acceptance: 0 t --BODY-- --END--", "a && b && false");
}

#[test]
fn what_is_not_supported_is_named() {
    let check = |text: &str, what: &str| match read_hoa(text) {
        Err(error @ Error::Text { .. }) => assert!(error.to_string().contains(what), "{text}: {error}"),
        other => panic!("{text}: {other:?}"),
    };
    let body = "--BODY-- State: 0 [t] 0 --END--";
    let with = |header: &str| format!("HOA: v1 Start: 0 {header} {body}");
    check(&with("AP: 0 acc-name: Rabin 1 Acceptance: 2 (Fin(0) & Inf(1))"), "Fin(0) & Inf(1)");
    check(&with("AP: 0 acc-name: co-Buchi Acceptance: 1 Fin(0)"), "only Büchi and generalized Büchi");
    check(&with("AP: 0 Acceptance: 2 Inf(0) | Inf(1)"), "not supported");
    check(&with("AP: 0 Acceptance: 1 Inf(!0)"), "not supported");
    check(&with("AP: 0"), "\"Acceptance\" is missing");
    check(&with("AP: 0 Acceptance: 99999999999999999999999 t"), "too large");
    check(&with("AP: 0 Acceptance: 0 t States: 99999999"), "at most 100000 states");
    check(&with("AP: 99 Acceptance: 0 t"), "at most 64 propositions");
    check(&with("AP: 0 Acceptance: 0 t Fancy: 1"), "\"Fancy\" is not supported");
    check("HOA: v2 --BODY-- --END--", "only version v1");
    check("HOA: v1 Start: 0&1 AP: 0 Acceptance: 0 t --BODY-- --END--", "alternation");
    check("HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0&0 --END--", "alternation");
    check("HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [3] 0 --END--", "no proposition 3");
    check("HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 7 --END--", "no state 7");
    check("HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [@x] 0 --END--", "\"@x\" is not defined");
    check(
        "HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 {0} [t] 0 --END--",
        "no acceptance set 0",
    );
    check("HOA: v1 Start: 0 AP: 0 Acceptance: 0 t --ABORT--", "--ABORT--");
    check("never { }", "expected \"HOA: v1\"");
}

#[test]
fn corrupt_texts_do_not_panic() {
    let text = named("[] (p -> (q U r)) && []<> s").to_hoa();
    let mut random = Random(9);
    let pieces = [
        "{", "}", "[", "]", "(", "&", "|", "!", "0", "99", "State:", "Start:", "--END--", "@a", "\"", "Inf",
        "t",
    ];
    for _ in 0..5000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => _ = bytes.remove(at),
                1 => bytes[at] = b' ' + random.below(95) as u8,
                _ => _ = bytes.splice(at..at, pieces[random.below(pieces.len())].bytes()),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        _ = read_hoa(&text).map_err(|error| error.to_string());
    }
    for deep in ["(".repeat(1_000_000), "!".repeat(1_000_000), "/*".repeat(1_000_000)] {
        assert!(read_hoa(&format!("HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [{deep}")).is_err());
    }
}

#[test]
fn never_claims_look_like_those_of_spin() {
    let named = named("p U q");
    let claim = named.automaton.to_never_claim(|atom| named.names[atom as usize].clone());
    let expected = "never {
T0_init:
\tdo
\t:: ((p) && !(q)) -> goto T0_init
\t:: ((q)) -> goto accept_all
\tod;
accept_all:
\tskip
}
";
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&claim), lines(expected), "{claim}");
}
