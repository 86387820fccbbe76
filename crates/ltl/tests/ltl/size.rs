//! How small the automata are: never larger in total than SPIN's, on a list of common formulas.

use allways_ltl::{parse, translate};
use std::process::Command;

const LIST: &str = include_str!("formulas.txt");

/// Each formula with SPIN's states and edges.
fn list() -> Vec<(String, usize, usize)> {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let mut number = || words.next().and_then(|word| word.parse().ok()).expect("a count");
            let (n_states, n_edges) = (number(), number());
            (words.collect::<Vec<_>>().join(" "), n_states, n_edges)
        })
        .collect()
}

#[test]
fn automata_are_smaller_than_those_of_spin() {
    let (mut ours, mut theirs) = ((0, 0), (0, 0));
    let list = list();
    assert_eq!(list.len(), 100);
    for (text, n_states, n_edges) in list {
        let (formula, _) = parse(&text).expect(&text);
        let start = std::time::Instant::now();
        let automaton = translate(&formula).expect(&text);
        let time = start.elapsed();
        let size = (automaton.states.len(), automaton.n_edges());
        if std::env::var_os("ALLWAYS_LTL_SHOW").is_some() {
            let flag = if size.0 > n_states { "!!" } else { "" };
            println!(
                "{time:8.1?} {:3} {:3} | {n_states:3} {n_edges:3} | {:?} {text} {flag}",
                size.0,
                size.1,
                automaton.kind()
            );
        }
        ours = (ours.0 + size.0, ours.1 + size.1);
        theirs = (theirs.0 + n_states, theirs.1 + n_edges);
        assert!(size.0 <= n_states, "{text}: {} states, SPIN has {n_states}", size.0);
    }
    println!("states and edges: ours {ours:?}, SPIN's {theirs:?}");
    assert!(ours.0 < theirs.0 && ours.1 < theirs.1, "ours {ours:?}, SPIN's {theirs:?}");
}

/// States and edges of a never claim as SPIN prints it. A state may have several labels.
fn measure(claim: &str) -> (usize, usize) {
    let (mut n_states, mut n_edges, mut after_label) = (0, 0, false);
    for line in claim.lines() {
        let is_label = line.ends_with(':') && !line.starts_with(char::is_whitespace);
        n_states += usize::from(is_label && !after_label);
        after_label = is_label;
        let line = line.trim_start();
        n_edges += usize::from(line.starts_with("::") || line == "skip");
    }
    (n_states, n_edges)
}

/// The list says what the installed SPIN says, where it is SPIN 6.5.2.
#[test]
fn counts_of_spin_are_as_written() {
    let version = Command::new("spin").arg("-V").output();
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("6.5.2")) {
        return;
    }
    let dir = std::env::temp_dir();
    for (text, n_states, n_edges) in list() {
        let output = Command::new("spin").current_dir(&dir).args(["-f", &text]).output().expect("spin runs");
        let measured = measure(&String::from_utf8_lossy(&output.stdout));
        assert_eq!(measured, (n_states, n_edges), "{text}");
    }
}
