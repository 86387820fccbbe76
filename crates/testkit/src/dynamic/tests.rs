//! What the random models promise: they terminate, are small, and use all of the language.

use super::Kind;
use super::generate::{Reach, generate};
use super::plain::translate;
use super::print::print;
use super::run::explore;

#[test]
fn models_are_small_and_of_all_kinds() {
    let (mut n_explored, mut n_translated, mut n_finals) = (0, 0, 0);
    let mut texts = String::new();
    let mut kinds = [0; 4];
    for seed in 0..300 {
        let model = generate(seed, Reach::Translatable);
        assert_eq!(print(&model), print(&generate(seed, Reach::Translatable)));
        let Some(found) = explore(&model, 20_000) else { continue };
        n_explored += 1;
        n_finals += usize::from(found.finals.len() > 1);
        n_translated += usize::from(translate(&model).is_some());
        for (idx, kind) in [Kind::Assertion, Kind::Deadlock, Kind::Error].iter().enumerate() {
            kinds[idx] += usize::from(found.kinds.contains(kind));
        }
        kinds[3] += usize::from(found.kinds.is_empty());
        texts += &print(&model);
    }
    println!("{n_explored} explored, {n_translated} translated, {n_finals} with several ends, {kinds:?}");
    assert!(
        n_explored > 250 && n_translated > 200 && n_finals > 10,
        "{n_explored} {n_translated} {n_finals}"
    );
    assert!(kinds.iter().all(|&count| count > 15), "{kinds:?}");
    for word in [
        "new R0",
        "delete(",
        "return f",
        "= f",
        "op(",
        "q!",
        "q?",
        "r!",
        "atomic",
        "run child",
        "&l",
        "&s",
        "null",
        "eval(",
        "goto L",
        "end0:",
    ] {
        assert!(texts.contains(word), "no model has {word}");
    }
}
