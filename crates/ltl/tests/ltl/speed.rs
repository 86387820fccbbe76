//! The time that translations take.

use allways_ltl::{parse, translate};
use std::time::{Duration, Instant};

/// Formulas that are known to be hard for translators are translated quickly.
#[test]
fn hard_formulas_take_no_long_time() {
    let hard = [
        "((((a U b) U c) U d) U e) U f",
        "a U (b U (c U (d U (e U f))))",
        "!(((((a U b) U c) U d) U e) U f)",
        "([]<> a && []<> b && []<> c && []<> d) -> []<> e",
        "!(([]<> a && []<> b && []<> c && []<> d) -> []<> e)",
        "(([]<> a -> []<> b) && ([]<> c -> []<> d)) -> [] (e -> <> f)",
        "!((([]<> a -> []<> b) && ([]<> c -> []<> d)) -> [] (e -> <> f))",
        "<> a && <> b && <> c && <> d && <> e",
        "[] (a -> X X X X b) && [] (c -> <> d)",
        "!((!p U (p U (!p U (p U [] !p)))) || [] !p)",
    ];
    for text in hard {
        let (formula, _) = parse(text).expect(text);
        let start = Instant::now();
        let automaton = translate(&formula).expect(text);
        let time = start.elapsed();
        println!("{time:8.1?} {} {text}", automaton.states.len());
        assert!(time < Duration::from_secs(20), "{text} took {time:?}");
    }
}
