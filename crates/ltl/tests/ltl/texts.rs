//! Formulas as text: printed formulas can be read, precedence is SPIN's, and no text makes the parser panic.

use crate::random::Random;
use allways_ltl::{Error, Notation, parse};

#[test]
fn printed_formulas_are_read_back() {
    let mut random = Random(5);
    for _ in 0..2000 {
        let n_operators = random.below(15);
        let formula = random.formula(n_operators, 4);
        for notation in [Notation::Symbols, Notation::Words] {
            let text = formula.text(notation, |atom| format!("p{atom}"));
            let (read, names) = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            // Names are numbered in the order in which they occur.
            let again = read.text(notation, |atom| names[atom as usize].clone());
            assert_eq!(text, again);
            assert_eq!(read.size(), formula.size());
        }
    }
}

fn check(text: &str, full: &str) {
    let (formula, _) = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let (expected, _) = parse(full).unwrap_or_else(|error| panic!("{full}: {error}"));
    assert_eq!(formula, expected, "{text} is not read as {full}");
}

#[test]
fn precedence_is_that_of_spin() {
    check("a || b && c", "(a || b) && c");
    check("a -> b -> c", "(a -> b) -> c");
    check("a -> b <-> c", "(a -> b) <-> c");
    check("a U b U c", "(a U b) U c");
    check("a U b V c", "(a U b) V c");
    check("a U b && c", "(a U b) && c");
    check("!a U b", "(!a) U b");
    check("[] a U b", "([] a) U b");
    check("<> a -> b", "(<> a) -> b");
    check("[]<>!a", "[] (<> (!a))");
    check("always (p implies eventually q)", "[] (p -> <> q)");
    check("not p stronguntil (q or r)", "!p U (q || r)");
    check("p weakuntil q and next r", "(p W q) && X r");
    check("p release q equivalent p V q", "(p R q) <-> (p V q)");
    check("p /\\ q \\/ r", "(p && q) || r");
}

#[test]
fn errors_say_where_and_what() {
    let check = |text: &str, at: usize, what: &str| match parse(text) {
        Err(error @ Error::Text { offset, .. }) => {
            assert_eq!(offset, at, "{text}: {error}");
            assert!(error.to_string().contains(what), "{text}: {error}");
        }
        other => panic!("{text}: {other:?}"),
    };
    check("", 0, "text ends");
    check("p &&", 4, "text ends");
    check("p & q", 2, "unexpected character '&'");
    check("(p || q", 0, "never closed");
    check("p || q)", 6, "closes nothing");
    check("p q", 2, "expected an operator");
    check("U q", 0, "expected a formula before this");
    check("[] (p -> 3)", 9, "expected a name");
    check("é", 0, "unexpected character");
    check("p\n&& é", 5, "line 2, column 4");
}

#[test]
fn hostile_texts_are_refused() {
    for text in ["(".repeat(1_000_000), "!".repeat(1_000_000), "[]".repeat(1_000_000), "p U ".repeat(100_000)]
    {
        assert!(parse(&format!("{text}p")).is_err());
    }
    assert!(parse(&vec!["p"; 100_000].join(" && ")).is_err());
    let names: Vec<String> = (0..65).map(|i| format!("n{i}")).collect();
    assert!(parse(&names.join(" || ")).is_err());
    assert!(parse(&names[..64].join(" || ")).is_ok());
    let parts = [
        "p", "q", "(", ")", "[]", "<>", "U", "V", "W", "X", "!", "&&", "||", "->", "<->", " ", "é", "\\",
        "/\\",
    ];
    let mut random = Random(6);
    for _ in 0..20_000 {
        let text: String = (0..random.below(12)).map(|_| parts[random.below(parts.len())]).collect();
        _ = parse(&text).map_err(|error| error.to_string());
    }
}
